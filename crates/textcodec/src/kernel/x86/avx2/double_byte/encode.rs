//! Encoding in steps of eight code units: looked up with plain loads, checked together, and packed by a shuffle for each set of
//! single bytes among them. Long text is first looked up and then packed, in blocks of up to 128 units. There, vectors compute the
//! number of each entry, if it is the sum of the code point and a number of its row.

use core::{arch::x86_64::*, array, mem::MaybeUninit};

use super::super::{super::look_up, ascii, gb18030_encode, vector::*};
use crate::kernel::{
    Out,
    block::{block_mut, values},
    compaction,
    each::Each as _,
    reference::double_byte::encode as reference,
    tables::{Bases, ToBytes},
};

/// Code units per step.
pub(crate) const STEP: usize = 8;
/// The maximum number of bytes of a step, and the number that is stored.
const BYTES: usize = 16;
/// Code units per step of ASCII.
const ASCII: usize = 16;
/// The number of 16 units in a block: the maximum, and the minimum. After fewer, loads would wait for the stores of look-ups.
const MAX_SIXTEENS: usize = 8;
const MIN_SIXTEENS: usize = 3;
/// The number of steps after a character of four bytes before a block is tried: where there is one, there are more.
const AFTER_OTHERS: usize = if path!("pairs-wait-after-four") { 64 } else { 1 };

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf16(table: &ToBytes, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    from_utf16_by(table, src, out, |table, bases, src, out| gb18030_encode::from_utf16(table, bases, src, out))
}

/// A kernel for text that begins with a character of four bytes. It returns how many units it read.
// Not a generic parameter: with two functions, the compiler inlines `put` into neither (cells `encode/*/utf-16/*/16B`).
pub(crate) type FourBytes = fn(&ToBytes, Bases, &[u16], &mut Out<'_, u8>) -> usize;

/// Encodes characters of four bytes with the kernel of a level.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf16_by(table: &ToBytes, src: &[u16], out: &mut Out<'_, u8>, four_bytes: FourBytes) -> usize {
    if src.first().is_some_and(|&unit| table.declines_unit(unit)) {
        return 0;
    }
    let has_blocks = table.has_ascii() && table.kept_bits() == u16::MAX && src.len() >= MIN_SIXTEENS * UNITS;
    // The number of steps before the next block.
    let (mut read, mut wait) = (0, if has_blocks { 0 } else { usize::MAX });
    while read < src.len() && out.spare_len() > 0 {
        let rest = &src[read..];
        if let Some(units) = rest.first_chunk::<ASCII>()
            && table.has_ascii()
            && put_ascii(units, out)
        {
            read += ASCII;
            // Cells `encode/*/utf-16/en/4KiB`.
            read += ascii::from_utf16(&src[read..], out);
            if path!("pairs-four-after-ascii")
                && table.bases().is_some()
                && reference::is_isolated_four_byte(table, &src[read..])
            {
                read += reference::character_from_utf16(table, &src[read..], out);
            }
            continue;
        }
        if wait == 0 && out.spare_len() >= 2 * UNITS * MIN_SIXTEENS {
            let converted = put_block(table, rest, &mut wait, out);
            read += converted;
            if converted > 0 {
                continue;
            }
        }
        wait = wait.saturating_sub(1);
        if out.spare_len() >= BYTES {
            let padded;
            let units = if let Some(units) = rest.first_chunk() {
                units
            } else {
                padded = array::from_fn(|n| rest.get(n).copied().unwrap_or(0));
                &padded
            };
            let converted = put(table, units, rest.len().min(STEP), out);
            read += converted;
            if converted == STEP || read == src.len() {
                continue;
            }
        }
        let rest = &src[read..];
        let converted = table.bases().map_or(0, |bases| four_bytes(table, bases, rest, out));
        if converted > 0 {
            read += converted;
            continue;
        }
        // U+0000, an unmapped character, or few spare bytes.
        match reference::character_from_utf16(table, rest, out) {
            0 => break,
            converted => read += converted,
        }
    }
    read
}

