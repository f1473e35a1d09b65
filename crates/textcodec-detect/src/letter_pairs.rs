//! The second witness of a guess: how well the letter pairs of the text fit the languages of each single-byte encoding.
//!
//! `letter_pairs.bin` has, for each language, the frequency of each symbol after each other symbol. The text is decoded with
//! each encoding of the language. The cost of the text is the negative logarithm of the frequencies of its pairs.

use std::sync::LazyLock;

use textcodec::{Encoding, IBM866, ISO_8859_4, MACINTOSH, WINDOWS_1252, X_MAC_CYRILLIC};

use crate::{
    guessed::{Fit, Fits},
    languages::{LANGUAGES, Language, ROWS},
    likelihood,
    model::{Case, SEPARATOR, Symbols},
};

/// Written by `cargo xtask detection train`: the costs of cases, then for each language the number of letters, the letters
/// as UTF-16 code units, and the costs of its pairs; at the end, the costs of the lead bytes of [`ROWS`].
static MODEL: &[u8] = include_bytes!("letter_pairs.bin");

// Costs are negative logarithms, 16 for each factor of e. The following were chosen with the training half of the texts: see
// `docs/design/detection.md`.

/// The additional cost of a letter that is not in the language, because there are many.
const FOREIGN: u64 = 32;

/// Symbols that occur in text in every language.
const COMMON: &str = "\u{A0}\u{AD}‘’‚“”„‹›«»–—…•·†‡§°±×÷−¼½¾¹²³ªºµ€£¥©®™№¿¡";

/// The additional cost of such a symbol.
const SYMBOL: u64 = 24;

/// The additional cost of another symbol.
const ODD: u64 = 72;

/// Encodings that are rare today, and the cost of using one.
const RARE: [Encoding; 4] = [MACINTOSH, X_MAC_CYRILLIC, IBM866, ISO_8859_4];
const RARITY: u64 = 16;

/// The additional cost of a Latin letter in a language with another script, for which all Latin letters are one symbol.
const LATIN: u64 = 45;

/// The additional cost of a letter of another script after another letter, because a word is in one script.
const MIXED: u64 = 48;

/// The additional cost of a character that does not occur in text: a control character.
const UNLIKELY: u64 = 150;

/// The cost of a trail byte: one of 94.
const TRAIL: u64 = 73;

/// The cost of a non-ASCII byte that is not in a pair, in an encoding with pairs.
const SINGLE: u64 = 400;

/// The maximum cost of words that are all ASCII. They hint at the language, but often belong to markup or code.
const MAX_ASCII: u64 = 160;

/// The maximum number of bytes that are kept to see whether a word has non-ASCII bytes.
const MAX_WORD: usize = 64;

/// The byte before and after a word.
const SPACE: u8 = b' ';

/// The number of each byte pair of a text, and of each lead byte.
pub(crate) struct LetterPairs {
    /// In words with non-ASCII bytes.
    pairs: Box<[u32]>,
    /// In other words.
    ascii: Box<[u32]>,
    /// The start of the current word.
    word: Vec<u8>,
    /// The byte before it.
    before: u8,
    /// The lead bytes of the characters, if the text is in EUC-JP, EUC-KR or GBK.
    leads: [u32; 256],
    /// A lead byte without its trail byte.
    lead: Option<u8>,
    /// The number of non-ASCII bytes that are not in a pair of bytes from A1 on.
    single: u32,
}

impl LetterPairs {
    pub(crate) fn new() -> Self {
        Self {
            pairs: vec![0; 0x1_0000].into(),
            ascii: vec![0; 0x80 * 0x80].into(),
            word: Vec::with_capacity(MAX_WORD),
            before: SPACE,
            leads: [0; 256],
            lead: None,
            single: 0,
        }
    }

    pub(crate) fn feed(&mut self, block: &[u8]) {
        for &byte in block {
            if byte.is_ascii_alphabetic() || !byte.is_ascii() {
                self.word.push(byte);
                if self.word.len() == MAX_WORD {
                    self.count_word();
                }
            } else if !self.word.is_empty() {
                self.word.push(SPACE);
                self.count_word();
            }
        }
    }

