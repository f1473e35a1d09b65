//! `textcodec check`.

use std::{fs, process::Stdio};

use crate::common::{Place, Ran, encoded_samples, samples};

fn check(place: &Place, arguments: &str) -> Ran {
    Ran::of(&mut place.textcodec(&format!("check {arguments}")))
}

/// With this on standard input.
fn check_input(arguments: &str, input: &[u8]) -> Ran {
    let place = Place::with([("in", input)]);
    let file = fs::File::open(place.path("in")).unwrap();
    Ran::of(place.textcodec(&format!("check {arguments}")).stdin(file))
}

impl Ran {
    fn lines(&self) -> impl Iterator<Item = &str> {
        str::from_utf8(&self.stdout).unwrap().lines()
    }

    /// This status, these lines on standard output, and this after the program's name on standard error, or nothing.
    #[track_caller]
    fn found(&self, status: i32, lines: &[&str], message: &str) {
        assert_eq!(self.lines().collect::<Vec<_>>(), lines, "{}", self.stderr);
        let stderr = if message.is_empty() { String::new() } else { format!("textcodec: {message}\n") };
        assert_eq!((self.status, self.stderr.as_str()), (status, stderr.as_str()));
    }
}

#[test]
fn what_is_right_needs_no_words() {
    check_input("", "für 日本 😀\r\n".as_bytes()).is_clean("");
    check_input("", b"").is_clean("");
    check_input("-f shift_jis", b"\x93\xFA\x96{").is_clean("");
    check_input("--aliases -f cp932 -", b"\x93\xFA").is_clean("");
    check_input("--to windows-1252", "für €".as_bytes()).is_clean("");
    check_input("--to utf-16", "日本".as_bytes()).is_clean("");
    check_input("--json", b"abc").is_clean("");
}

#[test]
fn each_malformed_sequence_is_a_line_to_jump_to() {
    let place = Place::with([("bad.txt", b"ok\r\nna\xEFve \xE3\x81\n\n\xF0\x9F\x98\x80\xFF")]);
    check(&place, "bad.txt").found(
        1,
        &[
            "bad.txt:2:3: malformed UTF-8 at byte 6 (EF): the next byte does not continue this sequence",
            "bad.txt:2:7: malformed UTF-8 at byte 10 (E3 81): the next byte does not continue this sequence",
            "bad.txt:4:2: malformed UTF-8 at byte 18 (FF): this byte cannot start a character",
        ],
        "3 malformed sequences (if this is not UTF-8, give its encoding with -f, or try -f auto)",
    );
    // The end of the input, and a byte that is malformed but no part of the line's end.
    check_input("-f shift_jis", b"a\x82\nb\x82").found(
        1,
        &[
            "-:1:2: malformed Shift_JIS at byte 1 (82): the next byte does not continue this sequence",
            "-:2:2: malformed Shift_JIS at byte 4 (82): the input ends within a character",
        ],
        "2 malformed sequences",
    );
    check_input("-f replacement", b"abc").found(
        1,
        &["-:1:1: malformed replacement at byte 0 (61): text in this encoding is not decoded for security reasons"],
        "1 malformed sequence",
    );
}

