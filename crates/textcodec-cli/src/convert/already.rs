//! Finds files that are not in the encoding that the user gave, mostly because an earlier run has converted them.
//!
//! Converting them again would destroy their text.

use std::io::{self, Read as _};

use textcodec::{
    BIG5, Bom, DecodeOptions, Encoding, ISO_2022_JP, Malformed, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE,
    utf::utf8_valid_up_to,
};
use textcodec_detect::{
    Confidence, Evidence,
    text::{is_odd_control, lead, unlikely_units},
};

use crate::{
    detect::{Extent, detect_undeclared},
    input::{self, RegularFile},
};

/// Returns the encoding of a file if it is UTF-8, or already in the encoding of the output, and not in `from`.
///
/// The file has no byte order mark. It is read from its current position until the answer is known, and returns to that
/// position.
pub(super) fn actual_encoding(file: &mut RegularFile, from: Encoding, to: Encoding) -> io::Result<Option<Encoding>> {
    if from == to || file.metadata().len() == 0 {
        return Ok(None);
    }
    let start = file.position();
    let kind = kind(file)?;
    file.seek(start)?;
    let actual = match kind {
        Kind::Utf8 if from == UTF_8 => None,
        Kind::Utf8 if from.is_ascii_compatible() => Some(UTF_8),
        // The same in both.
        Kind::Ascii if from.is_ascii_compatible() && to.is_ascii_compatible() => None,
        Kind::Other if to == UTF_8 => None,
        Kind::Utf8 | Kind::Ascii | Kind::Other => {
            let is_in = is_in(file, start, from, to)?;
            file.seek(start)?;
            is_in.then_some(to)
        }
    };
    Ok(actual)
}

/// What the bytes of a text reveal by themselves.
enum Kind {
    Ascii,
    /// Well-formed UTF-8 with at least one non-ASCII character.
    Utf8,
    Other,
}

fn kind(file: &mut RegularFile) -> io::Result<Kind> {
    let mut block = vec![0; file.metadata().len().saturating_add(1).min(BLOCK_LEN as u64) as usize];
    let (mut len, mut kind) = (0, Kind::Ascii);
    loop {
        let read = input::read(file, &mut block[len..])?;
        len += read;
        let valid = utf8_valid_up_to(&block[..len]);
        if !block[..valid].is_ascii() {
            kind = Kind::Utf8;
        }
        block.copy_within(valid..len, 0);
        len -= valid;
        // What remains may be the start of a character.
        match (read, len) {
            (0, 0) => return Ok(kind),
            (0, _) | (_, 4..) => return Ok(Kind::Other),
            _ => {}
        }
    }
}

/// The number of bytes per read.
const BLOCK_LEN: usize = 64 * 1024;

/// Returns whether the text is in `to` rather than in `from`.
fn is_in(file: &mut RegularFile, start: u64, from: Encoding, to: Encoding) -> io::Result<bool> {
    let sample = sample(file, from.is_ascii_compatible() && to.is_ascii_compatible())?;
    if Family::of(to) == Family::Utf16 && has_bytes_of_utf_16(&sample, from, to) {
        return Ok(true);
    }
    let is_whole = sample.len() < BLOCK_LEN;
    let as_from = decoded(from, &sample, is_whole);
    // The result of a conversion is well-formed, and `from` has all of its characters.
    let Some(text) = decoded(to, &sample, is_whole).filter(|text| from.encode(text).is_ok()) else { return Ok(false) };
    if as_from.as_ref() == Some(&text) {
        return Ok(false);
    }
    let could_be_from = as_from.as_ref().is_some_and(|text| to.encode(text).is_ok());
    if let Some(answer) = by_structure(from, to, as_from.as_deref(), could_be_from, &text) {
        return Ok(answer);
    }
    let is_single_byte = from.is_single_byte() || to.is_single_byte();
    if let Some(lead) = is_single_byte.then(|| lead(&sample, to, from)).flatten() {
        return Ok(lead >= MIN_LEAD);
    }
    file.seek(start)?;
    let detection = detect_undeclared(file, Extent::Whole)?;
    let min = if could_be_from { Confidence::High } else { Confidence::Medium };
    if detection.confidence < min {
        return Ok(false);
    }
    if detection.evidence == Evidence::Ascii {
        // In a stateful encoding and in UTF-16, ASCII bytes can mean other characters.
        return Ok(!from.is_ascii_compatible() && to.is_ascii_compatible());
    }
    // Detection may give another encoding in which the text is the same, such as KOI8-U for KOI8-R.
    Ok(decoded(detection.encoding, &sample, is_whole) == Some(text))
}

