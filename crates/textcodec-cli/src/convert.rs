//! `textcodec convert`: the loop over the inputs, and what is said about them.

use std::{io, path::Path};

use anyhow::{Context as _, anyhow};
use textcodec::{Bom, DecodeError, DecodeOptions, EncodeError, Encoding, Errors, Malformed, UTF_8, Unmappable};

use crate::{
    Outcome, Stop,
    arguments::{self, Convert},
    input::Input,
    labels::{self, Named},
    output::Destination,
    pipeline::{Broken, Pipeline},
    place::Place,
    say,
};

pub(crate) fn run(arguments: &Convert) -> Result<Outcome, Stop> {
    let (from, to) = encodings(arguments)?;
    let inputs = inputs(arguments);
    let destination = destination(arguments.output.as_deref(), &inputs)?;
    let output = destination.open().with_context(|| destination.to_string())?;

    let malformed = if arguments.strict { Malformed::Fail } else { Malformed::Replace };
    let options = DecodeOptions::new().bom(Bom::Sniff).malformed(malformed);
    let job = Job { destination, from_given: arguments.from.is_some() };
    let mut pipeline = Pipeline::new(to, unmappable(arguments.unmappable), output).map_err(anyhow::Error::from)?;
    if to.bom {
        pipeline.write_bom().map_err(|broken| job.stop(&inputs[0], broken))?;
    }
    let mut outcome = Outcome::Clean;
    let mut first_lossy = None;
    for input in &inputs {
        // One decoder an input: each has its own byte order mark, and a character does not go on in the next one.
        let mut decoder = from.decoder_with(options);
        let reader = input.open().with_context(|| input.to_string())?;
        let result = pipeline.convert(reader, &mut decoder).map_err(|broken| job.stop(input, broken));
        // Told also where the input fails later: perhaps at the U+FFFD that stands for it.
        if let (Some(first), false) = (decoder.errors().first(), matches!(result, Err(Stop::ReaderGone))) {
            say(format_args!("{input}: {}", job.replaced(decoder.errors(), first)));
            outcome = Outcome::Losses;
        }
        result?;
        if first_lossy.is_none() && pipeline.has_losses() {
            first_lossy = Some(input);
        }
    }
    let losses = pipeline.finish().map_err(|broken| job.stop(inputs.last().unwrap_or(&Input::Stdin), broken))?;
    if let (Some((errors, place)), Some(input)) = (losses, first_lossy) {
        say(lost(&errors, arguments.unmappable, input, place));
        outcome = Outcome::Losses;
    }
    Ok(outcome)
}

fn encodings(arguments: &Convert) -> Result<(Encoding, Named), Stop> {
    let find = |option, label| {
        labels::find(label, arguments.aliases).map_err(|problem| Stop::Usage(format!("{option}: {problem}")))
    };
    let from = match arguments.from.as_deref() {
        Some(label) => find("--from", label)?.encoding,
        None => UTF_8,
    };
    let to = find("--to", &arguments.to)?;
    if let Err(error) = to.encoding.encoder() {
        return Err(Stop::Usage(format!(
            "--to: {error}: it stands for encodings that are not written; UTF-8 has all characters"
        )));
    }
    Ok((from, to))
}

fn inputs(arguments: &Convert) -> Vec<Input> {
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
                     choose another file for the output"
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

fn unmappable(how: arguments::Unmappable) -> Unmappable {
    match how {
        arguments::Unmappable::Error => Unmappable::Fail,
        arguments::Unmappable::Html => Unmappable::Html,
        // Every encoding has it, which is not true of U+FFFD.
        arguments::Unmappable::Replace => Unmappable::Replace('?'),
        arguments::Unmappable::Skip => Unmappable::Skip,
    }
}

/// What messages need to know.
struct Job {
    destination: Destination,
    from_given: bool,
}

impl Job {
    fn stop(&self, input: &Input, broken: Broken) -> Stop {
        let after = self.destination.after_failure();
        Stop::Failed(match broken {
            Broken::Write(error) if error.kind() == io::ErrorKind::BrokenPipe => return Stop::ReaderGone,
            Broken::Write(error) => anyhow!(error).context(self.destination.to_string()),
            Broken::Read(error) => anyhow!("{input}: {error}; {after}"),
            Broken::Malformed(error) => anyhow!("{input}: {error}{}; {after}", self.advice()),
            Broken::Unmappable(error, place) => {
                anyhow!(
                    "{input}: {place}: {}; {after}; to go on, use --unmappable=html, replace or skip",
                    character(&error)
                )
            }
        })
    }

    fn replaced(&self, errors: &Errors<DecodeError>, first: &DecodeError) -> String {
        let (at, bytes, reason) = (first.range().start, hex(first.bytes()), first.reason());
        let advice = self.advice();
        match errors.count() {
            1 => format!("1 malformed sequence replaced by U+FFFD, at byte {at} ({bytes}): {reason}{advice}"),
            n => format!(
                "{n} malformed sequences replaced by U+FFFD; the first at byte {at} ({bytes}): {reason}{advice}"
            ),
        }
    }

    /// For who did not know that one has to say it.
    fn advice(&self) -> &'static str {
        if self.from_given { "" } else { " (if this is not UTF-8, give its encoding with -f)" }
    }
}

fn lost(errors: &Errors<EncodeError>, how: arguments::Unmappable, input: &Input, place: Place) -> String {
    let what = match how {
        arguments::Unmappable::Html => "written as '&#…;'",
        arguments::Unmappable::Replace => "replaced by '?'",
        arguments::Unmappable::Skip | arguments::Unmappable::Error => "left out",
    };
    let first = errors.first().map(character).unwrap_or_default();
    match errors.count() {
        1 => format!("1 character {what}, in {input}, {place}: {first}"),
        n => format!("{n} characters {what}; the first in {input}, {place}: {first}"),
    }
}

/// Such as `U+5B57 '字' is not in windows-1252`. In quotes a character that does not show is escaped.
fn character(error: &EncodeError) -> String {
    match error.character() {
        Some(c) => format!("U+{:04X} {c:?} is not in {}", u32::from(c), error.encoding()),
        None => error.to_string(),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(" ")
}
