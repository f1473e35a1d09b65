//! Style sheets: [determine the fallback encoding](https://drafts.csswg.org/css-syntax/#determine-the-fallback-encoding),
//! section 3.2 of CSS Syntax.
//!
//! ```
//! use textcodec::{ISO_8859_2, KOI8_R};
//! use textcodec_detect::{Hints, Source, css};
//!
//! let sheet = b"@charset \"iso-8859-2\"; q::before { content: '\xAB' }";
//! // The encoding of the page that links the style sheet.
//! let hints = Hints::new().parent(KOI8_R);
//! let sniffed = css::sniff(sheet, &hints);
//! assert_eq!((sniffed.encoding, sniffed.source), (ISO_8859_2, Source::Declaration));
//! assert!(sniffed.encoding.decode(sheet).text.contains('Ť'));
//! ```

use textcodec::{Encoding, UTF_8};

use crate::{
    declaration::{Declaration, Form, PRESCAN},
    options::Hints,
    sniff::{Sniffed, Source, wanted_for_bom, wanted_for_prescan},
};

/// Determines the encoding of a style sheet.
///
/// `start` is what is available of it. More than 1,024 bytes make no difference. The precedence:
///
/// 1. a byte order mark, as in the Encoding Standard's decode algorithm, which CSS uses
/// 2. [`Hints::transport`]
/// 3. `@charset "…";` in exactly these bytes at the start, with a known label. UTF-16 means UTF-8
/// 4. [`Hints::parent`], the environment encoding
/// 5. UTF-8
///
/// ```
/// use textcodec::{GBK, UTF_8};
/// use textcodec_detect::{Hints, css};
///
/// let encoding = |sheet: &str| css::sniff(sheet.as_bytes(), &Hints::new()).encoding;
/// assert_eq!(encoding("@charset \"gbk\";"), GBK);
/// assert_eq!(encoding("@charset 'gbk';"), UTF_8);
/// assert_eq!(encoding("@charset \"utf-16\";"), UTF_8);
/// ```
#[must_use]
pub fn sniff(start: &[u8], hints: &Hints) -> Sniffed {
    let start = &start[..start.len().min(PRESCAN)];
    if let Some((encoding, _)) = Encoding::for_bom(start) {
        return Sniffed::new(encoding, Source::Bom, 0);
    }
    let for_bom = wanted_for_bom(start);
    if let Some(encoding) = hints.transport {
        return Sniffed::new(encoding, Source::Transport, for_bom); // 1
    }
    if let Some(sniffed) = declaration(start).and_then(|declaration| Sniffed::declared(declaration, 0).ok()) {
        return sniffed; // 2
    }
    let wanted = if is_incomplete(start) { wanted_for_prescan(start) } else { for_bom };
    match hints.parent {
        Some(encoding) => Sniffed::new(encoding, Source::Parent, wanted), // 3
        None => Sniffed::new(UTF_8, Source::Default, wanted),             // 4
    }
}

/// Matches `@charset "…";`, if its label is known or looks like one.
pub(crate) fn declaration(text: &[u8]) -> Option<Declaration> {
    let rest = text.strip_prefix(START)?;
    let label = &rest[..rest.iter().position(|&byte| byte == b'"')?];
    if !rest[label.len() + 1..].starts_with(b";") || !label.is_ascii() {
        return None;
    }
    Declaration::new(text, Encoding::for_label(label), Form::Css, 0, START.len()..START.len() + label.len())
}

/// Returns whether more bytes could make this a declaration.
fn is_incomplete(text: &[u8]) -> bool {
    let Some(rest) = text.strip_prefix(START) else { return START.starts_with(text) };
    let len = rest.iter().position(|&byte| byte == b'"' || !byte.is_ascii()).unwrap_or(rest.len());
    matches!(&rest[len..], [] | [b'"'])
}

const START: &[u8] = b"@charset \"";
