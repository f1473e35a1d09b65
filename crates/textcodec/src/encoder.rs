//! [`Encoder`]: Unicode to bytes, in chunks.
//!
//! Over 500 lines: each method has an example.

use core::mem::MaybeUninit;

use crate::{
    EncodeError, Encoding, Errors, REPLACEMENT, Unmappable,
    codec::{
        Encode,
        any::{AnyEncoder, EncodeVisitor},
        drive::{Call, EncodeCall, EncodePolicy, EncodeState, Stop},
        source::Source,
    },
    kernel::{Level, Out},
    testing,
};

/// Encodes one text, which may come in any number of chunks of UTF-8 or UTF-16.
///
/// The same text gives the same bytes, and the same errors at the same positions, however it is cut into chunks and whatever
/// room the destination has. UTF-16 need not be well-formed: a surrogate without its other half is U+FFFD, and counted. What
/// is between two chunks, half a surrogate pair or ISO-2022-JP's mode, the encoder keeps.
///
/// There are two levels. [`push`](Self::push) and [`finish`](Self::finish) append to a `Vec` that grows.
/// [`encode_from_utf8`](Self::encode_from_utf8) and [`encode_from_utf16`](Self::encode_from_utf16) fill a slice and allocate
/// nothing.
///
/// ```
/// use textcodec::ISO_2022_JP;
///
/// let mut bytes = Vec::new();
/// let mut encoder = ISO_2022_JP.encoder()?;
/// encoder.push("日本", &mut bytes)?;
/// encoder.push("語", &mut bytes)?;
/// encoder.finish(&mut bytes)?;
/// assert_eq!(bytes, b"\x1B$BF|K\\8l\x1B(B");
/// # Ok::<(), textcodec::EncodeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Encoder {
    encoding: Encoding,
    policy: EncodePolicy,
    level: Level,
    codec: AnyEncoder,
    state: EncodeState,
    phase: Phase,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Phase {
    /// Nothing is encoded yet.
    Start,
    /// Encoding.
    Text,
    /// The text has ended; the next call begins a new one.
    Finished,
    /// An error has ended the text.
    Failed(char),
}

/// What a call of the fixed-buffer level did.
///
/// ```
/// use textcodec::{EncodeStatus, GBK};
///
/// let mut buffer = [0; 3];
/// let progress = GBK.encoder()?.encode_from_utf8("你好", &mut buffer, true);
/// // The second character has no room, and is left unread.
/// assert_eq!((progress.read, progress.written, progress.status), (3, 2, EncodeStatus::OutputFull));
/// # Ok::<(), textcodec::EncodeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "the call may have stopped before the end of its input"]
pub struct EncodeProgress {
    /// How much of the chunk is read: bytes of UTF-8, or code units of UTF-16.
    pub read: usize,
    /// How many bytes are written to the destination.
    pub written: usize,
    /// Why the call ended.
    pub status: EncodeStatus,
}

/// Why a call of the fixed-buffer level ended.
///
/// ```
/// use textcodec::{EncodeStatus, Unmappable, WINDOWS_1252};
///
/// let (text, mut buffer) = ("a字b", [0; 8]);
/// let mut encoder = WINDOWS_1252.encoder_with(Unmappable::Report)?;
/// let progress = encoder.encode_from_utf8(text, &mut buffer, true);
/// assert!(matches!(progress.status, EncodeStatus::Unmappable(error) if error.character() == Some('字')));
/// assert_eq!(encoder.encode_from_utf8(&text[progress.read..], &mut buffer, true).status, EncodeStatus::InputEmpty);
/// # Ok::<(), textcodec::EncodeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EncodeStatus {
    /// All of the chunk is read, and all of its bytes are written, half a surrogate pair aside. With `last`, the text
    /// is done.
    InputEmpty,
    /// The next bytes have no room. Call again with the rest of the chunk and the same `last`. The rest may be empty: bytes that
    /// cannot be left to the next call, such as an escape sequence of ISO-2022-JP, wait in the encoder.
    OutputFull,
    /// An unmappable character: with [`Unmappable::Fail`], [`Unmappable::Report`], and [`Unmappable::Replace`] where
    /// its character is unmappable too. Nothing is written for it; with `Fail`, ISO-2022-JP goes back to ASCII before
    /// it.
    Unmappable(EncodeError),
}

