//! Short inputs in the caller's own code: no table of kernels is asked for, and nothing is called. SSE2 is part of x86-64.
//!
//! Two chunks of one length, which may overlap, are all of an input that is one to two of them long. It is taken whole or not
//! at all; kernels do the rest.
//!
//! Measured on Sapphire Rapids: ASCII of 16 bytes takes half the time to encode or decode; other text takes 1 ns more. Of loops
//! over arrays instead of vectors the compiler makes single loads and shifts. Beyond 32 units, Latin-1 both ways,
//! ASCII to UTF-16 and the question whether UTF-8 is ASCII are faster in kernels, whose vectors are wider.

use core::arch::x86_64::{
    __m128i, _mm_and_si128, _mm_cmpeq_epi16, _mm_loadl_epi64, _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128,
    _mm_packus_epi16, _mm_set1_epi16, _mm_setzero_si128, _mm_srli_epi16, _mm_storel_epi64, _mm_storeu_si128,
    _mm_unpackhi_epi8, _mm_unpackhi_epi64, _mm_unpacklo_epi8,
};
use core::{array, mem::MaybeUninit};

use super::{Out, block::bytes_of};

/// ASCII bytes.
#[inline]
pub(crate) fn is_ascii(src: &[u8]) -> bool {
    // SAFETY: SSE2 is part of the target.
    unsafe {
        match src.len() {
            ..8 | 33.. => false,
            8..=16 => are_ascii(halves(src)),
            _ => are_ascii(bytes::<1>(src)),
        }
    }
}

/// UTF-16 without surrogates.
#[inline]
pub(crate) fn has_no_surrogate(src: &[u16]) -> bool {
    if matches!(src.first(), Some(0xD800..=0xDFFF)) {
        return false;
    }
    // SAFETY: SSE2 is part of the target.
    unsafe {
        match src.len() {
            ..8 | 65.. => false,
            8..=16 => have_no_surrogate(bytes::<1>(bytes_of(src))),
            17..=32 => have_no_surrogate(bytes::<2>(bytes_of(src))),
            _ => have_no_surrogate_up_to_64(bytes_of(src)),
        }
    }
}

/// ASCII bytes, the same bytes.
#[inline]
pub(crate) fn ascii_copy(src: &[u8], out: &mut Out<'_, u8>) -> bool {
    // SAFETY: SSE2 is part of the target.
    unsafe {
        match src.len() {
            ..8 | 65.. => false,
            8..=16 => are_ascii(halves(src)) && put(src.len(), out, halves(src).map(|[half]| Half(half))),
            17..=32 => are_ascii(bytes::<1>(src)) && put(src.len(), out, bytes::<1>(src)),
            _ => are_ascii(bytes::<2>(src)) && put(src.len(), out, bytes::<2>(src)),
        }
    }
}

#[inline]
pub(crate) fn ascii_to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> bool {
    // SAFETY: SSE2 is part of the target.
    unsafe { to_utf16::<true>(src, out) }
}

/// ASCII in code units whose upper byte comes first.
#[inline]
pub(crate) fn ascii_from_utf16be(src: &[[u8; 2]], out: &mut Out<'_, u8>) -> bool {
    // SAFETY: SSE2 is part of the target.
    unsafe { from_utf16::<true>(0x7F00, src.as_flattened(), out) }
}

/// Code points up to U+00FF, which are the bytes.
#[inline]
pub(crate) fn latin1_to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> bool {
    // SAFETY: SSE2 is part of the target.
    unsafe { to_utf16::<false>(src, out) }
}

#[inline]
pub(crate) fn ascii_from_utf16(src: &[u16], out: &mut Out<'_, u8>) -> bool {
    // SAFETY: SSE2 is part of the target.
    unsafe { from_utf16::<false>(0x7F, bytes_of(src), out) }
}

#[inline]
pub(crate) fn latin1_from_utf16(src: &[u16], out: &mut Out<'_, u8>) -> bool {
    // SAFETY: SSE2 is part of the target.
    src.len() <= 32 && unsafe { from_utf16::<false>(0xFF, bytes_of(src), out) }
}

