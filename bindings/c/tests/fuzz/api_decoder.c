/* Decoders: in one call, in parts, as a whole input, as a clone, after a reset. */
#include <stdlib.h>
#include <string.h>

#include "api.h"

/* What is decoded, and how. */
struct task {
    const uint8_t *in;
    size_t length;
    enum form form;
    /* Each call writes another form. */
    bool mixed;
    textcodec_encoding encoding;
    textcodec_decode_options options;
    struct random random;
};

/* Characters, errors, and what is known at the end. */
struct run {
    struct log text, errors, end;
    uint64_t last_end;
};

static size_t least(enum form form) {
    return form == UTF8 ? 4 : form == UTF16 ? 2 : 1;
}

static size_t max_length(const textcodec_decoder *decoder, enum form form, size_t length) {
    return form == UTF8    ? textcodec_decoder_max_utf8(decoder, length)
           : form == UTF16 ? textcodec_decoder_max_utf16(decoder, length)
                           : textcodec_decoder_max_utf32(decoder, length);
}

static textcodec_decoder *new_decoder(const struct task *task) {
    textcodec_decoder *decoder = NULL;
    textcodec_status status = textcodec_decoder_new(task->encoding, &task->options, &decoder);
    CHECK(status == TEXTCODEC_OK && decoder != NULL, "no decoder: %d", status);
    return decoder;
}

static textcodec_decoder *clone_of(const textcodec_decoder *decoder) {
    textcodec_decoder *clone = NULL;
    CHECK(textcodec_decoder_clone(decoder, &clone) == TEXTCODEC_OK && clone != NULL, "no clone");
    return clone;
}

/* ---- One call ---- */

static struct outcome call(textcodec_decoder *decoder, enum form form, const uint8_t *in,
                           size_t length, size_t room, bool last) {
    size_t width = unit_size(form);
    const uint8_t *source = region_copy(SOURCE, in, length);
    void *out = region_place(DESTINATION, room * width);
    struct outcome o = {.read = length, .written = room, .out = out};
    fill_error(&o.error);
    switch (form) {
    case UTF8:
        o.status = textcodec_decoder_to_utf8(decoder, source, &o.read, out, &o.written, last,
                                             &o.error);
        break;
    case UTF16:
        o.status = textcodec_decoder_to_utf16(decoder, source, &o.read, out, &o.written, last,
                                              &o.error);
        break;
    default:
        o.status = textcodec_decoder_to_utf32(decoder, source, &o.read, out, &o.written, last,
                                              &o.error);
    }
    check_call(&o, TEXTCODEC_MALFORMED, source, in, length, 1, room, width);
    if (o.status == TEXTCODEC_OUTPUT_FULL) {
        CHECK(room < least(form) || o.written > 0 || o.read > 0,
              "no progress with %zu units", room);
    }
    return o;
}

/* Calls a copy in the same way. It does the same, and the original does not notice. */
static void call_clone(const textcodec_decoder *decoder, enum form form, const uint8_t *in,
                       size_t length, size_t room, bool last, struct outcome *o, struct log *out) {
    textcodec_decoder *clone = clone_of(decoder);
    *o = call(clone, form, in, length, room, last);
    log_clear(out);
    log_append(out, o->out, o->written * unit_size(form));
    textcodec_decoder_free(clone);
}

static void check_error(const struct task *task, const textcodec_decoder *decoder,
                        const textcodec_error *error) {
    uint64_t start = error->start, end = error->end;
    CHECK(start < end && end <= task->length && end - start <= 4,
          "an error from %llu to %llu of %zu", (unsigned long long)start,
          (unsigned long long)end, task->length);
    CHECK(error->reason > TEXTCODEC_REASON_NONE && error->reason <= TEXTCODEC_REASON_REPLACEMENT,
          "reason %d", error->reason);
    CHECK(error->code_point == 0 && error->encoding == textcodec_decoder_encoding(decoder),
          "encoding %d, code point %X", error->encoding, error->code_point);
    uint8_t bytes[4] = {0};
    memcpy(bytes, task->in + start, end - start);
    CHECK(memcmp(bytes, error->bytes, 4) == 0, "wrong bytes of the error at %llu",
          (unsigned long long)start);
    CHECK(error->reserved[0] == 0 && error->reserved[1] == 0, "reserved fields are not 0");
}

