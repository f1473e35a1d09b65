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

use crate::{Encoding, encodings::Id};

#[rustfmt::skip]
#[path = "../tables/oem.rs"]
mod table;

pub use table::*;

/// The page of an encoding: its number in `textcodec-oem`.
pub(crate) const fn page(encoding: Encoding) -> Option<usize> {
    let (id, first) = (encoding.id() as usize, Id::Custom as usize + 1 + ALL.len() - textcodec_oem::COUNT);
    if id >= first { Some(id - first) } else { None }
}

/// The encoding of a page of `textcodec-oem`.
fn of_page(page: usize) -> Option<Encoding> {
    ALL.get(ALL.len() - textcodec_oem::COUNT + page).copied()
}

/// The encoding of a name of these encodings.
pub(crate) fn for_name(name: &str) -> Option<Encoding> {
    of_page(textcodec_oem::for_name(name)?)
}

/// The encoding of a code page's number.
pub(crate) fn for_code_page(number: u16) -> Option<Encoding> {
    of_page(textcodec_oem::for_code_page(number)?)
}
