//! [`Decoder`]: bytes to Unicode, in chunks. Over 700 lines because of the docs, with an example for each method.

use core::mem::MaybeUninit;

use crate::{
    Bom, DecodeError, DecodeOptions, Encoding, Errors, Malformed, Reason,
    bom::{self, Verdict},
    codec::{
        Decode,
        any::{AnyDecoder, DecodeVisitor},
        drive::{Call, DecodeCall, DecodeState, Stop},
        feature::Missing,
        sink::Unit,
    },
    kernel::{Level, Out, write_to_str},
    testing,
};

/// Decodes one input, which may come in any number of chunks, to UTF-8 or UTF-16.
///
/// The same bytes give the same text, the same errors at the same positions, however they are cut into chunks and whatever
/// room the destination has. What is between two chunks, a begun character or part of a byte order mark, the decoder keeps.
///
/// There are two levels. [`push`](Self::push) and [`finish`](Self::finish) append to a `String` or `Vec` that grows.
/// [`decode_to_utf8`](Self::decode_to_utf8) and [`decode_to_utf16`](Self::decode_to_utf16) fill a slice and allocate
/// nothing.
///
/// ```
/// use textcodec::SHIFT_JIS;
///
/// let mut text = String::new();
/// let mut decoder = SHIFT_JIS.decoder();
/// for chunk in [&b"\x93"[..], b"\xFA\x96{", b"\x8C\xEA"] {
///     decoder.push(chunk, &mut text)?;
/// }
/// decoder.finish(&mut text)?;
/// assert_eq!(text, "日本語");
/// # Ok::<(), textcodec::DecodeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Decoder {
    asked_for: Encoding,
    options: DecodeOptions,
    level: Level,
    /// What the byte order mark says, or what was asked for.
    encoding: Encoding,
    codec: AnyDecoder,
    state: DecodeState,
    phase: Phase,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Phase {
    /// Before it is known whether there is a byte order mark. The bytes so far, two at most, may begin one.
    Start { held: [u8; 2], len: u8 },
    /// Decoding.
    Text { bom_removed: bool },
    /// The input has ended; the next call begins a new one.
    Finished { bom_removed: bool },
    /// An error has ended the input.
    Failed { bom_removed: bool, reason: Reason },
}

impl Phase {
    const START: Self = Self::Start { held: [0; 2], len: 0 };
}

/// What a call of the fixed-buffer level did.
///
/// ```
/// use textcodec::{DecodeStatus, WINDOWS_1252};
///
/// let mut buffer = [0; 4];
/// let progress = WINDOWS_1252.decoder().decode_to_utf8(b"caf\xE9", &mut buffer, true);
/// // The last character has no room, and is left unread.
/// assert_eq!((progress.read, progress.written, progress.status), (3, 3, DecodeStatus::OutputFull));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "the call may have stopped before the end of its input"]
pub struct DecodeProgress {
    /// How many bytes of the chunk are read.
    pub read: usize,
    /// How many code units are written to the destination: bytes of UTF-8, or units of UTF-16.
    pub written: usize,
    /// Why the call ended.
    pub status: DecodeStatus,
}

/// Why a call of the fixed-buffer level ended.
///
/// ```
/// use textcodec::{DecodeStatus, SHIFT_JIS};
///
/// let (mut rest, mut buffer, mut text) = (&b"\x93\xFA\x96{"[..], [0; 4], Vec::new());
/// let mut decoder = SHIFT_JIS.decoder();
/// loop {
///     let progress = decoder.decode_to_utf8(rest, &mut buffer, true);
///     text.extend_from_slice(&buffer[..progress.written]);
///     rest = &rest[progress.read..];
///     if progress.status != DecodeStatus::OutputFull {
///         break;
///     }
/// }
/// assert_eq!(text, "日本".as_bytes());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DecodeStatus {
    /// All of the chunk is read, and all of its text is written, a begun character or byte order mark aside. With
    /// `last`, the input is done.
    InputEmpty,
    /// The next character has no room. Call again with the rest of the chunk and the same `last`. The rest may be empty: a
    /// character that began in an earlier chunk, and U+FFFD for a malformed sequence, are read and wait in the decoder.
    OutputFull,
    /// A malformed sequence: with [`Malformed::Fail`] and [`Malformed::Report`]. Nothing is written for it.
    Malformed(DecodeError),
}

