//! [`Transcoder`]: converts bytes from one encoding to another, in chunks.
//!
//! Over 500 lines because each method has documentation with an example.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::{error::Error, fmt, mem, mem::MaybeUninit, ops::Range};

use crate::{
    codec::{drive, sink::Unit, source::Source},
    conversion::{
        DecodeError, DecodeReason, Decoder, Destination, EncodeError, Encoder, Malformed, Progress, Status, TextUnit,
        bom, destination::Key,
    },
    kernel::Out,
    names::UTF_8,
    text::utf::utf8_prefix,
};
#[cfg(feature = "alloc")]
use crate::{
    conversion::{Decoded, EncodeReason, Encoded},
    kernel::append,
};

/// A streaming conversion of bytes from one encoding to another: a [`Decoder`] and an [`Encoder`].
///
/// The bytes, the errors and their offsets do not depend on how the input is split into chunks, or on the size of the
/// destination. They are those of decoding the whole input and encoding the text. All offsets count bytes of the input, those of
/// malformed sequences and those of unmappable characters.
///
/// The decoder and the encoder have the policies for their errors. An error belongs to a place in the input, and everything before
/// that place is written before the error is reported, also if the error is one of the decoder.
///
/// There are two levels of methods. [`push`](Self::push) and [`finish`](Self::finish) append to a `Vec` that grows.
/// [`transcode`](Self::transcode) writes to a slice and does not allocate.
///
/// ```
/// use textcodec::{SHIFT_JIS, Transcoder, UTF_16LE};
///
/// let mut bytes = Vec::new();
/// let mut transcoder = Transcoder::new(SHIFT_JIS.decoder(), UTF_16LE.encoder());
/// for chunk in [&b"\x93"[..], b"\xFA\x96{", b"\x8C\xEA"] {
///     transcoder.push(chunk, &mut bytes)?;
/// }
/// transcoder.finish(&mut bytes)?;
/// assert_eq!(bytes, b"\xE5\x65\x2C\x67\x9E\x8A");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias("iconv", "Transcode", "EncodedInput", "recode"))]
pub struct Transcoder {
    pub(crate) decoder: Decoder,
    pub(crate) encoder: Encoder,
    phase: Phase,
    /// The bytes of the input of the last character that the encoder has read, if it was not written completely.
    last: Range<u64>,
    /// The maximum number of code units in the next block.
    next_len: usize,
}

#[derive(Clone, Debug)]
enum Phase {
    Text,
    /// The decoder has stopped at an error, or at the end of the input. Then the encoder writes the rest.
    Ending(Option<DecodeError>),
    /// An error has ended the input.
    Failed(TranscodeError),
}

impl Phase {
    /// The phase before an input. It has failed already if this build lacks one of the encodings.
    fn start(decoder: &Decoder, encoder: &Encoder) -> Self {
        let decoder = decoder.check().map_err(TranscodeError::Decode);
        let encoder = encoder.check().map_err(TranscodeError::Encode);
        decoder.and(encoder).map_or_else(Self::Failed, |()| Self::Text)
    }
}

/// An error of a [`Transcoder`].
///
/// ```
/// use textcodec::{KOI8_R, Malformed, TextUnit, TranscodeError, Transcoder, UTF_16BE};
///
/// let mut transcoder = Transcoder::new(UTF_16BE.decoder_with(Malformed::Fail), KOI8_R.encoder());
/// let error = transcoder.push(b"\x04\x34\x5B\x57", &mut Vec::new()).unwrap_err();
/// assert_eq!(error.range(), 2..4);
/// assert_eq!(error.to_string(), "KOI8-R cannot represent U+5B57 '字' at byte 2 of the input");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TranscodeError {
    /// The input is malformed, or the decoder [lacks the encoding](DecodeError).
    Decode(DecodeError),
    /// The encoding of the output cannot represent a character, or there is not enough memory. The range is that of the
    /// character's bytes in the input: the [unit](EncodeError::unit) is [`TextUnit::Input`], or [`TextUnit::Utf8`] if the input is
    /// UTF-8.
    Encode(EncodeError),
}

