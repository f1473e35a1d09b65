//! `textcodec detect`: what is printed.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use anyhow::anyhow;
use clap::Args;
use serde::Serialize;

use super::{Candidate, Confidence, Detection, Evidence, Extent, detect};
use crate::{Outcome, Stop, characters::hex, input::Input, print, print_message};

/// Tell the encoding of files, or standard input, and why
///
/// Asks, in this order: a byte order mark; what an HTML page, an XML document or a style sheet declares in its first 1024
/// bytes; whether it is UTF-16, ISO-2022-JP or UTF-8, which have a structure; and then guesses from what text is usually
/// like. The whole file is decoded with the answer: a declaration that the bytes contradict does not win.
#[derive(Debug, Args)]
#[command(after_help = "Examples and exit status: textcodec detect --help", after_long_help = AFTER)]
pub(crate) struct Arguments {
    /// Also print what else was likely
    ///
    /// For each encoding: how many malformed sequences the text has in it, how many characters beyond ASCII, and how
    /// many of those text hardly ever has (controls, private use, code points without a character).
    #[arg(short, long)]
    all: bool,

    /// Print JSON, one object a line for each file
    #[arg(long, long_help = JSON)]
    json: bool,

    /// Files to look at; none or `-` is standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Stop> {
    let inputs = Input::all(&arguments.files);
    // Names and encodings form columns, but for names that are much longer than the others.
    let names: Vec<String> = inputs.iter().map(ToString::to_string).collect();
    let width =
        names.iter().map(|name| name.chars().count()).filter(|&len| len <= MAX_ALIGNED_NAME).max().unwrap_or(0) + 1;
    let mut outcome = Outcome::Clean;
    for (input, name) in inputs.iter().zip(&names) {
        let result = detect_input(input);
        outcome = outcome.max(match &result {
            Ok(Detection { confidence: Confidence::None, .. }) => Outcome::Losses,
            Ok(_) => Outcome::Clean,
            Err(error) => {
                print_message(format_args!("{:#}", anyhow!("{name}: {error}")));
                Outcome::Failures
            }
        });
        if arguments.json {
            let line = Line::new(input, &result);
            print(|out| {
                serde_json::to_writer(&mut *out, &line)?;
                out.write_all(b"\n")
            })?;
        } else if let Ok(detection) = &result {
            print(|out| write_text(out, name, width, detection, arguments.all))?;
        }
    }
    Ok(outcome)
}

/// The longest name that others are aligned with.
const MAX_ALIGNED_NAME: usize = 60;

fn detect_input(input: &Input) -> io::Result<Detection> {
    input.check()?;
    detect(&mut input.open()?, Extent::Whole)
}

fn write_text(out: &mut dyn Write, name: &str, width: usize, detection: &Detection, all: bool) -> io::Result<()> {
    let encoding = match detection.confidence {
        Confidence::None => "unknown",
        _ => detection.encoding.name(),
    };
    let confidence = confidence_name(detection.confidence);
    writeln!(out, "{:<width$} {encoding:<12} {confidence:<8} {}", format!("{name}:"), detection.why())?;
    for candidate in detection.candidates.iter().filter(|_| all) {
        let Candidate { encoding, malformed, abandoned, beyond_ascii, unlikely } = candidate;
        let more = if *abandoned { "+" } else { "" };
        write!(out, "{:width$} {encoding:<12} {malformed}{more} malformed", "")?;
        writeln!(out, ", {beyond_ascii}{more} beyond ASCII, {unlikely}{more} of them unlikely")?;
    }
    Ok(())
}

fn confidence_name(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::None => "none",
        Confidence::Low => "low",
        Confidence::Medium => "medium",
        Confidence::High => "high",
        Confidence::Certain => "certain",
    }
}

/// A line of JSON.
#[derive(Serialize)]
struct Line<'a> {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_hex: Option<String>,
    #[serde(flatten)]
    found: Found<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Found<'a> {
    Detection {
        encoding: Option<&'static str>,
        bom: bool,
        confidence: Confidence,
        evidence: Evidence,
        reason: &'a str,
        bytes: u64,
        candidates: Vec<Tried>,
    },
    Error {
        error: String,
    },
}

#[derive(Serialize)]
struct Tried {
    encoding: &'static str,
    malformed: u64,
    complete: bool,
    beyond_ascii: u64,
    unlikely: u64,
}

impl<'a> Line<'a> {
    fn new(input: &Input, result: &'a io::Result<Detection>) -> Self {
        let (path, path_hex) = match input {
            Input::Stdin => ("-".to_owned(), None),
            Input::File(path) => {
                let bytes = path.as_os_str().as_encoded_bytes();
                (path.to_string_lossy().into_owned(), path.to_str().is_none().then(|| hex(bytes).replace(' ', "")))
            }
        };
        let found = match result {
            Ok(detection) => Found::Detection {
                encoding: (detection.confidence > Confidence::None).then(|| detection.encoding.name()),
                bom: detection.evidence == Evidence::Bom,
                confidence: detection.confidence,
                evidence: detection.evidence,
                reason: detection.why(),
                bytes: detection.bytes,
                candidates: detection.candidates.iter().map(Tried::new).collect(),
            },
            Err(error) => Found::Error { error: error.to_string() },
        };
        Self { path, path_hex, found }
    }
}

impl Tried {
    fn new(candidate: &Candidate) -> Self {
        let Candidate { encoding, malformed, abandoned, beyond_ascii, unlikely } = *candidate;
        Self { encoding: encoding.name(), malformed, complete: !abandoned, beyond_ascii, unlikely }
    }
}

const JSON: &str = "\
Print JSON, one object a line for each file

Its members: path; path_hex, the bytes of a path that is not UTF-8; encoding, or null where nothing can be told; bom; \
confidence; evidence (empty, bom, declaration, structure, ascii, guess, none); reason; bytes, how many were looked at; \
and candidates, the answer first, each with encoding, malformed, complete (false: decoding was given up before the \
end), beyond_ascii, unlikely. For a file that cannot be read: path and error.";

const AFTER: &str = "\
Confidence:
  certain  a byte order mark; or an empty file
  high     declared, and nothing is malformed; or a structure that is not there by chance
  medium   a guess from enough text; or strong evidence with something against it
  low      a guess from little text, or from text that is damaged or odd
  none     does not look like text at all; the encoding is 'unknown'

Encodings that differ in no character of a file cannot be told apart: ISO-8859-1 is always
windows-1252, and ASCII is UTF-8. Guesses look at the first megabyte that is not UTF-8; what
they are tested with is all of the file.

Examples:
  What are these files?
      textcodec detect *.txt
  Where does this come from, and what else could it be?
      textcodec detect --all old.csv
  From a pipe:
      zcat log.gz | textcodec detect
  Which files are neither ASCII nor UTF-8?
      textcodec detect --json *.csv | jq -r 'select(.encoding != \"UTF-8\").path'

Exit status:
  0  each file has an answer
  1  nothing can be told about a file: it does not look like text
  2  wrong usage
  3  a file could not be read; the others were looked at all the same";
