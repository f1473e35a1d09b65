//! Characters, packed to UTF-8: a table of shuffles removes the bytes that shorter characters lack.

use core::mem::MaybeUninit;

use super::vector::{Vector, ones_of_byte};
use crate::kernel::{block::block_mut, compaction};

/// The capacity for 16 characters of up to two bytes: eight become at most 16 bytes, and the other eight are stored as 16.
pub(super) const UP_TO_TWO_BYTES_LEN: usize = 32;

/// Stores 16 characters: their first bytes, and the second bytes of those whose lane in `twos` has its high bit set. Initialises
/// the number of slots that it returns, 16 to 32.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(super) fn up_to_two_bytes(
    first: Vector,
    second: Vector,
    twos: Vector,
    to: &mut [MaybeUninit<u8>; UP_TO_TWO_BYTES_LEN],
) -> usize {
    let twos = twos.bits();
    let len = 8 + ones_of_byte(twos & 0xFF);
    let pairs = |mask: u32| Vector::load(&compaction::PAIRS[mask as usize]);
    // SAFETY: `len` is 8 and the number of bits in a byte: `len + 16 <= 32`.
    unsafe {
        first.zip_low(second).swizzle(pairs(twos & 0xFF)).store(block_mut(to, 0));
        first.zip_high(second).swizzle(pairs(twos >> 8)).store(block_mut(to, len));
    }
    len + 8 + ones_of_byte(twos >> 8)
}

/// The capacity for 16 characters of up to three bytes: four become at most 12 bytes, and the last four are stored as 16.
pub(super) const UP_TO_THREE_BYTES_LEN: usize = 36 + 16;

/// Stores 16 code points below 0x800, given as planes of their lower and upper bytes. Initialises the number of slots that it
/// returns, 16 to 32.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(super) fn below_0x800(lower: Vector, upper: Vector, to: &mut [MaybeUninit<u8>; UP_TO_TWO_BYTES_LEN]) -> usize {
    let ascii = is_ascii(lower, upper);
    let lead = upper.shl_insert::<2>(lower.shr::<6>()).or(Vector::splat(0xC0));
    let second = Vector::splat(2).shl_insert::<6>(lower);
    up_to_two_bytes(ascii.select(lower, lead), second, ascii.xor(Vector::splat(0xFF)), to)
}

/// Stores 16 code points of the BMP, given as planes of their lower and upper bytes. Initialises the number of slots that it
/// returns, 16 to 48.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(super) fn up_to_three_bytes(
    lower: Vector,
    upper: Vector,
    to: &mut [MaybeUninit<u8>; UP_TO_THREE_BYTES_LEN],
) -> usize {
    let six = |bytes: Vector| Vector::splat(2).shl_insert::<6>(bytes);
    let short = upper.and(Vector::splat(0xF8)).eq(Vector::zero());
    let ascii = is_ascii(lower, upper);
    // For each four code points: those of three bytes in the lower four bits, those of two or three in the upper ones.
    let longer = !Vector::columns_of_four(short, ascii);
    if longer == u32::MAX {
        let first = upper.shr::<4>().or(Vector::splat(0xE0));
        let second = six(upper.shl_insert::<2>(lower.shr::<6>()));
        // SAFETY: `48 <= UP_TO_THREE_BYTES_LEN`.
        Vector::store_triples([first, second, six(lower)], unsafe { block_mut(to, 0) });
        return 48;
    }
    // Byte `n` is the number of bytes of the first `4 * (n + 1)` code points.
    let counts = (Vector::ones_of_bytes(longer.into()) as u32 + 0x0404_0404).wrapping_mul(0x0101_0101);
    let middle = upper.shl_insert::<2>(lower.shr::<6>());
    // The second byte of two is the third one here. The shuffle drops the second one.
    let first = short.select(middle.or(Vector::splat(0xC0)), upper.shr::<4>().or(Vector::splat(0xE0)));
    let first = ascii.select(lower, first);
    let (middle, last) = (six(middle), six(lower));
    for (half, pairs) in [first.zip_low(middle), first.zip_high(middle)].into_iter().enumerate() {
        let last = if half == 0 { last.zip_low(last) } else { last.zip_high(last) };
        for (part, four) in [pairs.zip_units_low(last), pairs.zip_units_high(last)].into_iter().enumerate() {
            let group = 8 * (2 * half + part);
            let shuffle = &compaction::TRIPLES[(longer >> group) as usize & 0xFF];
            let offset = (counts << 8 >> group) as usize & 0xFF;
            // SAFETY: `offset` is the number of bytes of at most 12 code points: `offset <= 36`.
            four.swizzle(Vector::load(shuffle)).store(unsafe { block_mut(to, offset) });
        }
    }
    (counts >> 24) as usize
}

/// The same, not inlined: for callers with other loops, which need the registers, and at the end of an input.
#[inline(never)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(super) fn up_to_three_bytes_apart(
    lower: Vector,
    upper: Vector,
    to: &mut [MaybeUninit<u8>; UP_TO_THREE_BYTES_LEN],
) -> usize {
    up_to_three_bytes(lower, upper, to)
}

/// Returns the mask of the code points below 0x80.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn is_ascii(lower: Vector, upper: Vector) -> Vector {
    upper.or(lower.and(Vector::splat(0x80))).eq(Vector::zero())
}
