//! Builds with fewer features: available encodings are exact, and every call for another encoding returns an error.

use spec_model::{EncodeMode, Mode};
use textcodec::{
    Alias, BIG5, Bom, DecodeError, DecodeOptions, DecodeReason, Decoder, DecoderState, EUC_JP, EUC_KR, EncodeError,
    EncodeOptions, EncodeReason, Encoder, EncoderState, Encoding, GB18030, GBK, IBM866, ISO_2022_JP, LATIN1, Malformed,
    Progress, REPLACEMENT, SHIFT_JIS, Status, TranscodeError, Transcoder, US_ASCII, UTF_8, UTF_16BE, UTF_16LE,
    Unmappable, X_MAC_CYRILLIC, hooks,
};
use textcodec_web::{TextDecoder, TextDecoderOptions, TextDecoderStream, TextEncoder};

/// Inputs that need no table to decode, some of them malformed.
const INPUTS: [&[u8]; 7] = [b"", b"a", b"only ASCII", b"\xEF\xBB\xBFa", b"\xFE\xFF\0a", b"\xFF\xFEa\0", b"\xFF"];

fn all() -> impl Iterator<Item = Encoding> {
    Encoding::ALL.iter().chain(Encoding::EXTRA).copied()
}

/// Returns whether an encoding is available in this build, and whether it belongs to a family with a feature.
fn family(encoding: Encoding) -> (bool, bool) {
    let on = match encoding {
        EUC_JP | ISO_2022_JP | SHIFT_JIS => cfg!(feature = "japanese"),
        EUC_KR => cfg!(feature = "korean"),
        GBK | GB18030 | BIG5 => cfg!(feature = "chinese"),
        _ if (IBM866..=X_MAC_CYRILLIC).contains(&encoding) => cfg!(feature = "single-byte"),
        _ => return (true, false),
    };
    (on, true)
}

fn is_on(encoding: Encoding) -> bool {
    family(encoding).0
}

fn has_encoder(encoding: Encoding) -> bool {
    let (on, in_family) = family(encoding);
    encoding != REPLACEMENT && on && (cfg!(feature = "encoders") || !in_family)
}

#[test]
fn queries_agree_with_the_features() {
    for encoding in all() {
        assert_eq!(encoding.is_available(), is_on(encoding), "{encoding}");
        assert_eq!(encoding.has_encoder(), has_encoder(encoding), "{encoding}");
        assert_eq!(encoding.can_encode('a'), has_encoder(encoding), "{encoding}");
        assert_eq!(encoding.repertoire().next().is_some(), has_encoder(encoding), "{encoding}");
    }
}

#[test]
fn names_and_labels_are_always_available() {
    for (encoding, model) in Encoding::ALL.iter().zip(spec_model::Encoding::all()) {
        assert_eq!(encoding.name(), model.name());
        assert_eq!(encoding.labels(), model.labels());
        for label in encoding.labels() {
            assert_eq!(Encoding::for_label(label), Some(*encoding), "{label}");
        }
    }
    assert_eq!(Alias::for_name("cp932").map(|alias| alias.encoding), Some(SHIFT_JIS));
    assert_eq!(UTF_16LE.output_encoding(), UTF_8);
    assert!(EUC_KR.is_ascii_compatible() && IBM866.is_single_byte());
}

#[test]
fn decoding_an_unavailable_encoding_is_an_error_for_any_input() {
    for encoding in all().filter(|&encoding| !is_on(encoding)) {
        let error = encoding.decode_strict(b"").unwrap_err();
        assert_eq!((error.encoding(), error.reason()), (encoding, DecodeReason::Unavailable));
        assert_eq!((error.range(), error.bytes()), (0..0, &b""[..]));
        assert_eq!(
            error.to_string(),
            format!(
                "this build cannot decode {encoding}: enable feature `{}` of textcodec",
                encoding.feature().unwrap()
            )
        );
        for (bytes, bom) in
            INPUTS.iter().flat_map(|bytes| [Bom::Sniff, Bom::StripOwn, Bom::Keep].map(|bom| (bytes, bom)))
        {
            for malformed in [Malformed::Replace, Malformed::Fail, Malformed::Pause] {
                let options = DecodeOptions::new().bom(bom).malformed(malformed);
                every_call_of_a_decoder_fails(encoding, options, bytes, &error);
                assert_eq!(encoding.decode_with(bytes, options).unwrap_err(), error);
                assert_eq!(encoding.decode_to_utf16_with(bytes, options).unwrap_err(), error);
            }
            assert_eq!(encoding.decode_strict(bytes).unwrap_err(), error);
        }
    }
}

