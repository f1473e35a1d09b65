/* Calls every function of encoding_rs.h, and compares the results with expected values. */

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "encoding_rs.h"

static const uint8_t *bytes(const char *text) {
    return (const uint8_t *)text;
}

/* A row for each constant: the pointer, its name in the standard, a label, and its properties. */
static void constants(void) {
    const struct {
        const Encoding *encoding;
        const char *name;
        const char *label;
        bool single_byte;
        bool ascii;
        bool everything;
    } rows[] = {
        {BIG5_ENCODING, "Big5", "big5-hkscs", false, true, false},
        {EUC_JP_ENCODING, "EUC-JP", "x-euc-jp", false, true, false},
        {EUC_KR_ENCODING, "EUC-KR", "windows-949", false, true, false},
        {GB18030_ENCODING, "gb18030", "gb18030", false, true, false},
        {GBK_ENCODING, "GBK", "gb2312", false, true, false},
        {IBM866_ENCODING, "IBM866", "cp866", true, true, false},
        {ISO_2022_JP_ENCODING, "ISO-2022-JP", "csiso2022jp", false, false, false},
        {ISO_8859_2_ENCODING, "ISO-8859-2", "latin2", true, true, false},
        {ISO_8859_3_ENCODING, "ISO-8859-3", "latin3", true, true, false},
        {ISO_8859_4_ENCODING, "ISO-8859-4", "latin4", true, true, false},
        {ISO_8859_5_ENCODING, "ISO-8859-5", "cyrillic", true, true, false},
        {ISO_8859_6_ENCODING, "ISO-8859-6", "arabic", true, true, false},
        {ISO_8859_7_ENCODING, "ISO-8859-7", "greek", true, true, false},
        {ISO_8859_8_ENCODING, "ISO-8859-8", "visual", true, true, false},
        {ISO_8859_8_I_ENCODING, "ISO-8859-8-I", "logical", true, true, false},
        {ISO_8859_10_ENCODING, "ISO-8859-10", "latin6", true, true, false},
        {ISO_8859_13_ENCODING, "ISO-8859-13", "iso885913", true, true, false},
        {ISO_8859_14_ENCODING, "ISO-8859-14", "iso885914", true, true, false},
        {ISO_8859_15_ENCODING, "ISO-8859-15", "l9", true, true, false},
        {ISO_8859_16_ENCODING, "ISO-8859-16", "iso-8859-16", true, true, false},
        {KOI8_R_ENCODING, "KOI8-R", "koi", true, true, false},
        {KOI8_U_ENCODING, "KOI8-U", "koi8-ru", true, true, false},
        {MACINTOSH_ENCODING, "macintosh", "mac", true, true, false},
        {REPLACEMENT_ENCODING, "replacement", "hz-gb-2312", false, false, true},
        {SHIFT_JIS_ENCODING, "Shift_JIS", "sjis", false, true, false},
        {UTF_16BE_ENCODING, "UTF-16BE", "utf-16be", false, false, true},
        {UTF_16LE_ENCODING, "UTF-16LE", "utf-16", false, false, true},
        {UTF_8_ENCODING, "UTF-8", "unicode11utf8", false, true, true},
        {WINDOWS_874_ENCODING, "windows-874", "tis-620", true, true, false},
        {WINDOWS_1250_ENCODING, "windows-1250", "cp1250", true, true, false},
        {WINDOWS_1251_ENCODING, "windows-1251", "cp1251", true, true, false},
        {WINDOWS_1252_ENCODING, "windows-1252", "latin1", true, true, false},
        {WINDOWS_1253_ENCODING, "windows-1253", "cp1253", true, true, false},
        {WINDOWS_1254_ENCODING, "windows-1254", "latin5", true, true, false},
        {WINDOWS_1255_ENCODING, "windows-1255", "cp1255", true, true, false},
        {WINDOWS_1256_ENCODING, "windows-1256", "cp1256", true, true, false},
        {WINDOWS_1257_ENCODING, "windows-1257", "cp1257", true, true, false},
        {WINDOWS_1258_ENCODING, "windows-1258", "cp1258", true, true, false},
        {X_MAC_CYRILLIC_ENCODING, "x-mac-cyrillic", "x-mac-ukrainian", true, true, false},
        {X_USER_DEFINED_ENCODING, "x-user-defined", "x-user-defined", true, true, false},
    };
    const size_t count = sizeof rows / sizeof *rows;
    CHECK(count == 40);
    for (size_t i = 0; i < count; i++) {
        uint8_t name[ENCODING_NAME_MAX_LENGTH + 1];
        memset(name, '#', sizeof name);
        const Encoding *encoding = rows[i].encoding;
        const size_t len = encoding_name(encoding, name);
        CHECK(len == strlen(rows[i].name) && memcmp(name, rows[i].name, len) == 0);
        CHECK(name[len] == '#');
        CHECK(encoding_for_label(bytes(rows[i].label), strlen(rows[i].label)) == encoding);
        CHECK(encoding_is_single_byte(encoding) == rows[i].single_byte);
        CHECK(encoding_is_ascii_compatible(encoding) == rows[i].ascii);
        CHECK(encoding_can_encode_everything(encoding) == rows[i].everything);
        CHECK(encoding_output_encoding(encoding) ==
              (rows[i].everything ? UTF_8_ENCODING : encoding));
        for (size_t other = 0; other < i; other++) {
            CHECK(rows[other].encoding != encoding);
        }
    }
}

