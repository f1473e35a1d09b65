//! Romanizations of letters, from the crate [deunicode](https://docs.rs/deunicode).
//!
//! `cargo xtask tables` writes them in a form that takes a sixth of deunicode's space. Ideographs are left out, because their
//! reading depends on the language, and so are Hangul syllables, because those of their parts are enough.

/// Returns the romanization of a letter, or ASCII punctuation for other characters.
pub(crate) fn romanization(c: char) -> Option<&'static str> {
    let code_point = u32::from(c) as usize;
    let page = *PAGES.get(code_point / PAGE)?;
    let number = unit(ENTRIES, usize::from(page) * PAGE + code_point % PAGE)?;
    // 0 means that there is none.
    let number = usize::from(number).checked_sub(1)?;
    let (start, end) = (unit(STARTS, number)?, unit(STARTS, number + 1)?);
    core::str::from_utf8(TEXT.get(start.into()..end.into())?).ok()
}

/// The number of code points of a page.
const PAGE: usize = 128;

/// For each page of code points, the page of entries. The first one is empty.
static PAGES: &[u8] = include_bytes!("../tables/romanization-pages.bin");
/// Numbers of texts plus one, as `u16`.
static ENTRIES: &[u8] = include_bytes!("../tables/romanization-entries.bin");
/// Where each text starts, as `u16`, and the end of the last one.
static STARTS: &[u8] = include_bytes!("../tables/romanization-starts.bin");
static TEXT: &[u8] = include_bytes!("../tables/romanization-text.bin");

/// Returns a number of a table, which is little-endian.
fn unit(table: &[u8], at: usize) -> Option<u16> {
    let (units, _) = table.as_chunks::<2>();
    units.get(at).copied().map(u16::from_le_bytes)
}
