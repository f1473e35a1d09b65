//! Latin-1: 16 units per step.

use super::{
    Vector,
    ascii::{self, block_at, store_widened},
    utf8::by_units,
    utf16,
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
    let mut at = 0;
    while at < len {
        at = at.min(len - 16);
        // SAFETY: `at + 16 <= len` and `len <= spare.len()`, both from the `min` calls above.
        store_widened::<false>(Vector::load(block_at(src, at)), unsafe { block_mut(spare, at) });
        at += 16;
    }
    // SAFETY: the loop has initialised the first `len` slots, in blocks without gaps.
    unsafe { out.advance(len) };
    len
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn from_utf16(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    ascii::from_utf16_below::<0x100>(src, out)
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn to_utf8(src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let mut read = ascii::copy(src, out);
    while let Some(bytes) = src[read..].first_chunk()
        // SAFETY: only initialised values are stored in the slots.
        && let Some(to) = unsafe { out.spare() }.first_chunk_mut()
    {
        let bytes = Vector::load(bytes);
        read += if bytes.any_high_bit() {
            let (low, high) = (bytes.zip_low(Vector::zero()), bytes.zip_high(Vector::zero()));
            let written = utf16::write(low, high, to);
            // SAFETY: `utf16::write` initialises the number of slots that it returns.
            unsafe { out.advance(written) };
            16
        } else {
            ascii::copy(&src[read..], out)
        };
    }
    read + reference::latin1::to_utf8(&src[read..], out)
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn from_utf8(src: &str, out: &mut Out<'_, u8>) -> usize {
    by_units(src, out, |_, _| 0, |units, out| from_utf16(units, out))
}
