//! Malformed bytes and unmappable characters: what is written, what is said, and the exit status.

use crate::common::{Place, pipe};

#[test]
fn malformed_bytes_are_replaced_and_counted() {
    let ran = pipe("-f utf-8", b"fine\n\xFF\xFE a\xC3");
    assert_eq!(ran.stdout, "fine\n\u{FFFD}\u{FFFD} a\u{FFFD}".as_bytes());
    ran.says(
        1,
        "standard input: 3 malformed sequences replaced by U+FFFD; the first at byte 5 (FF): \
         this byte cannot start a character",
    );
    let ran = pipe("-f shift_jis", b"ab\x82");
    assert_eq!(ran.stdout, "ab\u{FFFD}".as_bytes());
    ran.says(
        1,
        "standard input: 1 malformed sequence replaced by U+FFFD, at byte 2 (82): the input ends within a character",
    );
}

#[test]
fn offsets_count_from_the_start_of_each_input_with_its_byte_order_mark() {
    let place = Place::with([("a", b"0123456789"), ("b", b"\xEF\xBB\xBFabc\xE6\x97x")]);
    place.run("-f gbk a b -o out").says(
        1,
        "b: 1 malformed sequence replaced by U+FFFD, at byte 6 (E6 97): the next byte does not continue this sequence",
    );
    assert_eq!(place.read("out"), "0123456789abc\u{FFFD}x".as_bytes());
}

#[test]
fn who_did_not_say_the_encoding_gets_advice() {
    let advice = "(if this is not UTF-8, give its encoding with -f, or try -f auto)";
    assert!(pipe("", b"\xE9").stderr.trim_end().ends_with(advice));
    assert!(pipe("--strict", b"\xE9").stderr.contains(advice));
    assert!(!pipe("-f utf-8", b"\xE9").stderr.contains(advice));
}

#[test]
fn strict_stops_at_the_first_malformed_sequence() {
    let place = Place::with([("in", b"0123456789\r\n\x82\n after it"), ("out", b"as it was")]);
    place.run("--strict -f shift_jis in -o out").says(
        3,
        "in: malformed Shift_JIS at byte 12 (82): the next byte does not continue this sequence; \
         nothing was written to out",
    );
    assert_eq!(place.read("out"), b"as it was");
    assert_eq!(place.names(), ["in", "out"]);

    let ran = place.run("--strict -f shift_jis in");
    assert_eq!(ran.stdout, b"0123456789\r\n");
    ran.says(
        3,
        "in: malformed Shift_JIS at byte 12 (82): the next byte does not continue this sequence; \
         standard output ends before it",
    );
}

#[test]
fn strict_names_the_encoding_of_the_byte_order_mark() {
    pipe("--strict -f gbk", b"\xFF\xFEa\0\0\xDC").says(
        3,
        "standard input: malformed UTF-16LE at byte 4 (00 DC): this surrogate is unpaired; \
         standard output ends before it",
    );
}

#[test]
fn strict_is_content_with_what_is_well_formed() {
    pipe("--strict", "日本\u{FFFD}".as_bytes()).is_clean("日本\u{FFFD}");
}

#[test]
fn strict_sees_a_malformed_second_input_before_the_output_is_touched() {
    let place = Place::with([("a", b"good"), ("b", b"bad \xFF")]);
    let ran = place.run("--strict -f utf-8 a b -o new");
    ran.says(3, "b: malformed UTF-8 at byte 4 (FF): this byte cannot start a character; nothing was written to new");
    assert_eq!(place.names(), ["a", "b"]);
}

#[test]
fn the_replacement_encoding_is_one_error() {
    let ran = pipe("-f iso-2022-kr", b"\x1B$)C any text");
    assert_eq!(ran.stdout, "\u{FFFD}".as_bytes());
    assert_eq!(ran.status, 1);
    assert!(
        ran.stderr
            .contains("1 malformed sequence replaced by U+FFFD, at byte 0 (1B): text in this encoding is not decoded")
    );
    assert_eq!(pipe("--strict -f replacement", b"a").status, 3);
    pipe("-f replacement", b"").is_clean("");
}

#[test]
fn an_unmappable_character_is_an_error_with_its_place() {
    let place = Place::with([("in", "Größe\n1 € 😀 字\n".as_bytes()), ("out", b"as it was")]);
    place.run("-t windows-1252 in -o out").says(
        3,
        "in: line 2, column 5: U+1F600 '😀' is not in windows-1252; nothing was written to out; \
         to go on, use --unmappable=translit, html, replace or skip",
    );
    assert_eq!(place.read("out"), b"as it was");
    assert_eq!(place.names(), ["in", "out"]);

    // Characters, not code units: the emoji before it counts once.
    let ran = place.run("-t shift_jis in");
    assert_eq!(ran.stdout, b"Gr");
    assert!(
        ran.stderr.starts_with("textcodec: in: line 1, column 3: U+00F6 'ö' is not in Shift_JIS; standard output ends")
    );
    let place = Place::with([("in", "one\n😀 x字".as_bytes())]);
    assert!(place.run("-t x-user-defined --unmappable=error in").stderr.contains("in: line 2, column 1: U+1F600"));
}