/// What a whole input was like.
///
/// ```
/// use textcodec::{UTF_8, UTF_16BE};
///
/// let mut text = String::new();
/// let mut decoder = UTF_8.decoder();
/// decoder.push(b"\xFE\xFF\0a", &mut text)?;
/// let summary = decoder.finish(&mut text)?;
/// assert_eq!((summary.encoding, summary.bom_removed, summary.errors.count()), (UTF_16BE, true, 0));
/// # Ok::<(), textcodec::DecodeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeSummary {
    /// The encoding that was used: that of the byte order mark, or the one asked for.
    pub encoding: Encoding,
    /// Whether a byte order mark was removed.
    pub bom_removed: bool,
    /// The malformed sequences that were replaced, or given to [`push_with`](Decoder::push_with)'s function.
    pub errors: Errors<DecodeError>,
}

impl Decoder {
    pub(crate) fn new(encoding: Encoding, options: DecodeOptions) -> Result<Self, Missing> {
        Ok(Self::with(encoding, options, AnyDecoder::new(encoding)?))
    }

    /// A decoder that always is there.
    #[cfg(feature = "alloc")]
    pub(crate) fn utf_8(options: DecodeOptions) -> Self {
        Self::with(crate::UTF_8, options, AnyDecoder::of_unicode(crate::UTF_8))
    }

    fn with(encoding: Encoding, options: DecodeOptions, codec: AnyDecoder) -> Self {
        let (level, state) = (Level::best(), DecodeState::default());
        Self { asked_for: encoding, options, level, encoding, codec, state, phase: Phase::START }
    }

