//! The loops of a conversion.

use textcodec::{BIG5, Decoder, UTF_8, utf};

use super::{BLOCK, Conversion, Progress, Stop, TINY_BLOCK};
use crate::{
    form::{Form, Order},
    other_form,
    output::Output,
    source::{self, Source},
    target::{self, Target, Text},
    translit::transliterate,
    write_back::{big5_letter, big5_sequence, is_big5_sequence, write_back},
};

/// The maximum length of the first block after an unmappable character. A program that replaces such characters itself
/// calls again after each, and the rest of a block is decoded in vain if there is another one in it.
const CAUTIOUS_BLOCK: usize = 64;

/// What a call counts, apart from its output.
#[derive(Clone, Copy, Default)]
struct Counts {
    read: usize,
    transliterated: usize,
    /// Malformed sequences.
    skipped: usize,
    /// Unmappable characters.
    discarded: usize,
}

impl Conversion {
    /// Converts with blocks of these sizes. What it calls is compiled once for all of them.
    // Not inlined, so that a short text needs no large stack frame.
    #[inline(never)]
    pub(super) fn run<const UNITS: usize, const BYTES: usize>(
        &mut self,
        src: &[u8],
        room: usize,
        hand_over: impl FnMut(&[u8]),
    ) -> Progress {
        let mut bytes = [0; BYTES];
        let mut out = Output::new(&mut bytes, room, hand_over);
        let mut counts = Counts::default();
        let stop = if self.options.exchange_newlines {
            self.recode(src, &mut [0; UNITS], &mut out, &mut counts)
        } else if self.is_direct {
            self.decode(src, &mut out, &mut counts)
        } else if let Some(stop) = self.encode_utf8(src, &mut out, &mut counts) {
            stop
        } else {
            self.recode(src, &mut [0; UNITS], &mut out, &mut counts)
        };
        self.first_len = if stop == Stop::Unmappable { CAUTIOUS_BLOCK } else { usize::MAX };
        let Counts { read, transliterated, skipped, discarded } = counts;
        Progress { read, written: out.finish(), transliterated, skipped: skipped + discarded, discarded, stop }
    }

    /// Decodes to UTF-8.
    #[inline(never)]
    fn decode<W: FnMut(&[u8])>(&mut self, src: &[u8], out: &mut Output<'_, W>, counts: &mut Counts) -> Stop {
        let Source::Encoding(decoder) = &mut self.source else { return Stop::InputEmpty };
        loop {
            let room = out.room();
            let space = out.space();
            let is_last = space.len() == room;
            let step = source::decode(
                decoder,
                &src[counts.read..],
                space,
                Decoder::decode_to_utf8,
                self.options.skip_malformed,
            );
            out.advance(step.written);
            counts.read += step.read;
            counts.skipped += step.skipped;
            if step.stop != source::Stop::Full || is_last {
                return step.stop.into();
            }
        }
    }

    /// Encodes UTF-8 without UTF-16 in between. Returns `None` if the input is in another form, or the rest of it is malformed
    /// or incomplete, which is for [`recode`](Self::recode).
    #[inline(never)]
    fn encode_utf8<W: FnMut(&[u8])>(
        &mut self,
        src: &[u8],
        out: &mut Output<'_, W>,
        counts: &mut Counts,
    ) -> Option<Stop> {
        /// What is validated at once stays in the cache.
        const MAX_LEN: usize = 16 * 1024;

        let (Form::Encoding(UTF_8), Target::Encoding(encoder)) = (self.from, &self.target) else { return None };
        let encoding = encoder.encoding();
        // Encoders of several bytes convert to UTF-16 themselves, which takes longer, except for a few characters.
        if self.needs_mark || !(encoding.is_single_byte() || src.len() <= TINY_BLOCK) {
            return None;
        }
        let mut max_len = self.first_len.min(MAX_LEN);
        while counts.read < src.len() {
            let rest = &src[counts.read..];
            // A character of four bytes takes at least one byte of output. What does not fit would be validated in vain.
            let len = rest.len().min(max_len).min(out.room().saturating_mul(4).saturating_add(8));
            let text = utf::utf8_prefix(&rest[..len]);
            if text.is_empty() {
                return None;
            }
            match self.encode_characters(text, out, counts) {
                Ok(()) => {
                    counts.read += text.len();
                    max_len = MAX_LEN;
                }
                Err((read, stop)) => {
                    counts.read += read;
                    return Some(stop);
                }
            }
        }
        Some(Stop::InputEmpty)
    }

