/* What the parts of the fuzz target for textcodec.h share. */
#ifndef API_H
#define API_H

#include <textcodec.h>

#include "fuzz.h"

enum form { UTF8, UTF16, UTF32 };

/* Bytes of the header, apart from the seed. */
enum { MODE_AT, ENCODING_AT, FORM_AT, FIRST_AT, SECOND_AT, THIRD_AT, REPLACEMENT_AT, FLAGS_AT };

/* Returns the size of a unit. */
size_t unit_size(enum form form);

/* Checks that text is well-formed, and appends its characters to a log, four bytes each. */
void log_characters(struct log *log, enum form form, const void *text, size_t length);

/*
 * Returns `value` if it is one of the first `count` values of an option. Otherwise, which is rare,
 * a number that is none of them, and sets `*valid` to false.
 */
int32_t option(uint8_t byte, int32_t count, bool *valid);

/* An encoding that the library has, or rarely another number; then sets `*valid` to false. */
textcodec_encoding header_encoding(const uint8_t *header, bool *valid);

/* Appends an error without its padding. */
void log_error(struct log *log, const textcodec_error *error);

/* Sets every byte of an error, to see whether a call changes it. */
void fill_error(textcodec_error *error);
bool is_filled(const textcodec_error *error);

/* What a call has done. Conversions without a decoder or encoder have no error. */
struct outcome {
    textcodec_status status;
    size_t read, written;
    const void *out;
    textcodec_error error;
};

/*
 * Checks what holds after every call of a decoder or encoder, and counts it. `source` is the copy
 * of `in`, of which the call had `length` units. `failed` is the status that comes with an error.
 */
void check_call(const struct outcome *o, textcodec_status failed, const void *source,
                const void *in, size_t length, size_t in_width, size_t room, size_t out_width);

bool same_outcome(const struct outcome *a, const struct outcome *b);

/* Appends what a summary and a decoder or encoder both know. */
void log_end(struct log *log, uint64_t error_count, const textcodec_error *first);

void fuzz_decoder(const uint8_t *header, const uint8_t *in, size_t length);
void fuzz_encoder(const uint8_t *header, const uint8_t *in, size_t length);
void fuzz_conversions(const uint8_t *header, const uint8_t *in, size_t length);
void fuzz_names(const uint8_t *header, const uint8_t *in, size_t length);

#endif
