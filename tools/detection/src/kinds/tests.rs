use std::collections::{BTreeMap, HashMap};

use super::{KINDS, Truth, make};
use crate::{
    languages::LANGUAGES,
    repertoire::keep_bom,
    source::Sources,
    texts::{Half, Texts},
};

/// A few paragraphs for each language.
fn texts() -> Texts {
    let by_script = |code: &str| match code {
        "ru" | "uk" | "be" | "bg" | "sr" | "mk" | "kk" | "tg" => {
            "Съешь же ещё этих мягких французских булок, да выпей чаю"
        }
        "el" => "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία",
        "he" => "דג סקרן שט בים מאוכזב ולפתע מצא חברה",
        "ar" | "fa" => "صِف خَلقَ خَودِ كَمِثلِ الشَمسِ إِذ بَزَغَت",
        "th" => "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า กว่าบรรดาฝูงสัตว์เดรัจฉาน",
        "ja" => "いろはにほへと ちりぬるを 我が世誰ぞ 常ならむ。有為の奥山 今日越えて",
        "ko" => "키스의 고유조건은 입술끼리 만나야 하고 특별한 기술은 필요치 않다",
        "zh-CN" => "我能吞下玻璃而不伤身体。这是一段用来测试的文字，没有别的意思",
        "zh-TW" => "我能吞下玻璃而不傷身體。這是一段用來測試的文字，沒有別的意思",
        _ => "Zażółć gęślą jaźń, größer Straße où l’été naïve œuvre señor ål ēšž ĝ ŵ ș őű đ ė ř ã ë à",
    };
    let paragraphs = |code: &str| -> Vec<String> {
        (0..40).map(|n| format!("{} and some more words, number {n}. {}", by_script(code), by_script(code))).collect()
    };
    let codes = LANGUAGES.iter().map(|language| language.code).chain(["hy", "ka"]);
    Texts(codes.map(|code| (code.to_owned(), paragraphs(code))).collect::<BTreeMap<_, _>>())
}

#[test]
fn the_same_texts_are_made_each_time_and_truths_decode_to_their_texts() {
    let texts = texts();
    let sources = Sources::new(&texts, Half::HeldOut, &[]);
    let (first, second) = (make(&sources, None, 60), make(&sources, None, 60));
    assert_eq!(first.len(), second.len());
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for (text, again) in first.iter().zip(&second) {
        assert_eq!((text.kind, &text.encoding, &text.bytes), (again.kind, &again.encoding, &again.bytes));
        *counts.entry(text.kind).or_default() += 1;
        if let Truth::One(encoding, truth) = &text.truth {
            let decoded = encoding.decode_with(&text.bytes, keep_bom()).unwrap();
            assert!(decoded.text == *truth, "{} {} {}", text.kind, text.language, text.encoding);
            assert!(!truth.is_ascii());
        }
    }
    for (kind, _) in KINDS {
        assert!(counts.get(kind).is_some_and(|count| *count >= 40), "{kind}: {:?}", counts.get(kind));
    }
}
