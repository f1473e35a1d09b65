//! The lines of a part of a file.

use std::{borrow::Cow, collections::TryReserveError, ops::Range};

use textcodec::{Bom, DecodeError, DecodeOptions, Decoder, Encoding, ISO_2022_JP, Malformed, Status, UTF_8, oem, utf};

use super::{
    frame::{Frame, LineEnd},
    rows::{Refused, Rows},
};
use crate::decode::decoder_with;

/// Lines are decoded together in pieces of about this many bytes, which fit into a cache.
const PIECE: usize = 64 << 10;

/// What happens to malformed lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Errors {
    /// Their text has U+FFFD.
    Replace,
    /// They have no text.
    Null,
    /// They are left out.
    Drop,
    /// The first one is an error.
    Strict,
}

/// A part of a file, and how to read it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub(super) encoding: Encoding,
    pub(super) errors: Errors,
    /// The first line begins here or later.
    pub(super) start: u64,
    /// All lines begin before it.
    pub(super) end: u64,
    pub(super) bom: Bom,
    /// Whether ISO-2022-JP is in its initial state at the start of each line.
    pub(super) line_reset: bool,
}

impl Settings {
    /// Whether a line affects how the following ones decode, so that each part is read from the start of the file.
    pub(super) fn is_running(&self, encoding: Encoding) -> bool {
        let has_state = !encoding.is_ascii_compatible() && !encoding.is_single_byte() && Frame::of(encoding).unit == 1;
        has_state && !self.line_reset
    }
}

/// Returns the encoding of the byte order mark at the start of a file, and its length.
fn mark(settings: &Settings, head: &[u8]) -> Option<(Encoding, usize)> {
    if settings.encoding == oem::UTF_32 {
        // Without a mark, it is big-endian.
        return Some(match head {
            [0, 0, 0xFE, 0xFF, ..] => (oem::UTF_32BE, 4),
            [0xFF, 0xFE, 0, 0, ..] => (oem::UTF_32LE, 4),
            _ => (oem::UTF_32BE, 0),
        });
    }
    // In some encodings, the bytes of a mark are other characters.
    let mut decoder = decoder_with(settings.encoding, settings.bom);
    let _progress = decoder.decode_to_utf16(head, &mut [0; 8], false);
    Encoding::for_bom(head).filter(|_| decoder.bom_removed())
}

/// Why a part cannot be read further.
pub(super) enum Failure {
    /// A malformed line, with `Errors::Strict`.
    Malformed { offset: u64, line: Vec<u8>, range: Range<usize>, error: DecodeError },
    /// A line that does not fit into an Arrow array.
    TooLong { offset: u64 },
    /// There is not enough memory.
    Memory,
}

impl From<TryReserveError> for Failure {
    fn from(_: TryReserveError) -> Self {
        Self::Memory
    }
}

/// Reads the lines that begin in a part of a file. The caller reads the file, and gives its bytes to [`push`](Self::push).
pub(super) struct Part {
    settings: Settings,
    /// The encoding of the byte order mark, or else the one in the settings.
    encoding: Encoding,
    frame: Frame,
    phase: Phase,
    /// Bytes of the file. Those before `next` are not needed any more.
    buffer: Vec<u8>,
    /// The offset of the buffer in the file.
    base: u64,
    /// The start of the next line in the buffer.
    next: usize,
    /// There is no line end before this position, from `next` on.
    scanned: usize,
    /// Whether the buffer ends at the end of the file.
    ended: bool,
    /// The line ends of a piece.
    ends: Vec<LineEnd>,
    /// The state of a decoder that affects later lines.
    running: Option<Running>,
    failure: Option<Failure>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Looking for the first line end.
    Skip,
    /// At the start of the file.
    First,
    /// At the start of a later line.
    Lines,
    Done,
}

/// The result of [`Part::step`].
enum Step {
    Continue,
    /// Returns to the caller: the batch is full, more input is needed, or the part has ended.
    Return,
}

/// A decoder that decodes the whole file.
struct Running {
    decoder: Decoder,
    /// The line so far.
    text: String,
    /// The first error in it.
    error: Option<DecodeError>,
    /// Whether the line before it ends with CR.
    after_cr: bool,
}

impl Part {
    /// `head` has the first four bytes of the file, or all if there are fewer.
    pub(super) fn new(settings: Settings, head: &[u8]) -> Self {
        let (encoding, mark_len) = mark(&settings, head).unwrap_or((settings.encoding, 0));
        let running = if settings.is_running(encoding) {
            Some(Running {
                decoder: decoder_with(encoding, OPTIONS),
                text: String::new(),
                error: None,
                after_cr: false,
            })
        } else {
            None
        };
        let frame = Frame::of(encoding);
        let unit = frame.unit as u64;
        // The line end before a line that begins at `start` is a code unit earlier.
        let (phase, base) = match settings.start {
            start if start >= settings.end => (Phase::Done, start),
            0 => (Phase::First, mark_len as u64),
            _ if running.is_some() => (Phase::First, 0),
            start => (Phase::Skip, start.div_ceil(unit).saturating_mul(unit) - unit),
        };
        Self {
            settings,
            encoding,
            frame,
            phase,
            buffer: Vec::new(),
            base,
            next: 0,
            scanned: 0,
            ended: false,
            ends: Vec::new(),
            running,
            failure: None,
        }
    }

