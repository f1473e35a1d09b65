//! Latin-1: one unit per step; ASCII in runs to and from UTF-8.

use super::ascii;
use crate::kernel::Out;

pub(crate) fn to_utf8(src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let mut read = 0;
    loop {
        read += ascii::copy(&src[read..], out);
        let Some(&byte) = src.get(read) else { break };
        if byte.is_ascii() || !out.extend(&[0xC0 | byte >> 6, 0x80 | byte & 0x3F]) {
            break;
        }
        read += 1;
    }
    read
}

#[inline]
pub(crate) fn to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    src.iter().take_while(|&&byte| out.push(byte.into())).count()
}

pub(crate) fn from_utf8(src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let mut read = 0;
    loop {
        read += ascii::copy(&src[read..], out);
        match src[read..] {
            [lead @ 0xC2..=0xC3, trail, ..] if out.push(lead << 6 | trail & 0x3F) => read += 2,
            _ => break,
        }
    }
    read
}

#[inline]
pub(crate) fn from_utf16(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    src.iter().take_while(|&&unit| u8::try_from(unit).is_ok_and(|byte| out.push(byte))).count()
}
