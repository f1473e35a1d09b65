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
    ended: bool,
}

impl<C: Convert> Writing<C> {
    pub(super) fn new(convert: C) -> Self {
        Self { convert, output: Buffer::default(), error: None, ended: false }
    }

    /// Takes input by `step`, which converts it into the room that it is given; the answer is how much. Writes only where there is
    /// no more room.
    pub(super) fn take(
        &mut self,
        mut step: impl FnMut(&mut C, &mut [u8]) -> Step,
        mut put: impl FnMut(&[u8]) -> Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        loop {
            if let Some(error) = self.error.take() {
                return Poll::Ready(Err(error));
            }
            if self.ended {
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

    /// Writes all that is complete, or with `last`, completes and writes all. An error that waits comes behind what precedes it.
    pub(super) fn complete(
        &mut self,
        last: bool,
        mut put: impl FnMut(&[u8]) -> Poll<io::Result<usize>>,
    ) -> Poll<io::Result<()>> {
        loop {
            ready!(self.drain(&mut put))?;
            if let Some(error) = self.error.take() {
                return Poll::Ready(Err(error));
            }
            if self.ended {
                return Poll::Ready(Ok(()));
            }
            let Step { written, stop, .. } = self.convert.convert(&[], self.output.room(), last);
            self.output.added(written);
            match stop {
                Stop::InputEmpty if last => self.ended = true,
                Stop::InputEmpty if written == 0 => return Poll::Ready(Ok(())),
                Stop::InputEmpty | Stop::OutputFull => {}
                Stop::Error(error) => self.error = Some(error),
            }
        }
    }

    fn drain(&mut self, mut put: impl FnMut(&[u8]) -> Poll<io::Result<usize>>) -> Poll<io::Result<()>> {
        while !self.output.is_empty() {
            match ready!(put(self.output.rest())) {
                Ok(0) => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                Ok(len) => self.output.consume(len),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
        Poll::Ready(Ok(()))
    }
}
