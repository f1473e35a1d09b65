//! Encoding with escape sequences, in blocks of 64 code units: all are looked up, and then copied run by run. Lanes of
//! eight bytes per character, without a branch on its kind, were no faster in text, and half as fast in pages.

use core::{arch::x86_64::*, mem::MaybeUninit};

use super::{double_byte::encode, vector::*};
use crate::kernel::{
    Out,
    block::{block, block_mut, values},
    each::Each as _,
    reference::iso_2022 as reference,
    tables::Escapes,
};

/// Code units of a block.
const BLOCK: usize = 64;
/// The number of bytes that are copied for each run.
const COPIED: usize = 2 * BLOCK;
/// The number of bytes that a block may write: two for each unit, an escape sequence before it, and those that are copied after the
/// last run.
const ROOM: usize = 5 * BLOCK + COPIED;

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf16(escapes: &Escapes, pairs: &mut bool, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    // Cells `encode/iso-2022-jp/utf-16/en/*B`.
    let mut read = if *pairs { 0 } else { put_ascii(escapes, src, out) };
    // Blocks decline the yen sign: cell `hostile/encode/iso-2022-jp/utf-16/html/4KiB/pair*20+yen`.
    if src[read..].first_chunk::<BLOCK>().is_some_and(|units| !units.contains(&0xA5)) {
        read += blocks(escapes, pairs, &src[read..], out);
    }
    read + reference::runs(escapes, pairs, &src[read..], out, |table, src, out| encode::from_utf16(table, src, out))
}

/// Converts blocks, up to the first unit that is declined, or as long as there are many units and much room.
// Cold, so that it is not inlined: short inputs would wait for the memory to be cleared.
#[cold]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn blocks(escapes: &Escapes, pairs: &mut bool, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let mut read = 0;
    // The units of a block as ASCII and as pairs, and what copies read after them.
    let mut bytes = [[0; 2 * BLOCK + COPIED]; 2];
    loop {
        if !*pairs {
            read += put_ascii(escapes, &src[read..], out);
        }
        let Some(units) = src[read..].first_chunk() else { return read };
        // SAFETY: only initialised values are stored in the slots.
        let Some(to) = unsafe { out.spare() }.first_chunk_mut() else { return read };
        if escapes.declines_unit(units[0]) {
            return read;
        }
        let (converted, written) = put_block(escapes, pairs, units, &mut bytes, to);
        // SAFETY: `put_block` has written the first `written` spare slots.
        unsafe { out.advance(written) };
        read += converted;
        if converted < BLOCK {
            return read;
        }
    }
}

/// Converts 16 units of ASCII at a time, and then eight.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn put_ascii(escapes: &Escapes, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let mut read = 0;
    for units in src.as_chunks().0 {
        let units = load_unit_block(units);
        // SAFETY: only initialised values are stored in the slots.
        let Some(to) = unsafe { out.spare() }.first_chunk_mut() else { break };
        if mask(is_ascii(escapes, units)) != 0xFFFF {
            break;
        }
        store_half(narrowed(units), to);
        // SAFETY: `store_half` has written `to`, the first 16 spare slots.
        unsafe { out.advance(UNITS) };
        read += UNITS;
    }
    if let Some(units) = src[read..].first_chunk()
        // SAFETY: only initialised values are stored in the slots.
        && let Some(to) = unsafe { out.spare() }.first_chunk_mut::<{ UNITS / 2 }>()
    {
        let units = _mm256_zextsi128_si256(load_half_units(units));
        if mask(is_ascii(escapes, units)) & 0xFF == 0xFF {
            *to = _mm_cvtsi128_si64(narrowed(units)).to_le_bytes().map(MaybeUninit::new);
            // SAFETY: `to`, the first eight spare slots, is written.
            unsafe { out.advance(UNITS / 2) };
            read += UNITS / 2;
        }
    }
    read
}

