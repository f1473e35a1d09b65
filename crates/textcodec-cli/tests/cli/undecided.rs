//! Text that can be read in two encodings, before or after its conversion.

use std::fs;

use crate::common::Dir;

#[test]
fn utf_16_that_became_utf_8_is_not_read_as_utf_16_again() {
    let with_mark = |text: &str| [b"\xFF\xFE", &*textcodec::UTF_16LE.encode(text).unwrap()].concat();
    for text in ["Un café noir\n", "Да", "и", "한국", "あい", "日本語", "ab", "Ελλάδα", "<html>\n"] {
        for bytes in [with_mark(text), textcodec::UTF_16LE.encode(text).unwrap().into_owned()] {
            let dir = Dir::with([("a", &bytes)]);
            dir.convert("-f utf-16 --in-place a").assert_clean("");
            assert_eq!(String::from_utf8(dir.read("a")).as_deref(), Ok(text));
            let again = dir.convert("-f utf-16 --in-place a");
            assert!(again.status <= 1 && again.stderr.contains("left unchanged"), "{text}: {}", again.stderr);
            assert_eq!(String::from_utf8(dir.read("a")).as_deref(), Ok(text));
        }
    }
}

#[test]
fn short_text_that_became_utf_16_is_not_converted_again() {
    for (from, texts) in [
        ("gbk", ["中文", "你好", "北京", "学习"]),
        ("shift_jis", ["日本", "犬猫", "です", "東京"]),
        ("euc-jp", ["日本", "犬猫", "です", "東京"]),
        ("big5", ["中文", "你好", "臺北", "學習"]),
        ("euc-kr", ["한국", "서울", "나라", "사람"]),
        ("windows-874", ["ไทย", "แม่น้ำ", "ข้าว", "บ้าน"]),
    ] {
        for text in texts {
            let encode =
                |label: &str| textcodec::Encoding::for_label(label).unwrap().encode(text).unwrap().into_owned();
            let dir = Dir::with([("a", &encode(from))]);
            let run = || dir.convert(&format!("-f {from} -t utf-16le --in-place a"));
            run().assert_clean("");
            assert!(dir.read("a") == encode("utf-16le"), "{from}: {text}");
            let again = run();
            assert!(again.stderr.contains("left unchanged"), "{from}: {text}: {}", again.stderr);
            assert!(dir.read("a") == encode("utf-16le"), "{from}: {text}");
        }
    }
}

#[test]
fn text_that_can_be_read_in_both_encodings_is_undecided() {
    // š in ISO-8859-2, ą in windows-1250.
    let dir = Dir::with([("a", b"\xB9"), ("b", b"ascii")]);
    let convert = |arguments: &str| dir.convert(&format!("-f iso-8859-2 -t windows-1250 {arguments}"));
    let why = "may be ISO-8859-2, or windows-1250 already";
    convert("--in-place a").assert_message(1, &format!("a: {why}; left unchanged; --force converts it anyway"));
    convert("--in-place -q a").assert_message_free(1);
    convert("--in-place --dry-run a")
        .assert_message(1, &format!("a: {why}; would be left unchanged; --force converts it anyway"));
    convert("--in-place a b").assert_message(
        1,
        "2 files: 0 converted, 1 unchanged, 1 undecided\n  what is undecided was left unchanged; --verbose says why, --force \
         converts it\n  undecided: a",
    );
    let json = convert("--in-place --report=json a b");
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!((&json["files"][0]["outcome"], &json["exit_status"]), (&"undecided".into(), &1.into()));
    assert_eq!((&json["files"][0]["why"], &json["counts"]["undecided"]), (&why.into(), &1.into()));
    assert_eq!(&json["counts"]["losses"], &0);
    // Neither converted nor copied.
    assert_eq!(convert("a --output-dir out").status, 1);
    assert!(!dir.path("out/a").exists());
    assert_eq!(dir.read("a"), b"\xB9");
    // Hard links share the answer.
    fs::hard_link(dir.path("a"), dir.path("link")).unwrap();
    let result = convert("--in-place a link");
    assert!(result.status == 1 && result.stderr.contains("2 undecided"), "{}", result.stderr);
    assert!(same_file::is_same_file(dir.path("a"), dir.path("link")).unwrap());
    convert("--in-place --force -q a").assert_clean("");
    assert_eq!(dir.read("a"), b"\x9A");
}

