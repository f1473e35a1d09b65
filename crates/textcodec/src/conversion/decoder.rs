//! [`Decoder`]: converts bytes to Unicode, in chunks. Over 800 lines because each method has documentation with an example.

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, vec::Vec};
use core::fmt;

use crate::{
    codec::{
        Replay,
        any::AnyDecoder,
        drive::{
            Call, DecodeState, Phase, Stop, Turn,
            entry::{self, Coder, Start},
        },
        feature::Missing,
        progress::{self, Costs},
        sink::Unit,
        source::Text as _,
    },
    conversion::{
        Bom, DecodeError, DecodeOptions, DecodeReason, Destination, ErrorTally, Malformed, Progress, Status,
        bom::{self, Mark, Verdict},
        destination::Key,
    },
    kernel::{Level, Out, write_to_str},
    names::Encoding,
};
#[cfg(feature = "alloc")]
use crate::{
    conversion::{Decoded, target::Target},
    kernel::append,
};

/// A streaming decoder. It converts an input, in any number of chunks, to UTF-8 or UTF-16.
///
/// The text, the errors and their offsets do not depend on how the input is split into chunks, or on the size of the
/// destination. The decoder keeps incomplete characters and byte order marks between calls.
///
/// There are two levels of methods. [`push`](Self::push) and [`finish`](Self::finish) append to a `String` or `Vec` that grows.
/// [`decode_to_utf8`](Self::decode_to_utf8) and [`decode_to_utf16`](Self::decode_to_utf16) write to a slice and do not
/// allocate.
///
/// [`Encoding::decoder`] and [`decoder_with`](Encoding::decoder_with) create decoders. In a build that
/// [lacks the encoding](Encoding::is_available), every call of a decoder returns [`DecodeReason::Unavailable`].
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
#[derive(Clone)]
#[doc(alias("TextDecoder", "CharsetDecoder", "iconv_open", "MultiByteToWideChar"))]
// In this order, so that a new decoder is stored once: `level` is between two constants. Compilers copy neighbouring constants through the
// stack as one, and the processor stalls when it reads in one part what was just stored in several.
#[repr(C)]
pub struct Decoder {
    pub(crate) state: DecodeState,
    level: Level,
    pub(crate) codec: AnyDecoder,
    pub(crate) requested: Encoding,
    /// The requested encoding, or that of the byte order mark.
    pub(crate) encoding: Encoding,
    pub(crate) options: DecodeOptions,
    pub(crate) phase: Phase<DecodeReason>,
    pub(crate) mark: Mark,
}

impl Decoder {
    #[cfg_attr(not(textcodec_small), inline(always))]
    pub(crate) fn new(encoding: Encoding, options: DecodeOptions) -> Self {
        let created;
        let codec = match AnyDecoder::constant(encoding) {
            Some(constant) => constant,
            None => {
                created = AnyDecoder::new(encoding);
                &created
            }
        };
        let codec = match codec {
            Ok(codec) => codec,
            Err(missing) => return Self::without_codec(encoding, options, *missing),
        };
        let mut decoder = Self::with(encoding, options, codec);
        if options.reject_unassigned && encoding.is_windows_single_byte() {
            decoder.codec.reject_controls();
        }
        decoder
    }

    /// Creates a decoder of an encoding that this build lacks. Its input has failed before the first byte, so every call returns the
    /// error, and none uses the codec.
    #[cold]
    fn without_codec(encoding: Encoding, options: DecodeOptions, missing: Missing) -> Self {
        let phase = Phase::Failed(missing.reason());
        Self { phase, ..Self::with(encoding, options, &AnyDecoder::unicode(crate::UTF_8)) }
    }

    /// Fails if this decoder has no codec. No other error is known before the first call.
    pub(crate) fn check(&self) -> Result<(), DecodeError> {
        match self.phase {
            Phase::Failed(reason @ (DecodeReason::Unavailable | DecodeReason::OutOfMemory)) => {
                Err(self.state.error(self.encoding, reason))
            }
            _ => Ok(()),
        }
    }

