//! Decoding per line: the first encoding in which the line is well-formed.

use alloc::{string::String, vec::Vec};

use textcodec::{DecodeError, DecodeTarget, Decoder, Encoding, UTF_8, utf::utf8_valid_up_to};

use super::{
    Mixed, MixedError, OnError, Place, State, decoder, is_well_formed, is_wide, newlines,
    wide::{Decision, Wide, Window, line_end},
};

#[derive(Clone)]
pub(super) struct Lines {
    /// Bytes that are not decoded yet, from the start of a line. At most [`Mixed::MAX_LINE`] bytes between two calls.
    pending: Vec<u8>,
    /// The offset of the first of them.
    offset: u64,
    /// The number of their line.
    line: u64,
    /// Decodes the rest of a line that is too long to be kept.
    long: Option<Long>,
    /// Finds lines in UTF-16, if it is in the list.
    wide: Option<Wide>,
    scratch: Vec<u8>,
}

/// A line that is too long to be kept.
#[derive(Clone)]
struct Long {
    decoder: Decoder,
    /// The offset of the line, where the decoder has started.
    base: u64,
    end: LineEnd,
}

/// How a line ends.
#[derive(Clone, Copy)]
enum LineEnd {
    Byte,
    /// In UTF-16: these two bytes. `is_odd` says that the next byte is the second one of its code unit, and `previous` is the first.
    Unit {
        bytes: [u8; 2],
        is_odd: bool,
        previous: u8,
    },
}

impl core::fmt::Debug for Lines {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { offset, line, .. } = self;
        f.debug_struct("Lines").field("offset", offset).field("line", line).finish_non_exhaustive()
    }
}

impl Lines {
    pub(super) fn new(encodings: &[Encoding]) -> Self {
        Self { pending: Vec::new(), offset: 0, line: 1, long: None, wide: Wide::new(encodings), scratch: Vec::new() }
    }

    /// Makes the first line be read as after a line in this encoding.
    pub(super) fn start_in(&mut self, encoding: Encoding) {
        if let Some(wide) = self.wide.as_mut().filter(|_| is_wide(encoding)) {
            wide.previous = Some(encoding);
        }
    }

    pub(super) fn run<T: DecodeTarget>(
        &mut self,
        state: &mut State,
        chunk: &[u8],
        out: &mut T,
        last: bool,
        on_error: OnError<'_>,
    ) -> Result<(), MixedError> {
        let mut rest = chunk;
        loop {
            rest = self.continue_long(state, rest, out, on_error)?;
            rest = self.decode_bulk(state, rest, out)?;
            if self.wide.is_some() {
                rest = self.decode_decided(state, rest, last, out, on_error)?;
                if rest.is_empty() {
                    break;
                }
                continue;
            }
            let window = &rest[..rest.len().min(Mixed::MAX_LINE - self.pending.len())];
            match window.iter().position(|&byte| byte == b'\n') {
                Some(at) => {
                    let (line, after) = rest.split_at(at + 1);
                    rest = after;
                    self.decode_line(state, line, out, on_error)?;
                }
                None => {
                    self.pending.extend_from_slice(window);
                    rest = &rest[window.len()..];
                    if self.pending.len() == Mixed::MAX_LINE {
                        let pending = core::mem::take(&mut self.pending);
                        let index = self.choose(state, &pending, false);
                        self.start_long(state, index, &pending, out, on_error)?;
                    } else if rest.is_empty() {
                        break;
                    }
                }
            }
        }
        if last {
            if !self.pending.is_empty() {
                self.decode_line(state, &[], out, on_error)?;
            }
            if let Some(Long { decoder, base, .. }) = self.long.take() {
                end(state, decoder, (base, self.line), out, on_error)?;
            }
        }
        Ok(())
    }

