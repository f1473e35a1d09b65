//! Prints the names in a ZIP archive. Names without the flag for UTF-8 are in a Windows code page, such as 932 for Shift_JIS, or
//! else in 437, the original one.
//!
//! ```sh
//! cargo run --package examples --example zip_names -- 932 < FILE
//! ```

use std::{
    env,
    error::Error,
    io::{self, Read as _},
};

use textcodec::{Bom, Encoding, UTF_8};

fn main() -> Result<(), Box<dyn Error>> {
    let page: u16 = env::args().nth(1).as_deref().unwrap_or("437").parse()?;
    let mut archive = Vec::new();
    io::stdin().read_to_end(&mut archive)?;
    for (is_utf8, name) in names(&archive).ok_or("not a ZIP archive")? {
        let encoding = if is_utf8 { Some(UTF_8) } else { Encoding::for_code_page(page) };
        let decoded = encoding.ok_or("unknown code page")?.decode_with(name, Bom::Keep)?;
        println!("{}", decoded.text);
        if let Some(error) = decoded.errors.first() {
            println!("  not {}: {:02X?} at byte {}", decoded.encoding, error.bytes(), error.range().start);
        }
    }
    Ok(())
}

/// Returns the names in the central directory, and whether each is in UTF-8.
fn names(archive: &[u8]) -> Option<Vec<(bool, &[u8])>> {
    let number = |at: usize| Some(usize::from(u16::from_le_bytes(*archive.get(at..)?.first_chunk()?)));
    let end = archive.windows(4).rposition(|bytes| bytes == b"PK\x05\x06")?;
    let mut at = number(end + 16)? | number(end + 18)? << 16;
    let mut entries = Vec::new();
    for _ in 0..number(end + 10)? {
        let name = archive.get(at + 46..)?.get(..number(at + 28)?)?;
        entries.push((number(at + 8)? & 0x800 != 0, name));
        at += 46 + name.len() + number(at + 30)? + number(at + 32)?;
    }
    Some(entries)
}
