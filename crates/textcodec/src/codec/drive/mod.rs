//! The decoding loop and the encoding loop. They track the position and decide what happens to a character that does not fit
//! into the output. Handlers know neither. Both loops have the same structure.

mod decode;
mod encode;

pub(crate) use self::{
    decode::DecodeState,
    encode::{EncodePolicy, EncodeState},
};
use crate::{encoding::Encoding, kernel::Level};

/// Why a loop stopped. It is small enough to be returned in registers. The states keep the other details of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop<E> {
    /// All input was read.
    InputEmpty,
    /// The next item does not fit.
    OutputFull,
    /// An error at which the options say to stop: the reason of a decoder, or the code point of an encoder.
    Error(E),
}

/// The parameters of a call.
#[derive(Debug)]
pub(crate) struct Call<'a, S: ?Sized, P> {
    pub(crate) encoding: Encoding,
    pub(crate) level: Level,
    pub(crate) src: &'a S,
    /// Whether the input ends with `src`.
    pub(crate) last: bool,
    pub(crate) policy: P,
}

/// An upper bound in bytes for an item: an escape sequence and the longest reference. With less capacity than this, a kernel is
/// assumed to have stopped because the output is full.
const LONGEST_ITEM: usize = 16;
