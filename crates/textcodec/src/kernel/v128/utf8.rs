//! UTF-8: validation by nibbles (Keiser and Lemire), 16 bytes a vector and 64 a step; conversion to UTF-16 by windows of 12
//! bytes, whose shape is looked up in a table of shuffles (Lemire and Muła).

use core::mem::MaybeUninit;

use super::{
    Vector,
    ascii::{self, block, store_widened},
};
use crate::{
    kernel::{
        Out,
        block::block_mut,
        reference,
        tables::utf8::{self as pairs, FIRST_HIGH, FIRST_LOW, SECOND_HIGH},
    },
    table::{Table, table},
};

/// Bytes a step.
const STEP: usize = 64;

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn prefix(src: &[u8]) -> usize {
    let mut at = 0;
    let mut before = Vector::zero();
    while let Some(step) = src[at..].first_chunk() {
        let step = load(step);
        if let Some(wrong) = first_wrong(before, step) {
            return whole_sequences(&src[..at + wrong]);
        }
        before = step[3];
        at += STEP;
    }
    while at < src.len() {
        let block = Vector::load(&padded(&src[at..]));
        let wrong = wrong(before, block);
        if wrong.any() {
            let right = wrong.eq(Vector::zero()).bits().trailing_ones() as usize;
            return whole_sequences(&src[..src.len().min(at + right)]);
        }
        before = block;
        at += 16;
    }
    whole_sequences(src)
}

/// How many bytes there are without a sequence that is cut off at the end, where nothing else is wrong.
#[inline]
fn whole_sequences(text: &[u8]) -> usize {
    text.len() - pairs::pending(text)
}

/// The first 16 bytes, zeros where there are fewer.
#[inline]
pub(super) fn padded(src: &[u8]) -> [u8; 16] {
    if let Some(block) = src.first_chunk() {
        return *block;
    }
    // The first and the last few overlap.
    let number = if let (Some(first), Some(last)) = (src.first_chunk::<8>(), src.last_chunk()) {
        u128::from(u64::from_le_bytes(*first)) | u128::from(u64::from_le_bytes(*last)) << (8 * (src.len() - 8))
    } else if let (Some(first), Some(last)) = (src.first_chunk::<4>(), src.last_chunk()) {
        (u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << (8 * (src.len() - 4))).into()
    } else {
        src.iter().rev().fold(0, |number, &byte| number << 8 | u128::from(byte))
    };
    number.to_le_bytes()
}

#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn load(step: &[u8; STEP]) -> [Vector; 4] {
    let [a, b, c, d] = step.as_chunks().0 else { unreachable!() };
    [Vector::load(a), Vector::load(b), Vector::load(c), Vector::load(d)]
}

/// The first of 64 bytes with which something is wrong, if anything is, but for a sequence that goes on behind them.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn first_wrong(before: Vector, [a, b, c, d]: [Vector; 4]) -> Option<usize> {
    if is_ascii([a, b, c, d]) {
        return is_incomplete(before).any().then_some(0);
    }
    let wrong = [wrong(before, a), wrong(a, b), wrong(b, c), wrong(c, d)];
    if !wrong[0].or(wrong[1]).or(wrong[2].or(wrong[3])).any() {
        return None;
    }
    let zero = Vector::zero();
    let right = bits([wrong[0].eq(zero), wrong[1].eq(zero), wrong[2].eq(zero), wrong[3].eq(zero)]);
    Some(right.trailing_ones() as usize)
}

#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn is_ascii([a, b, c, d]: [Vector; 4]) -> bool {
    !a.or(b).or(c.or(d)).any_upper_bit()
}

/// The upper bits of 64 bytes.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn bits([a, b, c, d]: [Vector; 4]) -> u64 {
    u64::from(a.bits() | b.bits() << 16) | u64::from(c.bits() | d.bits() << 16) << 32
}

/// Not zero where a sequence begins that goes on behind the block.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn is_incomplete(block: Vector) -> Vector {
    const COMPLETE: [u8; 16] = {
        let mut most = [0xFF; 16];
        [most[13], most[14], most[15]] = [0xF0 - 1, 0xE0 - 1, 0xC0 - 1];
        most
    };
    block.saturating_sub(Vector::load(&COMPLETE))
}

