//! Encoding: 16 code units per step. Each is looked up, stored as two bytes, and counted as one or two, without a branch on
//! whether it is ASCII. From the first character of four bytes on, the remaining units of a step are stored as four bytes each.

use core::mem::MaybeUninit;

use crate::kernel::{
    Out,
    block::block_mut,
    reference::ascii,
    tables::{
        ToBytes,
        four_bytes::{ABOVE_BMP, four_bytes},
    },
};

pub(crate) const STEP: usize = 16;

pub(crate) fn from_utf16(table: &ToBytes, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    from_utf16_with(ascii::from_utf16, step, table, src, out)
}

/// Encodes. `ascii`, a level's kernel, converts runs of ASCII, and `step` the characters of a step, as the function here does.
#[inline(always)]
pub(crate) fn from_utf16_with(
    ascii: impl Fn(&[u16], &mut Out<'_, u8>) -> usize,
    step: impl Fn(&ToBytes, &[u16; STEP], &mut Out<'_, u8>) -> usize,
    table: &ToBytes,
    src: &[u16],
    out: &mut Out<'_, u8>,
) -> usize {
    let mut read = 0;
    loop {
        // ASCII needs less capacity than `step`.
        while let Some(units) = src[read..].first_chunk::<STEP>()
            && (out.spare_len() >= STEP * table.max_bytes_per_unit() || !cfg!(textcodec_small))
        {
            let converted = if table.has_ascii() && units.iter().fold(0, |bits, unit| bits | unit) < 0x80 {
                ascii(&src[read..], out)
            } else {
                step(table, units, out)
            };
            read += converted;
            if converted < STEP {
                break;
            }
        }
        match character_from_utf16(table, &src[read..], out) {
            0 => return read,
            len => read += len,
        }
    }
}

/// Converts characters of the BMP up to U+0000 or the first unmappable one. Returns their number: 0 if the longest output would
/// not fit.
pub(crate) fn step(table: &ToBytes, units: &[u16; STEP], out: &mut Out<'_, u8>) -> usize {
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    if spare.len() < STEP * table.max_bytes_per_unit() {
        return 0;
    }
    let (mut read, mut written) = (STEP, 0);
    for (n, &unit) in units.iter().enumerate() {
        let entry = table.entry(unit);
        if entry < ToBytes::MIN_BYTES {
            read = n;
            break;
        }
        // SAFETY: `written <= 2 * n` and `n < STEP`, so `written + 2 <= 2 * STEP <= spare.len()`, which was checked above.
        *unsafe { block_mut(spare, written) } = entry.to_be_bytes().map(MaybeUninit::new);
        written += byte_count(entry);
    }
    while let Some(bases) = table.bases()
        && let Some(&unit) = units.get(read)
    {
        let entry = table.entry(unit);
        if entry == 0 {
            break;
        }
        let four = four_bytes(bases.pointer(unit, entry));
        let [leading, trailing] = entry.to_be_bytes();
        let is_four = entry < ToBytes::MIN_BYTES;
        let bytes = if is_four { four } else { [leading, trailing, 0, 0] };
        // SAFETY: `written <= 4 * read` and `read < STEP`, so `written + 4 <= 4 * STEP`. The table has bases, so its
        // `max_bytes_per_unit` is 4, and `4 * STEP <= spare.len()` was checked above.
        let slots: &mut [_; 4] = unsafe { block_mut(spare, written) };
        for (slot, byte) in slots.iter_mut().zip(bytes) {
            slot.write(byte);
        }
        written += if is_four { 4 } else { byte_count(entry) };
        read += 1;
    }
    // SAFETY: the stores above have initialised the first `written` slots, without gaps.
    unsafe { out.advance(written) };
    read
}

/// Converts one character. Returns its length in code units, or 0 if it is unmappable or does not fit.
pub(crate) fn character_from_utf16(table: &ToBytes, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let Some(&unit) = src.first() else { return 0 };
    if let (0xD800..=0xDBFF, Some(&second @ 0xDC00..=0xDFFF)) = (unit, src.get(1)) {
        let above = (u32::from(unit - 0xD800) << 10) + u32::from(second - 0xDC00);
        return 2 * usize::from(table.bases().is_some() && out.extend(&four_bytes(ABOVE_BMP + above)));
    }
    usize::from(put(table, unit, out))
}

/// Converts UTF-8 one character at a time. Returns how many bytes were read.
#[inline(never)]
pub(crate) fn from_utf8(table: &ToBytes, src: &str, out: &mut Out<'_, u8>) -> usize {
    let pairs = pairs_from_utf8(table, src.as_bytes(), out);
    pairs + out.write_locally(|out| characters(table, src[pairs..].chars(), out))
}

/// Converts characters, up to one that is unmappable or does not fit. Returns their length in bytes of UTF-8.
#[inline]
pub(crate) fn characters(table: &ToBytes, src: impl Iterator<Item = char>, out: &mut Out<'_, u8>) -> usize {
    let mut read = 0;
    for character in src {
        let code_point = u32::from(character);
        let fits = match (u16::try_from(code_point), table.bases()) {
            (Ok(unit), _) => put(table, unit, out),
            (_, Some(_)) => out.extend(&four_bytes(ABOVE_BMP + code_point - 0x10000)),
            (_, None) => false,
        };
        if !fits {
            break;
        }
        read += character.len_utf8();
    }
    read
}

/// Converts characters that have three bytes in UTF-8 and two in the encoding, up to another one. Returns how many bytes were read.
#[inline]
pub(crate) fn pairs_from_utf8(table: &ToBytes, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    let mut count = 0;
    for (&[first, second, third], to) in src.as_chunks().0.iter().zip(spare.as_chunks_mut().0) {
        let unit = u16::from(first) << 12 | u16::from(second & 0x3F) << 6 | u16::from(third & 0x3F);
        let entry = table.entry(unit);
        if first & 0xF0 != 0xE0 || entry < ToBytes::MIN_BYTES || byte_count(entry) != 2 {
            break;
        }
        *to = entry.to_be_bytes().map(MaybeUninit::new);
        count += 1;
    }
    // SAFETY: the first `2 * count` spare slots are written: each character wrote the next two.
    unsafe { out.advance(2 * count) };
    3 * count
}

/// Whether the first character has four bytes and the next two units have fewer. After ASCII, vector kernels convert such a
/// character separately, because a step for four-byte characters is slow for a single one.
#[inline]
pub(crate) fn is_isolated_four_byte(table: &ToBytes, src: &[u16]) -> bool {
    let (is_four, next) = match *src {
        [0xD800..=0xDBFF, 0xDC00..=0xDFFF, a, b, ..] => (true, [a, b]),
        [unit, a, b, ..] => ((1..ToBytes::MIN_BYTES).contains(&table.entry(unit)), [a, b]),
        _ => return false,
    };
    is_four && next.iter().all(|&unit| table.entry(unit) >= ToBytes::MIN_BYTES)
}

/// Converts a code point of the BMP. Returns false if it is unmappable or does not fit.
#[inline(always)]
fn put(table: &ToBytes, unit: u16, out: &mut Out<'_, u8>) -> bool {
    let entry = table.entry(unit);
    match (entry.to_be_bytes(), table.bases()) {
        ([0, 0], _) => unit == 0 && table.has_ascii() && out.push(0),
        ([0, _], bases) => bases.is_some_and(|bases| out.extend(&four_bytes(bases.pointer(unit, entry)))),
        ([byte, 0], _) => out.push(byte),
        (pair, _) => out.extend(&pair),
    }
}

/// Returns the number of bytes of an entry: a pair or a single byte.
#[inline(always)]
fn byte_count(entry: u16) -> usize {
    1 + usize::from(entry & 0xFF != 0)
}
