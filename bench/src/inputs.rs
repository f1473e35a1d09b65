//! A cell's inputs and expected outputs.

use std::{iter, ops::Range};

use anyhow::{Context as _, Result, ensure};
use bench_abi::{Call, FAILED, Job, Operation};
use textcodec::{Bom, DecodeOptions, Encoder, Encoding, LATIN1, Status, UTF_8};

use crate::{
    cells::{Cell, Damage, Size},
    units::Units,
};

/// Consecutive inputs, and their expected outputs.
pub(crate) struct Prepared {
    pub(crate) src: Units,
    pub(crate) inputs: Vec<Range<usize>>,
    pub(crate) outputs: Vec<Units>,
    /// Whether calls allocate their output and need no destination.
    pub(crate) makes_output: bool,
}

/// The total length of short inputs in bytes, which fit into the first-level cache.
const SHORT_INPUTS_LEN: usize = 32 << 10;
/// The number of characters to encode at a time, while they are sure to fit in any encoding.
const BLOCK: usize = 1 << 10;

impl Prepared {
    /// Cuts text into the inputs of a cell.
    pub(crate) fn new(cell: &Cell, text: &str) -> Result<Self> {
        let mut source = Source::new(cell, text)?;
        let (len, count) = match cell.size {
            Size::Bytes(len) => (len, (SHORT_INPUTS_LEN / len).clamp(1, 1024)),
            Size::Streamed(len) => (len, 1),
        };
        let mut prepared = Self {
            src: Units::new(cell.operation.unit_in()),
            inputs: Vec::new(),
            outputs: Vec::new(),
            makes_output: cell.operation.is_whole(),
        };
        for _ in 0..count {
            let (start, input) = (prepared.src.len(), source.input(len)?);
            prepared.src.append(&input);
            prepared.inputs.push(start..prepared.src.len());
            prepared.outputs.push(reference(cell.operation, cell.encoding, &input)?);
        }
        Ok(prepared)
    }

    /// Returns a single input and its output.
    pub(crate) fn one(src: Units, expected: Units) -> Self {
        let inputs = iter::once(0..src.len()).collect();
        Self { src, inputs, outputs: vec![expected], makes_output: false }
    }

    /// Checks that an engine has the expected outputs.
    pub(crate) fn check(&self, call: &mut Call, dst: &mut Units, validates: bool) -> Result<()> {
        for (input, output) in self.inputs.iter().zip(&self.outputs) {
            let src = self.src.as_ptr(input.start);
            // SAFETY: `input` is within `src`, and `dst` has `dst.len()` units. The input suits the operation (`reference`).
            let written = unsafe { call.run(src, input.len(), dst.as_mut_ptr(), dst.len()) };
            ensure!(written != FAILED, "it fails");
            if validates {
                ensure!(written == input.len(), "it rejects the input");
            } else {
                ensure!(written == output.len() && dst.starts_with(output), "its output differs");
            }
        }
        Ok(())
    }

    /// Returns the number of bytes of input.
    pub(crate) fn bytes(&self) -> usize {
        self.src.bytes()
    }

    /// Returns a destination for any engine's output. Some engines require more than they fill.
    pub(crate) fn destination(&self, operation: Operation) -> Units {
        let longest = self.inputs.iter().map(Range::len).max().unwrap_or_default();
        let mut dst = Units::new(operation.unit_out());
        dst.resize(5 * longest + 64);
        dst
    }
}

/// The source of a cell's inputs.
struct Source<'a> {
    operation: Operation,
    damage: Damage,
    /// A malformed sequence of the encoding.
    malformed: Vec<u8>,
    encoder: Encoder,
    characters: std::iter::Peekable<std::iter::Cycle<std::str::Chars<'a>>>,
}

impl<'a> Source<'a> {
    fn new(cell: &Cell, text: &'a str) -> Result<Self> {
        let encoding = match cell.operation {
            Operation::DecodeToUtf8 | Operation::DecodeToUtf16 | Operation::DecodeWhole => named(cell.encoding)?,
            Operation::Latin1ToUtf8 | Operation::Latin1ToUtf16 => LATIN1,
            _ => UTF_8,
        };
        let malformed = if cell.damage == Damage::None {
            Vec::new()
        } else {
            malformed(encoding).context("the encoding has no malformed sequence")?
        };
        ensure!(!text.is_empty(), "no engine can convert any character of the text");
        let characters = text.chars().cycle().peekable();
        Ok(Self { operation: cell.operation, damage: cell.damage, malformed, encoder: encoding.encoder(), characters })
    }