/// What a whole text was like.
///
/// ```
/// use textcodec::{KOI8_R, Unmappable};
///
/// let mut bytes = Vec::new();
/// let mut encoder = KOI8_R.encoder_with(Unmappable::Skip)?;
/// encoder.push("да 字", &mut bytes)?;
/// let summary = encoder.finish(&mut bytes)?;
/// assert_eq!((summary.errors.count(), summary.unpaired_surrogates), (1, 0));
/// # Ok::<(), textcodec::EncodeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodeSummary {
    /// The characters that the encoding cannot represent and that were replaced or skipped.
    pub errors: Errors<EncodeError>,
    /// How many surrogates of the text had no other half; each was taken for U+FFFD.
    pub unpaired_surrogates: u64,
}

impl Encoder {
    pub(crate) fn new(encoding: Encoding, unmappable: Unmappable) -> Result<Self, EncodeError> {
        match AnyEncoder::new(encoding) {
            Some(codec) => Ok(Self::with(encoding, unmappable, codec)),
            None if encoding == REPLACEMENT => Err(EncodeError::NoEncoder { encoding }),
            None => Err(EncodeError::Unavailable { encoding }),
        }
    }

    /// An encoder for *encode or fail*.
    pub(crate) fn for_hooks(encoding: Encoding) -> Result<Self, EncodeError> {
        let mut encoder = Self::new(encoding, Unmappable::Report)?;
        encoder.policy.for_hooks = true;
        Ok(encoder)
    }

    /// An encoder that always is there.
    #[cfg(feature = "alloc")]
    pub(crate) fn utf_8() -> Self {
        Self::with(crate::UTF_8, Unmappable::Fail, AnyEncoder::Utf8(crate::codec::utf_8::Encoder))
    }

    fn with(encoding: Encoding, unmappable: Unmappable, codec: AnyEncoder) -> Self {
        let (policy, level, state) = (EncodePolicy::new(unmappable), Level::best(), EncodeState::default());
        Self { encoding, policy, level, codec, state, phase: Phase::Start }
    }

    /// The encoding.
    ///
    /// ```
    /// use textcodec::UTF_16LE;
    ///
    /// assert_eq!(UTF_16LE.encoder()?.encoding(), UTF_16LE);
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The unmappable characters so far that were replaced or skipped, also by [`push_with`](Self::push_with).
    ///
    /// ```
    /// use textcodec::{Unmappable, WINDOWS_1252};
    ///
    /// let mut encoder = WINDOWS_1252.encoder_with(Unmappable::Html)?;
    /// encoder.push("a字", &mut Vec::new())?;
    /// assert_eq!(encoder.errors().first().and_then(|error| error.character()), Some('字'));
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    #[must_use]
    pub fn errors(&self) -> &Errors<EncodeError> {
        &self.state.errors
    }

    /// How much of the whole text is read, half a surrogate pair included: where the next chunk begins or, after an error,
    /// where to go on in this one. Bytes of UTF-8 and code units of UTF-16, as they were pushed.
    ///
    /// ```
    /// let mut bytes = Vec::new();
    /// let mut encoder = textcodec::WINDOWS_1252.encoder()?;
    /// encoder.push("é", &mut bytes)?;
    /// assert_eq!(encoder.position(), 2);
    /// encoder.push_utf16(&[0xE9], &mut bytes)?;
    /// assert_eq!(encoder.position(), 3);
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    #[must_use]
    pub fn position(&self) -> u64 {
        self.state.taken
    }

