//! `textcodec check`: the loop over the inputs and the format of findings. `findings.rs` finds them.

mod json;
mod totals;

use std::{
    io::{self, Write},
    num::NonZeroU32,
};

use clap::{Args, builder::styling::Style};
use textcodec::{REPLACEMENT, UTF_8};
use textcodec_detect::{Confidence, Detection};

use self::{
    json::Json,
    totals::{Checked, Totals},
};
use crate::{
    Outcome, Stop, arguments,
    characters::{self, hex},
    charset::Charset,
    convert::{decode_reason, how_to_decode, not_decoded},
    detect::{self, Guessing},
    findings::{Checker, Finding, Kind},
    input::{self, Input},
    labels,
    location::Location,
    mix::{Mix, Unit},
    mixed_findings::MixedChecker,
    narrow, ordered,
    reading::{self, Reading, Selected, Unread},
    screen::{self, Screen},
    source::{self, InputBom, InputEncoding, Opened},
    table::{Names, Tables},
    terminal::{Progress, advance},
};

/// Check that files are well-formed in an encoding, and list malformed sequences
///
/// Each malformed sequence is reported on a line that starts with file, line and column, as in compiler messages, so that
/// editors can jump to it. The byte offset, the bytes and the reason follow. With --to, unmappable characters are
/// reported, too. If a label names less than it means, as `ascii` and `latin1` do, so are characters outside the encoding
/// that it names, and a byte order mark of another one. Files are only read, and files of any size are checked in constant
/// memory, several at the same time.
#[derive(Debug, Args)]
#[command(after_help = "Examples and exit status: textcodec check --help", after_long_help = AFTER)]
#[command(override_usage = "textcodec check [OPTIONS] [FILE]...")]
#[command(mut_arg("min_confidence", |arg| arg.long_help(MIN_CONFIDENCE)))]
#[expect(clippy::struct_excessive_bools, reason = "they are options of the command line")]
pub(crate) struct Arguments {
    /// Encoding that the files should be in, or auto, or several such as utf-8,windows-1252 [default: UTF-8]
    ///
    /// A byte order mark of UTF-8, UTF-16 or UTF-32 at the start of a file overrides this option, unless it is EBCDIC, or
    /// --input-bom says otherwise. `auto` detects the encoding of each file. Both are as in `convert`. With several encodings, the
    /// lines or sequences are listed that are not in the first one, with the one that they are in.
    #[arg(short, long, value_name = "LABEL")]
    from: Option<String>,

    #[command(flatten)]
    guessing: Guessing,

    /// With several encodings in -f: what is in one of them, as in `convert`
    #[arg(long, value_enum, value_name = "UNIT")]
    per: Option<Unit>,

    /// What a byte order mark at the start of a file means
    #[arg(long, value_enum, value_name = "WHAT", default_value = "sniff")]
    input_bom: InputBom,

    /// Also list the characters that are unmappable in this encoding
    #[arg(short, long, value_name = "LABEL")]
    to: Option<String>,

    /// Also accept `utf_16` and `utf16`, names of Python for UTF-16 with a byte order mark, unlike the label utf-16
    #[arg(long)]
    aliases: bool,

    /// Stop reading a file after this many findings
    #[arg(short, long, value_name = "N", allow_negative_numbers = true, value_parser = arguments::count)]
    max_count: Option<NonZeroU32>,

    /// Print each finding as a JSON object on its own line
    ///
    /// The members are `file` (and `file_hex`, the bytes of a path that is not UTF-8), `line`, `column`, `byte` (the
    /// offset), `length` (in bytes), `kind` and `encoding`. The kind "malformed" also has `bytes` and `reason`, the kinds
    /// "unmappable" and "outside" `character`, `code_point` and `name`. For the kind "byte-order-mark", `encoding` is that of the
    /// byte order mark, and `bytes` are its bytes. The kind "other" is a line or sequence that is not in the first of several
    /// encodings, and `encoding` is the one that it is in.
    #[arg(long)]
    json: bool,

    /// Print only the names of the files in which something was found
    #[arg(short = 'l', long, group = "names", conflicts_with = "json")]
    files_with_findings: bool,

