//! As on the way to UTF-16, but the last pass makes UTF-8: two places of two bytes for a pair, one for an ASCII byte, where the
//! bytes are in the source; what they do not need is squeezed out.

use core::{arch::x86_64::*, mem::MaybeUninit};

use super::{
    super::{ascii, utf16, vector::*},
    decode::{Block, FIRST_STEPS, PAIRS, SHORT, STEP, STEPS, Step},
};
use crate::kernel::{
    Out,
    block::block_mut,
    drivers::{
        ascii::{step as ascii_step, whole_steps},
        one_to_one,
    },
    reference::double_byte as reference,
    tables::Pairs,
};

/// The most bytes that a step becomes.
const MOST: usize = STEP / 2 * 3;
/// What is overwritten behind the last step, and the rest of a pair.
const BEHIND: usize = STEP;

#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf8(pairs: &Pairs, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let simd = Avx512::new();
    let mut block = Block::new();
    let mut at = 0;
    let mut most = FIRST_STEPS;
    loop {
        if pairs.ascii {
            at += one_to_one(simd, whole_steps(&src[at..], out), out, |src| ascii_step(simd, src));
        }
        let rest = &src[at..];
        let steps = if pairs.singles.is_some() { out.spare_len() / (3 * STEP) } else { steps(out.spare_len()) };
        if rest.len() <= SHORT || steps == 0 {
            let ascii = |src: &[u8], out: &mut Out<'_, u8>| ascii::copy(src, out);
            return at + reference::decode::convert(ascii, pairs, rest, out);
        }
        let mut follows = 0;
        block.find(pairs, rest, &mut follows, most.min(steps));
        most = STEPS;
        block.look_up(pairs);
        if block.has_singles || !put(&block, rest, out) {
            let mut stage = [const { MaybeUninit::uninit() }; STEPS * STEP];
            let mut stage = Out::uninit(&mut stage);
            let end = block.put(pairs, rest, &mut stage);
            let converted = utf16::to_utf8(stage.written(), out);
            assert_eq!(converted, stage.filled(), "so many steps surely fit");
            if end < block.end {
                return at + end;
            }
        }
        // The trailing byte of the last pair.
        at += block.end + follows as usize;
        if block.is_last {
            return at;
        }
    }
}

/// How many steps surely fit, without characters of one byte above ASCII.
pub(crate) fn steps(spare_len: usize) -> usize {
    spare_len.saturating_sub(BEHIND) / MOST
}

/// Writes what is found in `src`, without characters of one byte above ASCII; false, and nothing, where a pair is unmapped.
/// There must be room for the [`steps`].
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn put(block: &Block, src: &[u8], out: &mut Out<'_, u8>) -> bool {
    assert!(block.len <= steps(out.spare_len()), "there is room");
    let mut sequences = [const { MaybeUninit::uninit() }; (STEPS + 1) * PAIRS];
    let is_mapped = sequences_of(block, &mut sequences);
    if is_mapped {
        // SAFETY: `block.len <= steps(out.spare_len())` (asserted).
        let written = unsafe { write(block, &sequences, src, out.spare()) };
        // SAFETY: the `written` slots are stored.
        unsafe { out.advance(written) };
    }
    is_mapped
}

/// The UTF-8 of each pair, in four bytes: those that are not used are zero. False where a pair is unmapped, or ASCII.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn sequences_of(block: &Block, to: &mut [MaybeUninit<u32>; (STEPS + 1) * PAIRS]) -> bool {
    /// Where the second operand has a bit, the third, else the first.
    const SELECT: i32 = 0xCC & 0xAA | !0xCC & 0xF0;
    let mut declined = 0;
    for sixteen in (0..block.count).step_by(16) {
        // SAFETY: cells are looked up in sixteens.
        let cells = unsafe { _mm256_loadu_si256(block.cells.as_ptr().add(sixteen).cast()) };
        let all = |value: u16| _mm256_set1_epi16(value.cast_signed());
        let surrogates = _mm256_cmpeq_epi16_mask(_mm256_and_si256(cells, all(0xF800)), all(0xD800));
        let ascii = _mm256_cmplt_epu16_mask(cells, all(0x80));
        declined |= u64::from(surrogates | ascii) & first_n((block.count - sixteen).min(16));
        let cells = _mm512_cvtepu16_epi32(cells);
        // Bits 12.., 6.. and 0.. of each.
        let digits = _mm512_multishift_epi64_epi8(_mm512_set1_epi64(0x3020_262C_1000_060C), cells);
        let three =
            _mm512_ternarylogic_epi64::<SELECT>(_mm512_set1_epi32(0x0080_80E0), _mm512_set1_epi32(0x003F_3F0F), digits);
        let two = _mm512_or_si512(_mm512_srli_epi32::<8>(three), _mm512_set1_epi32(0x40));
        let short = _mm512_cmplt_epu32_mask(cells, _mm512_set1_epi32(0x800));
        let sequences = _mm512_mask_mov_epi32(three, short, two);
        // SAFETY: there are more places than cells.
        unsafe { _mm512_storeu_si512(to.as_mut_ptr().add(sixteen).cast(), sequences) };
    }
    // SAFETY: as above. What is loaded with the last ones is there, too.
    unsafe {
        _mm512_storeu_si512(to.as_mut_ptr().add(block.count.next_multiple_of(16)).cast(), _mm512_setzero_si512());
    };
    declined == 0
}

/// Writes what is found; returns how many bytes.
///
/// # Safety
/// `block.len <= steps(to.len())`, and `sequences` are those of the block.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn write(
    block: &Block,
    sequences: &[MaybeUninit<u32>; (STEPS + 1) * PAIRS],
    src: &[u8],
    to: &mut [MaybeUninit<u8>],
) -> usize {
    const FIRSTS: u64 = 0x5555_5555_5555_5555;
    let mut from = sequences.as_ptr().cast::<u16>();
    let (mut written, mut follows) = (0, 0);
    for Step { at, starts, leads } in block.steps() {
        let bytes = load_some(&src[at..]);
        let pairs = leads | leads << 1 | follows;
        follows = leads >> 63;
        let alone = starts & !leads;
        for (half, bytes) in
            [_mm512_castsi512_si256(bytes), _mm512_extracti64x4_epi64::<1>(bytes)].into_iter().enumerate()
        {
            let (pairs, alone) = ((pairs >> (32 * half)) as u32, (alone >> (32 * half)) as u32);
            // SAFETY: as many halves of sequences are stored as there are places of pairs, and 32 more.
            let halves = unsafe { _mm512_loadu_si512(from.cast()) };
            from = from.wrapping_add(pairs.count_ones() as usize);
            let lanes = _mm512_mask_cvtepu8_epi16(_mm512_maskz_expand_epi16(pairs, halves), alone, bytes);
            let keep = _mm512_movepi8_mask(lanes) | _pdep_u64(alone.into(), FIRSTS);
            // SAFETY: `written + 64 <= to.len()`: a half keeps 48 bytes at most, and a step is `MOST` of them in `steps`, which
            // leaves `BEHIND` at the end.
            written += store_kept(lanes, keep, unsafe { block_mut(to, written) });
        }
    }
    if follows != 0 {
        // SAFETY: the last sequence is stored, of which the second half is left.
        let last = unsafe { from.read() } as u8;
        to[written].write(last);
        written += usize::from(last != 0);
    }
    written
}
