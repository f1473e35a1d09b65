// textcodec: the Encoding Standard (https://encoding.spec.whatwg.org/) in C++17 and later.
//
// This header needs the library textcodec and textcodec.h, which documents the options, the errors
// and the rules. Nothing here throws, except std::bad_alloc and std::length_error from strings. It
// can be used without exceptions and without RTTI.
//
// Functions that can fail return a result: std::expected from C++23 on, a class with its most
// important members before. An object must not be used by two threads at the same time.
#ifndef TEXTCODEC_HPP
#define TEXTCODEC_HPP

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#if defined(__has_include)
#if __has_include(<version>)
#include <version>
#endif
#endif
#ifdef __cpp_lib_expected
#include <expected>
#endif

#include "textcodec.h"

namespace textcodec {

// An encoding. The values are those of textcodec_encoding.
enum class encoding : std::int32_t {
    none = TEXTCODEC_NONE,
    // Encodings, by `cargo xtask tables`.
    utf_8 = TEXTCODEC_UTF_8,
    ibm866 = TEXTCODEC_IBM866,
    iso_8859_2 = TEXTCODEC_ISO_8859_2,
    iso_8859_3 = TEXTCODEC_ISO_8859_3,
    iso_8859_4 = TEXTCODEC_ISO_8859_4,
    iso_8859_5 = TEXTCODEC_ISO_8859_5,
    iso_8859_6 = TEXTCODEC_ISO_8859_6,
    iso_8859_7 = TEXTCODEC_ISO_8859_7,
    iso_8859_8 = TEXTCODEC_ISO_8859_8,
    iso_8859_8_i = TEXTCODEC_ISO_8859_8_I,
    iso_8859_10 = TEXTCODEC_ISO_8859_10,
    iso_8859_13 = TEXTCODEC_ISO_8859_13,
    iso_8859_14 = TEXTCODEC_ISO_8859_14,
    iso_8859_15 = TEXTCODEC_ISO_8859_15,
    iso_8859_16 = TEXTCODEC_ISO_8859_16,
    koi8_r = TEXTCODEC_KOI8_R,
    koi8_u = TEXTCODEC_KOI8_U,
    macintosh = TEXTCODEC_MACINTOSH,
    windows_874 = TEXTCODEC_WINDOWS_874,
    windows_1250 = TEXTCODEC_WINDOWS_1250,
    windows_1251 = TEXTCODEC_WINDOWS_1251,
    windows_1252 = TEXTCODEC_WINDOWS_1252,
    windows_1253 = TEXTCODEC_WINDOWS_1253,
    windows_1254 = TEXTCODEC_WINDOWS_1254,
    windows_1255 = TEXTCODEC_WINDOWS_1255,
    windows_1256 = TEXTCODEC_WINDOWS_1256,
    windows_1257 = TEXTCODEC_WINDOWS_1257,
    windows_1258 = TEXTCODEC_WINDOWS_1258,
    x_mac_cyrillic = TEXTCODEC_X_MAC_CYRILLIC,
    gbk = TEXTCODEC_GBK,
    gb18030 = TEXTCODEC_GB18030,
    big5 = TEXTCODEC_BIG5,
    euc_jp = TEXTCODEC_EUC_JP,
    iso_2022_jp = TEXTCODEC_ISO_2022_JP,
    shift_jis = TEXTCODEC_SHIFT_JIS,
    euc_kr = TEXTCODEC_EUC_KR,
    replacement = TEXTCODEC_REPLACEMENT,
    utf_16be = TEXTCODEC_UTF_16BE,
    utf_16le = TEXTCODEC_UTF_16LE,
    x_user_defined = TEXTCODEC_X_USER_DEFINED,
    latin1 = TEXTCODEC_LATIN1,
    us_ascii = TEXTCODEC_US_ASCII,
    ibm437 = TEXTCODEC_IBM437,
    dos_720 = TEXTCODEC_DOS_720,
    ibm737 = TEXTCODEC_IBM737,
    ibm775 = TEXTCODEC_IBM775,
    ibm808 = TEXTCODEC_IBM808,
    ibm850 = TEXTCODEC_IBM850,
    ibm852 = TEXTCODEC_IBM852,
    ibm855 = TEXTCODEC_IBM855,
    ibm857 = TEXTCODEC_IBM857,
    ibm00858 = TEXTCODEC_IBM00858,
    ibm860 = TEXTCODEC_IBM860,
    ibm861 = TEXTCODEC_IBM861,
    ibm862 = TEXTCODEC_IBM862,
    ibm863 = TEXTCODEC_IBM863,
    ibm864 = TEXTCODEC_IBM864,
    ibm865 = TEXTCODEC_IBM865,
    ibm869 = TEXTCODEC_IBM869,
    ibm1125 = TEXTCODEC_IBM1125,
    ibm037 = TEXTCODEC_IBM037,
    ibm273 = TEXTCODEC_IBM273,
    ibm277 = TEXTCODEC_IBM277,
    ibm278 = TEXTCODEC_IBM278,
    ibm280 = TEXTCODEC_IBM280,
    ibm284 = TEXTCODEC_IBM284,
    ibm285 = TEXTCODEC_IBM285,
    ibm297 = TEXTCODEC_IBM297,
    ibm500 = TEXTCODEC_IBM500,
    ibm871 = TEXTCODEC_IBM871,
    ibm00924 = TEXTCODEC_IBM00924,
    ibm1047 = TEXTCODEC_IBM1047,
    ibm01140 = TEXTCODEC_IBM01140,
    ibm01141 = TEXTCODEC_IBM01141,
    ibm01142 = TEXTCODEC_IBM01142,
    ibm01143 = TEXTCODEC_IBM01143,
    ibm01144 = TEXTCODEC_IBM01144,
    ibm01145 = TEXTCODEC_IBM01145,
    ibm01146 = TEXTCODEC_IBM01146,
    ibm01147 = TEXTCODEC_IBM01147,
    ibm01148 = TEXTCODEC_IBM01148,
    ibm01149 = TEXTCODEC_IBM01149,
    true_iso_8859_9 = TEXTCODEC_TRUE_ISO_8859_9,
    true_iso_8859_11 = TEXTCODEC_TRUE_ISO_8859_11,
    true_tis_620 = TEXTCODEC_TRUE_TIS_620,
    true_koi8_u = TEXTCODEC_TRUE_KOI8_U,
    true_koi8_ru = TEXTCODEC_TRUE_KOI8_RU,
    koi8_t = TEXTCODEC_KOI8_T,
    ibm290 = TEXTCODEC_IBM290,
    ibm420 = TEXTCODEC_IBM420,
    ibm424 = TEXTCODEC_IBM424,
    ibm_thai = TEXTCODEC_IBM_THAI,
    ibm870 = TEXTCODEC_IBM870,
    ibm875 = TEXTCODEC_IBM875,
    ibm880 = TEXTCODEC_IBM880,
    ibm905 = TEXTCODEC_IBM905,
    ibm918 = TEXTCODEC_IBM918,
    ibm1025 = TEXTCODEC_IBM1025,
    ibm1026 = TEXTCODEC_IBM1026,
    ibm1097 = TEXTCODEC_IBM1097,
    ibm1112 = TEXTCODEC_IBM1112,
    ibm1122 = TEXTCODEC_IBM1122,
    ibm1123 = TEXTCODEC_IBM1123,
    ibm1130 = TEXTCODEC_IBM1130,
    ibm1153 = TEXTCODEC_IBM1153,
    ibm1154 = TEXTCODEC_IBM1154,
    ibm1155 = TEXTCODEC_IBM1155,
    ibm1156 = TEXTCODEC_IBM1156,
    ibm1157 = TEXTCODEC_IBM1157,
    ibm1158 = TEXTCODEC_IBM1158,
    ibm1160 = TEXTCODEC_IBM1160,
    ibm1164 = TEXTCODEC_IBM1164,
    x_mac_ce = TEXTCODEC_X_MAC_CE,
    x_mac_greek = TEXTCODEC_X_MAC_GREEK,
    x_mac_turkish = TEXTCODEC_X_MAC_TURKISH,
    x_mac_croatian = TEXTCODEC_X_MAC_CROATIAN,
    x_mac_romanian = TEXTCODEC_X_MAC_ROMANIAN,
    x_mac_icelandic = TEXTCODEC_X_MAC_ICELANDIC,
    viscii = TEXTCODEC_VISCII,
    tcvn5712_1 = TEXTCODEC_TCVN5712_1,
    ptcp154 = TEXTCODEC_PTCP154,
    kz_1048 = TEXTCODEC_KZ_1048,
    armscii_8 = TEXTCODEC_ARMSCII_8,
    georgian_academy = TEXTCODEC_GEORGIAN_ACADEMY,
    georgian_ps = TEXTCODEC_GEORGIAN_PS,
    hp_roman8 = TEXTCODEC_HP_ROMAN8,
    nextstep = TEXTCODEC_NEXTSTEP,
    dec_mcs = TEXTCODEC_DEC_MCS,
    mik = TEXTCODEC_MIK,
    utf_7 = TEXTCODEC_UTF_7,
    utf_7_imap = TEXTCODEC_UTF_7_IMAP,
    utf_32 = TEXTCODEC_UTF_32,
    utf_32be = TEXTCODEC_UTF_32BE,
    utf_32le = TEXTCODEC_UTF_32LE,
    true_ucs_2be = TEXTCODEC_TRUE_UCS_2BE,
    true_ucs_2le = TEXTCODEC_TRUE_UCS_2LE,
    cesu_8 = TEXTCODEC_CESU_8,
    true_hz = TEXTCODEC_TRUE_HZ,
    true_iso_2022_kr = TEXTCODEC_TRUE_ISO_2022_KR,
    johab = TEXTCODEC_JOHAB,
    gsm_03_38 = TEXTCODEC_GSM_03_38,
};

// The result of a function of the library. See textcodec_status.
enum class status : std::int32_t {
    ok = TEXTCODEC_OK,
    output_full = TEXTCODEC_OUTPUT_FULL,
    malformed = TEXTCODEC_MALFORMED,
    unmappable = TEXTCODEC_UNMAPPABLE,
    invalid_argument = TEXTCODEC_INVALID_ARGUMENT,
    no_memory = TEXTCODEC_NO_MEMORY,
    unavailable = TEXTCODEC_UNAVAILABLE,
};

using error = textcodec_error;
using summary = textcodec_summary;
using decode_options = textcodec_decode_options;
using encode_options = textcodec_encode_options;

// Why a function has failed. `where` is the error if `code` is malformed or unmappable.
struct failure {
    status code = status::ok;
    textcodec_error where = {};
};

// What depends on the result is in a namespace for each kind of it, so that files for different
// standards can be linked into one program.
#ifdef __cpp_lib_expected
#define TEXTCODEC_RESULT_ with_expected
#else
#define TEXTCODEC_RESULT_ with_optional
#endif

inline namespace TEXTCODEC_RESULT_ {

#ifdef __cpp_lib_expected

template <class T> using result = std::expected<T, failure>;

namespace detail {
inline std::unexpected<failure> fail(const failure &why) { return std::unexpected<failure>(why); }
} // namespace detail

#else

// A value, or why there is none.
template <class T> class result {
  public:
    result(T value) : value_(std::move(value)) {}
    result(const failure &why) : error_(why) {}

    bool has_value() const noexcept { return value_.has_value(); }
    explicit operator bool() const noexcept { return value_.has_value(); }

    // These need a value.
    T &operator*() & noexcept { return *value_; }
    const T &operator*() const & noexcept { return *value_; }
    T &&operator*() && noexcept { return *std::move(value_); }
    T *operator->() noexcept { return &*value_; }
    const T *operator->() const noexcept { return &*value_; }

    template <class U> T value_or(U &&other) const & {
        return value_ ? *value_ : static_cast<T>(std::forward<U>(other));
    }

    // This needs that there is no value.
    const failure &error() const noexcept { return error_; }

  private:
    std::optional<T> value_;
    failure error_;
};

namespace detail {
inline const failure &fail(const failure &why) { return why; }
} // namespace detail

#endif

} // namespace TEXTCODEC_RESULT_

// A destination: contiguous units, which it does not own.
template <class T> class span {
  public:
    constexpr span() noexcept = default;
    constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
    template <std::size_t N> constexpr span(T (&array)[N]) noexcept : data_(array), size_(N) {}
    template <class C, class = std::enable_if_t<std::is_convertible_v<
                           std::remove_pointer_t<decltype(std::data(std::declval<C &>()))> (*)[],
                           T (*)[]>>>
    constexpr span(C &container) noexcept
        : data_(std::data(container)), size_(std::size(container)) {}

    constexpr T *data() const noexcept { return data_; }
    constexpr std::size_t size() const noexcept { return size_; }

  private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};

// A source of bytes, which it does not own: from a string that ends with a NUL, a std::string_view,
// or a container of char, unsigned char or std::byte. An array of char is taken for a string, so a
// buffer, or bytes that contain NULs, need their size: bytes_view(buffer, size).
class bytes_view {
  public:
    constexpr bytes_view() noexcept = default;
    constexpr bytes_view(const void *data, std::size_t size) noexcept : data_(data), size_(size) {}
    constexpr bytes_view(const char *string) noexcept : bytes_view(std::string_view(string)) {}
    template <class C, class = std::enable_if_t<!std::is_array_v<C>>,
              class Byte = std::remove_cv_t<
                  std::remove_pointer_t<decltype(std::data(std::declval<const C &>()))>>,
              class = std::enable_if_t<std::is_trivial_v<Byte> && sizeof(Byte) == 1>>
    constexpr bytes_view(const C &container) noexcept
        : data_(std::data(container)), size_(std::size(container)) {}