    fn count_word(&mut self) {
        let is_ascii = self.word.is_ascii() && self.before.is_ascii();
        for &byte in &self.word {
            let before = usize::from(self.before);
            if is_ascii {
                self.ascii[before << 7 | usize::from(byte)] += 1;
            } else {
                self.pairs[before << 8 | usize::from(byte)] += 1;
            }
            self.before = byte;
            match (self.lead.take(), byte) {
                (None, 0xA1..) => self.lead = Some(byte),
                (Some(lead), 0xA1..) => self.leads[usize::from(lead)] += 1,
                (lead, _) => self.single += u32::from(lead.is_some()) + u32::from(!byte.is_ascii()),
            }
        }
        self.word.clear();
    }

    /// Returns how well the text fits each encoding.
    pub(crate) fn finish(mut self) -> Fits {
        self.word.push(SPACE);
        self.count_word();
        let pairs: Vec<Pair> = pairs_of(&self.pairs, 8).collect();
        let ascii: Vec<Pair> = pairs_of(&self.ascii, 7).collect();
        let bytes = bytes_of(pairs.iter().chain(&ascii));

        let of_ascii = |model: &Model| model.cost(&ascii, &model.decoded(&characters(WINDOWS_1252, &bytes)));
        let ascii_costs: Vec<u64> = MODELS.iter().map(of_ascii).collect();
        let least = ascii_costs.iter().copied().min().unwrap_or(0);
        let of_single_byte = |encoding: Encoding| {
            let characters = characters(encoding, &bytes);
            let rarity = if RARE.contains(&encoding) { RARITY } else { 0 };
            let models = MODELS.iter().zip(&ascii_costs);
            let fits =
                models.filter(|(model, _)| model.language.encodings.contains(&encoding)).map(|(model, ascii)| {
                    let cost = model.cost(&pairs, &model.decoded(&characters));
                    let cost = cost + (ascii - least).min(MAX_ASCII) + rarity;
                    Fit { encoding, language: Some(model.language.name), cost }
                });
            fits.min_by_key(|fit| fit.cost)
        };

        let sum = |pairs: &[Pair]| pairs.iter().map(|pair| u64::from(pair.count)).sum::<u64>();
        let is_latin = |pair: &&Pair| pair.second.is_ascii_alphabetic();
        let latin: u64 = pairs.iter().filter(is_latin).map(|pair| u64::from(pair.count)).sum();
        let ascii_cost = (sum(&ascii) * LATIN).saturating_sub(least).min(MAX_ASCII);
        let of_rows = |(language, costs): (&Language, &[u8])| {
            let leads = self.leads.iter().zip(costs);
            let cost: u64 = leads.map(|(&count, &cost)| u64::from(count) * (u64::from(cost) + TRAIL)).sum();
            let cost = cost + latin * LATIN + u64::from(self.single) * SINGLE + ascii_cost;
            Fit { encoding: language.encodings[0], language: Some(language.name), cost }
        };

        let single_byte = SINGLE_BYTE.iter().filter_map(|&encoding| of_single_byte(encoding));
        let fits = single_byte.chain(ROWS.iter().zip(LEAD_COSTS.chunks(256)).map(of_rows)).collect();
        Fits { fits, pairs: sum(&pairs) }
    }
}

/// The encodings of the languages.
static SINGLE_BYTE: LazyLock<Vec<Encoding>> = LazyLock::new(|| {
    let mut encodings = Vec::new();
    for &encoding in LANGUAGES.iter().flat_map(|language| language.encodings) {
        if !encodings.contains(&encoding) {
            encodings.push(encoding);
        }
    }
    encodings
});

/// Decodes each byte.
fn characters(encoding: Encoding, bytes: &[u8]) -> Vec<(u8, char)> {
    let decode = |byte: u8| encoding.decode(&[byte]).text.chars().next().unwrap_or('\u{FFFD}');
    bytes.iter().map(|&byte| (byte, decode(byte))).collect()
}

/// A byte pair and its number.
struct Pair {
    first: u8,
    second: u8,
    count: u32,
}

fn pairs_of(counts: &[u32], bits: u32) -> impl Iterator<Item = Pair> {
    counts.iter().enumerate().filter(|(_, count)| **count > 0).map(move |(at, &count)| Pair {
        first: (at >> bits) as u8,
        second: (at & ((1 << bits) - 1)) as u8,
        count,
    })
}