/// Writes 16 units if all are ASCII and fit. Otherwise returns false.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn put_ascii(units: &[u16; ASCII], out: &mut Out<'_, u8>) -> bool {
    let units = load_unit_block(units);
    // SAFETY: only initialised values are stored in the slots.
    let Some(to) = unsafe { out.spare() }.first_chunk_mut() else { return false };
    if any_exceeding(units, 0x7F) {
        return false;
    }
    store_half(_mm_packus_epi16(_mm256_castsi256_si128(units), _mm256_extracti128_si256::<1>(units)), to);
    // SAFETY: `store_half` has written `to`, the first 16 spare slots, and `ASCII` is 16.
    unsafe { out.advance(ASCII) };
    true
}

/// Converts up to 128 units: 16 at a time, up to those that are all ASCII, or have a character that is unmapped or has four bytes.
/// Returns the number of units. If it is small, sets `wait` to the number of steps that are better converted without this.
///
/// The table keeps all bits of entries. First, all are looked up, and then all are packed: as long as it is not known where a
/// store begins, look-ups after it wait.
// Cold, so that it is not inlined: it would take registers.
#[cold]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn put_block(table: &ToBytes, src: &[u16], wait: &mut usize, out: &mut Out<'_, u8>) -> usize {
    if src.first().is_some_and(|&unit| table.entry(unit) < ToBytes::MIN_BYTES) {
        *wait = AFTER_OTHERS;
        return 0;
    }
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    let fitting = MAX_SIXTEENS.min(spare.len() / (2 * UNITS));
    let is_ascii = |units: &[u16; UNITS]| !any_exceeding(load_unit_block(units), 0x7F);
    let count = src.as_chunks::<UNITS>().0.iter().take(fitting).take_while(|units| !is_ascii(units)).count();
    if count < MIN_SIXTEENS {
        *wait = if path!("pairs-wait-after-ascii") { 2 * count } else { 1 };
        return 0;
    }
    let mut entries = Aligned([const { [const { MaybeUninit::uninit() }; STEP] }; 2 * MAX_SIXTEENS]);
    look_up_all(table, &src.as_chunks().0[..count], &mut entries.0[..2 * count]);
    // By halves: all lower bytes, then all upper bytes.
    let planes = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15));
    let swap = _mm256_broadcastsi128_si256(load_half(&SWAP));
    let (mut read, mut written) = (0, 0);
    for halves in &entries.0.as_chunks::<2>().0[..count] {
        // SAFETY: `look_up_all` has stored `2 * count` halves.
        let [first, second] = halves.each_ref().each(|half| load_half_units(unsafe { values(half) }));
        let entries = _mm256_set_m128i(second, first);
        let zeros = _mm256_cmpeq_epi8(_mm256_shuffle_epi8(entries, planes), _mm256_setzero_si256());
        let zeros = _mm256_movemask_epi8(zeros).cast_unsigned();
        if zeros & 0xFF00_FF00 != 0 {
            *wait = AFTER_OTHERS;
            break;
        }
        let [first, _, second, _] = zeros.to_le_bytes();
        let entries = _mm256_shuffle_epi8(entries, swap);
        let middle = written + BYTES - first.count_ones() as usize;
        // SAFETY: `written + 16 <= spare.len()`: each of `count` iterations adds up to 32, and `32 * count <= spare.len()`.
        let to = unsafe { block_mut(spare, written) };
        store_half(packed(_mm256_castsi256_si128(entries), first), to);
        // SAFETY: `middle + 16 <= spare.len()`: `middle <= written + 16`, and as above.
        let to = unsafe { block_mut(spare, middle) };
        store_half(packed(_mm256_extracti128_si256::<1>(entries), second), to);
        (read, written) = (read + UNITS, written + 2 * BYTES - zeros.count_ones() as usize);
    }
    // SAFETY: the first `written` spare slots are written: each store begins where the bytes of the one before end.
    unsafe { out.advance(written) };
    read
}

