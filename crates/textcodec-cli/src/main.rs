//! `textcodec`: converts text between the encodings of the web, in constant memory, and says what it could not keep.

mod arguments;
mod convert;
mod input;
mod labels;
mod output;
mod pipeline;
mod place;

use std::{fmt, io::Write as _, process::ExitCode};

use clap::{CommandFactory as _, Parser as _, error::ErrorKind};

use arguments::{Action, Arguments};

/// How an action ends that was carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// The output holds all of the input. Exit status 0.
    Clean,
    /// The output is complete, but some of the input was replaced or left out. Exit status 1.
    Lossy,
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
    ReaderGone,
}

impl From<anyhow::Error> for Stop {
    fn from(error: anyhow::Error) -> Self {
        Self::Failed(error)
    }
}

fn main() -> ExitCode {
    // No `process::exit` behind this line: temporary files are removed when they are dropped.
    let result = match Arguments::parse().action {
        Action::Convert(arguments) => convert::run(&arguments),
    };
    match result {
        Ok(Outcome::Clean) | Err(Stop::ReaderGone) => ExitCode::SUCCESS,
        Ok(Outcome::Lossy) => ExitCode::from(1),
        Err(Stop::Usage(message)) => {
            // In clap's own form, with the usage of the subcommand below it.
            let mut command = Arguments::command();
            command.build();
            if let Some(command) = command.find_subcommand_mut("convert") {
                let _ = command.error(ErrorKind::ValueValidation, message).print();
            }
            ExitCode::from(2)
        }
        Err(Stop::Failed(error)) => {
            say(format_args!("{error:#}"));
            ExitCode::from(3)
        }
    }
}

/// Writes a message to standard error. Unlike `eprintln!`, it does not panic where that is closed.
fn say(message: impl fmt::Display) {
    let _ = writeln!(std::io::stderr().lock(), "textcodec: {message}");
}
