//! Prints the records of a CSV file of any size with their line numbers, and the line and column of all bytes that are not in
//! the encoding.
//!
//! ```sh
//! cargo run --package examples --example csv_lines -- shift_jis < FILE
//! ```

use std::{
    collections::VecDeque,
    env,
    error::Error,
    io::{self, Read, Write as _},
};

use csv::{Position, ReaderBuilder, StringRecord};
use textcodec::{
    DecodeOptions, Encoding, Malformed,
    io::{DecodeReader, LineError, Lines},
};

fn main() -> Result<(), Box<dyn Error>> {
    let label = env::args().nth(1).ok_or("usage: csv_lines ENCODING < FILE")?;
    let encoding = Encoding::for_label(label).ok_or("unknown encoding")?;
    let options = DecodeOptions::new().malformed(Malformed::Pause).reject_unassigned(true);
    let lines = DecodeReader::new(io::stdin(), encoding.decoder_with(options)).lines();
    let text = Checked { lines, rest: VecDeque::new() };
    let mut records = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text);
    let mut record = StringRecord::new();
    while records.read_record(&mut record)? {
        let line = record.position().map_or(0, Position::line);
        println!("{line}: {}", record.iter().collect::<Vec<_>>().join(" | "));
    }
    Ok(())
}

/// A reader of text, one line at a time, that prints where it was malformed.
struct Checked<R> {
    lines: Lines<R>,
    rest: VecDeque<u8>,
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty()
            && let Some(line) = self.lines.next_line()?
        {
            writeln!(self.rest, "{}", line.text)?;
            for LineError { at, error, .. } in line.errors {
                let column = line.text[..*at].chars().count() + 1;
                println!("{}:{column}: bad bytes {:02X?}", line.number, error.bytes());
            }
        }
        self.rest.read(buffer)
    }
}
