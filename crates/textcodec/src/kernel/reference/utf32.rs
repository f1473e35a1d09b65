//! UTF-32: one code point per step; and the scans of UTF-16 that are not for a conversion.

use super::utf16::code_point;
use crate::kernel::Out;

#[inline]
pub(crate) fn from_utf16(src: &[u16], out: &mut Out<'_, u32>) -> usize {
    out.write_locally(|out| {
        let mut read = 0;
        while let Some((code_point, len)) = code_point(|at| src.get(read + at).copied())
            && out.push(code_point)
        {
            read += len;
        }
        read
    })
}

#[inline]
pub(crate) fn to_utf16(src: &[u32], out: &mut Out<'_, u16>) -> usize {
    let put = |&&code_point: &&u32, out: &mut Out<'_, u16>| {
        char::from_u32(code_point).is_some()
            && match code_point.checked_sub(0x10000) {
                None => out.push(code_point as u16),
                Some(beyond) => out.extend(&[0xD800 | (beyond >> 10) as u16, 0xDC00 | (beyond & 0x3FF) as u16]),
            }
    };
    out.write_locally(|out| src.iter().take_while(|code_point| put(code_point, out)).count())
}

#[inline]
pub(crate) fn prefix(src: &[u32]) -> usize {
    src.iter().take_while(|&&code_point| char::from_u32(code_point).is_some()).count()
}

#[inline]
pub(crate) fn surrogate_free(src: &[u16]) -> usize {
    src.iter().take_while(|unit| !matches!(unit, 0xD800..=0xDFFF)).count()
}

#[inline]
pub(crate) fn max_unit(src: &[u16]) -> u16 {
    src.iter().copied().max().unwrap_or(0)
}
