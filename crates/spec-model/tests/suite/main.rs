//! The oracle's own tests: the steps of each encoding, the standard's notes and examples, and known mistakes of real
//! decoders.

#![expect(clippy::single_range_in_vec_init, reason = "the errors of an input are a slice of ranges, often of one")]

mod big5;
mod chinese;
mod encodings;
mod hooks;
mod indexes;
mod io_queue;
mod iso_2022_jp;
mod japanese_korean;
mod known_mistakes;
mod labels;
mod round_trips;
mod run;
mod utf;
mod web;

use std::ops::Range;

use spec_model::{
    Bom, EncodeMode, Encoding, Mode, decode, encode,
    web::{TextDecodeOptions, TextDecoder, TextDecoderOptions, TextDecoderStream},
};

/// Returns the bytes of a string like `"81 30"`.
fn bytes(hex: &str) -> Vec<u8> {
    hex.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
}

/// Asserts the result of decoding `hex` in a single call, up to the first error, and in every two chunks through the
/// streaming interfaces.
#[track_caller]
fn decodes(encoding: Encoding, hex: &str, text: &str, errors: &[Range<usize>]) {
    let bytes = bytes(hex);
    let decoded = decode(encoding, &bytes, Bom::Keep, Mode::Replacement);
    assert_eq!(decoded.text, text, "{hex}");
    assert_eq!(decoded.errors, errors, "{hex}");
    assert_eq!((decoded.encoding, decoded.bom), (encoding, false));

    let fatal = decode(encoding, &bytes, Bom::Keep, Mode::Fatal);
    assert!(text.starts_with(&fatal.text), "{hex}");
    assert_eq!(fatal.errors, &errors[..errors.len().min(1)], "{hex}");

    if encoding != Encoding::REPLACEMENT {
        decodes_in_chunks(encoding, &bytes, text, errors);
    }
}

#[track_caller]
fn decodes_in_chunks(encoding: Encoding, bytes: &[u8], text: &str, errors: &[Range<usize>]) {
    let ignore_bom = true;
    for split in 0..=bytes.len() {
        let (left, right) = bytes.split_at(split);

        let options = TextDecoderOptions { fatal: false, ignore_bom };
        let mut decoder = TextDecoder::new(encoding.name(), options).unwrap();
        let mut chunks = String::new();
        for chunk in [left, &[], right] {
            chunks += &decoder.decode(Some(chunk), TextDecodeOptions { stream: true }).unwrap();
        }
        chunks += &decoder.decode(None, TextDecodeOptions::default()).unwrap();
        assert_eq!(chunks, text, "{bytes:02X?} split at {split}");

        let mut stream = TextDecoderStream::new(encoding.name(), options).unwrap();
        chunks.clear();
        for chunk in [left, &[], right] {
            chunks += &stream.decode_and_enqueue_a_chunk(chunk).unwrap().unwrap_or_default();
        }
        chunks += &stream.flush_and_enqueue().unwrap().unwrap_or_default();
        assert_eq!(chunks, text, "{bytes:02X?} split at {split}, as a stream");

        let mut stream =
            TextDecoderStream::new(encoding.name(), TextDecoderOptions { fatal: true, ignore_bom }).unwrap();
        let failed = stream.decode_and_enqueue_a_chunk(left).is_err()
            || stream.decode_and_enqueue_a_chunk(right).is_err()
            || stream.flush_and_enqueue().is_err();
        assert_eq!(failed, !errors.is_empty(), "{bytes:02X?} split at {split}, as a fatal stream");
    }
}

/// Asserts that `text` encodes to `hex` without an error.
#[track_caller]
fn encodes(encoding: Encoding, text: &str, hex: &str) {
    for mode in [EncodeMode::Fatal, EncodeMode::Html] {
        let encoded = encode(encoding, text.chars(), mode).unwrap();
        assert_eq!(encoded.bytes, bytes(hex), "{text:?}: {:02X?}", encoded.bytes);
        assert_eq!(encoded.errors, [], "{text:?}");
    }
}

/// Asserts that `text` has its first error at `error`, and that the bytes before it are `hex`.
#[track_caller]
fn encode_fails(encoding: Encoding, text: &str, hex: &str, error: (usize, char)) {
    let encoded = encode(encoding, text.chars(), EncodeMode::Fatal).unwrap();
    assert_eq!(encoded.bytes, bytes(hex), "{text:?}: {:02X?}", encoded.bytes);
    assert_eq!(encoded.errors, [error], "{text:?}");
}