    /// Whether the text may end here as it is: no bytes wait for room, no half of a surrogate pair for the other, and
    /// ISO-2022-JP is in its ASCII state.
    ///
    /// ```
    /// let mut bytes = Vec::new();
    /// let mut encoder = textcodec::ISO_2022_JP.encoder()?;
    /// assert!(encoder.is_at_rest());
    /// encoder.push("日", &mut bytes)?;
    /// assert!(!encoder.is_at_rest());
    /// encoder.push("!", &mut bytes)?;
    /// assert!(encoder.is_at_rest());
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    #[must_use]
    pub fn is_at_rest(&self) -> bool {
        self.state.is_idle() && self.codec.clone().visit(IsAtRest)
    }

    /// Changes how unmappable characters are handled from the next call on.
    ///
    /// Each character is handled by the policy of the call that reads it ([`EncodeProgress::read`], [`position`](Self::position)),
    /// even if its bytes wait in the encoder for a later call. A character that a call leaves unread because it does not fit is
    /// handled by the policy of the next call. A surrogate at the end of a chunk belongs to the call that shows whether it is
    /// unpaired. An error that has ended the text remains its end, until [`reset`](Self::reset).
    ///
    /// ```
    /// use textcodec::{KOI8_R, Unmappable};
    ///
    /// let mut bytes = Vec::new();
    /// let mut encoder = KOI8_R.encoder_with(Unmappable::Skip)?;
    /// encoder.push("a字", &mut bytes)?;
    /// encoder.set_unmappable(Unmappable::Html);
    /// encoder.push("b字", &mut bytes)?;
    /// assert_eq!(bytes, b"ab&#23383;");
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    pub fn set_unmappable(&mut self, unmappable: Unmappable) {
        self.policy.unmappable = unmappable;
    }

    /// Begins a new text, as with a new encoder that does the same about unmappable characters. What is left of the old
    /// one is dropped.
    ///
    /// ```
    /// let mut bytes = Vec::new();
    /// let mut encoder = textcodec::WINDOWS_1252.encoder()?;
    /// assert!(encoder.push("字", &mut bytes).is_err());
    /// encoder.reset();
    /// encoder.push("a", &mut bytes)?;
    /// assert_eq!((bytes.as_slice(), encoder.position()), (&b"a"[..], 1));
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    pub fn reset(&mut self) {
        if let Some(codec) = AnyEncoder::new(self.encoding) {
            (self.codec, self.state, self.phase) = (codec, EncodeState::default(), Phase::Start);
        }
    }

    /// Encodes a chunk of UTF-8. `last` says that the text ends with it.
    ///
    /// Any room for at least one byte gets on. The bytes of a character, or of what stands for it, are split over two destinations
    /// only where the first one has no room for them from its start. One of
    /// [`max_len_from_utf8`](Self::max_len_from_utf8) bytes takes the whole chunk. No allocation, no panic. The room behind what
    /// is written is scratch: its bytes may change.
    ///
    /// After a call with `last` that ended with [`EncodeStatus::InputEmpty`], the next one begins a new text.
    ///
    /// ```
    /// use textcodec::{EUC_KR, EncodeStatus};
    ///
    /// let mut buffer = [0; 8];
    /// let progress = EUC_KR.encoder()?.encode_from_utf8("한글!", &mut buffer, true);
    /// assert_eq!((progress.read, progress.written, progress.status), (7, 5, EncodeStatus::InputEmpty));
    /// assert_eq!(&buffer[..5], b"\xC7\xD1\xB1\xDB!");
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    pub fn encode_from_utf8(&mut self, src: &str, dst: &mut [u8], last: bool) -> EncodeProgress {
        self.encode(src, &mut Out::new(dst), last)
    }

