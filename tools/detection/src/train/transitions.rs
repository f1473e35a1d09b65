//! Which kinds of characters follow each other, and how frequent each character is among those of its kind.

use std::collections::BTreeMap;

use anyhow::Result;
use textcodec::{BIG5, EUC_JP, EUC_KR, Encoding, GBK};

use super::{
    File, Training,
    classes::{GROUPS, SUPPLEMENTARY, class, group_of_sign},
    cost_of,
};

/// The maximum number of characters of each language that are counted.
const MAX_LEN: usize = 150_000;

/// Neighbours of signs that are rare in the texts, which are manuals and messages, but frequent in tables and in books. `0` is a digit,
/// `a` a small letter, `A` a capital.
const USUAL_PAIRS: [(&str, &str, f64); 36] = [
    ("€£¥¢", "0 ", 2000.0),
    ("0 >", "€£¥¢", 2500.0),
    ("€£¥¢", "a,.<", 300.0),
    ("°", " ACa.,)", 500.0),
    ("0 ", "°", 1200.0),
    ("0 ", "µ", 500.0),
    ("µ", "a", 800.0),
    ("0 ", "×÷±", 800.0),
    ("×÷±", "0 ", 1000.0),
    ("0am", "½²", 800.0),
    (" ", "§½", 600.0),
    ("½²", " a.,)/0", 400.0),
    ("§", " 0", 600.0),
    (" 0", "№", 200.0),
    ("№", " 0", 400.0),
    (" ", "©", 300.0),
    ("a", "©", 300.0),
    ("©", " .,", 300.0),
    ("0", "ª‰", 200.0),
    ("a", "’", 8000.0),
    ("’", "a", 8000.0),
    ("a.,!?", "”", 4000.0),
    ("”", " .,", 4000.0),
    (" (", "“", 8000.0),
    ("“", "aA", 6000.0),
    (" ", "–", 6000.0),
    ("–", " ", 6000.0),
    ("0", "–", 1500.0),
    ("–", "0", 1500.0),
    ("a", "…", 3000.0),
    ("…", " ", 3000.0),
    (" ", "•", 1500.0),
    ("•", " ", 1500.0),
    ("0a>.", "\u{A0}", 2500.0),
    ("\u{A0}", "0aA:!«»<€%", 2000.0),
    ("\u{A0} ", "\u{A0}", 1000.0),
];

/// How often a space follows a space.
const SPACES: f64 = 6e5;

/// How often an ideograph starts a line, in addition to the texts.
const LINES: f64 = 2.5e5;

/// How often a letter without case starts a word, in addition to the texts.
const CASELESS: f64 = 1e5;

/// Signs that are more frequent than others of their groups, of which manuals have few.
const USUAL_SIGNS: &str = "€£¥°§©®™×…–—“”‘’«»•·½²³µ№";
const USUAL_COUNT: f64 = 1000.0;

/// Groups whose characters follow each other in drawings.
const DRAWN: &str = "─░→•∞ｱ！";

/// The usual characters of drawings.
const USUAL: &str = "─│┌┐└┘├┤┬┴┼═║╔╗╚╝╠╣╦╩╬░▒▓█■";

/// How often text has a group after a group at least, in pooled text of about eight million characters.
const LEAST: f64 = 2.0;

/// The cost of a character that is not in the texts, among those of its group.
const UNSEEN: u8 = 160;

/// The cost of a half of a surrogate pair, among the characters beyond the basic plane.
const EMOJI: u8 = 40;

/// Costs of ideographs and syllables that the language of the text does not have: those of the first levels of the national
/// standards, those of the second levels, and all others.
const LEVELS: [u8; 3] = [148, 188, 225];

pub(super) fn write(training: &Training, file: &mut File) -> Result<()> {
    let mut pairs = vec![vec![0.0; GROUPS]; GROUPS];
    let mut counts: BTreeMap<u16, f64> = BTreeMap::new();
    for text in training.all() {
        let mut before = class('\n' as u16).0;
        for unit in text.encode_utf16().take(MAX_LEN) {
            let (group, _) = class(unit);
            pairs[usize::from(before)][usize::from(group)] += 1.0;
            *counts.entry(unit).or_default() += 1.0;
            before = group;
        }
    }
    for (before, after, count) in USUAL_PAIRS {
        for before in before.chars().map(group_of_sign) {
            for after in after.chars().map(group_of_sign) {
                pairs[usize::from(before)][usize::from(after)] += count;
            }
        }
    }
    for c in DRAWN.chars().map(group_of_sign) {
        pairs[usize::from(c)][usize::from(c)] += 300.0;
        pairs[usize::from(c)][0] += 100.0;
        pairs[0][usize::from(c)] += 1500.0;
    }
    // Text in Chinese and Japanese has few spaces, but lines start with it.
    pairs[0][usize::from(textcodec_language::Group::Wide as u8)] += LINES;
    // Few of the languages have scripts without case.
    pairs[0][usize::from(textcodec_language::Group::Caseless as u8)] += CASELESS;
    // Lines are indented, and records are padded.
    pairs[0][0] += SPACES;
    let emoji = usize::from(SUPPLEMENTARY);
    pairs[emoji][emoji] += 3000.0;
    pairs[emoji][0] += 1000.0;
    pairs[0][emoji] += 1000.0;
    file.len(GROUPS)?;
    for row in &pairs {
        let sum: f64 = row.iter().map(|count| count + LEAST).sum();
        file.0.extend(row.iter().map(|count| cost_of((count + LEAST) / sum)));
    }
    write_characters(&counts, file)
}

