/* Each function of encoding_rs_mem_cpp.h. */

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "check.h"
#include "encoding_rs_mem_cpp.h"

using namespace std::literals;
namespace mem = encoding_rs::mem;

static void examining() {
    CHECK(mem::check_for_latin1_and_bidi("é") == Latin1);
    CHECK(mem::check_for_latin1_and_bidi("字"s) == LeftToRight);
    CHECK(mem::check_for_latin1_and_bidi(u"א") == Bidi);
    CHECK(mem::is_ascii("abc") && !mem::is_ascii("é"));
    CHECK(mem::is_ascii(u"abc") && !mem::is_ascii(u"é"));
    CHECK(mem::is_bidi("א") && !mem::is_bidi("é"));
    CHECK(mem::is_bidi(u"א") && !mem::is_bidi(u"é"));
    CHECK(mem::is_scalar_value_bidi(U'א') && !mem::is_scalar_value_bidi(U'a'));
    CHECK(mem::is_utf16_code_unit_bidi(u'א') && !mem::is_utf16_code_unit_bidi(u'a'));
    CHECK(mem::is_utf16_latin1(u"é") && !mem::is_utf16_latin1(u"字"));
    CHECK(mem::is_utf8_latin1("é") && !mem::is_utf8_latin1("字"));
    CHECK(mem::utf8_latin1_up_to("é字") == 2);
    std::u16string text = u"ab\xDC00";
    CHECK(mem::utf16_valid_up_to(text) == 2);
    mem::ensure_utf16_validity(text);
    CHECK(text == u"ab\uFFFD");
}

static void converting() {
    std::array<char16_t, 8> units{};
    std::vector<char> chars(9);
    mem::convert_latin1_to_utf16("a\xE9"s, units);
    CHECK(units[0] == 'a' && units[1] == 0xE9);
    CHECK(mem::convert_latin1_to_utf8("\xE9"s, chars) == 2 && chars[0] == '\xC3');
    CHECK(mem::convert_latin1_to_utf8_partial("ab\xE9"s, {chars.data(), 3}) ==
          std::make_tuple(std::size_t{2}, std::size_t{2}));
    CHECK(mem::convert_str_to_utf16("字", units) == 1 && units[0] == u'字');
    CHECK(mem::convert_utf8_to_utf16("\xFF", units) == 1 && units[0] == 0xFFFD);
    CHECK(mem::convert_utf8_to_utf16_without_replacement("é", units) == std::size_t{1});
    CHECK(!mem::convert_utf8_to_utf16_without_replacement("\xFF", units));
    mem::convert_utf16_to_latin1_lossy(u"é", chars);
    CHECK(chars[0] == '\xE9');
    CHECK(mem::convert_utf16_to_utf8(u"字", chars) == 3 && std::memcmp(chars.data(), "字", 3) == 0);
    CHECK(mem::convert_utf16_to_utf8_partial(u"a字", {chars.data(), 3}) ==
          std::make_tuple(std::size_t{1}, std::size_t{1}));
    CHECK(mem::convert_utf8_to_latin1_lossy("é", chars) == 1 && chars[0] == '\xE9');
    CHECK(mem::copy_ascii_to_ascii("xy\xE9"s, chars) == 2 && chars[1] == 'y');
    CHECK(mem::copy_ascii_to_basic_latin("xy\xE9"s, units) == 2 && units[1] == 'y');
    CHECK(mem::copy_basic_latin_to_ascii(u"zé"s, chars) == 1 && chars[0] == 'z');
}

int main() {
    examining();
    converting();
    return finish("wrapper_mem");
}
