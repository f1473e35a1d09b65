//! The way of a call: the [entry], where most calls end, the decoding loop and the encoding loop. The loops decide what happens to a
//! character that does not fit into the output. Handlers do not know the output.

mod decode;
mod encode;
pub(crate) mod entry;

#[cfg(not(textcodec_small))]
pub(crate) use self::{decode::Codec as DecodeCodec, encode::Codec as EncodeCodec};
pub(crate) use self::{
    decode::DecodeState,
    encode::{EncodePolicy, EncodeState},
};
use crate::{kernel::Level, names::Encoding};

/// Why a call stopped. It is small enough to be returned in registers. The states keep the other details of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop<E> {
    /// All input was read.
    InputEmpty,
    /// The next item does not fit.
    OutputFull,
    /// An error at which the options say to stop: the reason of a decoder, or the code point of an encoder.
    Error(E),
}

/// Where an input is. `F` is the error that a failed one ended with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase<F> {
    /// Nothing is converted yet. A decoder may have read a part of a byte order mark.
    Start,
    /// Converting.
    Text,
    /// The input has ended. The next call starts a new one.
    Finished,
    /// An error has ended the input.
    Failed(F),
}

/// Who converts next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// Kernels and items, if no sequence is pending.
    Convert,
    /// The handler, because a kernel has just stopped there, or is expected to.
    Handle,
}

/// The parameters of a call.
#[derive(Debug)]
pub(crate) struct Call<'a, S: ?Sized, P> {
    pub(crate) encoding: Encoding,
    pub(crate) level: Level,
    pub(crate) src: &'a S,
    /// Whether the input ends with `src`.
    pub(crate) last: bool,
    pub(crate) turn: Turn,
    pub(crate) policy: P,
}
