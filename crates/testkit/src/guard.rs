//! Buffers that touch inaccessible memory: one access outside of them ends the process.
//!
//! Canaries find writes outside a destination, but no reads, and only writes that change something. Here the operating system finds
//! both. On platforms without memory protection, [`Guarded::new`] says so and returns nothing.
#![cfg_attr(all(unix, not(miri)), expect(unsafe_code, reason = "memory from the operating system, as slices"))]

use self::pages::Pages;

/// Memory between two inaccessible pages.
#[derive(Debug)]
pub struct Guarded(Pages);

/// Which end of a buffer touches an inaccessible page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// The byte before the first one is inaccessible.
    Start,
    /// The byte past the last one is inaccessible.
    End,
}

impl Edge {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::Start, Self::End];
}

/// Types whose values may have any bits: bytes and code units.
pub trait Unit: Copy + private::AnyBits {}

impl Unit for u8 {}
impl Unit for u16 {}

mod private {
    pub trait AnyBits {}
    impl AnyBits for u8 {}
    impl AnyBits for u16 {}
}

impl Guarded {
    /// Allocates memory for buffers of up to `bytes` bytes. Where that is impossible, prints why.
    ///
    /// # Panics
    /// If the operating system has memory protection and refuses it.
    #[must_use]
    pub fn new(bytes: usize) -> Option<Self> {
        if cfg!(any(not(unix), miri)) {
            eprintln!("SKIPPED: no inaccessible pages on this platform");
            return None;
        }
        Some(Self(Pages::new(bytes)))
    }

    /// Returns a buffer of `len` units that touches the inaccessible page with this edge. It holds what it held before, in
    /// other buffers.
    ///
    /// # Panics
    /// If it does not fit.
    pub fn buffer<T: Unit>(&mut self, len: usize, edge: Edge) -> &mut [T] {
        let units = self.0.units();
        match edge {
            Edge::Start => &mut units[..len],
            Edge::End => {
                let start = units.len().checked_sub(len).expect("the buffer fits");
                &mut units[start..]
            }
        }
    }

    /// Copies `units` into a buffer that touches the inaccessible page with this edge.
    ///
    /// # Panics
    /// If they do not fit.
    pub fn copy<T: Unit>(&mut self, units: &[T], edge: Edge) -> &[T] {
        let buffer = self.buffer(units.len(), edge);
        buffer.copy_from_slice(units);
        buffer
    }
}

#[cfg(all(unix, not(miri)))]
mod pages {
    use std::{fmt, slice};

    use region::{Allocation, Protection};

    /// Pages of which the first and the last are inaccessible, the others zero at first.
    pub(super) struct Pages(Allocation);

    impl Pages {
        pub(super) fn new(bytes: usize) -> Self {
            let page = region::page::size();
            let len = bytes.next_multiple_of(page);
            let pages = region::alloc(page + len + page, Protection::NONE).expect("memory");
            // SAFETY: the range lies within the allocation, which nothing else refers to yet.
            unsafe { region::protect(pages.as_ptr::<u8>().add(page), len, Protection::READ_WRITE) }.expect("access");
            Self(pages)
        }

        /// All of the accessible pages.
        pub(super) fn units<T: super::Unit>(&mut self) -> &mut [T] {
            let page = region::page::size();
            let bytes = self.0.len() - 2 * page;
            // SAFETY: all pages but the first and the last are readable and writable; the operating system has initialised them with
            // zeros, and any bits are a `T`; a page is aligned to any `T`; the result borrows the only handle.
            unsafe {
                slice::from_raw_parts_mut(self.0.as_mut_ptr::<u8>().add(page).cast::<T>(), bytes / size_of::<T>())
            }
        }
    }

    impl fmt::Debug for Pages {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{:?}", self.0.as_range())
        }
    }
}

#[cfg(not(all(unix, not(miri))))]
mod pages {
    /// No memory: `Guarded::new` does not hand it out.
    #[derive(Debug)]
    pub(super) struct Pages;

    impl Pages {
        pub(super) fn new(_: usize) -> Self {
            Self
        }

        pub(super) fn units<T>(&mut self) -> &mut [T] {
            &mut []
        }
    }
}