/// Not zero where something is wrong with a byte of `block` and those before it.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn wrong(before: Vector, block: Vector) -> Vector {
    let previous = block.behind::<15>(before);
    let pair = Vector::load(&FIRST_HIGH)
        .swizzle(previous.upper_halves())
        .and(Vector::load(&FIRST_LOW).swizzle(previous.and(Vector::splat(0x0F))))
        .and(Vector::load(&SECOND_HIGH).swizzle(block.upper_halves()));
    // The upper bit where a sequence of three or four bytes needs a continuation.
    let third = block.behind::<14>(before).saturating_sub(Vector::splat(0xE0 - 0x80));
    let fourth = block.behind::<13>(before).saturating_sub(Vector::splat(0xF0 - 0x80));
    third.or(fourth).and(Vector::splat(0x80)).xor(pair)
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    convert::<true>(src, out)
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn str_to_utf16(src: &str, out: &mut Out<'_, u16>) -> usize {
    convert::<false>(src.as_bytes(), out)
}

/// To UTF-16, after a check or, where text is known to be well-formed, without.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn convert<const CHECK: bool>(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let (mut read, mut is_right) = (0, true);
    while is_right
        && let Some(step) = src[read..].first_chunk::<STEP>()
        && out.spare_len() >= 16
    {
        let taken;
        (taken, is_right) = convert_step::<CHECK>(step, STEP, out);
        read += taken;
    }
    while is_right && src.len() - read < STEP && out.spare_len() >= 16 {
        let rest = &src[read..][..whole_sequences(&src[read..])];
        let Some(last) = rest.last_chunk::<16>() else { break };
        // In whole blocks, which can be loaded again at once.
        let mut step = [0; STEP];
        for (to, from) in step.as_chunks_mut::<16>().0.iter_mut().zip(rest.as_chunks().0) {
            *to = *from;
        }
        step[rest.len() - 16..rest.len()].copy_from_slice(last);
        let taken;
        (taken, is_right) = convert_step::<CHECK>(&step, rest.len(), out);
        read += taken;
    }
    if read < src.len() { read + reference::utf8::to_utf16(&src[read..], out) } else { read }
}

/// After so much ASCII, another character is likely to be alone.
const MUCH_ASCII: usize = 8;

/// Converts text to single bytes by way of UTF-16, in blocks that grow while they are used up, so that text of which every few
/// characters are declined does not pay for a whole block each time. After much ASCII, `lone` may convert a character without
/// a block.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(super) fn by_units(
    src: &str,
    out: &mut Out<'_, u8>,
    lone: impl Fn(&str, &mut Out<'_, u8>) -> usize,
    from_utf16: impl Fn(&[u16], &mut Out<'_, u8>) -> usize,
) -> usize {
    let mut block = [const { MaybeUninit::uninit() }; 256];
    let mut size = 32;
    let mut read = 0;
    loop {
        let ascii = ascii::copy(&src.as_bytes()[read..], out);
        read += ascii;
        let rest = &src[read..];
        if rest.is_empty() {
            return read;
        }
        let first = if ascii >= MUCH_ASCII { lone(rest, out) } else { 0 };
        read += first;
        if first > 0 {
            continue;
        }
        let len = size.min(out.spare_len());
        let mut units = Out::uninit(&mut block[..len]);
        let taken = str_to_utf16(rest, &mut units);
        let units = units.written();
        let encoded = from_utf16(units, out);
        if taken == 0 || encoded < units.len() {
            // Only characters of the BMP have bytes.
            return read + rest.chars().take(encoded).map(char::len_utf8).sum::<usize>();
        }
        read += taken;
        size = block.len().min(2 * size);
    }
}

/// Converts the front of 64 bytes at a boundary, of which `len` count and the others are 0, and says whether nothing is wrong
/// with them: up to the last 15 bytes before what is wrong or before the end, or the last 15 units of room. There is room for
/// 16 units.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn convert_step<const CHECK: bool>(step: &[u8; STEP], len: usize, out: &mut Out<'_, u16>) -> (usize, bool) {
    let spare = out.spare();
    let [a, b, c, d] = load(step);
    if is_ascii([a, b, c, d])
        && let Some(to) = spare.first_chunk_mut::<STEP>()
    {
        for (bytes, to) in [a, b, c, d].into_iter().zip(to.as_chunks_mut().0) {
            store_widened(bytes, to);
        }
        // SAFETY: 64 slots are stored, and `len <= 64`.
        unsafe { out.advance(len) };
        return (len, true);
    }
    let wrong = if CHECK { first_wrong(Vector::zero(), [a, b, c, d]) } else { None };
    let right = wrong.map_or(STEP, |wrong| whole_sequences(&step[..wrong]));
    let limit = Vector::splat(0xC0);
    let continuations = bits([a.less_signed(limit), b.less_signed(limit), c.less_signed(limit), d.less_signed(limit)]);
    // Where sequences end, but for the last byte.
    let ends = !continuations << 1 >> 2;
    let (mut read, mut written) = (0, 0);
    while read + 16 <= right && read < len && written + 16 <= spare.len() {
        // SAFETY: `written + 16 <= spare.len()`: the loop condition.
        let to = unsafe { block_mut(spare, written) };
        let (consumed, units) = window(block(step, read), ends >> read, to);
        read += consumed;
        written += units;
    }
    // Each zero behind the text has become a unit.
    let zeros = read.saturating_sub(len);
    // SAFETY: the `written` slots are stored.
    unsafe { out.advance(written - zeros) };
    (read - zeros, wrong.is_none())
}

