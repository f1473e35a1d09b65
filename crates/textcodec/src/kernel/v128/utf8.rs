//! UTF-8. Validation: by nibbles (Keiser and Lemire, tables `FIRST_HIGH`, `FIRST_LOW`, `SECOND_HIGH`), 64 bytes per step.
//! Conversion to UTF-16: in windows of 12 bytes, whose shape selects a shuffle from a table (Lemire and Muła).

use core::mem::MaybeUninit;

use super::{
    Vector,
    ascii::{self, block_at, store_widened, swapped},
};
use crate::{
    kernel::{
        Out,
        block::block_mut,
        reference,
        tables::utf8::{FIRST_HIGH, FIRST_LOW, SECOND_HIGH, pending},
    },
    table::{Table, table},
};

/// Bytes per step.
const STEP: usize = 64;

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn prefix(src: &[u8]) -> usize {
    let mut at = 0;
    let mut before = Vector::zero();
    while let Some(step) = src[at..].first_chunk() {
        let step = load(step);
        if let Some(error) = first_error(before, step) {
            return whole_sequences(&src[..at + error]);
        }
        before = step[3];
        at += STEP;
    }
    while at < src.len() {
        let block = padded(&src[at..]);
        let errors = errors(before, block);
        if errors.any() {
            let valid = errors.eq(Vector::zero()).bits().trailing_ones() as usize;
            return whole_sequences(&src[..src.len().min(at + valid)]);
        }
        before = block;
        at += 16;
    }
    whole_sequences(src)
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn copy(src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let read = prefix(&src[..src.len().min(out.spare_len())]);
    out.extend(&src[..read]);
    read
}

/// Returns the length without an incomplete sequence at the end. The bytes before it must be well-formed.
#[inline]
fn whole_sequences(text: &[u8]) -> usize {
    text.len() - pending(text)
}

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

#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn load(step: &[u8; STEP]) -> [Vector; 4] {
    let [a, b, c, d] = step.as_chunks().0 else { unreachable!() };
    [Vector::load(a), Vector::load(b), Vector::load(c), Vector::load(d)]
}

/// Returns the offset of the first error in 64 bytes. An incomplete sequence at their end is not an error.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn first_error(before: Vector, [a, b, c, d]: [Vector; 4]) -> Option<usize> {
    if is_ascii([a, b, c, d]) {
        return is_incomplete(before).any().then_some(0);
    }
    let errors = [errors(before, a), errors(a, b), errors(b, c), errors(c, d)];
    if !errors[0].or(errors[1]).or(errors[2].or(errors[3])).any() {
        return None;
    }
    let zero = Vector::zero();
    let valid = bits([errors[0].eq(zero), errors[1].eq(zero), errors[2].eq(zero), errors[3].eq(zero)]);
    Some(valid.trailing_ones() as usize)
}

#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn is_ascii([a, b, c, d]: [Vector; 4]) -> bool {
    !a.or(b).or(c.or(d)).any_high_bit()
}

/// Returns the high bits of 64 bytes.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn bits([a, b, c, d]: [Vector; 4]) -> u64 {
    u64::from(a.bits() | b.bits() << 16) | u64::from(c.bits() | d.bits() << 16) << 32
}

/// Returns a vector that is non-zero in the lanes of a sequence that continues after the block.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn is_incomplete(block: Vector) -> Vector {
    const COMPLETE: [u8; 16] = {
        let mut max = [0xFF; 16];
        [max[13], max[14], max[15]] = [0xF0 - 1, 0xE0 - 1, 0xC0 - 1];
        max
    };
    block.saturating_sub(Vector::load(&COMPLETE))
}

/// Returns a vector that is non-zero in the lanes of bytes that are malformed after the three bytes before them.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn errors(before: Vector, block: Vector) -> Vector {
    let previous = block.preceding::<15>(before);
    let pair = Vector::load(&FIRST_HIGH)
        .swizzle(previous.high_nibbles())
        .and(Vector::load(&FIRST_LOW).swizzle(previous.and(Vector::splat(0x0F))))
        .and(Vector::load(&SECOND_HIGH).swizzle(block.high_nibbles()));
    // The high bit is set in the lanes that must be the third or fourth byte of a sequence.
    let third = block.preceding::<14>(before).saturating_sub(Vector::splat(0xE0 - 0x80));
    let fourth = block.preceding::<13>(before).saturating_sub(Vector::splat(0xF0 - 0x80));
    third.or(fourth).and(Vector::splat(0x80)).xor(pair)
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    convert::<true, false>(src, out)
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn str_to_utf16<const BIG: bool>(src: &str, out: &mut Out<'_, u16>) -> usize {
    convert::<false, BIG>(src.as_bytes(), out)
}

