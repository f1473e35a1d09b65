//! Decoders: every method, every policy for byte order marks, any chunks and destinations.

use std::panic::{AssertUnwindSafe, catch_unwind};

use fastrand::Rng;

use super::{Pair, Stop};
use crate::{
    report::Report,
    texts::{Texts, chunks},
    trio::{Trio, hex},
};

/// A method that decodes a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Method {
    form: Form,
    replaces: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Utf8,
    Str,
    String,
    Utf16,
}

impl Method {
    fn random(rng: &mut Rng) -> Self {
        let form = [Form::Utf8, Form::Str, Form::String, Form::Utf16][rng.usize(..4)];
        Self { form, replaces: rng.bool() }
    }

    /// The minimum capacity with which every decoder makes progress.
    fn min_capacity(self) -> usize {
        if self.form == Form::Utf16 { 2 } else { 4 }
    }
}

/// The result of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Outcome {
    stop: Stop,
    read: usize,
    text: Vec<u16>,
    had_errors: bool,
}

/// A decoder of either crate.
trait Side {
    fn decode(&mut self, method: Method, src: &[u8], capacity: usize, last: bool) -> Outcome;
    fn bound(&self, method: Method, bytes: usize) -> Option<usize>;
    fn name(&self) -> &'static str;
    fn latin1(&self, bytes: &[u8]) -> Option<usize>;
}

/// Converts UTF-8 to UTF-16, to compare text of both forms. Each call must write whole characters.
fn units(utf8: &[u8]) -> Vec<u16> {
    std::str::from_utf8(utf8).expect("whole characters").encode_utf16().collect()
}

/// Implements [`Side`] for a crate. Both crates have the same names for different types.
macro_rules! side {
    ($of:ident) => {
        impl From<$of::CoderResult> for Stop {
            fn from(result: $of::CoderResult) -> Self {
                match result {
                    $of::CoderResult::InputEmpty => Self::InputEmpty,
                    $of::CoderResult::OutputFull => Self::OutputFull,
                }
            }
        }

        impl From<$of::DecoderResult> for Stop {
            fn from(result: $of::DecoderResult) -> Self {
                match result {
                    $of::DecoderResult::InputEmpty => Self::InputEmpty,
                    $of::DecoderResult::OutputFull => Self::OutputFull,
                    $of::DecoderResult::Malformed(len, read_after) => Self::Malformed(len, read_after),
                }
            }
        }

        impl Side for $of::Decoder {
            fn decode(&mut self, method: Method, src: &[u8], capacity: usize, last: bool) -> Outcome {
                let (stop, read, text, had_errors): (Stop, _, _, _) = match (method.form, method.replaces) {
                    (Form::Utf8, true) => {
                        let mut dst = vec![b'.'; capacity];
                        let (result, read, written, had_errors) = self.decode_to_utf8(src, &mut dst, last);
                        (result.into(), read, units(&dst[..written]), had_errors)
                    }
                    (Form::Utf8, false) => {
                        let mut dst = vec![b'.'; capacity];
                        let (result, read, written) = self.decode_to_utf8_without_replacement(src, &mut dst, last);
                        (result.into(), read, units(&dst[..written]), false)
                    }
                    (Form::Str, true) => {
                        let mut dst: String = "😀".chars().cycle().take(capacity / 4).collect();
                        dst.push_str(&"x".repeat(capacity % 4));
                        let (result, read, written, had_errors) = self.decode_to_str(src, &mut dst, last);
                        units(dst.as_bytes());
                        (result.into(), read, units(&dst.as_bytes()[..written]), had_errors)
                    }
                    (Form::Str, false) => {
                        let mut dst: String = "😀".chars().cycle().take(capacity / 4).collect();
                        dst.push_str(&"x".repeat(capacity % 4));
                        let (result, read, written) = self.decode_to_str_without_replacement(src, &mut dst, last);
                        units(dst.as_bytes());
                        (result.into(), read, units(&dst.as_bytes()[..written]), false)
                    }
                    (Form::String, true) => {
                        let mut dst = String::with_capacity(capacity);
                        let before = dst.capacity();
                        let (result, read, had_errors) = self.decode_to_string(src, &mut dst, last);
                        assert_eq!(dst.capacity(), before, "a String must not grow");
                        (result.into(), read, units(dst.as_bytes()), had_errors)
                    }
                    (Form::String, false) => {
                        let mut dst = String::with_capacity(capacity);
                        let before = dst.capacity();
                        let (result, read) = self.decode_to_string_without_replacement(src, &mut dst, last);
                        assert_eq!(dst.capacity(), before, "a String must not grow");
                        (result.into(), read, units(dst.as_bytes()), false)
                    }
                    (Form::Utf16, true) => {
                        let mut dst = vec![0; capacity];
                        let (result, read, written, had_errors) = self.decode_to_utf16(src, &mut dst, last);
                        dst.truncate(written);
                        (result.into(), read, dst, had_errors)
                    }
                    (Form::Utf16, false) => {
                        let mut dst = vec![0; capacity];
                        let (result, read, written) = self.decode_to_utf16_without_replacement(src, &mut dst, last);
                        dst.truncate(written);
                        (result.into(), read, dst, false)
                    }
                };
                Outcome { stop, read, text, had_errors }
            }

            fn bound(&self, method: Method, bytes: usize) -> Option<usize> {
                match method {
                    Method { form: Form::Utf16, .. } => self.max_utf16_buffer_length(bytes),
                    Method { replaces: true, .. } => self.max_utf8_buffer_length(bytes),
                    Method { replaces: false, .. } => self.max_utf8_buffer_length_without_replacement(bytes),
                }
            }

            fn name(&self) -> &'static str {
                self.encoding().name()
            }

            fn latin1(&self, bytes: &[u8]) -> Option<usize> {
                self.latin1_byte_compatible_up_to(bytes)
            }
        }
    };
}

