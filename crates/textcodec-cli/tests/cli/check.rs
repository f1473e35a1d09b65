//! `textcodec check`.

use std::{fs, process::Stdio};

use textcodec::DecodeReason::{self, InvalidByte};

use crate::common::{Dir, RunResult, encoded_samples, samples, with_reasons};

fn check(dir: &Dir, arguments: &str) -> RunResult {
    RunResult::of(&mut dir.textcodec(&format!("check {arguments}")))
}

/// Runs `textcodec check` with bytes on standard input.
fn check_input(arguments: &str, input: &[u8]) -> RunResult {
    let dir = Dir::with([("in", input)]);
    let file = fs::File::open(dir.path("in")).unwrap();
    RunResult::of(dir.textcodec(&format!("check {arguments}")).stdin(file))
}

impl RunResult {
    fn lines(&self) -> impl Iterator<Item = &str> {
        str::from_utf8(&self.stdout).unwrap().lines()
    }

    /// Asserts this status, these lines on standard output, and this message on standard error, or none if it is empty.
    #[track_caller]
    fn assert_findings(&self, status: i32, lines: &[&str], message: &str) {
        let lines: Vec<_> = lines.iter().map(|line| with_reasons(line)).collect();
        assert_eq!(self.lines().collect::<Vec<_>>(), lines, "{}", self.stderr);
        let stderr = if message.is_empty() { String::new() } else { format!("textcodec: {message}\n") };
        assert_eq!((self.status, self.stderr.as_str()), (status, stderr.as_str()));
    }
}

#[test]
fn nothing_is_printed_if_nothing_is_found() {
    check_input("", "für 日本 😀\r\n".as_bytes()).assert_clean("");
    check_input("", b"").assert_clean("");
    check_input("-f shift_jis", b"\x93\xFA\x96{").assert_clean("");
    check_input("-f cp932 -", b"\x93\xFA").assert_clean("");
    check_input("--to windows-1252", "für €".as_bytes()).assert_clean("");
    check_input("--to utf-16", "日本".as_bytes()).assert_clean("");
    check_input("--json", b"abc").assert_clean("");
}

#[test]
fn each_malformed_sequence_is_listed_with_line_and_column() {
    let dir = Dir::with([("bad.txt", b"ok\r\nna\xEFve \xE3\x81\n\n\xF0\x9F\x98\x80\xFF")]);
    check(&dir, "bad.txt").assert_findings(
        1,
        &[
            "bad.txt:2:3: malformed UTF-8 at byte 6 (EF): {Interrupted}",
            "bad.txt:2:7: malformed UTF-8 at byte 10 (E3 81): {Interrupted}",
            "bad.txt:4:2: malformed UTF-8 at byte 18 (FF): {InvalidByte}",
        ],
        "3 malformed sequences (if this is not UTF-8, give its encoding with -f, or try -f auto)",
    );
    // A malformed byte before the end of a line, and one at the end of the input.
    check_input("-f shift_jis", b"a\x82\nb\x82").assert_findings(
        1,
        &[
            "-:1:2: malformed Shift_JIS at byte 1 (82): {Interrupted}",
            "-:2:2: malformed Shift_JIS at byte 4 (82): {Incomplete}",
        ],
        "2 malformed sequences",
    );
    check_input("-f replacement", b"abc").assert_findings(
        1,
        &["-:1:1: malformed at byte 0: the Encoding Standard does not decode 'replacement', for security reasons"],
        "1 malformed sequence",
    );
}

#[test]
fn unmappable_characters_are_listed_with_their_offset_in_the_input() {
    let text = b"\x93\xFA\x96{ abc\n\x83\x41\x83\xBF"; // 日本 abc⏎アα
    check_input("-f shift_jis --to iso-8859-7", text).assert_findings(
        1,
        &[
            "-:1:1: unmappable in ISO-8859-7 at byte 0: U+65E5 '日' CJK UNIFIED IDEOGRAPH-65E5",
            "-:1:2: unmappable in ISO-8859-7 at byte 2: U+672C '本' CJK UNIFIED IDEOGRAPH-672C",
            "-:2:1: unmappable in ISO-8859-7 at byte 9: U+30A2 'ア' KATAKANA LETTER A",
        ],
        "3 characters unmappable in ISO-8859-7",
    );
    // Both kinds, in order. Escape sequences are not part of a character.
    check_input("-f iso-2022-jp --to latin1", b"\x1B$BF|\x80\x1B(B").assert_findings(
        1,
        &[
            "-:1:1: unmappable in windows-1252 at byte 3: U+65E5 '日' CJK UNIFIED IDEOGRAPH-65E5",
            "-:1:2: malformed ISO-2022-JP at byte 5 (80): {InvalidByte}",
        ],
        "1 malformed sequence and 1 character unmappable in windows-1252",
    );
    check_input("-t latin1", "a\u{200B}e\u{301}".as_bytes()).assert_findings(
        1,
        &[
            "-:1:2: unmappable in windows-1252 at byte 1: U+200B ZERO WIDTH SPACE",
            "-:1:4: unmappable in windows-1252 at byte 5: U+0301 '\u{25CC}\u{301}' COMBINING ACUTE ACCENT",
        ],
        "2 characters unmappable in windows-1252",
    );
}

