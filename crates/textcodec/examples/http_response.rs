//! Prints the text of an HTTP response, decoded by the charset of its `Content-Type`. The file has the headers and the body.
//!
//! ```sh
//! cargo run --example http_response [FILE]
//! ```

use std::{env, error::Error, fs};

use headers::{header, parameter};
use textcodec::{Encoding, ISOMORPHIC, UTF_8, hooks};

mod headers;

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/page.http");

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args_os().nth(1).unwrap_or_else(|| SAMPLE.into());
    let response = fs::read(path)?;
    let end = response.windows(4).position(|bytes| bytes == b"\r\n\r\n").ok_or("no empty line after the headers")?;
    // Headers have no encoding. This one maps each byte to a character, so no header is malformed.
    let headers = ISOMORPHIC.decode(&response[..end]).text;

    let declared =
        header(&headers, "content-type").and_then(|value| parameter(value, "charset")).and_then(Encoding::for_label);
    // The standard's "decode": a byte order mark overrides the header, and malformed bytes become U+FFFD.
    print!("{}", hooks::decode(&response[end + 4..], declared.unwrap_or(UTF_8)));
    Ok(())
}
