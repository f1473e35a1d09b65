//! Makes all exhaustive comparisons, for `cargo xtask exhaustive`. Prints how many inputs were compared and panics at the first
//! difference.
//!
//! With an argument N above 1, uses only every N-th of the 64 offsets within dense text, and as third bytes every fourth byte and
//! the boundaries of ranges.

use std::time::Instant;

use testkit::{embedded, exhaustive};
use textcodec::{Encoding, GB18030, GBK};

fn main() {
    let every = std::env::args().nth(1).map_or(1, |n| n.parse().expect("the argument is a number"));
    let thirds: Vec<u8> =
        (0..=0xFF).filter(|byte| every == 1 || byte % 4 == 0 || exhaustive::BOUNDARIES.contains(byte)).collect();
    let mut total = 0;
    let mut report = |what: &str, compare: &dyn Fn() -> u64| {
        let start = Instant::now();
        let count = compare();
        total += count;
        println!("{what}: {count} inputs, {:.0} s", start.elapsed().as_secs_f64());
    };
    for &encoding in Encoding::ALL {
        if encoding.is_single_byte() {
            report(&format!("{encoding}, up to two bytes"), &|| exhaustive::inputs(encoding, &[]));
        } else {
            report(&format!("{encoding}, up to three bytes"), &|| exhaustive::inputs(encoding, &thirds));
        }
    }
    for encoding in [GB18030, GBK] {
        report(&format!("{encoding}, four-byte sequences"), &|| exhaustive::four_byte_sequences(encoding));
    }
    for &encoding in Encoding::ALL {
        report(&format!("{encoding}, scalar values"), &|| exhaustive::scalar_values(encoding, 17));
    }
    let offsets: Vec<usize> = (0..64).step_by(every).collect();
    report("two bytes within dense text", &|| embedded::pairs(&offsets));
    report("three bytes within dense text", &|| embedded::triples(&offsets));
    report("four bytes within dense text", &|| embedded::quadruples(&offsets));
    println!("{total} inputs: all results equal the oracle's");
}
