//! Encoders: every scalar value and random strings, with character references and up to the first unmappable character.

use encoding_rs::{CoderResult, EncoderResult};
use fastrand::Rng;
use spec_model::EncodeMode;
use textcodec::Unmappable;

use crate::{
    report::Report,
    texts::{Texts, chunks},
    trio::{Trio, hex},
};

/// The bytes, and whether anything was unmappable.
type Outcome = (String, bool);

/// Returns the model's result with error mode "html".
fn model(trio: Trio, text: impl IntoIterator<Item = char>) -> Outcome {
    let encoded = spec_model::encode(trio.model, text, EncodeMode::Html).expect("an output encoding has an encoder");
    (hex(&encoded.bytes), !encoded.errors.is_empty())
}

/// Compares a short text with references. Does not allocate if the results are equal.
fn short(report: &mut Report, trio: Trio, text: &str, name: &'static str) {
    let (mut first, mut second) = ([0; 96], [0; 96]);
    let mut encoder = trio.library.encoder_with(Unmappable::Html);
    let progress = encoder.encode_from_utf8(text, &mut first, true);
    assert_eq!(progress.read, text.len(), "the input fits");
    let library = (&first[..progress.written], !encoder.errors().is_empty());
    let (result, _, written, unmappable) = trio.witness.new_encoder().encode_from_utf8(text, &mut second, true);
    assert_eq!(result, CoderResult::InputEmpty, "the input fits");
    let witness = (&second[..written], unmappable);
    let comparison = report.comparison(name);
    comparison.count();
    if library != witness {
        let (library, witness) = ((hex(library.0), library.1), (hex(witness.0), witness.1));
        comparison.differs(trio.name(), format!("{text:?}"), &library, &witness, &model(trio, text.chars()));
    }
}

/// Compares every scalar value alone. For ISO-2022-JP, also in each of its states.
pub(crate) fn every_scalar_value(report: &mut Report, trio: Trio) {
    let around: &[(&str, &str)] = &[("a", "a"), ("¥", "¥"), ("あ", "あ"), ("あ", ""), ("¥", "")];
    let mut text = String::new();
    for character in '\0'..=char::MAX {
        short(report, trio, character.encode_utf8(&mut [0; 4]), "encode every scalar value");
        if trio.library == textcodec::ISO_2022_JP {
            for (before, after) in around {
                text.clear();
                text.push_str(before);
                text.push(character);
                text.push_str(after);
                short(report, trio, &text, "encode every scalar value in context");
            }
        }
    }
}

/// Compares random strings.
pub(crate) fn random(report: &mut Report, trio: Trio, seed: u64, rounds: usize) {
    let requested = trio;
    let trio = trio.output();
    let mut rng = Rng::with_seed(seed);
    let texts = Texts::new(trio);
    for _ in 0..rounds {
        let text = texts.text(&mut rng);
        let encoded = trio.library.encode_with(&text, Unmappable::Html).expect("encoding with references cannot fail");
        let library = (hex(&encoded.bytes), !encoded.errors.is_empty());
        let (bytes, encoding, unmappable) = requested.witness.encode(&text);
        assert_eq!(encoding.name(), trio.name(), "the same output encoding");
        let witness = (hex(&bytes), unmappable);
        let (input, expected) = (|| format!("{text:?}"), || model(trio, text.chars()));
        report.comparison("encode random, one call").case(trio.name(), input, &library, &witness, expected);
        let library = (hex(&library_chunks(trio, &text, &mut rng)), library.1);
        report.comparison("encode random, chunks").case(trio.name(), input, &library, &witness, expected);
        up_to_the_first(report, trio, &text);

        let units = texts.units(&mut rng);
        let encoded = trio
            .library
            .encode_from_utf16_with(&units, Unmappable::Html)
            .expect("encoding with references cannot fail");
        let library = (hex(&encoded.bytes), !encoded.errors.is_empty());
        let mut bytes = vec![0; 8 * units.len() + 64];
        let (result, _, written, unmappable) = trio.witness.new_encoder().encode_from_utf16(&units, &mut bytes, true);
        assert_eq!(result, CoderResult::InputEmpty, "the input fits");
        let witness = (hex(&bytes[..written]), unmappable);
        let (input, expected) = (|| format!("{units:04X?}"), || model(trio, spec_model::scalar_values(&units)));
        report.comparison("encode random UTF-16").case(trio.name(), input, &library, &witness, expected);
    }
}

/// Encodes with the library in chunks, into small buffers.
fn library_chunks(trio: Trio, text: &str, rng: &mut Rng) -> Vec<u8> {
    let mut encoder = trio.library.encoder_with(Unmappable::Html);
    let (mut bytes, mut dst) = (Vec::new(), [0; 24]);
    let cuts = chunks(text.len(), rng);
    let mut from = 0;
    for (n, cut) in cuts.iter().enumerate() {
        let to = text.ceil_char_boundary(cut.end);
        let mut rest = &text[from..to];
        from = to;
        loop {
            let capacity = rng.usize(1..=24);
            let progress = encoder.encode_from_utf8(rest, &mut dst[..capacity], n + 1 == cuts.len());
            bytes.extend_from_slice(&dst[..progress.written]);
            rest = &rest[progress.read..];
            if progress.status == textcodec::Status::InputEmpty {
                break;
            }
        }
    }
    bytes
}

/// Compares fatal mode: the bytes before the first unmappable character, and the reported code point.
fn up_to_the_first(report: &mut Report, trio: Trio, text: &str) {
    let mut bytes = Vec::new();
    let mut encoder = trio.library.encoder();
    let error = encoder.push(text, &mut bytes).err().or_else(|| encoder.finish(&mut bytes).err());
    let library = (hex(&bytes), error.and_then(|error| error.code_point()));
    let mut bytes = vec![0; 8 * text.len() + 64];
    let mut encoder = trio.witness.new_encoder();
    let (result, _, written) = encoder.encode_from_utf8_without_replacement(text, &mut bytes, true);
    let witness = match result {
        EncoderResult::InputEmpty => (hex(&bytes[..written]), None),
        EncoderResult::Unmappable(character) => (hex(&bytes[..written]), Some(character)),
        EncoderResult::OutputFull => unreachable!("the input fits"),
    };
    let model = || {
        let encoded = spec_model::encode(trio.model, text.chars(), EncodeMode::Fatal).expect("there is an encoder");
        (hex(&encoded.bytes), encoded.errors.first().map(|&(_, code_point)| code_point))
    };
    report.comparison("encode random, fatal").case(trio.name(), || format!("{text:?}"), &library, &witness, model);
}
