/* Validation and conversion between UTF-8, UTF-16, UTF-32 and Latin-1. */
#include "check.h"

#define TEXT "na\xC3\xAFve \xE2\x82\xAC \xF0\x9F\x98\x80!"
static const char16_t units[] = {'n', 'a', 0xEF, 'v', 'e', ' ', 0x20AC, ' ', 0xD83D, 0xDE00, '!'};
static const char32_t numbers[] = {'n', 'a', 0xEF, 'v', 'e', ' ', 0x20AC, ' ', 0x1F600, '!'};

/* Where each character starts: in UTF-8, in UTF-16, in UTF-32. */
static const size_t starts[][3] = {{0, 0, 0},  {1, 1, 1},   {2, 2, 2},  {4, 3, 3},
                                   {5, 4, 4},  {6, 5, 5},   {7, 6, 6},  {10, 7, 7},
                                   {11, 8, 8}, {15, 10, 9}, {16, 11, 10}};
enum { CHARACTERS = sizeof starts / sizeof *starts - 1 };

static textcodec_status convert(int from, int to, const void *src, size_t *length, void *dst,
                                size_t *room) {
    if (from == 0) {
        return textcodec_utf8_to_utf16(src, length, dst, room);
    }
    if (from == 2) {
        return textcodec_utf32_to_utf16(src, length, dst, room);
    }
    return to == 0 ? textcodec_utf16_to_utf8(src, length, dst, room)
                   : textcodec_utf16_to_utf32(src, length, dst, room);
}

static void test_rooms(void) {
    const void *const all[] = {TEXT, units, numbers};
    const size_t widths[] = {1, 2, 4}, pairs[][2] = {{0, 1}, {1, 0}, {1, 2}, {2, 1}};
    for (size_t i = 0; i < 4; i++) {
        size_t from = pairs[i][0], to = pairs[i][1];
        for (size_t end = 0; end <= starts[CHARACTERS][from]; end++) {
            for (size_t room = 0; room <= starts[CHARACTERS][to]; room++) {
                set_case("from %zu to %zu: %zu units to %zu", from, to, end, room);
                size_t n = 0, length = end, written = room;
                while (n < CHARACTERS && starts[n + 1][from] <= end && starts[n + 1][to] <= room) {
                    n++;
                }
                uint8_t *src = allocate(end * widths[from]), *dst = allocate(room * widths[to]);
                memcpy(src, all[from], end * widths[from]);
                textcodec_status status =
                    convert((int)from, (int)to, src, &length, dst, &written);
                CHECK(length == starts[n][from] && written == starts[n][to]);
                CHECK(memcmp(dst, all[to], written * widths[to]) == 0);
                bool whole = n < CHARACTERS && starts[n + 1][from] <= end;
                CHECK(status == (length == end ? TEXTCODEC_OK
                                 : whole       ? TEXTCODEC_OUTPUT_FULL
                                               : TEXTCODEC_MALFORMED));
                free(src);
                free(dst);
            }
        }
    }
}

static void test_latin1(void) {
    set_case("Latin-1");
    uint8_t all[256], text[512], back[256];
    char16_t wide[256];
    for (size_t i = 0; i < 256; i++) {
        all[i] = (uint8_t)i;
    }
    for (size_t n = 0; n <= 256; n++) {
        size_t length = n, room = n < 128 ? n : 2 * n - 128;
        CHECK(textcodec_latin1_to_utf8(all, &length, (char *)text, &room) == TEXTCODEC_OK);
        CHECK(length == n && room == (n < 128 ? n : 2 * n - 128));
        size_t text_length = room;
        room = n;
        CHECK(textcodec_utf8_to_latin1((char *)text, &text_length, back, &room) == TEXTCODEC_OK);
        CHECK(room == n && memcmp(all, back, n) == 0);
        room = n;
        CHECK(textcodec_latin1_to_utf16(all, &length, wide, &room) == TEXTCODEC_OK && room == n);
        size_t wide_length = n;
        memset(back, 0, sizeof back);
        CHECK(textcodec_utf16_to_latin1(wide, &wide_length, back, &room) == TEXTCODEC_OK);
        CHECK(wide_length == n && memcmp(all, back, n) == 0);
        if (n > 0) {
            room = n - 1;
            wide_length = n;
            CHECK(textcodec_utf16_to_latin1(wide, &wide_length, back, &room) ==
                  TEXTCODEC_OUTPUT_FULL);
            CHECK(wide_length == n - 1 && room == n - 1);
            room = n - 1;
            text_length = n < 129 ? n : 2 * n - 128;
            CHECK(textcodec_utf8_to_latin1((char *)text, &text_length, back, &room) ==
                  TEXTCODEC_OUTPUT_FULL);
            CHECK(text_length == (n < 129 ? n - 1 : 2 * n - 130) && room == n - 1);
            length = n;
            room = n - 1;
            CHECK(textcodec_latin1_to_utf16(all, &length, wide, &room) == TEXTCODEC_OUTPUT_FULL);
            length = n;
            room = (n < 129 ? n : 2 * n - 128) - 1;
            CHECK(textcodec_latin1_to_utf8(all, &length, (char *)text, &room) ==
                  TEXTCODEC_OUTPUT_FULL);
            CHECK(length == n - 1);
        }
    }
}