side!(drop_in);
side!(encoding_rs);

/// A policy for byte order marks.
#[derive(Clone, Copy, Debug)]
enum Bom {
    Sniff,
    Removal,
    Off,
}

const BOMS: [Bom; 3] = [Bom::Sniff, Bom::Removal, Bom::Off];

impl Bom {
    fn ours(self, pair: Pair) -> drop_in::Decoder {
        match self {
            Self::Sniff => pair.ours.new_decoder(),
            Self::Removal => pair.ours.new_decoder_with_bom_removal(),
            Self::Off => pair.ours.new_decoder_without_bom_handling(),
        }
    }

    fn theirs(self, pair: Pair) -> encoding_rs::Decoder {
        match self {
            Self::Sniff => pair.theirs.new_decoder(),
            Self::Removal => pair.theirs.new_decoder_with_bom_removal(),
            Self::Off => pair.theirs.new_decoder_without_bom_handling(),
        }
    }
}

/// Compares each call of decoding an input in chunks, into large destinations.
fn compare_calls(report: &mut Report, pair: Pair, bom: Bom, parts: &[&[u8]], mut method: impl FnMut() -> Method) {
    let (mut ours, mut theirs) = (bom.ours(pair), bom.theirs(pair));
    for (n, part) in parts.iter().enumerate() {
        let (mut rest, last) = (*part, n == parts.len() - 1);
        loop {
            let method = method();
            // Calls would differ with different destinations, so both sides use the larger bound.
            let bounds = (ours.bound(method, rest.len()), theirs.bound(method, rest.len()));
            let (Some(our_bound), Some(their_bound)) = bounds else { panic!("short inputs have bounds") };
            let capacity = our_bound.max(their_bound) + method.min_capacity();
            let our = ours.decode(method, rest, capacity, last);
            let their = theirs.decode(method, rest, capacity, last);
            let input = || format!("{bom:?} {method:?} {} of {}", hex(rest), hex(&parts.concat()));
            let comparison = report.comparison("drop-in: decoder, every call");
            let expected = if is_split_incomplete_mark(bom, &parts[..n], &our, &their) { &our } else { &their };
            comparison.case(pair.name(), input, &our, &their, || expected.clone());
            if our != *expected {
                return;
            }
            rest = &rest[our.read..];
            if our.stop == Stop::InputEmpty {
                break;
            }
        }
        if !last {
            let state = |side: &dyn Side| (side.name(), side.latin1(b"ab\x80\xA0\xE9\xFF\x1B\xE9"));
            let (our, their) = (state(&ours), state(&theirs));
            let input = || format!("{bom:?} after {} of {}", hex(parts[n]), hex(&parts.concat()));
            report.comparison("drop-in: decoder, state").case(pair.name(), input, &our, &their, || their);
        }
    }
}

