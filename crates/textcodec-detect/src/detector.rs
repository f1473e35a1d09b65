//! The detector: blocks of text, and what is observed in them.

use alloc::{boxed::Box, vec::Vec};
use core::{cell::OnceCell, fmt};
#[cfg(feature = "std")]
use std::io;

use textcodec::{Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use crate::{
    declaration::{self, Declaration, Known, Unserved},
    detection::Detection,
    format::Format,
    guess::Guesser,
    guessed::is_plausible,
    hidden::Hidden,
    mail,
    options::DetectOptions,
    trial::{MULTI_BYTE, SAMPLE, Tally, Trials},
    verdict::{Verdict, decoder_of, detect_bom},
};

/// Detects the encoding of a whole text.
///
/// ```
/// use textcodec::UTF_8;
/// use textcodec_detect::{Confidence, detect};
///
/// let detection = detect("naïve café".as_bytes());
/// assert_eq!((detection.encoding, detection.confidence), (UTF_8, Confidence::Medium));
/// assert_eq!(detection.reason(), "valid UTF-8, with 2 non-ASCII characters");
/// ```
#[must_use]
#[doc(alias("chardet", "guess"))]
pub fn detect(text: &[u8]) -> Detection {
    detect_with(text, DetectOptions::new())
}

/// Like [`detect`], with options.
///
/// ```
/// use textcodec::{UTF_8, WINDOWS_1252};
/// use textcodec_detect::{DetectOptions, detect_with};
///
/// let text = "<meta charset=gbk>é".as_bytes();
/// assert_eq!(detect_with(text, DetectOptions::new().declarations(false)).encoding, UTF_8);
/// ```
#[must_use]
#[doc(alias("chardet"))]
pub fn detect_with(text: &[u8], options: DetectOptions) -> Detection {
    let mut detector = Detector::with(options);
    detector.feed(text);
    detector.finish()
}

/// Detects the encoding of text that comes in chunks.
///
/// The result depends only on the bytes, not on the chunks. The memory is bounded: less than 1 MiB for a text of any length.
/// All of the text is examined, because text that is ASCII for a megabyte may not be so to its end. To examine less, feed less,
/// and end with [`finish_partial`](Self::finish_partial).
///
/// The detector also implements [`io::Write`], so that `std::io::copy(&mut file, &mut detector)?` feeds a file.
///
/// ```
/// use textcodec::EUC_JP;
/// use textcodec_detect::Detector;
///
/// let mut detector = Detector::new();
/// for chunk in [&b"# -*- coding: eu"[..], b"c-jp -*-\n# \xC6", b"\xFC\xCB\xDC"] {
///     detector.feed(chunk);
/// }
/// let detection = detector.finish();
/// assert_eq!(detection.encoding, EUC_JP);
/// assert_eq!(detection.reason(), "declared by a comment with coding: euc-jp at byte 0");
/// ```
#[doc(alias("EncodingDetector", "chardet", "chardetng", "uchardet", "UniversalDetector"))]
pub struct Detector {
    options: DetectOptions,
    /// The start of a block, until it is complete.
    block: Vec<u8>,
    observed: Observed,
}

/// What a detector has observed in complete blocks.
enum Observed {
    /// Nothing yet.
    Nothing,
    /// A byte order mark. Nothing after the first block is examined.
    Bom(Detection),
    Text(Box<Text>),
}

struct Text {
    declarations: Vec<Known>,
    /// Those that mean an encoding in which they could not be written.
    impossible: Vec<Declaration>,
    /// Those that cannot be followed.
    unserved: Vec<Unserved>,
    format: Option<Format>,
    hidden: Option<Hidden>,
    /// The charsets of the parts, if the text is a mail.
    charsets: Option<mail::Charsets>,
    trials: Trials,
    guesser: Option<Guesser>,
}

/// The number of bytes in a block. All declarations are in the first block. It is even, so that no block ends within a code
/// unit of UTF-16.
///
/// Blocks are always full, except for the last one, so that the result does not depend on the chunks.
pub(crate) const BLOCK: usize = 64 * 1024;

/// With more malformed sequences than this, and more than a sixteenth of the characters, an encoding is given up early.
const MANY_MALFORMED: u64 = 16;

/// With this many well-formed non-ASCII characters, text is UTF-8 and needs no guess.
const MIN_UTF_8: u64 = 64;

/// And with this many different bytes: a word in many lines can be well-formed by chance.
const MIN_DISTINCT: usize = 12;

impl Detector {
    /// Creates a detector with the default options.
    ///
    /// ```
    /// use textcodec_detect::{Detector, Evidence};
    ///
    /// assert_eq!(Detector::new().finish().evidence, Evidence::Empty);
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::with(DetectOptions::new())
    }

    /// Creates a detector with options.
    ///
    /// ```
    /// use textcodec::KOI8_R;
    /// use textcodec_detect::{DetectOptions, Detector, Hints};
    ///
    /// let mut detector = Detector::with(DetectOptions::new().hints(Hints::new().transport(KOI8_R)));
    /// detector.feed(b"\xC1");
    /// assert_eq!(detector.finish().encoding, KOI8_R);
    /// ```
    #[must_use]
    pub fn with(options: DetectOptions) -> Self {
        Self { options, block: Vec::new(), observed: Observed::Nothing }
    }

    /// Adds a chunk of the text.
    ///
    /// ```
    /// let mut detector = textcodec_detect::Detector::new();
    /// detector.feed(b"\xFE");
    /// detector.feed(b"\xFF\0a");
    /// assert_eq!(detector.finish().encoding, textcodec::UTF_16BE);
    /// ```
    pub fn feed(&mut self, mut chunk: &[u8]) {
        if !self.block.is_empty() {
            let (start, rest) = chunk.split_at(chunk.len().min(BLOCK - self.block.len()));
            self.block.extend_from_slice(start);
            chunk = rest;
            if self.block.len() < BLOCK {
                return;
            }
            self.observed.add_block(&self.options, &self.block, false);
            self.block.clear();
        }
        let mut blocks = chunk.chunks_exact(BLOCK);
        for block in &mut blocks {
            self.observed.add_block(&self.options, block, false);
        }
        self.block.extend_from_slice(blocks.remainder());
    }

    /// Returns whether more text will not change the result. This is so after the first 64 KiB of text with a byte order mark.
    ///
    /// ```
    /// let mut detector = textcodec_detect::Detector::new();
    /// detector.feed(b"\xEF\xBB\xBF");
    /// assert!(!detector.is_decided());
    /// detector.feed(&[b'a'; 64 * 1024]);
    /// assert!(detector.is_decided());
    /// ```
    #[must_use]
    pub fn is_decided(&self) -> bool {
        matches!(self.observed, Observed::Bom(_))
    }

    /// Ends the text and returns the result. An incomplete sequence at the end is malformed.
    ///
    /// ```
    /// let mut detector = textcodec_detect::Detector::new();
    /// detector.feed("今朝は雨が降っていまし".as_bytes());
    /// detector.feed(&"た".as_bytes()[..2]);
    /// let detection = detector.finish();
    /// assert_eq!((detection.encoding, detection.candidates[0].malformed), (textcodec::UTF_8, 1));
    /// ```
    #[must_use]
    pub fn finish(self) -> Detection {
        self.end(true)
    }

    /// Returns the result for the start of a text, after which more will follow. An incomplete sequence at the end is ignored.
    ///
    /// Use it if the answer is needed before the text ends, as for the first bytes from a network. The reason says how many
    /// bytes were examined.
    ///
    /// ```
    /// use textcodec::UTF_8;
    ///
    /// let mut detector = textcodec_detect::Detector::new();
    /// detector.feed("日本".as_bytes());
    /// detector.feed(&"語".as_bytes()[..2]);
    /// let detection = detector.finish_partial();
    /// assert_eq!((detection.encoding, detection.candidates[0].malformed), (UTF_8, 0));
    /// assert!(detection.reason().ends_with("; only the first 8 bytes were examined"));
    /// ```
    #[must_use]
    pub fn finish_partial(self) -> Detection {
        self.end(false)
    }

    fn end(mut self, is_whole: bool) -> Detection {
        if !self.block.is_empty() || matches!(self.observed, Observed::Nothing) {
            self.observed.add_block(&self.options, &self.block, is_whole);
        }
        match self.observed {
            Observed::Bom(detection) => detection,
            Observed::Nothing => unreachable!("the first block has been added"),
            Observed::Text(text) => text.detection(&self.options, is_whole),
        }
    }
}

