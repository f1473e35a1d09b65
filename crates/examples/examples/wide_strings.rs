//! Converts Windows' wide strings, which are UTF-16 with possible unpaired surrogates, to WTF-8 and to a code page, and back.
//! Nothing may be lost. The input is UTF-16LE, with strings that end with NUL.
//!
//! ```sh
//! cargo run --package examples --example wide_strings -- 932 < FILE
//! ```

use std::{
    env,
    error::Error,
    io::{self, Read as _},
};

use textcodec::{Bom, Encoding, wtf8};

fn main() -> Result<(), Box<dyn Error>> {
    let page = env::args().nth(1).ok_or("usage: wide_strings CODE-PAGE < FILE")?.parse()?;
    let encoding = Encoding::for_code_page(page).ok_or("unknown code page")?;
    let mut input = Vec::new();
    io::stdin().read_to_end(&mut input)?;
    let units: Vec<u16> = input.as_chunks().0.iter().map(|bytes| u16::from_le_bytes(*bytes)).collect();
    for string in units.split(|unit| *unit == 0).filter(|string| !string.is_empty()) {
        let bytes = wtf8::from_utf16(string);
        println!("WTF-8: {}", bytes.escape_ascii());
        assert_eq!(wtf8::to_utf16(&bytes)?, string);
        match encoding.encode_from_utf16(string) {
            Ok(bytes) if encoding.decode_to_utf16_with(&bytes, Bom::Keep)?.text == string => {
                println!("{encoding}: {}", bytes.escape_ascii());
            }
            Ok(_) => println!("{encoding}: the result would be another string"),
            Err(error) => {
                let character = error.character().unwrap_or_default();
                println!("{encoding}: no {character:?}, code unit {}", error.range().start);
            }
        }
    }
    Ok(())
}
