//! UTF-32, and two scans of UTF-16: loops over blocks of units, without vector instructions. The compiler makes vectors of them,
//! as wide as the features of the function into which they are inlined allow. So they serve all architectures. Text in which surrogate
//! pairs and other units alternate is left to an argument: the scalar reference, or a function with vector instructions on x86.
//!
//! These operations have a table of their own, [`Utf32Kernels`], and are compiled only by programs that use them. In [`Kernels`],
//! they would be in every program, because a program has the tables of all levels.

use super::{Kernels, Out, reference::utf32 as reference};

/// The operations of a level, as in [`Kernels`].
pub(crate) struct Utf32Kernels {
    pub(crate) utf16_to_utf32: fn(&[u16], &mut Out<'_, u32>) -> usize,
    pub(crate) utf32_to_utf16: fn(&[u32], &mut Out<'_, u16>) -> usize,
    /// Scalar values.
    pub(crate) utf32_prefix: fn(&[u32]) -> usize,
    /// UTF-16 without surrogates, paired or not.
    pub(crate) surrogate_free_prefix: fn(&[u16]) -> usize,
    /// Returns the greatest code unit, or 0 if there is none. Reads all units.
    pub(crate) max_unit: fn(&[u16]) -> u16,
}

/// Those of the scalar level.
const SCALAR: &Utf32Kernels = &Utf32Kernels {
    utf16_to_utf32: reference::from_utf16,
    utf32_to_utf16: reference::to_utf16,
    utf32_prefix: reference::prefix,
    surrogate_free_prefix: reference::surrogate_free,
    max_unit: reference::max_unit,
};

impl Utf32Kernels {
    /// Returns the functions of a level: the scalar ones, unless the architecture knows the level.
    #[inline]
    pub(crate) fn of(level: &Kernels) -> &'static Self {
        super::arch::utf32(level).unwrap_or(SCALAR)
    }

    /// Returns the functions of the level in use.
    #[inline]
    pub(crate) fn best() -> &'static Self {
        Self::of(Kernels::best())
    }
}

/// Units in a step.
const STEP: usize = 32;
/// The number of units that `mixed` converts where a step has both surrogates and other units. After each failed step it doubles,
/// up to the greatest.
const MIXED: [usize; 2] = [32, 256];