/// Returns whether this is an accepted difference: EF and BB were in earlier chunks, and they do not start a byte order mark.
/// EF is malformed, and encoding_rs does not count BB as a byte that was read after it.
fn is_split_incomplete_mark(bom: Bom, before: &[&[u8]], our: &Outcome, their: &Outcome) -> bool {
    let first = our.stop == Stop::Malformed(1, 1) && their.stop == Stop::Malformed(1, 0);
    !matches!(bom, Bom::Off)
        && first
        && before.concat() == b"\xEF\xBB"
        && Outcome { stop: their.stop, ..our.clone() } == *their
}

/// Compares all inputs of `len` bytes, whole and cut at each position.
pub(crate) fn exhaustive(report: &mut Report, trio: Trio, len: u32) {
    let pair = Pair::of(trio);
    for number in 0..1_u32 << (8 * len) {
        let bytes = &number.to_be_bytes()[4 - len as usize..];
        let bom = BOMS[number as usize % 3];
        let form = if number % 2 == 0 { Form::Utf8 } else { Form::Utf16 };
        for cut in 0..=bytes.len() {
            let (first, second) = bytes.split_at(cut);
            compare_calls(report, pair, bom, &[first, second, b"a"], || Method { form, replaces: false });
        }
    }
}

/// Compares all combinations of four bytes of escape sequences, lead bytes and trail bytes, cut at each position.
pub(crate) fn combinations(report: &mut Report, trio: Trio) {
    const BYTES: &[u8] = b"\x1B$B(J!\x81\x30\x8E\x8F\xA1\xE3\xEF\xBB\xBF\xFE\xFF\xD8\xDC";
    let pair = Pair::of(trio);
    let mut input = [0; 4];
    for number in 0..BYTES.len().pow(4) {
        let mut rest = number;
        for byte in &mut input {
            *byte = BYTES[rest % BYTES.len()];
            rest /= BYTES.len();
        }
        for cut in 0..4 {
            let (first, second) = input.split_at(cut);
            let method = Method { form: Form::Utf8, replaces: false };
            compare_calls(report, pair, BOMS[number % 3], &[first, second], || method);
        }
    }
}

/// Compares random inputs, chunks and methods: each call with large destinations, and whole inputs with any destinations.
pub(crate) fn random(report: &mut Report, trio: Trio, seed: u64, rounds: usize) {
    let (pair, texts, rng) = (Pair::of(trio), Texts::new(trio), &mut Rng::with_seed(seed));
    for _ in 0..rounds {
        let bytes = texts.bytes(rng);
        let cuts = chunks(bytes.len(), rng);
        let parts: Vec<&[u8]> = cuts.iter().map(|cut| &bytes[cut.clone()]).collect();
        let bom = BOMS[rng.usize(..3)];
        if rng.bool() {
            compare_calls(report, pair, bom, &parts, || Method::random(rng));
        } else {
            let method = Method::random(rng);
            compare_calls(report, pair, bom, &parts, || method);
        }
        let replaces = rng.bool();
        let their = whole(&mut bom.theirs(pair), replaces, &parts, rng, Capacities::Ample);
        for capacities in [Capacities::Bound, Capacities::Any] {
            let our = whole(&mut bom.ours(pair), replaces, &parts, rng, capacities);
            let input = || format!("{bom:?} {}", parts.iter().map(|part| hex(part)).collect::<Vec<_>>().join(" | "));
            let comparison = report.comparison("drop-in: decoder, whole inputs, any destinations");
            comparison.case(pair.name(), input, &our, &their, || their.clone());
        }
    }
}

