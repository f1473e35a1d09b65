//! Messages and progress on standard error.

use std::{
    borrow::Cow,
    fmt,
    io::{self, IsTerminal as _, Write},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use same_file::Handle;

use crate::{input::Input, screen};

/// The number of bytes read so far.
static DONE: AtomicU64 = AtomicU64::new(0);

/// The progress bar on the terminal, if there is one. It is suspended while a message is printed.
static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Prints a message to standard error. Unlike `eprintln!`, it does not panic if standard error is closed.
pub(crate) fn print_message(message: impl fmt::Display) {
    let line = fitted(&format!("textcodec: {message}")) + "\n";
    write_line(line.as_bytes());
}

/// Writes a line to standard error, at once: an interruption may end the process between two writes.
fn write_line(line: &[u8]) {
    // The output may be on the same terminal, and may not end with a line feed.
    let start = if IS_WITHIN_LINE.swap(false, Ordering::Relaxed) && stderr_is_stdout() { "\n" } else { "" };
    without_bar(|| {
        let _ = io::stderr().lock().write_all(&[start.as_bytes(), line].concat());
    });
}

/// Whether what was written to standard output last does not end with a line feed.
static IS_WITHIN_LINE: AtomicBool = AtomicBool::new(false);

/// Returns whether both are the same terminal, pipe or file.
fn stderr_is_stdout() -> bool {
    match (Handle::stdout(), Handle::stderr()) {
        (Ok(stdout), Ok(stderr)) => stdout == stderr,
        _ => io::stdout().is_terminal() && io::stderr().is_terminal(),
    }
}

/// Standard output. Messages do not begin within its lines.
pub(crate) struct Lines<W>(pub(crate) W);

impl<W: Write> Write for Lines<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let len = self.0.write(bytes)?;
        if let Some(&last) = bytes[..len].last() {
            IS_WITHIN_LINE.store(last != b'\n', Ordering::Relaxed);
        }
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Wraps the lines of a message to the width of the terminal.
fn fitted(message: &str) -> String {
    let Some(columns) = screen::stderr_width() else { return message.to_owned() };
    message.lines().map(|line| screen::wrap(line, 0, 2, columns)).collect::<Vec<_>>().join("\n")
}

/// Prints a message that contains [`name`]s. They may be any bytes.
pub(crate) fn print_message_with_names(message: &[u8]) {
    match screen::stderr_width() {
        Some(_) => print_message(String::from_utf8_lossy(message)),
        None => {
            write_line(&[b"textcodec: ", message, b"\n"].concat());
        }
    }
}

/// Returns the name of an input as [`screen::name`] returns it for standard error.
pub(crate) fn name(input: &Input) -> Cow<'_, [u8]> {
    match input {
        Input::Stdin => b"standard input".into(),
        Input::File(path) => screen::name(path, io::stderr().is_terminal()),
    }
}

/// Prints a message about an input. Its name is printed as [`name`] returns it.
pub(crate) fn print_message_about(input: &Input, message: impl fmt::Display) {
    let start = [b"textcodec: ", &*name(input), b":"].concat();
    let message = screen::stderr_width().map_or_else(
        || message.to_string(),
        |columns| screen::wrap(&message.to_string(), screen::width(&start) + 1, 2, columns),
    );
    write_line(&[&*start, format!(" {message}\n").as_bytes()].concat());
}

/// Formats a count and a noun in the singular or the plural: `1 file`, `2 files`.
pub(crate) fn counted(count: u64, one: &str, many: &str) -> String {
    let noun = if count == 1 { one } else { many };
    format!("{count} {noun}")
}

