#include "properties.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "feed.h"

/* The characters from which the texts are made. A text has those that are in both charsets. */
static const uint32_t TEXT[] = {
    'A',    0xE9,   0x20AC, 0x416,  'z',    0x3042, 0x1F600, 0x4E00, 0x451,    '9',    0xFF71,
    0x6F22, 0xAC00, 0xDF,   0,      0x2026, 0x30BD, 0x10FFFF, ' ',   0x2D8,    0xA5,   0x2500,
    0x44F,  '\n',   0x8868, 0x4E9C, '~',    0xD79D, 0xA9,    0xFC,   0x3000,   0x554A, 0x80,
    '-',    0x3001, 0x4E02, 0x203E, 'b',
};
enum { TEXT_LEN = sizeof TEXT / sizeof *TEXT, SHORT = 12, LONG = 2500, ALL_ROOMS = 40 };

/* A pair, and the characters that both charsets have. */
struct pair {
    const struct charset *from, *to;
    uint32_t text[TEXT_LEN];
    size_t len;
};

/* Returns whether implementations agree on a character. They do not agree on 7E in Shift_JIS, and
   not on spaces and controls after a character of JIS X 0201 in ISO-2022-JP: glibc writes an escape
   sequence before them. In ISO-2022-KR, a line feed within pairs is an error of glibc. */
static bool agreed(const struct charset *charset, uint32_t c) {
    return charset_has(charset, c) && !(charset->form == SHIFTED && c <= ' ') &&
           !(strcmp(charset->name, "SHIFT_JIS") == 0 && c == '~');
}

static struct sample make(const struct pair *pair, size_t len,
                          const struct insertion *insertion) {
    struct sample s;
    sample_build(&s, pair->from, pair->to, pair->text, len < pair->len ? len : pair->len,
                 insertion);
    return s;
}

static size_t largest(const struct sample *s) {
    return s->out_len + 2 > ALL_ROOMS ? s->out_len + 2 : ALL_ROOMS;
}

/* Resets with less room than needed, with exactly enough, and again. The second text is empty, so
   it has only a header. */
static void close_text(struct tester *t, iconv_t cd, const struct sample *s) {
    for (size_t room = 0; room <= s->closing_len; room++) {
        struct outcome o = reset(t, cd, room);
        if (room < s->closing_len) {
            expect(t, o.error == E2BIG && o.written == 0, NULL, 0,
                   "reset with too little room: %s, %zu bytes", error_name(o.error), o.written);
        } else {
            expect(t, o.result == 0, NULL, 0, "reset: %s", error_name(o.error));
            bool same = o.written == room && memcmp(o.out, s->closing, room) == 0;
            expect(t, same, NULL, 0, "reset wrote %zu bytes instead of %zu", o.written, room);
        }
    }
    const char *header = s->to->header == NULL ? "" : s->to->header;
    struct outcome o = reset(t, cd, 8);
    bool same = o.written == strlen(header) && memcmp(o.out, header, o.written) == 0;
    expect(t, o.result == 0 && same, NULL, 0, "a second reset: %s, %zu bytes",
           error_name(o.error), o.written);
}

static void whole(struct tester *t, const struct sample *s) {
    t->property = "whole";
    iconv_t cd = open_or_fail(t, s->to->name, s->from->name);
    for (int round = 0; round < 2; round++) {
        struct progress p = {0};
        feed(t, cd, s, &p, 0, 0);
        feed(t, cd, s, &p, 0, 8);
        feed(t, cd, s, &p, s->in_len, s->out_len);
        feed(t, cd, s, &p, s->in_len, 0);
        close_text(t, cd, s);
    }
    iconv_close(cd);
}

/* Returns the room for the next step with output: exactly what it needs, or more for an error. */
static size_t exact_room(const struct sample *s, const struct progress *p) {
    for (size_t i = p->step; i < s->count && s->steps[i].kind == CHARACTER; i++) {
        const struct step *step = &s->steps[i];
        if (step->out_len > 0) {
            return step->out_len + (p->led == i + 1 ? 0U : step->lead_len);
        }
    }
    return 8;
}

/* Converts with outputs of one size. Where it is too small for a character, with the exact size. */
static void room_by_room(struct tester *t, iconv_t cd, const struct sample *s, size_t end,
                         struct progress *p, size_t room) {
    for (;;) {
        struct progress before = *p;
        if (feed(t, cd, s, p, end, room) != E2BIG) {
            return;
        }
        if (before.offset != p->offset || before.led != p->led) {
            continue;
        }
        /* The same call gives the same result. */
        if (feed(t, cd, s, p, end, room) != E2BIG) {
            return;
        }
        int error = feed(t, cd, s, p, end, exact_room(s, p));
        if (error != E2BIG) {
            return;
        }
        if (!expect(t, before.offset != p->offset, s->in + p->offset, end - p->offset,
                    "nothing is converted with room for a character")) {
            return;
        }
    }
}

