//! Stateless bulk conversions: the fast way through an encoding.
//!
//! # The contract
//! A kernel is called between two characters. It converts a prefix of its input that is made of whole, valid sequences,
//! writes the result, and returns how much it read. It may stop anywhere between two sequences, so 0 is always a legal
//! answer; it stops before the first sequence that is malformed, unmapped, cut off, or does not fit. It never reports an
//! error: the codec's handler meets the same sequence next and says exactly what is wrong. It keeps no state and knows no
//! encoding by name: tables come in as arguments.
//!
//! The room behind what is written is scratch: a kernel may store whole vectors there, and only what it claims counts. It
//! never reads what it has not written, and never writes behind the destination's end.
//!
//! It looks ahead no further than 128 bytes before it has converted anything, and no further than 512 after that: otherwise input
//! that stops it again and again would cost that much at each stop. While there is room, it leaves no tail that its scalar reference would
//! have converted; those for characters of four bytes are the exception, because they leave rare ones to the codec.
//!
//! # Levels
//! One table of functions a CPU level, chosen once a process (`x86_64.rs` and its like). Each operation has a folder with a
//! `scalar.rs`, the twin that every faster one is compared with, and a file for each level that has a kernel of its own. Kernels
//! for vectors of 16 bytes, which are one level on each of three platforms, are together in `v128/`.
//!
//! A level's kernels are safe functions with `#[target_feature]`. What proves that the CPU has the features is the table: it
//! is handed out only after detection, so a function in it can be called.
#![expect(unsafe_code, reason = "kernels are where `unsafe` lives; each block names its proof")]
#![cfg_attr(
    not(all(target_arch = "x86_64", target_feature = "sse2")),
    allow(dead_code, reason = "parts of the tables are for the kernels of AVX2 and AVX-512 alone")
)]

mod block;
mod compaction;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod drivers;
#[cfg_attr(all(textcodec_small, target_arch = "wasm32", not(feature = "levels")), path = "one_level.rs")]
mod level;
mod out;
pub(crate) mod reference;
#[cfg_attr(not(all(target_arch = "x86_64", target_feature = "sse2")), path = "no_short.rs")]
pub(crate) mod short;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod simd;
pub(crate) mod tables;
#[cfg(test)]
mod tests;
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod v128;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86;

#[cfg(any(
    all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
use v128 as arch;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use x86 as arch;

#[cfg(not(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"),
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
mod arch {
    /// No level of its own.
    pub(super) fn available() -> core::iter::Empty<&'static super::Kernels> {
        core::iter::empty()
    }
}

use self::tables::{
    ByteOrder, EscapeState, EscapedPairs, Escapes, Pairs, ToByte, ToBytes, Upper, four_bytes::FourByteRuns,
};

pub(crate) use level::Level;
#[cfg(feature = "alloc")]
pub(crate) use out::append;
pub(crate) use out::{Out, write_to_str};

