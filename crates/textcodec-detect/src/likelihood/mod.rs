//! How likely a text is, whatever its encoding was.
//!
//! The cost of a text is the negative logarithm of its frequency, in sixteenths. Bytes that can be read in two encodings are more
//! likely in the one in which they are the cheaper text.
//!
//! Each character has a cost, which depends on the character before it, in each of a few kinds of text: the languages with letter
//! pairs, and those of East Asia. The cheapest kind counts. In all kinds, characters that it does not have cost what they cost in
//! text at large.

mod frequent;

use std::collections::HashMap;

use textcodec::{BIG5, EUC_JP, EUC_KR, Encoding, GBK};

use crate::{
    model::{Case, without_case},
    trial::{self, is_odd_control},
};

/// Returns the cost of a text.
pub(crate) fn cost(text: &str) -> u64 {
    let mut counts = HashMap::new();
    let mut before = ' ';
    for c in text.chars() {
        *counts.entry((before, c)).or_insert(0) += 1;
        before = c;
    }
    let mut characters = HashMap::new();
    let mut character = |c| *characters.entry(c).or_insert_with(|| Character::new(c));
    let pairs: Vec<Pair> = counts
        .into_iter()
        .map(|((before, c), count)| Pair { before: character(before), c: character(c), count })
        .collect();
    let east_asian = EAST_ASIAN.iter().map(|kind| kind.cost_of(&pairs));
    east_asian.chain(letters(&pairs)).min().unwrap_or(0)
}

#[cfg(feature = "guess")]
use crate::letter_pairs::costs as letters;

/// A character after another one, and how often they occur.
pub(crate) struct Pair {
    pub(crate) before: Character,
    pub(crate) c: Character,
    pub(crate) count: u64,
}

/// What does not depend on the language.
#[derive(Clone, Copy)]
pub(crate) struct Character {
    pub(crate) c: char,
    /// The same without case.
    pub(crate) lower: char,
    pub(crate) case: Case,
    /// The cost in text of a language that does not have the character.
    pub(crate) foreign: u64,
}

impl Character {
    fn new(c: char) -> Self {
        Self { c, lower: without_case(c), case: Case::of(c), foreign: foreign(c) }
    }
}

/// The cost of a character that does not belong to the language of the text.
fn foreign(c: char) -> u64 {
    match c {
        '\0'..='\x7F' => ascii(c),
        // Halves of unfinished characters, and the characters of no script.
        '\u{FFFD}' | '\u{80}'..='\u{9F}' | '\u{E000}'..='\u{F8FF}' | '\u{F0000}'.. => NEVER,
        '\u{1100}'..='\u{11FF}' | '\u{3130}'..='\u{318F}' => 220,
        '\u{3041}'..='\u{30FF}' => 120,
        '\u{FF61}'..='\u{FF9F}' => 150,
        '\u{3000}'..='\u{3002}' | '\u{3008}'..='\u{3011}' | '\u{FF01}'..='\u{FF5E}' => 110,
        '\u{3400}'..='\u{4DBF}' | '\u{20000}'..='\u{3FFFF}' => 280,
        '\u{4E00}'..='\u{9FFF}'
            if has_level(c, SIMPLIFIED_1) || has_level(c, TRADITIONAL_1) || has_level(c, JAPANESE_1) =>
        {
            180
        }
        '\u{4E00}'..='\u{9FFF}' => 235,
        '\u{AC00}'..='\u{D7A3}' if has_level(c, KOREAN_1) => 170,
        '\u{AC00}'..='\u{D7A3}' => 250,
        '\u{F900}'..='\u{FAFF}' => 260,
        '\u{2500}'..='\u{259F}' => 140,
        '\u{1F000}'..='\u{1FAFF}' => 140,
        _ if trial::unlikely(c.encode_utf8(&mut [0; 4])) > 0 => 270,
        'ﬀ'..='ﬆ' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFE}' => 220,
        // Greek, Cyrillic, Hebrew, Arabic, Thai and Latin.
        '\u{A0}'..='\u{24F}'
        | '\u{386}'..='\u{3CE}'
        | '\u{400}'..='\u{491}'
        | '\u{5D0}'..='\u{652}'
        | '\u{E00}'..='\u{E7F}'
        | '\u{1E00}'..='\u{1EFF}'
            if c.is_alphabetic() =>
        {
            110
        }
        '°' | '±' | '·' | '×' | '÷' | '§' | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{203A}' | '€' | '™' | '№' => {
            90
        }
        '\u{A0}'..='\u{FF}' => 130,
        '\u{590}'..='\u{65F}' | '\u{E00}'..='\u{E7F}' => 120,
        '\u{300}'..='\u{36F}' => 160,
        _ if c.is_alphabetic() || matches!(c, '\u{660}'..='\u{1FFF}') => 220,
        _ => 160,
    }
}

