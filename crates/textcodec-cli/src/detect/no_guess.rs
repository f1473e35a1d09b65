//! What stands for guessing in a build without it (feature `detect`): windows-1252, which no byte is malformed in.

use textcodec::{Encoding, WINDOWS_1252};

/// Whether a guess is one.
pub(super) const AVAILABLE: bool = false;

/// The beginning of a reason.
pub(super) const REASON_PREFIX: &str =
    "this build cannot guess (it lacks the feature `detect`), and this fits everything: taken for";

pub(super) struct Guesser;

impl Guesser {
    pub(super) fn new() -> Self {
        Self
    }

    #[expect(clippy::unused_self, reason = "as the one that guesses")]
    pub(super) fn feed(&mut self, _block: &[u8]) {}

    #[expect(clippy::unused_self, reason = "as the one that guesses")]
    pub(super) fn is_candidate(&self, _encoding: Encoding) -> bool {
        true
    }

    #[expect(clippy::unused_self, reason = "as the one that guesses")]
    pub(super) fn finish(self, _complete: bool) -> Guess {
        Guess { encoding: WINDOWS_1252, votes: Vec::new() }
    }
}

pub(super) struct Guess {
    pub(super) encoding: Encoding,
    pub(super) votes: Vec<(Encoding, u32)>,
}
