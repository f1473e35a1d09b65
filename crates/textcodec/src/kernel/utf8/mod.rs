//! UTF-8 in: validation, and conversion to UTF-16.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod avx512;
pub(super) mod pairs;
pub(crate) mod scalar;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod str_avx512;
