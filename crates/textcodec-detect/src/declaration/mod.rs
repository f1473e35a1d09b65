//! Encoding declarations within text: in HTML, XML, CSS, source code, PO files, e-mail and [other formats](Form).
//!
//! They are found in bytes that are ASCII-compatible. [`in_ascii`] makes such bytes of UTF-16. To determine an encoding exactly
//! as a browser does, use [`html`], [`xml`] or [`css`] instead.

mod code;
#[cfg(test)]
mod format_tests;
mod jsp;
mod label;
mod latex;
mod lines;
mod mail;
mod names;
mod php;
mod po;
pub(crate) mod scan;
mod source_code;
mod sql;
#[cfg(test)]
mod tests;
mod unserved;

use alloc::{
    borrow::{Cow, ToOwned},
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::{fmt, iter, ops::Range};

pub(crate) use names::for_name;
use names::{usual, written};
use textcodec::{Encoding, LATIN1, REPLACEMENT, US_ASCII, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
pub(crate) use unserved::{Unserved, impossible};

use crate::{css, html, xml};

/// The number of bytes in which browsers look for a declaration.
pub(crate) const PRESCAN: usize = 1024;

/// The number of bytes in which [`find`] and [`find_all`] search: 64 KiB.
///
/// A declaration in CSS must end within the first 1,024 bytes, an XML declaration in the 1,024 bytes after its start. In HTML,
/// browsers search 1,024 bytes before they parse the page, and then follow a `<meta>` element that the parser finds: both count.
///
/// ```
/// use textcodec_detect::declaration::{self, HEAD_LEN};
///
/// let mail = |len: usize| format!("Subject: {}\nContent-Type: text/plain; charset=koi8-r\n\n", "x".repeat(len));
/// assert_eq!(declaration::find(mail(9).as_bytes()).len(), 1);
/// assert_eq!(declaration::find(mail(HEAD_LEN).as_bytes()).len(), 0);
/// ```
pub const HEAD_LEN: usize = 64 * 1024;

/// A declaration of an encoding in text.
///
/// Its label may be unknown, such as `IBM437` in HTML. Then it is no evidence for an encoding, but it can become wrong. With the feature
/// `oem` of `textcodec`, code pages that have ASCII are known in all other formats. Others, such as EBCDIC, are not: a declaration in
/// ASCII cannot mean them.
/// [`Display`](fmt::Display) shows what is written and where, for messages.
///
/// ```
/// use textcodec::{SHIFT_JIS, UTF_8};
/// use textcodec_detect::declaration::{self, Form};
///
/// let found = declaration::find(b"<p><meta charset=sjis>");
/// assert_eq!(found[0].encoding(), Some(SHIFT_JIS));
/// assert_eq!(found[0].form(), Form::Meta);
/// assert_eq!((found[0].offset(), found[0].label(), found[0].label_range()), (3, "sjis", 17..21));
/// assert_eq!(found[0].to_string(), "<meta charset=\"sjis\"> at byte 3");
/// assert!(!found[0].is_right_for(UTF_8));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    encoding: Option<Encoding>,
    form: Form,
    /// The encoding that the label means elsewhere.
    named: Option<Encoding>,
    /// The encoding of the name, if a declaration in ASCII cannot mean it.
    impossible: Option<Encoding>,
    /// The label as written, in bytes that are escaped for messages.
    label: String,
    offset: usize,
    label_range: Range<usize>,
}

/// The syntax of a [`Declaration`].
///
/// ```
/// use textcodec_detect::declaration::{self, Form};
///
/// let form = |text: &str| declaration::find(text.as_bytes())[0].form();
/// assert_eq!(form("<?xml version='1.0' encoding='gbk'?>"), Form::Xml);
/// assert_eq!(form("# -*- coding: gbk -*-"), Form::Comment);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Form {
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
    /// `\usepackage[…]{inputenc}` or `\inputencoding{…}` in LaTeX
    Latex,
    /// `<%@ page pageEncoding="…" %>` or `contentType="…; charset=…"` in JSP
    Jsp,
    /// `header('Content-Type: text/html; charset=…')` or `declare(encoding='…')` in PHP
    Php,
    /// `;CHARSET=…` in a property of vCard, iCalendar or vCalendar
    Card,
    /// `1 CHAR …` in the header of a GEDCOM file
    Gedcom,
    /// `Encoding=…` in a desktop entry
    Desktop,
    /// `scriptencoding …` in a script of Vim
    Vim,
    /// `SET NAMES …` or `SET CHARACTER SET …` in SQL
    Sql,
    /// `SET client_encoding = …` in SQL, or `\encoding …` of psql
    Postgres,
    /// Not in the text: [`Hints::transport`](crate::Hints::transport)
    Transport,
}

