//! The tables as statics, from the files that `cargo xtask tables` generates.

use crate::kernel::tables::{self, Stages, units};

#[cfg(feature = "japanese")]
pub(crate) static JIS0208: [u16; 256 + 11_280 + 94 + 1] = units(include_bytes!("../../tables/jis0208.bin"), 0);
#[cfg(feature = "japanese")]
pub(crate) static JIS0212: [u16; 94 * 94] = units(include_bytes!("../../tables/jis0212.bin"), 0);
#[cfg(feature = "korean")]
pub(crate) static EUC_KR: [u16; 256 + 126 * 190 + 1] = units(include_bytes!("../../tables/euc-kr.bin"), 0);
#[cfg(feature = "chinese")]
pub(crate) static GB18030: [u16; 256 + 126 * 190 + 1] = units(include_bytes!("../../tables/gb18030.bin"), 0);
#[cfg(feature = "chinese")]
pub(crate) static BIG5: [u16; 256 + 126 * 157 + 1] = units(include_bytes!("../../tables/big5.bin"), 0);
#[cfg(feature = "chinese")]
pub(crate) static BIG5_PLANE_2: [u16; 1713] = units(include_bytes!("../../tables/big5-plane2.bin"), 0);

#[cfg(feature = "japanese")]
const JIS0208_BYTES: &[u8] = include_bytes!("../../tables/jis0208-encode.bin");
#[cfg(feature = "japanese")]
const SHIFT_JIS_BYTES: &[u8] = include_bytes!("../../tables/shift_jis-encode.bin");
#[cfg(feature = "korean")]
const EUC_KR_BYTES: &[u8] = include_bytes!("../../tables/euc-kr-encode.bin");
#[cfg(feature = "chinese")]
const GB18030_BYTES: &[u8] = include_bytes!("../../tables/gb18030-encode.bin");
#[cfg(feature = "chinese")]
const BIG5_BYTES: &[u8] = include_bytes!("../../tables/big5-encode.bin");
#[cfg(feature = "chinese")]
const BIG5_PLANE_2_BYTES: &[u8] = include_bytes!("../../tables/big5-plane2-encode.bin");

#[cfg(feature = "japanese")]
pub(crate) static JIS0208_ENCODE: TwoStages<2, { JIS0208_BYTES.len() / 2 - 2 * 1024 }> = two_stages(JIS0208_BYTES, 2);
#[cfg(feature = "japanese")]
pub(crate) static SHIFT_JIS_ENCODE: TwoStages<1, { SHIFT_JIS_BYTES.len() / 2 - 1024 }> = two_stages(SHIFT_JIS_BYTES, 1);
#[cfg(feature = "korean")]
pub(crate) static EUC_KR_ENCODE: TwoStages<1, { EUC_KR_BYTES.len() / 2 - 1024 }> = two_stages(EUC_KR_BYTES, 1);
#[cfg(feature = "chinese")]
/// In the file, the bases are between the stages and the blocks.
pub(crate) static GB18030_ENCODE: TwoStages<2, { GB18030_BYTES.len() / 2 - 3 * 1024 }> = two_stages(GB18030_BYTES, 3);
#[cfg(feature = "chinese")]
pub(crate) static GB18030_BASES: Stages = units(GB18030_BYTES, 2 * 1024);
#[cfg(feature = "chinese")]
pub(crate) static BIG5_ENCODE: TwoStages<1, { BIG5_BYTES.len() / 2 - 1024 }> = two_stages(BIG5_BYTES, 1);
#[cfg(feature = "chinese")]
pub(crate) static BIG5_PLANE_2_ENCODE: [u16; BIG5_PLANE_2_BYTES.len() / 2] = units(BIG5_PLANE_2_BYTES, 0);

/// The block starts of `E` encodings, and their blocks with `N` entries in total.
pub(crate) struct TwoStages<const E: usize, const N: usize> {
    pub(crate) stages: [Stages; E],
    pub(crate) blocks: [u16; N],
}

/// Reads two stages from a file. The blocks start at unit `before * 1024`.
const fn two_stages<const E: usize, const N: usize>(bytes: &[u8], before: usize) -> TwoStages<E, N> {
    let mut stages = [[0; 1024]; E];
    let mut n = 0;
    while n < E {
        stages[n] = units(bytes, n * 1024);
        n += 1;
    }
    TwoStages { stages, blocks: units(bytes, before * 1024) }
}

#[cfg(feature = "single-byte")]
pub(crate) static SINGLE_BYTE: [tables::UpperHalf; super::SINGLE_BYTE_ROWS] = {
    const BYTES: &[u8] = include_bytes!("../../tables/single-byte.bin");
    let mut all = [const { tables::UpperHalf::read(BYTES) }; _];
    let mut n = 0;
    while n < all.len() {
        all[n] = tables::UpperHalf::read(BYTES.split_at(n * tables::UpperHalf::FILE_LEN).1);
        n += 1;
    }
    all
};

#[cfg(feature = "single-byte")]
pub(crate) fn single_byte_encode(row: usize) -> tables::ToByte {
    const ROWS: usize = super::SINGLE_BYTE_ROWS;
    static STAGES: &[u8; ROWS * 1024] = include_bytes!("../../tables/single-byte-encode-stages.bin");
    static BLOCKS: &[u8] = include_bytes!("../../tables/single-byte-encode-blocks.bin");
    static BASES: [u16; ROWS] = units(include_bytes!("../../tables/single-byte-encode-bases.bin"), 0);
    static COMMON_ROWS: [tables::CommonRows; ROWS] = {
        const NUMBERS: [u16; 4 * ROWS] = units(include_bytes!("../../tables/single-byte-encode-rows.bin"), 0);
        let mut all = [const { tables::CommonRows::new([0; 4], &SINGLE_BYTE[0]) }; ROWS];
        let mut n = 0;
        while n < ROWS {
            let numbers = [NUMBERS[4 * n], NUMBERS[4 * n + 1], NUMBERS[4 * n + 2], NUMBERS[4 * n + 3]];
            all[n] = tables::CommonRows::new(numbers, &SINGLE_BYTE[n]);
            n += 1;
        }
        all
    };

    tables::ToByte {
        stages: &STAGES.as_chunks::<1024>().0[row],
        blocks: &BLOCKS.as_chunks::<64>().0[BASES[row].into()..],
        common: &COMMON_ROWS[row],
    }
}