#[test]
fn a_byte_order_mark_overrides_from_and_counts_only_in_offsets() {
    check_input("-f shift_jis", b"\xEF\xBB\xBFa\xFF").assert_findings(
        1,
        &["-:1:2: malformed UTF-8 at byte 4 (FF): {InvalidByte}"],
        "1 malformed sequence",
    );
    check_input("-f shift_jis -t latin1", b"\xFF\xFEa\0\x0A\0\xE5\x65\x00\xD8").assert_findings(
        1,
        &[
            "-:2:1: unmappable in windows-1252 at byte 6: U+65E5 '日' CJK UNIFIED IDEOGRAPH-65E5",
            "-:2:2: malformed UTF-16LE at byte 8 (00 D8): {Incomplete}",
        ],
        "1 malformed sequence and 1 character unmappable in windows-1252",
    );
    check_input("-f windows-1252", b"\xEF\xBB\xBF").assert_clean("");
    check_input("-f utf-16le", b"\xFF").assert_findings(
        1,
        &["-:1:1: malformed UTF-16LE at byte 0 (FF): {Incomplete}"],
        "1 malformed sequence",
    );
}

#[test]
fn files_whose_encoding_is_not_detected_are_counted_as_such() {
    let binary: Vec<u8> = (0..=255).cycle().take(5000).collect();
    let dir = Dir::with([("bin", &binary), ("text", "é à ü".as_bytes())]);
    let result = RunResult::of(&mut dir.textcodec("check -f auto bin text"));
    let last = "textcodec: nothing found in 1 file; the encoding of 1 file was not detected";
    assert_eq!((result.status, result.stderr.lines().last()), (3, Some(last)), "{}", result.stderr);
    let result = RunResult::of(&mut dir.textcodec("check -f auto bin bin text none"));
    let last = "textcodec: nothing found in 1 file; 1 file could not be read; the encoding of 2 files was not detected";
    assert_eq!((result.status, result.stderr.lines().last()), (3, Some(last)), "{}", result.stderr);
}

#[test]
fn locations_are_right_after_any_number_of_blocks() {
    // Lines of 29 bytes and 21 characters, so that blocks end within characters, and between CR and LF.
    let line = "あいうえ, abc def ghi\r\n";
    let mut input = line.repeat(40_000).into_bytes();
    let wanted = [0, 5, 2259, 2260, 20_000, 39_999];
    for line_index in wanted {
        // The last letter before CR.
        input[line.len() * line_index + line.len() - 3] = 0xFF;
    }
    let offset = |index: usize| line.len() * index + line.len() - 3;
    let expected: Vec<_> = wanted
        .map(|index| {
            let (line, byte) = (index + 1, offset(index));
            format!("-:{line}:17: malformed UTF-8 at byte {byte} (FF): {InvalidByte}")
        })
        .to_vec();
    let expected: Vec<_> = expected.iter().map(String::as_str).collect();
    check_input("-f utf-8", &input).assert_findings(1, &expected, "6 malformed sequences");
}

#[test]
fn the_summary_counts_files_including_those_that_cannot_be_read() {
    let dir = Dir::with([("good", b"abc"), ("bad", b"\xFFa\xFF"), ("worse", b"\xC3")]);
    check(&dir, "good good").assert_findings(0, &[], "nothing found in 2 files");
    check(&dir, "good bad worse -f utf-8").assert_findings(
        1,
        &[
            "bad:1:1: malformed UTF-8 at byte 0 (FF): {InvalidByte}",
            "bad:1:3: malformed UTF-8 at byte 2 (FF): {InvalidByte}",
            "worse:1:1: malformed UTF-8 at byte 0 (C3): {Incomplete}",
        ],
        "3 malformed sequences in 2 of 3 files",
    );
    let result = check(&dir, "missing . worse -f utf-8");
    assert_eq!((result.status, result.lines().count()), (3, 1));
    let lines: Vec<_> = result.stderr.lines().collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(lines[0].starts_with("textcodec: missing: ") && lines[1].starts_with("textcodec: .: "), "{lines:?}");
    assert_eq!(lines[2], "textcodec: 1 malformed sequence in 1 of 3 files; 2 files could not be read");
    let result = check(&dir, "good missing");
    assert!(result.stderr.ends_with("textcodec: nothing found in 1 file; 1 file could not be read\n"), "{result:?}");
    let result = check(&dir, "missing");
    assert_eq!((result.status, result.stderr.lines().count()), (3, 1));
}

