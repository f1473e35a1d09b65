/* The functions of the library for iconv that take a name, and the names that it lists. A line has the canonical name of what
   iconv_open makes of it, and of what iconv_canonicalize makes of it. */
#include <errno.h>
#include <iconv.h>

#include "lines.h"

iconv_t libiconv_open(const char *to, const char *from);
void libiconvlist(int (*each)(unsigned count, const char *const *names, void *data), void *data);
const char *iconv_canonicalize(const char *name);

enum { RESULT = 32 };

/* Converts a few bytes, and writes the result and the kind of error to a buffer. */
static void convert(iconv_t cd, const char *bytes, size_t length, char result[RESULT]) {
    char input[4], *in = input, *out = result + 1;
    size_t left = length, room = RESULT - 1;
    memcpy(input, bytes, length);
    memset(result, 0, RESULT);
    iconv(cd, NULL, NULL, NULL, NULL);
    errno = 0;
    size_t status = iconv(cd, &in, &left, &out, &room);
    result[0] = (char)(status == (size_t)-1 ? errno : 0);
}

/* Compares what two descriptors make of bytes and pairs of bytes. */
static bool same(iconv_t one, iconv_t other) {
    for (unsigned byte = 0; byte < 0x100; byte++) {
        char bytes[2] = {(char)byte, (char)0xA9}, results[2][RESULT];
        for (size_t length = 1; length <= 2; length++) {
            convert(one, bytes, length, results[0]);
            convert(other, bytes, length, results[1]);
            if (memcmp(results[0], results[1], RESULT) != 0) {
                return false;
            }
        }
    }
    return true;
}

static void close_open(iconv_t cd) {
    if (cd != (iconv_t)-1) {
        iconv_close(cd);
    }
}

static void check(const struct line *line) {
    char *name = malloc(line->length + 1);
    if (name == NULL) {
        abort();
    }
    memcpy(name, line->name, line->length);
    name[line->length] = 0;
    const char *canonical = line->words[1][0] == '-' ? name : line->words[1];
    if (strcmp(iconv_canonicalize(name), canonical) != 0) {
        fail(line, "iconv_canonicalize");
    }
    bool known = line->words[0][0] != '-';
    static iconv_t (*const open[])(const char *, const char *) = {iconv_open, libiconv_open};
    for (size_t i = 0; i < 2; i++) {
        errno = 0;
        iconv_t from = open[i]("UTF-8", name), to = open[i](name, "UTF-8");
        if ((from != (iconv_t)-1) != known || (to != (iconv_t)-1) != known ||
            (!known && errno != EINVAL)) {
            fail(line, i == 0 ? "iconv_open" : "libiconv_open");
        } else if (known) {
            iconv_t expected_from = open[i]("UTF-8", line->words[0]);
            iconv_t expected_to = open[i](line->words[0], "UTF-8");
            if (!same(from, expected_from) || !same(to, expected_to)) {
                fail(line, "a conversion");
            }
            close_open(expected_from);
            close_open(expected_to);
        }
        close_open(from);
        close_open(to);
    }
    free(name);
}

/* The listed names of an encoding all mean the same. */
static int check_listed(unsigned count, const char *const *names, void *data) {
    *(unsigned *)data += count;
    for (unsigned i = 0; i < count; i++) {
        struct line line = {(char *)(size_t)names[i], strlen(names[i]), {"a listed name", ""}};
        iconv_t cd = iconv_open("UTF-8", names[i]), first = iconv_open("UTF-8", names[0]);
        if (cd == (iconv_t)-1 || !same(cd, first) ||
            strcmp(iconv_canonicalize(names[i]), iconv_canonicalize(names[0])) != 0) {
            fail(&line, "libiconvlist");
        }
        close_open(cd);
        close_open(first);
    }
    return 0;
}

int main(int count, char **arguments) {
    unsigned listed = 0;
    libiconvlist(check_listed, &listed);
    size_t expected = count > 2 ? strtoul(arguments[2], NULL, 10) : 0;
    if (listed != expected) {
        fprintf(stderr, "libiconvlist lists %u names of %zu\n", listed, expected);
        failures++;
    }
    return for_each_line(count, arguments, check);
}
