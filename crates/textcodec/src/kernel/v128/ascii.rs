//! ASCII: 64 bytes per step after the first four blocks of 16, or 32 code units. The last block overlaps the one before it.

use core::mem::MaybeUninit;

use super::Vector;
use crate::kernel::{
    Out,
    block::{block, block_mut, rest_mut},
    reference,
    tables::as_bytes,
};

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn prefix(src: &[u8]) -> usize {
    if src.len() < 16 { reference::ascii::prefix(src) } else { prefix_until(src, |bytes| bytes) }
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn prefix_without(excluded: [u8; 3], src: &[u8]) -> usize {
    if src.len() < 16 {
        return reference::ascii::prefix_without(excluded, src);
    }
    let [a, b, c] = excluded;
    let (a, b, c) = (Vector::splat(a), Vector::splat(b), Vector::splat(c));
    prefix_until(src, |bytes| bytes.or(bytes.eq(a)).or(bytes.eq(b).or(bytes.eq(c))))
}

/// Returns the number of bytes before the first one whose high bit `stops` sets. `src` has at least 16 bytes.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn prefix_until(src: &[u8], stops: impl Fn(Vector) -> Vector) -> usize {
    let mut at = 0;
    for step in src.as_chunks::<64>().0 {
        let [a, b, c, d] = load(step);
        if stops(a).or(stops(b)).or(stops(c).or(stops(d))).any_high_bit() {
            break;
        }
        at += 64;
    }
    while at < src.len() {
        at = at.min(src.len() - 16);
        if let Some(first) = stops(Vector::load(block_at(src, at))).high_bits().first() {
            return at + first;
        }
        at += 16;
    }
    src.len()
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn copy(src: &[u8], out: &mut Out<'_, u8>) -> usize {
    // SAFETY: the closure initialises all slots.
    unsafe { convert_run(src, out, reference::ascii::copy, |bytes, to| bytes.store(to)) }
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    // SAFETY: the closure initialises all slots.
    unsafe { convert_run(src, out, reference::ascii::to_utf16, |bytes, to| store_widened::<false>(bytes, to)) }
}

/// Converts the ASCII bytes at the start, with `store` or, if there is no block of 16, with `short`.
///
/// # Safety
/// `store` initialises all slots.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
unsafe fn convert_run<T: Copy>(
    src: &[u8],
    out: &mut Out<'_, T>,
    short: impl Fn(&[u8], &mut Out<'_, T>) -> usize,
    store: impl Fn(Vector, &mut [MaybeUninit<T>; 16]),
) -> usize {
    let len = src.len().min(out.spare_len());
    if len < 16 {
        return short(src, out);
    }
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    let block_at = |spare: &mut [MaybeUninit<T>], at: usize| {
        // SAFETY: `at + 16 <= len <= src.len()`: `at < end` below, or `at = len - 16`.
        let bytes = Vector::load(unsafe { block(src, at) });
        // SAFETY: `at + 16 <= len <= spare.len()`, as above.
        store(bytes, unsafe { block_mut(spare, at) });
        bytes.high_bits().first()
    };
    let mut at = 0;
    let run = 'run: loop {
        // At most four blocks follow a step of 64 bytes that is not ASCII. Most runs are short, so blocks come first.
        let end = (at + 64).min(len - 15);
        while at < end {
            if let Some(first) = block_at(spare, at) {
                break 'run at + first;
            }
            at += 16;
        }
        if at > len - 16 {
            break if at < len { block_at(spare, len - 16).map_or(len, |first| len - 16 + first) } else { len };
        }
        while len - at >= 64 {
            // SAFETY: `at + 64 <= len`, the loop condition, and `len <= src.len()`.
            let step = load(unsafe { block(src, at) });
            if !is_ascii(step) {
                break;
            }
            // SAFETY: `at + 64 <= len`, the loop condition, and `len <= spare.len()`, from the `min` call above.
            let to: &mut [_; 64] = unsafe { block_mut(spare, at) };
            for (bytes, to) in step.into_iter().zip(to.as_chunks_mut().0) {
                store(bytes, to);
            }
            at += 64;
        }
    };
    // SAFETY: the loop has initialised the first `run` slots, in blocks without gaps: `run <= len`.
    unsafe { out.advance(run) };
    run
}

/// Converts 16 bytes at a time, and 64 while all are ASCII. `store` converts a block, of which only the ASCII bytes at its start
/// count. `other` gets the bytes after these, and whether the block has three or more that are not ASCII. At least `ROOM` slots
/// are left for it. It returns the numbers of bytes read and of slots initialised, or zeros to stop.
///
/// Also stops if fewer than `16 + ROOM` slots are left, or fewer than 16 bytes, unless they are ASCII.
///
/// # Safety
/// `store` initialises all slots. `other` returns at most the lengths of its arguments, and has initialised that many slots.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(super) unsafe fn convert_mixed<T: Copy, const ROOM: usize>(
    src: &[u8],
    out: &mut Out<'_, T>,
    store: impl Fn(Vector, &mut [MaybeUninit<T>; 16]),
    mut other: impl FnMut(&[u8], bool, &mut [MaybeUninit<T>]) -> (usize, usize),
) -> usize {
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    let slots = spare.len();
    // The number of bytes that can be converted without a further check of the lengths.
    let fitting = |read: usize, written: usize| (src.len() - read).min((slots - written).saturating_sub(ROOM));
    let (mut read, mut written) = (0, 0);
    loop {
        let blocks = (fitting(read, written) / 16).min(4);
        let mut others = None;
        let mut at = 0;
        while at < 16 * blocks {
            // SAFETY: `at + 16 <= 16 * blocks`, which is at most the number of bytes and of slots that are left.
            let bytes = Vector::load(unsafe { block(src, read + at) });
            // SAFETY: as above.
            store(bytes, unsafe { block_mut(spare, written + at) });
            let high_bits = bytes.high_bits();
            if let Some(first) = high_bits.first() {
                at += first;
                others = Some(high_bits);
                break;
            }
            at += 16;
        }
        read += at;
        written += at;
        if let Some(others) = others {
            // SAFETY: `written <= spare.len()`: the blocks fit.
            let (consumed, added) = other(&src[read..], others.are_dense(), unsafe { rest_mut(spare, written) });
            if consumed == 0 {
                break;
            }
            read += consumed;
            written += added;
        } else if blocks < 4 {
            break;
        } else {
            let steps = fitting(read, written) / 64;
            let mut at = 0;
            while at < 64 * steps {
                // SAFETY: `at + 64 <= 64 * steps`, which is at most the number of bytes and of slots that are left.
                let step = load(unsafe { block(src, read + at) });
                if !is_ascii(step) {
                    break;
                }
                // SAFETY: as above.
                let to: &mut [_; 64] = unsafe { block_mut(spare, written + at) };
                for (bytes, to) in step.into_iter().zip(to.as_chunks_mut().0) {
                    store(bytes, to);
                }
                at += 64;
            }
            read += at;
            written += at;
        }
    }
    let rest = &src[read..];
    if rest.len() < 16
        && let Some(to) = spare.get_mut(written..).and_then(|spare| spare.first_chunk_mut())
    {
        let bytes = padded(rest);
        store(bytes, to);
        let len = bytes.high_bits().first().unwrap_or(rest.len());
        read += len;
        written += len;
    }
    // SAFETY: `store` and `other` have initialised the first `written` slots, without gaps. Both stay within `spare`.
    unsafe { out.advance(written) };
    read
}

