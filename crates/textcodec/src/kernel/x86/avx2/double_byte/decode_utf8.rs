//! Decoding to UTF-8: sparse text character by character, dense text to UTF-16 first, in blocks. A block has no surrogates, so
//! code units are converted without any test.
//!
//! Converting 16 cells to UTF-8 as soon as they are looked up was slower than a loop over all of a block, although it has fewer
//! instructions: the processor looks ahead by fewer characters, so look-ups wait for each other's results.

use core::mem::MaybeUninit;

use super::{
    super::{
        super::double_byte::{FIRST_STEPS, SPARSE, STEP, STEPS, is_sparse},
        ascii,
        utf16::Sequences,
        vector::*,
    },
    decode::{Block, SHORT},
};
use crate::kernel::{
    Out,
    block::{rest_mut, values},
    drivers::{
        ascii::{step as ascii_step, whole_steps},
        one_to_one,
    },
    reference::double_byte as reference,
    tables::Pairs,
};

/// The number of bytes after the output of a step that stores may overwrite.
pub(crate) const OVERHANG: usize = 16;

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf8(pairs: &Pairs, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    if src.len() <= SHORT || !pairs.ascii {
        return reference::decode::to_utf8(pairs, src, out);
    }
    let copy = |src: &[u8], out: &mut Out<'_, u8>| ascii::copy(src, out);
    let simd = Avx2::new();
    let mut block = Block::new(pairs);
    let mut at = 0;
    let mut steps = FIRST_STEPS;
    loop {
        at += one_to_one(simd, whole_steps(&src[at..], out), out, |src| ascii_step(simd, src));
        if is_sparse(simd, &src[at..], SPARSE) {
            let read = reference::decode::convert(|_, _| 0, pairs, &src[at..at + STEP], out);
            at += read;
            if read > 0 {
                continue;
            }
        }
        let rest = &src[at..];
        if rest.len() <= SHORT || out.spare_len() < 3 * STEP + OVERHANG {
            return at + reference::decode::convert(copy, pairs, rest, out);
        }
        let mut follows = 0;
        block.find(rest, &mut follows, steps.min((out.spare_len() - OVERHANG) / (3 * STEP)));
        steps = STEPS;
        let count = put::<false>(&block, out);
        if count != block.count() {
            // The next character is malformed or unmapped.
            return at + block.offset(count);
        }
        at += block.end + follows as usize;
        if block.is_last {
            return at;
        }
    }
}

/// Writes the characters of a block up to the first one that is malformed or unmapped, and returns how many. With `ALL`, writes
/// either all or none.
///
/// Panics if three bytes for each character, rounded up to a multiple of 16, and [`OVERHANG`] do not fit.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn put<const ALL: bool>(block: &Block<'_>, out: &mut Out<'_, u8>) -> usize {
    let mut units = [const { MaybeUninit::uninit() }; STEPS * STEP];
    let mut count = block.write(&mut units).expect("a block fits");
    if ALL && count < block.count() {
        count = 0;
    }
    let len = count.next_multiple_of(UNITS);
    units[count..len].fill(MaybeUninit::new(0));
    let steps = units[..len].as_chunks::<UNITS>().0;
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    assert!(spare.len() >= 3 * len + OVERHANG, "the block fits");
    let mut written = 0;
    for step in steps {
        // SAFETY: `write` has written the first `count` units, and zeros follow.
        let units = load_unit_block(unsafe { values(step) });
        // SAFETY: `written + 64 <= spare.len()`, and `Groups<4>` needs 64: each step writes up to `3 * UNITS` bytes, and
        // `3 * len + OVERHANG <= spare.len()`.
        written += unsafe { Sequences::of_bmp(units).packed(UNITS).store(rest_mut(spare, written)) };
    }
    // Without the zeros after the last character.
    written -= len - count;
    // SAFETY: `written` slots are written.
    unsafe { out.advance(written) };
    count
}
