/*
 * textcodec: the Encoding Standard (https://encoding.spec.whatwg.org/) in C11 and C++.
 *
 * Decodes and encodes the 40 encodings of the web, exactly as browsers do, true ISO-8859-1 and
 * US-ASCII, and encodings outside the standard, such as code pages and UTF-7. Whole inputs:
 * textcodec_decode and textcodec_encode. Inputs in chunks: textcodec_decoder and textcodec_encoder.
 * For C++, see also textcodec.hpp.
 *
 * Rules for all functions:
 *
 * - Lengths and offsets count units: bytes of an encoding or of UTF-8, char16_t of UTF-16, char32_t
 *   of UTF-32. UTF-16 and UTF-32 are in native byte order. Text needs no NUL at its end.
 * - A pointer to text or bytes may be NULL if its length is 0. Otherwise it must be aligned for its
 *   type and valid for its length. A length above PTRDIFF_MAX bytes is TEXTCODEC_INVALID_ARGUMENT.
 * - A source must not overlap its destination: TEXTCODEC_INVALID_ARGUMENT. The other arguments must
 *   be separate objects, and are not checked.
 * - An object must not be used by two threads at the same time. Otherwise, every function may be
 *   called from any thread. The library has no global state that changes, except for the tables of
 *   encodings outside the standard. They are derived at their first use, in memory that stays.
 * - The library never ends the program, and it allocates memory only where that is documented.
 */
#ifndef TEXTCODEC_H
#define TEXTCODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>
#ifndef __cplusplus
#include <uchar.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The version of these declarations. Programs can compare it with textcodec_abi_version. */
#define TEXTCODEC_ABI_VERSION 0

/* Returns the version of the library, such as "0.1.0". */
const char *textcodec_version(void);

/*
 * Returns the number in the name of the shared library. It changes when programs must be compiled
 * again.
 */
uint32_t textcodec_abi_version(void);

/*
 * Frees memory that textcodec_decode, textcodec_encode or one of their variants has returned. NULL
 * has no effect.
 */
void textcodec_free(void *memory);

/* ---- Results ---- */

/* The result of a function. If it is negative, nothing was converted, and no object has changed. */
typedef int32_t textcodec_status;

enum {
    TEXTCODEC_OK = 0,
    /* The destination is full. Call again with the rest of the source and the same `last`. */
    TEXTCODEC_OUTPUT_FULL = 1,
    /* There is a malformed sequence of bytes. */
    TEXTCODEC_MALFORMED = 2,
    /* There is a character that the encoding cannot represent, or ill-formed text. */
    TEXTCODEC_UNMAPPABLE = 3,
    /* An argument breaks a rule: see the rules at the start of this file, and each function. */
    TEXTCODEC_INVALID_ARGUMENT = -1,
    /* There is not enough memory. */
    TEXTCODEC_NO_MEMORY = -2,
    /* The library cannot do this: the encoding has no encoder. */
    TEXTCODEC_UNAVAILABLE = -3
};

/* ---- Encodings ---- */

/* An encoding. The numbers never change. */
typedef int32_t textcodec_encoding;

