//! Tests of detection by the kind of evidence. The parser of declarations is tested in its own file, the printed output in the
//! program's tests.

mod chunks;
mod declared;

use textcodec::{
    BIG5, DecodeOptions, EUC_KR, Encoding, GBK, ISO_2022_JP, ISO_8859_2, KOI8_R, Malformed, SHIFT_JIS, UTF_8, UTF_16BE,
    UTF_16LE, WINDOWS_1251, WINDOWS_1252,
};

use crate::{
    Confidence, DetectOptions, Detection, Detector, Evidence, Hints,
    declaration::{Declaration, Form},
    detect, detect_with,
};

const RUSSIAN: &str = "Сегодня утром шёл дождь, но к вечеру небо над городом прояснилось. Я люблю тёплую погоду.\n\
    Завтра обещают ветер и солнце; поезда ходят по расписанию, а река ещё не замёрзла. Где моя шляпа?\n";
const JAPANESE: &str = "今朝は雨が降っていましたが、夕方には町の空が晴れました。私は暖かい天気が好きです。\n\
    明日は風が強く、日差しもあるそうです。電車は時刻表どおりに走り、川はまだ凍っていません。\n";
const CHINESE: &str = "今天早上下雨，但是到了晚上，城市的天空就放晴了。我喜欢温暖的天气。\n\
    明天有风，也有太阳；火车按时刻表运行，河水还没有结冰。\n";
const KOREAN: &str = "오늘 아침에는 비가 왔지만 저녁에는 도시의 하늘이 맑아졌습니다. 나는 따뜻한 날씨를 좋아합니다.\n\
    내일은 바람이 불고 햇빛도 있을 것입니다. 기차는 시간표대로 다니고 강은 아직 얼지 않았습니다.\n";
const FRENCH: &str = "La forêt est calme ; le garçon mange une pêche près de la rivière. À l'école, l'élève a dessiné\n\
    un âne et une flèche. Le cœur léger, il rêve déjà de l'été et des vacances à la mer, où l'eau est tiède.\n";

/// The evidence if there is no other.
const GUESS: Evidence = if cfg!(feature = "guess") { Evidence::Guess } else { Evidence::Fallback };

/// Detects the encoding of a whole text.
#[track_caller]
fn detect_all(text: &[u8]) -> Detection {
    let detection = detect(text);
    // The reported number of malformed sequences is right for every result.
    assert_eq!(detection.candidates[0].encoding, detection.encoding);
    if detection.evidence != Evidence::Bom && detection.candidates[0].is_complete {
        let options = DecodeOptions::new().bom(textcodec::Bom::Keep).malformed(Malformed::Replace);
        let decoded = detection.encoding.decode_with(text, options).unwrap();
        assert_eq!(decoded.errors.count(), detection.candidates[0].malformed, "{}", detection.reason());
    }
    detection
}

#[track_caller]
fn assert_detection(text: &[u8], encoding: Encoding, confidence: Confidence, evidence: Evidence) -> Detection {
    let detection = detect_all(text);
    assert_eq!(
        (detection.encoding, detection.confidence, detection.evidence),
        (encoding, confidence, evidence),
        "{}: {}",
        text[..text.len().min(60)].escape_ascii(),
        detection.reason()
    );
    detection
}

fn encode(encoding: Encoding, text: &str) -> Vec<u8> {
    encoding.encode_with(text, textcodec::Unmappable::Replace('?')).unwrap().bytes.into_owned()
}

#[test]
fn a_byte_order_mark_is_certain() {
    for (mark, encoding) in [(&b"\xEF\xBB\xBF"[..], UTF_8), (b"\xFF\xFE", UTF_16LE), (b"\xFE\xFF", UTF_16BE)] {
        assert_detection(mark, encoding, Confidence::Certain, Evidence::Bom);
        let text = [mark, &encode(encoding, RUSSIAN)].concat();
        let detection = assert_detection(&text, encoding, Confidence::Certain, Evidence::Bom);
        assert_eq!(detection.candidates.len(), 1);
    }
    let detection = detect_all(b"\xEF\xBB\xBFa");
    assert_eq!(detection.reason(), "byte order mark (EF BB BF)");
    assert_eq!((detection.probability, detection.candidates[0].probability), (1.0, 1.0));
    // It takes precedence over a declaration.
    assert_detection(b"\xEF\xBB\xBF<meta charset=gbk>", UTF_8, Confidence::Certain, Evidence::Bom);
}

