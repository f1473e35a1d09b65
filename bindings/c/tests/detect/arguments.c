/* Arguments that break the rules, empty texts, and calls in another order. */
#include "check.h"

/* Detects a string with a detector, and returns the encoding. */
static textcodec_encoding encoding_of(textcodec_detector *detector, const char *text) {
    textcodec_detection *detection = NULL;
    CHECK(textcodec_detector_feed(detector, text, strlen(text)) == TEXTCODEC_OK);
    CHECK(textcodec_detector_finish(detector, false, &detection) == TEXTCODEC_OK);
    textcodec_encoding encoding = textcodec_detection_encoding(detection);
    textcodec_detection_free(detection);
    return encoding;
}

static void test_null(void) {
    textcodec_detection *detection = (textcodec_detection *)1;
    CHECK(textcodec_detect("a", 1, NULL) == TEXTCODEC_INVALID_ARGUMENT);
    CHECK(textcodec_detect(NULL, 1, &detection) == TEXTCODEC_INVALID_ARGUMENT);
    CHECK(detection == NULL);
    CHECK(textcodec_detect("a", (size_t)-1, &detection) == TEXTCODEC_INVALID_ARGUMENT);
    CHECK(textcodec_detect("a", (size_t)-1 / 2 + 1, &detection) == TEXTCODEC_INVALID_ARGUMENT);
    CHECK(textcodec_detector_new(NULL) == TEXTCODEC_INVALID_ARGUMENT);
    CHECK(textcodec_detector_reset(NULL) == TEXTCODEC_INVALID_ARGUMENT);
    CHECK(textcodec_detector_set_declarations(NULL, true) == TEXTCODEC_INVALID_ARGUMENT);
    CHECK(textcodec_detector_set_guess(NULL, true) == TEXTCODEC_INVALID_ARGUMENT);
    CHECK(textcodec_detector_set_candidates(NULL, NULL, 0) == TEXTCODEC_INVALID_ARGUMENT);
    CHECK(textcodec_detector_set_languages(NULL, NULL, 0) == TEXTCODEC_INVALID_ARGUMENT);
    CHECK(textcodec_detector_set_top_level_domain(NULL, NULL, 0) == TEXTCODEC_INVALID_ARGUMENT);
    CHECK(textcodec_detector_set_content_type(NULL, NULL, 0) == TEXTCODEC_INVALID_ARGUMENT);
    CHECK(textcodec_detector_set_transport(NULL, TEXTCODEC_NONE) == TEXTCODEC_INVALID_ARGUMENT);
    CHECK(textcodec_detector_set_fallback(NULL, TEXTCODEC_NONE) == TEXTCODEC_INVALID_ARGUMENT);
    CHECK(textcodec_detector_feed(NULL, "a", 1) == TEXTCODEC_INVALID_ARGUMENT);
    detection = (textcodec_detection *)1;
    CHECK(textcodec_detector_finish(NULL, false, &detection) == TEXTCODEC_INVALID_ARGUMENT);
    CHECK(detection == NULL);
    CHECK(!textcodec_detector_is_decided(NULL));
    textcodec_detector_free(NULL);
    textcodec_detection_free(NULL);
    CHECK(textcodec_detection_encoding(NULL) == TEXTCODEC_NONE);
    CHECK(textcodec_detection_confidence(NULL) == TEXTCODEC_CONFIDENCE_NONE);
    CHECK(textcodec_detection_evidence(NULL) == TEXTCODEC_EVIDENCE_NONE);
    CHECK(!(textcodec_detection_probability(NULL) > 0));
    CHECK(textcodec_detection_reason(NULL) == NULL && textcodec_detection_language(NULL) == NULL);
    CHECK(textcodec_detection_mixed_with(NULL) == TEXTCODEC_NONE);
    CHECK(textcodec_detection_bytes(NULL) == 0);
    CHECK(textcodec_detection_candidate_count(NULL) == 0);
    CHECK(textcodec_detection_declaration_count(NULL) == 0);
    CHECK(!textcodec_detection_candidate(NULL, 0, NULL));
    CHECK(!textcodec_detection_declaration(NULL, 0, NULL));
}