/// The result for a whole input: the text with U+FFFD for malformed sequences, the offset and length of each malformed
/// sequence, and whether a call returned that there were errors.
type Whole = (Vec<u16>, Vec<(usize, u8)>, bool);

/// The capacities of destinations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Capacities {
    /// More than enough.
    Ample,
    /// The bound that the decoder returns, which must be sufficient.
    Bound,
    /// Random and small: may be 0 or too small for a character.
    Any,
}

/// Decodes a whole input with random methods.
fn whole(side: &mut dyn Side, replaces: bool, parts: &[&[u8]], rng: &mut Rng, capacities: Capacities) -> Whole {
    let (mut text, mut errors, mut had_errors, mut offset) = (Vec::new(), Vec::new(), false, 0);
    for (n, part) in parts.iter().enumerate() {
        let mut rest = *part;
        loop {
            let method = Method { replaces, ..Method::random(rng) };
            let capacity = match capacities {
                Capacities::Ample => 4 * rest.len() + 32,
                Capacities::Bound => side.bound(method, rest.len()).expect("short inputs have bounds"),
                Capacities::Any => rng.usize(..12),
            };
            let outcome = side.decode(method, rest, capacity, n == parts.len() - 1);
            let is_sufficient = capacities != Capacities::Any;
            assert!(!is_sufficient || outcome.stop != Stop::OutputFull, "{method:?} {} into {capacity}", hex(rest));
            let makes_progress =
                capacity < 4 || outcome.stop != Stop::OutputFull || outcome.read > 0 || !outcome.text.is_empty();
            assert!(makes_progress, "no progress: {method:?} {} into {capacity}", hex(rest));
            rest = &rest[outcome.read..];
            offset += outcome.read;
            text.extend(outcome.text);
            had_errors |= outcome.had_errors;
            match outcome.stop {
                Stop::InputEmpty => break,
                Stop::Malformed(len, read_after) => {
                    errors.push((offset - usize::from(read_after) - usize::from(len), len));
                    text.push(0xFFFD);
                }
                Stop::OutputFull | Stop::Unmappable(_) => {}
            }
        }
    }
    (text, errors, had_errors)
}

/// Returns whether a call panics, for each side.
fn panics(sides: &mut [&mut dyn Side; 2], call: impl Fn(&mut dyn Side)) -> [bool; 2] {
    sides.each_mut().map(|side| catch_unwind(AssertUnwindSafe(|| call(*side))).is_err())
}

/// Checks that every method panics after the end of the input, on both sides.
pub(crate) fn after_the_end(report: &mut Report, trio: Trio) {
    let pair = Pair::of(trio);
    let (mut ours, mut theirs) = (pair.ours.new_decoder(), pair.theirs.new_decoder());
    let method = Method { form: Form::Utf8, replaces: true };
    assert_eq!(ours.decode(method, b"a", 16, true).stop, Stop::InputEmpty);
    assert_eq!(theirs.decode(method, b"a", 16, true).stop, Stop::InputEmpty);
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let sides = &mut [&mut ours as &mut dyn Side, &mut theirs];
    let mut results = Vec::new();
    for form in [Form::Utf8, Form::Str, Form::String, Form::Utf16] {
        for replaces in [false, true] {
            let method = Method { form, replaces };
            results.push(panics(sides, |side| drop(side.decode(method, b"a", 16, true))));
            results.push(panics(sides, |side| _ = side.bound(method, 1)));
        }
    }
    results.push(panics(sides, |side| _ = side.latin1(b"a")));
    std::panic::set_hook(hook);
    for [ours, theirs] in results {
        let comparison = report.comparison("drop-in: decoder, after the end");
        comparison.case(pair.name(), String::new, &ours, &theirs, || theirs);
    }
}
