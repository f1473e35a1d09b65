//! UTF-16 for AVX2 and AVX-512: what their kernels share.

/// Defines a level's kernels that check or copy code units, with its function `copy`.
macro_rules! kernels {
    ($features:literal) => {
        /// How many code units the input begins with before an unpaired surrogate.
        #[target_feature(enable = $features)]
        pub(crate) fn prefix(src: &[u16]) -> usize {
            copy::<false, false, false>(bytes_of(src), &mut [])
        }

        /// From bytes in an order.
        #[target_feature(enable = $features)]
        pub(crate) fn from_bytes(order: ByteOrder, src: &[u8], out: &mut Out<'_, u16>) -> usize {
            let src = &src[..2 * (src.len() / 2).min(out.spare_len())];
            let to = bytes_of_slots(out.spare());
            let read = match order {
                ByteOrder::Little => copy::<false, false, true>(src, to),
                ByteOrder::Big => copy::<true, false, true>(src, to),
            };
            // SAFETY: `copy` has written the first `read` spare slots: `2 * read <= src.len() <= to.len()`.
            unsafe { out.advance(read) };
            read * 2
        }

        /// To bytes in an order.
        #[target_feature(enable = $features)]
        pub(crate) fn to_bytes(order: ByteOrder, src: &[u16], out: &mut Out<'_, u8>) -> usize {
            let src = bytes_of(&src[..src.len().min(out.spare_len() / 2)]);
            let read = match order {
                ByteOrder::Little => copy::<false, false, true>(src, out.spare()),
                ByteOrder::Big => copy::<false, true, true>(src, out.spare()),
            };
            // SAFETY: `copy` has written the first `2 * read` spare slots: `2 * read <= src.len() <= out.spare_len()`.
            unsafe { out.advance(read * 2) };
            read
        }
    };
}
pub(super) use kernels;
