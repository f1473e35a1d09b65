//! Encoding declarations: `<meta>` in HTML, the XML declaration, and `@charset` in CSS.
//!
//! Only the first 1,024 bytes count, as in browsers.

use std::fmt;

use textcodec::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

/// The number of bytes searched for a declaration.
pub(crate) const PRESCAN: usize = 1024;

/// A declaration that names an encoding of the standard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Declaration {
    /// The encoding that the declaration means. A declaration in ASCII bytes that names UTF-16 means UTF-8.
    pub(crate) encoding: Encoding,
    pub(crate) form: Form,
    /// The label as written, for messages.
    label: String,
    /// Whether the label has a different meaning elsewhere.
    remapped: bool,
    /// The offset of the first byte of the declaration.
    pub(crate) offset: usize,
}

/// The syntax of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// `<meta charset="…">`
    Meta,
    /// `<meta http-equiv="content-type" content="…; charset=…">`
    Pragma,
    /// `<?xml … encoding="…"?>`
    Xml,
    /// An XML declaration in UTF-16, whatever encoding it names.
    WideXml,
    /// `@charset "…";`
    Css,
}

impl Declaration {
    fn new(encoding: Encoding, form: Form, label: &[u8], offset: usize) -> Self {
        const MAX_SHOWN: usize = 40;
        let mut shown = label[..label.len().min(MAX_SHOWN)].escape_ascii().to_string();
        if label.len() > MAX_SHOWN {
            shown.push('…');
        }
        let remapped = form != Form::WideXml && Encoding::for_label(label) != Some(encoding);
        Self { encoding, form, label: shown, remapped, offset }
    }
}

/// Formats the declaration as `<meta charset="sjis"> at byte 113`. Adds the encoding if the label has another meaning here.
impl fmt::Display for Declaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { encoding, form, label, remapped, offset } = self;
        match form {
            Form::Meta => write!(f, "<meta charset=\"{label}\">"),
            Form::Pragma => write!(f, "<meta http-equiv=\"content-type\"> with charset={label}"),
            Form::Xml => write!(f, "<?xml encoding=\"{label}\"?>"),
            Form::WideXml => write!(f, "an XML declaration in {encoding}"),
            Form::Css => write!(f, "@charset \"{label}\""),
        }?;
        write!(f, " at byte {offset}")?;
        if *remapped {
            write!(f, ", which means {encoding} here")?;
        }
        Ok(())
    }
}

/// Returns the declarations at the start of text, in order of precedence. XHTML can have two, other formats have at most one.
pub(crate) fn declarations(text: &[u8]) -> Vec<Declaration> {
    let text = &text[..text.len().min(PRESCAN)];
    if let Some(css) = css(text) {
        return vec![css];
    }
    // The HTML standard considers an XML declaration last. Here it comes first, because XML parsers read such files, too,
    // and because a feed may contain an HTML page in its text.
    xml(text).into_iter().chain(prescan(text)).collect()
}

/// Matches the [exact bytes that CSS requires](https://drafts.csswg.org/css-syntax/#determine-the-fallback-encoding): at the
/// start, with one space and double quotes.
fn css(text: &[u8]) -> Option<Declaration> {
    let rest = text.strip_prefix(b"@charset \"")?;
    let label = &rest[..rest.iter().position(|&byte| byte == b'"')?];
    let declares = rest[label.len() + 1..].starts_with(b";") && label.is_ascii();
    let encoding = Encoding::for_label(label).filter(|_| declares)?;
    Some(Declaration::new(ascii_compatible(encoding), Form::Css, label, 0))
}

/// [Get an XML encoding](https://html.spec.whatwg.org/multipage/parsing.html#concept-get-xml-encoding-when-sniffing).
fn xml(text: &[u8]) -> Option<Declaration> {
    if !text.starts_with(b"<?xml") {
        return None; // 2
    }
    // Searches only within the declaration. The standard's text searches further, but then never uses the end from step 3.
    let declaration = &text[..text.iter().position(|&byte| byte == b'>')?];
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
    let encoding = Encoding::for_label(label)?; // 16
    Some(Declaration::new(ascii_compatible(encoding), Form::Xml, label, 0)) // 17
}

