//! XML documents: [appendix F](https://www.w3.org/TR/xml/#sec-guessing) of XML 1.0, with the precedence of
//! [RFC 7303](https://www.rfc-editor.org/rfc/rfc7303#section-3).
//!
//! ```
//! use textcodec::{KOI8_R, UTF_16LE};
//! use textcodec_detect::{Hints, Source, xml};
//!
//! let feed = b"<?xml version=\"1.0\" encoding=\"koi8-r\"?><rss/>";
//! let sniffed = xml::sniff(feed, &Hints::new())?;
//! assert_eq!((sniffed.encoding, sniffed.source), (KOI8_R, Source::Declaration));
//! // UTF-16 is recognised by its code units.
//! assert_eq!(xml::sniff(b"<\0?\0x\0m\0l\0", &Hints::new())?.encoding, UTF_16LE);
//! # Ok::<(), xml::UnsupportedEncoding>(())
//! ```

use core::{error::Error, fmt};

use textcodec::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use crate::{
    declaration::{Declaration, Form, PRESCAN, scan::Scan},
    options::Hints,
    sniff::{Sniffed, Source, wanted_for_bom, wanted_for_prescan},
};

/// Determines the encoding of an XML document or of an external parsed entity.
///
/// `start` is what is available of it. More than 1,024 bytes make no difference. The precedence:
///
/// 1. a byte order mark
/// 2. [`Hints::transport`], such as the `charset` of `application/xml`
/// 3. `<?` in UTF-16, without a byte order mark
/// 4. the XML declaration, if `<?xml` and white space are at the start. It is read as browsers read it in HTML: [get an XML
///    encoding](https://html.spec.whatwg.org/multipage/parsing.html#concept-get-xml-encoding-when-sniffing). So UTF-16, which
///    it cannot be, means UTF-8
/// 5. UTF-8
///
/// # Errors
/// Returns [`UnsupportedEncoding`] if the document is in an encoding that the Encoding Standard does not have. This is a [fatal
/// error](https://www.w3.org/TR/xml/#charencoding) for an XML processor.
///
/// ```
/// use textcodec::{SHIFT_JIS, UTF_8};
/// use textcodec_detect::{Hints, xml};
///
/// let encoding = |text: &str| xml::sniff(text.as_bytes(), &Hints::new()).map(|sniffed| sniffed.encoding);
/// assert_eq!(encoding("<?xml version='1.0' encoding='Shift_JIS'?>"), Ok(SHIFT_JIS));
/// assert_eq!(encoding("<a/>"), Ok(UTF_8));
/// assert!(encoding("<?xml version='1.0' encoding='IBM437'?>").is_err());
/// ```
pub fn sniff(start: &[u8], hints: &Hints) -> Result<Sniffed, UnsupportedEncoding> {
    const UTF_32: [[u8; 4]; 8] = [
        *b"\0\0\xFE\xFF",
        *b"\xFF\xFE\0\0",
        *b"\0\0\xFF\xFE",
        *b"\xFE\xFF\0\0",
        *b"\0\0\0<",
        *b"<\0\0\0",
        *b"\0\0<\0",
        *b"\0<\0\0",
    ];
    let start = &start[..start.len().min(PRESCAN)];
    let has = |patterns: &[[u8; 4]]| patterns.iter().any(|pattern| start.starts_with(pattern));
    if has(&UTF_32[..4]) {
        return Err(UnsupportedEncoding::Utf32);
    }
    // After `FE FF` or `FF FE`, zero bytes would make it UTF-32.
    let missing = 4_usize.saturating_sub(start.len());
    if let Some((encoding, _)) = Encoding::for_bom(start) {
        return Ok(Sniffed::new(encoding, Source::Bom, if encoding == UTF_8 { 0 } else { missing }));
    }
    if let Some(encoding) = hints.transport {
        let may_be_bom = UTF_32[..4].iter().any(|mark| mark.starts_with(start)) || wanted_for_bom(start) > 0;
        return Ok(Sniffed::new(encoding, Source::Transport, if may_be_bom { missing } else { 0 }));
    }
    if has(&UTF_32[4..]) {
        return Err(UnsupportedEncoding::Utf32);
    }
    if has(&[*b"\x4C\x6F\xA7\x94"]) {
        return Err(UnsupportedEncoding::Ebcdic);
    }
    for (encoding, pattern) in [(UTF_16LE, b"<\0?\0"), (UTF_16BE, b"\0<\0?")] {
        if start.starts_with(pattern) {
            let wide = Declaration::new(start, Some(encoding), Form::WideXml, 0, 0..0);
            if let Some(sniffed) = wide.and_then(|declaration| Sniffed::declared(declaration, 0).ok()) {
                return Ok(sniffed);
            }
        }
    }
    // Not another instruction, such as `<?xml-stylesheet`.
    let may_be_declaration =
        start.strip_prefix(XML).is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace));
    match declaration(start).filter(|_| may_be_declaration) {
        Some(declaration) => Sniffed::declared(declaration, 0).map_err(UnsupportedEncoding::Label),
        None => {
            let is_incomplete = XML.starts_with(start) || may_be_declaration && !start.contains(&b'>');
            let wanted = if is_incomplete { wanted_for_prescan(start) } else { missing };
            Ok(Sniffed::new(UTF_8, Source::Default, wanted))
        }
    }
}

