//! The substitute for `guess` in a build without the feature `guess`: there is no guesser.

use textcodec::Encoding;

use crate::guessed::Guess;

pub(crate) enum Guesser {}

impl Guesser {
    pub(crate) fn new(_top_level_domain: Option<String>) -> Option<Self> {
        None
    }

    pub(crate) fn feed(&mut self, _block: &[u8]) {
        match *self {}
    }

    pub(crate) fn is_candidate(&self, _encoding: Encoding) -> bool {
        match *self {}
    }

    pub(crate) fn finish(self, _complete: bool) -> Guess {
        match self {}
    }
}
