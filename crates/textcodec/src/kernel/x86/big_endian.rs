//! UTF-16BE from and to UTF-8 with SSE4.1: in native order, whose bytes are swapped block by block.
//!
//! Kernels for this order would add 5 KB to every program, for the processors of before 2013.

use super::v128;
use crate::kernel::{Out, tables::as_bytes};

/// The maximum number of code units in a block, which stays in the first-level cache.
const BLOCK: usize = 512;

#[target_feature(enable = "sse4.1,popcnt")]
pub(super) fn to_utf8(src: &[[u8; 2]], out: &mut Out<'_, u8>) -> usize {
    let (mut block, mut read) = ([0; BLOCK], 0);
    loop {
        let rest = &src[read..];
        let units = &mut block[..rest.len().min(BLOCK)];
        for (unit, &bytes) in units.iter_mut().zip(rest) {
            *unit = u16::from_be_bytes(bytes);
        }
        // A high surrogate at the end of the block is left to the next one.
        let converted = v128::utf16::to_utf8::<false>(as_bytes(units), out);
        read += converted;
        if converted == 0 || read == src.len() {
            return read;
        }
    }
}

#[target_feature(enable = "sse4.1,popcnt")]
pub(super) fn from_str(src: &str, out: &mut Out<'_, u16>) -> usize {
    let mut read = 0;
    loop {
        // SAFETY: only initialised values are stored in the slots.
        let spare = unsafe { out.spare() };
        let end = spare.len().min(BLOCK);
        let mut units = Out::uninit(&mut spare[..end]);
        let converted = v128::utf8_to_utf16::to_utf16(&src.as_bytes()[read..], &mut units);
        let written = units.filled();
        for slot in &mut spare[..written] {
            // SAFETY: the first `written` slots are initialised, by the invariant of `units`.
            slot.write(unsafe { slot.assume_init() }.swap_bytes());
        }
        // SAFETY: the same.
        unsafe { out.advance(written) };
        read += converted;
        if converted == 0 || read == src.len() {
            return read;
        }
    }
}
