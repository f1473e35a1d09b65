//! Converts chunks from one encoding to another.

use std::borrow::Cow;

use textcodec::{BIG5, DecodeTarget, Decoder, EncodeError, Encoder, Status, UTF_8};
use textcodec_detect::Mixed;
use textcodec_iconv::{Form, big5_sequence, other_form, transliterate, write_back};

use super::{
    ConvertError,
    forms::FormStage,
    marks,
    recipe::{Count, Recipe, Tally, Unmappable},
    record_reader::Reader,
    segments::{Normalizer, Text},
    text_decoder::TextDecoder,
};
use crate::{
    charset::Charset,
    items::{self, ItemKind},
    location::Location,
    narrow::Narrow,
    normalize::{self, fit},
    outside::Scanner,
    records,
    table::is_ebcdic,
};

/// A decoder, an encoder, and the text buffer between them.
pub(super) struct Stage {
    recipe: Recipe,
    /// `None` after the end of an input.
    decoder: Option<TextDecoder>,
    /// Whether the text so far is empty or ends with a line feed. Only tracked to remove byte order marks.
    at_line_start: bool,
    /// `None` if the output is UTF-8 and not normalized: the decoder writes it directly.
    encoder: Option<Encoder>,
    text: Vec<u16>,
    normalizer: Option<Normalizer>,
    /// The last units of the text that has been encoded.
    encoded: Vec<u16>,
    /// A letter of Big5 at the end of that text, which is written when the next character is known.
    held: Option<[u8; 2]>,
    /// Input that has not been compared with the output, because the normalizer holds its text.
    uncompared: Vec<u8>,
    /// Scans the input, if the label of `--from` names a narrower encoding than it means.
    scanner: Option<Scanner>,
    /// Makes lines of the records of the input.
    reader: Option<Reader>,
    /// Makes records of the lines of the output.
    writer: Option<records::Writer>,
    /// Whether the line ends of the input are examined: it is EBCDIC with byte 15 as next line.
    examines_line_ends: bool,
    /// Converts instead of the decoder and the encoder.
    forms: Option<FormStage>,
    /// The counts of the current input.
    tally: Tally,
}

impl Stage {
    /// Creates a stage for text after its byte order mark.
    pub(super) fn new(recipe: Recipe, from: Charset) -> Result<Self, EncodeError> {
        Ok(Self {
            recipe,
            decoder: Some(TextDecoder::new(recipe, from)),
            at_line_start: true,
            encoder: (recipe.to != UTF_8 || recipe.mode().is_some()).then(|| encoder(recipe)).transpose()?,
            text: Vec::new(),
            normalizer: recipe.mode().map(Normalizer::new),
            encoded: Vec::new(),
            held: None,
            uncompared: Vec::new(),
            scanner: scanner(recipe, from),
            reader: Reader::new(recipe, from),
            writer: recipe.records.write.map(|form| records::Writer::new(form, recipe.records.read.is_none())),
            examines_line_ends: examines_line_ends(recipe, from),
            forms: recipe.forms.map(FormStage::new),
            tally: Tally::default(),
        })
    }

    /// Starts another input. The encoder keeps its state, which in ISO-2022-JP may not be ASCII.
    pub(super) fn start_input(&mut self, from: Charset) {
        self.decoder = Some(TextDecoder::new(self.recipe, from));
        self.at_line_start = true;
        self.normalizer = self.recipe.mode().map(Normalizer::new);
        self.encoded.clear();
        self.uncompared.clear();
        self.scanner = scanner(self.recipe, from);
        self.reader = Reader::new(self.recipe, from);
        if let Some(writer) = &mut self.writer {
            writer.start_input();
        }
        self.examines_line_ends = examines_line_ends(self.recipe, from);
        if let Some(forms) = &mut self.forms {
            forms.start_input();
        }
        self.tally = Tally::default();
    }

