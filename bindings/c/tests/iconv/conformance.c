/* Tests the iconv() with which it is linked, or which is preloaded, against what POSIX says and
   glibc does. It expects nothing that is particular to the tables of glibc or of the Encoding
   Standard.

   conformance glibc|textcodec [--every N]

   The first argument names the library that must answer. With --every N, only one of N pairs
   without UTF-8 is tested, and of the combinations of a split and an output size. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "details.h"
#include "properties.h"
#include "sample.h"

#define SURROGATES "surrogates are passed through"
#define ROOM_FIRST "E2BIG has priority, unlike in other conversions"
#define EARLY_MARK "the mark is written without an input, or E2BIG given"

enum { THREADS = 8 };

static bool on_glibc;

/* What glibc 2.36 does wrong. These tests are left out if glibc answers, and only then. */
static const struct wrong {
    const char *from, *to;
    bool only_errors;
    const char *reason;
} WRONG_IN_GLIBC[] = {
    {"WCHAR_T", "WCHAR_T", false, "iconv_open gives EINVAL"},
    {"WCHAR_T", "UTF-16", false, EARLY_MARK},
    {"WCHAR_T", "UTF-32", false, EARLY_MARK},
    {"WCHAR_T", "UNICODE", false, EARLY_MARK},
    {"WCHAR_T", "ISO-2022-KR", false, EARLY_MARK},
    {"GB2312", "GBK", false, "bytes are lost at errors and at the end of the input"},
    {"BIG5", "GB2312", false, "its table differs from those of BIG5 and GB2312"},
    {"GBK", "GB2312", false, ROOM_FIRST},
    {"GB2312", "BIG5", false, ROOM_FIRST},
    {"UCS-4", "UCS-4", true, SURROGATES},
    {"UCS-4", "UCS-4LE", true, SURROGATES},
    {"UCS-4", "WCHAR_T", true, SURROGATES},
    {"UCS-4LE", "UCS-4", true, SURROGATES},
    {"UCS-4LE", "UCS-4LE", true, SURROGATES},
    {"UCS-4LE", "WCHAR_T", true, SURROGATES},
    {"WCHAR_T", "UCS-4", true, SURROGATES},
    {"WCHAR_T", "UCS-4LE", true, SURROGATES},
};

static const struct wrong *wrong_in_glibc(const char *from, const char *to) {
    for (size_t i = 0; i < sizeof WRONG_IN_GLIBC / sizeof *WRONG_IN_GLIBC; i++) {
        const struct wrong *wrong = &WRONG_IN_GLIBC[i];
        if (strcmp(from, wrong->from) == 0 && strcmp(to, wrong->to) == 0) {
            printf("not tested on glibc: %s -> %s%s: %s\n", from, to,
                   wrong->only_errors ? ", malformed input" : "", wrong->reason);
            return wrong;
        }
    }
    return NULL;
}

static void all_pairs(struct tester *t, struct extent extent) {
    size_t pairs = 0, without = 0;
    for (size_t i = 0; i < CHARSET_COUNT; i++) {
        for (size_t j = 0; j < CHARSET_COUNT; j++) {
            const struct charset *from = &CHARSETS[i], *to = &CHARSETS[j];
            if (to->big_mark) {
                continue; /* the same as an output */
            }
            bool utf8 = from->form == UTF_8 || to->form == UTF_8;
            if (!utf8 && (i * CHARSET_COUNT + j) % extent.one_in != 0) {
                continue;
            }
            const struct wrong *wrong = on_glibc ? wrong_in_glibc(from->name, to->name) : NULL;
            if (wrong != NULL && !wrong->only_errors) {
                continue;
            }
            extent.no_errors = wrong != NULL;
            if (check_pair(t, from, to, extent)) {
                pairs++;
            } else {
                without++;
            }
        }
    }
    printf("%s: %zu pairs; %zu have only ASCII in common\n",
           t->side == AT_END ? "buffers at the end of a page" : "buffers at the start of a page",
           pairs, without);
}

static void *one_thread(void *argument) {
    struct tester *t = argument;
    const struct charset *utf8 = NULL;
    for (size_t i = 0; i < CHARSET_COUNT; i++) {
        utf8 = CHARSETS[i].form == UTF_8 ? &CHARSETS[i] : utf8;
    }
    struct extent extent = {.one_in = 16};
    for (size_t i = 0; i < CHARSET_COUNT; i++) {
        check_pair(t, &CHARSETS[i], utf8, extent);
        if (!CHARSETS[i].big_mark) {
            check_pair(t, utf8, &CHARSETS[i], extent);
        }
    }
    return NULL;
}

/* Threads with descriptors of their own. */
static void threads(struct tester *total) {
    static struct tester testers[THREADS];
    pthread_t ids[THREADS];
    for (int i = 0; i < THREADS; i++) {
        tester_init(&testers[i]);
        testers[i].on_glibc = on_glibc;
        if (pthread_create(&ids[i], NULL, one_thread, &testers[i]) != 0) {
            perror("pthread_create");
            exit(2);
        }
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(ids[i], NULL);
        total->checks += testers[i].checks;
        total->calls += testers[i].calls;
        total->failures += testers[i].failures;
        tester_free(&testers[i]);
    }
    printf("%d threads\n", THREADS);
}

/* Fails if another library answers than the one to be tested. */
static void require_library(const char *name) {
    Dl_info info;
    union {
        iconv_t (*function)(const char *, const char *);
        void *address;
    } open = {iconv_open};
    if (dladdr(open.address, &info) == 0 || info.dli_fname == NULL) {
        printf("the library of iconv_open is unknown; it is taken for %s\n", name);
        return;
    }
    printf("iconv_open is in %s\n", info.dli_fname);
    bool libc = strstr(info.dli_fname, "libc.so") != NULL || strstr(info.dli_fname, "ld-musl");
    if (libc != on_glibc) {
        printf("FAIL: the library to be tested is %s\n", name);
        exit(2);
    }
}

int main(int argc, char **argv) {
    struct extent extent = {.one_in = 1};
    if (argc == 4 && strcmp(argv[2], "--every") == 0) {
        extent.one_in = (unsigned)strtoul(argv[3], NULL, 10);
    }
    bool usage = (argc == 2 || argc == 4) && extent.one_in > 0;
    on_glibc = usage && strcmp(argv[1], "glibc") == 0;
    if (!usage || (!on_glibc && strcmp(argv[1], "textcodec") != 0)) {
        fprintf(stderr, "usage: %s glibc|textcodec [--every N]\n", argv[0]);
        return 2;
    }
    require_library(argv[1]);
    report_faults();
    struct tester t;
    tester_init(&t);
    t.on_glibc = on_glibc;
    for (int side = AT_END; side <= AT_START; side++) {
        t.side = (enum side)side;
        details(&t);
        all_pairs(&t, extent);
    }
    if (extent.one_in == 1) {
        threads(&t);
    }
    tester_free(&t);
    printf("%lu calls, %lu checks, %lu failures\n", t.calls, t.checks, t.failures);
    return t.failures == 0 ? 0 : 1;
}
