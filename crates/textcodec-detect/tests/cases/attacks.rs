//! Inputs for which a high confidence would be wrong: no encoding is right for all of the text, or the bytes say too little.

use textcodec::{
    BIG5, EUC_JP, EUC_KR, Encoding, GBK, IBM866, ISO_2022_JP, ISO_8859_2, ISO_8859_5, KOI8_R, MACINTOSH, SHIFT_JIS,
    UTF_8, WINDOWS_874, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1254, WINDOWS_1255,
    WINDOWS_1257, oem,
};

use super::{Case, Confidence, Refused, bytes, check, check_ten, detect, encode, little, rows};

const RUSSIAN: &str = "Сегодня утром шёл дождь, но к вечеру небо прояснилось.\n";
const FRENCH: &str = "La forêt est calme; l'élève rêve déjà de l'été et des vacances à la mer.\n";
const GREEK: &str = "Σήμερα το πρωί έβρεχε, αλλά το βράδυ ο ουρανός καθάρισε.\n";
const CZECH: &str = "Dnes ráno pršelo, ale večer se obloha vyjasnila a šli jsme ven.\n";
const TURKISH: &str = "Güneşli bir günde çocuklar oynuyor, yaşlılar çay içiyor.\n";
const HEBREW: &str = "היום בבוקר ירד גשם, אבל בערב השמיים התבהרו.\n";
const JAPANESE: &str = "今朝は雨が降っていましたが、夕方には晴れました。\n";
const CHINESE: &str = "今天早上下雨，但是到了晚上，天空就放晴了。\n";

/// Five lines in one encoding, and a line in another one.
fn with(first: Encoding, line: &str, second: Encoding, other: &str) -> Case {
    bytes(Refused, &[encode(first, &line.repeat(5)), encode(second, &format!("{other}\n"))].concat())
}

#[test]
fn one_line_of_another_encoding() {
    check_ten([
        with(WINDOWS_1252, FRENCH, oem::IBM850, "une forêt"),
        with(WINDOWS_1252, FRENCH, MACINTOSH, "forêt déjà"),
        with(WINDOWS_1252, FRENCH, WINDOWS_1251, "привет"),
        with(WINDOWS_1252, FRENCH, WINDOWS_1250, "Příliš žluťoučký kůň"),
        with(WINDOWS_1252, FRENCH, UTF_8, "à"),
        with(WINDOWS_1251, RUSSIAN, KOI8_R, "погода"),
        with(WINDOWS_1251, RUSSIAN, IBM866, "погода"),
        with(WINDOWS_1251, RUSSIAN, WINDOWS_1252, "Müller, Café, Größe"),
        with(KOI8_R, RUSSIAN, WINDOWS_1252, "Müller, Café, Größe"),
        with(WINDOWS_1250, CZECH, WINDOWS_1252, "garçon, où, forêt"),
        with(WINDOWS_1257, "Šiandien oras gražus, todėl važiuosime į mišką.\n", WINDOWS_1250, "Příliš žluťoučký"),
        with(WINDOWS_874, "วันนี้อากาศดีมาก เราไปเดินเล่นกัน\n", WINDOWS_1252, "Müller"),
        with(SHIFT_JIS, JAPANESE, UTF_8, "雨"),
        with(GBK, CHINESE, UTF_8, "下雨"),
        with(EUC_JP, JAPANESE, SHIFT_JIS, "天気"),
        with(GBK, CHINESE, WINDOWS_1252, "Café Müller"),
        with(WINDOWS_1250, "Nie je možné spustiť prehliadač pomocníka.\n", oem::IBM852, "účty"),
        with(WINDOWS_1253, GREEK, WINDOWS_1252, "Müller, Café, Größe"),
        with(WINDOWS_1250, CZECH, ISO_8859_2, "švestka"),
        with(WINDOWS_1250, CZECH, ISO_8859_2, "Zítra bude svítit slunce, řekla babička šťastně"),
        with(WINDOWS_1251, RUSSIAN, UTF_8, "и"),
        with(WINDOWS_1254, TURKISH, WINDOWS_1252, "Þingvellir, Ísafjörður"),
        with(GBK, CHINESE, BIG5, "臺灣"),
        with(SHIFT_JIS, JAPANESE, EUC_JP, "天気"),
        with(IBM866, RUSSIAN, KOI8_R, "иных"),
    ]);
}

/// French text with more different words than a guess looks at.
fn long_french() -> String {
    let starts = ["dét", "rép", "prés", "mét", "consid", "lib", "vér", "pén", "éc", "él", "sév", "céd", "tém", "mod"];
    let ends = ["érer", "ére", "ète", "érité", "égé", "érait", "ênement", "érée", "êtait", "éant", "ération", "érons"];
    let middles = ["", "ar", "on", "ul", "im", "ent", "or", "is", "at", "er", "ic", "ol"];
    let count = middles.len() * starts.len() * ends.len();
    let words = (0..count).map(|n| {
        let (n, end) = (n / ends.len(), ends[n % ends.len()]);
        format!("{}{}{end}", starts[n % starts.len()], middles[n / starts.len()])
    });
    words.map(|word| format!("La forêt du {word} est calme et belle. ")).collect::<Vec<_>>().concat()
}

