//! Inputs in which several encodings are mixed: `-f utf-8,windows-1252`; and byte order marks where files were joined.

use std::fs;

use textcodec::{
    BIG5, EUC_JP, EUC_KR, Encoding, GBK, ISO_8859_2, KOI8_R, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1251,
    WINDOWS_1252,
};

use crate::common::{Dir, RunResult, pipe, with_reasons};

/// Text in several encodings.
fn join(parts: &[(Encoding, &str)]) -> Vec<u8> {
    parts.iter().flat_map(|(encoding, text)| encoding.encode(text).unwrap().into_owned()).collect()
}

fn text(parts: &[(Encoding, &str)]) -> String {
    parts.iter().map(|(_, text)| *text).collect()
}

fn check(dir: &Dir, arguments: &str) -> RunResult {
    RunResult::of(&mut dir.textcodec(&format!("check {arguments}")))
}

fn assert_check(result: &RunResult, status: i32, lines: &[&str], message: &str) {
    let lines: String = lines.iter().map(|line| with_reasons(line) + "\n").collect();
    let stderr = if message.is_empty() { String::new() } else { format!("textcodec: {message}\n") };
    assert_eq!(String::from_utf8_lossy(&result.stdout), lines, "{}", result.stderr);
    assert_eq!((result.status, result.stderr.as_str()), (status, stderr.as_str()));
}

/// Lists of encodings, and texts in them.
fn cases() -> Vec<(&'static str, Vec<(Encoding, &'static str)>)> {
    let utf_8 = (UTF_8, "größer: “café”, 東京\n");
    let with = |encoding, text| vec![(encoding, text), utf_8, (encoding, text), (UTF_8, "plain\n"), (encoding, text)];
    vec![
        ("utf-8,windows-1252", with(WINDOWS_1252, "déjà vu à l’hôtel\n")),
        ("utf-8,windows-1251", with(WINDOWS_1251, "Привет, мир\n")),
        ("utf-8,koi8-r", with(KOI8_R, "Привет, мир\n")),
        ("utf-8,iso-8859-2", with(ISO_8859_2, "zażółć gęślą jaźń\n")),
        ("utf-8,gbk", with(GBK, "// 你好，世界\r\n")),
        ("utf-8,big5", with(BIG5, "你好，世界\n")),
        ("utf-8,shift_jis", with(SHIFT_JIS, "今日は、世界\n")),
        ("utf-8,euc-jp", with(EUC_JP, "今日は、世界\n")),
        ("utf-8,euc-kr", with(EUC_KR, "안녕하세요\n")),
        ("utf-8,utf-16le", with(UTF_16LE, "done 完成\r\n")),
        ("utf-8,utf-16be", with(UTF_16BE, "done 完成\r\n")),
        ("utf-16le,utf-8", vec![(UTF_16LE, "\u{FEFF}上海\r\n"), (UTF_16LE, "上海\r\n"), utf_8]),
        ("utf-8,utf-16le", vec![(UTF_16LE, "\u{FEFF}one\r\n"), utf_8, (UTF_16LE, "three\r\n")]),
        ("utf-8,windows-1252,utf-16le", vec![utf_8, (WINDOWS_1252, "déjà\n"), (UTF_16LE, "déjà\n")]),
        ("utf-8,euc-jp,shift_jis", vec![(EUC_JP, "カタカナと漢字\n"), (SHIFT_JIS, "カタカナと漢字\n"), utf_8]),
    ]
}

#[test]
fn each_output_has_the_text_and_a_second_run_leaves_it_alone() {
    for (list, parts) in cases() {
        let (bytes, text) = (join(&parts), text(&parts).trim_start_matches('\u{FEFF}').to_owned());
        let dir = Dir::with([("a", &bytes), ("b", &bytes), ("plain", b"plain\n")]);
        let arguments = format!("-f {list} --per line");
        dir.convert_stdin("a", &arguments).assert_clean(&text);
        dir.convert(&format!("{arguments} a -o out")).assert_clean("");
        let result = dir.convert(&format!("{arguments} a plain --output-dir dir -q"));
        assert_eq!((result.status, result.stderr.as_str()), (0, ""), "{list}");
        for name in ["out", "dir/a"] {
            assert_eq!(String::from_utf8(dir.read(name)).unwrap(), text, "{list} {name}");
        }
        let modified = || fs::metadata(dir.path("a")).unwrap().modified().unwrap();
        dir.convert(&format!("{arguments} --in-place a")).assert_clean("");
        assert_eq!(String::from_utf8(dir.read("a")).unwrap(), text, "{list}");
        let before = modified();
        let again = dir.convert(&format!("{arguments} --in-place -v a"));
        assert_eq!(again.status, 0, "{}", again.stderr);
        assert!(again.stderr.contains("unchanged"), "{list}: {}", again.stderr);
        assert_eq!((String::from_utf8(dir.read("a")).unwrap(), modified()), (text, before), "{list}");
        // The default unit has the same result where each line is in one encoding.
        if !list.contains("16") {
            dir.convert(&format!("-f {list} --in-place b")).assert_clean("");
            assert_eq!(dir.read("a"), dir.read("b"), "{list}");
        }
    }
}

