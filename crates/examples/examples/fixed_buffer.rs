//! Converts text for a device with another encoding, in buffers of 64 bytes and without allocation. Malformed bytes become
//! U+FFFD, and then characters that the device does not have become `?`. Only `main` uses the standard library.
//!
//! ```sh
//! cargo run --package examples --example fixed_buffer -- utf-8 koi8-r < FILE
//! ```
#![no_std]

extern crate std;

use core::error::Error;
use std::{
    boxed::Box,
    env,
    io::{self, Read as _, Write as _},
};

use textcodec::{Decoder, Encoder, Encoding, Status, Unmappable};

fn main() -> Result<(), Box<dyn Error>> {
    let [from, to] = [1, 2].map(|at| env::args().nth(at).ok_or("usage: fixed_buffer FROM TO < FILE"));
    let mut decoder = Encoding::for_label(from?).ok_or("unknown encoding")?.decoder();
    let mut encoder = Encoding::for_label(to?).ok_or("unknown encoding")?.encoder_with(Unmappable::Replace('?'));
    let mut chunk = [0; 64];
    loop {
        let len = io::stdin().read(&mut chunk)?;
        let mut send = |bytes: &[u8]| io::stdout().write_all(bytes);
        convert(&mut decoder, &mut encoder, &chunk[..len], len == 0, &mut send)?;
        if len == 0 {
            return Ok(());
        }
    }
}

/// Converts a chunk. `last` means that the text ends with it.
fn convert<E>(
    decoder: &mut Decoder,
    encoder: &mut Encoder,
    mut chunk: &[u8],
    last: bool,
    send: &mut impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let (mut text, mut bytes) = ([0; 64], [0; 64]);
    let Ok(text) = str::from_utf8_mut(&mut text) else { unreachable!("zeros are valid UTF-8") };
    loop {
        let decoded = decoder.decode_to_str(chunk, text, last);
        chunk = &chunk[decoded.read..];
        let is_complete = decoded.status == Status::InputEmpty;
        let mut rest = &text[..decoded.written];
        loop {
            let encoded = encoder.encode_from_utf8(rest, &mut bytes, last && is_complete);
            rest = &rest[encoded.read..];
            send(&bytes[..encoded.written])?;
            if encoded.status == Status::InputEmpty {
                break;
            }
        }
        if is_complete {
            return Ok(());
        }
    }
}