/// Escape sequences that stand for ASCII are text in both encodings.
#[test]
fn ascii_with_escape_sequences_of_the_output_is_undecided() {
    let long = "a line of text\n".repeat(3000);
    for (to, text) in [
        ("true-hz", "This is ~~old~~ new text.\n"),
        ("true-hz", "~~~\ncode\n~~~\n"),
        ("true-hz", "one ~\ntwo\n"),
        ("true-hz", &*format!("{long}~~old~~")),
        ("UTF-7", "a+-b\n"),
        ("UTF-7", &*"a+-b\n".repeat(300)),
        ("UTF-7-IMAP", "R &- D"),
        ("UTF-7-IMAP", "R & D &- x"),
        // Letters, if it were GSM 03.38.
        ("GSM-03.38", "~~~~~~~~~~~~\n~~~~~~~~~~~~\n"),
        ("IBM1047", "@@@@@@@@@@@@\n@@@@@@@@@@@@\n"),
    ] {
        let dir = Dir::with([("a", text.as_bytes())]);
        let why = format!("a: may be UTF-8, or {to} already; left unchanged; --force converts it anyway");
        dir.convert(&format!("-t {to} --output-dir o a")).assert_message(1, &why);
        dir.convert(&format!("-t {to} --in-place a")).assert_message(1, &why);
        assert!(!dir.path("o").exists() && dir.read("a") == text.as_bytes(), "{to} {text}");
        dir.convert(&format!("-t {to} --in-place --force a")).assert_clean("");
        dir.convert(&format!("-f {to} a")).assert_clean(text);
    }
}

/// ASCII without escape sequences is the same in both encodings, however long it is.
#[test]
fn long_ascii_is_converted_to_encodings_with_escape_sequences() {
    let text = "a line of text, and one more.\n".repeat(1000);
    for to in ["true-hz", "true-iso-2022-kr", "UTF-7", "GSM-03.38"] {
        let dir = Dir::with([("a", text.as_bytes())]);
        dir.convert(&format!("-t {to} --output-dir o a")).assert_clean("");
        dir.convert(&format!("-f {to} o/a")).assert_clean(&text);
        dir.convert(&format!("-t {to} --in-place a")).assert_message_free(0);
        assert_eq!(dir.read("a"), dir.read("o/a"), "{to}");
        let again = dir.convert(&format!("-t {to} --in-place a"));
        assert_eq!((again.status, dir.read("a") == dir.read("o/a")), (0, true), "{to} {}", again.stderr);
    }
}

/// Base64 of UTF-7 is no chance, even if all of it is ASCII.
#[test]
fn quotation_marks_in_base64_are_utf_7() {
    let text = "+ACI-Hello+ACI-, he said.\n";
    let dir = Dir::with([("a", text.as_bytes())]);
    dir.convert("-f utf-7 --in-place a").assert_clean("");
    assert_eq!(dir.read("a"), b"\"Hello\", he said.\n");
}

#[test]
fn text_whose_result_could_be_converted_again_is_undecided() {
    // The result would start like a byte order mark of UTF-16: я is FF, ю is FE.
    let text = "яю, это не метка порядка байтов";
    let dir = Dir::with([("a", &textcodec::KOI8_R.encode(text).unwrap())]);
    let before = dir.read("a");
    dir.convert("-f koi8-r -t windows-1251 --in-place a").assert_message(
        1,
        "a: in windows-1251, its start would be taken for the byte order mark of UTF-16LE; left unchanged; \
         --force converts it anyway",
    );
    assert_eq!(dir.read("a"), before);
    assert_eq!(dir.names(), ["a"]);
    let dry_run = dir.convert("-f koi8-r -t windows-1251 --in-place --dry-run a");
    assert!(dry_run.status == 1 && dry_run.stderr.contains("would be left unchanged"), "{}", dry_run.stderr);
    // The original of another output remains.
    assert_eq!(dir.convert("-f koi8-r -t windows-1251 a --output-dir out").status, 0);
    assert_eq!(dir.convert("-f koi8-r -t windows-1251 --in-place --force a").status, 0);
    assert!(dir.read("a") == *textcodec::WINDOWS_1251.encode(text).unwrap());
}

