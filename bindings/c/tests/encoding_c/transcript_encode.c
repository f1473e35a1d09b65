/* Encoders: all characters, and random text in chunks, with large and small destinations. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "transcript.h"

#define MAX_UNITS 200
#define MAX_OUTPUT (10 * MAX_UNITS + 64)

/* A text in UTF-8 or UTF-16. */
typedef struct {
    bool utf16;
    bool replace;
    size_t len;
    uint8_t bytes[4 * MAX_UNITS];
    char16_t units[MAX_UNITS + 2];
} Text;

/* Makes a call for the units from `*read` to `end`. `*dst_len` is the room, then what was written. */
static uint32_t call(Encoder *encoder, const Text *text, size_t *read, size_t end, uint8_t *dst,
                     size_t *dst_len, bool last, bool *replaced) {
    size_t src_len = end - *read;
    const uint8_t *bytes = text->bytes + *read;
    const char16_t *units = text->units + *read;
    uint32_t result;
    *replaced = false;
    if (text->utf16 && text->replace) {
        result = encoder_encode_from_utf16(encoder, units, &src_len, dst, dst_len, last, replaced);
    } else if (text->utf16) {
        result = encoder_encode_from_utf16_without_replacement(encoder, units, &src_len, dst,
                                                               dst_len, last);
    } else if (text->replace) {
        result = encoder_encode_from_utf8(encoder, bytes, &src_len, dst, dst_len, last, replaced);
    } else {
        result = encoder_encode_from_utf8_without_replacement(encoder, bytes, &src_len, dst,
                                                              dst_len, last);
    }
    *read += src_len;
    return result;
}

/* Encodes every character alone, with a line for each 4,096. */
static void print_characters(size_t index) {
    Encoder *encoder = encoding_new_encoder(encodings[index]);
    static Text text;
    text.replace = false;
    for (uint32_t block = 0; block < 0x30; block++) {
        Hash hash;
        hash_start(&hash);
        for (uint32_t c = block << 12; c < (block + 1) << 12; c += step) {
            if (c >= 0xD800 && c < 0xE000) {
                continue;
            }
            for (int form = 0; form < 2; form++) {
                uint8_t bytes[16];
                size_t read = 0;
                size_t written = sizeof bytes;
                bool replaced;
                text.utf16 = form == 1;
                size_t len = form == 1 ? put_utf16(text.units, c) : put_utf8(text.bytes, c);
                uint32_t result =
                    call(encoder, &text, &read, len, bytes, &written, false, &replaced);
                hash_number(&hash, result);
                hash_number(&hash, read);
                hash_bytes(&hash, bytes, written);
            }
        }
        printf("characters %s %" PRIx32 ": %016" PRIx64 " %d\n", constants[index], block,
               hash.state, encoder_has_pending_state(encoder));
    }
    encoder_free(encoder);
}

/* Makes a text of mostly one script, and for UTF-16 with unpaired surrogates. */
static void make_text(Text *text, int form) {
    text->utf16 = form & 1;
    text->replace = form & 2;
    text->len = 0;
    size_t max = below(3) == 0 ? MAX_UNITS : below(20);
    char32_t first = random_scalar() & 0x1FFF00;
    while (text->len < max) {
        unsigned kind = below(8);
        char32_t c = kind < 2 ? random_scalar() : kind < 4 ? below(0x80) : first + below(256);
        c = c >= 0xD800 && c < 0xE000 ? 'x' : c;
        if (text->utf16) {
            if (below(40) == 0) {
                text->units[text->len++] = (char16_t)(0xD800 + below(0x800));
            } else {
                text->len += put_utf16(text->units + text->len, c);
            }
        } else {
            text->len += put_utf8(text->bytes + text->len, c);
        }
    }
}

/* Returns the next end of a chunk that is not within a character. */
static size_t chunk_end(const Text *text, size_t end) {
    while (end < text->len && (text->utf16 ? text->units[end] >> 10 == 0x37
                                           : text->bytes[end] >> 6 == 2)) {
        end++;
    }
    return end < text->len ? end : text->len;
}

static void print_text(const Text *text) {
    if (text->utf16) {
        print_units(text->units, text->len);
    } else {
        print_bytes(text->bytes, text->len);
    }
}