static void labels(void) {
    CHECK(encoding_for_label(bytes("\t UTF8\n"), 7) == UTF_8_ENCODING);
    CHECK(encoding_for_label(bytes("utf-7"), 5) == NULL);
    CHECK(encoding_for_label(bytes("utf-8"), 4) == NULL);
    CHECK(encoding_for_label_no_replacement(bytes("iso-2022-kr"), 11) == NULL);
    CHECK(encoding_for_label(bytes("iso-2022-kr"), 11) == REPLACEMENT_ENCODING);
    CHECK(encoding_for_label_no_replacement(bytes("ascii"), 5) == WINDOWS_1252_ENCODING);

    size_t len = 4;
    CHECK(encoding_for_bom(bytes("\xEF\xBB\xBF."), &len) == UTF_8_ENCODING && len == 3);
    len = 2;
    CHECK(encoding_for_bom(bytes("\xFF\xFE"), &len) == UTF_16LE_ENCODING && len == 2);
    len = 3;
    CHECK(encoding_for_bom(bytes("\xFE\xFF."), &len) == UTF_16BE_ENCODING && len == 2);
    len = 2;
    CHECK(encoding_for_bom(bytes("\xEF\xBB"), &len) == NULL && len == 0);

    CHECK(encoding_utf8_valid_up_to(bytes("a\xC3\xA9\xC3"), 4) == 3);
    CHECK(encoding_ascii_valid_up_to(bytes("a\x1B\x80"), 3) == 2);
    CHECK(encoding_iso_2022_jp_ascii_valid_up_to(bytes("a\x1B\x80"), 3) == 1);
}

/* Decodes with each function, in a single call. */
static void decoding(void) {
    Decoder *decoder = encoding_new_decoder(SHIFT_JIS_ENCODING);
    uint8_t utf8[64];
    char16_t utf16[64];
    size_t read = 5;
    size_t written = sizeof utf8;
    bool replaced = true;
    CHECK(decoder_encoding(decoder) == SHIFT_JIS_ENCODING);
    CHECK(decoder_decode_to_utf8(decoder, bytes("\x93\xFA\x96{!"), &read, utf8, &written, true,
                                 &replaced) == INPUT_EMPTY);
    CHECK(read == 5 && written == 7 && memcmp(utf8, "日本!", 7) == 0 && !replaced);

    encoding_new_decoder_into(UTF_8_ENCODING, decoder);
    read = 4;
    written = 64;
    CHECK(decoder_decode_to_utf16(decoder, bytes("\xFE\xFF\xDC\x00"), &read, utf16, &written, true,
                                  &replaced) == INPUT_EMPTY);
    CHECK(decoder_encoding(decoder) == UTF_16BE_ENCODING);
    CHECK(read == 4 && written == 1 && utf16[0] == 0xFFFD && replaced);

    /* A malformed sequence of one byte, after which one byte has been read. */
    encoding_new_decoder_without_bom_handling_into(GB18030_ENCODING, decoder);
    read = 3;
    written = sizeof utf8;
    CHECK(decoder_decode_to_utf8_without_replacement(decoder, bytes("\x81\x30" "a"), &read, utf8,
                                                     &written, true) == 0x101);
    CHECK(read == 2 && written == 0);
    read = 1;
    written = sizeof utf8;
    CHECK(decoder_decode_to_utf8_without_replacement(decoder, bytes("a"), &read, utf8, &written,
                                                     true) == INPUT_EMPTY);
    CHECK(read == 1 && written == 2 && memcmp(utf8, "0a", 2) == 0);

    encoding_new_decoder_with_bom_removal_into(UTF_8_ENCODING, decoder);
    read = 7;
    written = 64;
    CHECK(decoder_decode_to_utf16_without_replacement(decoder, bytes("\xEF\xBB\xBF\xE2\x82!!"),
                                                      &read, utf16, &written, true) == 0x002);
    CHECK(read == 5 && written == 0);
    decoder_free(decoder);

    decoder = encoding_new_decoder_with_bom_removal(UTF_16LE_ENCODING);
    read = 4;
    written = 64;
    CHECK(decoder_decode_to_utf8(decoder, bytes("\xFF\xFE" "a\0"), &read, utf8, &written, true,
                                 &replaced) == INPUT_EMPTY);
    CHECK(written == 1 && utf8[0] == 'a');
    decoder_free(decoder);

    decoder = encoding_new_decoder_without_bom_handling(UTF_16LE_ENCODING);
    read = 4;
    written = 64;
    CHECK(decoder_decode_to_utf16(decoder, bytes("\xFF\xFE" "a\0"), &read, utf16, &written, true,
                                  &replaced) == INPUT_EMPTY);
    CHECK(written == 2 && utf16[0] == 0xFEFF && utf16[1] == 'a');
    decoder_free(decoder);
}

