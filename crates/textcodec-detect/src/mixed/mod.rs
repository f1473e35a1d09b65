//! [`Mixed`]: text in which several known encodings are mixed.

mod lines;
mod sequences;
mod summary;
mod wide;

use alloc::{borrow::Cow, boxed::Box, string::String, vec::Vec};
use core::fmt;

use textcodec::{Bom, DecodeOptions, DecodeTarget, Decoder, Encoding, Malformed, REPLACEMENT, UTF_16BE, UTF_16LE};

use crate::trial::has_table;
use lines::Lines;
use sequences::Sequences;
pub use summary::{MixedError, MixedSummary, Parts, Place};

/// A streaming decoder of text in which several known encodings are mixed. Nothing is guessed: the caller names the encodings.
///
/// `Mixed` is used like a [`Decoder`]: [`push`](Self::push) and [`finish`](Self::finish) append the text to a `String` or `Vec`.
/// The text, the errors and the summary do not depend on how the input is split into chunks. The time is linear in the length of
/// the input, and the memory is bounded.
///
/// # Units
/// With [`Per::Line`], each line is decoded with the first encoding of the list in which it is well-formed. With
/// [`Per::Sequence`], well-formed characters of the first encoding stay, and the bytes of each malformed sequence are decoded
/// with the first other encoding that has them. What fits no encoding is malformed in the last one.
///
/// A line ends after a line feed. At most [`MAX_LINE`](Self::MAX_LINE) bytes are kept: they decide about a longer line, and if
/// the rest is malformed in the encoding that they chose, that is an error like others.
///
/// # UTF-16
/// A list for [`Per::Line`] may have UTF-16LE and UTF-16BE: programs append UTF-16 to files in UTF-8, and the other way round. A
/// line with zero bytes is UTF-16, whatever its place in the list, if that is the more likely text; a part may also start within
/// a line. Lines of UTF-16 end with the code unit U+000A. All other lines are decoded with the other encodings of the list.
///
/// # Byte order marks
/// Files that were joined can have them anywhere, so each one is decoded to U+FEFF, even the first.
///
/// ```
/// use textcodec::{GBK, UTF_8, WINDOWS_1252};
/// use textcodec_detect::{Mixed, Per};
///
/// let mut text = String::new();
/// let mut mixed = Mixed::new(&[UTF_8, GBK], Per::Line)?;
/// mixed.push("// 你好\n// ".as_bytes(), &mut text)?;
/// mixed.push(b"\xC4\xE3\xBA\xC3\n", &mut text)?;
/// let summary = mixed.finish(&mut text)?;
/// assert_eq!(text, "// 你好\n// 你好\n");
/// assert_eq!((summary.parts()[1].count(), summary.parts()[1].first()[0].line()), (1, 2));
///
/// let (text, _) = Mixed::new(&[UTF_8, WINDOWS_1252], Per::Sequence)?.decode(b"\xD0 \x92 \xD0\x92")?;
/// assert_eq!(text, "Ð ’ В");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Mixed {
    per: Per,
    malformed: Malformed,
    engine: Engine,
    state: State,
}

/// The part of a text that one encoding decodes.
///
/// ```
/// use textcodec::{SHIFT_JIS, UTF_8, WINDOWS_1252};
/// use textcodec_detect::Per;
///
/// assert_eq!(Per::default_for(&[UTF_8, WINDOWS_1252]), Per::Sequence);
/// assert_eq!(Per::default_for(&[UTF_8, SHIFT_JIS]), Per::Line);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Per {
    /// A line.
    Line,
    /// A malformed sequence of the first encoding, as the Encoding Standard delimits it. The other encodings must be single-byte
    /// encodings, because a malformed sequence of UTF-8 is often a half of a two-byte character.
    Sequence,
}

impl Per {
    /// Returns the unit for a list of encodings: [`Sequence`](Self::Sequence) if all but the first are single-byte encodings.
    #[must_use]
    pub fn default_for(encodings: &[Encoding]) -> Self {
        let are_single = encodings.iter().skip(1).all(|encoding| encoding.is_single_byte());
        if are_single { Self::Sequence } else { Self::Line }
    }
}

