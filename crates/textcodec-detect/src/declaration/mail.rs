//! Declarations in e-mail: the `charset` of a message, or of the parts of a multipart message.

use alloc::vec::Vec;

use super::Declaration;
use crate::mail::Scanner;

/// Finds the charset in the headers of messages, and in the headers of their parts. A file may have one message or, in mbox
/// format, several.
///
/// A part in base64 or quoted-printable is skipped: it is ASCII, and its charset is that of the decoded bytes.
pub(super) fn headers(text: &[u8]) -> Vec<Declaration> {
    let mut found = Vec::new();
    let mut add = |part: crate::mail::Part| {
        // The end of the text may have cut a header.
        let declaration = part.declaration().filter(|_| part.is_header_complete && !part.is_encoded);
        found.extend(declaration.map(|declaration| declaration.moved(part.header_range().start as usize)));
    };
    let mut scanner = Scanner::new();
    scanner.feed(text, &mut add);
    scanner.finish(&mut add);
    found.sort_by_key(Declaration::offset);
    found
}
