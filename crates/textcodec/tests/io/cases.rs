//! Inputs, and the expected results from a single call.

use std::{fmt, io, ops::Range};

use testkit::texts;
use textcodec::{
    Bom, DecodeError, DecodeOptions, Decoder, EncodeError, Encoder, Encoding, Malformed, UTF_8, UTF_16BE, UTF_16LE,
    Unmappable,
};

/// An input, its output and its error.
#[derive(Debug)]
pub(crate) struct Case<C> {
    pub(crate) convert: C,
    pub(crate) input: Vec<u8>,
    pub(crate) output: Vec<u8>,
    pub(crate) error: Option<Range<u64>>,
    /// The number of errors that are replaced.
    pub(crate) replaced: u64,
}

pub(crate) const STRICT: DecodeOptions = DecodeOptions::new().malformed(Malformed::Fail);

pub(crate) fn decoding(convert: Decoder, input: Vec<u8>) -> Case<Decoder> {
    let mut decoder = convert.clone();
    let mut output = Vec::new();
    let result = decoder.push(&input, &mut output);
    let replaced = decoder.errors().count();
    let (error, replaced) = match result.and_then(|()| decoder.finish(&mut output)) {
        Ok(summary) => (None, summary.errors.count()),
        Err(error) => (Some(error.range()), replaced),
    };
    Case { convert, input, output, error, replaced }
}

pub(crate) fn encoding(convert: Encoder, input: Vec<u8>) -> Case<Encoder> {
    let mut encoder = convert.clone();
    let mut output = Vec::new();
    let utf_8 = UTF_8.decode_with(&input, STRICT.bom(Bom::Keep));
    let malformed = utf_8.as_ref().err().map(DecodeError::range);
    let valid = malformed.as_ref().map_or(input.len(), |range| range.start as usize);
    let text = std::str::from_utf8(&input[..valid]).unwrap();
    let result = encoder.push(text, &mut output);
    let replaced = encoder.errors().count();
    let error = match result.and_then(|()| encoder.finish(&mut output)) {
        Ok(_) => malformed,
        Err(error) => Some(error.range()),
    };
    Case { convert, input, output, error, replaced }
}

/// Decoding cases for all encodings, with and without options: well-formed and malformed input, with and without byte order
/// marks.
pub(crate) fn all_decoding(random: &mut fastrand::Rng) -> Vec<Case<Decoder>> {
    let mut cases = Vec::new();
    for &encoding in Encoding::ALL.iter().chain(Encoding::EXTRA) {
        let mut inputs =
            vec![Vec::new(), b"ab\x1B$".to_vec(), b"\xEF\xBB\xBFab\xE3\x81".to_vec(), b"\xFF\xFEa\0b".to_vec()];
        if encoding.has_encoder() {
            let text = texts::repertoire(encoding, 40, random);
            let sentences: String = texts::SENTENCES.iter().map(|text| texts::representable(encoding, text)).collect();
            for text in [text, sentences] {
                let bytes = encoding.encode(&text).unwrap().into_owned();
                inputs.push(texts::damage(&bytes, random));
                inputs.push(bytes);
            }
        }
        for input in inputs {
            for options in [DecodeOptions::new(), STRICT, STRICT.bom(Bom::Keep)] {
                cases.push(decoding(encoding.decoder_with(options), input.clone()));
            }
        }
    }
    cases
}

/// Encoding cases for all encodings and policies: text, unmappable characters, malformed UTF-8.
pub(crate) fn all_encoding(random: &mut fastrand::Rng) -> Vec<Case<Encoder>> {
    let mut cases = Vec::new();
    for &to in Encoding::ALL.iter().chain(Encoding::EXTRA).filter(|encoding| encoding.has_encoder()) {
        let text = texts::repertoire(to, 40, random);
        let mixed = format!("{text}{}", texts::SENTENCES[random.usize(..texts::SENTENCES.len())]);
        let damaged = texts::damage(text.as_bytes(), random);
        for input in [Vec::new(), text.into_bytes(), mixed.into_bytes(), damaged, "日本\u{E3}".as_bytes()[..7].to_vec()]
        {
            for policy in [Unmappable::Fail, Unmappable::Html, Unmappable::Replace('?'), Unmappable::Skip] {
                cases.push(encoding(to.encoder_with(policy), input.clone()));
            }
        }
    }
    cases
}

/// A decoding case that is longer than any buffer, with an error at an odd offset.
pub(crate) fn long_decoding() -> Case<Decoder> {
    let text = texts::SENTENCES[12].repeat(1500);
    let mut input = textcodec::EUC_JP.encode(&text).unwrap().into_owned();
    input.insert(100_001, 0xFF);
    decoding(textcodec::EUC_JP.decoder(), input)
}

/// An encoding case that is longer than any buffer.
pub(crate) fn long_encoding() -> Case<Encoder> {
    encoding(textcodec::ISO_2022_JP.encoder_with(Unmappable::Html), texts::SENTENCES.concat().repeat(200).into())
}

/// Returns `bytes` after the byte order mark of the encoding, if it has one.
pub(crate) fn marked(to: Encoding, bytes: &[u8]) -> Vec<u8> {
    let mark = match to {
        UTF_8 | UTF_16LE | UTF_16BE => to.encode("\u{FEFF}").unwrap().into_owned(),
        _ => Vec::new(),
    };
    [&mark, bytes].concat()
}

/// Checks that the output and the error are those of a single call. Shows only part of long results.
pub(crate) fn check<C: fmt::Debug>(case: &Case<C>, output: &[u8], error: Option<&io::Error>, how: &str) {
    let same = output.iter().zip(&case.output).take_while(|(a, b)| a == b).count();
    let around = |bytes: &[u8]| bytes[same.saturating_sub(20)..bytes.len().min(same + 20)].escape_ascii().to_string();
    let input = &case.input[..case.input.len().min(200)];
    assert!(
        output == case.output,
        "{how}: differs at offset {same}: {} instead of {}; {input:02X?} {:?}",
        around(output),
        around(&case.output),
        case.convert
    );
    assert_eq!(error.and_then(range), case.error, "{how}: {input:02X?} {:?}", case.convert);
}

/// Returns the range of an error in the input, or `None` for an error of the inner reader or writer.
pub(crate) fn range(error: &io::Error) -> Option<Range<u64>> {
    let source = error.get_ref()?;
    let decode = source.downcast_ref::<DecodeError>().map(DecodeError::range);
    let encode = || source.downcast_ref::<EncodeError>().map(EncodeError::range);
    let range = decode.or_else(encode);
    assert_eq!(range.is_some(), error.kind() == io::ErrorKind::InvalidData, "{error:?}");
    range
}
