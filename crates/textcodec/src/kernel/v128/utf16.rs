//! UTF-16. Validation and byte order: 16 code units per step. Conversion to UTF-8: eight units per step become three bytes
//! each, which a table of shuffles compacts. Units around surrogates are converted by the scalar code.
//!
//! Tried without success: converting a block up to its first surrogate in vectors, with its bytes counted under a mask. It
//! cost all other text a quarter of its speed.

use core::mem::MaybeUninit;

use super::{
    Vector,
    ascii::{self, block_at, load_units, store_units, swapped},
    utf8::padded,
};
use crate::kernel::{Out, block::block_mut, compaction, reference, surrogates::Surrogates, tables::ByteOrder};

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn prefix(src: &[u16]) -> usize {
    let mut at = 0;
    // 1 if the unit before `at` is a leading surrogate.
    let mut pending = 0;
    while let Some(units) = src[at..].first_chunk::<16>() {
        let (low, high) = (Vector::load_units(block_at(units, 0)), Vector::load_units(block_at(units, 8)));
        if !are_paired(low, high, &mut pending) {
            break;
        }
        at += 16;
    }
    at -= pending as usize;
    at + reference::utf16::prefix(&src[at..])
}

/// Whether the surrogates of 16 units are paired, except for a leading one at the end. `pending` is 1 if the unit before them
/// is a leading surrogate, otherwise 0, and is updated.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn are_paired(low: Vector, high: Vector, pending: &mut u32) -> bool {
    let has_bits = |mask: u16, value: u16| {
        let (mask, value) = (Vector::splat_units(mask), Vector::splat_units(value));
        low.and(mask).eq_units(value).narrow_masks(high.and(mask).eq_units(value))
    };
    let surrogates = has_bits(0xF800, 0xD800).bits();
    if surrogates | *pending == 0 {
        return true;
    }
    let leading = has_bits(0xFC00, 0xD800).bits();
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
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    let (mut at, mut pending) = (0, 0);
    while at + 16 <= units {
        let low = in_order(order, Vector::load(block_at(src, 2 * at)));
        let high = in_order(order, Vector::load(block_at(src, 2 * at + 16)));
        if !are_paired(low, high, &mut pending) {
            break;
        }
        // SAFETY: `at + 16 <= units`, the loop condition, and `units <= spare.len()`, from the `min` call above.
        store_units(low, high, unsafe { block_mut(spare, at) });
        at += 16;
    }
    at -= pending as usize;
    // SAFETY: the loop has initialised the first `at` slots, and one more if `pending` is 1.
    unsafe { out.advance(at) };
    2 * at + reference::utf16::from_bytes(order, &src[2 * at..], out)
}

/// Reads code units in a byte order, replaces unpaired surrogates, and adds their number to `replaced`.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn from_bytes_replaced(order: ByteOrder, src: &[u8], out: &mut Out<'_, u16>, replaced: &mut u64) -> usize {
    let units = (src.len() / 2).min(out.spare_len());
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    let (mut at, mut pending_high) = (0, false);
    while at + 16 <= units {
        let low = in_order(order, Vector::load(block_at(src, 2 * at)));
        let high = in_order(order, Vector::load(block_at(src, 2 * at + 16)));
        let surrogates = surrogates(low, high);
        let unpaired = surrogates.unpaired(0xFFFF, pending_high);
        let [low, high] = if unpaired.lanes == 0 { [low, high] } else { replaced_in([low, high], unpaired.lanes) };
        // SAFETY: `at + 16 <= units`, the loop condition, and `units <= spare.len()`, from the `min` call above.
        store_units(low, high, unsafe { block_mut(spare, at) });
        if unpaired.is_before {
            spare[at - 1].write(0xFFFD);
        }
        *replaced += unpaired.count();
        pending_high = surrogates.end_high(16);
        at += 16;
    }
    at -= usize::from(pending_high);
    // SAFETY: the loop has initialised the first `at` slots, and one more if `pending_high`.
    unsafe { out.advance(at) };
    2 * at + reference::utf16::from_bytes_replaced(order, &src[2 * at..], out, replaced)
}

