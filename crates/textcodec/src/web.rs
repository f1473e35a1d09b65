//! Section 7 of the standard without JavaScript: `TextDecoder`, `TextEncoder` and the two stream transforms, with its
//! errors as types. Bindings to an engine stand on this; in Rust, [`Decoder`] and
//! [`Encoder`] say more.

use alloc::{string::String, vec::Vec};
use core::{error::Error, fmt};

use crate::{
    Bom, DecodeOptions, DecodeTarget, Decoder, Encoder, Encoding, Malformed, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE,
    kernel::{Kernels, Out},
};

/// JavaScript's `RangeError`: the label is unknown, or one of `replacement`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RangeError(());

impl fmt::Display for RangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the label is no label of an encoding that can be decoded")
    }
}

impl Error for RangeError {}

/// JavaScript's `TypeError`: the bytes are malformed, and the error mode is "fatal".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeError(());

impl fmt::Display for TypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the encoded data was not valid")
    }
}

impl Error for TypeError {}

/// [`TextDecoderOptions`](https://encoding.spec.whatwg.org/#textdecoderoptions).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextDecoderOptions {
    /// Malformed bytes are a [`TypeError`] instead of U+FFFD.
    pub fatal: bool,
    /// A byte order mark is U+FEFF instead of nothing.
    pub ignore_bom: bool,
}

/// [`TextDecoder`](https://encoding.spec.whatwg.org/#interface-textdecoder).
///
/// ```
/// use textcodec::web::TextDecoder;
///
/// let mut decoder = TextDecoder::new("utf-8", Default::default())?;
/// let text = decoder.decode(b"\xF0\x9F", true)? + &decoder.decode(b"\x98\x80", false)?;
/// assert_eq!(text, "😀");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TextDecoder {
    encoding: Encoding,
    options: TextDecoderOptions,
    decoder: Decoder,
    /// What a fatal error left unread is in the I/O queue when the next call begins: `queue` from `queue_start` on. Bytes
    /// that a handler restored are the decoder's own.
    queue: Vec<u8>,
    queue_start: usize,
    bom_seen: bool,
    do_not_flush: bool,
}

impl TextDecoder {
    /// The constructor.
    ///
    /// # Errors
    /// [`RangeError`] where `label` is no label, or one of `replacement`.
    ///
    /// ```
    /// assert!(textcodec::web::TextDecoder::new("iso-2022-kr", Default::default()).is_err());
    /// ```
    pub fn new(label: &str, options: TextDecoderOptions) -> Result<Self, RangeError> {
        let encoding = Encoding::for_label(label).filter(|&encoding| encoding != REPLACEMENT).ok_or(RangeError(()))?;
        // The byte order mark is this class's own affair: it goes when text is serialized.
        let malformed = if options.fatal { Malformed::Report } else { Malformed::Replace };
        let decoder = encoding.decoder_with(DecodeOptions::new().bom(Bom::Keep).malformed(malformed));
        Ok(Self { encoding, options, decoder, queue: Vec::new(), queue_start: 0, bom_seen: false, do_not_flush: false })
    }

