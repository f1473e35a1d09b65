//! The allocation of the result for a whole input. A first piece is converted on the stack, and the length of the rest is
//! estimated from it. So most results are allocated once, at about their final length.
//!
//! The samples are at predictable positions, so an input can make any estimate wrong. Three rules bound the cost. Ordinary text
//! is not affected by any of them:
//!
//! - A reservation is at most `max_ratio` units per unit of the remaining input, which suffices for text that is not full of
//!   errors. So samples that look like HTML references reserve no more than text does.
//! - Beyond that, the result at most doubles. Text that is all references needs a few more allocations, which cost little
//!   compared with the handler's step for each character.
//! - A result whose unused capacity exceeds half its length is shrunk. Only this bounds the capacity for every input. A fixed
//!   limit cannot: text of the same length gives between a third of a unit and three units per unit of input, or none with
//!   [`Skip`](crate::Unmappable::Skip). An exact count would be a second conversion.
//!
//! While a result grows or shrinks, an allocator that copies holds it twice.
//!
//! A reservation that fails is an error. Only shrinking aborts if it fails, and allocators shrink without memory.

#![expect(clippy::cast_precision_loss, clippy::cast_sign_loss, reason = "estimates, never negative")]

use alloc::{
    alloc::{Layout, handle_alloc_error},
    collections::TryReserveError,
    vec::Vec,
};
use core::{mem::MaybeUninit, ops::Range};

use crate::kernel::{Out, append};

/// Output units of the first piece. Results up to this length are allocated at their exact length.
const FIRST_PIECE: usize = 1024;
/// The number of samples of a long input that are examined to estimate its share of ASCII.
const SAMPLES: usize = 32;
/// The length of a sample in units.
const SAMPLE: usize = 32;
/// Unused capacity in units that does not matter.
const SPARE: usize = 64;

/// The expected number of output units per input unit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ratio {
    pub(crate) ascii: f64,
    /// For other units, until the input itself gives a better estimate.
    pub(crate) non_ascii: f64,
}

/// Collects the output of `convert` after `prefix`.
///
/// `convert` gets the number of units of `src` that were read so far. It returns how many more units it read, and whether it
/// stopped only because the output is full. Without `expected`, the encoding is not ASCII-compatible: one ratio is used for
/// all units. Text that is not full of errors gives at most `max_ratio` units per unit.
pub(crate) fn collect<S: Copy + Into<u32>, T: Copy>(
    prefix: &[T],
    src: &[S],
    expected: Option<Ratio>,
    max_ratio: f64,
    mut convert: impl FnMut(usize, &mut Out<'_, T>) -> (usize, bool),
) -> Result<Vec<T>, TryReserveError> {
    let mut piece = [const { MaybeUninit::uninit() }; FIRST_PIECE];
    let mut out = Out::uninit(&mut piece);
    let (mut read, mut full) = convert(0, &mut out);
    // No overflow, even in 32 bits: a slice has at most `isize::MAX` bytes, and the piece is short.
    let len = prefix.len() + out.filled();
    let cap = |rest: usize, len: usize| {
        let for_text = ((rest as f64 * max_ratio) as usize).saturating_add(SPARE);
        let longest = isize::MAX.unsigned_abs() / size_of::<T>().max(1);
        // The last `max`: if not even `SPARE` more units fit into the address space, reserving them fails.
        for_text.max(len).min(longest.saturating_sub(len)).max(SPARE)
    };
    let first = if full { estimate(src, 0..read, out.filled(), expected).min(cap(src.len() - read, len)) } else { 0 };
    let mut result = Vec::new();
    result.try_reserve_exact(len.saturating_add(first))?;
    result.extend_from_slice(prefix);
    result.extend_from_slice(out.written());
    let mut additional = first;
    while full {
        result.try_reserve_exact(additional)?;
        let (from, before) = (read, result.len());
        let (more, stopped) = append(&mut result, |out| convert(from, out));
        (read, full) = (from + more, stopped);
        if full {
            let written = result.len() - before;
            additional = estimate(src, from..read, written, expected).min(cap(src.len() - read, result.len()));
        }
    }
    if result.capacity() - result.len() > result.len() / 2 + SPARE {
        result.shrink_to_fit();
    }
    Ok(result)
}

/// Ends the process as `Vec` does if there is no memory. For functions that return no error. `len` is the length of the input.
#[cold]
pub(crate) fn out_of_memory(len: usize) -> ! {
    handle_alloc_error(Layout::array::<u8>(len).unwrap_or(Layout::new::<u8>()))
}

/// Estimates the output units of the rest of `src`, plus some spare ones. Assumes that it resembles `done`, which gave
/// `written` units.
fn estimate<S: Copy + Into<u32>>(src: &[S], done: Range<usize>, written: usize, expected: Option<Ratio>) -> usize {
    let rest = &src[done.end..];
    let ratio = match expected {
        None => written as f64 / done.len().max(1) as f64,
        Some(Ratio { ascii, non_ascii }) => {
            let count = count_non_ascii(&src[done.clone()]);
            let non_ascii = match count {
                0 => non_ascii,
                _ => (written as f64 - (done.len() - count) as f64 * ascii).max(0.0) / count as f64,
            };
            ascii + non_ascii_share(rest) * (non_ascii - ascii)
        }
    };
    ((rest.len() as f64 * ratio * 1.0625) as usize).saturating_add(SPARE)
}

/// The share of units outside ASCII, by samples at equal distances.
fn non_ascii_share<S: Copy + Into<u32>>(units: &[S]) -> f64 {
    let step = (units.len() / SAMPLES).max(SAMPLE);
    let samples = units.chunks(step).map(|chunk| &chunk[..chunk.len().min(SAMPLE)]);
    let (non_ascii, all) =
        samples.fold((0, 0), |(non_ascii, all), sample| (non_ascii + count_non_ascii(sample), all + sample.len()));
    non_ascii as f64 / all.max(1) as f64
}

fn count_non_ascii<S: Copy + Into<u32>>(units: &[S]) -> usize {
    // A sum of `u8`, which compilers vectorize: a sample has fewer than 256 units.
    let count = |sample: &[S]| sample.iter().map(|&unit| u8::from(unit.into() >= 0x80)).sum::<u8>();
    units.chunks(SAMPLE).map(|sample| usize::from(count(sample))).sum()
}
