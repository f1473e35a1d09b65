/* Tests what glibc leaves undefined, and a failing malloc(). For the library linked from an archive,
   with -Wl,--wrap for the functions below, so that their calls can be counted and made to fail. */
#include <errno.h>
#include <iconv.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__real_malloc(size_t len);
void *__real_calloc(size_t count, size_t len);
void *__real_realloc(void *old, size_t len);
void *__real_aligned_alloc(size_t align, size_t len);
int __real_posix_memalign(void **to, size_t align, size_t len);
void __real_free(void *block);

void *__wrap_malloc(size_t len);
void *__wrap_calloc(size_t count, size_t len);
void *__wrap_realloc(void *old, size_t len);
void *__wrap_aligned_alloc(size_t align, size_t len);
int __wrap_posix_memalign(void **to, size_t align, size_t len);
void __wrap_free(void *block);

enum { NEVER = -1, MOST = 1024 };

static long blocks, calls, fail_at = NEVER;
static size_t bytes;
static unsigned long checks, failures;

/* Counts an allocation. Returns whether it must fail. */
static bool fails(size_t len) {
    bytes += len;
    return calls++ == fail_at;
}

static void *counted(void *block) {
    blocks += block != NULL;
    return block;
}

void *__wrap_malloc(size_t len) {
    return fails(len) ? NULL : counted(__real_malloc(len));
}

void *__wrap_calloc(size_t count, size_t len) {
    return fails(count * len) ? NULL : counted(__real_calloc(count, len));
}

void *__wrap_realloc(void *old, size_t len) {
    if (fails(len)) {
        return NULL;
    }
    void *block = __real_realloc(old, len);
    blocks += old == NULL && block != NULL;
    return block;
}

void *__wrap_aligned_alloc(size_t align, size_t len) {
    return fails(len) ? NULL : counted(__real_aligned_alloc(align, len));
}

int __wrap_posix_memalign(void **to, size_t align, size_t len) {
    if (fails(len)) {
        return ENOMEM;
    }
    int error = __real_posix_memalign(to, align, len);
    blocks += error == 0;
    return error;
}

void __wrap_free(void *block) {
    blocks -= block != NULL;
    __real_free(block);
}

static void expect(bool ok, const char *what, const char *detail) {
    checks++;
    if (!ok) {
        failures++;
        printf("FAIL %s: %s (errno %d)\n", what, detail, errno);
    }
}

/* The compiler must not see that these are no objects. */
static iconv_t volatile FAILED = (iconv_t)-1;
static iconv_t volatile NOTHING = NULL;
static const char *volatile NO_NAME = NULL;

static void descriptors(void) {
    iconv_t wrong[] = {FAILED, NOTHING};
    for (size_t i = 0; i < 2; i++) {
        const char *name = i == 0 ? "the descriptor -1" : "the descriptor NULL";
        char in[] = "a", out[4], *from = in, *to = out;
        size_t in_left = 1, out_left = sizeof out;
        errno = 0;
        size_t result = iconv(wrong[i], &from, &in_left, &to, &out_left);
        expect(result == (size_t)-1 && errno == EBADF, name, "iconv must give EBADF");
        expect(from == in && to == out && in_left == 1 && out_left == 4, name, "pointers moved");
        errno = 0;
        result = iconv(wrong[i], NULL, NULL, NULL, NULL);
        expect(result == (size_t)-1 && errno == EBADF, name, "a reset must give EBADF");
        errno = 0;
        expect(iconv_close(wrong[i]) == -1 && errno == EBADF, name, "closing must give EBADF");
    }
}

/* Calls that crash with glibc must fail, and leave the pointers. */
static void pointers(void) {
    iconv_t cd = iconv_open("UTF-8", "ISO-8859-1");
    char in[] = "ab", *from = in, *none = NULL;
    size_t in_left = 2, out_left = 8, no_room = 0;
    expect(iconv(cd, &from, &in_left, NULL, NULL) == (size_t)-1, "outbuf is NULL", "no error");
    expect(iconv(cd, &from, &in_left, NULL, &out_left) == (size_t)-1, "outbuf is NULL", "no error");
    expect(iconv(cd, &from, &in_left, &none, &out_left) == (size_t)-1, "*outbuf is NULL",
           "no error");
    expect(iconv(cd, &from, &in_left, &none, &no_room) == (size_t)-1, "*outbuf is NULL, no room",
           "no error");
    expect(from == in && in_left == 2 && none == NULL, "outbuf is NULL", "pointers moved");
    in_left = 0;
    expect(iconv(cd, &from, &in_left, &none, &no_room) == 0, "no input, no output", "an error");
    expect(iconv_close(cd) == 0, "close", "failed");
    errno = 0;
    expect(iconv_open(NO_NAME, "UTF-8") == (iconv_t)-1 && errno == EINVAL, "name NULL", "opened");
    errno = 0;
    expect(iconv_open("UTF-8", NO_NAME) == (iconv_t)-1 && errno == EINVAL, "name NULL", "opened");
}

