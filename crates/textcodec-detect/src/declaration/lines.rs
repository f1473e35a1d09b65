//! Formats whose declaration is a line, or a part of one: GEDCOM, desktop entries, vCard, iCalendar and scripts of Vim.

use alloc::{vec, vec::Vec};

use super::{Declaration, Form, label::is_unmistakable, names::named};

/// Finds the declaration of the format that the text starts like.
pub(super) fn declarations(text: &[u8]) -> Vec<Declaration> {
    let header = HEADERS.iter().find_map(|header| header.declaration(text)).or_else(|| script_of_vim(text));
    header.map_or_else(|| cards(text), |declaration| vec![declaration])
}

/// Returns the lines with their offsets. A line ends with LF, CR or both; between both is an empty line.
pub(super) fn lines(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut at = 0;
    text.split(|byte| matches!(byte, b'\n' | b'\r')).map(move |line| {
        let start = at;
        at += line.len() + 1;
        (start, line)
    })
}

/// A format with a header, in which a line is a key and the label.
struct Header {
    form: Form,
    /// What the first line can be.
    first: &'static [&'static [u8]],
    /// What lines before it, which are ignored, start with.
    comment: Option<u8>,
    key: &'static [u8],
    separator: u8,
    /// The start of the line after the header.
    end: &'static [u8],
}

const HEADERS: [Header; 2] = [
    Header { form: Form::Gedcom, first: &[b"0 HEAD"], comment: None, key: b"1 CHAR", separator: b' ', end: b"0 " },
    Header {
        form: Form::Desktop,
        first: &[b"[Desktop Entry]", b"[KDE Desktop Entry]"],
        comment: Some(b'#'),
        key: b"Encoding",
        separator: b'=',
        end: b"[",
    },
];

impl Header {
    fn declaration(&self, text: &[u8]) -> Option<Declaration> {
        let is_ignored = |line: &[u8]| line.trim_ascii().is_empty() || line.first().copied() == self.comment;
        let mut lines = lines(text).filter(|(_, line)| !is_ignored(line));
        lines.next().filter(|(_, line)| self.first.contains(&line.trim_ascii_end()))?;
        let header = lines.take_while(|(_, line)| !line.starts_with(self.end));
        header.into_iter().find_map(|(offset, line)| {
            let rest = line.trim_ascii_start().strip_prefix(self.key)?;
            let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
            let blanks = rest.iter().take_while(is_blank).count();
            let label = match self.separator {
                b' ' => rest.get(blanks..).filter(|_| blanks > 0)?,
                separator => rest[blanks..].strip_prefix(&[separator])?,
            };
            let start = offset + line.len() - label.trim_ascii_start().len();
            let range = start..start + label.trim_ascii().len();
            Declaration::new(text, named(self.form, &text[range.clone()]), self.form, offset, range)
        })
    }
}

/// Finds the parameters `CHARSET` of properties in vCard 2.1, iCalendar and vCalendar.
///
/// A value in base64 or quoted-printable is skipped: it is ASCII, and its charset is that of the decoded bytes.
fn cards(text: &[u8]) -> Vec<Declaration> {
    const FIRST: [&[u8]; 2] = [b"BEGIN:VCARD", b"BEGIN:VCALENDAR"];
    let mut lines = lines(text).filter(|(_, line)| !line.trim_ascii().is_empty());
    let is_first = |line: &[u8]| FIRST.iter().any(|first| line.trim_ascii_end().eq_ignore_ascii_case(first));
    if !lines.next().is_some_and(|(_, line)| is_first(line)) {
        return Vec::new();
    }
    lines.filter_map(|(offset, line)| property(text, offset, line)).collect()
}

fn property(text: &[u8], offset: usize, line: &[u8]) -> Option<Declaration> {
    let (mut is_quoted, mut ends) = (false, Vec::new());
    for (at, &byte) in line.iter().enumerate() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b';' if !is_quoted => ends.push(at),
            b':' if !is_quoted => {
                ends.push(at);
                break;
            }
            _ => {}
        }
    }
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'/');
    let name = &line[..*ends.first()?];
    if name.is_empty() || !name.iter().all(is_name) || line.get(*ends.last()?) != Some(&b':') {
        return None;
    }
    let mut charset = None;
    for pair in ends.windows(2) {
        let parameter = &line[pair[0] + 1..pair[1]];
        let value = parameter.iter().position(|&byte| byte == b'=').map_or(0, |at| at + 1);
        let is = |name: &[u8]| parameter[..value].eq_ignore_ascii_case(name);
        let is_ascii = [&b"quoted-printable"[..], b"base64", b"b"]
            .iter()
            .any(|encoding| parameter[value..].eq_ignore_ascii_case(encoding));
        if is_ascii && (value == 0 || is(b"encoding=")) {
            return None;
        }
        if is(b"charset=") {
            let quote = usize::from(parameter[value..].starts_with(b"\""));
            charset = Some(offset + pair[0] + 1 + value + quote..offset + pair[1] - quote);
        }
    }
    let range = charset.filter(|range| range.start < range.end)?;
    Declaration::new(text, named(Form::Card, &text[range.clone()]), Form::Card, offset, range)
}

/// Finds `scriptencoding` in a script of Vim. Only comments and commands are before it.
fn script_of_vim(text: &[u8]) -> Option<Declaration> {
    const COMMAND: &[u8] = b"scriptencoding";
    let mut is_vim_9 = false;
    for (offset, line) in lines(text).filter(|(_, line)| !line.trim_ascii().is_empty()).take(MAX_LINES) {
        let code = line.trim_ascii();
        let word_len = code.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let (word, rest) = code.split_at(word_len);
        is_vim_9 |= word == b"vim9script";
        // Its short forms are `scripte`, `scripten` and so on.
        if word.len() >= 7 && COMMAND.starts_with(word) {
            let label = rest.trim_ascii_start();
            let len = label.iter().position(u8::is_ascii_whitespace).unwrap_or(label.len());
            let is_end = matches!(label[len..].trim_ascii_start(), [] | [b'"' | b'#' | b'|', ..]);
            let start = offset + line.trim_ascii_end().len() - label.len();
            let found = named(Form::Vim, &label[..len]);
            let is_label = rest.len() > label.len() && is_end && (found.is_some() || is_unmistakable(&label[..len]));
            return Declaration::new(text, found, Form::Vim, offset, start..start + len).filter(|_| is_label);
        }
        let is_comment = code.starts_with(b"\"") || is_vim_9 && code.starts_with(b"#");
        // A backslash continues a command.
        if !is_comment && !code.starts_with(b"\\") && !COMMANDS.iter().any(|command| word == command.as_bytes()) {
            return None;
        }
    }
    None
}

/// The number of lines in which `scriptencoding` is searched.
const MAX_LINES: usize = 100;

/// Commands of Vim that are usual at the start of a script.
const COMMANDS: [&str; 37] = [
    "augroup",
    "autocmd",
    "call",
    "catch",
    "colorscheme",
    "command",
    "const",
    "def",
    "echo",
    "else",
    "elseif",
    "endfunction",
    "endif",
    "endtry",
    "execute",
    "export",
    "filetype",
    "finish",
    "function",
    "highlight",
    "if",
    "import",
    "let",
    "map",
    "nmap",
    "nnoremap",
    "noremap",
    "packadd",
    "return",
    "runtime",
    "set",
    "setlocal",
    "source",
    "syntax",
    "try",
    "unlet",
    "vim9script",
];
