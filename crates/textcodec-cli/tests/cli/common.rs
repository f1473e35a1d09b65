//! What the tests share: the binary in a folder of its own, and what it said.

use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use assert_cmd::cargo::cargo_bin;
use tempfile::TempDir;

/// A folder of its own for a test, in which the binary runs.
pub(crate) struct Place(TempDir);

impl Place {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// With these files.
    pub(crate) fn with<const N: usize>(files: [(&str, &[u8]); N]) -> Self {
        let place = Self::new();
        for (name, bytes) in files {
            fs::write(place.path(name), bytes).unwrap();
        }
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// The names in the folder, sorted: a temporary file that is left behind would be among them.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(self.0.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// `textcodec`, with arguments separated by spaces, the subcommand first.
    pub(crate) fn textcodec(&self, arguments: &str) -> Command {
        let mut command = Command::new(cargo_bin!("textcodec"));
        command.current_dir(self.0.path()).args(arguments.split_whitespace()).stdin(Stdio::null());
        command
    }

    /// `textcodec convert`, with arguments separated by spaces.
    pub(crate) fn command(&self, arguments: &str) -> Command {
        self.textcodec(&format!("convert {arguments}"))
    }

    pub(crate) fn run(&self, arguments: &str) -> Ran {
        Ran::of(&mut self.command(arguments))
    }

    /// With a file as standard input.
    pub(crate) fn run_from(&self, file: &str, arguments: &str) -> Ran {
        Ran::of(self.command(arguments).stdin(fs::File::open(self.path(file)).unwrap()))
    }
}

/// With bytes on standard input.
pub(crate) fn pipe(arguments: &str, input: &[u8]) -> Ran {
    let place = Place::new();
    let output = assert_cmd::Command::from_std(place.command(arguments)).write_stdin(input).output().unwrap();
    Ran::from(output)
}

/// What a run has left.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) status: i32,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl Ran {
    pub(crate) fn of(command: &mut Command) -> Self {
        loop {
            match command.output() {
                // A copy of the program, which a process that another thread has just started still has open for writing.
                Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => thread::sleep(Duration::from_millis(10)),
                output => return output.unwrap().into(),
            }
        }
    }

    /// Status 0, nothing said, and this on standard output.
    #[track_caller]
    pub(crate) fn is_clean(&self, stdout: impl AsRef<[u8]>) {
        assert_eq!((self.status, self.stderr.as_str()), (0, ""));
        assert_eq!(self.stdout.escape_ascii().to_string(), stdout.as_ref().escape_ascii().to_string());
    }

    /// This status and, on standard error, this one line behind the program's name.
    #[track_caller]
    pub(crate) fn says(&self, status: i32, line: &str) {
        assert_eq!((self.status, self.stderr.clone()), (status, format!("textcodec: {line}\n")));
    }

    /// Status 2 and this on standard error, with clap's usage below.
    #[track_caller]
    pub(crate) fn is_usage(&self, message: &str) {
        assert_eq!((self.status, self.stdout.as_slice()), (2, &b""[..]), "{self:?}");
        let expected = format!("error: {message}\n\nUsage: textcodec convert [OPTIONS] [FILE]...\n");
        assert!(self.stderr.starts_with(&expected), "{}", self.stderr);
    }

    /// Status 2, and the usage of this command on standard error.
    #[track_caller]
    pub(crate) fn is_usage_of(&self, command: &str) {
        assert_eq!((self.status, self.stdout.as_slice()), (2, &b""[..]), "{self:?}");
        assert!(self.stderr.contains(&format!("\nUsage: textcodec {command} ")), "{}", self.stderr);
    }
}

impl From<std::process::Output> for Ran {
    fn from(output: std::process::Output) -> Self {
        Self {
            status: output.status.code().expect("ended by a signal"),
            stdout: output.stdout,
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// The samples that have an original: path, encoding, and the original's path.
pub(crate) fn encoded_samples() -> Vec<(PathBuf, String, PathBuf)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(samples()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if let [text, encoding, extension] = name.split('.').collect::<Vec<_>>()[..] {
            found.push((path, encoding.to_owned(), samples().join(format!("{text}.utf-8.{extension}"))));
        }
    }
    assert!(found.len() > 50, "{} samples", found.len());
    found
}

/// The folder of the samples.
pub(crate) fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples")
}
