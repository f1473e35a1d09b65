//! For AVX2, which has no masks for bytes: loads and stores of fewer bytes than a vector has, and of groups one behind the
//! other.

use core::arch::x86_64::{
    __m128i, __m256i, _mm_cvtsi128_si32, _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128, _mm_set_epi64x,
    _mm_setzero_si128, _mm_shuffle_epi8, _mm_srli_si128, _mm_storeu_si16, _mm_storeu_si32, _mm_storeu_si64,
    _mm_storeu_si128, _mm256_set_m128i,
};

/// All of `src`, which are at most 32 bytes, and zeros behind them.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
pub(crate) fn load_up_to_32(src: &[u8]) -> __m256i {
    match (src.first_chunk(), src.last_chunk()) {
        (Some(front), Some(back)) => {
            /// What moves bytes to the front by an index into it.
            const MOVES: [u8; 32] = {
                let mut moves = [0xFF; 32];
                let mut n = 0;
                while n < 16 {
                    moves[n] = n as u8;
                    n += 1;
                }
                moves
            };
            let Some(indexes) = MOVES.get(32 - src.len()..).and_then(|moves| moves.first_chunk()) else {
                return _mm256_set_m128i(_mm_setzero_si128(), load(front));
            };
            _mm256_set_m128i(_mm_shuffle_epi8(load(back), load(indexes)), load(front))
        }
        _ => {
            let [front, back] = up_to_16(src);
            _mm256_set_m128i(_mm_setzero_si128(), _mm_set_epi64x(back.cast_signed(), front.cast_signed()))
        }
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn load(bytes: &[u8; 16]) -> __m128i {
    // SAFETY: the array has 16 bytes.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

/// By loads that overlap.
#[inline]
fn up_to_16(src: &[u8]) -> [u64; 2] {
    let len = src.len() as u32;
    if let (Some(front), Some(back)) = (src.first_chunk(), src.last_chunk()) {
        let back = u64::from_le_bytes(*back).checked_shr(8 * (16 - len)).unwrap_or(0);
        return [u64::from_le_bytes(*front), back];
    }
    if let (Some(front), Some(back)) = (src.first_chunk(), src.last_chunk()) {
        let back = u64::from(u32::from_le_bytes(*back)) << (8 * (len - 4));
        return [u64::from(u32::from_le_bytes(*front)) | back, 0];
    }
    [src.iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte)), 0]
}

/// Whether all of at most 32 bytes are ASCII, faster than by loading them.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
pub(crate) fn is_ascii_up_to_32(src: &[u8]) -> bool {
    const NOT_ASCII: u64 = 0x8080_8080_8080_8080;
    if let (Some(front), Some(back)) = (src.first_chunk(), src.last_chunk()) {
        return _mm_movemask_epi8(_mm_or_si128(load(front), load(back))) == 0;
    }
    if let (Some(front), Some(back)) = (src.first_chunk(), src.last_chunk()) {
        return (u64::from_ne_bytes(*front) | u64::from_ne_bytes(*back)) & NOT_ASCII == 0;
    }
    if let (Some(front), Some(back)) = (src.first_chunk(), src.last_chunk()) {
        return u64::from(u32::from_ne_bytes(*front) | u32::from_ne_bytes(*back)) & NOT_ASCII == 0;
    }
    src.iter().all(u8::is_ascii)
}

/// The first `count` bytes of a vector, at most 15.
///
/// # Safety
/// There is room for them.
#[inline(always)]
unsafe fn store_up_to_15(mut bytes: __m128i, count: usize, dst: *mut u8) {
    debug_assert!(count < 16);
    // SAFETY: each bit of the count is so many bytes.
    unsafe {
        if count & 8 != 0 {
            _mm_storeu_si64(dst, bytes);
            bytes = _mm_srli_si128::<8>(bytes);
        }
        if count & 4 != 0 {
            _mm_storeu_si32(dst.add(count & 0b1000), bytes);
            bytes = _mm_srli_si128::<4>(bytes);
        }
        if count & 2 != 0 {
            _mm_storeu_si16(dst.add(count & 0b1100), bytes);
            bytes = _mm_srli_si128::<2>(bytes);
        }
        if count & 1 != 0 {
            dst.add(count & 0b1110).write(_mm_cvtsi128_si32(bytes).cast_unsigned() as u8);
        }
    }
}

/// Vectors whose first bytes go one behind the other.
pub(crate) struct Groups<const N: usize> {
    pub(crate) vectors: [__m128i; N],
    /// Where each group ends.
    pub(crate) ends: [usize; N],
}

// Inlined always, or the groups go through memory; so they use no more than SSE2.
impl<const N: usize> Groups<N> {
    /// Returns how many bytes they are.
    ///
    /// # Safety
    /// There is room for the groups and what is behind the last in its vector.
    #[inline(always)]
    pub(crate) unsafe fn store(&self, dst: *mut u8) -> usize {
        let mut from = 0;
        for (&vector, &end) in self.vectors.iter().zip(&self.ends) {
            // SAFETY: the caller's promise.
            unsafe { _mm_storeu_si128(dst.add(from).cast(), vector) };
            from = end;
        }
        from
    }

    /// Returns how many bytes they are, if they fit. Empty groups are behind the others.
    ///
    /// # Safety
    /// There is room for `room` bytes.
    #[inline(always)]
    pub(crate) unsafe fn store_within(&self, room: usize, dst: *mut u8) -> Option<usize> {
        if room >= 16 * N {
            // SAFETY: there is room for all vectors.
            return Some(unsafe { self.store(dst) });
        }
        let mut from = 0;
        for (&vector, &end) in self.vectors.iter().zip(&self.ends) {
            if end == from {
                break;
            }
            // SAFETY: the room is looked at before.
            unsafe {
                if from + 16 <= room {
                    _mm_storeu_si128(dst.add(from).cast(), vector);
                } else if end <= room {
                    store_up_to_15(vector, end - from, dst.add(from));
                } else {
                    return None;
                }
            }
            from = end;
        }
        Some(from)
    }
}
