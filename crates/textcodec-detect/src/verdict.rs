//! The rules: from what was observed to the result.
//!
//! The evidence, strongest first: a byte order mark; a declaration; UTF-16 by its code units; ISO-2022-JP by its escape
//! sequences; UTF-8 by its structure; a guess. Except after a byte order mark, the text is decoded with each candidate, so
//! a wrong declaration loses to an encoding that fits.

use alloc::{
    borrow::ToOwned,
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};
use core::{cell::OnceCell, fmt::Write as _};

use textcodec::{Encoding, GB18030, GBK, ISO_2022_JP, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE};
use textcodec_language::Language;

use crate::{
    declaration::{Declaration, Form, Known, Unserved},
    detection::{Candidate, Confidence, Detection, Evidence},
    format::{self, Format},
    guess::{Guess, Guesser},
    hidden::Hidden,
    mail,
    trial::{MULTI_BYTE, Tally, Trials},
};

/// Returns the encoding whose decoder decodes this one. gb18030 and GBK have the same decoder.
pub(crate) fn decoder_of(encoding: Encoding) -> Encoding {
    if encoding == GB18030 { GBK } else { encoding }
}

/// With this many well-formed non-ASCII characters in UTF-8, a declaration of a multi-byte encoding is wrong. Text in another
/// encoding rarely has more than two by chance.
const MIN_CONTRADICTING: u64 = 8;

/// The number of distinct pairs of bytes with which a guess contradicts a declaration.
const MIN_LETTERS: usize = 4;

/// How much likelier text must be in another encoding to make well-formed UTF-8 doubtful: a difference of costs.
const RIVAL: f64 = 6.0 * 16.0;

/// With this number of distinct pairs of bytes, well-formed UTF-8 is no coincidence.
const MAX_CHANCE: usize = 16;

/// Detects a byte order mark. The first block is decoded, too, because a binary file can start with the same bytes.
pub(crate) fn detect_bom(start: &[u8], whole: bool) -> Option<Detection> {
    let (encoding, len) = Encoding::for_bom(start)?;
    let mut trials = Trials::new();
    trials.feed(&start[len..]);
    if whole {
        trials.finish();
    }
    let tally = trials.tally(encoding);
    let mut reason = format!("byte order mark ({})", hex(&start[..len]));
    let (mut confidence, mut evidence) = (Confidence::Certain, Evidence::Bom);
    let (units, controls, unlikely) = (tally.units(), tally.controls(), tally.unlikely());
    if let Some(name) = format::utf_32(start) {
        reason = Format::Utf32(name).to_string();
        (confidence, evidence) = (Confidence::None, Evidence::None);
    } else if controls * 10 > units {
        reason =
            format!("does not look like text, in spite of the {reason}: {controls} of {units} characters are controls");
        (confidence, evidence) = (Confidence::None, Evidence::None);
    } else if tally.malformed > 0 {
        let _ = write!(reason, "; but with {}", malformed_sequences(&tally, len as u64));
        confidence = if tally.malformed * 10 > units { Confidence::Low } else { Confidence::Medium };
    }
    // Text in another encoding that starts with the same bytes. In UTF-8, its bytes would be malformed.
    if confidence > Confidence::Low && encoding != UTF_8 && unlikely * 10 > units {
        let _ = write!(reason, "; but {}", rarely_occurring(unlikely));
        confidence = Confidence::Low;
    }
    let probability = probability_of(confidence);
    let candidates = vec![Candidate { probability, ..Candidate::new(encoding, &tally) }];
    let (declarations, bytes) = (Vec::new(), start.len() as u64);
    Some(Detection {
        encoding,
        confidence,
        probability,
        evidence,
        candidates,
        declarations,
        charsets: Vec::new(),
        language: None,
        mixed_with: None,
        bytes,
        reason,
    })
}

/// The observations from which the result follows.
pub(crate) struct Verdict {
    pub(crate) trials: Trials,
    pub(crate) declarations: Vec<Known>,
    /// Those that mean an encoding in which they could not be written.
    pub(crate) impossible: Vec<Declaration>,
    /// Those that cannot be followed.
    pub(crate) unserved: Vec<Unserved>,
    pub(crate) guesser: Option<Guesser>,
    pub(crate) guess: OnceCell<Option<Guess>>,
    /// The encodings of which the guess is one, or none.
    pub(crate) candidates: Vec<Encoding>,
    pub(crate) languages: Vec<Language>,
    /// The top-level domain from which the text comes.
    pub(crate) domain: Option<String>,
    /// What the text looks like, if it is not text.
    pub(crate) format: Option<Format>,
    /// The encoding that ASCII may hide.
    pub(crate) hidden: Option<Hidden>,
    /// The charsets of the parts of a mail, if there are several.
    pub(crate) charsets: Vec<mail::Group>,
    /// The encoding to answer if there is no evidence.
    pub(crate) fallback: Encoding,
    /// Whether this is the whole text, or only its start.
    pub(crate) is_whole: bool,
}

