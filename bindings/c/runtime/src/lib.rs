//! What a library without `std` needs from C: an allocator, a panic handler, and two symbols that the precompiled parts of
//! Rust's libraries mention.
//!
//! Each library has one `use textcodec_c_runtime as _;`.
#![no_std]

#[cfg(feature = "reserve")]
pub mod reserve;

use core::{
    alloc::{GlobalAlloc, Layout},
    panic::PanicInfo,
    ptr,
};

/// Allocates with `malloc`, so that C can free the memory, and tests can make allocations fail.
struct Malloc;

/// The alignment of all memory from `malloc`.
const ALIGNMENT: usize = align_of::<libc::max_align_t>();

// SAFETY: the functions of the C library return memory of the requested size, or null. `posix_memalign` is used wherever `malloc`
// does not guarantee the alignment, and `free` accepts the memory of both.
unsafe impl GlobalAlloc for Malloc {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.align() <= ALIGNMENT {
            // SAFETY: `malloc` accepts every size.
            return unsafe { libc::malloc(layout.size()) }.cast();
        }
        let mut memory = ptr::null_mut();
        // SAFETY: the alignment is a power of two and more than that of a pointer.
        let status = unsafe { libc::posix_memalign(&raw mut memory, layout.align(), layout.size()) };
        if status == 0 { memory.cast() } else { ptr::null_mut() }
    }

    unsafe fn dealloc(&self, memory: *mut u8, _: Layout) {
        // SAFETY: the caller promises that `alloc` or `realloc` returned this memory.
        unsafe { libc::free(memory.cast()) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if layout.align() <= ALIGNMENT {
            // SAFETY: `calloc` accepts every size.
            return unsafe { libc::calloc(layout.size(), 1) }.cast();
        }
        // SAFETY: as the caller promises for this function.
        let memory = unsafe { self.alloc(layout) };
        if !memory.is_null() {
            // SAFETY: the memory has this size.
            unsafe { memory.write_bytes(0, layout.size()) };
        }
        memory
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if layout.align() <= ALIGNMENT {
            // SAFETY: the caller promises that the memory is from this allocator, and that `size` is not 0.
            return unsafe { libc::realloc(memory.cast(), size) }.cast();
        }
        // SAFETY: the caller promises that `size`, rounded up to the alignment, does not exceed `isize::MAX`.
        let new_layout = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        // SAFETY: as the caller promises for this function.
        let new = unsafe { self.alloc(new_layout) };
        if !new.is_null() {
            // SAFETY: both are as large as the smaller size, and do not overlap because both are allocated.
            unsafe { ptr::copy_nonoverlapping(memory, new, layout.size().min(size)) };
            // SAFETY: as the caller promises for this function.
            unsafe { self.dealloc(memory, layout) };
        }
        new
    }
}

#[cfg(not(feature = "reserve"))]
#[global_allocator]
static ALLOCATOR: Malloc = Malloc;

#[cfg(feature = "reserve")]
#[global_allocator]
static ALLOCATOR: reserve::Allocator = reserve::Allocator;

/// Ends the program. No input leads here: a panic is a defect of the library.
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    // SAFETY: `abort` has no requirements.
    unsafe { libc::abort() }
}

// Rust's own libraries are compiled for unwinding, and mention these functions. They are never called, because these libraries
// abort when they panic. They are weak, so that they give way to those of `std` in a program with other libraries in Rust, and
// hidden, so that shared libraries do not export them.
#[cfg(any(target_arch = "x86_64", target_arch = "x86", target_arch = "aarch64"))]
core::arch::global_asm!(
    ".weak rust_eh_personality",
    ".hidden rust_eh_personality",
    "rust_eh_personality:",
    ".weak _Unwind_Resume",
    ".hidden _Unwind_Resume",
    "_Unwind_Resume:",
    "    ret",
);
