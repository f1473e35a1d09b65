//! Buffers that grow, and report when there is not enough memory.

use crate::NoMemory;

/// A buffer of numbers, all of them initialised.
pub(crate) struct Buffer<T>(Vec<T>);

impl<T: Copy + Default> Buffer<T> {
    pub(crate) const fn new() -> Self {
        Self(Vec::new())
    }

    /// Makes the buffer at least `len` numbers long. It keeps its contents.
    pub(crate) fn grow(&mut self, len: usize) -> Result<(), NoMemory> {
        if self.0.len() < len {
            // Small buffers grow seldom. Large ones have no room to spare, because the module's memory never shrinks.
            let len = if len < 0x1_0000 { len.next_power_of_two() } else { len };
            self.0.try_reserve_exact(len - self.0.len()).map_err(|_| NoMemory)?;
            self.0.resize(len, T::default());
        }
        Ok(())
    }

    /// Grows the buffer, and returns its address, or 0 if there is not enough memory.
    pub(crate) fn reserve(&mut self, len: usize) -> *const T {
        match self.grow(len) {
            Ok(()) => self.0.as_ptr(),
            Err(NoMemory) => core::ptr::null(),
        }
    }

    pub(crate) fn address(&self) -> u32 {
        self.0.as_ptr().addr() as u32
    }

    pub(crate) fn slice(&self) -> &[T] {
        &self.0
    }

    pub(crate) fn slice_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}