impl TranscodeError {
    /// Returns the offsets of the malformed bytes, or of the bytes of the character, from the start of the whole input.
    ///
    /// ```
    /// use textcodec::{ISO_8859_2, Malformed, Transcoder, UTF_8};
    ///
    /// let transcoder = Transcoder::new(UTF_8.decoder_with(Malformed::Fail), ISO_8859_2.encoder());
    /// for (bytes, range) in [("ą字".as_bytes(), 2..5), (b"a\xFF", 1..2)] {
    ///     assert_eq!(transcoder.clone().push(bytes, &mut Vec::new()).unwrap_err().range(), range);
    /// }
    /// ```
    #[must_use]
    pub fn range(&self) -> Range<u64> {
        match self {
            Self::Decode(error) => error.range(),
            Self::Encode(error) => error.range(),
        }
    }

    #[cfg(feature = "alloc")]
    fn is_out_of_memory(&self) -> bool {
        matches!(self, Self::Encode(error) if error.reason() == EncodeReason::OutOfMemory)
    }
}

impl From<DecodeError> for TranscodeError {
    #[inline]
    fn from(error: DecodeError) -> Self {
        Self::Decode(error)
    }
}

impl From<EncodeError> for TranscodeError {
    #[inline]
    fn from(error: EncodeError) -> Self {
        Self::Encode(error)
    }
}

impl fmt::Display for TranscodeError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decode(error) => error.fmt(f),
            Self::Encode(error) => error.fmt(f),
        }
    }
}

impl Error for TranscodeError {}

/// The number of code units of the text between the decoder and the encoder: a block of it stays in the first-level cache.
const BLOCK: usize = 2048;

/// The maximum length of the first block after a stop within a block: the rest of the block was decoded in vain.
const CAUTIOUS: usize = 64;

/// The maximum length of a block of UTF-8 that starts with an incomplete or malformed sequence. The text after it is encoded without
/// a block.
const AROUND_ERROR: usize = 16;

/// Code units for what a decoder holds at the end of a block.
const EXTRA: usize = 16;

impl Transcoder {
    /// The smallest destination in bytes with which [`transcode`](Self::transcode) always makes progress: the length of the
    /// longest character of UTF-8.
    ///
    /// ```
    /// use textcodec::{Transcoder, UTF_8, UTF_16BE};
    ///
    /// let mut buffer = [0; Transcoder::MIN_BUFFER_LEN];
    /// let mut transcoder = Transcoder::new(UTF_16BE.decoder(), UTF_8.encoder());
    /// assert_eq!(transcoder.transcode(b"\xD8\x3D\xDE\x00", &mut buffer, true).written, 4);
    /// ```
    pub const MIN_BUFFER_LEN: usize = Decoder::MIN_UTF8_BUFFER_LEN;