/// Converts to UTF-16, with or without validation, in little-endian order, or with `BIG` in big-endian order.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn convert<const CHECK: bool, const BIG: bool>(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let (mut read, mut is_valid) = (0, true);
    while is_valid
        && let Some(step) = src[read..].first_chunk::<STEP>()
        && out.spare_len() >= 16
    {
        let len;
        (len, is_valid) = convert_step::<CHECK, BIG>(step, STEP, out);
        read += len;
    }
    while is_valid && src.len() - read < STEP && out.spare_len() >= 16 {
        let rest = &src[read..][..whole_sequences(&src[read..])];
        let Some(last) = rest.last_chunk::<16>() else { break };
        // Stored in blocks of the size of the loads that follow, so that the processor can forward the stores.
        let mut step = [0; STEP];
        for (to, from) in step.as_chunks_mut::<16>().0.iter_mut().zip(rest.as_chunks().0) {
            *to = *from;
        }
        step[rest.len() - 16..rest.len()].copy_from_slice(last);
        let len;
        (len, is_valid) = convert_step::<CHECK, BIG>(&step, rest.len(), out);
        read += len;
    }
    if read < src.len() { read + reference::utf8::to_units::<BIG>(&src[read..], out) } else { read }
}

/// The length of a run of ASCII after which the next other character is probably isolated.
const LONG_ASCII_RUN: usize = 8;

/// Converts text to single bytes via UTF-16, block by block. A block that is converted completely doubles the next one, so text
/// with frequent declined characters does not pay for a full block each time. After a long run of ASCII, `lone` may convert a
/// character without a block.
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
        let first = if ascii >= LONG_ASCII_RUN { lone(rest, out) } else { 0 };
        read += first;
        if first > 0 {
            continue;
        }
        let mut units = Out::uninit(&mut block[..size.min(out.spare_len())]);
        let len = str_to_utf16::<false>(rest, &mut units);
        let units = units.written();
        let encoded = from_utf16(units, out);
        if len == 0 || encoded < units.len() {
            // Only characters of the BMP are encoded, so each unit is one character.
            return read + rest.chars().take(encoded).map(char::len_utf8).sum::<usize>();
        }
        read += len;
        size = block.len().min(2 * size);
    }
}

/// Converts a prefix of 64 bytes that start at a character, of which those from `len` on are padding with zeros. Returns the
/// number of bytes read, and whether the bytes are well-formed. Leaves up to 15 bytes before an error or the end, and stops
/// when fewer than 16 units fit.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn convert_step<const CHECK: bool, const BIG: bool>(
    step: &[u8; STEP],
    len: usize,
    out: &mut Out<'_, u16>,
) -> (usize, bool) {
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    let [a, b, c, d] = load(step);
    if is_ascii([a, b, c, d])
        && let Some(to) = spare.first_chunk_mut::<STEP>()
    {
        for (bytes, to) in [a, b, c, d].into_iter().zip(to.as_chunks_mut().0) {
            store_widened::<BIG>(bytes, to);
        }
        // SAFETY: the loop has initialised 64 slots.
        unsafe { out.advance(len.min(STEP)) };
        return (len, true);
    }
    let error = if CHECK { first_error(Vector::zero(), [a, b, c, d]) } else { None };
    let valid = error.map_or(STEP, |error| whole_sequences(&step[..error]));
    let limit = Vector::splat(0xC0);
    let continuations = bits([a.less_signed(limit), b.less_signed(limit), c.less_signed(limit), d.less_signed(limit)]);
    // The mask of the last bytes of sequences: bit `n` is set if byte `n + 1` begins a sequence. For `aé` and then ASCII, byte
    // 2 is a continuation byte, so bits 0 and 2 are set, and bit 1 is not. Whether byte 63 is a last byte depends on a byte
    // that the step does not have. Its bit is 0, and that of byte 62 is cleared too.
    let ends = !continuations << 1 >> 2;
    let (mut read, mut written) = (0, 0);
    while read + 16 <= valid && read < len && written + 16 <= spare.len() {
        // SAFETY: `written + 16 <= spare.len()`: the loop condition.
        let to = unsafe { block_mut(spare, written) };
        let (consumed, units) = window::<BIG>(block_at(step, read), ends >> read, to);
        read += consumed;
        written += units;
    }
    // Each byte of the padding has become a unit.
    let zeros = read.saturating_sub(len);
    // SAFETY: `window` initialises the number of slots that it returns, so the first `written` ones are initialised.
    unsafe { out.advance(written.saturating_sub(zeros)) };
    (read - zeros, error.is_none())
}

