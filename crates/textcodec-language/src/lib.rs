#![doc = include_str!("../README.md")]

mod languages;

pub use languages::Language;