/// Returns the bytes that occur, each once.
fn bytes_of<'a>(pairs: impl Iterator<Item = &'a Pair>) -> Vec<u8> {
    let mut occurs = [false; 256];
    for pair in pairs {
        occurs[usize::from(pair.first)] = true;
        occurs[usize::from(pair.second)] = true;
    }
    (0..=u8::MAX).filter(|&byte| occurs[usize::from(byte)]).collect()
}

/// The letter pairs of a language.
struct Model {
    language: &'static Language,
    symbols: Symbols,
    /// The last of its letters in the order of Unicode.
    last: char,
    case_costs: &'static [u8],
    costs: &'static [u8],
}

/// What a byte is in a language and encoding.
#[derive(Clone, Copy)]
struct Decoded {
    symbol: usize,
    case: Case,
    additional_cost: u64,
}

impl Model {
    fn is_latin(&self) -> bool {
        self.symbols.of('a') != self.symbols.of('b')
    }

    /// Returns what each byte is in the language, if it is this character.
    fn decoded(&self, characters: &[(u8, char)]) -> [Decoded; 256] {
        let mut decoded = [Decoded { symbol: SEPARATOR, case: Case::None, additional_cost: 0 }; 256];
        for &(byte, c) in characters {
            let symbol = self.symbols.of(c);
            let additional_cost = match c {
                'A'..='Z' | 'a'..='z' if !self.is_latin() => LATIN,
                _ if symbol != self.symbols.other() => 0,
                '\u{80}'..='\u{9F}' | '\u{FFFD}' | '\u{E000}'..='\u{F8FF}' => UNLIKELY,
                _ if c.is_alphabetic() => FOREIGN,
                _ if COMMON.contains(c) => SYMBOL,
                _ => ODD,
            };
            decoded[usize::from(byte)] = Decoded { symbol, case: Case::of(c), additional_cost };
        }
        decoded
    }

    fn cost(&self, pairs: &[Pair], decoded: &[Decoded; 256]) -> u64 {
        let cost_of = |pair: &Pair| {
            let (first, second) = (decoded[usize::from(pair.first)], decoded[usize::from(pair.second)]);
            let letters = self.costs[first.symbol * self.symbols.count() + second.symbol];
            let case = self.case_costs[first.case as usize * Case::COUNT + second.case as usize];
            u64::from(pair.count) * (u64::from(letters) + u64::from(case) + second.additional_cost)
        };
        pairs.iter().map(cost_of).sum()
    }
}

/// Returns the cost of a text in each language, by the pairs of its characters.
pub(crate) fn costs(pairs: &[likelihood::Pair]) -> impl Iterator<Item = u64> {
    MODELS.iter().map(|model| pairs.iter().map(|pair| pair.count * model.cost_of(pair)).sum())
}

impl Model {
    /// Returns the cost of a character after another one.
    fn cost_of(&self, likelihood::Pair { before, c, .. }: &likelihood::Pair) -> u64 {
        let (first, second) = (self.symbols.of_lower(before.lower), self.symbols.of_lower(c.lower));
        let letters = self.costs[first * self.symbols.count() + second];
        let case = self.case_costs[before.case as usize * Case::COUNT + c.case as usize];
        let letters = u64::from(letters) + u64::from(case);
        match c.lower {
            _ if second == SEPARATOR && first == SEPARATOR => 20 + likelihood::separator(c.c),
            _ if second == SEPARATOR => letters + likelihood::separator(c.c),
            'a'..='z' if !self.is_latin() => letters + LATIN,
            _ if second != self.symbols.other() => letters,
            '\u{C0}'..='\u{24F}' if self.is_latin() && c.lower.is_alphabetic() => letters + FOREIGN,
            '\u{386}'..='\u{3CE}' | '\u{401}'..='\u{491}' | '\u{5B0}'..='\u{652}' | '\u{E01}'..='\u{E5B}'
                if self.has_script_of(c.lower) =>
            {
                letters + FOREIGN
            }
            _ if COMMON.contains(c.c) => (letters + SYMBOL).min(c.foreign),
            _ if first != SEPARATOR && c.c.is_alphabetic() => c.foreign + MIXED,
            _ => c.foreign,
        }
    }

    /// Returns whether a letter is in the block of the language's letters.
    fn has_script_of(&self, c: char) -> bool {
        let block = |c: char| u32::from(c) >> 8;
        block(self.last) == block(c)
    }
}

