//! Links the functions of `encoding_c` and `encoding_c_mem` from crates.io.
pub use encoding_c;
pub use encoding_c_mem;