    /// [`encode_from_utf8`](Self::encode_from_utf8) into memory that need not be initialised; the first
    /// [`written`](EncodeProgress::written) bytes are, afterwards.
    ///
    /// ```
    /// # use core::mem::MaybeUninit;
    /// let mut buffer = [const { MaybeUninit::uninit() }; 64];
    /// let progress = textcodec::KOI8_R.encoder()?.encode_from_utf8_uninit("аб", &mut buffer, true);
    /// assert_eq!(progress.written, 2);
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    pub fn encode_from_utf8_uninit(&mut self, src: &str, dst: &mut [MaybeUninit<u8>], last: bool) -> EncodeProgress {
        self.encode(src, &mut Out::uninit(dst), last)
    }

    /// Encodes a chunk of UTF-16 in the machine's byte order, which need not be well-formed; see
    /// [`encode_from_utf8`](Self::encode_from_utf8).
    ///
    /// ```
    /// let mut buffer = [0; 8];
    /// let progress = textcodec::GB18030.encoder()?.encode_from_utf16(&[0xD83D, 0xDE00], &mut buffer, true);
    /// assert_eq!(&buffer[..progress.written], b"\x94\x39\xFC\x36");
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    pub fn encode_from_utf16(&mut self, src: &[u16], dst: &mut [u8], last: bool) -> EncodeProgress {
        self.encode(src, &mut Out::new(dst), last)
    }

    /// [`encode_from_utf16`](Self::encode_from_utf16) into memory that need not be initialised; the first
    /// [`written`](EncodeProgress::written) bytes are, afterwards.
    ///
    /// ```
    /// # use core::mem::MaybeUninit;
    /// let mut buffer = [const { MaybeUninit::uninit() }; 64];
    /// let progress = textcodec::GBK.encoder()?.encode_from_utf16_uninit(&[0x4F60], &mut buffer, true);
    /// assert_eq!(progress.written, 2);
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    pub fn encode_from_utf16_uninit(&mut self, src: &[u16], dst: &mut [MaybeUninit<u8>], last: bool) -> EncodeProgress {
        self.encode(src, &mut Out::uninit(dst), last)
    }

    pub(crate) fn encode<S: Source + ?Sized>(&mut self, src: &S, out: &mut Out<'_, u8>, last: bool) -> EncodeProgress {
        let (read, stop) = self.run(src, out, last, self.policy);
        let status = match stop {
            Stop::InputEmpty => EncodeStatus::InputEmpty,
            Stop::OutputFull => EncodeStatus::OutputFull,
            Stop::Error(code_point) => EncodeStatus::Unmappable(self.state.error(self.encoding, code_point)),
        };
        EncodeProgress { read, written: out.filled(), status }
    }

    fn run<S: Source + ?Sized>(
        &mut self,
        src: &S,
        out: &mut Out<'_, u8>,
        last: bool,
        policy: EncodePolicy,
    ) -> (usize, Stop<char>) {
        match &self.phase {
            Phase::Text => {}
            Phase::Start => self.phase = Phase::Text,
            // Every encoder ends in the state that it begins in.
            Phase::Finished => {
                self.state.restart();
                self.phase = Phase::Text;
            }
            &Phase::Failed(code_point) => return (0, Stop::Error(code_point)),
        }
        if self.encoding.is_ascii_compatible() && self.state.is_idle() && src.short_ascii(out) {
            testing::count_bulk(src.units());
            self.state.taken += src.units() as u64;
            if last {
                self.phase = Phase::Finished;
            }
            return (src.units(), Stop::InputEmpty);
        }
        let call = Call { encoding: self.encoding, level: self.level, src, last, policy };
        let (read, stop) = self.codec.visit(EncodeCall { state: &mut self.state, call: &call, out });
        match stop {
            Stop::InputEmpty if last => self.phase = Phase::Finished,
            Stop::Error(code_point) if self.state.error_is_final() => self.phase = Phase::Failed(code_point),
            _ => {}
        }
        (read, stop)
    }

    /// Counts units as read that are the same bytes, at the front of the text.
    #[cfg(feature = "alloc")]
    pub(crate) fn skip(&mut self, units: usize) {
        self.state.taken += units as u64;
    }

