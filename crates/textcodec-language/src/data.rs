//! The data: a file that `detection train` writes.
//!
//! All numbers are little-endian. Lists are preceded by their length, in 16 bits:
//!
//! 1. classes: the group and the script;
//! 2. ranges of characters: the first one (16 bits), and its class. A range ends before the next one;
//! 3. the cost of each group after each group;
//! 4. the universal costs of groups, then those of single characters: the character (16 bits), the cost;
//!    then three sets of characters that have a cost of their own: the first character, the number of bytes (16 bits each), the cost, and
//!    a bit for each character, the lowest first;
//! 5. the 16 levels of the costs of letter pairs;
//! 6. languages: the number of letters (8 bits), the letters (16 bits), and the costs of pairs of symbols in half bytes, the low half
//!    first: a row for each symbol before. Symbol 0 is everything between words, the last one is a letter of no language;
//! 7. languages of East Asia: the characters in the order of their frequency, and how many are in each band of costs;
//! 8. pages: the length of the name, the name, the characters of 80 to FF (16 bits).

use alloc::{boxed::Box, vec, vec::Vec};

use once_cell::race::OnceBox;

use crate::chars::{Char, Group, is_letter};

static FILE: &[u8] = include_bytes!("language.bin");

/// The additional cost of a letter of another script than the letter before it, because a word is in one script.
const OTHER_SCRIPT: u16 = 48;

/// The code unit that represents all characters beyond the basic plane: emoji, and rare ideographs.
pub(crate) const SUPPLEMENTARY: u16 = 0xD83D;

pub(crate) struct Data {
    /// The group and script of each class.
    pub(crate) classes: Vec<(u8, u8)>,
    class_of: Box<[u8]>,
    /// The cost of each class after each class.
    transitions: Box<[u16]>,
    /// The cost of each character in its group.
    pub(crate) universal: Box<[u8]>,
    /// All letters of all languages, in the order of Unicode.
    letters: Vec<char>,
    pub(crate) languages: Vec<Letters>,
    pub(crate) wide: Vec<Wide>,
    pub(crate) pages: Vec<(&'static str, &'static [[u8; 2]])>,
}

/// The letter pairs of a language.
pub(crate) struct Letters {
    /// Its letters, in the order of Unicode.
    pub(crate) own: Vec<char>,
    /// The symbol of each of [`Data::letters`], by its number. `other` if it is not in the language.
    symbols: Vec<u8>,
    count: usize,
    /// The cost of each pair of symbols.
    costs: Vec<u8>,
    /// The script of most letters.
    pub(crate) script: u8,
}

/// The frequent characters of a language of East Asia.
pub(crate) struct Wide {
    pub(crate) costs: Box<[u8]>,
}

impl Data {
    pub(crate) fn class_of(&self, unit: u16) -> u8 {
        self.class_of[usize::from(unit)]
    }

    /// Returns the cost of a class after a class.
    #[inline]
    pub(crate) fn transition(&self, before: u8, class: u8) -> u32 {
        u32::from(self.transitions[usize::from(before) * self.classes.len() + usize::from(class)])
    }

    /// Returns the number of a letter, or 0.
    pub(crate) fn letter(&self, c: char) -> u16 {
        self.letters.binary_search(&c).map_or(0, |at| at as u16 + 1)
    }
}

impl Letters {
    /// Returns the symbol of a letter, or 0 for other characters.
    #[inline]
    pub(crate) fn symbol(&self, c: Char) -> u8 {
        // The numbers of wide characters are code units.
        if c.group == Group::Wide as u8 { self.other() } else { self.symbols[usize::from(c.letter)] }
    }

    /// The symbol of letters that the language does not have.
    #[inline]
    pub(crate) fn other(&self) -> u8 {
        self.count as u8 - 1
    }

    #[inline]
    pub(crate) fn cost(&self, before: u8, symbol: u8) -> u32 {
        u32::from(self.costs[usize::from(before) * self.count + usize::from(symbol)])
    }
}

/// Reads the file.
struct Reader(&'static [u8]);

impl Reader {
    fn take(&mut self, len: usize) -> &'static [u8] {
        let (taken, rest) = self.0.split_at(len);
        self.0 = rest;
        taken
    }

    fn byte(&mut self) -> usize {
        usize::from(self.take(1)[0])
    }

    fn number(&mut self) -> usize {
        let bytes = self.take(2);
        usize::from(u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    fn units(&mut self, count: usize) -> &'static [[u8; 2]] {
        self.take(2 * count).as_chunks().0
    }
}

#[inline]
pub(crate) fn get() -> &'static Data {
    static DATA: OnceBox<Data> = OnceBox::new();
    DATA.get_or_init(|| Box::new(read()))
}

