//! [`LineIndex`]: the line of an offset.

use alloc::collections::VecDeque;

use crate::{Encoding, UTF_16BE, UTF_16LE};

/// Finds the line and the column of an offset, such as that of a [`DecodeError`](crate::DecodeError), while an input is read.
///
/// It reads the same chunks as the decoder, and needs eight bytes of memory for each line that it keeps. Lines end with LF, so
/// CRLF is a line end too. The column counts bytes: for characters, decode the line up to the offset.
///
/// To read an input of any length in constant memory, [forget](Self::forget_before) the lines before each chunk, as below. An
/// error can start up to three bytes before the chunk that completes it, so keep the line of a position shortly before.
///
/// For offsets in text that is encoded ([`EncodeError`](crate::EncodeError)), use an index of UTF-8 and push the text.
///
/// ```
/// use textcodec::{LineIndex, Malformed, SHIFT_JIS};
///
/// let input = b"\x93\xFA\x96{\r\n\x8C\xEA \xFF\n\x96\x82";
/// let mut lines = LineIndex::new(SHIFT_JIS);
/// let (mut decoder, mut text) = (SHIFT_JIS.decoder_with(Malformed::Pause), String::new());
/// let (mut locations, mut chunk_start) = (Vec::new(), 0);
/// for chunk in input.chunks(4) {
///     lines.push(chunk);
///     let mut rest = chunk;
///     while let Err(error) = decoder.push(rest, &mut text) {
///         let location = lines.locate(error.range().start).unwrap();
///         locations.push((location.line, location.column));
///         rest = &chunk[(decoder.position() - chunk_start) as usize..];
///     }
///     chunk_start += chunk.len() as u64;
///     lines.forget_before(chunk_start.saturating_sub(3));
/// }
/// decoder.finish(&mut text)?; // An error here is an incomplete character, at most three bytes before the end.
/// assert_eq!(locations, [(2, 4)]);
/// assert_eq!(text, "日本\r\n語 \n魔");
/// # Ok::<(), textcodec::DecodeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct LineIndex {
    encoding: Encoding,
    /// The offsets of the starts of lines, of line `first` and those after it.
    starts: VecDeque<u64>,
    first: u64,
    /// The number of bytes pushed.
    len: u64,
    /// UTF-16: the first byte of a code unit at the end of a chunk.
    half: Option<u8>,
}

/// The location of an offset. Lines and columns count from 1.
///
/// ```
/// use textcodec::{LineIndex, UTF_8};
///
/// let mut lines = LineIndex::new(UTF_8);
/// lines.push(b"a\nbc");
/// let location = lines.locate(3).unwrap();
/// assert_eq!((location.line, location.column, location.line_start), (2, 2, 2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Location {
    /// The number of the line, from 1.
    pub line: u64,
    /// The column in bytes, from 1.
    pub column: u64,
    /// The offset of the first byte of the line.
    pub line_start: u64,
}

impl LineIndex {
    /// Creates an index of an empty input. `encoding` is the one in use: after a byte order mark, that of the mark.
    ///
    /// ```
    /// use textcodec::{LineIndex, UTF_8};
    ///
    /// assert_eq!(LineIndex::new(UTF_8).locate(0).map(|location| location.line), Some(1));
    /// ```
    #[must_use]
    pub fn new(encoding: Encoding) -> Self {
        Self { encoding, starts: VecDeque::from([0]), first: 1, len: 0, half: None }
    }

    /// Adds the next chunk of the input, including a byte order mark. Chunks can end anywhere.
    ///
    /// ```
    /// use textcodec::{LineIndex, UTF_16LE};
    ///
    /// let mut lines = LineIndex::new(UTF_16LE);
    /// for chunk in [&b"\xFF\xFEa"[..], b"\0\n", b"\0b\0"] {
    ///     lines.push(chunk);
    /// }
    /// assert_eq!(lines.locate(6).map(|location| location.line), Some(2));
    /// ```
    pub fn push(&mut self, chunk: &[u8]) {
        match self.encoding {
            UTF_16LE => self.push_utf16(chunk, u16::from_le_bytes),
            UTF_16BE => self.push_utf16(chunk, u16::from_be_bytes),
            _ => {
                // LF is no part of a longer sequence in any encoding.
                let ends = (self.len + 1..).zip(chunk).filter(|(_, byte)| **byte == b'\n').map(|(end, _)| end);
                self.starts.extend(ends);
                self.len += chunk.len() as u64;
            }
        }
    }

