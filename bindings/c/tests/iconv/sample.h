/* Texts in two charsets, cut into the steps of their conversion. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A character in a table. */
struct entry {
    uint32_t c;
    const char *bytes;
    char set; /* ISO-2022-JP: the last byte of its escape sequence; ISO-2022-KR: not 0 in pairs */
};

enum form {
    TABLE,   /* ASCII, and a table */
    SHIFTED, /* ISO-2022-JP, ISO-2022-KR */
    UTF_8,
    UNITS_2, /* units of two bytes */
    UNITS_4,
};

/* Bytes that are malformed, wherever they are. A reader skips `skip` of them. */
struct bad {
    const char *bytes;
    unsigned char len, skip;
};

struct charset {
    const char *name;
    enum form form;
    const struct entry *entries;
    size_t count;
    bool big;           /* the order of input and output, but for a mark */
    bool marked;        /* starts with a byte order mark */
    const char *header; /* starts with these bytes, also if the text is empty */
    bool big_mark;      /* as an input, the mark and the text are big-endian */
    bool bmp;           /* cannot encode what is beyond U+FFFF */
    bool ambiguous;     /* UCS-2 in glibc, UTF-16 in the standard: only the BMP is tested */
    struct bad bad[3];
};

extern const struct charset CHARSETS[];
extern const size_t CHARSET_COUNT;

enum kind { CHARACTER, MALFORMED, UNMAPPABLE };

/* What is converted as a whole. */
struct step {
    enum kind kind;
    unsigned char in[8], lead[8], out[8];
    /* `lead` is a mark, a header or an escape sequence. It may be written without `out`. */
    unsigned char in_len, lead_len, out_len;
};

struct sample {
    const struct charset *from, *to;
    struct step *steps;
    size_t count, capacity;
    unsigned char *in;
    size_t in_len, out_len;
    /* What a reset with an output writes after the text. */
    unsigned char closing[4];
    size_t closing_len;
};

/* Returns whether the charset has the character. */
bool charset_has(const struct charset *charset, uint32_t c);

/* Cuts a text, in which all characters are in both charsets. Before the character with the index
   `where`, it inserts the malformed bytes `bad`, or the unmappable character `unmappable` if it is
   not 0. */
struct insertion {
    size_t where;
    const struct bad *bad;
    uint32_t unmappable;
};
void sample_build(struct sample *s, const struct charset *from, const struct charset *to,
                  const uint32_t *text, size_t len, const struct insertion *insertion);
void sample_free(struct sample *s);

#endif
