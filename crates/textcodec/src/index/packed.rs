//! The decoding tables, each unpacked at first use. They are in static memory: nothing is allocated, so nothing can fail.

use std::sync::LazyLock;

#[cfg(feature = "single-byte")]
use super::SINGLE_BYTE_ROWS;
use super::{
    derive::{self, INDEX},
    unpack::{Walk, unpack},
};
#[cfg(feature = "single-byte")]
use crate::kernel::tables::UpperHalf;
use crate::once::Place;

/// Declares tables.
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
    JIS0208: [u16], in [u16; INDEX + 11_280 + 94 + 1] = [0; _], |cells| {
        let packed = include_bytes!("../../tables/jis0208.packed");
        unpack(packed, &Walk::JIS0208, &[], &mut cells[INDEX..], &mut []);
        derive::jis0208_cells(cells);
    };
    #[cfg(feature = "japanese")]
    JIS0212: [u16], in [u16; 94 * 94] = [0; _], |index| {
        let packed = include_bytes!("../../tables/jis0212.packed");
        unpack(packed, &Walk::JIS0212, derive::jis0208(&JIS0208), index, &mut []);
    };
    #[cfg(feature = "korean")]
    EUC_KR: [u16], in [u16; INDEX + 126 * 190 + 1] = [0; _], |cells| {
        let packed = include_bytes!("../../tables/euc-kr.packed");
        unpack(packed, &Walk::EXTENDED, &[], &mut cells[INDEX..], &mut []);
        derive::euc_kr_or_big5_cells(cells);
    };
    #[cfg(feature = "chinese")]
    GB18030: [u16], in [u16; INDEX + 126 * 190 + 1] = [0; _], |cells| {
        let packed = include_bytes!("../../tables/gb18030.packed");
        unpack(packed, &Walk::EXTENDED, &[], &mut cells[INDEX..], &mut []);
        derive::gb18030_cells(cells);
    };
    #[cfg(feature = "chinese")]
    BIG5_BOTH: ([u16; INDEX + 126 * 157 + 1], [u16; 1713]), in ([u16; INDEX + 126 * 157 + 1], [u16; 1713]) =
        ([0; _], [0; _]), |both|
    {
        let packed = include_bytes!("../../tables/big5.packed");
        unpack(packed, &Walk::BIG5, &[], &mut both.0[INDEX..], &mut both.1);
        derive::euc_kr_or_big5_cells(&mut both.0);
    };
    #[cfg(feature = "single-byte")]
    SINGLE_BYTE: [UpperHalf], in [UpperHalf; SINGLE_BYTE_ROWS] =
        [const { UpperHalf::read(&[0; UpperHalf::FILE_LEN]) }; _], |tables|
    {
        // Latin-1, followed by the single-byte indexes and x-user-defined.
        let mut index = [0; (1 + SINGLE_BYTE_ROWS) * 128];
        index[..128].iter_mut().zip(0x80..).for_each(|(entry, unit)| *entry = unit);
        index[SINGLE_BYTE_ROWS * 128..].iter_mut().zip(0xF780..).for_each(|(entry, unit)| *entry = unit);
        unpack(include_bytes!("../../tables/single-byte.packed"), &Walk::SINGLE_BYTE, &[], &mut index, &mut []);
        for (table, index) in tables.iter_mut().zip(&index.as_chunks().0[1..]) {
            *table = UpperHalf::new(index);
        }
    };
}

#[cfg(feature = "chinese")]
pub(crate) static BIG5: LazyLock<&[u16]> = LazyLock::new(|| &BIG5_BOTH.0);
#[cfg(feature = "chinese")]
pub(crate) static BIG5_PLANE_2: LazyLock<&[u16]> = LazyLock::new(|| &BIG5_BOTH.1);
