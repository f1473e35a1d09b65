//! What to do about byte order marks, malformed bytes and unmappable characters.

/// What to do about a byte order mark at the start of the input.
///
/// ```
/// use textcodec::{Bom, DecodeOptions, UTF_8, UTF_16LE, WINDOWS_1252};
///
/// let bytes = b"\xEF\xBB\xBFabc";
/// let text = |encoding: textcodec::Encoding, bom| {
///     encoding.decode_with(bytes, DecodeOptions::new().bom(bom)).unwrap().text
/// };
/// assert_eq!(text(WINDOWS_1252, Bom::Sniff), "abc");
/// assert_eq!(text(WINDOWS_1252, Bom::StripOwn), "ï»¿abc");
/// assert_eq!(text(UTF_8, Bom::StripOwn), "abc");
/// assert_eq!(text(UTF_8, Bom::Keep), "\u{FEFF}abc");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Bom {
    /// The byte order mark of UTF-8, UTF-16BE or UTF-16LE wins over the encoding that was asked for, and is removed: what
    /// browsers do ([decode](https://encoding.spec.whatwg.org/#decode)).
    #[default]
    Sniff,
    /// The mark of the encoding that was asked for is removed; any other is text.
    StripOwn,
    /// A mark is text.
    Keep,
}

/// What to do about malformed bytes: the [error mode](https://encoding.spec.whatwg.org/#error-mode) of a decoder.
///
/// ```
/// use textcodec::{DecodeOptions, Malformed, UTF_8};
///
/// let options = |malformed| DecodeOptions::new().malformed(malformed);
/// assert_eq!(UTF_8.decode_with(b"a\xFFb", options(Malformed::Replace))?.text, "a\u{FFFD}b");
/// assert!(UTF_8.decode_with(b"a\xFFb", options(Malformed::Fail)).is_err());
///
/// let (mut decoder, mut text) = (UTF_8.decoder_with(options(Malformed::Report)), String::new());
/// assert!(decoder.push(b"a\xFF", &mut text).is_err());
/// decoder.push(b"b", &mut text)?;
/// assert_eq!(text, "ab");
/// # Ok::<(), textcodec::DecodeError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Malformed {
    /// Write U+FFFD for each malformed sequence and count them: error mode "replacement".
    #[default]
    Replace,
    /// Stop at the first one: error mode "fatal". The decoder is finished then: each further call gives the same error until
    /// [`Decoder::reset`](crate::Decoder::reset).
    Fail,
    /// Stop at each one; the next call goes on behind it. For a whole input in one call, the same as
    /// [`Fail`](Self::Fail).
    Report,
}

/// What to do about characters that an encoding cannot represent: the
/// [error mode](https://encoding.spec.whatwg.org/#error-mode) of an encoder.
///
/// ```
/// use textcodec::{Unmappable, WINDOWS_1251};
///
/// let bytes = |unmappable| WINDOWS_1251.encode_with("Ж¥!", unmappable).map(|encoded| encoded.bytes.into_owned());
/// assert!(bytes(Unmappable::Fail).is_err());
/// assert_eq!(bytes(Unmappable::Html).unwrap(), b"\xC6&#165;!");
/// assert_eq!(bytes(Unmappable::Replace('?')).unwrap(), b"\xC6?!");
/// assert_eq!(bytes(Unmappable::Skip).unwrap(), b"\xC6!");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Unmappable {
    /// Stop at the first one: error mode "fatal". The encoder is finished then: each further call gives the same error until
    /// [`Encoder::reset`](crate::Encoder::reset).
    #[default]
    Fail,
    /// Stop at each one; the next call goes on behind it. For a whole text in one call, the same as
    /// [`Fail`](Self::Fail).
    Report,
    /// Write `&#` the code point in decimal `;`: error mode "html", which is what forms on the web send.
    Html,
    /// Write this character. It must be in the encoding's repertoire; where it is not, this is [`Fail`](Self::Fail).
    Replace(char),
    /// Write nothing.
    Skip,
}

/// How a [`Decoder`](crate::Decoder) treats byte order marks and malformed bytes. The default is what browsers do.
///
/// ```
/// use textcodec::{Bom, DecodeOptions, Malformed, UTF_16LE};
///
/// let options = DecodeOptions::new().bom(Bom::StripOwn).malformed(Malformed::Fail);
/// assert!(UTF_16LE.decode_with(b"\x00\xDC", options).is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DecodeOptions {
    pub(crate) bom: Bom,
    pub(crate) malformed: Malformed,
}

impl DecodeOptions {
    /// The default: [`Bom::Sniff`] and [`Malformed::Replace`].
    ///
    /// ```
    /// use textcodec::DecodeOptions;
    ///
    /// assert_eq!(DecodeOptions::new(), DecodeOptions::default());
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { bom: Bom::Sniff, malformed: Malformed::Replace }
    }

    /// What to do about a byte order mark.
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

    /// What to do about malformed bytes.
    ///
    /// ```
    /// use textcodec::{DecodeOptions, Malformed, STRICT_ASCII};
    ///
    /// const STRICT: DecodeOptions = DecodeOptions::new().malformed(Malformed::Fail);
    /// assert!(STRICT_ASCII.decode_to_utf16(b"caf\xE9", STRICT).is_err());
    /// ```
    #[must_use]
    pub const fn malformed(self, malformed: Malformed) -> Self {
        Self { malformed, ..self }
    }
}
