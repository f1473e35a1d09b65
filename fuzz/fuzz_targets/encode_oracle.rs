//! See `textcodec_fuzz::Encode`.
#![no_main]

use textcodec_fuzz::{Case, Encode};

libfuzzer_sys::fuzz_target!(|case: Encode| {
    if let Err(mismatch) = case.check() {
        panic!("{mismatch}\n{case:?}");
    }
});
