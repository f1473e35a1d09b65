//! The tables of small builds, on the heap, each built at first use: decoding tables from the packed indexes, and encoding
//! tables from the decoding tables.

use std::{
    boxed::Box,
    sync::{LazyLock, OnceLock},
    vec,
    vec::Vec,
};

use super::{
    ISO_2022_JP_KATAKANA, SINGLE_BYTE_ROWS,
    derive::{self, TwoStages},
    gb18030_ranges,
    unpack::{Walk, unpack},
};
use crate::kernel::tables::{self, Stages};

pub(crate) static JIS0208: LazyLock<Vec<u16>> = LazyLock::new(|| {
    let mut index = vec![0; 11_280];
    unpack(include_bytes!("../../tables/jis0208.packed"), &Walk::JIS0208, &[], &mut index);
    derive::jis0208_cells(index)
});
pub(crate) static JIS0212: LazyLock<Vec<u16>> = LazyLock::new(|| {
    let mut index = vec![0; 94 * 94];
    unpack(include_bytes!("../../tables/jis0212.packed"), &Walk::JIS0212, derive::jis0208(&JIS0208), &mut index);
    index.into_iter().map(|code| code as u16).collect()
});
pub(crate) static EUC_KR: LazyLock<Vec<u16>> = LazyLock::new(|| {
    let mut index = vec![0; 126 * 190];
    unpack(include_bytes!("../../tables/euc-kr.packed"), &Walk::EXTENDED, &[], &mut index);
    derive::euc_kr_cells(&index)
});
pub(crate) static GB18030: LazyLock<Vec<u16>> = LazyLock::new(|| {
    let mut index = vec![0; 126 * 190];
    unpack(include_bytes!("../../tables/gb18030.packed"), &Walk::EXTENDED, &[], &mut index);
    derive::gb18030_cells(&index)
});
pub(crate) static BIG5: LazyLock<&[u16]> = LazyLock::new(|| &BIG5_BOTH.0);
pub(crate) static BIG5_PLANE_2: LazyLock<&[u16]> = LazyLock::new(|| &BIG5_BOTH.1);
static BIG5_BOTH: LazyLock<(Vec<u16>, Vec<u16>)> = LazyLock::new(|| {
    let mut index = vec![0; 126 * 157];
    unpack(include_bytes!("../../tables/big5.packed"), &Walk::BIG5, &[], &mut index);
    derive::big5_cells(index)
});

pub(crate) static JIS0208_ENCODE: LazyLock<TwoStages> =
    LazyLock::new(|| derive::jis0208_bytes(&JIS0208, &ISO_2022_JP_KATAKANA));
pub(crate) static SHIFT_JIS_ENCODE: LazyLock<TwoStages> = LazyLock::new(|| derive::shift_jis_bytes(&JIS0208));
pub(crate) static EUC_KR_ENCODE: LazyLock<TwoStages> = LazyLock::new(|| derive::euc_kr_bytes(&EUC_KR));
pub(crate) static GB18030_ENCODE: LazyLock<&TwoStages> = LazyLock::new(|| &GB18030_ENCODE_BOTH.0);
pub(crate) static GB18030_BASES: LazyLock<&Stages> = LazyLock::new(|| &GB18030_ENCODE_BOTH.1);
static GB18030_ENCODE_BOTH: LazyLock<(TwoStages, Stages)> =
    LazyLock::new(|| derive::gb18030_bytes(&GB18030, &gb18030_ranges::RANGES));
pub(crate) static BIG5_ENCODE: LazyLock<&TwoStages> = LazyLock::new(|| &BIG5_ENCODE_BOTH.0);
pub(crate) static BIG5_PLANE_2_ENCODE: LazyLock<&[u16]> = LazyLock::new(|| &BIG5_ENCODE_BOTH.1);
static BIG5_ENCODE_BOTH: LazyLock<(TwoStages, Vec<u16>)> = LazyLock::new(|| derive::big5_bytes(&BIG5, &BIG5_PLANE_2));

/// Latin-1, followed by the single-byte indexes and x-user-defined.
static SINGLE_BYTE_INDEXES: LazyLock<Vec<u16>> = LazyLock::new(|| {
    let mut index: Vec<u32> = (0x80..0x100).collect();
    index.resize(28 * 128, 0);
    unpack(include_bytes!("../../tables/single-byte.packed"), &Walk::SINGLE_BYTE, &[], &mut index);
    index.into_iter().map(|code| code as u16).chain(0xF780..=0xF7FF).collect()
});

fn single_byte_index(row: usize) -> &'static [u16; 128] {
    &SINGLE_BYTE_INDEXES.as_chunks().0[1 + row]
}

pub(crate) static SINGLE_BYTE: LazyLock<Box<[tables::UpperHalf]>> =
    LazyLock::new(|| (0..SINGLE_BYTE_ROWS).map(|row| tables::UpperHalf::new(single_byte_index(row))).collect());

pub(crate) fn single_byte_encode(row: usize) -> tables::ToByte {
    static TABLES: [OnceLock<tables::ToByte>; SINGLE_BYTE_ROWS] = [const { OnceLock::new() }; _];

    *TABLES[row].get_or_init(|| {
        let index = single_byte_index(row);
        let TwoStages { stages, blocks } = derive::single_byte_bytes(index);
        tables::ToByte {
            stages: Box::leak(Box::new(stages[0].map(|start| (start / 64) as u8))),
            blocks: blocks.iter().map(|&entry| entry as u8).collect::<Vec<_>>().leak().as_chunks().0,
            common: Box::leak(Box::new(tables::CommonRows::new(derive::single_byte_rows(index), &SINGLE_BYTE[row]))),
        }
    })
}
