//! The last rule: a guess by two witnesses.
//!
//! The first witness is chardetng, for the whole text and for its sections. The second is the cost of the text in each
//! encoding, by the letter pairs of languages. The encoding with the lowest cost wins; the one that the first witness names
//! has an advantage.

use std::fmt::Write as _;

use textcodec::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, SHIFT_JIS, UTF_8, WINDOWS_1252};

use crate::{
    detection::{Confidence, Evidence},
    verdict::{Answer, Verdict, characters, decoder_of, is_multi_byte, malformed_sequences, rarely_occurring},
};

/// What the two witnesses say.
pub(crate) struct Guess {
    pub(crate) encoding: Encoding,
    /// The guesses of the first witness for the sections of the text, most frequent first.
    pub(crate) votes: Vec<(Encoding, u32)>,
    /// How well the letter pairs fit each encoding.
    pub(crate) fits: Fits,
}

/// How well the letter pairs of a text fit an encoding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fit {
    pub(crate) encoding: Encoding,
    /// The language with the lowest cost.
    pub(crate) language: Option<&'static str>,
    /// The negative logarithm of the text's frequency, in sixteenths.
    pub(crate) cost: u64,
}

/// The second witness.
#[derive(Default)]
pub(crate) struct Fits {
    pub(crate) fits: Vec<Fit>,
    /// The number of byte pairs in words with non-ASCII bytes.
    pub(crate) pairs: u64,
}

/// The advantage of the encoding that the first witness names. One factor of e.
const ADVANTAGE: u64 = 16;

/// The cost of a pair in a multi-byte encoding that the first witness names. Text in such an encoding costs more than this
/// in every single-byte encoding, and text in a single-byte encoding costs less in the right one.
const MULTI_BYTE_COST: u64 = 80;

/// With this lead over all encodings in which the text differs, the guess has high confidence. Ten factors of e.
///
/// This and the following limits were chosen with the training half of the texts: see `docs/design/detection.md`.
const HIGH_LEAD: u64 = 160;

/// The same for medium confidence.
const MEDIUM_LEAD: u64 = 64;

/// The minimum number of non-ASCII characters for high confidence.
const MIN_HIGH: u64 = 8;

/// The minimum number of non-ASCII characters for medium confidence.
const MIN_MEDIUM: u64 = 2;

/// The same if there are no letter pairs of the encoding.
const MIN_MEDIUM_WITHOUT: u64 = 6;

/// The maximum cost of a pair if both witnesses name the encoding. More means that the text is not text, or is in a language
/// without letter pairs.
const MAX_COST: u64 = 70;

/// The same if only the second witness names the encoding.
const MAX_COST_ALONE: u64 = 52;

