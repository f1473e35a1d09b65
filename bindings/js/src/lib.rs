//! The WebAssembly module of the npm package `textcodec`. Its functions take and return only numbers.
//!
//! Text and bytes cross the boundary in buffers of this module's memory, which every call reuses. [`input`] and [`units`]
//! reserve space for the input. A call leaves its result in one of the buffers whose addresses [`input`], [`text`],
//! [`bytes`] and [`spans`] return. Callers read the addresses again after each call, because a buffer that grows may
//! move.
//!
//! Encodings are numbers: indexes into [`Encoding::ALL`].

use std::{cell::RefCell, mem::ManuallyDrop};

use textcodec::{
    Bom, DecodeOptions, DecodeStatus, EncodeStatus, Encoder, Encoding, Malformed, Unmappable, WINDOWS_1252, hooks, utf,
};
use textcodec_web::{TextDecoder, TextDecoderOptions, TextEncoder};
use wasm_bindgen::prelude::wasm_bindgen;

mod slots;

use slots::Slots;

/// Returned by decoders in error mode "fatal" when the input is malformed.
const MALFORMED: i32 = -1;

/// The form of decoded text, in the two lowest bits of a return value. The higher bits are its length.
#[derive(Clone, Copy)]
enum TextForm {
    /// Code units, at [`text`].
    Utf16 = 0,
    /// Code units below U+0100, one byte each, at [`bytes`].
    Latin1 = 1,
    /// ASCII: the bytes at [`input`] are the text.
    Ascii = 2,
}

struct Module {
    input: Vec<u8>,
    units: Vec<u16>,
    text: Vec<u16>,
    output: Output,
    utf8: Vec<u8>,
    /// Three numbers per error: the offsets of its first byte and one past its last byte, and the index of its U+FFFD
    /// in the text.
    spans: Vec<u32>,
    /// Decoders for whole inputs, created on first use, by encoding and flags.
    whole_decoders: Vec<[Option<TextDecoder>; 4]>,
    /// Encoders for whole inputs, created on first use, by encoding.
    whole_encoders: Vec<Option<Encoder>>,
    decoders: Slots<TextDecoder>,
    encoders: Slots<Encoder>,
}

impl Module {
    const fn new() -> Self {
        Self {
            input: Vec::new(),
            units: Vec::new(),
            text: Vec::new(),
            output: Output { bytes: Vec::new(), read: 0, unmappable: None },
            utf8: Vec::new(),
            spans: Vec::new(),
            whole_decoders: Vec::new(),
            whole_encoders: Vec::new(),
            decoders: Slots::new(),
            encoders: Slots::new(),
        }
    }
}

thread_local! {
    /// `ManuallyDrop` because registering a destructor costs code, and the module's memory is freed as a whole.
    static MODULE: ManuallyDrop<RefCell<Module>> = const { ManuallyDrop::new(RefCell::new(Module::new())) };
}

fn with<R>(act: impl FnOnce(&mut Module) -> R) -> R {
    MODULE.with(|module| act(&mut module.borrow_mut()))
}

fn encoding(number: u32) -> Encoding {
    Encoding::ALL[number as usize]
}

/// Reserves space for `len` bytes of input and returns its address.
#[wasm_bindgen]
pub fn input(len: usize) -> *const u8 {
    with(|module| reserve(&mut module.input, len))
}

/// Reserves space for `len` code units of input and returns its address.
#[wasm_bindgen]
pub fn units(len: usize) -> *const u16 {
    with(|module| reserve(&mut module.units, len))
}

/// Returns the address of decoded text.
#[wasm_bindgen]
pub fn text() -> *const u16 {
    with(|module| module.text.as_ptr())
}

/// Returns the address of encoded bytes.
#[wasm_bindgen]
pub fn bytes() -> *const u8 {
    with(|module| module.output.bytes.as_ptr())
}

/// Returns the address of the result of [`latin1_as_utf8`].
#[wasm_bindgen]
pub fn utf8() -> *const u8 {
    with(|module| module.utf8.as_ptr())
}

