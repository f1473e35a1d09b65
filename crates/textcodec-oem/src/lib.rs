#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]

mod dbf;
#[path = "../tables/pages.rs"]
mod tables;
mod unpack;

pub use dbf::dbf_code_page;
pub use tables::COUNT;
use tables::{CODE_PAGES, DUPLICATES, FLAGS, LINES, STARTS};

/// What [`code_points`] has for an unassigned byte. It is not a character.
///
/// ```
/// let page = textcodec_oem::for_name("IBM864").unwrap();
/// assert_eq!(textcodec_oem::code_points(page)[0xFF], textcodec_oem::UNMAPPED);
/// ```
pub const UNMAPPED: u16 = unpack::UNMAPPED;

/// The packed pages.
static PACKED: &[u8] = include_bytes!("../tables/pages.packed");

/// A line for each page, with its name and its aliases.
static NAMES: &str = include_str!("../tables/names.txt");

/// Returns the code points of a page, by byte. An unassigned byte has [`UNMAPPED`].
///
/// This unpacks the page, which takes about a microsecond. Exactly one byte has U+0000. Several bytes can have the same code
/// point: see [`duplicates`].
///
/// # Panics
///
/// If there is no such page.
///
/// ```
/// let page = textcodec_oem::for_name("IBM437").unwrap();
/// let code_points = textcodec_oem::code_points(page);
/// assert_eq!(char::from_u32(code_points[0xE1].into()), Some('ß'));
/// ```
#[must_use]
pub fn code_points(page: usize) -> [u16; 256] {
    unpack::unpack(PACKED, &STARTS, page)
}

/// Returns the bytes of a page that encoders do not write, because their characters have other bytes. All other bytes have
/// different code points.
///
/// ```
/// let page = textcodec_oem::for_name("ARMSCII-8").unwrap();
/// let code_points = textcodec_oem::code_points(page);
/// // ARMSCII-8 has the parentheses twice: in ASCII and for Armenian.
/// assert_eq!((code_points[0x28], code_points[0xA5]), (u16::from(b'('), u16::from(b'(')));
/// assert!(textcodec_oem::duplicates(page).eq([0xA4, 0xA5, 0xA9, 0xAB, 0xAC]));
/// ```
pub fn duplicates(page: usize) -> impl Iterator<Item = u8> {
    DUPLICATES.iter().filter(move |(other, _)| usize::from(*other) == page).map(|(_, byte)| *byte)
}

/// Returns the name of a page: the preferred one of IANA, or that of IBM or Windows if the page is not
/// [registered](is_registered).
///
/// # Panics
///
/// If there is no such page.
///
/// ```
/// const FIRST: &str = textcodec_oem::name(0);
/// assert_eq!(FIRST, "IBM437");
/// ```
#[must_use]
pub const fn name(page: usize) -> &'static str {
    let (_, line) = NAMES.as_bytes().split_at(LINES[page] as usize);
    let mut len = 0;
    while !matches!(line[len], b' ' | b'\n') {
        len += 1;
    }
    let (name, _) = line.split_at(len);
    match core::str::from_utf8(name) {
        Ok(name) => name,
        Err(_) => unreachable!(),
    }
}

/// Returns the other names of a page, in lower case. None of them is a label of the standard.
///
/// # Panics
///
/// If there is no such page.
///
/// ```
/// let page = textcodec_oem::for_name("IBM1047").unwrap();
/// assert!(textcodec_oem::aliases(page).eq(["cp1047", "ibm-1047", "csibm1047"]));
/// ```
pub fn aliases(page: usize) -> impl Iterator<Item = &'static str> {
    let line = NAMES[usize::from(LINES[page])..].lines().next();
    line.into_iter().flat_map(|line| line.split(' ').skip(1))
}