/// The result of a rule.
pub(crate) type Answer = (Encoding, Confidence, Evidence, String);

impl Verdict {
    /// Returns the guess. It is made when it is needed for the first time.
    pub(crate) fn guess(&self) -> Option<&Guess> {
        let guess = || {
            let is_possible = |encoding: Option<Encoding>| {
                encoding.is_none_or(|encoding| encoding == UTF_8 || self.is_plausible(encoding))
            };
            self.guesser
                .as_ref()
                .and_then(|guesser| guesser.finish(is_possible, &self.languages, self.domain.as_deref()))
        };
        self.guess.get_or_init(guess).as_ref()
    }

    /// Returns whether the text was UTF-8 for long, so that the guess does not know its start.
    pub(crate) fn has_skipped(&self) -> bool {
        self.guesser.as_ref().is_some_and(|guesser| guesser.has_skipped)
    }

    pub(crate) fn detection(self) -> Detection {
        let (mut language, mut mixed_with) = (None, None);
        let mut probability = None;
        let (encoding, mut confidence, evidence, mut reason) = self
            .empty()
            .or_else(|| self.known_format())
            .or_else(|| self.declared())
            .or_else(|| self.utf_16())
            .or_else(|| self.not_text())
            .or_else(|| self.iso_2022_jp())
            .or_else(|| self.ascii())
            .or_else(|| self.utf_8())
            .or_else(|| self.damaged())
            .unwrap_or_else(|| {
                let guessed = self.guessed();
                (language, mixed_with) = (guessed.language, guessed.mixed_with);
                probability = Some(guessed.probability);
                guessed.answer
            });
        self.add_contradictions(encoding, &mut reason);
        self.lower_for_unserved(encoding, evidence, &mut confidence, &mut reason);
        if !self.charsets.is_empty() && confidence > Confidence::None {
            // No encoding is right for all of the text.
            (confidence, reason) = (Confidence::Low, mail::reason(&self.charsets));
        }
        if !self.is_whole {
            let _ = write!(reason, "; only the first {} bytes were examined", self.trials.bytes);
        }
        let of_level = probability_of(confidence);
        let is_lowered = |&probability: &f64| Confidence::of(probability) != confidence;
        let probability = probability.filter(|probability| !is_lowered(probability)).unwrap_or(of_level);
        let candidates = self.candidates(encoding, evidence, probability);
        let unserved = self.unserved.into_iter().map(|unserved| unserved.declaration);
        let declarations = self.declarations.into_iter().map(|known| known.declaration).chain(unserved).collect();
        let bytes = self.trials.bytes;
        let charsets = self.charsets;
        Detection {
            encoding,
            confidence,
            probability,
            evidence,
            candidates,
            declarations,
            charsets,
            language,
            mixed_with,
            bytes,
            reason,
        }
    }

    fn empty(&self) -> Option<Answer> {
        let reason = "empty, which is the same in every encoding".to_owned();
        (self.trials.bytes == 0).then_some((UTF_8, Confidence::Certain, Evidence::Empty, reason))
    }

    /// Returns that the text is a file of a known format, such as an image. Most of a PDF document may be text.
    fn known_format(&self) -> Option<Answer> {
        let format = self.format.filter(|format| !matches!(format, Format::Utf32(_)))?;
        Some((self.fallback, Confidence::None, Evidence::None, format.to_string()))
    }

