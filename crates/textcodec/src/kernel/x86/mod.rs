//! x86-64: SSE4.1, AVX2 and AVX-512, detected at run time without `std`. Small builds have only SSE4.1: the kernels of the other
//! levels are larger than all the rest of the code.
//!
//! Each function names the features of its level in full. A declarative macro cannot be an attribute, and one around functions
//! would hide them from rustfmt. A wrong list does not go unnoticed: calls from a function that lacks a feature do not compile.
#![allow(clippy::wildcard_imports, reason = "a level's kernels use dozens of instructions, whose names are unique")]

use core::arch::x86_64::{__cpuid_count, _xgetbv};

#[cfg(not(textcodec_small))]
use super::tables::ByteOrder;
use super::{Kernels, utf16::Utf16Kernels, v128};

#[cfg(not(textcodec_small))]
mod ascii;
#[cfg(not(textcodec_small))]
mod avx2;
#[cfg(not(textcodec_small))]
mod avx512;
mod big_endian;
#[cfg(not(textcodec_small))]
mod double_byte;
#[cfg(not(textcodec_small))]
mod iso_2022;
#[cfg(not(textcodec_small))]
mod latin1;
#[cfg(not(textcodec_small))]
mod look_up;
#[cfg(not(textcodec_small))]
mod masks;
#[cfg(not(textcodec_small))]
mod utf16;
#[cfg(not(textcodec_small))]
mod utf8;

/// Returns the levels that this CPU has, fastest first.
pub(super) fn available() -> impl Iterator<Item = &'static Kernels> {
    let has = detect();
    let levels = [
        #[cfg(not(textcodec_small))]
        (has.avx512, &AVX512),
        #[cfg(not(textcodec_small))]
        (has.avx2, &AVX2),
        (has.sse41, &SSE41),
    ];
    levels.into_iter().filter_map(|(has, kernels)| has.then_some(kernels))
}

/// Makes a function of a table out of a kernel.
macro_rules! kernel {
    ($path:path, $($argument:ident),+) => {
        // SAFETY: the CPU has the features of the kernel. The function is only in the table of its level, and `available`
        // returns the table only if `detect` has found all features of the level.
        |$($argument),+| unsafe { $path($($argument),+) }
    };
    ($path:path, $order:ident; $($argument:ident),+) => {
        // SAFETY: the same.
        |$($argument),+| unsafe { $path(ByteOrder::$order, $($argument),+) }
    };
}

// After the macro that it uses.
mod utf32;
pub(super) use utf32::of as utf32;

/// Makes the table of a level that has all kernels.
#[cfg(not(textcodec_small))]
macro_rules! table {
    ($name:literal, $level:ident) => {
        Kernels {
            name: $name,
            utf8_to_utf16: kernel!($level::utf8::to_utf16, src, out),
            str_to_utf16le: kernel!($level::utf8::str_to_utf16, Little; src, out),
            str_to_utf16be: kernel!($level::utf8::str_to_utf16, Big; src, out),
            utf16_replaced: kernel!($level::utf16::from_bytes_replaced, order, src, out, replaced),
            #[cfg(feature = "oem")]
            permute: kernel!($level::permute::permute, table, src, out),
            #[cfg(feature = "oem")]
            fused: $level::permute::FUSED,
            double_byte_to_utf8: kernel!($level::double_byte::decode_utf8::to_utf8, pairs, src, out),
            four_bytes_to_utf16: kernel!($level::gb18030::to_utf16, table, pairs, src, out),
            double_byte_from_utf16: kernel!($level::double_byte::encode::from_utf16, table, src, out),
            escaped_to_utf8: kernel!($level::iso_2022::to_utf8, escapes, state, src, out),
            escaped_from_utf16: kernel!($level::iso_2022_encode::from_utf16, escapes, pairs, src, out),
            ..common_kernels!($level, kernel)
        }
        .for_this_build()
    };
}

