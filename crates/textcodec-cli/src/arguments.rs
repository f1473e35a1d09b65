//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Convert text between the encodings of the web, exactly, and say what could not be kept
#[derive(Debug, Parser)]
#[command(name = "textcodec", version, arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) action: Action,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Action {
    Convert(Convert),
}

/// Convert files, or standard input, from one encoding to another
///
/// Any size is converted in constant memory. Several inputs are joined to one output; each has its own byte order mark
/// and its own end. Labels are those of the Encoding Standard, as in HTML: latin1 is windows-1252, utf-16 is UTF-16LE.
#[derive(Debug, Args)]
#[command(after_help = "Examples and exit status: textcodec convert --help", after_long_help = AFTER)]
pub(crate) struct Convert {
    /// Encoding of the input [default: UTF-8]
    ///
    /// A byte order mark of UTF-8, UTF-16LE or UTF-16BE at the start of an input wins over this, as in browsers. The
    /// mark is removed.
    #[arg(short, long, value_name = "LABEL")]
    pub(crate) from: Option<String>,

    /// Encoding of the output
    ///
    /// No byte order mark is written, for UTF-16 neither; `--aliases -t utf-8-sig` is UTF-8 with one.
    #[arg(short, long, value_name = "LABEL", default_value = "UTF-8")]
    pub(crate) to: String,

    /// Write to this file instead of standard output
    ///
    /// The file is complete in the end, or untouched: a new one is written beside it and takes its place, with its
    /// permissions. Through a symbolic link, the file it leads to is replaced. FIFOs and devices are written to
    /// directly. A file that is also an input is refused. `-` is standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Stop at the first malformed sequence instead of writing U+FFFD for it
    #[arg(long)]
    pub(crate) strict: bool,

    /// What to do about characters that the output encoding does not have
    #[arg(long, value_enum, value_name = "HOW", default_value_t)]
    pub(crate) unmappable: Unmappable,

    /// Also accept names that mail, Windows, Python and iconv use, such as cp932
    #[arg(long)]
    pub(crate) aliases: bool,

    /// Inputs, in this order; none or `-` is standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum Unmappable {
    /// Stop at the first one
    #[default]
    Error,
    /// Write a reference as in HTML: &#8364;
    Html,
    /// Write a question mark
    Replace,
    /// Write nothing
    Skip,
}

const AFTER: &str = "\
Examples:
  Shift_JIS to UTF-8:
      textcodec convert -f shift_jis old.txt -o new.txt
  In a pipe:
      zcat log.gz | textcodec convert -f windows-1251 | grep слово
  For an old program, with numbers for what windows-1252 does not have:
      textcodec convert -t windows-1252 --unmappable=html page.html -o old.html
  Is this valid UTF-8? If not, say where and fail:
      textcodec convert --strict data.csv -o /dev/null
  Make it valid UTF-8, without a byte order mark:
      textcodec convert broken.log -o repaired.log

Exit status:
  0  all is converted; or the reader of the output has closed it, as head does
  1  all is converted, with losses, which are told on standard error
  2  wrong usage: nothing was read or written
  3  failed: an -o file is untouched";
