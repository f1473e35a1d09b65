/* The functions of textcodec.h. */
#include <string.h>
#include <textcodec.h>

#include "memory.h"

/* The same text in each form: as many hiragana. */
enum { COUNT = 1 << 18 };
static char bytes[2 * COUNT], utf8[3 * COUNT], latin1[COUNT], room[4 * COUNT];
static char16_t utf16[COUNT], latin16[COUNT];
static char32_t utf32[COUNT];

static textcodec_decoder_storage decoder_storage;
static textcodec_encoder_storage encoder_storage;

void prepare(void) {
    for (size_t i = 0; i < COUNT; i++) {
        memcpy(bytes + 2 * i, "\x82\xA0", 2);
        memcpy(utf8 + 3 * i, "\xE3\x81\x82", 3);
        utf16[i] = u'\u3042';
        utf32[i] = U'\u3042';
        latin1[i] = '\xE9';
        latin16[i] = 0xE9;
    }
}

static textcodec_decoder *decoder(void) {
    textcodec_decoder *decoder;
    textcodec_decoder_init(&decoder_storage, TEXTCODEC_SHIFT_JIS, NULL, &decoder);
    return decoder;
}

static textcodec_encoder *encoder(void) {
    textcodec_encoder *encoder;
    textcodec_encoder_init(&encoder_storage, TEXTCODEC_SHIFT_JIS, NULL, &encoder);
    return encoder;
}

/* The outcome of a function that returns a result on the heap, which is compared and freed. */
static enum outcome whole(textcodec_status status, void *result, size_t written, const void *text, size_t count, size_t unit) {
    if (status == TEXTCODEC_NO_MEMORY) {
        return result == NULL && written == 0 ? NO_MEMORY : WRONG;
    }
    bool right = status == TEXTCODEC_OK && written == count && memcmp(result, text, count * unit) == 0;
    textcodec_free(result);
    return is(right);
}

#define WHOLE(type, function, input, length, text, count)                                                \
    static enum outcome whole_##function(void) {                                                         \
        type *result = (type *)room;                                                                     \
        size_t written = 1;                                                                              \
        textcodec_status status =                                                                        \
            function(TEXTCODEC_SHIFT_JIS, input, length, NULL, &result, &written, NULL);                 \
        return whole(status, result, written, text, count, sizeof *text);                                \
    }
WHOLE(char, textcodec_decode, bytes, sizeof bytes, utf8, sizeof utf8)
WHOLE(char16_t, textcodec_decode_utf16, bytes, sizeof bytes, utf16, COUNT)
WHOLE(char32_t, textcodec_decode_utf32, bytes, sizeof bytes, utf32, COUNT)
WHOLE(void, textcodec_encode, utf8, sizeof utf8, bytes, sizeof bytes)
WHOLE(void, textcodec_encode_utf16, utf16, COUNT, bytes, sizeof bytes)
WHOLE(void, textcodec_encode_utf32, utf32, COUNT, bytes, sizeof bytes)

/* The outcome of a function that makes an object. The object must work. */
static enum outcome made_decoder(textcodec_status status, textcodec_decoder *made) {
    if (status == TEXTCODEC_NO_MEMORY) {
        return is(made == NULL) == DONE ? NO_MEMORY : WRONG;
    }
    size_t read = 2, written = 3;
    bool right = status == TEXTCODEC_OK &&
                 textcodec_decoder_to_utf8(made, bytes, &read, room, &written, true, NULL) == TEXTCODEC_OK && written == 3;
    textcodec_decoder_free(made);
    return is(right);
}

static enum outcome made_encoder(textcodec_status status, textcodec_encoder *made) {
    if (status == TEXTCODEC_NO_MEMORY) {
        return is(made == NULL) == DONE ? NO_MEMORY : WRONG;
    }
    size_t read = 3, written = 2;
    bool right = status == TEXTCODEC_OK &&
                 textcodec_encoder_from_utf8(made, utf8, &read, room, &written, true, NULL) == TEXTCODEC_OK && written == 2;
    textcodec_encoder_free(made);
    return is(right);
}

static enum outcome new_decoder(void) {
    textcodec_decoder *made = (textcodec_decoder *)&decoder_storage;
    textcodec_status status = textcodec_decoder_new(TEXTCODEC_SHIFT_JIS, NULL, &made);
    return made_decoder(status, made);
}

static enum outcome clone_decoder(void) {
    textcodec_decoder *made = (textcodec_decoder *)&decoder_storage;
    textcodec_status status = textcodec_decoder_clone(decoder(), &made);
    return made_decoder(status, made);
}

static enum outcome new_encoder(void) {
    textcodec_encoder *made = (textcodec_encoder *)&encoder_storage;
    textcodec_status status = textcodec_encoder_new(TEXTCODEC_SHIFT_JIS, NULL, &made);
    return made_encoder(status, made);
}

static enum outcome clone_encoder(void) {
    textcodec_encoder *made = (textcodec_encoder *)&encoder_storage;
    textcodec_status status = textcodec_encoder_clone(encoder(), &made);
    return made_encoder(status, made);
}

