//! Guesses the encoding from what text looks like, by the model of `textcodec-language`.
//!
//! The distinct words of the text are decoded in every encoding, and each has a cost: the negative logarithm of its frequency. The
//! encoding with the lowest cost wins.

mod domains;
mod evidence;
mod mixture;
mod pages;
mod sample;
mod score;

use alloc::vec::Vec;

use textcodec::{Encoding, UTF_8};
use textcodec_language::{Language, Model};

use evidence::Evidence;
pub(crate) use mixture::Mixture;
use sample::Sample;
pub(crate) use score::Fit;
use score::Hints;

/// The cost of a pair of bytes in text that is unknown: in another encoding or language, or no text.
const UNKNOWN: f64 = 4.6 * 16.0;

/// Collects the text for a guess.
pub(crate) struct Guesser {
    sample: Sample,
    /// Whether there were blocks that it did not get, because the text was UTF-8 until then.
    pub(crate) has_skipped: bool,
}

/// What a guess says.
pub(crate) struct Guess {
    /// How well the text fits each encoding, the best first.
    pub(crate) fits: Vec<Fit>,
    /// The cost if the encoding is none of these.
    pub(crate) unknown: f64,
    /// The number of distinct pairs of bytes with a non-ASCII byte.
    pub(crate) distinct: usize,
    /// The cost of such a pair in the best encoding, on average, in nats.
    pub(crate) cost_of_pair: f64,
    pub(crate) mixture: Option<Mixture>,
    /// Whether there are letters of ASCII, too.
    pub(crate) has_ascii_letters: bool,
    /// Whether the best encoding is one of East Asia.
    pub(crate) is_wide: bool,
    /// Whether the best encoding is multi-byte, and the text has no letters beyond ASCII in it.
    pub(crate) has_signs_only: bool,
}

impl Guesser {
    pub(crate) fn new() -> Self {
        Self { sample: Sample::default(), has_skipped: false }
    }

    /// Adds a block of the text.
    pub(crate) fn feed(&mut self, block: &[u8]) {
        self.sample.feed(block);
    }

    /// Ends the text.
    pub(crate) fn end(&mut self) {
        self.sample.end();
    }

    /// Returns the guess. `is_possible` says which encodings the text can be in.
    pub(crate) fn finish(
        &self,
        is_possible: impl Fn(Option<Encoding>) -> bool,
        languages: &[Language],
        domain: Option<&str>,
    ) -> Option<Guess> {
        let evidence = Evidence::new(&self.sample);
        let hints = Hints::new(&evidence, languages, domain);
        let fits = score::fits(&evidence, &hints, is_possible);
        let best = fits.first()?;
        let model = score::models().iter().find(|model| model.language() == best.language && !model.is_wide());
        let chars = &best.page.unwrap_or(&pages::all()[0]).chars;
        let of_ascii = score::cost(&evidence.plain, chars, model.unwrap_or(&Model::UNIVERSAL));
        let weight: f64 = evidence.pairs.iter().map(|pair| pair.weight).sum();
        let unknown = of_ascii + weight * UNKNOWN + 64.0;
        let cost_of_pair = (best.cost - of_ascii) / weight / 16.0;
        let mixture = mixture::find(&evidence, best);
        let has_signs_only = best.page.is_none() && !score::has_wide_letters(best);
        let is_wide = best.page.is_none() && best.encoding != Some(UTF_8);
        let has_ascii_letters = !evidence.ascii.is_empty() || !evidence.plain.is_empty();
        Some(Guess {
            has_ascii_letters,
            is_wide,
            has_signs_only,
            unknown,
            distinct: evidence.pairs.len(),
            cost_of_pair,
            mixture,
            fits,
        })
    }
}

impl Guess {
    /// Returns how likely it is that the best encoding is wrong, from 0 to 1. `margin` is the difference to the cost of the best other
    /// text, in nats.
    ///
    /// The constants were fitted with texts of the kinds that `tools/detection` makes, of the training half: see
    /// `docs/design/detection.md`.
    pub(crate) fn doubt(&self, margin: f64) -> f64 {
        // Costs are sums over characters that are not independent of each other, so a difference says less than its size.
        let other = 0.5 * libm::exp(-margin / 1.25);
        // Text whose characters cost more is in another encoding or language, or no text.
        let (usual, slope) = if self.is_wide { (4.0, 5.0) } else { (4.5, 4.0) };
        let unknown = 0.000_2 * libm::exp(slope * (self.cost_of_pair - usual).clamp(0.0, 2.0));
        let little = match self.distinct {
            ..3 if !self.has_ascii_letters => 0.03,
            ..3 => 0.01,
            ..8 if self.is_wide || !self.has_ascii_letters => 0.003,
            3..8 => 0.000_4,
            // Signs of East Asia without any letters: of drawings, which all of its encodings have.
            _ if self.has_signs_only && margin < 15.0 => 0.03,
            _ => 0.0,
        };
        let mixed = match self.mixture.as_ref().map(|mixture| mixture.gain / 16.0) {
            Some(4.0..) => 0.5,
            Some(0.0..) => 0.05,
            Some(_) => 0.005,
            None => 0.0,
        };
        (other + unknown + little + mixed).min(0.97)
    }
}
