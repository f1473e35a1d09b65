//! The settings of a conversion, and the counts of its results.

use textcodec::{BIG5, DecodeError, EncodeError, ErrorTally};
use textcodec_detect::{MixedSummary, declaration::Declaration};

use super::forms::Forms;
use crate::{
    charset::Charset,
    location::Location,
    mix::Mix,
    narrow,
    normalize::{Mode, Normalize},
    records,
};

/// The settings of a conversion, the same for all inputs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recipe {
    /// The encoding of the output, which has an encoder.
    pub(crate) to: Charset,
    pub(crate) malformed: Malformed,
    pub(crate) unmappable: Unmappable,
    /// Whether characters are written that iconv writes, and the encoder of the output's encoding does not.
    pub(crate) write_back: bool,
    pub(crate) declarations: Declarations,
    pub(crate) labels: narrow::Labels,
    pub(crate) normalize: Option<Normalize>,
    pub(crate) records: Records,
    /// The encodings of an input in which several are mixed.
    pub(crate) mix: Option<Mix>,
    /// Whether byte order marks at the start of lines are removed.
    pub(crate) remove_marks: bool,
    /// What `textcodec-iconv` converts, instead of a decoder and an encoder. Nothing else applies then.
    pub(crate) forms: Option<Forms>,
}

/// The records of the input and of the output.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Records {
    /// Those of the input, and whether blanks at the end of them are removed.
    pub(crate) read: Option<(records::Form, bool)>,
    pub(crate) write: Option<records::Form>,
}

impl Records {
    pub(crate) fn is_some(self) -> bool {
        self.read.is_some() || self.write.is_some()
    }
}

impl Recipe {
    /// Returns whether parts of a text can be converted separately: no character, line and record depends on earlier ones.
    pub(super) fn is_parallel(self) -> bool {
        self.to.encodes_parts()
            && self.forms.is_none()
            && !self.records.is_some()
            && self.mix.is_none()
            && !self.remove_marks
    }

    /// Returns how text is normalized before it is encoded. Transliteration composes sequences that have unmappable characters.
    pub(super) fn mode(self) -> Option<Mode> {
        Mode::new(self.normalize, self.to, self.unmappable == Unmappable::Translit, self.write_back)
    }

    /// Returns whether text may only be cut at the end of a segment, because characters of one are written together.
    pub(super) fn needs_segments(self) -> bool {
        self.mode().is_some() || self.write_back && self.to == BIG5
    }

    /// Returns whether an unmappable character is decomposed, if the encoding has the parts.
    pub(super) fn fits(self) -> bool {
        self.normalize == Some(Normalize::Encoding) || self.unmappable == Unmappable::Translit
    }
}

impl Recipe {
    /// Returns whether even text in the encoding of the output may change, or must be examined.
    pub(crate) fn changes_text(self) -> bool {
        self.declarations == Declarations::Update
            || self.normalize.is_some()
            || self.labels.to.is_some()
            || self.remove_marks
    }
}

/// How malformed sequences are handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Malformed {
    /// Stop.
    Fail,
    /// Write U+FFFD.
    Replace,
    /// Write nothing.
    Skip,
    /// Write `\xFF` for each byte.
    Escape,
}

impl Malformed {
    /// Returns whether the program writes text for malformed sequences, instead of the decoder.
    pub(super) fn is_text(self) -> bool {
        matches!(self, Self::Skip | Self::Escape)
    }

    /// Returns the text to write for a malformed sequence, unless the decoder writes U+FFFD itself.
    pub(super) fn text(self, error: &DecodeError) -> Option<String> {
        match self {
            Self::Skip => Some(String::new()),
            Self::Escape => {
                let escaped: Vec<_> = error.bytes().iter().map(|byte| format!("\\x{byte:02X}")).collect();
                Some(escaped.concat())
            }
            Self::Fail | Self::Replace => None,
        }
    }

    /// Returns the number of UTF-16 code units that are written for a malformed sequence.
    pub(super) fn units(self, error: &DecodeError) -> usize {
        self.text(error).map_or(usize::from(self == Self::Replace), |text| text.len())
    }
}

/// How unmappable characters are handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unmappable {
    /// Stop.
    Fail,
    /// Write `&#8364;`.
    Html,
    /// Write `&#x20AC;`.
    Xml,
    /// Write this character, which the encoding can represent.
    Replace(char),
    /// Write nothing.
    Skip,
    /// Write a similar character or text, or `?` if there is none.
    Translit,
}

