//! The WebAssembly module of the npm package `textcodec`: the library behind functions of numbers alone.
//!
//! Text and bytes cross in buffers of this module's memory that are used again by each call: [`input`] and [`units`]
//! make room for what comes in; a call leaves its result in one of the buffers whose addresses [`input`], [`text`],
//! [`bytes`] and [`spans`] tell. All are asked for again after each call, because a buffer that grows may move.
//!
//! Encodings are numbers: places in [`Encoding::ALL`].

use std::{cell::RefCell, mem::ManuallyDrop};

use textcodec::{
    Bom, DecodeOptions, DecodeStatus, EncodeError, EncodeStatus, Encoder, Encoding, Malformed, Unmappable,
    WINDOWS_1252, hooks, utf,
    web::{TextDecoder, TextDecoderOptions, TextEncoder},
};
use wasm_bindgen::prelude::wasm_bindgen;

mod slots;

use slots::Slots;

/// The answer of a decoder that has met malformed bytes in error mode "fatal".
const MALFORMED: i32 = -1;

/// What a result of decoding lies in: the two lowest bits of the answer. Its length is above them.
#[derive(Clone, Copy)]
enum Place {
    /// Code units, at [`text`].
    Text = 0,
    /// Code units below U+0100, one byte each, at [`bytes`].
    Bytes = 1,
    /// ASCII: the input itself.
    Input = 2,
}

struct Module {
    input: Vec<u8>,
    units: Vec<u16>,
    text: Vec<u16>,
    output: Output,
    utf8: Vec<u8>,
    /// Three numbers an error: where its bytes start, where they end, and where its U+FFFD is in the text.
    spans: Vec<u32>,
    /// For whole inputs: those that have been used, by encoding, and by flags.
    whole_decoders: Vec<[Option<TextDecoder>; 4]>,
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
    /// Without a destructor, whose registration would be more code than there is to gain: the module's memory ends with
    /// it.
    static MODULE: ManuallyDrop<RefCell<Module>> = const { ManuallyDrop::new(RefCell::new(Module::new())) };
}

fn with<R>(act: impl FnOnce(&mut Module) -> R) -> R {
    MODULE.with(|module| act(&mut module.borrow_mut()))
}

fn encoding(number: u32) -> Encoding {
    Encoding::ALL[number as usize]
}

/// Room for `len` bytes of input; where it is.
#[wasm_bindgen]
pub fn input(len: usize) -> *const u8 {
    with(|module| room(&mut module.input, len))
}

/// Room for `len` code units of input; where it is.
#[wasm_bindgen]
pub fn units(len: usize) -> *const u16 {
    with(|module| room(&mut module.units, len))
}

/// Where decoded text is.
#[wasm_bindgen]
pub fn text() -> *const u16 {
    with(|module| module.text.as_ptr())
}

/// Where encoded bytes are.
#[wasm_bindgen]
pub fn bytes() -> *const u8 {
    with(|module| module.output.bytes.as_ptr())
}

/// Where the result of [`latin1_as_utf8`] is.
#[wasm_bindgen]
pub fn utf8() -> *const u8 {
    with(|module| module.utf8.as_ptr())
}

/// Brings the first `len` bytes at [`bytes`], each a code point, to UTF-8; how many bytes that is.
#[wasm_bindgen]
pub fn latin1_as_utf8(len: usize) -> usize {
    with(|module| {
        room(&mut module.utf8, 2 * len);
        utf::latin1_to_utf8(&module.output.bytes[..len], &mut module.utf8).written
    })
}

/// Where the errors of [`report`] are.
#[wasm_bindgen]
pub fn spans() -> *const u32 {
    with(|module| module.spans.as_ptr())
}

fn room<T: Copy + Default>(buffer: &mut Vec<T>, len: usize) -> *const T {
    if buffer.len() < len {
        buffer.resize(len.next_power_of_two(), T::default());
    }
    buffer.as_ptr()
}

/// All encodings with their labels, at [`bytes`]: a line each, the name first, with spaces between. How many bytes.
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

