//! `--normalize`, and composition in transliteration.

use std::{fs, io::Write as _, process::Stdio};

use crate::common::{Dir, RunResult, pipe};

/// Vietnamese in NFC: every tone, every letter, upper case, quotation marks and the currency sign.
const VIETNAMESE: &str = "\
Sáng nay trời mưa nhẹ, phố cổ Hà Nội vắng người. Bà Nguyễn Thị Thuỷ mở cửa hàng sớm, đặt ấm trà nóng lên chiếc bàn gỗ cũ kỹ
rồi ngồi đợi khách. “Ở đây chẳng ai vội,” bà nói, “uống hết chén trà hãy đi.” Một cậu học trò ướt sũng bước vào, hỏi mua quyển
sách về những dòng sông. Quyển sách ấy giá 45.000 ₫; cậu chỉ còn ba mươi nghìn. Bà cười: “Cứ đọc đi đã, trả sau cũng được!”
ĐƯỜNG PHỐ DẦN SÁNG, TIẾNG XE MÁY ỒN Ã, MỖI QUÁN XÁ ĐỀU TỎA MÙI PHỞ, BÚN CHẢ VÀ CÀ PHÊ SỮA.
Ằ ằ Ẵ ẵ Ặ ặ Ẩ ẩ Ẫ ẫ Ậ ậ Ể ể Ễ ễ Ệ ệ Ỉ ỉ Ĩ ĩ Ị ị Ổ ổ Ỗ ỗ Ộ ộ Ờ ờ Ở ở Ỡ ỡ Ợ ợ Ủ ủ Ũ ũ Ụ ụ Ừ ừ Ử ử Ữ ữ Ự ự Ỳ ỳ Ỷ ỷ Ỹ ỹ Ỵ ỵ
";

#[test]
fn vietnamese_survives_windows_1258() {
    let there = pipe("-t windows-1258 --normalize=encoding", VIETNAMESE.as_bytes());
    assert_eq!((there.status, there.stderr.as_str()), (0, ""));
    // `ấ` is `â` and a combining acute accent, and `ệ` is `ê` and a combining dot below. `Á` is one byte.
    assert!(
        there.stdout.windows(3).any(|bytes| bytes == b"\xE2\xECm")
            && there.stdout.windows(2).any(|bytes| bytes == b"\xEA\xF2")
    );
    assert!(there.stdout.windows(4).any(|bytes| bytes == b"S\xC1NG"));
    pipe("-f windows-1258 --normalize=encoding", &there.stdout).assert_clean(VIETNAMESE);
    pipe("-f windows-1258 --normalize=nfc", &there.stdout).assert_clean(VIETNAMESE);
    // The decomposed form is written in the same way.
    let decomposed = pipe("--normalize=nfd", VIETNAMESE.as_bytes());
    assert_ne!(decomposed.stdout, VIETNAMESE.as_bytes());
    assert_eq!(pipe("-t windows-1258 --normalize=encoding", &decomposed.stdout).stdout, there.stdout);
    pipe("--normalize=nfc", &decomposed.stdout).assert_clean(VIETNAMESE);
}

#[test]
fn sequences_are_composed_for_encodings_without_combining_marks() {
    pipe("-t windows-1252 --normalize=encoding", "e\u{301}\n".as_bytes()).assert_clean(b"\xE9\n");
    pipe("-t windows-1252 --normalize=nfc", "e\u{301}\n".as_bytes()).assert_clean(b"\xE9\n");
    pipe("-t shift_jis --normalize=encoding", "か\u{3099}".as_bytes()).assert_clean(b"\x82\xAA");
    pipe("-t euc-kr --normalize=encoding", "\u{1112}\u{1161}\u{11AB}".as_bytes()).assert_clean(b"\xC7\xD1");
    for to in ["utf-16le", "gb18030", "utf-8"] {
        let composed = pipe(&format!("-t {to} --normalize=encoding"), "e\u{301}한か\u{3099}".as_bytes());
        pipe(&format!("-f {to}"), &composed.stdout).assert_clean("é한が");
    }
    // A single character stays the same: NFC would make two Hanja of KS X 1001 one.
    pipe("-f euc-kr --normalize=encoding", b"\xCB\xD0").assert_clean("\u{F900}");
    pipe("-f euc-kr --normalize=nfc", b"\xCB\xD0").assert_clean("豈");
    pipe("-t shift_jis --normalize=encoding", "\u{212B}".as_bytes()).assert_clean(b"\x81\xF0");
}

