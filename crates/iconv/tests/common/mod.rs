//! What several tests need.
#![allow(dead_code, unreachable_pub, reason = "each test uses a part")]

use textcodec::{Encoding, REPLACEMENT, oem};
use textcodec_iconv::{Conversion, Form, Options, Order, Stop};

/// All forms that can be written, and code pages of each kind.
pub fn forms() -> Vec<Form> {
    let encodings = Encoding::ALL.iter().chain(Encoding::EXTRA).filter(|&&encoding| encoding != REPLACEMENT);
    let others = [
        Form::MarkedUtf16,
        Form::MarkedUtf32,
        Form::Utf32(Order::Little),
        Form::Utf32(Order::Big),
        Form::Ucs2(Order::Little),
        Form::Ucs2(Order::Big),
        Form::Utf7,
        Form::Utf7Imap,
    ];
    // In the order of ASCII, permuted, without some of ASCII, with letters instead of controls, and with other forms.
    let pages = [oem::IBM437, oem::IBM01140, oem::IBM864, oem::VISCII, oem::TCVN5712_1, oem::IBM1097];
    let encodings = encodings.chain(&pages).chain(ALGORITHMS);
    encodings.map(|&encoding| Form::Encoding(encoding)).chain(others).collect()
}

/// Encodings outside of the standard that have an algorithm, and names in iconv.
pub const ALGORITHMS: &[Encoding] = &[oem::CESU_8, oem::TRUE_HZ, oem::TRUE_ISO_2022_KR, oem::GSM_03_38];

/// What a whole conversion did.
#[derive(Debug, PartialEq, Eq)]
pub struct Whole {
    pub bytes: Vec<u8>,
    pub read: usize,
    pub transliterated: usize,
    pub skipped: usize,
    pub stop: Stop,
}

/// Converts in a single call, and ends the text.
pub fn whole(mut conversion: Conversion, src: &[u8]) -> Whole {
    let mut bytes = Vec::new();
    let progress = conversion.convert_with(src, usize::MAX, |part| bytes.extend_from_slice(part));
    assert_eq!(progress.written, bytes.len());
    let mut end = [0; 8];
    let len = conversion.finish(&mut end).unwrap();
    bytes.extend_from_slice(&end[..len]);
    let textcodec_iconv::Progress { read, transliterated, skipped, stop, .. } = progress;
    Whole { bytes, read, transliterated, skipped, stop }
}

/// All combinations of options.
pub fn all_options() -> impl Iterator<Item = Options> {
    (0..16).map(|bits| {
        let mut options = Options::default();
        options.transliterate = bits & 1 != 0;
        options.skip_unmappable = bits & 2 != 0;
        options.skip_malformed = bits & 4 != 0;
        options.skip_tags = bits & 8 != 0;
        options
    })
}

/// Text with all kinds of characters.
pub fn text(random: &mut fastrand::Rng) -> String {
    const PARTS: &[&str] = &[
        "a",
        "plain text, 0-9\n",
        "é",
        "ß",
        "€",
        "ж",
        "слово",
        "日本語",
        "ｱ",
        "ﾞ",
        "한글",
        "你好",
        "繁體",
        "¥",
        "‾",
        "～",
        "〜",
        "😀",
        "𠀋",
        "Ê̄",
        "ê̌",
        "Ê",
        "ê",
        "\u{304}",
        "丂",
        "\u{E000}",
        "\u{E757}",
        "ệ",
        "e\u{301}",
        "ﬁ",
        "\u{FEFF}",
        "\u{E0041}",
        "ế",
        "Ṍ",
        "שּׁ",
        "‖",
        "₩",
        "\u{AD}",
        "ش",
        "א",
        "\u{80}",
        "\u{9F}",
        "\0",
        "\u{1B}",
        "+",
        "-",
        "~\\",
        "\u{FFFD}",
        "①",
        "ℵ",
        "█",
        "%",
        "ب",
        "ﺏ",
        "ǹ",
        "\u{E}",
        "&",
        "~{",
        "漢字",
    ];
    (0..random.usize(0..40)).map(|_| random.choice(PARTS).unwrap()).copied().collect()
}
