//! Bytes of any number of inputs to bytes of one output, in constant memory.

mod blocks;
mod recipe;
mod split;
mod stage;

use std::{
    io::{self, Read},
    num::NonZeroUsize,
    thread,
};

use textcodec::{DecodeError, EncodeError, Encoding};

pub(crate) use recipe::{Malformed, Recipe, Tally, Unmappable};
use stage::Stage;

use crate::{input::Stream, location::Location, output::Output, terminal};

/// Where text comes from: behind its byte order mark, if it had one.
pub(crate) struct Source {
    pub(crate) encoding: Encoding,
    pub(crate) reader: Stream,
}

/// How many threads may work at the same time.
pub(crate) fn processors() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// Why a conversion stops early. What comes before is written.
#[derive(Debug)]
pub(crate) enum ConvertError {
    Read(io::Error),
    Write(io::Error),
    /// With the offset in the input.
    Malformed(u64, DecodeError),
    /// With the location in the input.
    Unmappable(Location, EncodeError),
}

impl ConvertError {
    /// Whether the output is a pipe that nobody reads any more.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Write(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// Seen from where `before` begins, which comes before.
    fn offset_by(self, before: &Tally) -> Self {
        match self {
            Self::Malformed(offset, error) => Self::Malformed(before.read + offset, error),
            Self::Unmappable(location, error) => Self::Unmappable(before.location.then(location), error),
            Self::Read(_) | Self::Write(_) => self,
        }
    }
}

/// An output, and what is between the inputs and it.
pub(crate) struct Engine {
    recipe: Recipe,
    output: Output,
    /// How many may work at one file.
    threads: usize,
    /// For what cannot be cut. One for the whole output: a second input goes on in the mode in which the first one has
    /// left ISO-2022-JP.
    stage: Stage,
    out: Vec<u8>,
}

impl Engine {
    /// Fails where the output encoding has no encoder.
    pub(crate) fn new(recipe: Recipe, output: Output, threads: usize) -> Result<Self, EncodeError> {
        let stage = Stage::new(recipe, recipe.to)?;
        Ok(Self { recipe, output, threads, stage, out: Vec::new() })
    }

    /// Writes a byte order mark in the encoding of the output, and says how many bytes it is.
    pub(crate) fn write_bom(&mut self) -> Result<u64, ConvertError> {
        self.stage.write_bom(&mut self.out).map_err(|error| ConvertError::Unmappable(Location::default(), error))?;
        let len = self.out.len() as u64;
        self.write()?;
        Ok(len)
    }

    /// Converts one input. What becomes of it is added to the tally, also where it fails.
    pub(crate) fn convert(&mut self, source: Source, tally: &mut Tally) -> Result<(), ConvertError> {
        let Source { encoding, reader } = source;
        match reader {
            Stream::File(file) if split::is_splittable(encoding) && !self.recipe.is_stateful() => {
                blocks::convert(self.recipe, encoding, &file, &mut self.output, self.threads, tally)
            }
            mut reader => {
                self.stage.start_input(encoding);
                stream(&mut self.stage, &mut reader, &mut self.out, &mut self.output, tally)
            }
        }
    }

    /// Ends the text, and says how many bytes that took; and gives the output, which is not complete before it is
    /// committed.
    pub(crate) fn finish(mut self) -> Result<(Output, u64), ConvertError> {
        self.stage.finish(&mut self.out).map_err(|error| ConvertError::Unmappable(Location::default(), error))?;
        let len = self.out.len() as u64;
        self.write()?;
        Ok((self.output, len))
    }

    fn write(&mut self) -> Result<(), ConvertError> {
        self.output.write_all(&self.out).map_err(ConvertError::Write)?;
        self.out.clear();
        Ok(())
    }
}

/// Converts what a reader gives to the end of it. Each read goes through to the output at once: whoever waits at the other
/// end of a pipe sees what there is.
fn stream(
    stage: &mut Stage,
    reader: &mut dyn Read,
    out: &mut Vec<u8>,
    output: &mut Output,
    tally: &mut Tally,
) -> Result<(), ConvertError> {
    let mut input = vec![0; STREAM_READ_LEN];
    let result = loop {
        let len = match reader.read(&mut input) {
            Ok(len) => len,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => break Err(ConvertError::Read(error)),
        };
        terminal::advance(len);
        let converted = stage.convert(&input[..len], len == 0, out);
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

/// Bytes per read from a pipe: as much as it holds.
const STREAM_READ_LEN: usize = 64 * 1024;
