//! UTF-32 on x86-64: the loops of `kernel/utf32.rs`, compiled for each level.

use crate::kernel::{Kernels, Out, utf32 as loops, utf32::Utf32Kernels};

/// Defines a level's table, and its kernels in a module.
macro_rules! level {
    ($table:ident, $level:ident, $features:literal) => {
        mod $level {
            use super::*;

            #[target_feature(enable = $features)]
            pub(super) fn from_utf16(src: &[u16], out: &mut Out<'_, u32>) -> usize {
                loops::from_utf16(src, out)
            }

            #[target_feature(enable = $features)]
            pub(super) fn to_utf16(src: &[u32], out: &mut Out<'_, u16>) -> usize {
                loops::to_utf16(src, out)
            }

            #[target_feature(enable = $features)]
            pub(super) fn prefix(src: &[u32]) -> usize {
                loops::prefix(src)
            }

            #[target_feature(enable = $features)]
            pub(super) fn surrogate_free(src: &[u16]) -> usize {
                loops::surrogate_free(src)
            }

            #[target_feature(enable = $features)]
            pub(super) fn max_unit(src: &[u16]) -> u16 {
                loops::max_unit(src)
            }
        }

        static $table: Utf32Kernels = Utf32Kernels {
            utf16_to_utf32: kernel!($level::from_utf16, src, out),
            utf32_to_utf16: kernel!($level::to_utf16, src, out),
            utf32_prefix: kernel!($level::prefix, src),
            surrogate_free_prefix: kernel!($level::surrogate_free, src),
            max_unit: kernel!($level::max_unit, src),
        };
    };
}

#[cfg(not(textcodec_small))]
level!(AVX512, avx512, "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt");
#[cfg(not(textcodec_small))]
level!(AVX2, avx2, "avx2,bmi1,bmi2,lzcnt,popcnt");
level!(SSE41, sse41, "sse4.1,popcnt");

/// Returns the functions of a level other than the scalar one.
pub(crate) fn of(level: &Kernels) -> &'static Utf32Kernels {
    let levels = [
        #[cfg(not(textcodec_small))]
        (&super::AVX512, &AVX512),
        #[cfg(not(textcodec_small))]
        (&super::AVX2, &AVX2),
        (&super::SSE41, &SSE41),
    ];
    levels.into_iter().find(|(kernels, _)| core::ptr::eq(*kernels, level)).map_or(&SSE41, |(_, ours)| ours)
}
