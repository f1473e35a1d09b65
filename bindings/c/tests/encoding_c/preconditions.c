/* What the original does not allow: it ends the program, or its behaviour is undefined. */

#define _POSIX_C_SOURCE 200809L

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "encoding_rs.h"
#include "encoding_rs_mem.h"

static const uint8_t *bytes(const char *text) {
    return (const uint8_t *)text;
}

/* A buffer without any length may be NULL. */
static void null_buffers(void) {
    size_t zero = 0;
    size_t none = 0;
    CHECK(encoding_for_label(NULL, 0) == NULL);
    CHECK(encoding_for_label_no_replacement(NULL, 0) == NULL);
    CHECK(encoding_for_bom(NULL, &zero) == NULL && zero == 0);
    CHECK(encoding_utf8_valid_up_to(NULL, 0) == 0);
    CHECK(encoding_ascii_valid_up_to(NULL, 0) == 0);
    CHECK(encoding_iso_2022_jp_ascii_valid_up_to(NULL, 0) == 0);

    Decoder *decoder = encoding_new_decoder(UTF_8_ENCODING);
    CHECK(decoder_decode_to_utf8(decoder, NULL, &zero, NULL, &none, false, NULL) == INPUT_EMPTY);
    CHECK(decoder_decode_to_utf16(decoder, NULL, &zero, NULL, &none, false, NULL) == INPUT_EMPTY);
    CHECK(decoder_decode_to_utf8_without_replacement(decoder, NULL, &zero, NULL, &none, false) ==
          INPUT_EMPTY);
    CHECK(decoder_decode_to_utf16_without_replacement(decoder, NULL, &zero, NULL, &none, true) ==
          INPUT_EMPTY);
    encoding_new_decoder_without_bom_handling_into(UTF_8_ENCODING, decoder);
    CHECK(decoder_latin1_byte_compatible_up_to(decoder, NULL, 0) == 0);
    decoder_free(decoder);
    decoder_free(NULL);

    Encoder *encoder = encoding_new_encoder(UTF_8_ENCODING);
    CHECK(encoder_encode_from_utf8(encoder, NULL, &zero, NULL, &none, false, NULL) == INPUT_EMPTY);
    CHECK(encoder_encode_from_utf16(encoder, NULL, &zero, NULL, &none, false, NULL) ==
          INPUT_EMPTY);
    CHECK(encoder_encode_from_utf8_without_replacement(encoder, NULL, &zero, NULL, &none, false) ==
          INPUT_EMPTY);
    CHECK(encoder_encode_from_utf16_without_replacement(encoder, NULL, &zero, NULL, &none, true) ==
          INPUT_EMPTY);
    encoder_free(encoder);
    encoder_free(NULL);

    CHECK(encoding_mem_is_ascii(NULL, 0) && encoding_mem_is_basic_latin(NULL, 0));
    CHECK(encoding_mem_is_utf8_latin1(NULL, 0) && encoding_mem_is_str_latin1(NULL, 0));
    CHECK(encoding_mem_is_utf16_latin1(NULL, 0) && !encoding_mem_is_utf8_bidi(NULL, 0));
    CHECK(!encoding_mem_is_str_bidi(NULL, 0) && !encoding_mem_is_utf16_bidi(NULL, 0));
    CHECK(encoding_mem_check_utf8_for_latin1_and_bidi(NULL, 0) == Latin1);
    CHECK(encoding_mem_check_str_for_latin1_and_bidi(NULL, 0) == Latin1);
    CHECK(encoding_mem_check_utf16_for_latin1_and_bidi(NULL, 0) == Latin1);
    CHECK(encoding_mem_utf8_latin1_up_to(NULL, 0) == 0);
    CHECK(encoding_mem_str_latin1_up_to(NULL, 0) == 0);
    CHECK(encoding_mem_utf16_valid_up_to(NULL, 0) == 0);
    encoding_mem_ensure_utf16_validity(NULL, 0);
    CHECK(encoding_mem_convert_utf8_to_utf16(NULL, 0, NULL, 0) == 0);
    CHECK(encoding_mem_convert_str_to_utf16(NULL, 0, NULL, 0) == 0);
    CHECK(encoding_mem_convert_utf8_to_utf16_without_replacement(NULL, 0, NULL, 0) == 0);
    CHECK(encoding_mem_convert_utf16_to_utf8(NULL, 0, NULL, 0) == 0);
    encoding_mem_convert_utf16_to_utf8_partial(NULL, &zero, NULL, &none);
    encoding_mem_convert_latin1_to_utf8_partial(NULL, &zero, NULL, &none);
    CHECK(zero == 0 && none == 0);
    encoding_mem_convert_latin1_to_utf16(NULL, 0, NULL, 0);
    CHECK(encoding_mem_convert_latin1_to_utf8(NULL, 0, NULL, 0) == 0);
    CHECK(encoding_mem_convert_utf8_to_latin1_lossy(NULL, 0, NULL, 0) == 0);
    encoding_mem_convert_utf16_to_latin1_lossy(NULL, 0, NULL, 0);
    CHECK(encoding_mem_copy_ascii_to_ascii(NULL, 0, NULL, 0) == 0);
    CHECK(encoding_mem_copy_ascii_to_basic_latin(NULL, 0, NULL, 0) == 0);
    CHECK(encoding_mem_copy_basic_latin_to_ascii(NULL, 0, NULL, 0) == 0);
}

