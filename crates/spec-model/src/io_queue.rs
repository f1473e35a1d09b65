//! Section 3: I/O queues.

use std::collections::VecDeque;

/// An item of an [`IoQueue`], or end-of-queue, the special item after which nothing follows.
///
/// <https://encoding.spec.whatwg.org/#end-of-stream>
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item<T> {
    /// A byte, a code unit or a scalar value.
    Value(T),
    /// There are no more items in the queue.
    EndOfQueue,
}

/// A list of items that are read from its front and pushed to its back.
///
/// <https://encoding.spec.whatwg.org/#concept-stream>
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IoQueue<T> {
    items: VecDeque<Item<T>>,
    position: usize,
}

impl<T: Copy> IoQueue<T> {
    /// The empty queue « ».
    #[must_use]
    pub fn new() -> Self {
        Self { items: VecDeque::new(), position: 0 }
    }

    /// Convert a list into an I/O queue: its items, then end-of-queue.
    ///
    /// <https://encoding.spec.whatwg.org/#to-i-o-queue-convert>
    #[must_use]
    pub fn from_list(input: impl IntoIterator<Item = T>) -> Self {
        // 1. The assertion (no end-of-queue in `input`) holds by its type.
        let mut items: VecDeque<_> = input.into_iter().map(Item::Value).collect();
        items.push_back(Item::EndOfQueue);
        Self { items, position: 0 } // 2.
    }

    /// Convert an I/O queue into a list: read all that is left.
    ///
    /// <https://encoding.spec.whatwg.org/#from-i-o-queue-convert>
    ///
    /// # Panics
    ///
    /// If the queue holds no end-of-queue.
    pub fn to_list(&mut self) -> Vec<T> {
        let mut list = Vec::with_capacity(self.items.len());
        while let Item::Value(item) = self.read() {
            list.push(item);
        }
        list
    }

    /// Read an item.
    ///
    /// <https://encoding.spec.whatwg.org/#concept-stream-read>
    ///
    /// # Panics
    ///
    /// If the queue is empty: the standard waits, but here nobody would ever push.
    pub fn read(&mut self) -> Item<T> {
        let front = *self.items.front().expect("a read from an empty I/O queue waits forever"); // 1.
        match front {
            Item::EndOfQueue => Item::EndOfQueue, // 2.
            Item::Value(item) => {
                self.items.pop_front();
                self.position += 1;
                Item::Value(item) // 3.
            }
        }
    }

    /// Read a number of items; fewer when end-of-queue comes first.
    ///
    /// <https://encoding.spec.whatwg.org/#concept-stream-read>
    ///
    /// # Panics
    ///
    /// As [`Self::read`].
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

    /// Look at a number of items without reading them; fewer when end-of-queue comes first.
    ///
    /// <https://encoding.spec.whatwg.org/#i-o-queue-peek>
    ///
    /// # Panics
    ///
    /// If the queue holds fewer items and no end-of-queue: the standard waits, but here nobody would ever push.
    #[must_use]
    pub fn peek(&self, number: usize) -> Vec<T> {
        let has_end = self.items.back().is_some_and(|item| matches!(item, Item::EndOfQueue));
        assert!(self.items.len() >= number || has_end, "a peek into a short I/O queue waits forever"); // 1.
        let mut prefix = Vec::new(); // 2.
        // The standard writes "ioQueue[n]" for n from 1 to `number`, although its lists begin at 0: n - 1 is meant.
        for n in 1..=number {
            match self.items[n - 1] {
                Item::EndOfQueue => break,              // 3.1.
                Item::Value(item) => prefix.push(item), // 3.2.
            }
        }
        prefix // 4.
    }

    /// Push an item to the back, but before end-of-queue.
    ///
    /// <https://encoding.spec.whatwg.org/#concept-stream-push>
    pub fn push(&mut self, item: Item<T>) {
        match (self.items.back(), item) {
            (Some(Item::EndOfQueue), Item::EndOfQueue) => {} // 1.1.
            (Some(Item::EndOfQueue), Item::Value(_)) => self.items.insert(self.items.len() - 1, item), // 1.2.
            _ => self.items.push_back(item),                 // 2.
        }
    }

    /// Push a sequence of items, in their order.
    pub fn push_sequence(&mut self, items: &[T]) {
        for &item in items {
            self.push(Item::Value(item));
        }
    }

    /// Restore an item to the front (older texts: "prepend").
    ///
    /// The standard defines this for items other than end-of-queue only, yet ISO-2022-JP "restores" end-of-queue.
    /// [`Self::read`] never removes it, so there is nothing to do then.
    ///
    /// <https://encoding.spec.whatwg.org/#concept-stream-prepend>
    pub fn restore(&mut self, item: Item<T>) {
        if let Item::Value(_) = item {
            self.items.push_front(item);
            // A caller may restore more than was ever read; the position is of no use to it.
            self.position = self.position.saturating_sub(1);
        }
    }

    /// Restore a sequence of items: the next one to be read is `items[0]`.
    pub fn restore_sequence(&mut self, items: &[T]) {
        for &item in items.iter().rev() {
            self.restore(Item::Value(item));
        }
    }

    /// The offset of the next item: how many items were read and not restored. Not in the standard.
    #[must_use]
    pub fn position(&self) -> usize {
        self.position
    }
}
