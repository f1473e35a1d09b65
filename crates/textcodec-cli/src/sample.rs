//! Decides whether bytes are text in one encoding or in another one.
//!
//! The same function examines a file before its conversion and the result of the conversion, so a second run of the same
//! conversion comes to the same answer.

use std::{collections::BTreeSet, mem, ops::Range};

use textcodec::{Bom, DecodeError, DecodeOptions, Decoder, UTF_8, oem, utf::utf8_valid_up_to};
use textcodec_detect::{
    declaration::{self, Declaration},
    text::{cost, is_odd_control},
};

use crate::charset::Charset;

/// The encoding of bytes that are said to be in `from`, and would be in `to` after a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// They are the same text in both.
    Same,
    From,
    To,
    /// They are UTF-8, which is neither of the two.
    Utf8,
    /// No reading is far better than the others.
    Undecided,
}

/// How much better than any other reading one must be: a logarithm, in sixteenths. A short text may be anything, such as one rare
/// character. `len` is the number of bytes that can tell.
///
/// Each byte of ASCII is another character in EBCDIC, so that few bytes are more often a word by chance. A line decides by far.
fn min_lead(len: usize, is_ebcdic: bool) -> i64 {
    let of_one = if is_ebcdic { 640 } else { 160 };
    24 + of_one / i64::try_from(len).unwrap_or(i64::MAX).max(1)
}

/// Returns whether one of two encodings is a single-byte encoding without ASCII.
fn is_ebcdic(one: Charset, other: Charset) -> bool {
    [one, other].iter().any(|charset| charset.is_single_byte() && !charset.is_ascii_compatible())
}

/// The advantage of well-formed UTF-8 for each of its first three non-ASCII characters, because one of nine pairs of non-ASCII
/// bytes is well-formed.
const ADVANTAGE: i64 = 32;

/// Collects the part of a text that tells in which of two encodings it is, from chunks of any size.
pub(crate) struct Sampler {
    from: Charset,
    to: Charset,
    /// Whether a byte can differ in meaning.
    is_telling: [bool; 256],
    sample: Vec<u8>,
    /// Whether `sample` begins with the first telling byte. Before that, it has only the last few bytes.
    has_started: bool,
    is_complete: bool,
}

/// The maximum length of a sample.
const SAMPLE_LEN: usize = 16 * 1024;

/// The number of bytes of a sample before the first telling byte.
const CONTEXT: usize = 32;

impl Sampler {
    pub(crate) fn new(from: Charset, to: Charset) -> Self {
        let is_telling = std::array::from_fn(|byte| is_telling(byte as u8, from, to));
        Self { from, to, is_telling, sample: Vec::new(), has_started: false, is_complete: true }
    }

    /// Adds a chunk, and returns whether more would change nothing.
    pub(crate) fn feed(&mut self, chunk: &[u8]) -> bool {
        if self.from == self.to {
            return true;
        }
        if !self.has_started {
            let Some(first) = chunk.iter().position(|&byte| self.is_telling[usize::from(byte)]) else {
                self.sample.extend_from_slice(&chunk[chunk.len().saturating_sub(CONTEXT)..]);
                let excess = self.sample.len().saturating_sub(CONTEXT);
                self.sample.drain(..excess);
                return false;
            };
            self.has_started = true;
            self.sample.extend_from_slice(&chunk[first.saturating_sub(CONTEXT)..first]);
            let excess = self.sample.len().saturating_sub(CONTEXT);
            self.sample.drain(..excess);
            return self.feed(&chunk[first..]);
        }
        let (kept, rest) = chunk.split_at(chunk.len().min(SAMPLE_LEN - self.sample.len()));
        self.sample.extend_from_slice(kept);
        self.is_complete &= rest.is_empty();
        !self.is_complete
    }

    /// Returns whether more would change nothing.
    fn is_done(&self) -> bool {
        self.from == self.to || !self.is_complete
    }

