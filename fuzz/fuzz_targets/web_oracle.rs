//! See `textcodec_fuzz::Web`.
#![no_main]

use textcodec_fuzz::{Case, Web};

libfuzzer_sys::fuzz_target!(|case: Web| {
    if let Err(mismatch) = case.check() {
        panic!("{mismatch}\n{case:?}");
    }
});
