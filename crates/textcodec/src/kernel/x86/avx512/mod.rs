//! Ice Lake and Zen 4: AVX-512 F, BW, CD, DQ, VL, VBMI and VBMI2, and the features of AVX2's kernels.

pub(crate) mod ascii;
pub(crate) mod double_byte;
pub(crate) mod gb18030;
pub(crate) mod gb18030_encode;
pub(crate) mod iso_2022;
pub(crate) mod latin1;
#[cfg(feature = "oem")]
pub(crate) mod permute;
mod sequences;
pub(crate) mod single_byte;
pub(crate) mod utf16;
pub(crate) mod utf8;
pub(crate) mod vector;

// In blocks, it is as fast as with vectors of 64 bytes.
pub(crate) use super::avx2::iso_2022_encode;
