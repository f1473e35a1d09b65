#include "check.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { REGION = 1 << 17, FRAME = 64, FILL = 0xA5, SHOWN = 64, PRINTED = 40 };

static pthread_mutex_t printing = PTHREAD_MUTEX_INITIALIZER;

static struct region region_new(void) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t len = ((REGION + page - 1) / page) * page;
    unsigned char *base =
        mmap(NULL, len + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED || mprotect(base + page, len, PROT_READ | PROT_WRITE) != 0) {
        perror("inaccessible pages");
        exit(2);
    }
    return (struct region){base + page, len};
}

static void region_free(struct region r) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    munmap(r.start - page, r.len + 2 * page);
}

/* The tester that calls iconv() in this thread. */
static _Thread_local struct tester *current;

/* Reports the call that read or wrote next to its buffers. */
static void on_fault(int signal) {
    struct tester *t = current;
    if (t != NULL) {
        printf("FAIL %s -> %s, %s, %s, split %zu, room %zu\n  signal %d: memory outside of the "
               "buffers was read or written\n",
               t->from, t->to, t->property,
               t->side == AT_END ? "at end of page" : "at start of page", t->split, t->room,
               signal);
        fflush(stdout);
    }
    _exit(3);
}

void report_faults(void) {
    struct sigaction action = {.sa_handler = on_fault};
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
}

void tester_init(struct tester *t) {
    *t = (struct tester){.in = region_new(), .out = region_new(), .property = ""};
}

void tester_free(struct tester *t) {
    region_free(t->in);
    region_free(t->out);
}

const char *error_name(int error) {
    switch (error) {
    case 0: return "success";
    case EILSEQ: return "EILSEQ";
    case EINVAL: return "EINVAL";
    case E2BIG: return "E2BIG";
    case EBADF: return "EBADF";
    case ENOMEM: return "ENOMEM";
    default: return "another error";
    }
}

bool expect(struct tester *t, bool ok, const unsigned char *in, size_t len, const char *format,
            ...) {
    t->checks++;
    if (ok) {
        return true;
    }
    t->failures++;
    if (t->failures > PRINTED) {
        return false;
    }
    pthread_mutex_lock(&printing);
    printf("FAIL %s -> %s, %s, %s, split %zu, room %zu\n  input", t->from, t->to, t->property,
           t->side == AT_END ? "at end of page" : "at start of page", t->split, t->room);
    for (size_t i = 0; i < len && i < SHOWN; i++) {
        printf(" %02X", in[i]);
    }
    printf("%s (%zu bytes)\n  ", len > SHOWN ? " ..." : "", len);
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    fflush(stdout);
    pthread_mutex_unlock(&printing);
    return false;
}

/* Returns the place of a buffer of `len` bytes in a region. */
static unsigned char *place(const struct tester *t, struct region r, size_t len, size_t skew) {
    if (len + 2 * FRAME > r.len) {
        fprintf(stderr, "a buffer of %zu bytes is too long for this test\n", len);
        exit(2);
    }
    return t->side == AT_END ? r.start + r.len - len : r.start + skew;
}

struct outcome convert(struct tester *t, iconv_t cd, const unsigned char *in, size_t len,
                       size_t room) {
    unsigned long call = t->calls++;
    unsigned char *input = place(t, t->in, len, call % 8);
    unsigned char *output = place(t, t->out, room, call / 8 % 8);
    /* The bytes of the region next to the output: before it, or after it. */
    unsigned char *frame = t->side == AT_END ? output - FRAME : output + room;
    memcpy(input, in, len);
    memset(frame, FILL, FRAME);
    memset(output, FILL, room);
    if (t->side == AT_START) {
        memset(t->out.start, FILL, (size_t)(output - t->out.start));
    }
    char *source = (char *)input, *target = (char *)output;
    size_t in_left = len, out_left = room;
    t->room = room;
    current = t;
    errno = 0;
    size_t result = iconv(cd, &source, &in_left, &target, &out_left);
    int error = result == (size_t)-1 ? errno : 0;
    size_t consumed = (size_t)((unsigned char *)source - input);
    size_t written = (size_t)((unsigned char *)target - output);
    struct outcome o = {result, error, consumed, written, output};

    bool sane = consumed <= len && in_left == len - consumed;
    expect(t, sane, in, len, "the input pointer moved by %zu and %zu bytes are left", consumed,
           in_left);
    bool fits = written <= room && out_left == room - written;
    expect(t, fits, in, len, "the output pointer moved by %zu and %zu bytes are left", written,
           out_left);
    if (!sane || !fits) {
        o.consumed = consumed <= len ? consumed : len;
        o.written = written <= room ? written : room;
    }
    expect(t, memcmp(input, in, len) == 0, in, len, "the input was changed");
    bool framed = true;
    for (size_t i = 0; i < FRAME; i++) {
        framed = framed && frame[i] == FILL;
    }
    if (t->side == AT_START) {
        for (unsigned char *p = t->out.start; p < output; p++) {
            framed = framed && *p == FILL;
        }
    }
    expect(t, framed, in, len, "bytes outside of the output were written");
    /* Some converters of glibc write the first byte of a character that does not fit. Programs
       that clear their buffer expect that nothing after the output changes. */
    bool rest = true;
    for (size_t i = o.written; i < room && !t->on_glibc; i++) {
        rest = rest && output[i] == FILL;
    }
    expect(t, rest, in, len, "bytes after the output were changed, at %zu", o.written);
    bool known = error == 0 || error == EILSEQ || error == EINVAL || error == E2BIG;
    expect(t, known, in, len, "errno is %d", error);
    expect(t, result != (size_t)-1 || error != 0, in, len, "-1 without errno");
    return o;
}

struct outcome reset(struct tester *t, iconv_t cd, size_t room) {
    unsigned long call = t->calls++;
    unsigned char *output = place(t, t->out, room, call % 8);
    char *target = (char *)output;
    size_t out_left = room;
    t->room = room;
    current = t;
    errno = 0;
    size_t result = iconv(cd, NULL, NULL, &target, &out_left);
    int error = result == (size_t)-1 ? errno : 0;
    size_t written = (size_t)((unsigned char *)target - output);
    if (!expect(t, written <= room && out_left == room - written, NULL, 0,
                "the output pointer moved by %zu and %zu bytes are left at a reset", written,
                out_left)) {
        written = 0;
    }
    return (struct outcome){result, error, 0, written, output};
}

iconv_t open_or_fail(struct tester *t, const char *to, const char *from) {
    t->from = from;
    t->to = to;
    errno = 0;
    iconv_t cd = iconv_open(to, from);
    int error = errno;
    expect(t, cd != (iconv_t)-1, NULL, 0, "iconv_open failed: %s", error_name(error));
    return cd;
}
