//! Compares the kernels for gb18030's four-byte sequences with the scalar reference, like `differential.rs`.

use std::vec::Vec;

use super::differential::{ENTRY_STEP, Form, MAX_LEN, compare, forms, selected};
use crate::{
    index::gb18030_ranges::FOUR_BYTE_RUNS,
    kernel::{
        Kernels, Out, reference,
        tables::{Pairs, four_bytes::FourByteRuns},
    },
};

/// Returns the four-byte sequence of a pointer.
fn four(pointer: u32) -> [u8; 4] {
    let byte = |n: u32, min: u8| min + n as u8;
    let [second_half, second, first] = [pointer / 10, pointer / 1260, pointer / 12_600];
    [byte(first, 0x81), byte(second % 10, b'0'), byte(second_half % 126, 0x81), byte(pointer % 10, b'0')]
}

/// Returns `len` bytes: four-byte sequences, pairs and ASCII, and at most one random byte.
pub(super) fn four_bytes(len: usize, random: &mut fastrand::Rng, gb18030: &Form) -> Vec<u8> {
    const SCRIPTS: [core::ops::Range<u32>; 8] = [
        0..39_420,
        0..820,
        820..7_457,
        19_043..33_570,
        7_400..7_500,
        189_000..1_237_576,
        195_000..196_000,
        0..1_240_000,
    ];
    let script = SCRIPTS[random.usize(..SCRIPTS.len())].clone();
    let ascii = [0, 10, 50, 97, 100][random.usize(..5)];
    let pairs = [0, 0, 20, 60, 100][random.usize(..5)];
    let mut bytes = Vec::new();
    while bytes.len() < len {
        match random.u8(..100) {
            n if n < ascii => bytes.push(random.u8(..0x80)),
            n if n < ascii + 2 => bytes.extend((0..random.usize(1..200)).map(|_| random.u8(..0x80))),
            _ if random.u8(..100) < pairs => {
                let max = [2, 10, 200][random.usize(..3)];
                bytes.extend(
                    (0..random.usize(1..max)).flat_map(|_| gb18030.mapped[random.usize(..gb18030.mapped.len())]),
                );
            }
            _ => bytes.extend(four(random.u32(script.clone()))),
        }
    }
    bytes.truncate(len);
    if len > 0 && random.bool() {
        bytes[random.usize(..len)] = random.u8(..);
    }
    bytes
}

/// Runs a kernel, where it stops the scalar reference over a few bytes, and so on: these kernels stop where others are faster.
pub(super) fn to_utf16(
    kernel: fn(&FourByteRuns, &Pairs, &[u8], &mut Out<'_, u16>) -> usize,
    runs: &FourByteRuns,
    pairs: &Pairs,
    src: &[u8],
    out: &mut Out<'_, u16>,
) -> usize {
    let mut read = 0;
    loop {
        read += kernel(runs, pairs, &src[read..], out);
        let few = |read: usize| &src[read..src.len().min(read + 8)];
        let others = reference::gb18030::to_utf16(runs, few(read), out);
        let pairs = reference::double_byte::decode::to_utf16(pairs, few(read + others), out);
        if others + pairs == 0 {
            return read;
        }
        read += others + pairs;
    }
}

#[test]
fn four_byte_decoding() {
    let random = &mut fastrand::Rng::with_seed(20);
    let [.., gb18030] = &forms(|table| table);
    let decode = |kernels: &Kernels, src: &[u8], out: &mut Out<'_, u16>| {
        to_utf16(kernels.four_bytes_to_utf16, &FOUR_BYTE_RUNS, &gb18030.pairs, src, out)
    };
    let sequences: Vec<u8> =
        (0..39_500).chain(188_990..190_000).chain(1_237_500..1_237_600).step_by(ENTRY_STEP).flat_map(four).collect();
    for part in selected(0..sequences.len().div_ceil(402)).into_iter().filter_map(|n| sequences.chunks(402).nth(n)) {
        compare(part, part.len(), 1, random, decode);
    }
    for len in selected((0..MAX_LEN).cycle().take(8 * MAX_LEN).chain([600, 1100])) {
        let bytes = four_bytes(len, random, gb18030);
        compare(&bytes[..], len, 1, random, decode);
    }
}

#[test]
fn all_pairs_between_four_byte_characters() {
    const EMOJI: &[u8] = b"\x94\x39\xFC\x36";
    let random = &mut fastrand::Rng::with_seed(21);
    let [.., gb18030] = &forms(|table| table);
    let decode = |kernels: &Kernels, src: &[u8], out: &mut Out<'_, u16>| {
        to_utf16(kernels.four_bytes_to_utf16, &FOUR_BYTE_RUNS, &gb18030.pairs, src, out)
    };
    for pair in selected(0x8100..=0xFFFF_usize) {
        let pair = &(pair as u16).to_be_bytes();
        let after = [&b"a"[..], b"\xB0\xA1", EMOJI, b"\x81\x30\x81\x30", b"\x82\x36\xD0\x30", b"\xB0", b""];
        let before = [EMOJI, EMOJI, EMOJI, EMOJI, EMOJI, EMOJI, EMOJI].concat();
        let len = random.usize(..before.len() / 4) * 4;
        let bytes = [&before[len..], pair, after[random.usize(..after.len())], &before].concat();
        compare(&bytes[..], bytes.len(), 1, random, decode);
    }
}