/// Returns which of 16 code units are surrogates.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn surrogates(low: Vector, high: Vector) -> Surrogates {
    let has_bits = |mask: u16| {
        let (mask, bits) = (Vector::splat_units(mask), Vector::splat_units(0xD800));
        u64::from(low.and(mask).eq_units(bits).narrow_masks(high.and(mask).eq_units(bits)).bits())
    };
    let all = has_bits(0xF800);
    let highs = if all == 0 { 0 } else { has_bits(0xFC00) };
    Surrogates { highs, lows: all ^ highs }
}

/// Returns 16 code units with U+FFFD in `lanes`.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn replaced_in([low, high]: [Vector; 2], lanes: u64) -> [Vector; 2] {
    let bits = Vector::load_units(&[1, 2, 4, 8, 16, 32, 64, 128]);
    let replaced = |units, lanes: u64| {
        let is_in_lanes = Vector::splat_units(lanes as u16 & 0xFF).and(bits).eq_units(bits);
        is_in_lanes.select(Vector::splat_units(0xFFFD), units)
    };
    [replaced(low, lanes), replaced(high, lanes >> 8)]
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn to_bytes(order: ByteOrder, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let units = src.len().min(out.spare_len() / 2);
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    let (mut at, mut pending) = (0, 0);
    while at + 16 <= units {
        let (low, high) = (Vector::load_units(block_at(src, at)), Vector::load_units(block_at(src, at + 8)));
        if !are_paired(low, high, &mut pending) {
            break;
        }
        // SAFETY: `2 * at + 32 <= 2 * units`, the loop condition, and `2 * units <= spare.len()`, from the `min` call above.
        unsafe {
            in_order(order, low).store(block_mut(spare, 2 * at));
            in_order(order, high).store(block_mut(spare, 2 * at + 16));
        }
        at += 16;
    }
    at -= pending as usize;
    // SAFETY: the loop has initialised the first `2 * at` slots, and two more if `pending` is 1.
    unsafe { out.advance(2 * at) };
    at + reference::utf16::to_bytes(order, &src[at..], out)
}

/// Converts code units from or to native byte order, which is little-endian on all of these platforms.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn in_order(order: ByteOrder, units: Vector) -> Vector {
    match order {
        ByteOrder::Little => units,
        ByteOrder::Big => swapped(units),
    }
}

/// Converts code units in little-endian order, or with `BIG` in big-endian order.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn to_utf8<const BIG: bool>(src: &[[u8; 2]], out: &mut Out<'_, u8>) -> usize {
    let mut read = 0;
    while read < src.len() {
        let rest = &src[read..];
        // SAFETY: only initialised values are stored in the slots.
        let Some(to) = unsafe { out.spare() }.first_chunk_mut() else { break };
        let (count, [low, high]) = match rest.first_chunk::<16>() {
            Some(units) => (16, load_units::<BIG>(units)),
            None if rest.len() >= 4 => (rest.len(), load_some_units::<BIG>(rest)),
            None => break,
        };
        if count == 16 && !low.or(high).and(Vector::splat_units(0xFF80)).any() {
            read += ascii::from_units_below::<0x80, BIG>(rest, out);
        } else if !is_surrogate(low).or(is_surrogate(high)).any() {
            let written = write(low, high, to);
            // Each zero after the units has become a byte.
            // SAFETY: `write` initialises `written` slots, and `written >= 16`, one byte per unit.
            unsafe { out.advance(written - (16 - count)) };
            read += count;
        } else if count < 16 {
            break;
        } else {
            match reference::utf16::to_utf8::<BIG>(&rest[..rest.len().min(WITH_SURROGATES)], out) {
                0 => return read,
                len => read += len,
            }
        }
    }
    if read < src.len() { read + reference::utf16::to_utf8::<BIG>(&src[read..], out) } else { read }
}

