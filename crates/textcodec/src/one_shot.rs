//! A whole input in one call. Nothing is copied where text and bytes are the same.

use alloc::{borrow::Cow, vec::Vec};

use crate::{
    Bom, DecodeError, DecodeOptions, DecodeStatus, Decoder, EncodeError, EncodeStatus, Encoder, Encoding, Errors,
    GB18030, ISO_2022_JP, Malformed, UTF_8, UTF_16BE, UTF_16LE, Unmappable, WINDOWS_874, X_USER_DEFINED,
    bom::{self, Verdict},
    codec::{sink::Unit, source::Source},
    growth::{self, Likely},
    kernel::Kernels,
    target, utf,
};

/// A decoded text and how it came about.
///
/// ```
/// use std::borrow::Cow;
///
/// let decoded = textcodec::UTF_8.decode(b"\xEF\xBB\xBFabc");
/// assert!(matches!(decoded.text, Cow::Borrowed("abc")));
/// assert!(decoded.bom_removed && decoded.errors.is_empty());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded<T> {
    /// The text: `Cow<str>` or `Vec<u16>`.
    pub text: T,
    /// The encoding that was used: that of the byte order mark, or the one asked for.
    pub encoding: Encoding,
    /// Whether a byte order mark was removed.
    pub bom_removed: bool,
    /// The malformed sequences that were replaced by U+FFFD.
    pub errors: Errors<DecodeError>,
}

/// An encoded text and how it came about.
///
/// ```
/// use textcodec::{KOI8_R, Unmappable};
///
/// let encoded = KOI8_R.encode_with("да字", Unmappable::Replace('?'))?;
/// assert_eq!((&*encoded.bytes, encoded.errors.count()), (&b"\xC4\xC1?"[..], 1));
/// # Ok::<(), textcodec::EncodeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encoded<'a> {
    /// The bytes.
    pub bytes: Cow<'a, [u8]>,
    /// The characters that the encoding cannot represent and that were replaced or skipped.
    pub errors: Errors<EncodeError>,
    /// How many surrogates of the text had no other half; each was taken for U+FFFD.
    pub unpaired_surrogates: u64,
}

