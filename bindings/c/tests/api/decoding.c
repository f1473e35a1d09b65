/* Decodes vectors as a whole, in chunks, and to destinations of each size. */
#include "check.h"

/* Units that always make progress. */
static size_t least(enum form form) {
    return form == UTF8 ? 4 : form == UTF16 ? 2 : 1;
}

static textcodec_status decode(textcodec_decoder *decoder, enum form form, const uint8_t *bytes,
                               size_t *length, void *text, size_t *room, bool last,
                               textcodec_error *error) {
    switch (form) {
    case UTF8:
        return textcodec_decoder_to_utf8(decoder, bytes, length, text, room, last, error);
    case UTF16:
        return textcodec_decoder_to_utf16(decoder, bytes, length, text, room, last, error);
    default:
        return textcodec_decoder_to_utf32(decoder, bytes, length, text, room, last, error);
    }
}

static size_t max_length(const textcodec_decoder *decoder, enum form form, size_t length) {
    return form == UTF8    ? textcodec_decoder_max_utf8(decoder, length)
           : form == UTF16 ? textcodec_decoder_max_utf16(decoder, length)
                           : textcodec_decoder_max_utf32(decoder, length);
}

static void check_error(const struct vector *vector, const textcodec_error *error, size_t index) {
    if (index >= vector->error_count) {
        CHECK(error->reason == TEXTCODEC_REASON_NONE && error->end == 0 && error->start == 0);
        return;
    }
    uint64_t start = vector->errors[index][0], end = vector->errors[index][1];
    CHECK(error->start == start && error->end == end);
    CHECK(error->reason > TEXTCODEC_REASON_NONE && error->reason <= TEXTCODEC_REASON_REPLACEMENT);
    CHECK(error->encoding == vector->used && error->code_point == 0);
    uint8_t bytes[4] = {0};
    memcpy(bytes, vector->input + start, end - start);
    CHECK(memcmp(bytes, error->bytes, 4) == 0);
    CHECK(error->reserved[0] == 0 && error->reserved[1] == 0);
}

static void write_replacement(enum form form, void *text, size_t at) {
    if (form == UTF8) {
        memcpy((char *)text + at, "\xEF\xBF\xBD", 3);
    } else if (form == UTF16) {
        ((char16_t *)text)[at] = 0xFFFD;
    } else {
        ((char32_t *)text)[at] = 0xFFFD;
    }
}

/*
 * Decodes chunks that end at `split` and every `step` bytes, to destinations of `room` units. With
 * `pause`, writes U+FFFD itself.
 */
static void decode_chunks(const struct vector *vector, const struct text *expected, size_t split,
                          size_t step, size_t room, bool pause) {
    enum form form = expected->form;
    size_t width = unit_size(form);
    textcodec_decode_options options = {.bom = vector->bom};
    options.malformed = pause ? TEXTCODEC_MALFORMED_PAUSE : TEXTCODEC_MALFORMED_REPLACE;
    textcodec_decoder_storage storage;
    textcodec_decoder *decoder = NULL;
    CHECK(textcodec_decoder_init(&storage, vector->encoding, &options, &decoder) == TEXTCODEC_OK);
    uint8_t *text = allocate((expected->length + room + 8) * width);
    /* A buffer of its own, so that writing after its end is found. */
    size_t buffer_length = room + 4;
    uint8_t *buffer = NULL;
    size_t read = 0, written = 0, errors = 0, given = room;
    for (;;) {
        size_t end = read < split ? split : read + step < vector->input_length ? read + step
                                                                             : vector->input_length;
        bool last = end == vector->input_length;
        size_t length = end - read, units = given;
        size_t most = max_length(decoder, form, length);
        buffer = allocate(buffer_length * width);
        textcodec_error error;
        textcodec_status status = decode(decoder, form, vector->input + read, &length,
                                         buffer + (buffer_length - given) * width, &units, last,
                                         &error);
        CHECK(length <= end - read && units <= given && written + units <= expected->length);
        if (written + units > expected->length) {
            break;
        }
        memcpy(text + written * width, buffer + (buffer_length - given) * width, units * width);
        free(buffer);
        buffer = NULL;
        read += length;
        written += units;
        CHECK(textcodec_decoder_position(decoder) == read);
        if (status == TEXTCODEC_MALFORMED) {
            CHECK(pause && errors < vector->error_count);
            check_error(vector, &error, errors++);
            write_replacement(form, text, written);
            written += form == UTF8 ? 3 : 1;
            CHECK(written <= expected->length);
            if (written > expected->length || errors > vector->error_count) {
                break;
            }
        } else if (status == TEXTCODEC_OUTPUT_FULL) {
            CHECK(given < most);
            CHECK(length + units > 0 || given < least(form));
            given = length + units > 0 || given > room + 3 ? room : given + 1;
            continue;
        } else {
            CHECK(status == TEXTCODEC_OK && read == end);
            if (last || status != TEXTCODEC_OK) {
                break;
            }
        }
        given = room;
    }
    free(buffer);
    CHECK(read == vector->input_length && written == expected->length);
    CHECK(memcmp(text, expected->units, written * width) == 0);
    CHECK(textcodec_decoder_encoding(decoder) == vector->used);
    CHECK(textcodec_decoder_bom_removed(decoder) == vector->bom_removed);
    textcodec_error first;
    bool has_error = textcodec_decoder_first_error(decoder, &first);
    if (pause) {
        CHECK(errors == vector->error_count && !has_error);
        CHECK(textcodec_decoder_error_count(decoder) == 0);
    } else {
        CHECK(textcodec_decoder_error_count(decoder) == vector->error_count);
        CHECK(has_error == (vector->error_count > 0));
        check_error(vector, &first, 0);
    }
    textcodec_decoder_free(decoder);
    free(text);
}