/// Converts a prefix of 16 bytes that start at a character. `ends` is the mask of the last bytes of sequences. Returns the
/// number of bytes read and of units, which are at most 16 and initialised in `to`.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn window<const BIG: bool>(bytes: &[u8; 16], ends: u64, to: &mut [MaybeUninit<u16>; 16]) -> (usize, usize) {
    let block = Vector::load(bytes);
    if ends & 0xFFFF == 0xFFFF {
        store_widened::<BIG>(block, to);
        return (16, 16);
    }
    let (units, done) = if ends & 0xFFFF == 0xAAAA {
        (two_bytes(block.swizzle(Vector::load(&REVERSED))), (16, 8))
    } else if ends & 0x7FFF == 0x4924 {
        let (pairs, leads) = (Vector::load(&FIVE_PAIRS), Vector::load(&FIVE_LEADS));
        (three_bytes(block.swizzle(pairs), block.swizzle(leads)), (15, 5))
    } else {
        let Shape { shuffle, bytes, units } = SHAPES[(ends & 0xFFF) as usize];
        let done = (bytes.into(), units.into());
        match SHUFFLES.get(usize::from(shuffle)) {
            Some(indices) if usize::from(shuffle) < SIX_SEQUENCES => {
                (two_bytes(block.swizzle(Vector::load(indices))), done)
            }
            Some(indices) => (up_to_three_bytes(block.swizzle(Vector::load(indices))), done),
            // Two sequences of four bytes, or one. The other units are ignored.
            None => (four_bytes(block), if ends & 0xFF == 0x88 { (8, 4) } else { (4, 2) }),
        }
    };
    // SAFETY: `to` has 16 slots, and `8 <= 16`.
    if BIG { swapped(units) } else { units }.store_units(unsafe { block_mut(to, 0) });
    done
}

/// Combines sequences of one or two bytes to code units. Each pair is the last byte and the one before it, or 0.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn two_bytes(pairs: Vector) -> Vector {
    pairs.and(Vector::splat_units(0x7F)).or(pairs.and(Vector::splat_units(0x1F00)).shr_units::<2>())
}

/// Combines sequences of three bytes to code units. Each pair is the last byte and the one before it.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn three_bytes(pairs: Vector, leads: Vector) -> Vector {
    let low = pairs.and(Vector::splat_units(0x3F));
    let middle = pairs.and(Vector::splat_units(0x3F00)).shr_units::<2>();
    low.or(middle).or(leads.shl_units::<12>())
}

/// Combines four sequences of one to three bytes to code units. Each lane of four bytes is the last byte and the two before it,
/// or 0.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn up_to_three_bytes(lanes: Vector) -> Vector {
    let low = lanes.and(Vector::splat_u32(0x7F));
    let middle = lanes.and(Vector::splat_u32(0x3F00)).shr_u32::<2>();
    let high = lanes.and(Vector::splat_u32(0x000F_0000)).shr_u32::<4>();
    low.or(middle).or(high).swizzle(Vector::load(&LOWER_UNITS))
}

