/*
 * The types, the numbers and the encodings of encoding_rs.h, which includes this file.
 *
 * A program can name its own types before it includes encoding_rs.h, as encoding_rs_cpp.h does:
 * ENCODING_RS_ENCODING, ENCODING_RS_DECODER and ENCODING_RS_ENCODER are the names of the three
 * types. ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR is the type of the constants, and has the
 * representation of a pointer.
 */

#ifndef ENCODING_RS_STATICS_H
#define ENCODING_RS_STATICS_H

#ifdef __cplusplus
extern "C" {
#endif

#ifndef ENCODING_RS_ENCODING
#define ENCODING_RS_ENCODING Encoding
#ifdef __cplusplus
class Encoding;
#else
/* An encoding. There is one object for each, so pointers can be compared. They stay valid. */
typedef struct Encoding_ Encoding;
#endif
#endif

#ifndef ENCODING_RS_DECODER
#define ENCODING_RS_DECODER Decoder
#ifdef __cplusplus
class Decoder;
#else
/* A decoder, for one input at a time. Two threads must not use it at the same time. */
typedef struct Decoder_ Decoder;
#endif
#endif

#ifndef ENCODING_RS_ENCODER
#define ENCODING_RS_ENCODER Encoder
#ifdef __cplusplus
class Encoder;
#else
/* An encoder, for one text at a time. Two threads must not use it at the same time. */
typedef struct Encoder_ Encoder;
#endif
#endif

#ifndef ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR
#define ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const ENCODING_RS_ENCODING *
#endif

/* The result of a call that has read its whole input. */
#define INPUT_EMPTY 0

/* The result of a call whose next character does not fit into the destination. */
#define OUTPUT_FULL 0xFFFFFFFF

/* The length of the longest name of an encoding, which is x-mac-cyrillic. */
#define ENCODING_NAME_MAX_LENGTH 14

/* The encodings, by `cargo xtask tables`. */

/* UTF-8: all of Unicode; use it for all new text. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const UTF_8_ENCODING;

/* IBM866: Cyrillic with box drawing, MS-DOS. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const IBM866_ENCODING;

/* ISO-8859-2: Central European, such as Polish, Czech and Hungarian. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const ISO_8859_2_ENCODING;

/* ISO-8859-3: South European, such as Maltese and Esperanto. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const ISO_8859_3_ENCODING;

/* ISO-8859-4: North European, such as Sami and Greenlandic. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const ISO_8859_4_ENCODING;

/* ISO-8859-5: Cyrillic. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const ISO_8859_5_ENCODING;

/* ISO-8859-6: Arabic. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const ISO_8859_6_ENCODING;

/* ISO-8859-7: Greek. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const ISO_8859_7_ENCODING;

/* ISO-8859-8: Hebrew in visual order. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const ISO_8859_8_ENCODING;

/* ISO-8859-8-I: Hebrew in logical order. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const ISO_8859_8_I_ENCODING;

/* ISO-8859-10: Nordic, such as Icelandic and Sami. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const ISO_8859_10_ENCODING;

/* ISO-8859-13: Baltic, such as Lithuanian and Latvian. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const ISO_8859_13_ENCODING;

/* ISO-8859-14: Celtic, such as Welsh and Irish. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const ISO_8859_14_ENCODING;

/* ISO-8859-15: Western European with the euro sign. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const ISO_8859_15_ENCODING;

/* ISO-8859-16: South-Eastern European, such as Romanian. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const ISO_8859_16_ENCODING;

/* KOI8-R: Russian with box drawing, Unix and mail. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const KOI8_R_ENCODING;

/* KOI8-U: Ukrainian, Belarusian and Russian with box drawing. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const KOI8_U_ENCODING;

/* macintosh: Western European, classic Mac OS. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const MACINTOSH_ENCODING;

/* windows-874: Thai. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const WINDOWS_874_ENCODING;

/* windows-1250: Central European, Windows. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const WINDOWS_1250_ENCODING;

/* windows-1251: Cyrillic, Windows. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const WINDOWS_1251_ENCODING;

/* windows-1252: Western European, Windows; on the web also latin1 and ascii. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const WINDOWS_1252_ENCODING;

/* windows-1253: Greek, Windows. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const WINDOWS_1253_ENCODING;

/* windows-1254: Turkish, Windows; on the web also latin5. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const WINDOWS_1254_ENCODING;

/* windows-1255: Hebrew, Windows. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const WINDOWS_1255_ENCODING;

/* windows-1256: Arabic, Windows. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const WINDOWS_1256_ENCODING;

/* windows-1257: Baltic, Windows. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const WINDOWS_1257_ENCODING;

/* windows-1258: Vietnamese, Windows. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const WINDOWS_1258_ENCODING;

/* x-mac-cyrillic: Cyrillic, classic Mac OS. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const X_MAC_CYRILLIC_ENCODING;

/* GBK: simplified Chinese; on the web also gb2312. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const GBK_ENCODING;

/* gb18030: all of Unicode, the Chinese standard of 2022. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const GB18030_ENCODING;

/* Big5: traditional Chinese; Hong Kong's characters when decoding. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const BIG5_ENCODING;

/* EUC-JP: Japanese, Unix; characters of three bytes are only decoded. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const EUC_JP_ENCODING;

/* ISO-2022-JP: Japanese, mail. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const ISO_2022_JP_ENCODING;

/* Shift_JIS: Japanese, like Windows code page 932. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const SHIFT_JIS_ENCODING;

/* EUC-KR: Korean with all syllables, like Windows code page 949. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const EUC_KR_ENCODING;

/* replacement: nothing; replaces encodings that are unsafe to decode. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const REPLACEMENT_ENCODING;

/* UTF-16BE: all of Unicode, high byte first. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const UTF_16BE_ENCODING;

/* UTF-16LE: all of Unicode, low byte first; on the web also utf-16. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const UTF_16LE_ENCODING;

/* x-user-defined: any bytes, as ASCII and private-use characters. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const X_USER_DEFINED_ENCODING;

#ifdef __cplusplus
}
#endif

#endif