    /// Converts bytes and appends the result to `out`. `last` ends the input.
    pub(super) fn convert(&mut self, src: &[u8], last: bool, out: &mut Vec<u8>) -> Result<(), ConvertError> {
        if let Some(forms) = &mut self.forms {
            return forms.convert(src, last, out, &mut self.tally);
        }
        let unscanned = self.scanner.clone();
        let outside = self.scan(src);
        let end = outside.as_ref().map_or(src.len(), |(offset, _)| offset.saturating_sub(self.tally.read) as usize);
        let src = &src[..end];
        if self.examines_line_ends {
            for (found, byte) in self.tally.line_ends.iter_mut().zip([0x15, 0x25]) {
                *found = *found || src.contains(&byte);
            }
        }
        let start = out.len();
        let mut result = self.convert_lines(src, last && outside.is_none(), last || outside.is_some(), out);
        if let Some(writer) = &mut self.writer
            && let Err(long) = writer.write(start, out)
        {
            result = Err((0, ConvertError::LongLine(long)));
        }
        self.tally.written += (out.len() - start) as u64;
        let result = match (result, outside) {
            (Ok(()), Some((offset, bytes))) => Err(ConvertError::OutsideFrom(offset, bytes)),
            (Ok(()), None) => Ok(()),
            (Err((offset, error)), _) => {
                // What follows the error does not count.
                self.scanner = unscanned;
                let end = offset.saturating_sub(self.tally.read) as usize;
                self.scan(&src[..end.min(src.len())]);
                Err(error)
            }
        };
        self.tally.read += src.len() as u64;
        result
    }

    /// Scans the input, and with strict labels returns the first character outside the encoding that the label names.
    fn scan(&mut self, src: &[u8]) -> Option<(u64, Vec<u8>)> {
        let scanner = self.scanner.as_mut()?;
        scanner.scan(src);
        scanner.first.clone().filter(|_| self.recipe.labels.strict)
    }

    /// Like [`convert_all`](Self::convert_all), after making lines of records.
    fn convert_lines(
        &mut self,
        src: &[u8],
        last: bool,
        flush: bool,
        out: &mut Vec<u8>,
    ) -> Result<(), (u64, ConvertError)> {
        self.tally.same &= src.is_empty() || !self.recipe.records.is_some();
        let Some(mut reader) = self.reader.take() else { return self.convert_all(src, last, flush, out) };
        let offset = self.tally.read;
        reader.read(src, offset);
        let result = self.convert_all(&reader.lines, last, flush, out);
        let result = match (result, reader.first_malformed) {
            (Err((_, ConvertError::Malformed(_, error))), Some(first)) => {
                Err((first, ConvertError::Malformed(first, error)))
            }
            (Err((_, error)), _) => Err((offset, error)),
            (Ok(()), _) => match reader.records.incomplete() {
                Some((len, of)) if last => {
                    let start = offset + src.len() as u64 - u64::from(len);
                    Err((start, ConvertError::IncompleteRecord(start, len, of)))
                }
                _ => Ok(()),
            },
        };
        self.tally.with_newline = reader.records.with_newline;
        self.reader = Some(reader);
        result
    }

    /// Converts bytes. `flush` writes all text, even a segment that may continue. An error comes with its offset in the input.
    fn convert_all(
        &mut self,
        src: &[u8],
        last: bool,
        flush: bool,
        out: &mut Vec<u8>,
    ) -> Result<(), (u64, ConvertError)> {
        let len = out.len();
        let result = if self.encoder.is_none() {
            self.decode(src, last, out)
        } else {
            let (mut text, mut normalizer) = (std::mem::take(&mut self.text), self.normalizer.take());
            let result = self.transcode(src, last, flush, &mut text, normalizer.as_mut(), out);
            (self.text, self.normalizer) = (text, normalizer);
            result
        };
        if last || result.is_err() {
            out.extend(self.held.take().into_iter().flatten());
        }
        self.compare(src, &out[len..]);
        result
    }

