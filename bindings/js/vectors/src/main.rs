//! `vectors FILE`: writes what the oracle says about every encoding, for the tests of the npm package, as JSON.
//!
//! Texts and bytes stand in `pool`, once each; elsewhere are their places in it. Bytes are hexadecimal. `encodings` has, for each
//! encoding but replacement:
//!
//! - `decode`: grids. A grid is all strings of `length` of its `symbols`, the last symbol changing first, in `rows` of equal
//!   first symbols; a row is three places: the texts of all its inputs in one, the number of code units of each, as digits, and the
//!   number of errors of each. A byte order mark is text.
//! - `texts`: input, text, and errors (pairs of offsets).
//! - `encode`: blocks of 256 code points; a block is its number, then two places: the bytes of all, and the number of bytes of
//!   each, as digits, 0 for unmappable ones and for surrogates.
//! - `answers`: code points that an encoder answers with another one as its error.
//! - `strings`: code units, the bytes with `&#…;` for unmappable ones, and errors (index in code units, code point).

use std::{env, fs};

use anyhow::{Context as _, Result};
use spec_model::Encoding;

mod decode;
mod encode;
mod pool;
mod random;

use pool::{Pool, list, object, string};

fn main() -> Result<()> {
    let file = env::args().nth(1).context("no file")?;
    let mut pool = Pool::default();
    let encodings = Encoding::all().iter().filter(|&&encoding| encoding != Encoding::REPLACEMENT).map(|&encoding| {
        let mut members = vec![
            ("name", string(encoding.name())),
            ("labels", list(encoding.labels().iter().map(|label| string(label)))),
            ("decode", decode::grids(encoding, &mut pool)),
            ("texts", decode::texts(encoding, &mut pool)),
        ];
        if encoding.encoder().is_some() {
            members.push(("encode", encode::blocks(encoding, &mut pool)));
            members.push(("answers", encode::answers(encoding)));
            members.push(("strings", encode::strings(encoding, &mut pool)));
        }
        object(members)
    });
    let encodings = list(encodings.collect::<Vec<_>>());
    let json = object([("encodings", encodings), ("pool", pool.json())]);
    fs::write(&file, json).with_context(|| file)
}
