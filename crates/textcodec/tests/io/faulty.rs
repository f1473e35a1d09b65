//! Readers and writers that do little at a time, and fail or wait in between.

use std::{
    io::{self, Read, Write},
    task::Poll,
};

/// How an inner reader or writer behaves.
#[derive(Clone, Debug)]
pub(crate) struct Mood {
    pub(crate) random: fastrand::Rng,
    /// At most so many bytes at a time.
    pub(crate) most: usize,
    /// One call in so many fails, and as many wait. Zero: none.
    pub(crate) one_in: usize,
}

impl Mood {
    pub(crate) fn new(random: &mut fastrand::Rng) -> Self {
        let most = [1, 2, 3, 5, 7, 1 << 20][random.usize(..6)];
        Self { random: random.fork(), most, one_in: [0, 2, 5][random.usize(..3)] }
    }

    fn next(&mut self, room: usize) -> Poll<io::Result<usize>> {
        if self.one_in > 0 && self.random.usize(..self.one_in) == 0 {
            return match self.random.u8(..3) {
                0 => Poll::Ready(Err(io::ErrorKind::Interrupted.into())),
                1 => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
                _ => Poll::Pending,
            };
        }
        let most = room.min(self.most);
        Poll::Ready(Ok(if most > 1 { self.random.usize(1..=most) } else { most }))
    }
}

/// Whether a call is to be made again.
pub(crate) fn is_fault(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock)
}

pub(crate) struct Source {
    pub(crate) bytes: Vec<u8>,
    pub(crate) at: usize,
    pub(crate) mood: Mood,
    pub(crate) calls: usize,
}

impl Source {
    pub(crate) fn new(bytes: &[u8], mood: Mood) -> Self {
        Self { bytes: bytes.to_vec(), at: 0, mood, calls: 0 }
    }

    pub(crate) fn poll(&mut self, room: &mut [u8]) -> Poll<io::Result<usize>> {
        self.calls += 1;
        let rest = &self.bytes[self.at..];
        self.mood.next(room.len().min(rest.len())).map_ok(|len| {
            room[..len].copy_from_slice(&rest[..len]);
            self.at += len;
            len
        })
    }
}

impl Read for Source {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        blocking(self.poll(room))
    }
}

pub(crate) struct Sink {
    pub(crate) bytes: Vec<u8>,
    pub(crate) mood: Mood,
    pub(crate) flushed: usize,
    pub(crate) closed: bool,
}

impl Sink {
    pub(crate) fn new(mood: Mood) -> Self {
        Self { bytes: Vec::new(), mood, flushed: 0, closed: false }
    }

    pub(crate) fn poll(&mut self, bytes: &[u8]) -> Poll<io::Result<usize>> {
        assert!(!bytes.is_empty() && !self.closed);
        self.mood.next(bytes.len()).map_ok(|len| {
            self.bytes.extend_from_slice(&bytes[..len]);
            len
        })
    }

    pub(crate) fn poll_flush(&mut self) -> Poll<io::Result<()>> {
        self.mood.next(0).map_ok(|_| self.flushed = self.bytes.len())
    }

    #[cfg(any(feature = "tokio", feature = "futures-io"))]
    pub(crate) fn poll_close(&mut self) -> Poll<io::Result<()>> {
        self.mood.next(0).map_ok(|_| self.closed = true)
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
