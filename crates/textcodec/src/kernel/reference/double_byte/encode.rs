//! Sixteen code units a step: each is looked up, stored as two bytes, and counted as one or two, so nothing branches on whether a
//! character is ASCII. In text of four-byte characters the rest of a step is stored as four bytes each.

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

const STEP: usize = 16;

pub(crate) fn from_utf16(table: &ToBytes, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    from_utf16_with(ascii::from_utf16, table, src, out)
}

/// With another level's kernel for runs of ASCII.
#[inline(always)]
pub(crate) fn from_utf16_with(
    ascii: impl Fn(&[u16], &mut Out<'_, u8>) -> usize,
    table: &ToBytes,
    src: &[u16],
    out: &mut Out<'_, u8>,
) -> usize {
    let mut read = 0;
    loop {
        // ASCII takes less room than a step.
        while let Some(units) = src[read..].first_chunk::<STEP>()
            && (out.spare_len() >= STEP * table.bytes_per_unit() || !cfg!(textcodec_small))
        {
            let taken = if table.has_ascii() && units.iter().fold(0, |all, unit| all | unit) < 0x80 {
                ascii(&src[read..], out)
            } else {
                step(table, units, out)
            };
            read += taken;
            if taken < STEP {
                break;
            }
        }
        match character_from_utf16(table, &src[read..], out) {
            0 => return read,
            taken => read += taken,
        }
    }
}

/// As many characters of the BMP as are mapped; none where all of them may not fit.
fn step(table: &ToBytes, units: &[u16; STEP], out: &mut Out<'_, u8>) -> usize {
    let spare = out.spare();
    if spare.len() < STEP * table.bytes_per_unit() {
        return 0;
    }
    let (mut taken, mut written) = (STEP, 0);
    for (n, &unit) in units.iter().enumerate() {
        let entry = table.entry(unit);
        if entry < ToBytes::LEAST {
            taken = n;
            break;
        }
        // SAFETY: `written + 2 <= 2 * STEP <= spare.len()`: each of the `n < STEP` units before took two bytes at most.
        *unsafe { block_mut(spare, written) } = entry.to_be_bytes().map(MaybeUninit::new);
        written += byte_count(entry);
    }
    while let Some(bases) = table.bases()
        && let Some(&unit) = units.get(taken)
    {
        let entry = table.entry(unit);
        if entry == 0 {
            break;
        }
        let four = four_bytes(bases.pointer(unit, entry));
        let [leading, trailing] = entry.to_be_bytes();
        let is_four = entry < ToBytes::LEAST;
        let bytes = if is_four { four } else { [leading, trailing, 0, 0] };
        // SAFETY: `written + 4 <= 4 * STEP <= spare.len()`: a table with bases has four bytes a unit, and each of the
        // `taken < STEP` units before took four at most.
        *unsafe { block_mut(spare, written) } = bytes.map(MaybeUninit::new);
        written += if is_four { 4 } else { byte_count(entry) };
        taken += 1;
    }
    // SAFETY: the `written` slots are stored.
    unsafe { out.advance(written) };
    taken
}

/// One character, if it fits; how many code units it has.
pub(crate) fn character_from_utf16(table: &ToBytes, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let Some(&unit) = src.first() else { return 0 };
    if let (0xD800..=0xDBFF, Some(&second @ 0xDC00..=0xDFFF)) = (unit, src.get(1)) {
        let above = (u32::from(unit - 0xD800) << 10) + u32::from(second - 0xDC00);
        return 2 * usize::from(table.bases().is_some() && out.extend(&four_bytes(ABOVE_BMP + above)));
    }
    usize::from(put(table, unit, out))
}

/// Whether the first character has four bytes and the next two have fewer: a step of a vector kernel is slow for one character.
#[inline]
pub(crate) fn is_lone_four(table: &ToBytes, src: &[u16]) -> bool {
    let (is_four, next) = match *src {
        [0xD800..=0xDBFF, 0xDC00..=0xDFFF, a, b, ..] => (true, [a, b]),
        [unit, a, b, ..] => ((1..ToBytes::LEAST).contains(&table.entry(unit)), [a, b]),
        _ => return false,
    };
    is_four && next.iter().all(|&unit| table.entry(unit) >= ToBytes::LEAST)
}

/// A code point of the BMP; false where it is unmapped or does not fit.
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

/// How many bytes the entry of a pair or a single byte stands for.
#[inline(always)]
fn byte_count(entry: u16) -> usize {
    1 + usize::from(entry & 0xFF != 0)
}
