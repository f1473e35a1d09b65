//! What the caller knows, and what it wants.

use alloc::{string::String, vec::Vec};

use textcodec::Encoding;
use textcodec_language::Language;

use crate::mime;

/// What is known about bytes from elsewhere.
///
/// Everything is optional. This is what uses it:
///
/// | hint | [`html`](crate::html) | [`xml`](crate::xml) | [`css`](crate::css) | [`Detector`](crate::Detector) |
/// |---|---|---|---|---|
/// | [`user`](Self::user) | after a byte order mark | | | |
/// | [`transport`](Self::transport), [`content_type`](Self::content_type) | next | after a byte order mark | after a byte order mark | a declaration that must fit |
/// | [`parent`](Self::parent) | if nothing is declared | | if nothing is declared | |
/// | [`likely`](Self::likely) | next | | | |
/// | [`fallback`](Self::fallback) | last | | | if nothing is guessed |
/// | [`top_level_domain`](Self::top_level_domain) | | | | for the guess |
///
/// ```
/// use textcodec::KOI8_R;
/// use textcodec_detect::{Hints, Source, html};
///
/// let hints = Hints::new().content_type("text/html; charset=koi8-r");
/// let sniffed = html::sniff(b"<meta charset=gbk>", &hints);
/// assert_eq!((sniffed.encoding, sniffed.source), (KOI8_R, Source::Transport));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    pub(crate) user: Option<Encoding>,
    pub(crate) transport: Option<Encoding>,
    pub(crate) parent: Option<Encoding>,
    pub(crate) likely: Option<Encoding>,
    pub(crate) fallback: Option<Encoding>,
    pub(crate) top_level_domain: Option<String>,
}

