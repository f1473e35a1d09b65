//! What AVX-512 kernels share: steps of 64 lanes, the last one under a mask.
//!
//! Measured on Zen 5:
//! - A next step whose place depends on this one's mask by arithmetic, not by a branch: 12 GB/s of ASCII instead of 130.
//! - Aligned destinations: no faster.
//! - Planes of UTF-8 looked up in the order in which `vpunpck` zips them, which saves a permutation: 10 % slower on mixed text,
//!   where branches on masks then wait longer. Latin-1 widened to pairs by `vpmovzxbw` or `vpshldw`: 15 % slower.
//! - An inner loop for runs of ASCII: 25 % faster where there is nothing else, up to 10 % slower on text with a bit of it.
//!
//! Measured on Sapphire Rapids, where vectors of 64 bytes have two ports, and permutations and comparisons one:
//! - Aligned destinations: bytes to UTF-16 at 75 GB/s, not 38; 10 % where the second-level cache is too small.
//! - Runs of four steps with one test: 1.4 to 2.4 times the speed on ASCII. Tried once in four steps, not at each, they cost
//!   other text nothing to speak of.
//! - Latin-1 to UTF-8 without a branch on what is ASCII: 13 to 14 GB/s of German, whatever the predictor knows. With it 17 to 24
//!   where that knows the text by heart, 7 to 11 elsewhere.
//! - Runs from UTF-16: 90 GB/s of ASCII instead of 69 in the first-level cache, but 45 instead of 53 in the second one. There
//!   an aligned destination instead of the source makes 50, and 10 % less where that cache is too small.
//! - Prefetching the source of a run: no faster.

use core::arch::x86_64::{
    __m512i, _mm512_cmpge_epi8_mask, _mm512_cmpgt_epu8_mask, _mm512_loadu_si512, _mm512_mask_cmplt_epi8_mask,
    _mm512_mask_mov_epi8, _mm512_mask_permutexvar_epi8, _mm512_mask_storeu_epi8, _mm512_mask_storeu_epi16,
    _mm512_maskz_compress_epi8, _mm512_maskz_loadu_epi8, _mm512_maskz_loadu_epi16, _mm512_movepi8_mask,
    _mm512_permutex2var_epi8, _mm512_permutexvar_epi64, _mm512_set1_epi8, _mm512_setr_epi64, _mm512_unpackhi_epi8,
    _mm512_unpacklo_epi8, _pdep_u64,
};

use super::{
    super::avx2::vector::{first, fitting},
    ascii::{is_ascii, load_run},
    latin1,
};
use crate::kernel::Out;

/// Bytes of a vector, and bytes or code units of a step.
pub(crate) const LANES: usize = 64;

/// The first 64 bytes; zeros behind the end.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
pub(crate) fn load(src: &[u8]) -> __m512i {
    if let Some(step) = src.first_chunk::<LANES>() {
        // SAFETY: there are 64 bytes.
        unsafe { _mm512_loadu_si512(step.as_ptr().cast()) }
    } else {
        // SAFETY: the mask has no byte behind the end.
        unsafe { _mm512_maskz_loadu_epi8(first(src.len()), src.as_ptr().cast()) }
    }
}

/// The first 64 code units, in two vectors; zeros behind the end.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
pub(crate) fn load_units(src: &[u16]) -> [__m512i; 2] {
    let from = src.as_ptr().cast::<i16>();
    if src.len() >= LANES {
        // SAFETY: there are 64 units.
        unsafe { [_mm512_loadu_si512(from.cast()), _mm512_loadu_si512(from.wrapping_add(32).cast())] }
    } else {
        let lanes = first(src.len());
        // SAFETY: the masks have no unit behind the end.
        unsafe {
            [
                _mm512_maskz_loadu_epi16(lanes as u32, from),
                _mm512_maskz_loadu_epi16((lanes >> 32) as u32, from.wrapping_add(32)),
            ]
        }
    }
}

/// What a step makes: 64 bytes or code units in vectors.
pub(crate) trait Step {
    type Unit: Copy;

    /// Stores the lanes in a mask.
    ///
    /// # Safety
    /// They may be written to, and the CPU has AVX-512 F and BW.
    unsafe fn store(self, to: *mut Self::Unit, lanes: u64);
}

