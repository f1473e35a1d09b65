//! Properties of the streaming types that the oracle does not define: reuse, results, callbacks, options.
//!
//! Over 600 lines because each property has tests for decoders and for encoders.

use testkit::texts;
use textcodec::{
    Bom, DecodeError, DecodeOptions, DecodeReason, Decoder, EncodeError, EncodeOptions, EncodeReason, Encoding,
    GB18030, ISO_2022_JP, LATIN1, Malformed, SHIFT_JIS, Status, TextUnit, US_ASCII, UTF_8, UTF_16LE, Unmappable,
    WINDOWS_1252,
};

#[test]
fn a_finished_decoder_behaves_like_a_new_one() {
    for &encoding in Encoding::ALL {
        let mut used = encoding.decoder();
        let mut buffer = [0; 64];
        for input in [&b"\xEF\xBB\xBFab\x81"[..], b"\x1B$B", b"\xFF\xFE\x3D", b"\xC3\xA9\x93", b"\x84\x31\xA4"] {
            let progress = used.decode_to_utf8(input, &mut buffer, true);
            assert_eq!(progress.status, Status::InputEmpty);
            let mut fresh = encoding.decoder();
            let mut expected = [0; 64];
            let fresh_progress = fresh.decode_to_utf8(input, &mut expected, true);
            assert_eq!((&progress, buffer), (&fresh_progress, expected), "{encoding} {input:02X?}");
            let outcome = |decoder: &textcodec::Decoder| {
                (decoder.encoding(), decoder.bom_removed(), decoder.errors().clone(), decoder.position())
            };
            assert_eq!(outcome(&used), outcome(&fresh), "{encoding} {input:02X?}");
            buffer = [0; 64];
        }
    }
}

#[test]
fn a_finished_or_reset_encoder_behaves_like_a_new_one() {
    let mut encoder = ISO_2022_JP.encoder_with(Unmappable::Skip);
    let mut buffer = [0; 64];
    let units = [0x65E5, 0xD83D, 0xDE00, 0xD800];
    for _ in 0..2 {
        let progress = encoder.encode_from_utf16(&units, &mut buffer, true);
        assert_eq!(&buffer[..progress.written], b"\x1B$BF|\x1B(B");
        assert_eq!((encoder.errors().count(), encoder.position()), (2, 4));
        assert_eq!(encoder.errors().first().map(EncodeError::range), Some(1..3));
    }
    for _ in 0..2 {
        encoder.reset();
        assert_eq!((encoder.errors().count(), encoder.position()), (0, 0));
        let progress = encoder.encode_from_utf16(&units[..2], &mut buffer, false);
        assert_eq!((&buffer[..progress.written], encoder.position()), (&b"\x1B$BF|"[..], 2));
    }
}

#[test]
fn replacement_reads_all_of_its_input() {
    let mut decoder = textcodec::REPLACEMENT.decoder();
    let progress = decoder.decode_to_utf8(b"\x1B$)Cabc", &mut [0; 8], true);
    assert_eq!((progress.read, decoder.position()), (7, 7));
}

#[test]
fn error_offsets_count_the_byte_order_mark() {
    let decoded = WINDOWS_1252.decode(b"\xEF\xBB\xBFa\xFF");
    assert_eq!(decoded.errors.first().map(DecodeError::range), Some(4..5));
    assert_eq!(UTF_8.decode_strict(b"\xEF\xBB\xBFa\xFF").unwrap_err().range(), 4..5);
}

#[test]
fn push_with_returns_the_fatal_error_of_an_earlier_call() {
    let mut decoder = UTF_8.decoder_with(DecodeOptions::new().malformed(Malformed::Fail));
    let mut text = String::new();
    assert!(decoder.push(b"\xEF\xBB\xBFa\xFF", &mut text).is_err());
    assert!(decoder.bom_removed(), "the summary is available after an error");
    let error = decoder.push_with(b"b\xC3", &mut text, |_| Some("?".into())).unwrap_err();
    assert_eq!(error.range(), 4..5);
    assert_eq!(decoder.finish_with(&mut text, |_| Some("!".into())).unwrap_err(), error);
    assert_eq!(text, "a");
}

#[test]
fn push_with_stops_where_the_function_returns_none() {
    let mut text = String::new();
    let mut decoder = UTF_8.decoder();
    let bytes = b"a\xFFb\xFEc\xE2";
    let only_ff = |error: &DecodeError| (error.bytes() == [0xFF]).then(|| "?".into());
    assert_eq!(decoder.push_with(bytes, &mut text, only_ff).unwrap_err().range(), 3..4);
    assert_eq!((text.as_str(), decoder.position(), decoder.errors().count()), ("a?b", 4, 1));
    decoder.push_with(&bytes[4..], &mut text, only_ff).unwrap();
    assert_eq!(decoder.finish_with(&mut text, only_ff).unwrap_err().range(), 5..6);
    assert_eq!(text, "a?bc");

    // The text after the error at the end is still written.
    let mut units: Vec<u16> = Vec::new();
    let mut decoder = ISO_2022_JP.decoder();
    decoder.push(b"a\x1B$", &mut units).unwrap();
    assert_eq!(decoder.finish_with(&mut units, |_| None).unwrap_err().range(), 1..2);
    assert_eq!(units, [0x61, 0x24]);
}

