//! The command `textcodec detect`.

use std::io::{self, Read, Write};

use clap::{
    Args,
    builder::styling::{AnsiColor, Style},
};
use textcodec::{Encoding, UTF_8};
use textcodec_detect::{Candidate, Confidence, DetectOptions, Detection};

use super::{
    Extent, detect,
    guessing::{Guessing, require_detectable},
    is_binary,
    json::{Found, write_json},
    why,
};
use crate::{
    Outcome, Stop,
    input::Input,
    labels, ordered, print_message,
    reading::{self, Reading, Selected, Unread},
    screen::{self, Screen},
    source::looks_like_utf_32,
    terminal::{advance, counted, print_message_about},
};

/// Detect the encoding of files, or standard input, and print the evidence
///
/// The evidence, in this order: a byte order mark; a declaration in the first 64 KiB; the structure of UTF-16, ISO-2022-JP or
/// UTF-8; a guess from the statistics of text. The whole file is decoded, and a declaration that the bytes contradict is
/// rejected. Several files are examined at the same time.
///
/// Declarations are read in HTML, XML, CSS, e-mail, PO files, comments of Python and Ruby, LaTeX (inputenc), JSP, PHP (header,
/// declare), vCard and iCalendar, GEDCOM, desktop entries, scripts of Vim, and SQL (SET NAMES and others).
#[derive(Debug, Args)]
#[command(after_help = "Examples and exit status: textcodec detect --help", after_long_help = AFTER)]
#[command(override_usage = "textcodec detect [OPTIONS] [FILE]...")]
#[command(mut_arg("min_confidence", |arg| arg.help(MIN_CONFIDENCE).long_help(MIN_CONFIDENCE_LONG)))]
#[expect(clippy::struct_excessive_bools, reason = "they are options of the command line")]
pub(crate) struct Arguments {
    /// Also print the other likely encodings, the likeliest first
    ///
    /// For each encoding: how likely it is, from 0 to 1; the number of malformed sequences; the number of non-ASCII characters, and how
    /// many of these rarely occur in text (controls, private use, unassigned code points). The first one also has the language
    /// of the text, if it is known. Encodings in which the text is the same share their probability.
    #[arg(short, long)]
    all: bool,

    /// The input is the start of a text: a character that is incomplete at its end is no error
    #[arg(long)]
    partial: bool,

    #[command(flatten)]
    guessing: Guessing,

    /// Print a JSON object for each file, one per line
    #[arg(long, long_help = JSON)]
    json: bool,

    /// Only report the files in this encoding; can be repeated
    ///
    /// With -l and -L, the default is UTF-8. An ASCII file counts as UTF-8, and a file in ISO-8859-1 as windows-1252: they
    /// cannot be distinguished.
    #[arg(short, long, value_name = "LABEL")]
    encoding: Vec<String>,

    /// Print only the names of the files in an encoding given with --encoding, or in UTF-8
    #[arg(short = 'l', long, group = "names", conflicts_with_all = ["json", "all"])]
    files_with_encoding: bool,

    /// Print only the names of the files that are not in an encoding given with --encoding, or not in UTF-8
    #[arg(short = 'L', long, group = "names", conflicts_with_all = ["json", "all"])]
    files_without_encoding: bool,

    /// Also accept `utf_16` and `utf16`, names of Python for UTF-16 with a byte order mark, unlike the label utf-16
    #[arg(long)]
    aliases: bool,

    #[command(flatten)]
    reading: Reading,
}

