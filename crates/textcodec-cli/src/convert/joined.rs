//! Many inputs to one output.

use std::path::Path;

use anyhow::{Context as _, anyhow};

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
    let inputs = inputs(arguments);
    let destination = destination(arguments.output.as_deref(), &inputs)?;
    let output =
        if settings.dry_run { Output::Nowhere } else { destination.open().with_context(|| destination.to_string())? };
    let engine = Engine::new(settings.recipe, output, settings.threads).map_err(anyhow::Error::from)?;
    let progress = if settings.quiet { Progress::none() } else { Progress::for_text(&inputs, settings.to_stdout) };
    let result = convert(settings, engine, &inputs, &destination, reports);
    drop(progress);
    result
}

fn convert(
    settings: &Settings,
    mut engine: Engine,
    inputs: &[Input],
    destination: &Destination,
    reports: &Reports<'_>,
) -> Result<(), Stop> {
    let (to, after) = (destination.to_string(), destination.after_failure());
    for (number, input) in inputs.iter().enumerate() {
        let mut report = Report::new(number, input.to_string(), to.clone());
        let result = one(settings, &mut engine, input, number == 0, &mut report);
        let failed = result.is_err();
        if let Err(broken) = result {
            if broken.is_reader_gone() {
                return Err(Stop::ReaderGone);
            }
            report.fail(settings, &broken, &after);
        }
        // What was lost is told also where the input fails later: perhaps at the U+FFFD that stands for it.
        reports.add(report);
        if failed {
            return Ok(());
        }
    }
    let written = engine.finish().and_then(|output| output.commit().map_err(Broken::Write));
    match written {
        Err(broken) if broken.is_reader_gone() => Err(Stop::ReaderGone),
        Err(broken) => {
            let mut report = Report::new(inputs.len(), to.clone(), to);
            report.fail(settings, &broken, &after);
            reports.add(report);
            Ok(())
        }
        Ok(()) => Ok(()),
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

fn inputs(arguments: &Arguments) -> Vec<Input> {
    if arguments.files.is_empty() {
        vec![Input::Stdin]
    } else {
        arguments.files.iter().map(|path| Input::new(path)).collect()
    }
}

/// Where to write, once it is certain that every input is there and none of them is overwritten: before that nothing is
/// read or written.
fn destination(path: Option<&Path>, inputs: &[Input]) -> Result<Destination, Stop> {
    let name = path.map(|path| path.display().to_string()).unwrap_or_default();
    let destination = Destination::new(path).with_context(|| name)?;
    let mut problem = None;
    for input in inputs {
        match input.check() {
            Ok(Some(handle)) if destination.is(&handle) => {
                return Err(Stop::Usage(format!(
                    "{destination} is also an input ({input}): it would be overwritten; \
                     choose another file for the output, or --in-place"
                )));
            }
            Ok(_) => {}
            Err(error) => {
                // All are told, and the last one by `main`.
                if let Some(before) = problem.replace(anyhow!(error).context(input.to_string())) {
                    say(format_args!("{before:#}"));
                }
            }
        }
    }
    problem.map_or(Ok(destination), |problem| Err(problem.into()))
}