#[test]
fn what_an_encoding_does_not_have_is_found_with_its_offset_in_the_input() {
    let text = b"\x93\xFA\x96{ abc\n\x83\x41\x83\xBF"; // 日本 abc⏎アα
    check_input("-f shift_jis --to iso-8859-7", text).found(
        1,
        &[
            "-:1:1: not in ISO-8859-7 at byte 0: U+65E5 '日' CJK UNIFIED IDEOGRAPH-65E5",
            "-:1:2: not in ISO-8859-7 at byte 2: U+672C '本' CJK UNIFIED IDEOGRAPH-672C",
            "-:2:1: not in ISO-8859-7 at byte 9: U+30A2 'ア' KATAKANA LETTER A",
        ],
        "3 characters that are not in ISO-8859-7",
    );
    // Both kinds, in order; what does not show has a name; escape sequences are no part of a character.
    check_input("-f iso-2022-jp --to latin1", b"\x1B$BF|\x80\x1B(B").found(
        1,
        &[
            "-:1:1: not in windows-1252 at byte 3: U+65E5 '日' CJK UNIFIED IDEOGRAPH-65E5",
            "-:1:2: malformed ISO-2022-JP at byte 5 (80): this byte cannot start a character",
        ],
        "1 malformed sequence and 1 character that is not in windows-1252",
    );
    check_input("-t latin1", "a\u{200B}e\u{301}".as_bytes()).found(
        1,
        &[
            "-:1:2: not in windows-1252 at byte 1: U+200B ZERO WIDTH SPACE",
            "-:1:4: not in windows-1252 at byte 5: U+0301 '\u{25CC}\u{301}' COMBINING ACUTE ACCENT",
        ],
        "2 characters that are not in windows-1252",
    );
}

#[test]
fn a_byte_order_mark_wins_and_is_counted_in_offsets_only() {
    check_input("-f shift_jis", b"\xEF\xBB\xBFa\xFF").found(
        1,
        &["-:1:2: malformed UTF-8 at byte 4 (FF): this byte cannot start a character"],
        "1 malformed sequence",
    );
    check_input("-f shift_jis -t latin1", b"\xFF\xFEa\0\x0A\0\xE5\x65\x00\xD8").found(
        1,
        &[
            "-:2:1: not in windows-1252 at byte 6: U+65E5 '日' CJK UNIFIED IDEOGRAPH-65E5",
            "-:2:2: malformed UTF-16LE at byte 8 (00 D8): the input ends within a character",
        ],
        "1 malformed sequence and 1 character that is not in windows-1252",
    );
    check_input("-f windows-1252", b"\xEF\xBB\xBF").is_clean("");
    check_input("-f utf-16le", b"\xFF").found(
        1,
        &["-:1:1: malformed UTF-16LE at byte 0 (FF): the input ends within a character"],
        "1 malformed sequence",
    );
}

#[test]
fn places_are_right_behind_any_number_of_blocks() {
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
            format!("-:{line}:17: malformed UTF-8 at byte {byte} (FF): this byte cannot start a character")
        })
        .to_vec();
    let expected: Vec<_> = expected.iter().map(String::as_str).collect();
    check_input("-f utf-8", &input).found(1, &expected, "6 malformed sequences");
}

#[test]
fn several_files_are_summed_up_and_one_that_cannot_be_read_does_not_stop_the_others() {
    let place = Place::with([("good", b"abc"), ("bad", b"\xFFa\xFF"), ("worse", b"\xC3")]);
    check(&place, "good good").found(0, &[], "nothing found in 2 files");
    check(&place, "good bad worse -f utf-8").found(
        1,
        &[
            "bad:1:1: malformed UTF-8 at byte 0 (FF): this byte cannot start a character",
            "bad:1:3: malformed UTF-8 at byte 2 (FF): this byte cannot start a character",
            "worse:1:1: malformed UTF-8 at byte 0 (C3): the input ends within a character",
        ],
        "3 malformed sequences in 2 of 3 files",
    );
    let ran = check(&place, "missing . worse -f utf-8");
    assert_eq!((ran.status, ran.lines().count()), (3, 1));
    let lines: Vec<_> = ran.stderr.lines().collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(lines[0].starts_with("textcodec: missing: ") && lines[1].starts_with("textcodec: .: "), "{lines:?}");
    assert_eq!(lines[2], "textcodec: 1 malformed sequence in 1 of 3 files; 2 could not be read");
    let ran = check(&place, "missing");
    assert_eq!((ran.status, ran.stderr.lines().count()), (3, 1));
}

