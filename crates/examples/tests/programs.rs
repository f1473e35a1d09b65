//! Runs each program and its counterpart with encoding_rs on the same inputs, and compares what they print with each other and
//! with the expected text.

use std::{
    env,
    io::Write as _,
    path::PathBuf,
    process::{Command, Stdio},
    thread,
};

use textcodec::{EUC_JP, EUC_KR, GBK, ISO_2022_JP, KOI8_R, SHIFT_JIS, UTF_16BE, UTF_16LE};

/// Runs both programs. `expected` is what they print to standard output.
fn check(name: &str, arguments: &[&str], input: &[u8], expected: impl AsRef<[u8]>) {
    check_with_warnings(name, arguments, input, expected.as_ref(), "");
}

/// Runs both programs. `warnings` is what they print to standard error.
fn check_with_warnings(name: &str, arguments: &[&str], input: &[u8], expected: &[u8], warnings: &str) {
    for program in [name.to_owned(), format!("{name}_encoding_rs")] {
        let (output, errors) = run(&program, arguments, input);
        assert_eq!(
            output.escape_ascii().to_string(),
            expected.escape_ascii().to_string(),
            "{program} {arguments:?}: {}",
            String::from_utf8_lossy(&output)
        );
        assert_eq!(errors, warnings, "{program} {arguments:?}");
    }
}

/// Returns what a program prints to standard output and standard error.
fn run(program: &str, arguments: &[&str], input: &[u8]) -> (Vec<u8>, String) {
    // `target/debug/deps/programs-…` and `target/debug/examples`.
    let mut path: PathBuf = env::current_exe().unwrap();
    path.pop();
    path.set_file_name("examples");
    path.push(format!("{program}{}", env::consts::EXE_SUFFIX));
    assert!(path.exists(), "{} is not built: run `cargo test --package examples`", path.display());
    let mut command = Command::new(path);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let output = thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(input).unwrap());
        child.wait_with_output().unwrap()
    });
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{program} {arguments:?}: {errors}");
    (output.stdout, errors)
}

#[test]
fn html_page() {
    let check = |header: &str, page: &[u8], text: &str, encoding: &str| {
        check_with_warnings("html_page", &[header], page, text.as_bytes(), &format!("{encoding}\n"));
    };
    // By precedence: byte order mark, header, prescan, default.
    let (meta, koi8_r) = (b"<!doctype html><meta charset=gbk>\xC4\xE3", "text/html;charset=\"koi8-r\"");
    let bom = [b"\xEF\xBB\xBF", &meta[..]].concat();
    check(koi8_r, &bom, "<!doctype html><meta charset=gbk>\u{FFFD}\u{FFFD}", "UTF-8");
    check(koi8_r, meta, "<!doctype html><meta charset=gbk>дЦ", "KOI8-R");
    check("text/html", meta, "<!doctype html><meta charset=gbk>你", "GBK");
    check("text/html; charset=unknown", b"<p>\x80", "<p>€", "windows-1252");

    // What a simple search would find is not a declaration.
    let page = "\
<!-- <meta charset=big5> --><!--><a title='<meta charset=big5>'><meta charset=unknown><META name=charset content='charset=big5'>
<meta content='text/html; charset = \"EUC-KR\"' http-equiv=Content-Type http-equiv=x><meta charset=big5>";
    check("text/html", page.as_bytes(), page, "EUC-KR");
    for (page, encoding) in [
        ("<meta charset=utf-16>", "UTF-8"),
        ("<meta charset='x-user-defined'>", "windows-1252"),
        ("<?xml version='1.0' encoding='shift_jis'?><p>", "Shift_JIS"),
        ("<?xml version='1.0' encoding='shift_jis'?><meta charset=big5>", "Big5"),
        ("<meta charset=big5", "windows-1252"),
    ] {
        check("text/html", page.as_bytes(), page, encoding);
    }
    // Only the first 1,024 bytes count.
    let meta = "<meta charset=big5>";
    for (start, encoding) in [(1024 - meta.len(), "Big5"), (1025 - meta.len(), "windows-1252")] {
        let page = " ".repeat(start) + meta;
        check("", page.as_bytes(), &page, encoding);
    }
}

