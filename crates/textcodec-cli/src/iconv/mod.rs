//! `textcodec iconv`: the command line of iconv, also where the program is called by that name.
//!
//! Names mean what they mean to iconv (`names.rs`), and a byte order mark is text, but for `UTF-16`. What iconv does badly
//! is done well: transliteration that is the same in every locale, an output that may be an input, and one exit status
//! for whatever is left out.

mod names;

use std::{
    env,
    ffi::OsString,
    io::{self, IsTerminal as _},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, anyhow};
use clap::{ArgAction, Args, CommandFactory as _, ValueHint};
use textcodec::EncodeError;

use crate::{
    Outcome, Stop,
    characters::code_point,
    convert::malformed,
    engine::{self, ConvertError, Engine, Malformed, Recipe, Source, Tally, Unmappable},
    input::Input,
    labels::Named,
    output::Destination,
    print,
    source::{self, InputEncoding},
    terminal::{Progress, print_message},
};

/// Convert as iconv does: its options, its names of encodings
///
/// The program does this also when it is called by the name iconv. Several files are joined. Names are iconv's, in any
/// case: LATIN1 is ISO-8859-1 and not windows-1252, ASCII has 128 characters, UTF-16 begins with a byte order mark. The
/// tables are those of the Encoding Standard: GB2312 is GBK, ISO-8859-9 is windows-1254, TIS-620 is windows-874.
#[derive(Debug, Args)]
#[command(
    version,
    display_name = "iconv (textcodec)",
    disable_help_flag = true,
    infer_long_args = true,
    args_override_self = true,
    after_help = "Examples and exit status: textcodec iconv --help",
    after_long_help = AFTER
)]
#[expect(clippy::struct_excessive_bools, reason = "they are options of the command line")]
pub(crate) struct Arguments {
    /// Encoding of the input [default: UTF-8, in every locale]
    ///
    /// UTF-16 is in the byte order that a mark at its start tells, which is removed, or little-endian. In all other
    /// encodings a mark is text, and stays.
    #[arg(short, long, value_name = "NAME", default_value = "", hide_default_value = true)]
    from_code: String,

    /// Encoding of the output [default: UTF-8, in every locale]
    ///
    /// With //TRANSLIT behind it, a character that it does not have is replaced by something similar, the same in every
    /// locale, or by a question mark. //IGNORE is -c. Both can stand there. UTF-16 is written little-endian, with a byte
    /// order mark.
    #[arg(short, long, value_name = "NAME", default_value = "", hide_default_value = true)]
    to_code: String,

    /// Leave out what cannot be converted: malformed bytes, and characters that the output encoding does not have
    #[arg(short = 'c')]
    omit: bool,

    /// List the names of the encodings
    #[arg(short, long)]
    list: bool,

    /// Write to this file instead of standard output
    ///
    /// It is complete in the end, or untouched. It may be one of the inputs.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,

    /// Say nothing about what -c leaves out
    #[arg(short, long)]
    silent: bool,

    /// Say which file is being converted
    #[arg(long)]
    verbose: bool,

    /// Print a short usage message
    #[arg(long)]
    usage: bool,

    /// Print help
    #[arg(short = '?', short_alias = 'h', long, action = ArgAction::Help)]
    help: Option<bool>,

    /// Inputs, in this order; none or `-` is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,
}

const AFTER: &str = "\
Examples:
  As ever:
      iconv -f CP1251 -t UTF-8 letter.txt > letter.utf-8.txt
  For an old printer: é becomes e, € becomes EUR:
      iconv -t ASCII//TRANSLIT menu.txt
  In its place, which iconv itself must never be asked for:
      iconv -f LATIN1 -t UTF-8 -o names.csv names.csv
  Call it by the name iconv:
      ln -s \"$(command -v textcodec)\" ~/bin/iconv

Exit status:
  0  all is converted, also where //TRANSLIT has replaced characters
  1  something could not be converted: -c or //IGNORE has left it out; without
     them the output ends before it, or, with -o, the file is untouched
     (some versions of iconv end with 0 after -c, and say nothing)
  2  wrong usage: nothing was read or written";

/// The command line; where the program is called iconv, as that of the subcommand.
pub(crate) fn command_line() -> Vec<OsString> {
    let mut words: Vec<_> = env::args_os().collect();
    if words.first().is_some_and(|name| Path::new(name).file_stem().is_some_and(|name| name == "iconv")) {
        words.splice(..1, ["textcodec".into(), "iconv".into()]);
    }
    words
}

pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Stop> {
    if arguments.usage {
        return usage();
    }
    if arguments.list {
        return list();
    }
    match convert(arguments) {
        // iconv has one exit status for all that goes wrong.
        Err(Stop::Failed(error)) => {
            print_message(format_args!("{error:#}"));
            Ok(Outcome::Losses)
        }
        result => result,
    }
}

