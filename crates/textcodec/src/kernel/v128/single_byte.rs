//! Single bytes: 16 per block. To code points, blocks are looked up in two planes of 128 bytes. From code points it is the same,
//! if all units are ASCII or in the row of 128 that contains most characters. Other units are looked up one by one.
//!
//! Tried without success: looking up bytes one by one (three quarters of the speed), and storing the results of single
//! look-ups one by one instead of loading them as a vector (four fifths).

use core::mem::MaybeUninit;

use super::{
    Rows, Vector,
    ascii::{LONG_RUN, block_at, convert_blocks, is_ascii, load, padded, store_if_below, store_units, store_widened},
    pack::{UP_TO_THREE_BYTES_LEN, up_to_three_bytes_apart, up_to_two_bytes},
    utf8_to_utf16::by_units,
};
use crate::kernel::{
    Out,
    block::{block, block_mut},
    reference,
    tables::{CommonRows, ToByte, UpperHalf, as_bytes},
};

/// The lower and upper bytes of the code points of bytes above ASCII.
struct Planes<'a> {
    rows: [Rows<'a>; 2],
    has_unmapped: bool,
}

impl<'a> Planes<'a> {
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
    fn load(upper: &'a UpperHalf) -> Self {
        let [lower, higher] = &upper.utf16;
        Self { rows: [Rows::load(lower), Rows::load(higher)], has_unmapped: upper.has_unmapped }
    }

    /// Returns the lower and upper bytes of the code points of 16 bytes, and the index of the first byte that is unmapped.
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
    fn look_up(&self, bytes: Vector) -> (Vector, Vector, Option<usize>) {
        // Bytes above ASCII are indices below 0x80, and ASCII gives 0.
        let indices = bytes.xor(Vector::splat(0x80));
        let [lower, upper] = [self.rows[0].look_up(indices), self.rows[1].look_up(indices)];
        let unmapped =
            if self.has_unmapped { lower.or(upper).eq(Vector::zero()).and(bytes).high_bits().first() } else { None };
        (bytes.less_signed(Vector::zero()).select(lower, bytes), upper, unmapped)
    }

    /// Converts 16 bytes. Returns the number of bytes of UTF-8, which are initialised, or `None` if a byte is unmapped.
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
    fn store_utf8(&self, bytes: Vector, to: &mut [MaybeUninit<u8>; UP_TO_THREE_BYTES_LEN]) -> Option<usize> {
        let (lower, upper, unmapped) = self.look_up(bytes);
        if unmapped.is_some() {
            return None;
        }
        if upper.and(Vector::splat(0xF8)).any() {
            return Some(up_to_three_bytes_apart(lower, upper, to));
        }
        let lead = upper.shl_insert::<2>(lower.shr::<6>()).or(Vector::splat(0xC0));
        let first = bytes.less_signed(Vector::zero()).select(lead, bytes);
        let second = Vector::splat(2).shl_insert::<6>(lower);
        // SAFETY: `UP_TO_TWO_BYTES_LEN <= UP_TO_THREE_BYTES_LEN`.
        Some(up_to_two_bytes(first, second, bytes, unsafe { block_mut(to, 0) }))
    }
}

#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn to_utf16(upper: &UpperHalf, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let len = src.len().min(out.spare_len());
    if len < 16 {
        return reference::single_byte::to_utf16(upper, src, out);
    }
    let planes = Planes::load(upper);
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    let (mut at, mut run) = (0, 0);
    while at < len {
        at = at.min(len - 16);
        // SAFETY: `at + 16 <= len`, and `len <= src.len()` and `len <= spare.len()`, from the `min` calls above.
        let (bytes, to) = unsafe { (Vector::load(block(src, at)), block_mut(spare, at)) };
        if bytes.any_high_bit() {
            run = 0;
            let (lower, upper, unmapped) = planes.look_up(bytes);
            store_units(lower.zip_low(upper), lower.zip_high(upper), to);
            if let Some(first) = unmapped {
                at += first;
                break;
            }
            at += 16;
            continue;
        }
        store_widened::<false>(bytes, to);
        at += 16;
        run += 1;
        while run >= LONG_RUN && len - at >= 64 {
            // SAFETY: `at + 64 <= len`, the loop condition, and `len <= src.len()` and `len <= spare.len()`.
            let (step, to): (_, &mut [_; 64]) = unsafe { (load(block(src, at)), block_mut(spare, at)) };
            if !is_ascii(step) {
                break;
            }
            for (bytes, to) in step.into_iter().zip(to.as_chunks_mut().0) {
                store_widened::<false>(bytes, to);
            }
            at += 64;
        }
    }
    // SAFETY: the loop has initialised the first `at` slots, in blocks without gaps: `at <= len`.
    unsafe { out.advance(at) };
    at
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn to_utf8(upper: &UpperHalf, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let planes = Planes::load(upper);
    // SAFETY: `store_utf8` initialises the slots that it returns, at most three for each byte.
    let read = unsafe { convert_blocks::<48, _>(src, out, |bytes, to| planes.store_utf8(bytes, to)) };
    let rest = &src[read..];
    if (4..16).contains(&rest.len())
        // SAFETY: only initialised values are stored in the slots.
        && let Some(to) = unsafe { out.spare() }.first_chunk_mut()
        && let Some(written) = planes.store_utf8(padded(rest), to)
    {
        // Each byte of the padding has become a byte.
        // SAFETY: `store_utf8` initialises `written` slots, and `written >= 16`, one byte per unit.
        unsafe { out.advance(written - (16 - rest.len())) };
        return src.len();
    }
    read + reference::single_byte::to_utf8(upper, rest, out)
}

