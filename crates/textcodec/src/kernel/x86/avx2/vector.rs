//! What AVX2 kernels share: steps of 32 lanes, the last one of what is left, and stored whole where there is room.
//!
//! Over 600 lines: the loops over an input, with the tables that three operations share, belong together, because what is
//! measured for one holds for the others.
//!
//! Measured on Zen 5: runs of ASCII two steps at once 105 GB/s instead of 72. Asked for before each step instead of behind one
//! that was ASCII, they cost other text 10 %. Questions about room at each step cost 10 % too.
//! On Sapphire Rapids: aligned destinations and runs of four steps make 1.3 to 1.7 times the speed on ASCII.

use core::arch::x86_64::{
    __m128i, __m256i, _bzhi_u64, _mm_add_epi8, _mm_cvtsi64_si128, _mm_loadu_si128, _mm_set1_epi8, _mm_shuffle_epi8,
    _mm_storel_epi64, _mm_storeu_si128, _mm_unpackhi_epi64, _mm_unpacklo_epi64, _mm256_alignr_epi8, _mm256_blendv_epi8,
    _mm256_castsi256_si128, _mm256_cmpeq_epi8, _mm256_cmpgt_epi8, _mm256_extracti128_si256, _mm256_loadu_si256,
    _mm256_max_epu8, _mm256_movemask_epi8, _mm256_or_si256, _mm256_permute2x128_si256, _mm256_set1_epi8,
    _mm256_setzero_si256, _mm256_storeu_si256, _mm256_unpackhi_epi8, _mm256_unpackhi_epi16, _mm256_unpacklo_epi8,
    _mm256_unpacklo_epi16,
};
use core::{mem::MaybeUninit, ptr};

use super::partial::load_up_to_32;
use crate::kernel::Out;

/// Bytes of a vector, and bytes or code units of a step.
pub(crate) const LANES: usize = 32;

/// The mask of the first `lanes` lanes; all from 64 on.
#[inline]
#[target_feature(enable = "bmi2")]
pub(crate) fn first(lanes: usize) -> u64 {
    _bzhi_u64(u64::MAX, lanes.min(64) as u32)
}

/// The first 32 bytes; zeros behind the end.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn load(src: &[u8]) -> __m256i {
    match src.first_chunk::<LANES>() {
        // SAFETY: there are 32 bytes.
        Some(step) => unsafe { _mm256_loadu_si256(step.as_ptr().cast()) },
        None => load_up_to_32(src),
    }
}

/// The 32 bytes from the `N`-th on; zeros behind the end. `first` are the first 32, which is faster than to load a few again.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn load_behind<const N: i32>(first: __m256i, src: &[u8]) -> __m256i {
    if src.len() > LANES {
        load(&src[N.cast_unsigned() as usize..])
    } else {
        // The upper half, and zeros.
        let upper = _mm256_permute2x128_si256::<0x81>(first, first);
        _mm256_alignr_epi8::<N>(upper, first)
    }
}

/// 16 bytes.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn load_half(src: &[u8; 16]) -> __m128i {
    // SAFETY: there are 16 bytes.
    unsafe { _mm_loadu_si128(src.as_ptr().cast()) }
}

/// The first 32 code units, in two vectors; zeros behind the end.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn load_units(src: &[u16]) -> [__m256i; 2] {
    let bytes = src.as_ptr().cast::<u8>();
    // SAFETY: the same memory.
    let bytes = unsafe { core::slice::from_raw_parts(bytes, src.len() * 2) };
    [load(bytes), load(&bytes[LANES.min(bytes.len())..])]
}

/// What a step makes: 32 bytes or code units in vectors.
pub(crate) trait Step: Copy {
    type Unit: Copy;

    /// Stores all lanes.
    ///
    /// # Safety
    /// They may be written to, and the CPU has AVX2.
    unsafe fn store(self, to: *mut Self::Unit);
}