impl Step for __m512i {
    type Unit = u8;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    unsafe fn store(self, to: *mut u8, lanes: u64) {
        // SAFETY: the caller's.
        unsafe { _mm512_mask_storeu_epi8(to.cast(), lanes, self) };
    }
}

impl Step for [__m512i; 2] {
    type Unit = u16;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    unsafe fn store(self, to: *mut u16, lanes: u64) {
        // SAFETY: the caller's.
        unsafe {
            _mm512_mask_storeu_epi16(to.cast(), lanes as u32, self[0]);
            _mm512_mask_storeu_epi16(to.cast::<i16>().wrapping_add(32), (lanes >> 32) as u32, self[1]);
        }
    }
}

/// Converts one unit to one, up to the first wrong one. `step` converts the first 64 of what it gets, or all, and says in a
/// mask which are wrong.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
pub(crate) fn one_to_one<T, S: Step>(src: &[T], out: &mut Out<'_, S::Unit>, step: impl Fn(&[T]) -> (S, u64)) -> usize {
    let src = &src[..src.len().min(out.room())];
    let to = out.spare();
    let (steps, rest) = src.as_chunks::<LANES>();
    let mut read = 0;
    for whole in steps {
        let (units, wrong) = step(whole);
        // SAFETY: there is room for all of `src`, of which `whole` are the 64 from `read` on.
        unsafe { units.store(to.wrapping_add(read), u64::MAX) };
        // A branch, not arithmetic: the next step need not wait for this one.
        if wrong != 0 {
            read += wrong.trailing_zeros() as usize;
            // SAFETY: all up to `read` is stored.
            unsafe { out.advance(read) };
            return read;
        }
        read += LANES;
    }
    let (units, wrong) = step(rest);
    // SAFETY: there is room for all of `src`, and behind `read` are as many as in `rest`.
    unsafe { units.store(to.wrapping_add(read), first(rest.len())) };
    read += rest.len().min(wrong.trailing_zeros() as usize);
    // SAFETY: all up to `read` is stored.
    unsafe { out.advance(read) };
    read
}

/// So many units are a run.
pub(crate) const RUN: usize = 4 * LANES;

/// From so many units on, [`in_runs`] is faster than [`one_to_one`]. It belongs in a function of its own: in one with
/// [`one_to_one`], its registers cost short texts 5 to 10 %.
pub(crate) const LONG: usize = 2 * RUN;

/// [`one_to_one`] for long texts: `run` is a shorter way for four steps at once, if they are as it needs them. What is wider,
/// source or destination, is aligned to cache lines.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
pub(crate) fn in_runs<T, S: Step>(
    src: &[T],
    out: &mut Out<'_, S::Unit>,
    run: impl Fn(&[T; RUN]) -> Option<[S; 4]>,
    step: impl Fn(&[T]) -> (S, u64),
) -> usize {
    let to = out.spare();
    let within = &src[..src.len().min(out.room())];
    let off = if size_of::<T>() > size_of::<S::Unit>() {
        src.as_ptr().addr() % LANES / size_of::<T>()
    } else {
        to.addr() % LANES / size_of::<S::Unit>()
    };
    // The first step overlaps with the next one.
    let (mut read, mut stride, mut end) = (0, LANES - off, LANES - off);
    while end <= within.len() {
        while read < end {
            let Some(whole) = within[read..].first_chunk::<LANES>() else { break };
            let (units, wrong) = step(whole);
            // SAFETY: there is room for all of `within`, of which `whole` are the 64 from `read` on.
            unsafe { units.store(to.wrapping_add(read), u64::MAX) };
            if wrong != 0 {
                read += wrong.trailing_zeros() as usize;
                // SAFETY: all up to `read` is stored.
                unsafe { out.advance(read) };
                return read;
            }
            read += stride;
            stride = LANES;
        }
        for four in within[read..].as_chunks::<RUN>().0 {
            let Some(steps) = run(four) else { break };
            for (n, units) in steps.into_iter().enumerate() {
                // SAFETY: there is room for all of `within`, of which `four` are the 256 from `read` on.
                unsafe { units.store(to.wrapping_add(read + n * LANES), u64::MAX) };
            }
            read += RUN;
        }
        end = read + RUN;
    }
    // SAFETY: all up to `read` is stored.
    unsafe { out.advance(read) };
    read + one_to_one(&src[read..], out, step)
}

