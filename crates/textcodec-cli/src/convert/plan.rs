//! The list of files to convert and of their targets, complete before any file is touched.

use std::{
    collections::{HashMap, hash_map::Entry},
    ffi::{OsStr, OsString},
    fs::Metadata,
    io,
    path::{Path, PathBuf},
};

use walkdir::DirEntry;

use super::{
    Arguments,
    backups::{Backup, Backups},
    report::{Done, Report},
    reports::Reports,
};
use crate::{
    Stop,
    errors::reason,
    output::{Existing, follow},
    screen::shown,
    walk::{self, Identity, identity},
};

/// A file with its own output.
pub(super) struct Item {
    /// The position of its report.
    pub(super) order: usize,
    /// The path as shown in messages.
    pub(super) path: PathBuf,
    pub(super) bytes: u64,
    /// Whether the file is named on the command line. Otherwise it was found in a directory.
    pub(super) is_named: bool,
    pub(super) identity: Identity,
    pub(super) target: Target,
}

pub(super) enum Target {
    /// The file itself, and other names of it.
    InPlace { name: Name, links: Vec<Name> },
    /// A file in the output directory: its path as shown in messages, and with symbolic links resolved.
    OutputDir { path: PathBuf, resolved: PathBuf, existing: Existing },
}

/// A name of a file that is converted in place.
pub(super) struct Name {
    /// The position of its report.
    pub(super) order: usize,
    /// The path as shown in messages.
    pub(super) path: PathBuf,
    /// The path with symbolic links resolved.
    pub(super) resolved: PathBuf,
    pub(super) backup: Option<PathBuf>,
}

impl Item {
    /// Returns the path of the output as shown in messages.
    pub(super) fn output(&self) -> &Path {
        match &self.target {
            Target::InPlace { .. } => &self.path,
            Target::OutputDir { path, .. } => path,
        }
    }

    /// Returns the number of names of the file, each of which is reported.
    pub(super) fn names(&self) -> usize {
        if let Target::InPlace { links, .. } = &self.target { 1 + links.len() } else { 1 }
    }

    pub(super) fn is_in_place(&self) -> bool {
        matches!(self.target, Target::InPlace { .. })
    }

    /// Adds another name of the file. A name that is the same after resolving links is only reported.
    fn add_link(&mut self, link: Name, reports: &Reports<'_>) {
        let Target::InPlace { name, links } = &mut self.target else { return };
        let real = |name: &Name| name.resolved.canonicalize().unwrap_or_else(|_| name.resolved.clone());
        if links.iter().chain([&*name]).any(|other| real(other) == real(&link)) {
            let mut report = Report::in_place(link.order, &link.path);
            report.is_same_file_as(&self.path, Done::SameFile);
            reports.add(report);
        } else {
            links.push(link);
        }
    }
}

/// Lists the files to convert, or returns `None` if all inputs go to one output. Files that cannot be converted are reported.
pub(super) fn plan(arguments: &Arguments, reports: &Reports<'_>) -> Result<Option<Vec<Item>>, Stop> {
    if let Some(suffix) = &arguments.in_place {
        if suffix.as_ref().is_some_and(|suffix| suffix.is_empty()) {
            return Err(Stop::Usage(
                "--in-place=: the suffix for backups is empty, perhaps because a variable of the shell is not set; \
                 to keep no backups, write --in-place"
                    .into(),
            ));
        }
        // `--in-place .bak FILE` would keep nothing.
        let is_suffix = |file: &&PathBuf| {
            let name = file.as_os_str().as_encoded_bytes();
            name.starts_with(b".") && !name.contains(&b'/') && !file.exists()
        };
        if let Some(file) = arguments.selection.files.iter().find(is_suffix).filter(|_| suffix.is_none()) {
            let file = shown(file);
            return Err(Stop::Usage(format!(
                "{file} does not exist; if it is the suffix for backups, write --in-place={file}"
            )));
        }
        let found = find(arguments, None, reports)?;
        let table = table_identity(arguments);
        if let Some(file) = found.iter().find(|found| table == Some(identity(&found.path, &found.metadata))) {
            return Err(Stop::Usage(format!(
                "{} is also the table of --table and would be overwritten; do not name it, and with -r leave it out with \
                 --exclude",
                shown(&file.path)
            )));
        }
        return Ok(Some(in_place(found, suffix.as_deref(), reports)?));
    }
    if let Some(dir) = &arguments.output_dir {
        let found = find(arguments, Some(dir), reports)?;
        return Ok(Some(to_output_dir(found, dir, table_identity(arguments), reports)?));
    }
    Ok(None)
}