    /// The offset in the file of the next byte to push.
    pub(super) fn position(&self) -> u64 {
        self.base + self.buffer.len() as u64
    }

    /// Whether there are no further lines.
    pub(super) fn is_done(&self) -> bool {
        self.phase == Phase::Done && self.failure.is_none()
    }

    /// Adds the next bytes of the file. If there are none, this is its end.
    pub(super) fn push(&mut self, data: &[u8]) -> Result<(), Failure> {
        if data.is_empty() {
            self.ended = true;
        }
        self.buffer.drain(..self.next);
        self.base += self.next as u64;
        self.scanned = self.scanned.saturating_sub(self.next);
        self.next = 0;
        if self.phase != Phase::Done {
            self.buffer.try_reserve(data.len())?;
            self.buffer.extend_from_slice(data);
        }
        Ok(())
    }

    /// Appends lines until the batch is full, more input is needed, or the part has ended.
    ///
    /// If it stops before a malformed line, the next call fails.
    pub(super) fn fill(&mut self, rows: &mut Rows) -> Result<(), Failure> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        while let Step::Continue = self.step(rows) {}
        match self.failure.take() {
            Some(failure) if rows.is_empty() => Err(failure),
            failure => {
                self.failure = failure;
                Ok(())
            }
        }
    }

    fn step(&mut self, rows: &mut Rows) -> Step {
        match self.phase {
            Phase::Done => return Step::Return,
            Phase::Skip => return self.skip(),
            Phase::Lines if self.base + self.next as u64 >= self.settings.end => return self.finish(),
            Phase::First | Phase::Lines => {}
        }
        if self.running.is_some() {
            return self.step_running(rows);
        }
        if self.next == self.buffer.len() {
            return if self.ended { self.finish() } else { Step::Return };
        }
        match self.piece() {
            Some(end) => self.decode_piece(end, rows),
            None => Step::Return,
        }
    }

    fn finish(&mut self) -> Step {
        self.phase = Phase::Done;
        (self.buffer, self.next, self.scanned) = (Vec::new(), 0, 0);
        Step::Return
    }

    fn fail(&mut self, failure: Failure) -> Step {
        self.failure = Some(failure);
        self.finish()
    }

    /// Looks for the start of the first line, and discards the bytes before it.
    fn skip(&mut self) -> Step {
        if let Some(end) = self.frame.first(&self.buffer, self.scanned, self.ended) {
            (self.next, self.scanned) = (end.next, end.next);
            self.phase = Phase::Lines;
            return Step::Continue;
        }
        self.scanned = self.undecided();
        // A line end that is not decided yet may begin here, and the next line after it.
        let earliest = self.base + (self.scanned + self.frame.unit) as u64;
        if self.ended || earliest >= self.settings.end {
            return self.finish();
        }
        self.next = self.scanned;
        Step::Return
    }

    /// Returns the position up to which more input cannot change the line ends. A CR at the end, possibly followed by half a code
    /// unit, may become CRLF.
    fn undecided(&self) -> usize {
        let unit = self.frame.unit;
        self.buffer.len().saturating_sub(2 * unit - 1) / unit * unit
    }

    /// Returns the end of the next lines to decode together, or `None` if more input is needed.
    fn piece(&mut self) -> Option<usize> {
        let end = self.settings.end.saturating_sub(self.base);
        let limit = usize::try_from(end).unwrap_or(usize::MAX).min(self.next + PIECE).min(self.buffer.len());
        if let Some(end) = self.frame.after_last(&self.buffer, self.next, limit, self.ended) {
            return Some(end);
        }
        // A long line, or the last one of the part.
        match self.frame.first(&self.buffer, self.scanned.max(self.next), self.ended) {
            Some(end) => Some(end.next),
            None if self.ended => Some(self.buffer.len()),
            None => {
                self.scanned = self.undecided().max(self.next);
                None
            }
        }
    }

    /// Decodes the lines up to `end`, if they fit into the batch.
    fn decode_piece(&mut self, end: usize, rows: &mut Rows) -> Step {
        let mut piece = self.buffer.get(self.next..end).unwrap_or_default();
        self.ends.clear();
        let mut at = 0;
        while at < piece.len() && self.ends.len() < rows.capacity() {
            // The piece ends at a line end, or at the end of the file.
            let whole = LineEnd { content: piece.len(), next: piece.len() };
            let end = self.frame.first(piece, at, true).unwrap_or(whole);
            if self.ends.try_reserve(1).is_err() {
                return self.fail(Failure::Memory);
            }
            self.ends.push(end);
            at = end.next;
        }
        piece = piece.get(..at).unwrap_or_default();
        if !rows.fits(piece.len(), self.ends.len()) {
            return Step::Return;
        }
        let offset = self.base + self.next as u64;
        let result = match self.decode_together(piece) {
            Ok(Some(text)) => push_text(&text, &self.ends, offset, rows),
            Ok(None) => self.decode_separately(piece, offset, rows),
            Err(error) => Err(error.into()),
        };
        self.next += piece.len();
        self.scanned = self.next;
        self.phase = Phase::Lines;
        match result {
            Ok(()) => Step::Continue,
            Err(failure) => self.fail(failure),
        }
    }

    /// Decodes a piece, unless something in it is malformed.
    fn decode_together<'a>(&self, piece: &'a [u8]) -> Result<Option<Cow<'a, str>>, TryReserveError> {
        // Each line of ISO-2022-JP may end in another state.
        if self.encoding == ISO_2022_JP {
            return Ok(None);
        }
        let (text, error) = decode(self.encoding, piece, false)?;
        Ok(error.is_none().then_some(text))
    }

    /// Decodes each line of a piece, to find the malformed ones.
    fn decode_separately(&self, piece: &[u8], offset: u64, rows: &mut Rows) -> Result<(), Failure> {
        let mut start = 0;
        for end in &self.ends {
            let content = piece.get(start..end.content).unwrap_or_default();
            // What an incomplete sequence decodes to may depend on the following byte: after 81 30 of gb18030, a line end
            // restores the digit.
            let source = match self.encoding {
                ISO_2022_JP => content,
                _ => piece.get(start..end.next).unwrap_or_default(),
            };
            let offset = offset + start as u64;
            let (text, error) = decode(self.encoding, source, true)?;
            let text = if source.len() > content.len() { without_line_end(&text) } else { &text };
            match error {
                Some(error) => self.push_malformed(rows, text, offset, content, error)?,
                // An escape sequence at the end of the file is not a line.
                None if text.is_empty() && end.next == end.content => {}
                None => push(rows, Some(text), offset, None)?,
            }
            start = end.next;
        }
        Ok(())
    }

    /// Appends a malformed line.
    fn push_malformed(
        &self,
        rows: &mut Rows,
        text: &str,
        offset: u64,
        content: &[u8],
        error: DecodeError,
    ) -> Result<(), Failure> {
        match self.settings.errors {
            Errors::Replace => push(rows, Some(text), offset, Some(content)),
            Errors::Null => push(rows, None, offset, Some(content)),
            Errors::Drop => Ok(()),
            // The offsets of a decoder of the whole file start at 0, those of a line at its start.
            Errors::Strict if self.running.is_some() => Err(malformed(offset, content, offset, error)),
            Errors::Strict => Err(malformed(offset, content, 0, error)),
        }
    }

    /// Decodes up to the next byte that may be a line end. It is one only if it decodes to LF or CR: after an escape sequence of
    /// ISO-2022-JP, it may be malformed.
    fn step_running(&mut self, rows: &mut Rows) -> Step {
        let Some(running) = &mut self.running else {
            return Step::Return;
        };
        let found = self.frame.first(&self.buffer, self.scanned, self.ended);
        let Some(LineEnd { content, next: after }) = found.or_else(|| {
            // The last line of the file.
            let len = self.buffer.len();
            self.ended.then_some(LineEnd { content: len, next: len })
        }) else {
            let undecided = self.buffer.len().saturating_sub(1).max(self.scanned);
            if running.push(self.buffer.get(self.scanned..undecided).unwrap_or_default()).is_err() {
                return self.fail(Failure::Memory);
            }
            self.scanned = undecided;
            return Step::Return;
        };
        if !rows.fits(after - self.next, 1) {
            return Step::Return;
        }
        let last = found.is_none();
        let mut pushed = running.push(self.buffer.get(self.scanned..after).unwrap_or_default());
        if last && pushed.is_ok() {
            pushed = running.finish();
        }
        if pushed.is_err() {
            return self.fail(Failure::Memory);
        }
        self.scanned = after;
        if !last && !running.text.ends_with(['\n', '\r']) {
            return Step::Continue;
        }
        let (text, error) = (std::mem::take(&mut running.text), running.error.take());
        // An escape sequence between CR and LF does not make two line ends of them.
        let split = std::mem::replace(&mut running.after_cr, text.ends_with('\r')) && text == "\n";
        let line = self.buffer.get(self.next..content).unwrap_or_default();
        let offset = self.base + self.next as u64;
        // An escape sequence at the end of the file is not a line.
        let result = if offset < self.settings.start || split || last && text.is_empty() {
            Ok(())
        } else {
            let text = if last { &text } else { without_line_end(&text) };
            match error {
                None => push(rows, Some(text), offset, None),
                Some(error) => self.push_malformed(rows, text, offset, line, error),
            }
        };
        self.next = after;
        self.phase = Phase::Lines;
        match result {
            Err(failure) => self.fail(failure),
            Ok(()) if last => self.finish(),
            Ok(()) => Step::Continue,
        }
    }
}

