//! Finds out whether the standard streams were closed when the program started.
//!
//! Before `main`, Rust's runtime opens `/dev/null` for each of them that is closed. Text would be lost silently. In `main`, this
//! cannot be distinguished from `/dev/null` that the parent opened, because Python and Node open it in the same way. So the
//! descriptors are examined before the runtime, by `ctor`, which contains the `unsafe` code for that.

use std::{
    io::{self, StdoutLock, Write},
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

static STDIN_WAS_CLOSED: AtomicBool = AtomicBool::new(false);
static STDOUT_WAS_CLOSED: AtomicBool = AtomicBool::new(false);
static STDERR_WAS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Fails if standard input was closed.
pub(crate) fn check_stdin() -> io::Result<()> {
    check(&STDIN_WAS_CLOSED)
}

/// Fails if standard output was closed.
pub(crate) fn check_stdout() -> io::Result<()> {
    check(&STDOUT_WAS_CLOSED)
}

/// Fails if a path is that of a standard stream that was closed, as `/dev/stdin` may be.
pub(crate) fn check_path(path: &Path) -> io::Result<()> {
    let streams = [&STDIN_WAS_CLOSED, &STDOUT_WAS_CLOSED, &STDERR_WAS_CLOSED];
    if streams.iter().all(|was_closed| !was_closed.load(Relaxed)) {
        return Ok(());
    }
    let own = Path::new("/proc/self").canonicalize().unwrap_or_default();
    match descriptor(path) {
        Some((directory, number)) if directory == Path::new("/dev/fd") || directory.starts_with(own) => {
            streams.get(number).map_or(Ok(()), |was_closed| check(was_closed))
        }
        _ => Ok(()),
    }
}

/// Returns the directory and the number of the open file descriptor that a path leads to, as `/dev/fd/3` and `/dev/stderr` do.
pub(crate) fn descriptor(path: &Path) -> Option<(PathBuf, usize)> {
    let mut path = path.to_owned();
    for _ in 0..40 {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let directory = parent.canonicalize().unwrap_or_default();
        if directory == Path::new("/dev/fd") || directory.starts_with("/proc") && directory.ends_with("fd") {
            let number = path.file_name().and_then(|name| name.to_str()?.parse().ok())?;
            return Some((directory, number));
        }
        path = parent.join(path.read_link().ok()?);
    }
    None
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
    STDERR_WAS_CLOSED.store(fcntl_getfd(stdio::stderr()).is_err(), Relaxed);
}
