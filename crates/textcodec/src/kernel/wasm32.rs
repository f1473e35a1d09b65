//! WebAssembly: simd128, where the module is compiled with it.

use super::{Kernels, v128};

/// The one level that is known when the program is compiled.
pub(super) fn available() -> impl Iterator<Item = &'static Kernels> {
    core::iter::once(&SIMD128)
}

static SIMD128: Kernels = Kernels { name: "simd128", ..v128::KERNELS }.for_this_build();
