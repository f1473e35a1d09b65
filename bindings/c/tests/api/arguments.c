/* Arguments that break a rule: the functions must do nothing, and say so. */
#include "check.h"

static const textcodec_encoding unknown[] = {TEXTCODEC_NONE, -7, 300, 9999, INT32_MIN, INT32_MAX};
enum { UNKNOWN = sizeof unknown / sizeof *unknown };

/* More than any object can have. */
static const size_t too_long[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 2 + 1};

#define INVALID TEXTCODEC_INVALID_ARGUMENT

static void test_whole(void) {
    set_case("arguments for whole inputs");
    char *text = (char *)&text;
    char16_t *wide = (char16_t *)&wide;
    char32_t *wider = (char32_t *)&wider;
    void *bytes = &bytes;
    size_t length = 9;
    textcodec_summary summary;
    for (size_t i = 0; i < UNKNOWN; i++) {
        textcodec_encoding e = unknown[i];
        memset(&summary, 0xAA, sizeof summary);
        CHECK(textcodec_decode(e, "a", 1, NULL, &text, &length, &summary) == INVALID);
        CHECK(text == NULL && length == 0 && summary.encoding == TEXTCODEC_NONE);
        CHECK(summary.error_count == 0 && summary.first_error.reason == TEXTCODEC_REASON_NONE);
        CHECK(textcodec_decode_utf16(e, "a", 1, NULL, &wide, &length, NULL) == INVALID && !wide);
        CHECK(textcodec_decode_utf32(e, "a", 1, NULL, &wider, &length, NULL) == INVALID && !wider);
        bytes = &bytes;
        CHECK(textcodec_encode(e, "a", 1, NULL, &bytes, &length, NULL) == INVALID && !bytes);
        CHECK(textcodec_encode_utf16(e, u"a", 1, NULL, &bytes, &length, NULL) == INVALID);
        CHECK(textcodec_encode_utf32(e, U"a", 1, NULL, &bytes, &length, NULL) == INVALID);
    }
    for (size_t i = 0; i < 3; i++) {
        size_t n = too_long[i];
        CHECK(textcodec_decode(TEXTCODEC_GBK, "a", n, NULL, &text, &length, NULL) == INVALID);
        CHECK(textcodec_decode_utf16(TEXTCODEC_GBK, "a", n, NULL, &wide, &length, NULL) == INVALID);
        CHECK(textcodec_decode_utf32(TEXTCODEC_GBK, "a", n, NULL, &wider, &length, NULL) ==
              INVALID);
        CHECK(textcodec_encode(TEXTCODEC_GBK, "a", n, NULL, &bytes, &length, NULL) == INVALID);
        CHECK(textcodec_encode_utf16(TEXTCODEC_GBK, u"a", n / 2, NULL, &bytes, &length, NULL) ==
              INVALID);
        CHECK(textcodec_encode_utf32(TEXTCODEC_GBK, U"a", n / 4, NULL, &bytes, &length, NULL) ==
              INVALID);
        CHECK(textcodec_encode_utf32(TEXTCODEC_GBK, U"a", n, NULL, &bytes, &length, NULL) ==
              INVALID);
    }
    CHECK(textcodec_decode(TEXTCODEC_GBK, NULL, 1, NULL, &text, &length, NULL) == INVALID);
    CHECK(textcodec_decode(TEXTCODEC_GBK, "a", 1, NULL, NULL, &length, NULL) == INVALID);
    CHECK(textcodec_decode(TEXTCODEC_GBK, "a", 1, NULL, &text, NULL, NULL) == INVALID);
    CHECK(textcodec_encode(TEXTCODEC_GBK, NULL, 1, NULL, &bytes, &length, NULL) == INVALID);
    CHECK(textcodec_encode(TEXTCODEC_GBK, "a", 1, NULL, NULL, &length, NULL) == INVALID);
    CHECK(textcodec_encode(TEXTCODEC_GBK, "a", 1, NULL, &bytes, NULL, NULL) == INVALID);
    CHECK(textcodec_encode(TEXTCODEC_REPLACEMENT, "a", 1, NULL, &bytes, &length, NULL) ==
          TEXTCODEC_UNAVAILABLE);
    CHECK(textcodec_decode(TEXTCODEC_GBK, NULL, 0, NULL, &text, &length, &summary) ==
          TEXTCODEC_OK);
    CHECK(text != NULL && text[0] == '\0' && length == 0 && summary.encoding == TEXTCODEC_GBK);
    textcodec_free(text);
    CHECK(textcodec_encode_utf16(TEXTCODEC_GBK, NULL, 0, NULL, &bytes, &length, NULL) ==
          TEXTCODEC_OK);
    CHECK(bytes != NULL && length == 0);
    textcodec_free(bytes);
    CHECK(textcodec_decode_wchar(TEXTCODEC_GBK, "a", 1, NULL, NULL, &length, NULL) == INVALID);
    wchar_t *string;
    CHECK(textcodec_decode_wchar(TEXTCODEC_SHIFT_JIS, "\x82\xA0!", 3, NULL, &string, &length,
                                 NULL) == TEXTCODEC_OK);
    CHECK(length == 2 && wcscmp(string, L"\x3042!") == 0);
    CHECK(textcodec_encode_wchar(TEXTCODEC_SHIFT_JIS, string, 2, NULL, &bytes, &length, NULL) ==
          TEXTCODEC_OK);
    CHECK(length == 3 && memcmp(bytes, "\x82\xA0!", 4) == 0);
    textcodec_free(string);
    textcodec_free(bytes);
}