static bool decodes_to(Decoder *decoder, const char *src, size_t src_len, const char *expected) {
    uint8_t utf8[64];
    size_t read = src_len;
    size_t written = sizeof utf8;
    bool replaced;
    return decoder_decode_to_utf8(decoder, bytes(src), &read, utf8, &written, true, &replaced) ==
               INPUT_EMPTY &&
           read == src_len && written == strlen(expected) && memcmp(utf8, expected, written) == 0;
}

/* After the end of an input, decoders and encoders start another one as they started the first. */
static void after_the_end(void) {
    Decoder *decoder = encoding_new_decoder(KOI8_R_ENCODING);
    CHECK(decodes_to(decoder, "\xFE\xFF\x04\x10", 4, "А"));
    CHECK(decoder_encoding(decoder) == UTF_16BE_ENCODING);
    CHECK(decoder_max_utf8_buffer_length(decoder, 10) >= 20);
    CHECK(decoder_max_utf8_buffer_length_without_replacement(decoder, 10) >= 20);
    CHECK(decoder_max_utf16_buffer_length(decoder, 10) >= 10);
    /* A byte order mark is possible again. */
    CHECK(decoder_latin1_byte_compatible_up_to(decoder, bytes("a"), 1) == SIZE_MAX);
    CHECK(decodes_to(decoder, "\xC1", 1, "а"));
    CHECK(decoder_encoding(decoder) == KOI8_R_ENCODING);
    CHECK(decodes_to(decoder, "\xEF\xBB\xBF\xD0\xB1", 5, "б"));

    encoding_new_decoder_with_bom_removal_into(UTF_8_ENCODING, decoder);
    CHECK(decodes_to(decoder, "\xEF\xBB\xBFx", 4, "x"));
    CHECK(decodes_to(decoder, "\xEF\xBB\xBFy", 4, "y"));
    CHECK(decodes_to(decoder, "\xFF\xFE", 2, "\xEF\xBF\xBD\xEF\xBF\xBD"));

    encoding_new_decoder_without_bom_handling_into(UTF_8_ENCODING, decoder);
    CHECK(decodes_to(decoder, "a", 1, "a"));
    CHECK(decoder_latin1_byte_compatible_up_to(decoder, bytes("ab\xC3"), 3) == 2);
    CHECK(decodes_to(decoder, "\xEF\xBB\xBFz", 4, "\xEF\xBB\xBFz"));
    decoder_free(decoder);

    Encoder *encoder = encoding_new_encoder(ISO_2022_JP_ENCODING);
    for (int round = 0; round < 2; round++) {
        uint8_t output[16];
        size_t read = 3;
        size_t written = sizeof output;
        CHECK(encoder_encode_from_utf8(encoder, bytes("日"), &read, output, &written, true, NULL) ==
              INPUT_EMPTY);
        CHECK(written == 8 && memcmp(output, "\x1B$BF|\x1B(B", 8) == 0);
    }
    encoder_free(encoder);
}

/*
 * Encodes UTF-8 with `least` or more bytes of room for each call, and compares the result. The
 * destination is as long as the room, so that valgrind reports writes after it.
 */
static void encodes_to(const Encoding *encoding, size_t least, const char *src,
                       const char *expected) {
    for (size_t room = least; room < 40; room++) {
        Encoder *encoder = encoding_new_encoder(encoding);
        uint8_t output[128];
        size_t total = 0;
        size_t at = 0;
        bool any = false;
        uint32_t result = OUTPUT_FULL;
        for (unsigned calls = 0; calls < 200 && result != INPUT_EMPTY; calls++) {
            uint8_t *dst = malloc(room);
            size_t read = strlen(src) - at;
            size_t written = room;
            bool replaced;
            result = encoder_encode_from_utf8(encoder, bytes(src) + at, &read, dst, &written, true,
                                              &replaced);
            memcpy(output + total, dst, written);
            total += written;
            at += read;
            any = any || replaced;
            free(dst);
        }
        CHECK(result == INPUT_EMPTY && at == strlen(src));
        CHECK(total == strlen(expected) && memcmp(output, expected, total) == 0);
        CHECK(any == (strstr(expected, "&#") != NULL));
        encoder_free(encoder);
    }
}

