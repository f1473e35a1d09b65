//! ASCII, some single bytes, and pairs of a leading and a trailing byte: what Shift_JIS, EUC-JP, EUC-KR, GBK and Big5 have
//! in common, the pairs of ISO-2022-JP, and gb18030's four bytes.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod decode_avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod decode_avx512;
pub(crate) mod decode_escaped;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod decode_escaped_avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod decode_escaped_avx512;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod decode_utf8_avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod decode_utf8_avx512;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod encode_avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod encode_avx512;
pub(crate) mod encode_scalar;
pub(crate) mod escaped;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod escaped_avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod escaped_avx512;
mod four_bytes;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod four_bytes_avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod four_bytes_avx512;
pub(crate) mod fours;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod fours_avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod fours_avx512;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod look_up;
mod pairs;
mod places;
pub(crate) mod scalar;
mod to_bytes;

pub(crate) use pairs::{Alone, Pairs};
pub(crate) use to_bytes::{Stages, ToBytes};
