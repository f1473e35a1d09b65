//! What the algorithms of HTML, XML and CSS have in common.

use textcodec::Encoding;

use crate::declaration::{Declaration, PRESCAN};

/// The result of [`html::sniff`](crate::html::sniff), [`xml::sniff`](crate::xml::sniff) or [`css::sniff`](crate::css::sniff).
///
/// ```
/// use textcodec::KOI8_R;
/// use textcodec_detect::{Hints, Source, html};
///
/// let page = b"<!doctype html><meta charset=koi8-r>";
/// // Part of the page has arrived. More may change the answer.
/// let sniffed = html::sniff(&page[..20], &Hints::new());
/// assert_eq!((sniffed.source, sniffed.wanted), (Source::Default, 1024 - 20));
/// // All of the declaration has arrived.
/// let sniffed = html::sniff(page, &Hints::new());
/// assert_eq!((sniffed.encoding, sniffed.source, sniffed.wanted), (KOI8_R, Source::Declaration, 0));
/// assert_eq!(sniffed.declaration.map(|declaration| declaration.offset()), Some(15));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sniffed {
    /// The encoding to decode with. A decoder that sniffs byte order marks, which is the default of textcodec, gives the same
    /// result.
    pub encoding: Encoding,
    /// Where the encoding comes from.
    pub source: Source,
    /// The declaration, if the source is [`Source::Declaration`].
    pub declaration: Option<Declaration>,
    /// The number of further bytes that may change the result. With 0, the result is final. Never more than are missing from
    /// 1,024.
    ///
    /// The HTML Standard suggests to wait for 1,024 bytes or 500 ms, whichever comes first. At the end of the input, the result
    /// is final, too.
    pub wanted: usize,
}

impl Sniffed {
    pub(crate) fn new(encoding: Encoding, source: Source, wanted: usize) -> Self {
        Self { encoding, source, declaration: None, wanted }
    }

    /// Returns the declaration if its label is unknown.
    pub(crate) fn declared(declaration: Declaration, wanted: usize) -> Result<Self, Declaration> {
        match declaration.encoding() {
            Some(encoding) => {
                Ok(Self { encoding, source: Source::Declaration, declaration: Some(declaration), wanted })
            }
            None => Err(declaration),
        }
    }

    /// Returns whether the [confidence](https://html.spec.whatwg.org/multipage/parsing.html#concept-encoding-confidence) of the
    /// HTML Standard is *certain*. Otherwise it is *tentative*: a parser that finds a `<meta>` element with another encoding
    /// has to [change the encoding](https://html.spec.whatwg.org/multipage/parsing.html#change-the-encoding).
    ///
    /// ```
    /// use textcodec_detect::{Hints, html};
    ///
    /// assert!(html::sniff(b"\xEF\xBB\xBF<p>", &Hints::new()).is_certain());
    /// assert!(!html::sniff(b"<meta charset=utf-8>", &Hints::new()).is_certain());
    /// ```
    #[must_use]
    pub fn is_certain(&self) -> bool {
        matches!(self.source, Source::Bom | Source::User | Source::Transport)
    }
}

/// Where an encoding comes from, in order of precedence.
///
/// ```
/// use textcodec::{BIG5, GBK, KOI8_R, SHIFT_JIS};
/// use textcodec_detect::{Hints, Source, html};
///
/// let hints = Hints::new().user(GBK).transport(BIG5).parent(KOI8_R).likely(SHIFT_JIS);
/// let source = |page: &str, hints: Hints| html::sniff(page.as_bytes(), &hints).source;
/// assert_eq!(source("\u{FEFF}<meta charset=euc-kr>", hints.clone()), Source::Bom);
/// assert_eq!(source("<meta charset=euc-kr>", hints.clone()), Source::User);
/// assert_eq!(source("<meta charset=euc-kr>", hints.clone().user(None)), Source::Transport);
/// let hints = hints.user(None).transport(None);
/// assert_eq!(source("<meta charset=euc-kr>", hints.clone()), Source::Declaration);
/// assert_eq!(source("<p>", hints.clone()), Source::Parent);
/// assert_eq!(source("<p>", hints.parent(None)), Source::Likely);
/// assert_eq!(source("<p>", Hints::new()), Source::Default);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Source {
    /// A byte order mark.
    Bom,
    /// [`Hints::user`](crate::Hints::user)
    User,
    /// [`Hints::transport`](crate::Hints::transport)
    Transport,
    /// The text itself: [`Sniffed::declaration`].
    Declaration,
    /// [`Hints::parent`](crate::Hints::parent)
    Parent,
    /// [`Hints::likely`](crate::Hints::likely)
    Likely,
    /// Nothing was found. For HTML, the encoding is [`Hints::fallback`](crate::Hints::fallback), for XML and CSS, it is UTF-8.
    Default,
}

/// Returns the number of bytes that are missing to know whether there is a byte order mark. There is none yet.
pub(crate) fn wanted_for_bom(start: &[u8]) -> usize {
    let marks = [&b"\xEF\xBB\xBF"[..], b"\xFE\xFF", b"\xFF\xFE"].into_iter();
    marks.filter_map(|mark| mark.strip_prefix(start)).map(<[u8]>::len).max().unwrap_or(0)
}

/// Returns the number of bytes that are missing from those that are searched.
pub(crate) fn wanted_for_prescan(start: &[u8]) -> usize {
    PRESCAN.saturating_sub(start.len())
}
