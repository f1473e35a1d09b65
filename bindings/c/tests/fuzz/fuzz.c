#include "fuzz.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { REGION = 1 << 20, FRONT = 64, DESCRIPTION = 512 };

struct counts counts;

static char description[DESCRIPTION];

void describe(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(description, sizeof description, format, arguments);
    va_end(arguments);
}

void fail(const char *file, int line, const char *condition, const char *format, ...) {
    fprintf(stderr, "\n%s:%d: not true: %s\n  ", file, line, condition);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\n  %s\n", description);
    abort();
}

struct random random_new(uint64_t seed) {
    /* SplitMix64, so that similar seeds give different numbers. 0 would stay 0. */
    seed += 0x9E3779B97F4A7C15;
    seed = (seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9;
    seed = (seed ^ (seed >> 27)) * 0x94D049BB133111EB;
    seed ^= seed >> 31;
    return (struct random){seed != 0 ? seed : 1};
}

struct random random_of_header(const uint8_t *header) {
    uint64_t seed = 0;
    for (int i = SEED_AT; i < HEADER; i++) {
        seed = seed << 8 | header[i];
    }
    return random_new(seed);
}

uint64_t random_next(struct random *random) {
    random->state ^= random->state << 13;
    random->state ^= random->state >> 7;
    random->state ^= random->state << 17;
    return random->state;
}

size_t random_below(struct random *random, size_t limit) {
    return (size_t)((random_next(random) >> 16) % limit);
}

bool random_one_in(struct random *random, size_t count) {
    return random_below(random, count) == 0;
}

size_t random_size(struct random *random) {
    switch (random_below(random, 8)) {
    case 0: return 0;
    case 1: return 1 + random_below(random, 3);
    case 2: return random_below(random, 200);
    case 3: return random_one_in(random, 4) ? random_below(random, 5000) : 64;
    default: return random_below(random, 24);
    }
}

/* Returns the end of a region. */
static uint8_t *region_end(enum region region) {
    static uint8_t *ends[REGIONS];
    if (ends[region] == NULL) {
        size_t page = (size_t)sysconf(_SC_PAGESIZE), length = REGION / page * page;
        uint8_t *base =
            mmap(NULL, length + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (base == MAP_FAILED || mprotect(base + page, length, PROT_READ | PROT_WRITE) != 0) {
            perror("inaccessible pages");
            exit(2);
        }
        ends[region] = base + page + length;
    }
    return ends[region];
}

uint8_t *region_place(enum region region, size_t length) {
    CHECK(length + FRONT <= REGION, "a buffer of %zu bytes is too long for this test", length);
    uint8_t *start = region_end(region) - length;
    memset(start - FRONT, FILL, length + FRONT);
    return start;
}

uint8_t *region_copy(enum region region, const void *bytes, size_t length) {
    uint8_t *start = region_place(region, length);
    if (length > 0) {
        memcpy(start, bytes, length);
    }
    return start;
}

void region_check(enum region region, size_t length) {
    const uint8_t *front = region_end(region) - length - FRONT;
    for (size_t i = 0; i < FRONT; i++) {
        CHECK(front[i] == FILL, "%zu bytes before a buffer, a byte was written", FRONT - i);
    }
}

void log_append(struct log *log, const void *bytes, size_t length) {
    if (length == 0) {
        return;
    }
    if (log->capacity - log->length < length) {
        log->capacity = 2 * (log->length + length);
        log->bytes = realloc(log->bytes, log->capacity);
        if (log->bytes == NULL) {
            perror("memory of the test");
            exit(2);
        }
    }
    memcpy(log->bytes + log->length, bytes, length);
    log->length += length;
}

void log_number(struct log *log, uint64_t number) {
    log_append(log, &number, sizeof number);
}

void log_clear(struct log *log) {
    log->length = 0;
}

void log_free(struct log *log) {
    free(log->bytes);
    *log = (struct log){0};
}

void log_compare(const struct log *log, const struct log *expected, const char *what) {
    size_t at = 0;
    while (at < log->length && at < expected->length && log->bytes[at] == expected->bytes[at]) {
        at++;
    }
    counts.compared++;
    CHECK(at == log->length && at == expected->length,
          "%s differ at byte %zu: there are %zu bytes instead of %zu", what, at, log->length,
          expected->length);
}
