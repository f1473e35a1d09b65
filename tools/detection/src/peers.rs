//! The programs and libraries that guess encodings.

use std::{
    fs::{self, File},
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context as _, Result, ensure};
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};

use super::labelled::Labelled;
use crate::root;

/// The answer for a text.
pub(crate) struct Answer {
    /// The name of the encoding as the peer spells it.
    pub(crate) name: String,
    /// The SHA-256 sum of the text that the peer decodes, in hexadecimal digits, if the peer decodes.
    pub(crate) decoded: String,
}

impl Answer {
    pub(crate) fn named(name: &str) -> Self {
        Self { name: name.to_owned(), decoded: String::new() }
    }
}

/// The answers of a peer, in the order of the texts.
pub(crate) struct Peer {
    pub(crate) name: &'static str,
    pub(crate) version: String,
    pub(crate) answers: Vec<Answer>,
}

/// Runs all peers that are available.
pub(crate) fn run(texts: &[Labelled], python: &Path, folder: &Path) -> Result<Vec<Peer>> {
    let mut peers = Vec::new();
    for (name, answers) in [
        ("uchardet", uchardet(texts)),
        ("chardetng", chardetng(texts)),
        ("chardet", of_python("chardet", texts, python, folder)),
        ("charset-normalizer", of_python("charset_normalizer", texts, python, folder)),
    ] {
        match answers {
            Ok((version, answers)) => {
                ensure!(answers.len() == texts.len(), "{name}: {} answers", answers.len());
                peers.push(Peer { name, version, answers });
            }
            Err(error) => println!("SKIPPED {name}: {error:#}"),
        }
    }
    Ok(peers)
}

type Answers = Result<(String, Vec<Answer>)>;

fn uchardet(texts: &[Labelled]) -> Answers {
    let version = output(Command::new("uchardet").arg("--version"))?;
    let version = version.split("Version ").nth(1).and_then(|rest| rest.split_whitespace().next()).unwrap_or_default();
    let mut answers = Vec::new();
    for texts in texts.chunks(500) {
        let lines = output(Command::new("uchardet").args(texts.iter().map(|text| &text.path)))?;
        answers.extend(lines.lines().map(|line| Answer::named(line.rsplit(": ").next().unwrap_or_default())));
    }
    Ok((version.to_owned(), answers))
}

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of the other peers")]
fn chardetng(texts: &[Labelled]) -> Answers {
    let guess = |text: &Labelled| {
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
        detector.feed(&text.bytes, true);
        Answer::named(detector.guess(None, Utf8Detection::Allow).name())
    };
    let lock = fs::read_to_string(root().join("Cargo.lock")).unwrap_or_default();
    let version = lock.split("name = \"chardetng\"\nversion = \"").nth(1).and_then(|rest| rest.split('"').next());
    Ok((version.unwrap_or_default().to_owned(), texts.iter().map(guess).collect()))
}

fn of_python(package: &str, texts: &[Labelled], python: &Path, folder: &Path) -> Answers {
    let list: PathBuf = folder.join("paths");
    let mut file = File::create(&list)?;
    texts.iter().try_for_each(|text| writeln!(file, "{}", text.path.display()))?;
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
