//! Labels that name a narrower encoding than they mean, such as `ascii`, and the names of the exact encodings.

use std::fs;

use serde_json::Value;

use crate::common::{Dir, RunResult, pipe};

const ASCII: &str = "'ascii' means windows-1252 here, as on the web; if that is meant, use windows-1252; \
                     for ASCII alone, use strict-ascii";
const LATIN1: &str = "'latin1' means windows-1252 here, as on the web; if that is meant, use windows-1252; \
                      for ISO-8859-1 alone, use isomorphic";
const GB2312: &str = "'gb2312' means GBK here, as on the web; if that is meant, use GBK";

fn check(arguments: &str, input: &[u8]) -> RunResult {
    let dir = Dir::with([("in", input)]);
    RunResult::of(&mut dir.textcodec(&format!("check {arguments} in")))
}

#[test]
fn characters_outside_the_encoding_that_a_label_names_are_converted_and_reported() {
    let result = pipe("-t ascii", "é€\n".as_bytes());
    assert_eq!(result.stdout, b"\xE9\x80\n");
    result.assert_message(
        0,
        &format!(
            "standard input: 2 characters of the output are not in ASCII, the first at line 1, column 1: U+00E9 'é'; {ASCII}"
        ),
    );
    let result = pipe("-f ascii", b"abc\xE9\x80\n");
    assert_eq!(result.stdout, "abcé€\n".as_bytes());
    result.assert_message(
        0,
        &format!("standard input: 2 characters are not in ASCII, the first at byte 3 (E9); {ASCII}"),
    );
    pipe("-f latin1", b"\xE9\n\x80")
        .assert_message(0, &format!("standard input: 1 character is not in ISO-8859-1, at byte 2 (80); {LATIN1}"));
    pipe("-f gb2312", b"\xB0\xA1\x87\xF8")
        .assert_message(0, &format!("standard input: 1 character is not in GB 2312, at byte 2 (87 F8); {GB2312}"));
    pipe("-t gb2312", "啊\n中國".as_bytes()).assert_message(
        0,
        &format!(
            "standard input: 1 character of the output is not in GB 2312, at line 2, column 2: U+570B '國'; {GB2312}"
        ),
    );
}

#[test]
fn text_within_the_encoding_that_a_label_names_is_not_reported() {
    pipe("-f ascii -t us-ascii", b"abc\n").assert_clean("abc\n");
    pipe("-f latin1", b"\xE9\xFF\xA0\x81").assert_clean("éÿ\u{A0}\u{81}");
    pipe("-t l1", "éÿ".as_bytes()).assert_clean(b"\xE9\xFF");
    pipe("-f tis-620", b"\xA1\xFB").assert_clean("ก๛");
    pipe("-f ks_c_5601-1987", b"\xB0\xA1\xA1\xA2").assert_clean("가、");
    // These labels mean what they say.
    pipe("-t windows-1252", "é€".as_bytes()).assert_clean(b"\xE9\x80");
    pipe("-t euc-kr", "뷁€".as_bytes()).assert_clean(b"\x94\xEE\xA2\xE6");
    pipe("-t gbk", "國".as_bytes()).assert_clean(b"\x87\xF8");
    // A byte order mark is right for these.
    pipe("-f utf-8", "\u{FEFF}é".as_bytes()).assert_clean("é");
    pipe("-f windows-1252", "\u{FEFF}é".as_bytes()).assert_clean("é");
    pipe("-f auto --strict-labels", "\u{FEFF}é".as_bytes()).assert_clean("é");
    // iconv has its own meanings.
    let dir = Dir::with([("in", b"\xE9")]);
    RunResult::of(&mut dir.textcodec("iconv -f LATIN1 in")).assert_clean("é");
}

#[test]
fn both_sides_are_reported() {
    let result = pipe("-f latin1 -t gb2312", b"a\x80");
    assert_eq!((result.status, result.stdout.as_slice()), (0, &b"a\x80"[..]));
    let lines: Vec<_> = result.stderr.lines().collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].contains("1 character is not in ISO-8859-1, at byte 1 (80); "), "{lines:?}");
    assert!(lines[1].contains("1 character of the output is not in GB 2312, at line 1, column 2: U+20AC '€'; "));
}

