//! Conversion of any number of inputs to one output.

use std::io;

use anyhow::Context as _;

use super::{
    Arguments, Settings,
    mail::{self, Mail},
    outside,
    report::{Done, Report},
    reports::Reports,
};
use crate::{
    Stop,
    engine::{ConvertError, Engine},
    errors::reason,
    input::{Input, Stream},
    interrupt,
    output::{Destination, Output},
    screen::shown,
    source,
    terminal::{Progress, print_message},
};

pub(super) fn run(settings: &Settings, arguments: &Arguments, reports: &Reports<'_>) -> Result<(), Stop> {
    let inputs = Input::all(&arguments.selection.files);
    let Some(mut destination) = destination(arguments, &inputs, reports)? else { return Ok(()) };
    let other_names = destination.other_names().filter(|_| !settings.quiet);
    let output = if settings.dry_run { Ok(Output::Discard) } else { destination.open() };
    let output = output.with_context(|| destination.to_string())?;
    if let Some(warning) = other_names {
        print_message(format_args!("{destination}: {warning}"));
    }
    let engine = Engine::new(settings.recipe, output, settings.threads).map_err(anyhow::Error::from)?;
    let progress = if settings.quiet { Progress::none() } else { Progress::for_text(&inputs, settings.to_stdout) };
    let mut input_reports: Vec<_> =
        inputs.iter().enumerate().map(|(n, input)| Report::new(n, input.clone(), destination.to_string())).collect();
    interrupt::handle_for(&destination);
    let result = convert(settings, engine, &inputs, &destination, reports, &mut input_reports);
    drop(progress);
    let complete = result?;
    if complete && destination.replaces_file() {
        interrupt::came_too_late(&destination);
    }
    for mut report in input_reports {
        // The single output was not written, or ends before this input.
        report.output_missing = !complete && (destination.replaces_file() || !report.is_open());
        reports.record(report);
    }
    Ok(())
}

/// Converts all inputs and returns whether the output is complete. Messages are printed immediately.
fn convert(
    settings: &Settings,
    mut engine: Engine,
    inputs: &[Input],
    destination: &Destination,
    reports: &Reports<'_>,
    input_reports: &mut [Report],
) -> Result<bool, Stop> {
    let mut written = 0;
    // In a dry run, nothing is written.
    let after = |written: u64| destination.after_failure_at(if settings.dry_run { 0 } else { written });
    for (number, (input, report)) in inputs.iter().zip(&mut *input_reports).enumerate() {
        if let Err(error) = convert_one(settings, &mut engine, input, number == 0, report) {
            if error.is_broken_pipe() {
                return Err(Stop::BrokenPipe);
            }
            // An input that ends because of the signal may cause other errors.
            let error = interrupt::check().err().unwrap_or(error);
            report.fail(settings, &error, &after(written + report.tally.written));
        }
        // Losses are reported even if the input fails later, perhaps at the U+FFFD of a malformed sequence.
        reports.print(report);
        if report.has_failed() || report.done == Done::Undecided {
            return Ok(false);
        }
        written += report.tally.written;
    }
    let mut not_kept = Vec::new();
    let committed = engine.finish().and_then(|(output, more)| {
        not_kept = output.not_kept().to_vec();
        output.commit(settings.sync).map(|()| more)
    });
    for what in not_kept.iter().filter(|_| committed.is_ok() && !settings.quiet) {
        print_message(format_args!("{destination}: {what}"));
    }
    match (committed, input_reports.last_mut()) {
        (Err(error), _) if error.is_broken_pipe() => Err(Stop::BrokenPipe),
        (Err(error), Some(last)) => {
            last.fail(settings, &error, &after(written));
            reports.print_error(last);
            Ok(false)
        }
        (Ok(more), Some(last)) => {
            last.tally.written += more;
            Ok(true)
        }
        (_, None) => Ok(true),
    }
}

fn convert_one(
    settings: &Settings,
    engine: &mut Engine,
    input: &Input,
    first: bool,
    report: &mut Report,
) -> Result<(), ConvertError> {
    if settings.mail {
        let mail = Mail::open(settings, input)?;
        mail.describe(report);
        return match mail.why_refused() {
            Some(why) => {
                report.is_undecided(why);
                Ok(())
            }
            None => mail.convert(settings, engine, report),
        };
    }
    let mut opened = source::open_text(input, settings.from, settings.input_bom).map_err(ConvertError::Read)?;
    report.opened(settings, &opened);
    if let Some(why) = mail::why_not_one_text(settings, &opened) {
        report.is_undecided(why);
        return Ok(());
    }
    // Perhaps the bytes are meant to become characters.
    if let Stream::File(file) = &mut opened.source.reader
        && opened.bom == 0
        && let Some(format) = source::format(file).map_err(ConvertError::Read)?
    {
        let was = if settings.dry_run { "would be" } else { "was" };
        report.warn(format!("{was} converted like text, but {format}"));
    }
    outside::check_bom(settings, &opened, report)?;
    // Each input may have a byte order mark, but the output has at most one.
    if first && settings.writes_bom(opened.bom > 0) {
        report.tally.written += engine.write_bom()?;
    }
    engine.convert(opened.source, &mut report.tally)?;
    report.warn_of_declarations(settings);
    Ok(())
}

/// Returns the destination after checking that every input exists and none is overwritten. Reads and writes nothing.
///
/// Returns `None`, and reports why, if an input cannot be opened.
fn destination(arguments: &Arguments, inputs: &[Input], reports: &Reports<'_>) -> Result<Option<Destination>, Stop> {
    let path = arguments.output.as_deref();
    let name = path.map(shown).unwrap_or_default();
    let destination = Destination::new(path).with_context(|| name)?;
    if let Some(table) = &arguments.tables.table
        && let Ok(Some(handle)) = Input::File(table.clone()).check()
        && destination.is_same_file(&handle)
    {
        return Err(Stop::Usage(format!(
            "{destination} is also the table of --table ({}) and would be overwritten; choose another output file",
            shown(table)
        )));
    }
    let mut all_exist = true;
    for (number, input) in inputs.iter().enumerate() {
        match input.check() {
            Ok(Some(handle)) if destination.is_same_file(&handle) => {
                return Err(Stop::Usage(format!(
                    "{destination} is also an input ({input}) and would be overwritten; \
                     choose another output file, or use --in-place"
                )));
            }
            Ok(_) => {}
            Err(error) => {
                let mut report = Report::new(number, input.clone(), destination.to_string());
                let hint = match error.kind() {
                    io::ErrorKind::IsADirectory => "; -r converts the files in it, with --in-place or --output-dir",
                    _ => "",
                };
                report.fail_with(reason(&error) + hint);
                reports.add(report);
                all_exist = false;
            }
        }
    }
    Ok(all_exist.then_some(destination))
}
