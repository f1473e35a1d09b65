//! Many inputs to one output.

use std::path::Path;

use anyhow::Context as _;

use super::{
    Arguments, Settings,
    report::{Report, Reports},
};
use crate::{
    Stop,
    engine::{Broken, Engine},
    input::Input,
    output::{Destination, Output},
    source,
    terminal::{Progress, say},
};

pub(super) fn run(settings: &Settings, arguments: &Arguments, reports: &Reports<'_>) -> Result<(), Stop> {
    let inputs = Input::all(&arguments.files);
    let Some(destination) = destination(arguments.output.as_deref(), &inputs, reports)? else { return Ok(()) };
    let output =
        if settings.dry_run { Output::Nowhere } else { destination.open().with_context(|| destination.to_string())? };
    if let Some(warning) = destination.other_names().filter(|_| !settings.quiet) {
        say(format_args!("{destination}: {warning}"));
    }
    let engine = Engine::new(settings.recipe, output, settings.threads).map_err(anyhow::Error::from)?;
    let progress = if settings.quiet { Progress::none() } else { Progress::for_text(&inputs, settings.to_stdout) };
    let mut done: Vec<_> = inputs
        .iter()
        .enumerate()
        .map(|(n, input)| Report::new(n, input.to_string(), destination.to_string()))
        .collect();
    let result = convert(settings, engine, &inputs, &destination, reports, &mut done);
    drop(progress);
    let complete = result?;
    for mut report in done {
        // One output that is not there, or ends before.
        report.is_missing = !complete && (destination.is_replaced() || !report.is_open());
        reports.keep(report);
    }
    Ok(())
}

/// Whether the output is complete. What has to be said is said at once, what becomes of the inputs is in their reports.
fn convert(
    settings: &Settings,
    mut engine: Engine,
    inputs: &[Input],
    destination: &Destination,
    reports: &Reports<'_>,
    done: &mut [Report],
) -> Result<bool, Stop> {
    let after = destination.after_failure();
    for (number, (input, report)) in inputs.iter().zip(&mut *done).enumerate() {
        if let Err(broken) = one(settings, &mut engine, input, number == 0, report) {
            if broken.is_reader_gone() {
                return Err(Stop::ReaderGone);
            }
            report.fail(settings, &broken, &after);
        }
        // What was lost is told also where the input fails later: perhaps at the U+FFFD that stands for it.
        reports.tell(report);
        if report.has_failed() {
            return Ok(false);
        }
    }
    let written = engine.finish().and_then(|(output, more)| output.commit().map(|()| more).map_err(Broken::Write));
    match (written, done.last_mut()) {
        (Err(broken), _) if broken.is_reader_gone() => Err(Stop::ReaderGone),
        (Err(broken), Some(last)) => {
            last.fail(settings, &broken, &after);
            reports.tell_error(last);
            Ok(false)
        }
        (Ok(more), Some(last)) => {
            last.tally.written += more;
            Ok(true)
        }
        (_, None) => Ok(true),
    }
}

fn one(
    settings: &Settings,
    engine: &mut Engine,
    input: &Input,
    first: bool,
    report: &mut Report,
) -> Result<(), Broken> {
    let opened = source::open(input, settings.from).map_err(Broken::Read)?;
    report.opened(&opened);
    // Each input may have a mark, but the output has one.
    if first && settings.marks(opened.bom > 0) {
        report.tally.written += engine.mark()?;
    }
    engine.convert(opened.source, &mut report.tally)
}

/// Where to write, once it is certain that every input is there and none of them is overwritten: before that nothing is
/// read or written. None where an input is not there, which is reported.
fn destination(path: Option<&Path>, inputs: &[Input], reports: &Reports<'_>) -> Result<Option<Destination>, Stop> {
    let name = path.map(|path| path.display().to_string()).unwrap_or_default();
    let destination = Destination::new(path).with_context(|| name)?;
    let mut all = true;
    for (number, input) in inputs.iter().enumerate() {
        match input.check() {
            Ok(Some(handle)) if destination.is(&handle) => {
                return Err(Stop::Usage(format!(
                    "{destination} is also an input ({input}): it would be overwritten; \
                     choose another file for the output, or --in-place"
                )));
            }
            Ok(_) => {}
            Err(error) => {
                let mut report = Report::new(number, input.to_string(), destination.to_string());
                report.fail_with(&error.to_string());
                reports.add(report);
                all = false;
            }
        }
    }
    Ok(all.then_some(destination))
}
