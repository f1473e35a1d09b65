use super::{RangeError, TextDecoderCommon, TextDecoderOptions, TypeError};
use crate::{
    handler::{HandlerResult, process_an_item},
    io_queue::{IoQueue, Item},
};

/// The dictionary `TextDecodeOptions`.
///
/// <https://encoding.spec.whatwg.org/#textdecodeoptions>
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextDecodeOptions {
    /// Whether more input follows in the next call.
    pub stream: bool,
}

/// The interface `TextDecoder`.
///
/// <https://encoding.spec.whatwg.org/#interface-textdecoder>
#[derive(Debug)]
pub struct TextDecoder {
    common: TextDecoderCommon,
    do_not_flush: bool,
}

impl TextDecoder {
    /// <https://encoding.spec.whatwg.org/#dom-textdecoder>
    pub fn new(label: &str, options: TextDecoderOptions) -> Result<Self, RangeError> {
        Ok(Self { common: TextDecoderCommon::new(label, options)?, do_not_flush: false }) // 1. to 5.
    }

    /// Returns the name of the encoding in lower case.
    #[must_use]
    pub fn encoding(&self) -> String {
        self.common.encoding()
    }

    /// Returns whether an error throws.
    #[must_use]
    pub fn fatal(&self) -> bool {
        self.common.fatal()
    }

    /// Returns whether a byte order mark stays in the text.
    #[must_use]
    pub fn ignore_bom(&self) -> bool {
        self.common.ignore_bom
    }

    /// Decodes `input`. With `options.stream`, an incomplete character at the end is kept for the next call.
    ///
    /// After a `TypeError` the I/O queue is empty. The standard does not say so: see `TextDecoderCommon::discard_io_queue`.
    /// The next call continues with the same decoder if this one had `stream`, otherwise with a new decoder.
    ///
    /// <https://encoding.spec.whatwg.org/#dom-textdecoder-decode>
    pub fn decode(&mut self, input: Option<&[u8]>, options: TextDecodeOptions) -> Result<String, TypeError> {
        let this = &mut self.common;
        if !self.do_not_flush {
            this.decoder = this.encoding.decoder();
            this.io_queue = IoQueue::from_list([]);
            this.bom_seen = false; // 1.
        }
        self.do_not_flush = options.stream; // 2.
        if let Some(input) = input {
            this.io_queue.push_sequence(input); // 3.
        }
        let mut output = IoQueue::from_list([]); // 4.
        loop {
            let item = this.io_queue.read(); // 5.1.
            if item == Item::EndOfQueue && self.do_not_flush {
                return Ok(this.serialize_io_queue(output)); // 5.2.
            }
            let mode = this.error_mode;
            let result = process_an_item(item, &mut *this.decoder, &mut this.io_queue, &mut output, mode); // 5.3.1.
            match result {
                HandlerResult::Finished => return Ok(this.serialize_io_queue(output)), // 5.3.2.
                HandlerResult::Error(_) => return Err(this.discard_io_queue()),        // 5.3.3.
                _ => {}
            }
        }
    }
}
