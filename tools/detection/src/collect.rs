//! `detection collect`: text by language, from unpacked packages.
//!
//! Packages contain translations in three formats: manual pages, message catalogues (`.mo`), and help pages in HTML or XML.
//! The language is a folder in the path: `man/hu/man1`, `locale/lt/LC_MESSAGES`, `help/pt-BR`.

use std::{
    collections::{BTreeMap, HashMap},
    fs, io,
    path::Path,
    process::Command,
};

use anyhow::{Context as _, Result, ensure};

use super::{
    languages::LANGUAGES,
    texts::{Texts, hash},
};

/// The maximum number of bytes per language and format.
const MAX_LEN: usize = 800_000;

/// Paragraphs with fewer characters are names and labels of buttons rather than text.
const MIN_CHARACTERS: usize = 40;

/// Catalogues with these prefixes are lists of names.
const LISTS: [&str; 3] = ["iso_", "iso-", "freeciv-nations"];

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Format {
    Manual,
    Catalogue,
    Markup,
}

/// Reads the files below `folders` and writes the texts into `texts`.
pub(crate) fn run(folders: &[impl AsRef<Path>], texts: &Path) -> Result<()> {
    let mut found = BTreeMap::new();
    for folder in folders {
        visit(folder.as_ref(), None, &mut found)?;
    }
    // A paragraph that is in the texts of two languages is not translated, or is a list of names.
    let mut languages_with: HashMap<u64, u32> = HashMap::new();
    for paragraphs in found.values() {
        for &hash in paragraphs.keys() {
            *languages_with.entry(hash).or_default() += 1;
        }
    }
    let mut by_language = Texts::default();
    for ((code, _), paragraphs) in found {
        let text = by_language.0.entry(code.to_owned()).or_default();
        let mut len = 0;
        // In the order of the hashes, so that a part is taken evenly from all files.
        for (hash, paragraph) in paragraphs {
            len += paragraph.len() + 1;
            if languages_with[&hash] == 1 && len <= MAX_LEN {
                text.push(paragraph);
            }
        }
    }
    by_language.write(texts)
}

/// The paragraphs of a language and format, by their hashes.
type Found = BTreeMap<(&'static str, Format), BTreeMap<u64, String>>;

/// Reads a folder. `language` is that of the nearest folder above that names one.
fn visit(folder: &Path, language: Option<&'static str>, found: &mut Found) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let entry = entry?;
        let (path, kind) = (entry.path(), entry.file_type()?);
        let name = entry.file_name().to_string_lossy().into_owned();
        if kind.is_dir() {
            visit(&path, language_of_folder(&name).or(language), found)?;
        } else if let Some(language) = language.filter(|_| kind.is_file()) {
            let Some(format) = format_of(&name, &path) else { continue };
            let paragraphs = found.entry((language, format)).or_default();
            for paragraph in paragraphs_of(&path, format).with_context(|| path.display().to_string())? {
                if paragraph.chars().count() >= MIN_CHARACTERS {
                    paragraphs.insert(hash(&paragraph), paragraph);
                }
            }
        }
    }
    Ok(())
}

pub(crate) fn language_of_folder(name: &str) -> Option<&'static str> {
    let name = name.strip_suffix(".UTF-8").unwrap_or(name).replace('_', "-");
    let language = LANGUAGES.iter().find(|language| {
        // `pt-BR` is Portuguese, `sr@latin` is not Serbian in Cyrillic letters.
        let is_same = name == language.code || name.split_once('-').is_some_and(|(code, _)| code == language.code);
        is_same || language.folders.contains(&&*name)
    })?;
    Some(language.code)
}

fn format_of(name: &str, path: &Path) -> Option<Format> {
    let extension = path.extension()?.to_str()?;
    match extension {
        "mo" if !LISTS.iter().any(|list| name.starts_with(list)) => Some(Format::Catalogue),
        "html" | "page" => Some(Format::Markup),
        "gz" if path.components().any(|part| part.as_os_str() == "man") => Some(Format::Manual),
        _ => None,
    }
}

fn paragraphs_of(path: &Path, format: Format) -> Result<Vec<String>> {
    match format {
        Format::Manual => {
            let output = Command::new("gzip").arg("-dc").arg(path).output()?;
            ensure!(output.status.success(), "gzip: {}", String::from_utf8_lossy(&output.stderr));
            // A few pages are not UTF-8.
            Ok(String::from_utf8(output.stdout).map(|page| manual(&page)).unwrap_or_default())
        }
        Format::Catalogue => Ok(catalogue(&fs::read(path)?).unwrap_or_default()),
        Format::Markup => match fs::read_to_string(path) {
            Ok(page) => Ok(markup(&page)),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => Ok(Vec::new()),
            Err(error) => Err(error.into()),
        },
    }
}

