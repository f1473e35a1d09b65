//! Where the output of a command goes: looked at before anything is read or written.

use std::{
    fmt,
    fs::{File, Metadata, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

use same_file::Handle;

use super::{Existing, Output, Replacement, directory};

/// A place to write to, looked at but not touched.
#[derive(Debug)]
pub(crate) struct Destination {
    kind: Kind,
    /// What it is now, if it is a file.
    existing: Option<Handle>,
}

#[derive(Debug)]
enum Kind {
    Stdout,
    /// A FIFO or a device, which cannot be replaced, or an open file that has no name any more, as `/dev/fd/3` may be.
    Special(PathBuf),
    /// `path` as it was given, and the file that symbolic links lead to.
    File {
        path: PathBuf,
        target: PathBuf,
    },
}

impl Destination {
    /// None and `-` are standard output.
    pub(crate) fn new(path: Option<&Path>) -> io::Result<Self> {
        let stdout = Handle::stdout().ok().filter(|handle| handle.as_file().metadata().is_ok_and(|m| m.is_file()));
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            return Ok(Self { kind: Kind::Stdout, existing: stdout });
        };
        if path.as_os_str().as_encoded_bytes().ends_with(b"/") {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        match path.metadata() {
            Ok(metadata) if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(metadata) if is_same_as_stdout(&metadata) => Ok(Self { kind: Kind::Stdout, existing: stdout }),
            Ok(metadata) if !metadata.is_file() => Ok(Self { kind: Kind::Special(path.to_owned()), existing: None }),
            Ok(_) => {
                // Opened to write, though it is not written: who may not write a file should not replace it either.
                let existing = Handle::from_file(OpenOptions::new().write(true).open(path)?)?;
                if stdout.as_ref() == Some(&existing) {
                    // `-o /dev/stdout` in a script whose output goes to a file: others write to it, too.
                    return Ok(Self { kind: Kind::Stdout, existing: stdout });
                }
                if is_descriptor(path) {
                    return Err(io::Error::other(
                        "is open already, and others may write to it, too; let the shell redirect to it: >&2, >&3",
                    ));
                }
                let target = follow(path)?;
                let path = path.to_owned();
                let kind = if target.exists() { Kind::File { path, target } } else { Kind::Special(path) };
                Ok(Self { kind, existing: Some(existing) })
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let target = follow(path)?;
                // So that this is told now, not after a large input.
                directory(&target).metadata()?;
                Ok(Self { kind: Kind::File { path: path.to_owned(), target }, existing: None })
            }
            Err(error) => Err(error),
        }
    }

    /// Whether this option leads to standard output.
    pub(crate) fn is_stdout(path: Option<&Path>) -> bool {
        Self::new(path).is_ok_and(|destination| matches!(destination.kind, Kind::Stdout))
    }

    /// That the file has other names, if it has and loses this one.
    pub(crate) fn other_names(&self) -> Option<String> {
        let existing = self.existing.as_ref().filter(|_| self.replaces_file())?;
        super::other_names(&existing.as_file().metadata().ok()?)
    }

    /// Whether this is the file that is also read, by whatever name: then it would be lost, or, where output is
    /// appended, never come to an end.
    pub(crate) fn is_same_file(&self, input: &Handle) -> bool {
        self.existing.as_ref() == Some(input)
    }

    /// Whether a new file takes its place at the end, so that it may also be an input.
    pub(crate) fn replaces_file(&self) -> bool {
        matches!(self.kind, Kind::File { .. })
    }

    /// What a failure leaves of the output, for the end of its message.
    pub(crate) fn after_failure(&self) -> String {
        match &self.kind {
            Kind::File { path, .. } => format!("nothing was written to {}", path.display()),
            _ => format!("{self} ends before it"),
        }
    }

    pub(crate) fn open(&self) -> io::Result<Output> {
        Ok(match &self.kind {
            Kind::Stdout => Output::Direct(stdout()?),
            Kind::Special(path) => Output::Direct(Box::new(OpenOptions::new().write(true).truncate(true).open(path)?)),
            Kind::File { target, .. } => {
                let existing = match &self.existing {
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
            Kind::Special(path) | Kind::File { path, .. } => path.display().fmt(f),
        }
    }
}

/// Whether this is a pipe or a device, and standard output is the same one.
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

/// Standard output without the line buffer of [`io::stdout`], which would cut every block in two.
#[cfg(unix)]
fn stdout() -> io::Result<Box<dyn Write + Send>> {
    use std::os::fd::AsFd as _;

    Ok(Box::new(File::from(io::stdout().as_fd().try_clone_to_owned()?)))
}

#[cfg(not(unix))]
fn stdout() -> io::Result<Box<dyn Write + Send>> {
    Ok(Box::new(io::stdout()))
}

/// Where symbolic links lead, also to a file that is not there yet, which `canonicalize` would not tell.
pub(crate) fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    // As many as Linux follows.
    for _ in 0..40 {
        if !path.is_symlink() {
            return Ok(path);
        }
        path = read_one_link(&path)?;
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Whether a path leads to what the process has open, as `/dev/fd/3` and `/dev/stderr` do.
fn is_descriptor(path: &Path) -> bool {
    let mut path = path.to_owned();
    for _ in 0..40 {
        let folder = directory(&path).canonicalize().unwrap_or_default();
        if folder.starts_with("/proc") && folder.ends_with("fd") {
            return true;
        }
        match read_one_link(&path) {
            Ok(next) => path = next,
            Err(_) => return false,
        }
    }
    false
}

/// Where one symbolic link leads.
fn read_one_link(link: &Path) -> io::Result<PathBuf> {
    Ok(link.parent().unwrap_or(Path::new("")).join(link.read_link()?))
}
