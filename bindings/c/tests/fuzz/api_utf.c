/* The conversions between forms of Unicode, and the functions on names of encodings. */
#include <string.h>

#include "api.h"

/* A conversion, with the sizes of its units. `most` is the most units for one unit. */
struct conversion {
    const char *name;
    size_t from, to, most;
    /* The conversion back, or -1 if it is not one of these. */
    int back;
};

enum { CONVERSIONS = 8 };

static const struct conversion ALL[CONVERSIONS] = {
    {"UTF-8 to UTF-16", 1, 2, 1, 1},    {"UTF-16 to UTF-8", 2, 1, 3, 0},
    {"Latin-1 to UTF-8", 1, 1, 2, 4},   {"Latin-1 to UTF-16", 1, 2, 1, 5},
    {"UTF-8 to Latin-1", 1, 1, 1, 2},   {"UTF-16 to Latin-1", 2, 1, 1, 3},
    {"UTF-16 to UTF-32", 2, 4, 1, 7},   {"UTF-32 to UTF-16", 4, 2, 2, 6},
};

static textcodec_status convert(int which, const void *from, size_t *length, void *to,
                                size_t *room) {
    switch (which) {
    case 0: return textcodec_utf8_to_utf16(from, length, to, room);
    case 1: return textcodec_utf16_to_utf8(from, length, to, room);
    case 2: return textcodec_latin1_to_utf8(from, length, to, room);
    case 3: return textcodec_latin1_to_utf16(from, length, to, room);
    case 4: return textcodec_utf8_to_latin1(from, length, to, room);
    case 5: return textcodec_utf16_to_latin1(from, length, to, room);
    case 6: return textcodec_utf16_to_utf32(from, length, to, room);
    default: return textcodec_utf32_to_utf16(from, length, to, room);
    }
}

static struct outcome call(int which, const uint8_t *in, size_t length, size_t room) {
    const struct conversion *conversion = &ALL[which];
    const uint8_t *source = region_copy(SOURCE, in, length * conversion->from);
    uint8_t *out = region_place(DESTINATION, room * conversion->to);
    struct outcome o = {.read = length, .written = room, .out = out};
    o.status = convert(which, source, &o.read, out, &o.written);
    counts.calls++;
    counts.errors += o.status == TEXTCODEC_MALFORMED || o.status == TEXTCODEC_UNMAPPABLE;
    counts.full += o.status == TEXTCODEC_OUTPUT_FULL;
    CHECK(o.status >= TEXTCODEC_OK && o.status <= TEXTCODEC_UNMAPPABLE, "status %d", o.status);
    CHECK(o.read <= length && o.written <= room, "%zu of %zu read, %zu of %zu written", o.read,
          length, o.written, room);
    CHECK((o.status == TEXTCODEC_OK) == (o.read == length), "status %d, %zu of %zu read", o.status,
          o.read, length);
    CHECK(o.status != TEXTCODEC_OUTPUT_FULL || room - o.written < 4, "%zu units are left",
          room - o.written);
    region_check(SOURCE, length * conversion->from);
    region_check(DESTINATION, room * conversion->to);
    CHECK(length == 0 || memcmp(source, in, length * conversion->from) == 0, "the input changed");
    return o;
}

/* Converts with little room, and continues. The results are those of one call. */
static void convert_in_parts(int which, const uint8_t *in, size_t length, const struct log *whole,
                             const struct outcome *expected, struct random *random) {
    const struct conversion *conversion = &ALL[which];
    struct log log = {0};
    size_t at = 0;
    struct outcome o;
    for (size_t room = random_size(random);; room += room < 4 ? 4 : random_size(random)) {
        o = call(which, in + at * conversion->from, length - at, room);
        log_append(&log, o.out, o.written * conversion->to);
        size_t left = room - o.written;
        at += o.read;
        struct outcome again = call(which, in + at * conversion->from, length - at, left);
        CHECK(again.status == o.status && again.read == 0 && again.written == 0,
              "status %d, then %d, and %zu read", o.status, again.status, again.read);
        if (o.status != TEXTCODEC_OUTPUT_FULL) {
            break;
        }
    }
    CHECK(o.status == expected->status && at == expected->read,
          "status %d at %zu instead of %d at %zu", o.status, at, expected->status, expected->read);
    log_compare(&log, whole, "conversions");
    log_free(&log);
}

