//! Text in memory: from one of UTF-8, UTF-16 and Latin-1 to another, what is valid of it, and whether it may be right-to-left.
//!
//! "Latin1" is U+0000 to U+00FF, a byte for each code point, and not windows-1252. UTF-16 is in the machine's byte order and
//! need not be well-formed. Destinations are slices that the caller gives; what is behind the written part may change, but
//! for [`convert_utf16_to_utf8_partial`]. A destination shorter than a function asks for is a panic.
//!
//! ```
//! use encoding_rs::mem;
//!
//! let text = "naïve";
//! assert!(mem::is_str_latin1(text) && !mem::is_str_bidi(text));
//! let mut units = [0; 6];
//! assert_eq!(mem::convert_str_to_utf16(text, &mut units), 5);
//! assert_eq!(mem::utf16_valid_up_to(&units[..5]), 5);
//! ```
#![expect(clippy::needless_bitwise_bool, reason = "loops without branches become vectors")]

mod ascii;
mod bidi;
mod latin1;
mod utf16;

pub use self::{ascii::*, bidi::*, latin1::*, utf16::*};

/// What is checked before a decision; the compiler makes vectors of it.
const BLOCK: usize = 64;

/// How many code units have no bit of `mask`, up to the first that has one.
fn prefix_without(mask: u16, units: &[u16]) -> usize {
    if units.first().is_some_and(|first| first & mask != 0) {
        return 0;
    }
    let blocks = units.chunks(BLOCK / 2).take_while(|block| have_none(mask, block));
    let whole = blocks.map(<[u16]>::len).sum::<usize>();
    whole + units[whole..].iter().take_while(|&unit| unit & mask == 0).count()
}

/// Whether no code unit has a bit of `mask`.
fn has_none(mask: u16, units: &[u16]) -> bool {
    // Text that has some begins with them more often than not.
    let front = &units[..units.len().min(8)];
    have_none(mask, front) && units.chunks(BLOCK).all(|block| have_none(mask, block))
}

#[inline]
fn have_none(mask: u16, units: &[u16]) -> bool {
    units.iter().fold(0, |all, unit| all | unit) & mask == 0
}
