/* Converts strings from Shift_JIS and code page 437 to UTF-8, and to ASCII with similar characters. */
#include <iconv.h>
#include <stdio.h>
#include <string.h>

static void convert(const char *to, const char *from, char *in) {
    char buffer[64] = "", *out = buffer;
    size_t in_left = strlen(in), out_left = sizeof buffer - 1;
    iconv_t cd = iconv_open(to, from);
    if (cd == (iconv_t)-1 || iconv(cd, &in, &in_left, &out, &out_left) == (size_t)-1) {
        perror(to);
    }
    puts(buffer);
    if (cd != (iconv_t)-1) {
        iconv_close(cd);
    }
}

int main(void) {
    char shift_jis[] = "\x93\xFA\x96\x7B\x8C\xEA", utf8[] = "\xE2\x82\xAC 5 for caf\xC3\xA9";
    char cp437[] = "na\x8Bve \xC4\xC4";
    convert("UTF-8", "SHIFT_JIS", shift_jis);
    convert("ASCII//TRANSLIT", "UTF-8", utf8);
    convert("UTF-8", "CP437", cp437);
}