    /// Returns the encoding of the text, as far as it was fed.
    pub(crate) fn reading(&self) -> Reading {
        let Self { from, to, sample, is_complete, .. } = self;
        if !self.has_started {
            return Reading::Same;
        }
        match reading(sample, *is_complete, *from, *to) {
            // The rest may differ.
            Reading::Same if !is_complete => Reading::Undecided,
            reading => reading,
        }
    }

    /// Returns whether the text, as far as it was fed, is known to be the same in another encoding as in `to`.
    pub(crate) fn is_same_text_in(&self, other: Charset) -> bool {
        if !self.has_started {
            return other.is_ascii_compatible();
        }
        self.is_complete && Decoded::new(other, &self.sample, true) == Decoded::new(self.to, &self.sample, true)
    }
}

/// Finds the encoding of a text that would be in `to` after a conversion, in one pass: see [`Reading`].
pub(crate) struct Examination {
    to: Charset,
    /// The first chunk, until it is known in which encodings the text may be said to be.
    start: Vec<u8>,
    /// One for each of these encodings.
    samplers: Option<Vec<Sampler>>,
    /// The bytes of an incomplete character of UTF-8, or `None` if the text is not well-formed. Only if `to` is UTF-8.
    incomplete: Option<Vec<u8>>,
    is_whole: bool,
    /// What the sample says, once it is complete.
    sampled: Option<Reading>,
}

impl Examination {
    /// Examines text that is said to be in `from`, or in any of the encodings that it declares.
    pub(crate) fn new(from: Option<Charset>, to: Charset) -> Self {
        let samplers = from.map(|from| vec![Sampler::new(from, to)]);
        Self { to, start: Vec::new(), samplers, incomplete: Some(Vec::new()), is_whole: false, sampled: None }
    }

    /// Adds a chunk, or the end if it is empty.
    pub(crate) fn feed(&mut self, chunk: &[u8]) {
        self.is_whole |= chunk.is_empty();
        if self.samplers.is_none() {
            if self.start.is_empty() || self.is_whole {
                self.start.extend_from_slice(chunk);
                return;
            }
            // In a text of one chunk, this would take longer than to wait for the answer of detection.
            let start = mem::take(&mut self.start);
            let found = declaration::find_all(&start);
            let declared: BTreeSet<_> = found.iter().filter_map(Declaration::encoding).collect();
            self.begin(declared.into_iter().map(Charset::from), &start);
        }
        self.add(chunk);
    }

    /// Starts with the first chunk of text in one of these encodings.
    fn begin(&mut self, encodings: impl Iterator<Item = Charset>, start: &[u8]) {
        self.samplers = Some(encodings.map(|from| Sampler::new(from, self.to)).collect());
        self.add(start);
    }

    fn add(&mut self, chunk: &[u8]) {
        let Some(samplers) = &mut self.samplers else { return };
        for sampler in &mut *samplers {
            sampler.feed(chunk);
        }
        if self.to == UTF_8 && !samplers.is_empty() {
            self.incomplete = self.incomplete.take().and_then(|incomplete| after_utf_8(incomplete, chunk));
        }
    }

    /// Returns the encoding of text that is said to be in `from`, the same in each call, or `None` if more of it must be known.
    pub(crate) fn reading(&mut self, from: Charset) -> Option<Reading> {
        if self.samplers.is_none() && self.is_whole {
            let start = mem::take(&mut self.start);
            self.begin([from].into_iter(), &start);
        }
        let sampler = self.samplers.as_ref()?.iter().find(|sampler| sampler.from == from)?;
        if !(self.is_whole || sampler.is_done()) {
            return None;
        }
        match *self.sampled.get_or_insert_with(|| sampler.reading()) {
            Reading::To if self.to == UTF_8 => match &self.incomplete {
                Some(incomplete) if incomplete.is_empty() && self.is_whole => Some(Reading::To),
                Some(_) if !self.is_whole => None,
                // One part is UTF-8 and another one is not.
                _ => Some(Reading::Undecided),
            },
            reading => Some(reading),
        }
    }
}

