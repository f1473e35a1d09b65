//! Finds files that are not in the encoding that the user gave, mostly because an earlier run has converted them.
//!
//! Converting them again would destroy their text.

use std::io;

use textcodec::{UTF_8, utf::utf8_valid_up_to};

use crate::{
    charset::Charset,
    input::{self, RegularFile},
    sample::{Reading, Sampler},
};

/// Returns the encoding of a file that is said to be in `from`, and would be in `to` after the conversion.
///
/// The file has no byte order mark. It is read from its current position until the answer is known, and returns to that
/// position.
pub(super) fn reading(file: &mut RegularFile, from: Charset, to: Charset) -> io::Result<Reading> {
    if from == to || file.metadata().len() == 0 {
        return Ok(Reading::Same);
    }
    let start = file.position();
    let mut sampler = Sampler::new(from, to);
    let mut block = vec![0; file.metadata().len().saturating_add(1).min(BLOCK_LEN as u64) as usize];
    loop {
        let len = input::read(file, &mut block)?;
        if sampler.feed(&block[..len]) || len == 0 {
            break;
        }
    }
    let mut reading = sampler.reading();
    file.seek(start)?;
    if reading == Reading::To && to == UTF_8 && !is_utf_8(file, &mut block)? {
        // One part is UTF-8 and another one is not.
        reading = Reading::Undecided;
    }
    file.seek(start)?;
    Ok(reading)
}

/// The number of bytes per read.
const BLOCK_LEN: usize = 64 * 1024;

fn is_utf_8(file: &mut RegularFile, block: &mut [u8]) -> io::Result<bool> {
    let mut len = 0;
    loop {
        let read = input::read(file, &mut block[len..])?;
        len += read;
        let valid = utf8_valid_up_to(&block[..len]);
        block.copy_within(valid..len, 0);
        len -= valid;
        // What remains may be the start of a character.
        match (read, len) {
            (0, 0) => return Ok(true),
            (0, _) | (_, 4..) => return Ok(false),
            _ => {}
        }
    }
}
