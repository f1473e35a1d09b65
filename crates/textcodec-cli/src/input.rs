//! Where bytes come from.

use std::{
    fmt,
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use same_file::Handle;

/// One input, not open yet: thousands of them must not use up the file descriptors.
#[derive(Clone, Debug)]
pub(crate) enum Input {
    Stdin,
    File(PathBuf),
}

impl Input {
    pub(crate) fn new(path: &Path) -> Self {
        if path == Path::new("-") { Self::Stdin } else { Self::File(path.to_owned()) }
    }

    /// Fails where [`open`](Self::open) would, and gives the identity of a file which an output could overwrite. Reads
    /// nothing. FIFOs are not opened: a second opening would wait for a second writer.
    pub(crate) fn check(&self) -> io::Result<Option<Handle>> {
        match self {
            Self::Stdin => Ok(Handle::stdin().ok()),
            Self::File(path) => {
                let metadata = path.metadata()?;
                if metadata.is_dir() {
                    return Err(io::ErrorKind::IsADirectory.into());
                }
                metadata.is_file().then(|| Handle::from_path(path)).transpose()
            }
        }
    }

    pub(crate) fn open(&self) -> io::Result<Box<dyn Read>> {
        Ok(match self {
            // Its own buffer is passed by where the destination is larger.
            Self::Stdin => Box::new(io::stdin().lock()),
            Self::File(path) => Box::new(File::open(path)?),
        })
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdin => f.write_str("standard input"),
            Self::File(path) => path.display().fmt(f),
        }
    }
}
