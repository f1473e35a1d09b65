//! The command line.

use std::num::NonZeroU32;

use clap::{Parser, Subcommand};

use crate::{check, completions, convert, detect, iconv, index, inspect, list, man};

/// Convert text between the encodings of the web, code pages and EBCDIC, and report what could not be converted
#[derive(Debug, Parser)]
#[command(name = "textcodec", bin_name = "textcodec", version, arg_required_else_help = true, after_help = AFTER)]
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

/// Parses the value of an option that counts something.
pub(crate) fn count(number: &str) -> Result<NonZeroU32, &'static str> {
    number.parse().map_err(|_| "expected a number, at least 1")
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