    /// Creates a decoder of UTF-8, which every build has.
    #[cfg(feature = "alloc")]
    pub(crate) fn utf_8(options: DecodeOptions) -> Self {
        Self::with(crate::UTF_8, options, &AnyDecoder::unicode(crate::UTF_8))
    }

    #[cfg_attr(not(textcodec_small), inline(always))]
    pub(crate) fn with(encoding: Encoding, options: DecodeOptions, codec: &AnyDecoder) -> Self {
        let (level, state) = (Level::best(), DecodeState::START);
        let options = options.bom(bom::policy(options.bom, encoding));
        let (phase, mark) = (Phase::Start, Mark::START);
        Self { requested: encoding, options, level, encoding, codec: *codec, state, phase, mark }
    }

    /// Reads the byte order mark of a whole input, if there is one. Returns the rest.
    #[cfg(feature = "alloc")]
    pub(crate) fn take_bom<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        self.phase = Phase::Text;
        match self.mark.examine(self.options.bom, self.requested, bytes, true) {
            Verdict::Found(encoding, len) => {
                self.apply_bom(encoding, len);
                &bytes[len..]
            }
            _ => bytes,
        }
    }

    /// Counts `bytes` bytes of the input as read.
    #[cfg(feature = "alloc")]
    pub(crate) fn skip(&mut self, bytes: usize) {
        self.state.progress.position += bytes as u64;
    }

    /// Switches to the encoding of a byte order mark, and counts the last `len` bytes of the mark as read.
    fn apply_bom(&mut self, encoding: Encoding, len: usize) {
        if encoding != self.encoding {
            self.encoding = encoding;
            self.codec = AnyDecoder::unicode(encoding);
        }
        self.state.progress.position += len as u64;
    }

    /// The smallest destination in bytes with which [`decode_to_utf8`](Self::decode_to_utf8) always makes progress: the
    /// length of the longest character.
    ///
    /// ```
    /// use textcodec::{Decoder, UTF_8};
    ///
    /// let mut buffer = [0; Decoder::MIN_UTF8_BUFFER_LEN];
    /// assert_eq!(UTF_8.decoder().decode_to_utf8("😀".as_bytes(), &mut buffer, true).written, 4);
    /// ```
    pub const MIN_UTF8_BUFFER_LEN: usize = 4;
    /// The smallest destination in code units with which [`decode_to_utf16`](Self::decode_to_utf16) always makes progress:
    /// the length of a surrogate pair.
    ///
    /// ```
    /// use textcodec::{Decoder, UTF_8};
    ///
    /// let mut buffer = [0; Decoder::MIN_UTF16_BUFFER_LEN];
    /// assert_eq!(UTF_8.decoder().decode_to_utf16("😀".as_bytes(), &mut buffer, true).written, 2);
    /// ```
    pub const MIN_UTF16_BUFFER_LEN: usize = 2;

    /// Returns the encoding in use: the requested one, or that of the byte order mark after it is read.
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

    /// Returns whether a byte order mark was removed.
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
        self.mark.removed
    }

    /// Returns the malformed sequences so far that were replaced, including those replaced by [`push_with`](Self::push_with).
    ///
    /// ```
    /// let mut decoder = textcodec::UTF_8.decoder();
    /// decoder.push(b"ab\xFF", &mut String::new())?;
    /// assert_eq!(decoder.errors().first().map(|error| error.range()), Some(2..3));
    /// # Ok::<(), textcodec::DecodeError>(())
    /// ```
    #[must_use]
    pub fn errors(&self) -> &ErrorTally<DecodeError> {
        &self.state.errors
    }

    /// Returns the number of bytes read since the start of the input, including those of an incomplete character.
    ///
    /// This is the offset at which the next chunk starts or, after an error, at which to continue in the same chunk. The next
    /// call must continue exactly there. After an error, one or two bytes after its [`range`](DecodeError::range) may have been
    /// read too. The decoder keeps them and decodes them next.
    ///
    /// ```
    /// use textcodec::{Malformed, UTF_8};
    ///
    /// let (bytes, mut text) = (b"a\xFFb", String::new());
    /// let mut decoder = UTF_8.decoder_with(Malformed::Pause);
    /// assert!(decoder.push(bytes, &mut text).is_err());
    /// decoder.push(&bytes[decoder.position() as usize..], &mut text)?;
    /// assert_eq!(text, "ab");
    /// # Ok::<(), textcodec::DecodeError>(())
    /// ```
    #[must_use]
    pub fn position(&self) -> u64 {
        self.state.progress.position
    }

    /// Returns whether the decoder has pending state that affects the following bytes.
    ///
    /// The following states are pending:
    /// * A byte order mark is neither found nor ruled out.
    /// * A character is incomplete, or did not fit into the destination.
    /// * An escape sequence of ISO-2022-JP applies.
    /// * An error has ended the input.
    ///
    /// Otherwise, the following bytes decode as at the start of an input without a byte order mark. [`state`](Self::state) and
    /// [`pending_bytes`](Self::pending_bytes) return what is pending.
    ///
    /// ```
    /// let mut decoder = textcodec::SHIFT_JIS.decoder();
    /// // A byte order mark is still possible.
    /// assert!(decoder.has_pending_state());
    /// decoder.push(b"a", &mut String::new())?;
    /// assert!(!decoder.has_pending_state());
    /// decoder.push(b"\x93", &mut String::new())?;
    /// assert!(decoder.has_pending_state());
    /// decoder.push(b"\xFA", &mut String::new())?;
    /// assert!(!decoder.has_pending_state());
    /// # Ok::<(), textcodec::DecodeError>(())
    /// ```
    #[must_use]
    pub fn has_pending_state(&self) -> bool {
        match self.phase {
            Phase::Start if !self.mark.pending().is_empty() => true,
            // After the end of an input, the next one starts.
            Phase::Start | Phase::Finished => bom::sniff(self.options.bom, self.requested, &[], false) != Verdict::None,
            Phase::Text => !self.state.is_idle() || !self.codec.is_initial_state(),
            Phase::Failed(_) => true,
        }
    }

    /// Changes how malformed bytes are handled from the next call on. Overrides the [options](DecodeOptions::malformed).
    ///
    /// The setting of the call that detects a malformed sequence applies to it, even if an earlier call read its first bytes. A
    /// U+FFFD that did not fit is still written by a later call. If an error has ended the input, further calls still return
    /// it, until [`reset`](Self::reset).
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

    /// Discards the bytes that were read and are not decoded yet, and continues with the following bytes.
    ///
    /// These bytes are a possible byte order mark, an incomplete character or escape sequence, and the bytes after an error
    /// that [`position`](Self::position) includes. The encoding in use, the character set that an escape sequence of
    /// ISO-2022-JP has selected, the position and the errors so far do not change. Characters that are decoded and did not
    /// fit into the destination are still written. If an error has ended the input, this has no effect.
    ///
    /// Use this where bytes are known to be missing, such as after a lost packet: otherwise the following byte would be
    /// decoded together with those before the gap.
    ///
    /// ```
    /// let mut text = String::new();
    /// let mut decoder = textcodec::GBK.decoder();
    /// decoder.push(b"\xC4\xE3\xBA", &mut text)?;
    /// decoder.discard_pending_bytes();
    /// decoder.push(b"\xC4\xE3", &mut text)?;
    /// assert_eq!((text.as_str(), decoder.position()), ("你你", 5));
    /// # Ok::<(), textcodec::DecodeError>(())
    /// ```
    pub fn discard_pending_bytes(&mut self) {
        match self.phase {
            Phase::Start if !self.mark.pending().is_empty() => {
                self.mark.discard();
                self.phase = Phase::Text;
            }
            Phase::Start | Phase::Finished | Phase::Failed(_) => {}
            Phase::Text => {
                self.state.replay = Replay::EMPTY;
                self.codec.discard_sequence(self.encoding);
            }
        }
    }

    /// Discards the state and starts a new input, with the requested encoding and the same options.
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
        // Those of tables have no state and no byte order mark.
        #[cfg(feature = "oem")]
        if self.requested == crate::beyond::custom::CUSTOM {
            *self = Self { level: self.level, ..Self::with(self.requested, self.options, &self.codec) };
            return;
        }
        *self = Self { level: self.level, ..Self::new(self.requested, self.options) };
    }

    /// Decodes a chunk to UTF-8. `last` means that the input ends with this chunk.
    ///
    /// Writes whole characters only, so the output of each call is valid UTF-8. A destination of
    /// [`max_utf8_len`](Self::max_utf8_len) bytes is large enough for the whole chunk. With less than
    /// [`MIN_UTF8_BUFFER_LEN`](Self::MIN_UTF8_BUFFER_LEN) bytes, a call may make no progress. The rest of the destination is scratch space:
    /// its contents may change. This method never allocates or panics.
    ///
    /// After a call with `last` that returned [`Status::InputEmpty`], the next call starts a new input.
    ///
    /// ```
    /// use textcodec::{Status, EUC_KR};
    ///
    /// let mut decoder = EUC_KR.decoder();
    /// let mut buffer = [0; 8];
    /// let progress = decoder.decode_to_utf8(b"\xC7\xD1\xB1\xDB!", &mut buffer, true);
    /// assert_eq!((progress.read, progress.written, progress.status), (5, 7, Status::InputEmpty));
    /// assert_eq!(&buffer[..7], "한글!".as_bytes());
    /// ```
    #[doc(alias("decode_to_utf8_without_replacement"))]
    pub fn decode_to_utf8<D: Destination<u8> + ?Sized>(
        &mut self,
        src: &[u8],
        dst: &mut D,
        last: bool,
    ) -> Progress<DecodeError> {
        self.decode_utf8(src, &mut dst.cursor(Key), last)
    }

    /// Like [`decode_to_utf8`](Self::decode_to_utf8), into a `str`. To keep it valid UTF-8, characters after the written text
    /// may become U+0000.
    ///
    /// ```
    /// let mut text = String::from("........");
    /// let progress = textcodec::KOI8_R.decoder().decode_to_str(b"\xC1\xC2", &mut text, true);
    /// assert_eq!(&text[..progress.written], "аб");
    /// ```
    #[expect(unsafe_code, reason = "decoders write UTF-8 without a second validation")]
    pub fn decode_to_str(&mut self, src: &[u8], dst: &mut str, last: bool) -> Progress<DecodeError> {
        // A limit, so that at most these bytes have to be made valid UTF-8 again.
        let limit = self.max_utf8_len(src.len()).unwrap_or(usize::MAX);
        // SAFETY: a decoder writes whole characters: a `char` (`Unit::put`), a code point of the BMP that is no surrogate
        // (`Form::put_unit`), ASCII, or the output of a kernel, which writes whole characters by its contract.
        unsafe { write_to_str(dst, limit, |out| self.decode(src, out, last)) }
    }

    /// Decodes a chunk to UTF-16 in native byte order. See [`decode_to_utf8`](Self::decode_to_utf8). Surrogate pairs are never
    /// split.
    ///
    /// ```
    /// let mut buffer = [0; 4];
    /// let progress = textcodec::GBK.decoder().decode_to_utf16(b"\xC4\xE3", &mut buffer, true);
    /// assert_eq!(buffer[..progress.written], [0x4F60]);
    /// ```
    #[doc(alias("decode_to_utf16_without_replacement"))]
    pub fn decode_to_utf16<D: Destination<u16> + ?Sized>(
        &mut self,
        src: &[u8],
        dst: &mut D,
        last: bool,
    ) -> Progress<DecodeError> {
        self.decode(src, &mut dst.cursor(Key), last)
    }

    /// Compiled here, for the destinations of all callers.
    fn decode_utf8(&mut self, src: &[u8], out: &mut Out<'_, u8>, last: bool) -> Progress<DecodeError> {
        self.decode(src, out, last)
    }

    pub(crate) fn decode<U: Unit>(&mut self, src: &[u8], out: &mut Out<'_, U>, last: bool) -> Progress<DecodeError> {
        let (read, stop) = entry::convert(self, src, last, out);
        let status = match stop {
            Stop::InputEmpty => Status::InputEmpty,
            Stop::OutputFull => Status::OutputFull,
            Stop::Error(reason) => Status::Error(self.state.error(self.encoding, reason)),
        };
        Progress { read, written: out.filled(), status }
    }

    /// Starts a new input after the end of one. Faster than [`reset`](Self::reset), because no sequence is pending.
    fn restart(&mut self) {
        if self.encoding == self.requested && self.codec.is_stateless() {
            self.state.restart();
            (self.phase, self.mark) = (Phase::Start, Mark::START);
        } else {
            self.reset();
        }
    }

    /// Examines the start of the input for a byte order mark. Returns how many bytes of `src` belong to it. Returns `None` if more
    /// bytes are needed; all of `src` is read then.
    fn examine_mark(&mut self, src: &[u8], last: bool) -> Option<usize> {
        let before = self.mark;
        match self.mark.examine(self.options.bom, self.requested, src, last) {
            Verdict::Undecided => {
                self.state.progress.position += src.len() as u64;
                None
            }
            Verdict::None => {
                self.state.replay.restore(before.pending());
                Some(0)
            }
            Verdict::Found(encoding, len) => {
                let len = len - before.pending().len();
                self.apply_bom(encoding, len);
                Some(len)
            }
        }
    }

    /// Begins a call of the loop: starts a new input after the end of one, and examines its start for a byte order mark. Returns how
    /// many bytes of `src` belong to the mark, or how many were read and why the call is over.
    #[cfg_attr(textcodec_small, inline(never))]
    #[cfg_attr(not(textcodec_small), inline)]
    fn begin(&mut self, src: &[u8], last: bool) -> Result<usize, (usize, Stop<DecodeReason>)> {
        if let Phase::Finished = self.phase {
            self.restart();
        }
        match self.phase {
            Phase::Text => Ok(0),
            Phase::Failed(reason) => Err((0, Stop::Error(reason))),
            Phase::Start | Phase::Finished => self.examine_mark(src, last).ok_or((src.len(), Stop::InputEmpty)),
        }
    }

    /// Calls `act` with another setting for malformed sequences.
    #[cfg(feature = "alloc")]
    fn with_malformed<R>(&mut self, malformed: Malformed, act: impl FnOnce(&mut Self) -> R) -> R {
        let own = core::mem::replace(&mut self.options.malformed, malformed);
        let result = act(self);
        self.options.malformed = own;
        result
    }

    /// Returns the maximum number of bytes that are read but not decoded, and the number of characters that are decoded but not
    /// written.
    pub(crate) fn pending(&self) -> (usize, usize) {
        let incomplete = match self.phase {
            Phase::Start => self.mark.pending().len(),
            Phase::Finished => 0,
            // An incomplete sequence has at most three bytes.
            _ => 3 + self.state.replay.len(),
        };
        (incomplete, self.state.held.len())
    }

    /// Whether an input has ended without an error.
    #[cfg(feature = "std")]
    pub(crate) fn is_finished(&self) -> bool {
        matches!(self.phase, Phase::Finished)
    }

    /// The encoding with which the next call starts.
    pub(crate) fn next_encoding(&self) -> Encoding {
        if let Phase::Finished = self.phase { self.requested } else { self.encoding }
    }

    #[cfg(feature = "std")]
    pub(crate) fn malformed(&self) -> Malformed {
        self.options.malformed
    }

    pub(crate) fn replaces(&self) -> bool {
        self.options.malformed == Malformed::Replace
    }

    pub(crate) fn may_sniff(&self) -> bool {
        self.options.bom == Bom::Sniff && !matches!(self.phase, Phase::Text)
    }

    #[cfg(all(feature = "__levels", feature = "std"))]
    pub(crate) fn set_level(&mut self, level: Level) {
        self.level = level;
    }
}