    /// Compares the bytes written with the bytes read.
    fn compare(&mut self, src: &[u8], written: &[u8]) {
        if !self.tally.same || self.uncompared.is_empty() && src == written {
            return;
        }
        self.uncompared.extend_from_slice(src);
        let is_same = self.uncompared.starts_with(written);
        self.uncompared.drain(..written.len().min(self.uncompared.len()));
        let max = match &self.decoder {
            Some(decoder) if decoder.holds_text() => 2 * Mixed::MAX_LINE,
            _ if self.normalizer.is_some() => MAX_UNCOMPARED,
            _ => 0,
        };
        self.tally.same = is_same && self.uncompared.len() <= max;
        if !self.tally.same {
            self.uncompared.clear();
        }
    }

    /// Returns the counts of the current input and resets them.
    pub(super) fn take_tally(&mut self) -> Tally {
        // The input has not been read to its end, because of an error in it or in writing the output.
        if let Some(decoder) = &self.decoder {
            decoder.record(&mut self.tally);
        }
        if let Some(Scanner { count, first, .. }) = self.scanner.take().filter(|_| !self.recipe.labels.strict) {
            self.tally.outside_from = Count { count, first };
        }
        if let Some((offset, _)) = &mut self.tally.malformed.first
            && let Some(first) = self.reader.as_ref().and_then(|reader| reader.first_malformed)
        {
            *offset = first;
        }
        self.tally.same &= self.uncompared.is_empty();
        std::mem::take(&mut self.tally)
    }

    /// Writes U+FEFF in the encoding of the output.
    pub(super) fn write_bom(&mut self, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        match &mut self.encoder {
            None => out.extend_from_slice("\u{FEFF}".as_bytes()),
            Some(encoder) => encoder.push("\u{FEFF}", out)?,
        }
        Ok(())
    }

    /// Ends the output.
    pub(super) fn finish(&mut self, out: &mut Vec<u8>) -> Result<(), ConvertError> {
        if let Some(forms) = self.forms.take() {
            return forms.finish(out);
        }
        if let Some(encoder) = self.encoder.take() {
            encoder.finish(out).map_err(|error| ConvertError::Unmappable(Location::default(), error, false))?;
        }
        self.writer.take().map_or(Ok(()), |mut writer| writer.finish(out).map_err(ConvertError::LongLine))
    }

    /// Converts by way of UTF-16, in chunks that stay in the cache.
    fn transcode(
        &mut self,
        src: &[u8],
        last: bool,
        flush: bool,
        buffer: &mut Vec<u16>,
        mut normalizer: Option<&mut Normalizer>,
        out: &mut Vec<u8>,
    ) -> Result<(), (u64, ConvertError)> {
        let mut chunks = src.chunks(CHUNK_LEN).peekable();
        loop {
            let chunk = chunks.next().unwrap_or_default();
            let is_last = chunks.peek().is_none();
            let before = self.decoder.as_ref().and_then(TextDecoder::one);
            let mut held_back = 0;
            let (decoded, text) = match &mut normalizer {
                None => {
                    buffer.clear();
                    let decoded = self.decode(chunk, last && is_last, buffer);
                    (decoded, Text::unchanged(buffer))
                }
                Some(normalizer) => {
                    held_back = normalizer.start_chunk();
                    let decoded = self.decode(chunk, last && is_last, &mut normalizer.source);
                    let flush = flush && is_last || decoded.is_err();
                    (decoded, normalizer.run(flush))
                }
            };
            if let Err((position, error)) = self.encode(text, out) {
                // `None` if the character comes from an earlier chunk.
                let units = text.source_position(position).checked_sub(held_back);
                let scanned = before.as_ref().filter(|_| self.scanner.is_some());
                let offset = scanned.map(|before| {
                    units.map_or(before.position(), |units| offset_of(self.recipe, before, chunk, units))
                });
                self.recount_malformed(units, before, chunk, last && is_last);
                return Err((offset.unwrap_or_default(), error));
            }
            decoded?;
            if is_last {
                return Ok(());
            }
        }
    }

