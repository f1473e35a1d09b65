//! Recognises the backups of earlier runs, which are mostly the only copies of the original texts.

use std::{
    ffi::{OsStr, OsString},
    fs::{self, File, Metadata},
    io::{self, BufReader, Read as _, Write},
    path::Path,
};

use super::{Arguments, Settings};
use crate::{
    engine::{ConvertError, Engine, Tally},
    input::Input,
    output::Output,
    screen::{self, shown},
    source,
    walk::identity,
};

/// Recognises backups, if files are converted in place.
pub(super) struct Backups<'a> {
    is_in_place: bool,
    /// Whether only the suffix of this run counts.
    force: bool,
    /// The suffix of the backups of this run.
    suffix: Option<OsString>,
    settings: &'a Settings,
}

/// A file that is the backup of another one.
pub(super) struct Backup {
    /// Whether the other one exists.
    pub(super) has_original: bool,
    /// Whether the other one is the same file, and nothing else tells that this is a backup.
    pub(super) may_be_link: bool,
    /// Why the file is taken for a backup.
    pub(super) why: String,
}

impl<'a> Backups<'a> {
    pub(super) fn new(arguments: &Arguments, settings: &'a Settings) -> Self {
        Self {
            is_in_place: arguments.in_place.is_some(),
            force: arguments.force,
            suffix: arguments.in_place.clone().flatten().filter(|suffix| !suffix.is_empty()),
            settings,
        }
    }

    /// Returns whether a file is a backup: its name ends with the suffix of this run, or with a common one, or it is the name of
    /// another file and any suffix, and this run would convert it to the content of that file.
    ///
    /// Nothing must have been converted in this run. Otherwise the answer would depend on the order of the files.
    pub(super) fn find(&self, path: &Path, metadata: &Metadata) -> Option<Backup> {
        let name = path.file_name().filter(|_| self.is_in_place)?.as_encoded_bytes();
        let parts = || (1..name.len()).map(|len| name.split_at(len));
        let is_suffix = |suffix: &[u8]| is_common(suffix) && !self.force || self.is_own(suffix);
        for (stem, suffix) in parts().filter(|(_, suffix)| suffix[0].is_ascii_punctuation() || self.is_own(suffix)) {
            let Some(original) = file_name(stem).map(|stem| path.with_file_name(stem)) else { continue };
            let Some(found) = fs::symlink_metadata(&original).ok().filter(Metadata::is_file) else { continue };
            let backup = |may_be_link, what| {
                let why = format!("it is {what} {}", shown(&original));
                Some(Backup { has_original: true, may_be_link, why })
            };
            if is_suffix(suffix) {
                return backup(false, "a backup of");
            }
            if self.force {
                continue;
            }
            // After an interrupted run, a backup is another name of its file.
            if identity(&original, &found) == identity(path, metadata) {
                return backup(true, "another name, and perhaps a backup, of");
            }
            if self.converts_to(path, &original).is_ok() {
                return backup(false, "a backup of");
            }
        }
        // Its file may have been renamed or removed since, and then it is all that is left.
        let (_, suffix) = parts().find(|(_, suffix)| is_suffix(suffix))?;
        let suffix = screen::escaped(&String::from_utf8_lossy(suffix));
        Some(Backup {
            has_original: false,
            may_be_link: false,
            why: format!("its name ends with {suffix}, like a backup"),
        })
    }

    fn is_own(&self, suffix: &[u8]) -> bool {
        self.suffix.as_ref().is_some_and(|own| own.as_encoded_bytes() == suffix)
    }

    /// Fails at the first difference between what a file is converted to and another file.
    fn converts_to(&self, path: &Path, converted: &Path) -> Result<(), ConvertError> {
        let Settings { from, input_bom, recipe, .. } = *self.settings;
        let opened = source::open_text(&Input::File(path.to_owned()), from, input_bom).map_err(ConvertError::Read)?;
        let expected = Expected(BufReader::new(File::open(converted).map_err(ConvertError::Read)?));
        let mut engine = Engine::new(recipe, Output::Direct(Box::new(expected)), 1)
            .map_err(|error| ConvertError::Write(io::Error::other(error)))?;
        if self.settings.writes_bom(opened.bom > 0) {
            engine.write_bom()?;
        }
        engine.convert(opened.source, &mut Tally::default())?;
        engine.finish()?.0.commit(false)
    }
}

/// An output that must be equal to a file. Flushing it ends it.
struct Expected(BufReader<File>);

impl Write for Expected {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut expected = vec![0; bytes.len()];
        self.0.read_exact(&mut expected)?;
        if expected == bytes { Ok(bytes.len()) } else { Err(io::Error::other("differs")) }
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.0.read(&mut [0])? == 0 { Ok(()) } else { Err(io::Error::other("is longer")) }
    }
}

/// Returns the file name that consists of these bytes, which come from another one.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "as on Windows")]
fn file_name(bytes: &[u8]) -> Option<&OsStr> {
    Some(std::os::unix::ffi::OsStrExt::from_bytes(bytes))
}

#[cfg(not(unix))]
fn file_name(bytes: &[u8]) -> Option<&OsStr> {
    str::from_utf8(bytes).ok().map(OsStr::new)
}

/// Returns whether programs that convert or edit files commonly use this suffix for backups: `.bak`, `~`, `.~1~`.
fn is_common(suffix: &[u8]) -> bool {
    let suffix = suffix.to_ascii_lowercase();
    let numbered = suffix.strip_prefix(b".~").and_then(|rest| rest.strip_suffix(b"~"));
    COMMON.contains(&&*suffix) || numbered.is_some_and(|number| number.iter().all(u8::is_ascii_digit))
}

const COMMON: [&[u8]; 7] = [b".bak", b".orig", b".original", b".old", b".save", b".backup", b"~"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_suffixes_are_known_in_any_case() {
        for suffix in [".bak", ".BAK", ".orig", "~", ".~1~", ".~23~"] {
            assert!(is_common(suffix.as_bytes()), "{suffix}");
        }
        for suffix in [".txt", ".~a~", ".bak.txt", "bak", "", "~~"] {
            assert!(!is_common(suffix.as_bytes()), "{suffix}");
        }
    }
}
