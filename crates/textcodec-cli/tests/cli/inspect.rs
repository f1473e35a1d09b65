//! `textcodec inspect`.

use serde_json::Value;
use textcodec::DecodeReason;

use crate::common::{Dir, RunResult};

fn inspect(arguments: &[&str]) -> RunResult {
    RunResult::of(Dir::new().textcodec("inspect").args(arguments))
}

#[track_caller]
fn lines(arguments: &[&str]) -> Vec<String> {
    let result = inspect(arguments);
    assert_eq!((result.status, result.stderr.as_str()), (0, ""));
    String::from_utf8(result.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn every_encoding_is_listed_once() {
    // Wide columns of other encodings move the names.
    let lines: Vec<_> =
        lines(&["€"]).iter().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(
        lines[..3],
        ["U+20AC '€' EURO SIGN", "E2 82 AC UTF-8, CESU-8", "A4 ISO-8859-7, ISO-8859-15, ISO-8859-16"]
    );
    assert!(lines.contains(&"88 windows-1251, KZ-1048".to_owned()), "{lines:?}");
    assert!(lines.contains(&"AC 20 UTF-16LE, true-ucs-2le".to_owned()), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("not in IBM866, ISO-8859-2, ")), "{lines:?}");
    assert!(lines.iter().all(|line| line.chars().count() <= 100));
    let words = lines[1..].join(" ");
    let words: Vec<_> = words.split([' ', ',']).collect();
    for encoding in textcodec::Encoding::ALL.iter().chain(textcodec::oem::ALL).filter(|encoding| encoding.has_encoder())
    {
        assert_eq!(words.iter().filter(|word| **word == encoding.name()).count(), 1, "{encoding}");
    }
}

#[test]
fn each_character_is_shown_once() {
    for name in ["U+1F600", "u+1f600", "\\u{1F600}", "&#x1F600;", "&#128512;", "😀"] {
        assert_eq!(lines(&["-t", "utf-8", name]), ["U+1F600 '😀' GRINNING FACE", "  F0 9F 98 80  UTF-8"]);
    }
    let result = inspect(&["-t", "latin1", "-t", "utf-16le", "aa\n", "e\u{301}a"]);
    let text: Vec<_> = str::from_utf8(&result.stdout).unwrap().lines().collect();
    let expected = [
        "U+0061 'a' LATIN SMALL LETTER A",
        "  61     windows-1252",
        "  61 00  UTF-16LE",
        "",
        "U+000A LINE FEED",
        "  0A     windows-1252",
        "  0A 00  UTF-16LE",
        "",
        "U+0065 'e' LATIN SMALL LETTER E",
        "  65     windows-1252",
        "  65 00  UTF-16LE",
        "",
        "U+0301 '\u{25CC}\u{301}' COMBINING ACUTE ACCENT",
        "  01 03   UTF-16LE",
        "  not in  windows-1252",
    ];
    assert_eq!(text, expected);
    // A character is missing in an encoding that was given.
    assert_eq!(result.status, 1);
    assert_eq!(inspect(&["-t", "utf-8", "-t", "windows-1252", "日"]).status, 1);
    assert_eq!(inspect(&["-t", "latin1", "--json", "ж"]).status, 1);
    assert_eq!(inspect(&["-t", "utf-8", "日"]).status, 0);
}

#[test]
fn bytes_that_decode_to_another_character_are_marked() {
    assert_eq!(
        lines(&["-t", "shift_jis", "-t", "iso-2022-jp", "¥"]),
        [
            "U+00A5 '¥' YEN SIGN",
            "  5C                    Shift_JIS (decodes to U+005C '\\' REVERSE SOLIDUS)",
            "  1B 28 4A 5C 1B 28 42  ISO-2022-JP",
        ]
    );
}

#[test]
fn bytes_are_decoded_item_by_item() {
    for bytes in ["82 A0 82 FF 82 60", "82a082ff8260", "\\x82\\xA0\\x82\\xFF\\x82\\x60"] {
        assert_eq!(
            lines(&["--bytes", bytes, "-f", "shift_jis"]),
            [
                "0-1  82 A0  U+3042 'あ' HIRAGANA LETTER A",
                &format!("2-3  82 FF  malformed: {}", DecodeReason::Unmapped),
                "4-5  82 60  U+FF21 'Ａ' FULLWIDTH LATIN CAPITAL LETTER A",
            ]
        );
    }
    // Also in several arguments.
    assert_eq!(
        lines(&["-f", "iso-2022-jp", "--bytes", "1B", "24", "42", "46", "7C", "1B"]),
        [
            "0-2  1B 24 42  escape sequence",
            "3-4  46 7C     U+65E5 '日' CJK UNIFIED IDEOGRAPH-65E5",
            &format!("  5  1B        malformed: {}", DecodeReason::UnknownEscape),
        ]
    );
    assert_eq!(
        lines(&["--bytes", "EF BB BF 0A", "-f", "utf-8"]),
        ["0-2  EF BB BF  U+FEFF ZERO WIDTH NO-BREAK SPACE (byte order mark)", "  3  0A        U+000A LINE FEED"]
    );
    assert_eq!(lines(&["--bytes", "93 FA", "-f", "cp932", "--aliases"]).len(), 1);
}

#[test]
fn without_an_encoding_bytes_are_decoded_in_all() {
    let lines = lines(&["--bytes", "93FA 967B"]);
    let text = lines.join("\n");
    assert!(text.contains("'日本'\n    Shift_JIS\n"), "{text}");
    assert!(
        text.contains(
            "'“ú–{'\n    windows-1250, windows-1252, windows-1254, windows-1258, GEORGIAN-ACADEMY, GEORGIAN-PS\n"
        ),
        "{text}"
    );
    assert!(text.contains("'���{' with 3 malformed sequences\n    UTF-8, ISO-2022-JP, strict-ascii, UTF-7"), "{text}");
    // Text without invisible characters comes before text with control characters.
    assert!(text.find("'УъЦ{'") < text.find("'\\u{93}њ\\u{96}{'"), "{text}");
    let malformed = lines.iter().position(|line| line.contains("malformed")).unwrap();
    assert!(!lines[malformed..].iter().any(|line| line.ends_with('\'')), "{text}");
    // Nothing that a terminal would interpret.
    let result = inspect(&["--bytes", "1B 9B 0D 85 E2 80 AE"]);
    assert!(
        !String::from_utf8(result.stdout).unwrap().chars().any(|c| (c.is_control() && c != '\n') || c == '\u{202E}')
    );
}

#[test]
fn json_is_an_array() {
    let characters: Value = serde_json::from_slice(&inspect(&["--json", "日é"]).stdout).unwrap();
    assert_eq!(characters[0]["code_point"], "U+65E5");
    assert_eq!(characters[1]["name"], "LATIN SMALL LETTER E WITH ACUTE");
    let shift_jis = characters[0]["encodings"].as_array().unwrap().iter().find(|one| one["encoding"] == "Shift_JIS");
    assert_eq!(shift_jis.unwrap()["bytes"], "93 FA");
    assert!(characters[0]["not_in"].as_array().unwrap().contains(&"windows-1252".into()));

    let readings: Value = serde_json::from_slice(&inspect(&["--json", "-b", "93 FA FF", "-f", "sjis"]).stdout).unwrap();
    assert_eq!(
        readings,
        serde_json::json!([{
            "encoding": "Shift_JIS", "text": "日\u{FFFD}", "malformed": 1,
            "items": [
                {
                    "start": 0, "end": 2, "bytes": "93 FA", "kind": "character", "character": "日",
                    "code_point": "U+65E5", "name": "CJK UNIFIED IDEOGRAPH-65E5",
                },
                {
                    "start": 2, "end": 3, "bytes": "FF", "kind": "malformed",
                    "reason": DecodeReason::InvalidByte.to_string(),
                },
            ],
        }])
    );
    let readings: Value = serde_json::from_slice(&inspect(&["--json", "-b", "41"]).stdout).unwrap();
    assert_eq!(readings.as_array().unwrap().len(), 41 + textcodec::oem::ALL.len());
}

#[test]
fn messages_about_wrong_usage() {
    for (arguments, message) in [
        (&["U+D83D"][..], "U+D83D is a surrogate of UTF-16, not a character"),
        (&[""], "TEXT is empty; for a space, write ' ' or U+0020"),
        (&["U+110000"], "U+110000 is not a character; the last code point is U+10FFFF"),
        (&["--bytes", "82A"], "--bytes: '82A' has an odd number of hexadecimal digits (3); write two for each byte"),
        (&["--bytes", "zz"], "--bytes: 'zz' is not a list of hexadecimal bytes, such as \"82 A0\""),
        (&["--bytes", "41", "-f", "utf-9"], "--from: 'utf-9' is not a label"),
        (&["-t", "utf-9", "a"], "--to: 'utf-9' is not a label"),
        (&[], "the following required arguments were not provided"),
        (&["a", "--bytes", "41"], "the argument '"),
    ] {
        let result = inspect(arguments);
        assert!(result.stderr.starts_with(&format!("error: {message}")), "{}", result.stderr);
        result.assert_usage_of("inspect");
    }
}

#[test]
fn a_character_is_missing_in_the_encoding_that_a_label_names() {
    for (label, character, bytes, name, exact) in
        [("ascii", "é", "E9", "ASCII", "strict-ascii"), ("latin1", "€", "80", "ISO-8859-1", "isomorphic")]
    {
        let advice = format!(
            "'{label}' means windows-1252 here, as on the web; if that is meant, use windows-1252; for {name} alone, use {exact}"
        );
        let result = inspect(&["-t", label, character]);
        let text = String::from_utf8(result.stdout.clone()).unwrap();
        let rows: Vec<Vec<_>> = text.lines().skip(1).map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(rows, [vec![bytes, "windows-1252"], vec!["not", "in", name]]);
        result.assert_message(1, &advice);
        let json: Value = serde_json::from_slice(&inspect(&["--json", "-t", label, character]).stdout).unwrap();
        assert_eq!(json[0]["not_in"], serde_json::json!([name]));
        inspect(&["-f", label, "-b", bytes]).assert_message(0, &format!("1 character is not in {name}; {advice}"));
        assert_eq!(inspect(&["-t", label, "a"]).stderr, "");
        assert_eq!(inspect(&["-f", label, "-b", "41"]).stderr, "");
    }
    assert_eq!(inspect(&["-t", "windows-1252", "é€"]).status, 0);
    let result = inspect(&["-t", "ascii", "字"]);
    assert_eq!((result.status, result.stderr.as_str()), (1, ""));
}

#[test]
fn mistakes_are_named_as_they_were_typed() {
    let message = |arguments: &[&str]| inspect(arguments).stderr.lines().next().unwrap_or_default().to_owned();
    assert_eq!(
        message(&["-b", "41", "é"]),
        "error: --bytes: 'é' is not a list of hexadecimal bytes, such as \"82 A0\""
    );
    assert_eq!(
        message(&["-b", "41", "4"]),
        "error: --bytes: '41 4' has an odd number of hexadecimal digits (3); write two for each byte"
    );
    assert_eq!(
        message(&["\\u00e"]),
        "error: '\\u00e' has fewer than four hexadecimal digits; write \\u000e or \\u{00e}"
    );
}

#[test]
fn newline_at_15_is_for_all_of_ebcdic() {
    let text = String::from_utf8(inspect(&["--bytes", "C1 15", "--newline-at-15"]).stdout).unwrap();
    let (_, ebcdic) = text.split_once("'A\\n'\n").unwrap();
    assert!(ebcdic.trim_start().starts_with("IBM037, "), "{text}");
    let text = String::from_utf8(inspect(&["--newline-at-15", "U+000A"]).stdout).unwrap();
    assert!(text.contains("\n  15  ") && !text.contains("\n  25  "), "{text}");
    let message = "--newline-at-15: UTF-8: not EBCDIC; ";
    assert!(inspect(&["--bytes", "C1", "-f", "utf-8", "--newline-at-15"]).stderr.contains(message));
}

/// Bytes of a whole file are decoded in one encoding after the other: together, their descriptions need kilobytes for each byte.
#[cfg(target_os = "linux")]
#[test]
fn long_bytes_need_little_memory() {
    let bytes = "41 C3 A9 95 ".repeat(1000).replace(' ', "");
    for option in ["", "--json"] {
        // With 27 KB for each byte, it would be 108 MB.
        let command = format!("ulimit -v 60000 && exec \"$0\" inspect {option} --bytes {bytes}");
        let mut sh = std::process::Command::new("sh");
        let result = RunResult::of(sh.args(["-c", &command]).arg(assert_cmd::cargo::cargo_bin!("textcodec")));
        assert_eq!((result.status, &*result.stderr), (0, ""), "{option}");
    }
    let json: Value = serde_json::from_slice(&inspect(&["--json", "--bytes", "41"]).stdout).unwrap();
    assert!(json.as_array().unwrap().len() > 100);
}
