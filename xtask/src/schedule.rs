//! Runs steps of CI side by side.
//!
//! A step is a command of `cargo xtask` in a separate process. Its output goes to a file, and is printed as a whole when the
//! step ends. A step waits while another one uses the same build folder, because cargo would make it wait for the lock.

use std::{
    env,
    fs::{self, File},
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, ensure};
use project::{processor_time, root};

use crate::tools;

/// The number of steps that run at the same time: one more than the cores of CI's machine, because a step uses none while it
/// waits for a package registry, a browser or a timer.
const LANES: usize = 3;

/// The folder of the outputs and of copies of programs.
pub(crate) const FOLDER: &str = "target/ci";

/// A command of `cargo xtask`, and when it may run.
#[derive(Clone, Copy)]
pub(crate) struct Step<'a> {
    /// The command's arguments, separated by spaces.
    command: &'a str,
    /// The build folders that it locks, except for those that no other step uses.
    folders: &'static [&'static str],
    /// Whether no other step may run at the same time.
    alone: bool,
}

impl<'a> Step<'a> {
    pub(crate) const fn new(command: &'a str) -> Self {
        Self { command, folders: &[], alone: false }
    }

    /// Returns the command without its options.
    pub(crate) fn name(&self) -> &'a str {
        self.command.split_whitespace().next().unwrap_or_default()
    }

    /// Names the build folders that the step shares with others.
    pub(crate) const fn builds_in(self, folders: &'static [&'static str]) -> Self {
        Self { folders, ..self }
    }

    /// Requires that the step runs alone, because it measures.
    pub(crate) const fn alone(self) -> Self {
        Self { alone: true, ..self }
    }

    /// Returns whether the step may run at the same time as another one.
    fn fits(&self, other: &Step<'_>) -> bool {
        !self.alone && !other.alone && !self.folders.iter().any(|folder| other.folders.contains(folder))
    }
}

/// A step that runs.
struct Running<'a> {
    step: Step<'a>,
    child: Child,
    log: PathBuf,
    started: Instant,
}

/// A step that has ended.
struct Ended<'a> {
    command: &'a str,
    success: bool,
    /// The time between the start of the run and that of the step.
    start: Duration,
    time: Duration,
    /// The processor time of its programs, where the system reports it.
    processor: Option<Duration>,
    /// The lines that report what was skipped.
    skipped: Vec<String>,
    /// What it printed.
    log: String,
}

/// Runs the steps, [`LANES`] at a time. A step starts as soon as a lane is free and no running step excludes it; earlier steps take
/// precedence. After a failure, the others still run. Prints a table of times at the end, and the end of what failing steps printed.
pub(crate) fn run(steps: &[Step<'_>]) -> Result<()> {
    let program = copies(steps)?;
    let begin = Instant::now();
    let mut waiting = steps.to_vec();
    let mut running: Vec<Running<'_>> = Vec::new();
    let mut ended: Vec<Ended<'_>> = Vec::new();
    loop {
        while running.len() < LANES {
            let Some(next) = next(&waiting, &running) else { break };
            let step = waiting.remove(next);
            running.push(start(&program, step)?);
            println!("[{}] {} starts", clock(begin.elapsed()), step.command);
        }
        if running.is_empty() {
            break;
        }
        thread::sleep(Duration::from_millis(100));
        let mut still = Vec::new();
        for mut step in running {
            let before = processor_time();
            match step.child.try_wait()? {
                None => still.push(step),
                Some(status) => {
                    let processor = processor_time().zip(before).map(|(after, before)| after.saturating_sub(before));
                    let start = step.started - begin;
                    ended.push(step.end(status.success(), start, processor)?);
                }
            }
        }
        running = still;
    }
    print!("{}", table(&ended, begin.elapsed()));
    let failed: Vec<&Ended<'_>> = ended.iter().filter(|step| !step.success).collect();
    for step in &failed {
        println!("\n===== the end of cargo xtask {}\n{}", step.command, end_of(&step.log));
    }
    let commands: Vec<&str> = failed.iter().map(|step| step.command).collect();
    ensure!(commands.is_empty(), "failed: {}", commands.join(", "));
    Ok(())
}

/// Returns the index of the first waiting step that may start. A step that must run alone waits for its turn: no later step
/// starts before it.
fn next(waiting: &[Step<'_>], running: &[Running<'_>]) -> Option<usize> {
    let fits = |step: &Step<'_>| running.iter().all(|other| step.fits(&other.step));
    let limit = waiting.iter().position(|step| step.alone).map_or(waiting.len(), |alone| alone.max(1));
    waiting[..limit.min(waiting.len())].iter().position(fits)
}

/// Copies this program and the tools of the steps, because steps that build the workspace replace them. Returns the copy of this
/// program.
fn copies(steps: &[Step<'_>]) -> Result<PathBuf> {
    let folder = root().join(FOLDER);
    fs::create_dir_all(&folder)?;
    let copy = |program: &Path| {
        let copy = folder.join(program.file_name().context("a program has a name")?);
        fs::copy(program, &copy).with_context(|| format!("cannot copy {}", program.display()))?;
        Ok(copy)
    };
    for tool in tools::build(&steps.iter().map(Step::name).collect::<Vec<_>>())? {
        copy(&tool)?;
    }
    copy(&env::current_exe()?)
}

fn start<'a>(program: &Path, step: Step<'a>) -> Result<Running<'a>> {
    let name: String = step.command.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let log = root().join(FOLDER).join(name).with_extension("log");
    let output = File::create(&log)?;
    let mut command = Command::new(program);
    command.args(step.command.split_whitespace()).current_dir(root());
    command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);
    Ok(Running { step, child: command.spawn()?, log, started: Instant::now() })
}

