//! JSON output, and a pool that stores each string once.

use std::{collections::HashMap, fmt::Write as _};

/// Strings and their indexes.
#[derive(Default)]
pub(crate) struct Pool {
    indexes: HashMap<String, usize>,
    all: Vec<String>,
}

impl Pool {
    /// Returns the index of a string, as JSON. Adds the string if it is new.
    pub(crate) fn index(&mut self, text: String) -> String {
        let next = self.all.len();
        let index = *self.indexes.entry(text).or_insert_with_key(|text| {
            self.all.push(string(text));
            next
        });
        index.to_string()
    }

    /// Returns all strings in the order of their indexes, as JSON.
    pub(crate) fn json(self) -> String {
        list(self.all)
    }
}

pub(crate) fn hex(bytes: impl IntoIterator<Item = u8>) -> String {
    bytes.into_iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}"); // infallible for a String
        hex
    })
}

pub(crate) fn string(text: &str) -> String {
    let mut json = String::from('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => json.extend(['\\', character]),
            '\0'..' ' => {
                let _ = write!(json, "\\u{:04x}", u32::from(character)); // infallible for a String
            }
            _ => json.push(character),
        }
    }
    json + "\""
}

pub(crate) fn list(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(","))
}

pub(crate) fn object(members: impl IntoIterator<Item = (&'static str, String)>) -> String {
    let members = members.into_iter().map(|(name, value)| format!("\n\"{name}\":{value}"));
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}
