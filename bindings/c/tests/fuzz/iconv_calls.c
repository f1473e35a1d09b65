#include "iconv.h"

#include <stdio.h>
#include <string.h>

enum {
    /* No character is longer in the input, with the escape sequence before it. */
    LONGEST = 16,
    /* No text is ended by more bytes. */
    CLOSING = 8,
};

const struct set GLIBC = {iconv_open, iconv, iconv_close, true, ""};
const struct set POSIX = {libiconv_open, libiconv, libiconv_close, false, "lib"};

struct outcome call(const struct descriptor *d, const uint8_t *in, size_t length, size_t room,
                    size_t claimed) {
    uint8_t *source = region_copy(SOURCE, in, length);
    uint8_t *destination = region_place(DESTINATION, room);
    char *in_at = (char *)source, *out_at = (char *)destination;
    size_t in_left = length, out_left = claimed;
    errno = 0;
    struct outcome o = {.out = destination};
    o.result = d->set->convert(d->cd, &in_at, &in_left, &out_at, &out_left);
    o.error = o.result == (size_t)-1 ? errno : 0;
    o.read = (size_t)((uint8_t *)in_at - source);
    o.written = (size_t)((uint8_t *)out_at - destination);
    counts.calls++;
    counts.errors += o.error == EILSEQ;
    counts.full += o.error == E2BIG;

    CHECK(o.read <= length && in_left == length - o.read,
          "the input pointer moved by %zu of %zu, and %zu bytes are left", o.read, length, in_left);
    CHECK(o.written <= room && out_left == claimed - o.written,
          "the output pointer moved by %zu of %zu, and %zu bytes are left", o.written, room,
          out_left);
    CHECK(length == 0 || memcmp(source, in, length) == 0, "the input was changed");
    region_check(SOURCE, length);
    region_check(DESTINATION, room);
    for (size_t i = o.written; i < room; i++) {
        CHECK(destination[i] == FILL, "byte %zu after an output of %zu was changed", i, o.written);
    }
    size_t rest = length - o.read;
    switch (o.error) {
    case 0:
        CHECK(o.result <= length && rest == 0, "result %zu, %zu bytes not read", o.result, rest);
        break;
    case E2BIG:
        CHECK(rest > 0, "all input was read, but does not fit");
        CHECK(room < ENOUGH || o.written > 0, "a character does not fit into %zu bytes", room);
        CHECK(room - o.written < ENOUGH, "%zu bytes are left, but not enough", room - o.written);
        break;
    case EINVAL:
        CHECK(rest > 0 && rest <= LONGEST, "an incomplete character of %zu bytes", rest);
        break;
    case EILSEQ:
        CHECK(rest > 0 || (d->skips && d->set->reports_skips), "all input was read");
        break;
    default:
        CHECK(false, "errno is %d", o.error);
    }
    return o;
}

void close_text(const struct descriptor *d, struct log *log) {
    for (size_t room = 0; room <= CLOSING; room++) {
        uint8_t *destination = region_place(DESTINATION, room);
        char *out_at = (char *)destination, *none = NULL;
        size_t out_left = room, in_left = 7;
        errno = 0;
        /* There are two ways to have no input. */
        size_t result = room % 2 == 0
                            ? d->set->convert(d->cd, NULL, NULL, &out_at, &out_left)
                            : d->set->convert(d->cd, &none, &in_left, &out_at, &out_left);
        size_t written = (size_t)((uint8_t *)out_at - destination);
        CHECK(written <= room && out_left == room - written, "a reset wrote %zu bytes", written);
        region_check(DESTINATION, room);
        for (size_t i = written; i < room; i++) {
            CHECK(destination[i] == FILL, "a reset changed byte %zu after %zu", i, written);
        }
        if (result == 0) {
            CHECK(written == room, "a reset wrote %zu bytes, but not into %zu", written, room - 1);
            log_append(log, destination, written);
            size_t length = strlen(d->empty);
            destination = region_place(DESTINATION, length);
            out_at = (char *)destination;
            out_left = length;
            CHECK(d->set->convert(d->cd, NULL, NULL, &out_at, &out_left) == 0 && out_left == 0 &&
                      memcmp(destination, d->empty, length) == 0,
                  "a second reset did not write an empty text");
            return;
        }
        CHECK(result == (size_t)-1 && errno == E2BIG && written == 0, "a reset failed: %d", errno);
    }
    CHECK(false, "a reset needs more than %d bytes", CLOSING);
}

void discard(const struct descriptor *d, size_t way) {
    char *none = NULL, out[1], *out_at = out;
    size_t zero = 0;
    size_t result = way % 3 == 0   ? d->set->convert(d->cd, NULL, NULL, NULL, NULL)
                    : way % 3 == 1 ? d->set->convert(d->cd, &none, &zero, &none, &zero)
                                   : d->set->convert(d->cd, NULL, NULL, &out_at, NULL);
    CHECK(result == 0, "a reset failed: %d", errno);
}

int get(const struct descriptor *d, int request) {
    int value = -1;
    CHECK(iconvctl(d->cd, request, &value) == 0 && (value == 0 || value == 1), "request %d: %d",
          request, value);
    return value;
}

void update(struct descriptor *d) {
    bool malformed = get(d, ICONV_GET_DISCARD_INVALID);
    bool unmappable = get(d, ICONV_GET_DISCARD_NON_IDENTICAL);
    CHECK(get(d, ICONV_GET_DISCARD_ILSEQ) == (malformed && unmappable), "discards differ");
    d->skips = malformed || unmappable;
}

struct descriptor open_names(const struct set *set, const char *to, const char *from) {
    struct descriptor d = {.set = set};
    errno = 0;
    d.cd = set->open(to, from);
    CHECK(d.cd != (iconv_t)-1 && d.cd != NULL, "%siconv_open failed: %d", set->prefix, errno);
    char name[128];
    snprintf(name, sizeof name, "%s", to);
    name[strcspn(name, "/")] = 0;
    d.empty = strcmp(iconv_canonicalize(name), "ISO-2022-KR") == 0 ? "\x1B$)C" : "";
    update(&d);
    return d;
}

void close_descriptor(const struct descriptor *d) {
    CHECK(d->set->close(d->cd) == 0, "%siconv_close failed", d->set->prefix);
}

void set_property(struct descriptor *d, size_t which, int value) {
    static const int REQUESTS[] = {ICONV_SET_TRANSLITERATE, ICONV_SET_DISCARD_ILSEQ,
                                   ICONV_SET_DISCARD_INVALID, ICONV_SET_DISCARD_NON_IDENTICAL};
    int request = REQUESTS[which % 4];
    CHECK(iconvctl(d->cd, request, &value) == 0, "request %d failed", request);
    /* Each request to get is the number before that to set. */
    CHECK(get(d, request - 1) == (value != 0), "request %d had no effect", request);
    update(d);
}