/* Keeps the result of a call. */
static void keep(const struct task *task, const textcodec_decoder *decoder, enum form form,
                 const struct outcome *o, struct run *run) {
    log_characters(&run->text, form, o->out, o->written);
    if (o->status == TEXTCODEC_MALFORMED) {
        check_error(task, decoder, &o->error);
        CHECK(o->error.start >= run->last_end, "the error at %llu is in the one before it",
              (unsigned long long)o->error.start);
        CHECK(o->error.end <= textcodec_decoder_position(decoder), "the error ends at %llu",
              (unsigned long long)o->error.end);
        run->last_end = o->error.end;
        log_number(&run->errors, run->text.length);
        log_error(&run->errors, &o->error);
    }
}

static void keep_end(const struct task *task, const textcodec_decoder *decoder, struct run *run) {
    textcodec_error first;
    bool found = textcodec_decoder_first_error(decoder, &first);
    CHECK(found == (textcodec_decoder_error_count(decoder) > 0), "the first error is %d", found);
    if (found) {
        check_error(task, decoder, &first);
    }
    log_end(&run->end, textcodec_decoder_error_count(decoder), &first);
    log_number(&run->end, (uint64_t)textcodec_decoder_encoding(decoder));
    log_number(&run->end, textcodec_decoder_bom_removed(decoder));
}

static void clear(struct run *run) {
    log_clear(&run->text);
    log_clear(&run->errors);
    log_clear(&run->end);
    run->last_end = 0;
}

static void compare(const struct run *run, const struct run *expected, const char *what) {
    log_compare(&run->text, &expected->text, what);
    log_compare(&run->errors, &expected->errors, "errors");
    log_compare(&run->end, &expected->end, "counts");
}

/* A decoder that has failed fails again. */
static void fail_again(const struct task *task, textcodec_decoder *decoder, enum form form,
                       const textcodec_error *error) {
    for (size_t length = 0; length <= task->length; length += task->length / 2 + 1) {
        struct outcome o = call(decoder, form, task->in, length, length, length == 0);
        CHECK(o.status == TEXTCODEC_MALFORMED && o.read == 0 && o.written == 0 &&
                  memcmp(&o.error, error, sizeof *error) == 0,
              "after an error that ends the input, status %d", o.status);
    }
}

/* ---- In one call ---- */

static void decode_at_once(const struct task *task, textcodec_decoder *decoder, struct run *run) {
    clear(run);
    for (size_t at = 0;;) {
        size_t room = max_length(decoder, task->form, task->length - at);
        struct outcome o =
            call(decoder, task->form, task->in + at, task->length - at, room, true);
        CHECK(o.status != TEXTCODEC_OUTPUT_FULL, "%zu units are too little for %zu bytes", room,
              task->length - at);
        keep(task, decoder, task->form, &o, run);
        at += o.read;
        if (o.status == TEXTCODEC_OK) {
            CHECK(at == task->length, "the end is at %zu", at);
            break;
        }
        if (task->options.malformed == TEXTCODEC_MALFORMED_FAIL) {
            fail_again(task, decoder, task->form, &o.error);
            break;
        }
    }
    keep_end(task, decoder, run);
}

/* ---- In parts ---- */

/* Where a decoder was at rest. */
struct rest {
    bool found;
    size_t text, at;
    textcodec_encoding encoding;
};

/*
 * Calls a clone after a call that has not decoded all. With the same room, nothing more fits. At
 * the end of a decoder at rest, nothing is left to write.
 */
