/* Decoders: all pairs of bytes, and random inputs in chunks, with large and small destinations. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "transcript.h"

#define MAX_INPUT 300
#define MAX_OUTPUT (4 * MAX_INPUT + 64)

/* What a decoder does with byte order marks. */
static const char *const boms[3] = {"sniff", "remove", "keep"};

static void renew(const Encoding *encoding, Decoder *decoder, int bom) {
    if (bom == 0) {
        encoding_new_decoder_into(encoding, decoder);
    } else if (bom == 1) {
        encoding_new_decoder_with_bom_removal_into(encoding, decoder);
    } else {
        encoding_new_decoder_without_bom_handling_into(encoding, decoder);
    }
}

static Decoder *new_decoder(const Encoding *encoding, int bom) {
    return bom == 0   ? encoding_new_decoder(encoding)
           : bom == 1 ? encoding_new_decoder_with_bom_removal(encoding)
                      : encoding_new_decoder_without_bom_handling(encoding);
}

/* A destination for UTF-8 or UTF-16. */
typedef struct {
    bool utf16;
    bool replace;
    size_t len;
    uint8_t bytes[MAX_OUTPUT];
    char16_t units[MAX_OUTPUT];
} Output;

/* Makes a call that may write `room` more units. `*src_len` becomes the number of bytes read. */
static uint32_t call(Decoder *decoder, const uint8_t *src, size_t *src_len, Output *output,
                     size_t room, bool last, bool *replaced) {
    size_t written = room < MAX_OUTPUT - output->len ? room : MAX_OUTPUT - output->len;
    uint8_t *bytes = output->bytes + output->len;
    char16_t *units = output->units + output->len;
    uint32_t result;
    *replaced = false;
    if (output->utf16 && output->replace) {
        result = decoder_decode_to_utf16(decoder, src, src_len, units, &written, last, replaced);
    } else if (output->utf16) {
        result = decoder_decode_to_utf16_without_replacement(decoder, src, src_len, units,
                                                             &written, last);
    } else if (output->replace) {
        result = decoder_decode_to_utf8(decoder, src, src_len, bytes, &written, last, replaced);
    } else {
        result = decoder_decode_to_utf8_without_replacement(decoder, src, src_len, bytes,
                                                            &written, last);
    }
    output->len += written;
    return result;
}

static void print_output(const Output *output) {
    if (output->utf16) {
        print_units(output->units, output->len);
    } else {
        print_bytes(output->bytes, output->len);
    }
}

/* Decodes all inputs of two bytes, with one line for each first byte. */
static void print_pairs(size_t index) {
    static Output output;
    const Encoding *encoding = encodings[index];
    Decoder *decoder = encoding_new_decoder_without_bom_handling(encoding);
    for (unsigned first = 0; first < 256; first += step) {
        Hash hash;
        hash_start(&hash);
        for (unsigned second = 0; second < 256; second += step) {
            const uint8_t bytes[2] = {(uint8_t)first, (uint8_t)second};
            output.utf16 = second % 2 == 1;
            output.replace = first % 2 == 1;
            output.len = 0;
            encoding_new_decoder_without_bom_handling_into(encoding, decoder);
            size_t read = 0;
            uint32_t result;
            do {
                size_t src_len = 2 - read;
                bool replaced;
                result = call(decoder, bytes + read, &src_len, &output, 16, true, &replaced);
                read += src_len;
                hash_number(&hash, result);
                hash_number(&hash, read);
                hash_number(&hash, replaced);
            } while (result != INPUT_EMPTY);
            hash_number(&hash, output.len);
            if (output.utf16) {
                hash_bytes(&hash, output.units, output.len * 2);
            } else {
                hash_bytes(&hash, output.bytes, output.len);
            }
        }
        printf("pairs %s %02X: %016" PRIx64 "\n", constants[index], first, hash.state);
    }
    decoder_free(decoder);
}

