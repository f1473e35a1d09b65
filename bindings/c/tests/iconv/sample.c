#include "sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The state of one side. */
struct shift {
    char set;    /* that of the entry of the last character, or 0 for ASCII */
    bool marked; /* the mark or header is written */
};

static const struct entry *find(const struct charset *charset, uint32_t c) {
    for (size_t i = 0; i < charset->count; i++) {
        if (charset->entries[i].c == c) {
            return &charset->entries[i];
        }
    }
    return NULL;
}

bool charset_has(const struct charset *charset, uint32_t c) {
    switch (charset->form) {
    case TABLE:
    case SHIFTED: return c < 0x80 || find(charset, c) != NULL;
    default: return !charset->bmp || c < 0x10000;
    }
}

/* Writes a number with `size` bytes. */
static unsigned char *put(unsigned char *to, uint32_t value, unsigned size, bool big) {
    for (unsigned i = 0; i < size; i++) {
        to[i] = (unsigned char)(value >> 8 * (big ? size - 1 - i : i));
    }
    return to + size;
}

static unsigned char put_utf8(unsigned char *to, uint32_t c) {
    if (c < 0x80) {
        to[0] = (unsigned char)c;
        return 1;
    }
    unsigned char len = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (unsigned char i = len - 1; i > 0; i--, c >>= 6) {
        to[i] = (unsigned char)(0x80 | (c & 0x3F));
    }
    to[0] = (unsigned char)((0xF00 >> len) | c);
    return len;
}

/* Writes a character, without marks and escape sequences. */
static unsigned char put_character(unsigned char *to, const struct charset *charset, bool big,
                                   uint32_t c) {
    if (charset->form == UTF_8) {
        return put_utf8(to, c);
    }
    if (charset->form == UNITS_4) {
        return (unsigned char)(put(to, c, 4, big) - to);
    }
    if (charset->form == UNITS_2) {
        if (c < 0x10000) {
            return (unsigned char)(put(to, c, 2, big) - to);
        }
        put(to, 0xD7C0 + (c >> 10), 2, big);
        put(to + 2, 0xDC00 | (c & 0x3FF), 2, big);
        return 4;
    }
    if (c < 0x80) {
        to[0] = (unsigned char)c;
        return 1;
    }
    const struct entry *entry = find(charset, c);
    if (entry == NULL) {
        fprintf(stderr, "U+%04X is not in the test's table of %s\n", (unsigned)c, charset->name);
        exit(2);
    }
    unsigned char len = (unsigned char)strlen(entry->bytes);
    memcpy(to, entry->bytes, len);
    return len;
}

static unsigned char put_escape(unsigned char *to, const struct charset *charset, char set) {
    if (charset->header != NULL) {
        to[0] = set == 0 ? 0x0F : 0x0E;
        return 1;
    }
    to[0] = 0x1B;
    to[1] = set == 'B' ? '$' : '(';
    /* The sets here are named as in `struct entry`, and 0 for ASCII. */
    to[2] = set == 0 ? 'B' : (unsigned char)set;
    return 3;
}

/* Writes the mark or header, unless it is written. */
static unsigned char put_mark(unsigned char *to, const struct charset *charset, bool big,
                              struct shift *shift) {
    bool was_marked = shift->marked;
    shift->marked = true;
    if (charset->marked && !was_marked) {
        return (unsigned char)(put(to, 0xFEFF, charset->form == UNITS_2 ? 2 : 4, big) - to);
    }
    if (charset->header != NULL && !was_marked) {
        memcpy(to, charset->header, strlen(charset->header));
        return (unsigned char)strlen(charset->header);
    }
    return 0;
}

/* Writes the escape sequence that the character needs. */
static unsigned char put_shift(unsigned char *to, const struct charset *charset,
                               struct shift *shift, uint32_t c) {
    if (charset->form != SHIFTED) {
        return 0;
    }
    const struct entry *entry = find(charset, c);
    char set = entry == NULL ? 0 : entry->set;
    /* JIS X 0201 has the letters of ASCII. */
    bool stays = entry == NULL && shift->set == 'J' && c != '\\' && c != '~';
    if (set == shift->set || stays) {
        return 0;
    }
    shift->set = set;
    return put_escape(to, charset, set);
}

