//! The fixed-buffer level in any chunks, with any room. Behind every destination lie canaries.

use std::{
    fmt::{Debug, UpperHex},
    ops::Range,
};

use textcodec::{
    DecodeError, DecodeProgress, DecodeStatus, Decoder, EncodeError, EncodeProgress, EncodeStatus, Encoder,
};

use crate::Check;

/// Units of canary behind a destination.
const CANARY: usize = 16;

/// How an input is cut, and which rooms its output finds.
#[derive(Clone, Debug, Default, arbitrary::Arbitrary)]
pub(crate) struct Cuts {
    /// The lengths of the chunks, over and over; one chunk where there are none.
    pub(crate) chunks: Vec<u8>,
    /// The sizes of the destinations, over and over; as large as the bound says where there are none.
    pub(crate) rooms: Vec<u8>,
    /// An empty chunk ends the input.
    pub(crate) empty_end: bool,
}

impl Cuts {
    /// Random ones.
    pub(crate) fn random(rng: &mut fastrand::Rng) -> Self {
        let mut list = |least: u8| {
            let most = [least, 1, 3, 8, 60, 255][rng.usize(..6)].max(least);
            (0..[0, 1, 1, 2, 3, 7][rng.usize(..6)]).map(|_| rng.u8(least..=most)).collect()
        };
        Self { chunks: list(0), rooms: list(0), empty_end: rng.bool() }
    }

    /// Simpler ones.
    pub(crate) fn simpler(&self) -> Vec<Self> {
        let mut all = vec![];
        if self.empty_end {
            all.push(Self { empty_end: false, ..self.clone() });
        }
        all.extend(crate::shorter(&self.chunks).into_iter().map(|chunks| Self { chunks, ..self.clone() }));
        all.extend(crate::shorter(&self.rooms).into_iter().map(|rooms| Self { rooms, ..self.clone() }));
        all
    }

    /// The chunks of an input, of which each cut is legal.
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

    /// The sizes of destinations: each time all were used, one that surely is enough comes.
    pub(crate) fn rooms(&self, enough: usize) -> impl FnMut(Option<usize>) -> usize {
        let rooms = self.rooms.clone();
        let mut n = 0;
        move |bound| {
            if rooms.is_empty() {
                return bound.unwrap_or(enough);
            }
            n += 1;
            if n % (rooms.len() + 1) == 0 { enough } else { rooms[n % (rooms.len() + 1) - 1].into() }
        }
    }
}

/// A code unit of an output form.
pub(crate) trait Unit: Copy + PartialEq + Debug + UpperHex {
    /// What lies in memory that is not written.
    const CANARY: Self;
    /// The room with which a decoder always gets on.
    const MIN_ROOM: usize;
    /// The decoder's method.
    fn decode(decoder: &mut Decoder, src: &[u8], dst: &mut [Self], last: bool) -> DecodeProgress;
    /// The decoder's bound.
    fn bound(decoder: &Decoder, bytes: usize) -> Option<usize>;
    /// A text in this form.
    fn of(text: &str) -> Vec<Self>;
    /// The text of units, where they are well-formed.
    fn text(units: &[Self]) -> Option<String>;
}

impl Unit for u8 {
    const CANARY: Self = 0xA5;
    const MIN_ROOM: usize = Decoder::MIN_UTF8_LEN;

