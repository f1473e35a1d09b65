/* Encoders: in one call, in parts, as a whole text, as a clone, after a reset, from other forms. */
#include <stdlib.h>
#include <string.h>

#include "api.h"

/* What is encoded, and how. */
struct task {
    const uint8_t *in;
    /* Units. */
    size_t length;
    enum form form;
    textcodec_encoding encoding;
    textcodec_encode_options options;
    struct random random;
};

/* Bytes, errors, and what is known at the end. */
struct run {
    struct log bytes, errors, end;
    uint64_t last_end;
};

static size_t max_length(const textcodec_encoder *encoder, enum form form, size_t length) {
    return form == UTF8    ? textcodec_encoder_max_from_utf8(encoder, length)
           : form == UTF16 ? textcodec_encoder_max_from_utf16(encoder, length)
                           : textcodec_encoder_max_from_utf32(encoder, length);
}

static textcodec_encoder *new_encoder(const struct task *task) {
    textcodec_encoder *encoder = NULL;
    textcodec_status status = textcodec_encoder_new(task->encoding, &task->options, &encoder);
    CHECK(status == TEXTCODEC_OK && encoder != NULL, "no encoder: %d", status);
    return encoder;
}

static textcodec_encoder *clone_of(const textcodec_encoder *encoder) {
    textcodec_encoder *clone = NULL;
    CHECK(textcodec_encoder_clone(encoder, &clone) == TEXTCODEC_OK && clone != NULL, "no clone");
    return clone;
}

static bool stops_for_good(const struct task *task) {
    return task->options.unmappable == TEXTCODEC_UNMAPPABLE_FAIL;
}

/* ---- One call ---- */

/* Calls with the units from `at` to `end`. */
static struct outcome call(textcodec_encoder *encoder, const struct task *task, size_t at,
                           size_t end, size_t room, bool last) {
    size_t width = unit_size(task->form), length = end - at;
    const uint8_t *in = task->in + at * width;
    const void *source = region_copy(SOURCE, in, length * width);
    uint8_t *out = region_place(DESTINATION, room);
    struct outcome o = {.read = length, .written = room, .out = out};
    fill_error(&o.error);
    switch (task->form) {
    case UTF8:
        o.status = textcodec_encoder_from_utf8(encoder, source, &o.read, out, &o.written, last,
                                               &o.error);
        break;
    case UTF16:
        o.status = textcodec_encoder_from_utf16(encoder, source, &o.read, out, &o.written, last,
                                                &o.error);
        break;
    default:
        o.status = textcodec_encoder_from_utf32(encoder, source, &o.read, out, &o.written, last,
                                                &o.error);
    }
    check_call(&o, TEXTCODEC_UNMAPPABLE, source, in, length, width, room, 1);
    CHECK(o.status != TEXTCODEC_OUTPUT_FULL || room == 0 || o.written > 0 || o.read > 0,
          "no progress with %zu bytes", room);
    return o;
}

static void check_error(const struct task *task, const textcodec_error *error) {
    uint64_t start = error->start, end = error->end;
    CHECK(start < end && end <= task->length && end - start <= 4,
          "an error from %llu to %llu of %zu", (unsigned long long)start,
          (unsigned long long)end, task->length);
    CHECK(error->reason == TEXTCODEC_REASON_UNMAPPABLE ||
              (error->reason == TEXTCODEC_REASON_ILL_FORMED && error->code_point == 0xFFFD),
          "reason %d, code point %X", error->reason, error->code_point);
    CHECK(error->code_point <= 0x10FFFF && error->encoding == task->encoding, "encoding %d, %X",
          error->encoding, error->code_point);
    uint8_t none[4] = {0};
    CHECK(memcmp(error->bytes, none, 4) == 0, "bytes of the error at %llu",
          (unsigned long long)start);
    CHECK(error->reserved[0] == 0 && error->reserved[1] == 0, "reserved fields are not 0");
}

