//! `wide_strings` with encoding_rs and `codepage`. UTF-16 as a code page is not supported.

use std::{
    env,
    error::Error,
    io::{self, Read as _},
};

use encoding_rs::{EncoderResult, Encoding};

fn main() -> Result<(), Box<dyn Error>> {
    let page = env::args().nth(1).ok_or("usage: wide_strings CODE-PAGE < FILE")?.parse()?;
    let encoding = codepage::to_encoding(page).ok_or("unknown code page")?;
    let name = encoding.name();
    let mut input = Vec::new();
    io::stdin().read_to_end(&mut input)?;
    let units: Vec<u16> = input.as_chunks().0.iter().map(|bytes| u16::from_le_bytes(*bytes)).collect();
    for string in units.split(|unit| *unit == 0).filter(|string| !string.is_empty()) {
        let bytes = to_wtf8(string);
        println!("WTF-8: {}", bytes.escape_ascii());
        assert_eq!(from_wtf8(&bytes).ok_or("not WTF-8")?, string);
        match encode(encoding, string)? {
            Ok(bytes) if decode(encoding, &bytes)? == string => println!("{name}: {}", bytes.escape_ascii()),
            Ok(_) => println!("{name}: the result would be another string"),
            Err((character, at)) => println!("{name}: no {character:?}, code unit {at}"),
        }
    }
    Ok(())
}

fn to_wtf8(units: &[u16]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for character in char::decode_utf16(units.iter().copied()) {
        match character {
            Ok(character) => bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
            Err(error) => {
                let [high, low] = error.unpaired_surrogate().to_be_bytes();
                bytes.extend([0xED, 0x80 | (high & 0xF) << 2 | low >> 6, 0x80 | low & 0x3F]);
            }
        }
    }
    bytes
}

fn from_wtf8(bytes: &[u8]) -> Option<Vec<u16>> {
    let (mut units, mut rest) = (Vec::new(), bytes);
    loop {
        let (valid, surrogate) = match str::from_utf8(rest) {
            Ok(text) => (text, &[][..]),
            Err(error) => (str::from_utf8(&rest[..error.valid_up_to()]).ok()?, &rest[error.valid_up_to()..]),
        };
        units.extend(valid.encode_utf16());
        rest = match surrogate {
            [] => return Some(units),
            // A pair must be in UTF-8.
            [0xED, 0xB0..=0xBF, ..] if matches!(units.last(), Some(0xD800..=0xDBFF)) => return None,
            [0xED, second @ 0xA0..=0xBF, third @ 0x80..=0xBF, rest @ ..] => {
                units.push(0xD000 | u16::from(second & 0x3F) << 6 | u16::from(third & 0x3F));
                rest
            }
            _ => return None,
        };
    }
}

/// Returns the bytes, or the first unmappable character and its position in code units.
fn encode(encoding: &'static Encoding, units: &[u16]) -> Result<Result<Vec<u8>, (char, usize)>, &'static str> {
    let mut encoder = encoding.new_encoder();
    let room = encoder.max_buffer_length_from_utf16_without_replacement(units.len()).ok_or("the string is too long")?;
    let mut bytes = vec![0; room];
    let (result, read, written) = encoder.encode_from_utf16_without_replacement(units, &mut bytes, true);
    bytes.truncate(written);
    Ok(match result {
        EncoderResult::Unmappable(character) => Err((character, read - character.len_utf16())),
        _ => Ok(bytes),
    })
}

fn decode(encoding: &'static Encoding, bytes: &[u8]) -> Result<Vec<u16>, &'static str> {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut units = vec![0; decoder.max_utf16_buffer_length(bytes.len()).ok_or("the string is too long")?];
    let (_, _, written, _) = decoder.decode_to_utf16(bytes, &mut units, true);
    units.truncate(written);
    Ok(units)
}