/// Decodes the first `len` bytes of the input as `TextDecoder` does without `stream`; bit 0 of `flags` is `fatal`, bit
/// 1 `ignoreBOM`. The answer is how long the text is, times four, plus its place; or -1.
#[wasm_bindgen]
pub fn decode(number: u32, flags: u32, len: usize) -> i32 {
    with(|module| {
        let input = &module.input[..len];
        if encoding(number).is_ascii_compatible() && utf::ascii_valid_up_to(input) == len {
            return answer(len, Place::Input);
        }
        if encoding(number) == WINDOWS_1252 && !input.iter().any(|byte| (0x80..0xA0).contains(byte)) {
            // These bytes are their own code points.
            room(&mut module.output.bytes, len);
            module.output.bytes[..len].copy_from_slice(input);
            return answer(len, Place::Bytes);
        }
        let place = number as usize;
        if module.whole_decoders.len() <= place {
            module.whole_decoders.resize_with(place + 1, Default::default);
        }
        let decoder = module.whole_decoders[place][flags as usize & 3].get_or_insert_with(|| decoder(number, flags));
        run(decoder, input, false, &mut module.text, &mut module.output.bytes)
    })
}

/// A decoder for chunks; what stands for it in [`decode_chunk`] and [`close_decoder`].
#[wasm_bindgen]
pub fn open_decoder(number: u32, flags: u32) -> u32 {
    with(|module| module.decoders.put(decoder(number, flags)))
}

/// [`decode`] with `stream`, or at the end without it.
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

/// Callers do not ask for replacement, nor for an encoder of UTF-16 where the standard has none. Without the error in
/// the message, because the code that would write it is larger than all of this file.
fn no_such_codec() -> ! {
    panic!("no such codec")
}

fn run(decoder: &mut TextDecoder, input: &[u8], stream: bool, text: &mut Vec<u16>, bytes: &mut Vec<u8>) -> i32 {
    text.clear();
    match decoder.decode_to_utf16_into(input, stream, text) {
        Ok(()) => shrink(text, bytes),
        Err(_) => MALFORMED,
    }
}

/// Text that fits into bytes is moved there.
fn shrink(text: &[u16], bytes: &mut Vec<u8>) -> i32 {
    if text.iter().fold(0, |all, unit| all | unit) >= 0x100 {
        return answer(text.len(), Place::Text);
    }
    room(bytes, text.len());
    let progress = utf::utf16_to_latin1(text, bytes);
    answer(progress.written, Place::Bytes)
}

/// JavaScript hands over pieces of a few MiB at most.
fn answer(len: usize, place: Place) -> i32 {
    (len << 2 | place as usize).cast_signed() as i32
}

/// What to do about unmappable characters is a number, too: the code point of a replacement, or one of these.
const FAIL: u32 = 0x11_0000;
const HTML: u32 = 0x11_0001;
const SKIP: u32 = 0x11_0002;
const REPORT: u32 = 0x11_0003;
/// The hook *encode or fail*.
const HOOK: u32 = 0x11_0004;

fn unmappable(number: u32) -> Unmappable {
    match number {
        HTML => Unmappable::Html,
        SKIP => Unmappable::Skip,
        REPORT | HOOK => Unmappable::Report,
        FAIL => Unmappable::Fail,
        character => char::from_u32(character).map_or(Unmappable::Fail, Unmappable::Replace),
    }
}

fn encoder(number: u32, what: u32) -> Encoder {
    let encoder = match what {
        HOOK => hooks::get_an_encoder(encoding(number)),
        _ => encoding(number).encoder_with(unmappable(what)),
    };
    let Ok(encoder) = encoder else { no_such_codec() };
    encoder
}

/// Encodes the first `len` code units; the bytes are at [`bytes`], the answer is how many. [`unmappable_character`]
/// says whether an unmappable one has stopped it.
#[wasm_bindgen]
pub fn encode(number: u32, what: u32, len: usize) -> usize {
    with(|module| {
        let place = number as usize;
        if module.whole_encoders.len() <= place {
            module.whole_encoders.resize_with(place + 1, Default::default);
        }
        let encoder = module.whole_encoders[place].get_or_insert_with(|| encoder(number, what));
        encoder.reset();
        encoder.set_unmappable(unmappable(what));
        module.output.run(encoder, &module.units[..len], true)
    })
}

