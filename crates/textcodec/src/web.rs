//! The API of [section 7](https://encoding.spec.whatwg.org/#api) of the standard in Rust: `TextDecoder`, `TextEncoder` and the
//! stream transforms.
//!
//! This is for bindings to a JavaScript engine. In Rust programs, prefer [`Decoder`] and [`Encoder`], which report more.
//!
//! ```
//! use textcodec::web::{TextDecoder, TextEncoder};
//!
//! let bytes = TextEncoder.encode(&[0x65E5, 0x672C]);
//! assert_eq!(TextDecoder::new("utf-8", Default::default())?.decode(&bytes, false)?, "日本");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use alloc::{string::String, vec::Vec};
use core::{error::Error, fmt, mem::MaybeUninit};

use crate::{
    Bom, DecodeError, DecodeOptions, DecodeTarget, Decoder, Encoder, Encoding, Malformed, REPLACEMENT, UTF_8, UTF_16BE,
    UTF_16LE,
    kernel::{Kernels, Out},
    target::Key,
};

/// JavaScript's `RangeError`: the label is unknown, a label of `replacement`, or a label of an encoding that this build cannot
/// decode ([`Encoding::is_available`]).
///
/// ```
/// use textcodec::web::TextDecoder;
///
/// let error = TextDecoder::new("utf-7", Default::default()).unwrap_err();
/// assert_eq!(error.to_string(), "the label does not name an encoding that can be decoded");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RangeError(());

impl fmt::Display for RangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the label does not name an encoding that can be decoded")
    }
}

impl Error for RangeError {}

/// JavaScript's `TypeError`: the bytes are malformed, and the error mode is "fatal".
///
/// ```
/// use textcodec::web::{TextDecoder, TextDecoderOptions};
///
/// let mut decoder = TextDecoder::new("utf-8", TextDecoderOptions { fatal: true, ignore_bom: false })?;
/// assert_eq!(decoder.decode(b"\xFF", false).unwrap_err().to_string(), "the encoded data was not valid");
/// # Ok::<(), textcodec::web::RangeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeError(());

impl fmt::Display for TypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the encoded data was not valid")
    }
}

impl Error for TypeError {}

/// The options of a [`TextDecoder`]: [`TextDecoderOptions`](https://encoding.spec.whatwg.org/#textdecoderoptions).
///
/// ```
/// use textcodec::web::{TextDecoder, TextDecoderOptions};
///
/// let options = TextDecoderOptions { ignore_bom: true, ..Default::default() };
/// assert_eq!(TextDecoder::new("utf-8", options)?.decode(b"\xEF\xBB\xBFa", false)?, "\u{FEFF}a");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextDecoderOptions {
    /// Whether malformed bytes are a [`TypeError`] instead of U+FFFD.
    pub fatal: bool,
    /// Whether a byte order mark is kept as U+FEFF instead of removed.
    pub ignore_bom: bool,
}

/// A decoder: the class [`TextDecoder`](https://encoding.spec.whatwg.org/#interface-textdecoder).
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
    bom_seen: bool,
    do_not_flush: bool,
}

impl TextDecoder {
    /// Creates a decoder: the [constructor](https://encoding.spec.whatwg.org/#dom-textdecoder).
    ///
    /// # Errors
    /// Returns [`RangeError`] if `label` is not a label, is a label of `replacement`, or is a label of an encoding that this
    /// build cannot decode.
    ///
    /// ```
    /// assert!(textcodec::web::TextDecoder::new("iso-2022-kr", Default::default()).is_err());
    /// ```
    pub fn new(label: &str, options: TextDecoderOptions) -> Result<Self, RangeError> {
        let encoding = Encoding::for_label(label).filter(|&encoding| encoding != REPLACEMENT).ok_or(RangeError(()))?;
        // This class handles the byte order mark itself, when it serializes the text.
        let malformed = if options.fatal { Malformed::Pause } else { Malformed::Replace };
        let decoder = encoding
            .try_decoder_with(DecodeOptions::new().bom(Bom::Keep).malformed(malformed))
            .map_err(|_| RangeError(()))?;
        Ok(Self { encoding, options, decoder, bom_seen: false, do_not_flush: false })
    }