    /// Creates a conversion from the encoding of the decoder to that of the encoder. Their options apply: the policies for byte
    /// order marks, malformed bytes and unmappable characters, and whether the output starts with a byte order mark.
    ///
    /// ```
    /// use textcodec::{Bom, EncodeOptions, Transcoder, UTF_8, UTF_16LE};
    ///
    /// let mark = EncodeOptions::new().bom(true);
    /// let transcoder = Transcoder::new(UTF_8.decoder_with(Bom::Sniff), UTF_16LE.encoder_with(mark));
    /// let mut bytes = Vec::new();
    /// transcoder.finish(&mut bytes)?;
    /// assert_eq!(bytes, b"\xFF\xFE");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(decoder: Decoder, encoder: Encoder) -> Self {
        let phase = Phase::start(&decoder, &encoder);
        Self { decoder, encoder, phase, last: 0..0, next_len: BLOCK }
    }

    /// Returns the decoder. It has the encoding in use, the malformed sequences that were replaced, and the position in the input.
    ///
    /// ```
    /// use textcodec::{Transcoder, UTF_8, UTF_16LE, WINDOWS_1252};
    ///
    /// let mut transcoder = Transcoder::new(UTF_8.decoder(), WINDOWS_1252.encoder());
    /// transcoder.push(b"\xFF\xFE\xE9\0\0", &mut Vec::new())?;
    /// assert_eq!(transcoder.decoder().encoding(), UTF_16LE);
    /// // The last byte is half of a code unit.
    /// assert_eq!((transcoder.decoder().position(), transcoder.decoder().pending_bytes().len()), (5, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn decoder(&self) -> &Decoder {
        &self.decoder
    }

    /// Returns the encoder. It has the unmappable characters that were replaced. Its errors have the offsets of the characters in
    /// the input. Its [position](Encoder::position) counts units of the text in between, of UTF-8 or of UTF-16.
    ///
    /// ```
    /// use textcodec::{KOI8_R, Transcoder, UTF_16LE, Unmappable};
    ///
    /// let encoder = KOI8_R.encoder_with(Unmappable::Skip);
    /// let mut transcoder = Transcoder::new(UTF_16LE.decoder(), encoder);
    /// transcoder.push(b"a\0b\0\xE9\0", &mut Vec::new())?;
    /// let first = transcoder.encoder().errors().first();
    /// assert_eq!(first.map(|error| (error.character(), error.range())), Some((Some('é'), 4..6)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn encoder(&self) -> &Encoder {
        &self.encoder
    }

    /// Returns the number of bytes read since the start of the input, including those of an incomplete character: the
    /// [position](Decoder::position) of the decoder.
    ///
    /// ```
    /// use textcodec::{KOI8_R, Transcoder, UTF_8, Unmappable};
    ///
    /// let (input, mut bytes) = ("a字b".as_bytes(), Vec::new());
    /// let mut transcoder = Transcoder::new(UTF_8.decoder(), KOI8_R.encoder_with(Unmappable::Pause));
    /// assert!(transcoder.push(input, &mut bytes).is_err());
    /// transcoder.push(&input[transcoder.position() as usize..], &mut bytes)?;
    /// assert_eq!(bytes, b"ab");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn position(&self) -> u64 {
        self.decoder.position()
    }

    /// Discards the state and starts a new input and a new output, with the same encodings and options.
    ///
    /// ```
    /// use textcodec::{KOI8_R, Transcoder, UTF_8};
    ///
    /// let mut transcoder = Transcoder::new(UTF_8.decoder(), KOI8_R.encoder());
    /// let mut bytes = Vec::new();
    /// assert!(transcoder.push("字".as_bytes(), &mut bytes).is_err());
    /// transcoder.reset();
    /// transcoder.push(b"a", &mut bytes)?;
    /// assert_eq!(bytes, b"a");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reset(&mut self) {
        self.decoder.reset();
        self.encoder.reset();
        (self.phase, self.last, self.next_len) = (Phase::start(&self.decoder, &self.encoder), 0..0, BLOCK);
    }

    /// Converts a chunk. `last` means that the input ends with this chunk.
    ///
    /// After an error, the next call continues at [`read`](Progress::read) if the policy is
    /// [`Malformed::Pause`] or [`Unmappable::Pause`](crate::Unmappable::Pause). With `Fail`, the output is
    /// complete (ISO-2022-JP is back in ASCII), and each further call returns the error. With less than
    /// [`MIN_BUFFER_LEN`](Self::MIN_BUFFER_LEN) bytes, a call may make no progress. The rest of the destination is scratch space:
    /// its contents may change. This method never allocates or panics.
    ///
    /// After a call with `last` that returned [`Status::InputEmpty`], the next call starts a new input.
    ///
    /// ```
    /// use textcodec::{EUC_KR, Status, Transcoder, UTF_8};
    ///
    /// let mut buffer = [0; 8];
    /// let progress = Transcoder::new(UTF_8.decoder(), EUC_KR.encoder()).transcode("한글!".as_bytes(), &mut buffer, true);
    /// assert_eq!((progress.read, progress.written, progress.status), (7, 5, Status::InputEmpty));
    /// assert_eq!(&buffer[..5], b"\xC7\xD1\xB1\xDB!");
    /// ```
    pub fn transcode<D: Destination<u8> + ?Sized>(
        &mut self,
        src: &[u8],
        dst: &mut D,
        last: bool,
    ) -> Progress<TranscodeError> {
        self.progress(src, &mut dst.cursor(Key), last)
    }

    /// Returns the error that has ended the input.
    #[cfg(feature = "std")]
    pub(crate) fn failure(&self) -> Option<&TranscodeError> {
        if let Phase::Failed(error) = &self.phase { Some(error) } else { None }
    }

    /// Converts a chunk like [`transcode`](Self::transcode). The input is UTF-8, and the chunk is known to be valid.
    #[cfg(feature = "std")]
    #[inline]
    pub(crate) fn transcode_str(&mut self, src: &str, dst: &mut [u8]) -> Progress<TranscodeError> {
        let is_pending = self.encoder.is_fresh() || !self.encoder.state.is_idle() || !self.is_between();
        if is_pending || self.is_direct() || !matches!(self.phase, Phase::Text) {
            // A pending incomplete character is malformed then: it cannot continue in a `str`.
            return self.transcode(src.as_bytes(), dst, false);
        }
        let out = &mut Out::new(dst);
        let (read, status) = self.encode(src, out, false);
        Progress { read, written: out.filled(), status }
    }

    #[inline]
    fn progress(&mut self, src: &[u8], out: &mut Out<'_, u8>, last: bool) -> Progress<TranscodeError> {
        let (read, status) = self.run(src, out, last);
        Progress { read, written: out.filled(), status }
    }

    /// Converts a chunk. Returns how many bytes were read.
    #[inline]
    fn run(&mut self, src: &[u8], out: &mut Out<'_, u8>, last: bool) -> (usize, Status<TranscodeError>) {
        let mut read = 0;
        loop {
            if !matches!(self.phase, Phase::Text) {
                return (read, self.end(out));
            }
            // Bytes that did not fit before, or a byte order mark.
            if (self.encoder.is_fresh() || !self.encoder.state.is_idle())
                && let Some(status) = self.write_rest(out, false)
            {
                return (read, status);
            }
            let rest = &src[read..];
            let (more, status) = if self.is_direct() {
                self.decode(rest, out, last)
            } else if self.decoder.encoding() != UTF_8 {
                let len = self.next_len.min(out.spare_len().max(2));
                self.convert::<u16, [u16]>(rest, out, last, len, |units| units)
            } else if let Some(text) = self.text(rest, out.spare_len()) {
                let (more, status) = self.encode(text, out, last && text.len() == rest.len());
                (more, Some(status))
            } else if let Some(split) = self.encode_split(rest, out, last) {
                split
            } else {
                self.convert::<u8, str>(rest, out, last, AROUND_ERROR, utf8_prefix)
            };
            read += more;
            match status {
                Some(Status::InputEmpty) if read < src.len() => {}
                Some(status) => return (read, status),
                None => {}
            }
        }
    }

    /// Whether the decoder writes the output. An encoder of UTF-8 only writes the byte order mark.
    fn is_direct(&self) -> bool {
        self.encoder.encoding() == UTF_8
    }

    /// Decodes to the output. Returns how many bytes were read, and why the call ends, if it does.
    #[inline]
    fn decode(&mut self, src: &[u8], out: &mut Out<'_, u8>, last: bool) -> (usize, Option<Status<TranscodeError>>) {
        let before = out.filled();
        let Progress { read, status, .. } = self.decoder.decode(src, out, last);
        self.encoder.state.progress.position += (out.filled() - before) as u64;
        let is_full = status == Status::OutputFull;
        (read, self.decoded(status, last).or(is_full.then_some(Status::OutputFull)))
    }

    /// Returns the text at the start of `src` that an encoder can read directly, because the decoder of UTF-8 would not change it.
    /// `None` if there is none.
    #[inline]
    fn text<'a>(&mut self, src: &'a [u8], room: usize) -> Option<&'a str> {
        let is_start = self.decoder.phase == drive::Phase::Start && self.decoder.mark.pending().is_empty();
        if is_start && bom::rules_out(self.decoder.options.bom, src) {
            self.decoder.phase = drive::Phase::Text;
        }
        if !self.is_between() {
            return None;
        }
        // Limited, because the next call would validate again what does not fit now.
        let text = utf8_prefix(&src[..src.len().min(room.saturating_add(CAUTIOUS))]);
        (!text.is_empty() || src.is_empty()).then_some(text)
    }

    /// Whether the decoder is between two characters of the text.
    fn is_between(&self) -> bool {
        let Decoder { phase, state, codec, .. } = &self.decoder;
        *phase == drive::Phase::Text && state.is_idle() && codec.is_neutral()
    }

    /// Encodes text of the input, which is UTF-8. `last` ends the input. Returns how many bytes were read.
    #[inline]
    fn encode(&mut self, text: &str, out: &mut Out<'_, u8>, last: bool) -> (usize, Status<TranscodeError>) {
        let (start, base) = (self.decoder.position(), self.encoder.position());
        let had_errors = !self.encoder.errors().is_empty();
        let Progress { read, status, .. } = self.encoder.encode(text, out, last);
        self.decoder.state.progress.position += read as u64;
        if status != Status::InputEmpty || !had_errors && !self.encoder.errors().is_empty() {
            let range_of = |units: Range<usize>| start + units.start as u64..start + units.end as u64;
            if let Some(status) = self.place(base, read, had_errors, status, range_of) {
                return (read, status);
            }
        }
        if self.decoder.phase == drive::Phase::Text && last {
            self.decoder.phase = drive::Phase::Finished;
        }
        (read, Status::InputEmpty)
    }

    /// Reads an incomplete character of UTF-8 at the end of a chunk, or encodes one that an earlier chunk has started. Most chunks
    /// have one of both, and a block takes longer. Returns how many bytes were read and why the call ends, if it does, or `None` if
    /// something else comes next.
    #[inline]
    fn encode_split(
        &mut self,
        src: &[u8],
        out: &mut Out<'_, u8>,
        last: bool,
    ) -> Option<(usize, Option<Status<TranscodeError>>)> {
        let Decoder { phase: drive::Phase::Text, state, .. } = &self.decoder else { return None };
        let pending = self.decoder.pending_bytes();
        // A decoder of UTF-8 has at most three pending bytes.
        if state.held.len() > 0 || pending.len() > 3 {
            return None;
        }
        let len = src.len().min(4 - pending.len());
        let mut four = [0; 4];
        four[..pending.len()].copy_from_slice(&pending);
        four[pending.len()..][..len].copy_from_slice(&src[..len]);
        let four = &four[..pending.len() + len];
        let Some(first) = utf8_prefix(four).chars().next().filter(|first| first.len_utf8() > pending.len()) else {
            let is_incomplete = !last && core::str::from_utf8(four).is_err_and(|error| error.error_len().is_none());
            return is_incomplete.then(|| {
                let read = self.decoder.decode(src, &mut Out::new(&mut [0_u8; 4]), false).read;
                (read, Some(Status::InputEmpty))
            });
        };
        let start = self.decoder.position() - pending.len() as u64;
        let (base, had_errors) = (self.encoder.position(), !self.encoder.errors().is_empty());
        let encoded = self.encoder.encode(&*first.encode_utf8(&mut [0; 4]), out, false);
        let mut read = 0;
        if encoded.read > 0 {
            read = first.len_utf8() - pending.len();
            self.decoder.discard_pending_bytes();
            self.decoder.state.progress.position += read as u64;
        }
        let range = start..start + first.len_utf8() as u64;
        Some((read, self.place(base, encoded.read, had_errors, encoded.status, |_| range.clone())))
    }

    /// Decodes a block of at most `len` code units, and encodes it. If the encoder stops within it, the decoder returns to that
    /// place. Returns how many bytes were read, and why the call ends, if it does.
    fn convert<U: Unit, S: Source + ?Sized>(
        &mut self,
        src: &[u8],
        out: &mut Out<'_, u8>,
        last: bool,
        len: usize,
        text: fn(&[U]) -> &S,
    ) -> (usize, Option<Status<TranscodeError>>) {
        self.next_len = BLOCK;
        let before = self.decoder.clone();
        let mut slots = [const { MaybeUninit::uninit() }; BLOCK + EXTRA];
        let mut block = Out::uninit(&mut slots[..len + EXTRA]);
        let Progress { mut read, mut status, .. } =
            block.write_some(len, |block| self.decoder.decode(src, block, last));
        if self.decoder.state.held.len() > 0 {
            // So that a block ends between two places of the input.
            let is_end = last && read == src.len();
            match self.decoder.decode(&[], &mut block, is_end).status {
                Status::InputEmpty if read < src.len() => {}
                other => status = other,
            }
        }
        let text = text(block.written());
        let is_end = last && status == Status::InputEmpty;
        let (units, base, had_errors) = (text.units(), self.encoder.position(), !self.encoder.errors().is_empty());
        let encoded = self.encoder.encode(text, out, is_end);
        let mut again = Again { before, src, last, slots: &mut slots, found: None };
        let stop = self.place(base, encoded.read, had_errors, encoded.status, |units| again.range(units));
        if encoded.read < units {
            (self.decoder, read) = again.until(encoded.read);
            self.next_len = CAUTIOUS;
            return (read, stop);
        }
        match (status, stop) {
            (Status::InputEmpty, None) => (read, Some(Status::InputEmpty)),
            (status, stop) => {
                let ended = self.decoded(status, last);
                (read, stop.or(ended))
            }
        }
    }

    /// Accounts for the end of the input or an error. Returns why the call ends, unless the encoder must write the rest.
    #[inline]
    fn decoded(&mut self, status: Status<DecodeError>, last: bool) -> Option<Status<TranscodeError>> {
        let ending = match status {
            Status::InputEmpty if !last => return Some(Status::InputEmpty),
            Status::OutputFull => return None,
            Status::InputEmpty => None,
            Status::Error(error) => Some(error),
        };
        if let Phase::Text = self.phase {
            self.phase = Phase::Ending(ending);
        }
        None
    }

    /// Writes what the encoder keeps, after the decoder has stopped. Returns why the call ends.
    #[inline]
    fn end(&mut self, out: &mut Out<'_, u8>) -> Status<TranscodeError> {
        let ending = match mem::replace(&mut self.phase, Phase::Text) {
            Phase::Text => None,
            Phase::Ending(ending) => ending,
            Phase::Failed(error) => {
                self.phase = Phase::Failed(error.clone());
                return Status::Error(error);
            }
        };
        let has_failed = matches!(self.decoder.phase, drive::Phase::Failed(_));
        if let Some(status) = self.write_rest(out, ending.is_none() || has_failed) {
            if let Phase::Text = self.phase {
                self.phase = Phase::Ending(ending);
            }
            return status;
        }
        let Some(error) = ending.map(TranscodeError::Decode) else { return Status::InputEmpty };
        if has_failed {
            self.phase = Phase::Failed(error.clone());
        }
        Status::Error(error)
    }

    /// Writes what the encoder keeps. `last` ends the text. Returns why the call ends, if it does.
    #[inline]
    fn write_rest(&mut self, out: &mut Out<'_, u8>, last: bool) -> Option<Status<TranscodeError>> {
        let (base, had_errors) = (self.encoder.position(), !self.encoder.errors().is_empty());
        let Progress { read, status, .. } = self.encoder.encode("", out, last);
        let known = self.last.clone();
        self.place(base, read, had_errors, status, |_| known.clone())
    }

    /// Gives the errors of a call of the encoder the offsets of their characters in the input. `base` was its position before
    /// the call, and `range_of` returns the offsets of the character at some units after it. Returns why the call ends, if it does.
    #[inline(never)]
    fn place(
        &mut self,
        base: u64,
        read: usize,
        had_errors: bool,
        status: Status<EncodeError>,
        mut range_of: impl FnMut(Range<usize>) -> Range<u64>,
    ) -> Option<Status<TranscodeError>> {
        let unit = if self.decoder.encoding() == UTF_8 { TextUnit::Utf8 } else { TextUnit::Input };
        let known = self.last.clone();
        let mut range_of = |error: &EncodeError| {
            let Range { start, end } = error.range();
            match start.checked_sub(base) {
                Some(start) => range_of(start as usize..(end - base) as usize),
                // The character was read by an earlier call.
                None => known.clone(),
            }
        };
        if !had_errors && let Some(first) = self.encoder.state.errors.first_mut() {
            first.place(range_of(first), unit);
        }
        match status {
            Status::InputEmpty => None,
            Status::OutputFull => {
                // The bytes of the last character may still be followed by an error.
                if read > 0 && !self.encoder.state.is_idle() {
                    self.last = range_of(&self.encoder.state.error(self.encoder.encoding(), '\0'));
                }
                Some(Status::OutputFull)
            }
            Status::Error(mut error) => {
                error.place(range_of(&error), unit);
                let error = TranscodeError::Encode(error);
                if let drive::Phase::Failed(_) = self.encoder.phase {
                    self.phase = Phase::Failed(error.clone());
                }
                Some(Status::Error(error))
            }
        }
    }
}

