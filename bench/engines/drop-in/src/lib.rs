//! The drop-in for encoding_rs: textcodec through the API of encoding_rs. Each copy of this engine uses a different level.

use bench_abi::{Call, Job, Library};
use textcodec::testing::Level;

#[path = "../../encoding_rs/src/calls.rs"]
mod calls;

struct DropIn;

bench_abi::export!(DropIn);

impl Library for DropIn {
    fn start(level: &str) -> Option<String> {
        Level::all().into_iter().find(|has| has.name() == level)?.make_best();
        Some("this tree".to_owned())
    }

    fn open(job: Job<'_>) -> Option<Call> {
        calls::open(job)
    }

    fn open_hostile(job: Job<'_>) -> Option<Call> {
        calls::open_hostile(job)
    }
}
