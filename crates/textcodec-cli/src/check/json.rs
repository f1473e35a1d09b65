//! A finding of `check` in JSON.

use std::borrow::Cow;

use serde::Serialize;

use crate::{
    characters::{self, hex},
    charset::Charset,
    findings::{Finding, Kind},
    input::Input,
    reading::JsonPath,
    source,
};

#[derive(Serialize)]
pub(super) struct Json<'a> {
    file: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file_hex: Option<String>,
    line: u64,
    column: u64,
    byte: u64,
    #[serde(flatten)]
    kind: JsonKind,
}

impl<'a> Json<'a> {
    /// `encoding` is that of the input.
    pub(super) fn new(input: &'a Input, encoding: Charset, finding: &Finding) -> Self {
        let Finding { byte, location, kind } = finding;
        let (path, kind) = (JsonPath::new(input), JsonKind::new(kind, encoding));
        let (line, column) = (location.line(), location.column());
        Self { file: path.path, file_hex: path.path_hex, line, column, byte: *byte, kind }
    }
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum JsonKind {
    Malformed {
        length: u64,
        encoding: &'static str,
        bytes: String,
        reason: String,
    },
    Unmappable {
        length: u64,
        encoding: &'static str,
        character: char,
        code_point: String,
        name: String,
    },
    Outside {
        length: u64,
        encoding: &'static str,
        character: char,
        code_point: String,
        name: String,
    },
    #[serde(rename = "byte-order-mark")]
    ByteOrderMark {
        length: u64,
        encoding: &'static str,
        bytes: String,
    },
    Other {
        length: u64,
        encoding: &'static str,
    },
}

impl JsonKind {
    fn new(kind: &Kind, encoding: Charset) -> Self {
        match kind {
            Kind::Malformed(error) => Self::Malformed {
                length: error.bytes().len() as u64,
                // A table has no encoding of its own.
                encoding: if encoding.is_table() { encoding.label() } else { Charset::from(error.encoding()).label() },
                bytes: hex(error.bytes()),
                reason: error.reason().to_string(),
            },
            Kind::Unmappable { character, len, to } => Self::Unmappable {
                length: *len,
                encoding: to.label(),
                character: *character,
                code_point: characters::code_point(*character),
                name: characters::name(*character),
            },
            Kind::Outside { character, len, narrow } => Self::Outside {
                length: *len,
                encoding: narrow.name,
                character: *character,
                code_point: characters::code_point(*character),
                name: characters::name(*character),
            },
            Kind::Other { encoding, len, .. } => Self::Other { length: *len, encoding: encoding.label() },
            Kind::ByteOrderMark { len, means, .. } | Kind::Mark { len, of: means } => {
                Self::ByteOrderMark { length: *len, encoding: means.label(), bytes: source::byte_order_mark(*means) }
            }
        }
    }
}