#[test]
fn bytes_that_the_code_page_does_not_assign_are_malformed_on_request() {
    let reject = DecodeOptions::new().bom(Bom::Keep).reject_unassigned(true);
    for &encoding in Encoding::ALL.iter().chain(Encoding::EXTRA) {
        for byte in 0..=0xFF {
            let bytes = [b'a', byte, 0x80, byte, b'b'];
            let plain = encoding.decode_with(&bytes, Bom::Keep).unwrap();
            let ours = encoding.decode_with(&bytes, reject).unwrap();
            let is_control = |character| ('\u{80}'..='\u{9F}').contains(&character);
            let expected = match encoding.name() {
                name if name.starts_with("windows") => plain.text.replace(is_control, "\u{FFFD}"),
                _ => plain.text.clone().into_owned(),
            };
            assert_eq!(ours.text, expected, "{encoding} {byte:02X}");
            let controls = expected.matches('\u{FFFD}').count() - plain.text.matches('\u{FFFD}').count();
            assert_eq!(ours.errors.count(), plain.errors.count() + controls as u64, "{encoding} {byte:02X}");
            assert_eq!(
                encoding.decode_to_utf16_with(&bytes, reject).unwrap().text,
                expected.encode_utf16().collect::<Vec<_>>()
            );
            // One byte at a time, to a destination that is too small for U+FFFD.
            let (mut decoder, mut text, mut rest) = (encoding.decoder_with(reject), Vec::new(), &bytes[..]);
            for turn in 0.. {
                assert!(turn < 100, "no progress");
                let mut buffer = [0; Decoder::MIN_UTF8_BUFFER_LEN];
                let dst = &mut buffer[..=turn % 4];
                let src = &rest[..rest.len().min(1)];
                let progress = decoder.decode_to_utf8(src, dst, rest.len() == src.len());
                text.extend_from_slice(&dst[..progress.written]);
                rest = &rest[progress.read..];
                if rest.is_empty() && progress.status == Status::InputEmpty {
                    break;
                }
            }
            assert_eq!(String::from_utf8(text).unwrap(), expected, "{encoding} {byte:02X}");
            assert_eq!(decoder.errors().first(), ours.errors.first());
        }
    }
    // A byte order mark overrides the code page, and a mark that is none is text.
    let reject = reject.bom(Bom::Sniff).malformed(Malformed::Fail);
    assert_eq!(WINDOWS_1252.decode_with(b"\xEF\xBB\xBF\xC2\x81", reject).unwrap().text, "\u{81}");
    let error = WINDOWS_1252.decode_with(b"\xEF\xBB\x81", reject).unwrap_err();
    assert_eq!((error.range(), error.bytes(), error.reason()), (2..3, &[0x81][..], DecodeReason::InvalidByte));
}

#[test]
fn total_encodings_have_no_malformed_byte() {
    for &encoding in Encoding::ALL.iter().chain(Encoding::EXTRA) {
        let all: Vec<u8> = (0..=0xFF).collect();
        let is_clean = encoding.decode_with(&all, Bom::Keep).unwrap().errors.is_empty();
        assert_eq!(encoding.is_total(), is_clean && encoding.is_single_byte(), "{encoding}");
    }
    assert_eq!(Encoding::ALL.iter().filter(|encoding| encoding.is_total()).count(), 20);
}

#[test]
fn finish_writes_the_remaining_output_with_an_error_at_the_end() {
    let options = DecodeOptions::new().malformed(Malformed::Pause);
    let mut text = String::new();
    let mut decoder = ISO_2022_JP.decoder_with(options);
    decoder.push(b"a\x1B$", &mut text).unwrap();
    assert_eq!(decoder.finish(&mut text).unwrap_err().range(), 1..2);
    assert_eq!(text, "a$");

    let mut bytes = Vec::new();
    let mut encoder = ISO_2022_JP.encoder_with(Unmappable::Pause);
    encoder.push_utf16(&[0x65E5, 0xD83D], &mut bytes).unwrap();
    assert_eq!(encoder.finish(&mut bytes).unwrap_err().range(), 1..2);
    assert_eq!(bytes, b"\x1B$BF|\x1B(B");
}

