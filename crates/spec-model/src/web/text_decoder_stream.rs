use super::{RangeError, TextDecoderCommon, TextDecoderOptions, TypeError};
use crate::{
    handler::{HandlerResult, process_an_item},
    io_queue::{IoQueue, Item},
};

/// The interface `TextDecoderStream`. Each method returns the chunk that it enqueues, if any.
///
/// <https://encoding.spec.whatwg.org/#interface-textdecoderstream>
#[derive(Debug)]
pub struct TextDecoderStream {
    common: TextDecoderCommon,
}

impl TextDecoderStream {
    /// <https://encoding.spec.whatwg.org/#dom-textdecoderstream>
    pub fn new(label: &str, options: TextDecoderOptions) -> Result<Self, RangeError> {
        Ok(Self { common: TextDecoderCommon::new(label, options)? }) // 1. to 6. Steps 7 to 9 are the two methods below.
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

    /// "Decode and enqueue a chunk".
    ///
    /// In the standard a `TypeError` puts the stream into the errored state, so no chunk follows. Here a chunk may follow,
    /// and is decoded as by `TextDecoder`.
    ///
    /// <https://encoding.spec.whatwg.org/#decode-and-enqueue-a-chunk>
    pub fn decode_and_enqueue_a_chunk(&mut self, chunk: &[u8]) -> Result<Option<String>, TypeError> {
        let decoder = &mut self.common; // 1. The chunk is a buffer source already.
        decoder.io_queue.push_sequence(chunk); // 2.
        let mut output = IoQueue::from_list([]); // 3.
        loop {
            let item = decoder.io_queue.read(); // 4.1.
            if item == Item::EndOfQueue {
                let output_chunk = decoder.serialize_io_queue(output); // 4.2.1.
                return Ok(Some(output_chunk).filter(|chunk| !chunk.is_empty())); // 4.2.2., 4.2.3.
            }
            let mode = decoder.error_mode;
            let result = process_an_item(item, &mut *decoder.decoder, &mut decoder.io_queue, &mut output, mode); // 4.3.
            if let HandlerResult::Error(_) = result {
                return Err(decoder.discard_io_queue()); // 4.4.
            }
        }
    }

    /// "Flush and enqueue".
    ///
    /// Until June 2021 this algorithm processed end-of-queue only once and treated every result but "finished" as an
    /// error. So U+FFFD at the end threw in "replacement" mode, and restored bytes were lost. This is the corrected form,
    /// which reads until the decoder has finished (whatwg/encoding, issue 263 and pull request 265).
    ///
    /// <https://encoding.spec.whatwg.org/#flush-and-enqueue>
    pub fn flush_and_enqueue(&mut self) -> Result<Option<String>, TypeError> {
        let decoder = &mut self.common;
        let mut output = IoQueue::from_list([]); // 1.
        loop {
            let item = decoder.io_queue.read(); // 2.1.
            let mode = decoder.error_mode;
            let result = process_an_item(item, &mut *decoder.decoder, &mut decoder.io_queue, &mut output, mode); // 2.2.
            match result {
                HandlerResult::Finished => {
                    let output_chunk = decoder.serialize_io_queue(output); // 2.3.1.
                    return Ok(Some(output_chunk).filter(|chunk| !chunk.is_empty())); // 2.3.2., 2.3.3.
                }
                HandlerResult::Error(_) => return Err(TypeError), // 2.4.
                _ => {}
            }
        }
    }
}