static void test_options(void) {
    set_case("options");
    textcodec_decoder *decoder;
    textcodec_encoder *encoder;
    const textcodec_decode_options decode[] = {
        {.bom = 3},        {.bom = -1},
        {.malformed = 3},  {.malformed = -1},
        {0, 0, 2, {0}},    {0, 0, -1, {0}},
        {.reserved = {1}}, {.reserved = {0, 0, 0, 0, 1}}};
    for (size_t i = 0; i < sizeof decode / sizeof *decode; i++) {
        CHECK(textcodec_decoder_new(TEXTCODEC_UTF_8, &decode[i], &decoder) == INVALID);
        CHECK(decoder == NULL);
    }
    const textcodec_encode_options encode[] = {
        {.unmappable = 5},
        {.unmappable = -1},
        {.replacement = '?'},
        {.unmappable = TEXTCODEC_UNMAPPABLE_REPLACE, .replacement = 0xD800},
        {.unmappable = TEXTCODEC_UNMAPPABLE_REPLACE, .replacement = 0x110000},
        {.unmappable = TEXTCODEC_UNMAPPABLE_REPLACE, .replacement = 0x3042},
        {.unmappable = TEXTCODEC_UNMAPPABLE_SKIP, .replacement = '?'},
        {.write_bom = 2},
        {.reject_ill_formed = -1},
        {.reserved = {0, 0, 0, 1}}};
    for (size_t i = 0; i < sizeof encode / sizeof *encode; i++) {
        CHECK(textcodec_encoder_new(TEXTCODEC_KOI8_R, &encode[i], &encoder) == INVALID);
        CHECK(encoder == NULL);
    }
    CHECK(textcodec_encoder_new(TEXTCODEC_REPLACEMENT, NULL, &encoder) == TEXTCODEC_UNAVAILABLE);
    CHECK(textcodec_decoder_new(TEXTCODEC_UTF_8, NULL, NULL) == INVALID);
    CHECK(textcodec_encoder_new(TEXTCODEC_UTF_8, NULL, NULL) == INVALID);
    for (size_t i = 0; i < UNKNOWN; i++) {
        CHECK(textcodec_decoder_new(unknown[i], NULL, &decoder) == INVALID && !decoder);
        CHECK(textcodec_encoder_new(unknown[i], NULL, &encoder) == INVALID && !encoder);
    }
    CHECK(textcodec_decoder_init(NULL, TEXTCODEC_UTF_8, NULL, &decoder) == INVALID && !decoder);
    CHECK(textcodec_encoder_init(NULL, TEXTCODEC_UTF_8, NULL, &encoder) == INVALID && !encoder);
    textcodec_decoder_storage decoders[2];
    textcodec_encoder_storage encoders[2];
    char *odd = (char *)decoders + 1;
    CHECK(textcodec_decoder_init((void *)odd, TEXTCODEC_UTF_8, NULL, &decoder) == INVALID);
    CHECK(decoder == NULL);
    odd = (char *)encoders + 4;
    CHECK(textcodec_encoder_init((void *)odd, TEXTCODEC_UTF_8, NULL, &encoder) == INVALID);
    CHECK(encoder == NULL);
    CHECK(textcodec_decoder_init(decoders, TEXTCODEC_UTF_8, NULL, NULL) == INVALID);
    CHECK(textcodec_encoder_init(encoders, TEXTCODEC_UTF_8, NULL, NULL) == INVALID);
    CHECK(textcodec_decoder_init(decoders, 9999, NULL, &decoder) == INVALID && !decoder);
    CHECK(textcodec_encoder_init(encoders, -7, NULL, &encoder) == INVALID && !encoder);
}

