//! What is said about what became of inputs: to people on standard error, to programs as JSON.

use std::{
    fmt::Write as _,
    io::{self, Write as _},
    sync::{Mutex, PoisonError},
};

use serde::Serialize;
use textcodec::{DecodeError, EncodeError, Encoding, UTF_8};

use super::Settings;
use crate::{
    Outcome, Stop,
    characters::{code_point, hex},
    detect::{Confidence, Evidence},
    engine::{Broken, Malformed, Tally, Unmappable},
    print,
    source::Opened,
    terminal::say,
};

/// What became of one input.
pub(super) struct Report {
    /// Where it stands among all.
    order: usize,
    input: String,
    output: String,
    from: Option<Encoding>,
    /// Why this encoding, where it was found out.
    why: Option<String>,
    /// Whether `why` is a guess.
    guessed: bool,
    confidence: Option<Confidence>,
    /// Bytes of the byte order mark that was removed.
    bom: u64,
    pub(super) tally: Tally,
    /// It is the same in both encodings, and was not touched.
    pub(super) unchanged: bool,
    /// The output that it was to be part of is not there.
    pub(super) is_missing: bool,
    /// The whole message.
    error: Option<String>,
    /// What is said beside.
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
            is_missing: false,
            error: None,
            warnings: Vec::new(),
        }
    }

    /// The input is open.
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

    /// It was not converted; `after` says what there is now.
    pub(super) fn fail(&mut self, settings: &Settings, broken: &Broken, after: &str) {
        let (input, output) = (&self.input, &self.output);
        self.error = Some(match broken {
            Broken::Write(error) => format!("{output}: {error}"),
            Broken::Read(error) => format!("{input}: {error}; {after}"),
            Broken::Malformed(offset, error) => {
                let (encoding, what) = (error.encoding(), malformed(*offset, error));
                format!("{input}: malformed {encoding} {what}{}; {after}", self.advice(settings))
            }
            Broken::Unmappable(place, error) => format!(
                "{input}: {place}: {}; {after}; to go on, use --unmappable=translit, html, replace or skip",
                character(error)
            ),
        });
    }

    /// It was not converted, for this reason.
    pub(super) fn fail_with(&mut self, reason: &str) {
        self.error = Some(format!("{}: {reason}", self.input));
    }

    pub(super) fn warn(&mut self, what: &str) {
        self.warnings.push(format!("{}: {what}", self.input));
    }

    /// Whether the encoding may well be another.
    fn is_doubtful(&self) -> bool {
        self.confidence.is_some_and(|confidence| confidence <= Confidence::Low)
    }

    /// Whether the input was opened.
    pub(super) fn is_open(&self) -> bool {
        self.from.is_some()
    }

    pub(super) fn has_failed(&self) -> bool {
        self.error.is_some()
    }

    fn outcome(&self) -> Outcome {
        match self.error {
            None if self.is_missing => Outcome::Failures,
            Some(_) => Outcome::Failures,
            None if self.tally.is_clean() => Outcome::Clean,
            None => Outcome::Losses,
        }
    }

    /// What was replaced or left out.
    fn losses(&self, settings: &Settings) -> Vec<String> {
        let input = &self.input;
        let mut lines = Vec::new();
        if let Some((offset, first)) = &self.tally.malformed.first {
            let done = match settings.recipe.malformed {
                Malformed::Skip => "left out",
                Malformed::Replace | Malformed::Fail => "replaced by U+FFFD",
            };
            let (first, advice) = (malformed(*offset, first), self.advice(settings));
            lines.push(match self.tally.malformed.count {
                1 => format!("{input}: 1 malformed sequence {done}, {first}{advice}"),
                n => format!("{input}: {n} malformed sequences {done}; the first {first}{advice}"),
            });
        }
        if let Some((place, first)) = &self.tally.lost.first {
            let done = match settings.recipe.unmappable {
                Unmappable::Html => "written as '&#…;'".to_owned(),
                Unmappable::Xml => "written as '&#x…;'".to_owned(),
                Unmappable::Replace(instead) => format!("replaced by {instead:?}"),
                Unmappable::Translit => "replaced by something similar".to_owned(),
                Unmappable::Skip | Unmappable::Fail => "left out".to_owned(),
            };
            let first = character(first);
            lines.push(match self.tally.lost.count {
                1 => format!("{input}: 1 character {done}, at {place}: {first}"),
                n => format!("{input}: {n} characters {done}; the first at {place}: {first}"),
            });
        }
        lines
    }

    /// For who did not know that one has to say it.
    fn advice(&self, settings: &Settings) -> String {
        if let Some(why) = self.why.as_ref().filter(|_| self.confidence.is_some()) {
            return format!(" (taken as {}: {why})", self.from.unwrap_or(UTF_8));
        }
        let advice = if settings.from_given || self.from != Some(UTF_8) || self.bom > 0 {
            ""
        } else {
            " (if this is not UTF-8, give its encoding with -f, or try -f auto)"
        };
        advice.to_owned()
    }

    /// From what to what.
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
            let _ = write!(line, ": nothing to change");
        } else {
            let _ = write!(line, " to {to}, {} to {} bytes", tally.read, tally.written);
        }
        if settings.dry_run {
            line.push_str("; nothing was written");
        }
        line
    }
}

