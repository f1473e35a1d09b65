//! Partial loads and stores of vectors, without masks.

use core::{arch::x86_64::*, mem::MaybeUninit};

use super::vector::load_half;

/// Loads up to 32 bytes, and zeros past the end.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn load_up_to_32(src: &[u8]) -> __m256i {
    match (src.first_chunk(), src.last_chunk()) {
        (Some(front), Some(back)) => {
            /// From each offset on, a shuffle that moves bytes to the front and zeros the rest.
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
                return _mm256_set_m128i(_mm_setzero_si128(), load_half(front));
            };
            _mm256_set_m128i(_mm_shuffle_epi8(load_half(back), load_half(indexes)), load_half(front))
        }
        _ => {
            let [front, back] = up_to_16(src);
            _mm256_set_m128i(_mm_setzero_si128(), _mm_set_epi64x(back.cast_signed(), front.cast_signed()))
        }
    }
}

/// Loads up to 16 bytes by overlapping loads.
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

/// Calls `store` with the start of `to`. If `to` has fewer than `N` elements, calls it with a buffer instead, and copies the
/// first `count` elements from there, or as many as `to` holds.
#[inline(always)]
pub(crate) fn by_copy<T: Copy, const N: usize>(
    to: &mut [MaybeUninit<T>],
    count: usize,
    store: impl FnOnce(&mut [MaybeUninit<T>; N]),
) {
    const { assert!(N <= 33, "`copy_short` copies up to 32 elements") };
    if let Some(block) = to.first_chunk_mut() {
        return store(block);
    }
    let mut all = [const { MaybeUninit::uninit() }; N];
    store(&mut all);
    let count = count.min(to.len());
    copy_short(&all[..count], &mut to[..count]);
}

/// Copies up to 32 elements by two overlapping copies.
#[inline(always)]
fn copy_short<T: Copy>(from: &[MaybeUninit<T>], to: &mut [MaybeUninit<T>]) {
    #[inline(always)]
    fn copy_ends<T: Copy, const N: usize>(from: &[T], to: &mut [T]) -> bool {
        let (Some(&front), Some(&back)) = (from.first_chunk::<N>(), from.last_chunk::<N>()) else { return false };
        if let Some(to) = to.first_chunk_mut() {
            *to = front;
        }
        if let Some(to) = to.last_chunk_mut() {
            *to = back;
        }
        true
    }
    let _ = copy_ends::<_, 16>(from, to)
        || copy_ends::<_, 8>(from, to)
        || copy_ends::<_, 4>(from, to)
        || copy_ends::<_, 2>(from, to)
        || copy_ends::<_, 1>(from, to);
}
