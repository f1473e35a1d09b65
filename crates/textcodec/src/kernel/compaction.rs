//! The tables of `shuffles.rs`, from the file that `cargo xtask tables` generates. Small builds compute them at first use.

#[cfg(any(textcodec_small, test))]
use super::shuffles;
#[cfg(textcodec_small)]
use crate::once::table::{Table, table};

/// Declares tables. In the file, each of them begins at a byte.
macro_rules! shuffles {
    ($($name:ident: $len:literal = $function:ident at $at:expr;)*) => {$(
        #[doc = concat!("See `shuffles::", stringify!($function), "`.")]
        #[cfg(not(textcodec_small))]
        pub(crate) static $name: [[u8; $len]; 256] = read($at);
        #[cfg(textcodec_small)]
        pub(crate) static $name: Table<[[u8; $len]; 256]> = table!([[u8; $len]; 256]: shuffles::$function());
    )*

        #[cfg(all(test, not(textcodec_small)))]
        #[test]
        fn the_file_has_the_shuffles() {
            $(assert!($name == shuffles::$function(), stringify!($name));)*
        }
    };
}

shuffles! {
    UNITS: 16 = units at 0;
    PAIRS: 16 = pairs at 0x1000;
    TRIPLES: 16 = triples at 0x2000;
    SEQUENCES: 16 = sequences at 0x3000;
    ORDERS: 16 = orders at 0x4000;
    BYTES: 8 = bytes at 0x5000;
}

#[cfg(not(textcodec_small))]
const fn read<const N: usize>(at: usize) -> [[u8; N]; 256] {
    let (_, rest) = include_bytes!("../../tables/shuffles.bin").split_at(at);
    *rest.as_chunks().0.first_chunk().expect("the file has all tables")
}