impl Step for __m256i {
    type Unit = u8;

    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn store(self, to: *mut u8) {
        // SAFETY: the caller's.
        unsafe { _mm256_storeu_si256(to.cast(), self) };
    }
}

impl Step for [__m256i; 2] {
    type Unit = u16;

    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn store(self, to: *mut u16) {
        // SAFETY: the caller's.
        unsafe {
            _mm256_storeu_si256(to.cast(), self[0]);
            _mm256_storeu_si256(to.add(LANES / 2).cast(), self[1]);
        }
    }
}

/// Converts one unit to one, up to the first wrong one. `step` converts the first 32 of what it gets, or all, and says in a
/// mask which are wrong.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
pub(crate) fn one_to_one<T, S: Step>(src: &[T], out: &mut Out<'_, S::Unit>, step: impl Fn(&[T]) -> (S, u32)) -> usize {
    let (to, room) = (out.spare(), out.room());
    let src = &src[..src.len().min(room)];
    let (steps, rest) = src.as_chunks::<LANES>();
    let mut read = 0;
    for whole in steps {
        let (units, wrong) = step(whole);
        // SAFETY: there is room for all of `src`, of which `whole` are the 32 from `read` on.
        unsafe { units.store(to.add(read)) };
        // A branch, not arithmetic: the next step need not wait for this one.
        if wrong != 0 {
            read += wrong.trailing_zeros() as usize;
            // SAFETY: all up to `read` is stored.
            unsafe { out.advance(read) };
            return read;
        }
        read += LANES;
    }
    if rest.is_empty() {
        // No tail.
    } else if let Some(last) = src.last_chunk::<LANES>() {
        // Some of them once more, which were right.
        read = src.len() - LANES;
        let (units, wrong) = step(last);
        // SAFETY: there is room for all of `src`, of which these are the last 32.
        unsafe { units.store(to.add(read)) };
        read += LANES.min(wrong.trailing_zeros() as usize);
    } else {
        let (units, wrong) = step(rest);
        let right = rest.len().min(wrong.trailing_zeros() as usize);
        // SAFETY: behind `read` is room for those that are right, and for so many more.
        unsafe { store_some(units, to.add(read), right, room - read) };
        read += right;
    }
    // SAFETY: all up to `read` is stored.
    unsafe { out.advance(read) };
    read
}

/// So many units are a run.
pub(crate) const RUN: usize = 4 * LANES;

/// From so many units on, [`in_runs`] is faster than [`one_to_one`]. It belongs in a function of its own, or short texts pay
/// for its registers.
pub(crate) const LONG: usize = 4 * RUN;

/// [`one_to_one`] for long texts: `run` is a shorter way for four steps at once, if they are as it needs them. What is wider,
/// source or destination, is aligned to vectors.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
pub(crate) fn in_runs<T, S: Step>(
    src: &[T],
    out: &mut Out<'_, S::Unit>,
    run: impl Fn(&[T; RUN]) -> Option<[S; 4]>,
    step: impl Fn(&[T]) -> (S, u32),
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
            // SAFETY: there is room for all of `within`, of which `whole` are the 32 from `read` on.
            unsafe { units.store(to.wrapping_add(read)) };
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
                // SAFETY: there is room for all of `within`, of which `four` are the 128 from `read` on.
                unsafe { units.store(to.wrapping_add(read + n * LANES)) };
            }
            read += RUN;
        }
        end = read + RUN;
    }
    // SAFETY: all up to `read` is stored.
    unsafe { out.advance(read) };
    read + one_to_one(&src[read..], out, step)
}

