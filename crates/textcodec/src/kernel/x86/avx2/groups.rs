//! Stores of several short groups of bytes without gaps.

use core::{arch::x86_64::*, mem::MaybeUninit};

use super::partial::by_copy;
use crate::kernel::block::block_mut;

/// `N` groups of bytes, each at the start of a vector.
///
/// Invariant: `ends` ascend, and each group has at most 16 bytes (`ends[0] <= 16` and `ends[n] - ends[n - 1] <= 16`). So
/// `ends[n] <= 16 * (n + 1)`.
pub(crate) struct Groups<const N: usize> {
    vectors: [__m128i; N],
    /// The number of bytes up to the end of each group.
    ends: [usize; N],
}

// Inlined always, or the groups go through memory. So the functions use no more than SSE2, with
// which this module is always compiled.
impl<const N: usize> Groups<N> {
    /// Groups after an empty one must be empty too, because [`store_within`](Self::store_within) stops there.
    ///
    /// # Safety
    /// `ends[0] <= 16`, and `ends[n - 1] <= ends[n] <= ends[n - 1] + 16` for each further `n`.
    #[inline(always)]
    pub(crate) unsafe fn new(vectors: [__m128i; N], ends: [usize; N]) -> Self {
        if cfg!(any(debug_assertions, textcodec_checked)) {
            let (mut from, mut was_empty) = (0, false);
            for &end in &ends {
                assert!(from <= end && end - from <= 16, "a group has at most 16 bytes");
                assert!(!was_empty || end == from, "only empty groups follow an empty one");
                (from, was_empty) = (end, end == from);
            }
        }
        Self { vectors, ends }
    }

    /// Stores all groups, and returns how many bytes they have. May overwrite the rest of `to`.
    ///
    /// # Safety
    /// `to.len() >= 16 * N`.
    #[inline(always)]
    pub(crate) unsafe fn store(&self, to: &mut [MaybeUninit<u8>]) -> usize {
        let mut from = 0;
        for (&vector, &end) in self.vectors.iter().zip(&self.ends) {
            // SAFETY: `from + 16 <= to.len()`: before group `n < N`, `from <= 16 * n` by the invariant. The caller promises
            // `16 * N <= to.len()`.
            store_group(vector, unsafe { block_mut(to, from) });
            from = end;
        }
        from
    }

    /// Stores all groups if they fit, and returns how many bytes they have.
    #[inline(always)]
    pub(crate) fn store_within(&self, to: &mut [MaybeUninit<u8>]) -> Option<usize> {
        if to.len() >= 16 * N {
            // SAFETY: `to.len() >= 16 * N` was checked above.
            return Some(unsafe { self.store(to) });
        }
        let mut from = 0;
        for (&vector, &end) in self.vectors.iter().zip(&self.ends) {
            if end == from {
                break;
            }
            let to = to.get_mut(from..).filter(|to| end - from <= to.len())?;
            by_copy(to, end - from, |to| store_group(vector, to));
            from = end;
        }
        Some(from)
    }
}

#[inline(always)]
fn store_group(bytes: __m128i, to: &mut [MaybeUninit<u8>; 16]) {
    // SAFETY: the array has 16 bytes.
    unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), bytes) };
}
