//! Finding the files that a command reads: the ones that are named, and the ones in directories that are named.

use std::{
    ffi::OsStr,
    fs::Metadata,
    path::{Path, PathBuf},
};

use clap::{Args, ValueHint};
use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};
use walkdir::{DirEntry, WalkDir};

use crate::{Stop, errors, output::is_temporary, screen::escaped};

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
    /// file name, any other against the path relative to the directory given. A slash or `./` at the start means this
    /// directory: /a.txt is not sub/a.txt. With a slash at the end, as in sub/, a pattern matches directories, and selects all
    /// files in them.
    #[arg(long, value_name = "GLOB", requires = "recursive", value_parser = pattern)]
    include: Vec<Pattern>,

    /// Of the files and directories found by -r, skip those that match this pattern; can be repeated
    ///
    /// Patterns are written as in --include. With a slash at the end, as in sub/, a pattern skips directories, but no files of
    /// that name.
    #[arg(long, value_name = "GLOB", requires = "recursive", value_parser = pattern)]
    exclude: Vec<Pattern>,

    /// Like --include, but ignoring case; like --exclude, if the pattern starts with an exclamation mark
    #[arg(long, value_name = "GLOB", requires = "recursive", value_parser = iglob)]
    iglob: Vec<AnyCase>,

    /// Files to read, in order; with no FILE, or when FILE is `-`, standard input is read
    #[arg(value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub(crate) files: Vec<PathBuf>,
}

/// The value of `--include` or `--exclude`.
#[derive(Clone, Debug)]
struct Pattern {
    /// Without a slash at the start or the end.
    glob: Glob,
    /// The pattern started with a slash, and is not matched against names.
    is_anchored: bool,
    /// The pattern ended with a slash, and matches only directories.
    is_directory: bool,
}

/// A pattern that ignores case.
#[derive(Clone, Debug)]
struct AnyCase {
    pattern: Pattern,
    excludes: bool,
}

fn pattern(text: &str) -> Result<Pattern, String> {
    Pattern::new(text, false)
}

fn iglob(text: &str) -> Result<AnyCase, String> {
    let (text, excludes) = text.strip_prefix('!').map_or((text, false), |rest| (rest, true));
    Ok(AnyCase { pattern: Pattern::new(text, true)?, excludes })
}

impl Pattern {
    /// Parses a pattern, or returns what is wrong with it. Clap prints the pattern itself.
    fn new(text: &str, ignores_case: bool) -> Result<Self, String> {
        if text.is_empty() {
            return Err("the pattern is empty".into());
        }
        let mut path = text;
        while let Some(rest) = path.strip_prefix("./").or(path.strip_prefix('/')) {
            path = rest;
        }
        let is_anchored = path.len() < text.len();
        let without_slash = path.trim_end_matches('/');
        let is_directory = without_slash.len() < path.len();
        // The paths to be matched have no such parts, so the pattern would silently match nothing.
        if without_slash.split('/').any(|part| ["", ".", ".."].contains(&part)) {
            return Err("the pattern has an empty part, '.' or '..'; it is matched against names, and paths \
                        relative to the directory given"
                .into());
        }
        let glob = GlobBuilder::new(without_slash)
            .literal_separator(true)
            .case_insensitive(ignores_case)
            .build()
            // The reason may quote characters of the pattern.
            .map_err(|error| escaped(&error.kind().to_string()))?;
        Ok(Self { glob, is_anchored, is_directory })
    }
}

impl Selection {
    /// Returns the patterns that select files in directories.
    pub(crate) fn filter(&self) -> Result<Filter, Stop> {
        let any_case = |excludes| self.iglob.iter().filter(move |any| any.excludes == excludes).map(|any| &any.pattern);
        let included = self.include.iter().chain(any_case(false));
        let excluded = self.exclude.iter().chain(any_case(true));
        Ok(Filter { include: Patterns::new(included)?, exclude: Patterns::new(excluded)? })
    }
}

/// Selects files in directories.
pub(crate) struct Filter {
    /// Empty if all files are included.
    include: Patterns,
    exclude: Patterns,
}

/// Several patterns.
struct Patterns {
    any: Globs,
    /// The ones that match only directories.
    directories: Globs,
}

impl Patterns {
    fn new<'a>(patterns: impl Iterator<Item = &'a Pattern>) -> Result<Self, Stop> {
        let (directories, any) = patterns.partition::<Vec<_>, _>(|pattern| pattern.is_directory);
        Ok(Self { any: Globs::new(&any)?, directories: Globs::new(&directories)? })
    }

    fn is_empty(&self) -> bool {
        self.any.paths.is_empty() && self.directories.paths.is_empty()
    }

    fn match_directory(&self, relative: &Path) -> bool {
        self.any.match_path(relative) || self.directories.match_path(relative)
    }

    fn match_file(&self, relative: &Path) -> bool {
        self.any.match_path(relative)
    }

    /// Returns whether a pattern for directories matches one that contains this path.
    fn match_parent(&self, relative: &Path) -> bool {
        relative.ancestors().skip(1).any(|directory| self.directories.match_path(directory))
    }
}

struct Globs {
    names: GlobSet,
    paths: GlobSet,
}

impl Globs {
    fn new(patterns: &[&Pattern]) -> Result<Self, Stop> {
        let (mut names, mut paths) = (GlobSetBuilder::new(), GlobSetBuilder::new());
        for pattern in patterns {
            paths.add(pattern.glob.clone());
            if !pattern.is_anchored {
                names.add(pattern.glob.clone());
            }
        }
        let build = |globs: GlobSetBuilder| globs.build().map_err(|error| Stop::Usage(error.to_string()));
        Ok(Self { names: build(names)?, paths: build(paths)? })
    }

    fn match_path(&self, relative: &Path) -> bool {
        self.paths.is_match(relative) || relative.file_name().is_some_and(|name| self.names.is_match(name))
    }
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
            let relative = relative_to(directory, &entry);
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
        entry.depth() > 0 && self.exclude.match_directory(relative_to(directory, entry))
    }

    fn selects(&self, relative: &Path, name: &OsStr) -> bool {
        if is_temporary(name.as_encoded_bytes()) {
            return false;
        }
        let Self { include, exclude } = self;
        (include.is_empty() || include.match_file(relative) || include.match_parent(relative))
            && !exclude.match_file(relative)
    }
}

fn relative_to<'a>(directory: &Path, entry: &'a DirEntry) -> &'a Path {
    entry.path().strip_prefix(directory).unwrap_or(entry.path())
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

/// The path, if the file cannot be opened.
#[cfg(windows)]
pub(crate) type Identity = Result<(u64, u64), PathBuf>;

#[cfg(windows)]
pub(crate) fn identity(path: &Path, _: &Metadata) -> Identity {
    let found = information(path).map(|found| (found.volume_serial_number(), found.file_index()));
    found.map_err(|_| path.canonicalize().unwrap_or_else(|_| path.to_owned()))
}

/// Returns the number of hard links to a file.
#[cfg(unix)]
pub(crate) fn links(_: &Path, metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata)
}

#[cfg(windows)]
pub(crate) fn links(path: &Path, _: &Metadata) -> u64 {
    information(path).map_or(1, |found| found.number_of_links())
}

#[cfg(windows)]
fn information(path: &Path) -> std::io::Result<winapi_util::file::Information> {
    winapi_util::file::information(winapi_util::Handle::from_path_any(path)?)
}
