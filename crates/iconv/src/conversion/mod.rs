//! [`Conversion`]: the state of an `iconv_t`.

mod run;

use textcodec::UTF_8;

use crate::{
    form::Form,
    source::Source,
    target::{FEW, MAX_FEW, Target},
};

/// What a conversion does about characters that it cannot convert. The default is to stop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option")]
#[non_exhaustive]
pub struct Options {
    /// Replaces unmappable characters by [similar text](crate::transliterate), or by a question mark.
    pub transliterate: bool,
    /// Skips unmappable characters.
    pub skip_unmappable: bool,
    /// Skips malformed sequences.
    pub skip_malformed: bool,
    /// Skips tag characters, U+E0000 to U+E007F, without counting them if they are unmappable. glibc does that.
    pub skip_tags: bool,
    /// Exchanges U+000A and U+0085. In EBCDIC, these are the bytes 25 and 15, and files of Unix on z/OS have 15 at the ends of lines:
    /// set it if one of both names, but not the other, [has `/ZOS_UNIX`](crate::Request::zos_unix).
    pub exchange_newlines: bool,
}

/// What a call of [`Conversion::convert`] did.
///
/// The conversion is between two characters at both positions, so a call with the rest of the input continues it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[must_use = "the call may have stopped before the end of its input"]
pub struct Progress {
    /// The number of bytes read. In Big5, the last character may be read and not written yet: see
    /// [`finish`](Conversion::finish).
    pub read: usize,
    /// The number of bytes written.
    pub written: usize,
    /// The number of characters that were transliterated.
    pub transliterated: usize,
    /// The number of unmappable characters and malformed sequences that were skipped.
    pub skipped: usize,
    /// The number of those that are unmappable characters. POSIX counts them as conversions that are not identical.
    pub discarded: usize,
    /// Why the call returned.
    pub stop: Stop,
}

impl Progress {
    /// The progress of a call without input.
    const EMPTY: Self =
        Self { read: 0, written: 0, transliterated: 0, skipped: 0, discarded: 0, stop: Stop::InputEmpty };
}

/// Why a call of [`Conversion::convert`] returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// All input was read.
    InputEmpty,
    /// The next character does not fit: `E2BIG`.
    OutputFull,
    /// The rest of the input is the start of a character: `EINVAL`.
    Incomplete,
    /// The next bytes are malformed: `EILSEQ`.
    Malformed,
    /// The next character is unmappable: `EILSEQ`.
    Unmappable,
}

/// A conversion from one form to another, in chunks of any size. It never allocates, except that [`new`](Self::new) derives the
/// tables of a code page at its first use: see [`Form::prepare`].
///
/// ```
/// use textcodec::{SHIFT_JIS, UTF_8};
/// use textcodec_iconv::{Conversion, Form, Options, Stop};
///
/// let mut conversion = Conversion::new(Form::Encoding(SHIFT_JIS), Form::Encoding(UTF_8), Options::default());
/// let mut bytes = [0; 8];
/// let progress = conversion.convert(b"\x93\xFA\x96", &mut bytes);
/// // The last byte is the start of a character, and is not read.
/// assert_eq!((progress.read, progress.written, progress.stop), (2, 3, Stop::Incomplete));
/// assert_eq!(&bytes[..3], "日".as_bytes());
/// ```
#[derive(Clone, Debug)]
pub struct Conversion {
    from: Form,
    to: Form,
    options: Options,
    source: Source,
    target: Target,
    /// A letter of Big5 that is read and not written, because a combining mark after it would change its bytes.
    held: Option<[u8; 2]>,
    /// Whether a byte order mark is written before the next character.
    needs_mark: bool,
    /// Whether a decoder writes the output.
    is_direct: bool,
    /// Whether ASCII is the same bytes in both encodings.
    keeps_ascii: bool,
    /// The maximum length of the first block of the next call.
    first_len: usize,
}

/// The number of code units of the text between decoder and encoder: what the cache has room for. The output's block has as many
/// bytes twice.
const BLOCK: usize = 4096;

/// The same for shorter inputs. A block is initialised in each call, which takes longer than it saves if most of it is not used.
const MEDIUM_BLOCK: usize = 2048;
const SHORT_BLOCK: usize = 128;
const TINY_BLOCK: usize = 16;

impl Conversion {
    /// Creates a conversion.
    ///
    /// # Panics
    /// If there is not enough memory for the tables of a code page. [`Form::prepare`] reports this instead.
    #[must_use]
    pub fn new(from: Form, to: Form, options: Options) -> Self {
        let is_direct = matches!((from, to), (Form::Encoding(_), Form::Encoding(UTF_8)));
        let has_ascii = |form| matches!(form, Form::Encoding(encoding) if encoding.is_ascii_compatible());
        Self {
            from,
            to,
            options,
            source: Source::new(from),
            target: Target::new(to),
            held: None,
            needs_mark: to.has_mark(),
            is_direct,
            keeps_ascii: has_ascii(from) && has_ascii(to),
            first_len: usize::MAX,
        }
    }

    /// Returns the form of the input.
    #[must_use]
    pub fn from(&self) -> Form {
        self.from
    }

    /// Returns the form of the output.
    #[must_use]
    pub fn to(&self) -> Form {
        self.to
    }

