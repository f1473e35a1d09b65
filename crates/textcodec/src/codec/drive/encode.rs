//! The encoding loop. Over 600 lines because its steps share one state.

use core::ops::Range;

use super::{Call, Stop, Turn};
use crate::{
    codec::{
        Encode, EncodeStep,
        progress::{Costs, KernelCall, Progress},
        sink::HeldBytes,
        source::{Item, MAX_SHORT_ASCII, Next, Source},
    },
    conversion::{EncodeError, EncodeReason, ErrorTally, TextUnit, Unmappable},
    kernel::{Kernels, Out},
    names::Encoding,
};

/// How unmappable characters are handled.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EncodePolicy {
    pub(crate) unmappable: Unmappable,
    /// Whether unpaired surrogates are errors.
    pub(crate) reject_unpaired: bool,
    /// Whether the call is *encode or fail*. Its callers write ASCII in place of the character, so the output must never end
    /// with a part of a character.
    pub(crate) for_hooks: bool,
}

impl EncodePolicy {
    /// Whether errors are reported exactly where the standard's handler reports them. In ISO-2022-JP, that is after an escape
    /// sequence to ASCII, and ASCII must follow in place of the character. Otherwise, errors are reported before that escape
    /// sequence: without ASCII after it, it would be an error for decoders.
    fn follows_handler_order(self) -> bool {
        match self.unmappable {
            Unmappable::Fail | Unmappable::Html => true,
            Unmappable::Pause => self.for_hooks,
            Unmappable::Replace(_) | Unmappable::Skip => false,
        }
    }
}

/// An encoder's position, and its state between calls apart from the codec's own.
#[derive(Clone, Debug)]
pub(crate) struct EncodeState {
    pub(crate) held: HeldBytes,
    /// A high surrogate at the end of the last chunk.
    pub(crate) high: Option<u16>,
    pub(crate) progress: Progress,
    pub(crate) errors: ErrorTally<EncodeError>,
    /// How many unpaired surrogates became U+FFFD.
    pub(crate) unpaired: u64,
    /// The character that the handler restored, or the replacement of an unmappable one.
    pub(crate) restored: Option<char>,
    /// The last character that was read for the handler.
    current: Current,
}

#[derive(Clone, Debug)]
struct Current {
    character: char,
    range: Range<u64>,
    unit: TextUnit,
    /// Whether it is U+FFFD for an unpaired surrogate.
    unpaired: bool,
    /// The code point of its error, once it is replaced by another character.
    replaced: Option<char>,
    /// The policy of the call that read the character. It applies until the character is complete, even if later calls have
    /// another one. For example, after an escape sequence to ASCII for an HTML reference, the reference must follow. Otherwise
    /// decoders would replace the empty escape sequence with U+FFFD.
    policy: EncodePolicy,
    /// Whether an escape sequence was written or held for it.
    escaped: bool,
}

impl Current {
    const NONE: Self = Self {
        character: '\0',
        range: 0..0,
        unit: TextUnit::Utf8,
        unpaired: false,
        replaced: None,
        policy: EncodePolicy { unmappable: Unmappable::Fail, reject_unpaired: false, for_hooks: false },
        escaped: false,
    };

    /// Whether it is an unpaired surrogate, and those are errors.
    fn is_rejected(&self) -> bool {
        self.unpaired && self.policy.reject_unpaired
    }

    /// Whether its error is reported, skipped or replaced even if the encoding can represent U+FFFD. With [`Unmappable::Html`], U+FFFD is
    /// written, and counted as an error.
    fn is_refused(&self) -> bool {
        self.is_rejected() && self.replaced.is_none() && self.policy.unmappable != Unmappable::Html
    }

    /// The code point of the error that is counted when the last bytes for it are written.
    fn take_error(&mut self) -> Option<char> {
        self.replaced.take().or_else(|| self.is_rejected().then_some(char::REPLACEMENT_CHARACTER))
    }
}

/// An encoder as the loop calls it: in ordinary builds through a table of functions, as a decoder.
pub(crate) trait Codec<S: Source + ?Sized> {
    /// See [`Encode::handle`].
    fn handle(&mut self, item: Option<char>, queue: &mut Option<char>) -> EncodeStep;

    /// See [`Encode::unmappable`].
    fn unmappable(&self, character: char) -> Option<char>;

