//! Encodings, and the names and numbers that find them.

pub(crate) mod alias;
pub(crate) mod encoding;
#[rustfmt::skip]
#[path = "../../tables/encodings.rs"]
pub(crate) mod encodings;
pub(crate) mod label;
mod registry;
mod unknown_label;

pub use alias::Alias;
pub use encoding::Encoding;
pub use encodings::*;
pub use unknown_label::UnknownLabel;