    /// Takes the byte order mark of a whole input, if there is one; returns the rest.
    #[cfg(feature = "alloc")]
    pub(crate) fn take_bom<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let Verdict::Found(encoding, len) = bom::look(self.options.bom, self.asked_for, bytes, true) else {
            self.phase = Phase::Text { bom_removed: false };
            return bytes;
        };
        self.use_bom(encoding, len);
        self.phase = Phase::Text { bom_removed: true };
        &bytes[len..]
    }

    /// Counts bytes as read that are the same text, at the front of it.
    #[cfg(feature = "alloc")]
    pub(crate) fn skip(&mut self, bytes: usize) {
        self.state.taken += bytes as u64;
    }

    /// Goes on with the encoding of a byte order mark of which `len` more bytes are read.
    fn use_bom(&mut self, encoding: Encoding, len: usize) {
        if encoding != self.encoding {
            self.encoding = encoding;
            self.codec = AnyDecoder::of_unicode(encoding);
        }
        self.state.taken += len as u64;
    }

    /// The least room in bytes with which [`decode_to_utf8`](Self::decode_to_utf8) always gets on: that of the longest
    /// character.
    ///
    /// ```
    /// use textcodec::{Decoder, UTF_8};
    ///
    /// let mut buffer = [0; Decoder::MIN_UTF8_ROOM];
    /// assert_eq!(UTF_8.decoder().decode_to_utf8("😀".as_bytes(), &mut buffer, true).written, 4);
    /// ```
    pub const MIN_UTF8_ROOM: usize = 4;
    /// The least room in code units with which [`decode_to_utf16`](Self::decode_to_utf16) always gets on: that of a
    /// surrogate pair.
    ///
    /// ```
    /// use textcodec::{Decoder, UTF_8};
    ///
    /// let mut buffer = [0; Decoder::MIN_UTF16_ROOM];
    /// assert_eq!(UTF_8.decoder().decode_to_utf16("😀".as_bytes(), &mut buffer, true).written, 2);
    /// ```
    pub const MIN_UTF16_ROOM: usize = 2;

    /// The encoding in use: the one asked for, until a byte order mark says another.
    ///
    /// ```
    /// use textcodec::{UTF_8, UTF_16LE};
    ///
    /// let mut decoder = UTF_8.decoder();
    /// assert_eq!(decoder.encoding(), UTF_8);
    /// decoder.push(b"\xFF\xFE", &mut String::new())?;
    /// assert_eq!(decoder.encoding(), UTF_16LE);
    /// # Ok::<(), textcodec::DecodeError>(())
    /// ```
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Whether a byte order mark was removed.
    ///
    /// ```
    /// let mut decoder = textcodec::UTF_8.decoder();
    /// decoder.push(b"\xEF\xBB", &mut String::new())?;
    /// assert!(!decoder.bom_removed());
    /// decoder.push(b"\xBF", &mut String::new())?;
    /// assert!(decoder.bom_removed());
    /// # Ok::<(), textcodec::DecodeError>(())
    /// ```
    #[must_use]
    pub fn bom_removed(&self) -> bool {
        match self.phase {
            Phase::Start { .. } => false,
            Phase::Text { bom_removed } | Phase::Finished { bom_removed } | Phase::Failed { bom_removed, .. } => {
                bom_removed
            }
        }
    }

    /// The malformed sequences so far that were replaced, or given to [`push_with`](Self::push_with)'s function.
    ///
    /// ```
    /// let mut decoder = textcodec::UTF_8.decoder();
    /// decoder.push(b"ab\xFF", &mut String::new())?;
    /// assert_eq!(decoder.errors().first().map(|error| error.range()), Some(2..3));
    /// # Ok::<(), textcodec::DecodeError>(())
    /// ```
    #[must_use]
    pub fn errors(&self) -> &Errors<DecodeError> {
        &self.state.errors
    }

    /// How many bytes of the whole input are read, those of a begun character included: where the next chunk begins or,
    /// after an error, where to go on in this one. A byte or two behind the error's [`range`](DecodeError::range) may be read
    /// already; they are kept, and decoded next. What is not read must be given next: the decoder may have looked at it.
    ///
    /// ```
    /// use textcodec::{DecodeOptions, Malformed, UTF_8};
    ///
    /// let (bytes, mut text) = (b"a\xFFb", String::new());
    /// let mut decoder = UTF_8.decoder_with(DecodeOptions::new().malformed(Malformed::Report));
    /// assert!(decoder.push(bytes, &mut text).is_err());
    /// decoder.push(&bytes[decoder.position() as usize..], &mut text)?;
    /// assert_eq!(text, "ab");
    /// # Ok::<(), textcodec::DecodeError>(())
    /// ```
    #[must_use]
    pub fn position(&self) -> u64 {
        self.state.taken
    }

    /// Whether what follows is decoded as at the start of an input, except for a byte order mark: it is known whether there is
    /// one, no character is begun or waits for room, and no escape sequence of ISO-2022-JP is in force.
    ///
    /// ```
    /// let mut decoder = textcodec::SHIFT_JIS.decoder();
    /// assert!(!decoder.is_at_rest());
    /// decoder.push(b"a\x93", &mut String::new())?;
    /// assert!(!decoder.is_at_rest());
    /// decoder.push(b"\xFA", &mut String::new())?;
    /// assert!(decoder.is_at_rest());
    /// # Ok::<(), textcodec::DecodeError>(())
    /// ```
    #[must_use]
    pub fn is_at_rest(&self) -> bool {
        match self.phase {
            // Behind the end of an input is before the next one.
            Phase::Start { len: 0, .. } | Phase::Finished { .. } => {
                bom::look(self.options.bom, self.asked_for, &[], false) == Verdict::None
            }
            Phase::Text { .. } => self.state.is_idle() && self.codec.clone().visit(IsAtRest),
            Phase::Start { .. } | Phase::Failed { .. } => false,
        }
    }

    /// Changes how malformed bytes are handled from the next call on, instead of as the [options](DecodeOptions::malformed) said.
    ///
    /// Each malformed sequence is handled by the policy of the call that finds it malformed, which may be a later call than the one
    /// that read its first bytes. A U+FFFD that did not fit is still written by a later call. An error that has ended the input
    /// remains its end, until [`reset`](Self::reset).
    ///
    /// ```
    /// use textcodec::{Malformed, UTF_8};
    ///
    /// let mut text = String::new();
    /// let mut decoder = UTF_8.decoder();
    /// decoder.push(b"a\xFFb", &mut text)?;
    /// decoder.set_malformed(Malformed::Fail);
    /// assert!(decoder.push(b"c\xFF", &mut text).is_err());
    /// assert_eq!(text, "a\u{FFFD}bc");
    /// # Ok::<(), textcodec::DecodeError>(())
    /// ```
    pub fn set_malformed(&mut self, malformed: Malformed) {
        self.options.malformed = malformed;
    }

    /// Begins a new input, as with a new decoder of the same encoding and options. What is left of the old one is
    /// dropped.
    ///
    /// ```
    /// let mut text = String::new();
    /// let mut decoder = textcodec::UTF_8.decoder();
    /// decoder.push(b"a\xE2\x82", &mut text)?;
    /// decoder.reset();
    /// decoder.push(b"b", &mut text)?;
    /// assert_eq!((text.as_str(), decoder.position()), ("ab", 1));
    /// # Ok::<(), textcodec::DecodeError>(())
    /// ```
    pub fn reset(&mut self) {
        // It was there before.
        if let Ok(fresh) = self.asked_for.try_decoder_with(self.options) {
            *self = Self { level: self.level, ..fresh };
        }
    }

    /// Decodes a chunk to UTF-8. `last` says that the input ends with it.
    ///
    /// Only whole characters are written, so what is written is valid UTF-8. A destination with less than
    /// [`MIN_UTF8_ROOM`](Self::MIN_UTF8_ROOM) bytes may be too small for the next character, and never get on.
    /// One of [`max_utf8_len`](Self::max_utf8_len) bytes takes the whole chunk. No allocation, no panic.
    /// The room behind what is written is scratch: its bytes may change.
    ///
    /// After a call with `last` that ended with [`DecodeStatus::InputEmpty`], the next one begins a new input.
    ///
    /// ```
    /// use textcodec::{DecodeStatus, EUC_KR};
    ///
    /// let mut decoder = EUC_KR.decoder();
    /// let mut buffer = [0; 8];
    /// let progress = decoder.decode_to_utf8(b"\xC7\xD1\xB1\xDB!", &mut buffer, true);
    /// assert_eq!((progress.read, progress.written, progress.status), (5, 7, DecodeStatus::InputEmpty));
    /// assert_eq!(&buffer[..7], "한글!".as_bytes());
    /// ```
    pub fn decode_to_utf8(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> DecodeProgress {
        self.decode(src, &mut Out::new(dst), last)
    }

    /// [`decode_to_utf8`](Self::decode_to_utf8) into memory that need not be initialised; the first
    /// [`written`](DecodeProgress::written) bytes are, afterwards.
    ///
    /// ```
    /// # use core::mem::MaybeUninit;
    /// let mut buffer = [const { MaybeUninit::uninit() }; 64];
    /// let progress = textcodec::KOI8_R.decoder().decode_to_utf8_uninit(b"\xC1\xC2", &mut buffer, true);
    /// assert_eq!(progress.written, "аб".len());
    /// ```
    pub fn decode_to_utf8_uninit(&mut self, src: &[u8], dst: &mut [MaybeUninit<u8>], last: bool) -> DecodeProgress {
        self.decode(src, &mut Out::uninit(dst), last)
    }

    /// [`decode_to_utf8`](Self::decode_to_utf8) into a `str`, which stays one: characters behind what is written may become
    /// U+0000.
    ///
    /// ```
    /// let mut text = String::from("........");
    /// let progress = textcodec::KOI8_R.decoder().decode_to_str(b"\xC1\xC2", &mut text, true);
    /// assert_eq!(&text[..progress.written], "аб");
    /// ```
    pub fn decode_to_str(&mut self, src: &[u8], dst: &mut str, last: bool) -> DecodeProgress {
        // More is never written, so more need not be made a `str` again.
        let room = self.max_utf8_len(src.len()).unwrap_or(usize::MAX);
        write_to_str(dst, room, |out| self.decode(src, out, last))
    }

    /// Decodes a chunk to UTF-16 in the machine's byte order; see [`decode_to_utf8`](Self::decode_to_utf8). Only whole
    /// surrogate pairs are written.
    ///
    /// ```
    /// let mut buffer = [0; 4];
    /// let progress = textcodec::GBK.decoder().decode_to_utf16(b"\xC4\xE3", &mut buffer, true);
    /// assert_eq!(buffer[..progress.written], [0x4F60]);
    /// ```
    pub fn decode_to_utf16(&mut self, src: &[u8], dst: &mut [u16], last: bool) -> DecodeProgress {
        self.decode(src, &mut Out::new(dst), last)
    }

    /// [`decode_to_utf16`](Self::decode_to_utf16) into memory that need not be initialised; the first
    /// [`written`](DecodeProgress::written) code units are, afterwards.
    ///
    /// ```
    /// # use core::mem::MaybeUninit;
    /// let mut buffer = [const { MaybeUninit::uninit() }; 64];
    /// let progress = textcodec::KOI8_R.decoder().decode_to_utf16_uninit(b"\xC1\xC2", &mut buffer, true);
    /// assert_eq!(progress.written, 2);
    /// ```
    pub fn decode_to_utf16_uninit(&mut self, src: &[u8], dst: &mut [MaybeUninit<u16>], last: bool) -> DecodeProgress {
        self.decode(src, &mut Out::uninit(dst), last)
    }

    pub(crate) fn decode<U: Unit>(&mut self, src: &[u8], out: &mut Out<'_, U>, last: bool) -> DecodeProgress {
        let (read, stop) = self.run(src, out, last, self.options.malformed);
        let status = match stop {
            Stop::InputEmpty => DecodeStatus::InputEmpty,
            Stop::OutputFull => DecodeStatus::OutputFull,
            Stop::Error(reason) => DecodeStatus::Malformed(self.state.error(self.encoding, reason)),
        };
        DecodeProgress { read, written: out.filled(), status }
    }

    /// Drops the bytes that the handler restored with the error that stopped the last call. The escape byte that interrupts a pair of
    /// ISO-2022-JP stays: where this handler restores it, the standard's changes its state.
    #[cfg(feature = "alloc")]
    pub(crate) fn drop_restored(&mut self, error: &DecodeError) {
        if (self.encoding, error.reason()) != (crate::ISO_2022_JP, crate::Reason::Interrupted) {
            self.state.replay = crate::codec::Replay::default();
        }
    }

    /// [`reset`](Self::reset) behind the end of an input, where no sequence is begun.
    fn restart(&mut self) {
        if self.encoding == self.asked_for && self.codec.is_stateless() {
            self.state.restart();
            self.phase = Phase::START;
        } else {
            self.reset();
        }
    }

    fn run<U: Unit>(
        &mut self,
        src: &[u8],
        out: &mut Out<'_, U>,
        last: bool,
        malformed: Malformed,
    ) -> (usize, Stop<Reason>) {
        if let Phase::Finished { .. } = self.phase {
            self.restart();
        }
        let (bom_removed, behind_bom) = match &self.phase {
            &Phase::Text { bom_removed } => (bom_removed, 0),
            &Phase::Failed { reason, .. } => return (0, Stop::Error(reason)),
            Phase::Start { len: 0, .. } if bom::is_none(self.options.bom, src) => {
                if self.encoding.is_ascii_compatible() && U::short_ascii(src, out) {
                    testing::count_bulk(src.len());
                    self.state.taken += src.len() as u64;
                    let bom_removed = false;
                    self.phase = if last { Phase::Finished { bom_removed } } else { Phase::Text { bom_removed } };
                    return (src.len(), Stop::InputEmpty);
                }
                (false, 0)
            }
            _ => match self.look_for_bom(src, last) {
                None => return (src.len(), Stop::InputEmpty),
                Some(found) => found,
            },
        };
        let src = &src[behind_bom..];
        let policy = malformed == Malformed::Replace;
        let call = Call { encoding: self.encoding, level: self.level, src, last, policy };
        let (read, stop) = self.codec.visit(DecodeCall { state: &mut self.state, call: &call, out });
        self.phase = match stop {
            Stop::InputEmpty if last => Phase::Finished { bom_removed },
            Stop::Error(reason) if malformed == Malformed::Fail => Phase::Failed { bom_removed, reason },
            _ => Phase::Text { bom_removed },
        };
        (behind_bom + read, stop)
    }

    /// Whether there is a byte order mark and how many bytes of `src` belong to it, or none while more bytes are needed to
    /// tell. Those of `src` are taken then.
    fn look_for_bom(&mut self, src: &[u8], last: bool) -> Option<(bool, usize)> {
        let Phase::Start { held, len } = &mut self.phase else { return Some((false, 0)) };
        let before = usize::from(*len);
        let mut first = [0; 3];
        first[..before].copy_from_slice(&held[..before]);
        let more = src.len().min(3 - before);
        first[before..before + more].copy_from_slice(&src[..more]);
        match bom::look(self.options.bom, self.asked_for, &first[..before + more], last) {
            Verdict::Undecided => {
                // Three bytes always decide, so these are two at most, and all of `src`.
                held[before..before + more].copy_from_slice(&src[..more]);
                *len += more as u8;
                self.state.taken += more as u64;
                None
            }
            Verdict::None => {
                self.state.replay.restore(&first[..before]);
                Some((false, 0))
            }
            Verdict::Found(encoding, mark) => {
                self.use_bom(encoding, mark - before);
                Some((true, mark - before))
            }
        }
    }

    /// What is not yet written or decoded, as bytes of input and characters of output.
    pub(crate) fn pending(&self) -> (usize, usize) {
        let begun = match self.phase {
            Phase::Start { len, .. } => len.into(),
            Phase::Finished { .. } => 0,
            // A begun sequence has three bytes at most, and so have those a handler gave back.
            _ => 3 + self.state.replay.len(),
        };
        (begun, self.state.held.len())
    }

    /// The encoding that the next call begins with.
    pub(crate) fn next_encoding(&self) -> Encoding {
        if let Phase::Finished { .. } = self.phase { self.asked_for } else { self.encoding }
    }

    pub(crate) fn replaces(&self) -> bool {
        self.options.malformed == Malformed::Replace
    }

    pub(crate) fn may_sniff(&self) -> bool {
        self.options.bom == Bom::Sniff && !matches!(self.phase, Phase::Text { .. })
    }

    #[cfg(feature = "levels")]
    pub(crate) fn set_level(&mut self, level: Level) {
        self.level = level;
    }
}