#[test]
fn quiet_silences_the_report() {
    pipe("-q -f ascii", b"\xE9").assert_clean("é");
}

#[test]
fn strict_labels_are_an_error_and_write_nothing() {
    let dir = Dir::with([("in", b"abc\n\xE9\n"), ("text", "a\nbé".as_bytes()), ("out", b"original")]);
    let after = "nothing was written to out";
    dir.convert("--strict-labels -f ascii in -o out")
        .assert_message(3, &format!("in: not in ASCII at byte 4 (E9); {after}; {ASCII}"));
    dir.convert("--strict-labels -t ascii text -o out")
        .assert_message(3, &format!("text: not in ASCII at line 2, column 2: U+00E9 'é'; {after}; {ASCII}"));
    assert_eq!(dir.read("out"), b"original");
    dir.convert("--strict-labels -f ascii --in-place in")
        .assert_message(3, &format!("in: not in ASCII at byte 4 (E9); the file is unchanged; {ASCII}"));
    assert_eq!(dir.read("in"), b"abc\n\xE9\n");
    // Standard output ends before the character.
    assert_eq!(dir.convert("--strict-labels -f ascii in").stdout, b"abc\n");
    assert_eq!(dir.convert("--strict-labels -t ascii text").stdout, b"a\nb");
    assert_eq!(dir.convert("--strict-labels -f latin1 in -o out").status, 0);
    assert_eq!(dir.read("out"), "abc\né\n".as_bytes());
}

#[test]
fn earlier_errors_come_first_and_later_ones_do_not_count() {
    // An error before the character, and one after it.
    let result = pipe("--strict-labels --strict -f gb2312 -t koi8-r", b"a\xFF\x87\xF8");
    assert!(result.stderr.contains("malformed GBK at byte 1 (FF)"), "{}", result.stderr);
    let result = pipe("--strict-labels --strict -f gb2312", b"a\x87\xF8\xFF");
    assert!(result.stderr.contains("not in GB 2312 at byte 1 (87 F8)"), "{}", result.stderr);
    assert_eq!((result.status, result.stderr.lines().count()), (3, 1));
    let result = pipe("--strict-labels -t ascii --unmappable=html", "ж\néж".as_bytes());
    assert_eq!((result.status, result.stdout.as_slice()), (3, &b"&#1078;\n"[..]));
    assert!(result.stderr.contains("1 unmappable character written as"), "{}", result.stderr);
    // The characters of the input up to an unmappable one are counted.
    let result = pipe("-f latin1 -t koi8-r", &[&b"\x85a\x85\x80"[..], &b"\x80".repeat(100_000)].concat());
    assert!(result.stderr.contains("unmappable in KOI8-R at line 1, column 1: U+2026"), "{}", result.stderr);
    let result = pipe("-f latin1 -t windows-1251", &[&b"\x85a\x85\xE9"[..], &b"\x80".repeat(100_000)].concat());
    assert!(
        result.stderr.contains("2 characters are not in ISO-8859-1, the first at byte 0 (85)"),
        "{}",
        result.stderr
    );
}

#[test]
fn the_report_does_not_depend_on_threads_or_blocks() {
    let line = b"abc \xB0\xA1\xD7\xF9\n";
    let mut input = line.repeat(400_000);
    for (n, at) in [262_143, 524_288, 1_000_003, 2_000_000].into_iter().enumerate() {
        let at = at / line.len() * line.len() + 4;
        input[at..at + 2].copy_from_slice(if n % 2 == 0 { b"\x87\xF8" } else { b"\xA2\xA1" });
    }
    let dir = Dir::new();
    fs::write(dir.path("in"), &input).unwrap();
    let first = 262_143 / line.len() * line.len() + 4;
    let expected = format!("4 characters are not in GB 2312, the first at byte {first} (87 F8)");
    for jobs in [1, 2, 8] {
        let result = dir.convert(&format!("-j {jobs} -f gb2312 -t gb18030 in -o out"));
        assert!(result.stderr.contains(&expected) && result.status == 0, "{}", result.stderr);
        assert_eq!(dir.read("out"), input);
        let result = dir.convert(&format!("--strict-labels -j {jobs} -f gb2312 in"));
        assert!(result.stderr.contains(&format!("not in GB 2312 at byte {first}")), "{}", result.stderr);
        assert_eq!(result.stdout, textcodec::GBK.decode(&input[..first]).text.as_bytes());
    }
    let result = pipe("-f gb2312 -t gb2312", &input);
    assert!(result.stderr.contains("4 characters are not in GB 2312, the first at byte"), "{}", result.stderr);
    assert!(result.stderr.contains("4 characters of the output are not in GB 2312, the first at line"));
}

