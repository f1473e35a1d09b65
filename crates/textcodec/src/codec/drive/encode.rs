//! The loop for encoding.

use core::{mem::take, ops::Range};

use super::{Call, LONGEST_ITEM, Stop};
use crate::{
    codec::{
        Encode, EncodeStep,
        any::EncodeVisitor,
        pace::Pace,
        sink::HeldBytes,
        source::{FEW_ASCII, Item, Next, Source},
    },
    encoding::Encoding,
    error::{EncodeError, Errors},
    kernel::Out,
    options::Unmappable,
    testing,
};

/// What becomes of unmappable characters.
#[derive(Clone, Copy, Debug, Default)]
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
        match self.unmappable {
            Unmappable::Fail | Unmappable::Html => true,
            Unmappable::Report => self.for_hooks,
            Unmappable::Replace(_) | Unmappable::Skip => false,
        }
    }
}

/// A call on an encoder.
pub(crate) struct EncodeCall<'a, 'c, 'o, S: ?Sized> {
    pub(crate) state: &'a mut EncodeState,
    /// Not by value: to move what was just written byte by byte makes processors wait.
    pub(crate) call: &'a Call<'c, S, EncodePolicy>,
    pub(crate) out: &'a mut Out<'o, u8>,
}

impl<S: Source + ?Sized> EncodeVisitor for EncodeCall<'_, '_, '_, S> {
    type Output = (usize, Stop<char>);

    #[inline]
    fn visit<E: Encode>(self, codec: &mut E) -> Self::Output {
        let Self { state, call, out } = self;
        if cfg!(textcodec_small) || !state.is_idle() {
            return state.run(codec, call, None, out);
        }
        match state.convert_once(codec, call, out) {
            (read, Some(stop)) => (read, stop),
            (read, None) if read == call.src.units() && (!call.last || codec.is_at_rest()) => (read, Stop::InputEmpty),
            (read, None) => state.run(codec, call, Some(read), out),
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
    pub(crate) pace: Pace,
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
    /// The policy of the call that read the character. It holds until the character is done: later calls may have another one, but
    /// if an escape sequence to ASCII was written for an HTML reference, the reference must follow. Otherwise the escape sequence
    /// would be empty, and decoders make U+FFFD of that.
    policy: EncodePolicy,
    /// An escape sequence was written for it, or waits.
    escaped: bool,
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

    /// The error of the current character.
    pub(crate) fn error(&self, encoding: Encoding, code_point: char) -> EncodeError {
        let Current { character, range, .. } = self.current.clone();
        EncodeError::Unmappable { encoding, character, code_point, range }
    }

    /// Whether an error of the current character ends the text, by the policy of the call that read it.
    pub(crate) fn error_is_final(&self) -> bool {
        self.current.policy.unmappable != Unmappable::Report
    }

    /// Nothing waits for room, for its other half, or to be encoded again.
    #[inline]
    pub(crate) fn is_idle(&self) -> bool {
        self.held.len() == 0 && self.high.is_none() && self.restored.is_none()
    }

    /// One call of a kernel, or one stretch of items: all that most calls need. For where nothing waits. Returns how many units are
    /// read, and what stopped it.
    #[inline]
    fn convert_once<E: Encode, S: Source + ?Sized>(
        &mut self,
        codec: &mut E,
        call: &Call<'_, S, EncodePolicy>,
        out: &mut Out<'_, u8>,
    ) -> (usize, Option<Stop<char>>) {
        if self.pace.is_for_kernels(call.src.units(), out.room(), ENOUGH_ROOM) {
            (self.bulk(codec, call, 0, out), None)
        } else {
            self.items(codec, call, 0, self.pace.stretch(), out)
        }
    }

    /// Encodes a chunk. `begun` is how many units [`convert_once`](Self::convert_once) has read, where it was called: what follows is
    /// for the handler. Returns how many units are read.
    #[inline(never)]
    fn run<E: Encode, S: Source + ?Sized>(
        &mut self,
        codec: &mut E,
        call: &Call<'_, S, EncodePolicy>,
        begun: Option<usize>,
        out: &mut Out<'_, u8>,
    ) -> (usize, Stop<char>) {
        let mut read = begun.unwrap_or(0);
        let mut tried = begun.is_some();
        loop {
            if !self.held.flush(!call.policy.for_hooks, out) {
                return (read, Stop::OutputFull);
            }
            if !take(&mut tried) && self.restored.is_none() && self.high.is_none() {
                let (items, stop) = self.run_of_items(codec, call, read, out);
                read += items;
                if let Some(stop) = stop {
                    return (read, stop);
                }
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
                        let (range, policy) = (start..self.taken, call.policy);
                        self.current = Current { character, range, unpaired, replaced: None, policy, escaped: false };
                        self.pace.spend(units);
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
                Some(code_point) if !self.current.policy.is_as_standard() => EncodeStep::Error(code_point),
                _ => codec.handle(item, &mut self.restored),
            };
            match step {
                EncodeStep::Emit(bytes) => {
                    let of_character = item.map(|_| read);
                    let (all, len) = bytes.as_array();
                    if let Some(before) = self.put_or_leave(&all[..len], of_character, call.policy, out) {
                        return (before, Stop::OutputFull);
                    }
                    // After an escape sequence, its character is still to come.
                    self.current.escaped = self.restored.is_some();
                    if !self.current.escaped
                        && let Some(code_point) = self.current.replaced.take()
                    {
                        self.count_error(call.encoding, code_point);
                    }
                }
                EncodeStep::Finished => return (read, Stop::InputEmpty),
                EncodeStep::Error(code_point) => {
                    let replaced = self.current.replaced;
                    let stop = (read, Stop::Error(replaced.unwrap_or(code_point)));
                    match self.current.policy.unmappable {
                        Unmappable::Fail | Unmappable::Report => return stop,
                        Unmappable::Replace(_) if replaced.is_some() => return stop,
                        Unmappable::Html => {
                            let (reference, len) = Reference::new(code_point).as_array();
                            // A character whose escape sequence is written is read: its reference waits if it does not fit.
                            let read = Some(read).filter(|_| !self.current.escaped);
                            let left = self.put_or_leave(&reference[..len], read, call.policy, out);
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
                    self.count_error(call.encoding, code_point);
                }
            }
        }
    }

    /// Converts what it can where nothing waits, by kernels and one item at a time. Returns how many units are read, from the
    /// `from`-th on, and what stopped it.
    fn run_of_items<E: Encode, S: Source + ?Sized>(
        &mut self,
        codec: &mut E,
        call: &Call<'_, S, EncodePolicy>,
        from: usize,
        out: &mut Out<'_, u8>,
    ) -> (usize, Option<Stop<char>>) {
        let mut read = from;
        while read < call.src.units() {
            if self.pace.is_for_kernels(call.src.units() - read, out.room(), ENOUGH_ROOM) {
                read += self.bulk(codec, call, read, out);
            }
            let stretch = self.pace.stretch();
            let (items, stop) = self.items(codec, call, read, stretch, out);
            read += items;
            if items < stretch || stop.is_some() {
                return (read - from, stop);
            }
        }
        (read - from, None)
    }

    /// Calls a kernel, and remembers whether that was worthwhile.
    #[cfg_attr(not(textcodec_small), inline(always))]
    fn bulk<E: Encode, S: Source + ?Sized>(
        &mut self,
        codec: &mut E,
        call: &Call<'_, S, EncodePolicy>,
        from: usize,
        out: &mut Out<'_, u8>,
    ) -> usize {
        let taken = call.src.bulk(from, codec, call.level.kernels(), out);
        // The last code unit may be a surrogate that waits for its other half.
        if call.src.units() - from - taken <= 1 {
            self.pace.kernel_finished(taken, E::KERNEL_CALL);
        } else if out.room() >= LONGEST_ITEM {
            self.kernel_stopped::<E, S>(call.src, from..from + taken);
        }
        self.taken += taken as u64;
        testing::count_bulk(taken);
        taken
    }

    /// After a kernel that stopped before the end of its input, behind `taken`.
    #[cfg_attr(not(textcodec_small), inline(never))]
    fn kernel_stopped<E: Encode, S: Source + ?Sized>(&mut self, src: &S, taken: Range<usize>) {
        // As when decoding.
        let recent = taken.start.max(taken.end.saturating_sub(2 * E::KERNEL_CALL))..taken.end;
        let worth = if E::ASCII { taken.len().min(2 * src.count_others(recent)) } else { taken.len() };
        self.pace.kernel_stopped(worth, E::KERNEL_CALL);
    }

    /// Encodes items until `stretch` units are read. It stops earlier before one that is for the handler, and after an error that
    /// the policy does not let pass.
    #[inline]
    fn items<E: Encode, S: Source + ?Sized>(
        &mut self,
        codec: &mut E,
        call: &Call<'_, S, EncodePolicy>,
        from: usize,
        stretch: usize,
        out: &mut Out<'_, u8>,
    ) -> (usize, Option<Stop<char>>) {
        // The first error that does not stop the text is kept with its character and range; later ones are only counted.
        let unmappable = if self.errors.is_empty() { Unmappable::Fail } else { call.policy.unmappable };
        let Encoded { read, errors, unpaired, end } = encode_items(codec, call, unmappable, from, stretch, out);
        self.errors.count_more(errors);
        self.unpaired += unpaired;
        self.pace.spend(read);
        self.taken += read as u64;
        testing::count_items(read);
        match end {
            // A room that is too small from its start is for the handler.
            After::Full if out.filled() > 0 => (read, Some(Stop::OutputFull)),
            After::Failed(item, code_point)
                if matches!(call.policy.unmappable, Unmappable::Fail | Unmappable::Report) =>
            {
                let Item { character, units, unpaired } = item;
                let start = self.taken;
                self.taken += units as u64;
                self.unpaired += u64::from(unpaired);
                let (range, policy) = (start..self.taken, call.policy);
                self.current = Current { character, range, unpaired, replaced: None, policy, escaped: false };
                (read + units, Some(Stop::Error(code_point)))
            }
            After::Open | After::Full | After::Failed(..) => (read, None),
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
            self.errors.add(self.error(encoding, code_point));
        } else {
            self.errors.count_more(1);
        }
    }
}

/// What [`encode_items`] did.
struct Encoded {
    read: usize,
    /// Unmappable characters replaced, and surrogates without their other half among the units read.
    errors: u64,
    unpaired: u64,
    end: After,
}

/// What follows the items that [`encode_items`] encoded.
enum After {
    /// More items, or half a surrogate pair.
    Open,
    /// An item that does not fit.
    Full,
    /// An item that is unmappable and not replaced, and the code point of its error.
    Failed(Item, char),
}

/// Encodes items until `stretch` units are read, or up to one that is not for here: an error that `unmappable` does not let
/// pass, or half a surrogate pair.
#[inline(never)]
fn encode_items<E: Encode, S: Source + ?Sized>(
    codec: &mut E,
    call: &Call<'_, S, EncodePolicy>,
    unmappable: Unmappable,
    from: usize,
    stretch: usize,
    out: &mut Out<'_, u8>,
) -> Encoded {
    out.write_locally(|out| {
        let mut counted = 0;
        let mut done = Encoded { read: 0, errors: 0, unpaired: 0, end: After::Open };
        while counted < stretch {
            let at = from + done.read;
            let Some(item) = call.src.item(at, call.last) else { break };
            if item.character.is_ascii() && codec.is_own_byte(item.character as u8) {
                match call.src.put_ascii(at, codec, call.level.kernels(), out) {
                    0 => {
                        done.end = After::Full;
                        break;
                    }
                    ascii => {
                        done.read += ascii;
                        counted += ascii.min(FEW_ASCII);
                    }
                }
                continue;
            }
            if out.room() < E::ITEM_ROOM && codec.common(item.character).is_none() {
                break;
            }
            let fits = match put_item(codec, item.character, call.policy, out) {
                Ok(fits) => fits,
                Err(code_point) => {
                    let replaced = match unmappable {
                        Unmappable::Html => Some(Reference::new(code_point).put(out)),
                        Unmappable::Skip => Some(true),
                        Unmappable::Replace(other) => {
                            put_item(codec, other, call.policy, out).ok().filter(|&fits| fits)
                        }
                        Unmappable::Fail | Unmappable::Report => None,
                    };
                    let Some(fits) = replaced else {
                        done.end = After::Failed(item, code_point);
                        break;
                    };
                    done.errors += u64::from(fits);
                    fits
                }
            };
            if !fits {
                done.end = After::Full;
                break;
            }
            done.unpaired += u64::from(item.unpaired);
            done.read += item.units;
            counted += item.units;
        }
        done
    })
}

/// Room in bytes with which an encoder's kernel is worth a call, however much text there is.
const ENOUGH_ROOM: usize = 32;

/// Writes the bytes of a character, with the escape sequences that they need; false where they do not fit. Or answers with the code
/// point of its error. There must be room for [`Encode::ITEM_ROOM`], if it is not [`common`](Encode::common).
#[cfg_attr(not(textcodec_small), inline(always))]
fn put_item<E: Encode>(
    codec: &mut E,
    character: char,
    policy: EncodePolicy,
    out: &mut Out<'_, u8>,
) -> Result<bool, char> {
    if let Some(pair) = codec.common(character) {
        return Ok(out.extend(&pair));
    }
    if !policy.is_as_standard()
        && let Some(code_point) = codec.unmappable(character)
    {
        return Err(code_point);
    }
    let mut queue = None;
    loop {
        let fits = match codec.handle(Some(character), &mut queue) {
            EncodeStep::Emit(bytes) => bytes.put(out),
            EncodeStep::Error(code_point) => return Err(code_point),
            EncodeStep::Finished => false,
        };
        if queue.take().is_none() {
            return Ok(fits);
        }
    }
}

/// `&#` decimal `;`: error mode "html" of *process an item*.
struct Reference {
    /// The digits and the semicolon, little-endian: as with [`Bytes`](crate::codec::Bytes), not an array.
    rest: u64,
    len: usize,
}

impl Reference {
    fn new(code_point: char) -> Self {
        let mut number = u32::from(code_point);
        let (mut rest, mut len) = (u64::from(b';'), 3);
        loop {
            rest = rest << 8 | u64::from(b'0' + (number % 10) as u8);
            len += 1;
            number /= 10;
            if number == 0 {
                return Self { rest, len };
            }
        }
    }

    /// It, and scratch behind it.
    fn as_array(&self) -> ([u8; 10], usize) {
        let mut all = *b"&#________";
        all[2..].copy_from_slice(&self.rest.to_le_bytes());
        (all, self.len)
    }

    fn put(&self, out: &mut Out<'_, u8>) -> bool {
        let (all, len) = self.as_array();
        out.extend_some(&all, len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_have_the_shortest_decimal() {
        let reference = |code_point| {
            let (all, len) = Reference::new(code_point).as_array();
            all[..len].to_vec()
        };
        assert_eq!(reference('\0'), b"&#0;");
        assert_eq!(reference('\u{10FFFF}'), b"&#1114111;");
    }
}