enum {
    /* No encoding. Functions that take an encoding accept any number, and treat unknown ones alike.
     * */
    TEXTCODEC_NONE = -1,
    /* Encodings, by `cargo xtask tables`. */
    /* UTF-8: all of Unicode; use it for all new text. */
    TEXTCODEC_UTF_8 = 0,
    /* IBM866: Cyrillic with box drawing, MS-DOS. */
    TEXTCODEC_IBM866 = 1,
    /* ISO-8859-2: Central European, such as Polish, Czech and Hungarian. */
    TEXTCODEC_ISO_8859_2 = 2,
    /* ISO-8859-3: South European, such as Maltese and Esperanto. */
    TEXTCODEC_ISO_8859_3 = 3,
    /* ISO-8859-4: North European, such as Sami and Greenlandic. */
    TEXTCODEC_ISO_8859_4 = 4,
    /* ISO-8859-5: Cyrillic. */
    TEXTCODEC_ISO_8859_5 = 5,
    /* ISO-8859-6: Arabic. */
    TEXTCODEC_ISO_8859_6 = 6,
    /* ISO-8859-7: Greek. */
    TEXTCODEC_ISO_8859_7 = 7,
    /* ISO-8859-8: Hebrew in visual order. */
    TEXTCODEC_ISO_8859_8 = 8,
    /* ISO-8859-8-I: Hebrew in logical order. */
    TEXTCODEC_ISO_8859_8_I = 9,
    /* ISO-8859-10: Nordic, such as Icelandic and Sami. */
    TEXTCODEC_ISO_8859_10 = 10,
    /* ISO-8859-13: Baltic, such as Lithuanian and Latvian. */
    TEXTCODEC_ISO_8859_13 = 11,
    /* ISO-8859-14: Celtic, such as Welsh and Irish. */
    TEXTCODEC_ISO_8859_14 = 12,
    /* ISO-8859-15: Western European with the euro sign. */
    TEXTCODEC_ISO_8859_15 = 13,
    /* ISO-8859-16: South-Eastern European, such as Romanian. */
    TEXTCODEC_ISO_8859_16 = 14,
    /* KOI8-R: Russian with box drawing, Unix and mail. */
    TEXTCODEC_KOI8_R = 15,
    /* KOI8-U: Ukrainian, Belarusian and Russian with box drawing. */
    TEXTCODEC_KOI8_U = 16,
    /* macintosh: Western European, classic Mac OS. */
    TEXTCODEC_MACINTOSH = 17,
    /* windows-874: Thai. */
    TEXTCODEC_WINDOWS_874 = 18,
    /* windows-1250: Central European, Windows. */
    TEXTCODEC_WINDOWS_1250 = 19,
    /* windows-1251: Cyrillic, Windows. */
    TEXTCODEC_WINDOWS_1251 = 20,
    /* windows-1252: Western European, Windows; on the web also latin1 and ascii. */
    TEXTCODEC_WINDOWS_1252 = 21,
    /* windows-1253: Greek, Windows. */
    TEXTCODEC_WINDOWS_1253 = 22,
    /* windows-1254: Turkish, Windows; on the web also latin5. */
    TEXTCODEC_WINDOWS_1254 = 23,
    /* windows-1255: Hebrew, Windows. */
    TEXTCODEC_WINDOWS_1255 = 24,
    /* windows-1256: Arabic, Windows. */
    TEXTCODEC_WINDOWS_1256 = 25,
    /* windows-1257: Baltic, Windows. */
    TEXTCODEC_WINDOWS_1257 = 26,
    /* windows-1258: Vietnamese, Windows. */
    TEXTCODEC_WINDOWS_1258 = 27,
    /* x-mac-cyrillic: Cyrillic, classic Mac OS. */
    TEXTCODEC_X_MAC_CYRILLIC = 28,
    /* GBK: simplified Chinese; on the web also gb2312. */
    TEXTCODEC_GBK = 29,
    /* gb18030: all of Unicode, the Chinese standard of 2022. */
    TEXTCODEC_GB18030 = 30,
    /* Big5: traditional Chinese; Hong Kong's characters when decoding. */
    TEXTCODEC_BIG5 = 31,
    /* EUC-JP: Japanese, Unix; characters of three bytes are only decoded. */
    TEXTCODEC_EUC_JP = 32,
    /* ISO-2022-JP: Japanese, mail. */
    TEXTCODEC_ISO_2022_JP = 33,
    /* Shift_JIS: Japanese, like Windows code page 932. */
    TEXTCODEC_SHIFT_JIS = 34,
    /* EUC-KR: Korean with all syllables, like Windows code page 949. */
    TEXTCODEC_EUC_KR = 35,
    /* replacement: nothing; replaces encodings that are unsafe to decode. */
    TEXTCODEC_REPLACEMENT = 36,
    /* UTF-16BE: all of Unicode, high byte first. */
    TEXTCODEC_UTF_16BE = 37,
    /* UTF-16LE: all of Unicode, low byte first; on the web also utf-16. */
    TEXTCODEC_UTF_16LE = 38,
    /* x-user-defined: any bytes, as ASCII and private-use characters. */
    TEXTCODEC_X_USER_DEFINED = 39,
    /* True ISO-8859-1: byte n is U+0000 plus n. The Infra Standard calls it "isomorphic". */
    TEXTCODEC_LATIN1 = 40,
    /* US-ASCII and nothing else: bytes from 0x80 on are malformed. */
    TEXTCODEC_US_ASCII = 41,
    /* IBM437: United States, MS-DOS. */
    TEXTCODEC_IBM437 = 42,
    /* DOS-720: Arabic, MS-DOS. */
    TEXTCODEC_DOS_720 = 43,
    /* IBM737: Greek, MS-DOS. */
    TEXTCODEC_IBM737 = 44,
    /* IBM775: Baltic, MS-DOS. */
    TEXTCODEC_IBM775 = 45,
    /* IBM808: Cyrillic with the euro sign, MS-DOS. */
    TEXTCODEC_IBM808 = 46,
    /* IBM850: Western European, MS-DOS. */
    TEXTCODEC_IBM850 = 47,
    /* IBM852: Central European, MS-DOS. */
    TEXTCODEC_IBM852 = 48,
    /* IBM855: Cyrillic of Eastern Europe, MS-DOS. */
    TEXTCODEC_IBM855 = 49,
    /* IBM857: Turkish, MS-DOS. */
    TEXTCODEC_IBM857 = 50,
    /* IBM00858: Western European with the euro sign, MS-DOS. */
    TEXTCODEC_IBM00858 = 51,
    /* IBM860: Portuguese, MS-DOS. */
    TEXTCODEC_IBM860 = 52,
    /* IBM861: Icelandic, MS-DOS. */
    TEXTCODEC_IBM861 = 53,
    /* IBM862: Hebrew, MS-DOS. */
    TEXTCODEC_IBM862 = 54,
    /* IBM863: Canadian French, MS-DOS. */
    TEXTCODEC_IBM863 = 55,
    /* IBM864: Arabic, MS-DOS, without the percent sign. */
    TEXTCODEC_IBM864 = 56,
    /* IBM865: Nordic, MS-DOS. */
    TEXTCODEC_IBM865 = 57,
    /* IBM869: Modern Greek, MS-DOS. */
    TEXTCODEC_IBM869 = 58,
    /* IBM1125: Ukrainian, MS-DOS. */
    TEXTCODEC_IBM1125 = 59,
    /* IBM037: United States and Canada, EBCDIC. */
    TEXTCODEC_IBM037 = 60,
    /* IBM273: German, EBCDIC. */
    TEXTCODEC_IBM273 = 61,
    /* IBM277: Danish and Norwegian, EBCDIC. */
    TEXTCODEC_IBM277 = 62,
    /* IBM278: Finnish and Swedish, EBCDIC. */
    TEXTCODEC_IBM278 = 63,
    /* IBM280: Italian, EBCDIC. */
    TEXTCODEC_IBM280 = 64,
    /* IBM284: Spanish, EBCDIC. */
    TEXTCODEC_IBM284 = 65,
    /* IBM285: United Kingdom, EBCDIC. */
    TEXTCODEC_IBM285 = 66,
    /* IBM297: French, EBCDIC. */
    TEXTCODEC_IBM297 = 67,
    /* IBM500: Western European, EBCDIC. */
    TEXTCODEC_IBM500 = 68,
    /* IBM871: Icelandic, EBCDIC. */
    TEXTCODEC_IBM871 = 69,
    /* IBM00924: Latin-9, Unix services of z/OS, EBCDIC. */
    TEXTCODEC_IBM00924 = 70,
    /* IBM1047: Latin-1, Unix services of z/OS, EBCDIC. */
    TEXTCODEC_IBM1047 = 71,
    /* IBM01140: United States and Canada with the euro sign, EBCDIC. */
    TEXTCODEC_IBM01140 = 72,
    /* IBM01141: German with the euro sign, EBCDIC. */
    TEXTCODEC_IBM01141 = 73,
    /* IBM01142: Danish and Norwegian with the euro sign, EBCDIC. */
    TEXTCODEC_IBM01142 = 74,
    /* IBM01143: Finnish and Swedish with the euro sign, EBCDIC. */
    TEXTCODEC_IBM01143 = 75,
    /* IBM01144: Italian with the euro sign, EBCDIC. */
    TEXTCODEC_IBM01144 = 76,
    /* IBM01145: Spanish with the euro sign, EBCDIC. */
    TEXTCODEC_IBM01145 = 77,
    /* IBM01146: United Kingdom with the euro sign, EBCDIC. */
    TEXTCODEC_IBM01146 = 78,
    /* IBM01147: French with the euro sign, EBCDIC. */
    TEXTCODEC_IBM01147 = 79,
    /* IBM01148: Western European with the euro sign, EBCDIC. */
    TEXTCODEC_IBM01148 = 80,
    /* IBM01149: Icelandic with the euro sign, EBCDIC. */
    TEXTCODEC_IBM01149 = 81,
    /* true-iso-8859-9: Turkish, without the additions of windows-1254. */
    TEXTCODEC_TRUE_ISO_8859_9 = 82,
    /* true-iso-8859-11: Thai, without the additions of windows-874. */
    TEXTCODEC_TRUE_ISO_8859_11 = 83,
    /* true-tis-620: Thai, without a no-break space. */
    TEXTCODEC_TRUE_TIS_620 = 84,
    /* true-koi8-u: Ukrainian, without the Belarusian letter of the standard's KOI8-U. */
    TEXTCODEC_TRUE_KOI8_U = 85,
    /* true-koi8-ru: Russian, Ukrainian and Belarusian. */
    TEXTCODEC_TRUE_KOI8_RU = 86,
    /* KOI8-T: Tajik. */
    TEXTCODEC_KOI8_T = 87,
    /* IBM290: Japanese, half-width katakana, EBCDIC. */
    TEXTCODEC_IBM290 = 88,
    /* IBM420: Arabic, EBCDIC. */
    TEXTCODEC_IBM420 = 89,
    /* IBM424: Hebrew, EBCDIC. */
    TEXTCODEC_IBM424 = 90,
    /* IBM-Thai: Thai, EBCDIC. */
    TEXTCODEC_IBM_THAI = 91,
    /* IBM870: Central European, EBCDIC. */
    TEXTCODEC_IBM870 = 92,
    /* IBM875: Greek, EBCDIC. */
    TEXTCODEC_IBM875 = 93,
    /* IBM880: Cyrillic, older, EBCDIC. */
    TEXTCODEC_IBM880 = 94,
    /* IBM905: Turkish, Maltese and Esperanto, EBCDIC. */
    TEXTCODEC_IBM905 = 95,
    /* IBM918: Urdu, EBCDIC. */
    TEXTCODEC_IBM918 = 96,
    /* IBM1025: Cyrillic, EBCDIC. */
    TEXTCODEC_IBM1025 = 97,
    /* IBM1026: Turkish, EBCDIC. */
    TEXTCODEC_IBM1026 = 98,
    /* IBM1097: Farsi, EBCDIC. */
    TEXTCODEC_IBM1097 = 99,
    /* IBM1112: Baltic, EBCDIC. */
    TEXTCODEC_IBM1112 = 100,
    /* IBM1122: Estonian, EBCDIC. */
    TEXTCODEC_IBM1122 = 101,
    /* IBM1123: Ukrainian, EBCDIC. */
    TEXTCODEC_IBM1123 = 102,
    /* IBM1130: Vietnamese, EBCDIC. */
    TEXTCODEC_IBM1130 = 103,
    /* IBM1153: Central European with the euro sign, EBCDIC. */
    TEXTCODEC_IBM1153 = 104,
    /* IBM1154: Cyrillic with the euro sign, EBCDIC. */
    TEXTCODEC_IBM1154 = 105,
    /* IBM1155: Turkish with the euro sign, EBCDIC. */
    TEXTCODEC_IBM1155 = 106,
    /* IBM1156: Baltic with the euro sign, EBCDIC. */
    TEXTCODEC_IBM1156 = 107,
    /* IBM1157: Estonian with the euro sign, EBCDIC. */
    TEXTCODEC_IBM1157 = 108,
    /* IBM1158: Ukrainian with the euro sign, EBCDIC. */
    TEXTCODEC_IBM1158 = 109,
    /* IBM1160: Thai with the euro sign, EBCDIC. */
    TEXTCODEC_IBM1160 = 110,
    /* IBM1164: Vietnamese with the euro sign, EBCDIC. */
    TEXTCODEC_IBM1164 = 111,
    /* x-mac-ce: Central European, classic Mac OS. */
    TEXTCODEC_X_MAC_CE = 112,
    /* x-mac-greek: Greek, classic Mac OS. */
    TEXTCODEC_X_MAC_GREEK = 113,
    /* x-mac-turkish: Turkish, classic Mac OS. */
    TEXTCODEC_X_MAC_TURKISH = 114,
    /* x-mac-croatian: Croatian, classic Mac OS. */
    TEXTCODEC_X_MAC_CROATIAN = 115,
    /* x-mac-romanian: Romanian, classic Mac OS. */
    TEXTCODEC_X_MAC_ROMANIAN = 116,
    /* x-mac-icelandic: Icelandic, classic Mac OS. */
    TEXTCODEC_X_MAC_ICELANDIC = 117,
    /* VISCII: Vietnamese, precomposed. */
    TEXTCODEC_VISCII = 118,
    /* TCVN5712-1: Vietnamese, TCVN 5712:1993. */
    TEXTCODEC_TCVN5712_1 = 119,
    /* PTCP154: Kazakh and other Cyrillic of Asia. */
    TEXTCODEC_PTCP154 = 120,
    /* KZ-1048: Kazakh. */
    TEXTCODEC_KZ_1048 = 121,
    /* ARMSCII-8: Armenian. */
    TEXTCODEC_ARMSCII_8 = 122,
    /* GEORGIAN-ACADEMY: Georgian, Academy of Sciences. */
    TEXTCODEC_GEORGIAN_ACADEMY = 123,
    /* GEORGIAN-PS: Georgian, Parliament. */
    TEXTCODEC_GEORGIAN_PS = 124,
    /* hp-roman8: Western European, HP-UX and printers. */
    TEXTCODEC_HP_ROMAN8 = 125,
    /* NEXTSTEP: Western European, NeXTSTEP. */
    TEXTCODEC_NEXTSTEP = 126,
    /* DEC-MCS: Western European, DEC terminals. */
    TEXTCODEC_DEC_MCS = 127,
    /* MIK: Bulgarian, MS-DOS. */
    TEXTCODEC_MIK = 128,
    /* UTF-7: mail, RFC 2152. The encoder writes set O of the RFC in base64. */
    TEXTCODEC_UTF_7 = 129,
    /* UTF-7-IMAP: names of mailboxes in IMAP, RFC 3501, section 5.1.3. */
    TEXTCODEC_UTF_7_IMAP = 130,
    /* UTF-32: the decoder reads a byte order mark, and big-endian text without one. The encoder
     * writes a big-endian mark. */
    TEXTCODEC_UTF_32 = 131,
    /* UTF-32BE: big-endian, without a byte order mark. */
    TEXTCODEC_UTF_32BE = 132,
    /* UTF-32LE: little-endian, without a byte order mark. */
    TEXTCODEC_UTF_32LE = 133,
    /* true-ucs-2be: UTF-16BE without surrogates, so without characters beyond U+FFFF. */
    TEXTCODEC_TRUE_UCS_2BE = 134,
    /* true-ucs-2le: UTF-16LE without surrogates, so without characters beyond U+FFFF. */
    TEXTCODEC_TRUE_UCS_2LE = 135,
    /* CESU-8: UTF-8, but characters beyond U+FFFF are surrogate pairs, in six bytes: UTR #26. */
    TEXTCODEC_CESU_8 = 136,
    /* true-hz: simplified Chinese in old mail, RFC 1843. Its labels mean TEXTCODEC_REPLACEMENT. */
    TEXTCODEC_TRUE_HZ = 137,
    /* true-iso-2022-kr: Korean in old mail, RFC 1557. Its labels mean TEXTCODEC_REPLACEMENT. */
    TEXTCODEC_TRUE_ISO_2022_KR = 138,
    /* JOHAB: Korean, syllables by the numbers of their letters. */
    TEXTCODEC_JOHAB = 139,
    /* GSM-03.38: short messages, the default alphabet with one septet in each byte. */
    TEXTCODEC_GSM_03_38 = 140,
};