static void every_room(struct tester *t, const struct sample *s) {
    t->property = "every size of output";
    for (size_t room = 0; room <= largest(s); room++) {
        iconv_t cd = open_or_fail(t, s->to->name, s->from->name);
        struct progress p = {0};
        room_by_room(t, cd, s, s->in_len, &p, room);
        expect(t, p.offset == s->in_len, s->in, s->in_len, "%zu bytes were not converted",
               s->in_len - p.offset);
        close_text(t, cd, s);
        iconv_close(cd);
    }
}

static void every_split(struct tester *t, const struct sample *s, struct extent extent,
                        bool rooms) {
    t->property = "every split";
    iconv_t cd = open_or_fail(t, s->to->name, s->from->name);
    unsigned counter = 0;
    for (size_t split = 0; split <= s->in_len; split++) {
        for (size_t room = rooms ? 0 : s->out_len; room <= s->out_len; room++) {
            if (counter++ % extent.one_in != 0) {
                continue;
            }
            t->split = split;
            struct progress p = {0};
            room_by_room(t, cd, s, split, &p, room);
            room_by_room(t, cd, s, s->in_len, &p, room);
            expect(t, p.offset == s->in_len, s->in, s->in_len, "%zu bytes were not converted",
                   s->in_len - p.offset);
            iconv(cd, NULL, NULL, NULL, NULL);
        }
    }
    t->split = 0;
    iconv_close(cd);
}

/* Gives one byte, and one more after EINVAL, as msgconv and elinks do. */
static void byte_by_byte(struct tester *t, const struct sample *s) {
    t->property = "one byte at a time";
    iconv_t cd = open_or_fail(t, s->to->name, s->from->name);
    for (size_t room = 1; room <= 8; room++) {
        struct progress p = {0};
        for (size_t end = 1; end <= s->in_len; end++) {
            room_by_room(t, cd, s, end, &p, room);
        }
        expect(t, p.offset == s->in_len, s->in, s->in_len, "%zu bytes were not converted",
               s->in_len - p.offset);
        close_text(t, cd, s);
    }
    iconv_close(cd);
}

/* Converts with an error within, repeats the call at the error, skips it, and continues. */
static void with_error(struct tester *t, const struct sample *s) {
    iconv_t cd = open_or_fail(t, s->to->name, s->from->name);
    for (size_t room = 0; room <= s->out_len + 8; room++) {
        struct progress p = {0};
        room_by_room(t, cd, s, s->in_len, &p, room);
        if (p.step < s->count && s->steps[p.step].kind != CHARACTER) {
            feed(t, cd, s, &p, s->in_len, 0);
            feed(t, cd, s, &p, s->in_len, 8);
            feed(t, cd, s, &p, s->in_len, 9);
        }
        drain(t, cd, s, &p);
        expect(t, p.offset == s->in_len, s->in, s->in_len, "%zu bytes were not converted",
               s->in_len - p.offset);
        iconv(cd, NULL, NULL, NULL, NULL);
    }
    iconv_close(cd);
}

/* With //IGNORE, all is consumed, then EILSEQ is reported. glibc does not report it for malformed
   input in CP932 and UCS-2BE. */
static void ignoring(struct tester *t, const struct sample *s) {
    char name[64];
    strcpy(name, s->to->name);
    iconv_t cd = open_or_fail(t, strcat(name, "//IGNORE"), s->from->name);
    t->to = s->to->name;
    for (int round = 0; round < 2; round++) {
        struct outcome o = convert(t, cd, s->in, s->in_len, s->out_len + 16);
        bool silent = t->on_glibc && o.error == 0 &&
                      (strcmp(s->from->name, "CP932") == 0 ||
                       strcmp(s->from->name, "UCS-2BE") == 0 || strcmp(t->to, "UCS-2BE") == 0);
        expect(t, silent || o.error == EILSEQ, s->in, s->in_len, "%s instead of EILSEQ",
               error_name(o.error));
        expect(t, o.consumed == s->in_len, s->in, s->in_len, "%zu bytes were consumed",
               o.consumed);
        size_t at = 0;
        bool same = true;
        for (size_t i = 0; i < s->count && same; i++) {
            const struct step *step = &s->steps[i];
            if (step->kind == CHARACTER && step->lead_len + step->out_len <= o.written - at) {
                same = memcmp(o.out + at, step->lead, step->lead_len) == 0;
                at += step->lead_len;
                same = same && memcmp(o.out + at, step->out, step->out_len) == 0;
                at += step->out_len;
            }
        }
        expect(t, same && at == o.written, s->in, s->in_len, "wrong bytes were written");
        iconv(cd, NULL, NULL, NULL, NULL);
    }
    iconv_close(cd);
}

static void every_error(struct tester *t, const struct pair *pair, struct extent extent) {
    for (size_t where = 0; where <= SHORT && where <= pair->len; where++) {
        t->split = where;
        for (size_t i = 0; i < 3 && pair->from->bad[i].len > 0 && !extent.no_errors; i++) {
            struct insertion insertion = {where, &pair->from->bad[i], 0};
            struct sample s = make(pair, SHORT, &insertion);
            t->property = "malformed input";
            with_error(t, &s);
            /* Implementations differ in how many bytes they ignore, if others may follow. */
            if (pair->from->bad[i].len == pair->from->bad[i].skip) {
                t->property = "malformed input, ignored";
                ignoring(t, &s);
            }
            sample_free(&s);
        }
        bool unmappable = charset_has(pair->from, 0x1F600) && !charset_has(pair->to, 0x1F600);
        if (unmappable && !pair->to->ambiguous) {
            struct insertion insertion = {where, NULL, 0x1F600};
            struct sample s = make(pair, SHORT, &insertion);
            t->property = "an unmappable character";
            with_error(t, &s);
            t->property = "an unmappable character, ignored";
            ignoring(t, &s);
            sample_free(&s);
        }
    }
    t->split = 0;
}