#[test]
fn nfc_and_nfd_apply_to_any_output() {
    pipe("--normalize=nfd", "é\u{212B}한".as_bytes()).assert_clean("e\u{301}A\u{30A}\u{1112}\u{1161}\u{11AB}");
    pipe("--normalize=nfc", "e\u{301}\u{212B}\u{1112}\u{1161}\u{11AB}".as_bytes()).assert_clean("éÅ한");
    pipe("--normalize=nfc --bom=add", "e\u{301}".as_bytes()).assert_clean("\u{FEFF}é");
    // Marks are sorted, also without a base.
    pipe("--normalize=nfc", "a\u{307}\u{323} \u{307}\u{323}".as_bytes()).assert_clean("ạ\u{307} \u{323}\u{307}");
    let result = pipe("--normalize=nfc -t windows-1258", "Việt".as_bytes());
    assert!(result.stderr.contains("at line 1, column 3: U+1EC7 'ệ'"), "{}", result.stderr);
}

#[test]
fn without_the_option_nothing_changes() {
    pipe("", "e\u{301} é \u{212B}".as_bytes()).assert_clean("e\u{301} é \u{212B}");
    pipe("-t windows-1258", "e\u{301}é".as_bytes()).assert_clean(b"e\xEC\xE9");
    pipe("-f windows-1258", b"e\xEC\xE9").assert_clean("e\u{301}é");
    // Transliteration changes only what the encoding lacks.
    pipe("-t windows-1258 --unmappable=translit", "e\u{301}é".as_bytes()).assert_clean(b"e\xEC\xE9");
}

#[test]
fn the_message_about_an_unmappable_character_suggests_the_option() {
    let advice =
        "to continue, use --normalize=encoding, which writes it in another composition, or --unmappable=translit";
    for (to, text) in [("windows-1258", "Việt"), ("windows-1252", "e\u{301}"), ("euc-kr", "\u{1112}\u{1161}\u{11AB}")]
    {
        let result = pipe(&format!("-t {to}"), text.as_bytes());
        assert!(result.status == 3 && result.stderr.contains(advice), "{to} {text}: {}", result.stderr);
        assert_eq!(pipe(&format!("-t {to} --normalize=encoding"), text.as_bytes()).status, 0);
    }
    for (to, text) in [("windows-1258", "字"), ("windows-1252", "ấ"), ("koi8-r", "e\u{301}")] {
        let result = pipe(&format!("-t {to}"), text.as_bytes());
        assert!(result.status == 3 && !result.stderr.contains("--normalize"), "{to} {text}: {}", result.stderr);
    }
}

#[test]
fn a_change_of_composition_is_not_a_loss() {
    pipe("-t windows-1258 --unmappable=translit", "Việt Ấn\n".as_bytes()).assert_clean(b"Vi\xEA\xF2t \xC2\xECn\n");
    pipe("-t windows-1252 --unmappable=translit", "e\u{301}\n".as_bytes()).assert_clean(b"\xE9\n");
    pipe("-t windows-1252 --unmappable=translit", "\u{212B}".as_bytes()).assert_clean(b"\xC5");
    let dir = Dir::with([("in", "Việt".as_bytes())]);
    RunResult::of(&mut dir.textcodec("iconv -t WINDOWS-1258//TRANSLIT in")).assert_clean(b"Vi\xEA\xF2t");
    // What loses more is counted, and what does not is not.
    let result = pipe("-t windows-1258 --unmappable=translit", "Việt Жук\n".as_bytes());
    assert_eq!(result.stdout, b"Vi\xEA\xF2t Zhuk\n");
    result.assert_message(
        1,
        "standard input: 3 unmappable characters transliterated; the first at line 1, column 6: U+0416 'Ж' is not in windows-1258",
    );
    let result = pipe("-t windows-1258 --unmappable=html --normalize=encoding", "Việt Ж".as_bytes());
    assert_eq!((result.status, result.stdout.as_slice()), (1, &b"Vi\xEA\xF2t &#1046;"[..]));
    for (how, expected) in [("xml", "&#x416;"), ("replace=*", "*"), ("skip", "")] {
        let result = pipe(&format!("-t windows-1258 --unmappable={how} --normalize=encoding"), "ệЖ".as_bytes());
        assert_eq!(result.stdout, [b"\xEA\xF2", expected.as_bytes()].concat(), "{how}");
        assert!(result.status == 1 && result.stderr.contains(" 1 unmappable character "), "{}", result.stderr);
    }
}

