//! Texts by language: a file `LANGUAGE.txt` for each, in UTF-8, with a paragraph per line.

use std::{collections::BTreeMap, fs, path::Path};

use anyhow::{Context as _, Result, ensure};

/// The paragraphs of each language, by its code.
#[derive(Default)]
pub(crate) struct Texts(pub(crate) BTreeMap<String, Vec<String>>);

/// A half of the texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Half {
    /// The half from which the letter pairs are counted, and with which rules are tuned.
    Training,
    /// The half that only measures.
    HeldOut,
}

impl Texts {
    /// Reads `LANGUAGE.txt` and `LANGUAGE/*.txt` from a folder.
    pub(crate) fn read(folder: &Path) -> Result<Self> {
        let mut texts = Self::default();
        let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
        let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
        paths.sort();
        for path in paths {
            let language = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let paragraphs = texts.0.entry(language).or_default();
            if path.is_dir() {
                paragraphs.extend(Self::read(&path)?.0.into_values().flatten());
            } else if path.extension().is_some_and(|extension| extension == "txt") {
                let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
                paragraphs.extend(text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned));
            }
        }
        texts.0.retain(|_, paragraphs| !paragraphs.is_empty());
        ensure!(!texts.0.is_empty(), "no LANGUAGE.txt in {}", folder.display());
        Ok(texts)
    }

    pub(crate) fn write(&self, folder: &Path) -> Result<()> {
        fs::create_dir_all(folder)?;
        for (language, paragraphs) in &self.0 {
            let text = paragraphs.join("\n") + "\n";
            println!("{language}: {} paragraphs, {} KB", paragraphs.len(), text.len() / 1000);
            fs::write(folder.join(language).with_extension("txt"), text)?;
        }
        Ok(())
    }

    /// Returns the paragraphs of a half. The hash of a paragraph decides, so equal paragraphs are in the same half.
    pub(crate) fn half(&self, language: &str, half: Half) -> Vec<&str> {
        let paragraphs = self.0.get(language).into_iter().flatten().map(String::as_str);
        paragraphs.filter(|paragraph| hash(paragraph).is_multiple_of(2) == (half == Half::Training)).collect()
    }
}

/// FNV-1a, followed by a step that mixes the high bits into the low bits.
pub(crate) fn hash(text: &str) -> u64 {
    let hash = text
        .bytes()
        .fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3));
    (hash ^ (hash >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 16
}