    /// Returns the name of the encoding in lower case: the `encoding` getter.
    ///
    /// ```
    /// let decoder = textcodec::web::TextDecoder::new("sjis", Default::default())?;
    /// assert_eq!(decoder.encoding(), "shift_jis");
    /// # Ok::<(), textcodec::web::RangeError>(())
    /// ```
    #[must_use]
    pub fn encoding(&self) -> &'static str {
        // The name in lower case is one of the labels, as the standard notes.
        let name = self.encoding.name();
        self.encoding.labels().iter().find(|label| label.eq_ignore_ascii_case(name)).copied().unwrap_or(name)
    }

    /// Returns whether malformed bytes are an error: the `fatal` getter.
    ///
    /// ```
    /// use textcodec::web::{TextDecoder, TextDecoderOptions};
    ///
    /// assert!(!TextDecoder::new("gbk", Default::default())?.fatal());
    /// assert!(TextDecoder::new("gbk", TextDecoderOptions { fatal: true, ignore_bom: false })?.fatal());
    /// # Ok::<(), textcodec::web::RangeError>(())
    /// ```
    #[must_use]
    pub fn fatal(&self) -> bool {
        self.options.fatal
    }

    /// Returns whether a byte order mark is kept as U+FEFF: the `ignoreBOM` getter.
    ///
    /// ```
    /// let decoder = textcodec::web::TextDecoder::new("utf-8", Default::default())?;
    /// assert!(!decoder.ignore_bom());
    /// # Ok::<(), textcodec::web::RangeError>(())
    /// ```
    #[must_use]
    pub fn ignore_bom(&self) -> bool {
        self.options.ignore_bom
    }

    /// Decodes a chunk: the [`decode`](https://encoding.spec.whatwg.org/#dom-textdecoder-decode) method. `stream` is the option
    /// of that name. For a JavaScript call without input, pass an empty slice.
    ///
    /// # Errors
    /// Returns [`TypeError`] for malformed bytes if [`fatal`](Self::fatal) is set. The text of this call and the bytes after
    /// the malformed ones are lost. If `stream` was set, the next call continues in the state of the decoder, such as the Roman
    /// state of ISO-2022-JP; otherwise it starts a new input. This is what browsers do. According to the standard, the
    /// remaining bytes would stay in the I/O queue, and the next call would decode them first if `stream` was set.
    ///
    /// ```
    /// use textcodec::web::{TextDecoder, TextDecoderOptions};
    ///
    /// let mut decoder = TextDecoder::new("utf-8", TextDecoderOptions { fatal: true, ignore_bom: false })?;
    /// assert!(decoder.decode(b"a\xFFb", true).is_err());
    /// assert_eq!(decoder.decode(b"c", true)?, "c");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decode(&mut self, input: &[u8], stream: bool) -> Result<String, TypeError> {
        let mut output = String::new();
        self.decode_to(input, stream, &mut output).map(|()| output)
    }

    /// Decodes a chunk like [`decode`](Self::decode), to UTF-16 in native byte order: the code units of a JavaScript string.
    ///
    /// # Errors
    /// The same as for [`decode`](Self::decode).
    ///
    /// ```
    /// let mut decoder = textcodec::web::TextDecoder::new("gbk", Default::default())?;
    /// assert_eq!(decoder.decode_to_utf16(b"\xC4\xE3", false)?, [0x4F60]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decode_to_utf16(&mut self, input: &[u8], stream: bool) -> Result<Vec<u16>, TypeError> {
        let mut output = Vec::new();
        self.decode_to_utf16_into(input, stream, &mut output).map(|()| output)
    }

    /// Decodes a chunk like [`decode_to_utf16`](Self::decode_to_utf16), into a buffer that can be reused. Replaces its
    /// contents.
    ///
    /// # Errors
    /// The same as for [`decode`](Self::decode). The contents of `output` are then unspecified.
    ///
    /// ```
    /// let (mut decoder, mut text) = (textcodec::web::TextDecoder::new("gbk", Default::default())?, Vec::new());
    /// decoder.decode_to_utf16_into(b"\xC4\xE3", false, &mut text)?;
    /// assert_eq!(text, [0x4F60]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decode_to_utf16_into(&mut self, input: &[u8], stream: bool, output: &mut Vec<u16>) -> Result<(), TypeError> {
        output.clear();
        self.decode_to(input, stream, output)
    }

    /// The `decode` method. `output` must be empty.
    fn decode_to<T: DecodeTarget>(&mut self, input: &[u8], stream: bool, output: &mut T) -> Result<(), TypeError> {
        if !self.do_not_flush {
            self.decoder.reset(); // 1.
            self.bom_seen = false;
        }
        self.do_not_flush = stream; // 2.
        self.process(input, stream, output).map_err(|error| {
            // Step 5.3.3 only throws. So the bytes after the error, and those that the handler restored, would stay in the I/O
            // queue for the next call if `stream` is set. Browsers discard them, and the shared tests expect that.
            if (error.encoding(), error.reason()) != (crate::ISO_2022_JP, crate::Reason::Interrupted) {
                self.decoder.discard_pending_bytes();
            }
            TypeError(())
        })
    }

    /// Steps 3 to 5.
    fn process<T: DecodeTarget>(&mut self, input: &[u8], stream: bool, output: &mut T) -> Result<(), DecodeError> {
        let mut rest = input;
        let drops_bom = matches!(self.encoding, UTF_8 | UTF_16BE | UTF_16LE) && !self.options.ignore_bom;
        let mut bom_seen = self.bom_seen;
        if drops_bom && !bom_seen {
            // *Serialize I/O queue* examines the first item, so decode byte by byte until there is one.
            while let ([first, after @ ..], true) = (rest, output.is_empty(Key)) {
                rest = after;
                self.decoder.push(&[*first], output)?;
            }
            bom_seen = !output.is_empty(Key);
            if output.is_bom(Key) {
                output.clear(Key);
            }
        }
        self.decoder.push_chunk(rest, output, !stream)?;
        // Set only on success: a call that fails does not serialize its output.
        self.bom_seen = bom_seen;
        Ok(())
    }
}