/// Decodes a block again, to find places in the input.
struct Again<'a, U> {
    /// The decoder before the block.
    before: Decoder,
    src: &'a [u8],
    last: bool,
    slots: &'a mut [MaybeUninit<U>],
    /// The decoder at the place that was found last, the number of bytes that it has read, and the number of units before it.
    found: Option<(Decoder, usize, usize)>,
}

impl<U: Unit> Again<'_, U> {
    /// Returns the decoder directly after some units of the text, and the number of bytes that it has read. It has read nothing
    /// that a later character or error needs, except what the same byte has completed.
    fn until(&mut self, units: usize) -> (Decoder, usize) {
        if let Some((decoder, read, _)) = self.found.take_if(|found| found.2 == units) {
            return (decoder, read);
        }
        let (mut decoder, mut read) = (self.before.clone(), 0);
        let mut out = Out::uninit(&mut self.slots[..units]);
        // A decoder reads beyond the last character that fits, such as an escape sequence. So the last ones are decoded in steps.
        let most = units.saturating_sub(U::LONGEST_ITEM);
        if most > 0 {
            read = out.write_some(most, |out| decoder.decode(self.src, out, false)).read;
        }
        let _ = step(&mut decoder, self.src, &mut read, self.last, &mut out, |_| {});
        (decoder, read)
    }

    /// Returns the bytes of the input of the character at some units of the text.
    fn range(&mut self, units: Range<usize>) -> Range<u64> {
        let (mut decoder, mut read) = self.until(units.start);
        let mut probe = decoder.clone();
        probe.set_malformed(Malformed::Pause);
        let mut start = place_of(&probe);
        let mut out = Out::uninit(&mut self.slots[..units.len()]);
        let error = step(&mut probe, self.src, &mut read.clone(), self.last, &mut out, |probe| {
            // Bytes such as those of an escape sequence do not belong to the character after them.
            start = place_of(probe);
        });
        let range = error.map_or_else(|| start..place_of(&probe).max(start), |error| error.range());
        let mut out = Out::uninit(&mut self.slots[..units.len()]);
        let _ = step(&mut decoder, self.src, &mut read, self.last, &mut out, |_| {});
        self.found = Some((decoder, read, units.end));
        range
    }
}

