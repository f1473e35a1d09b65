//! Permutation of bytes: one per step. Over the spare slots, because `Out::push` makes it half as fast.

use crate::kernel::Out;

pub(crate) fn permute(table: &[u8; 256], src: &[u8], out: &mut Out<'_, u8>) -> usize {
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    let len = src.len().min(spare.len());
    for (slot, &byte) in spare[..len].iter_mut().zip(&src[..len]) {
        slot.write(table[usize::from(byte)]);
    }
    // SAFETY: the loop has initialised the first `len` slots, and `len <= spare.len()`, from `min`.
    unsafe { out.advance(len) };
    len
}
