#![doc = include_str!("../README.md")]

mod chars;
mod data;
mod languages;
mod model;

pub use chars::{Char, EDGE, Group, LATIN};
pub use languages::Language;
pub use model::{Model, pages, shared_cost};
