//! Where bytes go: a file that is complete in the end or untouched, or something that is written as it comes.

mod background_sync;
mod destination;
mod replacement;

use std::{
    fs::Metadata,
    io::{self, Write},
    path::Path,
};

pub(crate) use destination::{Destination, follow};
pub(crate) use replacement::{Existing, Replacement, sync_all, sync_folder};

/// An output that is being written.
pub(crate) enum Output {
    /// What cannot be taken back.
    Direct(Box<dyn Write + Send>),
    /// A file that is not there yet: where it is dropped without being [placed](Replacement), all is as it was.
    File(Box<Replacement>),
    /// Discard: only to see what would be written.
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

    /// All is written: forces a file to the disk and puts it in its place.
    pub(crate) fn commit(self) -> io::Result<()> {
        match self {
            Self::Direct(mut output) => output.flush(),
            Self::File(mut file) => {
                file.sync()?;
                let folder = file.folder().to_owned();
                file.persist(None)?;
                sync_folder(&folder);
                Ok(())
            }
            Self::Discard => Ok(()),
        }
    }
}

fn directory(target: &Path) -> &Path {
    target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A warning where a file that is replaced has other names.
#[cfg(unix)]
pub(crate) fn other_names(metadata: &Metadata) -> Option<String> {
    use std::os::unix::fs::MetadataExt as _;

    match metadata.nlink() {
        0 | 1 => None,
        2 => Some("has another name (a hard link), which keeps the original text".to_owned()),
        n => Some(format!("has {} other names (hard links), which keep the original text", n - 1)),
    }
}

#[cfg(not(unix))]
pub(crate) fn other_names(_: &Metadata) -> Option<String> {
    None
}
