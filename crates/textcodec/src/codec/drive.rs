//! The two loops: one for decoding, one for encoding. They know capacity and position; codecs know neither.

use core::ops::Range;

use super::{
    Decode, Encode, EncodeStep, Replay, Step,
    any::{DecodeVisitor, EncodeVisitor},
    sink::{HeldBytes, HeldCharacters, Unit},
    source::{Next, Source},
};
use crate::{
    encoding::Encoding,
    error::{DecodeError, EncodeError, Errors, Reason},
    kernel::{Level, Out},
    options::Unmappable,
    testing,
};

/// So many errors in a row, and kernels are not called before the next character: what follows is likely to be bad too, and
/// a call costs more than a handler's step.
const PATIENCE: u8 = 2;

/// Why a loop stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop<E> {
    /// All input is taken.
    InputEmpty,
    /// What comes next has no room.
    OutputFull,
    /// An error that the options do not let pass.
    Error(E),
}

/// What does not change during a call.
#[derive(Debug)]
pub(crate) struct Call<'a, S: ?Sized, P> {
    pub(crate) encoding: Encoding,
    pub(crate) level: Level,
    pub(crate) src: &'a S,
    /// The input ends with `src`.
    pub(crate) last: bool,
    pub(crate) policy: P,
}

/// What becomes of unmappable characters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EncodePolicy {
    pub(crate) unmappable: Unmappable,
    /// For *encode or fail*, whose callers write ASCII for the character themselves, and so never find part of another one.
    pub(crate) for_hooks: bool,
}

impl EncodePolicy {
    pub(crate) fn new(unmappable: Unmappable) -> Self {
        Self { unmappable, for_hooks: false }
    }

    /// Whether an error comes when the standard's handler says so, which in ISO-2022-JP is behind an escape sequence to ASCII.
    /// What stands for the character is ASCII then. Otherwise it comes before: without ASCII behind it, that escape sequence
    /// and the next one would make an error for decoders.
    fn is_as_standard(self) -> bool {
        self.for_hooks || matches!(self.unmappable, Unmappable::Fail | Unmappable::Html)
    }
}

/// A call on a decoder.
pub(crate) struct DecodeCall<'a, 'c, 'o, U> {
    pub(crate) state: &'a mut DecodeState,
    pub(crate) call: Call<'c, [u8], bool>,
    pub(crate) out: &'a mut Out<'o, U>,
}

impl<U: Unit> DecodeVisitor for DecodeCall<'_, '_, '_, U> {
    type Output = (usize, Stop<DecodeError>);

    fn visit<D: Decode>(self, codec: &mut D) -> Self::Output {
        self.state.run(codec, &self.call, self.out)
    }
}

/// A call on kernels alone, where nothing waits.
pub(crate) struct BulkCall<'a, 'o, S: ?Sized, U> {
    pub(crate) level: Level,
    pub(crate) src: &'a S,
    pub(crate) out: &'a mut Out<'o, U>,
}

impl<U: Unit> DecodeVisitor for BulkCall<'_, '_, [u8], U> {
    /// None within a sequence.
    type Output = Option<usize>;

    #[inline]
    fn visit<D: Decode>(self, codec: &mut D) -> Option<usize> {
        if !codec.is_neutral() {
            return None;
        }
        if self.src.is_empty() {
            // Its address may be none, and a load under a mask from there is slow.
            return Some(0);
        }
        let bulk = U::bulk(codec, self.level.kernels(), self.src, self.out);
        testing::count_bulk(bulk);
        Some(bulk)
    }
}

impl<S: Source + ?Sized> EncodeVisitor for BulkCall<'_, '_, S, u8> {
    /// How many units are taken, and whether the encoder may end there without a word.
    type Output = (usize, bool);

    #[inline]
    fn visit<E: Encode>(self, codec: &mut E) -> (usize, bool) {
        let bulk = if self.src.units() == 0 { 0 } else { self.src.bulk(0, codec, self.level.kernels(), self.out) };
        testing::count_bulk(bulk);
        (bulk, codec.is_at_rest())
    }
}

/// A call on an encoder.
pub(crate) struct EncodeCall<'a, 'c, 'o, S: ?Sized> {
    pub(crate) state: &'a mut EncodeState,
    pub(crate) call: Call<'c, S, EncodePolicy>,
    pub(crate) out: &'a mut Out<'o, u8>,
}

impl<S: Source + ?Sized> EncodeVisitor for EncodeCall<'_, '_, '_, S> {
    type Output = (usize, Stop<EncodeError>);

    fn visit<E: Encode>(self, codec: &mut E) -> Self::Output {
        self.state.run(codec, &self.call, self.out)
    }
}

