//! ASCII for AVX2 and AVX-512, whose kernels differ only in their vectors.

/// Defines a level's kernels for ASCII, with its function `copy_long`.
macro_rules! kernels {
    ($level:ident, $features:literal) => {
        use $crate::kernel::{
            Out,
            drivers::{self, LONG, ascii},
            simd::Simd as _,
            tables::ByteOrder,
        };

        /// Returns the length of the input's ASCII prefix.
        #[target_feature(enable = $features)]
        pub(crate) fn prefix(src: &[u8]) -> usize {
            ascii::prefix($level::new(), src)
        }

        /// Returns the length of the input's longest prefix of ASCII bytes other than three.
        #[target_feature(enable = $features)]
        pub(crate) fn prefix_without(excluded: [u8; 3], src: &[u8]) -> usize {
            ascii::prefix_without($level::new(), excluded, src)
        }

        /// Copies ASCII.
        #[target_feature(enable = $features)]
        pub(crate) fn copy(src: &[u8], out: &mut Out<'_, u8>) -> usize {
            let simd = $level::new();
            if src.len() >= LONG {
                copy_long(src, out)
            } else {
                drivers::one_to_one(simd, src, out, |src| ascii::step(simd, src))
            }
        }

        /// Converts ASCII to code units.
        #[inline]
        #[target_feature(enable = $features)]
        pub(crate) fn to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
            widen(ByteOrder::Little, src, out)
        }

        /// Converts ASCII to code units in a byte order.
        #[target_feature(enable = $features)]
        pub(crate) fn widen(order: ByteOrder, src: &[u8], out: &mut Out<'_, u16>) -> usize {
            let simd = $level::new();
            if src.len() >= LONG {
                widen_long(order, src, out)
            } else {
                drivers::one_to_one(simd, src, out, |src| ascii::widened_step(simd, order, src))
            }
        }

        #[inline(never)]
        #[target_feature(enable = $features)]
        fn widen_long(order: ByteOrder, src: &[u8], out: &mut Out<'_, u16>) -> usize {
            let simd = $level::new();
            let run = |run: &_| {
                let is_ascii = simd.is_ascii(ascii::load_run(simd, run));
                is_ascii.then(|| ascii::widened_run(simd, order, run))
            };
            drivers::in_runs(simd, src, out, run, |src| ascii::widened_step(simd, order, src))
        }

        /// Converts code units to ASCII.
        #[inline]
        #[target_feature(enable = $features)]
        pub(crate) fn from_utf16(src: &[u16], out: &mut Out<'_, u8>) -> usize {
            narrow(0x7F, src, out)
        }

        /// Converts code units to bytes, up to the first unit with bits outside `mask`, which is 0x7F or 0xFF.
        #[inline]
        #[target_feature(enable = $features)]
        pub(crate) fn narrow(mask: u16, src: &[u16], out: &mut Out<'_, u8>) -> usize {
            let simd = $level::new();
            if src.len() >= LONG {
                narrow_long(mask, src, out)
            } else {
                drivers::one_to_one(simd, src, out, |src| ascii::narrow_step(simd, mask, src))
            }
        }

        #[inline(never)]
        #[target_feature(enable = $features)]
        fn narrow_long(mask: u16, src: &[u16], out: &mut Out<'_, u8>) -> usize {
            let simd = $level::new();
            let run = |run: &_| ascii::narrow_run(simd, mask, run);
            drivers::in_runs(simd, src, out, run, |src| ascii::narrow_step(simd, mask, src))
        }

        /// Returns whether a long input begins with a run of ASCII, which [`copy`] stores aligned.
        #[inline]
        #[target_feature(enable = $features)]
        pub(crate) fn begins_with_run(src: &[u8]) -> bool {
            ascii::begins_with_run($level::new(), src)
        }
    };
}
pub(super) use kernels;