/// Decodes bytes one by one until `out` is full, or up to an error. Calls `before` before each.
fn step<U: Unit>(
    decoder: &mut Decoder,
    src: &[u8],
    read: &mut usize,
    last: bool,
    out: &mut Out<'_, U>,
    mut before: impl FnMut(&Decoder),
) -> Option<DecodeError> {
    // First what the decoder holds.
    let (mut byte, mut is_end): (&[u8], _) = (&[], false);
    loop {
        let progress = decoder.decode(byte, out, is_end);
        *read += progress.read;
        if let Status::Error(error) = progress.status {
            return Some(error);
        }
        // An unread byte would not fit later either. This cannot happen: the block had the text up to the end of `out`.
        if out.spare_len() == 0 || is_end || progress.read < byte.len() {
            return None;
        }
        byte = src.get(*read..=*read).unwrap_or_default();
        is_end = byte.is_empty();
        if is_end && !last {
            return None;
        }
        before(decoder);
    }
}

/// Returns the offset of the next character, which may be incomplete or held.
fn place_of(decoder: &Decoder) -> u64 {
    if decoder.state.held.len() > 0 {
        // What is held was decoded from the last sequence. Two characters are held only in Big5, where both have its range, and in
        // UTF-7 after two errors, where that of the first one is not known any more.
        return decoder.state.error(decoder.encoding(), DecodeReason::Incomplete).range().start;
    }
    decoder.position() - decoder.pending_bytes().len() as u64
}

