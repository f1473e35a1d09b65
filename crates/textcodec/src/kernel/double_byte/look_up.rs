//! Look-ups for vectors: plain loads, eight in a row, which do not wait for each other. That is faster than gathering: see
//! `encode_avx512.rs`.

use core::arch::x86_64::{__m128i, _mm_set_epi16};

use super::{ToBytes, to_bytes::Bases};

/// The entries of eight code units, with bits that are not [kept](ToBytes::kept_bits).
#[inline(always)]
pub(super) fn entries(table: &ToBytes, units: &[u16; 8]) -> __m128i {
    vector(units.map(|unit| table.whole_entry(unit)))
}

/// What belongs to their blocks.
#[inline(always)]
pub(super) fn bases(bases: Bases, units: &[u16; 8]) -> __m128i {
    vector(units.map(|unit| bases.base(unit)))
}

#[inline(always)]
fn vector(lanes: [u16; 8]) -> __m128i {
    let [a, b, c, d, e, f, g, h] = lanes.map(u16::cast_signed);
    // SAFETY: this module is there only where SSE2 is.
    unsafe { _mm_set_epi16(h, g, f, e, d, c, b, a) }
}
