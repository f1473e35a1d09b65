//! Helpers for the tests: a temporary directory in which the program runs, and the result of a run.

use std::{
    fs,
    io::{self, ErrorKind},
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    thread,
    time::Duration,
};

use assert_cmd::cargo::cargo_bin;
use tempfile::TempDir;
use textcodec::DecodeReason;

/// A temporary directory for a test, in which the program runs.
pub(crate) struct Dir(TempDir);

impl Dir {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Creates a directory with these files.
    pub(crate) fn with<const N: usize>(files: [(&str, &[u8]); N]) -> Self {
        let dir = Self::new();
        for (name, bytes) in files {
            fs::write(dir.path(name), bytes).unwrap();
        }
        dir
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// Returns the sorted names in the directory, including those of temporary files.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(self.0.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// Returns the command `textcodec` with arguments separated by spaces, the subcommand first.
    pub(crate) fn textcodec(&self, arguments: &str) -> Command {
        let mut command = Command::new(cargo_bin!("textcodec"));
        command.current_dir(self.0.path()).args(arguments.split_whitespace()).stdin(Stdio::null());
        command
    }

    /// Returns the command `textcodec convert` with arguments separated by spaces.
    pub(crate) fn convert_command(&self, arguments: &str) -> Command {
        self.textcodec(&format!("convert {arguments}"))
    }

    /// Runs `textcodec convert`.
    pub(crate) fn convert(&self, arguments: &str) -> RunResult {
        RunResult::of(&mut self.convert_command(arguments))
    }

    /// Runs `textcodec convert` with a file as standard input.
    pub(crate) fn convert_stdin(&self, file: &str, arguments: &str) -> RunResult {
        RunResult::of(self.convert_command(arguments).stdin(fs::File::open(self.path(file)).unwrap()))
    }
}

/// Starts a process, and tries again if that failed for a reason that passes.
fn retried(mut start: impl FnMut() -> io::Result<Output>) -> Output {
    /// Rarely, Wine cannot start a process.
    const ERROR_INTERNAL_ERROR: i32 = 1359;
    /// Rarely, Wine cannot initialise a library of a process. It ends with this status, and its program does not run.
    const STATUS_DLL_INIT_FAILED: i32 = 0xC000_0142_u32.cast_signed();

    let mut not_run = 0;
    loop {
        match start() {
            // A process that another thread has just started may still have this copy of the program open for writing.
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => {}
            Err(error) if cfg!(windows) && error.raw_os_error() == Some(ERROR_INTERNAL_ERROR) => {}
            Ok(output) if cfg!(windows) && output.status.code() == Some(STATUS_DLL_INIT_FAILED) && not_run < 3 => {
                not_run += 1;
            }
            output => return output.unwrap(),
        }
        thread::sleep(Duration::from_millis(10));
    }
}

/// Runs `textcodec convert` with bytes on standard input.
pub(crate) fn pipe(arguments: &str, input: &[u8]) -> RunResult {
    RunResult::with_input(&format!("convert {arguments}"), input)
}

/// The result of a run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RunResult {
    pub(crate) status: i32,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl RunResult {
    pub(crate) fn of(command: &mut Command) -> Self {
        retried(|| command.output()).into()
    }

    /// Runs the program in a new directory, with bytes on standard input.
    pub(crate) fn with_input(arguments: &str, input: &[u8]) -> Self {
        let dir = Dir::new();
        retried(|| assert_cmd::Command::from_std(dir.textcodec(arguments)).write_stdin(input).output()).into()
    }

    /// Asserts status 0, no messages, and this standard output.
    #[track_caller]
    pub(crate) fn assert_clean(&self, stdout: impl AsRef<[u8]>) {
        assert_eq!((self.status, self.stderr.as_str()), (0, ""));
        assert_eq!(self.stdout.escape_ascii().to_string(), stdout.as_ref().escape_ascii().to_string());
    }

    /// Asserts this status, and no messages.
    #[track_caller]
    pub(crate) fn assert_message_free(&self, status: i32) {
        assert_eq!((self.status, self.stderr.as_str()), (status, ""));
    }

    /// Asserts this status, and this message after the program's name. Expands [`reasons`](with_reasons).
    #[track_caller]
    pub(crate) fn assert_message(&self, status: i32, message: &str) {
        let expected = as_on_unix(&format!("textcodec: {}\n", with_reasons(message)));
        assert_eq!((self.status, self.stderr.clone()), (status, expected));
    }

    /// Asserts status 2, and this message followed by clap's usage of `textcodec convert`.
    #[track_caller]
    pub(crate) fn assert_usage(&self, message: &str) {
        assert_eq!((self.status, self.stdout.as_slice()), (2, &b""[..]), "{self:?}");
        let expected = format!("error: {message}\n\nUsage: textcodec convert [OPTIONS] [FILE]...\n");
        assert!(self.stderr.starts_with(&expected), "{}", self.stderr);
    }

    /// Asserts status 2, and clap's usage of this command on standard error.
    #[track_caller]
    pub(crate) fn assert_usage_of(&self, command: &str) {
        assert_eq!((self.status, self.stdout.as_slice()), (2, &b""[..]), "{self:?}");
        assert!(self.stderr.contains(&format!("\nUsage: textcodec {command} ")), "{}", self.stderr);
    }

    /// Asserts status 2, and clap's message about the value of an option, which ends like this.
    #[track_caller]
    pub(crate) fn assert_invalid_value(&self, message: &str) {
        assert_eq!((self.status, self.stdout.as_slice()), (2, &b""[..]), "{self:?}");
        let is_it = self.stderr.starts_with("error: ") && self.stderr.contains(&format!("': {message}"));
        assert!(is_it, "{}", self.stderr);
    }
}

impl From<Output> for RunResult {
    fn from(output: Output) -> Self {
        Self {
            status: output.status.code().expect("ended by a signal"),
            stdout: output.stdout,
            // Names of files may not be UTF-8.
            stderr: as_on_unix(&String::from_utf8_lossy(&output.stderr)),
        }
    }
}

/// Replaces what differs on Windows: separators in paths, and the texts of the most common errors.
pub(crate) fn as_on_unix(text: &str) -> String {
    if cfg!(unix) {
        return text.to_owned();
    }
    // But not in U+001B '\u{1b}' and U+005C '\\'.
    let mut text = text.replace('\\', "/").replace("/u{", "\\u{").replace("/u0", "\\u0").replace("'//'", r"'\\'");
    for (number, on_unix) in [(2, "No such file or directory"), (3, "Not a directory"), (183, "File exists")] {
        let on_windows = io::Error::from_raw_os_error(number).to_string();
        let (on_windows, _) = on_windows.split_once(" (os error").unwrap();
        text = text.replace(on_windows.trim_end_matches('.'), on_unix);
    }
    text
}

/// Returns whether `script` provides a terminal. Minimal containers have none.
pub(crate) fn has_terminal() -> bool {
    let status = Command::new("script").args(["-qec", "true", "/dev/null"]).stdin(Stdio::null()).output();
    let problem = match status {
        Ok(output) if output.status.success() => return true,
        Ok(output) => String::from_utf8_lossy(&output.stderr).trim().to_owned(),
        Err(error) => format!("script: {error}"),
    };
    eprintln!("SKIPPED: no terminal ({problem})");
    let is_strict = cfg!(unix) && std::env::var("CI_STRICT").as_deref() == Ok("1");
    assert!(!is_strict, "no terminal ({problem})");
    false
}

/// Runs a shell command on a terminal and returns its status and what was written to the terminal.
pub(crate) fn on_terminal(dir: &Dir, shell: &str) -> (i32, String) {
    let shell = shell.replace("textcodec", &cargo_bin!("textcodec").display().to_string());
    let output = Command::new("script")
        .args(["-qec", &shell, "/dev/null"])
        .env("TERM", "xterm")
        .env_remove("NO_COLOR")
        .current_dir(dir.path(""))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
}

/// Replaces the names of reasons, such as `{InvalidByte}`, by the library's descriptions of them.
pub(crate) fn with_reasons(text: &str) -> String {
    let reasons = [
        DecodeReason::InvalidByte,
        DecodeReason::Interrupted,
        DecodeReason::Unmapped,
        DecodeReason::Incomplete,
        DecodeReason::UnpairedSurrogate,
        DecodeReason::UnknownEscape,
        DecodeReason::Replacement,
    ];
    reasons.iter().fold(text.to_owned(), |text, reason| text.replace(&format!("{{{reason:?}}}"), &reason.to_string()))
}

/// Returns the samples that have an original: path, encoding, and path of the original.
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

/// Returns the directory of the samples.
pub(crate) fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples")
}

/// Returns a command that runs another one under strace with these options, or `None` where strace does not work.
#[cfg(unix)]
pub(crate) fn strace(dir: &Dir, options: &[&str]) -> Option<Command> {
    let strace = |options: &[&str]| {
        let mut command = Command::new("strace");
        command.args(["-f", "-qq"]).args(options).current_dir(dir.path("")).stdin(Stdio::null());
        command
    };
    let mut works = strace(&["-o", "/dev/null", "-e", "trace=none"]);
    if works.arg("true").status().is_ok_and(|status| status.success()) {
        return Some(strace(options));
    }
    assert_ne!(std::env::var("CI_STRICT").as_deref(), Ok("1"), "strace does not work");
    println!("SKIPPED: strace does not work");
    None
}
