/* Tests that a build with checks refuses buffers that overlap. For the library linked from its
   archive. */
#include <errno.h>
#include <iconv.h>
#include <stdio.h>

static char memory[16] = "\xE9t\xE9";

/* Converts three bytes at `in` to UTF-8 at `out`. Returns errno, or 0. */
static int convert(char *in, char *out) {
    size_t in_left = 3, out_left = 8;
    iconv_t cd = iconv_open("UTF-8", "ISO-8859-1");
    errno = 0;
    size_t result = iconv(cd, &in, &in_left, &out, &out_left);
    int error = result == (size_t)-1 ? errno : 0;
    iconv_close(cd);
    return error;
}

int main(void) {
    if (convert(memory, memory) != EFAULT || convert(memory, memory + 2) != EFAULT) {
        fputs("overlapping buffers are not refused\n", stderr);
        return 1;
    }
    if (convert(memory, memory + 3) != 0) {
        fputs("buffers that touch are refused\n", stderr);
        return 1;
    }
    return 0;
}
