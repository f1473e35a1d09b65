//! [`Encoder`]: converts Unicode to bytes, in chunks.
//!
//! Over 600 lines because each method has documentation with an example.

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, vec::Vec};
use core::fmt;

#[cfg(feature = "alloc")]
use crate::conversion::Encoded;
use crate::{
    codec::{
        any::AnyEncoder,
        drive::{
            Call, EncodePolicy, EncodeState, Phase, Stop, Turn,
            entry::{self, Coder, Start},
        },
        progress::{self, Costs},
        source::Source,
        utf_8,
    },
    conversion::{
        Destination, EncodeError, EncodeOptions, EncodeReason, ErrorTally, Progress, Status, Unmappable, bom,
        destination::Key,
    },
    kernel::{Level, Out},
    names::Encoding,
};

/// A streaming encoder. It converts text, in any number of chunks of UTF-8 or UTF-16, to bytes.
///
/// The bytes, the errors and their offsets do not depend on how the text is split into chunks, or on the size of the
/// destination. UTF-16 may be ill-formed: unpaired surrogates are encoded as U+FFFD and counted, or are errors
/// ([`EncodeOptions::reject_unpaired_surrogates`]). The encoder keeps half a surrogate pair and the state of ISO-2022-JP between
/// calls.
///
/// There are two levels of methods. [`push`](Self::push) and [`finish`](Self::finish) append to a `Vec` that grows.
/// [`encode_from_utf8`](Self::encode_from_utf8) and [`encode_from_utf16`](Self::encode_from_utf16) write to a slice and do
/// not allocate.
///
/// [`Encoding::encoder`] and [`encoder_with`](Encoding::encoder_with) create encoders. If there
/// [is no encoder](Encoding::has_encoder), every call returns [`EncodeReason::NoEncoder`] or [`EncodeReason::Unavailable`].
///
/// ```
/// use textcodec::ISO_2022_JP;
///
/// let mut bytes = Vec::new();
/// let mut encoder = ISO_2022_JP.encoder();
/// encoder.push("日本", &mut bytes)?;
/// encoder.push("語", &mut bytes)?;
/// encoder.finish(&mut bytes)?;
/// assert_eq!(bytes, b"\x1B$BF|K\\8l\x1B(B");
/// # Ok::<(), textcodec::EncodeError>(())
/// ```
#[derive(Clone)]
// In this order for the same reason as the fields of a decoder.
#[repr(C)]
pub struct Encoder {
    pub(crate) state: EncodeState,
    level: Level,
    pub(crate) codec: AnyEncoder,
    policy: EncodePolicy,
    encoding: Encoding,
    /// Whether a byte order mark is written first, if the encoding has one.
    has_bom: bool,
    /// Why there is no codec. `codec` is not used then.
    missing: Option<EncodeReason>,
    pub(crate) phase: Phase<char>,
}

impl Encoder {
    #[cfg_attr(textcodec_small, inline(never))]
    #[cfg_attr(not(textcodec_small), inline(always))]
    pub(crate) fn new(encoding: Encoding, options: EncodeOptions) -> Self {
        let created;
        let codec = match AnyEncoder::constant(encoding) {
            Some(constant) => constant,
            None => {
                created = AnyEncoder::new(encoding);
                &created
            }
        };
        Self::of(encoding, options, codec)
    }

    /// Creates the encoder of a codec.
    #[cfg_attr(not(textcodec_small), inline(always))]
    pub(crate) fn of(encoding: Encoding, options: EncodeOptions, codec: &Result<AnyEncoder, EncodeReason>) -> Self {
        match codec {
            Ok(codec) => Self::with(encoding, options, codec),
            Err(reason) => Self::without_codec(encoding, options, *reason),
        }
    }

    /// Creates an encoder of an encoding that has none, or none in this build. Its text has failed before the first character, so
    /// every call returns the error, and none uses the codec.
    #[cold]
    fn without_codec(encoding: Encoding, options: EncodeOptions, reason: EncodeReason) -> Self {
        let encoder = Self::with(encoding, options.bom(false), &AnyEncoder::Utf8(utf_8::Encoder));
        Self { missing: Some(reason), phase: Phase::Failed('\0'), ..encoder }
    }