/// The group of what never occurs in text, and the additional cost of its characters.
const NEVER: (usize, u8) = (textcodec_language::Group::Never as usize, 120);

fn write_characters(counts: &BTreeMap<u16, f64>, file: &mut File) -> Result<()> {
    let mut counts = counts.clone();
    for unit in USUAL_SIGNS.encode_utf16() {
        *counts.entry(unit).or_default() += USUAL_COUNT;
    }
    let counts = &counts;
    // The frequency of a letter is that in its script, which the letters before have.
    let mut sums: BTreeMap<(u8, u8), f64> = BTreeMap::new();
    for (&unit, count) in counts {
        *sums.entry(class(unit)).or_default() += count;
    }
    USUAL.encode_utf16().for_each(|unit| *sums.entry(class(unit)).or_default() += 200.0);
    let of_group = |group: usize| match group {
        _ if group == NEVER.0 => NEVER.1,
        _ if group == usize::from(SUPPLEMENTARY) => EMOJI,
        _ => UNSEEN,
    };
    let of_groups: Vec<u8> = (0..GROUPS).map(of_group).collect();
    file.0.extend(&of_groups);
    let is_wide = |unit: u16| class(unit).0 == textcodec_language::Group::Wide as u8;
    // In small groups, a character that the texts lack is not much rarer than others.
    let all = (0..=u16::MAX).filter(|&unit| !is_wide(unit) && class(unit).0 != NEVER.0 as u8);
    let mut sizes: BTreeMap<(u8, u8), f64> = BTreeMap::new();
    all.clone().for_each(|unit| *sizes.entry(class(unit)).or_default() += 1.0);
    let is_usual = |unit: u16| USUAL.encode_utf16().any(|usual| usual == unit);
    let costs: Vec<(u16, u8)> = all
        .filter_map(|unit| {
            let (of_class, size) = (class(unit), sizes[&class(unit)]);
            let is_letter = (1..6).contains(&of_class.0);
            let pseudo = match size {
                ..40.0 => 20.0,
                ..200.0 if !is_letter => (sums.get(&of_class).copied().unwrap_or_default() / 300.0).max(3.0),
                _ => 0.5,
            };
            let count = counts.get(&unit).copied().unwrap_or_default();
            let count = if is_usual(unit) { count.max(200.0) } else { count };
            if count == 0.0 && pseudo < 1.0 {
                return None;
            }
            let count = count + pseudo;
            let sum = sums.get(&of_class).copied().unwrap_or_default() + pseudo * size;
            let cost = cost_of(count / sum);
            (cost < UNSEEN).then_some((unit, cost))
        })
        .collect();
    file.len(costs.len())?;
    for (unit, cost) in costs {
        file.unit(unit);
        file.0.push(cost);
    }
    write_levels(file)
}

/// Writes the sets of frequent ideographs and syllables. A later set wins.
fn write_levels(file: &mut File) -> Result<()> {
    let ideographs = 0x4E00..=0x9FFF_u16;
    let second = [(GBK, 0xB0, 0xF7), (BIG5, 0xA4, 0xF9), (EUC_JP, 0xB0, 0xF4)];
    let first = [(GBK, 0xB0, 0xD7), (BIG5, 0xA4, 0xC6), (EUC_JP, 0xB0, 0xCF)];
    for (units, standards, cost) in [
        (ideographs.clone(), &second[..], LEVELS[1]),
        (ideographs, &first[..], LEVELS[0]),
        (0xAC00..=0xD7A3, &[(EUC_KR, 0xB0, 0xC8)][..], SYLLABLE),
    ] {
        let bits: Vec<bool> =
            units.clone().map(|unit| standards.iter().any(|&standard| has_level(unit, standard))).collect();
        let bytes: Vec<u8> = bits
            .chunks(8)
            .map(|bits| bits.iter().enumerate().fold(0, |byte, (n, &bit)| byte | u8::from(bit) << n))
            .collect();
        file.unit(*units.start());
        file.len(bytes.len())?;
        file.0.push(cost);
        file.0.extend(bytes);
    }
    Ok(())
}

/// The same for syllables of KS X 1001, which are fewer.
const SYLLABLE: u8 = 122;

/// Returns whether a national standard has the character with one of these lead bytes. GBK's extensions have other trail bytes than GB
/// 2312, and EUC-KR's than KS X 1001.
fn has_level(unit: u16, (encoding, first, last): (Encoding, u8, u8)) -> bool {
    let least = if encoding == BIG5 { 0x40 } else { 0xA1 };
    let c = char::from_u32(unit.into()).unwrap_or_default();
    encoding
        .encode(c.encode_utf8(&mut [0; 4]))
        .is_ok_and(|bytes| matches!(*bytes, [lead, trail] if (first..=last).contains(&lead) && trail >= least))
}