/// Asks a codec whether it is as at the start.
struct IsAtRest;

impl DecodeVisitor for IsAtRest {
    type Output = bool;

    fn visit<D: Decode>(self, codec: &mut D) -> bool {
        codec.is_at_rest()
    }
}

#[cfg(feature = "alloc")]
impl Decoder {
    /// Decodes a chunk and appends the text to `out`, as far as it fits without an allocation: the fixed-buffer level on the
    /// spare capacity of a `String`, a `Vec<u8>` of UTF-8, or a `Vec<u16>`. Otherwise as
    /// [`decode_to_utf8`](Self::decode_to_utf8).
    ///
    /// ```
    /// use textcodec::{DecodeStatus, EUC_KR};
    ///
    /// let mut text = String::with_capacity(8);
    /// let progress = EUC_KR.decoder().decode_within_capacity(b"\xC7\xD1\xB1\xDB!", &mut text, true);
    /// assert_eq!((progress.written, progress.status, text.as_str()), (7, DecodeStatus::InputEmpty, "한글!"));
    /// ```
    pub fn decode_within_capacity<T: crate::DecodeTarget>(
        &mut self,
        src: &[u8],
        out: &mut T,
        last: bool,
    ) -> DecodeProgress {
        out.append(crate::target::Key, 0, |out| self.decode(src, out, last))
    }

