//! The destination of every conversion: a slice that fills from the front.

use core::mem::MaybeUninit;

use super::block::rest_mut;

/// A slice of which the first `filled` elements are written; what is behind them is scratch.
///
/// Invariant: `slots[..filled]` is initialised, `filled` never shrinks, and no slot that was initialised ceases to be.
#[derive(Debug)]
pub(crate) struct Out<'a, T> {
    slots: &'a mut [MaybeUninit<T>],
    filled: usize,
}

impl<'a, T: Copy> Out<'a, T> {
    pub(crate) fn uninit(slots: &'a mut [MaybeUninit<T>]) -> Self {
        Self { slots, filled: 0 }
    }

    pub(crate) fn new(slots: &'a mut [T]) -> Self {
        let slots: *mut [T] = slots;
        // SAFETY: `MaybeUninit<T>` has the layout of `T`, the borrow lasts as long, and no method of `Out` writes an
        // uninitialised value, so the caller's elements stay initialised.
        Self::uninit(unsafe { &mut *(slots as *mut [MaybeUninit<T>]) })
    }

    /// How many elements are written.
    pub(crate) fn filled(&self) -> usize {
        self.filled
    }

    /// How many more fit.
    pub(crate) fn spare_len(&self) -> usize {
        self.slots.len() - self.filled
    }

    /// What is written so far.
    pub(crate) fn written(&self) -> &[T] {
        let written: *const [MaybeUninit<T>] = &raw const self.slots[..self.filled];
        // SAFETY: the invariant.
        unsafe { &*(written as *const [T]) }
    }

    /// The slots that are not yet filled. All of them may be written to before [`advance`](Self::advance).
    #[inline(always)]
    pub(crate) fn spare(&mut self) -> &mut [MaybeUninit<T>] {
        // SAFETY: `filled <= slots.len()`: the invariant.
        unsafe { rest_mut(self.slots, self.filled) }
    }

    /// Counts the first `count` of the [`spare`](Self::spare) slots as filled.
    ///
    /// # Safety
    /// `count <= spare().len()`, and these slots are initialised.
    #[inline(always)]
    pub(crate) unsafe fn advance(&mut self, count: usize) {
        if cfg!(any(debug_assertions, textcodec_checked)) {
            assert!(count <= self.spare_len(), "written past the end");
        }
        self.filled += count;
    }

    /// Writes one element; false where none fits.
    #[inline(always)]
    pub(crate) fn push(&mut self, value: T) -> bool {
        let Some(slot) = self.slots.get_mut(self.filled) else { return false };
        slot.write(value);
        self.filled += 1;
        true
    }

    /// Writes all elements, or none and false where they do not fit.
    #[inline(always)]
    pub(crate) fn extend(&mut self, values: &[T]) -> bool {
        let Some(slots) = self.slots[self.filled..].get_mut(..values.len()) else { return false };
        let from: *const [T] = values;
        // SAFETY: `MaybeUninit<T>` has the layout of `T`.
        slots.copy_from_slice(unsafe { &*(from as *const [MaybeUninit<T>]) });
        self.filled += values.len();
        true
    }
}

impl<T> Out<'_, T> {
    /// Calls `write` with an `Out` over the room. In a loop over short writes that local one stays in registers, where the
    /// caller's would be updated in memory at each of them.
    #[inline(always)]
    pub(crate) fn write_locally<R>(&mut self, write: impl FnOnce(&mut Out<'_, T>) -> R) -> R {
        let mut local = Out { slots: &mut self.slots[self.filled..], filled: 0 };
        let slots = local.slots.as_ptr();
        let result = write(&mut local);
        assert!(local.slots.as_ptr() == slots, "`write` has put another destination in this one's place");
        // The first `local.filled` slots of the room are initialised, by the invariant of `local`.
        self.filled += local.filled;
        result
    }
}

impl<T: Copy> Out<'_, T> {
    /// Writes the first `len` of `all`, or none and false where they do not fit. Where there is room for `all`, that is one store
    /// of known length, and what follows the first `len` is scratch.
    #[inline(always)]
    pub(crate) fn extend_some<const N: usize>(&mut self, all: &[T; N], len: usize) -> bool {
        match self.slots[self.filled..].first_chunk_mut::<N>() {
            Some(slots) => {
                *slots = all.map(MaybeUninit::new);
                self.filled += len.min(N);
                true
            }
            None => self.extend(&all[..len]),
        }
    }
}

