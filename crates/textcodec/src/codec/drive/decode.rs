//! The decoding loop.

use core::mem::take;

use super::{Call, LONGEST_ITEM, Stop};
use crate::{
    codec::{
        Decode, Replaced, Replay, Step, Useful,
        items::{End, Items, OnMalformed},
        pace::Pace,
        sink::{HeldCharacters, Unit},
    },
    encoding::Encoding,
    error::{DecodeError, DecodeReason, ErrorTally},
    kernel::{Level, Out},
    state::PendingBytes,
    testing,
};

/// A decoder's position, and its state between calls apart from the codec's own.
#[derive(Clone, Debug)]
pub(crate) struct DecodeState {
    /// Bytes that a handler, or the detection of a byte order mark, restored.
    pub(crate) replay: Replay,
    pub(crate) held: HeldCharacters,
    /// How many bytes of the whole input were read.
    pub(crate) consumed: u64,
    pub(crate) errors: ErrorTally<DecodeError>,
    pub(crate) pace: Pace,
    /// Whether the long chunks so far were all ASCII. Then the next one probably is, and needs no other kernel: cells
    /// `*/en/stream`.
    pub(crate) is_ascii: bool,
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
/// each form of text, not for each decoder too, which would take a fifth more time to build the library. Small builds have only
/// one, [`AnyDecoder`](crate::codec::any::AnyDecoder).
trait Codec<U: Unit> {
    /// See [`Decode::handle`].
    fn handle(&mut self, byte: Option<u8>, queue: &mut Replay) -> Step;

    /// See [`Decode::is_neutral`].
    fn is_neutral(&self) -> bool;

    /// See [`Decode::cannot_unread`].
    #[cfg(feature = "oem")]
    fn cannot_unread(&self) -> bool;

    /// See [`Decode::unread`].
    fn unread(&self, reason: DecodeReason, read: usize) -> usize;

    /// See [`DecodeState::convert_prefix`].
    fn convert_prefix(
        &mut self,
        state: &mut DecodeState,
        call: &Call<'_, [u8], bool>,
        src: &[u8],
        out: &mut Out<'_, U>,
    ) -> (usize, Option<Stop<DecodeReason>>);
}

impl<D: Decode, U: Unit> Codec<U> for D {
    fn handle(&mut self, byte: Option<u8>, queue: &mut Replay) -> Step {
        Decode::handle(self, byte, queue)
    }

    fn is_neutral(&self) -> bool {
        Decode::is_neutral(self)
    }

    #[cfg(feature = "oem")]
    fn cannot_unread(&self) -> bool {
        Decode::cannot_unread(self)
    }

    fn unread(&self, reason: DecodeReason, read: usize) -> usize {
        Decode::unread(self, reason, read)
    }

    fn convert_prefix(
        &mut self,
        state: &mut DecodeState,
        call: &Call<'_, [u8], bool>,
        src: &[u8],
        out: &mut Out<'_, U>,
    ) -> (usize, Option<Stop<DecodeReason>>) {
        state.convert_prefix(self, call, src, out)
    }
}

impl DecodeState {
    /// The state before an input.
    // A constant is copied at once. Storing each field before the value is moved would stall the processor.
    pub(crate) const START: Self = Self {
        replay: Replay::EMPTY,
        held: HeldCharacters::EMPTY,
        consumed: 0,
        errors: ErrorTally::EMPTY,
        pace: Pace::START,
        is_ascii: true,
        sequence: Sequence::at(0),
    };

    /// Decodes a chunk. The policy of `call` is whether errors become U+FFFD. Returns how many bytes were read.
    ///
    /// `is_converted` says that a kernel has just converted the text before the chunk, and stopped there.
    // `call` is a reference, because moving a value right after its fields were stored one by one stalls the processor.
    #[inline]
    pub(crate) fn decode<D: Decode, U: Unit>(
        &mut self,
        codec: &mut D,
        call: &Call<'_, [u8], bool>,
        is_converted: bool,
        out: &mut Out<'_, U>,
    ) -> (usize, Stop<DecodeReason>) {
        if cfg!(textcodec_small) {
            return self.run(codec, call, None, out);
        }
        if is_converted {
            return self.run::<U, dyn Codec<U>>(codec, call, Some(0), out);
        }
        if !self.is_idle() || !Decode::is_neutral(codec) {
            return self.run::<U, dyn Codec<U>>(codec, call, None, out);
        }
        if let [0x80..=0xFF] = call.src {
            // Probably the first byte of an incomplete character. Without this,
            // `hostile/decode/gbk/utf-8/replace/1-unit-chunks/pair` takes 1.3 times as long.
            return self.run::<U, dyn Codec<U>>(codec, call, Some(0), out);
        }
        match self.convert_once(codec, call, out) {
            (read, Some(stop)) => (read, stop),
            (read, None) if read == call.src.len() => (read, Stop::InputEmpty),
            (read, None) => self.run::<U, dyn Codec<U>>(codec, call, Some(read), out),
        }
    }

