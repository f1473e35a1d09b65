//! Short inputs, converted by SSE2 in the caller's code, without a call of a kernel.
//!
//! Two chunks of one length, which may overlap, cover an input that is one to two chunks long. A function converts all of the
//! input and returns true, or declines it: then it returns false and writes nothing, and a kernel converts the input.
//!
//! Written with arrays instead of vectors, this compiles to single loads and shifts. ASCII of 65 to 128 bytes takes 0.65 to 0.85
//! of the time that a kernel takes (Zen 4): its vectors are narrower, but there is no call. Above 32 units, kernels are faster
//! for the test whether UTF-8 is ASCII, and above 64 for Latin-1 to UTF-16.
//!
//! The benchmark cells for which this module exists are those of 16 and 64 bytes of ASCII: `validate/*/en/16B`,
//! `convert/*/en/16B`, `decode/*/*/en/16B`, `encode/*/*/en/16B`, and the same with `64B`.

use crate::kernel::each::Each as _;
use core::arch::x86_64::{
    __m128i, _mm_add_epi16, _mm_and_si128, _mm_cmpeq_epi16, _mm_cmplt_epi16, _mm_loadl_epi64, _mm_loadu_si128,
    _mm_min_epi16, _mm_movemask_epi8, _mm_or_si128, _mm_packus_epi16, _mm_set1_epi16, _mm_setzero_si128,
    _mm_slli_epi16, _mm_srli_epi16, _mm_srli_si128, _mm_storel_epi64, _mm_storeu_si128, _mm_unpackhi_epi8,
    _mm_unpackhi_epi64, _mm_unpacklo_epi8, _mm_xor_si128,
};
use core::mem::MaybeUninit;

use super::{
    Out,
    block::{bytes_of, part_mut},
    reference::double_byte::decode::Form,
    tables::ByteOrder,
};

/// Returns true if the input has 8 to 32 bytes, all ASCII. False otherwise, also for other lengths.
#[inline]
pub(crate) fn is_short_ascii(src: &[u8]) -> bool {
    // SAFETY: the functions called here need SSE2, and this module is compiled only with `target_feature = "sse2"`.
    unsafe {
        match src.len() {
            ..8 | 33.. => false,
            8..=16 => are_ascii(halves(src)),
            _ => are_ascii(bytes::<1>(src)),
        }
    }
}

/// Returns true if the input has 8 to 64 code units, none of them a surrogate. False otherwise, also for other lengths.
#[inline]
pub(crate) fn has_no_surrogate(src: &[u16]) -> bool {
    if matches!(src.first(), Some(0xD800..=0xDFFF)) {
        return false;
    }
    // SAFETY: the functions called here need SSE2, and this module is compiled only with `target_feature = "sse2"`.
    unsafe {
        match src.len() {
            ..8 | 65.. => false,
            8..=16 => have_no_surrogate(bytes::<1>(bytes_of(src))),
            17..=32 => have_no_surrogate(bytes::<2>(bytes_of(src))),
            _ => have_no_surrogate_up_to_64(bytes_of(src)),
        }
    }
}

/// Reads 8 to 64 code units of well-formed UTF-16 in a byte order. Returns false, and writes nothing, if it declines the input.
#[inline]
pub(crate) fn utf16_from_bytes(order: ByteOrder, src: &[u8], out: &mut Out<'_, u16>) -> bool {
    if !src.len().is_multiple_of(2) {
        return false;
    }
    // SAFETY: the functions called here need SSE2, and this module is compiled only with `target_feature = "sse2"`.
    unsafe {
        match src.len() / 2 {
            ..8 | 65.. => false,
            8..=16 => copy_units::<1>(order, src, out),
            17..=32 => copy_units::<2>(order, src, out),
            _ => copy_up_to_64_units(order, src, out),
        }
    }
}