    /// Decodes a chunk and appends the text to `out`: a `String`, a `Vec<u8>` of UTF-8, or a `Vec<u16>`.
    ///
    /// # Errors
    /// With [`Malformed::Fail`] and [`Malformed::Report`], the first malformed sequence. The text before it is in `out`, and
    /// [`position`](Self::position) says where to go on: bytes of this chunk from there on are not read.
    ///
    /// ```
    /// let mut units: Vec<u16> = Vec::new();
    /// let mut decoder = textcodec::BIG5.decoder();
    /// decoder.push(b"\xA4", &mut units)?;
    /// decoder.push(b"\xA4", &mut units)?;
    /// decoder.finish(&mut units)?;
    /// assert_eq!(units, [0x4E2D]);
    /// # Ok::<(), textcodec::DecodeError>(())
    /// ```
    pub fn push<T: crate::DecodeTarget>(&mut self, chunk: &[u8], out: &mut T) -> Result<(), DecodeError> {
        self.grow(chunk, out, false)
    }

    /// Ends the input: appends what a begun character becomes, and says what the whole input was like.
    ///
    /// # Errors
    /// With [`Malformed::Fail`], the error that has ended the input before. With it and [`Malformed::Report`], the
    /// first malformed sequence in what is left, such as a character that the end of the input cuts off. With `Report`
    /// the text behind it is appended all the same, such as the `$` of an escape sequence that is cut off.
    ///
    /// ```
    /// let mut text = String::new();
    /// let mut decoder = textcodec::UTF_8.decoder();
    /// decoder.push(b"\xEF\xBB\xBFab\xC3", &mut text)?;
    /// let summary = decoder.finish(&mut text)?;
    /// assert_eq!(text, "ab\u{FFFD}");
    /// assert_eq!((summary.bom_removed, summary.errors.count()), (true, 1));
    /// # Ok::<(), textcodec::DecodeError>(())
    /// ```
    pub fn finish<T: crate::DecodeTarget>(mut self, out: &mut T) -> Result<DecodeSummary, DecodeError> {
        let mut first = None;
        while let Some((_, error)) = self.grow_to_stop(&[], out, true, self.options.malformed) {
            first.get_or_insert(error);
            if let Phase::Failed { .. } = self.phase {
                break;
            }
        }
        first.map_or_else(|| Ok(self.into_summary()), Err)
    }

