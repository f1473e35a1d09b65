//! Tables that small programs make when they first use them.

#[cfg(all(textcodec_small, not(feature = "std")))]
compile_error!("packed tables need feature `std`");

/// A table that is made at compile time, or, where tables are packed, when it is first used.
#[cfg(not(textcodec_small))]
pub(crate) type Table<T> = T;
#[cfg(textcodec_small)]
pub(crate) type Table<T> = std::sync::LazyLock<std::boxed::Box<T>>;

/// The value of a [`Table`].
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
