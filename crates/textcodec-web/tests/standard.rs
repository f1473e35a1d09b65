//! The classes compared with the oracle's section 7.

use testkit::texts;
use textcodec::{Encoding, REPLACEMENT};
use textcodec_web::{TextDecoder, TextDecoderOptions, TextDecoderStream, TextEncoder, TextEncoderStream};

/// Returns random bytes: a byte order mark or none, then well-formed or damaged text.
fn some_bytes(encoding: Encoding, random: &mut fastrand::Rng) -> Vec<u8> {
    const MARKS: [&[u8]; 6] = [b"", b"", b"\xEF\xBB\xBF", b"\xFF\xFE", b"\xFE\xFF", b"\xEF\xBB"];
    let sentence: String = texts::SENTENCES[random.usize(..texts::SENTENCES.len())].chars().take(6).collect();
    let text = encoding.encode(&texts::representable(encoding, &sentence)).unwrap_or_default().into_owned();
    let text = if random.bool() { texts::damage(&text, random) } else { text };
    [MARKS[random.usize(..MARKS.len())], &text].concat()
}

#[test]
fn text_decoder_follows_section_7() {
    let random = &mut fastrand::Rng::with_seed(7);
    let mut calls = 0;
    for _ in 0..600 {
        for &encoding in Encoding::ALL.iter().filter(|encoding| **encoding != REPLACEMENT) {
            let (fatal, ignore_bom) = (random.bool(), random.bool());
            let label = encoding.name();
            let mut ours = TextDecoder::new(label, TextDecoderOptions { fatal, ignore_bom }).unwrap();
            let model = spec_model::web::TextDecoderOptions { fatal, ignore_bom };
            let mut theirs = spec_model::web::TextDecoder::new(label, model).unwrap();
            assert_eq!(ours.encoding(), theirs.encoding());
            assert_eq!((ours.fatal(), ours.ignore_bom()), (fatal, ignore_bom));
            let mut log = Vec::new();
            for _ in 0..random.usize(1..6) {
                let bytes = some_bytes(encoding, random);
                let (from, to) = (random.usize(..=bytes.len()), random.usize(..=bytes.len()));
                let chunk = &bytes[from.min(to) * usize::from(random.bool())..to.max(from)];
                let stream = random.u8(..4) > 0;
                log.push((chunk.to_vec(), stream));
                let mut in_utf16 = ours.clone();
                let ours = ours.decode(chunk, stream).ok();
                let options = spec_model::web::TextDecodeOptions { stream };
                let theirs = theirs.decode(Some(chunk), options).ok();
                assert_eq!(ours, theirs, "{label}, fatal: {fatal}, ignore BOM: {ignore_bom}, {log:02X?}");
                let in_utf16 = in_utf16.decode_to_utf16(chunk, stream).ok();
                assert_eq!(in_utf16.map(|units| String::from_utf16(&units).unwrap()), ours, "{label} {log:02X?}");
                calls += 1;
            }
        }
    }
    println!("TextDecoder: {calls} calls");
}

#[test]
fn a_fatal_error_discards_the_rest_of_the_call_and_keeps_the_state() {
    /// The bytes of a call, and its text or `None` if it throws.
    type Call = (&'static [u8], Option<&'static str>);
    let fatal = TextDecoderOptions { fatal: true, ignore_bom: false };
    let calls: [(&str, &[Call]); 8] = [
        ("utf-8", &[(b"\xFD\xEF", None), (b"", Some(""))]),
        ("utf-8", &[(b"a\xFFbc", None), (b"d", Some("d"))]),
        // Restored bytes, from this call and from the previous one.
        ("utf-8", &[(b"\xF0\x90AB", None), (b"c", Some("c"))]),
        ("gb18030", &[(b"\x81\x30", Some("")), (b"!", None), (b"?", Some("?"))]),
        ("utf-16le", &[(b"\x00\xD8", Some("")), (b"a\0", None), (b"b\0", Some("b"))]),
        // The Roman state, and an escape byte instead of a trail byte.
        ("iso-2022-jp", &[(b"\x1B(J\\", Some("¥")), (b"\x80\\", None), (b"\\", Some("¥"))]),
        ("iso-2022-jp", &[(b"\x1B$B$\x1B(J", None), (b"(J\\", Some("¥"))]),
        // A byte order mark counts as seen when a call returns its text. A call that throws returns none.
        ("utf-8", &[(b"\xEF\xBB\xBF\xFF", None), (b"\xEF\xBB\xBFa", Some("a")), (b"\xEF\xBB\xBF", Some("\u{FEFF}"))]),
    ];
    for (label, calls) in calls {
        let mut ours = TextDecoder::new(label, fatal).unwrap();
        let model = spec_model::web::TextDecoderOptions { fatal: true, ignore_bom: false };
        let mut theirs = spec_model::web::TextDecoder::new(label, model).unwrap();
        for (bytes, expected) in calls {
            assert_eq!(ours.decode(bytes, true).ok().as_deref(), *expected, "{label} {calls:02X?}");
            let options = spec_model::web::TextDecodeOptions { stream: true };
            assert_eq!(
                theirs.decode(Some(bytes), options).ok().as_deref(),
                *expected,
                "the oracle: {label} {calls:02X?}"
            );
        }
        assert_eq!(ours.decode(b"", false).as_deref(), Ok(""), "{label} {calls:02X?}");
    }
}

