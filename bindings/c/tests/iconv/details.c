#include "details.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 8, AMPLE = 64 };

/* A call and its result. */
struct line {
    const char *in; /* in hexadecimal; or NULL, for a reset */
    size_t room;
    int error;
    size_t consumed;
    const char *out;
};

/* Calls with one descriptor. The first empty line ends them. */
struct script {
    const char *property, *from, *to;
    struct line lines[LINES];
};

#define OK(in, out) {in, AMPLE, 0, sizeof in / 2, out}
#define STOP(error, in, consumed, out) {in, AMPLE, error, consumed, out}
#define RESETS(out) {NULL, AMPLE, 0, 0, out}
#define MARKED(from, to, ...) {"a byte order mark", from, to, {__VA_ARGS__}}
#define WRONG(from, to, ...) {"ill-formed input", from, to, {__VA_ARGS__}}
#define PRIORITY(from, to, ...) {"priority of errors", from, to, {__VA_ARGS__}}
#define IGNORED(from, to, ...) {"ignored input", from, to, {__VA_ARGS__}}
#define SHIFTS(from, to, ...) {"escape sequences", from, to, {__VA_ARGS__}}
#define HOLDS(from, to, ...) {"a letter that is held", from, to, {__VA_ARGS__}}
#define PARTS(from, to, ...) {"a letter of two bytes", from, to, {__VA_ARGS__}}