static void keep(const struct task *task, const textcodec_encoder *encoder,
                 const struct outcome *o, struct run *run) {
    log_append(&run->bytes, o->out, o->written);
    if (o->status == TEXTCODEC_UNMAPPABLE) {
        check_error(task, &o->error);
        CHECK(o->error.start >= run->last_end, "the error at %llu is in the one before it",
              (unsigned long long)o->error.start);
        CHECK(o->error.end <= textcodec_encoder_position(encoder), "the error ends at %llu",
              (unsigned long long)o->error.end);
        run->last_end = o->error.end;
        log_number(&run->errors, run->bytes.length);
        log_error(&run->errors, &o->error);
    }
}

static void keep_end(const struct task *task, const textcodec_encoder *encoder, struct run *run) {
    textcodec_error first;
    bool found = textcodec_encoder_first_error(encoder, &first);
    CHECK(found == (textcodec_encoder_error_count(encoder) > 0), "the first error is %d", found);
    if (found) {
        check_error(task, &first);
    }
    CHECK(textcodec_encoder_encoding(encoder) == task->encoding, "another encoding");
    /* Not the position: a call can keep the start of a character before an error is reported. */
    log_end(&run->end, textcodec_encoder_error_count(encoder), &first);
}

static void clear(struct run *run) {
    log_clear(&run->bytes);
    log_clear(&run->errors);
    log_clear(&run->end);
    run->last_end = 0;
}

static void run_free(struct run *run) {
    log_free(&run->bytes);
    log_free(&run->errors);
    log_free(&run->end);
}

static void fail_again(const struct task *task, textcodec_encoder *encoder,
                       const textcodec_error *error) {
    for (size_t length = 0; length <= task->length; length += task->length / 2 + 1) {
        struct outcome o = call(encoder, task, 0, length, length, length == 0);
        CHECK(o.status == TEXTCODEC_UNMAPPABLE && o.read == 0 && o.written == 0 &&
                  memcmp(&o.error, error, sizeof *error) == 0,
              "after an error that ends the text, status %d", o.status);
    }
}

/* ---- In one call ---- */

static void encode_at_once(const struct task *task, textcodec_encoder *encoder, struct run *run) {
    clear(run);
    for (size_t at = 0;;) {
        size_t room = max_length(encoder, task->form, task->length - at);
        struct outcome o = call(encoder, task, at, task->length, room, true);
        CHECK(o.status != TEXTCODEC_OUTPUT_FULL, "%zu bytes are too little for %zu units", room,
              task->length - at);
        keep(task, encoder, &o, run);
        at += o.read;
        if (o.status == TEXTCODEC_OK) {
            CHECK(at == task->length, "the end is at %zu", at);
            break;
        }
        if (stops_for_good(task)) {
            fail_again(task, encoder, &o.error);
            break;
        }
    }
    keep_end(task, encoder, run);
}

/* ---- In parts ---- */

/* Calls a clone after a call. */
static void probe(const textcodec_encoder *encoder, const struct task *task, size_t at, size_t end,
                  size_t room, bool last, const struct outcome *o) {
    textcodec_encoder *clone = clone_of(encoder);
    if (o->status == TEXTCODEC_OUTPUT_FULL && o->written == room) {
        struct outcome again = call(clone, task, at, end, 0, last);
        CHECK(again.status == TEXTCODEC_OUTPUT_FULL && again.read == 0,
              "full, but then status %d, %zu units read", again.status, again.read);
    } else if (textcodec_encoder_is_at_rest(encoder)) {
        struct outcome closing = call(clone, task, at, at, 0, true);
        CHECK(closing.status == TEXTCODEC_OK, "status %d at the end of an encoder at rest",
              closing.status);
    }
    textcodec_encoder_free(clone);
}

