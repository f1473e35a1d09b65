//! Conversions by the crate `textcodec-iconv`: from and to forms of Unicode that are not encodings of the library, such as UTF-32 with
//! the rules of iconv, and encodings that iconv reads in another way.

use std::io;

use textcodec_iconv::{Conversion, Form, Options, Stop};

use super::{ConvertError, recipe::Tally};

/// The settings of such a conversion. They replace the encodings and policies of a recipe.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Forms {
    pub(crate) from: Form,
    pub(crate) to: Form,
    pub(crate) options: Options,
    /// The names of both forms for messages.
    pub(crate) names: [&'static str; 2],
}

/// The state of a conversion of several inputs to one output.
pub(super) struct FormStage {
    forms: Forms,
    state: Conversion,
    /// Bytes that were read, and are the start of a character.
    rest: Vec<u8>,
    /// Whether no input has a byte.
    is_empty: bool,
}

impl FormStage {
    pub(super) fn new(forms: Forms) -> Self {
        let state = Conversion::new(forms.from, forms.to, forms.options);
        Self { forms, state, rest: Vec::new(), is_empty: true }
    }

    /// Starts another input, which may have a byte order mark of its own.
    pub(super) fn start_input(&mut self) {
        self.state.restart_source();
        self.rest.clear();
    }

    /// Converts bytes and appends the result to `out`. `last` ends the input.
    pub(super) fn convert(
        &mut self,
        src: &[u8],
        last: bool,
        out: &mut Vec<u8>,
        tally: &mut Tally,
    ) -> Result<(), ConvertError> {
        self.is_empty &= src.is_empty();
        let start = tally.read - self.rest.len() as u64;
        self.rest.extend_from_slice(src);
        let progress = self.state.convert_with(&self.rest, usize::MAX, |part| out.extend_from_slice(part));
        self.rest.drain(..progress.read);
        tally.read += src.len() as u64;
        tally.written += progress.written as u64;
        tally.skipped += progress.skipped;
        let (offset, [from, to]) = (start + progress.read as u64, self.forms.names);
        Err(ConvertError::Form(match progress.stop {
            Stop::Malformed => {
                let bytes: Vec<String> = self.rest.iter().take(4).map(|byte| format!("{byte:02X}")).collect();
                format!("malformed {from} at byte {offset}: {}", bytes.join(" "))
            }
            Stop::Unmappable => format!("unmappable in {to}: the character at byte {offset}"),
            _ if !last || self.rest.is_empty() => return Ok(()),
            _ if self.forms.options.skip_malformed => {
                tally.skipped += 1;
                return Ok(());
            }
            _ => format!("malformed {from} at byte {offset}: the input ends within a character"),
        }))
    }

    /// Ends the text.
    pub(super) fn finish(mut self, out: &mut Vec<u8>) -> Result<(), ConvertError> {
        if self.is_empty {
            // As in glibc, not even the header of ISO-2022-KR.
            return Ok(());
        }
        let mut end = [0; 8];
        let len = self.state.finish(&mut end).ok_or_else(|| ConvertError::Write(io::ErrorKind::WriteZero.into()))?;
        out.extend_from_slice(&end[..len]);
        Ok(())
    }
}
