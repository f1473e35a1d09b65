//! A regular file in blocks that are converted apart, by several threads, and written in order.
//!
//! Each thread does all of a block: it reads it, with the lock on the file; converts it; waits until it is the block's
//! turn; writes it. So reading, converting and writing overlap, nothing is handed from one thread to another, and a block
//! stays in one core's cache.

use std::{
    fs::File,
    io::{self, Read as _},
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};

use textcodec::Encoding;

use super::{
    ConvertError,
    recipe::{Recipe, Tally},
    split::split_point,
    stage::Stage,
    stream,
};
use crate::{output::Output, terminal};

/// Converts a file, from where it is to its end, in an encoding that can be cut to one without a state.
pub(super) fn convert(
    recipe: Recipe,
    encoding: Encoding,
    file: &File,
    output: &mut Output,
    threads: usize,
    tally: &mut Tally,
) -> Result<(), ConvertError> {
    // Not worth a thread where there is one block, or not much more.
    let size = file.metadata().map_or(0, |metadata| metadata.len());
    let threads = threads.min((size / (2 * BLOCK_LEN as u64)) as usize).clamp(1, MAX_THREADS);
    let job = Job {
        recipe,
        encoding,
        input: Mutex::new(BlockReader {
            file,
            read_len: (size as usize + 1).min(BLOCK_LEN),
            remainder: Vec::new(),
            next: 0,
            ended: false,
        }),
        end: Mutex::new(OrderedOutput { output, tally, next: 0, stopped: false, result: Ok(()) }),
        turn: Condvar::new(),
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // Where there can be no more threads, fewer do.
            let _ = thread::Builder::new().spawn_scoped(scope, || job.work());
        }
        job.work();
    });
    job.end.into_inner().unwrap_or_else(PoisonError::into_inner).result
}

/// Bytes per block: beside it, a system call and a wait are nothing, and all blocks fit into the second-level caches.
const BLOCK_LEN: usize = 256 * 1024;

/// A block that has no place to cut grows up to this.
const MAX_BLOCK_LEN: usize = 512 * 1024;

/// More would wait for each other, and need memory.
const MAX_THREADS: usize = 8;

struct Job<'a> {
    recipe: Recipe,
    encoding: Encoding,
    input: Mutex<BlockReader<'a>>,
    end: Mutex<OrderedOutput<'a>>,
    /// Told whenever `end` has changed.
    turn: Condvar,
}

/// Where blocks come from.
struct BlockReader<'a> {
    file: &'a File,
    /// Bytes for the next block.
    read_len: usize,
    /// What is read already, behind the last cut.
    remainder: Vec<u8>,
    /// The number of the next block.
    next: u64,
    ended: bool,
}

/// Where they go.
struct OrderedOutput<'a> {
    output: &'a mut Output,
    tally: &'a mut Tally,
    /// The number of the block whose turn it is.
    next: u64,
    stopped: bool,
    result: Result<(), ConvertError>,
}

enum Part {
    /// Text whose decoder begins and ends with it.
    Block,
    /// The beginning of all that is left, which cannot be cut.
    Remainder,
}

impl<'a> Job<'a> {
    fn work(&self) {
        let _guard = StopOnPanic(self);
        let Ok(mut stage) = Stage::new(self.recipe, self.encoding) else { return };
        let (mut block, mut out) = (Block::default(), Vec::new());
        loop {
            let Some((number, part)) = lock(&self.input).next_block(self.encoding, &mut block) else { return };
            stage.start_input(self.encoding);
            let converted = match part {
                Ok(Part::Block) => stage.convert(block.text(), true, &mut out),
                Ok(Part::Remainder) | Err(_) => Ok(()),
            };
            let Some(mut end) = self.wait(number) else { return };
            let OrderedOutput { output, tally, .. } = &mut *end;
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
                    let file = lock(&self.input).file;
                    stream(&mut stage, &mut block.text().chain(file), &mut out, output, tally)
                }
                Err(error) => Err(ConvertError::Read(error)),
            };
            if result.is_err() {
                end.result = result;
                end.stopped = true;
                lock(&self.input).ended = true;
            }
            end.next += 1;
            drop(end);
            self.turn.notify_all();
        }
    }

    /// Waits for a block's turn. None where a block before it has failed.
    fn wait(&self, number: u64) -> Option<MutexGuard<'_, OrderedOutput<'a>>> {
        let mut end = lock(&self.end);
        while end.next != number && !end.stopped {
            end = self.turn.wait(end).unwrap_or_else(PoisonError::into_inner);
        }
        (!end.stopped).then_some(end)
    }
}

impl BlockReader<'_> {
    /// Reads the next block and gives its number. None behind the end.
    fn next_block(&mut self, encoding: Encoding, block: &mut Block) -> Option<(u64, io::Result<Part>)> {
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
        let part = self.fill(encoding, block);
        self.ended |= !matches!(part, Ok(Part::Block));
        Some((number, part))
    }

    fn fill(&mut self, encoding: Encoding, block: &mut Block) -> io::Result<Part> {
        loop {
            if !block.read(&mut self.file, std::mem::replace(&mut self.read_len, BLOCK_LEN))? {
                self.ended = true;
                return Ok(Part::Block);
            }
            if let Some(at) = split_point(encoding, block.text()) {
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

/// Bytes that are read into memory that is used again.
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

    /// Appends so many bytes. False where the file ends before.
    fn read(&mut self, file: &mut &File, more: usize) -> io::Result<bool> {
        self.grow(more);
        let end = self.len + more;
        while self.len < end {
            match file.read(&mut self.bytes[self.len..end]) {
                Ok(0) => return Ok(false),
                Ok(read) => self.len += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }
}

/// A block that never comes must not be waited for.
struct StopOnPanic<'a, 'b>(&'b Job<'a>);

impl Drop for StopOnPanic<'_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            lock(&self.0.end).stopped = true;
            self.0.turn.notify_all();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