/// Stores the first `count` lanes, and others where there is room for all.
///
/// # Safety
/// There is such room, for `count` at least. The CPU has AVX2.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn store_some<S: Step>(units: S, to: *mut S::Unit, count: usize, room: usize) {
    if room >= LANES {
        // SAFETY: there is room for all.
        unsafe { units.store(to) };
    } else {
        let mut all = MaybeUninit::<[S::Unit; LANES]>::uninit();
        // SAFETY: there is room for all in `all`, and for `count` behind `to`.
        unsafe {
            units.store(all.as_mut_ptr().cast::<S::Unit>());
            ptr::copy_nonoverlapping(all.as_ptr().cast::<S::Unit>(), to, count);
        }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn is_ascii(bytes: __m256i) -> bool {
    _mm256_movemask_epi8(bytes) == 0
}

/// How many bytes may be written behind those of a step.
const OVER: usize = 16;

/// Converts bytes to UTF-8, up to the first wrong one. `two` gets 32 bytes; of those that are not ASCII it says the first and
/// second byte of UTF-8, and which are wrong; `third` says the third one of those whose first byte is 0xE0 or above.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(crate) fn to_utf8(
    src: &[u8],
    out: &mut Out<'_, u8>,
    two: impl Fn(__m256i, u32) -> ([__m256i; 2], u32),
    third: impl Fn(__m256i) -> __m256i,
) -> usize {
    let (to, room) = (out.spare(), out.room());
    let (mut read, mut written) = (0, 0);
    'surely: loop {
        // As many steps as surely fit: no more questions then.
        let steps = (src.len() - read).min((room - written).saturating_sub(OVER) / 3) / LANES;
        if steps == 0 {
            break;
        }
        let end = read + steps * LANES;
        while read < end {
            let bytes = load(&src[read..end]);
            let lanes = _mm256_movemask_epi8(bytes).cast_unsigned();
            let to = to.wrapping_add(written);
            if lanes == 0 {
                // SAFETY: there is room for all up to `end`.
                let run = unsafe { copy_ascii(&src[read..end], to) };
                (read, written) = (read + run, written + run);
                continue;
            }
            let ([first, second], wrong) = two(bytes, lanes);
            if wrong != 0 {
                break 'surely;
            }
            let three = long(first) & lanes;
            let first = _mm256_blendv_epi8(bytes, first, bytes);
            written += if three == 0 {
                // SAFETY: there is room for thrice 32 bytes, and some.
                unsafe { put_pairs(to, first, second, lanes, LANES) }
            } else {
                // SAFETY: there is room for thrice 32 bytes, and some.
                unsafe { put_quads(to, [first, second, third(bytes)], lanes, three, LANES) }
            };
            read += LANES;
        }
    }
    // What is left, or does not surely fit.
    while read < src.len() {
        let len = src.len() - read;
        if let Some(last) = src.last_chunk::<LANES>()
            && len < LANES.min(room - written + 1)
            && is_ascii(load(last))
        {
            // SAFETY: the rest fits, and what is before it in these bytes is what is written before it.
            unsafe { load(last).store(to.add(written + len - LANES)) };
            (read, written) = (src.len(), written + len);
            break;
        }
        let bytes = load(&src[read..]);
        let lanes = _mm256_movemask_epi8(bytes).cast_unsigned();
        let (rest, room, to) = (LANES.min(src.len() - read), room - written, to.wrapping_add(written));
        let len = if lanes == 0 {
            let len = rest.min(room);
            // SAFETY: so many fit.
            unsafe { store_some(bytes, to, len, room) };
            written += len;
            len
        } else {
            let ([first, second], wrong) = two(bytes, lanes);
            let three = long(first) & lanes;
            let first = _mm256_blendv_epi8(bytes, first, bytes);
            let (len, total) = fitting(rest.min(wrong.trailing_zeros() as usize), lanes.into(), three.into(), room);
            let mut all = MaybeUninit::<[u8; 3 * LANES + OVER]>::uninit();
            let surely = room >= total + OVER;
            let target = if surely { to } else { all.as_mut_ptr().cast::<u8>() };
            if three == 0 {
                // SAFETY: there is room for so many, and some.
                unsafe { put_pairs(target, first, second, lanes, len) };
            } else {
                // SAFETY: there is room for so many, and some.
                unsafe { put_quads(target, [first, second, third(bytes)], lanes, three, len) };
            }
            if !surely {
                // SAFETY: so many are in `all`, and fit.
                unsafe { ptr::copy_nonoverlapping(target, to, total) };
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

/// How many of the first `len` characters fit into `room`, and how many bytes they have: one each, one more in `lanes`, one
/// more in `three`.
#[inline]
#[target_feature(enable = "bmi2,popcnt")]
pub(crate) fn fitting(len: usize, lanes: u64, three: u64, room: usize) -> (usize, usize) {
    let bytes = |len| len + ((lanes & first(len)).count_ones() + (three & first(len)).count_ones()) as usize;
    let total = bytes(len);
    if total <= room {
        return (len, total);
    }
    let (mut fit, mut over) = (0, len);
    while over - fit > 1 {
        let middle = usize::midpoint(fit, over);
        if bytes(middle) <= room { fit = middle } else { over = middle }
    }
    (fit, bytes(fit))
}

/// Bytes from 0xE0 on.
#[inline]
#[target_feature(enable = "avx2")]
fn long(bytes: __m256i) -> u32 {
    _mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_max_epu8(bytes, _mm256_set1_epi8(0xE0_u8.cast_signed()))))
        .cast_unsigned()
}

/// The lower halves of both, then the upper ones.
#[inline]
#[target_feature(enable = "avx2")]
fn halves(vectors: [__m256i; 2]) -> [__m128i; 4] {
    [
        _mm256_castsi256_si128(vectors[0]),
        _mm256_castsi256_si128(vectors[1]),
        _mm256_extracti128_si256::<1>(vectors[0]),
        _mm256_extracti128_si256::<1>(vectors[1]),
    ]
}

/// Stores UTF-8 of up to two bytes a character: the second ones of those in `lanes`. Returns how many bytes it has, of `len`
/// characters at least.
///
/// # Safety
/// [`OVER`] more than `len` characters have may be written to. The CPU has AVX2.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
unsafe fn put_pairs(to: *mut u8, first: __m256i, second: __m256i, lanes: u32, len: usize) -> usize {
    let groups = halves([_mm256_unpacklo_epi8(first, second), _mm256_unpackhi_epi8(first, second)]);
    let mut at = 0;
    for (n, group) in groups.into_iter().enumerate() {
        if n * 8 >= len {
            break;
        }
        let lanes = (lanes >> (8 * n)) as u8;
        let group = _mm_shuffle_epi8(group, load_half(&PAIRS[usize::from(lanes)]));
        // SAFETY: it begins among the bytes of `len` characters.
        unsafe { _mm_storeu_si128(to.add(at).cast(), group) };
        at += 8 + lanes.count_ones() as usize;
    }
    at
}

/// Stores UTF-8 of up to three bytes a character: the second ones of those in `lanes`, the third ones of those in `three`.
/// Returns how many bytes it has, of `len` characters at least.
///
/// # Safety
/// [`OVER`] more than `len` characters have may be written to. The CPU has AVX2.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
unsafe fn put_quads(to: *mut u8, planes: [__m256i; 3], lanes: u32, three: u32, len: usize) -> usize {
    let [first, second, third] = planes;
    let zero = _mm256_setzero_si256();
    let [low, high] = [_mm256_unpacklo_epi8(first, second), _mm256_unpackhi_epi8(first, second)];
    let [low3, high3] = [_mm256_unpacklo_epi8(third, zero), _mm256_unpackhi_epi8(third, zero)];
    let low = halves([_mm256_unpacklo_epi16(low, low3), _mm256_unpackhi_epi16(low, low3)]);
    let high = halves([_mm256_unpacklo_epi16(high, high3), _mm256_unpackhi_epi16(high, high3)]);
    let mut at = 0;
    let groups = [low[0], low[1], high[0], high[1], low[2], low[3], high[2], high[3]];
    for (n, group) in groups.into_iter().enumerate() {
        if n * 4 >= len {
            break;
        }
        let lengths = ((lanes >> (4 * n)) & 15 | ((three >> (4 * n)) & 15) << 4) as u8;
        let group = _mm_shuffle_epi8(group, load_half(&QUADS[usize::from(lengths)]));
        // SAFETY: it begins among the bytes of `len` characters.
        unsafe { _mm_storeu_si128(to.add(at).cast(), group) };
        at += 4 + lengths.count_ones() as usize;
    }
    at
}

/// By a mask of eight characters that have two bytes, which of eight pairs' bytes to keep.
static PAIRS: [[u8; 16]; 256] = orders(2);
/// By a mask of four characters that have a second byte, and of those that have a third one, which of four times four bytes
/// to keep.
static QUADS: [[u8; 16]; 256] = orders(4);
/// Which of eight bytes to keep, by a mask of them.
static KEPT: [[u8; 8]; 256] = {
    let mut all = [[0x80; 8]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut n, mut to) = (0_usize, 0);
        while n < 8 {
            if mask >> n & 1 == 1 {
                all[mask][to] = n as u8;
                to += 1;
            }
            n += 1;
        }
        mask += 1;
    }
    all
};

