//! `textcodec`: converts text between the encodings of the web, in constant memory, and says what it could not keep.

mod arguments;
mod characters;
mod check;
mod completions;
mod convert;
mod detect;
mod engine;
mod findings;
mod iconv;
mod index;
mod input;
mod inspect;
mod items;
mod labels;
mod list;
mod location;
mod man;
mod output;
mod source;
mod terminal;
mod translit;

use std::{
    io::{self, BufWriter, Write},
    process::ExitCode,
};

use clap::{CommandFactory as _, FromArgMatches as _, error::ErrorKind};

use arguments::{Action, Arguments};
use terminal::print_message;

/// How an action ends that was carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    /// The output holds all of the input; a check has found nothing.
    Clean,
    /// The output is complete, but some of the input was replaced or left out; a check has found something, and said
    /// so.
    Losses,
    /// Some of it was not done, as was said.
    Failures,
}

impl Outcome {
    /// The exit status.
    fn status(self) -> u8 {
        match self {
            Self::Clean => 0,
            Self::Losses => 1,
            Self::Failures => 3,
        }
    }
}

/// Why an action was not carried out.
#[derive(Debug)]
enum Stop {
    /// The command line asks for what cannot be. Nothing has been read or written. Exit status 2.
    Usage(String),
    /// Exit status 3.
    Failed(anyhow::Error),
    /// Nobody reads the output any more, as after `textcodec … | head`. The reader has all that it wanted, so this is
    /// success, without a word: exit status 0.
    BrokenPipe,
}

impl From<anyhow::Error> for Stop {
    fn from(error: anyhow::Error) -> Self {
        Self::Failed(error)
    }
}

fn main() -> ExitCode {
    // No `process::exit` behind this line: temporary files are removed when they are dropped.
    let matches = Arguments::command().get_matches_from(iconv::command_line());
    let result = match Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit()).action {
        Action::Convert(arguments) => convert::run(&arguments),
        Action::Detect(arguments) => detect::run(&arguments),
        Action::Check(arguments) => check::run(&arguments),
        Action::Inspect(arguments) => inspect::run(&arguments),
        Action::List(arguments) => list::run(&arguments),
        Action::Index(arguments) => index::run(&arguments),
        Action::Iconv(arguments) => iconv::run(&arguments),
        Action::Completions(arguments) => completions::run(&arguments),
        Action::Man(arguments) => man::run(&arguments),
    };
    match result {
        Ok(outcome) => outcome.status().into(),
        Err(Stop::BrokenPipe) => ExitCode::SUCCESS,
        Err(Stop::Usage(message)) => {
            // In clap's own form, with the usage of the subcommand below it.
            let mut command = Arguments::command();
            command.build();
            if let Some(command) = matches.subcommand_name().and_then(|name| command.find_subcommand_mut(name)) {
                let _ = command.error(ErrorKind::ValueValidation, message).print();
            }
            ExitCode::from(2)
        }
        Err(Stop::Failed(error)) => {
            print_message(format_args!("{error:#}"));
            ExitCode::from(3)
        }
    }
}

/// Writes to standard output what a command prints, in large pieces.
fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Stop> {
    let mut stdout = BufWriter::new(io::stdout().lock());
    write(&mut stdout).and_then(|()| stdout.flush()).map_err(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => Stop::BrokenPipe,
        _ => Stop::Failed(anyhow::Error::new(error).context("standard output")),
    })
}
