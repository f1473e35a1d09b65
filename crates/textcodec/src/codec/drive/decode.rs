//! The decoding loop.

use super::{Call, Stop, Turn};
use crate::{
    codec::{
        Decode, Replaced, Replay, Step,
        items::{End, Items, OnMalformed},
        progress::{Costs, KernelCall, Progress},
        sink::{HeldCharacters, Unit},
        source::Text as _,
    },
    conversion::{DecodeError, DecodeReason, ErrorTally, PendingBytes},
    kernel::{Kernels, Level, Out},
    names::Encoding,
};

/// A decoder's position, and its state between calls apart from the codec's own.
#[derive(Clone, Debug)]
pub(crate) struct DecodeState {
    /// Bytes that a handler, or the detection of a byte order mark, restored.
    pub(crate) replay: Replay,
    pub(crate) held: HeldCharacters,
    pub(crate) progress: Progress,
    pub(crate) errors: ErrorTally<DecodeError>,
    sequence: Sequence,
}

/// The bytes that were read since the handler was last neutral: up to four, or eight with feature `oem`. After an error, the malformed
/// bytes, which are at most four.
#[derive(Clone, Copy, Debug)]
struct Sequence {
    start: u64,
    /// Little-endian. A word instead of an array: a four-byte load right after byte stores stalls the processor.
    bytes: Word,
    len: u8,
}

#[cfg(not(feature = "oem"))]
type Word = u32;
#[cfg(feature = "oem")]
type Word = u64;

/// A decoder as the loop calls it. Ordinary builds call it through a table of functions, so that the loop is compiled once for
/// each form of text, not for each decoder too. All but [`handle`](Self::handle) are called once for a stretch of input.
pub(crate) trait Codec<U: Unit> {
    /// See [`Decode::handle`].
    fn handle(&mut self, byte: Option<u8>, queue: &mut Replay) -> Step;

    /// See [`Decode::is_neutral`].
    fn is_neutral(&self) -> bool;

    /// See [`Decode::cannot_unread`].
    fn cannot_unread(&self) -> bool;

    /// See [`Decode::unread`].
    fn unread(&self, reason: DecodeReason, read: usize) -> usize;

    /// See [`Decode::COSTS`].
    fn costs(&self) -> Costs;

    /// Converts a prefix of `src` by a kernel. Returns how many bytes were read.
    fn bulk(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, U>) -> usize;

    /// See [`Decode::replaced`].
    fn replaced(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, U>) -> Replaced;

    /// Converts items until `stretch` bytes are read, or up to an item for the handler or an error.
    fn items(
        &mut self,
        level: Level,
        on_malformed: OnMalformed,
        src: &[u8],
        stretch: usize,
        out: &mut Out<'_, U>,
    ) -> Decoded;
}

impl<D: Decode, U: Unit> Codec<U> for D {
    fn handle(&mut self, byte: Option<u8>, queue: &mut Replay) -> Step {
        Decode::handle(self, byte, queue)
    }

    fn is_neutral(&self) -> bool {
        Decode::is_neutral(self)
    }

    fn cannot_unread(&self) -> bool {
        Decode::cannot_unread(self)
    }

    fn unread(&self, reason: DecodeReason, read: usize) -> usize {
        Decode::unread(self, reason, read)
    }

    fn costs(&self) -> Costs {
        D::COSTS
    }

    fn bulk(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, U>) -> usize {
        U::bulk(self, kernels, src, out)
    }

    fn replaced(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, U>) -> Replaced {
        if cfg!(textcodec_small) { Replaced::default() } else { Decode::replaced(self, kernels, src, out) }
    }

    fn items(
        &mut self,
        level: Level,
        on_malformed: OnMalformed,
        src: &[u8],
        stretch: usize,
        out: &mut Out<'_, U>,
    ) -> Decoded {
        out.write_locally(|out| {
            let mut items = Items::new(out, on_malformed, level);
            let read = Decode::items(self, src, stretch, &mut items);
            Decoded { read, malformed: items.malformed(), end: items.end(), sequence_len: items.sequence_len() }
        })
    }
}

