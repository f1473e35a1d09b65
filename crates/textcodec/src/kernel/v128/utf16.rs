//! UTF-16: validation and byte order, 16 code units a step; conversion to UTF-8, eight units a step, whose bytes are written in
//! full width and then closed up by a table of shuffles. Surrogates go one by one: a block up to the first of them in vectors,
//! with its bytes counted under a mask, cost all other text a quarter of its speed.

use core::mem::MaybeUninit;

use super::{
    Vector,
    ascii::{self, block, store_units},
};
use crate::kernel::{Out, block::block_mut, compaction, reference, tables::ByteOrder};

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn prefix(src: &[u16]) -> usize {
    let mut at = 0;
    // Whether the unit before is a leading surrogate.
    let mut pending = 0;
    while let Some(units) = src[at..].first_chunk::<16>() {
        let (low, high) = (Vector::load_units(block(units, 0)), Vector::load_units(block(units, 8)));
        if !pairs_up(low, high, &mut pending) {
            break;
        }
        at += 16;
    }
    at -= pending as usize;
    at + reference::utf16::prefix(&src[at..])
}

/// Whether the surrogates of 16 units, and of the one before, are pairs, but for one at the end. `pending` is 1 where a pair
/// is pending.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn pairs_up(low: Vector, high: Vector, pending: &mut u32) -> bool {
    let is = |mask: u16, value: u16| {
        let (mask, value) = (Vector::splat_units(mask), Vector::splat_units(value));
        low.and(mask).eq_units(value).narrow_masks(high.and(mask).eq_units(value))
    };
    let surrogates = is(0xF800, 0xD800).bits();
    if surrogates | *pending == 0 {
        return true;
    }
    let leading = is(0xFC00, 0xD800).bits();
    let expected = leading << 1 | *pending;
    if surrogates ^ leading != expected & 0xFFFF {
        return false;
    }
    *pending = expected >> 16;
    true
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn from_bytes(order: ByteOrder, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let units = (src.len() / 2).min(out.spare_len());
    let spare = out.spare();
    let (mut at, mut pending) = (0, 0);
    while at + 16 <= units {
        let low = in_order(order, Vector::load(block(src, 2 * at)));
        let high = in_order(order, Vector::load(block(src, 2 * at + 16)));
        if !pairs_up(low, high, &mut pending) {
            break;
        }
        // SAFETY: `at + 16 <= units <= spare.len()`.
        store_units(low, high, unsafe { block_mut(spare, at) });
        at += 16;
    }
    at -= pending as usize;
    // SAFETY: the `at` slots are stored.
    unsafe { out.advance(at) };
    2 * at + reference::utf16::from_bytes(order, &src[2 * at..], out)
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn to_bytes(order: ByteOrder, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let units = src.len().min(out.spare_len() / 2);
    let spare = out.spare();
    let (mut at, mut pending) = (0, 0);
    while at + 16 <= units {
        let (low, high) = (Vector::load_units(block(src, at)), Vector::load_units(block(src, at + 8)));
        if !pairs_up(low, high, &mut pending) {
            break;
        }
        // SAFETY: `2 * (at + 16) <= 2 * units <= spare.len()`, for both halves of these 32 bytes.
        unsafe {
            in_order(order, low).store(block_mut(spare, 2 * at));
            in_order(order, high).store(block_mut(spare, 2 * at + 16));
        }
        at += 16;
    }
    at -= pending as usize;
    // SAFETY: the `2 * at` slots are stored.
    unsafe { out.advance(2 * at) };
    at + reference::utf16::to_bytes(order, &src[at..], out)
}

/// From the machine's order, which is little-endian on all of these platforms, or to it.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn in_order(order: ByteOrder, units: Vector) -> Vector {
    match order {
        ByteOrder::Little => units,
        ByteOrder::Big => units.shl_units::<8>().or(units.shr_units::<8>()),
    }
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn to_utf8(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let mut read = 0;
    while let Some(units) = src[read..].first_chunk::<16>()
        && let Some(to) = out.spare().first_chunk_mut()
    {
        let (low, high) = (Vector::load_units(block(units, 0)), Vector::load_units(block(units, 8)));
        read += if !low.or(high).and(Vector::splat_units(0xFF80)).any() {
            ascii::from_utf16(&src[read..], out)
        } else if is_surrogate(low).or(is_surrogate(high)).any() {
            match reference::utf16::to_utf8(&src[read..src.len().min(read + WITH_SURROGATES)], out) {
                0 => return read,
                taken => taken,
            }
        } else {
            let written = write(low, high, to);
            // SAFETY: the `written` slots are stored.
            unsafe { out.advance(written) };
            16
        };
    }
    let rest = &src[read..];
    if (4..16).contains(&rest.len())
        && let Some(to) = out.spare().first_chunk_mut()
    {
        let mut units = [0; 16];
        units[..rest.len()].copy_from_slice(rest);
        let (low, high) = (Vector::load_units(block(&units, 0)), Vector::load_units(block(&units, 8)));
        if !is_surrogate(low).or(is_surrogate(high)).any() {
            let written = write(low, high, to);
            // SAFETY: the `written` slots are stored. Each zero after the units has become a byte.
            unsafe { out.advance(written - (16 - rest.len())) };
            return src.len();
        }
    }
    read + reference::utf16::to_utf8(rest, out)
}

/// How many units are converted one by one where there are surrogates: they seldom come alone.
const WITH_SURROGATES: usize = 32;

#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn is_surrogate(units: Vector) -> Vector {
    units.and(Vector::splat_units(0xF800)).eq_units(Vector::splat_units(0xD800))
}

