//! `textcodec index`: the standard's indexes as text in the standard's format, as JSON, and as HTML pages; tables of code pages outside
//! the standard.

mod data;
mod name;
mod page;
mod text;
mod visualize;

use std::{
    io::{self, IsTerminal as _},
    path::PathBuf,
};

use clap::{Args, ValueEnum};
use textcodec::{Alias, Encoding, oem};

use crate::{Outcome, Stop, pages, print};
use data::Index;

/// Print an index of the Encoding Standard, or write HTML pages that show all indexes
///
/// An index maps pointers to code points; an encoding computes a pointer from bytes. The text has the standard's format: a
/// header, and a line for each entry with the pointer, the code point, the character and its name in Unicode. Without NAME,
/// the names of the indexes are printed. For a code page that the standard does not have, such as IBM850, its table is printed. The
/// option --table of convert reads these tables, and the indexes of single-byte encodings.
#[derive(Debug, Args)]
#[command(after_help = "Examples and exit status: textcodec index --help", after_long_help = AFTER)]
#[command(override_usage = USAGE)]
pub(crate) struct Arguments {
    /// Index, such as jis0208, or any label of an encoding that has an index, or a code page such as IBM850
    #[arg(value_name = "NAME")]
    name: Option<String>,

    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,

    /// Write HTML pages that show the indexes and their coverage of Unicode to this directory
    ///
    /// The pages need no scripts and no network. DIR/index.html links to all of them. DIR is created if it does not exist.
    /// Only pages from an earlier run are overwritten: if another file has the name of a page, nothing is written.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["name", "format"])]
    visualize: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Format {
    /// The format of the standard's files; without control characters if the output is a terminal
    #[default]
    Txt,
    /// One JSON object, with one entry per line
    Json,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Stop> {
    if let Some(dir) = &arguments.visualize {
        visualize::run(dir)?;
    } else if let Some(name) = &arguments.name {
        let found = find(name).map_err(Stop::Usage)?;
        match (found, arguments.format) {
            (Found::Index(index), Format::Txt) => {
                print(|out| text::write_text(&index, !io::stdout().is_terminal(), out))?;
            }
            (Found::Index(index), Format::Json) => print(|out| text::write_json(&index, out))?,
            (Found::Page(page), Format::Txt) => print(|out| page::write_page(page, out))?,
            (Found::Page(page), Format::Json) => {
                return Err(Stop::Usage(format!(
                    "--format: {page} is a code page that the Encoding Standard does not have, and its table is only printed as \
                     txt"
                )));
            }
        }
    } else {
        print(|out| match arguments.format {
            Format::Txt => data::names().try_for_each(|name| writeln!(out, "{name}")),
            Format::Json => text::write_list(out),
        })?;
    }
    Ok(Outcome::Clean)
}

/// What a name means.
#[derive(Debug)]
enum Found {
    Index(Index),
    /// A single-byte encoding that the standard does not have.
    Page(Encoding),
}

/// Finds an index by its name, by the name of its file in the standard, or by an encoding with a single index. Finds a code page by its
/// names.
fn find(asked: &str) -> Result<Found, String> {
    let name = asked.trim_ascii().to_ascii_lowercase();
    let name = name.strip_prefix("index-").unwrap_or(&name);
    let name = name.strip_suffix(".txt").unwrap_or(name);
    if let Some(index) = Index::read(name) {
        return Ok(Found::Index(index));
    }
    // Aliases are always accepted, because no bytes are converted.
    let encoding = Encoding::for_label(asked).or_else(|| Some(Alias::for_name(asked)?.encoding));
    let Some(encoding) = encoding else {
        let mut message = format!("'{asked}' is not an index or an encoding");
        let closest = closest(name);
        if !closest.is_empty() {
            message = format!("{message}; similar names: {}", closest.join(", "));
        }
        return Err(format!("{message}; 'textcodec index' lists all names"));
    };
    if oem::ALL.contains(&encoding) {
        // Those with an algorithm use indexes of the standard, or none.
        return if encoding.is_single_byte() {
            Ok(Found::Page(encoding))
        } else {
            Err(format!("{encoding} is not in the Encoding Standard and has no index of its own"))
        };
    }
    let mut indexes: Vec<Index> =
        Index::all().filter(|index| index.has_pages() && index.encodings().contains(&encoding)).collect();
    match indexes.len() {
        0 => Err(format!("{encoding} has no index; it is decoded without a table")),
        1 => Ok(Found::Index(indexes.remove(0))),
        _ => {
            let names: Vec<_> = indexes.iter().map(|index| index.name).collect();
            Err(format!("{encoding} has more than one index; choose one: {}", names.join(", ")))
        }
    }
}

/// Returns up to three similar names of indexes, or labels of encodings that have an index.
fn closest(asked: &str) -> Vec<&'static str> {
    let labels = Index::all().flat_map(|index| index.encodings()).flat_map(Encoding::labels).copied();
    let mut names: Vec<(usize, bool, &str)> = data::names()
        .map(|name| (name, false))
        .chain(labels.chain(pages::names()).map(|label| (label, true)))
        // The distance is at least the difference of the lengths. To compute it for a long string would take long.
        .filter(|(name, _)| asked.chars().count().abs_diff(name.len()) * 3 <= name.len())
        .map(|(name, is_label)| (strsim::damerau_levenshtein(asked, name), is_label, name))
        // At most a third of the letters may differ. Otherwise a short name would match almost anything.
        .filter(|(distance, _, name)| distance * 3 <= name.len())
        .collect();
    names.sort_unstable();
    let mut closest: Vec<&str> = Vec::new();
    for (_, _, name) in names {
        if !closest.contains(&name) {
            closest.push(name);
        }
    }
    closest.truncate(3);
    closest
}

const USAGE: &str = "\
textcodec index [--format <FORMAT>] [NAME]
       textcodec index --visualize <DIR>";

const AFTER: &str = "\
Examples:
  Show the characters of windows-1252 that Latin-1 does not have:
      textcodec index windows-1252 | head -40
  Find a character in the index of Shift_JIS:
      textcodec index shift_jis | grep '亜'
  Export an index for another program:
      textcodec index big5 --format json > big5.json
  Write a code page to a file, to change it and use it with --table:
      textcodec index IBM850 > page.txt
  Recreate all files of the standard:
      for i in $(textcodec index); do textcodec index $i > index-$i.txt; done
  Write HTML pages:
      textcodec index --visualize pages

Exit status:
  0  success, or the reader of the output closed it, as head does
  2  wrong usage: nothing was written
  3  a page could not be written, or another file has its name";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indexes_are_found_by_file_name_label_and_alias() {
        for (asked, name) in [
            ("jis0208", "jis0208"),
            ("JIS0208", "jis0208"),
            ("index-jis0208.txt", "jis0208"),
            ("index-gb18030-ranges.txt", "gb18030-ranges"),
            (" SJIS ", "jis0208"),
            ("iso-2022-jp", "jis0208"),
            ("cp932", "jis0208"),
            ("gbk", "gb18030"),
            ("gb18030", "gb18030"),
            ("latin1", "windows-1252"),
            ("iso-8859-8-i", "iso-8859-8"),
        ] {
            assert!(matches!(find(asked), Ok(Found::Index(index)) if index.name == name), "{asked}");
        }
        for (asked, page) in [("IBM850", oem::IBM850), ("cp1047", oem::IBM1047)] {
            assert!(matches!(find(asked), Ok(Found::Page(found)) if found == page), "{asked}");
        }
    }

    #[test]
    fn messages_about_unknown_names() {
        let message = |asked| find(asked).unwrap_err();
        assert_eq!(message("EUC-JP"), "EUC-JP has more than one index; choose one: jis0208, jis0212");
        assert_eq!(message("utf-7"), "UTF-7 is not in the Encoding Standard and has no index of its own");
        assert_eq!(message("utf8"), "UTF-8 has no index; it is decoded without a table");
        assert_eq!(
            message("jis208"),
            "'jis208' is not an index or an encoding; similar names: jis0208; 'textcodec index' lists all names"
        );
        assert_eq!(message("klingon"), "'klingon' is not an index or an encoding; 'textcodec index' lists all names");
    }
}
