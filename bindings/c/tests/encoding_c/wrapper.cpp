/* The classes of encoding_rs_cpp.h: each function, with containers of several kinds. */

#include <array>
#include <cstring>
#include <type_traits>
#if __has_include(<span>) && __cplusplus >= 202002L
#include <span>
#endif

#include "check.h"
#include "encoding_rs_cpp.h"

using namespace std::literals;
using encoding_rs::Decoder;
using encoding_rs::Encoder;
using encoding_rs::Encoding;
using Bytes = std::vector<std::uint8_t>;

static_assert(!std::is_default_constructible_v<Decoder>);
static_assert(!std::is_copy_constructible_v<Encoder>);
static_assert(!std::is_destructible_v<Encoding>);
static_assert(std::is_same_v<decltype(UTF_8_ENCODING), const Encoding *const>);
/* A destination is not a temporary, and not constant. */
static_assert(std::is_convertible_v<Bytes &, encoding_rs::span<std::uint8_t>>);
static_assert(std::is_convertible_v<Bytes, encoding_rs::span<const std::uint8_t>>);
static_assert(std::is_convertible_v<const Bytes &, encoding_rs::span<const std::uint8_t>>);
static_assert(!std::is_convertible_v<Bytes, encoding_rs::span<std::uint8_t>>);
static_assert(!std::is_convertible_v<const Bytes &, encoding_rs::span<std::uint8_t>>);
static_assert(!std::is_convertible_v<std::string &, encoding_rs::span<std::uint8_t>>);

static Bytes bytes(std::string_view text) {
    return Bytes(text.begin(), text.end());
}

static void encodings() {
    const Encoding *sjis = Encoding::for_label("sjis");
    CHECK(sjis == SHIFT_JIS_ENCODING && sjis->name() == "Shift_JIS");
    CHECK(Encoding::for_label(std::string(" x-mac-cyrillic")) == X_MAC_CYRILLIC_ENCODING);
    CHECK(X_MAC_CYRILLIC_ENCODING->name() == "x-mac-cyrillic");
    CHECK(Encoding::for_label({}) == nullptr);
    CHECK(Encoding::for_label("hz-gb-2312"sv) == REPLACEMENT_ENCODING);
    CHECK(Encoding::for_label_no_replacement("hz-gb-2312"sv) == nullptr);
    const auto bom = Encoding::for_bom(bytes("\xFF\xFE" "a"));
    CHECK(bom && std::get<0>(*bom) == UTF_16LE_ENCODING && std::get<1>(*bom) == 2);
    CHECK(!Encoding::for_bom({}));
    CHECK(sjis->is_ascii_compatible() && !sjis->is_single_byte());
    CHECK(!sjis->can_encode_everything() && sjis->output_encoding() == sjis);
    CHECK(Encoding::utf8_valid_up_to(bytes("a\xFF")) == 1);
    CHECK(Encoding::ascii_valid_up_to(bytes("ab\xC3\xA9")) == 2);
    CHECK(Encoding::iso_2022_jp_ascii_valid_up_to(bytes("abc\x1B")) == 3);
}

static void whole_inputs() {
    const Bytes sjis = bytes("\x93\xFA\x96{");
    const auto [text, used, had_errors] = SHIFT_JIS_ENCODING->decode(sjis);
    CHECK(text == "日本" && used == SHIFT_JIS_ENCODING && !had_errors);
    const auto [text16, used16, had_errors16] =
        UTF_8_ENCODING->decode16(bytes("\xFE\xFF\x65\xE5\xD8"));
    CHECK(text16 == u"日\uFFFD" && used16 == UTF_16BE_ENCODING && had_errors16);

    const Bytes marked = bytes("\xEF\xBB\xBF" "a\xFF");
    CHECK(UTF_8_ENCODING->decode_with_bom_removal(marked) ==
          std::make_tuple("a\uFFFD"s, true));
    CHECK(UTF_8_ENCODING->decode_without_bom_handling(marked) ==
          std::make_tuple("\uFEFFa\uFFFD"s, true));
    CHECK(UTF_8_ENCODING->decode16_with_bom_removal(marked) ==
          std::make_tuple(u"a\uFFFD"s, true));
    CHECK(UTF_8_ENCODING->decode16_without_bom_handling(marked) ==
          std::make_tuple(u"\uFEFFa\uFFFD"s, true));
    CHECK(!UTF_8_ENCODING->decode_without_bom_handling_and_without_replacement(marked));
    CHECK(!UTF_8_ENCODING->decode16_without_bom_handling_and_without_replacement(marked));
    CHECK(UTF_8_ENCODING->decode_without_bom_handling_and_without_replacement(bytes("é")) == "é");
    CHECK(SHIFT_JIS_ENCODING->decode16_without_bom_handling_and_without_replacement(sjis) ==
          u"日本");
    /* The mark of another encoding is text. */
    CHECK(std::get<0>(WINDOWS_1252_ENCODING->decode_with_bom_removal(bytes("\xFF\xFE"))) == "ÿþ");
    CHECK(std::get<0>(UTF_8_ENCODING->decode({})).empty());

    CHECK(SHIFT_JIS_ENCODING->encode("日本"sv) == std::make_tuple(sjis, SHIFT_JIS_ENCODING, false));
    CHECK(SHIFT_JIS_ENCODING->encode(u"日本"sv) ==
          std::make_tuple(sjis, SHIFT_JIS_ENCODING, false));
    CHECK(UTF_16LE_ENCODING->encode(u"é\xD800"sv) ==
          std::make_tuple(bytes("é\uFFFD"), UTF_8_ENCODING, false));
    CHECK(std::get<0>(KOI8_R_ENCODING->encode(""sv)).empty());

    /* Many references, so that the buffer must grow. */
    std::string many;
    std::u16string many16;
    std::string expected;
    for (int i = 0; i < 1000; i++) {
        many += "字б";
        many16 += u"字б";
        expected += "&#23383;\xC2";
    }
    CHECK(KOI8_R_ENCODING->encode(many) ==
          std::make_tuple(bytes(expected), KOI8_R_ENCODING, true));
    CHECK(KOI8_R_ENCODING->encode(many16) ==
          std::make_tuple(bytes(expected), KOI8_R_ENCODING, true));
    CHECK(std::get<0>(KOI8_R_ENCODING->decode(bytes(expected))).size() == 10000);
}

