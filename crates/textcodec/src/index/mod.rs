//! Section 5: the indexes as tables that are made by `cargo xtask tables` and become part of the program at compile time.
//!
//! The tables' forms are described beside the code that makes them, `xtask/src/tables.rs`.

use crate::kernel::single_byte;

/// For each byte what it is alone, then an index by pointer, then an unmapped entry: what kernels look up.
pub(crate) mod cells {
    use super::units;

    pub(crate) static JIS0208: [u16; 256 + 11_280 + 94 + 1] = units(include_bytes!("../../tables/jis0208.bin"), 0);
    pub(crate) static EUC_KR: [u16; 256 + 126 * 190 + 1] = units(include_bytes!("../../tables/euc-kr.bin"), 0);
    pub(crate) static GB18030: [u16; 256 + 126 * 190 + 1] = units(include_bytes!("../../tables/gb18030.bin"), 0);
    pub(crate) static BIG5: [u16; 256 + 126 * 157 + 1] = units(include_bytes!("../../tables/big5.bin"), 0);
}

/// Index jis0208, and what shares its pointers: from 8836 on Shift_JIS's user-defined characters, from 11280 on EUC-JP's
/// half-width katakana.
pub(crate) static JIS0208: &[u16] = cells::JIS0208.split_at(256).1;
/// Index jis0212.
pub(crate) static JIS0212: [u16; 94 * 94] = units(include_bytes!("../../tables/jis0212.bin"), 0);
/// Index EUC-KR.
pub(crate) static EUC_KR: &[u16] = cells::EUC_KR.split_at(256).1;
/// Index gb18030.
pub(crate) static GB18030: &[u16] = cells::GB18030.split_at(256).1;
/// Index Big5; a surrogate 0xD800 + n stands for entry n of [`BIG5_PLANE_2`].
pub(crate) static BIG5: &[u16] = cells::BIG5.split_at(256).1;
/// What to add to U+20000.
pub(crate) static BIG5_PLANE_2: [u16; 1713] = units(include_bytes!("../../tables/big5-plane2.bin"), 0);
/// Index ISO-2022-JP katakana.
pub(crate) static ISO_2022_JP_KATAKANA: [u16; 63] = units(include_bytes!("../../tables/iso-2022-jp-katakana.bin"), 0);

/// What encoders look up: from a code point of the BMP to its bytes.
pub(crate) mod encode {
    use super::units;
    use crate::kernel::double_byte::{Stages, ToBytes};

    const JIS0208_BYTES: &[u8] = include_bytes!("../../tables/jis0208-encode.bin");
    const SHIFT_JIS_BYTES: &[u8] = include_bytes!("../../tables/shift_jis-encode.bin");
    const EUC_KR_BYTES: &[u8] = include_bytes!("../../tables/euc-kr-encode.bin");
    const GB18030_BYTES: &[u8] = include_bytes!("../../tables/gb18030-encode.bin");
    const BIG5_BYTES: &[u8] = include_bytes!("../../tables/big5-encode.bin");

    static EUC_JP_STAGES: Stages = stages(JIS0208_BYTES, 0);
    static ISO_2022_JP_STAGES: Stages = stages(JIS0208_BYTES, 1);
    static JIS0208_BLOCKS: [u16; blocks_len(JIS0208_BYTES, 2)] = units(JIS0208_BYTES, 2 * 1024);
    static SHIFT_JIS_STAGES: Stages = stages(SHIFT_JIS_BYTES, 0);
    static SHIFT_JIS_BLOCKS: [u16; blocks_len(SHIFT_JIS_BYTES, 1)] = units(SHIFT_JIS_BYTES, 1024);
    static EUC_KR_STAGES: Stages = stages(EUC_KR_BYTES, 0);
    static EUC_KR_BLOCKS: [u16; blocks_len(EUC_KR_BYTES, 1)] = units(EUC_KR_BYTES, 1024);
    static GBK_STAGES: Stages = stages(GB18030_BYTES, 0);
    static GB18030_STAGES: Stages = stages(GB18030_BYTES, 1);
    static GB18030_BASES: [u16; 1024] = units(GB18030_BYTES, 2 * 1024);
    static GB18030_BLOCKS: [u16; blocks_len(GB18030_BYTES, 3)] = units(GB18030_BYTES, 3 * 1024);
    static BIG5_STAGES: Stages = stages(BIG5_BYTES, 0);
    static BIG5_BLOCKS: [u16; blocks_len(BIG5_BYTES, 1)] = units(BIG5_BYTES, 1024);

