//! How the library's tests feed it.
//!
//! * [`oracle`]: what `spec-model` says of an input, in the form the library's results are compared in.
//! * [`drive`]: the fixed-buffer level with any chunks, any room, and canaries around every buffer.
//! * [`Runner`]: one case through every output form, kernel level, chunking and size of buffer.
//! * [`Quick`]: one case in one call each, for tests over millions of inputs.
//! * [`exhaustive`] and [`embedded`]: all short inputs, alone and within text.
//! * [`guard`]: buffers next to inaccessible pages.
//! * [`texts`]: real sentences, the repertoire of an encoding as text, and ways to spoil a text.

pub mod drive;
pub mod embedded;
pub mod exhaustive;
pub mod guard;
pub mod oracle;
mod quick;
mod runner;
pub mod texts;

pub use quick::{Quick, in_parallel};
pub use runner::{Runner, levels};

/// How many rounds a random test makes where `all` are due: one in so many as `TEXTCODEC_ONE_IN` says, for emulated machines.
///
/// # Panics
/// Where the variable is no number, or 0.
#[must_use]
pub fn rounds(all: usize) -> usize {
    let one_in =
        std::env::var("TEXTCODEC_ONE_IN").map_or(1, |number| number.parse().expect("TEXTCODEC_ONE_IN is a number"));
    all.div_ceil(one_in)
}