    /// See [`Encode::cannot_unread`].
    #[cfg(feature = "oem")]
    fn cannot_unread(&self, character: char) -> bool;

    /// The bytes of an HTML reference in the encoding, and their number. The rest of the array is arbitrary.
    fn reference(&self, code_point: char) -> ([u8; HeldBytes::MAX], usize);

    /// See [`Encode::COSTS`].
    fn costs(&self) -> Costs;

    /// Converts a prefix of the text from unit `from` on by a kernel. Returns how many units were read.
    fn bulk(&mut self, kernels: &Kernels, src: &S, from: usize, out: &mut Out<'_, u8>) -> usize;

    /// Encodes items until `stretch` units are read. Stops earlier at an error that `unmappable` does not handle, and at a high
    /// surrogate at the end of the chunk.
    fn items(
        &mut self,
        call: &Call<'_, S, EncodePolicy>,
        unmappable: Unmappable,
        from: usize,
        stretch: usize,
        out: &mut Out<'_, u8>,
    ) -> Encoded;
}

impl<E: Encode, S: Source + ?Sized> Codec<S> for E {
    fn handle(&mut self, item: Option<char>, queue: &mut Option<char>) -> EncodeStep {
        Encode::handle(self, item, queue)
    }

    fn unmappable(&self, character: char) -> Option<char> {
        Encode::unmappable(self, character)
    }

    #[cfg(feature = "oem")]
    fn cannot_unread(&self, character: char) -> bool {
        Encode::cannot_unread(self, character)
    }

    fn reference(&self, code_point: char) -> ([u8; HeldBytes::MAX], usize) {
        reference(self, code_point)
    }

    fn costs(&self) -> Costs {
        E::COSTS
    }

    fn bulk(&mut self, kernels: &Kernels, src: &S, from: usize, out: &mut Out<'_, u8>) -> usize {
        src.bulk(from, self, kernels, out)
    }

    fn items(
        &mut self,
        call: &Call<'_, S, EncodePolicy>,
        unmappable: Unmappable,
        from: usize,
        stretch: usize,
        out: &mut Out<'_, u8>,
    ) -> Encoded {
        encode_items(self, call, unmappable, from, stretch, out)
    }
}

impl EncodeState {
    /// The state before a text. See [`DecodeState::START`](super::DecodeState::START).
    pub(crate) const START: Self = Self {
        held: HeldBytes::EMPTY,
        high: None,
        progress: Progress::START,
        errors: ErrorTally::EMPTY,
        unpaired: 0,
        restored: None,
        current: Current::NONE,
    };

    /// Starts a new text after the end of one, where nothing is pending.
    #[inline]
    pub(crate) fn restart(&mut self) {
        self.progress.restart();
        self.unpaired = 0;
        if !self.errors.is_empty() {
            self.errors = ErrorTally::EMPTY;
        }
    }

    /// The error of the current character.
    pub(crate) fn error(&self, encoding: Encoding, code_point: char) -> EncodeError {
        let Current { character, range, unit, replaced, .. } = &self.current;
        let reason = match replaced {
            // Only a replacement that is unmappable too is still to be written when an error is reported.
            Some(_) => EncodeReason::UnmappableReplacement,
            None if self.current.is_rejected() => EncodeReason::UnpairedSurrogate,
            None => EncodeReason::Unmappable,
        };
        EncodeError::new(encoding, reason, *character, code_point, range, *unit)
    }

    /// Whether an error of the current character ends the text, by the policy of the call that read it.
    pub(crate) fn error_is_final(&self) -> bool {
        self.current.policy.unmappable != Unmappable::Pause
    }

    /// Whether no byte is held, no surrogate is pending, and no character is restored.
    #[inline]
    pub(crate) fn is_idle(&self) -> bool {
        self.held.len() == 0 && self.high.is_none() && self.restored.is_none()
    }

