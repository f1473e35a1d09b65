/*
 * The classes Encoding, Decoder and Encoder for C++17, on top of encoding_rs.h, which explains the
 * functions with the same names. Link with -lencoding_c.
 *
 *     auto [text, used, had_errors] = encoding_rs::SHIFT_JIS_ENCODING->decode(bytes);
 *
 * The API is that of the header in encoding_c 0.9.8, without the Guidelines Support Library:
 *
 *   gsl::span          encoding_rs::span, to which containers, arrays and gsl::span convert
 *   gsl::cstring_span  std::string_view
 *   gsl::not_null<P>   P, which is never null where that header has gsl::not_null
 *
 * Decoder and Encoder are opaque. Encoding makes them, and std::unique_ptr frees them. Functions
 * that allocate throw std::bad_alloc if there is no memory. Those that convert whole inputs throw
 * std::overflow_error if the output may be longer than the address space. In programs without
 * exceptions, they end the program.
 */

#pragma once

#ifndef ENCODING_RS_CPP_H
#define ENCODING_RS_CPP_H

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "encoding_rs_span.h"

namespace encoding_rs {
class Encoding;
class Decoder;
class Encoder;
}  // namespace encoding_rs

#define ENCODING_RS_ENCODING encoding_rs::Encoding
#define ENCODING_RS_DECODER encoding_rs::Decoder
#define ENCODING_RS_ENCODER encoding_rs::Encoder

#include "encoding_rs.h"

namespace encoding_rs {

namespace detail {

/* Throws an exception, or ends a program without exceptions. */
template <class Exception>
[[noreturn]] void fail(const Exception &exception) {
#ifdef __cpp_exceptions
    throw exception;
#else
    static_cast<void>(exception);
    std::abort();
#endif
}

/* Returns a length from C, where SIZE_MAX means that there is none. */
inline std::optional<std::size_t> length(std::size_t length) {
    if (length == SIZE_MAX) {
        return std::nullopt;
    }
    return length;
}

/* Returns a length that fits into size_t, or throws. */
inline std::size_t fitting(std::optional<std::size_t> length) {
    if (!length) {
        fail(std::overflow_error("the output may be longer than the address space"));
    }
    return *length;
}

/* Returns an object from C in a smart pointer, or throws if there was no memory. */
template <class T>
std::unique_ptr<T> owned(T *object) {
    if (object == nullptr) {
        fail(std::bad_alloc());
    }
    return std::unique_ptr<T>(object);
}

inline const std::uint8_t *bytes(std::string_view text) {
    return reinterpret_cast<const std::uint8_t *>(text.data());
}

}  // namespace detail

/*
 * Decodes one input, in chunks.
 *
 * The functions decode_* return the result (INPUT_EMPTY, OUTPUT_FULL, or a malformed sequence), the
 * number of bytes read, the number of units written, and whether malformed sequences were replaced.
 */
class Decoder final {
public:
    Decoder() = delete;
    Decoder(const Decoder &) = delete;
    Decoder &operator=(const Decoder &) = delete;
    ~Decoder() {}

    static void operator delete(void *decoder) { decoder_free(static_cast<Decoder *>(decoder)); }

    /* Returns the encoding of the byte order mark, or the requested one. Never null. */
    const Encoding *encoding() const { return decoder_encoding(this); }

    /* Returns a sufficient length of UTF-8, with replacement. */
    std::optional<std::size_t> max_utf8_buffer_length(std::size_t byte_length) const {
        return detail::length(decoder_max_utf8_buffer_length(this, byte_length));
    }

    /* Returns a sufficient length of UTF-8, without replacement. */
    std::optional<std::size_t>
    max_utf8_buffer_length_without_replacement(std::size_t byte_length) const {
        return detail::length(
            decoder_max_utf8_buffer_length_without_replacement(this, byte_length));
    }

    /* Returns a sufficient length of UTF-16, with or without replacement. */
    std::optional<std::size_t> max_utf16_buffer_length(std::size_t byte_length) const {
        return detail::length(decoder_max_utf16_buffer_length(this, byte_length));
    }