impl<U: Unit> Coder<[u8], U> for Decoder {
    type Reason = DecodeReason;

    #[inline]
    fn set_phase(&mut self, phase: Phase<DecodeReason>) {
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
    fn is_ready(&self, src: &[u8]) -> bool {
        match self.phase {
            // No state is pending before the text starts.
            Phase::Start => self.mark.pending().is_empty() && bom::rules_out(self.options.bom, src),
            Phase::Text => self.state.progress.is_ready,
            Phase::Finished | Phase::Failed(_) => false,
        }
    }

    #[inline]
    fn start(&self, src: &[u8]) -> Start {
        if self.encoding.is_ascii_compatible() {
            return if src.starts_with_ascii() { Start::Ascii } else { Start::Other };
        }
        match (&self.codec, src.first_chunk()) {
            (AnyDecoder::Utf16(codec), Some(&first)) if U::may_be_short_utf16(codec.order().unit(first)) => {
                Start::Utf16
            }
            _ => Start::Other,
        }
    }

    #[inline]
    fn has_faster_ascii(&self) -> bool {
        // The kernels of UTF-8 are as fast for ASCII.
        self.encoding != crate::UTF_8
    }

    #[inline]
    fn short_ascii(src: &[u8], out: &mut Out<'_, U>) -> bool {
        U::short_ascii(src, out)
    }

    #[inline]
    fn short_utf16(&self, src: &[u8], out: &mut Out<'_, U>) -> bool {
        matches!(&self.codec, AnyDecoder::Utf16(codec) if U::short_utf16(codec.order(), src, out))
    }

    #[inline]
    fn ascii(&self, src: &[u8], out: &mut Out<'_, U>) -> usize {
        U::ascii(self.level.kernels())(src, out)
    }

    #[inline]
    fn kernel(&mut self, src: &[u8], _: bool, out: &mut Out<'_, U>) -> (usize, bool) {
        let read = self.codec.bulk(self.level.kernels(), src, out);
        (read, read == src.len())
    }

    fn costs(&self) -> Costs {
        self.codec.costs()
    }

    #[inline(never)]
    fn steps(&mut self, src: &[u8], last: bool, turn: Turn, out: &mut Out<'_, U>) -> (usize, Stop<DecodeReason>) {
        let mark = match self.begin(src, last) {
            Ok(mark) => mark,
            Err((read, stop)) => return (read, stop),
        };
        let src = &src[mark..];
        let policy = self.options.malformed == Malformed::Replace;
        let call = Call { encoding: self.encoding, level: self.level, src, last, turn, policy };
        let (read, stop) = self.codec.decode(&mut self.state, &call, out);
        self.phase = match stop {
            Stop::InputEmpty if last => Phase::Finished,
            Stop::Error(reason) if self.options.malformed == Malformed::Fail => Phase::Failed(reason),
            _ => Phase::Text,
        };
        (mark + read, stop)
    }
}

impl fmt::Debug for Decoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decoder")
            .field("encoding", &self.encoding)
            .field("options", &self.options)
            .field("position", &self.state.progress.position)
            .field("errors", &self.state.errors)
            .finish_non_exhaustive()
    }
}