/// Orders for `vpshufb` that keep a character's first byte, and others whose bit is set: for characters of so many bytes each,
/// the second bytes' bits and then the third ones'.
const fn orders(bytes: usize) -> [[u8; 16]; 256] {
    let mut all = [[0x80; 16]; 256];
    let characters = 16 / bytes;
    let mut mask = 0;
    while mask < 256 {
        let (mut n, mut to) = (0, 0);
        while n < 16 {
            let (character, byte) = (n / bytes, n % bytes);
            if byte == 0 || byte < 3 && mask >> (character + (byte - 1) * characters) & 1 == 1 {
                all[mask][to] = n as u8;
                to += 1;
            }
            n += 1;
        }
        mask += 1;
    }
    all
}

/// Copies whole steps of ASCII, the first of which is known to be, two at once.
///
/// # Safety
/// There is room for all of `src`. The CPU has AVX2.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn copy_ascii(src: &[u8], to: *mut u8) -> usize {
    // SAFETY: there is room for a step.
    unsafe { load(src).store(to) };
    let mut copied = LANES;
    for two in src[LANES..].as_chunks::<{ 2 * LANES }>().0 {
        let [first, second] = [load(two), load(&two[LANES..])];
        if _mm256_movemask_epi8(_mm256_or_si256(first, second)) != 0 {
            break;
        }
        // SAFETY: there is room for all of `src`, of which `two` are the 64 from `copied` on.
        unsafe {
            first.store(to.add(copied));
            second.store(to.add(copied + LANES));
        }
        copied += 2 * LANES;
    }
    copied
}

