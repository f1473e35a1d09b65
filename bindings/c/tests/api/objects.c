/* The states of decoders and encoders. */
#include "check.h"

static textcodec_status decode(textcodec_decoder *decoder, const char *bytes, bool last,
                               const char *expected) {
    char text[64];
    size_t length = strlen(bytes), room = sizeof text;
    textcodec_status status =
        textcodec_decoder_to_utf8(decoder, bytes, &length, text, &room, last, NULL);
    CHECK(room == strlen(expected) && memcmp(text, expected, room) == 0);
    return status;
}

static textcodec_status encode(textcodec_encoder *encoder, const char *text, bool last,
                               const char *expected) {
    char bytes[64];
    size_t length = strlen(text), room = sizeof bytes;
    textcodec_status status =
        textcodec_encoder_from_utf8(encoder, text, &length, bytes, &room, last, NULL);
    CHECK(room == strlen(expected) && memcmp(bytes, expected, room) == 0);
    return status;
}

static void test_decoder(void) {
    set_case("states of a decoder");
    textcodec_decoder *decoder, *clone;
    CHECK(textcodec_decoder_new(TEXTCODEC_SHIFT_JIS, NULL, &decoder) == TEXTCODEC_OK);
    CHECK(!textcodec_decoder_is_at_rest(decoder));
    CHECK(textcodec_decoder_encoding(decoder) == TEXTCODEC_SHIFT_JIS);
    CHECK(decode(decoder, "a\x82", false, "a") == TEXTCODEC_OK);
    CHECK(!textcodec_decoder_is_at_rest(decoder) && textcodec_decoder_position(decoder) == 2);
    CHECK(textcodec_decoder_clone(decoder, NULL) == TEXTCODEC_INVALID_ARGUMENT);
    CHECK(textcodec_decoder_clone(decoder, &clone) == TEXTCODEC_OK && clone != decoder);
    CHECK(decode(decoder, "\xA0", false, "\xE3\x81\x82") == TEXTCODEC_OK);
    CHECK(textcodec_decoder_is_at_rest(decoder) && textcodec_decoder_position(decoder) == 3);
    CHECK(decode(clone, "\xA2", true, "\xE3\x81\x84") == TEXTCODEC_OK);
    textcodec_decoder_free(clone);
    CHECK(decode(decoder, "\x82", true, "\xEF\xBF\xBD") == TEXTCODEC_OK);
    textcodec_error error;
    CHECK(textcodec_decoder_first_error(decoder, &error) && error.start == 3 && error.end == 4);
    CHECK(error.reason == TEXTCODEC_REASON_INCOMPLETE && error.bytes[0] == 0x82);
    CHECK(textcodec_decoder_first_error(decoder, NULL));
    /* A new input, in which a byte order mark is possible again. */
    CHECK(decode(decoder, "\xEF\xBB\xBFx", true, "x") == TEXTCODEC_OK);
    CHECK(textcodec_decoder_bom_removed(decoder) && textcodec_decoder_error_count(decoder) == 0);
    CHECK(textcodec_decoder_encoding(decoder) == TEXTCODEC_UTF_8);
    CHECK(textcodec_decoder_reset(decoder) == TEXTCODEC_OK);
    CHECK(textcodec_decoder_encoding(decoder) == TEXTCODEC_SHIFT_JIS);
    CHECK(textcodec_decoder_position(decoder) == 0 && !textcodec_decoder_bom_removed(decoder));
    CHECK(textcodec_decoder_set_malformed(decoder, 3) == TEXTCODEC_INVALID_ARGUMENT);
    CHECK(decode(decoder, "\xFF", false, "") == TEXTCODEC_OK);
    CHECK(decode(decoder, "\xFF", false, "\xEF\xBF\xBD\xEF\xBF\xBD") == TEXTCODEC_OK);
    CHECK(textcodec_decoder_set_malformed(decoder, TEXTCODEC_MALFORMED_PAUSE) == TEXTCODEC_OK);
    CHECK(decode(decoder, "\xFF", false, "") == TEXTCODEC_MALFORMED);
    CHECK(decode(decoder, "b", false, "b") == TEXTCODEC_OK);
    CHECK(textcodec_decoder_set_malformed(decoder, TEXTCODEC_MALFORMED_FAIL) == TEXTCODEC_OK);
    CHECK(decode(decoder, "\xFF", false, "") == TEXTCODEC_MALFORMED);
    CHECK(textcodec_decoder_set_malformed(decoder, TEXTCODEC_MALFORMED_REPLACE) == TEXTCODEC_OK);
    CHECK(decode(decoder, "b", true, "") == TEXTCODEC_MALFORMED);
    textcodec_decoder_free(decoder);
    textcodec_decode_options options = {.reject_unassigned = 1, .malformed = 1};
    CHECK(textcodec_decoder_new(TEXTCODEC_WINDOWS_1252, &options, &decoder) == TEXTCODEC_OK);
    CHECK(decode(decoder, "a\x81", true, "a") == TEXTCODEC_MALFORMED);
    textcodec_decoder_free(decoder);
    /* In storage, freeing has no effect, and a clone is on the heap. */
    textcodec_decoder_storage storage;
    CHECK(textcodec_decoder_init(&storage, TEXTCODEC_UTF_8, NULL, &decoder) == TEXTCODEC_OK);
    CHECK(textcodec_decoder_clone(decoder, &clone) == TEXTCODEC_OK);
    textcodec_decoder_free(clone);
    textcodec_decoder_free(decoder);
    CHECK(decode(decoder, "a", true, "a") == TEXTCODEC_OK);
    textcodec_decoder_free(decoder);
}