/// [Prescan a byte stream to determine its
/// encoding](https://html.spec.whatwg.org/multipage/parsing.html#prescan-a-byte-stream-to-determine-its-encoding).
fn prescan(text: &[u8]) -> Option<Declaration> {
    for (encoding, start) in [(UTF_16LE, b"<\0?\0x\0"), (UTF_16BE, b"\0<\0?\0x")] {
        if text.starts_with(start) {
            return Some(Declaration::new(encoding, Form::WideXml, b"", 0)); // 2
        }
    }
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
                if let Some((encoding, form, label)) = meta(&mut scan)? {
                    return Some(Declaration::new(encoding, form, &label, start));
                }
            }
            [b'<', letter, ..] | [b'<', b'/', letter, ..] if letter.is_ascii_alphabetic() => {
                scan.skip(|byte| !is_space(byte) && byte != b'>')?;
                while scan.attribute()?.is_some() {}
            }
            [b'<', b'!' | b'/' | b'?', ..] => scan.skip(|byte| byte != b'>')?,
            [] => return None,
            _ => {}
        }
        scan.at += 1;
    }
}

/// Evaluates the attributes of a `<meta` element. The outer `None` is the end of the bytes.
#[expect(clippy::option_option, reason = "the outer one is for `?`: the end of the bytes ends the whole prescan")]
fn meta(scan: &mut Scan<'_>) -> Option<Option<(Encoding, Form, Vec<u8>)>> {
    let mut seen = Vec::new();
    let (mut got_pragma, mut need_pragma) = (false, None); // 3, 4
    // 5; `Some(None)` is the standard's "failure": an unknown label.
    let mut charset: Option<Option<(Encoding, Vec<u8>)>> = None;
    while let Some(Attribute { name, value }) = scan.attribute()? {
        if seen.contains(&name) {
            continue; // 7
        }
        match &name[..] {
            b"http-equiv" => got_pragma |= value == b"content-type",
            b"content" => {
                if let (None, Some(found)) = (&charset, charset_of_content(&value)) {
                    charset = Some(Some(found));
                    need_pragma = Some(true);
                }
            }
            b"charset" => {
                charset = Some(Encoding::for_label(&value).map(|encoding| (encoding, value)));
                need_pragma = Some(false);
            }
            _ => {}
        }
        seen.push(name); // 8
    }
    let form = match need_pragma {
        Some(false) => Form::Meta,
        Some(true) if got_pragma => Form::Pragma,
        _ => return Some(None), // 11, 12
    };
    Some(charset.flatten().map(|(encoding, label)| {
        let encoding = match ascii_compatible(encoding) {
            X_USER_DEFINED => WINDOWS_1252, // 15
            encoding => encoding,
        };
        (encoding, form, label)
    }))
}

/// Runs the [algorithm for extracting a character encoding from a meta
/// element](https://html.spec.whatwg.org/multipage/urls-and-fetching.html#extracting-character-encodings-from-meta-elements).
/// The value is in lowercase.
fn charset_of_content(value: &[u8]) -> Option<(Encoding, Vec<u8>)> {
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
    let label = match scan.peek()? {
        quote @ (b'"' | b'\'') => {
            scan.at += 1;
            let start = scan.at;
            scan.skip(|byte| byte != quote)?;
            &value[start..scan.at]
        }
        _ => {
            let rest = &value[scan.at..];
            rest.split(|&byte| is_space(byte) || byte == b';').next()?
        }
    };
    Some((Encoding::for_label(label)?, label.to_owned()))
}

/// Replaces UTF-16 by UTF-8, because a declaration in ASCII bytes cannot be UTF-16.
fn ascii_compatible(encoding: Encoding) -> Encoding {
    if matches!(encoding, UTF_16BE | UTF_16LE) { UTF_8 } else { encoding }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0C' | b'\r' | b' ')
}

