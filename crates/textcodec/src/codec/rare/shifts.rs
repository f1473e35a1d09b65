//! What HZ and ISO-2022-KR have in common: shifts between ASCII and the pairs of an index, in seven bits.

use core::marker::PhantomData;

use super::{Bytes, EncodeHandler, EncodeStep};
use crate::{codec::index_code_point, kernel::tables::ToBytes};

/// What bytes mean to a decoder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mode {
    #[default]
    Ascii,
    /// Pairs, directly after the shift to them.
    Empty,
    Pairs,
}

impl Mode {
    /// The mode of a number: `mode as u8`.
    pub(super) fn of(number: u8) -> Self {
        match number {
            0 => Self::Ascii,
            1 => Self::Empty,
            _ => Self::Pairs,
        }
    }

    /// The mode after a byte that is not a shift.
    pub(super) fn after_other(self) -> Self {
        if self == Self::Empty { Self::Pairs } else { self }
    }
}

/// The character of a pair, whose bytes are from 0x21 on. `cells` are those of an index with 190 columns.
pub(super) fn character(cells: &[u16], leading: u8, trailing: u8) -> Option<char> {
    let pointer = (usize::from(leading) + 0x80 - 0x81) * 190 + usize::from(trailing) + 0x80 - 0x41;
    index_code_point(cells, pointer)
}

/// The pair of a character, if its first byte is at most `last`.
pub(super) fn pair(table: &ToBytes, character: char, last: u8) -> Option<[u8; 2]> {
    let pair = table.pair(character.into())?.map(|byte| byte ^ 0x80);
    matches!(pair, [0x21..=0x7E, 0x21..=0x7E]).then_some(pair).filter(|pair| pair[0] <= last)
}

/// An encoding with shifts, for encoders.
pub(crate) trait Shifts {
    /// The shifts to ASCII and to pairs, and their length.
    const SHIFTS: ([[u8; 2]; 2], usize);

    /// The pair of a character.
    fn pair(character: char) -> Option<[u8; 2]>;

    /// The bytes of an ASCII character in ASCII, and their number. `None` if it would shift.
    fn ascii(ascii: u8) -> Option<([u8; 2], usize)>;

    /// See [`Encode::unmappable`](super::Encode::unmappable). The code point is U+FFFD for the bytes of shifts, as in ISO-2022-JP.
    fn unmappable(character: char) -> Option<char> {
        if character.is_ascii() {
            Self::ascii(character as u8).is_none().then_some(char::REPLACEMENT_CHARACTER)
        } else {
            Self::pair(character).is_none().then_some(character)
        }
    }
}

/// Returns to ASCII before an unmappable character.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Encoder<S> {
    is_pairs: bool,
    shifts: PhantomData<S>,
}

impl<S: Shifts> Encoder<S> {
    pub(super) fn new() -> Self {
        Self { is_pairs: false, shifts: PhantomData }
    }

    pub(super) fn selected(&self) -> u8 {
        self.is_pairs.into()
    }

    pub(super) fn select(&mut self, selected: u8) {
        self.is_pairs = selected > 0;
    }

    fn shift(&mut self, is_pairs: bool) -> EncodeStep {
        self.is_pairs = is_pairs;
        let (shifts, len) = S::SHIFTS;
        emit((shifts[usize::from(is_pairs)], len))
    }
}

/// A single byte, in the form of [`Shifts::ascii`].
pub(super) fn one(byte: u8) -> ([u8; 2], usize) {
    ([byte, 0], 1)
}

fn emit(([a, b], len): ([u8; 2], usize)) -> EncodeStep {
    EncodeStep::emit_some([a, b, 0, 0], len)
}

impl<S: Shifts> EncodeHandler for Encoder<S> {
    #[inline(always)]
    fn encode(&mut self, character: char) -> Option<Bytes> {
        let is_pairs = !character.is_ascii();
        let (character, len) = if is_pairs { (S::pair(character)?, 2) } else { S::ascii(character as u8)? };
        let mut bytes = Bytes::default();
        if is_pairs != self.is_pairs {
            self.is_pairs = is_pairs;
            let (shifts, len) = S::SHIFTS;
            bytes = Bytes::new(shifts[usize::from(is_pairs)], len);
        }
        bytes.append(Bytes::new(character, len));
        Some(bytes)
    }

    fn handle(&mut self, item: Option<char>, queue: &mut Option<char>) -> EncodeStep {
        let Some(character) = item else {
            return if self.is_pairs { self.shift(false) } else { EncodeStep::Finished };
        };
        let pair = if character.is_ascii() { None } else { S::pair(character) };
        if pair.is_some() != self.is_pairs {
            *queue = Some(character);
            return self.shift(pair.is_some());
        }
        match (pair, S::unmappable(character)) {
            (Some(pair), _) => EncodeStep::emit(pair),
            (None, Some(code_point)) => EncodeStep::Error(code_point),
            (None, None) => S::ascii(character as u8).map_or(EncodeStep::Error(character), emit),
        }
    }
}
