//! HTML pages: [determining the character
//! encoding](https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding), section 13.2.3.2 of the
//! HTML Standard.
//!
//! ```
//! use textcodec::WINDOWS_1251;
//! use textcodec_detect::{Hints, html};
//!
//! // What has arrived of the page. Read up to `wanted` bytes more, as long as that is not 0 and the page has not ended.
//! let mut start = b"<!doctype html><meta charset=windows-".to_vec();
//! let hints = Hints::new().content_type("text/html");
//! assert!(html::sniff(&start, &hints).wanted > 0);
//! start.extend_from_slice(b"1251><p>\xC4\xE0");
//! let sniffed = html::sniff(&start, &hints);
//! assert_eq!((sniffed.encoding, sniffed.wanted), (WINDOWS_1251, 0));
//!
//! // Then decode all of it.
//! assert!(sniffed.encoding.decode(&start).text.ends_with("<p>Да"));
//! ```

use alloc::vec::Vec;
use core::{mem, ops::Range};

use textcodec::{
    BIG5, EUC_KR, Encoding, GBK, ISO_8859_2, ISO_8859_7, SHIFT_JIS, UTF_16BE, UTF_16LE, WINDOWS_874, WINDOWS_1250,
    WINDOWS_1251, WINDOWS_1252, WINDOWS_1254, WINDOWS_1255, WINDOWS_1256, WINDOWS_1257, WINDOWS_1258, X_USER_DEFINED,
};

use crate::{
    declaration::{
        Declaration, Form, PRESCAN, ascii_compatible, is_page,
        scan::{Scan, is_space},
    },
    options::Hints,
    sniff::{Sniffed, Source, wanted_for_bom, wanted_for_prescan},
    xml,
};

/// Determines the encoding of an HTML page: the [encoding sniffing
/// algorithm](https://html.spec.whatwg.org/multipage/parsing.html#encoding-sniffing-algorithm).
///
/// `start` is what is available of the page. More than 1,024 bytes make no difference. [`Sniffed::wanted`] says whether to wait
/// for more. The steps of the algorithm:
///
/// 1. a byte order mark; *certain*
/// 2. [`Hints::user`]; *certain*
/// 3. waiting, which is up to the caller
/// 4. [`Hints::transport`]; *certain*
/// 5. the [`prescan`]; *tentative*, like the rest
/// 6. [`Hints::parent`], unless it is UTF-16
/// 7. [`Hints::likely`]
/// 8. a guess, which is up to the caller: if the source is [`Source::Default`], use a [`Detector`](crate::Detector)
/// 9. [`Hints::fallback`], or windows-1252
///
/// ```
/// use textcodec::{SHIFT_JIS, UTF_8};
/// use textcodec_detect::{Hints, Source, html};
///
/// let hints = Hints::new().content_type("text/html").fallback(UTF_8);
/// let sniffed = html::sniff(b"<!doctype html><meta charset=shift_jis><title>", &hints);
/// assert_eq!((sniffed.encoding, sniffed.source), (SHIFT_JIS, Source::Declaration));
/// let sniffed = html::sniff(b"<!doctype html><title>", &hints);
/// assert_eq!((sniffed.encoding, sniffed.source), (UTF_8, Source::Default));
/// ```
#[must_use]
#[doc(alias("meta charset", "determining the character encoding"))]
pub fn sniff(start: &[u8], hints: &Hints) -> Sniffed {
    let start = &start[..start.len().min(PRESCAN)];
    if let Some((encoding, _)) = Encoding::for_bom(start) {
        return Sniffed::new(encoding, Source::Bom, 0); // 1
    }
    let for_bom = wanted_for_bom(start);
    if let Some(encoding) = hints.user {
        return Sniffed::new(encoding, Source::User, for_bom); // 2
    }
    if let Some(encoding) = hints.transport {
        return Sniffed::new(encoding, Source::Transport, for_bom); // 4
    }
    let more = wanted_for_prescan(start);
    if let Some(declaration) = prescan(start) {
        // A `<meta>` element would win over an XML declaration.
        let wanted = if declaration.form() == Form::Xml { more } else { 0 };
        if let Ok(sniffed) = Sniffed::declared(declaration, wanted) {
            return sniffed; // 5
        }
    }
    let parent = hints.parent.filter(|&encoding| !matches!(encoding, UTF_16BE | UTF_16LE));
    match (parent, hints.likely) {
        (Some(encoding), _) => Sniffed::new(encoding, Source::Parent, more), // 6
        (None, Some(encoding)) => Sniffed::new(encoding, Source::Likely, more), // 7
        (None, None) => Sniffed::new(hints.fallback.unwrap_or(WINDOWS_1252), Source::Default, more), // 9
    }
}

