//! The 40 encodings by name. As in encoding_rs, each is a static and a reference to it.

use crate::Encoding;

/// One row for each encoding: the names of the reference and of the static, the standard's name, and a description.
macro_rules! encodings {
    ($($name:ident $init:ident $standard:literal $description:literal;)*) => {
        $(
            #[doc = concat!("[", $standard, "](https://encoding.spec.whatwg.org/#names-and-labels): ", $description, ".")]
            ///
            /// ```
            #[doc = concat!("assert_eq!(encoding_rs::", stringify!($name), ".name(), \"", $standard, "\");")]
            /// ```
            pub static $name: &'static Encoding = &$init;

            #[doc = concat!("The static that [`", stringify!($name), "`] refers to, for initialisers of other statics.")]
            ///
            /// ```
            #[doc = concat!("static ENCODING: &encoding_rs::Encoding = &encoding_rs::", stringify!($init), ";")]
            #[doc = concat!("assert_eq!(ENCODING, encoding_rs::", stringify!($name), ");")]
            /// ```
            pub static $init: Encoding = Encoding::new(textcodec::$name);
        )*

        /// Returns the reference to an encoding of the standard.
        pub(crate) fn reference(encoding: textcodec::Encoding) -> &'static Encoding {
            match encoding {
                $(textcodec::$name => $name,)*
                // Labels, byte order marks and decoders only return encodings of the standard.
                _ => unreachable!("{encoding} is not an encoding of the standard"),
            }
        }
    };
}

// The rows: `cargo xtask tables` writes them.
include!("list.rs");
