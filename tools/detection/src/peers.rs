//! The programs and libraries that guess encodings.

use std::{
    fmt::Write as _,
    fs::{self, File},
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context as _, Result, ensure};
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use sha2::{Digest as _, Sha256};
use textcodec::{Alias, Encoding};

use crate::{
    judge::{Verdict, is_exact, may_refuse},
    kinds::{KINDS, Text, Truth, is_ordinary},
    report::percentage,
    root,
};

/// The maximum number of texts of each kind for peers.
const SAMPLE: usize = 150;

/// The answer for a text.
struct Answer {
    /// The name of the encoding as the peer spells it.
    name: String,
    /// The SHA-256 sum of the text that the peer decodes, in hexadecimal digits, if the peer decodes.
    decoded: String,
}

impl Answer {
    fn named(name: &str) -> Self {
        Self { name: name.to_owned(), decoded: String::new() }
    }
}

type Answers = Result<(String, Vec<Answer>)>;

/// Measures all peers that are available, with a sample of each kind.
pub(crate) fn table(texts: &[Text], verdicts: &[Verdict], python: &Path, folder: &Path) -> Result<String> {
    let mut sample = Vec::new();
    for (kind, _) in KINDS {
        let of_kind: Vec<_> = texts.iter().zip(verdicts).filter(|(text, _)| text.kind == kind).collect();
        sample.extend(of_kind.iter().copied().step_by(of_kind.len().div_ceil(SAMPLE).max(1)));
    }
    let (sample, ours): (Vec<&Text>, Vec<&Verdict>) = sample.into_iter().unzip();
    let paths = write(&sample, folder)?;
    let mut columns =
        vec![("textcodec".to_owned(), ours.iter().map(|verdict| verdict.is_right).collect::<Vec<bool>>())];
    for (name, answers) in [
        ("chardet", of_python("chardet", &paths, python, folder)),
        ("chardetng", chardetng(&sample)),
        ("uchardet", uchardet(&paths)),
        ("charset-normalizer", of_python("charset_normalizer", &paths, python, folder)),
        ("file", file(&paths)),
    ] {
        match answers {
            Ok((version, answers)) => {
                ensure!(answers.len() == sample.len(), "{name}: {} answers", answers.len());
                let right = sample.iter().zip(&answers).map(|(text, answer)| is_right(text, answer)).collect();
                columns.push((format!("{name} {version}"), right));
            }
            Err(error) => println!("SKIPPED {name}: {error:#}"),
        }
    }
    let names: Vec<&str> = columns.iter().map(|(name, _)| &**name).collect();
    let mut table = format!(
        "A sample of at most {SAMPLE} texts of each kind:\n\n| right, % | texts | {} |\n|---|---:|{}\n",
        names.join(" | "),
        "---:|".repeat(names.len())
    );
    let mut row = |name: &str, fits: &dyn Fn(&str) -> bool| {
        let cells: Vec<String> = columns
            .iter()
            .map(|(_, right)| {
                let fitting: Vec<bool> =
                    sample.iter().zip(right).filter(|(text, _)| fits(text.kind)).map(|(_, right)| *right).collect();
                percentage(fitting.iter().filter(|right| **right).count(), fitting.len())
            })
            .collect();
        let count = sample.iter().filter(|text| fits(text.kind)).count();
        let _ = writeln!(table, "| {name} | {count} | {} |", cells.join(" | "));
    };
    for (kind, _) in KINDS {
        row(kind, &|other| other == kind);
    }
    row("**all hard kinds**", &|kind| !is_ordinary(kind));
    Ok(table)
}

/// Writes the texts into a folder, and returns their paths.
pub(crate) fn write(texts: &[&Text], folder: &Path) -> Result<Vec<PathBuf>> {
    fs::create_dir_all(folder)?;
    let mut paths = Vec::new();
    for (n, text) in texts.iter().enumerate() {
        let name = format!("{}.{}.{}.{n}", text.kind, text.language, text.encoding.replace([' ', '/'], "_"));
        paths.push(folder.join(name));
        fs::write(&paths[n], &text.bytes)?;
    }
    Ok(paths)
}

/// Returns whether the text decodes rightly, with the encoding that the standard or `oem` means by the name, or with the
/// peer's decoder of that name. No answer is right where a refusal is.
fn is_right(text: &Text, answer: &Answer) -> bool {
    let lower = answer.name.to_ascii_lowercase();
    if matches!(&*lower, "" | "none" | "unknown" | "binary" | "unknown-8bit") {
        return may_refuse(text);
    }
    let alias = || Some(Alias::for_name(&answer.name)?.encoding);
    let sum = |text: &str| {
        Sha256::digest(text.as_bytes()).iter().fold(String::new(), |sum, byte| sum + &format!("{byte:02x}"))
    };
    Encoding::for_label(&answer.name).or_else(alias).is_some_and(|encoding| is_exact(text, encoding))
        || matches!(&text.truth, Truth::One(_, truth) if answer.decoded == sum(truth))
}

fn uchardet(paths: &[PathBuf]) -> Answers {
    let version = output(Command::new("uchardet").arg("--version"))?;
    let version = version.split("Version ").nth(1).and_then(|rest| rest.split_whitespace().next()).unwrap_or_default();
    let mut answers = Vec::new();
    for paths in paths.chunks(500) {
        let lines = output(Command::new("uchardet").args(paths))?;
        answers.extend(lines.lines().map(|line| Answer::named(line.rsplit(": ").next().unwrap_or_default())));
    }
    Ok((version.to_owned(), answers))
}

fn file(paths: &[PathBuf]) -> Answers {
    let version = output(Command::new("file").arg("--version"))?;
    let version = version.lines().next().and_then(|line| line.strip_prefix("file-")).unwrap_or_default().to_owned();
    let mut answers = Vec::new();
    for paths in paths.chunks(500) {
        let lines = output(Command::new("file").args(["--brief", "--mime-encoding"]).args(paths))?;
        answers.extend(lines.lines().map(Answer::named));
    }
    Ok((version, answers))
}

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of the other peers")]
fn chardetng(texts: &[&Text]) -> Answers {
    let guess = |text: &&Text| {
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
        detector.feed(&text.bytes, true);
        Answer::named(detector.guess(None, Utf8Detection::Allow).name())
    };
    let lock = fs::read_to_string(root().join("Cargo.lock")).unwrap_or_default();
    let version = lock.split("name = \"chardetng\"\nversion = \"").nth(1).and_then(|rest| rest.split('"').next());
    Ok((version.unwrap_or_default().to_owned(), texts.iter().map(guess).collect()))
}

fn of_python(package: &str, paths: &[PathBuf], python: &Path, folder: &Path) -> Answers {
    let list: PathBuf = folder.join("paths");
    let mut file = File::create(&list)?;
    paths.iter().try_for_each(|path| writeln!(file, "{}", path.display()))?;
    let script = root().join("tools/detection/src/peers.py");
    let lines = output(Command::new(python).arg(script).arg(package).stdin(File::open(list)?))?;
    let (version, answers) = lines.split_once('\n').context("no version")?;
    let answer = |line: &str| {
        let (name, decoded) = line.split_once(' ')?;
        Some(Answer { name: name.to_owned(), decoded: decoded.to_owned() })
    };
    Ok((version.to_owned(), answers.lines().filter_map(answer).collect()))
}

fn output(command: &mut Command) -> Result<String> {
    let output = command.stderr(Stdio::piped()).output().with_context(|| format!("{command:?}"))?;
    let message = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{}", message.lines().last().unwrap_or_default());
    Ok(String::from_utf8(output.stdout)?)
}
