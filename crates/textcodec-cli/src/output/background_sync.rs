//! Forces a large file to the disk while it is being written, so that the final sync is short.

use std::{
    fs::File,
    io,
    sync::mpsc::{self, SyncSender},
    thread::{self, JoinHandle},
};

/// A thread that forces a file to the disk on request.
pub(super) struct BackgroundSync {
    requests: SyncSender<()>,
    thread: JoinHandle<io::Result<()>>,
    /// The number of bytes written since the last request.
    written: u64,
}

impl BackgroundSync {
    pub(super) fn new(file: &File) -> io::Result<Self> {
        let file = file.try_clone()?;
        let (requests, received) = mpsc::sync_channel(1);
        // The system reports a write error only once, so the thread returns it.
        let thread = thread::Builder::new().spawn(move || received.iter().try_for_each(|()| file.sync_data()))?;
        Ok(Self { requests, thread, written: 0 })
    }

    /// Counts written bytes and requests a sync after each [`INTERVAL`].
    pub(super) fn advance(&mut self, bytes: usize) {
        self.written += bytes as u64;
        if self.written >= INTERVAL {
            self.written = 0;
            // Fails if a request is already pending, which is fine.
            let _ = self.requests.try_send(());
        }
    }

    /// Stops the thread. Bytes after the last request are not forced to the disk.
    pub(super) fn finish(self) -> io::Result<()> {
        drop(self.requests);
        self.thread.join().unwrap_or_else(|_| Err(io::Error::other("the thread that writes to the disk panicked")))
    }
}

/// The number of bytes between two requests. Smaller files are synced only at the end.
pub(super) const INTERVAL: u64 = 16 * 1024 * 1024;
