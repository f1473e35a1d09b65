//! Unpaired surrogates as errors: `EncodeOptions::reject_unpaired_surrogates`.
//!
//! The model is `char::decode_utf16` and the encoder for well-formed text, which other tests compare with the oracle.

use std::ops::Range;

use textcodec::{
    EncodeError, EncodeOptions, EncodeReason, Encoder, Encoding, GB18030, ISO_2022_JP, Status, TextUnit, UTF_8,
    UTF_16BE, UTF_16LE, Unmappable, WINDOWS_1252,
};

const ENCODINGS: [Encoding; 6] = [UTF_8, UTF_16LE, UTF_16BE, GB18030, WINDOWS_1252, ISO_2022_JP];

/// Characters of different lengths, and ones that some of the encodings cannot represent.
const A: u16 = 0x61;
const E_ACUTE: u16 = 0xE9;
const KANJI: u16 = 0x65E5;
const HIGH: u16 = 0xD83D;
const LOW: u16 = 0xDE00;

const INPUTS: [&[u16]; 12] = [
    &[HIGH],
    &[LOW],
    &[LOW, HIGH],
    &[HIGH, LOW],
    &[A, HIGH, KANJI, LOW, A],
    &[KANJI, LOW, HIGH, KANJI],
    &[HIGH, HIGH, LOW, LOW, A],
    &[KANJI, HIGH, LOW, KANJI, HIGH],
    &[0xFFFD, HIGH, 0xFFFD, A],
    &[E_ACUTE, HIGH, HIGH, HIGH],
    &[A, KANJI, LOW, LOW, E_ACUTE, HIGH, LOW],
    &[A, A, A, A, A, A, A, A, HIGH],
];

/// Each policy, with replacements of one byte and of as many bytes as the encoding has.
fn policies(encoding: Encoding) -> Vec<Unmappable> {
    let longest = ['😀', '日', 'é', '!'].into_iter().find(|&c| encoding.can_encode(c)).unwrap();
    let replace = ['!', longest].map(Unmappable::Replace);
    [Unmappable::Fail, Unmappable::Pause, Unmappable::Html, Unmappable::Skip].into_iter().chain(replace).collect()
}

/// Where an error is, its reason, and its character.
type Problem = (Range<u64>, EncodeReason, char);

fn problem(error: &EncodeError) -> Problem {
    assert_eq!((error.unit(), error.code_point()), (TextUnit::Utf16, error.character()));
    (error.range(), error.reason(), error.character().unwrap())
}

/// The expected result.
struct Model {
    bytes: Vec<u8>,
    problems: Vec<Problem>,
}

impl Model {
    fn new(encoding: Encoding, units: &[u16], policy: Unmappable) -> Self {
        let (mut text, mut problems, mut at) = (String::new(), Vec::new(), 0);
        for piece in char::decode_utf16(units.iter().copied()) {
            let character = piece.as_ref().map_or('\u{FFFD}', |&c| c);
            let range = at..at + character.len_utf16() as u64;
            at = range.end;
            let reason = match piece {
                Err(_) => EncodeReason::UnpairedSurrogate,
                Ok(_) if encoding.can_encode(character) => {
                    text.push(character);
                    continue;
                }
                Ok(_) => EncodeReason::Unmappable,
            };
            problems.push((range, reason, character));
            match policy {
                Unmappable::Fail => break,
                Unmappable::Html if encoding.can_encode(character) => text.push(character),
                Unmappable::Html => text.extend(["&#", &u32::from(character).to_string(), ";"]),
                Unmappable::Replace(replacement) => text.push(replacement),
                _ => {}
            }
        }
        Self { bytes: encoding.encode(&text).unwrap().into_owned(), problems }
    }
}

/// The result of the library.
struct Run {
    bytes: Vec<u8>,
    /// The errors that stopped a call.
    stops: Vec<Problem>,
    /// The number of errors that did not, and the first of them.
    replaced: (u64, Option<Problem>),
}