impl DecodeState {
    /// The state before an input.
    // A constant is copied at once. Storing each field before the value is moved would stall the processor.
    pub(crate) const START: Self = Self {
        replay: Replay::EMPTY,
        held: HeldCharacters::EMPTY,
        progress: Progress::START,
        errors: ErrorTally::EMPTY,
        sequence: Sequence::at(0),
    };

    /// Decodes a chunk. The policy of `call` is whether errors become U+FFFD. Returns how many bytes were read, and why it stopped.
    // `call` is a reference, because moving a value right after its fields were stored one by one stalls the processor.
    #[inline]
    pub(crate) fn decode<U: Unit, C: Codec<U> + ?Sized>(
        &mut self,
        codec: &mut C,
        call: &Call<'_, [u8], bool>,
        out: &mut Out<'_, U>,
    ) -> (usize, Stop<DecodeReason>) {
        // Small builds know it: they have no kernel call before the loop.
        let (mut read, mut turn) = (0, if cfg!(textcodec_small) { Turn::Convert } else { call.turn });
        self.progress.is_ready = false;
        loop {
            if !self.held.flush(out) {
                return (read, Stop::OutputFull);
            }
            if read == call.src.len() && self.replay.len() == 0 && !call.last {
                return (read, Stop::InputEmpty);
            }
            if turn == Turn::Handle || codec.is_neutral() {
                if turn == Turn::Convert && self.replay.len() <= read {
                    // All restored bytes are in this chunk: unread them.
                    let restored = self.replay.drop_last(read);
                    read -= restored;
                    self.progress.position -= restored as u64;
                    let (more, stop) = self.convert_prefix(codec, call, &call.src[read..], out);
                    read += more;
                    if let Some(stop) = stop {
                        return (read, stop);
                    }
                }
                self.sequence.start_at(self.position());
            }
            turn = Turn::Convert;
            if let Some(stop) = self.handle(codec, call, &mut read, out) {
                return (read, stop);
            }
        }
    }

    /// Gives the next byte to the handler: a restored one, or that of the chunk after the first `read` ones. Returns why the call stops,
    /// unless it continues.
    // Not inlined: most calls need no handler, and would load its functions from the table all the same.
    #[cfg_attr(not(textcodec_small), inline(never))]
    fn handle<U: Unit, C: Codec<U> + ?Sized>(
        &mut self,
        codec: &mut C,
        call: &Call<'_, [u8], bool>,
        read: &mut usize,
        out: &mut Out<'_, U>,
    ) -> Option<Stop<DecodeReason>> {
        let byte = self.replay.pop().or_else(|| {
            let &byte = call.src.get(*read)?;
            *read += 1;
            self.progress.record_handled(1);
            Some(byte)
        });
        match byte {
            Some(byte) => self.sequence.push(byte),
            None if !call.last => return Some(Stop::InputEmpty),
            None => {}
        }
        let step = codec.handle(byte, &mut self.replay);
        match step {
            Step::Continue => {}
            Step::Emit(first) | Step::EmitTwo(first, _) => {
                if !U::put(first, out) {
                    let unread = if codec.cannot_unread() { None } else { self.unread(*read) };
                    match unread {
                        Some(before) => {
                            *read = before;
                            return Some(Stop::OutputFull);
                        }
                        None => self.held.put(first, out),
                    }
                }
                if let Step::EmitTwo(_, second) = step {
                    self.held.put(second, out);
                }
            }
            Step::Error(reason) => {
                // The malformed sequence ends before the bytes that the handler restored.
                self.sequence.end_at(self.position());
                if call.policy {
                    self.replace(call.encoding, reason, out);
                    return None;
                }
                // At the end of the input, no byte revealed the error.
                let unread = if byte.is_some() { self.replay.drop_last(codec.unread(reason, *read)) } else { 0 };
                self.progress.position -= unread as u64;
                *read -= unread;
                return Some(Stop::Error(reason));
            }
            Step::Finished => {
                // `replacement` finishes before the end of its input.
                self.progress.position += (call.src.len() - *read) as u64;
                *read = call.src.len();
                return Some(Stop::InputEmpty);
            }
        }
        None
    }

