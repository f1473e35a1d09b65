//! The command line.

use clap::{Parser, Subcommand};

use crate::{check, completions, convert, detect, iconv, index, inspect, list, man};

/// Convert text between the encodings of the web and report what could not be converted
#[derive(Debug, Parser)]
#[command(name = "textcodec", version, arg_required_else_help = true, after_help = AFTER)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) action: Action,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Action {
    Convert(convert::Arguments),
    Detect(detect::Arguments),
    Check(check::Arguments),
    Inspect(inspect::Arguments),
    List(list::Arguments),
    Index(index::Arguments),
    Iconv(iconv::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

const AFTER: &str = "\
Examples:
  textcodec convert -f shift_jis old.csv -o new.csv
  textcodec convert -f auto -r mail --output-dir converted
  textcodec detect old.csv
  textcodec check --to windows-1252 page.html
  textcodec inspect €
  textcodec iconv -f CP1251 -t UTF-8 letter.txt

More about a command: textcodec COMMAND --help";
