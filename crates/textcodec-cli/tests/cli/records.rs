//! Records of a fixed length: `--record-length`.

use std::fs;

use textcodec::oem::IBM1047;

use crate::common::{Dir, pipe};

fn ebcdic(text: &str) -> Vec<u8> {
    IBM1047.encode(text).unwrap().into_owned()
}

#[test]
fn lines_become_records_and_records_lines() {
    let text = "first\n\nthird line\nlast";
    let records = "first               third linelast      ";
    pipe("-t IBM1047 --record-length 10", text.as_bytes()).assert_clean(ebcdic(records));
    pipe("-f IBM1047 --record-length 10", &ebcdic(records))
        .assert_clean("first     \n          \nthird line\nlast      \n");
    pipe("-f IBM1047 --record-length 10 --trim", &ebcdic(records)).assert_clean("first\n\nthird line\nlast\n");
    // Any single-byte encoding, both line ends, and both sides.
    pipe("-t windows-1252 --record-length 6", "é\r\nab\rcd\n".as_bytes()).assert_clean(b"\xE9     ab\rcd ");
    pipe("-f IBM1047 -t IBM037 --record-length in:4,out:6", &ebcdic("ab  [cd]"))
        .assert_clean(textcodec::oem::IBM037.encode("ab    [cd]  ").unwrap());
    pipe("-f IBM1047 -t IBM1047 --record-length in:4 --trim", &ebcdic("ab  abcd")).assert_clean(ebcdic("ab\nabcd\n"));
    pipe("-t IBM1047 --newline-at-15 --record-length 3", b"a\nb").assert_clean(ebcdic("a  b  "));
    pipe("-f IBM1047 --newline-at-15 --record-length 3", &ebcdic("a  b  ")).assert_clean("a  \nb  \n");
    // No text, no records.
    for arguments in ["-t IBM1047 --record-length 80", "-f IBM1047 --record-length 80"] {
        pipe(arguments, b"").assert_clean("");
    }
    // The bytes of a record are no byte order mark.
    pipe("-f windows-1252 --record-length 3", b"\xEF\xBB\xBF").assert_clean("ï»¿\n");
}

#[test]
fn a_line_that_is_too_long_changes_nothing() {
    let dir = Dir::with([("in", b"abc\nabcd\n"), ("out", b"original"), ("more", b"one\ntwo\nten\nand\nyou\n")]);
    let message = |after: &str| {
        format!("in: line 2 is longer than a record of 3 bytes; {after}; to continue, use a larger --record-length")
    };
    dir.convert("-t IBM1047 --record-length 3 in -o out").assert_message(3, &message("nothing was written to out"));
    dir.convert("-t IBM1047 --record-length 3 --in-place in").assert_message(3, &message("the file is unchanged"));
    dir.convert("-t IBM1047 --record-length 3 in more --output-dir d");
    assert_eq!((dir.read("out"), dir.read("in")), (b"original".to_vec(), b"abc\nabcd\n".to_vec()));
    assert_eq!((dir.path("d/in").exists(), dir.read("d/more")), (false, ebcdic("onetwotenandyou")));
    // In a stream, the records before it have been written.
    let result = pipe("-t IBM1047 --record-length 3", b"abc\nabcd\n");
    assert_eq!((result.status, result.stdout), (3, ebcdic("abc")));
    // The line is that of its own input.
    fs::write(dir.path("two"), "a\n\nabcd").unwrap();
    let result = dir.convert("-t IBM1047 --record-length 3 more two -o out");
    assert!(result.stderr.contains("two: line 3 is longer than a record of 3 bytes"), "{}", result.stderr);
    // A huge line is refused before it is read to its end.
    let huge = pipe("-t IBM1047 --record-length 80", &vec![b'a'; 10_000_000]);
    assert!(huge.status == 3 && huge.stderr.contains("line 1 is longer than a record of 80 bytes"), "{}", huge.stderr);
    assert_eq!(dir.names(), ["d", "in", "more", "out", "two"]);
}

