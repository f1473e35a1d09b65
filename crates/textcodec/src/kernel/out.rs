//! The output cursor: the destination of every conversion.

use core::{mem::MaybeUninit, ptr};

use super::block::rest_mut;

/// A slice that is filled from the front. The slots after the first `filled` ones are scratch space.
///
/// Invariant: `slots[..filled]` is initialised, `filled` never decreases, and an initialised slot stays initialised.
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
        // SAFETY: `MaybeUninit<T>` has the layout of `T`, and the borrow has the same lifetime. The slots stay initialised, by
        // the invariant of `Out`.
        Self::uninit(unsafe { &mut *(slots as *mut [MaybeUninit<T>]) })
    }

    /// Returns the number of elements written.
    pub(crate) fn filled(&self) -> usize {
        self.filled
    }

    /// Returns the number of elements that still fit.
    pub(crate) fn spare_len(&self) -> usize {
        self.slots.len() - self.filled
    }

    /// Returns the elements written so far.
    pub(crate) fn written(&self) -> &[T] {
        let written: *const [MaybeUninit<T>] = &raw const self.slots[..self.filled];
        // SAFETY: `slots[..filled]` is initialised, by the invariant of `Out`.
        unsafe { &*(written as *const [T]) }
    }

    /// Returns the slots that are not filled. All of them may be written before [`advance`](Self::advance).
    ///
    /// # Safety
    /// An initialised slot must stay initialised: the slots may be those of a `&mut [T]`.
    #[inline(always)]
    pub(crate) unsafe fn spare(&mut self) -> &mut [MaybeUninit<T>] {
        // SAFETY: `filled <= slots.len()`, by the invariant of `Out`.
        unsafe { rest_mut(self.slots, self.filled) }
    }

    /// Marks the first `count` [`spare`](Self::spare) slots as filled.
    ///
    /// # Safety
    /// `count <= spare_len()`, and these slots are initialised.
    #[inline(always)]
    pub(crate) unsafe fn advance(&mut self, count: usize) {
        if cfg!(any(debug_assertions, textcodec_checked)) {
            assert!(count <= self.spare_len(), "written past the end");
        }
        self.filled += count;
    }

    /// Writes one element. Returns false if it does not fit.
    #[inline(always)]
    pub(crate) fn push(&mut self, value: T) -> bool {
        let Some(slot) = self.slots.get_mut(self.filled) else { return false };
        slot.write(value);
        self.filled += 1;
        true
    }

    /// Writes all elements, or none and returns false if they do not fit.
    #[inline(always)]
    pub(crate) fn extend(&mut self, values: &[T]) -> bool {
        let Some(slots) = self.slots[self.filled..].get_mut(..values.len()) else { return false };
        let from: *const [T] = values;
        // SAFETY: `MaybeUninit<T>` has the layout of `T`, and the borrow ends before that of `values`.
        slots.copy_from_slice(unsafe { &*(from as *const [MaybeUninit<T>]) });
        self.filled += values.len();
        true
    }
}

