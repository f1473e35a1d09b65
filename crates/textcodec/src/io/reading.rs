//! [`Reading`]: the common part of all readers, synchronous or asynchronous.
//!
//! Each call takes a function that reads from the inner reader. If the function returns [`Poll::Pending`], so does the call,
//! without loss of data: the caller calls again when the inner reader is ready. A blocking reader is always ready.

use core::task::{Poll, ready};
use std::io;

use super::{
    buffer::Buffer,
    convert::{Convert, Step, Stop},
};
use crate::conversion::{DecodeReason, DecodeTarget, Decoder};

/// The minimum length in bytes of a destination that is written directly. For smaller ones, copying from a buffer costs less
/// than starting a conversion for a few characters each.
const DIRECT: usize = 4096;
const _: () = assert!(DIRECT >= super::convert::MIN_DST_LEN);

/// The state of a reader.
#[derive(Debug)]
pub(super) struct Reading<C> {
    pub(super) source: Source<C>,
    pub(super) output: Buffer,
}

/// The input and its conversion.
#[derive(Debug)]
pub(super) struct Source<C> {
    pub(super) convert: C,
    input: Buffer,
    /// Whether the inner reader is at its end.
    last: bool,
    /// Whether all input is converted, up to that end.
    ended: bool,
    /// An error after the output that was returned last.
    pub(super) error: Option<io::Error>,
}

impl<C: Convert> Reading<C> {
    pub(super) fn new(convert: C) -> Self {
        let source = Source { convert, input: Buffer::default(), last: false, ended: false, error: None };
        Self { source, output: Buffer::default() }
    }

    /// Reads to `dst`, directly if it is large enough and the buffer is empty. Returns 0 at the end.
    pub(super) fn read(
        &mut self,
        dst: &mut [u8],
        read_inner: impl FnMut(&mut [u8]) -> Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if dst.is_empty() {
            return Poll::Ready(Ok(0));
        }
        if self.output.is_empty() && dst.len() >= DIRECT {
            return self.source.read(dst, read_inner);
        }
        let text = ready!(self.fill(read_inner))?;
        let len = text.len().min(dst.len());
        dst[..len].copy_from_slice(&text[..len]);
        self.output.consume(len);
        Poll::Ready(Ok(len))
    }

    /// Fills the buffer if it is empty, and returns its contents. They are empty at the end.
    pub(super) fn fill(
        &mut self,
        read_inner: impl FnMut(&mut [u8]) -> Poll<io::Result<usize>>,
    ) -> Poll<io::Result<&[u8]>> {
        if self.output.is_empty() {
            let len = ready!(self.source.read(self.output.spare(), read_inner))?;
            self.output.commit(len);
        }
        Poll::Ready(Ok(self.output.rest()))
    }
}

impl<C: Convert> Source<C> {
    /// Converts input to `dst`. Reads from the inner reader only if there is no output to return.
    fn read(
        &mut self,
        dst: &mut [u8],
        mut read_inner: impl FnMut(&mut [u8]) -> Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        loop {
            if let Some(error) = self.error.take() {
                return Poll::Ready(Err(error));
            }
            if self.ended {
                return Poll::Ready(Ok(0));
            }
            let Step { read, written, stop } = self.convert.convert(self.input.rest(), dst, self.last);
            self.input.consume(read);
            match stop {
                Stop::InputEmpty if self.last => self.ended = true,
                Stop::InputEmpty if written == 0 => ready!(self.receive(&mut read_inner))?,
                Stop::InputEmpty | Stop::OutputFull => {}
                Stop::Error(error) => self.error = Some(error),
            }
            if written > 0 {
                return Poll::Ready(Ok(written));
            }
        }
    }

    /// Calls the inner reader once.
    fn receive(&mut self, mut read_inner: impl FnMut(&mut [u8]) -> Poll<io::Result<usize>>) -> Poll<io::Result<()>> {
        match ready!(read_inner(self.input.spare()))? {
            0 => self.last = true,
            len => self.input.commit(len),
        }
        Poll::Ready(Ok(()))
    }
}

impl Source<Decoder> {
    /// Decodes the next chunk of input and appends the text. Returns false at the end and before an [`error`](Self::error).
    /// Errors of the inner reader, and a lack of memory, are returned directly.
    pub(super) fn append<T: DecodeTarget>(
        &mut self,
        out: &mut T,
        mut read_inner: impl FnMut(&mut [u8]) -> Poll<io::Result<usize>>,
    ) -> Poll<io::Result<bool>> {
        if self.error.is_some() || self.ended {
            return Poll::Ready(Ok(false));
        }
        loop {
            let (len, before) = (self.input.rest().len(), self.convert.position());
            let result = self.convert.push_chunk(self.input.rest(), out, self.last);
            self.input.consume(self.convert.position().saturating_sub(before) as usize);
            match result {
                Ok(()) if self.last => self.ended = true,
                Ok(()) if len > 0 => return Poll::Ready(Ok(true)),
                Ok(()) => {
                    ready!(self.receive(&mut read_inner))?;
                    continue;
                }
                // The text before it is not the end, and the next call continues.
                Err(error) if error.reason() == DecodeReason::OutOfMemory => return Poll::Ready(Err(error.into())),
                Err(error) => self.error = Some(error.into()),
            }
            return Poll::Ready(Ok(false));
        }
    }
}

/// Returns the result of a call whose inner reader or writer blocks, and so never returns [`Poll::Pending`].
pub(super) fn expect_ready<T>(result: Poll<io::Result<T>>) -> io::Result<T> {
    match result {
        Poll::Ready(result) => result,
        Poll::Pending => Err(io::ErrorKind::WouldBlock.into()),
    }
}
