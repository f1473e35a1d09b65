//! The reports on all inputs: messages on standard error, the summary and JSON.

use std::{
    fmt::Write as _,
    io::{self, Write as _},
    path::Path,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

use super::{
    Settings, json,
    report::{Done, Failure, Report, Subject},
};
use crate::{
    Outcome, Stop, interrupt, print,
    screen::shown,
    source::InputEncoding,
    terminal::{name, print_message, print_message_about, print_message_with_names},
};

pub(super) struct Reports<'a> {
    pub(super) settings: &'a Settings,
    all: Mutex<Vec<Report>>,
    /// Failures that are not about one input.
    run_failures: Mutex<Vec<String>>,
    /// The number of reports.
    count: Arc<AtomicUsize>,
    /// The number of reports that there will be, if each input has its own output.
    planned: AtomicUsize,
}

impl<'a> Reports<'a> {
    pub(super) fn new(settings: &'a Settings) -> Self {
        Self {
            settings,
            all: Mutex::new(Vec::new()),
            run_failures: Mutex::default(),
            count: Arc::default(),
            planned: AtomicUsize::new(0),
        }
    }

    /// [Prints](Self::print) and [records](Self::record) a report.
    pub(super) fn add(&self, report: Report) {
        self.print(&report);
        self.record(report);
    }

    /// Records how many inputs will be converted, in addition to those that have been reported.
    pub(super) fn plan(&self, inputs: usize) {
        self.planned.store(self.count.load(Relaxed) + inputs, Relaxed);
    }

    pub(super) fn planned(&self) -> usize {
        self.planned.load(Relaxed)
    }

    /// Returns the number of reports.
    pub(super) fn count(&self) -> Arc<AtomicUsize> {
        self.count.clone()
    }

    /// Keeps a report for the summary.
    pub(super) fn record(&self, report: Report) {
        self.all.lock().unwrap_or_else(PoisonError::into_inner).push(report);
        self.count.fetch_add(1, Relaxed);
    }

    /// Prints and records a failure that is not about one input.
    pub(super) fn fail_run(&self, what: String) {
        if self.prints_messages() {
            print_message(&what);
        }
        self.run_failures.lock().unwrap_or_else(PoisonError::into_inner).push(what);
    }

    /// Prints why an input failed.
    pub(super) fn print_error(&self, report: &Report) {
        match report.failure.as_ref().filter(|_| self.prints_messages()) {
            Some(Failure { what, subject: Subject::Output }) => {
                print_message(format_args!("{}: {what}", shown(Path::new(&report.output))));
            }
            Some(Failure { what, .. }) => print_message_about(&report.input, what),
            None => {}
        }
    }

    /// Returns whether messages are printed. If JSON goes to standard error, it is the only output there.
    fn prints_messages(&self) -> bool {
        !(self.settings.json && self.settings.to_stdout)
    }

    /// Prints the messages about an input.
    pub(super) fn print(&self, report: &Report) {
        let settings = self.settings;
        if !self.prints_messages() {
            return;
        }
        if !settings.quiet {
            // With several files, the summary has the number of stale declarations.
            let stale = report.stale_declaration.clone().filter(|_| self.planned() < 2 || settings.verbose);
            let warnings = report.all_warnings(settings).into_iter().chain(stale);
            // If nothing was written, nothing was replaced.
            let losses = match &report.failure {
                Some(failure) if !settings.to_stdout || failure.subject == Subject::Replacement => Vec::new(),
                _ => report.losses(settings),
            };
            warnings.chain(losses).for_each(|line| print_message_about(&report.input, line));
        }
        let is_change = report.done == Done::Converted && report.same_file_as.is_none();
        if report.has_failed() {
            self.print_error(report);
        } else if report.done == Done::Undecided && !settings.each {
            // One output needs all inputs.
            print_message_about(&report.input, format_args!("{}; nothing was converted", report.why_undecided()));
        } else if settings.verbose
            || settings.dry_run && !settings.quiet && is_change
            // The warning about an uncertain guess says so.
            || !settings.quiet && is_change && report.is_guessed() && !settings.each && !report.is_doubtful()
        {
            let summary = report.summary(settings);
            // With several files, the summary says so.
            let nothing = if settings.dry_run && self.planned() < 2 { "; nothing was written" } else { "" };
            print_message_about(&report.input, format_args!("{summary}{nothing}"));
        }
    }

