//! The baseline for the size of `convert`: the same program without the conversion.

use std::io::{self, Read as _, Write as _};

fn main() -> io::Result<()> {
    let _labels = std::env::args().skip(1).collect::<Vec<String>>();
    let mut input = Vec::new();
    io::stdin().read_to_end(&mut input)?;
    io::stdout().write_all(&input)
}
