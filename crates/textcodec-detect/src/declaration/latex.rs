//! Declarations in LaTeX: `\usepackage[latin1]{inputenc}` and `\inputencoding{latin1}`.

use alloc::vec::Vec;
use core::ops::Range;

use super::{Declaration, Form, lines::lines, names::named};

/// Finds the commands of the package inputenc, outside of comments, of arguments and of text that is shown as it is. After
/// `\begin{document}`, only `\inputencoding` counts.
///
/// The first line that is neither blank nor a comment has to start with a command.
pub(super) fn declarations(text: &[u8]) -> Vec<Declaration> {
    let (mut found, mut has_started, mut is_body, mut is_verbatim) = (Vec::new(), false, false, false);
    for (offset, line) in lines(text) {
        let code = &line[..comment(line)];
        let start = code.trim_ascii_start();
        if start.is_empty() {
            continue;
        }
        if !has_started && !matches!(start, [b'\\', letter, ..] if letter.is_ascii_alphabetic()) {
            break;
        }
        has_started = true;
        if let Some(name) = start.strip_prefix(b"\\end{") {
            is_verbatim &= !is_raw(name);
            if name.starts_with(b"document}") && !is_verbatim {
                break;
            }
        } else if let Some(name) = start.strip_prefix(b"\\begin{") {
            is_verbatim |= is_raw(name);
            is_body |= name.starts_with(b"document}");
        }
        if is_verbatim {
            continue;
        }
        for at in (0..code.len()).filter(|&at| code[at] == b'\\') {
            // Not in an argument of another command, and not after `\verb|`.
            if !matches!(code[..at].trim_ascii_end(), [] | [.., b'}']) {
                continue;
            }
            let label = if let Some(rest) = code[at..].strip_prefix(b"\\inputencoding") {
                argument(text, offset + code.len() - rest.len(), b'{', b'}')
            } else {
                let package = PACKAGES.iter().find_map(|command| code[at..].strip_prefix(*command));
                package.filter(|_| !is_body).and_then(|rest| options(text, offset + code.len() - rest.len()))
            };
            let declare = |range: Range<usize>| {
                Declaration::new(text, named(Form::Latex, &text[range.clone()]), Form::Latex, offset + at, range)
            };
            found.extend(label.map(|range| trim(text, range)).and_then(declare));
        }
    }
    found
}

const PACKAGES: [&[u8]; 2] = [b"\\usepackage", b"\\RequirePackage"];

/// Returns whether an environment shows its text, or writes it to a file.
fn is_raw(name: &[u8]) -> bool {
    [&b"verbatim"[..], b"Verbatim", b"lstlisting", b"minted", b"filecontents", b"comment"]
        .iter()
        .any(|raw| name.starts_with(raw))
}

/// Returns the length of a line without its comment. `\%` is a percent sign.
fn comment(line: &[u8]) -> usize {
    let mut at = 0;
    while let Some(byte) = line.get(at) {
        match byte {
            b'%' => return at,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    line.len()
}

/// Returns the last option of inputenc, which is the one that counts.
fn options(text: &[u8], start: usize) -> Option<Range<usize>> {
    let options = argument(text, start, b'[', b']')?;
    let packages = argument(text, options.end + 1, b'{', b'}')?;
    let mut packages = text[packages].split(|&byte| byte == b',').map(<[u8]>::trim_ascii);
    packages.find(|package| matches!(*package, b"inputenc" | b"inputenx"))?;
    let last = text[options.clone()].iter().rposition(|&byte| byte == b',').map_or(0, |at| at + 1);
    Some(options.start + last..options.end)
}

/// Returns the position of an argument within its brackets, which may follow white space. It is short.
fn argument(text: &[u8], start: usize, open: u8, close: u8) -> Option<Range<usize>> {
    const MAX_LEN: usize = 200;
    let rest = &text[start..];
    let start = start + rest.len() - rest.trim_ascii_start().len() + 1;
    let rest = text.get(start..).filter(|_| text[start - 1] == open)?;
    let len = rest.iter().take(MAX_LEN).position(|&byte| byte == close)?;
    Some(start..start + len)
}

fn trim(text: &[u8], range: Range<usize>) -> Range<usize> {
    let label = &text[range.clone()];
    let start = range.start + label.len() - label.trim_ascii_start().len();
    start..start + label.trim_ascii().len()
}