    pub(crate) fn unmappable(&self) -> Unmappable {
        self.policy.unmappable
    }

    pub(crate) fn held_len(&self) -> usize {
        self.state.held.len()
    }

    pub(crate) fn is_fresh(&self) -> bool {
        matches!(self.phase, Phase::Start | Phase::Finished)
    }

    #[cfg(feature = "levels")]
    pub(crate) fn set_level(&mut self, level: Level) {
        self.level = level;
    }
}

/// Asks a codec whether the text may end.
struct IsAtRest;

impl EncodeVisitor for IsAtRest {
    type Output = bool;

    fn visit<E: Encode>(self, codec: &mut E) -> bool {
        codec.is_at_rest()
    }
}

#[cfg(feature = "alloc")]
impl Encoder {
    /// Encodes a chunk of UTF-8 and appends the bytes to `out`, as far as they fit without an allocation: the fixed-buffer level
    /// on the spare capacity of a `Vec`. Otherwise as [`encode_from_utf8`](Self::encode_from_utf8).
    ///
    /// ```
    /// use textcodec::{EncodeStatus, GBK};
    ///
    /// let mut bytes = Vec::with_capacity(4);
    /// let progress = GBK.encoder()?.encode_within_capacity("你好", &mut bytes, true);
    /// assert_eq!((progress.status, bytes.as_slice()), (EncodeStatus::InputEmpty, &b"\xC4\xE3\xBA\xC3"[..]));
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    pub fn encode_within_capacity(&mut self, src: &str, out: &mut alloc::vec::Vec<u8>, last: bool) -> EncodeProgress {
        crate::kernel::append(out, 0, |out| self.encode(src, out, last))
    }

    /// Encodes a chunk of UTF-8 and appends the bytes to `out`.
    ///
    /// # Errors
    /// With [`Unmappable::Fail`] and [`Unmappable::Report`], the first unmappable character. The bytes of what comes before
    /// it are in `out`, and [`position`](Self::position) says where to go on: what follows it in this chunk is not read.
    ///
    /// ```
    /// let mut bytes = Vec::new();
    /// let mut encoder = textcodec::ISO_8859_7.encoder()?;
    /// assert!(encoder.push("γλώσσα 字", &mut bytes).is_err());
    /// assert_eq!(bytes, b"\xE3\xEB\xFE\xF3\xF3\xE1 ");
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    pub fn push(&mut self, text: &str, out: &mut alloc::vec::Vec<u8>) -> Result<(), EncodeError> {
        self.grow(text, out, false)
    }

    /// [`push`](Self::push) for UTF-16, which need not be well-formed.
    ///
    /// ```
    /// let mut bytes = Vec::new();
    /// let mut encoder = textcodec::UTF_8.encoder()?;
    /// encoder.push_utf16(&[0xD83D], &mut bytes)?;
    /// encoder.push_utf16(&[0xDE00, 0xD83D], &mut bytes)?;
    /// let summary = encoder.finish(&mut bytes)?;
    /// assert_eq!(bytes, "😀\u{FFFD}".as_bytes());
    /// assert_eq!(summary.unpaired_surrogates, 1);
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    ///
    /// # Errors
    /// As for [`push`](Self::push).
    pub fn push_utf16(&mut self, text: &[u16], out: &mut alloc::vec::Vec<u8>) -> Result<(), EncodeError> {
        self.grow(text, out, false)
    }

