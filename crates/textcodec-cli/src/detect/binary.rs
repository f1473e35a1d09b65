//! A quick test for files that are not text.

use std::io;

use super::{BLOCK, Confidence, Extent, detect, fill, trial::is_odd_control};
use crate::input::Input;

/// Returns whether a file does not look like text, as `detect` defines it. Only its first block is examined, and detection
/// runs only if that contains control characters that text does not have.
pub(crate) fn is_binary(input: &Input) -> io::Result<bool> {
    let mut block = vec![0; BLOCK];
    let len = fill(&mut input.open()?, &mut block)?;
    let extent = if len < BLOCK { Extent::Whole } else { Extent::Beginning };
    let mut start = &block[..len];
    Ok(has_odd_controls(start) && detect(&mut start, extent)?.confidence == Confidence::None)
}

fn has_odd_controls(bytes: &[u8]) -> bool {
    // The compiler vectorizes a loop without an early exit.
    bytes.chunks(1024).any(|chunk| chunk.iter().fold(false, |found, &byte| found | is_odd_control(byte)))
}
