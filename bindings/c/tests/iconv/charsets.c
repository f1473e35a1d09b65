#include "sample.h"

#include <wchar.h>

/* Characters for which the tables of glibc and of the Encoding Standard agree, in both directions.
   For EUC-JP, some are in JIS X 0212. */
static const struct entry CP1252[] = {
    {0xE9, "\xE9", 0}, {0xFC, "\xFC", 0}, {0xDF, "\xDF", 0}, {0x20AC, "\x80", 0},
    {0x2026, "\x85", 0}, {0xA9, "\xA9", 0},
};
static const struct entry ISO_8859_1[] = {
    {0xE9, "\xE9", 0}, {0xFC, "\xFC", 0}, {0xDF, "\xDF", 0}, {0xA9, "\xA9", 0},
};
static const struct entry KOI8_R[] = {
    {0x416, "\xF6", 0}, {0x44F, "\xD1", 0}, {0x451, "\xA3", 0}, {0x2500, "\x80", 0},
    {0xA9, "\xBF", 0},
};
static const struct entry SHIFT_JIS[] = {
    {0x2026, "\x81\x63", 0}, {0x416, "\x84\x47", 0}, {0x44F, "\x84\x91", 0}, {0x451, "\x84\x76", 0},
    {0x2500, "\x84\x9F", 0}, {0x3042, "\x82\xA0", 0}, {0x30BD, "\x83\x5C", 0},
    {0x4E00, "\x88\xEA", 0}, {0x6F22, "\x8A\xBF", 0}, {0x4E9C, "\x88\x9F", 0},
    {0x8868, "\x95\x5C", 0}, {0xFF71, "\xB1", 0}, {0x3000, "\x81\x40", 0}, {0x3001, "\x81\x41", 0},
};
static const struct entry EUC_JP[] = {
    {0xE9, "\x8F\xAB\xB1", 0}, {0xDF, "\x8F\xA9\xCE", 0}, {0x2026, "\xA1\xC4", 0},
    {0x416, "\xA7\xA8", 0}, {0x44F, "\xA7\xF1", 0}, {0x451, "\xA7\xD7", 0}, {0x2500, "\xA8\xA1", 0},
    {0x3042, "\xA4\xA2", 0}, {0x30BD, "\xA5\xBD", 0}, {0x4E00, "\xB0\xEC", 0},
    {0x6F22, "\xB4\xC1", 0}, {0x4E9C, "\xB0\xA1", 0}, {0x8868, "\xC9\xBD", 0},
    {0xFF71, "\x8E\xB1", 0}, {0x2D8, "\x8F\xA2\xAF", 0}, {0x3000, "\xA1\xA1", 0},
    {0x3001, "\xA1\xA2", 0}, {0x554A, "\x8F\xB5\xD9", 0}, {0x4E02, "\x8F\xB0\xA1", 0},
};
static const struct entry ISO_2022_JP[] = {
    {0x2026, "\x21\x44", 'B'}, {0x416, "\x27\x28", 'B'}, {0x44F, "\x27\x71", 'B'},
    {0x451, "\x27\x57", 'B'}, {0x2500, "\x28\x21", 'B'}, {0x3042, "\x24\x22", 'B'},
    {0x30BD, "\x25\x3D", 'B'}, {0x4E00, "\x30\x6C", 'B'}, {0x6F22, "\x34\x41", 'B'},
    {0x4E9C, "\x30\x21", 'B'}, {0x8868, "\x49\x3D", 'B'}, {0x3000, "\x21\x21", 'B'},
    {0x3001, "\x21\x22", 'B'}, {0xA5, "\x5C", 'J'}, {0x203E, "\x7E", 'J'},
};
static const struct entry GBK[] = {
    {0xE9, "\xA8\xA6", 0}, {0xFC, "\xA8\xB9", 0}, {0x20AC, "\x80", 0}, {0x2026, "\xA1\xAD", 0},
    {0x416, "\xA7\xA8", 0}, {0x44F, "\xA7\xF1", 0}, {0x451, "\xA7\xD7", 0}, {0x2500, "\xA9\xA4", 0},
    {0x3042, "\xA4\xA2", 0}, {0x30BD, "\xA5\xBD", 0}, {0x4E00, "\xD2\xBB", 0},
    {0x6F22, "\x9D\x68", 0}, {0x4E9C, "\x81\x84", 0}, {0x8868, "\xB1\xED", 0},
    {0x3000, "\xA1\xA1", 0}, {0x3001, "\xA1\xA2", 0}, {0x554A, "\xB0\xA1", 0},
    {0x4E02, "\x81\x40", 0},
};
static const struct entry GB2312[] = {
    {0xE9, "\xA8\xA6", 0}, {0xFC, "\xA8\xB9", 0}, {0x2026, "\xA1\xAD", 0}, {0x416, "\xA7\xA8", 0},
    {0x44F, "\xA7\xF1", 0}, {0x451, "\xA7\xD7", 0}, {0x2500, "\xA9\xA4", 0},
    {0x3042, "\xA4\xA2", 0}, {0x30BD, "\xA5\xBD", 0}, {0x4E00, "\xD2\xBB", 0},
    {0x8868, "\xB1\xED", 0}, {0x3000, "\xA1\xA1", 0}, {0x3001, "\xA1\xA2", 0},
    {0x554A, "\xB0\xA1", 0},
};
static const struct entry GB18030[] = {
    {0xE9, "\xA8\xA6", 0}, {0xFC, "\xA8\xB9", 0}, {0xDF, "\x81\x30\x89\x38", 0},
    {0x20AC, "\xA2\xE3", 0}, {0x2026, "\xA1\xAD", 0}, {0x416, "\xA7\xA8", 0},
    {0x44F, "\xA7\xF1", 0}, {0x451, "\xA7\xD7", 0}, {0x2500, "\xA9\xA4", 0},
    {0x3042, "\xA4\xA2", 0}, {0x30BD, "\xA5\xBD", 0}, {0x4E00, "\xD2\xBB", 0},
    {0x6F22, "\x9D\x68", 0}, {0x4E9C, "\x81\x84", 0}, {0x8868, "\xB1\xED", 0},
    {0xAC00, "\x82\x37\xCF\x35", 0}, {0xD79D, "\x83\x36\xBE\x30", 0},
    {0xFF71, "\x84\x31\x97\x33", 0}, {0x2D8, "\x81\x30\xB8\x37", 0},
    {0x1F600, "\x94\x39\xFC\x36", 0}, {0x10FFFF, "\xE3\x32\x9A\x35", 0},
    {0x80, "\x81\x30\x81\x30", 0}, {0xA9, "\x81\x30\x84\x38", 0}, {0x3000, "\xA1\xA1", 0},
    {0x3001, "\xA1\xA2", 0}, {0x554A, "\xB0\xA1", 0}, {0x4E02, "\x81\x40", 0},
    {0xAC02, "\x82\x37\xCF\x37", 0}, {0xA5, "\x81\x30\x84\x36", 0}, {0x203E, "\x81\x36\xA8\x32", 0},
};
static const struct entry BIG5[] = {
    {0x20AC, "\xA3\xE1", 0}, {0x2026, "\xA1\x4B", 0}, {0x2500, "\xA2\x77", 0},
    {0x4E00, "\xA4\x40", 0}, {0x6F22, "\xBA\x7E", 0}, {0x8868, "\xAA\xED", 0},
    {0x3000, "\xA1\x40", 0}, {0x3001, "\xA1\x42", 0}, {0x554A, "\xB0\xDA", 0},
};
static const struct entry EUC_KR[] = {
    {0xDF, "\xA9\xAC", 0}, {0x20AC, "\xA2\xE6", 0}, {0x2026, "\xA1\xA6", 0}, {0x416, "\xAC\xA8", 0},
    {0x44F, "\xAC\xF1", 0}, {0x451, "\xAC\xD7", 0}, {0x2500, "\xA6\xA1", 0},
    {0x3042, "\xAA\xA2", 0}, {0x30BD, "\xAB\xBD", 0}, {0x4E00, "\xEC\xE9", 0},
    {0x6F22, "\xF9\xD3", 0}, {0x8868, "\xF8\xFA", 0}, {0xAC00, "\xB0\xA1", 0},
    {0xD79D, "\xC8\xFE", 0}, {0x2D8, "\xA2\xA8", 0}, {0x3000, "\xA1\xA1", 0},
    {0x3001, "\xA1\xA2", 0},
};
static const struct entry ISO_2022_KR[] = {
    {0xDF, "\x29\x2C", 'K'}, {0x20AC, "\x22\x66", 'K'}, {0x2026, "\x21\x26", 'K'},
    {0x416, "\x2C\x28", 'K'}, {0x44F, "\x2C\x71", 'K'}, {0x451, "\x2C\x57", 'K'},
    {0x2500, "\x26\x21", 'K'}, {0x3042, "\x2A\x22", 'K'}, {0x30BD, "\x2B\x3D", 'K'},
    {0x4E00, "\x6C\x69", 'K'}, {0x6F22, "\x79\x53", 'K'}, {0x8868, "\x78\x7A", 'K'},
    {0xAC00, "\x30\x21", 'K'}, {0xD79D, "\x48\x7E", 'K'}, {0x2D8, "\x22\x28", 'K'},
    {0x3000, "\x21\x21", 'K'}, {0x3001, "\x21\x22", 'K'},
};

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define TABLE_OF(text, table, ...) \
    {.name = text, .form = TABLE, .entries = table, .count = COUNT(table), .bad = {__VA_ARGS__}}
