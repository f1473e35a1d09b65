/*
 * Runs a fuzz target without a fuzzer: `PROGRAM SECONDS SEED` with pseudo-random inputs, or
 * `PROGRAM --hex INPUT` with one input. Half of the inputs are text in the form that the target
 * reads, most of it then damaged. The other half are bytes of no meaning.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fuzz.h"

enum { CAPACITY = HEADER + MAX_PAYLOAD, MAX_TEXT = 2048 };

static uint8_t input[CAPACITY];
static size_t input_length;
static unsigned long long seed, number;

/* Defined by sanitizers. */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static void print_input(void) {
    fprintf(stderr, "\nseed %llu, input %llu; run it again with --hex ", seed, number);
    for (size_t i = 0; i < input_length; i++) {
        fprintf(stderr, "%02X", input[i]);
    }
    fputc('\n', stderr);
}

static void on_abort(int signal_number) {
    print_input();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* Characters that are near each other, or have a special place in an encoding. */
static const struct range {
    uint32_t first, last;
} RANGES[] = {
    {0x20, 0x7E},       {0, 0x7F},          {0x80, 0xFF},       {0x100, 0x24F},
    {0x2C6, 0x323},     {0x370, 0x3FF},     {0x400, 0x45F},     {0x490, 0x491},
    {0x5D0, 0x5EA},     {0x600, 0x6FF},     {0xE01, 0xE5B},     {0x1E00, 0x1EFF},
    {0x2010, 0x2044},   {0x20AC, 0x20AC},   {0x2100, 0x22FF},   {0x2460, 0x25FF},
    {0x3000, 0x3020},   {0x3041, 0x30FF},   {0x3105, 0x3129},   {0x3220, 0x33FF},
    {0x4E00, 0x9FFF},   {0x4E00, 0x4FFF},   {0xAC00, 0xD7A3},   {0xE000, 0xF8FF},
    {0xE5E5, 0xE864},   {0xF900, 0xFAFF},   {0xFB00, 0xFDFF},   {0xFE10, 0xFE6F},
    {0xFEFF, 0xFEFF},   {0xFF01, 0xFFE6},   {0xFF61, 0xFF9F},   {0xFFFD, 0xFFFF},
    {0x1F300, 0x1F64F}, {0x20000, 0x2A6D6}, {0x10000, 0x10FFFF}, {0x10FFFF, 0x10FFFF},
};

/* Two characters that are one sequence of Big5. */
static const uint32_t PAIRS[][2] = {
    {0xCA, 0x304}, {0xCA, 0x30C}, {0xEA, 0x304}, {0xEA, 0x30C}};

static size_t random_length(struct random *random, size_t limit) {
    size_t length = random_one_in(random, 12) ? random_below(random, limit)
                                              : random_below(random, 40);
    return length < limit ? length : limit;
}

static size_t random_text(struct random *random, uint32_t *text) {
    size_t length = random_length(random, MAX_TEXT), at = 0;
    while (at < length) {
        const struct range *range = &RANGES[random_below(random, sizeof RANGES / sizeof *RANGES)];
        size_t run = 1 + random_below(random, random_one_in(random, 4) ? 80 : 6);
        if (random_one_in(random, 12)) {
            for (; run > 0 && length - at >= 2; run--, at += 2) {
                memcpy(text + at, PAIRS[random_below(random, 4)], 2 * sizeof *text);
            }
            text[at] = 'y';
            at += at < length;
            continue;
        }
        for (; run > 0 && at < length; run--) {
            uint32_t c = range->first +
                         (uint32_t)random_below(random, range->last - range->first + 1);
            text[at++] = c >= 0xD800 && c < 0xE000 ? 'x' : c;
        }
    }
    return length;
}

/* A byte that means something in many encodings, or any. */
static uint8_t random_byte(struct random *random) {
    static const uint8_t SPECIAL[] = {0x00, 0x1B, '$', '(', 'B', 'J', '+', '-', '0', '~', 0x5C,
                                      0x7F, 0x80, 0x81, 0x8E, 0x8F, 0xA0, 0xBF, 0xD8, 0xDC,
                                      0xE0, 0xED, 0xEF, 0xF4, 0xFE, 0xFF};
    if (random_one_in(random, 2)) {
        return SPECIAL[random_below(random, sizeof SPECIAL)];
    }
    return (uint8_t)random_next(random);
}

/* Inserts, removes, changes and moves bytes of the payload. */
static void damage(struct random *random) {
    for (size_t count = random_below(random, 5); count > 0; count--) {
        uint8_t *payload = input + HEADER;
        size_t length = input_length - HEADER, at = random_below(random, length + 1);
        size_t rest = length - at;
        switch (random_below(random, 5)) {
        case 0:
            if (input_length < CAPACITY) {
                memmove(payload + at + 1, payload + at, rest);
                payload[at] = random_byte(random);
                input_length++;
            }
            break;
        case 1:
            if (rest > 0) {
                memmove(payload + at, payload + at + 1, rest - 1);
                input_length--;
            }
            break;
        case 2:
            if (rest > 0) {
                payload[at] = random_byte(random);
            }
            break;
        case 3:
            if (rest > 0 && random_one_in(random, 4)) {
                input_length -= random_below(random, rest) + 1;
            }
            break;
        default:
            if (rest > 0) {
                size_t from = random_below(random, length), run = random_below(random, 12);
                run = run < rest ? run : rest;
                run = run < length - from ? run : length - from;
                memmove(payload + at, payload + from, run);
            }
        }
    }
}

static void make_input(struct random *random) {
    static uint32_t text[MAX_TEXT + 1];
    for (int i = 0; i < HEADER; i++) {
        input[i] = (uint8_t)(random_next(random) >> 24);
    }
    if (random_one_in(random, 2)) {
        size_t length = random_text(random, text);
        input_length =
            HEADER + target_text(input, text, length, input + HEADER, MAX_PAYLOAD);
        if (!random_one_in(random, 4)) {
            damage(random);
        }
        return;
    }
    input_length = HEADER + random_length(random, MAX_PAYLOAD);
    bool special = random_one_in(random, 2);
    for (size_t i = HEADER; i < input_length; i++) {
        input[i] = special ? random_byte(random) : (uint8_t)(random_next(random) >> 24);
    }
}

static int run_hex(const char *hex) {
    for (; hex[0] != 0 && hex[1] != 0 && input_length < CAPACITY; hex += 2) {
        char digits[3] = {hex[0], hex[1], 0};
        input[input_length++] = (uint8_t)strtoul(digits, NULL, 16);
    }
    LLVMFuzzerTestOneInput(input, input_length);
    printf("the input passes\n");
    return 0;
}

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: %s SECONDS SEED | --hex INPUT\n", argv[0]);
        return 2;
    }
    signal(SIGABRT, on_abort);
    if (__sanitizer_set_death_callback != NULL) {
        __sanitizer_set_death_callback(print_input);
    }
    LLVMFuzzerInitialize(&argc, &argv);
    if (strcmp(argv[1], "--hex") == 0) {
        return run_hex(argv[2]);
    }
    double end = seconds_now() + strtod(argv[1], NULL);
    seed = strtoull(argv[2], NULL, 10);
    struct random random = random_new(seed);
    for (number = 0; number % 64 != 0 || seconds_now() < end; number++) {
        make_input(&random);
        LLVMFuzzerTestOneInput(input, input_length);
    }
    printf("%s: seed %llu, %llu inputs, %lu calls, %lu errors, %lu full, %lu comparisons\n",
           argv[0], seed, number, counts.calls, counts.errors, counts.full, counts.compared);
    if (counts.errors == 0 || counts.full == 0 || counts.compared < number / 4) {
        fprintf(stderr, "%s: most inputs have tested nothing\n", argv[0]);
        return 1;
    }
    return 0;
}