    fn decode<T: DecodeTarget + marks::Text>(
        &mut self,
        src: &[u8],
        last: bool,
        out: &mut T,
    ) -> Result<(), (u64, ConvertError)> {
        let (start, malformed) = (out.units(), self.recipe.malformed);
        let mut result = self.decoder.as_mut().map_or(Ok(()), |decoder| decoder.push(malformed, src, out));
        if last && result.is_ok() {
            let decoder = self.decoder.take();
            result = decoder.map_or(Ok(()), |decoder| decoder.finish(malformed, out, &mut self.tally));
        }
        if self.recipe.remove_marks {
            self.tally.marks += out.remove_marks(start, &mut self.at_line_start);
        }
        result
    }

    /// Counts only the malformed sequences within the first `units` units of a chunk's text, or none. The text after them has
    /// been decoded, but is not written.
    fn recount_malformed(&mut self, units: Option<usize>, before: Option<Decoder>, chunk: &[u8], last: bool) {
        let Some(mut decoder) = before else { return };
        let mut found = Count::from(decoder.errors().clone());
        let malformed = self.recipe.malformed;
        decoder.set_malformed(textcodec::Malformed::Pause);
        let (mut rest, mut units_before, mut buffer) = (chunk, 0, [0; 1024]);
        loop {
            let progress = decoder.decode_to_utf16(rest, &mut buffer, last);
            rest = &rest[progress.read..];
            units_before += progress.written;
            match progress.status {
                Status::Error(error) => {
                    if units.is_some_and(|units| units_before <= units) {
                        found.add(1, || Some((error.range().start, error.clone())));
                    }
                    units_before += malformed.units(&error);
                }
                Status::OutputFull => {}
                _ => break,
            }
        }
        self.decoder = None;
        self.tally.malformed = found;
    }

    /// Encodes text and scans the result, if the label of `--to` names a narrower encoding. An error comes with the number of
    /// units before it.
    fn encode(&mut self, text: Text<'_>, out: &mut Vec<u8>) -> Result<(), (usize, ConvertError)> {
        let Some(narrow) = self.recipe.labels.to else { return self.encode_all(text, out) };
        let strict = self.recipe.labels.strict;
        let before = strict.then(|| (self.encoder.clone(), self.tally.unmappable.clone()));
        let (len, start) = (out.len(), self.tally.location);
        let result = self.encode_all(text, out);
        let mut scanner = Scanner::new(narrow);
        scanner.scan(&out[len..]);
        if scanner.count == 0 || self.tally.outside_to.first.is_some() {
            self.tally.outside_to.count += scanner.count;
            return result;
        }
        let Some((units, character)) = first_outside(self.recipe, narrow, text.units) else { return result };
        let mut location = start;
        location.advance(text.until(units).source);
        if let Some((encoder, unmappable)) = before {
            // Only the text before the character is written.
            out.truncate(len);
            (self.encoder, self.tally.unmappable, self.tally.location) = (encoder, unmappable, start);
            self.encode_all(text.until(units), out)?;
            return Err((units, ConvertError::OutsideTo(location, character)));
        }
        self.tally.outside_to.add(scanner.count, || Some((location, character)));
        result
    }