#[test]
fn a_late_line_of_another_encoding() {
    let text = encode(WINDOWS_1252, &long_french().repeat(5));
    assert!(text.len() > 6 * 64 * 1024, "{} bytes", text.len());
    let alone = detect(&text);
    assert_eq!(alone.confidence, Confidence::High, "{}", alone.reason());
    for (other, line) in [(oem::IBM850, "une forêt déjà près"), (UTF_8, "déjà"), (WINDOWS_1250, "Příliš žluťoučký kůň")]
    {
        for at in [text.len() / 2, text.len()] {
            let (before, after) = text.split_at(at);
            check([bytes(Refused, &[before, b"\n", &encode(other, line), b"\n", after].concat())]);
        }
    }
}

#[test]
#[ignore = "the answer is wrong with high confidence"]
fn one_line_of_another_encoding_in_hebrew_and_japanese() {
    check([with(WINDOWS_1255, HEBREW, WINDOWS_1251, "привет мир"), with(SHIFT_JIS, JAPANESE, ISO_2022_JP, "今朝は雨")]);
}

/// A table with the same word in each row.
fn table(encoding: Encoding, word: &str, len: usize) -> Case {
    little(encoding, &rows(len, |n| format!("{n};{word};bolt M{n}")))
}

/// The bytes of each of these words are well-formed UTF-8.
#[test]
#[ignore = "the answer is wrong with high confidence"]
fn words_that_are_utf_8_by_chance() {
    check_ten([
        table(ISO_8859_5, "ТО", 70),
        table(ISO_8859_5, "ТВ", 3),
        table(IBM866, "рад", 70),
        table(WINDOWS_1251, "Её", 70),
        table(WINDOWS_1251, "дії", 70),
        table(WINDOWS_1250, "CÓŻ", 70),
        table(WINDOWS_1250, "MŮŽETE", 70),
        table(WINDOWS_1253, "ΤΌ", 70),
        table(WINDOWS_874, "ลพ", 3),
        table(oem::IBM855, "КБ", 300),
        table(EUC_KR, "큰", 3),
        table(GBK, "频", 70),
        table(BIG5, "警", 70),
        table(EUC_JP, "望", 70),
    ]);
}

#[test]
#[ignore = "the answer is wrong with high confidence"]
fn few_distinct_bytes() {
    check([
        bytes(Refused, b"\xE9\xE9\xE9"),
        bytes(Refused, &b"\x80".repeat(1000)),
        bytes(Refused, b"\xE8\xFF\xF2"),
        bytes(Refused, b"\x91\x80\xEC\xB4\xFD"),
        little(oem::JOHAB, "시점에"),
        little(EUC_KR, "ありがとう"),
        little(WINDOWS_1257, "šīūēā"),
        little(IBM866, "   ▀ █▄ ░▒ ▄▐▄▌ ▄ ▒ "),
        little(WINDOWS_1252, "an,or†\nif,for†\nand,bear†\nto,This†\nus,allowing†"),
        little(WINDOWS_1252, "Kõszegi Gyõzõ\nSzûcs Ernõ"),
    ]);
}

/// The encodings of the iconv of glibc and of old systems that the model does not know.
#[test]
#[ignore = "the answer is wrong with high confidence"]
fn unknown_encodings() {
    check([
        // HP-GREEK8: `Προστασία πεδίων και σελιδοδεικτών από αλλαγές`.
        bytes(
            Refused,
            b"\xD1\xF2\xF0\xF3\xF4\xE1\xF3\xFC\xE1 \xF1\xE5\xE4\xFC\xFA\xEE \xEB\xE1\xE9 \xF3\xE5\xEC\xE9\xE4\xF0\xE4\xE5\xE9\xEB\xF4\xFD\xEE \xE1\xF1\xDD \xE1\xEC\xEC\xE1\xE3\xFB\xF7",
        ),
        // ISO-8859-9E: `%s əlaqəsinə məktub yazmaq üçün tıqlayın`.
        bytes(Refused, b"%s \xE6laq\xE6sin\xE6 m\xE6ktub yazmaq \xFC\xE7\xFCn t\xFDqlay\xFDn"),
        // HP-TURKISH8: `Kaleh, korkarım yollarımızı ayırmanın vakti geldi.`
        bytes(Refused, b"Kaleh, korkar\xFBm yollar\xFBm\xFBz\xFB ay\xFBrman\xFBn vakti geldi."),
        // ASCII whose highest bits are set, except of blanks.
        bytes(
            Refused,
            b"\xC6\xE1\xF6\xEF\xF5\xF2 \xF3\xF0\xE5\xE5\xE4 \xEF\xF6\xE5\xF2 \xF0\xF2\xE5\xE3\xE9\xF3\xE9\xEF\xEE \xF7\xE8\xE9\xEC\xE5 \xF3\xE5\xE5\xEB\xE9\xEE\xE7",
        ),
    ]);
}

#[test]
#[ignore = "the answer is UTF-8 with high confidence"]
fn ascii_that_hides_more() {
    check([
        little(oem::UTF_7, RUSSIAN.trim_end()),
        bytes(Refused, b"Subject: \x1B$B:#D+$O1+\n"),
        little(textcodec::UTF_16BE, "大"),
    ]);
}