/// What never occurs in text.
const NEVER: u64 = 330;

/// The additional cost of a character of ASCII that is not a letter: which one it is.
pub(crate) fn separator(c: char) -> u64 {
    match c {
        ' ' => 3,
        '\n' => 30,
        ',' | '.' => 30,
        '0'..='9' => 55,
        '\r' | '\t' | '\'' | '"' | '-' | '(' | ')' | ':' | ';' | '!' | '?' | '/' => 55,
        '<' | '>' | '=' | '_' => 65,
        '\x1B' => 200,
        _ if is_odd_control(c as u8) => 280,
        '\x08' | '\x0B' | '\x0C' => 200,
        _ => 90,
    }
}

fn ascii(c: char) -> u64 {
    if c.is_ascii_alphabetic() { 75 } else { 30 + separator(c) }
}

/// Returns the cost of a text of letters, if the letter pairs of languages are not known.
#[cfg(not(feature = "guess"))]
fn letters(pairs: &[Pair]) -> [u64; 1] {
    /// The blocks of scripts are longer, but their letters are mostly in one half.
    fn block(c: char) -> Option<u32> {
        c.is_alphabetic().then_some(if c.is_ascii() { 0 } else { u32::from(c) >> 8 })
    }

    let cost = |&Pair { before, c, count }: &Pair| {
        let is_same_script = block(before.lower) == block(c.lower);
        count
            * match c.c {
                'a'..='z' if is_same_script && before.case != Case::Upper => 48,
                'A'..='z' if c.case != Case::None => 75,
                '\u{80}'.. if c.foreign < 150 && is_same_script && before.case == c.case => 56,
                ' ' => 16,
                _ => c.foreign,
            }
    };
    [pairs.iter().map(cost).sum()]
}

/// Characters of a national standard, by the lead byte.
#[derive(Clone, Copy)]
struct Level {
    encoding: Encoding,
    leads: (u8, u8),
}

const SIMPLIFIED_1: Level = Level { encoding: GBK, leads: (0xB0, 0xD7) };
const SIMPLIFIED_2: Level = Level { encoding: GBK, leads: (0xD8, 0xF7) };
const TRADITIONAL_1: Level = Level { encoding: BIG5, leads: (0xA4, 0xC6) };
const TRADITIONAL_2: Level = Level { encoding: BIG5, leads: (0xC9, 0xF9) };
const JAPANESE_1: Level = Level { encoding: EUC_JP, leads: (0xB0, 0xCF) };
const JAPANESE_2: Level = Level { encoding: EUC_JP, leads: (0xD0, 0xF4) };
const KOREAN_1: Level = Level { encoding: EUC_KR, leads: (0xB0, 0xC8) };
const KOREAN_2: Level = Level { encoding: EUC_KR, leads: (0xCA, 0xFD) };

fn has_level(c: char, level: Level) -> bool {
    let mut utf_8 = [0; 4];
    let bytes = level.encoding.encode(c.encode_utf8(&mut utf_8));
    // GBK's extensions have other trail bytes than GB 2312, and EUC-KR's than KS X 1001.
    let min_trail = if level.encoding == BIG5 { 0x40 } else { 0xA1 };
    bytes.is_ok_and(|bytes| {
        matches!(*bytes, [lead, trail] if (level.leads.0..=level.leads.1).contains(&lead) && trail >= min_trail)
    })
}