static const struct script SCRIPTS[] = {
    /* A mark comes before the first output, and again after a reset. */
    MARKED("UTF-8", "UTF-16", OK("", ""), RESETS(""), OK("41", "FFFE4100"), OK("42", "4200"),
           RESETS(""), RESETS(""), OK("43", "FFFE4300")),
    MARKED("UTF-8", "UTF-32", OK("", ""), OK("41", "FFFE000041000000"), OK("42", "42000000"),
           RESETS(""), OK("43", "FFFE000043000000")),
    MARKED("UTF-8", "UCS-2", OK("41", "4100"), RESETS(""), OK("42", "4200")),
    MARKED("UTF-8", "UCS-4", OK("41", "00000041")),
    MARKED("UTF-8", "WCHAR_T", OK("41", "41000000")),
    MARKED("UTF-8", "UTF-16", STOP(EILSEQ, "FF", 0, ""), STOP(EINVAL, "C3", 0, ""),
           OK("41", "FFFE4100")),
    MARKED("UTF-8", "UTF-16", OK("EFBBBF41", "FFFEFFFE4100")),
    MARKED("UTF-8", "UTF-16LE", OK("EFBBBF41", "FFFE4100")),
    MARKED("UTF-8", "UTF-8", OK("EFBBBF41", "EFBBBF41")),
    /* One mark is consumed, at the start of the input. */
    MARKED("UTF-16", "UTF-8", OK("4100", "41"), OK("FFFE", "EFBBBF"), OK("0041", "E48480")),
    MARKED("UTF-16", "UTF-8", OK("FFFE", ""), OK("FFFE4100", "EFBBBF41")),
    MARKED("UTF-16", "UTF-8", OK("FEFF0041", "41"), OK("0042FEFF0043", "42EFBBBF43"),
           OK("FFFE", "EFBFBE"), RESETS(""), OK("0044", "44"), OK("4400", "E49080")),
    MARKED("UTF-16", "UTF-8", OK("FFFE4100", "41"), RESETS(""), OK("FEFF0042", "42")),
    MARKED("UTF-16", "UTF-8", STOP(EINVAL, "FF", 0, ""), OK("FFFE4100", "41")),
    MARKED("UTF-16", "UTF-16", OK("FEFF", ""), OK("0041", "FFFE4100")),
    MARKED("UTF-32", "UTF-8", OK("41000000", "41"), OK("FFFE0000", "EFBBBF")),
    MARKED("UTF-32", "UTF-8", OK("0000FEFF00000041", "41"), OK("0000FEFF", "EFBBBF"), RESETS(""),
           OK("00000044", "44")),
    MARKED("UTF-32", "UTF-8", STOP(EINVAL, "FFFE00", 0, ""), OK("FFFE0000", "")),
    MARKED("UCS-2", "UTF-8", OK("FFFE4100", "EFBBBF41"), OK("FEFF", "EFBFBE")),
    MARKED("UTF-16LE", "UTF-8", OK("FFFE4100", "EFBBBF41"), OK("FEFF", "EFBFBE")),
    MARKED("UTF-16BE", "UTF-8", OK("FEFF0041", "EFBBBF41"), OK("FFFE", "EFBFBE")),
    MARKED("UTF-32LE", "UTF-8", OK("FFFE0000", "EFBBBF"), STOP(EILSEQ, "0000FEFF", 0, "")),
    MARKED("UCS-4", "UTF-8", OK("0000FEFF", "EFBBBF"), STOP(EILSEQ, "FFFE0000", 0, "")),

    WRONG("UTF-8", "UTF-16LE", STOP(EILSEQ, "EDA080", 0, ""), STOP(EILSEQ, "F4908080", 0, ""),
          STOP(EILSEQ, "C080", 0, ""), STOP(EILSEQ, "80", 0, ""), STOP(EINVAL, "E0A0", 0, ""),
          STOP(EILSEQ, "F0908041", 0, ""), STOP(EINVAL, "41F09F98", 1, "4100")),
    WRONG("UTF-16LE", "UTF-8", STOP(EINVAL, "00D8", 0, ""), STOP(EINVAL, "00D800", 0, ""),
          STOP(EILSEQ, "00D84100", 0, ""), STOP(EILSEQ, "00D800D8", 0, ""),
          STOP(EILSEQ, "410000DC", 2, "41"), OK("3DD800DE", "F09F9880")),
    WRONG("UCS-2LE", "UTF-8", STOP(EILSEQ, "3DD800DE", 0, ""), STOP(EILSEQ, "00DC", 0, "")),
    WRONG("UTF-8", "UCS-2LE", STOP(EILSEQ, "F09F9880", 0, ""), OK("EFBFBF", "FFFF")),
    WRONG("UCS-4", "UTF-8", STOP(EILSEQ, "0000D800", 0, ""), STOP(EILSEQ, "80000000", 0, ""),
          OK("0010FFFF", "F48FBFBF")),
    WRONG("WCHAR_T", "ISO-8859-1", STOP(EILSEQ, "FFFFFFFF", 0, ""),
          STOP(EILSEQ, "00001100", 0, "")),
    WRONG("GB18030", "UTF-8", STOP(EINVAL, "81", 0, ""), STOP(EINVAL, "8130", 0, ""),
          STOP(EINVAL, "813081", 0, ""), STOP(EILSEQ, "FE39FE39", 0, ""),
          STOP(EILSEQ, "81FF", 0, "")),
    WRONG("EUC-JP", "UTF-8", STOP(EINVAL, "8F", 0, ""), STOP(EINVAL, "8FA2", 0, ""),
          STOP(EILSEQ, "8E41", 0, ""), STOP(EINVAL, "8E", 0, "")),
    WRONG("SHIFT_JIS", "UTF-8", STOP(EINVAL, "81", 0, ""), STOP(EILSEQ, "8120", 0, ""),
          STOP(EILSEQ, "A0", 0, "")),
    WRONG("BIG5", "UTF-8", STOP(EINVAL, "A4", 0, ""), STOP(EILSEQ, "A420", 0, "")),

    PRIORITY("UTF-8", "ISO-8859-1", {"FF", 0, EILSEQ, 0, ""}, {"C3", 0, EINVAL, 0, ""},
             {"41FF", 1, EILSEQ, 1, "41"}, {"41C3", 1, EINVAL, 1, "41"},
             {"41FF", 0, E2BIG, 0, ""}, {"41E282AC", 1, E2BIG, 1, "41"}, {"", 0, 0, 0, ""}),
    PRIORITY("SHIFT_JIS", "UTF-8", {"FF", 0, EILSEQ, 0, ""}, {"81", 0, EINVAL, 0, ""},
             {"82A082A0", 5, E2BIG, 2, "E38182"}, {"82A081", 3, EINVAL, 2, "E38182"}),
    PRIORITY("UTF-8", "UTF-16LE", {"F09F9880", 3, E2BIG, 0, ""}, {"FF", 1, EILSEQ, 0, ""}),

    IGNORED("UTF-8", "ISO-8859-1//IGNORE", STOP(EILSEQ, "41E282AC42", 5, "4142"), OK("43", "43"),
            STOP(EILSEQ, "41FF42FF", 4, "4142"), {"41FF4243", 2, E2BIG, 3, "4142"}, STOP(EINVAL, "41C3", 1, "41"), OK("C3A9", "E9")),
    IGNORED("UTF-8//IGNORE", "ISO-8859-1", STOP(EILSEQ, "41E282AC", 1, "41"),
            STOP(EILSEQ, "FF", 0, "")),
    IGNORED("UTF-8", "ISO-8859-1//OTHER", STOP(EILSEQ, "41E282AC", 1, "41")),
    IGNORED("UTF-8", "ISO-8859-1//OTHER,ignore", STOP(EILSEQ, "41E282AC42", 5, "4142")),
    IGNORED("UTF-8", "ISO-8859-1//IGNOREX", STOP(EILSEQ, "41E282AC", 1, "41")),
    IGNORED("UTF-16LE", "UTF-8//IGNORE", STOP(EILSEQ, "00DC4100", 4, "41"),
            STOP(EILSEQ, "00D84200", 4, "42"), STOP(EINVAL, "00D8", 0, "")),

    SHIFTS("UTF-8", "ISO-2022-JP", OK("E38182", "1B24422422"), {NULL, 0, E2BIG, 0, ""},
           {NULL, 2, E2BIG, 0, ""}, {NULL, 3, 0, 0, "1B2842"}, OK("41", "41"),
           OK("E38182", "1B24422422"), STOP(EILSEQ, "FF", 0, ""), OK("0A", "1B28420A")),
    SHIFTS("ISO-2022-JP", "UTF-8", STOP(EINVAL, "1B", 0, ""), STOP(EINVAL, "1B24", 0, ""),
           {"1B2442", 0, 0, 3, ""}, STOP(EINVAL, "24", 0, ""), OK("2422", "E38182"),
           STOP(EINVAL, "1B28", 0, ""), OK("1B284241", "41"), OK("1B2842", "")),
    SHIFTS("ISO-2022-JP", "UTF-8", OK("1B24402422", "E38182"), RESETS(""), OK("2422", "2422"),
           OK("1B284A5C7E", "C2A5E280BE"), STOP(EINVAL, "1B24421B", 3, ""),
           STOP(EILSEQ, "FF", 0, ""), OK("2422", "E38182")),

    /* The header also comes before an empty text, and before an unmappable character. */
    SHIFTS("UTF-8", "ISO-2022-KR", RESETS("1B242943"), OK("41", "1B24294341"),
           OK("EAB080", "0E3021"), {NULL, 0, E2BIG, 0, ""}, {NULL, 1, 0, 0, "0F"},
           {NULL, 3, E2BIG, 0, ""}, OK("EAB080", "1B2429430E3021"), OK("0A", "0F0A")),
    SHIFTS("UTF-8", "ISO-2022-KR", {"EAB080", 3, E2BIG, 0, ""},
           {"EAB080", 4, E2BIG, 0, "1B242943"}, {"EAB080", 3, 0, 3, "0E3021"}),
    SHIFTS("UTF-8", "ISO-2022-KR", STOP(EILSEQ, "FF", 0, ""), {"C3A9", 3, E2BIG, 0, ""},
           STOP(EILSEQ, "C3A9", 0, "1B242943"), OK("EAB08041", "0E30210F41"),
           OK("EAB080", "0E3021"), STOP(EILSEQ, "C3A9", 0, ""), OK("EAB080", "3021"),
           RESETS("0F")),
    SHIFTS("ISO-2022-KR", "UTF-8", STOP(EINVAL, "1B", 0, ""), STOP(EINVAL, "1B2429", 0, ""),
           {"1B2429430E", 0, 0, 5, ""}, STOP(EINVAL, "30", 0, ""), OK("3021", "EAB080"),
           STOP(EILSEQ, "80", 0, ""), OK("30210F41", "EAB08041"), OK("0F0E0F42", "42")),
    SHIFTS("ISO-2022-KR", "UTF-8", OK("0E0F41", "41"), OK("0E0E3021", "EAB080"),
           STOP(EILSEQ, "3080", 0, ""), STOP(EILSEQ, "7E7E", 0, ""), STOP(EILSEQ, "2041", 0, ""),
           OK("3021", "EAB080"), RESETS(""), OK("3021", "3021")),
    IGNORED("UTF-8", "ISO-2022-KR//IGNORE",
            STOP(EILSEQ, "EAB080C3A9EAB080", 8, "1B2429430E30213021"), RESETS("0F"),
            STOP(EILSEQ, "C3A9", 2, "1B242943"), RESETS("")),

    /* A combining mark would change the bytes of the letter. */
    HOLDS("UTF-8", "BIG5-HKSCS", OK("C38A", ""), {NULL, 1, E2BIG, 0, ""}, {NULL, 2, 0, 0, "8866"},
          OK("C38A", ""), {"CC84", 1, E2BIG, 0, ""}, {"CC84", 2, 0, 2, "8862"}, OK("C38A", ""),
          {"61", 2, E2BIG, 0, "8866"}),
    HOLDS("UTF-8", "BIG5-HKSCS", OK("C3AA", ""), RESETS("88A7"), STOP(EILSEQ, "CC8C", 0, "")),
    HOLDS("UTF-8", "BIG5-HKSCS", OK("61C3AA", "61"), OK("C38ACC8C", "88A78864"), RESETS(""),
          OK("C38A", ""), STOP(EILSEQ, "FF", 0, ""), OK("61", "886661")),
    PARTS("UTF-8", "CP1258", {"E1BABF", 1, E2BIG, 0, ""}, {"E1BABF", 2, 0, 3, "EAEC"},
          {"61E1BABF", 2, E2BIG, 1, "61"}, {"E1BABF", 3, 0, 3, "EAEC"}),
    PARTS("UTF-8", "CP1255", {"EFACAC", 2, E2BIG, 0, ""}, {"EFACAC", 3, 0, 3, "F9CCD1"}),
};

