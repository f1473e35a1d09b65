//! The command `textcodec detect`.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use anyhow::anyhow;
use clap::Args;
use serde::Serialize;

use super::{Candidate, Confidence, Detection, Evidence, Extent, detect};
use crate::{Outcome, Stop, characters::hex, input::Input, print, print_message};

/// Detect the encoding of files, or standard input, and print the evidence
///
/// The evidence, in this order: a byte order mark; a declaration in the first 1024 bytes of an HTML page, an XML document or
/// a style sheet; the structure of UTF-16, ISO-2022-JP or UTF-8; a guess from the statistics of text. The whole file is
/// decoded, and a declaration that the bytes contradict is rejected.
#[derive(Debug, Args)]
#[command(after_help = "Examples and exit status: textcodec detect --help", after_long_help = AFTER)]
pub(crate) struct Arguments {
    /// Also print the other likely encodings
    ///
    /// For each encoding: the number of malformed sequences, the number of non-ASCII characters, and how many of these
    /// rarely occur in text (controls, private use, unassigned code points).
    #[arg(short, long)]
    all: bool,

    /// Print a JSON object for each file, one per line
    #[arg(long, long_help = JSON)]
    json: bool,

    /// Files to examine; with no FILE, or when FILE is `-`, standard input is read
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Stop> {
    let inputs = Input::all(&arguments.files);
    // Names are padded to a common width. Very long names are not counted for it.
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

/// The maximum length of a name to which others are aligned.
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
        writeln!(out, ", {beyond_ascii}{more} non-ASCII, {unlikely}{more} of them unlikely")?;
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
Print a JSON object for each file, one per line

Its members: path; path_hex, the bytes of a path that is not UTF-8; encoding, or null if the file does not look like text; \
bom; confidence; evidence (empty, bom, declaration, structure, ascii, guess, none); reason; bytes, the number of bytes \
read; and candidates, starting with the detected encoding, each with encoding, malformed, complete (false if decoding \
stopped before the end), beyond_ascii and unlikely. For a file that cannot be read: path and error.";

const AFTER: &str = "\
Confidence:
  certain  a byte order mark, or an empty file
  high     a declaration without malformed sequences, a structure that cannot be accidental,
           or a guess that is far more likely than all others
  medium   a guess from enough text, or strong evidence with some evidence against it
  low      a guess from little text, or from damaged or unusual text, or with a close second
  none     the file does not look like text; the encoding is printed as 'unknown'

Encodings in which a file decodes to the same text cannot be distinguished: ISO-8859-1 is reported
as windows-1252, and ASCII as UTF-8. A guess is made from the first megabyte that is not UTF-8, and
then checked by decoding the whole file.

Examples:
  Detect the encodings of several files:
      textcodec detect *.txt
  Show the evidence and the other likely encodings:
      textcodec detect --all old.csv
  Detect the encoding of a pipe:
      zcat log.gz | textcodec detect
  List the files that are neither ASCII nor UTF-8:
      textcodec detect --json *.csv | jq -r 'select(.encoding != \"UTF-8\").path'

Exit status:
  0  an encoding was detected for each file
  1  a file does not look like text
  2  wrong usage
  3  a file could not be read; the other files were examined";
