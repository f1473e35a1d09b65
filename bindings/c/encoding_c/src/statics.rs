//! The exported pointers to the encodings.

use encoding_rs::Encoding;

/// One row for each encoding: the exported name, and the static of `encoding_rs` that it points to.
macro_rules! encodings {
    ($($name:ident $init:ident;)*) => {
        $(
            #[unsafe(no_mangle)]
            static $name: &'static Encoding = &encoding_rs::$init;
        )*
    };
}

// The rows: `cargo xtask tables` writes them.
include!("list.rs");
