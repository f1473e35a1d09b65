//! The words of messages: singular and plural, what was written, and what is missing.

use std::fs;

use crate::common::{Dir, RunResult, pipe, with_reasons};

fn run(dir: &Dir, arguments: &str) -> RunResult {
    RunResult::of(&mut dir.textcodec(arguments))
}

#[test]
fn a_failure_at_the_start_says_that_nothing_was_written() {
    for (arguments, input) in [
        ("--strict", &b"\xFF"[..]),
        ("--strict-labels -f ascii", b"\xE9abc"),
        ("--strict-labels -t ascii", "éabc".as_bytes()),
        ("-t koi8-r", "éabc".as_bytes()),
        ("--strict --update-declaration", b"\xFF"),
    ] {
        let result = pipe(arguments, input);
        assert_eq!((result.status, result.stdout.as_slice()), (3, &b""[..]));
        assert!(result.stderr.contains("; nothing was written to standard output"), "{arguments}: {}", result.stderr);
        // In a file, which several threads convert.
        let dir = Dir::with([("in", input), ("ok", b"abc")]);
        let result = dir.convert(&format!("{arguments} in"));
        assert!(result.stderr.contains("; nothing was written to standard output"), "{arguments}: {}", result.stderr);
        let result = dir.convert(&format!("{arguments} --dry-run ok in"));
        assert!(result.stderr.contains("; nothing was written to standard output"), "{arguments}: {}", result.stderr);
        // The first input was written.
        let result = dir.convert(&format!("{arguments} ok in"));
        assert_eq!(result.stdout, b"abc");
        let expected = "; the output before this point was written to standard output";
        assert!(result.stderr.contains(expected), "{arguments}: {}", result.stderr);
    }
    let result = pipe("--strict --bom=add", b"\xFF");
    assert_eq!(result.stdout, b"\xEF\xBB\xBF");
    assert!(result.stderr.contains("the output before this point was written"), "{}", result.stderr);
}

#[test]
fn one_of_something_is_in_the_singular() {
    let dir = Dir::with([("a.html", b"<meta charset=latin1>caf\xE9\n"), ("b", b"b\xE9\n"), ("zero", b"\0")]);
    fs::create_dir(dir.path("d")).unwrap();
    fs::write(dir.path("d/binary"), [0, 1, 2, 3, 0xFF].repeat(100)).unwrap();
    dir.convert("-f latin1 -r --in-place --dry-run --quiet a.html b d").assert_clean("");
    let result = dir.convert("-f latin1 -r --in-place --dry-run a.html b d");
    let expected = "textcodec: 3 files: 2 would be converted, 1 would be skipped, because it does not look like text; \
                    nothing was written\n  \
                    1 would still have the old declaration; --update-declaration corrects it\n  \
                    with the old declaration: a.html\n  \
                    skipped: d/binary: does not look like text: 400 of 500 bytes are control characters; ";
    assert!(result.stderr.contains(expected), "{}", result.stderr);
    let result = run(&dir, "detect zero");
    let text = String::from_utf8(result.stdout).unwrap() + &result.stderr;
    assert!(text.contains("1 of 1 byte is a control character"), "{text}");
    fs::write(dir.path("unit"), b"a\0").unwrap();
    let result = run(&dir, "detect unit");
    let text = String::from_utf8(result.stdout).unwrap() + &result.stderr;
    assert!(text.contains("1 code unit of UTF-16"), "{text}");
}

#[test]
fn an_encoding_that_the_standard_does_not_decode_is_named() {
    let why = "the Encoding Standard does not decode 'iso-2022-kr', for security reasons";
    let advice = "; to decode it, use -f true-iso-2022-kr";
    let dir = Dir::with([("in", b"abc")]);
    let result = run(&dir, "check -f iso-2022-kr in");
    assert_eq!(String::from_utf8(result.stdout).unwrap(), format!("in:1:1: malformed at byte 0: {why}{advice}\n"));
    pipe("-f iso-2022-kr", b"abc")
        .assert_message(1, &format!("standard input: {why}; all of the text was replaced by U+FFFD{advice}"));
    dir.convert("--strict -f iso-2022-kr in -o out")
        .assert_message(3, &format!("in: {why}; nothing was written to out{advice}"));
    for (label, other) in
        [("hz-gb-2312", "true-hz"), ("ISO-2022-KR", "true-iso-2022-kr"), ("csiso2022kr", "true-iso-2022-kr")]
    {
        dir.convert(&format!("-t {label} in"))
            .assert_usage(&format!("--to: the Encoding Standard does not encode '{label}'; use {other}"));
        let result = run(&dir, &format!("check -t {label} in"));
        assert!(result.status == 2 && result.stderr.contains(&format!("; use {other}\n")), "{}", result.stderr);
        assert!(pipe(&format!("-f {label}"), b"abc").stderr.ends_with(&format!("; to decode it, use -f {other}\n")));
        dir.convert(&format!("-f {other} in")).assert_clean("abc");
    }
    // There is no such encoding here.
    assert!(pipe("-f iso-2022-cn", b"abc").stderr.ends_with("; all of the text was replaced by U+FFFD\n"));
    dir.convert("-t iso-2022-cn in")
        .assert_usage("--to: replacement has no encoder; use UTF-8, which can represent all characters");
}

#[test]
fn a_missing_directory_is_named() {
    let dir = Dir::with([("ok.txt", b"ok"), ("in", b"in")]);
    dir.convert("in -o nosuch/x").assert_message(3, "nosuch/x: the directory nosuch does not exist");
    run(&dir, "man -o ok.txt").assert_message(3, &with_reasons("ok.txt: cannot create this directory: File exists"));
}

#[cfg(target_os = "linux")]
#[test]
fn names_in_the_summary_have_their_real_bytes() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _};

    let dir = Dir::new();
    fs::create_dir(dir.path("d")).unwrap();
    for name in [&b"a\xFF"[..], b"b\xFF"] {
        fs::write(dir.path("d").join(OsStr::from_bytes(name)), b"x\xE9 ").unwrap();
    }
    let output = dir.textcodec("convert --in-place -r d").output().unwrap();
    let text = output.stderr.escape_ascii().to_string();
    assert!(
        ["a", "b"].iter().all(|name| text.contains(&format!("\\n  failed: d/{name}\\xff: malformed UTF-8 "))),
        "{text}"
    );
}
