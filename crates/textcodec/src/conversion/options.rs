//! Options for byte order marks, malformed bytes, unassigned bytes, unmappable characters and unpaired surrogates.

/// How a decoder handles a byte order mark at the start of the input.
///
/// ```
/// use textcodec::{Bom, UTF_8, UTF_16LE, WINDOWS_1252};
///
/// let bytes = b"\xEF\xBB\xBFabc";
/// let text = |encoding: textcodec::Encoding, bom: Bom| encoding.decode_with(bytes, bom).unwrap().text;
/// assert_eq!(text(WINDOWS_1252, Bom::Sniff), "abc");
/// assert_eq!(text(WINDOWS_1252, Bom::StripOwn), "ï»¿abc");
/// assert_eq!(text(UTF_8, Bom::StripOwn), "abc");
/// assert_eq!(text(UTF_8, Bom::Keep), "\u{FEFF}abc");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[doc(alias("byte order mark", "utf-8-sig"))]
pub enum Bom {
    /// Remove a mark of UTF-8, UTF-16BE or UTF-16LE, and decode that encoding instead of the requested one. This is what
    /// browsers do: the standard's [decode](https://encoding.spec.whatwg.org/#decode).
    #[default]
    Sniff,
    /// Remove a mark of the requested encoding. Any other mark is text.
    StripOwn,
    /// Treat a mark as text.
    Keep,
}

/// How a decoder handles malformed bytes: its [error mode](https://encoding.spec.whatwg.org/#error-mode).
///
/// ```
/// use textcodec::{Malformed, UTF_8};
///
/// assert_eq!(UTF_8.decode_with(b"a\xFFb", Malformed::Replace)?.text, "a\u{FFFD}b");
/// assert!(UTF_8.decode_with(b"a\xFFb", Malformed::Fail).is_err());
///
/// let (mut decoder, mut text) = (UTF_8.decoder_with(Malformed::Pause), String::new());
/// assert!(decoder.push(b"a\xFF", &mut text).is_err());
/// decoder.push(b"b", &mut text)?;
/// assert_eq!(text, "ab");
/// # Ok::<(), textcodec::DecodeError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[doc(alias("lossy", "strict", "DecoderTrap"))]
pub enum Malformed {
    /// Write U+FFFD for each malformed sequence, and count them. This is error mode "replacement".
    #[default]
    Replace,
    /// Stop at the first malformed sequence. Further calls return the same error until
    /// [`Decoder::reset`](crate::Decoder::reset). This is error mode "fatal".
    Fail,
    /// Stop at each malformed sequence. The next call continues after it. For a whole input in a single call, this is the
    /// same as [`Fail`](Self::Fail).
    Pause,
}

/// How an encoder handles unmappable characters, which its encoding cannot represent: its
/// [error mode](https://encoding.spec.whatwg.org/#error-mode).
///
/// ```
/// use textcodec::{Unmappable, WINDOWS_1251};
///
/// let bytes = |unmappable: Unmappable| WINDOWS_1251.encode_with("Ж¥!", unmappable).map(|encoded| encoded.bytes.into_owned());
/// assert!(bytes(Unmappable::Fail).is_err());
/// assert_eq!(bytes(Unmappable::Html).unwrap(), b"\xC6&#165;!");
/// assert_eq!(bytes(Unmappable::Replace('?')).unwrap(), b"\xC6?!");
/// assert_eq!(bytes(Unmappable::Skip).unwrap(), b"\xC6!");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[doc(alias("lossy", "strict", "xmlcharrefreplace", "EncoderTrap"))]
pub enum Unmappable {
    /// Stop at the first unmappable character. Further calls return the same error until
    /// [`Encoder::reset`](crate::Encoder::reset). This is error mode "fatal".
    #[default]
    Fail,
    /// Stop at each unmappable character. The next call continues after it. For a whole text in a single call, this is the
    /// same as [`Fail`](Self::Fail).
    Pause,
    /// Write a numeric character reference, such as `&#165;`. This is error mode "html", which web forms use.
    Html,
    /// Write this character instead. If the encoding cannot represent it either, the first unmappable character is an error as with
    /// [`Fail`](Self::Fail): [`EncodeReason::UnmappableReplacement`](crate::EncodeReason::UnmappableReplacement).
    /// [`Encoding::can_encode`](crate::Encoding::can_encode) tells before.
    Replace(char),
    /// Write nothing.
    Skip,
}

