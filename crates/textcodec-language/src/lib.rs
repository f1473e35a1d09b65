#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), no_std)]

extern crate alloc;

mod chars;
mod data;
mod languages;
mod model;

pub use chars::{Char, EDGE, Group, LATIN};
pub use languages::Language;
pub use model::{Model, pages, shared_cost};
