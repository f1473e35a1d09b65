//! What is done to text on its way, and what came of it.

use textcodec::{DecodeError, EncodeError, Encoding, Errors, ISO_2022_JP};

use crate::location::Location;

/// What is done to each input. Settled before the first one is opened.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recipe {
    /// The encoding of the output, which has an encoder.
    pub(crate) to: Encoding,
    pub(crate) malformed: Malformed,
    pub(crate) unmappable: Unmappable,
}

impl Recipe {
    /// Whether what is written of a character depends on those before it.
    pub(crate) fn is_stateful(self) -> bool {
        self.to == ISO_2022_JP
    }
}

/// What to do about bytes that are not text in the encoding of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Malformed {
    /// Stop.
    Fail,
    /// Write U+FFFD.
    Replace,
    /// Write nothing.
    Skip,
}

/// What to do about characters that the output encoding does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unmappable {
    /// Stop.
    Fail,
    /// Write `&#8364;`.
    Html,
    /// Write `&#x20AC;`.
    Xml,
    /// Write this character, which the encoding has.
    Replace(char),
    /// Write nothing.
    Skip,
    /// Write something similar, and `?` where there is nothing.
    Translit,
}

/// What has become of an input, or of a part of one.
#[derive(Debug)]
pub(crate) struct Tally {
    /// Bytes.
    pub(crate) read: u64,
    pub(crate) written: u64,
    /// Malformed sequences, and the first with its offset in the input.
    pub(crate) malformed: Count<(u64, DecodeError)>,
    /// Characters that were replaced or skipped, and the first with its location.
    pub(crate) unmappable: Count<(Location, EncodeError)>,
    /// Whether what was written is what was read.
    pub(crate) same: bool,
    /// Behind the text. Known only where there is an encoder that could meet what it does not have.
    pub(crate) location: Location,
}

impl Default for Tally {
    fn default() -> Self {
        Self {
            read: 0,
            written: 0,
            malformed: Count::default(),
            unmappable: Count::default(),
            same: true,
            location: Location::default(),
        }
    }
}

impl Tally {
    /// Adds what follows.
    pub(crate) fn append(&mut self, next: Self) {
        let (before, location) = (self.read, self.location);
        self.malformed.append(next.malformed, |(offset, error)| (before + offset, error));
        self.unmappable.append(next.unmappable, |(at, error)| (location.then(at), error));
        self.read += next.read;
        self.written += next.written;
        self.same &= next.same;
        self.location = location.then(next.location);
    }

    pub(crate) fn is_clean(&self) -> bool {
        self.malformed.count == 0 && self.unmappable.count == 0
    }
}

/// How many there were, and the first.
#[derive(Debug)]
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
    /// Counts more; `first` gives the first of them.
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

impl From<Errors<DecodeError>> for Count<(u64, DecodeError)> {
    fn from(errors: Errors<DecodeError>) -> Self {
        Self { count: errors.count(), first: errors.first().map(|error| (error.range().start, error.clone())) }
    }
}
