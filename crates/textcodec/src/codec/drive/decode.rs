//! The loop for decoding.

use core::mem::take;

use super::{Call, LONGEST_ITEM, Stop};
use crate::{
    codec::{
        Decode, Replay, Step,
        any::DecodeVisitor,
        items::{End, Items, OnMalformed},
        pace::Pace,
        sink::{HeldCharacters, Unit},
    },
    encoding::Encoding,
    error::{DecodeError, Errors, Reason},
    kernel::{Level, Out},
    testing,
};

/// A call on a decoder.
pub(crate) struct DecodeCall<'a, 'c, 'o, U> {
    pub(crate) state: &'a mut DecodeState,
    /// Not by value: to move what was just written byte by byte makes processors wait.
    pub(crate) call: &'a Call<'c, [u8], bool>,
    pub(crate) out: &'a mut Out<'o, U>,
}

impl<U: Unit> DecodeVisitor for DecodeCall<'_, '_, '_, U> {
    type Output = (usize, Stop<Reason>);

    #[inline]
    fn visit<D: Decode>(self, codec: &mut D) -> Self::Output {
        let Self { state, call, out } = self;
        if cfg!(textcodec_small) || !state.is_idle() || !codec.is_neutral() {
            return state.run(codec, call, None, out);
        }
        if let [0x80..=0xFF] = call.src {
            // It begins a character, as likely as not.
            return state.run(codec, call, Some(0), out);
        }
        match state.convert_once(codec, call, out) {
            (read, Some(stop)) => (read, stop),
            (read, None) if read == call.src.len() => (read, Stop::InputEmpty),
            (read, None) => state.run(codec, call, Some(read), out),
        }
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
    pub(crate) pace: Pace,
    sequence: Sequence,
}

/// The bytes taken since the handler was last neutral, four at most; after an error, those that are malformed.
#[derive(Clone, Copy, Debug, Default)]
struct Sequence {
    start: u64,
    /// Little-endian. Not an array, of which a byte is written and four are read soon after: processors wait then.
    bytes: u32,
    len: u8,
}

impl DecodeState {
    /// One call of a kernel, or one stretch of items: all that most calls need. For where nothing waits. Returns how many bytes are
    /// read, and what stopped it.
    #[inline]
    fn convert_once<D: Decode, U: Unit>(
        &mut self,
        codec: &mut D,
        call: &Call<'_, [u8], bool>,
        out: &mut Out<'_, U>,
    ) -> (usize, Option<Stop<Reason>>) {
        if self.pace.is_for_kernels(call.src.len(), out.room(), D::KERNEL_CALL) {
            (self.bulk(codec, call.level, call.src, out), None)
        } else {
            self.items(codec, call, call.src, self.pace.stretch(), out)
        }
    }