/// [Prescans](https://html.spec.whatwg.org/multipage/parsing.html#prescan-a-byte-stream-to-determine-its-encoding) the first
/// 1,024 bytes of a page. Returns the declaration that browsers use. Its label is known.
///
/// It is the first one in a `<meta>` element, or else an XML declaration. UTF-16 means UTF-8, and in a `<meta>` element,
/// x-user-defined means windows-1252. An XML declaration in UTF-16 means what it is in.
///
/// Use [`sniff`] to determine the encoding of a page. This function is for other algorithms that use the prescan, such as that
/// of `XMLHttpRequest`.
///
/// ```
/// use textcodec::{EUC_KR, GBK, UTF_8};
/// use textcodec_detect::html::prescan;
///
/// let encoding = |page: &str| prescan(page.as_bytes()).and_then(|declaration| declaration.encoding());
/// assert_eq!(encoding("<!-- <meta charset=big5> --><meta charset=gbk>"), Some(GBK));
/// assert_eq!(encoding("<meta http-equiv=content-type content='text/html; charset=utf-16'>"), Some(UTF_8));
/// assert_eq!(encoding("<?xml version='1.0' encoding='euc-kr'?><p>"), Some(EUC_KR));
/// assert_eq!(encoding("<meta charset=unknown>"), None);
/// ```
#[must_use]
pub fn prescan(start: &[u8]) -> Option<Declaration> {
    let start = &start[..start.len().min(PRESCAN)];
    let is_known = |declaration: &Declaration| declaration.encoding().is_some();
    declarations(start).into_iter().find(is_known).or_else(|| xml::declaration(start).filter(is_known))
}

/// Extracts an encoding from the attribute `content` of a `<meta http-equiv=content-type>` element: the [algorithm for
/// extracting a character encoding from a meta
/// element](https://html.spec.whatwg.org/multipage/urls-and-fetching.html#algorithm-for-extracting-a-character-encoding-from-a-meta-element).
///
/// [`prescan`] uses it. Parsers that find such an element later need it, too. For a `Content-Type` header, use
/// [`Hints::content_type`], which follows other rules.
///
/// ```
/// use textcodec::BIG5;
/// use textcodec_detect::html::encoding_from_content;
///
/// assert_eq!(encoding_from_content("text/html; CHARSET = 'big5'"), Some(BIG5));
/// assert_eq!(encoding_from_content("charset=\"big5"), None);
/// ```
pub fn encoding_from_content(content: impl AsRef<[u8]>) -> Option<Encoding> {
    let content = content.as_ref().to_ascii_lowercase();
    Encoding::for_label(&content[charset_of_content(&content)?])
}

/// Returns the encoding that pages without any declaration have in a language: the table in step 9 of the [encoding sniffing
/// algorithm](https://html.spec.whatwg.org/multipage/parsing.html#encoding-sniffing-algorithm), for [`Hints::fallback`].
///
/// `language` is a BCP 47 language tag, such as that of the user's locale. ASCII case and subtags that make no difference are
/// ignored. `zh` without a script or region is simplified Chinese.
///
/// ```
/// use textcodec::{BIG5, GBK, ISO_8859_2, WINDOWS_1252};
/// use textcodec_detect::html::default_for_language;
///
/// assert_eq!(default_for_language("pl"), ISO_8859_2);
/// assert_eq!(default_for_language("zh-Hant-HK"), BIG5);
/// assert_eq!(default_for_language("zh-CN"), GBK);
/// assert_eq!(default_for_language("en-US"), WINDOWS_1252);
/// ```
#[must_use]
pub fn default_for_language(language: &str) -> Encoding {
    let language = language.to_ascii_lowercase();
    let mut subtags = language.split('-');
    match subtags.next().unwrap_or_default() {
        "ar" | "fa" => WINDOWS_1256,
        "az" | "ku" | "tr" => WINDOWS_1254,
        "ba" | "be" | "bg" | "kk" | "ky" | "mk" | "ru" | "sah" | "sr" | "tg" | "tt" | "uk" => WINDOWS_1251,
        "cs" | "hr" | "sk" => WINDOWS_1250,
        "el" => ISO_8859_7,
        "et" | "lt" | "lv" => WINDOWS_1257,
        "he" => WINDOWS_1255,
        "hu" | "pl" | "sl" => ISO_8859_2,
        "ja" => SHIFT_JIS,
        "ko" => EUC_KR,
        "th" => WINDOWS_874,
        "vi" => WINDOWS_1258,
        "zh" => match subtags.find(|subtag| ["hans", "hant", "cn", "sg", "hk", "mo", "tw"].contains(subtag)) {
            Some("hant" | "hk" | "mo" | "tw") => BIG5,
            _ => GBK,
        },
        _ => WINDOWS_1252,
    }
}

