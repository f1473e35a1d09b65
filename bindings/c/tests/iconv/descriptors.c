/* Whose is a descriptor? Every function that takes one gets descriptors of this library, open and closed, of other libraries,
   and values that are none.

   descriptors fake    next.c is the next library
   descriptors glibc   glibc is the next library: its descriptors, many of both at once, and threads
   descriptors musl    musl is the next library, whose descriptors are odd numbers or small blocks
   descriptors none    there is no other library */
#include <dlfcn.h>
#include <errno.h>
#include <iconv.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "next.h"

/* The other functions of the library. */
size_t libiconv(iconv_t cd, char **in, size_t *in_left, char **out, size_t *out_left);
iconv_t libiconv_open(const char *to, const char *from);
int libiconv_close(iconv_t cd);
int libiconvctl(iconv_t cd, int request, void *argument);
int libiconv_open_into(const char *to, const char *from, void *memory);
int iconv_open_into(const char *to, const char *from, void *memory);
#pragma weak next_call

typedef size_t convert_function(iconv_t, char **, size_t *, char **, size_t *);
typedef iconv_t open_function(const char *, const char *);
typedef int close_function(iconv_t);

#define BAD ((size_t)-1)

static unsigned long checks, failures;

static void check(bool condition, const char *text, const char *detail, int line) {
    __atomic_fetch_add(&checks, 1, __ATOMIC_RELAXED);
    if (!condition && __atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED) < 20) {
        printf("descriptors.c:%d: %s: %s is false (errno %d)\n", line, detail, text, errno);
    }
}

#define CHECK(condition, detail) check(condition, #condition, detail, __LINE__)

/* The calls of all functions that take a descriptor. */
enum { CALLS = 6 };
static const char *const NAMES[CALLS] = {"iconv",    "iconv",          "iconv_close",
                                         "libiconv", "libiconv_close", "libiconvctl"};

static char in[] = "a", out[16], *from, *to;
static size_t in_left, out_left;
static int value;

static size_t call(int number, iconv_t cd) {
    from = in;
    to = out;
    in_left = 1;
    out_left = sizeof out;
    errno = 0;
    switch (number) {
    case 0: return iconv(cd, &from, &in_left, &to, &out_left);
    case 1: return iconv(cd, NULL, NULL, NULL, NULL);
    case 2: return (size_t)iconv_close(cd);
    case 3: return libiconv(cd, &from, &in_left, &to, &out_left);
    case 4: return (size_t)libiconv_close(cd);
    default: return (size_t)libiconvctl(cd, 1, &value);
    }
}

/* All functions refuse the descriptor, and ask no other library. */
static void refused(iconv_t cd, const char *what) {
    for (int number = 0; number < CALLS; number++) {
        size_t result = call(number, cd);
        CHECK(result == BAD && errno == EBADF, what);
        CHECK(from == in && to == out && in_left == 1 && out_left == sizeof out, what);
        CHECK(next_call == NULL || next_call().function == NULL, what);
    }
}

/* All functions pass the descriptor on, with the other arguments. */
static void passed_on(iconv_t cd, const char *what) {
    for (int number = 0; number < CALLS; number++) {
        size_t result = call(number, cd);
        CHECK(result == NEXT_RESULT && errno == NEXT_ERRNO, what);
        struct call got = next_call();
        CHECK(got.function != NULL && strcmp(got.function, NAMES[number]) == 0 && got.arguments[0] == cd, what);
        if (number == 0 || number == 3) {
            CHECK(got.arguments[1] == &from && got.arguments[2] == &in_left, what);
            CHECK(got.arguments[3] == &to && got.arguments[4] == &out_left, what);
        } else if (number == 5) {
            CHECK(got.arguments[1] != NULL && got.arguments[2] == &value, what);
        }
    }
}

/* Values that are no descriptor of this library. `give` is what must happen to them. */
static void no_descriptors(void (*give)(iconv_t, const char *)) {
    static _Alignas(16) char buffer[64];
    give((iconv_t)(uintptr_t)1, "1");
    give((iconv_t)(uintptr_t)0x6D0009, "an odd number");
    for (size_t at = 1; at < 8; at++) {
        give((iconv_t)(buffer + at), "an address that is not aligned");
    }
    const int fills[] = {0, 1, 0x7F, 0x80, 0xFF};
    for (size_t i = 0; i < sizeof fills / sizeof *fills; i++) {
        memset(buffer, fills[i], sizeof buffer);
        give((iconv_t)buffer, "other memory");
    }
    for (size_t i = 0; i < 1000; i++) {
        for (size_t at = 0; at < sizeof buffer; at++) {
            buffer[at] = (char)rand();
        }
        give((iconv_t)(buffer + 8 * (i % 4)), "random memory");
    }
    /* No more is read than glibc's smallest block has. */
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(pages + page, page, PROT_NONE);
    give((iconv_t)(pages + page - 24), "24 bytes before inaccessible memory");
    munmap(pages, 2 * page);
}