/// Converts sequences of four bytes to surrogate pairs.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn four_bytes(sequences: Vector) -> Vector {
    // The first unit of each pair has the first and second byte, the second unit has the third and fourth.
    let units = sequences.swizzle(Vector::load(&REVERSED));
    let third = sequences.swizzle(Vector::load(&THIRDS));
    let leading = units.and(Vector::splat_u32(0x0700));
    let leading = leading.or(units.and(Vector::splat_u32(0x3F)).shl_units::<2>());
    let leading = leading.or(third.shr_units::<4>().and(Vector::splat_u32(0x03)));
    let trailing = units.and(Vector::splat_u32(0x0F00_0000)).shr_units::<2>();
    let trailing = trailing.or(units.and(Vector::splat_u32(0x003F_0000)));
    // Subtracts 0x10000, which is 0x40 in the upper ten bits.
    leading.or(trailing).add_units(Vector::splat_u32(0xDC00 << 16 | (0xD800 - 0x40)))
}

/// An index that selects no byte.
const NONE: u8 = 0x80;
const REVERSED: [u8; 16] = [1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14];
const FIVE_PAIRS: [u8; 16] = [2, 1, 5, 4, 8, 7, 11, 10, 14, 13, NONE, NONE, NONE, NONE, NONE, NONE];
const FIVE_LEADS: [u8; 16] = [0, NONE, 3, NONE, 6, NONE, 9, NONE, 12, NONE, NONE, NONE, NONE, NONE, NONE, NONE];
const THIRDS: [u8; 16] = [2, NONE, NONE, NONE, 6, NONE, NONE, NONE, 10, NONE, NONE, NONE, 14, NONE, NONE, NONE];
const LOWER_UNITS: [u8; 16] = [0, 1, 4, 5, 8, 9, 12, 13, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE];

/// The conversion of a window: the index of the shuffle, the number of bytes read, and the number of units.
#[derive(Clone, Copy)]
struct Shape {
    shuffle: u8,
    bytes: u8,
    units: u8,
}

/// The number of shuffles for six sequences of one or two bytes each.
const SIX_SEQUENCES: usize = 1 << 6;
/// The number of shuffles for up to four sequences of one to three bytes each.
const FOUR_SEQUENCES: usize = 3 * 3 * 3 * 3;

/// The table of Lemire and Muła, indexed by the mask of the last bytes of sequences in the first twelve bytes. The shuffle is
/// `SIX_SEQUENCES + FOUR_SEQUENCES` if the first sequence has four bytes.
static SHAPES: Table<[Shape; 1 << 12]> = table!(shapes());

const fn shapes() -> [Shape; 1 << 12] {
    let mut shapes = [Shape { shuffle: (SIX_SEQUENCES + FOUR_SEQUENCES) as u8, bytes: 0, units: 0 }; 1 << 12];
    let mut ends = 0;
    while ends < shapes.len() {
        let (mut n, mut bytes, mut shuffle, mut rest) = (0_usize, 0, 0, ends);
        while n < 6 && rest & 0b11 != 0 {
            let more = 1 - (rest & 1);
            shuffle += more << n;
            bytes += 1 + more;
            rest >>= 1 + more;
            n += 1;
        }
        if n < 6 {
            (n, bytes, shuffle, rest) = (0, 0, SIX_SEQUENCES, ends);
            let mut weight = 1;
            while n < 4 && rest & 0b111 != 0 {
                let more = rest.trailing_zeros() as usize;
                shuffle += more * weight;
                bytes += 1 + more;
                weight *= 3;
                rest >>= 1 + more;
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

/// The first `SIX_SEQUENCES` shuffles select the last two bytes of each sequence, in reverse order. The others select the last
/// three, in reverse order, and then no byte.
static SHUFFLES: Table<[[u8; 16]; SIX_SEQUENCES + FOUR_SEQUENCES]> = table!(shuffles());

const fn shuffles() -> [[u8; 16]; SIX_SEQUENCES + FOUR_SEQUENCES] {
    let mut shuffles = [[NONE; 16]; SIX_SEQUENCES + FOUR_SEQUENCES];
    let mut n = 0;
    while n < SIX_SEQUENCES + FOUR_SEQUENCES {
        let (count, width) = if n < SIX_SEQUENCES { (6, 2) } else { (4, 4) };
        let (mut sequence, mut start, mut digits) = (0, 0, if n < SIX_SEQUENCES { n } else { n - SIX_SEQUENCES });
        while sequence < count {
            let len = if n < SIX_SEQUENCES { digits % 2 } else { digits % 3 } + 1;
            digits /= if n < SIX_SEQUENCES { 2 } else { 3 };
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