/// The room for 16 code units: eight become 24 bytes at most, and are stored in [`EIGHT`].
pub(super) const STEP_LEN: usize = 24 + EIGHT;

/// The room for eight code units: four become 12 bytes at most, and are stored in 16.
const EIGHT: usize = 12 + 16;

/// Writes 16 code units that are no surrogates; returns how many bytes they are.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(super) fn write(low: Vector, high: Vector, to: &mut [MaybeUninit<u8>; STEP_LEN]) -> usize {
    // SAFETY: `0 + EIGHT <= ROOM`.
    let len = write_eight(low, unsafe { block_mut(to, 0) });
    // SAFETY: `len + EIGHT <= ROOM`: eight code units become 24 bytes at most.
    len + write_eight(high, unsafe { block_mut(to, len) })
}

/// Writes eight code units that are no surrogates; returns how many bytes they are.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn write_eight(units: Vector, to: &mut [MaybeUninit<u8>; EIGHT]) -> usize {
    let is_ascii = units.and(Vector::splat_units(0xFF80)).eq_units(Vector::zero());
    let is_short = units.and(Vector::splat_units(0xF800)).eq_units(Vector::zero());
    let last = units.and(Vector::splat_units(0x3F)).or(Vector::splat_units(0x80));
    let two = units.shr_units::<6>().or(Vector::splat_units(0xC0));
    // Which units have a second byte, and a third.
    let multi = !is_ascii.narrow_masks(is_ascii).bits() & 0xFF;
    let long = !is_short.narrow_masks(is_short).bits() & 0xFF;
    if long == 0 {
        let bytes = is_ascii.select(units, two.or(last.shl_units::<8>()));
        // SAFETY: `0 + 16 <= EIGHT`.
        bytes.swizzle(Vector::load(&compaction::PAIRS[multi as usize])).store(unsafe { block_mut(to, 0) });
        return 8 + multi.count_ones() as usize;
    }
    let middle = units.shr_units::<6>().and(Vector::splat_units(0x3F)).or(Vector::splat_units(0x80));
    let three = units.shr_units::<12>().or(Vector::splat_units(0xE0)).or(middle.shl_units::<8>());
    let first = is_ascii.select(units, is_short.select(two, three));
    let four = |long: u32, multi: u32| {
        let close = &compaction::TRIPLES[(long & 0xF | multi << 4 & 0xF0) as usize];
        (Vector::load(close), 4 + ((long & 0xF).count_ones() + (multi & 0xF).count_ones()) as usize)
    };
    let (close_low, low_len) = four(long, multi);
    let (close_high, high_len) = four(long >> 4, multi >> 4);
    // SAFETY: `0 + 16 <= EIGHT`.
    first.zip_units_low(last).swizzle(close_low).store(unsafe { block_mut(to, 0) });
    // SAFETY: `low_len + 16 <= EIGHT`: four code units become 12 bytes at most.
    first.zip_units_high(last).swizzle(close_high).store(unsafe { block_mut(to, low_len) });
    low_len + high_len
}