impl Declaration {
    /// Creates a declaration whose label is `text[label_range]`. Returns `None` if this is neither a known label nor looks like
    /// one.
    pub(crate) fn new(
        text: &[u8],
        named: Option<Encoding>,
        form: Form,
        offset: usize,
        label_range: Range<usize>,
    ) -> Option<Self> {
        const MAX_SHOWN: usize = 40;
        let impossible = named.filter(|&named| unserved::is_impossible(named, form));
        let named = named.filter(|_| impossible.is_none());
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
        Some(Self { encoding, form, named, impossible, label: shown, offset, label_range })
    }

    /// Returns the declaration with positions that are higher by a number of bytes.
    pub(crate) fn moved(self, by: usize) -> Self {
        let label_range = self.label_range.start + by..self.label_range.end + by;
        Self { offset: self.offset + by, label_range, ..self }
    }

    /// Creates a declaration of the transport layer.
    pub(crate) fn of_transport(encoding: Encoding) -> Self {
        let (encoding, label) = (Some(encoding), encoding.name().to_owned());
        Self { encoding, form: Form::Transport, named: encoding, impossible: None, label, offset: 0, label_range: 0..0 }
    }

    /// Returns the encoding that the declaration means, or `None` if its label is unknown.
    ///
    /// This can differ from what the label means elsewhere: ASCII bytes that declare UTF-16 mean UTF-8, and in a `<meta>`
    /// element, x-user-defined means windows-1252.
    ///
    /// ```
    /// use textcodec::UTF_8;
    /// use textcodec_detect::declaration;
    ///
    /// assert_eq!(declaration::find_all(b"<meta charset=utf-16>")[0].encoding(), Some(UTF_8));
    /// assert_eq!(declaration::find_all(b"<meta charset=ibm437>")[0].encoding(), None);
    /// ```
    #[must_use]
    pub fn encoding(&self) -> Option<Encoding> {
        self.encoding
    }

    /// Returns the syntax. The example of [`Form`] shows some of them.
    #[must_use]
    pub fn form(&self) -> Form {
        self.form
    }

    /// Returns the label as written. Bytes that are not printable ASCII are escaped, and after 40 bytes it ends with `…`.
    ///
    /// ```
    /// use textcodec_detect::declaration;
    ///
    /// assert_eq!(declaration::find(b"<meta charset='\tKOI8-r'>")[0].label(), r"\tKOI8-r");
    /// ```
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Returns the offset of the first byte of the declaration.
    ///
    /// ```
    /// use textcodec_detect::declaration;
    ///
    /// assert_eq!(declaration::find(b"<html><meta charset=gbk>")[0].offset(), 6);
    /// ```
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Returns the position of the label in the text, in bytes. It is empty if there is no label.
    ///
    /// ```
    /// use textcodec_detect::declaration;
    ///
    /// let page = b"<meta charset = 'gbk'>";
    /// assert_eq!(page[declaration::find(page)[0].label_range()], *b"gbk");
    /// ```
    #[must_use]
    pub fn label_range(&self) -> Range<usize> {
        self.label_range.clone()
    }