/// Converts bytes to UTF-8, up to the first wrong one. `planes` gets 64 bytes and which of them are not ASCII; it says
/// these ones' first, second and third bytes of UTF-8, 0 where there is no third one, and which of them are wrong. What it
/// says of ASCII does not matter, but for the third bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
pub(crate) fn to_utf8(
    src: &[u8],
    out: &mut Out<'_, u8>,
    planes: impl Fn(__m512i, u64) -> ([__m512i; 3], u64),
) -> usize {
    let (to, room) = (out.spare(), out.room());
    let (mut read, mut written) = (0, 0);
    'surely: loop {
        // As many steps as surely fit: no more questions then.
        let steps = (src.len() - read).min((room - written) / 3) / LANES;
        if steps == 0 {
            break;
        }
        for step in &src[read..].as_chunks::<LANES>().0[..steps] {
            let bytes = load(step);
            let lanes = _mm512_movepi8_mask(bytes);
            let to = to.wrapping_add(written);
            if lanes == 0 {
                // SAFETY: there is room for thrice 64 bytes.
                unsafe { bytes.store(to, u64::MAX) };
                written += LANES;
            } else {
                let ([first, second, third], wrong) = planes(bytes, lanes);
                if wrong != 0 {
                    break 'surely;
                }
                let first = _mm512_mask_mov_epi8(bytes, lanes, first);
                written += if _mm512_movepi8_mask(third) == 0 {
                    // SAFETY: there is room for thrice 64 bytes.
                    unsafe { store_pieces(to, zip(first, second, lanes), None) }
                } else {
                    // SAFETY: there is room for thrice 64 bytes.
                    unsafe { store_pieces(to, zip3(first, second, third), None) }
                };
            }
            read += LANES;
        }
    }
    // What is left, or does not surely fit.
    while read < src.len() {
        let bytes = load(&src[read..]);
        let lanes = _mm512_movepi8_mask(bytes);
        let (rest, room, to) = (LANES.min(src.len() - read), room - written, to.wrapping_add(written));
        let len = if lanes == 0 {
            let len = rest.min(room);
            // SAFETY: so many fit.
            unsafe { bytes.store(to, first(len)) };
            written += len;
            len
        } else {
            let ([first, second, third], wrong) = planes(bytes, lanes);
            let first = _mm512_mask_mov_epi8(bytes, lanes, first);
            let three = _mm512_movepi8_mask(third);
            let (len, total) = fitting(rest.min(wrong.trailing_zeros() as usize), lanes, three, room);
            if three == 0 {
                // SAFETY: so many fit.
                unsafe { store_pieces(to, zip(first, second, lanes), Some(total)) };
            } else {
                // SAFETY: so many fit.
                unsafe { store_pieces(to, zip3(first, second, third), Some(total)) };
            }
            written += total;
            len
        };
        read += len;
        if len < rest {
            break;
        }
    }
    // SAFETY: all up to here is stored.
    unsafe { out.advance(written) };
    read
}

/// The bytes of both in turn.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(crate) fn zip_bytes(first: __m512i, second: __m512i) -> [__m512i; 2] {
    zip_halves(in_halves(first), in_halves(second))
}

/// The order that [`zip_halves`] needs: of each 16 bytes, eight of the first half and eight of the second one.
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn in_halves(bytes: __m512i) -> __m512i {
    _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7), bytes)
}

/// The bytes of both in turn, which are [`in_halves`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(crate) fn zip_halves(first: __m512i, second: __m512i) -> [__m512i; 2] {
    [_mm512_unpacklo_epi8(first, second), _mm512_unpackhi_epi8(first, second)]
}

/// The bytes of both in turn, and which of them to keep: the second ones in `lanes` only.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
fn zip(first: __m512i, second: __m512i, lanes: u64) -> [(__m512i, u64); 2] {
    const FIRSTS: u64 = 0x5555_5555_5555_5555;
    let [low, high] = zip_bytes(first, second);
    [(low, _pdep_u64(lanes, !FIRSTS) | FIRSTS), (high, _pdep_u64(lanes >> 32, !FIRSTS) | FIRSTS)]
}

