//! Reports on inputs: messages on standard error and JSON.

use std::{
    fmt::Write as _,
    io::{self, Write as _},
    sync::{Mutex, PoisonError},
};

use serde::Serialize;
use textcodec::{DecodeError, EncodeError, Encoding, UTF_8};

use super::{Settings, outside};
use crate::{
    Outcome, Stop,
    characters::{code_point, hex},
    detect::{Confidence, Evidence},
    engine::{ConvertError, Malformed, Tally, Unmappable},
    location::Location,
    print,
    source::Opened,
    terminal::print_message,
};

/// The result for one input.
pub(super) struct Report {
    /// The position among all reports.
    order: usize,
    input: String,
    output: String,
    from: Option<Encoding>,
    /// The evidence for `from`, if it comes from a byte order mark or from detection.
    why: Option<String>,
    /// Whether `why` is a guess.
    guessed: bool,
    confidence: Option<Confidence>,
    /// The length in bytes of the byte order mark that was removed.
    bom: u64,
    pub(super) tally: Tally,
    /// The file is the same in both encodings and was not touched.
    pub(super) unchanged: bool,
    /// The output that this input belongs to was not written, because another input failed.
    pub(super) output_missing: bool,
    /// The complete message.
    error: Option<String>,
    warnings: Vec<String>,
}

impl Report {
    pub(super) fn new(order: usize, input: String, output: String) -> Self {
        Self {
            order,
            input,
            output,
            from: None,
            why: None,
            guessed: false,
            confidence: None,
            bom: 0,
            tally: Tally::default(),
            unchanged: false,
            output_missing: false,
            error: None,
            warnings: Vec::new(),
        }
    }

    /// Records the encoding of the input, which is open now.
    pub(super) fn opened(&mut self, opened: &Opened) {
        self.from = Some(opened.source.encoding);
        self.bom = opened.bom;
        self.tally.read = opened.bom;
        if opened.bom > 0 {
            self.why = Some("byte order mark".into());
        } else if let Some(detection) = &opened.detection {
            self.why = Some(detection.why().to_owned());
            self.guessed = detection.evidence == Evidence::Guess;
            self.confidence = Some(detection.confidence);
        }
    }

    /// Records why the input was not converted. `after` is the state of the output.
    pub(super) fn fail(&mut self, settings: &Settings, error: &ConvertError, after: &str) {
        let (input, output) = (&self.input, &self.output);
        self.error = Some(match error {
            ConvertError::Write(error) => format!("{output}: {error}"),
            ConvertError::Read(error) => format!("{input}: {error}; {after}"),
            ConvertError::Malformed(offset, error) => {
                let (encoding, what) = (error.encoding(), malformed(*offset, error));
                format!("{input}: malformed {encoding} {what}{}; {after}", self.advice(settings))
            }
            ConvertError::Unmappable(location, error, would_write) => format!(
                "{input}: unmappable in {} at {location}: {}; {after}; \
                 to continue, use {}--unmappable=translit, html, replace or skip",
                error.encoding(),
                character(error),
                if *would_write { "--normalize=encoding, which writes it in another composition, or " } else { "" }
            ),
            ConvertError::OutsideFrom(offset, bytes) => {
                format!("{input}: {}", outside::error_in_input(settings, *offset, bytes, after))
            }
            ConvertError::OutsideTo(location, character) => {
                format!("{input}: {}", outside::error_in_output(settings, *location, *character, after))
            }
        });
    }

    /// Records that the input was not converted, for this reason.
    pub(super) fn fail_with(&mut self, reason: &str) {
        self.error = Some(format!("{}: {reason}", self.input));
    }

    pub(super) fn warn(&mut self, what: &str) {
        self.warnings.push(format!("{}: {what}", self.input));
    }

    /// Returns the warnings, including those about labels that name a narrower encoding than they mean.
    fn all_warnings(&self, settings: &Settings) -> Vec<String> {
        let outside =
            outside::warnings(settings, &self.tally).into_iter().map(|what| format!("{}: {what}", self.input));
        self.warnings.iter().cloned().chain(outside).collect()
    }

    /// Returns whether the detected encoding is uncertain.
    fn is_doubtful(&self) -> bool {
        self.confidence.is_some_and(|confidence| confidence <= Confidence::Low)
    }

    /// Returns whether the input was opened.
    pub(super) fn is_open(&self) -> bool {
        self.from.is_some()
    }

    pub(super) fn has_failed(&self) -> bool {
        self.error.is_some()
    }

    fn outcome(&self) -> Outcome {
        match self.error {
            None if self.output_missing => Outcome::Failures,
            Some(_) => Outcome::Failures,
            None if self.tally.is_clean() => Outcome::Clean,
            None => Outcome::Losses,
        }
    }

