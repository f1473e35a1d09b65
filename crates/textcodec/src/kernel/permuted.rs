//! Bytes in another order than ASCII and an upper half, to UTF-8 and UTF-16.

use core::mem::MaybeUninit;

use super::{Kernels, Out, tables::UpperHalf};

/// Kernels that change the order of the bytes and convert them in one step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fused {
    /// The order, the upper half, and the same as in [`Kernels::single_byte_to_utf8`].
    pub(crate) to_utf8: fn(&[u8; 256], &UpperHalf, &[u8], &mut Out<'_, u8>) -> usize,
    pub(crate) to_utf16: fn(&[u8; 256], &UpperHalf, &[u8], &mut Out<'_, u16>) -> usize,
}

/// Bytes in a block.
const BLOCK: usize = 1024;
/// The first block of a call. The next ones are of full size, so that a kernel that stops early has not changed the order of many
/// bytes in vain.
const FIRST_BLOCK: usize = 128;

impl Kernels {
    /// Converts like [`single_byte_to_utf8`](Self::single_byte_to_utf8), after each byte is replaced by its entry in `order`.
    #[inline]
    pub(crate) fn permuted_to_utf8(
        &self,
        order: &[u8; 256],
        upper: &UpperHalf,
        src: &[u8],
        out: &mut Out<'_, u8>,
    ) -> usize {
        match self.fused {
            Some(fused) => (fused.to_utf8)(order, upper, src, out),
            None => self.in_blocks(order, src, |block| (self.single_byte_to_utf8)(upper, block, out)),
        }
    }

    /// Converts like [`single_byte_to_utf16`](super::utf16::Utf16Kernels::single_byte_to_utf16), after each byte is replaced by its entry in `order`.
    #[inline]
    pub(crate) fn permuted_to_utf16(
        &self,
        order: &[u8; 256],
        upper: &UpperHalf,
        src: &[u8],
        out: &mut Out<'_, u16>,
    ) -> usize {
        match self.fused {
            Some(fused) => (fused.to_utf16)(order, upper, src, out),
            None => self.in_blocks(order, src, |block| (self.utf16().single_byte_to_utf16)(upper, block, out)),
        }
    }

    /// Converts blocks in the other order, up to the first that is not converted completely.
    #[inline]
    fn in_blocks(&self, order: &[u8; 256], src: &[u8], mut convert: impl FnMut(&[u8]) -> usize) -> usize {
        let mut block = [const { MaybeUninit::uninit() }; BLOCK];
        let (mut size, mut read) = (FIRST_BLOCK, 0);
        while read < src.len() {
            let len = size.min(src.len() - read);
            let mut stage = Out::uninit(&mut block);
            (self.permute)(order, &src[read..read + len], &mut stage);
            let converted = convert(stage.written());
            read += converted;
            if converted < len {
                break;
            }
            size = BLOCK;
        }
        read
    }
}
