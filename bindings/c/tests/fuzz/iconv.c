/*
 * Fuzzes the library for iconv: both sets of functions, and iconvctl.
 *
 * Header: 0 what to do, 1 name of the input, 2 name of the output, 3 suffix of that, 4 properties
 * for iconvctl, 5 how texts are separated, 6 whether calls have parts of the input, 8 to 15 the
 * seed of all sizes.
 */
#include "iconv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_FORMS = 256,
    MAX_NAMES = 64,
    NAME = 48,
    ROUNDS = 2,
    /* A text ends at this many errors, because calls with much room take long. */
    MAX_ERRORS = 32,
};

/* The names of each encoding, the canonical one first. */
static struct {
    char names[MAX_NAMES][NAME];
    size_t count;
} forms[MAX_FORMS];
static size_t form_count;
/* The index of Big5, which is written in the most complicated way. */
static size_t big5;

static const char *const SUFFIXES[] = {
    "", "", "", "", "//TRANSLIT", "//IGNORE", "//NON_IDENTICAL_DISCARD", "//TRANSLIT//IGNORE",
    "//ignore,translit", "//OTHER",
};

static int keep_names(unsigned int count, const char *const *names, void *data) {
    (void)data;
    CHECK(form_count < MAX_FORMS && count > 0 && count < MAX_NAMES, "%u names", count);
    const char *canonical = iconv_canonicalize(names[0]);
    snprintf(forms[form_count].names[0], NAME, "%s", canonical);
    big5 = strcmp(canonical, "Big5") == 0 ? form_count : big5;
    for (unsigned int i = 0; i < count; i++) {
        CHECK(strlen(names[i]) < NAME, "%s", names[i]);
        CHECK(strcmp(iconv_canonicalize(names[i]), canonical) == 0, "%s", names[i]);
        snprintf(forms[form_count].names[i + 1], NAME, "%s", names[i]);
    }
    forms[form_count++].count = count + 1;
    return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    /* The C library's own iconv, which unknown names would lead to, is not what is tested. */
    setenv("TEXTCODEC_ICONV", "nofallback", 1);
    iconvlist(keep_names, NULL);
    CHECK(form_count > 40, "%zu encodings", form_count);
    return 0;
}

/* ---- A whole text ---- */

struct run {
    struct log output, events;
    size_t transliterated;
    /* Whether no call has failed, so that all transliterations were counted. */
    bool counted;
};

/* Repeats a call that has stopped, with what it left: nothing changes. */
static void repeat(const struct descriptor *d, const uint8_t *in, size_t length, size_t room,
                   const struct outcome *first) {
    size_t rest = length - first->read, left = room - first->written;
    if (rest == 0) {
        return;
    }
    struct outcome o = call(d, in + first->read, rest, left, left);
    CHECK(o.error == first->error && o.read == 0 && o.written == 0,
          "error %d at byte %zu, but %d in the next call, which read %zu and wrote %zu bytes, room "
          "%zu, then %zu",
          first->error, first->read, o.error, o.read, o.written, room, left);
}

/*
 * Converts a text, and skips one byte at each of the first errors. Without `random`, in calls with
 * everything that is left and ample room. Otherwise, with parts of it and little room.
 */
static void convert_text(const struct descriptor *d, const uint8_t *in, size_t length,
                         struct random *random, struct run *run) {
    size_t at = 0, ample = 32 * length + ENOUGH, errors = 0;
    bool gives_all = random == NULL || d->gives_all;
    size_t given = gives_all ? length : random_size(random);
    size_t room = random == NULL ? ample : random_size(random);
    run->counted = true;
    run->transliterated = 0;
    for (;;) {
        size_t end = given < length - at ? at + given : length;
        /* Without `random`, the size is said to be larger than the memory now and then. */
        size_t claimed = random == NULL && length % 4 == 1 ? SIZE_MAX : room;
        struct outcome o = call(d, in + at, end - at, room, claimed);
        log_append(&run->output, o.out, o.written);
        if (random != NULL && o.error != 0 && random_one_in(random, 3)) {
            repeat(d, in + at, end - at, room, &o);
        }
        at += o.read;
        given = gives_all ? length : random_size(random);
        bool skipped = o.error == EILSEQ && at == end;
        run->counted = run->counted && o.error == 0;
        if (o.error == 0 || skipped) {
            run->transliterated += o.error == 0 ? o.result : 0;
            if (end == length) {
                break;
            }
        } else if (o.error == EINVAL) {
            if (end == length) {
                log_number(&run->events, EINVAL);
                break;
            }
            given += end - at + 1;
        } else if (o.error == EILSEQ) {
            log_number(&run->events, at);
            log_number(&run->events, run->output.length);
            at++;
            if (++errors == d->max_errors) {
                break;
            }
        } else {
            CHECK(random != NULL, "%zu bytes are too little for %zu", room, length);
            given += end - at;
            room += 1 + random_below(random, 8);
            continue;
        }
        room = random == NULL ? ample : random_size(random);
    }
    log_number(&run->events, at);
    close_text(d, &run->output);
}

