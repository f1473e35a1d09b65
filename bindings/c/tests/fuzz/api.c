/*
 * Fuzzes textcodec.h.
 *
 * Header: 0 what to do, 1 the encoding, 2 the form of the text, 3 to 5 options, 6 the replacement,
 * 7 reserved fields, 8 to 15 the seed of all sizes.
 */
#include "api.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    return 0;
}

size_t unit_size(enum form form) {
    return form == UTF8 ? 1 : form == UTF16 ? 2 : 4;
}

static bool is_scalar_value(uint32_t c) {
    return c < 0xD800 || (c >= 0xE000 && c <= 0x10FFFF);
}

/* Reads a character of UTF-8. Returns its length, or 0 if it is ill-formed. */
static size_t read_utf8(const uint8_t *bytes, size_t length, uint32_t *c) {
    static const uint32_t LEAST[] = {0, 0, 0x80, 0x800, 0x10000};
    uint8_t lead = bytes[0];
    size_t count = lead < 0x80 ? 1 : lead < 0xC0 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (count == 0 || count > length || lead >= 0xF8) {
        return 0;
    }
    *c = count == 1 ? lead : lead & (0x7FU >> count);
    for (size_t i = 1; i < count; i++) {
        if ((bytes[i] & 0xC0) != 0x80) {
            return 0;
        }
        *c = *c << 6 | (bytes[i] & 0x3F);
    }
    return *c >= LEAST[count] ? count : 0;
}

void log_characters(struct log *log, enum form form, const void *text, size_t length) {
    const uint8_t *utf8 = text;
    const char16_t *utf16 = text;
    const char32_t *utf32 = text;
    for (size_t at = 0; at < length;) {
        uint32_t c = 0;
        size_t count = 1;
        if (form == UTF8) {
            count = read_utf8(utf8 + at, length - at, &c);
        } else if (form == UTF32) {
            c = utf32[at];
        } else if ((utf16[at] & 0xFC00) != 0xD800) {
            c = utf16[at];
        } else if (at + 1 < length && (utf16[at + 1] & 0xFC00) == 0xDC00) {
            c = 0x10000 + ((utf16[at] & 0x3FFU) << 10) + (utf16[at + 1] & 0x3FFU);
            count = 2;
        } else {
            count = 0;
        }
        CHECK(count > 0 && is_scalar_value(c), "ill-formed output at unit %zu of %zu", at, length);
        log_append(log, &c, sizeof c);
        at += count;
    }
}

int32_t option(uint8_t byte, int32_t count, bool *valid) {
    static const int32_t NONE[] = {-1, 0x7FFFFFFF, 256};
    if (byte >= 4) {
        return byte % count;
    }
    *valid = false;
    return byte == 3 ? count : NONE[byte];
}

textcodec_encoding header_encoding(const uint8_t *header, bool *valid) {
    uint8_t byte = header[ENCODING_AT];
    if (byte >= 4) {
        return textcodec_encoding_at(byte % textcodec_encoding_count());
    }
    static const textcodec_encoding UNKNOWN[] = {TEXTCODEC_NONE, 300, 9999, -0x7FFFFFFF};
    *valid = false;
    return UNKNOWN[byte];
}

void log_error(struct log *log, const textcodec_error *error) {
    log_number(log, error->start);
    log_number(log, error->end);
    log_number(log, (uint64_t)error->reason);
    log_number(log, error->code_point);
    log_number(log, (uint64_t)error->encoding);
    log_append(log, error->bytes, sizeof error->bytes);
}

void fill_error(textcodec_error *error) {
    memset(error, FILL, sizeof *error);
}

bool is_filled(const textcodec_error *error) {
    textcodec_error filled;
    fill_error(&filled);
    return memcmp(error, &filled, sizeof filled) == 0;
}

