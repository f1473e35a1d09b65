//! Frames, blocks, half-width katakana and menus.

use std::fmt::Write as _;

use super::{Maker, encodes};
use crate::source::{Random, Source};
use textcodec::Encoding;

/// Drawings whose only characters other than ASCII are lines and blocks, or other symbols that are not words.
pub(super) fn art(maker: &mut Maker<'_>) {
    let pairs = [
        ("en", "IBM437"),
        ("en", "IBM850"),
        ("ru", "IBM866"),
        ("pl", "IBM852"),
        ("ru", "KOI8-R"),
        ("zh-CN", "GBK"),
        ("ja", "Shift_JIS"),
        ("ja", "EUC-JP"),
        ("zh-TW", "Big5"),
        ("ko", "EUC-KR"),
        ("en", "UTF-8"),
        ("ja", "ISO-2022-JP"),
    ];
    maker.one(&pairs, |random, source, encoding| match random.below(5) {
        0 if encoding.name() == "Shift_JIS" => katakana(random),
        1 if !encoding.is_single_byte() => full_width(random),
        2 => bars(random, source, encoding),
        3 => rules(random, source, encoding),
        _ => frame(random, encoding, |random| source.ascii_word(random)),
    });
}

/// Menus with words of the language in frames.
pub(super) fn menus(maker: &mut Maker<'_>) {
    let pairs = [
        ("de", "IBM437"),
        ("fr", "IBM437"),
        ("es", "IBM437"),
        ("de", "IBM850"),
        ("fr", "IBM850"),
        ("es", "IBM850"),
        ("pt", "IBM850"),
        ("sv", "IBM850"),
        ("fi", "IBM850"),
        ("da", "IBM850"),
        ("it", "IBM850"),
        ("nl", "IBM850"),
        ("pl", "IBM852"),
        ("cs", "IBM852"),
        ("hu", "IBM852"),
        ("ru", "IBM866"),
        ("bg", "IBM866"),
        ("uk", "IBM866"),
        ("ru", "KOI8-R"),
        ("el", "IBM737"),
        ("tr", "IBM857"),
        ("he", "IBM862"),
        ("lt", "IBM775"),
        ("zh-CN", "GBK"),
        ("ja", "Shift_JIS"),
        ("ja", "EUC-JP"),
        ("zh-TW", "Big5"),
        ("ko", "EUC-KR"),
        ("ru", "IBM855"),
        ("is", "IBM861"),
    ];
    maker.one(&pairs, |random, source, encoding| {
        frame(random, encoding, |random| {
            let count = random.between(0, 2);
            super::lines::phrase(random, source, count)
        })
    });
}

/// The corners and lines of a frame, or `+`, `-` and `|` where the encoding has no lines.
fn line_style(random: &mut Random, encoding: Encoding) -> [char; 6] {
    let styles = [['┌', '┐', '└', '┘', '─', '│'], ['╔', '╗', '╚', '╝', '═', '║'], ['┏', '┓', '┗', '┛', '━', '┃']];
    let fitting: Vec<_> = styles.iter().filter(|style| encodes(&style.iter().collect::<String>(), encoding)).collect();
    if fitting.is_empty() { ['+', '+', '+', '+', '-', '|'] } else { *fitting[random.below(fitting.len())] }
}

fn repeated(c: char, count: usize) -> String {
    std::iter::repeat_n(c, count).collect()
}

fn frame(random: &mut Random, encoding: Encoding, entry: impl Fn(&mut Random) -> String) -> String {
    let [top_left, top_right, bottom_left, bottom_right, across, down] = line_style(random, encoding);
    let (width, end) = (random.between(12, 70), if random.chance(70) { "\r\n" } else { "\n" });
    let mut text = String::new();
    for _ in 0..random.size(1, 6) {
        let _ = write!(text, "{top_left}{}{top_right}{end}", repeated(across, width));
        for n in 0..random.between(1, 20) {
            let entry: String = entry(random).chars().take(width - 6).collect();
            let line = if random.chance(60) { format!(" {}. {entry}", n + 1) } else { format!(" {entry}") };
            let _ = write!(text, "{down}{line:<width$}{down}{end}");
        }
        let _ = write!(text, "{bottom_left}{}{bottom_right}{end}", repeated(across, width));
    }
    text
}

/// Half-width katakana alone.
fn katakana(random: &mut Random) -> String {
    let mut text = String::new();
    for _ in 0..random.size(1, 80) {
        let word: String =
            (0..random.between(2, 9)).filter_map(|_| char::from_u32(random.between(0xFF71, 0xFF9F) as u32)).collect();
        text += &word;
        text += random.pick(&[" ", "\n", "\r\n", ","]);
    }
    text
}

/// Numbers in full-width digits.
fn full_width(random: &mut Random) -> String {
    let mut text = String::new();
    for _ in 0..random.size(2, 120) {
        let number = random.size(1, 1_000_000).to_string();
        text.extend(number.bytes().filter_map(|digit| char::from_u32(0xFF10 + u32::from(digit - b'0'))));
        text += random.pick(&["\n", " ", ",", "　"]);
    }
    text
}

/// Bars of blocks, for progress or for amounts.
fn bars(random: &mut Random, source: &Source<'_>, encoding: Encoding) -> String {
    let blocks = ['█', '▓', '▒', '░', '■', '▄', '●', '★'];
    let fitting: Vec<char> = blocks.into_iter().filter(|block| encodes(&block.to_string(), encoding)).collect();
    if fitting.is_empty() {
        return String::new();
    }
    let (full, empty) = (fitting[random.below(fitting.len())], fitting[random.below(fitting.len())]);
    let mut text = String::new();
    for _ in 0..random.size(1, 40) {
        let percent = random.below(101);
        let (a, b) = (repeated(full, percent / 4 + 1), repeated(empty, 25 - percent / 4));
        let _ = writeln!(text, "{:<16}{a}{b} {percent:3}%", source.ascii_word(random));
    }
    text
}

/// Text in ASCII with rules between the sections.
fn rules(random: &mut Random, source: &Source<'_>, encoding: Encoding) -> String {
    let [.., across, _] = line_style(random, encoding);
    let (width, mut text) = (random.between(3, 78), String::new());
    for _ in 0..random.size(1, 30) {
        let words: Vec<String> = (0..random.between(2, 12)).map(|_| source.ascii_word(random)).collect();
        let _ = write!(text, "{}\n{across}{}\n", words.join(" "), repeated(across, width));
    }
    text
}