/// Converts the first `len` bytes at [`bytes`] from Latin-1 to UTF-8. Returns the length of the result.
#[wasm_bindgen]
pub fn latin1_as_utf8(len: usize) -> usize {
    with(|module| {
        reserve(&mut module.utf8, 2 * len);
        utf::latin1_to_utf8(&module.output.bytes[..len], &mut module.utf8).written
    })
}

/// Returns the address of the errors that [`report`] listed.
#[wasm_bindgen]
pub fn spans() -> *const u32 {
    with(|module| module.spans.as_ptr())
}

/// Grows a buffer to at least `len` elements and returns its address.
fn reserve<T: Copy + Default>(buffer: &mut Vec<T>, len: usize) -> *const T {
    if buffer.len() < len {
        buffer.resize(len.next_power_of_two(), T::default());
    }
    buffer.as_ptr()
}

/// Writes all encodings with their labels to [`bytes`] and returns the length. Each encoding is a line: the name, then
/// the labels, separated by spaces.
#[wasm_bindgen]
pub fn labels() -> usize {
    with(|module| {
        module.output.bytes.clear();
        for encoding in Encoding::ALL {
            module.output.bytes.extend_from_slice(encoding.name().as_bytes());
            for label in encoding.labels() {
                module.output.bytes.push(b' ');
                module.output.bytes.extend_from_slice(label.as_bytes());
            }
            module.output.bytes.push(b'\n');
        }
        module.output.bytes.len()
    })
}

/// Decodes the first `len` bytes of the input as `TextDecoder` does without `stream`. Bit 0 of `flags` is `fatal`, bit 1
/// is `ignoreBOM`. Returns the length of the text times four, plus its [`TextForm`], or -1 if `fatal` is set and the
/// input is malformed.
#[wasm_bindgen]
pub fn decode(number: u32, flags: u32, len: usize) -> i32 {
    with(|module| {
        let input = &module.input[..len];
        if encoding(number).is_ascii_compatible() && utf::ascii_valid_up_to(input) == len {
            return text_at(len, TextForm::Ascii);
        }
        if encoding(number) == WINDOWS_1252 && !input.iter().any(|byte| (0x80..0xA0).contains(byte)) {
            // Each of these bytes decodes to the code point of the same value.
            reserve(&mut module.output.bytes, len);
            module.output.bytes[..len].copy_from_slice(input);
            return text_at(len, TextForm::Latin1);
        }
        let index = number as usize;
        if module.whole_decoders.len() <= index {
            module.whole_decoders.resize_with(index + 1, Default::default);
        }
        let decoder = module.whole_decoders[index][flags as usize & 3].get_or_insert_with(|| decoder(number, flags));
        run(decoder, input, false, &mut module.text, &mut module.output.bytes)
    })
}

/// Creates a decoder for chunks. Returns its handle, for [`decode_chunk`] and [`close_decoder`].
#[wasm_bindgen]
pub fn open_decoder(number: u32, flags: u32) -> u32 {
    with(|module| module.decoders.put(decoder(number, flags)))
}

/// Decodes the next chunk. `stream` is false for the last one. Returns what [`decode`] returns.
#[wasm_bindgen]
pub fn decode_chunk(handle: u32, len: usize, stream: bool) -> i32 {
    with(|module| {
        let input = &module.input[..len];
        run(module.decoders.get(handle), input, stream, &mut module.text, &mut module.output.bytes)
    })
}

/// Frees a decoder.
#[wasm_bindgen]
pub fn close_decoder(handle: u32) {
    with(|module| module.decoders.take(handle));
}

fn decoder(number: u32, flags: u32) -> TextDecoder {
    let options = TextDecoderOptions { fatal: flags & 1 != 0, ignore_bom: flags & 2 != 0 };
    let Ok(decoder) = TextDecoder::new(encoding(number).name(), options) else { no_such_codec() };
    decoder
}