static void decoder_chunks(void) {
    Decoder *decoder = encoding_new_decoder_without_bom_handling(UTF_8_ENCODING);
    const uint8_t *input = bytes("aé字😀\xFF.");
    const size_t len = 12;
    uint8_t output[64];
    size_t total = 0;
    size_t at = 0;
    bool any = false;
    uint32_t result;
    unsigned calls = 0;
    do {
        size_t read = at < len ? 1 : 0;
        size_t written = 4;
        bool replaced;
        result = decoder_decode_to_utf8(decoder, input + at, &read, output + total, &written,
                                        at + read == len, &replaced);
        at += read;
        total += written;
        any = any || replaced;
        calls++;
    } while (calls < 100 && (result != INPUT_EMPTY || at < len));
    CHECK(total == 14 && memcmp(output, "aé字😀\xEF\xBF\xBD.", 14) == 0 && any);

    /* Nothing fits into an empty destination. */
    encoding_new_decoder_into(UTF_8_ENCODING, decoder);
    size_t read = 1;
    size_t written = 0;
    bool replaced;
    CHECK(decoder_decode_to_utf8(decoder, bytes("a"), &read, output, &written, true, &replaced) ==
          OUTPUT_FULL);
    CHECK(read == 0 && written == 0);
    decoder_free(decoder);
}

static void decoder_lengths(void) {
    Decoder *decoder = encoding_new_decoder_without_bom_handling(WINDOWS_1252_ENCODING);
    CHECK(decoder_max_utf8_buffer_length(decoder, 100) >= 300);
    CHECK(decoder_max_utf8_buffer_length(decoder, SIZE_MAX) == SIZE_MAX);
    CHECK(decoder_max_utf8_buffer_length_without_replacement(decoder, 100) >= 300);
    CHECK(decoder_max_utf8_buffer_length_without_replacement(decoder, SIZE_MAX / 3 + 1) ==
          SIZE_MAX);
    CHECK(decoder_max_utf16_buffer_length(decoder, 100) >= 100);
    CHECK(decoder_max_utf16_buffer_length(decoder, 100) < 200);
    CHECK(decoder_max_utf16_buffer_length(decoder, SIZE_MAX) == SIZE_MAX);
    CHECK(decoder_latin1_byte_compatible_up_to(decoder, bytes("caf\xE9 \x80!"), 7) == 5);
    encoding_new_decoder_without_bom_handling_into(UTF_16LE_ENCODING, decoder);
    CHECK(decoder_latin1_byte_compatible_up_to(decoder, bytes("a"), 1) == SIZE_MAX);
    encoding_new_decoder_into(UTF_8_ENCODING, decoder);
    CHECK(decoder_latin1_byte_compatible_up_to(decoder, bytes("a"), 1) == SIZE_MAX);
    decoder_free(decoder);
}