static void test_encoder(void) {
    set_case("states of an encoder");
    textcodec_encoder *encoder, *clone;
    textcodec_error error;
    CHECK(textcodec_encoder_new(TEXTCODEC_ISO_2022_JP, NULL, &encoder) == TEXTCODEC_OK);
    CHECK(textcodec_encoder_is_at_rest(encoder));
    CHECK(textcodec_encoder_encoding(encoder) == TEXTCODEC_ISO_2022_JP);
    CHECK(encode(encoder, "a\xE6\x97", false, "a") == TEXTCODEC_OK);
    CHECK(!textcodec_encoder_is_at_rest(encoder) && textcodec_encoder_position(encoder) == 3);
    CHECK(textcodec_encoder_clone(encoder, NULL) == TEXTCODEC_INVALID_ARGUMENT);
    CHECK(textcodec_encoder_clone(encoder, &clone) == TEXTCODEC_OK);
    CHECK(encode(encoder, "\xA5", false, "\x1B$BF|") == TEXTCODEC_OK);
    CHECK(!textcodec_encoder_is_at_rest(encoder) && textcodec_encoder_position(encoder) == 4);
    CHECK(encode(encoder, "", true, "\x1B(B") == TEXTCODEC_OK);
    CHECK(textcodec_encoder_is_at_rest(encoder));
    CHECK(encode(encoder, "b", true, "b") == TEXTCODEC_OK);
    CHECK(textcodec_encoder_position(encoder) == 1);
    /* The clone has the start of a character, which becomes U+FFFD: unmappable. */
    CHECK(encode(clone, "c", true, "") == TEXTCODEC_UNMAPPABLE);
    CHECK(encode(clone, "c", true, "") == TEXTCODEC_UNMAPPABLE);
    CHECK(!textcodec_encoder_is_at_rest(clone));
    CHECK(textcodec_encoder_set_unmappable(clone, TEXTCODEC_UNMAPPABLE_SKIP, 0) == TEXTCODEC_OK);
    CHECK(encode(clone, "c", true, "") == TEXTCODEC_UNMAPPABLE);
    CHECK(textcodec_encoder_reset(clone) == TEXTCODEC_OK);
    CHECK(textcodec_encoder_position(clone) == 0);
    CHECK(encode(clone, "c\xFF" "d", true, "cd") == TEXTCODEC_OK);
    CHECK(textcodec_encoder_error_count(clone) == 1);
    CHECK(textcodec_encoder_first_error(clone, &error) && error.start == 1 && error.end == 2);
    CHECK(error.reason == TEXTCODEC_REASON_UNMAPPABLE && error.code_point == 0xFFFD);
    CHECK(encode(clone, "\x1B", false, "") == TEXTCODEC_OK);
    CHECK(textcodec_encoder_first_error(clone, &error) && error.start == 0);
    CHECK(error.code_point == 0xFFFD);
    CHECK(textcodec_encoder_set_unmappable(clone, TEXTCODEC_UNMAPPABLE_REPLACE, 0x1F600) ==
          TEXTCODEC_INVALID_ARGUMENT);
    CHECK(textcodec_encoder_set_unmappable(clone, 9, 0) == TEXTCODEC_INVALID_ARGUMENT);
    CHECK(textcodec_encoder_set_unmappable(clone, TEXTCODEC_UNMAPPABLE_REPLACE, '?') ==
          TEXTCODEC_OK);
    CHECK(encode(clone, "\xF0\x9F\x98\x80!", true, "?!") == TEXTCODEC_OK);
    textcodec_encoder_free(clone);
    textcodec_encoder_free(encoder);
    textcodec_encode_options options = {.write_bom = 1};
    textcodec_encoder_storage storage;
    CHECK(textcodec_encoder_init(&storage, TEXTCODEC_UTF_8, &options, &encoder) == TEXTCODEC_OK);
    CHECK(encode(encoder, "", true, "\xEF\xBB\xBF") == TEXTCODEC_OK);
    CHECK(encode(encoder, "a", true, "\xEF\xBB\xBF" "a") == TEXTCODEC_OK);
    CHECK(textcodec_encoder_clone(encoder, &clone) == TEXTCODEC_OK);
    textcodec_encoder_free(clone);
    textcodec_encoder_free(encoder);
    CHECK(encode(encoder, "b", true, "\xEF\xBB\xBF" "b") == TEXTCODEC_OK);
}

