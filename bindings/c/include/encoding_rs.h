/*
 * Converts text between Unicode and the encodings of the web, in chunks of any size.
 *
 * This header has the functions of encoding_c 0.9.8, the C interface of encoding_rs. Link with
 * -lencoding_c. The encodings are those of https://encoding.spec.whatwg.org.
 *
 * Arguments
 *
 *   A buffer is a pointer and a length in units: bytes, or char16_t for UTF-16. If the length is 0,
 *   the pointer may have any value, also NULL. A destination need not be initialised. It must not
 *   overlap the source. What a call does not report as written may have been overwritten too.
 *
 *   All other pointers must not be NULL, except where this header allows it. A NULL there, or for a
 *   buffer with a length other than 0, ends the program with abort().
 *
 * Converting a chunk
 *
 *   This is what decoder_decode_* and encoder_encode_* do. *src_len and *dst_len are the lengths of
 *   the buffers before the call, and the numbers of units read and written after it. The result is
 *   one of these:
 *
 *   INPUT_EMPTY   The whole chunk has been read. If "last" was true, the input has ended.
 *   OUTPUT_FULL   The next character does not fit. Call again with the rest of the chunk, which may
 *                 be empty, the same value of "last", and more room. 16 bytes are enough for any
 *                 character.
 *   other         Only from the functions *_without_replacement: a malformed sequence or an
 *                 unmappable character, for which nothing is written. The next call continues
 *                 after it. Its source is the rest of the chunk, as for OUTPUT_FULL.
 *
 *   "last" means that the input ends with the chunk. At the end of an input, call with "last" until
 *   the result is INPUT_EMPTY. A chunk may be empty. Only whole characters are written. A character
 *   that ends in a later chunk is kept until then.
 *
 *   After the end of its input, a decoder or an encoder can be used for another one: the next call
 *   starts it. (The original ends the program when a decoder is used again without one of the
 *   functions encoding_new_decoder*_into.)
 *
 *   *had_replacements tells whether the call found a malformed sequence or an unmappable character.
 *   The pointer may be NULL.
 *
 * Memory
 *
 *   Only encoding_new_encoder and the functions encoding_new_decoder* allocate. They
 *   return NULL if there is no memory, where the original ends the program.
 */

#ifndef ENCODING_RS_H
#define ENCODING_RS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifndef __cplusplus
#include <uchar.h>
#endif

#include "encoding_rs_statics.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Encodings. */

/*
 * Returns the encoding of a label, such as "utf-8" or "sjis", or NULL if the label is unknown.
 * Case and surrounding ASCII whitespace do not matter.
 *
 * Some labels stand for encodings that are not safe to decode. They give REPLACEMENT_ENCODING.
 * Use this function if you decode with another encoding when the label is unknown.
 */
const ENCODING_RS_ENCODING *encoding_for_label(const uint8_t *label, size_t label_len);

/*
 * Like encoding_for_label, but returns NULL instead of REPLACEMENT_ENCODING. Use this function
 * if you reject the input when the label is unknown.
 */
const ENCODING_RS_ENCODING *encoding_for_label_no_replacement(const uint8_t *label,
                                                              size_t label_len);

/*
 * Returns the encoding of the byte order mark at the start of a buffer: UTF_8_ENCODING,
 * UTF_16LE_ENCODING or UTF_16BE_ENCODING, or NULL if there is none. The first three bytes of the
 * input are enough. *buffer_len is the length of the buffer before the call, and the length of
 * the mark after it, or 0.
 */
const ENCODING_RS_ENCODING *encoding_for_bom(const uint8_t *buffer, size_t *buffer_len);

/*
 * Writes the name of an encoding and returns its length. There is no 0 at its end. The buffer
 * has at least ENCODING_NAME_MAX_LENGTH bytes.
 */
size_t encoding_name(const ENCODING_RS_ENCODING *encoding, uint8_t *name_out);

/* Returns whether the output encoding is UTF-8, and so can encode every character. */
bool encoding_can_encode_everything(const ENCODING_RS_ENCODING *encoding);

/*
 * Returns whether the bytes 0x00 to 0x7F are ASCII and ASCII has no other bytes. False for
 * UTF-16, ISO-2022-JP and replacement.
 */
bool encoding_is_ascii_compatible(const ENCODING_RS_ENCODING *encoding);

/* Returns whether each byte is either one character below U+10000 or malformed. */
bool encoding_is_single_byte(const ENCODING_RS_ENCODING *encoding);

/* Returns UTF-8 for UTF-16BE, UTF-16LE and replacement, otherwise the encoding itself. */
const ENCODING_RS_ENCODING *encoding_output_encoding(const ENCODING_RS_ENCODING *encoding);

