//! `textcodec`: converts text between the encodings of the web, in constant memory, and reports what it could not convert.

mod arguments;
mod characters;
mod charset;
mod check;
mod completions;
mod convert;
mod descriptors;
mod detect;
mod engine;
mod errors;
mod findings;
mod iconv;
mod index;
mod input;
mod inspect;
mod interrupt;
mod items;
mod labels;
mod list;
mod location;
mod man;
mod memory;
mod mix;
mod mixed_findings;
mod narrow;
mod normalize;
mod ordered;
mod output;
mod outside;
mod pages;
mod reading;
mod records;
mod sample;
mod screen;
mod source;
mod table;
mod terminal;
mod usage;
mod walk;

use std::{
    io::{self, BufWriter, Write},
    process::ExitCode,
};

use anyhow::anyhow;
use clap::{CommandFactory as _, FromArgMatches as _};

use arguments::{Action, Arguments};
use errors::{describe, reason};
use terminal::print_message;

/// The result of an action that ran to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    /// The output holds all of the input, or a check found nothing.
    Clean,
    /// The output is complete, but some of the input was replaced or skipped, or a check found something. Messages have
    /// been printed.
    Losses,
    /// Part of the work failed. Messages have been printed.
    Failures,
}

impl Outcome {
    /// Returns the exit status.
    fn status(self) -> u8 {
        match self {
            Self::Clean => 0,
            Self::Losses => 1,
            Self::Failures => 3,
        }
    }
}

/// Why an action stopped before its end.
#[derive(Debug)]
enum Stop {
    /// The command line is invalid. Nothing has been read or written. Exit status 2.
    Usage(String),
    /// Exit status 3.
    Failed(anyhow::Error),
    /// The user interrupted the program, which must end as the signal demands. Messages have been printed.
    Interrupted,
    /// The reader of the output closed it, as in `textcodec … | head`. This is success and prints nothing: exit status 0.
    BrokenPipe,
}

impl Stop {
    /// Returns why writing to standard output stopped.
    fn output(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::BrokenPipe,
            _ => Self::Failed(anyhow!("standard output: {}", reason(error))),
        }
    }
}

impl From<anyhow::Error> for Stop {
    fn from(error: anyhow::Error) -> Self {
        Self::Failed(error)
    }
}

fn main() -> ExitCode {
    memory::prepare();
    // Temporary files are removed when they are dropped, so nothing after this line may call `process::exit`.
    let words = iconv::command_line();
    let parsed = command_line()
        .try_get_matches_from(&words)
        .and_then(|matches| Ok((Arguments::from_arg_matches(&matches)?, matches)));
    let (arguments, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return print_help(&usage::corrected(error, &built(), &words)),
    };
    let is_iconv = matches!(arguments.action, Action::Iconv(_));
    let result = match arguments.action {
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
        Err(Stop::BrokenPipe) if is_iconv => interrupt::end_as_iconv(),
        Err(Stop::BrokenPipe) => ExitCode::SUCCESS,
        Err(Stop::Interrupted) => interrupt::end(),
        Err(Stop::Usage(message)) => {
            // Printed in clap's format, followed by the usage of the subcommand.
            let mut command = built();
            if let Some(command) = matches.subcommand_name().and_then(|name| command.find_subcommand_mut(name)) {
                let _ = usage::error(command, &message).print();
            }
            ExitCode::from(2)
        }
        Err(Stop::Failed(error)) => {
            print_message(describe(&error));
            ExitCode::from(3)
        }
    }
}

/// Returns the definition of the command line, in which subcommands have their full names.
fn built() -> clap::Command {
    let mut command = command_line();
    command.build();
    command
}

/// Returns the definition of the command line, whose help fits the terminal.
fn command_line() -> clap::Command {
    let command = Arguments::command();
    match screen::help_width() {
        Some(width) => command.term_width(width),
        None => command,
    }
}

/// Prints the help that was asked for, or what is wrong with the command line.
fn print_help(error: &clap::Error) -> ExitCode {
    let printed = descriptors::check_stdout().and_then(|()| error.print()).and_then(|()| io::stdout().flush());
    match printed {
        Err(problem) if !error.use_stderr() && problem.kind() != io::ErrorKind::BrokenPipe => {
            print_message(format_args!("standard output: {}", reason(&problem)));
            ExitCode::from(3)
        }
        _ if error.use_stderr() => ExitCode::from(2),
        _ => ExitCode::SUCCESS,
    }
}

/// Runs `write` on a buffered standard output and flushes it.
fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Stop> {
    let mut stdout = BufWriter::new(descriptors::Stdout::lock());
    write(&mut stdout).and_then(|()| stdout.flush()).map_err(|error| Stop::output(&error))
}