impl Encoding {
    /// Decodes a whole input as browsers do: a byte order mark wins and is removed, malformed bytes become U+FFFD and are
    /// counted. Never fails. Borrows where the text is in the input as it is.
    ///
    /// With feature `all-encodings`; [`decode_with`](Self::decode_with) is there without it.
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
    pub fn decode(self, bytes: &[u8]) -> Decoded<Cow<'_, str>> {
        self.decode_replacing(bytes, Bom::Sniff, || self.decoder())
    }

    /// `decode` that fails at the first malformed byte.
    ///
    /// # Errors
    /// The first malformed sequence, or [`Reason::Unavailable`](crate::Reason::Unavailable).
    ///
    /// ```
    /// use textcodec::SHIFT_JIS;
    ///
    /// assert_eq!(SHIFT_JIS.decode_strict(b"\x93\xFA\x96{")?, "日本");
    /// assert_eq!(SHIFT_JIS.decode_strict(b"ab\xFFc").unwrap_err().range(), 2..3);
    /// # Ok::<(), textcodec::DecodeError>(())
    /// ```
    pub fn decode_strict(self, bytes: &[u8]) -> Result<Cow<'_, str>, DecodeError> {
        Ok(self.decode_with(bytes, DecodeOptions::new().malformed(Malformed::Fail))?.text)
    }

    /// Decodes a whole input and says what to do about byte order marks and malformed bytes. Borrows where the text is in the
    /// input as it is.
    ///
    /// # Errors
    /// The first malformed sequence, with [`Malformed::Fail`] and [`Malformed::Report`]. Where this build cannot decode the
    /// encoding, [`Reason::Unavailable`](crate::Reason::Unavailable), whatever the input is.
    ///
    /// ```
    /// use textcodec::{Bom, DecodeOptions, UTF_8};
    ///
    /// let decoded = UTF_8.decode_with(b"\xFF\xFE", DecodeOptions::new().bom(Bom::StripOwn))?;
    /// assert_eq!(decoded.text, "\u{FFFD}\u{FFFD}");
    /// # Ok::<(), textcodec::DecodeError>(())
    /// ```
    pub fn decode_with(self, bytes: &[u8], options: DecodeOptions) -> Result<Decoded<Cow<'_, str>>, DecodeError> {
        let front = Front::of(bytes, self, options.bom);
        if front.is_all() && self.is_available() {
            return Ok(front.borrowed());
        }
        let mut decoder = self.try_decoder_with(options)?;
        let text = front.and_the_rest(&mut decoder)?;
        Ok(decoder.into_decoded(text))
    }

    /// Decodes a whole input to UTF-16 in the machine's byte order.
    ///
    /// # Errors
    /// As for [`decode_with`](Self::decode_with).
    ///
    /// ```
    /// let decoded = textcodec::BIG5.decode_to_utf16(b"\xA4\xA4\xA4\xE5", Default::default())?;
    /// assert_eq!(decoded.text, [0x4E2D, 0x6587]);
    /// # Ok::<(), textcodec::DecodeError>(())
    /// ```
    pub fn decode_to_utf16(self, bytes: &[u8], options: DecodeOptions) -> Result<Decoded<Vec<u16>>, DecodeError> {
        let mut decoder = self.try_decoder_with(options)?;
        let rest = decoder.take_bom(bytes);
        let text = decoder.whole(&[], rest)?;
        Ok(decoder.into_decoded(text))
    }

    /// Encodes a whole text. Borrows where the bytes are in the text as they are. [`UTF_16LE`] and
    /// [`UTF_16BE`] are encoded as such.
    ///
    /// # Errors
    /// The first character that the encoding cannot represent: nothing is lost silently. `replacement` has no encoder, nor
    /// need a build have one: see [`has_encoder`](Self::has_encoder).
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
        let same = self.same_bytes(text);
        if same == text.len() && self.has_encoder() {
            return Ok(Cow::Borrowed(text.as_bytes()));
        }
        Ok(self.encode_behind(same, text, Unmappable::Fail)?.bytes)
    }

    /// Encodes a whole text and says what to do about characters that the encoding cannot represent. Borrows where
    /// [`encode`](Self::encode) does.
    ///
    /// # Errors
    /// The first of these characters, with [`Unmappable::Fail`], [`Unmappable::Report`], and [`Unmappable::Replace`]
    /// where the encoding cannot represent its character either. `replacement` has no encoder, nor need a build have one: see
    /// [`has_encoder`](Self::has_encoder).
    ///
    /// ```
    /// use textcodec::{BIG5, Unmappable};
    ///
    /// let encoded = BIG5.encode_with("文😀", Unmappable::Html)?;
    /// assert_eq!(*encoded.bytes, *b"\xA4\xE5&#128512;");
    /// assert_eq!(encoded.errors.count(), 1);
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    pub fn encode_with(self, text: &str, unmappable: Unmappable) -> Result<Encoded<'_>, EncodeError> {
        let same = self.same_bytes(text);
        if same == text.len() && self.has_encoder() {
            let bytes = Cow::Borrowed(text.as_bytes());
            return Ok(Encoded { bytes, errors: Errors::default(), unpaired_surrogates: 0 });
        }
        self.encode_behind(same, text, unmappable)
    }

    /// How much of the front of a text is the same bytes in this encoding.
    #[inline]
    fn same_bytes(self, text: &str) -> usize {
        if self == UTF_8 { text.len() } else { self.plain_ascii(text.as_bytes()) }
    }

    /// Encodes a text of which the first bytes are the same.
    fn encode_behind(self, same: usize, text: &str, unmappable: Unmappable) -> Result<Encoded<'static>, EncodeError> {
        let mut encoder = self.encoder_with(unmappable)?;
        let (same, rest) = text.split_at(same);
        encoder.skip(same.len());
        encoder.whole(same.as_bytes(), rest, rest.as_bytes(), 1.0)
    }

    /// Encodes a whole text of UTF-16, which need not be well-formed: a surrogate without its other half is U+FFFD, and
    /// counted.
    ///
    /// # Errors
    /// As for [`encode_with`](Self::encode_with).
    ///
    /// ```
    /// use textcodec::{UTF_8, Unmappable};
    ///
    /// let encoded = UTF_8.encode_utf16(&[0x41, 0xD800], Unmappable::Fail)?;
    /// assert_eq!((&*encoded.bytes, encoded.unpaired_surrogates), ("A\u{FFFD}".as_bytes(), 1));
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    pub fn encode_utf16(self, text: &[u16], unmappable: Unmappable) -> Result<Encoded<'static>, EncodeError> {
        let of_others = match self {
            UTF_8 => 3.0,
            // Pairs, and now and then an escape sequence.
            ISO_2022_JP => 2.5,
            _ if self.is_single_byte() => 1.0,
            _ => 2.0,
        };
        self.encoder_with(unmappable)?.whole(&[], text, text, of_others)
    }

    /// Decodes a whole input by a new decoder that replaces malformed bytes.
    pub(crate) fn decode_replacing(
        self,
        bytes: &[u8],
        bom: Bom,
        decoder: impl FnOnce() -> Decoder,
    ) -> Decoded<Cow<'_, str>> {
        let front = Front::of(bytes, self, bom);
        if front.is_all() {
            return front.borrowed();
        }
        let mut decoder = decoder();
        // No error stops it.
        let text = front.and_the_rest(&mut decoder).unwrap_or_default();
        decoder.into_decoded(text)
    }

    /// How much of the front of `bytes` is ASCII and the same text in this encoding.
    fn plain_ascii(self, bytes: &[u8]) -> usize {
        match self {
            ISO_2022_JP => (Kernels::best().ascii_prefix_without)([0x0E, 0x0F, 0x1B], bytes),
            _ if self.is_ascii_compatible() => utf::ascii_valid_up_to(bytes),
            _ => 0,
        }
    }
}