/*
 * Creates a decoder that changes to the encoding of a byte order mark at the start of its input,
 * and removes the mark. Free it with decoder_free. Returns NULL if there is no memory.
 */
ENCODING_RS_DECODER *encoding_new_decoder(const ENCODING_RS_ENCODING *encoding);

/*
 * Creates a decoder that removes a byte order mark of its own encoding from the start of its
 * input. Free it with decoder_free. Returns NULL if there is no memory.
 */
ENCODING_RS_DECODER *
encoding_new_decoder_with_bom_removal(const ENCODING_RS_ENCODING *encoding);

/*
 * Creates a decoder that treats a byte order mark as text. Free it with decoder_free. Returns
 * NULL if there is no memory.
 */
ENCODING_RS_DECODER *
encoding_new_decoder_without_bom_handling(const ENCODING_RS_ENCODING *encoding);

/* Turns an existing decoder into a new one, as encoding_new_decoder returns it. */
void encoding_new_decoder_into(const ENCODING_RS_ENCODING *encoding, ENCODING_RS_DECODER *decoder);

/* Turns an existing decoder into a new one, as encoding_new_decoder_with_bom_removal returns it. */
void encoding_new_decoder_with_bom_removal_into(const ENCODING_RS_ENCODING *encoding,
                                                ENCODING_RS_DECODER *decoder);

/*
 * Turns an existing decoder into a new one, as encoding_new_decoder_without_bom_handling returns
 * it.
 */
void encoding_new_decoder_without_bom_handling_into(const ENCODING_RS_ENCODING *encoding,
                                                    ENCODING_RS_DECODER *decoder);

/*
 * Creates an encoder for the output encoding. Free it with encoder_free. Returns NULL if there
 * is no memory.
 */
ENCODING_RS_ENCODER *encoding_new_encoder(const ENCODING_RS_ENCODING *encoding);

/* Turns an existing encoder into a new one, as encoding_new_encoder returns it. */
void encoding_new_encoder_into(const ENCODING_RS_ENCODING *encoding, ENCODING_RS_ENCODER *encoder);

/* Returns the length of the longest start of the buffer that is valid UTF-8. */
size_t encoding_utf8_valid_up_to(const uint8_t *buffer, size_t buffer_len);

/* Returns the length of the longest start of the buffer that is ASCII. */
size_t encoding_ascii_valid_up_to(const uint8_t *buffer, size_t buffer_len);

/*
 * Returns the length of the longest start of the buffer that ISO-2022-JP decodes to the same
 * ASCII. It ends before 0x0E, 0x0F, 0x1B and bytes above 0x7F.
 */
size_t encoding_iso_2022_jp_ascii_valid_up_to(const uint8_t *buffer, size_t buffer_len);

/* Decoders. */

/* Frees a decoder. NULL is allowed. */
void decoder_free(ENCODING_RS_DECODER *decoder);

/* Returns the encoding of the byte order mark if the decoder changed to it, otherwise its own. */
const ENCODING_RS_ENCODING *decoder_encoding(const ENCODING_RS_DECODER *decoder);

/*
 * Returns a length of UTF-8 that is enough for byte_length more bytes, with U+FFFD for malformed
 * sequences. Returns SIZE_MAX if it exceeds size_t.
 */
size_t decoder_max_utf8_buffer_length(const ENCODING_RS_DECODER *decoder, size_t byte_length);

/* Like decoder_max_utf8_buffer_length, for the function without replacement. */
size_t decoder_max_utf8_buffer_length_without_replacement(const ENCODING_RS_DECODER *decoder,
                                                          size_t byte_length);

/*
 * Returns a number of units of UTF-16 that is enough for byte_length more bytes, with or without
 * replacement. Returns SIZE_MAX if it exceeds size_t.
 */
size_t decoder_max_utf16_buffer_length(const ENCODING_RS_DECODER *decoder, size_t byte_length);

/* Decodes a chunk to UTF-8. Malformed sequences become U+FFFD. */
uint32_t decoder_decode_to_utf8(ENCODING_RS_DECODER *decoder, const uint8_t *src, size_t *src_len,
                                uint8_t *dst, size_t *dst_len, bool last, bool *had_replacements);

/*
 * Decodes a chunk to UTF-8, up to the first malformed sequence. The length of that sequence, 1
 * to 4 bytes, is then in bits 0 to 7 of the result. The number of bytes that have been read
 * after it, 0 to 3, is in bits 8 to 15. These bytes may be from an earlier chunk. The next call
 * decodes them.
 */
uint32_t decoder_decode_to_utf8_without_replacement(ENCODING_RS_DECODER *decoder,
                                                    const uint8_t *src, size_t *src_len,
                                                    uint8_t *dst, size_t *dst_len, bool last);