static void test_detector(void) {
    textcodec_detector *detector = NULL;
    CHECK(textcodec_detector_new(&detector) == TEXTCODEC_OK);
    CHECK(textcodec_detector_feed(detector, NULL, 1) == TEXTCODEC_INVALID_ARGUMENT);
    CHECK(textcodec_detector_feed(detector, "a", (size_t)-1) == TEXTCODEC_INVALID_ARGUMENT);
    CHECK(textcodec_detector_finish(detector, false, NULL) == TEXTCODEC_INVALID_ARGUMENT);
    /* Encodings that do not exist. */
    textcodec_encoding wrong[] = {TEXTCODEC_GBK, 30000, TEXTCODEC_NONE};
    CHECK(textcodec_detector_set_candidates(detector, wrong, 2) == TEXTCODEC_INVALID_ARGUMENT);
    CHECK(textcodec_detector_set_candidates(detector, wrong + 2, 1) == TEXTCODEC_INVALID_ARGUMENT);
    CHECK(textcodec_detector_set_candidates(detector, NULL, 1) == TEXTCODEC_INVALID_ARGUMENT);
    CHECK(textcodec_detector_set_candidates(detector, wrong, (size_t)-1) ==
          TEXTCODEC_INVALID_ARGUMENT);
    CHECK(textcodec_detector_set_transport(detector, 30000) == TEXTCODEC_INVALID_ARGUMENT);
    CHECK(textcodec_detector_set_fallback(detector, -2) == TEXTCODEC_INVALID_ARGUMENT);
    /* Languages. */
    CHECK(textcodec_detector_set_languages(detector, "de,tlh", 6) == TEXTCODEC_UNAVAILABLE);
    CHECK(textcodec_detector_set_languages(detector, "\xFF", 1) == TEXTCODEC_INVALID_ARGUMENT);
    CHECK(textcodec_detector_set_languages(detector, NULL, 2) == TEXTCODEC_INVALID_ARGUMENT);
    CHECK(textcodec_detector_set_languages(detector, "pt-BR, de", 9) == TEXTCODEC_OK);
    CHECK(textcodec_detector_set_languages(detector, "", 0) == TEXTCODEC_OK);
    CHECK(textcodec_detector_set_top_level_domain(detector, "\xFF", 1) == TEXTCODEC_OK);
    CHECK(textcodec_detector_set_top_level_domain(detector, NULL, 1) == TEXTCODEC_INVALID_ARGUMENT);
    CHECK(textcodec_detector_set_content_type(detector, NULL, 3) == TEXTCODEC_INVALID_ARGUMENT);
    /* None of these has changed anything. */
    CHECK(encoding_of(detector, "") == TEXTCODEC_UTF_8);
    CHECK(encoding_of(detector, "<meta charset=gbk>\xC4\xE3\xBA\xC3") == TEXTCODEC_GBK);
    /* Options are for whole texts, and stay. */
    CHECK(textcodec_detector_set_declarations(detector, false) == TEXTCODEC_OK);
    CHECK(textcodec_detector_set_guess(detector, false) == TEXTCODEC_OK);
    CHECK(textcodec_detector_set_fallback(detector, TEXTCODEC_KOI8_R) == TEXTCODEC_OK);
    CHECK(encoding_of(detector, "<meta charset=gbk>\xC4\xE3") == TEXTCODEC_KOI8_R);
    CHECK(textcodec_detector_feed(detector, "<meta", 5) == TEXTCODEC_OK);
    CHECK(textcodec_detector_set_guess(detector, true) == TEXTCODEC_INVALID_ARGUMENT);
    CHECK(textcodec_detector_set_transport(detector, TEXTCODEC_GBK) == TEXTCODEC_INVALID_ARGUMENT);
    CHECK(encoding_of(detector, " charset=gbk>\xC4\xE3") == TEXTCODEC_KOI8_R);
    CHECK(textcodec_detector_feed(detector, "\xC4\xE3", 2) == TEXTCODEC_OK);
    CHECK(textcodec_detector_reset(detector) == TEXTCODEC_OK);
    CHECK(encoding_of(detector, "a") == TEXTCODEC_UTF_8);
    /* The transport layer. */
    CHECK(textcodec_detector_set_transport(detector, TEXTCODEC_EUC_JP) == TEXTCODEC_OK);
    CHECK(encoding_of(detector, "\xC6\xFC\xCB\xDC") == TEXTCODEC_EUC_JP);
    const char *header = "text/plain; charset=sjis";
    CHECK(textcodec_detector_set_content_type(detector, header, strlen(header)) == TEXTCODEC_OK);
    CHECK(encoding_of(detector, "\x93\xFA\x96{") == TEXTCODEC_SHIFT_JIS);
    CHECK(textcodec_detector_set_content_type(detector, NULL, 0) == TEXTCODEC_OK);
    CHECK(encoding_of(detector, "\x93\xFA\x96{") == TEXTCODEC_KOI8_R);
    /* A byte order mark decides after 64 KiB. */
    static char text[65536];
    memset(text, 'a', sizeof text);
    CHECK(textcodec_detector_feed(detector, "\xEF\xBB\xBF", 3) == TEXTCODEC_OK);
    CHECK(!textcodec_detector_is_decided(detector));
    CHECK(textcodec_detector_feed(detector, text, sizeof text) == TEXTCODEC_OK);
    CHECK(textcodec_detector_is_decided(detector));
    textcodec_detector_free(detector);
}