#[test]
fn locations_are_those_in_the_input() {
    let text = "e\u{301}e\u{301}\na\u{323}\u{302}b字";
    for form in ["nfc", "encoding"] {
        let result = pipe(&format!("-t windows-1258 --unmappable=skip --normalize={form}"), text.as_bytes());
        let column = if form == "nfc" { 1 } else { 5 };
        assert!(result.stderr.contains(&format!("at line 2, column {column}: ")), "{form}: {}", result.stderr);
    }
    let result = pipe("-t windows-1258 --normalize=nfd --unmappable=skip", "éé\nx字".as_bytes());
    assert!(result.stderr.contains("at line 2, column 2: U+5B57"), "{}", result.stderr);
    // Malformed bytes before an unmappable character are counted, and those after it are not.
    let result = pipe("-f utf-8 -t koi8-r --normalize=nfc --unmappable=error", b"a\xFF");
    assert!(
        result.stderr.starts_with("textcodec: standard input: malformed UTF-8 at byte 1 (FF): "),
        "{}",
        result.stderr
    );
    let input = [&b"ab\n"[..], "字".as_bytes(), &b"\xFF\n".repeat(50_000)].concat();
    let result = pipe("-f utf-8 -t koi8-r --normalize=encoding", &input);
    assert_eq!((result.stderr.lines().count(), result.stdout.as_slice()), (1, &b"ab\n"[..]), "{}", result.stderr);
}

/// Text in which segments are at any offset of blocks of any size.
fn mixed() -> String {
    let words = [
        "Việt",
        "Vie\u{323}\u{302}t",
        "e\u{301}",
        "字",
        "a\u{301}\u{323}\u{307}x",
        "😀\u{301}",
        "Ж",
        "\n",
        " ",
        "か\u{3099}",
        "abc",
    ];
    let (mut text, mut random) = (String::new(), 1_u64);
    while text.len() < 1_500_000 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        text.push_str(words[(random >> 33) as usize % words.len()]);
    }
    text
}

#[test]
fn threads_and_chunks_do_not_change_the_result() {
    let text = mixed();
    let dir = Dir::with([
        ("in", text.as_bytes()),
        ("wide", &text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>()),
    ]);
    for arguments in [
        "--normalize=nfc",
        "--normalize=nfd -t utf-16be",
        "--normalize=encoding",
        "--normalize=encoding -t windows-1258 --unmappable=html",
        "--normalize=encoding -t iso-2022-jp --unmappable=skip",
        "-t windows-1252 --unmappable=translit",
    ] {
        let expected = dir.convert(&format!("-j 1 {arguments} in"));
        assert!(expected.status <= 1 && expected.stdout.len() > 500_000, "{}", expected.stderr);
        assert!(dir.convert(&format!("-j 8 {arguments} in")) == expected, "{arguments}");
        let wide = dir.convert(&format!("-j 8 -f utf-16le {arguments} wide"));
        assert!(wide.stdout == expected.stdout && wide.status == expected.status, "{arguments}");
        assert_eq!(wide.stderr, expected.stderr.replace("in:", "wide:"));
        // As a pipe, in chunks.
        let mut child = dir
            .convert_command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = text.clone();
        let writer = std::thread::spawn(move || {
            let mut rest = input.as_bytes();
            for n in (1..5000).cycle() {
                let (now, later) = rest.split_at(n.min(rest.len()));
                stdin.write_all(now).unwrap();
                rest = later;
                if rest.is_empty() {
                    break;
                }
            }
        });
        let piped = RunResult::from(child.wait_with_output().unwrap());
        writer.join().unwrap();
        assert!(piped.stdout == expected.stdout && piped.status == expected.status, "{arguments}");
        assert_eq!(piped.stderr, expected.stderr.replace("in:", "standard input:"));
    }
    // The same for input whose bytes can be split anywhere.
    let vietnamese = pipe("-t windows-1258 --normalize=encoding", VIETNAMESE.repeat(2000).as_bytes()).stdout;
    fs::write(dir.path("1258"), vietnamese).unwrap();
    for jobs in [1, 8] {
        let result = dir.convert(&format!("-j {jobs} -f windows-1258 --normalize=encoding 1258"));
        assert!(result.stdout == VIETNAMESE.repeat(2000).as_bytes(), "{jobs}");
    }
}

