//! The two loops: one for decoding, one for encoding. They know capacity and position; codecs know neither. Both have the same
//! shape and are read side by side.

mod decode;
mod encode;

pub(crate) use self::{
    decode::{DecodeCall, DecodeState},
    encode::{EncodeCall, EncodePolicy, EncodeState},
};
use crate::{encoding::Encoding, kernel::Level};

/// Why a loop stopped. It is small, so that it is returned in registers; the states keep what else there is to say of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop<E> {
    /// All input is taken.
    InputEmpty,
    /// What comes next has no room.
    OutputFull,
    /// An error that the options do not let pass: the reason of a decoder, the code point of an encoder.
    Error(E),
}

/// What does not change during a call.
#[derive(Debug)]
pub(crate) struct Call<'a, S: ?Sized, P> {
    pub(crate) encoding: Encoding,
    pub(crate) level: Level,
    pub(crate) src: &'a S,
    /// The input ends with `src`.
    pub(crate) last: bool,
    pub(crate) policy: P,
}

/// Where there is less room than this, a kernel stopped because of that: an escape sequence and the longest reference, in bytes.
const LONGEST_ITEM: usize = 16;
