//! Tests of the program as users run it: its inputs and outputs, its messages and its exit status.

mod auto;
mod backups;
mod check;
mod common;
mod convert;
mod declarations;
#[cfg(target_os = "linux")]
mod descriptors;
mod detect;
mod each;
mod folders;
mod help;
mod iconv;
mod iconv_characters;
#[cfg(target_os = "linux")]
mod iconv_peer;
mod index;
mod inspect;
#[cfg(target_os = "linux")]
mod interruption;
#[cfg(target_os = "linux")]
mod kept;
mod labels;
mod list;
mod losses;
mod mail;
#[cfg(target_os = "linux")]
mod memory;
mod mixed;
mod names;
mod normalize;
mod not_text;
mod output;
mod pages;
#[cfg(target_os = "linux")]
mod reads;
mod records;
#[cfg(target_os = "linux")]
mod safety;
mod samples;
#[cfg(target_os = "linux")]
mod screen;
mod streams;
mod tables;
#[cfg(target_os = "linux")]
mod terminal;
mod trust;
mod twice;
#[cfg(feature = "detect")]
mod twice_pairs;
mod undecided;
mod usage;
#[cfg(windows)]
mod windows;
mod words;
