//! Prints the text of a mail, or of one part of it. `Content-Transfer-Encoding` determines the bytes, and `charset` their
//! encoding.
//!
//! ```sh
//! cargo run --example mail_part [FILE]
//! ```

use std::{env, error::Error, fs};

use data_encoding::BASE64_MIME_PERMISSIVE;
use headers::{header, parameter};
use textcodec::{Alias, Bom, DecodeOptions, Encoding, LATIN1};

mod headers;

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/postcard.eml");

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args_os().nth(1).unwrap_or_else(|| SAMPLE.into());
    // This encoding maps each byte to a character, so the mail can be parsed as text and its body converted back to bytes.
    let mail = LATIN1.decode_with(&fs::read(path)?, DecodeOptions::new().bom(Bom::Keep))?.text.into_owned();
    let ends = ["\r\n\r\n", "\n\n"].into_iter().filter_map(|end| mail.split_once(end));
    let (headers, body) = ends.min_by_key(|(headers, _)| headers.len()).ok_or("no empty line after the headers")?;
    let headers = headers.replace("\r\n", "\n").replace("\n ", " ").replace("\n\t", " ");
    let body = LATIN1.encode(body)?;

    let transfer = header(&headers, "content-transfer-encoding").unwrap_or("7bit").trim().to_ascii_lowercase();
    let bytes = match transfer.as_str() {
        "base64" => BASE64_MIME_PERMISSIVE.decode(&body)?,
        "quoted-printable" => quoted_printable(&body),
        _ => body.into_owned(),
    };
    let charset = header(&headers, "content-type").and_then(|value| parameter(value, "charset")).unwrap_or("us-ascii");
    // Mail programs use more names than the web: `cp1251`, `tis620`.
    let encoding = Encoding::for_label(charset).or_else(|| Alias::for_name(charset).map(|alias| alias.encoding));
    let encoding = encoding.ok_or_else(|| format!("unknown charset {charset:?}"))?;
    // In mail, the charset is authoritative, and a byte order mark of another encoding is text.
    print!("{}", encoding.decode_with(&bytes, DecodeOptions::new().bom(Bom::StripOwn))?.text);
    Ok(())
}

/// Decodes quoted-printable: `=E9` is a byte, and `=` at the end of a line joins it with the next one. Writes LF at the end of
/// lines.
fn quoted_printable(body: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for line in body.split_inclusive(|&byte| byte == b'\n') {
        let text = line.trim_ascii_end();
        let mut rest = text.strip_suffix(b"=").unwrap_or(text);
        while let [byte, after @ ..] = rest {
            let digit = |at| after.get(at).and_then(|&digit| char::from(digit).to_digit(16));
            let (byte, taken) = match (byte, digit(0), digit(1)) {
                (b'=', Some(high), Some(low)) => ((high << 4 | low) as u8, 3),
                _ => (*byte, 1),
            };
            bytes.push(byte);
            rest = &rest[taken..];
        }
        if line.ends_with(b"\n") && !text.ends_with(b"=") {
            bytes.push(b'\n');
        }
    }
    bytes
}