    /// [`push`](Self::push) where a function decides what stands for a malformed sequence: it is called for each one, in
    /// order, and may append to the text. Whatever the options say, no error stops it; after one that has, it goes on behind
    /// that one.
    ///
    /// ```
    /// let mut text = String::new();
    /// let mut decoder = textcodec::UTF_8.decoder();
    /// let escape = |error: &textcodec::DecodeError, text: &mut String| {
    ///     for byte in error.bytes() {
    ///         text.push_str(&format!("\\x{byte:02X}"));
    ///     }
    /// };
    /// decoder.push_with(b"a\xFFb\xC3", &mut text, escape);
    /// decoder.finish_with(&mut text, escape);
    /// assert_eq!(text, "a\\xFFb\\xC3");
    /// ```
    pub fn push_with<T: crate::DecodeTarget>(
        &mut self,
        chunk: &[u8],
        out: &mut T,
        on_error: impl FnMut(&DecodeError, &mut T),
    ) {
        self.grow_with(chunk, out, false, on_error);
    }

    /// [`finish`](Self::finish) for [`push_with`](Self::push_with): the function is called for what the end of the
    /// input makes malformed, and nothing fails.
    ///
    /// ```
    /// let mut text = String::new();
    /// let mut decoder = textcodec::UTF_8.decoder();
    /// decoder.push(b"a\xE2\x82", &mut text)?;
    /// let summary = decoder.finish_with(&mut text, |_, text| text.push_str("[cut off]"));
    /// assert_eq!((text.as_str(), summary.errors.count()), ("a[cut off]", 1));
    /// # Ok::<(), textcodec::DecodeError>(())
    /// ```
    pub fn finish_with<T: crate::DecodeTarget>(
        mut self,
        out: &mut T,
        on_error: impl FnMut(&DecodeError, &mut T),
    ) -> DecodeSummary {
        self.grow_with(&[], out, true, on_error);
        self.into_summary()
    }

