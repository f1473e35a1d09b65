//! Finds files that are not in the encoding that the user gave, mostly because an earlier run has converted them.
//!
//! Converting them again would destroy their text.

use std::io::{self, Read as _};

use textcodec::{Encoding, UTF_8, utf::utf8_valid_up_to};

use crate::{
    detect::{Confidence, Evidence, Extent, detect},
    input::RegularFile,
};

/// Returns the encoding of a file if it is UTF-8, or already in the encoding of the output, and not in `from`.
///
/// The file has no byte order mark. It is read from its current position to its end, or until the answer is known, and
/// returns to that position.
pub(super) fn actual_encoding(file: &mut RegularFile, from: Encoding, to: Encoding) -> io::Result<Option<Encoding>> {
    if from == to {
        return Ok(None);
    }
    let start = file.position();
    let mut actual = None;
    if from != UTF_8 && from.is_ascii_compatible() && is_utf_8_beyond_ascii(file)? {
        actual = Some(UTF_8);
    } else if to != UTF_8 || !from.is_ascii_compatible() {
        file.seek(start)?;
        actual = is_in(file, start, from, to)?.then_some(to);
    }
    file.seek(start)?;
    Ok(actual)
}

/// Returns whether the rest of a file is well-formed UTF-8 with at least one non-ASCII character.
fn is_utf_8_beyond_ascii(file: &mut RegularFile) -> io::Result<bool> {
    let mut block = vec![0; BLOCK_LEN];
    let (mut len, mut is_beyond_ascii) = (0, false);
    loop {
        let read = match file.read(&mut block[len..]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            result => result?,
        };
        len += read;
        let valid = utf8_valid_up_to(&block[..len]);
        is_beyond_ascii |= !block[..valid].is_ascii();
        block.copy_within(valid..len, 0);
        len -= valid;
        // What remains may be the start of a character.
        if read == 0 || len > 3 {
            return Ok(len == 0 && is_beyond_ascii);
        }
    }
}

/// The number of bytes per read.
const BLOCK_LEN: usize = 64 * 1024;

/// Returns whether the text is in `to` rather than in `from`, as far as detection can tell.
fn is_in(file: &mut RegularFile, start: u64, from: Encoding, to: Encoding) -> io::Result<bool> {
    let detection = detect(file, Extent::Whole)?;
    if detection.confidence < Confidence::Medium {
        return Ok(false);
    }
    if detection.evidence == Evidence::Ascii {
        // In a stateful encoding and in UTF-16, ASCII bytes can mean other characters.
        return Ok(!from.is_ascii_compatible() && to.is_ascii_compatible());
    }
    file.seek(start)?;
    let mut sample = Vec::new();
    file.take(BLOCK_LEN as u64).read_to_end(&mut sample)?;
    // Detection may give another encoding in which the text is the same, such as KOI8-U for KOI8-R.
    let is_same_text = detection.encoding.decode(&sample).text == to.decode(&sample).text;
    Ok(is_same_text && !are_similar(from, to, &sample))
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
