//! `log_offsets` with encoding_rs.

use std::{
    env,
    error::Error,
    io::{self, BufRead as _},
};

use encoding_rs::{DecoderResult, Encoding, UTF_16BE, UTF_16LE};

fn main() -> Result<(), Box<dyn Error>> {
    let label = env::args().nth(1).ok_or("usage: log_offsets ENCODING < FILE")?;
    let encoding = Encoding::for_label(label.as_bytes()).ok_or("unknown encoding")?;
    let mut input = io::stdin().lock();
    let encoding = Encoding::for_bom(input.fill_buf()?).map_or(encoding, |(found, _)| found);
    let line_feed: &[u8] = match encoding {
        encoding if encoding == UTF_16LE => b"\n\0",
        encoding if encoding == UTF_16BE => b"\0\n",
        _ => b"\n",
    };
    let ends = |bytes: &[u8]| -> Vec<usize> {
        let units = (1..).zip(bytes.chunks(line_feed.len()));
        units.filter(|(_, unit)| *unit == line_feed).map(|(end, _)| end * line_feed.len()).collect()
    };
    let (mut decoder, mut text) = (encoding.new_decoder_without_bom_handling(), [0; 4096]);
    // The lines that have not ended before this chunk, the offset and the number of the first of them, and how much was read.
    let (mut lines, mut start, mut number, mut read) = (Vec::new(), 0, 1, 0);
    loop {
        let chunk = input.fill_buf()?;
        let len = chunk.len();
        lines.extend_from_slice(chunk);
        loop {
            let (result, more, _) = decoder.decode_to_utf8_without_replacement(&lines[read..], &mut text, len == 0);
            read += more;
            match result {
                DecoderResult::InputEmpty => break,
                DecoderResult::OutputFull => {}
                DecoderResult::Malformed(len, after) => {
                    let end = read - usize::from(after);
                    let bad = end - usize::from(len);
                    let before = ends(&lines[..bad]);
                    let (line, column) = (number + before.len(), bad - before.last().unwrap_or(&0) + 1);
                    println!("offset {}, line {line}, column {column}: {:02X?}", start + bad, &lines[bad..end]);
                }
            }
        }
        if len == 0 {
            return Ok(());
        }
        input.consume(len);
        let before = ends(&lines);
        let complete = *before.last().unwrap_or(&0);
        lines.drain(..complete);
        (start, number, read) = (start + complete, number + before.len(), read - complete);
    }
}