    /// Fails if this encoder has no codec. No other error is known before the first call.
    pub(crate) fn check(&self) -> Result<(), EncodeError> {
        self.missing.map_or(Ok(()), |reason| Err(EncodeError::without_position(self.encoding, reason)))
    }

    /// The error of a code point at which the loop has stopped, or of an encoder without a codec.
    fn error(&self, code_point: char) -> EncodeError {
        self.check().err().unwrap_or_else(|| self.state.error(self.encoding, code_point))
    }

    /// Creates an encoder for *encode or fail*.
    #[inline]
    pub(crate) fn for_hooks(encoding: Encoding) -> Result<Self, EncodeError> {
        let mut encoder = Self::new(encoding, Unmappable::Pause.into());
        encoder.check()?;
        encoder.policy.for_hooks = true;
        Ok(encoder)
    }

    #[cfg_attr(not(textcodec_small), inline(always))]
    fn with(encoding: Encoding, options: EncodeOptions, codec: &AnyEncoder) -> Self {
        let (unmappable, reject_unpaired) = (applied(options.unmappable, codec), options.reject_unpaired);
        let policy = EncodePolicy { unmappable, reject_unpaired, for_hooks: false };
        let (level, state) = (Level::best(), EncodeState::START);
        let has_bom = options.bom || encoding.has_header();
        Self { encoding, policy, has_bom, level, codec: *codec, missing: None, state, phase: Phase::Start }
    }

    /// Returns the encoding.
    ///
    /// ```
    /// use textcodec::UTF_16LE;
    ///
    /// assert_eq!(UTF_16LE.encoder().encoding(), UTF_16LE);
    /// ```
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Returns the unmappable characters and [rejected surrogates](EncodeOptions::reject_unpaired_surrogates) so far that were
    /// replaced or skipped, including those replaced by [`push_with`](Self::push_with).
    ///
    /// ```
    /// use textcodec::{Unmappable, WINDOWS_1252};
    ///
    /// let mut encoder = WINDOWS_1252.encoder_with(Unmappable::Html);
    /// encoder.push("a字", &mut Vec::new())?;
    /// assert_eq!(encoder.errors().first().and_then(|error| error.character()), Some('字'));
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    #[must_use]
    pub fn errors(&self) -> &ErrorTally<EncodeError> {
        &self.state.errors
    }

    /// Returns the number of units read since the start of the text, including half a surrogate pair.
    ///
    /// This is the offset at which the next chunk starts or, after an error, at which to continue in the same chunk. Units are
    /// bytes for chunks of UTF-8 and code units for chunks of UTF-16.
    ///
    /// ```
    /// let mut bytes = Vec::new();
    /// let mut encoder = textcodec::WINDOWS_1252.encoder();
    /// encoder.push("é", &mut bytes)?;
    /// assert_eq!(encoder.position(), 2);
    /// encoder.push_utf16(&[0xE9], &mut bytes)?;
    /// assert_eq!(encoder.position(), 3);
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    #[must_use]
    pub fn position(&self) -> u64 {
        self.state.progress.position
    }

    /// Returns whether more bytes are needed to end the text here.
    ///
    /// The following states are pending:
    /// * The byte order mark of [`EncodeOptions::bom`] is not written yet.
    /// * A chunk of UTF-16 ended with a high surrogate.
    /// * Bytes did not fit into the destination.
    /// * ISO-2022-JP is in a state other than ASCII.
    ///
    /// ```
    /// let mut bytes = Vec::new();
    /// let mut encoder = textcodec::ISO_2022_JP.encoder();
    /// assert!(!encoder.has_pending_state());
    /// encoder.push("日", &mut bytes)?;
    /// assert!(encoder.has_pending_state());
    /// encoder.push("!", &mut bytes)?;
    /// assert!(!encoder.has_pending_state());
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    #[must_use]
    pub fn has_pending_state(&self) -> bool {
        let is_bom_pending = matches!(self.phase, Phase::Start) && self.bom_len() > 0;
        is_bom_pending || !self.state.is_idle() || !self.codec.is_initial_state()
    }

