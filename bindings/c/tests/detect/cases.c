/* The cases: reading them, and what is printed of a result. */
#include "check.h"

/* Reads a word, and the character after it. Returns NULL at the end of the file, and for "-" an empty word. */
static char *read_word(FILE *file) {
    size_t length = 0, room = 64;
    char *word = malloc(room);
    for (int c = fgetc(file); word != NULL && c != EOF; c = fgetc(file)) {
        if (c == ' ' || c == '\n') {
            word[strcmp(word, "-") == 0 && length == 1 ? 0 : length] = 0;
            return word;
        }
        word[length++] = (char)c;
        word[length] = 0;
        if (length + 1 == room) {
            room *= 2;
            char *larger = realloc(word, room);
            if (larger == NULL) {
                break;
            }
            word = larger;
        }
    }
    free(word);
    return NULL;
}

static long read_number(FILE *file) {
    char *word = read_word(file);
    long number = word != NULL ? strtol(word, NULL, 10) : 0;
    free(word);
    return number;
}

static unsigned digit(char c) {
    return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

/* Reads lines up to one with a dot alone. */
static char *read_expected(FILE *file) {
    size_t length = 0, room = 1 << 16;
    char *text = malloc(room);
    while (text != NULL && length + 1024 < room &&
           fgets(text + length, (int)(room - length), file) != NULL) {
        if (strcmp(text + length, ".\n") == 0) {
            text[length] = 0;
            return text;
        }
        length += strlen(text + length);
    }
    abort();
}

bool read_case(FILE *file, struct test_case *test) {
    memset(test, 0, sizeof *test);
    char *flags = read_word(file);
    if (flags == NULL) {
        return false;
    }
    test->flags = (unsigned)strtoul(flags, NULL, 10);
    free(flags);
    test->transport = (textcodec_encoding)read_number(file);
    test->fallback = (textcodec_encoding)read_number(file);
    char *numbers = read_word(file);
    for (char *at = numbers; at != NULL && *at != 0 && test->candidate_count < 16;) {
        test->candidates[test->candidate_count++] = (textcodec_encoding)strtol(at, &at, 10);
        at += *at == ',';
    }
    free(numbers);
    test->languages = read_word(file);
    test->domain = read_word(file);
    char *text = read_word(file);
    if (test->languages == NULL || test->domain == NULL || text == NULL) {
        abort();
    }
    test->length = strlen(text) / 2;
    test->text = malloc(test->length + 1);
    if (test->text == NULL) {
        abort();
    }
    for (size_t i = 0; i < test->length; i++) {
        test->text[i] = (uint8_t)(digit(text[2 * i]) << 4 | digit(text[2 * i + 1]));
    }
    free(text);
    test->expected = read_expected(file);
    return true;
}

void free_case(struct test_case *test) {
    free(test->languages);
    free(test->domain);
    free(test->text);
    free(test->expected);
}

static bool is_default(const struct test_case *test) {
    return test->flags == 0 && test->transport == TEXTCODEC_NONE &&
           test->fallback == TEXTCODEC_NONE && test->candidate_count == 0 &&
           *test->languages == 0 && *test->domain == 0;
}

textcodec_detection *detect_case(const struct test_case *test, size_t chunk) {
    textcodec_detection *detection = NULL;
    if (chunk == 0 && is_default(test)) {
        CHECK(textcodec_detect(test->text, test->length, &detection) == TEXTCODEC_OK);
        return detection;
    }
    textcodec_detector *detector = NULL;
    CHECK(textcodec_detector_new(&detector) == TEXTCODEC_OK);
    CHECK(textcodec_detector_set_declarations(detector, !(test->flags & NO_DECLARATIONS)) ==
          TEXTCODEC_OK);
    CHECK(textcodec_detector_set_guess(detector, !(test->flags & NO_GUESS)) == TEXTCODEC_OK);
    CHECK(textcodec_detector_set_transport(detector, test->transport) == TEXTCODEC_OK);
    CHECK(textcodec_detector_set_fallback(detector, test->fallback) == TEXTCODEC_OK);
    CHECK(textcodec_detector_set_candidates(detector, test->candidates, test->candidate_count) ==
          TEXTCODEC_OK);
    CHECK(textcodec_detector_set_languages(detector, test->languages, strlen(test->languages)) ==
          TEXTCODEC_OK);
    CHECK(textcodec_detector_set_top_level_domain(detector, test->domain, strlen(test->domain)) ==
          TEXTCODEC_OK);
    /* The second text has the same options and result. */
    for (int round = 0; round < 2; round++) {
        textcodec_detection_free(detection);
        for (size_t at = 0; at < test->length;) {
            size_t rest = test->length - at, length = chunk == 0 || chunk > rest ? rest : chunk;
            CHECK(textcodec_detector_feed(detector, test->text + at, length) == TEXTCODEC_OK);
            at += length;
        }
        CHECK(textcodec_detector_finish(detector, (test->flags & PARTIAL) != 0, &detection) ==
              TEXTCODEC_OK);
    }
    textcodec_detector_free(detector);
    return detection;
}

/* Returns the bits of a number, which are the same only if it is exactly the same. */
static unsigned long long bits(double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

void print(FILE *to, const textcodec_detection *detection) {
    const char *language = textcodec_detection_language(detection);
    fprintf(to, "%d %d %d %d %016llx %llu %s: %s\n", textcodec_detection_encoding(detection),
            textcodec_detection_mixed_with(detection),
            textcodec_detection_confidence(detection), textcodec_detection_evidence(detection),
            bits(textcodec_detection_probability(detection)),
            (unsigned long long)textcodec_detection_bytes(detection),
            language != NULL ? language : "-", textcodec_detection_reason(detection));
    textcodec_candidate candidate;
    for (size_t i = 0; textcodec_detection_candidate(detection, i, &candidate); i++) {
        fprintf(to, " %d %d %016llx %llu %llu %llu\n", candidate.encoding, candidate.is_complete,
                bits(candidate.probability), (unsigned long long)candidate.malformed,
                (unsigned long long)candidate.non_ascii, (unsigned long long)candidate.unlikely);
    }
    textcodec_declaration declaration;
    for (size_t i = 0; textcodec_detection_declaration(detection, i, &declaration); i++) {
        fprintf(to, " %d %d %llu %s\n", declaration.encoding, declaration.form,
                (unsigned long long)declaration.offset, declaration.label);
    }
}
