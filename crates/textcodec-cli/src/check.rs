//! `textcodec check`: the loop over the inputs and the format of findings. `findings.rs` finds them.

use std::{
    io::{self, Read as _, Write},
    path::PathBuf,
};

use clap::Args;
use serde::Serialize;
use textcodec::{Encoding, UTF_8};

use crate::{
    Outcome, Stop,
    characters::{self, hex},
    findings::{Checker, Finding, Kind},
    input::Input,
    labels, narrow, print, print_message,
    source::{self, InputEncoding, Opened},
};

/// Check that files are well-formed in an encoding, and list malformed sequences
///
/// Each malformed sequence is reported on a line that starts with file, line and column, as in compiler messages, so that
/// editors can jump to it. The byte offset, the bytes and the reason follow. With --to, unmappable characters are
/// reported, too. If a label names less than it means, as `ascii` and `latin1` do, so are characters outside the encoding
/// that it names. Files are only read, and files of any size are checked in constant memory.
#[derive(Debug, Args)]
#[command(after_help = "Examples and exit status: textcodec check --help", after_long_help = AFTER)]
pub(crate) struct Arguments {
    /// Encoding that the files should be in, or auto [default: UTF-8]
    ///
    /// A byte order mark of UTF-8, UTF-16LE or UTF-16BE at the start of a file overrides this option. `auto` detects the
    /// encoding of each file. Both are as in `convert`.
    #[arg(short, long, value_name = "LABEL")]
    from: Option<String>,

    /// Also list the characters that are unmappable in this encoding
    #[arg(short, long, value_name = "LABEL")]
    to: Option<String>,

    /// Also accept names used in mail and by Windows, Python and iconv, such as cp932
    #[arg(long)]
    aliases: bool,

    /// Stop reading a file after this many findings
    #[arg(short, long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    max_count: Option<u64>,

    /// Print each finding as a JSON object on its own line
    ///
    /// The members are `file`, `line`, `column`, `byte` (the offset), `length` (in bytes), `kind` and `encoding`. The kind
    /// "malformed" also has `bytes` and `reason`, the kinds "unmappable" and "outside" `character`, `code_point` and
    /// `name`.
    #[arg(long)]
    json: bool,

    /// Print no findings, stop at the first one in each file, and only set the exit status
    #[arg(short, long)]
    quiet: bool,

    /// Files to check; with no FILE, or when FILE is `-`, standard input is read
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

const AFTER: &str = "\
Output:
  data.csv:2:3: malformed UTF-8 at byte 6 (EF): the next byte does not continue this sequence
  page.html:1:3: unmappable in windows-1252 at byte 2: U+5B57 '字' CJK UNIFIED IDEOGRAPH-5B57
  names.txt:3:2: not in ASCII at byte 12: U+00E9 'é' LATIN SMALL LETTER E WITH ACUTE

A line ends with a line feed; a carriage return without one is a character within the line. Columns
count characters from 1; a malformed sequence counts as one. A byte order mark counts in byte
offsets, but not in columns.

Examples:
  Check that a file is valid UTF-8:
      textcodec check data.csv
  List the first five malformed sequences in each of two files:
      textcodec check -f shift_jis -m 5 old.txt data.csv
  List the characters that would be lost in windows-1252:
      textcodec check --to windows-1252 page.html
  Check that a file is true ASCII:
      textcodec check -f ascii names.txt
  Check a file in a script:
      textcodec check -q data.csv && echo valid
  Select findings with another program:
      textcodec check --json broken.log | grep '\"line\":2'

Exit status:
  0  nothing was found, or the reader of the output closed it, as head does
  1  something was found
  2  wrong usage: nothing was read
  3  a file could not be read; the other files were checked";

pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Stop> {
    let from = InputEncoding::from_option(arguments.from.as_deref(), arguments.aliases)?;
    let to = arguments.to.as_deref().map(|label| labels::for_option("--to", label, arguments.aliases));
    let to = to.transpose()?.map(|named| named.encoding);
    if let Some(to) = to {
        labels::require_encoder("--to", to)?;
    }
    let narrow = narrow::Labels {
        from: arguments.from.as_deref().and_then(narrow::find),
        to: arguments.to.as_deref().and_then(narrow::find),
        strict: true,
    };
    let inputs = Input::all(&arguments.files);

    let mut totals = Totals::default();
    let mut check = Check { arguments, from, to, narrow, totals: &mut totals };
    print(|out| inputs.iter().try_for_each(|input| check.input(input, out)))?;
    if !arguments.quiet {
        totals.print_summary(inputs.len(), arguments, to);
    }
    Ok(totals.outcome())
}

/// The number of bytes per read.
const BLOCK_LEN: usize = 64 * 1024;

struct Check<'a> {
    arguments: &'a Arguments,
    from: InputEncoding,
    to: Option<Encoding>,
    narrow: narrow::Labels,
    totals: &'a mut Totals,
}

