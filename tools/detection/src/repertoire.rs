//! Rewrites text in the characters of an encoding, as people do who write in it.

use std::{cell::RefCell, collections::HashMap};

use textcodec::{Alias, Encoding};
use unicode_normalization::{UnicodeNormalization as _, char::decompose_canonical};

/// Returns the encoding with this label or other name.
///
/// # Panics
///
/// If there is none. The names are in this program.
pub(crate) fn encoding(name: &str) -> Encoding {
    let alias = || Some(Alias::for_name(name)?.encoding);
    Encoding::for_label(name).or_else(alias).unwrap_or_else(|| panic!("no encoding {name}"))
}

/// Encodes text. Returns `None` if a character is not in the encoding.
pub(crate) fn encode(text: &str, encoding: Encoding) -> Option<Vec<u8>> {
    let mut encoder = encoding.encoder();
    let mut bytes = Vec::new();
    encoder.push(text, &mut bytes).ok()?;
    encoder.finish(&mut bytes).ok()?;
    Some(bytes)
}

thread_local! {
    /// The rewritten characters of each encoding.
    static KNOWN: RefCell<HashMap<(Encoding, char), String>> = RefCell::default();
}

/// Rewrites text in the characters of the encoding. Omits what cannot be rewritten.
pub(crate) fn in_repertoire(text: &str, encoding: Encoding) -> String {
    let mut rewritten_text = String::with_capacity(text.len());
    KNOWN.with_borrow_mut(|known| {
        for c in text.nfc() {
            rewritten_text += known.entry((encoding, c)).or_insert_with(|| rewritten(c, encoding));
        }
    });
    rewritten_text
}

/// Returns whether the encoding has the characters, and decodes to the same ones what it encodes.
pub(crate) fn encodes(text: &str, encoding: Encoding) -> bool {
    encode(text, encoding)
        .is_some_and(|bytes| encoding.decode_with(&bytes, keep_bom()).is_ok_and(|back| back.text == text))
}

/// Options for decoding all bytes, also those that look like a byte order mark.
pub(crate) fn keep_bom() -> textcodec::DecodeOptions {
    textcodec::DecodeOptions::new().bom(textcodec::Bom::Keep)
}

fn rewritten(c: char, encoding: Encoding) -> String {
    let encodes = |text: &str| encodes(text, encoding);
    let mut text = c.to_string();
    if !encodes(&text) {
        text = match c {
            // Before Unicode 3.0, Romanian was written with a cedilla. ISO-8859-16 has the comma only.
            'Ș' => "Ş".into(),
            'ș' => "ş".into(),
            'Ț' => "Ţ".into(),
            'ț' => "ţ".into(),
            'Ş' => "Ș".into(),
            'ş' => "ș".into(),
            'Ţ' => "Ț".into(),
            'ţ' => "ț".into(),
            '‘' | '’' => "'".into(),
            '“' | '”' | '„' => "\"".into(),
            '–' | '—' => "-".into(),
            '…' => "...".into(),
            '\u{A0}' => " ".into(),
            // Vietnamese in windows-1258 has combining tone marks.
            _ => composed_base(c),
        };
    }
    if encodes(&text) { text } else { String::new() }
}

/// Separates the last combining character: ế becomes ê and a combining acute accent.
fn composed_base(c: char) -> String {
    let mut parts = Vec::new();
    decompose_canonical(c, |part| parts.push(part));
    let tone = parts.iter().position(|part| matches!(part, '\u{300}' | '\u{301}' | '\u{303}' | '\u{309}' | '\u{323}'));
    let Some(tone) = tone.map(|at| parts.remove(at)) else { return String::new() };
    parts.into_iter().nfc().chain([tone]).collect()
}
