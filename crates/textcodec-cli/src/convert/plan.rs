//! Which files are converted, and where to: all of it settled before the first one is touched.

use std::{
    collections::{HashMap, HashSet},
    ffi::{OsStr, OsString},
    fs::Metadata,
    io,
    path::{Path, PathBuf},
};

use globset::{GlobSet, GlobSetBuilder};
use walkdir::{DirEntry, WalkDir};

use super::{
    Arguments,
    report::{Report, Reports},
};
use crate::{
    Stop,
    output::{Existing, follow},
};

/// A file with an output of its output_identity.
pub(super) struct Item {
    /// Its number among all that is reported.
    pub(super) order: usize,
    /// As it is called in messages.
    pub(super) path: PathBuf,
    pub(super) bytes: u64,
    pub(super) target: Target,
}

pub(super) enum Target {
    /// Its own resolved, which is where links lead; and where the original goes.
    InPlace { resolved: PathBuf, backup: Option<PathBuf> },
    /// OutputDir.
    OutputDir { path: PathBuf, resolved: PathBuf, existing: Existing },
}

impl Item {
    /// What is written, as it is called in messages.
    pub(super) fn output(&self) -> &Path {
        match &self.target {
            Target::InPlace { .. } => &self.path,
            Target::OutputDir { path, .. } => path,
        }
    }
}

/// The files that have an output of their own; none where all inputs are joined. What cannot be converted is reported.
pub(super) fn plan(arguments: &Arguments, reports: &Reports<'_>) -> Result<Option<Vec<Item>>, Stop> {
    if let Some(suffix) = &arguments.in_place {
        // `--in-place .bak FILE` would keep nothing.
        let is_suffix = |file: &&PathBuf| {
            let name = file.as_os_str().as_encoded_bytes();
            name.starts_with(b".") && !name.contains(&b'/') && !file.exists()
        };
        if let Some(file) = arguments.files.iter().find(is_suffix).filter(|_| suffix.is_empty()) {
            let file = file.display();
            return Err(Stop::Usage(format!(
                "there is no file {file}; a suffix stands behind an equals sign: --in-place={file}"
            )));
        }
        let found = find(arguments, None, reports)?;
        return Ok(Some(in_place(found, suffix, reports)?));
    }
    if let Some(dir) = &arguments.output_dir {
        let found = find(arguments, Some(dir), reports)?;
        return Ok(Some(to_output_dir(found, dir, reports)?));
    }
    Ok(None)
}

/// A regular file, by a name.
struct Found {
    path: PathBuf,
    /// Its name, or its path within the folder in which it was found.
    relative: PathBuf,
    metadata: Metadata,
    order: usize,
}

/// The files that are named, and those in folders.
fn find(arguments: &Arguments, output_dir: Option<&Path>, reports: &Reports<'_>) -> Result<Vec<Found>, Stop> {
    if arguments.files.is_empty() {
        return Err(Stop::Usage("no files: name those that are to be converted, each on its own".into()));
    }
    let (include, exclude) = (globs(&arguments.include)?, globs(&arguments.exclude)?);
    let is_selected = |relative: &Path, name: &OsStr| {
        // Not the originals that were kept before, and not what a killed process has left.
        let bytes = name.as_encoded_bytes();
        let is_backup = |suffix: &OsString| !suffix.is_empty() && bytes.ends_with(suffix.as_encoded_bytes());
        if arguments.in_place.as_ref().is_some_and(is_backup)
            || bytes.starts_with(b".textcodec-") && bytes.ends_with(b".tmp")
        {
            return false;
        }
        let matches = |globs: &GlobSet| globs.is_match(name) || globs.is_match(relative);
        (arguments.include.is_empty() || matches(&include)) && !matches(&exclude)
    };
    let output_identity = output_dir.and_then(|dir| Some(identity(dir, &dir.metadata().ok()?)));
    let mut found = Vec::new();
    let mut order = 0;
    for path in &arguments.files {
        if path == Path::new("-") {
            return Err(Stop::Usage("standard input ('-') has no place to be converted in; name files".into()));
        }
        let metadata = match path.metadata() {
            Ok(metadata) => metadata,
            Err(error) => {
                fail(reports, &mut order, path, &error.to_string());
                continue;
            }
        };
        if metadata.is_file() {
            let relative = path.file_name().map_or_else(|| path.clone(), PathBuf::from);
            found.push(Found { path: path.clone(), relative, metadata, order });
            order += 1;
        } else if metadata.is_dir() && output_identity.as_ref() == Some(&identity(path, &metadata)) {
            return Err(Stop::Usage(format!("{} would be written to itself; use --in-place", path.display())));
        } else if metadata.is_dir() && arguments.recursive {
            let entries = WalkDir::new(path).sort_by_file_name().into_iter();
            for entry in entries.filter_entry(|entry| !is_skipped(entry, output_identity.as_ref())) {
                match entry.map_err(|error| (error.path().unwrap_or(path).to_owned(), io::Error::from(error))) {
                    Ok(entry) if entry.file_type().is_file() => {
                        let relative = entry.path().strip_prefix(path).unwrap_or(entry.path()).to_owned();
                        if !is_selected(&relative, entry.file_name()) {
                            continue;
                        }
                        match entry.metadata() {
                            Ok(metadata) => found.push(Found { path: entry.into_path(), relative, metadata, order }),
                            Err(error) => fail(reports, &mut order, entry.path(), &io::Error::from(error).to_string()),
                        }
                        order += 1;
                    }
                    Ok(_) => {}
                    Err((path, error)) => fail(reports, &mut order, &path, &error.to_string()),
                }
            }
        } else if metadata.is_dir() {
            fail(reports, &mut order, path, "is a directory; -r converts the files in it");
        } else {
            fail(reports, &mut order, path, "is no regular file, so there is nothing to put in its place");
        }
    }
    Ok(found)
}

