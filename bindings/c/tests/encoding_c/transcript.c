/* The program: random numbers, hashes, and the functions of encodings. */

#include "transcript.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const Encoding *encodings[ENCODINGS];

#define NAMES(EACH)                                                                              \
    EACH(BIG5) EACH(EUC_JP) EACH(EUC_KR) EACH(GB18030) EACH(GBK) EACH(IBM866) EACH(ISO_2022_JP)  \
    EACH(ISO_8859_2) EACH(ISO_8859_3) EACH(ISO_8859_4) EACH(ISO_8859_5) EACH(ISO_8859_6)         \
    EACH(ISO_8859_7) EACH(ISO_8859_8) EACH(ISO_8859_8_I) EACH(ISO_8859_10) EACH(ISO_8859_13)     \
    EACH(ISO_8859_14) EACH(ISO_8859_15) EACH(ISO_8859_16) EACH(KOI8_R) EACH(KOI8_U)              \
    EACH(MACINTOSH) EACH(REPLACEMENT) EACH(SHIFT_JIS) EACH(UTF_16BE) EACH(UTF_16LE) EACH(UTF_8)  \
    EACH(WINDOWS_874) EACH(WINDOWS_1250) EACH(WINDOWS_1251) EACH(WINDOWS_1252)                   \
    EACH(WINDOWS_1253) EACH(WINDOWS_1254) EACH(WINDOWS_1255) EACH(WINDOWS_1256)                  \
    EACH(WINDOWS_1257) EACH(WINDOWS_1258) EACH(X_MAC_CYRILLIC) EACH(X_USER_DEFINED)

#define NAME(name) #name "_ENCODING",
const char *const constants[ENCODINGS] = {NAMES(NAME)};

unsigned inputs = 60;
unsigned step = 1;

static uint64_t random_state;

void seed(uint64_t number) {
    random_state = number * 0x9E3779B97F4A7C15 + 0x1234567;
}

uint32_t below(uint32_t limit) {
    /* splitmix64 */
    random_state += 0x9E3779B97F4A7C15;
    uint64_t z = random_state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return (uint32_t)((z ^ (z >> 31)) >> 32) % limit;
}

char32_t random_scalar(void) {
    static const char32_t ranges[][2] = {
        {0x0, 0x7F},       {0x20, 0x7E},      {0x80, 0xFF},      {0x100, 0x24F},
        {0x370, 0x45F},    {0x590, 0x6FF},    {0xE01, 0xE5B},    {0x2010, 0x2040},
        {0x2460, 0x266F},  {0x3041, 0x30FF},  {0x4E00, 0x9FFF},  {0x5000, 0x5FFF},
        {0xAC00, 0xD7A3},  {0xE000, 0xF8FF},  {0xFE00, 0xFFFD},  {0x10000, 0x10FFFF},
        {0x1F300, 0x1F64F}, {0x20000, 0x2A6DF},
    };
    const char32_t *range = ranges[below(sizeof ranges / sizeof *ranges)];
    return range[0] + below((uint32_t)(range[1] - range[0] + 1));
}

size_t put_utf8(uint8_t *to, char32_t c) {
    if (c < 0x80) {
        to[0] = (uint8_t)c;
        return 1;
    }
    size_t len = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = len - 1; i > 0; i--) {
        to[i] = (uint8_t)(0x80 | (c & 0x3F));
        c >>= 6;
    }
    to[0] = (uint8_t)(c | (0xF00 >> len));
    return len;
}

size_t put_utf16(char16_t *to, char32_t c) {
    if (c < 0x10000) {
        to[0] = (char16_t)c;
        return 1;
    }
    to[0] = (char16_t)(0xD7C0 + (c >> 10));
    to[1] = (char16_t)(0xDC00 | (c & 0x3FF));
    return 2;
}

void hash_start(Hash *hash) {
    hash->state = 0xCBF29CE484222325;
}

void hash_bytes(Hash *hash, const void *bytes, size_t len) {
    for (size_t i = 0; i < len; i++) {
        hash->state = (hash->state ^ ((const uint8_t *)bytes)[i]) * 0x100000001B3;
    }
}

void hash_number(Hash *hash, uint64_t number) {
    for (int i = 0; i < 8; i++) {
        uint8_t byte = (uint8_t)(number >> (8 * i));
        hash_bytes(hash, &byte, 1);
    }
}

static void print_hash(const void *bytes, size_t size) {
    Hash hash;
    hash_start(&hash);
    hash_bytes(&hash, bytes, size);
    printf("#%016" PRIx64, hash.state);
}

