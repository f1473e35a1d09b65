//! The encoding tables as statics, for builds without `std`, from the files that `cargo xtask tables` generates.

use super::derive::TwoStages;
use crate::kernel::tables::{CommonRows, ToByte, units};

/// Declares two-stage tables.
macro_rules! two_stages {
    ($($(#[$cfg:meta])* $name:ident: [$stages:literal, $extra:literal] = $file:literal;)*) => {$(
        $(#[$cfg])*
        pub(crate) static $name: TwoStages<
            $stages,
            $extra,
            { include_bytes!($file).len() / 2 - $stages * 1024 - $extra },
        > = {
            let mut stages = [[0; 1024]; $stages];
            let mut n = 0;
            while n < $stages {
                stages[n] = units(include_bytes!($file), n * 1024);
                n += 1;
            }
            TwoStages {
                stages,
                extra: units(include_bytes!($file), $stages * 1024),
                blocks: units(include_bytes!($file), $stages * 1024 + $extra),
            }
        };
    )*};
}

two_stages! {
    #[cfg(feature = "japanese")]
    JIS0208_ENCODE: [2, 0] = "../../tables/jis0208-encode.bin";
    #[cfg(feature = "japanese")]
    SHIFT_JIS_ENCODE: [1, 0] = "../../tables/shift_jis-encode.bin";
    #[cfg(feature = "korean")]
    EUC_KR_ENCODE: [1, 0] = "../../tables/euc-kr-encode.bin";
    #[cfg(feature = "chinese")]
    GB18030_ENCODE: [2, 1024] = "../../tables/gb18030-encode.bin";
    #[cfg(feature = "chinese")]
    BIG5_ENCODE: [1, 839] = "../../tables/big5-encode.bin";
}

#[cfg(feature = "single-byte")]
pub(crate) fn single_byte_encode(row: usize) -> &'static ToByte {
    const ROWS: usize = super::SINGLE_BYTE_ROWS;
    static STAGES: &[u8; ROWS * 1024] = include_bytes!("../../tables/single-byte-encode-stages.bin");
    static BLOCKS: &[u8] = include_bytes!("../../tables/single-byte-encode-blocks.bin");
    static COMMON_ROWS: [CommonRows; ROWS] = {
        const NUMBERS: [u16; 4 * ROWS] = units(include_bytes!("../../tables/single-byte-encode-rows.bin"), 0);
        let mut all = [CommonRows::EMPTY; ROWS];
        let mut n = 0;
        while n < ROWS {
            let numbers = [NUMBERS[4 * n], NUMBERS[4 * n + 1], NUMBERS[4 * n + 2], NUMBERS[4 * n + 3]];
            all[n] = CommonRows::new(numbers, &super::fixed::SINGLE_BYTE[n]);
            n += 1;
        }
        all
    };
    static TABLES: [ToByte; ROWS] = {
        const BASES: [u16; ROWS] = units(include_bytes!("../../tables/single-byte-encode-bases.bin"), 0);
        let mut all = [ToByte { stages: &[0; 1024], blocks: &[], common: &COMMON_ROWS[0] }; ROWS];
        let mut n = 0;
        while n < ROWS {
            all[n] = ToByte {
                stages: &STAGES.as_chunks().0[n],
                blocks: BLOCKS.as_chunks().0.split_at(BASES[n] as usize).1,
                common: &COMMON_ROWS[n],
            };
            n += 1;
        }
        all
    };

    &TABLES[row]
}