    /// Returns an input of the next characters, at most `len` bytes.
    fn input(&mut self, len: usize) -> Result<Units> {
        if self.operation.unit_in() == 2 {
            let mut units = Vec::new();
            while let Some(&c) = self.characters.peek().filter(|c| 2 * (units.len() + c.len_utf16()) <= len) {
                units.extend_from_slice(c.encode_utf16(&mut [0; 2]));
                self.characters.next();
            }
            return Ok(Units::Utf16(units));
        }
        if self.damage == Damage::All {
            return Ok(Units::Bytes(self.malformed.repeat(len / self.malformed.len())));
        }
        let mut bytes = Vec::new();
        let mut damaged_at = 0;
        self.encoder.reset();
        while self.damage == Damage::None && bytes.len() + 8 * BLOCK < len {
            let block: String = self.characters.by_ref().take(BLOCK).collect();
            self.encoder.push(&block, &mut bytes)?;
        }
        while let Some(&c) = self.characters.peek() {
            // The end may need an escape sequence of ISO-2022-JP.
            let (mut next, mut ended) = (self.encoder.clone(), Vec::with_capacity(16));
            next.push(c.encode_utf8(&mut [0; 4]), &mut ended)?;
            let added = ended.len();
            next.clone().finish(&mut ended)?;
            if bytes.len() + ended.len() > len {
                break;
            }
            bytes.extend_from_slice(&ended[..added]);
            self.encoder = next;
            self.characters.next();
            if let Damage::Every(distance) = self.damage
                && bytes.len() - damaged_at >= distance
                && bytes.len() + self.malformed.len() + 3 <= len
            {
                bytes.extend_from_slice(&self.malformed);
                damaged_at = bytes.len();
            }
        }
        self.encoder.clone().finish(&mut bytes)?;
        Ok(Units::Bytes(bytes))
    }
}

/// Returns a shortest malformed sequence that can be between two characters.
fn malformed(encoding: Encoding) -> Option<Vec<u8>> {
    if encoding.name().starts_with("UTF-16") {
        // An unpaired low surrogate.
        return Some(if encoding == textcodec::UTF_16LE { vec![0, 0xDC] } else { vec![0xDC, 0] });
    }
    (0x80..=0xFF).rev().map(|byte| vec![byte]).find(|bytes| encoding.decode_strict(bytes).is_err())
}

pub(crate) fn named(encoding: &str) -> Result<Encoding> {
    Encoding::for_label(encoding)
        .or_else(|| encoding.parse().ok())
        .with_context(|| format!("unknown encoding {encoding}"))
}

/// Returns the expected output, from the library's scalar kernels.
pub(crate) fn reference(operation: Operation, encoding: &str, src: &Units) -> Result<Units> {
    let decoder = |encoding: Encoding| encoding.decoder_with(DecodeOptions::new().bom(Bom::Keep));
    let mut dst = Units::new(operation.unit_out());
    dst.resize(4 * src.len() + 64);
    let (source, target) = match operation {
        Operation::DecodeToUtf8 | Operation::DecodeToUtf16 | Operation::DecodeWhole => (named(encoding)?, UTF_8),
        Operation::EncodeFromUtf8 | Operation::EncodeFromUtf16 | Operation::EncodeWhole => (UTF_8, named(encoding)?),
        Operation::Latin1ToUtf8 | Operation::Latin1ToUtf16 => (LATIN1, UTF_8),
        Operation::Utf8ToLatin1 | Operation::Utf16ToLatin1 => (UTF_8, LATIN1),
        Operation::Utf8ToUtf16 | Operation::Utf16ToUtf8 => (UTF_8, UTF_8),
        // Validation returns a length and writes nothing.
        Operation::ValidateUtf8 | Operation::ValidateUtf16 => return Ok(Units::Bytes(Vec::new())),
    };
    let (done, written) = match (src, &mut dst) {
        (Units::Bytes(src), Units::Bytes(dst)) if target == UTF_8 => {
            let progress = decoder(source).decode_to_utf8(src, dst, true);
            (progress.status == Status::InputEmpty, progress.written)
        }
        (Units::Bytes(src), Units::Bytes(dst)) => {
            let progress = target.encoder().encode_from_utf8(str::from_utf8(src)?, dst, true);
            (progress.status == Status::InputEmpty, progress.written)
        }
        (Units::Bytes(src), Units::Utf16(dst)) => {
            let progress = decoder(source).decode_to_utf16(src, dst, true);
            (progress.status == Status::InputEmpty, progress.written)
        }
        (Units::Utf16(src), Units::Bytes(dst)) => {
            let progress = target.encoder().encode_from_utf16(src, dst, true);
            (progress.status == Status::InputEmpty, progress.written)
        }
        (Units::Utf16(_), Units::Utf16(_)) => unreachable!("there is no such operation"),
    };
    ensure!(done, "the library cannot convert the text");
    dst.resize(written);
    Ok(dst)
}

/// Returns a cell's job.
pub(crate) fn job(cell: &Cell) -> Job<'_> {
    let chunk = match cell.size {
        Size::Bytes(_) => 0,
        Size::Streamed(_) => (4 << 10) / cell.operation.unit_in(),
    };
    Job::plain(cell.operation, cell.encoding, chunk)
}