/// An attribute, with its name and value in lowercase.
struct Attribute {
    name: Vec<u8>,
    value: Vec<u8>,
}

/// A position in bytes. Its methods return `None` at the end.
struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Scan<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn take(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn skip(&mut self, unwanted: impl Fn(u8) -> bool) -> Option<()> {
        while unwanted(self.peek()?) {
            self.at += 1;
        }
        Some(())
    }

    /// Returns the position of the next occurrence of some bytes.
    fn find(&self, needle: &[u8]) -> Option<usize> {
        let rest = self.bytes.get(self.at..)?;
        Some(self.at + rest.windows(needle.len()).position(|window| window == needle)?)
    }

    /// [Get an attribute](https://html.spec.whatwg.org/multipage/parsing.html#concept-get-attributes-when-sniffing). The
    /// outer `None` is the end of the bytes.
    #[expect(clippy::option_option, reason = "the outer one is for `?`: the end of the bytes ends the whole prescan")]
    fn attribute(&mut self) -> Option<Option<Attribute>> {
        self.skip(|byte| is_space(byte) || byte == b'/')?; // 1
        if self.peek()? == b'>' {
            return Some(None); // 2
        }
        let (mut name, mut value) = (Vec::new(), Vec::new());
        loop {
            match self.peek()? {
                b'=' if !name.is_empty() => break,
                byte if is_space(byte) => {
                    self.skip(is_space)?; // 6
                    if self.peek()? == b'=' {
                        break;
                    }
                    return Some(Some(Attribute { name, value })); // 7
                }
                b'/' | b'>' => return Some(Some(Attribute { name, value })),
                byte => name.push(byte.to_ascii_lowercase()),
            }
            self.at += 1; // 5
        }
        self.at += 1; // 8
        self.skip(is_space)?; // 9
        match self.peek()? {
            quote @ (b'"' | b'\'') => {
                self.at += 1;
                loop {
                    match self.take()? {
                        byte if byte == quote => break,
                        byte => value.push(byte.to_ascii_lowercase()),
                    }
                }
            }
            // 11; if `>` follows immediately, the value is empty (10).
            _ => {
                while !is_space(self.peek()?) && self.peek()? != b'>' {
                    value.push(self.take()?.to_ascii_lowercase());
                }
            }
        }
        Some(Some(Attribute { name, value }))
    }
}

#[cfg(test)]
mod tests {
    use textcodec::{EUC_JP, GBK, ISO_8859_2, KOI8_R, SHIFT_JIS};

    use super::*;

    #[track_caller]
    fn declares(text: &[u8], encoding: impl Into<Option<Encoding>>) {
        let found = declarations(text);
        assert_eq!(found.first().map(|found| found.encoding), encoding.into(), "{}: {found:?}", text.escape_ascii());
    }

    #[test]
    fn charset_attribute_of_a_meta_element() {
        declares(b"<!doctype html><meta charset=\"shift_jis\">", SHIFT_JIS);
        declares(b"<meta charset='Shift_JIS'/>", SHIFT_JIS);
        declares(b"<META/CHARSET = sjis >", SHIFT_JIS);
        declares(b"<html><head>\n<meta\tname=x\nCharset\r=\x0C\"\tSJIS \">", SHIFT_JIS);
        declares(b"<meta charset=koi8-r name=x>", KOI8_R);
        // Unquoted, a slash is part of the value.
        declares(b"<meta charset=koi8-r/>", None);
        declares(b"<meta charset=>", None);
        declares(b"<meta charset>", None);
        declares(b"<meta charset=\"nothing\">", None);
        // After an unknown label, the next element counts.
        declares(b"<meta charset=nothing><meta charset=gbk>", GBK);
        declares(b"<metadata charset=gbk>", None);
        declares(b"<meta>", None);
        declares(b"<meta><meta charset=gbk>", GBK);
        declares(b"meta charset=gbk>", None);
    }