    /// Encodes a chunk. Returns how many units were read, and why it stopped.
    // `call` is a reference, because moving a value right after its fields were stored one by one stalls the processor.
    #[inline]
    pub(crate) fn encode<S: Source + ?Sized, C: Codec<S> + ?Sized>(
        &mut self,
        codec: &mut C,
        call: &Call<'_, S, EncodePolicy>,
        out: &mut Out<'_, u8>,
    ) -> (usize, Stop<char>) {
        // Small builds know it: they have no kernel call before the loop.
        let (mut read, mut turn) = (0, if cfg!(textcodec_small) { Turn::Convert } else { call.turn });
        self.progress.is_ready = false;
        loop {
            if !self.held.flush(!call.policy.for_hooks, out) {
                return (read, Stop::OutputFull);
            }
            if turn == Turn::Convert && self.restored.is_none() && self.high.is_none() {
                let (items, stop) = self.convert_prefix(codec, call, read, out);
                read += items;
                if let Some(stop) = stop {
                    return (read, stop);
                }
                if !call.last && read == call.src.units() {
                    self.progress.end_between_characters();
                    return (read, Stop::InputEmpty);
                }
            }
            turn = Turn::Convert;
            if let Some(stop) = self.handle(codec, call, &mut read, out) {
                return (read, stop);
            }
        }
    }

    /// Gives the next character to the handler: the restored one, or that of the chunk after the first `read` units. Returns why the call
    /// stops, unless it continues.
    // Not inlined: most calls need no handler, and would load its functions from the table all the same.
    #[cfg_attr(not(textcodec_small), inline(never))]
    fn handle<S: Source + ?Sized, C: Codec<S> + ?Sized>(
        &mut self,
        codec: &mut C,
        call: &Call<'_, S, EncodePolicy>,
        read: &mut usize,
        out: &mut Out<'_, u8>,
    ) -> Option<Stop<char>> {
        let item = match self.next(call, read) {
            Ok(item) => item,
            Err(stop) => return Some(stop),
        };
        let unmappable = item.and_then(|character| codec.unmappable(character));
        let step = match (item, unmappable) {
            // An unmappable replacement ends the text, so the handler ends it as with `Fail`: in ISO-2022-JP, in ASCII.
            (_, Some(code_point))
                if !self.current.policy.follows_handler_order() && self.current.replaced.is_none() =>
            {
                EncodeStep::Error(code_point)
            }
            // The handler does not see a character that is not written, because it may change its state for it.
            (Some(character), None) if self.current.is_refused() => EncodeStep::Error(character),
            _ => codec.handle(item, &mut self.restored),
        };
        match step {
            EncodeStep::Finished => Some(Stop::InputEmpty),
            EncodeStep::Error(code_point) => self.fail(codec, call, code_point, read, out),
            EncodeStep::Emit(bytes) => {
                let (all, len) = bytes.as_array();
                let may_unread = item.is_some_and(|character| !cannot_unread::<S, C>(codec, character));
                if !self.write_or_unread(&all[..len], may_unread, call.policy, read, out) {
                    return Some(Stop::OutputFull);
                }
                // If the handler has restored the character, the bytes are an escape sequence before it.
                self.current.escaped = self.restored.is_some();
                if item.is_some()
                    && !self.current.escaped
                    && let Some(code_point) = self.current.take_error()
                {
                    self.count_error(call.encoding, code_point);
                }
                None
            }
        }
    }

    /// Reads the next character for the handler: the restored one, or one of the chunk. `None` is the end of the text.
    #[inline]
    fn next<S: Source + ?Sized>(
        &mut self,
        call: &Call<'_, S, EncodePolicy>,
        read: &mut usize,
    ) -> Result<Option<char>, Stop<char>> {
        if let Some(character) = self.restored.take() {
            return Ok(Some(character));
        }
        match call.src.next(*read, &mut self.high, call.last) {
            Next::Item { character, before, read: units, unpaired } => {
                *read += units;
                self.progress.record_handled(units);
                // Only UTF-16 can start in an earlier chunk, even if this one is UTF-8.
                let unit = if before > 0 { TextUnit::Utf16 } else { S::UNIT };
                self.start(Item { character, units: before + units, unpaired }, unit, call.policy);
                Ok(Some(character))
            }
            Next::Empty { read: units } => {
                *read += units;
                self.progress.position += units as u64;
                if call.last { Ok(None) } else { Err(Stop::InputEmpty) }
            }
        }
    }

    /// Makes the character before the position the current one.
    #[inline]
    fn start(&mut self, item: Item, unit: TextUnit, policy: EncodePolicy) {
        let Item { character, units, unpaired } = item;
        self.unpaired += u64::from(unpaired);
        let range = self.progress.position - units as u64..self.progress.position;
        self.current = Current { character, range, unit, unpaired, replaced: None, policy, escaped: false };
    }

