//! Outputs: files that are replaced atomically, and streams that are written directly.

mod background_sync;
mod destination;
mod replacement;
mod temporary;

use std::{
    collections::BTreeSet,
    fs::{File, Metadata, OpenOptions},
    io::{self, Write},
    path::Path,
};

use crate::{
    convert::SecondRun, engine::ConvertError, errors::reason_without_name, interrupt, screen::shown, walk::links,
};

pub(crate) use destination::{Destination, follow};
pub(crate) use replacement::{Existing, Replacement, replace_by_link, sync_all, sync_directories};
use temporary::TemporaryFile;
pub(crate) use temporary::{is_temporary, remove_temporary_files, remove_temporary_files_without_memory};

/// An output that is being written.
pub(crate) enum Output {
    /// A stream, which is written directly.
    Direct(Box<dyn Write + Send>),
    /// A new file. Nothing changes if it is dropped before [`Replacement::persist`].
    File(Box<Replacement>),
    /// Nothing is written: a dry run.
    Discard,
    /// Another output, whose bytes are judged.
    Judged(Box<Output>, Box<SecondRun>),
}

impl Output {
    pub(crate) fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Direct(output) if !bytes.is_empty() => output.write_all(bytes),
            Self::File(file) => file.write_all(bytes),
            Self::Direct(_) | Self::Discard => Ok(()),
            Self::Judged(output, second_run) => {
                second_run.feed(bytes);
                output.write_all(bytes)
            }
        }
    }

    /// Returns messages about what the file that will be replaced has and the new file does not.
    pub(crate) fn not_kept(&self) -> &[String] {
        match self {
            Self::File(file) => file.not_kept(),
            Self::Direct(_) | Self::Discard => &[],
            Self::Judged(output, _) => output.not_kept(),
        }
    }

    /// Flushes a stream, or renames a file to its target, unless the program was interrupted. With `sync`, the file is first
    /// forced to the disk.
    pub(crate) fn commit(self, sync: bool) -> Result<(), ConvertError> {
        match self {
            Self::Direct(mut output) => output.flush().map_err(ConvertError::Write),
            Self::File(mut file) => {
                let directory = file.directory().to_owned();
                if sync {
                    file.sync().map_err(ConvertError::Write)?;
                }
                interrupt::check()?;
                file.persist(None).map_err(ConvertError::Write)?;
                interrupt::target_is_replaced();
                if sync {
                    sync_directories(&BTreeSet::from([directory])).map_err(ConvertError::Write)?;
                }
                Ok(())
            }
            Self::Discard => Ok(()),
            Self::Judged(output, _) => output.commit(sync),
        }
    }
}

/// Writes a file, which appears, or replaces another one, when it is complete.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = TemporaryFile::create(directory(path), 0o666)?;
    file.file_mut().write_all(bytes)?;
    file.persist(path, true)
}

/// Fails if no file can be created next to a target.
#[cfg(unix)]
pub(crate) fn check_directory(target: &Path) -> io::Result<()> {
    use rustix::fs::{Access, access};

    let directory = directory(target);
    access(directory, Access::WRITE_OK | Access::EXEC_OK).map_err(|error| cannot_create(directory, &error.into()))
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "as on Unix")]
pub(crate) fn check_directory(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Opens an existing file for writing, but does not write it. A user who may not write a file must not replace it either.
pub(crate) fn check_writable(path: &Path) -> io::Result<File> {
    if cfg!(windows) && path.metadata()?.permissions().readonly() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "is read-only"));
    }
    OpenOptions::new().write(true).open(path)
}

fn cannot_create(directory: &Path, error: &io::Error) -> io::Error {
    let message = format!("cannot create a file in {}: {}", shown(directory), reason_without_name(error));
    io::Error::new(error.kind(), message)
}

/// Returns the directory of a target.
pub(crate) fn directory(target: &Path) -> &Path {
    target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns a warning if a file that is replaced has more hard links than the `named` ones.
pub(crate) fn other_names(path: &Path, metadata: &Metadata, named: u64) -> Option<String> {
    match links(path, metadata).saturating_sub(named) {
        0 => None,
        1 => Some("has another hard link, which keeps the original content".to_owned()),
        n => Some(format!("has {n} other hard links, which keep the original content")),
    }
}