static void encode_in_parts(struct task *task, textcodec_encoder **encoder, struct run *run) {
    struct random *random = &task->random;
    struct log expected = {0};
    bool last = false;
    clear(run);
    for (size_t at = 0, end = 0;;) {
        if (!last) {
            size_t given = random_size(random);
            end = given < task->length - at ? at + given : task->length;
            last = end == task->length && !random_one_in(random, 3);
        }
        size_t most = max_length(*encoder, task->form, end - at);
        size_t room = random_one_in(random, 4) ? most : random_size(random);
        room = room < most ? room : most;
        bool cloned = random_one_in(random, 6);
        struct outcome o, of_clone;
        if (cloned) {
            textcodec_encoder *clone = clone_of(*encoder);
            of_clone = call(clone, task, at, end, room, last);
            log_clear(&expected);
            log_append(&expected, of_clone.out, of_clone.written);
            textcodec_encoder_free(clone);
        }
        if (random_one_in(random, 12)) {
            textcodec_encoder *clone = clone_of(*encoder);
            textcodec_encoder_free(*encoder);
            *encoder = clone;
        }
        o = call(*encoder, task, at, end, room, last);
        CHECK(o.status != TEXTCODEC_OUTPUT_FULL || room < most, "%zu bytes are too little", room);
        if (cloned) {
            CHECK(same_outcome(&o, &of_clone), "a clone: status %d, %zu read, %zu written",
                  of_clone.status, of_clone.read, of_clone.written);
            CHECK(expected.length == 0 || memcmp(o.out, expected.bytes, expected.length) == 0,
                  "a clone has other output");
        }
        keep(task, *encoder, &o, run);
        at += o.read;
        CHECK(textcodec_encoder_position(*encoder) == at, "position %llu instead of %zu",
              (unsigned long long)textcodec_encoder_position(*encoder), at);
        if (o.status == TEXTCODEC_OK && last) {
            CHECK(at == task->length, "the end is at %zu", at);
            break;
        }
        if (o.status == TEXTCODEC_UNMAPPABLE && stops_for_good(task)) {
            fail_again(task, *encoder, &o.error);
            break;
        }
        if (random_one_in(random, 4)) {
            probe(*encoder, task, at, end, room, last, &o);
        }
    }
    keep_end(task, *encoder, run);
    log_free(&expected);
}

/* ---- Whole texts ---- */

static void *encode_whole(const struct task *task, textcodec_status *status, size_t *length,
                          textcodec_summary *summary) {
    const void *source = region_copy(SOURCE, task->in, task->length * unit_size(task->form));
    const textcodec_encode_options *options = &task->options;
    void *bytes = NULL;
    memset(summary, FILL, sizeof *summary);
    *length = 1;
    counts.calls++;
    switch (task->form) {
    case UTF8:
        *status = textcodec_encode(task->encoding, source, task->length, options, &bytes, length,
                                   summary);
        break;
    case UTF16:
        *status = textcodec_encode_utf16(task->encoding, source, task->length, options, &bytes,
                                         length, summary);
        break;
    default:
        *status = textcodec_encode_utf32(task->encoding, source, task->length, options, &bytes,
                                         length, summary);
    }
    return bytes;
}

static void check_whole(const struct task *task, const struct run *expected, struct run *run) {
    textcodec_status status;
    textcodec_summary summary;
    size_t length;
    uint8_t *bytes = encode_whole(task, &status, &length, &summary);
    clear(run);
    CHECK(summary.encoding == task->encoding && summary.bom_removed == 0, "a wrong summary");
    if (status == TEXTCODEC_OK) {
        CHECK(bytes != NULL && bytes[length] == 0, "no NUL after the bytes");
        log_append(&run->bytes, bytes, length);
        log_compare(&run->bytes, &expected->bytes, "bytes of whole texts");
        CHECK(expected->errors.length == 0, "the encoder had errors");
        log_end(&run->end, summary.error_count, &summary.first_error);
        log_compare(&run->end, &expected->end, "summaries");
    } else {
        CHECK(status == TEXTCODEC_UNMAPPABLE && bytes == NULL && length == 0, "status %d", status);
        CHECK(summary.error_count == 1, "%llu errors", (unsigned long long)summary.error_count);
        log_error(&run->errors, &summary.first_error);
        size_t size = run->errors.length, skipped = sizeof(uint64_t);
        CHECK(expected->errors.length >= skipped + size &&
                  memcmp(run->errors.bytes, expected->errors.bytes + skipped, size) == 0,
              "the error is not the encoder's first one");
    }
    textcodec_free(bytes);
}