    /// Changes how unmappable characters are handled from the next call on.
    ///
    /// The setting of the call that reads a character applies to it ([`Progress::read`], [`position`](Self::position)).
    /// It still applies if a later call writes the bytes because they do not fit. A character that is not read because it does
    /// not fit belongs to the next call. A high surrogate at the end of a chunk belongs to the call that determines whether it
    /// is unpaired. If an error has ended the text, further calls still return it, until [`reset`](Self::reset).
    ///
    /// ```
    /// use textcodec::{KOI8_R, Unmappable};
    ///
    /// let mut bytes = Vec::new();
    /// let mut encoder = KOI8_R.encoder_with(Unmappable::Skip);
    /// encoder.push("a字", &mut bytes)?;
    /// encoder.set_unmappable(Unmappable::Html);
    /// encoder.push("b字", &mut bytes)?;
    /// assert_eq!(bytes, b"ab&#23383;");
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    pub fn set_unmappable(&mut self, unmappable: Unmappable) {
        self.policy.unmappable = applied(unmappable, &self.codec);
    }

    /// Discards the state and starts a new text, with the same options.
    ///
    /// ```
    /// let mut bytes = Vec::new();
    /// let mut encoder = textcodec::WINDOWS_1252.encoder();
    /// assert!(encoder.push("字", &mut bytes).is_err());
    /// encoder.reset();
    /// encoder.push("a", &mut bytes)?;
    /// assert_eq!((bytes.as_slice(), encoder.position()), (&b"a"[..], 1));
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    pub fn reset(&mut self) {
        if self.missing.is_some() {
            return;
        }
        self.codec.reset(self.encoding);
        (self.state, self.phase) = (EncodeState::START, Phase::Start);
    }

    /// Encodes a chunk of UTF-8. `last` means that the text ends with this chunk.
    ///
    /// Any non-empty destination makes progress, except with an encoder from
    /// [`get_an_encoder`](crate::hooks::get_an_encoder), which never splits the bytes of a character. Other encoders split the
    /// bytes of a character or its replacement only if the whole destination is too small for them. A destination of
    /// [`max_len_from_utf8`](Self::max_len_from_utf8) bytes is large enough for the whole chunk. The rest of the destination is
    /// scratch space: its contents may change. This method never allocates or panics.
    ///
    /// After a call with `last` that returned [`Status::InputEmpty`], the next call starts a new text.
    ///
    /// ```
    /// use textcodec::{EUC_KR, Status};
    ///
    /// let mut buffer = [0; 8];
    /// let progress = EUC_KR.encoder().encode_from_utf8("한글!", &mut buffer, true);
    /// assert_eq!((progress.read, progress.written, progress.status), (7, 5, Status::InputEmpty));
    /// assert_eq!(&buffer[..5], b"\xC7\xD1\xB1\xDB!");
    /// ```
    pub fn encode_from_utf8<D: Destination<u8> + ?Sized>(
        &mut self,
        src: &str,
        dst: &mut D,
        last: bool,
    ) -> Progress<EncodeError> {
        self.encode_utf8(src, &mut dst.cursor(Key), last)
    }

    /// Encodes a chunk of UTF-16 in native byte order, which may be ill-formed: unpaired surrogates are encoded as U+FFFD, unless
    /// [`EncodeOptions::reject_unpaired_surrogates`] makes them errors. See [`encode_from_utf8`](Self::encode_from_utf8).
    ///
    /// ```
    /// let mut buffer = [0; 8];
    /// let progress = textcodec::GB18030.encoder().encode_from_utf16(&[0xD83D, 0xDE00], &mut buffer, true);
    /// assert_eq!(&buffer[..progress.written], b"\x94\x39\xFC\x36");
    /// ```
    pub fn encode_from_utf16<D: Destination<u8> + ?Sized>(
        &mut self,
        src: &[u16],
        dst: &mut D,
        last: bool,
    ) -> Progress<EncodeError> {
        self.encode(src, &mut dst.cursor(Key), last)
    }

    /// Compiled here, for the destinations of all callers.
    fn encode_utf8(&mut self, src: &str, out: &mut Out<'_, u8>, last: bool) -> Progress<EncodeError> {
        self.encode(src, out, last)
    }

