//! The substitute for `guess` in a build without the feature `detect`: windows-1252, in which no byte is malformed.

use textcodec::{Encoding, WINDOWS_1252};

use super::guessed::Fits;

/// Whether guessing is available.
pub(super) const AVAILABLE: bool = false;

/// The start of the reason for a guess.
pub(super) const REASON_PREFIX: &str =
    "this build cannot guess (it lacks the feature `detect`); windows-1252 is the fallback, with";

pub(super) struct Guesser;

impl Guesser {
    pub(super) fn new() -> Self {
        Self
    }

    #[expect(clippy::unused_self, reason = "the signature is that of `guess`")]
    pub(super) fn feed(&mut self, _block: &[u8]) {}

    #[expect(clippy::unused_self, reason = "the signature is that of `guess`")]
    pub(super) fn is_candidate(&self, _encoding: Encoding) -> bool {
        true
    }

    #[expect(clippy::unused_self, reason = "the signature is that of `guess`")]
    pub(super) fn finish(self, _complete: bool) -> Guess {
        Guess { encoding: WINDOWS_1252, votes: Vec::new(), fits: Fits::default() }
    }
}

pub(super) struct Guess {
    pub(super) encoding: Encoding,
    pub(super) votes: Vec<(Encoding, u32)>,
    pub(super) fits: Fits,
}

pub(crate) fn lead(_text: &[u8], _encoding: Encoding, _over: Encoding) -> Option<i64> {
    None
}
