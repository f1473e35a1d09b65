//! Finds out whether standard input and output were closed when the program started.
//!
//! Before `main`, Rust's runtime opens `/dev/null` for each of them that is closed. Text would be lost silently. In `main`, this
//! cannot be distinguished from `/dev/null` that the parent opened, because Python and Node open it in the same way. So the
//! descriptors are examined before the runtime, by `ctor`, which contains the only `unsafe` code in the program.

use std::{
    io::{self, StdoutLock, Write},
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

static STDIN_WAS_CLOSED: AtomicBool = AtomicBool::new(false);
static STDOUT_WAS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Fails if standard input was closed.
pub(crate) fn check_stdin() -> io::Result<()> {
    check(&STDIN_WAS_CLOSED)
}

/// Fails if standard output was closed.
pub(crate) fn check_stdout() -> io::Result<()> {
    check(&STDOUT_WAS_CLOSED)
}

/// Standard output. Writing fails if it was closed.
pub(crate) struct Stdout(StdoutLock<'static>);

impl Stdout {
    pub(crate) fn lock() -> Self {
        Self(io::stdout().lock())
    }
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        check_stdout()?;
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

fn check(was_closed: &AtomicBool) -> io::Result<()> {
    if was_closed.load(Relaxed) { Err(io::Error::other("is closed")) } else { Ok(()) }
}

/// Runs before Rust's runtime.
#[cfg(unix)]
#[ctor::ctor(unsafe)]
fn look_at_the_descriptors() {
    use rustix::{io::fcntl_getfd, stdio};

    STDIN_WAS_CLOSED.store(fcntl_getfd(stdio::stdin()).is_err(), Relaxed);
    STDOUT_WAS_CLOSED.store(fcntl_getfd(stdio::stdout()).is_err(), Relaxed);
}