static void probe(const textcodec_decoder *decoder, enum form form, const uint8_t *in,
                  size_t length, size_t room, bool last, const struct outcome *o) {
    textcodec_decoder *clone = clone_of(decoder);
    if (o->status == TEXTCODEC_OUTPUT_FULL) {
        struct outcome again =
            call(clone, form, in + o->read, length - o->read, room - o->written, last);
        CHECK(again.status == TEXTCODEC_OUTPUT_FULL && again.written == 0,
              "full after %zu of %zu units, but then status %d, %zu units", o->written, room,
              again.status, again.written);
    } else if (textcodec_decoder_is_at_rest(decoder)) {
        struct outcome end = call(clone, form, NULL, 0, 0, true);
        CHECK(end.status == TEXTCODEC_OK, "status %d at the end of a decoder at rest", end.status);
    }
    textcodec_decoder_free(clone);
}

static void decode_in_parts(struct task *task, textcodec_decoder **decoder, struct run *run,
                            struct rest *rest) {
    struct random *random = &task->random;
    struct log expected = {0};
    bool last = false;
    clear(run);
    for (size_t at = 0, end = 0;;) {
        /* After the end was announced, every call has all the rest. */
        if (!last) {
            size_t given = random_size(random);
            end = given < task->length - at ? at + given : task->length;
            last = end == task->length && !random_one_in(random, 3);
        }
        enum form form = task->mixed ? (enum form)random_below(random, 3) : task->form;
        size_t most = max_length(*decoder, form, end - at);
        size_t room = random_one_in(random, 4) ? most : random_size(random);
        room = room < most ? room : most;
        bool cloned = random_one_in(random, 6);
        struct outcome o, of_clone;
        if (cloned) {
            call_clone(*decoder, form, task->in + at, end - at, room, last, &of_clone, &expected);
        }
        if (random_one_in(random, 12)) {
            textcodec_decoder *clone = clone_of(*decoder);
            textcodec_decoder_free(*decoder);
            *decoder = clone;
        }
        uint64_t count = textcodec_decoder_error_count(*decoder);
        o = call(*decoder, form, task->in + at, end - at, room, last);
        CHECK(o.status != TEXTCODEC_OUTPUT_FULL || room < most, "%zu units are too little", room);
        if (cloned) {
            CHECK(same_outcome(&o, &of_clone), "a clone: status %d, %zu read, %zu written",
                  of_clone.status, of_clone.read, of_clone.written);
            CHECK(expected.length == 0 || memcmp(o.out, expected.bytes, expected.length) == 0,
                  "a clone has other output");
        }
        keep(task, *decoder, form, &o, run);
        if (random_one_in(random, 4)) {
            probe(*decoder, form, task->in + at, end - at, room, last, &o);
        }
        at += o.read;
        CHECK(textcodec_decoder_position(*decoder) == at, "position %llu instead of %zu",
              (unsigned long long)textcodec_decoder_position(*decoder), at);
        CHECK(at == o.read || textcodec_decoder_error_count(*decoder) >= count,
              "there are fewer errors than before");
        if (o.status == TEXTCODEC_OK && last) {
            CHECK(at == task->length, "the end is at %zu", at);
            break;
        }
        if (o.status == TEXTCODEC_MALFORMED &&
            task->options.malformed == TEXTCODEC_MALFORMED_FAIL) {
            fail_again(task, *decoder, form, &o.error);
            break;
        }
        if (!last && o.status != TEXTCODEC_MALFORMED && textcodec_decoder_is_at_rest(*decoder) &&
            (!rest->found || random_one_in(random, 3))) {
            textcodec_encoding encoding = textcodec_decoder_encoding(*decoder);
            *rest = (struct rest){true, run->text.length, at, encoding};
        }
    }
    keep_end(task, *decoder, run);
    log_free(&expected);
}