/// An encoder for chunks; what stands for it in [`encode_chunk`] and [`close_encoder`].
#[wasm_bindgen]
pub fn open_encoder(number: u32, what: u32) -> u32 {
    with(|module| module.encoders.put(encoder(number, what)))
}

/// Encodes the code units from `start` to `end`; with `last`, they are the text's last.
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

/// The code point that has stopped the last call of an encoder, or -1.
#[wasm_bindgen]
pub fn unmappable_character() -> i32 {
    with(|module| module.output.unmappable.map_or(-1, |character| u32::from(character).cast_signed()))
}

/// How many code units the last call of an encoder has read.
#[wasm_bindgen]
pub fn units_read() -> usize {
    with(|module| module.output.read)
}

/// What an encoder leaves; the bytes are also text that fits into them.
struct Output {
    bytes: Vec<u8>,
    /// How many code units are read.
    read: usize,
    /// The character that has stopped the encoder.
    unmappable: Option<char>,
}

impl Output {
    /// How many bytes are written.
    fn run(&mut self, encoder: &mut Encoder, units: &[u16], last: bool) -> usize {
        (self.read, self.unmappable) = (0, None);
        let mut written = 0;
        // Most characters are two bytes, and few texts have many that are more.
        room(&mut self.bytes, units.len() * 2 + 64);
        loop {
            let progress = encoder.encode_from_utf16(&units[self.read..], &mut self.bytes[written..], last);
            self.read += progress.read;
            written += progress.written;
            match progress.status {
                EncodeStatus::InputEmpty => return written,
                EncodeStatus::OutputFull => {
                    let more = self.bytes.len() + 1;
                    room(&mut self.bytes, more);
                }
                EncodeStatus::Unmappable(error) => {
                    self.unmappable = answered(&error);
                    return written;
                }
            }
        }
    }
}

/// The code point that the standard's error has: for three characters in ISO-2022-JP it is U+FFFD.
fn answered(error: &EncodeError) -> Option<char> {
    match error {
        EncodeError::Unmappable { code_point, .. } => Some(*code_point),
        _ => None,
    }
}

/// `TextEncoder.encodeInto`: encodes the first `len` code units to UTF-8 into `room` bytes at [`bytes`]; the answer is
/// how many bytes are written, [`units_read`] says how many code units are read.
#[wasm_bindgen]
pub fn encode_into(len: usize, room: usize) -> usize {
    with(|module| {
        self::room(&mut module.output.bytes, room);
        let result = TextEncoder.encode_into(&module.units[..len], &mut module.output.bytes[..room]);
        module.output.read = result.read;
        result.written
    })
}

/// Decodes the first `len` bytes of the input with U+FFFD for errors, and lists the first `limit` of them at [`spans`].
/// `bom` says what a byte order mark is: 0 none of the text if it is the encoding's own, 1 text. The answer is as
/// [`decode`]'s; [`spans_len`] says how many errors are listed.
#[wasm_bindgen]
pub fn report(number: u32, bom: u32, len: usize, limit: usize) -> i32 {
    with(|module| {
        let bom = if bom == 0 { Bom::StripOwn } else { Bom::Keep };
        let mut decoder = encoding(number).decoder_with(DecodeOptions::new().bom(bom).malformed(Malformed::Report));
        module.spans.clear();
        module.text.clear();
        let mut rest = &module.input[..len];
        // As many code units as bytes at most, and what an error or the end may add.
        module.text.resize(len + 16, 0);
        let mut written = 0;
        loop {
            let progress = decoder.decode_to_utf16(rest, &mut module.text[written..], true);
            rest = &rest[progress.read..];
            written += progress.written;
            match progress.status {
                DecodeStatus::InputEmpty => break,
                DecodeStatus::OutputFull => module.text.resize(written * 2 + 16, 0),
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
            }
        }
        module.text.truncate(written);
        shrink(&module.text, &mut module.output.bytes)
    })
}

/// How many errors [`report`] has listed.
#[wasm_bindgen]
pub fn spans_len() -> usize {
    with(|module| module.spans.len() / 3)
}