/*
 * Returns the encoding of a label in a document or protocol: the standard's "get an encoding".
 * Ignores ASCII case and surrounding ASCII white space. TEXTCODEC_NONE if it is not a label.
 */
textcodec_encoding textcodec_encoding_for_label(const char *label, size_t length);

/*
 * Returns the encoding of a name: a label; the name of an encoding outside the standard in exactly
 * its spelling; or an alias outside the standard, such as "cp932", "latin_1" or "cp850".
 * TEXTCODEC_NONE if the name is unknown. So this reads what textcodec_encoding_name returns. For
 * labels in documents and protocols, use textcodec_encoding_for_label.
 */
textcodec_encoding textcodec_encoding_for_name(const char *name, size_t length);

/*
 * Returns the encoding of a byte order mark at the start of the bytes, or TEXTCODEC_NONE.
 * *bom_length becomes the length of the mark in bytes, or 0; `bom_length` may be NULL.
 */
textcodec_encoding textcodec_encoding_for_bom(const void *bytes, size_t length, size_t *bom_length);

/* Returns the name in the standard's spelling, which must not be freed. NULL if unknown. */
const char *textcodec_encoding_name(textcodec_encoding encoding);

/*
 * Returns the number of labels. 0 for encodings that are not in the standard, and for unknown
 * ones.
 */