impl Check<'_> {
    /// Checks one input. Returns only the errors of the output; those of the input are reported.
    fn input(&mut self, input: &Input, out: &mut dyn Write) -> io::Result<()> {
        let before = self.totals.found();
        let Opened { source, bom, .. } = match source::open(input, self.from) {
            Ok(opened) => opened,
            Err(error) => {
                self.totals.unreadable(input, &error);
                return Ok(());
            }
        };
        let mut reader = source.reader;
        let mut checker = Checker::new(source.encoding, bom, self.to, self.narrow);
        let mut block = vec![0; BLOCK_LEN];
        let mut findings = Vec::new();
        let mut left = if self.arguments.quiet { Some(1) } else { self.arguments.max_count };
        loop {
            let len = match reader.read(&mut block) {
                Ok(len) => len,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    self.totals.unreadable(input, &error);
                    break;
                }
            };
            // A read of length 0 is the end of the input.
            checker.check(&block[..len], len == 0, &mut findings);
            for finding in findings.drain(..) {
                if left == Some(0) {
                    break;
                }
                left = left.map(|left| left - 1);
                self.totals.add(&finding);
                if !self.arguments.quiet {
                    self.print(input, &finding, out)?;
                }
            }
            if len == 0 {
                break;
            }
            if left == Some(0) {
                self.totals.stopped += 1;
                break;
            }
            // Findings in a large file appear while it is being read.
            out.flush()?;
        }
        self.totals.files += u64::from(self.totals.found() > before);
        Ok(())
    }

    fn print(&self, input: &Input, finding: &Finding, out: &mut dyn Write) -> io::Result<()> {
        let Finding { byte, location, kind } = finding;
        let (line, column) = (location.line(), location.column());
        // The bytes as given, so that other programs can open the file.
        let name: &[u8] = match input {
            Input::Stdin => b"-",
            Input::File(path) => path.as_os_str().as_encoded_bytes(),
        };
        if self.arguments.json {
            let file = String::from_utf8_lossy(name);
            let json = Json { file: &file, line, column, byte: *byte, kind: JsonKind::new(kind) };
            serde_json::to_writer(&mut *out, &json)?;
            return out.write_all(b"\n");
        }
        out.write_all(name)?;
        match kind {
            Kind::Malformed(error) => {
                let (encoding, bytes, reason) = (error.encoding(), hex(error.bytes()), error.reason());
                writeln!(out, ":{line}:{column}: malformed {encoding} at byte {byte} ({bytes}): {reason}")
            }
            Kind::Unmappable { character, to, .. } => {
                let character = characters::describe(*character);
                writeln!(out, ":{line}:{column}: unmappable in {to} at byte {byte}: {character}")
            }
            Kind::Outside { character, narrow, .. } => {
                let (name, character) = (narrow.name, characters::describe(*character));
                writeln!(out, ":{line}:{column}: not in {name} at byte {byte}: {character}")
            }
        }
    }
}

/// The counts for the summary.
#[derive(Debug, Default)]
struct Totals {
    malformed: u64,
    unmappable: u64,
    /// Characters outside the encoding that a label names.
    outside: u64,
    /// Files with findings.
    files: u64,
    /// Files that could not be read.
    unreadable: u64,
    /// Files that were not read to their end, because they have enough findings.
    stopped: u64,
}

impl Totals {
    fn found(&self) -> u64 {
        self.malformed + self.unmappable + self.outside
    }

    fn add(&mut self, finding: &Finding) {
        match finding.kind {
            Kind::Malformed(_) => self.malformed += 1,
            Kind::Unmappable { .. } => self.unmappable += 1,
            Kind::Outside { .. } => self.outside += 1,
        }
    }