    /// Encodes text. An error comes with the number of units before it.
    fn encode_all(&mut self, text: Text<'_>, out: &mut Vec<u8>) -> Result<(), (usize, ConvertError)> {
        let Some(encoder) = &mut self.encoder else { return Ok(()) };
        let start = self.tally.location;
        let location_at = |position: usize| {
            let mut location = start;
            location.advance(text.until(position).source);
            location
        };
        let replaced = encoder.errors().count();
        let mut read = 0;
        // Where the text after a letter starts whose bytes a combining mark would change.
        let mut after_letter = self.held.take().map(|letter| {
            out.extend(letter);
            0
        });
        loop {
            let before = encoder.position();
            let Err(error) = encoder.push_utf16(&text.units[read..], out) else { break };
            read += (encoder.position() - before) as usize;
            let at = read - error.character().map_or(0, char::len_utf16).min(read);
            if self.recipe.write_back
                && let Some(character) = error.character()
            {
                if after_letter == Some(at)
                    && let Some(letter) = out.last_chunk_mut()
                    && let Some(sequence) = big5_sequence(*letter, character)
                {
                    *letter = sequence;
                    continue;
                }
                if write_as_iconv(encoder, character, out) {
                    let is_letter = matches!(character, 'Ê' | 'ê') && self.recipe.to == BIG5;
                    after_letter = is_letter.then_some(read);
                    continue;
                }
            }
            if let Some(parts) = fitting(self.recipe, &error)
                && encoder.push(&parts, out).is_ok()
            {
                continue;
            }
            let substitute = substitute(self.recipe, &error);
            if substitute.is_none_or(|substitute| !push(self.recipe, encoder, &substitute, out)) {
                let would_write = normalize::would_write(&self.encoded, text.units, at, self.recipe.to);
                let error = ConvertError::Unmappable(location_at(at), error, would_write && !self.recipe.fits());
                return Err((at, error));
            }
            self.tally.unmappable.add(1, || Some((location_at(at), error)));
        }
        // Characters that the encoder replaced itself.
        self.tally
            .unmappable
            .add(encoder.errors().count() - replaced, || first_unmappable(self.recipe, text.units, location_at));
        if after_letter == Some(text.units.len())
            && let Some(letter) = out.last_chunk().copied()
        {
            out.truncate(out.len() - letter.len());
            self.held = Some(letter);
        }
        self.tally.location.advance(text.source);
        self.encoded.extend_from_slice(&text.units[text.units.len().saturating_sub(normalize::CONTEXT)..]);
        self.encoded.drain(..self.encoded.len().saturating_sub(normalize::CONTEXT));
        Ok(())
    }
}

/// The number of input bytes that are decoded before their text is encoded.
const CHUNK_LEN: usize = 32 * 1024;

/// The number of input bytes that can wait for the comparison with the output: more than the longest segment.
const MAX_UNCOMPARED: usize = 16 * 1024;

/// Returns the offset in the input of the character after `units` units of a chunk's text.
fn offset_of(recipe: Recipe, before: &Decoder, chunk: &[u8], units: usize) -> u64 {
    let mut decoder = before.clone();
    decoder.set_malformed(textcodec::Malformed::Pause);
    let (mut offset, mut seen) = (before.position(), 0);
    items::decode(&mut decoder, chunk, false, |item| {
        if seen <= units {
            offset = item.range.start;
        }
        seen += match item.kind {
            ItemKind::Character(character) => character.len_utf16(),
            ItemKind::Malformed(error) => recipe.malformed.units(&error),
            ItemKind::NoOutput => 0,
        };
    });
    offset
}

/// Returns whether byte 15 may be meant as a line end, although it is not one in this encoding.
fn examines_line_ends(recipe: Recipe, from: Charset) -> bool {
    recipe.records.read.is_none() && is_ebcdic(from)
}

/// Creates a scanner for an input, if the label of its encoding names a narrower one. A byte order mark overrides the label.
fn scanner(recipe: Recipe, from: Charset) -> Option<Scanner> {
    recipe.labels.from.filter(|narrow| from == narrow.means).map(Scanner::new)
}

fn encoder(recipe: Recipe) -> Result<Encoder, EncodeError> {
    recipe.to.encoder_with(match recipe.unmappable {
        // `encode_all` writes the character in another form, its parts, or its replacement.
        _ if recipe.fits() || recipe.write_back => textcodec::Unmappable::Pause,
        Unmappable::Html => textcodec::Unmappable::Html,
        Unmappable::Replace(character) => textcodec::Unmappable::Replace(character),
        Unmappable::Skip => textcodec::Unmappable::Skip,
        Unmappable::Fail | Unmappable::Xml | Unmappable::Translit => textcodec::Unmappable::Pause,
    })
}

