//! See `textcodec_fuzz::Decode`.
#![no_main]

use textcodec_fuzz::{Case, Decode};

libfuzzer_sys::fuzz_target!(|case: Decode| {
    if let Err(mismatch) = case.check() {
        panic!("{mismatch}\n{case:?}");
    }
});
