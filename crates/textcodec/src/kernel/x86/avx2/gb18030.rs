//! Decoding of ASCII, pairs and the four-byte characters of gb18030 in any order, in steps of 64 bytes. If a step has only a few
//! characters of four bytes, the others are looked up as in `double_byte/`, and each of the few is put into its place. Otherwise
//! eight characters at a time are loaded into lanes of four bytes.

use core::{arch::x86_64::*, iter::successors, mem::MaybeUninit};

use super::{
    super::masks::{four_byte_starts, leading, nth_bit},
    double_byte::decode::{Block, Cells},
    vector::*,
};
use crate::kernel::{
    Out,
    block::{block, block_mut},
    compaction,
    each::Each as _,
    reference::gb18030 as reference,
    tables::{
        Pairs,
        four_bytes::{ABOVE_BMP, FourByteRuns, HALVES, LOWEST},
    },
};

/// Bytes of a step.
const STEP: usize = 64;
/// Bytes that a step loads: four from each offset.
const LOADED: usize = STEP + 3;
/// Inputs of up to this many bytes are converted character by character: cells `decode/gb18030/*/ko/16B`.
const SHORT: usize = 24;
/// Characters that are converted at a time.
const GROUP: usize = 8;
/// The number of four-byte characters up to which they are few in a step.
const FEW: u32 = 4;
/// Steps without four-byte characters after which the kernel stops.
const MAX_WITHOUT: usize = 4;
/// The ASCII characters in a step at which the kernel stops after it, without and with four-byte characters.
const MUCH_ASCII: [u32; 2] = [8, 40];

/// Stops after a few steps without four-byte characters.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(table: &FourByteRuns, pairs: &Pairs, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    if src.len() <= SHORT {
        return reference::to_utf16(table, src, out);
    }
    out.write_locally(|out| {
        let tables = Tables::new(table, pairs);
        let mut block = Block::new(pairs);
        let (mut read, mut without) = (0, 0);
        while read < src.len() && without < MAX_WITHOUT {
            let rest = &src[read..];
            let mut copy = [0; LOADED];
            let loaded = rest.first_chunk::<LOADED>().unwrap_or_else(|| {
                copy[..rest.len()].copy_from_slice(rest);
                &copy
            });
            let characters = Characters::find(loaded, rest.len());
            let few = path!("gb18030-few") && characters.four.count_ones() <= FEW;
            let converted = if few { tables.convert_few(loaded, &characters, &mut block, out) } else { None };
            let len = converted.unwrap_or_else(|| tables.convert(loaded, &characters, out));
            read += len;
            if len < characters.end || !characters.may_continue || characters.has_much_ascii() {
                break;
            }
            without = if characters.four == 0 { without + 1 } else { 0 };
        }
        read
    })
}

/// The characters at the start of up to 64 bytes, as masks of their first bytes.
struct Characters {
    /// All characters: ASCII, 0x80, pairs, and four bytes.
    starts: u64,
    /// Those of two or four bytes.
    leads: u64,
    /// Those of four bytes.
    four: u64,
    /// The four-byte characters beyond the Basic Multilingual Plane.
    above: u64,
    /// The offset of the first byte that belongs to no such character.
    end: usize,
    /// Whether the next step may continue at `end`: the step ends there, or the bytes from there on may be the start of a
    /// four-byte character (`end > 60`).
    may_continue: bool,
}

impl Characters {
    /// Whether there is so much ASCII that another kernel is faster for text like this.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn has_much_ascii(&self) -> bool {
        let limit = MUCH_ASCII[usize::from(self.four != 0)];
        (self.starts & !self.leads).count_ones() >= limit
    }

    /// Finds the characters of a source of `len` bytes. The first byte begins one; after the last one, there are zeros.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn find(bytes: &[u8; LOADED], len: usize) -> Self {
        let step = load_two(bytes.first_chunk().expect("a step and three bytes"));
        let are_within = |first: u8, last: u8| {
            step.each(|bytes| {
                let offset = _mm256_sub_epi8(bytes, splat(first));
                _mm256_cmpeq_epi8(offset, _mm256_min_epu8(offset, splat(last - first)))
            })
        };
        let within = |first: u8, last: u8| high_bits_of_two(are_within(first, last));
        let upper = high_bits_of_two(step);
        // A run of bytes that can lead ends before a digit, so the halves of four-byte characters are found like pairs.
        let leads = leading(within(0x81, 0xFE));
        let halves = leads & within(b'0', b'9') >> 1;
        let four = four_byte_starts(halves) & halves >> 2;
        let pairs = leads & (within(0x40, 0x7E) | within(0x80, 0xFE)) >> 1;
        let euro = within(0x80, 0x80) & !(leads << 1);
        let first_bytes = upper & !(leads << 1 | euro);
        // The byte after the step is unknown, so a lead byte at its end is wrong.
        let wrong = first_bytes & !(pairs | four | four << 2);
        let end = len.min(STEP).min(wrong.trailing_zeros() as usize);
        let before = first_n(end);
        let four = four & before;
        let singles = (!(upper | leads << 1) | euro) & before;
        let leads = pairs & before | four;
        let may_continue = end == len || end > STEP - 4;
        Self { starts: singles | leads, leads, four, above: four & within(0x90, 0xFE), end, may_continue }
    }
}

