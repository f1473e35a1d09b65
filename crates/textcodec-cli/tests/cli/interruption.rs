//! Conversions that a signal interrupts.

use std::{
    fs,
    io::Write as _,
    os::unix::process::ExitStatusExt as _,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};

use crate::{
    common::Dir,
    twice::{assert_all_converted, pages},
};

/// Returns a mask of signals from the status of a process: bit 0 is signal 1.
fn signal_mask(process: &str, field: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix(field)).unwrap();
    u64::from_str_radix(mask.trim(), 16).unwrap()
}

/// Returns the signals that end a process, unless the tests run in the background, where a shell makes it ignore some.
fn ending_signals() -> Vec<Signal> {
    let ignored = signal_mask("self", "SigIgn:");
    let is_ignored = |signal: &Signal| ignored >> (signal.as_raw() - 1) & 1 != 0;
    [Signal::TERM, Signal::INT, Signal::HUP].into_iter().filter(|signal| !is_ignored(signal)).collect()
}

#[test]
fn an_interrupted_conversion_can_be_started_again() {
    // The moments are spread over the time that a whole run takes. It changes with the load of the machine.
    let mut whole = {
        let (dir, _) = pages();
        let started = Instant::now();
        dir.convert("-f windows-1252 -r --in-place -j 1 -q pages");
        started.elapsed()
    };
    let (signals, mut interrupted) = (ending_signals(), 0);
    for moment in 0..10_u32 {
        let (dir, pages) = pages();
        let signal = signals[moment as usize % signals.len()];
        let started = Instant::now();
        let child =
            dir.convert_command("-f windows-1252 -r --in-place -j 1 pages").stderr(Stdio::piped()).spawn().unwrap();
        thread::sleep((whole * (moment + 1) / 12).saturating_sub(started.elapsed()));
        let _ = kill_process(Pid::from_child(&child), signal);
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        if output.status.signal() == Some(signal.as_raw()) {
            interrupted += 1;
            // Before the program handles signals, nothing has been converted.
            let says_how_far = stderr.contains(" of 200 files; to continue, run the same command again")
                || stderr.contains("interrupted when all 200 files were done");
            assert!(says_how_far || stderr.is_empty(), "{stderr}");
        } else {
            assert!(output.status.success(), "{stderr}");
            whole = started.elapsed();
        }
        let names = fs::read_dir(dir.path("pages")).unwrap().count();
        assert_eq!(names, 200, "temporary files are left");
        assert_eq!(dir.convert("-f windows-1252 -r --in-place -q pages").status, 0);
        assert_all_converted(&dir, &pages);
    }
    assert!(interrupted >= 3, "{interrupted} of 10");
}

#[test]
fn a_conversion_that_waits_for_input_can_be_interrupted() {
    for arguments in ["convert -f windows-1252 -o out", "iconv -f latin1 -o out"] {
        let dir = Dir::with([("out", b"original")]);
        let mut child = dir.textcodec(arguments).stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(b"\xE9").unwrap();
        let signal = ending_signals()[0];
        let is_handled = || signal_mask(&child.id().to_string(), "SigCgt:") >> (signal.as_raw() - 1) & 1 != 0;
        let waited = (0..6000).find(|_| {
            is_handled() || {
                thread::sleep(Duration::from_millis(5));
                false
            }
        });
        assert!(waited.is_some(), "the program does not handle signals");
        kill_process(Pid::from_child(&child), signal).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.signal(), Some(signal.as_raw()));
        // If the signal comes while the program is not waiting, it names the input.
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.starts_with("textcodec: ") && stderr.ends_with("interrupted; nothing was written to out\n"));
        assert_eq!((dir.read("out"), dir.names()), (b"original".to_vec(), vec!["out".to_owned()]));
        drop(stdin);
    }
}

#[test]
fn an_input_that_ends_with_the_interruption_is_not_written() {
    for arguments in [
        "convert -f windows-1252 -o out",
        "convert -f windows-1252 -o out --no-sync",
        "convert -f utf-8 -t utf-8 -o out --strict",
        "convert -f auto -o out",
        "convert -f windows-1252 -o out --report=json",
        "iconv -f latin1 -o out",
        "iconv -o out",
    ] {
        let dir = Dir::with([("out", b"original")]);
        let mut command = dir.textcodec(arguments);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // In UTF-8, the character is incomplete.
        stdin.write_all(b"caf\xE9").unwrap();
        let signal = ending_signals()[0];
        while signal_mask(&child.id().to_string(), "SigCgt:") >> (signal.as_raw() - 1) & 1 == 0 {
            thread::sleep(Duration::from_millis(5));
        }
        // A signal to a pipeline also ends the process that writes the input.
        kill_process(Pid::from_child(&child), signal).unwrap();
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            (output.status.signal(), dir.read("out")),
            (Some(signal.as_raw()), b"original".to_vec()),
            "{stderr}"
        );
        assert!(stderr.ends_with("interrupted; nothing was written to out\n"), "{arguments}: {stderr}");
        assert_eq!(dir.names(), ["out"]);
        if arguments.contains("json") && !output.stdout.is_empty() {
            let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!((&json["interrupted"], &json["files"][0]["outcome"]), (&true.into(), &"failed".into()));
        }
    }
}

#[test]
fn an_ignored_signal_stays_ignored() {
    let (dir, pages) = pages();
    let program = assert_cmd::cargo::cargo_bin!("textcodec").display().to_string();
    // The program inherits the ignored signal, as with nohup, and gets it while it runs.
    let script = format!(
        "trap '' HUP; {program} convert -f windows-1252 -r --in-place -q pages & p=$!; \
         while kill -HUP $p 2>/dev/null; do :; done; wait $p"
    );
    let output =
        Command::new("sh").args(["-c", &script]).current_dir(dir.path("")).stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_all_converted(&dir, &pages);
}
