//! Haswell and Zen: AVX2, BMI1, BMI2, LZCNT and POPCNT.

pub(crate) mod ascii;
pub(crate) mod double_byte;
pub(crate) mod gb18030;
pub(crate) mod gb18030_encode;
mod groups;
pub(crate) mod iso_2022;
pub(crate) mod iso_2022_encode;
pub(crate) mod latin1;
mod partial;
#[cfg(feature = "oem")]
pub(crate) mod permute;
mod regular;
pub(crate) mod single_byte;
mod three_bytes;
pub(crate) mod utf16;
pub(crate) mod utf8;
pub(crate) mod vector;
