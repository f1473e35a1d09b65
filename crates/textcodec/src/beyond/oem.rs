//! Encodings that the standard leaves out: code pages of MS-DOS, EBCDIC and classic Mac OS, and others.
//!
//! They are ordinary [`Encoding`]s. The standard's labels never mean one of them: [`Encoding::for_label`], HTML, XML and CSS know
//! only the standard's. [`Alias::for_name`](crate::Alias::for_name) finds them by name, [`Encoding::for_code_page`] by number.
//!
//! The tables are in the crate `textcodec-oem`, in 6 KB. Those of a page are derived at its first use, and stay in memory.
//!
//! ```
//! use textcodec::oem::{IBM037, IBM437};
//!
//! assert_eq!(IBM437.decode(b"na\x8Bve \xC4\xC4").text, "naïve ──");
//! assert_eq!(*IBM037.encode("Hello")?, *b"\xC8\x85\x93\x93\x96");
//! assert_eq!("IBM850".parse(), Ok(textcodec::oem::IBM850));
//! # Ok::<(), textcodec::EncodeError>(())
//! ```

use crate::names::{Encoding, alias::is_same, encodings::Id};

#[rustfmt::skip]
#[path = "../../tables/oem.rs"]
mod table;

pub use table::*;

/// The name of an encoding of this module.
pub(crate) const fn name(encoding: Encoding) -> Option<&'static str> {
    if let Some(page) = page(encoding) {
        return Some(textcodec_oem::name(page));
    }
    let (id, first) = (encoding.id() as usize, Id::Custom as usize + 1);
    if id >= first { Some(NAMES[id - first]) } else { None }
}

/// The page of an encoding: its number in `textcodec-oem`.
pub(crate) const fn page(encoding: Encoding) -> Option<usize> {
    let (id, first) = (encoding.id() as usize, Id::Custom as usize + 1 + ALL.len() - textcodec_oem::COUNT);
    if id >= first { Some(id - first) } else { None }
}

/// The encoding of a page of `textcodec-oem`.
fn of_page(page: usize) -> Option<Encoding> {
    ALL.get(ALL.len() - textcodec_oem::COUNT + page).copied()
}

/// The encoding of a name, except for the other names of those that are not pages.
pub(crate) fn for_name(name: &str) -> Option<Encoding> {
    let coded = NAMES.iter().position(|other| is_same(name, other)).map(|n| ALL[n]);
    coded.or_else(|| of_page(textcodec_oem::for_name(name)?))
}

/// The encoding of a code page's number.
pub(crate) fn for_code_page(number: u16) -> Option<Encoding> {
    of_page(textcodec_oem::for_code_page(number)?)
}

/// Septets of GSM 03.38: packing and unpacking.
pub mod gsm {
    pub use crate::codec::rare::gsm_0338::{fill_bits, pack, pack_with_cr, unpack, unpack_with_cr};
}

/// Returns the encoding of a DBF file, which may be a part of a shapefile, by its language driver: the byte at offset 29. `None` if
/// the driver is not known, or 0, which means that the file does not say.
///
/// If there is a file with the same name and the extension `.cpg`, it comes first: see [`for_cpg`].
///
/// ```
/// use textcodec::{WINDOWS_1251, oem};
///
/// assert_eq!(oem::for_dbf_driver(0x01), Some(oem::IBM437));
/// assert_eq!(oem::for_dbf_driver(0xC9), Some(WINDOWS_1251));
/// assert_eq!(oem::for_dbf_driver(0x00), None);
/// ```
#[must_use]
#[doc(alias("LDID", "language driver", "shapefile", "dbase"))]
pub fn for_dbf_driver(driver: u8) -> Option<Encoding> {
    Encoding::for_code_page(textcodec_oem::dbf_code_page(driver)?)
}

/// Returns the encoding that a `.cpg` file of a shapefile names, such as `UTF-8`, `1252`, `ANSI 1251`, `OEM 850`, `88591` or `Big5`.
///
/// ```
/// use textcodec::{BIG5, UTF_8, WINDOWS_1251, WINDOWS_1252, oem};
///
/// assert_eq!(oem::for_cpg("UTF-8\r\n"), Some(UTF_8));
/// assert_eq!((oem::for_cpg("1252"), oem::for_cpg("ISO 88591")), (Some(WINDOWS_1252), Some(WINDOWS_1252)));
/// assert_eq!((oem::for_cpg("ANSI 1251"), oem::for_cpg("OEM 850")), (Some(WINDOWS_1251), Some(oem::IBM850)));
/// assert_eq!(oem::for_cpg("Big5"), Some(BIG5));
/// ```
#[must_use]
#[doc(alias("shapefile", "cpg"))]
pub fn for_cpg(content: &str) -> Option<Encoding> {
    // Some editors write a byte order mark.
    let name = content.trim_start_matches('\u{FEFF}').trim_ascii();
    let lower = name.to_ascii_lowercase();
    let rest = ["ansi", "oem", "cp", "iso"].iter().find_map(|prefix| lower.strip_prefix(prefix)).unwrap_or(&lower);
    let rest = rest.trim_start_matches([' ', '-', '_']);
    // "8859-1", "88591" or "8859_1".
    if let Some(part) = rest.strip_prefix("8859").map(|part| part.trim_start_matches(['-', '_', ' ']))
        && let Some(encoding) = Encoding::for_label(alloc::format!("iso-8859-{part}"))
    {
        return Some(encoding);
    }
    let numbered = rest.parse().ok().and_then(Encoding::for_code_page);
    let named = || Encoding::for_label(name).or_else(|| Some(crate::Alias::for_name(name)?.encoding));
    numbered.or_else(named)
}

/// Returns the picture that MS-DOS shows for a control character: for screens and "ANSI art". Code page 437 and its relatives decode
/// these bytes to controls, as every program does. `None` for other bytes.
///
/// ```
/// use textcodec::oem::{self, IBM437};
///
/// let screen = |bytes: &[u8]| -> String {
///     let shown = bytes.iter().map(|&byte| oem::graphic(byte).map_or_else(|| IBM437.decode(&[byte]).text.into(), String::from));
///     shown.collect()
/// };
/// assert_eq!(screen(b"\x01 \x0E \xC9\xCD\xBB"), "☺ ♫ ╔═╗");
/// ```
#[must_use]
#[doc(alias("ANSI art", "IBMGRAPH", "smiley"))]
pub const fn graphic(byte: u8) -> Option<char> {
    const PICTURES: [char; 31] = [
        '☺', '☻', '♥', '♦', '♣', '♠', '•', '◘', '○', '◙', '♂', '♀', '♪', '♫', '☼', '►', '◄', '↕', '‼', '¶', '§', '▬',
        '↨', '↑', '↓', '→', '←', '∟', '↔', '▲', '▼',
    ];
    match byte {
        0x01..=0x1F => Some(PICTURES[byte as usize - 1]),
        0x7F => Some('⌂'),
        _ => None,
    }
}