    /// Returns the name of the encoding that the declaration means, or an unknown label in quotes.
    ///
    /// ```
    /// use textcodec_detect::declaration;
    ///
    /// let meaning = |text: &str| declaration::find_all(text.as_bytes())[0].meaning();
    /// assert_eq!(meaning("<meta charset=latin1>"), "windows-1252");
    /// assert_eq!(meaning("<meta charset=cp850>"), "'cp850'");
    /// ```
    #[must_use]
    pub fn meaning(&self) -> Cow<'static, str> {
        self.encoding.map_or_else(|| format!("'{}'", self.label).into(), |encoding| encoding.name().into())
    }

    /// Returns whether the declaration is right for text in this encoding.
    ///
    /// Text in ASCII is right with the label of every encoding that has ASCII. A declaration of `utf-16` is right in both byte
    /// orders.
    ///
    /// ```
    /// use textcodec::{GBK, US_ASCII, UTF_8};
    /// use textcodec_detect::declaration;
    ///
    /// let found = &declaration::find(b"<meta charset=gbk>")[0];
    /// assert!(found.is_right_for(GBK) && found.is_right_for(US_ASCII) && !found.is_right_for(UTF_8));
    /// ```
    #[must_use]
    pub fn is_right_for(&self, encoding: Encoding) -> bool {
        if usual(encoding) != encoding.name() && self.label.eq_ignore_ascii_case(usual(encoding)) {
            return true;
        }
        let (Some(meant), Some(named)) = (self.encoding, self.named) else {
            return match encoding {
                UTF_8 => label::is_variant_of_utf_8(&self.label),
                // Nearly all encodings have ASCII.
                US_ASCII => true,
                // HTML, XML and CSS do not know names outside the standard.
                _ => for_name(self.label.as_bytes()) == Some(encoding),
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
    ///
    /// ```
    /// use textcodec::UTF_8;
    /// use textcodec_detect::declaration;
    ///
    /// let mut page = b"<meta charset=gbk>".to_vec();
    /// let found = declaration::find(&page).remove(0);
    /// page.splice(found.label_range(), found.corrected_label(UTF_8).into_bytes());
    /// assert_eq!(page, b"<meta charset=utf-8>");
    /// ```
    #[must_use]
    pub fn corrected_label(&self, encoding: Encoding) -> String {
        let name = written(self.form, &self.label, encoding);
        if self.label.contains(|c: char| c.is_ascii_uppercase()) { name.to_owned() } else { name.to_ascii_lowercase() }
    }
}

/// Formats the declaration as `<meta charset="sjis"> at byte 113`. Adds the encoding if the label has another meaning here.
impl fmt::Display for Declaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { encoding, form, named, impossible, label, offset, .. } = self;
        match form {
            Form::Meta => write!(f, "<meta charset=\"{label}\">"),
            Form::Pragma => write!(f, "<meta http-equiv=\"content-type\"> with charset={label}"),
            Form::Xml => write!(f, "<?xml encoding=\"{label}\"?>"),
            Form::WideXml => write!(f, "an XML declaration in {}", self.meaning()),
            Form::Css => write!(f, "@charset \"{label}\""),
            Form::Comment => write!(f, "a comment with coding: {label}"),
            Form::Po => write!(f, "the PO header with charset={label}"),
            Form::Mail => write!(f, "the mail header with charset={label}"),
            Form::Latex => write!(f, "inputenc with {label}"),
            Form::Jsp => write!(f, "a JSP directive with {label}"),
            Form::Php => write!(f, "PHP code with {label}"),
            Form::Card => write!(f, "a property with CHARSET={label}"),
            Form::Gedcom => write!(f, "the line 1 CHAR {label}"),
            Form::Desktop => write!(f, "the line Encoding={label}"),
            Form::Vim => write!(f, "scriptencoding {label}"),
            Form::Sql => write!(f, "SET NAMES {label}"),
            Form::Postgres => write!(f, "client_encoding {label}"),
            Form::Transport => return write!(f, "the transport layer (charset={label})"),
        }?;
        write!(f, " at byte {offset}")?;
        if *form == Form::Xml && *offset > 0 {
            f.write_str(", where XML does not allow it")?;
        }
        if let Some(impossible) = impossible {
            return write!(f, ", but text that declares this in ASCII is not {impossible}");
        }
        match encoding {
            Some(meant) if named != encoding => write!(f, ", which means {meant} here"),
            _ => Ok(()),
        }
    }
}

/// A declaration, and the encoding that its label means, here or elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) encoding: Encoding,
    pub(crate) declaration: Declaration,
}

impl Known {
    pub(crate) fn new(declaration: Declaration) -> Option<Self> {
        // Text whose label means `replacement` is never decoded.
        let encoding = declaration.encoding.filter(|&encoding| encoding != REPLACEMENT)?;
        Some(Self { encoding, declaration })
    }
}

impl fmt::Display for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.declaration.fmt(f)
    }
}

/// Returns the declarations that readers of a text consider, in order of precedence. Their labels are known.
///
/// `start` is the start of the text, of which at most [`HEAD_LEN`] bytes are searched. A declaration in e-mail takes precedence
/// over one in CSS, in a PO file, in source code, in other formats that are not markup, in XML, in JSP, in PHP, and in HTML: all but
/// the last can contain HTML. There can be several, except in CSS, PO files and source code.
///
/// An XML declaration after white space or comments is malformed, but counts. So does a `<meta>` element in the head of a page that
/// browsers do not find in the first 1,024 bytes, or one in its body if there is none in the head.
///
/// ```
/// use textcodec::KOI8_R;
/// use textcodec_detect::declaration;
///
/// let found = declaration::find(b"#!/usr/bin/python\n# -*- coding: koi8-r -*-\n");
/// assert_eq!(found[0].encoding(), Some(KOI8_R));
/// assert!(declaration::find(b"<meta charset=ibm437>").is_empty());
/// ```
#[must_use]
pub fn find(start: &[u8]) -> Vec<Declaration> {
    first_known(groups(start, html::followed))
}

