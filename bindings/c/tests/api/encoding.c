/* Encodes vectors as a whole, in chunks, and to destinations of each size. */
#include "check.h"

/* A text in one form, and the characters in it. */
struct source {
    struct text text;
    size_t count;
    /* Where each character starts, and one past the last one. */
    size_t *starts;
    bool *ill_formed;
    /* Where each character starts in the vector, in units of UTF-16. */
    size_t *units;
};

/* What an encoder did. */
struct result {
    textcodec_status status;
    uint8_t *bytes;
    size_t length;
    size_t error_count;
    textcodec_error *errors;
    textcodec_error first;
    uint64_t replaced;
};

static size_t put(struct text *text, uint32_t number, bool ill_formed, size_t index) {
    /* Sequences that a decoder replaces by one U+FFFD if no trail byte follows. */
    static const char *const sequences[] = {"\xFF", "\xE2\x82", "\xF0\x9F\x98", "\xED", "\xC2"};
    size_t at = text->length;
    if (text->form == UTF16) {
        char16_t *units = (char16_t *)text->units + at;
        if (number < 0x10000) {
            units[0] = (char16_t)number;
            return 1;
        }
        units[0] = (char16_t)(0xD7C0 + (number >> 10));
        units[1] = (char16_t)(0xDC00 | (number & 0x3FF));
        return 2;
    }
    if (text->form == UTF32) {
        ((char32_t *)text->units)[at] = ill_formed && index % 2 ? 0x110000 + number : number;
        return 1;
    }
    char *bytes = (char *)text->units + at;
    if (ill_formed) {
        const char *sequence = sequences[index % 5];
        memcpy(bytes, sequence, strlen(sequence));
        return strlen(sequence);
    }
    if (number < 0x80) {
        bytes[0] = (char)number;
        return 1;
    }
    size_t extra = number < 0x800 ? 1 : number < 0x10000 ? 2 : 3;
    const unsigned leads[] = {0, 0xC0, 0xE0, 0xF0};
    for (size_t i = 0; i <= extra; i++) {
        unsigned bits = number >> 6 * (extra - i);
        bytes[i] = (char)(i == 0 ? leads[extra] | bits : 0x80 | (bits & 0x3F));
    }
    return extra + 1;
}

static struct source source_of(const struct vector *vector, enum form form) {
    size_t count = vector->input_length / 2;
    struct source source = {{form, 0, allocate(count * 4)},
                            0,
                            allocate((count + 1) * sizeof(size_t)),
                            allocate(count * sizeof(bool)),
                            allocate(count * sizeof(size_t))};
    for (size_t i = 0; i < count; source.count++) {
        uint32_t unit = (uint32_t)vector->input[2 * i] << 8 | vector->input[2 * i + 1];
        uint32_t next = i + 1 < count ? (uint32_t)vector->input[2 * i + 2] << 8 |
                                            vector->input[2 * i + 3]
                                      : 0;
        bool is_pair = unit >> 10 == 0x36 && next >> 10 == 0x37;
        source.units[source.count] = i;
        source.starts[source.count] = source.text.length;
        source.ill_formed[source.count] = !is_pair && unit >> 11 == 0x1B;
        uint32_t number = is_pair ? 0x10000 + ((unit & 0x3FF) << 10 | (next & 0x3FF)) : unit;
        i += is_pair ? 2 : 1;
        source.text.length +=
            put(&source.text, number, source.ill_formed[source.count], source.count);
    }
    source.starts[source.count] = source.text.length;
    return source;
}

static textcodec_status encode(textcodec_encoder *encoder, const struct text *text, size_t from,
                               size_t *length, void *bytes, size_t *room, bool last,
                               textcodec_error *error) {
    const char *start = (const char *)text->units + from * unit_size(text->form);
    const void *units = start;
    switch (text->form) {
    case UTF8:
        return textcodec_encoder_from_utf8(encoder, start, length, bytes, room, last, error);
    case UTF16:
        return textcodec_encoder_from_utf16(encoder, units, length, bytes, room, last, error);
    default:
        return textcodec_encoder_from_utf32(encoder, units, length, bytes, room, last, error);
    }
}

