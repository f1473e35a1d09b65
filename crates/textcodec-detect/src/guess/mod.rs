//! Guesses the encoding from what text looks like, by the model of `textcodec-language`.
//!
//! The distinct words of the text are decoded in every encoding, and each has a cost: the negative logarithm of its frequency. The
//! encoding with the lowest cost wins.

mod domains;
mod evidence;
mod mixture;
mod pages;
mod pairs;
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
    mixture: Option<Mixture>,
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
        let mut evidence = Evidence::new(&self.sample);
        let mut fits = Self::fits(&evidence, &is_possible, languages, domain);
        let mixture = mixture::find(&evidence, fits.first()?);
        // Words in UTF-8 look like rare encodings. The rest says what the other encoding is.
        let is_utf_8 = |mixture: &Mixture| mixture.encoding == Some(UTF_8) && mixture.gain > 0.0;
        if mixture.as_ref().is_some_and(is_utf_8)
            && let Some(rest) = evidence.without_utf_8(&self.sample)
        {
            fits = Self::fits(&rest, &is_possible, languages, domain);
            evidence = rest;
        }
        let best = fits.first()?;
        let model = score::models().iter().find(|model| model.language() == best.language && !model.is_wide());
        let model = model.unwrap_or(&Model::UNIVERSAL);
        let chars = &best.page.unwrap_or(&pages::all()[0]).chars;
        let of_ascii = score::cost(&evidence.plain, chars, model);
        let weight = weight_of(&evidence);
        let unknown = of_ascii + weight * UNKNOWN + 64.0;
        let cost_of_pair = match Evidence::typical(&self.sample).filter(|typical| !typical.pairs.is_empty()) {
            Some(typical) if best.page.is_some() => score::cost(&typical.pairs, chars, model) / weight_of(&typical),
            _ => (best.cost - of_ascii) / weight,
        };
        let cost_of_pair = cost_of_pair / 16.0;
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

    /// Returns how well the text fits each encoding, the best first.
    fn fits(
        evidence: &Evidence,
        is_possible: impl Fn(Option<Encoding>) -> bool,
        languages: &[Language],
        domain: Option<&str>,
    ) -> Vec<Fit> {
        score::fits(evidence, &Hints::new(evidence, languages, domain), is_possible)
    }
}

fn weight_of(evidence: &Evidence) -> f64 {
    evidence.pairs.iter().map(|pair| pair.weight).sum()
}

impl Guess {
    /// Returns the second encoding, if it is likelier that there is one.
    pub(crate) fn mixture(&self) -> Option<&Mixture> {
        self.mixture.as_ref().filter(|mixture| mixture.gain > 0.0)
    }

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
