//! UTF-16 for AVX2 and AVX-512: the kernels that check or copy code units.

/// Defines these kernels of a level, with its function `copy`.
macro_rules! kernels {
    ($features:literal) => {
        /// Returns how many code units precede the first unpaired surrogate.
        #[target_feature(enable = $features)]
        pub(crate) fn prefix(src: &[u16]) -> usize {
            copy::<false, false, false>(bytes_of(src), &mut [])
        }

        /// Reads code units from bytes in a byte order.
        #[target_feature(enable = $features)]
        pub(crate) fn from_bytes(order: ByteOrder, src: &[u8], out: &mut Out<'_, u16>) -> usize {
            let src = &src[..2 * (src.len() / 2).min(out.spare_len())];
            // SAFETY: only initialised values are stored in the slots.
            let to = bytes_of_slots(unsafe { out.spare() });
            let read = match order {
                ByteOrder::Little => copy::<false, false, true>(src, to),
                ByteOrder::Big => copy::<true, false, true>(src, to),
            };
            // SAFETY: `copy` has written the first `2 * read` bytes of `to`, which are those of the first `read` spare slots.
            unsafe { out.advance(read) };
            read * 2
        }

        /// Writes code units as bytes in a byte order.
        #[target_feature(enable = $features)]
        pub(crate) fn to_bytes(order: ByteOrder, src: &[u16], out: &mut Out<'_, u8>) -> usize {
            let src = bytes_of(&src[..src.len().min(out.spare_len() / 2)]);
            let read = match order {
                // SAFETY: only initialised values are stored in the slots.
                ByteOrder::Little => copy::<false, false, true>(src, unsafe { out.spare() }),
                // SAFETY: only initialised values are stored in the slots.
                ByteOrder::Big => copy::<false, true, true>(src, unsafe { out.spare() }),
            };
            // SAFETY: `copy` has written the first `2 * read` spare slots.
            unsafe { out.advance(read * 2) };
            read
        }
    };
}
pub(super) use kernels;