static size_t max_length(const textcodec_encoder *encoder, enum form form, size_t length) {
    return form == UTF8    ? textcodec_encoder_max_from_utf8(encoder, length)
           : form == UTF16 ? textcodec_encoder_max_from_utf16(encoder, length)
                           : textcodec_encoder_max_from_utf32(encoder, length);
}

/*
 * Encodes chunks that end at `split` and every `step` units, to destinations of `room` bytes. Stops
 * at an error if the options say so.
 */
static struct result encode_chunks(textcodec_encoding encoding, const struct text *text,
                                   const textcodec_encode_options *options, size_t split,
                                   size_t step, size_t room) {
    struct result result = {TEXTCODEC_OK, NULL, 0, 0, NULL, {0}, 0};
    textcodec_encoder_storage storage;
    textcodec_encoder *encoder = NULL;
    CHECK(textcodec_encoder_init(&storage, encoding, options, &encoder) == TEXTCODEC_OK);
    size_t capacity = textcodec_encoder_max_from_utf32(encoder, text->length) + 64;
    result.bytes = allocate(capacity);
    result.errors = allocate((text->length + 1) * sizeof *result.errors);
    size_t read = 0, given = room;
    for (;;) {
        size_t end = read < split ? split : read + step < text->length ? read + step : text->length;
        bool last = end == text->length;
        size_t length = end - read, written = given;
        size_t most = max_length(encoder, text->form, length);
        uint8_t *buffer = allocate(given);
        textcodec_error error;
        result.status = encode(encoder, text, read, &length, buffer, &written, last, &error);
        CHECK(length <= end - read && written <= given && result.length + written <= capacity);
        memcpy(result.bytes + result.length, buffer, written);
        free(buffer);
        read += length;
        result.length += written;
        CHECK(textcodec_encoder_position(encoder) == read);
        if (result.status == TEXTCODEC_UNMAPPABLE) {
            CHECK(result.error_count < text->length);
            result.errors[result.error_count++] = error;
            if (options->unmappable == TEXTCODEC_UNMAPPABLE_FAIL) {
                break;
            }
        } else if (result.status == TEXTCODEC_OUTPUT_FULL) {
            CHECK(given < most && (length + written > 0 || given == 0));
            given = given == 0 ? 1 : room;
            continue;
        } else {
            CHECK(result.status == TEXTCODEC_OK && read == end);
            if (last || result.status != TEXTCODEC_OK) {
                CHECK(textcodec_encoder_is_at_rest(encoder) || options->write_bom);
                break;
            }
        }
        given = room;
    }
    result.replaced = textcodec_encoder_error_count(encoder);
    CHECK(textcodec_encoder_first_error(encoder, &result.first) == (result.replaced > 0));
    textcodec_encoder_free(encoder);
    return result;
}

static void free_result(struct result *result) {
    free(result->bytes);
    free(result->errors);
}

static bool same_error(const textcodec_error *a, const textcodec_error *b) {
    return a->start == b->start && a->end == b->end && a->reason == b->reason &&
           a->code_point == b->code_point && a->encoding == b->encoding &&
           memcmp(a->bytes, b->bytes, 4) == 0;
}

static bool same_result(const struct result *a, const struct result *b) {
    bool same = a->status == b->status && a->length == b->length &&
                memcmp(a->bytes, b->bytes, a->length) == 0 && a->error_count == b->error_count &&
                a->replaced == b->replaced && same_error(&a->first, &b->first);
    for (size_t i = 0; same && i < a->error_count; i++) {
        same = same_error(&a->errors[i], &b->errors[i]);
    }
    return same;
}

/* Compares an error with the character `index` of the vector. */
static void check_error(const struct vector *vector, const struct source *source,
                        const textcodec_error *error, size_t index, uint64_t code_point,
                        bool reject) {
    CHECK(error->start == source->starts[index] && error->end == source->starts[index + 1]);
    CHECK(error->reason == (reject && source->ill_formed[index] ? TEXTCODEC_REASON_ILL_FORMED
                                                                : TEXTCODEC_REASON_UNMAPPABLE));
    CHECK(error->code_point == code_point && error->encoding == vector->encoding);
    const uint8_t none[4] = {0};
    CHECK(memcmp(error->bytes, none, 4) == 0);
}