/// What is needed to convert characters.
struct Tables<'a> {
    runs: &'a FourByteRuns,
    pairs: &'a Pairs,
    cells: Cells<'a>,
    /// [`FourByteRuns::longest`] in vectors: the first pointer, the number of pointers that follow it, and the code point.
    longest: [[__m256i; 3]; 4],
}

/// Eight characters: in each lane of four bytes a code unit, or the two of a surrogate pair.
struct Group {
    units: __m256i,
    /// The lanes of surrogate pairs.
    above: __m256i,
    /// The lanes of mapped characters.
    mapped: __m256i,
}

impl<'a> Tables<'a> {
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn new(runs: &'a FourByteRuns, pairs: &'a Pairs) -> Self {
        let longest = runs
            .longest
            .each(|run| [run.first, run.len - 1, run.code_point].each(|value| _mm256_set1_epi32(value.into())));
        Self { runs, pairs, cells: Cells::new(pairs, false), longest }
    }

    /// Converts characters, up to one that is unmapped or does not fit. Returns the number of bytes before it.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn convert(&self, loaded: &[u8; LOADED], characters: &Characters, out: &mut Out<'_, u16>) -> usize {
        let Characters { leads, four, .. } = *characters;
        let mut starts = characters.starts;
        while starts != 0 {
            let before = starts;
            let len = GROUP.min(starts.count_ones() as usize);
            let mut next = || {
                let start = starts.trailing_zeros() as usize & (STEP - 1);
                starts &= starts.wrapping_sub(1);
                // SAFETY: `start + 4 <= LOADED`: `start < STEP`, by the mask.
                i32::from_le_bytes(*unsafe { block(loaded, start) })
            };
            let bytes = _mm256_setr_epi32(next(), next(), next(), next(), next(), next(), next(), next());
            let of_group = before & !starts;
            let written = self.group(bytes, len, of_group & leads & !four != 0, of_group & four != 0).put(len, out);
            if written < len {
                return nth_bit(before, written);
            }
        }
        characters.end
    }

    /// [`convert`](Self::convert) for a step with few characters of four bytes. Returns `None` if a step may not fit.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn convert_few(
        &self,
        loaded: &[u8; LOADED],
        characters: &Characters,
        block: &mut Block<'_>,
        out: &mut Out<'_, u16>,
    ) -> Option<usize> {
        let Characters { starts, four, above, end, .. } = *characters;
        // A character of two units has two bits: that of its third byte is for the second unit.
        let units = starts | above << 2;
        let mut count = 0;
        for (n, bytes) in loaded.windows(17).step_by(16).take(4).enumerate() {
            let bytes = [0, 1].each(|from| load_half(bytes[from..].first_chunk().expect("17 bytes")));
            // SAFETY: up to 64 characters are put, fewer than a block's.
            count += unsafe { block.put_chosen(count, bytes, (units >> (16 * n)) as u16) };
        }
        let each_four = || {
            successors(Some(four), |left| Some(left & left.wrapping_sub(1))).take_while(|&left| left != 0).map(|left| {
                let at = left.trailing_zeros();
                (at as usize, (units & first_n(at as usize)).count_ones() as usize, usize::from(above >> at & 1 == 1))
            })
        };
        for (_, unit, is_above) in each_four() {
            block.clear(unit);
            block.clear(unit + is_above);
        }
        // SAFETY: `count` characters were put.
        unsafe { block.end_at(end, count, false) };
        // SAFETY: only initialised values are stored in the slots.
        let to = unsafe { out.spare() };
        let mut written = block.write(to)?;
        for (at, unit, is_above) in each_four().take_while(|&(_, unit, _)| unit < written) {
            let mut sequence = Out::uninit(&mut to[unit..=unit + is_above]);
            if reference::character(self.runs, &loaded[at..at + 4], &mut sequence) == 0 {
                written = unit;
                break;
            }
        }
        // SAFETY: `block.write` has written the first `written` slots.
        unsafe { out.advance(written) };
        Some(if written == count { end } else { nth_bit(units, written) })
    }

    /// Converts eight characters in lanes of four bytes, of which the first `len` count.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn group(&self, bytes: __m256i, len: usize, has_pairs: bool, has_four: bool) -> Group {
        let zero = _mm256_setzero_si256();
        let first = _mm256_and_si256(bytes, all(0xFF));
        let is_single = _mm256_cmpgt_epi32(all(0x81), first);
        let euro = _mm256_cmpeq_epi32(first, all(0x80));
        let units = _mm256_blendv_epi8(first, all(self.pairs.cells()[0x80].into()), euro);
        let mut group = Group { units, above: zero, mapped: is_single };
        // Of the second bytes, only digits have neither of the upper two bits.
        let is_pair = _mm256_andnot_si256(is_single, _mm256_cmpgt_epi32(_mm256_and_si256(bytes, all(0xC000)), zero));
        if has_pairs {
            self.add_pairs(bytes, is_pair, &mut group);
        }
        if has_four {
            self.add_four(bytes, _mm256_or_si256(is_single, is_pair), len, &mut group);
        }
        group
    }

    /// Adds the pairs, which are in the lanes `is_pair`.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn add_pairs(&self, bytes: __m256i, is_pair: __m256i, group: &mut Group) {
        let pairs = _mm256_and_si256(bytes, all(0xFFFF));
        let pairs = _mm256_permute4x64_epi64::<0b10_00>(_mm256_packus_epi32(pairs, pairs));
        let units = self.cells.units(pairs);
        let cells = _mm256_cvtepu16_epi32(units);
        let is_unmapped = _mm256_cmpeq_epi32(_mm256_and_si256(cells, all(0xF800)), all(0xD800));
        group.units = _mm256_blendv_epi8(group.units, cells, is_pair);
        group.mapped = _mm256_or_si256(group.mapped, _mm256_andnot_si256(is_unmapped, is_pair));
    }

    /// Adds the characters of four bytes, which are in the lanes that are not `others`.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn add_four(&self, bytes: __m256i, others: __m256i, len: usize, group: &mut Group) {
        let digits = _mm256_sub_epi8(bytes, all(u32::from_le_bytes([0x81, b'0', 0x81, b'0'])));
        let halves = _mm256_maddubs_epi16(digits, all(u32::from_le_bytes([10, 1, 10, 1])));
        let pointers = _mm256_madd_epi16(halves, all(1 << 16 | u32::from(HALVES)));
        let offset = _mm256_sub_epi32(pointers, all(ABOVE_BMP));
        let above = _mm256_cmpeq_epi32(_mm256_min_epu32(offset, all(0xF_FFFF)), offset);
        group.above = _mm256_andnot_si256(others, above);
        if bits(group.above) != 0 {
            let low = _mm256_slli_epi32::<16>(_mm256_and_si256(offset, all(0x3FF)));
            let high = _mm256_srli_epi32::<10>(offset);
            let units = _mm256_or_si256(_mm256_or_si256(high, low), all(0xDC00_D800));
            group.units = _mm256_blendv_epi8(group.units, units, group.above);
            group.mapped = _mm256_or_si256(group.mapped, group.above);
        }
        let lowest = _mm256_andnot_si256(others, _mm256_cmpgt_epi32(all(LOWEST as u32), pointers));
        if bits(lowest) != 0 {
            let unit = |pointer: u32| self.runs.lowest.get(pointer as usize).map_or(0, |&unit| i32::from(unit));
            let units = to_array(pointers).each(unit);
            let units =
                _mm256_setr_epi32(units[0], units[1], units[2], units[3], units[4], units[5], units[6], units[7]);
            group.units = _mm256_blendv_epi8(group.units, units, lowest);
            group.mapped = _mm256_or_si256(group.mapped, lowest);
        }
        for [first, following, code_point] in self.longest {
            if bits(_mm256_or_si256(others, group.mapped)) == 0xFF {
                return;
            }
            let offset = _mm256_sub_epi32(pointers, first);
            let within = _mm256_cmpeq_epi32(_mm256_min_epu32(offset, following), offset);
            let within = _mm256_andnot_si256(others, within);
            group.units = _mm256_blendv_epi8(group.units, _mm256_add_epi32(offset, code_point), within);
            group.mapped = _mm256_or_si256(group.mapped, within);
        }
        let missing = !bits(_mm256_or_si256(others, group.mapped)) & 0xFF;
        if missing.trailing_zeros() < len as u32 {
            self.add_in_short_runs(pointers, missing, len, group);
        }
    }

    /// Adds the characters of the BMP in the lanes `missing`, up to one that is unmapped.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn add_in_short_runs(&self, pointers: __m256i, missing: u32, len: usize, group: &mut Group) {
        let (mut units, mut mapped) = (to_array(group.units), to_array(group.mapped));
        let pointers = to_array(pointers);
        for n in (0..len).filter(|n| missing >> n & 1 == 1) {
            let Some(unit) = self.runs.get(pointers[n]) else { break };
            (units[n], mapped[n]) = (unit.into(), u32::MAX);
        }
        (group.units, group.mapped) = (from_array(&units), from_array(&mapped));
    }
}