impl<'a> Running<'a> {
    /// Prints the output.
    fn end(self, success: bool, start: Duration, processor: Option<Duration>) -> Result<Ended<'a>> {
        let time = self.started.elapsed();
        let command = self.step.command;
        // Programs may print anything.
        let log = String::from_utf8_lossy(&fs::read(&self.log)?).into_owned();
        let result = if success { "passed" } else { "FAILED" };
        let mut stdout = io::stdout().lock();
        writeln!(stdout, "\n===== cargo xtask {command}")?;
        stdout.write_all(log.as_bytes())?;
        writeln!(stdout, "===== cargo xtask {command}: {result} after {:.0} s\n", time.as_secs_f64())?;
        let skipped = log.lines().filter(|line| line.starts_with("SKIPPED")).map(str::to_owned).collect();
        Ok(Ended { command, success, start, time, processor, skipped, log })
    }
}

/// Returns the table of times, in the order in which the steps ended.
fn table(ended: &[Ended<'_>], total: Duration) -> String {
    let row = |step: &Ended<'_>| {
        let processor = step.processor.map(clock).unwrap_or_default();
        let failed = if step.success { "" } else { " FAILED" };
        let row =
            format!("{:>7} {:>7} {processor:>7}  {}{failed}\n", clock(step.start), clock(step.time), step.command);
        step.skipped.iter().fold(row, |row, line| row + &" ".repeat(25) + line + "\n")
    };
    let rows: String = ended.iter().map(row).collect();
    format!("\n  start    time     CPU  step\n{rows}{:>15}          total\n", clock(total))
}

/// Returns the last lines of a log. Someone who keeps only the end of a long output needs them there.
fn end_of(log: &str) -> &str {
    const LINES: usize = 40;
    let start = log.trim_end().rmatch_indices('\n').nth(LINES - 1).map_or(0, |(index, _)| index + 1);
    &log[start..]
}

/// Returns minutes and seconds.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_with_a_common_folder_exclude_each_other() {
        let [test, lint, cross] = [
            Step::new("test").builds_in(&["target/debug"]),
            Step::new("lint").builds_in(&["target/debug", "bench/target"]),
            Step::new("cross"),
        ];
        assert!(!test.fits(&lint) && test.fits(&cross) && lint.fits(&cross));
        assert!(!cross.fits(&Step::new("measure").alone()));
    }

    #[test]
    fn the_end_of_a_log_has_its_last_lines() {
        assert_eq!(end_of(""), "");
        assert_eq!(end_of("one\ntwo\n"), "one\ntwo\n");
        let log = (1..=100).map(|number: u8| number.to_string()).collect::<Vec<_>>().join("\n") + "\n";
        assert!(end_of(&log).starts_with("61\n") && end_of(&log).ends_with("\n100\n"));
    }

    #[test]
    fn nothing_overtakes_a_step_that_runs_alone() {
        let waiting = [Step::new("measure").alone(), Step::new("cross")];
        assert_eq!(next(&waiting, &[]), Some(0));
        assert_eq!(next(&waiting[1..], &[]), Some(0));
    }
}
