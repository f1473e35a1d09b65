//! Kernels: stateless bulk conversions of the well-formed part of an input.
//!
//! # The contract
//! A kernel reads a prefix of its input, writes the converted text to an [`Out`], and returns the number of bytes or code units
//! that it read.
//!
//! - It starts between two characters, and reads whole, well-formed, mapped sequences only.
//! - It may stop after any sequence, so 0 is always a legal result.
//! - It stops before the first sequence that is malformed, unmappable, incomplete, or does not fit into the output.
//! - It never reports an error. The codec's handler reads the same sequence next and reports the exact error.
//! - It writes whole characters. A destination that is a `str` relies on this.
//! - The slots after the reported output are scratch space: a kernel may store whole vectors there. It never writes past the
//!   end of the destination, and never reads a slot that it has not written.
//! - Before it has converted anything, it examines at most four vectors (256 bytes with AVX-512), or two steps of 64 bytes of
//!   double-byte text; after that, at most eight such steps. A last step may load 16 bytes more. This bounds the cost of input
//!   on which kernels stop again and again.
//! - Callers do not rely on how far a kernel reads. The differential tests nevertheless require that every level reads as far
//!   as the scalar reference, except for four-byte sequences, where kernels leave rare characters to the codec.
//!
//! A kernel keeps no state. State that depends on earlier text, such as [`EscapeState`], is an argument. Tables are
//! arguments too, so one kernel serves all encodings with the same structure. The code itself knows ASCII, UTF-8, UTF-16,
//! Latin-1, the four-byte sequences of gb18030 ([`tables::four_bytes`]) and three-byte escape sequences ([`Escapes`]).
//!
//! # Terms
//! - *step*: the units that one iteration of an inner loop converts: `N` in `drivers/`, `STEP` in most other files.
//! - *block*: consecutive units that are handled together. In `drivers/`, the `N` units of a step, as an array. In double-byte
//!   decoding, the characters of up to eight steps (`Block`). In tables, 64 entries.
//! - *pass*: one of several loops over the steps of the same block, in double-byte decoding.
//! - *run*: four steps that are tested or converted together (`RUN`). A *run of* ASCII, pairs, code points or bits
//!   is a stretch of any length.
//! - *pair*: lead byte and trail byte of a double-byte encoding, or two surrogates of UTF-16.
//! - *widen*, *narrow*: convert bytes to code units by zero-extension, and back.
//! - *group*: the characters of a step that one vector operation converts or packs: up to 4, 8 or 16.
//! - *window*: the bytes of UTF-8 that one iteration examines: on x86, a step and for each of its bytes the three before it; in
//!   `v128/`, 16 bytes from the start of a character on.
//! - *plane*: a table or vector with one byte of each result, such as all first bytes of UTF-8.
//! - *cell*: the entry of one character in [`Pairs`]. Elsewhere, a benchmark, named like `validate/utf-8/en/64B`.
//!
//! # Levels
//! A level is a table of functions, [`Kernels`], for one set of CPU features. [`Kernels::best`] is the fastest level that the
//! CPU has, chosen once per process.
//!
//! | files | contents |
//! |---|---|
//! | `reference/` | scalar kernels, one file per operation: the reference of the differential tests |
//! | `v128/` | kernels for 16-byte vectors: SSE4.1, NEON and simd128, one `vector_*.rs` for each |
//! | `x86/` | detection on x86-64, the tables of its levels, and code that AVX2 and AVX-512 share |
//! | `x86/avx2/`, `x86/avx512/` | kernels for 32-byte and for 64-byte vectors; small builds lack them |
//! | `simd.rs`, `drivers/` | the vector operations of AVX2 and AVX-512 as a trait, and loops that are generic over it |
//! | `utf16.rs` | a second table of functions, for UTF-16 |
//! | `utf32.rs`, `x86/utf32.rs` | UTF-32; on x86 with the instructions of SSE4.1 |
//! | `short.rs` | inputs of 8 to 64 units, converted or validated without a kernel |
//! | `tables/`; `compaction.rs`, `shuffles.rs` | the forms of tables that encodings pass; tables of shuffles |
//! | `out.rs`, `block.rs` | the destination; accesses without bounds checks |
//!
//! The kernels of a level are safe functions with `#[target_feature]`. `x86::available` returns a table only if the CPU has its
//! features, so the functions of a table can always be called.
#![expect(unsafe_code, reason = "vector instructions, and accesses without bounds checks")]
#![cfg_attr(
    not(all(target_arch = "x86_64", target_feature = "sse2", not(textcodec_small))),
    allow(dead_code, reason = "only the kernels of AVX2 and AVX-512 use all parts of the tables")
)]
#![cfg_attr(
    not(all(feature = "all-encodings", feature = "encoders")),
    allow(dead_code, reason = "parts of the tables that only some families use")
)]

