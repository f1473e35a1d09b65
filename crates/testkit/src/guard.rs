//! Buffers next to inaccessible pages: an access outside a buffer ends the process.
//!
//! A canary only detects a write outside a destination, and only if the write changes a value. An inaccessible page detects
//! every read and write. On platforms without memory protection, [`Guarded::new`] prints a message and returns `None`.
#![cfg_attr(
    all(any(unix, windows), not(miri)),
    expect(unsafe_code, reason = "makes slices of pages from the operating system")
)]

use self::pages::Pages;

/// Memory between two inaccessible pages.
#[derive(Debug)]
pub struct Guarded(Pages);

/// The end of a buffer that is next to an inaccessible page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// The byte before the first one is inaccessible.
    Start,
    /// The byte after the last one is inaccessible.
    End,
}

impl Edge {
    /// Both edges.
    pub const BOTH: [Self; 2] = [Self::Start, Self::End];
}

/// Types for which every bit pattern is valid: bytes and code units.
pub trait Unit: Copy + private::AnyBits {}

impl Unit for u8 {}
impl Unit for u16 {}
impl Unit for u32 {}

mod private {
    pub trait AnyBits {}
    impl AnyBits for u8 {}
    impl AnyBits for u16 {}
    impl AnyBits for u32 {}
}

impl Guarded {
    /// Allocates memory for buffers of up to `bytes` bytes. On platforms without memory protection, prints a message and
    /// returns `None`.
    ///
    /// # Panics
    /// If the operating system refuses the memory or its protection.
    #[must_use]
    pub fn new(bytes: usize) -> Option<Self> {
        if cfg!(any(not(any(unix, windows)), miri)) {
            eprintln!("SKIPPED: this platform has no inaccessible pages");
            return None;
        }
        Some(Self(Pages::new(bytes)))
    }

    /// Returns a buffer of `len` units with this edge next to an inaccessible page. Its content is what earlier buffers left
    /// there.
    ///
    /// # Panics
    /// If the memory is shorter than `len` units.
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

    /// Copies `units` into a buffer with this edge next to an inaccessible page.
    ///
    /// # Panics
    /// If they do not fit.
    pub fn copy<T: Unit>(&mut self, units: &[T], edge: Edge) -> &[T] {
        let buffer = self.buffer(units.len(), edge);
        buffer.copy_from_slice(units);
        buffer
    }
}

#[cfg(all(any(unix, windows), not(miri)))]
mod pages {
    use std::{fmt, slice};

    use region::{Allocation, Protection};

    /// Pages between two inaccessible ones. Accessible pages are zero-initialised.
    pub(super) struct Pages(Allocation);

    impl Pages {
        pub(super) fn new(bytes: usize) -> Self {
            let page = region::page::size();
            let len = bytes.next_multiple_of(page);
            // Windows gives access later only to pages that were accessible from the start.
            let pages =
                region::alloc(page + len + page, Protection::READ_WRITE).expect("the operating system provides memory");
            for start in [0, page + len] {
                // SAFETY: the allocation has `page + len + page` bytes, so `start..start + page` is within it, and `page` and
                // `len` are multiples of the page size. Nothing else refers to the allocation yet.
                unsafe { region::protect(pages.as_ptr::<u8>().add(start), page, Protection::NONE) }
                    .expect("the operating system denies access");
            }
            Self(pages)
        }

        /// Returns the accessible pages.
        pub(super) fn units<T: super::Unit>(&mut self) -> &mut [T] {
            let page = region::page::size();
            let bytes = self.0.len() - 2 * page;
            // SAFETY: `page + bytes <= self.0.len()`, and the pages in `page..page + bytes` are readable and writable since
            // `new`. The operating system has zero-initialised them, and every bit pattern is a valid `T` (`Unit` is sealed).
            // Pages are aligned for any `T`. The result borrows `self`, which owns the allocation.
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

#[cfg(not(all(any(unix, windows), not(miri))))]
mod pages {
    /// A placeholder. `Guarded::new` returns `None` on these platforms.
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
