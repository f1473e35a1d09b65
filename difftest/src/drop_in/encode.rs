//! Encoders: every method, any chunks and destinations.

use fastrand::Rng;

use super::{Pair, Stop};
use crate::{
    report::Report,
    texts::{Texts, chunks},
    trio::{Trio, hex},
};

/// A method that encodes a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Method {
    form: Form,
    replaces: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Utf8,
    Vec,
    Utf16,
}

impl Method {
    fn random(rng: &mut Rng) -> Self {
        Self { form: [Form::Utf8, Form::Vec, Form::Utf16][rng.usize(..3)], replaces: rng.bool() }
    }
}

/// The result of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Outcome {
    stop: Stop,
    read: usize,
    bytes: Vec<u8>,
    had_unmappables: bool,
}

/// A chunk in either form.
#[derive(Clone, Copy, Debug)]
enum Chunk<'a> {
    Utf8(&'a str),
    Utf16(&'a [u16]),
}

impl Chunk<'_> {
    fn rest(self, from: usize) -> Self {
        match self {
            Self::Utf8(text) => Self::Utf8(&text[from..]),
            Self::Utf16(units) => Self::Utf16(&units[from..]),
        }
    }

    fn len(self) -> usize {
        match self {
            Self::Utf8(text) => text.len(),
            Self::Utf16(units) => units.len(),
        }
    }

    /// Returns whether a method for this form accepts the chunk.
    fn fits(self, form: Form) -> bool {
        matches!(self, Self::Utf16(_)) == (form == Form::Utf16)
    }
}

