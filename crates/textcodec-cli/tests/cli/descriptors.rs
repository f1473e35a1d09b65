//! Closed and full standard streams, and inputs that become shorter.

use std::{
    fs::{self, OpenOptions},
    io::Read as _,
    process::{Command, Stdio},
};

use assert_cmd::cargo::cargo_bin;

use crate::common::{Dir, RunResult};

/// Runs a command line in a shell, in which `textcodec` is the program.
fn shell(dir: &Dir, line: &str) -> RunResult {
    let line = line.replace("textcodec", &cargo_bin!("textcodec").display().to_string());
    RunResult::of(Command::new("sh").args(["-c", &line]).current_dir(dir.path("")).stdin(Stdio::null()))
}

#[test]
fn closed_standard_streams_are_errors_if_they_are_used() {
    let dir = Dir::with([("a", b"text"), ("broken", b"\xFF")]);
    for (line, message) in [
        ("textcodec convert a >&-", "standard output: is closed"),
        ("textcodec convert a a >&-", "standard output: is closed"),
        ("textcodec iconv -f utf-8 a >&-", "standard output: is closed"),
        ("textcodec list >&-", "standard output: is closed"),
        ("textcodec check broken >&-", "standard output: is closed"),
        ("textcodec detect a >&-", "standard output: is closed"),
        ("textcodec --help >&-", "standard output: is closed"),
        ("textcodec convert <&-", "standard input: is closed"),
        ("textcodec convert a - <&-", "standard input: is closed"),
        ("textcodec convert - -o out <&-", "standard input: is closed"),
        ("textcodec detect <&-", "standard input: is closed"),
        ("textcodec check <&-", "standard input: is closed"),
        ("textcodec convert -f windows-1252 /dev/stdin -o out <&-", "/dev/stdin: is closed"),
        ("textcodec convert a /dev/fd/0 -o out <&-", "/dev/fd/0: is closed"),
        ("textcodec iconv -f latin1 /proc/self/fd/0 -o out <&-", "/proc/self/fd/0: is closed"),
        ("textcodec check /dev/stdin <&-", "/dev/stdin: is closed"),
        ("textcodec detect /dev/stdin <&-", "/dev/stdin: is closed"),
        ("ln -s /dev/stdin link; textcodec check link <&-", "link: is closed"),
        ("textcodec convert a -o /dev/stdout >&-", "/dev/stdout: is closed"),
    ] {
        let result = shell(&dir, line);
        let status = if line.contains(" iconv ") { 1 } else { 3 };
        assert_eq!((result.status, result.stderr.contains(message)), (status, true), "{line}: {}", result.stderr);
    }
    // There is nowhere to say so.
    for path in ["/dev/stderr", "/dev/fd/2", "/proc/self/fd/2"] {
        assert_eq!(shell(&dir, &format!("textcodec convert a -o {path} 2>&-")).status, 3, "{path}");
    }
    assert!(!dir.path("out").exists());
    // What is not used may be closed, and the null device is not closed.
    for line in [
        "textcodec convert a -o out >&- <&-",
        "textcodec convert a >/dev/null",
        "textcodec convert a <>/dev/null >&0",
        "textcodec convert </dev/null",
        "textcodec check -q a >&-",
        "textcodec convert a 2>&-",
        "textcodec convert a -o /dev/null 2>&- <&-",
        "textcodec convert a -o /dev/fd/1 <&- 2>&-",
        "textcodec convert /dev/fd/3 3<a <&- 2>&-",
        "textcodec check /dev/stdin </dev/null 2>&-",
    ] {
        assert_eq!(shell(&dir, line).status, 0, "{line}");
    }
    assert_eq!(dir.read("out"), b"text");
}

#[test]
fn help_on_a_full_device_is_a_failure() {
    let dir = Dir::new();
    for line in
        ["textcodec --help", "textcodec convert --help", "textcodec --version", "textcodec list", "textcodec man"]
    {
        let result = shell(&dir, &format!("{line} >/dev/full"));
        assert_eq!(
            (result.status, result.stderr.as_str()),
            (3, "textcodec: standard output: No space left on device\n"),
            "{line}"
        );
    }
}

#[test]
fn an_input_that_becomes_shorter_is_an_error() {
    let dir = Dir::new();
    for (from, to) in [("utf-8", "utf-8"), ("windows-1252", "shift_jis"), ("iso-2022-jp", "utf-8")] {
        fs::write(dir.path("in"), "text\n".repeat(4 << 20)).unwrap();
        let mut child = dir
            .convert_command(&format!("-f {from} -t {to} in"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The program waits until the pipe is read.
        let mut output = child.stdout.take().unwrap();
        output.read_exact(&mut [0; 4]).unwrap();
        OpenOptions::new().write(true).open(dir.path("in")).unwrap().set_len(10 << 20).unwrap();
        std::io::copy(&mut output, &mut std::io::sink()).unwrap();
        let result = RunResult::from(child.wait_with_output().unwrap());
        result.assert_message(
            3,
            "in: became shorter while it was read: 10485760 bytes instead of 20971520; \
             the output before this point was written to standard output",
        );
    }
}

#[test]
fn files_of_the_kernel_that_are_shorter_than_their_size_are_read() {
    let path = "/sys/kernel/mm/transparent_hugepage/enabled";
    if fs::metadata(path).is_ok_and(|file| file.len() > 100) {
        Dir::new().convert(path).assert_clean(fs::read(path).unwrap());
    } else {
        println!("SKIPPED: {path} does not exist");
    }
}