/// Converts blocks of 16 bytes, which become at most `MAX` bytes each. `other` converts a block that is not ASCII. It returns the
/// number of slots initialised, or `None` to stop.
///
/// # Safety
/// `other` returns at most `MAX`, and has initialised that many slots.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(super) unsafe fn convert_blocks<const MAX: usize, const CAPACITY: usize>(
    src: &[u8],
    out: &mut Out<'_, u8>,
    mut other: impl FnMut(Vector, &mut [MaybeUninit<u8>; CAPACITY]) -> Option<usize>,
) -> usize {
    const { assert!(16 <= MAX && MAX <= CAPACITY, "ASCII fits into `MAX`, and `MAX` into a block") };
    let mut read = 0;
    loop {
        // SAFETY: only initialised values are stored in the slots.
        let spare = unsafe { out.spare() };
        let fitting = ((src.len() - read) / 16).min(spare.len().saturating_sub(CAPACITY - MAX) / MAX);
        if fitting == 0 {
            return read;
        }
        let all = src[read..][..16 * fitting].as_chunks::<16>().0;
        let mut blocks = all.iter();
        let (mut written, mut stopped) = (0, false);
        'blocks: while let Some(block) = blocks.next() {
            let mut bytes = Vector::load(block);
            let mut run = 0;
            while !bytes.any_high_bit() {
                // SAFETY: `MAX * fitting <= spare.len()`, `16 <= MAX`, and the blocks so far were stored as at most `MAX` bytes.
                bytes.store(unsafe { block_mut(spare, written) });
                written += 16;
                run += 1;
                if run >= LONG_RUN {
                    while let Some(step) = blocks.as_slice().first_chunk::<4>()
                        && let step = step.each_ref().map(|block| Vector::load(block))
                        && is_ascii(step)
                    {
                        // SAFETY: as above.
                        let to: &mut [_; 64] = unsafe { block_mut(spare, written) };
                        for (bytes, to) in step.into_iter().zip(to.as_chunks_mut().0) {
                            bytes.store(to);
                        }
                        written += 64;
                        blocks = blocks.as_slice()[4..].iter();
                    }
                }
                let Some(next) = blocks.next() else { break 'blocks };
                bytes = Vector::load(next);
            }
            // SAFETY: `MAX * fitting + CAPACITY - MAX <= spare.len()`, and the blocks so far were stored as at most `MAX` bytes.
            let Some(added) = other(bytes, unsafe { block_mut(spare, written) }) else {
                stopped = true;
                break;
            };
            written += added;
        }
        // SAFETY: the stores have initialised these slots, without gaps.
        unsafe { out.advance(written) };
        read += 16 * (fitting - blocks.len());
        if stopped {
            return read - 16;
        }
    }
}