#[test]
fn text_decoder_stream_follows_section_7() {
    let random = &mut fastrand::Rng::with_seed(8);
    for _ in 0..300 {
        for &encoding in Encoding::ALL.iter().filter(|encoding| **encoding != REPLACEMENT) {
            let (fatal, ignore_bom) = (random.bool(), random.bool());
            let mut ours = TextDecoderStream::new(encoding.name(), TextDecoderOptions { fatal, ignore_bom }).unwrap();
            let model = spec_model::web::TextDecoderOptions { fatal, ignore_bom };
            let mut theirs = spec_model::web::TextDecoderStream::new(encoding.name(), model).unwrap();
            let bytes = some_bytes(encoding, random);
            let mut errored = false;
            for chunk in bytes.chunks(random.usize(1..4)) {
                let in_utf16 = ours.clone().decode_and_enqueue_a_chunk_to_utf16(chunk).ok();
                let ours = ours.decode_and_enqueue_a_chunk(chunk).ok();
                assert_eq!(ours, theirs.decode_and_enqueue_a_chunk(chunk).ok(), "{encoding} {bytes:02X?}");
                let in_utf16 = in_utf16.map(|chunk| chunk.map(|units| String::from_utf16(&units).unwrap()));
                assert_eq!(in_utf16, ours, "{encoding} {bytes:02X?}");
                errored = ours.is_none();
                if errored {
                    break;
                }
            }
            if !errored {
                assert_eq!(ours.flush_and_enqueue().ok(), theirs.flush_and_enqueue().ok(), "{encoding} {bytes:02X?}");
            }
        }
    }
}

#[test]
fn text_encoder_follows_section_7() {
    let random = &mut fastrand::Rng::with_seed(9);
    let everything: Vec<u16> = texts::SENTENCES.concat().encode_utf16().collect();
    let model = spec_model::web::TextEncoder;
    assert_eq!(TextEncoder.encoding(), "utf-8");
    for _ in 0..20_000 {
        let units: Vec<u16> = (0..random.usize(..12))
            .map(|_| {
                if random.u8(..4) == 0 {
                    random.u16(0xD800..=0xDFFF)
                } else {
                    everything[random.usize(..everything.len())]
                }
            })
            .collect();
        assert_eq!(TextEncoder.encode(&units), model.encode(&units));
        let len = random.usize(..40);
        let (mut ours, mut theirs) = (vec![0xA5; len], vec![0xA5; len]);
        let result = TextEncoder.encode_into(&units, &mut ours);
        let expected = model.encode_into(&units, &mut theirs);
        assert_eq!((result.read as u64, result.written as u64), (expected.read as u64, expected.written as u64));
        assert_eq!(ours, theirs, "bytes after `written` are unchanged");

        let mut ours = TextEncoderStream::default();
        let mut theirs = spec_model::web::TextEncoderStream::new();
        for chunk in units.chunks(random.usize(1..4)) {
            assert_eq!(
                ours.encode_and_enqueue_a_chunk(chunk),
                theirs.encode_and_enqueue_a_chunk(chunk),
                "{units:04X?}"
            );
        }
        assert_eq!(ours.encode_and_flush(), theirs.encode_and_flush(), "{units:04X?}");
    }
}

#[test]
fn constructors_throw_range_errors() {
    for label in ["", "utf-7", "replacement", "iso-2022-kr", "utf-8\u{A0}", "utf-8\0"] {
        assert!(TextDecoder::new(label, TextDecoderOptions::default()).is_err(), "{label:?}");
        assert!(TextDecoderStream::new(label, TextDecoderOptions::default()).is_err(), "{label:?}");
    }
}

#[test]
fn encode_into_fills_a_destination_longer_than_its_block() {
    let random = &mut fastrand::Rng::with_seed(12);
    let model = spec_model::web::TextEncoder;
    for sentence in texts::SENTENCES {
        let mut units: Vec<u16> = sentence.repeat(40).encode_utf16().collect();
        for _ in 0..random.usize(..4) {
            let at = random.usize(..units.len());
            units[at] = random.u16(0xD800..=0xDFFF);
        }
        for len in [0, 1, 2, 3, 1023, 1024, 1025, 1026, 3 * units.len()] {
            let (mut ours, mut theirs) = (vec![0xA5; len], vec![0xA5; len]);
            let result = TextEncoder.encode_into(&units, &mut ours);
            let expected = model.encode_into(&units, &mut theirs);
            assert_eq!((result.read as u64, result.written as u64), (expected.read as u64, expected.written as u64));
            assert_eq!(ours, theirs, "bytes after `written` are unchanged");
        }
    }
}

#[test]
fn labels_in_every_spelling() {
    for spelling in spec_model::spellings() {
        let expected = spelling.encoding.map(spec_model::Encoding::name).filter(|name| *name != "replacement");
        let expected = expected.map(str::to_ascii_lowercase);
        let decoder = TextDecoder::new(&spelling.text, TextDecoderOptions::default());
        assert_eq!(decoder.ok().map(|decoder| decoder.encoding().to_owned()), expected, "{:?}", spelling.text);
        let stream = TextDecoderStream::new(&spelling.text, TextDecoderOptions::default());
        assert_eq!(stream.ok().map(|stream| stream.common().encoding().to_owned()), expected, "{:?}", spelling.text);
    }
}
