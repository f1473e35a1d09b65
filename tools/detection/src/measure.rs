//! `detection measure`: how often the programs find the encoding of labelled texts.
//!
//! An answer is right if the text decodes to the same characters as with the true encoding, whatever its name.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context as _, Result, ensure};
use sha2::{Digest as _, Sha256};
use textcodec::{Alias, Bom, DecodeOptions, Encoding, UTF_8};

use super::{
    labelled::{Labelled, SIZES, labelled},
    peers::{self, Answer, Peer},
    texts::{Half, Texts},
};
use crate::root;

/// The arguments of `detection measure`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder with `LANGUAGE.txt` files.
    #[arg(long)]
    texts: PathBuf,
    /// The half of the texts from which the labelled texts are made.
    #[arg(long, value_enum, default_value = "held-out")]
    half: Half,
    /// Keep the labelled texts in this folder. Their names are `LANGUAGE.ENCODING.KIND.SIZE.NUMBER`.
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// Measure only this program.
    #[arg(long)]
    alone: bool,
    /// Print the wrong answers of this program.
    #[arg(long)]
    wrong: bool,
    /// The program to measure [default: built from this workspace]
    #[arg(long)]
    program: Option<PathBuf>,
    /// The Python interpreter that has chardet and charset-normalizer.
    #[arg(long, default_value = "python3")]
    python: PathBuf,
    /// Write the tables to `docs/program.md`.
    #[arg(long, conflicts_with_all = ["alone", "program"])]
    record: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let temporary = tempfile::Builder::new().prefix("detection-").tempdir_in(root().join("target"))?;
    let folder = arguments.keep.as_deref().unwrap_or(temporary.path());
    fs::create_dir_all(folder)?;
    let texts = labelled(&Texts::read(&arguments.texts)?, arguments.half, folder)?;
    texts.iter().try_for_each(|text| fs::write(&text.path, &text.bytes))?;
    let program = arguments.program.clone().map_or_else(build, Ok)?;
    let ours = ours(&program, &texts)?;
    let mut columns = vec![Column::new(
        "textcodec",
        &ours.iter().map(|ours| Answer::named(&ours.encoding)).collect::<Vec<_>>(),
        &texts,
    )];
    if arguments.wrong {
        print_wrong(&texts, &ours, &columns[0]);
    }
    let peers = if arguments.alone { Vec::new() } else { peers::run(&texts, &arguments.python, folder)? };
    columns.extend(peers.iter().map(|peer| Column::new(peer.name, &peer.answers, &texts)));
    let tables = [
        about(&texts, &peers),
        by_size(&texts, &columns),
        by_encoding(&texts, &columns),
        calibration(&texts, &ours, &columns[0]),
    ];
    let page = tables.join("\n");
    println!("{page}");
    if arguments.record { record(&page) } else { Ok(()) }
}

/// An answer of this program.
struct Ours {
    encoding: String,
    confidence: String,
    reason: String,
}

fn ours(program: &Path, texts: &[Labelled]) -> Result<Vec<Ours>> {
    let mut answers = Vec::new();
    for texts in texts.chunks(500) {
        let paths = texts.iter().map(|text| &text.path);
        let output = Command::new(program).args(["detect", "--json"]).args(paths).stderr(Stdio::inherit()).output()?;
        for line in String::from_utf8(output.stdout)?.lines() {
            let object: serde_json::Value = serde_json::from_str(line)?;
            let string = |name: &str| object[name].as_str().unwrap_or_default().to_owned();
            answers.push(Ours {
                encoding: string("encoding"),
                confidence: string("confidence"),
                reason: string("reason"),
            });
        }
    }
    ensure!(answers.len() == texts.len(), "{} answers for {} texts", answers.len(), texts.len());
    Ok(answers)
}

/// The right and wrong answers of a program.
struct Column {
    name: &'static str,
    right: Vec<bool>,
}

impl Column {
    fn new(name: &'static str, answers: &[Answer], texts: &[Labelled]) -> Self {
        Self { name, right: texts.iter().zip(answers).map(|(text, answer)| is_right(text, answer)).collect() }
    }

    /// Returns the percentage of right answers for the texts that fit.
    fn percentage(&self, texts: &[Labelled], fits: impl Fn(&Labelled) -> bool) -> String {
        let right: Vec<bool> =
            texts.iter().zip(&self.right).filter(|(text, _)| fits(text)).map(|(_, &right)| right).collect();
        percentage(&right)
    }
}

