//! Texts from a corpus or from the project's samples.

use std::{collections::BTreeMap, fs, path::Path};

use anyhow::{Context as _, Result};

/// Texts by name. The name is a language, with `-page` for text within markup.
pub(crate) struct Texts(BTreeMap<&'static str, String>);

/// The name, the sample and the file in a corpus.
const ARTICLES: [(&str, &str, &str); 15] = [
    ("en", "", "en.txt"),
    ("fr", "cafe", "fr.txt"),
    ("de", "workshop", "de.txt"),
    ("cs", "train", "cs.txt"),
    ("ru", "weather", "ru.txt"),
    ("el", "island", "el.txt"),
    ("ar", "desert", "ar.txt"),
    ("th", "river", "th.txt"),
    ("hi", "", "hi.txt"),
    ("emoji", "", "emoji.txt"),
    ("zh_cn", "library", "zh_cn.txt"),
    ("zh_tw", "harbour", "zh_tw.txt"),
    ("ja", "tea", "ja.txt"),
    ("ko", "market", "ko.txt"),
    ("he", "bakery", "he.txt"),
];

/// The name and the file in a corpus; and if there is no file, a page with markup and the text to put into it.
const PAGES: [(&str, &str, &str, &str); 10] = [
    ("en-page", "en.html", "", "en"),
    ("ru-page", "ru.html", "", "ru"),
    ("ja-page", "ja.html", "", "ja"),
    ("cs-page", "cs.html", "ru-page", "cs"),
    ("el-page", "el.html", "ru-page", "el"),
    ("ar-page", "ar.html", "ru-page", "ar"),
    ("th-page", "th.html", "ru-page", "th"),
    ("ko-page", "ko.html", "ja-page", "ko"),
    ("zh_cn-page", "zh_cn.html", "ja-page", "zh_cn"),
    ("zh_tw-page", "zh_tw.html", "ja-page", "zh_tw"),
];

const ENGLISH: &str = "The lighthouse keeper counts the boats every evening before he climbs the 214 steps. When the \
    fog comes in, he rings the bell once a minute; nobody has asked him to do so since 1958. \"It keeps the gulls awake,\" \
    says his daughter, who sells tickets, postcards and tea (two kinds: black, and blacker) at the foot of the stairs.\n\
    On Sundays the ferry brings about 40 visitors. They photograph the lamp, the view, and the cat, in that order.\n";
const HINDI: &str = "नदी के किनारे बसा यह गाँव सुबह की धूप में चमकता है। बच्चे नाव में बैठकर विद्यालय जाते हैं, और किसान खेतों में काम करते हैं। \
    शाम को सब लोग बरगद के पेड़ के नीचे इकट्ठे होते हैं; दादी पुरानी कहानियाँ सुनाती हैं। बारिश के दिनों में रास्ते कीचड़ से भर जाते हैं, फिर भी डाकिया \
    हर मंगलवार को चिट्ठियाँ लेकर आता है।\n";
const EMOJI: &str = "🌧️🌱🌻🐝🍯🧺🚲🏡👵🏻☕🍰📖🕯️🌙⭐😴🐓🌅🥖🧈🍓🚜🌾🐄🥛🧀🎻💃🕺🎆🌌🦉🌲🦊🐇🥕🐟🎣⛵🌊🐚🏖️😎🍉🧊🍋\n";
const MARKUP: &str = "<li class=\"item item-%\"><a href=\"/articles/%/index.html?lang=%&amp;page=12\" title=\"\
    #\">#</a> <span class=\"date\">2016-03-14</span></li>\n<p id=\"p%\">#</p>\n<div class=\"thumb tright\" \
    style=\"width: 220px\"><img src=\"/images/thumb/%/220px.jpg\" alt=\"#\" width=\"220\" height=\"165\"></div>\n";

/// The minimum length. Shorter texts are extended with their words in random order, so that branch predictors cannot learn
/// them.
const MIN_LEN: usize = 48 << 10;

impl Texts {
    /// Reads all texts.
    pub(crate) fn read(corpus: Option<&Path>, samples: &Path) -> Result<Self> {
        let file = |name: &str| {
            let path = corpus?.join(name);
            path.is_file().then(|| fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display())))
        };
        let mut texts = BTreeMap::new();
        for (name, sample, article) in ARTICLES {
            let text = match (file(article), name) {
                (Some(text), _) => text?,
                (None, "en") => ENGLISH.to_owned(),
                (None, "hi") => HINDI.to_owned(),
                (None, "emoji") => EMOJI.to_owned(),
                (None, _) => fs::read_to_string(samples.join(format!("{sample}.utf-8.txt")))?,
            };
            let text = if name == "en" { text.replace(|c: char| !c.is_ascii(), "") } else { text };
            texts.insert(name, lengthen(&text));
        }
        for (name, page, markup, text) in PAGES {
            let text = match (file(page), texts.get(markup)) {
                (Some(text), _) => text?,
                (None, Some(markup)) => refill(markup, &texts[text]),
                (None, None) => fill(&texts[text]),
            };
            texts.insert(name, text);
        }
        Ok(Self(texts))
    }

    pub(crate) fn get(&self, name: &str) -> Result<&str> {
        self.0.get(name).map(String::as_str).with_context(|| format!("unknown text {name}"))
    }
}

fn lengthen(text: &str) -> String {
    let words: Vec<&str> = text.split_inclusive([' ', '\n', '、', '。', ',', ',']).collect();
    let (mut longer, mut state) = (text.to_owned(), 1_u64);
    while longer.len() < MIN_LEN {
        longer.push_str(words[random(&mut state, words.len())]);
    }
    longer
}

/// Returns markup with other letters: replaces each non-ASCII character by the next one of `text`.
fn refill(markup: &str, text: &str) -> String {
    let mut letters = text.chars().filter(|c| !c.is_ascii()).cycle();
    markup.chars().filter_map(|c| if c.is_ascii() { Some(c) } else { letters.next() }).collect()
}

/// Returns a page of the project's markup, with text.
fn fill(text: &str) -> String {
    let mut lines = text.split_inclusive(['.', '。', '।', ',', '、']).cycle();
    let (mut page, mut state) = (String::new(), 2_u64);
    while page.len() < 2 * MIN_LEN {
        for c in MARKUP.chars() {
            match c {
                '%' => page.push_str(&random(&mut state, 100_000).to_string()),
                '#' => page.push_str(lines.next().unwrap_or_default().trim()),
                _ => page.push(c),
            }
        }
    }
    page
}

/// Returns a random number below a bound, from xorshift.
fn random(state: &mut u64, bound: usize) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 11) as usize % bound
}