    /// Makes one kernel call, or converts one stretch of items. Most calls need no more. Requires that nothing is pending.
    /// Returns how many bytes were read, and why it stopped.
    ///
    /// Without this, the row "16 B, 64 B and 100 B strings, decoding legacy encodings" takes 1.26 times as long.
    #[inline]
    fn convert_once<D: Decode, U: Unit>(
        &mut self,
        codec: &mut D,
        call: &Call<'_, [u8], bool>,
        out: &mut Out<'_, U>,
    ) -> (usize, Option<Stop<DecodeReason>>) {
        if self.pace.should_call_kernel(call.src.len(), out.spare_len(), D::KERNEL_CALL_COST) {
            (self.bulk(codec, call.level, call.src, out), None)
        } else {
            self.items(codec, call, call.src, out)
        }
    }

    /// The loop. `converted` is the number of bytes that [`convert_once`](Self::convert_once) has read, if it was called; the
    /// handler continues there. Returns how many bytes were read.
    #[inline(never)]
    fn run<U: Unit, C: Codec<U> + ?Sized>(
        &mut self,
        codec: &mut C,
        call: &Call<'_, [u8], bool>,
        converted: Option<usize>,
        out: &mut Out<'_, U>,
    ) -> (usize, Stop<DecodeReason>) {
        let mut read = converted.unwrap_or(0);
        let mut is_converted = converted.is_some();
        loop {
            if !self.held.flush(out) {
                return (read, Stop::OutputFull);
            }
            // In chunks of one byte, this is most of the work: without calls of the codec, it takes a tenth less time.
            if read == call.src.len() && self.replay.len() == 0 && !call.last {
                return (read, Stop::InputEmpty);
            }
            let was_converted = take(&mut is_converted);
            if was_converted || codec.is_neutral() {
                if !was_converted && self.replay.len() <= read {
                    // All restored bytes are in this chunk: unread them.
                    let restored = self.replay.drop_last(read);
                    read -= restored;
                    self.consumed -= restored as u64;
                    let (items, stop) = codec.convert_prefix(self, call, &call.src[read..], out);
                    read += items;
                    if let Some(stop) = stop {
                        return (read, stop);
                    }
                    if read == call.src.len() {
                        return (read, Stop::InputEmpty);
                    }
                }
                self.sequence.start_at(self.position());
            }
            let byte = self.replay.pop().or_else(|| {
                let &byte = call.src.get(read)?;
                read += 1;
                self.consumed += 1;
                self.pace.spend(1);
                testing::count_handled(1);
                Some(byte)
            });
            match byte {
                Some(byte) => self.sequence.push(byte),
                None if !call.last => return (read, Stop::InputEmpty),
                None => {}
            }
            let step = codec.handle(byte, &mut self.replay);
            match step {
                Step::Continue => {}
                Step::Emit(first) | Step::EmitTwo(first, _) => {
                    debug_assert!(codec.is_neutral(), "a character is complete");
                    #[cfg(feature = "oem")]
                    let may_unread = !codec.cannot_unread();
                    #[cfg(not(feature = "oem"))]
                    let may_unread = true;
                    if !U::put(first, out)
                        && let Some(before) = self.unread_or_hold(first, Some(read).filter(|_| may_unread), out)
                    {
                        return (before, Stop::OutputFull);
                    }
                    if let Step::EmitTwo(_, second) = step {
                        self.held.put(second, out);
                    }
                }
                Step::Error(reason) => {
                    // The malformed sequence ends before the bytes that the handler restored.
                    self.sequence.end_at(self.position());
                    if !call.policy {
                        // At the end of the input, no byte revealed the error.
                        let unread = if byte.is_some() { self.replay.drop_last(codec.unread(reason, read)) } else { 0 };
                        self.consumed -= unread as u64;
                        return (read - unread, Stop::Error(reason));
                    }
                    if self.errors.is_empty() {
                        self.errors.add(self.error(call.encoding, reason));
                    } else {
                        self.errors.count_more(1);
                    }
                    self.held.put(char::REPLACEMENT_CHARACTER, out);
                }
                Step::Finished => {
                    // `replacement` finishes before the end of its input.
                    self.consumed += (call.src.len() - read) as u64;
                    return (call.src.len(), Stop::InputEmpty);
                }
            }
        }
    }