#[test]
fn a_number_of_findings_ends_each_file() {
    let place = Place::with([("a", b"\xFF\xFF\xFF"), ("b", &b"x\n".repeat(100_000)), ("c", b"\xFE\n\xFE")]);
    let ran = check(&place, "-m 2 -f utf-8 a b c");
    let places: Vec<_> = ran.lines().map(|line| line.split(": ").next().unwrap()).collect();
    assert_eq!((ran.status, places), (1, vec!["a:1:1", "a:1:2", "c:1:1", "c:2:1"]));
    assert!(ran.stderr.ends_with(" in 2 of 3 files; there may be more: not all files were read to their end\n"));
    assert_eq!(check(&place, "-m 0 a").status, 2);
}

#[test]
fn quiet_is_the_status_alone() {
    let place = Place::with([("good", b"abc"), ("bad", b"\xFF")]);
    check(&place, "-q good").found(0, &[], "");
    check(&place, "-q good bad").found(1, &[], "");
    check(&place, "-q --json bad").found(1, &[], "");
    let ran = check(&place, "-q missing bad");
    assert_eq!((ran.status, ran.stderr.lines().count(), ran.stdout.len()), (3, 1, 0));
}

#[test]
fn json_has_an_object_a_line() {
    let ran = check_input("--json -f utf-8 --to latin1", b"a\n\xE3\x81 \xE5\xAD\x97");
    let objects: Vec<serde_json::Value> = ran.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let expected = serde_json::json!([
        {
            "file": "-", "line": 2, "column": 1, "byte": 2, "length": 2, "kind": "malformed", "encoding": "UTF-8",
            "bytes": "E3 81", "reason": "the next byte does not continue this sequence",
        },
        {
            "file": "-", "line": 2, "column": 3, "byte": 5, "length": 3, "kind": "unmappable",
            "encoding": "windows-1252", "character": "字", "code_point": "U+5B57",
            "name": "CJK UNIFIED IDEOGRAPH-5B57",
        },
    ]);
    assert_eq!(serde_json::Value::Array(objects), expected);
    assert_eq!(ran.status, 1);
}

#[test]
fn wrong_usage_reads_nothing() {
    let place = Place::new();
    for (arguments, message) in [
        ("-f klingon missing", "--from: 'klingon' is no label of the Encoding Standard"),
        ("-f cp932 missing", "--from: 'cp932' is no label of the Encoding Standard; with --aliases it means Shift_JIS"),
        ("-t replacement missing", "--to: replacement has no encoder; UTF-8 has all characters"),
    ] {
        let ran = check(&place, arguments);
        assert!(ran.stderr.starts_with(&format!("error: {message}\n\nUsage: textcodec check")), "{}", ran.stderr);
        ran.is_usage_of("check");
    }
}

#[test]
fn every_sample_is_found_to_be_in_its_encoding() {
    let place = Place::new();
    for (path, encoding, _) in encoded_samples() {
        Ran::of(place.textcodec(&format!("check -f {encoding} -t {encoding}")).arg(&path)).is_clean("");
    }
    let ran = Ran::of(place.textcodec("check").arg(samples().join("broken-utf-8.log")));
    assert_eq!((ran.status, ran.lines().count()), (1, 9));
}

#[test]
fn a_reader_that_has_enough_is_no_failure() {
    let place = Place::with([("bad", &b"\xFF".repeat(300_000))]);
    let mut child = place.textcodec("check bad").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
}

#[cfg(unix)]
#[test]
fn a_name_that_is_not_utf_8_is_printed_as_it_is() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _};

    let place = Place::new();
    let name = OsStr::from_bytes(b"caf\xE9");
    if fs::write(place.path("").join(name), b"\xFF").is_err() {
        return; // A file system that has no such names.
    }
    let ran = Ran::of(place.textcodec("check").arg(name));
    assert!(ran.stdout.starts_with(b"caf\xE9:1:1: malformed"), "{}", ran.stdout.escape_ascii());
    let ran = Ran::of(place.textcodec("check --json").arg(name));
    let object: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!(object["file"], "caf\u{FFFD}");
}