    fn unreadable(&mut self, input: &Input, error: &io::Error) {
        self.unreadable += 1;
        print_message(format_args!("{input}: {error}"));
    }

    /// Prints the summary, such as `2 malformed sequences and 1 character unmappable in KOI8-U in 1 of 3 files; 1 file could
    /// not be read`. Prints nothing about a single input without findings.
    fn print_summary(&self, inputs: usize, arguments: &Arguments, to: Option<Encoding>) {
        let mut found = Vec::new();
        match self.malformed {
            0 => {}
            1 => found.push("1 malformed sequence".to_owned()),
            n => found.push(format!("{n} malformed sequences")),
        }
        let to = to.unwrap_or(UTF_8);
        match self.unmappable {
            0 => {}
            1 => found.push(format!("1 character unmappable in {to}")),
            n => found.push(format!("{n} characters unmappable in {to}")),
        }
        let (outside, labels) = outside_labels(arguments);
        match self.outside {
            0 => {}
            1 => found.push(format!("1 character not in {outside}")),
            n => found.push(format!("{n} characters not in {outside}")),
        }
        let found_nothing = found.is_empty();
        let findings = if found_nothing { "nothing found".to_owned() } else { found.join(" and ") };
        let files = match inputs {
            1 if found_nothing => return,
            1 => String::new(),
            n if found_nothing => format!(" in {}", number_of_files(n as u64 - self.unreadable)),
            n => format!(" in {} of {n} files", self.files),
        };
        let unreadable = match self.unreadable {
            0 => String::new(),
            n => format!("; {} could not be read", number_of_files(n)),
        };
        let stopped = match self.stopped {
            0 => String::new(),
            1 => "; there may be more: 1 file was not read to its end".to_owned(),
            n => format!("; there may be more: {n} files were not read to their end"),
        };
        let wrong_encoding = self.malformed > 0 && arguments.from.is_none();
        let advice =
            if wrong_encoding { " (if this is not UTF-8, give its encoding with -f, or try -f auto)" } else { "" };
        let labels = if self.outside > 0 { labels } else { String::new() };
        print_message(format_args!("{findings}{files}{unreadable}{stopped}{advice}{labels}"));
    }

    fn outcome(&self) -> Outcome {
        if self.unreadable > 0 {
            Outcome::Failures
        } else if self.found() > 0 {
            Outcome::Losses
        } else {
            Outcome::Clean
        }
    }
}

/// Returns the narrower encodings that the labels of `--from` and `--to` name, and advice on these labels.
fn outside_labels(arguments: &Arguments) -> (String, String) {
    let (mut names, mut advice) = (Vec::new(), String::new());
    for label in [&arguments.from, &arguments.to].into_iter().flatten() {
        if let Some(narrow) = narrow::find(label).filter(|narrow| !names.contains(&narrow.name)) {
            names.push(narrow.name);
            advice.push_str("; ");
            advice.push_str(&narrow.advice(label));
        }
    }
    (names.join(" or "), advice)
}

fn number_of_files(count: u64) -> String {
    if count == 1 { "1 file".to_owned() } else { format!("{count} files") }
}

#[derive(Serialize)]
struct Json<'a> {
    file: &'a str,
    line: u64,
    column: u64,
    byte: u64,
    #[serde(flatten)]
    kind: JsonKind,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum JsonKind {
    Malformed { length: u64, encoding: &'static str, bytes: String, reason: String },
    Unmappable { length: u64, encoding: &'static str, character: char, code_point: String, name: String },
    Outside { length: u64, encoding: &'static str, character: char, code_point: String, name: String },
}

impl JsonKind {
    fn new(kind: &Kind) -> Self {
        match kind {
            Kind::Malformed(error) => Self::Malformed {
                length: error.bytes().len() as u64,
                encoding: error.encoding().name(),
                bytes: hex(error.bytes()),
                reason: error.reason().to_string(),
            },
            Kind::Unmappable { character, len, to } => Self::Unmappable {
                length: *len,
                encoding: to.name(),
                character: *character,
                code_point: characters::code_point(*character),
                name: characters::name(*character),
            },
            Kind::Outside { character, len, narrow } => Self::Outside {
                length: *len,
                encoding: narrow.name,
                character: *character,
                code_point: characters::code_point(*character),
                name: characters::name(*character),
            },
        }
    }
}
