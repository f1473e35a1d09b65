//! Labelled texts: parts of the texts of a half, in every encoding that is realistic for the language.

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};
use textcodec::{EUC_KR, Encoding};
use unicode_normalization::{UnicodeNormalization as _, char::decompose_canonical};

use super::{
    languages::{LANGUAGES, Language},
    texts::{Half, Texts, hash},
};

/// The sizes in bytes, and how many texts of each size there are for each language and encoding.
pub(crate) const SIZES: [(usize, u64); 4] = [(20, 10), (100, 10), (1000, 8), (20_000, 3)];

/// A text with its true encoding.
pub(crate) struct Labelled {
    pub(crate) language: &'static str,
    pub(crate) encoding: Encoding,
    pub(crate) size: usize,
    pub(crate) path: PathBuf,
    pub(crate) bytes: Vec<u8>,
}

/// Returns the labelled texts, with paths in `folder`.
pub(crate) fn labelled(texts: &Texts, half: Half, folder: &Path) -> Result<Vec<Labelled>> {
    let mut all = Vec::new();
    for language in &LANGUAGES {
        let paragraphs = texts.half(language.code, half);
        let legacy = language.encodings.iter().map(|&name| (name, 1));
        for (name, one_in) in legacy.chain([("UTF-8", 3), ("UTF-16LE", 5), ("UTF-16BE", 5)]) {
            let encoding = Encoding::for_label(name).context(name)?;
            let text = in_repertoire(&paragraphs.join("\n"), encoding);
            add(&mut all, language, encoding, &text, ("text", one_in), folder);
            if language.code == "ko" && encoding == EUC_KR {
                add(&mut all, language, encoding, &table(&text), ("table", 1), folder);
            }
        }
    }
    Ok(all)
}

fn add(
    all: &mut Vec<Labelled>,
    language: &Language,
    encoding: Encoding,
    text: &str,
    (kind, one_in): (&str, u64),
    folder: &Path,
) {
    let language = language.code;
    let characters: Vec<char> = text.chars().collect();
    for (size, count) in SIZES {
        let mut numbers = (0..).map(|n| hash(&format!("{language} {encoding} {kind} {size} {n}")) as usize);
        for n in 0..count.div_ceil(one_in) {
            let mut parts = numbers.by_ref().take(300).filter_map(|at| part(&characters, at, encoding, size));
            let Some(bytes) = parts.next() else { break };
            let path = folder.join(format!("{language}.{encoding}.{kind}.{size}.{n}"));
            all.push(Labelled { language, encoding, size, path, bytes });
        }
    }
}

/// Returns a part of the text of about `size` bytes that starts at the start of a word. Returns `None` if it would be all
/// ASCII: such text has no encoding to detect.
fn part(text: &[char], at: usize, encoding: Encoding, size: usize) -> Option<Vec<u8>> {
    let at = at % text.len().max(1);
    let start = at + text.get(at..)?.iter().take(50).position(|c| c.is_whitespace()).map_or(0, |space| space + 1);
    let mut encoder = encoding.encoder().ok()?;
    let mut bytes = Vec::new();
    let mut is_ascii = true;
    for c in text.get(start..)? {
        if bytes.len() >= size {
            break;
        }
        is_ascii &= c.is_ascii();
        encoder.push(c.encode_utf8(&mut [0; 4]), &mut bytes).ok()?;
    }
    encoder.finish(&mut bytes).ok()?;
    (!is_ascii && bytes.len() >= size).then_some(bytes)
}

/// Rewrites text in the characters of the encoding, as people do who write in it. Omits what cannot be rewritten.
pub(crate) fn in_repertoire(text: &str, encoding: Encoding) -> String {
    let mut known = std::collections::HashMap::new();
    text.nfc().map(|c| known.entry(c).or_insert_with(|| rewritten(c, encoding)).clone()).collect()
}

fn rewritten(c: char, encoding: Encoding) -> String {
    let encodes = |text: &str| encoding.encode(text).is_ok();
    let mut text = c.to_string();
    if !encodes(&text) {
        text = match c {
            // Before Unicode 3.0, Romanian was written with a cedilla.
            'Ș' => "Ş".into(),
            'ș' => "ş".into(),
            'Ț' => "Ţ".into(),
            'ț' => "ţ".into(),
            '‘' | '’' => "'".into(),
            '“' | '”' | '„' => "\"".into(),
            '–' | '—' => "-".into(),
            '…' => "...".into(),
            '\u{A0}' => " ".into(),
            // Vietnamese in windows-1258 has combining tone marks.
            _ => composed_base(c),
        };
    }
    if encodes(&text) { text } else { String::new() }
}

/// Separates the last combining character: ế becomes ê and a combining acute accent.
fn composed_base(c: char) -> String {
    let mut parts = Vec::new();
    decompose_canonical(c, |part| parts.push(part));
    let tone = parts.iter().position(|part| matches!(part, '\u{300}' | '\u{301}' | '\u{303}' | '\u{309}' | '\u{323}'));
    let Some(tone) = tone.map(|at| parts.remove(at)) else { return String::new() };
    parts.into_iter().nfc().chain([tone]).collect()
}

/// Makes a table: short cells with words and numbers, separated by tabs or commas.
fn table(text: &str) -> String {
    let words = text.split_whitespace().filter(|word| word.chars().all(|c| !c.is_ascii()));
    let mut table = String::new();
    let mut random = 1_u64;
    for word in words {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let cell: String = word.chars().take(1 + (random >> 60) as usize % 4).collect();
        let separator = if (random >> 40) % 3000 < 1500 { "\t" } else { "," };
        table += &cell;
        match (random >> 33) % 4 {
            0 => drop(writeln!(table, "{separator}{}", (random >> 20) % 10_000)),
            1 => drop(write!(table, "{separator}{}.{}{separator}", (random >> 20) % 100, (random >> 30) % 10)),
            _ => table += separator,
        }
    }
    table
}
