/*
 * Tests: main CASES [EVERY]. Takes each EVERY-th case. Its result, in chunks of several sizes, must
 * be that of the library in Rust.
 */
#include "check.h"

size_t failures = 0;

void check(bool condition, const char *text, const char *file, int line) {
    if (!condition) {
        failures++;
        if (failures <= 20) {
            fprintf(stderr, "%s:%d: %s is false\n", file, line, text);
        }
    }
}

/* Prints a result to a string, which the caller frees. */
static char *printed(textcodec_detection *detection) {
    FILE *file = tmpfile();
    if (file == NULL) {
        abort();
    }
    print(file, detection);
    textcodec_detection_free(detection);
    size_t length = (size_t)ftell(file);
    rewind(file);
    char *text = calloc(length + 1, 1);
    if (text == NULL || fread(text, 1, length, file) != length) {
        abort();
    }
    fclose(file);
    return text;
}

static void test_case(const struct test_case *test, size_t number) {
    const size_t chunks[] = {0, 1, 7, 4099, 65536};
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        if (chunks[i] != 0 && test->length / chunks[i] > 20000) {
            continue;
        }
        char *result = printed(detect_case(test, chunks[i]));
        bool same = strcmp(test->expected, result) == 0;
        CHECK(same);
        if (!same && failures < 5) {
            fprintf(stderr, "case %zu in chunks of %zu:\n%sinstead of:\n%s", number, chunks[i],
                    result, test->expected);
        }
        free(result);
    }
}

int main(int count, char **arguments) {
    size_t every = count > 2 ? strtoul(arguments[2], NULL, 10) : 1, number = 0;
    /* First of all, so that the threads make the tables of the guess. */
    test_threads(count > 1 ? arguments[1] : "");
    test_arguments();
    FILE *file = count > 1 ? fopen(arguments[1], "rb") : NULL;
    if (file == NULL) {
        fprintf(stderr, "the first argument must be a file of cases\n");
        return 2;
    }
    struct test_case test;
    for (; read_case(file, &test); number++) {
        if (number % every == 0) {
            test_case(&test, number);
        }
        free_case(&test);
    }
    fclose(file);
    CHECK(number > 300);
    printf("%zu cases, %zu failures\n", number, failures);
    return failures > 0;
}
