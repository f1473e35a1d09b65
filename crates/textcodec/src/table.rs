//! Tables that are statics, or built at first use in small builds.
#![allow(dead_code, unused_macros, unused_imports, reason = "builds without double-byte encodings have no such table")]

#[cfg(all(textcodec_small, not(feature = "std")))]
compile_error!("packed tables need feature `std`");

/// A table that is built at compile time or, in small builds, at first use.
#[cfg(not(textcodec_small))]
pub(crate) type Table<T> = T;
#[cfg(textcodec_small)]
pub(crate) type Table<T> = std::sync::LazyLock<std::boxed::Box<T>>;

/// Makes a [`Table`] of an expression.
macro_rules! table {
    ($value:expr) => {{
        #[cfg(not(textcodec_small))]
        {
            $value
        }
        #[cfg(textcodec_small)]
        std::sync::LazyLock::new(|| std::boxed::Box::new($value))
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