static void check_invalid(const struct task *task, textcodec_status expected) {
    textcodec_encoder_storage storage;
    textcodec_encoder *encoder = (textcodec_encoder *)(void *)&storage;
    textcodec_status status = textcodec_encoder_new(task->encoding, &task->options, &encoder);
    CHECK(status == expected && encoder == NULL, "new: status %d", status);
    encoder = (textcodec_encoder *)(void *)&storage;
    status = textcodec_encoder_init(&storage, task->encoding, &task->options, &encoder);
    CHECK(status == expected && encoder == NULL, "init: status %d", status);
    size_t length;
    textcodec_summary summary;
    void *bytes = encode_whole(task, &status, &length, &summary);
    CHECK(status == expected && bytes == NULL && length == 0, "whole: status %d", status);
    counts.compared++;
}

/* ---- From other forms ---- */

/* Well-formed UTF-8 has the same bytes as the same text in UTF-16 and UTF-32. */
static void compare_forms(const struct task *task, const struct run *expected, struct run *run) {
    const char *text = (const char *)task->in;
    if (task->form != UTF8 || textcodec_utf8_valid_up_to(text, task->length) != task->length) {
        return;
    }
    size_t length = task->length, count = length, wide_count = length;
    char16_t *utf16 = malloc((length + 1) * sizeof *utf16);
    char32_t *utf32 = malloc((length + 1) * sizeof *utf32);
    CHECK(utf16 != NULL && utf32 != NULL, "no memory for the test");
    CHECK(textcodec_utf8_to_utf16(text, &length, utf16, &count) == TEXTCODEC_OK, "to UTF-16");
    length = count;
    CHECK(textcodec_utf16_to_utf32(utf16, &length, utf32, &wide_count) == TEXTCODEC_OK,
          "to UTF-32");
    struct task wide[2] = {*task, *task};
    wide[0].form = UTF16;
    wide[0].in = (const uint8_t *)utf16;
    wide[0].length = count;
    wide[1].form = UTF32;
    wide[1].in = (const uint8_t *)utf32;
    wide[1].length = wide_count;
    for (int i = 0; i < 2; i++) {
        textcodec_encoder *encoder = new_encoder(&wide[i]);
        encode_at_once(&wide[i], encoder, run);
        textcodec_encoder_free(encoder);
        log_compare(&run->bytes, &expected->bytes, "bytes of other forms");
        CHECK(run->errors.length == expected->errors.length, "another number of errors");
    }
    free(utf16);
    free(utf32);
}

/* ---- All of them ---- */

/* Brings a used encoder, or a new one with other options, to the state of a new one. */
static void prepare(struct task *task, textcodec_encoder **encoder) {
    struct random *random = &task->random;
    if (random_one_in(random, 2)) {
        size_t length = random_below(random, task->length + 1);
        call(*encoder, task, 0, length, random_size(random), random_one_in(random, 3));
        CHECK(textcodec_encoder_reset(*encoder) == TEXTCODEC_OK, "no reset");
    }
    if (random_one_in(random, 4)) {
        struct task other = *task;
        other.options.unmappable = (int32_t)random_below(random, 3);
        other.options.replacement = 0;
        textcodec_encoder_free(*encoder);
        *encoder = new_encoder(&other);
        CHECK(textcodec_encoder_set_unmappable(*encoder, 5, 0) == TEXTCODEC_INVALID_ARGUMENT,
              "5 is set");
        CHECK(textcodec_encoder_set_unmappable(*encoder, task->options.unmappable,
                                               task->options.replacement) == TEXTCODEC_OK,
              "%d is not set", task->options.unmappable);
    }
    if (random_one_in(random, 3)) {
        textcodec_encoder *clone = clone_of(*encoder);
        textcodec_encoder_free(*encoder);
        *encoder = clone;
    }
    CHECK(textcodec_encoder_position(*encoder) == 0, "a new encoder is not at 0");
}

