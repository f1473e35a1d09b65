//! Conversion into fixed buffers, in chunks and destinations of any size. A canary after each destination must stay unchanged.

use std::{
    fmt::{Debug, UpperHex},
    ops::Range,
};

use textcodec::{DecodeError, Decoder, EncodeError, Encoder, Progress, Status};

use crate::Check;

/// The number of units in the canary after a destination.
const CANARY: usize = 16;

/// How an input is cut, and the capacities of the destinations.
#[derive(Clone, Debug, Default, arbitrary::Arbitrary)]
pub(crate) struct Cuts {
    /// The lengths of the chunks, repeated. If there are none, the input is one chunk.
    pub(crate) chunks: Vec<u8>,
    /// The capacities of the destinations, repeated. If there are none, they equal the bound.
    pub(crate) capacities: Vec<u8>,
    /// Whether an empty chunk ends the input.
    pub(crate) empty_end: bool,
}

impl Cuts {
    /// Returns random cuts.
    pub(crate) fn random(rng: &mut fastrand::Rng) -> Self {
        let mut list = |min: u8| {
            let max = [min, 1, 3, 8, 60, 255][rng.usize(..6)].max(min);
            (0..[0, 1, 1, 2, 3, 7][rng.usize(..6)]).map(|_| rng.u8(min..=max)).collect()
        };
        Self { chunks: list(0), capacities: list(0), empty_end: rng.bool() }
    }

    /// Returns cuts that are one step simpler.
    pub(crate) fn simpler(&self) -> Vec<Self> {
        let mut all = vec![];
        if self.empty_end {
            all.push(Self { empty_end: false, ..self.clone() });
        }
        all.extend(crate::shorter(&self.chunks).into_iter().map(|chunks| Self { chunks, ..self.clone() }));
        all.extend(crate::shorter(&self.capacities).into_iter().map(|capacities| Self { capacities, ..self.clone() }));
        all
    }

    /// Returns the chunks of an input. Cuts are moved to positions that `may_cut` allows.
    pub(crate) fn ranges(&self, len: usize, may_cut: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
        let mut ranges = Vec::new();
        let (mut from, mut empty) = (0, 0);
        let mut sizes = self.chunks.iter().cycle();
        while from < len {
            let size = if empty > self.chunks.len() { 1 } else { sizes.next().map_or(len, |&size| size.into()) };
            let mut to = (from + size).min(len);
            while !may_cut(to) {
                to += 1;
            }
            empty = if to == from { empty + 1 } else { 0 };
            ranges.push(from..to);
            from = to;
        }
        if ranges.is_empty() || self.empty_end {
            ranges.push(len..len);
        }
        ranges
    }

    /// Returns a function for the capacity of the next destination. After all capacities were used once, `enough` is next.
    pub(crate) fn capacities(&self, enough: usize) -> impl FnMut(Option<usize>) -> usize {
        let capacities = self.capacities.clone();
        let mut n = 0;
        move |bound| {
            if capacities.is_empty() {
                return bound.unwrap_or(enough);
            }
            n += 1;
            if n % (capacities.len() + 1) == 0 { enough } else { capacities[n % (capacities.len() + 1) - 1].into() }
        }
    }
}

/// A code unit of an output form.
pub(crate) trait Unit: Copy + PartialEq + Debug + UpperHex {
    /// The value of unwritten memory.
    const CANARY: Self;
    /// The minimum capacity with which a decoder always makes progress.
    const MIN_CAPACITY: usize;
    /// Calls the decoder's method for this form.
    fn decode(decoder: &mut Decoder, src: &[u8], dst: &mut [Self], last: bool) -> Progress<DecodeError>;
    /// Returns the decoder's bound.
    fn bound(decoder: &Decoder, bytes: usize) -> Option<usize>;
    /// Converts text to this form.
    fn of(text: &str) -> Vec<Self>;
    /// Converts text from this form, if it is well-formed.
    fn text(units: &[Self]) -> Option<String>;
}

impl Unit for u8 {
    const CANARY: Self = 0xA5;
    const MIN_CAPACITY: usize = Decoder::MIN_UTF8_BUFFER_LEN;

    fn decode(decoder: &mut Decoder, src: &[u8], dst: &mut [Self], last: bool) -> Progress<DecodeError> {
        decoder.decode_to_utf8(src, dst, last)
    }

    fn bound(decoder: &Decoder, bytes: usize) -> Option<usize> {
        decoder.max_utf8_len(bytes)
    }

    fn of(text: &str) -> Vec<Self> {
        text.into()
    }

    fn text(units: &[Self]) -> Option<String> {
        String::from_utf8(units.into()).ok()
    }
}

impl Unit for u16 {
    const CANARY: Self = 0xA5A5;
    const MIN_CAPACITY: usize = Decoder::MIN_UTF16_BUFFER_LEN;

    fn decode(decoder: &mut Decoder, src: &[u8], dst: &mut [Self], last: bool) -> Progress<DecodeError> {
        decoder.decode_to_utf16(src, dst, last)
    }

    fn bound(decoder: &Decoder, bytes: usize) -> Option<usize> {
        decoder.max_utf16_len(bytes)
    }

    fn of(text: &str) -> Vec<Self> {
        text.encode_utf16().collect()
    }

    fn text(units: &[Self]) -> Option<String> {
        String::from_utf16(units).ok()
    }
}

