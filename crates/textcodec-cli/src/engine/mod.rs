//! Converts any number of inputs to one output in constant memory.

mod blocks;
mod forms;
mod marks;
mod recipe;
mod record_reader;
mod second_pass;
mod segments;
mod split;
mod stage;
mod text_decoder;
mod text_output;

use std::{
    io::{self, Read},
    num::NonZeroUsize,
    thread,
};

use textcodec::{DecodeError, EncodeError};

pub(crate) use forms::Forms;
pub(crate) use recipe::{Declarations, Malformed, Recipe, Records, Tally, Unmappable};
pub(crate) use second_pass::SecondPass;
use stage::Stage;
use text_output::TextOutput;

use crate::{
    charset::Charset,
    input::{self, Stream},
    interrupt,
    location::Location,
    output::Output,
    records::LongLine,
    terminal,
};

/// An open input, positioned after its byte order mark.
pub(crate) struct Source {
    pub(crate) encoding: Charset,
    pub(crate) reader: Stream,
}

/// Returns the number of threads that can run at the same time.
pub(crate) fn processors() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// Why a conversion stopped early. Everything before that point has been written.
#[derive(Debug)]
pub(crate) enum ConvertError {
    Read(io::Error),
    Write(io::Error),
    /// The offset in the input, and the error.
    Malformed(u64, DecodeError),
    /// The location in the input, the error, and whether `--normalize=encoding` would write the character.
    Unmappable(Location, EncodeError, bool),
    /// With strict labels: a character of the input outside the encoding that `--from` names. Its offset and its bytes.
    OutsideFrom(u64, Vec<u8>),
    /// With strict labels: a character of the output outside the encoding that `--to` names. Its location in the input.
    OutsideTo(Location, char),
    /// The input ends within a record: its offset, the number of bytes that it has, and the number that it should have.
    IncompleteRecord(u64, u32, u32),
    /// What is wrong with a text that `textcodec-iconv` converts, and where.
    Form(String),
    /// A line of the input is longer than a record of the output.
    LongLine(LongLine),
    /// The user interrupted the program.
    Interrupted,
}

impl ConvertError {
    /// Returns whether the output is a pipe whose reader has closed it.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Write(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// Adds the length of the text before the part in which the error was found.
    fn offset_by(self, before: &Tally) -> Self {
        match self {
            Self::Malformed(offset, error) => Self::Malformed(before.read + offset, error),
            Self::Unmappable(location, error, would_write) => {
                Self::Unmappable(before.location.then(location), error, would_write)
            }
            Self::OutsideFrom(offset, bytes) => Self::OutsideFrom(before.read + offset, bytes),
            Self::OutsideTo(location, character) => Self::OutsideTo(before.location.then(location), character),
            Self::IncompleteRecord(offset, len, of) => Self::IncompleteRecord(before.read + offset, len, of),
            Self::Read(_) | Self::Write(_) | Self::Form(_) | Self::LongLine(_) | Self::Interrupted => self,
        }
    }
}

/// An output and the conversion to it.
pub(crate) struct Engine {
    recipe: Recipe,
    output: TextOutput,
    /// The maximum number of threads for one file.
    threads: usize,
    /// Converts inputs that cannot be split. All inputs share it, because the state of ISO-2022-JP in the output continues
    /// from one input to the next.
    stage: Stage,
    out: Vec<u8>,
}

impl Engine {
    /// Fails if the output encoding has no encoder.
    pub(crate) fn new(recipe: Recipe, output: Output, threads: usize) -> Result<Self, EncodeError> {
        let stage = Stage::new(recipe, recipe.to)?;
        let output = TextOutput::new(output, recipe);
        Ok(Self { recipe, output, threads, stage, out: Vec::new() })
    }

    /// Writes a byte order mark in the encoding of the output and returns its length.
    pub(crate) fn write_bom(&mut self) -> Result<u64, ConvertError> {
        self.stage
            .write_bom(&mut self.out)
            .map_err(|error| ConvertError::Unmappable(Location::default(), error, false))?;
        let len = self.out.len() as u64;
        self.write()?;
        Ok(len)
    }