#[test]
fn an_incomplete_record_changes_nothing() {
    let bytes = ebcdic("abcdefgh");
    let dir = Dir::with([("in", &bytes), ("out", b"original")]);
    let message = |after: &str| {
        format!(
            "in: the last record, at byte 6, has 2 bytes instead of 3; {after}; if the records have another length, give it with \
             --record-length"
        )
    };
    dir.convert("-f IBM1047 --record-length 3 in -o out").assert_message(3, &message("nothing was written to out"));
    dir.convert("-f IBM1047 --record-length 3 --in-place in").assert_message(3, &message("the file is unchanged"));
    assert_eq!((dir.read("out"), dir.read("in")), (b"original".to_vec(), bytes));
    // Each input has whole records.
    fs::write(dir.path("one"), ebcdic("a")).unwrap();
    fs::write(dir.path("two"), ebcdic("bc")).unwrap();
    assert_eq!(dir.convert("-f IBM1047 --record-length 3 one two -o out").status, 3);
}

#[test]
fn offsets_and_lines_are_those_of_the_input() {
    // 70 has no character in IBM424.
    let mut bytes = textcodec::oem::IBM424.encode(&"ab      ".repeat(50_000)).unwrap().into_owned();
    bytes[300_007] = 0x70;
    bytes[300_009] = 0x70;
    let dir = Dir::with([("in", &bytes)]);
    for trim in ["", "--trim"] {
        let strict = dir.convert(&format!("-f IBM424 --record-length 8 {trim} --strict in"));
        assert!(strict.stderr.contains("in: malformed IBM424 at byte 300007 (70)"), "{}", strict.stderr);
        let replaced = dir.convert(&format!("-f IBM424 --record-length 8 {trim} in"));
        assert_eq!(replaced.status, 1);
        assert!(
            replaced.stderr.contains("2 malformed sequences replaced by U+FFFD; the first at byte 300007 (70)"),
            "{}",
            replaced.stderr
        );
        let text = String::from_utf8(replaced.stdout).unwrap();
        assert_eq!(text.lines().count(), 50_000);
        assert_eq!(text.lines().all(|line| line.len() == 2 || line.contains('\u{FFFD}')), trim == "--trim");
    }
    let unmappable = pipe("-f IBM1047 -t us-ascii --record-length in:2", &ebcdic("ab£d"));
    assert!(unmappable.stderr.contains("at line 2, column 1: U+00A3"), "{}", unmappable.stderr);
}

#[test]
fn a_line_feed_in_a_record_is_reported() {
    let result = pipe("-f IBM1047 --record-length 2", &ebcdic("a\nbc\n\n"));
    assert_eq!(result.stdout, b"a\n\nbc\n\n\n\n");
    result.assert_message(
        0,
        "standard input: 2 records have a line feed in them, and are several lines each in the output",
    );
    // Byte 15 is no line end there.
    pipe("-f IBM1047 --record-length 2", b"\x81\x15").assert_clean("a\u{85}\n");
}

#[test]
fn big_files_and_streams_have_the_same_records() {
    let lines = (0..60_000).map(|n| format!("line {n}\n")).collect::<Vec<_>>().concat();
    let dir = Dir::with([("in", lines.as_bytes())]);
    dir.convert("-t IBM1047 --record-length 80 in -o out").assert_clean("");
    let records = dir.read("out");
    assert_eq!(records.len(), 80 * 60_000);
    dir.convert_stdin("in", "-t IBM1047 --record-length 80").assert_clean(&records);
    dir.convert("-f IBM1047 --record-length 80 --trim out -o back").assert_clean("");
    assert!(dir.read("back") == lines.as_bytes());
    dir.convert("-t IBM1047 --record-length 80 --in-place in").assert_clean("");
    assert!(dir.read("in") == records);
    dir.convert("-f IBM1047 --record-length 80 --trim --in-place in").assert_clean("");
    assert!(dir.read("in") == lines.as_bytes());
}