/* A decoder at rest decodes what follows like a new one. */
static void decode_rest(const struct task *task, const struct rest *rest, const struct run *whole,
                        struct run *run) {
    struct task tail = *task;
    tail.in += rest->at;
    tail.length -= rest->at;
    tail.encoding = rest->encoding;
    tail.options.bom = TEXTCODEC_BOM_KEEP;
    textcodec_decoder *decoder = new_decoder(&tail);
    decode_at_once(&tail, decoder, run);
    textcodec_decoder_free(decoder);
    struct log expected = {0};
    if (whole->text.length > rest->text) {
        log_append(&expected, whole->text.bytes + rest->text, whole->text.length - rest->text);
    }
    log_compare(&run->text, &expected, "texts after a place at rest");
    log_free(&expected);
}

/* ---- Whole inputs ---- */

static void *decode_whole(const struct task *task, textcodec_status *status, size_t *length,
                          textcodec_summary *summary) {
    const uint8_t *source = region_copy(SOURCE, task->in, task->length);
    const textcodec_decode_options *options = &task->options;
    memset(summary, FILL, sizeof *summary);
    *length = 1;
    char *utf8 = NULL;
    char16_t *utf16 = NULL;
    char32_t *utf32 = NULL;
    counts.calls++;
    switch (task->form) {
    case UTF8:
        *status = textcodec_decode(task->encoding, source, task->length, options, &utf8, length,
                                   summary);
        return utf8;
    case UTF16:
        *status = textcodec_decode_utf16(task->encoding, source, task->length, options, &utf16,
                                         length, summary);
        return utf16;
    default:
        *status = textcodec_decode_utf32(task->encoding, source, task->length, options, &utf32,
                                         length, summary);
        return utf32;
    }
}

/* Compares with the run of a decoder. */
static void check_whole(const struct task *task, const struct run *expected, struct run *run) {
    textcodec_status status;
    textcodec_summary summary;
    size_t length;
    void *text = decode_whole(task, &status, &length, &summary);
    clear(run);
    if (status == TEXTCODEC_OK) {
        size_t width = unit_size(task->form);
        CHECK(text != NULL, "no text");
        for (size_t i = 0; i < width; i++) {
            CHECK(((uint8_t *)text)[length * width + i] == 0, "no NUL after the text");
        }
        log_characters(&run->text, task->form, text, length);
        log_compare(&run->text, &expected->text, "texts of whole inputs");
        CHECK(expected->errors.length == 0, "the decoder had errors");
        CHECK((summary.error_count == 0) == (summary.first_error.reason == TEXTCODEC_REASON_NONE),
              "%llu errors", (unsigned long long)summary.error_count);
        log_end(&run->end, summary.error_count, &summary.first_error);
        log_number(&run->end, (uint64_t)summary.encoding);
        log_number(&run->end, summary.bom_removed == 1);
        log_compare(&run->end, &expected->end, "summaries");
    } else {
        CHECK(status == TEXTCODEC_MALFORMED && text == NULL && length == 0, "status %d", status);
        CHECK(summary.error_count == 1, "%llu errors", (unsigned long long)summary.error_count);
        log_error(&run->errors, &summary.first_error);
        size_t size = run->errors.length, skipped = sizeof(uint64_t);
        CHECK(expected->errors.length >= skipped + size &&
                  memcmp(run->errors.bytes, expected->errors.bytes + skipped, size) == 0,
              "the error is not the decoder's first one");
    }
    textcodec_free(text);
}

/* Options and encodings that have no meaning. */
static void check_invalid(const struct task *task) {
    textcodec_decoder_storage storage;
    textcodec_decoder *decoder = (textcodec_decoder *)(void *)&storage;
    textcodec_status status = textcodec_decoder_new(task->encoding, &task->options, &decoder);
    CHECK(status == TEXTCODEC_INVALID_ARGUMENT && decoder == NULL, "new: status %d", status);
    decoder = (textcodec_decoder *)(void *)&storage;
    status = textcodec_decoder_init(&storage, task->encoding, &task->options, &decoder);
    CHECK(status == TEXTCODEC_INVALID_ARGUMENT && decoder == NULL, "init: status %d", status);
    size_t length;
    textcodec_summary summary;
    void *text = decode_whole(task, &status, &length, &summary);
    CHECK(status == TEXTCODEC_INVALID_ARGUMENT && text == NULL && length == 0, "whole: status %d",
          status);
    counts.compared++;
}