/// Converts steps without surrogates and steps of pairs. `mixed` converts other text: it reads as far as the scalar reference.
#[inline(always)]
pub(super) fn from_utf16(
    src: &[u16],
    out: &mut Out<'_, u32>,
    mixed: impl Fn(&[u16], &mut Out<'_, u32>) -> usize,
) -> usize {
    let (mut read, mut len) = (0, MIXED[0]);
    loop {
        let before = read;
        while let Some(units) = src[read..].first_chunk()
            && !has_surrogate(units)
            && out.extend(&widen(units))
        {
            read += STEP;
        }
        while let Some(units) = src[read..].first_chunk()
            && let Some(code_points) = join_pairs(units)
            && out.extend(&code_points)
        {
            read += STEP;
        }
        len = if read == before { MIXED[1].min(2 * len) } else { MIXED[0] };
        match mixed(&src[read..src.len().min(read + len)], out) {
            0 => return read,
            converted => read += converted,
        }
    }
}

/// Converts steps of the Basic Multilingual Plane and steps beyond it. `mixed` converts other text: it reads as far as the scalar
/// reference.
#[inline(always)]
pub(super) fn to_utf16(
    src: &[u32],
    out: &mut Out<'_, u16>,
    mixed: impl Fn(&[u32], &mut Out<'_, u16>) -> usize,
) -> usize {
    let (mut read, mut len) = (0, MIXED[0]);
    loop {
        let before = read;
        while let Some(code_points) = src[read..].first_chunk()
            && is_bmp(code_points)
            && out.extend(&narrow(code_points))
        {
            read += STEP;
        }
        while let Some(code_points) = src[read..].first_chunk()
            && let Some(units) = split_into_pairs(code_points)
            && out.extend(&units)
        {
            read += STEP / 2;
        }
        len = if read == before { MIXED[1].min(2 * len) } else { MIXED[0] };
        match mixed(&src[read..src.len().min(read + len)], out) {
            0 => return read,
            converted => read += converted,
        }
    }
}

#[inline(always)]
pub(super) fn prefix(src: &[u32]) -> usize {
    let mut read = 0;
    while let Some(code_points) = src[read..].first_chunk::<STEP>() {
        // As in `char::from_u32`: afterwards, surrogates wrap around to the greatest numbers, and scalar values are below a limit.
        let greatest =
            code_points.iter().fold(0, |max: u32, code_point| max.max((code_point ^ 0xD800).wrapping_sub(0x800)));
        if greatest >= 0x11_0000 - 0x800 {
            break;
        }
        read += STEP;
    }
    read + reference::prefix(&src[read..])
}

#[inline(always)]
pub(super) fn surrogate_free(src: &[u16]) -> usize {
    let mut read = 0;
    while let Some(units) = src[read..].first_chunk()
        && !has_surrogate(units)
    {
        read += STEP;
    }
    read + reference::surrogate_free(&src[read..])
}

#[inline(always)]
pub(super) fn max_unit(src: &[u16]) -> u16 {
    src.iter().fold(0, |max, &unit| max.max(unit))
}

#[inline(always)]
fn has_surrogate(units: &[u16; STEP]) -> bool {
    let mut any = false;
    for unit in units {
        // Without `|=`, the loop would end at the first surrogate, and compilers would not make vectors of it.
        any |= unit & 0xF800 == 0xD800;
    }
    any
}

#[inline(always)]
fn widen(units: &[u16; STEP]) -> [u32; STEP] {
    let mut code_points = [0; STEP];
    for (code_point, &unit) in code_points.iter_mut().zip(units) {
        *code_point = unit.into();
    }
    code_points
}

/// Returns the code points of surrogate pairs, if all units are pairs.
#[inline(always)]
fn join_pairs(units: &[u16; STEP]) -> Option<[u32; STEP / 2]> {
    let (mut code_points, mut others) = ([0; STEP / 2], 0);
    for (code_point, &[high, low]) in code_points.iter_mut().zip(units.as_chunks().0) {
        let pair = u32::from(high) << 16 | u32::from(low);
        others |= pair & 0xFC00_FC00 ^ 0xD800_DC00;
        *code_point = 0x10000 + ((pair >> 6 & 0xF_FC00) | pair & 0x3FF);
    }
    (others == 0).then_some(code_points)
}

/// Whether all are scalar values of the Basic Multilingual Plane.
#[inline(always)]
fn is_bmp(code_points: &[u32; STEP]) -> bool {
    let mut others = false;
    for &code_point in code_points {
        others |= code_point > 0xFFFF;
        others |= code_point & 0xF800 == 0xD800;
    }
    !others
}

/// Truncates to 16 bits.
#[inline(always)]
fn narrow(code_points: &[u32; STEP]) -> [u16; STEP] {
    let mut units = [0; STEP];
    for (unit, &code_point) in units.iter_mut().zip(code_points) {
        *unit = code_point as u16;
    }
    units
}

/// Returns surrogate pairs, if all code points are scalar values beyond the Basic Multilingual Plane.
#[inline(always)]
fn split_into_pairs(code_points: &[u32; STEP / 2]) -> Option<[u16; STEP]> {
    let (mut units, mut others) = ([0; STEP], false);
    for (pair, code_point) in units.as_chunks_mut().0.iter_mut().zip(code_points) {
        let beyond = code_point.wrapping_sub(0x10000);
        others |= beyond > 0xF_FFFF;
        *pair = [0xD800 | (beyond >> 10 & 0x3FF) as u16, 0xDC00 | (beyond & 0x3FF) as u16];
    }
    (!others).then_some(units)
}