/// Returns what is incomplete after a chunk of UTF-8, or `None` if that is malformed.
fn after_utf_8(mut incomplete: Vec<u8>, mut chunk: &[u8]) -> Option<Vec<u8>> {
    while !incomplete.is_empty()
        && let Some((&byte, rest)) = chunk.split_first()
    {
        incomplete.push(byte);
        chunk = rest;
        match utf8_valid_up_to(&incomplete) {
            0 if incomplete.len() < 4 => {}
            len if len == incomplete.len() => incomplete.clear(),
            _ => return None,
        }
    }
    let rest = &chunk[utf8_valid_up_to(chunk)..];
    incomplete.extend_from_slice(rest.get(..4).map_or(rest, |_| &[]));
    (rest.len() < 4).then_some(incomplete)
}

/// Returns whether a byte, after ASCII text, can mean something else in the two encodings.
fn is_telling(byte: u8, from: Charset, to: Charset) -> bool {
    if from.is_single_byte() && to.is_single_byte() {
        return from.decode(&[byte]) != to.decode(&[byte]);
    }
    // A byte that starts an escape sequence, such as `~` in HZ, is incomplete alone, and so is a byte of UTF-16.
    let is_itself = |charset: Charset| {
        charset.is_ascii_compatible() || !charset.is_single_byte() && *charset.decode(&[byte]).as_bytes() == [byte]
    };
    !byte.is_ascii() || !is_itself(from) || !is_itself(to)
}

/// Returns whether visible ASCII can be other text in this encoding, without escape sequences: in EBCDIC and in GSM 03.38.
fn rereads_ascii(charset: Charset) -> bool {
    (b'!'..=b'~').any(|byte| {
        let character = charset.decode(&[byte]);
        *character.as_bytes() != [byte] && !["", "\u{FFFD}"].contains(&&*character)
    })
}

/// Returns a text without the escape sequences of an encoding that stand for ASCII: `~~` and `~` at the end of a line in HZ, `+-` in
/// UTF-7, `&-` in UTF-7-IMAP.
fn unescaped(text: &str, charset: Charset) -> String {
    let (escape, sequences): (_, &[(char, &str)]) = match charset.encoding() {
        oem::TRUE_HZ => ('~', &[('~', "~"), ('\n', "")]),
        oem::UTF_7 => ('+', &[('-', "+")]),
        oem::UTF_7_IMAP => ('&', &[('-', "&")]),
        _ => return text.to_owned(),
    };
    let (mut unescaped, mut characters) = (String::new(), text.chars());
    while let Some(character) = characters.next() {
        let next = characters.clone().next().filter(|_| character == escape);
        match sequences.iter().find(|(after, _)| Some(*after) == next) {
            Some((_, meaning)) => {
                unescaped.push_str(meaning);
                characters.next();
            }
            None => unescaped.push(character),
        }
    }
    unescaped
}

/// Returns whether bytes are visible ASCII and white space.
fn is_visible_ascii(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace())
}

