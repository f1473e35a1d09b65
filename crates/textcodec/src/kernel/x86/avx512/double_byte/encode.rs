//! Encoding by the kernel of AVX2, whose look-ups and stores are as fast, with the kernels of AVX-512 for ASCII at the start and
//! for characters of four bytes.

use super::super::{super::avx2::double_byte::encode::from_utf16_by, ascii, gb18030_encode, vector::*};
use crate::kernel::{
    Out,
    tables::{Bases, ToBytes},
};

#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf16(table: &ToBytes, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let is_ascii = |step: &[u16; UNITS]| !any_exceeding(load_unit_block(step), 0x7F);
    // Before the loop, which has more to set up.
    let begins_with_ascii = table.has_ascii() && src.first_chunk().is_some_and(is_ascii);
    let ascii_len = if begins_with_ascii { ascii::from_utf16(src, out) } else { 0 };
    if ascii_len == src.len() {
        return ascii_len;
    }
    ascii_len
        + from_utf16_by(table, &src[ascii_len..], out, |table, bases, src, out| with_four_bytes(table, bases, src, out))
}

/// Converts characters of up to four bytes: at least [`UNITS`] units, and then as long as steps have characters of four bytes.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn with_four_bytes(table: &ToBytes, bases: Bases, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let mut read = 0;
    while read < src.len() {
        let (converted, has_four) = gb18030_encode::from_utf16(table, bases, &src[read..], out);
        read += converted;
        if converted == 0 || read >= UNITS && !has_four {
            break;
        }
    }
    read
}