static void test_null_objects(void) {
    set_case("objects that are NULL");
    char text[4];
    char16_t wide[4];
    char32_t wider[4];
    size_t length = 1, room = 4;
    textcodec_error error = {.start = 7};
    textcodec_decoder *decoder = (void *)text;
    textcodec_encoder *encoder = (void *)text;
    CHECK(textcodec_decoder_to_utf8(NULL, "a", &length, text, &room, true, &error) == INVALID);
    CHECK(length == 0 && room == 0 && error.start == 7);
    CHECK(textcodec_decoder_to_utf16(NULL, "a", &length, wide, &room, true, NULL) == INVALID);
    CHECK(textcodec_decoder_to_utf32(NULL, "a", &length, wider, &room, true, NULL) == INVALID);
    CHECK(textcodec_decoder_to_wchar(NULL, "a", &length, NULL, &room, true, NULL) == INVALID);
    CHECK(textcodec_decoder_clone(NULL, &decoder) == INVALID && decoder == NULL);
    CHECK(textcodec_decoder_reset(NULL) == INVALID);
    CHECK(textcodec_decoder_set_malformed(NULL, TEXTCODEC_MALFORMED_FAIL) == INVALID);
    CHECK(textcodec_decoder_max_utf8(NULL, 1) == SIZE_MAX);
    CHECK(textcodec_decoder_max_utf16(NULL, 1) == SIZE_MAX);
    CHECK(textcodec_decoder_max_utf32(NULL, 1) == SIZE_MAX);
    CHECK(textcodec_decoder_max_wchar(NULL, 1) == SIZE_MAX);
    CHECK(textcodec_decoder_encoding(NULL) == TEXTCODEC_NONE);
    CHECK(!textcodec_decoder_bom_removed(NULL) && !textcodec_decoder_is_at_rest(NULL));
    CHECK(textcodec_decoder_position(NULL) == 0 && textcodec_decoder_error_count(NULL) == 0);
    CHECK(!textcodec_decoder_first_error(NULL, &error) && error.start == 0);
    CHECK(!textcodec_decoder_first_error(NULL, NULL));
    textcodec_decoder_free(NULL);
    length = 1, room = 4;
    CHECK(textcodec_encoder_from_utf8(NULL, "a", &length, text, &room, true, &error) == INVALID);
    CHECK(length == 0 && room == 0);
    CHECK(textcodec_encoder_from_utf16(NULL, wide, &length, text, &room, true, NULL) == INVALID);
    CHECK(textcodec_encoder_from_utf32(NULL, wider, &length, text, &room, true, NULL) == INVALID);
    CHECK(textcodec_encoder_from_wchar(NULL, L"a", &length, text, &room, true, NULL) == INVALID);
    CHECK(textcodec_encoder_clone(NULL, &encoder) == INVALID && encoder == NULL);
    CHECK(textcodec_encoder_reset(NULL) == INVALID);
    CHECK(textcodec_encoder_set_unmappable(NULL, TEXTCODEC_UNMAPPABLE_SKIP, 0) == INVALID);
    CHECK(textcodec_encoder_max_from_utf8(NULL, 1) == SIZE_MAX);
    CHECK(textcodec_encoder_max_from_utf16(NULL, 1) == SIZE_MAX);
    CHECK(textcodec_encoder_max_from_utf32(NULL, 1) == SIZE_MAX);
    CHECK(textcodec_encoder_max_from_wchar(NULL, 1) == SIZE_MAX);
    CHECK(textcodec_encoder_encoding(NULL) == TEXTCODEC_NONE);
    CHECK(textcodec_encoder_position(NULL) == 0 && textcodec_encoder_error_count(NULL) == 0);
    CHECK(!textcodec_encoder_first_error(NULL, &error) && !textcodec_encoder_is_at_rest(NULL));
    textcodec_encoder_free(NULL);
}