#[test]
fn encoding_to_an_unavailable_encoding_is_an_error_for_any_text() {
    for encoding in all().filter(|&encoding| !has_encoder(encoding) && encoding != REPLACEMENT) {
        let error = encoding.encode("").unwrap_err();
        assert_eq!((error.encoding(), error.character(), error.range()), (encoding, None, 0..0));
        assert_eq!(error.reason(), EncodeReason::Unavailable);
        let decoder = encoding.feature().filter(|_| !is_on(encoding));
        let features =
            decoder.map_or("feature `encoders`".to_owned(), |name| format!("features `encoders` and `{name}`"));
        assert_eq!(error.to_string(), format!("this build cannot encode {encoding}: enable {features} of textcodec"));
        assert_eq!(hooks::get_an_encoder(encoding).unwrap_err(), error);
        for text in ["", "a", "é", "字"] {
            let units: Vec<u16> = text.encode_utf16().collect();
            assert_eq!(encoding.encode(text).unwrap_err(), error);
            assert_eq!(hooks::encode(text, encoding).unwrap_err(), error);
            for unmappable in POLICIES {
                every_call_of_an_encoder_fails(encoding, unmappable, text, &error);
                assert_eq!(encoding.encode_with(text, unmappable).unwrap_err(), error);
                assert_eq!(encoding.encode_from_utf16_with(&units, unmappable).unwrap_err(), error);
            }
        }
    }
}

#[test]
fn every_call_fails_where_the_standard_has_no_encoder() {
    let error = REPLACEMENT.encode("").unwrap_err();
    assert_eq!((error.reason(), error.character(), error.range()), (EncodeReason::NoEncoder, None, 0..0));
    for unmappable in POLICIES {
        for text in ["", "a", "é", "字"] {
            every_call_of_an_encoder_fails(REPLACEMENT, unmappable, text, &error);
        }
    }
}

const POLICIES: [Unmappable; 6] = [
    Unmappable::Fail,
    Unmappable::Pause,
    Unmappable::Html,
    Unmappable::Replace('?'),
    Unmappable::Replace('字'),
    Unmappable::Skip,
];

/// Checks that each call of a decoder returns `expected`, reads nothing and writes nothing.
fn every_call_of_a_decoder_fails(encoding: Encoding, options: DecodeOptions, bytes: &[u8], expected: &DecodeError) {
    let error = || expected.clone();
    let mut decoder = encoding.decoder_with(options);
    // The second time after `reset`. No call changes the decoder.
    for _ in 0..2 {
        for last in [false, true] {
            let (mut utf8, mut utf16, mut text) = ([0; 64], [0; 64], String::with_capacity(64));
            let failed = |progress: Progress<DecodeError>| {
                assert_eq!((progress.read, progress.written, progress.status), (0, 0, Status::Error(error())));
            };
            failed(decoder.decode_to_utf8(bytes, &mut utf8, last));
            failed(decoder.decode_to_utf8(bytes, &mut [0; 0], last));
            failed(decoder.decode_to_utf16(bytes, &mut utf16, last));
            failed(decoder.decode_to_str(bytes, &mut " ".repeat(64), last));
            failed(decoder.decode_within_capacity(bytes, &mut text, last));
        }
        let (mut text, mut units) = (String::new(), Vec::<u16>::new());
        assert_eq!(decoder.push(bytes, &mut text), Err(error()));
        assert_eq!(decoder.push(bytes, &mut units), Err(error()));
        assert_eq!(decoder.push_with(bytes, &mut text, |_| Some("?".into())), Err(error()));
        assert_eq!(decoder.clone().finish(&mut text), Err(error()));
        assert_eq!(decoder.clone().finish_with(&mut text, |_| Some("?".into())), Err(error()));
        assert!(text.is_empty() && units.is_empty());
        assert_eq!((decoder.encoding(), decoder.position(), decoder.state()), (encoding, 0, None));
        assert!(decoder.errors().is_empty() && decoder.pending_bytes().is_empty() && !decoder.bom_removed());
        assert!(decoder.has_pending_state());

        let state = DecoderState::TEXT;
        assert_eq!(encoding.decoder_at(state, options).unwrap().push(bytes, &mut text), Err(error()));
        every_call_of_a_transcoder_fails(decoder.clone(), UTF_16LE.encoder(), bytes, &error().into());
        every_call_of_a_transcoder_fails(decoder.clone(), UTF_8.encoder(), bytes, &error().into());
        #[cfg(feature = "std")]
        io::decoding_fails(&decoder, bytes, expected);

        decoder.discard_pending_bytes();
        decoder.set_malformed(Malformed::Replace);
        decoder.reset();
    }
}