/// For each language of [`ROWS`], the cost of each lead byte.
static LEAD_COSTS: LazyLock<&[u8]> = LazyLock::new(|| &MODEL[MODEL.len() - 256 * ROWS.len()..]);

static MODELS: LazyLock<Vec<Model>> = LazyLock::new(|| {
    let (case_costs, mut rest) = MODEL.split_at(Case::COUNT * Case::COUNT);
    let mut take = |len: usize| {
        let (taken, after) = rest.split_at(len);
        rest = after;
        taken
    };
    LANGUAGES
        .iter()
        .map(|language| {
            let count = usize::from(take(1)[0]);
            let (units, _) = take(2 * count).as_chunks();
            let letters = units.iter().filter_map(|&unit| char::from_u32(u16::from_le_bytes(unit).into()));
            let last = letters.clone().max().unwrap_or_default();
            let symbols = Symbols::new(letters.collect());
            let costs = take(symbols.count() * symbols.count());
            Model { language, symbols, last, case_costs, costs }
        })
        .collect()
});

#[cfg(test)]
mod tests {
    use textcodec::{ISO_8859_2, KOI8_U, WINDOWS_1250, WINDOWS_1251, WINDOWS_1257};

    use super::*;

    fn fits(text: &[u8]) -> Vec<Fit> {
        let mut letter_pairs = LetterPairs::new();
        letter_pairs.feed(text);
        let mut fits = letter_pairs.finish().fits;
        fits.sort_by_key(|fit| fit.cost);
        fits
    }

    #[test]
    fn the_file_has_the_letter_pairs_of_all_languages() {
        let len: usize = MODELS.iter().map(|model| 1 + 2 * (model.symbols.count() - 2) + model.costs.len()).sum();
        assert_eq!(MODEL.len(), Case::COUNT * Case::COUNT + len + 256 * ROWS.len());
    }

    #[test]
    fn a_sentence_fits_its_language_and_encoding_best() {
        for (encoding, language, text) in [
            (WINDOWS_1250, "Hungarian", "A tó még nem fagyott be, de az őszi szél hűvös."),
            (WINDOWS_1250, "Polish", "Dziś rano padał śnieg, a potem wyszło słońce."),
            (ISO_8859_2, "Czech", "Večer se nad městem vyjasnilo, řeka ještě nezamrzla a kůň šel domů."),
            (WINDOWS_1257, "Lithuanian", "Ežeras dar neužšalęs, o vėjas pučia iš rytų."),
            (WINDOWS_1252, "French", "La forêt est calme et l'élève rêve déjà de l'été."),
            (KOI8_U, "Ukrainian", "Сьогодні вранці йшов дощ, а ввечері небо над містом проясніло."),
            (WINDOWS_1251, "Bulgarian", "Днес валя дъжд, а вечерта небето над града се изясни."),
        ] {
            let fit = fits(&encoding.encode(text).unwrap())[0];
            assert_eq!((fit.encoding, fit.language), (encoding, Some(language)), "{text}");
        }
    }

    #[test]
    fn blocks_of_any_size_give_the_same_costs() {
        let text = WINDOWS_1250.encode("Kék ég, zöld fű; árvíztűrő tükörfúrógép. Plain words.").unwrap().repeat(9);
        let costs = |fits: &[Fit]| fits.iter().map(|fit| fit.cost).collect::<Vec<_>>();
        let whole = costs(&fits(&text));
        for len in [1, 2, 7, 100] {
            let mut letter_pairs = LetterPairs::new();
            text.chunks(len).for_each(|block| letter_pairs.feed(block));
            let mut fits = letter_pairs.finish().fits;
            fits.sort_by_key(|fit| fit.cost);
            assert_eq!(costs(&fits), whole, "{len}");
        }
    }

    #[test]
    fn words_in_ascii_cost_no_more_than_their_maximum() {
        let plain = fits(&WINDOWS_1250.encode("árvíztűrő").unwrap());
        let with_markup = fits(&WINDOWS_1250.encode(&("<table class=wide> ".repeat(1000) + "árvíztűrő")).unwrap());
        for fit in plain {
            let other = with_markup.iter().find(|other| other.encoding == fit.encoding).unwrap();
            assert!(other.cost <= fit.cost + MAX_ASCII, "{}", fit.encoding);
        }
    }
}