/// What became of all inputs.
pub(super) struct Reports<'a> {
    settings: &'a Settings,
    all: Mutex<Vec<Report>>,
}

impl<'a> Reports<'a> {
    pub(super) fn new(settings: &'a Settings) -> Self {
        Self { settings, all: Mutex::new(Vec::new()) }
    }

    /// [Tells](Self::tell) and [keeps](Self::keep).
    pub(super) fn add(&self, report: Report) {
        self.tell(&report);
        self.keep(report);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// For the end.
    pub(super) fn keep(&self, report: Report) {
        self.all.lock().unwrap_or_else(PoisonError::into_inner).push(report);
    }

    /// Says why it failed.
    pub(super) fn tell_error(&self, report: &Report) {
        if let Some(error) = report.error.as_ref().filter(|_| self.speaks()) {
            say(error);
        }
    }

    /// Where JSON goes to standard error, there is nothing else.
    fn speaks(&self) -> bool {
        !(self.settings.json && self.settings.to_stdout)
    }

    /// Says at once what has to be said.
    pub(super) fn tell(&self, report: &Report) {
        let settings = self.settings;
        if self.speaks() {
            if !settings.quiet {
                report.warnings.iter().for_each(say);
                report.losses(settings).iter().for_each(say);
            }
            match &report.error {
                Some(error) => say(error),
                None if settings.verbose => say(report.summary(settings)),
                None if !settings.quiet && (report.is_doubtful() || report.guessed && !settings.each) => {
                    say(report.summary(settings));
                }
                None => {}
            }
        }
    }

    /// Sums up.
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
                let _ = writeln!(io::stderr().lock(), "{}", text(&json));
            } else {
                print(|out| writeln!(out, "{}", text(&json)))?;
            }
        } else if settings.each && !settings.quiet && all.len() > 1 {
            sum_up(settings, &all);
        }
        Ok(outcome)
    }
}

/// How many, and the names of those with which something is wrong.
fn sum_up(settings: &Settings, all: &[Report]) {
    let names = |outcome| all.iter().filter(move |report| report.outcome() == outcome).map(|report| &report.input);
    let count = |outcome| names(outcome).count();
    let unchanged = all.iter().filter(|report| report.unchanged && report.error.is_none()).count();
    let converted = count(Outcome::Clean) - unchanged;
    let mut line =
        format!("{} files: {converted} {}converted", all.len(), if settings.dry_run { "would be " } else { "" });
    for (count, what) in [
        (unchanged, "with nothing to change"),
        (count(Outcome::Losses), "with losses"),
        (count(Outcome::Failures), "failed"),
    ] {
        if count > 0 {
            let _ = write!(line, ", {count} {what}");
        }
    }
    for (outcome, what) in [(Outcome::Losses, "with losses"), (Outcome::Failures, "failed")] {
        for name in names(outcome) {
            let _ = write!(line, "\n  {what}: {name}");
        }
    }
    say(line);
}

/// Such as `at byte 5 (FF): this byte cannot start a character`.
pub(crate) fn malformed(offset: u64, error: &DecodeError) -> String {
    format!("at byte {offset} ({}): {}", hex(error.bytes()), error.reason())
}

/// Such as `U+5B57 '字' is not in windows-1252`. In quotes a character that does not show is escaped.
fn character(error: &EncodeError) -> String {
    match error.character() {
        Some(c) => format!("{} {c:?} is not in {}", code_point(c), error.encoding()),
        None => error.to_string(),
    }
}

fn text(json: &Json<'_>) -> String {
    serde_json::to_string_pretty(json).unwrap_or_else(|error| error.to_string())
}

#[derive(Serialize)]
struct Json<'a> {
    files: Vec<File<'a>>,
    /// Nothing was written, whatever the files say.
    dry_run: bool,
    exit_status: u8,
}

#[derive(Serialize)]
struct File<'a> {
    input: &'a str,
    output: &'a str,
    outcome: &'static str,
    from: Option<&'static str>,
    /// Why this encoding, where nobody has given it.
    why: Option<&'a str>,
    confidence: Option<Confidence>,
    to: &'static str,
    bytes_read: u64,
    bytes_written: u64,
    byte_order_mark_removed: bool,
    malformed: Found<MalformedSequence>,
    unmappable: Found<Lost>,
    warnings: &'a [String],
    error: Option<&'a str>,
}

#[derive(Serialize)]
struct Found<T> {
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
struct Lost {
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
            malformed: Found {
                count: tally.malformed.count,
                first: tally.malformed.first.as_ref().map(|(offset, error)| MalformedSequence {
                    offset: *offset,
                    bytes: hex(error.bytes()),
                    reason: error.reason().to_string(),
                }),
            },
            unmappable: Found {
                count: tally.lost.count,
                first: tally.lost.first.as_ref().map(|(place, error)| Lost {
                    line: place.line(),
                    column: place.column(),
                    character: error.character(),
                }),
            },
            warnings: &report.warnings,
            error: report.error.as_deref(),
        }
    }
}
