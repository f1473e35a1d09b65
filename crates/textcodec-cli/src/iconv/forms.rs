//! Conversions that are not the engine's: from and to forms of Unicode that are not encodings of the library, such as UTF-32, and
//! encodings that iconv reads in another way.

use std::io;

use textcodec_iconv::{Form, Options, Stop};

use super::names::form_name;
use crate::{
    engine::ConvertError,
    input::{self, Input},
    interrupt,
    output::Output,
};

/// The number of bytes that are read at once.
const BLOCK: usize = 64 * 1024;

/// A conversion of several inputs to one output.
pub(super) struct Conversion {
    from: Form,
    to: Form,
    options: Options,
    state: textcodec_iconv::Conversion,
    output: Output,
    written: u64,
    /// Whether no input has a byte.
    is_empty: bool,
}

/// Why a conversion stopped.
pub(super) enum Error {
    Convert(ConvertError),
    /// What is wrong with the text, and where.
    Text(String),
}

impl From<ConvertError> for Error {
    fn from(error: ConvertError) -> Self {
        Self::Convert(error)
    }
}

impl Conversion {
    pub(super) fn new(from: Form, to: Form, options: Options, output: Output) -> Self {
        let state = textcodec_iconv::Conversion::new(from, to, options);
        Self { from, to, options, state, output, written: 0, is_empty: true }
    }

    /// Returns the number of bytes written.
    pub(super) fn written(&self) -> u64 {
        self.written
    }

    /// Converts an input. Returns how often something was skipped.
    pub(super) fn convert(&mut self, input: &Input) -> Result<usize, Error> {
        let mut reader = input.open().map_err(ConvertError::Read)?;
        let (mut block, mut len) = (vec![0; BLOCK], 0);
        let (mut offset, mut skipped) = (0, 0);
        loop {
            interrupt::check()?;
            let more = input::fill(&mut reader, &mut block[len..]).map_err(ConvertError::Read)?;
            len += more;
            self.is_empty &= more == 0;
            let mut result = Ok(());
            let progress = self.state.convert_with(&block[..len], usize::MAX, |part| {
                if result.is_ok() {
                    result = self.output.write_all(part);
                }
            });
            result.map_err(ConvertError::Write)?;
            self.written += progress.written as u64;
            skipped += progress.skipped;
            offset += progress.read as u64;
            block.copy_within(progress.read..len, 0);
            len -= progress.read;
            match progress.stop {
                Stop::Malformed => return Err(Error::Text(self.malformed(offset, &block[..len]))),
                Stop::Unmappable => {
                    let name = form_name(self.to);
                    return Err(Error::Text(format!("unmappable in {name}: the character at byte {offset}")));
                }
                _ if more != 0 => {}
                _ if len == 0 => break,
                _ if self.options.skip_malformed => {
                    skipped += 1;
                    break;
                }
                _ => {
                    let name = form_name(self.from);
                    let what = format!("malformed {name} at byte {offset}: the input ends within a character");
                    return Err(Error::Text(what));
                }
            }
        }
        // The next input has a byte order mark of its own.
        self.state.restart_source();
        Ok(skipped)
    }

    fn malformed(&self, offset: u64, rest: &[u8]) -> String {
        let name = form_name(self.from);
        let bytes: Vec<String> = rest.iter().take(4).map(|byte| format!("{byte:02X}")).collect();
        format!("malformed {name} at byte {offset}: {}", bytes.join(" "))
    }

    /// Ends the text and returns the output, which must still be committed.
    pub(super) fn finish(mut self) -> Result<Output, ConvertError> {
        if self.is_empty {
            // As in glibc, not even the header of ISO-2022-KR.
            return Ok(self.output);
        }
        let mut end = [0; 8];
        let len = self.state.finish(&mut end).ok_or_else(|| ConvertError::Write(io::ErrorKind::WriteZero.into()))?;
        self.output.write_all(&end[..len]).map_err(ConvertError::Write)?;
        Ok(self.output)
    }
}