/// An encoder to UTF-8: the class [`TextEncoder`](https://encoding.spec.whatwg.org/#interface-textencoder).
///
/// ```
/// assert_eq!(textcodec::web::TextEncoder.encode(&[0x41, 0xDC00]), b"A\xEF\xBF\xBD");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct TextEncoder;

/// The result of [`TextEncoder::encode_into`]:
/// [`TextEncoderEncodeIntoResult`](https://encoding.spec.whatwg.org/#dictdef-textencoderencodeintoresult).
///
/// ```
/// use textcodec::web::{EncodeIntoResult, TextEncoder};
///
/// let result = TextEncoder.encode_into(&[0x65E5, 0x672C], &mut [0; 8]);
/// assert_eq!(result, EncodeIntoResult { read: 2, written: 6 });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EncodeIntoResult {
    /// The number of code units read from the source.
    pub read: usize,
    /// The number of bytes written to the destination.
    pub written: usize,
}

impl TextEncoder {
    /// Returns `"utf-8"`: the `encoding` getter.
    ///
    /// ```
    /// assert_eq!(textcodec::web::TextEncoder.encoding(), "utf-8");
    /// ```
    #[must_use]
    pub fn encoding(self) -> &'static str {
        "utf-8"
    }

    /// Encodes a string: the [`encode`](https://encoding.spec.whatwg.org/#dom-textencoder-encode) method. Unpaired surrogates
    /// become U+FFFD, as in a `USVString`.
    ///
    /// ```
    /// assert_eq!(textcodec::web::TextEncoder.encode(&[0xD83D, 0xDE00]), "😀".as_bytes());
    /// ```
    #[must_use]
    pub fn encode(self, input: &[u16]) -> Vec<u8> {
        // The UTF-8 encoder cannot return an error.
        UTF_8.encode_utf16(input, crate::Unmappable::Skip).map(|encoded| encoded.bytes.into_owned()).unwrap_or_default()
    }

    /// Encodes as many whole characters as fit into `destination`: the
    /// [`encodeInto`](https://encoding.spec.whatwg.org/#dom-textencoder-encodeinto) method. Unpaired surrogates become U+FFFD.
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
            // Via a block, because kernels may overwrite the bytes after their output, and scripts can see all of
            // `destination`.
            let mut block = [const { MaybeUninit::uninit() }; 1024];
            let len = block.len().min(out.spare_len());
            let mut stage = Out::uninit(&mut block[..len]);
            let taken = (Kernels::best().utf16_to_utf8)(&source[read..], &mut stage);
            out.extend(stage.written());
            read += taken;
            if taken > 0 {
                continue;
            }
            let Some(next) = char::decode_utf16(source[read..].iter().copied()).next() else { break };
            let character = next.unwrap_or(char::REPLACEMENT_CHARACTER);
            if !out.extend(character.encode_utf8(&mut [0; 4]).as_bytes()) {
                break;
            }
            // U+FFFD is one code unit, and so is the surrogate that it replaces.
            read += character.len_utf16();
        }
        EncodeIntoResult { read, written: out.filled() }
    }
}