    pub(crate) static EUC_JP: ToBytes = ToBytes::new(&EUC_JP_STAGES, &JIS0208_BLOCKS);
    /// The pairs of JIS X 0208 alone.
    pub(crate) static ISO_2022_JP: ToBytes =
        ToBytes::new(&ISO_2022_JP_STAGES, &JIS0208_BLOCKS).without_ascii().seven_bit();
    pub(crate) static SHIFT_JIS: ToBytes = ToBytes::new(&SHIFT_JIS_STAGES, &SHIFT_JIS_BLOCKS);
    pub(crate) static EUC_KR: ToBytes = ToBytes::new(&EUC_KR_STAGES, &EUC_KR_BLOCKS);
    pub(crate) static GBK: ToBytes = ToBytes::new(&GBK_STAGES, &GB18030_BLOCKS);
    /// With the side table of GB18030-2022.
    pub(crate) static GB18030: ToBytes = ToBytes::new(&GB18030_STAGES, &GB18030_BLOCKS).with_four_bytes(&GB18030_BASES);
    pub(crate) static BIG5: ToBytes = ToBytes::new(&BIG5_STAGES, &BIG5_BLOCKS);

    /// The `place`-th 1,024 block numbers of a file, as where the blocks start.
    const fn stages(bytes: &[u8], place: usize) -> Stages {
        let mut stages: Stages = units(bytes, 1024 * place);
        let mut n = 0;
        while n < stages.len() {
            stages[n] *= 64;
            n += 1;
        }
        stages
    }

    /// How many entries follow `before` tables of 1,024 numbers.
    const fn blocks_len(bytes: &[u8], before: usize) -> usize {
        bytes.len() / 2 - 1024 * before
    }
}

/// *Index Big5 pointer* above the BMP, as two bytes.
pub(crate) fn big5_plane_2_bytes(code_point: u32) -> Option<[u8; 2]> {
    const BYTES: &[u8] = include_bytes!("../../tables/big5-plane2-encode.bin");
    static STARTS: [u16; 257] = units(BYTES, 0);
    static ENTRIES: [u16; BYTES.len() / 2 - 257] = units(BYTES, 257);

    let code = code_point.checked_sub(0x20000).filter(|&code| code <= 0xFFFF)? as usize;
    let (upper, lower) = (code >> 8, (code & 0xFF) as u16);
    let entries = &ENTRIES[2 * usize::from(STARTS[upper])..2 * usize::from(STARTS[upper + 1])];
    entries.as_chunks::<2>().0.iter().find(|entry| entry[0] == lower).map(|entry| entry[1].to_be_bytes())
}

/// *Index single-byte* by place in section 9's table.
pub(crate) static SINGLE_BYTE: [single_byte::Upper; 27] = {
    const BYTES: &[u8] = include_bytes!("../../tables/single-byte.bin");
    let mut all = [const { single_byte::Upper::new(&[0; 128]) }; 27];
    let mut n = 0;
    while n < 27 {
        all[n] = single_byte::Upper::new(&units(BYTES, n * 128));
        n += 1;
    }
    all
};

