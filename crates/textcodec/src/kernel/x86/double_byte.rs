//! What the kernels of AVX2 and AVX-512 that decode pairs share.

/// Bytes of a step.
pub(crate) const STEP: usize = 64;
/// The maximum number of steps of a pass.
pub(crate) const STEPS: usize = 8;
/// The maximum number of steps of the first pass. An unmapped pair is found only at the end of a pass, so a kernel must not look
/// far ahead before it has converted anything.
pub(crate) const FIRST_STEPS: usize = 2;
/// Steps with at least this many bytes of ASCII are converted character by character.
pub(crate) const SPARSE: u32 = 40;
