//! Single bytes: one character per step; ASCII in runs.

use super::ascii;
use crate::kernel::{
    Out,
    tables::{ToByte, UpperHalf},
};

pub(crate) fn to_utf8(upper: &UpperHalf, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let mut read = 0;
    while let Some(&byte) = src.get(read) {
        if byte.is_ascii() {
            let converted = ascii::copy(&src[read..], out);
            if converted == 0 {
                break;
            }
            read += converted;
            continue;
        }
        let [first, second, third] = upper.utf8().each_ref().map(|plane| plane[usize::from(byte - 0x80)]);
        let fits = match (second, third) {
            (0, _) => false,
            (_, 0) => out.extend(&[first, second]),
            _ => out.extend(&[first, second, third]),
        };
        if !fits {
            break;
        }
        read += 1;
    }
    read
}

#[inline]
pub(crate) fn to_utf16(upper: &UpperHalf, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let mut read = 0;
    while let Some(&byte) = src.get(read) {
        if byte.is_ascii() {
            let converted = ascii::to_utf16(&src[read..], out);
            if converted == 0 {
                break;
            }
            read += converted;
            continue;
        }
        let unit = upper.get(usize::from(byte - 0x80));
        if unit == 0 || !out.push(unit) {
            break;
        }
        read += 1;
    }
    read
}

#[inline]
pub(crate) fn from_utf16(table: &ToByte, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let mut read = 0;
    while let Some(&unit) = src.get(read) {
        if unit < 0x80 {
            let converted = ascii::from_utf16(&src[read..], out);
            if converted == 0 {
                break;
            }
            read += converted;
            continue;
        }
        let Some(byte) = table.get(unit) else { break };
        if !out.push(byte) {
            break;
        }
        read += 1;
    }
    read
}

pub(crate) fn from_utf8(table: &ToByte, src: &str, out: &mut Out<'_, u8>) -> usize {
    let mut read = 0;
    loop {
        read += ascii::copy(&src.as_bytes()[read..], out);
        let Some(character) = src[read..].chars().next() else { break };
        let Some(byte) = u16::try_from(u32::from(character)).ok().and_then(|unit| table.get(unit)) else { break };
        if !out.push(byte) {
            break;
        }
        read += character.len_utf8();
    }
    read
}
