/* The functions of encoding_rs_mem.h, on random text at all offsets. */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "transcript.h"

#define MAX_UNITS 300

static const char *const kinds[6] = {"ascii", "latin1", "ltr", "bidi", "any", "malformed"};

static char32_t character(unsigned kind) {
    if (kind == 0 || (kind < 4 && below(3) > 0)) {
        return below(0x80);
    }
    if (kind == 1) {
        return below(0x100);
    }
    char32_t c = kind == 2   ? 0x100 + below(0x400)
                 : kind == 3 ? 0x580 + below(0x20)
                             : random_scalar();
    return c;
}

/* Writes a text that ends within `max` bytes, and returns its length. */
static size_t make_utf8(unsigned kind, uint8_t *bytes, size_t max) {
    size_t len = 0;
    while (len + 4 <= max) {
        len += put_utf8(bytes + len, character(kind));
    }
    if (kind == 5 && len > 0) {
        bytes[below((uint32_t)len)] = (uint8_t)below(256);
        len -= below(2);
    }
    return len;
}

static size_t make_utf16(unsigned kind, char16_t *units, size_t max) {
    size_t len = 0;
    while (len + 2 <= max) {
        len += put_utf16(units + len, character(kind));
    }
    for (size_t i = 0; kind == 5 && i < len; i += 1 + below(60)) {
        units[i] = (char16_t)(0xD800 + below(0x800));
    }
    return len;
}

/* What takes UTF-8. Those for `str` only for valid UTF-8, those for Latin-1 only for Latin-1. */
static void print_utf8(unsigned kind, unsigned n) {
    static uint8_t buffer[MAX_UNITS + 16];
    static char16_t units[MAX_UNITS + 17];
    static char latin1[MAX_UNITS + 16];
    seed(n * 6 + kind);
    uint8_t *bytes = buffer + below(16);
    size_t len = make_utf8(kind, bytes, n % 3 == 0 ? below(12) : below(MAX_UNITS));
    const char *text = (const char *)bytes;
    printf("utf8 %s %u: %d %d %d %d %zu", kinds[kind], n, encoding_mem_is_ascii(text, len),
           encoding_mem_is_utf8_latin1(text, len), encoding_mem_is_utf8_bidi(text, len),
           encoding_mem_check_utf8_for_latin1_and_bidi(text, len),
           encoding_mem_utf8_latin1_up_to(text, len));
    size_t written = encoding_mem_convert_utf8_to_utf16(text, len, units, len + 1);
    printf(" %zu ", written);
    print_units(units, written);
    size_t all = written;
    written = encoding_mem_convert_utf8_to_utf16_without_replacement(text, len, units, len);
    printf(" %zd ", (ptrdiff_t)written);
    print_units(units, written == SIZE_MAX ? 0 : written);
    if (encoding_utf8_valid_up_to(bytes, len) == len) {
        printf(" %d %d %d %zu", encoding_mem_is_str_latin1(text, len),
               encoding_mem_is_str_bidi(text, len),
               encoding_mem_check_str_for_latin1_and_bidi(text, len),
               encoding_mem_str_latin1_up_to(text, len));
        memset(units, 0, sizeof units);
        written = encoding_mem_convert_str_to_utf16(text, len, units, len);
        printf(" %d ", written == all);
        print_units(units, written);
    }
    if (encoding_mem_is_utf8_latin1(text, len)) {
        written = encoding_mem_convert_utf8_to_latin1_lossy(text, len, latin1, len);
        printf(" %zu ", written);
        print_bytes((uint8_t *)latin1, written);
    }
    written = encoding_mem_copy_ascii_to_ascii(text, len, latin1, len);
    printf(" %zu ", written);
    print_bytes((uint8_t *)latin1, written);
    written = encoding_mem_copy_ascii_to_basic_latin(text, len, units, len);
    printf(" %zu ", written);
    print_units(units, written);
    printf("\n");
}

