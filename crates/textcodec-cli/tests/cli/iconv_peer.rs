//! `textcodec iconv` next to the iconv(1) of glibc, if it is installed.

use std::{
    io::Read as _,
    os::unix::process::ExitStatusExt as _,
    process::{Command, Stdio},
};

use assert_cmd::cargo::cargo_bin;

use crate::common::Dir;

/// What a program did: its output, its exit status or signal, and the file `out`.
#[derive(Debug, PartialEq, Eq)]
struct Done {
    stdout: Vec<u8>,
    code: Option<i32>,
    signal: Option<i32>,
    out: Vec<u8>,
}

/// Returns whether iconv is that of glibc.
fn is_glibc() -> bool {
    let version = Command::new("iconv").arg("--version").output();
    let is_glibc = version.is_ok_and(|version| String::from_utf8_lossy(&version.stdout).contains("GLIBC"));
    if !is_glibc {
        println!("SKIPPED: iconv of glibc is not installed");
    }
    is_glibc
}

/// Runs a program with files.
fn run(command: &mut Command, arguments: &str, input: &'static [u8]) -> Done {
    let dir = Dir::with([
        ("a", &b"a\xE4b"[..]),
        ("xyz", b"xyz"),
        ("empty", b""),
        ("mark", b"\xFF\xFE"),
        ("out", b"keep"),
        ("input", input),
    ]);
    let input = std::fs::File::open(dir.path("input")).unwrap();
    let output = command.args(arguments.split(' ')).current_dir(dir.path("")).stdin(input).output().unwrap();
    let (code, signal) = (output.status.code(), output.status.signal());
    Done { stdout: output.stdout, code, signal, out: dir.read("out") }
}

fn ours() -> Command {
    let mut command = Command::new(cargo_bin!("textcodec"));
    command.arg("iconv");
    command
}

#[test]
fn the_command_line_does_what_that_of_glibc_does() {
    if !is_glibc() {
        return;
    }
    for (arguments, input) in [
        // Unknown names.
        ("-f FOO xyz", &b""[..]),
        ("-t FOO xyz", b""),
        ("-f FOO -o out xyz", b""),
        ("-f UTF-8-SIGN xyz", b""),
        // An empty text has no byte order mark.
        ("-t UTF-16", b""),
        ("-t UTF-32", b""),
        ("-t UTF-16 empty empty", b""),
        ("-t UTF-32 empty", b""),
        ("-t UTF-16 empty xyz", b""),
        ("-f UTF-16 -t UTF-8", b""),
        // A mark of another encoding is text.
        ("-f UTF-16 -t UTF-8", b"\xEF\xBB\xBFa"),
        ("-f UTF-16 -t UTF-8", b"\xFE\xFF\0a"),
        ("-f UTF-16 -t UTF-16 mark", b""),
        ("-f UTF-16 -t UTF-8 mark", b""),
        ("-f UTF-16 -t UTF-32 mark", b""),
        ("-t UTF-16LE", b""),
        ("-t UTF-7", b""),
        ("-t ISO-2022-JP", b""),
        ("-t ISO-2022-KR", b""),
        ("-t ISO-2022-KR empty xyz", b""),
        ("-t UTF-7-IMAP", b""),
        // Files that are missing or malformed.
        ("missing", b""),
        ("-f latin1 xyz missing a", b""),
        ("-f latin1 missing a xyz missing", b""),
        ("-f latin1 -o out xyz missing a", b""),
        ("-o out missing", b""),
        ("-t UTF-16 empty missing empty", b""),
        ("-t UTF-16 missing xyz", b""),
        ("-f UTF-8 xyz a missing", b""),
        ("-f UTF-8 xyz missing a xyz", b""),
        ("-f latin1 xyz - a", b"input"),
        ("xyz -", b"\xFF"),
        ("-o /nonexistent/out xyz", b""),
        // Characters.
        ("-f UTF-8 -t CP1258", "Ti\u{1EBF}ng Vi\u{1EC7}t".as_bytes()),
        ("-f UTF-8 -t CP1255", "\u{FB2C}".as_bytes()),
        ("-f UTF-8 -t CP932", "\u{301C}\u{2014}\u{2016}\u{A2}\u{A3}\u{AC}".as_bytes()),
        ("-f UTF-8 -t SJIS", "\u{301C}\u{2016}\u{A2}\u{A3}\u{AC}".as_bytes()),
        ("-f UTF-8 -t EUC-JP", "\u{301C}\u{2016}".as_bytes()),
        ("-f UTF-8 -t EUC-KR", "\u{20A9}".as_bytes()),
        ("-f UTF-8 -t ISO-2022-KR", "\u{AC00}\n\u{AC01}\u{4E00}a".as_bytes()),
        ("-f ISO-2022-KR -t UTF-8", b"\x1B$)Ca\x0E0!\x0F\x0E\x0F\x0E0\"\x0F\n"),
        ("-f UTF-8 -t UTF-7-IMAP", "a/\u{E9}&\u{FFFF}\u{1F600}".as_bytes()),
        ("-f UTF-7-IMAP -t UTF-8", b"a/&AOk-&-&AGEA6Q-&,,8-"),
        ("-f UTF-8 -t BIG5-HKSCS", "\u{CA}\u{304}\u{CA}\u{30C}\u{EA}\u{304}\u{EA}\u{30C}\u{CA}".as_bytes()),
    ] {
        let theirs = run(&mut Command::new("iconv"), arguments, input);
        assert_eq!(run(&mut ours(), arguments, input), theirs, "{arguments}");
    }
    // glibc's iconv stops at a directory.
    let done = run(&mut ours(), "-f latin1 xyz . a", b"");
    assert_eq!((done.code, done.stdout.as_slice()), (Some(1), "xyzaäb".as_bytes()));
}

/// If the reader of the output closes it, the program ends by a signal, so that a shell with `pipefail` sees that.
#[test]
fn a_closed_pipe_ends_the_program_as_it_ends_iconv() {
    const SIGPIPE: i32 = 13;

    let end = |mut command: Command, input: &str| {
        let dir = Dir::with([("in", "text\n".repeat(200_000).as_bytes())]);
        let mut child =
            command.arg(input).current_dir(dir.path("")).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdout.take().unwrap().read_exact(&mut [0; 1]).unwrap();
        let output = child.wait_with_output().unwrap();
        (output.status.code(), output.status.signal(), output.stderr)
    };
    assert_eq!(end(ours(), "in"), (None, Some(SIGPIPE), Vec::new()));
    if is_glibc() {
        assert_eq!(end(Command::new("iconv"), "in"), (None, Some(SIGPIPE), Vec::new()));
    }
}
