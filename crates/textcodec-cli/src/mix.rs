//! [`Mix`]: several encodings that are mixed in one input, as `-f utf-8,windows-1252` names them.

use clap::ValueEnum;
use textcodec::{Encoding, UTF_16BE, UTF_16LE};
use textcodec_detect::{Mixed, Per};

use crate::{Stop, charset::Charset, table::Names};

/// The encodings that are mixed in an input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mix {
    encodings: &'static [Encoding],
    per: Per,
}

/// What is decoded with one of several encodings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Unit {
    /// A line: the first encoding in which it is well-formed
    Line,
    /// A malformed sequence of the first encoding: the first of the others that has its bytes
    Sequence,
}

impl Mix {
    /// Parses `--from` and `--per`. Returns `None` if one encoding is named.
    pub(crate) fn from_options(from: Option<&str>, per: Option<Unit>, names: &Names) -> Result<Option<Self>, Stop> {
        let Some(list) = from.filter(|label| label.contains(',')) else {
            return match per {
                None => Ok(None),
                Some(_) => Err(Stop::Usage("--per requires several encodings, such as -f utf-8,windows-1252".into())),
            };
        };
        let stop = |what: String| Stop::Usage(format!("--from: {what}"));
        let mut encodings = Vec::new();
        for label in list.split(',') {
            if label.trim().eq_ignore_ascii_case("auto") {
                return Err(stop("auto cannot be one of several encodings, because all of them must be known".into()));
            }
            let (charset, _) = names.find("--from", label)?;
            if charset.is_table() {
                return Err(stop(format!("{charset} is a table, which cannot be one of several encodings")));
            }
            encodings.push(charset.encoding());
        }
        let per = match per {
            None => Per::default_for(&encodings),
            Some(Unit::Line) => Per::Line,
            Some(Unit::Sequence) => Per::Sequence,
        };
        Mixed::new(&encodings, per).map_err(|error| stop(error.to_string()))?;
        // Once for each command line.
        Ok(Some(Self { encodings: encodings.leak(), per }))
    }

    pub(crate) fn encodings(self) -> &'static [Encoding] {
        self.encodings
    }

    pub(crate) fn per(self) -> Per {
        self.per
    }

    /// Returns the first encoding that has ASCII.
    pub(crate) fn first(self) -> Charset {
        let first = self.encodings.iter().find(|encoding| !is_wide(**encoding));
        first.copied().unwrap_or(self.encodings[0]).into()
    }

    /// Returns whether an encoding is in the list. That of a byte order mark may not be.
    pub(crate) fn has(self, charset: Charset) -> bool {
        self.encodings.iter().any(|encoding| charset == *encoding)
    }

    /// Returns whether UTF-16 is in the list.
    pub(crate) fn has_wide(self) -> bool {
        self.encodings.iter().copied().any(is_wide)
    }

    /// Creates a decoder. `from` is the encoding of a byte order mark that was removed, or [`first`](Self::first).
    pub(crate) fn decoder(self, from: Charset) -> Mixed {
        match Mixed::new(self.encodings, self.per) {
            Ok(mixed) => mixed.after_mark(from.encoding()),
            Err(_) => unreachable!("`from_options` has created one"),
        }
    }

    /// Decodes the start of a text. Malformed sequences become U+FFFD.
    pub(crate) fn decode(self, bytes: &[u8]) -> String {
        let mut text = String::new();
        // Cannot fail: malformed sequences are replaced.
        let mut mixed = self.decoder(self.first());
        let _ = mixed.push(bytes, &mut text);
        let _ = mixed.finish(&mut text);
        text
    }
}

fn is_wide(encoding: Encoding) -> bool {
    encoding == UTF_16LE || encoding == UTF_16BE
}