void fuzz_conversions(const uint8_t *header, const uint8_t *in, size_t length) {
    struct random random = random_of_header(header);
    int which = header[FORM_AT] % CONVERSIONS;
    const struct conversion *conversion = &ALL[which];
    size_t count = length / conversion->from, room = count * conversion->most;
    describe("%s, %zu units", conversion->name, count);
    struct outcome expected = call(which, in, count, room);
    CHECK(expected.status != TEXTCODEC_OUTPUT_FULL, "%zu units are too little", room);
    struct log whole = {0}, back = {0};
    log_append(&whole, expected.out, expected.written * conversion->to);
    convert_in_parts(which, in, count, &whole, &expected, &random);
    /* Converted back, it is the input again. */
    size_t most = expected.written * ALL[conversion->back].most;
    struct outcome reverse = call(conversion->back, whole.bytes, expected.written, most);
    CHECK(reverse.status == TEXTCODEC_OK, "the output is ill-formed: %d", reverse.status);
    log_append(&back, reverse.out, reverse.written * conversion->from);
    whole.length = 0;
    log_append(&whole, in, expected.read * conversion->from);
    log_compare(&back, &whole, "texts converted back");
    log_free(&whole);
    log_free(&back);

    /* The prefix that can be converted is the well-formed one. */
    const uint8_t *source = region_copy(SOURCE, in, length);
    size_t ascii = textcodec_ascii_valid_up_to(source, length);
    CHECK(ascii <= length && (ascii == length || in[ascii] >= 0x80), "not ASCII up to %zu", ascii);
    for (size_t i = 0; i < ascii; i++) {
        CHECK(in[i] < 0x80, "not ASCII at %zu", i);
    }
    if (which == 0) {
        size_t valid = textcodec_utf8_valid_up_to((const char *)source, length);
        CHECK(valid == expected.read, "well-formed up to %zu, not %zu", valid, expected.read);
    } else if (which == 1 || which == 6) {
        source = region_copy(SOURCE, in, 2 * count);
        size_t valid = textcodec_utf16_valid_up_to((const char16_t *)(const void *)source, count);
        CHECK(valid == expected.read, "well-formed up to %zu, not %zu", valid, expected.read);
    }
}

/* Calls that break a rule. They have no effect. */
static void mistakes(const uint8_t *header, const uint8_t *in, size_t length) {
    textcodec_encoding encoding = TEXTCODEC_UTF_8;
    char out[8];
    size_t read = 1, written = sizeof out;
    textcodec_decoder_storage storage;
    textcodec_decoder *decoder = NULL;
    CHECK(textcodec_decoder_init(&storage, encoding, NULL, &decoder) == TEXTCODEC_OK, "no decoder");
    textcodec_status status = TEXTCODEC_INVALID_ARGUMENT;
    switch (header[FIRST_AT] % 6) {
    case 0:
        status = textcodec_decoder_to_utf8(NULL, "a", &read, out, &written, true, NULL);
        break;
    case 1:
        read = (size_t)PTRDIFF_MAX + 1 + length;
        status = textcodec_decoder_to_utf8(decoder, in, &read, out, &written, true, NULL);
        break;
    case 2:
        written = (size_t)PTRDIFF_MAX / 2 + 1;
        status = textcodec_decoder_to_utf16(decoder, "a", &read, (char16_t *)(void *)out, &written,
                                            true, NULL);
        break;
    case 3:
        status = textcodec_decoder_to_utf8(decoder, NULL, &read, out, &written, true, NULL);
        break;
    case 4:
        status = textcodec_decoder_to_utf8(decoder, out + 7, &read, out, &written, true, NULL);
        break;
    default:
        status = textcodec_decoder_to_utf8(decoder, "a", &read, NULL, &written, true, NULL);
    }
    CHECK(status == TEXTCODEC_INVALID_ARGUMENT && read == 0 && written == 0,
          "mistake %d: status %d, lengths %zu and %zu", header[FIRST_AT] % 6, status, read,
          written);
    CHECK(textcodec_decoder_position(decoder) == 0, "the decoder has read something");
}

void fuzz_names(const uint8_t *header, const uint8_t *in, size_t length) {
    describe("names and mistakes, %zu bytes", length);
    const char *name = (const char *)region_copy(SOURCE, in, length);
    textcodec_encoding of_label = textcodec_encoding_for_label(name, length);
    textcodec_encoding of_name = textcodec_encoding_for_name(name, length);
    CHECK(of_label == TEXTCODEC_NONE || of_label == of_name, "encoding %d of a label, %d of a name",
          of_label, of_name);
    size_t mark = SIZE_MAX;
    textcodec_encoding of_mark = textcodec_encoding_for_bom(name, length, &mark);
    CHECK(mark <= 3 && (mark > 0) == (of_mark != TEXTCODEC_NONE), "a mark of %zu bytes", mark);
    bool valid = true;
    textcodec_encoding encoding = header_encoding(header, &valid);
    const char *canonical = textcodec_encoding_name(encoding);
    CHECK((canonical != NULL) == valid, "encoding %d", encoding);
    size_t labels = textcodec_encoding_label_count(encoding);
    CHECK(textcodec_encoding_label(encoding, labels + header[THIRD_AT]) == NULL, "%zu labels",
          labels);
    if (valid) {
        CHECK(textcodec_encoding_for_name(canonical, strlen(canonical)) == encoding, "%s",
              canonical);
    }
    if (labels > 0) {
        /* A label, in any case, and with white space. */
        struct random random = random_of_header(header);
        const char *label = textcodec_encoding_label(encoding, random_below(&random, labels));
        char changed[64] = " \t\f\r\n";
        size_t at = random_below(&random, 6);
        for (; *label != 0; label++) {
            bool letter = *label >= 'a' && *label <= 'z' && random_one_in(&random, 2);
            changed[at++] = letter ? (char)(*label - 'a' + 'A') : *label;
        }
        CHECK(textcodec_encoding_for_label(changed, at) == encoding, "%.*s", (int)at, changed);
    }
    mistakes(header, in, length);
    counts.compared++;
}