#[derive(Clone, Debug)]
enum Engine {
    Lines(Box<Lines>),
    Sequences(Box<Sequences>),
}

/// What the engines have in common.
#[derive(Clone, Debug)]
struct State {
    encodings: Vec<Encoding>,
    summary: MixedSummary,
    /// The maximum number of places to keep for each encoding.
    max_places: usize,
    /// The error that has ended the input.
    failed: Option<Box<MixedError>>,
}

/// Decides about a malformed sequence that fits no encoding: the text for it, or `None` to stop.
type OnError<'a> = &'a mut dyn FnMut(&MixedError) -> Option<Cow<'static, str>>;

impl Mixed {
    /// The number of bytes of a line that are kept and decide about its encoding: 1 MiB.
    pub const MAX_LINE: usize = 1024 * 1024;

    /// Creates a decoder for text in these encodings, the first one first.
    ///
    /// # Errors
    /// Fails if the list has fewer than two encodings, or one twice, or an encoding that cannot be mixed: see [`MixedListError`].
    ///
    /// ```
    /// use textcodec::{SHIFT_JIS, UTF_8};
    /// use textcodec_detect::{Mixed, Per};
    ///
    /// assert!(Mixed::new(&[UTF_8, SHIFT_JIS], Per::Line).is_ok());
    /// let error = Mixed::new(&[UTF_8, SHIFT_JIS], Per::Sequence).unwrap_err();
    /// assert_eq!(error.to_string(), "Shift_JIS is not a single-byte encoding, so it can only be mixed per line");
    /// ```
    pub fn new(encodings: &[Encoding], per: Per) -> Result<Self, MixedListError> {
        check(encodings, per)?;
        let engine = match per {
            Per::Line => Engine::Lines(Lines::new(encodings).into()),
            Per::Sequence => Engine::Sequences(Sequences::new(encodings[0]).into()),
        };
        let state = State {
            encodings: encodings.to_vec(),
            summary: MixedSummary::new(encodings),
            max_places: MAX_PLACES,
            failed: None,
        };
        Ok(Self { per, malformed: Malformed::Replace, engine, state })
    }

    /// Sets what [`push`](Self::push) does about sequences that fit no encoding. [`Malformed::Pause`] is the same as
    /// [`Malformed::Fail`].
    ///
    /// ```
    /// use textcodec::{GBK, Malformed, UTF_8};
    /// use textcodec_detect::{Mixed, Per};
    ///
    /// let mixed = Mixed::new(&[UTF_8, GBK], Per::Line)?.malformed(Malformed::Fail);
    /// let error = mixed.decode(b"a\nb\n\xC4\xE3 \xFF\n").unwrap_err();
    /// assert_eq!((error.line(), error.range(), error.encoding()), (3, 7..8, GBK));
    /// # Ok::<(), textcodec_detect::MixedListError>(())
    /// ```
    #[must_use]
    pub fn malformed(mut self, malformed: Malformed) -> Self {
        self.malformed = malformed;
        self
    }

