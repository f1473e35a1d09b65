//! [`Reading`]: what all readers do, synchronous or not.
//!
//! Each call is given a function that reads from the inner reader. If that answers [`Poll::Pending`], so does the call, and
//! nothing is lost: it is made again when there is more. A reader that blocks never does.

use core::task::{Poll, ready};
use std::io;

use super::{
    buffer::Buffer,
    convert::{Convert, Step, Stop},
};
use crate::{DecodeTarget, Decoder};

/// Into less room than this, text goes by the buffer: to start a conversion for each few characters costs more than to copy them.
const DIRECT: usize = 4096;
const _: () = assert!(DIRECT >= super::convert::MIN_ROOM);

/// What is read and converted, and not yet asked for.
#[derive(Debug)]
pub(super) struct Reading<C> {
    pub(super) source: Source<C>,
    pub(super) output: Buffer,
}

/// What is read, and what converts it.
#[derive(Debug)]
pub(super) struct Source<C> {
    pub(super) convert: C,
    input: Buffer,
    /// The inner reader is at its end.
    last: bool,
    /// And all is converted.
    ended: bool,
    /// An error behind what was given last.
    pub(super) error: Option<io::Error>,
}

impl<C: Convert> Reading<C> {
    pub(super) fn new(convert: C) -> Self {
        let source = Source { convert, input: Buffer::default(), last: false, ended: false, error: None };
        Self { source, output: Buffer::default() }
    }

    /// Reads into `dst`: right into it where there is room and nothing waits. Zero is the end.
    pub(super) fn read(
        &mut self,
        dst: &mut [u8],
        more: impl FnMut(&mut [u8]) -> Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if dst.is_empty() {
            return Poll::Ready(Ok(0));
        }
        if self.output.is_empty() && dst.len() >= DIRECT {
            return self.source.read(dst, more);
        }
        let text = ready!(self.fill(more))?;
        let len = text.len().min(dst.len());
        dst[..len].copy_from_slice(&text[..len]);
        self.output.consume(len);
        Poll::Ready(Ok(len))
    }

    /// What waits, or comes next. Nothing is the end.
    pub(super) fn fill(&mut self, more: impl FnMut(&mut [u8]) -> Poll<io::Result<usize>>) -> Poll<io::Result<&[u8]>> {
        if self.output.is_empty() {
            let len = ready!(self.source.read(self.output.room(), more))?;
            self.output.added(len);
        }
        Poll::Ready(Ok(self.output.rest()))
    }
}

impl<C: Convert> Source<C> {
    /// Converts into `dst`. The inner reader is asked only while there is nothing to give.
    fn read(
        &mut self,
        dst: &mut [u8],
        mut more: impl FnMut(&mut [u8]) -> Poll<io::Result<usize>>,
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
                Stop::InputEmpty if written == 0 => ready!(self.receive(&mut more))?,
                Stop::InputEmpty | Stop::OutputFull => {}
                Stop::Error(error) => self.error = Some(error),
            }
            if written > 0 {
                return Poll::Ready(Ok(written));
            }
        }
    }

    /// Asks the inner reader, once.
    fn receive(&mut self, mut more: impl FnMut(&mut [u8]) -> Poll<io::Result<usize>>) -> Poll<io::Result<()>> {
        match ready!(more(self.input.room()))? {
            0 => self.last = true,
            len => self.input.added(len),
        }
        Poll::Ready(Ok(()))
    }
}

impl Source<Decoder> {
    /// Appends what the next piece of input becomes. The answer is false at the end and before an [`error`](Self::error);
    /// the inner reader's errors are returned.
    pub(super) fn append<T: DecodeTarget>(
        &mut self,
        out: &mut T,
        mut more: impl FnMut(&mut [u8]) -> Poll<io::Result<usize>>,
    ) -> Poll<io::Result<bool>> {
        if self.error.is_some() || self.ended {
            return Poll::Ready(Ok(false));
        }
        loop {
            let (len, before) = (self.input.rest().len(), self.convert.position());
            let result = self.convert.grow(self.input.rest(), out, self.last);
            self.input.consume(self.convert.position().saturating_sub(before) as usize);
            match result {
                Ok(()) if self.last => self.ended = true,
                Ok(()) if len > 0 => return Poll::Ready(Ok(true)),
                Ok(()) => {
                    ready!(self.receive(&mut more))?;
                    continue;
                }
                Err(error) => self.error = Some(error.into()),
            }
            return Poll::Ready(Ok(false));
        }
    }
}

/// What a call gives whose function does not wait.
pub(super) fn now<T>(result: Poll<io::Result<T>>) -> io::Result<T> {
    match result {
        Poll::Ready(result) => result,
        Poll::Pending => Err(io::ErrorKind::WouldBlock.into()),
    }
}
