//! JOHAB: annex 3 of KS X 1001, with index EUC-KR for what is not Hangul.

use std::{collections::HashMap, sync::LazyLock};

use crate::{
    handler::{
        Handler,
        HandlerResult::{self, Error, Finished},
        items,
    },
    indexes::EUC_KR,
    io_queue::{IoQueue, Item},
};

/// The table of the annex: for each number of five bits, the initial consonant, the vowel and the final consonant. A full stop is no
/// letter, and an underscore is a fill code.
const INITIALS: &str = "._ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ...........";
const VOWELS: &str = ".._ㅏㅐㅑㅒㅓ..ㅔㅕㅖㅗㅘㅙ..ㅚㅛㅜㅝㅞㅟ..ㅠㅡㅢㅣ..";
const FINALS: &str = "._ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁ.ㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ..";

/// The characters of all pairs, and the preferred pairs of all characters.
struct Tables {
    characters: HashMap<[u8; 2], char>,
    pairs: HashMap<char, [u8; 2]>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let mut tables = Tables { characters: HashMap::new(), pairs: HashMap::new() };
    let mut syllables = '가'..='힣';
    // In this order, a letter that is an initial and a final consonant has the pair of the initial one. Syllables are sorted by
    // initial consonant, vowel and final consonant.
    for (initial, initial_letter) in INITIALS.chars().enumerate() {
        for (vowel, vowel_letter) in VOWELS.chars().enumerate() {
            for (last, final_letter) in FINALS.chars().enumerate() {
                let bits = 1 << 15 | initial << 10 | vowel << 5 | last;
                let pair = [(bits >> 8) as u8, bits as u8];
                let character = match (initial_letter, vowel_letter, final_letter) {
                    ('.', ..) | (_, '.', _) | (.., '.') => continue,
                    ('_', '_', '_') => '\u{3000}',
                    (letter, '_', '_') | ('_', letter, '_') | ('_', '_', letter) => letter,
                    ('_', ..) | (_, '_', _) => continue,
                    _ => syllables.next().expect("a syllable"),
                };
                tables.characters.insert(pair, character);
                let is_final = initial_letter == '_' && vowel_letter == '_';
                // An initial consonant replaces the same final one, which comes before it.
                if character != '\u{3000}' && (!is_final || !INITIALS.contains(character)) {
                    tables.pairs.insert(character, pair);
                }
            }
        }
    }
    // Rows 0x21 to 0x2C and 0x4A to 0x7D, two in each row of JOHAB.
    for &(pointer, character) in EUC_KR.entries() {
        let (row, column) = (pointer / 190 + 1, (pointer % 190 + 0x41).wrapping_sub(0x80));
        if !matches!(row, 0x21..=0x2C | 0x4A..=0x7D) || !(0x21..=0x7E).contains(&column) {
            continue;
        }
        if row == 0x24 && ('ㄱ'..='ㅣ').contains(&character) {
            continue;
        }
        let leading = if row < 0x4A { 0xD9 + (row - 0x21) / 2 } else { 0xE0 + (row - 0x4A) / 2 };
        let is_second = if row < 0x4A { row % 2 == 0 } else { row % 2 == 1 };
        let trailing = match (is_second, column) {
            (false, ..0x6F) => column + 0x10,
            (false, _) => column + 0x22,
            (true, _) => column + 0x80,
        };
        let pair = [leading as u8, trailing as u8];
        tables.characters.insert(pair, character);
        tables.pairs.insert(character, pair);
    }
    tables
});

#[derive(Clone, Debug)]
pub(crate) struct JohabDecoder;

impl Handler<u8, char> for JohabDecoder {
    fn handler(&mut self, io_queue: &mut IoQueue<u8>, item: Item<u8>) -> HandlerResult<char> {
        let Item::Value(leading) = item else { return Finished };
        if leading.is_ascii() {
            return items([char::from(leading)]);
        }
        if !matches!(leading, 0x84..=0xD3 | 0xD9..=0xDE | 0xE0..=0xF9) {
            return Error(None);
        }
        let Item::Value(trailing) = io_queue.read() else { return Error(None) };
        if let Some(&code_point) = TABLES.characters.get(&[leading, trailing]) {
            return items([code_point]);
        }
        if trailing.is_ascii() {
            io_queue.restore(Item::Value(trailing));
        }
        Error(None)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct JohabEncoder;

impl Handler<char, u8> for JohabEncoder {
    fn handler(&mut self, _io_queue: &mut IoQueue<char>, item: Item<char>) -> HandlerResult<u8> {
        let Item::Value(code_point) = item else { return Finished };
        if code_point.is_ascii() {
            return items([code_point as u8]);
        }
        TABLES.pairs.get(&code_point).map_or(Error(Some(code_point)), items)
    }
}