/// What is known of a whole input before it is decoded: the byte order mark, and how much of the rest is the same text.
struct Front<'a> {
    bytes: &'a [u8],
    encoding: Encoding,
    /// Bytes of the byte order mark.
    mark: usize,
    /// Bytes behind the mark that are the same text.
    same: usize,
}

impl<'a> Front<'a> {
    fn of(bytes: &'a [u8], encoding: Encoding, bom: Bom) -> Self {
        let (encoding, mark) = match bom::look(bom, encoding, bytes, true) {
            Verdict::Found(encoding, mark) => (encoding, mark),
            Verdict::None | Verdict::Undecided => (encoding, 0),
        };
        let same = match encoding {
            UTF_8 => utf::utf8_valid_up_to(&bytes[mark..]),
            _ => encoding.plain_ascii(&bytes[mark..]),
        };
        Self { bytes, encoding, mark, same }
    }

    /// Whether the whole input is the same text.
    fn is_all(&self) -> bool {
        self.mark + self.same == self.bytes.len()
    }

    /// The whole input, which [is the same text](Self::is_all).
    fn borrowed(self) -> Decoded<Cow<'a, str>> {
        let text = Cow::Borrowed(target::utf8(&self.bytes[self.mark..]));
        Decoded { text, encoding: self.encoding, bom_removed: self.mark > 0, errors: Errors::default() }
    }

    /// The rest by a new decoder.
    fn and_the_rest(self, decoder: &mut Decoder) -> Result<Cow<'a, str>, DecodeError> {
        let (same, rest) = decoder.take_bom(self.bytes).split_at(self.same);
        decoder.skip(self.same);
        Ok(Cow::Owned(target::string(decoder.whole(same, rest)?)))
    }
}

impl Decoder {
    /// The same text as `same`, and all that is left of the input.
    fn whole<U: Unit>(&mut self, same: &[U], rest: &[u8]) -> Result<Vec<U>, DecodeError> {
        let mut error = None;
        let of_others = if self.encoding().is_single_byte() { 1.0 } else { 0.5 };
        let likely = self.encoding().is_ascii_compatible().then_some(Likely { of_ascii: 1.0, of_others });
        let most = match self.encoding() {
            // A byte or two give a unit of UTF-16, or two.
            _ if size_of::<U>() > 1 => 1.0,
            // A byte gives three: Thai, and the private use area.
            WINDOWS_874 | X_USER_DEFINED => 3.0,
            _ => 2.0,
        };
        let text = growth::collect(same, rest, likely, most, |from, out| {
            let progress = self.decode(&rest[from..], out, true);
            let full = progress.status == DecodeStatus::OutputFull;
            if let DecodeStatus::Malformed(first) = progress.status {
                error = Some(first);
            }
            (progress.read, full)
        });
        error.map_or(Ok(text), Err)
    }

    fn into_decoded<T>(self, text: T) -> Decoded<T> {
        let summary = self.into_summary();
        Decoded { text, encoding: summary.encoding, bom_removed: summary.bom_removed, errors: summary.errors }
    }
}

impl Encoder {
    /// The same bytes as `same`, and those of all that is left of the text, whose units are `units`. One of them that is not
    /// ASCII is likely to give `of_others` bytes.
    fn whole<S: Source + ?Sized, T: Copy + Into<u32>>(
        mut self,
        same: &[u8],
        rest: &S,
        units: &[T],
        of_others: f64,
    ) -> Result<Encoded<'static>, EncodeError> {
        let mut error = None;
        let of_ascii = if matches!(self.encoding(), UTF_16LE | UTF_16BE) { 2.0 } else { 1.0 };
        let likely = Likely { of_ascii, of_others };
        // Four bytes of gb18030 for a unit of UTF-16, or for two bytes of UTF-8. Elsewhere, some references may be between.
        let most = if self.encoding() == GB18030 { 2.0 } else { 1.25 } * of_others.max(of_ascii);
        let bytes = growth::collect(same, units, Some(likely), most, |from, out| {
            let progress = self.encode(rest.rest(from), out, true);
            let full = progress.status == EncodeStatus::OutputFull;
            if let EncodeStatus::Unmappable(first) = progress.status {
                error = Some(first);
            }
            (progress.read, full)
        });
        if let Some(error) = error {
            return Err(error);
        }
        let summary = self.into_summary();
        Ok(Encoded { bytes: bytes.into(), errors: summary.errors, unpaired_surrogates: summary.unpaired_surrogates })
    }
}