    /* Decodes a chunk to UTF-8. Malformed sequences become U+FFFD. */
    std::tuple<std::uint32_t, std::size_t, std::size_t, bool>
    decode_to_utf8(span<const std::uint8_t> src, span<std::uint8_t> dst, bool last) {
        std::size_t read = src.size();
        std::size_t written = dst.size();
        bool had_replacements = false;
        const std::uint32_t result = decoder_decode_to_utf8(
            this, src.data(), &read, dst.data(), &written, last, &had_replacements);
        return {result, read, written, had_replacements};
    }

    /* Decodes a chunk to UTF-8, up to the first malformed sequence. */
    std::tuple<std::uint32_t, std::size_t, std::size_t>
    decode_to_utf8_without_replacement(span<const std::uint8_t> src, span<std::uint8_t> dst,
                                       bool last) {
        std::size_t read = src.size();
        std::size_t written = dst.size();
        const std::uint32_t result = decoder_decode_to_utf8_without_replacement(
            this, src.data(), &read, dst.data(), &written, last);
        return {result, read, written};
    }

    /* Decodes a chunk to UTF-16. Malformed sequences become U+FFFD. */
    std::tuple<std::uint32_t, std::size_t, std::size_t, bool>
    decode_to_utf16(span<const std::uint8_t> src, span<char16_t> dst, bool last) {
        std::size_t read = src.size();
        std::size_t written = dst.size();
        bool had_replacements = false;
        const std::uint32_t result = decoder_decode_to_utf16(
            this, src.data(), &read, dst.data(), &written, last, &had_replacements);
        return {result, read, written, had_replacements};
    }

    /* Decodes a chunk to UTF-16, up to the first malformed sequence. */
    std::tuple<std::uint32_t, std::size_t, std::size_t>
    decode_to_utf16_without_replacement(span<const std::uint8_t> src, span<char16_t> dst,
                                        bool last) {
        std::size_t read = src.size();
        std::size_t written = dst.size();
        const std::uint32_t result = decoder_decode_to_utf16_without_replacement(
            this, src.data(), &read, dst.data(), &written, last);
        return {result, read, written};
    }

    /* Returns how many bytes would decode to characters of the same values. */
    std::optional<std::size_t>
    latin1_byte_compatible_up_to(span<const std::uint8_t> buffer) const {
        return detail::length(
            decoder_latin1_byte_compatible_up_to(this, buffer.data(), buffer.size()));
    }
};

/*
 * Encodes one text, in chunks.
 *
 * The functions encode_* return the result (INPUT_EMPTY, OUTPUT_FULL, or an unmappable character),
 * the number of units read, the number of bytes written, and whether unmappable characters were
 * replaced.
 */
class Encoder final {
public:
    Encoder() = delete;
    Encoder(const Encoder &) = delete;
    Encoder &operator=(const Encoder &) = delete;
    ~Encoder() {}

    static void operator delete(void *encoder) { encoder_free(static_cast<Encoder *>(encoder)); }

    /* Returns the encoding. Never null. */
    const Encoding *encoding() const { return encoder_encoding(this); }

    /* Returns whether this is ISO-2022-JP in a state other than ASCII. */
    bool has_pending_state() const { return encoder_has_pending_state(this); }

    /* Returns a sufficient length for UTF-8, with replacement, if nothing has to be replaced. */
    std::optional<std::size_t>
    max_buffer_length_from_utf8_if_no_unmappables(std::size_t byte_length) const {
        return detail::length(
            encoder_max_buffer_length_from_utf8_if_no_unmappables(this, byte_length));
    }

    /* Returns a sufficient length for UTF-8, without replacement. */
    std::optional<std::size_t>
    max_buffer_length_from_utf8_without_replacement(std::size_t byte_length) const {
        return detail::length(
            encoder_max_buffer_length_from_utf8_without_replacement(this, byte_length));
    }

    /* Encodes a chunk of UTF-8. Unmappable characters become references of HTML. */
    std::tuple<std::uint32_t, std::size_t, std::size_t, bool>
    encode_from_utf8(std::string_view src, span<std::uint8_t> dst, bool last) {
        std::size_t read = src.size();
        std::size_t written = dst.size();
        bool had_replacements = false;
        const std::uint32_t result = encoder_encode_from_utf8(
            this, detail::bytes(src), &read, dst.data(), &written, last, &had_replacements);
        return {result, read, written, had_replacements};
    }