#[test]
fn equal_errors_are_equal_whatever_follows_them() {
    let error = |bytes: &[u8]| UTF_8.decode_strict(bytes).unwrap_err();
    assert_eq!(error(b"\xE3\x81a"), error(b"\xE3\x81b"));
}

#[test]
fn one_shot_calls_borrow_unchanged_input() {
    use std::borrow::Cow;
    let borrows = |encoding: Encoding, bytes: &[u8]| matches!(encoding.decode(bytes).text, Cow::Borrowed(_));
    assert!(borrows(UTF_8, "déjà".as_bytes()) && borrows(UTF_8, b"\xEF\xBB\xBFab"));
    assert!(borrows(WINDOWS_1252, b"abc") && borrows(WINDOWS_1252, b"\xEF\xBB\xBF\xC3\xA9"));
    assert!(borrows(ISO_2022_JP, b"abc") && !borrows(ISO_2022_JP, b"a\x1B(Bc") && !borrows(ISO_2022_JP, b"a\x0E"));
    assert_eq!(ISO_2022_JP.decode(b"a\x0F").text, "a\u{FFFD}");
    assert!(ISO_2022_JP.encode("a\u{F}").is_err() && ISO_2022_JP.encode("a\u{1B}").is_err());
    assert!(!borrows(UTF_16LE, b"a\0") && !borrows(WINDOWS_1252, b"\xE9"));
    assert!(matches!(SHIFT_JIS.encode("abc"), Ok(Cow::Borrowed(_))));
    assert_eq!(ISO_2022_JP.encode("a\u{E}").unwrap_err().reason(), EncodeReason::Unmappable);
    assert!(matches!(UTF_8.encode("é"), Ok(Cow::Borrowed(_))));
}

#[test]
fn each_kind_of_malformed_sequence_has_its_reason() {
    let reason = |encoding: Encoding, bytes: &[u8]| encoding.decode_strict(bytes).unwrap_err().reason();
    assert_eq!(reason(UTF_8, b"\xC0"), DecodeReason::InvalidByte);
    assert_eq!(reason(UTF_8, b"\xE3\x81a"), DecodeReason::Interrupted);
    assert_eq!(reason(UTF_8, b"\xE3\x81"), DecodeReason::Incomplete);
    assert_eq!(reason(SHIFT_JIS, b"\x81\xAD"), DecodeReason::Unmapped);
    assert_eq!(reason(GB18030, b"\x84\x31\xA5\x30"), DecodeReason::Unmapped);
    assert_eq!(reason(UTF_16LE, b"\0\xDC"), DecodeReason::UnpairedSurrogate);
    assert_eq!(reason(ISO_2022_JP, b"\x1B(Z"), DecodeReason::UnknownEscape);
    assert_eq!(reason(ISO_2022_JP, b"\x1B(B\x1B(B"), DecodeReason::EmptyEscape);
    assert_eq!(reason(textcodec::REPLACEMENT, b"a"), DecodeReason::Replacement);
}

#[test]
fn positions_are_absolute_and_count_the_byte_order_mark() {
    let mut decoder = UTF_8.decoder_with(DecodeOptions::new().malformed(Malformed::Pause));
    let mut text = String::new();
    let mut chunk = &b"\xEF\xBB\xBFa\xFFb\xE3\x81"[..];
    let mut at = Vec::new();
    let mut start = 0;
    while let Err(error) = decoder.push(chunk, &mut text) {
        at.push(error.range());
        chunk = &chunk[(decoder.position() - start) as usize..];
        start = decoder.position();
    }
    assert_eq!(decoder.position(), 8);
    assert_eq!(decoder.finish(&mut text).map_err(|error| error.range()), Err(6..8));
    assert_eq!((text.as_str(), at.len(), at[0].clone()), ("ab", 1, 4..5));
}

#[test]
fn push_continues_after_each_reported_error() {
    let random = &mut fastrand::Rng::with_seed(12);
    for &encoding in Encoding::ALL {
        for sentence in texts::SENTENCES {
            let Ok(bytes) = encoding.encode_with(sentence, Unmappable::Html) else { continue };
            let bytes = texts::damage(&bytes.bytes, random);
            let mut decoder = encoding.decoder_with(DecodeOptions::new().malformed(Malformed::Pause));
            let mut text = String::new();
            for chunk in bytes.chunks(random.usize(1..20)) {
                let start = decoder.position();
                while decoder.push(&chunk[(decoder.position() - start) as usize..], &mut text).is_err() {
                    text.push('\u{FFFD}');
                }
                assert_eq!(decoder.position() - start, chunk.len() as u64);
            }
            decoder.finish_with(&mut text, |_| Some("\u{FFFD}".into())).unwrap();
            assert_eq!(text, encoding.decode(&bytes).text, "{encoding} {bytes:02X?}");
        }
    }
}

