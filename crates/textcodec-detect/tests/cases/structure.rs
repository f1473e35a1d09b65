//! Neighbours of the reported cases: incomplete, mixed and declared text, and text that ASCII hides.

use textcodec::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, IBM866, ISO_8859_2, ISO_8859_5, KOI8_R, SHIFT_JIS, UTF_8,
    WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1254, oem,
};
use textcodec_detect::{Confidence, DetectOptions, Evidence, detect, detect_with};

use super::{Case, Is, Refused, assert_is, bytes, check_ten, encode, little, rows, text};

const JAPANESE: &str = "今朝は雨が降っていましたが、夕方には町の空が晴れました。私は暖かい天気が好きです。";
const CHINESE: &str = "今天早上下雨，但是到了晚上，城市的天空就放晴了。我喜欢温暖的天气。";
const TRADITIONAL: &str = "今天早上下雨，但是到了晚上，城市的天空就放晴了。我喜歡溫暖的天氣。";
const KOREAN: &str = "오늘 아침에는 비가 왔지만 저녁에는 하늘이 맑아졌습니다. 나는 따뜻한 날씨를 좋아합니다.";
const RUSSIAN: &str = "Сегодня утром шёл дождь, но к вечеру небо прояснилось.";
const FRENCH: &str = "La forêt est calme; l'élève rêve déjà de l'été et des vacances à la mer.";
const GREEK: &str = "Σήμερα το πρωί έβρεχε, αλλά το βράδυ ο ουρανός καθάρισε.";

#[test]
fn surrogates_in_utf_8() {
    let texts = [
        "Merci beaucoup 😀 à bientôt",
        "Γεια σου 🎉 φίλε μου",
        "ありがとう🙏ございます",
        "谢谢你👍再见",
        "고마워요 ❤ 안녕 😀",
        "שלום 😀 לכולם",
        "Dziękuję 🌻 bardzo, źdźbło",
        "สวัสดี 😀 ครับ",
        "𠀋を書く人がいました",
        "Teşekkürler 😀 arkadaşım",
        "Спасибо 😀😀😀",
    ];
    check_ten(texts.map(|content| text(oem::CESU_8, content)));
    assert_ne!(detect("Спасибо 😀".as_bytes()).encoding, oem::CESU_8);
}

/// UTF-8 whose lines end after `len` bytes.
fn cut_lines(line: &str, len: usize) -> Case {
    let lines = (0..12)
        .flat_map(|n| [format!("{n:02} ").as_bytes(), &line.as_bytes()[..len], b"\n"].concat())
        .collect::<Vec<u8>>();
    bytes(Is(UTF_8), &lines)
}

#[test]
fn utf_8_with_cut_lines() {
    check_ten([
        cut_lines(JAPANESE, 31),
        cut_lines(JAPANESE, 62),
        cut_lines(CHINESE, 40),
        cut_lines(CHINESE, 50),
        cut_lines(TRADITIONAL, 61),
        cut_lines(KOREAN, 36),
        cut_lines(RUSSIAN, 28),
        cut_lines(RUSSIAN, 40),
        cut_lines(GREEK, 22),
        cut_lines("Όλα καλά είναι", 26),
        cut_lines("สวัสดีครับ วันนี้อากาศดีมาก", 29),
        cut_lines("היום בבוקר ירד גשם", 20),
        cut_lines("नमस्ते दुनिया", 20),
    ]);
}

#[test]
fn cut_at_the_end() {
    let cut = |encoding: Encoding, text: &str, len: usize| {
        let whole = encode(encoding, &text.repeat(4));
        bytes(Is(encoding), &whole[..whole.len() - len])
    };
    check_ten([
        cut(SHIFT_JIS, JAPANESE, 1),
        cut(SHIFT_JIS, JAPANESE, 3),
        cut(EUC_JP, JAPANESE, 1),
        cut(EUC_JP, JAPANESE, 5),
        cut(GBK, CHINESE, 1),
        cut(GBK, CHINESE, 7),
        cut(BIG5, TRADITIONAL, 1),
        cut(BIG5, TRADITIONAL, 9),
        cut(EUC_KR, KOREAN, 2),
        cut(GB18030, "㐀今天早上下雨，但是", 1),
        cut(UTF_8, JAPANESE, 1),
        cut(UTF_8, RUSSIAN, 2),
        cut(UTF_8, "Fünf große Bäume über dem Fluß ü", 1),
        cut(UTF_8, KOREAN, 1),
    ]);
}

#[test]
fn late_declarations() {
    let page = |encoding: Encoding, label: &str, filler: &str, body: &str| {
        let start = format!("<html><head>{}<meta charset={label}></head>", filler.repeat(1200 / filler.len() + 1));
        assert_is(&encode(encoding, &(start + "<body>" + body)), encoding, Evidence::Declaration);
    };
    page(ISO_8859_2, "latin2", "<!-- a -->", "źdźbło");
    page(WINDOWS_1250, "cp1250", "<style>p{}</style>", "žlutý kůň");
    page(WINDOWS_1251, "windows-1251", "<link rel=a>", "да");
    page(KOI8_R, "koi8-r", "<script>f()</script>", "нет");
    page(ISO_8859_5, "iso-8859-5", "<!-- b -->", "Да");
    page(WINDOWS_1253, "windows-1253", "<meta name=x>", "Ναι");
    page(WINDOWS_1254, "iso-8859-9", "<script>g(1)</script>", "ağaç");
    page(SHIFT_JIS, "sjis", "<!-- c -->", "雨");
    page(GBK, "gb2312", "<link rel=b>", "雨天");
    page(BIG5, "big5", "<style>a{}</style>", "你好");
    page(EUC_KR, "euc-kr", "<!-- d -->", "비");
    page(WINDOWS_1252, "latin1", "<script>h()</script>", "été");
}

