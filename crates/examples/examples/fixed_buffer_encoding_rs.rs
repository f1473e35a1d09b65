//! `fixed_buffer` with encoding_rs. It has no encoder for UTF-16.
#![no_std]

extern crate std;

use core::error::Error;
use std::{
    boxed::Box,
    env,
    io::{self, Read as _, Write as _},
};

use encoding_rs::{CoderResult, Decoder, Encoder, EncoderResult, Encoding};

fn main() -> Result<(), Box<dyn Error>> {
    let [from, to] = [1, 2].map(|at| env::args().nth(at).ok_or("usage: fixed_buffer FROM TO < FILE"));
    let mut decoder = Encoding::for_label(from?.as_bytes()).ok_or("unknown encoding")?.new_decoder();
    let mut encoder = Encoding::for_label(to?.as_bytes()).ok_or("unknown encoding")?.new_encoder();
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
        let (decoded, read, written, _) = decoder.decode_to_str(chunk, text, last);
        chunk = &chunk[read..];
        let is_complete = decoded == CoderResult::InputEmpty;
        let mut rest = &text[..written];
        loop {
            let (encoded, read, written) =
                encoder.encode_from_utf8_without_replacement(rest, &mut bytes, last && is_complete);
            rest = &rest[read..];
            send(&bytes[..written])?;
            match encoded {
                EncoderResult::InputEmpty => break,
                EncoderResult::OutputFull => {}
                EncoderResult::Unmappable(_) => send(b"?")?,
            }
        }
        if is_complete {
            return Ok(());
        }
    }
}