/// Returns the encoding of a sample. `is_whole` says that the text ends with it.
fn reading(sample: &[u8], is_whole: bool, from: Charset, to: Charset) -> Reading {
    let (as_from, as_to) = (Decoded::new(from, sample, is_whole), Decoded::new(to, sample, is_whole));
    if as_from == as_to {
        return Reading::Same;
    }
    // `~~` is one tilde in HZ, and two in Markdown. The shorter text is not more likely.
    if unescaped(&as_from.text, to) == as_to.text || unescaped(&as_to.text, from) == as_from.text {
        return Reading::Undecided;
    }
    let advantage = |encoding: Charset, decoded: &Decoded| match encoding {
        _ if encoding != UTF_8 => 0,
        _ if decoded.is_malformed || sample.iter().any(|&byte| is_odd_control(byte)) => 0,
        // All ASCII has the advantage of one character.
        _ => {
            let beyond_ascii = decoded.text.chars().filter(|c| !c.is_ascii()).take(3);
            beyond_ascii.fold(0, |sum, _| sum + ADVANTAGE).max(ADVANTAGE)
        }
    };
    let cost = |encoding: Charset, decoded: &Decoded| cost(&decoded.text).cast_signed() - advantage(encoding, decoded);
    let cost_of_from = cost(from, &as_from);
    // The result of a conversion is well-formed, unless something has happened to it since.
    let cost_of_to = if as_to.is_malformed { i64::MAX } else { cost(to, &as_to) };
    let min_lead = min_lead(telling_len(sample, from, to), is_ebcdic(from, to));
    let may_be_utf_8 = from != UTF_8 && to != UTF_8 && from.is_ascii_compatible() && !sample.is_ascii();
    let as_utf_8 = may_be_utf_8.then(|| Decoded::new(UTF_8.into(), sample, is_whole));
    if let Some(as_utf_8) = &as_utf_8
        && !as_utf_8.is_malformed
        // CESU-8 is the same text, unless it has characters beyond U+FFFF.
        && *as_utf_8 != as_from
        && cost(UTF_8.into(), as_utf_8) + min_lead <= cost_of_from.min(cost_of_to)
    {
        return Reading::Utf8;
    }
    let is_damaged =
        |encoding: Charset, decoded: &Decoded| decoded.is_malformed && is_partly(encoding, from, sample, is_whole);
    match cost_of_to.saturating_sub(cost_of_from) {
        // Only a conversion would destroy what is damaged.
        lead if lead >= min_lead => {
            let is_damaged =
                is_damaged(to, &as_to) || as_utf_8.is_some_and(|as_utf_8| is_damaged(UTF_8.into(), &as_utf_8));
            if is_damaged { Reading::Undecided } else { Reading::From }
        }
        // A line of tildes is a line of letters in GSM 03.38.
        lead if lead <= -min_lead && is_visible_ascii(sample) && rereads_ascii(to) => Reading::Undecided,
        lead if lead <= -min_lead => Reading::To,
        _ => Reading::Undecided,
    }
}

/// Returns whether a good part of a sample, although not all of it, is well-formed text in one encoding rather than in another one.
/// Then the sample is damaged or mixed, and any conversion would destroy a part of it.
fn is_partly(encoding: Charset, other: Charset, sample: &[u8], is_whole: bool) -> bool {
    let all = telling_len(sample, encoding, other);
    // Legacy text is well-formed by chance for a few characters at a time.
    let min_len = (all / 2).clamp(5, 8);
    let (mut parts, mut start, mut len) = (Vec::new(), 0, 0);
    for gap in gaps(encoding, sample, is_whole) {
        let part = start..gap.start;
        start = gap.end;
        let telling_len = if part.len() < min_len { 0 } else { telling_len(&sample[part.clone()], encoding, other) };
        if telling_len >= min_len {
            parts.push(part);
            len += telling_len;
        }
    }
    if len == 0 || len < all / 4 {
        return false;
    }
    let (mut text, mut other_text) = (String::new(), String::new());
    let (mut decoder, mut end) = (decoder(other), 0);
    for part in parts {
        // A character of the other encoding may begin before the part and end within it.
        let _ = decoder.push(&sample[end..part.start], &mut String::new());
        let _ = decoder.push(&sample[part.clone()], &mut other_text);
        text.push_str(&Decoded::new(encoding, &sample[part.clone()], true).text);
        text.push('\n');
        other_text.push('\n');
        end = part.end;
    }
    cost(&other_text).cast_signed() - cost(&text).cast_signed() >= min_lead(len, is_ebcdic(encoding, other))
}

