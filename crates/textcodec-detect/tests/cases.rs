//! Detection cases from public reports, and neighbours of each kind: what the answer must be for inputs that are rebuilt here.
#![cfg(feature = "guess")]

#[path = "cases/attacks.rs"]
mod attacks;
#[path = "cases/neighbours.rs"]
mod neighbours;
#[path = "cases/structure.rs"]
mod structure;

use textcodec::{
    BIG5, Bom, DecodeOptions, EUC_KR, Encoding, GBK, IBM866, ISO_8859_2, Malformed, SHIFT_JIS, UTF_8, UTF_16LE,
    WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1254, WINDOWS_1256, oem,
};
use textcodec_detect::{Confidence, Detection, Evidence, detect};

/// The right answer.
#[derive(Clone, Copy, Debug)]
enum Right {
    /// This encoding, or one in which the text is the same.
    Is(Encoding),
    /// The same, or an answer below high confidence.
    OrRefused(Encoding),
    /// An answer below high confidence, because no encoding is right for all of the text.
    Refused,
}

use Right::{Is, OrRefused, Refused};

/// An input with a label for messages.
struct Case {
    label: String,
    bytes: Vec<u8>,
    right: Right,
}

/// Labels that the library does not answer rightly yet, by their starts, and its answers. They are never wrong with high confidence.
const NOT_YET: &[(&str, &str)] = &[];

/// A case from text in an encoding.
fn text(encoding: Encoding, text: &str) -> Case {
    Case { label: format!("{encoding}: {text}"), bytes: encode(encoding, text), right: Is(encoding) }
}

/// The same, where the text alone may say too little.
fn little(encoding: Encoding, content: &str) -> Case {
    Case { right: OrRefused(encoding), ..text(encoding, content) }
}

/// A case from bytes.
fn bytes(right: Right, bytes: &[u8]) -> Case {
    Case { label: format!("{right:?}: {}", bytes.escape_ascii()), bytes: bytes.to_vec(), right }
}

#[track_caller]
fn encode(encoding: Encoding, text: &str) -> Vec<u8> {
    encoding.encode(text).unwrap_or_else(|error| panic!("{encoding}: {text}: {error}")).into_owned()
}

/// Decodes with replacement. Byte order marks stay.
fn decode(encoding: Encoding, bytes: &[u8]) -> String {
    let options = DecodeOptions::new().bom(Bom::Keep).malformed(Malformed::Replace);
    encoding.decode_with(bytes, options).unwrap().text.into_owned()
}

/// Returns `len` lines from their numbers.
fn rows(len: usize, row: impl Fn(usize) -> String) -> String {
    (0..len).map(|number| row(number) + "\n").collect()
}

/// Returns why the answer is wrong.
fn wrong(case: &Case) -> Option<String> {
    let detection = detect(&case.bytes);
    let is_high = detection.confidence >= Confidence::High;
    let is_right = |encoding| decode(encoding, &case.bytes) == decode(detection.encoding, &case.bytes);
    let is_fine = match case.right {
        Is(encoding) => is_right(encoding) && detection.confidence > Confidence::None,
        OrRefused(encoding) => is_right(encoding) || !is_high,
        Refused => !is_high,
    };
    let not_yet = NOT_YET.iter().find(|(label, _)| case.label.starts_with(label));
    let answer = detection.encoding.name();
    let label: String = case.label.chars().take(60).collect();
    match not_yet {
        None => (!is_fine).then(|| {
            format!("{label:?}: {answer} {} {:.4}: {}", detection.confidence, detection.probability, detection.reason())
        }),
        Some(_) if is_fine => Some(format!("{label:?} is right now: remove it from NOT_YET")),
        Some(_) if is_high => Some(format!("{label:?} is {answer} with high confidence")),
        Some(&(_, expected)) => (answer != expected).then(|| format!("{label:?}: {answer} instead of {expected}")),
    }
}