/// The number of blocks of ASCII after which the next 64 characters are probably ASCII.
pub(super) const LONG_RUN: usize = 2;

/// Returns the first 16 bytes, padded with zeros.
#[cfg_attr(textcodec_small, inline(never))]
#[cfg_attr(not(textcodec_small), inline)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(super) fn padded(src: &[u8]) -> Vector {
    if let Some(block) = src.first_chunk() {
        return Vector::load(block);
    }
    // The first and the last bytes overlap.
    let number = if let (Some(first), Some(last)) = (src.first_chunk::<8>(), src.last_chunk()) {
        let last = u64::from_le_bytes(*last).checked_shr(8 * (16 - src.len() as u32)).unwrap_or(0);
        u128::from(u64::from_le_bytes(*first)) | u128::from(last) << 64
    } else if let (Some(first), Some(last)) = (src.first_chunk::<4>(), src.last_chunk()) {
        (u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << (8 * (src.len() - 4))).into()
    } else {
        src.iter().rev().fold(0_u64, |number, &byte| number << 8 | u64::from(byte)).into()
    };
    Vector::load(&number.to_le_bytes())
}

/// Loads 64 bytes.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(super) fn load(step: &[u8; 64]) -> [Vector; 4] {
    let [a, b, c, d] = step.as_chunks().0 else { unreachable!() };
    [Vector::load(a), Vector::load(b), Vector::load(c), Vector::load(d)]
}

#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(super) fn is_ascii(step: [Vector; 4]) -> bool {
    !union(step).any_high_bit()
}

/// Returns the bits that any of the vectors has.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(super) fn union([a, b, c, d]: [Vector; 4]) -> Vector {
    a.or(b).or(c.or(d))
}

#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn from_utf16(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    from_units_below::<false>(0x80, as_bytes(src), out)
}

