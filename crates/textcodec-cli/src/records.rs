//! Records: lines of a fixed number of bytes, without line ends.

use std::num::NonZeroU32;

use crate::charset::Charset;

/// Which of the two encodings has records, by `--record-length`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RecordLength {
    /// The one that is a single-byte encoding.
    Single(u32),
    In(u32),
    Out(u32),
    Both(u32, u32),
}

/// The maximum length of a record. That of z/OS is 32,760.
const MAX_LEN: u32 = 1024 * 1024;

/// Parses the value of `--record-length`.
pub(crate) fn record_length(value: &str) -> Result<RecordLength, String> {
    let number = |digits: &str| {
        let number = digits.parse().ok().map(NonZeroU32::get).filter(|&len| len <= MAX_LEN);
        number.ok_or_else(|| format!("expected a number from 1 to {MAX_LEN}, or in:N, out:N, or in:N,out:N"))
    };
    Ok(match (value.strip_prefix("in:"), value.strip_prefix("out:")) {
        (Some(rest), _) => match rest.split_once(",out:") {
            Some((from, to)) => RecordLength::Both(number(from)?, number(to)?),
            None => RecordLength::In(number(rest)?),
        },
        (_, Some(rest)) => RecordLength::Out(number(rest)?),
        _ => RecordLength::Single(number(value)?),
    })
}

/// The form of records in an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    pub(crate) len: u32,
    /// The byte of U+000A, which is between lines of text.
    newline: u8,
    /// The byte of U+0020.
    blank: u8,
    /// That of U+000D.
    carriage_return: Option<u8>,
}

impl Form {
    /// Returns the form in this encoding, or why it cannot have records.
    pub(crate) fn new(charset: Charset, len: u32) -> Result<Self, String> {
        if !charset.is_single_byte() {
            return Err(format!(
                "{charset} is not a single-byte encoding, so a record has no fixed number of characters"
            ));
        }
        let byte = |character, name| {
            charset.byte(character).ok_or_else(|| format!("{charset} has no {name}, which records need"))
        };
        let (newline, blank) = (byte('\n', "line feed (U+000A)")?, byte(' ', "blank (U+0020)")?);
        Ok(Self { len, newline, blank, carriage_return: charset.byte('\r') })
    }
}

/// Reads records: makes each a line.
#[derive(Clone, Debug)]
pub(crate) struct Reader {
    form: Form,
    /// Whether blanks at the end of a record are removed.
    trim: bool,
    /// The number of bytes of the current record that have been read.
    filled: u32,
    /// The number of blanks at the end of these that have not been written, because they may be removed.
    blanks: u32,
    /// The number of records that contain a line feed, and so are several lines.
    pub(crate) with_newline: u64,
    has_newline: bool,
}

impl Reader {
    pub(crate) fn new(form: Form, trim: bool) -> Self {
        Self { form, trim, filled: 0, blanks: 0, with_newline: 0, has_newline: false }
    }

    /// Appends the lines of the next bytes to `out`.
    pub(crate) fn read(&mut self, mut bytes: &[u8], out: &mut Vec<u8>) {
        let Form { len, newline, blank, .. } = self.form;
        while !bytes.is_empty() {
            let (part, rest) = bytes.split_at(bytes.len().min((len - self.filled) as usize));
            bytes = rest;
            self.filled += part.len() as u32;
            self.has_newline |= part.contains(&newline);
            let kept = if self.trim {
                part.iter().rposition(|&byte| byte != blank).map_or(0, |at| at + 1)
            } else {
                part.len()
            };
            if kept > 0 {
                out.resize(out.len() + std::mem::take(&mut self.blanks) as usize, blank);
                out.extend_from_slice(&part[..kept]);
            }
            self.blanks += (part.len() - kept) as u32;
            if self.filled == len {
                out.push(newline);
                self.with_newline += u64::from(std::mem::take(&mut self.has_newline));
                (self.filled, self.blanks) = (0, 0);
            }
        }
    }

    /// Returns the number of bytes of an incomplete record, and that of a complete one.
    pub(crate) fn incomplete(&self) -> Option<(u32, u32)> {
        (self.filled > 0).then_some((self.filled, self.form.len))
    }
}

/// Writes records: makes each line one, and fills it with blanks.
#[derive(Clone, Debug)]
pub(crate) struct Writer {
    form: Form,
    /// Whether a carriage return at the end of a line belongs to the line end.
    has_crlf: bool,
    /// The number of bytes of the current record.
    filled: u32,
    /// A carriage return that has not been written, because a line feed may follow.
    held: Option<u8>,
    /// The number of the current line, from 1.
    line: u64,
}

/// A line that is longer than a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LongLine {
    pub(crate) line: u64,
    pub(crate) len: u32,
}

impl Writer {
    pub(crate) fn new(form: Form, has_crlf: bool) -> Self {
        Self { form, has_crlf, filled: 0, held: None, line: 1 }
    }

    /// Counts lines from 1 again, for another input. A line may have begun in the one before.
    pub(crate) fn start_input(&mut self) {
        self.line = 1;
    }

    /// Replaces the lines at the end of `out`, from `start`, by records. If a line is too long, those before it remain.
    pub(crate) fn write(&mut self, start: usize, out: &mut Vec<u8>) -> Result<(), LongLine> {
        let text = out.split_off(start);
        let newline = self.form.newline;
        for line in text.split_inclusive(|&byte| byte == newline) {
            match line.strip_suffix(&[newline]) {
                None => self.append(line, out)?,
                Some(line) => {
                    self.append(line, out)?;
                    self.held = None;
                    self.end_record(out);
                    self.line += 1;
                }
            }
        }
        Ok(())
    }