/// A regular file.
struct Found {
    path: PathBuf,
    /// The file name, or the path relative to the directory in which it was found.
    relative: PathBuf,
    metadata: Metadata,
    order: usize,
    is_named: bool,
}

/// Finds the files that are named, and those in directories that are named.
fn find(arguments: &Arguments, output_dir: Option<&Path>, reports: &Reports<'_>) -> Result<Vec<Found>, Stop> {
    if arguments.selection.files.is_empty() {
        return Err(Stop::Usage("no input files; --in-place and --output-dir need at least one FILE".into()));
    }
    let filter = arguments.selection.filter()?;
    let backups = Backups::new(arguments, reports.settings);
    let output_identity = output_dir.and_then(|dir| Some(identity(dir, &dir.metadata().ok()?)));
    let mut found = Vec::new();
    let mut order = 0;
    for path in &arguments.selection.files {
        if path == Path::new("-") {
            return Err(Stop::Usage(
                "standard input ('-') cannot be used with --in-place or --output-dir; give file names".into(),
            ));
        }
        let metadata = match path.metadata() {
            Ok(metadata) => metadata,
            Err(error) => {
                fail(reports, &mut order, path, &reason(&error));
                continue;
            }
        };
        if metadata.is_file() {
            // Patterns and lists of files also name the backups. One whose file is missing is meant.
            if let Some(backup) = backups.find(path, &metadata).filter(|backup| backup.has_original) {
                skip(reports, &mut order, path, backup);
                continue;
            }
            let relative = path.file_name().map_or_else(|| path.clone(), PathBuf::from);
            found.push(Found { path: path.clone(), relative, metadata, order, is_named: true });
            order += 1;
        } else if metadata.is_dir() && output_identity.as_ref() == Some(&identity(path, &metadata)) {
            return Err(Stop::Usage(format!(
                "{} is both an input and the output directory; use --in-place",
                shown(path)
            )));
        } else if metadata.is_dir() && arguments.selection.recursive {
            let is_output = |entry: &DirEntry| {
                output_identity.is_some()
                    && entry.metadata().ok().map(|found| identity(entry.path(), &found)) == output_identity
            };
            for entry in filter.walk(path, is_output) {
                match entry {
                    Ok(walk::Found { path, relative, metadata }) => {
                        if let Some(backup) = backups.find(&path, &metadata) {
                            skip(reports, &mut order, &path, backup);
                            continue;
                        }
                        found.push(Found { path, relative, metadata, order, is_named: false });
                        order += 1;
                    }
                    Err((path, reason)) => fail(reports, &mut order, &path, &reason),
                }
            }
        } else if metadata.is_dir() {
            fail(reports, &mut order, path, "is a directory; -r converts the files in it");
        } else {
            fail(reports, &mut order, path, "is not a regular file and cannot be replaced");
        }
    }
    Ok(found)
}

fn in_place(found: Vec<Found>, suffix: Option<&OsStr>, reports: &Reports<'_>) -> Result<Vec<Item>, Stop> {
    let is_path =
        |suffix: &OsStr| Path::new(suffix).components().count() > 1 || suffix.as_encoded_bytes().contains(&b'/');
    if suffix.is_some_and(is_path) {
        return Err(Stop::Usage(
            "--in-place: the suffix is appended to the file name and cannot contain a path".into(),
        ));
    }
    let mut items: Vec<Item> = Vec::new();
    let mut seen = HashMap::new();
    for Found { path, metadata, mut order, is_named, .. } in found {
        let resolved = match follow(&path) {
            Ok(resolved) => resolved,
            Err(error) => {
                fail(reports, &mut order, &path, &reason(&error));
                continue;
            }
        };
        let backup = suffix.map(|suffix| with_suffix(&resolved, suffix));
        let name = Name { order, path, resolved, backup };
        // Converting a file twice would destroy its text.
        match seen.entry(identity(&name.path, &metadata)) {
            Entry::Vacant(entry) => {
                entry.insert(items.len());
                let (path, bytes, identity) = (name.path.clone(), metadata.len(), identity(&name.path, &metadata));
                items.push(Item {
                    order,
                    path,
                    bytes,
                    is_named,
                    identity,
                    target: Target::InPlace { name, links: Vec::new() },
                });
            }
            Entry::Occupied(entry) => items[*entry.get()].add_link(name, reports),
        }
    }
    Ok(items)
}

