//! Eight code units a step: looked up with plain loads, checked at once, and put together by a shuffle for each set of single
//! bytes among them.

use core::arch::x86_64::{
    __m128i, _mm_and_si128, _mm_cmpeq_epi16, _mm_loadu_si128, _mm_min_epu16, _mm_movemask_epi8, _mm_packs_epi16,
    _mm_packus_epi16, _mm_set1_epi16, _mm_setzero_si128, _mm_shuffle_epi8, _mm_storeu_si128, _mm256_castsi256_si128,
    _mm256_extracti128_si256, _mm256_loadu_si256, _mm256_set1_epi16, _mm256_testz_si256,
};

use super::{ToBytes, encode_scalar, four_bytes_avx2, look_up};
use crate::kernel::Out;

/// Code units a step.
const STEP: usize = 8;
/// The most bytes that a step makes, and what is stored.
const BYTES: usize = 16;
/// Code units a step of ASCII.
const ASCII: usize = 16;

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf16(table: &ToBytes, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    if src.first().is_some_and(|&unit| table.declines(unit)) {
        return 0;
    }
    let mut read = 0;
    loop {
        let rest = &src[read..];
        if let Some(units) = rest.first_chunk::<ASCII>()
            && table.has_ascii()
            && out.room() >= ASCII
            && put_ascii(units, out)
        {
            read += ASCII;
            continue;
        }
        if let Some(units) = rest.first_chunk::<STEP>()
            && out.room() >= BYTES
            && put(table, units, out)
        {
            read += STEP;
            continue;
        }
        let taken = match table.bases() {
            Some(bases) => four_bytes_avx2::from_utf16(table, bases, rest, out),
            None => 0,
        };
        read += taken;
        if taken > 0 {
            continue;
        }
        // The last characters, those before one that is not here, and U+0000.
        let mut few = 0;
        while few < STEP {
            match encode_scalar::character_from_utf16(table, &rest[few..], out) {
                0 => return read + few,
                taken => few += taken,
            }
        }
        read += few;
    }
}

/// Writes 16 units if all are ASCII. There must be room.
#[inline]
#[target_feature(enable = "avx2")]
fn put_ascii(units: &[u16; ASCII], out: &mut Out<'_, u8>) -> bool {
    // SAFETY: there are 16 units.
    let units = unsafe { _mm256_loadu_si256(units.as_ptr().cast()) };
    if _mm256_testz_si256(units, _mm256_set1_epi16(!0x7F)) == 0 {
        return false;
    }
    let bytes = _mm_packus_epi16(_mm256_castsi256_si128(units), _mm256_extracti128_si256::<1>(units));
    // SAFETY: there is room.
    unsafe {
        _mm_storeu_si128(out.spare().cast(), bytes);
        out.advance(ASCII);
    }
    true
}

/// Writes eight characters if all are mapped. There must be room for pairs.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn put(table: &ToBytes, units: &[u16; STEP], out: &mut Out<'_, u8>) -> bool {
    let set = |entry: u16| _mm_set1_epi16(entry.cast_signed());
    let entries = _mm_and_si128(look_up::entries(table, units), set(table.kept_bits()));
    let least = set(ToBytes::LEAST);
    if _mm_movemask_epi8(_mm_cmpeq_epi16(_mm_min_epu16(entries, least), least)) != 0xFFFF {
        return false;
    }
    let zero = _mm_setzero_si128();
    let singles = _mm_cmpeq_epi16(_mm_and_si128(entries, set(0xFF)), zero);
    let singles = _mm_movemask_epi8(_mm_packs_epi16(singles, zero)) as usize;
    // SAFETY: the table has 16 bytes for each set of eight.
    let order: __m128i = unsafe { _mm_loadu_si128(ORDERS[singles & 0xFF].as_ptr().cast()) };
    // SAFETY: there is room.
    unsafe {
        _mm_storeu_si128(out.spare().cast(), _mm_shuffle_epi8(entries, order));
        out.advance(BYTES - singles.count_ones() as usize);
    }
    true
}

/// For each set of entries that are single bytes, where the bytes come from: the upper one of an entry is the first.
static ORDERS: [[u8; BYTES]; 256] = {
    let mut all = [[0; BYTES]; 256];
    let mut singles = 0;
    while singles < 256 {
        let (mut lane, mut at) = (0, 0);
        while lane < STEP {
            all[singles][at] = 2 * lane as u8 + 1;
            at += 1;
            if singles >> lane & 1 == 0 {
                all[singles][at] = 2 * lane as u8;
                at += 1;
            }
            lane += 1;
        }
        singles += 1;
    }
    all
};
