//! XML documents.

use textcodec::Encoding;

use crate::declaration::{Declaration, Form, scan::Scan};

/// [Get an XML encoding](https://html.spec.whatwg.org/multipage/parsing.html#concept-get-xml-encoding-when-sniffing).
pub(crate) fn declaration(text: &[u8]) -> Option<Declaration> {
    if !text.starts_with(b"<?xml") {
        return None; // 2
    }
    // The standard says where `encoding` must be. The label cannot be past the end, either, because it has no `>`.
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
