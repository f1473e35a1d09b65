/*
 * Fuzzes textcodec_detect.h: the result must not depend on the chunks, and must be consistent.
 *
 * Header: 0 options, 1 and 2 the encodings of the transport layer and of the fallback, 3 and 4
 * candidates, 5 the language, 6 how often the payload is repeated, 7 reserved, 8 to 15 the seed of
 * the sizes of chunks.
 */
#include <stdio.h>
#include <string.h>
#include <textcodec_detect.h>

#include "fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    return 0;
}

/* The payload is UTF-8, or UTF-16 if the first byte of the header is odd. */
size_t target_text(const uint8_t *header, const uint32_t *text, size_t length, uint8_t *out,
                   size_t room) {
    size_t written = 0;
    for (size_t i = 0; i < length && written + 4 <= room; i++) {
        uint32_t c = text[i];
        if (header[0] % 2 == 1) {
            out[written++] = (uint8_t)c;
            out[written++] = (uint8_t)(c >> 8);
        } else if (c < 0x80) {
            out[written++] = (uint8_t)c;
        } else if (c < 0x800) {
            out[written++] = (uint8_t)(0xC0 | c >> 6);
            out[written++] = (uint8_t)(0x80 | (c & 0x3F));
        } else {
            out[written++] = (uint8_t)(0xE0 | (c >> 12 & 0xF));
            out[written++] = (uint8_t)(0x80 | (c >> 6 & 0x3F));
            out[written++] = (uint8_t)(0x80 | (c & 0x3F));
        }
    }
    return written;
}

enum { KNOWN = 141 };

static const char *const LANGUAGES[] = {"", "de", "ja,zh-TW", "ru uk", "xx", "el,,en "};

static void set_options(textcodec_detector *detector, const uint8_t *header) {
    textcodec_encoding transport = header[1] % 160 - 10, candidates[2] = {header[3], header[4]};
    textcodec_status status = textcodec_detector_set_transport(detector, transport);
    bool known = transport >= TEXTCODEC_NONE && transport < KNOWN;
    CHECK(status == (known ? TEXTCODEC_OK : TEXTCODEC_INVALID_ARGUMENT), "status %d", status);
    textcodec_detector_set_fallback(detector, header[2]);
    status = textcodec_detector_set_candidates(detector, candidates, header[0] >> 3 & 1U ? 2 : 0);
    CHECK(status == TEXTCODEC_OK || header[3] >= KNOWN || header[4] >= KNOWN, "status %d", status);
    const char *tags = LANGUAGES[header[5] % 6];
    status = textcodec_detector_set_languages(detector, tags, strlen(tags));
    CHECK(status == (*tags == 'x' ? TEXTCODEC_UNAVAILABLE : TEXTCODEC_OK), "status %d", status);
    textcodec_detector_set_declarations(detector, header[0] >> 1 & 1U);
    textcodec_detector_set_guess(detector, header[0] >> 2 & 1U);
    textcodec_detector_set_top_level_domain(detector, ".Jp", header[0] >> 4 & 3U);
}

/* Checks what every result has, and writes all of it. */
static void log_result(struct log *log, const textcodec_detection *detection, size_t length) {
    double probability = textcodec_detection_probability(detection);
    int32_t confidence = textcodec_detection_confidence(detection);
    const char *reason = textcodec_detection_reason(detection);
    CHECK(textcodec_detection_encoding(detection) >= 0, "no encoding");
    CHECK(probability >= 0 && probability <= 1, "%f", probability);
    CHECK(confidence >= TEXTCODEC_CONFIDENCE_NONE && confidence <= TEXTCODEC_CONFIDENCE_CERTAIN,
          "confidence %d", confidence);
    CHECK(textcodec_detection_bytes(detection) <= length, "too many bytes");
    CHECK(reason != NULL && *reason != 0, "no reason");
    log_number(log, (uint64_t)textcodec_detection_encoding(detection));
    log_number(log, (uint64_t)confidence);
    log_number(log, (uint64_t)textcodec_detection_evidence(detection));
    log_append(log, &probability, sizeof probability);
    log_append(log, reason, strlen(reason));
    size_t count = textcodec_detection_candidate_count(detection);
    textcodec_candidate candidate;
    for (size_t i = 0; i < count; i++) {
        CHECK(textcodec_detection_candidate(detection, i, &candidate), "candidate %zu", i);
        CHECK(i > 0 || candidate.encoding == textcodec_detection_encoding(detection), "not first");
        log_append(log, &candidate, sizeof candidate);
    }
    CHECK(!textcodec_detection_candidate(detection, count, &candidate), "too many candidates");
    count = textcodec_detection_declaration_count(detection);
    textcodec_declaration declaration;
    for (size_t i = 0; i < count; i++) {
        CHECK(textcodec_detection_declaration(detection, i, &declaration), "declaration %zu", i);
        CHECK(declaration.offset <= length, "offset %llu", (unsigned long long)declaration.offset);
        log_number(log, declaration.offset);
        log_number(log, (uint64_t)declaration.form);
        log_append(log, declaration.label, strlen(declaration.label));
    }
}

/* Feeds a text in chunks, and writes the result. */
static void run(struct log *log, const uint8_t *header, const uint8_t *text, size_t length,
                struct random *random) {
    textcodec_detector *detector = NULL;
    textcodec_detection *detection = NULL;
    CHECK(textcodec_detector_new(&detector) == TEXTCODEC_OK, "no detector");
    set_options(detector, header);
    size_t times = 1U + header[6] % 20U;
    for (size_t n = 0; n < times; n++) {
        for (size_t at = 0; at < length;) {
            size_t size = random != NULL ? random_size(random) * 8 : length;
            size = size < length - at ? size : length - at;
            const uint8_t *chunk = region_copy(SOURCE, text + at, size);
            textcodec_status status = textcodec_detector_feed(detector, chunk, size);
            CHECK(status == TEXTCODEC_OK, "status %d", status);
            region_check(SOURCE, size);
            at += size;
            counts.calls++;
        }
    }
    textcodec_status status = textcodec_detector_finish(detector, header[0] >> 6 & 1U, &detection);
    CHECK(status == TEXTCODEC_OK && detection != NULL, "status %d", status);
    log_result(log, detection, length * times);
    /* Texts of low confidence, and those longer than a block. */
    counts.errors += textcodec_detection_confidence(detection) < TEXTCODEC_CONFIDENCE_MEDIUM;
    counts.full += length * times > 65536;
    textcodec_detection_free(detection);
    textcodec_detector_free(detector);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < HEADER) {
        return 0;
    }
    const uint8_t *text = data + HEADER;
    size_t length = size - HEADER < MAX_PAYLOAD ? size - HEADER : MAX_PAYLOAD;
    struct random random = random_of_header(data);
    struct log whole = {0}, chunks = {0};
    describe("%zu bytes", length);
    run(&whole, data, text, length, NULL);
    run(&chunks, data, text, length, &random);
    log_compare(&chunks, &whole, "the result in chunks");
    log_free(&whole);
    log_free(&chunks);
    return 0;
}
