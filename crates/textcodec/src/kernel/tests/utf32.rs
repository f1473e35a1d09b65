//! Compares the functions of [`Utf32Kernels`] with the scalar reference, like `differential.rs`, and that with the standard
//! library; and runs them next to inaccessible pages, like `guard_pages.rs`.

use std::vec::Vec;

use super::{
    differential::{MAX_LEN, characters, compare, levels, selected},
    guard_pages::{Memory, lengths},
};
use crate::kernel::{Kernels, Out, SCALAR, arch, reference::KERNELS, utf32::Utf32Kernels};

/// Some numbers that are not scalar values, one for each way to miss it.
const INVALID: [u32; 7] = [0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x11_0000, 0xFFFF_0041, u32::MAX];

fn functions() -> impl Iterator<Item = (&'static Kernels, &'static Utf32Kernels)> {
    Kernels::available().map(|kernels| (kernels, Utf32Kernels::of(kernels)))
}

#[test]
fn each_level_but_the_scalar_one_has_other_functions() {
    for kernels in levels() {
        assert_eq!(arch::utf32(kernels).is_some(), !core::ptr::eq(kernels, &raw const SCALAR), "{kernels:?}");
    }
}

#[test]
fn a_level_that_is_not_listed_has_the_scalar_functions() {
    // Not those of a level whose instructions the CPU may lack.
    static OTHER: Kernels = KERNELS;
    assert!(arch::utf32(&OTHER).is_none());
}

/// Compares all functions with the scalar ones.
fn compare_units(units: &[u16], random: &mut fastrand::Rng) {
    let scalar = Utf32Kernels::of(&SCALAR);
    for kernels in levels() {
        let ours = Utf32Kernels::of(kernels);
        let prefix = (ours.surrogate_free_prefix)(units);
        assert_eq!(prefix, (scalar.surrogate_free_prefix)(units), "{kernels:?} {units:04X?}");
        assert_eq!((ours.max_unit)(units), (scalar.max_unit)(units), "{kernels:?} {units:04X?}");
    }
    compare(units, units.len(), 1, random, |kernels, src, out| (Utf32Kernels::of(kernels).utf16_to_utf32)(src, out));
}

fn compare_code_points(code_points: &[u32], random: &mut fastrand::Rng) {
    for kernels in levels() {
        let [ours, scalar] = [kernels, &SCALAR].map(|kernels| (Utf32Kernels::of(kernels).utf32_prefix)(code_points));
        assert_eq!(ours, scalar, "{kernels:?} {code_points:X?}");
    }
    compare(code_points, code_points.len(), 2, random, |kernels, src, out| {
        (Utf32Kernels::of(kernels).utf32_to_utf16)(src, out)
    });
}

#[test]
fn text() {
    let random = &mut fastrand::Rng::with_seed(51);
    for len in selected((0..MAX_LEN).chain(0..MAX_LEN).chain((MAX_LEN..1200).step_by(7))) {
        let text: Vec<char> = characters(4 * len, random).chars().take(len).collect();
        for invalid in [false, true] {
            let mut code_points: Vec<u32> = text.iter().map(|&c| c.into()).collect();
            let mut units: Vec<u16> = text.iter().flat_map(|c| c.encode_utf16(&mut [0; 2]).to_vec()).collect();
            if invalid {
                code_points.insert(random.usize(..=len), INVALID[random.usize(..INVALID.len())]);
                units.insert(random.usize(..=units.len()), random.u16(0xD800..0xE000));
            }
            compare_units(&units, random);
            compare_code_points(&code_points, random);
        }
    }
}

#[test]
fn one_other_unit_at_each_place() {
    let random = &mut fastrand::Rng::with_seed(52);
    for at in selected(0..100) {
        for (common, other) in
            [('あ', "😀"), ('a', "\u{FFFF}"), ('😀', "a"), ('😀', "\u{E000}\u{10FFFF}"), ('\u{10000}', "")]
        {
            let text: std::string::String = core::iter::repeat_n(common, at)
                .chain(other.chars())
                .chain(core::iter::repeat_n(common, 100))
                .collect();
            let mut units: Vec<u16> = text.encode_utf16().collect();
            let mut code_points: Vec<u32> = text.chars().map(Into::into).collect();
            compare_units(&units, random);
            compare_code_points(&code_points, random);
            code_points[at] = INVALID[random.usize(..INVALID.len())];
            compare_code_points(&code_points, random);
            units[at] ^= 0x0400;
            compare_units(&units, random);
        }
    }
}

