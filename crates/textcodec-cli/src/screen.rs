//! What terminals show: names of files, colours, and lines that fit their width.
//!
//! Only a terminal has a width. In pipes and files nothing is wrapped, so that other programs can read the lines.

use std::{
    borrow::Cow,
    fmt::Write as _,
    io::{self, IsTerminal as _},
    path::Path,
};

use anstream::{AutoStream, ColorChoice};
use clap::builder::styling::Style;
use comfy_table::{ColumnConstraint, ContentArrangement, Table, TableStyle};
use unicode_width::UnicodeWidthStr;

use crate::{characters::printable, input::Input};

/// Standard output.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Screen {
    is_terminal: bool,
    /// Also depends on the environment: `NO_COLOR`, `CLICOLOR`, `CLICOLOR_FORCE` and `TERM`.
    has_colors: bool,
    /// The number of columns of a terminal. `None` if nothing is wrapped.
    width: Option<u16>,
}

impl Screen {
    pub(crate) fn stdout() -> Self {
        let stdout = io::stdout();
        Self {
            is_terminal: stdout.is_terminal(),
            width: columns(&stdout),
            // Also makes the console of Windows interpret the sequences.
            has_colors: AutoStream::auto(stdout).current_choice() == ColorChoice::AlwaysAnsi,
        }
    }

    /// Returns the number of columns of a terminal.
    pub(crate) fn width(self) -> Option<usize> {
        self.width.map(usize::from)
    }

    /// Uses this width if standard output has none.
    pub(crate) fn or_width(self, width: u16) -> Self {
        Self { width: self.width.or(Some(width)), ..self }
    }

    /// Returns the [name](name) of a file, or `stdin` for standard input.
    pub(crate) fn name<'a>(self, input: &'a Input, stdin: &'static str) -> Cow<'a, [u8]> {
        match input {
            Input::Stdin => stdin.as_bytes().into(),
            Input::File(path) => name(path, self.is_terminal),
        }
    }

    /// Returns this style, or none if there are no colours. `{style}` starts it, and `{style:#}` ends it.
    pub(crate) fn style(self, style: Style) -> Style {
        if self.has_colors { style } else { Style::new() }
    }

    /// Wraps text to the width of the terminal. The first line starts at column `start`, the others at column `indent`, or at
    /// column 4 if that leaves less than half of the width.
    pub(crate) fn wrap(self, text: &str, start: usize, indent: usize) -> String {
        let Some(width) = self.width() else { return text.to_owned() };
        wrap(text, start, if indent * 2 > width { 4 } else { indent }, width)
    }

    /// Formats the rows of a table. `gaps` are the numbers of spaces after the columns.
    ///
    /// Only the last column is wrapped. If the others leave it little space, it follows each row on its own lines.
    pub(crate) fn table<const N: usize>(self, rows: &[[String; N]], indent: u16, gaps: [u16; N]) -> String {
        let Some(width) = self.width() else { return aligned(rows, N, indent, gaps, None) };
        let first = aligned(rows, N - 1, indent, gaps, None);
        let start = widest(first.lines()) + usize::from(gaps[N - 2]);
        let last = || rows.iter().map(|row| row[N - 1].as_str());
        let needed = widest(last()).min(widest(last().flat_map(|text| text.split(' '))).max(MIN_LAST_COLUMN));
        if start + needed <= width {
            return aligned(rows, N, indent, gaps, self.width);
        }
        let below = usize::from(indent) + 4;
        let mut text = String::new();
        for (line, row) in first.lines().zip(rows) {
            if line.width() > width {
                let _ = writeln!(text, "{}", wrap(&words(&row[..N - 1].join(" ")), 0, below, width));
            } else if !line.is_empty() {
                let _ = writeln!(text, "{line}");
            }
            let _ = writeln!(text, "{:below$}{}", "", wrap(&words(&row[N - 1]), below, below, width));
        }
        text.trim_end().to_owned()
    }
}

/// Returns the name of a file: its bytes, or at a terminal only what a terminal shows unchanged. Control characters would be
/// commands to the terminal, and other invisible characters could make a name look like another one.
pub(crate) fn name(path: &Path, is_terminal: bool) -> Cow<'_, [u8]> {
    let bytes = path.as_os_str().as_encoded_bytes();
    if !is_terminal {
        return bytes.into();
    }
    let mut shown = String::new();
    for chunk in bytes.utf8_chunks() {
        shown.push_str(&escaped(chunk.valid()));
        for byte in chunk.invalid() {
            let _ = write!(shown, "\\x{byte:02X}");
        }
    }
    shown.into_bytes().into()
}