    /// Returns the first declaration that the bytes do not contradict. If it is ambiguous, the confidence is not high.
    fn declared(&self) -> Option<Answer> {
        let declaration = self.declarations.iter().find(|declaration| {
            self.trials.tally(declaration.encoding).malformed == 0
                && match declaration.declaration.form() {
                    Form::WideXml => true,
                    Form::Transport if is_utf_16(declaration.encoding) => self.may_be_utf_16(declaration.encoding),
                    _ => !self.has_controls(100),
                }
                && !self.is_utf_8_instead(declaration.encoding)
        })?;
        let mut reason = format!("declared by {declaration}");
        let mut confidence = Confidence::High;
        let unlikely = self.trials.tally(declaration.encoding).unlikely_beyond_ascii();
        // UTF-8 is exempt: its structure is proof enough, and icon fonts use private characters.
        if unlikely > 0 && declaration.encoding != UTF_8 {
            // For example windows-1250 declared as ISO-8859-2, where some of its letters are controls.
            let _ = write!(reason, "; but {}", rarely_occurring(unlikely));
            confidence = Confidence::Medium;
        }
        let utf_8 = self.trials.tally(UTF_8);
        if declaration.encoding != UTF_8 && utf_8.malformed == 0 && utf_8.beyond_ascii() > 0 {
            // Perhaps a page that was converted, and kept its declaration.
            let _ = write!(reason, "; but it is also valid UTF-8, with {}", characters(utf_8.beyond_ascii()));
            confidence = Confidence::Low;
        }
        if let Some(other) = self.encoding_by_letters(declaration.encoding) {
            let _ = write!(reason, "; but its letters fit {other}");
            confidence = Confidence::Low;
        }
        let fits = |other: Encoding| other != declaration.encoding && self.trials.tally(other).malformed == 0;
        if self.declarations.iter().any(|other| fits(other.encoding)) {
            confidence = confidence.min(Confidence::Medium); // `add_contradictions` adds the reason.
        }
        Some((declaration.encoding, confidence, Evidence::Declaration, reason))
    }

    /// Returns whether the text is UTF-8 in spite of the declaration.
    ///
    /// A single-byte encoding never contradicts its declaration if all its bytes are mapped, and pages whose text was converted
    /// to UTF-8 often keep the declaration of the original. So one character in UTF-8 is enough.
    fn is_utf_8_instead(&self, declared: Encoding) -> bool {
        let utf_8 = self.trials.tally(UTF_8);
        let enough = if is_multi_byte(declared) { MIN_CONTRADICTING } else { 1 };
        declared != UTF_8 && utf_8.malformed == 0 && utf_8.beyond_ascii() >= enough
    }

    /// Returns the encoding that a guess finds instead of the declared one, if all bytes fit both. Perhaps the text was
    /// converted, and kept its declaration.
    fn encoding_by_letters(&self, declared: Encoding) -> Option<Encoding> {
        if !declared.is_single_byte() || self.trials.is_ascii() {
            return None;
        }
        // A character or two may be anything.
        self.guess().filter(|guess| guess.distinct > MIN_LETTERS)?;
        let (encoding, confidence, ..) = self.guessed().answer;
        let is_other = confidence >= Confidence::Medium && !self.trials.is_same_text(declared, encoding);
        is_other.then_some(encoding)
    }

    /// Detects UTF-16 without a byte order mark.
    ///
    /// Its text contains control bytes, because every ASCII character has a zero byte. Decoded as UTF-16, it contains few
    /// invisible or unassigned characters, of which binary data has many.
    fn utf_16(&self) -> Option<Answer> {
        if self.trials.controls() == 0 || self.trials.is_ascii_in_pairs() {
            return None;
        }
        let support = |tally: &Tally| tally.ascii() + tally.spaces_and_punctuation();
        let against = |tally: &Tally| 4 * tally.unlikely() + 2 * tally.rare() + 8 * tally.malformed;
        let fitting = [UTF_16LE, UTF_16BE].map(|encoding| (encoding, self.trials.tally(encoding)));
        let (encoding, tally) = fitting
            .into_iter()
            .filter(|(_, tally)| {
                let units = tally.units();
                !tally.abandoned
                    && tally.malformed * 200 <= units.max(200)
                    && tally.unlikely() * 50 <= units
                    && support(tally) * 50 >= units
                    && units > 0
            })
            .max_by_key(|(_, tally)| support(tally).cast_signed() - against(tally).cast_signed())?;
        let units = tally.units();
        let confidence = if units < 8 {
            Confidence::Low
        } else if tally.malformed + tally.unlikely() > 0 || tally.rare() * 20 > units {
            Confidence::Medium
        } else {
            Confidence::High
        };
        let code_units = counted(units, "code unit", "code units");
        let mut reason = format!("{code_units} of UTF-16 without a byte order mark");
        match (tally.malformed, tally.unlikely()) {
            (0, 0) => reason += ", all plausible",
            (0, unlikely) => {
                let _ = write!(reason, ", all plausible except {unlikely}");
            }
            _ => {
                let _ = write!(reason, "; but with {}", malformed_sequences(&tally, 0));
            }
        }
        Some((encoding, confidence, Evidence::Structure, reason))
    }