/// In another encoding than the first, the result may be other text for a second run. Then the file is not touched.
#[test]
fn no_second_run_converts_what_the_first_one_wrote() {
    let (mut converted, mut undecided) = (0, 0);
    for (list, parts) in cases() {
        for to in [
            "windows-1252",
            "gbk",
            "gb18030",
            "utf-16le",
            "utf-16be",
            "iso-2022-jp",
            "utf-8 --bom=add",
            "utf-16le --bom=add",
        ] {
            for more in ["", "--per line", "--update-declaration", "--remove-marks"] {
                let bytes = join(&parts);
                let dir = Dir::with([("a", &bytes)]);
                let arguments = format!("-f {list} -t {to} --unmappable=translit {more} -q --in-place a");
                let first = dir.convert(&arguments);
                let once = dir.read("a");
                if once == bytes {
                    assert_ne!(first.status, 3, "{list} {to}: {}", first.stderr);
                    undecided += 1;
                } else {
                    converted += 1;
                }
                let second = dir.convert(&arguments);
                assert_eq!(dir.read("a"), once, "{arguments}: {} {}", first.stderr, second.stderr);
            }
        }
    }
    assert!(converted >= 120 && undecided > 0, "{converted} {undecided}");
}

#[test]
fn sequences_are_the_default_for_single_byte_encodings() {
    pipe("-f utf-8,windows-1252", b"\xD0 \x92 \xD0\x92").assert_clean("Ð ’ В");
    pipe("-f utf-8,windows-1252 --per sequence", b"caf\xE9 caf\xC3\xA9").assert_clean("café café");
    pipe("-f utf-8,windows-1252 --per line", b"caf\xE9 caf\xC3\xA9").assert_clean("café cafÃ©");
    pipe("-f utf-8,cp850", b"d\x82j\x85 \xC3\xA9").assert_clean("déjà é");
    pipe("-f utf8,latin1", b"\x93a\x94").assert_clean("“a”");
    pipe("-f utf-8,windows-1252 -t utf-16le", b"\xE9\xC3\xA9").assert_clean(b"\xE9\0\xE9\0");
}

#[test]
fn the_report_says_what_is_in_which_encoding() {
    let dir = Dir::with([("a", b"a\n\xE9\nb\n\xE9\xC3\xA9\n")]);
    dir.convert("-f utf-8,windows-1252 --per line --dry-run a").assert_message(
        0,
        "a: UTF-8 with 2 lines in windows-1252 (2, 4) to UTF-8, 10 to 14 bytes; nothing was written",
    );
    dir.convert("-f utf-8,windows-1252 --dry-run a").assert_message(
        0,
        "a: UTF-8 with 2 sequences in windows-1252 (lines 2, 4) to UTF-8, 10 to 12 bytes; nothing was written",
    );
    let result = dir.convert("-f utf-8,windows-1252 --per line --report=json a -o out");
    let json: serde_json::Value = serde_json::from_slice(&result.stdout).unwrap();
    let parts = serde_json::json!([
        { "encoding": "UTF-8", "per": "line", "count": 2, "first": [] },
        { "encoding": "windows-1252", "per": "line", "count": 2, "first": [
            { "line": 2, "offset": 2, "length": 2 }, { "line": 4, "offset": 6, "length": 4 } ] },
    ]);
    assert_eq!(json["files"][0]["parts"], parts);
}

#[test]
fn what_fits_nothing_is_malformed_at_its_offset() {
    let bytes = b"\xEF\xBB\xBFa\n\xC4\xE3 \xFF\n\xC4\xE3\n";
    let dir = Dir::with([("a", bytes)]);
    dir.convert("-f utf-8,gbk --in-place a").assert_message(
        3,
        "a: malformed GBK, and in each other encoding of -f, at byte 8 (FF): {InvalidByte}; the file is unchanged",
    );
    assert_eq!(dir.read("a"), bytes);
    let result = dir.convert("-f utf-8,gbk a");
    assert_eq!((result.status, result.stdout.as_slice()), (1, "a\n你 \u{FFFD}\n你\n".as_bytes()));
    assert!(result.stderr.contains("1 malformed sequence replaced by U+FFFD, at byte 8 (FF)"), "{}", result.stderr);
    for (how, expected) in [("skip", "a\n你 \n你\n"), ("escape", "a\n你 \\xFF\n你\n")] {
        assert_eq!(dir.convert(&format!("-f utf-8,gbk --malformed={how} a")).stdout, expected.as_bytes());
    }
    assert_eq!(dir.convert("-f utf-8,gbk --strict a -o out").status, 3);
    // A character that the output lacks.
    let result = dir.convert("-f utf-8,gbk --malformed=skip -t windows-1252 a");
    assert_eq!(result.status, 3);
    assert!(result.stderr.contains("unmappable in windows-1252 at line 2, column 1"), "{}", result.stderr);
    // A byte order mark of another encoding overrides all of them.
    pipe("-f utf-8,windows-1252", b"\xFF\xFEa\0\xE9\0").assert_clean("aé");
}

