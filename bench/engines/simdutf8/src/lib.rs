//! simdutf8: validation of UTF-8.

use bench_abi::{Call, Job, Library, Operation};

struct Simdutf8;

bench_abi::export!(Simdutf8);

impl Library for Simdutf8 {
    fn start(_: &str) -> Option<String> {
        Some("0.1.5".to_owned())
    }

    fn open(job: Job<'_>) -> Option<Call> {
        (job.operation == Operation::ValidateUtf8)
            .then(|| Call::new(|src: &[u8], _: &mut [u8]| simdutf8::basic::from_utf8(src).ok().map(str::len)))
    }
}
