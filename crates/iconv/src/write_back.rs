//! Characters that only the decoder of an encoding has.
//!
//! The standard's encoders of Shift_JIS, EUC-JP and Big5 do not write all that their decoders read. So a program that reads a
//! file, changes a line and writes it would lose characters. iconv has always written them.

use arrayvec::ArrayVec;
use textcodec::{BIG5, EUC_JP, Encoding, SHIFT_JIS};

/// The bytes of a character.
pub type Bytes = ArrayVec<u8, 3>;

/// Returns the bytes of a character that the encoder of an encoding does not write, but its decoder reads. Of several sequences, it
/// is the first.
///
/// ```
/// use textcodec::{EUC_JP, SHIFT_JIS};
/// use textcodec_iconv::write_back;
///
/// assert_eq!(write_back(EUC_JP, '丂').as_deref(), Some(&b"\x8F\xB0\xA1"[..]));
/// // The encoder writes this character.
/// assert_eq!(write_back(EUC_JP, '日'), None);
/// ```
#[must_use]
pub fn write_back(encoding: Encoding, character: char) -> Option<Bytes> {
    let mut bytes = Bytes::new();
    match encoding {
        SHIFT_JIS => {
            // The private use area, in the order of its characters.
            let number = u32::from(character).checked_sub(0xE000).filter(|&number| number < 10 * 188)?;
            let (lead, trail) = (0xF0 + number / 188, 0x40 + number % 188);
            bytes.extend([lead as u8, trail as u8 + u8::from(trail >= 0x7F)]);
        }
        EUC_JP => {
            bytes.push(0x8F);
            bytes.extend(EUC_JP_TABLE.pair(character)?);
        }
        BIG5 => bytes.extend(BIG5_TABLE.pair(character)?),
        _ => return None,
    }
    Some(bytes)
}

/// Returns the bytes of a character if a combining mark after it changes them: in Big5, `Ê` and `ê`.
pub(crate) fn big5_letter(encoding: Encoding, bytes: &[u8]) -> Option<[u8; 2]> {
    bytes.try_into().ok().filter(|pair: &[u8; 2]| encoding == BIG5 && matches!(pair, [0x88, 0x66 | 0xA7]))
}

/// Returns the pair of bytes that Big5 reads as a letter and a combining mark. `letter` is the pair of the letter alone: only `Ê`
/// and `ê` have such sequences.
///
/// ```
/// use textcodec_iconv::big5_sequence;
///
/// assert_eq!(big5_sequence([0x88, 0x66], '\u{304}'), Some([0x88, 0x62]));
/// assert_eq!(big5_sequence([0x88, 0x66], '\u{301}'), None);
/// ```
#[must_use]
pub fn big5_sequence(letter: [u8; 2], mark: char) -> Option<[u8; 2]> {
    let trail = match (letter, mark) {
        ([0x88, 0x66], '\u{304}') => 0x62,
        ([0x88, 0x66], '\u{30C}') => 0x64,
        ([0x88, 0xA7], '\u{304}') => 0xA3,
        ([0x88, 0xA7], '\u{30C}') => 0xA5,
        _ => return None,
    };
    Some([0x88, trail])
}

/// Returns whether two code units are such a sequence.
pub(crate) fn is_big5_sequence(units: &[u16]) -> bool {
    matches!(units, [0xCA | 0xEA, 0x304 | 0x30C])
}

static EUC_JP_TABLE: Table = Table::new(include_bytes!("../tables/euc-jp.bin"));
static BIG5_TABLE: Table = Table::new(include_bytes!("../tables/big5.bin"));

/// Entries of four bytes: the last 16 bits of a character, little-endian, and its pair. They are sorted by character. Those
/// of plane 0 come first, then those of plane 2; there are no others. `cargo xtask tables` writes them.
struct Table {
    plane0: &'static [[u8; 4]],
    plane2: &'static [[u8; 4]],
}

impl Table {
    /// The first entry of a file is the number of entries of plane 0.
    const fn new(file: &'static [u8]) -> Self {
        let (entries, _) = file.as_chunks::<4>();
        let Some((&count, entries)) = entries.split_first() else { panic!("the table is empty") };
        let (plane0, plane2) = entries.split_at(u32::from_le_bytes(count) as usize);
        Self { plane0, plane2 }
    }

    fn pair(&self, character: char) -> Option<[u8; 2]> {
        let code_point = u32::from(character);
        let (entries, unit) = match code_point >> 16 {
            0 => (self.plane0, code_point as u16),
            2 => (self.plane2, code_point as u16),
            _ => return None,
        };
        let at = entries.binary_search_by_key(&unit, |&[low, high, ..]| u16::from_le_bytes([low, high])).ok()?;
        let [.., lead, trail] = entries[at];
        Some([lead, trail])
    }
}