static const char *name_of(size_t form, struct random *random) {
    size_t count = forms[form % form_count].count;
    size_t index = random_one_in(random, 2) ? 0 : random_below(random, count);
    return forms[form % form_count].names[index];
}

/* ---- What a target does ---- */

/* Converts with one set in a single call, with the other one in parts. The results are equal. */
static void compare(const uint8_t *header, const uint8_t *in, size_t length) {
    struct random random = random_of_header(header);
    char to[2 * NAME];
    const char *from = name_of(header[1], &random);
    const char *suffix = SUFFIXES[header[3] % (sizeof SUFFIXES / sizeof *SUFFIXES)];
    size_t to_index = header[0] % 16 == 15 ? big5 : header[2] % form_count;
    snprintf(to, sizeof to, "%s%s", name_of(to_index, &random), suffix);
    bool glibc_first = header[0] & 0x80;
    describe("%s to %s, %zu bytes, properties %02X", from, to, length, header[4]);
    struct descriptor whole = open_names(glibc_first ? &GLIBC : &POSIX, to, from);
    struct descriptor parts = open_names(glibc_first ? &POSIX : &GLIBC, to, from);
    const char *to_form = forms[to_index].names[0];
    const char *from_form = forms[header[1] % form_count].names[0];
    bool same_form = strcmp(to_form, from_form) == 0;
    CHECK(get(&whole, ICONV_TRIVIALP) == same_form, "wrong answer whether both are the same");
    whole.max_errors = parts.max_errors = MAX_ERRORS;
    parts.gives_all = header[6] % 2 == 1;
    struct run expected = {0}, run = {0};
    for (size_t round = 0; round < ROUNDS; round++) {
        if (header[4] % 4 == 0) {
            set_property(&whole, header[4] >> 2, header[4] >> (4 + round) & 1);
            set_property(&parts, header[4] >> 2, header[4] >> (4 + round) & 1);
        }
        if (header[5] % 4 == 0) {
            /* A text that does not end. Both read the same of it, because it can have a mark. */
            size_t start = random_below(&random, length + 1), room = random_size(&random);
            call(&whole, in, start, room, room);
            call(&parts, in, start, room, room);
            discard(&whole, header[5] >> 2);
            discard(&parts, header[5] >> 2);
        }
        log_clear(&expected.output);
        log_clear(&expected.events);
        log_clear(&run.output);
        log_clear(&run.events);
        convert_text(&whole, in, length, NULL, &expected);
        convert_text(&parts, in, length, &random, &run);
        log_compare(&run.output, &expected.output, "outputs");
        log_compare(&run.events, &expected.events, "errors");
        CHECK(!run.counted || !expected.counted || run.transliterated == expected.transliterated,
              "%zu characters were transliterated instead of %zu", run.transliterated,
              expected.transliterated);
    }
    log_free(&expected.output);
    log_free(&expected.events);
    log_free(&run.output);
    log_free(&run.events);
    close_descriptor(&whole);
    close_descriptor(&parts);
}

/* Calls that a program makes by mistake. */
static void mistakes(const struct descriptor *d, struct random *random) {
    int value = 1;
    char out[4], *out_at = out, in[4] = "abc", *in_at = in;
    size_t in_left = 3, out_left = 4;
    iconv_t bad = random_one_in(random, 2) ? NULL : (iconv_t)-1;
    errno = 0;
    switch (random_below(random, 6)) {
    case 0:
        CHECK(d->set->convert(bad, &in_at, &in_left, &out_at, &out_left) == (size_t)-1 &&
                  errno == EBADF && in_left == 3 && out_left == 4,
              "no EBADF");
        break;
    case 1:
        CHECK(d->set->close(bad) == -1 && errno == EBADF, "no EBADF");
        break;
    case 2:
        CHECK(iconvctl(bad, ICONV_TRIVIALP, &value) == -1 && errno == EBADF, "no EBADF");
        break;
    case 3: {
        int request = 15 + (int)random_below(random, 1000);
        CHECK(iconvctl(d->cd, request, &value) == -1 && errno == EINVAL, "request %d", request);
        break;
    }
    case 4:
        CHECK(iconvctl(d->cd, ICONV_SET_TRANSLITERATE, NULL) == -1 && errno == EINVAL, "no EINVAL");
        break;
    default:
        CHECK(d->set->convert(d->cd, &in_at, &in_left, NULL, NULL) == (size_t)-1 &&
                  errno == E2BIG && in_left == 3,
              "input without an output");
    }
}