/// Loads less than 16 code units, and zeros past the end.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn load_some_units<const BIG: bool>(units: &[[u8; 2]]) -> [Vector; 2] {
    let bytes = units.as_flattened();
    ascii::in_order::<BIG>([padded(bytes), padded(&bytes[bytes.len().min(16)..])])
}

/// The number of units that are converted one by one from a surrogate on: surrogate pairs are seldom isolated.
const WITH_SURROGATES: usize = 32;

#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn is_surrogate(units: Vector) -> Vector {
    units.and(Vector::splat_units(0xF800)).eq_units(Vector::splat_units(0xD800))
}

/// The capacity for 16 code units: eight become at most 24 bytes, and the other eight need [`EIGHT_UNITS_LEN`].
pub(super) const STEP_LEN: usize = 24 + EIGHT_UNITS_LEN;

/// The capacity for eight code units: four become at most 12 bytes, and the other four are stored as 16.
const EIGHT_UNITS_LEN: usize = 12 + 16;

/// Writes 16 code units that are not surrogates. Initialises the number of slots that it returns, 16 to 48.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(super) fn write(low: Vector, high: Vector, to: &mut [MaybeUninit<u8>; STEP_LEN]) -> usize {
    // SAFETY: `EIGHT_UNITS_LEN <= STEP_LEN`.
    let len = write_eight(low, unsafe { block_mut(to, 0) });
    // SAFETY: `len <= 24`, so `len + EIGHT_UNITS_LEN <= STEP_LEN`.
    len + write_eight(high, unsafe { block_mut(to, len) })
}

/// Writes eight code units that are not surrogates. Initialises the number of slots that it returns, 8 to 24.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn write_eight(units: Vector, to: &mut [MaybeUninit<u8>; EIGHT_UNITS_LEN]) -> usize {
    let is_ascii = units.and(Vector::splat_units(0xFF80)).eq_units(Vector::zero());
    let is_short = units.and(Vector::splat_units(0xF800)).eq_units(Vector::zero());
    let last = units.and(Vector::splat_units(0x3F)).or(Vector::splat_units(0x80));
    let two = units.shr_units::<6>().or(Vector::splat_units(0xC0));
    // The masks of the units with a second byte, and with a third.
    let multi = !is_ascii.narrow_masks(is_ascii).bits() & 0xFF;
    let long = !is_short.narrow_masks(is_short).bits() & 0xFF;
    if long == 0 {
        let bytes = is_ascii.select(units, two.or(last.shl_units::<8>()));
        // SAFETY: `16 <= EIGHT_UNITS_LEN`.
        bytes.swizzle(Vector::load(&compaction::PAIRS[multi as usize])).store(unsafe { block_mut(to, 0) });
        return 8 + multi.count_ones() as usize;
    }
    let middle = units.shr_units::<6>().and(Vector::splat_units(0x3F)).or(Vector::splat_units(0x80));
    let three = units.shr_units::<12>().or(Vector::splat_units(0xE0)).or(middle.shl_units::<8>());
    let first = is_ascii.select(units, is_short.select(two, three));
    let four = |long: u32, multi: u32| {
        let compact = &compaction::TRIPLES[(long & 0xF | multi << 4 & 0xF0) as usize];
        (Vector::load(compact), 4 + ((long & 0xF).count_ones() + (multi & 0xF).count_ones()) as usize)
    };
    let (compact_low, low_len) = four(long, multi);
    let (compact_high, high_len) = four(long >> 4, multi >> 4);
    // SAFETY: `16 <= EIGHT_UNITS_LEN`.
    first.zip_units_low(last).swizzle(compact_low).store(unsafe { block_mut(to, 0) });
    // SAFETY: `low_len <= 12`, by its calculation, so `low_len + 16 <= EIGHT_UNITS_LEN`.
    first.zip_units_high(last).swizzle(compact_high).store(unsafe { block_mut(to, low_len) });
    low_len + high_len
}
