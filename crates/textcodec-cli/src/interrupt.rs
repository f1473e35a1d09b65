//! Interruption: SIGINT, SIGTERM and SIGHUP, or on Windows Ctrl-C, Ctrl-Break and closing the console.
//!
//! An interrupted conversion stops at the next block, removes its temporary files and says how far it got. If it does not
//! end in time, because it waits for input or for the disk, the thread that received the signal does this and ends the
//! process. Then the process ends as if it had not handled the signal, so that a shell stops its script.

use std::{
    process::ExitCode,
    sync::{
        OnceLock,
        atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
        mpsc,
    },
    thread,
    time::Duration,
};

use crate::{
    engine::ConvertError,
    output::{Destination, remove_temporary_files},
    terminal::print_message,
};

/// The signal that interrupted the process, or 0.
///
/// The handler itself sets it, because the thread that receives signals may run later. An input that ends because the same
/// signal ended the process that writes it is then recognised as incomplete.
static SIGNAL: AtomicUsize = AtomicUsize::new(0);

/// Whether the new file has replaced its target, in a conversion to one file.
static TARGET_IS_REPLACED: AtomicBool = AtomicBool::new(false);

/// Starts to handle signals. Until then, they end the process.
///
/// The conversion should end by itself in the time `grace`. `state` describes what was done, for a message.
pub(crate) fn handle(grace: Duration, state: impl Fn() -> String + Send + Sync + 'static) {
    if STATE.set(Box::new(state)).is_err() {
        return;
    }
    // If signals cannot be handled, they end the process immediately. Nothing but temporary files is lost.
    let _ = system::on_signal(&SIGNAL, move |signal| {
        static IS_FIRST: AtomicBool = AtomicBool::new(true);

        SIGNAL.store(signal, Relaxed);
        if IS_FIRST.swap(false, Relaxed) {
            let _ = thread::Builder::new().spawn(move || {
                thread::sleep(grace);
                end_now();
            });
        } else {
            // The user is impatient.
            end_now();
        }
    });
}

/// Describes what was done.
static STATE: OnceLock<Box<dyn Fn() -> String + Send + Sync>> = OnceLock::new();

/// Ends the process from the thread that received the signal.
fn end_now() {
    static HAS_BEGUN: AtomicBool = AtomicBool::new(false);

    if HAS_BEGUN.swap(true, Relaxed) {
        return;
    }
    remove_temporary_files();
    let (printed, is_printed) = mpsc::channel();
    // Standard error may be a pipe that nobody reads.
    let _ = thread::Builder::new().spawn(move || {
        let state = STATE.get().map(|state| state()).unwrap_or_default();
        print_message(state);
        let _ = printed.send(());
    });
    let _ = is_printed.recv_timeout(Duration::from_millis(500));
    end();
}

/// Starts to handle signals during a conversion to one destination, which does not take long to end unless it waits for
/// input.
pub(crate) fn handle_for(destination: &Destination) {
    if destination.replaces_file() {
        let (before, after) = (format!("interrupted; {}", destination.after_failure()), after_replacement(destination));
        handle(Duration::from_millis(200), move || {
            if TARGET_IS_REPLACED.load(Relaxed) { after.clone() } else { before.clone() }
        });
    }
}

/// Records that the new file has replaced its target.
pub(crate) fn target_is_replaced() {
    TARGET_IS_REPLACED.store(true, Relaxed);
}

/// Returns whether the program was interrupted after the output was complete, and prints that.
pub(crate) fn came_too_late(destination: &Destination) -> bool {
    if is_requested() {
        print_message(after_replacement(destination));
    }
    is_requested()
}

fn after_replacement(destination: &Destination) -> String {
    format!("interrupted when {destination} was complete")
}

/// Fails if the program was interrupted.
pub(crate) fn check() -> Result<(), ConvertError> {
    if is_requested() { Err(ConvertError::Interrupted) } else { Ok(()) }
}

pub(crate) fn is_requested() -> bool {
    SIGNAL.load(Relaxed) != 0
}

/// Returns the exit status of a process that the signal ended, as shells show it.
pub(crate) fn status() -> Option<u8> {
    let signal = u8::try_from(SIGNAL.load(Relaxed)).ok().filter(|&signal| signal != 0)?;
    Some(128 + signal)
}

/// Ends the process as the signal would have done.
pub(crate) fn end() -> ! {
    system::end(i32::try_from(SIGNAL.load(Relaxed)).unwrap_or_default())
}

/// Ends the process as iconv ends if the reader of its output has closed it: by the signal SIGPIPE, where there is one.
pub(crate) fn end_as_iconv() -> ExitCode {
    system::end_by_pipe()
}

#[cfg(unix)]
mod system {
    use std::{
        io,
        process::{self, ExitCode},
        sync::atomic::{AtomicUsize, Ordering::Relaxed},
        thread,
    };

    use signal_hook::{
        consts::{SIGHUP, SIGINT, SIGPIPE, SIGTERM},
        flag,
        iterator::Signals,
        low_level::emulate_default_handler,
    };

    /// Stores each signal in `received`, and then calls a function for it, on a thread.
    pub(super) fn on_signal(received: &'static AtomicUsize, handle: impl Fn(usize) + Send + 'static) -> io::Result<()> {
        let ignored = ignored_signals();
        let is_ignored = |signal: &i32| ignored >> (signal - 1) & 1 != 0;
        let handled = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| !is_ignored(signal));
        // First, so that every signal that is handled is stored.
        for signal in handled.clone() {
            flag::register_usize(signal, received, signal.unsigned_abs() as usize)?;
        }
        let mut signals = Signals::new(handled)?;
        thread::Builder::new().spawn(move || {
            // A signal that came before `signals`.
            Some(received.load(Relaxed)).filter(|&signal| signal != 0).into_iter().for_each(&handle);
            signals.forever().for_each(|signal| handle(signal.unsigned_abs() as usize));
        })?;
        Ok(())
    }

    /// Returns the signals that the parent process told this one to ignore, as nohup does: bit 0 is signal 1.
    ///
    /// Only Linux tells without `unsafe` code.
    fn ignored_signals() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default()
    }

    pub(super) fn end(signal: i32) -> ! {
        let _ = emulate_default_handler(signal);
        process::exit(128 + signal)
    }

    pub(super) fn end_by_pipe() -> ExitCode {
        end(SIGPIPE)
    }
}

#[cfg(windows)]
mod system {
    use std::{
        io,
        process::{self, ExitCode},
        sync::atomic::AtomicUsize,
    };

    /// Stands for Ctrl-C and for closing the console.
    const INTERRUPT: usize = 2;

    /// Calls a function for each event, on a thread.
    pub(super) fn on_signal(_: &'static AtomicUsize, handle: impl Fn(usize) + Send + 'static) -> io::Result<()> {
        ctrlc::set_handler(move || handle(INTERRUPT)).map_err(io::Error::other)
    }

    /// Ends the process with the status of one that Ctrl-C ended, so that batch files stop.
    pub(super) fn end(_: i32) -> ! {
        const STATUS_CONTROL_C_EXIT: u32 = 0xC000_013A;

        process::exit(STATUS_CONTROL_C_EXIT.cast_signed())
    }

    pub(super) fn end_by_pipe() -> ExitCode {
        ExitCode::SUCCESS
    }
}
