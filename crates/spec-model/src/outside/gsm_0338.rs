//! The default alphabet of 3GPP TS 23.038, one septet in each byte, and its extension table.

use crate::{
    handler::{
        Handler,
        HandlerResult::{self, Error, Finished},
        items,
    },
    io_queue::{IoQueue, Item},
};

/// The table of section 6.2.1. An underlined blank, U+2423, is the escape to the extension table.
const ALPHABET: &str = "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u{2423}ÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?\
    ¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";

/// The table of section 6.2.1.1.
fn extension(septet: u8) -> Option<char> {
    Some(match septet {
        0x0A => '\u{0C}',
        0x14 => '^',
        0x28 => '{',
        0x29 => '}',
        0x2F => '\\',
        0x3C => '[',
        0x3D => '~',
        0x3E => ']',
        0x40 => '|',
        0x65 => '€',
        _ => return None,
    })
}

#[derive(Clone, Debug)]
pub(crate) struct GsmDecoder;

impl Handler<u8, char> for GsmDecoder {
    fn handler(&mut self, io_queue: &mut IoQueue<u8>, item: Item<u8>) -> HandlerResult<char> {
        let Item::Value(byte) = item else { return Finished };
        match ALPHABET.chars().nth(byte.into()) {
            None => Error(None),
            Some('\u{2423}') => {
                let extended = io_queue.peek(1).first().copied().and_then(extension);
                let Some(code_point) = extended else { return Error(None) };
                io_queue.read();
                items([code_point])
            }
            Some(code_point) => items([code_point]),
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct GsmEncoder;

impl Handler<char, u8> for GsmEncoder {
    fn handler(&mut self, _io_queue: &mut IoQueue<char>, item: Item<char>) -> HandlerResult<u8> {
        let Item::Value(code_point) = item else { return Finished };
        if let Some(septet) = ALPHABET.chars().position(|other| other == code_point && other != '\u{2423}') {
            return items([septet as u8]);
        }
        match (0..0x80).find(|&septet| extension(septet) == Some(code_point)) {
            Some(septet) => items([0x1B, septet]),
            None => Error(Some(code_point)),
        }
    }
}