/// Checks that each call of an encoder returns `expected`, reads nothing and writes nothing.
fn every_call_of_an_encoder_fails(encoding: Encoding, unmappable: Unmappable, text: &str, expected: &EncodeError) {
    let error = || expected.clone();
    let units: Vec<u16> = text.encode_utf16().collect();
    let options = EncodeOptions::new().unmappable(unmappable).bom(true).reject_unpaired_surrogates(true);
    for options in [options, unmappable.into()] {
        let mut encoder = encoding.encoder_with(options);
        for _ in 0..2 {
            for last in [false, true] {
                let (mut buffer, mut bytes) = ([0; 64], Vec::with_capacity(64));
                let failed = |progress: Progress<EncodeError>| {
                    assert_eq!((progress.read, progress.written, progress.status), (0, 0, Status::Error(error())));
                };
                failed(encoder.encode_from_utf8(text, &mut buffer, last));
                failed(encoder.encode_from_utf8(text, &mut [0; 0], last));
                failed(encoder.encode_from_utf16(&units, &mut buffer, last));
                failed(encoder.encode_within_capacity(text, &mut bytes, last));
            }
            let mut bytes = Vec::new();
            assert_eq!(encoder.push(text, &mut bytes), Err(error()));
            assert_eq!(encoder.push_utf16(&units, &mut bytes), Err(error()));
            assert_eq!(encoder.push_with(text, &mut bytes, |_| Some("?".into())), Err(error()));
            assert_eq!(encoder.push_utf16_with(&units, &mut bytes, |_| Some("?".into())), Err(error()));
            assert_eq!(encoder.clone().finish(&mut bytes), Err(error()));
            assert_eq!(encoder.clone().finish_with(&mut bytes, |_| Some("?".into())), Err(error()));
            assert!(bytes.is_empty());
            assert_eq!((encoder.encoding(), encoder.position(), encoder.state()), (encoding, 0, None));
            assert!(encoder.errors().is_empty());

            // The standard's algorithm knows no such error. Each character is one, and none is lost.
            let mut queue = text;
            for character in text.chars() {
                assert_eq!(hooks::encode_or_fail(&mut queue, &mut encoder, &mut bytes), Some(character));
            }
            assert_eq!((hooks::encode_or_fail(&mut queue, &mut encoder, &mut bytes), queue), (None, ""));
            assert!(bytes.is_empty());

            let state = EncoderState::TEXT;
            assert_eq!(encoding.encoder_at(state, options).unwrap().push(text, &mut bytes), Err(error()));
            every_call_of_a_transcoder_fails(UTF_8.decoder(), encoder.clone(), text.as_bytes(), &error().into());
            let input: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
            every_call_of_a_transcoder_fails(UTF_16BE.decoder(), encoder.clone(), &input, &error().into());
            #[cfg(feature = "std")]
            io::encoding_fails(&encoder, text, expected);

            encoder.set_unmappable(Unmappable::Skip);
            encoder.reset();
        }
    }
}

