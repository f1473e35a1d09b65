//! Four bytes from a pointer: 126 × 10 × 126 × 10 of them.

/// The pointer of U+10000; what follows it is in order.
pub(super) const ABOVE_BMP: u32 = 189_000;

#[inline(always)]
pub(super) fn four_bytes(pointer: u32) -> [u8; 4] {
    let digit = |n: u32| (n % 10) as u8 + 0x30;
    let upper = |n: u32| (n % 126) as u8 + 0x81;
    [upper(pointer / (10 * 126 * 10)), digit(pointer / (10 * 126)), upper(pointer / 10), digit(pointer)]
}
