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
    Broken,
    cut::cut,
    recipe::{Recipe, Tally},
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
) -> Result<(), Broken> {
    // Not worth a thread where there is one block, or not much more.
    let size = file.metadata().map_or(0, |metadata| metadata.len());
    let threads = threads.min((size / (2 * BLOCK as u64)) as usize).clamp(1, MOST_THREADS);
    let job = Job {
        recipe,
        encoding,
        feed: Mutex::new(Feed { file, room: (size as usize + 1).min(BLOCK), carry: Vec::new(), next: 0, ended: false }),
        end: Mutex::new(End { output, tally, next: 0, stopped: false, result: Ok(()) }),
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
const BLOCK: usize = 256 * 1024;

/// A block that has no place to cut grows up to this.
const MOST: usize = 512 * 1024;

/// More would wait for each other, and need memory.
const MOST_THREADS: usize = 8;

struct Job<'a> {
    recipe: Recipe,
    encoding: Encoding,
    feed: Mutex<Feed<'a>>,
    end: Mutex<End<'a>>,
    /// Told whenever `end` has changed.
    turn: Condvar,
}

/// Where blocks come from.
struct Feed<'a> {
    file: &'a File,
    /// Bytes for the next block.
    room: usize,
    /// What is read already, behind the last cut.
    carry: Vec<u8>,
    /// The number of the next block.
    next: u64,
    ended: bool,
}

/// Where they go.
struct End<'a> {
    output: &'a mut Output,
    tally: &'a mut Tally,
    /// The number of the block whose turn it is.
    next: u64,
    stopped: bool,
    result: Result<(), Broken>,
}

enum Taken {
    /// Text whose decoder begins and ends with it.
    Block,
    /// The beginning of all that is left, which cannot be cut.
    Rest,
}

impl<'a> Job<'a> {
    fn work(&self) {
        let _guard = StopOnPanic(self);
        let Ok(mut stage) = Stage::new(self.recipe, self.encoding) else { return };
        let (mut block, mut out) = (Block::default(), Vec::new());
        loop {
            let Some((number, taken)) = lock(&self.feed).take(self.encoding, &mut block) else { return };
            stage.begin(self.encoding);
            let run = match taken {
                Ok(Taken::Block) => stage.run(block.text(), true, &mut out),
                Ok(Taken::Rest) | Err(_) => Ok(()),
            };
            let Some(mut end) = self.wait(number) else { return };
            let End { output, tally, .. } = &mut *end;
            let result = match taken {
                Ok(Taken::Block) => {
                    terminal::advance(block.len);
                    let written = output.write_all(&out).map_err(Broken::Write);
                    out.clear();
                    let result = written.and(run).map_err(|broken| broken.behind(tally));
                    tally.append(stage.take_tally());
                    result
                }
                Ok(Taken::Rest) => {
                    let file = lock(&self.feed).file;
                    stream(&mut stage, &mut block.text().chain(file), &mut out, output, tally)
                }
                Err(error) => Err(Broken::Read(error)),
            };
            if result.is_err() {
                end.result = result;
                end.stopped = true;
                lock(&self.feed).ended = true;
            }
            end.next += 1;
            drop(end);
            self.turn.notify_all();
        }
    }

    /// Waits for a block's turn. None where a block before it has failed.
    fn wait(&self, number: u64) -> Option<MutexGuard<'_, End<'a>>> {
        let mut end = lock(&self.end);
        while end.next != number && !end.stopped {
            end = self.turn.wait(end).unwrap_or_else(PoisonError::into_inner);
        }
        (!end.stopped).then_some(end)
    }
}

impl Feed<'_> {
    /// Reads the next block and gives its number. None behind the end.
    fn take(&mut self, encoding: Encoding, block: &mut Block) -> Option<(u64, io::Result<Taken>)> {
        if self.ended {
            return None;
        }
        let number = self.next;
        self.next += 1;
        block.len = 0;
        block.make_room(self.carry.len());
        block.bytes[..self.carry.len()].copy_from_slice(&self.carry);
        block.len = self.carry.len();
        self.carry.clear();
        let taken = self.fill(encoding, block);
        self.ended |= !matches!(taken, Ok(Taken::Block));
        Some((number, taken))
    }

    fn fill(&mut self, encoding: Encoding, block: &mut Block) -> io::Result<Taken> {
        loop {
            if !block.read(&mut self.file, std::mem::replace(&mut self.room, BLOCK))? {
                self.ended = true;
                return Ok(Taken::Block);
            }
            if let Some(at) = cut(encoding, block.text()) {
                self.carry.extend_from_slice(&block.text()[at..]);
                block.len = at;
                return Ok(Taken::Block);
            }
            if block.len >= MOST {
                return Ok(Taken::Rest);
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

    fn make_room(&mut self, more: usize) {
        if self.bytes.len() < self.len + more {
            self.bytes.resize(self.len + more, 0);
        }
    }

    /// Appends so many bytes. False where the file ends before.
    fn read(&mut self, file: &mut &File, more: usize) -> io::Result<bool> {
        self.make_room(more);
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
