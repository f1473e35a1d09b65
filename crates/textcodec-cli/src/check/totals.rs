//! What was found in all inputs of `check`: the summary and the exit status.

use std::fmt::Write as _;

use textcodec::UTF_8;
use textcodec_detect::Per;

use super::Arguments;
use crate::{
    Outcome,
    charset::Charset,
    findings::{Finding, Kind},
    input::Input,
    mix::Mix,
    narrow, print_message,
    reading::Unread,
    terminal::{counted, print_message_about},
};

/// The number of findings of each kind.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    malformed: u64,
    unmappable: u64,
    /// Characters outside the encoding that a label names.
    outside: u64,
    byte_order_marks: u64,
    /// Lines or sequences that are not in the first of several encodings.
    others: u64,
}

impl Counts {
    pub(super) fn sum(self) -> u64 {
        self.malformed + self.unmappable + self.outside + self.byte_order_marks + self.others
    }

    pub(super) fn add(&mut self, other: Self) {
        self.malformed += other.malformed;
        self.unmappable += other.unmappable;
        self.outside += other.outside;
        self.byte_order_marks += other.byte_order_marks;
        self.others += other.others;
    }

    pub(super) fn count(&mut self, finding: &Finding) {
        match finding.kind {
            Kind::Malformed(_) => self.malformed += 1,
            Kind::Unmappable { .. } => self.unmappable += 1,
            Kind::Outside { .. } => self.outside += 1,
            Kind::ByteOrderMark { .. } | Kind::Mark { .. } => self.byte_order_marks += 1,
            Kind::Other { .. } => self.others += 1,
        }
    }
}

/// The result for one input.
#[derive(Debug, Default)]
pub(super) struct Checked {
    pub(super) found: Counts,
    /// The file was not read to its end, because it has enough findings.
    pub(super) stopped: bool,
    /// Why the file was not read, or not to its end.
    pub(super) unread: Option<Unread>,
    /// The file was not read, because its encoding was not detected.
    pub(super) is_undetected: bool,
    /// Why the detected encoding is uncertain.
    pub(super) doubt: Option<String>,
}

/// The counts for the summary.
#[derive(Debug, Default)]
pub(super) struct Totals {
    found: Counts,
    /// Files with findings.
    files: u64,
    /// Files that could not be read.
    unreadable: u64,
    /// Files whose encoding was not detected.
    undetected: u64,
    /// Files whose detected encoding is uncertain.
    uncertain: u64,
    /// Files that were skipped because they do not look like text.
    binary: u64,
    /// Files that were not read to their end, because they have enough findings.
    stopped: u64,
}

impl Totals {
    /// Adds the result for an input, and reports why it could not be read.
    pub(super) fn add(&mut self, input: &Input, checked: Checked, is_quiet: bool) {
        if let Some(doubt) = checked.doubt {
            self.uncertain += 1;
            if !is_quiet {
                print_message_about(input, doubt);
            }
        }
        self.found.add(checked.found);
        self.files += u64::from(checked.found.sum() > 0);
        self.stopped += u64::from(checked.stopped);
        match checked.unread {
            None => {}
            Some(Unread::Binary) => self.binary += 1,
            Some(Unread::Failed(reason)) => {
                let count = if checked.is_undetected { &mut self.undetected } else { &mut self.unreadable };
                *count += 1;
                print_message_about(input, reason);
            }
        }
    }

    /// Prints the summary, such as `2 malformed sequences and 1 character unmappable in KOI8-U in 1 of 3 files; 1 file could
    /// not be read`. Prints nothing about a single input without findings.
    pub(super) fn print_summary(&self, inputs: u64, arguments: &Arguments, to: Option<Charset>, mix: Option<Mix>) {
        let (outside, labels) = outside_labels(arguments);
        let to = to.unwrap_or(UTF_8.into());
        let Counts { malformed, unmappable, outside: not_in, byte_order_marks, others } = self.found;
        let (other, many_others) = match mix.map(Mix::per) {
            Some(Per::Sequence) => ("sequence", "sequences"),
            _ => ("line", "lines"),
        };
        let first = mix.map(|mix| format!(" not in {}", mix.encodings()[0])).unwrap_or_default();
        let found: Vec<_> = [
            (malformed, "malformed sequence", "malformed sequences", String::new()),
            (unmappable, "character", "characters", format!(" unmappable in {to}")),
            (not_in, "character", "characters", format!(" not in {outside}")),
            (byte_order_marks, "byte order mark", "byte order marks", String::new()),
            (others, other, many_others, first),
        ]
        .into_iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, one, many, what)| counted(count, one, many) + &what)
        .collect();
        let found_nothing = found.is_empty();
        let findings = if found_nothing { "nothing found".to_owned() } else { found.join(" and ") };
        let files = match inputs - self.binary {
            0 if self.binary == 0 => return print_message("no files were found"),
            1 if self.binary == 0 && found_nothing => return,
            1 if !found_nothing => String::new(),
            n if found_nothing => format!(" in {}", counted(n - self.unreadable - self.undetected, "file", "files")),
            n => format!(" in {} of {n} files", self.files),
        };
        let mut rest = String::new();
        for (count, before, one, many) in [
            (self.unreadable, "", "file could not be read", "files could not be read"),
            (self.undetected, "the encoding of ", "file was not detected", "files was not detected"),
            (self.uncertain, "the encoding of ", "file is uncertain", "files is uncertain"),
            (
                self.binary,
                "",
                "file does not look like text and was skipped",
                "files do not look like text and were skipped",
            ),
            (self.stopped, "there may be more: ", "file was not read to its end", "files were not read to their end"),
        ] {
            if count > 0 {
                let _ = write!(rest, "; {before}{}", counted(count, one, many));
            }
        }
        if malformed > 0 && arguments.from.is_none() {
            rest.push_str(" (if this is not UTF-8, give its encoding with -f, or try -f auto)");
        }
        if not_in > 0 {
            rest.push_str(&labels);
        }
        print_message(format_args!("{findings}{files}{rest}"));
    }

    pub(super) fn outcome(&self) -> Outcome {
        if self.unreadable + self.undetected > 0 {
            Outcome::Failures
        } else if self.files + self.uncertain > 0 {
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
