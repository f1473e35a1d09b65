//! Parts of texts, chosen at random but always the same.

use std::collections::BTreeMap;

use super::texts::{Half, Texts, hash};

/// A sequence of numbers that follows from a name.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(name: &str) -> Self {
        Self(hash(name))
    }

    /// Returns the next number: `SplitMix64`.
    pub(crate) fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number less than `end`, or 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.number() >> 16) as usize % end.max(1)
    }

    /// Returns a number between two, including both.
    pub(crate) fn between(&mut self, least: usize, most: usize) -> usize {
        least + self.below(most - least + 1)
    }

    /// Returns a number between two, where 3 to 30 is about as likely as 30 to 300.
    pub(crate) fn size(&mut self, least: usize, most: usize) -> usize {
        let doubled = self.below((most / least).ilog2() as usize + 1);
        self.between(least << doubled, (least << (doubled + 1)).min(most))
    }

    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn pick<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }

    /// Returns a number with digits after a decimal separator: `12.50`.
    pub(crate) fn amount(&mut self, separator: char) -> String {
        let whole = self.size(1, 3000);
        format!("{whole}{separator}{:02}", self.below(100))
    }
}

/// Words for text in languages with other letters.
const ENGLISH: [&str; 24] = [
    "item", "value", "name", "price", "date", "list", "button", "label", "title", "order", "user", "file", "index",
    "page", "menu", "main", "total", "address", "city", "phone", "status", "version", "count", "Help",
];

/// The paragraphs of a language from one origin.
pub(crate) struct Source<'a> {
    pub(crate) origin: &'a str,
    paragraphs: Vec<&'a str>,
}

impl Source<'_> {
    /// Returns text of about that many characters, from the start of a word on. Paragraphs are lines.
    pub(crate) fn prose(&self, random: &mut Random, characters: usize) -> String {
        let first = random.below(self.paragraphs.len());
        let paragraph = self.paragraphs[first];
        let starts: Vec<usize> = paragraph.match_indices(' ').map(|(at, _)| at + 1).collect();
        let start = if starts.is_empty() { 0 } else { starts[random.below(starts.len())] };
        let mut text: String = paragraph[start..].chars().take(characters).collect();
        let mut len = text.chars().count();
        for paragraph in self.paragraphs.iter().cycle().skip(first + 1).take(self.paragraphs.len() - 1) {
            if len >= characters {
                break;
            }
            text.push('\n');
            text.extend(paragraph.chars().take(characters - len));
            len += paragraph.chars().count() + 1;
        }
        text
    }

    /// Returns a text of about that many characters without line breaks. It ends at the end of a word.
    pub(crate) fn line(&self, random: &mut Random, characters: usize) -> String {
        let text = self.prose(random, characters).replace('\n', " ");
        match text.trim().rsplit_once(' ') {
            Some((line, _)) => line.to_owned(),
            None => text.trim().to_owned(),
        }
    }

    /// Returns a word without punctuation. Languages without spaces have words of up to four characters.
    pub(crate) fn word(&self, random: &mut Random) -> String {
        let paragraph = random.pick(&self.paragraphs);
        let (before, after) = paragraph.as_bytes().split_at(random.below(paragraph.len()));
        let start = before.iter().rposition(|byte| *byte == b' ').map_or(0, |at| at + 1);
        let end = after.iter().position(|byte| *byte == b' ').map_or(paragraph.len(), |at| before.len() + at);
        // Other blanks are in what is left.
        let word = paragraph[start..end].split_whitespace().next().unwrap_or_default();
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        let is_long = word.chars().count() > 20 || word.chars().any(|c| ('\u{2E80}'..'\u{A000}').contains(&c));
        if !is_long {
            return word.to_owned();
        }
        let (start, len) = (random.below(word.chars().count()), random.between(1, 4));
        word.chars().skip(start).take(len).collect()
    }

    /// Returns a word that has a character other than ASCII, or any word if there are few.
    pub(crate) fn special_word(&self, random: &mut Random) -> String {
        let mut words = (0..200).map(|_| self.word(random));
        words.find(|word| !word.is_ascii() && word.chars().all(char::is_alphanumeric)).unwrap_or_default()
    }

    pub(crate) fn words(&self, random: &mut Random, count: usize) -> Vec<String> {
        (0..count).map(|_| self.word(random)).filter(|word| !word.is_empty()).collect()
    }

    /// Returns a word in ASCII letters: an English one if the language has few.
    pub(crate) fn ascii_word(&self, random: &mut Random) -> String {
        let word = (0..20).map(|_| self.word(random));
        let is_name = |word: &String| word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_alphabetic());
        word.into_iter().find(is_name).unwrap_or_else(|| random.pick(&ENGLISH).to_owned())
    }
}

/// The sources of each language: the half of the texts, and those of other origins.
pub(crate) struct Sources<'a>(BTreeMap<&'a str, Vec<Source<'a>>>);

impl<'a> Sources<'a> {
    /// `extra` are the texts of other origins, with the name of the origin.
    pub(crate) fn new(texts: &'a Texts, half: Half, extra: &'a [(String, Texts)]) -> Self {
        let mut sources: BTreeMap<&str, Vec<Source<'a>>> = BTreeMap::new();
        for language in texts.0.keys() {
            let paragraphs = texts.half(language, half);
            sources.entry(language).or_default().push(Source { origin: "packages", paragraphs });
        }
        for (origin, texts) in extra {
            for (language, paragraphs) in &texts.0 {
                let paragraphs = paragraphs.iter().map(String::as_str).collect();
                sources.entry(language).or_default().push(Source { origin, paragraphs });
            }
        }
        for sources in sources.values_mut() {
            sources.retain(|source| !source.paragraphs.is_empty());
        }
        // A language whose texts have only one half has none of the other.
        sources.retain(|_, sources| !sources.is_empty());
        Self(sources)
    }

    pub(crate) fn of(&self, language: &str) -> &[Source<'a>] {
        self.0.get(language).map_or(&[], Vec::as_slice)
    }
}