    /// Returns whether the text can be UTF-16, as the transport layer says. Most bytes are well-formed in UTF-16.
    fn may_be_utf_16(&self, encoding: Encoding) -> bool {
        if self.trials.is_plain() || self.trials.is_ascii_in_pairs() {
            return false;
        }
        if let Some((by_structure, ..)) = self.utf_16() {
            return by_structure == encoding;
        }
        let tally = self.trials.tally(encoding);
        !tally.abandoned && tally.unlikely() == 0 && tally.rare() * 20 <= tally.units()
    }

    /// Returns whether more than one in `one_in` bytes is a control character that text does not have.
    fn has_controls(&self, one_in: u64) -> bool {
        self.trials.controls() * one_in > self.trials.bytes
    }

    fn not_text(&self) -> Option<Answer> {
        // ASCII and UTF-8 may have more controls: lists of file names can be separated by zero bytes.
        let is_utf_8 = self.trials.tally(UTF_8).malformed == 0;
        let has_zeros = !is_utf_8 && self.trials.byte_count([0]) > 0;
        let has_shifts = self.hidden == Some(Hidden::Iso2022Kr);
        if !has_zeros && (has_shifts || !self.has_controls(if is_utf_8 { 10 } else { 100 })) {
            return None;
        }
        let (controls, bytes) = (self.trials.controls(), self.trials.bytes);
        let bytes = counted(bytes, "byte", "bytes");
        let are = if controls == 1 { "is a control character" } else { "are control characters" };
        let mut reason = format!("does not look like text: {controls} of {bytes} {are}");
        if let Some(format) = self.format {
            reason = format.to_string();
        } else if !is_utf_8 {
            let _ = write!(reason, "; as UTF-8, it has {}", malformed_sequences(&self.trials.tally(UTF_8), 0));
        }
        let fallback = if is_utf_8 { UTF_8 } else { self.fallback };
        Some((fallback, Confidence::None, Evidence::None, reason))
    }

    /// Detects ISO-2022-JP: only ASCII bytes, with escape sequences.
    fn iso_2022_jp(&self) -> Option<Answer> {
        let tally = self.trials.tally(ISO_2022_JP);
        let beyond = tally.beyond_ascii();
        if !self.trials.is_ascii() || beyond == 0 || tally.malformed * 10 > beyond {
            return None;
        }
        let mut reason = format!("escape sequences of ISO-2022-JP, with {}", characters(beyond));
        let mut confidence = Confidence::High;
        if tally.malformed > 0 {
            let _ = write!(reason, "; but with {}", malformed_sequences(&tally, 0));
            confidence = Confidence::Medium;
        }
        Some((ISO_2022_JP, confidence, Evidence::Structure, reason))
    }

    /// Detects ASCII, and the encodings that write other characters in ASCII.
    fn ascii(&self) -> Option<Answer> {
        if !self.trials.is_ascii() {
            return None;
        }
        let Some(hidden) = self.hidden else {
            let mut reason = "all bytes are ASCII, which is the same in UTF-8 and most other encodings".to_owned();
            let confidence = self.lower_for_controls(Confidence::High, &mut reason);
            return Some((UTF_8, confidence, Evidence::Ascii, reason));
        };
        let reason = format!("all bytes are ASCII, but {hidden}");
        match hidden.encoding() {
            Some(encoding) => Some((encoding, hidden.confidence(), Evidence::Structure, reason)),
            None => Some((UTF_8, Confidence::Low, Evidence::Ascii, reason)),
        }
    }

    fn utf_8(&self) -> Option<Answer> {
        let tally = self.trials.tally(UTF_8);
        if tally.malformed > 0 {
            return None;
        }
        let beyond = tally.beyond_ascii();
        let mut reason = format!("valid UTF-8, with {}", characters(beyond));
        let is_contradicted = self.declarations.iter().any(|declaration| declaration.encoding != UTF_8);
        let mut confidence = if beyond < 3 || is_contradicted { Confidence::Medium } else { Confidence::High };
        if let Some((rival, lead)) = self.rival_of_utf_8() {
            confidence = confidence.min(Confidence::Medium);
            if lead > RIVAL {
                let _ = write!(reason, "; but {rival} is likelier");
                confidence = Confidence::Low;
            }
        }
        let confidence = self.lower_for_controls(confidence, &mut reason);
        Some((UTF_8, confidence, Evidence::Structure, reason))
    }

