//! What `iconv` must do, from the oracle.

use spec_model::{
    Encoding,
    handler::{EncodeMode, HandlerResult},
    io_queue::{IoQueue, Item},
    run,
};

/// The error numbers of Linux.
pub(crate) const EINVAL: i32 = 22;
pub(crate) const EILSEQ: i32 = 84;

/// The result of decoding up to the first error.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Decoded {
    pub(crate) text: String,
    /// The number of bytes before the error.
    pub(crate) read: usize,
    /// [`EILSEQ`], [`EINVAL`] for a character that is incomplete, or 0.
    pub(crate) error: i32,
}

/// Decodes like `iconv`: without an end of the input.
pub(crate) fn decode(encoding: Encoding, bytes: &[u8]) -> Decoded {
    let mut input = IoQueue::from_list(bytes.iter().copied());
    let mut decoder = encoding.decoder();
    let mut result = Decoded::default();
    let mut start = 0;
    loop {
        if decoder.is_neutral() {
            start = input.position();
        }
        let item = input.read();
        if item == Item::EndOfQueue {
            result.error = if decoder.is_neutral() { 0 } else { EINVAL };
            break;
        }
        match decoder.handler(&mut input, item) {
            HandlerResult::Items(items) => result.text.extend(items.as_slice()),
            HandlerResult::Error(_) => {
                result.error = EILSEQ;
                break;
            }
            HandlerResult::Continue | HandlerResult::Finished => {}
        }
    }
    result.read = if result.error == 0 { bytes.len() } else { start };
    result
}

/// Encodes a character and ends the text, or returns `None` if it is unmappable.
pub(crate) fn encode(encoding: Encoding, character: char) -> Option<Vec<u8>> {
    // The standard has no encoder for UTF-16.
    let units =
        |order: fn(u16) -> [u8; 2]| character.encode_utf16(&mut [0; 2]).iter().flat_map(|&unit| order(unit)).collect();
    match encoding {
        Encoding::UTF_16LE => return Some(units(u16::to_le_bytes)),
        Encoding::UTF_16BE => return Some(units(u16::to_be_bytes)),
        _ => {}
    }
    let encoded = run::encode(encoding, [character], EncodeMode::Fatal)?;
    encoded.errors.is_empty().then_some(encoded.bytes)
}
