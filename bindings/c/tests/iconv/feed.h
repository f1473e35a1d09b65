/* Predicts the result of a call, makes it, and compares. */
#ifndef FEED_H
#define FEED_H

#include "check.h"
#include "sample.h"

/* How far the conversion of a sample is. */
struct progress {
    size_t step, offset;
    size_t led; /* one more than the index of the step whose lead is written, or 0 */
};

/* Calls iconv() with the input from the current position up to `end`, and `room` bytes for output.
   Compares result, pointers and output with the prediction, and moves on.
   Returns errno, or 0. On a mismatch, returns -1. */
int feed(struct tester *t, iconv_t cd, const struct sample *s, struct progress *p, size_t end,
         size_t room);

/* Skips the step at which the conversion stopped. */
void skip(const struct sample *s, struct progress *p);

/* Converts the remaining input with ample room, and skips what is in error. */
bool drain(struct tester *t, iconv_t cd, const struct sample *s, struct progress *p);

#endif