/// The encoder's table by place in section 9's table.
pub(crate) fn single_byte_encode(place: usize) -> single_byte::ToByte {
    static STAGES: &[u8; 27 * 1024] = include_bytes!("../../tables/single-byte-encode-stages.bin");
    static BLOCKS: &[u8] = include_bytes!("../../tables/single-byte-encode-blocks.bin");
    static BASES: [u16; 27] = units(include_bytes!("../../tables/single-byte-encode-bases.bin"), 0);
    static NEAR: [single_byte::Near; 27] = {
        const ROWS: [u16; 4 * 27] = units(include_bytes!("../../tables/single-byte-encode-near.bin"), 0);
        let mut all = [const { single_byte::Near::new([0; 4], &SINGLE_BYTE[0]) }; 27];
        let mut n = 0;
        while n < 27 {
            let rows = [ROWS[4 * n], ROWS[4 * n + 1], ROWS[4 * n + 2], ROWS[4 * n + 3]];
            all[n] = single_byte::Near::new(rows, &SINGLE_BYTE[n]);
            n += 1;
        }
        all
    };

    single_byte::ToByte {
        stages: &STAGES.as_chunks::<1024>().0[place],
        blocks: &BLOCKS.as_chunks::<64>().0[BASES[place].into()..],
        near: &NEAR[place],
    }
}

/// *Index gb18030 ranges*.
pub(crate) mod gb18030_ranges {
    use super::units;
    use crate::kernel::double_byte::fours::{self, Fours, Run};

    /// Pairs of pointer and code point, both ascending; without the range above the BMP.
    static RANGES: [u16; 2 * 206] = units(include_bytes!("../../tables/gb18030-ranges.bin"), 0);

    /// By the upper bits of a code point, the last range that starts at or before the first code point with these bits.
    static BY_CODE_POINT: [u8; 256] = jump();

    /// *Index gb18030 ranges code point*.
    pub(crate) fn code_point(pointer: u32) -> Option<char> {
        match pointer {
            0..=39_419 => FOURS.get(pointer).and_then(|code_point| char::from_u32(code_point.into())), // 2-4.
            189_000..=1_237_575 => char::from_u32(0x10000 + pointer - 189_000),                        // 3-4.
            _ => None,                                                                                 // 1.
        }
    }

    /// Steps 2 to 4 for pointers of the BMP.
    pub(crate) static FOURS: Fours = {
        let mut runs = [Run { first: 0, len: 0, code_point: 0 }; fours::RUNS];
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
        Fours::new(&runs)
    };

    /// *Index gb18030 ranges pointer*, for a code point that index gb18030 does not have.
    pub(crate) fn pointer(code_point: u32) -> u32 {
        match code_point {
            0xE7C7 => 7457, // 1.
            0..=0xFFFF => {
                let (pointer_offset, offset) = last(code_point); // 2.
                pointer_offset + code_point - offset // 3.
            }
            _ => 189_000 + code_point - 0x10000, // 2-3.
        }
    }

    /// The last range whose code point is not above this one.
    fn last(code_point: u32) -> (u32, u32) {
        let mut at = usize::from(BY_CODE_POINT[(code_point >> 8) as usize]);
        while at + 1 < 206 && u32::from(RANGES[2 * (at + 1) + 1]) <= code_point {
            at += 1;
        }
        (RANGES[2 * at].into(), RANGES[2 * at + 1].into())
    }

    const fn jump() -> [u8; 256] {
        let mut jump = [0; 256];
        let (mut upper, mut at) = (0, 0);
        while upper < 256 {
            while at + 1 < 206 && RANGES[2 * (at + 1) + 1] as usize <= upper << 8 {
                at += 1;
            }
            jump[upper] = at as u8;
            upper += 1;
        }
        jump
    }
}

/// The `N` little-endian units from the `from`-th on.
const fn units<const N: usize>(bytes: &[u8], from: usize) -> [u16; N] {
    let mut units = [0; N];
    let mut n = 0;
    while n < N {
        units[n] = u16::from_le_bytes([bytes[2 * (from + n)], bytes[2 * (from + n) + 1]]);
        n += 1;
    }
    units
}