#[inline]
#[target_feature(enable = "sse2")]
fn to_utf16<const ASCII: bool>(src: &[u8], out: &mut Out<'_, u16>) -> bool {
    match src.len() {
        ..8 | 33.. => false,
        8..=16 => {
            let chunks = halves(src);
            (!ASCII || are_ascii(chunks)) && put(src.len(), out, chunks.map(|[half]| wide(half)[0]))
        }
        _ => {
            let chunks = bytes::<1>(src);
            (!ASCII || are_ascii(chunks)) && put(src.len(), out, chunks.map(|[bytes]| wide(bytes)))
        }
    }
}

/// Code units of which no bits are used but those in `most`: in the lower byte or, where they are `SWAPPED`, the upper one.
#[inline]
#[target_feature(enable = "sse2")]
fn from_utf16<const SWAPPED: bool>(most: i16, src: &[u8], out: &mut Out<'_, u8>) -> bool {
    match src.len() / 2 {
        ..8 | 65.. => false,
        8..=16 => {
            let chunks = bytes::<1>(src);
            let [[a], [b]] = chunks;
            let both = narrow::<SWAPPED>(a, b);
            let halves = [Half(both), Half(_mm_unpackhi_epi64(both, both))];
            are_up_to(most, chunks) && put(src.len() / 2, out, halves)
        }
        17..=32 => {
            let chunks = bytes::<2>(src);
            are_up_to(most, chunks) && put(src.len() / 2, out, chunks.map(|[a, b]| narrow::<SWAPPED>(a, b)))
        }
        _ => from_up_to_64::<SWAPPED>(most, src, out),
    }
}

// Not inlined, or what calls it is too large to be.
#[inline(never)]
#[target_feature(enable = "sse2")]
fn from_up_to_64<const SWAPPED: bool>(most: i16, src: &[u8], out: &mut Out<'_, u8>) -> bool {
    let chunks = bytes::<4>(src);
    let narrow = |[a, b, c, d]: [__m128i; 4]| [narrow::<SWAPPED>(a, b), narrow::<SWAPPED>(c, d)];
    are_up_to(most, chunks) && put(src.len() / 2, out, chunks.map(narrow))
}

#[inline(never)]
#[target_feature(enable = "sse2")]
fn have_no_surrogate_up_to_64(src: &[u8]) -> bool {
    have_no_surrogate(bytes::<4>(src))
}

/// What a chunk becomes.
trait Chunk<T> {
    /// Units of it.
    const LEN: usize;

    /// # Safety
    /// `to.len() == LEN`.
    unsafe fn store(self, to: &mut [MaybeUninit<T>]);
}

/// The first eight bytes.
struct Half(__m128i);

impl Chunk<u8> for Half {
    const LEN: usize = 8;

    #[inline(always)]
    unsafe fn store(self, to: &mut [MaybeUninit<u8>]) {
        // SAFETY: `to.len() == 8`, by the caller.
        unsafe { _mm_storel_epi64(to.as_mut_ptr().cast(), self.0) };
    }
}

impl<T> Chunk<T> for __m128i {
    const LEN: usize = 16 / size_of::<T>();

    #[inline(always)]
    unsafe fn store(self, to: &mut [MaybeUninit<T>]) {
        // SAFETY: `to.len() == 16 / size_of::<T>()`, by the caller: 16 bytes.
        unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), self) };
    }
}

impl<T, C: Chunk<T>, const N: usize> Chunk<T> for [C; N] {
    const LEN: usize = N * C::LEN;

    #[inline(always)]
    unsafe fn store(self, to: &mut [MaybeUninit<T>]) {
        for (chunk, to) in self.into_iter().zip(to.chunks_exact_mut(C::LEN)) {
            // SAFETY: `to.len() == C::LEN`: the length of each part.
            unsafe { chunk.store(to) };
        }
    }
}

