// Tests of textcodec.hpp. They use no exceptions, so that they also run without.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <vector>

#include <textcodec.hpp>

static int failures = 0;

#define CHECK(condition) check(condition, #condition, __LINE__)

static void check(bool condition, const char *text, int line) {
    if (!condition) {
        failures++;
        std::fprintf(stderr, "main.cpp:%d: %s is false\n", line, text);
    }
}

using textcodec::encoding;
using textcodec::status;
using namespace std::string_view_literals;

static const std::string_view sjis = "\x93\xFA\x96{\x8C\xEA \x41"sv;
static const std::string_view utf8 = "\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E A"sv;

static void test_encodings() {
    CHECK(textcodec::for_label(" SJIS ") == encoding::shift_jis);
    CHECK(textcodec::for_label("cp932") == encoding::none);
    CHECK(textcodec::for_name("cp932") == encoding::shift_jis);
    CHECK(textcodec::for_label("cp850") == encoding::none);
    CHECK(textcodec::for_name("cp850") == encoding::ibm850);
    CHECK(textcodec::name(encoding::true_iso_8859_9) == "true-iso-8859-9");
    CHECK(*textcodec::decode(encoding::ibm437, "\xB0\x9C") == "\xE2\x96\x91\xC2\xA3");
    CHECK(*textcodec::encode(encoding::ibm037, "Hi") == "\xC8\x89");
    std::size_t length = 9;
    CHECK(textcodec::for_bom("\xFF\xFE\x41", &length) == encoding::utf_16le && length == 2);
    CHECK(textcodec::for_bom("") == encoding::none);
    CHECK(textcodec::name(encoding::gb18030) == "gb18030");
    CHECK(textcodec::name(encoding::us_ascii) == "US-ASCII");
    CHECK(textcodec::name(static_cast<encoding>(9999)).empty());
    CHECK(textcodec::output_encoding(encoding::utf_16be) == encoding::utf_8);
    CHECK(textcodec::is_ascii_compatible(encoding::gbk));
    CHECK(textcodec::is_single_byte(encoding::koi8_r));
    CHECK(textcodec::can_encode(encoding::big5, U'\u4E2D'));
    CHECK(!textcodec::has_encoder(encoding::replacement));
}

static void test_whole() {
    CHECK(*textcodec::decode(encoding::shift_jis, sjis) == utf8);
    CHECK(*textcodec::decode_utf16(encoding::shift_jis, sjis) == u"\u65E5\u672C\u8A9E A");
    CHECK(*textcodec::decode_utf32(encoding::shift_jis, sjis) == U"\u65E5\u672C\u8A9E A");
    auto wide = textcodec::decode_wide(encoding::shift_jis, sjis);
    // Not by `==`: glibc's wmemcmp() reads past the end of a short string, within its page, and valgrind reports that.
    constexpr std::wstring_view expected = L"\u65E5\u672C\u8A9E A";
    CHECK(std::equal(wide->begin(), wide->end(), expected.begin(), expected.end()));
    CHECK(*textcodec::encode(encoding::shift_jis, utf8) == sjis);
    CHECK(*textcodec::encode(encoding::shift_jis, u"\u65E5\u672C\u8A9E A") == sjis);
    CHECK(*textcodec::encode(encoding::shift_jis, U"\u65E5\u672C\u8A9E A") == sjis);
    CHECK(*textcodec::encode(encoding::shift_jis, L"\u65E5\u672C\u8A9E A") == sjis);
#ifdef __cpp_lib_char8_t
    CHECK(*textcodec::encode(encoding::shift_jis, u8"\u65E5\u672C\u8A9E A") == sjis);
#endif
    const std::vector<unsigned char> bytes = {0x82, 0xA0, 0x82};
    textcodec::summary summary;
    CHECK(*textcodec::decode(encoding::shift_jis, bytes, {}, &summary) ==
          "\xE3\x81\x82\xEF\xBF\xBD");
    CHECK(summary.error_count == 1 && summary.first_error.start == 2);
    const std::array<std::byte, 2> more = {std::byte{0x82}, std::byte{0xA0}};
    CHECK(textcodec::decode(encoding::shift_jis, more)->size() == 3);
    CHECK(textcodec::decode(encoding::shift_jis, {})->empty());
    CHECK(*textcodec::decode(encoding::utf_8, "a\0b"sv) == "a\0b"sv);

    textcodec::decode_options strict = {};
    strict.malformed = TEXTCODEC_MALFORMED_FAIL;
    const auto failed = textcodec::decode(encoding::shift_jis, bytes, strict);
    CHECK(!failed && !failed.has_value());
    CHECK(failed.error().code == status::malformed && failed.error().where.start == 2);
    CHECK(failed.error().where.bytes[0] == 0x82);
    CHECK(failed.value_or("none") == "none");

    const auto unmappable = textcodec::encode(encoding::koi8_r, utf8);
    CHECK(!unmappable && unmappable.error().code == status::unmappable);
    CHECK(unmappable.error().where.code_point == 0x65E5 && unmappable.error().where.end == 3);
    textcodec::encode_options html = {};
    html.unmappable = TEXTCODEC_UNMAPPABLE_HTML;
    CHECK(*textcodec::encode(encoding::koi8_r, "\xE6\x97\xA5", html, &summary) == "&#26085;");
    CHECK(summary.error_count == 1);
    CHECK(textcodec::encode(encoding::replacement, "a").error().code == status::unavailable);
    CHECK(textcodec::decode(encoding::none, "a").error().code == status::invalid_argument);
}

// Unit by unit: the comparison of std::wstring reads past its end in valgrind's eyes.
template <class String> static bool same(const String &a, const String &b) {
    const auto same_unit = [](auto x, auto y) { return x == y; };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_unit);
}

