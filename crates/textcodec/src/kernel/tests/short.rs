//! The conversions of short inputs, compared with the scalar reference.

use core::{fmt, ops::Range};
use std::{vec, vec::Vec};

use crate::kernel::{
    Out, SCALAR,
    reference::{ascii, latin1, utf8, utf16},
    short::{
        ascii_copy, ascii_from_utf16, ascii_to_utf16, has_no_surrogate, is_short_ascii, latin1_from_utf16,
        latin1_to_utf16, utf16_from_bytes,
    },
    tables::ByteOrder,
};

/// Compares `short` with its scalar reference for inputs of all lengths, with an ill-formed unit at any position, and with
/// a destination that is large enough or one unit too short. `lengths` are the lengths that `short` must accept.
fn check<S: Copy, T: Copy + Default + PartialEq + fmt::Debug>(
    lengths: Range<usize>,
    valid: impl Fn(usize) -> S,
    invalid: Option<S>,
    short: impl Fn(&[S], &mut Out<'_, T>) -> bool,
    reference: impl Fn(&[S], &mut Out<'_, T>) -> usize,
) {
    // Miri is slow.
    let step = if cfg!(miri) { 13 } else { 1 };
    for len in (0..140).step_by(step) {
        for at in (0..=len).step_by(step) {
            let mut src: Vec<S> = (0..len).map(&valid).collect();
            if let (Some(slot), Some(invalid)) = (src.get_mut(at), invalid) {
                *slot = invalid;
            }
            for capacity in [len, len.saturating_sub(1)] {
                let [mut a, mut b] = [(); 2].map(|()| vec![T::default(); capacity + 3]);
                let [mut a, mut b] = [&mut a, &mut b].map(|slots| Out::new(&mut slots[..capacity + 2]));
                // The outputs are not empty.
                for out in [&mut a, &mut b] {
                    out.extend(&[T::default(); 2]);
                }
                let (accepted, read) = (short(&src, &mut a), reference(&src, &mut b));
                assert_eq!(accepted, read == len && lengths.contains(&len), "{len} units, {at}, capacity {capacity}");
                let expected = if accepted { b.written() } else { &b.written()[..2] };
                assert_eq!(a.written(), expected, "{len} units, {at}, capacity {capacity}");
            }
        }
    }
}

#[test]
fn short_conversions_agree_with_the_reference() {
    let ascii = |n: usize| (n * 37 % 128) as u8;
    let latin1 = |n: usize| (n * 37 % 256) as u8;
    check(8..129, ascii, Some(0x80), ascii_copy, ascii::copy);
    for order in [ByteOrder::Little, ByteOrder::Big] {
        let reference = |src: &[u8], out: &mut Out<'_, u16>| {
            let text = core::str::from_utf8(&src[..ascii::prefix(src)]).expect("ASCII");
            SCALAR.str_to_utf16(order, text, out)
        };
        check(8..129, ascii, Some(0xFF), |src, out| ascii_to_utf16(order, src, out), reference);
    }
    check(8..65, latin1, None, latin1_to_utf16, latin1::to_utf16);
    for (order, invalid) in [ByteOrder::Little, ByteOrder::Big]
        .into_iter()
        .flat_map(|order| [0x80, 0x100, 0x8000].map(|unit| (order, order.bytes(unit))))
    {
        let reference = |src: &[[u8; 2]], out: &mut Out<'_, u8>| {
            let units: Vec<u16> = src.iter().map(|&unit| order.unit(unit)).collect();
            ascii::from_utf16(&units, out)
        };
        let short = |src: &[[u8; 2]], out: &mut Out<'_, u8>| ascii_from_utf16(order, src, out);
        check(8..65, |n| order.bytes(ascii(n).into()), Some(invalid), short, reference);
    }
    for invalid in [0x100, 0x8000] {
        check(8..65, |n| latin1(n).into(), Some(invalid), latin1_from_utf16, latin1::from_utf16);
    }
}

#[test]
fn short_copies_agree_with_the_reference() {
    for (order, invalid) in
        [ByteOrder::Little, ByteOrder::Big].into_iter().flat_map(|order| [0xD800, 0xDFFF].map(|unit| (order, unit)))
    {
        check(
            8..65,
            |n| order.bytes((n * 0x1234 % 0xD800) as u16),
            Some(order.bytes(invalid)),
            |src, out| utf16_from_bytes(order, src.as_flattened(), out),
            |src, out| utf16::from_bytes(order, src.as_flattened(), out) / 2,
        );
    }
}

#[test]
fn short_copies_of_surrogates_agree_with_the_reference() {
    const PAIRS: [u16; 6] = [0xD83D, 0xDE00, 0x41, 0xDBFF, 0xDFFF, 0x3042];
    for (order, invalid) in [ByteOrder::Little, ByteOrder::Big]
        .into_iter()
        .flat_map(|order| [0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xD7FF, 0xE000].map(|unit| (order, unit)))
    {
        check(
            8..65,
            |n| order.bytes(PAIRS[n % PAIRS.len()]),
            Some(order.bytes(invalid)),
            |src, out| utf16_from_bytes(order, src.as_flattened(), out),
            |src, out| utf16::from_bytes(order, src.as_flattened(), out) / 2,
        );
    }
}

#[test]
fn short_tests_agree_with_the_reference() {
    // `check` compares conversions, so each test becomes one that writes a byte per unit.
    let write = |accepted: bool, len: usize, out: &mut Out<'_, u8>| accepted && out.extend(&[1; 140][..len]);
    let read = |read: usize, out: &mut Out<'_, u8>| {
        out.extend(&[1; 140][..read.min(out.spare_len())]);
        read
    };
    let fits = |len: usize, out: &Out<'_, u8>| out.spare_len() >= len;
    check(
        8..33,
        |n| (n * 37 % 128) as u8,
        Some(0x80),
        |src, out| fits(src.len(), out) && write(is_short_ascii(src), src.len(), out),
        |src, out| read(utf8::prefix(src).min(out.spare_len()), out),
    );
    for invalid in [0xD800, 0xDFFF] {
        check(
            8..65,
            |n| (n * 0x1234 % 0xD800) as u16,
            Some(invalid),
            |src, out| fits(src.len(), out) && write(has_no_surrogate(src), src.len(), out),
            |src, out| read(utf16::prefix(src).min(out.spare_len()), out),
        );
    }
}
