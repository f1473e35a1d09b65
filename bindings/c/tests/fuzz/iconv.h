/* Calls of the functions of iconv, and what is checked at each. */
#ifndef FUZZ_ICONV_H
#define FUZZ_ICONV_H

#include <errno.h>

#include <textcodec/iconv.h>

#include "fuzz.h"

/* The header has the names of libiconv. The library has these functions too. */
#undef iconv_open
#undef iconv
#undef iconv_close
iconv_t iconv_open(const char *to, const char *from);
size_t iconv(iconv_t cd, char **inbuf, size_t *inbytesleft, char **outbuf, size_t *outbytesleft);
int iconv_close(iconv_t cd);

/* No character, and no transliteration, is longer. */
enum { ENOUGH = 512 };

/* One of the two sets of functions. */
struct set {
    iconv_t (*open)(const char *, const char *);
    size_t (*convert)(iconv_t, char **, size_t *, char **, size_t *);
    int (*close)(iconv_t);
    /* Whether a call that has skipped something fails with EILSEQ after all input is read. */
    bool reports_skips;
    const char *prefix;
};

extern const struct set GLIBC, POSIX;

struct descriptor {
    const struct set *set;
    iconv_t cd;
    /* What an empty text is: the header of ISO-2022-KR, or nothing. */
    const char *empty;
    /* Whether something may be skipped. */
    bool skips;
    /* The number of errors at which a text ends. */
    size_t max_errors;
    /* Whether each call has all the input that is left, and only the room is small. */
    bool gives_all;
};

struct outcome {
    size_t result;
    int error;
    size_t read, written;
    const uint8_t *out;
};

/*
 * Calls with `room` bytes of output, of which `claimed` are said to be there. Checks what holds for
 * every call.
 */
struct outcome call(const struct descriptor *d, const uint8_t *in, size_t length, size_t room,
                    size_t claimed);

/* Ends the text: first without enough room. Appends the bytes. */
void close_text(const struct descriptor *d, struct log *log);

/* Discards the state, in one of three ways. */
void discard(const struct descriptor *d, size_t way);

struct descriptor open_names(const struct set *set, const char *to, const char *from);
void close_descriptor(const struct descriptor *d);

/* Returns a property. */
int get(const struct descriptor *d, int request);

/* Finds out whether something may be skipped. */
void update(struct descriptor *d);

/* Changes one of four properties. */
void set_property(struct descriptor *d, size_t which, int value);

#endif
