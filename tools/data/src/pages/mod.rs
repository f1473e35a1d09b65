//! The pages of `crates/textcodec-oem`: encodings that the standard does not have.

mod compare;
mod pack;
mod page;
mod sources;
mod tables;
#[path = "../../../../crates/textcodec-oem/src/unpack.rs"]
mod unpack;

pub(crate) use sources::{names_with_other_tables, run as import};
pub(crate) use tables::run as tables;
