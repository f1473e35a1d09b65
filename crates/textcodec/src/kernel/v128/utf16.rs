//! UTF-16. Validation and byte order: 16 code units per step. Conversion to UTF-8: eight units per step become three bytes
//! each, which a table of shuffles compacts. Units around surrogates are converted by the scalar code.
//!
//! Tried without success: converting a block up to its first surrogate in vectors, with its bytes counted under a mask. It
//! slows all other text down.

use core::mem::MaybeUninit;

use super::{
    Vector,
    ascii::{self, LONG_RUN, block_at, load, padded, planes, store_units, swapped},
    pack::{UP_TO_THREE_BYTES_LEN, below_0x800, up_to_three_bytes, up_to_three_bytes_apart},
};
use crate::kernel::{
    Out,
    block::{block, block_mut, rest_mut},
    reference,
    tables::ByteOrder,
};

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn prefix(src: &[u16]) -> usize {
    let mut pairing = Pairing::none();
    let mut at = 0;
    for units in src.as_chunks::<32>().0 {
        let [a, b] = units.as_chunks().0 else { unreachable!() };
        if !pairing.are_paired([upper(a), upper(b)]) {
            break;
        }
        at += 32;
    }
    if let Some(units) = src[at..].first_chunk()
        && pairing.are_paired([upper(units)])
    {
        at += 16;
    }
    let at = without_pending(&src[..at]);
    at + reference::utf16::prefix(&src[at..])
}

/// Whether surrogates are paired, across steps.
struct Pairing {
    /// The mask of the leading surrogates among the last 16 units.
    leading: Vector,
}

impl Pairing {
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
    fn none() -> Self {
        Self { leading: Vector::zero() }
    }

    /// Whether the surrogates of the next units are paired, except for a leading one at the end. The arguments are the upper bytes
    /// of 16 units each.
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
    fn are_paired<const N: usize>(&mut self, units: [Vector; N]) -> bool {
        let mut any = self.leading;
        for upper in units {
            any = any.or(is_surrogate(upper));
        }
        if !any.any() {
            return true;
        }
        let kind = |upper: Vector, bits: u8| upper.and(Vector::splat(0xFC)).eq(Vector::splat(bits));
        let (mut before, mut unpaired) = (self.leading, Vector::zero());
        for upper in units {
            let leading = kind(upper, 0xD8);
            unpaired = unpaired.or(kind(upper, 0xDC).xor(leading.preceding::<15>(before)));
            before = leading;
        }
        if unpaired.any() {
            return false;
        }
        self.leading = before;
        true
    }
}

/// Returns the length of units without a leading surrogate at their end.
#[inline]
fn without_pending(units: &[u16]) -> usize {
    units.len() - usize::from(matches!(units.last(), Some(0xD800..=0xDBFF)))
}

#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn from_bytes(order: ByteOrder, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let units = (src.len() / 2).min(out.spare_len());
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    let mut pairing = Pairing::none();
    let mut at = 0;
    while at + 32 <= units {
        // SAFETY: `2 * at + 64 <= 2 * units`, the loop condition, and `2 * units <= src.len()`.
        let [a, b, c, d] = load(unsafe { block(src, 2 * at) }).map(|units| in_order(order, units));
        if !pairing.are_paired([a.narrow_upper(b), c.narrow_upper(d)]) {
            break;
        }
        // SAFETY: `at + 32 <= units`, the loop condition, and `units <= spare.len()`, from the `min` call above.
        let to: &mut [_; 32] = unsafe { block_mut(spare, at) };
        for (units, to) in [a, b, c, d].into_iter().zip(to.as_chunks_mut().0) {
            units.store_units(to);
        }
        at += 32;
    }
    if at + 16 <= units {
        let low = in_order(order, Vector::load(block_at(src, 2 * at)));
        let high = in_order(order, Vector::load(block_at(src, 2 * at + 16)));
        if pairing.are_paired([low.narrow_upper(high)]) {
            // SAFETY: `at + 16 <= units`, the condition, and `units <= spare.len()`, from the `min` call above.
            store_units(low, high, unsafe { block_mut(spare, at) });
            at += 16;
        }
    }
    let is_pending = at > 0 && matches!(order.unit([src[2 * at - 2], src[2 * at - 1]]), 0xD800..=0xDBFF);
    at -= usize::from(is_pending);
    // SAFETY: the loop has initialised the first `at` slots, and one more if `is_pending`.
    unsafe { out.advance(at) };
    2 * at + reference::utf16::from_bytes(order, &src[2 * at..], out)
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn to_bytes(order: ByteOrder, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let units = src.len().min(out.spare_len() / 2);
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    let mut pairing = Pairing::none();
    let mut at = 0;
    while at + 32 <= units {
        // SAFETY: `at + 32 <= units`, the loop condition, and `units <= src.len()`.
        let [a, b, c, d] = unsafe { block::<_, 32>(src, at) }.as_chunks().0 else { unreachable!() };
        let (a, b) = (Vector::load_units(a), Vector::load_units(b));
        let (c, d) = (Vector::load_units(c), Vector::load_units(d));
        if !pairing.are_paired([a.narrow_upper(b), c.narrow_upper(d)]) {
            break;
        }
        // SAFETY: `2 * at + 64 <= 2 * units`, the loop condition, and `2 * units <= spare.len()`, from the `min` call above.
        let to: &mut [_; 64] = unsafe { block_mut(spare, 2 * at) };
        for (units, to) in [a, b, c, d].into_iter().zip(to.as_chunks_mut().0) {
            in_order(order, units).store(to);
        }
        at += 32;
    }
    if at + 16 <= units {
        let (low, high) = (Vector::load_units(block_at(src, at)), Vector::load_units(block_at(src, at + 8)));
        if pairing.are_paired([low.narrow_upper(high)]) {
            // SAFETY: `2 * at + 32 <= 2 * units`, the condition, and `2 * units <= spare.len()`, from the `min` call above.
            unsafe {
                in_order(order, low).store(block_mut(spare, 2 * at));
                in_order(order, high).store(block_mut(spare, 2 * at + 16));
            }
            at += 16;
        }
    }
    let at = without_pending(&src[..at]);
    // SAFETY: the loop has initialised the first `2 * at` slots, and two more after a leading surrogate.
    unsafe { out.advance(2 * at) };
    at + reference::utf16::to_bytes(order, &src[at..], out)
}

