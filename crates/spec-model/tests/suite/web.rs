//! Section 7.

use spec_model::{
    Encoding,
    web::{
        RangeError, TextDecodeOptions, TextDecoder, TextDecoderOptions, TextDecoderStream, TextEncoder,
        TextEncoderEncodeIntoResult, TextEncoderStream, TypeError,
    },
};

const FATAL: TextDecoderOptions = TextDecoderOptions { fatal: true, ignore_bom: false };
const REPLACE: TextDecoderOptions = TextDecoderOptions { fatal: false, ignore_bom: false };
const IGNORE_BOM: TextDecoderOptions = TextDecoderOptions { fatal: false, ignore_bom: true };
const STREAM: TextDecodeOptions = TextDecodeOptions { stream: true };
const FLUSH: TextDecodeOptions = TextDecodeOptions { stream: false };

fn units(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

#[test]
fn constructors_refuse_unknown_labels_and_replacement() {
    for label in ["", "utf-9", "replacement", "hz-gb-2312", "iso-2022-kr"] {
        assert_eq!(TextDecoder::new(label, REPLACE).unwrap_err(), RangeError);
        assert_eq!(TextDecoderStream::new(label, REPLACE).unwrap_err(), RangeError);
    }
}

#[test]
fn getters() {
    let decoder = TextDecoder::new(" SJIS\n", FATAL).unwrap();
    assert_eq!((decoder.encoding().as_str(), decoder.fatal(), decoder.ignore_bom()), ("shift_jis", true, false));
    let stream = TextDecoderStream::new("latin1", IGNORE_BOM).unwrap();
    assert_eq!((stream.encoding().as_str(), stream.fatal(), stream.ignore_bom()), ("windows-1252", false, true));
    assert_eq!(TextEncoder.encoding(), "utf-8");
    assert_eq!(TextEncoderStream::new().encoding(), "utf-8");
}

/// The standard's example "end-of-stream".
#[test]
fn decode_without_input_flushes() {
    let mut decoder = TextDecoder::new("utf-8", REPLACE).unwrap();
    assert_eq!(decoder.decode(Some(b"a\xF0\x9F"), STREAM).unwrap(), "a");
    assert_eq!(decoder.decode(Some(b"\x92\xA9\xF0"), STREAM).unwrap(), "\u{1F4A9}");
    assert_eq!(decoder.decode(None, FLUSH).unwrap(), "\u{FFFD}");
    assert_eq!(decoder.decode(None, FLUSH).unwrap(), "");
}

#[test]
fn bom_split_over_chunks_is_removed() {
    for (label, bom) in [("utf-8", &b"\xEF\xBB\xBF"[..]), ("utf-16be", b"\xFE\xFF"), ("utf-16le", b"\xFF\xFE")] {
        for (options, text) in [(REPLACE, ""), (FATAL, ""), (IGNORE_BOM, "\u{FEFF}")] {
            let mut decoder = TextDecoder::new(label, options).unwrap();
            let mut stream = TextDecoderStream::new(label, options).unwrap();
            let (mut output, mut stream_output) = (String::new(), String::new());
            for byte in bom {
                output += &decoder.decode(Some(&[*byte]), STREAM).unwrap();
                stream_output += &stream.decode_and_enqueue_a_chunk(&[*byte]).unwrap().unwrap_or_default();
            }
            output += &decoder.decode(None, FLUSH).unwrap();
            assert_eq!((output.as_str(), stream_output.as_str()), (text, text), "{label}");
        }
    }
}

#[test]
fn only_the_first_bom_is_removed() {
    let mut decoder = TextDecoder::new("utf-8", REPLACE).unwrap();
    assert_eq!(decoder.decode(Some(b"\xEF\xBB\xBF\xEF\xBB\xBF"), STREAM).unwrap(), "\u{FEFF}");
    assert_eq!(decoder.decode(Some(b"\xEF\xBB\xBFa"), STREAM).unwrap(), "\u{FEFF}a");
    assert_eq!(decoder.decode(None, FLUSH).unwrap(), "");
    assert_eq!(decoder.decode(Some(b"\xEF\xBB\xBFa"), FLUSH).unwrap(), "a", "a new text may have a BOM");
}

/// Note below "serialize I/O queue": the BOM of another encoding has no effect.
#[test]
fn the_bom_of_another_encoding_is_text() {
    let mut decoder = TextDecoder::new("utf-16le", REPLACE).unwrap();
    assert_eq!(decoder.decode(Some(b"\xFE\xFF"), FLUSH).unwrap(), "\u{FFFE}");
    let mut decoder = TextDecoder::new("windows-1252", REPLACE).unwrap();
    assert_eq!(decoder.decode(Some(b"\xEF\xBB\xBF"), FLUSH).unwrap(), "\u{EF}\u{BB}\u{BF}");
    let mut decoder = TextDecoder::new("gb18030", REPLACE).unwrap();
    assert_eq!(decoder.decode(Some(b"\x84\x31\x95\x33"), FLUSH).unwrap(), "\u{FEFF}");
}

#[test]
fn a_bom_after_a_fatal_error_is_removed() {
    // Serialize I/O queue has not run, so BOM seen is still false.
    let mut decoder = TextDecoder::new("utf-8", FATAL).unwrap();
    assert_eq!(decoder.decode(Some(b"\xEF\xBB\xBF\xFF"), STREAM), Err(TypeError));
    assert_eq!(decoder.decode(Some(b"\xEF\xBB\xBFa"), FLUSH).unwrap(), "a");
    // Without `stream`, the next call starts a new text.
    assert_eq!(decoder.decode(Some(b"a\xFF"), FLUSH), Err(TypeError));
    assert_eq!(decoder.decode(Some(b"\xEF\xBB\xBFa"), FLUSH).unwrap(), "a");
}

/// Differs from the standard's text: see `discard_io_queue`.
#[test]
fn a_fatal_error_discards_unread_bytes() {
    let mut decoder = TextDecoder::new("utf-8", FATAL).unwrap();
    assert_eq!(decoder.decode(Some(b"a\xFFbc"), STREAM), Err(TypeError));
    assert_eq!(decoder.decode(Some(b"d"), FLUSH).unwrap(), "d");
    assert_eq!(decoder.decode(Some(b"\xFD\xEF"), STREAM), Err(TypeError));
    assert_eq!(decoder.decode(None, FLUSH).unwrap(), "");
}

#[test]
fn a_fatal_error_discards_restored_bytes() {
    let mut decoder = TextDecoder::new("gb18030", FATAL).unwrap();
    assert_eq!(decoder.decode(Some(b"\x81\x30"), STREAM).unwrap(), "");
    assert_eq!(decoder.decode(Some(b"!"), STREAM), Err(TypeError));
    assert_eq!(decoder.decode(Some(b"?"), STREAM).unwrap(), "?");
}

#[test]
fn a_fatal_error_keeps_the_state_of_the_decoder() {
    let mut decoder = TextDecoder::new("iso-2022-jp", FATAL).unwrap();
    assert_eq!(decoder.decode(Some(b"\x1B(J\\"), STREAM).unwrap(), "\u{A5}");
    assert_eq!(decoder.decode(Some(b"\x80\\"), STREAM), Err(TypeError));
    assert_eq!(decoder.decode(Some(b"\\"), STREAM).unwrap(), "\u{A5}", "still the Roman state");
    // An escape byte instead of a trail byte changes the state and is not restored.
    assert_eq!(decoder.decode(Some(b"\x1B$B$\x1B(J"), STREAM), Err(TypeError));
    assert_eq!(decoder.decode(Some(b"(B\\"), STREAM).unwrap(), "\\");
    assert_eq!(decoder.decode(None, FLUSH).unwrap(), "");
}

#[test]
fn a_fatal_error_does_not_reset_bom_seen() {
    let mut decoder = TextDecoder::new("utf-8", FATAL).unwrap();
    assert_eq!(decoder.decode(Some(b"\xEF\xBB\xBFa"), STREAM).unwrap(), "a");
    assert_eq!(decoder.decode(Some(b"\xFF"), STREAM), Err(TypeError));
    assert_eq!(decoder.decode(Some(b"\xEF\xBB\xBFa"), FLUSH).unwrap(), "\u{FEFF}a", "a BOM was seen before the error");
}

#[test]
fn a_fatal_error_without_stream_starts_a_new_text() {
    let mut decoder = TextDecoder::new("utf-8", FATAL).unwrap();
    assert_eq!(decoder.decode(Some(b"a\xFFbc"), FLUSH), Err(TypeError));
    assert_eq!(decoder.decode(Some(b"d"), FLUSH).unwrap(), "d");
    assert_eq!(decoder.decode(Some(b"\xC3"), FLUSH), Err(TypeError));
    assert_eq!(decoder.decode(Some(b"\x80"), FLUSH), Err(TypeError), "a new decoder, in which 0x80 is malformed");
}

#[test]
fn text_encoder_encodes_utf_8() {
    assert_eq!(TextEncoder.encode(&[]), b"");
    assert_eq!(TextEncoder.encode(&units("a\u{80}\u{800}\u{1F4A9}")), "a\u{80}\u{800}\u{1F4A9}".as_bytes());
    assert_eq!(TextEncoder.encode(&[0xD83D, 0x61, 0xDCA9]), "\u{FFFD}a\u{FFFD}".as_bytes());
}

#[test]
fn encode_into_never_splits_a_scalar_value() {
    let source = units("a\u{80}\u{800}\u{1F4A9}b");
    let encoded = "a\u{80}\u{800}\u{1F4A9}b".as_bytes();
    let table = [(0, 0), (1, 1), (1, 1), (2, 3), (2, 3), (2, 3), (3, 6), (3, 6), (3, 6), (3, 6), (5, 10), (6, 11)];
    for (size, (read, written)) in table.into_iter().enumerate() {
        let mut destination = vec![0xAA; size];
        let result = TextEncoder.encode_into(&source, &mut destination);
        assert_eq!(result, TextEncoderEncodeIntoResult { read, written });
        assert_eq!(destination[..written], encoded[..written]);
        assert!(destination[written..].iter().all(|&byte| byte == 0xAA));
    }
    let mut destination = [0; 100];
    let result = TextEncoder.encode_into(&source, &mut destination);
    assert_eq!(result, TextEncoderEncodeIntoResult { read: 6, written: 11 });
}

#[test]
fn encode_into_stops_even_if_a_shorter_character_would_fit() {
    let mut destination = [0; 3];
    let result = TextEncoder.encode_into(&units("\u{1F4A9}a"), &mut destination);
    assert_eq!(result, TextEncoderEncodeIntoResult { read: 0, written: 0 });
    assert_eq!(destination, [0; 3]);
}

#[test]
fn encode_into_counts_a_lone_surrogate_as_one_unit() {
    let mut destination = [0; 4];
    let result = TextEncoder.encode_into(&[0xDC00, 0x61], &mut destination);
    assert_eq!(result, TextEncoderEncodeIntoResult { read: 2, written: 4 });
    assert_eq!(destination, *"\u{FFFD}a".as_bytes().as_array().unwrap());
}

#[test]
fn text_decoder_stream_enqueues_no_empty_chunk() {
    let mut stream = TextDecoderStream::new("utf-8", REPLACE).unwrap();
    assert_eq!(stream.decode_and_enqueue_a_chunk(b"").unwrap(), None);
    assert_eq!(stream.decode_and_enqueue_a_chunk(b"\xEF\xBB\xBF").unwrap(), None);
    assert_eq!(stream.decode_and_enqueue_a_chunk(b"\xC3").unwrap(), None);
    assert_eq!(stream.decode_and_enqueue_a_chunk(b"\x80a").unwrap().as_deref(), Some("\u{C0}a"));
    assert_eq!(stream.flush_and_enqueue().unwrap(), None);
}

/// The bug of whatwg/encoding issue 263.
#[test]
fn text_decoder_stream_flushes_errors_and_restored_bytes() {
    let mut stream = TextDecoderStream::new("utf-8", REPLACE).unwrap();
    assert_eq!(stream.decode_and_enqueue_a_chunk(b"\xF0").unwrap(), None);
    assert_eq!(stream.flush_and_enqueue().unwrap().as_deref(), Some("\u{FFFD}"));

    let mut stream = TextDecoderStream::new("iso-2022-jp", REPLACE).unwrap();
    assert_eq!(stream.decode_and_enqueue_a_chunk(b"\x1B$").unwrap(), None);
    assert_eq!(stream.flush_and_enqueue().unwrap().as_deref(), Some("\u{FFFD}$"));
}

#[test]
fn text_decoder_stream_throws_in_fatal_mode() {
    let mut stream = TextDecoderStream::new("utf-8", FATAL).unwrap();
    assert_eq!(stream.decode_and_enqueue_a_chunk(b"a\xFF"), Err(TypeError));
    let mut stream = TextDecoderStream::new("utf-8", FATAL).unwrap();
    assert_eq!(stream.decode_and_enqueue_a_chunk(b"a\xC3").unwrap().as_deref(), Some("a"));
    assert_eq!(stream.flush_and_enqueue(), Err(TypeError));
}

#[test]
fn text_encoder_stream_joins_surrogates_over_chunks() {
    let mut stream = TextEncoderStream::new();
    assert_eq!(stream.encode_and_enqueue_a_chunk(&[]), None);
    assert_eq!(stream.encode_and_enqueue_a_chunk(&[0x61, 0xD83D]), Some(b"a".to_vec()));
    assert_eq!(stream.encode_and_enqueue_a_chunk(&[]), None);
    assert_eq!(stream.encode_and_enqueue_a_chunk(&[0xDCA9]), Some("\u{1F4A9}".as_bytes().to_vec()));
    assert_eq!(stream.encode_and_flush(), None);
}

#[test]
fn text_encoder_stream_replaces_lone_surrogates() {
    let mut stream = TextEncoderStream::new();
    assert_eq!(stream.encode_and_enqueue_a_chunk(&[0xD83D]), None);
    assert_eq!(stream.encode_and_enqueue_a_chunk(&[0x62]), Some("\u{FFFD}b".as_bytes().to_vec()));
    assert_eq!(stream.encode_and_enqueue_a_chunk(&[0xDCA9]), Some("\u{FFFD}".as_bytes().to_vec()));
    assert_eq!(stream.encode_and_enqueue_a_chunk(&[0xD83D]), None);
    assert_eq!(stream.encode_and_enqueue_a_chunk(&[0xD83D]), Some("\u{FFFD}".as_bytes().to_vec()));
    assert_eq!(stream.encode_and_flush(), Some("\u{FFFD}".as_bytes().to_vec()));
}

/// Note below "convert code unit to scalar value": the result equals Infra's conversion for any chunks.
#[test]
fn text_encoder_stream_equals_text_encoder_at_every_split() {
    let source = [0x61, 0xD83D, 0xDCA9, 0xD83D, 0xD83D, 0xDCA9, 0xDCA9, 0x62, 0xD83D];
    for split in 0..=source.len() {
        let mut stream = TextEncoderStream::new();
        let mut output = Vec::new();
        for chunk in [&source[..split], &[], &source[split..]] {
            output.extend(stream.encode_and_enqueue_a_chunk(chunk).unwrap_or_default());
        }
        output.extend(stream.encode_and_flush().unwrap_or_default());
        assert_eq!(output, TextEncoder.encode(&source));
    }
}

#[test]
fn every_encoding_but_replacement_has_a_text_decoder() {
    for &encoding in Encoding::all() {
        for label in encoding.labels() {
            let decoder = TextDecoder::new(label, REPLACE);
            match decoder {
                Ok(decoder) => assert_eq!(decoder.encoding(), encoding.name().to_ascii_lowercase()),
                Err(RangeError) => assert_eq!(encoding, Encoding::REPLACEMENT),
            }
        }
    }
}
