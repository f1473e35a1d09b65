//! The API of [encoding_rs](https://docs.rs/encoding_rs/0.8.44) on top of textcodec.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;

pub mod mem;