    pub(crate) fn encode<S: Source + ?Sized>(
        &mut self,
        src: &S,
        out: &mut Out<'_, u8>,
        last: bool,
    ) -> Progress<EncodeError> {
        let (read, stop) = entry::convert(self, src, last, out);
        let status = match stop {
            Stop::InputEmpty => Status::InputEmpty,
            Stop::OutputFull => Status::OutputFull,
            Stop::Error(code_point) => Status::Error(self.error(code_point)),
        };
        Progress { read, written: out.filled(), status }
    }

    /// Calls `act` with another policy.
    #[cfg(feature = "alloc")]
    pub(crate) fn with_policy<R>(&mut self, policy: EncodePolicy, act: impl FnOnce(&mut Self) -> R) -> R {
        let own = core::mem::replace(&mut self.policy, policy);
        let result = act(self);
        self.policy = own;
        result
    }

    /// Counts `units` units of the text as read.
    #[cfg(feature = "alloc")]
    pub(crate) fn skip(&mut self, units: usize) {
        self.state.progress.position += units as u64;
    }

    pub(crate) fn policy(&self) -> EncodePolicy {
        self.policy
    }

    pub(crate) fn held_len(&self) -> usize {
        self.state.held.len()
    }

    pub(crate) fn bom_len(&self) -> usize {
        if self.has_bom { bom::mark(self.encoding).len() } else { 0 }
    }

    /// Holds the byte order mark, for the start of a text.
    #[inline]
    fn hold_bom(&mut self) {
        if self.has_bom {
            self.state.held.hold(bom::mark(self.encoding));
        }
    }

    pub(crate) fn is_fresh(&self) -> bool {
        matches!(self.phase, Phase::Start | Phase::Finished)
    }

    #[cfg(all(feature = "__levels", feature = "std"))]
    pub(crate) fn set_level(&mut self, level: Level) {
        self.level = level;
    }
}

impl<S: Source + ?Sized> Coder<S, u8> for Encoder {
    type Reason = char;

    #[inline]
    fn set_phase(&mut self, phase: Phase<char>) {
        self.phase = phase;
    }

    #[inline]
    fn progress(&self) -> &progress::Progress {
        &self.state.progress
    }

    #[inline]
    fn progress_mut(&mut self) -> &mut progress::Progress {
        &mut self.state.progress
    }

    #[inline]
    fn is_ready(&self, _: &S) -> bool {
        match self.phase {
            // Nothing else is pending before the text starts.
            Phase::Start => !self.has_bom,
            Phase::Text => self.state.progress.is_ready,
            Phase::Finished | Phase::Failed(_) => false,
        }
    }

    #[inline]
    fn start(&self, src: &S) -> Start {
        if self.encoding.is_ascii_compatible() {
            return if src.starts_with_ascii() { Start::Ascii } else { Start::Other };
        }
        match self.codec {
            AnyEncoder::Utf16(_) if src.may_be_short_utf16() => Start::Utf16,
            _ => Start::Other,
        }
    }

    #[inline]
    fn has_faster_ascii(&self) -> bool {
        // The kernels of UTF-8 are as fast for ASCII.
        self.encoding != crate::UTF_8
    }

    #[inline]
    fn short_ascii(src: &S, out: &mut Out<'_, u8>) -> bool {
        src.short_ascii(out)
    }

    #[inline]
    fn short_utf16(&self, src: &S, out: &mut Out<'_, u8>) -> bool {
        matches!(&self.codec, AnyEncoder::Utf16(codec) if src.short_utf16(codec.order(), out))
    }

    #[inline]
    fn ascii(&self, src: &S, out: &mut Out<'_, u8>) -> usize {
        src.ascii(self.level.kernels(), out)
    }

    #[inline]
    fn kernel(&mut self, src: &S, last: bool, out: &mut Out<'_, u8>) -> (usize, bool) {
        self.codec.bulk(self.level.kernels(), src, last, out)
    }

    fn costs(&self) -> Costs {
        self.codec.costs()
    }

