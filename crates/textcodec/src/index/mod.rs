//! Section 5: the indexes as tables.
//!
//! `cargo xtask tables` generates decoding tables, which are statics in the program. Encoding tables are derived from them at first
//! use, and are statics only without `std`. With `RUSTFLAGS="--cfg textcodec_small"`, the program has packed indexes instead of
//! decoding tables, and unpacks each at first use. `derive` describes the tables, and `unpack` the packed form.
#![cfg_attr(
    not(feature = "all-encodings"),
    allow(dead_code, unused_imports, reason = "parts that only the tables of some families use")
)]

#[allow(dead_code, reason = "parts that only some builds use")]
pub(crate) mod derive;
#[cfg(feature = "std")]
mod derived;
#[cfg(any(not(any(textcodec_small, feature = "packed-tables")), all(test, feature = "all-encodings")))]
mod fixed;
#[cfg(any(not(feature = "std"), all(test, feature = "all-encodings")))]
mod fixed_encode;
#[cfg(any(textcodec_small, feature = "packed-tables", all(test, feature = "all-encodings")))]
mod packed;
#[cfg(any(textcodec_small, feature = "packed-tables", all(test, feature = "all-encodings")))]
mod unpack;

#[cfg(feature = "std")]
use derived as encode_tables;
#[cfg(not(any(textcodec_small, feature = "packed-tables")))]
use fixed as tables;
#[cfg(not(feature = "std"))]
use fixed_encode as encode_tables;
#[cfg(any(textcodec_small, feature = "packed-tables"))]
use packed as tables;

#[cfg(any(feature = "japanese", feature = "chinese"))]
use crate::kernel::tables::units;

/// The encoding tables of single-byte encodings by row of `SINGLE_BYTE`.
#[cfg(feature = "single-byte")]
pub(crate) use encode_tables::single_byte_encode;
/// The characters of plane 2 in index Big5, as offsets from U+20000.
#[cfg(feature = "chinese")]
pub(crate) use tables::BIG5_PLANE_2;
#[cfg(feature = "korean")]
pub(crate) use tables::EUC_KR;
/// The decoding tables of kernels: a cell for each byte as a single-byte character, then an index by pointer, then an unmapped
/// cell. Those of other families have the same form.
///
/// `JIS0208` also has other characters at unused pointers: the user-defined characters of Shift_JIS from 8836 on, and the
/// half-width katakana of EUC-JP from 11280 on. In `BIG5`, a surrogate 0xD800 + n refers to entry n of [`BIG5_PLANE_2`].
#[cfg(feature = "japanese")]
pub(crate) use tables::JIS0208;
/// Index jis0212, by pointer.
#[cfg(feature = "japanese")]
pub(crate) use tables::JIS0212;
/// *Index single-byte* by row of section 9's table, then x-user-defined.
#[cfg(feature = "single-byte")]
pub(crate) use tables::SINGLE_BYTE;
#[cfg(feature = "chinese")]
pub(crate) use tables::{BIG5, GB18030};

/// The number of rows of `SINGLE_BYTE`.
#[cfg(feature = "single-byte")]
pub(crate) const SINGLE_BYTE_ROWS: usize = 27 + 1;
/// The row of x-user-defined.
#[cfg(feature = "single-byte")]
pub(crate) const X_USER_DEFINED: usize = SINGLE_BYTE_ROWS - 1;

/// Index ISO-2022-JP katakana.
#[cfg(feature = "japanese")]
pub(crate) static ISO_2022_JP_KATAKANA: [u16; 63] = units(include_bytes!("../../tables/iso-2022-jp-katakana.bin"), 0);

/// The entry of an index at a pointer. `cells` are one of the decoding tables above.
pub(crate) fn entry(cells: &[u16], pointer: usize) -> Option<u16> {
    cells.get(256 + pointer).copied()
}

/// The encoding tables, from a code point of the BMP to its bytes.
#[cfg(any(feature = "japanese", feature = "korean", feature = "chinese"))]
pub(crate) mod encode {
    #[cfg(feature = "korean")]
    use super::encode_tables::EUC_KR_ENCODE;
    #[cfg(feature = "chinese")]
    use super::encode_tables::{BIG5_ENCODE, GB18030_ENCODE};
    #[cfg(feature = "japanese")]
    use super::encode_tables::{JIS0208_ENCODE, SHIFT_JIS_ENCODE};
    use crate::{
        kernel::tables::ToBytes,
        once::table::{Derived, derived},
    };