/* Names that must open, as a target and as a source. */
static const char *const NAMES[] = {
    "UTF-8",          "utf-8",         "Utf8",           "UTF 8",           " UTF-8",
    "(UTF-8)",        "UTF-8\n",       "UTF-8/",         "UTF-8//",         "UTF-8///",
    "UTF-8//IGNORE",  "UTF-8//Ignore", "UTF-8///IGNORE", "UTF-8//IGNORE//", "UTF-8//IGNORE,TRANSLIT",
    "UTF-8//OTHER",   "UTF-8,",        "UTF-8\x80",      "UTF-8\xC3\xA9",   "",
    "//",             "//IGNORE",      "ISO_8859-1",     "ISO_8859-1:1987", "LATIN1",
    "ANSI_X3.4-1968", "ASCII",         "US-ASCII",       "CP932",           "SJIS",
    "SHIFT-JIS",      "WINDOWS-31J",   "EUCJP",          "CP1252",          "KOI8-R",
    "CP936",          "GB2312",        "EUC-CN",         "BIG-5",           "CP950",
    "UHC",            "CP949",         "UTF-7",          "WCHAR_T",         "wchar_t",
    "UCS2",           "UCS4",          "UCS-4LE",        "ISO-10646/UCS4/", "ISO-10646/UTF8/",
    "CP866",          "ISO-8859-16",   "TIS-620",        "CP874",           "UNICODE",
};