template <class String> static void test_appending(const String &expected) {
    const std::string_view bytes = "\xEF\xBB\xBF" "abc\xE6\x97\xA5\xFF\xF0\x9F\x98\x80"sv;
    for (std::size_t split = 0; split <= bytes.size(); split++) {
        auto decoder = textcodec::decoder::create(encoding::gbk);
        CHECK(decoder.has_value());
        String text;
        const auto first = decoder->append(bytes.substr(0, split), text, false);
        CHECK(first.code == status::ok && first.read == split && first.written == text.size());
        const auto copy = decoder->clone();
        CHECK(copy.has_value());
        CHECK(decoder->append(bytes.substr(split), text, true).code == status::ok);
        CHECK(same(text, expected));
        CHECK(decoder->position() == bytes.size() && decoder->error_count() == 1);
        CHECK(decoder->bom_removed() && decoder->used_encoding() == encoding::utf_8);
        CHECK(decoder->first_error().has_value() && decoder->first_error()->start == 9);
        CHECK(copy->position() == split);
        decoder->reset();
        CHECK(decoder->position() == 0 && !decoder->first_error());
    }
}

static void test_decoder() {
    test_appending<std::string>("abc\xE6\x97\xA5\xEF\xBF\xBD\xF0\x9F\x98\x80");
    test_appending<std::u16string>(u"abc\u65E5\uFFFD\U0001F600");
    test_appending<std::u32string>(U"abc\u65E5\uFFFD\U0001F600");
    test_appending<std::wstring>(L"abc\u65E5\uFFFD\U0001F600");

    auto made = textcodec::decoder::create(encoding::shift_jis);
    CHECK(made.has_value());
    textcodec::decoder decoder = *std::move(made);
    char small[4];
    auto done = decoder.to_utf8(sjis, small, false);
    CHECK(done.code == status::output_full && done.read == 2 && done.written == 3);
    CHECK(decoder.set_malformed(TEXTCODEC_MALFORMED_PAUSE) == status::ok);
    std::array<char32_t, 8> numbers;
    done = decoder.to_utf32("\xFF\x41", numbers, true);
    CHECK(done.code == status::malformed && done.where.start == 2 && done.read == 1);
    std::u16string units(5, u'.');
    CHECK(decoder.to_utf16("\x41", units, false).written == 1 && units == u"A....");
    CHECK(decoder.is_at_rest() && decoder.get() != nullptr);
    CHECK(decoder.max_utf8(10) >= 30 && decoder.max_utf16(10) >= 10 && decoder.max_utf32(10) >= 10);
    textcodec::decoder other = std::move(decoder);
    CHECK(other.position() == 4);
    std::string text;
    const std::string large(5000, 'x');
    CHECK(other.append(large, text, false).written == 5000 && text == large);
    CHECK(textcodec::decoder::create(encoding::none).error().code == status::invalid_argument);
}

static void test_encoder() {
    for (std::size_t split = 0; split <= utf8.size(); split++) {
        auto encoder = textcodec::encoder::create(encoding::shift_jis);
        CHECK(encoder.has_value());
        std::string bytes;
        CHECK(encoder->append(utf8.substr(0, split), bytes, false).read == split);
        CHECK(encoder->append(utf8.substr(split), bytes, true).code == status::ok);
        CHECK(bytes == sjis && encoder->position() == utf8.size() && encoder->is_at_rest());
    }
    auto encoder = textcodec::encoder::create(encoding::koi8_r);
    CHECK(encoder->used_encoding() == encoding::koi8_r);
    std::string bytes;
    CHECK(encoder->append(u"\u0414"sv, bytes, false).code == status::ok);
    CHECK(encoder->append(U"\u0430"sv, bytes, false).code == status::ok);
    CHECK(encoder->append(L"!"sv, bytes, false).code == status::ok && bytes == "\xE4\xC1!");
    CHECK(encoder->set_unmappable(TEXTCODEC_UNMAPPABLE_REPLACE, U'?') == status::ok);
    CHECK(encoder->append("\xE6\x97\xA5"sv, bytes, true).code == status::ok && bytes.back() == '?');
    CHECK(encoder->error_count() == 1 && encoder->first_error()->code_point == 0x65E5);
    CHECK(encoder->clone()->error_count() == 1);
    encoder->reset();
    CHECK(encoder->error_count() == 0 && encoder->get() != nullptr);
    char one[1];
    CHECK(encoder->from_utf8("ab", one, true).code == status::output_full && one[0] == 'a');
    CHECK(encoder->from_utf16(u"b", one, true).written == 1);
    CHECK(encoder->from_utf32(U"c", one, true).written == 1);
    CHECK(encoder->from_wide(L"d", one, true).written == 1 && one[0] == 'd');
    CHECK(encoder->max_from_utf8(8) >= 8 && encoder->max_from_utf16(8) >= 8);
    CHECK(encoder->max_from_utf32(8) >= 8);
    CHECK(textcodec::encoder::create(encoding::replacement).error().code == status::unavailable);
}

static void test_forms() {
    CHECK(textcodec::ascii_valid_up_to("caf\xC3\xA9") == 3);
    CHECK(textcodec::utf8_valid_up_to("caf\xC3") == 3);
    CHECK(textcodec::utf16_valid_up_to(u"ab") == 2);
}

int main() {
    test_encodings();
    test_whole();
    test_decoder();
    test_encoder();
    test_forms();
    std::printf("C++ %ld, std::expected %d, %d failures\n", static_cast<long>(__cplusplus),
#ifdef __cpp_lib_expected
                1,
#else
                0,
#endif
                failures);
    return failures > 0;
}
