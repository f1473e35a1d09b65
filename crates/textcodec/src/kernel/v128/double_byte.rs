//! Double bytes: pairs as in the scalar kernels, runs of ASCII in vectors.
//!
//! Tried without success: decoding eight pairs without a branch and validating them in a vector. It took 1.2 times as long on
//! Chinese and Japanese text, and 2.5 times on Korean, whose words are short.

use super::ascii;
use crate::kernel::{
    Out,
    reference::{double_byte, iso_2022},
    tables::{EscapeState, EscapedPairs, Pairs, ToBytes},
};

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn to_utf16(pairs: &Pairs, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let ascii = |src: &[u8], out: &mut Out<'_, u16>| match src {
        // A space between words.
        &[space, 0x80..=0xFF, ..] => usize::from(out.push(space.into())),
        _ => widen(src, out),
    };
    double_byte::decode::convert(ascii, pairs, src, out)
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn to_utf8(pairs: &Pairs, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let ascii = |src: &[u8], out: &mut Out<'_, u8>| match src {
        &[space, 0x80..=0xFF, ..] => usize::from(out.push(space)),
        _ => copy(src, out),
    };
    double_byte::decode::convert(ascii, pairs, src, out)
}

/// Not inlined: the loop over pairs would be slower by a third.
#[inline(never)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn widen(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    ascii::to_utf16(src, out)
}

#[inline(never)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn copy(src: &[u8], out: &mut Out<'_, u8>) -> usize {
    ascii::copy(src, out)
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn from_utf16(table: &ToBytes, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    double_byte::encode::from_utf16_with(|src, out| ascii::from_utf16(src, out), table, src, out)
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn escaped_to_utf8(
    escapes: &EscapedPairs,
    state: &mut EscapeState,
    src: &[u8],
    out: &mut Out<'_, u8>,
) -> usize {
    let prefix = |excluded, src: &[u8]| ascii::prefix_without(excluded, src);
    let ascii = |src: &[u8], out: &mut Out<'_, u8>| ascii::copy(escapes.ascii(src, out, prefix), out);
    iso_2022::convert(ascii, escapes, state, src, out)
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn escaped_to_utf16(
    escapes: &EscapedPairs,
    state: &mut EscapeState,
    src: &[u8],
    out: &mut Out<'_, u16>,
) -> usize {
    let prefix = |excluded, src: &[u8]| ascii::prefix_without(excluded, src);
    let ascii = |src: &[u8], out: &mut Out<'_, u16>| ascii::to_utf16(escapes.ascii(src, out, prefix), out);
    iso_2022::convert(ascii, escapes, state, src, out)
}