/* Returns what the functions that make encoders return. */
static textcodec_status read_options(const uint8_t *header, struct task *task) {
    static const uint32_t REPLACEMENTS[] = {'?', 0xFFFD, ' ', 0x3013, 0xA4, 0, 0xD800, 0x110000};
    bool valid = true;
    task->encoding = header_encoding(header, &valid);
    textcodec_encode_options *options = &task->options;
    options->unmappable = option(header[FIRST_AT], 5, &valid);
    options->write_bom = option(header[SECOND_AT], 2, &valid);
    options->reject_ill_formed = option(header[THIRD_AT], 2, &valid);
    if (header[FLAGS_AT] == 0xFF) {
        options->reserved[header[REPLACEMENT_AT] % 4] = 1;
        valid = false;
    }
    if (options->unmappable == TEXTCODEC_UNMAPPABLE_REPLACE) {
        options->replacement = REPLACEMENTS[header[REPLACEMENT_AT] % 8];
        /* In replacement, there is no encoder, which is more important. */
        uint32_t c = options->replacement;
        valid = valid && (task->encoding == TEXTCODEC_REPLACEMENT
                              ? c < 0x110000 && c != 0xD800
                              : textcodec_encoding_can_encode(task->encoding, c));
    }
    return !valid                                     ? TEXTCODEC_INVALID_ARGUMENT
           : task->encoding == TEXTCODEC_REPLACEMENT ? TEXTCODEC_UNAVAILABLE
                                                     : TEXTCODEC_OK;
}

void fuzz_encoder(const uint8_t *header, const uint8_t *in, size_t length) {
    struct task task = {.in = in, .random = random_of_header(header)};
    task.form = (enum form)(header[FORM_AT] % 3);
    task.length = length / unit_size(task.form);
    textcodec_status expected = read_options(header, &task);
    describe("encoder of %s (%d), form %d, unmappable %d, replacement %X, bom %d, reject %d, "
             "%zu units",
             textcodec_encoding_name(task.encoding), task.encoding, task.form,
             task.options.unmappable, task.options.replacement, task.options.write_bom,
             task.options.reject_ill_formed, task.length);
    if (expected != TEXTCODEC_OK) {
        check_invalid(&task, expected);
        return;
    }
    struct run whole = {0}, run = {0};
    textcodec_encoder_storage storage;
    textcodec_encoder *encoder = NULL;
    CHECK(textcodec_encoder_init(&storage, task.encoding, &task.options, &encoder) == TEXTCODEC_OK,
          "no encoder in storage");
    encode_at_once(&task, encoder, &whole);
    textcodec_encoder_free(encoder);
    encoder = new_encoder(&task);
    prepare(&task, &encoder);
    /* After the end of a text, the same encoder starts another one. */
    for (int round = 0; round < 2; round++) {
        encode_in_parts(&task, &encoder, &run);
        log_compare(&run.bytes, &whole.bytes, "bytes");
        log_compare(&run.errors, &whole.errors, "errors");
        log_compare(&run.end, &whole.end, "counts");
        if (whole.errors.length > 0 && stops_for_good(&task)) {
            break;
        }
    }
    textcodec_encoder_free(encoder);
    check_whole(&task, &whole, &run);
    compare_forms(&task, &whole, &run);
    run_free(&whole);
    run_free(&run);
}