impl Observed {
    /// Adds a block. `is_whole` says that the text ends with it.
    fn add_block(&mut self, options: &DetectOptions, block: &[u8], is_whole: bool) {
        match self {
            Self::Nothing => {
                *self = match detect_bom(block, is_whole) {
                    Some(detection) => Self::Bom(detection),
                    None => Self::Text(Box::new(Text::new(options, block))),
                };
            }
            Self::Bom(_) => {}
            Self::Text(text) => text.add_block(block),
        }
    }
}

impl Text {
    fn new(options: &DetectOptions, block: &[u8]) -> Self {
        let transport = options.hints.transport.map(Declaration::of_transport);
        let searched = options.declarations.then(|| declaration::find_with_unserved(block));
        let (within, unserved) = searched.unwrap_or_default();
        let declarations = transport.into_iter().chain(within).filter_map(Known::new).collect();
        let impossible = if options.declarations { declaration::impossible(block) } else { Vec::new() };
        let guesser = (options.guess && cfg!(feature = "guess")).then(Guesser::new);
        let (format, trials) = (Format::of(block), Trials::new());
        let charsets = options.declarations.then(mail::Charsets::default);
        let hidden = None;
        let mut text = Self { declarations, impossible, unserved, format, hidden, charsets, trials, guesser };
        text.add_block(block);
        text
    }