    #[inline(never)]
    fn steps(&mut self, src: &S, last: bool, turn: Turn, out: &mut Out<'_, u8>) -> (usize, Stop<char>) {
        match self.phase {
            Phase::Text => {}
            Phase::Start | Phase::Finished => {
                // Every codec is in its initial state at the end of the input.
                if let Phase::Finished = self.phase {
                    self.state.restart();
                }
                self.hold_bom();
                self.phase = Phase::Text;
            }
            Phase::Failed(code_point) => return (0, Stop::Error(code_point)),
        }
        let call = Call { encoding: self.encoding, level: self.level, src, last, turn, policy: self.policy };
        let (read, stop) = self.codec.encode(&mut self.state, &call, out);
        match stop {
            Stop::InputEmpty if last => self.phase = Phase::Finished,
            Stop::Error(code_point) if self.state.error_is_final() => self.phase = Phase::Failed(code_point),
            _ => {}
        }
        (read, stop)
    }
}

impl fmt::Debug for Encoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoder")
            .field("encoding", &self.encoding)
            .field("unmappable", &self.policy.unmappable)
            .field("position", &self.state.progress.position)
            .field("errors", &self.state.errors)
            .finish_non_exhaustive()
    }
}

/// Returns the policy that the loop applies. Where a table lacks a character of references, `Html` is `Replace` by that character: the
/// first unmappable character fails.
#[inline]
fn applied(unmappable: Unmappable, codec: &AnyEncoder) -> Unmappable {
    #[cfg(feature = "oem")]
    if let (Unmappable::Html, AnyEncoder::Permuted(_)) = (unmappable, codec) {
        let lacks = |character: &char| !codec.clone().can_encode(*character);
        return "&#0123456789;".chars().find(lacks).map_or(Unmappable::Html, Unmappable::Replace);
    }
    let _ = codec;
    unmappable
}

#[cfg(feature = "alloc")]
impl Encoder {
    /// Encodes a chunk of UTF-8 and appends the bytes to `out`, as far as they fit into its spare capacity. Never allocates.
    /// Otherwise like [`encode_from_utf8`](Self::encode_from_utf8).
    ///
    /// ```
    /// use textcodec::{Status, GBK};
    ///
    /// let mut bytes = Vec::with_capacity(4);
    /// let progress = GBK.encoder().encode_within_capacity("你好", &mut bytes, true);
    /// assert_eq!((progress.status, bytes.as_slice()), (Status::InputEmpty, &b"\xC4\xE3\xBA\xC3"[..]));
    /// ```
    pub fn encode_within_capacity(&mut self, src: &str, out: &mut Vec<u8>, last: bool) -> Progress<EncodeError> {
        crate::kernel::append(out, |out| self.encode(src, out, last))
    }

    /// Encodes a chunk of UTF-8 and appends the bytes to `out`.
    ///
    /// # Errors
    /// Returns the first unmappable character, with [`Unmappable::Fail`] and [`Unmappable::Pause`]. The bytes of the text before
    /// it are appended to `out`. The chunk from [`position`](Self::position) on is not read; with `Pause`, continue there.
    ///
    /// Returns [`EncodeReason::OutOfMemory`] if `out` cannot grow, with any setting. The same holds, and the encoder can continue.
    ///
    /// ```
    /// let mut bytes = Vec::new();
    /// let mut encoder = textcodec::ISO_8859_7.encoder();
    /// assert!(encoder.push("γλώσσα 字", &mut bytes).is_err());
    /// assert_eq!(bytes, b"\xE3\xEB\xFE\xF3\xF3\xE1 ");
    /// ```
    #[doc(alias("encode_from_utf8_to_vec"))]
    pub fn push(&mut self, text: &str, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        self.push_chunk(text, out, false)
    }

    /// Encodes a chunk of UTF-16 in native byte order, which may be ill-formed, and appends the bytes to `out`. Unpaired
    /// surrogates are encoded as U+FFFD, unless [`EncodeOptions::reject_unpaired_surrogates`] makes them errors.
    ///
    /// # Errors
    /// The same as for [`push`](Self::push). Also returns an unpaired surrogate that is an error.
    ///
    /// ```
    /// let mut bytes = Vec::new();
    /// let mut encoder = textcodec::UTF_8.encoder();
    /// encoder.push_utf16(&[0xD83D], &mut bytes)?;
    /// encoder.push_utf16(&[0xDE00, 0xD83D], &mut bytes)?;
    /// let summary = encoder.finish(&mut bytes)?;
    /// assert_eq!(bytes, "😀\u{FFFD}".as_bytes());
    /// assert_eq!(summary.unpaired_surrogates, 1);
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    #[inline]
    pub fn push_utf16(&mut self, text: &[u16], out: &mut Vec<u8>) -> Result<(), EncodeError> {
        self.push_chunk(text, out, false)
    }