static void test_stops(void) {
    set_case("stops of conversions");
    char16_t utf16[8];
    char32_t utf32[8];
    uint8_t bytes[32];
    size_t length = 3, room = 8;
    CHECK(textcodec_utf8_to_utf16("a\xFF\x62", &length, utf16, &room) == TEXTCODEC_MALFORMED);
    CHECK(length == 1 && room == 1 && utf16[0] == 'a');
    length = 3, room = 1;
    CHECK(textcodec_utf8_to_utf16("a\xFF\x62", &length, utf16, &room) == TEXTCODEC_MALFORMED);
    length = 3, room = 8;
    CHECK(textcodec_utf8_to_utf16("a\xE2\x82", &length, utf16, &room) == TEXTCODEC_MALFORMED);
    CHECK(length == 1);
    const char16_t unpaired[] = {'a', 0xDE00, 'b'}, at_end[] = {'a', 0xD83D};
    length = 3, room = 32;
    CHECK(textcodec_utf16_to_utf8(unpaired, &length, (char *)bytes, &room) == TEXTCODEC_MALFORMED);
    CHECK(length == 1 && room == 1);
    length = 2, room = 8;
    CHECK(textcodec_utf16_to_utf32(at_end, &length, utf32, &room) == TEXTCODEC_MALFORMED);
    CHECK(length == 1 && room == 1);
    length = 3, room = 32;
    CHECK(textcodec_utf16_to_latin1(unpaired, &length, bytes, &room) == TEXTCODEC_MALFORMED);
    const char16_t euro[] = {'a', 0x20AC};
    length = 2, room = 1;
    CHECK(textcodec_utf16_to_latin1(euro, &length, bytes, &room) == TEXTCODEC_UNMAPPABLE);
    CHECK(length == 1 && room == 1);
    const char16_t emoji[] = {0xD83D, 0xDE00};
    length = 2, room = 1;
    CHECK(textcodec_utf16_to_latin1(emoji, &length, bytes, &room) == TEXTCODEC_UNMAPPABLE);
    length = 4, room = 32;
    CHECK(textcodec_utf8_to_latin1("a\xE2\x82\xAC", &length, bytes, &room) ==
          TEXTCODEC_UNMAPPABLE);
    CHECK(length == 1 && room == 1);
    length = 3, room = 32;
    CHECK(textcodec_utf8_to_latin1("a\xC3\x28", &length, bytes, &room) == TEXTCODEC_MALFORMED);
    const char32_t wrong[][2] = {{'a', 0xD800}, {'a', 0x110000}, {'a', UINT32_MAX}};
    for (size_t i = 0; i < 3; i++) {
        length = 2, room = 8;
        CHECK(textcodec_utf32_to_utf16(wrong[i], &length, utf16, &room) == TEXTCODEC_MALFORMED);
        CHECK(length == 1 && room == 1);
    }
}

static void test_validation(void) {
    set_case("validation");
    CHECK(textcodec_ascii_valid_up_to("caf\xC3\xA9", 5) == 3);
    CHECK(textcodec_utf8_valid_up_to("caf\xC3\xA9", 5) == 5);
    CHECK(textcodec_utf8_valid_up_to("caf\xC3", 4) == 3);
    CHECK(textcodec_utf16_valid_up_to(units, 11) == 11);
    CHECK(textcodec_utf16_valid_up_to(units, 9) == 8);
    uint8_t bytes[300];
    char16_t wide[300];
    for (size_t n = 0; n < 300; n++) {
        memset(bytes, 'a', n);
        for (size_t i = 0; i < n; i++) {
            wide[i] = 0x3042;
        }
        CHECK(textcodec_ascii_valid_up_to(bytes, n) == n);
        CHECK(textcodec_utf16_valid_up_to(wide, n) == n);
        if (n > 0) {
            bytes[n - 1] = 0x80;
            wide[n / 2] = 0xDC00;
            CHECK(textcodec_ascii_valid_up_to(bytes, n) == n - 1);
            CHECK(textcodec_utf8_valid_up_to(bytes, n) == n - 1);
            CHECK(textcodec_utf16_valid_up_to(wide, n) == n / 2);
        }
    }
}

void test_conversions(void) {
    test_rooms();
    test_latin1();
    test_stops();
    test_validation();
}