/// Converts code units from or to native byte order, which is little-endian on all of these platforms.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(super) fn in_order(order: ByteOrder, units: Vector) -> Vector {
    match order {
        ByteOrder::Little => units,
        ByteOrder::Big => swapped(units),
    }
}

/// Converts code units in little-endian order, or with `BIG` in big-endian order.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn to_utf8<const BIG: bool>(src: &[[u8; 2]], out: &mut Out<'_, u8>) -> usize {
    let read = blocks_to_utf8::<BIG>(src, out);
    let rest = &src[read..];
    if (4..16).contains(&rest.len())
        && !cfg!(textcodec_small)
        // SAFETY: only initialised values are stored in the slots.
        && let Some(to) = unsafe { out.spare() }.first_chunk_mut()
    {
        let bytes = rest.as_flattened();
        let (low, high) = (padded(bytes), padded(&bytes[bytes.len().min(16)..]));
        let [even, odd] = [low.narrow_lower(high), low.narrow_upper(high)];
        let (lower, upper) = if BIG { (odd, even) } else { (even, odd) };
        if !is_surrogate(upper).any() {
            let written = up_to_three_bytes_apart(lower, upper, to);
            // Each of the zeros after the units has become a byte.
            // SAFETY: `up_to_three_bytes` initialises `written` slots, and `written >= 16`, one byte per unit.
            unsafe { out.advance(written - (16 - rest.len())) };
            return src.len();
        }
    }
    if rest.is_empty() { read } else { read + reference::utf16::to_utf8::<BIG>(rest, out) }
}

