//! Builds with fewer features: available encodings are exact, and every call for another encoding returns an error.

use spec_model::{EncodeMode, Mode};
use textcodec::{
    Alias, BIG5, Bom, DecodeOptions, DecodeReason, EUC_JP, EUC_KR, EncodeReason, Encoding, GB18030, GBK, IBM866,
    ISO_2022_JP, LATIN1, Malformed, REPLACEMENT, SHIFT_JIS, US_ASCII, UTF_8, UTF_16BE, UTF_16LE, Unmappable,
    X_MAC_CYRILLIC, hooks,
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
        let error = encoding.try_decoder().unwrap_err();
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
                assert_eq!(encoding.try_decoder_with(options).unwrap_err(), error);
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
        let error = encoding.encoder().unwrap_err();
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
            for unmappable in [Unmappable::Fail, Unmappable::Html, Unmappable::Replace('?'), Unmappable::Skip] {
                assert_eq!(encoding.encoder_with(unmappable).unwrap_err(), error);
                assert_eq!(encoding.encode_with(text, unmappable).unwrap_err(), error);
                assert_eq!(encoding.encode_from_utf16_with(&units, unmappable).unwrap_err(), error);
            }
        }
    }
    assert_eq!(REPLACEMENT.encode("").unwrap_err().reason(), EncodeReason::NoEncoder);
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
            let mut decoder = encoding.try_decoder_with(DecodeOptions::new().bom(Bom::Keep)).unwrap();
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
    let mut decoder = UTF_8.try_decoder().unwrap();
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