    /// Print only the names of the files in which nothing was found
    #[arg(short = 'L', long, group = "names", conflicts_with = "json")]
    files_without_findings: bool,

    /// Print no findings, stop at the first one in each file, and only set the exit status
    #[arg(short, long, conflicts_with = "names")]
    quiet: bool,

    #[command(flatten)]
    tables: Tables,

    #[command(flatten)]
    reading: Reading,
}

impl Arguments {
    /// Returns whether findings are printed.
    fn prints_findings(&self) -> bool {
        !(self.quiet || self.files_with_findings || self.files_without_findings)
    }

    fn max_count(&self) -> Option<u64> {
        if self.prints_findings() { self.max_count.map(|count| u64::from(count.get())) } else { Some(1) }
    }
}

const MIN_CONFIDENCE: &str = "\
How certain -f auto must be: low, medium, high, or a number from 0 to 1 [default: high]

If an answer is less certain, a message says so, and the exit status is 1, unless the answer is UTF-8: whether a file is UTF-8 is \
known. A number is compared with `probability` of `textcodec detect --json`.";

const AFTER: &str = "\
Output:
  a.csv:2:3: malformed UTF-8 at byte 6 (FF): this byte cannot start a character
  page.html:1:3: unmappable in windows-1252 at byte 2: U+2713 '✓' CHECK MARK
  names.txt:3:2: not in ASCII at byte 12: U+00DF 'ß' LATIN SMALL LETTER SHARP S
  b.csv:1:1: not in ASCII at byte 0: byte order mark EF BB BF, which means UTF-8
  c.csv:9:1: byte order mark within the text at byte 80 (EF BB BF)
  main.c:7:1: not UTF-8 but GBK: the line at byte 120

A byte order mark within the text is one at the start of a line, where files were joined; `textcodec convert \
--remove-marks` removes it. A line ends with a line feed; a carriage return without one is a character within the line. Columns count characters \
from 1; a malformed sequence counts as one. A byte order mark counts in byte offsets, but not in columns.

Examples:
  Check that a file is valid UTF-8:
      textcodec check data.csv
  List the first five malformed sequences in each of two files:
      textcodec check -f shift_jis -m 5 old.txt data.csv
  List the characters that would be lost in windows-1252:
      textcodec check --to windows-1252 page.html
  List the files in a directory that are not valid UTF-8:
      textcodec check -r -l notes
  Check that a file is true ASCII:
      textcodec check -f ascii names.txt
  Check a file in a script:
      textcodec check -q data.csv && echo valid
  Select findings with another program:
      textcodec check --json broken.log | grep '\"line\":2'

Exit status:
  0  nothing was found, or the reader of the output closed it, as head does
  1  something was found, or the encoding that -f auto detected is uncertain
  2  wrong usage: nothing was read
  3  a file was not read, or its encoding not detected; the others were checked";

pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Stop> {
    let names = Names::new(&arguments.tables, arguments.aliases)?;
    let mix = Mix::from_options(arguments.from.as_deref(), arguments.per, &names)?;
    if mix.is_some() && arguments.to.is_some() {
        return Err(Stop::Usage("--to cannot be used with several encodings in -f; check what convert writes".into()));
    }
    let from = match mix {
        Some(mix) => InputEncoding::Fixed(mix.first()),
        None => InputEncoding::from_option(arguments.from.as_deref(), &names, &arguments.guessing)?,
    };
    arguments.guessing.require_auto(from)?;
    let to = arguments.to.as_deref().map(|label| names.find("--to", label)).transpose()?.map(|(to, _)| to);
    names.check(from.given().into_iter().chain(to))?;
    if let (Some(to), Some(label)) = (to, &arguments.to) {
        labels::require_encoder("--to", label, to)?;
    }
    let narrow = narrow::Labels {
        from: arguments.from.as_deref().and_then(narrow::find),
        to: arguments.to.as_deref().and_then(narrow::find),
        strict: true,
    };
    let inputs = arguments.reading.inputs()?;
    let progress = if arguments.quiet { Progress::none() } else { reading::progress(&inputs) };
    let exact_name = from.exact_name(arguments.from.as_deref());
    let check = Check { arguments, from, mix, exact_name, to, narrow, screen: Screen::stdout() };
    let mut totals = Totals::default();
    let result = ordered::for_each(
        &inputs,
        arguments.reading.threads(),
        |selected, out| check.input(selected, out),
        |selected, checked| totals.add(&selected.input, checked, arguments.quiet),
    );
    drop(progress);
    result.map_err(|error| Stop::output(&error))?;
    if arguments.prints_findings() {
        totals.print_summary(inputs.len() as u64, arguments, to, mix);
    }
    Ok(totals.outcome())
}

