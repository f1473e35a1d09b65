/* Detectors in several threads, which use the library for the first time. */
#include <pthread.h>

#include "check.h"

enum { THREADS = 8, CASES = 24, LENGTH = 1 << 16 };

static struct test_case cases[CASES];
static size_t case_count;

/* The results of a thread, one after another. */
struct results {
    char text[LENGTH];
    textcodec_detection *last;
};

static void *detect_all(void *argument) {
    struct results *results = argument;
    size_t length = 0;
    for (size_t i = 0; i < case_count; i++) {
        textcodec_detection *detection = detect_case(&cases[i], i % 2 * 11);
        length += (size_t)snprintf(results->text + length, LENGTH - length, "%d %.17g %s\n",
                                   textcodec_detection_encoding(detection),
                                   textcodec_detection_probability(detection),
                                   textcodec_detection_reason(detection));
        if (i + 1 < case_count) {
            textcodec_detection_free(detection);
        } else {
            results->last = detection;
        }
    }
    return NULL;
}

void test_threads(const char *name) {
    static struct results results[THREADS];
    pthread_t threads[THREADS];
    FILE *file = fopen(name, "rb");
    while (file != NULL && case_count < CASES && read_case(file, &cases[case_count])) {
        case_count++;
    }
    for (size_t i = 0; i < THREADS; i++) {
        CHECK(pthread_create(&threads[i], NULL, detect_all, &results[i]) == 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
        CHECK(strcmp(results[i].text, results[0].text) == 0);
        /* Another thread than the one that made it. */
        textcodec_detection_free(results[i].last);
    }
    for (size_t i = 0; i < case_count; i++) {
        free_case(&cases[i]);
    }
    if (file != NULL) {
        fclose(file);
    }
}
