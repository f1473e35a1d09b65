//! `textcodec iconv`: the command line of iconv, also used if the program is called by that name.
//!
//! Names have the meaning that iconv gives them (`names.rs`), and a byte order mark is text, except with `UTF-16`. Unlike in
//! iconv, transliteration is the same in every locale, an output may be an input, and the exit status is 1 whenever
//! something was skipped.

mod names;

use std::{
    env,
    ffi::OsString,
    io::{self, IsTerminal as _},
    path::{Path, PathBuf},
};

use crate::{
    Outcome, Stop,
    convert::{character, malformed, malformed_sequences, unmappable_characters},
    engine::{self, ConvertError, Declarations, Engine, Forms, Malformed, Recipe, Records, Source, Tally, Unmappable},
    errors::{describe, reason},
    input::Input,
    interrupt,
    labels::Named,
    narrow,
    normalize::Normalize,
    output::{Destination, Output},
    print,
    screen::{escaped, shown},
    source,
    terminal::{Progress, print_message},
};
use anyhow::{Context as _, anyhow};
use clap::{ArgAction, Args, CommandFactory as _, ValueHint};
use textcodec::UTF_8;
use textcodec_iconv::Options;

/// Convert with the options and the encoding names of iconv
///
/// The program also does this if it is called by the name iconv. Several files are concatenated. Names are those of iconv, in
/// upper or lower case: LATIN1 is ISO-8859-1 and not windows-1252, ASCII has 128 characters, UTF-16 and UTF-32 start with a
/// byte order mark. All that can be read can be written. The tables are those of the Encoding Standard where it has the encoding,
/// so GB2312 is GBK. A name of a code page is an error if it means another table in glibc or libiconv, such as IBM278.
#[derive(Debug, Args)]
#[command(
    version,
    display_name = "iconv (textcodec)",
    disable_help_flag = true,
    infer_long_args = true,
    args_override_self = true,
    after_help = "Examples and exit status: textcodec iconv --help",
    after_long_help = AFTER,
    override_usage = USAGE
)]
#[expect(clippy::struct_excessive_bools, reason = "they are options of the command line")]
pub(crate) struct Arguments {
    /// Encoding of the input [default: UTF-8, in every locale]
    ///
    /// A byte order mark at the start of UTF-16 or UTF-32 determines the byte order and is removed; without one, they are
    /// little-endian. In all other encodings, a byte order mark is text and is kept.
    #[arg(short, long, value_name = "NAME", default_value = "", hide_default_value = true)]
    from_code: String,

    /// Encoding of the output [default: UTF-8, in every locale]
    ///
    /// With the suffix //TRANSLIT, unmappable characters are replaced by a similar character or text, the same in every
    /// locale, or by a question mark. The suffix //IGNORE is the same as -c. Both can be combined. UTF-16 and UTF-32 are
    /// written little-endian, with a byte order mark, unless there is no text.
    #[arg(short, long, value_name = "NAME", default_value = "", hide_default_value = true)]
    to_code: String,

    /// Skip malformed bytes and unmappable characters
    #[arg(short = 'c')]
    omit: bool,

    /// List the names of the encodings
    #[arg(short, long)]
    list: bool,

    /// Write to this file instead of standard output
    ///
    /// FILE is replaced once all input has been converted, and is unchanged if anything fails. It may be an input.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,

    /// Do not report what -c skips
    #[arg(short, long)]
    silent: bool,

    /// Report which file is being converted
    #[arg(long)]
    verbose: bool,

    /// Print a short usage message
    #[arg(long)]
    usage: bool,

    /// Print help
    #[arg(short = '?', short_alias = 'h', long, action = ArgAction::Help)]
    help: Option<bool>,

    /// Input files, in order; with no FILE, or when FILE is `-`, standard input is read
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,
}

const USAGE: &str = "\
textcodec iconv [OPTIONS] [FILE]...
       textcodec iconv --list";

const AFTER: &str = "\
Examples:
  Convert windows-1251 to UTF-8:
      iconv -f CP1251 -t UTF-8 letter.txt > letter.utf-8.txt
  Convert to ASCII, so that é becomes e and € becomes EUR:
      iconv -t ASCII//TRANSLIT menu.txt
  Convert a file in place, which is unsafe with other implementations of iconv:
      iconv -f LATIN1 -t UTF-8 -o names.csv names.csv
  Install the program under the name iconv:
      ln -s \"$(command -v textcodec)\" ~/bin/iconv

Exit status:
  0  everything was converted; what //TRANSLIT replaced counts as converted
  1  something could not be converted, a name is unknown, or a file could not be
     read or written; files that do not exist are left out, and the others are
     converted; with -c or //IGNORE, only malformed bytes and unmappable
     characters were skipped (some versions of iconv exit with 0 then, without
     a message); without them, the output ends before the error or, with -o,
     FILE is unchanged
  2  wrong usage: nothing was read or written";

/// Returns the command line. If the program is called iconv, inserts the name of the subcommand.
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
        // iconv has the same exit status for all failures.
        Err(Stop::Failed(error)) => {
            print_message(describe(&error));
            Ok(Outcome::Losses)
        }
        result => result,
    }
}

