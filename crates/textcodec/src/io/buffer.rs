//! [`Buffer`]: a byte queue of fixed capacity.

use core::fmt;
use std::{vec, vec::Vec};

/// The capacity of a buffer in bytes.
pub(super) const SIZE: usize = 16 * 1024;

/// A byte queue. It allocates [`SIZE`] bytes at first use.
#[derive(Default)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    start: usize,
    end: usize,
}

impl Buffer {
    /// Returns the buffered bytes.
    pub(super) fn rest(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    pub(super) fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// Removes up to `bytes` bytes from the front.
    pub(super) fn consume(&mut self, bytes: usize) {
        self.start = self.end.min(self.start.saturating_add(bytes));
    }

    /// Returns the free space for more bytes. It is [`SIZE`] bytes if the buffer is empty.
    pub(super) fn spare(&mut self) -> &mut [u8] {
        if self.bytes.is_empty() {
            self.bytes = vec![0; SIZE];
        }
        if self.is_empty() {
            (self.start, self.end) = (0, 0);
        }
        &mut self.bytes[self.end..]
    }

    /// Adds the first `bytes` bytes of [`spare`](Self::spare) to the buffered bytes.
    pub(super) fn commit(&mut self, bytes: usize) {
        self.end = self.bytes.len().min(self.end.saturating_add(bytes));
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer({} bytes)", self.rest().len())
    }
}