/// One function per operation. Each takes a table or an option if it needs one, then input, then the destination; returns how
/// many bytes or code units it read; and follows the contract above. Those named `…prefix…` only look.
pub(crate) struct Kernels {
    /// What tests and benchmarks print.
    pub(crate) name: &'static str,
    /// ASCII bytes.
    pub(crate) ascii_prefix: fn(&[u8]) -> usize,
    /// ASCII bytes other than three.
    pub(crate) ascii_prefix_without: fn([u8; 3], &[u8]) -> usize,
    /// The same bytes.
    pub(crate) ascii_copy: fn(&[u8], &mut Out<'_, u8>) -> usize,
    pub(crate) ascii_to_utf16: fn(&[u8], &mut Out<'_, u16>) -> usize,
    pub(crate) ascii_from_utf16: fn(&[u16], &mut Out<'_, u8>) -> usize,
    /// Well-formed UTF-8.
    pub(crate) utf8_prefix: fn(&[u8]) -> usize,
    pub(crate) utf8_to_utf16: fn(&[u8], &mut Out<'_, u16>) -> usize,
    /// The same where it is known to be well-formed.
    pub(crate) str_to_utf16: fn(&str, &mut Out<'_, u16>) -> usize,
    /// UTF-16 without unpaired surrogates.
    pub(crate) utf16_prefix: fn(&[u16]) -> usize,
    pub(crate) utf16_to_utf8: fn(&[u16], &mut Out<'_, u8>) -> usize,
    pub(crate) utf16_from_bytes: fn(ByteOrder, &[u8], &mut Out<'_, u16>) -> usize,
    pub(crate) utf16_to_bytes: fn(ByteOrder, &[u16], &mut Out<'_, u8>) -> usize,
    /// A table of 128 code points for the upper half.
    pub(crate) single_byte_to_utf8: fn(&Upper, &[u8], &mut Out<'_, u8>) -> usize,
    pub(crate) single_byte_to_utf16: fn(&Upper, &[u8], &mut Out<'_, u16>) -> usize,
    pub(crate) single_byte_from_utf8: fn(&ToByte, &str, &mut Out<'_, u8>) -> usize,
    pub(crate) single_byte_from_utf16: fn(&ToByte, &[u16], &mut Out<'_, u8>) -> usize,
    /// Code points up to U+00FF, which are the bytes.
    pub(crate) latin1_to_utf8: fn(&[u8], &mut Out<'_, u8>) -> usize,
    pub(crate) latin1_to_utf16: fn(&[u8], &mut Out<'_, u16>) -> usize,
    pub(crate) latin1_from_utf8: fn(&str, &mut Out<'_, u8>) -> usize,
    pub(crate) latin1_from_utf16: fn(&[u16], &mut Out<'_, u8>) -> usize,
    /// ASCII, single bytes, and pairs.
    pub(crate) double_byte_to_utf8: fn(&Pairs, &[u8], &mut Out<'_, u8>) -> usize,
    pub(crate) double_byte_to_utf16: fn(&Pairs, &[u8], &mut Out<'_, u16>) -> usize,
    /// ASCII, and four bytes.
    pub(crate) four_bytes_to_utf16: fn(&FourByteRuns, &[u8], &mut Out<'_, u16>) -> usize,
    pub(crate) double_byte_from_utf16: fn(&ToBytes, &[u16], &mut Out<'_, u8>) -> usize,
    /// ASCII and pairs, with escape sequences between them.
    pub(crate) escaped_to_utf8: fn(&EscapedPairs, &mut EscapeState, &[u8], &mut Out<'_, u8>) -> usize,
    pub(crate) escaped_to_utf16: fn(&EscapedPairs, &mut EscapeState, &[u8], &mut Out<'_, u16>) -> usize,
    pub(crate) escaped_from_utf16: fn(&Escapes, &mut bool, &[u16], &mut Out<'_, u8>) -> usize,
}

impl Kernels {
    /// A level of this build: what no codec of it calls takes nothing, so that the kernels for it do not become part of the
    /// program. Those for single bytes are x-user-defined's, too, which is always there.
    const fn for_this_build(mut self) -> Self {
        let double_byte = cfg!(any(feature = "japanese", feature = "korean", feature = "chinese"));
        if !double_byte {
            self.double_byte_to_utf8 = |_, _, _| 0;
            self.double_byte_to_utf16 = |_, _, _| 0;
        }
        if !cfg!(feature = "chinese") {
            self.four_bytes_to_utf16 = |_, _, _| 0;
        }
        if !(double_byte && cfg!(feature = "encoders")) {
            self.double_byte_from_utf16 = |_, _, _| 0;
        }
        if !cfg!(feature = "japanese") {
            self.escaped_to_utf8 = |_, _, _, _| 0;
            self.escaped_to_utf16 = |_, _, _, _| 0;
        }
        if !cfg!(all(feature = "japanese", feature = "encoders")) {
            self.escaped_from_utf16 = |_, _, _, _| 0;
        }
        self
    }

    /// Every level that this CPU has, fastest first.
    pub(crate) fn available() -> impl Iterator<Item = &'static Self> {
        arch::available().chain([&SCALAR])
    }
}

impl core::fmt::Debug for Kernels {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name)
    }
}

static SCALAR: Kernels = reference::KERNELS.for_this_build();