    /// Returns messages about malformed sequences and unmappable characters that were replaced or skipped.
    fn losses(&self, settings: &Settings) -> Vec<String> {
        let input = &self.input;
        let mut lines = Vec::new();
        if let Some((offset, first)) = &self.tally.malformed.first {
            let action = match settings.recipe.malformed {
                Malformed::Skip => "skipped",
                Malformed::Replace | Malformed::Fail => "replaced by U+FFFD",
            };
            let what = malformed_sequences(self.tally.malformed.count, action, *offset, first);
            lines.push(format!("{input}: {what}{}", self.advice(settings)));
        }
        if let Some((location, first)) = &self.tally.unmappable.first {
            let action = match settings.recipe.unmappable {
                Unmappable::Html => "written as '&#…;'".to_owned(),
                Unmappable::Xml => "written as '&#x…;'".to_owned(),
                Unmappable::Replace(replacement) => format!("replaced by {replacement:?}"),
                Unmappable::Translit => "transliterated".to_owned(),
                Unmappable::Skip | Unmappable::Fail => "skipped".to_owned(),
            };
            let to = settings.recipe.to.name();
            let what = unmappable_characters(self.tally.unmappable.count, to, &action, *location, first);
            lines.push(format!("{input}: {what}"));
        }
        lines
    }

    /// Returns the advice to check the encoding, unless the user has given it.
    fn advice(&self, settings: &Settings) -> String {
        if let Some(why) = self.why.as_ref().filter(|_| self.confidence.is_some()) {
            return format!(" (detected as {}: {why})", self.from.unwrap_or(UTF_8));
        }
        let advice = if settings.from_label.is_some() || self.from != Some(UTF_8) || self.bom > 0 {
            ""
        } else {
            " (if this is not UTF-8, give its encoding with -f, or try -f auto)"
        };
        advice.to_owned()
    }

    /// Returns a message with the encodings and the lengths.
    fn summary(&self, settings: &Settings) -> String {
        let (input, tally, to) = (&self.input, &self.tally, settings.recipe.to);
        let mut line = input.clone();
        if let Some(from) = self.from {
            let _ = write!(line, ": {from}");
        }
        if let Some(why) = &self.why {
            let _ = write!(line, " ({why})");
        }
        if self.unchanged {
            let _ = write!(line, ": unchanged");
        } else {
            let _ = write!(line, " to {to}, {} to {} bytes", tally.read, tally.written);
        }
        if settings.dry_run {
            line.push_str("; nothing was written");
        }
        line
    }
}

/// The reports on all inputs.
pub(super) struct Reports<'a> {
    settings: &'a Settings,
    all: Mutex<Vec<Report>>,
}

impl<'a> Reports<'a> {
    pub(super) fn new(settings: &'a Settings) -> Self {
        Self { settings, all: Mutex::new(Vec::new()) }
    }