/// Converts blocks of 16 units. Stops at an unpaired surrogate.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn blocks_to_utf8<const BIG: bool>(src: &[[u8; 2]], out: &mut Out<'_, u8>) -> usize {
    let mut read = 0;
    'all: loop {
        // SAFETY: only initialised values are stored in the slots.
        let spare = unsafe { out.spare() };
        // Each block is stored as at most 48 bytes, and the last one needs more capacity.
        let overhang = UP_TO_THREE_BYTES_LEN - 48;
        let blocks = ((src.len() - read) / 16).min(spare.len().saturating_sub(overhang) / 48);
        if blocks == 0 {
            return read;
        }
        let (all, _) = src[read..][..16 * blocks].as_chunks::<16>();
        let mut blocks = all.iter();
        let mut written = 0;
        'blocks: while let Some(block) = blocks.next() {
            let [mut lower, mut upper] = planes::<BIG>(block);
            let mut run = 0;
            while !upper.or(lower.and(Vector::splat(0x80))).any() {
                // SAFETY: `48 * all.len() <= spare.len()`, and the blocks so far were stored as at most 48 bytes each.
                lower.store(unsafe { block_mut(spare, written) });
                written += 16;
                run += 1;
                if run >= LONG_RUN {
                    while let Some(step) = blocks.as_slice().first_chunk::<4>()
                        && let Some(units) = step.as_flattened().first_chunk()
                        // SAFETY: as above.
                        && ascii::store_if_below::<BIG>(0x80, units, unsafe { block_mut(spare, written) })
                    {
                        written += 64;
                        blocks = blocks.as_slice()[4..].iter();
                    }
                }
                let Some(next) = blocks.next() else { break 'blocks };
                [lower, upper] = planes::<BIG>(next);
            }
            // SAFETY: `48 * all.len() + overhang <= spare.len()`, and the blocks so far were stored as at most 48 bytes each.
            let to: &mut [_; UP_TO_THREE_BYTES_LEN] = unsafe { block_mut(spare, written) };
            written += if !upper.and(Vector::splat(0xF8)).any() {
                // SAFETY: `UP_TO_TWO_BYTES_LEN <= UP_TO_THREE_BYTES_LEN`.
                below_0x800(lower, upper, unsafe { block_mut(to, 0) })
            } else if is_surrogate(upper).any() {
                let blocks = blocks.len() + 1;
                read += 16 * (all.len() - blocks);
                // SAFETY: `written <= spare.len()`: 48 bytes for each of `blocks`, and the overhang, are left.
                let rest = unsafe { rest_mut(spare, written) };
                // SAFETY: `3 * 16 * blocks < rest.len()`: as above.
                let (len, added) = unsafe { with_surrogates::<BIG>(&src[read..], 16 * blocks, rest) };
                // SAFETY: the stores have initialised these slots, without gaps.
                unsafe { out.advance(written + added) };
                if len == 0 {
                    return read;
                }
                read += len;
                continue 'all;
            } else {
                up_to_three_bytes(lower, upper, to)
            };
        }
        read += 16 * all.len();
        // SAFETY: the stores have initialised these slots, without gaps.
        unsafe { out.advance(written) };
    }
}

/// The maximum number of units that are converted one by one from a surrogate on: surrogate pairs are seldom isolated.
const WITH_SURROGATES: usize = 32;

/// Converts up to `limit` units one by one, up to an unpaired surrogate. A pair may begin with the last of them. Returns the
/// numbers of units read and of bytes initialised.
///
/// Not inlined: its loop needs registers.
///
/// # Safety
/// `3 * limit < to.len()`.
#[inline(never)]
unsafe fn with_surrogates<const BIG: bool>(
    src: &[[u8; 2]],
    limit: usize,
    to: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let order = ByteOrder::of(BIG);
    // One unit must follow.
    let limit = limit.min(WITH_SURROGATES).min(src.len().saturating_sub(1));
    let (mut read, mut written) = (0, 0);
    while read < limit {
        // SAFETY: `read + 2 <= limit + 1 <= src.len()`: the loop condition.
        let [unit, next] = unsafe { block(src, read) }.map(|unit| u32::from(order.unit(unit)));
        // The lower six bits of a number, in a continuation byte.
        let tail = |number: u32| 0x80 | number & 0x3F;
        // SAFETY: each unit so far has become at most three bytes, so `written <= 3 * (limit - 1)` and
        // `written + 4 <= 3 * limit + 1 <= to.len()`: this function's contract.
        let to: &mut [_; 4] = unsafe { block_mut(to, written) };
        let mut store = |bytes: u32| *to = bytes.to_le_bytes().map(MaybeUninit::new);
        if unit & 0xFC00 == 0xD800 && next & 0xFC00 == 0xDC00 {
            // The code point without its lower ten bits.
            let upper = (unit - 0xD800 + 0x40) << 10;
            let middle = upper >> 6 | next >> 6 & 0xF;
            store(0xF0 | upper >> 18 | tail(upper >> 12) << 8 | tail(middle) << 16 | tail(next) << 24);
            read += 2;
            written += 4;
            continue;
        }
        if unit < 0x80 {
            store(unit);
            written += 1;
        } else if unit < 0x800 {
            store(0xC0 | unit >> 6 | tail(unit) << 8);
            written += 2;
        } else if unit & 0xF800 != 0xD800 {
            store(0xE0 | unit >> 12 | tail(unit >> 6) << 8 | tail(unit) << 16);
            written += 3;
        } else {
            break;
        }
        read += 1;
    }
    (read, written)
}

/// Returns the upper bytes of 16 code units.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn upper(units: &[u16; 16]) -> Vector {
    Vector::load_units(block_at(units, 0)).narrow_upper(Vector::load_units(block_at(units, 8)))
}

/// Returns the mask of the surrogates among code units with these upper bytes.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(super) fn is_surrogate(upper: Vector) -> Vector {
    upper.and(Vector::splat(0xF8)).eq(Vector::splat(0xD8))
}