/* A pointer, two lengths and another pointer, to each function that converts. */
static textcodec_status call(size_t function, void *objects[2], const void *src, size_t *length,
                             void *dst, size_t *room) {
    textcodec_decoder *decoder = objects[0];
    textcodec_encoder *encoder = objects[1];
    switch (function) {
    case 0:
        return textcodec_decoder_to_utf8(decoder, src, length, dst, room, true, NULL);
    case 1:
        return textcodec_decoder_to_utf16(decoder, src, length, dst, room, true, NULL);
    case 2:
        return textcodec_decoder_to_utf32(decoder, src, length, dst, room, true, NULL);
    case 3:
        return textcodec_encoder_from_utf8(encoder, src, length, dst, room, true, NULL);
    case 4:
        return textcodec_encoder_from_utf16(encoder, src, length, dst, room, true, NULL);
    case 5:
        return textcodec_encoder_from_utf32(encoder, src, length, dst, room, true, NULL);
    case 6:
        return textcodec_utf8_to_utf16(src, length, dst, room);
    case 7:
        return textcodec_utf16_to_utf8(src, length, dst, room);
    case 8:
        return textcodec_latin1_to_utf8(src, length, dst, room);
    case 9:
        return textcodec_latin1_to_utf16(src, length, dst, room);
    case 10:
        return textcodec_utf8_to_latin1(src, length, dst, room);
    case 11:
        return textcodec_utf16_to_latin1(src, length, dst, room);
    case 12:
        return textcodec_utf16_to_utf32(src, length, dst, room);
    default:
        return textcodec_utf32_to_utf16(src, length, dst, room);
    }
}