/* ---- All of them ---- */

/* Brings a used decoder, or a new one with other options, to the state of a new one. */
static void prepare(struct task *task, textcodec_decoder **decoder) {
    struct random *random = &task->random;
    if (random_one_in(random, 2)) {
        size_t length = random_below(random, task->length + 1);
        call(*decoder, task->form, task->in, length, random_size(random), random_one_in(random, 3));
        CHECK(textcodec_decoder_reset(*decoder) == TEXTCODEC_OK, "no reset");
    }
    if (random_one_in(random, 4)) {
        struct task other = *task;
        other.options.malformed = (int32_t)random_below(random, 3);
        textcodec_decoder_free(*decoder);
        *decoder = new_decoder(&other);
        CHECK(textcodec_decoder_set_malformed(*decoder, 3) == TEXTCODEC_INVALID_ARGUMENT,
              "3 is set");
        CHECK(textcodec_decoder_set_malformed(*decoder, task->options.malformed) == TEXTCODEC_OK,
              "%d is not set", task->options.malformed);
    }
    if (random_one_in(random, 3)) {
        textcodec_decoder *clone = clone_of(*decoder);
        textcodec_decoder_free(*decoder);
        *decoder = clone;
    }
    CHECK(textcodec_decoder_position(*decoder) == 0, "a new decoder is not at 0");
}

void fuzz_decoder(const uint8_t *header, const uint8_t *in, size_t length) {
    bool valid = true;
    struct task task = {.in = in, .length = length, .random = random_of_header(header)};
    task.form = (enum form)(header[FORM_AT] % 3);
    task.mixed = header[FORM_AT] & 0x40;
    task.encoding = header_encoding(header, &valid);
    task.options.bom = option(header[FIRST_AT], 3, &valid);
    task.options.malformed = option(header[SECOND_AT], 3, &valid);
    task.options.reject_unassigned = option(header[THIRD_AT], 2, &valid);
    if (header[FLAGS_AT] == 0xFF) {
        task.options.reserved[header[REPLACEMENT_AT] % 5] = 1;
        valid = false;
    }
    describe("decoder of %s (%d), form %d, mixed %d, bom %d, malformed %d, unassigned %d, "
             "%zu bytes",
             textcodec_encoding_name(task.encoding), task.encoding, task.form, task.mixed,
             task.options.bom, task.options.malformed, task.options.reject_unassigned, length);
    if (!valid) {
        check_invalid(&task);
        return;
    }
    struct run whole = {0}, run = {0};
    textcodec_decoder_storage storage;
    textcodec_decoder *decoder = NULL;
    CHECK(textcodec_decoder_init(&storage, task.encoding, &task.options, &decoder) == TEXTCODEC_OK,
          "no decoder in storage");
    decode_at_once(&task, decoder, &whole);
    textcodec_decoder_free(decoder);
    decoder = new_decoder(&task);
    prepare(&task, &decoder);
    struct rest rest = {0};
    /* After the end of an input, the same decoder starts another one. */
    for (int round = 0; round < 2; round++) {
        decode_in_parts(&task, &decoder, &run, &rest);
        compare(&run, &whole, "texts");
        if (whole.errors.length > 0 && task.options.malformed == TEXTCODEC_MALFORMED_FAIL) {
            break;
        }
    }
    textcodec_decoder_free(decoder);
    if (rest.found) {
        decode_rest(&task, &rest, &whole, &run);
    }
    check_whole(&task, &whole, &run);
    log_free(&whole.text);
    log_free(&whole.errors);
    log_free(&whole.end);
    log_free(&run.text);
    log_free(&run.errors);
    log_free(&run.end);
}