/// Escapes the characters that a terminal does not show unchanged.
pub(crate) fn escaped(text: &str) -> String {
    let mut shown = String::new();
    for character in text.chars() {
        match printable(character) {
            Some(_) => shown.push(character),
            None => shown.extend(character.escape_default()),
        }
    }
    shown
}

/// Returns a path for a message, which may be printed at a terminal: see [`name`].
pub(crate) fn shown(path: &Path) -> String {
    String::from_utf8_lossy(&name(path, true)).into_owned()
}

/// Returns the number of columns of standard error, if it is a terminal.
pub(crate) fn stderr_width() -> Option<usize> {
    columns(io::stderr()).map(usize::from)
}

/// Returns the number of columns for help, if standard output or standard error is a terminal.
pub(crate) fn help_width() -> Option<usize> {
    columns(io::stdout()).map(usize::from).or_else(stderr_width)
}

/// Returns the number of columns of a terminal. Some do not know the number of their lines.
#[cfg(unix)]
fn columns(stream: impl std::os::fd::AsFd) -> Option<u16> {
    rustix::termios::tcgetwinsize(stream).ok().map(|size| size.ws_col).filter(|&columns| columns > 0)
}

#[cfg(windows)]
fn columns(stream: impl std::os::windows::io::AsHandle) -> Option<u16> {
    terminal_size::terminal_size_of(stream).map(|(width, _)| width.0)
}

/// Returns the number of columns of a name.
pub(crate) fn width(name: &[u8]) -> usize {
    String::from_utf8_lossy(name).width()
}

/// Returns the words with line breaks instead of some of the spaces. A word that does not fit gets its own line.
pub(crate) fn wrap(text: &str, start: usize, indent: usize, width: usize) -> String {
    let mut wrapped = String::new();
    let mut column = start;
    for (n, word) in text.split(' ').enumerate() {
        let space = usize::from(n > 0);
        if column > indent && column + space + word.width() > width {
            let _ = write!(wrapped, "\n{:indent$}", "");
            column = indent;
        } else if n > 0 {
            wrapped.push(' ');
            column += space;
        }
        wrapped.push_str(word);
        column += word.width();
    }
    wrapped
}

/// Formats the first columns of a table. If a width is given, the last of them is wrapped.
fn aligned<const N: usize>(
    rows: &[[String; N]],
    columns: usize,
    indent: u16,
    gaps: [u16; N],
    width: Option<u16>,
) -> String {
    let mut table = Table::new();
    table.load_style(TableStyle::new()).add_rows(rows.iter().map(|row| &row[..columns]));
    match width {
        Some(width) => table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width),
        None => table.set_content_arrangement(ContentArrangement::Disabled),
    };
    for ((n, column), gap) in table.column_iter_mut().enumerate().zip(gaps) {
        column.set_padding((if n == 0 { indent } else { 0 }, gap));
        if n + 1 < columns {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    table.trim_fmt()
}

fn widest<'a>(texts: impl Iterator<Item = &'a str>) -> usize {
    texts.map(UnicodeWidthStr::width).max().unwrap_or_default()
}

/// Removes the spaces that align a text.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The width below which the last column of a table is hard to read.
const MIN_LAST_COLUMN: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_wrapped_between_words() {
        assert_eq!(wrap("one two three", 0, 2, 80), "one two three");
        assert_eq!(wrap("one two three", 4, 2, 11), "one two\n  three");
        assert_eq!(wrap("one two three", 4, 2, 10), "one\n  two\n  three");
        assert_eq!(wrap("one two three", 8, 2, 10), "\n  one two\n  three");
        // Wide characters have two columns. A word that is too long is not broken.
        assert_eq!(wrap("日本 日本", 0, 1, 8), "日本\n 日本");
        assert_eq!(wrap("日本 日本", 0, 1, 9), "日本 日本");
        assert_eq!(wrap("a somewhat long word", 0, 0, 3), "a\nsomewhat\nlong\nword");
    }

    #[test]
    fn names_are_escaped_at_a_terminal_only() {
        let path = Path::new("日é e\u{301} a\n\u{1B}[31m\u{202E}\\'");
        assert_eq!(name(path, false), path.as_os_str().as_encoded_bytes());
        assert_eq!(name(path, true), "日é e\u{301} a\\n\\u{1b}[31m\\u{202e}\\'".as_bytes());
    }
}
