//! Look-ups in 128 bytes, for levels whose instructions look up 16. NEON has its own, for 64.

use super::Vector;

/// A table of 128 bytes.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a>(&'a [u8; 128]);

impl<'a> Rows<'a> {
    #[inline]
    pub(super) fn load(bytes: &'a [u8; 128]) -> Self {
        Self(bytes)
    }

    /// Looks up the byte at each index: 0 for an index from 0x80 on.
    #[cfg_attr(textcodec_small, inline(never))]
    #[cfg_attr(not(textcodec_small), inline)]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.1,popcnt"))]
    pub(super) fn look_up(self, indices: Vector) -> Vector {
        // Each index is in one of eight rows of 16.
        let mut found = Vector::zero();
        for (number, row) in self.0.as_chunks().0.iter().enumerate() {
            let within = indices.xor(Vector::splat((number as u8) << 4));
            found = found.or(Vector::load(row).swizzle_within(within));
        }
        found
    }
}