#[test]
fn csv_lines() {
    let mut input = SHIFT_JIS.encode("品名,価格\r\n茶,500\r\n\"湯呑み\r\n二個\",").unwrap().into_owned();
    input.extend(b"\x82 \xFF1200\n\x83A,9\x81");
    let expected = "\
1: 品名 | 価格
2: 茶 | 500
4:5: bad bytes [82]
4:7: bad bytes [FF]
3: 湯呑み
二個 | \u{FFFD} \u{FFFD}1200
5:4: bad bytes [81]
5: ア | 9\u{FFFD}
";
    check("csv_lines", &["shift_jis"], &input, expected);

    let expected = "1: Köln | 5 €\n2:4: bad bytes [81]\n2: Löw\u{FFFD}e | 6\n";
    check("csv_lines", &["windows-1252"], b"K\xF6ln,5 \x80\nL\xF6w\x81e,6\n", expected);
    check("csv_lines", &["ISO-8859-1"], b"5,\x80\n", "1: 5 | €\n");
    // As spreadsheets save UTF-8.
    check("csv_lines", &["windows-1252"], "\u{FEFF}Köln,\u{FFFD}\n".as_bytes(), "1: Köln | \u{FFFD}\n");

    // More than any buffer.
    let row = SHIFT_JIS.encode("ソフト,表示\n").unwrap();
    let rows: Vec<u8> = row.iter().copied().cycle().take(2_000 * row.len()).chain(*b"\xA0\n").collect();
    let records: Vec<String> = (1..=2_000).map(|line| format!("{line}: ソフト | 表示\n")).collect();
    check("csv_lines", &["shift_jis"], &rows, records.concat() + "2001:1: bad bytes [A0]\n2001: \u{FFFD}\n");
}

#[test]
fn mime_charset() {
    for (text, charset, transfer, body) in [
        ("plain\ntext\n", "US-ASCII", "7bit", "plain\r\ntext\r\n"),
        ("naïve\n", "ISO-8859-1", "base64", "bmHvdmUNCg==\r\n"),
        ("Łódź\n", "ISO-8859-2", "base64", "o/NkvA0K\r\n"),
        ("γλώσσα\n", "ISO-8859-7", "base64", "4+v+8/PhDQo=\r\n"),
        ("дождь\n", "KOI8-R", "base64", "xM/WxNgNCg==\r\n"),
        ("日本\n", "ISO-2022-JP", "7bit", "\x1B$BF|K\\\x1B(B\r\n"),
        ("naïve €\n", "UTF-8", "base64", "bmHDr3ZlIOKCrA0K\r\n"),
    ] {
        let headers =
            format!("Content-Type: text/plain; charset={charset}\r\nContent-Transfer-Encoding: {transfer}\r\n\r\n");
        check("mime_charset", &[], text.as_bytes(), headers + body);
    }
}

#[test]
fn http_rewrite() {
    // Words of different lengths, so that chunks end within characters and within the word.
    let paragraphs = (0..400).map(|n| format!("<p>{}신문 news 신문사 신</p>", "가a".repeat(n % 7)));
    let page = paragraphs.collect::<Vec<_>>().concat();
    let expected = EUC_KR.encode(&page.replace("신문", "잡지")).unwrap().into_owned();
    let body = EUC_KR.encode(&page).unwrap();
    assert!(body.len() > 10_000);
    check("http_rewrite", &["euc-kr", "신문", "잡지"], &body, &expected);

    let body = ISO_2022_JP.encode("日本語、日本").unwrap();
    check("http_rewrite", &["iso-2022-jp", "本語", "文☃"], &body, b"\x1B$BF|J8\x1B(B&#9731;\x1B$B!\"F|K\\\x1B(B");
    // As a label, this is windows-1252.
    check("http_rewrite", &["ISO-8859-1", "€", "EUR"], b"5 \x80", b"5 EUR");
    check("http_rewrite", &["utf-8", "a", "b"], b"\xEF\xBB\xBFaba\xFF\xE2\x82", "\u{FEFF}bbb\u{FFFD}\u{FFFD}");
}