    /* Encodes a chunk of UTF-8, up to the first unmappable character. */
    std::tuple<std::uint32_t, std::size_t, std::size_t>
    encode_from_utf8_without_replacement(std::string_view src, span<std::uint8_t> dst,
                                         bool last) {
        std::size_t read = src.size();
        std::size_t written = dst.size();
        const std::uint32_t result = encoder_encode_from_utf8_without_replacement(
            this, detail::bytes(src), &read, dst.data(), &written, last);
        return {result, read, written};
    }

    /* Returns a sufficient length for UTF-16, with replacement, if nothing has to be replaced. */
    std::optional<std::size_t>
    max_buffer_length_from_utf16_if_no_unmappables(std::size_t u16_length) const {
        return detail::length(
            encoder_max_buffer_length_from_utf16_if_no_unmappables(this, u16_length));
    }

    /* Returns a sufficient length for UTF-16, without replacement. */
    std::optional<std::size_t>
    max_buffer_length_from_utf16_without_replacement(std::size_t u16_length) const {
        return detail::length(
            encoder_max_buffer_length_from_utf16_without_replacement(this, u16_length));
    }

    /* Encodes a chunk of UTF-16. Unmappable characters become references of HTML. */
    std::tuple<std::uint32_t, std::size_t, std::size_t, bool>
    encode_from_utf16(std::u16string_view src, span<std::uint8_t> dst, bool last) {
        std::size_t read = src.size();
        std::size_t written = dst.size();
        bool had_replacements = false;
        const std::uint32_t result = encoder_encode_from_utf16(
            this, src.data(), &read, dst.data(), &written, last, &had_replacements);
        return {result, read, written, had_replacements};
    }

    /* Encodes a chunk of UTF-16, up to the first unmappable character. */
    std::tuple<std::uint32_t, std::size_t, std::size_t>
    encode_from_utf16_without_replacement(std::u16string_view src, span<std::uint8_t> dst,
                                          bool last) {
        std::size_t read = src.size();
        std::size_t written = dst.size();
        const std::uint32_t result = encoder_encode_from_utf16_without_replacement(
            this, src.data(), &read, dst.data(), &written, last);
        return {result, read, written};
    }
};

/*
 * One of the 40 encodings. There is one object for each, so pointers can be compared.
 *
 * The functions that convert a whole input return the output, the encoding that was used where it
 * is not always the same, and whether there were malformed sequences or unmappable characters.
 */
class Encoding final {
public:
    Encoding() = delete;
    Encoding(const Encoding &) = delete;
    Encoding &operator=(const Encoding &) = delete;
    ~Encoding() = delete;

    /* Returns the encoding of a label, or null. */
    static const Encoding *for_label(std::string_view label) {
        return encoding_for_label(detail::bytes(label), label.size());
    }

    /* Returns the encoding of a label, or null, also for labels of replacement. */
    static const Encoding *for_label_no_replacement(std::string_view label) {
        return encoding_for_label_no_replacement(detail::bytes(label), label.size());
    }

    /* Returns the encoding of the byte order mark, and its length. */
    static std::optional<std::tuple<const Encoding *, std::size_t>>
    for_bom(span<const std::uint8_t> buffer) {
        std::size_t length = buffer.size();
        const Encoding *encoding = encoding_for_bom(buffer.data(), &length);
        if (encoding == nullptr) {
            return std::nullopt;
        }
        return std::make_tuple(encoding, length);
    }

    /* Returns the name. */
    std::string name() const {
        std::uint8_t name[ENCODING_NAME_MAX_LENGTH];
        return std::string(name, name + encoding_name(this, name));
    }

    /* Returns whether every character can be encoded. */
    bool can_encode_everything() const { return encoding_can_encode_everything(this); }

    /* Returns whether ASCII is the same bytes. */
    bool is_ascii_compatible() const { return encoding_is_ascii_compatible(this); }

    /* Returns whether each byte is one character. */
    bool is_single_byte() const { return encoding_is_single_byte(this); }

    /* Returns the encoding that encode() uses. Never null. */
    const Encoding *output_encoding() const { return encoding_output_encoding(this); }

    /* Decodes to UTF-8. A byte order mark decides the encoding, and is removed. */
    std::tuple<std::string, const Encoding *, bool> decode(span<const std::uint8_t> bytes) const {
        const Encoding *encoding = sniff(bytes);
        auto [text, had_errors] = encoding->decode_without_bom_handling(bytes);
        return {std::move(text), encoding, had_errors};
    }

