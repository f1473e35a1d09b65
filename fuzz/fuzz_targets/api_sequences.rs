//! See `textcodec_fuzz::Api`.
#![no_main]

use textcodec_fuzz::{Api, Case};

libfuzzer_sys::fuzz_target!(|case: Api| {
    if let Err(mismatch) = case.check() {
        panic!("{mismatch}\n{case:?}");
    }
});