/// Converts the front of 16 bytes at a boundary, in which sequences end where `ends` says: how many bytes, and how many units.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn window(bytes: &[u8; 16], ends: u64, to: &mut [MaybeUninit<u16>; 16]) -> (usize, usize) {
    let block = Vector::load(bytes);
    if ends & 0xFFFF == 0xFFFF {
        store_widened(block, to);
        return (16, 16);
    }
    let (units, done) = if ends & 0xFFFF == 0xAAAA {
        (two_bytes(block.swizzle(Vector::load(&SWAPPED))), (16, 8))
    } else if ends & 0x7FFF == 0x4924 {
        let (pairs, leads) = (Vector::load(&FIVE_PAIRS), Vector::load(&FIVE_LEADS));
        (three_bytes(block.swizzle(pairs), block.swizzle(leads)), (15, 5))
    } else {
        let Shape { shuffle, bytes, units } = SHAPES[(ends & 0xFFF) as usize];
        let done = (bytes.into(), units.into());
        match SHUFFLES.get(usize::from(shuffle)) {
            Some(places) if usize::from(shuffle) < SIX => (two_bytes(block.swizzle(Vector::load(places))), done),
            Some(places) => (up_to_three_bytes(block.swizzle(Vector::load(places))), done),
            // Sequences of four bytes; behind the first two the units mean nothing.
            None => (four_bytes(block), if ends & 0xFF == 0x88 { (8, 4) } else { (4, 2) }),
        }
    };
    // SAFETY: `0 + 8 <= 16`.
    units.store_units(unsafe { block_mut(to, 0) });
    done
}

/// Code units of pairs of a last byte and the one before it, 0 where there is none.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn two_bytes(pairs: Vector) -> Vector {
    pairs.and(Vector::splat_units(0x7F)).or(pairs.and(Vector::splat_units(0x1F00)).shr_units::<2>())
}

/// Code units of pairs of a last byte and the one before it, and of leading bytes.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn three_bytes(pairs: Vector, leads: Vector) -> Vector {
    let low = pairs.and(Vector::splat_units(0x3F));
    let middle = pairs.and(Vector::splat_units(0x3F00)).shr_units::<2>();
    low.or(middle).or(leads.shl_units::<12>())
}

/// Four code units of a last byte and the two before it, 0 where there is none.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn up_to_three_bytes(wide: Vector) -> Vector {
    let low = wide.and(Vector::splat_wide(0x7F));
    let middle = wide.and(Vector::splat_wide(0x3F00)).shr_wide::<2>();
    let high = wide.and(Vector::splat_wide(0x000F_0000)).shr_wide::<4>();
    low.or(middle).or(high).swizzle(Vector::load(&LOWER_UNITS))
}

/// Surrogate pairs of sequences of four bytes.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn four_bytes(sequences: Vector) -> Vector {
    // In the first unit of each pair the first and the second byte, in the second the third and the fourth.
    let units = sequences.swizzle(Vector::load(&SWAPPED));
    let third = sequences.swizzle(Vector::load(&THIRDS));
    let leading = units.and(Vector::splat_wide(0x0700));
    let leading = leading.or(units.and(Vector::splat_wide(0x3F)).shl_units::<2>());
    let leading = leading.or(third.shr_units::<4>().and(Vector::splat_wide(0x03)));
    let trailing = units.and(Vector::splat_wide(0x0F00_0000)).shr_units::<2>();
    let trailing = trailing.or(units.and(Vector::splat_wide(0x003F_0000)));
    // U+10000 is the first; its upper ten bits are 0x40.
    leading.or(trailing).add_units(Vector::splat_wide(0xDC00 << 16 | (0xD800 - 0x40)))
}

