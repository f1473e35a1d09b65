//! JSON, and strings that stand in it once.

use std::{collections::HashMap, fmt::Write as _};

/// Strings and their places.
#[derive(Default)]
pub(crate) struct Pool {
    places: HashMap<String, usize>,
    all: Vec<String>,
}

impl Pool {
    /// The place of a string, as JSON.
    pub(crate) fn place(&mut self, text: String) -> String {
        let next = self.all.len();
        let place = *self.places.entry(text).or_insert_with_key(|text| {
            self.all.push(string(text));
            next
        });
        place.to_string()
    }

    /// All strings, by place.
    pub(crate) fn json(self) -> String {
        list(self.all)
    }
}

pub(crate) fn hex(bytes: impl IntoIterator<Item = u8>) -> String {
    bytes.into_iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}"); // to a string
        hex
    })
}

pub(crate) fn string(text: &str) -> String {
    let mut json = String::from('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => json.extend(['\\', character]),
            '\0'..' ' => {
                let _ = write!(json, "\\u{:04x}", u32::from(character)); // to a string
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
