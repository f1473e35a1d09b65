//! The end of the program when it gets no memory: a message and exit status 3, instead of an abort.
//!
//! The program converts in constant memory, so one allocation that fails means that no further work will succeed. There is one
//! mechanism for all of them, in the program and in the libraries it uses: the allocator ends the process. It returns no null
//! pointer, so `try_reserve` never fails here. Where the C library gets no memory for itself, it aborts: a handler of that
//! signal does the same.
#![expect(unsafe_code, reason = "an allocator, and a signal handler")]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    io::Write as _,
    panic,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    thread,
    time::Duration,
};

use crate::output::remove_temporary_files_without_memory;

/// The system's allocator, except that it ends the process instead of returning a null pointer.
struct Allocator;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

// SAFETY: each method passes its arguments unchanged to `System`, and returns what it returns. `System` upholds the contract of
// `GlobalAlloc`, and the caller's guarantees for each method of `self` are those that `System`'s method requires, because all
// memory of `self` comes from `System`, with the same layout. `end` does not return, does not panic and does not unwind.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above: `layout.size() != 0`.
        existing(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above: `layout.size() != 0`.
        existing(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above: `memory` is an allocation of `System` with this `layout`, and `size` is valid for its alignment.
        existing(unsafe { System.realloc(memory, layout, size) }, size)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above: `memory` is an allocation of `System` with this `layout`.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// Returns an address that is not null. `size` is the number of bytes that were wanted.
#[inline(always)]
fn existing(memory: *mut u8, size: usize) -> *mut u8 {
    if memory.is_null() {
        end(Cause::Allocation(size));
    }
    memory
}

/// Prepares for a lack of memory outside the allocator. Called once, at the start of `main`.
pub(crate) fn prepare() {
    extend_stack();
    // The standard library panics if a new thread gets no memory for its handler of stack overflows.
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        if panic.payload_as_str().is_some_and(|message| message.contains("alternative stack")) {
            end(Cause::Thread);
        }
        print(panic);
    }));
    // SAFETY: `end` does only what a signal handler may do: it uses atomic variables, locks that it only tries to get, and the
    // system calls `write`, `unlink`, `clock_nanosleep` and `_exit`. It allocates nothing and does not panic.
    #[cfg(unix)]
    let _ = unsafe { signal_hook::low_level::register(signal_hook::consts::SIGABRT, || end(Cause::Abort)) };
}

/// Makes the stack of the main thread as long as it will be needed. A stack that cannot grow later ends the process with a
/// signal. The stacks of other threads have their full length from the start.
#[inline(never)]
#[expect(clippy::large_stack_arrays, reason = "its purpose")]
fn extend_stack() {
    /// More than the deepest call needs, in an unoptimised build too.
    const LEN: usize = 512 * 1024;

    std::hint::black_box(&[0_u8; LEN]);
}

/// Why the process ends.
#[derive(Clone, Copy)]
enum Cause {
    /// This number of bytes could not be allocated.
    Allocation(usize),
    /// A new thread got no memory.
    Thread,
    /// The C library, or a panic during a panic, aborted the process, and printed why. The C library does that if it cannot
    /// allocate a few bytes for a new thread.
    #[cfg(unix)]
    Abort,
}

/// Prints why, removes temporary files, and ends the process with status 3. Allocates nothing on Unix, and does not panic.
#[cold]
#[inline(never)]
fn end(cause: Cause) -> ! {
    static HAS_BEGUN: AtomicBool = AtomicBool::new(false);

    if HAS_BEGUN.swap(true, Relaxed) {
        // Another thread is ending the process. If it was this one, which allocates below on some systems, it waits no longer.
        thread::sleep(Duration::from_secs(5));
        exit();
    }
    let mut buffer = [0; 256];
    let mut rest = &mut buffer[..];
    let _ = match cause {
        Cause::Allocation(size) => write!(rest, "textcodec: out of memory: {size} bytes cannot be allocated"),
        Cause::Thread => write!(rest, "textcodec: out of memory for a thread"),
        #[cfg(unix)]
        Cause::Abort => write!(rest, "textcodec: the program was aborted"),
    };
    let _ = rest.write_all(
        b"; files that were not complete are unchanged; allow more memory, or use fewer threads, with --jobs 1\n",
    );
    let unused = rest.len();
    print(&buffer[..buffer.len() - unused]);
    remove_temporary_files_without_memory();
    exit()
}

#[cfg(unix)]
fn print(message: &[u8]) {
    // Not `io::stderr()`, which another thread may have locked.
    let _ = rustix::io::write(rustix::stdio::stderr(), message);
}

#[cfg(not(unix))]
fn print(message: &[u8]) {
    let _ = std::io::stderr().write_all(message);
}

/// Ends the process, and calls no other code before that.
#[cfg(unix)]
fn exit() -> ! {
    signal_hook::low_level::exit(3)
}

#[cfg(not(unix))]
fn exit() -> ! {
    std::process::exit(3)
}