#[test]
fn conversion_takes_linear_time() {
    // Takes hours if a call scans further ahead than it converts.
    for &encoding in Encoding::ALL {
        for byte in [b'a', 0x0E, 0x1B, 0x24, 0x80, 0x81, 0xA1, 0xD8, 0xFF] {
            let mut text = String::new();
            encoding.decoder().push(&vec![byte; 1 << 18], &mut text).unwrap();
            assert!(text.len() <= 3 << 18, "{encoding} {byte:02X}");
        }
        for unit in [0x61, 0x0E, 0xA5, 0x416, 0x65E5, 0xD800, 0xE5E5, 0xFFFD] {
            let encoded = encoding.encode_from_utf16_with(&vec![unit; 1 << 18], Unmappable::Html);
            assert!(encoded.is_ok() || encoding == textcodec::REPLACEMENT, "{encoding} {unit:04X}");
        }
    }
}

#[test]
fn push_with_replaces_malformed_bytes() {
    // Maps each malformed byte to a private-use character, like Python's "surrogateescape", so that the round trip is lossless.
    let bytes = b"caf\xE9 \xE3\x81 na\xC3\xAFve\xF0\x9F";
    let escape = |error: &DecodeError| {
        Some(error.bytes().iter().map(|&byte| char::from_u32(0xF700 + u32::from(byte)).unwrap()).collect())
    };
    for cut in 0..=bytes.len() {
        let mut text = String::new();
        let mut decoder = UTF_8.decoder();
        decoder.push_with(&bytes[..cut], &mut text, escape).unwrap();
        decoder.push_with(&bytes[cut..], &mut text, escape).unwrap();
        let summary = decoder.finish_with(&mut text, escape).unwrap();
        assert_eq!(summary.errors.count(), 3);
        let back: Vec<u8> = text
            .chars()
            .flat_map(|c| match u32::from(c) {
                byte @ 0xF700..=0xF7FF => vec![byte as u8],
                _ => c.to_string().into_bytes(),
            })
            .collect();
        assert_eq!(back, bytes, "cut at {cut}");
    }
}

#[test]
fn push_with_replaces_unmappable_characters() {
    let mut bytes = Vec::new();
    let mut encoder = ISO_2022_JP.encoder();
    let name = |error: &EncodeError| match error.character()? {
        '😀' => Some("笑".into()),
        '🍣' => Some("sushi".into()),
        _ => None,
    };
    encoder.push_with("日😀x🍣", &mut bytes, name).unwrap();
    assert_eq!(encoder.position(), "日😀x🍣".len() as u64);
    let error = encoder.push_with("y🤷z", &mut bytes, name).unwrap_err();
    assert_eq!(error.range(), 13..17);
    // If the replacement is itself unmappable, nothing is written.
    let length = bytes.len();
    assert!(encoder.push_with("😀", &mut bytes, |_| Some("笑😀".into())).is_err());
    assert_eq!(bytes.len(), length);
    let summary = encoder.finish(&mut bytes).unwrap();
    assert_eq!(ISO_2022_JP.decode(&bytes).text, "日笑xsushiy");
    assert_eq!(summary.errors.count(), 2);
}

#[test]
fn a_replacement_character_is_encoded() {
    let encoded = ISO_2022_JP.encode_with("a😀b", Unmappable::Replace('〓')).unwrap();
    assert_eq!(ISO_2022_JP.decode(&encoded.bytes).text, "a〓b");
    let replaced = ISO_2022_JP.encode_with("日😀本", Unmappable::Replace('〓')).unwrap();
    assert_eq!(ISO_2022_JP.decode(&replaced.bytes).text, "日〓本");
    let skipped = ISO_2022_JP.encode_with("日😀本\u{1B}語", Unmappable::Skip).unwrap();
    assert_eq!((&*ISO_2022_JP.decode(&skipped.bytes).text, skipped.errors.count()), ("日本語", 2));
}

