//! Decoding of ASCII and four-byte characters in long runs of code points, in steps of 64 bytes, 16 characters at a time.

use core::arch::x86_64::*;

use super::{
    super::{avx2::gb18030 as avx2, masks},
    vector::*,
};
use crate::kernel::{
    Out,
    each::Each as _,
    reference::gb18030 as reference,
    tables::{
        Pairs,
        four_bytes::{FourByteRuns, HALVES},
    },
};

/// If a step converts fewer bytes than this before another character, the kernel of AVX2 continues: it also converts pairs, and
/// all characters of four bytes.
const FEW: usize = 16;
/// Inputs of up to this many bytes are left to the kernel of AVX2, which has less set-up: cells `decode/gb18030/*/ko/16B`.
const SHORT: usize = 24;
/// Characters that are converted at a time.
const GROUP: usize = 16;
/// The first byte of each lane.
const FIRSTS: u64 = 0x1111_1111_1111_1111;

#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(table: &FourByteRuns, pairs: &Pairs, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    if src.len() <= SHORT {
        return avx2::to_utf16(table, pairs, src, out);
    }
    let runs = Runs::new(table);
    let mut read = 0;
    while read < src.len() {
        let step = runs.step(&src[read..], out);
        read += step.read;
        match step.end {
            End::Step => {}
            End::Character if step.read < FEW => return read + avx2::to_utf16(table, pairs, &src[read..], out),
            End::Character => match reference::character(table, &src[read..], out) {
                0 => return read,
                character => read += character,
            },
            End::Destination => return read,
        }
    }
    read
}

/// [`FourByteRuns::longest`] in vectors.
struct Runs([[__m512i; 3]; 4]);

impl Runs {
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    fn new(table: &FourByteRuns) -> Self {
        Self(
            table
                .longest
                .each(|run| [run.first, run.len, run.code_point].each(|value| _mm512_set1_epi32(value.into()))),
        )
    }

    /// Converts ASCII and characters in long runs.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    fn step(&self, src: &[u8], out: &mut Out<'_, u16>) -> Step {
        let bytes = load_some(src);
        let upper = high_bits(bytes);
        let is = |byte: u8| _mm512_cmpeq_epi8_mask(bytes, splat(byte));
        let offset = _mm512_sub_epi8(bytes, splat(b'0'));
        let digits = _mm512_cmplt_epu8_mask(offset, splat(10));
        let characters = Characters::find(upper, upper & !is(0x80) & !is(0xFF), digits, src.len());
        characters.convert(out, |starts| {
            let first = starts.trailing_zeros() as usize;
            let group = lowest(*starts, GROUP);
            *starts ^= group;
            let four = _pext_u64(characters.four, group);
            // A lane has one byte or four.
            let expanded = (_pdep_u64(four, FIRSTS) * 0xF) | FIRSTS;
            let bytes = _mm512_maskz_expand_epi8(expanded, load_some(&src[first..]));
            self.convert(bytes, four as u32)
        })
    }

    /// Converts 16 characters in lanes of four bytes. Those in `four` use all four, the others only the first. Returns the code
    /// units, and which characters are ASCII or in long runs.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    fn convert(&self, bytes: __m512i, four: u32) -> ([u16; GROUP], u32) {
        let all = |value: u32| _mm512_set1_epi32(value.cast_signed());
        let digits = _mm512_sub_epi8(bytes, all(u32::from_le_bytes([0x81, b'0', 0x81, b'0'])));
        let halves = _mm512_maddubs_epi16(digits, all(u32::from_le_bytes([10, 1, 10, 1])));
        let pointers = _mm512_madd_epi16(halves, all(1 << 16 | u32::from(HALVES)));
        let (mut units, mut right) = (bytes, !four);
        for [first, len, code_point] in self.0 {
            let offset = _mm512_sub_epi32(pointers, first);
            let within = _mm512_cmplt_epu32_mask(offset, len) & four as u16;
            units = _mm512_mask_add_epi32(units, within, offset, code_point);
            right |= u32::from(within);
            if right == u32::MAX {
                break;
            }
        }
        (half_to_units(_mm512_cvtepi32_epi16(units)), right)
    }
}

/// The result of a step.
struct Step {
    /// The number of bytes it converted.
    read: usize,
    /// Why it ended there.
    end: End,
}

/// Why a step ended.
enum End {
    /// The next step may convert more.
    Step,
    /// The next character is not in a long run.
    Character,
    /// The destination is full.
    Destination,
}

/// The ASCII and four-byte characters at the start of up to 64 bytes. The first byte begins a character.
struct Characters {
    /// The bytes that begin characters.
    starts: u64,
    /// The bytes that begin characters of four bytes.
    four: u64,
    /// The offset of the first byte that belongs to no such character.
    end: usize,
    /// Whether the next step may continue at `end`: the step ends there, or the bytes from there on may be the start of a
    /// four-byte character (`end > 60`).
    may_continue: bool,
}

impl Characters {
    /// Finds the characters by the masks of the bytes above ASCII, of those that can lead, and of digits. No mask has a bit for
    /// a byte past the end of the source, which has `len` bytes.
    #[inline]
    #[target_feature(enable = "bmi2")]
    fn find(upper: u64, leading: u64, digits: u64, len: usize) -> Self {
        let halves = leading & digits >> 1;
        let four = masks::four_byte_starts(halves) & halves >> 2;
        let ascii = !upper & !(four << 1 | four << 3);
        let wrong = upper & !(four | four << 2);
        let end = len.min(wrong.trailing_zeros() as usize);
        let before = first_n(end);
        Self { starts: (four | ascii) & before, four: four & before, end, may_continue: end == len || end > 60 }
    }

    /// Converts the characters in groups of up to `N`. `group` removes the starts of the next group from a mask, and returns
    /// the code units of these characters and a mask of those that are ASCII or in long runs.
    #[inline(always)]
    fn convert<const N: usize>(&self, out: &mut Out<'_, u16>, group: impl Fn(&mut u64) -> ([u16; N], u32)) -> Step {
        let mut starts = self.starts;
        while starts != 0 {
            let before = starts;
            let (units, right) = group(&mut starts);
            let len = (before.count_ones() as usize).min(N);
            let converted = (right.trailing_ones() as usize).min(len);
            let written = converted.min(out.spare_len());
            if out.spare_len() >= N {
                out.extend_some(&units, written);
            } else {
                extend_at_end(out, &units[..written]);
            }
            if written < len {
                let end = if written < converted { End::Destination } else { End::Character };
                return Step { read: masks::nth_bit(before, written), end };
            }
        }
        Step { read: self.end, end: if self.may_continue { End::Step } else { End::Character } }
    }
}

/// Writes units that fit where fewer slots than a group's are spare. Cold, so that the loop's registers are not saved around
/// the call: cells `decode/gb18030/utf-16/ko/*`.
#[cold]
fn extend_at_end(out: &mut Out<'_, u16>, units: &[u16]) {
    out.extend(units);
}