fn percentage(right: &[bool]) -> String {
    let (count, all) = (right.iter().filter(|&&right| right).count(), right.len());
    if all == 0 {
        return String::new();
    }
    // Rounded down, so that 100 means all.
    let tenths = count * 1000 / all;
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// Returns whether the text decodes to the right characters, with the encoding that the standard means by the name, or with
/// the peer's decoder of that name.
fn is_right(text: &Labelled, answer: &Answer) -> bool {
    let decode = |encoding: Encoding| {
        encoding.decode_with(&text.bytes, DecodeOptions::new().bom(Bom::Keep)).map(|decoded| decoded.text).ok()
    };
    let true_text = decode(text.encoding).unwrap_or_default();
    let of_standard = Encoding::for_label(&answer.name);
    let encoding = of_standard.or_else(|| Some(Alias::for_name(&answer.name)?.encoding));
    let sum =
        || Sha256::digest(true_text.as_bytes()).iter().fold(String::new(), |sum, byte| sum + &format!("{byte:02x}"));
    encoding.is_some_and(|encoding| decode(encoding).as_ref() == Some(&true_text))
        || (!answer.decoded.is_empty() && answer.decoded == sum())
        || (encoding.is_none() && answer.decoded.is_empty() && is_right_in_iconv(text, &true_text, &answer.name))
}

/// Decodes with iconv, for encodings that the standard does not have.
fn is_right_in_iconv(text: &Labelled, true_text: &str, name: &str) -> bool {
    if name.is_empty() || matches!(name, "None" | "unknown") {
        return false;
    }
    let output = Command::new("iconv").args(["-f", name, "-t", "UTF-8"]).arg(&text.path).output();
    output.is_ok_and(|output| output.status.success() && output.stdout == true_text.as_bytes())
}

fn about(texts: &[Labelled], peers: &[Peer]) -> String {
    let languages: BTreeSet<_> = texts.iter().map(|text| text.language).collect();
    let encodings: BTreeSet<_> = texts.iter().map(|text| text.encoding.name()).collect();
    let mut about = format!("{} texts in {} languages and {} encodings", texts.len(), languages.len(), encodings.len());
    for Peer { name, version, .. } in peers {
        let _ = write!(about, "; {name} {version}");
    }
    about + ".\n"
}

fn by_size(texts: &[Labelled], columns: &[Column]) -> String {
    let mut table = head("right answers, %", columns);
    let is_unicode = |text: &Labelled| text.encoding.name().starts_with("UTF-");
    for (size, _) in SIZES {
        row(&mut table, &format!("{size} bytes"), texts, columns, |text| text.size == size && !is_unicode(text));
    }
    row(&mut table, "all sizes", texts, columns, |text| !is_unicode(text));
    row(&mut table, "UTF-8", texts, columns, |text| text.encoding == UTF_8);
    row(&mut table, "UTF-16", texts, columns, |text| is_unicode(text) && text.encoding != UTF_8);
    table
}

fn by_encoding(texts: &[Labelled], columns: &[Column]) -> String {
    let mut table = head("right answers by encoding, %", columns);
    let encodings: BTreeSet<_> = texts.iter().map(|text| text.encoding.name()).collect();
    for encoding in encodings {
        row(&mut table, encoding, texts, columns, |text| text.encoding.name() == encoding);
    }
    table
}

fn head(first: &str, columns: &[Column]) -> String {
    let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
    format!("| {first} | texts | {} |\n|---|---:|{}\n", names.join(" | "), "---:|".repeat(columns.len()))
}

fn row(table: &mut String, name: &str, texts: &[Labelled], columns: &[Column], fits: impl Fn(&Labelled) -> bool) {
    let cells: Vec<String> = columns.iter().map(|column| column.percentage(texts, &fits)).collect();
    let count = texts.iter().filter(|text| fits(text)).count();
    let _ = writeln!(table, "| {name} | {count} | {} |", cells.join(" | "));
}

fn calibration(texts: &[Labelled], ours: &[Ours], column: &Column) -> String {
    let mut table = "| confidence | texts | right, % | 20 bytes | 100 bytes | 1000 bytes | 20000 bytes |\n\
        |---|---:|---:|---:|---:|---:|---:|\n"
        .to_owned();
    for confidence in ["certain", "high", "medium", "low", "none"] {
        let with = |size: Option<usize>| {
            let all = texts.iter().zip(ours).zip(&column.right);
            let fitting = all.filter(|((text, answer), _)| {
                answer.confidence == confidence && size.is_none_or(|size| text.size == size)
            });
            fitting.map(|(_, &right)| right).collect::<Vec<bool>>()
        };
        let all = with(None);
        if all.is_empty() {
            continue;
        }
        let _ = write!(table, "| {confidence} | {} | {} |", all.len(), percentage(&all));
        for (size, _) in SIZES {
            let right = with(Some(size));
            let _ = write!(table, " {} of {} |", right.iter().filter(|&&right| right).count(), right.len());
        }
        table.push('\n');
    }
    table
}

fn print_wrong(texts: &[Labelled], ours: &[Ours], column: &Column) {
    let mut counts: BTreeMap<(&str, &str, &str, &str), usize> = BTreeMap::new();
    for ((text, answer), _) in texts.iter().zip(ours).zip(&column.right).filter(|(_, right)| !**right) {
        let name = text.path.file_name().unwrap_or_default().to_string_lossy();
        println!("{} {name} {} {}", answer.confidence, answer.encoding, answer.reason);
        *counts.entry((&answer.confidence, text.language, text.encoding.name(), &answer.encoding)).or_default() += 1;
    }
    for ((confidence, language, encoding, answer), count) in counts {
        println!("sum {count:4} {confidence} {language} {encoding} as {answer}");
    }
}

/// Builds the program and returns its path.
fn build() -> Result<PathBuf> {
    let status = Command::new("cargo")
        .args(["build", "--release", "--quiet", "--package", "textcodec-cli"])
        .current_dir(root())
        .status()?;
    ensure!(status.success(), "the program does not build");
    Ok(root().join("target/release/textcodec"))
}

/// Replaces the section of `docs/program.md` that this command writes.
fn record(page: &str) -> Result<()> {
    let path = root().join("docs/program.md");
    let document = fs::read_to_string(&path)?;
    let begin = "<!-- detection measure --record -->";
    let (before, rest) = document.split_once(begin).with_context(|| format!("no line {begin}"))?;
    let (_, after) = rest.split_once("<!-- end -->").context("no end")?;
    Ok(fs::write(path, format!("{before}{begin}\n{page}<!-- end -->{after}"))?)
}