/// Writes `len` units, which begin with one chunk and end with the other one; false where they do not fit.
#[inline(always)]
fn put<T: Copy, C: Chunk<T>>(len: usize, out: &mut Out<'_, T>, [front, back]: [C; 2]) -> bool {
    assert!(C::LEN <= len && len <= 2 * C::LEN, "there is something between the chunks");
    let Some(to) = out.spare().get_mut(..len) else { return false };
    // SAFETY: both parts have the length of a chunk: `C::LEN <= len` (asserted), and `len == to.len()`.
    unsafe {
        front.store(&mut to[..C::LEN]);
        back.store(&mut to[len - C::LEN..]);
    }
    // SAFETY: the `len` slots are stored: `len <= 2 * C::LEN` (asserted), so nothing is between the chunks.
    unsafe { out.advance(len) };
    true
}

/// The first eight bytes and the last.
#[inline]
#[target_feature(enable = "sse2")]
fn halves(src: &[u8]) -> [[__m128i; 1]; 2] {
    let load = |at: usize| {
        let half = &src[at..at + 8];
        // SAFETY: it has eight bytes.
        unsafe { _mm_loadl_epi64(half.as_ptr().cast()) }
    };
    [[load(0)], [load(src.len() - 8)]]
}

/// The first `N` times 16 bytes and the last.
#[inline]
#[target_feature(enable = "sse2")]
fn bytes<const N: usize>(src: &[u8]) -> [[__m128i; N]; 2] {
    let load = |at: usize| {
        let chunk = &src[at..at + 16];
        // SAFETY: it has 16 bytes.
        unsafe { _mm_loadu_si128(chunk.as_ptr().cast()) }
    };
    [array::from_fn(|n| load(16 * n)), array::from_fn(|n| load(src.len() - 16 * (N - n)))]
}

/// The one byte of each code unit that is used.
#[inline]
#[target_feature(enable = "sse2")]
fn narrow<const SWAPPED: bool>(a: __m128i, b: __m128i) -> __m128i {
    if SWAPPED { _mm_packus_epi16(_mm_srli_epi16::<8>(a), _mm_srli_epi16::<8>(b)) } else { _mm_packus_epi16(a, b) }
}

#[inline]
#[target_feature(enable = "sse2")]
fn are_ascii<const N: usize>(chunks: [[__m128i; N]; 2]) -> bool {
    _mm_movemask_epi8(any(chunks)) == 0
}

/// Whether no unit has other bits than those in `most`.
#[inline]
#[target_feature(enable = "sse2")]
fn are_up_to<const N: usize>(most: i16, chunks: [[__m128i; N]; 2]) -> bool {
    let others = _mm_and_si128(any(chunks), _mm_set1_epi16(!most));
    _mm_movemask_epi8(_mm_cmpeq_epi16(others, _mm_setzero_si128())) == 0xFFFF
}

/// Whether no unit is a surrogate.
#[inline]
#[target_feature(enable = "sse2")]
fn have_no_surrogate<const N: usize>(chunks: [[__m128i; N]; 2]) -> bool {
    let set = |unit: u16| _mm_set1_epi16(unit.cast_signed());
    let is_one = |unit| _mm_cmpeq_epi16(_mm_and_si128(unit, set(0xF800)), set(0xD800));
    _mm_movemask_epi8(any(chunks.map(|chunk| chunk.map(is_one)))) == 0
}

#[inline]
#[target_feature(enable = "sse2")]
fn any<const N: usize>(chunks: [[__m128i; N]; 2]) -> __m128i {
    let mut any = _mm_setzero_si128();
    for vector in chunks.as_flattened() {
        any = _mm_or_si128(any, *vector);
    }
    any
}

/// The code units of bytes that are code points.
#[inline]
#[target_feature(enable = "sse2")]
fn wide(bytes: __m128i) -> [__m128i; 2] {
    let zero = _mm_setzero_si128();
    [_mm_unpacklo_epi8(bytes, zero), _mm_unpackhi_epi8(bytes, zero)]
}

#[cfg(test)]
mod tests {
    use core::{fmt, ops::Range};
    use std::{vec, vec::Vec};

    use super::*;
    use crate::kernel::reference::{ascii, latin1, utf8, utf16};