impl Running {
    fn push(&mut self, bytes: &[u8]) -> Result<(), TryReserveError> {
        append(&mut self.decoder, bytes, false, &mut self.text, &mut self.error, true)
    }

    fn finish(&mut self) -> Result<(), TryReserveError> {
        append(&mut self.decoder, b"", true, &mut self.text, &mut self.error, true)
    }
}

/// The options of decoders for [`append`].
const OPTIONS: DecodeOptions = DecodeOptions::new().bom(Bom::Keep).malformed(Malformed::Pause);

/// Decodes a whole input, up to the first error unless `continues`. Returns the text, with U+FFFD for each error,
/// and the first error. Borrows the text if no conversion is needed.
fn decode(
    encoding: Encoding,
    bytes: &[u8],
    continues: bool,
) -> Result<(Cow<'_, str>, Option<DecodeError>), TryReserveError> {
    if encoding == UTF_8 || encoding.is_ascii_compatible() && utf::ascii_valid_up_to(bytes) == bytes.len() {
        let text = utf::utf8_prefix(bytes);
        if text.len() == bytes.len() {
            return Ok((text.into(), None));
        }
    }
    let (mut text, mut error) = (String::new(), None);
    append(&mut decoder_with(encoding, OPTIONS), bytes, true, &mut text, &mut error, continues)?;
    Ok((text.into(), error))
}

