//! Kernels for vectors of 16 bytes, written once for SSE4.1 on x86-64, NEON on aarch64 and simd128 on WebAssembly.
//!
//! [`Vector`] has about forty operations of one to four instructions on most platforms, in a file for each. Where the instructions
//! differ, the operation guarantees only what all three have in common, as in [`Vector::swizzle`] and [`Vector::narrow`].
//!
//! On x86-64 the level is chosen at run time, so each function names the features that it needs. The other two are features of
//! the target.
//!
//! `docs/design/kernel-levels.md` has the instructions on NEON.

#![cfg_attr(
    not(target_arch = "x86_64"),
    allow(
        clippy::redundant_closure,
        clippy::redundant_closure_for_method_calls,
        reason = "on x86-64, functions with a target feature do not implement `Fn`, but closures in them do"
    )
)]

pub(crate) mod ascii;
pub(crate) mod double_byte;
pub(crate) mod latin1;
mod pack;
#[cfg(all(feature = "oem", target_arch = "aarch64"))]
pub(crate) mod permute;
#[cfg(not(target_arch = "aarch64"))]
mod rows;
pub(crate) mod single_byte;
pub(crate) mod utf16;
#[cfg(not(target_arch = "x86_64"))]
mod utf16_replaced;
pub(crate) mod utf8;
pub(crate) mod utf8_to_utf16;

#[cfg_attr(target_arch = "x86_64", path = "vector_sse41.rs")]
#[cfg_attr(target_arch = "aarch64", path = "vector_neon.rs")]
#[cfg_attr(target_arch = "wasm32", path = "vector_simd128.rs")]
mod vector;

#[cfg(not(target_arch = "aarch64"))]
use rows::Rows;
#[cfg(target_arch = "aarch64")]
use vector::Rows;
use vector::Vector;

#[cfg(not(target_arch = "x86_64"))]
use crate::kernel::v128;

/// Returns the functions for UTF-16 of the level of the target.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
pub(super) fn utf16(level: &super::Kernels) -> Option<&'static super::utf16::Utf16Kernels> {
    const FUNCTIONS: &super::utf16::Utf16Kernels = &super::utf16::Utf16Kernels {
        ascii_to_utf16: ascii::to_utf16,
        ascii_from_utf16: ascii::from_utf16,
        utf16_from_bytes: utf16::from_bytes,
        single_byte_to_utf16: single_byte::to_utf16,
        single_byte_from_utf16: single_byte::from_utf16,
        latin1_to_utf16: latin1::to_utf16,
        latin1_from_utf16: latin1::from_utf16,
        double_byte_to_utf16: double_byte::to_utf16,
        escaped_to_utf16: double_byte::escaped_to_utf16,
    }
    .for_this_build();
    core::ptr::eq(level, &raw const KERNELS).then_some(FUNCTIONS)
}

/// Returns the functions for UTF-32 of the level of the target.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
pub(super) fn utf32(level: &super::Kernels) -> Option<&'static super::utf32::Utf32Kernels> {
    use super::{
        reference::utf32 as reference,
        utf32::{Utf32Kernels, from_utf16, max_unit, prefix, surrogate_free, to_utf16},
    };
    const FUNCTIONS: &Utf32Kernels = &Utf32Kernels {
        utf16_to_utf32: |src, out| from_utf16(src, out, reference::from_utf16),
        utf32_to_utf16: |src, out| to_utf16(src, out, reference::to_utf16),
        utf32_prefix: prefix,
        surrogate_free_prefix: surrogate_free,
        max_unit,
    };
    core::ptr::eq(level, &raw const KERNELS).then_some(FUNCTIONS)
}

/// Returns the only level of the target.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn available() -> impl Iterator<Item = &'static super::Kernels> {
    core::iter::once(&KERNELS)
}

/// Makes a function of a table out of a kernel, which needs no more features than those of the target.
#[cfg(not(target_arch = "x86_64"))]
macro_rules! kernel {
    ($path:path, $($argument:ident),+) => {
        $path
    };
}

#[cfg(not(target_arch = "x86_64"))]
static KERNELS: super::Kernels = super::Kernels {
    name: if cfg!(target_arch = "aarch64") { "neon" } else { "simd128" },
    utf8_to_utf16: utf8_to_utf16::to_utf16,
    str_to_utf16le: utf8_to_utf16::str_to_utf16::<false>,
    str_to_utf16be: utf8_to_utf16::str_to_utf16::<true>,
    utf16_replaced: utf16_replaced::from_bytes_replaced,
    #[cfg(all(feature = "oem", target_arch = "aarch64"))]
    permute: permute::permute,
    double_byte_to_utf8: double_byte::to_utf8,
    double_byte_from_utf16: double_byte::from_utf16,
    escaped_to_utf8: double_byte::escaped_to_utf8,
    escaped_from_utf16: double_byte::escaped_from_utf16,
    ..common_kernels!(v128, kernel)
}
.for_this_build();
