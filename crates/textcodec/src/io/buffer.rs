//! [`Buffer`]: bytes on their way.

use core::fmt;
use std::{vec, vec::Vec};

/// How many bytes a buffer holds.
pub(super) const SIZE: usize = 16 * 1024;

/// Bytes that come in at one end and leave at the other. No memory before the first one.
#[derive(Default)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    start: usize,
    end: usize,
}

impl Buffer {
    /// What is in it.
    pub(super) fn rest(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    pub(super) fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// Takes bytes away at the front.
    pub(super) fn consume(&mut self, bytes: usize) {
        self.start = self.end.min(self.start.saturating_add(bytes));
    }

    /// Where more bytes go: all of [`SIZE`] where nothing is in it.
    pub(super) fn room(&mut self) -> &mut [u8] {
        if self.bytes.is_empty() {
            self.bytes = vec![0; SIZE];
        }
        if self.is_empty() {
            (self.start, self.end) = (0, 0);
        }
        &mut self.bytes[self.end..]
    }

    /// So many bytes were written to the front of [`room`](Self::room).
    pub(super) fn added(&mut self, bytes: usize) {
        self.end = self.bytes.len().min(self.end.saturating_add(bytes));
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer({} bytes)", self.rest().len())
    }
}