fn convert(arguments: &Arguments) -> Result<Outcome, Stop> {
    let find = |option, name| {
        names::parse(name).map_err(|problem| anyhow!("{option}: {}; -l lists all names", escaped(&problem)))
    };
    let from = find("--from-code", &arguments.from_code)?;
    let to = find("--to-code", &arguments.to_code)?;
    let (inputs, missing) = inputs(&arguments.files);
    if inputs.is_empty() {
        return Ok(missing);
    }
    let mut destination = destination(arguments.output.as_deref(), &inputs)?;
    let output = destination.open().with_context(|| destination.to_string())?;
    interrupt::handle_for(&destination);
    let (recipe, encodings) = recipe(from, to, arguments.omit)?;
    let job = Job { arguments, inputs, destination, recipe };
    job.run(encodings, output).map(|outcome| outcome.max(missing))
}

/// Returns the settings, and the encodings of the input and of the output, unless they are forms that only iconv has.
fn recipe(from: names::Request, to: names::Request, omit: bool) -> Result<(Recipe, [Named; 2]), Stop> {
    let omit = omit || to.ignore;
    let discard = omit || to.discard;
    let mut recipe = Recipe {
        to: UTF_8.into(),
        malformed: if omit { Malformed::Skip } else { Malformed::Fail },
        unmappable: match (to.translit, discard) {
            (true, _) => Unmappable::Translit,
            (false, true) => Unmappable::Skip,
            (false, false) => Unmappable::Fail,
        },
        write_back: true,
        declarations: Declarations::Ignore,
        // The names mean what they say.
        labels: narrow::Labels::default(),
        normalize: match (from.mac, to.mac) {
            (_, true) => Some(Normalize::MacNfd),
            (true, false) => Some(Normalize::MacNfc),
            (false, false) => None,
        },
        records: Records::default(),
        mix: None,
        remove_marks: false,
        forms: None,
    };
    let mut encodings = [Named { encoding: UTF_8, bom: false }; 2];
    match (from.named(), to.named()) {
        (Some(from), Some(to)) => {
            recipe.to = to.encoding.into();
            encodings = [from, to];
        }
        (named, _) if from.mac || to.mac || from.signature || to.signature => {
            let name = names::form_name(if named.is_none() { from.form } else { to.form });
            return Err(anyhow!(
                "UTF-8-MAC and UTF-8-SIG cannot be converted from or to {name}; convert by way of UTF-8"
            )
            .into());
        }
        _ => {
            let mut options = Options::default();
            options.transliterate = to.translit;
            options.skip_malformed = omit;
            options.skip_unmappable = discard;
            options.exchange_newlines = from.zos_unix != to.zos_unix;
            let names = [from.form, to.form].map(names::form_name);
            recipe.forms = Some(Forms { from: from.form, to: to.form, options, names });
        }
    }
    Ok((recipe, encodings))
}

/// Returns the inputs that can be opened. The others are reported.
fn inputs(files: &[PathBuf]) -> (Vec<Input>, Outcome) {
    let (mut inputs, mut outcome) = (Input::all(files), Outcome::Clean);
    inputs.retain(|input| match input.check() {
        Ok(_) => true,
        Err(error) => {
            print_message(format_args!("{input}: {}", reason(&error)));
            outcome = Outcome::Losses;
            false
        }
    });
    (inputs, outcome)
}

/// A conversion of files.
struct Job<'a> {
    arguments: &'a Arguments,
    inputs: Vec<Input>,
    destination: Destination,
    recipe: Recipe,
}

impl Job<'_> {
    /// Converts all inputs. The encodings are those of a recipe without forms.
    fn run(&self, [from, to]: [Named; 2], output: Output) -> Result<Outcome, Stop> {
        let &Self { arguments, ref inputs, ref destination, recipe } = self;
        let mut engine = Engine::new(recipe, output, engine::processors()).map_err(anyhow::Error::from)?;
        let progress = Progress::for_text(inputs, arguments.output.is_none());
        let mut outcome = Outcome::Clean;
        let stop = |input: &dyn std::fmt::Display, error, written| {
            stop(input, error, &destination.after_failure_at(written), destination)
        };
        let mut written = 0;
        if to.bom {
            engine.write_bom_before_text().map_err(|error| stop(destination, error, 0))?;
        }
        for input in inputs {
            if arguments.verbose {
                print_message(input);
            }
            let mut tally = Tally::default();
            let result = open(input, from).map_err(ConvertError::Read).and_then(|(source, bom_len)| {
                tally.read = bom_len;
                engine.convert(source, &mut tally)
            });
            // Without the rest of the text, the number of what was skipped says little.
            let is_reported = recipe.forms.is_none() || result.is_ok();
            for line in skipped(input, &tally, recipe).into_iter().filter(|_| is_reported) {
                outcome = Outcome::Losses;
                if !arguments.silent {
                    print_message(line);
                }
            }
            written += tally.written;
            result.map_err(|error| stop(input, error, written))?;
        }
        let committed = engine.finish().and_then(|(output, _)| commit(output, destination));
        drop(progress);
        committed.map_err(|error| stop(destination, error, written))?;
        if destination.replaces_file() && interrupt::came_too_late(destination) {
            return Err(Stop::Interrupted);
        }
        Ok(outcome)
    }
}

