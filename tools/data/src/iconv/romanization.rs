//! Romanizations, as `crates/iconv/src/romanization.rs` describes them.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};
use deunicode::deunicode_char;
use unicode_normalization::char::is_combining_mark;

/// The number of code points of a page.
const PAGE: usize = 128;

/// Returns the files with their names.
pub(super) fn tables() -> Result<Vec<(String, Vec<u8>)>> {
    let mut numbers: BTreeMap<&str, u16> = BTreeMap::new();
    let texts: Vec<(char, &str)> = ('\u{80}'..=char::MAX).filter_map(|c| Some((c, romanization(c)?))).collect();
    for (_, text) in &texts {
        numbers.entry(text).or_default();
    }
    let (mut starts, mut text) = (vec![0], String::new());
    for (number, (part, place)) in numbers.iter_mut().enumerate() {
        *place = u16::try_from(number)?;
        text += part;
        starts.push(u16::try_from(text.len())?);
    }
    let last = texts.last().context("there are romanizations")?.0;
    let mut pages = vec![0; u32::from(last) as usize / PAGE + 1];
    let mut entries = vec![0; PAGE];
    for (c, text) in texts {
        let code_point = u32::from(c) as usize;
        let page = &mut pages[code_point / PAGE];
        if *page == 0 {
            *page = u8::try_from(entries.len() / PAGE).context("there are too many pages")?;
            entries.resize(entries.len() + PAGE, 0);
        }
        entries[usize::from(*page) * PAGE + code_point % PAGE] = numbers[text] + 1;
    }
    let bytes = |units: Vec<u16>| units.into_iter().flat_map(u16::to_le_bytes).collect();
    Ok(vec![
        ("romanization-pages.bin".to_owned(), pages),
        ("romanization-entries.bin".to_owned(), bytes(entries)),
        ("romanization-starts.bin".to_owned(), bytes(starts)),
        ("romanization-text.bin".to_owned(), text.into_bytes()),
    ])
}

/// Returns the romanization of a letter, or ASCII punctuation and symbols for other characters.
fn romanization(c: char) -> Option<&'static str> {
    // deunicode has `<` for `⊄`.
    let operator = matches!(c, '\u{2200}'..='\u{22FF}' | '\u{2A00}'..='\u{2AFF}');
    // Their parts have romanizations.
    let syllable = matches!(c, '\u{AC00}'..='\u{D7A3}');
    if is_ideograph(c) || operator || syllable || c.is_control() {
        return None;
    }
    let text = deunicode_char(c)?.trim_end_matches(' ');
    let letter = c.is_alphanumeric() || is_combining_mark(c);
    let sensible = match text {
        "" => is_combining_mark(c),
        "?" => !letter && c != char::REPLACEMENT_CHARACTER,
        _ => letter || !text.contains(|c: char| c.is_ascii_alphabetic()),
    };
    sensible.then_some(text)
}

/// Returns whether a character is an ideograph, whose reading depends on the language.
fn is_ideograph(c: char) -> bool {
    matches!(
        c,
        '\u{2E80}'..='\u{2FDF}' | '々'..='〇' | '〡'..='〩' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
            | '\u{F900}'..='\u{FAFF}' | '\u{12000}'..='\u{1254F}' | '\u{13000}'..='\u{1467F}'
            | '\u{16FE0}'..='\u{18DFF}' | '\u{20000}'..='\u{3FFFF}'
    )
}