    /// Ends the last line.
    pub(crate) fn finish(&mut self, out: &mut Vec<u8>) -> Result<(), LongLine> {
        self.write_held(out)?;
        if self.filled > 0 {
            self.end_record(out);
        }
        Ok(())
    }

    fn append(&mut self, part: &[u8], out: &mut Vec<u8>) -> Result<(), LongLine> {
        let Some((&last, before)) = part.split_last() else { return Ok(()) };
        self.write_held(out)?;
        let is_held = self.has_crlf && self.form.carriage_return == Some(last);
        self.push(if is_held { before } else { part }, out)?;
        self.held = is_held.then_some(last);
        Ok(())
    }

    fn write_held(&mut self, out: &mut Vec<u8>) -> Result<(), LongLine> {
        match self.held.take() {
            Some(byte) => self.push(&[byte], out),
            None => Ok(()),
        }
    }

    fn push(&mut self, part: &[u8], out: &mut Vec<u8>) -> Result<(), LongLine> {
        if part.len() > (self.form.len - self.filled) as usize {
            return Err(LongLine { line: self.line, len: self.form.len });
        }
        out.extend_from_slice(part);
        self.filled += part.len() as u32;
        Ok(())
    }

    fn end_record(&mut self, out: &mut Vec<u8>) {
        out.resize(out.len() + (self.form.len - self.filled) as usize, self.form.blank);
        self.filled = 0;
    }
}

#[cfg(test)]
mod tests {
    use textcodec::{SHIFT_JIS, UTF_8, WINDOWS_1252, oem::IBM1047};

    use super::*;

    fn form(len: u32) -> Form {
        Form::new(WINDOWS_1252.into(), len).unwrap()
    }

    fn read(len: u32, trim: bool, chunks: &[&[u8]]) -> (String, u32, u64) {
        let (mut reader, mut out) = (Reader::new(form(len), trim), Vec::new());
        for chunk in chunks {
            reader.read(chunk, &mut out);
        }
        (String::from_utf8(out).unwrap(), reader.incomplete().map_or(0, |(len, _)| len), reader.with_newline)
    }

    fn write(len: u32, chunks: &[&[u8]]) -> Result<String, u64> {
        let (mut writer, mut all) = (Writer::new(form(len), true), Vec::new());
        for chunk in chunks {
            let mut out = b"before".to_vec();
            out.extend_from_slice(chunk);
            writer.write(6, &mut out).map_err(|long| long.line)?;
            all.extend_from_slice(&out[6..]);
        }
        writer.finish(&mut all).map_err(|long| long.line)?;
        Ok(String::from_utf8(all).unwrap())
    }

    #[test]
    fn each_record_is_a_line_whatever_the_chunks() {
        let bytes = b"ab  \n d      x   ";
        for at in 0..=bytes.len() {
            let (before, after) = bytes.split_at(at);
            assert_eq!(read(4, false, &[before, after]), ("ab  \n\n d \n    \n x  \n ".to_owned(), 1, 1), "{at}");
            assert_eq!(read(4, true, &[before, after]).0, "ab\n\n d\n\n x\n", "{at}");
            assert_eq!(read(17, true, &[before, after]).0, "ab  \n d      x\n", "{at}");
        }
        assert_eq!(read(3, true, &[]), (String::new(), 0, 0));
    }

    #[test]
    fn each_line_is_a_record_whatever_the_chunks() {
        let text = b"a\r\n\nbcd\r\r\ncdef\n\r\nx\r";
        for at in 0..=text.len() {
            let (before, after) = text.split_at(at);
            assert_eq!(write(4, &[before, after]).as_deref(), Ok("a       bcd\rcdef    x\r  "), "{at}");
            assert_eq!(write(3, &[before, after]), Err(3), "{at}");
        }
        assert_eq!(write(2, &[b"ab\r\nab\r"]), Err(2));
        assert_eq!(write(2, &[b"ab", b"\r", b"\n"]).as_deref(), Ok("ab"));
        assert_eq!(write(2, &[b""]).as_deref(), Ok(""));
    }

    #[test]
    fn the_bytes_are_those_of_the_encoding() {
        let form = Form::new(IBM1047.into(), 2).unwrap();
        assert_eq!((form.newline, form.blank, form.carriage_return), (0x25, 0x40, Some(0x0D)));
        for encoding in [UTF_8, SHIFT_JIS] {
            let problem = Form::new(encoding.into(), 2).unwrap_err();
            assert!(problem.ends_with("is not a single-byte encoding, so a record has no fixed number of characters"));
        }
    }

    #[test]
    fn one_or_both_sides_have_records() {
        for (value, expected) in [
            ("80", RecordLength::Single(80)),
            ("in:80", RecordLength::In(80)),
            ("out:1", RecordLength::Out(1)),
            ("in:80,out:132", RecordLength::Both(80, 132)),
            ("1048576", RecordLength::Single(MAX_LEN)),
        ] {
            assert_eq!(record_length(value), Ok(expected));
        }
        for value in ["", "0", "-1", "1048577", "in:", "out:80,in:80", "in:80,out:", "in:80,132", "x"] {
            assert!(record_length(value).is_err(), "{value}");
        }
    }
}