/* Resets in four ways, of which the first two write nothing. */
static void every_reset(struct tester *t, const struct pair *pair) {
    t->property = "a reset";
    iconv_t cd = open_or_fail(t, pair->to->name, pair->from->name);
    for (size_t at = 0; at <= pair->len && at <= SHORT; at++) {
        struct pair rest = *pair;
        rest.len -= at;
        memmove(rest.text, pair->text + at, rest.len * sizeof *rest.text);
        struct sample first = make(pair, at, NULL), second = make(&rest, SHORT, NULL);
        for (int way = 0; way < 4; way++) {
            struct progress p = {0}, q = {0};
            t->split = at;
            drain(t, cd, &first, &p);
            char *no_in = NULL, *no_out = NULL;
            size_t in_left = 0, out_left = 0, result = 0;
            switch (way) {
            case 0: result = iconv(cd, NULL, NULL, NULL, NULL); break;
            case 1: result = iconv(cd, &no_in, &in_left, &no_out, &out_left); break;
            case 2: result = iconv(cd, NULL, NULL, &no_out, &out_left); break;
            default: close_text(t, cd, &first);
            }
            expect(t, result == 0, NULL, 0, "reset %d failed", way);
            drain(t, cd, &second, &q);
            iconv(cd, NULL, NULL, NULL, NULL);
        }
        sample_free(&first);
        sample_free(&second);
    }
    t->split = 0;
    iconv_close(cd);
}

static uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* A long text: runs of ASCII, runs of other characters, and an error somewhere. */
static void long_text(struct tester *t, const struct pair *pair, struct extent extent) {
    uint64_t random = 0x9E3779B97F4A7C15;
    uint32_t *text = malloc(LONG * sizeof *text);
    if (text == NULL) {
        abort();
    }
    for (unsigned round = 0; round < 40; round += extent.one_in) {
        for (size_t i = 0; i < LONG;) {
            uint64_t r = next_random(&random);
            bool ascii = r & 1;
            for (size_t run = 1 + (r >> 8) % 80; run > 0 && i < LONG; run--) {
                uint64_t q = next_random(&random);
                text[i++] = ascii ? 'a' + (uint32_t)(q % 26) : pair->text[q % pair->len];
            }
        }
        struct insertion insertion = {next_random(&random) % LONG, NULL, 0};
        const struct bad *bad = &pair->from->bad[0];
        insertion.bad = bad->len > 0 && !extent.no_errors ? bad : NULL;
        struct sample s;
        sample_build(&s, pair->from, pair->to, text, LONG, round % 2 == 0 ? NULL : &insertion);
        t->property = "a long text";
        t->split = round;
        iconv_t cd = open_or_fail(t, s.to->name, s.from->name);
        struct progress p = {0};
        while (p.offset < s.in_len) {
            size_t left = s.in_len - p.offset;
            size_t give = next_random(&random) % (round % 5 == 4 ? 90 : left) + 1;
            size_t room = next_random(&random) % (round % 3 == 2 ? 70 : 4 * left + 8);
            int error = feed(t, cd, &s, &p, p.offset + (give < left ? give : left), room + 8);
            if (error == EILSEQ) {
                skip(&s, &p);
            } else if (error == EINVAL && p.step < s.count) {
                error = feed(t, cd, &s, &p, p.offset + s.steps[p.step].in_len, 8);
            }
            if (error == -1) {
                break;
            }
        }
        close_text(t, cd, &s);
        iconv_close(cd);
        sample_free(&s);
    }
    t->split = 0;
    free(text);
}

bool check_pair(struct tester *t, const struct charset *from, const struct charset *to,
                struct extent extent) {
    struct pair pair = {.from = from, .to = to};
    size_t other = 0;
    for (size_t i = 0; i < TEXT_LEN; i++) {
        if (agreed(from, TEXT[i]) && agreed(to, TEXT[i])) {
            pair.text[pair.len++] = TEXT[i];
            other += TEXT[i] >= 0x80;
        }
    }
    if (other == 0) {
        return false;
    }
    bool rooms = extent.all_pairs || from->form == UTF_8 || to->form == UTF_8;
    struct sample s = make(&pair, SHORT, NULL), all = make(&pair, TEXT_LEN, NULL);
    whole(t, &all);
    every_room(t, &all);
    every_split(t, &s, extent, rooms);
    every_split(t, &all, extent, false);
    byte_by_byte(t, &all);
    every_error(t, &pair, extent);
    every_reset(t, &pair);
    long_text(t, &pair, extent);
    sample_free(&s);
    sample_free(&all);
    return true;
}