/// Checks that each call of a transcoder returns `expected`, reads nothing and writes nothing.
fn every_call_of_a_transcoder_fails(decoder: Decoder, encoder: Encoder, bytes: &[u8], expected: &TranscodeError) {
    let mut transcoder = Transcoder::new(decoder, encoder);
    for _ in 0..2 {
        for last in [false, true] {
            let progress = transcoder.transcode(bytes, &mut [0; 64], last);
            assert_eq!((progress.read, progress.written), (0, 0));
            assert_eq!(progress.status, Status::Error(expected.clone()));
        }
        let mut out = Vec::new();
        assert_eq!(transcoder.push(bytes, &mut out).as_ref(), Err(expected));
        assert_eq!(transcoder.clone().finish(&mut out).as_ref(), Err(expected));
        assert!(out.is_empty());
        assert_eq!(transcoder.position(), 0);
        transcoder.reset();
    }
}

/// Readers and writers, which fail at the first read or write, and at the end.
#[cfg(feature = "std")]
mod io {
    use std::io::{self, BufRead, Read, Write};

    use textcodec::{
        DecodeError, Decoder, EncodeError, Encoder,
        io::{DecodeReader, DecodeWriter, EncodeReader, EncodeWriter},
    };

    pub(super) fn decoding_fails(decoder: &Decoder, bytes: &[u8], expected: &DecodeError) {
        let failed = |result: io::Result<usize>| {
            let error = result.unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::Unsupported);
            assert_eq!(error.downcast::<DecodeError>().unwrap(), *expected);
        };
        let mut reader = DecodeReader::new(bytes, decoder.clone());
        for _ in 0..2 {
            failed(reader.read(&mut [0; 8]));
            failed(reader.read(&mut [0; 8192]));
            failed(reader.fill_buf().map(<[u8]>::len));
            failed(reader.read_to_string(&mut String::new()));
        }
        failed(DecodeReader::new(bytes, decoder.clone()).read_to_end(&mut Vec::new()));
        failed(DecodeReader::new(bytes, decoder.clone()).lines().next_line().map(|_| 0));
        failed(DecodeReader::new(bytes, decoder.clone()).lines().next().unwrap().map(|_| 0));

        let mut writer = DecodeWriter::new(Vec::new(), decoder.clone());
        for _ in 0..2 {
            failed(writer.write(bytes));
            failed(writer.flush().map(|()| 0));
        }
        failed(writer.try_finish().map(|()| 0));
        failed(writer.finish().map(|_| 0));
        failed(DecodeWriter::new(Vec::new(), decoder.clone()).finish().map(|_| 0));
        let mut dropped = Vec::new();
        drop(DecodeWriter::new(&mut dropped, decoder.clone()));
        assert!(dropped.is_empty());
    }

    pub(super) fn encoding_fails(encoder: &Encoder, text: &str, expected: &EncodeError) {
        let failed = |result: io::Result<usize>| {
            let error = result.unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::Unsupported);
            assert_eq!(error.downcast::<EncodeError>().unwrap(), *expected);
        };
        let mut reader = EncodeReader::new(text.as_bytes(), encoder.clone());
        for _ in 0..2 {
            failed(reader.read(&mut [0; 8]));
            failed(reader.read(&mut [0; 8192]));
            failed(reader.read_to_end(&mut Vec::new()));
        }

        let mut writer = EncodeWriter::new(Vec::new(), encoder.clone());
        for _ in 0..2 {
            failed(writer.write(text.as_bytes()));
            failed(writer.write_str(text).map(|()| 0));
            failed(writer.flush().map(|()| 0));
        }
        failed(writer.try_finish().map(|()| 0));
        failed(writer.finish().map(|_| 0));
        failed(EncodeWriter::new(Vec::new(), encoder.clone()).finish().map(|_| 0));
    }
}

#[test]
fn a_text_decoder_for_an_unavailable_encoding_is_a_range_error() {
    for encoding in Encoding::ALL.iter().copied().filter(|&encoding| encoding != REPLACEMENT) {
        for label in encoding.labels() {
            let options = TextDecoderOptions::default();
            assert_eq!(TextDecoder::new(label, options).is_ok(), is_on(encoding), "{label}");
            assert_eq!(TextDecoderStream::new(label, options).is_ok(), is_on(encoding), "{label}");
        }
    }
    assert_eq!(TextEncoder.encode(&[0xE9]), "é".as_bytes());
}

