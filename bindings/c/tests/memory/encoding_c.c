/* The functions of encoding_rs.h and encoding_rs_mem.h. */
#include <stdlib.h>
#include <string.h>

#include "encoding_rs.h"
#include "encoding_rs_mem.h"
#include "memory.h"

/* The same text in each form: as many hiragana. */
enum { COUNT = 1 << 18, MANY = 20000 };
static uint8_t bytes[2 * COUNT], utf8[3 * COUNT], room[4 * COUNT];
static char ascii[COUNT], chars[4 * COUNT];
static char16_t utf16[COUNT], basic[COUNT], wide[4 * COUNT];

static Decoder *decoder;
static Encoder *encoder;

void prepare(void) {
    for (size_t i = 0; i < COUNT; i++) {
        memcpy(bytes + 2 * i, "\x82\xA0", 2);
        memcpy(utf8 + 3 * i, "\xE3\x81\x82", 3);
        utf16[i] = u'\u3042';
        ascii[i] = 'a';
        basic[i] = 'a';
    }
    decoder = encoding_new_decoder(SHIFT_JIS_ENCODING);
    encoder = encoding_new_encoder(SHIFT_JIS_ENCODING);
    if (decoder == NULL || encoder == NULL) {
        exit(3); /* The limit is too small to start. */
    }
}

/* Makes as many objects as there is memory for, up to a number, and frees all. */
#define MAKES(type, make, free, encoding_of)                             \
    {                                                                    \
        static type *made[MANY];                                         \
        size_t count = 0, many = is_each ? 3 : MANY;                     \
        bool right = true;                                               \
        while (count < many && (made[count] = make) != NULL) {           \
            right = encoding_of(made[count]) == SHIFT_JIS_ENCODING && right; \
            count++;                                                     \
        }                                                                \
        enum outcome outcome = count == many ? DONE : NO_MEMORY;         \
        while (count > 0) {                                              \
            free(made[--count]);                                         \
        }                                                                \
        return right ? outcome : WRONG;                                  \
    }

static enum outcome makes_decoders(Decoder *(*make)(const Encoding *)) {
    MAKES(Decoder, make(SHIFT_JIS_ENCODING), decoder_free, decoder_encoding)
}

static enum outcome makes_encoders(void) {
    MAKES(Encoder, encoding_new_encoder(SHIFT_JIS_ENCODING), encoder_free, encoder_encoding)
}

/* Sets the lengths before a call. */
static size_t read, written;

static size_t *from(size_t count) {
    read = count;
    return &read;
}

static size_t *to(size_t count) {
    written = count;
    return &written;
}

static enum outcome all(uint32_t result, size_t count) {
    return is(result == INPUT_EMPTY && read == count);
}

static bool replaced;

#define STR (const char *)utf8
#define NEW(function) makes_decoders(function)
#define FROM_STR STR, sizeof utf8