#define BYTE_FF {"\xFF", 1, 1}
#define UNITS(text, size, ...) {.name = text, .form = UNITS_##size, __VA_ARGS__}

/* Surrogates, in both orders. The second of a pair is missing or comes first. */
#define ALONE_LE .bad = {{"\x00\xDC", 2, 2}, {"\x00\xD8\x41\x00", 4, 2}}
#define ALONE_BE .bad = {{"\xDC\x00", 2, 2}, {"\xD8\x00\x00\x41", 4, 2}}
#define LARGE_LE .bad = {{"\x00\xD8\x00\x00", 4, 4}, {"\xFF\xDF\x00\x00", 4, 4}}
#define LARGE_BE .bad = {{"\x00\x00\xDF\xFF", 4, 4}, {"\x00\x00\xD8\x00", 4, 4}}
/* UTF-32 ends at U+10FFFF. */
#define BEYOND_LE .bad = {{"\xFF\xDB\x00\x00", 4, 4}, {"\x00\x00\x11\x00", 4, 4}}
#define BEYOND_BE .bad = {{"\x00\x00\xD8\x00", 4, 4}, {"\x00\x11\x00\x00", 4, 4}}

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define ALONE ALONE_BE
#define LARGE LARGE_BE
#define BEYOND BEYOND_BE
#define HOST .big = true
#else
#define ALONE ALONE_LE
#define LARGE LARGE_LE
#define BEYOND BEYOND_LE
#define HOST .big = false
#endif

