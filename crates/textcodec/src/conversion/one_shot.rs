//! Conversion of a whole input in a single call, without a copy if text and bytes are identical.

use alloc::{borrow::Cow, vec::Vec};

use crate::{
    codec::{sink::Unit, source::Source},
    conversion::{
        Bom, DecodeError, DecodeOptions, Decoded, Decoder, EncodeError, EncodeOptions, Encoded, Encoder, ErrorTally,
        Malformed, Status,
        bom::{self, Verdict},
        growth::{self, Ratio},
        target,
    },
    kernel::Kernels,
    names::{Encoding, GB18030, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_874, X_USER_DEFINED},
    text::utf,
};

impl Encoding {
    /// Decodes a whole input as browsers do: the standard's [decode](https://encoding.spec.whatwg.org/#decode).
    ///
    /// A byte order mark overrides the encoding and is removed. Malformed sequences become U+FFFD and are counted, so this
    /// never fails. Borrows the text from `bytes` if no conversion is needed. Without memory for the text, this aborts, as `Vec`
    /// does; [`decode_with`](Self::decode_with) returns an error.
    ///
    /// Requires feature `all-encodings`. [`decode_with`](Self::decode_with) is available in every build.
    ///
    /// ```
    /// use textcodec::{UTF_16LE, WINDOWS_1251};
    ///
    /// let decoded = WINDOWS_1251.decode(b"\xCF\xF0\xE8\xE2\xE5\xF2");
    /// assert_eq!(decoded.text, "Привет");
    /// assert!(decoded.errors.is_empty());
    /// assert_eq!(WINDOWS_1251.decode(b"\xFF\xFEa\0").encoding, UTF_16LE);
    /// ```
    #[cfg(feature = "all-encodings")]
    #[must_use]
    #[doc(alias("from_utf8_lossy", "mojibake"))]
    pub fn decode(self, bytes: &[u8]) -> Decoded<Cow<'_, str>> {
        self.decode_replacing(bytes, Bom::Sniff, || self.decoder())
    }

    /// Decodes a whole input, and fails at the first malformed sequence. A byte order mark overrides the encoding and is
    /// removed. Borrows the text from `bytes` if no conversion is needed.
    ///
    /// # Errors
    /// Returns the first malformed sequence, or [`DecodeReason::Unavailable`](crate::DecodeReason::Unavailable) if this build cannot
    /// decode the encoding. Returns [`DecodeReason::OutOfMemory`](crate::DecodeReason::OutOfMemory) if there is no memory for the text.
    ///
    /// ```
    /// use textcodec::SHIFT_JIS;
    ///
    /// assert_eq!(SHIFT_JIS.decode_strict(b"\x93\xFA\x96{")?, "日本");
    /// assert_eq!(SHIFT_JIS.decode_strict(b"ab\xFFc").unwrap_err().range(), 2..3);
    /// # Ok::<(), textcodec::DecodeError>(())
    /// ```
    #[doc(alias("decode_without_bom_handling_and_without_replacement"))]
    pub fn decode_strict(self, bytes: &[u8]) -> Result<Cow<'_, str>, DecodeError> {
        Ok(self.decode_with(bytes, Malformed::Fail)?.text)
    }

    /// Decodes a whole input, with options for byte order marks and malformed bytes. Borrows the text from `bytes` if no
    /// conversion is needed.
    ///
    /// # Errors
    /// Returns the first malformed sequence, with [`Malformed::Fail`] and [`Malformed::Pause`]. Returns
    /// [`DecodeReason::Unavailable`](crate::DecodeReason::Unavailable) if this build cannot decode the encoding, for any input.
    /// Returns [`DecodeReason::OutOfMemory`](crate::DecodeReason::OutOfMemory) if there is no memory for the text, with any options.
    ///
    /// ```
    /// use textcodec::{Bom, UTF_8};
    ///
    /// let decoded = UTF_8.decode_with(b"\xFF\xFE", Bom::StripOwn)?;
    /// assert_eq!(decoded.text, "\u{FFFD}\u{FFFD}");
    /// # Ok::<(), textcodec::DecodeError>(())
    /// ```
    #[doc(alias("decode_with_bom_removal", "decode_without_bom_handling"))]
    pub fn decode_with(
        self,
        bytes: &[u8],
        options: impl Into<DecodeOptions>,
    ) -> Result<Decoded<Cow<'_, str>>, DecodeError> {
        let options = options.into();
        let prefix = Prefix::new(bytes, self, options.bom);
        if prefix.is_whole_input() && self.is_available() {
            return Ok(prefix.borrowed());
        }
        let mut decoder = self.decoder_with(options);
        let text = prefix.decode_rest(&mut decoder)?;
        Ok(decoder.into_decoded(text))
    }

    /// Decodes a whole input to UTF-16 in native byte order, as browsers do. See [`decode`](Self::decode). Without memory for the
    /// text, this aborts.
    ///
    /// Requires feature `all-encodings`. [`decode_to_utf16_with`](Self::decode_to_utf16_with) is available in every build.
    ///
    /// ```
    /// assert_eq!(textcodec::BIG5.decode_to_utf16(b"\xA4\xA4\xA4\xE5").text, [0x4E2D, 0x6587]);
    /// ```
    #[cfg(feature = "all-encodings")]
    #[must_use]
    #[inline]
    pub fn decode_to_utf16(self, bytes: &[u8]) -> Decoded<Vec<u16>> {
        let mut decoder = self.decoder();
        // Malformed sequences are replaced.
        let text = decoder.decode_to_utf16_whole(bytes).unwrap_or_else(|_| growth::out_of_memory(bytes.len()));
        decoder.into_decoded(text)
    }

    /// Decodes a whole input to UTF-16 in native byte order, and fails at the first malformed sequence. See
    /// [`decode_strict`](Self::decode_strict).
    ///
    /// # Errors
    /// The same as for [`decode_strict`](Self::decode_strict).
    ///
    /// ```
    /// assert!(textcodec::UTF_16LE.decode_to_utf16_strict(b"a\0\x00\xDC").is_err());
    /// ```
    #[inline]
    pub fn decode_to_utf16_strict(self, bytes: &[u8]) -> Result<Vec<u16>, DecodeError> {
        Ok(self.decode_to_utf16_with(bytes, Malformed::Fail)?.text)
    }

    /// Decodes a whole input to UTF-16 in native byte order, with options.
    ///
    /// # Errors
    /// The same as for [`decode_with`](Self::decode_with).
    ///
    /// ```
    /// use textcodec::{Bom, UTF_8};
    ///
    /// assert_eq!(UTF_8.decode_to_utf16_with(b"\xEF\xBB\xBFa", Bom::Keep)?.text, [0xFEFF, 0x61]);
    /// # Ok::<(), textcodec::DecodeError>(())
    /// ```
    pub fn decode_to_utf16_with(
        self,
        bytes: &[u8],
        options: impl Into<DecodeOptions>,
    ) -> Result<Decoded<Vec<u16>>, DecodeError> {
        let mut decoder = self.decoder_with(options);
        let text = decoder.decode_to_utf16_whole(bytes)?;
        Ok(decoder.into_decoded(text))
    }

    /// Encodes a whole string, and fails at the first unmappable character. Borrows the bytes from `text` if no conversion is
    /// needed.
    ///
    /// [`UTF_16LE`] and [`UTF_16BE`] encode to UTF-16, not to their [output encoding](Self::output_encoding), UTF-8.
    ///
    /// # Errors
    /// Returns the first character that the encoding cannot represent. Fails for any string if there
    /// [is no encoder](Self::has_encoder). Returns [`EncodeReason::OutOfMemory`](crate::EncodeReason::OutOfMemory) if there is no memory for the bytes.
    ///
    /// ```
    /// use textcodec::{UTF_16BE, WINDOWS_1252};
    ///
    /// assert_eq!(*WINDOWS_1252.encode("naïve")?, *b"na\xEFve");
    /// assert_eq!(*UTF_16BE.encode("é")?, *b"\x00\xE9");
    /// assert!(WINDOWS_1252.encode("日本").is_err());
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    #[inline]
    pub fn encode(self, text: &str) -> Result<Cow<'_, [u8]>, EncodeError> {
        let identical = self.identical_prefix(text);
        if identical == text.len() && self.has_encoder() && !self.has_header() {
            return Ok(Cow::Borrowed(text.as_bytes()));
        }
        Ok(self.encode_rest(identical, text, EncodeOptions::new())?.bytes)
    }

    /// Encodes a whole string, with options: mostly an [`Unmappable`](crate::Unmappable). Borrows the bytes from `text` if no
    /// conversion is needed.
    ///
    /// # Errors
    /// Returns the first unmappable character, with [`Unmappable::Fail`](crate::Unmappable::Fail) and
    /// [`Unmappable::Pause`](crate::Unmappable::Pause), and with [`Unmappable::Replace`](crate::Unmappable::Replace) if the encoding
    /// cannot represent the replacement either. Fails for any string if there [is no encoder](Self::has_encoder).
    /// Returns [`EncodeReason::OutOfMemory`](crate::EncodeReason::OutOfMemory) if there is no memory for the bytes, with any options.
    ///
    /// ```
    /// use textcodec::{BIG5, Unmappable};
    ///
    /// let encoded = BIG5.encode_with("文😀", Unmappable::Html)?;
    /// assert_eq!(*encoded.bytes, *b"\xA4\xE5&#128512;");
    /// assert_eq!(encoded.errors.count(), 1);
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    pub fn encode_with(
        self,
        text: &str,
        options: impl Into<EncodeOptions>,
    ) -> Result<Encoded<Cow<'_, [u8]>>, EncodeError> {
        let options = options.into();
        let has_bom = (options.bom || self.has_header()) && !bom::mark(self).is_empty();
        let identical = if has_bom { 0 } else { self.identical_prefix(text) };
        if identical == text.len() && !has_bom && self.has_encoder() {
            let bytes = Cow::Borrowed(text.as_bytes());
            return Ok(Encoded { bytes, errors: ErrorTally::default(), unpaired_surrogates: 0 });
        }
        self.encode_rest(identical, text, options)
    }

    /// The length of the longest known prefix of `text` that is the same bytes in this encoding.
    #[inline]
    fn identical_prefix(self, text: &str) -> usize {
        if self == UTF_8 { text.len() } else { self.ascii_prefix(text.as_bytes()) }
    }

    /// Encodes a string whose first `identical` bytes are the same in this encoding.
    fn encode_rest(
        self,
        identical: usize,
        text: &str,
        options: EncodeOptions,
    ) -> Result<Encoded<Cow<'static, [u8]>>, EncodeError> {
        let mut encoder = self.encoder_with(options);
        let (prefix, rest) = text.split_at(identical);
        encoder.skip(prefix.len());
        let Encoded { bytes, errors, unpaired_surrogates } =
            encoder.encode_whole(prefix.as_bytes(), rest, rest.as_bytes(), 1.0)?;
        Ok(Encoded { bytes: bytes.into(), errors, unpaired_surrogates })
    }

    /// Encodes a whole UTF-16 string in native byte order, and fails at the first unmappable character. The string may be
    /// ill-formed: unpaired surrogates are encoded as U+FFFD, also by an encoding of Unicode. To lose nothing, pass
    /// [`EncodeOptions::reject_unpaired_surrogates`] to [`encode_from_utf16_with`](Self::encode_from_utf16_with).
    ///
    /// # Errors
    /// The same as for [`encode`](Self::encode).
    ///
    /// ```
    /// assert_eq!(textcodec::WINDOWS_1252.encode_from_utf16(&[0x20AC])?, b"\x80");
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    #[inline]
    pub fn encode_from_utf16(self, text: &[u16]) -> Result<Vec<u8>, EncodeError> {
        Ok(self.encode_from_utf16_with(text, EncodeOptions::new())?.bytes)
    }

    /// Encodes a whole UTF-16 string in native byte order, with options. It may be ill-formed: unpaired surrogates are encoded
    /// as U+FFFD and counted, unless [`EncodeOptions::reject_unpaired_surrogates`] makes them errors.
    ///
    /// # Errors
    /// The same as for [`encode_with`](Self::encode_with). Also returns an unpaired surrogate that is an error.
    ///
    /// ```
    /// use textcodec::{UTF_8, Unmappable};
    ///
    /// let encoded = UTF_8.encode_from_utf16_with(&[0x41, 0xD800], Unmappable::Fail)?;
    /// assert_eq!((&*encoded.bytes, encoded.unpaired_surrogates), ("A\u{FFFD}".as_bytes(), 1));
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    pub fn encode_from_utf16_with(
        self,
        text: &[u16],
        options: impl Into<EncodeOptions>,
    ) -> Result<Encoded<Vec<u8>>, EncodeError> {
        let per_non_ascii = match self {
            UTF_8 => 3.0,
            // Pairs, and an escape sequence now and then.
            ISO_2022_JP => 2.5,
            _ if self.is_single_byte() => 1.0,
            _ => 2.0,
        };
        self.encoder_with(options).encode_whole(&[], text, text, per_non_ascii)
    }

    /// Decodes a whole input. `decoder` creates a decoder that replaces malformed sequences.
    pub(crate) fn decode_replacing(
        self,
        bytes: &[u8],
        bom: Bom,
        decoder: impl FnOnce() -> Decoder,
    ) -> Decoded<Cow<'_, str>> {
        let prefix = Prefix::new(bytes, self, bom);
        if prefix.is_whole_input() {
            return prefix.borrowed();
        }
        prefix.replace_rest(decoder)
    }

    /// The length of the prefix of `bytes` that is ASCII, and the same text in this encoding.
    pub(crate) fn ascii_prefix(self, bytes: &[u8]) -> usize {
        match self {
            ISO_2022_JP => (Kernels::best().ascii_prefix_without)([0x0E, 0x0F, 0x1B], bytes),
            _ if self.is_ascii_compatible() => utf::ascii_valid_up_to(bytes),
            _ => 0,
        }
    }
}

