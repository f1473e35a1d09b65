//! Converts a regular file in blocks, on several threads, and writes the blocks in order.
//!
//! Each thread processes whole blocks: it reads a block while it holds the lock on the file, converts it, waits for the
//! block's turn and writes it. So reading, converting and writing overlap, no data moves between threads, and a block
//! stays in the cache of one core.

use std::{
    io::{self, Read as _},
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};

use super::{
    ConvertError,
    recipe::{Recipe, Tally},
    split::split_point,
    stage::Stage,
    stream,
    text_output::TextOutput,
};
use crate::{
    charset::Charset,
    input::{RegularFile, fill},
    interrupt, terminal,
};

/// Converts a file from its current position to its end.
///
/// The input encoding must be [splittable](textcodec::Encoding::is_splittable) and the output encoding stateless.
pub(super) fn convert(
    recipe: Recipe,
    encoding: Charset,
    file: &mut RegularFile,
    output: &mut TextOutput,
    threads: usize,
    tally: &mut Tally,
) -> Result<(), ConvertError> {
    // A further thread pays off only for at least two more blocks.
    let size = file.metadata().len();
    let threads = threads.min((size / (2 * BLOCK_LEN as u64)) as usize).clamp(1, MAX_THREADS);
    let job = Job {
        recipe,
        encoding,
        input: Mutex::new(BlockReader {
            file,
            read_len: size.saturating_add(1).min(BLOCK_LEN as u64) as usize,
            remainder: Vec::new(),
            next: 0,
            ended: false,
        }),
        output: Mutex::new(OrderedOutput { output, tally, next: 0, stopped: false, result: Ok(()) }),
        turn_changed: Condvar::new(),
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // If no further thread can be created, the existing ones do the work.
            let _ = thread::Builder::new().spawn_scoped(scope, || job.work());
        }
        job.work();
    });
    job.output.into_inner().unwrap_or_else(PoisonError::into_inner).result
}

/// The number of bytes in a block. The costs of a system call and a wait are small in comparison, and the block fits into
/// a second-level cache.
const BLOCK_LEN: usize = 256 * 1024;

/// The length up to which a block without a split point grows.
const MAX_BLOCK_LEN: usize = 512 * 1024;

/// The maximum number of threads. More would wait for each other and need more memory.
const MAX_THREADS: usize = 8;

struct Job<'a> {
    recipe: Recipe,
    encoding: Charset,
    input: Mutex<BlockReader<'a>>,
    output: Mutex<OrderedOutput<'a>>,
    /// Notified whenever `output` has changed.
    turn_changed: Condvar,
}

/// Reads the blocks.
struct BlockReader<'a> {
    file: &'a mut RegularFile,
    /// The number of bytes to read for the next block.
    read_len: usize,
    /// Bytes that were read, but belong to the next block.
    remainder: Vec<u8>,
    /// The number of the next block.
    next: u64,
    ended: bool,
}

/// Writes the blocks in order.
struct OrderedOutput<'a> {
    output: &'a mut TextOutput,
    tally: &'a mut Tally,
    /// The number of the block whose turn it is.
    next: u64,
    stopped: bool,
    result: Result<(), ConvertError>,
}

enum Part {
    /// A block that a separate decoder can decode.
    Block,
    /// The start of the remaining input, which has no split point.
    Remainder,
}

impl<'a> Job<'a> {
    fn work(&self) {
        let _guard = StopOnPanic(self);
        let Ok(mut stage) = Stage::new(self.recipe, self.encoding) else { return };
        let (mut block, mut out) = (Block::default(), Vec::new());
        let after_segment = self.recipe.needs_segments();
        loop {
            let Some((number, part)) = lock(&self.input).next_block(self.encoding, after_segment, &mut block) else {
                return;
            };
            stage.start_input(self.encoding);
            let converted = match part {
                Ok(Part::Block) => stage.convert(block.text(), true, &mut out),
                Ok(Part::Remainder) | Err(_) => Ok(()),
            };
            let Some(mut ordered) = self.wait(number) else { return };
            let OrderedOutput { output, tally, .. } = &mut *ordered;
            let result = match part {
                Ok(Part::Block) => {
                    terminal::advance(block.len);
                    let written = output.write_all(&out).map_err(ConvertError::Write);
                    out.clear();
                    let result = written.and(converted).map_err(|error| error.offset_by(tally));
                    tally.append(stage.take_tally());
                    result
                }
                Ok(Part::Remainder) => {
                    let mut input = lock(&self.input);
                    stream(&mut stage, &mut block.text().chain(&mut *input.file), &mut out, output, tally)
                }
                Err(error) => Err(ConvertError::Read(error)),
            };
            let result = result.and_then(|()| interrupt::check());
            if result.is_err() {
                ordered.result = result;
                ordered.stopped = true;
                lock(&self.input).ended = true;
            }
            ordered.next += 1;
            drop(ordered);
            self.turn_changed.notify_all();
        }
    }

    /// Waits for a block's turn. Returns `None` if an earlier block failed.
    fn wait(&self, number: u64) -> Option<MutexGuard<'_, OrderedOutput<'a>>> {
        let mut ordered = lock(&self.output);
        while ordered.next != number && !ordered.stopped {
            ordered = self.turn_changed.wait(ordered).unwrap_or_else(PoisonError::into_inner);
        }
        (!ordered.stopped).then_some(ordered)
    }
}

impl BlockReader<'_> {
    /// Reads the next block and returns its number, or `None` after the last block.
    fn next_block(
        &mut self,
        encoding: Charset,
        after_segment: bool,
        block: &mut Block,
    ) -> Option<(u64, io::Result<Part>)> {
        if self.ended {
            return None;
        }
        let number = self.next;
        self.next += 1;
        block.len = 0;
        block.grow(self.remainder.len());
        block.bytes[..self.remainder.len()].copy_from_slice(&self.remainder);
        block.len = self.remainder.len();
        self.remainder.clear();
        let part = self.fill(encoding, after_segment, block);
        self.ended |= !matches!(part, Ok(Part::Block));
        Some((number, part))
    }

    fn fill(&mut self, encoding: Charset, after_segment: bool, block: &mut Block) -> io::Result<Part> {
        loop {
            if !block.read(self.file, std::mem::replace(&mut self.read_len, BLOCK_LEN))? {
                self.ended = true;
                return Ok(Part::Block);
            }
            if let Some(at) = split_point(encoding, block.text(), after_segment) {
                self.remainder.extend_from_slice(&block.text()[at..]);
                block.len = at;
                return Ok(Part::Block);
            }
            if block.len >= MAX_BLOCK_LEN {
                return Ok(Part::Remainder);
            }
        }
    }
}

/// A buffer that is reused for each block.
#[derive(Default)]
struct Block {
    bytes: Vec<u8>,
    len: usize,
}

impl Block {
    fn text(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    fn grow(&mut self, more: usize) {
        if self.bytes.len() < self.len + more {
            self.bytes.resize(self.len + more, 0);
        }
    }

    /// Reads and appends `more` bytes. Returns false if the file ends before.
    fn read(&mut self, file: &mut RegularFile, more: usize) -> io::Result<bool> {
        self.grow(more);
        let len = fill(file, &mut self.bytes[self.len..self.len + more])?;
        self.len += len;
        Ok(len == more)
    }
}

/// Stops the other threads if this one panics. They would wait forever for its block.
struct StopOnPanic<'a, 'b>(&'b Job<'a>);

impl Drop for StopOnPanic<'_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            lock(&self.0.output).stopped = true;
            self.0.turn_changed.notify_all();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