/* Like decoder_decode_to_utf8, to UTF-16. */
uint32_t decoder_decode_to_utf16(ENCODING_RS_DECODER *decoder, const uint8_t *src, size_t *src_len,
                                 char16_t *dst, size_t *dst_len, bool last,
                                 bool *had_replacements);

/* Like decoder_decode_to_utf8_without_replacement, to UTF-16. */
uint32_t decoder_decode_to_utf16_without_replacement(ENCODING_RS_DECODER *decoder,
                                                     const uint8_t *src, size_t *src_len,
                                                     char16_t *dst, size_t *dst_len, bool last);

/*
 * Returns the length of the longest start of the buffer that would decode to the characters
 * U+0000 to U+00FF of the same values. Returns SIZE_MAX for UTF-16 and replacement, within a
 * character or an escape sequence, and while a byte order mark is possible. The decoder does not
 * change.
 */
size_t decoder_latin1_byte_compatible_up_to(const ENCODING_RS_DECODER *decoder,
                                            const uint8_t *buffer, size_t buffer_len);

/* Encoders. */

/* Frees an encoder. NULL is allowed. */
void encoder_free(ENCODING_RS_ENCODER *encoder);

/* Returns the encoding, which is an output encoding. */
const ENCODING_RS_ENCODING *encoder_encoding(const ENCODING_RS_ENCODER *encoder);

/*
 * Returns whether the encoding is ISO-2022-JP and its state is not ASCII. Such output must end
 * with an escape sequence: call with "last".
 */
bool encoder_has_pending_state(const ENCODING_RS_ENCODER *encoder);

/*
 * Returns a number of bytes that is enough for byte_length more bytes of UTF-8, with
 * replacement, if all characters can be encoded. Returns SIZE_MAX if it exceeds size_t.
 */
size_t encoder_max_buffer_length_from_utf8_if_no_unmappables(const ENCODING_RS_ENCODER *encoder,
                                                             size_t byte_length);

/*
 * Returns a number of bytes that is enough for byte_length more bytes of UTF-8, for the function
 * without replacement. Returns SIZE_MAX if it exceeds size_t.
 */
size_t encoder_max_buffer_length_from_utf8_without_replacement(const ENCODING_RS_ENCODER *encoder,
                                                               size_t byte_length);

/*
 * Encodes a chunk of UTF-8. Unmappable characters become decimal references of HTML, such as
 * "&#128169;".
 *
 * The chunk must be UTF-8 and end with a whole character. Otherwise each malformed sequence is
 * encoded as U+FFFD. (With the original, the behaviour is undefined.)
 */
uint32_t encoder_encode_from_utf8(ENCODING_RS_ENCODER *encoder, const uint8_t *src, size_t *src_len,
                                  uint8_t *dst, size_t *dst_len, bool last,
                                  bool *had_replacements);

/*
 * Encodes a chunk of UTF-8, up to the first unmappable character. The result is then its code
 * point. ASCII may be written in its place. For chunks that are not UTF-8, see
 * encoder_encode_from_utf8.
 */
uint32_t encoder_encode_from_utf8_without_replacement(ENCODING_RS_ENCODER *encoder,
                                                      const uint8_t *src, size_t *src_len,
                                                      uint8_t *dst, size_t *dst_len, bool last);

/* Like encoder_max_buffer_length_from_utf8_if_no_unmappables, for units of UTF-16. */
size_t encoder_max_buffer_length_from_utf16_if_no_unmappables(const ENCODING_RS_ENCODER *encoder,
                                                              size_t u16_length);

/* Like encoder_max_buffer_length_from_utf8_without_replacement, for units of UTF-16. */
size_t encoder_max_buffer_length_from_utf16_without_replacement(const ENCODING_RS_ENCODER *encoder,
                                                                size_t u16_length);

/*
 * Encodes a chunk of UTF-16. Unmappable characters become decimal references of HTML. Unpaired
 * surrogates become U+FFFD, so do not split a pair between two chunks.
 */
uint32_t encoder_encode_from_utf16(ENCODING_RS_ENCODER *encoder, const char16_t *src,
                                   size_t *src_len, uint8_t *dst, size_t *dst_len, bool last,
                                   bool *had_replacements);

/*
 * Encodes a chunk of UTF-16, up to the first unmappable character. The result is then its code
 * point. Unpaired surrogates become U+FFFD.
 */
uint32_t encoder_encode_from_utf16_without_replacement(ENCODING_RS_ENCODER *encoder,
                                                       const char16_t *src, size_t *src_len,
                                                       uint8_t *dst, size_t *dst_len, bool last);

#ifdef __cplusplus
}
#endif

#endif