#[test]
fn json_has_the_message_as_a_warning() {
    let dir = Dir::with([("a", b"\xE9"), ("b", b"b")]);
    let result = dir.convert("-f ascii --report=json --output-dir out a b");
    let json: Value = serde_json::from_slice(&result.stdout).unwrap();
    let expected = format!("a: 1 character is not in ASCII, at byte 0 (E9); {ASCII}");
    assert_eq!(json["files"][0]["warnings"], serde_json::json!([expected]));
    assert_eq!(
        (&json["files"][0]["outcome"], &json["files"][1]["warnings"]),
        (&"converted".into(), &Value::Array(vec![]))
    );
    assert_eq!(result.status, 0);
}

#[test]
fn check_lists_characters_outside_the_encoding_that_a_label_names() {
    let result = check("-f ascii", b"ok\na\xE9\x80\n");
    assert_eq!(
        String::from_utf8(result.stdout.clone()).unwrap(),
        "in:2:2: not in ASCII at byte 4: U+00E9 'é' LATIN SMALL LETTER E WITH ACUTE\n\
         in:2:3: not in ASCII at byte 5: U+20AC '€' EURO SIGN\n"
    );
    result.assert_message(1, &format!("2 characters not in ASCII; {ASCII}"));

    let result = check("-t ascii", "é字\n".as_bytes());
    assert_eq!(
        String::from_utf8(result.stdout.clone()).unwrap(),
        "in:1:1: not in ASCII at byte 0: U+00E9 'é' LATIN SMALL LETTER E WITH ACUTE\n\
         in:1:2: unmappable in windows-1252 at byte 2: U+5B57 '字' CJK UNIFIED IDEOGRAPH-5B57\n"
    );
    result.assert_message(1, &format!("1 character unmappable in windows-1252 and 1 character not in ASCII; {ASCII}"));

    let result = check("-f latin1 -t ascii", b"\x80\xE9");
    result.assert_message(1, &format!("3 characters not in ISO-8859-1 or ASCII; {LATIN1}; {ASCII}"));
    let result = check("-f ascii -t ascii", b"\xE9");
    assert_eq!(String::from_utf8(result.stdout).unwrap().lines().count(), 1);

    check("-f latin1 -t us-ascii", b"abc\n").assert_clean("");
    check("-f latin1", b"\xE9\x81").assert_clean("");
    check("-f windows-1252 -t euc-kr", b"\x80").assert_clean("");
    assert_eq!(check("-q -f ascii", b"\xE9").status, 1);
}

#[test]
fn check_finds_characters_in_any_block() {
    let mut input = b"\xB0\xA1 \xB0\xA1\n".repeat(100_000);
    for at in [65_535, 65_536, 131_071, 400_000] {
        let at = at / 6 * 6 + 3;
        input[at..at + 2].copy_from_slice(b"\xA2\xE6");
    }
    let result = check("-f ks_c_5601-1987 -t windows-949 --json", &input);
    let lines: Vec<Value> = result
        .stdout
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect();
    let at = 65_535 / 6 * 6 + 3;
    assert_eq!(
        lines[0],
        serde_json::json!({
            "file": "in", "line": at / 6 + 1, "column": 3, "byte": at, "kind": "outside", "length": 2,
            "encoding": "KS C 5601", "character": "€", "code_point": "U+20AC", "name": "EURO SIGN"
        })
    );
    assert_eq!(lines.len(), 3);
}