impl Arguments {
    fn names_only(&self) -> bool {
        self.files_with_encoding || self.files_without_encoding
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Stop> {
    let find = |label: &String| labels::for_option("--encoding", label, arguments.aliases);
    let mut wanted: Vec<_> =
        arguments.encoding.iter().map(|label| Ok(find(label)?.encoding)).collect::<Result<_, Stop>>()?;
    for encoding in &wanted {
        require_detectable("--encoding", *encoding)?;
    }
    let options = arguments.guessing.options(arguments.aliases)?;
    if wanted.is_empty() && arguments.names_only() {
        wanted.push(UTF_8);
    }
    let inputs = arguments.reading.inputs()?;
    let screen = Screen::stdout();
    // Names are padded to a common width. Very long names are not counted for it.
    let max_width = screen.width().map_or(MAX_ALIGNED_NAME, |width| width / 3);
    let widths = inputs.iter().map(|selected| screen::width(&screen.name(&selected.input, STDIN)));
    let width = widths.filter(|&width| width <= max_width).max().unwrap_or(0) + 1;
    let extent = if arguments.partial { Extent::Beginning } else { Extent::Whole };
    let min_probability = arguments.guessing.min_probability().unwrap_or(Confidence::Low.least());
    let command = Command { arguments, options, extent, min_probability, wanted, screen, width };
    let progress = reading::progress(&inputs);
    let mut totals = Totals { outcome: Outcome::Clean, binary: 0 };
    let result = ordered::for_each(
        &inputs,
        arguments.reading.threads(),
        |selected, out| command.input(selected, out),
        |selected, result| totals.add(&selected.input, result),
    );
    drop(progress);
    result.map_err(|error| Stop::output(&error))?;
    if inputs.is_empty() {
        print_message("no files were found");
    } else if !arguments.names_only() {
        totals.print_summary(inputs.len() as u64);
    }
    Ok(totals.outcome)
}

/// The maximum width of a name to which others are aligned. At a terminal, it is a third of the width.
const MAX_ALIGNED_NAME: usize = 60;

const STDIN: &str = "standard input";

struct Command<'a> {
    arguments: &'a Arguments,
    options: DetectOptions,
    extent: Extent,
    /// Answers of a lower probability are not given.
    min_probability: f64,
    /// The encodings of the files that are reported. If it is empty, all files are.
    wanted: Vec<Encoding>,
    screen: Screen,
    /// The width of the column of names.
    width: usize,
}

impl Command<'_> {
    /// Examines one input. Returns only the errors of the output; those of the input are in the result.
    fn input(&self, selected: &Selected, out: &mut dyn Write) -> io::Result<Result<Answer, Unread>> {
        let arguments = self.arguments;
        let detected = self.detect(selected);
        let names_only = arguments.names_only();
        match &detected {
            Err(Unread::Failed(error)) if arguments.json => {
                write_json(&selected.input, Found::Error { error: error.clone() }, out)?;
            }
            Ok(detection) if names_only && self.is_wanted(detection) == arguments.files_with_encoding => {
                arguments.reading.write_name(&self.screen.name(&selected.input, "-"), out)?;
            }
            Ok(detection) if !names_only && self.is_wanted(detection) => {
                if arguments.json {
                    write_json(&selected.input, Found::new(detection, self.answer(detection)), out)?;
                } else {
                    self.write_text(&selected.input, detection, out)?;
                }
            }
            _ => {}
        }
        out.flush()?;
        Ok(detected.map(|detection| self.answer(&detection)))
    }

    fn detect(&self, selected: &Selected) -> Result<Detection, Unread> {
        let reading = &self.arguments.reading;
        reading.select(selected, false)?;
        selected.input.check()?;
        let detection = detect(&mut Counted(selected.input.open()?), self.extent, &self.options)?;
        // A file can start like text.
        if is_binary(&detection) && reading.skips_binary(selected) && !looks_like_utf_32(&selected.input) {
            return Err(Unread::Binary);
        }
        Ok(detection)
    }

    /// Returns whether the encoding is one of those that are wanted, or whether all are.
    fn is_wanted(&self, detection: &Detection) -> bool {
        self.wanted.is_empty() || self.answer(detection).is_some_and(|encoding| self.wanted.contains(&encoding))
    }

    /// Returns the encoding, unless the file is not text, or the encoding is less certain than the user wants.
    fn answer(&self, detection: &Detection) -> Answer {
        let is_known = detection.confidence > Confidence::None && detection.probability >= self.min_probability;
        is_known.then_some(detection.encoding)
    }

    fn write_text(&self, input: &Input, detection: &Detection, out: &mut dyn Write) -> io::Result<()> {
        let (screen, width) = (self.screen, self.width);
        let encoding = self.answer(detection).map_or("unknown", labels::name);
        let confidence = detection.confidence.name();
        let style = screen.style(style(detection.confidence));
        let name = screen.name(input, STDIN);
        let padding = width.saturating_sub(screen::width(&name) + 1);
        out.write_all(&name)?;
        write!(out, ":{:padding$} {encoding:<12} {style}{confidence:<8}{style:#} ", "")?;
        let column = width.max(screen::width(&name) + 1) + encoding.len().max(12) + 11;
        writeln!(out, "{}", screen.wrap(&why(detection), column, width + 23))?;
        for (number, candidate) in detection.candidates.iter().enumerate().filter(|_| self.arguments.all) {
            let Candidate { malformed, non_ascii, unlikely, is_complete, .. } = candidate;
            let encoding = labels::name(candidate.encoding);
            let more = if *is_complete { "" } else { "+" };
            let language = detection.language.filter(|_| number == 0).map(|language| format!("; {language}"));
            let counts = format!(
                "{malformed}{more} malformed, {non_ascii}{more} non-ASCII, {unlikely}{more} of them unlikely{}",
                language.unwrap_or_default()
            );
            let (probability, column) = (rounded_down(candidate.probability), width + 21);
            writeln!(out, "{:width$} {encoding:<12} {probability} {}", "", screen.wrap(&counts, column, column))?;
        }
        Ok(())
    }
}

