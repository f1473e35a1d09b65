//! Where bytes go: a file that is complete in the end or untouched, or something that is written as it comes.

use std::{
    fmt,
    fs::{File, Metadata, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

use same_file::Handle;
use tempfile::NamedTempFile;

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
        match path.metadata() {
            Ok(metadata) if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(metadata) if !metadata.is_file() => Ok(Self { kind: Kind::Special(path.to_owned()), existing: None }),
            Ok(_) => {
                // Opened to write, though it is not written: who may not write a file should not replace it either.
                let existing = Handle::from_file(OpenOptions::new().write(true).open(path)?)?;
                if stdout.as_ref() == Some(&existing) {
                    // `-o /dev/stdout` in a script whose output goes to a file: others write to it, too.
                    return Ok(Self { kind: Kind::Stdout, existing: stdout });
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

    /// Whether this is the file that is also read, by whatever name: then it would be lost, or, where output is
    /// appended, never come to an end.
    pub(crate) fn is(&self, input: &Handle) -> bool {
        self.existing.as_ref() == Some(input)
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
                let existing = self.existing.as_ref().map(|handle| handle.as_file().metadata()).transpose()?;
                Output::File { temporary: temporary(target, existing.as_ref())?, target: target.clone() }
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

/// An output that is being written. Where it is dropped without [`commit`](Self::commit), a file is as it was.
pub(crate) enum Output {
    Direct(Box<dyn Write>),
    File { temporary: NamedTempFile, target: PathBuf },
}

impl Output {
    pub(crate) fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Direct(output) => output.write_all(bytes),
            Self::File { temporary, .. } => temporary.as_file_mut().write_all(bytes),
        }
    }

    /// All is written: puts the file in its place. It is not forced to the disk, no more than by `cp`.
    pub(crate) fn commit(self) -> io::Result<()> {
        match self {
            Self::Direct(mut output) => output.flush(),
            Self::File { temporary, target } => temporary.persist(target).map(drop).map_err(|error| error.error),
        }
    }
}

/// Standard output without the line buffer of [`io::stdout`], which would cut every block in two.
#[cfg(unix)]
fn stdout() -> io::Result<Box<dyn Write>> {
    use std::os::fd::AsFd as _;

    Ok(Box::new(File::from(io::stdout().as_fd().try_clone_to_owned()?)))
}

#[cfg(not(unix))]
fn stdout() -> io::Result<Box<dyn Write>> {
    Ok(Box::new(io::stdout().lock()))
}

/// Where symbolic links lead, also to a file that is not there yet, which `canonicalize` would not tell.
fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    while path.is_symlink() {
        // The kernel has followed them all before, so there is no loop of links.
        let link = path.read_link()?;
        path = path.parent().unwrap_or(Path::new("")).join(link);
    }
    Ok(path)
}

fn directory(target: &Path) -> &Path {
    target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// An empty file beside the target, with the permissions that the target has or, if it is new, would get.
fn temporary(target: &Path, existing: Option<&Metadata>) -> io::Result<NamedTempFile> {
    let directory = directory(target);
    let mut builder = tempfile::Builder::new();
    builder.prefix(".textcodec-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::{
            fs::Permissions,
            os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown},
        };

        if let Some(existing) = existing {
            // Nobody else reads it before it has its owner and mode.
            let file = builder.tempfile_in(directory)?;
            // For root, who alone can: for others, the file becomes theirs.
            let _ = fchown(file.as_file(), Some(existing.uid()), Some(existing.gid()));
            // Without set-user-ID and the like, which the kernel also takes from a file that is written.
            file.as_file().set_permissions(Permissions::from_mode(existing.mode() & 0o777))?;
            return Ok(file);
        }
        // Less the umask.
        builder.permissions(Permissions::from_mode(0o666));
    }
    #[cfg(not(unix))]
    let _ = existing;
    builder.tempfile_in(directory)
}
