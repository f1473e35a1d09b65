//! Single bytes: 16 per step. To code points, each of the table's eight rows of 16 is looked up, and each byte selects from one
//! row. From code points it is the same, if all units are ASCII or in the row of 128 that contains most characters. Other units
//! are looked up one by one.
//!
//! Tried without success: looking up bytes one by one (three quarters of the speed), and storing the results of single
//! look-ups one by one instead of loading them as a vector (four fifths).

use super::{
    Vector,
    ascii::{self, block_at, store_units, store_widened},
    utf8::{by_units, padded},
    utf16,
};
use crate::kernel::{
    Out,
    block::block_mut,
    reference::{self, double_byte::decode::Form},
    tables::{CommonRows, ToByte, UpperHalf},
};

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn to_utf16(upper: &UpperHalf, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let len = src.len().min(out.spare_len());
    if len < 16 {
        return reference::single_byte::to_utf16(upper, src, out);
    }
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    let mut at = 0;
    while at < len {
        at = at.min(len - 16);
        let bytes = Vector::load(block_at(src, at));
        // SAFETY: `at + 16 <= len` and `len <= spare.len()`, both from the `min` calls above.
        let to = unsafe { block_mut(spare, at) };
        if bytes.any_high_bit() {
            let (low, high) = look_up(upper, bytes);
            store_units(low, high, to);
            let unmapped = unmapped(bytes, low, high);
            if unmapped != 0 {
                at += unmapped.trailing_zeros() as usize;
                break;
            }
        } else {
            store_widened::<false>(bytes, to);
        }
        at += 16;
    }
    // SAFETY: the loop has initialised the first `at` slots, in blocks without gaps: `at <= len`.
    unsafe { out.advance(at) };
    at
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn to_utf8(upper: &UpperHalf, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let mut read = 0;
    while let Some(bytes) = src[read..].first_chunk()
        && out.spare_len() >= utf16::STEP_LEN
    {
        let non_ascii = Vector::load(bytes).bits();
        read += if non_ascii == 0 {
            ascii::copy(&src[read..], out)
        } else {
            let converted = if non_ascii.is_power_of_two() {
                through_non_ascii_to_utf8(upper, bytes, non_ascii.trailing_zeros() as usize, out)
            } else {
                block_to_utf8(upper, Vector::load(bytes), 16, out)
            };
            if converted == 0 {
                break;
            }
            converted
        };
    }
    let rest = &src[read..];
    if rest.len() < 16 && rest.len() > 3 && out.spare_len() >= utf16::STEP_LEN {
        read += block_to_utf8(upper, padded(rest), rest.len(), out);
    }
    read + reference::single_byte::to_utf8(upper, &src[read..], out)
}

/// Converts `bytes[..=at]`, of which only the last is not ASCII. Returns the number of bytes read: 0 if the last one is
/// unmapped. `out.spare_len() >= utf16::STEP_LEN`, so the result fits.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn through_non_ascii_to_utf8(upper: &UpperHalf, bytes: &[u8; 16], at: usize, out: &mut Out<'_, u8>) -> usize {
    let unit = upper.get(usize::from(bytes[at] - 0x80));
    if unit == 0 {
        return 0;
    }
    out.extend_some(bytes, at);
    <u8 as Form>::put_unit(unit, out);
    at + 1
}

/// Converts 16 bytes, of which those from `len` on are padding with zeros. Returns `len`, or 0 if a byte is unmapped or
/// `out.spare_len() < utf16::STEP_LEN`.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn block_to_utf8(upper: &UpperHalf, bytes: Vector, len: usize, out: &mut Out<'_, u8>) -> usize {
    let (low, high) = look_up(upper, bytes);
    if unmapped(bytes, low, high) != 0 {
        return 0;
    }
    // SAFETY: only initialised values are stored in the slots.
    let Some(to) = unsafe { out.spare() }.first_chunk_mut() else { return 0 };
    let written = utf16::write(low, high, to);
    // Each byte of the padding has become a byte.
    let padding = 16_usize.saturating_sub(len);
    // SAFETY: `utf16::write` initialises `written` slots, and `written >= 16 >= padding`, one byte per unit.
    unsafe { out.advance(written - padding) };
    len
}