    /// Returns the guess if it knows all of the text.
    fn guess_of_all(&self) -> Option<&Guess> {
        if self.has_skipped() { None } else { self.guess() }
    }

    /// Returns the encoding in which the text is almost as likely as in UTF-8, although it is well-formed, and how much likelier it is: a
    /// difference of costs. Two or three bytes are well-formed by chance, and a word can occur in many lines.
    fn rival_of_utf_8(&self) -> Option<(&'static str, f64)> {
        let guess = self.guess_of_all().filter(|guess| guess.distinct < MAX_CHANCE)?;
        let utf_8 = guess.fits.iter().find(|fit| fit.encoding == Some(UTF_8))?;
        let rival = guess.fits.iter().find(|fit| fit.encoding != Some(UTF_8))?;
        let lead = utf_8.cost - rival.cost;
        (lead > -RIVAL / 2.0).then_some((rival.name, lead))
    }

    pub(crate) fn lower_for_controls(&self, confidence: Confidence, reason: &mut String) -> Confidence {
        let controls = self.trials.controls();
        if controls == 0 {
            return confidence;
        }
        let (one, many) = ("control character, which is rare in text", "control characters, which are rare in text");
        let _ = write!(reason, "; but with {}", counted(controls, one, many));
        confidence.min(Confidence::Medium)
    }

    /// Returns a declared encoding, or UTF-8, in spite of a few malformed sequences. A guess would often be an encoding in
    /// which no byte is malformed, but such an encoding fits any input.
    fn damaged(&self) -> Option<Answer> {
        let is_possible = |known: &&Known| known.declaration.form() != Form::Transport || !is_utf_16(known.encoding);
        let declared = self.declarations.iter().filter(is_possible).map(|known| (known.encoding, Some(known)));
        declared.chain([(UTF_8, None)]).find_map(|(encoding, declaration)| {
            let tally = self.trials.tally(encoding);
            let beyond = tally.beyond_ascii();
            if !is_multi_byte(encoding) || beyond < MIN_CONTRADICTING || tally.malformed * 10 > beyond {
                return None;
            }
            let what = declaration
                .map_or_else(|| format!("UTF-8, with {}", characters(beyond)), |d| format!("declared by {d}"));
            let reason = format!("{what}; but with {}", malformed_sequences(&tally, 0));
            let evidence = if declaration.is_some() { Evidence::Declaration } else { Evidence::Structure };
            let is_likeliest = |guess: &Guess| {
                let best = guess.fits.first().and_then(|fit| fit.encoding);
                best == Some(UTF_8) && guess.mixture().is_none()
            };
            let is_long = self.has_skipped() || tally.malformed * 1000 < beyond;
            if declaration.is_none() && !is_long && self.guess().is_some_and(|guess| !is_likeliest(guess)) {
                return None;
            }
            Some((encoding, Confidence::Medium, evidence, reason))
        })
    }

    /// Adds the rejected declarations to the reason.
    fn add_contradictions(&self, answer: Encoding, reason: &mut String) {
        let mut seen = Vec::new();
        for declaration in self.declarations.iter().filter(|declaration| declaration.encoding != answer) {
            // Each property of a vCard has its own.
            let (form, label) = (declaration.declaration.form(), declaration.declaration.label());
            if seen.contains(&(form, label)) {
                continue;
            }
            seen.push((form, label));
            let tally = self.trials.tally(declaration.encoding);
            let _ = write!(reason, "; but declared as {} by {declaration}", declaration.encoding);
            if tally.malformed > 0 {
                let _ = write!(reason, ", with {}", malformed_sequences(&tally, 0));
            }
        }
        for declaration in &self.impossible {
            let _ = write!(reason, "; there is {declaration}");
        }
    }

