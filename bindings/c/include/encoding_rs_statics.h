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

/* Big5: traditional Chinese, with the characters of Hong Kong. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const BIG5_ENCODING;

/* EUC-JP: Japanese, on Unix. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const EUC_JP_ENCODING;

/* EUC-KR: Korean, the same as windows-949. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const EUC_KR_ENCODING;

/* gb18030: Chinese, and all of Unicode but one character. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const GB18030_ENCODING;

/* GBK: simplified Chinese. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const GBK_ENCODING;

/* IBM866: Cyrillic, of MS-DOS. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const IBM866_ENCODING;

/* ISO-2022-JP: Japanese mail. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const ISO_2022_JP_ENCODING;

/* ISO-8859-2: Central European. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const ISO_8859_2_ENCODING;

/* ISO-8859-3: South European. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const ISO_8859_3_ENCODING;

/* ISO-8859-4: North European. */
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

/* ISO-8859-10: Nordic. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const ISO_8859_10_ENCODING;

/* ISO-8859-13: Baltic. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const ISO_8859_13_ENCODING;

/* ISO-8859-14: Celtic. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const ISO_8859_14_ENCODING;

/* ISO-8859-15: Western European with the euro sign. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const ISO_8859_15_ENCODING;

/* ISO-8859-16: South-Eastern European. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const ISO_8859_16_ENCODING;

/* KOI8-R: Russian. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const KOI8_R_ENCODING;

/* KOI8-U: Ukrainian. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const KOI8_U_ENCODING;

/* macintosh: Western European, of the classic Mac OS. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const MACINTOSH_ENCODING;

/* replacement: in place of encodings that are not safe to decode. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const REPLACEMENT_ENCODING;

/* Shift_JIS: Japanese, the same as windows-932. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const SHIFT_JIS_ENCODING;

/* UTF-16BE: big-endian UTF-16. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const UTF_16BE_ENCODING;

/* UTF-16LE: little-endian UTF-16. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const UTF_16LE_ENCODING;

/* UTF-8: the encoding of the web. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const UTF_8_ENCODING;

/* windows-874: Thai. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const WINDOWS_874_ENCODING;

/* windows-1250: Central European. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const WINDOWS_1250_ENCODING;

/* windows-1251: Cyrillic. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const WINDOWS_1251_ENCODING;

/* windows-1252: Western European, also for the label "iso-8859-1". */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const WINDOWS_1252_ENCODING;

/* windows-1253: Greek. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const WINDOWS_1253_ENCODING;

/* windows-1254: Turkish. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const WINDOWS_1254_ENCODING;

/* windows-1255: Hebrew. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const WINDOWS_1255_ENCODING;

/* windows-1256: Arabic. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const WINDOWS_1256_ENCODING;

/* windows-1257: Baltic. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const WINDOWS_1257_ENCODING;

/* windows-1258: Vietnamese. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const WINDOWS_1258_ENCODING;

/* x-mac-cyrillic: Cyrillic, of the classic Mac OS. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const X_MAC_CYRILLIC_ENCODING;

/* x-user-defined: bytes that scripts read as text. */
extern ENCODING_RS_NOT_NULL_CONST_ENCODING_PTR const X_USER_DEFINED_ENCODING;

#ifdef __cplusplus
}
#endif

#endif
