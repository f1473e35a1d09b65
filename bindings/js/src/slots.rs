//! Objects that JavaScript refers to by handle.

/// A table of objects by handle. It reuses the handles of removed objects.
pub(crate) struct Slots<T> {
    slots: Vec<Option<T>>,
    free: Vec<u32>,
}

impl<T> Slots<T> {
    pub(crate) const fn new() -> Self {
        Self { slots: Vec::new(), free: Vec::new() }
    }

    /// Stores an object and returns its handle.
    pub(crate) fn put(&mut self, object: T) -> u32 {
        let Some(handle) = self.free.pop() else {
            self.slots.push(Some(object));
            return self.slots.len() as u32 - 1;
        };
        self.slots[handle as usize] = Some(object);
        handle
    }

    /// Returns the object with this handle.
    pub(crate) fn get(&mut self, handle: u32) -> &mut T {
        self.slots[handle as usize].as_mut().expect("the handle is open")
    }

    /// Removes and returns the object with this handle.
    pub(crate) fn take(&mut self, handle: u32) -> Option<T> {
        let object = self.slots[handle as usize].take()?;
        self.free.push(handle);
        Some(object)
    }
}