impl Hints {
    /// Creates hints that say nothing.
    ///
    /// ```
    /// use textcodec::WINDOWS_1252;
    /// use textcodec_detect::{Hints, html};
    ///
    /// assert_eq!(html::sniff(b"", &Hints::new()).encoding, WINDOWS_1252);
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the encoding that the user chose instead of the page's own: step 2 of HTML's [encoding sniffing
    /// algorithm](https://html.spec.whatwg.org/multipage/parsing.html#encoding-sniffing-algorithm). Only a byte order mark wins
    /// over it.
    ///
    /// ```
    /// use textcodec::GBK;
    /// use textcodec_detect::{Hints, Source, html};
    ///
    /// let sniffed = html::sniff(b"<meta charset=koi8-r>", &Hints::new().user(GBK));
    /// assert_eq!((sniffed.encoding, sniffed.source), (GBK, Source::User));
    /// ```
    #[must_use]
    pub fn user(mut self, encoding: impl Into<Option<Encoding>>) -> Self {
        self.user = encoding.into();
        self
    }

    /// Sets the encoding that the transport layer specifies. For a whole header, use [`content_type`](Self::content_type).
    ///
    /// ```
    /// use textcodec::{Encoding, EUC_KR};
    /// use textcodec_detect::{Hints, css};
    ///
    /// let hints = Hints::new().transport(Encoding::for_label("euc-kr"));
    /// assert_eq!(css::sniff(b"@charset \"gbk\";", &hints).encoding, EUC_KR);
    /// ```
    #[must_use]
    pub fn transport(mut self, encoding: impl Into<Option<Encoding>>) -> Self {
        self.transport = encoding.into();
        self
    }

    /// Sets the encoding that the transport layer specifies, from the value of a `Content-Type` header of HTTP or mail.
    ///
    /// It is read as the MIME Sniffing Standard says: [parse a MIME
    /// type](https://mimesniff.spec.whatwg.org/#parse-a-mime-type). An unknown label, or none, is no hint, as in browsers.
    ///
    /// ```
    /// use textcodec::{SHIFT_JIS, WINDOWS_1252};
    /// use textcodec_detect::{Hints, html};
    ///
    /// let encoding = |header: &str| html::sniff(b"", &Hints::new().content_type(header)).encoding;
    /// assert_eq!(encoding("text/html; profile=x;Charset=\"shift_jis\""), SHIFT_JIS);
    /// assert_eq!(encoding("text/html; charset=unknown"), WINDOWS_1252);
    /// ```
    #[must_use]
    pub fn content_type(self, header: impl AsRef<[u8]>) -> Self {
        let encoding = mime::charset(header.as_ref()).and_then(Encoding::for_label);
        self.transport(encoding)
    }

    /// Sets the encoding of the document that contains or loads this one. Set it only if HTML and CSS say so:
    ///
    /// - for a page in a frame, the encoding of the [container
    ///   document](https://html.spec.whatwg.org/multipage/document-sequences.html#doc-container-document), if it has the same
    ///   origin. UTF-16 is ignored, as the standard says;
    /// - for a style sheet, the [environment encoding](https://drafts.csswg.org/css-syntax/#environment-encoding): that of the
    ///   page that links it.
    ///
    /// ```
    /// use textcodec::{KOI8_R, UTF_16LE, WINDOWS_1252};
    /// use textcodec_detect::{Hints, css, html};
    ///
    /// assert_eq!(html::sniff(b"<p>", &Hints::new().parent(KOI8_R)).encoding, KOI8_R);
    /// assert_eq!(html::sniff(b"<p>", &Hints::new().parent(UTF_16LE)).encoding, WINDOWS_1252);
    /// assert_eq!(css::sniff(b"p {}", &Hints::new().parent(KOI8_R)).encoding, KOI8_R);
    /// ```
    #[must_use]
    pub fn parent(mut self, encoding: impl Into<Option<Encoding>>) -> Self {
        self.parent = encoding.into();
        self
    }

    /// Sets the encoding that the page probably has, for example because it had it at the last visit: step 7 of HTML's encoding
    /// sniffing algorithm.
    ///
    /// ```
    /// use textcodec::BIG5;
    /// use textcodec_detect::{Hints, Source, html};
    ///
    /// let sniffed = html::sniff(b"<p>", &Hints::new().likely(BIG5));
    /// assert_eq!((sniffed.encoding, sniffed.source), (BIG5, Source::Likely));
    /// ```
    #[must_use]
    pub fn likely(mut self, encoding: impl Into<Option<Encoding>>) -> Self {
        self.likely = encoding.into();
        self
    }

    /// Sets the encoding to use if nothing else is found. The default is windows-1252.
    ///
    /// [`html::default_for_language`](crate::html::default_for_language) has the encodings that browsers use.
    ///
    /// ```
    /// use textcodec::UTF_8;
    /// use textcodec_detect::{Hints, html};
    ///
    /// assert_eq!(html::sniff(b"<p>", &Hints::new().fallback(UTF_8)).encoding, UTF_8);
    /// ```
    #[must_use]
    pub fn fallback(mut self, encoding: impl Into<Option<Encoding>>) -> Self {
        self.fallback = encoding.into();
        self
    }

    /// Sets the top-level domain from which the text comes, such as `jp` or `xn--p1ai`, for the guess.
    ///
    /// ASCII case and a leading dot are ignored, and so is a name that is not ASCII or has another dot.
    ///
    /// ```
    /// use textcodec_detect::{DetectOptions, Hints, detect_with};
    ///
    /// let hints = Hints::new().top_level_domain("ru");
    /// let detection = detect_with(b"\xCF\xF0\xE8\xE2\xE5\xF2", DetectOptions::new().hints(hints));
    /// # if cfg!(feature = "guess") {
    /// assert_eq!(detection.encoding, textcodec::WINDOWS_1251);
    /// # }
    /// ```
    #[must_use]
    pub fn top_level_domain(mut self, domain: impl AsRef<str>) -> Self {
        let domain = domain.as_ref();
        let domain = domain.strip_prefix('.').unwrap_or(domain);
        let is_label = !domain.is_empty() && domain.is_ascii() && !domain.contains('.');
        self.top_level_domain = is_label.then(|| domain.to_ascii_lowercase());
        self
    }
}

/// Options for a [`Detector`](crate::Detector).
///
/// ```
/// use textcodec::{KOI8_R, WINDOWS_1251};
/// use textcodec_detect::{DetectOptions, Evidence, detect_with};
///
/// // A page that was converted, but kept the declaration of the original.
/// let page = WINDOWS_1251.encode("<meta charset=koi8-r>Сегодня утром шёл дождь, но к вечеру небо прояснилось.")?;
/// assert_eq!(detect_with(&page, DetectOptions::new()).encoding, KOI8_R);
/// let detection = detect_with(&page, DetectOptions::new().declarations(false));
/// # if cfg!(feature = "guess") {
/// assert_eq!((detection.encoding, detection.evidence), (WINDOWS_1251, Evidence::Guess));
/// # }
/// # Ok::<(), textcodec::EncodeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DetectOptions {
    pub(crate) declarations: bool,
    pub(crate) guess: bool,
    pub(crate) hints: Hints,
    pub(crate) candidates: Vec<Encoding>,
    pub(crate) languages: Vec<Language>,
}

