//! The functions and statics of `encoding_c` 0.9.8 and the functions of `encoding_c_mem` 0.2.6, on top of the project's
//! `encoding_rs`.
//!
//! The headers in `bindings/c/include` are the documentation: they tell what each function does, and what its arguments must
//! be. The comments here say only what a header cannot.
//!
//! # Arguments
//! A pointer to a single object is an `Option` of a reference. That makes the promise of the header a type: the pointer is null
//! or points to an object. The `unsafe` functions are those with a pointer and a length, whose block the caller promises.
//!
//! # No aborts
//! Upstream panics when a destination is too small, and when a decoder is used after the end of its input. These functions
//! return instead. Only a null pointer where an object is required ends the program (`memory::required`).
#![no_std]

extern crate alloc;

mod decoder;
mod encoder;
mod encoding;
mod mem;
mod memory;
mod statics;

use textcodec_c_runtime as _;

/// The input has been read.
const INPUT_EMPTY: u32 = 0;

/// The next character does not fit into the destination.
const OUTPUT_FULL: u32 = 0xFFFF_FFFF;

/// Returns the number for a result with replacement.
fn coder_result(result: &encoding_rs::CoderResult) -> u32 {
    match result {
        encoding_rs::CoderResult::InputEmpty => INPUT_EMPTY,
        encoding_rs::CoderResult::OutputFull => OUTPUT_FULL,
    }
}
