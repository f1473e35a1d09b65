//! Encoding declarations within text: in HTML, XML, CSS, source code, PO files and e-mail.
//!
//! They are found in bytes that are ASCII-compatible. [`in_ascii`] makes such bytes of UTF-16.

mod html;
mod label;
mod mail;
mod po;
mod scan;
mod source_code;
#[cfg(test)]
mod tests;

use std::{borrow::Cow, fmt, ops::Range};

use textcodec::{Alias, Encoding, LATIN1, US_ASCII, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use scan::Scan;

/// The number of bytes in which browsers look for a declaration.
const PRESCAN: usize = 1024;

/// The number of bytes in which the headers of PO files and of e-mail, the first lines of source code, and all declarations of
/// HTML are searched.
pub(crate) const HEAD_LEN: usize = 64 * 1024;

/// A declaration that names an encoding of the standard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Declaration {
    /// The encoding that the declaration means. A declaration in ASCII bytes that names UTF-16 means UTF-8.
    pub(crate) encoding: Encoding,
    pub(crate) form: Form,
    written: AnyDeclaration,
}

/// A declaration whose label may be unknown, such as `IBM437`. It is no evidence for an encoding, but can become wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AnyDeclaration {
    /// The encoding that the declaration means, if the label is known.
    encoding: Option<Encoding>,
    pub(crate) form: Form,
    /// The encoding that the label means elsewhere.
    named: Option<Encoding>,
    /// The label as written, in bytes that are escaped for messages.
    label: String,
    /// The offset of the first byte of the declaration.
    pub(crate) offset: usize,
    /// The position of the label in the text. It is empty if there is no label.
    pub(crate) label_range: Range<usize>,
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
    /// `# -*- coding: … -*-` in the first two lines of source code
    Comment,
    /// `"Content-Type: text/plain; charset=…\n"` in the header of a PO file
    Po,
    /// `Content-Type: text/plain; charset=…` in the header of an e-mail message or of one of its parts
    Mail,
}

impl AnyDeclaration {
    /// Creates a declaration whose label is `text[label_range]`. Returns `None` if this is neither a known label nor looks like
    /// one.
    fn new(text: &[u8], named: Option<Encoding>, form: Form, offset: usize, label_range: Range<usize>) -> Option<Self> {
        const MAX_SHOWN: usize = 40;
        if named.is_none() && !label::looks_like_label(&text[label_range.clone()]) {
            return None;
        }
        let label = &text[label_range.clone()];
        let mut shown = label[..label.len().min(MAX_SHOWN)].escape_ascii().to_string();
        if label.len() > MAX_SHOWN {
            shown.push('…');
        }
        let encoding = named.map(|named| match form {
            Form::WideXml => named,
            Form::Meta | Form::Pragma => html::meaning(named),
            _ => ascii_compatible(named),
        });
        Some(Self { encoding, form, named, label: shown, offset, label_range })
    }

    /// Returns the declaration as one that names an encoding of the standard, if it does.
    fn known(self) -> Option<Declaration> {
        Some(Declaration { encoding: self.encoding?, form: self.form, written: self })
    }

    /// Returns whether the label is known.
    pub(crate) fn is_known(&self) -> bool {
        self.named.is_some()
    }

    /// Returns the name of the encoding that the declaration means, or an unknown label in quotes.
    pub(crate) fn meaning(&self) -> Cow<'static, str> {
        self.encoding.map_or_else(|| format!("'{}'", self.label).into(), |encoding| encoding.name().into())
    }

    /// Returns whether the declaration is right for text in this encoding.
    pub(crate) fn is_right_for(&self, encoding: Encoding) -> bool {
        let (Some(meant), Some(named)) = (self.encoding, self.named) else {
            return match encoding {
                UTF_8 => label::is_variant_of_utf_8(&self.label),
                // Nearly all encodings have ASCII.
                US_ASCII => true,
                _ => false,
            };
        };
        let is_utf_16 = |encoding| matches!(encoding, UTF_16BE | UTF_16LE);
        match encoding {
            // All such text is the same in the declared encoding.
            US_ASCII => named.is_ascii_compatible(),
            LATIN1 => named == WINDOWS_1252,
            // Only on the web, UTF-16 means UTF-8.
            UTF_8 if is_utf_16(named) => matches!(self.form, Form::Meta | Form::Pragma | Form::Css),
            _ => meant == encoding || named == encoding || is_utf_16(named) && is_utf_16(encoding),
        }
    }

    /// Returns the label to write instead for text in this encoding, in lower case if the present one is.
    pub(crate) fn corrected_label(&self, encoding: Encoding) -> String {
        let name = match encoding {
            US_ASCII => "US-ASCII",
            LATIN1 => "ISO-8859-1",
            // The byte order follows from the text.
            UTF_16BE | UTF_16LE => "UTF-16",
            _ => encoding.name(),
        };
        if self.label.contains(|c: char| c.is_ascii_uppercase()) { name.to_owned() } else { name.to_ascii_lowercase() }
    }
}