    /// Sets the maximum number of places that the summary keeps for each encoding. The default is 16.
    ///
    /// ```
    /// use textcodec::{UTF_8, WINDOWS_1252};
    /// use textcodec_detect::{Mixed, Per};
    ///
    /// let mixed = Mixed::new(&[UTF_8, WINDOWS_1252], Per::Line)?.max_places(2);
    /// let (_, summary) = mixed.decode(b"\xE9\n\xE9\n\xE9\n")?;
    /// assert_eq!((summary.parts()[1].count(), summary.parts()[1].first().len()), (3, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn max_places(mut self, max: usize) -> Self {
        self.state.max_places = max;
        self
    }

    /// Says that the text starts in UTF-16, because it had a byte order mark that the caller has removed. Has no effect with other
    /// encodings.
    ///
    /// ```
    /// use textcodec::{UTF_8, UTF_16LE};
    /// use textcodec_detect::{Mixed, Per};
    ///
    /// // A line feed is in the first ideograph.
    /// let bytes = UTF_16LE.encode("上海\n")?;
    /// let mixed = Mixed::new(&[UTF_8, UTF_16LE], Per::Line)?.after_mark(UTF_16LE);
    /// assert_eq!(mixed.decode(&bytes)?.0, "上海\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn after_mark(mut self, encoding: Encoding) -> Self {
        if let Engine::Lines(lines) = &mut self.engine {
            lines.start_in(encoding);
        }
        self
    }

    /// Returns the unit.
    ///
    /// ```
    /// use textcodec::{UTF_8, WINDOWS_1252};
    /// use textcodec_detect::{Mixed, Per};
    ///
    /// assert_eq!(Mixed::new(&[UTF_8, WINDOWS_1252], Per::Line)?.per(), Per::Line);
    /// # Ok::<(), textcodec_detect::MixedListError>(())
    /// ```
    #[must_use]
    pub fn per(&self) -> Per {
        self.per
    }

    /// Returns what was decoded so far. A line whose end is not read yet is not included.
    ///
    /// ```
    /// use textcodec::{UTF_8, WINDOWS_1252};
    /// use textcodec_detect::{Mixed, Per};
    ///
    /// let mut mixed = Mixed::new(&[UTF_8, WINDOWS_1252], Per::Line)?;
    /// mixed.push(b"caf\xE9\nna\xEF", &mut String::new())?;
    /// assert_eq!(mixed.summary().parts()[1].count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn summary(&self) -> &MixedSummary {
        &self.state.summary
    }

    /// Removes the places from the summary and returns them, in the order of the text. More are recorded from the next call on, so
    /// that a program can name all of them in bounded memory.
    ///
    /// ```
    /// use textcodec::{UTF_8, WINDOWS_1252};
    /// use textcodec_detect::{Mixed, Per};
    ///
    /// let mut mixed = Mixed::new(&[UTF_8, WINDOWS_1252], Per::Sequence)?.max_places(usize::MAX);
    /// mixed.push(b"caf\xE9\n", &mut String::new())?;
    /// let places = mixed.take_places();
    /// assert_eq!((places[0].encoding(), places[0].line(), places[0].range()), (WINDOWS_1252, 1, 3..4));
    /// assert!(mixed.take_places().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn take_places(&mut self) -> Vec<Place> {
        self.state.summary.take_places()
    }

    /// Decodes a chunk and appends the text to `out`: a `String`, a `Vec<u8>` of UTF-8, or a `Vec<u16>`. The start of a line, or of a
    /// character, is kept until the rest is known.
    ///
    /// # Errors
    /// With [`Malformed::Fail`], returns the first sequence that fits no encoding, and each further call returns it again. The text
    /// before it is appended.
    ///
    /// ```
    /// use textcodec::{UTF_8, WINDOWS_1251};
    /// use textcodec_detect::{Mixed, Per};
    ///
    /// let mut text = String::new();
    /// let mut mixed = Mixed::new(&[UTF_8, WINDOWS_1251], Per::Line)?;
    /// for chunk in ["мир\n".as_bytes(), b"\xEC", b"\xE8\xF0\n"] {
    ///     mixed.push(chunk, &mut text)?;
    /// }
    /// assert_eq!(text, "мир\nмир\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn push<T: DecodeTarget>(&mut self, chunk: &[u8], out: &mut T) -> Result<(), MixedError> {
        let malformed = self.malformed;
        self.push_with(chunk, out, |_| replacement(malformed))
    }

    /// Ends the input, and returns what was decoded.
    ///
    /// # Errors
    /// The same as for [`push`](Self::push).
    ///
    /// ```
    /// use textcodec::{EUC_KR, UTF_8};
    /// use textcodec_detect::{Mixed, Per};
    ///
    /// let mut text = String::new();
    /// let mut mixed = Mixed::new(&[UTF_8, EUC_KR], Per::Line)?;
    /// mixed.push(b"\xC7\xD1", &mut text)?;
    /// let summary = mixed.finish(&mut text)?;
    /// assert_eq!((text.as_str(), summary.parts()[1].count()), ("한", 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn finish<T: DecodeTarget>(self, out: &mut T) -> Result<MixedSummary, MixedError> {
        let malformed = self.malformed;
        self.finish_with(out, |_| replacement(malformed))
    }

    /// Decodes a chunk like [`push`](Self::push), and calls `on_error` for each sequence that fits no encoding. The function returns a
    /// replacement, or `None` to stop there.
    ///
    /// # Errors
    /// Returns the sequence for which the function returned `None`. Each further call returns it again.
    ///
    /// ```
    /// use textcodec::{GBK, UTF_8};
    /// use textcodec_detect::{Mixed, Per};
    ///
    /// let mut text = String::new();
    /// let mut mixed = Mixed::new(&[UTF_8, GBK], Per::Line)?;
    /// mixed.push_with(b"a\xFF\n", &mut text, |error| Some(format!("<{:02X}>", error.bytes()[0]).into()))?;
    /// assert_eq!(text, "a<FF>\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn push_with<T: DecodeTarget>(
        &mut self,
        chunk: &[u8],
        out: &mut T,
        on_error: impl FnMut(&MixedError) -> Option<Cow<'static, str>>,
    ) -> Result<(), MixedError> {
        self.run(chunk, out, false, on_error)
    }

    /// Ends the input like [`finish`](Self::finish), and calls `on_error` like [`push_with`](Self::push_with).
    ///
    /// # Errors
    /// The same as for [`push_with`](Self::push_with).
    ///
    /// ```
    /// use textcodec::{GBK, UTF_8};
    /// use textcodec_detect::{Mixed, Per};
    ///
    /// let mut text = String::new();
    /// let mut mixed = Mixed::new(&[UTF_8, GBK], Per::Line)?;
    /// mixed.push(b"a\xFF", &mut text)?;
    /// let summary = mixed.finish_with(&mut text, |_| Some("?".into()))?;
    /// assert_eq!((text.as_str(), summary.errors()), ("a?", 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn finish_with<T: DecodeTarget>(
        mut self,
        out: &mut T,
        on_error: impl FnMut(&MixedError) -> Option<Cow<'static, str>>,
    ) -> Result<MixedSummary, MixedError> {
        self.run(&[], out, true, on_error)?;
        Ok(self.state.summary)
    }

    /// Decodes a whole text.
    ///
    /// # Errors
    /// The same as for [`push`](Self::push).
    ///
    /// ```
    /// use textcodec::{UTF_8, UTF_16LE};
    /// use textcodec_detect::{Mixed, Per};
    ///
    /// // A log to which PowerShell has appended.
    /// let (text, _) = Mixed::new(&[UTF_8, UTF_16LE], Per::Line)?.decode(b"ready\r\nd\0o\0n\0e\0\r\0\n\0")?;
    /// assert_eq!(text, "ready\r\ndone\r\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decode(mut self, bytes: &[u8]) -> Result<(String, MixedSummary), MixedError> {
        let mut text = String::new();
        self.push(bytes, &mut text)?;
        let summary = self.finish(&mut text)?;
        Ok((text, summary))
    }

    fn run<T: DecodeTarget>(
        &mut self,
        chunk: &[u8],
        out: &mut T,
        last: bool,
        mut on_error: impl FnMut(&MixedError) -> Option<Cow<'static, str>>,
    ) -> Result<(), MixedError> {
        let Self { engine, state, .. } = self;
        if let Some(error) = &state.failed {
            return Err(MixedError::clone(error));
        }
        let result = match engine {
            Engine::Lines(lines) => lines.run(state, chunk, out, last, &mut on_error),
            Engine::Sequences(sequences) => sequences.run(state, chunk, out, last, &mut on_error),
        };
        if let Err(error) = &result {
            state.failed = Some(error.clone().into());
        }
        result
    }
}

