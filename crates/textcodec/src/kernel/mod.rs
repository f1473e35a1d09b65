//! Stateless bulk conversions: the fast way through an encoding.
//!
//! # The contract
//! A kernel is called between two characters. It converts a prefix of its input that is made of whole, valid sequences,
//! writes the result, and returns how much it read. It may stop anywhere between two sequences, so 0 is always a legal
//! answer; it stops before the first sequence that is malformed, unmapped, cut off, or does not fit. It never reports an
//! error: the codec's handler meets the same sequence next and says exactly what is wrong. It keeps no state and knows no
//! encoding by name: tables come in as arguments.
//!
//! It never looks further ahead than it converts, or bad input takes quadratic time; and while there is room, it leaves no tail
//! to the handler that its scalar twin would have taken. Memory behind what it claims to have written stays as it was.
//!
//! # Levels
//! One table of functions a CPU level, chosen once a process. Each operation has a folder with a `scalar.rs`, the twin that
//! every faster one is compared with.
#![expect(unsafe_code, reason = "kernels are where `unsafe` lives; each block names its proof")]

pub(crate) mod ascii;
pub(crate) mod double_byte;
mod out;
pub(crate) mod single_byte;
pub(crate) mod utf16;
pub(crate) mod utf8;

pub(crate) use out::Out;
#[cfg(feature = "alloc")]
pub(crate) use out::append;

/// One function per operation. All take input first, return how many bytes or code units they read, and follow the
/// contract above; those named `…prefix` only look.
pub(crate) struct Kernels {
    /// What tests and benchmarks print.
    pub(crate) name: &'static str,
    /// ASCII bytes.
    pub(crate) ascii_prefix: fn(&[u8]) -> usize,
    /// ASCII bytes other than three.
    pub(crate) ascii_prefix_without: fn([u8; 3], &[u8]) -> usize,
    pub(crate) ascii_to_utf16: fn(&[u8], &mut Out<'_, u16>) -> usize,
    pub(crate) ascii_from_utf16: fn(&[u16], &mut Out<'_, u8>) -> usize,
    /// Well-formed UTF-8.
    pub(crate) utf8_prefix: fn(&[u8]) -> usize,
    pub(crate) utf8_to_utf16: fn(&[u8], &mut Out<'_, u16>) -> usize,
    /// UTF-16 without unpaired surrogates.
    pub(crate) utf16_to_utf8: fn(&[u16], &mut Out<'_, u8>) -> usize,
    pub(crate) utf16_from_bytes: fn(utf16::ByteOrder, &[u8], &mut Out<'_, u16>) -> usize,
    pub(crate) utf16_to_bytes: fn(utf16::ByteOrder, &[u16], &mut Out<'_, u8>) -> usize,
    /// A table of 128 code points for the upper half.
    pub(crate) single_byte_to_utf8: fn(&single_byte::Upper, &[u8], &mut Out<'_, u8>) -> usize,
    pub(crate) single_byte_to_utf16: fn(&single_byte::Upper, &[u8], &mut Out<'_, u16>) -> usize,
    pub(crate) single_byte_from_utf16: fn(single_byte::ToByte, &[u16], &mut Out<'_, u8>) -> usize,
    /// ASCII, single bytes, and pairs.
    pub(crate) double_byte_to_utf16: fn(&double_byte::Pairs, &[u8], &mut Out<'_, u16>) -> usize,
    pub(crate) double_byte_from_utf16: fn(&double_byte::ToPair, &[u16], &mut Out<'_, u8>) -> usize,
}

impl Kernels {
    /// The fastest level that this CPU has.
    pub(crate) fn best() -> &'static Self {
        &SCALAR
    }

    /// Every level that this CPU has, fastest first.
    #[cfg(feature = "testing")]
    pub(crate) fn all() -> &'static [&'static Self] {
        static ALL: [&Kernels; 1] = [&SCALAR];
        &ALL
    }
}

impl core::fmt::Debug for Kernels {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name)
    }
}

static SCALAR: Kernels = Kernels {
    name: "scalar",
    ascii_prefix: ascii::scalar::prefix,
    ascii_prefix_without: ascii::scalar::prefix_without,
    ascii_to_utf16: ascii::scalar::to_utf16,
    ascii_from_utf16: ascii::scalar::from_utf16,
    utf8_prefix: utf8::scalar::prefix,
    utf8_to_utf16: utf8::scalar::to_utf16,
    utf16_to_utf8: utf16::scalar::to_utf8,
    utf16_from_bytes: utf16::scalar::from_bytes,
    utf16_to_bytes: utf16::scalar::to_bytes,
    single_byte_to_utf8: single_byte::scalar::to_utf8,
    single_byte_to_utf16: single_byte::scalar::to_utf16,
    single_byte_from_utf16: single_byte::scalar::from_utf16,
    double_byte_to_utf16: double_byte::scalar::to_utf16,
    double_byte_from_utf16: double_byte::scalar::from_utf16,
};
