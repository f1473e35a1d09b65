//! Double bytes: pairs one by one, runs of ASCII in vectors. To UTF-8 via UTF-16, block by block.
//!
//! Tried without success: decoding eight pairs without a branch and validating them in a vector. It is slower for
//! Chinese and Japanese text, and most of all for Korean, whose words are short.

use core::{cell::Cell, mem::MaybeUninit};

use super::{
    Vector,
    ascii::{self, planes},
    pack::{UP_TO_TWO_BYTES_LEN, up_to_two_bytes},
    utf16,
};
use crate::kernel::{
    Out,
    block::{block, block_mut},
    reference::{
        double_byte::{decode, encode},
        iso_2022,
    },
    tables::{EscapeState, EscapedPairs, Escapes, Pairs, ToBytes, as_bytes},
};

#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn to_utf16(pairs: &Pairs, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let ascii = |src: &[u8], out: &mut Out<'_, u16>| widen(src, out);
    if cfg!(textcodec_small) {
        return decode::convert(ascii, pairs, src, out);
    }
    decode::convert_with(ascii, |pairs, src, out| characters(pairs, src, out), pairs, src, out)
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn to_utf8(pairs: &Pairs, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    // The number of bytes of pairs to convert without a block, which would take longer for a few pairs between ASCII.
    let direct = Cell::new(DIRECT_AT_START);
    let ascii = |src: &[u8], out: &mut Out<'_, u8>| match src {
        // A space between words.
        &[space, 0x80..=0xFF, ..] => usize::from(out.push(space)),
        _ => {
            let len = copy(src, out);
            if len >= RUN {
                direct.set(DIRECT);
            }
            len
        }
    };
    let run = |pairs: &Pairs, src: &[u8], out: &mut Out<'_, u8>| {
        if cfg!(textcodec_small) {
            return decode::pairs(pairs, src, out);
        }
        let len = decode::pairs(pairs, &src[..src.len().min(direct.get())], out);
        direct.set(direct.get() - len);
        if direct.get() > 0 {
            return len;
        }
        len + match blocks_to_utf8(pairs, &src[len..], out) {
            // A character of two bytes may still fit.
            0 => decode::pairs(pairs, &src[len..], out),
            more => more,
        }
    };
    decode::convert_with(ascii, run, pairs, src, out)
}

/// The number of bytes of pairs that are converted without a block at the start of an input, which may be short.
const DIRECT_AT_START: usize = 64;
/// The same, after a run of ASCII.
const DIRECT: usize = 24;
/// The number of bytes of ASCII that end a block.
const RUN: usize = 8;

/// Converts blocks via UTF-16, until a run of ASCII follows.
#[inline(never)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn blocks_to_utf8(pairs: &Pairs, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let mut block = [const { MaybeUninit::uninit() }; 256];
    let mut read = 0;
    loop {
        // A code unit becomes at most three bytes.
        let capacity = block.len().min(out.spare_len() / 3);
        let mut units = Out::uninit(&mut block[..capacity]);
        let len = characters(pairs, &src[read..], &mut units);
        if len == 0 {
            return read;
        }
        let all = utf16::to_utf8::<false>(as_bytes(units.written()), out);
        debug_assert_eq!(all, units.filled(), "the output has no surrogates, and fits");
        read += len;
    }
}

/// Converts characters one by one, until a run of ASCII follows.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn characters(pairs: &Pairs, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    let (mut read, mut written) = (0, 0);
    'all: loop {
        // A character has at most two bytes, and becomes a code unit.
        let mut fitting = ((src.len() - read) / 2).min(spare.len() - written);
        if fitting == 0 {
            break;
        }
        while fitting > 0 {
            // SAFETY: `fitting` times two bytes are left.
            let &[first, second] = unsafe { block(src, read) };
            if pairs.ascii && first.is_ascii() {
                if second.is_ascii() && matches!(src[read..].first_chunk::<RUN>(), Some(bytes) if bytes.is_ascii()) {
                    break 'all;
                }
                // SAFETY: `fitting` slots are left.
                *unsafe { block_mut(spare, written) } = [MaybeUninit::new(first.into())];
                (read, written, fitting) = (read + 1, written + 1, fitting - 1);
                continue;
            }
            let mut first = first;
            while fitting > 0 {
                // SAFETY: `fitting` times two bytes are left.
                let &[leading, trailing] = unsafe { block(src, read) };
                first = leading;
                let Some(unit) = pairs.get(leading, trailing) else { break };
                // SAFETY: `fitting` slots are left.
                *unsafe { block_mut(spare, written) } = [MaybeUninit::new(unit)];
                (read, written, fitting) = (read + 2, written + 1, fitting - 1);
            }
            if fitting > 0 && !(pairs.ascii && first.is_ascii()) {
                if pairs.rows[usize::from(first)] != Pairs::SINGLE_ROW {
                    break 'all;
                }
                // SAFETY: `fitting` slots are left.
                *unsafe { block_mut(spare, written) } = [MaybeUninit::new(pairs.cells()[usize::from(first)])];
                (read, written, fitting) = (read + 1, written + 1, fitting - 1);
            }
        }
    }
    // SAFETY: the loop has initialised the first `written` slots.
    unsafe { out.advance(written) };
    read
}

/// Not inlined: its registers would slow the loop over pairs down.
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
    encode::from_utf16_with(
        |src, out| ascii::from_utf16(src, out),
        |table, units, out| {
            // Text in which steps have other units.
            let is_other = table.bases().is_some() && table.entry(units[0]) < ToBytes::MIN_BYTES
                || !table.has_ascii() && units.iter().any(|&unit| unit < 0x80);
            // SAFETY: only initialised values are stored in the slots.
            let to = unsafe { out.spare() }.first_chunk_mut().filter(|_| !is_other && !cfg!(textcodec_small));
            let written = to.map_or(0, |to| encode_step(table, units, to));
            if written == 0 {
                return encode::step(table, units, out);
            }
            // SAFETY: `encode_step` initialises the number of slots that it returns.
            unsafe { out.advance(written) };
            encode::STEP
        },
        table,
        src,
        out,
    )
}

/// Converts 16 code units to pairs and single bytes. Returns the number of bytes, which are initialised, or 0 if a unit is
/// unmapped, is U+0000, or needs four bytes.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn encode_step(table: &ToBytes, units: &[u16; encode::STEP], to: &mut [MaybeUninit<u8>; UP_TO_TWO_BYTES_LEN]) -> usize {
    let mut entries = [[0; 2]; encode::STEP];
    for (entry, &unit) in entries.iter_mut().zip(units) {
        *entry = table.entry(unit).to_le_bytes();
    }
    let [lower, upper] = planes::<false>(&entries);
    if upper.eq(Vector::zero()).any() {
        return 0;
    }
    let singles = lower.eq(Vector::zero());
    if singles.any() {
        return up_to_two_bytes(upper, lower, singles.xor(Vector::splat(0xFF)), to);
    }
    let [first, second] = to.as_chunks_mut().0 else { unreachable!() };
    upper.zip_low(lower).store(first);
    upper.zip_high(lower).store(second);
    UP_TO_TWO_BYTES_LEN
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn escaped_from_utf16(escapes: &Escapes, pairs: &mut bool, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    iso_2022::runs(escapes, pairs, src, out, |table, src, out| from_utf16(table, src, out))
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

#[inline]
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