/// Returns all declarations that the prescan finds in `<meta>` elements, also those with unknown labels.
///
/// Browsers use the first one that is known. The others are also returned, because it may be wrong.
pub(crate) fn declarations(text: &[u8]) -> Vec<Declaration> {
    for (encoding, start) in [(UTF_16LE, b"<\0?\0x\0"), (UTF_16BE, b"\0<\0?\0x")] {
        if text.starts_with(start) {
            return Declaration::new(text, Some(encoding), Form::WideXml, 0, 0..0).into_iter().collect(); // 2
        }
    }
    let mut found = Vec::new();
    let _ = find_all(text, false, &mut found);
    found
}

/// Returns the declarations that browsers follow: those that the prescan finds, and those that only a parser finds.
pub(crate) fn followed(text: &[u8]) -> Vec<Declaration> {
    let mut found = declarations(&text[..text.len().min(PRESCAN)]);
    let parsed = parsed(text).into_iter().filter(|declaration| !found.contains(declaration)).collect::<Vec<_>>();
    found.extend(parsed);
    found
}

/// Returns the declarations that a parser finds in the head of a page. If there is none, the first one in the body counts. Text that
/// does not start with a tag is no page.
pub(crate) fn parsed(text: &[u8]) -> Vec<Declaration> {
    let mut found = Vec::new();
    if is_page(text) {
        let _ = find_all(text, true, &mut found);
    }
    found
}

/// Elements whose content is not markup. `noscript` is one where scripts run.
const RAW: [&[u8]; 9] =
    [b"iframe", b"noembed", b"noframes", b"noscript", b"script", b"style", b"textarea", b"title", b"xmp"];

/// Adds the declarations of all `<meta>` elements. With `head`, skips the content of [`RAW`], and ends at `<body>` or, if none is
/// before that, after the first one. Returns `None` at the end of the bytes.
fn find_all(text: &[u8], head: bool, found: &mut Vec<Declaration>) -> Option<()> {
    let mut scan = Scan { bytes: text, at: 0 };
    let mut is_body = false;
    loop {
        let start = scan.at;
        let rest = &text[start..];
        match rest {
            [b'<', b'!', b'-', b'-', ..] => {
                // The dashes may overlap: `<!-->` is a complete comment.
                scan.at += 2;
                scan.at = scan.find(b"-->")? + 2;
            }
            [b'<', m, e, t, a, after, ..]
                if [*m, *e, *t, *a].eq_ignore_ascii_case(b"meta") && (is_space(*after) || *after == b'/') =>
            {
                scan.at += b"<meta".len();
                if let Some((named, form, label)) = meta(&mut scan)? {
                    found.extend(Declaration::new(text, named, form, start, label));
                    if is_body && !found.is_empty() {
                        return None;
                    }
                }
            }
            [b'<', letter, ..] | [b'<', b'/', letter, ..] if letter.is_ascii_alphabetic() => {
                scan.skip(|byte| !is_space(byte) && byte != b'>')?;
                let name = text[start + 1..scan.at].to_ascii_lowercase();
                while attribute(&mut scan)?.is_some() {}
                if head && name == b"body" {
                    is_body = true;
                    if !found.is_empty() {
                        return None;
                    }
                }
                if head && RAW.contains(&&*name) {
                    let end = [b"</", &*name].concat();
                    while !text.get(scan.at..scan.at + end.len())?.eq_ignore_ascii_case(&end) {
                        scan.at += 1;
                    }
                    continue;
                }
            }
            [b'<', b'!' | b'/' | b'?', ..] => scan.skip(|byte| byte != b'>')?,
            [] => return None,
            _ => {}
        }
        scan.at += 1;
    }
}

/// A `<meta>` element that declares an encoding: the encoding, if its label is known, and the position of the label.
type Meta = (Option<Encoding>, Form, Range<usize>);