#[cfg(feature = "alloc")]
impl Transcoder {
    /// Converts a chunk and appends the bytes to `out`.
    ///
    /// # Errors
    /// Returns the first malformed sequence or unmappable character at which a policy says to stop. The output of the input before
    /// it is appended to `out`. The bytes of the chunk from [`position`](Self::position) on are not read; with `Pause`, continue
    /// there.
    ///
    /// Returns [`EncodeReason::OutOfMemory`] if `out` cannot grow. The same holds, and the conversion can continue.
    ///
    /// ```
    /// use textcodec::{GBK, Malformed, Transcoder, WINDOWS_1251};
    ///
    /// let (input, mut bytes) = (b"\xA7\xD5\xA7\xD1 \xC4\xE3", Vec::new());
    /// let mut transcoder = Transcoder::new(GBK.decoder_with(Malformed::Fail), WINDOWS_1251.encoder());
    /// let error = transcoder.push(input, &mut bytes).unwrap_err();
    /// assert_eq!((error.range(), bytes), (5..7, b"\xE4\xE0 ".to_vec()));
    /// ```
    #[inline]
    pub fn push(&mut self, chunk: &[u8], out: &mut Vec<u8>) -> Result<(), TranscodeError> {
        self.push_chunk(chunk, out, false).map_or(Ok(()), Err)
    }