size_t textcodec_encoding_label_count(textcodec_encoding encoding);

/* Returns a label, which must not be freed. NULL if there is none with this index. */
const char *textcodec_encoding_label(textcodec_encoding encoding, size_t index);

/* Returns the number of encodings. */
size_t textcodec_encoding_count(void);

/*
 * Returns the encoding with this index, from 0 to textcodec_encoding_count() - 1, or
 * TEXTCODEC_NONE. The first 40 are those of the standard, in the order of its table.
 */
textcodec_encoding textcodec_encoding_at(size_t index);

/*
 * Returns the encoding for forms and URLs of a page in this encoding: UTF-8 for UTF-16BE, UTF-16LE
 * and replacement, and the encoding itself for others. The standard's "get an output encoding".
 */
textcodec_encoding textcodec_encoding_output(textcodec_encoding encoding);

/* Returns whether ASCII text is the same bytes. False if unknown, also in the functions below. */
bool textcodec_encoding_is_ascii_compatible(textcodec_encoding encoding);

/* Returns whether every byte is a whole character, or malformed by itself. */
bool textcodec_encoding_is_single_byte(textcodec_encoding encoding);

/* Returns whether the encoding can represent a character. False if it is not a scalar value. */
bool textcodec_encoding_can_encode(textcodec_encoding encoding, uint32_t code_point);

/* Returns whether a browser should let a user override the encoding of a page in this encoding. */
bool textcodec_encoding_may_be_overridden(textcodec_encoding encoding);

/* Returns whether a browser should let a user override the encoding of a page by this one. */
bool textcodec_encoding_may_be_overridden_to(textcodec_encoding encoding);

/* Returns whether text can be encoded. False for replacement. */
bool textcodec_encoding_has_encoder(textcodec_encoding encoding);

/* ---- Errors ---- */

/* Values of `reason` in textcodec_error. Later versions may have more. */
enum {
    TEXTCODEC_REASON_NONE = 0,
    /* Decoding: a byte that cannot start a character. */
    TEXTCODEC_REASON_INVALID_BYTE = 1,
    /* Decoding: an incomplete sequence that the next byte does not continue. */
    TEXTCODEC_REASON_INTERRUPTED = 2,
    /* Decoding: a complete sequence that does not map to a character. */
    TEXTCODEC_REASON_UNMAPPED = 3,
    /* Decoding: an incomplete sequence at the end of the input. */
    TEXTCODEC_REASON_INCOMPLETE = 4,
    /* Decoding: an unpaired surrogate. */
    TEXTCODEC_REASON_UNPAIRED_SURROGATE = 5,
    /* Decoding: an escape byte that does not start a known escape sequence. */
    TEXTCODEC_REASON_UNKNOWN_ESCAPE = 6,
    /* Decoding: an escape sequence directly after another one. */
    TEXTCODEC_REASON_EMPTY_ESCAPE = 7,
    /* Decoding: the encoding is TEXTCODEC_REPLACEMENT. */
    TEXTCODEC_REASON_REPLACEMENT = 8,
    /* Encoding: a character that the encoding cannot represent. */
    TEXTCODEC_REASON_UNMAPPABLE = 16,
    /* Encoding with `reject_ill_formed`: a sequence that is not well-formed UTF-8, an unpaired
     * surrogate in UTF-16, or a number in UTF-32 that is not a scalar value. */
    TEXTCODEC_REASON_ILL_FORMED = 17
};

typedef struct textcodec_error {
    /* Where the malformed sequence or the character starts, and one past its last unit. In units of
     * the source, from the start of the whole input. */
    uint64_t start;
    uint64_t end;
    /* TEXTCODEC_REASON_... */
    int32_t reason;
    /* Encoding: the code point of the standard's error, such as for "&#8364;". It is the character,
     * except for U+FFFD: ill-formed text, and U+000E, U+000F and U+001B in ISO-2022-JP and
     * true-iso-2022-kr, to prevent the injection of escape sequences. Decoding: 0. */
    uint32_t code_point;
    textcodec_encoding encoding;
    /* Decoding: the malformed bytes, `end - start` of them. The others are 0. */
    uint8_t bytes[4];
    /* Always 0. */
    uint32_t reserved[2];
} textcodec_error;

/* ---- Options ---- */

/* Values of `bom` in textcodec_decode_options. */
enum {
    /* Remove a mark of UTF-8, UTF-16BE or UTF-16LE, and decode that encoding instead of the
     * requested one. Browsers do this. */
    TEXTCODEC_BOM_SNIFF = 0,
    /* Remove a mark of the requested encoding. Any other mark is text. */
    TEXTCODEC_BOM_STRIP_OWN = 1,
    /* A mark is text. */
    TEXTCODEC_BOM_KEEP = 2
};

