//! Work on many inputs by several threads, with the output in the order of the inputs.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    mem,
    sync::{
        Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use crate::{descriptors, terminal};

/// Calls `work` for each item, in several threads, and then `finish` with the result, in the order of the items.
///
/// `work` writes to standard output. The output of the item whose turn it is appears immediately, that of the items after it
/// is kept until their turn. It takes little memory however much is written: `work` waits for its turn before it writes more
/// than [`MAX_KEPT`] bytes, and no further item is started while the finished ones take more than [`MAX_FINISHED`].
///
/// # Errors
/// Returns the first error of standard output. Items that have not been started are then left out.
pub(crate) fn for_each<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T, &mut dyn Write) -> io::Result<R> + Sync,
    mut finish: impl FnMut(&T, R) + Send,
) -> io::Result<()> {
    let state = State { turn: 0, finished: BTreeMap::new(), size: 0, error: None, finish: &mut finish };
    let queue = Queue { items, next: AtomicUsize::new(0), state: Mutex::new(state), changed: Condvar::new() };
    thread::scope(|scope| {
        for _ in 1..threads.min(items.len()) {
            // If no further thread can be created, the existing ones do the work.
            let _ = thread::Builder::new().spawn_scoped(scope, || queue.run(&work));
        }
        queue.run(&work);
    });
    queue.state.into_inner().unwrap_or_else(PoisonError::into_inner).error.map_or(Ok(()), Err)
}

/// The number of bytes that an item may write before its turn.
const MAX_KEPT: usize = 256 * 1024;

/// The number of bytes that the output and the results of finished items may take.
const MAX_FINISHED: usize = 8 * 1024 * 1024;

/// The number of bytes that a result takes, roughly.
const RESULT: usize = 256;

struct Queue<'a, T, R> {
    items: &'a [T],
    /// The index of the next item that no thread has taken.
    next: AtomicUsize,
    state: Mutex<State<'a, T, R>>,
    changed: Condvar,
}

struct State<'a, T, R> {
    /// The index of the item whose output may be written.
    turn: usize,
    /// The output and the result of each finished item that waits for its turn.
    finished: BTreeMap<usize, (Vec<u8>, R)>,
    /// The number of bytes that `finished` takes.
    size: usize,
    /// Why standard output cannot be written.
    error: Option<io::Error>,
    finish: &'a mut (dyn FnMut(&T, R) + Send),
}

impl<'a, T, R> Queue<'a, T, R> {
    fn run(&self, work: &(impl Fn(&T, &mut dyn Write) -> io::Result<R> + Sync)) {
        loop {
            drop(self.wait_while(|state| state.error.is_none() && state.size > MAX_FINISHED));
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = self.items.get(index) else { return };
            let mut output = Output { queue: self, index, kept: Vec::new() };
            if let Err(error) = work(item, &mut output).and_then(|result| output.finish(result)) {
                self.stop(error);
            }
            if self.lock().error.is_some() {
                return;
            }
        }
    }

    /// Makes all threads stop.
    fn stop(&self, error: io::Error) {
        self.lock().error.get_or_insert(error);
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State<'a, T, R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_while(&self, waits: impl Fn(&State<'a, T, R>) -> bool) -> MutexGuard<'_, State<'a, T, R>> {
        self.changed.wait_while(self.lock(), |state| waits(state)).unwrap_or_else(PoisonError::into_inner)
    }
}

/// The output of one item.
struct Output<'q, 'a, T, R> {
    queue: &'q Queue<'a, T, R>,
    index: usize,
    /// What has not been written to standard output.
    kept: Vec<u8>,
}

impl<T, R> Output<'_, '_, T, R> {
    /// Ends the item. If it has its turn, ends all finished items after it, too.
    fn finish(mut self, result: R) -> io::Result<()> {
        let mut state = self.queue.lock();
        let kept = mem::take(&mut self.kept);
        if state.turn != self.index {
            state.size += kept.len() + RESULT;
            state.finished.insert(self.index, (kept, result));
            return Ok(());
        }
        let mut next = Some((kept, result));
        while let Some((kept, result)) = next {
            emit(&kept)?;
            let turn = state.turn;
            (state.finish)(&self.queue.items[turn], result);
            state.turn = turn + 1;
            next = state.finished.remove(&(turn + 1));
            state.size -= next.as_ref().map_or(0, |(kept, _)| kept.len() + RESULT);
        }
        drop(state);
        self.queue.changed.notify_all();
        Ok(())
    }