#[test]
fn form_submission() {
    check_with_warnings(
        "form_submission",
        &["windows-1252", "name=Zoë Müller*", "note=日本\nとEuro €", "_charset_=windows-1252"],
        b"",
        b"name=Zo%EB+M%FCller*&note=%26%2326085%3B%26%2326412%3B%0D%0A%26%2312392%3BEuro+%80&_charset_=windows-1252\n",
        "windows-1252 cannot represent U+65E5 '日' at byte 0 of the UTF-8 text; 3 in total\n",
    );
    check("form_submission", &["utf-16le", "é=é"], b"", "%C3%A9=%C3%A9\n");
    check("form_submission", &["ISO-8859-1", "price=€"], b"", "price=%80\n");
    check_with_warnings(
        "form_submission",
        &["iso-2022-jp", "q=日😀本"],
        b"",
        b"q=%1B%24BF%7C%1B%28B%26%23128512%3B%1B%24BK%5C%1B%28B\n",
        "ISO-2022-JP cannot represent U+1F600 '😀' at byte 3 of the UTF-8 text; 1 in total\n",
    );
}

#[test]
fn fixed_buffer() {
    let text = "Погода: +18 °C, ветер 3 м/с ☁ 晴れ. ".repeat(50);
    let expected = KOI8_R.encode_with(&text, textcodec::Unmappable::Replace('?')).unwrap();
    assert_eq!(expected.errors.count(), 150);
    check("fixed_buffer", &["utf-8", "koi8-r"], text.as_bytes(), &expected.bytes);

    let text = "日本語 \u{1F600}漢字 ".repeat(50);
    let input = UTF_16BE.encode(&text).unwrap();
    let expected = EUC_JP.encode(&text.replace('\u{1F600}', "?")).unwrap().into_owned();
    check("fixed_buffer", &["utf-16be", "euc-jp"], &input, &expected);
    let expected = ISO_2022_JP.encode(&text.replace('\u{1F600}', "?")).unwrap().into_owned();
    check("fixed_buffer", &["utf-16be", "iso-2022-jp"], &input, &expected);
    check("fixed_buffer", &["utf-8", "utf-8"], b"a\xE2\x82b\xF0\x9F", "a\u{FFFD}b\u{FFFD}");
}

#[test]
fn log_offsets() {
    let input = b"ok\nb\xC3\xA9\xE9 \xE2\x82\n\xEF\xBF\xBD\n\n\xC0\x80\xF0\x9F\x98";
    let expected = "\
offset 6, line 2, column 4: [E9]
offset 8, line 2, column 6: [E2, 82]
offset 16, line 5, column 1: [C0]
offset 17, line 5, column 2: [80]
offset 18, line 5, column 3: [F0, 9F, 98]
";
    check("log_offsets", &["utf-8"], input, expected);
    check("log_offsets", &["utf-8"], b"", "");

    // A log of PowerShell, with a byte order mark. U+0A0A is not a line end.
    let mut input = UTF_16LE.encode("\u{FEFF}起動\r\n\u{A0A}").unwrap().into_owned();
    input.extend(b"\x00\xDC\n\0\x00\xD8x\0!");
    let expected = "\
offset 12, line 2, column 3: [00, DC]
offset 16, line 3, column 1: [00, D8]
offset 20, line 3, column 5: [21]
";
    check("log_offsets", &["utf-8"], &input, expected);

    // More than any buffer, with errors at the ends of buffers and within lines that span them.
    let size = 8 * 1024;
    for len in [size - 2, size - 1, size, size + 1] {
        let line = [&vec![b'-'; len][..], b"\x82\n"].concat();
        let (line_len, expected) = (line.len(), |n: usize| format!("column {}: [82]\n", n + 1));
        let errors = (0..5).map(|n| format!("offset {}, line {}, {}", n * line_len + len, n + 1, expected(len)));
        check("log_offsets", &["shift_jis"], &line.repeat(5), errors.collect::<String>());
    }
}

#[test]
fn config_encoding() {
    let expected = "{\"input\":\"windows-1252\",\"output\":\"Shift_JIS\"}\n";
    check("config_encoding", &[], b"{\"input\": \"latin1\", \"output\": \"sjis\"}", expected);

    for (input, error) in [
        (
            "{\"input\": \"utf8\",\n \"output\": \"widnows-1252\"}",
            "\"widnows-1252\" is not a label in the Encoding Standard; did you mean \"windows-1252\"? at line 2 column",
        ),
        (
            "{\"input\": \"klingon\", \"output\": \"utf8\"}",
            "\"klingon\" is not a label in the Encoding Standard at line 1 column",
        ),
    ] {
        for program in ["config_encoding", "config_encoding_encoding_rs"] {
            let (output, _) = run(program, &[], input.as_bytes());
            // The columns differ: one error is at the label, and the other after it.
            let expected = format!("error in the configuration: {error}");
            assert!(output.starts_with(expected.as_bytes()), "{program}: {}", String::from_utf8_lossy(&output));
        }
    }
}