/* An incomplete sequence in one form is ill-formed if another form follows. */
static void test_mixed_forms(void) {
    set_case("mixed forms");
    const char16_t high[] = {0xD83D}, low[] = {0xDE00};
    const char32_t number[] = {0x1F600};
    for (size_t first = 0; first < 2; first++) {
        for (size_t second = 0; second < 3; second++) {
            textcodec_encoder_storage storage;
            textcodec_encoder *encoder;
            textcodec_encode_options options = {.unmappable = TEXTCODEC_UNMAPPABLE_PAUSE,
                                                .reject_ill_formed = 1};
            CHECK(textcodec_encoder_init(&storage, TEXTCODEC_UTF_8, &options, &encoder) == 0);
            uint8_t bytes[16];
            textcodec_error error;
            size_t length = first == 0 ? 3 : 1, room = 16, read = length;
            CHECK((first == 0 ? textcodec_encoder_from_utf8(encoder, "\xF0\x9F\x98", &length, bytes,
                                                            &room, false, &error)
                              : textcodec_encoder_from_utf16(encoder, high, &length, bytes, &room,
                                                             false, &error)) == TEXTCODEC_OK);
            CHECK(length == read && room == 0);
            /* Nothing decides yet. */
            length = 0, room = 16;
            CHECK(textcodec_encoder_from_utf32(encoder, NULL, &length, bytes, &room, false, NULL) ==
                  TEXTCODEC_OK);
            bool continues = first == second;
            for (int call = 0; call < 2; call++) {
                length = 1, room = 16;
                textcodec_status status =
                    second == 0   ? textcodec_encoder_from_utf8(encoder, continues ? "\x80" : "a",
                                                                &length, bytes, &room, true, &error)
                    : second == 1 ? textcodec_encoder_from_utf16(encoder, continues ? low : u"a",
                                                                 &length, bytes, &room, true,
                                                                 &error)
                                  : textcodec_encoder_from_utf32(encoder, number, &length, bytes,
                                                                 &room, true, &error);
                if (call == 0 && !continues) {
                    CHECK(status == TEXTCODEC_UNMAPPABLE && length == 0 && room == 0);
                    CHECK(error.start == 0 && error.end == read);
                    CHECK(error.reason == TEXTCODEC_REASON_ILL_FORMED);
                    continue;
                }
                CHECK(status == TEXTCODEC_OK && length == 1);
                CHECK(textcodec_encoder_position(encoder) == read + 1);
                bool is_emoji = continues || second == 2;
                CHECK(room == (is_emoji ? 4 : 1));
                CHECK(memcmp(bytes, is_emoji ? "\xF0\x9F\x98\x80" : "a", room) == 0);
                break;
            }
        }
    }
}