    /// Decodes whole lines of UTF-8 at the start of the input, if it is the first encoding. Returns the rest.
    fn decode_bulk<'a, T: DecodeTarget>(
        &mut self,
        state: &mut State,
        rest: &'a [u8],
        out: &mut T,
    ) -> Result<&'a [u8], MixedError> {
        let is_after_wide = self.wide.as_ref().is_some_and(|wide| wide.previous.is_some());
        if !self.pending.is_empty() || self.long.is_some() || is_after_wide || state.encodings[0] != UTF_8 {
            return Ok(rest);
        }
        let mut valid = utf8_valid_up_to(rest);
        if self.wide.is_some() {
            // A zero byte after a line feed may belong to it.
            let zero = rest[..valid].iter().position(|&byte| byte == 0);
            valid = zero.unwrap_or(valid).saturating_sub(1);
        }
        let Some(end) = rest[..valid].iter().rposition(|&byte| byte == b'\n') else { return Ok(rest) };
        let (lines, rest) = rest.split_at(end + 1);
        let mut decoder = decoder(UTF_8);
        let count = newlines(lines);
        // It is well-formed, so only memory can be missing.
        decoder.push(lines, out).map_err(|error| MixedError::new(error, self.offset, self.line))?;
        state.summary.add_first(count);
        if let Some(wide) = &mut self.wide {
            wide.forget(lines.len());
        }
        self.offset += lines.len() as u64;
        self.line += count;
        Ok(rest)
    }

    /// Decodes a line: what is pending, and then `more`.
    fn decode_line<T: DecodeTarget>(
        &mut self,
        state: &mut State,
        more: &[u8],
        out: &mut T,
        on_error: OnError<'_>,
    ) -> Result<(), MixedError> {
        let mut pending = core::mem::take(&mut self.pending);
        let line = if pending.is_empty() {
            more
        } else {
            pending.extend_from_slice(more);
            &pending
        };
        let index = self.choose(state, line, true);
        let result = self.decode_part(state, index, line, line.ends_with(b"\n"), out, on_error);
        // Keeps the allocation.
        pending.clear();
        self.pending = pending;
        result
    }

    /// Decodes a part with the encoding that has this index, and advances past it.
    fn decode_part<T: DecodeTarget>(
        &mut self,
        state: &mut State,
        index: usize,
        part: &[u8],
        ends_line: bool,
        out: &mut T,
        on_error: OnError<'_>,
    ) -> Result<(), MixedError> {
        let encoding = state.encodings[index];
        let (base, line) = (self.offset, self.line);
        self.offset += part.len() as u64;
        self.line += u64::from(ends_line);
        state.summary.add(index, Place::new(encoding, line, base..self.offset), state.max_places);
        let mut decoder = decoder(encoding);
        push(state, &mut decoder, part, (base, line), out, on_error)?;
        end(state, decoder, (base, line), out, on_error)
    }

    /// Returns the index of the first encoding in which a line is well-formed, or of the last one. Those with code units of two
    /// bytes are left out.
    fn choose(&mut self, state: &State, line: &[u8], is_whole: bool) -> usize {
        let scratch = &mut self.scratch;
        let mut last = 0;
        for (index, &encoding) in state.encodings.iter().enumerate().filter(|(_, encoding)| !is_wide(**encoding)) {
            last = index;
            let is_well_formed = if encoding == UTF_8 && is_whole {
                utf8_valid_up_to(line) == line.len()
            } else {
                is_well_formed(encoding, line, is_whole, scratch)
            };
            if is_well_formed {
                break;
            }
        }
        last
    }

    /// Decodes lines as far as their encoding is known, with UTF-16 in the list. Stops within a line that is too long to be kept, and
    /// returns the rest.
    fn decode_decided<'a, T: DecodeTarget>(
        &mut self,
        state: &mut State,
        mut rest: &'a [u8],
        last: bool,
        out: &mut T,
        on_error: OnError<'_>,
    ) -> Result<&'a [u8], MixedError> {
        let Some(mut wide) = self.wide.take() else { return Ok(rest) };
        let mut pending = core::mem::take(&mut self.pending);
        let mut at = 0;
        let mut result = Ok(());
        while result.is_ok() && self.long.is_none() {
            if pending.len() - at < Mixed::MAX_LINE && !rest.is_empty() {
                forget(&mut pending, &mut at, &mut wide);
                let (more, after) = rest.split_at(rest.len().min(2 * Mixed::MAX_LINE - pending.len()));
                pending.extend_from_slice(more);
                rest = after;
            }
            let len = pending.len().min(at + Mixed::MAX_LINE);
            let mut window = Window { bytes: &pending[..len], at, is_all_known: false };
            let mut decision = wide.decide(&window, state);
            let ended = last && rest.is_empty() && len == pending.len();
            window.is_all_known = ended || len == at + Mixed::MAX_LINE;
            if decision.is_none() && window.is_all_known {
                decision = wide.decide(&window, state);
            }
            let (index, len, ends_line) = match decision {
                None => break,
                Some(Decision::Bytes(len)) => {
                    wide.previous = None;
                    let part = &pending[at..at + len];
                    let is_whole = part.ends_with(b"\n") || ended || at + len < window.bytes.len();
                    (self.choose(state, part, is_whole), len, part.ends_with(b"\n"))
                }
                Some(Decision::Wide { encoding, len, ends_line }) => {
                    wide.previous = Some(encoding);
                    (state.index_of(encoding), len, ends_line)
                }
            };
            let part = &pending[at..at + len];
            let is_cut = !ends_line && !ended && at + len == window.bytes.len();
            result = if is_cut {
                self.start_long(state, index, part, out, on_error)
            } else {
                self.decode_part(state, index, part, ends_line, out, on_error)
            };
            at += len;
            if self.long.is_some() {
                // The rest of the line may be in what was kept, too.
                forget(&mut pending, &mut at, &mut wide);
                let len = self.continue_long(state, &pending, out, on_error)?.len();
                at = pending.len() - len;
            }
        }
        forget(&mut pending, &mut at, &mut wide);
        (self.pending, self.wide) = (pending, Some(wide));
        result.map(|()| rest)
    }

    /// Starts a line that is too long to be kept, with the encoding that has this index.
    fn start_long<T: DecodeTarget>(
        &mut self,
        state: &mut State,
        index: usize,
        part: &[u8],
        out: &mut T,
        on_error: OnError<'_>,
    ) -> Result<(), MixedError> {
        let encoding = state.encodings[index];
        let end = self.offset + part.len() as u64;
        state.summary.add(index, Place::new(encoding, self.line, self.offset..end), state.max_places);
        let mut decoder = decoder(encoding);
        push(state, &mut decoder, part, (self.offset, self.line), out, on_error)?;
        let line_end = if is_wide(encoding) {
            let (is_odd, previous) = (!part.len().is_multiple_of(2), part.last().copied().unwrap_or_default());
            LineEnd::Unit { bytes: line_end(encoding), is_odd, previous }
        } else {
            LineEnd::Byte
        };
        self.long = Some(Long { decoder, base: self.offset, end: line_end });
        self.offset = end;
        Ok(())
    }

    /// Decodes the rest of a line that is too long to be kept. Returns what follows it.
    fn continue_long<'a, T: DecodeTarget>(
        &mut self,
        state: &mut State,
        rest: &'a [u8],
        out: &mut T,
        on_error: OnError<'_>,
    ) -> Result<&'a [u8], MixedError> {
        let Some(mut long) = self.long.take() else { return Ok(rest) };
        let end_of_line = long.end.find(rest);
        let (part, after) = rest.split_at(end_of_line.unwrap_or(rest.len()));
        push(state, &mut long.decoder, part, (long.base, self.line), out, on_error)?;
        self.offset += part.len() as u64;
        if end_of_line.is_some() {
            end(state, long.decoder, (long.base, self.line), out, on_error)?;
            self.line += 1;
        } else {
            self.long = Some(long);
        }
        Ok(after)
    }
}

