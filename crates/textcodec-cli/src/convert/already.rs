//! Finds files that are not in the encoding that the user gave, mostly because an earlier run has converted them.
//!
//! Converting them again would destroy their text.

use std::io;

use crate::{
    charset::Charset,
    input::{self, RegularFile},
    sample::{Examination, Reading},
};

/// Returns the encoding of a file that is said to be in `from`, and would be in `to` after the conversion. `examined` is what
/// detection has found on its way.
///
/// The file has no byte order mark. If necessary, it is read from its current position until the answer is known, and returns to
/// that position.
pub(super) fn reading(
    file: &mut RegularFile,
    from: Charset,
    to: Charset,
    examined: Option<Examination>,
) -> io::Result<Reading> {
    if from == to || file.metadata().len() == 0 {
        return Ok(Reading::Same);
    }
    if let Some(reading) = examined.and_then(|mut examined| examined.reading(from)) {
        return Ok(reading);
    }
    let start = file.position();
    let mut examination = Examination::new(Some(from), to);
    let mut block = vec![0; file.metadata().len().saturating_add(1).min(BLOCK_LEN as u64) as usize];
    let reading = loop {
        let len = input::read(file, &mut block)?;
        examination.feed(&block[..len]);
        if let Some(reading) = examination.reading(from) {
            break reading;
        }
    };
    file.seek(start)?;
    Ok(reading)
}

/// The number of bytes per read.
const BLOCK_LEN: usize = 64 * 1024;
