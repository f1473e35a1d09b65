//! Text to encode and decode.

use textcodec::Encoding;

/// Sentences in many languages, with characters that are special in their scripts.
pub const SENTENCES: &[&str] = &[
    "The quick brown fox jumps over 13 lazy dogs; 100 % of them don't mind.\r\n",
    "Déjà vu: l’été à Genève coûte 50 € — çà et là, un « œuf » naïf.",
    "Größere Äpfel fürs Müsli: süß, weiß und „übrig“.",
    "Příliš žluťoučký kůň úpěl ďábelské ódy. Zażółć gęślą jaźń.",
    "Pijamalı hasta yağız şoföre çabucak güvendi. İstanbul'da ışık var.",
    "Съешь же ещё этих мягких французских булок, да выпей чаю. № 5",
    "Щебетання їжачків і ґава: Європа єднає нас.",
    "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία — και άλλα ωραία.",
    "דג סקרן שט בים מאוכזב ולפתע מצא חברה.",
    "نص حكيم له سر قاطع وذو شأن عظيم مكتوب على ثوب أخضر.",
    "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า กว่าบรรดาฝูงสัตว์เดรัจฉาน",
    "Ąžuolas šlamėjo, žvėrys miegojo. Glāžšķūņa rūķīši.",
    "いろはにほへと ちりぬるを。日本語の文章、カタカナとｶﾀｶﾅも混ぜて、漢字も。",
    "다람쥐 헌 쳇바퀴에 타고파. 한국어 문장과 漢字 몇 자, 그리고 뷁도.",
    "天地玄黄,宇宙洪荒。简体中文的句子,有标点“引号”和数字123。",
    "天地玄黃,宇宙洪荒。繁體中文的句子,有「引號」與數字456。",
    "😀 emoji, 𠀋 and 🂡 above the BMP; \u{10FFFF} at the very end.",
    "Tiếng Việt có dấu: phở, bún, ắ ằ ẳ ẵ ặ.",
];

/// Returns the characters of `text` that an encoding can represent.
#[must_use]
pub fn representable(encoding: Encoding, text: &str) -> String {
    text.chars().filter(|&c| encoding.can_encode(c)).collect()
}

/// Returns `len` random characters that an encoding can represent.
#[must_use]
pub fn repertoire(encoding: Encoding, len: usize, random: &mut fastrand::Rng) -> String {
    let characters: Vec<char> = encoding.repertoire().flatten().collect();
    (0..len).map(|_| characters[random.usize(..characters.len())]).collect()
}

/// Returns `bytes` with one to three random changes: bytes replaced, removed, inserted, or with a bit flipped.
#[must_use]
pub fn damage(bytes: &[u8], random: &mut fastrand::Rng) -> Vec<u8> {
    const INTERESTING: &[u8] =
        b"\x00\x0E\x0F\x1B\x20$(@BIJ\x5C\x7E\x7F\x80\x81\x84\x8E\x8F\x90\x9F\xA0\xA1\xC0\xC2\xD8\xDC\
        \xE0\xE3\xED\xEF\xBB\xBF\xF0\xF4\xF5\xFC\xFD\xFE\xFF\x30\x39";
    let mut damaged = bytes.to_vec();
    for _ in 0..random.usize(1..=3) {
        let at = random.usize(..=damaged.len());
        match random.u8(..4) {
            0 if at < damaged.len() => damaged[at] = INTERESTING[random.usize(..INTERESTING.len())],
            1 if at < damaged.len() => drop(damaged.remove(at)),
            2 if at < damaged.len() => damaged[at] ^= 1 << random.u8(..8),
            _ => damaged.insert(at, INTERESTING[random.usize(..INTERESTING.len())]),
        }
    }
    damaged
}
