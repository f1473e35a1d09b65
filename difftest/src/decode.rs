//! Decoders: all short inputs, gb18030's four-byte sequences, random and damaged text.

use std::ops::Range;

use encoding_rs::{CoderResult, DecoderResult};
use fastrand::Rng;
use textcodec::{Bom, DecodeOptions, Malformed, Status};

use crate::{
    report::Report,
    texts::{Texts, chunks},
    trio::{Trio, hex},
};

/// A code unit of an output form.
pub(crate) trait Unit: Copy + Default + PartialEq + std::fmt::Debug {
    /// The names of the comparisons of short inputs, by length.
    const SHORT: [&'static str; 4];
    /// Calls the library. Returns how much was read and written, and whether all input was read.
    fn library(decoder: &mut textcodec::Decoder, src: &[u8], dst: &mut [Self], last: bool) -> (usize, usize, bool);
    /// Calls the witness. Also returns whether there were errors.
    fn witness(
        decoder: &mut encoding_rs::Decoder,
        src: &[u8],
        dst: &mut [Self],
        last: bool,
    ) -> (usize, usize, bool, bool);
    /// Converts text to this form.
    fn of(text: &str) -> Vec<Self>;
    /// Converts text from this form, for messages.
    fn text(units: &[Self]) -> String;
}

impl Unit for u8 {
    const SHORT: [&'static str; 4] =
        ["decode 0-byte, UTF-8", "decode 1-byte, UTF-8", "decode 2-byte, UTF-8", "decode 3-byte, UTF-8"];

    fn library(decoder: &mut textcodec::Decoder, src: &[u8], dst: &mut [Self], last: bool) -> (usize, usize, bool) {
        let progress = decoder.decode_to_utf8(src, dst, last);
        (progress.read, progress.written, progress.status == Status::InputEmpty)
    }

    fn witness(
        decoder: &mut encoding_rs::Decoder,
        src: &[u8],
        dst: &mut [Self],
        last: bool,
    ) -> (usize, usize, bool, bool) {
        let (result, read, written, errors) = decoder.decode_to_utf8(src, dst, last);
        (read, written, result == CoderResult::InputEmpty, errors)
    }

    fn of(text: &str) -> Vec<Self> {
        text.into()
    }

    fn text(units: &[Self]) -> String {
        format!("{:?}", String::from_utf8_lossy(units))
    }
}

impl Unit for u16 {
    const SHORT: [&'static str; 4] =
        ["decode 0-byte, UTF-16", "decode 1-byte, UTF-16", "decode 2-byte, UTF-16", "decode 3-byte, UTF-16"];

    fn library(decoder: &mut textcodec::Decoder, src: &[u8], dst: &mut [Self], last: bool) -> (usize, usize, bool) {
        let progress = decoder.decode_to_utf16(src, dst, last);
        (progress.read, progress.written, progress.status == Status::InputEmpty)
    }

    fn witness(
        decoder: &mut encoding_rs::Decoder,
        src: &[u8],
        dst: &mut [Self],
        last: bool,
    ) -> (usize, usize, bool, bool) {
        let (result, read, written, errors) = decoder.decode_to_utf16(src, dst, last);
        (read, written, result == CoderResult::InputEmpty, errors)
    }

    fn of(text: &str) -> Vec<Self> {
        text.encode_utf16().collect()
    }

    fn text(units: &[Self]) -> String {
        format!("{:?}", String::from_utf16_lossy(units))
    }
}

/// The text, whether there were errors, and the encoding used.
type Outcome = (String, bool, &'static str);

/// The three policies for byte order marks.
pub(crate) const BOMS: [Bom; 3] = [Bom::Sniff, Bom::StripOwn, Bom::Keep];

/// Returns the witness's decoder for a policy.
fn witness_decoder(trio: Trio, bom: Bom) -> encoding_rs::Decoder {
    match bom {
        Bom::Sniff => trio.witness.new_decoder(),
        Bom::StripOwn => trio.witness.new_decoder_with_bom_removal(),
        _ => trio.witness.new_decoder_without_bom_handling(),
    }
}

/// Returns the model's policy for byte order marks.
pub(crate) fn model_bom(bom: Bom) -> spec_model::Bom {
    match bom {
        Bom::Sniff => spec_model::Bom::Sniff,
        Bom::StripOwn => spec_model::Bom::StripOwn,
        _ => spec_model::Bom::Keep,
    }
}

/// Returns the model's result.
fn model<U: Unit>(trio: Trio, bytes: &[u8], bom: Bom) -> Outcome {
    let decoded = spec_model::decode(trio.model, bytes, model_bom(bom), spec_model::Mode::Replacement);
    (U::text(&U::of(&decoded.text)), !decoded.errors.is_empty(), decoded.encoding.name())
}

/// Compares a short input without byte order mark handling. Does not allocate if the results are equal.
fn short<U: Unit>(report: &mut Report, trio: Trio, bytes: &[u8], name: &'static str) {
    let (mut first, mut second) = ([U::default(); 64], [U::default(); 64]);
    let mut decoder = trio.library.decoder_with(DecodeOptions::new().bom(Bom::Keep));
    let (_, library_len, done) = U::library(&mut decoder, bytes, &mut first, true);
    assert!(done, "the input fits");
    let library_errors = !decoder.errors().is_empty();
    let mut decoder = trio.witness.new_decoder_without_bom_handling();
    let (_, witness_len, done, witness_errors) = U::witness(&mut decoder, bytes, &mut second, true);
    assert!(done, "the input fits");
    let (library, witness) = (&first[..library_len], &second[..witness_len]);
    let comparison = report.comparison(name);
    comparison.count();
    if library != witness || library_errors != witness_errors {
        let library = (U::text(library), library_errors, trio.name());
        let witness = (U::text(witness), witness_errors, trio.name());
        comparison.differs(trio.name(), hex(bytes), &library, &witness, &model::<U>(trio, bytes, Bom::Keep));
    }
}

/// Calls `f` with all inputs of a length.
fn each_input(len: usize, mut f: impl FnMut(&[u8])) {
    for number in 0..1_u32 << (8 * len) {
        f(&number.to_be_bytes()[4 - len..]);
    }
}

/// Compares all inputs of a length, which is at most three.
pub(crate) fn exhaustive<U: Unit>(report: &mut Report, trio: Trio, len: usize) {
    each_input(len, |bytes| short::<U>(report, trio, bytes, U::SHORT[len]));
}

/// Compares all four-byte sequences of gb18030.
pub(crate) fn four_bytes(report: &mut Report, trio: Trio) {
    for first in 0x81..=0xFE {
        for second in 0x30..=0x39 {
            for third in 0x81..=0xFE {
                for fourth in 0x30..=0x39 {
                    let bytes = [first, second, third, fourth];
                    short::<u8>(report, trio, &bytes, "decode gb18030 four-byte, UTF-8");
                    short::<u16>(report, trio, &bytes, "decode gb18030 four-byte, UTF-16");
                }
            }
        }
    }
}

/// Returns the ranges of the library's errors.
fn library_ranges(trio: Trio, bytes: &[u8], dst: &mut [u8]) -> Vec<Range<u64>> {
    let options = DecodeOptions::new().bom(Bom::Keep).malformed(Malformed::Pause);
    let mut decoder = trio.library.decoder_with(options);
    let (mut rest, mut ranges) = (bytes, Vec::new());
    loop {
        let progress = decoder.decode_to_utf8(rest, dst, true);
        rest = &rest[progress.read..];
        match progress.status {
            Status::InputEmpty => return ranges,
            Status::Error(error) => ranges.push(error.range()),
            _ => {}
        }
    }
}

/// Returns the ranges of the witness's errors.
fn witness_ranges(trio: Trio, bytes: &[u8], dst: &mut [u8]) -> Vec<Range<u64>> {
    let mut decoder = trio.witness.new_decoder_without_bom_handling();
    let (mut read, mut ranges) = (0, Vec::new());
    loop {
        let (result, more, _) = decoder.decode_to_utf8_without_replacement(&bytes[read..], dst, true);
        read += more;
        match result {
            DecoderResult::InputEmpty => return ranges,
            DecoderResult::OutputFull => {}
            DecoderResult::Malformed(len, after) => {
                let end = read as u64 - u64::from(after);
                ranges.push(end.saturating_sub(len.into())..end);
            }
        }
    }
}

fn ranges(report: &mut Report, trio: Trio, bytes: &[u8], dst: &mut [u8], name: &'static str) {
    let (library, witness) = (library_ranges(trio, bytes, dst), witness_ranges(trio, bytes, dst));
    let model = || {
        let decoded = spec_model::decode(trio.model, bytes, spec_model::Bom::Keep, spec_model::Mode::Replacement);
        decoded.errors.into_iter().map(|range| range.start as u64..range.end as u64).collect()
    };
    report.comparison(name).case(trio.name(), || hex(bytes), &library, &witness, model);
}

/// Compares the error ranges of all inputs of a length.
pub(crate) fn exhaustive_ranges(report: &mut Report, trio: Trio, len: usize) {
    let mut dst = [0; 64];
    each_input(len, |bytes| ranges(report, trio, bytes, &mut dst, "decode short inputs, error ranges"));
}

/// Compares random and damaged text.
pub(crate) fn random(report: &mut Report, trio: Trio, seed: u64, rounds: usize) {
    let mut rng = Rng::with_seed(seed);
    let texts = Texts::new(trio);
    let mut dst = [0; 64];
    for _ in 0..rounds {
        let bytes = texts.bytes(&mut rng);
        ranges(report, trio, &bytes, &mut dst, "decode random, error ranges");
        one_shot(report, trio, &bytes, ["decode random, one call, UTF-8", "decode random, one call, UTF-16"]);
        strict(report, trio, &bytes);
        for bom in BOMS {
            let cut = chunks(bytes.len(), &mut rng);
            let name = "decode random, chunks, UTF-8";
            chunked::<u8>(report, trio, &bytes, bom, &cut, (name, &mut rng));
            let name = "decode random, chunks, UTF-16";
            chunked::<u16>(report, trio, &bytes, bom, &cut, (name, &mut rng));
        }
    }
}

/// Compares a whole input with each policy for byte order marks.
pub(crate) fn one_shot(report: &mut Report, trio: Trio, bytes: &[u8], names: [&'static str; 2]) {
    for bom in BOMS {
        let options = DecodeOptions::new().bom(bom);
        let decoded = trio.library.decode_with(bytes, options).expect("decoding with replacement cannot fail");
        let library = (u8::text(decoded.text.as_bytes()), !decoded.errors.is_empty(), decoded.encoding.name());
        let (text, errors, encoding) = match bom {
            Bom::Sniff => {
                let (text, encoding, errors) = trio.witness.decode(bytes);
                (text, errors, encoding.name())
            }
            Bom::StripOwn => {
                let (text, errors) = trio.witness.decode_with_bom_removal(bytes);
                (text, errors, trio.name())
            }
            _ => {
                let (text, errors) = trio.witness.decode_without_bom_handling(bytes);
                (text, errors, trio.name())
            }
        };
        let witness = (u8::text(text.as_bytes()), errors, encoding);
        let input = || format!("{bom:?} {}", hex(bytes));
        report.comparison(names[0]).case(trio.name(), input, &library, &witness, || model::<u8>(trio, bytes, bom));

        let decoded = trio.library.decode_to_utf16_with(bytes, options).expect("decoding with replacement cannot fail");
        let library = (u16::text(&decoded.text), !decoded.errors.is_empty(), decoded.encoding.name());
        let mut decoder = witness_decoder(trio, bom);
        let mut units = vec![0; bytes.len() + 16];
        let (_, written, done, errors) = <u16 as Unit>::witness(&mut decoder, bytes, &mut units, true);
        assert!(done, "the input fits");
        let witness = (u16::text(&units[..written]), errors, decoder.encoding().name());
        report.comparison(names[1]).case(trio.name(), input, &library, &witness, || model::<u16>(trio, bytes, bom));
    }
}

/// Compares an input in chunks, decoded into small buffers.
pub(crate) fn chunked<U: Unit>(
    report: &mut Report,
    trio: Trio,
    bytes: &[u8],
    bom: Bom,
    cuts: &[Range<usize>],
    (name, rng): (&'static str, &mut Rng),
) {
    let mut dst = [U::default(); 48];
    let mut library_text = Vec::new();
    let mut decoder = trio.library.decoder_with(DecodeOptions::new().bom(bom));
    for (n, cut) in cuts.iter().enumerate() {
        let mut rest = &bytes[cut.clone()];
        loop {
            let capacity = rng.usize(4..=48);
            let (read, written, done) = U::library(&mut decoder, rest, &mut dst[..capacity], n + 1 == cuts.len());
            library_text.extend_from_slice(&dst[..written]);
            rest = &rest[read..];
            if done {
                break;
            }
        }
    }
    let library = (U::text(&library_text), !decoder.errors().is_empty(), decoder.encoding().name());

    let (mut witness_text, mut witness_errors) = (Vec::new(), false);
    let mut decoder = witness_decoder(trio, bom);
    for (n, cut) in cuts.iter().enumerate() {
        let mut rest = &bytes[cut.clone()];
        loop {
            let capacity = rng.usize(16..=48);
            let (read, written, done, errors) =
                U::witness(&mut decoder, rest, &mut dst[..capacity], n + 1 == cuts.len());
            witness_text.extend_from_slice(&dst[..written]);
            witness_errors |= errors;
            rest = &rest[read..];
            if done {
                break;
            }
        }
    }
    let witness = (U::text(&witness_text), witness_errors, decoder.encoding().name());
    let input = || format!("{bom:?} {} cut at {cuts:?}", hex(bytes));
    report.comparison(name).case(trio.name(), input, &library, &witness, || model::<U>(trio, bytes, bom));
}

/// Compares fatal mode: the text, or `None` after an error.
fn strict(report: &mut Report, trio: Trio, bytes: &[u8]) {
    let options = DecodeOptions::new().bom(Bom::Keep).malformed(Malformed::Fail);
    let library = trio.library.decode_with(bytes, options).ok().map(|decoded| decoded.text.into_owned());
    let witness = trio.witness.decode_without_bom_handling_and_without_replacement(bytes).map(String::from);
    let model = || {
        let decoded = spec_model::decode(trio.model, bytes, spec_model::Bom::Keep, spec_model::Mode::Fatal);
        decoded.errors.is_empty().then_some(decoded.text)
    };
    report.comparison("decode random, fatal").case(trio.name(), || hex(bytes), &library, &witness, model);
}