/// A decoder for a stream of chunks: the algorithms of the class
/// [`TextDecoderStream`](https://encoding.spec.whatwg.org/#interface-textdecoderstream).
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
    /// Creates a stream: the [constructor](https://encoding.spec.whatwg.org/#dom-textdecoderstream).
    ///
    /// # Errors
    /// The same as for [`TextDecoder::new`].
    ///
    /// ```
    /// use textcodec::web::TextDecoderStream;
    ///
    /// assert!(TextDecoderStream::new("windows-1251", Default::default()).is_ok());
    /// assert!(TextDecoderStream::new("utf-7", Default::default()).is_err());
    /// ```
    pub fn new(label: &str, options: TextDecoderOptions) -> Result<Self, RangeError> {
        TextDecoder::new(label, options).map(Self)
    }

    /// Returns the object with the `encoding`, `fatal` and `ignoreBOM` getters.
    ///
    /// ```
    /// let stream = textcodec::web::TextDecoderStream::new("latin1", Default::default())?;
    /// assert_eq!((stream.common().encoding(), stream.common().fatal()), ("windows-1252", false));
    /// # Ok::<(), textcodec::web::RangeError>(())
    /// ```
    #[must_use]
    pub fn common(&self) -> &TextDecoder {
        &self.0
    }

    /// Decodes a chunk, and returns the chunk to enqueue, if any:
    /// [decode and enqueue a chunk](https://encoding.spec.whatwg.org/#decode-and-enqueue-a-chunk).
    ///
    /// # Errors
    /// Returns [`TypeError`] for malformed bytes if `fatal` is set. The caller must then error both sides of the stream.
    ///
    /// ```
    /// let mut stream = textcodec::web::TextDecoderStream::new("big5", Default::default())?;
    /// assert_eq!(stream.decode_and_enqueue_a_chunk(b"a\xA4")?, Some("a".into()));
    /// assert_eq!(stream.decode_and_enqueue_a_chunk(b"\xA4")?, Some("中".into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decode_and_enqueue_a_chunk(&mut self, chunk: &[u8]) -> Result<Option<String>, TypeError> {
        Ok(Some(self.0.decode(chunk, true)?).filter(|output| !output.is_empty()))
    }

    /// Decodes a chunk like [`decode_and_enqueue_a_chunk`](Self::decode_and_enqueue_a_chunk), to UTF-16 in native byte order.
    ///
    /// # Errors
    /// The same as for [`decode_and_enqueue_a_chunk`](Self::decode_and_enqueue_a_chunk).
    ///
    /// ```
    /// let mut stream = textcodec::web::TextDecoderStream::new("big5", Default::default())?;
    /// assert_eq!(stream.decode_and_enqueue_a_chunk_to_utf16(b"\xA4\xA4")?, Some(vec![0x4E2D]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decode_and_enqueue_a_chunk_to_utf16(&mut self, chunk: &[u8]) -> Result<Option<Vec<u16>>, TypeError> {
        Ok(Some(self.0.decode_to_utf16(chunk, true)?).filter(|output| !output.is_empty()))
    }

    /// Ends the stream, and returns the chunk to enqueue, if any:
    /// [flush and enqueue](https://encoding.spec.whatwg.org/#flush-and-enqueue).
    ///
    /// # Errors
    /// Returns [`TypeError`] if the input ends within a character and `fatal` is set.
    ///
    /// ```
    /// use textcodec::web::{TextDecoderOptions, TextDecoderStream};
    ///
    /// let options = TextDecoderOptions { fatal: true, ignore_bom: false };
    /// let mut stream = TextDecoderStream::new("big5", options)?;
    /// assert_eq!(stream.decode_and_enqueue_a_chunk(b"a\xA4")?, Some("a".into()));
    /// assert!(stream.flush_and_enqueue().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn flush_and_enqueue(mut self) -> Result<Option<String>, TypeError> {
        Ok(Some(self.0.decode(&[], false)?).filter(|output| !output.is_empty()))
    }

    /// Ends the stream like [`flush_and_enqueue`](Self::flush_and_enqueue), with UTF-16 in native byte order.
    ///
    /// # Errors
    /// The same as for [`flush_and_enqueue`](Self::flush_and_enqueue).
    ///
    /// ```
    /// let mut stream = textcodec::web::TextDecoderStream::new("big5", Default::default())?;
    /// assert_eq!(stream.decode_and_enqueue_a_chunk_to_utf16(b"\xA4")?, None);
    /// assert_eq!(stream.flush_and_enqueue_to_utf16()?, Some(vec![0xFFFD]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn flush_and_enqueue_to_utf16(mut self) -> Result<Option<Vec<u16>>, TypeError> {
        Ok(Some(self.0.decode_to_utf16(&[], false)?).filter(|output| !output.is_empty()))
    }
}