const struct charset CHARSETS[] = {
    TABLE_OF("CP1252", CP1252, {0}),
    TABLE_OF("ISO-8859-1", ISO_8859_1, {0}),
    TABLE_OF("KOI8-R", KOI8_R, {0}),
    TABLE_OF("SHIFT_JIS", SHIFT_JIS, BYTE_FF, {"\x81\xFF", 2, 2}),
    TABLE_OF("CP932", SHIFT_JIS, BYTE_FF, {"\xA0", 1, 1}),
    TABLE_OF("EUC-JP", EUC_JP, BYTE_FF, {"\x8E\x41", 2, 1}, {"\x8F\xA2\x41", 3, 2}),
    {.name = "ISO-2022-JP", .form = SHIFTED, .entries = ISO_2022_JP, .count = COUNT(ISO_2022_JP),
     .bad = {BYTE_FF, {"\x80", 1, 1}}},
    {.name = "ISO-2022-KR", .form = SHIFTED, .entries = ISO_2022_KR, .count = COUNT(ISO_2022_KR),
     .header = "\x1B$)C", .bad = {BYTE_FF, {"\x80", 1, 1}}},
    TABLE_OF("GBK", GBK, BYTE_FF, {"\xB0\x3F", 2, 1}),
    TABLE_OF("GB2312", GB2312, BYTE_FF),
    TABLE_OF("GB18030", GB18030, BYTE_FF, {"\x81\x3F", 2, 1}),
    TABLE_OF("BIG5", BIG5, BYTE_FF, {"\xA4\x3F", 2, 1}),
    TABLE_OF("EUC-KR", EUC_KR, {"\xFF\x41", 2, 1}, {"\xB0\x3F", 2, 1}),
    {.name = "UTF-8", .form = UTF_8,
     .bad = {BYTE_FF, {"\xE3\x41", 2, 1}, {"\xED\xA0\x80", 3, 3}}},
    UNITS("UTF-16LE", 2, ALONE_LE),
    UNITS("UTF-16BE", 2, .big = true, ALONE_BE),
    UNITS("UTF-16", 2, HOST, .marked = true, ALONE),
    UNITS("UTF-16", 2, HOST, .marked = true, .big_mark = true, ALONE_BE),
    UNITS("UNICODE", 2, HOST, .marked = true, .bmp = true, .ambiguous = true),
    UNITS("UCS-2", 2, HOST, .bmp = true, ALONE),
    UNITS("UCS-2BE", 2, .big = true, .bmp = true, ALONE_BE),
    UNITS("UTF-32", 4, HOST, .marked = true, BEYOND),
    UNITS("UTF-32", 4, HOST, .marked = true, .big_mark = true, BEYOND_BE),
    UNITS("UTF-32LE", 4, BEYOND_LE),
    UNITS("UTF-32BE", 4, .big = true, BEYOND_BE),
    UNITS("UCS-4", 4, .big = true, LARGE_BE),
    UNITS("UCS-4LE", 4, LARGE_LE),
    UNITS("WCHAR_T", 4, HOST, LARGE),
};
const size_t CHARSET_COUNT = COUNT(CHARSETS);
