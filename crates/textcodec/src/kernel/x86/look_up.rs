//! Table look-ups of the kernels that encode: eight plain loads in a row, which do not depend on each other.
//!
//! Gathers are slower, also from a table with one stage per 1,024 code points, which is larger. Plain loads by indexes that a vector
//! has computed are slower, because the indexes go through memory, except in blocks: see `avx2/double_byte/encode.rs`.

use crate::kernel::each::Each as _;
use core::arch::x86_64::{__m128i, _mm_set_epi16};

use crate::kernel::tables::{Bases, ToBytes, four_bytes::ABOVE_BMP};

/// The offset from `(high << 10) + low` of a surrogate pair to the pointer of its four bytes.
pub(crate) const PAIR_OFFSET: i32 = ABOVE_BMP.cast_signed() - (0xD800 << 10) - 0xDC00;

/// Returns the entries of eight code units, with the bits that are not [kept](ToBytes::kept_bits).
#[inline(always)]
pub(crate) fn entries(table: &ToBytes, units: &[u16; 8]) -> __m128i {
    vector(units.each(|unit| table.raw_entry(unit)))
}

/// Returns the bases of the blocks of eight code units.
#[inline(always)]
pub(crate) fn bases(bases: Bases, units: &[u16; 8]) -> __m128i {
    vector(units.each(|unit| bases.base(unit)))
}

/// Returns eight values as a vector.
#[inline(always)]
pub(crate) fn vector(lanes: [u16; 8]) -> __m128i {
    let lane = |n: usize| lanes[n].cast_signed();
    // SAFETY: the CPU has SSE2: the module `x86` is compiled only with `target_feature = "sse2"`.
    unsafe { _mm_set_epi16(lane(7), lane(6), lane(5), lane(4), lane(3), lane(2), lane(1), lane(0)) }
}
