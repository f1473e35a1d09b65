//! JOHAB: annex 3 of KS X 1001, code page 1361.
//!
//! The 15 lower bits of a pair from 0x84 to 0xD3 are three numbers of five bits: the initial consonant, the vowel, and the final
//! consonant. A syllable has the first two; a lone letter has fill codes in place of the others. All other characters of KS X
//! 1001 are in pairs of rows, by arithmetic on index EUC-KR. Fill codes in all three places are U+3000. The 51 letters of row 0x24
//! are only available as numbers, as in Python and glibc. A byte of ASCII is ASCII: 0x5C is a backslash, as in Python and
//! Windows, not a won sign as in glibc.
//!
//! A pair without a character is malformed: both bytes, or only the first one if the second is ASCII, which is decoded again. So
//! are single bytes from 0x80 on that start no pair.

use alloc::vec::Vec;
use core::{array, mem::take};

use super::{Bytes, EncodeHandler, EncodeStep, Handler, Replay, Step};
use crate::{
    codec::{index_code_point, items::Items, sink::Unit},
    conversion::DecodeReason,
    index,
    kernel::tables::{Pairs, Stages, ToBytes},
    once::OnceRef,
};

/// The letters of the initial and the final consonants, as offsets from U+3130.
const INITIALS: [u8; 19] =
    [0x01, 0x02, 0x04, 0x07, 0x08, 0x09, 0x11, 0x12, 0x13, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1A, 0x1B, 0x1C, 0x1D, 0x1E];
const FINALS: [u8; 27] = [
    0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x11, 0x12, 0x14, 0x15,
    0x16, 0x17, 0x18, 0x1A, 0x1B, 0x1C, 0x1D, 0x1E,
];
/// The offset of the first vowel. They are in order.
const FIRST_VOWEL: u32 = 0x1F;

/// The meaning of a number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Fill,
    Letter(u32),
}

fn initial(number: u32) -> Option<Part> {
    match number {
        1 => Some(Part::Fill),
        2..=20 => Some(Part::Letter(number - 2)),
        _ => None,
    }
}

fn vowel(number: u32) -> Option<Part> {
    match number {
        2 => Some(Part::Fill),
        3..=7 => Some(Part::Letter(number - 3)),
        10..=15 => Some(Part::Letter(number - 5)),
        18..=23 => Some(Part::Letter(number - 7)),
        26..=29 => Some(Part::Letter(number - 9)),
        _ => None,
    }
}

fn final_consonant(number: u32) -> Option<Part> {
    match number {
        1 => Some(Part::Fill),
        2..=17 => Some(Part::Letter(number - 2)),
        19..=29 => Some(Part::Letter(number - 3)),
        _ => None,
    }
}

/// The number of a vowel.
fn vowel_number(letter: u32) -> u32 {
    letter + [3, 5, 7, 9][usize::from(letter >= 5) + usize::from(letter >= 11) + usize::from(letter >= 17)]
}

/// The number of a final consonant.
fn final_number(letter: u32) -> u32 {
    letter + if letter < 16 { 2 } else { 3 }
}

/// The character of a pair from 0x84 to 0xD3.
fn hangul(leading: u8, byte: u8) -> Option<u32> {
    let bits = u32::from(leading) << 8 | u32::from(byte);
    let parts = (initial(bits >> 10 & 31)?, vowel(bits >> 5 & 31)?, final_consonant(bits & 31)?);
    let letter = |offsets: &[u8], at: u32| Some(0x3130 + u32::from(*offsets.get(at as usize)?));
    match parts {
        (Part::Letter(initial), Part::Letter(vowel), Part::Fill) => Some(0xAC00 + (initial * 21 + vowel) * 28),
        (Part::Letter(initial), Part::Letter(vowel), Part::Letter(last)) => {
            Some(0xAC00 + (initial * 21 + vowel) * 28 + last + 1)
        }
        (Part::Letter(initial), Part::Fill, Part::Fill) => letter(&INITIALS, initial),
        (Part::Fill, Part::Letter(vowel), Part::Fill) => Some(0x3130 + FIRST_VOWEL + vowel),
        (Part::Fill, Part::Fill, Part::Letter(last)) => letter(&FINALS, last),
        (Part::Fill, Part::Fill, Part::Fill) => Some(0x3000),
        _ => None,
    }
}