/// No byte.
const NONE: u8 = 0x80;
const SWAPPED: [u8; 16] = [1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14];
const FIVE_PAIRS: [u8; 16] = [2, 1, 5, 4, 8, 7, 11, 10, 14, 13, NONE, NONE, NONE, NONE, NONE, NONE];
const FIVE_LEADS: [u8; 16] = [0, NONE, 3, NONE, 6, NONE, 9, NONE, 12, NONE, NONE, NONE, NONE, NONE, NONE, NONE];
const THIRDS: [u8; 16] = [2, NONE, NONE, NONE, 6, NONE, NONE, NONE, 10, NONE, NONE, NONE, 14, NONE, NONE, NONE];
const LOWER_UNITS: [u8; 16] = [0, 1, 4, 5, 8, 9, 12, 13, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE];

/// What to do with a window: which shuffle, how many bytes it takes, and how many units they are.
#[derive(Clone, Copy)]
struct Shape {
    shuffle: u8,
    bytes: u8,
    units: u8,
}

/// How many shuffles there are for six sequences of one or two bytes each.
const SIX: usize = 1 << 6;
/// And for up to four of one to three.
const FOUR: usize = 3 * 3 * 3 * 3;

/// By where sequences end in the first twelve bytes; the shuffle after the last where the first has four bytes.
static SHAPES: Table<[Shape; 1 << 12]> = table!(shapes());

const fn shapes() -> [Shape; 1 << 12] {
    let mut shapes = [Shape { shuffle: (SIX + FOUR) as u8, bytes: 0, units: 0 }; 1 << 12];
    let mut ends = 0;
    while ends < shapes.len() {
        let lengths = lengths(ends);
        let (mut n, mut bytes, mut shuffle) = (0, 0, 0);
        while n < 6 && (lengths[n] == 1 || lengths[n] == 2) {
            shuffle += (lengths[n] - 1) << n;
            bytes += lengths[n];
            n += 1;
        }
        if n < 6 {
            (n, bytes, shuffle) = (0, 0, SIX);
            let mut weight = 1;
            while n < 4 && lengths[n] >= 1 && lengths[n] <= 3 {
                shuffle += (lengths[n] - 1) * weight;
                bytes += lengths[n];
                weight *= 3;
                n += 1;
            }
        }
        if n > 0 {
            shapes[ends] = Shape { shuffle: shuffle as u8, bytes: bytes as u8, units: n as u8 };
        }
        ends += 1;
    }
    shapes
}

/// The lengths of the first six sequences; 0 for those that do not end.
const fn lengths(ends: usize) -> [usize; 6] {
    let mut lengths = [0; 6];
    let (mut n, mut start, mut at) = (0, 0, 0);
    while at < 12 && n < 6 {
        if ends >> at & 1 == 1 {
            lengths[n] = at + 1 - start;
            start = at + 1;
            n += 1;
        }
        at += 1;
    }
    lengths
}

/// For six sequences, their last two bytes, last first; for four, the last three and none.
static SHUFFLES: Table<[[u8; 16]; SIX + FOUR]> = table!(shuffles());

const fn shuffles() -> [[u8; 16]; SIX + FOUR] {
    let mut shuffles = [[NONE; 16]; SIX + FOUR];
    let mut n = 0;
    while n < SIX + FOUR {
        let (count, width) = if n < SIX { (6, 2) } else { (4, 4) };
        let (mut sequence, mut start, mut rest) = (0, 0, if n < SIX { n } else { n - SIX });
        while sequence < count {
            let len = if n < SIX { rest % 2 } else { rest % 3 } + 1;
            rest /= if n < SIX { 2 } else { 3 };
            let mut byte = 0;
            while byte < len {
                shuffles[n][width * sequence + byte] = (start + len - 1 - byte) as u8;
                byte += 1;
            }
            start += len;
            sequence += 1;
        }
        n += 1;
    }
    shuffles
}