/// Zen 4 and Ice Lake: AVX-512 F, BW, CD, DQ, VL, VBMI and VBMI2, and all of [`AVX2`].
#[cfg(not(textcodec_small))]
static AVX512: Kernels = table!("avx512", avx512);

/// Haswell and Zen: AVX2, BMI1, BMI2, LZCNT, POPCNT.
#[cfg(not(textcodec_small))]
static AVX2: Kernels = table!("avx2", avx2);

/// Nehalem and Bulldozer: SSSE3, SSE4.1, POPCNT.
static SSE41: Kernels = Kernels {
    name: "sse4.1",
    utf8_to_utf16: kernel!(v128::utf8_to_utf16::to_utf16, src, out),
    str_to_utf16le: |src, out| (SSE41.utf8_to_utf16)(src.as_bytes(), out),
    str_to_utf16be: kernel!(big_endian::from_str, src, out),
    utf16be_to_utf8: kernel!(big_endian::to_utf8, src, out),
    double_byte_to_utf8: kernel!(v128::double_byte::to_utf8, pairs, src, out),
    double_byte_from_utf16: kernel!(v128::double_byte::from_utf16, table, src, out),
    escaped_to_utf8: kernel!(v128::double_byte::escaped_to_utf8, escapes, state, src, out),
    escaped_from_utf16: kernel!(v128::double_byte::escaped_from_utf16, escapes, pairs, src, out),
    ..common_kernels!(v128, kernel)
}
.for_this_build();

/// Returns the functions of a level for UTF-16, as [`Kernels`] does for other text.
#[inline]
pub(super) fn utf16(level: &Kernels) -> Option<&'static Utf16Kernels> {
    #[cfg(not(textcodec_small))]
    macro_rules! table {
        ($level:ident) => {
            &Utf16Kernels {
                ascii_to_utf16: kernel!($level::ascii::to_utf16, src, out),
                ascii_from_utf16: kernel!($level::ascii::from_utf16, src, out),
                utf16_from_bytes: kernel!($level::utf16::from_bytes, order, src, out),
                single_byte_to_utf16: kernel!($level::single_byte::to_utf16, upper, src, out),
                single_byte_from_utf16: kernel!($level::single_byte::from_utf16, table, src, out),
                latin1_to_utf16: kernel!($level::latin1::to_utf16, src, out),
                latin1_from_utf16: kernel!($level::latin1::from_utf16, src, out),
                double_byte_to_utf16: kernel!($level::double_byte::decode::to_utf16, pairs, src, out),
                escaped_to_utf16: kernel!($level::iso_2022::to_utf16, escapes, state, src, out),
            }
            .for_this_build()
        };
    }
    #[cfg(not(textcodec_small))]
    const UTF16_AVX512: &Utf16Kernels = table!(avx512);
    #[cfg(not(textcodec_small))]
    const UTF16_AVX2: &Utf16Kernels = table!(avx2);
    const UTF16_SSE41: &Utf16Kernels = &Utf16Kernels {
        ascii_to_utf16: kernel!(v128::ascii::to_utf16, src, out),
        ascii_from_utf16: kernel!(v128::ascii::from_utf16, src, out),
        utf16_from_bytes: kernel!(v128::utf16::from_bytes, order, src, out),
        single_byte_to_utf16: kernel!(v128::single_byte::to_utf16, upper, src, out),
        single_byte_from_utf16: kernel!(v128::single_byte::from_utf16, table, src, out),
        latin1_to_utf16: kernel!(v128::latin1::to_utf16, src, out),
        latin1_from_utf16: kernel!(v128::latin1::from_utf16, src, out),
        double_byte_to_utf16: kernel!(v128::double_byte::to_utf16, pairs, src, out),
        escaped_to_utf16: kernel!(v128::double_byte::escaped_to_utf16, escapes, state, src, out),
    }
    .for_this_build();
    // Not a loop over an array, which costs short calls 2 ns.
    let is = |ours: &Kernels| core::ptr::eq(level, ours);
    #[cfg(not(textcodec_small))]
    if is(&AVX512) {
        return Some(UTF16_AVX512);
    }
    #[cfg(not(textcodec_small))]
    if is(&AVX2) {
        return Some(UTF16_AVX2);
    }
    is(&SSE41).then_some(UTF16_SSE41)
}

