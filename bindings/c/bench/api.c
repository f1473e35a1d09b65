/*
 * Compares the C library with the same calls in Rust, interleaved in one process. Prints the
 * nanoseconds of a conversion: medians over the rounds of the times, differences and ratios.
 * Takes the number of rounds.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <textcodec.h>

double rust_run(int32_t operation, int32_t encoding, const uint8_t *bytes, size_t length,
                void *text, size_t count);

/* The destination of both, because its address has an effect. */
static union {
    char text[3 * 4096 + 64];
    char16_t units[4096 + 64];
    _Alignas(64) char aligned;
} to;

enum { DECODE, DECODE_UTF16, ENCODE, ENCODE_VALIDATED, WHOLE, MOST = 101 };
static const char *const names[] = {"decoder_to_utf8", "decoder_to_utf16",
                                    "encoder_from_utf8, Rust without validation",
                                    "encoder_from_utf8, Rust with validation",
                                    "decode, a whole input"};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double c_run(int operation, textcodec_encoding encoding, const uint8_t *bytes, size_t length,
                    size_t count) {
    textcodec_decoder_storage decoder_storage;
    textcodec_encoder_storage encoder_storage;
    textcodec_decoder *decoder;
    textcodec_encoder *encoder;
    textcodec_decoder_init(&decoder_storage, encoding, NULL, &decoder);
    textcodec_encoder_init(&encoder_storage, encoding, NULL, &encoder);
    double start = now();
    for (size_t i = 0; i < count; i++) {
        size_t read = length, written = 3 * length + 64;
        textcodec_status status;
        char *whole;
        switch (operation) {
        case DECODE:
            status = textcodec_decoder_to_utf8(decoder, bytes, &read, to.text, &written, true,
                                               NULL);
            break;
        case DECODE_UTF16:
            written = length + 64;
            status = textcodec_decoder_to_utf16(decoder, bytes, &read, to.units, &written, true,
                                                NULL);
            break;
        case WHOLE:
            status = textcodec_decode(encoding, bytes, length, NULL, &whole, &written, NULL);
            textcodec_free(whole);
            break;
        default:
            status = textcodec_encoder_from_utf8(encoder, (const char *)bytes, &read, to.text,
                                                 &written, true, NULL);
        }
        if (status != TEXTCODEC_OK || read != length) {
            abort();
        }
    }
    return (now() - start) / (double)count;
}

static int ascending(const void *a, const void *b) {
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static double median(double *numbers, size_t count) {
    qsort(numbers, count, sizeof *numbers, ascending);
    return numbers[count / 2];
}

static void compare(int operation, textcodec_encoding encoding, const char *pattern, size_t length,
                    size_t rounds) {
    static uint8_t bytes[4096];
    size_t period = strlen(pattern);
    for (size_t i = 0; i < length; i++) {
        /* Whole patterns, then spaces. */
        bytes[i] = i / period < length / period ? (uint8_t)pattern[i % period] : ' ';
    }
    size_t count = length < 100 ? 200000 : 4000;
    double c[MOST], rust[MOST], differences[MOST], ratios[MOST];
    for (size_t i = 0; i < rounds; i++) {
        /* The order alternates, so that neither is always the first. */
        if (i % 2 == 0) {
            c[i] = c_run(operation, encoding, bytes, length, count);
        }
        rust[i] = rust_run(operation, encoding, bytes, length, &to, count);
        if (i % 2 == 1) {
            c[i] = c_run(operation, encoding, bytes, length, count);
        }
        differences[i] = c[i] - rust[i];
        ratios[i] = c[i] / rust[i];
    }
    printf("%4zu B  %-12s  C %8.1f ns  Rust %8.1f ns  difference %6.1f ns  ratio %.3f  %s\n",
           length, textcodec_encoding_name(encoding), median(c, rounds), median(rust, rounds),
           median(differences, rounds), median(ratios, rounds), names[operation]);
}

int main(int count, char **arguments) {
    size_t rounds = count > 1 ? strtoul(arguments[1], NULL, 10) : 31;
    rounds = rounds < 1 ? 1 : rounds > MOST ? MOST : rounds;
    const size_t lengths[] = {16, 4096};
    for (size_t i = 0; i < 2; i++) {
        size_t n = lengths[i];
        for (int operation = DECODE; operation <= DECODE_UTF16; operation++) {
            compare(operation, TEXTCODEC_WINDOWS_1252, "plain text. ", n, rounds);
            compare(operation, TEXTCODEC_WINDOWS_1252, "caf\xE9 cr\xE8me", n, rounds);
            compare(operation, TEXTCODEC_SHIFT_JIS, "\x93\xFA\x96{\x8C\xEA!", n, rounds);
            compare(operation, TEXTCODEC_UTF_8, "na\xC3\xAFve \xE2\x82\xAC ", n, rounds);
        }
        for (int operation = ENCODE; operation <= ENCODE_VALIDATED; operation++) {
            compare(operation, TEXTCODEC_WINDOWS_1252, "plain text. ", n, rounds);
            compare(operation, TEXTCODEC_WINDOWS_1252, "na\xC3\xAFve \xE2\x82\xAC ", n, rounds);
            compare(operation, TEXTCODEC_SHIFT_JIS, "\xE6\x97\xA5\xE6\x9C\xAC ", n, rounds);
        }
        compare(WHOLE, TEXTCODEC_WINDOWS_1252, "caf\xE9 cr\xE8me", n, rounds);
        compare(WHOLE, TEXTCODEC_SHIFT_JIS, "\x93\xFA\x96{\x8C\xEA!", n, rounds);
        compare(WHOLE, TEXTCODEC_UTF_8, "na\xC3\xAFve \xE2\x82\xAC ", n, rounds);
    }
    return 0;
}
