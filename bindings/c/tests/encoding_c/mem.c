/* Calls every function of encoding_rs_mem.h, and compares the results with expected values. */

#include <stdint.h>
#include <string.h>

#include "check.h"
#include "encoding_rs_mem.h"

static const char16_t hebrew[] = {'a', 0x5D0};
static const char16_t cafe[] = {'c', 'a', 'f', 0xE9};
static const char16_t unpaired[] = {'a', 0xD83D, 0xDE00, 0xD800, 'b'};

static void examining(void) {
    CHECK(encoding_mem_is_ascii("abc", 3) && !encoding_mem_is_ascii("caf\xE9", 4));
    CHECK(encoding_mem_is_basic_latin(cafe, 3) && !encoding_mem_is_basic_latin(cafe, 4));
    CHECK(encoding_mem_is_utf8_latin1("café", 5) && !encoding_mem_is_utf8_latin1("caf\xE9", 4));
    CHECK(encoding_mem_is_str_latin1("café", 5) && !encoding_mem_is_str_latin1("字", 3));
    CHECK(encoding_mem_is_utf16_latin1(cafe, 4) && !encoding_mem_is_utf16_latin1(hebrew, 2));
    CHECK(encoding_mem_is_utf8_bidi("aא", 3) && encoding_mem_is_utf8_bidi("a\xFF", 2));
    CHECK(!encoding_mem_is_utf8_bidi("a字", 4));
    CHECK(encoding_mem_is_str_bidi("aא", 3) && !encoding_mem_is_str_bidi("a字", 4));
    CHECK(encoding_mem_is_utf16_bidi(hebrew, 2) && !encoding_mem_is_utf16_bidi(unpaired, 5));
    CHECK(encoding_mem_is_char_bidi(0x5D0) && encoding_mem_is_char_bidi(0x1E900));
    CHECK(!encoding_mem_is_char_bidi(0x4E00) && !encoding_mem_is_char_bidi(0xFEFF));
    CHECK(encoding_mem_is_utf16_code_unit_bidi(0x200F));
    CHECK(encoding_mem_is_utf16_code_unit_bidi(0xD83A));
    CHECK(!encoding_mem_is_utf16_code_unit_bidi(0xD83D));
    CHECK(encoding_mem_check_utf8_for_latin1_and_bidi("café", 5) == Latin1);
    CHECK(encoding_mem_check_utf8_for_latin1_and_bidi("a字", 4) == LeftToRight);
    CHECK(encoding_mem_check_utf8_for_latin1_and_bidi("aא", 3) == Bidi);
    CHECK(encoding_mem_check_str_for_latin1_and_bidi("café", 5) == Latin1);
    CHECK(encoding_mem_check_str_for_latin1_and_bidi("a字", 4) == LeftToRight);
    CHECK(encoding_mem_check_str_for_latin1_and_bidi("aא", 3) == Bidi);
    CHECK(encoding_mem_check_utf16_for_latin1_and_bidi(cafe, 4) == Latin1);
    CHECK(encoding_mem_check_utf16_for_latin1_and_bidi(unpaired, 5) == LeftToRight);
    CHECK(encoding_mem_check_utf16_for_latin1_and_bidi(hebrew, 2) == Bidi);
    CHECK(encoding_mem_utf8_latin1_up_to("é字", 5) == 2);
    CHECK(encoding_mem_str_latin1_up_to("aé字", 6) == 3);
    CHECK(encoding_mem_utf16_valid_up_to(unpaired, 5) == 3);
    char16_t units[5];
    memcpy(units, unpaired, sizeof units);
    encoding_mem_ensure_utf16_validity(units, 5);
    CHECK(memcmp(units, unpaired, 6) == 0 && units[3] == 0xFFFD && units[4] == 'b');
}

static void converting(void) {
    char16_t units[16];
    char bytes[32];
    CHECK(encoding_mem_convert_utf8_to_utf16("caf\xE9", 4, units, 5) == 4);
    CHECK(memcmp(units, cafe, 6) == 0 && units[3] == 0xFFFD);
    CHECK(encoding_mem_convert_str_to_utf16("café", 5, units, 5) == 4);
    CHECK(memcmp(units, cafe, sizeof cafe) == 0);
    memset(units, 0, sizeof units);
    CHECK(encoding_mem_convert_utf8_to_utf16_without_replacement("café", 5, units, 5) == 4);
    CHECK(memcmp(units, cafe, sizeof cafe) == 0);
    CHECK(encoding_mem_convert_utf8_to_utf16_without_replacement("caf\xE9", 4, units, 4) ==
          SIZE_MAX);
    CHECK(encoding_mem_convert_utf16_to_utf8(unpaired, 5, bytes, 15) == 9);
    CHECK(memcmp(bytes, "a😀\xEF\xBF\xBD" "b", 9) == 0);

    size_t read = 5;
    size_t written = 4;
    memset(bytes, '#', sizeof bytes);
    encoding_mem_convert_utf16_to_utf8_partial(unpaired, &read, bytes, &written);
    CHECK(read == 1 && written == 1 && memcmp(bytes, "a###", 4) == 0);
    written = 3;
    read = 4;
    encoding_mem_convert_latin1_to_utf8_partial("a\xE9\xE9!", &read, bytes, &written);
    CHECK(read == 2 && written == 3 && memcmp(bytes, "aé", 3) == 0);

    encoding_mem_convert_latin1_to_utf16("caf\xE9", 4, units, 4);
    CHECK(memcmp(units, cafe, sizeof cafe) == 0);
    CHECK(encoding_mem_convert_latin1_to_utf8("caf\xE9", 4, bytes, 8) == 5);
    CHECK(memcmp(bytes, "café", 5) == 0);
    CHECK(encoding_mem_convert_utf8_to_latin1_lossy("café", 5, bytes, 5) == 4);
    CHECK(memcmp(bytes, "caf\xE9", 4) == 0);
    memset(bytes, 0, sizeof bytes);
    encoding_mem_convert_utf16_to_latin1_lossy(cafe, 4, bytes, 4);
    CHECK(memcmp(bytes, "caf\xE9", 4) == 0);

    CHECK(encoding_mem_copy_ascii_to_ascii("ab\xE9" "c", 4, bytes, 4) == 2);
    CHECK(memcmp(bytes, "ab", 2) == 0);
    CHECK(encoding_mem_copy_ascii_to_basic_latin("xy\xE9" "c", 4, units, 4) == 2);
    CHECK(units[0] == 'x' && units[1] == 'y');
    CHECK(encoding_mem_copy_basic_latin_to_ascii(cafe, 4, bytes, 4) == 3);
    CHECK(memcmp(bytes, "caf", 3) == 0);
}

int main(void) {
    examining();
    converting();
    return finish("mem");
}