static void malformed_text(void) {
    encodes_to(UTF_8_ENCODING, 3, "a\xFF\xC3\xA9\xE2\x82!", "a\xEF\xBF\xBD\xC3\xA9\xEF\xBF\xBD!");
    encodes_to(KOI8_R_ENCODING, 8, "\xD0\xB1\xFF\xD0", "\xC2&#65533;&#65533;");
    encodes_to(KOI8_R_ENCODING, 8, "\xFF\xD0\xB1", "&#65533;\xC2");
    encodes_to(GB18030_ENCODING, 4, "\xFFx", "\x84\x31\xA4\x37x");
    encodes_to(ISO_2022_JP_ENCODING, 11, "\xE6\x97\xA5\xE6\x97\xFF",
               "\x1B$BF|\x1B(B&#65533;&#65533;");

    Encoder *encoder = encoding_new_encoder(KOI8_R_ENCODING);
    uint8_t output[16];
    size_t read = 4;
    size_t written = sizeof output;
    CHECK(encoder_encode_from_utf8_without_replacement(encoder, bytes("a\xE2\x82!"), &read, output,
                                                       &written, true) == 0xFFFD);
    CHECK(read == 3 && written == 1 && output[0] == 'a');
    encoder_free(encoder);

    char16_t units[8];
    CHECK(encoding_mem_convert_str_to_utf16("a\xFF", 2, units, 8) == 0);
    CHECK(!encoding_mem_is_str_latin1("a\xFF", 2));
    CHECK(encoding_mem_str_latin1_up_to("a\xFF", 2) == 1);
    CHECK(encoding_mem_is_str_bidi("a\xFF", 2));
    CHECK(encoding_mem_check_str_for_latin1_and_bidi("a\xFF", 2) == Bidi);
    CHECK(!encoding_mem_is_char_bidi(0xD83A) && !encoding_mem_is_char_bidi(0x110000));
    CHECK(!encoding_mem_is_char_bidi(UINT32_MAX));
}

/* Destinations that are too short. Valgrind tells if anything is written after them. */
static void short_destinations(void) {
    static const char16_t text[] = {'a', 'b', 'c'};
    char16_t *units = malloc(2 * sizeof *units);
    char *dst = malloc(2);
    units[0] = units[1] = '#';
    CHECK(encoding_mem_convert_utf8_to_utf16("ab", 2, units, 2) == 0);
    CHECK(encoding_mem_convert_str_to_utf16("abc", 3, units, 2) == 0);
    CHECK(encoding_mem_convert_utf8_to_utf16_without_replacement("abc", 3, units, 2) == SIZE_MAX);
    CHECK(units[0] == '#' && units[1] == '#');
    memset(dst, '#', 2);
    CHECK(encoding_mem_convert_utf16_to_utf8(text, 1, dst, 2) == 0);
    CHECK(encoding_mem_convert_latin1_to_utf8("ab", 2, dst, 2) == 0);
    CHECK(encoding_mem_convert_utf8_to_latin1_lossy("abc", 3, dst, 2) == 0);
    CHECK(memcmp(dst, "##", 2) == 0);

    encoding_mem_convert_latin1_to_utf16("abc", 3, units, 2);
    CHECK(memcmp(units, text, 4) == 0);
    encoding_mem_convert_utf16_to_latin1_lossy(text, 3, dst, 2);
    CHECK(memcmp(dst, "ab", 2) == 0);
    CHECK(encoding_mem_copy_ascii_to_ascii("xyz", 3, dst, 2) == 2 && memcmp(dst, "xy", 2) == 0);
    CHECK(encoding_mem_copy_ascii_to_basic_latin("xyz", 3, units, 2) == 2 && units[1] == 'y');
    CHECK(encoding_mem_copy_basic_latin_to_ascii(text, 3, dst, 2) == 2);
    CHECK(memcmp(dst, "ab", 2) == 0);
    free(units);
    free(dst);
}

/* Calls with a NULL that is not allowed. */
static void forbidden(int number) {
    size_t len = 1;
    size_t dst_len = 1;
    uint8_t byte = 'a';
    Decoder *decoder = encoding_new_decoder(UTF_8_ENCODING);
    switch (number) {
    case 0:
        encoding_is_single_byte(NULL);
        break;
    case 1:
        encoding_new_decoder(NULL);
        break;
    case 2:
        decoder_decode_to_utf8(NULL, &byte, &len, &byte, &dst_len, true, NULL);
        break;
    case 3:
        decoder_decode_to_utf8(decoder, &byte, NULL, &byte, &dst_len, true, NULL);
        break;
    case 4:
        decoder_decode_to_utf8(decoder, NULL, &len, &byte, &dst_len, true, NULL);
        break;
    case 5:
        decoder_decode_to_utf8(decoder, &byte, &len, NULL, &dst_len, true, NULL);
        break;
    case 6:
        encoder_has_pending_state(NULL);
        break;
    case 7:
        encoding_new_decoder_into(UTF_8_ENCODING, NULL);
        break;
    default:
        encoding_mem_is_ascii(NULL, 1);
        break;
    }
}

static void null_objects(void) {
    for (int number = 0; number < 9; number++) {
        fflush(NULL);
        const pid_t child = fork();
        if (child == 0) {
            forbidden(number);
            _exit(0);
        }
        int status = 0;
        CHECK(child > 0 && waitpid(child, &status, 0) == child);
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    }
}

int main(void) {
    null_buffers();
    after_the_end();
    malformed_text();
    short_destinations();
    null_objects();
    return finish("preconditions");
}