    pub(crate) fn grow<T: crate::DecodeTarget>(
        &mut self,
        src: &[u8],
        out: &mut T,
        last: bool,
    ) -> Result<(), DecodeError> {
        self.grow_to_stop(src, out, last, self.options.malformed).map_or(Ok(()), |(_, error)| Err(error))
    }

    pub(crate) fn grow_with<T: crate::DecodeTarget>(
        &mut self,
        mut src: &[u8],
        out: &mut T,
        last: bool,
        mut on_error: impl FnMut(&DecodeError, &mut T),
    ) {
        if let Phase::Failed { bom_removed, .. } = self.phase {
            self.phase = Phase::Text { bom_removed };
        }
        while let Some((read, error)) = self.grow_to_stop(src, out, last, Malformed::Report) {
            on_error(&error, out);
            self.state.errors.add(error);
            src = &src[read..];
        }
    }

    /// Decodes until all of `src` is read, or up to an error; then the answer says how much is read.
    fn grow_to_stop<T: crate::DecodeTarget>(
        &mut self,
        src: &[u8],
        out: &mut T,
        last: bool,
        malformed: Malformed,
    ) -> Option<(usize, DecodeError)> {
        let mut read = 0;
        loop {
            // Room for a code unit a byte, and for a character that waits: right for most text, and more follows.
            let room = src.len() - read + 2 * Self::MIN_UTF8_ROOM;
            let (more, stop) = out.append(crate::target::Key, room, |out| self.run(&src[read..], out, last, malformed));
            read += more;
            match stop {
                Stop::InputEmpty => return None,
                Stop::OutputFull => {}
                Stop::Error(reason) => return Some((read, self.state.error(self.encoding, reason))),
            }
        }
    }

    pub(crate) fn into_summary(self) -> DecodeSummary {
        DecodeSummary { encoding: self.encoding, bom_removed: self.bom_removed(), errors: self.state.errors }
    }
}