/// Returns an archive with empty files. Each name has flags.
fn zip(names: &[(u16, &[u8])]) -> Vec<u8> {
    let (mut files, mut directory) = (Vec::new(), Vec::new());
    for (flags, name) in names {
        let offset = u32::try_from(files.len()).unwrap().to_le_bytes();
        let (flags, len) = (flags.to_le_bytes(), u16::try_from(name.len()).unwrap().to_le_bytes());
        files.extend([b"PK\x03\x04\x14\0", &flags[..], &[0; 18], &len, &[0; 2], name].concat());
        let rest = [&[0; 18][..], &len, &[0; 12], &offset, name].concat();
        directory.extend([b"PK\x01\x02\x14\0\x14\0", &flags[..], &[0; 0], &rest].concat());
    }
    let count = u16::try_from(names.len()).unwrap().to_le_bytes();
    let [len, offset] = [directory.len(), files.len()].map(|len| u32::try_from(len).unwrap().to_le_bytes());
    [&files, &directory, &b"PK\x05\x06\0\0\0\0"[..], &count, &count, &len, &offset, &[0; 2]].concat()
}

#[test]
fn zip_names() {
    const UTF_8: u16 = 0x800;
    let [japanese, chinese] = [SHIFT_JIS, GBK].map(|encoding| encoding.encode("説明/表.txt").unwrap().into_owned());
    let archive = zip(&[(0, &japanese), (UTF_8, "Łódź.txt".as_bytes()), (0, b"a\x82\xFF.\x81")]);
    let expected = "説明/表.txt\nŁódź.txt\na\u{FFFD}.\u{FFFD}\n  not Shift_JIS: [82, FF] at byte 1\n";
    check("zip_names", &["932"], &archive, expected);
    check("zip_names", &["936"], &zip(&[(0, &chinese)]), "説明/表.txt\n");
    // A name is not sniffed for a byte order mark.
    check("zip_names", &["1252"], &zip(&[(0, b"\xFF\xFEa")]), "ÿþa\n");
    check(
        "zip_names",
        &[],
        &zip(&[(0, b"M\x81ll \xFE\xE1"), (UTF_8, b"\xFF")]),
        "Müll ■ß\n\u{FFFD}\n  not UTF-8: [FF] at byte 0\n",
    );
}

#[test]
fn wide_strings() {
    let input: Vec<u8> =
        "表.txt\0😀\0café\0\\¥\0".encode_utf16().chain([0x61, 0xD83D, 0x2E]).flat_map(u16::to_le_bytes).collect();
    let expected = r"WTF-8: \xe8\xa1\xa8.txt
Shift_JIS: \x95\\.txt
WTF-8: \xf0\x9f\x98\x80
Shift_JIS: no '😀', code unit 0
WTF-8: caf\xc3\xa9
Shift_JIS: no 'é', code unit 3
WTF-8: \\\xc2\xa5
Shift_JIS: the result would be another string
WTF-8: a\xed\xa0\xbd.
Shift_JIS: no '�', code unit 1
";
    check("wide_strings", &["932"], &input, expected);
    let input: Vec<u8> = [0xFF, 0xFE, 0x20AC, 0, 0xDC00, 0xD800].iter().copied().flat_map(u16::to_le_bytes).collect();
    let expected = r"WTF-8: \xc3\xbf\xc3\xbe\xe2\x82\xac
windows-1252: \xff\xfe\x80
WTF-8: \xed\xb0\x80\xed\xa0\x80
windows-1252: no '�', code unit 0
";
    check("wide_strings", &["1252"], &input, expected);
    let expected = r"WTF-8: \xed\xb0\x80
gb18030: the result would be another string
";
    check("wide_strings", &["54936"], b"\x00\xDC", expected);
}