/* An error that a later call reports than the one that has read the character. */
static void test_late_error(void) {
    set_case("late errors");
    const char *const utf8[] = {"\xE6\x97\xA5\xF0\x9F\x98\x80", "\xE6\x97\xA5\xF0\x9F\x98"};
    const char16_t utf16[][3] = {{0x65E5, 0xD83D, 0xDE00}, {0x65E5, 0xD83D}};
    const char32_t utf32[][2] = {{0x65E5, 0x1F600}, {0x65E5, 0xD83D}};
    const size_t ends[3][2] = {{7, 6}, {3, 2}, {2, 2}}, starts[] = {3, 1, 1};
    for (size_t form = 0; form < 3; form++) {
        for (size_t i = 0; i < 2; i++) {
            textcodec_encoder_storage storage;
            textcodec_encoder *encoder;
            CHECK(textcodec_encoder_init(&storage, TEXTCODEC_ISO_2022_JP, NULL, &encoder) == 0);
            size_t read = 0, written = 0, room = 5, calls = 0;
            textcodec_status status;
            textcodec_error error;
            char bytes[16];
            do {
                size_t length = ends[form][i] - read, more = room;
                char *out = bytes + written;
                if (form == 0) {
                    status = textcodec_encoder_from_utf8(encoder, utf8[i] + read, &length, out,
                                                         &more, true, &error);
                } else if (form == 1) {
                    status = textcodec_encoder_from_utf16(encoder, utf16[i] + read, &length, out,
                                                          &more, true, &error);
                } else {
                    status = textcodec_encoder_from_utf32(encoder, utf32[i] + read, &length, out,
                                                          &more, true, &error);
                }
                read += length;
                written += more;
                room = 1;
                calls++;
            } while (status == TEXTCODEC_OUTPUT_FULL && calls < 9);
            /* The escape sequence to ASCII comes before the error, byte by byte. */
            CHECK(status == TEXTCODEC_UNMAPPABLE && calls == 4 && read == ends[form][i]);
            CHECK(written == 8 && memcmp(bytes, "\x1B$BF|\x1B(B", 8) == 0);
            CHECK(error.start == starts[form] && error.end == ends[form][i]);
            CHECK(textcodec_encoder_position(encoder) == ends[form][i]);
        }
    }
}

/* Bytes that did not fit are written by a call without units, from each form. */
static void test_empty_chunk(void) {
    set_case("empty chunks");
    const char16_t utf16[] = {0x20AC};
    const char32_t utf32[] = {0x20AC};
    for (size_t form = 0; form < 3; form++) {
        textcodec_encoder_storage storage;
        textcodec_encoder *encoder;
        textcodec_encode_options options = {.unmappable = TEXTCODEC_UNMAPPABLE_HTML};
        CHECK(textcodec_encoder_init(&storage, TEXTCODEC_LATIN1, &options, &encoder) == 0);
        size_t length = form == 0 ? 3 : 1, written = 0, calls = 0;
        textcodec_status status;
        char bytes[16];
        const char *utf8 = "\xE2\x82\xAC";
        do {
            size_t room = 3;
            char *out = bytes + written;
            status = form == 0   ? textcodec_encoder_from_utf8(encoder, utf8, &length, out, &room,
                                                               false, NULL)
                     : form == 1 ? textcodec_encoder_from_utf16(encoder, utf16, &length, out, &room,
                                                                false, NULL)
                                 : textcodec_encoder_from_utf32(encoder, utf32, &length, out, &room,
                                                                false, NULL);
            written += room;
            length = 0;
            CHECK(textcodec_encoder_is_at_rest(encoder) == (status == TEXTCODEC_OK));
        } while (status == TEXTCODEC_OUTPUT_FULL && ++calls < 4);
        CHECK(status == TEXTCODEC_OK && calls == 2);
        CHECK(written == 7 && memcmp(bytes, "&#8364;", 7) == 0);
    }
}

void test_objects(void) {
    test_empty_chunk();
    test_late_error();
    test_decoder();
    test_encoder();
    test_mixed_forms();
}