#[test]
fn available_encodings_decode_like_the_oracle() {
    for (&encoding, &model) in Encoding::ALL.iter().zip(spec_model::Encoding::all()).filter(|(e, _)| is_on(**e)) {
        // Each pair of bytes, followed by a space. The pair before it may have started a longer sequence.
        for leading in 0..=0xFF {
            let bytes: Vec<u8> = (0..=0xFF).flat_map(|trailing| [leading, trailing, b' ']).collect();
            let expected = spec_model::decode(model, &bytes, spec_model::Bom::Keep, Mode::Replacement);
            let decoded = encoding.decode_with(&bytes, DecodeOptions::new().bom(Bom::Keep)).unwrap();
            assert_eq!(decoded.text, expected.text, "{encoding} {leading:02X}");
            assert_eq!(decoded.errors.count(), expected.errors.len() as u64, "{encoding} {leading:02X}");

            let mut text = String::new();
            let mut decoder = encoding.decoder_with(DecodeOptions::new().bom(Bom::Keep));
            decoder.push(&bytes, &mut text).unwrap();
            decoder.reset();
            text.clear();
            for chunk in bytes.chunks(7) {
                decoder.push(chunk, &mut text).unwrap();
            }
            decoder.finish(&mut text).unwrap();
            assert_eq!(text, expected.text, "{encoding} {leading:02X} in chunks");
        }
    }
}

#[test]
fn available_encoders_encode_like_the_oracle() {
    let text: Vec<char> =
        ('\0'..='\u{FFFF}').chain('\u{1F600}'..='\u{1F610}').chain('\u{20000}'..='\u{20200}').collect();
    for (&encoding, &model) in Encoding::ALL.iter().zip(spec_model::Encoding::all()) {
        if !has_encoder(encoding) {
            continue;
        }
        // The standard has no encoders for UTF-16.
        if let Some(expected) = spec_model::encode(model, text.iter().copied(), EncodeMode::Html) {
            let text: String = text.iter().collect();
            let encoded = encoding.encode_with(&text, Unmappable::Html).unwrap();
            assert_eq!(*encoded.bytes, *expected.bytes, "{encoding}");
            assert_eq!(encoded.errors.count(), expected.errors.len() as u64, "{encoding}");
        }
    }
}

#[test]
fn encodings_without_a_feature_are_always_available() {
    for (encoding, bytes) in
        [(UTF_8, &b"\xC3\xA9"[..]), (UTF_16BE, b"\0\xE9"), (UTF_16LE, b"\xE9\0"), (LATIN1, b"\xE9")]
    {
        assert_eq!(encoding.decode_strict(bytes).unwrap(), "é");
        assert_eq!(*encoding.encode("é").unwrap(), *bytes);
    }
    assert_eq!(US_ASCII.decode_strict(b"a").unwrap(), "a");
    assert_eq!(*US_ASCII.encode("a").unwrap(), *b"a");
    assert_eq!(hooks::utf_8_decode(b"\xEF\xBB\xBFa\xFF"), "a\u{FFFD}");
    assert_eq!(hooks::utf_8_decode_without_bom(b"\xEF\xBB\xBFa"), "\u{FEFF}a");
    assert_eq!(hooks::utf_8_decode_without_bom_or_fail(b"\xFF"), None);

    let mut text = String::new();
    let mut decoder = UTF_8.decoder();
    decoder.push(b"\xFE", &mut text).unwrap();
    decoder.push(b"\xFF\0a", &mut text).unwrap();
    assert_eq!((decoder.encoding(), text.as_str()), (UTF_16BE, "a"));
}

/// Calls that cannot fail exist only with `all-encodings`. Their results equal those of the fallible calls.
#[cfg(feature = "all-encodings")]
#[test]
fn with_all_encodings_decoding_cannot_fail() {
    for encoding in all() {
        for bytes in INPUTS {
            let decoded = encoding.decode(bytes);
            assert_eq!(decoded, encoding.decode_with(bytes, DecodeOptions::new()).unwrap());
            let mut text = String::new();
            encoding.decoder().push(bytes, &mut text).unwrap();
        }
    }
}
