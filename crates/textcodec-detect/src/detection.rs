//! The types of a result.

use alloc::{string::String, vec::Vec};
use core::fmt;

use textcodec::Encoding;

use crate::{declaration::Declaration, mail, trial::Tally};

/// A detected encoding, with its evidence: the result of a [`Detector`](crate::Detector).
///
/// ```
/// use textcodec::SHIFT_JIS;
/// use textcodec_detect::{Confidence, Evidence, detect};
///
/// let detection = detect(b"<!doctype html><meta charset=shift_jis>\x93\xFA\x96{\x8C\xEA");
/// assert_eq!(detection.encoding, SHIFT_JIS);
/// assert_eq!(detection.confidence, Confidence::High);
/// assert_eq!(detection.evidence, Evidence::Declaration);
/// assert_eq!(detection.reason(), "declared by <meta charset=\"shift_jis\"> at byte 15");
/// assert_eq!(detection.candidates[0].encoding, SHIFT_JIS);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Detection {
    /// The encoding. If the confidence is [`Confidence::None`], it is only a last resort.
    pub encoding: Encoding,
    /// How sure the result is: the level of the [probability](Self::probability).
    pub confidence: Confidence,
    /// How likely it is that the text decodes rightly in the encoding, from 0 to 1. `docs/program.md` says how often answers of each
    /// level are wrong, by kinds of text.
    ///
    /// ```
    /// let detection = textcodec_detect::detect("Füße".as_bytes());
    /// assert!(detection.probability >= 0.98);
    /// ```
    pub probability: f64,
    /// The kind of evidence. [`reason`](Self::reason) is the same in one line, with the details.
    pub evidence: Evidence,
    /// The encoding, followed by other likely ones, the likeliest first. Those without malformed sequences come before all
    /// others.
    pub candidates: Vec<Candidate>,
    /// The declarations that were found, in order of precedence, whether the bytes contradict them or not. After a byte order
    /// mark, none are searched. At the end are those that cannot be followed: their labels are unknown, or mean an encoding that this
    /// build does not have or never decodes, or only browsers do not know them, such as `IBM850` in HTML. Their
    /// [encoding](Declaration::encoding) is `None` or `replacement`: they make another answer uncertain.
    pub declarations: Vec<Declaration>,
    /// The charsets of a mail or mailbox whose parts have several. Then no encoding is right for all of the text: decode each part by
    /// its own header, which [`mail::Scanner`] finds. Empty for all other text. The example of
    /// [`mail::Group`] shows it.
    pub charsets: Vec<mail::Group>,
    /// The language whose letter pairs the text has, in English, such as `French`. `None` if the evidence is not a guess, or if
    /// the letters fit no known language well.
    ///
    /// ```
    /// # #[cfg(feature = "guess")] {
    /// let text = textcodec::WINDOWS_1252.encode("La forêt est calme et l'élève rêve déjà de l'été.").unwrap();
    /// assert_eq!(textcodec_detect::detect(&text).language, Some("French"));
    /// # }
    /// ```
    pub language: Option<&'static str>,
    /// The encoding in which some words of a guessed text seem to be, if that is another one. [`Mixed`](crate::Mixed) decodes text in
    /// both, and says which lines are in which.
    ///
    /// ```
    /// # #[cfg(feature = "guess")] {
    /// use textcodec::{UTF_8, WINDOWS_1252};
    ///
    /// let old = WINDOWS_1252.encode("La forêt est calme et l'élève rêve déjà de l'été.\n").unwrap();
    /// let detection = textcodec_detect::detect(&[&old[..], "La forêt du château\n".as_bytes()].concat());
    /// assert_eq!((detection.encoding, detection.mixed_with), (WINDOWS_1252, Some(UTF_8)));
    /// # }
    /// ```
    pub mixed_with: Option<Encoding>,
    /// The number of bytes that were examined: all, or at most 64 KiB if there is a byte order mark.
    pub bytes: u64,
    pub(crate) reason: String,
}

impl Detection {
    /// Returns the evidence in one line, for people. It is not meant to be parsed, and may change in any release.
    ///
    /// ```
    /// assert_eq!(textcodec_detect::detect(b"\xEF\xBB\xBFabc").reason(), "byte order mark (EF BB BF)");
    /// ```
    #[must_use]
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// Returns the declaration that is the evidence. Returns `None` if the evidence is not [`Evidence::Declaration`].
    ///
    /// ```
    /// use textcodec_detect::{declaration::Form, detect};
    ///
    /// let detection = detect(b"@charset \"gbk\";");
    /// assert_eq!(detection.declaration().map(|declaration| declaration.form()), Some(Form::Css));
    /// assert!(detect(b"plain").declaration().is_none());
    /// ```
    #[must_use]
    pub fn declaration(&self) -> Option<&Declaration> {
        let is_it = |declaration: &&Declaration| declaration.encoding() == Some(self.encoding);
        self.declarations.iter().find(is_it).filter(|_| self.evidence == Evidence::Declaration)
    }
}