/* A descriptor that was closed is refused, at least until its memory is used again. */
static void closed(open_function *open, close_function *close, const char *what) {
    iconv_t volatile cd = open("UTF-8", "ISO-8859-1");
    CHECK(close(cd) == 0, what);
    refused(cd, what);
}

static iconv_t volatile MINUS_ONE = (iconv_t)-1, NOTHING = NULL;

static void own(void) {
    refused(MINUS_ONE, "-1");
    refused(NOTHING, "NULL");
    closed(iconv_open, iconv_close, "closed by iconv_close");
    closed(iconv_open, libiconv_close, "closed by libiconv_close");
    closed(libiconv_open, libiconv_close, "from libiconv_open, closed by libiconv_close");
    closed(libiconv_open, iconv_close, "from libiconv_open, closed by iconv_close");
    iconv_t cd = iconv_open("UTF-8", "ISO-8859-1");
    for (int number = 0; number < CALLS; number++) {
        if (number != 2 && number != 4) {
            CHECK(call(number, cd) == 0, "an open descriptor");
        }
    }
    CHECK(iconv_close(cd) == 0, "an open descriptor");
}

/* ---- With next.c ---- */

static void opens_into(int (*open_into)(const char *, const char *, void *), const char *name) {
    void *memory[32];
    const char *to_name = "UTF-8", *from_name = "KOI8-R";
    CHECK(open_into(to_name, from_name, memory) == NEXT_RESULT && errno == NEXT_ERRNO, name);
    struct call got = next_call();
    CHECK(got.function != NULL && strcmp(got.function, name) == 0, name);
    CHECK(got.arguments[0] == to_name && got.arguments[1] == from_name && got.arguments[2] == memory, name);
}

/* Names that this library does not know, or that it leaves to glibc, are opened by the function of the same name. */
static void opens(open_function *open, const char *name, const char *from_name, bool is_passed_on) {
    const char *to_name = "UTF-8";
    iconv_t cd = open(to_name, from_name);
    struct call got = next_call();
    CHECK((got.function != NULL) == is_passed_on, from_name);
    if (is_passed_on) {
        CHECK(strcmp(got.function, name) == 0 && got.arguments[0] == to_name && got.arguments[1] == from_name, name);
        passed_on(cd, name);
    } else {
        CHECK(iconv_close(cd) == 0 && next_call().function == NULL, name);
    }
}

static void with_fake(void) {
    no_descriptors(passed_on); /* Before the first descriptor of the library, and after it. */
    own();
    no_descriptors(passed_on);
    opens(iconv_open, "iconv_open", "IBM038", true);
    opens(libiconv_open, "libiconv_open", "IBM038", true);
    const char *mode = getenv("TEXTCODEC_ICONV");
    bool is_identical = mode != NULL && strcmp(mode, "identical") == 0;
    opens(iconv_open, "iconv_open", "EUC-JP", is_identical);
    opens(libiconv_open, "libiconv_open", "EUC-JP", false);
    opens(iconv_open, "iconv_open", "ISO-8859-2", false);
    iconv_t cd = iconv_open("ISO-8859-2//TRANSLIT", "UTF-8");
    struct call got = next_call();
    CHECK((got.function != NULL) == is_identical, "transliteration");
    int closed = iconv_close(cd); /* The next library's fails. */
    CHECK((closed == 0) == !is_identical && (next_call().function != NULL) == is_identical, "transliteration");
    /* glibc's iconv -l opens this, so that glibc reads its list of names. */
    cd = iconv_open("L1", "L1");
    got = next_call();
    CHECK(got.function != NULL && strcmp(got.function, "iconv_close") == 0, "L1");
    CHECK(iconv_close(cd) == 0 && next_call().function == NULL, "L1");
    opens_into(libiconv_open_into, "libiconv_open_into");
    opens_into(iconv_open_into, "iconv_open_into");
}

/* ---- Without another library ---- */

static void with_none(void) {
    no_descriptors(refused);
    own();
    no_descriptors(refused);
    void *memory[32];
    errno = 0;
    CHECK(libiconv_open_into("UTF-8", "KOI8-R", memory) == -1 && errno == EINVAL, "libiconv_open_into");
    errno = 0;
    CHECK(iconv_open_into("UTF-8", "KOI8-R", memory) == -1 && errno == EINVAL, "iconv_open_into");
    errno = 0;
    CHECK(iconv_open("UTF-8", "EBCDIC-US") == MINUS_ONE && errno == EINVAL, "a name of another library");
}

