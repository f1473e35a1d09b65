/* A library with the functions of iconv and libiconv, which only remembers how it was called. Preloaded after the library that is
   tested, so it is the next one. */
#include <errno.h>

#include "next.h"

static struct call last;

struct call next_call(void) {
    struct call call = last;
    last.function = NULL;
    return call;
}

static int called(const char *function, const void *a, const void *b, const void *c, const void *d, const void *e) {
    last = (struct call){function, {a, b, c, d, e}};
    errno = NEXT_ERRNO;
    return NEXT_RESULT;
}

size_t iconv(void *cd, char **in, size_t *in_left, char **out, size_t *out_left);
int iconv_close(void *cd);
void *iconv_open(const char *to, const char *from);
void *libiconv_open(const char *to, const char *from);
int iconv_open_into(const char *to, const char *from, void *memory);
size_t libiconv(void *cd, char **in, size_t *in_left, char **out, size_t *out_left);
int libiconv_close(void *cd);
int libiconv_open_into(const char *to, const char *from, void *memory);
int libiconvctl(void *cd, int request, void *argument);

size_t iconv(void *cd, char **in, size_t *in_left, char **out, size_t *out_left) {
    return (size_t)called("iconv", cd, in, in_left, out, out_left);
}

void *iconv_open(const char *to, const char *from) {
    called("iconv_open", to, from, NULL, NULL, NULL);
    return &last;
}

void *libiconv_open(const char *to, const char *from) {
    called("libiconv_open", to, from, NULL, NULL, NULL);
    return &last;
}

int iconv_close(void *cd) {
    return called("iconv_close", cd, NULL, NULL, NULL, NULL);
}

int iconv_open_into(const char *to, const char *from, void *memory) {
    return called("iconv_open_into", to, from, memory, NULL, NULL);
}

size_t libiconv(void *cd, char **in, size_t *in_left, char **out, size_t *out_left) {
    return (size_t)called("libiconv", cd, in, in_left, out, out_left);
}

int libiconv_close(void *cd) {
    return called("libiconv_close", cd, NULL, NULL, NULL, NULL);
}

int libiconv_open_into(const char *to, const char *from, void *memory) {
    return called("libiconv_open_into", to, from, memory, NULL, NULL);
}

int libiconvctl(void *cd, int request, void *argument) {
    return called("libiconvctl", cd, request == 1 ? "1" : NULL, argument, NULL, NULL);
}