/// The part of a whole input that needs no decoding.
struct Prefix<'a> {
    bytes: &'a [u8],
    /// The requested encoding, or that of the byte order mark.
    encoding: Encoding,
    /// The length of the byte order mark.
    bom_len: usize,
    /// The text that needs no decoding: the first bytes after the mark.
    identical: &'a str,
}

impl<'a> Prefix<'a> {
    fn new(bytes: &'a [u8], encoding: Encoding, bom: Bom) -> Self {
        let (encoding, bom_len) = match bom::sniff(bom::policy(bom, encoding), encoding, bytes, true) {
            Verdict::Found(encoding, bom_len) => (encoding, bom_len),
            Verdict::None | Verdict::Undecided => (encoding, 0),
        };
        Self { bytes, encoding, bom_len, identical: target::identical_prefix(encoding, &bytes[bom_len..]) }
    }

    /// Whether no part of the input needs decoding.
    fn is_whole_input(&self) -> bool {
        self.bom_len + self.identical.len() == self.bytes.len()
    }

    /// Borrows the text of an input that [needs no decoding](Self::is_whole_input).
    fn borrowed(self) -> Decoded<Cow<'a, str>> {
        let text = Cow::Borrowed(self.identical);
        Decoded { text, encoding: self.encoding, bom_removed: self.bom_len > 0, errors: ErrorTally::default() }
    }

    /// Decodes the input by a new decoder that replaces malformed sequences.
    // Inlined, it would make inputs that need no decoding slower by nanoseconds.
    #[inline(never)]
    fn replace_rest(self, decoder: impl FnOnce() -> Decoder) -> Decoded<Cow<'a, str>> {
        let mut decoder = decoder();
        let len = self.bytes.len();
        // Malformed sequences are replaced, and all encodings are available.
        let text = self.decode_rest(&mut decoder).unwrap_or_else(|_| growth::out_of_memory(len));
        decoder.into_decoded(text)
    }

    /// Decodes the input by a new decoder: copies the prefix and converts the rest.
    fn decode_rest(self, decoder: &mut Decoder) -> Result<Cow<'a, str>, DecodeError> {
        decoder.check()?;
        let rest = &decoder.take_bom(self.bytes)[self.identical.len()..];
        decoder.skip(self.identical.len());
        Ok(Cow::Owned(target::decode_after(self.identical, decoder, rest)?))
    }
}