    /// Handles a decoded character that does not fit. `read` bytes of the chunk were read; `None` if the character must not be unread.
    /// If the character is entirely in this chunk, it is unread: returns the number of bytes before it. Otherwise it is held.
    #[cold]
    fn unread_or_hold<U: Unit>(&mut self, character: char, read: Option<usize>, out: &mut Out<'_, U>) -> Option<usize> {
        let len = (self.consumed - self.sequence.start) as usize;
        let before = read.and_then(|read| read.checked_sub(len)).filter(|_| self.replay.len() == 0);
        match before {
            Some(_) => self.consumed -= len as u64,
            None => self.held.put(character, out),
        }
        before
    }

    /// Converts a prefix of `src` by kernels and item by item, from the neutral state. Returns how many bytes were read, and
    /// why it stopped. The reason is `None` if the handler must continue, at an incomplete sequence or an error that it
    /// records.
    fn convert_prefix<D: Decode, U: Unit>(
        &mut self,
        codec: &mut D,
        call: &Call<'_, [u8], bool>,
        src: &[u8],
        out: &mut Out<'_, U>,
    ) -> (usize, Option<Stop<DecodeReason>>) {
        let mut read = 0;
        while read < src.len() {
            if self.pace.should_call_kernel(src.len() - read, out.spare_len(), D::KERNEL_CALL_COST) {
                read += self.bulk(codec, call.level, &src[read..], out);
            }
            let stretch = self.pace.stretch();
            let may_replace = D::HAS_MALFORMED_BYTES && !cfg!(textcodec_small);
            if may_replace && stretch == 1 && call.policy && !self.errors.is_empty() {
                let replaced = codec.replaced(call.level.kernels(), &src[read..], out);
                self.items_replaced(&replaced);
                read += replaced.read;
                if replaced.read > 0 {
                    continue;
                }
            }
            let (items, stop) = self.items(codec, call, &src[read..], out);
            read += items;
            if items < stretch || stop.is_some() {
                return (read, stop);
            }
        }
        (read, None)
    }

    /// Records what [`Decode::replaced`] has read. Not inlined, because its caller exists once for each decoder.
    #[inline(never)]
    fn items_replaced(&mut self, replaced: &Replaced) {
        self.items_converted(replaced.read, replaced.malformed);
    }

    /// Records items of `read` bytes, of which `malformed` sequences were replaced.
    #[inline]
    fn items_converted(&mut self, read: usize, malformed: u64) {
        self.errors.count_more(malformed);
        self.pace.spend(read);
        if malformed > 0 && !cfg!(textcodec_small) {
            self.pace.count_malformed(read, malformed);
        }
        self.consumed += read as u64;
        testing::count_items(read);
    }

    /// Calls a kernel, and records whether that was worthwhile.
    #[cfg_attr(not(textcodec_small), inline(always))]
    fn bulk<D: Decode, U: Unit>(&mut self, codec: &mut D, level: Level, src: &[u8], out: &mut Out<'_, U>) -> usize {
        let taken = U::bulk(codec, level.kernels(), src, out);
        self.kernel_returned::<D>(src, taken, out.spare_len());
        taken
    }

    /// Records that a kernel has converted the first `taken` bytes of `src`, and whether that was worthwhile.
    #[cfg_attr(not(textcodec_small), inline(always))]
    pub(crate) fn kernel_returned<D: Decode>(&mut self, src: &[u8], taken: usize, spare_len: usize) {
        // Up to three bytes may be an incomplete sequence at the end of the chunk.
        if src.len() - taken <= 3 {
            self.pace.kernel_finished(taken, D::KERNEL_CALL_COST);
        } else if spare_len >= LONGEST_ITEM {
            self.kernel_stopped(&src[..taken], D::USEFUL, D::KERNEL_CALL_COST);
        }
        self.kernel_finished(taken);
    }