    /// [Prints](Self::print) and [records](Self::record) a report.
    pub(super) fn add(&self, report: Report) {
        self.print(&report);
        self.record(report);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// Keeps a report for the summary.
    pub(super) fn record(&self, report: Report) {
        self.all.lock().unwrap_or_else(PoisonError::into_inner).push(report);
    }

    /// Prints why an input failed.
    pub(super) fn print_error(&self, report: &Report) {
        if let Some(error) = report.error.as_ref().filter(|_| self.prints_messages()) {
            print_message(error);
        }
    }

    /// Returns whether messages are printed. If JSON goes to standard error, it is the only output there.
    fn prints_messages(&self) -> bool {
        !(self.settings.json && self.settings.to_stdout)
    }

    /// Prints the messages about an input.
    pub(super) fn print(&self, report: &Report) {
        let settings = self.settings;
        if self.prints_messages() {
            if !settings.quiet {
                report.all_warnings(settings).iter().for_each(print_message);
                report.losses(settings).iter().for_each(print_message);
            }
            match &report.error {
                Some(error) => print_message(error),
                None if settings.verbose => print_message(report.summary(settings)),
                None if !settings.quiet && (report.is_doubtful() || report.guessed && !settings.each) => {
                    print_message(report.summary(settings));
                }
                None => {}
            }
        }
    }

    /// Prints the summary and returns the worst outcome.
    pub(super) fn finish(self) -> Result<Outcome, Stop> {
        let settings = self.settings;
        let mut all = self.all.into_inner().unwrap_or_else(PoisonError::into_inner);
        all.sort_by_key(|report| report.order);
        let outcome = all.iter().map(Report::outcome).max().unwrap_or(Outcome::Clean);
        if settings.json {
            let json = Json {
                files: all.iter().map(|report| File::new(report, settings)).collect(),
                dry_run: settings.dry_run,
                exit_status: outcome.status(),
            };
            if settings.to_stdout {
                let _ = writeln!(io::stderr().lock(), "{}", to_json(&json));
            } else {
                print(|out| writeln!(out, "{}", to_json(&json)))?;
            }
        } else if settings.each && !settings.quiet && all.len() > 1 {
            print_summary(settings, &all);
        }
        Ok(outcome)
    }
}

/// Prints the number of files by outcome, and the names of files with losses or failures.
fn print_summary(settings: &Settings, all: &[Report]) {
    let names = |outcome| all.iter().filter(move |report| report.outcome() == outcome).map(|report| &report.input);
    let count = |outcome| names(outcome).count();
    let unchanged = all.iter().filter(|report| report.unchanged && report.error.is_none()).count();
    let converted = count(Outcome::Clean) - unchanged;
    let mut line =
        format!("{} files: {converted} {}converted", all.len(), if settings.dry_run { "would be " } else { "" });
    for (count, what) in
        [(unchanged, "unchanged"), (count(Outcome::Losses), "with losses"), (count(Outcome::Failures), "failed")]
    {
        if count > 0 {
            let _ = write!(line, ", {count} {what}");
        }
    }
    for (outcome, what) in [(Outcome::Losses, "with losses"), (Outcome::Failures, "failed")] {
        for name in names(outcome) {
            let _ = write!(line, "\n  {what}: {name}");
        }
    }
    print_message(line);
}

/// Formats a malformed sequence as `at byte OFFSET (BYTES): REASON`.
pub(crate) fn malformed(offset: u64, error: &DecodeError) -> String {
    format!("at byte {offset} ({}): {}", hex(error.bytes()), error.reason())
}

/// Describes malformed sequences that were replaced or skipped, as `action` says, and where the first one is.
pub(crate) fn malformed_sequences(count: u64, action: &str, offset: u64, first: &DecodeError) -> String {
    let first = malformed(offset, first);
    match count {
        1 => format!("1 malformed sequence {action}, {first}"),
        n => format!("{n} malformed sequences {action}; the first {first}"),
    }
}

/// Describes characters that were replaced or skipped, as `action` says, and where the first one is.
pub(crate) fn unmappable_characters(
    count: u64,
    encoding: &str,
    action: &str,
    location: Location,
    first: &EncodeError,
) -> String {
    let first = format!("at {location}: {} is not in {encoding}", character(first));
    match count {
        1 => format!("1 unmappable character {action}, {first}"),
        n => format!("{n} unmappable characters {action}; the first {first}"),
    }
}

/// Formats an unmappable character as `U+5B57 '字'`. In the quotes, invisible characters are escaped.
pub(crate) fn character(error: &EncodeError) -> String {
    match error.character() {
        Some(c) => format!("{} {c:?}", code_point(c)),
        None => error.to_string(),
    }
}

fn to_json(json: &Json<'_>) -> String {
    serde_json::to_string_pretty(json).unwrap_or_else(|error| error.to_string())
}

#[derive(Serialize)]
struct Json<'a> {
    files: Vec<File<'a>>,
    /// Nothing was written, whatever `files` contains.
    dry_run: bool,
    exit_status: u8,
}

#[derive(Serialize)]
struct File<'a> {
    input: &'a str,
    output: &'a str,
    outcome: &'static str,
    from: Option<&'static str>,
    /// The evidence for `from`, if it was not given.
    why: Option<&'a str>,
    confidence: Option<Confidence>,
    to: &'static str,
    bytes_read: u64,
    bytes_written: u64,
    byte_order_mark_removed: bool,
    malformed: Count<MalformedSequence>,
    unmappable: Count<UnmappableCharacter>,
    warnings: Vec<String>,
    error: Option<&'a str>,
}

#[derive(Serialize)]
struct Count<T> {
    count: u64,
    first: Option<T>,
}

#[derive(Serialize)]
struct MalformedSequence {
    offset: u64,
    bytes: String,
    reason: String,
}

#[derive(Serialize)]
struct UnmappableCharacter {
    line: u64,
    column: u64,
    character: Option<char>,
}

impl<'a> File<'a> {
    fn new(report: &'a Report, settings: &Settings) -> Self {
        let tally = &report.tally;
        Self {
            input: &report.input,
            output: &report.output,
            outcome: match report.outcome() {
                Outcome::Failures => "failed",
                Outcome::Losses => "losses",
                Outcome::Clean if report.unchanged => "unchanged",
                Outcome::Clean => "converted",
            },
            from: report.from.map(Encoding::name),
            why: report.why.as_deref(),
            confidence: report.confidence,
            to: settings.recipe.to.name(),
            bytes_read: tally.read,
            bytes_written: tally.written,
            byte_order_mark_removed: report.bom > 0,
            malformed: Count {
                count: tally.malformed.count,
                first: tally.malformed.first.as_ref().map(|(offset, error)| MalformedSequence {
                    offset: *offset,
                    bytes: hex(error.bytes()),
                    reason: error.reason().to_string(),
                }),
            },
            unmappable: Count {
                count: tally.unmappable.count,
                first: tally.unmappable.first.as_ref().map(|(location, error)| UnmappableCharacter {
                    line: location.line(),
                    column: location.column(),
                    character: error.character(),
                }),
            },
            warnings: report.all_warnings(settings),
            error: report.error.as_deref(),
        }
    }
}
