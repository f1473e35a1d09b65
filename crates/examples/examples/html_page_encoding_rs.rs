//! `html_page` with encoding_rs and `mime`, and the prescan of the HTML Standard, which is in neither.

use std::{
    env,
    io::{self, Read as _},
};

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use mime::Mime;

fn main() -> io::Result<()> {
    let mut page = Vec::new();
    io::stdin().read_to_end(&mut page)?;
    let header: Option<Mime> = env::args().nth(1).and_then(|header| header.parse().ok());
    let transport = header.and_then(|header| Encoding::for_label(header.get_param(mime::CHARSET)?.as_str().as_bytes()));
    let declared = transport.or_else(|| prescan(&page[..page.len().min(1024)]));
    // A byte order mark wins.
    let (text, encoding, _) = declared.unwrap_or(WINDOWS_1252).decode(&page);
    eprintln!("{}", encoding.name());
    print!("{text}");
    Ok(())
}

/// Finds the first encoding that is declared: <https://html.spec.whatwg.org/multipage/parsing.html#prescan-a-byte-stream>.
fn prescan(start: &[u8]) -> Option<&'static Encoding> {
    match start {
        [b'<', 0, b'?', 0, b'x', 0, ..] => return Some(UTF_16LE),
        [0, b'<', 0, b'?', 0, b'x', ..] => return Some(UTF_16BE),
        _ => {}
    }
    meta_elements(start).or_else(|| xml_declaration(start)).map(|encoding| match encoding {
        encoding if encoding == UTF_16LE || encoding == UTF_16BE => UTF_8,
        encoding => encoding,
    })
}

fn meta_elements(mut rest: &[u8]) -> Option<&'static Encoding> {
    while !rest.is_empty() {
        match rest {
            // The dashes may overlap.
            [b'<', b'!', b'-', b'-', ..] => rest = after(&rest[2..], b"-->")?,
            [b'<', m, e, t, a, b'/' | b'\t' | b'\n' | b'\x0C' | b'\r' | b' ', ..]
                if [*m, *e, *t, *a].eq_ignore_ascii_case(b"meta") =>
            {
                rest = &rest[5..];
                let (mut seen, mut got_pragma, mut need_pragma, mut charset) = (Vec::new(), false, None, None);
                while let Some((name, value)) = attribute(&mut rest)? {
                    if seen.contains(&name) {
                        continue;
                    }
                    match &name[..] {
                        b"http-equiv" => got_pragma |= value == b"content-type",
                        b"content" if charset.is_none() => {
                            if let Some(encoding) = charset_of_content(&value).and_then(Encoding::for_label) {
                                (charset, need_pragma) = (Some(Some(encoding)), Some(true));
                            }
                        }
                        b"charset" => (charset, need_pragma) = (Some(Encoding::for_label(&value)), Some(false)),
                        _ => {}
                    }
                    seen.push(name);
                }
                if let (Some(Some(encoding)), Some(need_pragma)) = (charset, need_pragma)
                    && (got_pragma || !need_pragma)
                {
                    return Some(if encoding == X_USER_DEFINED { WINDOWS_1252 } else { encoding });
                }
            }
            [b'<', letter, ..] | [b'<', b'/', letter, ..] if letter.is_ascii_alphabetic() => {
                let end = rest.iter().position(|&byte| is_space(byte) || byte == b'>')?;
                rest = &rest[end..];
                while attribute(&mut rest)?.is_some() {}
            }
            [b'<', b'!' | b'/' | b'?', ..] => rest = after(rest, b">")?,
            _ => rest = &rest[1..],
        }
    }
    None
}

/// Takes an attribute of a tag, in lower case. Returns `None` at the end of the bytes, and `Some(None)` at the end of the tag.
#[expect(clippy::option_option, reason = "the outer one is for `?`")]
fn attribute(rest: &mut &[u8]) -> Option<Option<(Vec<u8>, Vec<u8>)>> {
    *rest = &rest[rest.iter().position(|&byte| !is_space(byte) && byte != b'/')?..];
    if rest[0] == b'>' {
        return Some(None);
    }
    let is_end = |&(at, byte): &(usize, &u8)| is_space(*byte) || b"/>".contains(byte) || (*byte == b'=' && at > 0);
    let (end, _) = rest.iter().enumerate().find(is_end)?;
    let name = rest[..end].to_ascii_lowercase();
    let value = &rest[end..][rest[end..].iter().position(|&byte| !is_space(byte))?..];
    let Some(value) = value.strip_prefix(b"=") else {
        *rest = value;
        return Some(Some((name, Vec::new())));
    };
    let value = &value[value.iter().position(|&byte| !is_space(byte))?..];
    let (start, end) = match value[0] {
        quote @ (b'"' | b'\'') => (1, value[1..].iter().position(|&byte| byte == quote)? + 1),
        _ => (0, value.iter().position(|&byte| is_space(byte) || byte == b'>')?),
    };
    *rest = &value[end + start..];
    Some(Some((name, value[start..end].to_ascii_lowercase())))
}

/// Extracts the label from an attribute `content`.
fn charset_of_content(mut value: &[u8]) -> Option<&[u8]> {
    loop {
        value = after(value, b"charset")?.trim_ascii_start();
        if let Some(label) = value.strip_prefix(b"=") {
            let label = label.trim_ascii_start();
            return match label.first()? {
                quote @ (b'"' | b'\'') => {
                    label[1..].split(|byte| byte == quote).next().filter(|_| label[1..].contains(quote))
                }
                _ => label.split(|&byte| is_space(byte) || byte == b';').next(),
            };
        }
    }
}

fn xml_declaration(start: &[u8]) -> Option<&'static Encoding> {
    let start = start.strip_prefix(b"<?xml")?;
    let declaration = &start[..start.iter().position(|&byte| byte == b'>')?];
    let value = trim_controls(trim_controls(after(declaration, b"encoding")?).strip_prefix(b"=")?);
    let quote = *value.first().filter(|byte| b"\"'".contains(byte))?;
    let label = &value[1..][..value[1..].iter().position(|&byte| byte == quote)?];
    if label.iter().any(|&byte| byte <= b' ') { None } else { Encoding::for_label(label) }
}

fn trim_controls(bytes: &[u8]) -> &[u8] {
    &bytes[bytes.iter().position(|&byte| byte > b' ').unwrap_or(bytes.len())..]
}

/// Returns the bytes after the first occurrence of `sought`.
fn after<'a>(bytes: &'a [u8], sought: &[u8]) -> Option<&'a [u8]> {
    let at = bytes.windows(sought.len()).position(|window| window == sought)?;
    Some(&bytes[at + sought.len()..])
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0C' | b'\r' | b' ')
}