    /// Prints the summary and returns the worst outcome.
    pub(super) fn finish(self) -> Result<Outcome, Stop> {
        let (settings, planned) = (self.settings, self.planned());
        let mut all = self.all.into_inner().unwrap_or_else(PoisonError::into_inner);
        all.sort_by_key(|report| report.order);
        let run_failures = self.run_failures.into_inner().unwrap_or_else(PoisonError::into_inner);
        let run_outcome = if run_failures.is_empty() { Outcome::Clean } else { Outcome::Failures };
        let outcome = all.iter().map(Report::outcome).max().unwrap_or(Outcome::Clean).max(run_outcome);
        if settings.json {
            let json = json::report(&all, run_failures, settings, planned, outcome);
            if settings.to_stdout {
                let _ = writeln!(io::stderr().lock(), "{json}");
            } else {
                print(|out| writeln!(out, "{json}"))?;
            }
        } else if let [report] = all.as_slice()
            && settings.each
            && !settings.quiet
        {
            print_left_alone(report, settings);
        }
        if !settings.json && settings.each && !settings.quiet && all.len() > 1 {
            print_summary(settings, &all);
        }
        if settings.quiet && !settings.json {
            print_doubtful(settings, &all);
        }
        if interrupt::is_requested() {
            if settings.each {
                print_message(interrupted(all.len(), planned));
            }
            return Err(Stop::Interrupted);
        }
        Ok(outcome)
    }
}

/// The maximum number of files of one kind that are named, although they are neither lossy nor failed.
const MAX_NAMED: usize = 10;

/// Says which files were converted from an encoding that is uncertain, if nothing else has said so.
fn print_doubtful(settings: &Settings, all: &[Report]) {
    let doubtful: Vec<_> = all.iter().filter(|report| report.is_doubtful()).collect();
    if doubtful.len() > MAX_NAMED {
        let would_be = if settings.dry_run { "would be" } else { "were" };
        let n = doubtful.len();
        print_message(format_args!(
            "{n} files {would_be} converted although their encoding is uncertain; without -q, they are named"
        ));
    } else {
        for report in doubtful {
            let warning = report.doubt.as_ref().map(|doubt| &*doubt.warning);
            print_message_about(&report.input, warning.unwrap_or_default());
        }
    }
}

/// Says how far an interrupted run got.
pub(super) fn interrupted(done: usize, planned: usize) -> String {
    if done == planned {
        return format!("interrupted when all {planned} files were done");
    }
    format!("interrupted after {done} of {planned} files; to continue, run the same command again")
}

/// Says why the only file was not converted, unless that has been printed.
fn print_left_alone(report: &Report, settings: &Settings) {
    let what_to_do = match report.done {
        Done::Already | Done::Copied | Done::Undecided | Done::Backup => "--force converts it anyway",
        Done::NotText if matches!(settings.from, InputEncoding::Auto(_)) => {
            "if it is text, give its encoding with -f, and --binary=convert"
        }
        Done::NotText => "--binary=convert converts it like text",
        Done::Converted | Done::Unchanged | Done::SameFile => return,
    };
    if !settings.verbose && !report.has_failed() {
        // The reason of a mail says what to do.
        let advice =
            if report.done == Done::Undecided && settings.mail { String::new() } else { format!("; {what_to_do}") };
        print_message_about(&report.input, format_args!("{}{advice}", report.summary(settings)));
    }
}

