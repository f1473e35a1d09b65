//! The arguments of kernels: the tables of encodings, in forms that are fast to look up.

mod byte_order;
mod common_rows;
mod escapes;
pub(crate) mod four_bytes;
mod pairs;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(textcodec_small)))]
#[allow(dead_code, reason = "most builds read these tables from a file")]
pub(crate) mod regular;
#[allow(dead_code, reason = "most builds read these tables from a file")]
mod single_byte;
mod to_bytes;
pub(crate) mod utf8;

#[allow(unused_imports, reason = "not in builds without tables from files")]
pub(crate) use byte_order::units;
pub(crate) use byte_order::{ByteOrder, as_bytes};
pub(crate) use common_rows::CommonRows;
pub(crate) use escapes::{EscapeState, EscapedPairs, Escapes};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(textcodec_small)))]
pub(crate) use pairs::Range;
pub(crate) use pairs::{FirstByte, Pairs};
pub(crate) use single_byte::{ToByte, UpperHalf};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(textcodec_small)))]
pub(crate) use to_bytes::Bases;
#[cfg(feature = "oem")]
pub(crate) use to_bytes::Stages;
pub(crate) use to_bytes::ToBytes;
