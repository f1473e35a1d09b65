//! `mime_charset` with encoding_rs.

use std::{borrow::Cow, error::Error, io};

use data_encoding::BASE64_MIME;
use encoding_rs::{ISO_2022_JP, ISO_8859_2, ISO_8859_7, KOI8_R, mem};

fn main() -> Result<(), Box<dyn Error>> {
    let text = io::read_to_string(io::stdin())?.replace('\n', "\r\n");
    let (charset, bytes) = encode(&text);
    let (transfer, body) = match str::from_utf8(&bytes) {
        Ok(ascii) if ascii.is_ascii() => ("7bit", ascii.to_owned()),
        _ => ("base64", BASE64_MIME.encode(&bytes)),
    };
    print!("Content-Type: text/plain; charset={charset}\r\n");
    print!("Content-Transfer-Encoding: {transfer}\r\n\r\n{body}");
    Ok(())
}

/// Encodes text in the first charset that can represent it. Returns its name and the bytes.
fn encode(text: &str) -> (&'static str, Cow<'_, [u8]>) {
    // These two are not in the standard.
    if text.is_ascii() {
        return ("US-ASCII", text.as_bytes().into());
    }
    if mem::is_str_latin1(text) {
        return ("ISO-8859-1", mem::encode_latin1_lossy(text));
    }
    for encoding in [ISO_8859_2, ISO_8859_7, KOI8_R, ISO_2022_JP] {
        if let (bytes, _, false) = encoding.encode(text) {
            return (encoding.name(), bytes);
        }
    }
    ("UTF-8", text.as_bytes().into())
}
