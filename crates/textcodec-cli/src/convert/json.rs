//! The report in JSON.

use std::{borrow::Cow, collections::BTreeMap};

use serde::Serialize;
use textcodec_detect::{Confidence, Parts, Per};

use super::{
    Settings,
    report::{Done, Report},
};
use crate::{Outcome, characters::hex, charset::Charset, interrupt, reading::JsonPath};

/// Formats the reports.
pub(super) fn report(
    all: &[Report],
    errors: Vec<String>,
    settings: &Settings,
    planned: usize,
    outcome: Outcome,
) -> String {
    let mut counts: BTreeMap<_, _> = OUTCOMES.iter().map(|&outcome| (outcome, 0)).collect();
    for report in all {
        *counts.entry(self::outcome(report)).or_default() += 1;
    }
    let json = Json {
        counts,
        files: all.iter().map(|report| File::new(report, settings)).collect(),
        errors,
        dry_run: settings.dry_run,
        interrupted: interrupt::is_requested(),
        planned,
        exit_status: interrupt::status().unwrap_or(outcome.status()),
    };
    serde_json::to_string_pretty(&json).unwrap_or_else(|error| error.to_string())
}

/// The values of [`outcome`].
const OUTCOMES: [&str; 10] = [
    "converted",
    "already",
    "unchanged",
    "uncertain",
    "undecided",
    "same-file",
    "skipped",
    "backup",
    "losses",
    "failed",
];

fn outcome(report: &Report) -> &'static str {
    match (report.outcome(), report.done) {
        (Outcome::Failures, _) => "failed",
        (_, Done::NotText) => "skipped",
        (_, Done::Backup) => "backup",
        (_, Done::Undecided) => "undecided",
        (Outcome::Losses, _) if report.is_doubtful() && !report.has_losses() => "uncertain",
        (Outcome::Losses, _) => "losses",
        (Outcome::Clean, Done::Converted) => "converted",
        (Outcome::Clean, Done::Already | Done::Copied) => "already",
        (Outcome::Clean, Done::Unchanged) => "unchanged",
        (Outcome::Clean, Done::SameFile) => "same-file",
    }
}

#[derive(Serialize)]
struct Json<'a> {
    /// The number of files by outcome.
    counts: BTreeMap<&'static str, u64>,
    files: Vec<File<'a>>,
    /// Failures that are not about one file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<String>,
    /// Nothing was written, whatever `files` contains.
    dry_run: bool,
    /// Files that are missing in `files` were not reached.
    interrupted: bool,
    /// The number of files, if each has its own output.
    planned: usize,
    exit_status: u8,
}

#[derive(Serialize)]
struct File<'a> {
    input: Cow<'a, str>,
    /// The bytes of a path that is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    input_hex: Option<String>,
    /// The first name of the same file.
    #[serde(skip_serializing_if = "Option::is_none")]
    same_file_as: Option<&'a str>,
    /// `None` if the input was skipped.
    output: Option<&'a str>,
    outcome: &'static str,
    /// One line for each declaration of the encoding that was corrected, or is wrong now.
    wrong_declarations: Vec<String>,
    from: Option<&'static str>,
    /// The evidence for `from`, if it was not given.
    why: Option<&'a str>,
    confidence: Option<&'static str>,
    probability: Option<f64>,
    to: &'static str,
    bytes_read: u64,
    bytes_written: u64,
    byte_order_mark_removed: bool,
    /// The number of byte order marks at the start of lines that were removed.
    byte_order_marks_in_text_removed: u64,
    /// What each of several encodings of `--from` has decoded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<PartsOf>,
    malformed: Count<MalformedSequence>,
    unmappable: Count<UnmappableCharacter>,
    warnings: Vec<String>,
    error: Option<String>,
}

/// The lines or sequences of one encoding.
#[derive(Serialize)]
struct PartsOf {
    encoding: &'static str,
    per: &'static str,
    count: u64,
    first: Vec<Place>,
}

#[derive(Serialize)]
struct Place {
    line: u64,
    offset: u64,
    length: u64,
}

fn parts(report: &Report, settings: &Settings) -> Vec<PartsOf> {
    let (Some((base, summary)), Some(mix)) = (&report.tally.mixed, settings.recipe.mix) else { return Vec::new() };
    let per = match mix.per() {
        Per::Line => "line",
        Per::Sequence => "sequence",
    };
    let place = |place: &textcodec_detect::Place| {
        let range = place.range();
        Place { line: place.line(), offset: base + range.start, length: range.end - range.start }
    };
    let parts_of = |parts: &Parts| PartsOf {
        encoding: Charset::from(parts.encoding()).label(),
        per,
        count: parts.count(),
        first: parts.first().iter().map(place).collect(),
    };
    summary.parts().iter().map(parts_of).collect()
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
        let (path, tally) = (JsonPath::new(&report.input), &report.tally);
        Self {
            input: path.path,
            input_hex: path.path_hex,
            same_file_as: report.same_file_as.as_deref(),
            output: (!matches!(report.done, Done::NotText | Done::Backup)).then_some(&report.output),
            outcome: outcome(report),
            wrong_declarations: tally.declarations.iter().map(ToString::to_string).collect(),
            from: report.from.map(Charset::label),
            why: report.why.as_deref(),
            confidence: report.confidence.map(Confidence::name),
            probability: report.probability,
            to: settings.recipe.to.label(),
            bytes_read: tally.read,
            bytes_written: tally.written,
            byte_order_mark_removed: report.bom > 0,
            byte_order_marks_in_text_removed: tally.marks,
            parts: parts(report, settings),
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
            warnings: {
                let warnings = report.all_warnings(settings).into_iter().chain(report.stale_declaration.clone());
                warnings.map(|what| format!("{}: {what}", report.input)).collect()
            },
            error: report.error(),
        }
    }
}