#[test]
fn a_replacement_that_is_unmappable_fails_at_the_first_character_that_needs_it() {
    let policy = Unmappable::Replace('本');
    assert_eq!(*WINDOWS_1252.encode_with("naïve", policy).unwrap().bytes, *b"na\xEFve");
    let text = "naïve 日 字";
    let error = WINDOWS_1252.encode_with(text, policy).unwrap_err();
    let reason = EncodeReason::UnmappableReplacement;
    assert_eq!((error.reason(), error.character(), error.range()), (reason, Some('日'), 7..10));
    let message = "windows-1252 cannot represent U+65E5 '日' at byte 7 of the UTF-8 text, nor the replacement";
    assert_eq!(error.to_string(), message);
    let units: Vec<u16> = text.encode_utf16().collect();
    let wide = WINDOWS_1252.encode_from_utf16_with(&units, policy).unwrap_err();
    assert_eq!((wide.reason(), wide.range(), wide.unit()), (reason, 6..7, TextUnit::Utf16));

    // It ends the text, as with `Fail`.
    let (mut encoder, mut bytes) = (WINDOWS_1252.encoder_with(Unmappable::Skip), Vec::new());
    encoder.push("日", &mut bytes).unwrap();
    encoder.set_unmappable(policy);
    let error = encoder.push("a日b", &mut bytes).unwrap_err();
    assert_eq!((error.reason(), error.range(), encoder.position()), (reason, 4..7, 7));
    assert_eq!(encoder.push("c", &mut bytes), Err(error.clone()));
    encoder.set_unmappable(Unmappable::Skip);
    assert_eq!(encoder.clone().finish(&mut bytes), Err(error));
    assert_eq!((bytes.as_slice(), encoder.errors().count()), (&b"a"[..], 1));
    encoder.reset();
    encoder.push("日b", &mut bytes).unwrap();
    assert_eq!(bytes, b"ab");

    // In chunks and destinations of any size, after any text and number of earlier errors.
    for before in ["", "ab", "é字é", "abcdefghijklmnopqrstuvwxyz😀"] {
        let text = format!("{before}\u{E5E5}");
        for encoding in [GB18030, SHIFT_JIS, ISO_2022_JP, LATIN1, WINDOWS_1252] {
            let (first, _) = text.char_indices().find(|&(_, c)| !encoding.can_encode(c)).unwrap();
            for size in 1..40 {
                let mut encoder = encoding.encoder_with(Unmappable::Replace('\u{E5E5}'));
                let (mut bytes, mut buffer, mut read) = (Vec::<u8>::new(), vec![0; size], 0);
                let error = loop {
                    let progress = encoder.encode_from_utf8(&text[read..], &mut buffer, true);
                    read += progress.read;
                    bytes.extend(&buffer[..progress.written]);
                    match progress.status {
                        Status::Error(error) => break error,
                        status => assert_eq!(status, Status::OutputFull),
                    }
                };
                assert_eq!((error.reason(), error.range().start), (reason, first as u64), "{encoding} {text}");
                assert_eq!(error.character(), text[first..].chars().next());
                // The output is complete: ISO-2022-JP is in ASCII.
                assert_eq!(bytes, *encoding.encode(&text[..first]).unwrap(), "{encoding} {text} {size}");
            }
        }
    }
}

#[test]
fn an_unmappable_replacement_fails_for_a_rejected_surrogate() {
    let options = EncodeOptions::new().unmappable(Unmappable::Replace('字')).reject_unpaired_surrogates(true);
    let error = LATIN1.encode_from_utf16_with(&[0x61, 0xD800], options).unwrap_err();
    let character = Some('\u{FFFD}');
    assert_eq!(
        (error.reason(), error.character(), error.range()),
        (EncodeReason::UnmappableReplacement, character, 1..2)
    );
}

#[test]
fn a_fatal_error_ends_the_encoder_until_reset() {
    let mut encoder = WINDOWS_1252.encoder();
    let mut bytes = Vec::new();
    let error = encoder.push("a日b", &mut bytes).unwrap_err();
    assert_eq!((encoder.position(), error.range()), (4, 1..4));
    assert_eq!(encoder.push("c", &mut bytes), Err(error.clone()));
    assert_eq!(encoder.push_with("c日", &mut bytes, |_| Some("d".into())), Err(error));
    let mut replacing = ISO_2022_JP.encoder_with(Unmappable::Replace('〓'));
    replacing.push("a😀b😀", &mut Vec::new()).unwrap();
    assert_eq!((replacing.errors().count(), replacing.errors().first().map(EncodeError::range)), (2, Some(1..5)));
    assert_eq!(bytes, b"a");
    encoder.reset();
    encoder.push("c", &mut bytes).unwrap();
    assert_eq!(bytes, b"ac");
}

#[test]
fn a_high_surrogate_before_utf_8_is_unpaired() {
    let mut bytes = Vec::new();
    let mut encoder = UTF_8.encoder();
    encoder.push_utf16(&[0x41, 0xD83D], &mut bytes).unwrap();
    encoder.push("", &mut bytes).unwrap();
    encoder.push("é", &mut bytes).unwrap();
    let summary = encoder.finish(&mut bytes).unwrap();
    assert_eq!(String::from_utf8(bytes).unwrap(), "A\u{FFFD}é");
    assert_eq!(summary.unpaired_surrogates, 1);

    let mut encoder = WINDOWS_1252.encoder();
    encoder.push_utf16(&[0x41, 0xD83D], &mut Vec::new()).unwrap();
    let error = encoder.push("é", &mut Vec::new()).unwrap_err();
    assert_eq!((error.range(), error.unit()), (1..2, TextUnit::Utf16));
}

