//! UTF-8 to UTF-16, 64 bytes per step: each byte that completes a code unit is combined with those before it. The other bytes
//! are dropped with a table of shuffles, eight bytes at a time. Text that is mostly ASCII is converted in runs.

use core::mem::MaybeUninit;

use super::{
    Vector,
    ascii::{self, convert_mixed, padded, store_widened, swapped},
    utf8::{STEP, errors_in_step, well_formed, whole_sequences},
};
use crate::kernel::{Out, block::block_mut, compaction, reference, tables::ByteOrder};

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    convert::<true, false>(src, out)
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(crate) fn str_to_utf16<const BIG: bool>(src: &str, out: &mut Out<'_, u16>) -> usize {
    convert::<false, BIG>(src.as_bytes(), out)
}

/// Converts with or without validation, in little-endian order, or with `BIG` in big-endian order.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn convert<const CHECK: bool, const BIG: bool>(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let mut read = steps::<CHECK, BIG>(src, out);
    while read < src.len()
        && !cfg!(textcodec_small)
        // SAFETY: only initialised values are stored in the slots.
        && let Some(to) = unsafe { out.spare() }.first_chunk_mut()
    {
        let rest = &src[read..];
        let block = padded(rest);
        let valid = if CHECK { well_formed(Vector::zero(), block) } else { 16 };
        let valid = whole_sequences(&rest[..valid.min(rest.len())]);
        if valid == 0 {
            break;
        }
        let ends = !is_incomplete(Vector::zero(), block).bits() & ((1 << valid) - 1);
        let counts = Vector::ones_of_bytes(ends.into()) as usize;
        let [low, high] = units::<true, BIG>(Vector::zero(), block);
        let to: &mut [_; 16] = to;
        let first = counts & 0xFF;
        // SAFETY: `first` is the number of bits in a byte, so `first + 8 <= 16`.
        unsafe {
            keep(low, ends & 0xFF).store_units(block_mut(to, 0));
            keep(high, ends >> 8).store_units(block_mut(to, first));
        }
        // SAFETY: the stores have initialised these slots without gaps.
        unsafe { out.advance(first + (counts >> 8)) };
        read += valid;
    }
    if read < src.len() { read + reference::utf8::to_units::<BIG>(&src[read..], out) } else { read }
}

/// Converts text as long as it is well-formed and 64 bytes and as many units are left.
#[cfg_attr(textcodec_small, inline(never))]
#[cfg_attr(not(textcodec_small), inline)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn steps<const CHECK: bool, const BIG: bool>(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let mut read = 0;
    loop {
        read += runs::<BIG>(&src[read..], out);
        let mut is_first = true;
        loop {
            let Some(step) = src[read..].first_chunk() else { return read };
            // SAFETY: only initialised values are stored in the slots.
            let Some(to) = unsafe { out.spare() }.first_chunk_mut() else { return read };
            let vectors = ascii::load(step);
            if !is_first && !vectors[0].any_high_bit() {
                break;
            }
            is_first = false;
            if CHECK && errors_in_step(Vector::zero(), vectors).is_some() {
                return read;
            }
            let len = whole_sequences(step);
            let written = convert_step::<BIG>(vectors, len, to);
            // SAFETY: `convert_step` initialises the number of slots that it returns.
            unsafe { out.advance(written) };
            read += len;
        }
    }
}

/// Converts ASCII, and characters before ASCII.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn runs<const BIG: bool>(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    if cfg!(textcodec_small) && !BIG {
        return ascii::to_utf16(src, out);
    }
    // SAFETY: the first closure initialises all slots. The second returns at most 3, from four bytes or more, and initialises a slot.
    unsafe {
        convert_mixed::<_, 1>(
            src,
            out,
            |bytes, to| store_widened::<BIG>(bytes, to),
            |rest, _, to| {
                let Some(bytes) = rest.first_chunk() else { return (0, 0) };
                let word = u32::from_le_bytes(*bytes);
                let (unit, len) = if word & 0x0080_C0E0 == 0x0000_80C0 && word & 0x1E != 0 {
                    ((word & 0x1F) << 6 | word >> 8 & 0x3F, 2)
                } else if word & 0x80C0_C0F0 == 0x0080_80E0 && !matches!(bytes[0], 0xE0 | 0xED) {
                    // The second byte after 0xE0 and 0xED has other limits.
                    (word << 12 | word >> 2 & 0xFC0 | word >> 16 & 0x3F, 3)
                } else {
                    return (0, 0);
                };
                to[0].write(ByteOrder::of(BIG).in_memory(unit as u16));
                (len, 1)
            },
        )
    }
}

/// Converts the first `len` of 64 bytes, which are whole sequences. Returns the number of units, which are initialised in `to`.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn convert_step<const BIG: bool>(vectors: [Vector; 4], len: usize, to: &mut [MaybeUninit<u16>; STEP]) -> usize {
    let [a, b, c, d] = vectors;
    let zero = Vector::zero();
    let incomplete =
        Vector::bits_of([is_incomplete(zero, a), is_incomplete(a, b), is_incomplete(b, c), is_incomplete(c, d)]);
    // Bit `n` is set if byte `n` completes a code unit.
    let ends = !(incomplete | u64::MAX.checked_shl(len as u32).unwrap_or(0));
    let is_four = a.max(b).max(c.max(d)).saturating_sub(Vector::splat(0xF0 - 0x80));
    if is_four.any_high_bit() { store::<true, BIG>(vectors, ends, to) } else { store::<false, BIG>(vectors, ends, to) }
}