static void test_buffers(void) {
    textcodec_decoder_storage decoder_storage;
    textcodec_encoder_storage encoder_storage;
    textcodec_decoder *decoder;
    textcodec_encoder *encoder;
    CHECK(textcodec_decoder_init(&decoder_storage, TEXTCODEC_GBK, NULL, &decoder) == TEXTCODEC_OK);
    CHECK(textcodec_encoder_init(&encoder_storage, TEXTCODEC_GBK, NULL, &encoder) == TEXTCODEC_OK);
    void *objects[2] = {decoder, encoder};
    const size_t widths[][2] = {{1, 1}, {1, 2}, {1, 4}, {1, 1}, {2, 1}, {4, 1}, {1, 2},
                                {2, 1}, {1, 1}, {1, 2}, {1, 1}, {2, 1}, {2, 4}, {4, 2}};
    union {
        char32_t numbers[16];
        char16_t units[32];
        char bytes[64];
    } src, dst;
    for (size_t f = 0; f < sizeof widths / sizeof *widths; f++) {
        set_case("buffers of function %zu", f);
        memset(&src, 0, sizeof src);
        size_t length = 4, room = 4;
        CHECK(call(f, objects, NULL, &length, &dst, &room) == INVALID && !length && !room);
        length = 4, room = 4;
        CHECK(call(f, objects, &src, &length, NULL, &room) == INVALID && !length && !room);
        room = 4;
        CHECK(call(f, objects, &src, NULL, &dst, &room) == INVALID && room == 0);
        length = 4;
        CHECK(call(f, objects, &src, &length, &dst, NULL) == INVALID && length == 0);
        CHECK(call(f, objects, &src, NULL, &dst, NULL) == INVALID);
        length = 4;
        CHECK(call(f, objects, &src, &length, &dst, &length) == INVALID && length == 0);
        for (size_t i = 0; i < 3; i++) {
            length = too_long[i] / widths[f][0] + 1, room = 4;
            length = widths[f][0] == 1 ? too_long[i] : length;
            CHECK(call(f, objects, &src, &length, &dst, &room) == INVALID && !length && !room);
            length = 4, room = widths[f][1] == 1 ? too_long[i] : too_long[i] / widths[f][1] + 1;
            CHECK(call(f, objects, &src, &length, &dst, &room) == INVALID && !length && !room);
        }
        if (widths[f][0] > 1) {
            length = 4, room = 4;
            CHECK(call(f, objects, src.bytes + 1, &length, &dst, &room) == INVALID && !length);
        }
        if (widths[f][1] > 1) {
            length = 4, room = 4;
            CHECK(call(f, objects, &src, &length, dst.bytes + 1, &room) == INVALID && !length);
        }
        /* The same memory, the start of one within the other, and the last byte in common. */
        length = 4, room = 4;
        CHECK(call(f, objects, &src, &length, &src, &room) == INVALID && !length && !room);
        length = 4, room = 4;
        CHECK(call(f, objects, &src, &length, src.bytes + 4 * widths[f][0] - widths[f][1],
                   &room) == INVALID ||
              widths[f][1] > widths[f][0]);
        length = 4, room = 8;
        CHECK(call(f, objects, src.bytes + 4, &length, &src, &room) == INVALID && !length);
        /* Adjacent memory does not overlap. */
        length = 4, room = 8;
        size_t end = 4 * widths[f][0];
        CHECK(call(f, objects, &src, &length, src.bytes + end, &room) == TEXTCODEC_OK);
        CHECK(length == 4 && room == 4);
        length = 0, room = 0;
        CHECK(call(f, objects, NULL, &length, NULL, &room) == TEXTCODEC_OK && !length && !room);
        length = 0, room = 4;
        CHECK(call(f, objects, &src, &length, &src, &room) == TEXTCODEC_OK && !length && !room);
        length = 4, room = 0;
        CHECK(call(f, objects, &src, &length, NULL, &room) == TEXTCODEC_OUTPUT_FULL);
        CHECK(length == 0 && room == 0);
        CHECK(textcodec_decoder_reset(decoder) == 0 && textcodec_encoder_reset(encoder) == 0);
    }
    CHECK(textcodec_decoder_max_utf8(decoder, SIZE_MAX) == SIZE_MAX);
    CHECK(textcodec_decoder_max_utf8(decoder, SIZE_MAX / 2) == SIZE_MAX);
    CHECK(textcodec_encoder_max_from_utf8(encoder, SIZE_MAX) == SIZE_MAX);
    CHECK(textcodec_encoder_max_from_utf16(encoder, SIZE_MAX / 2 + 1) == SIZE_MAX);
    CHECK(textcodec_encoder_max_from_utf32(encoder, SIZE_MAX / 2) == SIZE_MAX);
    CHECK(textcodec_ascii_valid_up_to(NULL, 0) == 0 && textcodec_ascii_valid_up_to(NULL, 5) == 0);
    CHECK(textcodec_utf8_valid_up_to("a", SIZE_MAX) == 0);
    CHECK(textcodec_utf16_valid_up_to(u"a", SIZE_MAX / 2) == 0);
    CHECK(textcodec_utf16_valid_up_to((const char16_t *)(const void *)(src.bytes + 1), 1) == 0);
}

void test_arguments(void) {
    test_whole();
    test_options();
    test_null_objects();
    test_buffers();
}