static const char *const UNKNOWN[] = {
    "/UTF-8", "UTF-8/IGNORE", "UTF-8/TRANSLIT", "UTF-8,UTF-16", ",UTF-8",  "UTF-8.", "UTF--8",
    "-UTF-8", "INTERNAL",     "NO-SUCH-NAME",   "UTF-8-",       "UTF.8",   "x",
};

static size_t from_hex(unsigned char *to, const char *text) {
    size_t len = 0;
    for (; text[0] != 0; text += 2) {
        char digits[3] = {text[0], text[1], 0};
        to[len++] = (unsigned char)strtoul(digits, NULL, 16);
    }
    return len;
}

static void run(struct tester *t, const struct script *script) {
    t->property = script->property;
    iconv_t cd = open_or_fail(t, script->to, script->from);
    for (size_t i = 0; i < LINES && script->lines[i].out != NULL; i++) {
        const struct line *line = &script->lines[i];
        unsigned char in[AMPLE], out[AMPLE];
        size_t len = line->in == NULL ? 0 : from_hex(in, line->in);
        size_t out_len = from_hex(out, line->out);
        t->split = i + 1;
        struct outcome o = line->in == NULL ? reset(t, cd, line->room)
                                            : convert(t, cd, in, len, line->room);
        expect(t, o.error == line->error, in, len, "call %zu: %s instead of %s", i + 1,
               error_name(o.error), error_name(line->error));
        expect(t, o.consumed == line->consumed, in, len,
               "call %zu: %zu bytes were consumed instead of %zu", i + 1, o.consumed,
               line->consumed);
        bool same = o.written == out_len && memcmp(o.out, out, out_len) == 0;
        expect(t, same, in, len, "call %zu: wrong output instead of %s", i + 1, line->out);
    }
    t->split = 0;
    iconv_close(cd);
}

