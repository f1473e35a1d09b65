//! Decoding with the passes of [`decode`](super::decode), of which the last writes UTF-8. A pair becomes two lanes of two bytes
//! and an ASCII byte becomes one, at their positions in the source; then the unused bytes are removed.

use core::{arch::x86_64::*, mem::MaybeUninit};

use super::{
    super::{
        super::double_byte::{FIRST_STEPS, STEP, STEPS, is_sparse},
        ascii, utf16,
        vector::*,
    },
    decode::{Block, PAIRS, SHORT, Step},
};
use crate::kernel::{
    Out,
    block::{block, block_mut, element, values},
    drivers::{
        ascii::{step as ascii_step, whole_steps},
        one_to_one,
    },
    each::Each as _,
    reference::double_byte as reference,
    tables::{Pairs, as_bytes},
};

/// The ASCII bytes in a step from which on it is converted character by character: cells `decode/*/utf-8/*-page/4KiB`. The number
/// for UTF-16 is as good for pages, but much slower for `hostile/decode/*/utf-8/replace/4KiB/ascii+pair-ascii-trail`.
const SPARSE: u32 = 48;
/// The maximum number of bytes that a step becomes.
const MAX_STEP: usize = STEP / 2 * 3;
/// The spare bytes needed after the output of the last step: stores may overwrite them, and the rest of a pair that crosses the
/// end of the step is written there.
const OVERHANG: usize = STEP;

#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf8(pairs: &Pairs, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    if src.len() <= SHORT {
        return reference::decode::to_utf8(pairs, src, out);
    }
    let simd = Avx512::new();
    let mut block = Block::new(pairs);
    let mut at = 0;
    let mut max_steps = FIRST_STEPS;
    loop {
        if pairs.ascii {
            at += one_to_one(simd, whole_steps(&src[at..], out), out, |src| ascii_step(simd, src));
            if is_sparse(simd, &src[at..], SPARSE) {
                let read = reference::decode::convert(|_, _| 0, pairs, &src[at..at + STEP], out);
                at += read;
                if read > 0 {
                    continue;
                }
            }
        }
        let rest = &src[at..];
        let steps = if pairs.singles.is_some() { out.spare_len() / (3 * STEP) } else { steps(out.spare_len()) };
        if rest.len() <= SHORT || steps == 0 {
            let ascii = |src: &[u8], out: &mut Out<'_, u8>| ascii::copy(src, out);
            return at + reference::decode::convert(ascii, pairs, rest, out);
        }
        let mut follows = 0;
        block.find(rest, &mut follows, max_steps.min(steps));
        max_steps = STEPS;
        if block.has_singles || !put(&block, rest, out) {
            let mut stage = [const { MaybeUninit::uninit() }; STEPS * STEP];
            let mut stage = Out::uninit(&mut stage);
            let end = block.put(rest, &mut stage);
            let converted = utf16::to_utf8::<false>(as_bytes(stage.written()), out);
            assert_eq!(converted, stage.filled(), "the block did not fit");
            if end < block.end {
                return at + end;
            }
        }
        // With the trail byte of the last pair.
        at += block.end + follows as usize;
        if block.is_last {
            return at;
        }
    }
}

/// Returns how many steps fit whatever the text, if no byte above ASCII is a character by itself.
pub(crate) fn steps(spare_len: usize) -> usize {
    spare_len.saturating_sub(OVERHANG) / MAX_STEP
}

/// Writes the characters of the block, which has no [single bytes](Block::has_singles) above ASCII. Writes nothing and returns
/// false if a pair is unmapped.
///
/// Panics if the destination is too short for the block's [`steps`].
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn put(block: &Block<'_>, src: &[u8], out: &mut Out<'_, u8>) -> bool {
    assert!(block.steps().len() <= steps(out.spare_len()), "the steps do not fit");
    let mut sequences = Sequences([const { MaybeUninit::uninit() }; 2 * (STEPS + 1) * PAIRS]);
    let is_mapped = sequences.convert(block);
    if is_mapped {
        // SAFETY: only initialised values are stored in the slots.
        let spare = unsafe { out.spare() };
        // SAFETY: `block.steps().len() <= steps(spare.len())` (asserted), and `sequences` has the pairs of this block.
        let written = unsafe { sequences.write(block, src, spare) };
        // SAFETY: `Sequences::write` has written the first `written` spare slots.
        unsafe { out.advance(written) };
    }
    is_mapped
}