    #[cfg(feature = "japanese")]
    pub(crate) static EUC_JP: Derived<ToBytes> =
        derived!(ToBytes::new(&JIS0208_ENCODE.stages[0], &JIS0208_ENCODE.blocks));
    #[cfg(feature = "japanese")]
    /// Only the pairs of JIS X 0208.
    pub(crate) static ISO_2022_JP: Derived<ToBytes> =
        derived!(ToBytes::new(&JIS0208_ENCODE.stages[1], &JIS0208_ENCODE.blocks).without_ascii().seven_bit());
    #[cfg(feature = "japanese")]
    pub(crate) static SHIFT_JIS: Derived<ToBytes> =
        derived!(ToBytes::new(&SHIFT_JIS_ENCODE.stages[0], &SHIFT_JIS_ENCODE.blocks));
    #[cfg(feature = "korean")]
    pub(crate) static EUC_KR: Derived<ToBytes> =
        derived!(ToBytes::new(&EUC_KR_ENCODE.stages[0], &EUC_KR_ENCODE.blocks));
    #[cfg(feature = "chinese")]
    pub(crate) static GBK: Derived<ToBytes> = derived!(ToBytes::new(&GB18030_ENCODE.stages[0], &GB18030_ENCODE.blocks));
    #[cfg(feature = "chinese")]
    /// Includes the side table of GB18030-2022.
    pub(crate) static GB18030: Derived<ToBytes> = derived!(
        ToBytes::new(&GB18030_ENCODE.stages[1], &GB18030_ENCODE.blocks).with_four_bytes(&GB18030_ENCODE.extra)
    );
    #[cfg(feature = "chinese")]
    pub(crate) static BIG5: Derived<ToBytes> = derived!(ToBytes::new(&BIG5_ENCODE.stages[0], &BIG5_ENCODE.blocks));
}

/// *Index Big5 pointer* for code points above the BMP, as two bytes.
#[cfg(feature = "chinese")]
pub(crate) fn big5_plane_2_bytes(code_point: u32) -> Option<[u8; 2]> {
    let code = code_point.checked_sub(0x20000).filter(|&code| code <= 0xFFFF)? as usize;
    let (upper, lower) = (code >> 8, (code & 0xFF) as u16);
    let (starts, entries) = encode_tables::BIG5_ENCODE.extra.split_at(257);
    let entries = &entries[2 * usize::from(starts[upper])..2 * usize::from(starts[upper + 1])];
    entries.as_chunks::<2>().0.iter().find(|entry| entry[0] == lower).map(|entry| entry[1].to_be_bytes())
}

/// *Index gb18030 ranges*.
#[cfg(feature = "chinese")]
pub(crate) mod gb18030_ranges {
    use crate::{
        kernel::tables::{
            four_bytes::{self, FourByteRuns, Run},
            units,
        },
        once::table::{Table, table},
    };

    /// Pairs of pointer and code point, both ascending, without the range above the BMP.
    pub(super) static RANGES: [u16; 2 * 206] = units(include_bytes!("../../tables/gb18030-ranges.bin"), 0);

    /// By the upper byte of a code point of the BMP: the last range that starts at or before the first code point with this
    /// byte.
    static BY_CODE_POINT: [u8; 256] = ranges_by_code_point();

    /// *Index gb18030 ranges code point*.
    #[inline]
    pub(crate) fn code_point(pointer: u32) -> Option<char> {
        match pointer {
            0..=39_419 => FOUR_BYTE_RUNS.get(pointer).and_then(|code_point| char::from_u32(code_point.into())), // 2-4.
            189_000..=1_237_575 => char::from_u32(0x10000 + pointer - 189_000),                                 // 3-4.
            _ => None,                                                                                          // 1.
        }
    }

    /// Steps 2 to 4 for pointers of the BMP.
    pub(crate) static FOUR_BYTE_RUNS: Table<FourByteRuns> = table!(FourByteRuns: bmp_runs());

    const fn bmp_runs() -> FourByteRuns {
        let mut runs = [Run { first: 0, len: 0, code_point: 0 }; four_bytes::RUNS];
        let (mut range, mut n) = (0, 0);
        while range < 206 {
            let (first, code_point) = (RANGES[2 * range], RANGES[2 * range + 1]);
            let end = if range < 205 { RANGES[2 * range + 2] } else { 39_420 };
            if first < 7457 && 7457 < end {
                runs[n] = Run { first, len: 7457 - first, code_point };
                runs[n + 1] = Run { first: 7457, len: 1, code_point: 0xE7C7 };
                runs[n + 2] = Run { first: 7458, len: end - 7458, code_point: code_point + (7458 - first) };
                n += 3;
            } else {
                runs[n] = Run { first, len: end - first, code_point };
                n += 1;
            }
            range += 1;
        }
        FourByteRuns::new(&runs)
    }