    #[test]
    fn content_attribute_of_a_pragma() {
        declares(b"<meta http-equiv=\"Content-Type\" content=\"text/html; charset=euc-jp\">", EUC_JP);
        declares(b"<meta content='text/html;charset = \"euc-jp\" x' http-equiv=CONTENT-TYPE>", EUC_JP);
        declares(b"<meta http-equiv=content-type content=charset=euc-jp;x>", EUC_JP);
        declares(b"<meta http-equiv=content-type content='charset charsetcharset=euc-jp'>", EUC_JP);
        declares(b"<meta http-equiv=content-type content='charset=\"euc-jp'>", None);
        declares(b"<meta http-equiv=content-type content='charset'>", None);
        declares(b"<meta http-equiv=content-type content='charset='>", None);
        declares(b"<meta http-equiv=content-type content='text/html'>", None);
        declares(b"<meta http-equiv=refresh content='text/html; charset=euc-jp'>", None);
        declares(b"<meta content='text/html; charset=euc-jp'>", None);
    }

    #[test]
    fn charset_overrides_content_and_repeated_attributes_are_ignored() {
        declares(b"<meta charset=gbk http-equiv=content-type content='charset=euc-jp'>", GBK);
        declares(b"<meta http-equiv=content-type content='charset=euc-jp' charset=gbk>", GBK);
        // Even with an unknown label.
        declares(b"<meta http-equiv=content-type content='charset=euc-jp' charset=nothing>", None);
        declares(b"<meta charset=gbk charset=euc-jp>", GBK);
        declares(b"<meta charset=nothing CHARSET=euc-jp>", None);
        declares(b"<meta http-equiv=refresh http-equiv=content-type content='charset=gbk'>", None);
        declares(b"<meta http-equiv=content-type content=x content='charset=gbk'>", None);
    }

    #[test]
    fn impossible_declarations_are_remapped_as_in_browsers() {
        declares(b"<meta charset=utf-16>", UTF_8);
        declares(b"<meta charset=utf-16be>", UTF_8);
        declares(b"<meta charset=x-user-defined>", WINDOWS_1252);
        declares(b"<meta http-equiv=content-type content='charset=utf-16le'>", UTF_8);
        declares(b"<?xml version='1.0' encoding='UTF-16'?>", UTF_8);
        declares(b"@charset \"utf-16\";", UTF_8);
        let shown = |text: &[u8]| declarations(text)[0].to_string();
        assert_eq!(shown(b" <meta charset=UTF-16>"), "<meta charset=\"utf-16\"> at byte 1, which means UTF-8 here");
        assert_eq!(shown(b"<meta charset=' sjis'>"), "<meta charset=\" sjis\"> at byte 0");
    }

    #[test]
    fn other_markup_is_skipped() {
        declares(b"<!-- <meta charset=gbk> --><meta charset=koi8-r>", KOI8_R);
        declares(b"<!--><meta charset=koi8-r>", KOI8_R);
        declares(b"<!---><meta charset=koi8-r>", KOI8_R);
        declares(b"<!-- > -- > <meta charset=gbk>", None);
        declares(b"<!- <meta charset=gbk> <meta charset=koi8-r>", KOI8_R);
        declares(b"<! <meta charset=gbk>", None);
        declares(b"</ <meta charset=gbk>", None);
        declares(b"<? <meta charset=gbk>", None);
        declares(b"< <meta charset=gbk>", GBK);
        declares(b"<1 <meta charset=gbk>", GBK);
        // Within an attribute of another element, where `>` does not end the element.
        declares(b"<a title='> <meta charset=gbk>'><meta charset=koi8-r>", KOI8_R);
        declares(b"</a title='> <meta charset=gbk>'><meta charset=koi8-r>", KOI8_R);
        declares(b"<a href=x><meta charset=koi8-r>", KOI8_R);
        declares(b"<title>x</title><meta charset=koi8-r>", KOI8_R);
        // The content of a script is treated as markup.
        declares(b"<script>'<meta charset=gbk>'</script>", GBK);
    }