/// The character of a pair.
fn pair(leading: u8, byte: u8) -> Option<char> {
    let first_row = match leading {
        0x84..=0xD3 => return char::from_u32(hangul(leading, byte)?),
        0xD9..=0xDE => 0x21 + 2 * (leading - 0xD9),
        0xE0..=0xF9 => 0x4A + 2 * (leading - 0xE0),
        _ => return None,
    };
    let cell = match byte {
        0x31..=0x7E => byte - 0x31,
        0x91..=0xFE => byte - 0x43,
        _ => return None,
    };
    let (row, column) = (first_row + cell / 94, 0x21 + cell % 94);
    // The letters.
    if row == 0x24 && column <= 0x53 {
        return None;
    }
    let pointer = (usize::from(row) + 0x80 - 0x81) * 190 + usize::from(column) + 0x80 - 0x41;
    index_code_point(&index::EUC_KR, pointer)
}

/// The pair of a character.
fn encode_pair(character: char) -> Option<[u8; 2]> {
    let numbers = |initial: u32, vowel: u32, last: u32| (0x8000 | initial << 10 | vowel << 5 | last) as u16;
    let code_point = u32::from(character);
    let bits = match character {
        '가'..='힣' => {
            let syllable = code_point - 0xAC00;
            let last = match syllable % 28 {
                0 => 1,
                last => final_number(last - 1),
            };
            numbers(syllable / 588 + 2, vowel_number(syllable / 28 % 21), last)
        }
        'ㄱ'..='ㅣ' => {
            let offset = code_point - 0x3130;
            let place = |offsets: &[u8]| offsets.iter().position(|&other| u32::from(other) == offset);
            match (offset.checked_sub(FIRST_VOWEL), place(&INITIALS), place(&FINALS)) {
                (Some(vowel), ..) => numbers(1, vowel_number(vowel), 1),
                (None, Some(initial), _) => numbers(initial as u32 + 2, 2, 1),
                (None, None, Some(last)) => numbers(1, 2, final_number(last as u32)),
                (None, None, None) => return None,
            }
        }
        _ => {
            let [row, column] = index::encode::EUC_KR.pair(code_point)?;
            let (first, leading, row) = match row {
                0xA1..=0xAC => (0xD9, (row - 0xA1) / 2, (row - 0xA1) % 2),
                0xCA..=0xFD => (0xE0, (row - 0xCA) / 2, (row - 0xCA) % 2),
                _ => return None,
            };
            let cell = column.checked_sub(0xA1)? + 94 * row;
            let byte = if cell < 0x4E { 0x31 + cell } else { 0x43 + cell };
            return Some([first + leading, byte]);
        }
    };
    Some(bits.to_be_bytes())
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Decoder {
    leading: u8,
}

impl Handler for Decoder {
    fn handle(&mut self, byte: Option<u8>, queue: &mut Replay) -> Step {
        let leading = take(&mut self.leading);
        let Some(byte) = byte else {
            return if leading == 0 { Step::Finished } else { Step::Error(DecodeReason::Incomplete) };
        };
        if leading != 0 {
            if let Some(character) = pair(leading, byte) {
                return Step::Emit(character);
            }
            if byte.is_ascii() {
                queue.restore(&[byte]);
                return Step::Error(DecodeReason::Interrupted);
            }
            return Step::Error(DecodeReason::Unmapped);
        }
        match byte {
            0x00..=0x7F => Step::Emit(byte.into()),
            0x84..=0xD3 | 0xD9..=0xDE | 0xE0..=0xF9 => {
                self.leading = byte;
                Step::Continue
            }
            _ => Step::Error(DecodeReason::InvalidByte),
        }
    }

    fn is_neutral(&self) -> bool {
        self.leading == 0
    }

    fn select(&mut self, _: u8) {
        self.leading = 0;
    }
}

/// Converts an item in one step, where the handler needs one for each byte. Returns its length in bytes, or 0 for an incomplete pair.
pub(super) fn item<U: Unit>(src: &[u8], items: &mut Items<'_, '_, U>) -> usize {
    match *src {
        [byte @ 0x00..=0x7F, ..] => items.unit(byte.into(), 1),
        [leading @ (0x84..=0xD3 | 0xD9..=0xDE | 0xE0..=0xF9), byte, ..] => match pair(leading, byte) {
            Some(character) => items.character(character, 2),
            None => items.invalid_pair(src),
        },
        [] | [0x84..=0xD3 | 0xD9..=0xDE | 0xE0..=0xF9] => 0,
        _ => items.error(1, DecodeReason::InvalidByte),
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Encoder;

impl EncodeHandler for Encoder {
    #[inline(always)]
    fn encode(&mut self, character: char) -> Option<Bytes> {
        Some(if character.is_ascii() {
            Bytes::new([character as u8], 1)
        } else {
            Bytes::new(encode_pair(character)?, 2)
        })
    }

    fn handle(&mut self, item: Option<char>, _: &mut Option<char>) -> EncodeStep {
        let Some(character) = item else { return EncodeStep::Finished };
        if character.is_ascii() {
            return EncodeStep::emit([character as u8]);
        }
        encode_pair(character).map_or(EncodeStep::Error(character), EncodeStep::emit)
    }
}

/// Returns the pairs as a grid, for kernels. It takes 46 KB, so it is derived at first use. `None` if there is not enough memory.
pub(super) fn pairs() -> Option<&'static Pairs> {
    static PAIRS: OnceRef<Pairs> = OnceRef::new();

    PAIRS.get().or_else(|| PAIRS.get_or_keep(derived_pairs()?))
}

fn derived_pairs() -> Option<Pairs> {
    let leading = || (0x84..=0xD3).chain(0xD9..=0xF9);
    let mut cells: Vec<u16> = Vec::new();
    cells.try_reserve_exact(256 + leading().count() * usize::from(WIDTH) + 1).ok()?;
    cells.extend((0..256).map(|byte| if byte < 0x80 { byte } else { 0 }));
    for leading in leading() {
        for byte in (0x31..=0x7E).chain(0x81..=0xFE) {
            cells.push(pair(leading, byte).map_or(UNMAPPED, |character| u32::from(character) as u16));
        }
    }
    cells.push(UNMAPPED);
    Some(
        Pairs::new(cells.leak(), WIDTH)
            .with_ascii()
            .with_rows(0x84, 0xD3, 0)
            .with_rows(0xD9, 0xF9, 0xD4 - 0x84)
            .with_columns(0x31, 0x7E, 0)
            .with_columns(0x81, 0xFE, 0x7F - 0x31),
    )
}

/// Returns the bytes of all characters, for kernels: 79 KB, derived at first use. `None` if there is not enough memory.
pub(super) fn bytes() -> Option<&'static ToBytes> {
    static BYTES: OnceRef<ToBytes> = OnceRef::new();

    BYTES.get().or_else(|| BYTES.get_or_keep(derived_bytes()?))
}

fn derived_bytes() -> Option<ToBytes> {
    const ROW: usize = 256;

    let mut stages: Vec<Stages> = Vec::new();
    let mut entries = Vec::new();
    stages.try_reserve_exact(1).ok()?;
    // All rows of the BMP, and one before them for those without a character.
    entries.try_reserve(ROW * (1 + 256)).ok()?;
    entries.resize(ROW, 0);
    stages.push([0; 1024]);
    // Whole rows, so that kernels can compute the number of an entry.
    for (row, blocks) in (0u32..).zip(stages.first_mut()?.as_chunks_mut().0) {
        let entry = |column| match char::from_u32(row << 8 | column as u32) {
            Some(character) if character.is_ascii() => (character as u16) << 8,
            character => character.and_then(encode_pair).map_or(0, u16::from_be_bytes),
        };
        let columns: [u16; ROW] = array::from_fn(entry);
        if columns != [0; ROW] {
            let start = entries.len();
            *blocks = [start, start + 64, start + 128, start + 192].map(|block| block as u16);
            entries.extend(columns);
        }
    }
    entries.shrink_to_fit();
    Some(ToBytes::new(stages.leak().first()?, entries.leak()))
}

/// The number of columns.
const WIDTH: u16 = 0x7F - 0x31 + 0xFF - 0x81;
/// The cell of a pair without a character: a surrogate.
const UNMAPPED: u16 = 0xDFFF;
