//! How often a file is opened and read.

use assert_cmd::cargo::cargo_bin;
use textcodec::{KOI8_R, SHIFT_JIS, UTF_16LE, WINDOWS_1251};

use crate::common::{Dir, RunResult, strace};

/// What may be read once more: the start of a file, which shows its format.
const START: u64 = 4096;

/// Converts the file `a` in place. Returns how often it was opened, and how many bytes were read from it.
fn reads(dir: &Dir, arguments: &str) -> Option<(usize, u64)> {
    let calls = "trace=open,openat,read,readv,pread64,preadv,copy_file_range,sendfile,mmap";
    // A file for each thread, because calls of several threads in one file are split.
    let mut command = strace(dir, &["-ff", "-y", "-o", "trace", "-e", calls])?;
    let all = format!("convert --in-place --binary=fail -j 1 -q {arguments} a");
    let result = RunResult::of(command.arg(cargo_bin!("textcodec")).args(all.split_whitespace()));
    assert_eq!(result.status, 0, "{}", result.stderr);
    let traces = dir.names().into_iter().filter(|name| name.starts_with("trace."));
    let trace: String = traces.map(|name| String::from_utf8(dir.read(&name)).unwrap()).collect();
    let (mut opens, mut bytes) = (0, 0);
    for line in trace.lines() {
        // `read(3</tmp/dir/a>, "text"..., 65536) = 1024`.
        let Some((call, result)) = line.rsplit_once(" = ") else { continue };
        if call.contains("open") && result.ends_with("/a>") {
            // It is also opened to see whether it may be written.
            opens += usize::from(call.contains("O_RDONLY"));
        } else if call.contains("/a>") {
            assert!(call.contains("read("), "{line}");
            bytes += result.parse::<u64>().unwrap();
        }
    }
    Some((opens, bytes))
}

#[test]
fn a_file_is_read_twice_at_most() {
    let line = "Съешь ещё этих мягких французских булок, да выпей чаю.\n";
    let page = |charset: &str, line: &str| format!("<meta charset={charset}>\n{}", line.repeat(6000));
    let of = |encoding: textcodec::Encoding, text: &str| encoding.encode(text).unwrap().into_owned();
    for (arguments, text) in [
        // Guessed, and declared.
        ("-f auto --force", of(KOI8_R, &line.repeat(6000))),
        ("-f auto", of(WINDOWS_1251, &page("windows-1251", line))),
        ("-f auto", of(SHIFT_JIS, &page("shift_jis", "日本語のテキストです。\n"))),
        // What tells is in the last line, or nowhere.
        ("-f auto", of(WINDOWS_1251, &(page("windows-1251", "Only ASCII in this line.\n") + line))),
        ("-f auto", of(WINDOWS_1251, &page("windows-1251", "Only ASCII in this line.\n"))),
        // Converted already, without another label.
        ("-f auto -t koi8-r", of(KOI8_R, &page("windows-1251", line))),
        ("-f auto", of(UTF_16LE, &("\u{FEFF}".to_owned() + &line.repeat(3000)))),
        ("-f windows-1251", of(WINDOWS_1251, &("Only ASCII in this line.\n".repeat(9000) + line))),
    ] {
        let dir = Dir::with([("a", &text)]);
        let Some((opens, bytes)) = reads(&dir, arguments) else { return };
        let len = text.len() as u64;
        assert_eq!(opens, 1, "{arguments}");
        let max = if arguments.starts_with("-f auto") { 2 * len + START } else { 3 * len };
        assert!((len..=max).contains(&bytes), "{arguments}: {bytes} of {len} bytes were read");
    }
}
