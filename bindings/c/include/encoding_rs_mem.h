/*
 * Examines and converts UTF-8, UTF-16 and Latin-1 in memory.
 *
 * This header has the functions of encoding_c_mem 0.2.6. Link with -lencoding_c.
 *
 * "Latin-1" means one byte for each of the characters U+0000 to U+00FF. "str" means UTF-8 that
 * the caller knows to be valid. If it is not, no memory is at risk, but the result has no
 * meaning. (With the original, the behaviour is undefined.)
 *
 * A character is right-to-left if it is in a block of a right-to-left script, such as Hebrew or
 * Arabic, or is one of U+200F, U+202B, U+202E and U+2067.
 *
 * A buffer is a pointer and a length in units: bytes, or char16_t for UTF-16. If the length is
 * 0, the pointer may have any value, also NULL. Otherwise a NULL ends the program with abort().
 * The source and the destination must not overlap. A destination need not be initialised.
 *
 * For most conversions, the source determines how long the destination must be at least. The
 * original ends the program if it is shorter. Here, the functions that write one unit for each
 * unit of the source (to and from Latin-1 and UTF-16, and those that copy) fill the destination,
 * and leave the rest of the source. The others write nothing and return 0, or SIZE_MAX if that
 * is their result for malformed input.
 */

#ifndef ENCODING_RS_MEM_H
#define ENCODING_RS_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifndef __cplusplus
#include <uchar.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* What characters a text has. */
typedef enum {
    /* Only U+0000 to U+00FF. */
    Latin1 = 0,
    /* Others as well, but none that is right-to-left. */
    LeftToRight = 1,
    /* At least one that is right-to-left. */
    Bidi = 2
} Latin1Bidi;

/* Functions that examine text. */

/* Returns whether all bytes are ASCII. */
bool encoding_mem_is_ascii(const char *buffer, size_t len);

/* Returns whether all units are ASCII. */
bool encoding_mem_is_basic_latin(const char16_t *buffer, size_t len);

/* Returns whether the bytes are valid UTF-8 of U+0000 to U+00FF. */
bool encoding_mem_is_utf8_latin1(const char *buffer, size_t len);

/* Returns whether the text has only U+0000 to U+00FF. */
bool encoding_mem_is_str_latin1(const char *buffer, size_t len);

/* Returns whether the text has only U+0000 to U+00FF. */
bool encoding_mem_is_utf16_latin1(const char16_t *buffer, size_t len);

/* Returns whether the bytes are malformed, or have a right-to-left character. */
bool encoding_mem_is_utf8_bidi(const char *buffer, size_t len);

/* Returns whether the text has a right-to-left character. */
bool encoding_mem_is_str_bidi(const char *buffer, size_t len);

/*
 * Returns whether the text has a right-to-left character, or a high surrogate that such
 * characters have.
 */
bool encoding_mem_is_utf16_bidi(const char16_t *buffer, size_t len);

/* Returns whether a character is right-to-left. False for numbers that are no scalar value. */
bool encoding_mem_is_char_bidi(char32_t c);

/* Returns whether a unit is a right-to-left character, or a high surrogate that such ones have. */
bool encoding_mem_is_utf16_code_unit_bidi(char16_t u);

/*
 * Returns Latin1 if encoding_mem_is_utf8_latin1 is true, otherwise Bidi if
 * encoding_mem_is_utf8_bidi is true, otherwise LeftToRight.
 */
Latin1Bidi encoding_mem_check_utf8_for_latin1_and_bidi(const char *buffer, size_t len);

/* Like encoding_mem_check_utf8_for_latin1_and_bidi, for valid UTF-8. */
Latin1Bidi encoding_mem_check_str_for_latin1_and_bidi(const char *buffer, size_t len);

/* Like encoding_mem_check_utf8_for_latin1_and_bidi, for UTF-16. */
Latin1Bidi encoding_mem_check_utf16_for_latin1_and_bidi(const char16_t *buffer, size_t len);

/* Returns the length of the longest start that is valid UTF-8 of U+0000 to U+00FF. */
size_t encoding_mem_utf8_latin1_up_to(const char *buffer, size_t len);