/// How a [`Decoder`](crate::Decoder) handles byte order marks, malformed bytes and unassigned bytes. The default is what
/// browsers do.
///
/// Functions that take options also take a [`Bom`] or a [`Malformed`] alone.
///
/// ```
/// use textcodec::{Bom, DecodeOptions, Malformed, UTF_16LE};
///
/// let options = DecodeOptions::new().bom(Bom::StripOwn).malformed(Malformed::Fail);
/// assert!(UTF_16LE.decode_with(b"\x00\xDC", options).is_err());
/// assert!(UTF_16LE.decode_with(b"\x00\xDC", Malformed::Fail).is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DecodeOptions {
    pub(crate) bom: Bom,
    pub(crate) malformed: Malformed,
    pub(crate) reject_unassigned: bool,
}

impl DecodeOptions {
    /// Creates the default options: [`Bom::Sniff`] and [`Malformed::Replace`]; unassigned bytes decode to controls.
    ///
    /// ```
    /// use textcodec::DecodeOptions;
    ///
    /// assert_eq!(DecodeOptions::new(), DecodeOptions::default());
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { bom: Bom::Sniff, malformed: Malformed::Replace, reject_unassigned: false }
    }

    /// Sets how a byte order mark is handled.
    ///
    /// ```
    /// use textcodec::{Bom, DecodeOptions, UTF_16LE};
    ///
    /// let decoded = UTF_16LE.decode_with(b"\xFF\xFEa\0", DecodeOptions::new().bom(Bom::Keep))?;
    /// assert_eq!(decoded.text, "\u{FEFF}a");
    /// # Ok::<(), textcodec::DecodeError>(())
    /// ```
    #[must_use]
    pub const fn bom(self, bom: Bom) -> Self {
        Self { bom, ..self }
    }

    /// Sets how malformed bytes are handled.
    ///
    /// ```
    /// use textcodec::{DecodeOptions, Malformed, US_ASCII};
    ///
    /// const STRICT: DecodeOptions = DecodeOptions::new().malformed(Malformed::Fail);
    /// assert!(US_ASCII.decode_to_utf16_with(b"caf\xE9", STRICT).is_err());
    /// ```
    #[must_use]
    pub const fn malformed(self, malformed: Malformed) -> Self {
        Self { malformed, ..self }
    }

    /// Sets whether bytes that Microsoft's code page does not assign are malformed. By default they are not: the standard
    /// decodes 81 in windows-1252 to U+0081, and never fails in an encoding that [is total](crate::Encoding::is_total).
    ///
    /// This concerns windows-874 and windows-1250 to windows-1258: their bytes from 80 to 9F that decode to the control
    /// character of the same number. The reason of the error is
    /// [`DecodeReason::InvalidByte`](crate::DecodeReason::InvalidByte).
    ///
    /// ```
    /// use textcodec::{DecodeOptions, Malformed, WINDOWS_1252};
    ///
    /// // UTF-8, not windows-1252: "Ĺ" is C4 B9, and "ā" is C4 81.
    /// let bytes = "Ĺā".as_bytes();
    /// assert_eq!(WINDOWS_1252.decode_strict(bytes)?, "Ä¹Ä\u{81}");
    /// let options = DecodeOptions::new().malformed(Malformed::Fail).reject_unassigned(true);
    /// assert_eq!(WINDOWS_1252.decode_with(bytes, options).unwrap_err().range(), 3..4);
    /// # Ok::<(), textcodec::DecodeError>(())
    /// ```
    #[must_use]
    pub const fn reject_unassigned(self, reject: bool) -> Self {
        Self { reject_unassigned: reject, ..self }
    }
}

impl From<Bom> for DecodeOptions {
    fn from(bom: Bom) -> Self {
        Self::new().bom(bom)
    }
}

impl From<Malformed> for DecodeOptions {
    fn from(malformed: Malformed) -> Self {
        Self::new().malformed(malformed)
    }
}

