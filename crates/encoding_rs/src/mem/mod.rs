//! Text in memory: conversion between UTF-8, UTF-16 and Latin-1, validation, and detection of right-to-left text.
//!
//! "Latin1" is U+0000 to U+00FF with one byte for each code point, not windows-1252. UTF-16 is in native byte order and may be
//! ill-formed. The functions may change the destination after the written part, except for [`convert_utf16_to_utf8_partial`].
//! They panic if a destination is shorter than they require.
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
#![expect(clippy::needless_bitwise_bool, reason = "the compiler vectorises loops without branches")]

mod ascii;
mod bidi;
mod latin1;
mod utf16;

pub use self::{ascii::*, bidi::*, latin1::*, utf16::*};

/// The number of bytes that are checked without a branch. The compiler vectorises these loops.
const BLOCK: usize = 64;

/// Returns the index of the first code unit with a bit of `mask`, or the length if there is none.
fn prefix_without(mask: u16, units: &[u16]) -> usize {
    if units.first().is_some_and(|first| first & mask != 0) {
        return 0;
    }
    let blocks = units.chunks(BLOCK / 2).take_while(|block| block_has_none(mask, block));
    let whole = blocks.map(<[u16]>::len).sum::<usize>();
    whole + units[whole..].iter().take_while(|&unit| unit & mask == 0).count()
}

/// Returns whether no code unit has a bit of `mask`. Checks a few units first.
fn has_none(mask: u16, units: &[u16]) -> bool {
    // Text that contains such units usually starts with them.
    let front = &units[..units.len().min(8)];
    block_has_none(mask, front) && units.chunks(BLOCK).all(|block| block_has_none(mask, block))
}

#[inline]
fn block_has_none(mask: u16, units: &[u16]) -> bool {
    units.iter().fold(0, |all, unit| all | unit) & mask == 0
}
