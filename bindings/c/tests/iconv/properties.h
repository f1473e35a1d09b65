/* What holds for every pair of charsets. */
#ifndef PROPERTIES_H
#define PROPERTIES_H

#include "check.h"
#include "sample.h"

/* How many cases run. */
struct extent {
    unsigned one_in; /* one of this many combinations of a split and an output size */
    bool all_pairs;  /* also combine splits with output sizes for pairs without UTF-8 */
    bool no_errors;  /* leave out malformed input */
};

/* Checks a pair. If its charsets have too few characters in common, returns false. */
bool check_pair(struct tester *t, const struct charset *from, const struct charset *to,
                struct extent extent);

#endif