/// Returns what a conversion reads and writes.
fn results<S, T: Copy + Default>(
    src: &[S],
    kernel: fn(&[S], &mut Out<'_, T>) -> usize,
    to: &mut [T],
) -> (usize, usize) {
    let mut out = Out::new(to);
    let read = kernel(src, &mut out);
    (read, out.filled())
}

#[test]
fn every_number_and_every_pair() {
    // All, except in Miri and on emulated machines.
    let step = if cfg!(miri) { 4099 } else { (1_usize << 20).div_ceil(testkit::rounds(1 << 20)) | 1 };
    for (level, functions) in functions() {
        // One number alone, and a step of it.
        for number in (0..0x11_0010).step_by(step).chain(INVALID) {
            let expected = char::from_u32(number);
            let (mut one, mut units) = ([0; 2], [0; 64]);
            let expected_units: &[u16] = expected.map_or(&[], |character| character.encode_utf16(&mut one));
            for len in [1, 32] {
                let src = &[number; 32][..len];
                let read = if expected.is_some() { len } else { 0 };
                assert_eq!((functions.utf32_prefix)(src), read, "{level:?} {number:X}");
                let written = read * expected_units.len();
                assert_eq!(results(src, functions.utf32_to_utf16, &mut units), (read, written), "{level:?} {number:X}");
                assert!(units[..written].chunks(expected_units.len().max(1)).all(|unit| unit == expected_units));
                let mut back = [0; 32];
                assert_eq!(results(&units[..written], functions.utf16_to_utf32, &mut back), (written, read));
                assert!(back[..read].iter().all(|&code_point| code_point == number), "{level:?} {number:X}");
            }
        }
        for unit in (0..=0xFFFF).step_by(step) {
            let is_surrogate = matches!(unit, 0xD800..=0xDFFF);
            let read = if is_surrogate { 0 } else { 32 };
            assert_eq!((functions.surrogate_free_prefix)(&[unit; 32]), read, "{level:?} {unit:04X}");
            assert_eq!(
                results(&[unit; 32], functions.utf16_to_utf32, &mut [0; 32]),
                (read, read),
                "{level:?} {unit:04X}"
            );
            assert_eq!((functions.max_unit)(&[unit; 70]), unit);
        }
    }
}

#[test]
fn the_greatest_unit_is_found_at_each_place() {
    for (level, functions) in functions() {
        assert_eq!((functions.max_unit)(&[]), 0, "{level:?}");
        for at in 0..100 {
            let mut units = [7; 100];
            units[at] = 0x8000 + at as u16;
            assert_eq!((functions.max_unit)(&units), units[at], "{level:?} {at}");
            assert_eq!((functions.max_unit)(&units[at..]), units[at], "{level:?} {at}");
            assert_eq!((functions.max_unit)(&units[..at]), if at == 0 { 0 } else { 7 }, "{level:?} {at}");
        }
    }
}

#[test]
fn kernels_stay_within_their_buffers() {
    let Some(mut memory) = Memory::new() else { return };
    let random = &mut fastrand::Rng::with_seed(53);
    let scalar = Utf32Kernels::of(&SCALAR);
    for len in (0..testkit::rounds(4)).flat_map(|_| lengths()) {
        for (_, functions) in functions() {
            let text: Vec<char> = characters(4 * len, random).chars().take(len).collect();
            let mut code_points: Vec<u32> = text.iter().map(|&c| c.into()).collect();
            let mut units: Vec<u16> = text.iter().flat_map(|c| c.encode_utf16(&mut [0; 2]).to_vec()).collect();
            if len > 0 && random.bool() {
                code_points[random.usize(..len)] = INVALID[random.usize(..INVALID.len())];
                units[random.usize(..len)] = random.u16(0xD800..0xE000);
            }
            memory.validate(&code_points[..], [scalar.utf32_prefix, functions.utf32_prefix]);
            memory.validate(&units[..], [scalar.surrogate_free_prefix, functions.surrogate_free_prefix]);
            memory.validate(
                &units[..],
                [scalar.max_unit, functions.max_unit].map(|kernel| move |src: &[u16]| kernel(src).into()),
            );
            memory.convert(&units[..], 1, [scalar.utf16_to_utf32, functions.utf16_to_utf32]);
            memory.convert(&code_points[..], 2, [scalar.utf32_to_utf16, functions.utf32_to_utf16]);
        }
    }
}