    fn add_block(&mut self, block: &[u8]) {
        let Self { declarations, hidden, charsets, trials, guesser, .. } = self;
        if let Some(charsets) = charsets {
            charsets.feed(block);
        }
        trials.feed(block);
        if hidden.is_none() && trials.is_ascii() {
            *hidden = Hidden::find(block);
        }
        if trials.is_plain() {
            return;
        }
        let utf_8 = trials.tally(UTF_8);
        let is_utf_8 = utf_8.malformed == 0 && utf_8.beyond_ascii() >= MIN_UTF_8;
        if let Some(guesser) = guesser {
            if is_utf_8 && trials.non_ascii_bytes().len() >= MIN_DISTINCT {
                guesser.has_skipped = true;
            } else {
                guesser.feed(block);
            }
        }
        let is_guessed = guesser.is_some();
        if trials.decoded >= if is_guessed { BLOCK as u64 } else { SAMPLE } {
            let is_declared =
                |encoding: Encoding| declarations.iter().any(|known| decoder_of(known.encoding) == encoding);
            let tallies = MULTI_BYTE.map(|encoding| (encoding, trials.tally(encoding)));
            // A guess needs no encoding that is malformed in many places. Early, there may be more of them than in the rest.
            let is_early = trials.decoded < SAMPLE / 4;
            let fits = |encoding: Encoding| {
                let tally = tallies.iter().find(|(tried, _)| *tried == encoding).map(|(_, tally)| tally);
                let is_tolerable = |tally: &Tally| tally.malformed <= MANY_MALFORMED + tally.beyond_ascii() / 16;
                !is_guessed
                    || tally.is_none_or(|tally| if is_early { is_tolerable(tally) } else { is_plausible(tally) })
            };
            let (has_many_controls, is_ascii) = (trials.controls() * 256 > trials.bytes, trials.is_ascii());
            trials.retain(|encoding| match encoding {
                UTF_8 => true,
                // UTF-16 has many control bytes, ISO-2022-JP only ASCII.
                UTF_16LE | UTF_16BE => !is_utf_8 && (!is_guessed || has_many_controls) || is_declared(encoding),
                ISO_2022_JP => !is_utf_8 && (!is_guessed || is_ascii) || is_declared(encoding),
                _ => !is_utf_8 && fits(encoding) || is_declared(encoding),
            });
        }
    }

    fn detection(self, options: &DetectOptions, is_whole: bool) -> Detection {
        let Self { declarations, impossible, unserved, format, hidden, charsets, mut trials, mut guesser } = self;
        if is_whole {
            trials.finish();
        }
        if let Some(guesser) = &mut guesser {
            guesser.end();
        }
        let fallback = options.hints.fallback.unwrap_or(WINDOWS_1252);
        let is_utf_8 = trials.tally(UTF_8).malformed == 0;
        let charsets = charsets.map(|charsets| charsets.finish(is_utf_8)).unwrap_or_default();
        Verdict {
            trials,
            declarations,
            impossible,
            unserved,
            guesser,
            guess: OnceCell::new(),
            candidates: options.candidates.clone(),
            languages: options.languages.clone(),
            domain: options.hints.top_level_domain.clone(),
            format,
            hidden,
            charsets,
            fallback,
            is_whole,
        }
        .detection()
    }
}

impl Default for Detector {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Detector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Detector").field("options", &self.options).finish_non_exhaustive()
    }
}

/// Feeds what is written. This never fails.
///
/// ```no_run
/// # fn main() -> std::io::Result<()> {
/// let mut detector = textcodec_detect::Detector::new();
/// std::io::copy(&mut std::fs::File::open("old.txt")?, &mut detector)?;
/// println!("{}", detector.finish().encoding);
/// # Ok(())
/// # }
/// ```
#[cfg(feature = "std")]
impl io::Write for Detector {
    fn write(&mut self, chunk: &[u8]) -> io::Result<usize> {
        self.feed(chunk);
        Ok(chunk.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
