//! The command line of `textcodec convert`.

use std::{ffi::OsString, num::NonZeroU32, path::PathBuf};

use clap::{Args, ValueEnum, ValueHint};

use crate::{
    Stop,
    arguments::count,
    detect::Guessing,
    engine,
    mix::Unit,
    normalize,
    records::{RecordLength, record_length},
    source::InputBom,
    table::Tables,
    walk::Selection,
};

/// Convert files, or standard input, from one encoding to another
///
/// Inputs of any size are converted in constant memory. Several inputs are concatenated into one output, unless
/// --in-place or --output-dir is given; each input is decoded separately and may have its own byte order mark. Labels are
/// those of the Encoding Standard, as in HTML: latin1 is windows-1252, utf-16 is UTF-16LE. Other names used in mail and by
/// Windows, Python and iconv are accepted, too, such as cp932 and cp850. isomorphic is true ISO-8859-1, and strict-ascii is
/// true ASCII. `textcodec list` shows all encodings, among them EBCDIC, such as IBM1047.
#[derive(Debug, Args)]
#[command(after_help = "Examples and exit status: textcodec convert --help", after_long_help = AFTER)]
#[command(override_usage = USAGE)]
#[command(mut_arg("recursive", |recursive| recursive.help(RECURSIVE).long_help(RECURSIVE_LONG)))]
#[expect(clippy::struct_excessive_bools, reason = "they are options of the command line")]
pub(crate) struct Arguments {
    /// Encoding of the input, or auto, or several such as utf-8,windows-1252 [default: UTF-8]
    ///
    /// A byte order mark of UTF-8, UTF-16 or UTF-32 at the start of an input overrides this option, as in browsers, unless it is
    /// EBCDIC, or --input-bom says otherwise. `table` is the table of --table.
    /// `auto` detects the encoding of each input, from a declaration in it or from its bytes. `textcodec
    /// detect` shows the reasons, and --min-confidence says how certain an answer must be. Several encodings are for inputs in which they are mixed: see --per. Nothing is guessed.
    #[arg(short, long, value_name = "LABEL")]
    pub(crate) from: Option<String>,

    #[command(flatten)]
    pub(crate) guessing: Guessing,

    /// With several encodings in -f: what is decoded with one of them [default: sequence if all but the first are single-byte
    /// encodings, otherwise line]
    ///
    /// What fits none of them is malformed in the last one. With utf-16le or utf-16be among them, which can only be mixed per line, a
    /// line with zero bytes is UTF-16. The first MiB of a line decides about all of it.
    #[arg(long, value_enum, value_name = "UNIT")]
    pub(crate) per: Option<Unit>,

    /// Encoding of the output
    ///
    /// `table` is the table of --table.
    #[arg(short, long, value_name = "LABEL", default_value = "UTF-8")]
    pub(crate) to: String,

    /// Write to this file instead of standard output
    ///
    /// FILE is replaced once all input has been converted, and is unchanged if anything fails: a new file is written in
    /// the same directory, forced to the disk and renamed. The new file has the owner and the permissions of the old one.
    /// If FILE is a symbolic link, the file that it points to is replaced. FIFOs and devices are written directly. FILE
    /// must not be an input, for which there is --in-place, nor the table of --table. `-` is standard output.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath, group = "where")]
    pub(crate) output: Option<PathBuf>,

