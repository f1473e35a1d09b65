//! `textcodec_encoder`: encodes in chunks. The functions of the header are in `encoder_api.rs`.

use core::mem::MaybeUninit;

use textcodec::{
    EncodeError, Encoder as CoreEncoder, Encoding, Progress as CoreProgress, Status as CoreStatus, US_ASCII, Unmappable,
};

use crate::{
    encodings, raw,
    source::{self, Pending, Sequence, UNPAIRED},
    types::{
        EncodeOptions, EncoderStorage, Error, Number, Status, TEXTCODEC_INVALID_ARGUMENT, TEXTCODEC_NO_MEMORY,
        TEXTCODEC_UNAVAILABLE, encode_reason,
    },
};

/// `textcodec_encoder`.
///
/// The library counts its own units: bytes of `str`, and units of UTF-16. Where these are not the units of the caller, this
/// object translates, so it counts both.
#[derive(Clone)]
pub(crate) struct Encoder {
    core: CoreEncoder,
    /// The units that the library has read.
    core_position: u64,
    /// The caller's units that were read, including those of `pending`.
    position: u64,
    /// The first error that was replaced or skipped.
    first: Option<Failure>,
    /// The error that has ended the text.
    end: Option<Failure>,
    pending: Pending,
    /// The length of the last sequence that was read, in the caller's units, or 0 if the library has the same units.
    last_read: u8,
    /// The text has ended. The next call starts a new one.
    finished: bool,
    is_fatal: bool,
    /// Whether `textcodec_encoder_free` has memory to free.
    pub(crate) on_heap: bool,
}

const _: () = assert!(raw::fits::<Encoder, EncoderStorage>());

/// An error, in less memory.
#[derive(Clone, Copy)]
struct Failure {
    start: u64,
    code_point: u32,
    len: u8,
    reason: u8,
}

/// A result of [`Encoder::encode_utf8`] and others.
pub(crate) struct Progress {
    pub(crate) read: usize,
    pub(crate) written: usize,
    pub(crate) stop: Stop,
}

/// Why a call has returned.
#[derive(Clone, Copy)]
pub(crate) enum Stop {
    InputEmpty,
    OutputFull,
    Error(Error),
}