    /// Decodes to UTF-16 in blocks, and encodes these.
    #[inline(never)]
    fn recode<W: FnMut(&[u8])>(
        &mut self,
        src: &[u8],
        block: &mut [u16],
        out: &mut Output<'_, W>,
        counts: &mut Counts,
    ) -> Stop {
        let skip = self.options.skip_malformed;
        let mut max_len = self.first_len.min(BLOCK);
        loop {
            let rest = &src[counts.read..];
            // What does not fit would be decoded in vain. A character has at most two units, and so has a pair of Big5.
            let room = out.room() / self.target.min_unit_len();
            let len = block.len().min(max_len).min(room.max(2));
            max_len = BLOCK;
            let before = self.source.is_stateful().then(|| self.source.clone());
            let step = self.source.read(rest, &mut block[..len], skip);
            if self.options.exchange_newlines {
                exchange_newlines(&mut block[..step.written]);
            }
            if let Err((written, stop)) = self.encode(&block[..step.written], out, counts) {
                // Only a part of the block is encoded. To find its end in the input, read that much again.
                if let Some(before) = before {
                    self.source = before;
                }
                let step = self.source.read(rest, &mut block[..written], skip);
                if stop == Stop::Unmappable {
                    self.source.stop_before_character(&rest[step.read..]);
                }
                counts.read += step.read;
                counts.skipped += step.skipped;
                return stop;
            }
            counts.read += step.read;
            counts.skipped += step.skipped;
            if step.stop != source::Stop::Full {
                return step.stop.into();
            }
        }
    }

    /// Encodes a block. If it stops before the end, returns the number of units before that, and the reason.
    fn encode<W: FnMut(&[u8])>(
        &mut self,
        units: &[u16],
        out: &mut Output<'_, W>,
        counts: &mut Counts,
    ) -> Result<(), (usize, Stop)> {
        if units.is_empty() {
            return Ok(());
        }
        if self.needs_mark {
            if !out.put(mark(self.to, &mut [0; 4])) {
                return Err((0, Stop::OutputFull));
            }
            self.needs_mark = false;
        }
        if self.from != Form::Encoding(BIG5) {
            return self.encode_characters(units, out, counts);
        }
        // Four pairs of Big5 are two characters. The position in the input must not be within one.
        let mut start = 0;
        while let Some(len) = units[start..].windows(2).position(is_big5_sequence) {
            let at = start + len;
            self.encode_characters(&units[start..at], out, counts).map_err(|(read, stop)| (start + read, stop))?;
            // With an empty block, the first character can be taken back.
            out.hand_over();
            let (target, held, counts_before, before) = (self.target.clone(), self.held, *counts, out.room());
            if let Err((_, stop)) = self.encode_characters(&units[at..at + 2], out, counts) {
                (self.target, self.held, *counts) = (target, held, counts_before);
                out.truncate(before - out.room());
                return Err((at, stop));
            }
            start = at + 2;
        }
        self.encode_characters(&units[start..], out, counts).map_err(|(read, stop)| (start + read, stop))
    }

    fn encode_characters<T: Text + ?Sized, W: FnMut(&[u8])>(
        &mut self,
        text: &T,
        out: &mut Output<'_, W>,
        counts: &mut Counts,
    ) -> Result<(), (usize, Stop)> {
        let mut read = 0;
        while read < text.len() {
            let rest = text.split(read).1;
            if let Some(letter) = self.held {
                let sequence = rest.first().and_then(|mark| Some((big5_sequence(letter, mark)?, T::len_of(mark))));
                let (bytes, len) = sequence.unwrap_or((letter, 0));
                if !out.put(&bytes) {
                    return Err((read, Stop::OutputFull));
                }
                self.held = None;
                read += len;
                continue;
            }
            let room = out.room();
            if room == 0 {
                return Err((read, Stop::OutputFull));
            }
            let space = out.space();
            let is_last = space.len() == room;
            let step = rest.write(&mut self.target, space);
            out.advance(step.written);
            read += step.read;
            match step.stop {
                target::Stop::Empty => {}
                target::Stop::Full if is_last => return Err((read, Stop::OutputFull)),
                target::Stop::Full => {}
                target::Stop::Unmappable(character) => {
                    self.replace(character, out, counts).map_err(|stop| (read, stop))?;
                    read += T::len_of(character);
                }
            }
        }
        Ok(())
    }