impl Decoder {
    /// Decodes `rest`, all remaining input, and returns it after `prefix`.
    pub(crate) fn decode_whole<U: Unit>(&mut self, prefix: &[U], rest: &[u8]) -> Result<Vec<U>, DecodeError> {
        let mut error = None;
        let non_ascii = if self.encoding().is_single_byte() { 1.0 } else { 0.5 };
        let expected = self.encoding().is_ascii_compatible().then_some(Ratio { ascii: 1.0, non_ascii });
        let max_ratio = match self.encoding() {
            // One or two bytes become one or two units of UTF-16.
            _ if size_of::<U>() > 1 => 1.0,
            // A byte can become three: Thai, and the private use area.
            WINDOWS_874 | X_USER_DEFINED => 3.0,
            _ => 2.0,
        };
        let text = growth::collect(prefix, rest, expected, max_ratio, |from, out| {
            let progress = self.decode(&rest[from..], out, true);
            let full = progress.status == Status::OutputFull;
            if let Status::Error(first) = progress.status {
                error = Some(first);
            }
            (progress.read, full)
        });
        let text = text.map_err(|_| DecodeError::out_of_memory(self.encoding(), self.position()))?;
        error.map_or(Ok(text), Err)
    }

    /// Decodes a whole input to UTF-16.
    #[inline]
    fn decode_to_utf16_whole(&mut self, bytes: &[u8]) -> Result<Vec<u16>, DecodeError> {
        self.check()?;
        let rest = self.take_bom(bytes);
        self.decode_whole(&[], rest)
    }