#[derive(Default)]
#[cfg_attr(textcodec_small, expect(dead_code, reason = "small builds have only SSE4.1"))]
struct Has {
    sse41: bool,
    avx2: bool,
    avx512: bool,
}

/// Detects the levels that the CPU has and whose registers the operating system saves.
fn detect() -> Has {
    if cfg!(miri) {
        return compiled_for();
    }
    let all = |register: u32, bits: &[u32]| bits.iter().all(|bit| register >> bit & 1 == 1);
    let [highest, ..] = cpuid(0, 0);
    let [highest_extended, ..] = cpuid(0x8000_0000, 0);
    if highest < 1 {
        return Has::default();
    }
    let [_, _, basic, _] = cpuid(1, 0);
    // SSSE3, SSE4.1; POPCNT.
    let sse41 = all(basic, &[9, 19, 23]);
    // XSAVE, OSXSAVE, AVX; without OSXSAVE there is no XGETBV.
    if highest < 7 || highest_extended < 0x8000_0001 || !all(basic, &[26, 27, 28]) {
        return Has { sse41, ..Has::default() };
    }
    let [_, structured, structured_c, _] = cpuid(7, 0);
    let [_, _, extended, _] = cpuid(0x8000_0001, 0);
    // SAFETY: the CPU has the instruction: bit 27 of `basic`, OSXSAVE, was checked above.
    let saved = unsafe { xcr0() };
    // SSE4.2; BMI1, AVX2, BMI2; LZCNT. SSE and AVX registers are saved.
    let avx2 = sse41 && all(basic, &[20]) && all(structured, &[3, 5, 8]) && all(extended, &[5]) && all(saved, &[1, 2]);
    // FMA, F16C; F, DQ, CD, BW, VL; VBMI, VBMI2. Masks, upper halves and upper registers are saved.
    let avx512 = all(basic, &[12, 29])
        && all(structured, &[16, 17, 28, 30, 31])
        && all(structured_c, &[1, 6])
        && all(saved, &[5, 6, 7]);
    Has { sse41, avx2, avx512: avx2 && avx512 }
}

/// Returns the levels whose features are enabled at compile time. Miri cannot execute `CPUID`; it has exactly the features that
/// it compiles for, so `-Ctarget-feature` selects its levels.
fn compiled_for() -> Has {
    let sse41 = cfg!(all(target_feature = "ssse3", target_feature = "sse4.1", target_feature = "popcnt"));
    let avx2 = cfg!(all(
        target_feature = "sse4.2",
        target_feature = "avx2",
        target_feature = "bmi1",
        target_feature = "bmi2",
        target_feature = "lzcnt"
    ));
    let avx512 = cfg!(all(
        target_feature = "avx512f",
        target_feature = "avx512bw",
        target_feature = "avx512cd",
        target_feature = "avx512dq",
        target_feature = "avx512vl",
        target_feature = "avx512vbmi",
        target_feature = "avx512vbmi2"
    ));
    Has { sse41, avx2: sse41 && avx2, avx512: sse41 && avx2 && avx512 }
}

/// Executes `CPUID`; returns EAX, EBX, ECX and EDX.
fn cpuid(leaf: u32, subleaf: u32) -> [u32; 4] {
    #[allow(unused_unsafe, reason = "the function is unsafe up to Rust 1.93")]
    // SAFETY: every x86-64 CPU has the instruction.
    let result = unsafe { __cpuid_count(leaf, subleaf) };
    [result.eax, result.ebx, result.ecx, result.edx]
}

/// Returns which registers the operating system saves.
///
/// # Safety
/// `CPUID` has the bit OSXSAVE.
#[target_feature(enable = "xsave")]
unsafe fn xcr0() -> u32 {
    // SAFETY: the operating system has enabled the instruction: this function's contract.
    unsafe { _xgetbv(0) as u32 }
}