/// The answer, and the language of the text, if it is known.
type Guessed = (Answer, Option<&'static str>);

/// The choice between the encodings.
struct Choice {
    fit: Fit,
    /// Whether the first witness names the same encoding.
    is_first: bool,
    /// The best encoding in which the text is different.
    other: Option<Fit>,
}

impl Verdict {
    /// Returns the guess, or the fallback if there is none, and the language of the text, if it is known.
    pub(crate) fn guessed(&self) -> Guessed {
        let guess = self.guess.as_ref().map(|guess| (guess, self.choice(guess, self.first_witness(guess))));
        let encoding = match &guess {
            Some((_, Choice { fit, .. })) if fit.encoding == GBK && self.trials.is_beyond_gbk() => GB18030,
            Some((_, choice)) => choice.fit.encoding,
            None => self.fallback,
        };
        let tally = self.trials.tally(encoding);
        let beyond = tally.beyond_ascii();
        let mut reason = match &guess {
            Some(_) => format!("guessed from {}", characters(beyond)),
            None => format!("no guess was made; {encoding} is the fallback, with {}", characters(beyond)),
        };
        let utf_8 = self.trials.tally(UTF_8);
        let mut language = None;
        let is_mixed = encoding.is_single_byte() && utf_8.beyond_ascii() * 3 > utf_8.malformed;
        let confidence = if tally.malformed > 0 {
            let _ = write!(reason, "; but with {}", malformed_sequences(&tally, 0));
            Confidence::Low
        } else if tally.unlikely_beyond_ascii() * 100 > beyond {
            let _ = write!(reason, "; but {}", rarely_occurring(tally.unlikely_beyond_ascii()));
            Confidence::Low
        } else if is_mixed {
            let malformed = malformed_sequences(&utf_8, 0);
            let _ = write!(reason, "; but some of them are valid UTF-8; decoded as UTF-8, the text has {malformed}");
            Confidence::Low
        } else {
            match &guess {
                None => Confidence::Low,
                Some(_) if beyond >= 32 && self.is_only_one(encoding) => {
                    reason += "; malformed in every other multi-byte encoding";
                    Confidence::High
                }
                Some((guess, choice)) => {
                    let confidence = confidence(guess, choice, beyond, &mut reason);
                    language = choice.fit.language.filter(|_| confidence > Confidence::Low);
                    confidence
                }
            }
        };
        let confidence = self.lower_for_controls(confidence, &mut reason);
        let evidence = if guess.is_some() { Evidence::Guess } else { Evidence::Fallback };
        ((encoding, confidence, evidence, reason), language)
    }

    /// Returns the guess of chardetng for the text, or for most of its sections.
    fn first_witness(&self, guess: &Guess) -> Encoding {
        let Guess { encoding: guess, votes, .. } = guess;
        let sections: u32 = votes.iter().map(|&(_, count)| count).sum();
        let encoding_of = |&(encoding, _): &(Encoding, u32)| encoding;
        // A single malformed sequence changes the guess for a whole multi-byte text, but not the guesses for most sections.
        let mostly = votes.iter().take(1).filter(|(_, count)| sections >= 3 && count * 5 >= sections * 3);
        let damaged = mostly.map(encoding_of).filter(|&encoding| guess.is_single_byte() && is_multi_byte(encoding));
        let mut likely = damaged.chain([*guess]).chain(votes.iter().map(encoding_of));
        likely.find(|&encoding| self.is_plausible(encoding)).unwrap_or(WINDOWS_1252)
    }

    fn is_plausible(&self, encoding: Encoding) -> bool {
        let tally = self.trials.tally(encoding);
        let tolerated = if is_multi_byte(encoding) { tally.beyond_ascii() / 100 } else { 0 };
        tally.malformed <= tolerated && !tally.abandoned
    }

    /// Chooses between the encodings. `first` is the guess of the first witness.
    fn choice(&self, guess: &Guess, first: Encoding) -> Choice {
        let Fits { fits, pairs } = &guess.fits;
        let mut fits: Vec<Fit> = fits.iter().copied().filter(|fit| self.is_plausible(fit.encoding)).collect();
        let without_language = Fit { encoding: first, language: None, cost: pairs * MULTI_BYTE_COST };
        match fits.iter_mut().find(|fit| fit.encoding == first) {
            None => fits.push(without_language),
            Some(fit) if is_multi_byte(first) && fit.cost > without_language.cost => *fit = without_language,
            Some(_) => {}
        }
        for fit in fits.iter_mut().filter(|fit| fit.encoding == first) {
            fit.cost = fit.cost.saturating_sub(ADVANTAGE);
        }
        fits.sort_by_key(|fit| fit.cost);
        let fit = fits[0];
        let other = fits.iter().copied().find(|other| !self.trials.is_same_text(other.encoding, fit.encoding));
        Choice { fit, is_first: fit.encoding == first, other }
    }

    /// Returns whether no other multi-byte encoding decodes the text without errors.
    fn is_only_one(&self, encoding: Encoding) -> bool {
        let decoder = decoder_of(encoding);
        let fits = |other: Encoding| other == decoder || self.trials.tally(other).malformed == 0;
        let group = [SHIFT_JIS, EUC_JP, EUC_KR, BIG5, GBK];
        group.contains(&decoder) && group.into_iter().filter(|&other| fits(other)).count() == 1
    }
}

/// Returns the confidence that follows from the costs.
fn confidence(guess: &Guess, choice: &Choice, beyond: u64, reason: &mut String) -> Confidence {
    let Choice { fit, is_first, other } = choice;
    let lead = other.map_or(u64::MAX, |other| other.cost - fit.cost);
    let max_cost = if *is_first { MAX_COST } else { MAX_COST_ALONE };
    let (min, highest) =
        if fit.language.is_some() { (MIN_MEDIUM, Confidence::High) } else { (MIN_MEDIUM_WITHOUT, Confidence::Medium) };
    if beyond < min {
        return Confidence::Low;
    }
    if let Some(other) = other.filter(|_| lead < MEDIUM_LEAD) {
        let _ = write!(reason, "; but {} is almost as likely", other.encoding);
        return Confidence::Low;
    }
    if let Some(language) = fit.language {
        if fit.cost > max_cost * guess.fits.pairs {
            *reason += "; but its letters fit no known language";
            return Confidence::Low;
        }
        let _ = write!(reason, ", with letters as in {language}");
    }
    if lead >= HIGH_LEAD && beyond >= MIN_HIGH { highest } else { Confidence::Medium }
}