/// Returns the ranges of malformed sequences, and the end.
fn gaps(encoding: Charset, sample: &[u8], is_whole: bool) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut on_error = |error: &DecodeError| {
        let range = error.range();
        ranges.push(range.start as usize..range.end as usize);
        Some("".into())
    };
    let (mut decoder, mut text) = (decoder(encoding), String::new());
    let _ = decoder.push_with(sample, &mut text, &mut on_error);
    if is_whole {
        let _ = decoder.finish_with(&mut text, &mut on_error);
    }
    ranges.push(sample.len()..sample.len());
    ranges
}

fn decoder(encoding: Charset) -> Decoder {
    encoding.decoder_with(DecodeOptions::new().bom(Bom::Keep))
}

/// Returns the number of bytes that can tell: of words that are not all ASCII, if both encodings have ASCII.
fn telling_len(sample: &[u8], from: Charset, to: Charset) -> usize {
    if !(from.is_ascii_compatible() && to.is_ascii_compatible()) {
        return sample.len();
    }
    let is_separator = |byte: &u8| byte.is_ascii() && !byte.is_ascii_alphanumeric();
    sample.split(is_separator).filter(|word| !word.is_ascii()).map(<[u8]>::len).sum()
}

/// A sample in an encoding. Malformed sequences are replaced.
#[derive(PartialEq, Eq)]
struct Decoded {
    text: String,
    is_malformed: bool,
}

impl Decoded {
    fn new(encoding: Charset, sample: &[u8], is_whole: bool) -> Self {
        let mut decoder = decoder(encoding);
        let mut text = String::new();
        let _ = decoder.push(sample, &mut text);
        let mut is_malformed = !decoder.errors().is_empty();
        if is_whole {
            is_malformed |= !decoder.finish(&mut text).is_ok_and(|summary| summary.errors.is_empty());
        }
        Self { text, is_malformed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf_8_is_recognised_in_any_chunks() {
        let texts: [&[u8]; 8] = [
            b"",
            "aé日😀b".as_bytes(),
            "日本".as_bytes(),
            b"a\xC3",
            b"\xC3(",
            b"\xF0\x9F\x98\xC3\xA9",
            b"\xE3\x81\x82\x81",
            b"\xF0\x80\x80\x80",
        ];
        for text in texts {
            for (one, two) in (0..=text.len()).flat_map(|one| (one..=text.len()).map(move |two| (one, two))) {
                let chunks = [&text[..one], &text[one..two], &text[two..]];
                let end = chunks.iter().try_fold(Vec::new(), |incomplete, chunk| after_utf_8(incomplete, chunk));
                assert_eq!(end.is_some_and(|rest| rest.is_empty()), str::from_utf8(text).is_ok(), "{chunks:X?}");
            }
        }
    }

    #[test]
    fn text_is_examined_in_any_chunks() {
        let (from, to) = (Charset::from(textcodec::WINDOWS_1251), Charset::from(UTF_8));
        let page = |text: &str| format!("<meta charset=windows-1251>\n{text}");
        let cyrillic = page("Съешь ещё этих мягких французских булок");
        for (text, expected) in [
            (textcodec::WINDOWS_1251.encode(&cyrillic).unwrap().into_owned(), Reading::From),
            (cyrillic.clone().into_bytes(), Reading::To),
            ([cyrillic.as_bytes(), b"\xFF"].concat(), Reading::Undecided),
            (page("ASCII").into_bytes(), Reading::Same),
        ] {
            // The declaration is in the first chunk, as in the first block of detection.
            for at in [28, 29, 40, text.len()] {
                let mut examination = Examination::new(None, to);
                let (start, rest) = text.split_at(at.min(text.len()));
                examination.feed(start);
                rest.chunks(3).for_each(|chunk| examination.feed(chunk));
                assert_eq!(examination.reading(from), None);
                examination.feed(&[]);
                assert_eq!(examination.reading(from), Some(expected), "{at} {text:X?}");
                assert_eq!(examination.reading(UTF_8.into()), None);
            }
        }
    }
}
