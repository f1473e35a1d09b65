//! Latin-1: 64 bytes per step to UTF-16. To UTF-8, ASCII in runs, and dense other characters 16 per step.

use core::mem::MaybeUninit;

use super::{
    Vector,
    ascii::{self, block_at, convert_mixed, load, padded, store_widened},
    pack::{UP_TO_TWO_BYTES_LEN, up_to_two_bytes},
    utf8_to_utf16::by_units,
};
use crate::kernel::{Out, block::block_mut, reference};

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

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn from_utf16(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    ascii::from_utf16_below::<0x100>(src, out)
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn to_utf8(src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let other = |rest: &[u8], is_dense: bool, to: &mut [MaybeUninit<u8>]| {
        let (mut read, mut written) = (0, 0);
        while is_dense
            && let Some(bytes) = rest[read..].first_chunk()
            && let Some(to) = to[written..].first_chunk_mut()
        {
            let bytes = Vector::load(bytes);
            if read > 0 && !bytes.high_bits().are_dense() {
                break;
            }
            written += block_to_utf8(bytes, to);
            read += 16;
        }
        match (read, rest.first(), to.first_chunk_mut()) {
            (0, Some(byte), Some(to)) => {
                *to = [0xC0 | byte >> 6, byte & 0xBF].map(MaybeUninit::new);
                (1, 2)
            }
            _ => (read, written),
        }
    };
    let read = convert_mixed::<_, 2>(src, out, |bytes, to| bytes.store(to), other);
    let rest = &src[read..];
    if (4..16).contains(&rest.len())
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
pub(crate) fn from_utf8(src: &str, out: &mut Out<'_, u8>) -> usize {
    let lone = |rest: &[u8], to: &mut MaybeUninit<u8>| match *rest {
        [lead @ 0xC2..=0xC3, trail, 0..=0x7F, ..] => {
            to.write(lead << 6 | trail & 0x3F);
            2
        }
        _ => 0,
    };
    by_units(src, out, lone, |units, out| from_utf16(units, out))
}