#[test]
fn an_empty_utf_8_chunk_does_not_split_a_surrogate_pair() {
    let mut bytes = Vec::new();
    let mut encoder = UTF_8.encoder();
    encoder.push_utf16(&[0xD83D], &mut bytes).unwrap();
    encoder.push("", &mut bytes).unwrap();
    encoder.push_utf16(&[0xDE00], &mut bytes).unwrap();
    encoder.finish(&mut bytes).unwrap();
    assert_eq!(bytes, "😀".as_bytes());
}

#[test]
fn debug_output_is_short() {
    for &encoding in Encoding::ALL {
        assert!(format!("{:?}", encoding.decoder()).len() < 1000, "{encoding}");
        assert!(format!("{:?}", encoding.encoder()).len() < 1000, "{encoding}");
    }
}

#[test]
fn latin1_and_us_ascii() {
    let all: Vec<u8> = (0..=0xFF).collect();
    let text: String = all.iter().map(|&byte| char::from(byte)).collect();
    let options = DecodeOptions::new().bom(Bom::Keep);
    assert_eq!(LATIN1.decode_with(&all, options).unwrap().text, text);
    assert_eq!(LATIN1.decode_to_utf16_with(&all, options).unwrap().text, text.encode_utf16().collect::<Vec<_>>());
    assert_eq!(*LATIN1.encode(&text).unwrap(), *all);
    assert!(LATIN1.encode("Ā").is_err());
    assert_eq!(US_ASCII.decode(&all).errors.count(), 128);
    assert_eq!(US_ASCII.decode_strict(b"abc").unwrap(), "abc");
    assert!(US_ASCII.encode("é").is_err() && US_ASCII.encode_from_utf16_with(&[0x41, 0xE9], Unmappable::Fail).is_err());
    // Their names are labels of windows-1252, but parse as themselves in exactly this spelling.
    for encoding in Encoding::EXTRA {
        assert_eq!(Encoding::for_label(encoding.name()), Some(WINDOWS_1252));
        assert_eq!(encoding.name().to_lowercase().parse(), Ok(WINDOWS_1252));
    }
    assert!(Encoding::ALL.iter().chain(Encoding::EXTRA).all(|encoding| encoding.name().parse() == Ok(*encoding)));
}

#[test]
fn growing_and_fixed_buffers_agree() {
    let random = &mut fastrand::Rng::with_seed(11);
    for &encoding in Encoding::ALL {
        for sentence in texts::SENTENCES {
            let Ok(bytes) = encoding.encode_with(sentence, Unmappable::Html) else { continue };
            let bytes = texts::damage(&bytes.bytes, random);
            let whole = encoding.decode(&bytes);
            let (mut text, mut units, mut utf8) = (String::new(), Vec::<u16>::new(), Vec::<u8>::new());
            let (mut a, mut b, mut c) = (encoding.decoder(), encoding.decoder(), encoding.decoder());
            for chunk in bytes.chunks(random.usize(1..9)) {
                a.push(chunk, &mut text).unwrap();
                b.push(chunk, &mut units).unwrap();
                c.push(chunk, &mut utf8).unwrap();
            }
            let summary = a.finish(&mut text).unwrap();
            b.finish(&mut units).unwrap();
            c.finish(&mut utf8).unwrap();
            assert_eq!(text, whole.text, "{encoding} {bytes:02X?}");
            assert!(units.iter().copied().eq(text.encode_utf16()) && utf8 == text.as_bytes());
            assert_eq!(
                (summary.errors, summary.encoding, summary.bom_removed),
                (whole.errors, whole.encoding, whole.bom_removed)
            );
        }
    }
}

#[test]
fn a_character_that_does_not_fit_stays_unread_or_pending() {
    // It stays unread, or becomes pending if it started in an earlier chunk.
    for (encoding, bytes) in [(GB18030, &b"\x94\x39\xFC\x36"[..]), (textcodec::BIG5, b"\x87\x45")] {
        let mut decoder = encoding.decoder();
        let progress = decoder.decode_to_utf16(bytes, &mut [0; 1], true);
        assert_eq!((progress.read, progress.written, progress.status), (0, 0, Status::OutputFull));
        let progress = decoder.decode_to_utf16(bytes, &mut [0; 2], true);
        assert_eq!((progress.read, progress.written, progress.status), (bytes.len(), 2, Status::InputEmpty));
        let (first, rest) = bytes.split_at(1);
        assert_eq!(decoder.decode_to_utf16(first, &mut [0; 1], false).read, 1);
        let progress = decoder.decode_to_utf16(rest, &mut [0; 1], true);
        assert_eq!((progress.read, progress.written, progress.status), (rest.len(), 0, Status::OutputFull));
        let progress = decoder.decode_to_utf16(b"", &mut [0; 2], true);
        assert_eq!((progress.written, progress.status), (2, Status::InputEmpty));
    }
    let mut encoder = GB18030.encoder();
    let mut byte = [0; 1];
    let mut bytes = Vec::new();
    let progress = encoder.encode_from_utf8("\u{80}", &mut byte, true);
    assert_eq!((progress.read, progress.written, progress.status), (2, 1, Status::OutputFull));
    bytes.extend(byte);
    while bytes.len() < 4 {
        assert_eq!(encoder.encode_from_utf8("", &mut byte, true).written, 1);
        bytes.extend(byte);
    }
    assert_eq!(bytes, b"\x81\x30\x81\x30");
}