/// Makes the kernels that are at the same place in each level with vectors; the others are scalar. `$kernel` makes a function of a
/// kernel and the names of its arguments.
#[allow(unused_macros, reason = "some targets have only the scalar level")]
macro_rules! common_kernels {
    ($level:ident, $kernel:ident) => {
        crate::kernel::Kernels {
            ascii_prefix: $kernel!($level::ascii::prefix, src),
            ascii_prefix_without: $kernel!($level::ascii::prefix_without, excluded, src),
            ascii_copy: $kernel!($level::ascii::copy, src, out),
            utf8_prefix: $kernel!($level::utf8::prefix, src),
            utf8_copy: $kernel!($level::utf8::copy, src, out),
            utf16_prefix: $kernel!($level::utf16::prefix, src),
            utf16le_to_utf8: $kernel!($level::utf16::to_utf8::<false>, src, out),
            utf16be_to_utf8: $kernel!($level::utf16::to_utf8::<true>, src, out),
            utf16_to_bytes: $kernel!($level::utf16::to_bytes, order, src, out),
            single_byte_to_utf8: $kernel!($level::single_byte::to_utf8, upper, src, out),
            single_byte_from_utf8: $kernel!($level::single_byte::from_utf8, table, src, out),
            latin1_to_utf8: $kernel!($level::latin1::to_utf8, src, out),
            latin1_from_utf8: $kernel!($level::latin1::from_utf8, src, out),
            ..crate::kernel::reference::KERNELS
        }
    };
}

mod block;
mod compaction;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(textcodec_small)))]
mod drivers;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(textcodec_small)))]
mod each;
#[cfg_attr(all(textcodec_small, target_arch = "wasm32", not(feature = "__levels")), path = "one_level.rs")]
mod level;
mod out;
#[cfg(feature = "oem")]
pub(crate) mod permuted;
pub(crate) mod reference;
#[cfg_attr(not(all(target_arch = "x86_64", target_feature = "sse2", not(textcodec_small))), path = "no_short.rs")]
pub(crate) mod short;
#[cfg(any(textcodec_small, test))]
mod shuffles;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(textcodec_small)))]
mod simd;
mod surrogates;
pub(crate) mod tables;
#[cfg(test)]
mod tests;
pub(crate) mod utf16;
pub(crate) mod utf32;
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
    /// Only the scalar level is available.
    #[inline]
    pub(super) fn utf16(_: &super::Kernels) -> Option<&'static super::utf16::Utf16Kernels> {
        None
    }

    /// Only the scalar level is available.
    #[inline]
    pub(super) fn utf32(_: &super::Kernels) -> Option<&'static super::utf32::Utf32Kernels> {
        None
    }

    /// Only the scalar level is available.
    pub(super) fn available() -> core::iter::Empty<&'static super::Kernels> {
        core::iter::empty()
    }
}

use self::tables::{
    ByteOrder, EscapeState, EscapedPairs, Escapes, Pairs, ToByte, ToBytes, UpperHalf, four_bytes::FourByteRuns,
};

pub(crate) use level::Level;
#[cfg(feature = "alloc")]
pub(crate) use out::append;
pub(crate) use out::{Out, write_to_str};