    /// Convert each file in place; with a suffix, keep the original as a backup
    ///
    /// Each file is replaced as with -o, and also keeps its times. A file that is the same in both encodings is not
    /// touched. Without a suffix, a file with malformed sequences is an error and is left unchanged, because replacing
    /// them with U+FFFD could not be undone; --malformed=replace overrides this. An existing backup is never overwritten,
    /// and backups of earlier runs are not converted: files that end with this suffix, or with .bak, .orig, .old, .save or
    /// ~, and files with any suffix after the name of another file that would become that file. A backup that is named
    /// and whose file is missing is converted. Write the suffix after an equals sign: --in-place=.bak
    #[arg(
        long,
        value_name = "SUFFIX",
        num_args = 0..=1,
        require_equals = true,
        groups = ["where", "each"]
    )]
    #[expect(clippy::option_option, reason = "an empty suffix is not the same as none")]
    pub(crate) in_place: Option<Option<OsString>>,

    /// Write each file to this directory, under its own name; files found by -r keep their relative path
    ///
    /// Directories are created as needed. Existing files are replaced, but never one that is also an input, or the table of
    /// --table.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, groups = ["where", "each"])]
    pub(crate) output_dir: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) selection: Selection,

    /// Number of files, or parts of a file, converted at the same time [default: number of processors]
    #[arg(short, long, value_name = "N", allow_negative_numbers = true, value_parser = count)]
    pub(crate) jobs: Option<NonZeroU32>,

    /// What a byte order mark at the start of an input means
    ///
    /// Text in a legacy encoding can start with the same bytes: FF FE is яю in windows-1251. With -f auto, `own` is the same as
    /// `sniff`. --bom is about the output.
    #[arg(long, value_enum, value_name = "WHAT", default_value = "sniff")]
    pub(crate) input_bom: InputBom,

    /// Byte order mark of the output [default: strip]
    ///
    /// `-t utf-8-sig` is `-t utf-8 --bom=add`. UTF-32 always begins with one.
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) bom: Option<Bom>,

    /// Remove the byte order marks that are at the start of a line, where files with one were joined
    ///
    /// They are U+FEFF. Within a line, it is kept: it may be a zero width no-break space.
    #[arg(long)]
    pub(crate) remove_marks: bool,

    /// Same as --malformed=error
    #[arg(long, conflicts_with = "malformed")]
    pub(crate) strict: bool,

    /// What to do about malformed bytes [default: replace; with --in-place and no suffix: error]
    #[arg(long, value_enum, value_name = "HOW")]
    pub(crate) malformed: Option<Malformed>,

    /// What to do about unmappable characters: error, html, xml, replace[=CHAR], skip, translit
    ///
    /// A character is unmappable if the output encoding cannot represent it.
    /// error: stop at the first one.
    /// html: write &#8364;
    /// xml: write &#x20AC;
    /// replace: write a question mark, or with replace=CHAR this one character.
    /// skip: write nothing.
    /// translit: write a similar character or text, such as EUR, or a question mark if there is none.
    /// If only the composition changes, as with e and a combining accent to é, it does not count.
    #[arg(long, value_name = "HOW", default_value = "error", value_parser = unmappable, verbatim_doc_comment)]
    pub(crate) unmappable: engine::Unmappable,

    /// Correct declarations of the encoding at the start of the text, such as <meta charset>
    ///
    /// Declarations in HTML, XML and CSS, in comments of Python and Ruby, in PO files, in e-mail and in the other formats that
    /// `textcodec detect --help` lists are wrong after the conversion. With this option, the label in them becomes that of the
    /// output, and nothing else changes. A message names each declaration that was not followed: its old label and its place. If
    /// parts of a mail declare several encodings, only the headers of those in the encoding of the input are corrected. A pipe
    /// gets the first 64 KiB of text only when they are complete.
    #[arg(long)]
    pub(crate) update_declaration: bool,

    /// Convert each part of a mail or mailbox by its own header, and correct the charset there
    ///
    /// Everything else stays as it is: parts in base64 or quoted-printable, attachments, boundaries, and signed parts, whose
    /// signature would break. Raw headers are in the charset of their message. A text part without a charset is in the encoding of
    /// -f. If there is no -f, or if a charset is unknown, the input is left unchanged, the parts are listed, and the exit status is
    /// 1. So is text that is UTF-8 in spite of its header, unless --force is given.
    #[arg(long, conflicts_with_all = ["update_declaration", "record_length", "trim", "bom", "input_bom", "strict_labels", "binary"])]
    pub(crate) mail: bool,

    /// Convert backups, and files that seem to be converted already; requires --in-place or --output-dir
    ///
    /// With --in-place and --output-dir, a file that is far more likely in the encoding of the output, or in UTF-8, than in that of
    /// -f is left unchanged. Such files mostly come from an earlier run, and converting them again would destroy their text. If
    /// neither is far more likely, the file is left unchanged, too, is counted as undecided, and the exit status is 1. So is a
    /// file that the same command could convert again after it has been converted in place, and one whose detected encoding is
    /// less certain than --min-confidence. With this option, the detected encoding is believed.
    #[arg(long)]
    pub(crate) force: bool,

    /// What to do about files that do not look like text; requires --in-place or --output-dir [default: skip]
    ///
    /// Such files are images, archives, programs and the like. Without this option, they are skipped and named, and if one of
    /// them was named on the command line, the exit status is 1. With one output for all inputs (-o, or standard output), all
    /// inputs are converted, with a warning if the format is known, except that -f auto stops at one that does not look like
    /// text.
    #[arg(long, value_enum, value_name = "HOW")]
    pub(crate) binary: Option<Binary>,

    /// Do not force new files to the disk; a power failure may lose them and the originals
    #[arg(long)]
    pub(crate) no_sync: bool,

    /// Compose or decompose letters with combining marks
    ///
    /// Unicode writes é as one character, or as e and a combining accent. Both are the same text, so this is no loss. In a run
    /// of more than 1024 combining marks, and from one input to the next, nothing is composed.
    #[arg(long, value_enum, value_name = "FORM")]
    pub(crate) normalize: Option<Normalize>,

    #[command(flatten)]
    pub(crate) tables: Tables,

    /// Read or write records of N bytes, without line ends
    ///
    /// On mainframes, a line is a record of a fixed length. Each record of an input becomes a line, and each line becomes a record that
    /// is filled with blanks. A line that is longer than a record is an error, and so is an incomplete record. By default, records
    /// are those of the single-byte encoding. If both are one, write in:N, out:N, or in:N,out:N.
    #[arg(long, value_name = "N", value_parser = record_length)]
    pub(crate) record_length: Option<RecordLength>,

    /// Remove blanks at the end of records of the input
    #[arg(long)]
    pub(crate) trim: bool,

    /// Also accept `utf_16` and `utf16`, names of Python for UTF-16 with a byte order mark, unlike the label utf-16
    #[arg(long)]
    pub(crate) aliases: bool,

    /// Fail at a character outside the encoding that a label names, such as é with `ascii`
    ///
    /// On the web, and here, ascii and latin1 mean windows-1252, gb2312 means GBK, and ks_c_5601-1987 means EUC-KR with
    /// later extensions. Without this option, characters that the named encoding lacks are converted, and a message says
    /// so. A byte order mark is outside of them, too. To convert true ASCII or ISO-8859-1, use strict-ascii or isomorphic.
    #[arg(long)]
    pub(crate) strict_labels: bool,

    /// Report the result for each input in this format
    ///
    /// The report goes to standard output, or to standard error if the text goes to standard output.
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) report: Option<Report>,

    /// Convert but write nothing; only report what would happen to each input
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Print only errors and uncertain guesses; the exit status still shows losses
    ///
    /// There are no messages about losses, no warnings, no summary of several files and no progress bar. With --dry-run, only
    /// errors and the exit status remain. --report=json still prints its report. A guess of -f auto is uncertain if it
    /// is less certain than --min-confidence.
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// Report the result for each input
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

