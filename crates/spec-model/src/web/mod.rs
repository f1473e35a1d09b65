//! Section 7: the API, without JavaScript.
//!
//! String parameters are UTF-16 code units, and results of scalar values are `String`. A `BufferSource` is a slice.
//! Methods return the chunks that a transform would enqueue.

mod text_decoder;
mod text_decoder_stream;
mod text_encoder;
mod text_encoder_stream;

use std::fmt;

pub use text_decoder::{TextDecodeOptions, TextDecoder};
pub use text_decoder_stream::TextDecoderStream;
pub use text_encoder::{TextEncoder, TextEncoderEncodeIntoResult};
pub use text_encoder_stream::TextEncoderStream;

use crate::{
    Encoding, get_an_encoding,
    handler::{Decoder, Mode},
    io_queue::{IoQueue, Item},
};

/// Web IDL's `RangeError`: the label is unknown or is a label of `replacement`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RangeError;

impl fmt::Display for RangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the label is unknown or is a label of replacement")
    }
}

impl std::error::Error for RangeError {}

/// Web IDL's `TypeError`: the decoder returned an error, and the error mode is "fatal".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeError;

impl fmt::Display for TypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the bytes are malformed in the encoding")
    }
}

impl std::error::Error for TypeError {}

/// The dictionary `TextDecoderOptions`.
///
/// <https://encoding.spec.whatwg.org/#textdecoderoptions>
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextDecoderOptions {
    /// Whether an error throws.
    pub fatal: bool,
    /// Whether a byte order mark stays in the text.
    pub ignore_bom: bool,
}

/// The mixin of [`TextDecoder`] and [`TextDecoderStream`].
///
/// <https://encoding.spec.whatwg.org/#interface-mixin-textdecodercommon>
#[derive(Debug)]
struct TextDecoderCommon {
    encoding: Encoding,
    decoder: Decoder,
    io_queue: IoQueue<u8>,
    ignore_bom: bool,
    bom_seen: bool,
    error_mode: Mode,
}

impl TextDecoderCommon {
    /// Performs the first five steps of both constructors, and the sixth step of `TextDecoderStream`'s. The sixth step
    /// does not affect `TextDecoder`, whose first `decode()` sets both members again.
    ///
    /// "A new I/O queue" in that step must contain end-of-queue, or the first read past a chunk would wait forever.
    fn new(label: &str, options: TextDecoderOptions) -> Result<Self, RangeError> {
        let encoding = get_an_encoding(label); // 1.
        let Some(encoding) = encoding.filter(|&encoding| encoding != Encoding::REPLACEMENT) else {
            return Err(RangeError); // 2.
        };
        Ok(Self {
            encoding,                                                                // 3.
            error_mode: if options.fatal { Mode::Fatal } else { Mode::Replacement }, // 4.
            ignore_bom: options.ignore_bom,                                          // 5.
            decoder: encoding.decoder(),                                             // 6.
            io_queue: IoQueue::from_list([]),                                        // 6.
            bom_seen: false,
        })
    }

    /// "Serialize I/O queue".
    ///
    /// <https://encoding.spec.whatwg.org/#concept-td-serialize>
    fn serialize_io_queue(&mut self, mut io_queue: IoQueue<char>) -> String {
        let mut output = String::new(); // 1.
        loop {
            let item = io_queue.read(); // 2.1.
            let Item::Value(code_point) = item else {
                return output; // 2.2.
            };
            if (self.encoding == Encoding::UTF_8 || self.encoding.is_utf_16be_le())
                && !self.ignore_bom
                && !self.bom_seen
            {
                self.bom_seen = true; // 2.3.1.
                if code_point == '\u{FEFF}' {
                    continue; // 2.3.2.
                }
            }
            output.push(code_point); // 2.4.
        }
    }

    /// Discards the I/O queue after a fatal error. **This is the only step that differs from the standard's text**: browsers
    /// agree on this behaviour, and the shared tests expect it.
    ///
    /// For `decode()` the standard says: "Otherwise, if *result* is error, throw a `TypeError`". It does not mention the queue.
    /// So the bytes that were not read and those that the handler restored would stay in the queue, and the call after one
    /// with `stream` would decode them first. For example, after [0xFD, 0xEF] with `stream`, the 0xEF would make the next
    /// call throw as well. Browsers have no such queue: they discard the bytes of a call that throws, and the next
    /// `decode()` returns "".
    ///
    /// As in the standard, the decoder and "BOM seen" do not change.
    fn discard_io_queue(&mut self) -> TypeError {
        self.io_queue = IoQueue::from_list([]);
        TypeError
    }

    /// <https://encoding.spec.whatwg.org/#dom-textdecoder-encoding>
    fn encoding(&self) -> String {
        self.encoding.name().to_ascii_lowercase()
    }

    /// <https://encoding.spec.whatwg.org/#dom-textdecoder-fatal>
    fn fatal(&self) -> bool {
        self.error_mode == Mode::Fatal
    }
}

/// Converts a string into a scalar value string: unpaired surrogates become U+FFFD.
///
/// <https://infra.spec.whatwg.org/#javascript-string-convert>
#[must_use]
pub fn scalar_values(units: &[u16]) -> Vec<char> {
    char::decode_utf16(units.iter().copied()).map(|unit| unit.unwrap_or('\u{FFFD}')).collect()
}
