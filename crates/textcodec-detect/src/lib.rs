#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), no_std)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod css;
pub mod declaration;
mod detection;
mod detector;
mod format;
#[expect(clippy::cast_precision_loss, reason = "counts and costs are small, and only compared")]
mod guess;
mod guessed;
mod hidden;
pub mod html;
pub mod mail;
mod mime;
mod mixed;
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