#[test]
fn a_tail_that_powershell_appended_is_converted_in_place() {
    let log = "ready größer\r\n".repeat(400);
    let parts = [(UTF_8, log.as_str()), (UTF_16LE, "Fertig: größer\r\n\r\nEnde\r\n")];
    let dir = Dir::with([("log", &join(&parts)), ("binary", b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0")]);
    dir.convert("-f utf-8,utf-16le --in-place log").assert_clean("");
    assert_eq!(String::from_utf8(dir.read("log")).unwrap(), text(&parts));
    // Within the first bytes, too.
    let short = [(UTF_8, "ready\r\n"), (UTF_16LE, "done\r\n")];
    fs::write(dir.path("log"), join(&short)).unwrap();
    dir.convert("-f utf-8,utf-16le --in-place log").assert_clean("");
    assert_eq!(String::from_utf8(dir.read("log")).unwrap(), text(&short));
    let result = dir.convert("-f utf-8,utf-16le --in-place binary");
    assert_eq!((result.status, dir.read("binary").len()), (1, 16), "{}", result.stderr);
}

#[test]
fn check_names_the_lines_that_are_not_in_the_first_encoding() {
    let bytes = join(&[(UTF_8, "// 你好\n"), (GBK, "// 你好\n"), (UTF_8, "a\n"), (GBK, "// 世界")]);
    let dir =
        Dir::with([("main.c", &bytes), ("fix.txt", b"\xC3\xA9\n \xE9 \xE2\x80\n"), ("utf-8.txt", "é\n".as_bytes())]);
    assert_check(
        &check(&dir, "-f utf-8,gbk main.c"),
        1,
        &["main.c:2:1: not UTF-8 but GBK: the line at byte 10", "main.c:4:1: not UTF-8 but GBK: the line at byte 20"],
        "2 lines not in UTF-8",
    );
    assert_check(
        &check(&dir, "-f utf-8,windows-1252 fix.txt"),
        1,
        &[
            "fix.txt:2:2: not UTF-8 but windows-1252 at byte 4 (E9): \"é\"",
            "fix.txt:2:4: not UTF-8 but windows-1252 at byte 6 (E2 80): \"â€\"",
        ],
        "2 sequences not in UTF-8",
    );
    check(&dir, "-f utf-8,windows-1252 utf-8.txt").assert_clean("");
    check(&dir, "-f utf-8,gbk utf-8.txt").assert_clean("");
    fs::write(dir.path("none"), b"\xEF\xBB\xBFa\n\xC4\xE3\xFF\n").unwrap();
    assert_check(
        &check(&dir, "-f utf-8,gbk none"),
        1,
        &[
            "none:2:1: not UTF-8 but GBK: the line at byte 5",
            "none:2:1: malformed GBK at byte 7 (FF), and in each other encoding of -f: {InvalidByte}",
        ],
        "1 malformed sequence and 1 line not in UTF-8",
    );
    let json = check(&dir, "--json -f utf-8,gbk main.c");
    let first: serde_json::Value =
        serde_json::from_slice(json.stdout.split(|&byte| byte == b'\n').next().unwrap()).unwrap();
    let expected = serde_json::json!({ "file": "main.c", "line": 2, "column": 1, "byte": 10, "kind": "other", "length": 8, "encoding": "GBK" });
    assert_eq!(first, expected);
    let log = join(&[(UTF_8, "ready\n"), (UTF_16LE, "done\r\n")]);
    fs::write(dir.path("log"), log).unwrap();
    assert_check(
        &check(&dir, "-f utf-8,utf-16le log"),
        1,
        &["log:2:1: not UTF-8 but UTF-16LE: the line at byte 6"],
        "1 line not in UTF-8",
    );
}

#[test]
fn wrong_lists_are_wrong_usage() {
    for (arguments, message) in [
        ("-f utf-8,gbk --per sequence", "--from: GBK is not a single-byte encoding, so it can only be mixed per line"),
        ("-f utf-8,utf8", "--from: UTF-8 is in the list twice"),
        ("-f utf-8,auto", "--from: auto cannot be one of several encodings, because all of them must be known"),
        ("-f utf-16le,utf-16be", "--from: UTF-16 can only be mixed with an encoding that has ASCII"),
        (
            "-f utf-8,IBM1047",
            "--from: IBM1047 cannot be mixed with others, because bytes of ASCII do not always mean ASCII in it",
        ),
        ("-f utf-8 --per line", "--per requires several encodings, such as -f utf-8,windows-1252"),
        ("--per line", "--per requires several encodings, such as -f utf-8,windows-1252"),
        (
            "-f utf-8,windows-1252 --record-length 80",
            "--record-length cannot be used with several encodings in -f: all records of an input have one encoding",
        ),
        (
            "-f utf-8,latin1 --strict-labels",
            "--strict-labels cannot be used with several encodings in -f: it is about the one encoding that a label names",
        ),
    ] {
        let result = pipe(arguments, b"");
        assert_eq!(result.status, 2, "{arguments}");
        assert!(result.stderr.contains(message), "{arguments}: {}", result.stderr);
    }
    assert_eq!(pipe("-f utf-8,no-such", b"").status, 2);
    assert_eq!(pipe("-f utf-8,", b"").status, 2);
}

#[test]
fn marks_where_files_were_joined_are_found_and_removed() {
    let (joined, clean) =
        ("\u{FEFF}a\n\u{FEFF}b\nword\u{FEFF}joiner\n\u{FEFF}\u{FEFF}c", "a\nb\nword\u{FEFF}joiner\nc");
    let dir = Dir::with([("a.txt", joined.as_bytes()), ("b.txt", clean.as_bytes())]);
    let marks = "byte order mark within the text at byte";
    assert_check(
        &check(&dir, "a.txt"),
        1,
        &[
            &format!("a.txt:2:1: {marks} 5 (EF BB BF)"),
            &format!("a.txt:4:1: {marks} 24 (EF BB BF)"),
            &format!("a.txt:4:1: {marks} 27 (EF BB BF)"),
        ],
        "3 byte order marks",
    );
    check(&dir, "b.txt").assert_clean("");
    dir.convert("--remove-marks a.txt").assert_clean(clean);
    dir.convert("--remove-marks -t utf-16le a.txt").assert_clean(join(&[(UTF_16LE, clean)]));
    dir.convert("--remove-marks --normalize=nfc a.txt").assert_clean(clean);
    dir.convert("--remove-marks a.txt b.txt --output-dir out -q").assert_clean("");
    assert_eq!((dir.read("out/a.txt"), dir.read("out/b.txt")), (clean.into(), clean.into()));
    for _ in 0..2 {
        dir.convert("--remove-marks --in-place -q a.txt").assert_clean("");
        assert_eq!(dir.read("a.txt"), clean.as_bytes());
    }
    check(&dir, "a.txt").assert_clean("");
    // Without the option, they stay.
    pipe("", joined.as_bytes()).assert_clean(joined.trim_start_matches('\u{FEFF}'));
    // Each input, and a large one in which no block starts with a line.
    fs::write(dir.path("c.txt"), format!("\u{FEFF}{}\u{FEFF}\u{FEFF}end", "é\u{FEFF}".repeat(400_000))).unwrap();
    let result = dir.convert("--remove-marks c.txt -o d.txt");
    result.assert_clean("");
    assert_eq!(dir.read("d.txt"), format!("{}\u{FEFF}\u{FEFF}end", "é\u{FEFF}".repeat(400_000)).into_bytes());
    // In all encodings that have it.
    for (label, encoding) in [("utf-16be", UTF_16BE), ("gb18030", textcodec::GB18030)] {
        let dir = Dir::with([("a", &join(&[(encoding, "a\n\u{FEFF}b\n")]))]);
        dir.convert(&format!("-f {label} --remove-marks a")).assert_clean("a\nb\n");
        assert_eq!(check(&dir, &format!("-f {label} a")).status, 1);
    }
    let result = dir.convert("--remove-marks --dry-run b.txt");
    assert!(!result.stderr.contains("removed"), "{}", result.stderr);
    fs::write(dir.path("a.txt"), joined).unwrap();
    let result = dir.convert("--remove-marks --dry-run a.txt");
    assert!(result.stderr.contains("3 byte order marks at the start of lines removed"), "{}", result.stderr);
    // In mixed text.
    let mixed = join(&[(UTF_8, "a\n\u{FEFF}b\n"), (WINDOWS_1252, "é\n"), (UTF_16LE, "\u{FEFF}c\n")]);
    pipe("-f utf-8,windows-1252,utf-16le --remove-marks", &mixed).assert_clean("a\nb\né\nc\n");
}
