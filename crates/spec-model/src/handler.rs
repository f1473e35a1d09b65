//! Section 4.1: encoders and decoders.

use std::fmt::{Debug, Write as _};

use crate::io_queue::{IoQueue, Item};

/// The result of a handler.
///
/// <https://encoding.spec.whatwg.org/#handler>
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandlerResult<T> {
    /// The handler has finished.
    Finished,
    /// One or more items.
    Items(Items<T>),
    /// An error. Errors of encoders have a code point.
    Error(Option<char>),
    /// No items yet.
    Continue,
}

/// The items that a handler returns at once: one to four, or up to eight outside of the standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Items<T> {
    items: [T; 8],
    len: usize,
}

impl<T> Items<T> {
    /// Returns the items in their order.
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        &self.items[..self.len]
    }
}

/// Returns the result with one to eight items.
pub(crate) fn items<T: Copy + Default>(sequence: impl AsRef<[T]>) -> HandlerResult<T> {
    let sequence = sequence.as_ref();
    let mut items = [T::default(); 8];
    items[..sequence.len()].copy_from_slice(sequence);
    HandlerResult::Items(Items { items, len: sequence.len() })
}

/// An instance of an encoding's decoder (bytes to scalar values) or encoder (scalar values to bytes).
///
/// <https://encoding.spec.whatwg.org/#handler>
pub trait Handler<From, To>: Debug {
    /// Handles one item. May restore items to the queue.
    fn handler(&mut self, io_queue: &mut IoQueue<From>, item: Item<From>) -> HandlerResult<To>;

    /// Returns whether no incomplete sequence is pending in this decoder. Not in the standard: error ranges need it.
    fn is_neutral(&self) -> bool {
        true
    }
}

/// <https://encoding.spec.whatwg.org/#decoder>
pub type Decoder = Box<dyn Handler<u8, char>>;

/// <https://encoding.spec.whatwg.org/#encoder>
pub type Encoder = Box<dyn Handler<char, u8>>;

/// The error modes of a decoder.
///
/// <https://encoding.spec.whatwg.org/#error-mode>
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// An error becomes U+FFFD.
    Replacement,
    /// An error ends the decoding.
    Fatal,
}

/// The error modes of an encoder.
///
/// <https://encoding.spec.whatwg.org/#error-mode>
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EncodeMode {
    /// An error ends the encoding.
    Fatal,
    /// An error becomes a decimal character reference.
    Html,
}

/// An item of an output: scalar values for decoders, bytes for encoders.
///
/// Each has its own type of error modes, so the standard's assertions about the mode hold by type.
pub trait OutputItem: Copy {
    /// The error modes for outputs of this kind.
    type ErrorMode: Copy;

    /// Performs step 7 of "process an item". Returns false for "return result".
    fn push_error(output: &mut IoQueue<Self>, code_point: Option<char>, mode: Self::ErrorMode) -> bool;
}

impl OutputItem for char {
    type ErrorMode = Mode;

    fn push_error(output: &mut IoQueue<char>, _code_point: Option<char>, mode: Mode) -> bool {
        match mode {
            Mode::Replacement => output.push(Item::Value('\u{FFFD}')),
            Mode::Fatal => return false,
        }
        true
    }
}

impl OutputItem for u8 {
    type ErrorMode = EncodeMode;

    fn push_error(output: &mut IoQueue<u8>, code_point: Option<char>, mode: EncodeMode) -> bool {
        match mode {
            EncodeMode::Html => {
                let code_point = code_point.expect("errors of encoders have a code point");
                let mut reference = String::new();
                let _ = write!(reference, "&#{};", u32::from(code_point));
                output.push_sequence(reference.as_bytes());
            }
            EncodeMode::Fatal => return false,
        }
        true
    }
}

/// "Process a queue". The result is `Finished` or `Error`.
///
/// <https://encoding.spec.whatwg.org/#concept-encoding-run>
pub fn process_a_queue<From: Copy, To: OutputItem>(
    encoder_decoder: &mut dyn Handler<From, To>,
    input: &mut IoQueue<From>,
    output: &mut IoQueue<To>,
    mode: To::ErrorMode,
) -> HandlerResult<To> {
    loop {
        let item = input.read();
        let result = process_an_item(item, encoder_decoder, input, output, mode); // 1.1.
        if !matches!(result, HandlerResult::Continue) {
            return result; // 1.2.
        }
    }
}

/// "Process an item". The result is `Finished`, `Error` or `Continue`.
///
/// <https://encoding.spec.whatwg.org/#concept-encoding-process>
pub fn process_an_item<From: Copy, To: OutputItem>(
    item: Item<From>,
    encoder_decoder: &mut dyn Handler<From, To>,
    input: &mut IoQueue<From>,
    output: &mut IoQueue<To>,
    mode: To::ErrorMode,
) -> HandlerResult<To> {
    // 1. to 3. The assertions hold by the types of `mode` and `item`. A `char` is never a surrogate.
    let result = encoder_decoder.handler(input, item); // 4.
    match result {
        HandlerResult::Finished => {
            output.push(Item::EndOfQueue); // 5.1.
            return result; // 5.2.
        }
        HandlerResult::Items(items) => output.push_sequence(items.as_slice()), // 6.2. (6.1. holds by the type)
        HandlerResult::Error(code_point) => {
            if !To::push_error(output, code_point, mode) {
                return result; // 7. "fatal"
            }
        }
        HandlerResult::Continue => {}
    }
    HandlerResult::Continue // 8.
}
