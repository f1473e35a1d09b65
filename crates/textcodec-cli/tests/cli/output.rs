//! `-o`: the target is complete or unchanged, and never an input.

use std::{
    fs::{self, OpenOptions},
    process::Stdio,
};
#[cfg(target_os = "linux")]
use std::{
    fs::{File, Permissions},
    io::Read as _,
    os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _, symlink},
    process::Command,
    thread,
};

use crate::common::{Dir, RunResult};

#[cfg(target_os = "linux")]
fn mode(dir: &Dir, name: &str) -> u32 {
    fs::metadata(dir.path(name)).unwrap().mode() & 0o7777
}

#[test]
fn a_file_is_written_and_no_temporary_file_remains() {
    let dir = Dir::with([("in", b"\x93\xFA"), ("old", b"much longer than what is written")]);
    fs::create_dir(dir.path("folder")).unwrap();
    for target in ["new", "old", "folder/new", "./folder/../dots"] {
        dir.convert(&format!("-f shift_jis in -o {target}")).assert_clean("");
        assert_eq!(dir.read(target), "日".as_bytes());
    }
    assert_eq!(dir.names(), ["dots", "folder", "in", "new", "old"]);
    dir.convert("in -f shift_jis -o -").assert_clean("日");
    assert!(!dir.path("-").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn an_existing_target_keeps_its_mode_and_a_new_one_follows_the_umask() {
    let dir = Dir::with([("in", b"a"), ("out", b"b")]);
    for kept in [0o600, 0o640, 0o755, 0o666] {
        fs::set_permissions(dir.path("out"), Permissions::from_mode(kept)).unwrap();
        dir.convert("in -o out").assert_clean("");
        assert_eq!(mode(&dir, "out"), kept);
    }
    let shell = format!("umask 027; exec {} convert in -o new", assert_cmd::cargo::cargo_bin!("textcodec").display());
    RunResult::of(Command::new("sh").args(["-c", &shell]).current_dir(dir.path(""))).assert_clean("");
    assert_eq!(mode(&dir, "new"), 0o640);
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_is_also_an_input_is_refused_under_any_name() {
    let dir = Dir::with([("file", b"text"), ("other", b"text")]);
    symlink("file", dir.path("soft")).unwrap();
    symlink(dir.path("soft"), dir.path("softer")).unwrap();
    fs::hard_link(dir.path("file"), dir.path("hard")).unwrap();
    let names = ["file", "soft", "softer", "hard", "./file", "/proc/self/cwd/file"];
    let inode = fs::metadata(dir.path("file")).unwrap().ino();
    for input in names {
        for output in names {
            let message = format!(
                "{output} is also an input ({input}) and would be overwritten; choose another output file, or use --in-place"
            );
            dir.convert(&format!("{input} -o {output}")).assert_usage(&message);
            dir.convert(&format!("other {input} -o {output}")).assert_usage(&message);
        }
        let message = format!(
            "{input} is also an input (standard input) and would be overwritten; choose another output file, or use --in-place"
        );
        dir.convert_stdin("hard", &format!("-o {input}")).assert_usage(&message);
        dir.convert_stdin("hard", &format!("other - -o {input}")).assert_usage(&message);
    }
    assert_eq!((dir.read("file"), fs::metadata(dir.path("hard")).unwrap().ino()), (b"text".to_vec(), inode));
    // A copy is a different file. Standard input is checked only if it is read.
    dir.convert("file -o other").assert_clean("");
    dir.convert_stdin("other", "file -o other").assert_clean("");
}

#[test]
fn standard_output_redirected_to_an_input_is_refused() {
    // With `>>`, the conversion would never end.
    let dir = Dir::with([("file", b"text")]);
    let append = OpenOptions::new().append(true).open(dir.path("file")).unwrap();
    RunResult::of(dir.convert_command("file").stdout(append)).assert_usage(
        "standard output is also an input (file) and would be overwritten; choose another output file, or use --in-place",
    );
    assert_eq!(dir.read("file"), b"text");
}

#[cfg(target_os = "linux")]
#[test]
fn symbolic_links_are_followed_and_kept() {
    let dir = Dir::with([("in", b"text"), ("target", b"old")]);
    fs::create_dir(dir.path("folder")).unwrap();
    symlink("../target", dir.path("folder/link")).unwrap();
    symlink("folder/link", dir.path("link")).unwrap();
    symlink("folder/not-there-yet", dir.path("dangling")).unwrap();
    dir.convert("in -o link").assert_clean("");
    assert_eq!(dir.read("target"), b"text");
    dir.convert("in -o dangling").assert_clean("");
    assert_eq!(dir.read("folder/not-there-yet"), b"text");
    assert!(dir.path("link").is_symlink() && dir.path("folder/link").is_symlink());
    assert!(dir.path("dangling").is_symlink());
    assert_eq!(dir.names(), ["dangling", "folder", "in", "link", "target"]);

    symlink("loop", dir.path("loop")).unwrap();
    assert_eq!(dir.convert("in -o loop").status, 3);
}

#[cfg(target_os = "linux")]
#[test]
fn devices_are_written_directly() {
    let dir = Dir::with([("in", b"text")]);
    dir.convert("in -o /dev/null").assert_clean("");
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    dir.convert("in -o /dev/stdout").assert_clean("text");
    dir.convert("in /dev/null").assert_clean("text");
    for arguments in ["in -o /dev/full", "in -t utf-16le -o /dev/full"] {
        dir.convert(arguments).assert_message(3, "/dev/full: No space left on device");
    }
    let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    RunResult::of(dir.convert_command("in").stdout(full)).assert_message(3, "standard output: No space left on device");
}

#[cfg(target_os = "linux")]
#[test]
fn dev_stdout_appends_to_a_redirected_file() {
    let dir = Dir::with([("in", b"text"), ("out", b"before ")]);
    let append = OpenOptions::new().append(true).open(dir.path("out")).unwrap();
    assert!(dir.convert_command("in -o /dev/stdout").stdout(append).status().unwrap().success());
    assert_eq!(dir.read("out"), b"before text");
}

#[cfg(target_os = "linux")]
#[test]
fn fifos_are_read_and_written_directly() {
    let dir = Dir::with([("in", b"\x93\xFA\n")]);
    assert!(Command::new("mkfifo").args([dir.path("one"), dir.path("two")]).status().unwrap().success());
    let (one, two) = (dir.path("one"), dir.path("two"));
    let writer = thread::spawn(move || fs::write(one, b"\x96\x7B").unwrap());
    let reader = thread::spawn(move || fs::read(two).unwrap());
    dir.convert("-f shift_jis in one -o two").assert_clean("");
    writer.join().unwrap();
    assert_eq!(reader.join().unwrap(), "日\n本".as_bytes());
    assert!(fs::metadata(dir.path("two")).unwrap().file_type().is_fifo());
}

#[test]
fn a_missing_input_is_reported_before_anything_is_written() {
    let dir = Dir::with([("in", b"text"), ("out", b"original")]);
    fs::create_dir(dir.path("folder")).unwrap();
    dir.convert("in nothing -o out").assert_message(3, "nothing: No such file or directory");
    dir.convert("in folder")
        .assert_message(3, "folder: is a directory; -r converts the files in it, with --in-place or --output-dir");
    let result = dir.convert("in nothing in neither -o new");
    assert_eq!((result.status, result.stdout.as_slice(), result.stderr.lines().count()), (3, &b""[..], 2));
    assert!(result.stderr.contains("textcodec: nothing: ") && result.stderr.contains("textcodec: neither: "));
    assert_eq!(dir.read("out"), b"original");
    assert_eq!(dir.names(), ["folder", "in", "out"]);
    // The existing input is not written to standard output, either.
    assert_eq!(dir.convert("in nothing").stdout, b"");
}

#[test]
fn an_impossible_target_is_reported_before_anything_is_read() {
    let dir = Dir::with([("in", b"text")]);
    fs::create_dir(dir.path("folder")).unwrap();
    dir.convert("in -o folder").assert_message(3, "folder: is a directory");
    dir.convert("in -o no/such").assert_message(3, "no/such: the directory no does not exist");
    dir.convert("in -o in/such").assert_message(3, "in/such: Not a directory");
}

#[cfg(target_os = "linux")]
#[test]
fn the_target_is_unchanged_after_a_read_error() {
    let dir = Dir::with([("in", b"text"), ("out", b"original")]);
    // A directory as standard input can be opened, but not read.
    let result = RunResult::of(dir.convert_command("in - -o out").stdin(File::open(dir.path("")).unwrap()));
    result.assert_message(3, "standard input: is a directory; nothing was written to out");
    assert_eq!((dir.read("out"), dir.names()), (b"original".to_vec(), vec!["in".to_owned(), "out".to_owned()]));
}

#[test]
fn the_target_is_unchanged_until_all_input_is_converted() {
    let dir = Dir::with([("out", b"original")]);
    let mut child = dir.convert_command("-o out").stdin(Stdio::piped()).spawn().unwrap();
    let stdin = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut &stdin, &vec![b'a'; 100_000]).unwrap();
    assert_eq!(dir.read("out"), b"original");
    #[cfg(target_os = "linux")]
    let mut before = File::open(dir.path("out")).unwrap();
    drop(stdin);
    assert!(child.wait().unwrap().success());
    assert_eq!(dir.read("out"), vec![b'a'; 100_000]);
    // A program that has the target open continues to read the old file.
    #[cfg(target_os = "linux")]
    {
        let mut text = String::new();
        before.read_to_string(&mut text).unwrap();
        assert_eq!(text, "original");
    }
}
