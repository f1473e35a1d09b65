//! Malformed bytes and unmappable characters: output, messages and exit status.

use crate::common::{Dir, pipe};

#[test]
fn malformed_bytes_are_replaced_and_counted() {
    let result = pipe("-f utf-8", b"fine\n\xFF\xFE a\xC3");
    assert_eq!(result.stdout, "fine\n\u{FFFD}\u{FFFD} a\u{FFFD}".as_bytes());
    result.assert_message(
        1,
        "standard input: 3 malformed sequences replaced by U+FFFD; the first at byte 5 (FF): \
         {InvalidByte}",
    );
    let result = pipe("-f shift_jis", b"ab\x82");
    assert_eq!(result.stdout, "ab\u{FFFD}".as_bytes());
    result.assert_message(1, "standard input: 1 malformed sequence replaced by U+FFFD, at byte 2 (82): {Incomplete}");
}

#[test]
fn offsets_start_at_each_input_and_include_the_byte_order_mark() {
    let dir = Dir::with([("a", b"0123456789"), ("b", b"\xEF\xBB\xBFabc\xE6\x97x")]);
    dir.convert("-f gbk a b -o out").assert_message(
        1,
        "b: 1 malformed sequence replaced by U+FFFD, at byte 6 (E6 97): {Interrupted} (its byte order mark overrides \
             'gbk'; with --input-bom=own, it is text)",
    );
    assert_eq!(dir.read("out"), "0123456789abc\u{FFFD}x".as_bytes());
}

#[test]
fn without_a_given_encoding_the_message_suggests_giving_one() {
    let advice = "(if this is not UTF-8, give its encoding with -f, or try -f auto)";
    assert!(pipe("", b"\xE9").stderr.trim_end().ends_with(advice));
    assert!(pipe("--strict", b"\xE9").stderr.contains(advice));
    assert!(!pipe("-f utf-8", b"\xE9").stderr.contains(advice));
}

#[test]
fn strict_stops_at_the_first_malformed_sequence() {
    let dir = Dir::with([("in", b"0123456789\r\n\x82\n after it"), ("out", b"original")]);
    dir.convert("--strict -f shift_jis in -o out")
        .assert_message(3, "in: malformed Shift_JIS at byte 12 (82): {Interrupted}; nothing was written to out");
    assert_eq!(dir.read("out"), b"original");
    assert_eq!(dir.names(), ["in", "out"]);

    let result = dir.convert("--strict -f shift_jis in");
    assert_eq!(result.stdout, b"0123456789\r\n");
    result.assert_message(
        3,
        "in: malformed Shift_JIS at byte 12 (82): {Interrupted}; \
         the output before this point was written to standard output",
    );
}

#[test]
fn strict_names_the_encoding_of_the_byte_order_mark() {
    pipe("--strict -f gbk", b"\xFF\xFEa\0\0\xDC").assert_message(
        3,
        "standard input: malformed UTF-16LE at byte 4 (00 DC): {UnpairedSurrogate} (its byte order mark overrides 'gbk'; \
         with --input-bom=own, it is text); \
         the output before this point was written to standard output",
    );
}

#[test]
fn strict_accepts_well_formed_input() {
    pipe("--strict", "日本\u{FFFD}".as_bytes()).assert_clean("日本\u{FFFD}");
}

#[test]
fn strict_finds_a_malformed_second_input_before_the_output_is_written() {
    let dir = Dir::with([("a", b"good"), ("b", b"bad \xFF")]);
    let result = dir.convert("--strict -f utf-8 a b -o new");
    result.assert_message(3, "b: malformed UTF-8 at byte 4 (FF): {InvalidByte}; nothing was written to new");
    assert_eq!(dir.names(), ["a", "b"]);
}

#[test]
fn the_encoding_replacement_gives_one_error() {
    let result = pipe("-f iso-2022-kr", b"\x1B$)C any text");
    assert_eq!(result.stdout, "\u{FFFD}".as_bytes());
    assert_eq!(result.status, 1);
    let message =
        "the Encoding Standard does not decode 'iso-2022-kr', for security reasons; all of the text was replaced";
    assert!(result.stderr.contains(message), "{}", result.stderr);
    assert_eq!(pipe("--strict -f replacement", b"a").status, 3);
    pipe("-f replacement", b"").assert_clean("");
}

#[test]
fn an_unmappable_character_is_an_error_with_its_location() {
    let dir = Dir::with([("in", "Größe\n1 € 😀 字\n".as_bytes()), ("out", b"original")]);
    dir.convert("-t windows-1252 in -o out").assert_message(
        3,
        "in: unmappable in windows-1252 at line 2, column 5: U+1F600 '😀'; nothing was written to out; \
         to continue, use --unmappable=translit, html, replace or skip",
    );
    assert_eq!(dir.read("out"), b"original");
    assert_eq!(dir.names(), ["in", "out"]);

    // Columns count characters, not code units: an emoji counts once.
    let result = dir.convert("-t shift_jis in");
    assert_eq!(result.stdout, b"Gr");
    assert!(result.stderr.starts_with(
        "textcodec: in: unmappable in Shift_JIS at line 1, column 3: U+00F6 'ö'; the output before this point was"
    ));
    let dir = Dir::with([("in", "one\n😀 x字".as_bytes())]);
    let result = dir.convert("-t x-user-defined --unmappable=error in");
    assert!(result.stderr.contains("at line 2, column 1: U+1F600"), "{}", result.stderr);
}