#[test]
fn types_are_send_sync_clone_and_debug() {
    fn is_plain<T: Send + Sync + Clone + std::fmt::Debug>() {}
    is_plain::<textcodec::Decoder>();
    is_plain::<textcodec::Encoder>();
    is_plain::<DecodeError>();
    is_plain::<EncodeError>();
}

#[cfg(feature = "serde")]
#[test]
fn serde_round_trips_every_encoding() {
    for encoding in Encoding::ALL.iter().chain(Encoding::EXTRA) {
        let json = serde_json::to_string(encoding).unwrap();
        assert_eq!(serde_json::from_str::<Encoding>(&json).unwrap(), *encoding);
    }
    assert_eq!(serde_json::from_str::<Encoding>("\"sjis\"").unwrap(), SHIFT_JIS);
    assert!(serde_json::from_str::<Encoding>("\"utf-7\"").is_err());
}

#[test]
fn the_byte_that_reveals_an_error_stays_unread() {
    let reports = DecodeOptions::new().malformed(Malformed::Pause);
    let mut buffer = [0; 16];
    // One byte is malformed, and the two bytes after it are text. The second of them reveals the error.
    let mut decoder = GB18030.decoder_with(reports);
    let progress = decoder.decode_to_utf8(b"\x81\x30a", &mut buffer, true);
    assert!(matches!(&progress.status, Status::Error(error) if error.range() == (0..1)), "{progress:?}");
    assert_eq!((progress.read, decoder.position()), (2, 2));
    let progress = decoder.decode_to_utf8(b"a", &mut buffer, true);
    assert_eq!((progress.read, &buffer[..progress.written]), (1, &b"0a"[..]));
    // The same holds if that byte starts a chunk.
    let mut decoder = GB18030.decoder_with(reports);
    assert_eq!(decoder.decode_to_utf8(b"\x81\x30", &mut buffer, false).read, 2);
    let progress = decoder.decode_to_utf8(b"ab", &mut buffer, false);
    assert!(matches!(&progress.status, Status::Error(error) if error.range() == (0..1)), "{progress:?}");
    assert_eq!((progress.read, decoder.position()), (0, 2));
    // At the end of the input, no byte reveals the error.
    let mut decoder = ISO_2022_JP.decoder_with(reports);
    let progress = decoder.decode_to_utf8(b"\x1B$", &mut buffer, true);
    assert!(matches!(&progress.status, Status::Error(error) if error.range() == (0..1)), "{progress:?}");
    assert_eq!(progress.read, 2);
    // In UTF-16 a whole code unit stays unread, if it is in the chunk.
    let mut decoder = UTF_16LE.decoder_with(reports.bom(Bom::Keep));
    let progress = decoder.decode_to_utf8(b"\x00\xD8a\0", &mut buffer, true);
    assert!(matches!(&progress.status, Status::Error(error) if error.range() == (0..2)), "{progress:?}");
    assert_eq!(progress.read, 2);
}

#[test]
fn the_bytes_of_a_character_are_written_together_if_possible() {
    for capacity in 0..=8 {
        let mut buffer = vec![0; capacity];
        let mut encoder = GB18030.encoder();
        let progress = encoder.encode_from_utf8("a😀你", &mut buffer, true);
        // A character that does not fit stays unread.
        let (read, written) = [(0, 0), (1, 1), (1, 1), (1, 1), (1, 1), (5, 5), (5, 5), (8, 7), (8, 7)][capacity];
        assert_eq!((progress.read, progress.written), (read, written), "capacity {capacity}");
        assert_eq!(encoder.position(), read as u64);
    }
    // If the destination is shorter than the first character, its first bytes are written.
    let mut encoder = GB18030.encoder();
    assert_eq!(encoder.encode_from_utf8("😀", &mut [0; 3], true).written, 3);
    assert_eq!(encoder.encode_from_utf8("", &mut [0; 3], true).written, 1);
    // Hooks may write their own bytes between two calls, so their encoders never split a character.
    let mut encoder = textcodec::hooks::get_an_encoder(GB18030).unwrap();
    let progress = encoder.encode_from_utf8("😀", &mut [0; 3], true);
    assert_eq!((progress.read, progress.written, progress.status), (0, 0, Status::OutputFull));
    assert_eq!(encoder.encode_from_utf8("😀", &mut [0; 4], true).written, 4);
}

