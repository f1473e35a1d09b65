//! encoding_rs, in three packages with different features and compiler options.

use bench_abi::{Call, Job, Library};

mod calls;

struct EncodingRs;

bench_abi::export!(EncodingRs);

impl Library for EncodingRs {
    fn start(_: &str) -> Option<String> {
        Some("0.8.44".to_owned())
    }

    fn open(job: Job<'_>) -> Option<Call> {
        calls::open(job)
    }

    fn open_hostile(job: Job<'_>) -> Option<Call> {
        calls::open_hostile(job)
    }
}
