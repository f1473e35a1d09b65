//! UTF-32 on x86-64: the loops of `kernel/utf32.rs`, compiled for SSE4.1, and text in which surrogate pairs and other units
//! alternate, in vectors of 16 bytes. AVX2 and AVX-512 have no others: few programs use UTF-32.

use core::{arch::x86_64::*, mem::MaybeUninit};

use crate::kernel::{
    Kernels, Out,
    block::{block, block_mut},
    compaction::UNITS,
    reference::utf32 as reference,
    utf32 as loops,
    utf32::Utf32Kernels,
};

/// Returns the functions of a level of this architecture: the same for all.
#[inline]
pub(crate) fn of(level: &Kernels) -> Option<&'static Utf32Kernels> {
    const KERNELS: &Utf32Kernels = &Utf32Kernels {
        utf16_to_utf32: kernel!(from_utf16, src, out),
        utf32_to_utf16: kernel!(to_utf16, src, out),
        utf32_prefix: kernel!(prefix, src),
        surrogate_free_prefix: kernel!(surrogate_free, src),
        max_unit: kernel!(max_unit, src),
    };
    let levels = [
        #[cfg(not(textcodec_small))]
        &super::AVX512,
        #[cfg(not(textcodec_small))]
        &super::AVX2,
        &super::SSE41,
    ];
    levels.into_iter().any(|ours| core::ptr::eq(ours, level)).then_some(KERNELS)
}

#[inline]
#[target_feature(enable = "sse4.1,popcnt")]
fn from_utf16(src: &[u16], out: &mut Out<'_, u32>) -> usize {
    loops::from_utf16(src, out, |src, out| out.write_locally(|out| mixed_from_utf16(src, out)))
}

#[inline]
#[target_feature(enable = "sse4.1,popcnt")]
fn to_utf16(src: &[u32], out: &mut Out<'_, u16>) -> usize {
    loops::to_utf16(src, out, |src, out| out.write_locally(|out| mixed_to_utf16(src, out)))
}

#[inline]
#[target_feature(enable = "sse4.1,popcnt")]
fn prefix(src: &[u32]) -> usize {
    loops::prefix(src)
}

#[inline]
#[target_feature(enable = "sse4.1,popcnt")]
fn surrogate_free(src: &[u16]) -> usize {
    loops::surrogate_free(src)
}

#[inline]
#[target_feature(enable = "sse4.1,popcnt")]
fn max_unit(src: &[u16]) -> u16 {
    loops::max_unit(src)
}

/// Converts eight units at a time: computes the code point of each unit, as if all ended characters, and drops those of the high
/// surrogates. So the next step does not wait for this one to know where characters begin. The scalar reference converts the last
/// units.
#[inline]
#[target_feature(enable = "sse4.1,popcnt")]
fn mixed_from_utf16(src: &[u16], out: &mut Out<'_, u32>) -> usize {
    let splat = |unit: u16| _mm_set1_epi16(unit.cast_signed());
    let surrogates = |units, from| _mm_cmpeq_epi16(_mm_and_si128(units, splat(0xFC00)), splat(from));
    let mut read = 0;
    while let Some(units) = src[read..].first_chunk::<8>() {
        let units = load(units);
        let before = if read == 0 {
            _mm_slli_si128::<2>(units)
        } else {
            // SAFETY: `read - 1 + 8 <= src.len()`: there are eight units from `read` on.
            load(unsafe { block(src, read - 1) })
        };
        let (high, low, after_high) =
            (surrogates(units, 0xD800), surrogates(units, 0xDC00), surrogates(before, 0xD800));
        let masks = _mm_movemask_epi8(_mm_packs_epi16(high, _mm_xor_si128(low, after_high))).cast_unsigned();
        // Low surrogates must be after high ones, and no other unit may be.
        if masks & 0xFF00 != 0 {
            break;
        }
        let pair = _mm_or_si128(_mm_slli_epi16::<10>(before), _mm_and_si128(units, splat(0x3FF)));
        let plane = _mm_add_epi16(_mm_and_si128(_mm_srli_epi16::<6>(before), splat(0xF)), splat(1));
        let kept = !masks & 0xFF;
        let shuffle = load_bytes(&UNITS[kept as usize]);
        let lower = _mm_shuffle_epi8(_mm_blendv_epi8(units, pair, low), shuffle);
        let upper = _mm_shuffle_epi8(_mm_and_si128(plane, low), shuffle);
        // SAFETY: only initialised values are stored in the slots.
        let Some(to) = unsafe { out.spare() }.first_chunk_mut::<8>() else { break };
        let to = to.as_mut_ptr();
        // SAFETY: the two vectors are the 32 bytes of `to`.
        unsafe {
            _mm_storeu_si128(to.cast(), _mm_unpacklo_epi16(lower, upper));
            _mm_storeu_si128(to.add(4).cast(), _mm_unpackhi_epi16(lower, upper));
        }
        // SAFETY: the eight slots are written, and `kept` has eight bits.
        unsafe { out.advance(kept.count_ones() as usize) };
        read += 8;
    }
    // The character of the last high surrogate is not written.
    read -= usize::from(matches!(src[..read], [.., 0xD800..=0xDBFF]));
    read + reference::from_utf16(&src[read..], out)
}