impl Group {
    /// Writes the first `len` characters, up to one that is unmapped or does not fit. Returns how many.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn put(&self, len: usize, out: &mut Out<'_, u16>) -> usize {
        let len = len.min(bits(self.mapped).trailing_ones() as usize);
        // SAFETY: only initialised values are stored in the slots.
        let Some(to) = (unsafe { out.spare() }).first_chunk_mut::<{ 2 * GROUP }>() else {
            return self.put_at_end(len, out);
        };
        let written = self.store(len, to);
        // SAFETY: `store` has written the first `written` of these slots.
        unsafe { out.advance(written) };
        len
    }

    /// Stores the first `len` characters. Returns the number of units, all of which are written.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn store(&self, len: usize, to: &mut [MaybeUninit<u16>; 2 * GROUP]) -> usize {
        let low = |lanes| _mm256_castsi256_si128(lanes);
        if bits(self.above) == 0 {
            let packed = _mm256_permute4x64_epi64::<0b10_00>(_mm256_packus_epi32(self.units, self.units));
            let [to, _] = to.as_chunks_mut().0 else { unreachable!() };
            store_half_units(low(packed), to);
            return len;
        }
        let high = |lanes| _mm256_extracti128_si256::<1>(lanes);
        let kept = _mm256_or_si256(self.above, all(0xFFFF));
        let kept = _mm_movemask_epi8(_mm_packs_epi16(low(kept), high(kept))).cast_unsigned() & first_n(2 * len) as u32;
        let mut written = 0;
        for (units, kept) in [(low(self.units), kept & 0xFF), (high(self.units), kept >> 8)] {
            let shuffle = load_half(&compaction::UNITS[kept as usize]);
            // SAFETY: `written + 8 <= 16`: the first half wrote up to eight units.
            store_half_units(_mm_shuffle_epi8(units, shuffle), unsafe { block_mut(to, written) });
            written += kept.count_ones() as usize;
        }
        written
    }

    /// [`put`](Self::put) where fewer slots are spare than a group's.
    #[cold]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn put_at_end(&self, len: usize, out: &mut Out<'_, u16>) -> usize {
        let (units, above) = (to_array(self.units), to_array(self.above));
        (0..len)
            .take_while(|&n| {
                let [first, second] = [units[n] as u16, (units[n] >> 16) as u16];
                if above[n] == 0 { out.push(first) } else { out.extend(&[first, second]) }
            })
            .count()
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn all(value: u32) -> __m256i {
    _mm256_set1_epi32(value.cast_signed())
}

/// Returns the high bits of lanes of four bytes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn bits(lanes: __m256i) -> u32 {
    _mm256_movemask_ps(_mm256_castsi256_ps(lanes)).cast_unsigned()
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn to_array(lanes: __m256i) -> [u32; GROUP] {
    let mut array = [0; GROUP];
    // SAFETY: the array has 32 bytes.
    unsafe { _mm256_storeu_si256(array.as_mut_ptr().cast(), lanes) };
    array
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn from_array(array: &[u32; GROUP]) -> __m256i {
    // SAFETY: the array has 32 bytes.
    unsafe { _mm256_loadu_si256(array.as_ptr().cast()) }
}