/// The bytes of all three in turn, and which of them to keep: the second and third ones where they are no ASCII.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi2")]
fn zip3(first: __m512i, second: __m512i, third: __m512i) -> [(__m512i, u64); 3] {
    let piece = |n: usize| {
        let bytes = _mm512_permutex2var_epi8(first, load(&ZIP3[n][0]), second);
        let bytes = _mm512_mask_permutexvar_epi8(bytes, every_third(2, n), load(&ZIP3[n][1]), third);
        (bytes, every_third(0, n) | _mm512_movepi8_mask(bytes))
    };
    [piece(0), piece(1), piece(2)]
}

/// Which bytes of the `n`-th vector of three come from the plane.
const fn every_third(plane: usize, n: usize) -> u64 {
    const FIRSTS: u64 = 0x9249_2492_4924_9249;
    // 64 is one more than a multiple of three.
    FIRSTS << ((plane + 2 * n) % 3)
}

/// Where byte `n` of 192 comes from: plane `n % 3`, character `n / 3`. First and second plane together, then the third.
static ZIP3: [[[u8; LANES]; 2]; 3] = {
    let mut all = [[[0; LANES]; 2]; 3];
    let mut n = 0;
    while n < 3 * LANES {
        let lane = n / 3;
        all[n / LANES][0][n % LANES] = (if n % 3 == 1 { LANES + lane } else { lane }) as u8;
        all[n / LANES][1][n % LANES] = lane as u8;
        n += 1;
    }
    all
};

/// Stores the bytes to keep of each vector without gaps: all, or so many. Returns how many there are.
///
/// # Safety
/// So many may be written to; where none is said, as many as the vectors have.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,bmi2,popcnt")]
unsafe fn store_pieces<const N: usize>(to: *mut u8, pieces: [(__m512i, u64); N], total: Option<usize>) -> usize {
    let mut at = 0;
    for (bytes, keep) in pieces {
        // To a register first: the form that stores is slow on Zen 4.
        let bytes = _mm512_maskz_compress_epi8(keep, bytes);
        let lanes = total.map_or(u64::MAX, |total| first(total.saturating_sub(at)));
        // SAFETY: the mask has no byte from `total` on; without it, there is room for vectors before and behind `at`.
        unsafe { bytes.store(to.wrapping_add(at), lanes) };
        at += keep.count_ones() as usize;
    }
    at
}