    /// Handles an error of the current character, by the policy of the call that read it. `read` units of the chunk were read. Returns
    /// why the call stops, unless it continues.
    #[inline]
    fn fail<S: Source + ?Sized, C: Codec<S> + ?Sized>(
        &mut self,
        codec: &C,
        call: &Call<'_, S, EncodePolicy>,
        code_point: char,
        read: &mut usize,
        out: &mut Out<'_, u8>,
    ) -> Option<Stop<char>> {
        let replaced = self.current.replaced;
        match self.current.policy.unmappable {
            Unmappable::Replace(character) if replaced.is_none() => {
                (self.restored, self.current.replaced) = (Some(character), Some(code_point));
                return None;
            }
            Unmappable::Fail | Unmappable::Pause | Unmappable::Replace(_) => {
                return Some(Stop::Error(replaced.unwrap_or(code_point)));
            }
            Unmappable::Html => {
                let (reference, len) = codec.reference(code_point);
                // After its escape sequence, a character cannot be unread: its reference is held if it does not fit.
                let may_unread = !self.current.escaped;
                if !self.write_or_unread(&reference[..len], may_unread, call.policy, read, out) {
                    return Some(Stop::OutputFull);
                }
            }
            Unmappable::Skip => {}
        }
        self.count_error(call.encoding, code_point);
        None
    }

    /// Converts a prefix of the text from unit `from` on, by kernels and item by item. Requires that nothing is pending.
    /// Returns how many units were read, and why it stopped.
    fn convert_prefix<S: Source + ?Sized, C: Codec<S> + ?Sized>(
        &mut self,
        codec: &mut C,
        call: &Call<'_, S, EncodePolicy>,
        from: usize,
        out: &mut Out<'_, u8>,
    ) -> (usize, Option<Stop<char>>) {
        let mut read = from;
        while read < call.src.units() {
            let units = call.src.units() - read;
            if self.progress.should_call_kernel(units, out.spare_len()) {
                read += self.by_kernel(codec, call, read, out);
            }
            let stretch = self.progress.stretch();
            let (items, stop) = self.items(codec, call, read, out);
            read += items;
            if items < stretch || stop.is_some() {
                return (read - from, stop);
            }
        }
        (read - from, None)
    }

    /// Converts a prefix of the text from unit `from` on by a kernel. Returns how many units were read.
    // Not inlined, as the handler.
    #[cfg_attr(not(textcodec_small), inline(never))]
    fn by_kernel<S: Source + ?Sized, C: Codec<S> + ?Sized>(
        &mut self,
        codec: &mut C,
        call: &Call<'_, S, EncodePolicy>,
        from: usize,
        out: &mut Out<'_, u8>,
    ) -> usize {
        let taken = codec.bulk(call.level.kernels(), call.src, from, out);
        let of = KernelCall { units: call.src.units() - from, taken, spare: out.spare_len() };
        let end = from + taken;
        self.progress.record(of, codec.costs(), &|recent| call.src.count_non_ascii(end - recent..end));
        taken
    }

    /// Encodes items until `stretch` units are read. Stops earlier before an item that only the handler can encode, and after
    /// an error if the policy says so.
    #[inline]
    fn items<S: Source + ?Sized, C: Codec<S> + ?Sized>(
        &mut self,
        codec: &mut C,
        call: &Call<'_, S, EncodePolicy>,
        from: usize,
        out: &mut Out<'_, u8>,
    ) -> (usize, Option<Stop<char>>) {
        // The first error that does not stop the call is recorded with its character and range, by the main loop. Later ones
        // are only counted.
        let unmappable = if self.errors.is_empty() { Unmappable::Fail } else { call.policy.unmappable };
        let stretch = self.progress.stretch();
        let Encoded { read, errors, unpaired, end } = codec.items(call, unmappable, from, stretch, out);
        self.errors.count_more(errors);
        self.unpaired += unpaired;
        self.progress.record_items(read, 0);
        match end {
            // An item that does not fit into an empty destination is for the main loop, which can split it.
            ItemsEnd::Full if out.filled() > 0 => (read, Some(Stop::OutputFull)),
            ItemsEnd::Failed(item, code_point)
                if matches!(call.policy.unmappable, Unmappable::Fail | Unmappable::Pause) =>
            {
                self.progress.position += item.units as u64;
                self.start(item, S::UNIT, call.policy);
                (read + item.units, Some(Stop::Error(code_point)))
            }
            ItemsEnd::Open | ItemsEnd::Full | ItemsEnd::Failed(..) => (read, None),
        }
    }