impl Run {
    fn check(&self, encoding: Encoding, units: &[u16], policy: Unmappable, what: &str) {
        let model = Model::new(encoding, units, policy);
        let what = || format!("{encoding}, {policy:?}, {units:04X?}, {what}");
        assert_eq!(self.bytes, model.bytes, "{}", what());
        if matches!(policy, Unmappable::Fail | Unmappable::Pause) {
            assert_eq!(self.stops, model.problems, "{}", what());
            assert_eq!(self.replaced.0, 0, "{}", what());
        } else {
            assert_eq!(self.stops, [], "{}", what());
            let replaced = (model.problems.len() as u64, model.problems.first().cloned());
            assert_eq!(self.replaced, replaced, "{}", what());
        }
    }
}

fn options(policy: Unmappable) -> EncodeOptions {
    EncodeOptions::new().unmappable(policy).reject_unpaired_surrogates(true)
}

fn replaced(encoder: &Encoder) -> (u64, Option<Problem>) {
    (encoder.errors().count(), encoder.errors().first().map(problem))
}

/// Encodes chunks by `push_utf16` and `finish`.
fn push(encoding: Encoding, units: &[u16], chunks: &[Range<usize>], policy: Unmappable) -> Run {
    let mut encoder = encoding.encoder_with(options(policy));
    let (mut bytes, mut stops) = (Vec::new(), Vec::new());
    for chunk in chunks {
        let mut at = chunk.start;
        while let Err(error) = encoder.push_utf16(&units[at..chunk.end], &mut bytes) {
            stops.push(problem(&error));
            if policy == Unmappable::Fail {
                assert_eq!(encoder.push_utf16(&units[at..chunk.end], &mut bytes), Err(error));
                return Run { bytes, stops, replaced: replaced(&encoder) };
            }
            at = encoder.position() as usize;
        }
        assert_eq!(encoder.position(), chunk.end as u64);
    }
    let unpaired = char::decode_utf16(units.iter().copied()).filter(Result::is_err).count();
    match encoder.finish(&mut bytes) {
        Ok(summary) => {
            assert_eq!(summary.unpaired_surrogates, unpaired as u64);
            Run { bytes, stops, replaced: (summary.errors.count(), summary.errors.first().map(problem)) }
        }
        Err(error) => {
            stops.push(problem(&error));
            Run { bytes, stops, replaced: (0, None) }
        }
    }
}

/// Encodes chunks by `encode_from_utf16`, to destinations of `capacity` bytes. The text ends with the last chunk.
fn encode(encoding: Encoding, units: &[u16], chunks: &[Range<usize>], policy: Unmappable, capacity: usize) -> Run {
    let mut encoder = encoding.encoder_with(options(policy));
    let (mut bytes, mut stops, mut buffer) = (Vec::new(), Vec::new(), vec![0; capacity]);
    for (n, chunk) in chunks.iter().enumerate() {
        let mut at = chunk.start;
        loop {
            let progress = encoder.encode_from_utf16(&units[at..chunk.end], &mut buffer, n + 1 == chunks.len());
            bytes.extend(&buffer[..progress.written]);
            at += progress.read;
            match progress.status {
                Status::InputEmpty => break,
                Status::Error(error) => {
                    stops.push(problem(&error));
                    if policy == Unmappable::Fail {
                        return Run { bytes, stops, replaced: replaced(&encoder) };
                    }
                }
                _ => {}
            }
        }
    }
    Run { bytes, stops, replaced: replaced(&encoder) }
}

/// Encodes chunks by the methods that call a function for each error.
fn push_with(encoding: Encoding, units: &[u16], chunks: &[Range<usize>], replacement: Option<char>) -> Run {
    // The option for unmappable characters does not matter.
    let mut encoder = encoding.encoder_with(options(Unmappable::Skip));
    let (mut bytes, mut stops) = (Vec::new(), Vec::new());
    let mut on_error = |error: &EncodeError| {
        let replacement = replacement.map(|c| c.to_string().into());
        if replacement.is_none() {
            stops.push(problem(error));
        }
        replacement
    };
    for chunk in chunks {
        let mut at = chunk.start;
        while encoder.push_utf16_with(&units[at..chunk.end], &mut bytes, &mut on_error).is_err() {
            at = encoder.position() as usize;
        }
    }
    let summary = encoder.finish_with(&mut bytes, &mut on_error);
    let replaced = summary.map_or((0, None), |summary| (summary.errors.count(), summary.errors.first().map(problem)));
    Run { bytes, stops, replaced }
}