/// Copies 8 to 128 bytes of ASCII. Returns false, and writes nothing, if it declines the input.
#[inline]
pub(crate) fn ascii_copy(src: &[u8], out: &mut Out<'_, u8>) -> bool {
    // SAFETY: the functions called here need SSE2, and this module is compiled only with `target_feature = "sse2"`.
    unsafe {
        match src.len() {
            ..8 | 129.. => false,
            8..=16 => are_ascii(halves(src)) && put(src.len(), out, halves(src).each(|[half]| Half(half))),
            17..=32 => are_ascii(bytes::<1>(src)) && put(src.len(), out, bytes::<1>(src)),
            33..=64 => are_ascii(bytes::<2>(src)) && put(src.len(), out, bytes::<2>(src)),
            _ => are_ascii(bytes::<4>(src)) && put(src.len(), out, bytes::<4>(src)),
        }
    }
}

/// Converts 8 to 128 bytes of ASCII to code units that are in a byte order in memory. Returns false, and writes nothing, if it
/// declines the input.
#[inline]
pub(crate) fn ascii_to_utf16(order: ByteOrder, src: &[u8], out: &mut Out<'_, u16>) -> bool {
    src.first().is_some_and(u8::is_ascii) && to_utf16::<true>(order, src, out)
}

/// Converts 8 to 64 bytes of Latin-1. Returns false, and writes nothing, if it declines the input.
#[inline]
pub(crate) fn latin1_to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> bool {
    src.len() <= 64 && to_utf16::<false>(ByteOrder::Little, src, out)
}

/// Converts 8 to 64 code units of ASCII. Returns false, and writes nothing, if it declines the input.
#[inline(always)]
pub(crate) fn ascii_from_utf16(order: ByteOrder, src: &[[u8; 2]], out: &mut Out<'_, u8>) -> bool {
    if src.first().is_none_or(|&first| order.unit(first) >= 0x80) {
        return false;
    }
    let src = src.as_flattened();
    from_utf16(order, 0x7F, src, out)
}

/// Converts 8 to 64 code units of Latin-1. Returns false, and writes nothing, if it declines the input.
#[inline]
pub(crate) fn latin1_from_utf16(src: &[u16], out: &mut Out<'_, u8>) -> bool {
    from_utf16(ByteOrder::NATIVE, 0xFF, bytes_of(src), out)
}

#[inline(always)]
fn to_utf16<const ASCII: bool>(order: ByteOrder, src: &[u8], out: &mut Out<'_, u16>) -> bool {
    // SAFETY: the functions called here need SSE2, and this module is compiled only with `target_feature = "sse2"`.
    unsafe {
        match src.len() {
            ..8 | 129.. => false,
            8..=16 => {
                let chunks = halves(src);
                (!ASCII || are_ascii(chunks)) && put(src.len(), out, chunks.each(|[half]| widen(order, half)[0]))
            }
            17..=32 => widened::<ASCII, 1>(order, src, out),
            33..=64 => widened::<ASCII, 2>(order, src, out),
            _ => widened::<ASCII, 4>(order, src, out),
        }
    }
}

#[inline(always)]
fn widened<const ASCII: bool, const N: usize>(order: ByteOrder, src: &[u8], out: &mut Out<'_, u16>) -> bool {
    // SAFETY: the functions called here need SSE2, and this module is compiled only with `target_feature = "sse2"`.
    unsafe {
        let chunks = bytes::<N>(src);
        (!ASCII || are_ascii(chunks))
            && put(
                src.len(),
                out,
                chunks.each(|chunk| mapped(chunk, [_mm_setzero_si128(); 2], |bytes| widen(order, bytes))),
            )
    }
}