#[cfg(feature = "alloc")]
impl Decoder {
    /// Decodes a chunk and appends the text to a `String`, a `Vec<u8>` of UTF-8, or a `Vec<u16>`, as far as it fits into the
    /// spare capacity. Never allocates. Otherwise like [`decode_to_utf8`](Self::decode_to_utf8).
    ///
    /// ```
    /// use textcodec::{Status, EUC_KR};
    ///
    /// let mut text = String::with_capacity(8);
    /// let progress = EUC_KR.decoder().decode_within_capacity(b"\xC7\xD1\xB1\xDB!", &mut text, true);
    /// assert_eq!((progress.written, progress.status, text.as_str()), (7, Status::InputEmpty, "한글!"));
    /// ```
    #[expect(unsafe_code, reason = "decoders write UTF-8 without a second validation")]
    pub fn decode_within_capacity<T: crate::DecodeTarget>(
        &mut self,
        src: &[u8],
        out: &mut T,
        last: bool,
    ) -> Progress<DecodeError> {
        // SAFETY: a decoder writes whole characters, as in `decode_to_str`. If it panics, nothing is appended.
        match unsafe { out.target(Key) } {
            Target::Utf8(out) => append(out, |out| self.decode(src, out, last)),
            Target::Utf16(out) => append(out, |out| self.decode(src, out, last)),
        }
    }