/* The outcome of a function that converts all of `count` units. */
static size_t read, written;

static enum outcome all(textcodec_status status, size_t count) {
    return is(status == TEXTCODEC_OK && read == count);
}

/* Sets the lengths before a call. */
static size_t *from(size_t count) {
    read = count;
    return &read;
}

static size_t *to(size_t unit) {
    written = sizeof room / unit;
    return &written;
}

static textcodec_error error;

#define LIST(E)                                                                                                            \
    E(textcodec_version, is(textcodec_version() != NULL))                                                                  \
    E(textcodec_abi_version, is(textcodec_abi_version() == TEXTCODEC_ABI_VERSION))                                         \
    E(textcodec_free, (textcodec_free(NULL), DONE))                                                                        \
    E(textcodec_encoding_for_label, is(textcodec_encoding_for_label("sjis", 4) == TEXTCODEC_SHIFT_JIS))                    \
    E(textcodec_encoding_for_name, is(textcodec_encoding_for_name("cp932", 5) == TEXTCODEC_SHIFT_JIS))                     \
    E(textcodec_encoding_for_bom, is(textcodec_encoding_for_bom("\xFF\xFE", 2, NULL) == TEXTCODEC_UTF_16LE))               \
    E(textcodec_encoding_name, is(strcmp(textcodec_encoding_name(TEXTCODEC_GBK), "GBK") == 0))                             \
    E(textcodec_encoding_label_count, is(textcodec_encoding_label_count(TEXTCODEC_GBK) > 5))                               \
    E(textcodec_encoding_label, is(textcodec_encoding_label(TEXTCODEC_GBK, 0) != NULL))                                    \
    E(textcodec_encoding_count, is(textcodec_encoding_count() > 39))                                                       \
    E(textcodec_encoding_at, is(textcodec_encoding_at(0) != TEXTCODEC_NONE))                                               \
    E(textcodec_encoding_output, is(textcodec_encoding_output(TEXTCODEC_UTF_16LE) == TEXTCODEC_UTF_8))                     \
    E(textcodec_encoding_is_ascii_compatible, is(textcodec_encoding_is_ascii_compatible(TEXTCODEC_GBK)))                   \
    E(textcodec_encoding_is_single_byte, is(textcodec_encoding_is_single_byte(TEXTCODEC_KOI8_R)))                          \
    E(textcodec_encoding_can_encode, is(textcodec_encoding_can_encode(TEXTCODEC_BIG5, 0x4E00)))                            \
    E(textcodec_encoding_may_be_overridden, (textcodec_encoding_may_be_overridden(TEXTCODEC_BIG5), DONE))                  \
    E(textcodec_encoding_may_be_overridden_to, (textcodec_encoding_may_be_overridden_to(TEXTCODEC_BIG5), DONE))            \
    E(textcodec_encoding_has_encoder, is(textcodec_encoding_has_encoder(TEXTCODEC_BIG5)))                                  \
    E(textcodec_decode, whole_textcodec_decode())                                                                          \
    E(textcodec_decode_utf16, whole_textcodec_decode_utf16())                                                              \
    E(textcodec_decode_utf32, whole_textcodec_decode_utf32())                                                              \
    E(textcodec_encode, whole_textcodec_encode())                                                                          \
    E(textcodec_encode_utf16, whole_textcodec_encode_utf16())                                                              \
    E(textcodec_encode_utf32, whole_textcodec_encode_utf32())                                                              \
    E(textcodec_decoder_new, new_decoder())                                                                                \
    E(textcodec_decoder_clone, clone_decoder())                                                                            \
    E(textcodec_decoder_init, is(decoder() != NULL))                                                                       \
    E(textcodec_decoder_free, (textcodec_decoder_free(decoder()), DONE))                                                   \
    E(textcodec_decoder_reset, is(textcodec_decoder_reset(decoder()) == TEXTCODEC_OK))                                     \
    E(textcodec_decoder_to_utf8,                                                                                           \
      all(textcodec_decoder_to_utf8(decoder(), bytes, from(sizeof bytes), room, to(1), true, &error), sizeof bytes))       \
    E(textcodec_decoder_to_utf16,                                                                                          \
      all(textcodec_decoder_to_utf16(decoder(), bytes, from(sizeof bytes), (char16_t *)(void *)room, to(2), true, &error), \
          sizeof bytes))                                                                                                   \
    E(textcodec_decoder_to_utf32,                                                                                          \
      all(textcodec_decoder_to_utf32(decoder(), bytes, from(sizeof bytes), (char32_t *)(void *)room, to(4), true, &error), \
          sizeof bytes))                                                                                                   \
    E(textcodec_decoder_max_utf8, is(textcodec_decoder_max_utf8(decoder(), 9) >= 9))                                       \
    E(textcodec_decoder_max_utf16, is(textcodec_decoder_max_utf16(decoder(), 9) >= 9))                                     \
    E(textcodec_decoder_max_utf32, is(textcodec_decoder_max_utf32(decoder(), 9) >= 9))                                     \
    E(textcodec_decoder_encoding, is(textcodec_decoder_encoding(decoder()) == TEXTCODEC_SHIFT_JIS))                        \
    E(textcodec_decoder_bom_removed, is(!textcodec_decoder_bom_removed(decoder())))                                        \
    E(textcodec_decoder_position, is(textcodec_decoder_position(decoder()) == 0))                                          \
    E(textcodec_decoder_error_count, is(textcodec_decoder_error_count(decoder()) == 0))                                    \
    E(textcodec_decoder_first_error, is(!textcodec_decoder_first_error(decoder(), &error)))                                \
    E(textcodec_decoder_is_at_rest, (textcodec_decoder_is_at_rest(decoder()), DONE))                                         \
    E(textcodec_decoder_set_malformed, is(textcodec_decoder_set_malformed(decoder(), 0) == TEXTCODEC_OK))                  \
    E(textcodec_encoder_new, new_encoder())                                                                                \
    E(textcodec_encoder_clone, clone_encoder())                                                                            \
    E(textcodec_encoder_init, is(encoder() != NULL))                                                                       \
    E(textcodec_encoder_free, (textcodec_encoder_free(encoder()), DONE))                                                   \
    E(textcodec_encoder_reset, is(textcodec_encoder_reset(encoder()) == TEXTCODEC_OK))                                     \
    E(textcodec_encoder_from_utf8,                                                                                         \
      all(textcodec_encoder_from_utf8(encoder(), utf8, from(sizeof utf8), room, to(1), true, &error), sizeof utf8))        \
    E(textcodec_encoder_from_utf16,                                                                                        \
      all(textcodec_encoder_from_utf16(encoder(), utf16, from(COUNT), room, to(1), true, &error), COUNT))                  \
    E(textcodec_encoder_from_utf32,                                                                                        \
      all(textcodec_encoder_from_utf32(encoder(), utf32, from(COUNT), room, to(1), true, &error), COUNT))                  \
    E(textcodec_encoder_max_from_utf8, is(textcodec_encoder_max_from_utf8(encoder(), 9) >= 9))                             \
    E(textcodec_encoder_max_from_utf16, is(textcodec_encoder_max_from_utf16(encoder(), 9) >= 9))                           \
    E(textcodec_encoder_max_from_utf32, is(textcodec_encoder_max_from_utf32(encoder(), 9) >= 9))                           \
    E(textcodec_encoder_encoding, is(textcodec_encoder_encoding(encoder()) == TEXTCODEC_SHIFT_JIS))                        \
    E(textcodec_encoder_position, is(textcodec_encoder_position(encoder()) == 0))                                          \
    E(textcodec_encoder_error_count, is(textcodec_encoder_error_count(encoder()) == 0))                                    \
    E(textcodec_encoder_first_error, is(!textcodec_encoder_first_error(encoder(), &error)))                                \
    E(textcodec_encoder_is_at_rest, is(textcodec_encoder_is_at_rest(encoder())))                                           \
    E(textcodec_encoder_set_unmappable, is(textcodec_encoder_set_unmappable(encoder(), 0, 0) == TEXTCODEC_OK))             \
    E(textcodec_ascii_valid_up_to, is(textcodec_ascii_valid_up_to(bytes, sizeof bytes) == 0))                              \
    E(textcodec_utf8_valid_up_to, is(textcodec_utf8_valid_up_to(utf8, sizeof utf8) == sizeof utf8))                        \
    E(textcodec_utf16_valid_up_to, is(textcodec_utf16_valid_up_to(utf16, COUNT) == COUNT))                                 \
    E(textcodec_utf8_to_utf16,                                                                                             \
      all(textcodec_utf8_to_utf16(utf8, from(sizeof utf8), (char16_t *)(void *)room, to(2)), sizeof utf8))                 \
    E(textcodec_utf16_to_utf8, all(textcodec_utf16_to_utf8(utf16, from(COUNT), room, to(1)), COUNT))                       \
    E(textcodec_latin1_to_utf8, all(textcodec_latin1_to_utf8(latin1, from(COUNT), room, to(1)), COUNT))                    \
    E(textcodec_latin1_to_utf16,                                                                                           \
      all(textcodec_latin1_to_utf16(latin1, from(COUNT), (char16_t *)(void *)room, to(2)), COUNT))                         \
    E(textcodec_utf8_to_latin1, all(textcodec_utf8_to_latin1("\xC3\xA9", from(2), room, to(1)), 2))                        \
    E(textcodec_utf16_to_latin1, all(textcodec_utf16_to_latin1(latin16, from(COUNT), room, to(1)), COUNT))                 \
    E(textcodec_utf16_to_utf32,                                                                                            \
      all(textcodec_utf16_to_utf32(utf16, from(COUNT), (char32_t *)(void *)room, to(4)), COUNT))                           \
    E(textcodec_utf32_to_utf16,                                                                                            \
      all(textcodec_utf32_to_utf16(utf32, from(COUNT), (char16_t *)(void *)room, to(2)), COUNT))
DEFINE_ENTRIES(LIST)