/// What happens to declarations of the encoding that are wrong for the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Declarations {
    /// They are not searched for.
    Ignore,
    /// They are recorded in the tally.
    Find,
    /// They are corrected, and recorded as they were. If parts of a mail declare several encodings, those that
    /// are not the one of the input are left alone.
    Update,
}

/// Counts for an input, or for a part of one.
#[derive(Debug)]
pub(crate) struct Tally {
    /// Bytes read.
    pub(crate) read: u64,
    /// Bytes written.
    pub(crate) written: u64,
    /// Malformed sequences, and the first one with its offset in the input.
    pub(crate) malformed: Count<(u64, DecodeError)>,
    /// Characters that were replaced or skipped, and the first one with its location.
    pub(crate) unmappable: Count<(Location, EncodeError)>,
    /// Characters of the input outside the encoding that `--from` names, and the first one: its offset and its bytes.
    pub(crate) outside_from: Count<(u64, Vec<u8>)>,
    /// Characters of the output outside the encoding that `--to` names, and the first one with its location in the input.
    pub(crate) outside_to: Count<(Location, char)>,
    /// How often something was skipped in a conversion by `textcodec-iconv`.
    pub(crate) skipped: usize,
    /// Whether the bytes written equal the bytes read.
    pub(crate) same: bool,
    /// The declarations at the start of the output that are wrong, or were before they were corrected.
    pub(crate) declarations: Vec<Declaration>,
    /// Those that were not corrected, because a part of the text may be in the encoding that they name.
    pub(crate) left: Vec<Declaration>,
    /// Whether the input has a byte 15, and a byte 25. Only examined in EBCDIC.
    pub(crate) line_ends: [bool; 2],
    /// Records of the input that contain a line feed.
    pub(crate) with_newline: u64,
    /// What each of several encodings has decoded, and the offset in the input to which this is relative.
    pub(crate) mixed: Option<(u64, MixedSummary)>,
    /// Byte order marks at the start of lines that were removed.
    pub(crate) marks: u64,
    /// The location of the end of the text. Not tracked if the output is UTF-8.
    pub(crate) location: Location,
}

impl Default for Tally {
    fn default() -> Self {
        Self {
            read: 0,
            written: 0,
            malformed: Count::default(),
            unmappable: Count::default(),
            outside_from: Count::default(),
            outside_to: Count::default(),
            skipped: 0,
            same: true,
            declarations: Vec::new(),
            left: Vec::new(),
            line_ends: [false; 2],
            with_newline: 0,
            mixed: None,
            marks: 0,
            location: Location::default(),
        }
    }
}

impl Tally {
    /// Adds the counts of the following part.
    pub(crate) fn append(&mut self, next: Self) {
        let (before, location) = (self.read, self.location);
        self.malformed.append(next.malformed, |(offset, error)| (before + offset, error));
        self.unmappable.append(next.unmappable, |(at, error)| (location.then(at), error));
        self.outside_from.append(next.outside_from, |(offset, bytes)| (before + offset, bytes));
        self.outside_to.append(next.outside_to, |(at, character)| (location.then(at), character));
        self.read += next.read;
        self.written += next.written;
        self.skipped += next.skipped;
        self.same &= next.same;
        self.line_ends = std::array::from_fn(|n| self.line_ends[n] || next.line_ends[n]);
        self.with_newline += next.with_newline;
        // Only inputs that are converted in one part are mixed.
        self.mixed = next.mixed.map(|(offset, summary)| (before + offset, summary)).or(self.mixed.take());
        self.marks += next.marks;
        self.location = location.then(next.location);
    }

    pub(crate) fn is_clean(&self) -> bool {
        self.malformed.count == 0 && self.unmappable.count == 0
    }
}

/// A number of errors, and the first of them.
#[derive(Clone, Debug)]
pub(crate) struct Count<T> {
    pub(crate) count: u64,
    pub(crate) first: Option<T>,
}

impl<T> Default for Count<T> {
    fn default() -> Self {
        Self { count: 0, first: None }
    }
}

impl<T> Count<T> {
    /// Adds `count` errors, of which `first` returns the first one.
    pub(super) fn add(&mut self, count: u64, first: impl FnOnce() -> Option<T>) {
        self.count += count;
        if count > 0 && self.first.is_none() {
            self.first = first();
        }
    }

    fn append(&mut self, next: Self, moved: impl FnOnce(T) -> T) {
        self.add(next.count, || next.first.map(moved));
    }
}

impl From<ErrorTally<DecodeError>> for Count<(u64, DecodeError)> {
    fn from(errors: ErrorTally<DecodeError>) -> Self {
        Self { count: errors.count(), first: errors.first().map(|error| (error.range().start, error.clone())) }
    }
}
