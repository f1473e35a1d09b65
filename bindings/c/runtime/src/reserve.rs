//! Memory for code that cannot report a failed allocation.
//!
//! Such code runs with a reserve: [`Reserve::run`]. If `malloc` fails, the allocator takes memory from the reserve of the thread, so
//! that the code can end. What it has made is dropped then, and the caller reports that there is no memory.

use core::{
    alloc::{GlobalAlloc, Layout},
    ptr::{self, NonNull},
    sync::atomic::{AtomicUsize, Ordering},
};

use crate::Malloc;

/// Allocates with `malloc`, and from the reserve of the thread if that fails.
pub(crate) struct Allocator;

/// A reserve: one block, from which memory is taken in turn.
pub struct Reserve(NonNull<Header>);

/// The start of a reserve. Only the thread that uses the reserve accesses it.
struct Header {
    /// The length of the block.
    len: usize,
    /// Where free memory starts in the block.
    used: usize,
    /// The number of allocations that are not freed.
    live: usize,
    /// Whether `malloc` has failed.
    has_served: bool,
}

impl Reserve {
    /// Allocates a reserve, or returns `None` if there is not enough memory. Memory that is never used is only address space.
    pub fn new(len: usize) -> Option<Self> {
        const { assert!(align_of::<Header>() <= align_of::<libc::max_align_t>()) };
        let len = len.max(size_of::<Header>());
        // SAFETY: `malloc` accepts every size.
        let header = NonNull::new(unsafe { libc::malloc(len) }.cast::<Header>())?;
        // SAFETY: at least a header long, and aligned, by the assertion.
        unsafe { header.write(Header { len, used: size_of::<Header>(), live: 0, has_served: false }) };
        Some(Self(header))
    }

    /// Runs code, whose allocations cannot fail. Returns `None` if `malloc` has failed: then the result is dropped. The code must
    /// not keep what it allocates elsewhere, except in a `static`.
    pub fn run<R>(&self, work: impl FnOnce() -> R) -> Option<R> {
        let key = key()?;
        // SAFETY: `key` is from `pthread_key_create`, and is never deleted.
        if unsafe { libc::pthread_setspecific(key, self.0.as_ptr().cast()) } != 0 {
            return None;
        }
        let result = work();
        // SAFETY: the header is valid as long as `self`, and the allocator has no reference to it now.
        let result = if unsafe { (*self.0.as_ptr()).has_served } {
            drop(result);
            None
        } else {
            Some(result)
        };
        // SAFETY: as above.
        unsafe { libc::pthread_setspecific(key, ptr::null()) };
        // SAFETY: as above.
        let header = unsafe { &mut *self.0.as_ptr() };
        header.has_served = false;
        if header.live == 0 {
            header.used = size_of::<Header>();
        }
        result
    }

    /// Returns whether a table that stays is in the reserve. Then it is not freed, and should not be used again.
    pub fn is_kept(&self) -> bool {
        // SAFETY: the header is valid as long as `self`, and no other thread uses it.
        unsafe { (*self.0.as_ptr()).live > 0 }
    }
}

impl Drop for Reserve {
    fn drop(&mut self) {
        if !self.is_kept() {
            // SAFETY: from `malloc`, and nothing in it is used.
            unsafe { libc::free(self.0.as_ptr().cast()) };
        }
    }
}

/// The key of the thread's reserve, plus one. 0 if there is none yet.
static KEY: AtomicUsize = AtomicUsize::new(0);

/// Returns the key of the thread's reserve, or `None` if the process has no more keys.
fn key() -> Option<libc::pthread_key_t> {
    if let Some(key) = known_key() {
        return Some(key);
    }
    let mut key = 0;
    // SAFETY: `key` is valid for a write.
    if unsafe { libc::pthread_key_create(&raw mut key, None) } != 0 {
        return None;
    }
    if KEY.compare_exchange(0, key as usize + 1, Ordering::AcqRel, Ordering::Acquire).is_err() {
        // SAFETY: from `pthread_key_create`. Another thread was faster, and nobody knows this key.
        unsafe { libc::pthread_key_delete(key) };
    }
    known_key()
}

fn known_key() -> Option<libc::pthread_key_t> {
    KEY.load(Ordering::Acquire).checked_sub(1).map(|key| key as libc::pthread_key_t)
}

/// Returns the reserve of the thread, or null.
fn current() -> *mut Header {
    // SAFETY: from `pthread_key_create`, and never deleted.
    known_key().map_or(ptr::null_mut(), |key| unsafe { libc::pthread_getspecific(key) }.cast())
}

/// Takes memory from the reserve of the thread. Null if it has none, or not enough.
fn take(layout: Layout) -> *mut u8 {
    let reserve = current();
    // SAFETY: null, or the header of the reserve that the thread uses. Nothing else refers to it now.
    let Some(header) = (unsafe { reserve.as_mut() }) else { return ptr::null_mut() };
    header.has_served = true;
    let start = reserve.addr() + header.used;
    let padding = start.next_multiple_of(layout.align()) - start;
    let Some(end) = header.used.checked_add(padding).and_then(|at| at.checked_add(layout.size())) else {
        return ptr::null_mut();
    };
    if end > header.len {
        return ptr::null_mut();
    }
    let at = end - layout.size();
    header.used = end;
    header.live += 1;
    // SAFETY: `at + size <= len`, the length of the block.
    unsafe { reserve.cast::<u8>().add(at) }
}

/// Returns the reserve of the thread if the memory is from it.
fn owner<'a>(memory: *mut u8) -> Option<&'a mut Header> {
    // SAFETY: null, or the header of the reserve that the thread uses. Nothing else refers to it now.
    let header = unsafe { current().as_mut() }?;
    let start = ptr::from_ref(header).addr();
    (start..start + header.len).contains(&memory.addr()).then_some(header)
}

// SAFETY: memory is from `Malloc`, or from a reserve: aligned, of the requested size, and not used until it is freed. `run` demands
// that memory of a reserve is freed while the thread uses this reserve.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        let memory = unsafe { Malloc.alloc(layout) };
        if memory.is_null() { take(layout) } else { memory }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        let Some(header) = owner(memory) else {
            // SAFETY: as the caller promises; not from a reserve.
            return unsafe { Malloc.dealloc(memory, layout) };
        };
        header.live -= 1;
        let at = memory.addr() - ptr::from_ref(header).addr();
        if at + layout.size() == header.used {
            header.used = at;
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        let memory = unsafe { Malloc.alloc_zeroed(layout) };
        if !memory.is_null() {
            return memory;
        }
        let memory = take(layout);
        if !memory.is_null() {
            // SAFETY: the memory has this size.
            unsafe { memory.write_bytes(0, layout.size()) };
        }
        memory
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if owner(memory).is_none() {
            // SAFETY: as the caller promises; not from a reserve.
            let new = unsafe { Malloc.realloc(memory, layout, size) };
            if !new.is_null() {
                return new;
            }
        }
        // SAFETY: the caller promises that `size`, rounded up to the alignment, does not exceed `isize::MAX`.
        let new_layout = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        let new = take(new_layout);
        if !new.is_null() {
            // SAFETY: both are as large as the smaller size, and do not overlap because both are allocated.
            unsafe { ptr::copy_nonoverlapping(memory, new, layout.size().min(size)) };
            // SAFETY: as the caller promises.
            unsafe { self.dealloc(memory, layout) };
        }
        new
    }
}