    /* Decodes to UTF-8. Removes a byte order mark of this encoding. */
    std::tuple<std::string, bool> decode_with_bom_removal(span<const std::uint8_t> bytes) const {
        return decode_without_bom_handling(without_own_bom(bytes));
    }

    /* Decodes to UTF-8. A byte order mark is text. */
    std::tuple<std::string, bool>
    decode_without_bom_handling(span<const std::uint8_t> bytes) const {
        const auto decoder = new_decoder_without_bom_handling();
        std::string text(detail::fitting(decoder->max_utf8_buffer_length(bytes.size())), '\0');
        const auto [result, read, written, had_errors] =
            decoder->decode_to_utf8(bytes, units(text), true);
        assert(result == INPUT_EMPTY && read == bytes.size());
        static_cast<void>(result);
        static_cast<void>(read);
        text.resize(written);
        return {std::move(text), had_errors};
    }

    /* Decodes to UTF-8, or returns nothing if the input is malformed. */
    std::optional<std::string>
    decode_without_bom_handling_and_without_replacement(span<const std::uint8_t> bytes) const {
        const auto decoder = new_decoder_without_bom_handling();
        std::string text(
            detail::fitting(decoder->max_utf8_buffer_length_without_replacement(bytes.size())),
            '\0');
        const auto [result, read, written] =
            decoder->decode_to_utf8_without_replacement(bytes, units(text), true);
        assert(result != OUTPUT_FULL);
        static_cast<void>(read);
        if (result != INPUT_EMPTY) {
            return std::nullopt;
        }
        text.resize(written);
        return text;
    }

    /* Like decode, to UTF-16. */
    std::tuple<std::u16string, const Encoding *, bool>
    decode16(span<const std::uint8_t> bytes) const {
        const Encoding *encoding = sniff(bytes);
        auto [text, had_errors] = encoding->decode16_without_bom_handling(bytes);
        return {std::move(text), encoding, had_errors};
    }

    /* Like decode_with_bom_removal, to UTF-16. */
    std::tuple<std::u16string, bool>
    decode16_with_bom_removal(span<const std::uint8_t> bytes) const {
        return decode16_without_bom_handling(without_own_bom(bytes));
    }

    /* Like decode_without_bom_handling, to UTF-16. */
    std::tuple<std::u16string, bool>
    decode16_without_bom_handling(span<const std::uint8_t> bytes) const {
        const auto decoder = new_decoder_without_bom_handling();
        std::u16string text(detail::fitting(decoder->max_utf16_buffer_length(bytes.size())),
                            u'\0');
        const auto [result, read, written, had_errors] =
            decoder->decode_to_utf16(bytes, text, true);
        assert(result == INPUT_EMPTY && read == bytes.size());
        static_cast<void>(result);
        static_cast<void>(read);
        text.resize(written);
        return {std::move(text), had_errors};
    }

    /* Decodes to UTF-16, or returns nothing if the input is malformed. */
    std::optional<std::u16string>
    decode16_without_bom_handling_and_without_replacement(span<const std::uint8_t> bytes) const {
        const auto decoder = new_decoder_without_bom_handling();
        std::u16string text(detail::fitting(decoder->max_utf16_buffer_length(bytes.size())),
                            u'\0');
        const auto [result, read, written] =
            decoder->decode_to_utf16_without_replacement(bytes, text, true);
        assert(result != OUTPUT_FULL);
        static_cast<void>(read);
        if (result != INPUT_EMPTY) {
            return std::nullopt;
        }
        text.resize(written);
        return text;
    }

    /* Encodes UTF-8 in the output encoding. Unmappable characters become references of HTML. */
    std::tuple<std::vector<std::uint8_t>, const Encoding *, bool>
    encode(std::string_view text) const {
        const auto encoder = new_encoder();
        const auto max = [&](std::size_t length) {
            return encoder->max_buffer_length_from_utf8_if_no_unmappables(length);
        };
        const auto encode = [&](std::string_view src, span<std::uint8_t> dst) {
            return encoder->encode_from_utf8(src, dst, true);
        };
        return encode_all(text, max, encode);
    }

