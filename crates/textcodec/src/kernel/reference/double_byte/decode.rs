//! Decoding: one character per step; ASCII in runs.
//!
//! Tried without success:
//! - For inputs of 16 bytes, counting positions in a mask of the bytes above ASCII, instead of a branch on whether a byte leads
//!   a pair. Korean with its spaces gained, but Japanese and Chinese lost, because every step waits for the mask.
//! - Converting a single space between two pairs without calling the kernel for runs.

use crate::kernel::{Out, reference::ascii, tables::Pairs};

#[inline]
pub(crate) fn to_utf16(pairs: &Pairs, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    convert(ascii::to_utf16, pairs, src, out)
}

pub(crate) fn to_utf8(pairs: &Pairs, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    convert(ascii::copy, pairs, src, out)
}

/// The output form: UTF-8 or UTF-16.
///
/// # Safety
/// All bit patterns are valid, and the size divides 16.
pub(crate) unsafe trait Form: Copy {
    /// Writes a code point of the BMP, which is not a surrogate. Returns false if it does not fit.
    fn put_unit(code_point: u16, out: &mut Out<'_, Self>) -> bool;
}

// SAFETY: an integer of one byte.
unsafe impl Form for u8 {
    #[inline(always)]
    fn put_unit(code_point: u16, out: &mut Out<'_, Self>) -> bool {
        let last = 0x80 | code_point as u8 & 0x3F;
        let middle = 0x80 | (code_point >> 6) as u8 & 0x3F;
        match code_point {
            0x800.. => out.extend(&[0xE0 | (code_point >> 12) as u8, middle, last]),
            0x80.. => out.extend(&[0x40 | middle, last]),
            _ => out.push(code_point as u8),
        }
    }
}

// SAFETY: an integer of two bytes.
unsafe impl Form for u16 {
    #[inline(always)]
    fn put_unit(code_point: u16, out: &mut Out<'_, Self>) -> bool {
        out.push(code_point)
    }
}

/// Converts pairs only.
#[inline(always)]
pub(crate) fn pairs<F: Form>(pairs: &Pairs, src: &[u8], out: &mut Out<'_, F>) -> usize {
    let mut read = 0;
    while let [leading, trailing, ..] = src[read..]
        && let Some(unit) = pairs.get(leading, trailing)
        && F::put_unit(unit, out)
    {
        read += 2;
    }
    read
}

/// Decodes. `ascii`, a level's kernel, converts runs of ASCII.
#[inline(always)]
pub(crate) fn convert<F: Form>(
    ascii: impl Fn(&[u8], &mut Out<'_, F>) -> usize,
    pairs: &Pairs,
    src: &[u8],
    out: &mut Out<'_, F>,
) -> usize {
    convert_with(ascii, self::pairs, pairs, src, out)
}

/// Decodes. The kernels `ascii` and `run` of a level convert runs of ASCII and of pairs.
#[inline(always)]
pub(crate) fn convert_with<F: Form>(
    ascii: impl Fn(&[u8], &mut Out<'_, F>) -> usize,
    run: impl Fn(&Pairs, &[u8], &mut Out<'_, F>) -> usize,
    pairs: &Pairs,
    src: &[u8],
    out: &mut Out<'_, F>,
) -> usize {
    let mut read = 0;
    while let Some(&byte) = src.get(read) {
        if pairs.ascii && byte.is_ascii() {
            let converted = ascii(&src[read..], out);
            if converted == 0 {
                break;
            }
            read += converted;
            continue;
        }
        let converted = run(pairs, &src[read..], out);
        if converted > 0 {
            read += converted;
            continue;
        }
        if pairs.rows[usize::from(byte)] != Pairs::SINGLE_ROW || !F::put_unit(pairs.cells()[usize::from(byte)], out) {
            break;
        }
        read += 1;
    }
    read
}
