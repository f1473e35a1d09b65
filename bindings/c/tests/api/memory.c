/*
 * Lets each allocation fail. This program has functions of the names of malloc and its relatives,
 * which the shared library uses too, because the program comes first. A function must report
 * TEXTCODEC_NO_MEMORY, and leave nothing allocated.
 */
#include "check.h"
#include <errno.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

size_t failures = 0;
size_t every = 1;
const enum form forms[FORMS] = {UTF8, UTF16, UTF32};

static bool counting = false;
static size_t allocations, fail_at, live;
/* Bytes asked for by the largest allocation. */
static size_t largest;

static bool may_allocate(size_t size) {
    if (!counting) {
        return true;
    }
    largest = size > largest ? size : largest;
    return ++allocations != fail_at;
}

void *malloc(size_t size) {
    void *memory = may_allocate(size) ? __libc_malloc(size) : NULL;
    live += counting && memory != NULL;
    return memory;
}

void *calloc(size_t count, size_t size) {
    void *memory = may_allocate(count * size) ? __libc_calloc(count, size) : NULL;
    live += counting && memory != NULL;
    return memory;
}

void *realloc(void *memory, size_t size) {
    if (!may_allocate(size)) {
        return NULL;
    }
    live += counting && memory == NULL;
    return __libc_realloc(memory, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    if (!may_allocate(size)) {
        return ENOMEM;
    }
    *memory = __libc_memalign(alignment, size);
    live += counting && *memory != NULL;
    return *memory == NULL ? ENOMEM : 0;
}

void free(void *memory) {
    live -= counting && memory != NULL;
    __libc_free(memory);
}

void check(bool condition, const char *text, const char *file, int line) {
    if (!condition) {
        failures++;
        fprintf(stderr, "%s:%d: %s is false\n", file, line, text);
    }
}

/* Calls `function` with each allocation failing, until none fails. Returns their number. */
static size_t fail_each(textcodec_status (*function)(const char *), const char *argument) {
    for (fail_at = 1;; fail_at++) {
        allocations = live = largest = 0;
        counting = true;
        textcodec_status status = function(argument);
        counting = false;
        CHECK(live == 0);
        if (allocations < fail_at) {
            CHECK(status == TEXTCODEC_OK);
            return allocations;
        }
        /* Only shrinking a result may fail without an error. */
        CHECK(status == TEXTCODEC_NO_MEMORY || status == TEXTCODEC_OK);
        CHECK(status == TEXTCODEC_NO_MEMORY || fail_at == allocations);
    }
}

static size_t length;
static textcodec_encoding encoding;

static textcodec_status decode8(const char *input) {
    char *text = NULL;
    size_t written = 1;
    textcodec_status status =
        textcodec_decode(encoding, input, length, NULL, &text, &written, NULL);
    CHECK((status == TEXTCODEC_OK) == (text != NULL) && (text != NULL || written == 0));
    textcodec_free(text);
    return status;
}

static textcodec_status decode16(const char *input) {
    char16_t *text = NULL;
    size_t written = 1;
    textcodec_status status =
        textcodec_decode_utf16(encoding, input, length, NULL, &text, &written, NULL);
    CHECK((status == TEXTCODEC_OK) == (text != NULL) && (text != NULL || written == 0));
    textcodec_free(text);
    return status;
}

static textcodec_status decode32(const char *input) {
    char32_t *text = NULL;
    size_t written = 1;
    textcodec_status status =
        textcodec_decode_utf32(encoding, input, length, NULL, &text, &written, NULL);
    CHECK((status == TEXTCODEC_OK) == (text != NULL) && (text != NULL || written == 0));
    textcodec_free(text);
    return status;
}

static const textcodec_encode_options html = {.unmappable = TEXTCODEC_UNMAPPABLE_HTML};
static const textcodec_encode_options skip = {.unmappable = TEXTCODEC_UNMAPPABLE_SKIP};

static textcodec_status encode8(const char *input) {
    void *bytes = NULL;
    size_t written = 1;
    textcodec_status status =
        textcodec_encode(encoding, input, length, &html, &bytes, &written, NULL);
    CHECK((status == TEXTCODEC_OK) == (bytes != NULL) && (bytes != NULL || written == 0));
    textcodec_free(bytes);
    return status;
}

static textcodec_status encode16(const char *input) {
    void *bytes = NULL;
    size_t written = 1;
    const void *text = input;
    textcodec_status status =
        textcodec_encode_utf16(encoding, text, length / 2, &skip, &bytes, &written, NULL);
    CHECK((status == TEXTCODEC_OK) == (bytes != NULL) && (bytes != NULL || written == 0));
    textcodec_free(bytes);
    return status;
}

static textcodec_status encode32(const char *input) {
    void *bytes = NULL;
    size_t written = 1;
    const void *text = input;
    textcodec_status status =
        textcodec_encode_utf32(encoding, text, length / 4, &html, &bytes, &written, NULL);
    CHECK((status == TEXTCODEC_OK) == (bytes != NULL) && (bytes != NULL || written == 0));
    textcodec_free(bytes);
    return status;
}

static textcodec_status objects(const char *unused) {
    (void)unused;
    textcodec_decoder *decoder = NULL, *decoder_clone = NULL;
    textcodec_encoder *encoder = NULL, *encoder_clone = NULL;
    textcodec_status status = textcodec_decoder_new(encoding, NULL, &decoder);
    CHECK((status == TEXTCODEC_OK) == (decoder != NULL));
    if (status == TEXTCODEC_OK) {
        status = textcodec_decoder_clone(decoder, &decoder_clone);
        CHECK((status == TEXTCODEC_OK) == (decoder_clone != NULL));
    }
    if (status == TEXTCODEC_OK) {
        status = textcodec_encoder_new(encoding, NULL, &encoder);
        CHECK((status == TEXTCODEC_OK) == (encoder != NULL));
    }
    if (status == TEXTCODEC_OK) {
        status = textcodec_encoder_clone(encoder, &encoder_clone);
        CHECK((status == TEXTCODEC_OK) == (encoder_clone != NULL));
    }
    textcodec_decoder_free(decoder);
    textcodec_decoder_free(decoder_clone);
    textcodec_encoder_free(encoder);
    textcodec_encoder_free(encoder_clone);
    return status;
}

/* Streaming allocates nothing. */
static textcodec_status stream(const char *input) {
    textcodec_decoder_storage decoder_storage;
    textcodec_encoder_storage encoder_storage;
    textcodec_decoder *decoder;
    textcodec_encoder *encoder;
    char32_t text[100];
    char bytes[400];
    textcodec_decoder_init(&decoder_storage, encoding, NULL, &decoder);
    textcodec_encoder_init(&encoder_storage, encoding, &html, &encoder);
    for (size_t read = 0; read < length;) {
        size_t in = length - read, out = 100, room = 400;
        CHECK(textcodec_decoder_to_utf32(decoder, input + read, &in, text, &out, false, NULL) >= 0);
        read += in;
        CHECK(textcodec_encoder_from_utf32(encoder, text, &out, bytes, &room, false, NULL) >= 0);
    }
    return TEXTCODEC_OK;
}

/* The tables of a code page are derived at its first use, and stay. So another page is used for each
   allocation that fails. Returns the number of allocations. */
static size_t fail_in_pages(textcodec_status (*function)(const char *), textcodec_encoding first) {
    length = 5;
    for (fail_at = 1;; fail_at++) {
        encoding = first + (textcodec_encoding)fail_at;
        CHECK(textcodec_encoding_name(encoding) != NULL);
        allocations = 0;
        counting = true;
        textcodec_status status = function("abcde");
        counting = false;
        CHECK(status == (allocations < fail_at ? TEXTCODEC_OK : TEXTCODEC_NO_MEMORY));
        CHECK(function("abcde") == TEXTCODEC_OK);
        if (allocations < fail_at) {
            return allocations;
        }
    }
}

int main(void) {
    static char input[100000];
    const textcodec_encoding all[] = {TEXTCODEC_UTF_8, TEXTCODEC_SHIFT_JIS, TEXTCODEC_GB18030,
                                      TEXTCODEC_ISO_2022_JP, TEXTCODEC_UTF_16LE,
                                      TEXTCODEC_WINDOWS_1252, TEXTCODEC_IBM437, TEXTCODEC_IBM037};
    const textcodec_encoding first[] = {TEXTCODEC_IBM437, TEXTCODEC_IBM290};
    for (size_t i = 0; i < 2; i++) {
        CHECK(fail_in_pages(decode8, first[i] - 1) >= 2);
        CHECK(fail_in_pages(encode8, first[i] - 1) >= 4);
        CHECK(fail_in_pages(encode8, first[i] + 5) >= 6);
        CHECK(fail_in_pages(objects, first[i] + 11) > 4);
    }
    const size_t lengths[] = {0, 5, 1000, 20000, sizeof input};
    textcodec_status (*const functions[])(const char *) = {decode8,  decode16, decode32,
                                                           encode8,  encode16, encode32};
    size_t most = 0;
    /* ASCII, then text that does not resemble its start, so that estimates are wrong. */
    for (int kind = 0; kind < 2; kind++) {
        for (size_t i = 0; i < sizeof input; i++) {
            input[i] = kind == 0 || i < 3000 ? 'a' : (char)(i % 3 == 0 ? 0x82 : 0xA0 + i % 7);
        }
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
            encoding = all[i];
            for (size_t j = 0; j < sizeof lengths / sizeof *lengths; j++) {
                length = lengths[j];
                for (size_t f = 0; f < 6; f++) {
                    size_t count = fail_each(functions[f], input);
                    CHECK(count >= 1);
                    most = count > most ? count : most;
                }
                CHECK(fail_each(stream, input) == 0);
            }
            CHECK(fail_each(objects, NULL) == 4);
        }
    }
    /* The memory of a text that is estimated well is about its length. */
    for (size_t i = 0; i < sizeof input; i++) {
        input[i] = 'a';
    }
    length = sizeof input;
    encoding = TEXTCODEC_WINDOWS_1252;
    fail_each(decode8, input);
    CHECK(largest < length + length / 8);
    CHECK(most >= 3 && most < 12);
    printf("at most %zu allocations for a result, %zu failures\n", most, failures);
    return failures > 0;
}
