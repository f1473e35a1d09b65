/* convert TO FROM TEXT: converts with GLib, which calls iconv(). Prints the result, or the number of
   the error. */
#include <glib.h>
#include <stdio.h>

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: %s TO FROM TEXT\n", argv[0]);
        return 2;
    }
    gsize len = 0;
    GError *error = NULL;
    char *text = g_convert(argv[3], -1, argv[1], argv[2], NULL, &len, &error);
    if (text == NULL) {
        printf("error %d", error->code);
        g_error_free(error);
        return 0;
    }
    fwrite(text, 1, len, stdout);
    g_free(text);
    return 0;
}