/// Converts code units below `limit`, which is 0x80 or 0x100. They are in little-endian order, or with `BIG` in big-endian order.
#[cfg_attr(textcodec_small, inline(never))]
#[cfg_attr(not(textcodec_small), inline)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(super) fn from_units_below<const BIG: bool>(limit: u16, src: &[[u8; 2]], out: &mut Out<'_, u8>) -> usize {
    let len = src.len().min(out.spare_len());
    if len < 16 {
        let unit = |bytes| if BIG { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) };
        return src.iter().take_while(|&&bytes| unit(bytes) < limit && out.push(unit(bytes) as u8)).count();
    }
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    let block_at = |spare: &mut [MaybeUninit<u8>], at: usize| {
        // SAFETY: `at + 16 <= len <= src.len()`: the callers' conditions.
        let [lower, upper] = planes::<BIG>(unsafe { block(src, at) });
        // SAFETY: `at + 16 <= len <= spare.len()`, as above.
        lower.store(unsafe { block_mut(spare, at) });
        let fits = upper.eq(Vector::zero());
        let exceeding = fits.xor(Vector::splat(0xFF));
        if limit == 0x80 { exceeding.or(lower) } else { exceeding }.high_bits().first()
    };
    let mut at = 0;
    let run = 'run: loop {
        while len - at >= 64 {
            // SAFETY: `at + 64 <= len`, the loop condition, and `len <= src.len()` and `len <= spare.len()`, from the `min` call
            // above.
            let (units, to) = unsafe { (block(src, at), block_mut(spare, at)) };
            if !store_if_below::<BIG>(limit, units, to) {
                break;
            }
            at += 64;
        }
        // At most four blocks follow a step with other units.
        let end = (at + 64).min(len - 15);
        while at < end {
            if let Some(first) = block_at(spare, at) {
                break 'run at + first;
            }
            at += 16;
        }
        if at > len - 16 {
            break if at < len { block_at(spare, len - 16).map_or(len, |first| len - 16 + first) } else { len };
        }
    };
    // SAFETY: the loop has initialised the first `run` slots, in blocks without gaps: `run <= len`.
    unsafe { out.advance(run) };
    run
}

/// Stores 64 code units as bytes if all are below `limit`, which is 0x80 or 0x100. Returns whether they are. The units are in
/// little-endian order, or with `BIG` in big-endian order.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(super) fn store_if_below<const BIG: bool>(
    limit: u16,
    units: &[[u8; 2]; 64],
    to: &mut [MaybeUninit<u8>; 64],
) -> bool {
    let halves = units.as_flattened().as_chunks().0;
    let [first, second] = halves else { unreachable!() };
    let above = !(limit - 1);
    let above = Vector::splat_units(if BIG { above.swap_bytes() } else { above });
    if union(load(first)).or(union(load(second))).and(above).any() {
        return false;
    }
    let lower = |low: Vector, high: Vector| if BIG { low.narrow_upper(high) } else { low.narrow(high) };
    for (half, to) in halves.iter().zip(to.as_chunks_mut().0) {
        let (to, [a, b, c, d]): (&mut [_; 32], _) = (to, load(half));
        for (bytes, to) in [lower(a, b), lower(c, d)].into_iter().zip(to.as_chunks_mut().0) {
            bytes.store(to);
        }
    }
    true
}

/// Returns the lower and the upper bytes of 16 code units in little-endian order, or with `BIG` in big-endian order.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(super) fn planes<const BIG: bool>(units: &[[u8; 2]; 16]) -> [Vector; 2] {
    let [low, high] = units.as_flattened().as_chunks().0 else { unreachable!() };
    let (low, high) = (Vector::load(low), Vector::load(high));
    let [even, odd] = [low.narrow_lower(high), low.narrow_upper(high)];
    if BIG { [odd, even] } else { [even, odd] }
}

/// Returns the `N` elements from `at` on.
///
/// # Panics
/// Panics if there are fewer.
#[inline(always)]
pub(super) fn block_at<T, const N: usize>(src: &[T], at: usize) -> &[T; N] {
    src[at..].first_chunk().expect("`at + N <= src.len()`")
}

/// Swaps the bytes of each code unit.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(super) fn swapped(units: Vector) -> Vector {
    units.shl_units::<8>().or(units.shr_units::<8>())
}

/// Stores 16 bytes as code units in little-endian order, or with `BIG` in big-endian order.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(super) fn store_widened<const BIG: bool>(bytes: Vector, to: &mut [MaybeUninit<u16>; 16]) {
    let [low, high] = if BIG { [Vector::zero().zip_low(bytes), Vector::zero().zip_high(bytes)] } else { bytes.widen() };
    store_units(low, high, to);
}

/// Stores 16 code units.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(super) fn store_units(low: Vector, high: Vector, to: &mut [MaybeUninit<u16>; 16]) {
    let [first, second] = to.as_chunks_mut().0 else { unreachable!() };
    low.store_units(first);
    high.store_units(second);
}
