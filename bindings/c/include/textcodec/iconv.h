/*
 * iconv with the tables of the Encoding Standard.
 *
 * A program that includes this header instead of the system's <iconv.h>, and is linked with -ltextcodec_iconv, has the same
 * conversions on every platform. The functions follow POSIX.1-2024:
 *
 * - Names are those of glibc and libiconv for the encodings that the library has, in upper or lower case. iconv_open fails
 *   with EINVAL for others, unless the program has libiconv too, which then opens them. An empty name is the character set of
 *   the locale.
 * - Suffixes of the name of the output, separated by "//" or ",": TRANSLIT replaces unmappable characters by similar text, or
 *   by a question mark; NON_IDENTICAL_DISCARD skips unmappable characters; IGNORE skips these and malformed input.
 * - iconv stops before what it cannot convert. It writes whole characters only. Bytes after the output do not change.
 * - A descriptor may be used by one thread at a time. Different descriptors are independent.
 *
 * Input and output must not overlap. A build with checks refuses this with EFAULT; otherwise it is not checked.
 */
#ifndef TEXTCODEC_ICONV_H
#define TEXTCODEC_ICONV_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A descriptor: the state of a conversion. */
typedef void *iconv_t;

/*
 * The functions have the names of libiconv's. The library also has iconv_open, iconv and iconv_close, which behave like
 * glibc's, so other libraries in the program use these instead of those of the C library.
 */
#define iconv_open libiconv_open
#define iconv libiconv
#define iconv_close libiconv_close
#define iconvctl libiconvctl
#define iconvlist libiconvlist

/*
 * Returns a descriptor, which the caller closes with iconv_close, or (iconv_t)-1 with errno: EINVAL if a name is unknown or
 * null, ENOMEM if there is no memory.
 */
iconv_t iconv_open(const char *to, const char *from);

/*
 * Converts *inbytesleft bytes at *inbuf to at most *outbytesleft bytes at *outbuf, and moves the pointers past what was
 * read and written. Returns the number of characters that were transliterated, or skipped because they are unmappable,
 * or (size_t)-1 with errno:
 *
 *   E2BIG   the next character does not fit
 *   EINVAL  the rest of the input is the start of a character
 *   EILSEQ  the next bytes are malformed, or the next character is unmappable
 *   EBADF   the descriptor is null, -1, or closed and its memory is not used again yet
 *
 * With a null inbuf or *inbuf, writes the bytes that end the text, such as an escape sequence of ISO-2022-JP, and returns to the
 * initial state; with a null outbuf or *outbuf, discards the state.
 */
size_t iconv(iconv_t cd, char **inbuf, size_t *inbytesleft, char **outbuf, size_t *outbytesleft);

/* Frees a descriptor. Returns 0, or -1 with errno EBADF: see iconv. */
int iconv_close(iconv_t cd);

/* Requests of iconvctl. The argument is an int *. */
#define ICONV_TRIVIALP 0                   /* Get whether both encodings are the same. */
#define ICONV_GET_TRANSLITERATE 1          /* Get whether unmappable characters are replaced. */
#define ICONV_SET_TRANSLITERATE 2
#define ICONV_GET_DISCARD_ILSEQ 3          /* Get whether unmappable characters and malformed input are skipped. */
#define ICONV_SET_DISCARD_ILSEQ 4
#define ICONV_GET_DISCARD_INVALID 11       /* Get whether malformed input is skipped. */
#define ICONV_SET_DISCARD_INVALID 12
#define ICONV_GET_DISCARD_NON_IDENTICAL 13 /* Get whether unmappable characters are skipped. */
#define ICONV_SET_DISCARD_NON_IDENTICAL 14

/* Reads or changes a property of a descriptor. Returns 0, or -1 with errno: EINVAL for other requests or a null argument. */
int iconvctl(iconv_t cd, int request, void *argument);

/*
 * Calls a function for each encoding, with its names and `data`, until it returns something else than 0. The names are valid
 * during the call.
 */
void iconvlist(int (*do_one)(unsigned int count, const char *const *names, void *data), void *data);

/* Returns the canonical name of an encoding, or the argument if the name is unknown. */
const char *iconv_canonicalize(const char *name);

/* The version of libiconv whose interface this is: 256 * major + minor. */
extern int _libiconv_version;

#ifdef __cplusplus
}
#endif

#endif