/* Converts in two calls, and resets. */
static void in_two(struct tester *t, iconv_t cd, const unsigned char *in, size_t len,
                   const char *expected) {
    size_t expected_len = strlen(expected);
    for (size_t split = 0; split <= len; split++) {
        unsigned char all[4 * AMPLE];
        t->split = split;
        struct outcome o = convert(t, cd, in, split, AMPLE);
        expect(t, o.error == 0 || o.error == EINVAL, in, split, "%s", error_name(o.error));
        size_t at = o.consumed, written = o.written;
        memcpy(all, o.out, o.written);
        o = convert(t, cd, in + at, len - at, AMPLE);
        expect(t, o.result == 0 && at + o.consumed == len, in, len, "%s", error_name(o.error));
        memcpy(all + written, o.out, o.written);
        written += o.written;
        o = reset(t, cd, AMPLE);
        expect(t, o.result == 0, in, len, "reset: %s", error_name(o.error));
        memcpy(all + written, o.out, o.written);
        written += o.written;
        bool same = written == expected_len && memcmp(all, expected, written) == 0;
        expect(t, same, in, len, "%.*s instead of %s", (int)written, (const char *)all, expected);
    }
    t->split = 0;
}

/* A text in UTF-8, and in a form of UTF-7. */
struct utf7_text {
    const char *text, *encoded;
};

/* Implementations may keep bits between calls. So only the sum of the output counts. */
static void utf7_texts(struct tester *t, const char *name, const struct utf7_text *texts,
                       size_t count) {
    t->property = "UTF-7";
    iconv_t cd = open_or_fail(t, name, "UTF-8");
    iconv_t back = open_or_fail(t, "UTF-8", name);
    for (size_t i = 0; i < count; i++) {
        const char *text = texts[i].text, *encoded = texts[i].encoded;
        t->from = "UTF-8";
        t->to = name;
        in_two(t, cd, (const unsigned char *)text, strlen(text), encoded);
        t->from = name;
        t->to = "UTF-8";
        in_two(t, back, (const unsigned char *)encoded, strlen(encoded), text);
    }
    iconv_close(cd);
    iconv_close(back);
}

