/* What the test programs share: a check that reports its line, and the result of the program. */

#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>

static int checks;
static int failures;

static void check(int ok, const char *what, const char *file, int line) {
    checks++;
    if (!ok) {
        failures++;
        fprintf(stderr, "%s:%d: failed: %s\n", file, line, what);
    }
}

#define CHECK(condition) check((condition) ? 1 : 0, #condition, __FILE__, __LINE__)

/* Prints the number of checks, and returns the status of the program. */
static int finish(const char *program) {
    printf("%s: %d passed, %d failed\n", program, checks - failures, failures);
    return failures > 0 || checks == 0;
}

#endif
