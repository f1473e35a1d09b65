//! "Process a queue" with error positions, which the standard does not have.
//!
//! The range of a decoder's error starts at the first byte taken since the handler was last neutral, and ends before
//! the first byte that it restored; at end-of-queue it ends at the end of the input, less the restored bytes. For
//! ISO-2022-JP an escape sequence is a unit of its own, even when its first byte interrupts a pair.

use std::ops::Range;

use crate::{
    Encoding,
    handler::{EncodeMode, Handler, HandlerResult, Mode, process_a_queue},
    hooks::{bom_len, bom_sniff},
    io_queue::{IoQueue, Item},
};

/// What to do about a byte order mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bom {
    /// As "decode" of section 6: the BOM of UTF-8, `UTF-16BE` or `UTF-16LE` decides the encoding and is removed.
    Sniff,
    /// Only the BOM of the given encoding is removed.
    StripOwn,
    /// It is decoded like everything else.
    Keep,
}

/// A decoded text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decoded {
    /// The scalar values; in `Fatal` mode those before the first error.
    pub text: String,
    /// The bytes of every error, as offsets into the input.
    pub errors: Vec<Range<usize>>,
    /// The encoding that was used.
    pub encoding: Encoding,
    /// Whether a byte order mark was removed.
    pub bom: bool,
}

/// Decodes `bytes`. In `Fatal` mode it stops at the first error.
#[must_use]
pub fn decode(encoding: Encoding, bytes: &[u8], bom: Bom, mode: Mode) -> Decoded {
    let mut decoded = Decoded::default();
    decode_into(&mut decoded, encoding, bytes, bom, mode);
    decoded
}

/// As [`decode`], but keeps the allocations of `decoded`, whose contents it replaces.
pub fn decode_into(decoded: &mut Decoded, encoding: Encoding, bytes: &[u8], bom: Bom, mode: Mode) {
    let mut input = IoQueue::from_list(bytes.iter().copied());
    let mut output = IoQueue::new();

    let bom_encoding = match bom {
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

    output.push(Item::EndOfQueue); // after an error in `Fatal` mode it is missing
    decoded.text.clear();
    while let Item::Value(code_point) = output.read() {
        decoded.text.push(code_point);
    }
}

/// A decoder that writes down where the errors of another one are.
#[derive(Debug)]
struct ErrorRanges<'d> {
    decoder: &'d mut dyn Handler<u8, char>,
    /// The first byte taken since the decoder was last neutral.
    start: usize,
    errors: &'d mut Vec<Range<usize>>,
}

impl Handler<u8, char> for ErrorRanges<'_> {
    fn handler(&mut self, io_queue: &mut IoQueue<u8>, item: Item<u8>) -> HandlerResult<char> {
        let offset = match item {
            Item::Value(_) => io_queue.position() - 1, // the byte has left the queue
            Item::EndOfQueue => io_queue.position(),
        };
        if self.decoder.is_neutral() {
            self.start = offset;
        }
        let result = self.decoder.handler(io_queue, item);
        if let HandlerResult::Error(_) = result {
            let mut end = io_queue.position();
            if !self.decoder.is_neutral() {
                // 0x1B in ISO-2022-JP's "trailing byte" state: the error is the leading byte's, and 0x1B already
                // belongs to the escape sequence. All other errors leave a decoder neutral.
                end = offset;
            }
            self.errors.push(self.start..end);
            self.start = end;
        }
        result
    }
}

/// An encoded text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Encoded {
    /// The bytes; in `Fatal` mode those pushed before the first error.
    pub bytes: Vec<u8>,
    /// Which scalar value of the input caused an error, and the code point that the encoder returned with it.
    pub errors: Vec<(usize, char)>,
}

/// Encodes `text`, or returns `None` if the encoding has no encoder. In `Fatal` mode it stops at the first error.
pub fn encode(encoding: Encoding, text: impl IntoIterator<Item = char>, mode: EncodeMode) -> Option<Encoded> {
    let mut encoded = Encoded::default();
    encode_into(&mut encoded, encoding, text, mode).then_some(encoded)
}

/// As [`encode`], but keeps the allocations of `encoded`, whose contents it replaces. False if there is no encoder.
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

    let mut encoder = ErrorPositions { encoder: &mut *encoder, errors: &mut encoded.errors };
    process_a_queue(&mut encoder, &mut input, &mut output, mode);

    output.push(Item::EndOfQueue); // after an error in `Fatal` mode it is missing
    while let Item::Value(byte) = output.read() {
        encoded.bytes.push(byte);
    }
    true
}

/// An encoder that writes down where the errors of another one are.
#[derive(Debug)]
struct ErrorPositions<'e> {
    encoder: &'e mut dyn Handler<char, u8>,
    errors: &'e mut Vec<(usize, char)>,
}

impl Handler<char, u8> for ErrorPositions<'_> {
    fn handler(&mut self, io_queue: &mut IoQueue<char>, item: Item<char>) -> HandlerResult<u8> {
        let after = io_queue.position();
        let result = self.encoder.handler(io_queue, item);
        if let HandlerResult::Error(Some(code_point)) = result {
            self.errors.push((after - 1, code_point)); // the scalar value has left the queue
        }
        result
    }
}
