//! temporary
pub(crate) fn max_unit(u: &[u16]) -> u16 { u.iter().fold(0, |a, &b| a.max(b)) }
pub(crate) fn surrogate_free_up_to(u: &[u16]) -> usize { u.iter().position(|u| matches!(u, 0xD800..=0xDFFF)).unwrap_or(u.len()) }
pub(crate) struct P { pub(crate) read: usize, pub(crate) written: usize }
pub(crate) fn utf16_to_utf32(s: &[u16], d: &mut [u32]) -> P {
    let mut w = 0;
    for c in char::decode_utf16(s.iter().copied()) { d[w] = c.map_or(0xFFFD, u32::from); w += 1; }
    P { read: s.len(), written: w }
}
pub(crate) fn utf32_to_utf16(s: &[u32], d: &mut [u16]) -> P {
    let (mut r, mut w) = (0, 0);
    for &c in s { let Some(c) = char::from_u32(c) else { break }; w += c.encode_utf16(&mut d[w..]).len(); r += 1; }
    P { read: r, written: w }
}
pub(crate) use textcodec::utf::*;
