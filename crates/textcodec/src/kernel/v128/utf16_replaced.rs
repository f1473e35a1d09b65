//! UTF-16 with unpaired surrogates as U+FFFD, 16 code units per step. Not with SSE4.1, for size: the scalar twin does it there.

use super::{
    Vector,
    ascii::{block_at, store_units},
    utf16::{in_order, is_surrogate},
};
use crate::kernel::{Out, block::block_mut, reference, surrogates::Surrogates, tables::ByteOrder};

/// Reads code units in a byte order, replaces unpaired surrogates, and adds their number to `replaced`.
pub(crate) fn from_bytes_replaced(order: ByteOrder, src: &[u8], out: &mut Out<'_, u16>, replaced: &mut u64) -> usize {
    let units = (src.len() / 2).min(out.spare_len());
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    let (mut at, mut pending_high) = (0, false);
    while at + 16 <= units {
        let low = in_order(order, Vector::load(block_at(src, 2 * at)));
        let high = in_order(order, Vector::load(block_at(src, 2 * at + 16)));
        let surrogates = surrogates(low.narrow_upper(high));
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

/// Returns which of 16 code units with these upper bytes are surrogates.
#[inline]
fn surrogates(upper: Vector) -> Surrogates {
    let all = is_surrogate(upper);
    if !all.any() {
        return Surrogates { highs: 0, lows: 0 };
    }
    let highs = u64::from(upper.and(Vector::splat(0xFC)).eq(Vector::splat(0xD8)).bits());
    Surrogates { highs, lows: u64::from(all.bits()) ^ highs }
}

/// Returns 16 code units with U+FFFD in `lanes`.
#[inline]
fn replaced_in([low, high]: [Vector; 2], lanes: u64) -> [Vector; 2] {
    let bits = Vector::load_units(&[1, 2, 4, 8, 16, 32, 64, 128]);
    let replaced = |units, lanes: u64| {
        let is_in_lanes = Vector::splat_units(lanes as u16 & 0xFF).and(bits).eq_units(bits);
        is_in_lanes.select(Vector::splat_units(0xFFFD), units)
    };
    [replaced(low, lanes), replaced(high, lanes >> 8)]
}