impl<T> Out<'_, T> {
    /// Calls `write` with an `Out` over the spare slots. In a loop of short writes, this local `Out` stays in registers; `self`
    /// would be updated in memory at each write.
    #[inline(always)]
    pub(crate) fn write_locally<R>(&mut self, write: impl FnOnce(&mut Out<'_, T>) -> R) -> R {
        self.write_some(usize::MAX, write)
    }

    /// Calls `write` with an `Out` over the first `limit` spare slots, or all if there are fewer.
    #[inline(always)]
    pub(crate) fn write_some<R>(&mut self, limit: usize, write: impl FnOnce(&mut Out<'_, T>) -> R) -> R {
        let spare = &mut self.slots[self.filled..];
        let limit = limit.min(spare.len());
        let (result, filled) = fill(&mut spare[..limit], write);
        // The invariant of `self`: the first `filled` of its spare slots are initialised.
        self.filled += filled;
        result
    }
}

impl Out<'_, u8> {
    /// Calls `write` with an `Out` over the spare slots as code units. Returns `None` if they are at an odd address.
    #[inline(always)]
    pub(crate) fn write_units<R>(&mut self, write: impl FnOnce(&mut Out<'_, u16>) -> R) -> Option<R> {
        // SAFETY: a `MaybeUninit<u16>` may be any two slots. `units` is used by an `Out`, which keeps initialised slots
        // initialised.
        let (before, units, _) = unsafe { self.slots[self.filled..].align_to_mut::<MaybeUninit<u16>>() };
        if !before.is_empty() {
            return None;
        }
        let (result, filled) = fill(units, write);
        // The invariant of `self`: the first `filled` units are initialised, and each is two of the spare slots.
        self.filled += 2 * filled;
        Some(result)
    }
}

/// Calls `write` with an [`Out`] over `slots`. Returns its result and a number of slots: the first ones, which are initialised.
#[inline(always)]
fn fill<T, R>(slots: &mut [MaybeUninit<T>], write: impl FnOnce(&mut Out<'_, T>) -> R) -> (R, usize) {
    let lent: *const [MaybeUninit<T>] = slots;
    let mut out = Out { slots, filled: 0 };
    let result = write(&mut out);
    // `write` may assign another `Out` to its argument. `ptr::eq` compares the address and the length, so `out` is over the
    // same slots, and they are initialised by its invariant. If another `Out` is equal, both have no slots.
    assert!(ptr::eq(out.slots, lent), "`write` replaced its destination");
    (result, out.filled)
}

impl<T: Copy> Out<'_, T> {
    /// Writes the first `len` elements of `values`, or none and returns false if they do not fit. If all `N` fit, this is one
    /// store of fixed length, into scratch space after the first `len`.
    #[inline(always)]
    pub(crate) fn extend_some<const N: usize>(&mut self, values: &[T; N], len: usize) -> bool {
        match self.slots[self.filled..].first_chunk_mut::<N>() {
            Some(slots) => {
                let from: *const [T; N] = values;
                // SAFETY: `MaybeUninit<T>` has the layout of `T`, and the borrow ends before that of `values`.
                *slots = unsafe { *from.cast::<[MaybeUninit<T>; N]>() };
                self.filled += len.min(N);
                true
            }
            None => self.extend(&values[..len]),
        }
    }
}

/// Appends to `vec` what `write` writes to an [`Out`] over its spare capacity.
#[cfg(feature = "alloc")]
pub(crate) fn append<T: Copy, R>(vec: &mut alloc::vec::Vec<T>, write: impl FnOnce(&mut Out<'_, T>) -> R) -> R {
    let len = vec.len();
    let (result, filled) = fill(vec.spare_capacity_mut(), write);
    // SAFETY: the first `filled` elements of the spare capacity, which starts at `len`, are initialised. So
    // `len + filled <= vec.capacity()`.
    unsafe { vec.set_len(len + filled) };
    result
}

/// Calls `write` with an [`Out`] over the first `limit` bytes of `dst`, or all if it has fewer. Afterwards, the bytes from the
/// end of the written text up to `limit` are 0, and so are the continuation bytes after `limit` that have lost their lead byte.
///
/// # Safety
/// `write` must write whole characters of well-formed UTF-8. Decoders and kernels do.
pub(crate) unsafe fn write_to_str<R>(dst: &mut str, limit: usize, write: impl FnOnce(&mut Out<'_, u8>) -> R) -> R {
    let limit = dst.len().min(limit);
    // SAFETY: `dst` is valid UTF-8 again when `Restore` is dropped, also if `write` panics: the first `filled` bytes are whole
    // characters, by this function's contract, and `Restore` replaces the others that may have been overwritten.
    let mut dst = Restore { bytes: unsafe { dst.as_bytes_mut() }, limit, filled: 0 };
    let (result, filled) = fill(Out::new(&mut dst.bytes[..limit]).slots, write);
    debug_assert!(core::str::from_utf8(&dst.bytes[..filled]).is_ok());
    dst.filled = filled;
    result
}

/// The bytes of a `str`. The first `filled` bytes are whole characters; those up to `limit` may be anything until the drop.
struct Restore<'a> {
    bytes: &'a mut [u8],
    limit: usize,
    filled: usize,
}

impl Drop for Restore<'_> {
    fn drop(&mut self) {
        self.bytes[self.filled..self.limit].fill(0);
        // The continuation bytes of a character that starts before `limit`.
        self.bytes[self.limit..].iter_mut().take_while(|byte| **byte & 0xC0 == 0x80).for_each(|byte| *byte = 0);
    }
}