static void utf7(struct tester *t) {
    static const struct utf7_text texts[] = {
        {"A\xE2\x82\xAC"
         "B",
         "A+IKw-B"},
        {"\xE2\x82\xAC.", "+IKw."},
        {"\xE2\x82\xAC-", "+IKw--"},
        {"\xE2\x82\xAC/ a", "+IKw-/ a"},
        {"\xE2\x82\xAC\xE2\x82\xAC z", "+IKwgrA z"},
        {"a+b", "a+-b"},
        {"\xE2\x82\xAC+", "+IKwAKw-"},
        {"\xF0\x9F\x98\x80", "+2D3eAA-"},
        {"~\\", "+AH4AXA-"},
        {"'(),-./:? 09azAZ\t\r\n", "'(),-./:? 09azAZ\t\r\n"},
    };
    static const struct utf7_text mailboxes[] = {
        {"A\xE2\x82\xAC"
         "B",
         "A&IKw-B"},
        {"\xE2\x82\xAC.", "&IKw-."},
        {"\xE2\x82\xAC-", "&IKw--"},
        {"\xE2\x82\xAC&\xE2\x82\xAC\xE2\x82\xAC z", "&IKw-&-&IKwgrA- z"},
        {"a&b&-", "a&-b&--"},
        {"\xEF\xBF\xBF+", "&,,8-+"},
        {"\xF0\x9F\x98\x80", "&2D3eAA-"},
        {"~\\\t\x7F", "~\\&AAkAfw-"},
        {"'(),-./:? 09azAZ+!", "'(),-./:? 09azAZ+!"},
    };
    utf7_texts(t, "UTF-7", texts, sizeof texts / sizeof *texts);
    utf7_texts(t, "UTF-7-IMAP", mailboxes, sizeof mailboxes / sizeof *mailboxes);
    static const struct script scripts[] = {
        WRONG("UTF-7", "UTF-8", STOP(EILSEQ, "80", 0, ""), STOP(EILSEQ, "7E", 0, ""),
              STOP(EINVAL, "2B", 0, ""), OK("2B2D", "2B"), OK("21", "21")),
        WRONG("UTF-7", "UTF-8", STOP(EILSEQ, "2B414F6C2D", 4, "C3A9"), RESETS(""), OK("2D", "2D")),
        WRONG("UTF-7-IMAP", "UTF-8", STOP(EILSEQ, "80", 0, ""), STOP(EILSEQ, "0A", 0, ""),
              STOP(EINVAL, "26", 0, ""), OK("262D", "26"), OK("21", "21")),
        /* Base64 must end with a hyphen, and no bits may be left. */
        WRONG("UTF-7-IMAP", "UTF-8", STOP(EILSEQ, "26414F6B21", 4, "C3A9"), OK("2D21", "21"),
              STOP(EILSEQ, "26414F6C2D", 4, "C3A9"), RESETS(""), OK("2D", "2D")),
        /* The RFC forbids characters of ASCII in base64, and base64 after other base64. */
        WRONG("UTF-7-IMAP", "UTF-8", OK("264147452D26414F6B2D", "61C3A9")),
        {"UTF-7", "UTF-8", "UTF-7", {{NULL, 0, 0, 0, ""}, OK("41", "41"), {NULL, 0, 0, 0, ""}}},
        {"UTF-7", "UTF-8", "UTF-7-IMAP", {{NULL, 0, 0, 0, ""}, OK("26", "262D"), {NULL, 0, 0, 0, ""}}},
    };
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        run(t, &scripts[i]);
    }
}

