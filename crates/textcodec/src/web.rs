//! Section 7 of the standard without JavaScript: `TextDecoder`, `TextEncoder` and the two stream transforms, with its
//! errors as types. Bindings to an engine stand on this; in Rust, [`Decoder`] and [`Encoder`] say more.
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

/// JavaScript's `RangeError`: the label is unknown, or one of `replacement`, or one of an encoding that this build cannot
/// decode ([`Encoding::is_available`]).
///
/// ```
/// use textcodec::web::TextDecoder;
///
/// let error = TextDecoder::new("utf-7", Default::default()).unwrap_err();
/// assert_eq!(error.to_string(), "the label is no label of an encoding that can be decoded");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RangeError(());

impl fmt::Display for RangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the label is no label of an encoding that can be decoded")
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

/// [`TextDecoderOptions`](https://encoding.spec.whatwg.org/#textdecoderoptions).
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
    bom_seen: bool,
    do_not_flush: bool,
}

impl TextDecoder {
    /// The [constructor](https://encoding.spec.whatwg.org/#dom-textdecoder).
    ///
    /// # Errors
    /// [`RangeError`] where `label` is no label, or one of `replacement`, or one of an encoding that this build cannot decode.
    ///
    /// ```
    /// assert!(textcodec::web::TextDecoder::new("iso-2022-kr", Default::default()).is_err());
    /// ```
    pub fn new(label: &str, options: TextDecoderOptions) -> Result<Self, RangeError> {
        let encoding = Encoding::for_label(label).filter(|&encoding| encoding != REPLACEMENT).ok_or(RangeError(()))?;
        // The byte order mark is this class's own affair: it goes when text is serialized.
        let malformed = if options.fatal { Malformed::Report } else { Malformed::Replace };
        let decoder = encoding
            .try_decoder_with(DecodeOptions::new().bom(Bom::Keep).malformed(malformed))
            .map_err(|_| RangeError(()))?;
        Ok(Self { encoding, options, decoder, bom_seen: false, do_not_flush: false })
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

    /// The `ignoreBOM` getter.
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

    /// The [`decode`](https://encoding.spec.whatwg.org/#dom-textdecoder-decode) method; `stream` is the option of that
    /// name. Where JavaScript gives no input, `input` is empty.
    ///
    /// # Errors
    /// [`TypeError`] for malformed bytes if [`fatal`](Self::fatal) is set. The text of this call is lost, and so are the bytes after
    /// the malformed ones. If `stream` was set, the next call continues in the state of the decoder, such as the Roman state of
    /// ISO-2022-JP; otherwise it starts anew. This is what browsers do. By the letter of the standard, the remaining bytes stay in the
    /// I/O queue, and the next call with `stream` set before it decodes them first.
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
        let mut output = Vec::new();
        self.decode_to_utf16_into(input, stream, &mut output).map(|()| output)
    }

    /// [`decode_to_utf16`](Self::decode_to_utf16) into a buffer that is used again: its content is replaced.
    ///
    /// # Errors
    /// As for [`decode`](Self::decode). What is in `output` then means nothing.
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

    /// `output` is empty.
    fn decode_to<T: DecodeTarget>(&mut self, input: &[u8], stream: bool, output: &mut T) -> Result<(), TypeError> {
        if !self.do_not_flush {
            self.decoder.reset(); // 1.
            self.bom_seen = false;
        }
        self.do_not_flush = stream; // 2.
        self.process(input, stream, output).map_err(|error| {
            // Step 5.3.3 only throws, so the bytes after the error and those that the handler restored stay in the I/O queue, for the
            // next call if `stream` is set. Browsers drop them, and the shared tests expect that.
            self.decoder.drop_restored(&error);
            TypeError(())
        })
    }

    /// Steps 3 to 5.
    fn process<T: DecodeTarget>(&mut self, input: &[u8], stream: bool, output: &mut T) -> Result<(), DecodeError> {
        let mut rest = input;
        let drops_bom = matches!(self.encoding, UTF_8 | UTF_16BE | UTF_16LE) && !self.options.ignore_bom;
        let mut bom_seen = self.bom_seen;
        if drops_bom && !bom_seen {
            // *Serialize I/O queue* looks at the first item, so that comes alone.
            while let ([first, behind @ ..], true) = (rest, output.is_empty(Key)) {
                rest = behind;
                self.decoder.push(&[*first], output)?;
            }
            bom_seen = !output.is_empty(Key);
            if output.is_bom(Key) {
                output.clear(Key);
            }
        }
        self.decoder.grow(rest, output, !stream)?;
        // Only a call that serializes has seen it: one that fails throws its output away.
        self.bom_seen = bom_seen;
        Ok(())
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
///
/// ```
/// use textcodec::web::{EncodeIntoResult, TextEncoder};
///
/// let result = TextEncoder.encode_into(&[0x65E5, 0x672C], &mut [0; 8]);
/// assert_eq!(result, EncodeIntoResult { read: 2, written: 6 });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EncodeIntoResult {
    /// How many code units of the source are read.
    pub read: usize,
    /// How many bytes of the destination are written.
    pub written: usize,
}

impl TextEncoder {
    /// The `encoding` getter.
    ///
    /// ```
    /// assert_eq!(textcodec::web::TextEncoder.encoding(), "utf-8");
    /// ```
    #[must_use]
    pub fn encoding(self) -> &'static str {
        "utf-8"
    }

