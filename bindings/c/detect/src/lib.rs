//! Detection for C. `include/textcodec_detect.h` documents the functions; here are the reasons.
//!
//! | file | contents |
//! |---|---|
//! | `detector.rs` | detectors and their options |
//! | `detection.rs` | results |
//! | `numbers.rs` | numbers of the headers |
//! | `raw.rs`, `list.rs` | those of the library `textcodec`: pointers, and encodings by number |
//!
//! `textcodec-detect` cannot report a failed allocation, so it runs with a reserve of memory (`textcodec_c_runtime::reserve`).
//! No function panics: a panic would end the program.
#![no_std]

extern crate alloc;

mod detection;
mod detector;
#[path = "../../textcodec/src/list.rs"]
#[rustfmt::skip]
mod list;
mod numbers;
#[expect(dead_code, reason = "has what the decoders and encoders of C need, too")]
#[path = "../../textcodec/src/raw.rs"]
mod raw;
