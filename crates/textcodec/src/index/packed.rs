//! The decoding tables of small builds, each unpacked at first use.

use std::{sync::LazyLock, vec};

use super::{
    SINGLE_BYTE_ROWS, derive,
    unpack::{Walk, unpack},
};
use crate::{kernel::tables::UpperHalf, once::Place};

/// Declares tables. They are in static memory.
macro_rules! unpacked {
    ($($(#[$cfg:meta])* $name:ident: $view:ty, in $type:ty = $empty:expr, |$table:ident| $fill:expr;)*) => {$(
        $(#[$cfg])*
        pub(crate) static $name: LazyLock<&$view> = LazyLock::new(|| {
            static PLACE: Place<$type> = Place::new($empty);
            let $table = PLACE.take();
            $fill;
            $table
        });
    )*};
}

unpacked! {
    #[cfg(feature = "japanese")]
    JIS0208: [u16], in [u16; 256 + 11_280 + 94 + 1] = [0; _], |cells| {
        let mut index = vec![0; 11_280];
        unpack(include_bytes!("../../tables/jis0208.packed"), &Walk::JIS0208, &[], &mut index);
        derive::jis0208_cells(&index, cells);
    };
    #[cfg(feature = "japanese")]
    JIS0212: [u16], in [u16; 94 * 94] = [0; _], |table| {
        let mut index = vec![0; 94 * 94];
        unpack(include_bytes!("../../tables/jis0212.packed"), &Walk::JIS0212, derive::jis0208(&JIS0208), &mut index);
        table.iter_mut().zip(index).for_each(|(unit, code)| *unit = code as u16);
    };
    #[cfg(feature = "korean")]
    EUC_KR: [u16], in [u16; 256 + 126 * 190 + 1] = [0; _], |cells| {
        let mut index = vec![0; 126 * 190];
        unpack(include_bytes!("../../tables/euc-kr.packed"), &Walk::EXTENDED, &[], &mut index);
        derive::euc_kr_cells(&index, cells);
    };
    #[cfg(feature = "chinese")]
    GB18030: [u16], in [u16; 256 + 126 * 190 + 1] = [0; _], |cells| {
        let mut index = vec![0; 126 * 190];
        unpack(include_bytes!("../../tables/gb18030.packed"), &Walk::EXTENDED, &[], &mut index);
        derive::gb18030_cells(&index, cells);
    };
    #[cfg(feature = "chinese")]
    BIG5_BOTH: ([u16; 256 + 126 * 157 + 1], [u16; 1713]), in ([u16; 256 + 126 * 157 + 1], [u16; 1713]) = ([0; _], [0; _]), |both| {
        let mut index = vec![0; 126 * 157];
        unpack(include_bytes!("../../tables/big5.packed"), &Walk::BIG5, &[], &mut index);
        derive::big5_cells(&index, &mut both.0, &mut both.1);
    };
    #[cfg(feature = "single-byte")]
    SINGLE_BYTE: [UpperHalf], in [UpperHalf; SINGLE_BYTE_ROWS] = [const { UpperHalf::read(&[0; UpperHalf::FILE_LEN]) }; _], |tables| {
        // Latin-1, followed by the single-byte indexes.
        let mut index: vec::Vec<u32> = (0x80..0x100).collect();
        index.resize(SINGLE_BYTE_ROWS * 128, 0);
        unpack(include_bytes!("../../tables/single-byte.packed"), &Walk::SINGLE_BYTE, &[], &mut index);
        index.extend(0xF780..=0xF7FF);
        for (table, index) in tables.iter_mut().zip(&index.as_chunks().0[1..]) {
            *table = UpperHalf::new(&index.map(|code: u32| code as u16));
        }
    };
}

#[cfg(feature = "chinese")]
pub(crate) static BIG5: LazyLock<&[u16]> = LazyLock::new(|| &BIG5_BOTH.0);
#[cfg(feature = "chinese")]
pub(crate) static BIG5_PLANE_2: LazyLock<&[u16]> = LazyLock::new(|| &BIG5_BOTH.1);
