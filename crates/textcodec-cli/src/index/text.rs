//! Writes an index as text in the standard's format and as JSON.

use std::io::{self, Write};

use serde::Serialize;

use super::{data::Index, name::name};

/// Writes the standard's format: a header, then lines `pointer TAB 0xCODE TAB character (NAME)`, with aligned pointers.
///
/// If `controls` is false, control characters are left out, because a terminal would interpret them and HTML does not allow
/// them.
pub(super) fn write_text(index: &Index, controls: bool, mut out: impl Write) -> io::Result<()> {
    let Index { name: index_name, identifier, date, entries } = index;
    writeln!(out, "# For details on index index-{index_name}.txt see the Encoding Standard")?;
    writeln!(out, "# https://encoding.spec.whatwg.org/\n#\n# Identifier: {identifier}\n# Date: {date}\n")?;
    let width = entries.last().map_or(0, |entry| entry.0.to_string().len());
    for &(pointer, character) in entries {
        write!(out, "{pointer:width$}\t0x{:04X}", u32::from(character))?;
        if !index.is_ranges() {
            write!(out, "\t")?;
            if controls || !character.is_control() {
                write!(out, "{character}")?;
            }
            write!(out, " ({})", name(character))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Writes a JSON object with identifier, date and entries. Each entry is an object on a separate line.
pub(super) fn write_json(index: &Index, mut out: impl Write) -> io::Result<()> {
    #[derive(Serialize)]
    struct Entry {
        pointer: u32,
        code_point: u32,
        #[serde(skip_serializing_if = "Option::is_none")]
        character: Option<char>,
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    }
    let Index { name: index_name, identifier, date, entries } = index;
    writeln!(out, r#"{{"name":"{index_name}","identifier":"{identifier}","date":"{date}","entries":["#)?;
    for (position, &(pointer, character)) in entries.iter().enumerate() {
        let shown = (!index.is_ranges()).then_some(character);
        let entry = Entry {
            pointer,
            code_point: character.into(),
            character: shown,
            name: shown.map(|character| name(character).to_string()),
        };
        for character in serde_json::to_string(&entry)?.chars() {
            // JSON allows the control characters from U+0080 on, but a terminal would interpret them.
            if character.is_control() {
                write!(out, "\\u{:04x}", u32::from(character))?;
            } else {
                write!(out, "{character}")?;
            }
        }
        writeln!(out, "{}", if position + 1 < entries.len() { "," } else { "" })?;
    }
    writeln!(out, "]}}")
}

/// Writes a JSON array with an object for each index.
pub(super) fn write_list(mut out: impl Write) -> io::Result<()> {
    #[derive(Serialize)]
    struct Item {
        name: &'static str,
        identifier: &'static str,
        date: &'static str,
        /// The encodings that use it.
        encodings: Vec<&'static str>,
        /// The number of entries.
        entries: usize,
        /// Whether `--visualize` writes a table of it.
        visualized: bool,
    }
    let items: Vec<Item> = Index::all()
        .map(|index| Item {
            name: index.name,
            identifier: index.identifier,
            date: index.date,
            encodings: index.encodings().into_iter().map(textcodec::Encoding::name).collect(),
            entries: index.entries.len(),
            visualized: index.has_pages(),
        })
        .collect();
    serde_json::to_writer_pretty(&mut out, &items)?;
    writeln!(out)
}
