//! How the result of a whole input grows: the first piece goes to the stack and tells how long the rest will be, so that most
//! results are allocated once, and about as long as they get.
//!
//! The samples are at positions that anybody can compute, so an input can make any estimate wrong. Three rules bound what that
//! costs; ordinary text meets none of them:
//!
//! - A reservation is at most `most` units for each unit of the rest, which is what text gives, unless it is full of errors. So
//!   samples that look like HTML references reserve no more than text does.
//! - Beyond that, the result at most doubles. Text that is all references takes a few more allocations, which cost little next to
//!   the handler's step for each character.
//! - A result with more than half its length to spare is shrunk. Only this bounds the capacity for every input: a cap cannot,
//!   because text of the same length gives between a third of a unit and three for each unit of input, or none with
//!   [`Skip`](crate::Unmappable::Skip); and an exact count is a second conversion.
//!
//! While a result grows or shrinks, an allocator that copies holds it twice.

#![expect(clippy::cast_precision_loss, clippy::cast_sign_loss, reason = "estimates, never negative")]

use alloc::vec::Vec;
use core::{mem::MaybeUninit, ops::Range};

use crate::kernel::{Out, append};

/// Output units of the first piece. Results up to this length are allocated at their exact length.
const FIRST_PIECE: usize = 1024;
/// How much of a long input is looked at to tell how much of it is ASCII: so many windows of so many units.
const WINDOWS: usize = 32;
const WINDOW: usize = 32;
/// Units to spare that do not matter.
const SPARE: usize = 64;

/// How many units of output a unit of input is likely to give.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Likely {
    pub(crate) of_ascii: f64,
    /// One that is not ASCII, as long as nothing better is known.
    pub(crate) of_others: f64,
}

/// Collects what `convert` writes, behind `same`. It is called with how many units of `src` are read so far, and answers how
/// many more it read and whether it stopped only for want of room. Without `likely`, units below 0x80 are no ASCII. A unit of
/// text gives `most` units at most, unless it is full of errors.
pub(crate) fn collect<S: Copy + Into<u32>, T: Copy>(
    same: &[T],
    src: &[S],
    likely: Option<Likely>,
    most: f64,
    mut convert: impl FnMut(usize, &mut Out<'_, T>) -> (usize, bool),
) -> Vec<T> {
    let mut piece = [const { MaybeUninit::uninit() }; FIRST_PIECE];
    let mut out = Out::uninit(&mut piece);
    let (mut read, mut full) = convert(0, &mut out);
    // No slice is longer than `isize::MAX` bytes, and the piece is short: the sum fits into 32 bits, too.
    let len = same.len() + out.filled();
    let cap = |rest: usize, len: usize| {
        let of_text = ((rest as f64 * most) as usize).saturating_add(SPARE);
        let longest = isize::MAX.unsigned_abs() / size_of::<T>().max(1);
        // If not even a little more fits into the address space, to reserve it panics, as for any `Vec`.
        of_text.max(len).min(longest.saturating_sub(len)).max(SPARE)
    };
    let room = if full { estimate(src, 0..read, out.filled(), likely).min(cap(src.len() - read, len)) } else { 0 };
    let mut result = Vec::with_capacity(len.saturating_add(room));
    result.extend_from_slice(same);
    result.extend_from_slice(out.written());
    let mut room = room;
    while full {
        result.reserve_exact(room);
        let (from, before) = (read, result.len());
        let (more, stopped) = append(&mut result, 0, |out| convert(from, out));
        (read, full) = (from + more, stopped);
        let given = result.len() - before;
        room = estimate(src, from..read, given, likely).min(cap(src.len() - read, result.len()));
    }
    if result.capacity() - result.len() > result.len() / 2 + SPARE {
        result.shrink_to_fit();
    }
    result
}

/// How many units the rest of `src` will give, and some to spare, if it is like `done`, which has given `given`.
fn estimate<S: Copy + Into<u32>>(src: &[S], done: Range<usize>, given: usize, likely: Option<Likely>) -> usize {
    let rest = &src[done.end..];
    let each = match likely {
        None => given as f64 / done.len().max(1) as f64,
        Some(Likely { of_ascii, of_others }) => {
            let others = count_others(&src[done.clone()]);
            let of_others = match others {
                0 => of_others,
                _ => (given as f64 - (done.len() - others) as f64 * of_ascii).max(0.0) / others as f64,
            };
            of_ascii + share_of_others(rest) * (of_others - of_ascii)
        }
    };
    ((rest.len() as f64 * each * 1.0625) as usize).saturating_add(SPARE)
}

/// The share of units outside ASCII, by windows at equal distances.
fn share_of_others<S: Copy + Into<u32>>(units: &[S]) -> f64 {
    let step = (units.len() / WINDOWS).max(WINDOW);
    let windows = units.chunks(step).map(|chunk| &chunk[..chunk.len().min(WINDOW)]);
    let (others, all) =
        windows.fold((0, 0), |(others, all), window| (others + count_others(window), all + window.len()));
    others as f64 / all.max(1) as f64
}

fn count_others<S: Copy + Into<u32>>(units: &[S]) -> usize {
    // A sum of bytes is a sum of vectors.
    let count = |window: &[S]| window.iter().map(|&unit| u8::from(unit.into() >= 0x80)).sum::<u8>();
    units.chunks(WINDOW).map(|window| usize::from(count(window))).sum()
}
