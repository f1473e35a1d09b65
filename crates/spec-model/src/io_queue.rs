//! Section 3: I/O queues.

use std::collections::VecDeque;

/// An item of an [`IoQueue`], or end-of-queue, the special item that ends it.
///
/// <https://encoding.spec.whatwg.org/#end-of-stream>
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item<T> {
    /// A byte, a code unit or a scalar value.
    Value(T),
    /// There are no more items in the queue.
    EndOfQueue,
}

/// A list of items that are read from the front and pushed to the back.
///
/// <https://encoding.spec.whatwg.org/#concept-stream>
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IoQueue<T> {
    items: VecDeque<Item<T>>,
    position: usize,
}

impl<T: Copy> IoQueue<T> {
    /// Creates the empty queue « ».
    #[must_use]
    pub fn new() -> Self {
        Self { items: VecDeque::new(), position: 0 }
    }

    /// Converts a list into an I/O queue: its items, then end-of-queue.
    ///
    /// <https://encoding.spec.whatwg.org/#to-i-o-queue-convert>
    #[must_use]
    pub fn from_list(input: impl IntoIterator<Item = T>) -> Self {
        // 1. The assertion (no end-of-queue in `input`) holds by its type.
        let mut items: VecDeque<_> = input.into_iter().map(Item::Value).collect();
        items.push_back(Item::EndOfQueue);
        Self { items, position: 0 } // 2.
    }

    /// Converts an I/O queue into a list by reading all remaining items.
    ///
    /// <https://encoding.spec.whatwg.org/#from-i-o-queue-convert>
    ///
    /// # Panics
    ///
    /// If the queue contains no end-of-queue.
    pub fn to_list(&mut self) -> Vec<T> {
        let mut list = Vec::with_capacity(self.items.len());
        while let Item::Value(item) = self.read() {
            list.push(item);
        }
        list
    }

    /// Reads an item.
    ///
    /// <https://encoding.spec.whatwg.org/#concept-stream-read>
    ///
    /// # Panics
    ///
    /// If the queue is empty. The standard waits until an item is pushed, which never happens here.
    pub fn read(&mut self) -> Item<T> {
        let front = *self.items.front().expect("a read from an empty I/O queue waits forever"); // 1.
        match front {
            Item::EndOfQueue => Item::EndOfQueue, // 2.
            Item::Value(item) => {
                self.items.pop_front();
                self.position = self.position.wrapping_add(1);
                Item::Value(item) // 3.
            }
        }
    }

    /// Reads a number of items, or fewer if end-of-queue comes first.
    ///
    /// <https://encoding.spec.whatwg.org/#concept-stream-read>
    ///
    /// # Panics
    ///
    /// If [`Self::read`] panics.
    pub fn read_number(&mut self, number: usize) -> Vec<T> {
        let mut read_items = Vec::new(); // 1.
        for _ in 0..number {
            read_items.push(self.read()); // 2.1.
        }
        let value = |item| match item {
            Item::Value(item) => Some(item),
            Item::EndOfQueue => None, // 3.
        };
        read_items.into_iter().filter_map(value).collect() // 4.
    }

    /// Peeks a number of items, or fewer if end-of-queue comes first.
    ///
    /// <https://encoding.spec.whatwg.org/#i-o-queue-peek>
    ///
    /// # Panics
    ///
    /// If the queue contains fewer items and no end-of-queue. The standard waits until items are pushed, which never
    /// happens here.
    #[must_use]
    pub fn peek(&self, number: usize) -> Vec<T> {
        let has_end = self.items.back().is_some_and(|item| matches!(item, Item::EndOfQueue));
        assert!(self.items.len() >= number || has_end, "a peek into a short I/O queue waits forever"); // 1.
        let mut prefix = Vec::new(); // 2.
        // The standard has "ioQueue[n]" for n from 1 to `number`, although its lists start at 0. It means n - 1.
        for n in 1..=number {
            match self.items[n - 1] {
                Item::EndOfQueue => break,              // 3.1.
                Item::Value(item) => prefix.push(item), // 3.2.
            }
        }
        prefix // 4.
    }

    /// Pushes an item to the back, but before end-of-queue.
    ///
    /// <https://encoding.spec.whatwg.org/#concept-stream-push>
    pub fn push(&mut self, item: Item<T>) {
        match (self.items.back(), item) {
            (Some(Item::EndOfQueue), Item::EndOfQueue) => {} // 1.1.
            (Some(Item::EndOfQueue), Item::Value(_)) => self.items.insert(self.items.len() - 1, item), // 1.2.
            _ => self.items.push_back(item),                 // 2.
        }
    }

    /// Pushes a sequence of items, in their order.
    pub fn push_sequence(&mut self, items: &[T]) {
        for &item in items {
            self.push(Item::Value(item));
        }
    }

    /// Restores an item to the front. Older versions of the standard call this "prepend".
    ///
    /// The standard defines this only for items other than end-of-queue, but ISO-2022-JP "restores" end-of-queue.
    /// [`Self::read`] never removes end-of-queue, so this does nothing for it.
    ///
    /// <https://encoding.spec.whatwg.org/#concept-stream-prepend>
    pub fn restore(&mut self, item: Item<T>) {
        if let Item::Value(_) = item {
            self.items.push_front(item);
            // A caller may restore more items than it has read. The position is right again once they are read.
            self.position = self.position.wrapping_sub(1);
        }
    }

    /// Restores a sequence of items. The next item to be read is `items[0]`.
    pub fn restore_sequence(&mut self, items: &[T]) {
        for &item in items.iter().rev() {
            self.restore(Item::Value(item));
        }
    }

    /// Returns the offset of the next item: the number of items read and not restored. Not in the standard.
    #[must_use]
    pub fn position(&self) -> usize {
        self.position
    }
}