#[test]
fn a_file_of_two_encodings_is_undecided() {
    let utf_8 = "Le méthane est un gaz, à l'état pur.\n".repeat(3000);
    let dir = Dir::with([("a", &[utf_8.as_bytes(), b"l'\xE9t\xE9\n"].concat())]);
    let before = dir.read("a");
    assert_eq!(dir.convert("-f windows-1252 --in-place a").status, 1);
    assert!(dir.read("a") == before);
}

#[test]
fn a_converted_file_that_was_damaged_or_continued_is_undecided() {
    let text = "12:00 L'été dernier, le garçon était déjà là\n";
    let legacy = textcodec::WINDOWS_1252.encode(text).unwrap().into_owned();
    let declared = format!("<meta charset=windows-1252>\n{text}");
    let utf_16 = textcodec::UTF_16LE.encode(text).unwrap().into_owned();
    let gb18030 = textcodec::GB18030.encode("夏天 的 海边 很 美丽").unwrap().into_owned();
    let chinese = textcodec::GB18030.decode(&gb18030).text.into_owned();
    let log = |lines: usize, last: &[u8]| [text.repeat(lines).as_bytes(), last].concat();
    let cut = |bytes: &[u8]| bytes[..bytes.len() - 1].to_vec();
    for (arguments, bytes, may_be) in [
        ("-f windows-1252", log(1, &legacy), "windows-1252, or UTF-8"),
        ("-f windows-1252", log(100, &legacy), "windows-1252, or UTF-8"),
        ("-f windows-1252", log(300, b"\xC3\n"), "windows-1252, or UTF-8"),
        ("-f windows-1252", cut(text.trim_end().as_bytes()), "windows-1252, or UTF-8"),
        ("-f windows-1252 -t utf-16le", log(2, b"\xC3\n"), "windows-1252, or UTF-16LE"),
        ("-f windows-1252 -t utf-16le", cut(&utf_16), "windows-1252, or UTF-16LE"),
        ("-t utf-16le", cut(&utf_16), "UTF-8, or UTF-16LE"),
        ("-f windows-1251 -t gb18030", cut(&gb18030), "windows-1251, or gb18030"),
        ("-f gb18030", cut(chinese.as_bytes()), "gb18030, or UTF-8"),
        ("-f auto", [declared.as_bytes(), b"\xC3"].concat(), "windows-1252, or UTF-8"),
    ] {
        let dir = Dir::with([("a", &bytes)]);
        let result = dir.convert(&format!("{arguments} --in-place a"));
        let message = format!("a: may be {may_be} already; left unchanged; --force converts it anyway");
        result.assert_message(1, &message);
        assert!(dir.read("a") == bytes, "{arguments}");
    }
}

#[test]
fn legacy_text_with_a_few_sequences_of_utf_8_is_converted() {
    for text in ["Ã© is how é looks, and déjà vu, là, à côté, garçon, été\n", "Да, Сёмга и Сёстры, ещё раз, и всё\n"]
    {
        let from = if text.contains('Д') { textcodec::WINDOWS_1251 } else { textcodec::WINDOWS_1252 };
        let dir = Dir::with([("a", &from.encode(text).unwrap())]);
        dir.convert(&format!("-f {from} --in-place a")).assert_clean("");
        assert_eq!(String::from_utf8(dir.read("a")).as_deref(), Ok(text));
    }
}