/// A decoder's position, and what it keeps between calls beside the codec's own state.
#[derive(Clone, Debug, Default)]
pub(crate) struct DecodeState {
    /// Bytes that a handler, or the search for a byte order mark, gave back.
    pub(crate) replay: Replay,
    pub(crate) held: HeldCharacters,
    /// How many bytes of the whole input are read.
    pub(crate) taken: u64,
    pub(crate) errors: Errors<DecodeError>,
    sequence: Sequence,
}

/// The bytes taken since the handler was last neutral.
#[derive(Clone, Copy, Debug, Default)]
struct Sequence {
    start: u64,
    bytes: [u8; 4],
    len: u8,
}

impl DecodeState {
    /// Decodes a chunk; `replace` says whether errors become U+FFFD. Returns how many bytes of it are read.
    fn run<D: Decode, U: Unit>(
        &mut self,
        codec: &mut D,
        call: &Call<'_, [u8], bool>,
        out: &mut Out<'_, U>,
    ) -> (usize, Stop<DecodeError>) {
        let mut read = 0;
        let mut patience = PATIENCE;
        loop {
            if !self.held.flush(out) {
                return (read, Stop::OutputFull);
            }
            if codec.is_neutral() {
                if self.replay.len() == 0 && patience > 0 {
                    let bulk = U::bulk(codec, call.level.kernels(), &call.src[read..], out);
                    testing::count_bulk(bulk);
                    read += bulk;
                    self.taken += bulk as u64;
                    if read == call.src.len() {
                        return (read, Stop::InputEmpty);
                    }
                    if call.policy && !self.errors.is_empty() {
                        let skipped = self.replace_malformed(codec, &call.src[read..], out);
                        read += skipped;
                        if skipped > 0 {
                            continue;
                        }
                    }
                }
                self.sequence.begin(self.position());
            }
            let byte = self.replay.pop().or_else(|| {
                let &byte = call.src.get(read)?;
                read += 1;
                self.taken += 1;
                testing::count_handled(1);
                Some(byte)
            });
            match byte {
                Some(byte) => self.sequence.push(byte),
                None if !call.last => return (read, Stop::InputEmpty),
                None => {}
            }
            match codec.handle(byte, &mut self.replay) {
                Step::Continue => {}
                Step::Emit(character) => {
                    patience = PATIENCE;
                    if let Some(before) = self.put_or_leave(codec, character, read, out) {
                        return (before, Stop::OutputFull);
                    }
                }
                Step::EmitTwo(first, second) => {
                    patience = PATIENCE;
                    if let Some(before) = self.put_or_leave(codec, first, read, out) {
                        return (before, Stop::OutputFull);
                    }
                    self.held.put(second, out);
                }
                Step::Error(reason) => {
                    if !call.policy {
                        let error = self.error(call.encoding, reason);
                        // At the end of the input no byte shows the error.
                        let back = if byte.is_some() { self.replay.give_back(codec.unread(reason, read)) } else { 0 };
                        self.taken -= back as u64;
                        return (read - back, Stop::Error(error));
                    }
                    if self.errors.is_empty() {
                        self.errors.add(self.error(call.encoding, reason));
                    } else {
                        self.errors.count_another();
                    }
                    patience = patience.saturating_sub(1);
                    self.held.put(char::REPLACEMENT_CHARACTER, out);
                }
                Step::Finished => {
                    // `replacement` finishes before its input does.
                    self.taken += (call.src.len() - read) as u64;
                    return (call.src.len(), Stop::InputEmpty);
                }
            }
        }
    }

    /// Writes the character that has just been decoded. Where it has no room, it is left unread, if all of it is in this chunk, of
    /// which `read` bytes are read; returns how many are before it. Otherwise it waits.
    #[inline]
    fn put_or_leave<D: Decode, U: Unit>(
        &mut self,
        codec: &D,
        character: char,
        read: usize,
        out: &mut Out<'_, U>,
    ) -> Option<usize> {
        if U::put(character, out) {
            return None;
        }
        debug_assert!(codec.is_neutral(), "behind a character");
        let len = (self.taken - self.sequence.start) as usize;
        let before = read.checked_sub(len).filter(|_| self.replay.len() == 0);
        match before {
            Some(_) => self.taken -= len as u64,
            None => self.held.put(character, out),
        }
        before
    }

