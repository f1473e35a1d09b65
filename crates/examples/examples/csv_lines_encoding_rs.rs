//! `csv_lines` with encoding_rs. It splits the bytes into lines before it decodes them, so UTF-16 is not supported.

use std::{
    collections::VecDeque,
    env,
    error::Error,
    io::{self, BufRead, Read, Write as _},
};

use csv::{Position, ReaderBuilder, StringRecord};
use encoding_rs::{DecoderResult, Encoding, WINDOWS_1252};

fn main() -> Result<(), Box<dyn Error>> {
    let label = env::args().nth(1).ok_or("usage: csv_lines ENCODING < FILE")?;
    let encoding = Encoding::for_label(label.as_bytes()).ok_or("unknown encoding")?;
    let text = Checked { input: io::stdin().lock(), encoding, number: 0, rest: VecDeque::new() };
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
    input: R,
    encoding: &'static Encoding,
    number: u64,
    rest: VecDeque<u8>,
}

impl<R: BufRead> Read for Checked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut bytes = Vec::new();
        if self.rest.is_empty() && self.input.read_until(b'\n', &mut bytes)? > 0 {
            self.number += 1;
            let line = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
            let text = self.decode(line.strip_suffix(b"\r").unwrap_or(line));
            writeln!(self.rest, "{text}")?;
        }
        self.rest.read(buffer)
    }
}

impl<R> Checked<R> {
    fn decode(&mut self, mut line: &[u8]) -> String {
        if let Some((found, len)) = Encoding::for_bom(line).filter(|_| self.number == 1) {
            (self.encoding, line) = (found, &line[len..]);
        }
        let number = self.number;
        let mut decoder = self.encoding.new_decoder_without_bom_handling();
        let mut text = String::with_capacity(decoder.max_utf8_buffer_length(line.len()).unwrap_or(0));
        let mut read = 0;
        loop {
            let (result, more) = decoder.decode_to_string_without_replacement(&line[read..], &mut text, true);
            read += more;
            let DecoderResult::Malformed(len, after) = result else { break };
            let end = read - usize::from(after);
            let bad = &line[end - usize::from(len)..end];
            println!("{number}:{}: bad bytes {bad:02X?}", text.chars().count() + 1);
            text.push('\u{FFFD}');
        }
        // The standard decodes bytes that the code page does not assign to controls.
        if self.encoding == WINDOWS_1252 {
            let is_unassigned = |character| ('\u{80}'..'\u{A0}').contains(&character);
            for (column, character) in (1..).zip(text.chars()).filter(|(_, character)| is_unassigned(*character)) {
                println!("{number}:{column}: bad bytes {:02X?}", [character as u8]);
            }
            text = text.replace(is_unassigned, "\u{FFFD}");
        }
        text
    }
}