/* Values of `malformed` in textcodec_decode_options. */
enum {
    /* Write U+FFFD for each malformed sequence, and count them. Browsers do this. */
    TEXTCODEC_MALFORMED_REPLACE = 0,
    /* Stop at the first malformed sequence. Later calls return the same error, until a reset. */
    TEXTCODEC_MALFORMED_FAIL = 1,
    /* Stop at each malformed sequence. The next call continues after it. For whole inputs, this is
     * the same as TEXTCODEC_MALFORMED_FAIL. */
    TEXTCODEC_MALFORMED_PAUSE = 2
};

/*
 * How to decode. NULL, and a struct that is all zeros, are what browsers do. Other values than
 * those above are TEXTCODEC_INVALID_ARGUMENT.
 */
typedef struct textcodec_decode_options {
    /* TEXTCODEC_BOM_... */
    int32_t bom;
    /* TEXTCODEC_MALFORMED_... */
    int32_t malformed;
    /* 1: bytes that Microsoft's code page does not assign are malformed, in windows-874 and
     * windows-1250 to windows-1258. 0: they become control characters, as in the standard. */
    int32_t reject_unassigned;
    /* Must be 0. */
    uint32_t reserved[5];
} textcodec_decode_options;

/* Values of `unmappable` in textcodec_encode_options. */
enum {
    /* Stop at the first unmappable character. Later calls return the same error, until a reset. */
    TEXTCODEC_UNMAPPABLE_FAIL = 0,
    /* Stop at each unmappable character. The next call continues after it. For whole texts, this is
     * the same as TEXTCODEC_UNMAPPABLE_FAIL. */
    TEXTCODEC_UNMAPPABLE_PAUSE = 1,
    /* Write a numeric character reference, such as "&#8364;". Browsers do this for forms. */
    TEXTCODEC_UNMAPPABLE_HTML = 2,
    /* Write the character `replacement`, which the encoding must be able to represent. */
    TEXTCODEC_UNMAPPABLE_REPLACE = 3,
    /* Write nothing. */
    TEXTCODEC_UNMAPPABLE_SKIP = 4
};

/*
 * How to encode. NULL, and a struct that is all zeros, are the standard's "encode or fail", which
 * never changes text silently except that ill-formed text becomes U+FFFD. Other values than those
 * above are TEXTCODEC_INVALID_ARGUMENT.
 */
typedef struct textcodec_encode_options {
    /* TEXTCODEC_UNMAPPABLE_... */
    int32_t unmappable;
    /* The code point for TEXTCODEC_UNMAPPABLE_REPLACE. 0 for others. */
    uint32_t replacement;
    /* 1: the output starts with a byte order mark, if the encoding is UTF-8, UTF-16BE or UTF-16LE.
     * UTF-32 always starts with one, and true-iso-2022-kr with its header. */
    int32_t write_bom;
    /* 1: ill-formed text is handled like an unmappable character, in every encoding. 0: each
     * ill-formed sequence is encoded as U+FFFD, as in the standard. */
    int32_t reject_ill_formed;
    /* Must be 0. */
    uint32_t reserved[4];
} textcodec_encode_options;

/* ---- Whole inputs ---- */

/* What happened apart from the output. */
typedef struct textcodec_summary {
    /* The number of errors that were replaced or skipped. 1 if an error has ended the conversion.
     * */
    uint64_t error_count;
    /* The first of them. Its reason is TEXTCODEC_REASON_NONE if there is none. */
    textcodec_error first_error;
    /* The encoding that was used: the requested one, or that of a byte order mark. */
    textcodec_encoding encoding;
    /* Whether a byte order mark was removed: 1 or 0. */
    int32_t bom_removed;
    /* Always 0. */
    uint32_t reserved[4];
} textcodec_summary;

/*
 * Decodes a whole input to UTF-8.
 *
 * If the status is TEXTCODEC_OK, *text is the text with a NUL after it, which the caller must free
 * with textcodec_free, and *text_length is its length without this NUL. The text can contain more
 * NULs. Otherwise, *text is NULL and *text_length is 0. `summary` may be NULL, and so may
 * `options`.
 *
 * TEXTCODEC_MALFORMED: there is a malformed sequence, and the options do not replace it.
 * TEXTCODEC_INVALID_ARGUMENT: the encoding is unknown, an option has no meaning, `text` or
 * `text_length` is NULL, or the input breaks a rule. TEXTCODEC_NO_MEMORY: malloc has failed.
 */
textcodec_status textcodec_decode(textcodec_encoding encoding, const void *bytes, size_t length,
                                  const textcodec_decode_options *options, char **text,
                                  size_t *text_length, textcodec_summary *summary);

/* Decodes a whole input to UTF-16. See textcodec_decode. */
textcodec_status textcodec_decode_utf16(textcodec_encoding encoding, const void *bytes,
                                        size_t length, const textcodec_decode_options *options,
                                        char16_t **text, size_t *text_length,
                                        textcodec_summary *summary);

/* Decodes a whole input to UTF-32. See textcodec_decode. */
textcodec_status textcodec_decode_utf32(textcodec_encoding encoding, const void *bytes,
                                        size_t length, const textcodec_decode_options *options,
                                        char32_t **text, size_t *text_length,
                                        textcodec_summary *summary);

/*
 * Encodes a whole text of UTF-8. It may be ill-formed: each ill-formed sequence is encoded as
 * U+FFFD, like an unpaired surrogate in UTF-16, or is an error if `reject_ill_formed` is 1.
 *
 * If the status is TEXTCODEC_OK, *bytes are the bytes with a NUL byte after them, which the caller
 * must free with textcodec_free, and *bytes_length is their number without this NUL. Otherwise,
 * *bytes is NULL and *bytes_length is 0. `summary` may be NULL, and so may `options`.
 *
 * TEXTCODEC_UNMAPPABLE: the encoding cannot represent a character, and the options neither replace
 * nor skip it. TEXTCODEC_UNAVAILABLE: the encoding has no encoder. TEXTCODEC_INVALID_ARGUMENT: the
 * encoding is unknown, an option has no meaning, the encoding cannot represent the replacement,
 * `bytes` or `bytes_length` is NULL, or the text breaks a rule. TEXTCODEC_NO_MEMORY: malloc has
 * failed.
 */
textcodec_status textcodec_encode(textcodec_encoding encoding, const char *text, size_t length,
                                  const textcodec_encode_options *options, void **bytes,
                                  size_t *bytes_length, textcodec_summary *summary);