    /// The `encoding` getter: the name in lower case.
    ///
    /// ```
    /// let decoder = textcodec::web::TextDecoder::new("sjis", Default::default())?;
    /// assert_eq!(decoder.encoding(), "shift_jis");
    /// # Ok::<(), textcodec::web::RangeError>(())
    /// ```
    #[must_use]
    pub fn encoding(&self) -> &'static str {
        // The standard notes that the name in lower case is one of the labels.
        let name = self.encoding.name();
        self.encoding.labels().iter().find(|label| label.eq_ignore_ascii_case(name)).copied().unwrap_or(name)
    }

    /// The `fatal` getter.
    #[must_use]
    pub fn fatal(&self) -> bool {
        self.options.fatal
    }

    /// The `ignoreBOM` getter.
    #[must_use]
    pub fn ignore_bom(&self) -> bool {
        self.options.ignore_bom
    }

    /// The `decode` method; `stream` is the option of that name. No input is the empty one.
    ///
    /// # Errors
    /// [`TypeError`] for malformed bytes where [`fatal`](Self::fatal) is set. The text of this call before them is gone. Where
    /// `stream` was set, the bytes after them stay in the queue, and the next call decodes them first, as the standard's
    /// steps have it; otherwise the next call starts anew.
    pub fn decode(&mut self, input: &[u8], stream: bool) -> Result<String, TypeError> {
        self.decode_to(input, stream)
    }

    /// [`decode`](Self::decode) to UTF-16 in the machine's byte order: what a JavaScript string is made of.
    ///
    /// # Errors
    /// As for [`decode`](Self::decode).
    ///
    /// ```
    /// let mut decoder = textcodec::web::TextDecoder::new("gbk", Default::default())?;
    /// assert_eq!(decoder.decode_to_utf16(b"\xC4\xE3", false)?, [0x4F60]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decode_to_utf16(&mut self, input: &[u8], stream: bool) -> Result<Vec<u16>, TypeError> {
        self.decode_to(input, stream)
    }

    fn decode_to<T: DecodeTarget + Default>(&mut self, input: &[u8], stream: bool) -> Result<T, TypeError> {
        if !self.do_not_flush {
            self.decoder.reset(); // 1.
            self.queue.clear();
            self.queue_start = 0;
            self.bom_seen = false;
        }
        self.do_not_flush = stream; // 2.
        if self.queue.is_empty() {
            return self.process(input, stream).map_err(|read| {
                self.queue = input[read..].to_vec();
                TypeError(())
            });
        }
        self.queue.extend_from_slice(input); // 3.
        let queue = core::mem::take(&mut self.queue);
        let output = self.process(&queue[self.queue_start..], stream);
        output.inspect(|_| self.queue_start = 0).map_err(|read| {
            self.queue = queue;
            self.queue_start += read;
            TypeError(())
        })
    }

    /// Steps 4 and 5. An error says how much of `input` is read.
    fn process<T: DecodeTarget + Default>(&mut self, input: &[u8], stream: bool) -> Result<T, usize> {
        let mut output = T::default(); // 4.
        let start = self.decoder.position();
        let mut rest = input;
        let drops_bom = matches!(self.encoding, UTF_8 | UTF_16BE | UTF_16LE) && !self.options.ignore_bom;
        let mut bom_seen = self.bom_seen;
        let result = 'decoding: {
            if drops_bom && !bom_seen {
                // *Serialize I/O queue* looks at the first item, so that comes alone.
                while let ([first, behind @ ..], true) = (rest, output.is_empty()) {
                    rest = behind;
                    if let Err(error) = self.decoder.push(&[*first], &mut output) {
                        break 'decoding Err(error);
                    }
                }
                bom_seen = !output.is_empty();
                if output.is_bom() {
                    output.clear();
                }
            }
            self.decoder.grow(rest, &mut output, !stream)
        };
        match result {
            Ok(()) => {
                // Only a call that serializes has seen it: one that fails throws its output away.
                self.bom_seen = bom_seen;
                Ok(output)
            }
            Err(_) => Err((self.decoder.position() - start) as usize),
        }
    }
}

/// [`TextEncoder`](https://encoding.spec.whatwg.org/#interface-textencoder).
///
/// ```
/// assert_eq!(textcodec::web::TextEncoder.encode(&[0x41, 0xDC00]), b"A\xEF\xBF\xBD");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct TextEncoder;

/// [`TextEncoderEncodeIntoResult`](https://encoding.spec.whatwg.org/#dictdef-textencoderencodeintoresult).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EncodeIntoResult {
    /// Code units of the source.
    pub read: usize,
    /// Bytes of the destination.
    pub written: usize,
}

impl TextEncoder {
    /// The `encoding` getter.
    #[must_use]
    pub fn encoding(self) -> &'static str {
        "utf-8"
    }

    /// The `encode` method. Surrogates without their other half become U+FFFD, as in a `USVString`.
    #[must_use]
    pub fn encode(self, input: &[u16]) -> Vec<u8> {
        // The UTF-8 encoder cannot return an error.
        UTF_8.encode_utf16(input, crate::Unmappable::Skip).map(|encoded| encoded.bytes.into_owned()).unwrap_or_default()
    }

    /// The `encodeInto` method: writes as many whole characters as fit.
    ///
    /// ```
    /// use textcodec::web::{EncodeIntoResult, TextEncoder};
    ///
    /// let mut destination = [0; 4];
    /// let source: Vec<u16> = "aé€".encode_utf16().collect();
    /// let result = TextEncoder.encode_into(&source, &mut destination);
    /// assert_eq!(result, EncodeIntoResult { read: 2, written: 3 });
    /// ```
    pub fn encode_into(self, source: &[u16], destination: &mut [u8]) -> EncodeIntoResult {
        let mut out = Out::new(destination);
        let mut read = 0;
        loop {
            read += (Kernels::best().utf16_to_utf8)(&source[read..], &mut out);
            let Some(next) = char::decode_utf16(source[read..].iter().copied()).next() else { break };
            let character = next.unwrap_or(char::REPLACEMENT_CHARACTER);
            if !out.extend(character.encode_utf8(&mut [0; 4]).as_bytes()) {
                break;
            }
            // U+FFFD stands for one surrogate, and has one code unit itself.
            read += character.len_utf16();
        }
        EncodeIntoResult { read, written: out.filled() }
    }
}

