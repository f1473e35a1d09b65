/* Prints the single-byte tables of the libiconv that npm's package "iconv" contains, in the form that sources.py describes. */
#include <iconv.h>
#include <stdio.h>
#include <string.h>

int main(int count, char **arguments)
{
    for (int n = 1; n < count; n++) {
        iconv_t descriptor = iconv_open("UTF-16BE", strchr(arguments[n], ':') + 1);
        if (descriptor == (iconv_t)-1) {
            fprintf(stderr, "libiconv has no %s\n", arguments[n]);
            return 1;
        }
        printf("%s", arguments[n]);
        for (int byte = 0; byte < 256; byte++) {
            char source[1] = {(char)byte};
            unsigned char target[16];
            char *in = source, *out = (char *)target;
            size_t left = 1, room = sizeof target;
            iconv(descriptor, NULL, NULL, NULL, NULL);
            int failed = iconv(descriptor, &in, &left, &out, &room) == (size_t)-1;
            /* Some converters keep a letter until they know that no mark follows. */
            iconv(descriptor, NULL, NULL, &out, &room);
            putchar(byte == 0 ? '\t' : ' ');
            if (failed || sizeof target - room != 2)
                printf("----");
            else
                printf("%02X%02X", target[0], target[1]);
        }
        putchar('\n');
        iconv_close(descriptor);
    }
    return 0;
}