#define LIST(E)                                                                                                             \
    E(encoding_for_label, is(encoding_for_label((const uint8_t *)"sjis", 4) == SHIFT_JIS_ENCODING))                         \
    E(encoding_for_label_no_replacement,                                                                                    \
      is(encoding_for_label_no_replacement((const uint8_t *)"sjis", 4) == SHIFT_JIS_ENCODING))                              \
    E(encoding_for_bom, is(encoding_for_bom((const uint8_t *)"\xFF\xFE", from(2)) == UTF_16LE_ENCODING))                    \
    E(encoding_name, is(encoding_name(GBK_ENCODING, room) == 3))                                                            \
    E(encoding_can_encode_everything, is(encoding_can_encode_everything(UTF_8_ENCODING)))                                   \
    E(encoding_is_ascii_compatible, is(encoding_is_ascii_compatible(GBK_ENCODING)))                                         \
    E(encoding_is_single_byte, is(!encoding_is_single_byte(GBK_ENCODING)))                                                  \
    E(encoding_output_encoding, is(encoding_output_encoding(UTF_16LE_ENCODING) == UTF_8_ENCODING))                          \
    E(encoding_new_decoder, NEW(encoding_new_decoder))                                                                      \
    E(encoding_new_decoder_with_bom_removal, NEW(encoding_new_decoder_with_bom_removal))                                    \
    E(encoding_new_decoder_without_bom_handling, NEW(encoding_new_decoder_without_bom_handling))                            \
    E(encoding_new_decoder_into, (encoding_new_decoder_into(SHIFT_JIS_ENCODING, decoder), DONE))                            \
    E(encoding_new_decoder_with_bom_removal_into,                                                                           \
      (encoding_new_decoder_with_bom_removal_into(SHIFT_JIS_ENCODING, decoder), DONE))                                      \
    E(encoding_new_decoder_without_bom_handling_into,                                                                       \
      (encoding_new_decoder_without_bom_handling_into(SHIFT_JIS_ENCODING, decoder), DONE))                                  \
    E(encoding_new_encoder, makes_encoders())                                                                              \
    E(encoding_new_encoder_into, (encoding_new_encoder_into(SHIFT_JIS_ENCODING, encoder), DONE))                            \
    E(encoding_utf8_valid_up_to, is(encoding_utf8_valid_up_to(utf8, sizeof utf8) == sizeof utf8))                           \
    E(encoding_ascii_valid_up_to, is(encoding_ascii_valid_up_to(utf8, sizeof utf8) == 0))                                   \
    E(encoding_iso_2022_jp_ascii_valid_up_to, is(encoding_iso_2022_jp_ascii_valid_up_to(utf8, sizeof utf8) == 0))           \
    E(decoder_free, (decoder_free(NULL), DONE))                                                                             \
    E(decoder_encoding, is(decoder_encoding(decoder) == SHIFT_JIS_ENCODING))                                                \
    E(decoder_max_utf8_buffer_length, is(decoder_max_utf8_buffer_length(decoder, 9) >= 9))                                  \
    E(decoder_max_utf8_buffer_length_without_replacement,                                                                   \
      is(decoder_max_utf8_buffer_length_without_replacement(decoder, 9) >= 9))                                              \
    E(decoder_max_utf16_buffer_length, is(decoder_max_utf16_buffer_length(decoder, 9) >= 9))                                \
    E(decoder_decode_to_utf8,                                                                                               \
      all(decoder_decode_to_utf8(decoder, bytes, from(sizeof bytes), room, to(sizeof room), true, &replaced), sizeof bytes)) \
    E(decoder_decode_to_utf8_without_replacement,                                                                           \
      all(decoder_decode_to_utf8_without_replacement(decoder, bytes, from(sizeof bytes), room, to(sizeof room), true),      \
          sizeof bytes))                                                                                                    \
    E(decoder_decode_to_utf16,                                                                                              \
      all(decoder_decode_to_utf16(decoder, bytes, from(sizeof bytes), wide, to(4 * COUNT), true, &replaced), sizeof bytes)) \
    E(decoder_decode_to_utf16_without_replacement,                                                                          \
      all(decoder_decode_to_utf16_without_replacement(decoder, bytes, from(sizeof bytes), wide, to(4 * COUNT), true),       \
          sizeof bytes))                                                                                                    \
    E(decoder_latin1_byte_compatible_up_to, (decoder_latin1_byte_compatible_up_to(decoder, bytes, sizeof bytes), DONE))     \
    E(encoder_free, (encoder_free(NULL), DONE))                                                                             \
    E(encoder_encoding, is(encoder_encoding(encoder) == SHIFT_JIS_ENCODING))                                                \
    E(encoder_has_pending_state, is(!encoder_has_pending_state(encoder)))                                                   \
    E(encoder_max_buffer_length_from_utf8_if_no_unmappables,                                                                \
      is(encoder_max_buffer_length_from_utf8_if_no_unmappables(encoder, 9) >= 9))                                           \
    E(encoder_max_buffer_length_from_utf8_without_replacement,                                                              \
      is(encoder_max_buffer_length_from_utf8_without_replacement(encoder, 9) >= 9))                                         \
    E(encoder_encode_from_utf8,                                                                                             \
      all(encoder_encode_from_utf8(encoder, utf8, from(sizeof utf8), room, to(sizeof room), true, &replaced), sizeof utf8)) \
    E(encoder_encode_from_utf8_without_replacement,                                                                         \
      all(encoder_encode_from_utf8_without_replacement(encoder, utf8, from(sizeof utf8), room, to(sizeof room), true),      \
          sizeof utf8))                                                                                                     \
    E(encoder_max_buffer_length_from_utf16_if_no_unmappables,                                                               \
      is(encoder_max_buffer_length_from_utf16_if_no_unmappables(encoder, 9) >= 9))                                          \
    E(encoder_max_buffer_length_from_utf16_without_replacement,                                                             \
      is(encoder_max_buffer_length_from_utf16_without_replacement(encoder, 9) >= 9))                                        \
    E(encoder_encode_from_utf16,                                                                                            \
      all(encoder_encode_from_utf16(encoder, utf16, from(COUNT), room, to(sizeof room), true, &replaced), COUNT))           \
    E(encoder_encode_from_utf16_without_replacement,                                                                        \
      all(encoder_encode_from_utf16_without_replacement(encoder, utf16, from(COUNT), room, to(sizeof room), true), COUNT))  \
    E(encoding_mem_is_ascii, is(encoding_mem_is_ascii(ascii, COUNT)))                                                       \
    E(encoding_mem_is_basic_latin, is(encoding_mem_is_basic_latin(basic, COUNT)))                                           \
    E(encoding_mem_is_utf8_latin1, is(!encoding_mem_is_utf8_latin1(FROM_STR)))                                              \
    E(encoding_mem_is_str_latin1, is(!encoding_mem_is_str_latin1(FROM_STR)))                                                \
    E(encoding_mem_is_utf16_latin1, is(encoding_mem_is_utf16_latin1(basic, COUNT)))                                         \
    E(encoding_mem_is_utf8_bidi, is(!encoding_mem_is_utf8_bidi(FROM_STR)))                                                  \
    E(encoding_mem_is_str_bidi, is(!encoding_mem_is_str_bidi(FROM_STR)))                                                    \
    E(encoding_mem_is_utf16_bidi, is(!encoding_mem_is_utf16_bidi(utf16, COUNT)))                                            \
    E(encoding_mem_is_char_bidi, is(encoding_mem_is_char_bidi(0x5D0)))                                                      \
    E(encoding_mem_is_utf16_code_unit_bidi, is(encoding_mem_is_utf16_code_unit_bidi(0x5D0)))                                \
    E(encoding_mem_check_utf8_for_latin1_and_bidi, (encoding_mem_check_utf8_for_latin1_and_bidi(FROM_STR), DONE))           \
    E(encoding_mem_check_str_for_latin1_and_bidi, (encoding_mem_check_str_for_latin1_and_bidi(FROM_STR), DONE))             \
    E(encoding_mem_check_utf16_for_latin1_and_bidi, (encoding_mem_check_utf16_for_latin1_and_bidi(utf16, COUNT), DONE))     \
    E(encoding_mem_utf8_latin1_up_to, is(encoding_mem_utf8_latin1_up_to(FROM_STR) == 0))                                    \
    E(encoding_mem_str_latin1_up_to, is(encoding_mem_str_latin1_up_to(FROM_STR) == 0))                                      \
    E(encoding_mem_utf16_valid_up_to, is(encoding_mem_utf16_valid_up_to(utf16, COUNT) == COUNT))                            \
    E(encoding_mem_ensure_utf16_validity, (encoding_mem_ensure_utf16_validity(utf16, COUNT), DONE))                         \
    E(encoding_mem_convert_utf8_to_utf16, is(encoding_mem_convert_utf8_to_utf16(FROM_STR, wide, 4 * COUNT) == COUNT))       \
    E(encoding_mem_convert_str_to_utf16, is(encoding_mem_convert_str_to_utf16(FROM_STR, wide, 4 * COUNT) == COUNT))         \
    E(encoding_mem_convert_utf8_to_utf16_without_replacement,                                                               \
      is(encoding_mem_convert_utf8_to_utf16_without_replacement(FROM_STR, wide, 4 * COUNT) == COUNT))                       \
    E(encoding_mem_convert_utf16_to_utf8, is(encoding_mem_convert_utf16_to_utf8(utf16, COUNT, chars, sizeof chars) > COUNT)) \
    E(encoding_mem_convert_utf16_to_utf8_partial,                                                                           \
      (encoding_mem_convert_utf16_to_utf8_partial(utf16, from(COUNT), chars, to(sizeof chars)), is(read == COUNT)))         \
    E(encoding_mem_convert_latin1_to_utf16, (encoding_mem_convert_latin1_to_utf16(ascii, COUNT, wide, 4 * COUNT), DONE))    \
    E(encoding_mem_convert_latin1_to_utf8,                                                                                  \
      is(encoding_mem_convert_latin1_to_utf8(ascii, COUNT, chars, sizeof chars) == COUNT))                                  \
    E(encoding_mem_convert_latin1_to_utf8_partial,                                                                          \
      (encoding_mem_convert_latin1_to_utf8_partial(ascii, from(COUNT), chars, to(sizeof chars)), is(read == COUNT)))        \
    E(encoding_mem_convert_utf8_to_latin1_lossy,                                                                            \
      is(encoding_mem_convert_utf8_to_latin1_lossy(ascii, COUNT, chars, sizeof chars) == COUNT))                            \
    E(encoding_mem_convert_utf16_to_latin1_lossy,                                                                           \
      (encoding_mem_convert_utf16_to_latin1_lossy(basic, COUNT, chars, sizeof chars), DONE))                                \
    E(encoding_mem_copy_ascii_to_ascii,                                                                                     \
      is(encoding_mem_copy_ascii_to_ascii(ascii, COUNT, chars, sizeof chars) == COUNT))                                     \
    E(encoding_mem_copy_ascii_to_basic_latin,                                                                               \
      is(encoding_mem_copy_ascii_to_basic_latin(ascii, COUNT, wide, 4 * COUNT) == COUNT))                                   \
    E(encoding_mem_copy_basic_latin_to_ascii,                                                                               \
      is(encoding_mem_copy_basic_latin_to_ascii(basic, COUNT, chars, sizeof chars) == COUNT))
DEFINE_ENTRIES(LIST)
