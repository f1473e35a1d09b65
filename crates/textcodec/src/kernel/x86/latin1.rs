//! Latin-1 for AVX2 and AVX-512, whose kernels differ only in their vectors.

/// Defines a level's kernels for Latin-1, with its functions `encode` and `decode_step`.
macro_rules! kernels {
    ($level:ident, $features:literal) => {
        use $crate::kernel::{
            Out,
            drivers::{
                self, LONG,
                ascii::{widened_run, widened_step},
                from_utf8, to_utf8,
            },
            tables::ByteOrder,
        };

        #[target_feature(enable = $features)]
        pub(crate) fn to_utf8(src: &[u8], out: &mut Out<'_, u8>) -> usize {
            let ascii_len = if ascii::begins_with_run(src) { ascii::copy(src, out) } else { 0 };
            let simd = $level::new();
            let (same, first_two, third) = (|bytes| bytes, |bytes, _| (encode(bytes), 0, 0), |_| simd.splat(0));
            // SAFETY: the mask of third bytes is always 0.
            ascii_len + unsafe { to_utf8::to_utf8(simd, &src[ascii_len..], out, same, first_two, third) }
        }

        #[target_feature(enable = $features)]
        pub(crate) fn from_utf8(src: &[u8], out: &mut Out<'_, u8>) -> usize {
            let ascii_len = if ascii::begins_with_run(src) { ascii::copy(src, out) } else { 0 };
            let simd = $level::new();
            ascii_len + from_utf8::from_utf8(simd, &src[ascii_len..], out, |src| decode_step(src))
        }

        /// Converts bytes to code units.
        #[inline]
        #[target_feature(enable = $features)]
        pub(crate) fn to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
            let simd = $level::new();
            if src.len() >= LONG {
                to_utf16_long(src, out)
            } else {
                drivers::one_to_one(simd, src, out, |src| (widened_step(simd, ByteOrder::Little, src).0, 0))
            }
        }

        #[inline(never)]
        #[target_feature(enable = $features)]
        fn to_utf16_long(src: &[u8], out: &mut Out<'_, u16>) -> usize {
            let simd = $level::new();
            drivers::in_runs(
                simd,
                src,
                out,
                |run| Some(widened_run(simd, ByteOrder::Little, run)),
                |src| (widened_step(simd, ByteOrder::Little, src).0, 0),
            )
        }

        /// Converts code units to bytes.
        #[inline]
        #[target_feature(enable = $features)]
        pub(crate) fn from_utf16(src: &[u16], out: &mut Out<'_, u8>) -> usize {
            ascii::narrow(0xFF, src, out)
        }
    };
}
pub(super) use kernels;
