//! The tables as statics, from the files that `cargo xtask tables` generates.

use crate::kernel::tables::{self, units};

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
