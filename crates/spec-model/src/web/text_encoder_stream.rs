use crate::{
    codec::{code_point, utf_8::Utf8Encoder},
    handler::{EncodeMode, process_an_item},
    io_queue::{IoQueue, Item},
};

/// The interface `TextEncoderStream`. Each method returns the chunk that it enqueues, if any.
///
/// <https://encoding.spec.whatwg.org/#interface-textencoderstream>
#[derive(Clone, Debug, Default)]
pub struct TextEncoderStream {
    encoder: Utf8Encoder,
    leading_surrogate: Option<u16>,
}

impl TextEncoderStream {
    /// <https://encoding.spec.whatwg.org/#dom-textencoderstream>
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// <https://encoding.spec.whatwg.org/#dom-textencoder-encoding>
    #[must_use]
    pub fn encoding(&self) -> &'static str {
        "utf-8"
    }

    /// "Encode and enqueue a chunk".
    ///
    /// <https://encoding.spec.whatwg.org/#encode-and-enqueue-a-chunk>
    pub fn encode_and_enqueue_a_chunk(&mut self, chunk: &[u16]) -> Option<Vec<u8>> {
        // 1. The chunk is already a DOMString.
        let mut input = IoQueue::from_list(chunk.iter().copied()); // 2.
        let mut output = IoQueue::from_list([]); // 3.
        loop {
            let item = input.read(); // 4.1.
            let Item::Value(code_unit) = item else {
                let output = output.to_list(); // 4.2.1.
                return Some(output).filter(|output| !output.is_empty()); // 4.2.2., 4.2.3.
            };
            let result = self.convert_code_unit_to_scalar_value(code_unit, &mut input); // 4.3.
            if let Some(code_point) = result {
                // The standard passes `input`, which contains code units. The UTF-8 encoder does not read it.
                let mut unused = IoQueue::new();
                process_an_item(
                    Item::Value(code_point),
                    &mut self.encoder,
                    &mut unused,
                    &mut output,
                    EncodeMode::Fatal,
                ); // 4.4.
            }
        }
    }

    /// "Convert code unit to scalar value". `None` is "continue".
    ///
    /// <https://encoding.spec.whatwg.org/#convert-code-unit-to-scalar-value>
    fn convert_code_unit_to_scalar_value(&mut self, item: u16, input: &mut IoQueue<u16>) -> Option<char> {
        if let Some(pending) = self.leading_surrogate {
            let leading_surrogate = pending; // 1.1.
            self.leading_surrogate = None; // 1.2.
            if (0xDC00..=0xDFFF).contains(&item) {
                let value = 0x10000 + ((u32::from(leading_surrogate) - 0xD800) << 10) + (u32::from(item) - 0xDC00);
                return Some(code_point(value)); // 1.3.
            }
            input.restore(Item::Value(item)); // 1.4.
            return Some('\u{FFFD}'); // 1.5.
        }
        if (0xD800..=0xDBFF).contains(&item) {
            self.leading_surrogate = Some(item);
            return None; // 2.
        }
        if (0xDC00..=0xDFFF).contains(&item) {
            return Some('\u{FFFD}'); // 3.
        }
        Some(code_point(u32::from(item))) // 4.
    }

    /// "Encode and flush".
    ///
    /// <https://encoding.spec.whatwg.org/#encode-and-flush>
    #[must_use]
    pub fn encode_and_flush(&self) -> Option<Vec<u8>> {
        if self.leading_surrogate.is_some() {
            return Some(vec![0xEF, 0xBF, 0xBD]); // 1.1., 1.2.: U+FFFD
        }
        None
    }
}