#[test]
fn unmappable_characters_become_references_question_marks_or_nothing() {
    let text = "Ж 字 😀!".as_bytes();
    for (how, bytes, said) in [
        ("html", &b"\xC6 &#23383; &#128512;!"[..], "2 characters written as '&#…;'"),
        ("replace", b"\xC6 ? ?!", "2 characters replaced by '?'"),
        ("skip", b"\xC6  !", "2 characters left out"),
        ("xml", b"\xC6 &#x5B57; &#x1F600;!", "2 characters written as '&#x…;'"),
        ("replace=*", b"\xC6 * *!", "2 characters replaced by '*'"),
        ("translit", b"\xC6 ? ?!", "2 characters replaced by something similar"),
    ] {
        let ran = pipe(&format!("-t windows-1251 --unmappable={how}"), text);
        assert_eq!(ran.stdout, bytes, "{how}");
        ran.says(
            1,
            &format!("standard input: {said}; the first at line 1, column 3: U+5B57 '字' is not in windows-1251"),
        );
        // What can be written is, and then nothing is said.
        pipe(&format!("-t windows-1251 --unmappable={how}"), "Ж!".as_bytes()).is_clean(b"\xC6!");
        pipe(&format!("--unmappable={how}"), text).is_clean(text);
    }
    pipe("-t koi8-r --unmappable skip", "a\n\nß".as_bytes())
        .says(1, "standard input: 1 character left out, at line 3, column 1: U+00DF 'ß' is not in KOI8-R");
}

#[test]
fn losses_are_told_for_each_input() {
    let place = Place::with([("a", b"a\n"), ("b", "b\nß\nß".as_bytes()), ("c", "ß".as_bytes())]);
    place.run("-t koi8-r --unmappable=replace a b c -o out").says(
        1,
        "b: 2 characters replaced by '?'; the first at line 2, column 1: U+00DF 'ß' is not in KOI8-R\n\
             textcodec: c: 1 character replaced by '?', at line 1, column 1: U+00DF 'ß' is not in KOI8-R",
    );
    assert_eq!(place.read("out"), b"a\nb\n?\n??");
    assert!(place.run("-t koi8-r a b c").stderr.starts_with("textcodec: b: line 2, column 1: "));
}

#[test]
fn a_replacement_character_that_is_itself_unmappable_is_explained() {
    let ran = pipe("-f shift_jis -t windows-1252", b"abc\x82");
    assert_eq!((ran.status, ran.stdout.as_slice()), (3, &b"abc"[..]));
    let lines: Vec<_> = ran.stderr.lines().collect();
    assert_eq!(lines.len(), 2);
    assert!(lines[0].contains("1 malformed sequence replaced by U+FFFD, at byte 3 (82)"));
    assert!(lines[1].contains("line 1, column 4: U+FFFD '\u{FFFD}' is not in windows-1252"));

    let ran = pipe("-f shift_jis -t windows-1252 --unmappable=replace", b"abc\x82");
    assert_eq!((ran.status, ran.stdout.as_slice(), ran.stderr.lines().count()), (1, &b"abc?"[..], 2));
}

#[test]
fn only_what_is_written_is_counted_where_a_character_stops_it() {
    let place = Place::with([("in", &[b"ab\xFF", "字".as_bytes(), &b"\xFF\n".repeat(5000)].concat())]);
    let ran = place.run("-f utf-8 -t windows-1252 --report=json -o out in");
    let json: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!((&json["files"][0]["malformed"]["count"], ran.status), (&1.into(), 3));
    let place = Place::with([("in", &["ab字".as_bytes(), &b"\xFF\n".repeat(5000)].concat())]);
    let ran = place.run("-f utf-8 -t windows-1252 in");
    assert_eq!((ran.stderr.lines().count(), ran.stdout.as_slice()), (1, &b"ab"[..]), "{}", ran.stderr);
}

#[test]
fn escape_sequences_cannot_be_smuggled_into_iso_2022_jp() {
    let ran = pipe("-t iso-2022-jp --unmappable=html", b"a\x1B$Bb");
    assert_eq!((ran.status, ran.stdout.as_slice()), (1, &b"a&#65533;$Bb"[..]));
    assert!(ran.stderr.contains(r"line 1, column 2: U+001B '\u{1b}' is not in ISO-2022-JP"));
}

#[test]
fn iso_2022_jp_goes_back_to_ascii_for_a_replacement() {
    let ran = pipe("-t iso-2022-jp --unmappable=replace", "日😀日".as_bytes());
    assert_eq!(ran.stdout, b"\x1B$BF|\x1B(B?\x1B$BF|\x1B(B");
}

#[test]
fn the_place_is_right_behind_many_blocks() {
    let mut text = "0123456789 abcdef\n".repeat(40_000);
    text.push_str(&"long line ".repeat(30_000));
    text.push('ß');
    let ran = pipe("-t koi8-u --unmappable=skip", text.as_bytes());
    ran.says(1, "standard input: 1 character left out, at line 40001, column 300001: U+00DF 'ß' is not in KOI8-U");
}
