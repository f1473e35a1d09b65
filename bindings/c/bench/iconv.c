/* Compares the speed of iconv() in several libraries, in one run with interleaved rounds.

   iconv CORPUS NAME=PATH...

   CORPUS is a folder with the files ar.txt, de.txt, el.txt, ja.txt, ko.txt, ru.txt, zh_cn.txt and
   zh_tw.txt in UTF-8. The first library is compared with the others; the C library's own iconv is
   always one of them, and ICU, if the program is compiled with -DWITH_ICU. musl's iconv is left out:
   it would need a process of its own, and cannot encode most of these encodings.

   Prints tables in Markdown. */
#include <malloc.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine.h"

enum { ENGINES = 6, ROUNDS = 25, LARGEST = 1 << 20, ROOM = 8 * LARGEST, NS_A_BATCH = 400000 };

static const struct {
    const char *name, *file;
} ENCODINGS[] = {
    {"UTF-8", "ja"},         {"UTF-16LE", "ja"},     {"UTF-16BE", "ja"},     {"UTF-32LE", "ja"},
    {"ISO-8859-1", "de"},    {"ISO-8859-2", "de"},   {"ISO-8859-7", "el"},   {"WINDOWS-1250", "de"},
    {"WINDOWS-1251", "ru"},  {"WINDOWS-1252", "de"}, {"WINDOWS-1253", "el"}, {"WINDOWS-1256", "ar"},
    {"KOI8-R", "ru"},        {"KOI8-U", "ru"},       {"SHIFT_JIS", "ja"},    {"EUC-JP", "ja"},
    {"ISO-2022-JP", "ja"},   {"GBK", "zh_cn"},       {"GB18030", "zh_cn"},   {"BIG5", "zh_tw"},
    {"EUC-KR", "ko"},
};
enum { COUNT = sizeof ENCODINGS / sizeof *ENCODINGS, SIZES = 3 };
static const size_t SIZE[SIZES] = {100, 4096, LARGEST};
static const char *const SIZE_NAME[SIZES] = {"100 B", "4 KiB", "1 MiB"};

static struct engine engines[ENGINES];
static size_t engine_count;
static char *buffers[ENGINES];

/* The ratio of the first library's speed to that of the best other, and to glibc's. */
static double best_ratio[COUNT][2][SIZES], glibc_ratio[COUNT][2][SIZES];

static void fail(const char *what, const char *detail) {
    fprintf(stderr, "%s: %s\n", what, detail);
    exit(2);
}

static void *allocate(size_t len) {
    void *block = malloc(len);
    if (block == NULL) {
        fail("malloc", "no memory");
    }
    return block;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, size_t count) {
    qsort(values, count, sizeof *values, by_value);
    return values[count / 2];
}

static char *read_file(const char *folder, const char *name, size_t *len) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.txt", folder, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fail(path, "cannot be opened");
    }
    char *text = allocate(LARGEST);
    *len = fread(text, 1, LARGEST, file);
    fclose(file);
    return text;
}