/// Returns the page with this name or alias. Ignores ASCII case, surrounding ASCII white space, and whether words are separated
/// by `-`, `_` or a space.
///
/// ```
/// let page = textcodec_oem::for_name(" CP_037 ");
/// assert_eq!(page, None); // A separator that no name has.
/// let page = textcodec_oem::for_name("ebcdic_cp_us").unwrap();
/// assert_eq!(textcodec_oem::name(page), "IBM037");
/// ```
#[must_use]
#[doc(alias("alias", "label", "charset"))]
pub fn for_name(name: &str) -> Option<usize> {
    let name = name.trim_ascii().as_bytes();
    let names = NAMES.as_bytes();
    let (mut page, mut start) = (0, 0);
    for (at, &byte) in names.iter().enumerate().filter(|(_, byte)| matches!(byte, b' ' | b'\n')) {
        let other = &names[start..at];
        if other.len() == name.len() && other.iter().zip(name).all(|(&a, &b)| normalize(a) == normalize(b)) {
            return Some(page);
        }
        page += usize::from(byte == b'\n');
        start = at + 1;
    }
    None
}

/// A byte of a name without case, and `-` for all separators.
fn normalize(byte: u8) -> u8 {
    if matches!(byte, b'_' | b' ') { b'-' } else { byte.to_ascii_lowercase() }
}

/// Returns the number of a page as a code page: that of Windows if Windows has the page, or that of IBM.
///
/// ```
/// let page = textcodec_oem::for_name("IBM273").unwrap();
/// assert_eq!(textcodec_oem::code_page(page), Some(20273));
/// ```
#[must_use]
pub fn code_page(page: usize) -> Option<u16> {
    CODE_PAGES.iter().find(|(_, other)| usize::from(*other) == page).map(|(number, _)| *number)
}

/// Returns the page of a code page of Windows or IBM.
///
/// ```
/// let page = textcodec_oem::for_code_page(437).unwrap();
/// assert_eq!(textcodec_oem::name(page), "IBM437");
/// assert_eq!(textcodec_oem::for_code_page(273), textcodec_oem::for_code_page(20273));
/// ```
#[must_use]
pub fn for_code_page(number: u16) -> Option<usize> {
    CODE_PAGES.iter().find(|(other, _)| *other == number).map(|(_, page)| usize::from(*page))
}

/// Returns whether the bytes 0x00 to 0x7F of a page are ASCII.
///
/// # Panics
///
/// If there is no such page.
///
/// ```
/// const ZIP: bool = textcodec_oem::is_ascii_compatible(0);
/// assert!(ZIP);
/// let ebcdic = textcodec_oem::for_name("IBM037").unwrap();
/// assert!(!textcodec_oem::is_ascii_compatible(ebcdic));
/// ```
#[must_use]
pub const fn is_ascii_compatible(page: usize) -> bool {
    FLAGS[page] & 1 != 0
}

/// Returns whether every byte of a page has a code point.
///
/// # Panics
///
/// If there is no such page.
///
/// ```
/// assert!(textcodec_oem::is_total(textcodec_oem::for_name("IBM437").unwrap()));
/// assert!(!textcodec_oem::is_total(textcodec_oem::for_name("IBM864").unwrap()));
/// ```
#[must_use]
pub const fn is_total(page: usize) -> bool {
    FLAGS[page] & 2 != 0
}

/// Returns whether the name of a page is [registered](https://www.iana.org/assignments/character-sets/) with IANA.
///
/// # Panics
///
/// If there is no such page.
///
/// ```
/// assert!(textcodec_oem::is_registered(textcodec_oem::for_name("IBM437").unwrap()));
/// assert!(!textcodec_oem::is_registered(textcodec_oem::for_name("DOS-720").unwrap()));
/// ```
#[must_use]
#[doc(alias = "iana")]
pub const fn is_registered(page: usize) -> bool {
    FLAGS[page] & 4 != 0
}

/// Returns whether each of the 128 ASCII characters has a byte in a page, whichever it is.
///
/// # Panics
///
/// If there is no such page.
///
/// ```
/// assert!(textcodec_oem::has_ascii(textcodec_oem::for_name("IBM037").unwrap()));
/// assert!(!textcodec_oem::has_ascii(textcodec_oem::for_name("IBM864").unwrap())); // It has no percent sign.
/// ```
#[must_use]
pub const fn has_ascii(page: usize) -> bool {
    FLAGS[page] & 8 != 0
}