/// The detected encoding, if there is one that is certain enough.
type Answer = Option<Encoding>;

/// Formats a probability, such that none seems to reach the next level.
fn rounded_down(probability: f64) -> String {
    format!("{:.4}", (probability * 10_000.0).floor() / 10_000.0)
}

/// Adds the bytes that are read to the progress bar.
struct Counted<R>(R);

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.0.read(buffer)?;
        advance(len);
        Ok(len)
    }
}

#[derive(Debug)]
struct Totals {
    outcome: Outcome,
    /// The number of files that were skipped because they do not look like text.
    binary: u64,
}

impl Totals {
    /// Adds the result for an input, and reports why it could not be read.
    fn add(&mut self, input: &Input, result: Result<Answer, Unread>) {
        self.outcome = self.outcome.max(match result {
            Ok(None) => Outcome::Losses,
            Ok(_) => Outcome::Clean,
            Err(Unread::Binary) => {
                self.binary += 1;
                Outcome::Clean
            }
            Err(Unread::Failed(reason)) => {
                print_message_about(input, reason);
                Outcome::Failures
            }
        });
    }

    /// Says that nothing is printed because all files were skipped.
    fn print_summary(&self, inputs: u64) {
        if inputs == self.binary {
            let (one, many) =
                ("file does not look like text and was skipped", "files do not look like text and were skipped");
            print_message(counted(inputs, one, many));
        }
    }
}

fn style(confidence: Confidence) -> Style {
    match confidence {
        Confidence::Medium => AnsiColor::Yellow.on_default(),
        Confidence::High | Confidence::Certain => AnsiColor::Green.on_default(),
        _ => AnsiColor::Red.on_default(),
    }
}

const MIN_CONFIDENCE: &str =
    "Print unknown instead of less certain answers: low, medium, high, or a number from 0 to 1";

const MIN_CONFIDENCE_LONG: &str = "\
Print unknown instead of less certain answers: low, medium, high, or a number from 0 to 1

The confidence and the reason remain those of the answer, and the exit status is 1. A number is compared with the member `probability` \
of --json. By default, only the encoding of files that do not look like text is unknown.";

const JSON: &str = "\
Print a JSON object for each file, one per line

Its members: path; path_hex, the bytes of a path that is not UTF-8; encoding, or null if the file does not look like text, or \
if the encoding is less certain than --min-confidence; bom; confidence; probability, from 0 to 1; evidence (empty, bom, \
declaration, structure, ascii, guess, none); reason; language, in English, if it is known; bytes, the number of bytes \
read; and candidates, starting with the detected encoding, each with encoding, probability, malformed, complete (false if \
decoding stopped before the end), beyond_ascii and unlikely. For a mail whose parts have several charsets: charsets, each with charset, \
parts and first, the place of the first part. For a file that cannot be read: path and error.";

const AFTER: &str = "\
Confidence:
  certain  a byte order mark, or an empty file
  high     a declaration without malformed sequences, a structure that cannot
           be accidental, or a guess that is far more likely than all others:
           a probability of at least 0.999
  medium   a guess from enough text, or strong evidence with some evidence
           against it: a probability of at least 0.98
  low      a guess from little text, or from damaged or unusual text, or with
           a close second; or a mail whose parts have several charsets
  none     the file does not look like text; its encoding is printed as unknown

Encodings in which a file decodes to the same text cannot be distinguished: ISO-8859-1 is reported as windows-1252, and \
ASCII as UTF-8. A guess is made from different words of all parts of the file, and then checked by decoding the whole file.

Examples:
  Detect the encodings of several files:
      textcodec detect *.txt
  Show the evidence and the other likely encodings:
      textcodec detect --all old.csv
  Detect the encoding of a French file from Windows or MS-DOS:
      textcodec detect --language fr --candidates windows-1252,cp850 old.csv
  Detect the encoding of a pipe:
      zcat log.gz | textcodec detect
  List the files in the current directory that are neither ASCII nor UTF-8:
      textcodec detect -r -L
  Convert them:
      textcodec detect -r -0 -L |
      xargs -0 -r textcodec convert -f auto --in-place=.bak --

Exit status:
  0  an encoding was detected for each file, except for those that were skipped
  1  a file does not look like text, or its encoding is less certain than
     --min-confidence
  2  wrong usage
  3  a file could not be read; the other files were examined";