/* Compares errors with those of the vector and, with `reject`, the ill-formed sequences. */
static void check_errors(const struct vector *vector, const struct source *source,
                         const textcodec_error *errors, size_t count, size_t limit, bool reject) {
    size_t found = 0, next = 0;
    for (size_t i = 0; i < source->count; i++) {
        bool unmappable =
            next < vector->error_count && vector->errors[next][0] == source->units[i];
        if (unmappable || (reject && source->ill_formed[i])) {
            uint64_t code_point = unmappable ? vector->errors[next][1] : 0xFFFD;
            if (found < limit && found < count) {
                check_error(vector, source, &errors[found], i, code_point, reject);
            }
            found++;
        }
        next += unmappable;
    }
    CHECK(next == vector->error_count);
    CHECK(count == found);
}

static textcodec_status encode_whole(const struct vector *vector, const struct text *text,
                                     const textcodec_encode_options *options, void **bytes,
                                     size_t *length, textcodec_summary *summary) {
    textcodec_encoding encoding = vector->encoding;
    switch (text->form) {
    case UTF8:
        return textcodec_encode(encoding, text->units, text->length, options, bytes, length,
                                summary);
    case UTF16:
        return textcodec_encode_utf16(encoding, text->units, text->length, options, bytes, length,
                                      summary);
    default:
        return textcodec_encode_utf32(encoding, text->units, text->length, options, bytes, length,
                                      summary);
    }
}

static void test_whole(const struct vector *vector, const struct source *source, bool reject) {
    textcodec_encode_options options = {.unmappable = TEXTCODEC_UNMAPPABLE_HTML,
                                        .reject_ill_formed = reject};
    void *bytes;
    size_t length;
    textcodec_summary summary;
    CHECK(encode_whole(vector, &source->text, &options, &bytes, &length, &summary) ==
          TEXTCODEC_OK);
    CHECK(length == vector->output_length && memcmp(bytes, vector->output, length) == 0);
    CHECK(((char *)bytes)[length] == '\0');
    CHECK(summary.encoding == vector->encoding && !summary.bom_removed);
    check_errors(vector, source, &summary.first_error, summary.error_count, 1, reject);
    textcodec_free(bytes);
    uint64_t errors = summary.error_count;
    options.unmappable = TEXTCODEC_UNMAPPABLE_FAIL;
    textcodec_status status =
        encode_whole(vector, &source->text, &options, &bytes, &length, &summary);
    CHECK(status == (errors > 0 ? TEXTCODEC_UNMAPPABLE : TEXTCODEC_OK));
    CHECK((bytes != NULL) == (errors == 0) && summary.error_count == (errors > 0));
    if (errors > 0) {
        textcodec_error first = summary.first_error;
        /* The rest of the errors is counted, but not compared. */
        check_errors(vector, source, &first, errors, 1, reject);
    }
    textcodec_free(bytes);
}

static void test_chunks(const struct vector *vector, const struct source *source,
                        const textcodec_encode_options *options) {
    const struct text *text = &source->text;
    struct result whole =
        encode_chunks(vector->encoding, text, options, 0, SIZE_MAX / 2, 10 * text->length + 64);
    if (options->unmappable == TEXTCODEC_UNMAPPABLE_HTML && !options->write_bom) {
        CHECK(whole.length == vector->output_length);
        CHECK(memcmp(whole.bytes, vector->output, whole.length) == 0);
        check_errors(vector, source, &whole.first, whole.replaced, 1, options->reject_ill_formed);
    }
    if (options->unmappable == TEXTCODEC_UNMAPPABLE_PAUSE) {
        check_errors(vector, source, whole.errors, whole.error_count, SIZE_MAX,
                     options->reject_ill_formed);
    }
    bool is_short = text->length < 40;
    const size_t rooms[] = {1, 2, 7, 64, 1000, 1025};
    size_t splits = is_short ? text->length + 1 : 6, sizes = is_short ? 11 : 6;
    for (size_t i = 0; i < splits; i++) {
        for (size_t j = 0; j < sizes; j++) {
            size_t split = is_short ? i : text->length * i / 7, room = is_short ? j : rooms[j];
            struct result result =
                encode_chunks(vector->encoding, text, options, split, SIZE_MAX / 2, room);
            CHECK(same_result(&result, &whole));
            free_result(&result);
            result = encode_chunks(vector->encoding, text, options, 0, is_short ? 1 + i : rooms[i],
                                   is_short ? 12 : 2000);
            CHECK(same_result(&result, &whole));
            free_result(&result);
        }
    }
    free_result(&whole);
}

