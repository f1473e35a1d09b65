//! The functions of `short.rs` on platforms for which it was not measured: they decline every input, so kernels convert it.

use super::{Out, tables::ByteOrder};

macro_rules! decline {
    ($($name:ident($($argument:ty),*);)*) => {$(
        #[inline]
        pub(crate) fn $name($(_: $argument),*) -> bool {
            false
        }
    )*};
}

decline! {
    is_short_ascii(&[u8]);
    has_no_surrogate(&[u16]);
    ascii_copy(&[u8], &mut Out<'_, u8>);
    ascii_to_utf16(ByteOrder, &[u8], &mut Out<'_, u16>);
    latin1_to_utf16(&[u8], &mut Out<'_, u16>);
    utf16_from_bytes(ByteOrder, &[u8], &mut Out<'_, u16>);
    ascii_from_utf16(ByteOrder, &[[u8; 2]], &mut Out<'_, u8>);
    latin1_from_utf16(&[u16], &mut Out<'_, u8>);
}