    /// Replaces the malformed sequence with U+FFFD, and records the error.
    #[inline]
    fn replace<U: Unit>(&mut self, encoding: Encoding, reason: DecodeReason, out: &mut Out<'_, U>) {
        if self.errors.is_empty() {
            self.errors.add(self.error(encoding, reason));
        } else {
            self.errors.count_more(1);
        }
        self.held.put(char::REPLACEMENT_CHARACTER, out);
    }

    /// Unreads the current sequence if all of it is among the `read` bytes of the chunk. Returns the number of bytes before it.
    #[cold]
    fn unread(&mut self, read: usize) -> Option<usize> {
        let len = (self.progress.position - self.sequence.start) as usize;
        let before = read.checked_sub(len).filter(|_| self.replay.len() == 0)?;
        self.progress.position -= len as u64;
        Some(before)
    }

    /// Converts a prefix of `src` by kernels and item by item, from the neutral state. Returns how many bytes were read, and
    /// why it stopped. The reason is `None` if the handler must continue, at an incomplete sequence or an error that it records.
    fn convert_prefix<U: Unit, C: Codec<U> + ?Sized>(
        &mut self,
        codec: &mut C,
        call: &Call<'_, [u8], bool>,
        src: &[u8],
        out: &mut Out<'_, U>,
    ) -> (usize, Option<Stop<DecodeReason>>) {
        let mut read = 0;
        while read < src.len() {
            let rest = &src[read..];
            if let ([0x80..=0xFF], false) = (rest, cfg!(textcodec_small)) {
                // Probably the first byte of an incomplete character.
                break;
            }
            if self.progress.should_call_kernel(rest.len(), out.spare_len()) {
                read += self.by_kernel(codec, call, rest, out);
            }
            let stretch = self.progress.stretch();
            let (items, stop) = self.items(codec, call, &src[read..], out);
            read += items;
            if stop.is_some() {
                return (read, stop);
            }
            if items < stretch {
                break;
            }
        }
        if read < src.len() {
            return (read, None);
        }
        self.progress.end_between_characters();
        (read, Some(Stop::InputEmpty))
    }

    /// Converts a prefix of `src` by a kernel. If that was worthwhile, also by [`Decode::replaced`], except before the first error.
    /// Returns how many bytes were read.
    // Not inlined, as the handler.
    #[cfg_attr(not(textcodec_small), inline(never))]
    fn by_kernel<U: Unit, C: Codec<U> + ?Sized>(
        &mut self,
        codec: &mut C,
        call: &Call<'_, [u8], bool>,
        src: &[u8],
        out: &mut Out<'_, U>,
    ) -> usize {
        let kernels = call.level.kernels();
        let read = codec.bulk(kernels, src, out);
        let of = KernelCall { units: src.len(), taken: read, spare: out.spare_len() };
        self.progress.record(of, codec.costs(), &|recent| src.count_non_ascii(read - recent..read));
        if self.progress.stretch() > 1 || !call.policy || self.errors.is_empty() || cfg!(textcodec_small) {
            return read;
        }
        let replaced = codec.replaced(kernels, &src[read..], out);
        self.record_items(replaced.read, replaced.malformed);
        read + replaced.read
    }

    /// Records items of `read` bytes, of which `malformed` sequences were replaced.
    #[inline]
    fn record_items(&mut self, read: usize, malformed: u64) {
        self.errors.count_more(malformed);
        self.progress.record_items(read, malformed);
    }