/// Returns what [`find`] finds, and the declarations that cannot be followed.
pub(crate) fn find_with_unserved(start: &[u8]) -> (Vec<Declaration>, Vec<Unserved>) {
    let mut groups = groups(start, html::followed).peekable();
    let unserved = groups.peek().map(|group| unserved::unserved(start, group)).unwrap_or_default();
    (first_known(groups), unserved)
}

/// Returns whether a text starts with a tag. Other text, such as Markdown, may show a `<meta>` element.
pub(crate) fn is_page(text: &[u8]) -> bool {
    text.trim_ascii_start().starts_with(b"<")
}

/// Returns the declarations that should be right: those that [`find`] finds, also with unknown labels. In HTML, these are only the ones
/// that a parser finds, not those in scripts, titles and the like, nor those in text that does not start with a tag.
///
/// Use it to correct declarations after a conversion.
///
/// ```
/// use textcodec_detect::declaration;
///
/// let page = [b"<!doctype html><title>".to_vec(), vec![b'x'; 2000], b"</title><meta charset=ibm437>".to_vec()].concat();
/// assert!(declaration::find(&page).is_empty());
/// assert_eq!(declaration::find_all(&page)[0].label(), "ibm437");
/// ```
#[must_use]
pub fn find_all(start: &[u8]) -> Vec<Declaration> {
    groups(start, html::parsed).next().unwrap_or_default()
}

/// Finds the declarations of a group of formats.
type Find = fn(&[u8]) -> Vec<Declaration>;

/// Returns the declarations of a text by groups of formats, in order of precedence. One group counts. Each is searched when it is
/// needed, and those without a declaration are left out.
fn groups(text: &[u8], html: Find) -> impl Iterator<Item = Vec<Declaration>> {
    // They may contain HTML, but not the other way round.
    const NOT_MARKUP: [Find; 7] = [
        mail::headers,
        |head| css::declaration(prescan(head)).into_iter().collect(),
        |head| po::header(head).into_iter().collect(),
        |head| source_code::comment(head).into_iter().collect(),
        lines::declarations,
        latex::declarations,
        sql::declarations,
    ];
    let head = &text[..text.len().min(HEAD_LEN)];
    let markup = move || {
        // The HTML Standard considers an XML declaration last. Here it comes first, because XML parsers read such files, too,
        // and because a feed may contain an HTML page in its text.
        let xml = xml::declaration(prescan(head)).or_else(|| xml::misplaced(head)).into_iter();
        let code = jsp::declarations(head).into_iter().chain(php::declarations(head));
        xml.chain(code).chain(html(head)).collect()
    };
    let not_markup = NOT_MARKUP.into_iter().map(move |declarations| declarations(head));
    not_markup.chain(iter::once_with(markup)).filter(|group| !group.is_empty())
}

/// Returns the bytes that browsers search.
fn prescan(head: &[u8]) -> &[u8] {
    &head[..head.len().min(PRESCAN)]
}

/// Returns the declarations with known labels of the first group that has some.
fn first_known(mut groups: impl Iterator<Item = Vec<Declaration>>) -> Vec<Declaration> {
    let known = |mut group: Vec<Declaration>| {
        group.retain(|declaration| declaration.encoding.is_some());
        (!group.is_empty()).then_some(group)
    };
    groups.find_map(known).unwrap_or_default()
}

/// Returns text in UTF-16 with one byte for each code unit, 0xFF for all that is not ASCII. Returns other text unchanged.
///
/// ```
/// use textcodec::UTF_16LE;
/// use textcodec_detect::declaration::in_ascii;
///
/// assert_eq!(*in_ascii(b"a\0\xE9\0", UTF_16LE), *b"a\xFF");
/// ```
#[must_use]
pub fn in_ascii(text: &[u8], encoding: Encoding) -> Cow<'_, [u8]> {
    let unit = match encoding {
        UTF_16LE => u16::from_le_bytes,
        UTF_16BE => u16::from_be_bytes,
        _ => return text.into(),
    };
    let narrow = |&bytes: &[u8; 2]| u8::try_from(unit(bytes)).ok().filter(u8::is_ascii).unwrap_or(0xFF);
    text.as_chunks().0.iter().map(narrow).collect::<Vec<_>>().into()
}

/// Replaces UTF-16 by UTF-8, because a declaration in ASCII bytes cannot be UTF-16.
pub(crate) fn ascii_compatible(encoding: Encoding) -> Encoding {
    if matches!(encoding, UTF_16BE | UTF_16LE) { UTF_8 } else { encoding }
}
