/*
 * Without memory, the functions that allocate return NULL. Linked with --wrap=malloc, so that calls
 * from the library reach __wrap_malloc.
 */

#include <stdlib.h>

#include "check.h"
#include "encoding_rs.h"

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);

static bool fails;
static unsigned calls;

void *__wrap_malloc(size_t size) {
    calls++;
    return fails ? NULL : __real_malloc(size);
}

int main(void) {
    for (int round = 0; round < 2; round++) {
        fails = round == 1;
        calls = 0;
        Decoder *decoders[] = {
            encoding_new_decoder(BIG5_ENCODING),
            encoding_new_decoder_with_bom_removal(UTF_8_ENCODING),
            encoding_new_decoder_without_bom_handling(ISO_2022_JP_ENCODING),
        };
        Encoder *encoder = encoding_new_encoder(GB18030_ENCODING);
        fails = false;
        CHECK(calls == 4);
        CHECK((encoder == NULL) == (round == 1));
        encoder_free(encoder);
        for (int i = 0; i < 3; i++) {
            CHECK((decoders[i] == NULL) == (round == 1));
            decoder_free(decoders[i]);
        }
    }

    /* Conversions do not allocate. */
    Decoder *decoder = encoding_new_decoder(SHIFT_JIS_ENCODING);
    Encoder *encoder = encoding_new_encoder(SHIFT_JIS_ENCODING);
    calls = 0;
    fails = true;
    uint8_t utf8[16];
    uint8_t back[16];
    size_t read = 4;
    size_t written = sizeof utf8;
    CHECK(decoder_decode_to_utf8(decoder, (const uint8_t *)"\x93\xFA\xFF!", &read, utf8, &written,
                                 true, NULL) == INPUT_EMPTY);
    size_t back_len = sizeof back;
    CHECK(encoder_encode_from_utf8(encoder, utf8, &written, back, &back_len, true, NULL) ==
          INPUT_EMPTY);
    encoding_new_decoder_into(UTF_8_ENCODING, decoder);
    CHECK(calls == 0 && back_len == 11);
    fails = false;
    decoder_free(decoder);
    encoder_free(encoder);
    return finish("no_memory");
}
