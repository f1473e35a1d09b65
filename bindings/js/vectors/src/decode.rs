//! Test vectors of the decoders.

use std::ops::Range;

use spec_model::{Bom, Encoding, Mode, decode};

use crate::{
    encode,
    pool::{Pool, hex, list, object},
    random::Random,
};

/// The first and last bytes of byte classes in the standard's multi-byte encodings.
const BOUNDARIES: &[u8] =
    &[0x2F, 0x30, 0x39, 0x3A, 0x40, 0x7F, 0x80, 0x81, 0x84, 0x8E, 0x8F, 0xA0, 0xA1, 0xDF, 0xE3, 0xFE, 0xFF];

/// Returns the grids of an encoding: strings of one byte, of two bytes, and of boundary bytes.
pub(crate) fn grids(encoding: Encoding, pool: &mut Pool) -> String {
    let every: Vec<_> = (0..=0xFF).map(|byte| vec![byte]).collect();
    let mut grids = vec![grid(encoding, &every, 1, pool)];
    if !encoding.is_single_byte() && encoding != Encoding::X_USER_DEFINED {
        grids.push(grid(encoding, &every, 2, pool));
    }
    let single = |bytes: &[u8]| bytes.iter().map(|&byte| vec![byte]).collect::<Vec<_>>();
    match encoding {
        Encoding::GB18030 | Encoding::GBK => {
            grids.push(grid(encoding, &single(BOUNDARIES), 3, pool));
            let four = [0x30, 0x31, 0x35, 0x39, 0x3A, 0x41, 0x81, 0x84, 0x90, 0xA1, 0xE3, 0xFE, 0xFF];
            grids.push(grid(encoding, &single(&four), 4, pool));
        }
        Encoding::EUC_JP => {
            let three =
                [0x41, 0x7F, 0x80, 0x8D, 0x8E, 0x8F, 0x90, 0xA0, 0xA1, 0xA2, 0xB0, 0xDF, 0xE0, 0xED, 0xF4, 0xFE, 0xFF];
            grids.push(grid(encoding, &single(&three), 3, pool));
            grids.push(grid(encoding, &single(&[0x41, 0x8E, 0x8F, 0xA1, 0xB0, 0xDF, 0xE0, 0xFE, 0xFF]), 4, pool));
        }
        Encoding::BIG5 => {
            let three =
                [0x3F, 0x40, 0x62, 0x64, 0x7E, 0x7F, 0x80, 0x81, 0x87, 0x88, 0xA0, 0xA1, 0xA3, 0xA5, 0xC6, 0xFE, 0xFF];
            grids.push(grid(encoding, &single(&three), 3, pool));
        }
        Encoding::SHIFT_JIS | Encoding::EUC_KR => grids.push(grid(encoding, &single(BOUNDARIES), 3, pool)),
        Encoding::UTF_8 => {
            let bytes = [
                0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE,
                0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
            ];
            grids.push(grid(encoding, &single(&bytes), 3, pool));
            let bytes = [0x41, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xE2, 0xF0, 0xF1, 0xF4, 0xF5];
            grids.push(grid(encoding, &single(&bytes), 4, pool));
        }
        Encoding::UTF_16BE | Encoding::UTF_16LE => {
            let bytes = [0x00, 0x41, 0xD7, 0xD8, 0xDB, 0xDC, 0xDF, 0xE0, 0xFE, 0xFF];
            grids.push(grid(encoding, &single(&bytes), 3, pool));
            grids.push(grid(encoding, &single(&bytes), 4, pool));
        }
        Encoding::ISO_2022_JP => {
            let symbols: [&[u8]; 14] = [
                b"\x1B(B", b"\x1B(J", b"\x1B(I", b"\x1B$@", b"\x1B$B", b"\x1B", b"$", b"(", b"B", b"!", b"~", b"\x0E",
                b"\\", b"\x80",
            ];
            grids.push(grid(encoding, &symbols.map(<[u8]>::to_vec), 4, pool));
        }
        _ => {}
    }
    list(grids)
}

/// Returns the grid of all strings of `length` symbols.
pub(crate) fn grid(encoding: Encoding, symbols: &[Vec<u8>], length: u32, pool: &mut Pool) -> String {
    let row_length = symbols.len().pow(length - 1);
    // A single row if each row would have one input.
    let rows = if length == 1 {
        vec![row(encoding, symbols, 0..symbols.len(), 1, pool)]
    } else {
        let row_of = |first: usize| first * row_length..(first + 1) * row_length;
        (0..symbols.len()).map(|first| row(encoding, symbols, row_of(first), length, pool)).collect()
    };
    let symbols = pool_list(symbols);
    object([("symbols", symbols), ("length", length.to_string()), ("rows", list(rows))])
}

fn pool_list(symbols: &[Vec<u8>]) -> String {
    list(symbols.iter().map(|symbol| crate::string(&hex(symbol.iter().copied()))))
}

fn row(encoding: Encoding, symbols: &[Vec<u8>], inputs: Range<usize>, length: u32, pool: &mut Pool) -> String {
    let (mut texts, mut units, mut errors) = (String::new(), String::new(), String::new());
    for number in inputs {
        let symbol = |position: u32| &symbols[number / symbols.len().pow(position) % symbols.len()];
        let bytes: Vec<u8> = (0..length).rev().flat_map(symbol).copied().collect();
        let decoded = decode(encoding, &bytes, Bom::Keep, Mode::Replacement);
        units.push(digit(decoded.text.encode_utf16().count()));
        errors.push(digit(decoded.errors.len()));
        texts.push_str(&decoded.text);
    }
    list([texts, units, errors].map(|text| pool.index(text)))
}

/// Returns a number up to 35 as a digit.
pub(crate) fn digit(number: usize) -> char {
    char::from_digit(number as u32, 36).expect("texts of a few bytes are short")
}

/// Returns random text with errors, some short and some long.
pub(crate) fn texts(encoding: Encoding, pool: &mut Pool) -> String {
    let mut random = Random::new(encoding.name());
    let repertoire = encode::repertoire(encoding);
    let texts = (0..44).map(|number| {
        let length = if number < 24 { 1 + random.below(14) } else { 1 << random.below(12) };
        let mut bytes = Vec::new();
        while bytes.len() < length {
            match random.below(8) {
                0 if number % 4 != 0 => bytes.push(random.below(0x100) as u8),
                1 if number % 4 != 0 => bytes.push(random.of(BOUNDARIES)),
                2 => bytes.extend((0..random.below(40)).map(|_| random.below(0x5E) as u8 + 0x20)),
                _ => {
                    let text: Vec<_> = (0..=random.below(12)).map(|_| random.of(&repertoire)).collect();
                    let end = bytes.len() + random.of(&[1, 2, 3, 100]);
                    bytes.extend(encode::bytes(encoding, &text));
                    if number % 4 == 3 {
                        bytes.truncate(end);
                    }
                }
            }
        }
        let decoded = decode(encoding, &bytes, Bom::Keep, Mode::Replacement);
        list([pool.index(hex(bytes)), pool.index(decoded.text), error_ranges(&decoded.errors)])
    });
    list(texts.collect::<Vec<_>>())
}

/// Returns the offsets of errors as JSON.
pub(crate) fn error_ranges(errors: &[Range<usize>]) -> String {
    list(errors.iter().map(|error| format!("[{},{}]", error.start, error.end)))
}
