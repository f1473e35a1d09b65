//! Inner readers and writers that make short calls, fail and return `Pending`.

use std::{
    io::{self, Read, Write},
    task::Poll,
};

/// How an inner reader or writer behaves.
#[derive(Clone, Debug)]
pub(crate) struct Behaviour {
    pub(crate) random: fastrand::Rng,
    /// The maximum number of bytes per call.
    pub(crate) max_len: usize,
    /// One call in `one_in` fails or returns `Pending`. 0 means none.
    pub(crate) one_in: usize,
}

impl Behaviour {
    pub(crate) fn new(random: &mut fastrand::Rng) -> Self {
        let max_len = [1, 2, 3, 5, 7, 1 << 20][random.usize(..6)];
        Self { random: random.fork(), max_len, one_in: [0, 2, 5][random.usize(..3)] }
    }

    /// Returns the number of bytes for a call that could transfer `len`, or its failure.
    fn next(&mut self, len: usize) -> Poll<io::Result<usize>> {
        if self.one_in > 0 && self.random.usize(..self.one_in) == 0 {
            return match self.random.u8(..3) {
                0 => Poll::Ready(Err(io::ErrorKind::Interrupted.into())),
                1 => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
                _ => Poll::Pending,
            };
        }
        let max_len = len.min(self.max_len);
        Poll::Ready(Ok(if max_len > 1 { self.random.usize(1..=max_len) } else { max_len }))
    }
}

/// Returns whether an error comes from [`Behaviour`], so that the call is to be repeated.
pub(crate) fn is_fault(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock)
}

pub(crate) struct Source {
    pub(crate) bytes: Vec<u8>,
    pub(crate) at: usize,
    pub(crate) behaviour: Behaviour,
    pub(crate) calls: usize,
}

impl Source {
    pub(crate) fn new(bytes: &[u8], behaviour: Behaviour) -> Self {
        Self { bytes: bytes.to_vec(), at: 0, behaviour, calls: 0 }
    }

    pub(crate) fn poll(&mut self, buf: &mut [u8]) -> Poll<io::Result<usize>> {
        self.calls += 1;
        let rest = &self.bytes[self.at..];
        self.behaviour.next(buf.len().min(rest.len())).map_ok(|len| {
            buf[..len].copy_from_slice(&rest[..len]);
            self.at += len;
            len
        })
    }
}

impl Read for Source {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        blocking(self.poll(buf))
    }
}

pub(crate) struct Sink {
    pub(crate) bytes: Vec<u8>,
    pub(crate) behaviour: Behaviour,
    pub(crate) flushed: usize,
    pub(crate) closed: bool,
}

impl Sink {
    pub(crate) fn new(behaviour: Behaviour) -> Self {
        Self { bytes: Vec::new(), behaviour, flushed: 0, closed: false }
    }

    pub(crate) fn poll(&mut self, bytes: &[u8]) -> Poll<io::Result<usize>> {
        assert!(!bytes.is_empty() && !self.closed);
        self.behaviour.next(bytes.len()).map_ok(|len| {
            self.bytes.extend_from_slice(&bytes[..len]);
            len
        })
    }

    pub(crate) fn poll_flush(&mut self) -> Poll<io::Result<()>> {
        self.behaviour.next(0).map_ok(|_| self.flushed = self.bytes.len())
    }

    #[cfg(feature = "tokio")]
    pub(crate) fn poll_close(&mut self) -> Poll<io::Result<()>> {
        self.behaviour.next(0).map_ok(|_| self.closed = true)
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        blocking(self.poll(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        blocking(self.poll_flush())
    }
}

fn blocking<T>(result: Poll<io::Result<T>>) -> io::Result<T> {
    match result {
        Poll::Ready(result) => result,
        Poll::Pending => Err(io::ErrorKind::WouldBlock.into()),
    }
}
