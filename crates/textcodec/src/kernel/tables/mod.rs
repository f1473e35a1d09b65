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
pub(crate) use pairs::{Alone, Pairs, Range};
pub(crate) use single_byte::{ToByte, Upper};
pub(crate) use to_bytes::{Bases, Stages, ToBytes};
pub(crate) use window::Near;
