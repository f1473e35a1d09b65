//! Latin-1, 16 a step.

use super::{
    Vector,
    ascii::{self, block, store_widened},
    utf8::by_units,
    utf16,
};
use crate::kernel::{Out, reference};

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let len = src.len().min(out.room());
    if len < 16 {
        return reference::latin1::to_utf16(src, out);
    }
    let to = out.spare_ptr();
    let mut at = 0;
    while at < len {
        at = at.min(len - 16);
        // SAFETY: `at` is at most `len - 16`, and there is room for `len` units.
        unsafe { store_widened(Vector::load(block(src, at)), to.add(at)) };
        at += 16;
    }
    // SAFETY: so many are stored.
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
        && out.room() >= utf16::ROOM
    {
        let bytes = Vector::load(bytes);
        read += if bytes.any_upper_bit() {
            // SAFETY: there is room.
            unsafe {
                let (low, high) = (bytes.zip_low(Vector::zero()), bytes.zip_high(Vector::zero()));
                let written = utf16::write(low, high, out.spare_ptr());
                out.advance(written);
            }
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
