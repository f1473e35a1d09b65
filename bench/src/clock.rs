//! What is measured: time, or executed instructions.

use std::{fs::File, os::unix::fs::FileExt as _, path::Path, sync::OnceLock};

use anyhow::{Context as _, Result};

/// The file with the number of instructions executed so far, if these are measured.
static COUNTER: OnceLock<File> = OnceLock::new();

/// Measures instructions from now on. `instructions.c` writes their number to this file.
pub(crate) fn count(counter: &Path) -> Result<()> {
    let file = File::open(counter).with_context(|| format!("cannot open {}", counter.display()))?;
    let _ = COUNTER.set(file);
    Ok(())
}

/// Returns whether instructions are measured.
pub(crate) fn counts() -> bool {
    COUNTER.get().is_some()
}

/// Returns the CPU time of this thread in nanoseconds, or the number of instructions executed so far.
pub(crate) fn now() -> u64 {
    let Some(counter) = COUNTER.get() else { return thread_time() };
    let mut count = [0; 8];
    counter.read_exact_at(&mut count, 0).expect("the plug-in writes the count");
    u64::from_ne_bytes(count)
}

pub(crate) fn thread_time() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is valid for a write.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    time.tv_sec.cast_unsigned() * 1_000_000_000 + time.tv_nsec.cast_unsigned()
}
