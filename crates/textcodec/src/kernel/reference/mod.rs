//! The scalar kernels, one file per operation.
//!
//! Callers may rely only on the contract in `kernel/mod.rs`. The differential tests require more: every level reads and writes
//! the same as these, except for `four_bytes_to_utf16`: `gb18030.rs` serves other levels and the tests. On the scalar level,
//! the items of the codec convert four-byte sequences.

pub(crate) mod ascii;
pub(crate) mod double_byte;
pub(crate) mod gb18030;
pub(crate) mod iso_2022;
pub(crate) mod latin1;
#[cfg(feature = "oem")]
pub(crate) mod permute;
pub(crate) mod single_byte;
pub(crate) mod utf16;
pub(crate) mod utf32;
pub(crate) mod utf8;

use super::{Kernels, utf16::Utf16Kernels};

/// The scalar level. Other levels use its functions for operations that they lack.
pub(crate) const KERNELS: Kernels = Kernels {
    name: "scalar",
    ascii_prefix: ascii::prefix,
    ascii_prefix_without: ascii::prefix_without,
    ascii_copy: ascii::copy,
    utf8_prefix: utf8::prefix,
    utf8_copy: utf8::copy,
    utf8_to_utf16: utf8::to_utf16,
    str_to_utf16le: utf8::str_to_utf16::<false>,
    str_to_utf16be: utf8::str_to_utf16::<true>,
    utf16_prefix: utf16::prefix,
    utf16le_to_utf8: utf16::to_utf8::<false>,
    utf16be_to_utf8: utf16::to_utf8::<true>,
    utf16_replaced: utf16::from_bytes_replaced,
    utf16_to_bytes: utf16::to_bytes,
    single_byte_to_utf8: single_byte::to_utf8,
    single_byte_from_utf8: single_byte::from_utf8,
    latin1_to_utf8: latin1::to_utf8,
    latin1_from_utf8: latin1::from_utf8,
    #[cfg(feature = "oem")]
    permute: permute::permute,
    #[cfg(feature = "oem")]
    fused: None,
    double_byte_to_utf8: double_byte::decode::to_utf8,
    // The codec converts item by item, which is as fast and needs no UTF-16 in between.
    four_bytes_to_utf16: |_, _, _, _| 0,
    double_byte_from_utf16: double_byte::encode::from_utf16,
    escaped_to_utf8: iso_2022::to_utf8,
    escaped_from_utf16: iso_2022::from_utf16,
};

/// The same for UTF-16.
pub(crate) const UTF16: Utf16Kernels = Utf16Kernels {
    ascii_to_utf16: ascii::to_utf16,
    ascii_from_utf16: ascii::from_utf16,
    utf16_from_bytes: utf16::from_bytes,
    single_byte_to_utf16: single_byte::to_utf16,
    single_byte_from_utf16: single_byte::from_utf16,
    latin1_to_utf16: latin1::to_utf16,
    latin1_from_utf16: latin1::from_utf16,
    double_byte_to_utf16: double_byte::decode::to_utf16,
    escaped_to_utf16: iso_2022::to_utf16,
};