/* ---- With a C library ---- */

/* Converts `text` and ends it. Appends to `result` what the calls returned and wrote. */
static size_t convert(convert_function *function, iconv_t cd, const char *text, size_t len, size_t room, char *result) {
    char copy[256], *src = copy, *dst = result;
    size_t left = len, space = room;
    memcpy(copy, text, len);
    errno = 0;
    size_t returned = function(cd, &src, &left, &dst, &space);
    int error = errno;
    errno = 0;
    size_t ended = function(cd, NULL, NULL, &dst, &space);
    size_t used = (size_t)(dst - result);
    const size_t numbers[] = {returned, left, ended, (size_t)error, (size_t)errno};
    memcpy(result + used, numbers, sizeof numbers);
    return used + sizeof numbers;
}

static const char *const SETS[] = {
    "ASCII",       "UTF-8",     "UTF-16",  "UTF-16BE", "UCS-4",   "UTF-7",   "WCHAR_T",     "ISO-8859-1",
    "ISO-8859-15", "CP1252",    "KOI8-R",  "GBK",      "GB18030", "BIG5",    "ISO-2022-JP", "EUC-JP",
    "SHIFT_JIS",   "EBCDIC-US", "IBM037",  "TCVN",     "EUC-TW",  "UHC",     "ISO-2022-KR", "ISO-2022-CN",
    "JOHAB",       "T.61",      "MACINTOSH",
};
enum { COUNT = sizeof SETS / sizeof *SETS };

/* glibc's descriptors, used by the public functions, behave as with glibc's. iconv(1) does this. */
static void foreign_pairs(void) {
    void *libc = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
    open_function *open = (open_function *)(uintptr_t)dlsym(libc, "iconv_open");
    convert_function *direct = (convert_function *)(uintptr_t)dlsym(libc, "iconv");
    CHECK(libc != NULL && direct != iconv, "glibc");
    const char text[] = "Un caf\xC3\xA9, \xE6\x97\xA5\xE6\x9C\xAC \xD0\xB6 \xFF\x82\xA0\xA4\xA2 end";
    unsigned long pairs = 0;
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t j = 0; j < 3 * COUNT; j++) {
            char name[64];
            const char *const suffixes[] = {"", "//TRANSLIT", "//IGNORE"};
            snprintf(name, sizeof name, "%s%s", SETS[j / 3], suffixes[j % 3]);
            iconv_t a = open(name, SETS[i]), b = open(name, SETS[i]);
            if (a == MINUS_ONE || b == MINUS_ONE) {
                continue;
            }
            pairs++;
            for (size_t room = 8; room <= 512; room *= 4) {
                char expected[1024], got[1024];
                size_t expected_len = convert(direct, a, text, sizeof text - 1, room, expected);
                size_t got_len = convert(iconv, b, text, sizeof text - 1, room, got);
                CHECK(got_len == expected_len && memcmp(got, expected, got_len) == 0, name);
            }
            CHECK(iconv_close(a) == 0 && iconv_close(b) == 0, name);
        }
    }
    CHECK(pairs > 1000, "pairs");
    dlclose(libc);
}

/* What a descriptor converts and to what: three of this library, and two that only glibc has. */
static const struct sample {
    const char *to, *from, *in, *out;
} SAMPLES[] = {
    {"UTF-8", "KOI8-R", "\xD2", "\xD1\x80"},      {"SHIFT_JIS", "UTF-8", "\xE3\x81\x82", "\x82\xA0"},
    {"UTF-8", "EBCDIC-US", "\xC1", "A"},         {"UTF-16LE", "EUC-JP", "\xA4\xA2", "\x42\x30"},
    {"IBM037", "UTF-8", "A", "\xC1"},
};
enum { SAMPLE_COUNT = sizeof SAMPLES / sizeof *SAMPLES };

static bool converts(iconv_t cd, const struct sample *sample) {
    char source[8], result[8] = "", *src = source, *dst = result;
    size_t left = strlen(sample->in), room = sizeof result - 1;
    memcpy(source, sample->in, left);
    return iconv(cd, &src, &left, &dst, &room) == 0 && left == 0 && strcmp(result, sample->out) == 0;
}

static const struct sample *sample_for(size_t number) {
    return &SAMPLES[number % SAMPLE_COUNT];
}

