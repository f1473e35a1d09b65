#include "feed.h"

#include <errno.h>
#include <string.h>

struct prediction {
    int error;
    bool or_full;    /* E2BIG would be right, too */
    size_t step;     /* the first step that is not converted */
    size_t consumed; /* including steps without output before that step */
    size_t silent;   /* the bytes of these steps */
    size_t written;  /* without the lead of that step */
    size_t lead;     /* bytes of its lead that may be written, all or none */
};

static size_t lead_left(const struct sample *s, const struct progress *p, size_t step) {
    return p->led == step + 1 ? 0 : s->steps[step].lead_len;
}

/* Returns whether E2BIG is right instead of an error of the input, although this error has
   priority. glibc converts from and to its internal form in one step, and then looks first whether
   there is room for what the other side needs at least. */
static bool may_be_full(const struct sample *s, size_t left) {
    return left < 4 && (s->from->form == UNITS_4 || s->to->form == UNITS_4);
}

static struct prediction predict(const struct sample *s, const struct progress *p, size_t end,
                                 size_t room) {
    struct prediction r = {.step = p->step};
    for (; r.step < s->count; r.step++) {
        const struct step *step = &s->steps[r.step];
        size_t available = end - p->offset - r.consumed;
        if (available == 0) {
            break;
        }
        size_t lead = lead_left(s, p, r.step);
        size_t left = room - r.written;
        if (available < step->in_len || step->kind == MALFORMED) {
            r.error = available < step->in_len ? EINVAL : EILSEQ;
            /* glibc finds malformed UCS-4 when it writes, so after a mark. */
            r.lead = available >= step->in_len && lead <= left ? lead : 0;
            r.or_full = may_be_full(s, left - r.lead);
            return r;
        }
        if (step->kind == UNMAPPABLE) {
            /* Without room, glibc does not look whether the character can be mapped. */
            r.error = left == 0 ? E2BIG : EILSEQ;
            r.or_full = left > 0 && left < 8;
            r.lead = lead <= left ? lead : 0;
            return r;
        }
        if (lead + step->out_len > left) {
            r.error = E2BIG;
            r.lead = lead <= left ? lead : 0;
            return r;
        }
        r.written += lead + step->out_len;
        r.consumed += step->in_len;
        r.silent = lead + step->out_len == 0 ? r.silent + step->in_len : 0;
    }
    r.or_full = r.silent > 0 && may_be_full(s, room - r.written);
    return r;
}

/* Compares the output with that of the steps from the current one on. */
static bool output_is(const struct sample *s, const struct progress *p, const unsigned char *out,
                      size_t len) {
    size_t at = 0;
    for (size_t i = p->step; at < len; i++) {
        const struct step *step = &s->steps[i];
        size_t lead = lead_left(s, p, i);
        if (memcmp(out + at, step->lead, lead) != 0) {
            return false;
        }
        at += lead;
        if (at < len && memcmp(out + at, step->out, step->out_len) != 0) {
            return false;
        }
        at += step->out_len;
    }
    return true;
}

int feed(struct tester *t, iconv_t cd, const struct sample *s, struct progress *p, size_t end,
         size_t room) {
    const unsigned char *in = s->in + p->offset;
    size_t len = end - p->offset;
    struct prediction r = predict(s, p, end, room);
    struct outcome o = convert(t, cd, in, len, room);
    bool ok = expect(t, o.error == r.error || (r.or_full && o.error == E2BIG), in, len,
                     "%s instead of %s", error_name(o.error), error_name(r.error));
    ok &= expect(t, o.error != 0 || o.result == 0, in, len,
                 "%zu irreversible conversions instead of none", o.result);
    /* What precedes a character that does not fit, such as an escape sequence, may be left. */
    size_t least = r.consumed - (o.error == E2BIG ? r.silent : 0);
    ok &= expect(t, o.consumed == r.consumed || o.consumed == least, in, len,
                 "%zu bytes were consumed instead of %zu", o.consumed, r.consumed);
    ok &= expect(t, o.written == r.written || o.written == r.written + r.lead, in, len,
                 "%zu bytes were written instead of %zu", o.written, r.written);
    if (!ok) {
        return -1;
    }
    if (!expect(t, output_is(s, p, o.out, o.written), in, len, "wrong bytes were written")) {
        return -1;
    }
    if (o.written > r.written) {
        p->led = r.step + 1;
    }
    size_t offset = p->offset + o.consumed;
    while (p->step < s->count && p->offset + s->steps[p->step].in_len <= offset) {
        p->offset += s->steps[p->step++].in_len;
    }
    return expect(t, p->offset == offset, in, len, "stopped within a character") ? o.error : -1;
}

void skip(const struct sample *s, struct progress *p) {
    p->offset += s->steps[p->step++].in_len;
    if (p->led == p->step) {
        /* A mark that came before an error is not written again. */
        p->led++;
    }
}

bool drain(struct tester *t, iconv_t cd, const struct sample *s, struct progress *p) {
    for (;;) {
        int error = feed(t, cd, s, p, s->in_len, s->out_len + 16);
        if (error == EILSEQ && p->step < s->count) {
            skip(s, p);
            continue;
        }
        return error == 0;
    }
}
