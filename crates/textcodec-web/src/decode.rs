//! [`TextDecoder`] and [`TextDecoderStream`].

use alloc::{string::String, vec::Vec};

use textcodec::{
    Bom, DecodeError, DecodeOptions, DecodeReason, DecodeTarget, Decoder, Encoding, ISO_2022_JP, Malformed,
    REPLACEMENT, Status, UTF_8, UTF_16BE, UTF_16LE,
};

use crate::{RangeError, TypeError};

/// The options of a [`TextDecoder`]: [`TextDecoderOptions`](https://encoding.spec.whatwg.org/#textdecoderoptions).
///
/// ```
/// use textcodec_web::{TextDecoder, TextDecoderOptions};
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
/// use textcodec_web::TextDecoder;
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
    /// assert!(textcodec_web::TextDecoder::new("iso-2022-kr", Default::default()).is_err());
    /// ```
    pub fn new(label: &str, options: TextDecoderOptions) -> Result<Self, RangeError> {
        let is_supported = |encoding: &Encoding| *encoding != REPLACEMENT && encoding.is_available();
        let encoding = Encoding::for_label(label).filter(is_supported).ok_or(RangeError(()))?;
        // This class handles the byte order mark itself, when it serializes the text.
        let malformed = if options.fatal { Malformed::Pause } else { Malformed::Replace };
        let decoder = encoding.decoder_with(DecodeOptions::new().bom(Bom::Keep).malformed(malformed));
        Ok(Self { encoding, options, decoder, bom_seen: false, do_not_flush: false })
    }

    /// Returns the name of the encoding in lower case: the `encoding` getter.
    ///
    /// ```
    /// let decoder = textcodec_web::TextDecoder::new("sjis", Default::default())?;
    /// assert_eq!(decoder.encoding(), "shift_jis");
    /// # Ok::<(), textcodec_web::RangeError>(())
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
    /// use textcodec_web::{TextDecoder, TextDecoderOptions};
    ///
    /// assert!(!TextDecoder::new("gbk", Default::default())?.fatal());
    /// assert!(TextDecoder::new("gbk", TextDecoderOptions { fatal: true, ignore_bom: false })?.fatal());
    /// # Ok::<(), textcodec_web::RangeError>(())
    /// ```
    #[must_use]
    pub fn fatal(&self) -> bool {
        self.options.fatal
    }

    /// Returns whether a byte order mark is kept as U+FEFF: the `ignoreBOM` getter.
    ///
    /// ```
    /// let decoder = textcodec_web::TextDecoder::new("utf-8", Default::default())?;
    /// assert!(!decoder.ignore_bom());
    /// # Ok::<(), textcodec_web::RangeError>(())
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
    /// use textcodec_web::{TextDecoder, TextDecoderOptions};
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
    /// let mut decoder = textcodec_web::TextDecoder::new("gbk", Default::default())?;
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
    /// let (mut decoder, mut text) = (textcodec_web::TextDecoder::new("gbk", Default::default())?, Vec::new());
    /// decoder.decode_to_utf16_into(b"\xC4\xE3", false, &mut text)?;
    /// assert_eq!(text, [0x4F60]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decode_to_utf16_into(&mut self, input: &[u8], stream: bool, output: &mut Vec<u16>) -> Result<(), TypeError> {
        output.clear();
        self.decode_to(input, stream, output)
    }

    /// The `decode` method. `output` must be empty.
    fn decode_to<T: Text>(&mut self, input: &[u8], stream: bool, output: &mut T) -> Result<(), TypeError> {
        if !self.do_not_flush {
            self.decoder.reset(); // 1.
            self.bom_seen = false;
        }
        self.do_not_flush = stream; // 2.
        self.process(input, stream, output).map_err(|error| {
            // Step 5.3.3 only throws. So the bytes after the error, and those that the handler restored, would stay in the I/O
            // queue for the next call if `stream` is set. Browsers discard them, and the shared tests expect that.
            //
            // The escape byte that interrupts a pair of ISO-2022-JP is pending too, but the standard's handler does not restore
            // it: it changes its state.
            if (error.encoding(), error.reason()) != (ISO_2022_JP, DecodeReason::Interrupted) {
                self.decoder.discard_pending_bytes();
            }
            TypeError(())
        })
    }

    /// Steps 3 to 5.
    fn process<T: Text>(&mut self, input: &[u8], stream: bool, output: &mut T) -> Result<(), DecodeError> {
        let mut rest = input;
        loop {
            // One code unit per byte, and some for characters that started in earlier calls: enough for most text. If not, the
            // next round reserves more.
            output.reserve_units(rest.len() + 2 * Decoder::MIN_UTF8_BUFFER_LEN);
            let progress = self.decoder.decode_within_capacity(rest, output, !stream);
            rest = &rest[progress.read..];
            match progress.status {
                Status::InputEmpty => break,
                Status::Error(error) => return Err(error),
                // The output is full.
                _ => {}
            }
        }
        // *Serialize I/O queue*. A call that fails does not serialize its output.
        if !self.bom_seen && !output.has_no_text() {
            self.bom_seen = true;
            if matches!(self.encoding, UTF_8 | UTF_16BE | UTF_16LE) && !self.options.ignore_bom {
                output.remove_bom();
            }
        }
        Ok(())
    }
}

/// The result of a call: a string, or code units of UTF-16.
trait Text: DecodeTarget {
    fn reserve_units(&mut self, additional: usize);
    fn has_no_text(&self) -> bool;
    /// Removes U+FEFF from the start.
    fn remove_bom(&mut self);
}

impl Text for String {
    fn reserve_units(&mut self, additional: usize) {
        self.reserve(additional);
    }

    fn has_no_text(&self) -> bool {
        self.is_empty()
    }

    fn remove_bom(&mut self) {
        if self.starts_with('\u{FEFF}') {
            self.remove(0);
        }
    }
}

impl Text for Vec<u16> {
    fn reserve_units(&mut self, additional: usize) {
        self.reserve(additional);
    }

    fn has_no_text(&self) -> bool {
        self.is_empty()
    }

    fn remove_bom(&mut self) {
        if self.first() == Some(&0xFEFF) {
            self.remove(0);
        }
    }
}

/// A decoder for a stream of chunks: the algorithms of the class
/// [`TextDecoderStream`](https://encoding.spec.whatwg.org/#interface-textdecoderstream).
///
/// ```
/// use textcodec_web::TextDecoderStream;
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
    /// use textcodec_web::TextDecoderStream;
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
    /// let stream = textcodec_web::TextDecoderStream::new("latin1", Default::default())?;
    /// assert_eq!((stream.common().encoding(), stream.common().fatal()), ("windows-1252", false));
    /// # Ok::<(), textcodec_web::RangeError>(())
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
    /// let mut stream = textcodec_web::TextDecoderStream::new("big5", Default::default())?;
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
    /// let mut stream = textcodec_web::TextDecoderStream::new("big5", Default::default())?;
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
    /// use textcodec_web::{TextDecoderOptions, TextDecoderStream};
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
    /// let mut stream = textcodec_web::TextDecoderStream::new("big5", Default::default())?;
    /// assert_eq!(stream.decode_and_enqueue_a_chunk_to_utf16(b"\xA4")?, None);
    /// assert_eq!(stream.flush_and_enqueue_to_utf16()?, Some(vec![0xFFFD]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn flush_and_enqueue_to_utf16(mut self) -> Result<Option<Vec<u16>>, TypeError> {
        Ok(Some(self.0.decode_to_utf16(&[], false)?).filter(|output| !output.is_empty()))
    }
}