/// Makes one call with a destination of `capacity` units, and appends its output to `out`.
pub(crate) fn call<U: Unit>(
    out: &mut Vec<U>,
    capacity: usize,
    call: impl FnOnce(&mut [U]) -> (usize, usize),
    available: usize,
) -> Check {
    let before = out.len();
    out.resize(before + capacity + CANARY, U::CANARY);
    let (read, written) = call(&mut out[before..before + capacity]);
    ensure!(read <= available, "{read} read of {available}");
    ensure!(written <= capacity, "{written} written with capacity {capacity}");
    ensure!(
        out[before + capacity..].iter().all(|&unit| unit == U::CANARY),
        "written past a destination of capacity {capacity}"
    );
    out.truncate(before + written);
    Ok(())
}

/// Decodes an input. At an error, `on_error` may append to the text and returns whether to continue.
pub(crate) fn decode<U: Unit>(
    decoder: &mut Decoder,
    bytes: &[u8],
    cuts: &Cuts,
    mut on_error: impl FnMut(&DecodeError, &mut Vec<U>) -> bool,
) -> Result<Vec<U>, String> {
    let mut out = Vec::new();
    let mut capacities = cuts.capacities(U::MIN_CAPACITY);
    let ranges = cuts.ranges(bytes.len(), |_| true);
    for (n, range) in ranges.iter().enumerate() {
        let last = n + 1 == ranges.len();
        let mut rest = &bytes[range.clone()];
        loop {
            let bound = U::bound(decoder, rest.len());
            let capacity = capacities(bound);
            let mut progress = None;
            call(
                &mut out,
                capacity,
                |dst| {
                    let made = progress.insert(U::decode(decoder, rest, dst, last));
                    (made.read, made.written)
                },
                rest.len(),
            )?;
            let Some(Progress { read, written, status, .. }) = progress else { unreachable!("the call was made") };
            rest = &rest[read..];
            match status {
                Status::InputEmpty => {
                    ensure!(rest.is_empty(), "InputEmpty with {} bytes left", rest.len());
                    break;
                }
                Status::OutputFull => {
                    ensure!(
                        bound.is_none_or(|bound| capacity < bound),
                        "OutputFull with capacity {capacity}, which is at least the bound"
                    );
                    ensure!(
                        capacity < U::MIN_CAPACITY || read > 0 || written > 0,
                        "no progress with capacity {capacity}"
                    );
                }
                Status::Error(error) => {
                    if !on_error(&error, &mut out) {
                        return Ok(out);
                    }
                }
                other => return Err(format!("an unknown status: {other:?}")),
            }
        }
        same!("position after a chunk", range.end as u64, decoder.position());
    }
    Ok(out)
}

/// Text to encode, in either form.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source<'a> {
    /// UTF-8.
    Utf8(&'a str),
    /// UTF-16.
    Utf16(&'a [u16]),
}

impl Source<'_> {
    /// Returns the number of units.
    pub(crate) fn len(self) -> usize {
        match self {
            Self::Utf8(text) => text.len(),
            Self::Utf16(text) => text.len(),
        }
    }

    /// Returns whether the text may be cut before the unit at `at`.
    pub(crate) fn may_cut(self, at: usize) -> bool {
        match self {
            Self::Utf8(text) => text.is_char_boundary(at),
            Self::Utf16(_) => true,
        }
    }

    /// Returns part of the text.
    pub(crate) fn slice(self, range: Range<usize>) -> Self {
        match self {
            Self::Utf8(text) => Self::Utf8(&text[range]),
            Self::Utf16(text) => Self::Utf16(&text[range]),
        }
    }

    /// Calls the encoder's method for this form.
    pub(crate) fn encode(self, encoder: &mut Encoder, dst: &mut [u8], last: bool) -> Progress<EncodeError> {
        match self {
            Self::Utf8(text) => encoder.encode_from_utf8(text, dst, last),
            Self::Utf16(text) => encoder.encode_from_utf16(text, dst, last),
        }
    }

    /// Returns the encoder's bound.
    pub(crate) fn bound(self, encoder: &Encoder) -> Option<usize> {
        match self {
            Self::Utf8(text) => encoder.max_len_from_utf8(text.len()),
            Self::Utf16(text) => encoder.max_len_from_utf16(text.len()),
        }
    }
}

/// Encodes text: see [`decode`].
pub(crate) fn encode(
    encoder: &mut Encoder,
    text: Source<'_>,
    cuts: &Cuts,
    mut on_error: impl FnMut(&EncodeError, &mut Vec<u8>) -> bool,
) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    let mut capacities = cuts.capacities(1);
    let ranges = cuts.ranges(text.len(), |at| text.may_cut(at));
    for (n, range) in ranges.iter().enumerate() {
        let last = n + 1 == ranges.len();
        let mut rest = text.slice(range.clone());
        loop {
            let bound = rest.bound(encoder);
            let capacity = capacities(bound);
            let mut progress = None;
            call(
                &mut out,
                capacity,
                |dst| {
                    let made = progress.insert(rest.encode(encoder, dst, last));
                    (made.read, made.written)
                },
                rest.len(),
            )?;
            let Some(Progress { read, written, status, .. }) = progress else { unreachable!("the call was made") };
            rest = rest.slice(read..rest.len());
            match status {
                Status::InputEmpty => {
                    same!("units left with InputEmpty", 0, rest.len());
                    break;
                }
                Status::OutputFull => {
                    ensure!(
                        bound.is_none_or(|bound| capacity < bound),
                        "OutputFull with capacity {capacity}, which is at least the bound"
                    );
                    ensure!(capacity == 0 || read > 0 || written > 0, "no progress with capacity {capacity}");
                }
                Status::Error(error) => {
                    if !on_error(&error, &mut out) {
                        return Ok(out);
                    }
                }
                other => return Err(format!("an unknown status: {other:?}")),
            }
        }
        same!("position after a chunk", range.end as u64, encoder.position());
    }
    Ok(out)
}
