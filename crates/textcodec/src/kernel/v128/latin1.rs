//! Latin-1: 64 bytes per step to UTF-16. To UTF-8, ASCII in runs, and dense other characters 16 per step.

use core::mem::MaybeUninit;

use super::{
    ascii::{self, block_at, convert_blocks, load, padded, store_widened},
    pack::{UP_TO_TWO_BYTES_LEN, up_to_two_bytes},
    vector::{Vector, ones_of_byte},
};
use crate::kernel::{Out, block::block_mut, compaction, reference, tables::as_bytes};

#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let len = src.len().min(out.spare_len());
    if len < 16 {
        return reference::latin1::to_utf16(src, out);
    }
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    let (steps, _) = src[..len].as_chunks::<64>();
    for (step, to) in steps.iter().zip(spare.as_chunks_mut::<64>().0) {
        for (bytes, to) in load(step).into_iter().zip(to.as_chunks_mut().0) {
            store_widened::<false>(bytes, to);
        }
    }
    let mut at = 64 * steps.len();
    while at < len {
        at = at.min(len - 16);
        // SAFETY: `at + 16 <= len` and `len <= spare.len()`, both from the `min` calls above.
        store_widened::<false>(Vector::load(block_at(src, at)), unsafe { block_mut(spare, at) });
        at += 16;
    }
    // SAFETY: the loops have initialised the first `len` slots, in blocks without gaps.
    unsafe { out.advance(len) };
    len
}

#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn from_utf16(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    ascii::from_units_below::<false>(0x100, as_bytes(src), out)
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn to_utf8(src: &[u8], out: &mut Out<'_, u8>) -> usize {
    // SAFETY: `block_to_utf8` initialises the slots that it returns, at most 32.
    let read = unsafe { convert_blocks::<32, _>(src, out, |bytes, to| Some(block_to_utf8(bytes, to))) };
    let rest = &src[read..];
    if (4..16).contains(&rest.len())
        && !cfg!(textcodec_small)
        // SAFETY: only initialised values are stored in the slots.
        && let Some(to) = unsafe { out.spare() }.first_chunk_mut()
    {
        let written = block_to_utf8(padded(rest), to);
        // Each byte of the padding has become a byte.
        // SAFETY: `block_to_utf8` initialises `written` slots, and `written >= 16`.
        unsafe { out.advance(written - (16 - rest.len())) };
        return src.len();
    }
    read + reference::latin1::to_utf8(rest, out)
}

/// Converts 16 bytes. Initialises the number of slots that it returns, 16 to 32.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn block_to_utf8(bytes: Vector, to: &mut [MaybeUninit<u8>; UP_TO_TWO_BYTES_LEN]) -> usize {
    let lead = bytes.shr::<6>().or(Vector::splat(0xC0));
    let first = bytes.less_signed(Vector::zero()).select(lead, bytes);
    up_to_two_bytes(first, bytes.and(Vector::splat(0xBF)), bytes, to)
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn from_utf8(src: &[u8], out: &mut Out<'_, u8>) -> usize {
    // The last block that is not ASCII. A block that begins with a continuation byte follows such a block.
    let mut before = Vector::zero();
    let other = |block: Vector, to: &mut _| {
        let previous = block.preceding::<15>(before);
        before = block;
        // Bytes above 0xC3 lead characters above Latin-1.
        let fits = !block.saturating_sub(Vector::splat(0xC3)).any();
        fits.then(|| block_from_utf8(block, previous, to))
    };
    // SAFETY: `block_from_utf8` initialises the slots that it returns, at most one for each byte.
    let mut read = unsafe { convert_blocks::<16, _>(src, out, other) };
    // The character continues in a block that was not converted.
    if read > 0 && src[read - 1] >= 0xC0 {
        read -= 1;
    }
    read + reference::latin1::from_utf8(&src[read..], out)
}

/// The capacity for 16 bytes, stored as eight and 16.
const BLOCK_FROM_UTF8_LEN: usize = 24;

/// Stores the characters that end in 16 bytes of UTF-8. The arguments are these bytes and those one position before them.
/// Initialises the number of slots that it returns, up to 16.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn block_from_utf8(block: Vector, previous: Vector, to: &mut [MaybeUninit<u8>; BLOCK_FROM_UTF8_LEN]) -> usize {
    let is_continuation = block.less_signed(Vector::splat(0xC0));
    let bytes = is_continuation.select(previous.shl_insert::<6>(block), block);
    let kept = !block.at_least(Vector::splat(0xC0)).bits();
    let (first, second) = (kept & 0xFF, kept >> 8 & 0xFF);
    let shuffle = |kept: u32| {
        let indices = u64::from_le_bytes(compaction::BYTES[kept as usize]);
        Vector::load(&u128::from(indices).to_le_bytes())
    };
    let len = ones_of_byte(first);
    // SAFETY: `len` is the number of bits in a byte: `len + 16 <= 24`.
    unsafe {
        bytes.swizzle(shuffle(first)).store(block_mut(to, 0));
        bytes.preceding::<8>(bytes).swizzle(shuffle(second)).store(block_mut(to, len));
    }
    len + ones_of_byte(second)
}