    /// Decodes a chunk and appends the text to `out`: a `String`, a `Vec<u8>` of UTF-8, or a `Vec<u16>`.
    ///
    /// # Errors
    /// Returns the first malformed sequence, with [`Malformed::Fail`] and [`Malformed::Pause`]. The text before it is appended
    /// to `out`. The bytes of the chunk from [`position`](Self::position) on are not read; with `Pause`, continue there.
    ///
    /// Returns [`DecodeReason::OutOfMemory`] if `out` cannot grow, with any option. The same holds, and the decoder can
    /// continue.
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
    #[doc(alias("decode_to_string", "feed"))]
    pub fn push<T: crate::DecodeTarget>(&mut self, chunk: &[u8], out: &mut T) -> Result<(), DecodeError> {
        self.push_chunk(chunk, out, false)
    }

    /// Ends the input, and returns a summary. An incomplete character at the end is malformed.
    ///
    /// # Errors
    /// Returns the error that has already ended the input, with [`Malformed::Fail`]. Returns the first malformed sequence in
    /// the pending bytes, with [`Malformed::Fail`] and [`Malformed::Pause`]. With `Pause`, the text after it is still
    /// appended, such as the `$` of an incomplete escape sequence. Returns [`DecodeReason::OutOfMemory`] if `out` cannot grow.
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
    pub fn finish<T: crate::DecodeTarget>(mut self, out: &mut T) -> Result<Decoded<()>, DecodeError> {
        let mut first = None;
        while let Some((_, error)) = self.push_until_error(&[], out, true) {
            let is_last = error.reason() == DecodeReason::OutOfMemory || matches!(self.phase, Phase::Failed(_));
            first.get_or_insert(error);
            if is_last {
                break;
            }
        }
        first.map_or_else(|| Ok(self.into_summary()), Err)
    }

