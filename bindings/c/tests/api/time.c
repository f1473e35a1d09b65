/* The time of a loop must not be quadratic in the length of its source. */
#include "check.h"

#include <time.h>

/* Converts a source with as many calls as it takes, each of which stops at an error. */
typedef void loop(const struct text *source, char *destination, size_t size);

static void encode(const struct text *source, char *destination, size_t size) {
    textcodec_encode_options options = {0};
    options.unmappable = TEXTCODEC_UNMAPPABLE_PAUSE;
    options.reject_ill_formed = 1;
    textcodec_encoder_storage storage;
    textcodec_encoder *encoder;
    CHECK(textcodec_encoder_init(&storage, TEXTCODEC_LATIN1, &options, &encoder) == TEXTCODEC_OK);
    size_t read = 0;
    textcodec_status status = TEXTCODEC_UNMAPPABLE;
    while (status == TEXTCODEC_UNMAPPABLE) {
        const char *rest = (const char *)source->units + read * unit_size(source->form);
        size_t length = source->length - read, room = size;
        switch (source->form) {
        case UTF8:
            status = textcodec_encoder_from_utf8(encoder, rest, &length, destination, &room, false,
                                                 NULL);
            break;
        case UTF16:
            status = textcodec_encoder_from_utf16(encoder, (const char16_t *)(const void *)rest,
                                                  &length, destination, &room, false, NULL);
            break;
        default:
            status = textcodec_encoder_from_utf32(encoder, (const char32_t *)(const void *)rest,
                                                  &length, destination, &room, false, NULL);
        }
        read += length;
    }
    CHECK(status == TEXTCODEC_OK && read == source->length);
}

/* Skips characters that are not in Latin-1. They have two bytes. */
static void to_latin1(const struct text *source, char *destination, size_t size) {
    size_t read = 0;
    while (read < source->length) {
        size_t length = source->length - read, room = size;
        const char *rest = (const char *)source->units + read;
        CHECK(textcodec_utf8_to_latin1(rest, &length, destination, &room) == TEXTCODEC_UNMAPPABLE);
        read += length + 2;
    }
}

/* Returns the time that a loop takes for a source that repeats some units. */
static clock_t time_of(loop *run, enum form form, const void *units, size_t length, size_t count) {
    size_t size = length * unit_size(form);
    struct text source = {form, length * count, allocate(size * count)};
    for (size_t i = 0; i < count; i++) {
        memcpy((char *)source.units + i * size, units, size);
    }
    char *destination = allocate(source.length);
    clock_t start = clock();
    run(&source, destination, source.length);
    clock_t end = clock();
    free(destination);
    free(source.units);
    return end - start;
}

static void test(const char *name, loop *run, enum form form, const void *units, size_t length) {
    set_case("the time of %s", name);
    bool is_linear = false;
    /* Another program can slow one of the two down. */
    for (int i = 0; i < 4 && !is_linear; i++) {
        clock_t once = time_of(run, form, units, length, 1 << 14);
        clock_t eight = time_of(run, form, units, length, 1 << 17);
        /* 64 times as long if the time is quadratic. */
        is_linear = eight < 24 * once + CLOCKS_PER_SEC / 100;
    }
    CHECK(is_linear);
}

void test_time(void) {
    const char16_t high[] = {0xD800}, wide[] = {0x416};
    const char32_t number[] = {0x416};
    test("unmappable characters in UTF-8", encode, UTF8, "\xD0\x96", 2);
    test("ill-formed UTF-8", encode, UTF8, "a\xFF", 2);
    test("unmappable characters in UTF-16", encode, UTF16, wide, 1);
    test("high surrogates", encode, UTF16, high, 1);
    test("unmappable characters in UTF-32", encode, UTF32, number, 1);
    test("characters outside Latin-1", to_latin1, UTF8, "\xD0\x96", 2);
}