/* Writes all that must come before the character. */
static unsigned char put_lead(unsigned char *to, const struct charset *charset, bool big,
                              struct shift *shift, uint32_t c) {
    unsigned char len = put_mark(to, charset, big, shift);
    return len + put_shift(to + len, charset, shift, c);
}

/* Adds what may come before an error: a mark or header. */
static void may_be_marked(struct step *step, const struct charset *to, const struct shift *out) {
    struct shift copy = *out;
    step->lead_len = put_mark(step->lead, to, to->big, &copy);
}

static void push(struct sample *s, struct step step) {
    if (s->count == s->capacity) {
        s->capacity = s->capacity == 0 ? 32 : 2 * s->capacity;
        s->steps = realloc(s->steps, s->capacity * sizeof *s->steps);
        if (s->steps == NULL) {
            perror("realloc");
            exit(2);
        }
    }
    s->steps[s->count++] = step;
    s->in_len += step.in_len;
    s->out_len += step.lead_len + step.out_len;
}

static bool input_is_big(const struct charset *charset) {
    return charset->big_mark || charset->big;
}

/* Adds what precedes a character in the input, as a step without output, and the character. */
static void push_character(struct sample *s, struct shift *in, struct shift *out, enum kind kind,
                           uint32_t c) {
    struct step mark = {0}, lead = {0}, step = {.kind = kind};
    bool big = input_is_big(s->from);
    mark.in_len = put_mark(mark.in, s->from, big, in);
    if (mark.in_len > 0) {
        push(s, mark);
    }
    lead.in_len = put_shift(lead.in, s->from, in, c);
    if (lead.in_len > 0) {
        push(s, lead);
    }
    step.in_len = put_character(step.in, s->from, big, c);
    if (kind == CHARACTER) {
        step.lead_len = put_lead(step.lead, s->to, s->to->big, out, c);
        step.out_len = put_character(step.out, s->to, s->to->big, c);
    } else {
        may_be_marked(&step, s->to, out);
    }
    push(s, step);
}

static void push_malformed(struct sample *s, struct shift *in, struct shift *out,
                           const struct bad *bad) {
    struct step lead = {0}, step = {.kind = MALFORMED, .in_len = bad->skip};
    if (s->from->marked) {
        lead.in_len = put_lead(lead.in, s->from, input_is_big(s->from), in, 'A');
        if (lead.in_len > 0) {
            push(s, lead);
        }
    }
    memcpy(step.in, bad->bytes, bad->skip);
    if (s->from->form == UNITS_4) {
        may_be_marked(&step, s->to, out);
    }
    push(s, step);
    /* The other bytes are a character of ASCII. */
    uint32_t c = 0;
    for (unsigned char i = bad->skip; i < bad->len; i++) {
        c |= (unsigned char)bad->bytes[i];
    }
    if (bad->len > bad->skip) {
        push_character(s, in, out, CHARACTER, c);
    }
}

void sample_build(struct sample *s, const struct charset *from, const struct charset *to,
                  const uint32_t *text, size_t len, const struct insertion *insertion) {
    *s = (struct sample){.from = from, .to = to};
    struct shift in = {0}, out = {0};
    for (size_t i = 0; i <= len; i++) {
        if (insertion != NULL && insertion->where == i) {
            if (insertion->bad != NULL) {
                push_malformed(s, &in, &out, insertion->bad);
            }
            if (insertion->unmappable != 0) {
                push_character(s, &in, &out, UNMAPPABLE, insertion->unmappable);
            }
        }
        if (i < len) {
            push_character(s, &in, &out, CHARACTER, text[i]);
        }
    }
    if (in.set != 0) {
        struct step last = {0};
        last.in_len = put_escape(last.in, from, 0);
        push(s, last);
    }
    if (out.set != 0) {
        s->closing_len = put_escape(s->closing, to, 0);
    } else if (to->header != NULL) {
        s->closing_len = put_mark(s->closing, to, to->big, &out);
    }
    s->in = malloc(s->in_len + 1);
    if (s->in == NULL) {
        perror("malloc");
        exit(2);
    }
    size_t at = 0;
    for (size_t i = 0; i < s->count; i++) {
        memcpy(s->in + at, s->steps[i].in, s->steps[i].in_len);
        at += s->steps[i].in_len;
    }
}

void sample_free(struct sample *s) {
    free(s->steps);
    free(s->in);
}