    /// Decodes a chunk like [`push`](Self::push), and calls `on_error` for each malformed sequence, in order. The function
    /// returns a replacement, which is appended instead of U+FFFD, or `None` to stop there.
    ///
    /// # Errors
    /// Returns the malformed sequence for which the function returned `None`. The next call continues after it, at
    /// [`position`](Self::position), for any options. If an error of another call has ended the input, returns that error.
    /// Returns [`DecodeReason::OutOfMemory`] if `out` cannot grow; a replacement that does not fit is not appended.
    ///
    /// ```
    /// let mut text = String::new();
    /// let mut decoder = textcodec::UTF_8.decoder();
    /// let escape = |error: &textcodec::DecodeError| {
    ///     Some(error.bytes().iter().map(|byte| format!("\\x{byte:02X}")).collect())
    /// };
    /// decoder.push_with(b"a\xFFb\xC3", &mut text, escape)?;
    /// decoder.finish_with(&mut text, escape)?;
    /// assert_eq!(text, "a\\xFFb\\xC3");
    /// # Ok::<(), textcodec::DecodeError>(())
    /// ```
    pub fn push_with<T: crate::DecodeTarget>(
        &mut self,
        chunk: &[u8],
        out: &mut T,
        on_error: impl FnMut(&DecodeError) -> Option<Cow<'static, str>>,
    ) -> Result<(), DecodeError> {
        self.push_chunk_with(chunk, out, false, on_error)
    }