/// Evaluates the attributes of a `<meta` element. The outer `None` is the end of the bytes.
#[expect(clippy::option_option, reason = "the outer one is for `?`: the end of the bytes ends the whole prescan")]
fn meta(scan: &mut Scan<'_>) -> Option<Option<Meta>> {
    // The others have no effect. 2
    let mut seen = [(&b"http-equiv"[..], false), (b"content", false), (b"charset", false)];
    let (mut got_pragma, mut need_pragma) = (false, None); // 3, 4
    // 5; no encoding is the standard's "failure": an unknown label.
    let mut charset: Option<(Option<Encoding>, Range<usize>)> = None;
    // An unknown label in `content`, which the standard ignores.
    let mut unknown = None;
    while let Some(Attribute { name, value, start }) = attribute(scan)? {
        let Some((_, is_seen)) = seen.iter_mut().find(|(wanted, _)| *wanted == name) else { continue };
        if mem::replace(is_seen, true) {
            continue; // 7, 8
        }
        match &name[..] {
            b"http-equiv" => got_pragma |= value == b"content-type",
            b"content" => {
                if let (None, Some(label)) = (&charset, charset_of_content(&value)) {
                    let named = Encoding::for_label(&value[label.clone()]);
                    let label = start + label.start..start + label.end;
                    if named.is_some() {
                        charset = Some((named, label));
                        need_pragma = Some(true);
                    } else {
                        unknown = Some((None, label));
                    }
                }
            }
            b"charset" => {
                charset = Some((Encoding::for_label(&value), start..start + value.len()));
                need_pragma = Some(false);
            }
            _ => {}
        }
    }
    let form = match need_pragma {
        Some(false) => Form::Meta,
        Some(true) | None if got_pragma => Form::Pragma,
        _ => return Some(None), // 11, 12
    };
    Some(charset.or(unknown).map(|(named, label)| (named, form, label)))
}

/// Returns the encoding that a label means in a `<meta` element.
pub(crate) fn meaning(named: Encoding) -> Encoding {
    match ascii_compatible(named) {
        X_USER_DEFINED => WINDOWS_1252, // 15
        encoding => encoding,
    }
}

/// Runs the [algorithm for extracting a character encoding from a meta
/// element](https://html.spec.whatwg.org/multipage/urls-and-fetching.html#extracting-character-encodings-from-meta-elements).
/// The value is in lowercase. Returns the position of the label in it.
fn charset_of_content(value: &[u8]) -> Option<Range<usize>> {
    let mut scan = Scan { bytes: value, at: 0 };
    loop {
        scan.at = scan.find(b"charset")? + b"charset".len(); // 2
        scan.skip(is_space)?; // 3
        if scan.peek()? == b'=' {
            break; // 4
        }
    }
    scan.at += 1;
    scan.skip(is_space)?; // 5
    Some(match scan.peek()? {
        quote @ (b'"' | b'\'') => {
            scan.at += 1;
            let start = scan.at;
            scan.skip(|byte| byte != quote)?;
            start..scan.at
        }
        _ => {
            let rest = &value[scan.at..];
            let len = rest.iter().position(|&byte| is_space(byte) || byte == b';').unwrap_or(rest.len());
            scan.at..scan.at + len
        }
    })
}

/// An attribute, with its name and value in lowercase.
struct Attribute {
    name: Vec<u8>,
    value: Vec<u8>,
    /// The offset of the value in the text.
    start: usize,
}

/// [Get an attribute](https://html.spec.whatwg.org/multipage/parsing.html#concept-get-attributes-when-sniffing). The
/// outer `None` is the end of the bytes.
#[expect(clippy::option_option, reason = "the outer one is for `?`: the end of the bytes ends the whole prescan")]
fn attribute(scan: &mut Scan<'_>) -> Option<Option<Attribute>> {
    scan.skip(|byte| is_space(byte) || byte == b'/')?; // 1
    if scan.peek()? == b'>' {
        return Some(None); // 2
    }
    let (mut name, mut value) = (Vec::new(), Vec::new());
    loop {
        match scan.peek()? {
            b'=' if !name.is_empty() => break,
            byte if is_space(byte) => {
                scan.skip(is_space)?; // 6
                if scan.peek()? == b'=' {
                    break;
                }
                return Some(Some(Attribute { name, value, start: scan.at })); // 7
            }
            b'/' | b'>' => return Some(Some(Attribute { name, value, start: scan.at })),
            byte => name.push(byte.to_ascii_lowercase()),
        }
        scan.at += 1; // 5
    }
    scan.at += 1; // 8
    scan.skip(is_space)?; // 9
    let mut start = scan.at;
    match scan.peek()? {
        quote @ (b'"' | b'\'') => {
            scan.at += 1;
            start = scan.at;
            loop {
                match scan.take()? {
                    byte if byte == quote => break,
                    byte => value.push(byte.to_ascii_lowercase()),
                }
            }
        }
        // 11; if `>` follows immediately, the value is empty (10).
        _ => {
            while !is_space(scan.peek()?) && scan.peek()? != b'>' {
                value.push(scan.take()?.to_ascii_lowercase());
            }
        }
    }
    Some(Some(Attribute { name, value, start }))
}