/// Reads a block of the text: the first one, or if blocks of ASCII reveal nothing, the first other one.
fn sample(file: &mut RegularFile, skip_ascii: bool) -> io::Result<Vec<u8>> {
    let mut block = Vec::new();
    loop {
        block.clear();
        file.take(BLOCK_LEN as u64).read_to_end(&mut block)?;
        if !skip_ascii || block.len() < BLOCK_LEN || !block.is_ascii() {
            return Ok(block);
        }
    }
}

/// Returns whether text is in `to` rather than in `from`, if the structure of its bytes tells. `text` is the text in `to`,
/// which `from` can represent, and `as_from` the same bytes in `from`, unless they are malformed. `could_be_from` says whether
/// `to` can represent these.
///
/// The figures in `docs/design/running-twice.md` justify the answers.
fn by_structure(from: Encoding, to: Encoding, as_from: Option<&str>, could_be_from: bool, text: &str) -> Option<bool> {
    match (Family::of(from), Family::of(to)) {
        // Text in a single-byte encoding is hardly ever well-formed in another one, with only characters that it has.
        (Family::SingleByte, Family::MultiByte | Family::Utf16) => Some(true),
        (Family::MultiByte, Family::SingleByte) if could_be_from => Some(false),
        (Family::MultiByte, Family::MultiByte | Family::Utf16) if as_from.is_none() => Some(true),
        (Family::MultiByte, Family::MultiByte) => match from {
            // Text in one of these is rarely well-formed in another one, with only characters that it has.
            SHIFT_JIS | ISO_2022_JP => Some(true),
            BIG5 => (text.chars().filter(|c| !c.is_ascii()).count() >= MIN_BIG5).then_some(true),
            _ => None,
        },
        (Family::Utf16, Family::Utf16) => {
            let is_unlikely_in_from = as_from.is_none_or(|text| unlikely_units(text) > 0);
            (is_unlikely_in_from && unlikely_units(text) == 0).then_some(true)
        }
        _ => None,
    }
}

/// The minimum lead of the output's encoding, as a logarithm: 16 is a factor of e.
const MIN_LEAD: i64 = 16;

/// The minimum number of non-ASCII characters: fewer characters of Big5 are often well-formed in another encoding.
const MIN_BIG5: usize = 4;

/// Decodes the start of a text, or returns `None` if it is malformed.
fn decoded(encoding: Encoding, sample: &[u8], is_whole: bool) -> Option<String> {
    let mut decoder = encoding.decoder_with(DecodeOptions::new().bom(Bom::Keep).malformed(Malformed::Fail));
    let mut text = String::new();
    decoder.push(sample, &mut text).ok()?;
    if is_whole {
        decoder.finish(&mut text).ok()?;
    }
    Some(text)
}

/// The families of encodings, by their structure.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    SingleByte,
    /// The multi-byte encodings of East Asia.
    MultiByte,
    Utf8,
    Utf16,
}

impl Family {
    fn of(encoding: Encoding) -> Self {
        match encoding {
            UTF_8 => Self::Utf8,
            UTF_16LE | UTF_16BE => Self::Utf16,
            _ if encoding.is_single_byte() => Self::SingleByte,
            _ => Self::MultiByte,
        }
    }
}

/// Returns whether text is UTF-16, however short: an eighth of its bytes are control characters that text does not have, and its
/// code units are none of these. In the other byte order, it has fewer ASCII characters.
fn has_bytes_of_utf_16(text: &[u8], from: Encoding, to: Encoding) -> bool {
    let odd = text.iter().filter(|&&byte| is_odd_control(byte)).count();
    let decoded = to.decode(text);
    let is_text = |c: char| u8::try_from(c).map_or(true, |byte| !is_odd_control(byte));
    let ascii = |text: &str| text.chars().filter(char::is_ascii).count();
    odd * 8 >= text.len()
        && decoded.errors.is_empty()
        && decoded.text.chars().all(is_text)
        && !(Family::of(from) == Family::Utf16 && ascii(&decoded.text) <= ascii(&from.decode(text).text))
}