void check_call(const struct outcome *o, textcodec_status failed, const void *source,
                const void *in, size_t length, size_t in_width, size_t room, size_t out_width) {
    counts.calls++;
    counts.errors += o->status == failed;
    counts.full += o->status == TEXTCODEC_OUTPUT_FULL;
    CHECK(o->status == TEXTCODEC_OK || o->status == TEXTCODEC_OUTPUT_FULL || o->status == failed,
          "status %d", o->status);
    CHECK(o->read <= length, "%zu units read of %zu", o->read, length);
    CHECK(o->written <= room, "%zu units written of %zu", o->written, room);
    region_check(SOURCE, length * in_width);
    region_check(DESTINATION, room * out_width);
    CHECK(length == 0 || memcmp(source, in, length * in_width) == 0, "the input was changed");
    CHECK(o->status != TEXTCODEC_OK || o->read == length, "%zu units read of %zu", o->read, length);
    CHECK(is_filled(&o->error) == (o->status != failed), "the error of status %d", o->status);
}

bool same_outcome(const struct outcome *a, const struct outcome *b) {
    return a->status == b->status && a->read == b->read && a->written == b->written &&
           memcmp(&a->error, &b->error, sizeof a->error) == 0;
}

void log_end(struct log *log, uint64_t error_count, const textcodec_error *first) {
    log_number(log, error_count);
    log_error(log, first);
}

/* Which of the parts an input is for. */
static bool is_for_decoder(const uint8_t *header) {
    return header[MODE_AT] % 16 < 6;
}

static bool is_for_encoder(const uint8_t *header) {
    return header[MODE_AT] % 16 >= 6 && header[MODE_AT] % 16 < 12;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < HEADER) {
        return 0;
    }
    size_t length = size - HEADER < MAX_PAYLOAD ? size - HEADER : MAX_PAYLOAD;
    const uint8_t *in = data + HEADER;
    if (is_for_decoder(data)) {
        fuzz_decoder(data, in, length);
    } else if (is_for_encoder(data)) {
        fuzz_encoder(data, in, length);
    } else if (data[MODE_AT] % 16 < 15) {
        fuzz_conversions(data, in, length);
    } else {
        fuzz_names(data, in, length);
    }
    return 0;
}

/* Encodes text, or leaves it out. Returns the number of bytes. */
static size_t encode(textcodec_encoding encoding, const uint32_t *text, size_t length, uint8_t *out,
                     size_t room) {
    textcodec_encode_options options = {.unmappable = TEXTCODEC_UNMAPPABLE_SKIP};
    options.write_bom = length % 3 == 0;
    void *bytes = NULL;
    size_t count = 0;
    const char32_t *utf32 = (const char32_t *)text;
    textcodec_status status =
        textcodec_encode_utf32(encoding, utf32, length, &options, &bytes, &count, NULL);
    if (status == TEXTCODEC_OK) {
        count = count < room ? count : room;
        memcpy(out, bytes, count);
        textcodec_free(bytes);
    }
    return count;
}

size_t target_text(const uint8_t *header, const uint32_t *text, size_t length, uint8_t *out,
                   size_t room) {
    bool valid = true;
    if (is_for_decoder(header)) {
        return encode(header_encoding(header, &valid), text, length, out, room);
    }
    size_t width = is_for_encoder(header) ? unit_size((enum form)(header[FORM_AT] % 3))
                                          : (size_t[]){1, 2, 1, 1, 1, 2, 2, 4}[header[FORM_AT] % 8];
    if (width == 1) {
        return encode(TEXTCODEC_UTF_8, text, length, out, room);
    }
    if (width == 2) {
        static const uint16_t one = 1;
        bool little = *(const uint8_t *)&one == 1;
        return encode(little ? TEXTCODEC_UTF_16LE : TEXTCODEC_UTF_16BE, text, length, out, room);
    }
    length = length < room / sizeof *text ? length : room / sizeof *text;
    memcpy(out, text, length * sizeof *text);
    return length * sizeof *text;
}
