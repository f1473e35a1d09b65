//! `textcodec detect`, and `--from auto`: which encoding a text is in, and why.
//!
//! Evidence, the strongest first: a byte order mark; what the text declares; UTF-16 by its code units; ISO-2022-JP by its
//! escape sequences; UTF-8 by its structure; a guess. Whatever it is but a byte order mark, the text is decoded with it
//! before it is an answer, so a declaration that is wrong does not win over an encoding that fits.
//!
//! This file is long because it holds the types of an answer and the one chain of reasons that leads to it.

mod command;
mod declared;
#[cfg(feature = "detect")]
mod guess;
#[cfg(not(feature = "detect"))]
#[path = "no_guess.rs"]
mod guess;
#[cfg(test)]
mod tests;
mod trial;

use std::{
    fmt::Write as _,
    io::{self, Read},
};

use serde::Serialize;
use textcodec::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, ISO_2022_JP, ISO_8859_15, MACINTOSH, SHIFT_JIS, UTF_8, UTF_16BE,
    UTF_16LE, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1254, X_MAC_CYRILLIC,
};

use crate::characters::hex;
use declared::{Declaration, Form, declarations};
use guess::{Guess, Guesser};
use trial::{MULTI_BYTE, SAMPLE, Tally, Trials};

pub(crate) use command::{Arguments, run};

/// How much of the text there is to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// All of it.
    Whole,
    /// Only its beginning: more follows that cannot be seen, as in a pipe.
    Beginning,
}

/// An answer, with what speaks for it.
#[derive(Clone, Debug)]
pub(crate) struct Detection {
    /// Where the confidence is [`Confidence::None`], only the least bad.
    pub(crate) encoding: Encoding,
    pub(crate) confidence: Confidence,
    pub(crate) evidence: Evidence,
    /// Why, in one line.
    reason: String,
    /// The answer, then what else was likely: first what decodes without malformed sequences.
    pub(crate) candidates: Vec<Candidate>,
    /// How much was looked at.
    pub(crate) bytes: u64,
}

impl Detection {
    /// Why this is the answer, in one line, such as `declared by <meta charset="shift_jis"> at byte 113`.
    pub(crate) fn why(&self) -> &str {
        &self.reason
    }
}

/// How sure an answer is. There are no percentages, because nothing here could tell 80 from 90.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Confidence {
    /// It is not a text, or in no encoding that this program has.
    None,
    /// Little text to guess from, or text that is damaged.
    Low,
    /// A guess from enough text, or strong evidence with something against it.
    Medium,
    /// What the text declares, or a structure that is hardly ever there by chance.
    High,
    /// A byte order mark; or an empty text.
    Certain,
}

/// What an answer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Evidence {
    Empty,
    Bom,
    Declaration,
    /// UTF-16 without a byte order mark, or ISO-2022-JP, or UTF-8 with other characters than ASCII.
    Structure,
    Ascii,
    Guess,
    /// It is no text.
    None,
}

/// An encoding that the text was decoded with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) encoding: Encoding,
    pub(crate) malformed: u64,
    /// There may be more malformed sequences: after so many, the rest was not decoded any more.
    pub(crate) abandoned: bool,
    /// Well-formed characters beyond ASCII.
    pub(crate) beyond_ascii: u64,
    /// Of those, the ones that text hardly has: C1 controls, private use, code points that stand for nothing.
    pub(crate) unlikely: u64,
}

/// Detects the encoding of a text, which is read to its end, once and in constant memory; where it has a byte order mark,
/// not further than that needs.
///
/// # Errors
/// Those of reading it.
pub(crate) fn detect(text: &mut dyn Read, extent: Extent) -> io::Result<Detection> {
    let mut block = vec![0; BLOCK];
    let mut len = fill(text, &mut block)?;
    if let Some(detection) = detect_bom(&block[..len], extent == Extent::Whole && len < BLOCK) {
        return Ok(detection);
    }
    let declarations = declarations(&block[..len]);
    let is_declared = |encoding| declarations.iter().any(|declaration| decoder_of(declaration.encoding) == encoding);
    let utf_32 = looks_like_utf_32(&block[..len]);
    let mut trials = Trials::new();
    let mut guesser = Guesser::new();
    while len > 0 {
        trials.feed(&block[..len]);
        if !trials.is_plain() {
            let utf_8 = trials.tally(UTF_8);
            let is_utf_8 = utf_8.malformed == 0 && utf_8.beyond_ascii() >= MIN_UTF_8;
            if !is_utf_8 {
                guesser.feed(&block[..len]);
            }
            if trials.decoded >= SAMPLE {
                trials.retain(|encoding| match encoding {
                    UTF_8 => true,
                    UTF_16LE | UTF_16BE | ISO_2022_JP => !is_utf_8,
                    _ => !is_utf_8 && guesser.is_candidate(encoding) || is_declared(encoding),
                });
            }
        }
        len = fill(text, &mut block)?;
    }
    if extent == Extent::Whole {
        trials.finish();
    }
    let guess = guesser.finish(extent == Extent::Whole);
    Ok(Verdict { trials, declarations, guess, utf_32, extent }.detection())
}