    fn emit_kept(&mut self, state: &State<'_, T, R>) -> io::Result<()> {
        if state.error.is_some() {
            // The caller keeps the first error.
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        emit(&self.kept)?;
        self.kept.clear();
        Ok(())
    }
}

impl<T, R> Write for Output<'_, '_, T, R> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.kept.extend_from_slice(bytes);
        if self.kept.len() >= MAX_KEPT {
            let queue = self.queue;
            let state = queue.wait_while(|state| state.error.is_none() && state.turn != self.index);
            self.emit_kept(&state)?;
        }
        Ok(())
    }

    /// Writes to standard output what has been written to this, if the item has its turn.
    fn flush(&mut self) -> io::Result<()> {
        let queue = self.queue;
        let state = queue.lock();
        if state.turn == self.index { self.emit_kept(&state) } else { Ok(()) }
    }
}

impl<T, R> Drop for Output<'_, '_, T, R> {
    fn drop(&mut self) {
        // The other threads must not wait for an item that will never end.
        if thread::panicking() {
            self.queue.stop(io::ErrorKind::Other.into());
        }
    }
}

fn emit(bytes: &[u8]) -> io::Result<()> {
    if bytes.is_empty() {
        return Ok(());
    }
    terminal::without_bar(|| {
        let mut stdout = descriptors::Stdout::lock();
        stdout.write_all(bytes).and_then(|()| stdout.flush())
    })
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc, time::Duration};

    use super::*;

    #[test]
    fn results_are_in_order_however_long_the_work_takes() {
        let items: Vec<u64> = (0..200).collect();
        for threads in [1, 3, 8, 1000] {
            let mut results = Vec::new();
            let work = |item: &u64, _: &mut dyn Write| {
                thread::sleep(Duration::from_micros(item * 7919 % 13 * 50));
                Ok(item * 2)
            };
            for_each(&items, threads, work, |item, result| results.push((*item, result))).unwrap();
            assert!(results.iter().copied().eq(items.iter().map(|&item| (item, item * 2))), "{threads}");
        }
    }

    #[test]
    fn finished_items_do_not_pile_up() {
        // The first item waits until enough other items are started, and then until no other is.
        let (started, starts) = mpsc::channel();
        let (items, starts) = ((0..100_000).collect::<Vec<u32>>(), Mutex::new(starts));
        let waiting = |item: &u32, _: &mut dyn Write| {
            let mut count = 0;
            if *item == 0 {
                let starts = starts.lock().unwrap();
                while count < MAX_FINISHED / RESULT && starts.recv_timeout(Duration::from_secs(30)).is_ok() {
                    count += 1;
                }
                while starts.recv_timeout(Duration::from_millis(300)).is_ok() {
                    count += 1;
                }
            } else {
                let _ = started.send(());
            }
            Ok(count)
        };
        let mut results = Vec::new();
        for_each(&items, 4, waiting, |_, count| results.push(count)).unwrap();
        assert_eq!(results.len(), items.len());
        assert!((MAX_FINISHED / RESULT..MAX_FINISHED / RESULT + 10).contains(&results[0]), "{}", results[0]);
    }

    #[test]
    fn a_panic_ends_all_threads() {
        let items: Vec<u32> = (0..1000).collect();
        let work = |item: &u32, out: &mut dyn Write| {
            assert!(*item != 0, "this panic is part of a test");
            // Waits for a turn that never comes.
            out.write_all(&vec![0; MAX_KEPT])
        };
        let run = || for_each(&items, 4, work, |_, ()| ());
        assert!(std::panic::catch_unwind(run).is_err());
    }

    #[test]
    fn an_error_of_the_output_stops_all_threads() {
        let items: Vec<u32> = (0..1000).collect();
        let mut count = 0;
        let work = |item: &u32, _: &mut dyn Write| match item {
            5 => Err(io::ErrorKind::StorageFull.into()),
            _ => Ok(()),
        };
        let error = for_each(&items, 4, work, |_, ()| count += 1).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        assert!(count <= 5, "{count}");
    }
}