fn convert(arguments: &Arguments) -> Result<Outcome, Stop> {
    let find = |option, name| {
        names::parse(name).map_err(|problem| Stop::Usage(format!("{option}: {problem}; -l lists all names")))
    };
    let from = find("--from-code", &arguments.from_code)?.named;
    let to = find("--to-code", &arguments.to_code)?;
    let omit = arguments.omit || to.ignore;
    let recipe = Recipe {
        to: to.named.encoding,
        malformed: if omit { Malformed::Skip } else { Malformed::Fail },
        unmappable: match (to.translit, omit) {
            (true, _) => Unmappable::Translit,
            (false, true) => Unmappable::Skip,
            (false, false) => Unmappable::Fail,
        },
    };
    let inputs = Input::all(&arguments.files);
    let destination = destination(arguments.output.as_deref(), &inputs)?;
    let output = destination.open().with_context(|| destination.to_string())?;
    let mut engine = Engine::new(recipe, output, engine::processors()).map_err(anyhow::Error::from)?;
    let progress = Progress::for_text(&inputs, arguments.output.is_none());
    let mut outcome = Outcome::Clean;
    let stop = |input: &dyn std::fmt::Display, error| stop(input, error, &destination);
    if to.named.bom {
        engine.write_bom().map_err(|error| stop(&destination, error))?;
    }
    for input in &inputs {
        if arguments.verbose {
            print_message(input);
        }
        let mut tally = Tally::default();
        let result = open(input, from).map_err(ConvertError::Read).and_then(|(source, mark)| {
            tally.read = mark;
            engine.convert(source, &mut tally)
        });
        for line in dropped(input, &tally, recipe) {
            outcome = Outcome::Losses;
            if !arguments.silent {
                print_message(line);
            }
        }
        result.map_err(|error| stop(input, error))?;
    }
    let written = engine.finish().and_then(|(output, _)| output.commit().map_err(ConvertError::Write));
    drop(progress);
    written.map_err(|error| stop(&destination, error))?;
    Ok(outcome)
}

/// Where to write, once it is certain that every input is there. A file may be both, because a new one takes its place
/// at the end; but what a shell has opened for writing may not.
fn destination(path: Option<&Path>, inputs: &[Input]) -> Result<Destination, Stop> {
    let name = path.map(|path| path.display().to_string()).unwrap_or_default();
    let destination = Destination::new(path).with_context(|| name)?;
    for input in inputs {
        match input.check().with_context(|| input.to_string())? {
            Some(handle) if destination.is_same_file(&handle) && !destination.replaces_file() => {
                return Err(Stop::Usage(format!(
                    "{destination} is also an input ({input}), which would be lost; -o may name a file that is an input"
                )));
            }
            _ => {}
        }
    }
    Ok(destination)
}

/// With the length of the mark. Unlike [`source::open`], takes a byte order mark as text where it is no part of the form.
fn open(input: &Input, from: Named) -> io::Result<(Source, u64)> {
    let Named { encoding, bom } = from;
    if bom {
        let opened = source::open(input, InputEncoding::Fixed(encoding))?;
        return Ok((opened.source, opened.bom));
    }
    Ok((Source { encoding, reader: input.open()? }, 0))
}

fn stop(input: &dyn std::fmt::Display, error: ConvertError, destination: &Destination) -> Stop {
    if error.is_broken_pipe() {
        return Stop::BrokenPipe;
    }
    let after = destination.after_failure();
    Stop::Failed(match error {
        ConvertError::Write(error) => anyhow!("{destination}: {error}"),
        ConvertError::Read(error) => anyhow!("{input}: {error}; {after}"),
        ConvertError::Malformed(offset, error) => {
            let (name, what) = (names::name(error.encoding()), malformed(offset, &error));
            anyhow!("{input}: malformed {name} {what}; {after}; -c leaves out what is malformed")
        }
        ConvertError::Unmappable(location, error) => {
            let what = unmappable(&error);
            anyhow!("{input}: {location}: {what}; {after}; to go on, use -c, or //TRANSLIT behind the name")
        }
    })
}

/// What was left out of an input. What was transliterated is not: it was asked for.
fn dropped(input: &Input, tally: &Tally, recipe: Recipe) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some((offset, first)) = &tally.malformed.first
        && recipe.malformed == Malformed::Skip
    {
        let (count, first) = (tally.malformed.count, malformed(*offset, first));
        lines.push(format!("{input}: malformed sequences left out: {count}; the first {first}"));
    }
    if let Some((location, first)) = &tally.unmappable.first
        && recipe.unmappable == Unmappable::Skip
    {
        let (count, first) = (tally.unmappable.count, unmappable(first));
        lines.push(format!("{input}: characters left out: {count}; the first at {location}: {first}"));
    }
    lines
}

/// Such as `U+20AC '€' is not in ISO-8859-1`.
fn unmappable(error: &EncodeError) -> String {
    match error.character() {
        Some(c) => format!("{} {c:?} is not in {}", code_point(c), names::name(error.encoding())),
        None => error.to_string(),
    }
}

/// One name a line, as programs expect it; for people, one encoding a line.
fn list() -> Result<Outcome, Stop> {
    let names = names::all();
    if !io::stdout().is_terminal() {
        print(|out| names.iter().try_for_each(|(name, _)| writeln!(out, "{name}//")))?;
        return Ok(Outcome::Clean);
    }
    let mut encodings: Vec<_> = names.iter().map(|(_, encoding)| *encoding).collect();
    encodings.sort_unstable();
    encodings.dedup();
    print(|out| {
        encodings.iter().try_for_each(|&encoding| {
            let names: Vec<&str> = names.iter().filter(|name| name.1 == encoding).map(|name| &*name.0).collect();
            writeln!(out, "{}: {}", names::name(encoding), names.join(", "))
        })
    })?;
    Ok(Outcome::Clean)
}

fn usage() -> Result<Outcome, Stop> {
    let mut command = crate::arguments::Arguments::command();
    command.build();
    let usage = command.find_subcommand_mut("iconv").map(clap::Command::render_usage);
    print(|out| writeln!(out, "{}", usage.unwrap_or_default()))?;
    Ok(Outcome::Clean)
}
