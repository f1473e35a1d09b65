/*
 * Calls each exported function of a library without enough memory.
 *
 *   memory names    prints the names of the functions
 *   memory each     lets each allocation of each function fail, or some if there are many
 *   memory nothing  prepares the inputs only
 *   memory limit    calls each function once, under the limit that the caller has set. Prints how many calls succeeded, how
 *                   many said that there is no memory, and the largest size of the process in KiB
 *
 * The program has functions of the names of malloc and its relatives, which the shared library uses too, because the program
 * comes first.
 */
#include "memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

bool is_each;

static bool counting;
static size_t allocations, fail_at, live;

static bool may_allocate(void) {
    return !counting || ++allocations != fail_at;
}

static void *counted(void *memory) {
    live += counting && memory != NULL;
    return memory;
}

void *malloc(size_t size) {
    return may_allocate() ? counted(__libc_malloc(size)) : NULL;
}

void *calloc(size_t count, size_t size) {
    return may_allocate() ? counted(__libc_calloc(count, size)) : NULL;
}

void *realloc(void *memory, size_t size) {
    if (!may_allocate()) {
        return NULL;
    }
    void *new = __libc_realloc(memory, size);
    live += counting && memory == NULL && new != NULL;
    return new;
}

void *aligned_alloc(size_t alignment, size_t size) {
    return may_allocate() ? counted(__libc_memalign(alignment, size)) : NULL;
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    void *new = aligned_alloc(alignment, size);
    if (new == NULL) {
        return ENOMEM;
    }
    *memory = new;
    return 0;
}

void free(void *memory) {
    live -= counting && memory != NULL;
    __libc_free(memory);
}

/*
 * Lets each allocation of a function fail, until none fails; of those after the first 64, fewer and fewer. Returns whether each call
 * was right.
 */
static bool fail_each(const struct entry *entry, size_t *count) {
    for (fail_at = 1;; fail_at += 1 + fail_at / 64) {
        allocations = live = 0;
        counting = true;
        enum outcome outcome = entry->call();
        counting = false;
        bool none_failed = allocations < fail_at;
        if (outcome == WRONG || live != 0 || (none_failed && outcome != DONE)) {
            fprintf(stderr, "%s: outcome %d, %zu blocks lost, allocation %zu of %zu\n", entry->name, (int)outcome, live,
                    fail_at, allocations);
            return false;
        }
        if (none_failed) {
            *count += allocations;
            return true;
        }
    }
}

static int each(void) {
    size_t failures = 0, count = 0;
    is_each = true;
    for (size_t i = 0; i < ENTRY_COUNT; i++) {
        failures += !fail_each(&ENTRIES[i], &count);
    }
    printf("%zu functions, %zu allocations, %zu failures\n", ENTRY_COUNT, count, failures);
    return failures > 0;
}

/* Returns the largest size of the process so far, in KiB, without an allocation. */
static long peak(void) {
    static char buffer[4096];
    FILE *file = fopen("/proc/self/status", "r");
    if (file == NULL) {
        return -1; /* There is no memory for it. */
    }
    setvbuf(file, NULL, _IONBF, 0);
    size_t len = fread(buffer, 1, sizeof buffer - 1, file);
    fclose(file);
    buffer[len] = 0;
    const char *line = strstr(buffer, "VmPeak:");
    return line != NULL ? atol(line + 7) : -1;
}

static int limit(void) {
    size_t counts[3] = {0, 0, 0};
    for (size_t i = 0; i < ENTRY_COUNT; i++) {
        enum outcome outcome = ENTRIES[i].call();
        counts[outcome]++;
        if (outcome == WRONG) {
            fprintf(stderr, "%s: a wrong result\n", ENTRIES[i].name);
        }
    }
    printf("%zu %zu %ld\n", counts[DONE], counts[NO_MEMORY], peak());
    return counts[WRONG] > 0;
}

int main(int argc, char **argv) {
    static char buffer[BUFSIZ];
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    prepare();
    if (argc == 2 && strcmp(argv[1], "names") == 0) {
        for (size_t i = 0; i < ENTRY_COUNT; i++) {
            puts(ENTRIES[i].name);
        }
        return 0;
    }
    if (argc == 2 && strcmp(argv[1], "each") == 0) {
        return each();
    }
    if (argc == 2 && strcmp(argv[1], "limit") == 0) {
        return limit();
    }
    if (argc == 2 && strcmp(argv[1], "nothing") == 0) {
        return 0;
    }
    fprintf(stderr, "usage: memory names|each|limit|nothing\n");
    return 2;
}