    constexpr const void *data() const noexcept { return data_; }
    constexpr std::size_t size() const noexcept { return size_; }

  private:
    const void *data_ = nullptr;
    std::size_t size_ = 0;
};

// ---- Encodings ----

// Returns the encoding of a label in a document or protocol, or none.
inline encoding for_label(std::string_view label) noexcept {
    return static_cast<encoding>(textcodec_encoding_for_label(label.data(), label.size()));
}

// Returns the encoding of a name, also of one outside the standard, or none.
inline encoding for_name(std::string_view name) noexcept {
    return static_cast<encoding>(textcodec_encoding_for_name(name.data(), name.size()));
}

// Returns the encoding of a byte order mark at the start of the bytes, or none. `length` becomes
// the length of the mark.
inline encoding for_bom(bytes_view bytes, std::size_t *length = nullptr) noexcept {
    return static_cast<encoding>(textcodec_encoding_for_bom(bytes.data(), bytes.size(), length));
}

// Returns the name, or an empty string if the encoding is unknown.
inline std::string_view name(encoding of) noexcept {
    const char *name = textcodec_encoding_name(static_cast<textcodec_encoding>(of));
    return name != nullptr ? std::string_view(name) : std::string_view();
}

// Returns the encoding for forms and URLs of a page in this encoding.
inline encoding output_encoding(encoding of) noexcept {
    return static_cast<encoding>(textcodec_encoding_output(static_cast<textcodec_encoding>(of)));
}

inline bool is_ascii_compatible(encoding of) noexcept {
    return textcodec_encoding_is_ascii_compatible(static_cast<textcodec_encoding>(of));
}

inline bool is_single_byte(encoding of) noexcept {
    return textcodec_encoding_is_single_byte(static_cast<textcodec_encoding>(of));
}

inline bool can_encode(encoding in, char32_t character) noexcept {
    return textcodec_encoding_can_encode(static_cast<textcodec_encoding>(in), character);
}

inline bool has_encoder(encoding of) noexcept {
    return textcodec_encoding_has_encoder(static_cast<textcodec_encoding>(of));
}

// ---- Whole inputs ----

inline namespace TEXTCODEC_RESULT_ {

namespace detail {

struct deleter {
    void operator()(void *memory) const noexcept { textcodec_free(memory); }
    void operator()(textcodec_decoder *decoder) const noexcept { textcodec_decoder_free(decoder); }
    void operator()(textcodec_encoder *encoder) const noexcept { textcodec_encoder_free(encoder); }
};

// Copies the result of a function for whole inputs into a string, and frees it.
template <class String, class Function>
result<String> whole(Function function, textcodec_summary *report) {
    textcodec_summary own = {};
    textcodec_summary &used = report != nullptr ? *report : own;
    typename String::value_type *units = nullptr;
    std::size_t length = 0;
    const textcodec_status code = function(&units, &length, &used);
    if (code != TEXTCODEC_OK) {
        return fail(failure{static_cast<status>(code), used.first_error});
    }
    // If the string throws, this frees the memory.
    const std::unique_ptr<typename String::value_type, deleter> memory(units);
    return String(units, length);
}

template <class Encode, class View>
result<std::string> encode_whole(Encode encode, encoding to, View text,
                                 const encode_options &options, textcodec_summary *report) {
    return whole<std::string>(
        [&](char **bytes, std::size_t *length, textcodec_summary *used) {
            void *memory = nullptr;
            const textcodec_status code = encode(static_cast<textcodec_encoding>(to), text.data(),
                                                 text.size(), &options, &memory, length, used);
            *bytes = static_cast<char *>(memory);
            return code;
        },
        report);
}

} // namespace detail

// Decodes a whole input to UTF-8. The default options are what browsers do. `report` becomes what
// happened apart from the text.
[[nodiscard]] inline result<std::string> decode(encoding from, bytes_view bytes,
                                                const decode_options &options = {},
                                                summary *report = nullptr) {
    return detail::whole<std::string>(
        [&](auto text, auto length, auto used) {
            return textcodec_decode(static_cast<textcodec_encoding>(from), bytes.data(),
                                    bytes.size(), &options, text, length, used);
        },
        report);
}

// Decodes a whole input to UTF-16. See decode.
[[nodiscard]] inline result<std::u16string> decode_utf16(encoding from, bytes_view bytes,
                                                         const decode_options &options = {},
                                                         summary *report = nullptr) {
    return detail::whole<std::u16string>(
        [&](auto text, auto length, auto used) {
            return textcodec_decode_utf16(static_cast<textcodec_encoding>(from), bytes.data(),
                                          bytes.size(), &options, text, length, used);
        },
        report);
}

// Decodes a whole input to UTF-32. See decode.
[[nodiscard]] inline result<std::u32string> decode_utf32(encoding from, bytes_view bytes,
                                                         const decode_options &options = {},
                                                         summary *report = nullptr) {
    return detail::whole<std::u32string>(
        [&](auto text, auto length, auto used) {
            return textcodec_decode_utf32(static_cast<textcodec_encoding>(from), bytes.data(),
                                          bytes.size(), &options, text, length, used);
        },
        report);
}

// Decodes a whole input to a wide string. See decode.
[[nodiscard]] inline result<std::wstring> decode_wide(encoding from, bytes_view bytes,
                                                      const decode_options &options = {},
                                                      summary *report = nullptr) {
    return detail::whole<std::wstring>(
        [&](auto text, auto length, auto used) {
            return textcodec_decode_wchar(static_cast<textcodec_encoding>(from), bytes.data(),
                                          bytes.size(), &options, text, length, used);
        },
        report);
}

// Encodes a whole text. By default, fails at a character that the encoding cannot represent. The
// text may be ill-formed.
[[nodiscard]] inline result<std::string> encode(encoding to, std::string_view text,
                                                const encode_options &options = {},
                                                summary *report = nullptr) {
    return detail::encode_whole(textcodec_encode, to, text, options, report);
}

[[nodiscard]] inline result<std::string> encode(encoding to, std::u16string_view text,
                                                const encode_options &options = {},
                                                summary *report = nullptr) {
    return detail::encode_whole(textcodec_encode_utf16, to, text, options, report);
}

[[nodiscard]] inline result<std::string> encode(encoding to, std::u32string_view text,
                                                const encode_options &options = {},
                                                summary *report = nullptr) {
    return detail::encode_whole(textcodec_encode_utf32, to, text, options, report);
}

[[nodiscard]] inline result<std::string> encode(encoding to, std::wstring_view text,
                                                const encode_options &options = {},
                                                summary *report = nullptr) {
    return detail::encode_whole(textcodec_encode_wchar, to, text, options, report);
}

#ifdef __cpp_lib_char8_t
[[nodiscard]] inline result<std::string> encode(encoding to, std::u8string_view text,
                                                const encode_options &options = {},
                                                summary *report = nullptr) {
    const void *const data = text.data();
    const std::string_view bytes(static_cast<const char *>(data), text.size());
    return encode(to, bytes, options, report);
}
#endif

} // namespace TEXTCODEC_RESULT_

// ---- Chunks ----

// What a call that converts a chunk has done. `where` is the error if `code` is malformed or
// unmappable.
struct progress {
    std::size_t read = 0;
    std::size_t written = 0;
    status code = status::ok;
    textcodec_error where = {};
};

inline namespace TEXTCODEC_RESULT_ {

namespace detail {

template <class Object, class Source, class Unit, class Function>
progress convert(Function function, Object *object, Source source, std::size_t length,
                 span<Unit> to, bool last) noexcept {
    progress done;
    done.read = length;
    done.written = to.size();
    done.code = static_cast<status>(
        function(object, source, &done.read, to.data(), &done.written, last, &done.where));
    return done;
}

// Converts a chunk with `step`, and appends the output to a string.
template <class String, class Step> progress append(String &out, std::size_t length, Step step) {
    typename String::value_type buffer[1024];
    progress all;
    do {
        const progress done = step(all.read, span<typename String::value_type>(buffer));
        out.append(buffer, done.written);
        all.read += done.read;
        all.written += done.written;
        all.code = done.code;
        all.where = done.where;
    } while (all.code == status::output_full && all.read <= length);
    return all;
}

} // namespace detail

// Decodes an input in chunks. See textcodec_decoder_to_utf8.
class decoder {
  public:
    [[nodiscard]] static result<decoder> create(encoding from, const decode_options &options = {}) {
        textcodec_decoder *made = nullptr;
        const auto number = static_cast<textcodec_encoding>(from);
        const textcodec_status code = textcodec_decoder_new(number, &options, &made);
        return take(code, made);
    }

    // Returns a copy with the same state.
    [[nodiscard]] result<decoder> clone() const {
        textcodec_decoder *made = nullptr;
        const textcodec_status code = textcodec_decoder_clone(object_.get(), &made);
        return take(code, made);
    }

    // Decode a chunk to a destination of any size. `last` means that the input ends with the chunk.
    progress to_utf8(bytes_view chunk, span<char> to, bool last) noexcept {
        return run(textcodec_decoder_to_utf8, chunk, to, last);
    }
    progress to_utf16(bytes_view chunk, span<char16_t> to, bool last) noexcept {
        return run(textcodec_decoder_to_utf16, chunk, to, last);
    }
    progress to_utf32(bytes_view chunk, span<char32_t> to, bool last) noexcept {
        return run(textcodec_decoder_to_utf32, chunk, to, last);
    }
    progress to_wide(bytes_view chunk, span<wchar_t> to, bool last) noexcept {
        return run(textcodec_decoder_to_wchar, chunk, to, last);
    }

    // Decode a chunk, and append the text to a string. Stop only at the end of the chunk, and at an
    // error that is not replaced.
    progress append(bytes_view chunk, std::string &text, bool last) {
        return grow(&decoder::to_utf8, chunk, text, last);
    }
    progress append(bytes_view chunk, std::u16string &text, bool last) {
        return grow(&decoder::to_utf16, chunk, text, last);
    }
    progress append(bytes_view chunk, std::u32string &text, bool last) {
        return grow(&decoder::to_utf32, chunk, text, last);
    }
    progress append(bytes_view chunk, std::wstring &text, bool last) {
        return grow(&decoder::to_wide, chunk, text, last);
    }

    // Discards the state and starts a new input.
    void reset() noexcept { textcodec_decoder_reset(object_.get()); }

    // Changes how malformed bytes are handled: TEXTCODEC_MALFORMED_...
    status set_malformed(std::int32_t malformed) noexcept {
        return static_cast<status>(textcodec_decoder_set_malformed(object_.get(), malformed));
    }

    encoding used_encoding() const noexcept {
        return static_cast<encoding>(textcodec_decoder_encoding(object_.get()));
    }
    bool bom_removed() const noexcept { return textcodec_decoder_bom_removed(object_.get()); }
    std::uint64_t position() const noexcept { return textcodec_decoder_position(object_.get()); }
    std::uint64_t error_count() const noexcept {
        return textcodec_decoder_error_count(object_.get());
    }
    bool is_at_rest() const noexcept { return textcodec_decoder_is_at_rest(object_.get()); }

    // Returns the first error that was replaced.
    std::optional<error> first_error() const noexcept {
        error first = {};
        return textcodec_decoder_first_error(object_.get(), &first) ? std::optional<error>(first)
                                                                    : std::nullopt;
    }

    std::size_t max_utf8(std::size_t length) const noexcept {
        return textcodec_decoder_max_utf8(object_.get(), length);
    }
    std::size_t max_utf16(std::size_t length) const noexcept {
        return textcodec_decoder_max_utf16(object_.get(), length);
    }
    std::size_t max_utf32(std::size_t length) const noexcept {
        return textcodec_decoder_max_utf32(object_.get(), length);
    }

    // Returns the object for functions of textcodec.h. This object still owns it.
    textcodec_decoder *get() const noexcept { return object_.get(); }

  private:
    explicit decoder(textcodec_decoder *object) noexcept : object_(object) {}

    static result<decoder> take(textcodec_status code, textcodec_decoder *made) {
        if (code != TEXTCODEC_OK) {
            return detail::fail(failure{static_cast<status>(code), {}});
        }
        return decoder(made);
    }

    template <class Unit, class Function>
    progress run(Function function, bytes_view chunk, span<Unit> to, bool last) noexcept {
        return detail::convert(function, object_.get(), chunk.data(), chunk.size(), to, last);
    }

    template <class String, class Member>
    progress grow(Member member, bytes_view chunk, String &text, bool last) {
        return detail::append(text, chunk.size(), [&](std::size_t read, auto to) {
            const auto *const start = static_cast<const char *>(chunk.data());
            const std::size_t more = chunk.size() - read;
            const bytes_view rest(more > 0 ? start + read : nullptr, more);
            return (this->*member)(rest, to, last);
        });
    }

    std::unique_ptr<textcodec_decoder, detail::deleter> object_;
};

// Encodes a text in chunks. See textcodec_encoder_from_utf8.
class encoder {
  public:
    [[nodiscard]] static result<encoder> create(encoding to, const encode_options &options = {}) {
        textcodec_encoder *made = nullptr;
        const auto number = static_cast<textcodec_encoding>(to);
        const textcodec_status code = textcodec_encoder_new(number, &options, &made);
        return take(code, made);
    }

    // Returns a copy with the same state.
    [[nodiscard]] result<encoder> clone() const {
        textcodec_encoder *made = nullptr;
        const textcodec_status code = textcodec_encoder_clone(object_.get(), &made);
        return take(code, made);
    }

    // Encode a chunk to a destination of any size. `last` means that the text ends with the chunk.
    progress from_utf8(std::string_view chunk, span<char> to, bool last) noexcept {
        return run(textcodec_encoder_from_utf8, chunk, to, last);
    }
    progress from_utf16(std::u16string_view chunk, span<char> to, bool last) noexcept {
        return run(textcodec_encoder_from_utf16, chunk, to, last);
    }
    progress from_utf32(std::u32string_view chunk, span<char> to, bool last) noexcept {
        return run(textcodec_encoder_from_utf32, chunk, to, last);
    }
    progress from_wide(std::wstring_view chunk, span<char> to, bool last) noexcept {
        return run(textcodec_encoder_from_wchar, chunk, to, last);
    }

    // Encode a chunk, and append the bytes to a string. Stop only at the end of the chunk, and at
    // an error that is neither replaced nor skipped.
    progress append(std::string_view chunk, std::string &bytes, bool last) {
        return grow(&encoder::from_utf8, chunk, bytes, last);
    }
    progress append(std::u16string_view chunk, std::string &bytes, bool last) {
        return grow(&encoder::from_utf16, chunk, bytes, last);
    }
    progress append(std::u32string_view chunk, std::string &bytes, bool last) {
        return grow(&encoder::from_utf32, chunk, bytes, last);
    }
    progress append(std::wstring_view chunk, std::string &bytes, bool last) {
        return grow(&encoder::from_wide, chunk, bytes, last);
    }

    // Discards the state and starts a new text.
    void reset() noexcept { textcodec_encoder_reset(object_.get()); }

    // Changes how unmappable characters are handled: TEXTCODEC_UNMAPPABLE_...
    status set_unmappable(std::int32_t unmappable, char32_t replacement = 0) noexcept {
        return static_cast<status>(
            textcodec_encoder_set_unmappable(object_.get(), unmappable, replacement));
    }

    encoding used_encoding() const noexcept {
        return static_cast<encoding>(textcodec_encoder_encoding(object_.get()));
    }
    std::uint64_t position() const noexcept { return textcodec_encoder_position(object_.get()); }
    std::uint64_t error_count() const noexcept {
        return textcodec_encoder_error_count(object_.get());
    }
    bool is_at_rest() const noexcept { return textcodec_encoder_is_at_rest(object_.get()); }

    // Returns the first error that was replaced or skipped.
    std::optional<error> first_error() const noexcept {
        error first = {};
        return textcodec_encoder_first_error(object_.get(), &first) ? std::optional<error>(first)
                                                                    : std::nullopt;
    }

    std::size_t max_from_utf8(std::size_t length) const noexcept {
        return textcodec_encoder_max_from_utf8(object_.get(), length);
    }
    std::size_t max_from_utf16(std::size_t length) const noexcept {
        return textcodec_encoder_max_from_utf16(object_.get(), length);
    }
    std::size_t max_from_utf32(std::size_t length) const noexcept {
        return textcodec_encoder_max_from_utf32(object_.get(), length);
    }

    // Returns the object for functions of textcodec.h. This object still owns it.
    textcodec_encoder *get() const noexcept { return object_.get(); }

  private:
    explicit encoder(textcodec_encoder *object) noexcept : object_(object) {}

    static result<encoder> take(textcodec_status code, textcodec_encoder *made) {
        if (code != TEXTCODEC_OK) {
            return detail::fail(failure{static_cast<status>(code), {}});
        }
        return encoder(made);
    }

    template <class View, class Function>
    progress run(Function function, View chunk, span<char> to, bool last) noexcept {
        return detail::convert(function, object_.get(), chunk.data(), chunk.size(), to, last);
    }

    template <class View, class Member>
    progress grow(Member member, View chunk, std::string &bytes, bool last) {
        return detail::append(bytes, chunk.size(), [&](std::size_t read, auto to) {
            return (this->*member)(chunk.substr(read), to, last);
        });
    }

    std::unique_ptr<textcodec_encoder, detail::deleter> object_;
};

} // namespace TEXTCODEC_RESULT_

// ---- Forms of Unicode ----

inline std::size_t ascii_valid_up_to(bytes_view bytes) noexcept {
    return textcodec_ascii_valid_up_to(bytes.data(), bytes.size());
}

inline std::size_t utf8_valid_up_to(bytes_view bytes) noexcept {
    return textcodec_utf8_valid_up_to(bytes.data(), bytes.size());
}

inline std::size_t utf16_valid_up_to(std::u16string_view text) noexcept {
    return textcodec_utf16_valid_up_to(text.data(), text.size());
}

} // namespace textcodec

#undef TEXTCODEC_RESULT_

#endif