/// Converts code units with no bits outside `mask`, which is 0x7F or 0xFF.
#[inline(always)]
fn from_utf16(order: ByteOrder, mask: i16, src: &[u8], out: &mut Out<'_, u8>) -> bool {
    // SAFETY: the functions called here need SSE2, and this module is compiled only with `target_feature = "sse2"`.
    unsafe {
        match src.len() / 2 {
            ..8 | 65.. => false,
            8..=16 => {
                let chunks = bytes::<1>(src);
                let [[a], [b]] = chunks;
                let both = narrow(order, a, b);
                let halves = [Half(both), Half(_mm_unpackhi_epi64(both, both))];
                fits_mask(order, mask, chunks) && put(src.len() / 2, out, halves)
            }
            17..=32 => {
                let chunks = bytes::<2>(src);
                fits_mask(order, mask, chunks) && put(src.len() / 2, out, chunks.each(|[a, b]| narrow(order, a, b)))
            }
            _ => {
                let chunks = bytes::<4>(src);
                let narrow = |[a, b, c, d]: [__m128i; 4]| [narrow(order, a, b), narrow(order, c, d)];
                fits_mask(order, mask, chunks) && put(src.len() / 2, out, chunks.each(narrow))
            }
        }
    }
}

#[inline(never)]
#[target_feature(enable = "sse2")]
fn have_no_surrogate_up_to_64(src: &[u8]) -> bool {
    have_no_surrogate(bytes::<4>(src))
}

#[inline]
#[target_feature(enable = "sse2")]
fn copy_up_to_64_units(order: ByteOrder, src: &[u8], out: &mut Out<'_, u16>) -> bool {
    copy_units::<4>(order, src, out)
}

/// Writes code units in a byte order, unless one is an unpaired surrogate.
#[inline]
#[target_feature(enable = "sse2")]
fn copy_units<const N: usize>(order: ByteOrder, src: &[u8], out: &mut Out<'_, u16>) -> bool {
    let chunks = native::<N>(order, src);
    if have_no_surrogate(chunks) {
        return put(src.len() / 2, out, chunks);
    }
    path!("short-surrogates") && copy_pairs::<N>(order, src, out)
}

/// Writes code units in a byte order, with surrogates. A function of its own, so that `copy_units` keeps no vectors over a call.
#[inline(never)]
#[target_feature(enable = "sse2")]
fn copy_pairs<const N: usize>(order: ByteOrder, src: &[u8], out: &mut Out<'_, u16>) -> bool {
    has_only_pairs::<N>(order, src) && put(src.len() / 2, out, native::<N>(order, src))
}

/// Loads the first `8 * N` code units in a byte order, and the last `8 * N`.
#[inline]
#[target_feature(enable = "sse2")]
fn native<const N: usize>(order: ByteOrder, src: &[u8]) -> [[__m128i; N]; 2] {
    let swapped = |units: __m128i| _mm_or_si128(_mm_slli_epi16::<8>(units), _mm_srli_epi16::<8>(units));
    match order {
        ByteOrder::Little => bytes::<N>(src),
        ByteOrder::Big => bytes::<N>(src).each(|chunk| mapped(chunk, _mm_setzero_si128(), swapped)),
    }
}

/// Whether all surrogates are in pairs.
#[inline]
#[target_feature(enable = "sse2")]
fn has_only_pairs<const N: usize>(order: ByteOrder, src: &[u8]) -> bool {
    let [mask, high, low] = [0xFC00, 0xD800, 0xDC00].each(|unit: u16| match order {
        ByteOrder::Little => unit.cast_signed(),
        ByteOrder::Big => unit.swap_bytes().cast_signed(),
    });
    let is = |units, kind| _mm_cmpeq_epi16(_mm_and_si128(units, _mm_set1_epi16(mask)), _mm_set1_epi16(kind));
    let unit_is = |unit: Option<&[u8; 2]>, kind| unit.is_some_and(|&unit| i16::from_le_bytes(unit) & mask == kind);
    // A unit is high if and only if the next one is low.
    let mut differences = _mm_setzero_si128();
    if src.len() == 16 {
        let [units] = load::<1>(src, 0);
        differences = _mm_xor_si128(is(units, high), is(_mm_srli_si128::<2>(units), low));
    } else {
        let (units, next) = (bytes::<N>(&src[..src.len() - 2]), bytes::<N>(&src[2..]));
        for (&units, &next) in units.as_flattened().iter().zip(next.as_flattened()) {
            differences = _mm_or_si128(differences, _mm_xor_si128(is(units, high), is(next, low)));
        }
    }
    let units = src.as_chunks::<2>().0;
    _mm_movemask_epi8(differences) == 0 && !unit_is(units.first(), low) && !unit_is(units.last(), high)
}