#[test]
fn a_second_run_is_an_error_or_changes_nothing() {
    let long = "Each of these lines is a record of text,\n".repeat(40);
    let short = long.replace('\n', "");
    for (before, from, to, lengths) in [
        (long.clone().into_bytes(), "utf-8", "IBM1047", "40"),
        (ebcdic(&short), "IBM1047", "utf-8", "40"),
        (ebcdic(&short), "IBM1047", "utf-8", "40 --trim"),
        (ebcdic(&short), "IBM1047", "windows-1252", "in:40"),
        // The same bytes in both encodings: the length tells, or nothing does.
        (long.clone().into_bytes(), "utf-8", "windows-1252", "40"),
        (short.clone().into_bytes(), "windows-1252", "utf-8", "40"),
        (short.repeat(41).into_bytes(), "windows-1252", "utf-8", "1"),
        (short.clone().into_bytes(), "windows-1252", "windows-1252", "in:40,out:80"),
        (short.clone().into_bytes(), "windows-1252", "windows-1252", "in:40,out:41"),
        (short.clone().into_bytes(), "windows-1252", "windows-1252", "in:40,out:40"),
        (short.clone().into_bytes(), "windows-1252", "windows-1252", "in:20"),
        (long.clone().into_bytes(), "windows-1252", "windows-1252", "out:41"),
        (ebcdic(&short), "IBM1047", "IBM1047", "in:40,out:50"),
    ] {
        let dir = Dir::with([("a", &before)]);
        let run = || dir.convert(&format!("-f {from} -t {to} --record-length {lengths} --in-place a"));
        let first = run();
        let after = dir.read("a");
        let second = run();
        let what = format!("{from} to {to}, {lengths}: {}{}", first.stderr, second.stderr);
        assert!(dir.read("a") == after, "{what}");
        assert!(first.status == 0 || first.status == 1 && after == before, "{what}");
        assert!(second.status == 0 || second.status == 1 || second.status == 3, "{what}");
    }
    // 40 records of 40 bytes become lines of 41 bytes, which are 41 records of 40 bytes.
    let dir = Dir::with([("a", short.as_bytes())]);
    let result = dir.convert("-f windows-1252 --record-length 40 --in-place a");
    assert_eq!((result.status, dir.read("a") == short.as_bytes()), (1, true), "{}", result.stderr);
    assert!(result.stderr.contains("it could be taken for text to convert again"), "{}", result.stderr);
}

#[test]
fn wrong_lengths_are_wrong_usage() {
    for (arguments, message) in [
        (
            "-f IBM037 -t windows-1252 --record-length 80",
            "--record-length: IBM037 and windows-1252 are both single-byte encodings; write in:80 if the input has records, \
             out:80 if the output should have them, or in:80,out:80",
        ),
        (
            "--record-length 80",
            "--record-length: neither UTF-8 nor UTF-8 is a single-byte encoding, so a record has no fixed number of characters",
        ),
        (
            "-f shift_jis -t utf-16le --record-length 80",
            "--record-length: neither Shift_JIS nor UTF-16LE is a single-byte encoding, so a record has no fixed number of \
             characters",
        ),
        (
            "-f IBM037 --record-length out:80",
            "--record-length: UTF-8 is not a single-byte encoding, so a record has no fixed number of characters",
        ),
        ("-f auto --record-length 80", "--record-length: records need an encoding; give it with -f"),
        ("-f IBM037 --trim", "--trim requires --record-length, for the records of the input"),
        (
            "-t IBM037 --record-length 80 --trim",
            "--trim: only records of the input are trimmed, and those of the output are not",
        ),
        (
            "-t IBM037 --record-length 80 --update-declaration",
            "--record-length: a declaration of another length would move what follows in its record",
        ),
    ] {
        pipe(arguments, b"").assert_usage(message);
    }
    for value in ["0", "x", "out:80,in:80", "2000000"] {
        let result = pipe(&format!("-t IBM037 --record-length {value}"), b"");
        assert!(
            result.status == 2 && result.stderr.contains("expected a number from 1 to 1048576"),
            "{}",
            result.stderr
        );
    }
    // The output is an input.
    let dir = Dir::with([("a", b"abc")]);
    assert_eq!(dir.convert("-t IBM037 --record-length 3 a -o a").status, 2);
    assert_eq!(dir.read("a"), b"abc");
}
