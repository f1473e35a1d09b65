/* Compiled with libiconv's header and linked with libiconv: its descriptors, in memory of the program, are used by the public
   functions, which are this library's if it is preloaded. */
#include <errno.h>
#include <iconv.h>
#include <stdio.h>

int main(void) {
    const char *const names[] = {"KOI8-R", "SHIFT_JIS", "CP850", "no such name"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        iconv_allocation_t memory;
        errno = 0;
        int opened = iconv_open_into("UTF-8", names[i], &memory);
        printf("%s: %d %d", names[i], opened, errno);
        if (opened == 0) {
            iconv_t cd = (iconv_t)&memory;
            char in[] = "a\xB1", out[16] = "", *to = out;
            void *from = in; /* Versions of libiconv differ in `const`. */
            size_t in_left = 2, out_left = sizeof out - 1;
            int trivial = -1;
            size_t result = iconv(cd, (void *)&from, &in_left, &to, &out_left);
            printf(" %zd %s %d %d", (ssize_t)result, out, iconvctl(cd, ICONV_TRIVIALP, &trivial), trivial);
        }
        putchar('\n');
    }
    return 0;
}
