//! The numbers of the headers. `cargo xtask c detect` compares those of `textcodec_detect.h`.

use textcodec::Encoding;
use textcodec_detect::{Confidence, Evidence, declaration::Form};

use crate::list::ALL;

/// A result. Negative: the function has done nothing.
pub(crate) type Status = i32;

/// The number of an encoding.
pub(crate) type Number = i32;

// From `textcodec.h`.
pub(crate) const OK: Status = 0;
pub(crate) const INVALID_ARGUMENT: Status = -1;
pub(crate) const NO_MEMORY: Status = -2;
pub(crate) const UNAVAILABLE: Status = -3;
pub(crate) const NONE: Number = -1;

pub(crate) const TEXTCODEC_CONFIDENCE_NONE: i32 = 0;
const TEXTCODEC_CONFIDENCE_LOW: i32 = 1;
const TEXTCODEC_CONFIDENCE_MEDIUM: i32 = 2;
const TEXTCODEC_CONFIDENCE_HIGH: i32 = 3;
const TEXTCODEC_CONFIDENCE_CERTAIN: i32 = 4;

pub(crate) const TEXTCODEC_EVIDENCE_NONE: i32 = 0;
const TEXTCODEC_EVIDENCE_EMPTY: i32 = 1;
const TEXTCODEC_EVIDENCE_BOM: i32 = 2;
const TEXTCODEC_EVIDENCE_DECLARATION: i32 = 3;
const TEXTCODEC_EVIDENCE_STRUCTURE: i32 = 4;
const TEXTCODEC_EVIDENCE_ASCII: i32 = 5;
const TEXTCODEC_EVIDENCE_GUESS: i32 = 6;
const TEXTCODEC_EVIDENCE_FALLBACK: i32 = 7;

const TEXTCODEC_FORM_OTHER: i32 = 0;
const TEXTCODEC_FORM_TRANSPORT: i32 = 1;
const TEXTCODEC_FORM_META: i32 = 2;
const TEXTCODEC_FORM_PRAGMA: i32 = 3;
const TEXTCODEC_FORM_XML: i32 = 4;
const TEXTCODEC_FORM_WIDE_XML: i32 = 5;
const TEXTCODEC_FORM_CSS: i32 = 6;
const TEXTCODEC_FORM_COMMENT: i32 = 7;
const TEXTCODEC_FORM_PO: i32 = 8;
const TEXTCODEC_FORM_MAIL: i32 = 9;
const TEXTCODEC_FORM_LATEX: i32 = 10;
const TEXTCODEC_FORM_JSP: i32 = 11;
const TEXTCODEC_FORM_PHP: i32 = 12;
const TEXTCODEC_FORM_CARD: i32 = 13;
const TEXTCODEC_FORM_GEDCOM: i32 = 14;
const TEXTCODEC_FORM_DESKTOP: i32 = 15;
const TEXTCODEC_FORM_VIM: i32 = 16;
const TEXTCODEC_FORM_SQL: i32 = 17;
const TEXTCODEC_FORM_POSTGRES: i32 = 18;

/// Returns the encoding of a number.
pub(crate) fn encoding(number: Number) -> Option<Encoding> {
    ALL.get(usize::try_from(number).ok()?).copied()
}

/// Returns the number of an encoding.
pub(crate) fn number(encoding: Encoding) -> Number {
    ALL.iter().position(|&other| other == encoding).map_or(NONE, |number| number as Number)
}

pub(crate) fn confidence(of: Confidence) -> i32 {
    match of {
        Confidence::Low => TEXTCODEC_CONFIDENCE_LOW,
        Confidence::Medium => TEXTCODEC_CONFIDENCE_MEDIUM,
        Confidence::High => TEXTCODEC_CONFIDENCE_HIGH,
        Confidence::Certain => TEXTCODEC_CONFIDENCE_CERTAIN,
        _ => TEXTCODEC_CONFIDENCE_NONE,
    }
}

pub(crate) fn evidence(of: Evidence) -> i32 {
    match of {
        Evidence::Empty => TEXTCODEC_EVIDENCE_EMPTY,
        Evidence::Bom => TEXTCODEC_EVIDENCE_BOM,
        Evidence::Declaration => TEXTCODEC_EVIDENCE_DECLARATION,
        Evidence::Structure => TEXTCODEC_EVIDENCE_STRUCTURE,
        Evidence::Ascii => TEXTCODEC_EVIDENCE_ASCII,
        Evidence::Guess => TEXTCODEC_EVIDENCE_GUESS,
        Evidence::Fallback => TEXTCODEC_EVIDENCE_FALLBACK,
        _ => TEXTCODEC_EVIDENCE_NONE,
    }
}

pub(crate) fn form(of: Form) -> i32 {
    match of {
        Form::Transport => TEXTCODEC_FORM_TRANSPORT,
        Form::Meta => TEXTCODEC_FORM_META,
        Form::Pragma => TEXTCODEC_FORM_PRAGMA,
        Form::Xml => TEXTCODEC_FORM_XML,
        Form::WideXml => TEXTCODEC_FORM_WIDE_XML,
        Form::Css => TEXTCODEC_FORM_CSS,
        Form::Comment => TEXTCODEC_FORM_COMMENT,
        Form::Po => TEXTCODEC_FORM_PO,
        Form::Mail => TEXTCODEC_FORM_MAIL,
        Form::Latex => TEXTCODEC_FORM_LATEX,
        Form::Jsp => TEXTCODEC_FORM_JSP,
        Form::Php => TEXTCODEC_FORM_PHP,
        Form::Card => TEXTCODEC_FORM_CARD,
        Form::Gedcom => TEXTCODEC_FORM_GEDCOM,
        Form::Desktop => TEXTCODEC_FORM_DESKTOP,
        Form::Vim => TEXTCODEC_FORM_VIM,
        Form::Sql => TEXTCODEC_FORM_SQL,
        Form::Postgres => TEXTCODEC_FORM_POSTGRES,
        _ => TEXTCODEC_FORM_OTHER,
    }
}