#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn from_utf16(table: &ToByte, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let len = src.len().min(out.spare_len());
    if len < 16 {
        return reference::single_byte::from_utf16(table, src, out);
    }
    let row = Row::of(table.common);
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    let (mut at, mut run) = (0, 0);
    while at < len {
        at = at.min(len - 16);
        // SAFETY: `at + 16 <= len`, and `len <= src.len()` and `len <= spare.len()`, from the `min` calls above.
        let (units, to): (&[_; 16], _) = unsafe { (block(src, at), block_mut(spare, at)) };
        let (low, high) = (Vector::load_units(block_at(units, 0)), Vector::load_units(block_at(units, 8)));
        if low.or(high).and(Vector::splat_units(0xFF80)).any() {
            run = 0;
            let bytes = row.look_up(low, high).unwrap_or_else(|| one_by_one(table, units));
            bytes.store(to);
            let is_zero = |units: Vector| units.eq_units(Vector::zero());
            // Only U+0000 may become 0.
            let unmapped = bytes.eq(Vector::zero()).xor(is_zero(low).narrow_masks(is_zero(high)));
            if let Some(first) = unmapped.high_bits().first() {
                at += first;
                break;
            }
            at += 16;
            continue;
        }
        low.narrow(high).store(to);
        at += 16;
        run += 1;
        while run >= LONG_RUN && len - at >= 64 {
            // SAFETY: `at + 64 <= len`, the loop condition, and `len <= src.len()` and `len <= spare.len()`.
            let (units, to): (&[_; 64], _) = unsafe { (block(src, at), block_mut(spare, at)) };
            if !as_bytes(units).first_chunk().is_some_and(|units| store_if_below::<false>(0x80, units, to)) {
                break;
            }
            at += 64;
        }
    }
    // SAFETY: the loop has initialised the first `at` slots, in blocks without gaps: `at <= len`.
    unsafe { out.advance(at) };
    at
}

/// The row of 128 code points that contains most characters of an encoding.
struct Row<'a> {
    bytes: Rows<'a>,
    /// The first code point.
    first: Vector,
}

impl<'a> Row<'a> {
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
    fn of(common: &'a CommonRows) -> Self {
        let first = i16::from(common.numbers[common.main]).cast_unsigned() << 7;
        Self { bytes: Rows::load(&common.rows[common.main]), first: Vector::splat_units(first) }
    }

    /// Returns the bytes of 16 code units, 0 for those that are unmapped. Returns `None` if one is neither ASCII nor in this
    /// row.
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
    fn look_up(&self, low: Vector, high: Vector) -> Option<Vector> {
        let upper_bits = |units: Vector| units.and(Vector::splat_units(0xFF80));
        let is_ascii = |units: Vector| upper_bits(units).eq_units(Vector::zero());
        let is_in_row = |units: Vector| upper_bits(units).eq_units(self.first);
        let ascii = is_ascii(low).narrow_masks(is_ascii(high));
        let in_row = is_in_row(low).narrow_masks(is_in_row(high));
        if ascii.or(in_row).xor(Vector::splat(0xFF)).any_high_bit() {
            return None;
        }
        let lower_bits = |units: Vector| units.and(Vector::splat_units(0x7F));
        let indices = lower_bits(low).narrow(lower_bits(high));
        Some(ascii.select(indices, self.bytes.look_up(indices)))
    }
}

/// Returns the bytes of 16 code units: 0 for those that are unmapped.
#[inline(never)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn one_by_one(table: &ToByte, units: &[u16; 16]) -> Vector {
    let mut bytes = [0; 16];
    for (byte, &unit) in bytes.iter_mut().zip(units) {
        *byte = if unit < 0x80 { unit as u8 } else { table.get(unit).unwrap_or(0) };
    }
    Vector::load(&bytes)
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn from_utf8(table: &ToByte, src: &str, out: &mut Out<'_, u8>) -> usize {
    by_units(src, out, |rest| lone_from_utf8(table, rest), |units, out| from_utf16(table, units, out))
}

/// Converts a character that is followed by ASCII, for which a block of code units would take longer. Returns its byte, and its
/// length in UTF-8.
#[inline]
fn lone_from_utf8(table: &ToByte, rest: &[u8]) -> Option<(u8, usize)> {
    let len = match *rest {
        [0xC0..=0xDF, _, 0..=0x7F, ..] => 2,
        [0xE0..=0xEF, _, _, 0..=0x7F, ..] => 3,
        _ => return None,
    };
    table.get_utf8(rest).filter(|_| !cfg!(textcodec_small)).map(|byte| (byte, len))
}