/* Lengths that no object can have. The call ends where the other buffer ends. */
static void lengths(void) {
    static char big[1 << 16];
    memset(big, 'a', sizeof big);
    const char *const names[] = {"UTF-8", "WINDOWS-1252", "SHIFT_JIS", "UTF-7",
                                 "UTF-7-IMAP", "ISO-2022-JP", "HZ", "CESU-8"};
    const size_t lens[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 2 + 1, SIZE_MAX / 2};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        for (size_t j = 0; j < sizeof lens / sizeof *lens; j++) {
            iconv_t cd = iconv_open(names[i], "UTF-8");
            char in[] = "abcdefghijklmnop", *from = in, *to = big;
            size_t in_left = 16, out_left = lens[j];
            size_t result = iconv(cd, &from, &in_left, &to, &out_left);
            bool all = result == 0 && to == big + 16 && out_left == lens[j] - 16 && in_left == 0;
            bool none = result == (size_t)-1 && errno == E2BIG && to == big && in_left == 16;
            expect(all || none, "a huge output", names[i]);
            memset(big, 'a', 16);
            char out[16];
            from = big;
            to = out;
            in_left = lens[j];
            out_left = sizeof out;
            result = iconv(cd, &from, &in_left, &to, &out_left);
            expect(result == (size_t)-1 && errno == E2BIG, "a huge input", names[i]);
            expect(from == big + 16 && in_left == lens[j] - 16 && to == out + 16 && out_left == 0,
                   "a huge input", "wrong pointers");
            iconv_close(cd);
        }
    }
}

/* Opens with the name on each side. Any result is right, but with EINVAL if it is an error. */
static void try_name(const char *name, const char *what, bool unknown) {
    for (int side = 0; side < 2; side++) {
        errno = 0;
        iconv_t cd = side == 0 ? iconv_open(name, "UTF-8") : iconv_open("UTF-8", name);
        if (cd == (iconv_t)-1) {
            expect(errno == EINVAL, what, "an error must be EINVAL");
        } else {
            expect(!unknown, what, "opened");
            expect(iconv_close(cd) == 0, what, "not closed");
        }
    }
}

static void names(void) {
    enum { MILLION = 1 << 20 };
    static char name[MILLION + 1];
    memset(name, 'A', MILLION);
    try_name(name, "a name of 1 MiB", true);
    memset(name, '/', MILLION);
    try_name(name, "1 MiB of slashes", false);
    memset(name, 0xFF, MILLION);
    try_name(name, "1 MiB of 0xFF", false);
    memset(name, 'X', MILLION);
    memcpy(name, "UTF-8//", 7);
    try_name(name, "a suffix of 1 MiB", false);
    for (size_t i = 0; i + 8 <= MILLION; i += 8) {
        memcpy(name + i, "//IGNORE", 8);
    }
    memcpy(name, "US-ASCII", 8);
    try_name(name, "131,071 suffixes", false);
    for (int c = 1; c < 256; c++) {
        char one[] = {(char)c, 0};
        try_name(one, "one byte", false);
        char three[] = {'x', (char)c, 'q', 0};
        try_name(three, "a byte between letters", true);
    }
}

/* Fails at each allocation in turn, until none fails. */
static void allocations(const char *to, const char *from) {
    long before = blocks;
    for (long at = 0; at < 16; at++) {
        calls = 0;
        bytes = 0;
        fail_at = at;
        errno = 0;
        iconv_t cd = iconv_open(to, from);
        int error = errno;
        fail_at = NEVER;
        if (cd == (iconv_t)-1) {
            expect(error == ENOMEM, to, "an allocation failed, but errno is not ENOMEM");
            expect(blocks == before, to, "memory was lost");
            continue;
        }
        expect(at == 1 && calls == 1, to, "a descriptor must be one allocation");
        expect(bytes <= MOST, to, "a descriptor is too large");
        expect(blocks == before + 1, to, "a descriptor must be one block");
        expect(iconv_close(cd) == 0 && blocks == before, to, "memory was lost when closed");
        return;
    }
    expect(false, to, "never opened");
}

/* Converts what only the write-back has, with a failing malloc() from each call on. */
static void conversions(void) {
    for (long at = 0; at < 4; at++) {
        long before = blocks;
        iconv_t cd = iconv_open("EUC-JP", "UTF-8");
        char in[] = "\xCB\x98", out[8], *from = in, *to = out; /* 8F A2 AF in JIS X 0212 */
        size_t in_left = 2, out_left = sizeof out;
        calls = 0;
        fail_at = at;
        size_t result = iconv(cd, &from, &in_left, &to, &out_left);
        fail_at = NEVER;
        bool written = result == 0 && memcmp(out, "\x8F\xA2\xAF", 3) == 0;
        bool failed = result == (size_t)-1 && from == in && to == out;
        expect(written || failed, "write-back without memory", "wrong result");
        from = in;
        to = out;
        in_left = 2;
        out_left = sizeof out;
        result = iconv(cd, &from, &in_left, &to, &out_left);
        expect(result == 0 && memcmp(out, "\x8F\xA2\xAF", 3) == 0, "write-back", "wrong result");
        iconv_close(cd);
        expect(at > 0 || blocks <= before + 1, "write-back", "memory was lost");
    }
}

int main(void) {
    descriptors();
    pointers();
    lengths();
    names();
    const char *const charsets[] = {
        "UTF-8",     "UTF-16",      "UTF-32LE", "UCS-4",  "UTF-7",   "WCHAR_T", "ISO-8859-1",
        "ASCII",     "CP1252",      "KOI8-R",   "GBK",    "GB18030", "BIG5",    "EUC-JP",
        "SHIFT_JIS", "ISO-2022-JP", "EUC-KR",   "CP932",  "IBM866",  "ASCII//TRANSLIT//IGNORE",
        "UTF-7-IMAP", "ISO-2022-KR", "HZ",      "CESU-8", "GSM0338",
    };
    for (size_t i = 0; i < sizeof charsets / sizeof *charsets; i++) {
        allocations(charsets[i], "UTF-8");
        allocations("UTF-8", charsets[i]);
        allocations(charsets[i], "EUC-JP");
    }
    conversions();
    printf("%lu checks, %lu failures\n", checks, failures);
    return failures == 0 ? 0 : 1;
}
