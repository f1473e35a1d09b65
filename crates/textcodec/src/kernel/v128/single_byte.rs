//! Single bytes, 16 a step: to code points by the table's eight rows of 16, of which each finds the bytes that are its own; from
//! code points in the same way, where all are ASCII or in the row of 128 that most are in, otherwise one by one.
//!
//! Looking up bytes one by one as well ran at three quarters of the speed; and storing what was looked up one by one, instead of
//! loading it as a vector, at four fifths.

use super::{
    Vector,
    ascii::{self, block, store_units, store_widened},
    utf8::{by_units, padded},
    utf16,
};
use crate::kernel::{
    Out,
    block::block_mut,
    reference::{self, double_byte::decode::Form},
    tables::{CommonRows, ToByte, Upper},
};

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn to_utf16(upper: &Upper, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let len = src.len().min(out.spare_len());
    if len < 16 {
        return reference::single_byte::to_utf16(upper, src, out);
    }
    let spare = out.spare();
    let mut at = 0;
    while at < len {
        at = at.min(len - 16);
        let bytes = Vector::load(block(src, at));
        // SAFETY: `at + 16 <= len <= spare.len()`.
        let to = unsafe { block_mut(spare, at) };
        if bytes.any_upper_bit() {
            let (low, high) = look_up(upper, bytes);
            store_units(low, high, to);
            let unmapped = unmapped(bytes, low, high);
            if unmapped != 0 {
                at += unmapped.trailing_zeros() as usize;
                break;
            }
        } else {
            store_widened(bytes, to);
        }
        at += 16;
    }
    // SAFETY: the `at` slots are stored.
    unsafe { out.advance(at) };
    at
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn to_utf8(upper: &Upper, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let mut read = 0;
    while let Some(bytes) = src[read..].first_chunk()
        && out.spare_len() >= utf16::STEP_LEN
    {
        let letters = Vector::load(bytes).bits();
        read += if letters == 0 {
            ascii::copy(&src[read..], out)
        } else {
            let taken = if letters.is_power_of_two() {
                up_to_letter_to_utf8(upper, bytes, letters.trailing_zeros() as usize, out)
            } else {
                sixteen_to_utf8(upper, bytes, 16, out)
            };
            if taken == 0 {
                break;
            }
            taken
        };
    }
    let rest = &src[read..];
    if rest.len() < 16 && rest.len() > 3 && out.spare_len() >= utf16::STEP_LEN {
        read += sixteen_to_utf8(upper, &padded(rest), rest.len(), out);
    }
    read + reference::single_byte::to_utf8(upper, &src[read..], out)
}

/// Converts the first 16 bytes up to the one that is not ASCII; nothing where that is unmapped. There is [`utf16::STEP_LEN`].
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn up_to_letter_to_utf8(upper: &Upper, bytes: &[u8; 16], at: usize, out: &mut Out<'_, u8>) -> usize {
    let unit = upper.get(usize::from(bytes[at] - 0x80));
    if unit == 0 {
        return 0;
    }
    out.extend_some(bytes, at);
    <u8 as Form>::put_unit(unit, out);
    at + 1
}

/// Converts 16 bytes, of which `len` count and the others are 0; nothing where one is unmapped. There is [`utf16::STEP_LEN`].
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn sixteen_to_utf8(upper: &Upper, bytes: &[u8; 16], len: usize, out: &mut Out<'_, u8>) -> usize {
    let bytes = Vector::load(bytes);
    let (low, high) = look_up(upper, bytes);
    if unmapped(bytes, low, high) != 0 {
        return 0;
    }
    let Some(to) = out.spare().first_chunk_mut() else { return 0 };
    let written = utf16::write(low, high, to);
    // SAFETY: the `written` slots are stored. Each zero after the bytes has become a byte.
    unsafe { out.advance(written - (16 - len)) };
    len
}

/// The code units of 16 bytes; 0 for those that are unmapped.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn look_up(table: &Upper, bytes: Vector) -> (Vector, Vector) {
    let [lower_rows, upper_rows] = &table.utf16;
    // Bytes above ASCII are in one of eight rows of 16.
    let mut lower = bytes.less_signed(Vector::zero()).select(Vector::zero(), bytes);
    let mut upper = Vector::zero();
    for row in 0..8 {
        let places = bytes.xor(Vector::splat(0x80 | (row as u8) << 4));
        lower = lower.or(Vector::load(block(lower_rows, 16 * row)).swizzle_within(places));
        upper = upper.or(Vector::load(block(upper_rows, 16 * row)).swizzle_within(places));
    }
    (lower.zip_low(upper), lower.zip_high(upper))
}

/// Where a byte above ASCII has become 0.
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
    let spare = out.spare();
    let mut at = 0;
    while at < len {
        at = at.min(len - 16);
        // SAFETY: `at + 16 <= len <= spare.len()`.
        let to = unsafe { block_mut(spare, at) };
        let units: &[u16; 16] = block(src, at);
        let (low, high) = (Vector::load_units(block(units, 0)), Vector::load_units(block(units, 8)));
        if low.or(high).and(Vector::splat_units(0xFF80)).any() {
            let bytes = row.look_up(low, high).unwrap_or_else(|| one_by_one(table, units));
            bytes.store(to);
            let is_zero = |units: Vector| units.eq_units(Vector::zero());
            // Only NUL may become 0.
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
    // SAFETY: the `at` slots are stored.
    unsafe { out.advance(at) };
    at
}

/// The row of 128 code points that most characters of an encoding are in.
struct Row<'a> {
    bytes: &'a [u8; 128],
    /// Its first code point.
    first: Vector,
}

impl<'a> Row<'a> {
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
    fn of(common: &'a CommonRows) -> Self {
        let first = i16::from(common.numbers[common.main]).cast_unsigned() << 7;
        Self { bytes: &common.rows[common.main], first: Vector::splat_units(first) }
    }

    /// The bytes of 16 code units that are ASCII or in this row; 0 where one is unmapped. None where another row has one.
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
    fn look_up(&self, low: Vector, high: Vector) -> Option<Vector> {
        let upper_bits = |units: Vector| units.and(Vector::splat_units(0xFF80));
        let is_ascii = |units: Vector| upper_bits(units).eq_units(Vector::zero());
        let is_here = |units: Vector| upper_bits(units).eq_units(self.first);
        let ascii = is_ascii(low).narrow_masks(is_ascii(high));
        let here = is_here(low).narrow_masks(is_here(high));
        if ascii.or(here).bits() != 0xFFFF {
            return None;
        }
        let lower_bits = |units: Vector| units.and(Vector::splat_units(0x7F));
        let places = lower_bits(low).narrow(lower_bits(high));
        let mut found = Vector::zero();
        for sixteen in 0..8 {
            let within = places.xor(Vector::splat((sixteen as u8) << 4));
            found = found.or(Vector::load(block(self.bytes, 16 * sixteen)).swizzle_within(within));
        }
        Some(ascii.select(places, found))
    }
}

/// The bytes of 16 code units; 0 for those that are unmapped.
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

/// Converts a character that has ASCII after it, and returns how many bytes it has: a block of code units would take longer.
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