static size_t character_len(const char *text) {
    unsigned char lead = (unsigned char)*text;
    return lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

/* Removes what an encoding lacks, and repeats the text up to `size` bytes, which end after a
   character. */
static size_t prepare(const char *text, size_t len, const char *name, char *to, size_t size) {
    const struct engine *glibc = &engines[1];
    void *cd = glibc->open(glibc, name, "UTF-8");
    if (cd == NULL) {
        fail("glibc has no such encoding", name);
    }
    char *kept = allocate(len);
    size_t kept_len = 0;
    for (size_t at = 0; at < len;) {
        size_t n = character_len(text + at);
        char out[32];
        if (glibc->convert(glibc, cd, text + at, n, out, sizeof out) != (size_t)-1) {
            memcpy(kept + kept_len, text + at, n);
            kept_len += n;
        }
        at += n;
    }
    glibc->close(glibc, cd);
    size_t used = 0;
    for (size_t at = 0;; at = at == kept_len ? 0 : at) {
        size_t n = character_len(kept + at);
        if (used + n > size) {
            break;
        }
        memcpy(to + used, kept + at, n);
        used += n;
        at += n;
    }
    free(kept);
    return used;
}

/* Measures all libraries. Stores the medians of nanoseconds per call in `times`, or 0. */
static void measure(const char *to, const char *from, const char *in, size_t len, double *times) {
    static double samples[ENGINES][ROUNDS];
    void *converters[ENGINES];
    size_t batch[ENGINES], lens[ENGINES];
    for (size_t e = 0; e < engine_count; e++) {
        const struct engine *engine = &engines[e];
        batch[e] = 0;
        converters[e] = engine->open(engine, to, from);
        if (converters[e] == NULL) {
            printf("- %s does not convert %s to %s\n", engine->name, from, to);
            continue;
        }
        lens[e] = engine->convert(engine, converters[e], in, len, buffers[e], ROOM);
        if (lens[e] == (size_t)-1) {
            printf("- %s fails for %s to %s, %zu bytes\n", engine->name, from, to, len);
            continue;
        }
        if (batch[0] > 0 && (lens[e] != lens[0] || memcmp(buffers[e], buffers[0], lens[e]) != 0)) {
            size_t at = 0;
            while (at < lens[e] && at < lens[0] && buffers[e][at] == buffers[0][at]) {
                at++;
            }
            printf("- %s differs for %s to %s, %zu bytes: %zu and %zu bytes of output, at %zu\n",
                   engine->name, from, to, len, lens[e], lens[0], at);
        }
        double start = now();
        engine->convert(engine, converters[e], in, len, buffers[e], ROOM);
        double once = now() - start;
        batch[e] = once > NS_A_BATCH ? 1 : (size_t)(NS_A_BATCH / (once + 20)) + 1;
    }
    for (size_t round = 0; round < ROUNDS; round++) {
        for (size_t e = 0; e < engine_count; e++) {
            const struct engine *engine = &engines[e];
            double start = now();
            for (size_t i = 0; i < batch[e]; i++) {
                engine->convert(engine, converters[e], in, len, buffers[e], ROOM);
            }
            samples[e][round] = batch[e] > 0 ? (now() - start) / (double)batch[e] : 0;
        }
    }
    for (size_t e = 0; e < engine_count; e++) {
        times[e] = median(samples[e], ROUNDS);
        if (converters[e] != NULL) {
            engines[e].close(&engines[e], converters[e]);
        }
    }
}

static void compare(size_t encoding, size_t direction, size_t size, const double *times) {
    double best = 0;
    for (size_t e = 1; e < engine_count; e++) {
        if (times[e] > 0 && (best <= 0 || times[e] < best)) {
            best = times[e];
        }
    }
    best_ratio[encoding][direction][size] = times[0] > 0 ? best / times[0] : 0;
    glibc_ratio[encoding][direction][size] = times[0] > 0 ? times[1] / times[0] : 0;
}

static double geometric_mean(double ratios[COUNT][2][SIZES], size_t size, double *least) {
    double sum = 0;
    size_t count = 0;
    *least = INFINITY;
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t d = 0; d < 2; d++) {
            double ratio = ratios[i][d][size];
            if (ratio > 0) {
                sum += log(ratio);
                count++;
                *least = ratio < *least ? ratio : *least;
            }
        }
    }
    return exp(sum / (double)count);
}

static void print_ratios(void) {
    printf("\nRatio of speeds: %s to the best of the others\n\n", engines[0].name);
    printf("| encoding | to, 100 B | from, 100 B | to, 4 KiB | from, 4 KiB | to, 1 MiB | "
           "from, 1 MiB |\n|---|--:|--:|--:|--:|--:|--:|\n");
    for (size_t i = 0; i < COUNT; i++) {
        printf("| %s |", ENCODINGS[i].name);
        for (size_t s = 0; s < SIZES; s++) {
            printf(" %.2f | %.2f |", best_ratio[i][0][s], best_ratio[i][1][s]);
        }
        putchar('\n');
    }
    printf("\n| size | to glibc | least | to the best | least |\n|---|--:|--:|--:|--:|\n");
    for (size_t s = 0; s < SIZES; s++) {
        double least_glibc, least_best;
        double glibc = geometric_mean(glibc_ratio, s, &least_glibc);
        double best = geometric_mean(best_ratio, s, &least_best);
        printf("| %s | %.2f | %.2f | %.2f | %.2f |\n", SIZE_NAME[s], glibc, least_glibc, best,
               least_best);
    }
    printf("\nBelow 0.97 of the best:");
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t d = 0; d < 2; d++) {
            for (size_t s = 0; s < SIZES; s++) {
                if (best_ratio[i][d][s] < 0.97) {
                    printf(" %s %s, %s (%.2f);", d == 0 ? "to" : "from", ENCODINGS[i].name,
                           SIZE_NAME[s], best_ratio[i][d][s]);
                }
            }
        }
    }
    putchar('\n');
}