/// What the library reads in one call.
#[derive(Clone, Copy)]
enum Piece<'a> {
    Utf8(&'a str),
    Utf16(&'a [u16]),
    /// [`UNPAIRED`], for a sequence of this many units.
    IllFormed(usize),
    /// From UTF-32.
    Narrowed(&'a [u16]),
}

/// The maximum number of bytes that are validated before they are encoded. If the encoder stops early, the next call
/// validates the rest again. Without a limit, a loop over many errors would take quadratic time.
const WINDOW: usize = 8 * 1024;
/// The numbers that are converted at once.
const BLOCK: usize = 512;
/// The numbers of a short text. A small block is initialised in less time.
const SHORT: usize = 32;

/// Returns whether the encoding can represent what a policy writes.
fn has_replacement(encoding: Encoding, unmappable: Unmappable) -> bool {
    match unmappable {
        Unmappable::Replace(character) => encoding.can_encode(character),
        // Code pages may lack some.
        Unmappable::Html if encoding > US_ASCII => {
            "&#0123456789;".chars().all(|character| encoding.can_encode(character))
        }
        _ => true,
    }
}

impl Encoder {
    /// Creates an encoder.
    pub(crate) fn new(encoding: Number, options: Option<&EncodeOptions>) -> Result<Self, Status> {
        let encoding = encodings::encoding(encoding).ok_or(TEXTCODEC_INVALID_ARGUMENT)?;
        let options = options.map_or(Some((textcodec::EncodeOptions::new(), Unmappable::Fail)), EncodeOptions::read);
        let (options, unmappable) = options.ok_or(TEXTCODEC_INVALID_ARGUMENT)?;
        if !encoding.has_encoder() {
            return Err(TEXTCODEC_UNAVAILABLE);
        }
        let core = encoding.encoder_with(options);
        // Only the table of a code page can be missing, for lack of memory. Then even an empty call fails.
        if encoding > US_ASCII
            && let CoreStatus::Error(_) = core.clone().encode_from_utf8("", &mut [0; 0], false).status
        {
            return Err(TEXTCODEC_NO_MEMORY);
        }
        if !has_replacement(encoding, unmappable) {
            return Err(TEXTCODEC_INVALID_ARGUMENT);
        }
        Ok(Self {
            core,
            core_position: 0,
            position: 0,
            first: None,
            end: None,
            pending: Pending::None,
            last_read: 0,
            finished: false,
            is_fatal: unmappable == Unmappable::Fail,
            on_heap: false,
        })
    }

    /// Encodes UTF-8.
    #[inline]
    pub(crate) fn encode_utf8(&mut self, src: &[u8], dst: &mut [MaybeUninit<u8>], last: bool) -> Progress {
        if src.len() <= window(dst.len()) && self.is_between_characters() {
            let text = source::valid_prefix(src);
            if text.len() == src.len() {
                return self.encode_piece(Piece::Utf8(text), text.len(), dst, last);
            }
        }
        self.encode_any_utf8(src, dst, last)
    }

    /// Encodes UTF-8 that may be ill-formed, long, or the rest of a character.
    #[inline(never)]
    fn encode_any_utf8(&mut self, src: &[u8], dst: &mut [MaybeUninit<u8>], last: bool) -> Progress {
        let mut call = match Call::begin(self, dst) {
            Ok(call) => call,
            Err(progress) => return progress,
        };
        loop {
            let rest = &src[call.read..];
            let pending = call.encoder.pending;
            let window = match pending {
                Pending::None if rest.is_empty() => return call.finish(last),
                Pending::None => source::valid_prefix(&rest[..rest.len().min(call.window())]),
                Pending::Utf8 { .. } => "",
                Pending::Utf16(_) if rest.is_empty() && !last => return call.stop(Stop::InputEmpty),
                Pending::Utf16(_) => {
                    if let Some(stop) = call.feed(Piece::IllFormed(1), 0, false) {
                        return call.stop(stop);
                    }
                    continue;
                }
            };
            let stop = if window.is_empty() {
                let (mut four, held) = ([0; 4], pending.len());
                if let Pending::Utf8 { bytes, .. } = pending {
                    four[..3].copy_from_slice(&bytes);
                }
                let len = 4.min(held + rest.len());
                four[held..len].copy_from_slice(&rest[..len - held]);
                match Sequence::of(&four[..len]) {
                    Sequence::Character(len) => {
                        let text = source::valid_prefix(&four[..len]);
                        call.feed(Piece::Utf8(text), len - held, last && rest.len() == len - held)
                    }
                    Sequence::IllFormed(len) => call.feed(Piece::IllFormed(len), len - held, false),
                    Sequence::Incomplete if last => call.feed(Piece::IllFormed(len), len - held, false),
                    Sequence::Incomplete => {
                        let stop = call.keep(Pending::utf8(&four[..len]), len - held);
                        return call.stop(stop.unwrap_or(Stop::InputEmpty));
                    }
                }
            } else {
                call.feed(Piece::Utf8(window), window.len(), last && window.len() == rest.len())
            };
            if let Some(stop) = stop {
                return call.stop(stop);
            }
        }
    }

    /// Encodes a chunk that is one piece.
    #[inline]
    fn encode_piece(&mut self, piece: Piece<'_>, units: usize, dst: &mut [MaybeUninit<u8>], last: bool) -> Progress {
        if self.finished {
            self.restart();
        }
        let done = piece.encode(&mut self.core, dst, last);
        let has_new_error = self.first.is_none() && !self.core.errors().is_empty();
        if matches!(done.status, CoreStatus::InputEmpty) && !has_new_error {
            self.core_position += units as u64;
            self.position += units as u64;
            self.last_read = 0;
            self.finished = last;
            return Progress { read: units, written: done.written, stop: Stop::InputEmpty };
        }
        let mut call = Call { encoder: self, dst, read: 0, written: 0, ended: false };
        match call.settle(piece, done, last) {
            Some(stop) => call.stop(stop),
            None => call.finish(last),
        }
    }

    /// Whether the next unit starts a character, and no error has ended the text.
    #[inline]
    fn is_between_characters(&self) -> bool {
        self.pending == Pending::None && self.end.is_none()
    }

    /// Encodes UTF-16.
    #[inline]
    pub(crate) fn encode_utf16(&mut self, src: &[u16], dst: &mut [MaybeUninit<u8>], last: bool) -> Progress {
        let is_whole = last || src.last().is_none_or(|unit| unit & 0xFC00 != 0xD800);
        if is_whole && self.is_between_characters() {
            return self.encode_piece(Piece::Utf16(src), src.len(), dst, last);
        }
        self.encode_any_utf16(src, dst, last)
    }

    /// Encodes UTF-16 that starts or ends within a pair.
    #[inline(never)]
    fn encode_any_utf16(&mut self, src: &[u16], dst: &mut [MaybeUninit<u8>], last: bool) -> Progress {
        let mut call = match Call::begin(self, dst) {
            Ok(call) => call,
            Err(progress) => return progress,
        };
        let pending = call.encoder.pending;
        if pending != Pending::None {
            let stop = match (pending, src.first()) {
                (_, None) if !last => return call.stop(Stop::InputEmpty),
                (Pending::Utf16(high), Some(&low)) if low & 0xFC00 == 0xDC00 => {
                    call.feed(Piece::Utf16(&[high, low]), 1, false)
                }
                _ => call.feed(Piece::IllFormed(pending.len()), 0, false),
            };
            if let Some(stop) = stop {
                return call.stop(stop);
            }
        }
        loop {
            let rest = &src[call.read..];
            // Has a limit for the same reason as `WINDOW`.
            let window = &rest[..rest.len().min(2 * BLOCK)];
            let is_end = window.len() == rest.len();
            // The library would keep a high surrogate at the end. `UNPAIRED` must not follow it.
            let high = window.iter().rev().take_while(|unit| *unit & 0xFC00 == 0xD800).count();
            let (text, high) = window.split_at(window.len() - if last && is_end { 0 } else { high });
            if !text.is_empty()
                && let Some(stop) = call.feed(Piece::Utf16(text), text.len(), last && is_end)
            {
                return call.stop(stop);
            }
            let Some((high, unpaired)) = high.split_last() else {
                if is_end {
                    return call.finish(last);
                }
                continue;
            };
            for _ in unpaired {
                if let Some(stop) = call.feed(Piece::IllFormed(1), 1, false) {
                    return call.stop(stop);
                }
            }
            if is_end {
                if let Some(stop) = call.keep(Pending::Utf16(*high), 1) {
                    return call.stop(stop);
                }
                return call.finish(last);
            }
            // The next window starts with it, and has the unit after it.
        }
    }

    /// Encodes UTF-32.
    pub(crate) fn encode_utf32(&mut self, src: &[u32], dst: &mut [MaybeUninit<u8>], last: bool) -> Progress {
        if src.len() <= SHORT {
            self.encode_blocks::<{ 2 * SHORT }>(src, dst, last)
        } else {
            self.encode_blocks::<{ 2 * BLOCK }>(src, dst, last)
        }
    }

    fn encode_blocks<const UNITS: usize>(&mut self, src: &[u32], dst: &mut [MaybeUninit<u8>], last: bool) -> Progress {
        let mut call = match Call::begin(self, dst) {
            Ok(call) => call,
            Err(progress) => return progress,
        };
        if call.encoder.pending != Pending::None {
            if src.is_empty() && !last {
                return call.stop(Stop::InputEmpty);
            }
            let len = call.encoder.pending.len();
            if let Some(stop) = call.feed(Piece::IllFormed(len), 0, false) {
                return call.stop(stop);
            }
        }
        let mut block = [0; UNITS];
        while call.read < src.len() {
            let rest = &src[call.read..];
            let (read, units) = source::narrow(&rest[..rest.len().min(UNITS / 2).min(call.window())], &mut block);
            let is_last = last && read == rest.len();
            if let Some(stop) = call.feed(Piece::Narrowed(&block[..units]), read, is_last) {
                return call.stop(stop);
            }
        }
        call.finish(last)
    }

    /// Returns the most bytes from `len` units: each byte of UTF-8 can be ill-formed, and is at most one unit of UTF-16 otherwise.
    pub(crate) fn max_len(&self, len: usize) -> Option<usize> {
        self.core.max_len_from_utf16(len.checked_add(self.pending.len())?)
    }

    /// Starts a new text.
    pub(crate) fn reset(&mut self) {
        self.core.reset();
        self.restart();
    }

    fn restart(&mut self) {
        (self.core_position, self.position) = (0, 0);
        (self.first, self.end, self.pending) = (None, None, Pending::None);
        (self.last_read, self.finished) = (0, false);
    }

    /// Changes the policy. Returns false if the encoding cannot represent the replacement.
    pub(crate) fn set_unmappable(&mut self, unmappable: Unmappable) -> bool {
        if !has_replacement(self.core.encoding(), unmappable) {
            return false;
        }
        self.core.set_unmappable(unmappable);
        self.is_fatal = unmappable == Unmappable::Fail;
        true
    }

    /// Returns the number of the encoding.
    pub(crate) fn encoding(&self) -> Number {
        encodings::number(self.core.encoding())
    }

    /// Returns the number of units that were read.
    pub(crate) fn position(&self) -> u64 {
        self.position
    }

    /// Returns the number of errors that were replaced or skipped.
    pub(crate) fn error_count(&self) -> u64 {
        // Until the library reads a new text, it has the errors of the last one.
        if self.first.is_some() { self.core.errors().count() } else { 0 }
    }

    /// Returns the first of them.
    pub(crate) fn first_error(&self) -> Option<Error> {
        self.first.map(|failure| self.error(failure))
    }

    /// Returns whether the text could end here without more bytes.
    pub(crate) fn is_at_rest(&self) -> bool {
        self.pending == Pending::None && self.end.is_none() && !self.core.has_pending_state()
    }

    fn error(&self, failure: Failure) -> Error {
        Error {
            start: failure.start,
            end: failure.start + u64::from(failure.len),
            reason: failure.reason.into(),
            code_point: failure.code_point,
            encoding: self.encoding(),
            ..Error::default()
        }
    }
}

/// A call that encodes.
struct Call<'a> {
    encoder: &'a mut Encoder,
    dst: &'a mut [MaybeUninit<u8>],
    read: usize,
    written: usize,
    /// Whether the library knows that the text has ended.
    ended: bool,
}

impl<'a> Call<'a> {
    /// Starts a call. Fails with the same error again if an error has ended the text.
    #[inline]
    fn begin(encoder: &'a mut Encoder, dst: &'a mut [MaybeUninit<u8>]) -> Result<Self, Progress> {
        if encoder.finished {
            encoder.restart();
        }
        if let Some(failure) = encoder.end {
            return Err(Progress { read: 0, written: 0, stop: Stop::Error(encoder.error(failure)) });
        }
        Ok(Self { encoder, dst, read: 0, written: 0, ended: false })
    }

    fn window(&self) -> usize {
        window(self.dst.len() - self.written)
    }

    /// Keeps the last `read` units of the chunk for the next call. Returns why the call ends, if bytes that wait do not fit.
    fn keep(&mut self, pending: Pending, read: usize) -> Option<Stop> {
        let stop = self.feed(Piece::Utf8(""), 0, false);
        if stop.is_none() {
            self.encoder.pending = pending;
            self.encoder.position += read as u64;
            self.read += read;
        }
        stop
    }

    /// Encodes a piece, which is the pending units and then `units` units of the chunk. Returns why the call ends, if it does.
    fn feed(&mut self, piece: Piece<'_>, units: usize, last: bool) -> Option<Stop> {
        let before = self.read;
        let done = piece.encode(&mut self.encoder.core, &mut self.dst[self.written..], last);
        let stop = self.settle(piece, done, last);
        debug_assert!(self.read - before <= units, "more was read than the piece has");
        stop
    }

    /// Accounts for what the library has done with a piece.
    #[inline(never)]
    fn settle(&mut self, piece: Piece<'_>, done: CoreProgress<EncodeError>, last: bool) -> Option<Stop> {
        let CoreProgress { read: core_read, written, status, .. } = done;
        let encoder = &mut *self.encoder;
        self.written += written;
        let pending = encoder.pending.len();
        let from = Origin { core: encoder.core_position, caller: encoder.position - pending as u64, piece };
        // Before `last_read` changes: an error can be that of a sequence that an earlier call has read.
        let error = match &status {
            CoreStatus::Error(error) => Some(from.translate(error, encoder.last_read)),
            _ => None,
        };
        if encoder.first.is_none()
            && let Some(first) = encoder.core.errors().first()
        {
            encoder.first = Some(from.translate(first, encoder.last_read));
        }
        if core_read > 0 {
            let read = match piece {
                Piece::Utf8(_) | Piece::Utf16(_) => core_read,
                Piece::IllFormed(len) => len,
                Piece::Narrowed(text) => source::numbers(&text[..core_read]),
            };
            encoder.last_read = piece.last_length();
            // A piece with pending units is one sequence, which is read as a whole.
            encoder.pending = Pending::None;
            encoder.core_position += core_read as u64;
            encoder.position += (read - pending) as u64;
            self.read += read - pending;
            debug_assert_eq!(self.encoder.core_position, self.encoder.core.position());
        }
        match (error, status) {
            (Some(failure), _) => {
                if self.encoder.is_fatal {
                    self.encoder.end = Some(failure);
                }
                Some(Stop::Error(self.encoder.error(failure)))
            }
            (None, CoreStatus::InputEmpty) => {
                self.ended = last;
                None
            }
            (None, _) => Some(Stop::OutputFull),
        }
    }

    /// Ends a call that has read the whole chunk.
    #[inline]
    fn finish(mut self, last: bool) -> Progress {
        // A call that has read nothing still writes bytes that did not fit before, and starts a new text.
        if (last || self.read == 0)
            && !self.ended
            && let Some(stop) = self.feed(Piece::Utf8(""), 0, last)
        {
            return self.stop(stop);
        }
        self.encoder.finished = last;
        self.stop(Stop::InputEmpty)
    }

    fn stop(self, stop: Stop) -> Progress {
        Progress { read: self.read, written: self.written, stop }
    }
}

/// Returns how much of a text to validate or convert for a destination. More would be done again by the next call.
#[inline]
fn window(room: usize) -> usize {
    room.saturating_mul(4).saturating_add(64).min(WINDOW)
}

impl Piece<'_> {
    #[inline]
    fn encode(self, core: &mut CoreEncoder, out: &mut [MaybeUninit<u8>], last: bool) -> CoreProgress<EncodeError> {
        match self {
            Piece::Utf8(text) => core.encode_from_utf8(text, out, last),
            Piece::Utf16(text) | Piece::Narrowed(text) => core.encode_from_utf16(text, out, last),
            Piece::IllFormed(_) => core.encode_from_utf16(&[UNPAIRED], out, last),
        }
    }

    /// Returns the length of its last sequence in the caller's units, or 0 if the library has the same units.
    fn last_length(self) -> u8 {
        match self {
            Self::Utf8(_) | Self::Utf16(_) => 0,
            Self::IllFormed(len) => len as u8,
            Self::Narrowed(_) => 1,
        }
    }
}

/// Where a piece starts, to translate offsets.
struct Origin<'a> {
    core: u64,
    caller: u64,
    piece: Piece<'a>,
}

impl Origin<'_> {
    fn translate(&self, error: &EncodeError, last_read: u8) -> Failure {
        let range = error.range();
        let core_len = (range.end - range.start) as u8;
        let (start, len) = match range.start.checked_sub(self.core) {
            // The last sequence before this piece.
            None if last_read > 0 => (self.caller - u64::from(last_read), last_read),
            None => (self.caller - (self.core - range.start), core_len),
            Some(offset) => match self.piece {
                Piece::Utf8(_) | Piece::Utf16(_) => (self.caller + offset, core_len),
                Piece::IllFormed(len) => (self.caller, len as u8),
                Piece::Narrowed(text) => (self.caller + source::numbers(&text[..offset as usize]) as u64, 1),
            },
        };
        let code_point = error.code_point().map_or(0, u32::from);
        Failure { start, code_point, len, reason: encode_reason(error.reason()) as u8 }
    }
}