/// Prints the number of files by outcome, and the names of files with losses or failures.
fn print_summary(settings: &Settings, all: &[Report]) {
    let would_be = if settings.dry_run { "would be " } else { "" };
    let with = |outcome| all.iter().filter(move |report| report.outcome() == outcome);
    // Their exit status is that of losses.
    let is_undecided = |report: &&Report| report.done == Done::Undecided && !report.has_failed();
    let undecided: Vec<_> = all.iter().filter(is_undecided).collect();
    let doubtful: Vec<_> = all.iter().filter(|report| report.is_doubtful() && !report.has_losses()).collect();
    let clean = |is_done: &dyn Fn(Done) -> bool| with(Outcome::Clean).filter(|report| is_done(report.done)).count();
    let to = settings.recipe.to;
    let is_already = |done: Done| matches!(done, Done::Already | Done::Copied);
    let already = clean(&is_already);

    let mut line = format!("{} files: {} {would_be}converted", all.len(), clean(&|done| done == Done::Converted));
    let is_skipped = |done: Done| all.iter().filter(move |report| report.done == done && !report.has_failed());
    let (not_text, backups) = (is_skipped(Done::NotText).count(), is_skipped(Done::Backup).count());
    let does_not_look_like_text =
        if not_text == 1 { "it does not look like text" } else { "they do not look like text" };
    for (count, what) in [
        (already, format!("already {to}")),
        (clean(&|done| done == Done::Unchanged), "unchanged".to_owned()),
        (clean(&|done| done == Done::SameFile), "named twice".to_owned()),
        (not_text, format!("{would_be}skipped, because {does_not_look_like_text}")),
        (
            backups,
            format!(
                "{would_be}skipped, because {} of an earlier run",
                if backups == 1 { "it is a backup" } else { "they are backups" }
            ),
        ),
        (undecided.len(), "undecided".to_owned()),
        (doubtful.len(), format!("{would_be}converted from an uncertain encoding")),
        (all.iter().filter(|report| report.has_losses()).count(), "with losses".to_owned()),
        (with(Outcome::Failures).count(), "failed".to_owned()),
    ] {
        if count > 0 {
            let _ = write!(line, ", {count} {what}");
        }
    }
    if settings.dry_run {
        line.push_str("; nothing was written");
    }
    if already > 0 {
        let are_copied = with(Outcome::Clean).any(|report| report.done == Done::Copied);
        let done = match (settings.dry_run, already) {
            (true, _) => "would be",
            (false, 1) => "was",
            (false, _) => "were",
        };
        let what = if are_copied { "copied" } else { "left unchanged" };
        let (files, them) = if already == 1 { ("the file that is", "it") } else { ("files that are", "them") };
        let _ = write!(line, "\n  {files} already {to} {done} {what}; --force converts {them} anyway");
    }
    if !undecided.is_empty() {
        let them = if undecided.len() == 1 { "it" } else { "them" };
        let were = match (settings.dry_run, undecided.len()) {
            (true, _) => "would be",
            (false, 1) => "was",
            (false, _) => "were",
        };
        let _ =
            write!(line, "\n  what is undecided {were} left unchanged; --verbose says why, --force converts {them}");
    }
    let stale: Vec<_> = all.iter().filter(|report| report.stale_declaration.is_some()).collect();
    if !stale.is_empty() {
        let (have, them) = if stale.len() == 1 { ("has", "it") } else { ("have", "them") };
        let have = if settings.dry_run { "would still have".to_owned() } else { format!("still {have}") };
        let _ = write!(line, "\n  {} {have} the old declaration; --update-declaration corrects {them}", stale.len());
    }
    // Many are the result of an earlier run. A few may be something else.
    let already: Vec<_> = with(Outcome::Clean).filter(|report| is_already(report.done)).collect();
    let (named, found): (Vec<_>, Vec<_>) = is_skipped(Done::NotText).partition(|report| report.is_unexpected);
    // There were warnings about those that are uncertain.
    let mut lists = vec![
        ("with the old declaration".to_owned(), stale),
        (format!("already {to}"), already),
        ("skipped".to_owned(), found),
        ("skipped".to_owned(), is_skipped(Done::Backup).collect()),
        ("uncertain".to_owned(), doubtful),
    ];
    lists.retain(|(_, reports)| reports.len() <= MAX_NAMED);
    lists.push(("undecided".to_owned(), undecided));
    lists.push(("skipped".to_owned(), named));
    lists.push(("with losses".to_owned(), all.iter().filter(|report| report.has_losses()).collect()));
    lists.push(("failed".to_owned(), with(Outcome::Failures).collect()));
    let mut message = line.into_bytes();
    for (what, report) in lists.iter().flat_map(|(what, reports)| reports.iter().map(move |report| (what, report))) {
        message.extend([b"\n  ", what.as_bytes(), b": ", &name(&report.input)].concat());
        if let Some(first) = report.same_file_as.as_ref().filter(|_| report.outcome() == Outcome::Losses) {
            let _ = write!(message, " (the same file as {})", shown(Path::new(first)));
        }
        if let Some(why) = report.why_left() {
            let _ = write!(message, ": {why}");
        }
    }
    print_message_with_names(&message);
}