    /// *Index gb18030 ranges pointer*, for a code point that index gb18030 does not have.
    pub(crate) fn pointer(code_point: u32) -> u32 {
        match code_point {
            0xE7C7 => 7457, // 1.
            0..=0xFFFF => {
                let (pointer_offset, offset) = range(code_point); // 2.
                pointer_offset + code_point - offset // 3.
            }
            _ => 189_000 + code_point - 0x10000, // 2-3.
        }
    }

    /// Returns the last range whose code point is at most `code_point`.
    fn range(code_point: u32) -> (u32, u32) {
        let mut at = usize::from(BY_CODE_POINT[(code_point >> 8) as usize]);
        while at + 1 < 206 && u32::from(RANGES[2 * (at + 1) + 1]) <= code_point {
            at += 1;
        }
        (RANGES[2 * at].into(), RANGES[2 * at + 1].into())
    }

    const fn ranges_by_code_point() -> [u8; 256] {
        let mut ranges = [0; 256];
        let (mut upper, mut at) = (0, 0);
        while upper < 256 {
            while at + 1 < 206 && RANGES[2 * (at + 1) + 1] as usize <= upper << 8 {
                at += 1;
            }
            ranges[upper] = at as u8;
            upper += 1;
        }
        ranges
    }
}

#[cfg(all(test, feature = "all-encodings"))]
mod tests {
    use super::*;

    /// Compares the tables that are unpacked and derived with the tables from the files.
    #[test]
    fn tables_equal_the_files() {
        assert!(packed::JIS0208[..] == fixed::JIS0208);
        assert!(packed::JIS0212[..] == fixed::JIS0212);
        assert!(packed::EUC_KR[..] == fixed::EUC_KR);
        assert!(packed::GB18030[..] == fixed::GB18030);
        assert!(packed::BIG5[..] == fixed::BIG5);
        assert!(packed::BIG5_PLANE_2[..] == fixed::BIG5_PLANE_2);

        macro_rules! assert_equal {
            ($($name:ident)*) => {$(
                let (derived, fixed) = (&derived::$name, &fixed_encode::$name);
                assert!(derived.stages == fixed.stages && derived.extra == fixed.extra, stringify!($name));
                let (blocks, unused) = derived.blocks.split_at(fixed.blocks.len());
                assert!(blocks == fixed.blocks && unused.iter().all(|&entry| entry == 0), stringify!($name));
            )*};
        }
        assert_equal!(JIS0208_ENCODE SHIFT_JIS_ENCODE EUC_KR_ENCODE GB18030_ENCODE BIG5_ENCODE);

        for row in 0..SINGLE_BYTE_ROWS {
            let upper = [&packed::SINGLE_BYTE[row], &fixed::SINGLE_BYTE[row]];
            assert!(upper[0] == upper[1], "{row}");
            let [a, b] = [derived::single_byte_encode(row), fixed_encode::single_byte_encode(row)];
            assert_eq!(a.stages, b.stages, "{row}");
            let count = 1 + usize::from(*a.stages.iter().max().expect("there are 1,024 numbers"));
            assert_eq!(a.blocks[..count], b.blocks[..count], "{row}");
            assert!(a.common == b.common, "{row}");
        }
    }

    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(textcodec_small)))]
    #[test]
    fn regular_bytes_have_their_code_points() {
        for upper in &SINGLE_BYTE[..] {
            for n in 0..128 {
                let is_irregular = upper.regular.irregular[n % 16] >> (n / 16) & 1 == 1;
                assert!(is_irregular || upper.regular.get(n) == upper.get(n));
                if upper.regular.irregular_utf8[n % 16] >> (n / 16) & 1 == 0 {
                    let last_but_one = upper.regular.last_but_one[8 + n / 16];
                    let last = 0x80 | upper.regular.get(n) as u8 & 0x3F;
                    let bytes = match upper.regular.lead {
                        0 => [last_but_one, last, 0],
                        lead => [lead, last_but_one, last],
                    };
                    assert_eq!(bytes, upper.utf8().each_ref().map(|plane| plane[n]));
                }
            }
        }
    }
}
