//! `vectors FILE [DETECTIONS [OUTSIDE [MIXED]]]`: writes the test vectors of the npm package as JSON. The oracle computes them. The second
//! file has results of `textcodec-detect`: see [`detect`]. The third one is about encodings outside of the standard: see [`outside`]. The
//! fourth one is about mixed encodings: see [`mixed`].
//!
//! `pool` contains every text and byte string once, and other members refer to them by index. Bytes are hexadecimal.
//! `names` are strings that may be labels: pairs of a string and the name of its encoding, or `null` if it is not a label.
//! `encodings` has these members for each encoding except replacement:
//!
//! - `decode`: grids. A grid is all strings of `length` symbols out of `symbols`, the last symbol changing fastest.
//!   Strings with the same first symbol form a row. A row is three indexes into `pool`: the concatenated texts of its
//!   strings, the number of code units of each as digits, and the number of errors of each as digits. Byte order marks
//!   are kept.
//! - `texts`: input, text, and errors (pairs of offsets).
//! - `encode`: blocks of 256 code points. A block is its number, then two indexes into `pool`: the concatenated bytes of
//!   its code points, and the number of bytes of each as digits, 0 for unmappable characters and surrogates.
//! - `answers`: pairs of a code point and the different code point that the encoder reports in its error.
//! - `strings`: code units, their bytes with `&#…;` for unmappable characters, and errors (index in code units, code
//!   point).

use std::{env, fs};

use anyhow::{Context as _, Result};
use spec_model::Encoding;

mod decode;
mod detect;
mod encode;
mod formats;
mod guess;
mod mixed;
mod outside;
mod pool;
mod random;

use pool::{Pool, list, object, string};

fn main() -> Result<()> {
    let file = env::args().nth(1).context("missing argument: the file to write")?;
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
    let names = list(spec_model::spellings().iter().map(|spelling| {
        let encoding = spelling.encoding.map_or("null".to_owned(), |encoding| string(encoding.name()));
        list([string(&spelling.text), encoding])
    }));
    let json = object([("encodings", encodings), ("names", names), ("pool", pool.json())]);
    fs::write(&file, json).with_context(|| file)?;
    let more: [fn() -> String; 3] = [detect::detections, outside::vectors, mixed::vectors];
    for (file, json) in env::args().skip(2).zip(more) {
        fs::write(&file, json()).with_context(|| file)?;
    }
    Ok(())
}
