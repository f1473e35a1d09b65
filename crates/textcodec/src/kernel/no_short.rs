//! Short inputs have no code of their own where it is not measured: kernels take them all.

use super::Out;

#[inline]
pub(crate) fn is_ascii(_: &[u8]) -> bool {
    false
}

#[inline]
pub(crate) fn has_no_surrogate(_: &[u16]) -> bool {
    false
}

#[inline]
pub(crate) fn ascii_copy(_: &[u8], _: &mut Out<'_, u8>) -> bool {
    false
}

#[inline]
pub(crate) fn ascii_to_utf16(_: &[u8], _: &mut Out<'_, u16>) -> bool {
    false
}

#[inline]
pub(crate) fn latin1_to_utf16(_: &[u8], _: &mut Out<'_, u16>) -> bool {
    false
}

#[inline]
pub(crate) fn ascii_from_utf16(_: &[u16], _: &mut Out<'_, u8>) -> bool {
    false
}

#[inline]
pub(crate) fn latin1_from_utf16(_: &[u16], _: &mut Out<'_, u8>) -> bool {
    false
}

#[inline]
pub(crate) fn ascii_from_utf16be(_: &[[u8; 2]], _: &mut Out<'_, u8>) -> bool {
    false
}