#[test]
fn a_file_that_stays_the_same_is_not_touched() {
    let composed = VIETNAMESE.repeat(3000);
    let japanese = pipe("-t iso-2022-jp", "日本語\n".repeat(20_000).as_bytes()).stdout;
    let dir = Dir::with([
        ("utf-8", composed.as_bytes()),
        ("jis", &japanese),
        ("nfd", "e\u{301}".as_bytes()),
        ("end", "ae".as_bytes()),
    ]);
    let unchanged = |arguments: &str, file: &str| {
        let result = dir.convert(&format!("--in-place -v --normalize=encoding {arguments} {file}"));
        assert_eq!(result.status, 0, "{}", result.stderr);
        result.stderr.contains(": unchanged")
    };
    assert!(unchanged("", "utf-8"));
    assert!(unchanged("", "end"));
    assert!(unchanged("-f iso-2022-jp -t iso-2022-jp", "jis"));
    assert!(!unchanged("", "nfd"));
    assert_eq!(dir.read("nfd"), "é".as_bytes());
}

#[test]
fn a_file_that_is_already_converted_is_still_normalized() {
    let dir = Dir::with([("done", "e\u{301}".as_bytes()), ("composed", "é".as_bytes())]);
    let result = dir.convert("-f latin1 --in-place --normalize=nfc done composed");
    assert_eq!((result.status, dir.read("done").as_slice()), (0, "é".as_bytes()), "{}", result.stderr);
    assert!(result.stderr.contains("1 converted, 1 already UTF-8"), "{}", result.stderr);
    let dir = Dir::with([("done", "e\u{301}".as_bytes())]);
    assert_eq!(dir.convert("-f latin1 --output-dir out --normalize=nfc done").status, 0);
    assert_eq!(dir.read("out/done"), "é".as_bytes());
}

#[test]
fn a_line_is_written_when_it_is_complete() {
    use std::io::{BufRead as _, BufReader};

    let dir = Dir::new();
    let mut child =
        dir.convert_command("--normalize=nfc").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    for _ in 0..3 {
        stdin.write_all("Vie\u{302}\u{323}t\n".as_bytes()).unwrap();
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        assert_eq!(line, "Việt\n");
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn an_endless_run_of_marks_is_cut_but_not_lost() {
    let text = format!("a{}b", "\u{301}\u{323}".repeat(50_000));
    for (form, to) in [("nfc", "utf-8"), ("encoding", "utf-8"), ("nfd", "utf-16le")] {
        let result = pipe(&format!("--normalize={form} -t {to}"), text.as_bytes());
        assert_eq!(result.status, 0);
        // Only the order of the marks changes, and the first of them is composed.
        let back = pipe(&format!("-f {to} --normalize=nfd"), &result.stdout).stdout;
        let count = |c: char| String::from_utf8(back.clone()).unwrap().matches(c).count();
        assert_eq!((count('\u{301}'), count('\u{323}'), count('a')), (50_000, 50_000, 1));
    }
}

#[test]
fn the_output_before_an_error_is_complete() {
    let dir = Dir::with([("bad", b"abe\xFF"), ("latin", b"abe\xE9")]);
    assert_eq!(dir.convert("--strict -f utf-8 --normalize=nfc bad").stdout, b"abe");
    assert_eq!(dir.convert("--strict-labels -f ascii --normalize=nfc latin").stdout, b"abe");
}