    /// Returns what the conversion does about characters that it cannot convert.
    #[must_use]
    pub fn options(&self) -> Options {
        self.options
    }

    /// Changes this from the next call on.
    pub fn set_options(&mut self, options: Options) {
        self.options = options;
    }

    /// Converts a chunk: as much of `src` as `dst` has room for, in whole characters. The rest of `dst` does not change.
    pub fn convert(&mut self, src: &[u8], dst: &mut [u8]) -> Progress {
        let mut written = 0;
        self.convert_with(src, dst.len(), |bytes| {
            dst[written..][..bytes.len()].copy_from_slice(bytes);
            written += bytes.len();
        })
    }

    /// Converts a chunk like [`convert`](Self::convert), and calls a function with all output, in order. Together, it has at most
    /// `room` bytes.
    ///
    /// ```
    /// use textcodec::{GBK, UTF_8};
    /// use textcodec_iconv::{Conversion, Form, Options};
    ///
    /// let mut conversion = Conversion::new(Form::Encoding(GBK), Form::Encoding(UTF_8), Options::default());
    /// let mut bytes = Vec::new();
    /// let progress = conversion.convert_with(b"\xC4\xE3\xBA\xC3", 5, |part| bytes.extend_from_slice(part));
    /// assert_eq!((progress.read, bytes.as_slice()), (2, "你".as_bytes()));
    /// ```
    pub fn convert_with(&mut self, src: &[u8], room: usize, mut hand_over: impl FnMut(&[u8])) -> Progress {
        // Some programs convert a character in each call.
        if src.len() <= TINY_BLOCK && !self.options.exchange_newlines {
            let is_ascii = src.first().is_some_and(u8::is_ascii) && src.is_ascii();
            if is_ascii && self.keeps_ascii && self.held.is_none() && src.len() <= room {
                hand_over(src);
                return Progress { read: src.len(), written: src.len(), ..Progress::EMPTY };
            }
            let mut bytes = [0; MAX_FEW];
            if let Some(written) = self.encode_few(src, &mut bytes)
                && written <= room
            {
                hand_over(&bytes[..written]);
                return Progress { read: src.len(), written, ..Progress::EMPTY };
            }
        }
        let len = src.len() / self.from.min_character_len();
        if len <= TINY_BLOCK {
            self.run::<TINY_BLOCK, { 8 * TINY_BLOCK }>(src, room, hand_over)
        } else if len <= SHORT_BLOCK {
            self.run::<SHORT_BLOCK, { 2 * SHORT_BLOCK }>(src, room, hand_over)
        } else if len <= 4 * MEDIUM_BLOCK {
            self.run::<MEDIUM_BLOCK, { 2 * MEDIUM_BLOCK }>(src, room, hand_over)
        } else {
            self.run::<BLOCK, { 2 * BLOCK }>(src, room, hand_over)
        }
    }

    /// Encodes a few characters of UTF-8, if nothing about them is special. Otherwise, nothing happens.
    fn encode_few(&mut self, src: &[u8], bytes: &mut [u8; MAX_FEW]) -> Option<usize> {
        let is_possible = src.len() <= FEW && self.from == Form::Encoding(UTF_8) && self.target.is_simple();
        (is_possible && !self.needs_mark && self.held.is_none())
            .then(|| self.target.encode_few(core::str::from_utf8(src).ok()?, bytes))?
    }

    /// Ends the text: writes a letter that is held because a combining mark might follow (in Big5), or the bytes that return to
    /// the initial state, such as an escape sequence of ISO-2022-JP, and [resets](Self::reset) the conversion. Returns the
    /// number of bytes.
    ///
    /// Returns `None` and changes nothing if the bytes do not fit into `dst`. They are at most eight.
    pub fn finish(&mut self, dst: &mut [u8]) -> Option<usize> {
        let written = match self.held {
            // Big5 has no other state.
            Some(letter) => {
                dst.get_mut(..letter.len())?.copy_from_slice(&letter);
                letter.len()
            }
            None => self.target.finish(dst)?,
        };
        self.reset();
        Some(written)
    }

    /// Starts a new input that continues the same output: looks for a byte order mark in it, but writes none.
    ///
    /// ```
    /// use textcodec::UTF_8;
    /// use textcodec_iconv::{Conversion, Form, Options};
    ///
    /// let mut conversion = Conversion::new(Form::MarkedUtf16, Form::Encoding(UTF_8), Options::default());
    /// let mut bytes = Vec::new();
    /// for input in [b"\xFE\xFF\0a", b"\xFF\xFEb\0"] {
    ///     let _ = conversion.convert_with(input, 100, |part| bytes.extend_from_slice(part));
    ///     conversion.restart_source();
    /// }
    /// assert_eq!(bytes, b"ab");
    /// ```
    pub fn restart_source(&mut self) {
        self.source = Source::new(self.from);
    }

    /// Starts a new text, without writing what would end the last one.
    ///
    /// A byte order mark is written again, and looked for again. Without a mark, the new text is in the byte order of the last
    /// one.
    pub fn reset(&mut self) {
        self.source.reset(self.from);
        if self.target.is_stateful() {
            self.target = Target::new(self.to);
        }
        self.held = None;
        self.needs_mark = self.to.has_mark();
    }
}