/// Panics. Unreachable, because callers never ask for a decoder or encoder that does not exist: one of `replacement`, or
/// the standard's encoder of UTF-16. The message omits the error because the code that formats it would be larger than
/// the rest of this file.
fn no_such_codec() -> ! {
    panic!("no such codec")
}

fn run(decoder: &mut TextDecoder, input: &[u8], stream: bool, text: &mut Vec<u16>, bytes: &mut Vec<u8>) -> i32 {
    text.clear();
    match decoder.decode_to_utf16_into(input, stream, text) {
        Ok(()) => narrow(text, bytes),
        Err(_) => MALFORMED,
    }
}

/// Copies text to `bytes` if all its code units are below U+0100.
fn narrow(text: &[u16], bytes: &mut Vec<u8>) -> i32 {
    if text.iter().fold(0, |all, unit| all | unit) >= 0x100 {
        return text_at(text.len(), TextForm::Utf16);
    }
    reserve(bytes, text.len());
    let progress = utf::utf16_to_latin1(text, bytes);
    text_at(progress.written, TextForm::Latin1)
}

/// Packs the length and form of text into a return value. `len < 1 << 29`: JavaScript passes at most 2^28 bytes at once.
fn text_at(len: usize, form: TextForm) -> i32 {
    (len << 2 | form as usize).cast_signed() as i32
}

/// Policies for unmappable characters. Any smaller number is the code point of a replacement.
const FAIL: u32 = 0x11_0000;
const HTML: u32 = 0x11_0001;
const SKIP: u32 = 0x11_0002;
const REPORT: u32 = 0x11_0003;
/// The hook *encode or fail*.
const HOOK: u32 = 0x11_0004;

fn unmappable(policy: u32) -> Unmappable {
    match policy {
        HTML => Unmappable::Html,
        SKIP => Unmappable::Skip,
        REPORT | HOOK => Unmappable::Pause,
        FAIL => Unmappable::Fail,
        character => char::from_u32(character).map_or(Unmappable::Fail, Unmappable::Replace),
    }
}

/// Creates an encoder. With a replacement that is unmappable itself, it fails if the text needs it.
fn encoder(number: u32, policy: u32) -> Encoder {
    let encoder = match policy {
        HOOK => hooks::get_an_encoder(encoding(number)),
        _ => encoding(number).encoder_with(unmappable(policy)).or_else(|_| encoding(number).encoder()),
    };
    let Ok(encoder) = encoder else { no_such_codec() };
    encoder
}

/// Encodes the first `len` code units to [`bytes`] and returns the length of the result. [`unmappable_character`] says
/// whether an unmappable character stopped the call.
#[wasm_bindgen]
pub fn encode(number: u32, policy: u32, len: usize) -> usize {
    with(|module| {
        let index = number as usize;
        if module.whole_encoders.len() <= index {
            module.whole_encoders.resize_with(index + 1, Default::default);
        }
        let encoder = module.whole_encoders[index].get_or_insert_with(|| encoder(number, policy));
        encoder.reset();
        if encoder.set_unmappable(unmappable(policy)).is_err() {
            let _ = encoder.set_unmappable(Unmappable::Fail); // Cannot fail: it is no replacement.
        }
        module.output.run(encoder, &module.units[..len], true)
    })
}

/// Creates an encoder for chunks. Returns its handle, for [`encode_chunk`] and [`close_encoder`].
#[wasm_bindgen]
pub fn open_encoder(number: u32, policy: u32) -> u32 {
    with(|module| module.encoders.put(encoder(number, policy)))
}

/// Encodes the code units in `start..end` to [`bytes`] and returns the length of the result. `last` says that no more
/// input follows.
#[wasm_bindgen]
pub fn encode_chunk(handle: u32, start: usize, end: usize, last: bool) -> usize {
    with(|module| {
        let Module { units, output, encoders, .. } = module;
        output.run(encoders.get(handle), &units[start..end], last)
    })
}

