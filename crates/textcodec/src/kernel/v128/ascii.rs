//! ASCII: 16 units per step, and 64 bytes per step in validation. The last block overlaps the one before it.

use core::mem::MaybeUninit;

use super::Vector;
use crate::kernel::{Out, block::block_mut, reference, tables::as_bytes};

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn prefix(src: &[u8]) -> usize {
    if src.len() < 16 { reference::ascii::prefix(src) } else { prefix_until(src, |bytes| bytes) }
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn prefix_without(excluded: [u8; 3], src: &[u8]) -> usize {
    if src.len() < 16 {
        return reference::ascii::prefix_without(excluded, src);
    }
    let [a, b, c] = excluded;
    let (a, b, c) = (Vector::splat(a), Vector::splat(b), Vector::splat(c));
    prefix_until(src, |bytes| bytes.or(bytes.eq(a)).or(bytes.eq(b).or(bytes.eq(c))))
}

/// Returns the number of bytes before the first one whose high bit `stops` sets. `src` has at least 16 bytes.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn prefix_until(src: &[u8], stops: impl Fn(Vector) -> Vector) -> usize {
    let mut at = 0;
    while let Some(step) = src[at..].first_chunk::<64>() {
        let [a, b, c, d] = step.as_chunks::<16>().0 else { unreachable!() };
        let (a, b, c, d) = (Vector::load(a), Vector::load(b), Vector::load(c), Vector::load(d));
        if stops(a).or(stops(b)).or(stops(c).or(stops(d))).any_high_bit() {
            break;
        }
        at += 64;
    }
    while at < src.len() {
        at = at.min(src.len() - 16);
        let bits = stops(Vector::load(block_at(src, at))).bits();
        if bits != 0 {
            return at + bits.trailing_zeros() as usize;
        }
        at += 16;
    }
    src.len()
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn copy(src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let len = prefix(&src[..src.len().min(out.spare_len())]);
    out.extend(&src[..len]);
    len
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let len = src.len().min(out.spare_len());
    if len < 16 {
        return reference::ascii::to_utf16(src, out);
    }
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    let mut at = 0;
    while at < len {
        at = at.min(len - 16);
        let bytes = Vector::load(block_at(src, at));
        // SAFETY: `at + 16 <= len` and `len <= spare.len()`, both from the `min` calls above.
        store_widened::<false>(bytes, unsafe { block_mut(spare, at) });
        let bits = bytes.bits();
        if bits != 0 {
            at += bits.trailing_zeros() as usize;
            break;
        }
        at += 16;
    }
    // SAFETY: the loop has initialised the first `at` slots, in blocks without gaps: `at <= len`.
    unsafe { out.advance(at) };
    at
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn from_utf16(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    from_utf16_below::<0x80>(src, out)
}

/// Converts code units below `LIMIT`, which is 0x80 or 0x100.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(super) fn from_utf16_below<const LIMIT: u16>(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    from_units_below::<LIMIT, false>(as_bytes(src), out)
}

/// Converts code units below `LIMIT`, in little-endian order, or with `BIG` in big-endian order.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(super) fn from_units_below<const LIMIT: u16, const BIG: bool>(src: &[[u8; 2]], out: &mut Out<'_, u8>) -> usize {
    let len = src.len().min(out.spare_len());
    if len < 16 {
        let unit = |bytes| if BIG { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) };
        return src.iter().take_while(|&&bytes| unit(bytes) < LIMIT && out.push(unit(bytes) as u8)).count();
    }
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    let above = Vector::splat_units(!(LIMIT - 1));
    let mut at = 0;
    while at < len {
        at = at.min(len - 16);
        let [low, high] = load_units::<BIG>(block_at(src, at));
        // SAFETY: `at + 16 <= len` and `len <= spare.len()`, both from the `min` calls above.
        low.narrow(high).store(unsafe { block_mut(spare, at) });
        if low.or(high).and(above).any() {
            let fits = |units: Vector| units.and(above).eq_units(Vector::zero());
            at += fits(low).narrow_masks(fits(high)).bits().trailing_ones() as usize;
            break;
        }
        at += 16;
    }
    // SAFETY: the loop has initialised the first `at` slots, in blocks without gaps: `at <= len`.
    unsafe { out.advance(at) };
    at
}

/// Returns the `N` elements from `at` on.
///
/// # Panics
/// Panics if there are fewer.
#[inline(always)]
pub(super) fn block_at<T, const N: usize>(src: &[T], at: usize) -> &[T; N] {
    src[at..].first_chunk().expect("`at + N <= src.len()`")
}

/// Loads 16 code units in little-endian order, or with `BIG` in big-endian order.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(super) fn load_units<const BIG: bool>(units: &[[u8; 2]; 16]) -> [Vector; 2] {
    let [low, high] = units.as_flattened().as_chunks().0 else { unreachable!() };
    in_order::<BIG>([Vector::load(low), Vector::load(high)])
}

/// Swaps the bytes of each code unit if they are in big-endian order.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(super) fn in_order<const BIG: bool>([low, high]: [Vector; 2]) -> [Vector; 2] {
    if BIG { [swapped(low), swapped(high)] } else { [low, high] }
}

/// Swaps the bytes of each code unit.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(super) fn swapped(units: Vector) -> Vector {
    units.shl_units::<8>().or(units.shr_units::<8>())
}

/// Stores 16 bytes as code units in little-endian order, or with `BIG` in big-endian order.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(super) fn store_widened<const BIG: bool>(bytes: Vector, to: &mut [MaybeUninit<u16>; 16]) {
    let (lower, upper) = if BIG { (Vector::zero(), bytes) } else { (bytes, Vector::zero()) };
    store_units(lower.zip_low(upper), lower.zip_high(upper), to);
}

/// Stores 16 code units.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(super) fn store_units(low: Vector, high: Vector, to: &mut [MaybeUninit<u16>; 16]) {
    let [first, second] = to.as_chunks_mut().0 else { unreachable!() };
    low.store_units(first);
    high.store_units(second);
}
