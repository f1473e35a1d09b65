//! The encoding tables, each derived at first use from a decoding table. They are in static memory: nothing is allocated, so nothing
//! can fail.

use std::sync::LazyLock;

use super::derive::{self, BLOCK, TwoStages};
use crate::{
    kernel::tables::{CommonRows, ToByte},
    once::Place,
};

/// The number of entries for which there is memory. That of EUC-KR needs most of them.
const MAX_ENTRIES: usize = 36 * 1024;

/// Declares two-stage tables.
macro_rules! two_stages {
    ($($(#[$cfg:meta])* $name:ident: [$stages:literal, $extra:literal] = $derive:expr;)*) => {$(
        $(#[$cfg])*
        pub(crate) static $name: LazyLock<&TwoStages<$stages, $extra, MAX_ENTRIES>> = LazyLock::new(|| {
            static PLACE: Place<TwoStages<$stages, $extra, MAX_ENTRIES>> = Place::new(TwoStages::EMPTY);
            let table = PLACE.take();
            $derive(table);
            table
        });
    )*};
}

two_stages! {
    #[cfg(feature = "japanese")]
    JIS0208_ENCODE: [2, 0] = |table| derive::jis0208_bytes(&super::JIS0208, &super::ISO_2022_JP_KATAKANA, table);
    #[cfg(feature = "japanese")]
    SHIFT_JIS_ENCODE: [1, 0] = |table| derive::shift_jis_bytes(&super::JIS0208, table);
    #[cfg(feature = "korean")]
    EUC_KR_ENCODE: [1, 0] = |table| derive::euc_kr_bytes(&super::EUC_KR, table);
    #[cfg(feature = "chinese")]
    GB18030_ENCODE: [2, 1024] =
        |table| derive::gb18030_bytes(&super::GB18030, &super::gb18030_ranges::RANGES, table);
    #[cfg(feature = "chinese")]
    BIG5_ENCODE: [1, 839] = |table| derive::big5_bytes(&super::BIG5, &super::BIG5_PLANE_2, table);
}

/// The maximum number of blocks of a single-byte encoding.
#[cfg(feature = "single-byte")]
const MAX_BLOCKS: usize = 20;

/// The tables of a single-byte encoding.
#[cfg(feature = "single-byte")]
struct Single {
    stages: [u8; 1024],
    blocks: [[u8; BLOCK]; MAX_BLOCKS],
    common: CommonRows,
}

#[cfg(feature = "single-byte")]
pub(crate) fn single_byte_encode(row: usize) -> &'static ToByte {
    static TABLES: [std::sync::OnceLock<ToByte>; super::SINGLE_BYTE_ROWS] = [const { std::sync::OnceLock::new() }; _];
    static PLACES: [Place<Single>; super::SINGLE_BYTE_ROWS] = [const {
        Place::new(Single { stages: [0; 1024], blocks: [[0; BLOCK]; MAX_BLOCKS], common: CommonRows::EMPTY })
    }; _];

    TABLES[row].get_or_init(|| {
        let (upper, table) = (&super::SINGLE_BYTE[row], PLACES[row].take());
        let index = core::array::from_fn(|n| upper.get(n));
        derive::single_byte_stages(&index, &mut table.stages);
        derive::single_byte_blocks(&index, &table.stages, &mut table.blocks);
        table.common = CommonRows::new(derive::single_byte_rows(&index), upper);
        ToByte { stages: &table.stages, blocks: &table.blocks, common: &table.common }
    })
}