impl fmt::Display for Declaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.written.fmt(f)
    }
}

/// Formats the declaration as `<meta charset="sjis"> at byte 113`. Adds the encoding if the label has another meaning here.
impl fmt::Display for AnyDeclaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { encoding, form, named, label, offset, .. } = self;
        match form {
            Form::Meta => write!(f, "<meta charset=\"{label}\">"),
            Form::Pragma => write!(f, "<meta http-equiv=\"content-type\"> with charset={label}"),
            Form::Xml => write!(f, "<?xml encoding=\"{label}\"?>"),
            Form::WideXml => write!(f, "an XML declaration in {}", self.meaning()),
            Form::Css => write!(f, "@charset \"{label}\""),
            Form::Comment => write!(f, "a comment with coding: {label}"),
            Form::Po => write!(f, "the PO header with charset={label}"),
            Form::Mail => write!(f, "the mail header with charset={label}"),
        }?;
        write!(f, " at byte {offset}")?;
        match encoding {
            Some(meant) if named != encoding => write!(f, ", which means {meant} here"),
            _ => Ok(()),
        }
    }
}

/// Returns the declarations that readers of a text consider, in order of precedence.
///
/// Those of HTML, XML and CSS must end within the first 1,024 bytes, the others within [`HEAD_LEN`]. Unknown labels are left
/// out.
pub(crate) fn declarations(text: &[u8]) -> Vec<Declaration> {
    let start = &text[..text.len().min(PRESCAN)];
    let found = find(text, AnyDeclaration::is_known, || html::prescan(start));
    found.into_iter().filter_map(AnyDeclaration::known).collect()
}

/// Returns the declarations that should be right, also those with unknown labels. In HTML, this includes later ones than
/// browsers search for.
pub(crate) fn all_declarations(text: &[u8]) -> Vec<AnyDeclaration> {
    find(text, |_| true, || html::all(text))
}

fn find(
    text: &[u8],
    wanted: fn(&AnyDeclaration) -> bool,
    html: impl FnOnce() -> Vec<AnyDeclaration>,
) -> Vec<AnyDeclaration> {
    let head = &text[..text.len().min(HEAD_LEN)];
    // Mail, PO files and source code may contain HTML, but not the other way round.
    let mut found = mail::headers(head);
    found.retain(wanted);
    if !found.is_empty() {
        return found;
    }
    let start = &text[..text.len().min(PRESCAN)];
    let found = css(start)
        .filter(wanted)
        .or_else(|| po::header(head).filter(wanted))
        .or_else(|| source_code::comment(head).filter(wanted));
    if let Some(declaration) = found {
        return vec![declaration];
    }
    // The HTML standard considers an XML declaration last. Here it comes first, because XML parsers read such files, too,
    // and because a feed may contain an HTML page in its text.
    xml(start).into_iter().chain(html()).filter(wanted).collect()
}

/// Returns text in UTF-16 with one byte for each code unit, 0xFF for all that is not ASCII. Returns other text unchanged.
pub(crate) fn in_ascii(text: &[u8], encoding: Encoding) -> Cow<'_, [u8]> {
    let unit = match encoding {
        UTF_16LE => u16::from_le_bytes,
        UTF_16BE => u16::from_be_bytes,
        _ => return text.into(),
    };
    let narrow = |&bytes: &[u8; 2]| u8::try_from(unit(bytes)).ok().filter(u8::is_ascii).unwrap_or(0xFF);
    text.as_chunks().0.iter().map(narrow).collect::<Vec<_>>().into()
}

/// Matches the [exact bytes that CSS requires](https://drafts.csswg.org/css-syntax/#determine-the-fallback-encoding): at the
/// start, with one space and double quotes.
fn css(text: &[u8]) -> Option<AnyDeclaration> {
    const START: &[u8] = b"@charset \"";
    let rest = text.strip_prefix(START)?;
    let label = &rest[..rest.iter().position(|&byte| byte == b'"')?];
    if !rest[label.len() + 1..].starts_with(b";") || !label.is_ascii() {
        return None;
    }
    AnyDeclaration::new(text, Encoding::for_label(label), Form::Css, 0, START.len()..START.len() + label.len())
}

/// [Get an XML encoding](https://html.spec.whatwg.org/multipage/parsing.html#concept-get-xml-encoding-when-sniffing).
fn xml(text: &[u8]) -> Option<AnyDeclaration> {
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
    AnyDeclaration::new(text, Encoding::for_label(label), Form::Xml, 0, start..scan.at) // 16, 17
}

/// Replaces UTF-16 by UTF-8, because a declaration in ASCII bytes cannot be UTF-16.
fn ascii_compatible(encoding: Encoding) -> Encoding {
    if matches!(encoding, UTF_16BE | UTF_16LE) { UTF_8 } else { encoding }
}

/// Returns the encoding of a label or of another name that is used outside the web.
fn for_name(name: &[u8]) -> Option<Encoding> {
    let name = str::from_utf8(name).ok()?;
    Encoding::for_label(name).or_else(|| Some(Alias::for_name(name)?.encoding))
}