fn read() -> Data {
    let mut file = Reader(FILE);
    let count = file.number();
    let classes: Vec<(u8, u8)> =
        file.take(2 * count).as_chunks().0.iter().map(|&[group, script]| (group, script)).collect();
    let mut class_of = vec![0; 0x1_0000];
    let ranges = file.number();
    let ranges = file.take(3 * ranges).as_chunks().0;
    for (n, &[low, high, class]) in ranges.iter().enumerate() {
        let start = usize::from(u16::from_le_bytes([low, high]));
        let end = ranges.get(n + 1).map_or(0x1_0000, |&[low, high, _]| usize::from(u16::from_le_bytes([low, high])));
        class_of[start..end].fill(class);
    }
    let groups = file.number();
    let of_groups_in_pairs = file.take(groups * groups);
    let transition = |&(before, script_before): &(u8, u8), &(group, script): &(u8, u8)| {
        let is_other_script =
            is_letter(before) && is_letter(group) && group != Group::Mark as u8 && script != script_before;
        let cost = of_groups_in_pairs[usize::from(before) * groups + usize::from(group)];
        u16::from(cost) + if is_other_script { OTHER_SCRIPT } else { 0 }
    };
    let transitions =
        classes.iter().flat_map(|before| classes.iter().map(move |class| transition(before, class))).collect();
    let of_groups = file.take(groups);
    let mut universal: Vec<u8> =
        class_of.iter().map(|&class| of_groups[usize::from(classes[usize::from(class)].0)]).collect();
    let count = file.number();
    for &[low, high, cost] in file.take(3 * count).as_chunks().0 {
        universal[usize::from(u16::from_le_bytes([low, high]))] = cost;
    }
    for _ in 0..3 {
        let (first, len, cost) = (file.number(), file.number(), file.byte() as u8);
        for (n, byte) in file.take(len).iter().enumerate() {
            for bit in (0..8).filter(|bit| byte >> bit & 1 == 1) {
                universal[first + 8 * n + bit] = cost;
            }
        }
    }
    let levels = file.take(16);
    let count = file.number();
    let raw: Vec<_> = (0..count)
        .map(|_| {
            let count = file.byte();
            let letters: Vec<char> = file.units(count).iter().filter_map(|&unit| character(unit)).collect();
            let symbols = letters.len() + 2;
            (letters, file.take((symbols * symbols).div_ceil(2)))
        })
        .collect();
    let mut letters: Vec<char> = raw.iter().flat_map(|(letters, _)| letters.iter().copied()).collect();
    letters.sort_unstable();
    letters.dedup();
    let languages = raw
        .into_iter()
        .map(|(own, halves)| {
            let count = own.len() + 2;
            let symbol = |letter: char| own.binary_search(&letter).map_or(count as u8 - 1, |at| at as u8 + 1);
            let symbols = core::iter::once(0).chain(letters.iter().map(|&letter| symbol(letter))).collect();
            let halves = halves.iter().flat_map(|byte| [byte & 15, byte >> 4]);
            let costs = halves.map(|level| levels[usize::from(level)]).take(count * count).collect();
            let script = own.last().map_or(0, |&letter| classes[usize::from(class_of[letter as usize & 0xFFFF])].1);
            Letters { own, symbols, count, costs, script }
        })
        .collect();
    let count = file.number();
    let wide = (0..count).map(|_| wide(&mut file)).collect();
    let count = file.number();
    let pages = (0..count)
        .map(|_| {
            let len = file.byte();
            let name = str::from_utf8(file.take(len)).unwrap_or_default();
            (name, file.units(128))
        })
        .collect();
    Data {
        classes,
        class_of: class_of.into(),
        transitions,
        universal: universal.into(),
        letters,
        languages,
        wide,
        pages,
    }
}

pub(crate) fn character(unit: [u8; 2]) -> Option<char> {
    char::from_u32(u16::from_le_bytes(unit).into())
}

/// Reads the bands of a language: their number, then the cost and the number of characters of each, then the characters.
fn wide(file: &mut Reader) -> Wide {
    let bands = file.number();
    let bands: Vec<(u8, usize)> = (0..bands).map(|_| (file.byte() as u8, file.number())).collect();
    let mut costs = vec![0; 0x1_0000];
    for (cost, count) in bands {
        for &unit in file.units(count) {
            costs[usize::from(u16::from_le_bytes(unit))] = cost;
        }
    }
    Wide { costs: costs.into() }
}
