/* Calls iconv() next to inaccessible memory, checks what holds for every call, and counts. */
#ifndef CHECK_H
#define CHECK_H

#include <iconv.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where the buffers of a call are. */
enum side {
    AT_END,   /* They end where inaccessible memory begins. */
    AT_START, /* They start after inaccessible memory, or up to 7 bytes later. */
};

/* Accessible memory between two inaccessible pages. */
struct region {
    unsigned char *start;
    size_t len;
};

/* What one thread needs. */
struct tester {
    struct region in, out;
    enum side side;
    bool on_glibc;
    unsigned long checks, calls, failures;
    /* What the test is doing, for messages. */
    const char *from, *to, *property;
    size_t split, room;
};

struct outcome {
    size_t result;
    int error; /* errno if the result is -1, otherwise 0 */
    size_t consumed, written;
    const unsigned char *out;
};

/* Ends the program with a message after an access to inaccessible memory. */
void report_faults(void);

void tester_init(struct tester *t);
void tester_free(struct tester *t);

/* Calls iconv() with copies of the input and an output of `room` bytes. Checks that pointers and
   counts agree, that nothing outside of the output was written, and that the input is unchanged. */
struct outcome convert(struct tester *t, iconv_t cd, const unsigned char *in, size_t len,
                       size_t room);

/* Calls iconv() without an input: with an output of `room` bytes. */
struct outcome reset(struct tester *t, iconv_t cd, size_t room);

/* Counts a check. If it failed, prints the context, the input, and the message. */
bool expect(struct tester *t, bool ok, const unsigned char *in, size_t len, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Opens a descriptor; a failure is counted. */
iconv_t open_or_fail(struct tester *t, const char *to, const char *from);

const char *error_name(int error);

#endif