/// Converts UTF-8 to a byte a character, up to the first wrong one. `step` gets what is left; of the characters that begin
/// within the first 32 bytes it makes one byte each, where they begin, and says which are wrong. What it says of other bytes
/// does not matter, but that they are not wrong.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(crate) fn from_utf8(src: &str, out: &mut Out<'_, u8>, step: impl Fn(&[u8]) -> (__m256i, u32)) -> usize {
    /// So many bytes behind a step its last character may have.
    const AHEAD: usize = 2;
    let src = src.as_bytes();
    let (to, room) = (out.spare(), out.room());
    let (mut read, mut written) = (0, 0);
    loop {
        // As many steps as surely fit: no more questions then.
        let steps = (src.len() - read).saturating_sub(AHEAD).min(room - written) / LANES;
        if steps == 0 {
            break;
        }
        let end = read + steps * LANES;
        while read < end {
            // SAFETY: behind `read` is a step, and two bytes.
            let ahead = unsafe { &*src.as_ptr().add(read).cast::<[u8; LANES + AHEAD]>() };
            let text = load(ahead);
            let to = to.wrapping_add(written);
            if _mm256_movemask_epi8(text) == 0 {
                // SAFETY: there is room for all up to `end`.
                let run = unsafe { copy_ascii(&src[read..end], to) };
                (read, written) = (read + run, written + run);
                continue;
            }
            let (bytes, wrong) = step(ahead);
            let right = wrong.trailing_zeros() as usize;
            // SAFETY: there is room for 32 bytes.
            written += unsafe { put_kept(to, bytes, starts(text) & first(right) as u32) };
            if wrong != 0 {
                // SAFETY: all up to here is stored.
                unsafe { out.advance(written) };
                return read + right;
            }
            read += LANES;
        }
    }
    // What is left, or does not surely fit.
    while read < src.len() {
        let rest = &src[read..];
        if let Some(last) = src.last_chunk::<LANES>()
            && rest.len() < LANES.min(room - written + 1)
            && is_ascii(load(last))
        {
            // SAFETY: the rest fits, and what is before it in these bytes is what is written before it.
            unsafe { load(last).store(to.add(written + rest.len() - LANES)) };
            (read, written) = (src.len(), written + rest.len());
            break;
        }
        let text = load(rest);
        let (bytes, wrong) = if _mm256_movemask_epi8(text) == 0 { (text, 0) } else { step(rest) };
        let right = first(rest.len().min(wrong.trailing_zeros() as usize)) as u32;
        let starts = starts(text);
        let mut keep = starts & right;
        while keep.count_ones() as usize > room - written {
            // The last one does not fit.
            keep &= !(1 << keep.ilog2());
        }
        let count = keep.count_ones() as usize;
        if room - written >= LANES {
            // SAFETY: there is room for 32 bytes.
            unsafe { put_kept(to.wrapping_add(written), bytes, keep) };
        } else {
            let mut all = MaybeUninit::<[u8; LANES]>::uninit();
            // SAFETY: there is room for 32 bytes, and so many fit.
            unsafe {
                put_kept(all.as_mut_ptr().cast::<u8>(), bytes, keep);
                ptr::copy_nonoverlapping(all.as_ptr().cast::<u8>(), to.wrapping_add(written), count);
            }
        }
        written += count;
        // Up to the next character, which may be the first that is wrong or does not fit.
        let next = (starts & !keep & first(rest.len()) as u32).trailing_zeros() as usize;
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

/// As a signed number, the least byte that begins a character.
const STARTS_FROM: i8 = 0xC0_u8.cast_signed();

/// The bytes that begin a character.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn starts(text: __m256i) -> u32 {
    _mm256_movemask_epi8(_mm256_cmpgt_epi8(text, _mm256_set1_epi8(STARTS_FROM - 1))).cast_unsigned()
}

