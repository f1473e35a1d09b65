//! A small program that uses all encodings of its build: `convert FROM TO`, with two labels.

use std::io::{self, Error, Read as _, Write as _};

use textcodec::{DecodeOptions, Encoding, Unmappable};

fn main() -> io::Result<()> {
    let labels = std::env::args().skip(1).collect::<Vec<String>>();
    let mut input = Vec::new();
    io::stdin().read_to_end(&mut input)?;
    io::stdout().write_all(&convert(&labels, &input).ok_or_else(|| Error::from(io::ErrorKind::InvalidInput))?)
}

fn convert(labels: &[String], input: &[u8]) -> Option<Vec<u8>> {
    let [from, to] = labels else { return None };
    let decoded = Encoding::for_label(from)?.decode_with(input, DecodeOptions::new()).ok()?;
    let encoded = Encoding::for_label(to)?.encode_with(&decoded.text, Unmappable::Html).ok()?;
    Some(encoded.bytes.into_owned())
}
