//! Decoding per sequence: well-formed characters of the first encoding, and other encodings for what is malformed in it.

use alloc::string::String;

use textcodec::{DecodeError, DecodeTarget, Decoder, Encoding};

use super::{MixedError, OnError, Place, State, decoder, newlines};

#[derive(Clone)]
pub(super) struct Sequences {
    /// `None` after the end of the input.
    decoder: Option<Decoder>,
    /// The number of the line at `counted`.
    line: u64,
    /// The offset up to which line feeds are counted.
    counted: u64,
}

impl core::fmt::Debug for Sequences {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Sequences").field("line", &self.line).field("counted", &self.counted).finish_non_exhaustive()
    }
}

impl Sequences {
    pub(super) fn new(first: Encoding) -> Self {
        Self { decoder: Some(decoder(first)), line: 1, counted: 0 }
    }

    pub(super) fn run<T: DecodeTarget>(
        &mut self,
        state: &mut State,
        chunk: &[u8],
        out: &mut T,
        last: bool,
        on_error: OnError<'_>,
    ) -> Result<(), MixedError> {
        let Self { decoder, line, counted } = self;
        let Some(mut first) = decoder.take() else { return Ok(()) };
        let start = first.position();
        let (mut scratch, mut failed) = (String::new(), None);
        let mut advance = |to: u64| {
            // Bytes before the chunk belong to an incomplete character, which has no line feed.
            let [from, to] = [*counted, to].map(|offset| offset.saturating_sub(start) as usize);
            let to = to.min(chunk.len()).max(from);
            *line += newlines(&chunk[from..to]);
            *counted = (*counted).max(start + to as u64);
            *line
        };
        let mut on_malformed = |error: &DecodeError| {
            let (bytes, range) = (error.bytes(), error.range());
            let line = advance(range.start);
            let mut last_error = MixedError::new(error.clone(), 0, line);
            for (index, &encoding) in state.encodings.iter().enumerate().skip(1) {
                scratch.clear();
                match decode_strict(encoding, bytes, &mut scratch) {
                    Ok(()) => {
                        state.summary.add(index, Place::new(encoding, line, range), state.max_places);
                        return Some(scratch.clone().into());
                    }
                    Err(error) => last_error = MixedError::new(error, range.start, line),
                }
            }
            let text = on_error(&last_error);
            match text {
                Some(_) => state.summary.add_error(&last_error),
                None => failed = Some(last_error),
            }
            text
        };
        let mut result = first.push_with(chunk, out, &mut on_malformed);
        if last && result.is_ok() {
            result = first.finish_with(out, &mut on_malformed).map(|_| ());
        } else {
            *decoder = Some(first);
        }
        // Borrows `line`.
        let line = advance(start + chunk.len() as u64);
        result.map_err(|error| failed.unwrap_or_else(|| MixedError::new(error, 0, line)))
    }
}

/// Decodes a whole sequence, or returns the first error.
fn decode_strict(encoding: Encoding, bytes: &[u8], text: &mut String) -> Result<(), DecodeError> {
    let mut decoder = decoder(encoding);
    decoder.set_malformed(textcodec::Malformed::Fail);
    decoder.push(bytes, text)?;
    decoder.finish(text).map(|_| ())
}