void print_bytes(const uint8_t *bytes, size_t len) {
    if (len > 64) {
        print_hash(bytes, len);
        return;
    }
    for (size_t i = 0; i < len; i++) {
        printf("%02X", bytes[i]);
    }
}

void print_units(const char16_t *units, size_t len) {
    if (len > 32) {
        print_hash(units, len * sizeof *units);
        return;
    }
    for (size_t i = 0; i < len; i++) {
        printf("%04X", (unsigned)units[i]);
    }
}

/* Returns the constant of an encoding. */
static const char *constant(const Encoding *encoding) {
    if (encoding == NULL) {
        return "none";
    }
    for (size_t i = 0; i < ENCODINGS; i++) {
        if (encodings[i] == encoding) {
            return constants[i];
        }
    }
    return "unknown";
}

static void print_label(const char *label, size_t len) {
    const uint8_t *bytes = (const uint8_t *)label;
    printf("label %.*s: %s %s\n", (int)len, label, constant(encoding_for_label(bytes, len)),
           constant(encoding_for_label_no_replacement(bytes, len)));
}

static void print_labels(const char *path) {
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    static char line[200];
    size_t count = 0;
    while (fgets(line + 2, sizeof line - 3, file) != NULL) {
        char *label = line + 2;
        size_t len = strcspn(label, "\n");
        count++;
        print_label(label, len);
        print_label(label, len - 1);
        label[0] ^= 0x20;
        print_label(label, len);
        label[0] ^= 0x20;
        line[0] = ' ';
        line[1] = '\t';
        label[len] = '\r';
        print_label(line, len + 3);
        line[0] = '\v';
        print_label(line, len + 3);
    }
    fclose(file);
    printf("labels: %zu\n", count);
    print_label("x", 0);
}

/* The three functions that return the length of a prefix, and the byte order mark. */
static void print_prefixes(void) {
    for (unsigned n = 0; n < inputs * 40; n++) {
        uint8_t bytes[300];
        seed(n);
        size_t len = below(300);
        if (n % 4 < 2) {
            memset(bytes, 'a', sizeof bytes);
            if (len > 0) {
                bytes[below((uint32_t)len)] = (uint8_t)below(256);
            }
        } else {
            for (size_t i = 0; i + 4 < sizeof bytes;) {
                i += put_utf8(bytes + i, random_scalar());
            }
            if (n % 4 == 3) {
                bytes[below(sizeof bytes - 4)] = (uint8_t)below(256);
            }
            len = len > 296 ? 296 : len;
        }
        printf("prefix %u: %zu %zu %zu\n", n, encoding_utf8_valid_up_to(bytes, len),
               encoding_ascii_valid_up_to(bytes, len),
               encoding_iso_2022_jp_ascii_valid_up_to(bytes, len));
    }
    static const uint8_t marks[][4] = {
        {0xEF, 0xBB, 0xBF, 'a'}, {0xEF, 0xBB, 0xBE, 'a'}, {0xFE, 0xFF, 0, 'a'},
        {0xFF, 0xFE, 'a', 0},    {0xFE, 0xFE, 0, 0},      {'a', 'b', 'c', 'd'},
    };
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        for (size_t len = 0; len <= 4; len++) {
            size_t bom_len = len;
            const Encoding *encoding = encoding_for_bom(marks[i], &bom_len);
            printf("bom %zu %zu: %s %zu\n", i, len, constant(encoding), bom_len);
        }
    }
}

void print_encodings(const char *labels) {
    for (size_t i = 0; i < ENCODINGS; i++) {
        uint8_t name[ENCODING_NAME_MAX_LENGTH];
        const Encoding *encoding = encodings[i];
        size_t len = encoding_name(encoding, name);
        printf("encoding %s: %.*s %d %d %d %s\n", constants[i], (int)len, (const char *)name,
               encoding_can_encode_everything(encoding), encoding_is_ascii_compatible(encoding),
               encoding_is_single_byte(encoding), constant(encoding_output_encoding(encoding)));
    }
    print_labels(labels);
    print_prefixes();
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: transcript LABELS INPUTS STEP\n");
        return 2;
    }
    inputs = (unsigned)strtoul(argv[2], NULL, 10);
    step = (unsigned)strtoul(argv[3], NULL, 10);
    size_t i = 0;
#define FILL(name) encodings[i++] = name##_ENCODING;
    NAMES(FILL)
    print_encodings(argv[1]);
    print_decoders();
    print_encoders();
    print_mem();
    puts("end");
    return 0;
}
