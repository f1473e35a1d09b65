//! Vectors of which the first bytes are stored one after the other.

use core::{arch::x86_64::*, mem::MaybeUninit};

use super::{partial::by_copy, vector::store_half};
use crate::kernel::block::block_mut;

/// `N` vectors and the bytes that count of each: these are at most 16, and empty groups come last.
pub(crate) struct Groups<const N: usize> {
    pub(crate) vectors: [__m128i; N],
    /// Where each group ends, counted from the start of the first one.
    pub(crate) ends: [usize; N],
}

impl<const N: usize> Groups<N> {
    /// Stores all groups; returns how many bytes they have.
    ///
    /// # Safety
    /// `to.len() >= 16 * N`.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) unsafe fn store(&self, to: &mut [MaybeUninit<u8>]) -> usize {
        let mut from = 0;
        for (&vector, &end) in self.vectors.iter().zip(&self.ends) {
            // SAFETY: `from <= 16 * n` before the `n`-th group, and `16 * n + 16 <= 16 * N <= to.len()`.
            store_half(vector, unsafe { block_mut(to, from) });
            from = end;
        }
        from
    }

    /// Stores all groups, if they fit; returns how many bytes they have.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn store_within(&self, to: &mut [MaybeUninit<u8>]) -> Option<usize> {
        if to.len() >= 16 * N {
            // SAFETY: `to.len() >= 16 * N`.
            return Some(unsafe { self.store(to) });
        }
        let mut from = 0;
        for (&vector, &end) in self.vectors.iter().zip(&self.ends) {
            if end == from {
                break;
            }
            let to = to.get_mut(from..).filter(|to| end - from <= to.len())?;
            by_copy(to, end - from, |to| store_half(vector, to));
            from = end;
        }
        Some(from)
    }
}
