//! Inputs: files and standard input.

use std::{
    fmt,
    fs::{File, Metadata},
    io::{self, IsTerminal as _, Read, Seek as _, SeekFrom},
    ops::Range,
    path::{Path, PathBuf},
};

use same_file::Handle;

use crate::{descriptors, screen::shown};

/// An input that is not open. Thousands of inputs must not exhaust the file descriptors.
#[derive(Clone, Debug)]
pub(crate) enum Input {
    Stdin,
    File(PathBuf),
}

/// An open input.
pub(crate) enum Stream {
    File(RegularFile),
    /// A pipe, a terminal or a device. Each read is converted and written immediately.
    Other(Box<dyn Read + Send>),
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(buffer),
            Self::Other(stream) => stream.read(buffer),
        }
    }
}

/// A regular file that must not become shorter while it is read: its end would be lost.
pub(crate) struct RegularFile {
    file: File,
    metadata: Metadata,
    position: u64,
}

impl RegularFile {
    pub(crate) fn new(file: File, metadata: Metadata) -> io::Result<Self> {
        // Not zero if the shell has already read from this file descriptor.
        let position = (&file).stream_position()?;
        Ok(Self { file, metadata, position })
    }

    /// Returns the metadata that the file had when it was opened.
    pub(crate) fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    pub(crate) fn position(&self) -> u64 {
        self.position
    }

    /// Returns a reader for a part of the file. Until it has been read, nothing else may be read.
    pub(crate) fn part(&mut self, range: Range<u64>) -> io::Result<Stream> {
        self.seek(range.start)?;
        Ok(Stream::Other(Box::new(self.file.try_clone()?.take(range.end - range.start))))
    }

    pub(crate) fn seek(&mut self, position: u64) -> io::Result<()> {
        self.position = self.file.seek(SeekFrom::Start(position))?;
        Ok(())
    }
}

impl Read for RegularFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.file.read(buffer)?;
        self.position += len as u64;
        if len == 0 && !buffer.is_empty() && self.position < self.metadata.len() {
            // Files of the kernel can be shorter than their size.
            let (before, now) = (self.metadata.len(), self.file.metadata()?.len());
            if now < before {
                let message = format!("became shorter while it was read: {now} bytes instead of {before}");
                return Err(io::Error::other(message));
            }
        }
        Ok(len)
    }
}

impl Input {
    pub(crate) fn new(path: &Path) -> Self {
        if path == Path::new("-") { Self::Stdin } else { Self::File(path.to_owned()) }
    }

    /// Returns an input for each path, or standard input if there are none.
    pub(crate) fn all(files: &[PathBuf]) -> Vec<Self> {
        if files.is_empty() { vec![Self::Stdin] } else { files.iter().map(|path| Self::new(path)).collect() }
    }

    /// Fails where [`open`](Self::open) would, and returns the identity of a file that an output could overwrite.
    ///
    /// Reads nothing. FIFOs are not opened, because opening one a second time would wait for a second writer.
    pub(crate) fn check(&self) -> io::Result<Option<Handle>> {
        match self {
            Self::Stdin => {
                descriptors::check_stdin()?;
                Ok(Handle::stdin().ok())
            }
            Self::File(path) => {
                descriptors::check_path(path)?;
                let metadata = match path.metadata() {
                    Err(_) if is_device(path) => return Ok(None),
                    found => found?,
                };
                if metadata.is_dir() {
                    return Err(io::ErrorKind::IsADirectory.into());
                }
                metadata.is_file().then(|| Handle::from_path(path)).transpose()
            }
        }
    }

    /// Returns the size in bytes of a regular file.
    pub(crate) fn size(&self) -> Option<u64> {
        let metadata = match self {
            Self::Stdin => Handle::stdin().ok()?.as_file().metadata(),
            Self::File(path) => path.metadata(),
        };
        metadata.ok().filter(Metadata::is_file).map(|metadata| metadata.len())
    }

    pub(crate) fn open(&self) -> io::Result<Stream> {
        let file = match self {
            Self::Stdin => {
                descriptors::check_stdin()?;
                // The console of Windows gives bytes in its own code page, but the standard library reads UTF-16 from it.
                if cfg!(windows) && io::stdin().is_terminal() {
                    return Ok(Stream::Other(Box::new(io::stdin())));
                }
                stdin()?
            }
            Self::File(path) => {
                descriptors::check_path(path)?;
                File::open(path)?
            }
        };
        match file.metadata() {
            Ok(metadata) if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(metadata) if metadata.is_file() => Ok(Stream::File(RegularFile::new(file, metadata)?)),
            Ok(_) => Ok(Stream::Other(Box::new(file))),
            // On Windows, pipes and devices have no metadata.
            Err(_) if cfg!(windows) => Ok(Stream::Other(Box::new(file))),
            Err(error) => Err(error),
        }
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdin => f.write_str("standard input"),
            Self::File(path) => f.write_str(&shown(path)),
        }
    }
}

/// Returns whether a path without metadata can be opened, as devices of Windows can: `NUL`.
pub(crate) fn is_device(path: &Path) -> bool {
    cfg!(windows) && File::open(path).is_ok_and(|file| file.metadata().is_err())
}

/// Reads once, and again if a signal interrupted that.
pub(crate) fn read(reader: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// Fills a buffer, or reads to the end. Returns the number of bytes read.
pub(crate) fn fill(reader: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut len = 0;
    while len < buffer.len() {
        match read(reader, &mut buffer[len..])? {
            0 => break,
            more => len += more,
        }
    }
    Ok(len)
}

/// Opens standard input without the buffer of [`io::stdin`], which would read bytes that belong to the next process.
#[cfg(unix)]
fn stdin() -> io::Result<File> {
    use std::os::fd::AsFd as _;

    Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?))
}

#[cfg(windows)]
fn stdin() -> io::Result<File> {
    use std::os::windows::io::AsHandle as _;

    Ok(File::from(io::stdin().as_handle().try_clone_to_owned()?))
}