/// Lines of two encodings: `many` of the first before and after one of the second.
fn two(first: Encoding, many: usize, text: &str, second: Encoding, other: &str) -> Case {
    let lines = encode(first, &rows(many, |n| format!("{n} {text}")));
    bytes(Refused, &[&lines, &encode(second, &format!("{other}\n"))[..], &lines].concat())
}

#[test]
fn mixed_lines() {
    check_ten([
        two(WINDOWS_1252, 1, FRENCH, UTF_8, FRENCH),
        two(WINDOWS_1252, 20, FRENCH, UTF_8, FRENCH),
        two(UTF_8, 20, FRENCH, WINDOWS_1252, FRENCH),
        two(UTF_8, 3, RUSSIAN, WINDOWS_1251, RUSSIAN),
        two(WINDOWS_1251, 10, RUSSIAN, UTF_8, RUSSIAN),
        two(WINDOWS_1251, 5, RUSSIAN, KOI8_R, RUSSIAN),
        two(IBM866, 5, RUSSIAN, WINDOWS_1251, RUSSIAN),
        two(SHIFT_JIS, 5, JAPANESE, EUC_JP, JAPANESE),
        two(EUC_JP, 5, JAPANESE, SHIFT_JIS, JAPANESE),
        two(GBK, 5, CHINESE, UTF_8, CHINESE),
        two(BIG5, 5, TRADITIONAL, UTF_8, TRADITIONAL),
        two(GBK, 5, CHINESE, BIG5, TRADITIONAL),
        two(WINDOWS_1252, 10, FRENCH, oem::IBM850, FRENCH),
        two(WINDOWS_1253, 5, GREEK, UTF_8, GREEK),
        two(EUC_KR, 5, KOREAN, UTF_8, KOREAN),
        two(WINDOWS_1252, 10, FRENCH, WINDOWS_1251, RUSSIAN),
        two(WINDOWS_1252, 10, FRENCH, SHIFT_JIS, JAPANESE),
    ]);
}

#[test]
fn mixed_lines_are_named() {
    let cases = [
        (WINDOWS_1252, 20, FRENCH, UTF_8),
        (WINDOWS_1252, 2, FRENCH, UTF_8),
        (WINDOWS_1251, 10, RUSSIAN, UTF_8),
        (WINDOWS_1251, 2, RUSSIAN, UTF_8),
        (WINDOWS_1253, 5, GREEK, UTF_8),
        (WINDOWS_1252, 10, FRENCH, oem::IBM850),
    ];
    for (first, many, text, second) in cases {
        let case = two(first, many, text, second, text);
        let detection = detect(&case.bytes);
        let found = (detection.encoding, detection.mixed_with, detection.confidence);
        assert_eq!(found, (first, Some(second), Confidence::Low), "{}: {}", case.label, detection.reason());
        // An answer that is not the likeliest is not mixed with itself.
        for candidate in [first, second] {
            let detection = detect_with(&case.bytes, DetectOptions::new().candidates([candidate]));
            assert_ne!(detection.mixed_with, Some(detection.encoding), "{}: {}", case.label, detection.reason());
        }
    }
}

#[test]
fn hidden_in_ascii() {
    let korean = ["안녕하세요", "한국어", "오늘은 비가 옵니다", KOREAN];
    let chinese = ["你好", "今天下雨", CHINESE];
    let korean = korean.map(|content| text(oem::TRUE_ISO_2022_KR, &format!("Subject: {content}\n")));
    let chinese = chinese.map(|content| text(oem::TRUE_HZ, &format!("Subject: {content}\n")));
    let utf_7 = ["Grüße aus Köln", "今天下雨", "Größe über alles", "今天早上下雨，但是"]
        .map(|content| little(oem::UTF_7, content));
    let none = ["1+1-2", "a ~{ b }~ c", "x + y - z", "C++ and ~{}", "user@example.com", "ls ~/{a,b}"]
        .map(|content| text(UTF_8, content));
    check_ten(korean.into_iter().chain(chinese).chain(utf_7).chain(none));
    assert_is(&encode(textcodec::ISO_2022_JP, JAPANESE), textcodec::ISO_2022_JP, Evidence::Structure);
}

#[test]
fn declarations_that_cannot_be_served() {
    for start in [
        "<?xml version=\"1.0\" encoding=\"x-house\"?>",
        "<?xml version=\"1.0\" encoding=\"ISO-8859-99\"?>",
        "# -*- coding: x-house -*-\n",
        "@charset \"x-house\";",
        "<meta charset=x-house>",
        "<meta charset=cp9999>",
        "<meta charset=iso-2022-kr>",
        "# vim: set fileencoding=x-house :\n",
        "\\usepackage[x-house]{inputenc}\n",
        "<meta charset=hz-gb-2312>",
        "<meta http-equiv=content-type content='text/html; charset=x-house'>",
    ] {
        let bytes = [start.as_bytes(), &encode(WINDOWS_1252, FRENCH)].concat();
        let detection = detect(&bytes);
        assert!(detection.confidence < Confidence::High, "{start}: {} {}", detection.encoding, detection.reason());
    }
}
