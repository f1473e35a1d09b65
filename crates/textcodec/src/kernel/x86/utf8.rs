//! UTF-8 for AVX2 and AVX-512: the entry points, which differ in the vectors of a `Window` and in `to_units`.

/// Defines these kernels of a level.
macro_rules! kernels {
    ($level:ident, $features:literal) => {
        #[target_feature(enable = $features)]
        pub(crate) fn prefix(src: &[u8]) -> usize {
            utf8::prefix($level::new(), src, |src, at, bytes| errors(src, at, bytes), |src| prefix_of_long(src))
        }

        #[inline(never)]
        #[target_feature(enable = $features)]
        fn prefix_of_long(src: &[u8]) -> usize {
            let simd = $level::new();
            utf8::prefix_of_long(simd, src, |src, at, bytes| errors(src, at, bytes), |run| errors_of_run(run))
        }

        #[target_feature(enable = $features)]
        pub(crate) fn copy(src: &[u8], out: &mut Out<'_, u8>) -> usize {
            utf8::copy($level::new(), src, out, |src, at, bytes| errors(src, at, bytes), |run| errors_of_run(run))
        }

        /// Returns the errors of a block or of the tail of `src`.
        #[inline]
        #[target_feature(enable = $features)]
        fn errors(src: &[u8], at: usize, bytes: <$level as Simd<LANES>>::Vector) -> <$level as Simd<LANES>>::Vector {
            Window::around(src, at, bytes).errors()
        }

        /// Returns the errors of two blocks, which are preceded by three bytes.
        #[inline]
        #[target_feature(enable = $features)]
        fn errors_of_run(seen: &[u8]) -> <$level as Simd<LANES>>::Vector {
            let errors = |n| Window::within(seen[n * STEP..].first_chunk().expect("a block and three bytes")).errors();
            or(errors(0), errors(1))
        }

        /// Does the same as [`to_utf16`], in a byte order. Known validity gains too little for a second copy of the loops.
        #[target_feature(enable = $features)]
        pub(crate) fn str_to_utf16(order: ByteOrder, src: &str, out: &mut Out<'_, u16>) -> usize {
            to_units(order, src.as_bytes(), out)
        }

        #[target_feature(enable = $features)]
        pub(crate) fn to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
            to_units(ByteOrder::Little, src, out)
        }
    };
}
pub(super) use kernels;
