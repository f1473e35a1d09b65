//! The codecs for tokio-util's framed streams.

use std::io;

use futures_util::{SinkExt, StreamExt};
use textcodec::{EncodeOptions, ISO_2022_JP, Malformed, REPLACEMENT, UTF_8, UTF_16LE};
use textcodec_tokio::{DecodeCodec, EncodeCodec, End};
use tokio_util::{
    bytes::BytesMut,
    codec::{Decoder, Encoder, FramedRead, FramedWrite},
};

use crate::cases;

#[test]
fn decoding_agrees_with_a_single_call() {
    let mut random = fastrand::Rng::with_seed(1);
    for case in cases::all_decoding(&mut random).into_iter().chain([cases::long_decoding()]) {
        let mut decoder = DecodeCodec::new(case.convert.clone());
        let (mut src, mut text) = (BytesMut::new(), String::new());
        let mut rest = &case.input[..];
        let result: io::Result<()> = loop {
            let len = random.usize(..=rest.len().min(9000));
            src.extend_from_slice(&rest[..len]);
            rest = &rest[len..];
            let next = if rest.is_empty() { decoder.decode_eof(&mut src) } else { decoder.decode(&mut src) };
            match next {
                Ok(Some(part)) => {
                    assert!(!part.is_empty());
                    text += &part;
                }
                Ok(None) if rest.is_empty() => break Ok(()),
                Ok(None) => {}
                Err(error) => break Err(error),
            }
        };
        assert_eq!(text.as_bytes(), case.output, "{:?}", case.convert);
        assert_eq!(result.err().as_ref().and_then(cases::range), case.error);
        assert_eq!(decoder.decoder().errors().count(), case.replaced);
    }
}

#[test]
fn encoding_agrees_with_a_single_call() {
    let mut random = fastrand::Rng::with_seed(2);
    for case in cases::all_encoding(&mut random).into_iter().chain([cases::long_encoding()]) {
        let Ok(text) = std::str::from_utf8(&case.input) else { continue };
        let mut encoder = EncodeCodec::new(case.convert.clone());
        let mut bytes = BytesMut::new();
        let characters: Vec<String> = text.chars().map(String::from).collect();
        let result = characters
            .chunks(random.usize(1..60))
            .try_for_each(|part| encoder.encode(part.concat(), &mut bytes))
            .and_then(|()| encoder.encode(End, &mut bytes));
        assert_eq!(bytes, case.output, "{:?}", case.convert);
        assert_eq!(result.err().as_ref().and_then(cases::range), case.error);
        assert_eq!(encoder.encoder().errors().count(), case.replaced);
    }
}

#[test]
fn an_error_is_returned_directly_after_the_text_before_it() {
    for malformed in [Malformed::Fail, Malformed::Pause] {
        let mut decoder = DecodeCodec::new(UTF_8.decoder_with(cases::STRICT.malformed(malformed)));
        let mut src = BytesMut::from(&b"ab\xFF"[..]);
        assert_eq!(decoder.decode(&mut src).unwrap().as_deref(), Some("ab"));
        // The error needs no further bytes.
        assert_eq!(cases::range(&decoder.decode(&mut src).unwrap_err()), Some(2..3));
        // Without text before it, the error is returned at once.
        let mut decoder = DecodeCodec::new(UTF_8.decoder_with(cases::STRICT.malformed(malformed)));
        assert_eq!(cases::range(&decoder.decode(&mut b"\xFFab"[..].into()).unwrap_err()), Some(0..1));
    }
}