/// The UTF-8 of each pair of a block in four bytes, which are two lanes. Unused bytes are 0.
struct Sequences([MaybeUninit<u16>; 2 * (STEPS + 1) * PAIRS]);

impl Sequences {
    /// Converts the pairs of a block, rounded up to a multiple of 16 pairs, and adds 32 zeros. Returns false if a pair is
    /// unmapped, or ASCII.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    fn convert(&mut self, block: &Block<'_>) -> bool {
        /// Selects the third operand where the second one has a bit, else the first one.
        const SELECT: i32 = 0xCC & 0xAA | !0xCC & 0xF0;
        let (vectors, _) = self.0.as_chunks_mut::<PAIRS>();
        let count = block.count();
        let mut declined = 0;
        for (n, to) in vectors.iter_mut().enumerate().take(count.div_ceil(16)) {
            // SAFETY: `16 * n + 16 <= count + PAIRS` and `len > 0`: `16 * n < count`, by `take`.
            let cells = load_half_units(&unsafe { block.cells(16 * n) });
            let all = |value: u16| _mm256_set1_epi16(value.cast_signed());
            let surrogates = _mm256_cmpeq_epi16_mask(_mm256_and_si256(cells, all(0xF800)), all(0xD800));
            let ascii = _mm256_cmplt_epu16_mask(cells, all(0x80));
            declined |= u64::from(surrogates | ascii) & first_n((count - 16 * n).min(16));
            let cells = _mm512_cvtepu16_epi32(cells);
            // The bits from bit 12, 6 and 0 on of each code point.
            let digits = _mm512_multishift_epi64_epi8(_mm512_set1_epi64(0x3020_262C_1000_060C), cells);
            let [marks, bits] = [0x0080_80E0, 0x003F_3F0F].each(|value| _mm512_set1_epi32(value));
            let three = _mm512_ternarylogic_epi64::<SELECT>(marks, bits, digits);
            let two = _mm512_or_si512(_mm512_srli_epi32::<8>(three), _mm512_set1_epi32(0x40));
            let short = _mm512_cmplt_epu32_mask(cells, _mm512_set1_epi32(0x800));
            store_unit_block(_mm512_mask_mov_epi32(three, short, two), to);
        }
        store_unit_block(_mm512_setzero_si512(), &mut vectors[count.div_ceil(16)]);
        declined == 0
    }

    /// Writes the characters of a block to the start of `to`, and returns how many bytes they have.
    ///
    /// # Safety
    /// The pairs of `found` were [converted](Self::convert), and `found.steps().len() <= steps(to.len())`.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn write(&self, found: &Block<'_>, src: &[u8], to: &mut [MaybeUninit<u8>]) -> usize {
        const FIRSTS: u64 = 0x5555_5555_5555_5555;
        let (mut from, mut written, mut follows) = (0, 0, 0);
        for Step { at, starts, leads } in found.steps() {
            let bytes = load_some(&src[at..]);
            let pairs = leads | leads << 1 | follows;
            follows = leads >> 63;
            let ascii = starts & !leads;
            for (half, bytes) in
                [_mm512_castsi512_si256(bytes), _mm512_extracti64x4_epi64::<1>(bytes)].into_iter().enumerate()
            {
                let (pairs, ascii) = ((pairs >> (32 * half)) as u32, (ascii >> (32 * half)) as u32);
                // SAFETY: `from + 32` lanes are written: `from <= 2 * found.count()`, as it counts the bytes of pairs so far,
                // and `convert` has written two lanes for each of `found.count()` pairs, and at least 32 more.
                let lanes: &[u16; 32] = unsafe { values(block(&self.0, from)) };
                from += pairs.count_ones() as usize;
                let lanes = _mm512_maskz_expand_epi16(pairs, load_unit_block(lanes));
                let lanes = _mm512_mask_cvtepu8_epi16(lanes, ascii, bytes);
                let keep = _mm512_movepi8_mask(lanes) | _pdep_u64(ascii.into(), FIRSTS);
                // SAFETY: `written + 64 <= to.len()`: a half keeps up to 48 bytes, so that a step has up to `MAX_STEP`. The
                // caller promises `steps`, which leaves `OVERHANG == 64` bytes after the last step.
                written += store_kept(lanes, keep, unsafe { block_mut(to, written) });
            }
        }
        if follows != 0 {
            // SAFETY: `from < 2 * found.count()`: the loop has not read the second lane of the last pair, which `convert` has
            // written.
            let last = unsafe { element(&self.0, from).assume_init() } as u8;
            to[written].write(last);
            written += usize::from(last != 0);
        }
        written
    }
}
