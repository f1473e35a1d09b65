//! The command line of `textcodec convert`.

use std::{ffi::OsString, num::NonZeroUsize, path::PathBuf};

use clap::{Args, ValueEnum, ValueHint};
use globset::{Glob, GlobBuilder};

use crate::engine;

/// Convert files, or standard input, from one encoding to another
///
/// Any size is converted in constant memory. Several inputs are joined to one output, unless --in-place or --output-dir
/// says otherwise; each has its own byte order mark and its own end. Labels are those of the Encoding Standard, as in
/// HTML: latin1 is windows-1252, utf-16 is UTF-16LE.
#[derive(Debug, Args)]
#[command(after_help = "Examples and exit status: textcodec convert --help", after_long_help = AFTER)]
#[expect(clippy::struct_excessive_bools, reason = "they are options of the command line")]
pub(crate) struct Arguments {
    /// Encoding of the input, or auto [default: UTF-8]
    ///
    /// A byte order mark of UTF-8, UTF-16LE or UTF-16BE at the start of an input wins over this, as in browsers. `auto`
    /// looks at each input: what it declares (HTML, XML, CSS), or else what it looks like. `textcodec detect` tells
    /// more.
    #[arg(short, long, value_name = "LABEL")]
    pub(crate) from: Option<String>,

    /// Encoding of the output
    #[arg(short, long, value_name = "LABEL", default_value = "UTF-8")]
    pub(crate) to: String,

    /// Write to this file instead of standard output
    ///
    /// The file is complete in the end, or untouched: a new one is written beside it, forced to the disk, and takes its
    /// place, with its owner and permissions. Through a symbolic link, the file it leads to is replaced. FIFOs and
    /// devices are written to directly. A file that is also an input is refused: that is what --in-place is for. `-` is
    /// standard output.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath, group = "where")]
    pub(crate) output: Option<PathBuf>,

    /// Convert each file in its place; with a suffix, keep the original beside it
    ///
    /// As safe as -o. The file keeps its times, too. One that is the same in both encodings is not touched. Without a
    /// suffix, there would be no way back from U+FFFD, so a file with malformed sequences is an error and stays as it
    /// was, unless --malformed=replace says otherwise. A backup that is there already is never overwritten. Write the
    /// suffix behind an equals sign: --in-place=.bak
    #[arg(
        long,
        value_name = "SUFFIX",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        groups = ["where", "each"]
    )]
    pub(crate) in_place: Option<OsString>,

    /// Write each file to this folder, by its name; what -r finds, by its path within the folder that was given
    ///
    /// Folders are made where they are needed. Files that are there are replaced, but never one that is also an input.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, groups = ["where", "each"])]
    pub(crate) output_dir: Option<PathBuf>,

    /// Go into folders; with --in-place or --output-dir
    ///
    /// Symbolic links found there are not followed, and folders named .git, .hg and .svn are left out.
    #[arg(short, long, requires = "each")]
    pub(crate) recursive: bool,

    /// Of the files that -r finds, only those that match; can be given more than once
    ///
    /// As in shells: *.txt, [ab]?.csv, {en,de}/**. A pattern without a slash is compared with the name, any other with
    /// the path within the folder that was given.
    #[arg(long, value_name = "GLOB", requires = "recursive", value_parser = glob)]
    pub(crate) include: Vec<Glob>,

    /// Of the files that -r finds, none of those that match
    #[arg(long, value_name = "GLOB", requires = "recursive", value_parser = glob)]
    pub(crate) exclude: Vec<Glob>,

    /// How many files, or parts of a file, are converted at the same time [default: one for each processor]
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Byte order mark of the output [default: strip]
    ///
    /// With --aliases, `-t utf-8-sig` is `-t utf-8 --bom=add`.
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) bom: Option<Bom>,

    /// The same as --malformed=error
    #[arg(long, conflicts_with = "malformed")]
    pub(crate) strict: bool,

    /// What to do about bytes that are not text in the encoding of the input [default: replace; in place without a
    /// suffix: error]
    #[arg(long, value_enum, value_name = "HOW")]
    pub(crate) malformed: Option<Malformed>,

    /// What to do about characters that the output encoding does not have: error, html, xml, replace[=CHAR], skip, translit
    ///
    /// error: stop at the first one.
    /// html: write &#8364;
    /// xml: write &#x20AC;
    /// replace: write a question mark, or, for replace=CHAR, this one character.
    /// skip: write nothing.
    /// translit: write something similar, such as EUR; a question mark where there is nothing.
    #[arg(long, value_name = "HOW", default_value = "error", value_parser = unmappable, verbatim_doc_comment)]
    pub(crate) unmappable: engine::Unmappable,

    /// Also accept names that mail, Windows, Python and iconv use, such as cp932
    #[arg(long)]
    pub(crate) aliases: bool,

    /// Say what became of each input, for programs: on standard output, or, where the text goes there, on standard error
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) report: Option<Report>,

    /// Convert, but write nothing: only say what would become of each input
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Say nothing about losses; the exit status tells
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// Say what became of each input
    #[arg(short, long)]
    pub(crate) verbose: bool,

    /// Inputs, in this order; none or `-` is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Bom {
    /// None
    Strip,
    /// One where the input had one, in the encoding of the output
    Keep,
    /// Always one
    Add,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Malformed {
    /// Stop at the first malformed sequence
    Error,
    /// Write U+FFFD for each, as browsers do
    Replace,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Report {
    /// One object, with a list of files
    Json,
}

fn unmappable(how: &str) -> Result<engine::Unmappable, String> {
    use engine::Unmappable::{Fail, Html, Replace, Skip, Translit, Xml};

    Ok(match how {
        "error" => Fail,
        "html" => Html,
        "xml" => Xml,
        // Every encoding has it, which is not true of U+FFFD.
        "replace" => Replace('?'),
        "skip" => Skip,
        "translit" => Translit,
        _ => {
            let mut characters = how.strip_prefix("replace=").unwrap_or_default().chars();
            match (characters.next(), characters.next()) {
                (Some(character), None) => Replace(character),
                _ => {
                    return Err(
                        "it is error, html, xml, replace, replace=CHAR (one character), skip or translit".into()
                    );
                }
            }
        }
    })
}

fn glob(pattern: &str) -> Result<Glob, globset::Error> {
    GlobBuilder::new(pattern).literal_separator(true).build()
}

const AFTER: &str = "\
Examples:
  Shift_JIS to UTF-8:
      textcodec convert -f shift_jis old.txt -o new.txt
  In a pipe:
      zcat log.gz | textcodec convert -f windows-1251 | grep слово
  A whole folder, in place, with a backup of each file:
      textcodec convert -f windows-1252 -r --include '*.txt' --in-place=.bak mail
  A folder of files in who knows which encodings, to another folder:
      textcodec convert -f auto -r mail --output-dir converted
  For an old program, with numbers for what windows-1252 does not have:
      textcodec convert -t windows-1252 --unmappable=html page.html -o old.html
  For Excel, which wants a byte order mark:
      textcodec convert --bom=add table.csv -o excel.csv
  Make it valid UTF-8, without a byte order mark:
      textcodec convert error.log -o repaired.log

Exit status: the worst of what happened
  0  all is converted; or the reader of the output has closed it, as head does
  1  all is converted, with losses, which are told on standard error
  2  wrong usage: nothing was read or written
  3  something failed; its file is untouched, and the other files are converted";