/// Returns the code units of 16 bytes: 0 for those that are unmapped.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn look_up(table: &UpperHalf, bytes: Vector) -> (Vector, Vector) {
    let [lower_rows, upper_rows] = &table.utf16;
    // A byte above ASCII is in one of eight rows of 16.
    let mut lower = bytes.less_signed(Vector::zero()).select(Vector::zero(), bytes);
    let mut upper = Vector::zero();
    for row in 0..8 {
        let indices = bytes.xor(Vector::splat(0x80 | (row as u8) << 4));
        lower = lower.or(Vector::load(block_at(lower_rows, 16 * row)).swizzle_within(indices));
        upper = upper.or(Vector::load(block_at(upper_rows, 16 * row)).swizzle_within(indices));
    }
    (lower.zip_low(upper), lower.zip_high(upper))
}

/// Returns the mask of the bytes above ASCII that have become 0.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn unmapped(bytes: Vector, low: Vector, high: Vector) -> u32 {
    let is_zero = |units: Vector| units.eq_units(Vector::zero());
    is_zero(low).narrow_masks(is_zero(high)).and(bytes).bits()
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn from_utf16(table: &ToByte, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let len = src.len().min(out.spare_len());
    if len < 16 {
        return reference::single_byte::from_utf16(table, src, out);
    }
    let row = Row::of(table.common);
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    let mut at = 0;
    while at < len {
        at = at.min(len - 16);
        // SAFETY: `at + 16 <= len` and `len <= spare.len()`, both from the `min` calls above.
        let to = unsafe { block_mut(spare, at) };
        let units: &[u16; 16] = block_at(src, at);
        let (low, high) = (Vector::load_units(block_at(units, 0)), Vector::load_units(block_at(units, 8)));
        if low.or(high).and(Vector::splat_units(0xFF80)).any() {
            let bytes = row.look_up(low, high).unwrap_or_else(|| one_by_one(table, units));
            bytes.store(to);
            let is_zero = |units: Vector| units.eq_units(Vector::zero());
            // Only U+0000 may become 0.
            let unmapped = bytes.eq(Vector::zero()).xor(is_zero(low).narrow_masks(is_zero(high))).bits();
            if unmapped != 0 {
                at += unmapped.trailing_zeros() as usize;
                break;
            }
        } else {
            low.narrow(high).store(to);
        }
        at += 16;
    }
    // SAFETY: the loop has initialised the first `at` slots, in blocks without gaps: `at <= len`.
    unsafe { out.advance(at) };
    at
}

/// The row of 128 code points that contains most characters of an encoding.
struct Row<'a> {
    bytes: &'a [u8; 128],
    /// The first code point.
    first: Vector,
}

impl<'a> Row<'a> {
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
    fn of(common: &'a CommonRows) -> Self {
        let first = i16::from(common.numbers[common.main]).cast_unsigned() << 7;
        Self { bytes: &common.rows[common.main], first: Vector::splat_units(first) }
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
        if ascii.or(in_row).bits() != 0xFFFF {
            return None;
        }
        let lower_bits = |units: Vector| units.and(Vector::splat_units(0x7F));
        let indices = lower_bits(low).narrow(lower_bits(high));
        let mut found = Vector::zero();
        for part in 0..8 {
            let within = indices.xor(Vector::splat((part as u8) << 4));
            found = found.or(Vector::load(block_at(self.bytes, 16 * part)).swizzle_within(within));
        }
        Some(ascii.select(indices, found))
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
    by_units(src, out, |src, out| lone_from_utf8(table, src, out), |units, out| from_utf16(table, units, out))
}

/// Converts a character that is followed by ASCII, for which a block of code units would take longer. Returns its length in
/// bytes, or 0.
#[inline]
fn lone_from_utf8(table: &ToByte, src: &str, out: &mut Out<'_, u8>) -> usize {
    let mut characters = src.chars();
    let first = characters.next().and_then(|first| u16::try_from(u32::from(first)).ok());
    let byte =
        first.filter(|_| !cfg!(textcodec_small) && characters.as_str().as_bytes().first().is_some_and(u8::is_ascii));
    match byte.and_then(|unit| table.get(unit)) {
        Some(byte) if out.push(byte) => src.len() - characters.as_str().len(),
        _ => 0,
    }
}