/* What takes Latin-1: any bytes. */
static void print_latin1(unsigned n) {
    static char bytes[MAX_UNITS];
    static char16_t units[MAX_UNITS];
    static char utf8[2 * MAX_UNITS];
    seed(n + 6000000);
    size_t len = n % 3 == 0 ? below(12) : below(MAX_UNITS);
    uint32_t most = below(2) == 0 ? 0x84 : 0x100;
    for (size_t i = 0; i < len; i++) {
        bytes[i] = (char)below(most);
    }
    encoding_mem_convert_latin1_to_utf16(bytes, len, units, len);
    printf("latin1 %u: ", n);
    print_units(units, len);
    size_t written = encoding_mem_convert_latin1_to_utf8(bytes, len, utf8, 2 * len);
    printf(" %zu ", written);
    print_bytes((uint8_t *)utf8, written);
    size_t src_len = len;
    size_t dst_len = below((uint32_t)(2 * len + 1));
    encoding_mem_convert_latin1_to_utf8_partial(bytes, &src_len, utf8, &dst_len);
    printf(" %zu %zu ", src_len, dst_len);
    print_bytes((uint8_t *)utf8, dst_len);
    printf("\n");
}

static void print_utf16(unsigned kind, unsigned n) {
    static char16_t buffer[MAX_UNITS + 8];
    static char utf8[3 * MAX_UNITS];
    seed(n * 6 + kind + 7000000);
    char16_t *units = buffer + below(8);
    size_t len = make_utf16(kind, units, n % 3 == 0 ? below(12) : below(MAX_UNITS));
    printf("utf16 %s %u: %d %d %d %d %zu", kinds[kind], n, encoding_mem_is_basic_latin(units, len),
           encoding_mem_is_utf16_latin1(units, len), encoding_mem_is_utf16_bidi(units, len),
           encoding_mem_check_utf16_for_latin1_and_bidi(units, len),
           encoding_mem_utf16_valid_up_to(units, len));
    size_t written = encoding_mem_convert_utf16_to_utf8(units, len, utf8, 3 * len);
    printf(" %zu ", written);
    print_bytes((uint8_t *)utf8, written);
    size_t src_len = len;
    size_t dst_len = below((uint32_t)(3 * len + 1));
    encoding_mem_convert_utf16_to_utf8_partial(units, &src_len, utf8, &dst_len);
    printf(" %zu %zu ", src_len, dst_len);
    print_bytes((uint8_t *)utf8, dst_len);
    if (encoding_mem_is_utf16_latin1(units, len)) {
        encoding_mem_convert_utf16_to_latin1_lossy(units, len, utf8, len);
        printf(" ");
        print_bytes((uint8_t *)utf8, len);
    }
    written = encoding_mem_copy_basic_latin_to_ascii(units, len, utf8, len);
    printf(" %zu ", written);
    print_bytes((uint8_t *)utf8, written);
    encoding_mem_ensure_utf16_validity(units, len);
    printf(" ");
    print_units(units, len);
    printf("\n");
}

/* Whether each character, and each unit, is right-to-left. */
static void print_bidi(void) {
    for (uint32_t block = 0; block < 0x110; block++) {
        Hash hash;
        hash_start(&hash);
        for (uint32_t c = block << 12; c < (block + 1) << 12; c += step) {
            bool is_scalar = c < 0xD800 || c > 0xDFFF;
            hash_number(&hash, is_scalar && encoding_mem_is_char_bidi(c));
            if (c < 0x10000) {
                hash_number(&hash, encoding_mem_is_utf16_code_unit_bidi((char16_t)c));
            }
        }
        printf("bidi %" PRIx32 ": %016" PRIx64 "\n", block, hash.state);
    }
}

void print_mem(void) {
    print_bidi();
    for (unsigned n = 0; n < 20 * inputs; n++) {
        for (unsigned kind = 0; kind < 6; kind++) {
            print_utf8(kind, n);
            print_utf16(kind, n);
        }
        print_latin1(n);
    }
}