    /// Replaces what is malformed at the front, behind the first error, of which alone more is said than that it was there.
    /// Returns how many bytes it has.
    fn replace_malformed<D: Decode, U: Unit>(&mut self, codec: &D, src: &[u8], out: &mut Out<'_, U>) -> usize {
        let mut read = 0;
        while let Some(len) = codec.malformed(&src[read..]) {
            if !U::put(char::REPLACEMENT_CHARACTER, out) {
                break;
            }
            self.errors.count_another();
            read += len;
        }
        self.taken += read as u64;
        testing::count_handled(read);
        read
    }

    /// Begins a new input behind the end of one, where nothing waits. Most inputs leave no more than their length behind.
    #[inline]
    pub(crate) fn restart(&mut self) {
        self.taken = 0;
        if !self.errors.is_empty() {
            self.errors = Errors::default();
        }
    }

    /// Nothing waits for room or to be decoded again.
    #[inline]
    pub(crate) fn is_idle(&self) -> bool {
        self.replay.len() == 0 && self.held.len() == 0
    }

    /// How many bytes of the whole input are decoded or in the handler's hands.
    fn position(&self) -> u64 {
        self.taken - self.replay.len() as u64
    }

    /// The error's range starts where the sequence does, and ends before what the handler restored.
    fn error(&self, encoding: Encoding, reason: Reason) -> DecodeError {
        let Sequence { start, bytes, .. } = self.sequence;
        DecodeError::new(encoding, start..self.position(), bytes, reason)
    }
}

impl Sequence {
    #[inline]
    fn begin(&mut self, start: u64) {
        (self.start, self.len) = (start, 0);
    }

    #[inline]
    fn push(&mut self, byte: u8) {
        if let Some(slot) = self.bytes.get_mut(usize::from(self.len)) {
            *slot = byte;
            self.len += 1;
        }
    }
}

/// An encoder's position, and what it keeps between calls beside the codec's own state.
#[derive(Clone, Debug, Default)]
pub(crate) struct EncodeState {
    pub(crate) held: HeldBytes,
    /// A surrogate at the end of the last chunk.
    pub(crate) high: Option<u16>,
    /// How many units of the whole input are read.
    pub(crate) taken: u64,
    pub(crate) errors: Errors<EncodeError>,
    /// How many surrogates without their other half became U+FFFD.
    pub(crate) unpaired: u64,
    /// What a handler restored, or the replacement of a character that it has no bytes for.
    pub(crate) restored: Option<char>,
    /// The character in the handler's hands.
    current: Current,
}

#[derive(Clone, Debug, Default)]
struct Current {
    character: char,
    range: Range<u64>,
    /// It stands for a surrogate without its other half.
    unpaired: bool,
    /// The code point of its error, once another character stands for it.
    replaced: Option<char>,
}

impl EncodeState {
    /// Begins a new text behind the end of one, where nothing waits.
    #[inline]
    pub(crate) fn restart(&mut self) {
        self.taken = 0;
        self.unpaired = 0;
        if !self.errors.is_empty() {
            self.errors = Errors::default();
        }
    }

    /// Nothing waits for room, for its other half, or to be encoded again.
    #[inline]
    pub(crate) fn is_idle(&self) -> bool {
        self.held.len() == 0 && self.high.is_none() && self.restored.is_none()
    }