/* Encodes in chunks. Each result is printed, because each call can write all of its output. */
static void print_chunks(size_t index, unsigned n, int form) {
    static Text text;
    static uint8_t bytes[MAX_OUTPUT];
    seed(n + 3000000);
    make_text(&text, form);
    size_t chunk = below(3) == 0 ? text.len + 1 : 1 + below(9);
    Encoder *encoder = encoding_new_encoder(encodings[index]);
    printf("encoded %s %d %u ", constants[index], form, n);
    print_text(&text);
    printf(":");
    size_t read = 0;
    size_t written = 0;
    while (true) {
        size_t end = chunk_end(&text, read + chunk);
        size_t start = read;
        size_t dst_len = sizeof bytes - written;
        bool replaced;
        uint32_t result = call(encoder, &text, &read, end, bytes + written, &dst_len,
                               end == text.len, &replaced);
        written += dst_len;
        printf(" %" PRIx32 ",%zu,%zu,%d,%d", result, read - start, dst_len, replaced,
               encoder_has_pending_state(encoder));
        if (result == INPUT_EMPTY && end == text.len) {
            break;
        }
    }
    uint8_t name[ENCODING_NAME_MAX_LENGTH];
    size_t name_len = encoding_name(encoder_encoding(encoder), name);
    printf(" %.*s ", (int)name_len, (const char *)name);
    print_bytes(bytes, written);
    printf("\n");
    encoder_free(encoder);
}

/*
 * Encodes with small destinations. How much a call writes differs, so only the whole output and the
 * unmappable characters are printed.
 */
static void print_small(size_t index, unsigned n, int form) {
    static Text text;
    static uint8_t bytes[MAX_OUTPUT];
    seed(n + 4000000);
    make_text(&text, form);
    Encoder *encoder = encoding_new_encoder(encodings[index]);
    encoding_new_encoder_into(encodings[index], encoder);
    printf("encoded small %s %d %u ", constants[index], form, n);
    print_text(&text);
    printf(":");
    size_t read = 0;
    size_t written = 0;
    bool any = false;
    uint32_t result;
    unsigned calls = 0;
    do {
        size_t dst_len = 16 + below(16);
        bool replaced;
        result = call(encoder, &text, &read, text.len, bytes + written, &dst_len, true, &replaced);
        written += dst_len;
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
    print_bytes(bytes, written);
    printf("\n");
    encoder_free(encoder);
}

/* Prints whether a destination of the promised length is enough. The lengths themselves differ. */
static void print_max(size_t index, unsigned n, int form) {
    static Text text;
    static uint8_t bytes[2 * MAX_OUTPUT];
    seed(n + 5000000);
    make_text(&text, form);
    Encoder *encoder = encoding_new_encoder(encodings[index]);
    size_t max = text.utf16
                     ? (text.replace
                            ? encoder_max_buffer_length_from_utf16_if_no_unmappables
                            : encoder_max_buffer_length_from_utf16_without_replacement)(encoder,
                                                                                        text.len)
                     : (text.replace
                            ? encoder_max_buffer_length_from_utf8_if_no_unmappables
                            : encoder_max_buffer_length_from_utf8_without_replacement)(encoder,
                                                                                       text.len);
    size_t read = 0;
    size_t dst_len = max < sizeof bytes ? max : sizeof bytes;
    bool replaced;
    bool full = call(encoder, &text, &read, text.len, bytes, &dst_len, true, &replaced) ==
                OUTPUT_FULL;
    /* With replacement, the promise is only for texts without unmappable characters. */
    encoding_new_encoder_into(encodings[index], encoder);
    read = 0;
    dst_len = sizeof bytes;
    call(encoder, &text, &read, text.len, bytes, &dst_len, true, &replaced);
    printf("encoded max %s %d %u: %d %d\n", constants[index], form, n, replaced, full && !replaced);
    encoder_free(encoder);
}

/* Prints which of the lengths are SIZE_MAX. */
static void print_overflow(size_t index) {
    Encoder *encoder = encoding_new_encoder(encodings[index]);
    printf("encoded overflow %s: %d %d %d %d\n", constants[index],
           encoder_max_buffer_length_from_utf8_if_no_unmappables(encoder, SIZE_MAX) == SIZE_MAX,
           encoder_max_buffer_length_from_utf8_without_replacement(encoder, SIZE_MAX) == SIZE_MAX,
           encoder_max_buffer_length_from_utf16_if_no_unmappables(encoder, SIZE_MAX) == SIZE_MAX,
           encoder_max_buffer_length_from_utf16_without_replacement(encoder, SIZE_MAX) ==
               SIZE_MAX);
    encoder_free(encoder);
}

void print_encoders(void) {
    for (size_t index = 0; index < ENCODINGS; index++) {
        print_characters(index);
        print_overflow(index);
        for (unsigned n = 0; n < 2 * inputs; n++) {
            for (int form = 0; form < 4; form++) {
                print_chunks(index, n, form);
                print_small(index, n, form);
                print_max(index, n, form);
            }
        }
    }
}