    #[test]
    fn incomplete_declarations_are_ignored() {
        for whole in [
            &b"<meta charset=gbk>"[..],
            b"<!-- x --><meta charset='gbk' >",
            b"<meta content='charset=gbk' http-equiv=content-type>",
        ] {
            declares(whole, GBK);
            for end in 0..whole.len() {
                declares(&whole[..end], None);
            }
        }
    }

    #[test]
    fn only_the_first_1024_bytes_count() {
        let meta = b"<meta charset=gbk>";
        let after = |spaces: usize| [&vec![b' '; spaces][..], meta, b" and so on"].concat();
        declares(&after(PRESCAN - meta.len()), GBK);
        for spaces in PRESCAN - meta.len() + 1..PRESCAN + 2 {
            declares(&after(spaces), None);
        }
        assert_eq!(declarations(&after(100))[0].offset, 100);
        declares(&[b"<?xml", &vec![b' '; PRESCAN][..], b"encoding='gbk'?>"].concat(), None);
        declares(&[b"@charset \"", &vec![b' '; PRESCAN][..], b"gbk\";"].concat(), None);
    }

    #[test]
    fn xml_declaration() {
        declares(b"<?xml version=\"1.0\" encoding=\"koi8-r\"?><a/>", KOI8_R);
        declares(b"<?xml version='1.0' encoding\n=\x01'KOI8-R' standalone='yes'?>", KOI8_R);
        for none in [
            &b" <?xml version='1.0' encoding='koi8-r'?>"[..],
            b"<?XML version='1.0' encoding='koi8-r'?>",
            b"<?xml version='1.0' encoding='koi8-r\"?>",
            b"<?xml version='1.0' encoding=' koi8-r'?>",
            b"<?xml version='1.0' encoding koi8-r?>",
            b"<?xml version='1.0' encoding=koi8-r?>",
            b"<?xml version='1.0' encoding='nothing'?>",
            b"<?xml version='1.0' encoding='koi8-r'?",
            b"<?xml version='1.0'?><a encoding='koi8-r'>",
        ] {
            declares(none, None);
        }
    }

    #[test]
    fn xml_declaration_in_utf_16() {
        declares(b"<\0?\0x\0m\0l\0", UTF_16LE);
        declares(b"\0<\0?\0x\0m\0l", UTF_16BE);
        declares(b"<\0?\0X\0", None);
        assert_eq!(declarations(b"<\0?\0x\0")[0].to_string(), "an XML declaration in UTF-16LE at byte 0");
    }

    #[test]
    fn xhtml_can_have_two_declarations() {
        let both = declarations(b"<?xml version='1.0' encoding='gbk'?><meta charset=koi8-r>");
        assert_eq!(both.iter().map(|found| found.encoding).collect::<Vec<_>>(), [GBK, KOI8_R]);
        declares(b"<?xml version='1.0'?><html><meta charset=koi8-r>", KOI8_R);
    }

    #[test]
    fn css_requires_the_exact_bytes() {
        declares(b"@charset \"iso-8859-2\";\nb {}", ISO_8859_2);
        for none in [
            &b" @charset \"iso-8859-2\";"[..],
            b"@charset  \"iso-8859-2\";",
            b"@charset 'iso-8859-2';",
            b"@CHARSET \"iso-8859-2\";",
            b"@charset \"iso-8859-2\" ;",
            b"@charset \"iso-8859-2\"",
            b"@charset \"iso-8859-2;",
            b"@charset \"\";",
        ] {
            declares(none, None);
        }
    }

    #[test]
    fn long_labels_are_truncated() {
        let long = [b"<meta charset='gbk", &[b' '; 60][..], b"'>"].concat();
        assert_eq!(declarations(&long)[0].to_string(), format!("<meta charset=\"gbk{}…\"> at byte 0", " ".repeat(37)));
    }
}
