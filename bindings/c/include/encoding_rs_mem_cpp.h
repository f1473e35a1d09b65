/*
 * The functions of encoding_rs_mem.h for C++17. Link with -lencoding_c.
 *
 * The API is that of the header that encoding_c_mem 0.2.6 ships, with encoding_rs::span, to which
 * containers, arrays and gsl::span convert, in place of gsl::span. encoding_rs_mem.h explains the
 * functions, and how long their destinations must be.
 */

#pragma once

#ifndef ENCODING_RS_MEM_CPP_H
#define ENCODING_RS_MEM_CPP_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>

#include "encoding_rs_mem.h"
#include "encoding_rs_span.h"

namespace encoding_rs {
namespace mem {

/* Returns whether UTF-16 is Latin-1, has right-to-left characters, or neither. */
inline Latin1Bidi check_for_latin1_and_bidi(std::u16string_view buffer) {
    return encoding_mem_check_utf16_for_latin1_and_bidi(buffer.data(), buffer.size());
}

/* Returns whether UTF-8 is Latin-1, has right-to-left characters, or neither. */
inline Latin1Bidi check_for_latin1_and_bidi(std::string_view buffer) {
    return encoding_mem_check_utf8_for_latin1_and_bidi(buffer.data(), buffer.size());
}

/* Converts Latin-1 to UTF-16. The destination is at least as long. */
inline void convert_latin1_to_utf16(span<const char> src, span<char16_t> dst) {
    encoding_mem_convert_latin1_to_utf16(src.data(), src.size(), dst.data(), dst.size());
}

/* Converts Latin-1 to UTF-8. The destination is at least twice as long. */
inline std::size_t convert_latin1_to_utf8(span<const char> src, span<char> dst) {
    return encoding_mem_convert_latin1_to_utf8(src.data(), src.size(), dst.data(), dst.size());
}

/* Converts the Latin-1 that fits. Returns the units read and written. */
inline std::tuple<std::size_t, std::size_t> convert_latin1_to_utf8_partial(span<const char> src,
                                                                           span<char> dst) {
    std::size_t read = src.size();
    std::size_t written = dst.size();
    encoding_mem_convert_latin1_to_utf8_partial(src.data(), &read, dst.data(), &written);
    return {read, written};
}

/* Converts valid UTF-8 to UTF-16. The destination is at least as long. */
inline std::size_t convert_str_to_utf16(std::string_view src, span<char16_t> dst) {
    return encoding_mem_convert_str_to_utf16(src.data(), src.size(), dst.data(), dst.size());
}

/* Converts UTF-16 of U+0000 to U+00FF to Latin-1. The destination is at least as long. */
inline void convert_utf16_to_latin1_lossy(std::u16string_view src, span<char> dst) {
    encoding_mem_convert_utf16_to_latin1_lossy(src.data(), src.size(), dst.data(), dst.size());
}

/* Converts UTF-16 to UTF-8. The destination is at least three times as long. */
inline std::size_t convert_utf16_to_utf8(std::u16string_view src, span<char> dst) {
    return encoding_mem_convert_utf16_to_utf8(src.data(), src.size(), dst.data(), dst.size());
}

/* Converts the UTF-16 that fits. Returns the units read and written. */
inline std::tuple<std::size_t, std::size_t> convert_utf16_to_utf8_partial(std::u16string_view src,
                                                                          span<char> dst) {
    std::size_t read = src.size();
    std::size_t written = dst.size();
    encoding_mem_convert_utf16_to_utf8_partial(src.data(), &read, dst.data(), &written);
    return {read, written};
}

/* Converts UTF-8 of U+0000 to U+00FF to Latin-1. The destination is at least as long. */
inline std::size_t convert_utf8_to_latin1_lossy(std::string_view src, span<char> dst) {
    return encoding_mem_convert_utf8_to_latin1_lossy(src.data(), src.size(), dst.data(),
                                                     dst.size());
}

/* Converts UTF-8 to UTF-16, with U+FFFD. The destination is longer than the source. */
inline std::size_t convert_utf8_to_utf16(std::string_view src, span<char16_t> dst) {
    return encoding_mem_convert_utf8_to_utf16(src.data(), src.size(), dst.data(), dst.size());
}

/* Converts UTF-8 to UTF-16, or returns nothing if it is malformed. */
inline std::optional<std::size_t>
convert_utf8_to_utf16_without_replacement(std::string_view src, span<char16_t> dst) {
    const std::size_t written = encoding_mem_convert_utf8_to_utf16_without_replacement(
        src.data(), src.size(), dst.data(), dst.size());
    if (written == SIZE_MAX) {
        return std::nullopt;
    }
    return written;
}

/* Copies the ASCII at the start, and returns its length. The destination is at least as long. */
inline std::size_t copy_ascii_to_ascii(span<const char> src, span<char> dst) {
    return encoding_mem_copy_ascii_to_ascii(src.data(), src.size(), dst.data(), dst.size());
}

/* Like copy_ascii_to_ascii, to UTF-16. */
inline std::size_t copy_ascii_to_basic_latin(span<const char> src, span<char16_t> dst) {
    return encoding_mem_copy_ascii_to_basic_latin(src.data(), src.size(), dst.data(), dst.size());
}

/* Like copy_ascii_to_ascii, from UTF-16. */
inline std::size_t copy_basic_latin_to_ascii(span<const char16_t> src, span<char> dst) {
    return encoding_mem_copy_basic_latin_to_ascii(src.data(), src.size(), dst.data(), dst.size());
}

/* Replaces unpaired surrogates by U+FFFD. */
inline void ensure_utf16_validity(span<char16_t> buffer) {
    encoding_mem_ensure_utf16_validity(buffer.data(), buffer.size());
}

/* Returns whether UTF-8 is ASCII. */
inline bool is_ascii(std::string_view buffer) {
    return encoding_mem_is_ascii(buffer.data(), buffer.size());
}

/* Returns whether UTF-16 is ASCII. */
inline bool is_ascii(std::u16string_view buffer) {
    return encoding_mem_is_basic_latin(buffer.data(), buffer.size());
}

/* Returns whether a character is right-to-left. */
inline bool is_scalar_value_bidi(char32_t c) {
    return encoding_mem_is_char_bidi(c);
}

/* Returns whether UTF-16 has a right-to-left character. */
inline bool is_bidi(std::u16string_view buffer) {
    return encoding_mem_is_utf16_bidi(buffer.data(), buffer.size());
}

/* Returns whether UTF-8 is malformed, or has a right-to-left character. */
inline bool is_bidi(std::string_view buffer) {
    return encoding_mem_is_utf8_bidi(buffer.data(), buffer.size());
}

/* Returns whether a unit is, or may be half of, a right-to-left character. */
inline bool is_utf16_code_unit_bidi(char16_t u) {
    return encoding_mem_is_utf16_code_unit_bidi(u);
}

/* Returns whether UTF-16 has only U+0000 to U+00FF. */
inline bool is_utf16_latin1(std::u16string_view buffer) {
    return encoding_mem_is_utf16_latin1(buffer.data(), buffer.size());
}

/* Returns whether the bytes are valid UTF-8 of U+0000 to U+00FF. */
inline bool is_utf8_latin1(std::string_view buffer) {
    return encoding_mem_is_utf8_latin1(buffer.data(), buffer.size());
}

/* Returns the index of the first unpaired surrogate, or the length. */
inline std::size_t utf16_valid_up_to(std::u16string_view buffer) {
    return encoding_mem_utf16_valid_up_to(buffer.data(), buffer.size());
}

/* Returns the length of the longest start that is valid UTF-8 of U+0000 to U+00FF. */
inline std::size_t utf8_latin1_up_to(std::string_view buffer) {
    return encoding_mem_utf8_latin1_up_to(buffer.data(), buffer.size());
}

}  // namespace mem
}  // namespace encoding_rs

#endif