/* Letters that are several bytes, or several letters that are one pair of bytes: each split gives what one call gives. */
static void letters(struct tester *t) {
    static const char *const texts[][3] = {
        {"BIG5-HKSCS", "a\xC3\x8A\xCC\x84\xC3\x8A\xC3\xAA\xCC\x8C\xC3\xAA", "a\x88\x62\x88\x66\x88\xA5\x88\xA7"},
        {"BIG5-HKSCS", "\xC3\x8A\xCC\x8C\xC3\xAA\xCC\x84z", "\x88\x64\x88\xA3z"},
        {"CP1258", "Vi\xE1\xBB\x87t \xE1\xBA\xBF", "Vi\xEA\xF2t \xEA\xEC"},
        {"CP1255", "\xEF\xAC\xAC\xEF\xAC\xAE", "\xF9\xCC\xD1\xE0\xC7"},
    };
    t->property = "letters and marks";
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *charset = texts[i][0], *text = texts[i][1], *encoded = texts[i][2];
        t->from = "UTF-8";
        t->to = charset;
        iconv_t cd = open_or_fail(t, charset, "UTF-8");
        in_two(t, cd, (const unsigned char *)text, strlen(text), encoded);
        iconv_close(cd);
        t->from = charset;
        t->to = "UTF-8";
        iconv_t back = open_or_fail(t, "UTF-8", charset);
        /* Some implementations compose what they read. */
        char expected[4 * AMPLE];
        struct outcome o = convert(t, back, (const unsigned char *)encoded, strlen(encoded), AMPLE);
        memcpy(expected, o.out, o.written);
        size_t written = o.written;
        o = reset(t, back, AMPLE);
        memcpy(expected + written, o.out, o.written);
        expected[written + o.written] = 0;
        in_two(t, back, (const unsigned char *)encoded, strlen(encoded), expected);
        iconv_close(back);
    }
}

static void names(struct tester *t) {
    t->property = "a name";
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        iconv_t cd = open_or_fail(t, NAMES[i], "UTF-8");
        if (cd != (iconv_t)-1) {
            expect(t, iconv_close(cd) == 0, NULL, 0, "iconv_close failed");
        }
        cd = open_or_fail(t, "UTF-8", NAMES[i]);
        if (cd != (iconv_t)-1) {
            expect(t, iconv_close(cd) == 0, NULL, 0, "iconv_close failed");
        }
    }
    for (size_t i = 0; i < sizeof UNKNOWN / sizeof *UNKNOWN; i++) {
        t->from = UNKNOWN[i];
        t->to = UNKNOWN[i];
        errno = 0;
        iconv_t cd = iconv_open(UNKNOWN[i], "UTF-8");
        expect(t, cd == (iconv_t)-1 && errno == EINVAL, NULL, 0, "opened, or not with EINVAL");
        if (cd != (iconv_t)-1) {
            iconv_close(cd);
        }
        errno = 0;
        cd = iconv_open("UTF-8", UNKNOWN[i]);
        expect(t, cd == (iconv_t)-1 && errno == EINVAL, NULL, 0, "opened, or not with EINVAL");
        if (cd != (iconv_t)-1) {
            iconv_close(cd);
        }
    }
}

/* Any of these is a reset, although a length says that there is an input. */
static void arguments(struct tester *t) {
    t->property = "arguments";
    iconv_t cd = open_or_fail(t, "UTF-8", "ISO-8859-1");
    char *in = NULL, out[8], *to = out, *none = NULL;
    size_t in_left = 5, out_left = sizeof out, no_room = 0;
    expect(t, iconv(cd, NULL, NULL, NULL, NULL) == 0, NULL, 0, "no arguments");
    expect(t, iconv(cd, &in, &in_left, &to, &out_left) == 0, NULL, 0, "*inbuf is NULL");
    expect(t, iconv(cd, &in, NULL, &to, &out_left) == 0, NULL, 0, "inbytesleft is NULL");
    expect(t, iconv(cd, NULL, NULL, &none, &no_room) == 0, NULL, 0, "*outbuf is NULL");
    expect(t, in == NULL && to == out && out_left == sizeof out, NULL, 0, "a reset moved");
    expect(t, iconv_close(cd) == 0, NULL, 0, "iconv_close failed");
    /* The compiler must not see that this is no object. */
    iconv_t volatile failed = (iconv_t)-1;
    errno = 0;
    expect(t, iconv(failed, NULL, NULL, NULL, NULL) == (size_t)-1 && errno == EBADF, NULL, 0,
           "iconv with -1 did not give EBADF");
    errno = 0;
    expect(t, iconv_close(failed) == -1 && errno == EBADF, NULL, 0,
           "iconv_close with -1 did not give EBADF");
}

void details(struct tester *t) {
    for (size_t i = 0; i < sizeof SCRIPTS / sizeof *SCRIPTS; i++) {
        run(t, &SCRIPTS[i]);
    }
    utf7(t);
    letters(t);
    names(t);
    arguments(t);
}
