//! A large file is forced to the disk while it is still being written, so that little is left to do at the end.

use std::{
    fs::File,
    io,
    sync::mpsc::{self, SyncSender},
    thread::{self, JoinHandle},
};

/// A thread that forces a file to the disk now and then.
pub(super) struct Ahead {
    wanted: SyncSender<()>,
    thread: JoinHandle<io::Result<()>>,
    /// Bytes since it was last asked to.
    written: u64,
}

impl Ahead {
    pub(super) fn new(file: &File) -> io::Result<Self> {
        let file = file.try_clone()?;
        let (wanted, asked) = mpsc::sync_channel(1);
        // The system tells an error once, so it is kept here.
        let thread = thread::Builder::new().spawn(move || asked.iter().try_for_each(|()| file.sync_data()))?;
        Ok(Self { wanted, thread, written: 0 })
    }

    /// More bytes have been written.
    pub(super) fn advance(&mut self, bytes: usize) {
        self.written += bytes as u64;
        if self.written >= STEP {
            self.written = 0;
            // Where it is still at it, it is not asked again.
            let _ = self.wanted.try_send(());
        }
    }

    /// Waits for the end of it; what is left is not forced to the disk.
    pub(super) fn finish(self) -> io::Result<()> {
        drop(self.wanted);
        self.thread.join().unwrap_or_else(|_| Err(io::Error::other("the thread that writes to the disk has failed")))
    }
}

/// Bytes after which it is worth it; smaller files are forced to the disk at once, in the end.
pub(super) const STEP: u64 = 16 * 1024 * 1024;
