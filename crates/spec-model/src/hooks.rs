//! Section 6: hooks for standards.
//!
//! The standard's optional output is a parameter here. `IoQueue::new()` is its default « ».

use crate::{
    Encoding,
    handler::{EncodeMode, Encoder, HandlerResult, Mode, process_a_queue},
    io_queue::{IoQueue, Item},
};

/// "UTF-8 decode".
///
/// <https://encoding.spec.whatwg.org/#utf-8-decode>
#[must_use]
pub fn utf_8_decode(io_queue: &mut IoQueue<u8>, mut output: IoQueue<char>) -> IoQueue<char> {
    let buffer = io_queue.peek(3); // 1.
    if buffer == [0xEF, 0xBB, 0xBF] {
        io_queue.read_number(3); // 2.
    }
    process_a_queue(&mut *Encoding::UTF_8.decoder(), io_queue, &mut output, Mode::Replacement); // 3.
    output // 4.
}

/// "UTF-8 decode without BOM".
///
/// <https://encoding.spec.whatwg.org/#utf-8-decode-without-bom>
#[must_use]
pub fn utf_8_decode_without_bom(io_queue: &mut IoQueue<u8>, mut output: IoQueue<char>) -> IoQueue<char> {
    process_a_queue(&mut *Encoding::UTF_8.decoder(), io_queue, &mut output, Mode::Replacement); // 1.
    output // 2.
}

/// "UTF-8 decode without BOM or fail". `None` is failure.
///
/// <https://encoding.spec.whatwg.org/#utf-8-decode-without-bom-or-fail>
#[must_use]
pub fn utf_8_decode_without_bom_or_fail(
    io_queue: &mut IoQueue<u8>,
    mut output: IoQueue<char>,
) -> Option<IoQueue<char>> {
    let potential_error = process_a_queue(&mut *Encoding::UTF_8.decoder(), io_queue, &mut output, Mode::Fatal); // 1.
    if let HandlerResult::Error(_) = potential_error {
        return None; // 2.
    }
    Some(output) // 3.
}

/// "UTF-8 encode".
///
/// <https://encoding.spec.whatwg.org/#utf-8-encode>
#[must_use]
pub fn utf_8_encode(io_queue: &mut IoQueue<char>, output: IoQueue<u8>) -> IoQueue<u8> {
    encode(io_queue, Encoding::UTF_8, output)
}

/// "Decode", with a fallback encoding.
///
/// <https://encoding.spec.whatwg.org/#decode>
#[must_use]
pub fn decode(io_queue: &mut IoQueue<u8>, mut encoding: Encoding, mut output: IoQueue<char>) -> IoQueue<char> {
    let bom_encoding = bom_sniff(io_queue); // 1.
    if let Some(bom_encoding) = bom_encoding {
        encoding = bom_encoding; // 2.1.
        io_queue.read_number(bom_len(bom_encoding)); // 2.2.
    }
    process_a_queue(&mut *encoding.decoder(), io_queue, &mut output, Mode::Replacement); // 3.
    output // 4.
}

/// "BOM sniff".
///
/// <https://encoding.spec.whatwg.org/#bom-sniff>
#[must_use]
pub fn bom_sniff(io_queue: &IoQueue<u8>) -> Option<Encoding> {
    const TABLE: [(&[u8], Encoding); 3] = [
        (&[0xEF, 0xBB, 0xBF], Encoding::UTF_8),
        (&[0xFE, 0xFF], Encoding::UTF_16BE),
        (&[0xFF, 0xFE], Encoding::UTF_16LE),
    ];
    let bom = io_queue.peek(3); // 1.
    TABLE.iter().find(|row| bom.starts_with(row.0)).map(|row| row.1) // 2.
}

/// Step 2.2 of "decode": returns three bytes for UTF-8, otherwise two.
pub(crate) fn bom_len(bom_encoding: Encoding) -> usize {
    if bom_encoding == Encoding::UTF_8 { 3 } else { 2 }
}

/// "Encode".
///
/// <https://encoding.spec.whatwg.org/#encode>
///
/// # Panics
///
/// If [`get_an_encoder`] panics.
#[must_use]
pub fn encode(io_queue: &mut IoQueue<char>, encoding: Encoding, mut output: IoQueue<u8>) -> IoQueue<u8> {
    let mut encoder = get_an_encoder(encoding); // 1.
    process_a_queue(&mut *encoder, io_queue, &mut output, EncodeMode::Html); // 2.
    output // 3.
}

/// "Get an encoder".
///
/// <https://encoding.spec.whatwg.org/#get-an-encoder>
///
/// # Panics
///
/// If the encoding is `replacement`, `UTF-16BE` or `UTF-16LE`, where the standard's assertion fails.
#[must_use]
pub fn get_an_encoder(encoding: Encoding) -> Encoder {
    assert!(encoding != Encoding::REPLACEMENT && !encoding.is_utf_16be_le(), "no encoder"); // 1.
    encoding.encoder().expect("all other encodings have an encoder") // 2.
}

/// "Encode or fail". Returns the value of the error's code point, or `None` (null) without an error.
///
/// <https://encoding.spec.whatwg.org/#encode-or-fail>
///
/// # Panics
///
/// Never, because errors of encoders have a code point.
pub fn encode_or_fail(io_queue: &mut IoQueue<char>, encoder: &mut Encoder, output: &mut IoQueue<u8>) -> Option<u32> {
    let potential_error = process_a_queue(&mut **encoder, io_queue, output, EncodeMode::Fatal); // 1.
    output.push(Item::EndOfQueue); // 2.
    if let HandlerResult::Error(code_point) = potential_error {
        return Some(code_point.expect("errors of encoders have a code point").into()); // 3.
    }
    None // 4.
}