    fn decode(decoder: &mut Decoder, src: &[u8], dst: &mut [Self], last: bool) -> DecodeProgress {
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
    const MIN_ROOM: usize = Decoder::MIN_UTF16_LEN;

    fn decode(decoder: &mut Decoder, src: &[u8], dst: &mut [Self], last: bool) -> DecodeProgress {
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

/// One call into a destination of `room` units, appended to `out`.
pub(crate) fn call<U: Unit>(
    out: &mut Vec<U>,
    room: usize,
    call: impl FnOnce(&mut [U]) -> (usize, usize),
    available: usize,
) -> Check {
    let before = out.len();
    out.resize(before + room + CANARY, U::CANARY);
    let (read, written) = call(&mut out[before..before + room]);
    ensure!(read <= available, "{read} read of {available}");
    ensure!(written <= room, "{written} written, with room for {room}");
    ensure!(out[before + room..].iter().all(|&unit| unit == U::CANARY), "written past the destination of {room}");
    out.truncate(before + written);
    Ok(())
}

/// Decodes an input. At an error, `on_error` may append to the text, and says whether to go on.
pub(crate) fn decode<U: Unit>(
    decoder: &mut Decoder,
    bytes: &[u8],
    cuts: &Cuts,
    mut on_error: impl FnMut(&DecodeError, &mut Vec<U>) -> bool,
) -> Result<Vec<U>, String> {
    let mut out = Vec::new();
    let mut rooms = cuts.rooms(U::MIN_ROOM);
    let ranges = cuts.ranges(bytes.len(), |_| true);
    for (n, range) in ranges.iter().enumerate() {
        let last = n + 1 == ranges.len();
        let mut rest = &bytes[range.clone()];
        loop {
            let bound = U::bound(decoder, rest.len());
            let room = rooms(bound);
            let mut progress = None;
            call(
                &mut out,
                room,
                |dst| {
                    let made = progress.insert(U::decode(decoder, rest, dst, last));
                    (made.read, made.written)
                },
                rest.len(),
            )?;
            let Some(DecodeProgress { read, written, status }) = progress else { unreachable!("the call was made") };
            rest = &rest[read..];
            match status {
                DecodeStatus::InputEmpty => {
                    ensure!(rest.is_empty(), "InputEmpty with {} bytes left", rest.len());
                    break;
                }
                DecodeStatus::OutputFull => {
                    ensure!(bound.is_none_or(|bound| room < bound), "OutputFull with room for {room}, the bound");
                    ensure!(room < U::MIN_ROOM || read > 0 || written > 0, "no progress with room for {room}");
                }
                DecodeStatus::Malformed(error) => {
                    if !on_error(&error, &mut out) {
                        return Ok(out);
                    }
                }
            }
        }
        same!("position after a chunk", range.end as u64, decoder.position());
    }
    Ok(out)
}

/// A text to encode.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source<'a> {
    /// UTF-8.
    Utf8(&'a str),
    /// UTF-16.
    Utf16(&'a [u16]),
}

impl Source<'_> {
    /// How many units there are.
    pub(crate) fn len(self) -> usize {
        match self {
            Self::Utf8(text) => text.len(),
            Self::Utf16(text) => text.len(),
        }
    }

    /// Whether it may be cut at a unit.
    pub(crate) fn may_cut(self, at: usize) -> bool {
        match self {
            Self::Utf8(text) => text.is_char_boundary(at),
            Self::Utf16(_) => true,
        }
    }

    /// A part of it.
    pub(crate) fn slice(self, range: Range<usize>) -> Self {
        match self {
            Self::Utf8(text) => Self::Utf8(&text[range]),
            Self::Utf16(text) => Self::Utf16(&text[range]),
        }
    }

    /// The encoder's method.
    pub(crate) fn encode(self, encoder: &mut Encoder, dst: &mut [u8], last: bool) -> EncodeProgress {
        match self {
            Self::Utf8(text) => encoder.encode_from_utf8(text, dst, last),
            Self::Utf16(text) => encoder.encode_from_utf16(text, dst, last),
        }
    }

    /// The encoder's bound.
    pub(crate) fn bound(self, encoder: &Encoder) -> Option<usize> {
        match self {
            Self::Utf8(text) => encoder.max_len_from_utf8(text.len()),
            Self::Utf16(text) => encoder.max_len_from_utf16(text.len()),
        }
    }
}

/// Encodes a text; see [`decode`].
pub(crate) fn encode(
    encoder: &mut Encoder,
    text: Source<'_>,
    cuts: &Cuts,
    mut on_error: impl FnMut(&EncodeError, &mut Vec<u8>) -> bool,
) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    let mut rooms = cuts.rooms(1);
    let ranges = cuts.ranges(text.len(), |at| text.may_cut(at));
    for (n, range) in ranges.iter().enumerate() {
        let last = n + 1 == ranges.len();
        let mut rest = text.slice(range.clone());
        loop {
            let bound = rest.bound(encoder);
            let room = rooms(bound);
            let mut progress = None;
            call(
                &mut out,
                room,
                |dst| {
                    let made = progress.insert(rest.encode(encoder, dst, last));
                    (made.read, made.written)
                },
                rest.len(),
            )?;
            let Some(EncodeProgress { read, written, status }) = progress else { unreachable!("the call was made") };
            rest = rest.slice(read..rest.len());
            match status {
                EncodeStatus::InputEmpty => {
                    same!("units left with InputEmpty", 0, rest.len());
                    break;
                }
                EncodeStatus::OutputFull => {
                    ensure!(bound.is_none_or(|bound| room < bound), "OutputFull with room for {room}, the bound");
                    ensure!(room == 0 || read > 0 || written > 0, "no progress with room for {room}");
                }
                EncodeStatus::Unmappable(error) => {
                    if !on_error(&error, &mut out) {
                        return Ok(out);
                    }
                }
            }
        }
        same!("position after a chunk", range.end as u64, encoder.position());
    }
    Ok(out)
}