    /// Records that a kernel has converted the whole rest of a chunk, `taken` bytes.
    #[inline]
    pub(crate) fn kernel_finished(&mut self, taken: usize) {
        self.consumed += taken as u64;
        testing::count_bulk(taken);
    }

    /// Records a kernel call that converted `taken` and stopped before the end of its input.
    #[cfg_attr(not(textcodec_small), inline(never))]
    fn kernel_stopped(&mut self, taken: &[u8], useful: Useful, cost: usize) {
        let recent = &taken[taken.len().saturating_sub(2 * cost)..];
        // `hostile/decode/gbk/utf-16/replace/4KiB/pair*20+four-above` would take 3 times as long with one cost.
        let apart = if matches!(useful, Useful::NonAscii) { 2 * cost } else { cost };
        let useful = match useful {
            Useful::AllUnlessAscii if recent.is_ascii() => 0,
            Useful::All | Useful::AllUnlessAscii => taken.len(),
            Useful::NonAscii => taken.len().min(2 * recent.iter().filter(|byte| !byte.is_ascii()).count()),
        };
        self.pace.kernel_stopped(useful, taken.len(), cost, apart);
    }

    /// Converts a stretch of items. Stops earlier before an item that does not fit or that only the handler can convert, and after
    /// an error if the policy says so.
    // One more parameter would be the second one on the stack. They would be copied as one vector, right after they were stored one by
    // one, and the processor would stall.
    #[inline]
    fn items<D: Decode, U: Unit>(
        &mut self,
        codec: &mut D,
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
        let stretch = self.pace.stretch();
        let Decoded { read, malformed, end, sequence_len } =
            decode_items(codec, call.level, on_malformed, src, stretch, out);
        self.items_converted(read, malformed);
        match end {
            End::Open => (read, None),
            End::Full => (read, Some(Stop::OutputFull)),
            End::Malformed(reason) => {
                self.sequence.start_at(self.consumed);
                let end = read + sequence_len;
                src[read..end].iter().for_each(|&byte| self.sequence.push(byte));
                self.consumed += sequence_len as u64;
                (end, Some(Stop::Error(reason)))
            }
        }
    }

    /// Starts a new input after the end of one. Nothing is pending there, so only what is known of the input is reset.
    #[inline]
    pub(crate) fn restart(&mut self) {
        self.consumed = 0;
        self.is_ascii = true;
        if !self.errors.is_empty() {
            self.errors = ErrorTally::EMPTY;
        }
    }

    /// Whether the first thing to do is a kernel call: nothing is pending, and no kernel has stopped early of late.
    #[inline]
    pub(crate) fn is_unused(&self) -> bool {
        self.is_idle() && self.pace.is_unused()
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
        self.consumed - self.replay.len() as u64
    }

    /// The last error of the handler or of items.
    pub(crate) fn error(&self, encoding: Encoding, reason: DecodeReason) -> DecodeError {
        let Sequence { start, bytes, len } = self.sequence;
        let bytes = bytes.to_le_bytes().first_chunk().copied().unwrap_or_default();
        DecodeError::new(encoding, start..start + u64::from(len), bytes, reason)
    }
}

/// The result of [`decode_items`].
struct Decoded {
    read: usize,
    /// How many malformed sequences were replaced.
    malformed: u64,
    end: End,
    /// See [`Items::sequence_len`].
    sequence_len: usize,
}

/// Converts items until `stretch` bytes are read, or up to an item for the handler or an error.
// A separate function, so that the loop's variables stay in registers.
#[inline(never)]
fn decode_items<D: Decode, U: Unit>(
    codec: &mut D,
    level: Level,
    on_malformed: OnMalformed,
    src: &[u8],
    stretch: usize,
    out: &mut Out<'_, U>,
) -> Decoded {
    out.write_locally(|out| {
        let mut items = Items::new(out, on_malformed, level);
        let read = codec.items(src, stretch, &mut items);
        Decoded { read, malformed: items.malformed(), end: items.end(), sequence_len: items.sequence_len() }
    })
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
