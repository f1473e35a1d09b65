/* The functions of textcodec_detect.h. */
#include <string.h>
#include <textcodec_detect.h>

#include "memory.h"

/* A declaration in each line, so that many are found, and words to guess from. */
static char text[60000];
static size_t length;

/* The result of `prepare`, and the detector of a call. */
static textcodec_detection *detection;
static textcodec_detector *detector;

void prepare(void) {
    const char line[] = "N;CHARSET=windows-1250:P\xF8\xEDli\xB9 \xBElu\xBBou\xE8k\xFD k\xF9\xF2 0000\r\n";
    memcpy(text, "BEGIN:VCARD\r\n", length = 13);
    for (unsigned n = 0; length + sizeof line < sizeof text; n++) {
        memcpy(text + length, line, sizeof line - 1);
        length += sizeof line - 1;
        text[length - 5] = (char)(0xE0 + n % 31);
        text[length - 6] = (char)(0xC0 + n / 31 % 31);
    }
    /* Makes the tables that stay. */
    textcodec_detection *warm = NULL;
    textcodec_detect(text, length, &warm);
    textcodec_detection_free(warm);
    static char controls[256];
    for (int i = 0; i < 256; i++) {
        controls[i] = (char)i;
    }
    textcodec_detect(controls, sizeof controls, &warm);
    textcodec_detection_free(warm);
    textcodec_detect(text, length, &detection);
}

/* The length of the text of a call. */
static size_t size(void) {
    return is_each ? 400 : length;
}

/* The outcome of a function that returns a result. */
static enum outcome result(textcodec_status status, textcodec_detection *made) {
    if (status == TEXTCODEC_NO_MEMORY) {
        return made == NULL ? NO_MEMORY : WRONG;
    }
    bool right = status == TEXTCODEC_OK && textcodec_detection_encoding(made) == TEXTCODEC_WINDOWS_1250 &&
                 textcodec_detection_declaration_count(made) > 0;
    textcodec_detection_free(made);
    return is(right);
}

static enum outcome whole(void) {
    textcodec_detection *made = (textcodec_detection *)text;
    textcodec_status status = textcodec_detect(text, size(), &made);
    return result(status, made);
}

static enum outcome new_detector(void) {
    textcodec_detector *made = (textcodec_detector *)text;
    textcodec_status status = textcodec_detector_new(&made);
    if (status == TEXTCODEC_NO_MEMORY) {
        return made == NULL ? NO_MEMORY : WRONG;
    }
    textcodec_detector_free(made);
    return is(status == TEXTCODEC_OK);
}

/* Creates the detector. Returns false if there is no memory. */
static bool start(void) {
    return textcodec_detector_new(&detector) == TEXTCODEC_OK;
}

/* The outcome of a function that changes the detector. If it was to read a text, it says so until a reset. */
static enum outcome end(textcodec_status status, bool reads) {
    if (detector == NULL) {
        return NO_MEMORY;
    }
    bool right = status == TEXTCODEC_OK;
    if (status == TEXTCODEC_NO_MEMORY) {
        right = !reads || textcodec_detector_feed(detector, "a", 1) == TEXTCODEC_NO_MEMORY;
        right = right && textcodec_detector_reset(detector) == TEXTCODEC_OK;
    }
    textcodec_detector_free(detector);
    detector = NULL;
    return !right ? WRONG : status == TEXTCODEC_NO_MEMORY ? NO_MEMORY : DONE;
}

static enum outcome finish(void) {
    textcodec_status status = start() ? textcodec_detector_feed(detector, text, size()) : TEXTCODEC_NO_MEMORY;
    if (status != TEXTCODEC_OK) {
        return end(status, true);
    }
    textcodec_detection *made = (textcodec_detection *)text;
    status = textcodec_detector_finish(detector, false, &made);
    enum outcome outcome = result(status, made);
    return outcome == WRONG ? WRONG : end(status, true);
}

/* The outcome of a function that reads the result of `prepare`, if there is one. */
static enum outcome got(bool right) {
    return detection == NULL ? NO_MEMORY : is(right);
}

static const textcodec_encoding CANDIDATES[] = {TEXTCODEC_WINDOWS_1250, TEXTCODEC_ISO_8859_2};

#define SET(expression) end(start() ? (expression) : TEXTCODEC_NO_MEMORY, false)

#define LIST(E)                                                                                                            \
    E(textcodec_detect, whole())                                                                                           \
    E(textcodec_detector_new, new_detector())                                                                              \
    E(textcodec_detector_free, (textcodec_detector_free(NULL), DONE))                                                      \
    E(textcodec_detector_reset, SET(textcodec_detector_reset(detector)))                                                   \
    E(textcodec_detector_set_declarations, SET(textcodec_detector_set_declarations(detector, true)))                       \
    E(textcodec_detector_set_guess, SET(textcodec_detector_set_guess(detector, true)))                                     \
    E(textcodec_detector_set_candidates, SET(textcodec_detector_set_candidates(detector, CANDIDATES, 2)))                  \
    E(textcodec_detector_set_languages, SET(textcodec_detector_set_languages(detector, "cs,sk", 5)))                       \
    E(textcodec_detector_set_top_level_domain, SET(textcodec_detector_set_top_level_domain(detector, "CZ", 2)))            \
    E(textcodec_detector_set_content_type, SET(textcodec_detector_set_content_type(detector, "text/plain", 10)))           \
    E(textcodec_detector_set_transport, SET(textcodec_detector_set_transport(detector, TEXTCODEC_NONE)))                   \
    E(textcodec_detector_set_fallback, SET(textcodec_detector_set_fallback(detector, TEXTCODEC_NONE)))                     \
    E(textcodec_detector_feed, end(start() ? textcodec_detector_feed(detector, text, size()) : TEXTCODEC_NO_MEMORY, true)) \
    E(textcodec_detector_is_decided, is(!textcodec_detector_is_decided(NULL)))                                             \
    E(textcodec_detector_finish, finish())                                                                                 \
    E(textcodec_detection_free, (textcodec_detection_free(NULL), DONE))                                                    \
    E(textcodec_detection_encoding, got(textcodec_detection_encoding(detection) == TEXTCODEC_WINDOWS_1250))                \
    E(textcodec_detection_confidence, got(textcodec_detection_confidence(detection) > 0))                                  \
    E(textcodec_detection_probability, got(textcodec_detection_probability(detection) > 0.9))                              \
    E(textcodec_detection_evidence, got(textcodec_detection_evidence(detection) == TEXTCODEC_EVIDENCE_DECLARATION))        \
    E(textcodec_detection_reason, got(textcodec_detection_reason(detection) != NULL))                                      \
    E(textcodec_detection_language, got(textcodec_detection_language(detection) == NULL))                                  \
    E(textcodec_detection_mixed_with, got(textcodec_detection_mixed_with(detection) == TEXTCODEC_NONE))                    \
    E(textcodec_detection_bytes, got(textcodec_detection_bytes(detection) == length))                                      \
    E(textcodec_detection_candidate_count, got(textcodec_detection_candidate_count(detection) > 0))                        \
    E(textcodec_detection_candidate, got(textcodec_detection_candidate(detection, 0, NULL)))                               \
    E(textcodec_detection_declaration_count, got(textcodec_detection_declaration_count(detection) > 0))                    \
    E(textcodec_detection_declaration, got(textcodec_detection_declaration(detection, 0, NULL)))

DEFINE_ENTRIES(LIST)