/* Any calls with several descriptors. Only what holds for each call is checked. */
static void any_calls(const uint8_t *header, const uint8_t *in, size_t length) {
    enum { DESCRIPTORS = 3 };
    struct random random = random_of_header(header);
    struct descriptor all[DESCRIPTORS];
    describe("any calls, %zu bytes", length);
    for (size_t i = 0; i < DESCRIPTORS; i++) {
        const char *to = name_of(header[1 + i], &random);
        all[i] = open_names(i % 2 == 0 ? &GLIBC : &POSIX, to, name_of(header[4 + i], &random));
    }
    struct log closing = {0};
    for (size_t steps = random_below(&random, 40); steps > 0; steps--) {
        struct descriptor *d = &all[random_below(&random, DESCRIPTORS)];
        switch (random_below(&random, 10)) {
        case 0: discard(d, random_below(&random, 3)); break;
        case 1: close_text(d, &closing); break;
        case 2: set_property(d, random_below(&random, 4), (int)random_below(&random, 3)); break;
        case 3: mistakes(d, &random); break;
        case 4: {
            close_descriptor(d);
            const char *to = name_of(random_below(&random, form_count), &random);
            *d = open_names(d->set, to, name_of(random_below(&random, form_count), &random));
            break;
        }
        default: {
            size_t start = random_below(&random, length + 1), size = random_size(&random);
            size = size < length - start ? size : length - start;
            size_t room = random_size(&random);
            struct outcome o = call(d, in + start, size, room, room);
            repeat(d, in + start, size, room, &o);
        }
        }
    }
    log_free(&closing);
    for (size_t i = 0; i < DESCRIPTORS; i++) {
        close_descriptor(&all[i]);
    }
}

/* Opens names that the input contains. */
static void any_names(const uint8_t *header, const uint8_t *in, size_t length) {
    struct random random = random_of_header(header);
    const struct set *set = header[1] & 1 ? &GLIBC : &POSIX;
    describe("a name of %zu bytes", length);
    /* Where a read after the end is noticed. */
    char *name = (char *)region_place(STRING, length + 1);
    memcpy(name, in, length);
    name[length] = 0;
    if (header[1] & 2) {
        /* A known name at the start. */
        const char *known = name_of(header[2], &random);
        size_t copied = strlen(known) < length ? strlen(known) : length;
        memcpy(name, known, copied);
    }
    const char *canonical = iconv_canonicalize(name);
    CHECK(canonical == name || strcmp(iconv_canonicalize(canonical), canonical) == 0,
          "the canonical name %s has another one", canonical);
    for (int as_source = 0; as_source < 2; as_source++) {
        errno = 0;
        iconv_t cd = as_source ? set->open("UTF-8", name) : set->open(name, "UTF-8");
        CHECK(cd != NULL, "NULL from iconv_open");
        if (cd == (iconv_t)-1) {
            CHECK(errno == EINVAL, "errno is %d", errno);
            CHECK(canonical == name, "%s is not opened", canonical);
            counts.errors++;
            continue;
        }
        struct descriptor d = {.set = set, .cd = cd, .empty = ""};
        update(&d);
        call(&d, (const uint8_t *)"abcd", 4, 64, 64);
        close_descriptor(&d);
    }
    counts.compared++;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < HEADER) {
        return 0;
    }
    size_t length = size - HEADER < MAX_PAYLOAD ? size - HEADER : MAX_PAYLOAD;
    const uint8_t *in = data + HEADER;
    switch (data[0] % 16) {
    case 0: any_names(data, in, length); break;
    case 1:
    case 2: any_calls(data, in, length); break;
    default: compare(data, in, length);
    }
    return 0;
}

size_t target_text(const uint8_t *header, const uint32_t *text, size_t length, uint8_t *out,
                   size_t room) {
    struct random random = random_of_header(header);
    char to[2 * NAME];
    snprintf(to, sizeof to, "%s//IGNORE", name_of(header[1], &random));
    describe("text in %s", to);
    struct descriptor d = open_names(&POSIX, to, "WCHAR_T");
    char *in_at = (char *)text, *out_at = (char *)out;
    size_t in_left = length * sizeof *text, out_left = room;
    libiconv(d.cd, &in_at, &in_left, &out_at, &out_left);
    libiconv(d.cd, NULL, NULL, &out_at, &out_left);
    close_descriptor(&d);
    return room - out_left;
}
