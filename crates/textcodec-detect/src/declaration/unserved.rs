//! Declarations that cannot be followed: of encodings that are unknown or not available, and of impossible ones.

use alloc::vec::Vec;
use core::fmt;

use textcodec::{Encoding, REPLACEMENT};

use super::{Declaration, Form, HEAD_LEN, label::leaves_open, mail, names::for_name, po, source_code};

/// A declaration that cannot be followed. It is no evidence for an encoding, but against others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unserved {
    pub(crate) declaration: Declaration,
    /// The encoding that the label means elsewhere, if browsers do not know it, such as `IBM850`.
    pub(crate) may_be: Option<Encoding>,
}

/// Formats the declaration as the reason that another encoding is uncertain.
impl fmt::Display for Unserved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { declaration, may_be } = self;
        match may_be {
            Some(encoding) => {
                write!(f, "declared as {encoding} by {declaration}, a label that browsers do not know")
            }
            None => write!(f, "declared as {} by {declaration}, which cannot be decoded here", declaration.meaning()),
        }
    }
}

/// Returns the declarations whose encoding is unknown, or not available.
pub(super) fn unserved(start: &[u8], found: &[Declaration]) -> Vec<Unserved> {
    let is_unserved = |found: &&Declaration| {
        matches!(found.encoding, None | Some(REPLACEMENT)) && found.impossible.is_none() && !leaves_open(&found.label)
    };
    let unserved = found.iter().filter(is_unserved).map(|declaration| {
        let is_of_the_web = matches!(declaration.form, Form::Meta | Form::Pragma | Form::Xml | Form::Css);
        let may_be = for_name(&start[declaration.label_range()]).filter(|_| is_of_the_web);
        Unserved { declaration: declaration.clone(), may_be: may_be.filter(|encoding| *encoding != REPLACEMENT) }
    });
    // ASCII cannot declare EBCDIC.
    unserved.filter(|unserved| unserved.may_be.is_none_or(Encoding::is_ascii_compatible)).collect()
}

/// Returns the declarations that mean an encoding in which they could not be written, such as EBCDIC.
pub(crate) fn impossible(start: &[u8]) -> Vec<Declaration> {
    let head = &start[..start.len().min(HEAD_LEN)];
    let found = mail::headers(head).into_iter().chain(po::header(head)).chain(source_code::comment(head));
    found.filter(|declaration| declaration.impossible.is_some()).collect()
}

/// Returns whether a declaration in ASCII cannot mean this encoding, which is outside the standard. That of mail can mean UTF-7. In
/// other text, UTF-7 is an attack.
pub(super) fn is_impossible(encoding: Encoding, form: Form) -> bool {
    let is_outside = encoding.labels().is_empty() && !encoding.is_ascii_compatible();
    is_outside && !(form == Form::Mail && encoding.name() == "UTF-7")
}
