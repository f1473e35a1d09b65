/* Runs the tests: main VECTORS [EVERY]. Takes each EVERY-th vector of each kind. */
#include "check.h"

#include <stdarg.h>

size_t failures = 0;
size_t every = 1;
const enum form forms[FORMS] = {UTF8, UTF16, UTF32};

static char current[256];

void check(bool condition, const char *text, const char *file, int line) {
    if (!condition) {
        failures++;
        if (failures <= 20) {
            fprintf(stderr, "%s:%d: %s is false in %s\n", file, line, text, current);
        }
    }
}

void set_case(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(current, sizeof current, format, arguments);
    va_end(arguments);
}

void *allocate(size_t size) {
    void *memory = malloc(size > 0 ? size : 1);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

int main(int count, char **arguments) {
    FILE *file = count > 1 ? fopen(arguments[1], "rb") : NULL;
    if (file == NULL) {
        fprintf(stderr, "the first argument must be a file of vectors\n");
        return 2;
    }
    every = count > 2 ? strtoul(arguments[2], NULL, 10) : 1;
    test_encodings();
    test_arguments();
    test_objects();
    test_conversions();
    test_ill_formed();
    test_time();
    struct vector vector;
    size_t vectors[2] = {0, 0};
    while (read_vector(file, &vector)) {
        bool decodes = vector.kind == 'D';
        if (vectors[!decodes] % every == 0) {
            set_case("line %zu, %s", vectors[0] + vectors[1] + 1,
                     textcodec_encoding_name(vector.encoding));
            decodes ? test_decoding(&vector) : test_encoding(&vector);
        }
        vectors[!decodes]++;
        free_vector(&vector);
    }
    fclose(file);
    CHECK(vectors[0] > 500 && vectors[1] > 300);
    printf("%zu vectors to decode, %zu to encode, %zu failures\n", vectors[0], vectors[1],
           failures);
    return failures > 0;
}