impl Arguments {
    /// Returns whether each file has its own output.
    pub(crate) fn each(&self) -> bool {
        self.in_place.is_some() || self.output_dir.is_some()
    }

    /// Fails if an option is given that applies only to files with their own output. Clap's message would not name it.
    pub(crate) fn check(&self) -> Result<(), Stop> {
        let options = [
            (self.selection.recursive, "-r", ""),
            (self.force && !self.mail, "--force", ""),
            (
                self.binary.is_some(),
                "--binary",
                "; to test an input with another output, use textcodec detect, whose exit status is 1 if it does not look \
                 like text",
            ),
        ];
        match options.into_iter().find(|(is_given, ..)| *is_given && !self.each()) {
            Some((_, option, advice)) => {
                Err(Stop::Usage(format!("{option} requires --in-place or --output-dir{advice}")))
            }
            None => Ok(()),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Bom {
    /// Write none
    Strip,
    /// Write one if the input has one
    Keep,
    /// Always write one
    Add,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Binary {
    /// Leave them alone, name and count them
    Skip,
    /// Report an error
    Fail,
    /// Convert them like text; -f auto reports an error
    Convert,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Malformed {
    /// Stop at the first malformed sequence
    Error,
    /// Write U+FFFD for each malformed sequence, as browsers do
    Replace,
    /// Write nothing
    Skip,
    /// Write each malformed byte as \xFF, with its value
    Escape,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Normalize {
    /// Compose (Unicode's Normalization Form C)
    Nfc,
    /// Decompose (Form D)
    Nfd,
    /// Compose, and decompose a character that the output encoding lacks as far as it needs, such as Vietnamese ấ into â and an
    /// accent for windows-1258; keep a single character that it has
    Encoding,
}

impl From<Normalize> for normalize::Normalize {
    fn from(form: Normalize) -> Self {
        match form {
            Normalize::Nfc => Self::Nfc,
            Normalize::Nfd => Self::Nfd,
            Normalize::Encoding => Self::Encoding,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Report {
    /// One JSON object with a list of files
    Json,
}

fn unmappable(how: &str) -> Result<engine::Unmappable, String> {
    use engine::Unmappable::{Fail, Html, Replace, Skip, Translit, Xml};

    Ok(match how {
        "error" => Fail,
        "html" => Html,
        "xml" => Xml,
        // Unlike U+FFFD, every encoding has the question mark.
        "replace" => Replace('?'),
        "skip" => Skip,
        "translit" => Translit,
        _ => {
            let mut characters = how.strip_prefix("replace=").unwrap_or_default().chars();
            match (characters.next(), characters.next()) {
                (Some(character), None) => Replace(character),
                _ => {
                    return Err(
                        "possible values: error, html, xml, replace, replace=CHAR (one character), skip, translit"
                            .into(),
                    );
                }
            }
        }
    })
}

const USAGE: &str = "\
textcodec convert [OPTIONS] [FILE]...
       textcodec convert [OPTIONS] --in-place[=<SUFFIX>] [-r] <FILE>...
       textcodec convert [OPTIONS] --output-dir <DIR> [-r] <FILE>...";

const RECURSIVE: &str = "Convert the files in directories; requires --in-place or --output-dir";

const RECURSIVE_LONG: &str = "\
Convert the files in directories; requires --in-place or --output-dir

Symbolic links in directories are not followed, and directories named .git, .hg and .svn are skipped.";

const AFTER: &str = "\
Examples:
  Convert Shift_JIS to UTF-8:
      textcodec convert -f shift_jis old.txt -o new.txt
  Convert UTF-8 with parts in windows-1252, or with lines in GBK:
      textcodec convert -f utf-8,windows-1252 access.log -o new.log
      textcodec convert -f utf-8,gbk --in-place main.c
  Convert in a pipe:
      zcat log.gz | textcodec convert -f windows-1251 | grep слово
  Convert a directory in place, with a backup of each file:
      textcodec convert -f windows-1252 -r --iglob '*.txt' --in-place=.bak mail
  Convert a directory of files in unknown encodings to another directory:
      textcodec convert -f auto -r mail --output-dir converted
  Convert what is certain in place, and list the other files:
      textcodec convert -f auto -r --in-place=.bak mail
  Convert a mailbox, whose messages have different charsets:
      textcodec convert --mail --in-place=.bak inbox.mbox
  Convert to windows-1252, with character references for unmappable characters:
      textcodec convert -t windows-1252 --unmappable=html page.html -o old.html
  Convert Vietnamese to windows-1258, which decomposes some letters:
      textcodec convert -t windows-1258 --normalize=encoding name.txt -o old.txt
  Convert a file of z/OS, whose lines end with byte 15:
      textcodec convert -f IBM1047 --newline-at-15 zos.txt -o unix.txt
  Write records of 80 bytes for a mainframe:
      textcodec convert -t IBM037 --record-length 80 deck.txt -o deck.bin
  Add a byte order mark, which Excel expects:
      textcodec convert --bom=add table.csv -o excel.csv
  Repair UTF-8 and remove its byte order mark:
      textcodec convert broken.log -o repaired.log

Exit status:
  0  everything was converted, or the reader of the output closed it (head)
  1  everything was converted, with losses or from an uncertain encoding, which
     is reported on standard error; or a file was left unchanged: its encoding
     is undecided or uncertain, or it was named and does not look like text
  2  wrong usage: nothing was read or written
  3  an input could not be converted, and its output file is unchanged; with
     --in-place and --output-dir, the other files were converted
  If several apply, the exit status is the highest of them.";