/// Converts UTF-8, which may begin within a character, to a byte a character, up to the first wrong one. `step` gets what is
/// left; of the characters that begin within the first 64 bytes it makes one byte each, where they begin, and says which are
/// wrong. What it says of other bytes does not matter, but that they are not wrong.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,bmi1,bmi2,popcnt")]
pub(crate) fn from_utf8(src: &[u8], out: &mut Out<'_, u8>, step: impl Fn(&[u8]) -> (__m512i, u64)) -> usize {
    /// So many bytes behind a step its last character may have.
    const AHEAD: usize = 2;
    let (to, room) = (out.spare(), out.room());
    let (mut read, mut written) = (0, 0);
    loop {
        // As many steps as surely fit: no more questions then.
        let steps = (src.len() - read).saturating_sub(AHEAD).min(room - written) / LANES;
        for _ in 0..steps {
            // SAFETY: behind `read` are so many steps, and two bytes.
            let ahead = unsafe { &*src.as_ptr().add(read).cast::<[u8; LANES + AHEAD]>() };
            let text = load(ahead);
            let to = to.wrapping_add(written);
            if _mm512_movepi8_mask(text) == 0 {
                // SAFETY: there is room for 64 bytes.
                unsafe { text.store(to, u64::MAX) };
                written += LANES;
            } else {
                let (bytes, wrong) = step(ahead);
                let right = wrong.trailing_zeros() as usize;
                let keep = starts(text) & first(right);
                // SAFETY: there is room for 64 bytes.
                unsafe { _mm512_maskz_compress_epi8(keep, bytes).store(to, u64::MAX) };
                written += keep.count_ones() as usize;
                if wrong != 0 {
                    // SAFETY: all up to here is stored.
                    unsafe { out.advance(written) };
                    return read + right;
                }
            }
            read += LANES;
        }
        if steps == 0 {
            break;
        }
    }
    // What is left, or does not surely fit.
    while read < src.len() {
        let rest = &src[read..];
        let text = load(rest);
        let (bytes, wrong) = if _mm512_movepi8_mask(text) == 0 { (text, 0) } else { step(rest) };
        let right = first(rest.len().min(wrong.trailing_zeros() as usize));
        let starts = starts(text);
        let mut keep = starts & right;
        if keep.count_ones() as usize > room - written {
            // Up to the first one that does not fit.
            keep &= first(_pdep_u64(1 << (room - written), keep).trailing_zeros() as usize);
        }
        let count = keep.count_ones() as usize;
        // SAFETY: so many fit.
        unsafe { _mm512_maskz_compress_epi8(keep, bytes).store(to.wrapping_add(written), first(count)) };
        written += count;
        // Up to the next character, which may be the first that is wrong or does not fit.
        let next = (starts & !keep & first(rest.len())).trailing_zeros() as usize;
        read += next.min(rest.len());
        if next < LANES {
            break;
        }
    }
    // SAFETY: all up to here is stored.
    unsafe { out.advance(written) };
    // The rest of the last character.
    while src.get(read).is_some_and(|&byte| byte.cast_signed() < STARTS_FROM) {
        read += 1;
    }
    read
}

/// [`from_utf8`] for long texts in which most characters, ASCII and those from `own_from` to U+00FF, become their own code
/// points. Where ASCII ends is no branch but between runs of 256.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,bmi1,bmi2,popcnt")]
pub(crate) fn latin_from_utf8(
    own_from: i8,
    src: &[u8],
    out: &mut Out<'_, u8>,
    step: impl Fn(&[u8]) -> (__m512i, u64),
) -> usize {
    let own_from = _mm512_set1_epi8(own_from);
    let (to, room) = (out.spare(), out.room());
    let (mut read, mut written) = (0, 0);
    'runs: while read + RUN < src.len() && written + RUN <= room {
        // SAFETY: behind `read` are so many bytes.
        let run = unsafe { &*src.as_ptr().add(read).cast::<[u8; RUN + 1]>() };
        let Some(steps) = run.first_chunk().map(|run| load_run(run)) else { break };
        if is_ascii(steps) {
            for (n, bytes) in steps.into_iter().enumerate() {
                // SAFETY: there is room for the run.
                unsafe { bytes.store(to.wrapping_add(written + n * LANES), u64::MAX) };
            }
            (read, written) = (read + RUN, written + RUN);
            continue;
        }
        for (n, first) in steps.into_iter().enumerate() {
            let keep = starts(first);
            let mut bytes = latin1::one(first, load(&run[n * LANES + 1..]));
            let long = _mm512_cmpgt_epu8_mask(first, _mm512_set1_epi8(0xC3_u8.cast_signed()));
            if long | _mm512_mask_cmplt_epi8_mask(keep, bytes, own_from) != 0 {
                // A step looks two bytes ahead.
                if src.len() - read < LANES + 2 {
                    break 'runs;
                }
                let wrong;
                (bytes, wrong) = step(&src[read..]);
                if wrong != 0 {
                    break 'runs;
                }
            }
            // SAFETY: there is room for 64 bytes.
            unsafe { _mm512_maskz_compress_epi8(keep, bytes).store(to.wrapping_add(written), u64::MAX) };
            written += keep.count_ones() as usize;
            read += LANES;
        }
    }
    // SAFETY: all up to here is stored.
    unsafe { out.advance(written) };
    read + from_utf8(&src[read..], out, step)
}

/// As a signed number, the least byte that begins a character.
const STARTS_FROM: i8 = 0xC0_u8.cast_signed();

/// The bytes that begin a character.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(crate) fn starts(text: __m512i) -> u64 {
    _mm512_cmpge_epi8_mask(text, _mm512_set1_epi8(STARTS_FROM))
}
