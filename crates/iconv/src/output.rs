//! The output of a call: a block that is handed to the caller when it is full.
//!
//! Kernels use the memory after their output as scratch space. A program that clears its buffer, and then takes what `iconv`
//! writes for a string, expects that the rest of the buffer does not change. So kernels write into the block.

/// Collects output, up to a number of bytes.
pub(crate) struct Output<'a, W> {
    block: &'a mut [u8],
    /// The number of bytes in the block.
    len: usize,
    /// The number of bytes that have been handed over.
    handed_over: usize,
    /// The number of bytes that still fit into the caller's buffer, after those in the block.
    room: usize,
    hand_over: W,
}

impl<'a, W: FnMut(&[u8])> Output<'a, W> {
    /// The space that there is always, unless the caller's buffer has less room.
    pub(crate) const MIN_SPACE: usize = 32;

    /// `block` has several times [`MIN_SPACE`](Self::MIN_SPACE).
    pub(crate) fn new(block: &'a mut [u8], room: usize, hand_over: W) -> Self {
        debug_assert!(block.len() >= 4 * Self::MIN_SPACE, "a block has space after it is handed over");
        Self { block, len: 0, handed_over: 0, room, hand_over }
    }

    /// Returns the number of bytes that still fit.
    pub(crate) fn room(&self) -> usize {
        self.room
    }

    /// Returns space for the next bytes.
    pub(crate) fn space(&mut self) -> &mut [u8] {
        if self.block.len() - self.len < 2 * Self::MIN_SPACE {
            self.hand_over();
        }
        let end = self.block.len().min(self.len.saturating_add(self.room));
        &mut self.block[self.len..end]
    }

    /// Adds the first `len` bytes of the [space](Self::space) to the output.
    pub(crate) fn advance(&mut self, len: usize) {
        self.len += len;
        self.room -= len;
    }

    /// Removes the last bytes, which are still in the block.
    pub(crate) fn truncate(&mut self, removed: usize) {
        self.len -= removed;
        self.room += removed;
    }

    /// Adds bytes, if all of them fit.
    pub(crate) fn put(&mut self, bytes: &[u8]) -> bool {
        if bytes.len() > self.room {
            return false;
        }
        for part in bytes.chunks(Self::MIN_SPACE) {
            self.space()[..part.len()].copy_from_slice(part);
            self.advance(part.len());
        }
        true
    }

    /// Empties the block.
    pub(crate) fn hand_over(&mut self) {
        (self.hand_over)(&self.block[..self.len]);
        self.handed_over += self.len;
        self.len = 0;
    }

    /// Hands the rest over. Returns the number of all bytes.
    pub(crate) fn finish(mut self) -> usize {
        self.hand_over();
        self.handed_over
    }
}