/// Frees an encoder.
#[wasm_bindgen]
pub fn close_encoder(handle: u32) {
    with(|module| module.encoders.take(handle));
}

/// Returns the code point that stopped the last call of an encoder, or -1.
#[wasm_bindgen]
pub fn unmappable_character() -> i32 {
    with(|module| module.output.unmappable.map_or(-1, |character| u32::from(character).cast_signed()))
}

/// Returns how many code units the last call of an encoder read.
#[wasm_bindgen]
pub fn units_read() -> usize {
    with(|module| module.output.read)
}

/// The results of an encoder. The decoders also use `bytes`, for text in Latin-1.
struct Output {
    bytes: Vec<u8>,
    /// The number of code units read.
    read: usize,
    /// The character that stopped the encoder.
    unmappable: Option<char>,
}

impl Output {
    /// Encodes `units` and returns the number of bytes written.
    fn run(&mut self, encoder: &mut Encoder, units: &[u16], last: bool) -> usize {
        (self.read, self.unmappable) = (0, None);
        let mut written = 0;
        // Two bytes per code unit are enough for most text.
        reserve(&mut self.bytes, units.len() * 2 + 64);
        loop {
            let progress = encoder.encode_from_utf16(&units[self.read..], &mut self.bytes[written..], last);
            self.read += progress.read;
            written += progress.written;
            match progress.status {
                EncodeStatus::InputEmpty => return written,
                EncodeStatus::Unmappable(error) => {
                    self.unmappable = error.code_point();
                    return written;
                }
                _ => {
                    let more = self.bytes.len() + 1;
                    reserve(&mut self.bytes, more);
                }
            }
        }
    }
}

/// `TextEncoder.encodeInto`: encodes the first `len` code units to UTF-8, into at most `capacity` bytes at [`bytes`].
/// Returns the number of bytes written. [`units_read`] returns the number of code units read.
#[wasm_bindgen]
pub fn encode_into(len: usize, capacity: usize) -> usize {
    with(|module| {
        reserve(&mut module.output.bytes, capacity);
        let result = TextEncoder.encode_into(&module.units[..len], &mut module.output.bytes[..capacity]);
        module.output.read = result.read;
        result.written
    })
}

/// Decodes the first `len` bytes of the input with U+FFFD for errors, and lists the first `limit` errors at [`spans`].
/// `bom` is 0 to remove the encoding's own byte order mark, 1 to keep it. Returns what [`decode`] returns; [`spans_len`]
/// returns how many errors are listed.
#[wasm_bindgen]
pub fn report(number: u32, bom: u32, len: usize, limit: usize) -> i32 {
    with(|module| {
        let bom = if bom == 0 { Bom::StripOwn } else { Bom::Keep };
        let mut decoder = encoding(number).decoder_with(DecodeOptions::new().bom(bom).malformed(Malformed::Pause));
        module.spans.clear();
        module.text.clear();
        let mut rest = &module.input[..len];
        // At most one code unit per byte, and some for an error or the end of the input.
        module.text.resize(len + 16, 0);
        let mut written = 0;
        loop {
            let progress = decoder.decode_to_utf16(rest, &mut module.text[written..], true);
            rest = &rest[progress.read..];
            written += progress.written;
            match progress.status {
                DecodeStatus::InputEmpty => break,
                DecodeStatus::Malformed(error) => {
                    if module.spans.len() / 3 < limit {
                        let range = error.range();
                        module.spans.extend([range.start as u32, range.end as u32, written as u32]);
                    }
                    if module.text.len() < written + 16 {
                        module.text.resize(written * 2 + 16, 0);
                    }
                    module.text[written] = 0xFFFD;
                    written += 1;
                }
                _ => module.text.resize(written * 2 + 16, 0),
            }
        }
        module.text.truncate(written);
        narrow(&module.text, &mut module.output.bytes)
    })
}

/// Returns how many errors [`report`] listed.
#[wasm_bindgen]
pub fn spans_len() -> usize {
    with(|module| module.spans.len() / 3)
}
