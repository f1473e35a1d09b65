//! Finds files that are not in the encoding that the user gave, mostly because an earlier run has converted them.
//!
//! Converting them again would destroy their text.

use std::io::{self, Read as _};

use textcodec::{Encoding, UTF_8, UTF_16BE, UTF_16LE, utf::utf8_valid_up_to};

use crate::{
    detect::{Confidence, Evidence, Extent, detect_undeclared, is_odd_control},
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

/// Returns whether the text is in `to` rather than in `from`, as far as detection can tell.
fn is_in(file: &mut RegularFile, start: u64, from: Encoding, to: Encoding) -> io::Result<bool> {
    let mut sample = Vec::new();
    file.take(BLOCK_LEN as u64).read_to_end(&mut sample)?;
    if matches!(to, UTF_16LE | UTF_16BE) && from.is_ascii_compatible() && is_utf_16(&sample, to) {
        return Ok(true);
    }
    file.seek(start)?;
    let detection = detect_undeclared(file, Extent::Whole)?;
    if detection.confidence < Confidence::Medium {
        return Ok(false);
    }
    if detection.evidence == Evidence::Ascii {
        // In a stateful encoding and in UTF-16, ASCII bytes can mean other characters.
        return Ok(!from.is_ascii_compatible() && to.is_ascii_compatible());
    }
    // Detection may give another encoding in which the text is the same, such as KOI8-U for KOI8-R.
    let is_same_text = detection.encoding.decode(&sample).text == to.decode(&sample).text;
    Ok(is_same_text && !are_similar(from, to, &sample))
}

/// Returns whether text is UTF-16, however short: an eighth of its bytes are control characters that text does not have, and its
/// code units are none of these.
fn is_utf_16(text: &[u8], encoding: Encoding) -> bool {
    let odd = text.iter().filter(|&&byte| is_odd_control(byte)).count();
    let decoded = encoding.decode(text);
    let is_text = |c: char| u8::try_from(c).map_or(true, |byte| !is_odd_control(byte));
    odd * 8 >= text.len() && decoded.errors.is_empty() && decoded.text.chars().all(is_text)
}

/// Returns whether two encodings give the same character for most non-ASCII bytes of a text. Detection cannot distinguish
/// them.
fn are_similar(from: Encoding, to: Encoding, text: &[u8]) -> bool {
    let decode = |encoding: Encoding, byte: u8| encoding.decode(&[byte]).text.into_owned();
    let is_same = |&byte: &u8| decode(from, byte) == decode(to, byte);
    let same: Vec<u8> = (0x80..=0xFF).filter(is_same).collect();
    let beyond_ascii = text.iter().filter(|byte| !byte.is_ascii());
    let (all, same) = beyond_ascii.fold((0, 0), |(all, n), byte| (all + 1, n + usize::from(same.contains(byte))));
    from.is_single_byte() && to.is_single_byte() && same * 2 > all
}
