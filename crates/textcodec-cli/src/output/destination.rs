//! The destination of a command's output, checked before anything is read or written.

use std::{
    fmt,
    fs::{Metadata, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf, is_separator},
};

use same_file::Handle;

use super::{Existing, Output, Replacement, check_writable, directory};
use crate::{descriptors, input::is_device, screen::shown, terminal::Lines};

/// A destination that has been checked, but not changed.
#[derive(Debug)]
pub(crate) struct Destination {
    kind: Kind,
    /// The existing file.
    existing: Option<Handle>,
}

#[derive(Debug)]
enum Kind {
    Stdout,
    /// A FIFO or a device, which cannot be replaced, or an open file without a name, which `/dev/fd/3` may be.
    Special(PathBuf),
    /// `path` is the option's value, `target` the file after resolving symbolic links.
    File {
        path: PathBuf,
        target: PathBuf,
    },
}

impl Destination {
    /// Checks a destination. `None` and `-` are standard output.
    pub(crate) fn new(path: Option<&Path>) -> io::Result<Self> {
        let stdout = Handle::stdout().ok().filter(|handle| handle.as_file().metadata().is_ok_and(|m| m.is_file()));
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            return Ok(Self { kind: Kind::Stdout, existing: stdout });
        };
        if path.as_os_str().as_encoded_bytes().last().is_some_and(|&last| is_separator(char::from(last))) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        descriptors::check_path(path)?;
        match path.metadata() {
            Ok(metadata) if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(metadata) if is_same_as_stdout(&metadata) => Ok(Self { kind: Kind::Stdout, existing: stdout }),
            Ok(metadata) if !metadata.is_file() => Ok(Self { kind: Kind::Special(path.to_owned()), existing: None }),
            Ok(_) => {
                let existing = Handle::from_file(check_writable(path)?)?;
                if stdout.as_ref() == Some(&existing) {
                    // `-o /dev/stdout` in a script whose output goes to a file: other commands write to it, too.
                    return Ok(Self { kind: Kind::Stdout, existing: stdout });
                }
                if descriptors::descriptor(path).is_some() {
                    return Err(io::Error::other(
                        "is an open file descriptor, to which other programs may write, too; \
                         redirect to it in the shell instead: >&2, >&3",
                    ));
                }
                let target = follow(path)?;
                let path = path.to_owned();
                let kind = if target.exists() { Kind::File { path, target } } else { Kind::Special(path) };
                Ok(Self { kind, existing: Some(existing) })
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let target = follow(path)?;
                // Fails now if the directory does not exist, not after reading a large input.
                let found = directory(&target).metadata();
                if !found.map_err(|error| about_directory(directory(&target), error))?.is_dir() {
                    return Err(io::Error::new(io::ErrorKind::NotADirectory, "Not a directory"));
                }
                Ok(Self { kind: Kind::File { path: path.to_owned(), target }, existing: None })
            }
            Err(_) if is_device(path) => Ok(Self { kind: Kind::Special(path.to_owned()), existing: None }),
            Err(error) => Err(error),
        }
    }

    /// Returns whether this value of the option means standard output.
    pub(crate) fn is_stdout(path: Option<&Path>) -> bool {
        Self::new(path).is_ok_and(|destination| matches!(destination.kind, Kind::Stdout))
    }

    /// Returns a warning if the file will be replaced and has other hard links.
    pub(crate) fn other_names(&self) -> Option<String> {
        let Kind::File { target, .. } = &self.kind else { return None };
        super::other_names(target, &self.existing.as_ref()?.as_file().metadata().ok()?, 1)
    }

    /// Returns whether an input is the same file, under any name. The input would be overwritten or, if the output is
    /// appended to it, would never end.
    pub(crate) fn is_same_file(&self, input: &Handle) -> bool {
        self.existing.as_ref() == Some(input)
    }

    /// Returns whether a new file replaces the destination at the end, so that it may also be an input.
    pub(crate) fn replaces_file(&self) -> bool {
        matches!(self.kind, Kind::File { .. })
    }

    /// Returns the state of the output after a failure, for the end of a message.
    pub(crate) fn after_failure(&self) -> String {
        match &self.kind {
            Kind::File { path, .. } => format!("nothing was written to {}", shown(path)),
            _ => format!("the output before this point was written to {self}"),
        }
    }

    /// Like [`after_failure`](Self::after_failure), when this number of bytes has been written.
    pub(crate) fn after_failure_at(&self, written: u64) -> String {
        if written == 0 { format!("nothing was written to {self}") } else { self.after_failure() }
    }

    /// Opens the output, and closes the existing file, because Windows may not replace files that are open.
    pub(crate) fn open(&mut self) -> io::Result<Output> {
        Ok(match &self.kind {
            Kind::Stdout => {
                descriptors::check_stdout()?;
                Output::Direct(Box::new(Lines(stdout()?)))
            }
            Kind::Special(path) => Output::Direct(Box::new(OpenOptions::new().write(true).truncate(true).open(path)?)),
            Kind::File { target, .. } => {
                let existing = match self.existing.take() {
                    Some(handle) => Existing::File(handle.as_file().metadata()?),
                    None => Existing::None(0o666),
                };
                Output::File(Replacement::new(target.clone(), &existing)?.into())
            }
        })
    }
}

impl fmt::Display for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Stdout => f.write_str("standard output"),
            Kind::Special(path) | Kind::File { path, .. } => f.write_str(&shown(path)),
        }
    }
}

/// Says that it is the directory of the output that does not exist, if that is the error.
fn about_directory(path: &Path, error: io::Error) -> io::Error {
    match error.kind() {
        kind @ io::ErrorKind::NotFound => io::Error::new(kind, format!("the directory {} does not exist", shown(path))),
        _ => error,
    }
}

/// Returns whether this is a pipe or a device that is also standard output.
#[cfg(unix)]
fn is_same_as_stdout(metadata: &Metadata) -> bool {
    use std::os::{fd::AsFd as _, unix::fs::MetadataExt as _};

    let stdout = rustix::fs::fstat(io::stdout().as_fd());
    !metadata.is_file() && stdout.is_ok_and(|stdout| (stdout.st_dev, stdout.st_ino) == (metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn is_same_as_stdout(_: &Metadata) -> bool {
    false
}

/// Opens standard output without the line buffer of [`io::stdout`], which would split every block in two.
#[cfg(unix)]
fn stdout() -> io::Result<Box<dyn Write + Send>> {
    use std::os::fd::AsFd as _;

    Ok(Box::new(std::fs::File::from(io::stdout().as_fd().try_clone_to_owned()?)))
}

#[cfg(windows)]
fn stdout() -> io::Result<Box<dyn Write + Send>> {
    use std::{io::IsTerminal as _, os::windows::io::AsHandle as _};

    let stdout = io::stdout();
    // The console shows UTF-16, to which the standard library converts.
    if stdout.is_terminal() {
        return Ok(Box::new(stdout));
    }
    Ok(Box::new(std::fs::File::from(stdout.as_handle().try_clone_to_owned()?)))
}

/// Resolves symbolic links in the last component. Unlike `canonicalize`, it accepts a target that does not exist.
pub(crate) fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    // The limit of Linux.
    for _ in 0..40 {
        if !path.is_symlink() {
            return Ok(path);
        }
        path = read_one_link(&path)?;
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Returns the target of one symbolic link.
fn read_one_link(link: &Path) -> io::Result<PathBuf> {
    Ok(link.parent().unwrap_or(Path::new("")).join(link.read_link()?))
}