#[test]
fn a_byte_order_mark_before_malformed_text_is_less_certain() {
    let detection = assert_detection(b"\xEF\xBB\xBFab\xFFc is not ASCII", UTF_8, Confidence::Medium, Evidence::Bom);
    assert_eq!(detection.reason(), "byte order mark (EF BB BF); but with 1 malformed sequence, at byte 5");
    assert_detection(b"\xFF\xFEa\0\0\xDCb\0\0\xDC\0\xDC", UTF_16LE, Confidence::Low, Evidence::Bom);
    for utf_32 in [&b"\xFF\xFE\0\0a\0\0\0"[..], b"\xFF\xFE\0\0"] {
        let detection = assert_detection(utf_32, UTF_16LE, Confidence::None, Evidence::None);
        assert_eq!(detection.reason(), "looks like UTF-32LE, which the Encoding Standard does not have");
    }
    // Text in windows-1251 that starts with these two letters.
    let text = WINDOWS_1251.encode("яюшка, как и все прочие слова").unwrap();
    let detection =
        assert_detection(&[&text[..], b"!"].concat()[..text.len() & !1], UTF_16LE, Confidence::Low, Evidence::Bom);
    assert!(detection.reason().contains("rarely occur in text"), "{}", detection.reason());
    assert_eq!(detect_all(b"\xEF\xBB is not ASCII").evidence, GUESS);
}

#[test]
fn binary_data_that_starts_like_a_byte_order_mark_is_not_text() {
    let numbers: Vec<u8> = (1..2001_u16).flat_map(|n| (n % 32).to_le_bytes()).collect();
    let detection = assert_detection(&[b"\xFF\xFE", &*numbers].concat(), UTF_16LE, Confidence::None, Evidence::None);
    assert!(detection.reason().ends_with("1560 of 2000 characters are controls"), "{}", detection.reason());
}

#[test]
fn empty_input_is_certain() {
    assert_detection(b"", UTF_8, Confidence::Certain, Evidence::Empty);
}

#[test]
fn a_declaration_is_accepted_if_the_bytes_do_not_contradict_it() {
    let page = |label: &str, encoding| encode(encoding, &format!("<!doctype html>\n<meta charset={label}>{RUSSIAN}"));
    let detection = assert_detection(&page("koi8-r", KOI8_R), KOI8_R, Confidence::High, Evidence::Declaration);
    assert_eq!(detection.reason(), "declared by <meta charset=\"koi8-r\"> at byte 16");
    // A guess cannot decide between encodings of so few letters.
    let page_of_one_word = encode(KOI8_R, "<meta charset=koi8-r>Я");
    assert_detection(&page_of_one_word, KOI8_R, Confidence::High, Evidence::Declaration);
    assert_detection(b"<meta charset=shift_jis> all ASCII", SHIFT_JIS, Confidence::High, Evidence::Declaration);
    assert_detection(b"<?xml version='1.0' encoding='Big5'?><a/>", BIG5, Confidence::High, Evidence::Declaration);
    assert_detection(
        b"@charset \"koi8-r\"; a::after { content: '\xC1' }",
        KOI8_R,
        Confidence::High,
        Evidence::Declaration,
    );
    assert_detection(&page("utf-16", UTF_8), UTF_8, Confidence::High, Evidence::Declaration);
    for encoding in [UTF_16LE, UTF_16BE] {
        let xml = encode(encoding, "<?xml version='1.0' encoding='utf-16'?><a>\u{3}é</a>");
        assert_detection(&xml, encoding, Confidence::High, Evidence::Declaration);
    }
}

#[cfg(feature = "guess")]
#[test]
fn a_declaration_that_the_letters_contradict_is_uncertain() {
    let page = encode(WINDOWS_1251, &format!("<meta charset=koi8-r>{RUSSIAN}"));
    let detection = assert_detection(&page, KOI8_R, Confidence::Low, Evidence::Declaration);
    assert!(detection.reason().ends_with("; but its letters fit windows-1251"), "{}", detection.reason());
}