    /* Encodes UTF-16 in the output encoding. Unmappable characters become references of HTML. */
    std::tuple<std::vector<std::uint8_t>, const Encoding *, bool>
    encode(std::u16string_view text) const {
        const auto encoder = new_encoder();
        const auto max = [&](std::size_t length) {
            return encoder->max_buffer_length_from_utf16_if_no_unmappables(length);
        };
        const auto encode = [&](std::u16string_view src, span<std::uint8_t> dst) {
            return encoder->encode_from_utf16(src, dst, true);
        };
        return encode_all(text, max, encode);
    }

    /* Creates a decoder that a byte order mark changes to its encoding. */
    std::unique_ptr<Decoder> new_decoder() const {
        return detail::owned(encoding_new_decoder(this));
    }

    /* Turns a decoder into a new one, as from new_decoder. */
    void new_decoder_into(Decoder &decoder) const { encoding_new_decoder_into(this, &decoder); }

    /* Creates a decoder that removes a byte order mark of its encoding. */
    std::unique_ptr<Decoder> new_decoder_with_bom_removal() const {
        return detail::owned(encoding_new_decoder_with_bom_removal(this));
    }

    /* Turns a decoder into a new one, as from new_decoder_with_bom_removal. */
    void new_decoder_with_bom_removal_into(Decoder &decoder) const {
        encoding_new_decoder_with_bom_removal_into(this, &decoder);
    }

    /* Creates a decoder for which a byte order mark is text. */
    std::unique_ptr<Decoder> new_decoder_without_bom_handling() const {
        return detail::owned(encoding_new_decoder_without_bom_handling(this));
    }

    /* Turns a decoder into a new one, as from new_decoder_without_bom_handling. */
    void new_decoder_without_bom_handling_into(Decoder &decoder) const {
        encoding_new_decoder_without_bom_handling_into(this, &decoder);
    }

    /* Creates an encoder for the output encoding. */
    std::unique_ptr<Encoder> new_encoder() const {
        return detail::owned(encoding_new_encoder(this));
    }

    /* Turns an encoder into a new one, as from new_encoder. */
    void new_encoder_into(Encoder &encoder) const { encoding_new_encoder_into(this, &encoder); }

    /* Returns the length of the longest start that is valid UTF-8. */
    static std::size_t utf8_valid_up_to(span<const std::uint8_t> buffer) {
        return encoding_utf8_valid_up_to(buffer.data(), buffer.size());
    }

    /* Returns the length of the longest start that is ASCII. */
    static std::size_t ascii_valid_up_to(span<const std::uint8_t> buffer) {
        return encoding_ascii_valid_up_to(buffer.data(), buffer.size());
    }

    /* Returns the length of the longest start that is ASCII in ISO-2022-JP. */
    static std::size_t iso_2022_jp_ascii_valid_up_to(span<const std::uint8_t> buffer) {
        return encoding_iso_2022_jp_ascii_valid_up_to(buffer.data(), buffer.size());
    }

private:
    static span<std::uint8_t> units(std::string &text) {
        return {reinterpret_cast<std::uint8_t *>(text.data()), text.size()};
    }

    /* Returns the encoding of the byte order mark, which it removes, or this one. */
    const Encoding *sniff(span<const std::uint8_t> &bytes) const {
        std::size_t length = bytes.size();
        const Encoding *encoding = encoding_for_bom(bytes.data(), &length);
        if (encoding == nullptr) {
            return this;
        }
        bytes = bytes.subspan(length);
        return encoding;
    }

    span<const std::uint8_t> without_own_bom(span<const std::uint8_t> bytes) const {
        span<const std::uint8_t> rest = bytes;
        return sniff(rest) == this ? rest : bytes;
    }

    /* Encodes a text with functions for its kind, in a buffer that grows. */
    template <class Text, class Max, class Encode>
    std::tuple<std::vector<std::uint8_t>, const Encoding *, bool>
    encode_all(Text text, Max max, Encode encode) const {
        std::vector<std::uint8_t> bytes(detail::fitting(max(text.size())));
        std::size_t total = 0;
        bool any_errors = false;
        for (;;) {
            const auto [result, read, written, had_errors] =
                encode(text, span<std::uint8_t>(bytes).subspan(total));
            text.remove_prefix(read);
            total += written;
            any_errors = any_errors || had_errors;
            if (result == INPUT_EMPTY) {
                bytes.resize(total);
                return {std::move(bytes), output_encoding(), any_errors};
            }
            bytes.resize(total + detail::fitting(max(text.size())));
        }
    }
};

}  // namespace encoding_rs

#endif