/// The confidence in a result: a level of [`Detection::probability`].
///
/// ```
/// use textcodec_detect::{Confidence, detect};
///
/// // A rule for programs that would destroy the text if the answer were wrong.
/// let is_safe = |text: &[u8]| detect(text).confidence >= Confidence::High;
/// assert!(is_safe("Größe der Füße".as_bytes()) && !is_safe(b"F\xFCr"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Confidence {
    /// The input is not text, or is in an unsupported encoding.
    None,
    /// A probability of less than 0.98: a guess from little text or from damaged text, or one with a close second; text in several
    /// encodings; or no guess was made.
    Low,
    /// At least 0.98: a guess from enough text, or strong evidence with some evidence against it.
    Medium,
    /// At least 0.999: a declaration, a structure that rarely occurs by chance, or a guess far ahead of all others.
    High,
    /// A byte order mark, or an empty input.
    Certain,
}

impl Confidence {
    /// Returns the smallest probability of the level.
    ///
    /// ```
    /// assert_eq!(textcodec_detect::Confidence::Medium.least(), 0.98);
    /// ```
    #[must_use]
    pub const fn least(self) -> f64 {
        match self {
            Self::None | Self::Low => 0.0,
            Self::Medium => 0.98,
            Self::High => 0.999,
            Self::Certain => 1.0,
        }
    }

    /// Returns the level of the probability of a guess.
    pub(crate) fn of(probability: f64) -> Self {
        [Self::High, Self::Medium].into_iter().find(|level| probability >= level.least()).unwrap_or(Self::Low)
    }

    /// Returns the name in lower case: `none`, `low`, `medium`, `high` or `certain`.
    ///
    /// ```
    /// assert_eq!(textcodec_detect::Confidence::Medium.name(), "medium");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Certain => "certain",
        }
    }
}

impl fmt::Display for Confidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The kind of evidence for a result.
///
/// ```
/// use textcodec_detect::{Evidence, detect};
///
/// assert_eq!(detect(b"").evidence, Evidence::Empty);
/// assert_eq!(detect(b"\xFE\xFF\0a").evidence, Evidence::Bom);
/// assert_eq!(detect(b"abc").evidence, Evidence::Ascii);
/// assert_eq!(detect("日本語".as_bytes()).evidence, Evidence::Structure);
/// assert_eq!(detect(&[0; 100]).evidence, Evidence::None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Evidence {
    /// There are no bytes. The encoding is UTF-8.
    Empty,
    /// A byte order mark.
    Bom,
    /// A declaration in the text, or [of the transport layer](crate::Hints::transport).
    Declaration,
    /// The structure of UTF-16 without a byte order mark, of ISO-2022-JP, or of non-ASCII characters in UTF-8.
    Structure,
    /// All bytes are ASCII. The encoding is UTF-8.
    Ascii,
    /// A guess from the statistics of text.
    Guess,
    /// None, and nothing was guessed: the feature `guess` or [`DetectOptions::guess`](crate::DetectOptions::guess) is off. The
    /// encoding is [`Hints::fallback`](crate::Hints::fallback).
    Fallback,
    /// The input is not text.
    None,
}

impl Evidence {
    /// Returns the name in lower case: `empty`, `bom`, `declaration`, `structure`, `ascii`, `guess`, `fallback` or `none`.
    ///
    /// ```
    /// assert_eq!(textcodec_detect::Evidence::Bom.name(), "bom");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Bom => "bom",
            Self::Declaration => "declaration",
            Self::Structure => "structure",
            Self::Ascii => "ascii",
            Self::Guess => "guess",
            Self::Fallback => "fallback",
            Self::None => "none",
        }
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The result of decoding the text in one encoding.
///
/// ```
/// use textcodec::{SHIFT_JIS, UTF_8};
/// use textcodec_detect::detect;
///
/// let detection = detect(b"<meta charset=utf-8>\x93\xFA\x96{\x8C\xEA");
/// let utf_8 = detection.candidates.iter().find(|candidate| candidate.encoding == UTF_8).unwrap();
/// assert!(utf_8.malformed > 0 && utf_8.is_complete);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Candidate {
    /// The encoding.
    pub encoding: Encoding,
    /// The number of malformed sequences.
    pub malformed: u64,
    /// The number of non-ASCII characters.
    pub non_ascii: u64,
    /// How many of these rarely occur in text: C1 controls, private use, unassigned code points.
    pub unlikely: u64,
    /// How likely it is that this is the encoding, from 0 to 1. Encodings in which the text is the same share their probability.
    pub probability: f64,
    /// Whether all the bytes were decoded. Otherwise decoding stopped early because another encoding was clearly better, and
    /// the numbers are lower bounds.
    pub is_complete: bool,
}

impl Candidate {
    pub(crate) fn new(encoding: Encoding, tally: &Tally) -> Self {
        Self {
            encoding,
            malformed: tally.malformed,
            non_ascii: tally.beyond_ascii(),
            unlikely: tally.unlikely_beyond_ascii(),
            probability: 0.0,
            is_complete: !tally.abandoned,
        }
    }
}
