//! What `xtask` and the other tools share: they start programs in the project's folder, skip what a machine cannot do, and write
//! tables into documents.

use std::{
    env, fs,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, ensure};

pub mod paths;
mod record;

pub use record::replace;

/// The folder of the programs that `scripts/cross.sh` prepares.
pub const CROSS: &str = "target/cross";

/// Returns the project's folder.
#[must_use]
#[expect(clippy::missing_panics_doc, reason = "the path is known when the crate is compiled")]
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the crate is in a folder of the workspace")
}

/// Runs a program in the project's folder. Fails if the program fails.
pub fn run(program: &str, arguments: &[&str]) -> Result<()> {
    finish(&mut command(program, arguments))
}

/// Returns a command for a program in the project's folder, with empty standard input.
#[must_use]
pub fn command(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root()).stdin(Stdio::null());
    command
}

/// Runs a command. Fails if the command fails.
pub fn finish(command: &mut Command) -> Result<()> {
    let start = Instant::now();
    let what = format!("{command:?}").replace('"', "");
    eprintln!("$ {what}");
    let status = command.status().with_context(|| format!("cannot start {what}"))?;
    ensure!(status.success(), "failed: {what}");
    eprintln!("  {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// Runs a command, and returns the seconds of processor time that it took. Fails if the command fails, or the system is not Linux.
pub fn processor_seconds(command: &mut Command) -> Result<f64> {
    const NO_TIME: &str = "processor time is only measured on Linux";
    let before = processor_time().context(NO_TIME)?;
    finish(command)?;
    let after = processor_time().context(NO_TIME)?;
    Ok(after.saturating_sub(before).as_secs_f64())
}

/// Returns the processor time of all ended programs that this program has started, and of those that these have started. `None` if
/// the system is not Linux.
#[must_use]
pub fn processor_time() -> Option<Duration> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name, which is in parentheses, may contain spaces. It is field 2; 16 and 17 are the times in user and kernel mode,
    // in hundredths of a second.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(13);
    let mut hundredths = || fields.next()?.parse::<u64>().ok();
    Some(Duration::from_millis(10 * (hundredths()? + hundredths()?)))
}

/// Returns a program that `scripts/cross.sh` has prepared, if it exists.
#[must_use]
pub fn prepared(name: &str) -> Option<String> {
    let program = root().join(CROSS).join("bin").join(name);
    program.exists().then(|| program.display().to_string())
}

/// Prints that a check is skipped, and why. Fails with `CI_STRICT=1`.
pub fn skip(what: &str, why: &str) -> Result<()> {
    println!("SKIPPED {what}: {why}");
    ensure!(env::var("CI_STRICT").as_deref() != Ok("1"), "{what}: {why}");
    Ok(())
}

/// The version of the C library that says what names of iconv mean.
pub const GLIBC: &str = "glibc 2.36";

/// Returns whether this machine's iconv is that of [`GLIBC`]. Fails if it has none.
pub fn is_known_glibc() -> Result<bool> {
    let version = Command::new("iconv").arg("--version").output().context("iconv is not installed")?;
    let first = String::from_utf8_lossy(&version.stdout).lines().next().unwrap_or_default().to_owned();
    Ok(first.contains("GLIBC") && first.ends_with(GLIBC.trim_start_matches("glibc")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn the_time_of_a_program_is_measured() {
        let busy = ["-c", "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done"];
        assert!(processor_seconds(&mut command("sh", &busy)).unwrap() > 0.0);
        assert!(processor_seconds(&mut command("false", &[])).is_err());
    }

    #[test]
    fn the_root_has_the_workspace() {
        assert!(root().join("xtask/Cargo.toml").is_file());
    }
}