#[track_caller]
fn check(cases: impl IntoIterator<Item = Case>) {
    let wrong: Vec<_> = cases.into_iter().filter_map(|case| wrong(&case)).collect();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// At least ten of a kind.
#[track_caller]
fn check_ten(cases: impl IntoIterator<Item = Case>) {
    let cases: Vec<_> = cases.into_iter().collect();
    assert!(cases.len() >= 10, "only {}", cases.len());
    check(cases);
}

#[track_caller]
fn assert_is(bytes: &[u8], encoding: Encoding, evidence: Evidence) -> Detection {
    let detection = detect(bytes);
    assert_eq!((detection.encoding, detection.evidence), (encoding, evidence), "{}", detection.reason());
    detection
}

#[test]
fn tables_and_cells() {
    let euro = rows(300, |n| format!("Screen model {n} for the office,€{}", n * 100));
    let micron = rows(10, |n| format!("Sample {n} of the alloy,{n} µm ± 2%"));
    let cells = rows(30, |n| format!("<tr><td>\u{A0}</td><td>{n}</td></tr>"));
    let prose = rows(30, |n| format!("<p>The committee discussed proposal {n} and postponed the vote.</p>"));
    check([
        little(WINDOWS_1252, &format!("name,price\n{euro}")),
        little(WINDOWS_1252, &format!("sample,size\n{micron}")),
        text(WINDOWS_1252, &format!("<html><body><table>\n{cells}</table></body></html>\n")),
        text(WINDOWS_1252, &format!("<html><body>\n{prose}<table>\n{cells}</table></body></html>\n")),
    ]);
}

#[test]
fn other_encodings() {
    let cesu = "Здравствуйте! Спасибо за быстрый ответ 😀 и хорошего дня.\n";
    assert_eq!(encode(oem::CESU_8, "😀"), b"\xED\xA0\xBD\xED\xB8\x80");
    let swedish =
        "Kära vänner,\r\nDet är en härlig dag på Skånes östra kust. Vi åker båt från ön och äter räkor på kvällen.\r\n";
    check([text(oem::CESU_8, cesu), text(oem::IBM850, swedish)]);
    let korean = assert_is(b"\x1B$)C\x0E>H3gGO<<?d\x0F, hello\n", oem::TRUE_ISO_2022_KR, Evidence::Structure);
    assert_eq!(korean.encoding.decode(b"\x1B$)C\x0E>H3gGO<<?d\x0F").text, "안녕하세요");
}

#[test]
fn cut_and_mixed() {
    let line = "2024-01-01 用户登录系统并下载了文件".as_bytes();
    let mut log = Vec::new();
    for _ in 0..5 {
        log.extend_from_slice(&line[..line.len() - 13]);
        log.push(b'\n');
    }
    assert!(UTF_8.decode(&log).errors.count() == 5);
    let japanese = encode(SHIFT_JIS, &"昨日は朝から雨が降っていたので、家で本を読んでいました。".repeat(12));
    let mixed =
        [encode(GBK, "/* 打开设备 */\nint open_dev(void);\n"), encode(UTF_8, "/* 关闭设备 */\nint close_dev(void);\n")];
    check([
        bytes(Is(UTF_8), &log),
        bytes(Is(SHIFT_JIS), &japanese[..japanese.len() - 1]),
        bytes(Refused, &mixed.concat()),
        bytes(Refused, b"\xD0 \x92 \xD0\x92\n"),
        bytes(Is(UTF_8), b"\xEF\xBB\xBF:\nl\n\xEF\xBB\xBFu\nc\n"),
    ]);
}

#[test]
fn declarations() {
    let script = "<script>".to_owned() + &"var a=1;".repeat(150) + "</script>";
    let meta = "<meta http-equiv=\"Content-Type\" content=\"text/html; charset=iso-8859-2\">";
    let page =
        encode(ISO_8859_2, &format!("<html><head><title>t</title>{script}{meta}</head><body>Gęś</body></html>\n"));
    assert_is(&page, ISO_8859_2, Evidence::Declaration);
    let latex = "\\documentclass{article}\n\\usepackage[latin1]{inputenc}\n\\begin{document}\nDéjà vu, Müller\n\\end{document}\n";
    assert_is(&encode(WINDOWS_1252, latex), WINDOWS_1252, Evidence::Declaration);
    assert!(detect(b"<meta name=description content=\"charset=gbk\">").declarations.is_empty());

    let mut titles = b"<meta charset=utf-8>".to_vec();
    for number in 0..40 {
        let title = format!("<li>Überblick über die Lösungen {number}: Größe");
        titles.extend_from_slice(&title.as_bytes()[..title.len() - if number % 20 == 0 { 2 } else { 0 }]);
        titles.extend_from_slice(b"</li>\n");
    }
    let detection = assert_is(&titles, UTF_8, Evidence::Declaration);
    assert_eq!(detection.candidates[0].malformed, 2);
}

#[test]
fn few_bytes() {
    check([
        bytes(Is(BIG5), b"\xA7A\xA6n"),
        bytes(Is(BIG5), b"\xA4p\xA4C"),
        bytes(Is(EUC_KR), b"\xC7\xD1\xB1\xB9\xBE\xEE.txt"),
        bytes(Is(WINDOWS_1252), b"informa\xE7\xF5es"),
        bytes(Is(WINDOWS_1252), b"m\xE4en ota riski\xE4"),
        bytes(Is(UTF_8), b"\xE2\x80\x99"),
        bytes(Is(UTF_8), b"hour\xE6\x97\xB6.txt"),
        bytes(Is(UTF_8), b"\xC2\xA0"),
        bytes(Is(WINDOWS_1252), b"I\x92ve seen it"),
        bytes(OrRefused(WINDOWS_1252), b"[\xB04\xB00\xB0T\xB0C"),
        bytes(Is(IBM866), b"\xE4\xA0\xA9\xAB file"),
        bytes(Is(SHIFT_JIS), b"\x90V\x82\xB5\x82\xA2"),
        bytes(Is(WINDOWS_1252), b"NOME;CIDADE\nJO\xC3O;S\xC3O PAULO\nANDR\xC9;MACA\xC9\nIN\xCAS;BEL\xC9M\n;E\xC9T;\n"),
    ]);
}

#[test]
fn utf_16_without_a_mark() {
    for text in ["A short line of text", "Привет, как ваши дела?", "今天早上下雨，但是到了晚上天空就放晴了。"]
    {
        assert_is(&encode(UTF_16LE, text), UTF_16LE, Evidence::Structure);
    }
}

#[test]
fn subtitles_and_one_letter() {
    let cue = |first: &str, second: &str| {
        format!("1\n00:00:01,000 --> 00:00:03,500\n{first}\n\n2\n00:00:04,000 --> 00:00:06,000\n{second}\n")
    };
    let polish = "Śnieg leży na polach, a dzieci lepią bałwana przed domem babci.";
    check([
        text(WINDOWS_1253, &cue("Πού πας τέτοια ώρα;", "Δεν ξέρω ακόμα.")),
        text(WINDOWS_1256, &cue("إلى أين أنت ذاهب؟", "لا أعرف بعد.")),
        text(WINDOWS_1250, &cue("Gde si bio juče?", "Čekao sam te kod kuće, kao što smo rekli.")),
        text(WINDOWS_1251, &cue("Где си био јуче?", "Чекао сам те код куће.")),
        text(WINDOWS_1254, &cue("Nereye gidiyorsun şimdi?", "Henüz bilmiyorum, ağabeyim gelsin.")),
        text(WINDOWS_1250, polish),
        text(ISO_8859_2, polish),
    ]);
}
