//! The last rule: a guess.
//!
//! The encoding in which the text is likeliest wins. How likely it is that the answer is right follows from what the other encodings
//! cost, and from what text costs whose encoding or language is unknown.

use alloc::{format, vec, vec::Vec};
use core::fmt::Write as _;

use textcodec::{Encoding, GB18030, GBK, UTF_8};

use crate::{
    detection::{Confidence, Evidence},
    guess::{Fit, Guess},
    trial::Tally,
    verdict::{Answer, Verdict, characters, decoder_of, is_multi_byte, malformed_sequences, rarely_occurring},
};

/// The highest probability of text with something that speaks against it. It is low.
const DOUBTFUL: f64 = 0.9;

/// The answer, its probability, and the language of the text, if it is known.
pub(crate) struct Guessed {
    pub(crate) answer: Answer,
    pub(crate) probability: f64,
    pub(crate) language: Option<&'static str>,
    /// The encoding of a part of the text, if it is another one.
    pub(crate) mixed_with: Option<Encoding>,
}

/// The choice between the encodings.
pub(crate) struct Choice<'a> {
    pub(crate) fit: &'a Fit,
    /// The best encoding in which the text is different.
    pub(crate) other: Option<&'a Fit>,
    pub(crate) probability: f64,
    /// The probability of each encoding of this build. Encodings in which the text is the same have the same one.
    pub(crate) ranked: Vec<(Encoding, f64)>,
}

impl Verdict {
    /// Returns the guess, or the fallback if there is none.
    pub(crate) fn guessed(&self) -> Guessed {
        let guess = self.guess();
        let choice = guess.and_then(|guess| self.choice(guess).map(|choice| (guess, choice)));
        let encoding = match &choice {
            Some((_, choice)) if choice.fit.encoding == Some(GBK) && self.trials.is_beyond_gbk() => GB18030,
            Some((_, choice)) => choice.fit.encoding.unwrap_or(self.fallback),
            None => self.fallback,
        };
        let tally = self.trials.tally(encoding);
        let beyond = tally.beyond_ascii();
        let mut reason = match &choice {
            Some(_) => format!("guessed from {}", characters(beyond)),
            None => format!("no guess was made; {encoding} is the fallback, with {}", characters(beyond)),
        };
        let mut probability = choice.as_ref().map_or(0.5, |(_, choice)| choice.probability);
        let mut language = None;
        let utf_8 = self.trials.tally(UTF_8);
        let is_mixed = encoding.is_single_byte() && utf_8.beyond_ascii() * 3 > utf_8.malformed;
        let second = guess.and_then(Guess::mixture).and_then(|mixture| mixture.encoding);
        // With candidates, the answer can be what another encoding is mixed with.
        let mixed_with = second.or(is_mixed.then_some(UTF_8)).filter(|&other| other != encoding);
        if tally.malformed > 0 {
            let _ = write!(reason, "; but with {}", malformed_sequences(&tally, 0));
            probability = probability.min(DOUBTFUL);
        } else if tally.unlikely_beyond_ascii() * 100 > beyond {
            let _ = write!(reason, "; but {}", rarely_occurring(tally.unlikely_beyond_ascii()));
            probability = probability.min(DOUBTFUL);
        } else if is_mixed || self.has_skipped() {
            let malformed = malformed_sequences(&utf_8, 0);
            let _ = write!(reason, "; but some of them are valid UTF-8; decoded as UTF-8, the text has {malformed}");
            probability = probability.min(DOUBTFUL);
        } else if let Some((guess, choice)) = &choice {
            if let Some(mixture) = guess.mixture() {
                let _ = write!(reason, "; but {} of {} words look like {}", mixture.words, mixture.all, mixture.name);
                probability = probability.min(DOUBTFUL);
            } else if choice.fit.encoding.is_none() {
                let _ = write!(reason, "; but it looks like {}, which cannot be decoded here", choice.fit.name);
                probability = probability.min(DOUBTFUL);
            } else {
                language = choice.fit.language.filter(|_| probability >= Confidence::Medium.least());
                if let Some(language) = language {
                    let _ = write!(reason, ", with letters as in {language}");
                }
                if probability < Confidence::Medium.least() {
                    match choice.other {
                        Some(other) if other.cost - choice.fit.cost < 96.0 => {
                            let _ = write!(reason, "; but {} is almost as likely", other.name);
                        }
                        _ => reason += "; but its letters fit no known language well",
                    }
                }
            }
        }
        let confidence = Confidence::of(probability);
        let lowered = self.lower_for_controls(confidence, &mut reason);
        if lowered < confidence {
            probability = lowered.least();
        }
        let evidence = if choice.is_some() { Evidence::Guess } else { Evidence::Fallback };
        Guessed {
            answer: (encoding, lowered, evidence, reason),
            probability,
            language: language.map(textcodec_language::Language::name),
            mixed_with,
        }
    }