fn in_place(found: Vec<Found>, suffix: &OsStr, reports: &Reports<'_>) -> Result<Vec<Item>, Stop> {
    if Path::new(suffix).components().count() > 1 || suffix.as_encoded_bytes().contains(&b'/') {
        return Err(Stop::Usage("--in-place: a suffix is added to the name of a file; it cannot hold a path".into()));
    }
    let mut seen = HashSet::new();
    let mut items = Vec::new();
    for Found { path, metadata, mut order, .. } in found {
        // Converted a second time, it would be lost.
        if !seen.insert(identity(&path, &metadata)) {
            continue;
        }
        match follow(&path) {
            Ok(resolved) => {
                let backup = (!suffix.is_empty()).then(|| with_suffix(&resolved, suffix));
                items.push(Item { order, path, bytes: metadata.len(), target: Target::InPlace { resolved, backup } });
            }
            Err(error) => fail(reports, &mut order, &path, &error.to_string()),
        }
    }
    Ok(items)
}

fn to_output_dir(found: Vec<Found>, dir: &Path, reports: &Reports<'_>) -> Result<Vec<Item>, Stop> {
    let inputs: HashMap<_, _> =
        found.iter().map(|found| (identity(&found.path, &found.metadata), found.path.clone())).collect();
    let mut outputs: HashMap<PathBuf, PathBuf> = HashMap::new();
    let mut items = Vec::new();
    for Found { path, relative, metadata, mut order } in found {
        let output = dir.join(&relative);
        let (resolved, existing) = match output.metadata() {
            Ok(there) if there.is_file() => {
                if let Some(input) = inputs.get(&identity(&output, &there)) {
                    return Err(Stop::Usage(format!(
                        "{} is also an input ({}): it would be overwritten; choose another folder, or --in-place",
                        output.display(),
                        input.display()
                    )));
                }
                (follow(&output), Existing::File(there))
            }
            Ok(_) => (Err(io::Error::other(format!("{} is no regular file", output.display()))), Existing::None(0)),
            // What only its owner could read stays so.
            Err(error) if error.kind() == io::ErrorKind::NotFound => (follow(&output), Existing::None(mode(&metadata))),
            Err(error) => (Err(error), Existing::None(0)),
        };
        match resolved {
            Ok(resolved) => {
                // By whatever way it is reached.
                if let Some(other) = outputs.insert(canonicalize_existing(&resolved), path.clone()) {
                    return Err(Stop::Usage(format!(
                        "--output-dir: {} and {} would both be {}; convert them one by one",
                        other.display(),
                        path.display(),
                        output.display()
                    )));
                }
                let target = Target::OutputDir { path: output, resolved, existing };
                items.push(Item { order, path, bytes: metadata.len(), target });
            }
            Err(error) => fail(reports, &mut order, &output, &error.to_string()),
        }
    }
    Ok(items)
}

fn fail(reports: &Reports<'_>, order: &mut usize, path: &Path, reason: &str) {
    let mut report = Report::new(*order, path.display().to_string(), path.display().to_string());
    report.fail_with(reason);
    reports.add(report);
    *order += 1;
}

fn globs(globs: &[globset::Glob]) -> Result<GlobSet, Stop> {
    let mut builder = GlobSetBuilder::new();
    for glob in globs {
        builder.add(glob.clone());
    }
    builder.build().map_err(|error| Stop::Usage(error.to_string()))
}

/// The folders of version control, whose files are not text for anybody else; and the one that is written to.
fn is_skipped(entry: &DirEntry, output_identity: Option<&Identity>) -> bool {
    entry.file_type().is_dir()
        && (entry.depth() > 0 && [".git", ".hg", ".svn"].iter().any(|name| entry.file_name() == *name)
            || output_identity.is_some()
                && entry.metadata().ok().map(|found| identity(entry.path(), &found)).as_ref() == output_identity)
}

/// A path without links and dots, as far as it is there.
fn canonicalize_existing(resolved: &Path) -> PathBuf {
    let mut missing = PathBuf::new();
    for folder in resolved.ancestors() {
        if let Ok(real) = if folder.as_os_str().is_empty() { Path::new(".") } else { folder }.canonicalize() {
            return real.join(missing);
        }
        if let Some(name) = folder.file_name() {
            missing = if missing.as_os_str().is_empty() { name.into() } else { Path::new(name).join(missing) };
        }
    }
    resolved.to_owned()
}

fn with_suffix(path: &Path, suffix: &OsStr) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

/// What tells a file from all others, whatever it is called.
#[cfg(unix)]
type Identity = (u64, u64);

#[cfg(unix)]
fn identity(_: &Path, metadata: &Metadata) -> Identity {
    use std::os::unix::fs::MetadataExt as _;

    (metadata.dev(), metadata.ino())
}

#[cfg(not(unix))]
type Identity = PathBuf;

#[cfg(not(unix))]
fn identity(path: &Path, _: &Metadata) -> Identity {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

#[cfg(unix)]
fn mode(metadata: &Metadata) -> u32 {
    use std::os::unix::fs::MetadataExt as _;

    metadata.mode() & 0o777
}

#[cfg(not(unix))]
fn mode(_: &Metadata) -> u32 {
    0o666
}