    /// Encodes a chunk. Returns how many units of it are read.
    fn run<E: Encode, S: Source + ?Sized>(
        &mut self,
        codec: &mut E,
        call: &Call<'_, S, EncodePolicy>,
        out: &mut Out<'_, u8>,
    ) -> (usize, Stop<EncodeError>) {
        let mut read = 0;
        let mut patience = PATIENCE;
        loop {
            if !self.held.flush(!call.policy.for_hooks, out) {
                return (read, Stop::OutputFull);
            }
            if self.restored.is_none() && self.high.is_none() && patience > 0 {
                let bulk = call.src.bulk(read, codec, call.level.kernels(), out);
                testing::count_bulk(bulk);
                read += bulk;
                self.taken += bulk as u64;
                if !call.last && read == call.src.units() {
                    return (read, Stop::InputEmpty);
                }
            }
            let item = match self.restored.take() {
                Some(character) => Some(character),
                None => match call.src.next(read, &mut self.high, call.last) {
                    Next::Item { character, before, read: units, unpaired } => {
                        let start = self.taken - before as u64;
                        read += units;
                        self.taken += units as u64;
                        self.unpaired += u64::from(unpaired);
                        self.current = Current { character, range: start..self.taken, unpaired, replaced: None };
                        testing::count_handled(units);
                        Some(character)
                    }
                    Next::Empty { read: units } => {
                        read += units;
                        self.taken += units as u64;
                        if !call.last {
                            return (read, Stop::InputEmpty);
                        }
                        None
                    }
                },
            };
            let step = match item.and_then(|character| codec.unmappable(character)) {
                Some(code_point) if !call.policy.is_as_standard() => EncodeStep::Error(code_point),
                _ => codec.handle(item, &mut self.restored),
            };
            match step {
                EncodeStep::Emit(bytes) => {
                    let of_character = item.map(|_| read);
                    if let Some(before) = self.put_or_leave(bytes.as_slice(), of_character, call.policy, out) {
                        return (before, Stop::OutputFull);
                    }
                    // Not behind an escape sequence, whose character is still to come.
                    if self.restored.is_none() {
                        match self.current.replaced.take() {
                            None => patience = PATIENCE,
                            Some(code_point) => {
                                patience = patience.saturating_sub(1);
                                self.count_error(call.encoding, code_point);
                            }
                        }
                    }
                }
                EncodeStep::Finished => return (read, Stop::InputEmpty),
                EncodeStep::Error(code_point) => {
                    let replaced = self.current.replaced;
                    let error = || self.current.error(call.encoding, replaced.unwrap_or(code_point));
                    match call.policy.unmappable {
                        Unmappable::Fail | Unmappable::Report => return (read, Stop::Error(error())),
                        Unmappable::Replace(_) if replaced.is_some() => return (read, Stop::Error(error())),
                        Unmappable::Html => {
                            let reference = Reference::new(code_point);
                            let left = self.put_or_leave(reference.as_slice(), Some(read), call.policy, out);
                            if let Some(before) = left {
                                return (before, Stop::OutputFull);
                            }
                        }
                        Unmappable::Skip => {}
                        Unmappable::Replace(character) => {
                            self.restored = Some(character);
                            self.current.replaced = Some(code_point);
                            continue;
                        }
                    }
                    patience = patience.saturating_sub(1);
                    self.count_error(call.encoding, code_point);
                }
            }
        }
    }

    /// Writes bytes, of the current character where `read` says how many units of this chunk are read. Where they have no room, it is
    /// left unread, if all of it is in this chunk; returns how many units are before it. Otherwise the bytes wait.
    #[inline]
    fn put_or_leave(
        &mut self,
        bytes: &[u8],
        read: Option<usize>,
        policy: EncodePolicy,
        out: &mut Out<'_, u8>,
    ) -> Option<usize> {
        if out.extend(bytes) {
            return None;
        }
        // A room that is too small from its start takes part of the bytes, and so gets on.
        let may_leave = out.filled() > 0 || out.room() == 0 || policy.for_hooks;
        // Bytes that wait behind an escape sequence, or in the place of another character, are not the whole of it.
        let is_whole = self.restored.is_none() && self.current.replaced.is_none();
        let before = read.filter(|_| may_leave && is_whole).and_then(|read| {
            let len = self.taken - self.current.range.start;
            read.checked_sub(len as usize)
        });
        match before {
            Some(_) => {
                self.taken = self.current.range.start;
                self.unpaired -= u64::from(self.current.unpaired);
            }
            None => self.held.put(bytes, !policy.for_hooks, out),
        }
        before
    }

    /// Counts the current character's error, which does not stop the text.
    fn count_error(&mut self, encoding: Encoding, code_point: char) {
        if self.errors.is_empty() {
            self.errors.add(self.current.error(encoding, code_point));
        } else {
            self.errors.count_another();
        }
    }
}

impl Current {
    fn error(&self, encoding: Encoding, code_point: char) -> EncodeError {
        EncodeError::Unmappable { encoding, character: self.character, code_point, range: self.range.clone() }
    }
}

/// `&#` decimal `;`: error mode "html" of *process an item*.
struct Reference {
    bytes: [u8; 10],
    from: usize,
}

impl Reference {
    fn new(code_point: char) -> Self {
        let mut reference = Self { bytes: [b';'; 10], from: 9 };
        let mut rest = u32::from(code_point);
        loop {
            reference.prepend(b'0' + (rest % 10) as u8);
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        reference.prepend(b'#');
        reference.prepend(b'&');
        reference
    }

    fn prepend(&mut self, byte: u8) {
        self.from -= 1;
        self.bytes[self.from] = byte;
    }

    fn as_slice(&self) -> &[u8] {
        &self.bytes[self.from..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_have_the_shortest_decimal() {
        assert_eq!(Reference::new('\0').as_slice(), b"&#0;");
        assert_eq!(Reference::new('\u{10FFFF}').as_slice(), b"&#1114111;");
    }
}