/// A level: one function per operation.
///
/// Each takes a table or an option if it needs one, then the input and the destination. It returns the number of bytes or code
/// units that it read, according to the contract above. Those named `…prefix…` only validate.
pub(crate) struct Kernels {
    /// The name in messages of tests and benchmarks.
    pub(crate) name: &'static str,
    /// ASCII bytes.
    pub(crate) ascii_prefix: fn(&[u8]) -> usize,
    /// ASCII bytes other than the three given ones.
    pub(crate) ascii_prefix_without: fn([u8; 3], &[u8]) -> usize,
    pub(crate) ascii_copy: fn(&[u8], &mut Out<'_, u8>) -> usize,
    /// Well-formed UTF-8.
    pub(crate) utf8_prefix: fn(&[u8]) -> usize,
    pub(crate) utf8_copy: fn(&[u8], &mut Out<'_, u8>) -> usize,
    pub(crate) utf8_to_utf16: fn(&[u8], &mut Out<'_, u16>) -> usize,
    /// [`utf8_to_utf16`](Self::utf8_to_utf16) without validation, to code units that are in a byte order in memory.
    pub(crate) str_to_utf16le: fn(&str, &mut Out<'_, u16>) -> usize,
    pub(crate) str_to_utf16be: fn(&str, &mut Out<'_, u16>) -> usize,
    /// UTF-16 without unpaired surrogates.
    pub(crate) utf16_prefix: fn(&[u16]) -> usize,
    /// UTF-16 in a byte order, at any address.
    pub(crate) utf16le_to_utf8: fn(&[[u8; 2]], &mut Out<'_, u8>) -> usize,
    pub(crate) utf16be_to_utf8: fn(&[[u8; 2]], &mut Out<'_, u8>) -> usize,
    /// UTF-16 in a byte order, to native order, with unpaired surrogates as U+FFFD. Adds their number to the last argument. Stops before a high surrogate that is
    /// the last unit.
    pub(crate) utf16_replaced: fn(ByteOrder, &[u8], &mut Out<'_, u16>, &mut u64) -> usize,
    pub(crate) utf16_to_bytes: fn(ByteOrder, &[u16], &mut Out<'_, u8>) -> usize,
    /// ASCII, and the bytes from 0x80 on, which a table maps.
    pub(crate) single_byte_to_utf8: fn(&UpperHalf, &[u8], &mut Out<'_, u8>) -> usize,
    pub(crate) single_byte_from_utf8: fn(&ToByte, &str, &mut Out<'_, u8>) -> usize,
    /// ISO-8859-1: each byte is its own code point.
    pub(crate) latin1_to_utf8: fn(&[u8], &mut Out<'_, u8>) -> usize,
    /// Validates nothing: if the input is not UTF-8, which bytes it reads and writes is unspecified.
    pub(crate) latin1_from_utf8: fn(&[u8], &mut Out<'_, u8>) -> usize,
    /// Any bytes, to their entries in a table. Stops only where the input or the destination ends. The output need not be UTF-8.
    #[cfg(feature = "oem")]
    pub(crate) permute: fn(&[u8; 256], &[u8], &mut Out<'_, u8>) -> usize,
    #[cfg(feature = "oem")]
    pub(crate) fused: Option<permuted::Fused>,
    /// ASCII, other single bytes, and pairs of a lead byte and a trail byte.
    pub(crate) double_byte_to_utf8: fn(&Pairs, &[u8], &mut Out<'_, u8>) -> usize,
    /// The four-byte sequences of gb18030, and ASCII and pairs between them.
    pub(crate) four_bytes_to_utf16: fn(&FourByteRuns, &Pairs, &[u8], &mut Out<'_, u16>) -> usize,
    /// To ASCII, other single bytes, pairs, and the four-byte sequences of gb18030.
    pub(crate) double_byte_from_utf16: fn(&ToBytes, &[u16], &mut Out<'_, u8>) -> usize,
    /// ASCII and pairs, with an escape sequence before each change.
    pub(crate) escaped_to_utf8: fn(&EscapedPairs, &mut EscapeState, &[u8], &mut Out<'_, u8>) -> usize,
    /// The flag is whether the current set is that of pairs; it is updated.
    pub(crate) escaped_from_utf16: fn(&Escapes, &mut bool, &[u16], &mut Out<'_, u8>) -> usize,
}

impl Kernels {
    /// Replaces the kernels that no codec of this build calls with functions that return 0, so they are not compiled.
    const fn for_this_build(mut self) -> Self {
        if !cfg!(feature = "single-byte") {
            self.single_byte_to_utf8 = |_, _, _| 0;
        }
        if !cfg!(all(feature = "single-byte", feature = "encoders")) {
            self.single_byte_from_utf8 = |_, _, _| 0;
        }
        let double_byte = cfg!(any(feature = "japanese", feature = "korean", feature = "chinese"));
        if !double_byte {
            self.double_byte_to_utf8 = |_, _, _| 0;
        }
        if !cfg!(feature = "chinese") {
            self.four_bytes_to_utf16 = |_, _, _, _| 0;
        }
        if !(double_byte && cfg!(feature = "encoders")) {
            self.double_byte_from_utf16 = |_, _, _| 0;
        }
        if !cfg!(feature = "japanese") {
            self.escaped_to_utf8 = |_, _, _, _| 0;
        }
        if !cfg!(all(feature = "japanese", feature = "encoders")) {
            self.escaped_from_utf16 = |_, _, _, _| 0;
        }
        self
    }

    /// Converts UTF-16 in a byte order, at any address.
    #[inline]
    pub(crate) fn utf16_to_utf8(&self, order: ByteOrder, src: &[[u8; 2]], out: &mut Out<'_, u8>) -> usize {
        match order {
            ByteOrder::Little => (self.utf16le_to_utf8)(src, out),
            ByteOrder::Big => (self.utf16be_to_utf8)(src, out),
        }
    }

    /// Converts UTF-16 in native order.
    #[inline]
    pub(crate) fn units_to_utf8(&self, src: &[u16], out: &mut Out<'_, u8>) -> usize {
        self.utf16_to_utf8(ByteOrder::NATIVE, tables::as_bytes(src), out)
    }

    /// Converts UTF-8 to code units that are in a byte order in memory.
    #[inline]
    pub(crate) fn str_to_utf16(&self, order: ByteOrder, src: &str, out: &mut Out<'_, u16>) -> usize {
        match order {
            ByteOrder::Little => (self.str_to_utf16le)(src, out),
            ByteOrder::Big => (self.str_to_utf16be)(src, out),
        }
    }

    /// Returns the levels that this CPU has, fastest first.
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
