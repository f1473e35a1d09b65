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

/// The minimum length in units of a chunk in which a kernel call that converts nothing is a small part of the cost.
const LONG: usize = 512;

/// What is known of the ends of a chunk: a set of flags, to be passed in one register.
#[derive(Clone, Copy)]
pub(crate) struct Ends(u8);

impl Ends {
    const LAST: u8 = 1;
    const CONVERTED: u8 = 2;

    /// `last` is whether the input ends with the chunk.
    #[inline]
    pub(crate) fn new(last: bool) -> Self {
        Self(if last { Self::LAST } else { 0 })
    }

    /// The ends of the rest of a chunk, after the text that a kernel has just converted.
    #[inline]
    pub(crate) fn after_kernel(self) -> Self {
        Self(self.0 | Self::CONVERTED)
    }

    /// Whether the input ends with the chunk.
    #[inline]
    pub(crate) fn is_last(self) -> bool {
        self.0 & Self::LAST != 0
    }

    /// Whether more follows after the chunk, which has `units` units and is not short.
    #[inline]
    pub(crate) fn is_long_and_not_last(self, units: usize) -> bool {
        units >= LONG && !self.is_last()
    }

    /// Whether a kernel has just converted the text before the chunk, and stopped there.
    #[inline]
    pub(crate) fn is_after_kernel(self) -> bool {
        self.0 & Self::CONVERTED != 0
    }
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