    /// Lowers the confidence if a declaration cannot be followed, unless the text is the same in the encoding that it may mean.
    ///
    /// A guess is low then: it may know nothing of that encoding. Text with many characters in UTF-8 is hardly anything else, and
    /// ASCII is the same in most encodings, but not in those that browsers never decode.
    fn lower_for_unserved(
        &self,
        answer: Encoding,
        evidence: Evidence,
        confidence: &mut Confidence,
        reason: &mut String,
    ) {
        let tally = self.trials.tally(answer);
        let highest = match evidence {
            Evidence::Declaration => Confidence::Medium,
            Evidence::Structure if tally.malformed == 0 && tally.beyond_ascii() >= MIN_CONTRADICTING => {
                Confidence::Medium
            }
            Evidence::Structure | Evidence::Guess | Evidence::Fallback => Confidence::Low,
            Evidence::Ascii => Confidence::Medium,
            Evidence::Empty | Evidence::Bom | Evidence::None => return,
        };
        let mut seen = Vec::new();
        for unserved in &self.unserved {
            let Unserved { declaration, may_be } = unserved;
            let is_never_decoded = declaration.encoding() == Some(REPLACEMENT);
            let is_ascii = self.trials.is_ascii() && evidence != Evidence::Structure && may_be.is_some();
            if is_ascii
                || declaration.is_right_for(answer)
                || may_be.is_some_and(|may_be| self.trials.is_same_text(answer, may_be))
            {
                continue;
            }
            *confidence = if is_never_decoded && evidence == Evidence::Ascii { Confidence::Low } else { highest }
                .min(*confidence);
            if !seen.contains(&declaration.label()) {
                seen.push(declaration.label());
                let _ = write!(reason, "; but {unserved}");
            }
        }
    }

    fn candidates(&self, answer: Encoding, evidence: Evidence, probability: f64) -> Vec<Candidate> {
        let declared = self.declarations.iter().map(|declaration| declaration.encoding);
        let is_guess = matches!(evidence, Evidence::Guess | Evidence::Fallback | Evidence::Declaration);
        let guess = self.guess.get().and_then(Option::as_ref).filter(|_| is_guess);
        let ranked = guess.and_then(|guess| self.choice(guess)).map(|choice| choice.ranked).unwrap_or_default();
        let guessed = ranked.iter().map(|&(encoding, _)| encoding).take(8).chain([self.fallback]);
        let mut likely: Vec<Encoding> = vec![];
        let started = !self.trials.is_plain();
        let fitting = MULTI_BYTE.into_iter().filter(|&encoding| {
            let tally = self.trials.tally(encoding);
            tally.malformed == 0 && tally.beyond_ascii() > 0 && tally.unlikely() * 50 <= tally.units()
        });
        likely.push(answer);
        likely.extend(declared);
        if started {
            likely.push(UTF_8);
            if is_guess {
                likely.extend(guessed);
            }
            likely.extend(fitting);
        }
        let mut candidates: Vec<Candidate> = Vec::new();
        for encoding in likely {
            if candidates.iter().all(|candidate| candidate.encoding != encoding) {
                let of_guess = ranked.iter().find(|(ranked, _)| *ranked == encoding).map_or(0.0, |&(_, of)| of);
                let probability = if encoding == answer { probability } else { of_guess };
                candidates.push(Candidate { probability, ..Candidate::new(encoding, &self.trials.tally(encoding)) });
            }
        }
        candidates[1..].sort_by(|a, b| {
            let likeliest = || b.probability.total_cmp(&a.probability);
            (a.malformed > 0).cmp(&(b.malformed > 0)).then_with(likeliest)
        });
        candidates
    }
}

/// The probability of an answer that follows from a rule. Those of guesses are computed.
fn probability_of(confidence: Confidence) -> f64 {
    if confidence == Confidence::Low { 0.5 } else { confidence.least() }
}

fn is_utf_16(encoding: Encoding) -> bool {
    matches!(encoding, UTF_16LE | UTF_16BE)
}

/// Returns whether the encoding has multi-byte sequences, whose structure rarely occurs by chance.
pub(crate) fn is_multi_byte(encoding: Encoding) -> bool {
    MULTI_BYTE.contains(&decoder_of(encoding))
}

pub(crate) fn rarely_occurring(count: u64) -> String {
    counted(count, "character rarely occurs in text", "characters rarely occur in text")
}

pub(crate) fn characters(beyond_ascii: u64) -> String {
    counted(beyond_ascii, "non-ASCII character", "non-ASCII characters")
}

/// Formats counts as `9 malformed sequences, the first at byte 159`.
pub(crate) fn malformed_sequences(tally: &Tally, offset: u64) -> String {
    let mut text = match tally.malformed {
        n if tally.abandoned => format!("more than {} malformed sequences", n - 1),
        n => counted(n, "malformed sequence", "malformed sequences"),
    };
    if let Some(first) = tally.first_malformed {
        let the_first = if tally.malformed == 1 { "" } else { "the first " };
        let _ = write!(text, ", {the_first}at byte {}", first + offset);
    }
    text
}

/// Formats a number with its noun.
fn counted(count: u64, one: &str, many: &str) -> String {
    let noun = if count == 1 { one } else { many };
    format!("{count} {noun}")
}

/// Formats bytes as `82 A0`.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(" ")
}