/// How an [`Encoder`](crate::Encoder) handles unmappable characters and unpaired surrogates, and whether it writes a byte order
/// mark.
///
/// Functions that take options also take an [`Unmappable`] alone.
///
/// ```
/// use textcodec::{EncodeOptions, UTF_16LE, Unmappable, WINDOWS_1252};
///
/// let options = EncodeOptions::new().unmappable(Unmappable::Html).bom(true);
/// assert_eq!(*UTF_16LE.encode_with("a", options)?.bytes, *b"\xFF\xFEa\0");
/// assert_eq!(*WINDOWS_1252.encode_with("字", options)?.bytes, *b"&#23383;");
/// assert_eq!(*WINDOWS_1252.encode_with("字", Unmappable::Skip)?.bytes, *b"");
/// # Ok::<(), textcodec::EncodeError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct EncodeOptions {
    pub(crate) unmappable: Unmappable,
    pub(crate) bom: bool,
    pub(crate) reject_unpaired: bool,
}

impl EncodeOptions {
    /// Creates the default options: [`Unmappable::Fail`], and no byte order mark; unpaired surrogates are encoded as U+FFFD.
    ///
    /// ```
    /// use textcodec::EncodeOptions;
    ///
    /// assert_eq!(EncodeOptions::new(), EncodeOptions::default());
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { unmappable: Unmappable::Fail, bom: false, reject_unpaired: false }
    }

    /// Sets how unmappable characters are handled.
    ///
    /// ```
    /// use textcodec::{EncodeOptions, KOI8_R, Unmappable};
    ///
    /// let options = EncodeOptions::new().unmappable(Unmappable::Replace('?'));
    /// assert_eq!(*KOI8_R.encode_with("a字", options)?.bytes, *b"a?");
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    #[must_use]
    pub const fn unmappable(self, unmappable: Unmappable) -> Self {
        Self { unmappable, ..self }
    }

    /// Sets whether the output starts with a byte order mark, if the encoding has one: UTF-8, UTF-16BE and UTF-16LE.
    ///
    /// Even an empty text gets a mark. The mark does not count in offsets. A U+FEFF at the start of the text is encoded too.
    ///
    /// ```
    /// use textcodec::{EncodeOptions, UTF_8, UTF_16BE};
    ///
    /// let options = EncodeOptions::new().bom(true);
    /// assert_eq!(*UTF_8.encode_with("a", options)?.bytes, *b"\xEF\xBB\xBFa");
    /// assert_eq!(*UTF_16BE.encode_with("", options)?.bytes, *b"\xFE\xFF");
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    #[must_use]
    pub const fn bom(self, bom: bool) -> Self {
        Self { bom, ..self }
    }

    /// Sets whether unpaired surrogates in UTF-16 are errors. By default they are not: the standard converts text to scalar
    /// values before it encodes, so an unpaired surrogate is encoded as U+FFFD, and is lost even with [`Unmappable::Fail`].
    ///
    /// The option `unmappable` also applies to these errors, in every encoding. Their reason is
    /// [`EncodeReason::UnpairedSurrogate`](crate::EncodeReason::UnpairedSurrogate). [`Unmappable::Html`] writes U+FFFD if the
    /// encoding can represent it, and `&#65533;` otherwise. UTF-8 has no surrogates, but a high surrogate at the end of a chunk
    /// of UTF-16 is unpaired if the next chunk is UTF-8. To keep unpaired surrogates, use WTF-8: [`wtf8`](crate::wtf8).
    ///
    /// ```
    /// use textcodec::{EncodeOptions, EncodeReason, UTF_8, Unmappable};
    ///
    /// let name = [0x61, 0xD83D, 0x62];
    /// assert_eq!(UTF_8.encode_from_utf16(&name)?, "a\u{FFFD}b".as_bytes());
    ///
    /// let options = EncodeOptions::new().reject_unpaired_surrogates(true);
    /// let error = UTF_8.encode_from_utf16_with(&name, options).unwrap_err();
    /// assert_eq!((error.reason(), error.range()), (EncodeReason::UnpairedSurrogate, 1..2));
    ///
    /// let encoded = UTF_8.encode_from_utf16_with(&name, options.unmappable(Unmappable::Replace('?')))?;
    /// assert_eq!((&*encoded.bytes, encoded.errors.count()), (&b"a?b"[..], 1));
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    #[must_use]
    pub const fn reject_unpaired_surrogates(self, reject: bool) -> Self {
        Self { reject_unpaired: reject, ..self }
    }
}

impl From<Unmappable> for EncodeOptions {
    fn from(unmappable: Unmappable) -> Self {
        Self::new().unmappable(unmappable)
    }
}