    pub(crate) fn is_plausible(&self, encoding: Encoding) -> bool {
        if encoding.is_single_byte() {
            return self.trials.has_all_bytes(encoding);
        }
        let tally = self.trials.tally(encoding);
        if is_multi_byte(encoding) { is_plausible(&tally) } else { tally.malformed == 0 && !tally.abandoned }
    }

    /// Chooses between the encodings.
    pub(crate) fn choice<'a>(&self, guess: &'a Guess) -> Option<Choice<'a>> {
        let candidates = &self.candidates;
        let is_wanted = |fit: &&Fit| match fit.encoding {
            Some(encoding) => {
                candidates.is_empty() || candidates.iter().any(|&one| decoder_of(one) == decoder_of(encoding))
            }
            None => candidates.is_empty(),
        };
        let fit = guess.fits.iter().find(is_wanted)?;
        let bytes = self.trials.non_ascii_bytes();
        let mut groups: Vec<&Fit> = vec![fit];
        for other in &guess.fits {
            if groups.iter().all(|group| !is_same(group, other, &bytes)) {
                groups.push(other);
            }
        }
        let margin = groups.get(1).map_or(f64::INFINITY, |other| (other.cost - fit.cost) / 16.0);
        let probability = 1.0 - guess.doubt(margin);
        // What is not the best text's probability is shared by the others, and by what is unknown.
        // An encoding that is not wanted can be far likelier. `e^600` times the number of encodings is finite.
        let weight = |other: &Fit| libm::exp(((fit.cost - other.cost) / 16.0).min(600.0));
        let sum: f64 = groups[1..].iter().map(|other| weight(other)).sum::<f64>() + weight_of_unknown(guess, fit);
        let of = |other: &Fit| {
            if is_same(fit, other, &bytes) { probability } else { (1.0 - probability) * weight(other) / sum }
        };
        let ranked = guess.fits.iter().filter_map(|fit| Some((fit.encoding?, of(fit)))).collect();
        Some(Choice { fit, other: groups.get(1).copied(), probability, ranked })
    }
}

/// Returns whether text can be in a multi-byte encoding. A few sequences may be malformed.
pub(crate) fn is_plausible(tally: &Tally) -> bool {
    let tolerated = tally.beyond_ascii().div_ceil(50);
    tally.malformed <= if tally.beyond_ascii() < 16 { 0 } else { tolerated } && !tally.abandoned
}

/// Returns whether the text is the same in both encodings. `bytes` are its non-ASCII bytes.
fn is_same(one: &Fit, other: &Fit, bytes: &[u8]) -> bool {
    match (one.page, other.page) {
        (Some(one), Some(other)) => one.is_same(other, bytes),
        (None, None) => one.name == other.name,
        _ => false,
    }
}

/// The weight of what is unknown among the encodings that are not the best one.
fn weight_of_unknown(guess: &Guess, fit: &Fit) -> f64 {
    libm::exp((fit.cost - guess.unknown) / 16.0).min(1e6) + 1e-9
}