/// Returns the translations of a catalogue in the binary format of gettext, without those equal to the original.
fn catalogue(bytes: &[u8]) -> Option<Vec<String>> {
    let number = |at: usize| Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?) as usize);
    let string = |at: usize| str::from_utf8(bytes.get(number(at + 4)?..)?.get(..number(at)?)?).ok();
    if number(0)? != 0x9504_12DE {
        return None;
    }
    let (count, originals, translations) = (number(8)?, number(12)?, number(16)?);
    let mut paragraphs = Vec::new();
    for n in 0..count {
        let (Some(original), Some(translation)) = (string(originals + 8 * n), string(translations + 8 * n)) else {
            continue;
        };
        // The translation of the empty string is a header. Plural forms are separated by zero bytes.
        if !original.is_empty() && original != translation {
            for form in translation.split('\0') {
                paragraphs.extend(markup(&form.replace("\n\n", "<p>").replace(['_', '&'], "")));
            }
        }
    }
    Some(paragraphs)
}

/// Returns the paragraphs of a page in HTML or XML.
pub(crate) fn markup(page: &str) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    let mut rest = page;
    let mut skipped = None;
    while let Some((text, tag)) = rest.split_once('<') {
        let (tag, after) = tag.split_once('>').unwrap_or((tag, ""));
        let paragraph = paragraphs.last_mut().expect("there is always one");
        let name = tag.split([' ', '\n', '/']).find(|part| !part.is_empty()).unwrap_or_default();
        if skipped.is_none() {
            paragraph.push_str(text);
        }
        match (skipped, name) {
            (None, "script" | "style" | "pre" | "code" | "svg") if !tag.ends_with('/') => skipped = Some(name),
            (Some(element), _) if tag.starts_with('/') && name == element => skipped = None,
            // Elements within a line.
            (_, "a" | "b" | "i" | "em" | "strong" | "span" | "tt" | "gui" | "guiseq" | "key" | "app" | "link") => {}
            _ => paragraphs.push(String::new()),
        }
        rest = after;
    }
    if let Some(paragraph) = paragraphs.last_mut() {
        paragraph.push_str(rest);
    }
    paragraphs.iter().map(|paragraph| join_words(&without_references(paragraph))).collect()
}

fn without_references(text: &str) -> String {
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&nbsp;", "\u{A0}"), ("&amp;", "&")]
        .iter()
        .fold(text.to_owned(), |text, (reference, character)| text.replace(reference, character))
}

/// Returns the paragraphs of a manual page in the format of roff.
fn manual(page: &str) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    for line in page.lines() {
        let (request, rest) = line.split_once(' ').unwrap_or((line, ""));
        let text = match request {
            ".B" | ".I" | ".BR" | ".BI" | ".IR" | ".IB" | ".RB" | ".RI" | ".SM" => &rest.replace('"', ""),
            _ if line.is_empty() || line.starts_with(['.', '\'']) => {
                paragraphs.push(String::new());
                continue;
            }
            _ => line,
        };
        let paragraph = paragraphs.last_mut().expect("there is always one");
        paragraph.push(' ');
        paragraph.push_str(&without_escapes(text));
    }
    paragraphs.iter().map(|paragraph| join_words(paragraph)).collect()
}

fn without_escapes(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some((before, escape)) = rest.split_once('\\') {
        text.push_str(before);
        let mut characters = escape.chars();
        match characters.next() {
            Some('-') => text.push('-'),
            Some('e' | '\\') => text.push('\\'),
            Some('f' | '*') => skip_name(&mut characters),
            Some('(') => {
                let name: String = characters.by_ref().take(2).collect();
                text.push_str(special(&name));
            }
            Some('[') => {
                let name: String = characters.by_ref().take_while(|&c| c != ']').collect();
                text.push_str(special(&name));
            }
            Some('~' | ' ') => text.push(' '),
            _ => {}
        }
        rest = characters.as_str();
    }
    text + rest
}

/// Skips the name of a font: `B`, `(CW` or `[CW]`.
fn skip_name(characters: &mut std::str::Chars<'_>) {
    match characters.next() {
        Some('(') => characters.by_ref().take(2).for_each(drop),
        Some('[') => characters.by_ref().take_while(|&c| c != ']').for_each(drop),
        _ => {}
    }
}

fn special(name: &str) -> &'static str {
    match name {
        "em" => "—",
        "en" => "–",
        "aq" => "'",
        "dq" => "\"",
        "lq" => "“",
        "rq" => "”",
        "oq" => "‘",
        "cq" => "’",
        "Bq" => "„",
        "Fo" => "«",
        "Fc" => "»",
        "co" => "©",
        "bu" => "•",
        _ => "",
    }
}

fn join_words(text: &str) -> String {
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}