#[test]
fn a_declaration_that_gives_control_characters_is_less_certain() {
    let page = b"<meta charset=iso-8859-2>\x9Aed";
    let detection = assert_detection(page, ISO_8859_2, Confidence::Medium, Evidence::Declaration);
    assert!(detection.reason().ends_with("; but 1 character rarely occurs in text"), "{}", detection.reason());
    assert_detection(
        "<meta charset=utf-8>\u{E000} \u{F123}".as_bytes(),
        UTF_8,
        Confidence::High,
        Evidence::Declaration,
    );
}

#[test]
fn well_formed_utf_8_overrides_a_declaration_of_a_single_byte_encoding() {
    for text in ["é", "déjà", FRENCH] {
        let page = format!("<meta charset=windows-1252>{text}");
        let detection = assert_detection(page.as_bytes(), UTF_8, Confidence::Medium, Evidence::Structure);
        assert!(
            detection.reason().ends_with("; but declared as windows-1252 by <meta charset=\"windows-1252\"> at byte 0")
        );
    }
}

#[test]
fn a_declaration_of_a_multi_byte_encoding_competes_with_utf_8() {
    // "é" in UTF-8 is also a pair in GBK.
    let detection = assert_detection("<meta charset=gbk>é".as_bytes(), GBK, Confidence::Low, Evidence::Declaration);
    assert!(detection.reason().ends_with("; but it is also valid UTF-8, with 1 non-ASCII character"));
    let page = format!("<meta charset=gbk>{RUSSIAN}");
    assert_detection(page.as_bytes(), UTF_8, Confidence::Medium, Evidence::Structure);
}

#[test]
fn declarations_that_disagree_lower_the_confidence() {
    let page = b"<?xml version='1.0' encoding='koi8-r'?><meta charset=windows-1251>\xC1\xC2";
    let detection = assert_detection(page, KOI8_R, Confidence::Medium, Evidence::Declaration);
    assert!(
        detection.reason().contains("; but declared as windows-1251 by <meta charset=\"windows-1251\"> at byte 39")
    );
}

#[test]
fn declarations_of_source_code_po_files_and_mail_are_read() {
    let text = encode(KOI8_R, RUSSIAN);
    for (head, why) in [
        (&b"# coding: koi8-r\n# "[..], "a comment with coding: koi8-r at byte 0"),
        (
            b"msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=KOI8-R\\n\"\n",
            "the PO header with charset=KOI8-R at byte 19",
        ),
        (b"Content-Type: text/plain; charset=koi8-r\n\n", "the mail header with charset=koi8-r at byte 0"),
    ] {
        let detection = assert_detection(&[head, &text].concat(), KOI8_R, Confidence::High, Evidence::Declaration);
        assert_eq!(detection.reason(), format!("declared by {why}"));
    }
}

#[test]
fn a_few_malformed_sequences_do_not_change_the_encoding() {
    let mut page = format!("<meta charset=utf-8>{RUSSIAN}").into_bytes();
    page[90] = 0xFF;
    let detection = assert_detection(&page, UTF_8, Confidence::Medium, Evidence::Declaration);
    assert!(
        detection.reason().contains("; but with 2 malformed sequences, the first at byte 90"),
        "{}",
        detection.reason()
    );
    let mut text = RUSSIAN.as_bytes().to_vec();
    text[9] = b' ';
    assert_detection(&text, UTF_8, Confidence::Medium, Evidence::Structure);
    // Truncated within a character.
    let end = (99..110).find(|&end| !RUSSIAN.is_char_boundary(end)).unwrap();
    assert_detection(&RUSSIAN.as_bytes()[..end], UTF_8, Confidence::Medium, Evidence::Structure);
    // Many do change it.
    let detection = detect_all(b"na\xEFve caf\xE9, \xE9t\xE9 \xC3\xA9");
    assert_eq!((detection.confidence, detection.evidence), (Confidence::Low, GUESS));
}

#[test]
fn utf_16_without_a_byte_order_mark() {
    for text in
        [RUSSIAN, JAPANESE, CHINESE, KOREAN, FRENCH, "a plain text\r\nof two lines\r\n", "א שלום\nعربي नमस्ते ไทย 😀😀\n"]
    {
        for encoding in [UTF_16LE, UTF_16BE] {
            assert_detection(&encode(encoding, text), encoding, Confidence::High, Evidence::Structure);
        }
    }
    // Without spaces and line feeds, and so without zero bytes.
    let chinese = CHINESE.replace('\n', "");
    for encoding in [UTF_16LE, UTF_16BE] {
        assert_detection(&encode(encoding, &chinese), encoding, Confidence::High, Evidence::Structure);
    }
    assert_detection(b"a\0b\0", UTF_16LE, Confidence::Low, Evidence::Structure);
}