/* Encodes a whole text of UTF-16, which may be ill-formed. See textcodec_encode. */
textcodec_status textcodec_encode_utf16(textcodec_encoding encoding, const char16_t *text,
                                        size_t length, const textcodec_encode_options *options,
                                        void **bytes, size_t *bytes_length,
                                        textcodec_summary *summary);

/* Encodes a whole text of UTF-32, which may be ill-formed. See textcodec_encode. */
textcodec_status textcodec_encode_utf32(textcodec_encoding encoding, const char32_t *text,
                                        size_t length, const textcodec_encode_options *options,
                                        void **bytes, size_t *bytes_length,
                                        textcodec_summary *summary);

/* ---- Decoding in chunks ---- */

/*
 * Decodes an input in chunks of any length, without allocation. The text, the errors and their
 * offsets do not depend on how the input is split, or on the size of the destinations. The decoder
 * keeps incomplete characters and byte order marks between calls.
 */
typedef struct textcodec_decoder textcodec_decoder;

/* Memory for a decoder, for textcodec_decoder_init. */
typedef union textcodec_decoder_storage {
    uint64_t words[32];
} textcodec_decoder_storage;

/*
 * Creates a decoder. *decoder becomes the decoder, which the caller must free with
 * textcodec_decoder_free, or NULL. `options` may be NULL.
 *
 * TEXTCODEC_INVALID_ARGUMENT: the encoding is unknown, an option has no meaning, or `decoder` is
 * NULL. TEXTCODEC_NO_MEMORY: malloc has failed.
 */
textcodec_status textcodec_decoder_new(textcodec_encoding encoding,
                                       const textcodec_decode_options *options,
                                       textcodec_decoder **decoder);

/*
 * Creates a decoder in memory of the caller, without allocation. Like textcodec_decoder_new, but
 * the decoder need not be freed, and exists as long as the storage, which must not be moved.
 */
textcodec_status textcodec_decoder_init(textcodec_decoder_storage *storage,
                                        textcodec_encoding encoding,
                                        const textcodec_decode_options *options,
                                        textcodec_decoder **decoder);

/* Frees a decoder. No effect for NULL, and for a decoder from textcodec_decoder_init. */
void textcodec_decoder_free(textcodec_decoder *decoder);

/*
 * Copies a decoder with its state. *clone becomes the copy, which the caller must free with
 * textcodec_decoder_free, or NULL. TEXTCODEC_NO_MEMORY: malloc has failed.
 */
textcodec_status textcodec_decoder_clone(const textcodec_decoder *decoder,
                                         textcodec_decoder **clone);

/* Discards the state and starts a new input, with the same encoding and options. */
textcodec_status textcodec_decoder_reset(textcodec_decoder *decoder);

/*
 * Decodes a chunk to UTF-8. `last` means that the input ends with this chunk.
 *
 * *length is the number of bytes, and becomes the number of bytes read. *text_length is the size
 * of the destination, and becomes the number of units written, which is always whole characters.
 * The rest of the destination may change. There is no NUL after the text.
 *
 * TEXTCODEC_OK: the whole chunk was read. With `last`, the input is complete, and the next call
 * starts a new one. TEXTCODEC_OUTPUT_FULL: the next character does not fit. The rest of the chunk
 * can be empty then: call again anyway. A destination of 4 bytes always makes progress, and one of
 * textcodec_decoder_max_utf8 bytes is never too small. TEXTCODEC_MALFORMED: there is a malformed
 * sequence, and the options do not replace it. *error becomes this error; `error` may be NULL, and
 * is unchanged otherwise. Continue at the first byte that was not read.
 * TEXTCODEC_INVALID_ARGUMENT: `decoder`, `length` or `text_length` is NULL, or an argument breaks
 * a rule. Both lengths become 0 then.
 */
textcodec_status textcodec_decoder_to_utf8(textcodec_decoder *decoder, const void *bytes,
                                           size_t *length, char *text, size_t *text_length,
                                           bool last, textcodec_error *error);

/*
 * Decodes a chunk to UTF-16. See textcodec_decoder_to_utf8. A destination of 2 units always makes
 * progress.
 */
textcodec_status textcodec_decoder_to_utf16(textcodec_decoder *decoder, const void *bytes,
                                            size_t *length, char16_t *text, size_t *text_length,
                                            bool last, textcodec_error *error);

/*
 * Decodes a chunk to UTF-32. See textcodec_decoder_to_utf8. A destination of 1 unit always makes
 * progress.
 */
textcodec_status textcodec_decoder_to_utf32(textcodec_decoder *decoder, const void *bytes,
                                            size_t *length, char32_t *text, size_t *text_length,
                                            bool last, textcodec_error *error);

/*
 * Returns the most units that the next `length` bytes can decode to, the end of the input included.
 * SIZE_MAX if that is more than a size_t can hold, or if `decoder` is NULL.
 */
size_t textcodec_decoder_max_utf8(const textcodec_decoder *decoder, size_t length);
size_t textcodec_decoder_max_utf16(const textcodec_decoder *decoder, size_t length);
size_t textcodec_decoder_max_utf32(const textcodec_decoder *decoder, size_t length);

/*
 * Returns the encoding in use: the requested one, or that of a byte order mark after it is read.
 * TEXTCODEC_NONE for NULL.
 */
textcodec_encoding textcodec_decoder_encoding(const textcodec_decoder *decoder);

/* Returns whether a byte order mark was removed. */
bool textcodec_decoder_bom_removed(const textcodec_decoder *decoder);

/* Returns the number of bytes read since the start of the input. */
uint64_t textcodec_decoder_position(const textcodec_decoder *decoder);

/* Returns the number of malformed sequences so far that were replaced. */
uint64_t textcodec_decoder_error_count(const textcodec_decoder *decoder);

/*
 * Returns whether a malformed sequence was replaced. *error becomes the first one; its reason is
 * TEXTCODEC_REASON_NONE if there is none. `error` may be NULL.
 */
bool textcodec_decoder_first_error(const textcodec_decoder *decoder, textcodec_error *error);

/*
 * Returns whether the following bytes decode as at the start of an input without a byte order mark:
 * no mark is possible any more, no character is incomplete or waits for a larger destination, no
 * escape sequence or shift applies, and no error has ended the input. False for NULL.
 */
bool textcodec_decoder_is_at_rest(const textcodec_decoder *decoder);

/*
 * Changes how malformed bytes are handled from the next call on: TEXTCODEC_MALFORMED_... If an
 * error has ended the input, later calls still return it.
 */
