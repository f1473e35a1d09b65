//! Section 7: the API, without its JavaScript.
//!
//! Strings are UTF-16 code units where the API takes them and `String` where it returns scalar values. A
//! `BufferSource` is a slice. Enqueueing a chunk in a transform is returning it.

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

/// Web IDL's `RangeError`: the label is unknown, or it is a label of `replacement`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RangeError;

impl fmt::Display for RangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the label is unknown, or a label of replacement")
    }
}

impl std::error::Error for RangeError {}

/// Web IDL's `TypeError`: the decoder returned an error, and the error mode is "fatal".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeError;

impl fmt::Display for TypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the bytes are not valid in the encoding")
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

/// What [`TextDecoder`] and [`TextDecoderStream`] share.
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
    /// The first five steps of both constructors, and the sixth of `TextDecoderStream`'s, which does `TextDecoder` no
    /// harm: its first `decode()` sets both members anew.
    ///
    /// "A new I/O queue" in that step must hold end-of-queue, or the first read past a chunk would wait forever.
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

    /// Serialize I/O queue.
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

    /// What a fatal error does to the I/O queue. **The one step that is not the standard's text**, because browsers agree on something
    /// else, and the shared tests expect it.
    ///
    /// The text of `decode()` is: "Otherwise, if *result* is error, throw a `TypeError`", without a word about the queue. So the bytes
    /// that were not read and those that the handler restored would stay in it, and a call after one with `stream` would decode them
    /// first: after [0xFD, 0xEF] with `stream`, the 0xEF would make the next call throw, too. Browsers have no such queue: the
    /// bytes of a call that throws are gone, and the next `decode()` returns "".
    ///
    /// The decoder and "BOM seen" stay what they are, as in the standard.
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

/// Convert a string into a scalar value string: lone surrogates become U+FFFD.
///
/// <https://infra.spec.whatwg.org/#javascript-string-convert>
#[must_use]
pub fn scalar_values(units: &[u16]) -> Vec<char> {
    char::decode_utf16(units.iter().copied()).map(|unit| unit.unwrap_or('\u{FFFD}')).collect()
}