/// Calls a function that writes to a terminal, while the progress bar is hidden.
pub(crate) fn without_bar<T>(write: impl FnOnce() -> T) -> T {
    match &*bar() {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}

/// Adds to the number of bytes read.
pub(crate) fn advance(bytes: usize) {
    DONE.fetch_add(bytes as u64, Ordering::Relaxed);
}

/// Shows a progress bar until it is dropped.
pub(crate) struct Progress {
    /// Closed to stop the thread.
    working: Option<mpsc::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Progress {
    /// Creates a bar for this number of bytes, if it is known. It appears only on a terminal, and after one second.
    pub(crate) fn new(bytes: Option<u64>) -> Self {
        if !io::stderr().is_terminal() {
            return Self::none();
        }
        let (working, ended) = mpsc::channel();
        let thread = thread::Builder::new().spawn(move || show(bytes, &ended)).ok();
        Self { working: Some(working), thread }
    }

    /// Creates a bar for inputs with a single output.
    ///
    /// There is none if the input is typed on a terminal, or if the output goes to a terminal or a pipe, such as a pager.
    pub(crate) fn for_text(inputs: &[Input], to_stdout: bool) -> Self {
        let is_typed = io::stdin().is_terminal() && inputs.iter().any(|input| matches!(input, Input::Stdin));
        let is_shown =
            to_stdout && !Handle::stdout().is_ok_and(|out| out.as_file().metadata().is_ok_and(|out| out.is_file()));
        if is_typed || is_shown { Self::none() } else { Self::new(inputs.iter().map(Input::size).sum()) }
    }

    /// Creates a bar for inputs about which lines are printed. `bytes` is unknown if standard input is among them.
    ///
    /// There is none if the input is typed on a terminal, or if the output goes to a pipe, such as a pager. At a terminal, the
    /// bar is hidden while a line is printed.
    pub(crate) fn for_lines(bytes: Option<u64>, reads_stdin: bool) -> Self {
        let is_typed = reads_stdin && io::stdin().is_terminal();
        let is_file = || Handle::stdout().is_ok_and(|out| out.as_file().metadata().is_ok_and(|out| out.is_file()));
        if is_typed || !(io::stdout().is_terminal() || is_file()) { Self::none() } else { Self::new(bytes) }
    }

    /// Creates no bar.
    pub(crate) fn none() -> Self {
        Self { working: None, thread: None }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.working = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn show(bytes: Option<u64>, ended: &mpsc::Receiver<()>) {
    let (progress, templates) = match bytes {
        Some(bytes) => (ProgressBar::new(bytes), BARS),
        None => (ProgressBar::new_spinner(), SPINNERS),
    };
    let template = fitting(templates, screen::stderr_width().unwrap_or(usize::MAX));
    progress.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
    // The bar measures the speed from the start, but is hidden for the first second.
    progress.set_draw_target(ProgressDrawTarget::hidden());
    let mut ticks = 0;
    while ended.recv_timeout(Duration::from_millis(100)) == Err(mpsc::RecvTimeoutError::Timeout) {
        ticks += 1;
        if ticks == 10 {
            progress.set_draw_target(ProgressDrawTarget::stderr());
            *bar() = Some(progress.clone());
        }
        progress.set_position(DONE.load(Ordering::Relaxed));
    }
    *bar() = None;
    progress.finish_and_clear();
}

fn bar() -> std::sync::MutexGuard<'static, Option<ProgressBar>> {
    BAR.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the first template that fits, or the shortest one.
fn fitting(templates: &[(usize, &'static str)], columns: usize) -> &'static str {
    let fitting = templates.iter().find(|(width, _)| *width <= columns).or(templates.last());
    fitting.map_or("", |(_, template)| template)
}

/// What is shown if the number of bytes is known, each with the number of columns that it may take.
const BARS: &[(usize, &str)] = &[
    (78, "{bar:18} {percent:>3} %  {binary_bytes} of {binary_total_bytes}  {binary_bytes_per_sec}  {eta} left"),
    (59, "{percent:>3} %  {binary_bytes} of {binary_total_bytes}  {binary_bytes_per_sec}  {eta} left"),
    (31, "{percent:>3} %  {binary_bytes_per_sec}  {eta} left"),
    (5, "{percent:>3} %"),
];

/// What is shown if it is unknown.
const SPINNERS: &[(usize, &str)] =
    &[(28, "{spinner} {binary_bytes}  {binary_bytes_per_sec}"), (13, "{spinner} {binary_bytes}"), (1, "{spinner}")];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_width_of_a_progress_bar_is_at_most_that_of_its_template() {
        for (width, template) in BARS.iter().chain(SPINNERS) {
            let widest = [
                ("{bar:18}", 18),
                ("{percent:>3}", 3),
                ("{binary_bytes}", "1023.99 MiB".len()),
                ("{binary_total_bytes}", "1023.99 MiB".len()),
                ("{binary_bytes_per_sec}", "1023.99 MiB/s".len()),
                ("{eta}", "100d".len()),
                ("{spinner}", 1),
            ];
            let text =
                widest.iter().fold(template.to_string(), |text, (key, width)| text.replace(key, &"x".repeat(*width)));
            assert_eq!(text.len(), *width, "{text}");
        }
        assert_eq!(fitting(BARS, 3), "{percent:>3} %");
    }
}
