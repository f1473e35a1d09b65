/* Decodes a file in Shift_JIS to UTF-8: decode FILE. */
#include <inttypes.h>
#include <stdio.h>
#include <textcodec.h>

int main(int count, char **arguments) {
    char bytes[4096], text[3 * sizeof bytes + 16];
    size_t length = sizeof bytes;
    textcodec_decoder *decoder;
    textcodec_error error;
    if (count != 2) {
        fputs("usage: decode FILE\n", stderr);
        return 1;
    }
    FILE *file = fopen(arguments[1], "rb");
    if (file == NULL) {
        perror(arguments[1]);
        return 1;
    }
    if (textcodec_decoder_new(TEXTCODEC_SHIFT_JIS, NULL, &decoder) != TEXTCODEC_OK) {
        fputs("no memory\n", stderr);
        return 1;
    }
    while (length == sizeof bytes) {
        length = fread(bytes, 1, sizeof bytes, file);
        size_t read = length, written = sizeof text;
        bool last = length < sizeof bytes;
        textcodec_decoder_to_utf8(decoder, bytes, &read, text, &written, last, NULL);
        fwrite(text, 1, written, stdout);
    }
    if (textcodec_decoder_first_error(decoder, &error)) {
        fprintf(stderr, "malformed at byte %" PRIu64 "\n", error.start);
    }
    textcodec_decoder_free(decoder);
}