/// Looks up the entries of code units, and stores all of them.
///
/// Panics if there are more than 128 units, or not as many as `to` holds.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn look_up_all(table: &ToBytes, src: &[[u16; UNITS]], to: &mut [[MaybeUninit<u16>; STEP]]) {
    assert!(src.len() <= MAX_SIXTEENS && to.len() == 2 * src.len(), "the entries fit");
    let rows = table.rows();
    let [first, last, delta] =
        [&rows.first, &rows.last, &rows.delta].each(|bytes| _mm256_broadcastsi128_si256(load_half(bytes)));
    // The numbers go through memory, as when pairs are decoded, and for the same reasons.
    let mut numbers = Aligned([const { [const { MaybeUninit::uninit() }; UNITS] }; MAX_SIXTEENS]);
    // A bit for each 16 units of which one has no number.
    let mut others = 0_u32;
    for (n, (units, to)) in src.iter().zip(&mut numbers.0).enumerate() {
        let units = load_unit_block(units);
        // All in the upper bytes, and 0 in the lower ones.
        let upper_four_bits = _mm256_and_si256(_mm256_srli_epi16::<4>(units), splat_units(0x0F00));
        let index = or(upper_four_bits, splat_units(0x80));
        let [first, last, delta] = [first, last, delta].each(|bytes| _mm256_shuffle_epi8(bytes, index));
        let row = _mm256_andnot_si256(splat_units(0xFF), units);
        let in_rows = _mm256_and_si256(
            _mm256_cmpeq_epi16(_mm256_max_epu8(row, first), row),
            _mm256_cmpeq_epi16(_mm256_min_epu8(row, last), row),
        );
        store_unit_block(_mm256_and_si256(_mm256_add_epi8(units, delta), in_rows), to);
        others |= u32::from(_mm256_movemask_epi8(in_rows) != -1) << n;
    }
    for (numbers, to) in numbers.0.as_flattened().as_chunks::<STEP>().0.iter().zip(&mut *to) {
        // SAFETY: the loop above has stored as many numbers as `to` has units, by the assertion. Each is 0, or it is such a sum:
        // `in_rows` tells whether the upper byte is from `first` to `last`.
        let entries = numbers.each_ref().each(|number| unsafe { table.numbered_entry(number.assume_init()) });
        store_half_units(look_up::vector(entries), to);
    }
    while others != 0 {
        let n = others.trailing_zeros() as usize;
        others &= others - 1;
        for (units, to) in src[n].as_chunks().0.iter().zip(&mut to[2 * n..]) {
            store_half_units(look_up::entries(table, units), to);
        }
    }
}

/// Writes the first `len` characters up to the first unmapped one, and returns how many. Writes none if eight pairs do not fit.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn put(table: &ToBytes, units: &[u16; STEP], len: usize, out: &mut Out<'_, u8>) -> usize {
    // SAFETY: only initialised values are stored in the slots.
    let Some(to) = unsafe { out.spare() }.first_chunk_mut() else { return 0 };
    let set = |entry: u16| _mm_set1_epi16(entry.cast_signed());
    let entries = _mm_and_si128(look_up::entries(table, units), set(table.kept_bits()));
    let min = set(ToBytes::MIN_BYTES);
    let mapped = _mm_cmpeq_epi16(_mm_min_epu16(entries, min), min);
    let singles = _mm_cmpeq_epi16(_mm_and_si128(entries, set(0xFF)), _mm_setzero_si128());
    let masks = _mm_movemask_epi8(_mm_packs_epi16(singles, mapped)).cast_unsigned();
    let (singles, mapped) = (masks & 0xFF, masks >> 8);
    store_half(packed(_mm_shuffle_epi8(entries, load_half(&SWAP)), singles as u8), to);
    // A branch instead of arithmetic, so that the next step does not wait for this one.
    if mapped == 0xFF && len == STEP {
        // SAFETY: `store_half` has written `to`, the first `BYTES` spare slots.
        unsafe { out.advance(BYTES - singles.count_ones() as usize) };
        return STEP;
    }
    let len = len.min(mapped.trailing_ones() as usize);
    // SAFETY: `store_half` has written `to`, the first `BYTES` spare slots, and `2 * len <= BYTES`: `mapped` has eight bits.
    unsafe { out.advance(2 * len - _bzhi_u32(singles, len as u32).count_ones() as usize) };
    len
}

/// Swaps the bytes of entries. The upper byte of an entry comes first.
pub(crate) static SWAP: [u8; BYTES] = [1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14];

/// Removes the second bytes of the entries in the mask, which are single bytes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn packed(bytes: __m128i, singles: u8) -> __m128i {
    _mm_shuffle_epi8(bytes, load_half(&compaction::PAIRS[usize::from(!singles)]))
}
