//! Files in directories: which ones `convert`, `check` and `detect` read.

use std::fs;

use crate::common::{Dir, RunResult, as_on_unix};

/// Runs a command whose output has the names of files.
fn run(dir: &Dir, arguments: &str) -> RunResult {
    let mut result = RunResult::of(&mut dir.textcodec(arguments));
    if cfg!(windows) {
        result.stdout = as_on_unix(str::from_utf8(&result.stdout).unwrap()).into();
    }
    result
}

/// Creates directories with files of these contents.
fn tree(files: &[(&str, &[u8])]) -> Dir {
    let dir = Dir::new();
    for (name, bytes) in files {
        let path = dir.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    dir
}

#[test]
fn iglob_selects_and_excludes_files_in_any_case() {
    let dir = tree(&[("d/A.TXT", b"\xE9"), ("d/b.txt", b"\xE9"), ("d/Draft.Txt", b"\xE9"), ("d/c.csv", b"\xE9")]);
    let result = run(&dir, "convert -f latin1 -r --iglob *.TXT --iglob !draft.* --output-dir new d");
    assert_eq!(result.status, 0, "{result:?}");
    let mut names: Vec<_> =
        fs::read_dir(dir.path("new")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["A.TXT", "b.txt"]);
}

#[test]
fn a_wrong_pattern_is_explained() {
    let result = run(&Dir::new(), "convert -r --include [ --in-place .");
    let message = "error: invalid value '[' for '--include <GLOB>': unclosed character class; missing ']'\n";
    assert!(result.status == 2 && result.stderr.starts_with(message), "{}", result.stderr);
}

#[test]
fn patterns_with_a_slash_at_the_start_or_the_end() {
    let dir = tree(&[
        ("d/a.txt", b"a"),
        ("d/sub/a.txt", b"a"),
        ("d/sub/deep/b.txt", b"b"),
        ("d/other/sub/c.txt", b"c"),
        ("d/other/names/sub", b"d"),
    ]);
    let all = ["d/a.txt", "d/other/names/sub", "d/other/sub/c.txt", "d/sub/a.txt", "d/sub/deep/b.txt"];
    for (arguments, expected) in [
        // Directories at any depth, but no files of that name.
        ("--exclude sub/", &["d/a.txt", "d/other/names/sub"][..]),
        ("--exclude **/sub/", &["d/a.txt", "d/other/names/sub"]),
        ("--iglob !SUB/", &["d/a.txt", "d/other/names/sub"]),
        ("--exclude sub", &["d/a.txt"]),
        // Only in the directory given.
        ("--exclude /sub", &all[..3]),
        ("--exclude ./sub/", &all[..3]),
        ("--exclude other/sub/", &["d/a.txt", "d/other/names/sub", "d/sub/a.txt", "d/sub/deep/b.txt"]),
        ("--exclude /names", &all),
        ("--exclude /Sub", &all),
        ("--include /a.txt", &all[..1]),
        ("--include ./sub/*", &["d/sub/a.txt"]),
        // All files in a directory.
        ("--include sub/", &["d/other/sub/c.txt", "d/sub/a.txt", "d/sub/deep/b.txt"]),
        ("--include /sub/ --exclude deep/", &["d/sub/a.txt"]),
        ("--include .//sub//", &["d/sub/a.txt", "d/sub/deep/b.txt"]),
        ("--iglob /SUB/ --include c.txt", &["d/other/sub/c.txt", "d/sub/a.txt", "d/sub/deep/b.txt"]),
    ] {
        let result = run(&dir, &format!("check -r d -L {arguments}"));
        let lines: Vec<_> = str::from_utf8(&result.stdout).unwrap().lines().collect();
        assert_eq!((lines.as_slice(), result.status, &*result.stderr), (expected, 0, ""), "{arguments}");
    }
    let result = run(&dir, "convert -f ascii -t utf-16le -r --in-place --exclude /sub/ --exclude other/ d");
    assert_eq!((result.status, dir.read("d/a.txt"), dir.read("d/sub/a.txt")), (0, b"a\0".into(), b"a".into()));
}

#[test]
fn a_pattern_that_could_match_nothing_is_wrong_usage() {
    let empty = "the pattern is empty";
    let part = "the pattern has an empty part, '.' or '..'; it is matched against names, and paths relative to the \
                directory given";
    let dir = tree(&[("d/a.txt", b"a")]);
    for (option, pattern, message) in [
        ("--include", "", empty),
        ("--exclude", "", empty),
        ("--iglob", "", empty),
        ("--iglob", "!", empty),
        ("--exclude", "/", part),
        ("--exclude", "./", part),
        ("--exclude", ".", part),
        ("--exclude", "../d", part),
        ("--include", "a/./b", part),
        ("--include", "a//b", part),
    ] {
        let result = RunResult::of(dir.textcodec("check -r d").arg(option).arg(pattern));
        let expected = format!("error: invalid value '{pattern}' for '{option} <GLOB>': {message}\n");
        assert!(result.status == 2 && result.stderr.starts_with(&expected), "{option} {pattern}: {}", result.stderr);
    }
}

/// Asserts this status, these lines on standard output and on standard error.
#[track_caller]
fn assert_lines(result: &RunResult, status: i32, stdout: &[&str], stderr: &[&str]) {
    let lines: Vec<_> = str::from_utf8(&result.stdout).unwrap().lines().collect();
    let messages: Vec<_> = result.stderr.lines().collect();
    assert_eq!((result.status, lines.as_slice(), messages.as_slice()), (status, stdout, stderr));
}

/// Text in several encodings, and two files that are no text.
fn mixed() -> Dir {
    tree(&[
        ("d/ascii.txt", b"abc\n"),
        ("d/broken.txt", b"abc \xFF\n"),
        ("d/program", b"\x7FELF\x02\x01\0\0\0\0\xFF\0\0\xFE"),
        ("d/sub/japanese.TXT", "日本語\n".as_bytes()),
        ("d/sub/marked.txt", b"\xFF\xFEa\0b\0"),
        ("d/zeros", &[0; 100]),
        ("d/.git/config", b"\xFF\n"),
        ("d/.textcodec-0123abcd9ba63d53.tmp", b"\xFF\n"),
    ])
}

#[test]
fn check_reads_the_text_files_in_directories() {
    let dir = mixed();
    let advice = "(if this is not UTF-8, give its encoding with -f, or try -f auto)";
    let finding = "d/broken.txt:1:5: malformed UTF-8 at byte 4 (FF): this byte cannot start a character";
    let skipped = "2 files do not look like text and were skipped";
    let summary = &format!("textcodec: 1 malformed sequence in 1 of 4 files; {skipped} {advice}");
    assert_lines(&run(&dir, "check -r d"), 1, &[finding], &[summary]);
    // Without a name, the current directory. Its name is not printed.
    let mut command = dir.textcodec("check -r");
    let result = RunResult::of(command.current_dir(dir.path("d")));
    assert_lines(&result, 1, &[&finding[2..]], &[summary]);
    let summary = "textcodec: nothing found in 2 files";
    assert_lines(&run(&dir, "check -r d --iglob *.txt --exclude b* --exclude a*"), 0, &[], &[summary]);
    let summary = &format!("textcodec: nothing found in 0 files; {skipped}");
    assert_lines(&run(&dir, "check -r d --include zeros --include program"), 0, &[], &[summary]);
    assert_lines(&run(&dir, "check -r d --include nothing"), 0, &[], &["textcodec: no files were found"]);
    let summary = "textcodec: d: is a directory; -r reads the files in it";
    assert_lines(&run(&dir, "check d"), 3, &[], &[summary]);
}

#[test]
fn check_reads_binary_files_if_asked() {
    let dir = mixed();
    for arguments in ["check -r d -f utf-8 --binary=include --include program", "check -f utf-8 d/program"] {
        let result = run(&dir, arguments);
        assert_eq!((result.status, result.stdout.split(|&byte| byte == b'\n').count()), (1, 2 + 1), "{result:?}");
    }
    // Also with detection, where they are not an error unless they are named.
    assert_eq!(run(&dir, "check -r d -f auto --min-confidence=low").status, 0);
    assert_eq!(run(&dir, "check -r d -f auto").status, 1);
    assert_eq!(run(&dir, "check -r d -f auto --binary=include").status, 3);
    // Text in UTF-16 without a byte order mark is no binary file, whatever it looks like.
    let dir = tree(&[("d/a", &[0, 1, 0, 2, 0, 3, 0xD8, 0])]);
    let finding = "d/a:1:4: malformed UTF-16BE at byte 6 (D8 00): the input ends within a character";
    assert_lines(&run(&dir, "check -r -f utf-16be d"), 1, &[finding], &["textcodec: 1 malformed sequence"]);
}

#[test]
fn check_lists_names() {
    let dir = mixed();
    assert_lines(&run(&dir, "check -r -l d"), 1, &["d/broken.txt"], &[]);
    assert_lines(&run(&dir, "check -rL d"), 1, &["d/ascii.txt", "d/sub/japanese.TXT", "d/sub/marked.txt"], &[]);
    assert_lines(&run(&dir, "check -l --to latin1 d/ascii.txt d/sub/japanese.TXT"), 1, &["d/sub/japanese.TXT"], &[]);
    assert_eq!(run(&dir, "check -rL0 d --include *.txt").stdout, b"d/ascii.txt\0d/sub/marked.txt\0");
    // A file that cannot be read is in neither list.
    let missing = "textcodec: missing: No such file or directory";
    for arguments in ["check -l missing", "check -L missing"] {
        assert_lines(&run(&dir, arguments), 3, &[], &[missing]);
    }
    for wrong in ["check -l -L d", "check -0 d", "check -l --json d", "check -l -q d"] {
        assert_eq!(run(&dir, wrong).status, 2, "{wrong}");
    }
}

#[test]
fn detect_reads_the_text_files_in_directories() {
    let dir = mixed();
    let result = run(&dir, "detect -r d --include *.txt --include zeros");
    let names: Vec<_> =
        str::from_utf8(&result.stdout).unwrap().lines().map(|line| line.split(": ").next().unwrap()).collect();
    assert_eq!(names, ["d/ascii.txt", "d/broken.txt", "d/sub/marked.txt"]);
    assert_eq!((result.status, &*result.stderr), (0, ""));
    let skipped = "textcodec: 1 file does not look like text and was skipped";
    assert_lines(&run(&dir, "detect -r d --include zeros"), 0, &[], &[skipped]);
    let skipped = "textcodec: 2 files do not look like text and were skipped";
    assert_lines(&run(&dir, "detect -r d --include zeros --include program"), 0, &[], &[skipped]);
    // Files that are named are read with any --binary.
    let result = run(&dir, "detect --binary=skip d/zeros");
    assert!(result.status == 1 && result.stdout.starts_with(b"d/zeros: unknown "), "{result:?}");
    let result = run(&dir, "detect -r d --include zeros --binary=include");
    assert!(result.status == 1 && result.stdout.starts_with(b"d/zeros: unknown "), "{result:?}");
    assert_lines(&run(&dir, "detect -r d --include nothing"), 0, &[], &["textcodec: no files were found"]);
}

#[test]
fn a_name_that_looks_like_an_option_is_printed_with_its_directory() {
    let dir = Dir::with([("--force", b"abc"), ("plain", b"abc")]);
    assert_lines(&run(&dir, "detect -r -l"), 0, &["./--force", "plain"], &[]);
}

#[test]
fn excluded_directories_are_not_searched() {
    let dir = mixed();
    assert_lines(&run(&dir, "detect -r -l --exclude sub d"), 0, &["d/ascii.txt"], &[]);
    assert_lines(&run(&dir, "detect -r -l --iglob !SUB d"), 0, &["d/ascii.txt"], &[]);
}

#[test]
fn detect_lists_the_files_in_an_encoding() {
    let dir = mixed();
    let utf_8 = ["d/ascii.txt", "d/sub/japanese.TXT"];
    assert_lines(&run(&dir, "detect -r -l --encoding utf8 d"), 0, &utf_8, &[]);
    assert_lines(&run(&dir, "detect -r -L --encoding utf8 d"), 0, &["d/broken.txt", "d/sub/marked.txt"], &[]);
    assert_lines(&run(&dir, "detect -r -l d"), 0, &utf_8, &[]);
    let two = "detect -r -L --encoding utf8 --encoding cp1200 d";
    assert_lines(&run(&dir, two), 0, &["d/broken.txt"], &[]);
    // Files that are named are never skipped.
    assert_lines(&run(&dir, "detect -L -e utf-8 d/zeros d/ascii.txt"), 1, &["d/zeros"], &[]);
    assert_lines(&run(&dir, "detect -l -e utf-8 d/zeros d/ascii.txt"), 1, &["d/ascii.txt"], &[]);
    assert_eq!(run(&dir, "detect -r -l0 --encoding utf-16 d").stdout, b"d/sub/marked.txt\0");
    // Without -l and -L, the lines about these files.
    let result = run(&dir, "detect --encoding utf-16 d/ascii.txt d/sub/marked.txt");
    assert!(result.stdout.starts_with(b"d/sub/marked.txt: UTF-16LE "), "{result:?}");
    assert_eq!(result.stdout.split(|&byte| byte == b'\n').count(), 1 + 1);
    for wrong in [
        "detect -e strict-ascii d",
        "detect -l -L -e utf-8 d",
        "detect -0 d",
        "detect -l --json -e utf-8 d",
        "detect --encoding cp037 d",
        "detect -j 0 d",
    ] {
        assert_eq!(run(&dir, wrong).status, 2, "{wrong}");
    }
}

#[test]
fn the_output_is_in_the_order_of_the_names_with_any_number_of_threads() {
    // The first file takes longest, and has more findings than are kept in memory.
    let names: Vec<_> = (10..60).map(|n| format!("d/{n}")).collect();
    let broken = b"\xFF\n".repeat(20_000);
    let small: Vec<_> = (0..50).map(|n| [b"text ", &b"\xFF\n".repeat(n % 3)[..]].concat()).collect();
    let mut files: Vec<(&str, &[u8])> = names.iter().zip(&small).map(|(name, bytes)| (&**name, &**bytes)).collect();
    for large in [0, 1, 20, 49] {
        files[large].1 = &broken;
    }
    let dir = tree(&files);
    for arguments in ["check -r d -f utf-8", "check -r -l d", "detect -r d", "check -r --json d missing"] {
        let alone = run(&dir, &format!("{arguments} -j 1"));
        assert!(alone.stdout.len() > 30 * 4, "{arguments}");
        for threads in [2, 7, 100] {
            assert_eq!(run(&dir, &format!("{arguments} -j {threads}")), alone, "{arguments} {threads}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn many_findings_take_little_memory() {
    use std::{io::Read as _, process::Stdio};

    let broken = b"\xFF\n".repeat(200_000);
    let dir = tree(&[("d/1", &broken), ("d/2", &broken), ("d/3", &broken), ("d/4", &broken)]);
    let mut child = dir.textcodec("check -r d -j 4").stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    // The first file is not finished when the other threads are.
    let mut block = vec![0; 1 << 20];
    stdout.read_exact(&mut block).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(500));
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak: u64 = line.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(peak < 40 * 1024, "{peak} KiB");
    let rest = std::io::copy(&mut stdout, &mut std::io::sink()).unwrap();
    assert!(rest > 40_000_000, "{rest}");
    assert_eq!(child.wait().unwrap().code(), Some(1));
}