const XML: &[u8] = b"<?xml";

/// [Get an XML encoding](https://html.spec.whatwg.org/multipage/parsing.html#concept-get-xml-encoding-when-sniffing). The label
/// may be unknown if it looks like one.
pub(crate) fn declaration(text: &[u8]) -> Option<Declaration> {
    if !text.starts_with(XML) {
        return None; // 2
    }
    // The standard says where `encoding` must be. The label cannot be past the end, either, because no label has a `>`.
    let declaration = &text[..text.iter().position(|&byte| byte == b'>')?]; // 3
    let mut scan = Scan { bytes: declaration, at: 0 };
    scan.at = scan.find(b"encoding")? + b"encoding".len(); // 4, 5
    scan.skip(|byte| byte <= b' ')?; // 6
    if scan.take()? != b'=' {
        return None; // 7, 8
    }
    scan.skip(|byte| byte <= b' ')?; // 9
    let quote = scan.take().filter(|byte| matches!(byte, b'"' | b'\''))?; // 10 to 12
    let start = scan.at;
    scan.skip(|byte| byte != quote)?; // 13
    let label = &declaration[start..scan.at]; // 14
    if label.iter().any(|&byte| byte <= b' ') {
        return None; // 15
    }
    Declaration::new(text, Encoding::for_label(label), Form::Xml, 0, start..scan.at) // 16, 17
}

/// Finds an XML declaration after white space or comments. XML does not allow it there, but it says what the writer meant.
pub(crate) fn misplaced(text: &[u8]) -> Option<Declaration> {
    let mut scan = Scan { bytes: text, at: 0 };
    loop {
        scan.skip(|byte| byte.is_ascii_whitespace())?;
        if !text[scan.at..].starts_with(b"<!--") {
            break;
        }
        scan.at = scan.find(b"-->")? + b"-->".len();
    }
    let rest = &text[scan.at..];
    let found = declaration(&rest[..rest.len().min(PRESCAN)]).filter(|_| rest[XML.len()].is_ascii_whitespace())?;
    Some(found.moved(scan.at))
}

/// The error for an XML document in an encoding that the Encoding Standard does not have.
///
/// ```
/// use textcodec_detect::{Hints, xml, xml::UnsupportedEncoding};
///
/// let error = xml::sniff(b"\0\0\0<\0\0\0?", &Hints::new()).unwrap_err();
/// assert_eq!(error, UnsupportedEncoding::Utf32);
/// assert_eq!(error.to_string(), "the document is in UTF-32, which the Encoding Standard does not have");
/// let error = xml::sniff(b"<?xml version='1.0' encoding='IBM437'?>", &Hints::new()).unwrap_err();
/// assert_eq!(error.to_string(), "the document declares the unknown encoding 'IBM437' at byte 30");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnsupportedEncoding {
    /// It starts like XML in UTF-32, in any byte order.
    Utf32,
    /// It starts like XML in a variant of EBCDIC.
    Ebcdic,
    /// It declares an unknown label.
    Label(Declaration),
}

impl fmt::Display for UnsupportedEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Utf32 => f.write_str("the document is in UTF-32, which the Encoding Standard does not have"),
            Self::Ebcdic => f.write_str("the document is in EBCDIC, which the Encoding Standard does not have"),
            Self::Label(declaration) => {
                let (label, at) = (declaration.label(), declaration.label_range().start);
                write!(f, "the document declares the unknown encoding '{label}' at byte {at}")
            }
        }
    }
}

impl Error for UnsupportedEncoding {}
