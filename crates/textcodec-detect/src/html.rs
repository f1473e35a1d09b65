//! Declarations in HTML: `<meta>` elements.

use std::ops::Range;

use textcodec::{Encoding, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

use crate::declaration::{
    Declaration, Form, ascii_compatible,
    scan::{Scan, is_space},
};

/// [Prescan a byte stream to determine its
/// encoding](https://html.spec.whatwg.org/multipage/parsing.html#prescan-a-byte-stream-to-determine-its-encoding).
///
/// Browsers use the first declaration. The others are also returned, because it may be wrong.
pub(crate) fn prescan(text: &[u8]) -> Vec<Declaration> {
    for (encoding, start) in [(UTF_16LE, b"<\0?\0x\0"), (UTF_16BE, b"\0<\0?\0x")] {
        if text.starts_with(start) {
            return Declaration::new(text, Some(encoding), Form::WideXml, 0, 0..0).into_iter().collect(); // 2
        }
    }
    let mut found = Vec::new();
    let _ = find_all(text, false, &mut found);
    found
}

/// Returns the declarations in the head of a page. Text that does not start with a tag is no page.
pub(crate) fn all(text: &[u8]) -> Vec<Declaration> {
    let mut found = Vec::new();
    if text.trim_ascii_start().starts_with(b"<") {
        let _ = find_all(text, true, &mut found);
    }
    found
}

/// Elements whose content is not markup.
const RAW: [&[u8]; 4] = [b"script", b"style", b"title", b"textarea"];

/// Adds the declarations of all `<meta>` elements. With `head`, ends at `<body>` and skips the content of [`RAW`]. Returns
/// `None` at the end of the bytes.
fn find_all(text: &[u8], head: bool, found: &mut Vec<Declaration>) -> Option<()> {
    let mut scan = Scan { bytes: text, at: 0 };
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
                }
            }
            [b'<', letter, ..] | [b'<', b'/', letter, ..] if letter.is_ascii_alphabetic() => {
                scan.skip(|byte| !is_space(byte) && byte != b'>')?;
                let name = text[start + 1..scan.at].to_ascii_lowercase();
                while attribute(&mut scan)?.is_some() {}
                if head && name == b"body" {
                    return None;
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
    let mut seen = Vec::new();
    let (mut got_pragma, mut need_pragma) = (false, None); // 3, 4
    // 5; no encoding is the standard's "failure": an unknown label.
    let mut charset: Option<(Option<Encoding>, Range<usize>)> = None;
    // An unknown label in `content`, which the standard ignores.
    let mut unknown = None;
    while let Some(Attribute { name, value, start }) = attribute(scan)? {
        if seen.contains(&name) {
            continue; // 7
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
        seen.push(name); // 8
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
