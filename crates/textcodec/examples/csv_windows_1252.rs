//! Reads a CSV file in windows-1252, as spreadsheets in western Europe save it, with the `csv` crate.
//!
//! ```sh
//! cargo run --example csv_windows_1252 [FILE]
//! ```

use std::{env, error::Error, fs::File};

use textcodec::{WINDOWS_1252, io::DecodeReader};

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/invoices.windows-1252.csv");

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args_os().nth(1).unwrap_or_else(|| SAMPLE.into());
    // No file is malformed in windows-1252: the standard maps the five unassigned bytes to control characters. A byte order
    // mark overrides the encoding, because spreadsheets also save UTF-8 with one.
    let text = DecodeReader::new(File::open(path)?, WINDOWS_1252.decoder());

    let mut rows = csv::ReaderBuilder::new().delimiter(b';').from_reader(text);
    let headers = rows.headers()?.clone();
    for row in rows.records() {
        let row = row?;
        let cells: Vec<String> = headers.iter().zip(&row).map(|(header, cell)| format!("{header}: {cell}")).collect();
        println!("{}", cells.join(", "));
    }
    Ok(())
}
