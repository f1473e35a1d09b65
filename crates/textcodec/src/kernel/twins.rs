//! Every level's kernels against their scalar twins: what they read and write is the same, for random text at all lengths,
//! with wrong characters anywhere, in rooms that are too small.

use std::{vec, vec::Vec};

use super::{Kernels, Out, SCALAR, single_byte::Upper};
use crate::index;

/// The most units of an input: three steps of 64 and some.
const LONGEST: usize = 220;

fn levels() -> impl Iterator<Item = &'static Kernels> {
    Kernels::available().filter(|kernels| kernels.name != SCALAR.name)
}

/// Runs both twins on `src` in several rooms; `most` units may come of one.
fn compare<S: ?Sized + core::fmt::Debug, U: Copy + Default + PartialEq + core::fmt::Debug>(
    src: &S,
    len: usize,
    most: usize,
    random: &mut fastrand::Rng,
    run: impl Fn(&Kernels, &S, &mut Out<'_, U>) -> usize,
) {
    let full = len * most;
    for room in [full, full + 200, random.usize(..=full), len.min(full), random.usize(..=len)] {
        let mut expected = vec![U::default(); room];
        let mut out = Out::new(&mut expected);
        let read = run(&SCALAR, src, &mut out);
        let written = out.filled();
        for kernels in levels() {
            let mut slots = vec![U::default(); room + 64];
            let mut out = Out::new(&mut slots[..room]);
            let result = (run(kernels, src, &mut out), out.filled());
            assert_eq!(result, (read, written), "{kernels:?}, room for {room}: {src:?}");
            assert_eq!(slots[..written], expected[..written], "{kernels:?}, room for {room}: {src:?}");
            assert!(slots[room..].iter().all(|&unit| unit == U::default()), "{kernels:?} wrote behind the end");
        }
    }
}

/// Text of so many units: runs of different density, and at most two wrong units.
fn text<T: Copy>(
    len: usize,
    random: &mut fastrand::Rng,
    ascii: impl Fn(u8) -> T,
    other: impl Fn(&mut fastrand::Rng) -> T,
    wrong: impl Fn(&mut fastrand::Rng) -> T,
) -> Vec<T> {
    let density = [0, 3, 20, 100, 128][random.usize(..5)];
    let unit =
        |random: &mut fastrand::Rng| if random.u8(..128) < density { other(random) } else { ascii(random.u8(..128)) };
    let mut text: Vec<T> = (0..len).map(|_| unit(random)).collect();
    for _ in 0..random.usize(..3) {
        if len > 0 && random.bool() {
            text[random.usize(..len)] = wrong(random);
        }
    }
    text
}

#[test]
fn ascii() {
    let random = &mut fastrand::Rng::with_seed(1);
    for len in (0..LONGEST).chain(0..LONGEST).chain([600, 1100]) {
        let bytes = text(len, random, |byte| byte, |random| random.u8(..128), |random| random.u8(128..));
        let units = text(len, random, u16::from, |random| random.u16(..128), |random| random.u16(128..));
        let excluded = [random.u8(..), random.u8(..), random.u8(..)];
        for kernels in levels() {
            assert_eq!((kernels.ascii_prefix)(&bytes), (SCALAR.ascii_prefix)(&bytes), "{kernels:?} {bytes:?}");
            let [prefix, expected] = [kernels, &SCALAR].map(|kernels| (kernels.ascii_prefix_without)(excluded, &bytes));
            assert_eq!(prefix, expected, "{kernels:?} {excluded:?} {bytes:?}");
        }
        compare(&bytes[..], len, 1, random, |kernels, src, out| (kernels.ascii_copy)(src, out));
        compare(&bytes[..], len, 1, random, |kernels, src, out| (kernels.ascii_to_utf16)(src, out));
        compare(&units[..], len, 1, random, |kernels, src, out| (kernels.ascii_from_utf16)(src, out));
    }
}

#[test]
fn latin1() {
    let random = &mut fastrand::Rng::with_seed(2);
    for len in (0..LONGEST).chain(0..LONGEST).chain([600, 1100]) {
        let bytes = text(len, random, |byte| byte, |random| random.u8(128..), |random| random.u8(..));
        let units = text(len, random, u16::from, |random| random.u16(128..256), |random| random.u16(..));
        compare(&bytes[..], len, 2, random, |kernels, src, out| (kernels.latin1_to_utf8)(src, out));
        compare(&bytes[..], len, 1, random, |kernels, src, out| (kernels.latin1_to_utf16)(src, out));
        compare(&units[..], len, 1, random, |kernels, src, out| (kernels.latin1_from_utf16)(src, out));
        let utf8 = std::string::String::from_utf16_lossy(&units);
        compare(&utf8[..], len, 1, random, |kernels, src, out| (kernels.latin1_from_utf8)(src, out));
    }
}

#[test]
fn single_byte() {
    let random = &mut fastrand::Rng::with_seed(3);
    let x_user_defined = Upper::from(0xF780);
    for place in 0..28 {
        let upper = index::SINGLE_BYTE.get(place).unwrap_or(&x_user_defined);
        let mapped: Vec<u8> = (128..=255).filter(|&byte| upper.get(usize::from(byte) - 128) != 0).collect();
        for len in (0..LONGEST).chain([600, 1100]) {
            // Letters mostly, or anything.
            let from = if random.bool() { 0 } else { mapped.len() / 2 };
            let other = |random: &mut fastrand::Rng| mapped[random.usize(from..mapped.len())];
            let bytes = text(len, random, |byte| byte, other, |random| random.u8(..));
            compare(&bytes[..], len, 3, random, |kernels, src, out| (kernels.single_byte_to_utf8)(upper, src, out));
            compare(&bytes[..], len, 1, random, |kernels, src, out| (kernels.single_byte_to_utf16)(upper, src, out));
            if place == 27 {
                continue;
            }
            let table = &index::single_byte_encode(place);
            let unit = |byte: u8| upper.get(usize::from(byte) - 128);
            let units = text(len, random, u16::from, |random| unit(other(random)), |random| random.u16(..));
            compare(&units[..], len, 1, random, |kernels, src, out| (kernels.single_byte_from_utf16)(table, src, out));
            let utf8 = std::string::String::from_utf16_lossy(&units);
            compare(&utf8[..], len, 1, random, |kernels, src, out| (kernels.single_byte_from_utf8)(table, src, out));
        }
    }
}
