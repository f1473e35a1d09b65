//! "Process a queue" with error positions, which the standard does not have.
//!
//! The range of a decoder's error starts at the first byte read since the handler was last neutral. It ends after the
//! last byte that the handler read and did not restore. If an escape sequence of ISO-2022-JP interrupts a pair, its first
//! byte is not part of the error.

use std::ops::Range;

use crate::{
    Encoding,
    handler::{EncodeMode, Handler, HandlerResult, Mode, process_a_queue},
    hooks::{bom_len, bom_sniff},
    io_queue::{IoQueue, Item},
};

/// How a byte order mark is handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bom {
    /// Like "decode" of section 6: the BOM of UTF-8, `UTF-16BE` or `UTF-16LE` determines the encoding and is removed.
    Sniff,
    /// Only the BOM of the given encoding is removed.
    StripOwn,
    /// The BOM is decoded like other bytes.
    Keep,
}

/// Decoded text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decoded {
    /// The scalar values. In `Fatal` mode, those before the first error.
    pub text: String,
    /// The byte range of every error, as offsets into the input.
    pub errors: Vec<Range<usize>>,
    /// The encoding that was used.
    pub encoding: Encoding,
    /// Whether a byte order mark was removed.
    pub bom: bool,
}

/// Decodes `bytes`. In `Fatal` mode, stops at the first error.
#[must_use]
pub fn decode(encoding: Encoding, bytes: &[u8], bom: Bom, mode: Mode) -> Decoded {
    let mut decoded = Decoded::default();
    decode_into(&mut decoded, encoding, bytes, bom, mode);
    decoded
}

/// Like [`decode`], but replaces the contents of `decoded` and reuses its allocations.
pub fn decode_into(decoded: &mut Decoded, encoding: Encoding, bytes: &[u8], bom: Bom, mode: Mode) {
    let mut input = IoQueue::from_list(bytes.iter().copied());
    let mut output = IoQueue::new();

    let bom_encoding = match bom {
        // Outside of the standard, a byte order mark is text, or the decoder reads it.
        _ if encoding.is_outside() => None,
        Bom::Sniff => bom_sniff(&input),
        Bom::StripOwn => bom_sniff(&input).filter(|&bom_encoding| bom_encoding == encoding),
        Bom::Keep => None,
    };
    if let Some(bom_encoding) = bom_encoding {
        input.read_number(bom_len(bom_encoding));
    }
    decoded.bom = bom_encoding.is_some();
    decoded.encoding = bom_encoding.unwrap_or(encoding);

    decoded.errors.clear();
    let mut decoder =
        ErrorRanges { decoder: &mut *decoded.encoding.decoder(), start: input.position(), errors: &mut decoded.errors };
    process_a_queue(&mut decoder, &mut input, &mut output, mode);

    output.push(Item::EndOfQueue); // missing after an error in `Fatal` mode
    decoded.text.clear();
    while let Item::Value(code_point) = output.read() {
        decoded.text.push(code_point);
    }
}

/// Wraps a decoder and records the ranges of its errors.
#[derive(Debug)]
struct ErrorRanges<'d> {
    decoder: &'d mut dyn Handler<u8, char>,
    /// The offset of the first byte read since the decoder was last neutral.
    start: usize,
    errors: &'d mut Vec<Range<usize>>,
}

impl Handler<u8, char> for ErrorRanges<'_> {
    fn handler(&mut self, io_queue: &mut IoQueue<u8>, item: Item<u8>) -> HandlerResult<char> {
        let offset = match item {
            Item::Value(_) => io_queue.position() - 1, // the byte was already read
            Item::EndOfQueue => io_queue.position(),
        };
        if self.decoder.is_neutral() {
            self.start = offset;
        }
        let result = self.decoder.handler(io_queue, item);
        if let HandlerResult::Error(_) = result {
            let mut end = io_queue.position();
            if !self.decoder.is_neutral() {
                // 0x1B in ISO-2022-JP's "trailing byte" state: the error consists of the leading byte, and 0x1B
                // belongs to the escape sequence. After all other errors, a decoder is neutral.
                end = offset;
            }
            self.errors.push(self.start..end);
            self.start = end;
        }
        result
    }
}

/// Encoded text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Encoded {
    /// The bytes. In `Fatal` mode, those before the first error.
    pub bytes: Vec<u8>,
    /// For each error, the index of the scalar value in the input and the code point that the encoder returned.
    pub errors: Vec<(usize, char)>,
}

/// Encodes `text`. In `Fatal` mode, stops at the first error. Returns `None` if the encoding has no encoder.
pub fn encode(encoding: Encoding, text: impl IntoIterator<Item = char>, mode: EncodeMode) -> Option<Encoded> {
    let mut encoded = Encoded::default();
    encode_into(&mut encoded, encoding, text, mode).then_some(encoded)
}

/// Like [`encode`], but replaces the contents of `encoded` and reuses its allocations. Returns false if the encoding has
/// no encoder.
pub fn encode_into(
    encoded: &mut Encoded,
    encoding: Encoding,
    text: impl IntoIterator<Item = char>,
    mode: EncodeMode,
) -> bool {
    encoded.bytes.clear();
    encoded.errors.clear();
    let Some(mut encoder) = encoding.encoder() else { return false };
    let mut input = IoQueue::from_list(text);
    let mut output = IoQueue::new();

    let encodes_references = encoding.is_outside() && matches!(mode, EncodeMode::Html);
    let mut encoder = ErrorPositions { encoder: &mut *encoder, errors: &mut encoded.errors, encodes_references };
    process_a_queue(&mut encoder, &mut input, &mut output, mode);

    output.push(Item::EndOfQueue); // missing after an error in `Fatal` mode
    while let Item::Value(byte) = output.read() {
        encoded.bytes.push(byte);
    }
    true
}

/// Wraps an encoder and records the positions of its errors.
#[derive(Debug)]
struct ErrorPositions<'e> {
    encoder: &'e mut dyn Handler<char, u8>,
    errors: &'e mut Vec<(usize, char)>,
    /// Whether a reference is encoded, because its bytes are not those of ASCII.
    encodes_references: bool,
}

impl Handler<char, u8> for ErrorPositions<'_> {
    fn handler(&mut self, io_queue: &mut IoQueue<char>, item: Item<char>) -> HandlerResult<u8> {
        let after = io_queue.position();
        let result = self.encoder.handler(io_queue, item);
        if let HandlerResult::Error(Some(code_point)) = result {
            self.errors.push((after - 1, code_point)); // the scalar value was already read
            if self.encodes_references {
                // The reference is text.
                let reference: Vec<char> = format!("&#{};", u32::from(code_point)).chars().collect();
                io_queue.restore_sequence(&reference);
                return HandlerResult::Continue;
            }
        }
        result
    }
}
