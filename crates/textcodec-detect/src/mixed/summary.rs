//! [`MixedSummary`] and [`MixedError`]: what was decoded, and what fits no encoding.

use alloc::{boxed::Box, format, vec::Vec};
use core::{fmt, ops::Range};

use textcodec::{DecodeError, DecodeReason, Encoding};

/// What [`Mixed`](crate::Mixed) has decoded, apart from the text.
///
/// ```
/// use textcodec::{UTF_8, WINDOWS_1252};
/// use textcodec_detect::{Mixed, Per};
///
/// let (_, summary) = Mixed::new(&[UTF_8, WINDOWS_1252], Per::Line)?.decode(b"a\n\xE9\nb\n")?;
/// assert_eq!(summary.parts().iter().map(|parts| parts.count()).collect::<Vec<_>>(), [2, 1]);
/// assert!(summary.is_mixed() && summary.errors() == 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MixedSummary {
    parts: Vec<Parts>,
    errors: u64,
    first_error: Option<Box<MixedError>>,
}

/// The lines or sequences that one encoding has decoded.
///
/// ```
/// use textcodec::{UTF_8, WINDOWS_1252};
/// use textcodec_detect::{Mixed, Per};
///
/// let (_, summary) = Mixed::new(&[UTF_8, WINDOWS_1252], Per::Line)?.decode(b"a\n\xE9\n")?;
/// let parts = &summary.parts()[1];
/// assert_eq!((parts.encoding(), parts.count(), parts.first()[0].range()), (WINDOWS_1252, 1, 2..4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    encoding: Encoding,
    count: u64,
    first: Vec<Place>,
}

/// Where a line or sequence is that was not decoded with the first encoding.
///
/// ```
/// use textcodec::{UTF_8, WINDOWS_1252};
/// use textcodec_detect::{Mixed, Per};
///
/// let (_, summary) = Mixed::new(&[UTF_8, WINDOWS_1252], Per::Sequence)?.decode(b"a\nb\xE9\n")?;
/// let place = &summary.parts()[1].first()[0];
/// assert_eq!((place.encoding(), place.line(), place.range()), (WINDOWS_1252, 2, 3..4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    encoding: Encoding,
    line: u64,
    range: Range<u64>,
}

impl Place {
    pub(super) fn new(encoding: Encoding, line: u64, range: Range<u64>) -> Self {
        Self { encoding, line, range }
    }

    /// Returns the encoding that was used.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Returns the number of the line, from 1.
    #[must_use]
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Returns the range in bytes of the input. Of a line that is longer than [`MAX_LINE`](crate::Mixed::MAX_LINE), it is the
    /// start.
    #[must_use]
    pub fn range(&self) -> Range<u64> {
        self.range.clone()
    }
}

impl Parts {
    /// Returns the encoding.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Returns the number of lines or sequences that this encoding has decoded. It is 0 for the first encoding with
    /// [`Per::Sequence`](crate::Per::Sequence).
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns where the first of them are. Nothing is kept about the first encoding.
    #[must_use]
    pub fn first(&self) -> &[Place] {
        &self.first
    }
}

impl MixedSummary {
    pub(super) fn new(encodings: &[Encoding]) -> Self {
        let parts = |&encoding| Parts { encoding, count: 0, first: Vec::new() };
        Self { parts: encodings.iter().map(parts).collect(), errors: 0, first_error: None }
    }

    /// Returns what each encoding has decoded, in the order of the list.
    #[must_use]
    pub fn parts(&self) -> &[Parts] {
        &self.parts
    }

    /// Returns whether any part was not decoded with the first encoding.
    #[must_use]
    pub fn is_mixed(&self) -> bool {
        self.parts.iter().skip(1).any(|parts| parts.count > 0)
    }

    /// Returns the number of sequences that fit no encoding and were replaced.
    #[must_use]
    pub fn errors(&self) -> u64 {
        self.errors
    }

    /// Returns the first sequence that fits no encoding and was replaced.
    #[must_use]
    pub fn first_error(&self) -> Option<&MixedError> {
        self.first_error.as_deref()
    }

    /// Counts `count` parts of the first encoding.
    pub(super) fn add_first(&mut self, count: u64) {
        self.parts[0].count += count;
    }

    /// Counts a part that the encoding with this index has decoded.
    pub(super) fn add(&mut self, index: usize, place: Place, max_places: usize) {
        let parts = &mut self.parts[index];
        parts.count += 1;
        if index > 0 && parts.first.len() < max_places {
            parts.first.push(place);
        }
    }

    pub(super) fn add_error(&mut self, error: &MixedError) {
        self.errors += 1;
        self.first_error.get_or_insert_with(|| error.clone().into());
    }

    pub(super) fn take_places(&mut self) -> Vec<Place> {
        let mut places: Vec<_> = self.parts.iter_mut().flat_map(|parts| core::mem::take(&mut parts.first)).collect();
        places.sort_by_key(|place| place.range.start);
        places
    }
}

/// A sequence that fits no encoding of the list.
///
/// ```
/// use textcodec::{GBK, Malformed, UTF_8};
/// use textcodec_detect::{Mixed, Per};
///
/// let error = Mixed::new(&[UTF_8, GBK], Per::Line)?.malformed(Malformed::Fail).decode(b"a\n\xC4\xE3\xFF\n").unwrap_err();
/// assert_eq!((error.line(), error.range(), error.bytes()), (2, 4..5, &b"\xFF"[..]));
/// assert_eq!(error.to_string(), "line 2 is malformed in each encoding; GBK at byte 4 (FF): this byte cannot start a character");
/// # Ok::<(), textcodec_detect::MixedListError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MixedError {
    error: DecodeError,
    /// The offset of the part to which the range of `error` is relative.
    base: u64,
    line: u64,
}

impl MixedError {
    pub(super) fn new(error: DecodeError, base: u64, line: u64) -> Self {
        Self { error, base, line }
    }

    /// Returns the encoding that was tried last.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.error.encoding()
    }

    /// Returns the number of the line, from 1.
    #[must_use]
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Returns the range in bytes of the input.
    #[must_use]
    pub fn range(&self) -> Range<u64> {
        let Range { start, end } = self.error.range();
        self.base + start..self.base + end
    }

    /// Returns the malformed bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.error.bytes()
    }

    /// Returns why the bytes are malformed in [`encoding`](Self::encoding).
    #[must_use]
    pub fn reason(&self) -> DecodeReason {
        self.error.reason()
    }

    /// Returns the error of that encoding. Its range starts at the line or sequence, not at the input.
    #[must_use]
    pub fn decode_error(&self) -> &DecodeError {
        &self.error
    }
}

impl fmt::Display for MixedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes: Vec<_> = self.bytes().iter().map(|byte| format!("{byte:02X}")).collect();
        let (line, start, encoding, reason) = (self.line, self.range().start, self.encoding(), self.reason());
        if reason == DecodeReason::OutOfMemory {
            return write!(f, "out of memory for the text of {encoding} from byte {start} on");
        }
        write!(
            f,
            "line {line} is malformed in each encoding; {encoding} at byte {start} ({}): {reason}",
            bytes.join(" ")
        )
    }
}

impl core::error::Error for MixedError {}