    /// Inputs of all lengths with a wrong unit anywhere, and room for all or one less.
    fn check<S: Copy, T: Copy + Default + PartialEq + fmt::Debug>(
        taken: Range<usize>,
        right: impl Fn(usize) -> S,
        wrong: Option<S>,
        short: impl Fn(&[S], &mut Out<'_, T>) -> bool,
        twin: impl Fn(&[S], &mut Out<'_, T>) -> usize,
    ) {
        // Some of them in Miri, which takes long.
        let step = if cfg!(miri) { 13 } else { 1 };
        for len in (0..80).step_by(step) {
            for at in (0..=len).step_by(step) {
                let mut src: Vec<S> = (0..len).map(&right).collect();
                if let (Some(slot), Some(wrong)) = (src.get_mut(at), wrong) {
                    *slot = wrong;
                }
                for capacity in [len, len.saturating_sub(1)] {
                    let [mut a, mut b] = [(); 2].map(|()| vec![T::default(); capacity + 3]);
                    let [mut a, mut b] = [&mut a, &mut b].map(|slots| Out::new(&mut slots[..capacity + 2]));
                    // Not at the front.
                    for out in [&mut a, &mut b] {
                        out.extend(&[T::default(); 2]);
                    }
                    let (all, read) = (short(&src, &mut a), twin(&src, &mut b));
                    assert_eq!(all, read == len && taken.contains(&len), "{len} units, {at}, capacity {capacity}");
                    let expected = if all { b.written() } else { &b.written()[..2] };
                    assert_eq!(a.written(), expected, "{len} units, {at}, capacity {capacity}");
                }
            }
        }
    }

    #[test]
    fn is_what_kernels_do() {
        let ascii = |n: usize| (n * 37 % 128) as u8;
        let latin1 = |n: usize| (n * 37 % 256) as u8;
        check(8..65, ascii, Some(0x80), ascii_copy, ascii::copy);
        check(8..33, ascii, Some(0xFF), ascii_to_utf16, ascii::to_utf16);
        check(8..33, latin1, None, latin1_to_utf16, latin1::to_utf16);
        for wrong in [0x80, 0x100, 0x8000] {
            check(8..65, |n| ascii(n).into(), Some(wrong), ascii_from_utf16, ascii::from_utf16);
        }
        for wrong in [[0, 0x80], [1, 0], [0x80, 0]] {
            let from_bytes = |src: &[[u8; 2]], out: &mut Out<'_, u8>| {
                let units: Vec<u16> = src.iter().map(|&unit| u16::from_be_bytes(unit)).collect();
                ascii::from_utf16(&units, out)
            };
            check(8..65, |n| [0, ascii(n)], Some(wrong), ascii_from_utf16be, from_bytes);
        }
        for wrong in [0x100, 0x8000] {
            check(8..33, |n| latin1(n).into(), Some(wrong), latin1_from_utf16, latin1::from_utf16);
        }
    }

    #[test]
    fn sees_what_kernels_see() {
        let write = |all: bool, len: usize, out: &mut Out<'_, u8>| all && out.extend(&[1; 80][..len]);
        let read = |read: usize, out: &mut Out<'_, u8>| {
            out.extend(&[1; 80][..read.min(out.spare_len())]);
            read
        };
        // The room does not matter to them.
        let with_room = |len: usize, out: &Out<'_, u8>| out.spare_len() >= len;
        check(
            8..33,
            |n| (n * 37 % 128) as u8,
            Some(0x80),
            |src, out| with_room(src.len(), out) && write(is_ascii(src), src.len(), out),
            |src, out| read(utf8::prefix(src).min(out.spare_len()), out),
        );
        for wrong in [0xD800, 0xDFFF] {
            check(
                8..65,
                |n| (n * 0x1234 % 0xD800) as u16,
                Some(wrong),
                |src, out| with_room(src.len(), out) && write(has_no_surrogate(src), src.len(), out),
                |src, out| read(utf16::prefix(src).min(out.spare_len()), out),
            );
        }
    }
}