#[test]
fn max_count_limits_the_findings_in_each_file() {
    let dir = Dir::with([("a", b"\xFF\xFF\xFF"), ("b", &b"x\n".repeat(100_000)), ("c", b"\xFE\n\xFE")]);
    let result = check(&dir, "-m 2 -f utf-8 a b c");
    let locations: Vec<_> = result.lines().map(|line| line.split(": ").next().unwrap()).collect();
    assert_eq!((result.status, locations), (1, vec!["a:1:1", "a:1:2", "c:1:1", "c:2:1"]));
    assert!(result.stderr.ends_with(" in 2 of 3 files; there may be more: 2 files were not read to their end\n"));
    assert_eq!(check(&dir, "-m 0 a").status, 2);
}

#[test]
fn quiet_prints_nothing() {
    let dir = Dir::with([("good", b"abc"), ("bad", b"\xFF")]);
    check(&dir, "-q good").assert_findings(0, &[], "");
    check(&dir, "-q good bad").assert_findings(1, &[], "");
    check(&dir, "-q --json bad").assert_findings(1, &[], "");
    let result = check(&dir, "-q missing bad");
    assert_eq!((result.status, result.stderr.lines().count(), result.stdout.len()), (3, 1, 0));
}

#[test]
fn json_is_one_object_per_line() {
    let result = check_input("--json -f utf-8 --to latin1", b"a\n\xE3\x81 \xE5\xAD\x97");
    let objects: Vec<serde_json::Value> = result.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let expected = serde_json::json!([
        {
            "file": "-", "line": 2, "column": 1, "byte": 2, "length": 2, "kind": "malformed", "encoding": "UTF-8",
            "bytes": "E3 81", "reason": DecodeReason::Interrupted.to_string(),
        },
        {
            "file": "-", "line": 2, "column": 3, "byte": 5, "length": 3, "kind": "unmappable",
            "encoding": "windows-1252", "character": "字", "code_point": "U+5B57",
            "name": "CJK UNIFIED IDEOGRAPH-5B57",
        },
    ]);
    assert_eq!(serde_json::Value::Array(objects), expected);
    assert_eq!(result.status, 1);
}

#[test]
fn wrong_usage_reads_nothing() {
    let dir = Dir::new();
    for (arguments, message) in [
        (
            "-f klingon missing",
            "--from: 'klingon' is not a label of the Encoding Standard, and textcodec has no encoding of this \
             name; 'textcodec list' shows all",
        ),
        (
            "-f utf16 missing",
            "--from: 'utf16' is not a label of the Encoding Standard; use 'utf-16', or --aliases, with which 'utf16' means \
             UTF-16LE with a byte order mark",
        ),
        ("-t replacement missing", "--to: replacement has no encoder; use UTF-8, which can represent all characters"),
    ] {
        let result = check(&dir, arguments);
        assert!(result.stderr.starts_with(&format!("error: {message}\n\nUsage: textcodec check")), "{}", result.stderr);
        result.assert_usage_of("check");
    }
}

#[test]
fn every_sample_is_well_formed_in_its_encoding() {
    let dir = Dir::new();
    for (path, encoding, _) in encoded_samples() {
        RunResult::of(dir.textcodec(&format!("check -f {encoding} -t {encoding}")).arg(&path)).assert_clean("");
    }
    let result = RunResult::of(dir.textcodec("check").arg(samples().join("broken-utf-8.log")));
    assert_eq!((result.status, result.lines().count()), (1, 9));
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let dir = Dir::with([("bad", &b"\xFF".repeat(300_000))]);
    let mut child = dir.textcodec("check bad").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let result = RunResult::from(child.wait_with_output().unwrap());
    assert_eq!((result.status, result.stderr.as_str()), (0, ""));
}

#[cfg(unix)]
#[test]
fn a_name_that_is_not_utf_8_is_printed_unchanged() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _};

    let dir = Dir::new();
    let name = OsStr::from_bytes(b"caf\xE9");
    if fs::write(dir.path("").join(name), b"\xFF").is_err() {
        return; // The file system does not allow such names.
    }
    let result = RunResult::of(dir.textcodec("check").arg(name));
    assert!(result.stdout.starts_with(b"caf\xE9:1:1: malformed"), "{}", result.stdout.escape_ascii());
    let result = RunResult::of(dir.textcodec("check --json").arg(name));
    let object: serde_json::Value = serde_json::from_slice(&result.stdout).unwrap();
    assert_eq!((&object["file"], &object["file_hex"]), (&"caf\u{FFFD}".into(), &"636166E9".into()));
}