    /// Writes bytes. If they do not fit, unreads the current character and returns false, or holds the bytes. `read` units of the chunk
    /// were read. The character can only be unread if it is entirely in this chunk, and if `may_unread`.
    #[cfg_attr(textcodec_small, inline(never))]
    #[cfg_attr(not(textcodec_small), inline)]
    fn write_or_unread(
        &mut self,
        bytes: &[u8],
        may_unread: bool,
        policy: EncodePolicy,
        read: &mut usize,
        out: &mut Out<'_, u8>,
    ) -> bool {
        if out.extend(bytes) {
            return true;
        }
        // If the destination is too small from the start, it gets a part of the bytes, so that the call makes progress.
        let has_space = out.filled() > 0 || out.spare_len() == 0 || policy.for_hooks;
        // An escape sequence before a restored character, and a replacement, are not the character itself.
        let is_whole = self.restored.is_none() && self.current.replaced.is_none();
        let len = self.progress.position - self.current.range.start;
        if may_unread
            && has_space
            && is_whole
            && let Some(before) = read.checked_sub(len as usize)
        {
            *read = before;
            self.progress.position = self.current.range.start;
            self.unpaired -= u64::from(self.current.unpaired);
            return false;
        }
        self.held.put(bytes, !policy.for_hooks, out);
        true
    }