/* One character a call, opening and closing, and memory. */
static void print_small(const char *text, size_t len) {
    static const char *const names[] = {"UTF-16LE", "UTF-32LE",  "WINDOWS-1251",
                                        "KOI8-R",   "SHIFT_JIS", "GBK"};
    static size_t ends[4096];
    static char short_text[4096];
    printf("\n| library | encoding | one character a call, ns | open and close, ns | "
           "bytes of a descriptor |\n|---|---|--:|--:|--:|\n");
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        size_t used = prepare(text, len, names[n], short_text, sizeof short_text), count = 0;
        for (size_t at = 0; at < used;) {
            at += character_len(short_text + at);
            ends[count++] = at;
        }
        static double single[ENGINES][ROUNDS], opening[ENGINES][ROUNDS];
        for (size_t round = 0; round < ROUNDS; round++) {
            for (size_t e = 0; e < engine_count; e++) {
                const struct engine *engine = &engines[e];
                void *converter = engine->open(engine, names[n], "UTF-8");
                double start = now();
                for (int i = 0; i < 10; i++) {
                    engine->single(engine, converter, short_text, ends, count, buffers[e], ROOM);
                }
                single[e][round] = (now() - start) / 10 / (double)count;
                start = now();
                for (int i = 0; i < 500; i++) {
                    engine->close(engine, engine->open(engine, names[n], "UTF-8"));
                }
                opening[e][round] = (now() - start) / 500;
                engine->close(engine, converter);
            }
        }
        for (size_t e = 0; e < engine_count; e++) {
            enum { MANY = 64 };
            void *converters[MANY];
            size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
            for (size_t i = 0; i < MANY; i++) {
                converters[i] = engines[e].open(&engines[e], names[n], "UTF-8");
            }
            size_t used_bytes = mallinfo2().uordblks + mallinfo2().hblkhd - before;
            for (size_t i = 0; i < MANY; i++) {
                engines[e].close(&engines[e], converters[i]);
            }
            printf("| %s | %s | %.1f | %.0f | %zu |\n", engines[e].name, names[n],
                   median(single[e], ROUNDS), median(opening[e], ROUNDS), used_bytes / MANY);
        }
    }
}

int main(int argc, char **argv) {
    if (argc < 3 || strchr(argv[2], '=') == NULL) {
        fprintf(stderr, "usage: %s CORPUS NAME=PATH...\n", argv[0]);
        return 2;
    }
    for (int i = 2; i < argc && engine_count < ENGINES - 2; i++) {
        char *path = strchr(argv[i], '=');
        if (path == NULL) {
            fail(argv[i], "is not NAME=PATH");
        }
        *path = 0;
        engines[engine_count++] = load_iconv(argv[i], path + 1);
        if (engine_count == 1) {
            engines[engine_count++] = load_iconv("glibc", "libc.so.6");
        }
    }
#ifdef WITH_ICU
    engines[engine_count++] = load_icu();
#endif
    for (size_t e = 0; e < engine_count; e++) {
        buffers[e] = allocate(ROOM);
    }
    char *utf8 = allocate(LARGEST), *encoded = allocate(ROOM);
    for (size_t i = 0; i < COUNT; i++) {
        size_t len;
        char *text = read_file(argv[1], ENCODINGS[i].file, &len);
        const char *name = ENCODINGS[i].name;
        for (size_t s = 0; s < SIZES; s++) {
            double times[ENGINES];
            size_t used = prepare(text, len, name, utf8, SIZE[s]);
            measure(name, "UTF-8", utf8, used, times);
            compare(i, 0, s, times);
            void *cd = engines[1].open(&engines[1], name, "UTF-8");
            size_t encoded_len = engines[1].convert(&engines[1], cd, utf8, used, encoded, ROOM);
            engines[1].close(&engines[1], cd);
            measure("UTF-8", name, encoded, encoded_len, times);
            compare(i, 1, s, times);
        }
        free(text);
        fflush(stdout);
    }
    print_ratios();
    size_t len;
    char *text = read_file(argv[1], "ru", &len);
    print_small(text, len);
    return 0;
}
