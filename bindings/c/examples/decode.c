/* Decodes a file in Shift_JIS to UTF-8: decode FILE. */
#include <inttypes.h>
#include <stdio.h>
#include <textcodec.h>

int main(int count, char **arguments) {
    static char bytes[1 << 20];
    FILE *file = count == 2 ? fopen(arguments[1], "rb") : NULL;
    char *text;
    size_t length = file != NULL ? fread(bytes, 1, sizeof bytes, file) : 0;
    textcodec_summary summary;
    if (file == NULL || textcodec_decode(TEXTCODEC_SHIFT_JIS, bytes, length, NULL, &text, &length,
                                         &summary) != TEXTCODEC_OK) {
        return 1;
    }
    fwrite(text, 1, length, stdout);
    textcodec_free(text);
    if (summary.error_count > 0) {
        fprintf(stderr, "malformed at byte %" PRIu64 "\n", summary.first_error.start);
    }
}
