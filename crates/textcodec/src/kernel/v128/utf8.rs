//! UTF-8. Validation: by nibbles (Keiser and Lemire, tables `FIRST_HIGH`, `FIRST_LOW`, `SECOND_HIGH`), 64 bytes per step.

use super::{
    Vector,
    ascii::{is_ascii, load, padded, union},
};
use crate::kernel::{
    Out,
    tables::utf8::{FIRST_HIGH, FIRST_LOW, SECOND_HIGH, pending},
};

/// Bytes per step.
pub(super) const STEP: usize = 64;

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn prefix(src: &[u8]) -> usize {
    let all = src.as_chunks().0;
    let mut steps = all.iter();
    let mut before = Vector::zero();
    'steps: while let Some(step) = steps.next() {
        let mut step = load(step);
        if is_ascii(step) {
            if is_incomplete(before).any() {
                return whole_sequences(&src[..STEP * (all.len() - steps.len() - 1)]);
            }
            before = Vector::zero();
            while is_ascii(step) {
                let Some(next) = steps.next() else { break 'steps };
                step = load(next);
            }
        }
        if let Some([a, b, c, d]) = errors_in_step(before, step) {
            let zero = Vector::zero();
            let valid = Vector::bits_of([a.eq(zero), b.eq(zero), c.eq(zero), d.eq(zero)]).trailing_ones();
            return whole_sequences(&src[..STEP * (all.len() - steps.len() - 1) + valid as usize]);
        }
        before = step[3];
    }
    let mut at = STEP * all.len();
    while at < src.len() {
        let block = padded(&src[at..]);
        let valid = well_formed(before, block);
        if valid < 16 {
            return whole_sequences(&src[..src.len().min(at + valid)]);
        }
        before = block;
        at += 16;
    }
    whole_sequences(src)
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn copy(src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let read = prefix(&src[..src.len().min(out.spare_len())]);
    out.extend(&src[..read]);
    read
}

/// Returns the length without an incomplete sequence at the end. The bytes before it must be well-formed.
#[inline]
pub(super) fn whole_sequences(text: &[u8]) -> usize {
    text.len() - pending(text)
}

/// Returns the errors in 64 bytes, if there are any. An incomplete sequence at their end is not an error.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(super) fn errors_in_step(before: Vector, [a, b, c, d]: [Vector; 4]) -> Option<[Vector; 4]> {
    let errors = [errors(before, a), errors(a, b), errors(b, c), errors(c, d)];
    union(errors).any().then_some(errors)
}

/// Returns a vector that is non-zero in the lanes of a sequence that continues after the block.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn is_incomplete(block: Vector) -> Vector {
    const COMPLETE: [u8; 16] = {
        let mut max = [0xFF; 16];
        [max[13], max[14], max[15]] = [0xF0 - 1, 0xE0 - 1, 0xC0 - 1];
        max
    };
    block.saturating_sub(Vector::load(&COMPLETE))
}

/// Returns the number of bytes before the first error.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(super) fn well_formed(before: Vector, block: Vector) -> usize {
    let errors = errors(before, block);
    if errors.any() { errors.eq(Vector::zero()).bits().trailing_ones() as usize } else { 16 }
}

/// Returns a vector that is non-zero in the lanes of bytes that are malformed after the three bytes before them.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn errors(before: Vector, block: Vector) -> Vector {
    let previous = block.preceding::<15>(before);
    let pair = Vector::load(&FIRST_HIGH)
        .swizzle(previous.shr::<4>())
        .and(Vector::load(&FIRST_LOW).swizzle(previous.and(Vector::splat(0x0F))))
        .and(Vector::load(&SECOND_HIGH).swizzle(block.shr::<4>()));
    // The third or fourth byte of a sequence must be the second one of two continuation bytes, and no other byte may be.
    pair.flip_high_bits_after_leads(block.preceding::<14>(before), block.preceding::<13>(before))
}