/// Converts eight code points at a time: computes both surrogates of each, and drops those that characters of the Basic
/// Multilingual Plane do not have. The scalar reference converts the last code points.
#[inline]
#[target_feature(enable = "sse4.1,popcnt")]
fn mixed_to_utf16(src: &[u32], out: &mut Out<'_, u16>) -> usize {
    let splat = |lane: u32| _mm_set1_epi32(lane.cast_signed());
    let mut read = 0;
    while let Some(code_points) = src[read..].first_chunk::<8>() {
        let code_points = code_points.as_ptr();
        // SAFETY: the 32 bytes of eight code points are two vectors.
        let halves = unsafe { [0, 4].map(|at| _mm_loadu_si128(code_points.add(at).cast())) };
        // Numbers from 0x8000_0000 on are negative.
        let [a, b] = halves.map(|half| {
            let is_surrogate = _mm_cmpeq_epi32(_mm_and_si128(half, splat(0xFFFF_F800)), splat(0xD800));
            _mm_or_si128(half, _mm_or_si128(is_surrogate, _mm_cmpgt_epi32(half, splat(0x10_FFFF))))
        });
        if _mm_movemask_ps(_mm_castsi128_ps(_mm_or_si128(a, b))) != 0 {
            break;
        }
        let beyond = halves.map(|half| _mm_cmpgt_epi32(half, splat(0xFFFF)));
        let [a, b] = beyond.map(|beyond| _mm_or_si128(beyond, splat(0xFFFF)));
        let kept = _mm_movemask_epi8(_mm_packs_epi16(a, b)).cast_unsigned() as u16;
        // SAFETY: only initialised values are stored in the slots.
        let Some(to) = unsafe { out.spare() }.first_chunk_mut::<16>() else { break };
        let mut written = 0;
        for ((half, beyond), kept) in halves.into_iter().zip(beyond).zip(kept.to_le_bytes()) {
            let offset = _mm_sub_epi32(half, splat(0x1_0000));
            let low = _mm_slli_epi32::<16>(_mm_and_si128(offset, splat(0x3FF)));
            let pair = _mm_or_si128(_mm_or_si128(_mm_srli_epi32::<10>(offset), low), splat(0xDC00_D800));
            let units = _mm_shuffle_epi8(_mm_blendv_epi8(half, pair, beyond), load_bytes(&UNITS[usize::from(kept)]));
            // SAFETY: `written + 8 <= 16`: the first half wrote up to eight units.
            let to: *mut [MaybeUninit<u16>; 8] = unsafe { block_mut(to, written) };
            // SAFETY: the vector is the 16 bytes of `to`.
            unsafe { _mm_storeu_si128(to.cast(), units) };
            written += kept.count_ones() as usize;
        }
        // SAFETY: the stores have written the first `written` slots, without gaps.
        unsafe { out.advance(written) };
        read += 8;
    }
    read + reference::to_utf16(&src[read..], out)
}

#[inline]
#[target_feature(enable = "sse4.1,popcnt")]
fn load(units: &[u16; 8]) -> __m128i {
    let units: *const [u16; 8] = units;
    // SAFETY: eight units have 16 bytes.
    unsafe { _mm_loadu_si128(units.cast()) }
}

#[inline]
#[target_feature(enable = "sse4.1,popcnt")]
fn load_bytes(bytes: &[u8; 16]) -> __m128i {
    let bytes: *const [u8; 16] = bytes;
    // SAFETY: there are 16 bytes.
    unsafe { _mm_loadu_si128(bytes.cast()) }
}
