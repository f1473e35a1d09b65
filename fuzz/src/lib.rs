//! Checks `textcodec` with generated inputs. Each kind of [`Case`] checks some properties. A fuzzer generates cases from bytes
//! (`fuzz_targets/`), and `fuzz-random` generates them from random numbers.

use std::fmt::Debug;

use fastrand::Rng;

/// Compares the expected and the actual value of `$what`. Ends the check with an error if they differ.
macro_rules! same {
    ($what:expr, $expected:expr, $actual:expr) => {{
        let (expected, actual) = (&$expected, &$actual);
        if expected != actual {
            return Err(format!("{}: expected {expected:?}, got {actual:?}", $what));
        }
    }};
}

/// Ends the check with an error if a condition is false.
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

/// The result of a check. The error says what differs, and both values.
pub type Check = Result<(), String>;

/// An input, and the check of its properties.
pub trait Case: Clone + Debug + for<'a> arbitrary::Arbitrary<'a> {
    /// The name of the check.
    const NAME: &'static str;

    /// Returns a random case.
    fn random(texts: &mut Texts, rng: &mut Rng) -> Self;

    /// Checks the properties of the library.
    fn check(&self) -> Check;

    /// Returns cases that are one step simpler, to minimise this case.
    fn simpler(&self) -> Vec<Self>;

    /// Describes the case in text.
    fn describe(&self) -> String;
}

/// Returns the list without one run of items: runs of half the list first, single items last.
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

/// Formats bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(" ")
}