    /// Ends the text, and returns a summary. Appends the remaining bytes, such as the escape sequence with which ISO-2022-JP
    /// returns to ASCII.
    ///
    /// # Errors
    /// Returns the error that has already ended the text, with [`Unmappable::Fail`]. Returns an unpaired surrogate at the end
    /// of the text if U+FFFD is unmappable or the options reject it, with [`Unmappable::Fail`] and [`Unmappable::Pause`]. With
    /// `Pause`, the remaining bytes are still appended. Returns [`EncodeReason::OutOfMemory`] if `out` cannot grow.
    ///
    /// ```
    /// let mut bytes = Vec::new();
    /// let mut encoder = textcodec::ISO_2022_JP.encoder();
    /// encoder.push("日", &mut bytes)?;
    /// assert_eq!(bytes, b"\x1B$BF|");
    /// encoder.finish(&mut bytes)?;
    /// assert_eq!(bytes, b"\x1B$BF|\x1B(B");
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    pub fn finish(mut self, out: &mut Vec<u8>) -> Result<Encoded<()>, EncodeError> {
        let mut first = None;
        while let Some((_, error)) = self.push_until_error("", out, true) {
            let is_last = error.reason() == EncodeReason::OutOfMemory || matches!(self.phase, Phase::Failed(_));
            first.get_or_insert(error);
            if is_last {
                break;
            }
        }
        first.map_or_else(|| Ok(self.into_summary()), Err)
    }

    /// Encodes a chunk like [`push`](Self::push), and calls `on_error` for each unmappable character, in order. The function
    /// returns a replacement, which is encoded instead of the character, or `None` to stop there.
    ///
    /// # Errors
    /// Returns the character for which the function returned `None`, or a replacement that is unmappable itself. Nothing is
    /// written for it. The next call continues after it, at [`position`](Self::position), for any setting of the encoder. If an
    /// error of another call has ended the text, returns that error. Returns [`EncodeReason::OutOfMemory`] if `out` cannot
    /// grow; a replacement that does not fit is not appended.
    ///
    /// ```
    /// let mut bytes = Vec::new();
    /// let mut encoder = textcodec::ISO_2022_JP.encoder();
    /// encoder.push_with("日😀", &mut bytes, |error| Some(format!("<U+{:X}>", u32::from(error.character()?)).into()))?;
    /// encoder.finish(&mut bytes)?;
    /// assert_eq!(bytes, b"\x1B$BF|\x1B(B<U+1F600>");
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    pub fn push_with(
        &mut self,
        text: &str,
        out: &mut Vec<u8>,
        on_error: impl FnMut(&EncodeError) -> Option<Cow<'static, str>>,
    ) -> Result<(), EncodeError> {
        self.push_chunk_with(text, out, false, on_error)
    }

    /// Encodes a chunk of UTF-16 like [`push_with`](Self::push_with). It may be ill-formed, and an unpaired surrogate is
    /// encoded as U+FFFD: `on_error` is called for it if U+FFFD is unmappable, or if
    /// [`EncodeOptions::reject_unpaired_surrogates`] is set.
    ///
    /// # Errors
    /// The same as for [`push_with`](Self::push_with).
    ///
    /// ```
    /// let mut bytes = Vec::new();
    /// let mut encoder = textcodec::KOI8_R.encoder();
    /// encoder.push_utf16_with(&[0x434, 0x5B57, 0xDC00], &mut bytes, |_| Some("?".into()))?;
    /// assert_eq!(bytes, b"\xC4??");
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    pub fn push_utf16_with(
        &mut self,
        text: &[u16],
        out: &mut Vec<u8>,
        on_error: impl FnMut(&EncodeError) -> Option<Cow<'static, str>>,
    ) -> Result<(), EncodeError> {
        self.push_chunk_with(text, out, false, on_error)
    }