#[test]
fn unmappable_characters_are_written_as_references_replaced_or_skipped() {
    let text = "Ж 字 😀!".as_bytes();
    for (how, bytes, message) in [
        ("html", &b"\xC6 &#23383; &#128512;!"[..], "2 unmappable characters written as '&#…;'"),
        ("replace", b"\xC6 ? ?!", "2 unmappable characters replaced by '?'"),
        ("skip", b"\xC6  !", "2 unmappable characters skipped"),
        ("xml", b"\xC6 &#x5B57; &#x1F600;!", "2 unmappable characters written as '&#x…;'"),
        ("replace=*", b"\xC6 * *!", "2 unmappable characters replaced by '*'"),
        ("translit", b"\xC6 ? ?!", "2 unmappable characters transliterated"),
    ] {
        let result = pipe(&format!("-t windows-1251 --unmappable={how}"), text);
        assert_eq!(result.stdout, bytes, "{how}");
        result.assert_message(
            1,
            &format!("standard input: {message}; the first at line 1, column 3: U+5B57 '字' is not in windows-1251"),
        );
        // Without unmappable characters, there is no message.
        pipe(&format!("-t windows-1251 --unmappable={how}"), "Ж!".as_bytes()).assert_clean(b"\xC6!");
        pipe(&format!("--unmappable={how}"), text).assert_clean(text);
    }
    pipe("-t koi8-r --unmappable skip", "a\n\nß".as_bytes()).assert_message(
        1,
        "standard input: 1 unmappable character skipped, at line 3, column 1: U+00DF 'ß' is not in KOI8-R",
    );
}

#[test]
fn losses_are_reported_for_each_input() {
    let dir = Dir::with([("a", b"a\n"), ("b", "b\nß\nß".as_bytes()), ("c", "ß".as_bytes())]);
    dir.convert("-t koi8-r --unmappable=replace a b c -o out").assert_message(
        1,
        "b: 2 unmappable characters replaced by '?'; the first at line 2, column 1: U+00DF 'ß' is not in KOI8-R\n\
             textcodec: c: 1 unmappable character replaced by '?', at line 1, column 1: U+00DF 'ß' is not in KOI8-R",
    );
    assert_eq!(dir.read("out"), b"a\nb\n?\n??");
    let result = dir.convert("-t koi8-r a b c");
    assert!(result.stderr.starts_with("textcodec: b: unmappable in KOI8-R at line 2, column 1: "), "{}", result.stderr);
}

#[test]
fn a_malformed_sequence_whose_replacement_is_unmappable_is_one_error() {
    let result = pipe("-f shift_jis -t windows-1252", b"abc\x82");
    assert_eq!(result.stdout, b"abc");
    result.assert_message(
        3,
        "standard input: malformed Shift_JIS at byte 3 (82): {Incomplete}; U+FFFD, which would replace it, is unmappable in \
         windows-1252; the output before this point was written to standard output; \
         to continue, use --malformed=skip or escape, or --unmappable=translit, html, replace or skip",
    );

    let result = pipe("-f shift_jis -t windows-1252 --unmappable=replace", b"abc\x82");
    assert_eq!((result.status, result.stdout.as_slice(), result.stderr.lines().count()), (1, &b"abc?"[..], 2));
}

#[test]
fn malformed_bytes_after_a_fatal_unmappable_character_are_not_counted() {
    let dir = Dir::with([("in", &[b"ab\xFF", "字".as_bytes(), &b"\xFF\n".repeat(5000)].concat())]);
    let result = dir.convert("-f utf-8 -t windows-1252 --report=json -o out in");
    let json: serde_json::Value = serde_json::from_slice(&result.stdout).unwrap();
    assert_eq!((&json["files"][0]["malformed"]["count"], result.status), (&1.into(), 3));
    let dir = Dir::with([("in", &["ab字".as_bytes(), &b"\xFF\n".repeat(5000)].concat())]);
    let result = dir.convert("-f utf-8 -t windows-1252 in");
    assert_eq!((result.stderr.lines().count(), result.stdout.as_slice()), (1, &b"ab"[..]), "{}", result.stderr);
}

#[test]
fn escape_sequences_cannot_be_injected_into_iso_2022_jp() {
    let result = pipe("-t iso-2022-jp --unmappable=html", b"a\x1B$Bb");
    assert_eq!((result.status, result.stdout.as_slice()), (1, &b"a&#65533;$Bb"[..]));
    assert!(result.stderr.contains(r"line 1, column 2: U+001B '\u{1b}' is not in ISO-2022-JP"));
}

#[test]
fn iso_2022_jp_returns_to_ascii_for_a_replacement() {
    let result = pipe("-t iso-2022-jp --unmappable=replace", "日😀日".as_bytes());
    assert_eq!(result.stdout, b"\x1B$BF|\x1B(B?\x1B$BF|\x1B(B");
}

