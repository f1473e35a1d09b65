//! Encoding with escape sequences: pairs in steps of eight, other characters one by one. Lanes of eight bytes per character,
//! without a branch on its kind, were no faster in text, and half as fast in pages.

use super::double_byte::encode;
use crate::kernel::{Out, reference::iso_2022 as reference, tables::Escapes};

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf16(escapes: &Escapes, pairs: &mut bool, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    reference::runs(escapes, pairs, src, out, |table, src, out| encode::from_utf16(table, src, out))
}