/// [`TextDecoderStream`](https://encoding.spec.whatwg.org/#interface-textdecoderstream): what happens to each chunk.
///
/// ```
/// use textcodec::web::TextDecoderStream;
///
/// let mut stream = TextDecoderStream::new("utf-8", Default::default())?;
/// assert_eq!(stream.decode_and_enqueue_a_chunk(b"\xC3")?, None);
/// assert_eq!(stream.flush_and_enqueue()?, Some("\u{FFFD}".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TextDecoderStream(TextDecoder);

impl TextDecoderStream {
    /// The constructor.
    ///
    /// # Errors
    /// As for [`TextDecoder::new`].
    pub fn new(label: &str, options: TextDecoderOptions) -> Result<Self, RangeError> {
        TextDecoder::new(label, options).map(Self)
    }

    /// The `encoding`, `fatal` and `ignoreBOM` getters.
    #[must_use]
    pub fn common(&self) -> &TextDecoder {
        &self.0
    }

    /// [Decode and enqueue a chunk](https://encoding.spec.whatwg.org/#decode-and-enqueue-a-chunk): the chunk to enqueue, if
    /// there is one.
    ///
    /// # Errors
    /// [`TypeError`] for malformed bytes where `fatal` is set: both sides of the stream are to be errored.
    pub fn decode_and_enqueue_a_chunk(&mut self, chunk: &[u8]) -> Result<Option<String>, TypeError> {
        Ok(Some(self.0.decode(chunk, true)?).filter(|output| !output.is_empty()))
    }

    /// [`decode_and_enqueue_a_chunk`](Self::decode_and_enqueue_a_chunk) to UTF-16.
    ///
    /// # Errors
    /// The same.
    pub fn decode_and_enqueue_a_chunk_to_utf16(&mut self, chunk: &[u8]) -> Result<Option<Vec<u16>>, TypeError> {
        Ok(Some(self.0.decode_to_utf16(chunk, true)?).filter(|output| !output.is_empty()))
    }

    /// [Flush and enqueue](https://encoding.spec.whatwg.org/#flush-and-enqueue).
    ///
    /// # Errors
    /// [`TypeError`] where the input ends within a character and `fatal` is set.
    pub fn flush_and_enqueue(mut self) -> Result<Option<String>, TypeError> {
        Ok(Some(self.0.decode(&[], false)?).filter(|output| !output.is_empty()))
    }

    /// [`flush_and_enqueue`](Self::flush_and_enqueue) to UTF-16.
    ///
    /// # Errors
    /// The same.
    pub fn flush_and_enqueue_to_utf16(mut self) -> Result<Option<Vec<u16>>, TypeError> {
        Ok(Some(self.0.decode_to_utf16(&[], false)?).filter(|output| !output.is_empty()))
    }
}

/// [`TextEncoderStream`](https://encoding.spec.whatwg.org/#interface-textencoderstream): what happens to each chunk.
///
/// ```
/// use textcodec::web::TextEncoderStream;
///
/// let mut stream = TextEncoderStream::default();
/// assert_eq!(stream.encode_and_enqueue_a_chunk(&[0xD83D]), None);
/// assert_eq!(stream.encode_and_enqueue_a_chunk(&[0xDE00]), Some("😀".into()));
/// assert_eq!(stream.encode_and_flush(), None);
/// ```
#[derive(Clone, Debug)]
pub struct TextEncoderStream(Encoder);

impl Default for TextEncoderStream {
    fn default() -> Self {
        Self(Encoder::utf_8())
    }
}

impl TextEncoderStream {
    /// [Encode and enqueue a chunk](https://encoding.spec.whatwg.org/#encode-and-enqueue-a-chunk): the chunk to enqueue, if
    /// there is one. Half a surrogate pair at the end waits for the next chunk.
    pub fn encode_and_enqueue_a_chunk(&mut self, chunk: &[u16]) -> Option<Vec<u8>> {
        self.grow(chunk, false)
    }

    /// [Encode and flush](https://encoding.spec.whatwg.org/#encode-and-flush).
    #[must_use]
    pub fn encode_and_flush(mut self) -> Option<Vec<u8>> {
        self.grow(&[], true)
    }

    fn grow(&mut self, chunk: &[u16], last: bool) -> Option<Vec<u8>> {
        let mut output = Vec::new();
        // The UTF-8 encoder cannot return an error.
        let _ = self.0.grow(chunk, &mut output, last);
        Some(output).filter(|output| !output.is_empty())
    }
}
