/* Calls each exported function of a library without enough memory. See memory.c. */
#ifndef MEMORY_H
#define MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* What a call did. NO_MEMORY: it said so, and nothing else has changed. */
enum outcome { DONE, NO_MEMORY, WRONG };

struct entry {
    const char *name;
    enum outcome (*call)(void);
};

/* The entries of a library, and a function that prepares their inputs. */
extern const struct entry ENTRIES[];
extern const size_t ENTRY_COUNT;
void prepare(void);

/* Whether each allocation fails in turn, so that an entry should make few. */
extern bool is_each;

/*
 * In a file of entries, LIST(E) is the list: E(function, expression), where the expression calls the function, and is an outcome.
 */
#define ENTRY_FUNCTION(function, expression)     \
    static enum outcome call_##function(void) { \
        return expression;                      \
    }
#define ENTRY_ROW(function, expression) {#function, call_##function},
#define DEFINE_ENTRIES(LIST)                          \
    LIST(ENTRY_FUNCTION)                              \
    const struct entry ENTRIES[] = {LIST(ENTRY_ROW)}; \
    const size_t ENTRY_COUNT = sizeof ENTRIES / sizeof *ENTRIES;

/* The outcome of a call that needs no memory. */
static inline enum outcome is(bool right) {
    return right ? DONE : WRONG;
}

#endif