    /// Ends the input like [`finish`](Self::finish), and calls `on_error` for each malformed sequence in the pending bytes,
    /// like [`push_with`](Self::push_with).
    ///
    /// # Errors
    /// The same as for [`push_with`](Self::push_with). The text after the malformed sequence is still appended.
    ///
    /// ```
    /// let mut text = String::new();
    /// let mut decoder = textcodec::UTF_8.decoder();
    /// decoder.push(b"a\xE2\x82", &mut text)?;
    /// let summary = decoder.finish_with(&mut text, |_| Some("[cut off]".into()))?;
    /// assert_eq!((text.as_str(), summary.errors.count()), ("a[cut off]", 1));
    /// # Ok::<(), textcodec::DecodeError>(())
    /// ```
    pub fn finish_with<T: crate::DecodeTarget>(
        mut self,
        out: &mut T,
        mut on_error: impl FnMut(&DecodeError) -> Option<Cow<'static, str>>,
    ) -> Result<Decoded<()>, DecodeError> {
        let mut first = None;
        while let Err(error) = self.push_chunk_with(&[], out, true, &mut on_error) {
            let is_last = error.reason() == DecodeReason::OutOfMemory || matches!(self.phase, Phase::Failed(_));
            first.get_or_insert(error);
            if is_last {
                break;
            }
        }
        first.map_or_else(|| Ok(self.into_summary()), Err)
    }