fn one_shot(encoding: Encoding, units: &[u16], policy: Unmappable) -> Result<Run, EncodeError> {
    let encoded = encoding.encode_from_utf16_with(units, options(policy))?;
    let replaced = (encoded.errors.count(), encoded.errors.first().map(problem));
    Ok(Run { bytes: encoded.bytes, stops: Vec::new(), replaced })
}

/// Checks the functions for a whole text. With `Fail` and `Pause`, they return the first error.
fn check_one_shot(encoding: Encoding, units: &[u16], policy: Unmappable) {
    match one_shot(encoding, units, policy) {
        Ok(run) => run.check(encoding, units, policy, "one-shot"),
        Err(error) => {
            assert!(matches!(policy, Unmappable::Fail | Unmappable::Pause), "{encoding} {policy:?} {units:04X?}");
            let model = Model::new(encoding, units, policy);
            assert_eq!(Some(&problem(&error)), model.problems.first(), "{encoding} {policy:?} {units:04X?}");
        }
    }
}

/// All ways to split `len` units into chunks that are not empty.
fn splits(len: usize) -> impl Iterator<Item = Vec<Range<usize>>> {
    (0..1_usize << (len - 1)).map(move |cuts| {
        let ends = (1..=len).filter(|&end| end == len || cuts >> (end - 1) & 1 == 1);
        ends.scan(0, |start, end| Some(std::mem::replace(start, end)..end)).collect()
    })
}

#[test]
fn every_split_policy_and_capacity() {
    for encoding in ENCODINGS {
        for units in INPUTS {
            for policy in policies(encoding) {
                check_one_shot(encoding, units, policy);
                for mut chunks in splits(units.len()) {
                    let what = format!("{chunks:?}");
                    push(encoding, units, &chunks, policy).check(encoding, units, policy, &what);
                    match policy {
                        Unmappable::Replace(c) => push_with(encoding, units, &chunks, Some(c)),
                        Unmappable::Pause => push_with(encoding, units, &chunks, None),
                        _ => push(encoding, units, &chunks, policy),
                    }
                    .check(encoding, units, policy, &what);
                    for _ in 0..2 {
                        for capacity in [1, 2, 3, 4, 5, 8, 11, 64] {
                            let what = format!("{what}, {capacity} bytes at a time");
                            encode(encoding, units, &chunks, policy, capacity).check(encoding, units, policy, &what);
                        }
                        // The end of the text in a call without text.
                        chunks.push(units.len()..units.len());
                    }
                }
            }
        }
    }
}

/// A surrogate at each position of text that kernels convert.
#[test]
fn long_text() {
    let texts = ["abcdefgh".repeat(12), "日é😀a本".repeat(16), "日本語".repeat(30)];
    for encoding in ENCODINGS {
        for text in &texts {
            let units: Vec<u16> = text.encode_utf16().collect();
            for at in 0..units.len() {
                let mut units = units.clone();
                units[at] = [HIGH, LOW][at % 2];
                for policy in policies(encoding) {
                    check_one_shot(encoding, &units, policy);
                    for cut in [at, at + 1] {
                        let run = push(encoding, &units, &[0..cut, cut..units.len()], policy);
                        run.check(encoding, &units, policy, "two chunks");
                    }
                }
            }
        }
    }
}

#[test]
fn the_option_is_off_by_default() {
    for encoding in ENCODINGS {
        for units in INPUTS {
            let text = String::from_utf16_lossy(units);
            let default = encoding.encode_from_utf16_with(units, Unmappable::Html).unwrap();
            assert_eq!(*default.bytes, *encoding.encode_with(&text, Unmappable::Html).unwrap().bytes);
            assert!(default.errors.first().is_none_or(|error| error.reason() == EncodeReason::Unmappable));
            // With `Html`, the option changes the errors and not the bytes.
            assert_eq!(one_shot(encoding, units, Unmappable::Html).unwrap().bytes, *default.bytes);
        }
    }
}