/// Converted units in vectors.
///
/// # Safety
/// `store` initialises all of `to`.
unsafe trait Chunk<T> {
    /// The number of units.
    const LEN: usize;

    /// # Safety
    /// `to.len() == LEN`.
    unsafe fn store(self, to: &mut [MaybeUninit<T>]);
}

/// The first eight bytes of a vector.
struct Half(__m128i);

// SAFETY: `store` writes 8 bytes, and `LEN == 8`.
unsafe impl Chunk<u8> for Half {
    const LEN: usize = 8;

    #[inline(always)]
    unsafe fn store(self, to: &mut [MaybeUninit<u8>]) {
        // SAFETY: `to.len() == LEN == 8`: this function's contract.
        unsafe { _mm_storel_epi64(to.as_mut_ptr().cast(), self.0) };
    }
}

// SAFETY: `store` writes 16 bytes, which are `LEN` units: all bit patterns of a `Form` are valid, and its size divides 16.
unsafe impl<T: Form> Chunk<T> for __m128i {
    const LEN: usize = 16 / size_of::<T>();

    #[inline(always)]
    unsafe fn store(self, to: &mut [MaybeUninit<T>]) {
        // SAFETY: `to.len() == LEN`, which is 16 bytes: this function's contract.
        unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), self) };
    }
}

// SAFETY: `to` has `N * C::LEN` units, and `store` initialises each part of `C::LEN` units.
unsafe impl<T, C: Chunk<T>, const N: usize> Chunk<T> for [C; N] {
    const LEN: usize = N * C::LEN;

    #[inline(always)]
    unsafe fn store(self, to: &mut [MaybeUninit<T>]) {
        for (n, chunk) in self.into_iter().enumerate() {
            // SAFETY: `(n + 1) * C::LEN <= N * C::LEN == to.len()`: this function's contract.
            unsafe { chunk.store(part_mut(to, n * C::LEN, C::LEN)) };
        }
    }
}

/// Writes `len` units, of which `front` has the first and `back` the last. Returns false if they do not fit.
#[inline(always)]
fn put<T: Copy, C: Chunk<T>>(len: usize, out: &mut Out<'_, T>, [front, back]: [C; 2]) -> bool {
    assert!(C::LEN <= len && len <= 2 * C::LEN, "the chunks do not cover the input");
    // SAFETY: only initialised values are stored in the slots.
    let Some(to) = unsafe { out.spare() }.get_mut(..len) else { return false };
    // SAFETY: both parts have length `C::LEN`, because `C::LEN <= len` (asserted) and `to.len() == len`.
    unsafe {
        front.store(&mut to[..C::LEN]);
        back.store(&mut to[len - C::LEN..]);
    }
    // SAFETY: the first `len` slots are initialised: `len <= 2 * C::LEN` (asserted), so the two chunks cover them.
    unsafe { out.advance(len) };
    true
}

/// Loads the first eight bytes and the last eight.
#[inline]
#[target_feature(enable = "sse2")]
fn halves(src: &[u8]) -> [[__m128i; 1]; 2] {
    let load = |at: usize| {
        let half = &src[at..at + 8];
        // SAFETY: `half.len() == 8`: the slice above.
        unsafe { _mm_loadl_epi64(half.as_ptr().cast()) }
    };
    [[load(0)], [load(src.len() - 8)]]
}

/// Loads the first `16 * N` bytes and the last `16 * N`.
#[inline(always)]
fn bytes<const N: usize>(src: &[u8]) -> [[__m128i; N]; 2] {
    [load(src, 0), load(src, src.len() - 16 * N)]
}