/// Returns the parts of an unmappable character, if the encoding has them and they are to be written.
fn fitting(recipe: Recipe, error: &EncodeError) -> Option<String> {
    error.character().filter(|_| recipe.fits()).and_then(|character| fit(character, recipe.to))
}

/// Writes a character that iconv writes, and the standard's encoder does not. Returns whether it does.
fn write_as_iconv(encoder: &mut Encoder, character: char, out: &mut Vec<u8>) -> bool {
    if let Some(bytes) = write_back(encoder.encoding(), character) {
        out.extend_from_slice(&bytes);
        return true;
    }
    other_form(encoder.encoding(), character).is_some_and(|text| encoder.push(&text, out).is_ok())
}

/// Writes text, and returns whether the output has all of it.
fn push(recipe: Recipe, encoder: &mut Encoder, text: &str, out: &mut Vec<u8>) -> bool {
    text.chars().all(|character| {
        encoder.push(character.encode_utf8(&mut [0; 4]), out).is_ok()
            || recipe.write_back && write_as_iconv(encoder, character, out)
    })
}

/// Returns the text to write for an unmappable character, if the encoder does not replace it itself.
fn substitute(recipe: Recipe, error: &EncodeError) -> Option<Cow<'static, str>> {
    let character = error.character()?;
    match recipe.unmappable {
        // Uses the error's code point, so that escape sequences in ISO-2022-JP become U+FFFD here, too.
        Unmappable::Html => Some(format!("&#{};", code_point(error)?).into()),
        Unmappable::Xml => Some(format!("&#x{:X};", code_point(error)?).into()),
        Unmappable::Translit => {
            let iconv = Form::Encoding(recipe.to.encoding());
            let has = |c| if recipe.write_back { iconv.has(c) } else { recipe.to.can_encode(c) };
            let text = transliterate(character, has);
            Some(text.map_or("?".into(), |text| String::from(&*text).into()))
        }
        Unmappable::Replace(replacement) => Some(String::from(replacement).into()),
        Unmappable::Skip => Some("".into()),
        Unmappable::Fail => None,
    }
}

/// Returns the code point of the standard's error: U+FFFD for characters that could form an escape sequence in ISO-2022-JP.
fn code_point(error: &EncodeError) -> Option<u32> {
    error.code_point().map(u32::from)
}

/// Returns the first unmappable character of the text and its location. Called only if there is one.
fn first_unmappable(
    recipe: Recipe,
    text: &[u16],
    location_at: impl Fn(usize) -> Location,
) -> Option<(Location, EncodeError)> {
    let error = recipe.to.encoder_with(textcodec::Unmappable::Fail).ok()?.push_utf16(text, &mut Vec::new()).err()?;
    let units = error.range().start as usize;
    Some((location_at(units), error))
}

/// Returns the first character of the text that is written with bytes outside a narrow encoding, and the number of units
/// before it. Called only if there is one.
fn first_outside(recipe: Recipe, narrow: &'static Narrow, text: &[u16]) -> Option<(usize, char)> {
    let mut encoder = encoder(recipe).ok()?;
    let (mut units, mut bytes) = (0, Vec::new());
    for character in char::decode_utf16(text.iter().copied()) {
        let character = character.ok()?;
        bytes.clear();
        if let Err(error) = encoder.push(character.encode_utf8(&mut [0; 4]), &mut bytes) {
            let text = fitting(recipe, &error).map(Cow::from).or_else(|| substitute(recipe, &error))?;
            encoder.push(&text, &mut bytes).ok()?;
        }
        let mut scanner = Scanner::new(narrow);
        scanner.scan(&bytes);
        if scanner.count > 0 {
            return Some((units, character));
        }
        units += character.len_utf16();
    }
    None
}