textcodec_status textcodec_decoder_set_malformed(textcodec_decoder *decoder, int32_t malformed);

/* ---- Encoding in chunks ---- */

/*
 * Encodes a text in chunks of any length, without allocation. The bytes, the errors and their
 * offsets do not depend on how the text is split, or on the size of the destinations. The encoder
 * keeps incomplete UTF-8 sequences, half a surrogate pair and the state of encodings such as
 * ISO-2022-JP and UTF-7 between calls.
 */
typedef struct textcodec_encoder textcodec_encoder;

/* Memory for an encoder, for textcodec_encoder_init. */
typedef union textcodec_encoder_storage {
    uint64_t words[32];
} textcodec_encoder_storage;

/*
 * Creates an encoder. *encoder becomes the encoder, which the caller must free with
 * textcodec_encoder_free, or NULL. `options` may be NULL.
 *
 * TEXTCODEC_UNAVAILABLE: the encoding has no encoder. TEXTCODEC_INVALID_ARGUMENT: the encoding is
 * unknown, an option has no meaning, the encoding cannot represent the replacement, or `encoder` is
 * NULL. TEXTCODEC_NO_MEMORY: malloc has failed.
 */
textcodec_status textcodec_encoder_new(textcodec_encoding encoding,
                                       const textcodec_encode_options *options,
                                       textcodec_encoder **encoder);

/*
 * Creates an encoder in memory of the caller, without allocation. Like textcodec_encoder_new, but
 * the encoder need not be freed, and exists as long as the storage, which must not be moved.
 */
textcodec_status textcodec_encoder_init(textcodec_encoder_storage *storage,
                                        textcodec_encoding encoding,
                                        const textcodec_encode_options *options,
                                        textcodec_encoder **encoder);

/* Frees an encoder. No effect for NULL, and for an encoder from textcodec_encoder_init. */
void textcodec_encoder_free(textcodec_encoder *encoder);

/*
 * Copies an encoder with its state. *clone becomes the copy, which the caller must free with
 * textcodec_encoder_free, or NULL. TEXTCODEC_NO_MEMORY: malloc has failed.
 */
textcodec_status textcodec_encoder_clone(const textcodec_encoder *encoder,
                                         textcodec_encoder **clone);

/* Discards the state and starts a new text, with the same encoding and options. */
textcodec_status textcodec_encoder_reset(textcodec_encoder *encoder);

/*
 * Encodes a chunk of UTF-8. `last` means that the text ends with this chunk.
 *
 * A chunk may end within a character: the encoder keeps the incomplete sequence and counts it as
 * read. Ill-formed sequences are encoded as U+FFFD, one for each sequence that a decoder would
 * replace, or are errors if `reject_ill_formed` is 1. An incomplete sequence is ill-formed if the
 * text ends there, or if the next chunk is not UTF-8.
 *
 * *length is the number of units, and becomes the number of units read. *bytes_length is the size
 * of the destination, and becomes the number of bytes written. The rest of the destination may
 * change.
 *
 * TEXTCODEC_OK: the whole chunk was read. With `last`, the text is complete, and the next call
 * starts a new one. TEXTCODEC_OUTPUT_FULL: the next bytes do not fit. The rest of the chunk can be
 * empty then: call again anyway. A destination of 1 byte always makes progress, and one of
 * textcodec_encoder_max_from_utf8 bytes is never too small. TEXTCODEC_UNMAPPABLE: the encoding
 * cannot represent a character, or the text is ill-formed, and the options neither replace nor
 * skip this. *error becomes this error; `error` may be NULL, and is unchanged otherwise. Continue
 * at the first unit that was not read. TEXTCODEC_INVALID_ARGUMENT: `encoder`, `length` or
 * `bytes_length` is NULL, or an argument breaks a rule. Both lengths become 0 then.
 */
textcodec_status textcodec_encoder_from_utf8(textcodec_encoder *encoder, const char *text,
                                             size_t *length, void *bytes, size_t *bytes_length,
                                             bool last, textcodec_error *error);

/*
 * Encodes a chunk of UTF-16, which may end within a surrogate pair. See
 * textcodec_encoder_from_utf8.
 */
textcodec_status textcodec_encoder_from_utf16(textcodec_encoder *encoder, const char16_t *text,
                                              size_t *length, void *bytes, size_t *bytes_length,
                                              bool last, textcodec_error *error);

/* Encodes a chunk of UTF-32. See textcodec_encoder_from_utf8. */
textcodec_status textcodec_encoder_from_utf32(textcodec_encoder *encoder, const char32_t *text,
                                              size_t *length, void *bytes, size_t *bytes_length,
                                              bool last, textcodec_error *error);

/*
 * Returns a number of bytes that the next `length` units never exceed, the end of the text
 * included. SIZE_MAX if that is more than a size_t can hold, or if `encoder` is NULL. Well-formed
 * UTF-8 and UTF-32 need less.
 */
size_t textcodec_encoder_max_from_utf8(const textcodec_encoder *encoder, size_t length);
size_t textcodec_encoder_max_from_utf16(const textcodec_encoder *encoder, size_t length);
size_t textcodec_encoder_max_from_utf32(const textcodec_encoder *encoder, size_t length);

/* Returns the encoding. TEXTCODEC_NONE for NULL. */
textcodec_encoding textcodec_encoder_encoding(const textcodec_encoder *encoder);

/* Returns the number of units read since the start of the text. */
uint64_t textcodec_encoder_position(const textcodec_encoder *encoder);

/* Returns the number of errors so far that were replaced or skipped. */
uint64_t textcodec_encoder_error_count(const textcodec_encoder *encoder);

/*
 * Returns whether an error was replaced or skipped. *error becomes the first one; its reason is
 * TEXTCODEC_REASON_NONE if there is none. `error` may be NULL.
 */
bool textcodec_encoder_first_error(const textcodec_encoder *encoder, textcodec_error *error);

/*
 * Returns whether the text could end here without more bytes: no sequence is incomplete, no bytes
 * wait for a larger destination, a byte order mark or header is written if the text has one, no
 * escape sequence or shift applies, and no error has ended the text. False for NULL.
 */
bool textcodec_encoder_is_at_rest(const textcodec_encoder *encoder);

/*
 * Changes how unmappable characters are handled from the next call on: TEXTCODEC_UNMAPPABLE_... If
 * an error has ended the text, later calls still return it. `replacement` is 0, except for
 * TEXTCODEC_UNMAPPABLE_REPLACE.
 */
textcodec_status textcodec_encoder_set_unmappable(textcodec_encoder *encoder, int32_t unmappable,
                                                  uint32_t replacement);

/* ---- Forms of Unicode ---- */

