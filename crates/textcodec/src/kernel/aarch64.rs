//! aarch64: NEON, which every CPU has.

use super::{Kernels, SCALAR_KERNELS, v128};

/// The one level that is known when the program is compiled.
pub(super) fn available() -> impl Iterator<Item = &'static Kernels> {
    core::iter::once(&NEON)
}

static NEON: Kernels = Kernels {
    name: "neon",
    ascii_prefix: v128::ascii::prefix,
    ascii_prefix_without: v128::ascii::prefix_without,
    ascii_copy: v128::ascii::copy,
    ascii_to_utf16: v128::ascii::to_utf16,
    ascii_from_utf16: v128::ascii::from_utf16,
    utf8_prefix: v128::utf8::prefix,
    utf8_to_utf16: v128::utf8::to_utf16,
    str_to_utf16: v128::utf8::str_to_utf16,
    utf16_prefix: v128::utf16::prefix,
    utf16_to_utf8: v128::utf16::to_utf8,
    utf16_from_bytes: v128::utf16::from_bytes,
    utf16_to_bytes: v128::utf16::to_bytes,
    single_byte_to_utf8: v128::single_byte::to_utf8,
    single_byte_to_utf16: v128::single_byte::to_utf16,
    single_byte_from_utf8: v128::single_byte::from_utf8,
    single_byte_from_utf16: v128::single_byte::from_utf16,
    latin1_to_utf8: v128::latin1::to_utf8,
    latin1_to_utf16: v128::latin1::to_utf16,
    latin1_from_utf8: v128::latin1::from_utf8,
    latin1_from_utf16: v128::latin1::from_utf16,
    double_byte_to_utf8: v128::double_byte::to_utf8,
    double_byte_to_utf16: v128::double_byte::to_utf16,
    double_byte_from_utf16: v128::double_byte::from_utf16,
    escaped_to_utf8: v128::double_byte::escaped_to_utf8,
    escaped_to_utf16: v128::double_byte::escaped_to_utf16,
    ..SCALAR_KERNELS
}
.for_this_build();