/* Returns the length of the longest start that has only U+0000 to U+00FF. */
size_t encoding_mem_str_latin1_up_to(const char *buffer, size_t len);

/* Returns the index of the first unpaired surrogate, or the length if there is none. */
size_t encoding_mem_utf16_valid_up_to(const char16_t *buffer, size_t len);

/* Replaces unpaired surrogates by U+FFFD, in place. */
void encoding_mem_ensure_utf16_validity(char16_t *buffer, size_t len);

/* Functions that convert. Those with a result return the number of units written. */

/*
 * Converts UTF-8 to UTF-16. Malformed sequences become U+FFFD. The destination has at least
 * src_len + 1 units.
 */
size_t encoding_mem_convert_utf8_to_utf16(const char *src, size_t src_len, char16_t *dst,
                                          size_t dst_len);

/* Converts valid UTF-8 to UTF-16. The destination has at least src_len units. */
size_t encoding_mem_convert_str_to_utf16(const char *src, size_t src_len, char16_t *dst,
                                         size_t dst_len);

/*
 * Converts UTF-8 to UTF-16, or returns SIZE_MAX if the source is malformed. The destination has
 * at least src_len units.
 */
size_t encoding_mem_convert_utf8_to_utf16_without_replacement(const char *src, size_t src_len,
                                                              char16_t *dst, size_t dst_len);

/*
 * Converts UTF-16 to UTF-8. Unpaired surrogates become U+FFFD. The destination has at least 3 *
 * src_len bytes.
 */
size_t encoding_mem_convert_utf16_to_utf8(const char16_t *src, size_t src_len, char *dst,
                                          size_t dst_len);

/*
 * Converts the characters of UTF-16 that fit into a destination of any length. *src_len and
 * *dst_len are the lengths before the call, and the numbers of units read and written after it.
 * Unpaired surrogates become U+FFFD, also at the ends. The rest of the destination is not
 * changed.
 */
void encoding_mem_convert_utf16_to_utf8_partial(const char16_t *src, size_t *src_len, char *dst,
                                                size_t *dst_len);

/* Converts Latin-1 to src_len units of UTF-16. The destination has at least src_len units. */
void encoding_mem_convert_latin1_to_utf16(const char *src, size_t src_len, char16_t *dst,
                                          size_t dst_len);

/* Converts Latin-1 to UTF-8. The destination has at least 2 * src_len bytes. */
size_t encoding_mem_convert_latin1_to_utf8(const char *src, size_t src_len, char *dst,
                                           size_t dst_len);

/*
 * Converts the characters of Latin-1 that fit into a destination of any length. *src_len and
 * *dst_len are the lengths before the call, and the numbers of bytes read and written after it.
 */
void encoding_mem_convert_latin1_to_utf8_partial(const char *src, size_t *src_len, char *dst,
                                                 size_t *dst_len);

/*
 * Converts UTF-8 of U+0000 to U+00FF to Latin-1. For any other source, the bytes written have no
 * meaning. The destination has at least src_len bytes.
 */
size_t encoding_mem_convert_utf8_to_latin1_lossy(const char *src, size_t src_len, char *dst,
                                                 size_t dst_len);

/*
 * Converts UTF-16 of U+0000 to U+00FF to src_len bytes of Latin-1. For any other source, the
 * bytes written have no meaning. The destination has at least src_len bytes.
 */
void encoding_mem_convert_utf16_to_latin1_lossy(const char16_t *src, size_t src_len, char *dst,
                                                size_t dst_len);

/*
 * Copies the ASCII at the start of the source, and returns its length. The destination has at
 * least src_len bytes.
 */
size_t encoding_mem_copy_ascii_to_ascii(const char *src, size_t src_len, char *dst,
                                        size_t dst_len);

/* Like encoding_mem_copy_ascii_to_ascii, to UTF-16. The destination has at least src_len units. */
size_t encoding_mem_copy_ascii_to_basic_latin(const char *src, size_t src_len, char16_t *dst,
                                              size_t dst_len);

/* Like encoding_mem_copy_ascii_to_ascii, from UTF-16. */
size_t encoding_mem_copy_basic_latin_to_ascii(const char16_t *src, size_t src_len, char *dst,
                                              size_t dst_len);

#ifdef __cplusplus
}
#endif

#endif
