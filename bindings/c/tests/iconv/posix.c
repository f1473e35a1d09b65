/* The functions of textcodec/iconv.h where they differ from those of glibc: see POSIX.1-2024. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <textcodec/iconv.h>

static size_t failures = 0;

#define CHECK(condition) check(condition, #condition, __LINE__)

static void check(bool condition, const char *text, int line) {
    if (!condition) {
        failures++;
        fprintf(stderr, "posix.c:%d: %s is false\n", line, text);
    }
}

/* "3", a malformed byte, two characters that ISO-8859-1 lacks, and one that it has. */
static const char TEXT[] = "3\xD4\xE2\x84\x83\xD0\x96\xC3\x9F";

/* Converts TEXT. Returns what iconv returns. */
static size_t convert(iconv_t cd, size_t *left, char output[16]) {
    char input[sizeof TEXT], *in = input, *out = output;
    memcpy(input, TEXT, sizeof TEXT);
    size_t room = 16;
    *left = sizeof TEXT - 1;
    memset(output, 0, 16);
    errno = 0;
    return iconv(cd, &in, left, &out, &room);
}

/* Characters that are skipped because they are unmappable are counted, and malformed bytes are not. */
static void test_counts(void) {
    size_t left;
    char output[16];
    iconv_t cd = iconv_open("ISO-8859-1//IGNORE", "UTF-8");
    CHECK(convert(cd, &left, output) == 2 && left == 0 && strcmp(output, "3\xDF") == 0);
    iconv_close(cd);
    cd = iconv_open("ISO-8859-1//IGNORE//TRANSLIT", "UTF-8");
    CHECK(convert(cd, &left, output) == 2 && left == 0 && strcmp(output, "3\xB0" "CZh\xDF") == 0);
    iconv_close(cd);
    cd = iconv_open("ISO-8859-1//NON_IDENTICAL_DISCARD", "UTF-8");
    CHECK(convert(cd, &left, output) == (size_t)-1 && errno == EILSEQ && left == sizeof TEXT - 2);
    iconv_close(cd);
}

/* The requests of iconvctl set and get the same options. */
static void test_requests(void) {
    size_t left;
    char output[16];
    iconv_t cd = iconv_open("ISO-8859-1", "UTF-8");
    int value = 1;
    CHECK(iconvctl(cd, ICONV_SET_DISCARD_NON_IDENTICAL, &value) == 0);
    CHECK(iconvctl(cd, ICONV_GET_DISCARD_ILSEQ, &value) == 0 && value == 0);
    value = 1;
    CHECK(iconvctl(cd, ICONV_SET_DISCARD_INVALID, &value) == 0);
    CHECK(iconvctl(cd, ICONV_GET_DISCARD_ILSEQ, &value) == 0 && value == 1);
    CHECK(iconvctl(cd, ICONV_GET_TRANSLITERATE, &value) == 0 && value == 0);
    CHECK(iconvctl(cd, ICONV_TRIVIALP, &value) == 0 && value == 0);
    CHECK(convert(cd, &left, output) == 2 && left == 0 && strcmp(output, "3\xDF") == 0);
    CHECK(iconvctl(cd, 99, &value) == -1 && errno == EINVAL);
    CHECK(iconvctl(cd, ICONV_TRIVIALP, NULL) == -1 && errno == EINVAL);
    iconv_close(cd);
}

/* Counts the names, each of which must open. */
static int open_each(unsigned int count, const char *const *names, void *data) {
    for (unsigned int i = 0; i < count; i++) {
        iconv_t cd = iconv_open("UTF-8", names[i]);
        CHECK(cd != (iconv_t)-1);
        CHECK(cd == (iconv_t)-1 || iconv_close(cd) == 0);
    }
    *(size_t *)data += count;
    return 0;
}

static void test_names(void) {
    size_t count = 0;
    iconvlist(open_each, &count);
    CHECK(count > 400);
    CHECK(strcmp(iconv_canonicalize("latin1"), "ISO-8859-1") == 0);
    CHECK(strcmp(iconv_canonicalize("no such name"), "no such name") == 0);
    errno = 0;
    CHECK(iconv_open("UTF-8", "EBCDIC-US") == (iconv_t)-1 && errno == EINVAL);
}

int main(void) {
    test_counts();
    test_requests();
    test_names();
    printf("textcodec/iconv.h: %zu failures\n", failures);
    return failures > 0;
}