/// Calls `act` with each vector. Unlike `array::map`, this is always inlined.
#[inline(always)]
fn mapped<R: Copy, const N: usize>(chunk: [__m128i; N], unset: R, act: impl Fn(__m128i) -> R) -> [R; N] {
    let mut results = [unset; N];
    for (result, &vector) in results.iter_mut().zip(&chunk) {
        *result = act(vector);
    }
    results
}

/// Loads `16 * N` bytes. A loop instead of `array::from_fn`, which is not inlined.
#[inline(always)]
fn load<const N: usize>(src: &[u8], from: usize) -> [__m128i; N] {
    // SAFETY: SSE2 is available: this module is compiled only with `target_feature = "sse2"`.
    let mut vectors = [unsafe { _mm_setzero_si128() }; N];
    for (vector, chunk) in vectors.iter_mut().zip(src[from..][..16 * N].as_chunks::<16>().0) {
        // SAFETY: `chunk` has 16 bytes, and SSE2 is available, as above.
        *vector = unsafe { _mm_loadu_si128(chunk.as_ptr().cast()) };
    }
    vectors
}

/// Narrows code units in a byte order to bytes. Their upper bytes must be 0.
#[inline]
#[target_feature(enable = "sse2")]
fn narrow(order: ByteOrder, a: __m128i, b: __m128i) -> __m128i {
    let [a, b] = [a, b].each(|units| if order == ByteOrder::Big { _mm_srli_epi16::<8>(units) } else { units });
    _mm_packus_epi16(a, b)
}

#[inline]
#[target_feature(enable = "sse2")]
fn are_ascii<const N: usize>(chunks: [[__m128i; N]; 2]) -> bool {
    _mm_movemask_epi8(any(chunks)) == 0
}

/// Whether no code unit in a byte order has bits outside `mask`.
#[inline]
#[target_feature(enable = "sse2")]
fn fits_mask<const N: usize>(order: ByteOrder, mask: i16, chunks: [[__m128i; N]; 2]) -> bool {
    let mask = if order == ByteOrder::Big { mask.swap_bytes() } else { mask };
    let others = _mm_and_si128(any(chunks), _mm_set1_epi16(!mask));
    _mm_movemask_epi8(_mm_cmpeq_epi16(others, _mm_setzero_si128())) == 0xFFFF
}

/// Whether no unit is a surrogate.
#[inline]
#[target_feature(enable = "sse2")]
fn have_no_surrogate<const N: usize>(chunks: [[__m128i; N]; 2]) -> bool {
    // Moves the surrogates to the lowest signed numbers, so that a minimum finds them.
    const FIRST: u16 = 0x8000;
    let bias = _mm_set1_epi16(FIRST.wrapping_sub(0xD800).cast_signed());
    let mut lowest = _mm_set1_epi16(i16::MAX);
    for &units in chunks.as_flattened() {
        lowest = _mm_min_epi16(lowest, _mm_add_epi16(units, bias));
    }
    let surrogates = _mm_cmplt_epi16(lowest, _mm_set1_epi16((FIRST + 0x800).cast_signed()));
    _mm_movemask_epi8(surrogates) == 0
}

/// The bitwise OR of all vectors.
#[inline]
#[target_feature(enable = "sse2")]
fn any<const N: usize>(chunks: [[__m128i; N]; 2]) -> __m128i {
    let mut any = _mm_setzero_si128();
    for vector in chunks.as_flattened() {
        any = _mm_or_si128(any, *vector);
    }
    any
}

/// Zero-extends bytes to code units.
#[inline]
#[target_feature(enable = "sse2")]
fn widen(order: ByteOrder, bytes: __m128i) -> [__m128i; 2] {
    let zero = _mm_setzero_si128();
    match order {
        ByteOrder::Little => [_mm_unpacklo_epi8(bytes, zero), _mm_unpackhi_epi8(bytes, zero)],
        ByteOrder::Big => [_mm_unpacklo_epi8(zero, bytes), _mm_unpackhi_epi8(zero, bytes)],
    }
}
