/* What next.c tells about the last call of one of its functions. */
#ifndef NEXT_H
#define NEXT_H

#include <stddef.h>

struct call {
    /* The function's name, or NULL if none was called since the last question. */
    const char *function;
    const void *arguments[5];
};

/* Returns the last call, and forgets it. */
struct call next_call(void);

enum { NEXT_RESULT = 77, NEXT_ERRNO = 99 };

#endif
