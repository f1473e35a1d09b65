//! Helpers for the library's tests.
//!
//! * [`oracle`]: the results of `spec-model`, in the form that the library's results are compared with.
//! * [`drive`]: conversion into buffers of any size, from chunks of any size, with a canary after every buffer.
//! * [`Runner`]: one case for every output form, kernel level, chunking and buffer size.
//! * [`Quick`]: one case with one call for each mode and form, for tests over millions of inputs.
//! * [`exhaustive`] and [`embedded`]: all short inputs, alone and within text.
//! * [`guard`]: buffers next to inaccessible pages.
//! * [`texts`]: sample sentences, random text from an encoding's repertoire, and random damage to bytes.

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

/// Returns the number of rounds that a random test makes: `all` divided by the environment variable `TEXTCODEC_ONE_IN`, rounded
/// up. Emulated machines set the variable to save time.
///
/// # Panics
/// If the variable is not a number or is 0.
#[must_use]
pub fn rounds(all: usize) -> usize {
    let one_in =
        std::env::var("TEXTCODEC_ONE_IN").map_or(1, |number| number.parse().expect("TEXTCODEC_ONE_IN is a number"));
    all.div_ceil(one_in)
}
