//! Conversions as `iconv(3)` does them, with the tables of the [Encoding Standard](https://encoding.spec.whatwg.org/): the
//! names that programs give to `iconv_open`, suffixes, transliteration, and exact positions at every stop.
//!
//! The library for C and the program `textcodec iconv` are built on this crate. Programs in Rust that do not replace iconv use
//! [`textcodec`] itself.
//!
//! What differs from `textcodec`:
//!
//! * Names mean what they mean to iconv ([`Form::for_name`]). There are forms that the web does not have, such as UTF-32.
//! * A conversion stops before an incomplete or malformed sequence, and before an unmappable character, so that the caller can
//!   look at it ([`Conversion`]).
//! * Everything that can be read can be written ([`write_back()`]), and what other implementations write in another form
//!   ([`other_form()`]).
//! * Unmappable characters can be replaced by similar text ([`transliterate`]).
#![no_std]
#![forbid(unsafe_code)]

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(test)]
extern crate std;

mod conversion;
mod form;
mod name;
mod other_form;
mod output;
mod romanization;
mod source;
#[rustfmt::skip]
#[path = "../tables/names.rs"]
mod tables;
mod target;
mod translit;
mod utf7;
mod write_back;

pub use conversion::{Conversion, Options, Progress, Stop};
pub use form::{Form, Order};
pub use name::{Request, conflicts_with_glibc};
pub use other_form::{decompose, other_form};
pub use translit::{Text, transliterate};
pub use write_back::{Bytes, big5_sequence, write_back};
