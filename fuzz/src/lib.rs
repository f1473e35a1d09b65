//! Checks of `textcodec` for made-up inputs. Each kind of [`Case`] says what it promises; a fuzzer builds cases from bytes
//! (`fuzz_targets/`), and `fuzz-random` from random numbers.

use std::fmt::Debug;

use fastrand::Rng;

/// The expected and the actual value of `$what`, or the check ends with an error.
macro_rules! same {
    ($what:expr, $expected:expr, $actual:expr) => {{
        let (expected, actual) = (&$expected, &$actual);
        if expected != actual {
            return Err(format!("{}: expected {expected:?}, got {actual:?}", $what));
        }
    }};
}

/// A condition that must hold, or the check ends with an error.
macro_rules! ensure {
    ($condition:expr, $($what:tt)+) => {
        if !$condition {
            return Err(format!($($what)+));
        }
    };
}

mod api;
mod decode;
mod encode;
mod model;
mod stream;
mod texts;
mod web;

pub use api::Api;
pub use decode::Decode;
pub use encode::Encode;
pub use texts::Texts;
pub use web::Web;

/// What a check found: what differs, where, and both values.
pub type Check = Result<(), String>;

/// An input, and what must hold for it.
pub trait Case: Clone + Debug + for<'a> arbitrary::Arbitrary<'a> {
    /// What it is called.
    const NAME: &'static str;

    /// A random one.
    fn random(texts: &mut Texts, rng: &mut Rng) -> Self;

    /// Whether the library does what it promises.
    fn check(&self) -> Check;

    /// Cases that are simpler by a step, for a minimal one.
    fn simpler(&self) -> Vec<Self>;

    /// The case in words.
    fn describe(&self) -> String;
}

/// Lists without one run of items: halves first, single items last.
pub(crate) fn shorter<T: Clone>(list: &[T]) -> Vec<Vec<T>> {
    let mut all = Vec::new();
    let mut run = list.len();
    while run > 0 {
        for from in (0..list.len()).step_by(run) {
            let to = (from + run).min(list.len());
            all.push([&list[..from], &list[to..]].concat());
        }
        run /= 2;
    }
    all
}

/// Bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(" ")
}