#[test]
fn a_finished_decoder_or_encoder_starts_a_new_input() {
    let mut finished = UTF_8.decoder_with(cases::STRICT);
    assert_eq!(finished.decode_to_utf8(b"abc", &mut [0; 9], true).written, 3);
    let mut decoder = DecodeCodec::new(finished);
    let mut src = BytesMut::from(&b"\xEF\xBB\xBFabcd\xFF"[..]);
    assert_eq!(decoder.decode(&mut src).unwrap().as_deref(), Some("abcd"));
    assert!(src.is_empty());
    assert_eq!(cases::range(&decoder.decode_eof(&mut src).unwrap_err()), Some(7..8));

    let mut finished = UTF_16LE.encoder_with(EncodeOptions::new().bom(true));
    assert_eq!(finished.encode_from_utf8("abc", &mut [0; 9], true).written, 8);
    let mut bytes = BytesMut::new();
    EncodeCodec::new(finished).encode("a", &mut bytes).unwrap();
    assert_eq!(*bytes, *b"\xFF\xFEa\0");
}

#[test]
fn a_new_text_starts_after_the_end() {
    let mut decoder = DecodeCodec::new(UTF_8.decoder_with(cases::STRICT.malformed(Malformed::Pause)));
    for _ in 0..2 {
        let mut src = BytesMut::from(&b"\xEF\xBB\xBFab\xFFc\xC3"[..]);
        assert_eq!(decoder.decode(&mut src).unwrap().as_deref(), Some("ab"));
        assert_eq!(cases::range(&decoder.decode(&mut src).unwrap_err()), Some(5..6));
        assert_eq!(decoder.decode(&mut src).unwrap().as_deref(), Some("c"));
        assert_eq!(cases::range(&decoder.decode_eof(&mut src).unwrap_err()), Some(7..8));
        assert_eq!(decoder.decode_eof(&mut src).unwrap(), None);
        assert_eq!(decoder.decode_eof(&mut src).unwrap(), None);
    }
    let mut encoder = EncodeCodec::new(ISO_2022_JP.encoder());
    let mut bytes = BytesMut::new();
    for _ in 0..2 {
        encoder.encode("日", &mut bytes).unwrap();
        encoder.encode(End, &mut bytes).unwrap();
    }
    assert_eq!(*bytes, *b"\x1B$BF|\x1B(B\x1B$BF|\x1B(B");
}

#[test]
fn a_byte_order_mark_is_written_at_the_start_of_each_text() {
    let mut bytes = BytesMut::new();
    let mut encoder = EncodeCodec::new(UTF_16LE.encoder_with(EncodeOptions::new().bom(true)));
    encoder.encode("a", &mut bytes).unwrap();
    encoder.encode("b", &mut bytes).unwrap();
    encoder.encode(End, &mut bytes).unwrap();
    encoder.encode("c", &mut bytes).unwrap();
    assert_eq!(*bytes, *b"\xFF\xFEa\0b\0\xFF\xFEc\0");
}

#[tokio::test]
async fn frames_are_parts_of_the_text() {
    let text = testkit::texts::SENTENCES.concat().repeat(100);
    let mut framed =
        FramedWrite::new(Vec::new(), EncodeCodec::new(UTF_16LE.encoder_with(EncodeOptions::new().bom(true))));
    for line in text.split_inclusive('\n') {
        framed.send(line).await.unwrap();
    }
    framed.send(End).await.unwrap();
    let mut bytes = framed.into_inner();
    assert_eq!(bytes, cases::marked(UTF_16LE, &UTF_16LE.encode(&text).unwrap()));

    bytes.push(0);
    let decoder = DecodeCodec::new(UTF_8.decoder_with(cases::STRICT));
    let frames: Vec<io::Result<String>> = FramedRead::new(&bytes[..], decoder).collect().await;
    let (last, frames) = frames.split_last().unwrap();
    assert_eq!(frames.iter().flatten().map(String::as_str).collect::<String>(), text);
    let end = bytes.len() as u64;
    assert_eq!(cases::range(last.as_ref().unwrap_err()), Some(end - 1..end));
}

#[test]
fn an_encoder_that_does_not_exist_fails_in_each_call() {
    for text in ["", "a"] {
        let (mut codec, mut bytes) = (EncodeCodec::new(REPLACEMENT.encoder()), BytesMut::new());
        for _ in 0..2 {
            assert_eq!(codec.encode(text, &mut bytes).unwrap_err().kind(), io::ErrorKind::Unsupported);
        }
        assert!(bytes.is_empty());
    }
}