    /// Decodes a whole input by a new decoder that replaces malformed sequences.
    #[cfg(feature = "oem")]
    pub(crate) fn decode_replacing(mut self, bytes: &[u8]) -> Decoded<alloc::string::String> {
        // Malformed sequences are replaced.
        let text = target::decode_after("", &mut self, bytes).unwrap_or_else(|_| growth::out_of_memory(bytes.len()));
        self.into_decoded(text)
    }

    fn into_decoded<T>(self, text: T) -> Decoded<T> {
        let summary = self.into_summary();
        Decoded { text, encoding: summary.encoding, bom_removed: summary.bom_removed, errors: summary.errors }
    }
}

impl Encoder {
    /// Encodes `rest`, all remaining text, and returns it after `prefix`. `units` are the units of `rest`. `non_ascii` is the
    /// expected number of bytes for a unit outside ASCII.
    fn encode_whole<S: Source + ?Sized, T: Copy + Into<u32>>(
        mut self,
        prefix: &[u8],
        rest: &S,
        units: &[T],
        non_ascii: f64,
    ) -> Result<Encoded<Vec<u8>>, EncodeError> {
        let mut error = None;
        let ascii = if matches!(self.encoding(), UTF_16LE | UTF_16BE) { 2.0 } else { 1.0 };
        let expected = Ratio { ascii, non_ascii };
        // gb18030: four bytes for a unit of UTF-16, or for two bytes of UTF-8. Others: a quarter more, for some references.
        let max_ratio = if self.encoding() == GB18030 { 2.0 } else { 1.25 } * non_ascii.max(ascii);
        let bytes = growth::collect(prefix, units, Some(expected), max_ratio, |from, out| {
            let progress = self.encode(rest.rest(from), out, true);
            let full = progress.status == Status::OutputFull;
            if let Status::Error(first) = progress.status {
                error = Some(first);
            }
            (progress.read, full)
        });
        let bytes = bytes.map_err(|_| EncodeError::out_of_memory(self.encoding()))?;
        if let Some(error) = error {
            return Err(error);
        }
        let summary = self.into_summary();
        Ok(Encoded { bytes, errors: summary.errors, unpaired_surrogates: summary.unpaired_surrogates })
    }
}
