//! `textcodec index`: the standard's indexes, for people: as text in the standard's own form, as JSON, as pages.

mod data;
mod name;
mod text;
mod visualize;

use std::{
    io::{self, IsTerminal as _},
    path::PathBuf,
};

use clap::{Args, ValueEnum};
use textcodec::{Alias, Encoding};

use crate::{Outcome, Stop, print};
use data::Index;

/// Print an index of the Encoding Standard, or write pages that show all of them
///
/// An index says which code point each pointer means; a pointer is what an encoding makes of its bytes. The text is
/// the standard's own: its header, then a line an entry with pointer, code point, and the character with its name in
/// Unicode. Without NAME, the names of the indexes are printed.
#[derive(Debug, Args)]
#[command(after_help = "Examples and exit status: textcodec index --help", after_long_help = AFTER)]
pub(crate) struct Arguments {
    /// Index, such as jis0208, or an encoding that has one, by any of its labels
    #[arg(value_name = "NAME")]
    name: Option<String>,

    /// Form of what is printed
    #[arg(long, value_enum, default_value_t)]
    format: Format,

    /// Write pages that show the indexes, and what they cover of Unicode, to this folder
    ///
    /// They are HTML that needs nothing else, neither scripts nor a network; DIR/index.html leads to all. DIR is made if
    /// it is not there. Files in it are overwritten only if they are such pages themselves; if anything else has a
    /// page's name, it is named and nothing is written.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["name", "format"])]
    visualize: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Format {
    /// As in the standard's files; on a terminal, without control characters
    #[default]
    Txt,
    /// One object, with a line an entry
    Json,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Stop> {
    if let Some(dir) = &arguments.visualize {
        visualize::run(dir)?;
    } else if let Some(name) = &arguments.name {
        let index = find(name).map_err(Stop::Usage)?;
        print(|out| match arguments.format {
            Format::Txt => text::write_text(&index, !io::stdout().is_terminal(), out),
            Format::Json => text::write_json(&index, out),
        })?;
    } else {
        print(|out| match arguments.format {
            Format::Txt => data::names().try_for_each(|name| writeln!(out, "{name}")),
            Format::Json => text::write_list(out),
        })?;
    }
    Ok(Outcome::Clean)
}

/// The index that the user means: by its name, by the name of its file in the standard, or by an encoding that uses it
/// alone.
fn find(asked: &str) -> Result<Index, String> {
    let name = asked.trim_ascii().to_ascii_lowercase();
    let name = name.strip_prefix("index-").unwrap_or(&name);
    let name = name.strip_suffix(".txt").unwrap_or(name);
    if let Some(index) = Index::read(name) {
        return Ok(index);
    }
    // No bytes are converted here, so other names than labels do no harm.
    let encoding = Encoding::for_label(asked).or_else(|| Some(Alias::for_name(asked)?.encoding));
    let Some(encoding) = encoding else {
        let mut message = format!("'{asked}' is no index and no encoding");
        let closest = closest(name);
        if !closest.is_empty() {
            message = format!("{message}; similar: {}", closest.join(", "));
        }
        return Err(format!("{message}; all names: textcodec index"));
    };
    let mut indexes: Vec<Index> =
        Index::all().filter(|index| index.has_pages() && index.encodings().contains(&encoding)).collect();
    match indexes.len() {
        0 => Err(format!("{encoding} has no index: it is computed")),
        1 => Ok(indexes.remove(0)),
        _ => {
            let names: Vec<_> = indexes.iter().map(|index| index.name).collect();
            Err(format!("{encoding} has more than one index: {}", names.join(", ")))
        }
    }
}

/// Three names at most, of indexes or labels that lead to one, that look like this one.
fn closest(asked: &str) -> Vec<&'static str> {
    let labels = Index::all().flat_map(|index| index.encodings()).flat_map(Encoding::labels).copied();
    let mut names: Vec<(usize, bool, &str)> = data::names()
        .map(|name| (name, false))
        .chain(labels.map(|label| (label, true)))
        .map(|(name, is_label)| (strsim::damerau_levenshtein(asked, name), is_label, name))
        // A third of the letters may differ, or a short name would be like any other.
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

const AFTER: &str = "\
Examples:
  What windows-1252 has where Latin-1 has controls:
      textcodec index windows-1252 | head -40
  Where is this character in Shift_JIS?
      textcodec index shift_jis | grep '亜'
  An index for a program of your own:
      textcodec index big5 --format json > big5.json
  All of them, as the standard has them:
      for name in $(textcodec index); do textcodec index $name > index-$name.txt; done
  Pages to look at:
      textcodec index --visualize pages

Exit status:
  0  done; or the reader of the output has closed it, as head does
  2  wrong usage: nothing was written
  3  failed: a page could not be written, or a file that is no such page has its name";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_labels_and_other_names_lead_to_an_index() {
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
            assert_eq!(find(asked).unwrap().name, name, "{asked}");
        }
    }

    #[test]
    fn what_is_not_clear_is_said() {
        let message = |asked| find(asked).unwrap_err();
        assert_eq!(message("EUC-JP"), "EUC-JP has more than one index: jis0208, jis0212");
        assert_eq!(message("utf8"), "UTF-8 has no index: it is computed");
        assert_eq!(
            message("jis208"),
            "'jis208' is no index and no encoding; similar: jis0208; all names: textcodec index"
        );
        assert_eq!(message("klingon"), "'klingon' is no index and no encoding; all names: textcodec index");
    }
}
