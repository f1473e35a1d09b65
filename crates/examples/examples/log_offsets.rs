//! Lists all malformed sequences in a log of any size: the offset, the line, the column in bytes, and the bytes.
//!
//! ```sh
//! cargo run --package examples --example log_offsets -- utf-8 < FILE
//! ```

use std::{
    borrow::Cow,
    env,
    error::Error,
    io::{self, BufRead as _},
};

use textcodec::{DecodeError, Encoding, LineIndex, Malformed};

fn main() -> Result<(), Box<dyn Error>> {
    let label = env::args().nth(1).ok_or("usage: log_offsets ENCODING < FILE")?;
    let encoding = Encoding::for_label(label).ok_or("unknown encoding")?;
    let mut input = io::stdin().lock();
    let encoding = Encoding::for_bom(input.fill_buf()?).map_or(encoding, |(found, _)| found);
    let mut decoder = encoding.decoder_with(Malformed::Pause);
    let (mut lines, mut text) = (LineIndex::new(encoding), String::new());
    loop {
        let chunk = input.fill_buf()?;
        let len = chunk.len();
        if len == 0 {
            break;
        }
        lines.push(chunk);
        decoder.push_with(chunk, &mut text, |error| report(&lines, error))?;
        input.consume(len);
        lines.forget_before(decoder.position());
        text.clear();
    }
    decoder.finish_with(&mut text, |error| report(&lines, error))?;
    Ok(())
}

/// Prints an error. Returns its replacement.
fn report(lines: &LineIndex, error: &DecodeError) -> Option<Cow<'static, str>> {
    let (offset, location) = (error.range().start, lines.locate(error.range().start)?);
    println!("offset {offset}, line {}, column {}: {:02X?}", location.line, location.column, error.bytes());
    Some("\u{FFFD}".into())
}
