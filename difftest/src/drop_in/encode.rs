//! Encoders: every method, any chunks and rooms.

use fastrand::Rng;

use super::{Pair, Stop};
use crate::{
    report::Report,
    texts::{Texts, chunks},
    trio::{Trio, hex},
};

/// A way to encode a chunk.
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

/// What a call gave.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Outcome {
    stop: Stop,
    read: usize,
    bytes: Vec<u8>,
    had_unmappables: bool,
}

/// A chunk in both forms.
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

    /// UTF-16 that has no half pairs is UTF-8, too.
    fn fits(self, form: Form) -> bool {
        matches!(self, Self::Utf16(_)) == (form == Form::Utf16)
    }
}

/// An encoder of one of the two.
trait Side {
    fn encode(&mut self, method: Method, src: Chunk<'_>, room: usize, last: bool) -> Outcome;
    fn bound(&self, method: Method, src: Chunk<'_>) -> Option<usize>;
    fn state(&self) -> (&'static str, bool);
}

/// The two crates have the same names for different types.
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
            fn encode(&mut self, method: Method, src: Chunk<'_>, room: usize, last: bool) -> Outcome {
                let mut dst = vec![0xAA; room];
                let (stop, read, bytes, had_unmappables): (Stop, _, _, _) = match (src, method.form, method.replaces) {
                    (Chunk::Utf8(src), Form::Vec, true) => {
                        let mut dst = Vec::with_capacity(room);
                        let (result, read, had_unmappables) = self.encode_from_utf8_to_vec(src, &mut dst, last);
                        assert_eq!(dst.capacity(), room, "a Vec must not grow");
                        (result.into(), read, dst, had_unmappables)
                    }
                    (Chunk::Utf8(src), Form::Vec, false) => {
                        let mut dst = Vec::with_capacity(room);
                        let (result, read) = self.encode_from_utf8_to_vec_without_replacement(src, &mut dst, last);
                        assert_eq!(dst.capacity(), room, "a Vec must not grow");
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

/// Random texts, chunks and methods: in step with room to spare, and as a whole with any room.
pub(crate) fn random(report: &mut Report, trio: Trio, seed: u64) {
    let (pair, texts, rng) = (Pair::of(trio), Texts::new(trio), &mut Rng::with_seed(seed));
    for _ in 0..6000 {
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
        in_step(report, pair, &parts, || if mixed { random_for(parts[0], rng) } else { fixed });
        let replaces = rng.bool();
        let their = whole(&mut pair.theirs.new_encoder(), replaces, &parts, rng, Rooms::Ample);
        for rooms in [Rooms::Bound, Rooms::Any] {
            let our = whole(&mut pair.ours.new_encoder(), replaces, &parts, rng, rooms);
            let comparison = report.comparison("drop-in: encoder, whole texts in any room");
            comparison.case(pair.name(), || format!("{parts:?}"), &our, &their, || their.clone());
        }
        together(report, pair, &text, rng);
    }
}

/// A method for chunks of this form.
fn random_for(chunk: Chunk<'_>, rng: &mut Rng) -> Method {
    loop {
        let method = Method::random(rng);
        if chunk.fits(method.form) {
            return method;
        }
    }
}

/// Every scalar value alone, without replacement.
pub(crate) fn every_scalar_value(report: &mut Report, trio: Trio) {
    let pair = Pair::of(trio);
    for character in '\0'..=char::MAX {
        let (utf8, utf16) = (&mut [0; 4], &mut [0; 2]);
        let (utf8, utf16) = (&*character.encode_utf8(utf8), &*character.encode_utf16(utf16));
        in_step(report, pair, &[Chunk::Utf8(utf8)], || Method { form: Form::Utf8, replaces: false });
        in_step(report, pair, &[Chunk::Utf16(utf16)], || Method { form: Form::Utf16, replaces: true });
    }
}

/// All calls of one text in chunks with room to spare.
fn in_step(report: &mut Report, pair: Pair, parts: &[Chunk<'_>], mut method: impl FnMut() -> Method) {
    let (mut ours, mut theirs) = (pair.ours.new_encoder(), pair.theirs.new_encoder());
    for (n, &part) in parts.iter().enumerate() {
        let (mut rest, last) = (part, n == parts.len() - 1);
        loop {
            let method = method();
            // A reference for each unit, behind an escape sequence.
            let room = 16 * rest.len() + 32;
            let our = ours.encode(method, rest, room, last);
            let their = theirs.encode(method, rest, room, last);
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
        comparison.case(pair.name(), || format!("behind {part:?} of {parts:?}"), &our, &their, || their);
    }
}

/// A whole text: its bytes with a question mark for what is unmappable, what that was, whether it was said that something is.
type Whole = (String, Vec<char>, bool);

/// What destinations there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rooms {
    /// Larger than anything.
    Ample,
    /// As the side itself says, which must be enough where all is mappable.
    Bound,
    /// Any, none included, and too small for a character.
    Any,
}

/// Encodes by a method of any form in each call.
fn whole(side: &mut dyn Side, replaces: bool, parts: &[Chunk<'_>], rng: &mut Rng, rooms: Rooms) -> Whole {
    let (mut bytes, mut errors, mut had_unmappables, mut full) = (Vec::new(), Vec::new(), false, false);
    for (n, &part) in parts.iter().enumerate() {
        let mut rest = part;
        loop {
            let method = Method { replaces, ..random_for(part, rng) };
            let room = match rooms {
                Rooms::Ample => 16 * rest.len() + 32,
                Rooms::Bound => side.bound(method, rest).expect("short texts have bounds"),
                Rooms::Any => rng.usize(..24),
            };
            let outcome = side.encode(method, rest, room, n == parts.len() - 1);
            full |= outcome.stop == Stop::OutputFull;
            let gets_on =
                room < 18 || outcome.stop != Stop::OutputFull || outcome.read > 0 || !outcome.bytes.is_empty();
            assert!(gets_on, "{method:?} {rest:?} in {room}");
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
    assert!(!full || rooms == Rooms::Any || had_unmappables, "the bound is too small: {parts:?}");
    (hex(&bytes), errors, had_unmappables)
}

/// In any room, each call's bytes are whole characters and whole references, and what is read is what they stand for.
fn together(report: &mut Report, pair: Pair, text: &str, rng: &mut Rng) {
    if pair.theirs == encoding_rs::ISO_2022_JP || text.contains('&') {
        return;
    }
    let (mut encoder, mut rest) = (pair.ours.new_encoder(), text);
    loop {
        let mut dst = vec![0; rng.usize(..24)];
        let (result, read, written, _) = encoder.encode_from_utf8(rest, &mut dst, true);
        let expected = pair.theirs.encode(&rest[..read]).0;
        let comparison = report.comparison("drop-in: encoder, characters stay together");
        comparison.case(pair.name(), || format!("{rest:?}"), &&dst[..written], &&*expected, || &*expected);
        rest = &rest[read..];
        if result == drop_in::CoderResult::InputEmpty {
            return;
        }
    }
}
