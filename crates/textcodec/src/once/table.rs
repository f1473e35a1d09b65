//! Tables that are statics, or made at first use.
#![allow(dead_code, unused_macros, unused_imports, reason = "builds without double-byte encodings have no such table")]

#[cfg(all(textcodec_small, not(feature = "std")))]
compile_error!("packed tables need feature `std`");

/// A table for decoding. If decoding tables are packed, it is made at first use.
#[cfg(not(any(textcodec_small, feature = "packed-tables")))]
pub(crate) type Table<T> = T;
#[cfg(any(textcodec_small, feature = "packed-tables"))]
pub(crate) type Table<T> = std::sync::LazyLock<&'static T>;

/// Makes a [`Table`] of a type, from an expression.
macro_rules! table {
    ($type:ty: $value:expr) => {{
        #[cfg(not(any(textcodec_small, feature = "packed-tables")))]
        {
            $value
        }
        #[cfg(any(textcodec_small, feature = "packed-tables"))]
        {
            use core::mem::MaybeUninit;

            // Zeros, so that it is not part of the program's file.
            static PLACE: crate::once::Place<MaybeUninit<$type>> = crate::once::Place::new(MaybeUninit::zeroed());
            std::sync::LazyLock::new(|| PLACE.take().write($value))
        }
    }};
}
pub(crate) use table;

/// A table for encoding: derived at first use, or at compile time without `std`.
#[cfg(not(feature = "std"))]
pub(crate) type Derived<T> = T;
#[cfg(feature = "std")]
pub(crate) type Derived<T> = std::sync::LazyLock<T>;

/// Makes a [`Derived`] of an expression.
macro_rules! derived {
    ($value:expr) => {{
        #[cfg(not(feature = "std"))]
        {
            $value
        }
        #[cfg(feature = "std")]
        std::sync::LazyLock::new(|| $value)
    }};
}
pub(crate) use derived;