static void test_detection(void) {
    textcodec_detection *detection = NULL;
    CHECK(textcodec_detect(NULL, 0, &detection) == TEXTCODEC_OK);
    CHECK(textcodec_detection_evidence(detection) == TEXTCODEC_EVIDENCE_EMPTY);
    CHECK(textcodec_detection_confidence(detection) == TEXTCODEC_CONFIDENCE_CERTAIN);
    CHECK(textcodec_detection_language(detection) == NULL);
    textcodec_detection_free(detection);
    const char *page = "<meta charset=x-foo><meta charset=gbk>\xC4\xE3\xBA\xC3";
    CHECK(textcodec_detect(page, strlen(page), &detection) == TEXTCODEC_OK);
    CHECK(textcodec_detection_declaration_count(detection) == 2);
    textcodec_declaration declaration;
    CHECK(textcodec_detection_declaration(detection, 0, NULL));
    CHECK(textcodec_detection_declaration(detection, 0, &declaration));
    CHECK(declaration.encoding == TEXTCODEC_GBK && declaration.form == TEXTCODEC_FORM_META);
    CHECK(declaration.offset == 20 && strcmp(declaration.label, "gbk") == 0);
    CHECK(textcodec_detection_declaration(detection, 1, &declaration));
    CHECK(declaration.encoding == TEXTCODEC_NONE && strcmp(declaration.label, "x-foo") == 0);
    CHECK(!textcodec_detection_declaration(detection, 2, &declaration));
    CHECK(!textcodec_detection_declaration(detection, (size_t)-1, &declaration));
    size_t count = textcodec_detection_candidate_count(detection);
    textcodec_candidate candidate;
    CHECK(textcodec_detection_candidate(detection, 0, NULL));
    CHECK(textcodec_detection_candidate(detection, 0, &candidate));
    CHECK(candidate.encoding == textcodec_detection_encoding(detection));
    CHECK(textcodec_detection_candidate(detection, count - 1, &candidate));
    CHECK(!textcodec_detection_candidate(detection, count, &candidate));
    textcodec_detection_free(detection);
}

void test_arguments(void) {
    test_null();
    test_detector();
    test_detection();
}