/// UTF-8 cannot complete a surrogate pair. Its own U+FFFD is text.
#[test]
fn utf_8_after_a_high_surrogate() {
    for encoding in ENCODINGS {
        let mut encoder = encoding.encoder_with(options(Unmappable::Pause));
        let mut bytes = Vec::new();
        encoder.push_utf16(&[A, HIGH], &mut bytes).unwrap();
        encoder.push("", &mut bytes).unwrap();
        let error = encoder.push("b", &mut bytes).unwrap_err();
        assert_eq!(problem(&error), (1..2, EncodeReason::UnpairedSurrogate, '\u{FFFD}'));
        encoder.push("b", &mut bytes).unwrap();
        assert_eq!(encoder.push("\u{FFFD}", &mut bytes).is_ok(), encoding.can_encode('\u{FFFD}'));
        assert_eq!(encoder.position(), 6);
    }
}

#[test]
fn the_option_outlasts_a_reset_and_the_end_of_the_text() {
    let mut encoder = UTF_8.encoder_with(options(Unmappable::Fail));
    for _ in 0..2 {
        assert!(encoder.push_utf16(&[LOW], &mut Vec::new()).is_err());
        encoder.reset();
        let progress = encoder.encode_from_utf16(&[A], &mut [0], true);
        assert_eq!(progress.status, Status::InputEmpty);
    }
    assert!(encoder.push_utf16(&[LOW], &mut Vec::new()).is_err());
    let mut encoder = UTF_8.encoder_with(options(Unmappable::Fail));
    encoder.set_unmappable(Unmappable::Skip);
    let mut bytes = Vec::new();
    encoder.push_utf16(&[LOW, A], &mut bytes).unwrap();
    assert_eq!((bytes.as_slice(), encoder.errors().count()), (&b"a"[..], 1));
}

/// Text of unpaired surrogates alone has the most output for each unit.
#[test]
fn the_maximum_length_includes_replacements() {
    for encoding in ENCODINGS {
        for policy in policies(encoding) {
            for len in 1..=4 {
                let mut encoder = encoding.encoder_with(options(policy));
                let max = encoder.max_len_from_utf16(len).unwrap();
                let mut buffer = vec![0; max];
                let mut units = &[LOW; 4][..len];
                let mut written = 0;
                while !units.is_empty() {
                    let progress = encoder.encode_from_utf16(units, &mut buffer[written..], true);
                    assert_ne!(progress.status, Status::OutputFull, "{encoding} {policy:?} {len}");
                    (units, written) = (&units[progress.read..], written + progress.written);
                    if policy == Unmappable::Fail {
                        break;
                    }
                }
                // For a character of four bytes, the maximum is exact.
                if policy == Unmappable::Replace('😀') {
                    assert_eq!(written, max, "{encoding}");
                }
                // A pending surrogate is part of the maximum.
                let mut encoder = encoding.encoder_with(options(policy));
                encoder.push_utf16(&[HIGH], &mut Vec::new()).unwrap();
                let mut buffer = vec![0; encoder.max_len_from_utf8(1).unwrap()];
                let status = encoder.encode_from_utf8("a", &mut buffer, true).status;
                assert_ne!(status, Status::OutputFull, "{encoding} {policy:?}");
            }
        }
    }
}

#[test]
fn messages() {
    let error = GB18030.encode_from_utf16_with(&[A, A, LOW], options(Unmappable::Fail)).unwrap_err();
    assert_eq!(error.to_string(), "unpaired surrogate at code unit 2 of the UTF-16 text");
    assert_eq!(error.reason().to_string(), "this surrogate is unpaired");
    assert_eq!(
        format!("{error:?}"),
        "EncodeError { encoding: gb18030, reason: UnpairedSurrogate, character: '\u{FFFD}', range: 2..3, unit: Utf16 }"
    );
}