    /// The [`encode`](https://encoding.spec.whatwg.org/#dom-textencoder-encode) method. Surrogates without their other
    /// half become U+FFFD, as in a `USVString`.
    ///
    /// ```
    /// assert_eq!(textcodec::web::TextEncoder.encode(&[0xD83D, 0xDE00]), "😀".as_bytes());
    /// ```
    #[must_use]
    pub fn encode(self, input: &[u16]) -> Vec<u8> {
        // The UTF-8 encoder cannot return an error.
        UTF_8.encode_utf16(input, crate::Unmappable::Skip).map(|encoded| encoded.bytes.into_owned()).unwrap_or_default()
    }

    /// The [`encodeInto`](https://encoding.spec.whatwg.org/#dom-textencoder-encodeinto) method: writes as many whole
    /// characters as fit. Surrogates without their other half become U+FFFD.
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
            // By way of a block: scripts see the room behind what is written, which is scratch to a kernel.
            let mut block = [const { MaybeUninit::uninit() }; 1024];
            let room = block.len().min(out.room());
            let mut stage = Out::uninit(&mut block[..room]);
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
    /// The [constructor](https://encoding.spec.whatwg.org/#dom-textdecoderstream).
    ///
    /// # Errors
    /// As for [`TextDecoder::new`].
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

    /// The `encoding`, `fatal` and `ignoreBOM` getters.
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

    /// [Decode and enqueue a chunk](https://encoding.spec.whatwg.org/#decode-and-enqueue-a-chunk): the chunk to enqueue, if
    /// there is one.
    ///
    /// # Errors
    /// [`TypeError`] for malformed bytes where `fatal` is set: both sides of the stream are to be errored.
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

    /// [`decode_and_enqueue_a_chunk`](Self::decode_and_enqueue_a_chunk) to UTF-16 in the machine's byte order.
    ///
    /// # Errors
    /// The same.
    ///
    /// ```
    /// let mut stream = textcodec::web::TextDecoderStream::new("big5", Default::default())?;
    /// assert_eq!(stream.decode_and_enqueue_a_chunk_to_utf16(b"\xA4\xA4")?, Some(vec![0x4E2D]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decode_and_enqueue_a_chunk_to_utf16(&mut self, chunk: &[u8]) -> Result<Option<Vec<u16>>, TypeError> {
        Ok(Some(self.0.decode_to_utf16(chunk, true)?).filter(|output| !output.is_empty()))
    }

    /// [Flush and enqueue](https://encoding.spec.whatwg.org/#flush-and-enqueue), at the end of the stream: the chunk to
    /// enqueue, if there is one.
    ///
    /// # Errors
    /// [`TypeError`] where the input ends within a character and `fatal` is set.
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

    /// [`flush_and_enqueue`](Self::flush_and_enqueue) to UTF-16 in the machine's byte order.
    ///
    /// # Errors
    /// The same.
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
    ///
    /// ```
    /// let mut stream = textcodec::web::TextEncoderStream::default();
    /// assert_eq!(stream.encode_and_enqueue_a_chunk(&[0x61, 0xD83D]), Some(b"a".to_vec()));
    /// assert_eq!(stream.encode_and_enqueue_a_chunk(&[0x62]), Some("\u{FFFD}b".into()));
    /// ```
    pub fn encode_and_enqueue_a_chunk(&mut self, chunk: &[u16]) -> Option<Vec<u8>> {
        self.grow(chunk, false)
    }

    /// [Encode and flush](https://encoding.spec.whatwg.org/#encode-and-flush), at the end of the stream: U+FFFD for
    /// half a surrogate pair that waits, or none.
    ///
    /// ```
    /// let mut stream = textcodec::web::TextEncoderStream::default();
    /// assert_eq!(stream.encode_and_enqueue_a_chunk(&[0xD83D]), None);
    /// assert_eq!(stream.encode_and_flush(), Some("\u{FFFD}".into()));
    /// ```
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