/// gb18030 and GBK are decoded alike.
fn decoder_of(encoding: Encoding) -> Encoding {
    if encoding == GB18030 { GBK } else { encoding }
}

/// Bytes per block: the first has all that is looked for at the beginning, and is an even number, so that a code unit of
/// UTF-16 is not cut.
const BLOCK: usize = 64 * 1024;

/// So many characters beyond ASCII are not UTF-8 by chance.
const MIN_UTF_8: u64 = 64;

/// Likewise where a declaration says something else. Text in another encoding has none of them, or one or two.
const MIN_CONTRADICTING: u64 = 8;

/// Fills a block, unless the text ends before.
fn fill(text: &mut dyn Read, block: &mut [u8]) -> io::Result<usize> {
    let mut len = 0;
    while len < block.len() {
        match text.read(&mut block[len..]) {
            Ok(0) => break,
            Ok(more) => len += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(len)
}

/// A byte order mark decides. The first block is decoded all the same: other files may begin with these bytes.
fn detect_bom(start: &[u8], whole: bool) -> Option<Detection> {
    let (encoding, len) = Encoding::for_bom(start)?;
    let mut trials = Trials::new();
    trials.feed(&start[len..]);
    if whole {
        trials.finish();
    }
    let tally = trials.tally(encoding);
    let mut reason = format!("byte order mark ({})", hex(&start[..len]));
    let mut confidence = Confidence::Certain;
    if start.starts_with(b"\xFF\xFE\0\0") {
        reason += "; but this may be the mark of UTF-32LE, which is no encoding of the standard";
        confidence = Confidence::Low;
    } else if tally.malformed > 0 {
        let _ = write!(reason, "; but there are malformed sequences: {}", malformed(&tally, len as u64));
        confidence = if tally.malformed * 10 > tally.units() { Confidence::Low } else { Confidence::High };
    }
    let candidates = vec![Candidate::new(encoding, &tally)];
    Some(Detection { encoding, confidence, evidence: Evidence::Bom, reason, candidates, bytes: start.len() as u64 })
}

/// UTF-32, which the standard does not have, for a message.
fn looks_like_utf_32(start: &[u8]) -> Option<&'static str> {
    let (units, _) = start.as_chunks::<4>();
    let is_text = |read: fn([u8; 4]) -> u32| {
        units.len() > 1 && units.iter().take(256).all(|&unit| matches!(read(unit), 1..=0x10_FFFF))
    };
    if is_text(u32::from_le_bytes) {
        Some("UTF-32LE")
    } else if start.starts_with(b"\0\0\xFE\xFF") || is_text(u32::from_be_bytes) {
        Some("UTF-32BE")
    } else {
        None
    }
}

/// All that was found out.
struct Verdict {
    trials: Trials,
    declarations: Vec<Declaration>,
    guess: Guess,
    utf_32: Option<&'static str>,
    extent: Extent,
}

/// An answer before it is put together.
type Answer = (Encoding, Confidence, Evidence, String);

impl Verdict {
    fn detection(self) -> Detection {
        let (encoding, confidence, evidence, mut reason) = self
            .empty()
            .or_else(|| self.declared())
            .or_else(|| self.utf_16())
            .or_else(|| self.not_text())
            .or_else(|| self.iso_2022_jp())
            .or_else(|| self.ascii())
            .or_else(|| self.utf_8())
            .or_else(|| self.damaged())
            .unwrap_or_else(|| self.guessed());
        self.add_contradictions(encoding, &mut reason);
        if self.extent == Extent::Beginning {
            let _ = write!(reason, "; only the first {} bytes were looked at", self.trials.bytes);
        }
        let candidates = self.candidates(encoding, evidence);
        Detection { encoding, confidence, evidence, reason, candidates, bytes: self.trials.bytes }
    }

    fn empty(&self) -> Option<Answer> {
        let reason = "empty: the same in every encoding".to_owned();
        (self.trials.bytes == 0).then_some((UTF_8, Confidence::Certain, Evidence::Empty, reason))
    }

    /// The first declaration that the bytes do not contradict.
    fn declared(&self) -> Option<Answer> {
        let declaration = self.declarations.iter().find(|declaration| {
            self.trials.tally(declaration.encoding).malformed == 0
                && (declaration.form == Form::WideXml || !self.has_controls(100))
                && !self.is_utf_8_instead(declaration.encoding)
        })?;
        let mut reason = format!("declared by {declaration}");
        let mut confidence = Confidence::High;
        let unlikely = self.trials.tally(declaration.encoding).unlikely_beyond_ascii();
        // Fonts of icons have private characters in UTF-8, whose structure is proof enough.
        if unlikely > 0 && declaration.encoding != UTF_8 {
            // Such as ISO-8859-2 that is windows-1250, whose letters are controls there.
            let _ = write!(reason, "; but {} hardly ever in text", are(unlikely));
            confidence = Confidence::Medium;
        }
        Some((declaration.encoding, confidence, Evidence::Declaration, reason))
    }

    /// Whether this is UTF-8 beyond doubt, although something else is declared. Encodings with a character for each byte
    /// would never complain.
    fn is_utf_8_instead(&self, declared: Encoding) -> bool {
        let utf_8 = self.trials.tally(UTF_8);
        declared != UTF_8 && utf_8.malformed == 0 && utf_8.beyond_ascii() >= MIN_CONTRADICTING
    }

    /// UTF-16 of either byte order without a mark. Its text has bytes that other text does not have (all ASCII characters
    /// have a zero), but little that does not show; binary data have much of it.
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
        let confidence = if tally.malformed + tally.unlikely() > 0 || tally.rare() * 20 > units {
            Confidence::Medium
        } else if units < 8 {
            Confidence::Low
        } else {
            Confidence::High
        };
        let mut reason = format!("{units} code units of UTF-16 without a byte order mark");
        match (tally.malformed, tally.unlikely()) {
            (0, 0) => reason += ", all of them plausible",
            (0, unlikely) => {
                let _ = write!(reason, ", all but {unlikely} of them plausible");
            }
            _ => {
                let _ = write!(reason, ", with malformed sequences: {}", malformed(&tally, 0));
            }
        }
        Some((encoding, confidence, Evidence::Structure, reason))
    }

    /// Whether more than one in so many bytes is a control character that text does not have.
    fn has_controls(&self, one_in: u64) -> bool {
        self.trials.controls() * one_in > self.trials.bytes
    }

    fn not_text(&self) -> Option<Answer> {
        // What is ASCII or UTF-8 is text more surely: lists of file names may be separated by zeros.
        let is_utf_8 = self.trials.tally(UTF_8).malformed == 0;
        if !self.has_controls(if is_utf_8 { 10 } else { 100 }) {
            return None;
        }
        let (controls, bytes) = (self.trials.controls(), self.trials.bytes);
        let mut reason = format!("does not look like text: control characters are {controls} of {bytes} bytes");
        if let Some(utf_32) = self.utf_32 {
            reason = format!("looks like {utf_32}, which is no encoding of the standard");
        } else if !is_utf_8 {
            let _ = write!(reason, "; malformed as UTF-8: {}", malformed(&self.trials.tally(UTF_8), 0));
        }
        let least_bad = if is_utf_8 { UTF_8 } else { WINDOWS_1252 };
        Some((least_bad, Confidence::None, Evidence::None, reason))
    }

    /// ASCII bytes that escape sequences give another meaning.
    fn iso_2022_jp(&self) -> Option<Answer> {
        let tally = self.trials.tally(ISO_2022_JP);
        let beyond = tally.beyond_ascii();
        if !self.trials.is_ascii() || beyond == 0 || tally.malformed * 10 > beyond {
            return None;
        }
        let mut reason = format!("escape sequences of ISO-2022-JP, with {}", characters(beyond));
        let mut confidence = Confidence::High;
        if tally.malformed > 0 {
            let _ = write!(reason, "; but there are malformed sequences: {}", malformed(&tally, 0));
            confidence = Confidence::Medium;
        }
        Some((ISO_2022_JP, confidence, Evidence::Structure, reason))
    }

    fn ascii(&self) -> Option<Answer> {
        let mut reason = "all bytes are ASCII, which is the same in UTF-8 and most other encodings".to_owned();
        let confidence = self.lower_for_controls(Confidence::High, &mut reason);
        self.trials.is_ascii().then_some((UTF_8, confidence, Evidence::Ascii, reason))
    }

    fn utf_8(&self) -> Option<Answer> {
        let tally = self.trials.tally(UTF_8);
        if tally.malformed > 0 {
            return None;
        }
        let beyond = tally.beyond_ascii();
        let mut reason = format!("valid UTF-8, with {}", characters(beyond));
        let confidence = if beyond < 3 { Confidence::Medium } else { Confidence::High };
        let confidence = self.lower_for_controls(confidence, &mut reason);
        Some((UTF_8, confidence, Evidence::Structure, reason))
    }

    fn lower_for_controls(&self, confidence: Confidence, reason: &mut String) -> Confidence {
        let controls = self.trials.controls();
        if controls == 0 {
            return confidence;
        }
        let _ = write!(reason, "; but there are control characters that text hardly has: {controls}");
        confidence.min(Confidence::Medium)
    }

    /// What is declared, or UTF-8, in spite of some malformed sequences: encodings in which no byte is malformed fit
    /// everything, so that they fit says nothing.
    fn damaged(&self) -> Option<Answer> {
        let declared = self.declarations.iter().map(|declaration| (declaration.encoding, Some(declaration)));
        declared.chain([(UTF_8, None)]).find_map(|(encoding, declaration)| {
            let tally = self.trials.tally(encoding);
            let beyond = tally.beyond_ascii();
            if !is_multi_byte(encoding) || beyond < MIN_CONTRADICTING || tally.malformed * 10 > beyond {
                return None;
            }
            let what = declaration
                .map_or_else(|| format!("UTF-8, with {}", characters(beyond)), |d| format!("declared by {d}"));
            let reason = format!("{what}; but there are malformed sequences: {}", malformed(&tally, 0));
            let evidence = if declaration.is_some() { Evidence::Declaration } else { Evidence::Structure };
            Some((encoding, Confidence::Medium, evidence, reason))
        })
    }

    fn guessed(&self) -> Answer {
        let Guess { encoding: guess, votes } = &self.guess;
        let sections: u32 = votes.iter().map(|&(_, count)| count).sum();
        let is_plausible = |encoding: Encoding| {
            let tally = self.trials.tally(encoding);
            let tolerated = if is_multi_byte(encoding) { tally.beyond_ascii() / 100 } else { 0 };
            tally.malformed <= tolerated && !tally.abandoned
        };
        let encoding_of = |&(encoding, _): &(Encoding, u32)| encoding;
        // A malformed sequence makes text of several bytes a character look like something that it is nowhere else.
        let mostly = votes.iter().take(1).filter(|(_, count)| sections >= 3 && count * 5 >= sections * 3);
        let damaged = mostly.map(encoding_of).filter_map(|encoding| match encoding {
            // The Macintosh's has some capitals where Windows has nothing.
            WINDOWS_1251 if !is_plausible(WINDOWS_1251) => Some(X_MAC_CYRILLIC),
            _ => (guess.is_single_byte() && is_multi_byte(encoding)).then_some(encoding),
        });
        let mut likely = damaged.chain([*guess]).chain(votes.iter().map(encoding_of));
        let mut encoding = likely.find(|&encoding| is_plausible(encoding)).unwrap_or(WINDOWS_1252);
        if encoding == GBK && self.trials.is_beyond_gbk() {
            encoding = GB18030;
        }

        // chardetng does not know these; what it takes their text for has capitals and symbols within words then.
        let others: &[Encoding] = match encoding {
            WINDOWS_1252 => &[ISO_8859_15, MACINTOSH],
            WINDOWS_1250 | WINDOWS_1254 => &[MACINTOSH],
            WINDOWS_1251 => &[X_MAC_CYRILLIC],
            _ => &[],
        };
        let mut odd = if others.is_empty() { 0 } else { self.trials.odd_within_words(encoding) };
        for &other in others {
            let odd_there = self.trials.odd_within_words(other);
            if odd_there * 4 < odd {
                (encoding, odd) = (other, odd_there);
            }
        }

        let tally = self.trials.tally(encoding);
        let beyond = tally.beyond_ascii();
        let mut reason = format!("{} {}", guess::REASON_PREFIX, characters(beyond));
        // Of those that are guessed by their structure.
        let is_only_one = || {
            let decoder = decoder_of(encoding);
            let fits = |other: Encoding| other == decoder || self.trials.tally(other).malformed == 0;
            let group = [SHIFT_JIS, EUC_JP, EUC_KR, BIG5, GBK];
            group.contains(&decoder) && group.into_iter().filter(|&other| fits(other)).count() == 1
        };
        let utf_8 = self.trials.tally(UTF_8);
        let is_mixed = encoding.is_single_byte() && utf_8.beyond_ascii() * 3 > utf_8.malformed;
        let confidence = if tally.malformed > 0 {
            let _ = write!(reason, "; but there are malformed sequences: {}", malformed(&tally, 0));
            Confidence::Low
        } else if odd > 0 {
            let _ = write!(reason, "; but {} odd within words", are(odd));
            Confidence::Low
        } else if tally.unlikely_beyond_ascii() * 100 > beyond {
            let _ = write!(reason, "; but {} hardly ever in text", are(tally.unlikely_beyond_ascii()));
            Confidence::Low
        } else if is_mixed {
            let _ =
                write!(reason, "; but some are valid UTF-8, which has malformed sequences: {}", malformed(&utf_8, 0));
            Confidence::Low
        } else if !guess::AVAILABLE || beyond < 16 {
            Confidence::Low
        } else if beyond >= 32 && is_only_one() {
            reason += "; no other encoding of several bytes has them all";
            Confidence::High
        } else {
            Confidence::Medium
        };
        let confidence = self.lower_for_controls(confidence, &mut reason);
        (encoding, confidence, Evidence::Guess, reason)
    }

    /// Why a declaration is not the answer.
    fn add_contradictions(&self, answer: Encoding, reason: &mut String) {
        for declaration in self.declarations.iter().filter(|declaration| declaration.encoding != answer) {
            let tally = self.trials.tally(declaration.encoding);
            let _ = write!(reason, "; although declared {} by {declaration}", declaration.encoding);
            if tally.malformed > 0 {
                let _ = write!(reason, ", where malformed sequences are {}", malformed(&tally, 0));
            }
        }
    }

    fn candidates(&self, answer: Encoding, evidence: Evidence) -> Vec<Candidate> {
        let declared = self.declarations.iter().map(|declaration| declaration.encoding);
        let voted = self.guess.votes.iter().map(|&(encoding, _)| encoding).take(5);
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
            if evidence == Evidence::Guess || evidence == Evidence::Declaration {
                likely.push(self.guess.encoding);
                likely.extend(voted);
            }
            likely.extend(fitting);
        }
        let mut candidates: Vec<Candidate> = Vec::new();
        for encoding in likely {
            if candidates.iter().all(|candidate| candidate.encoding != encoding) {
                candidates.push(Candidate::new(encoding, &self.trials.tally(encoding)));
            }
        }
        candidates[1..].sort_by_key(|candidate| candidate.malformed > 0);
        candidates
    }
}

impl Candidate {
    fn new(encoding: Encoding, tally: &Tally) -> Self {
        Self {
            encoding,
            malformed: tally.malformed,
            abandoned: tally.abandoned,
            beyond_ascii: tally.beyond_ascii(),
            unlikely: tally.unlikely_beyond_ascii(),
        }
    }
}

/// Whether characters beyond ASCII have a structure that other text does not have by chance.
fn is_multi_byte(encoding: Encoding) -> bool {
    MULTI_BYTE.contains(&decoder_of(encoding))
}

fn are(characters: u64) -> String {
    if characters == 1 { "1 character is".to_owned() } else { format!("{characters} characters are") }
}

fn characters(beyond_ascii: u64) -> String {
    match beyond_ascii {
        1 => "1 character beyond ASCII".to_owned(),
        n => format!("{n} characters beyond ASCII"),
    }
}

/// Such as `9, the first at byte 159`.
fn malformed(tally: &Tally, offset: u64) -> String {
    let mut text =
        if tally.abandoned { format!("more than {}", tally.malformed - 1) } else { tally.malformed.to_string() };
    if let Some(first) = tally.first_malformed {
        let _ = write!(text, ", the first at byte {}", first + offset);
    }
    text
}
