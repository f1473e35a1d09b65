#![doc = include_str!("../README.md")]

pub mod css;
pub mod declaration;
mod detection;
mod detector;
mod format;
#[cfg(feature = "guess")]
mod guess;
#[cfg(not(feature = "guess"))]
#[path = "no_guess.rs"]
mod guess;
mod guessed;
pub mod html;
#[cfg(feature = "guess")]
mod languages;
#[cfg(feature = "guess")]
mod letter_pairs;
mod likelihood;
pub mod mail;
mod mime;
mod mixed;
#[cfg_attr(not(feature = "guess"), expect(dead_code, reason = "the symbols of languages"))]
mod model;
mod options;
mod sniff;

#[cfg(test)]
mod tests;
pub mod text;
mod trial;
mod verdict;
pub mod xml;

pub use detection::{Candidate, Confidence, Detection, Evidence};
pub use detector::{Detector, detect, detect_with};
pub use mixed::{Mixed, MixedError, MixedListError, MixedSummary, Parts, Per, Place};
pub use options::{DetectOptions, Hints};
pub use sniff::{Sniffed, Source};
pub use textcodec_language::Language;