/// Returns the identity of the file of `--table`.
fn table_identity(arguments: &Arguments) -> Option<Identity> {
    let table = arguments.tables.table.as_deref()?;
    Some(identity(table, &table.metadata().ok()?))
}

fn to_output_dir(
    found: Vec<Found>,
    dir: &Path,
    table: Option<Identity>,
    reports: &Reports<'_>,
) -> Result<Vec<Item>, Stop> {
    let inputs: HashMap<_, _> =
        found.iter().map(|found| (identity(&found.path, &found.metadata), found.path.clone())).collect();
    let mut outputs: HashMap<PathBuf, PathBuf> = HashMap::new();
    let mut items = Vec::new();
    for Found { path, relative, metadata, mut order, is_named } in found {
        let output = dir.join(&relative);
        let (resolved, existing) = match output.metadata() {
            Ok(existing) if existing.is_file() => {
                if let Some(input) = inputs.get(&identity(&output, &existing)) {
                    return Err(Stop::Usage(format!(
                        "{} is also an input ({}) and would be overwritten; \
                         choose another directory, or use --in-place",
                        shown(&output),
                        shown(input)
                    )));
                }
                if table == Some(identity(&output, &existing)) {
                    return Err(Stop::Usage(format!(
                        "{} is also the table of --table and would be overwritten; choose another directory",
                        shown(&output)
                    )));
                }
                (follow(&output), Existing::File(existing))
            }
            Ok(_) => (Err(io::Error::other("is not a regular file and cannot be replaced")), Existing::None(0)),
            // A private file stays private.
            Err(error) if error.kind() == io::ErrorKind::NotFound => (follow(&output), Existing::None(mode(&metadata))),
            Err(error) => (Err(error), Existing::None(0)),
        };
        match resolved {
            Ok(resolved) => {
                // Compares real paths: two paths may lead to the same file.
                if let Some(other) = outputs.insert(canonicalize_existing(&resolved), path.clone()) {
                    return Err(Stop::Usage(format!(
                        "--output-dir: {} and {} would both be written to {}; convert them separately",
                        shown(&other),
                        shown(&path),
                        shown(&output)
                    )));
                }
                let target = Target::OutputDir { path: output, resolved, existing };
                let (identity, bytes) = (identity(&path, &metadata), metadata.len());
                items.push(Item { order, path, bytes, is_named, identity, target });
            }
            Err(error) => fail(reports, &mut order, &output, &reason(&error)),
        }
    }
    Ok(items)
}

fn skip(reports: &Reports<'_>, order: &mut usize, path: &Path, Backup { may_be_link, why, .. }: Backup) {
    let mut report = Report::in_place(*order, path);
    if may_be_link {
        report.is_undecided(why);
    } else {
        report.is_backup(why);
    }
    reports.add(report);
    *order += 1;
}

fn fail(reports: &Reports<'_>, order: &mut usize, path: &Path, reason: &str) {
    let mut report = Report::in_place(*order, path);
    report.fail_with(reason.to_owned());
    reports.add(report);
    *order += 1;
}

/// Canonicalizes the part of a path that exists.
fn canonicalize_existing(path: &Path) -> PathBuf {
    let mut missing = PathBuf::new();
    for ancestor in path.ancestors() {
        if let Ok(real) = if ancestor.as_os_str().is_empty() { Path::new(".") } else { ancestor }.canonicalize() {
            return real.join(missing);
        }
        if let Some(name) = ancestor.file_name() {
            missing = if missing.as_os_str().is_empty() { name.into() } else { Path::new(name).join(missing) };
        }
    }
    path.to_owned()
}

fn with_suffix(path: &Path, suffix: &OsStr) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
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