/// Completes the output, and says what the file that it replaces had and it does not.
fn commit(output: Output, destination: &Destination) -> Result<(), ConvertError> {
    let not_kept = output.not_kept().to_vec();
    output.commit(true)?;
    for what in not_kept {
        print_message(format_args!("{destination}: {what}"));
    }
    Ok(())
}

/// Returns the destination, after checking that it overwrites no input.
///
/// A file that is replaced at the end may be an input, but not a file that a shell has opened for writing.
fn destination(path: Option<&Path>, inputs: &[Input]) -> Result<Destination, Stop> {
    let name = path.map(shown).unwrap_or_default();
    let destination = Destination::new(path).with_context(|| name)?;
    for input in inputs {
        match input.check().with_context(|| input.to_string())? {
            Some(handle) if destination.is_same_file(&handle) && !destination.replaces_file() => {
                return Err(Stop::Usage(format!(
                    "{destination} is also an input ({input}) and would be overwritten; \
                     use -o, which may name an input file"
                )));
            }
            _ => {}
        }
    }
    Ok(destination)
}

/// Opens an input and returns the length of its byte order mark. A byte order mark is text unless the name includes
/// one.
fn open(input: &Input, from: Named) -> io::Result<(Source, u64)> {
    let Named { encoding, bom } = from;
    if bom {
        let opened = source::open_marked(input, encoding.into())?;
        return Ok((opened.source, opened.bom));
    }
    Ok((Source { encoding: encoding.into(), reader: input.open()? }, 0))
}

/// `after` is the state of the output.
fn stop(input: &dyn std::fmt::Display, error: ConvertError, after: &str, destination: &Destination) -> Stop {
    if error.is_broken_pipe() {
        return Stop::BrokenPipe;
    }
    // An input that ends because of the signal may cause other errors.
    Stop::Failed(match interrupt::check().err().unwrap_or(error) {
        ConvertError::Write(error) => anyhow!("{destination}: {}", reason(&error)),
        ConvertError::Read(error) => anyhow!("{input}: {}; {after}", reason(&error)),
        ConvertError::Interrupted => {
            print_message(format_args!("interrupted; {after}"));
            return Stop::Interrupted;
        }
        ConvertError::Form(what) => anyhow!("{input}: {what}; {after}; to continue, use -c"),
        // Only with strict labels, and with records.
        ConvertError::OutsideFrom(..)
        | ConvertError::OutsideTo(..)
        | ConvertError::IncompleteRecord(..)
        | ConvertError::LongLine(_) => anyhow!("{input}: {after}"),
        ConvertError::Malformed(offset, error) => {
            let (name, what) = (names::name(error.encoding()), malformed(offset, &error));
            anyhow!("{input}: malformed {name} {what}; {after}; to continue, use -c, which skips malformed bytes")
        }
        ConvertError::Unmappable(location, error, _) => {
            let (name, character) = (names::name(error.encoding()), character(&error));
            anyhow!(
                "{input}: unmappable in {name} at {location}: {character}; {after}; \
                 to continue, use -c, or append //TRANSLIT to the name of the encoding"
            )
        }
    })
}

/// Returns messages about what was skipped in an input. Transliterated characters are not reported.
fn skipped(input: &Input, tally: &Tally, recipe: Recipe) -> Vec<String> {
    let mut lines = Vec::new();
    if tally.skipped > 0 {
        lines.push(format!("{input}: malformed or unmappable, and skipped: {}", tally.skipped));
    }
    if let Some((offset, first)) = &tally.malformed.first
        && recipe.malformed == Malformed::Skip
    {
        let what = malformed_sequences(tally.malformed.count, "skipped", *offset, first);
        lines.push(format!("{input}: {what}"));
    }
    if let Some((location, first)) = &tally.unmappable.first
        && recipe.unmappable == Unmappable::Skip
    {
        let name = names::name(first.encoding());
        let what = unmappable_characters(tally.unmappable.count, name, "skipped", *location, first);
        lines.push(format!("{input}: {what}"));
    }
    lines
}

/// Lists the names: one per line, as programs expect it, or on a terminal one encoding per line.
fn list() -> Result<Outcome, Stop> {
    let names = names::all();
    if !io::stdout().is_terminal() {
        print(|out| names.iter().try_for_each(|(name, _)| writeln!(out, "{name}//")))?;
        return Ok(Outcome::Clean);
    }
    let mut meanings: Vec<_> = names.iter().map(|(_, meaning)| *meaning).collect();
    meanings.sort_unstable();
    meanings.dedup();
    print(|out| {
        meanings.iter().try_for_each(|&meaning| {
            let names: Vec<&str> = names.iter().filter(|name| name.1 == meaning).map(|name| &*name.0).collect();
            writeln!(out, "{meaning}: {}", names.join(", "))
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