/*
 * Returns the number of bytes before the first one that is not ASCII. 0 if an argument breaks a
 * rule.
 */
size_t textcodec_ascii_valid_up_to(const void *bytes, size_t length);

/* Returns the number of bytes before the first malformed or incomplete sequence of UTF-8. */
size_t textcodec_utf8_valid_up_to(const void *bytes, size_t length);

/* Returns the number of units before the first unpaired surrogate. */
size_t textcodec_utf16_valid_up_to(const char16_t *text, size_t length);

/*
 * Convert between UTF-8, UTF-16, UTF-32 and true Latin-1, without state or replacement. Each
 * function converts the longest well-formed prefix that fits, in whole characters. The first
 * length is that of the source, and becomes the number of units read; the second is the size of
 * the destination, and becomes the number of units written. The rest of the destination may
 * change.
 *
 * TEXTCODEC_OK: everything was converted. TEXTCODEC_OUTPUT_FULL: the next character does not fit.
 * TEXTCODEC_MALFORMED: the rest starts with an ill-formed or incomplete sequence.
 * TEXTCODEC_UNMAPPABLE: the next character is not in Latin-1. TEXTCODEC_INVALID_ARGUMENT: a length
 * is NULL, or an argument breaks a rule. Both lengths become 0 then.
 *
 * These sizes are always large enough, for n units of the source: UTF-8 from UTF-16 3 n, UTF-8
 * from Latin-1 2 n, UTF-16 from UTF-32 2 n, others n.
 */
textcodec_status textcodec_utf8_to_utf16(const char *text, size_t *length, char16_t *utf16,
                                         size_t *utf16_length);
textcodec_status textcodec_utf16_to_utf8(const char16_t *text, size_t *length, char *utf8,
                                         size_t *utf8_length);
textcodec_status textcodec_latin1_to_utf8(const void *bytes, size_t *length, char *utf8,
                                          size_t *utf8_length);
textcodec_status textcodec_latin1_to_utf16(const void *bytes, size_t *length, char16_t *utf16,
                                           size_t *utf16_length);
textcodec_status textcodec_utf8_to_latin1(const char *text, size_t *length, void *latin1,
                                          size_t *latin1_length);
textcodec_status textcodec_utf16_to_latin1(const char16_t *text, size_t *length, void *latin1,
                                           size_t *latin1_length);
textcodec_status textcodec_utf16_to_utf32(const char16_t *text, size_t *length, char32_t *utf32,
                                          size_t *utf32_length);
textcodec_status textcodec_utf32_to_utf16(const char32_t *text, size_t *length, char16_t *utf16,
                                          size_t *utf16_length);

/* ---- Wide strings ---- */

/*
 * The same for wchar_t, which is UTF-32 or, on Windows, UTF-16.
 */
#if WCHAR_MAX > 0xFFFF
#define TEXTCODEC_WIDE_(name) name##32
typedef char32_t textcodec_wide_;
#else
#define TEXTCODEC_WIDE_(name) name##16
typedef char16_t textcodec_wide_;
#endif
#ifdef __cplusplus
#define TEXTCODEC_NULL_ nullptr
#define TEXTCODEC_CAST_(unit, memory, text) static_cast<unit *>(static_cast<memory *>(text))
#else
#define TEXTCODEC_NULL_ NULL
#define TEXTCODEC_CAST_(unit, memory, text) ((unit *)(memory *)(text))
#endif

/* Decodes a whole input to a wide string. See textcodec_decode. */
static inline textcodec_status textcodec_decode_wchar(textcodec_encoding encoding,
                                                      const void *bytes, size_t length,
                                                      const textcodec_decode_options *options,
                                                      wchar_t **text, size_t *text_length,
                                                      textcodec_summary *summary) {
    textcodec_wide_ *wide = TEXTCODEC_NULL_;
    textcodec_status status = TEXTCODEC_WIDE_(textcodec_decode_utf)(
        encoding, bytes, length, options, text != TEXTCODEC_NULL_ ? &wide : TEXTCODEC_NULL_,
        text_length, summary);
    if (text != TEXTCODEC_NULL_) {
        *text = TEXTCODEC_CAST_(wchar_t, void, wide);
    }
    return status;
}

/* Encodes a whole wide string. See textcodec_encode. */
static inline textcodec_status textcodec_encode_wchar(textcodec_encoding encoding,
                                                      const wchar_t *text, size_t length,
                                                      const textcodec_encode_options *options,
                                                      void **bytes, size_t *bytes_length,
                                                      textcodec_summary *summary) {
    const textcodec_wide_ *wide = TEXTCODEC_CAST_(const textcodec_wide_, const void, text);
    return TEXTCODEC_WIDE_(textcodec_encode_utf)(encoding, wide, length, options, bytes,
                                                 bytes_length, summary);
}

/* Decodes a chunk to a wide string. See textcodec_decoder_to_utf8. */
static inline textcodec_status textcodec_decoder_to_wchar(textcodec_decoder *decoder,
                                                          const void *bytes, size_t *length,
                                                          wchar_t *text, size_t *text_length,
                                                          bool last, textcodec_error *error) {
    textcodec_wide_ *wide = TEXTCODEC_CAST_(textcodec_wide_, void, text);
    return TEXTCODEC_WIDE_(textcodec_decoder_to_utf)(decoder, bytes, length, wide, text_length,
                                                     last, error);
}

/* Encodes a chunk of a wide string. See textcodec_encoder_from_utf8. */
static inline textcodec_status textcodec_encoder_from_wchar(textcodec_encoder *encoder,
                                                            const wchar_t *text, size_t *length,
                                                            void *bytes, size_t *bytes_length,
                                                            bool last, textcodec_error *error) {
    const textcodec_wide_ *wide = TEXTCODEC_CAST_(const textcodec_wide_, const void, text);
    return TEXTCODEC_WIDE_(textcodec_encoder_from_utf)(encoder, wide, length, bytes, bytes_length,
                                                       last, error);
}

/* See textcodec_decoder_max_utf8. */
static inline size_t textcodec_decoder_max_wchar(const textcodec_decoder *decoder, size_t length) {
    return TEXTCODEC_WIDE_(textcodec_decoder_max_utf)(decoder, length);
}

/* See textcodec_encoder_max_from_utf8. */
static inline size_t textcodec_encoder_max_from_wchar(const textcodec_encoder *encoder,
                                                      size_t length) {
    return TEXTCODEC_WIDE_(textcodec_encoder_max_from_utf)(encoder, length);
}

#undef TEXTCODEC_WIDE_
#undef TEXTCODEC_NULL_
#undef TEXTCODEC_CAST_

#ifdef __cplusplus
}
#endif

#endif
