//! Prints the text of an HTTP response, decoded by the charset of its `Content-Type`. The file has the headers and the body.
//!
//! ```sh
//! cargo run --example http_response [FILE]
//! ```

use std::{env, error::Error, fs};

use headers::{header, parameter};
use textcodec::{Encoding, LATIN1, UTF_8};

mod headers;

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/page.http");

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args_os().nth(1).unwrap_or_else(|| SAMPLE.into());
    let response = fs::read(path)?;
    let end = response.windows(4).position(|bytes| bytes == b"\r\n\r\n").ok_or("no empty line after the headers")?;
    // Headers have no encoding. This one maps each byte to a character, so no header is malformed.
    let headers = LATIN1.decode(&response[..end]).text;

    let declared =
        header(&headers, "content-type").and_then(|value| parameter(value, "charset")).and_then(Encoding::for_label);
    // A byte order mark overrides the header, and malformed bytes become U+FFFD.
    print!("{}", declared.unwrap_or(UTF_8).decode(&response[end + 4..]).text);
    Ok(())
}