static void decoders() {
    std::unique_ptr<Decoder> decoder = SHIFT_JIS_ENCODING->new_decoder();
    std::array<std::uint8_t, 32> utf8;
    char16_t utf16[32];
    const std::uint8_t input[] = {0x93, 0xFA, 0xFF};
    CHECK(decoder->encoding() == SHIFT_JIS_ENCODING);
    CHECK(decoder->max_utf8_buffer_length(3).value() >= 9);
    CHECK(decoder->max_utf8_buffer_length_without_replacement(3).value() >= 6);
    CHECK(decoder->max_utf16_buffer_length(3).value() >= 3);
    CHECK(!decoder->max_utf8_buffer_length(SIZE_MAX));
    CHECK(!decoder->max_utf8_buffer_length_without_replacement(SIZE_MAX));
    CHECK(!decoder->max_utf16_buffer_length(SIZE_MAX));
    CHECK(!decoder->latin1_byte_compatible_up_to(input));
    CHECK(decoder->decode_to_utf8(input, utf8, true) ==
          std::make_tuple(std::uint32_t{INPUT_EMPTY}, std::size_t{3}, std::size_t{6}, true));
    CHECK(std::memcmp(utf8.data(), "日\uFFFD", 6) == 0);

    SHIFT_JIS_ENCODING->new_decoder_into(*decoder);
    CHECK(decoder->decode_to_utf16(input, utf16, true) ==
          std::make_tuple(std::uint32_t{INPUT_EMPTY}, std::size_t{3}, std::size_t{2}, true));
    CHECK(utf16[0] == u'日' && utf16[1] == 0xFFFD);

    SHIFT_JIS_ENCODING->new_decoder_without_bom_handling_into(*decoder);
    CHECK(decoder->latin1_byte_compatible_up_to(bytes("ab\xFF")) == std::size_t{2});
    CHECK(decoder->decode_to_utf8_without_replacement(input, utf8, true) ==
          std::make_tuple(std::uint32_t{1}, std::size_t{3}, std::size_t{3}));
    UTF_8_ENCODING->new_decoder_with_bom_removal_into(*decoder);
    CHECK(decoder->decode_to_utf16_without_replacement(bytes("\xEF\xBB\xBF" "a\xE2\x82!"), utf16,
                                                       true) ==
          std::make_tuple(std::uint32_t{2}, std::size_t{6}, std::size_t{1}));
    CHECK(UTF_8_ENCODING->new_decoder_with_bom_removal()->encoding() == UTF_8_ENCODING);
    CHECK(UTF_8_ENCODING->new_decoder_without_bom_handling()->encoding() == UTF_8_ENCODING);

    /* Empty containers, whose data() may be null. */
    CHECK(BIG5_ENCODING->new_decoder()->decode_to_utf8({}, {}, true) ==
          std::make_tuple(std::uint32_t{INPUT_EMPTY}, std::size_t{0}, std::size_t{0}, false));
#ifdef __cpp_lib_span
    const std::span<const std::uint8_t> view(input);
    CHECK(std::get<0>(SHIFT_JIS_ENCODING->decode(view.first(2))) == "日");
#endif
}

static void encoders() {
    std::unique_ptr<Encoder> encoder = ISO_2022_JP_ENCODING->new_encoder();
    std::vector<std::uint8_t> output(32);
    CHECK(encoder->encoding() == ISO_2022_JP_ENCODING && !encoder->has_pending_state());
    CHECK(encoder->encode_from_utf8("日"sv, output, false) ==
          std::make_tuple(std::uint32_t{INPUT_EMPTY}, std::size_t{3}, std::size_t{5}, false));
    CHECK(encoder->has_pending_state());
    CHECK(encoder->encode_from_utf16(u"é"sv, output, true) ==
          std::make_tuple(std::uint32_t{INPUT_EMPTY}, std::size_t{1}, std::size_t{9}, true));
    CHECK(std::memcmp(output.data(), "\x1B(B&#233;", 9) == 0);
    KOI8_R_ENCODING->new_encoder_into(*encoder);
    CHECK(encoder->encode_from_utf8_without_replacement("a字"sv, output, true) ==
          std::make_tuple(std::uint32_t{0x5B57}, std::size_t{4}, std::size_t{1}));
    CHECK(encoder->encode_from_utf16_without_replacement(u"б"sv, output, true) ==
          std::make_tuple(std::uint32_t{INPUT_EMPTY}, std::size_t{1}, std::size_t{1}));
    CHECK(encoder->max_buffer_length_from_utf8_if_no_unmappables(9).value() >= 9);
    CHECK(encoder->max_buffer_length_from_utf8_without_replacement(9).value() >= 9);
    CHECK(encoder->max_buffer_length_from_utf16_if_no_unmappables(9).value() >= 9);
    CHECK(encoder->max_buffer_length_from_utf16_without_replacement(9).value() >= 9);
    CHECK(!encoder->max_buffer_length_from_utf16_if_no_unmappables(SIZE_MAX));
}

int main() {
    encodings();
    whole_inputs();
    decoders();
    encoders();
    return finish("wrapper");
}