#[test]
fn a_byte_order_mark_contradicts_a_label_that_names_a_narrower_encoding() {
    let utf_8 = "\u{FEFF}café\n".as_bytes();
    for (label, name) in [
        ("ascii", "ASCII"),
        ("strict-ascii", "ASCII"),
        ("latin1", "ISO-8859-1"),
        ("isomorphic", "ISO-8859-1"),
        ("gb2312", "GB 2312"),
    ] {
        for (input, text, bytes, means) in [
            (utf_8, "café\n", "EF BB BF", "UTF-8"),
            (b"\xFF\xFE\xE9\0", "é", "FF FE", "UTF-16LE"),
            (b"\xFE\xFF\0\xE9", "é", "FE FF", "UTF-16BE"),
        ] {
            let what = format!("not in {name} at byte 0: byte order mark {bytes}, which means {means}");
            let result = check(&format!("-f {label}"), input);
            assert_eq!(String::from_utf8(result.stdout.clone()).unwrap(), format!("in:1:1: {what}\n"));
            result.assert_message(1, "1 byte order mark");
            assert_eq!(check(&format!("-q -f {label}"), input).status, 1);

            let result = pipe(&format!("-f {label}"), input);
            assert_eq!(result.stdout, text.as_bytes());
            let warning = format!("{what} and overrides '{label}'; with --strict-labels, this is an error");
            result.assert_message(0, &format!("standard input: {warning}"));

            let dir = Dir::with([("in", input)]);
            let after = "nothing was written to out; if that is meant, use -f";
            dir.convert(&format!("--strict-labels -f {label} in -o out"))
                .assert_message(3, &format!("in: {what}; {after} {means}"));
            dir.convert(&format!("--strict-labels -f {label} --in-place in"))
                .assert_message(3, &format!("in: {what}; the file is unchanged; if that is meant, use -f {means}"));
            assert_eq!((dir.names(), dir.read("in")), (vec!["in".to_owned()], input.to_vec()));
        }
    }
    let json: Value = serde_json::from_slice(&check("--json -f ascii", utf_8).stdout).unwrap();
    assert_eq!(
        json,
        serde_json::json!({
            "file": "in", "line": 1, "column": 1, "byte": 0, "kind": "byte-order-mark", "length": 3, "encoding": "UTF-8",
            "bytes": "EF BB BF"
        })
    );
    // Errors in the text after it are found, too.
    let result = check("-f ascii", b"\xEF\xBB\xBF\xFF");
    result.assert_message(1, "1 malformed sequence and 1 byte order mark");
    assert_eq!(check("-f ascii -m 1", b"\xEF\xBB\xBF\xFF").stdout.split(|&byte| byte == b'\n').count(), 2);
}

#[test]
fn list_shows_the_labels_that_name_a_narrower_encoding() {
    let dir = Dir::new();
    let list = |arguments: &str| {
        String::from_utf8(RunResult::of(&mut dir.textcodec(&format!("list {arguments}"))).stdout).unwrap()
    };
    let text = list("latin1");
    assert!(text.contains("\n  narrower    ASCII, named by ascii us-ascii ansi_x3.4-1968 "), "{text}");
    assert!(text.contains("\n              ISO-8859-1, named by iso-8859-1 "), "{text}");
    assert!(!list("koi8-r").contains("narrower"));
    let json: Value = serde_json::from_str(&list("--json gb2312")).unwrap();
    assert_eq!(json[0]["narrower"]["GB 2312"][0], "gb2312");
}

#[test]
fn the_exact_encodings_need_no_flag() {
    pipe("-f isomorphic", b"\x80\xE9").assert_clean("\u{80}é");
    pipe("-t Strict-ASCII", b"abc").assert_clean("abc");
    let result = pipe("-t strict-ascii", "é".as_bytes());
    assert!(result.stderr.contains("unmappable in US-ASCII at line 1, column 1"), "{}", result.stderr);
    assert_eq!(check("-f strict-ascii", b"\xE9").status, 1);
    let dir = Dir::new();
    let result = RunResult::of(&mut dir.textcodec("inspect -t isomorphic U+80"));
    assert!(String::from_utf8(result.stdout).unwrap().contains("isomorphic"));
    pipe("-f strict-asci", b"")
        .assert_usage("--from: 'strict-asci' is not a label of the Encoding Standard; similar names: strict-ascii");
    pipe("-f cp28591", b"\xE9\x80").assert_clean("é\u{80}");
}
