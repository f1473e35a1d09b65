//! The library for C. `include/textcodec.h` documents the functions; here are the reasons.
//!
//! | file | contents |
//! |---|---|
//! | `types.rs` | the structs and numbers of the header |
//! | `raw.rs` | slices from pointers, with the checks |
//! | `encodings.rs`, `list.rs`, `names.rs` | encodings and their names |
//! | `decoder.rs`, `encoder.rs`, `encoder_api.rs` | streaming, without allocation |
//! | `source.rs` | how the encoder reads UTF-8, UTF-16 and UTF-32 |
//! | `whole.rs` | whole inputs, into memory from `malloc` |
//! | `convert.rs` | validation and conversion between forms of Unicode |
//!
//! No function panics: a panic would end the program.
#![no_std]

extern crate alloc;

use core::ffi::{c_char, c_void};

use textcodec_c_runtime as _;

mod convert;
mod decoder;
mod encoder;
mod encoder_api;
mod encodings;
#[rustfmt::skip]
mod list;
mod names;
mod raw;
mod source;
mod types;
mod whole;

/// The number in the name of the shared library.
const ABI: u32 = 0;

#[unsafe(no_mangle)]
extern "C" fn textcodec_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

#[unsafe(no_mangle)]
extern "C" fn textcodec_abi_version() -> u32 {
    ABI
}

#[unsafe(no_mangle)]
unsafe extern "C" fn textcodec_free(memory: *mut c_void) {
    // SAFETY: the caller promises that the memory is from this library, which allocates with `malloc`, or null.
    unsafe { libc::free(memory) }
}
