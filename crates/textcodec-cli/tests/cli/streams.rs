//! Pipes: closed readers, inputs in chunks, and large inputs in little memory.

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    process::{Child, Stdio},
    thread,
};

use crate::common::{Dir, RunResult, pipe};

/// More than the capacity of a pipe.
const MIB: usize = 1 << 20;

fn spawn(dir: &Dir, arguments: &str) -> Child {
    dir.convert_command(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let dir = Dir::new();
    fs::write(dir.path("in"), "line \u{FFFD}\n".repeat(MIB)).unwrap();
    fs::write(dir.path("broken"), b"line \xFF\n".repeat(MIB)).unwrap();
    for arguments in ["in", "in in", "-t utf-16le in", "broken", "-t koi8-r --unmappable=html in"] {
        let mut child = spawn(&dir, arguments);
        let mut start = [0; 4];
        child.stdout.take().unwrap().read_exact(&mut start).unwrap();
        RunResult::from(child.wait_with_output().unwrap()).assert_clean("");
    }
    // Also if the reader reads nothing while the input continues.
    let mut child = spawn(&dir, "-");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    while stdin.write_all(&[b'a'; 4096]).is_ok() {}
    drop(stdin);
    RunResult::from(child.wait_with_output().unwrap()).assert_clean("");
}

#[test]
#[cfg(target_os = "linux")]
fn errors_on_standard_error_are_ignored() {
    let dir = Dir::with([("broken", b"\xFF")]);
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = dir.convert_command("broken").stderr(full).output().unwrap();
    assert_eq!((output.status.code(), output.stdout), (Some(1), "\u{FFFD}".into()));
}

#[test]
fn each_read_is_converted_and_written_immediately() {
    let dir = Dir::new();
    let mut child = spawn(&dir, "-f koi8-r -t windows-1251");
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    for _ in 0..3 {
        stdin.write_all(b"\xC1\xC2\n").unwrap();
        let mut line = Vec::new();
        stdout.read_until(b'\n', &mut line).unwrap();
        assert_eq!(line, b"\xE0\xE1\n");
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn chunks_of_any_size_give_the_same_output() {
    let text = "\u{FEFF}日本語 한글 😀 é\n".repeat(20);
    let dir = Dir::new();
    for size in [1, 2, 3, 5] {
        let mut child = spawn(&dir, "-f shift_jis -t gb18030");
        let mut stdin = child.stdin.take().unwrap();
        for chunk in text.as_bytes().chunks(size) {
            stdin.write_all(chunk).unwrap();
            thread::yield_now();
        }
        drop(stdin);
        let result = RunResult::from(child.wait_with_output().unwrap());
        let whole = pipe("-t gb18030", text.as_bytes());
        assert_eq!(result, whole, "chunks of {size}");
        pipe("-f gb18030", &whole.stdout).assert_clean(&text["\u{FEFF}".len()..]);
    }
}

#[test]
fn characters_across_block_boundaries_are_converted() {
    let dir = Dir::new();
    for (character, encodings) in [
        ("日", &["utf-8", "shift_jis", "euc-jp", "iso-2022-jp", "gbk", "big5", "euc-kr", "utf-16le", "gb18030"][..]),
        ("😀", &["utf-8", "gb18030", "utf-16be", "utf-16le"]),
    ] {
        for before in (65_530..65_537).chain(131_066..131_073).chain([262_141, 262_142, 262_143]) {
            let text = "a".repeat(before) + &character.repeat(9) + &"b".repeat(70_000) + character;
            fs::write(dir.path("original"), &text).unwrap();
            for encoding in encodings {
                // Files are read in whole blocks, unlike pipes.
                dir.convert(&format!("-t {encoding} original -o there")).assert_clean("");
                let back = dir.convert(&format!("--strict -f {encoding} there"));
                assert!(back.stdout == text.as_bytes(), "{character} after {before} in {encoding}");
            }
        }
    }
}

#[test]
fn malformed_bytes_across_block_boundaries_have_the_right_offset() {
    for before in 65_533..65_540 {
        let input = [&vec![b'a'; before][..], b"\xF0\x9F\x98", &vec![b'b'; 70_000]].concat();
        let result = pipe("-f utf-8", &input);
        assert_eq!(result.stdout.len(), input.len());
        assert!(result.stderr.contains(&format!("U+FFFD, at byte {before} (F0 9F 98): ")), "{}", result.stderr);
    }
}

/// Returns the peak memory of a process in KiB.
#[cfg(target_os = "linux")]
fn peak(child: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn a_large_input_takes_little_memory() {
    // Every line has malformed bytes and unmappable characters.
    let block: Vec<u8> =
        "a line of text, 日本語, ß\n\u{FEFF}".bytes().chain(*b"broken \xFF ").cycle().take(MIB).collect();
    let dir = Dir::new();
    for arguments in [
        "",
        "-t utf-16le",
        "-t shift_jis --unmappable=html",
        "-f windows-1252 -t utf-8 -o out",
        "--normalize=nfc",
        "-f gb2312",
        "-t latin1 --unmappable=translit",
    ] {
        let mut child = spawn(&dir, arguments);
        let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let reader = thread::spawn(move || std::io::copy(&mut stdout, &mut std::io::sink()).unwrap());
        for _ in 0..32 {
            stdin.write_all(&block).unwrap();
        }
        // The process is still running, and has read everything except what is left in the pipe.
        let peak = peak(&child);
        assert!(peak < 20 * 1024, "{peak} KiB for '{arguments}'");
        drop(stdin);
        let status = child.wait().unwrap().code();
        assert!(matches!(status, Some(0 | 1)), "{status:?} for '{arguments}'");
        let written = reader.join().unwrap() + fs::metadata(dir.path("out")).map_or(0, |out| out.len());
        assert!(written > 32 * MIB as u64, "{written} bytes for '{arguments}'");
    }
}
