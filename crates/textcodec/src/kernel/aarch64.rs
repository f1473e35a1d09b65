//! aarch64: NEON, which every CPU has.

use super::{Kernels, v128};

/// The one level that is known when the program is compiled.
pub(super) fn available() -> impl Iterator<Item = &'static Kernels> {
    core::iter::once(&NEON)
}

static NEON: Kernels = Kernels { name: "neon", ..v128::KERNELS }.for_this_build();