#[test]
fn an_unpaired_surrogate_that_stays_unread_is_counted_once() {
    let mut encoder = UTF_8.encoder();
    let progress = encoder.encode_from_utf16(&[0x61, 0xDC00, 0x62], &mut [0; 3], true);
    assert_eq!((progress.read, progress.written), (1, 1));
    let mut rest = Vec::new();
    encoder.push_utf16(&[0xDC00, 0x62], &mut rest).unwrap();
    assert_eq!(encoder.finish(&mut rest).unwrap().unpaired_surrogates, 1);
    assert_eq!(rest, "\u{FFFD}b".as_bytes());
}

#[test]
fn an_unmappable_character_that_stays_unread_is_counted_once() {
    let mut encoder = WINDOWS_1252.encoder_with(Unmappable::Html);
    let progress = encoder.encode_from_utf8("a字b", &mut [0; 6], true);
    assert_eq!((progress.read, progress.written, encoder.errors().count()), (1, 1, 0));
    let mut bytes = [0; 16];
    let progress = encoder.encode_from_utf8("字b", &mut bytes, true);
    assert_eq!((&bytes[..progress.written], encoder.errors().count()), (&b"&#23383;b"[..], 1));
}

#[test]
fn an_encoder_for_hooks_returns_to_ascii_before_an_error() {
    let mut encoder = textcodec::hooks::get_an_encoder(ISO_2022_JP).unwrap();
    let mut bytes = [0; 16];
    let progress = encoder.encode_from_utf8("日😀", &mut bytes, true);
    assert!(matches!(progress.status, Status::Error(_)));
    assert_eq!(&bytes[..progress.written], b"\x1B$BF|\x1B(B");
}

#[test]
fn a_decoder_has_no_pending_state_between_characters_outside_escape_sequences() {
    let mut text = String::new();
    let mut decoder = ISO_2022_JP.decoder_with(DecodeOptions::new().bom(Bom::Keep));
    for (bytes, pending) in [(&b"a"[..], false), (b"\x1B$B", true), (b"F|", true), (b"\x1B(B", true), (b"b", false)] {
        decoder.push(bytes, &mut text).unwrap();
        assert_eq!(decoder.has_pending_state(), pending, "after {bytes:02X?}");
    }
    // At the end of an input, before the next one.
    let mut decoder = ISO_2022_JP.decoder_with(DecodeOptions::new().bom(Bom::Keep));
    let _ = decoder.decode_to_utf8(b"\x1B$B", &mut [0; 4], true);
    assert!(!decoder.has_pending_state());
    // Pending while a byte order mark is possible.
    for (bom, pending) in [(Bom::Sniff, true), (Bom::StripOwn, false), (Bom::Keep, false)] {
        assert_eq!(GB18030.decoder_with(DecodeOptions::new().bom(bom)).has_pending_state(), pending);
    }
    // Pending while a character did not fit.
    let mut decoder = GB18030.decoder_with(DecodeOptions::new().bom(Bom::Keep));
    let _ = decoder.decode_to_utf8(b"\xC4", &mut [0; 2], false);
    assert_eq!(decoder.decode_to_utf8(b"\xE3", &mut [0; 2], false).status, Status::OutputFull);
    assert!(decoder.has_pending_state());
}

#[test]
fn decode_to_str_and_decode_within_capacity_write_what_fits() {
    let mut text = String::from("0123456789");
    let mut decoder = SHIFT_JIS.decoder();
    let progress = decoder.decode_to_str(b"\x93\xFA\x96{\x8C\xEA\x93\xFA", &mut text, true);
    assert_eq!((progress.read, progress.written, progress.status), (6, 9, Status::OutputFull));
    assert_eq!(&text[..9], "日本語");
    assert_eq!(decoder.decode_to_str(b"\x93\xFA", &mut text[..3], true).written, 3);
    assert!(text.starts_with("日本語"));

    let mut text = String::with_capacity(6);
    let capacity = text.capacity();
    let mut decoder = SHIFT_JIS.decoder();
    let progress = decoder.decode_within_capacity(&b"\x93\xFA".repeat(capacity), &mut text, true);
    assert_eq!((progress.status, text.capacity()), (Status::OutputFull, capacity));
    assert_eq!(text, "日".repeat(capacity / 3));
}