/// An encoder of either crate.
trait Side {
    fn encode(&mut self, method: Method, src: Chunk<'_>, capacity: usize, last: bool) -> Outcome;
    fn bound(&self, method: Method, src: Chunk<'_>) -> Option<usize>;
    fn state(&self) -> (&'static str, bool);
}

/// Implements [`Side`] for a crate. Both crates have the same names for different types.
macro_rules! side {
    ($of:ident) => {
        impl From<$of::EncoderResult> for Stop {
            fn from(result: $of::EncoderResult) -> Self {
                match result {
                    $of::EncoderResult::InputEmpty => Self::InputEmpty,
                    $of::EncoderResult::OutputFull => Self::OutputFull,
                    $of::EncoderResult::Unmappable(character) => Self::Unmappable(character),
                }
            }
        }

        impl Side for $of::Encoder {
            fn encode(&mut self, method: Method, src: Chunk<'_>, capacity: usize, last: bool) -> Outcome {
                let mut dst = vec![0xAA; capacity];
                let (stop, read, bytes, had_unmappables): (Stop, _, _, _) = match (src, method.form, method.replaces) {
                    (Chunk::Utf8(src), Form::Vec, true) => {
                        let mut dst = Vec::with_capacity(capacity);
                        let (result, read, had_unmappables) = self.encode_from_utf8_to_vec(src, &mut dst, last);
                        assert_eq!(dst.capacity(), capacity, "a Vec must not grow");
                        (result.into(), read, dst, had_unmappables)
                    }
                    (Chunk::Utf8(src), Form::Vec, false) => {
                        let mut dst = Vec::with_capacity(capacity);
                        let (result, read) = self.encode_from_utf8_to_vec_without_replacement(src, &mut dst, last);
                        assert_eq!(dst.capacity(), capacity, "a Vec must not grow");
                        (result.into(), read, dst, false)
                    }
                    (Chunk::Utf8(src), _, true) => {
                        let (result, read, written, had_unmappables) = self.encode_from_utf8(src, &mut dst, last);
                        dst.truncate(written);
                        (result.into(), read, dst, had_unmappables)
                    }
                    (Chunk::Utf8(src), _, false) => {
                        let (result, read, written) = self.encode_from_utf8_without_replacement(src, &mut dst, last);
                        dst.truncate(written);
                        (result.into(), read, dst, false)
                    }
                    (Chunk::Utf16(src), _, true) => {
                        let (result, read, written, had_unmappables) = self.encode_from_utf16(src, &mut dst, last);
                        dst.truncate(written);
                        (result.into(), read, dst, had_unmappables)
                    }
                    (Chunk::Utf16(src), _, false) => {
                        let (result, read, written) = self.encode_from_utf16_without_replacement(src, &mut dst, last);
                        dst.truncate(written);
                        (result.into(), read, dst, false)
                    }
                };
                Outcome { stop, read, bytes, had_unmappables }
            }

            fn bound(&self, method: Method, src: Chunk<'_>) -> Option<usize> {
                match (src, method.replaces) {
                    (Chunk::Utf8(src), true) => self.max_buffer_length_from_utf8_if_no_unmappables(src.len()),
                    (Chunk::Utf8(src), false) => self.max_buffer_length_from_utf8_without_replacement(src.len()),
                    (Chunk::Utf16(src), true) => self.max_buffer_length_from_utf16_if_no_unmappables(src.len()),
                    (Chunk::Utf16(src), false) => self.max_buffer_length_from_utf16_without_replacement(src.len()),
                }
            }

            fn state(&self) -> (&'static str, bool) {
                (self.encoding().name(), self.has_pending_state())
            }
        }
    };
}

side!(drop_in);
side!(encoding_rs);

/// Compares random text, chunks and methods: each call with large destinations, and whole inputs with any destinations.
pub(crate) fn random(report: &mut Report, trio: Trio, seed: u64, rounds: usize) {
    let (pair, texts, rng) = (Pair::of(trio), Texts::new(trio), &mut Rng::with_seed(seed));
    for _ in 0..rounds {
        let (text, units) = (texts.text(rng), texts.units(rng));
        let wide = rng.bool();
        let cuts = chunks(if wide { units.len() } else { text.len() }, rng);
        let floor = |at| (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        let parts: Vec<Chunk<'_>> =
            cuts.into_iter()
                .map(|cut| {
                    if wide { Chunk::Utf16(&units[cut]) } else { Chunk::Utf8(&text[floor(cut.start)..floor(cut.end)]) }
                })
                .collect();
        let fixed = random_for(parts[0], rng);
        let mixed = rng.bool();
        compare_calls(report, pair, &parts, || if mixed { random_for(parts[0], rng) } else { fixed });
        let replaces = rng.bool();
        let their = whole(&mut pair.theirs.new_encoder(), replaces, &parts, rng, Capacities::Ample);
        for capacities in [Capacities::Bound, Capacities::Any] {
            let our = whole(&mut pair.ours.new_encoder(), replaces, &parts, rng, capacities);
            let comparison = report.comparison("drop-in: encoder, whole texts, any destinations");
            comparison.case(pair.name(), || format!("{parts:?}"), &our, &their, || their.clone());
        }
        whole_characters(report, pair, &text, rng);
    }
}

/// Returns a random method for a chunk.
fn random_for(chunk: Chunk<'_>, rng: &mut Rng) -> Method {
    loop {
        let method = Method::random(rng);
        if chunk.fits(method.form) {
            return method;
        }
    }
}

/// Compares every scalar value up to `last` alone: UTF-8 without replacement, UTF-16 with replacement.
pub(crate) fn scalar_values(report: &mut Report, trio: Trio, last: char) {
    let pair = Pair::of(trio);
    for character in '\0'..=last {
        let (utf8, utf16) = (&mut [0; 4], &mut [0; 2]);
        let (utf8, utf16) = (&*character.encode_utf8(utf8), &*character.encode_utf16(utf16));
        compare_calls(report, pair, &[Chunk::Utf8(utf8)], || Method { form: Form::Utf8, replaces: false });
        compare_calls(report, pair, &[Chunk::Utf16(utf16)], || Method { form: Form::Utf16, replaces: true });
    }
}

/// Compares each call of encoding in chunks, into large destinations.
fn compare_calls(report: &mut Report, pair: Pair, parts: &[Chunk<'_>], mut method: impl FnMut() -> Method) {
    let (mut ours, mut theirs) = (pair.ours.new_encoder(), pair.theirs.new_encoder());
    for (n, &part) in parts.iter().enumerate() {
        let (mut rest, last) = (part, n == parts.len() - 1);
        loop {
            let method = method();
            // Enough for an escape sequence and a reference for each unit.
            let capacity = 16 * rest.len() + 32;
            let our = ours.encode(method, rest, capacity, last);
            let their = theirs.encode(method, rest, capacity, last);
            let comparison = report.comparison("drop-in: encoder, every call");
            comparison.case(
                pair.name(),
                || format!("{method:?} {rest:?} of {parts:?}"),
                &our,
                &their,
                || their.clone(),
            );
            if our != their {
                return;
            }
            rest = rest.rest(our.read);
            if our.stop == Stop::InputEmpty {
                break;
            }
        }
        let (our, their) = (ours.state(), theirs.state());
        let comparison = report.comparison("drop-in: encoder, state");
        comparison.case(pair.name(), || format!("after {part:?} of {parts:?}"), &our, &their, || their);
    }
}

/// The result for a whole text: the bytes with a question mark for each reported unmappable character, these characters, and
/// whether a call returned that there were any.
type Whole = (String, Vec<char>, bool);

/// The capacities of destinations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Capacities {
    /// More than enough.
    Ample,
    /// The bound that the encoder returns, which must be sufficient if all characters are mappable.
    Bound,
    /// Random and small: may be 0 or too small for a character.
    Any,
}

/// Encodes a whole text with random methods.
fn whole(side: &mut dyn Side, replaces: bool, parts: &[Chunk<'_>], rng: &mut Rng, capacities: Capacities) -> Whole {
    let (mut bytes, mut errors, mut had_unmappables, mut full) = (Vec::new(), Vec::new(), false, false);
    for (n, &part) in parts.iter().enumerate() {
        let mut rest = part;
        loop {
            let method = Method { replaces, ..random_for(part, rng) };
            let capacity = match capacities {
                Capacities::Ample => 16 * rest.len() + 32,
                Capacities::Bound => side.bound(method, rest).expect("short texts have bounds"),
                Capacities::Any => rng.usize(..24),
            };
            let outcome = side.encode(method, rest, capacity, n == parts.len() - 1);
            full |= outcome.stop == Stop::OutputFull;
            let makes_progress =
                capacity < 18 || outcome.stop != Stop::OutputFull || outcome.read > 0 || !outcome.bytes.is_empty();
            assert!(makes_progress, "no progress: {method:?} {rest:?} into {capacity}");
            rest = rest.rest(outcome.read);
            bytes.extend(outcome.bytes);
            had_unmappables |= outcome.had_unmappables;
            match outcome.stop {
                Stop::InputEmpty => break,
                Stop::Unmappable(character) => {
                    errors.push(character);
                    bytes.push(b'?');
                }
                Stop::OutputFull | Stop::Malformed(..) => {}
            }
        }
    }
    assert!(!full || capacities == Capacities::Any || had_unmappables, "the bound is too small: {parts:?}");
    (hex(&bytes), errors, had_unmappables)
}

/// Checks that each call writes whole characters and references, and that they are the encoding of the text that it read.
fn whole_characters(report: &mut Report, pair: Pair, text: &str, rng: &mut Rng) {
    if pair.theirs == encoding_rs::ISO_2022_JP || text.contains('&') {
        return;
    }
    let (mut encoder, mut rest) = (pair.ours.new_encoder(), text);
    loop {
        let mut dst = vec![0; rng.usize(..24)];
        let (result, read, written, _) = encoder.encode_from_utf8(rest, &mut dst, true);
        let expected = pair.theirs.encode(&rest[..read]).0;
        let comparison = report.comparison("drop-in: encoder, whole characters");
        comparison.case(pair.name(), || format!("{rest:?}"), &&dst[..written], &&*expected, || &*expected);
        rest = &rest[read..];
        if result == drop_in::CoderResult::InputEmpty {
            return;
        }
    }
}