/// The default of [`Mixed::max_places`].
const MAX_PLACES: usize = 16;

fn replacement(malformed: Malformed) -> Option<Cow<'static, str>> {
    (malformed == Malformed::Replace).then_some(Cow::Borrowed("\u{FFFD}"))
}

/// Creates a decoder of a part of the text, in which a byte order mark is text.
fn decoder(encoding: Encoding) -> Decoder {
    let decoder = encoding.decoder_with(DecodeOptions::new().bom(Bom::Keep));
    has_table(&decoder.clone().decode_to_utf16(b"", &mut [0; 0], false));
    decoder
}

/// Returns whether `bytes` are well-formed. `scratch` is a buffer for the text.
fn is_well_formed(encoding: Encoding, bytes: &[u8], is_whole: bool, scratch: &mut Vec<u8>) -> bool {
    scratch.clear();
    let mut decoder = encoding.decoder_with(DecodeOptions::new().bom(Bom::Keep).malformed(Malformed::Fail));
    decoder.push(bytes, scratch).is_ok() && (!is_whole || decoder.finish(scratch).is_ok())
}

/// Returns the number of line feeds.
fn newlines(bytes: &[u8]) -> u64 {
    // Each run is counted in a `u8` (192 <= 255), so that the compiler adds whole vectors of counters.
    bytes.chunks(192).map(|run| u64::from(run.iter().map(|&byte| u8::from(byte == b'\n')).sum::<u8>())).sum()
}

