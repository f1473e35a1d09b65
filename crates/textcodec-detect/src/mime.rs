//! [Parse a MIME type](https://mimesniff.spec.whatwg.org/#parse-a-mime-type), as far as the parameter `charset` needs it.

use alloc::vec::Vec;

/// Returns the value of the first parameter `charset`. Returns `None` if the header is not a MIME type.
///
/// Bytes that are not ASCII are not in a label, so it does not matter how they are decoded.
pub(crate) fn charset(header: &[u8]) -> Option<Vec<u8>> {
    let header = trim(header); // 1
    let (essence, mut rest) = split(header, |byte| byte == b';'); // 2, 3 to 8
    let slash = essence.iter().position(|&byte| byte == b'/')?;
    let (kind, subtype) = (&essence[..slash], trim_end(&essence[slash + 1..]));
    if !is_token(kind) || !is_token(subtype) {
        return None;
    }
    // 11; `rest` starts with the semicolon.
    while let [_, after @ ..] = rest {
        let after = trim_start(after); // 11.2
        let (name, after) = split(after, |byte| matches!(byte, b';' | b'=')); // 11.3
        let Some((&b'=', after)) = after.split_first() else {
            rest = after; // 11.5
            continue;
        };
        let value;
        if after.first() == Some(&b'"') {
            let (quoted, after) = quoted(after); // 11.8
            value = quoted;
            rest = split(after, |byte| byte == b';').1;
        } else {
            let (plain, after) = split(after, |byte| byte == b';'); // 11.9
            value = trim_end(plain).to_vec();
            rest = after;
            if value.is_empty() {
                continue;
            }
        }
        // 11.10
        let is_quotable = |byte: &u8| matches!(byte, b'\t' | b' '..=b'~' | 0x80..);
        if name.eq_ignore_ascii_case(b"charset") && value.iter().all(is_quotable) {
            return Some(value);
        }
    }
    None
}

/// [Collect an HTTP quoted string](https://fetch.spec.whatwg.org/#collect-an-http-quoted-string) and extract its value. `text`
/// starts with the quotation mark.
fn quoted(text: &[u8]) -> (Vec<u8>, &[u8]) {
    let (mut value, mut at) = (Vec::new(), 1);
    loop {
        match &text[at..] {
            [] => return (value, &[]),
            [b'"', rest @ ..] => return (value, rest),
            [b'\\'] => {
                value.push(b'\\');
                at += 1;
            }
            [b'\\', byte, ..] => {
                value.push(*byte);
                at += 2;
            }
            [byte, ..] => {
                value.push(*byte);
                at += 1;
            }
        }
    }
}

/// Splits before the first byte that fits.
fn split(text: &[u8], fits: impl Fn(u8) -> bool) -> (&[u8], &[u8]) {
    text.split_at(text.iter().position(|&byte| fits(byte)).unwrap_or(text.len()))
}

fn is_token(text: &[u8]) -> bool {
    let is_token = |byte: &u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(byte);
    !text.is_empty() && text.iter().all(is_token)
}

/// HTTP white space.
fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r' | b' ')
}

fn trim(text: &[u8]) -> &[u8] {
    trim_end(trim_start(text))
}

fn trim_start(text: &[u8]) -> &[u8] {
    split(text, |byte| !is_space(byte)).1
}

fn trim_end(text: &[u8]) -> &[u8] {
    &text[..text.iter().rposition(|&byte| !is_space(byte)).map_or(0, |last| last + 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_charset_of_a_mime_type() {
        for (header, expected) in [
            ("text/html;charset=gbk", Some("gbk")),
            (" text/html ; charset=gbk ; x=y\r\n", Some("gbk")),
            ("text/html;CHARSET=GBK", Some("GBK")),
            ("text/html;charset=\"gbk\"", Some("gbk")),
            ("text/html;charset=\"g\\bk\" junk;x=y", Some("gbk")),
            ("text/html;charset=\"gbk", Some("gbk")),
            ("text/html;charset=\"gbk\\", Some("gbk\\")),
            ("text/html;charset=\"\"", Some("")),
            ("text/html;x=\";charset=koi8-r\";charset=gbk", Some("gbk")),
            ("text/html;charset=gbk;charset=koi8-r", Some("gbk")),
            ("text/html;charset=;charset=koi8-r", Some("koi8-r")),
            ("text/html;charset;charset=koi8-r", Some("koi8-r")),
            ("text/html;;charset=gbk", Some("gbk")),
            ("text/html;charset=\u{1};charset=gbk", Some("gbk")),
            // White space is not allowed before the equals sign, and part of a value after it.
            ("text/html;charset =gbk", None),
            ("text/html;charset= gbk", Some(" gbk")),
            ("text/html;xcharset=gbk", None),
            ("text/html", None),
            ("text/;charset=gbk", None),
            ("/html;charset=gbk", None),
            ("text;charset=gbk", None),
            ("te xt/html;charset=gbk", None),
            ("charset=gbk", None),
            ("", None),
        ] {
            assert_eq!(charset(header.as_bytes()).as_deref(), expected.map(str::as_bytes), "{header:?}");
        }
    }
}