/// An encoder to UTF-8 for a stream of chunks: the algorithms of the class
/// [`TextEncoderStream`](https://encoding.spec.whatwg.org/#interface-textencoderstream).
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
    /// Encodes a chunk, and returns the chunk to enqueue, if any:
    /// [encode and enqueue a chunk](https://encoding.spec.whatwg.org/#encode-and-enqueue-a-chunk).
    ///
    /// Keeps a high surrogate at the end for the next chunk.
    ///
    /// ```
    /// let mut stream = textcodec::web::TextEncoderStream::default();
    /// assert_eq!(stream.encode_and_enqueue_a_chunk(&[0x61, 0xD83D]), Some(b"a".to_vec()));
    /// assert_eq!(stream.encode_and_enqueue_a_chunk(&[0x62]), Some("\u{FFFD}b".into()));
    /// ```
    pub fn encode_and_enqueue_a_chunk(&mut self, chunk: &[u16]) -> Option<Vec<u8>> {
        self.push_chunk(chunk, false)
    }

    /// Ends the stream: [encode and flush](https://encoding.spec.whatwg.org/#encode-and-flush). Returns U+FFFD if the last
    /// chunk ended with a high surrogate.
    ///
    /// ```
    /// let mut stream = textcodec::web::TextEncoderStream::default();
    /// assert_eq!(stream.encode_and_enqueue_a_chunk(&[0xD83D]), None);
    /// assert_eq!(stream.encode_and_flush(), Some("\u{FFFD}".into()));
    /// ```
    #[must_use]
    pub fn encode_and_flush(mut self) -> Option<Vec<u8>> {
        self.push_chunk(&[], true)
    }

    fn push_chunk(&mut self, chunk: &[u16], last: bool) -> Option<Vec<u8>> {
        let mut output = Vec::new();
        // The UTF-8 encoder cannot return an error.
        let _ = self.0.push_chunk(chunk, &mut output, last);
        Some(output).filter(|output| !output.is_empty())
    }
}
