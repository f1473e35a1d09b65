/*
 * What the fuzz targets share.
 *
 * An input is a header, which chooses what is called with which arguments, and a payload, which is
 * the text. The last bytes of the header are the seed of the sizes of chunks and destinations, so
 * that the input determines everything that happens.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    HEADER = 16,
    SEED_AT = 8,
    /* Longer payloads are cut. */
    MAX_PAYLOAD = 8192,
};

/* ---- What a target defines ---- */

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*
 * Writes characters in the form in which the target reads the payload after this header. Leaves out
 * what the form does not have. Returns the number of bytes.
 */
size_t target_text(const uint8_t *header, const uint32_t *text, size_t length, uint8_t *out,
                   size_t room);

/* ---- Checks ---- */

/* What was done, so that a run which has tested nothing is noticed. */
struct counts {
    unsigned long calls, errors, full, compared;
};
extern struct counts counts;

/* What the target is doing, for messages. */
void describe(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints a message and aborts. */
_Noreturn void fail(const char *file, int line, const char *condition, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fail(__FILE__, __LINE__, #condition, __VA_ARGS__);                                     \
        }                                                                                          \
    } while (0)

/* ---- Random numbers ---- */

struct random {
    uint64_t state;
};

struct random random_new(uint64_t seed);
struct random random_of_header(const uint8_t *header);
uint64_t random_next(struct random *random);
/* Returns a number from 0 to `limit` - 1. */
size_t random_below(struct random *random, size_t limit);
bool random_one_in(struct random *random, size_t count);
/* Returns a size: mostly small, sometimes more. */
size_t random_size(struct random *random);

/* ---- Memory ---- */

/* The value of bytes that must not change. */
enum { FILL = 0xA5 };

/* Buffers, each between inaccessible pages. */
enum region { SOURCE, DESTINATION, STRING, REGIONS };

/*
 * Returns memory of `length` bytes that ends where an inaccessible page begins, so that any access
 * after it ends the program: sanitizers do not see those of the library, which is not compiled for
 * them. The memory and the bytes before it are filled.
 */
uint8_t *region_place(enum region region, size_t length);

/* The same with a copy of bytes. */
uint8_t *region_copy(enum region region, const void *bytes, size_t length);

/* Checks that the bytes before this memory are unchanged. */
void region_check(enum region region, size_t length);

/* A list of bytes that grows. */
struct log {
    uint8_t *bytes;
    size_t length, capacity;
};

void log_append(struct log *log, const void *bytes, size_t length);
void log_number(struct log *log, uint64_t number);
void log_clear(struct log *log);
void log_free(struct log *log);
/* Checks that both are equal. `what` is for the message. */
void log_compare(const struct log *log, const struct log *expected, const char *what);

#endif
