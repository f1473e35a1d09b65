//! [`Writing`]: what all writers do, synchronous or not.
//!
//! Each call is given a function that writes to the inner writer. If that fails or answers [`Poll::Pending`], so does the
//! call, and has taken nothing: it can be made again. What was taken before waits until it is written.

use core::task::{Poll, ready};
use std::io;

use super::{
    buffer::Buffer,
    convert::{Convert, Step, Stop},
};

/// What is converted and not yet written.
#[derive(Debug)]
pub(super) struct Writing<C> {
    pub(super) convert: C,
    output: Buffer,
    /// An error behind what was taken last.
    error: Option<io::Error>,
    /// The input has ended.
    ending: bool,
    /// And all is converted.
    ended: bool,
}

impl<C: Convert> Writing<C> {
    pub(super) fn new(convert: C) -> Self {
        Self { convert, output: Buffer::default(), error: None, ending: false, ended: false }
    }

    /// Takes input by `step`, which converts it into the room that it is given; the answer is how much. Writes only where there is
    /// no more room.
    pub(super) fn take(
        &mut self,
        mut step: impl FnMut(&mut C, &mut [u8]) -> Step,
        mut put: impl FnMut(&[u8]) -> Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        loop {
            self.error()?;
            if self.ending {
                return Poll::Ready(Err(io::Error::new(io::ErrorKind::InvalidInput, "the text has ended")));
            }
            let Step { read, written, stop } = step(&mut self.convert, self.output.room());
            self.output.added(written);
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
                ready!(self.drain(&mut put))?;
            }
        }
    }

    /// No more input follows: what is begun is to be completed.
    pub(super) fn end(&mut self) {
        self.ending = true;
    }

    /// Writes all that is complete: all, behind the [`end`](Self::end). An error that waits comes behind what precedes it.
    pub(super) fn complete(&mut self, mut put: impl FnMut(&[u8]) -> Poll<io::Result<usize>>) -> Poll<io::Result<()>> {
        loop {
            ready!(self.drain(&mut put))?;
            self.error()?;
            if self.ended {
                return Poll::Ready(Ok(()));
            }
            let Step { written, stop, .. } = self.convert.convert(&[], self.output.room(), self.ending);
            self.output.added(written);
            match stop {
                Stop::InputEmpty if self.ending => self.ended = true,
                Stop::InputEmpty if written == 0 => return Poll::Ready(Ok(())),
                Stop::InputEmpty | Stop::OutputFull => {}
                Stop::Error(error) => self.error = Some(error),
            }
        }
    }

    /// Nothing waits to be written. Where a call has failed: it was not the inner writer that did.
    pub(super) fn is_written(&self) -> bool {
        self.output.is_empty()
    }

    /// The error that waits.
    pub(super) fn error(&mut self) -> io::Result<()> {
        self.error.take().map_or(Ok(()), Err)
    }

    fn drain(&mut self, mut put: impl FnMut(&[u8]) -> Poll<io::Result<usize>>) -> Poll<io::Result<()>> {
        while !self.output.is_empty() {
            match ready!(uninterrupted(|| put(self.output.rest())))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                len => self.output.consume(len),
            }
        }
        Poll::Ready(Ok(()))
    }
}

/// Calls `act` again as long as it is interrupted.
pub(super) fn uninterrupted<T>(mut act: impl FnMut() -> Poll<io::Result<T>>) -> Poll<io::Result<T>> {
    loop {
        match act() {
            Poll::Ready(Err(error)) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}
