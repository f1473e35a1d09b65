//! [`Writing`]: the common part of all writers, synchronous or asynchronous.
//!
//! Each call takes a function that writes to the inner writer. If the function fails or returns [`Poll::Pending`], so does the
//! call, without having accepted input: the caller can repeat it. Input that earlier calls accepted stays in the buffer until
//! it is written.

use core::task::{Poll, ready};
use std::io;

use super::{
    buffer::Buffer,
    convert::{Convert, Step, Stop},
};

/// The state of a writer.
#[derive(Debug)]
pub(super) struct Writing<C> {
    pub(super) convert: C,
    output: Buffer,
    /// An error after the input that was accepted last.
    error: Option<io::Error>,
    /// Whether the input has ended.
    ending: bool,
    /// Whether all input is converted, up to that end.
    ended: bool,
}

impl<C: Convert> Writing<C> {
    pub(super) fn new(convert: C) -> Self {
        Self { convert, output: Buffer::default(), error: None, ending: false, ended: false }
    }

    /// Accepts input by `step`, which converts it to the given destination. Returns how much was accepted. Writes to the inner
    /// writer only if the buffer is full.
    pub(super) fn accept(
        &mut self,
        mut step: impl FnMut(&mut C, &mut [u8]) -> Step,
        mut write_inner: impl FnMut(&[u8]) -> Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        loop {
            self.take_error()?;
            if self.ending {
                return Poll::Ready(Err(io::Error::new(io::ErrorKind::InvalidInput, "the text has already ended")));
            }
            let Step { read, written, stop } = step(&mut self.convert, self.output.spare());
            self.output.commit(written);
            let is_full = matches!(stop, Stop::OutputFull);
            if let Stop::Error(error) = stop {
                self.error = Some(error);
            } else if read == 0 && !is_full {
                return Poll::Ready(Ok(0));
            }
            if read > 0 {
                return Poll::Ready(Ok(read));
            }
            if is_full {
                ready!(self.drain(&mut write_inner))?;
            }
        }
    }

    /// Ends the input: the next [`complete`](Self::complete) converts incomplete sequences.
    pub(super) fn end(&mut self) {
        self.ending = true;
    }

    /// Writes the output of all complete input; after [`end`](Self::end), of all input. Then returns a pending error.
    pub(super) fn complete(
        &mut self,
        mut write_inner: impl FnMut(&[u8]) -> Poll<io::Result<usize>>,
    ) -> Poll<io::Result<()>> {
        loop {
            ready!(self.drain(&mut write_inner))?;
            self.take_error()?;
            if self.ended {
                return Poll::Ready(Ok(()));
            }
            let Step { written, stop, .. } = self.convert.convert(&[], self.output.spare(), self.ending);
            self.output.commit(written);
            match stop {
                Stop::InputEmpty if self.ending => self.ended = true,
                Stop::InputEmpty if written == 0 => return Poll::Ready(Ok(())),
                Stop::InputEmpty | Stop::OutputFull => {}
                Stop::Error(error) => self.error = Some(error),
            }
        }
    }

    /// Whether the buffer is empty. After a failed call, this means that the inner writer did not fail.
    pub(super) fn is_written(&self) -> bool {
        self.output.is_empty()
    }

    /// Returns the pending error, if any.
    pub(super) fn take_error(&mut self) -> io::Result<()> {
        self.error.take().map_or(Ok(()), Err)
    }

    fn drain(&mut self, mut write_inner: impl FnMut(&[u8]) -> Poll<io::Result<usize>>) -> Poll<io::Result<()>> {
        while !self.output.is_empty() {
            match ready!(retry_interrupted(|| write_inner(self.output.rest())))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                len => self.output.consume(len),
            }
        }
        Poll::Ready(Ok(()))
    }
}

/// Calls `act` until the result is not [`Interrupted`](io::ErrorKind::Interrupted).
pub(super) fn retry_interrupted<T>(mut act: impl FnMut() -> Poll<io::Result<T>>) -> Poll<io::Result<T>> {
    loop {
        match act() {
            Poll::Ready(Err(error)) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}
