//! What the commands that examine files and write none have in common.

use std::{
    borrow::Cow,
    io::{self, Write},
    num::NonZeroU32,
    path::{Path, PathBuf},
};

use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::{
    Stop, arguments,
    characters::hex,
    detect::why_binary,
    engine,
    errors::reason,
    input::Input,
    source::looks_like_utf_32,
    terminal::Progress,
    walk::{Found, Selection, Unreadable},
};

/// The part of a command line that selects files, and says how they are read.
#[derive(Debug, Args)]
pub(crate) struct Reading {
    #[command(flatten)]
    selection: Selection,

    /// What to do about the files found by -r that do not look like text; files that are named are always read
    ///
    /// A file does not look like text if it starts like an image, an archive, a program or another known format, or if more than
    /// one in a hundred of its first bytes, or one in ten of valid UTF-8, are control characters that text does not have, unless
    /// they are the zero bytes of UTF-16 or UTF-32.
    #[arg(long, value_enum, value_name = "WHAT", default_value = "skip")]
    binary: Binary,

    /// End each name with a zero byte instead of a line feed, as xargs -0 expects; with -l or -L
    #[arg(short = '0', long, requires = "names")]
    null: bool,

    /// Number of files that are read at the same time [default: number of processors]
    #[arg(short, long, value_name = "N", allow_negative_numbers = true, value_parser = arguments::count)]
    jobs: Option<NonZeroU32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Binary {
    /// Skip them; check says how many there are, detect only if it found no other files
    Skip,
    /// Read them like the files that are named
    Include,
}

/// A file to read, or standard input.
pub(crate) struct Selected {
    pub(crate) input: Input,
    /// The size of a regular file.
    bytes: Option<u64>,
    /// Whether the input is named on the command line. Otherwise it was found in a directory.
    is_named: bool,
    /// Why the input cannot be read, if that is already known.
    problem: Option<String>,
}

/// Why a file is not examined.
#[derive(Debug)]
pub(crate) enum Unread {
    /// It does not look like text.
    Binary,
    /// It cannot be read, for this reason.
    Failed(String),
}

impl From<io::Error> for Unread {
    fn from(error: io::Error) -> Self {
        Self::Failed(reason(&error))
    }
}

impl Reading {
    /// Lists the inputs: the ones that are named, and the files in directories that are named.
    pub(crate) fn inputs(&self) -> Result<Vec<Selected>, Stop> {
        let Selection { files, recursive, .. } = &self.selection;
        let filter = self.selection.filter()?;
        if files.is_empty() && *recursive {
            return Ok(filter.walk(Path::new("."), |_| false).map(Selected::in_current_directory).collect());
        }
        if files.is_empty() {
            return Ok(vec![Selected::named(Path::new("-"))]);
        }
        let mut inputs = Vec::new();
        for path in files {
            if *recursive && path != Path::new("-") && path.is_dir() {
                inputs.extend(filter.walk(path, |_| false).map(Selected::found));
            } else {
                inputs.push(Selected::named(path));
            }
        }
        Ok(inputs)
    }

    pub(crate) fn threads(&self) -> usize {
        self.jobs.map_or_else(engine::processors, |jobs| jobs.get() as usize)
    }

    /// Returns whether a file is examined, or why not. `may_be_binary` says that the test for text does not apply.
    pub(crate) fn select(&self, selected: &Selected, may_be_binary: bool) -> Result<(), Unread> {
        if let Some(problem) = &selected.problem {
            return Err(Unread::Failed(problem.clone()));
        }
        if !may_be_binary
            && self.skips_binary(selected)
            && why_binary(&mut selected.input.open()?)?.is_some()
            && !looks_like_utf_32(&selected.input)
        {
            return Err(Unread::Binary);
        }
        Ok(())
    }

    /// Returns whether a file is skipped if it does not look like text.
    pub(crate) fn skips_binary(&self, selected: &Selected) -> bool {
        !selected.is_named && self.binary == Binary::Skip
    }

    /// Writes a name, for `-l` and `-L`.
    pub(crate) fn write_name(&self, name: &[u8], out: &mut dyn Write) -> io::Result<()> {
        out.write_all(name)?;
        out.write_all(if self.null { b"\0" } else { b"\n" })
    }
}

impl Selected {
    fn named(path: &Path) -> Self {
        let input = Input::new(path);
        let is_dir = matches!(&input, Input::File(path) if path.is_dir());
        let problem = is_dir.then(|| "is a directory; -r reads the files in it".to_owned());
        Self { bytes: input.size(), input, is_named: true, problem }
    }

    fn found(found: Result<Found, Unreadable>) -> Self {
        let (path, bytes, problem) = match found {
            Ok(Found { path, metadata, .. }) => (path, Some(metadata.len()), None),
            Err((path, problem)) => (path, Some(0), Some(problem)),
        };
        Self { input: Input::File(path), bytes, is_named: false, problem }
    }

    /// Like [`found`](Self::found), without the dot at the start of the path, unless the name would look like an option.
    fn in_current_directory(found: Result<Found, Unreadable>) -> Self {
        let short = |path: PathBuf| match path.strip_prefix(".") {
            Ok(rest) if !matches!(rest.as_os_str().as_encoded_bytes(), [] | [b'-', ..]) => rest.to_owned(),
            _ => path,
        };
        Self::found(match found {
            Ok(found) => Ok(Found { path: short(found.path), ..found }),
            Err((path, problem)) => Err((short(path), problem)),
        })
    }
}

/// Creates a progress bar for commands that print lines about these inputs.
pub(crate) fn progress(inputs: &[Selected]) -> Progress {
    let reads_stdin = inputs.iter().any(|selected| matches!(selected.input, Input::Stdin));
    Progress::for_lines(inputs.iter().map(|selected| selected.bytes).sum(), reads_stdin)
}

/// The path of an input as JSON.
#[derive(Serialize)]
pub(crate) struct JsonPath<'a> {
    pub(crate) path: Cow<'a, str>,
    /// The bytes of a path that is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) path_hex: Option<String>,
}

impl<'a> JsonPath<'a> {
    pub(crate) fn new(input: &'a Input) -> Self {
        match input {
            Input::Stdin => Self { path: "-".into(), path_hex: None },
            Input::File(path) => {
                let bytes = path.as_os_str().as_encoded_bytes();
                let path_hex = path.to_str().is_none().then(|| hex(bytes).replace(' ', ""));
                Self { path: path.to_string_lossy(), path_hex }
            }
        }
    }
}