/// Removes the bytes before `at`.
fn forget(pending: &mut Vec<u8>, at: &mut usize, wide: &mut Wide) {
    pending.drain(..*at);
    wide.forget(core::mem::take(at));
}

impl LineEnd {
    /// Returns the end of the line in the next bytes.
    fn find(&mut self, rest: &[u8]) -> Option<usize> {
        match self {
            Self::Byte => rest.iter().position(|&byte| byte == b'\n').map(|at| at + 1),
            Self::Unit { bytes, is_odd, previous } => {
                for (at, &byte) in rest.iter().enumerate() {
                    if *is_odd && [*previous, byte] == *bytes {
                        return Some(at + 1);
                    }
                    (*is_odd, *previous) = (!*is_odd, byte);
                }
                None
            }
        }
    }
}

impl State {
    fn index_of(&self, encoding: Encoding) -> usize {
        self.encodings.iter().position(|it| *it == encoding).unwrap_or_default()
    }

    /// Decodes bytes as a line without UTF-16 would be decoded.
    pub(super) fn decode_as_bytes(&self, bytes: &[u8]) -> String {
        let encodings = self.encodings.iter().filter(|encoding| !is_wide(**encoding));
        let mut text = String::new();
        for &encoding in encodings {
            text.clear();
            let mut decoder = decoder(encoding);
            // Cannot fail: malformed sequences are replaced.
            let _ = decoder.push(bytes, &mut text);
            let is_clean = decoder.errors().is_empty();
            let is_complete = decoder.finish(&mut text).is_ok_and(|summary| summary.errors.is_empty());
            if is_clean && is_complete {
                break;
            }
        }
        text
    }
}

/// Decodes bytes of a line. `at` is the offset at which the decoder has started, and the number of the line.
fn push<T: DecodeTarget>(
    state: &mut State,
    decoder: &mut Decoder,
    bytes: &[u8],
    at: (u64, u64),
    out: &mut T,
    on_error: OnError<'_>,
) -> Result<(), MixedError> {
    let mut failed = None;
    let result = decoder.push_with(bytes, out, handler(state, at, on_error, &mut failed));
    result.map_err(|error| failed.unwrap_or_else(|| MixedError::new(error, at.0, at.1)))
}

/// Ends a line.
fn end<T: DecodeTarget>(
    state: &mut State,
    decoder: Decoder,
    at: (u64, u64),
    out: &mut T,
    on_error: OnError<'_>,
) -> Result<(), MixedError> {
    let mut failed = None;
    let result = decoder.finish_with(out, handler(state, at, on_error, &mut failed)).map(|_| ());
    result.map_err(|error| failed.unwrap_or_else(|| MixedError::new(error, at.0, at.1)))
}

fn handler<'a>(
    state: &'a mut State,
    (base, line): (u64, u64),
    on_error: OnError<'a>,
    failed: &'a mut Option<MixedError>,
) -> impl FnMut(&DecodeError) -> Option<alloc::borrow::Cow<'static, str>> {
    move |error| {
        let error = MixedError::new(error.clone(), base, line);
        let text = on_error(&error);
        match text {
            Some(_) => state.summary.add_error(&error),
            // `finish_with` continues after an error: the first one counts.
            None => {
                failed.get_or_insert(error);
            }
        }
        text
    }
}