static void encoding(void) {
    static const char16_t utf16[] = {0x65E5, 0xD83D, 0xDE00, 0xD800};
    Encoder *encoder = encoding_new_encoder(ISO_2022_JP_ENCODING);
    uint8_t output[64];
    size_t read = 4;
    size_t written = sizeof output;
    bool replaced = false;
    CHECK(encoder_encoding(encoder) == ISO_2022_JP_ENCODING);
    CHECK(!encoder_has_pending_state(encoder));
    CHECK(encoder_encode_from_utf8(encoder, bytes("日!"), &read, output, &written, false,
                                   &replaced) == INPUT_EMPTY);
    CHECK(read == 4 && written == 9 && memcmp(output, "\x1B$BF|\x1B(B!", 9) == 0 && !replaced);
    read = 3;
    written = sizeof output;
    CHECK(encoder_encode_from_utf8_without_replacement(encoder, bytes("日"), &read, output,
                                                       &written, false) == INPUT_EMPTY);
    CHECK(written == 5 && encoder_has_pending_state(encoder));
    read = 0;
    written = sizeof output;
    CHECK(encoder_encode_from_utf8(encoder, bytes(""), &read, output, &written, true, &replaced) ==
          INPUT_EMPTY);
    CHECK(written == 3 && memcmp(output, "\x1B(B", 3) == 0);

    encoding_new_encoder_into(GBK_ENCODING, encoder);
    read = 4;
    written = sizeof output;
    CHECK(encoder_encode_from_utf16(encoder, utf16, &read, output, &written, true, &replaced) ==
          INPUT_EMPTY);
    CHECK(read == 4 && replaced);
    CHECK(written == 19 && memcmp(output, "\xC8\xD5&#128512;&#65533;", 19) == 0);

    encoding_new_encoder_into(KOI8_R_ENCODING, encoder);
    read = 4;
    written = sizeof output;
    CHECK(encoder_encode_from_utf16_without_replacement(encoder, utf16, &read, output, &written,
                                                        true) == 0x65E5);
    CHECK(read == 1 && written == 0);
    read = 3;
    written = sizeof output;
    CHECK(encoder_encode_from_utf16_without_replacement(encoder, utf16 + 1, &read, output, &written,
                                                        true) == 0x1F600);
    CHECK(read == 2);
    read = 5;
    written = sizeof output;
    CHECK(encoder_encode_from_utf8_without_replacement(encoder, bytes("б字"), &read, output,
                                                       &written, true) == 0x5B57);
    CHECK(read == 5 && written == 1 && output[0] == 0xC2);

    /* A destination in which nothing fits, and the lengths. */
    read = 2;
    written = 0;
    CHECK(encoder_encode_from_utf8(encoder, bytes("б"), &read, output, &written, true,
                                   &replaced) == OUTPUT_FULL);
    CHECK(read == 0 && written == 0);
    CHECK(encoder_max_buffer_length_from_utf8_if_no_unmappables(encoder, 100) >= 100);
    CHECK(encoder_max_buffer_length_from_utf8_if_no_unmappables(encoder, SIZE_MAX) == SIZE_MAX);
    CHECK(encoder_max_buffer_length_from_utf8_without_replacement(encoder, 100) >= 100);
    CHECK(encoder_max_buffer_length_from_utf16_if_no_unmappables(encoder, 100) >= 100);
    CHECK(encoder_max_buffer_length_from_utf16_if_no_unmappables(encoder, SIZE_MAX) == SIZE_MAX);
    CHECK(encoder_max_buffer_length_from_utf16_without_replacement(encoder, 100) >= 100);
    encoder_free(encoder);

    encoder = encoding_new_encoder(UTF_16LE_ENCODING);
    CHECK(encoder_encoding(encoder) == UTF_8_ENCODING);
    CHECK(encoder_max_buffer_length_from_utf16_without_replacement(encoder, SIZE_MAX) == SIZE_MAX);
    CHECK(encoder_max_buffer_length_from_utf8_without_replacement(encoder, SIZE_MAX) == SIZE_MAX);
    encoder_free(encoder);
}

/* Returns the time to encode unmappable characters, with a call for each. */
static clock_t time_to_encode(size_t count) {
    uint8_t *source = malloc(2 * count), *output = malloc(2 * count);
    CHECK(source != NULL && output != NULL);
    for (size_t i = 0; i < count; i++) {
        memcpy(source + 2 * i, "\xD0\x96", 2);
    }
    Encoder *encoder = encoding_new_encoder(WINDOWS_1252_ENCODING);
    clock_t start = clock();
    for (size_t i = 0; i < count; i++) {
        size_t read = 2 * (count - i);
        size_t written = 2 * count;
        uint32_t result = encoder_encode_from_utf8_without_replacement(
            encoder, source + 2 * i, &read, output, &written, true);
        CHECK(result == 0x416 && read == 2 && written == 0);
    }
    clock_t end = clock();
    encoder_free(encoder);
    free(source);
    free(output);
    return end - start;
}

/* A loop over errors must not take quadratic time. */
static void encoder_time(void) {
    bool is_linear = false;
    /* Another program can slow one of the two down. */
    for (int i = 0; i < 4 && !is_linear; i++) {
        clock_t once = time_to_encode(1 << 14);
        /* 64 times as long if the time is quadratic. */
        is_linear = time_to_encode(1 << 17) < 24 * once + CLOCKS_PER_SEC / 100;
    }
    CHECK(is_linear);
}

int main(void) {
    constants();
    labels();
    decoding();
    decoder_chunks();
    decoder_lengths();
    encoding();
    encoder_time();
    return finish("functions");
}
