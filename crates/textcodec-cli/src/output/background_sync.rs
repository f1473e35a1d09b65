//! A large file is forced to the disk while it is still being written, so that little is left to do at the end.

use std::{
    fs::File,
    io,
    sync::mpsc::{self, SyncSender},
    thread::{self, JoinHandle},
};

/// A thread that forces a file to the disk now and then.
pub(super) struct BackgroundSync {
    requests: SyncSender<()>,
    thread: JoinHandle<io::Result<()>>,
    /// Bytes since it was last received to.
    written: u64,
}

impl BackgroundSync {
    pub(super) fn new(file: &File) -> io::Result<Self> {
        let file = file.try_clone()?;
        let (requests, received) = mpsc::sync_channel(1);
        // The system tells an error once, so it is kept here.
        let thread = thread::Builder::new().spawn(move || received.iter().try_for_each(|()| file.sync_data()))?;
        Ok(Self { requests, thread, written: 0 })
    }

    /// More bytes have been written.
    pub(super) fn advance(&mut self, bytes: usize) {
        self.written += bytes as u64;
        if self.written >= INTERVAL {
            self.written = 0;
            // Where it is still at it, it is not received again.
            let _ = self.requests.try_send(());
        }
    }

    /// Waits for the end of it; what is left is not forced to the disk.
    pub(super) fn finish(self) -> io::Result<()> {
        drop(self.requests);
        self.thread.join().unwrap_or_else(|_| Err(io::Error::other("the thread that writes to the disk has failed")))
    }
}

/// Bytes after which it is worth it; smaller files are forced to the disk at once, in the end.
pub(super) const INTERVAL: u64 = 16 * 1024 * 1024;