    /// Decodes a chunk; its policy says whether errors become U+FFFD. `begun` is how many bytes [`convert_once`](Self::convert_once)
    /// has read, where it was called: what follows is for the handler. Returns how many bytes are read.
    #[inline(never)]
    fn run<D: Decode, U: Unit>(
        &mut self,
        codec: &mut D,
        call: &Call<'_, [u8], bool>,
        begun: Option<usize>,
        out: &mut Out<'_, U>,
    ) -> (usize, Stop<Reason>) {
        let mut read = begun.unwrap_or(0);
        let mut tried = begun.is_some();
        loop {
            if !self.held.flush(out) {
                return (read, Stop::OutputFull);
            }
            if codec.is_neutral() {
                if !take(&mut tried) && self.replay.len() <= read {
                    // What was given back is still in this chunk.
                    let back = self.replay.give_back(read);
                    read -= back;
                    self.taken -= back as u64;
                    let (items, stop) = self.run_of_items(codec, call, &call.src[read..], out);
                    read += items;
                    if let Some(stop) = stop {
                        return (read, stop);
                    }
                    if read == call.src.len() {
                        return (read, Stop::InputEmpty);
                    }
                }
                self.sequence.begin(self.position());
            }
            let byte = self.replay.pop().or_else(|| {
                let &byte = call.src.get(read)?;
                read += 1;
                self.taken += 1;
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
                    if !U::put(first, out)
                        && let Some(before) = self.leave(codec, first, read, out)
                    {
                        return (before, Stop::OutputFull);
                    }
                    if let Step::EmitTwo(_, second) = step {
                        self.held.put(second, out);
                    }
                }
                Step::Error(reason) => {
                    // It ends before what the handler restored.
                    self.sequence.end(self.position());
                    if !call.policy {
                        // At the end of the input no byte shows the error.
                        let back = if byte.is_some() { self.replay.give_back(codec.unread(reason, read)) } else { 0 };
                        self.taken -= back as u64;
                        return (read - back, Stop::Error(reason));
                    }
                    if self.errors.is_empty() {
                        self.errors.add(self.error(call.encoding, reason));
                    } else {
                        self.errors.count_more(1);
                    }
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

    /// For a character that has just been decoded and has no room. It is left unread, if all of it is in this chunk, of which `read`
    /// bytes are read; the answer is how many are before it. Otherwise it waits.
    #[cold]
    fn leave<D: Decode, U: Unit>(
        &mut self,
        codec: &D,
        character: char,
        read: usize,
        out: &mut Out<'_, U>,
    ) -> Option<usize> {
        debug_assert!(codec.is_neutral(), "behind a character");
        let len = (self.taken - self.sequence.start) as usize;
        let before = read.checked_sub(len).filter(|_| self.replay.len() == 0);
        match before {
            Some(_) => self.taken -= len as u64,
            None => self.held.put(character, out),
        }
        before
    }

    /// Converts what it can between two characters, by kernels and one item at a time. Returns how many bytes of `src` are read,
    /// and what stopped it. Otherwise what follows is for the handler: it is incomplete, or an error that is more than one to count.
    fn run_of_items<D: Decode, U: Unit>(
        &mut self,
        codec: &mut D,
        call: &Call<'_, [u8], bool>,
        src: &[u8],
        out: &mut Out<'_, U>,
    ) -> (usize, Option<Stop<Reason>>) {
        let mut read = 0;
        while read < src.len() {
            if self.pace.is_for_kernels(src.len() - read, out.room(), D::KERNEL_CALL) {
                read += self.bulk(codec, call.level, &src[read..], out);
            }
            let stretch = self.pace.stretch();
            let (items, stop) = self.items(codec, call, &src[read..], stretch, out);
            read += items;
            if items < stretch || stop.is_some() {
                return (read, stop);
            }
        }
        (read, None)
    }

    /// Calls a kernel, and remembers whether that was worthwhile.
    #[cfg_attr(not(textcodec_small), inline(always))]
    fn bulk<D: Decode, U: Unit>(&mut self, codec: &mut D, level: Level, src: &[u8], out: &mut Out<'_, U>) -> usize {
        let taken = U::bulk(codec, level.kernels(), src, out);
        // Fewer bytes may be an incomplete sequence at the end of the chunk.
        if src.len() - taken <= 3 {
            self.pace.kernel_finished(taken, D::KERNEL_CALL);
        } else if out.room() >= LONGEST_ITEM {
            self.kernel_stopped::<D>(&src[..taken]);
        }
        self.taken += taken as u64;
        testing::count_bulk(taken);
        taken
    }

    /// After a kernel that stopped before the end of its input, behind `taken`.
    #[cfg_attr(not(textcodec_small), inline(never))]
    fn kernel_stopped<D: Decode>(&mut self, taken: &[u8]) {
        // ASCII is cheap in any way: a call is worthwhile for what else it has converted.
        let recent = &taken[taken.len().saturating_sub(2 * D::KERNEL_CALL)..];
        let others = || recent.iter().filter(|byte| !byte.is_ascii()).count();
        let worth = if D::ASCII { taken.len().min(2 * others()) } else { taken.len() };
        self.pace.kernel_stopped(worth, D::KERNEL_CALL);
    }

    /// Converts items until `stretch` bytes are read. It stops earlier before an item that does not fit or is for the handler, and
    /// after an error that the policy does not let pass.
    #[inline]
    fn items<D: Decode, U: Unit>(
        &mut self,
        codec: &mut D,
        call: &Call<'_, [u8], bool>,
        src: &[u8],
        stretch: usize,
        out: &mut Out<'_, U>,
    ) -> (usize, Option<Stop<Reason>>) {
        // The first error that is replaced is kept with its range and bytes; later ones are only counted.
        let on_malformed = match call.policy {
            false => OnMalformed::Stop,
            true if self.errors.is_empty() => OnMalformed::Leave,
            true => OnMalformed::Replace,
        };
        let Decoded { read, malformed, end } = decode_items(codec, call.level, on_malformed, src, stretch, out);
        self.errors.count_more(malformed);
        self.pace.spend(read);
        self.taken += read as u64;
        testing::count_items(read);
        match end {
            End::Open => (read, None),
            End::Full => (read, Some(Stop::OutputFull)),
            End::Malformed(len, reason) => {
                self.sequence.begin(self.taken);
                src[read..read + len].iter().for_each(|&byte| self.sequence.push(byte));
                self.taken += len as u64;
                (read + len, Some(Stop::Error(reason)))
            }
        }
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

    /// The last error, found by the handler or among items.
    pub(crate) fn error(&self, encoding: Encoding, reason: Reason) -> DecodeError {
        let Sequence { start, bytes, len } = self.sequence;
        DecodeError::new(encoding, start..start + u64::from(len), bytes.to_le_bytes(), reason)
    }
}

/// What [`decode_items`] did.
struct Decoded {
    read: usize,
    /// How many malformed sequences were replaced.
    malformed: u64,
    end: End,
}

/// Converts items until `stretch` bytes are read, or up to one that is for the handler, or to an error.
// A function of its own, or the loop's variables do not get registers.
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
        let mut items = Items::new(out, on_malformed, level.kernels());
        let read = codec.items(src, stretch, &mut items);
        Decoded { read, malformed: items.malformed(), end: items.end() }
    })
}

impl Sequence {
    #[inline]
    fn begin(&mut self, start: u64) {
        *self = Self { start, ..Self::default() };
    }

    #[inline]
    fn push(&mut self, byte: u8) {
        if self.len < 4 {
            self.bytes |= u32::from(byte) << (8 * self.len);
            self.len += 1;
        }
    }

    #[inline]
    fn end(&mut self, end: u64) {
        self.len = (end - self.start).min(4) as u8;
    }
}
