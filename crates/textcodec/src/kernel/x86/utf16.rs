//! UTF-16 for AVX2 and AVX-512: the kernels that check or copy code units.

/// Defines these kernels of a level.
macro_rules! kernels {
    ($level:ident, $features:literal) => {
        /// Returns how many code units precede the first unpaired surrogate.
        #[target_feature(enable = $features)]
        pub(crate) fn prefix(src: &[u16]) -> usize {
            // SAFETY: code units have two bytes each, and nothing is copied.
            unsafe { copy::<false, false, false>(bytes_of(src), &mut []) }
        }

        /// Reads code units from bytes in a byte order.
        #[inline]
        #[target_feature(enable = $features)]
        pub(crate) fn from_bytes(order: ByteOrder, src: &[u8], out: &mut Out<'_, u16>) -> usize {
            let len = (src.len() / 2).min(out.spare_len());
            let src = &src[..2 * len];
            // SAFETY: only initialised values are stored in the slots.
            let to = bytes_of_slots(&mut unsafe { out.spare() }[..len]);
            // SAFETY: `src` and `to` have `2 * len` bytes each.
            let read = unsafe {
                match order {
                    ByteOrder::Little => copy::<false, false, true>(src, to),
                    ByteOrder::Big => copy::<true, false, true>(src, to),
                }
            };
            // SAFETY: `copy` has written the first `2 * read` bytes of `to`, which are those of the first `read` spare slots.
            unsafe { out.advance(read) };
            read * 2
        }

        /// Writes code units as bytes in a byte order.
        #[target_feature(enable = $features)]
        pub(crate) fn to_bytes(order: ByteOrder, src: &[u16], out: &mut Out<'_, u8>) -> usize {
            let src = bytes_of(&src[..src.len().min(out.spare_len() / 2)]);
            // SAFETY: only initialised values are stored in the slots.
            let to = &mut unsafe { out.spare() }[..src.len()];
            // SAFETY: `src` and `to` have as many bytes, two for each code unit.
            let read = unsafe {
                match order {
                    ByteOrder::Little => copy::<false, false, true>(src, to),
                    ByteOrder::Big => copy::<false, true, true>(src, to),
                }
            };
            // SAFETY: `copy` has written the first `2 * read` spare slots.
            unsafe { out.advance(read * 2) };
            read
        }

        /// Reads code units from bytes in a byte order, replaces unpaired surrogates, and adds their number to `replaced`.
        #[target_feature(enable = $features)]
        pub(crate) fn from_bytes_replaced(
            order: ByteOrder,
            src: &[u8],
            out: &mut Out<'_, u16>,
            replaced: &mut u64,
        ) -> usize {
            // SAFETY: only initialised values are stored in the slots.
            let to = unsafe { out.spare() };
            let read = drivers::utf16::replace($level::new(), order, src.as_chunks().0, to, replaced);
            // SAFETY: `replace` has written the first `read` spare slots.
            unsafe { out.advance(read) };
            2 * read + reference::utf16::from_bytes_replaced(order, &src[2 * read..], out, replaced)
        }

        /// See [`drivers::utf16::copy`]. Not inlined, because two kernels make the same copy.
        ///
        /// # Safety
        /// The same conditions as for the driver.
        #[inline(never)]
        #[target_feature(enable = $features)]
        unsafe fn copy<const FROM_BIG: bool, const TO_BIG: bool, const COPY: bool>(
            src: &[u8],
            dst: &mut [MaybeUninit<u8>],
        ) -> usize {
            let shared = drivers::utf16::Shared { copy_dense, copy_part };
            // SAFETY: this function's contract, and this function has the features of the level.
            unsafe { drivers::utf16::copy::<_, FROM_BIG, TO_BIG, COPY, _>($level::new(), src, dst, shared) }
        }

        /// See [`drivers::utf16::copy_dense`].
        #[cold]
        #[target_feature(enable = $features)]
        fn copy_dense(
            orders: [ByteOrder; 2],
            src: &[u8],
            dst: drivers::utf16::Destination<'_>,
            range: Range<usize>,
        ) -> (usize, bool) {
            drivers::utf16::copy_dense($level::new(), orders, src, dst, range)
        }

        /// See [`drivers::utf16::copy_part`].
        #[cold]
        #[target_feature(enable = $features)]
        fn copy_part(orders: [ByteOrder; 2], src: &[u8], dst: drivers::utf16::Destination<'_>) -> usize {
            drivers::utf16::copy_part($level::new(), orders, src, dst)
        }
    };
}
pub(super) use kernels;