/// The number of bytes per read.
const BLOCK_LEN: usize = 64 * 1024;

struct Check<'a> {
    arguments: &'a Arguments,
    from: InputEncoding,
    mix: Option<Mix>,
    /// The encoding that the label of `--from` names exactly, which a byte order mark contradicts.
    exact_name: Option<&'static str>,
    to: Option<Charset>,
    narrow: narrow::Labels,
    screen: Screen,
}

impl Check<'_> {
    /// Checks one input. Returns only the errors of the output; those of the input are in the result.
    fn input(&self, selected: &Selected, out: &mut dyn Write) -> io::Result<Checked> {
        let mut checked = Checked::default();
        let opened = match self.open(selected, &mut checked) {
            Ok(opened) => opened,
            Err(unread) => return Ok(Checked { unread: Some(unread), ..checked }),
        };
        checked.doubt = opened.detection.as_ref().and_then(|detection| self.doubt(detection));
        self.read(&selected.input, opened, &mut checked, out)?;
        let Arguments { files_with_findings, files_without_findings, reading, .. } = self.arguments;
        let names_it = if checked.found.sum() > 0 { *files_with_findings } else { *files_without_findings };
        let is_known = checked.found.sum() > 0 || checked.doubt.is_none();
        if names_it && is_known && checked.unread.is_none() {
            reading.write_name(&self.screen.name(&selected.input, "-"), out)?;
        }
        Ok(checked)
    }

    fn open(&self, selected: &Selected, checked: &mut Checked) -> Result<Opened, Unread> {
        // UTF-16 of any script may look like binary data, and so may EBCDIC.
        let may_look_binary =
            self.from.given().is_some_and(|from| !from.is_ascii_compatible()) || self.mix.is_some_and(Mix::has_wide);
        self.arguments.reading.select(selected, may_look_binary)?;
        source::open_text(&selected.input, self.from, self.arguments.input_bom).map_err(|error| {
            match source::why_not_text(&error) {
                Some(_) if self.arguments.reading.skips_binary(selected) => Unread::Binary,
                why => {
                    checked.is_undetected = why.is_some();
                    error.into()
                }
            }
        })
    }

    /// Returns why the detected encoding is uncertain.
    fn doubt(&self, detection: &Detection) -> Option<String> {
        let min_probability = self.arguments.guessing.min_probability().unwrap_or(Confidence::High.least());
        let is_known = detection.encoding == UTF_8 && detection.charsets.is_empty();
        if is_known || self.from.given().is_some() || detection.probability >= min_probability {
            return None;
        }
        Some(detect::uncertain(detection, &detect::why(detection), &detect::what_to_do(detection, "")))
    }

    fn read(&self, name: &Input, opened: Opened, checked: &mut Checked, out: &mut dyn Write) -> io::Result<()> {
        let Opened { source, bom, .. } = opened;
        let mut reader = source.reader;
        let encoding = source.encoding;
        let mut checker = match self.mix.filter(|mix| mix.has(encoding)) {
            None => AnyChecker::One(Checker::new(encoding, bom, self.to, self.narrow).into()),
            Some(mix) => AnyChecker::Mixed(MixedChecker::new(mix, encoding, bom)),
        };
        let mut block = vec![0; BLOCK_LEN];
        let mut findings = Vec::new();
        if let Some(named) = self.exact_name.filter(|_| bom > 0) {
            let kind = Kind::ByteOrderMark { len: bom, means: source.encoding, named };
            findings.push(Finding { byte: 0, location: Location::default(), kind });
        }
        let mut left = self.arguments.max_count();
        loop {
            let len = match input::read(&mut reader, &mut block) {
                Ok(len) => len,
                Err(error) => {
                    checked.unread = Some(error.into());
                    break;
                }
            };
            advance(len);
            // A read of length 0 is the end of the input.
            match &mut checker {
                AnyChecker::One(checker) => checker.check(&block[..len], len == 0, &mut findings),
                AnyChecker::Mixed(checker) => checker.check(&block[..len], len == 0, &mut findings),
            }
            for finding in findings.drain(..) {
                if left == Some(0) {
                    break;
                }
                left = left.map(|left| left - 1);
                checked.found.count(&finding);
                if self.arguments.prints_findings() {
                    self.print(name, encoding, &finding, out)?;
                }
            }
            if len == 0 {
                break;
            }
            if left == Some(0) {
                checked.stopped = true;
                break;
            }
            // Findings in a large file appear while it is being read.
            out.flush()?;
        }
        Ok(())
    }

    fn print(&self, input: &Input, encoding: Charset, finding: &Finding, out: &mut dyn Write) -> io::Result<()> {
        if self.arguments.json {
            serde_json::to_writer(&mut *out, &Json::new(input, encoding, finding))?;
            return out.write_all(b"\n");
        }
        let (line, column) = (finding.location.line(), finding.location.column());
        let (name, style) = (self.screen.name(input, "-"), self.screen.style(LOCATION));
        write!(out, "{style}")?;
        out.write_all(&name)?;
        write!(out, ":{line}:{column}:{style:#} ")?;
        if self.screen.width().is_some() {
            let mut what = Vec::new();
            self.describe(encoding, finding, &mut what)?;
            let start = screen::width(&name) + format!(":{line}:{column}: ").len();
            out.write_all(self.screen.wrap(&String::from_utf8_lossy(&what), start, 4).as_bytes())?;
        } else {
            // Without a copy, because there can be millions of findings.
            self.describe(encoding, finding, out)?;
        }
        out.write_all(b"\n")
    }

    /// Writes what was found, such as `malformed UTF-8 at byte 6 (FF): this byte cannot start a character`.
    fn describe(&self, encoding: Charset, finding: &Finding, out: &mut dyn Write) -> io::Result<()> {
        let Finding { byte, kind, .. } = finding;
        match kind {
            Kind::Malformed(error) if error.encoding() == REPLACEMENT => {
                let label = self.arguments.from.as_deref();
                write!(out, "malformed at byte {byte}: {}{}", not_decoded(label), how_to_decode(label))
            }
            Kind::Malformed(error) if self.mix.is_some_and(|mix| mix.has(encoding)) => {
                let (encoding, bytes, reason) = (error.encoding(), hex(error.bytes()), decode_reason(error));
                write!(out, "malformed {encoding} at byte {byte} ({bytes}), and in each other encoding of -f: {reason}")
            }
            Kind::Malformed(error) => {
                let (bytes, reason) = (hex(error.bytes()), decode_reason(error));
                write!(out, "malformed {encoding} at byte {byte} ({bytes}): {reason}")
            }
            Kind::Unmappable { character, to, .. } => {
                write!(out, "unmappable in {to} at byte {byte}: {}", characters::describe(*character))
            }
            Kind::Outside { character, narrow, .. } => {
                write!(out, "not in {} at byte {byte}: {}", narrow.name, characters::describe(*character))
            }
            Kind::ByteOrderMark { means, named, .. } => {
                let bytes = source::byte_order_mark(*means);
                write!(out, "not in {named} at byte {byte}: byte order mark {bytes}, which means {means}")
            }
            Kind::Mark { of, .. } => {
                write!(out, "byte order mark within the text at byte {byte} ({})", source::byte_order_mark(*of))
            }
            Kind::Other { encoding, first, sequence: None, .. } => {
                write!(out, "not {first} but {encoding}: the line at byte {byte}")
            }
            Kind::Other { encoding, first, sequence: Some((error, text)), .. } => {
                write!(out, "not {first} but {encoding} at byte {byte} ({}): {text:?}", hex(error.bytes()))
            }
        }
    }
}

/// A checker for one encoding or for several.
enum AnyChecker {
    One(Box<Checker>),
    Mixed(MixedChecker),
}

const LOCATION: Style = Style::new().bold();