    /// Ends the text like [`finish`](Self::finish), and calls `on_error` like [`push_with`](Self::push_with) for an unpaired
    /// surrogate at the end if U+FFFD is unmappable or the options reject it.
    ///
    /// # Errors
    /// The same as for [`push_with`](Self::push_with). The remaining bytes are still appended.
    ///
    /// ```
    /// let mut bytes = Vec::new();
    /// let mut encoder = textcodec::KOI8_R.encoder();
    /// encoder.push_utf16(&[0x434, 0xD83D], &mut bytes)?;
    /// let summary = encoder.finish_with(&mut bytes, |_| Some("?".into()))?;
    /// assert_eq!((bytes, summary.errors.count()), (b"\xC4?".to_vec(), 1));
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    pub fn finish_with(
        mut self,
        out: &mut Vec<u8>,
        mut on_error: impl FnMut(&EncodeError) -> Option<Cow<'static, str>>,
    ) -> Result<Encoded<()>, EncodeError> {
        let mut first = None;
        while let Err(error) = self.push_chunk_with("", out, true, &mut on_error) {
            let is_last = error.reason() == EncodeReason::OutOfMemory || matches!(self.phase, Phase::Failed(_));
            first.get_or_insert(error);
            if is_last {
                break;
            }
        }
        first.map_or_else(|| Ok(self.into_summary()), Err)
    }

    fn push_chunk_with<S: Source + ?Sized>(
        &mut self,
        text: &S,
        out: &mut Vec<u8>,
        last: bool,
        mut on_error: impl FnMut(&EncodeError) -> Option<Cow<'static, str>>,
    ) -> Result<(), EncodeError> {
        if let Phase::Failed(code_point) = self.phase {
            return Err(self.error(code_point));
        }
        let policy = EncodePolicy { unmappable: Unmappable::Pause, for_hooks: false, ..self.policy };
        let mut read = 0;
        let push = |encoder: &mut Self, text: &S, out: &mut Vec<u8>| {
            encoder.with_policy(policy, |encoder| encoder.push_until_error(text, out, last))
        };
        while let Some((more, error)) = push(self, text.rest(read), out) {
            read += more;
            if error.reason() == EncodeReason::OutOfMemory {
                return Err(error);
            }
            let replacement = on_error(&error).ok_or_else(|| error.clone())?;
            let (before, len) = (self.clone(), out.len());
            let failed = self.with_policy(policy, |encoder| encoder.push_until_error(&*replacement, out, false));
            if let Some((_, second)) = failed {
                *self = before;
                out.truncate(len);
                return Err(if second.reason() == EncodeReason::OutOfMemory { second } else { error });
            }
            // The replacement does not count as a part of the text.
            self.state.progress.position = before.state.progress.position;
            self.state.errors.add(error);
        }
        Ok(())
    }

    pub(crate) fn push_chunk<S: Source + ?Sized>(
        &mut self,
        text: &S,
        out: &mut Vec<u8>,
        last: bool,
    ) -> Result<(), EncodeError> {
        self.push_until_error(text, out, last).map_or(Ok(()), |(_, error)| Err(error))
    }

    /// Encodes until all of `text` is read, or up to an error. Returns the error and the number of units read.
    pub(crate) fn push_until_error<S: Source + ?Sized>(
        &mut self,
        text: &S,
        out: &mut Vec<u8>,
        last: bool,
    ) -> Option<(usize, EncodeError)> {
        let mut read = 0;
        loop {
            // One byte per unit, and some for held bytes: enough for most text. The next round reserves more if not.
            let rest = text.rest(read);
            let additional = rest.units() + 16;
            if out.try_reserve(additional).is_err() {
                return Some((read, EncodeError::out_of_memory(self.encoding)));
            }
            let (more, stop) = crate::kernel::append(out, |out| entry::convert(self, rest, last, out));
            read += more;
            match stop {
                Stop::InputEmpty => return None,
                Stop::OutputFull => {}
                Stop::Error(code_point) => return Some((read, self.error(code_point))),
            }
        }
    }

    pub(crate) fn into_summary(self) -> Encoded<()> {
        Encoded { bytes: (), errors: self.state.errors, unpaired_surrogates: self.state.unpaired }
    }
}
