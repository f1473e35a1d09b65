use super::scalar_values;
use crate::{
    codec::utf_8::Utf8Encoder,
    handler::{EncodeMode, Handler as _, HandlerResult, process_an_item},
    io_queue::{IoQueue, Item},
};

/// The dictionary `TextEncoderEncodeIntoResult`.
///
/// <https://encoding.spec.whatwg.org/#dictdef-textencoderencodeintoresult>
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextEncoderEncodeIntoResult {
    /// The number of UTF-16 code units that were converted.
    pub read: usize,
    /// The number of bytes that were written.
    pub written: usize,
}

/// The interface `TextEncoder`. Sources are UTF-16 code units, which the methods convert to a `USVString`.
///
/// <https://encoding.spec.whatwg.org/#interface-textencoder>
#[derive(Clone, Copy, Debug, Default)]
pub struct TextEncoder;

impl TextEncoder {
    /// <https://encoding.spec.whatwg.org/#dom-textencoder-encoding>
    #[must_use]
    pub fn encoding(&self) -> &'static str {
        "utf-8"
    }

    /// <https://encoding.spec.whatwg.org/#dom-textencoder-encode>
    #[must_use]
    pub fn encode(&self, input: &[u16]) -> Vec<u8> {
        let mut input = IoQueue::from_list(scalar_values(input)); // 1.
        let mut output = IoQueue::from_list([]); // 2.
        loop {
            let item = input.read(); // 3.1.
            let result = process_an_item(item, &mut Utf8Encoder, &mut input, &mut output, EncodeMode::Fatal); // 3.2.
            debug_assert!(!matches!(result, HandlerResult::Error(_))); // 3.3.
            if let HandlerResult::Finished = result {
                return output.to_list(); // 3.4.
            }
        }
    }

    /// <https://encoding.spec.whatwg.org/#dom-textencoder-encodeinto>
    pub fn encode_into(&self, source: &[u16], destination: &mut [u8]) -> TextEncoderEncodeIntoResult {
        let mut read = 0; // 1.
        let mut written = 0; // 2.
        let destination_bytes = destination; // 3.
        let mut encoder = Utf8Encoder; // 4.
        let mut unused = IoQueue::from_list([]); // 5.
        let mut source = IoQueue::from_list(scalar_values(source)); // 6.
        loop {
            let item = source.read(); // 7.1.
            let result = encoder.handler(&mut unused, item); // 7.2.
            let (Item::Value(code_point), HandlerResult::Items(bytes)) = (item, result) else {
                break; // 7.3. This encoder returns only "finished" and items.
            };
            let bytes = bytes.as_slice();
            if destination_bytes.len() - written >= bytes.len() {
                if code_point > '\u{FFFF}' {
                    read += 2; // 7.4.1.1.
                } else {
                    read += 1; // 7.4.1.2.
                }
                destination_bytes[written..written + bytes.len()].copy_from_slice(bytes); // 7.4.1.3.
                written += bytes.len(); // 7.4.1.4.
            } else {
                break; // 7.4.2.
            }
        }
        TextEncoderEncodeIntoResult { read, written } // 8.
    }
}
