//! Kernels for vectors of 16 bytes, written once: SSE4.1 on x86-64, NEON on aarch64, simd128 on WebAssembly.
//!
//! [`Vector`] has about thirty operations that all three have in one to four instructions, one file a platform. Where they
//! differ, the smallest promise holds: see [`Vector::swizzle`] and [`Vector::narrow`].
//!
//! On x86-64 the level is found out at run time, so each function says which features it needs; the other two are known when
//! the program is compiled.

pub(crate) mod ascii;
pub(crate) mod double_byte;
pub(crate) mod latin1;
pub(crate) mod single_byte;
pub(crate) mod utf16;
pub(crate) mod utf8;

#[cfg_attr(target_arch = "x86_64", path = "sse41.rs")]
#[cfg_attr(target_arch = "aarch64", path = "neon.rs")]
#[cfg_attr(target_arch = "wasm32", path = "simd128.rs")]
mod vector;

use vector::Vector;
