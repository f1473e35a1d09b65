//! Finding the files that a command reads: the ones that are named, and the ones in directories that are named.

use std::{
    ffi::OsStr,
    fs::Metadata,
    path::{Path, PathBuf},
};

use clap::{Args, ValueHint};
use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};
use walkdir::{DirEntry, WalkDir};

use crate::{Stop, errors, output::is_temporary};

/// The part of a command line that selects files.
#[derive(Debug, Args)]
pub(crate) struct Selection {
    /// Also read the files in directories; with no FILE, those in the current directory
    ///
    /// Symbolic links in directories are not followed, and directories named .git, .hg and .svn are skipped.
    #[arg(short, long)]
    pub(crate) recursive: bool,

    /// Of the files found by -r, select only those that match this pattern; can be repeated
    ///
    /// Patterns are written as in shells: *.txt, [ab]?.csv, {en,de}/**. A pattern without a slash is matched against the
    /// file name, any other against the path relative to the directory given.
    #[arg(long, value_name = "GLOB", requires = "recursive", value_parser = glob)]
    include: Vec<Glob>,

    /// Of the files and directories found by -r, skip those that match this pattern; can be repeated
    #[arg(long, value_name = "GLOB", requires = "recursive", value_parser = glob)]
    exclude: Vec<Glob>,

    /// Like --include, but ignoring case; like --exclude, if the pattern starts with an exclamation mark
    #[arg(long, value_name = "GLOB", requires = "recursive", value_parser = iglob)]
    iglob: Vec<AnyCase>,

    /// Files to read, in order; with no FILE, or when FILE is `-`, standard input is read
    #[arg(value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub(crate) files: Vec<PathBuf>,
}

/// A pattern that ignores case.
#[derive(Clone, Debug)]
struct AnyCase {
    glob: Glob,
    excludes: bool,
}

fn glob(pattern: &str) -> Result<Glob, String> {
    parse(GlobBuilder::new(pattern).literal_separator(true))
}

fn iglob(pattern: &str) -> Result<AnyCase, String> {
    let (pattern, excludes) = pattern.strip_prefix('!').map_or((pattern, false), |rest| (rest, true));
    let glob = parse(GlobBuilder::new(pattern).literal_separator(true).case_insensitive(true))?;
    Ok(AnyCase { glob, excludes })
}

/// Builds a pattern, or returns what is wrong with it. Clap prints the pattern itself.
fn parse(glob: &GlobBuilder<'_>) -> Result<Glob, String> {
    glob.build().map_err(|error| error.kind().to_string())
}

impl Selection {
    /// Returns the patterns that select files in directories.
    pub(crate) fn filter(&self) -> Result<Filter, Stop> {
        let included = self.include.iter().chain(self.iglob.iter().filter(|any| !any.excludes).map(|any| &any.glob));
        let excluded = self.exclude.iter().chain(self.iglob.iter().filter(|any| any.excludes).map(|any| &any.glob));
        Ok(Filter { include: set(included)?, exclude: set(excluded)? })
    }
}

fn set<'a>(globs: impl Iterator<Item = &'a Glob>) -> Result<GlobSet, Stop> {
    let mut builder = GlobSetBuilder::new();
    for glob in globs {
        builder.add(glob.clone());
    }
    builder.build().map_err(|error| Stop::Usage(error.to_string()))
}

/// Selects files in directories.
pub(crate) struct Filter {
    /// Empty if all files are included.
    include: GlobSet,
    exclude: GlobSet,
}

/// A regular file in a directory.
pub(crate) struct Found {
    pub(crate) path: PathBuf,
    /// The path relative to the directory that was searched.
    pub(crate) relative: PathBuf,
    pub(crate) metadata: Metadata,
}

/// A path that cannot be read, and the reason.
pub(crate) type Unreadable = (PathBuf, String);

impl Filter {
    /// Finds the regular files in a directory and its subdirectories, sorted by name. Directories for which `is_skipped`
    /// returns true are left out.
    pub(crate) fn walk<'a>(
        &'a self,
        directory: &'a Path,
        mut is_skipped: impl FnMut(&DirEntry) -> bool + 'a,
    ) -> impl Iterator<Item = Result<Found, Unreadable>> + 'a {
        let entries = WalkDir::new(directory).sort_by_file_name().into_iter();
        let entries = entries.filter_entry(move |entry| {
            !entry.file_type().is_dir()
                || !is_version_control(entry) && !self.excludes(entry, directory) && !is_skipped(entry)
        });
        entries.filter_map(move |entry| {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => return Some(Err(unreadable(directory, error))),
            };
            let relative = entry.path().strip_prefix(directory).unwrap_or(entry.path());
            if !entry.file_type().is_file() || !self.selects(relative, entry.file_name()) {
                return None;
            }
            let relative = relative.to_owned();
            Some(match entry.metadata() {
                Ok(metadata) => Ok(Found { relative, metadata, path: entry.into_path() }),
                Err(error) => Err(unreadable(entry.path(), error)),
            })
        })
    }

    /// Returns whether a directory is excluded.
    fn excludes(&self, entry: &DirEntry, directory: &Path) -> bool {
        let relative = entry.path().strip_prefix(directory).unwrap_or(entry.path());
        entry.depth() > 0 && (self.exclude.is_match(entry.file_name()) || self.exclude.is_match(relative))
    }

    fn selects(&self, relative: &Path, name: &OsStr) -> bool {
        if is_temporary(name.as_encoded_bytes()) {
            return false;
        }
        let matches = |globs: &GlobSet| globs.is_match(name) || globs.is_match(relative);
        (self.include.is_empty() || matches(&self.include)) && !matches(&self.exclude)
    }
}

fn is_version_control(entry: &DirEntry) -> bool {
    entry.depth() > 0 && [".git", ".hg", ".svn"].iter().any(|name| entry.file_name() == *name)
}

fn unreadable(path: &Path, error: walkdir::Error) -> Unreadable {
    let path = error.path().unwrap_or(path).to_owned();
    let reason =
        error.into_io_error().map_or_else(|| "is in a loop of links".to_owned(), |error| errors::reason(&error));
    (path, reason)
}

/// Identifies a file independently of its path.
#[cfg(unix)]
pub(crate) type Identity = (u64, u64);

#[cfg(unix)]
pub(crate) fn identity(_: &Path, metadata: &Metadata) -> Identity {
    use std::os::unix::fs::MetadataExt as _;

    (metadata.dev(), metadata.ino())
}

#[cfg(not(unix))]
pub(crate) type Identity = PathBuf;

#[cfg(not(unix))]
pub(crate) fn identity(path: &Path, _: &Metadata) -> Identity {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