/// An order for `vpshufb` that keeps the bytes in a mask.
#[inline]
#[target_feature(enable = "avx2")]
fn kept(keep: u8) -> __m128i {
    _mm_cvtsi64_si128(i64::from_le_bytes(KEPT[usize::from(keep)]))
}

/// Stores the bytes in `keep` without gaps, and returns how many there are.
///
/// # Safety
/// 32 bytes may be written to. The CPU has AVX2.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
unsafe fn put_kept(to: *mut u8, bytes: __m256i, keep: u32) -> usize {
    let mut at = 0;
    for (n, half) in [_mm256_castsi256_si128(bytes), _mm256_extracti128_si256::<1>(bytes)].into_iter().enumerate() {
        let [low, high] = [(keep >> (16 * n)) as u8, (keep >> (16 * n + 8)) as u8];
        let order = _mm_unpacklo_epi64(kept(low), _mm_add_epi8(kept(high), _mm_set1_epi8(8)));
        let bytes = _mm_shuffle_epi8(half, order);
        // SAFETY: what is before is at most eight bytes for each eight, and so is this.
        unsafe {
            _mm_storel_epi64(to.add(at).cast(), bytes);
            at += low.count_ones() as usize;
            // Not `_mm_storeh_pd`: its address must be that of an `f64`, a multiple of eight.
            _mm_storel_epi64(to.add(at).cast(), _mm_unpackhi_epi64(bytes, bytes));
            at += high.count_ones() as usize;
        }
    }
    at
}
