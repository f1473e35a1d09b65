//! What kernels are called with: the tables of encodings, in the forms that they look up.

mod byte_order;
mod escapes;
pub(crate) mod four_bytes;
mod pairs;
mod single_byte;
mod to_bytes;
pub(crate) mod utf8;
mod window;

pub(crate) use byte_order::{ByteOrder, as_units};
pub(crate) use escapes::{Begun, EscapedPairs, Escapes};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) use pairs::Range;
pub(crate) use pairs::{Alone, Pairs};
pub(crate) use single_byte::{ToByte, Upper};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) use to_bytes::Bases;
pub(crate) use to_bytes::{Stages, ToBytes};
pub(crate) use window::Near;