/// Decodes a chunk, up to the first error unless `continues`. Replaces errors, and keeps the first one.
fn append(
    decoder: &mut Decoder,
    mut bytes: &[u8],
    last: bool,
    text: &mut String,
    first: &mut Option<DecodeError>,
    continues: bool,
) -> Result<(), TryReserveError> {
    loop {
        // Enough for most text, and for all text that is short.
        let room = if bytes.len() <= PIECE { 3 * bytes.len() } else { bytes.len() + bytes.len() / 2 };
        text.try_reserve(room + Decoder::MIN_UTF8_BUFFER_LEN)?;
        let progress = decoder.decode_within_capacity(bytes, text, last);
        bytes = bytes.get(progress.read..).unwrap_or_default();
        match progress.status {
            Status::InputEmpty => return Ok(()),
            Status::Error(error) => {
                text.try_reserve(char::REPLACEMENT_CHARACTER.len_utf8())?;
                text.push(char::REPLACEMENT_CHARACTER);
                first.get_or_insert(error);
                if !continues {
                    return Ok(());
                }
            }
            _ => {}
        }
    }
}

/// Appends the lines of a well-formed piece that decodes to `text`. `offset` is its offset in the file.
fn push_text(text: &str, ends: &[LineEnd], offset: u64, rows: &mut Rows) -> Result<(), Failure> {
    let (mut start, mut text_start) = (0, 0);
    for end in ends {
        let whole = LineEnd { content: text.len(), next: text.len() };
        let text_end = Frame::BYTES.first(text.as_bytes(), text_start, true).unwrap_or(whole);
        let line = text.get(text_start..text_end.content).unwrap_or_default();
        push(rows, Some(line), offset + start as u64, None)?;
        (start, text_start) = (end.next, text_end.next);
    }
    Ok(())
}

fn push(rows: &mut Rows, text: Option<&str>, offset: u64, corrupt: Option<&[u8]>) -> Result<(), Failure> {
    rows.push(text, offset, corrupt).map_err(|refused| match refused {
        Refused::TooLong => Failure::TooLong { offset },
        Refused::Memory => Failure::Memory,
    })
}

/// `base` is the offset in the file of the decoder's input.
fn malformed(offset: u64, line: &[u8], base: u64, error: DecodeError) -> Failure {
    let within = |at: u64| usize::try_from(at.saturating_sub(base)).map_or(line.len(), |at| at.min(line.len()));
    let range = within(error.range().start)..within(error.range().end);
    let mut copy = Vec::new();
    if copy.try_reserve_exact(line.len()).is_err() {
        return Failure::Memory;
    }
    copy.extend_from_slice(line);
    Failure::Malformed { offset, line: copy, range, error }
}

/// The content of a line has neither LF nor CR.
fn without_line_end(text: &str) -> &str {
    text.trim_end_matches(['\n', '\r'])
}
