//! `detection train`: writes the data of `textcodec-language`, whose format `data.rs` there describes.

mod classes;
mod frequent;
mod letters;
mod transitions;
mod wide;

use std::{collections::BTreeMap, fs, path::Path};

use anyhow::{Context as _, Result};
use textcodec::{Alias, UTF_8, WINDOWS_1252, WINDOWS_1258};
use textcodec_language::Language;

use super::{
    repertoire::in_repertoire,
    root,
    texts::{Half, Texts},
};

/// The pages outside of the standard that text may be in.
const PAGES: [&str; 28] = [
    "IBM437",
    "IBM850",
    "IBM852",
    "IBM855",
    "IBM857",
    "IBM00858",
    "IBM737",
    "IBM775",
    "IBM860",
    "IBM861",
    "IBM862",
    "IBM863",
    "IBM864",
    "IBM865",
    "IBM869",
    "IBM1125",
    "DOS-720",
    "x-mac-ce",
    "x-mac-greek",
    "x-mac-turkish",
    "x-mac-croatian",
    "x-mac-romanian",
    "x-mac-icelandic",
    "PTCP154",
    "KOI8-T",
    "MIK",
    "VISCII",
    "KZ-1048",
];

/// Other names of the texts.
const FILES: [(&str, &[&str]); 3] = [("hr", &["hr", "bs", "sr-Latn"]), ("zh", &["zh-CN"]), ("zh-Hant", &["zh-TW"])];

/// Text by language, for training.
pub(super) struct Training(BTreeMap<&'static str, String>);

impl Training {
    fn read(texts: &Path) -> Result<Self> {
        let texts = Texts::read(texts)?;
        let tags = Language::all().map(Language::tag).chain(["zh-Hant"]);
        let text = |tag: &'static str| {
            let own = [tag];
            let files = FILES.iter().find(|(language, _)| *language == tag).map_or(&own[..], |(_, files)| files);
            let paragraphs = files.iter().flat_map(|file| texts.half(file, Half::Training));
            let paragraphs: Vec<&str> = paragraphs.filter(|paragraph| !is_garbled(paragraph)).collect();
            anyhow::ensure!(!paragraphs.is_empty(), "no text in {tag}");
            let encoding = if tag == "vi" { WINDOWS_1258 } else { UTF_8 };
            let text = paragraphs.join("\n");
            // Romanian with cedillas is as frequent as with commas.
            let text = match tag {
                "ro" => format!("{text}\n{}", in_repertoire(&text, textcodec::WINDOWS_1250)),
                "vi" => in_repertoire(&text, encoding),
                _ => text,
            };
            Ok((tag, text))
        };
        Ok(Self(tags.map(text).collect::<Result<_>>()?))
    }

    pub(super) fn text(&self, tag: &str) -> &str {
        &self.0[tag]
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &str> {
        self.0.values().map(String::as_str)
    }
}

/// Returns whether a paragraph has characters of UTF-8 that was decoded as windows-1252.
fn is_garbled(paragraph: &str) -> bool {
    let is_trail =
        |c: char| WINDOWS_1252.encode(c.encode_utf8(&mut [0; 4])).is_ok_and(|bytes| matches!(*bytes, [0x80..=0xBF]));
    let characters: Vec<char> = paragraph.chars().collect();
    characters.windows(2).any(|pair| matches!(pair[0], 'Â' | 'Ã' | 'Ð' | 'Ñ' | 'â') && is_trail(pair[1]))
}

/// Writes `language.bin` from the training half of the texts.
pub(crate) fn run(texts: &Path) -> Result<()> {
    let training = Training::read(texts)?;
    let mut file = File::default();
    let start = |file: &File, name: &str, from: usize| println!("{name}: {} bytes", file.0.len() - from);
    classes(&mut file)?;
    transitions::write(&training, &mut file)?;
    start(&file, "classes, transitions and signs", 0);
    let from = file.0.len();
    letters::write(&training, &mut file)?;
    start(&file, "letter pairs", from);
    let from = file.0.len();
    wide::write(&training, &mut file)?;
    start(&file, "East Asia", from);
    let from = file.0.len();
    pages(&mut file)?;
    start(&file, "pages", from);
    println!("{} bytes", file.0.len());
    Ok(fs::write(root().join("crates/textcodec-language/src/language.bin"), file.0)?)
}

/// Writes the classes, and the ranges of characters.
fn classes(file: &mut File) -> Result<()> {
    let mut numbers: BTreeMap<(u8, u8), u8> = BTreeMap::new();
    let mut ranges = Vec::new();
    for unit in 0..=u16::MAX {
        let class = classes::class(unit);
        if ranges.last().is_none_or(|&(_, last)| last != class) {
            ranges.push((unit, class));
        }
        numbers.insert(class, 0);
    }
    for (n, number) in numbers.values_mut().enumerate() {
        *number = u8::try_from(n)?;
    }
    file.len(numbers.len())?;
    for &(group, script) in numbers.keys() {
        file.0.extend([group, script]);
    }
    file.len(ranges.len())?;
    for (start, class) in ranges {
        file.unit(start);
        file.0.push(numbers[&class]);
    }
    Ok(())
}

fn pages(file: &mut File) -> Result<()> {
    file.len(PAGES.len())?;
    for name in PAGES {
        let encoding = Alias::for_name(name).context(name)?.encoding;
        file.0.push(u8::try_from(name.len())?);
        file.0.extend(name.as_bytes());
        for byte in 0x80..=0xFF_u8 {
            let c = encoding.decode(&[byte]).text.chars().next().unwrap_or('\u{FFFD}');
            file.unit(u16::try_from(u32::from(c))?);
        }
    }
    Ok(())
}

/// The data.
#[derive(Default)]
pub(super) struct File(pub(super) Vec<u8>);

impl File {
    pub(super) fn unit(&mut self, unit: u16) {
        self.0.extend(unit.to_le_bytes());
    }

    /// Writes the length of a list.
    pub(super) fn len(&mut self, len: usize) -> Result<()> {
        self.unit(u16::try_from(len)?);
        Ok(())
    }
}

/// The negative logarithm of a frequency, times 16.
pub(super) fn cost_of(frequency: f64) -> u8 {
    let exact = (-16.0 * frequency.ln()).round();
    (0..u8::MAX).find(|&cost| f64::from(cost) >= exact).unwrap_or(u8::MAX)
}
