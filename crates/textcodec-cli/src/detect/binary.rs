//! A quick test for files that are not text.

use std::io::{self, Read};

use super::{BLOCK, Confidence, Extent, detect, is_odd_control};
use crate::input::fill;

/// Returns why a file does not look like text, as `detect` defines it, or `None`. Only its first block is examined, and
/// detection runs only if that contains control characters that text does not have.
pub(crate) fn why_binary(file: &mut dyn Read) -> io::Result<Option<String>> {
    let mut block = vec![0; BLOCK];
    let len = fill(file, &mut block)?;
    let extent = if len < BLOCK { Extent::Whole } else { Extent::Beginning };
    let mut start = &block[..len];
    if !has_odd_controls(start) {
        return Ok(None);
    }
    let detection = detect(&mut start, extent)?;
    Ok((detection.confidence == Confidence::None).then(|| detection.why().to_owned()))
}

fn has_odd_controls(bytes: &[u8]) -> bool {
    // The compiler vectorizes a loop without an early exit.
    bytes.chunks(1024).any(|chunk| chunk.iter().fold(false, |found, &byte| found | is_odd_control(byte)))
}
