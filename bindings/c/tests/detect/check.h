/* What the test programs of the library textcodec_detect share. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <textcodec_detect.h>

#define CHECK(condition) check(condition, #condition, __FILE__, __LINE__)

extern size_t failures;
void check(bool condition, const char *text, const char *file, int line);

/* A case of the file: see tools/c/src/detect.rs. */
struct test_case {
    unsigned flags;
    textcodec_encoding transport, fallback, candidates[16];
    size_t candidate_count;
    char *languages, *domain;
    uint8_t *text;
    size_t length;
    /* What `print` should print. */
    char *expected;
};

enum { NO_DECLARATIONS = 1, NO_GUESS = 2, PARTIAL = 4 };

/* Reads the next case. Returns false at the end of the file. */
bool read_case(FILE *file, struct test_case *test);
void free_case(struct test_case *test);

/* Returns the result for a case that is fed in chunks of this size, or at once if it is 0. */
textcodec_detection *detect_case(const struct test_case *test, size_t chunk);

/* Writes all of a result. */
void print(FILE *to, const textcodec_detection *detection);

/* The tests. Each is in the file of its name. */
void test_arguments(void);
void test_threads(const char *cases);

#endif
