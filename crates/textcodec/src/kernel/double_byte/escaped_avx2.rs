//! Pairs eight a step, the rest one by one. Eight bytes a character without a branch on what it is were no faster in text, and half
//! as fast in pages.

use super::{
    encode_avx2,
    escaped::{self, Escapes},
};
use crate::kernel::Out;

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf16(escapes: &Escapes, pairs: &mut bool, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    escaped::runs(escapes, pairs, src, out, |table, src, out| encode_avx2::from_utf16(table, src, out))
}