    pub(crate) fn push_chunk<T: crate::DecodeTarget>(
        &mut self,
        src: &[u8],
        out: &mut T,
        last: bool,
    ) -> Result<(), DecodeError> {
        self.push_until_error(src, out, last).map_or(Ok(()), |(_, error)| Err(error))
    }

    fn push_chunk_with<T: crate::DecodeTarget>(
        &mut self,
        mut src: &[u8],
        out: &mut T,
        last: bool,
        mut on_error: impl FnMut(&DecodeError) -> Option<Cow<'static, str>>,
    ) -> Result<(), DecodeError> {
        if let Phase::Failed(reason) = self.phase {
            return Err(self.state.error(self.encoding, reason));
        }
        let push = |decoder: &mut Self, src, out: &mut T| {
            decoder.with_malformed(Malformed::Pause, |decoder| decoder.push_until_error(src, out, last))
        };
        while let Some((read, error)) = push(self, src, out) {
            src = &src[read..];
            if error.reason() == DecodeReason::OutOfMemory {
                return Err(error);
            }
            let Some(replacement) = on_error(&error) else { return Err(error) };
            if out.push_text(Key, &replacement).is_err() {
                return Err(DecodeError::out_of_memory(self.encoding, self.position()));
            }
            self.state.errors.add(error);
        }
        Ok(())
    }

    /// Decodes until all of `src` is read, or up to an error. Returns the error and the number of bytes read.
    #[expect(unsafe_code, reason = "decoders write UTF-8 without a second validation")]
    fn push_until_error<T: crate::DecodeTarget>(
        &mut self,
        src: &[u8],
        out: &mut T,
        last: bool,
    ) -> Option<(usize, DecodeError)> {
        // SAFETY: a decoder writes whole characters, as in `decode_to_str`. If it panics, nothing is appended.
        match unsafe { out.target(Key) } {
            Target::Utf8(out) => self.append_until_error(src, out, last),
            Target::Utf16(out) => self.append_until_error(src, out, last),
        }
    }

    fn append_until_error<U: Unit>(
        &mut self,
        src: &[u8],
        out: &mut Vec<U>,
        last: bool,
    ) -> Option<(usize, DecodeError)> {
        let mut read = 0;
        loop {
            // One code unit per byte, and some for held characters: enough for most text. The next round reserves more if not.
            let additional = src.len() - read + 2 * Self::MIN_UTF8_BUFFER_LEN;
            if out.try_reserve(additional).is_err() {
                return Some((read, DecodeError::out_of_memory(self.encoding, self.position())));
            }
            let (more, stop) = append(out, |out| entry::convert(self, &src[read..], last, out));
            read += more;
            match stop {
                Stop::InputEmpty => return None,
                Stop::OutputFull => {}
                Stop::Error(reason) => return Some((read, self.state.error(self.encoding, reason))),
            }
        }
    }

    pub(crate) fn into_summary(self) -> Decoded<()> {
        Decoded { text: (), encoding: self.encoding, bom_removed: self.bom_removed(), errors: self.state.errors }
    }
}