    /// Converts a stretch of items. Stops earlier before an item that does not fit or that only the handler can convert, and after
    /// an error if the policy says so.
    #[inline]
    fn items<U: Unit, C: Codec<U> + ?Sized>(
        &mut self,
        codec: &mut C,
        call: &Call<'_, [u8], bool>,
        src: &[u8],
        out: &mut Out<'_, U>,
    ) -> (usize, Option<Stop<DecodeReason>>) {
        // The first replaced error is recorded with its range and bytes, by the handler. Later ones are only counted.
        let on_malformed = match call.policy {
            false => OnMalformed::Stop,
            true if self.errors.is_empty() => OnMalformed::Defer,
            true => OnMalformed::Replace,
        };
        let Decoded { read, malformed, end, sequence_len } =
            codec.items(call.level, on_malformed, src, self.progress.stretch(), out);
        self.record_items(read, malformed);
        match end {
            End::Open => (read, None),
            End::Full => (read, Some(Stop::OutputFull)),
            End::Malformed(reason) => {
                self.sequence.start_at(self.progress.position);
                let end = read + sequence_len;
                src[read..end].iter().for_each(|&byte| self.sequence.push(byte));
                self.progress.position += sequence_len as u64;
                (end, Some(Stop::Error(reason)))
            }
        }
    }

    /// Starts a new input after the end of one. Nothing is pending there, so only what is known of the input is reset.
    #[inline]
    pub(crate) fn restart(&mut self) {
        self.progress.restart();
        if !self.errors.is_empty() {
            self.errors = ErrorTally::EMPTY;
        }
    }

    /// Whether no character is held and no byte is restored.
    #[inline]
    pub(crate) fn is_idle(&self) -> bool {
        self.replay.len() == 0 && self.held.len() == 0
    }

    /// The bytes that were read and are not decoded: those of an incomplete sequence, or else the restored ones. While bytes are
    /// restored, no sequence is incomplete: the loop stops before it has decoded them only after a character or an error.
    pub(crate) fn undecoded(&self, is_neutral: bool) -> PendingBytes {
        if is_neutral {
            return PendingBytes::new(self.replay.as_slice());
        }
        debug_assert_eq!(self.replay.len(), 0, "an incomplete sequence has read the restored bytes");
        let Sequence { bytes, len, .. } = self.sequence;
        PendingBytes::new(&bytes.to_le_bytes()[..len.into()])
    }

    /// How many bytes of the whole input the codec has read, without those that it restored.
    fn position(&self) -> u64 {
        self.progress.position - self.replay.len() as u64
    }

    /// The last error of the handler or of items.
    pub(crate) fn error(&self, encoding: Encoding, reason: DecodeReason) -> DecodeError {
        let Sequence { start, bytes, len } = self.sequence;
        let bytes = bytes.to_le_bytes().first_chunk().copied().unwrap_or_default();
        DecodeError::new(encoding, start..start + u64::from(len), bytes, reason)
    }
}

/// The result of [`Codec::items`].
pub(crate) struct Decoded {
    read: usize,
    /// How many malformed sequences were replaced.
    malformed: u64,
    end: End,
    /// See [`Items::sequence_len`].
    sequence_len: usize,
}

impl Sequence {
    #[inline]
    const fn at(start: u64) -> Self {
        Self { start, bytes: 0, len: 0 }
    }

    #[inline]
    fn start_at(&mut self, start: u64) {
        *self = Self::at(start);
    }

    #[inline]
    fn push(&mut self, byte: u8) {
        if u32::from(self.len) < Word::BITS / 8 {
            self.bytes |= Word::from(byte) << (8 * self.len);
            self.len += 1;
        }
    }

    #[inline]
    fn end_at(&mut self, end: u64) {
        self.len = (end - self.start).min(4) as u8;
    }
}
