//! From bytes to bytes: encodings, byte order marks, several inputs.

use crate::common::{Place, Ran, pipe};

#[test]
fn utf_8_is_the_default_both_ways() {
    pipe("", "für 日本 😀".as_bytes()).is_clean("für 日本 😀");
    pipe("-f shift_jis", b"\x93\xFA\x96{\x8C\xEA").is_clean("日本語");
    pipe("-t euc-kr", "한글".as_bytes()).is_clean(b"\xC7\xD1\xB1\xDB");
    pipe("--from=windows-1251 --to=koi8-r", b"\xCC\xE8\xF0").is_clean(b"\xED\xC9\xD2");
}

#[test]
fn no_file_and_a_dash_are_standard_input() {
    pipe("-", b"abc").is_clean("abc");
    pipe("- -", b"abc").is_clean("abc");
    let place = Place::with([("in", b"from the shell\n"), ("-", b"a file named dash\n")]);
    place.run_from("in", "").is_clean("from the shell\n");
    place.run_from("in", "-").is_clean("from the shell\n");
    place.run("./-").is_clean("a file named dash\n");
}

#[test]
fn an_empty_input_is_an_empty_output() {
    for to in ["utf-8", "utf-16le", "iso-2022-jp", "gb18030"] {
        pipe(&format!("-t {to}"), b"").is_clean("");
    }
    let place = Place::with([("empty", b"")]);
    place.run("empty empty -o out").is_clean("");
    assert_eq!(place.read("out"), b"");
}

#[test]
fn a_byte_order_mark_wins_over_from_and_is_removed() {
    pipe("", b"\xEF\xBB\xBFabc").is_clean("abc");
    pipe("", b"\xFF\xFEa\0b\0").is_clean("ab");
    pipe("-f shift_jis", b"\xFE\xFF\x65\xE5").is_clean("日");
    pipe("-f utf-16le", b"\xEF\xBB\xBF\xE6\x97\xA5").is_clean("日");
    pipe("-f utf-16", b"a\0").is_clean("a");
    for mark in [&b"\xEF\xBB\xBF"[..], b"\xFE\xFF", b"\xFF\xFE"] {
        pipe("-f windows-1252", mark).is_clean("");
        pipe("-t utf-16be", mark).is_clean("");
    }
    // Only at the start, and only once.
    pipe("", b"\xEF\xBB\xBF\xEF\xBB\xBFa").is_clean("\u{FEFF}a");
    pipe("", b"a\xEF\xBB\xBF").is_clean("a\u{FEFF}");
    // Part of one is none.
    pipe("-f windows-1252", b"\xEF\xBB").is_clean("ï»");
}

#[test]
fn an_output_has_a_byte_order_mark_only_if_its_alias_says_so() {
    pipe("-t utf-16le", b"a").is_clean(b"a\0");
    pipe("-t utf-16", b"a").is_clean(b"a\0");
    pipe("-t utf-16be", b"a").is_clean(b"\0a");
    pipe("--aliases -t utf-8-sig", b"a").is_clean(b"\xEF\xBB\xBFa");
    pipe("--aliases -t utf-8-sig", b"\xEF\xBB\xBFa").is_clean(b"\xEF\xBB\xBFa");
    pipe("--aliases -t utf-8-sig", b"").is_clean(b"\xEF\xBB\xBF");
    pipe("--aliases -f utf-8-sig", b"\xEF\xBB\xBFa").is_clean("a");
}

#[test]
fn aliases_are_names_only_with_the_flag() {
    pipe("--aliases -f cp932", b"\x93\xFA").is_clean("日");
    pipe("--aliases -t CP949", "한".as_bytes()).is_clean(b"\xC7\xD1");
    pipe("--aliases -f sjis", b"\x93\xFA").is_clean("日");
    pipe("--aliases -f true-iso-8859-1", b"\x80").is_clean("\u{80}");
    pipe("-f iso-8859-1", b"\x80").is_clean("€");
}

#[test]
fn inputs_are_joined_each_with_its_own_byte_order_mark() {
    let place = Place::with([
        ("8", b"\xEF\xBB\xBFone "),
        ("16le", b"\xFF\xFEt\0w\0o\0 \0"),
        ("16be", b"\xFE\xFF\0t\0h\0r\0e\0e\0 "),
        ("none", b"four \xA4"),
    ]);
    place.run("-f windows-1252 8 16le 16be none").is_clean("one two three four ¤");
    place.run_from("16le", "-f windows-1252 8 - 16be none").is_clean("one two three four ¤");
    place.run("--aliases -t utf-8-sig 8 8").is_clean(b"\xEF\xBB\xBFone one ");
    place.run("-t utf-16le 8 -o out").is_clean("");
    assert_eq!(place.read("out"), b"o\0n\0e\0 \0");
}

#[test]
fn a_character_does_not_go_on_in_the_next_input() {
    let place = Place::with([("a", b"\xE6\x97"), ("b", b"\xA5!")]);
    let ran = place.run("a b");
    assert_eq!((ran.status, ran.stdout), (1, "\u{FFFD}\u{FFFD}!".as_bytes().to_vec()));
    assert_eq!(ran.stderr.lines().count(), 2);
    assert!(ran.stderr.contains("textcodec: a: 1 malformed sequence replaced by U+FFFD, at byte 0 (E6 97): "));
    assert!(ran.stderr.contains("textcodec: b: 1 malformed sequence replaced by U+FFFD, at byte 0 (A5): "));
}

#[test]
fn one_encoder_writes_the_whole_output() {
    // ISO-2022-JP stays in its two-byte mode from one input to the next, and goes back to ASCII only at the end.
    let place = Place::with([("a", "日".as_bytes()), ("b", "本".as_bytes()), ("c", b"\x1B$BF|")]);
    place.run("-t iso-2022-jp a b").is_clean(b"\x1B$BF|K\\\x1B(B");
    // Each decoder begins in ASCII, whatever the one before it was in.
    place.run("-f iso-2022-jp c c").is_clean("日日");
    place.run("-f iso-2022-jp -t iso-2022-jp c c").is_clean(b"\x1B$BF|F|\x1B(B");
}

#[test]
fn a_round_trip_through_every_encoding_that_has_all_characters() {
    let text = "a é ж 日 한 😀 \u{10FFFF}\r\n\0";
    for encoding in ["utf-8", "utf-16le", "utf-16be", "gb18030"] {
        let there = pipe(&format!("-t {encoding}"), text.as_bytes());
        pipe(&format!("-f {encoding}"), &there.stdout).is_clean(text);
    }
}

#[test]
fn a_label_is_found_as_in_html() {
    let place = Place::with([("in", b"\xE9")]);
    for label in [" Latin1 ", "ISO-8859-1", "ascii", "WINDOWS-1252"] {
        Ran::of(place.command("in").args(["-f", label])).is_clean("é");
    }
}