void test_encoding(const struct vector *vector) {
    for (size_t i = 0; i < FORMS; i++) {
        struct source source = source_of(vector, forms[i]);
        for (int reject = 0; reject < 2; reject++) {
            test_whole(vector, &source, reject);
            for (int32_t policy = 0; policy <= TEXTCODEC_UNMAPPABLE_SKIP; policy++) {
                textcodec_encode_options options = {.unmappable = policy,
                                                    .reject_ill_formed = reject,
                                                    .write_bom = reject && policy % 2};
                options.replacement = policy == TEXTCODEC_UNMAPPABLE_REPLACE ? '?' : 0;
                if (vector->encoding != TEXTCODEC_UTF_16LE || policy < 3) {
                    test_chunks(vector, &source, &options);
                }
            }
        }
        free(source.text.units);
        free(source.starts);
        free(source.ill_formed);
        free(source.units);
    }
}

/* The errors of ill-formed UTF-8 are those of the decoder. */
static void compare_with_decoder(const uint8_t *bytes, size_t length) {
    textcodec_decode_options decode = {TEXTCODEC_BOM_KEEP, TEXTCODEC_MALFORMED_PAUSE, 0, {0}};
    textcodec_encode_options encode = {TEXTCODEC_UNMAPPABLE_PAUSE, 0, 0, 1, {0}};
    textcodec_decoder_storage decoder_storage;
    textcodec_encoder_storage encoder_storage;
    textcodec_decoder *decoder;
    textcodec_encoder *encoder;
    CHECK(textcodec_decoder_init(&decoder_storage, TEXTCODEC_UTF_8, &decode, &decoder) == 0);
    CHECK(textcodec_encoder_init(&encoder_storage, TEXTCODEC_UTF_8, &encode, &encoder) == 0);
    size_t read[2] = {0, 0}, written[2] = {0, 0};
    char text[16], out[16];
    for (;;) {
        textcodec_error error[2] = {{0}, {0}};
        size_t lengths[2] = {length - read[0], length - read[1]};
        size_t rooms[2] = {sizeof text - written[0], sizeof out - written[1]};
        textcodec_status decoded =
            textcodec_decoder_to_utf8(decoder, bytes + read[0], &lengths[0], text + written[0],
                                      &rooms[0], true, &error[0]);
        textcodec_status encoded = textcodec_encoder_from_utf8(
            encoder, (const char *)bytes + read[1], &lengths[1], out + written[1], &rooms[1], true,
            &error[1]);
        for (size_t i = 0; i < 2; i++) {
            read[i] += lengths[i];
            written[i] += rooms[i];
        }
        CHECK(error[0].start == error[1].start && error[0].end == error[1].end);
        CHECK((decoded == TEXTCODEC_OK) == (encoded == TEXTCODEC_OK));
        if (decoded != TEXTCODEC_MALFORMED || encoded != TEXTCODEC_UNMAPPABLE) {
            break;
        }
        CHECK(error[1].reason == TEXTCODEC_REASON_ILL_FORMED && error[1].code_point == 0xFFFD);
    }
    CHECK(written[0] == written[1] && memcmp(text, out, written[0]) == 0);
}

void test_ill_formed(void) {
    const uint8_t bytes[] = {0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF,
                             0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE,
                             0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF};
    size_t count = sizeof bytes, all = count * count * count * count;
    set_case("ill-formed UTF-8");
    for (size_t number = 0; number < all; number += every > 1 ? 13 * every : 1) {
        size_t rest = number;
        uint8_t four[4];
        for (size_t i = 0; i < 4; i++, rest /= count) {
            four[i] = bytes[rest % count];
        }
        compare_with_decoder(four, 4);
        compare_with_decoder(four, 3);
    }
}