/* Makes an input: random bytes, bytes that matter to some encoding, or text with an error. */
static size_t make_input(const Encoding *encoding, uint8_t *bytes) {
    static const uint8_t special[] = {0x1B, 0x24, 0x42, 0x28, 0x4A, 0x49, 0x40, 0x0E, 0x0F, 0x00,
                                      0x30, 0x39, 0x81, 0x84, 0x8E, 0x8F, 0xA1, 0xC3, 0xD8, 0xDC,
                                      0xE2, 0x82, 0xAC, 0xED, 0xF0, 0x9F, 0xFE, 0xFF, 0x80, 0x5C};
    static const uint8_t marks[][3] = {{0xEF, 0xBB, 0xBF}, {0xFE, 0xFF, 0}, {0xFF, 0xFE, 0}};
    size_t len = 0;
    unsigned kind = below(8);
    if (below(4) == 0) {
        unsigned mark = below(3);
        len = below(4) == 0 ? 1 + below(2) : mark == 0 ? 3 : 2;
        memcpy(bytes, marks[mark], len);
    }
    size_t max = below(3) == 0 ? MAX_INPUT : len + below(24);
    if (kind < 2) {
        while (len < max) {
            bytes[len++] = (uint8_t)below(256);
        }
    } else if (kind < 4) {
        while (len < max) {
            bytes[len++] = below(3) == 0 ? (uint8_t)below(256) : special[below(sizeof special)];
        }
    } else {
        Encoder *encoder = encoding_new_encoder(encoding);
        bool utf16 = encoding == UTF_16BE_ENCODING || encoding == UTF_16LE_ENCODING;
        char32_t first = random_scalar() & 0x1FFF00;
        while (len + 32 < max) {
            char32_t c = below(4) == 0 ? random_scalar() : first + below(256);
            c = c >= 0xD800 && c < 0xE000 ? 'x' : c;
            if (utf16) {
                char16_t units[2];
                size_t count = put_utf16(units, c);
                for (size_t i = 0; i < count; i++) {
                    bool big = encoding == UTF_16BE_ENCODING;
                    bytes[len++] = (uint8_t)(big ? units[i] >> 8 : units[i]);
                    bytes[len++] = (uint8_t)(big ? units[i] : units[i] >> 8);
                }
                continue;
            }
            uint8_t utf8[4];
            size_t src_len = put_utf8(utf8, c);
            size_t dst_len = 32;
            bool replaced;
            encoder_encode_from_utf8(encoder, utf8, &src_len, bytes + len, &dst_len, false,
                                     &replaced);
            len += replaced && below(4) != 0 ? 0 : dst_len;
        }
        encoder_free(encoder);
        if (kind == 7 && len > 0) {
            bytes[below((uint32_t)len)] = (uint8_t)below(256);
        }
    }
    return len;
}

/*
 * Returns whether an input must not be cut at an offset. If EF and BB are in separate chunks and do
 * not start a byte order mark, this library counts BB as read after the malformed EF.
 */
static bool is_exempt(const uint8_t *bytes, size_t len, size_t cut) {
    bool mark = len >= 3 && bytes[1] == 0xBB && bytes[2] == 0xBF;
    return len > 0 && bytes[0] == 0xEF && !mark && cut < 3;
}

/* Decodes in chunks. Each result is printed, because each call can write all of its output. */
static void print_chunks(size_t index, unsigned n, int bom, int form) {
    static Output output;
    uint8_t bytes[MAX_INPUT + 64];
    const Encoding *encoding = encodings[index];
    seed(n);
    size_t len = make_input(encoding, bytes);
    size_t chunk = below(3) == 0 ? len + 1 : 1 + below(9);
    Decoder *decoder = new_decoder(encoding, bom);
    output.utf16 = form & 1;
    output.replace = form & 2;
    output.len = 0;
    printf("chunks %s %s %d %u ", constants[index], boms[bom], form, n);
    print_bytes(bytes, len);
    printf(":");
    size_t read = 0;
    while (true) {
        size_t end = read + chunk < len ? read + chunk : len;
        while (is_exempt(bytes, len, end) && end < len) {
            end++;
        }
        size_t src_len = end - read;
        size_t before = output.len;
        bool replaced;
        uint32_t result = call(decoder, bytes + read, &src_len, &output, MAX_OUTPUT, end == len,
                               &replaced);
        read += src_len;
        printf(" %" PRIx32 ",%zu,%zu,%d", result, src_len, output.len - before, replaced);
        if (result == INPUT_EMPTY && end == len) {
            break;
        }
    }
    uint8_t name[ENCODING_NAME_MAX_LENGTH];
    size_t name_len = encoding_name(decoder_encoding(decoder), name);
    printf(" %.*s ", (int)name_len, (const char *)name);
    print_output(&output);
    printf("\n");
    decoder_free(decoder);
}

/*
 * Decodes with small destinations. How much a call writes differs, so only the whole output and the
 * malformed sequences are printed.
 */
static void print_small(size_t index, unsigned n, int bom, int form) {
    static Output output;
    uint8_t bytes[MAX_INPUT + 64];
    const Encoding *encoding = encodings[index];
    seed(n + 1000000);
    size_t len = make_input(encoding, bytes);
    Decoder *decoder = encoding_new_decoder(encoding);
    renew(encoding, decoder, bom);
    output.utf16 = form & 1;
    output.replace = form & 2;
    output.len = 0;
    printf("small %s %s %d %u ", constants[index], boms[bom], form, n);
    print_bytes(bytes, len);
    printf(":");
    size_t read = 0;
    bool any = false;
    uint32_t result;
    unsigned calls = 0;
    do {
        size_t src_len = len - read;
        bool replaced;
        result = call(decoder, bytes + read, &src_len, &output, 6 + below(12), true, &replaced);
        read += src_len;
        any = any || replaced;
        if (result != OUTPUT_FULL && result != INPUT_EMPTY) {
            printf(" %" PRIx32 "@%zu", result, read);
        }
        if (++calls > 10000) {
            printf(" does not end\n");
            exit(1);
        }
    } while (result != INPUT_EMPTY);
    printf(" %d ", any);
    print_output(&output);
    printf("\n");
    decoder_free(decoder);
}