/* Opens many descriptors at once, and closes them in another order. */
static void many(size_t count) {
    iconv_t *open = malloc(count * sizeof *open);
    for (size_t i = 0; i < count; i++) {
        open[i] = iconv_open(sample_for(i)->to, sample_for(i)->from);
        CHECK(open[i] != MINUS_ONE, sample_for(i)->from);
    }
    for (size_t i = 0; i < count; i++) {
        size_t at = i * 7919 % count; /* A prime number, so each is closed once. */
        CHECK(converts(open[at], sample_for(at)), sample_for(at)->from);
        CHECK(iconv_close(open[at]) == 0, sample_for(at)->from);
        if (i % 3 == 0) { /* The memory is used again, often by the other library. */
            open[at] = iconv_open(sample_for(at + i)->to, sample_for(at + i)->from);
            CHECK(converts(open[at], sample_for(at + i)), sample_for(at + i)->from);
            CHECK(iconv_close(open[at]) == 0, sample_for(at + i)->from);
        }
    }
    free(open);
}

enum { THREADS = 8, ROUNDS = 400 };

static pthread_barrier_t start;
static iconv_t passed[THREADS];

/* All threads open their first descriptor at the same time. Later they use what another thread has opened. */
static void *thread(void *number) {
    size_t self = (size_t)(uintptr_t)number, other = (self + 1) % THREADS;
    pthread_barrier_wait(&start);
    for (size_t round = 0; round < ROUNDS; round++) {
        passed[self] = iconv_open(sample_for(self + round)->to, sample_for(self + round)->from);
        pthread_barrier_wait(&start);
        CHECK(converts(passed[other], sample_for(other + round)), "threads");
        CHECK(iconv_close(passed[other]) == 0, "threads");
        pthread_barrier_wait(&start);
    }
    return NULL;
}

static void threads(void) {
    pthread_t ids[THREADS];
    pthread_barrier_init(&start, NULL, THREADS);
    for (size_t i = 0; i < THREADS; i++) {
        pthread_create(&ids[i], NULL, thread, (void *)(uintptr_t)i);
    }
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(ids[i], NULL);
    }
}

/* A child uses its parent's descriptors. */
static void forked(void) {
    iconv_t open[SAMPLE_COUNT];
    for (size_t i = 0; i < SAMPLE_COUNT; i++) {
        open[i] = iconv_open(SAMPLES[i].to, SAMPLES[i].from);
    }
    pid_t child = fork();
    bool right = true;
    for (size_t i = 0; i < SAMPLE_COUNT; i++) {
        right = converts(open[i], &SAMPLES[i]) && iconv_close(open[i]) == 0 && right;
    }
    if (child == 0) {
        _exit(right ? 0 : 1);
    }
    int status = 1;
    CHECK(waitpid(child, &status, 0) == child && status == 0 && right, "fork");
}

static void with_glibc(void) {
    foreign_pairs(); /* Before the first descriptor of the library, as in iconv(1). */
    threads();
    foreign_pairs();
    refused(MINUS_ONE, "-1");
    refused(NOTHING, "NULL");
    closed(iconv_open, iconv_close, "closed");
    many(20);
    many(19000);
    many(20);
    forked();
}

/* musl reads names without punctuation, which this library does not. */
static void with_musl(void) {
    const struct sample odd = {"UTF--8", "KOI8--R", "\xD2", "\xD1\x80"};
    const struct sample block = {"UTF--8", "ISO--2022--JP", "\x1B$B$\"", "\xE3\x81\x82"};
    for (size_t i = 0; i < 100; i++) {
        iconv_t cd = iconv_open(odd.to, odd.from);
        CHECK((uintptr_t)cd % 2 == 1 && converts(cd, &odd), odd.from);
        CHECK(iconv_close(cd) == 0, odd.from);
        cd = iconv_open(block.to, block.from);
        CHECK((uintptr_t)cd % 8 == 0 && converts(cd, &block), block.from);
        CHECK(iconv_close(cd) == 0, block.from);
        cd = iconv_open(SAMPLES[1].to, SAMPLES[1].from);
        CHECK(converts(cd, &SAMPLES[1]) && iconv_close(cd) == 0, SAMPLES[1].to);
    }
    refused(MINUS_ONE, "-1");
    refused(NOTHING, "NULL");
    closed(iconv_open, iconv_close, "closed");
}

int main(int argc, char **argv) {
    const struct {
        const char *name;
        void (*run)(void);
    } modes[] = {{"fake", with_fake}, {"glibc", with_glibc}, {"musl", with_musl}, {"none", with_none}};
    for (size_t i = 0; argc == 2 && i < sizeof modes / sizeof *modes; i++) {
        if (strcmp(argv[1], modes[i].name) == 0) {
            modes[i].run();
            printf("descriptors, %s: %lu checks, %lu failures\n", argv[1], checks, failures);
            return failures > 0;
        }
    }
    fprintf(stderr, "usage: %s fake|glibc|musl|none\n", argv[0]);
    return 2;
}