    /// Ends the input, and returns the summaries of the decoder and of the encoder. Appends the remaining bytes.
    ///
    /// # Errors
    /// Returns the error that has already ended the input. Returns the first error in the pending bytes, if a policy says to stop
    /// there. With `Pause`, the bytes after it are still appended. Returns [`EncodeReason::OutOfMemory`] if `out` cannot grow.
    ///
    /// ```
    /// use textcodec::{EUC_JP, ISO_2022_JP, Transcoder};
    ///
    /// let mut bytes = Vec::new();
    /// let mut transcoder = Transcoder::new(EUC_JP.decoder(), ISO_2022_JP.encoder());
    /// transcoder.push(b"\xC6\xFC", &mut bytes)?;
    /// assert_eq!(bytes, b"\x1B$BF|");
    /// let (decoded, encoded) = transcoder.finish(&mut bytes)?;
    /// assert_eq!(bytes, b"\x1B$BF|\x1B(B");
    /// assert!(decoded.errors.is_empty() && encoded.errors.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn finish(mut self, out: &mut Vec<u8>) -> Result<(Decoded<()>, Encoded<()>), TranscodeError> {
        let mut first = None;
        while let Some(error) = self.push_chunk(&[], out, true) {
            let is_last = error.is_out_of_memory() || matches!(self.phase, Phase::Failed(_));
            first.get_or_insert(error);
            if is_last {
                break;
            }
        }
        first.map_or_else(|| Ok((self.decoder.into_summary(), self.encoder.into_summary())), Err)
    }

    /// Converts until all of `src` is read, or up to an error.
    #[inline]
    fn push_chunk(&mut self, src: &[u8], out: &mut Vec<u8>, last: bool) -> Option<TranscodeError> {
        let mut read = 0;
        loop {
            let rest = &src[read..];
            if out.try_reserve(rest.len() + EXTRA).is_err() {
                return Some(EncodeError::out_of_memory(self.encoder.encoding()).into());
            }
            let (more, status) = append(out, |out| self.run(rest, out, last));
            read += more;
            match status {
                Status::InputEmpty => return None,
                Status::OutputFull => {}
                Status::Error(error) => return Some(error),
            }
        }
    }
}