    /// Writes something else for a character that the encoder lacks.
    fn replace<W: FnMut(&[u8])>(
        &mut self,
        character: char,
        out: &mut Output<'_, W>,
        counts: &mut Counts,
    ) -> Result<(), Stop> {
        if let Form::Encoding(encoding) = self.to {
            if let Some(bytes) = write_back(encoding, character) {
                self.held = big5_letter(encoding, &bytes);
                return if self.held.is_some() || out.put(&bytes) { Ok(()) } else { Err(Stop::OutputFull) };
            }
            if let Some(text) = other_form(encoding, character) {
                return self.put_text(&text, out);
            }
        }
        if self.options.skip_tags && matches!(character, '\u{E0000}'..='\u{E007F}') {
            return Ok(());
        }
        if self.options.transliterate {
            let to = self.to;
            let text = transliterate(character, |c| to.has(c));
            if let Some(text) = text.as_deref().or(to.has('?').then_some("?")) {
                self.put_text(text, out)?;
                counts.transliterated += 1;
                return Ok(());
            }
        }
        if out.room() == 0 {
            // Whatever the character is: a caller with more room learns that it is unmappable.
            return Err(Stop::OutputFull);
        }
        if self.options.skip_unmappable {
            counts.discarded += 1;
            return Ok(());
        }
        Err(Stop::Unmappable)
    }

    /// Writes the whole of a text that the form [has](Form::has), or nothing.
    fn put_text<W: FnMut(&[u8])>(&mut self, text: &str, out: &mut Output<'_, W>) -> Result<(), Stop> {
        let before = self.target.clone();
        // No character takes more than eight bytes.
        let (mut bytes, mut len) = ([0; target::MAX_LEN * crate::translit::MAX_CHARACTERS], 0);
        for character in text.chars() {
            let mut units = [0; 2];
            let units = character.encode_utf16(&mut units);
            let step = self.target.write(units, &mut bytes[len..]);
            len += step.written;
            if let (target::Stop::Unmappable(_), Form::Encoding(encoding)) = (step.stop, self.to) {
                if let Some(other) = write_back(encoding, character) {
                    bytes[len..][..other.len()].copy_from_slice(&other);
                    len += other.len();
                } else if let Some(other) = other_form(encoding, character) {
                    for character in other.chars() {
                        let step = self.target.write(character.encode_utf16(&mut [0; 2]), &mut bytes[len..]);
                        len += step.written;
                    }
                }
            }
        }
        if out.put(&bytes[..len]) {
            return Ok(());
        }
        self.target = before;
        Err(Stop::OutputFull)
    }
}

fn exchange_newlines(units: &mut [u16]) {
    for unit in units {
        *unit = match *unit {
            0x0A => 0x85,
            0x85 => 0x0A,
            other => other,
        };
    }
}

/// Returns the byte order mark of a form.
fn mark(form: Form, bytes: &mut [u8; 4]) -> &[u8] {
    if form == Form::MarkedUtf16 {
        let (unit, _) = bytes.split_at_mut(2);
        unit.copy_from_slice(&Order::NATIVE.bytes_of_u16(0xFEFF));
        unit
    } else {
        *bytes = Order::NATIVE.bytes_of_u32(0xFEFF);
        bytes
    }
}

impl From<source::Stop> for Stop {
    fn from(stop: source::Stop) -> Self {
        match stop {
            source::Stop::Empty => Self::InputEmpty,
            source::Stop::Full => Self::OutputFull,
            source::Stop::Incomplete => Self::Incomplete,
            source::Stop::Malformed => Self::Malformed,
        }
    }
}
