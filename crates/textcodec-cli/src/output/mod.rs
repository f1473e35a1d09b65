//! Outputs: files that are replaced atomically, and streams that are written directly.

mod background_sync;
mod destination;
mod replacement;

use std::{
    fs::Metadata,
    io::{self, Write},
    path::Path,
};

pub(crate) use destination::{Destination, follow};
pub(crate) use replacement::{Existing, Replacement, sync_all, sync_directory};

/// An output that is being written.
pub(crate) enum Output {
    /// A stream, which is written directly.
    Direct(Box<dyn Write + Send>),
    /// A new file. Nothing changes if it is dropped before [`Replacement::persist`].
    File(Box<Replacement>),
    /// Nothing is written: a dry run.
    Discard,
}

impl Output {
    pub(crate) fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Direct(output) if !bytes.is_empty() => output.write_all(bytes),
            Self::File(file) => file.write_all(bytes),
            Self::Direct(_) | Self::Discard => Ok(()),
        }
    }

    /// Flushes a stream, or forces a file to the disk and renames it to its target.
    pub(crate) fn commit(self) -> io::Result<()> {
        match self {
            Self::Direct(mut output) => output.flush(),
            Self::File(mut file) => {
                file.sync()?;
                let directory = file.directory().to_owned();
                file.persist(None)?;
                sync_directory(&directory);
                Ok(())
            }
            Self::Discard => Ok(()),
        }
    }
}

fn directory(target: &Path) -> &Path {
    target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns a warning if a file that is replaced has other hard links.
#[cfg(unix)]
pub(crate) fn other_names(metadata: &Metadata) -> Option<String> {
    use std::os::unix::fs::MetadataExt as _;

    match metadata.nlink() {
        0 | 1 => None,
        2 => Some("has another hard link, which keeps the original content".to_owned()),
        n => Some(format!("has {} other hard links, which keep the original content", n - 1)),
    }
}

#[cfg(not(unix))]
pub(crate) fn other_names(_: &Metadata) -> Option<String> {
    None
}