/// Text in a language of East Asia.
struct Kind {
    /// The most frequent characters, and the cost of being one of them.
    frequent: &'static str,
    ranked: u64,
    hiragana: bool,
    common: Level,
    less_common: Level,
}

const EAST_ASIAN: [Kind; 4] = [
    Kind {
        frequent: frequent::SIMPLIFIED,
        ranked: 24,
        hiragana: false,
        common: SIMPLIFIED_1,
        less_common: SIMPLIFIED_2,
    },
    Kind {
        frequent: frequent::TRADITIONAL,
        ranked: 24,
        hiragana: false,
        common: TRADITIONAL_1,
        less_common: TRADITIONAL_2,
    },
    Kind { frequent: frequent::JAPANESE, ranked: 40, hiragana: true, common: JAPANESE_1, less_common: JAPANESE_2 },
    Kind { frequent: frequent::KOREAN, ranked: 20, hiragana: false, common: KOREAN_1, less_common: KOREAN_2 },
];

impl Kind {
    fn cost_of(&self, pairs: &[Pair]) -> u64 {
        let mut costs = HashMap::new();
        let mut cost = |&Pair { before, c, count }: &Pair| {
            let cost = *costs.entry(c.c).or_insert_with(|| self.cost(c));
            let changes = before.c != ' ' && before.c.is_ascii_alphabetic() != c.c.is_ascii_alphabetic();
            count * (cost + if changes { 16 } else { 0 })
        };
        pairs.iter().map(&mut cost).sum()
    }

    fn cost(&self, Character { c, foreign, .. }: Character) -> u64 {
        let rank = |list: &str| list.chars().position(|other| other == c);
        match c {
            'A'..='Z' => 85,
            'a'..='z' => 65,
            '\0'..='\x7F' => 30 + separator(c),
            '、' | '。' | '，' => 58,
            '：' | '；' | '？' | '！' | '「' | '」' | '（' | '）' | '“' | '”' | '・' | '《' | '》' | '　' => {
                85
            }
            '\u{3041}'..='\u{309F}' if self.hiragana => {
                rank(frequent::HIRAGANA).map_or(130, |rank| zipf(rank, 10) + 23)
            }
            '\u{30A1}'..='\u{30FF}' if self.hiragana => 88,
            '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' => match rank(self.frequent) {
                Some(rank) => zipf(rank, 30) + self.ranked,
                None if has_level(c, self.common) => 158,
                None if has_level(c, self.less_common) => 205,
                None => foreign.max(220),
            },
            _ => foreign,
        }
    }
}

/// The cost of the character with this rank, if the frequencies are those of Zipf and Mandelbrot.
#[expect(clippy::cast_precision_loss, clippy::cast_sign_loss, reason = "ranks are small and positive")]
fn zipf(rank: usize, flat: usize) -> u64 {
    (((rank + flat) as f64).ln() * 16.0) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_costs_less_than_what_other_encodings_make_of_it() {
        for (text, other) in [
            ("中文", "탖쓎"),
            ("Un café noir", "湕挠晡꧃渠楯"),
            ("한국", "핒覆"),
            ("学习", "瀛︿範"),
            ("é", "Ã©"),
            ("Да", "鐔냐"),
            ("แม่น้ำ", "곉뇤쇕"),
        ] {
            assert!(cost(text) + 32 < cost(other), "{text} {} {other} {}", cost(text), cost(other));
        }
    }

    #[test]
    fn frequent_characters_are_listed_once() {
        for kind in EAST_ASIAN {
            let mut listed: Vec<char> = kind.frequent.chars().collect();
            let len = listed.len();
            listed.sort_unstable();
            listed.dedup();
            assert_eq!(listed.len(), len);
        }
    }
}