/// Returns a vector whose high bit is set in the lanes of bytes that do not complete a code unit: lead bytes, and second bytes
/// of longer sequences. The third byte of four completes a leading surrogate.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn is_incomplete(before: Vector, block: Vector) -> Vector {
    let previous = block.preceding::<15>(before);
    block.saturating_sub(Vector::splat(0xC0 - 0x80)).or(previous.saturating_sub(Vector::splat(0xE0 - 0x80)))
}

/// Stores the units that the bytes in `ends` complete. Returns their number.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn store<const FOUR: bool, const BIG: bool>(
    vectors: [Vector; 4],
    ends: u64,
    to: &mut [MaybeUninit<u16>; STEP],
) -> usize {
    // Byte `n` is the number of units in the first `n + 1` groups of eight bytes.
    let counts = Vector::ones_of_bytes(ends).wrapping_mul(0x0101_0101_0101_0101);
    let mut before = Vector::zero();
    for (number, block) in vectors.into_iter().enumerate() {
        for (half, units) in units::<FOUR, BIG>(before, block).into_iter().enumerate() {
            let group = 8 * (2 * number + half);
            let offset = (counts << 8 >> group) as usize & 0xFF;
            // SAFETY: `offset` is the number of bits in the first `group` bits of `ends`: `offset <= group <= 56`.
            keep(units, (ends >> group) as u32 & 0xFF).store_units(unsafe { block_mut(to, offset) });
        }
        before = block;
    }
    (counts >> 56) as usize
}

/// Returns the units in an eight-bit mask without gaps.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn keep(units: Vector, mask: u32) -> Vector {
    units.swizzle(Vector::load(&compaction::UNITS[mask as usize]))
}

/// Returns the code unit that each of 16 bytes completes. Other lanes are unspecified.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
fn units<const FOUR: bool, const BIG: bool>(before: Vector, block: Vector) -> [Vector; 2] {
    let (previous, second_last) = (block.preceding::<15>(before), block.preceding::<14>(before));
    let is_continuation = block.less_signed(Vector::splat(0xC0));
    let lower = is_continuation.select(previous.shl_insert::<6>(block), block);
    // The lead byte of three. For that of two, its lane is not.
    let lead = second_last.and(second_last.at_least(Vector::splat(0xE0)));
    let upper = lead.shl_insert::<4>(previous.shr::<2>()).and(is_continuation);
    if !FOUR {
        let (even, odd) = if BIG { (upper, lower) } else { (lower, upper) };
        return [even.zip_low(odd), even.zip_high(odd)];
    }
    let first = Vector::splat(0xF0);
    let is_trailing = block.preceding::<13>(before).at_least(first);
    let upper = is_trailing.select(upper.and(Vector::splat(0x03)).or(Vector::splat(0xDC)), upper);
    // The upper eleven bits of the code point. Subtracting 0x10000 subtracts 0x40 from them.
    let is_leading = second_last.at_least(first);
    let leading_lower = previous.shl_insert::<2>(block.shr::<4>());
    let leading_upper = second_last.and(Vector::splat(0x07));
    let surrogate = |number: Vector| number.add_units(Vector::splat_units(0xD800 - 0x40));
    [
        is_leading.zip_low(is_leading).select(surrogate(leading_lower.zip_low(leading_upper)), lower.zip_low(upper)),
        is_leading.zip_high(is_leading).select(surrogate(leading_lower.zip_high(leading_upper)), lower.zip_high(upper)),
    ]
    .map(|units| if BIG { swapped(units) } else { units })
}

/// Converts text to single bytes via UTF-16, block by block. A block that is converted completely doubles the next one, so text
/// with frequent declined characters does not pay for a full block each time. `lone` may convert a character after ASCII without
/// a block. It returns the byte, and the length of the character.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
pub(super) fn by_units(
    src: &str,
    out: &mut Out<'_, u8>,
    lone: impl Fn(&[u8]) -> Option<(u8, usize)>,
    from_utf16: impl Fn(&[u16], &mut Out<'_, u8>) -> usize,
) -> usize {
    let mut block = [const { MaybeUninit::uninit() }; 256];
    let mut size = STEP;
    let mut read = 0;
    loop {
        let other = |rest: &[u8], _, to: &mut [MaybeUninit<u8>]| {
            let Some((byte, len)) = lone(rest).filter(|(_, len)| *len <= rest.len()) else { return (0, 0) };
            to[0].write(byte);
            (len, 1)
        };
        // SAFETY: the first closure initialises all slots, and `other` one. Its `len` is at most `rest.len()`.
        read += unsafe { convert_mixed::<_, 1>(&src.as_bytes()[read..], out, |bytes, to| bytes.store(to), other) };
        let rest = &src[read..];
        if rest.is_empty() {
            return read;
        }
        let mut units = Out::uninit(&mut block[..size.min(out.spare_len())]);
        let len = match steps::<false, false>(rest.as_bytes(), &mut units) {
            // The rest is short, or few bytes fit.
            0 => str_to_utf16::<false>(rest, &mut units),
            len => len,
        };
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