static textcodec_status decode_whole(const struct vector *vector, enum form form,
                                     const textcodec_decode_options *options, void **text,
                                     size_t *length, textcodec_summary *summary) {
    textcodec_encoding encoding = vector->encoding;
    if (form == UTF8) {
        return textcodec_decode(encoding, vector->input, vector->input_length, options,
                                (char **)text, length, summary);
    }
    if (form == UTF16) {
        return textcodec_decode_utf16(encoding, vector->input, vector->input_length, options,
                                      (char16_t **)text, length, summary);
    }
    return textcodec_decode_utf32(encoding, vector->input, vector->input_length, options,
                                  (char32_t **)text, length, summary);
}

static void test_whole(const struct vector *vector, const struct text *expected) {
    textcodec_decode_options options = {.bom = vector->bom};
    size_t width = unit_size(expected->form), length = 1;
    void *text = &length;
    textcodec_summary summary;
    CHECK(decode_whole(vector, expected->form, &options, &text, &length, &summary) == TEXTCODEC_OK);
    CHECK(text != NULL && length == expected->length);
    CHECK(memcmp(text, expected->units, length * width) == 0);
    const uint8_t nul[4] = {0};
    CHECK(memcmp((uint8_t *)text + length * width, nul, width) == 0);
    CHECK(summary.error_count == vector->error_count && summary.encoding == vector->used);
    CHECK(summary.bom_removed == vector->bom_removed);
    check_error(vector, &summary.first_error, 0);
    textcodec_free(text);
    options.malformed = TEXTCODEC_MALFORMED_FAIL;
    textcodec_status status = decode_whole(vector, expected->form, &options, &text, &length,
                                           &summary);
    CHECK(status == (vector->error_count > 0 ? TEXTCODEC_MALFORMED : TEXTCODEC_OK));
    CHECK((text != NULL) == (status == TEXTCODEC_OK));
    CHECK(status == TEXTCODEC_OK || (length == 0 && summary.error_count == 1));
    check_error(vector, &summary.first_error, 0);
    textcodec_free(text);
}

/* After an error, a decoder that fails returns the same error, until it is reset. */
static void test_failure(const struct vector *vector) {
    textcodec_decode_options options = {.bom = vector->bom,
                                        .malformed = TEXTCODEC_MALFORMED_FAIL};
    textcodec_decoder *decoder;
    CHECK(textcodec_decoder_new(vector->encoding, &options, &decoder) == TEXTCODEC_OK);
    size_t room = textcodec_decoder_max_utf8(decoder, vector->input_length);
    char *text = allocate(room);
    for (int round = 0; round < 2; round++) {
        for (int repeat = 0; repeat < 2; repeat++) {
            textcodec_error error;
            size_t length = repeat == 0 ? vector->input_length : 0, written = room;
            CHECK(textcodec_decoder_to_utf8(decoder, vector->input, &length, text, &written, true,
                                            &error) == TEXTCODEC_MALFORMED);
            CHECK(repeat == 0 || (length == 0 && written == 0));
            check_error(vector, &error, 0);
            CHECK(!textcodec_decoder_is_at_rest(decoder));
        }
        CHECK(textcodec_decoder_reset(decoder) == TEXTCODEC_OK);
        CHECK(textcodec_decoder_position(decoder) == 0);
    }
    textcodec_decoder_free(decoder);
    free(text);
}

void test_decoding(const struct vector *vector) {
    size_t length = vector->input_length;
    for (size_t i = 0; i < FORMS; i++) {
        struct text expected = text_from_utf8(vector->output, vector->output_length, forms[i]);
        test_whole(vector, &expected);
        if (length < 40) {
            for (size_t split = 0; split <= length; split++) {
                for (size_t room = 0; room < 10; room++) {
                    decode_chunks(vector, &expected, split, SIZE_MAX / 2, room, room % 2 == 1);
                }
                decode_chunks(vector, &expected, split, SIZE_MAX / 2, 4 * length + 16, false);
            }
            for (size_t room = 0; room < 10; room++) {
                decode_chunks(vector, &expected, 0, 1, room, room % 2 == 0);
            }
        } else {
            const size_t rooms[] = {1, 2, 3, 5, 31, 32, 33, 1000, 1025, 4099, 100000};
            for (size_t j = 0; j < sizeof rooms / sizeof *rooms; j++) {
                decode_chunks(vector, &expected, length / 3, SIZE_MAX / 2, rooms[j], j % 2 == 0);
                decode_chunks(vector, &expected, 0, rooms[j], 100000, j % 2 == 1);
            }
        }
        free(expected.units);
    }
    if (vector->error_count > 0) {
        test_failure(vector);
    }
}