/// Appends to `vec` what `write` writes into an [`Out`] with additional for at least `additional` more elements.
#[cfg(feature = "alloc")]
pub(crate) fn append<T: Copy, R>(
    vec: &mut alloc::vec::Vec<T>,
    additional: usize,
    write: impl FnOnce(&mut Out<'_, T>) -> R,
) -> R {
    vec.reserve(additional);
    let len = vec.len();
    let mut out = Out::uninit(vec.spare_capacity_mut());
    let slots = out.slots.as_ptr();
    let result = write(&mut out);
    assert!(out.slots.as_ptr() == slots, "`write` has put another destination in this one's place");
    let filled = out.filled;
    // SAFETY: `out` is still the one over the spare capacity (asserted), so its invariant says that `filled` elements after
    // the first `len` are initialised, and they lie within the capacity.
    unsafe { vec.set_len(len + filled) };
    result
}

/// Writes into the first `limit` bytes of `dst`, or all of them where it has fewer, and keeps it UTF-8: zeros take the place of
/// what `write` has overwritten behind the text. It must write whole characters in UTF-8, as decoders and kernels do.
pub(crate) fn write_to_str<R>(dst: &mut str, limit: usize, write: impl FnOnce(&mut Out<'_, u8>) -> R) -> R {
    let limit = dst.len().min(limit);
    // SAFETY: what `write` writes is UTF-8: `Unit::put` encodes a `char`, and the kernels' contract says so of theirs, which the
    // tests hold against the oracle. `Restore` makes what is behind it UTF-8 again when it is dropped, and all of the limit where
    // `write` panics.
    let mut dst = Restore { bytes: unsafe { dst.as_bytes_mut() }, limit, filled: 0 };
    let mut out = Out::new(&mut dst.bytes[..limit]);
    let slots = out.slots.as_ptr();
    let result = write(&mut out);
    assert!(out.slots.as_ptr() == slots, "`write` has put another destination in this one's place");
    debug_assert!(core::str::from_utf8(out.written()).is_ok());
    dst.filled = out.filled;
    result
}

/// The bytes of a `str`, of which the first `limit` may be anything behind the first `filled`, which are whole characters.
struct Restore<'a> {
    bytes: &'a mut [u8],
    limit: usize,
    filled: usize,
}

impl Drop for Restore<'_> {
    fn drop(&mut self) {
        self.bytes[self.filled..self.limit].fill(0);
        // And the rest of a character that begins within the limit.
        self.bytes[self.limit..].iter_mut().take_while(|byte| **byte & 0xC0 == 0x80).for_each(|byte| *byte = 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_str_stays_utf_8_whatever_is_overwritten() {
        for (limit, written) in (0..=12).flat_map(|limit| (0..=limit).map(move |written| (limit, written))) {
            let mut bytes: [u8; 11] = *"a\u{E9}\u{3042}\u{1F600}z".as_bytes().first_chunk().expect("11 bytes");
            let dst = core::str::from_utf8_mut(&mut bytes).expect("UTF-8");
            write_to_str(dst, limit, |out| {
                assert!(out.extend(&[b'w'; 12][..written.min(out.spare_len())]));
                out.spare().fill(MaybeUninit::new(0xFF));
            });
            let dst = core::str::from_utf8(&bytes).expect("still UTF-8");
            assert!(dst.bytes().take(written).all(|byte| byte == b'w'), "{dst:?}");
            assert!(limit > 10 || dst.ends_with('z'), "{dst:?}");
        }
    }

    #[test]
    fn extend_writes_all_or_nothing() {
        let mut slots = [9_u8; 4];
        let mut out = Out::new(&mut slots);
        assert!(out.extend(&[1, 2, 3]) && !out.extend(&[4, 5]) && out.push(4) && !out.push(5));
        assert_eq!((out.filled(), out.spare_len(), out.written()), (4, 0, &[1, 2, 3, 4][..]));
    }

    #[cfg(feature = "alloc")]
    #[test]
    fn append_keeps_what_was_there() {
        let mut vec = alloc::vec![1_u16];
        append(&mut vec, 2, |out| out.extend(&[2, 3]));
        assert_eq!(vec, [1, 2, 3]);
    }
}