    /// Ends the text: appends what is left, such as ISO-2022-JP's way back to ASCII, and says what the whole text was like.
    ///
    /// # Errors
    /// The error that has ended the text before: see [`Unmappable::Fail`]. With it and [`Unmappable::Report`], a
    /// surrogate at the end of the text that has no other half, where the encoding cannot represent U+FFFD. With
    /// `Report` what is left is appended all the same.
    ///
    /// ```
    /// let mut bytes = Vec::new();
    /// let mut encoder = textcodec::ISO_2022_JP.encoder()?;
    /// encoder.push("日", &mut bytes)?;
    /// assert_eq!(bytes, b"\x1B$BF|");
    /// encoder.finish(&mut bytes)?;
    /// assert_eq!(bytes, b"\x1B$BF|\x1B(B");
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    pub fn finish(mut self, out: &mut alloc::vec::Vec<u8>) -> Result<EncodeSummary, EncodeError> {
        let mut first = None;
        while let Some((_, error)) = self.grow_to_stop("", out, true, self.policy) {
            first.get_or_insert(error);
            if let Phase::Failed(_) = self.phase {
                break;
            }
        }
        first.map_or_else(|| Ok(self.into_summary()), Err)
    }

    /// [`push`](Self::push) where a function decides what stands for an unmappable character: it gives a text, which is
    /// encoded in its place, or none, which is an error.
    ///
    /// # Errors
    /// The character for which the function gave none, or a text that is itself unmappable. Nothing is written for it,
    /// and the next call goes on behind it, at [`position`](Self::position), whatever the encoder's own policy. An
    /// error of another call that has ended the text comes again.
    ///
    /// ```
    /// let mut bytes = Vec::new();
    /// let mut encoder = textcodec::ISO_2022_JP.encoder()?;
    /// encoder.push_with("日😀", &mut bytes, |error| Some(format!("<U+{:X}>", u32::from(error.character()?)).into()))?;
    /// encoder.finish(&mut bytes)?;
    /// assert_eq!(bytes, b"\x1B$BF|\x1B(B<U+1F600>");
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    pub fn push_with(
        &mut self,
        text: &str,
        out: &mut alloc::vec::Vec<u8>,
        mut on_unmappable: impl FnMut(&EncodeError) -> Option<alloc::borrow::Cow<'static, str>>,
    ) -> Result<(), EncodeError> {
        if let Phase::Failed(code_point) = self.phase {
            return Err(self.state.error(self.encoding, code_point));
        }
        let policy = EncodePolicy::new(Unmappable::Report);
        let mut read = 0;
        while let Some((more, error)) = self.grow_to_stop(text.rest(read), out, false, policy) {
            read += more;
            let instead = on_unmappable(&error).ok_or_else(|| error.clone())?;
            let (before, len) = (self.clone(), out.len());
            if self.grow_to_stop(&*instead, out, false, policy).is_some() {
                *self = before;
                out.truncate(len);
                return Err(error);
            }
            // The text in its place does not count as part of the whole text.
            self.state.taken = before.state.taken;
            self.state.errors.add(error);
        }
        Ok(())
    }

    pub(crate) fn grow<S: Source + ?Sized>(
        &mut self,
        text: &S,
        out: &mut alloc::vec::Vec<u8>,
        last: bool,
    ) -> Result<(), EncodeError> {
        self.grow_to_stop(text, out, last, self.policy).map_or(Ok(()), |(_, error)| Err(error))
    }

    /// Encodes until all of `text` is read, or up to an error; then the answer says how much is read.
    pub(crate) fn grow_to_stop<S: Source + ?Sized>(
        &mut self,
        text: &S,
        out: &mut alloc::vec::Vec<u8>,
        last: bool,
        policy: EncodePolicy,
    ) -> Option<(usize, EncodeError)> {
        let mut read = 0;
        loop {
            // Room for a byte a unit, and for bytes that wait: right for most text, and more follows.
            let rest = text.rest(read);
            let room = rest.units() + 16;
            let (more, stop) = crate::kernel::append(out, room, |out| self.run(rest, out, last, policy));
            read += more;
            match stop {
                Stop::InputEmpty => return None,
                Stop::OutputFull => {}
                Stop::Error(code_point) => return Some((read, self.state.error(self.encoding, code_point))),
            }
        }
    }

    pub(crate) fn into_summary(self) -> EncodeSummary {
        EncodeSummary { errors: self.state.errors, unpaired_surrogates: self.state.unpaired }
    }
}
