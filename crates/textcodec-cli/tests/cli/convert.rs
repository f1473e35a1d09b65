//! Conversions: encodings, byte order marks, several inputs.

use crate::common::{Dir, RunResult, pipe};

#[test]
fn utf_8_is_the_default_for_input_and_output() {
    pipe("", "für 日本 😀".as_bytes()).assert_clean("für 日本 😀");
    pipe("-f shift_jis", b"\x93\xFA\x96{\x8C\xEA").assert_clean("日本語");
    pipe("-t euc-kr", "한글".as_bytes()).assert_clean(b"\xC7\xD1\xB1\xDB");
    pipe("--from=windows-1251 --to=koi8-r", b"\xCC\xE8\xF0").assert_clean(b"\xED\xC9\xD2");
}

#[test]
fn no_file_and_a_dash_mean_standard_input() {
    pipe("-", b"abc").assert_clean("abc");
    pipe("- -", b"abc").assert_clean("abc");
    let dir = Dir::with([("in", b"from the shell\n"), ("-", b"a file named dash\n")]);
    dir.convert_stdin("in", "").assert_clean("from the shell\n");
    dir.convert_stdin("in", "-").assert_clean("from the shell\n");
    dir.convert("./-").assert_clean("a file named dash\n");
}

#[test]
fn an_empty_input_gives_an_empty_output() {
    for to in ["utf-8", "utf-16le", "iso-2022-jp", "gb18030"] {
        pipe(&format!("-t {to}"), b"").assert_clean("");
    }
    let dir = Dir::with([("empty", b"")]);
    dir.convert("empty empty -o out").assert_clean("");
    assert_eq!(dir.read("out"), b"");
}

#[test]
fn a_byte_order_mark_overrides_from_and_is_removed() {
    pipe("", b"\xEF\xBB\xBFabc").assert_clean("abc");
    pipe("", b"\xFF\xFEa\0b\0").assert_clean("ab");
    pipe("-f shift_jis", b"\xFE\xFF\x65\xE5").assert_clean("日");
    pipe("-f utf-16le", b"\xEF\xBB\xBF\xE6\x97\xA5").assert_clean("日");
    pipe("-f utf-16", b"a\0").assert_clean("a");
    for mark in [&b"\xEF\xBB\xBF"[..], b"\xFE\xFF", b"\xFF\xFE"] {
        pipe("-f windows-1252", mark).assert_clean("");
        pipe("-t utf-16be", mark).assert_clean("");
    }
    // Only at the start, and only once.
    pipe("", b"\xEF\xBB\xBF\xEF\xBB\xBFa").assert_clean("\u{FEFF}a");
    pipe("", b"a\xEF\xBB\xBF").assert_clean("a\u{FEFF}");
    // An incomplete one is text.
    pipe("-f windows-1252", b"\xEF\xBB").assert_clean("ï»");
}

#[test]
fn only_the_alias_utf_8_sig_writes_a_byte_order_mark() {
    pipe("-t utf-16le", b"a").assert_clean(b"a\0");
    pipe("-t utf-16", b"a").assert_clean(b"a\0");
    pipe("-t utf-16be", b"a").assert_clean(b"\0a");
    pipe("-t utf-8-sig", b"a").assert_clean(b"\xEF\xBB\xBFa");
    pipe("-t utf-8-sig", b"\xEF\xBB\xBFa").assert_clean(b"\xEF\xBB\xBFa");
    pipe("-t utf-8-sig", b"").assert_clean(b"\xEF\xBB\xBF");
    pipe("-f utf-8-sig", b"\xEF\xBB\xBFa").assert_clean("a");
}

#[test]
fn aliases_need_the_flag() {
    pipe("-f cp932", b"\x93\xFA").assert_clean("日");
    pipe("-t CP949", "한".as_bytes()).assert_clean(b"\xC7\xD1");
    pipe("-f sjis", b"\x93\xFA").assert_clean("日");
    pipe("-f true-iso-8859-1", b"\x80").assert_clean("\u{80}");
    assert_eq!(pipe("-f iso-8859-1", b"\x80").stdout, "€".as_bytes());
}

#[test]
fn each_of_several_inputs_may_have_a_byte_order_mark() {
    let dir = Dir::with([
        ("8", b"\xEF\xBB\xBFone "),
        ("16le", b"\xFF\xFEt\0w\0o\0 \0"),
        ("16be", b"\xFE\xFF\0t\0h\0r\0e\0e\0 "),
        ("none", b"four \xA4"),
    ]);
    dir.convert("-f windows-1252 8 16le 16be none").assert_clean("one two three four ¤");
    dir.convert_stdin("16le", "-f windows-1252 8 - 16be none").assert_clean("one two three four ¤");
    dir.convert("-t utf-8-sig 8 8").assert_clean(b"\xEF\xBB\xBFone one ");
    dir.convert("-t utf-16le 8 -o out").assert_clean("");
    assert_eq!(dir.read("out"), b"o\0n\0e\0 \0");
}

#[test]
fn an_incomplete_character_does_not_continue_in_the_next_input() {
    let dir = Dir::with([("a", b"\xE6\x97"), ("b", b"\xA5!")]);
    let result = dir.convert("a b");
    assert_eq!((result.status, result.stdout), (1, "\u{FFFD}\u{FFFD}!".as_bytes().to_vec()));
    assert_eq!(result.stderr.lines().count(), 2);
    assert!(result.stderr.contains("textcodec: a: 1 malformed sequence replaced by U+FFFD, at byte 0 (E6 97): "));
    assert!(result.stderr.contains("textcodec: b: 1 malformed sequence replaced by U+FFFD, at byte 0 (A5): "));
}

#[test]
fn the_state_of_the_encoder_continues_across_inputs() {
    // The output in ISO-2022-JP stays in its two-byte state between inputs and returns to ASCII only at the end.
    let dir = Dir::with([("a", "日".as_bytes()), ("b", "本".as_bytes()), ("c", b"\x1B$BF|")]);
    dir.convert("-t iso-2022-jp a b").assert_clean(b"\x1B$BF|K\\\x1B(B");
    // Each decoder starts in ASCII, whatever the state at the end of the previous input.
    dir.convert("-f iso-2022-jp c c").assert_clean("日日");
    dir.convert("-f iso-2022-jp -t iso-2022-jp c c").assert_clean(b"\x1B$BF|F|\x1B(B");
}

#[test]
fn encodings_of_all_unicode_round_trip() {
    let text = "a é ж 日 한 😀 \u{10FFFF}\r\n\0";
    for encoding in ["utf-8", "utf-16le", "utf-16be", "gb18030"] {
        let there = pipe(&format!("-t {encoding}"), text.as_bytes());
        pipe(&format!("-f {encoding}"), &there.stdout).assert_clean(text);
    }
}

#[test]
fn labels_are_matched_as_in_html() {
    let dir = Dir::with([("in", b"\xE9")]);
    for label in [" Latin1 ", "ISO-8859-1", "l1", "WINDOWS-1252"] {
        RunResult::of(dir.convert_command("in").args(["-f", label])).assert_clean("é");
    }
}