/// Converts a block, up to the first unit that is declined. Returns how many units are read and how many bytes are written.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn put_block(
    escapes: &Escapes,
    state: &mut bool,
    units: &[u16; BLOCK],
    bytes: &mut [[u8; 2 * BLOCK + COPIED]; 2],
    to: &mut [MaybeUninit<u8>; ROOM],
) -> (usize, usize) {
    let [ascii, pairs] = bytes;
    let kept = _mm_set1_epi16(escapes.table.kept_bits().cast_signed());
    let swap = load_half(&encode::SWAP);
    let mut entries = Aligned([const { [const { MaybeUninit::uninit() }; encode::STEP] }; BLOCK / encode::STEP]);
    encode::look_up_all(escapes.table, units.as_chunks().0, &mut entries.0);
    for (entries, to) in entries.0.iter().zip(pairs.as_chunks_mut().0) {
        // SAFETY: `look_up_all` has written all entries.
        let entries = _mm_and_si128(load_half_units(unsafe { values(entries) }), kept);
        store_initialized(_mm_shuffle_epi8(entries, swap), to);
    }
    let [mut are_pairs, mut are_ascii] = [0_u64; 2];
    let bytes_of = units.as_chunks().0.iter().zip(pairs.as_chunks().0).zip(ascii.as_chunks_mut().0);
    for (n, ((units, pairs), ascii)) in bytes_of.enumerate() {
        let units = load_unit_block(units);
        let unmapped = _mm256_cmpeq_epi16(_mm256_and_si256(load(pairs), splat_units(0xFF)), _mm256_setzero_si256());
        are_pairs |= u64::from(!mask(unmapped)) << (UNITS * n);
        are_ascii |= u64::from(mask(is_ascii(escapes, units))) << (UNITS * n);
        store_initialized(narrowed(units), ascii);
    }
    let len = (are_pairs | are_ascii).trailing_ones() as usize;
    // Where a run begins, in another set than the unit before.
    let mut begins = _bzhi_u64(are_pairs ^ (are_pairs << 1 | u64::from(*state)), len as u32);
    let sequences = [true, false].each(|pairs| escapes.sequence(pairs).to_le_bytes().map(MaybeUninit::new));
    let (mut from, mut written) = (0, 0);
    loop {
        let end = len.min(begins.trailing_zeros() as usize);
        let kind = usize::from(*state);
        // A run is copied without a branch on its length.
        // SAFETY: `(from << kind) + 128 <= bytes[kind].len()`: `from <= 64`.
        let copied: &[_; COPIED] = unsafe { block(&bytes[kind], from << kind) };
        // SAFETY: `written + 128 <= to.len()`: a unit adds up to two bytes, and each of up to 64 bits of `begins` adds three, so
        // `written <= 5 * 64`.
        let slots: &mut [_; COPIED] = unsafe { block_mut(to, written) };
        let ([a, b, c, d], [to_a, to_b, to_c, to_d]) = (copied.as_chunks().0, slots.as_chunks_mut().0) else {
            unreachable!()
        };
        store(load(a), to_a);
        store(load(b), to_b);
        store(load(c), to_c);
        store(load(d), to_d);
        written += (end - from) << kind;
        if begins == 0 {
            return (len, written);
        }
        // SAFETY: `written + 8 <= to.len()`, as above.
        *unsafe { block_mut(to, written) } = sequences[kind];
        (from, written, begins, *state) = (end, written + 3, begins & (begins - 1), !*state);
    }
}

/// Sets all bits of the units that are ASCII and not excluded.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn is_ascii(escapes: &Escapes, units: __m256i) -> __m256i {
    let [a, b, c] = escapes.excluded.each(|unit| _mm256_cmpeq_epi16(units, splat_units(unit)));
    let is_ascii = _mm256_cmpeq_epi16(_mm256_and_si256(units, splat_units(0xFF80)), _mm256_setzero_si256());
    _mm256_andnot_si256(or(or(a, b), c), is_ascii)
}

/// Returns the upper bits of 16 units.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn mask(units: __m256i) -> u16 {
    let bytes = _mm_packs_epi16(_mm256_castsi256_si128(units), _mm256_extracti128_si256::<1>(units));
    _mm_movemask_epi8(bytes).cast_unsigned() as u16
}

/// Returns 16 units as bytes. Those above 0xFF become others.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn narrowed(units: __m256i) -> __m128i {
    _mm_packus_epi16(_mm256_castsi256_si128(units), _mm256_extracti128_si256::<1>(units))
}

/// Stores 16 bytes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn store_initialized(bytes: __m128i, to: &mut [u8; 16]) {
    // SAFETY: the array has 16 bytes.
    unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), bytes) };
}