impl DetectOptions {
    /// Creates options that look for declarations, guess if the feature `guess` is on, and have no hints.
    ///
    /// ```
    /// use textcodec_detect::DetectOptions;
    ///
    /// assert_eq!(DetectOptions::new(), DetectOptions::default());
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self { declarations: true, guess: true, hints: Hints::new(), candidates: Vec::new(), languages: Vec::new() }
    }

    /// Sets whether declarations in the text are evidence. The default is `true`.
    ///
    /// Use `false` for text that may have been converted since it got its declarations. The encoding from
    /// [`Hints::transport`] is not affected.
    ///
    /// ```
    /// use textcodec_detect::{DetectOptions, Evidence, detect_with};
    ///
    /// let detection = detect_with(b"<meta charset=gbk>", DetectOptions::new().declarations(false));
    /// assert_eq!(detection.evidence, Evidence::Ascii);
    /// ```
    #[must_use]
    pub fn declarations(mut self, declarations: bool) -> Self {
        self.declarations = declarations;
        self
    }

    /// Sets whether to guess from the statistics of text. The default is `true`. Without the feature `guess`, this has no
    /// effect, and nothing is guessed.
    ///
    /// Without a guess, text without other evidence gets the encoding from [`Hints::fallback`]. The result then
    /// follows from rules alone.
    ///
    /// ```
    /// use textcodec::WINDOWS_1252;
    /// use textcodec_detect::{Confidence, DetectOptions, Evidence, detect_with};
    ///
    /// let detection = detect_with(b"caf\xE9", DetectOptions::new().guess(false));
    /// assert_eq!((detection.encoding, detection.evidence), (WINDOWS_1252, Evidence::Fallback));
    /// assert_eq!(detection.confidence, Confidence::Low);
    /// ```
    #[must_use]
    pub fn guess(mut self, guess: bool) -> Self {
        self.guess = guess;
        self
    }

    /// Sets what is known about the text from elsewhere.
    ///
    /// ```
    /// use textcodec::{KOI8_R, UTF_8};
    /// use textcodec_detect::{DetectOptions, Hints, detect_with};
    ///
    /// let options = DetectOptions::new().hints(Hints::new().content_type("text/plain; charset=koi8-r"));
    /// assert_eq!(detect_with(b"\xF4\xC5\xCB\xD3\xD4", options.clone()).encoding, KOI8_R);
    /// // The bytes contradict the header.
    /// assert_eq!(detect_with("Текст".as_bytes(), options).encoding, UTF_8);
    /// ```
    #[must_use]
    pub fn hints(mut self, hints: Hints) -> Self {
        self.hints = hints;
        self
    }

    /// Sets the encodings of which the guess is one. The default is none, which means all encodings that text has.
    ///
    /// They change nothing if there is other evidence: a byte order mark, a declaration, or the structure of an encoding. If another
    /// encoding is far likelier, the confidence is low.
    ///
    /// ```
    /// use textcodec::{ISO_8859_2, WINDOWS_1250};
    /// use textcodec_detect::{DetectOptions, detect_with};
    ///
    /// let options = DetectOptions::new().candidates([ISO_8859_2, WINDOWS_1250]);
    /// let detection = detect_with(b"Dne\xB9 sv\xEDt\xED slunce.", options);
    /// # if cfg!(feature = "guess") {
    /// assert_eq!(detection.encoding, ISO_8859_2);
    /// # }
    /// ```
    #[must_use]
    pub fn candidates(mut self, encodings: impl IntoIterator<Item = Encoding>) -> Self {
        self.candidates = encodings.into_iter().collect();
        self
    }

    /// Sets the languages of which the text probably is in one, for the guess. Others remain possible.
    ///
    /// ```
    /// use textcodec::WINDOWS_1257;
    /// use textcodec_detect::{DetectOptions, Language, detect_with};
    ///
    /// let options = DetectOptions::new().languages(Language::for_tag("lt"));
    /// let detection = detect_with(b"E\xFEeras dar neu\xF0\xE0l\xE6s.", options);
    /// # if cfg!(feature = "guess") {
    /// assert_eq!(detection.encoding, WINDOWS_1257);
    /// # }
    /// ```
    #[must_use]
    pub fn languages(mut self, languages: impl IntoIterator<Item = Language>) -> Self {
        self.languages = languages.into_iter().collect();
        self
    }
}

impl Default for DetectOptions {
    fn default() -> Self {
        Self::new()
    }
}