/* Prints whether a destination of the promised length is enough. The lengths themselves differ. */
static void print_max(size_t index, unsigned n, int bom, int form) {
    static Output output;
    uint8_t bytes[MAX_INPUT + 64];
    const Encoding *encoding = encodings[index];
    seed(n + 2000000);
    size_t len = make_input(encoding, bytes);
    Decoder *decoder = new_decoder(encoding, bom);
    output.utf16 = form & 1;
    output.replace = form & 2;
    output.len = 0;
    size_t read = 0;
    bool full = false;
    bool replaced;
    if (len > 4 && !is_exempt(bytes, len, 2)) {
        read = 1 + below(3);
        full = call(decoder, bytes, &read, &output, MAX_OUTPUT, false, &replaced) == OUTPUT_FULL;
    }
    size_t src_len = len - read;
    size_t max = output.utf16     ? decoder_max_utf16_buffer_length(decoder, src_len)
                 : output.replace ? decoder_max_utf8_buffer_length(decoder, src_len)
                                  : decoder_max_utf8_buffer_length_without_replacement(decoder,
                                                                                       src_len);
    uint32_t result = call(decoder, bytes + read, &src_len, &output, max, true, &replaced);
    printf("max %s %s %d %u: %d\n", constants[index], boms[bom], form, n,
           full || result == OUTPUT_FULL);
    decoder_free(decoder);
}

/* Returns the length as the original counts it: see `crates/encoding_rs/src/lib.rs`. */
static size_t without_ascii_at_the_end(const Encoding *encoding, const uint8_t *bytes, size_t len,
                                       size_t result) {
    if (!encoding_is_single_byte(encoding) || encoding == X_USER_DEFINED_ENCODING ||
        result != len) {
        return result;
    }
    while (result > 0 && bytes[result - 1] < 0x80) {
        result--;
    }
    return result;
}

static void print_latin1(size_t index) {
    const Encoding *encoding = encodings[index];
    Decoder *decoder = encoding_new_decoder_without_bom_handling(encoding);
    Decoder *waiting = encoding_new_decoder(encoding);
    Hash hash;
    hash_start(&hash);
    for (unsigned n = 0; n < inputs * 20; n++) {
        uint8_t bytes[200];
        seed(n);
        size_t len = below(sizeof bytes);
        for (size_t i = 0; i < len; i++) {
            bytes[i] = n % 2 == 0 ? 'a' : (uint8_t)(0xA0 + below(0x60));
        }
        if (len > 0) {
            bytes[below((uint32_t)len)] = (uint8_t)below(256);
        }
        size_t result = decoder_latin1_byte_compatible_up_to(decoder, bytes, len);
        hash_number(&hash, without_ascii_at_the_end(encoding, bytes, len, result));
        hash_number(&hash, decoder_latin1_byte_compatible_up_to(waiting, bytes, len));
    }
    printf("latin1 %s: %016" PRIx64 " %zu\n", constants[index], hash.state,
           decoder_latin1_byte_compatible_up_to(decoder, (const uint8_t *)"abc", 0));
    decoder_free(decoder);
    decoder_free(waiting);
}

/* Prints which lengths are SIZE_MAX. That of UTF-16 is shorter here for two-byte encodings. */
static void print_overflow(size_t index) {
    Decoder *decoder = encoding_new_decoder(encodings[index]);
    printf("overflow %s: %d %d\n", constants[index],
           decoder_max_utf8_buffer_length(decoder, SIZE_MAX) == SIZE_MAX,
           decoder_max_utf8_buffer_length_without_replacement(decoder, SIZE_MAX) == SIZE_MAX);
    decoder_free(decoder);
}

void print_decoders(void) {
    for (size_t index = 0; index < ENCODINGS; index++) {
        print_pairs(index);
        print_latin1(index);
        print_overflow(index);
        for (unsigned n = 0; n < inputs; n++) {
            for (int bom = 0; bom < 3; bom++) {
                for (int form = 0; form < 4; form++) {
                    print_chunks(index, n, bom, form);
                    print_small(index, n, bom, form);
                    print_max(index, n, bom, form);
                }
            }
        }
    }
}