/// Returns whether an encoding has code units of two bytes.
fn is_wide(encoding: Encoding) -> bool {
    encoding == UTF_16LE || encoding == UTF_16BE
}

fn check(encodings: &[Encoding], per: Per) -> Result<(), MixedListError> {
    use MixedListError as E;

    if encodings.len() < 2 {
        return Err(E::TooFew);
    }
    for (n, &encoding) in encodings.iter().enumerate() {
        if encodings[..n].contains(&encoding) {
            return Err(E::Twice(encoding));
        }
        if !encoding.is_available() {
            return Err(E::Unavailable(encoding));
        }
        let can_be_mixed = encoding.is_ascii_compatible() && encoding != REPLACEMENT;
        match per {
            Per::Line if is_wide(encoding) => {}
            _ if !can_be_mixed && !is_wide(encoding) => return Err(E::NotAscii(encoding)),
            Per::Sequence if is_wide(encoding) || n > 0 && !encoding.is_single_byte() => {
                return Err(E::OnlyPerLine(encoding));
            }
            _ => {}
        }
    }
    if encodings.iter().copied().all(is_wide) { Err(E::OnlyWide) } else { Ok(()) }
}

/// Why encodings cannot be mixed.
///
/// ```
/// use textcodec::UTF_8;
/// use textcodec_detect::{Mixed, MixedListError, Per};
///
/// assert_eq!(Mixed::new(&[UTF_8], Per::Line).unwrap_err(), MixedListError::TooFew);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MixedListError {
    /// There are fewer than two encodings.
    TooFew,
    /// An encoding is in the list twice.
    Twice(Encoding),
    /// This build has no decoder for the encoding.
    Unavailable(Encoding),
    /// In this encoding, bytes of ASCII do not always mean ASCII, so lines and sequences cannot be delimited.
    NotAscii(Encoding),
    /// This encoding can only be mixed with [`Per::Line`]: it is not a single-byte encoding.
    OnlyPerLine(Encoding),
    /// All encodings are UTF-16.
    OnlyWide,
}

impl fmt::Display for MixedListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFew => f.write_str("mixed text needs at least two encodings"),
            Self::Twice(encoding) => write!(f, "{encoding} is in the list twice"),
            Self::Unavailable(encoding) => write!(f, "this build cannot decode {encoding}"),
            Self::NotAscii(encoding) => write!(
                f,
                "{encoding} cannot be mixed with others, because bytes of ASCII do not always mean ASCII in it"
            ),
            Self::OnlyPerLine(encoding) => {
                write!(f, "{encoding} is not a single-byte encoding, so it can only be mixed per line")
            }
            Self::OnlyWide => f.write_str("UTF-16 can only be mixed with an encoding that has ASCII"),
        }
    }
}

impl core::error::Error for MixedListError {}
