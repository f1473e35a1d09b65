//! Options for byte order marks, malformed bytes and unmappable characters.

/// How a decoder handles a byte order mark at the start of the input.
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
/// use textcodec::{DecodeOptions, Malformed, UTF_8};
///
/// let options = |malformed| DecodeOptions::new().malformed(malformed);
/// assert_eq!(UTF_8.decode_with(b"a\xFFb", options(Malformed::Replace))?.text, "a\u{FFFD}b");
/// assert!(UTF_8.decode_with(b"a\xFFb", options(Malformed::Fail)).is_err());
///
/// let (mut decoder, mut text) = (UTF_8.decoder_with(options(Malformed::Pause)), String::new());
/// assert!(decoder.push(b"a\xFF", &mut text).is_err());
/// decoder.push(b"b", &mut text)?;
/// assert_eq!(text, "ab");
/// # Ok::<(), textcodec::DecodeError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
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
/// let bytes = |unmappable| WINDOWS_1251.encode_with("Ж¥!", unmappable).map(|encoded| encoded.bytes.into_owned());
/// assert!(bytes(Unmappable::Fail).is_err());
/// assert_eq!(bytes(Unmappable::Html).unwrap(), b"\xC6&#165;!");
/// assert_eq!(bytes(Unmappable::Replace('?')).unwrap(), b"\xC6?!");
/// assert_eq!(bytes(Unmappable::Skip).unwrap(), b"\xC6!");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
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
    /// Write this character instead. If the encoding cannot represent it either, this is the same as [`Fail`](Self::Fail).
    Replace(char),
    /// Write nothing.
    Skip,
}

/// How a [`Decoder`](crate::Decoder) handles byte order marks and malformed bytes. The default is what browsers do.
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
    /// Creates the default options: [`Bom::Sniff`] and [`Malformed::Replace`].
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
    /// assert!(US_ASCII.decode_to_utf16(b"caf\xE9", STRICT).is_err());
    /// ```
    #[must_use]
    pub const fn malformed(self, malformed: Malformed) -> Self {
        Self { malformed, ..self }
    }
}