#[test]
fn locations_are_right_after_many_blocks() {
    let mut text = "0123456789 abcdef\n".repeat(40_000);
    text.push_str(&"long line ".repeat(30_000));
    text.push('ß');
    let result = pipe("-t koi8-u --unmappable=skip", text.as_bytes());
    result.assert_message(
        1,
        "standard input: 1 unmappable character skipped, at line 40001, column 300001: U+00DF 'ß' is not in KOI8-U",
    );
}

#[test]
fn malformed_bytes_are_skipped_or_escaped() {
    let input = b"fine\n\xFF\xFE a\xE3\x81z\xC3";
    let result = pipe("-f utf-8 --malformed=skip", input);
    assert_eq!(result.stdout, b"fine\n az");
    result.assert_message(1, "standard input: 4 malformed sequences skipped; the first at byte 5 (FF): {InvalidByte}");
    let result = pipe("-f utf-8 --malformed=escape", input);
    assert_eq!(result.stdout, b"fine\n\\xFF\\xFE a\\xE3\\x81z\\xC3");
    let message = "standard input: 4 malformed sequences written as '\\x…'; the first at byte 5 (FF): {InvalidByte}";
    result.assert_message(1, message);
    // In place, the user has asked for it.
    let dir = Dir::with([("f", "déjà vu à l'été \u{FF}".as_bytes())]);
    let damaged = [&*dir.read("f"), b"\xFF\xE3\x81z\xC3"].concat();
    std::fs::write(dir.path("f"), damaged).unwrap();
    assert_eq!(dir.convert("-f utf-8 -t windows-1252 --malformed=escape --in-place f").status, 1);
    assert_eq!(dir.read("f"), b"d\xE9j\xE0 vu \xE0 l'\xE9t\xE9 \xFF\\xFF\\xE3\\x81z\\xC3");
}

#[test]
fn malformed_bytes_have_the_same_place_in_blocks_and_streams_of_every_encoding() {
    use textcodec::{DecodeError, Encoding};

    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    // Mostly text, with damage in every block. The offset of an unmappable character after malformed ones is right, too.
    let bytes: Vec<u8> = (0..900_000).map(|n| if n % 97 < 5 { next() } else { b"plain text\n"[n % 11] }).collect();
    for label in ["utf-8", "shift_jis", "gb18030", "euc-kr", "windows-1253", "iso-2022-jp", "utf-16le"] {
        let encoding = Encoding::for_label(label).unwrap();
        let dir = Dir::with([("f", &bytes)]);
        for how in ["skip", "escape", "replace"] {
            let text = |error: &DecodeError| {
                Some(match how {
                    "skip" => String::new().into(),
                    "escape" => {
                        error.bytes().iter().map(|byte| format!("\\x{byte:02X}")).collect::<Vec<_>>().concat().into()
                    }
                    _ => "\u{FFFD}".into(),
                })
            };
            let mut expected = String::new();
            let mut decoder = encoding.decoder_with(textcodec::Bom::Keep);
            decoder.push_with(&bytes, &mut expected, text).unwrap();
            let errors = decoder.finish_with(&mut expected, text).unwrap().errors;
            let arguments = format!("-f {label} --input-bom=keep --malformed={how}");
            let count = format!("{} malformed sequences ", errors.count());
            for result in [
                dir.convert(&format!("{arguments} -j 4 f")),
                dir.convert(&format!("{arguments} -j 1 f")),
                pipe(&arguments, &bytes),
            ] {
                assert!(result.stdout == expected.as_bytes(), "{arguments}");
                assert!(errors.count() == 0 || result.stderr.contains(&count), "{arguments}: {}", result.stderr);
            }
            // To another encoding, by way of UTF-16.
            let result = dir.convert(&format!("{arguments} -t utf-16le f"));
            assert!(result.stdout == *textcodec::UTF_16LE.encode(&expected).unwrap(), "{arguments}");
        }
    }
}

#[test]
fn the_advice_for_text_that_is_not_utf_8_is_to_name_its_encoding() {
    for to in ["cp1252", "shift_jis", "iso-8859-2"] {
        let dir = Dir::with([("latin1.txt", b"caf\xE9\n")]);
        let result = dir.convert(&format!("-t {to} latin1.txt -o out"));
        assert!(result.status == 3 && result.stderr.contains("; nothing was written to out"), "{}", result.stderr);
        let advice = "(if this is not UTF-8, give its encoding with -f, or try -f auto)";
        assert!(result.stderr.contains(advice) && !result.stderr.contains("--unmappable"), "{}", result.stderr);
        // If it is, other advice helps.
        let result = dir.convert(&format!("-f utf-8 -t {to} latin1.txt -o out"));
        assert!(
            !result.stderr.contains(advice) && result.stderr.contains("use --malformed=skip or escape, or"),
            "{}",
            result.stderr
        );
        assert_eq!(dir.convert(&format!("-f utf-8 -t {to} --malformed=escape latin1.txt -o out")).status, 1);
        assert_eq!(dir.read("out"), b"caf\\xE9\n");
    }
}