    /// Writes a byte order mark before the first text, and none if all inputs are empty.
    pub(crate) fn write_bom_before_text(&mut self) -> Result<(), ConvertError> {
        let mut mark = Vec::new();
        self.stage.write_bom(&mut mark).map_err(|error| ConvertError::Unmappable(Location::default(), error, false))?;
        self.output.write_before_text(mark);
        Ok(())
    }

    /// Converts one input and adds its counts to the tally, even if it fails.
    pub(crate) fn convert(&mut self, source: Source, tally: &mut Tally) -> Result<(), ConvertError> {
        let Source { encoding, reader } = source;
        self.output.start_text(encoding);
        let result = match reader {
            Stream::File(mut file) if encoding.is_splittable() && self.recipe.is_parallel() => {
                blocks::convert(self.recipe, encoding, &mut file, &mut self.output, self.threads, tally)
            }
            mut reader => {
                self.stage.start_input(encoding);
                stream(&mut self.stage, &mut reader, &mut self.out, &mut self.output, tally)
            }
        };
        result.and(self.output.end_text(tally).map_err(ConvertError::Write))
    }

    /// Copies one input, which is in the encoding of the output.
    pub(crate) fn copy(&mut self, mut reader: Stream, tally: &mut Tally) -> Result<(), ConvertError> {
        self.output.start_text(self.recipe.to);
        let result = copy(&mut reader, &mut self.output, tally);
        result.and(self.output.end_text(tally).map_err(ConvertError::Write))
    }

    /// Writes bytes that are not converted.
    pub(crate) fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), ConvertError> {
        self.output.write_all(bytes).map_err(ConvertError::Write)
    }

    /// Ends the text and returns the output, which must still be committed, and the number of bytes written.
    pub(crate) fn finish(mut self) -> Result<(Output, u64), ConvertError> {
        self.stage.finish(&mut self.out)?;
        let len = self.out.len() as u64;
        self.write()?;
        Ok((self.output.into_inner(), len))
    }

    fn write(&mut self) -> Result<(), ConvertError> {
        self.output.write_all(&self.out).map_err(ConvertError::Write)?;
        self.out.clear();
        Ok(())
    }
}

/// Converts a reader to its end. The result of each read is written immediately, because the reader of a pipe may wait for
/// it.
fn stream(
    stage: &mut Stage,
    reader: &mut dyn Read,
    out: &mut Vec<u8>,
    output: &mut TextOutput,
    tally: &mut Tally,
) -> Result<(), ConvertError> {
    let mut block = vec![0; STREAM_READ_LEN];
    let result = loop {
        let len = match input::read(reader, &mut block) {
            Ok(len) => len,
            Err(error) => break Err(ConvertError::Read(error)),
        };
        // Also after the end of the input: the signal may have ended the process that writes it.
        if let Err(interrupted) = interrupt::check() {
            break Err(interrupted);
        }
        terminal::advance(len);
        let converted = stage.convert(&block[..len], len == 0, out);
        let written = output.write_all(out).map_err(ConvertError::Write);
        out.clear();
        if let Err(error) = written.and(converted) {
            break Err(error.offset_by(tally));
        }
        if len == 0 {
            break Ok(());
        }
    };
    tally.append(stage.take_tally());
    result
}

fn copy(reader: &mut dyn Read, output: &mut TextOutput, tally: &mut Tally) -> Result<(), ConvertError> {
    let mut block = vec![0; STREAM_READ_LEN];
    loop {
        let len = input::read(reader, &mut block).map_err(ConvertError::Read)?;
        interrupt::check()?;
        if len == 0 {
            return Ok(());
        }
        terminal::advance(len);
        output.write_all(&block[..len]).map_err(ConvertError::Write)?;
        tally.read += len as u64;
        tally.written += len as u64;
    }
}

/// The number of bytes per read: the capacity of a pipe on Linux.
const STREAM_READ_LEN: usize = 64 * 1024;
