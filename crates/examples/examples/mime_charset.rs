//! Prints text as a mail part, in the smallest charset that can represent it.
//!
//! ```sh
//! cargo run --package examples --example mime_charset < FILE
//! ```

use std::{error::Error, io};

use data_encoding::BASE64_MIME;
use textcodec::{Encoding, ISO_2022_JP, ISO_8859_2, ISO_8859_7, KOI8_R, LATIN1, US_ASCII, UTF_8};

/// The charsets to try, the most common one first.
const CHARSETS: [Encoding; 7] = [US_ASCII, LATIN1, ISO_8859_2, ISO_8859_7, KOI8_R, ISO_2022_JP, UTF_8];

fn main() -> Result<(), Box<dyn Error>> {
    let text = io::read_to_string(io::stdin())?.replace('\n', "\r\n");
    let charset = Encoding::first_that_encodes(&CHARSETS, &text).unwrap_or(UTF_8);
    let bytes = charset.encode(&text)?;
    let (transfer, body) = match str::from_utf8(&bytes) {
        Ok(ascii) if ascii.is_ascii() => ("7bit", ascii.to_owned()),
        _ => ("base64", BASE64_MIME.encode(&bytes)),
    };
    print!("Content-Type: text/plain; charset={}\r\n", charset.mime_name().unwrap_or(charset.name()));
    print!("Content-Transfer-Encoding: {transfer}\r\n\r\n{body}");
    Ok(())
}