    fn push_utf16(&mut self, mut chunk: &[u8], unit: fn([u8; 2]) -> u16) {
        let mut at = self.len;
        self.len += chunk.len() as u64;
        if let Some(first) = self.half {
            let Some((&second, rest)) = chunk.split_first() else { return };
            (chunk, at, self.half) = (rest, at + 1, None);
            if unit([first, second]) == 0x0A {
                self.starts.push_back(at);
            }
        }
        let (units, odd) = chunk.as_chunks();
        let ends = (at + 2..).step_by(2).zip(units).filter(|(_, bytes)| unit(**bytes) == 0x0A).map(|(end, _)| end);
        self.starts.extend(ends);
        self.half = odd.first().copied();
    }

    /// Returns the location of an offset in bytes. The end of the input belongs to the last line.
    ///
    /// Returns `None` if the offset is past the end of the bytes so far, or in a line that was
    /// [forgotten](Self::forget_before).
    ///
    /// ```
    /// use textcodec::{LineIndex, UTF_8};
    ///
    /// let mut lines = LineIndex::new(UTF_8);
    /// lines.push(b"a\n");
    /// assert_eq!(lines.locate(1).map(|location| location.line), Some(1));
    /// assert_eq!(lines.locate(2).map(|location| location.line), Some(2));
    /// assert_eq!(lines.locate(3), None);
    /// ```
    #[must_use]
    pub fn locate(&self, offset: u64) -> Option<Location> {
        let at = self.starts.partition_point(|&start| start <= offset).checked_sub(1)?;
        let line_start = *self.starts.get(at).filter(|_| offset <= self.len)?;
        Some(Location { line: self.first + at as u64, column: offset - line_start + 1, line_start })
    }

    /// Forgets the lines before that of `offset`, so that the index of a long input needs little memory.
    ///
    /// ```
    /// use textcodec::{LineIndex, UTF_8};
    ///
    /// let mut lines = LineIndex::new(UTF_8);
    /// lines.push(b"a\nb\nc");
    /// lines.forget_before(4);
    /// assert_eq!(lines.locate(2), None);
    /// assert_eq!(lines.locate(4).map(|location| location.line), Some(3));
    /// ```
    pub fn forget_before(&mut self, offset: u64) {
        let lines = self.starts.partition_point(|&start| start <= offset).saturating_sub(1);
        self.starts.drain(..lines);
        self.first += lines as u64;
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;
    use crate::{EncodeOptions, UTF_8};

    #[test]
    fn every_offset_of_every_chunking() {
        let text = "a\nbc\r\n\nĊ上ਊ\n\u{FEFF}x\n";
        for encoding in [UTF_8, UTF_16LE, UTF_16BE, crate::GB18030] {
            let bytes = encoding.encode_with(text, EncodeOptions::new().bom(true)).unwrap().bytes;
            for size in 1..=bytes.len() {
                let mut lines = LineIndex::new(encoding);
                let mut forgetful = LineIndex::new(encoding);
                for chunk in bytes.chunks(size) {
                    lines.push(chunk);
                    lines.push(b"");
                    forgetful.push(chunk);
                    forgetful.forget_before(forgetful.len);
                }
                for at in 0..=bytes.len() {
                    // Not within a character, which could split the line end.
                    let before = encoding.decode(&bytes[..at]).text.into_owned();
                    let Some(rest) = encoding.decode(&bytes).text.strip_prefix(&before).map(Vec::from) else {
                        continue;
                    };
                    let location = lines.locate(at as u64).unwrap();
                    assert_eq!(location.line, 1 + before.matches('\n').count() as u64, "{encoding} {size} {at}");
                    assert_eq!(location.line_start + location.column - 1, at as u64);
                    assert!(!rest.is_empty() || forgetful.locate(at as u64) == Some(location));
                }
                assert_eq!((lines.locate(bytes.len() as u64 + 1), forgetful.starts.len()), (None, 1));
            }
        }
    }
}