    /// Counts the current character's error, which does not stop the call.
    #[cfg_attr(textcodec_small, inline(never))]
    fn count_error(&mut self, encoding: Encoding, code_point: char) {
        if self.errors.is_empty() {
            self.errors.add(self.error(encoding, code_point));
        } else {
            self.errors.count_more(1);
        }
    }
}

/// See [`Encode::cannot_unread`].
fn cannot_unread<S: Source + ?Sized, C: Codec<S> + ?Sized>(codec: &C, character: char) -> bool {
    #[cfg(feature = "oem")]
    return codec.cannot_unread(character);
    #[cfg(not(feature = "oem"))]
    {
        let _ = (codec, character);
        false
    }
}

/// The result of [`Codec::items`].
pub(crate) struct Encoded {
    read: usize,
    /// How many unmappable characters were replaced or skipped.
    errors: u64,
    /// How many of the units read are unpaired surrogates.
    unpaired: u64,
    end: ItemsEnd,
}

/// What follows the items that [`encode_items`] encoded.
enum ItemsEnd {
    /// More items, a high surrogate at the end of the chunk, or an item that needs more capacity than is spare
    /// ([`MIN_ITEM_CAPACITY`](Encode::MIN_ITEM_CAPACITY)).
    Open,
    /// An item that does not fit.
    Full,
    /// An unmappable item that is not replaced, and the code point of its error.
    Failed(Item, char),
}

/// See [`Codec::items`].
#[inline]
fn encode_items<E: Encode, S: Source + ?Sized>(
    codec: &mut E,
    call: &Call<'_, S, EncodePolicy>,
    unmappable: Unmappable,
    from: usize,
    stretch: usize,
    out: &mut Out<'_, u8>,
) -> Encoded {
    let item = |read| call.src.item(from + read, call.last, call.policy.reject_unpaired);
    out.write_locally(|out| {
        let mut counted = 0;
        let mut done = Encoded { read: 0, errors: 0, unpaired: 0, end: ItemsEnd::Open };
        while counted < stretch {
            let Some(mut next) = item(done.read) else { break };
            if next.character.is_ascii() && codec.encodes_as_itself(next.character as u8) {
                let ascii = call.src.put_ascii(from + done.read, codec, call.level.kernels(), out);
                if ascii == 0 {
                    done.end = ItemsEnd::Full;
                    break;
                }
                done.read += ascii;
                // ASCII that a kernel converts does not count towards the stretch: cell
                // `hostile/encode/gbk/utf-8/html/4KiB/ascii*200+unmappable-latin`.
                counted += ascii.min(MAX_SHORT_ASCII);
                continue;
            }
            // Pairs have a separate loop: cells `hostile/encode/iso-2022-jp/utf-16/*/4KiB/pair*20+*`.
            while let Some(pair) = codec.common_pair(next.character) {
                if !out.extend(&pair) {
                    done.end = ItemsEnd::Full;
                    return done;
                }
                done.read += next.units;
                counted += next.units;
                match item(done.read) {
                    Some(item) if counted < stretch => next = item,
                    _ => return done,
                }
            }
            if out.spare_len() < E::MIN_ITEM_CAPACITY {
                break;
            }
            let fits = match put_item(codec, next.character, call.policy, out) {
                Ok(fits) => fits,
                Err(code_point) => {
                    let Some(fits) = put_instead(codec, code_point, unmappable, call.policy, out) else {
                        done.end = ItemsEnd::Failed(next, code_point);
                        break;
                    };
                    done.errors += u64::from(fits);
                    fits
                }
            };
            if !fits {
                done.end = ItemsEnd::Full;
                break;
            }
            done.unpaired += u64::from(next.unpaired);
            done.read += next.units;
            counted += next.units;
        }
        done
    })
}

/// Writes what replaces an unmappable character. Returns whether it fits, or `None` if the handler must replace it, or the call stops.
#[cfg_attr(not(textcodec_small), inline(always))]
fn put_instead<E: Encode>(
    codec: &mut E,
    code_point: char,
    unmappable: Unmappable,
    policy: EncodePolicy,
    out: &mut Out<'_, u8>,
) -> Option<bool> {
    match unmappable {
        Unmappable::Html => Some(put_reference(codec, code_point, out)),
        Unmappable::Skip => Some(true),
        Unmappable::Replace(other) => put_item(codec, other, policy, out).ok().filter(|&fits| fits),
        Unmappable::Fail | Unmappable::Pause => None,
    }
}

/// See [`Codec::reference`].
#[cfg_attr(not(textcodec_small), inline(always))]
fn reference<E: Encode>(codec: &E, code_point: char) -> ([u8; HeldBytes::MAX], usize) {
    let reference = Reference::new(code_point);
    #[cfg(feature = "oem")]
    if E::WIDENS {
        return reference.widened(&|ascii| codec.widen(ascii));
    }
    let _ = codec;
    let mut all = [0; HeldBytes::MAX];
    let (bytes, len) = reference.as_array();
    all[..bytes.len()].copy_from_slice(&bytes);
    (all, len)
}

/// Writes an HTML reference; returns false if it does not fit.
#[cfg_attr(not(textcodec_small), inline(always))]
fn put_reference<E: Encode>(codec: &E, code_point: char, out: &mut Out<'_, u8>) -> bool {
    if E::WIDENS {
        let (bytes, len) = reference(codec, code_point);
        return out.extend(&bytes[..len]);
    }
    let (bytes, len) = Reference::new(code_point).as_array();
    out.extend_some(&bytes, len)
}

/// Writes the bytes of a character, after an escape sequence if it needs one. Returns whether they fit, or the code point of
/// the error. Requires `out.spare_len() >= E::MIN_ITEM_CAPACITY`.
#[cfg_attr(not(textcodec_small), inline(always))]
fn put_item<E: Encode>(
    codec: &mut E,
    character: char,
    policy: EncodePolicy,
    out: &mut Out<'_, u8>,
) -> Result<bool, char> {
    if !policy.follows_handler_order()
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

/// A numeric character reference: `&#`, the decimal code point, `;`. For error mode "html" of *process an item*.
struct Reference {
    /// The digits and the semicolon, little-endian. A word instead of an array, as in [`Bytes`](crate::codec::Bytes).
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

    /// The bytes and their number. The rest of the array is arbitrary.
    fn as_array(&self) -> ([u8; 10], usize) {
        let mut all = *b"&#________";
        all[2..].copy_from_slice(&self.rest.to_le_bytes());
        (all, self.len)
    }

    #[cfg(feature = "oem")]
    /// The bytes of the reference in an encoding, and their number. The rest of the array is arbitrary.
    fn widened(&self, widen: &dyn Fn(u8) -> ([u8; 2], usize)) -> ([u8; 20], usize) {
        let (reference, len) = self.as_array();
        let (mut all, mut end) = ([0; 20], 0);
        for &ascii in &reference[..len] {
            let (bytes, len) = widen(ascii);
            all[end..end + len].copy_from_slice(&bytes[..len]);
            end += len;
        }
        (all, end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_have_no_leading_zeros() {
        let reference = |code_point| {
            let (all, len) = Reference::new(code_point).as_array();
            all[..len].to_vec()
        };
        assert_eq!(reference('\0'), b"&#0;");
        assert_eq!(reference('\u{10FFFF}'), b"&#1114111;");
    }
}