#[test]
fn damaged_utf_16_is_less_certain() {
    let mut text = encode(UTF_16LE, &RUSSIAN.repeat(3));
    text.truncate(text.len() - 1);
    let detection = assert_detection(&text, UTF_16LE, Confidence::Medium, Evidence::Structure);
    assert!(detection.reason().contains("; but with 1 malformed sequence, at byte "), "{}", detection.reason());
    let text = encode(UTF_16BE, &format!("{}\u{1}", RUSSIAN.repeat(3)));
    assert_detection(&text, UTF_16BE, Confidence::Medium, Evidence::Structure);
}

#[test]
fn ascii_is_not_chinese_in_utf_16() {
    assert_detection(b"Bush hid the facts", UTF_8, Confidence::High, Evidence::Ascii);
    assert_detection(b"this app can break", UTF_8, Confidence::High, Evidence::Ascii);
    // File names separated by zero bytes.
    let names = b"./src/main.rs\0./src/detect/mod.rs\0./a\0./tests/cli/detect.rs\0";
    assert_detection(names, UTF_8, Confidence::Medium, Evidence::Ascii);
    assert_detection(b"naive and plain\x01text with a control", UTF_8, Confidence::Medium, Evidence::Ascii);
}

#[test]
fn binary_data_is_not_text() {
    let mut state = 1_u32;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let none = |bytes: &[u8]| {
        let detection = detect_all(bytes);
        assert_eq!(
            (detection.confidence, detection.evidence),
            (Confidence::None, Evidence::None),
            "{:?}: {}",
            detection.encoding,
            detection.reason()
        );
        detection
    };
    for len in [64, 500, 5000, 100_000, 300_001] {
        none(&(0..len).map(|_| random()).collect::<Vec<_>>());
    }
    none(&[0; 1000]);
    // Numbers of 16 and 32 bits in both byte orders, sound samples, floats.
    none(&(0..2000_u16).flat_map(u16::to_le_bytes).collect::<Vec<_>>());
    none(&(0..2000_u16).flat_map(u16::to_be_bytes).collect::<Vec<_>>());
    none(&(0..2000_u32).flat_map(u32::to_le_bytes).collect::<Vec<_>>());
    let wave = (0..4000).map(|n| (f64::from(n) / 9.0).sin());
    none(&wave.clone().flat_map(|x| ((x * 900.0) as i16).to_le_bytes()).collect::<Vec<_>>());
    none(&wave.flat_map(f64::to_le_bytes).collect::<Vec<_>>());
    none(b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3E\0\x01\0\0\0\x10\x2B\0\0\0\0\0\0");
    none(b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\x01\0\0\0\x01\0\x08\x06\0\0\0\x5C\x72\xA8\x66");
    let detection = none(&FRENCH.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect::<Vec<_>>());
    assert_eq!(detection.reason(), "looks like UTF-32LE, which the Encoding Standard does not have");
    assert!(
        none(&FRENCH.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect::<Vec<_>>())
            .reason()
            .contains("UTF-32BE")
    );
    // Markup in binary data is not a declaration.
    none(&[&b"<meta charset=koi8-r>"[..], &[0; 100]].concat());
}

#[test]
fn ascii_and_utf_8() {
    let detection =
        assert_detection(b"plain\r\n\ttext \x1B[1mbold\x1B[0m\x0C", UTF_8, Confidence::High, Evidence::Ascii);
    assert!(detection.reason().starts_with("all bytes are ASCII"));
    let detection = assert_detection("für Größe 😀".as_bytes(), UTF_8, Confidence::High, Evidence::Structure);
    assert_eq!(detection.reason(), "valid UTF-8, with 4 non-ASCII characters");
    assert_detection("é".as_bytes(), UTF_8, Confidence::Medium, Evidence::Structure);
    assert_detection(JAPANESE.as_bytes(), UTF_8, Confidence::High, Evidence::Structure);
}

#[test]
fn iso_2022_jp_is_detected_by_its_escape_sequences() {
    let text = encode(ISO_2022_JP, JAPANESE);
    let detection = assert_detection(&text, ISO_2022_JP, Confidence::High, Evidence::Structure);
    assert!(detection.reason().starts_with("escape sequences of ISO-2022-JP, with 8"), "{}", detection.reason());
    let damaged = [&text[..], b" \x1B[m"].concat();
    assert_detection(&damaged, ISO_2022_JP, Confidence::Medium, Evidence::Structure);
}

#[test]
fn without_a_guess_the_fallback_is_the_answer() {
    let text = encode(WINDOWS_1251, RUSSIAN);
    let options = DetectOptions::new().guess(false);
    let detection = detect_with(&text, options.clone());
    assert_eq!(detection.encoding, WINDOWS_1252);
    assert_eq!((detection.confidence, detection.evidence), (Confidence::Low, Evidence::Fallback));
    assert_eq!(detection.reason(), "no guess was made; windows-1252 is the fallback, with 149 non-ASCII characters");
    #[cfg(not(feature = "guess"))]
    assert_eq!(detect(&text).reason(), detection.reason());
    // Even if the text is malformed in it.
    let detection = detect_with(&text, options.clone().hints(Hints::new().fallback(UTF_8)));
    assert_eq!((detection.encoding, detection.evidence), (UTF_8, Evidence::Fallback));
    assert!(detection.reason().contains("; but with 1"), "{}", detection.reason());
    // All other evidence is as with a guess.
    for text in [&b""[..], b"plain", b"\xFE\xFF\0a", "日本語".as_bytes(), b"<meta charset=gbk>", &[0; 99]] {
        let (with, without) = (detect(text), detect_with(text, options.clone()));
        assert_eq!((with.encoding, with.reason()), (without.encoding, without.reason()));
    }
}

#[cfg(feature = "guess")]
#[test]
fn a_top_level_domain_helps_the_guess() {
    let detect_from = |text: &[u8], domain: &str| {
        detect_with(text, DetectOptions::new().hints(Hints::new().top_level_domain(domain)))
    };
    let text = encode(WINDOWS_1251, "не");
    assert_eq!(detect_from(&text, "ru").encoding, WINDOWS_1251);
    assert!(detect_from(&text, "il").probability < detect_from(&text, "ru").probability);
    // Anything can be given.
    for domain in ["", ".", "co.uk", "рф", ".GR", "a b", "xn--p1ai", "1"] {
        detect_from(&text, domain);
    }
    assert_eq!(detect_from(&text, ".RU").encoding, WINDOWS_1251);
}

#[test]
fn the_transport_layer_declares_an_encoding() {
    let hints = DetectOptions::new().hints(Hints::new().content_type("text/plain; charset=koi8-r"));
    let detection = detect_with(b"\xC1", hints.clone());
    assert_eq!((detection.encoding, detection.confidence), (KOI8_R, Confidence::High));
    assert_eq!(detection.reason(), "declared by the transport layer (charset=KOI8-R)");
    assert_eq!(detection.declaration().map(Declaration::form), Some(Form::Transport));
    // It comes before the declaration in the text, also if these are not wanted.
    let detection = detect_with(b"<meta charset=gbk>\xC1\xC2", hints.clone());
    assert_eq!((detection.encoding, detection.confidence), (KOI8_R, Confidence::Medium));
    assert_eq!(detect_with(b"<meta charset=gbk>\xC1\xC2", hints.clone().declarations(false)).encoding, KOI8_R);
    // The bytes can contradict it, and a byte order mark does.
    assert_eq!(detect_with(&[0; 99], hints.clone()).confidence, Confidence::None);
    assert_eq!(detect_with(RUSSIAN.as_bytes(), hints.clone()).encoding, UTF_8);
    assert_eq!(detect_with(b"\xFE\xFF\0a", hints).encoding, UTF_16BE);
}

#[test]
fn the_transport_layer_can_declare_utf_16_if_the_text_looks_like_it() {
    let detect_as = |encoding: Encoding, text: &[u8]| {
        detect_with(text, DetectOptions::new().hints(Hints::new().transport(encoding)))
    };
    for encoding in [UTF_16LE, UTF_16BE] {
        for text in [RUSSIAN, JAPANESE, "a", "的是不了人我"] {
            let detection = detect_as(encoding, &encode(encoding, text));
            assert_eq!((detection.encoding, detection.evidence), (encoding, Evidence::Declaration), "{text}");
        }
        // In the other byte order.
        let other = if encoding == UTF_16LE { UTF_16BE } else { UTF_16LE };
        let detection = detect_as(other, &encode(encoding, RUSSIAN));
        assert_eq!((detection.encoding, detection.evidence), (encoding, Evidence::Structure));
        assert!(detection.reason().contains("; but declared as UTF-16"), "{}", detection.reason());
        // Most of these bytes are well-formed in UTF-16, too.
        for (actual, text) in
            [(UTF_8, "ab"), (UTF_8, FRENCH), (WINDOWS_1252, FRENCH), (KOI8_R, RUSSIAN), (SHIFT_JIS, JAPANESE)]
        {
            let text = encode(actual, text);
            assert_eq!(detect_as(encoding, &text).encoding, detect(&text).encoding, "{actual}");
        }
    }
}

#[test]
fn the_beginning_of_a_text_may_end_within_a_character() {
    let beginning = |text: &[u8]| {
        let mut detector = Detector::new();
        detector.feed(text);
        detector.finish_partial()
    };
    let text = RUSSIAN.as_bytes();
    for end in 90..100 {
        let detection = beginning(&text[..end]);
        assert_eq!((detection.encoding, detection.confidence), (UTF_8, Confidence::High), "{end}");
        assert!(detection.reason().ends_with(&format!("; only the first {end} bytes were examined")));
    }
    for encoding in [SHIFT_JIS, EUC_KR, GBK, BIG5, UTF_16LE] {
        let text = encode(encoding, &CHINESE.replace('\n', " ").repeat(5));
        for end in text.len() - 30..text.len() {
            assert_eq!(beginning(&text[..end]).candidates[0].malformed, 0, "{encoding} {end}");
        }
    }
}

#[test]
fn long_text_is_examined_to_its_end() {
    let ascii = b"a line of plain text\n".repeat(200_000);
    assert_eq!(assert_detection(&ascii, UTF_8, Confidence::High, Evidence::Ascii).bytes, ascii.len() as u64);
    // The non-ASCII characters come late.
    assert_detection(&[&ascii[..], RUSSIAN.as_bytes()].concat(), UTF_8, Confidence::High, Evidence::Structure);
    let detection = detect_all(&[&ascii[..], b"\xE2\x82"].concat());
    assert_eq!((detection.confidence, detection.evidence), (Confidence::Low, GUESS));
    let line = JAPANESE.replace('\n', "").repeat(10_000);
    assert_detection(line.as_bytes(), UTF_8, Confidence::High, Evidence::Structure);
    // Malformed after the part that a guess uses.
    let mut text = RUSSIAN.repeat(10_000).into_bytes();
    text.push(0xC3);
    let detection = assert_detection(&text, UTF_8, Confidence::Medium, Evidence::Structure);
    let end = format!("with 1 malformed sequence, at byte {}", text.len() - 1);
    assert!(detection.reason().ends_with(&end), "{}", detection.reason());
}

#[cfg(feature = "guess")]
mod guesses {
    use textcodec::{EUC_JP, GB18030, IBM866, ISO_8859_15, MACINTOSH, WINDOWS_1253, WINDOWS_1257, X_MAC_CYRILLIC};

    use super::*;

    const LITHUANIAN: &str = "Rytą lijo, bet vakare dangus virš miesto prašviesėjo. Man patinka šiltas oras. Rytoj žadama \
        vėjo ir saulės; traukiniai važiuoja pagal tvarkaraštį, o ežeras dar neužšalęs. Kur mano skrybėlė?\n";

    #[test]
    fn a_declaration_that_the_bytes_contradict_is_rejected_and_reported() {
        let page = encode(SHIFT_JIS, &format!("<meta charset=euc-jp><title>{JAPANESE}"));
        let detection = assert_detection(&page, SHIFT_JIS, Confidence::High, Evidence::Guess);
        assert!(
            detection.reason().contains("; but declared as EUC-JP by <meta charset=\"euc-jp\"> at byte 0, with "),
            "{}",
            detection.reason()
        );
        assert!(detection.candidates.iter().any(|candidate| candidate.encoding == EUC_JP && candidate.malformed > 0));

        let page = encode(KOI8_R, &format!("<?xml version='1.0' encoding='utf-8'?><a>{RUSSIAN}</a>"));
        let detection = detect_all(&page);
        assert_eq!((detection.encoding, detection.confidence), (KOI8_R, Confidence::High));

        // Of two declarations, the one that fits counts.
        let xhtml = encode(KOI8_R, &format!("<?xml version='1.0' encoding='utf-8'?><meta charset=koi8-r>{RUSSIAN}"));
        assert_detection(&xhtml, KOI8_R, Confidence::High, Evidence::Declaration);

        // A label of an encoding that is not decoded.
        let detection = detect_all(b"<meta charset=hz-gb-2312> abc");
        assert_eq!((detection.encoding, detection.evidence), (UTF_8, Evidence::Ascii));
        assert!(
            detection.reason().contains("; but declared as replacement by <meta charset=\"hz-gb-2312\"> at byte 0")
        );
    }

    #[test]
    fn a_label_that_browsers_do_not_know_makes_a_guess_of_another_encoding_low() {
        for (head, label) in [
            ("<?xml version=\"1.0\" encoding=\"IBM850\"?>", "<?xml encoding=\"IBM850\"?>"),
            ("<?xml version=\"1.0\" encoding=\"cp850\"?>", "<?xml encoding=\"cp850\"?>"),
            ("<html><meta charset=IBM850>", "<meta charset=\"IBM850\">"),
            (
                "<meta http-equiv=content-type content='text/html; charset=ibm850'>",
                "<meta http-equiv=\"content-type\"> with charset=ibm850",
            ),
            ("@charset \"IBM850\";", "@charset \"IBM850\""),
        ] {
            let text = encode(WINDOWS_1252, &format!("{head}{FRENCH}"));
            let detection = detect_all(&text);
            assert_eq!((detection.confidence, detection.evidence), (Confidence::Low, Evidence::Guess), "{head}");
            let reason = detection.reason();
            assert!(reason.contains(&format!("; but declared as IBM850 by {label} at byte ")), "{reason}");
            assert!(reason.ends_with(", a label that browsers do not know"), "{reason}");
            let last = detection.declarations.last().unwrap();
            assert_eq!((last.encoding(), last.label().to_ascii_uppercase().contains("850")), (None, true), "{head}");
            // The structure of UTF-8 is strong evidence, but ASCII is not contradicted.
            let detection = detect_all(format!("{head}{FRENCH}").as_bytes());
            assert_eq!((detection.encoding, detection.confidence), (UTF_8, Confidence::Medium), "{head}");
            let detection = detect_all(format!("{head}plain").as_bytes());
            assert_eq!((detection.confidence, detection.evidence), (Confidence::High, Evidence::Ascii), "{head}");
        }
        // Names of the guess itself, of no encoding, and of one that cannot be declared in ASCII.
        for head in ["<meta charset=cp1252>", "<meta charset=none>", "<meta charset=cp037>"] {
            let text = encode(WINDOWS_1252, &format!("{head}{FRENCH}"));
            assert_eq!(detect_all(&text).confidence, Confidence::High, "{head}");
        }
        // In mail, HTML is not the declaration.
        let mail = encode(KOI8_R, &format!("Content-Type: text/html; charset=koi8-r\n\n<meta charset=cp850>{RUSSIAN}"));
        assert_detection(&mail, KOI8_R, Confidence::High, Evidence::Declaration);
    }

    #[test]
    fn guesses() {
        let guess = |encoding, text: &str, confidence| {
            assert_detection(&encode(encoding, text), encoding, confidence, Evidence::Guess)
        };
        guess(SHIFT_JIS, JAPANESE, Confidence::High);
        guess(EUC_JP, JAPANESE, Confidence::High);
        guess(GBK, CHINESE, Confidence::High);
        guess(EUC_KR, KOREAN, Confidence::High);
        guess(WINDOWS_1251, RUSSIAN, Confidence::High);
        guess(IBM866, RUSSIAN, Confidence::High);
        guess(WINDOWS_1252, FRENCH, Confidence::High);
        guess(WINDOWS_1252, "un café", Confidence::Medium);
        guess(WINDOWS_1253, "Το πρωί έβρεχε, αλλά το βράδυ ο ουρανός της πόλης καθάρισε.", Confidence::High);
        // The characters that GBK cannot represent make it gb18030.
        guess(GB18030, &format!("{CHINESE}𠀀😀"), Confidence::High);
    }

    #[test]
    fn the_language_is_known_if_the_letters_fit_it() {
        let language = |text: &[u8]| detect(text).language;
        let lithuanian = encode(WINDOWS_1257, LITHUANIAN);
        assert_eq!(language(&lithuanian), Some("Lithuanian"));
        assert!(detect(&lithuanian).reason().ends_with(", with letters as in Lithuanian"));
        assert_eq!(language(&encode(EUC_KR, KOREAN)), Some("Korean"));
        assert_eq!(language(b"\xE9"), None);
        assert_eq!(language(LITHUANIAN.as_bytes()), None);
    }

    #[test]
    fn encodings_unknown_to_chardetng_are_detected_by_letter_pairs() {
        let assert_encoding = |encoding, text| assert_eq!(detect_all(&encode(encoding, text)).encoding, encoding);
        assert_encoding(MACINTOSH, FRENCH);
        assert_encoding(ISO_8859_15, FRENCH);
        assert_encoding(X_MAC_CYRILLIC, &RUSSIAN.repeat(2));
    }

    #[test]
    fn one_malformed_sequence_does_not_change_the_guess() {
        for (encoding, text) in [(SHIFT_JIS, JAPANESE), (EUC_KR, KOREAN)] {
            let mut text = encode(encoding, &text.repeat(9));
            text.extend_from_slice(b"\xFF\xFF\n");
            let detection = assert_detection(&text, encoding, Confidence::Low, Evidence::Guess);
            assert!(detection.reason().contains("; but with 2 malformed sequences, the first at byte "));
        }
    }

    #[test]
    fn a_guess_ignores_long_ascii_before_the_first_non_ascii_character() {
        let ascii = b"a line of plain text\n".repeat(200_000);
        assert_detection(&[&ascii[..], &encode(EUC_JP, JAPANESE)].concat(), EUC_JP, Confidence::High, Evidence::Guess);
        // Without line feeds.
        let line = JAPANESE.replace('\n', "").repeat(10_000);
        assert_detection(&encode(SHIFT_JIS, &line), SHIFT_JIS, Confidence::High, Evidence::Guess);
    }

    #[test]
    fn a_guess_has_low_confidence_if_another_encoding_is_almost_as_likely() {
        let detection = assert_detection(
            b"\xA1 \xA4 \xA1",
            detect_all(b"\xA1 \xA4 \xA1").encoding,
            Confidence::Low,
            Evidence::Guess,
        );
        assert!(detection.reason().ends_with(" is almost as likely"), "{}", detection.reason());
    }

    #[test]
    fn probabilities_are_numbers_where_an_unwanted_encoding_is_far_likelier() {
        let options = DetectOptions::new().candidates([IBM866]);
        let detection = detect_with(&encode(EUC_JP, JAPANESE), options);
        assert_eq!((detection.encoding, detection.confidence), (IBM866, Confidence::Low));
        let candidates = &detection.candidates;
        assert!(candidates.iter().all(|candidate| (0.0..=1.0).contains(&candidate.probability)), "{candidates:?}");
        assert_eq!(candidates[1].encoding, EUC_JP);
    }

    #[test]
    fn letters_in_no_known_order_give_low_confidence() {
        let letters = ['ж', 'ъ', 'щ', 'ы', 'ф', 'э', 'ё', 'ц'];
        let mut seed = 1_u32;
        let mut random = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            letters[(seed >> 29) as usize]
        };
        let text: String = (0..400).map(|_| random()).collect();
        assert_eq!(detect_all(&encode(WINDOWS_1251, &text)).confidence, Confidence::Low);
    }

    #[test]
    fn markup_in_english_does_not_hide_the_language() {
        let page = "<div class=\"article\"><span title=\"some text\">\n".repeat(300) + LITHUANIAN;
        assert_detection(&encode(WINDOWS_1257, &page), WINDOWS_1257, Confidence::High, Evidence::Guess);
    }
}
