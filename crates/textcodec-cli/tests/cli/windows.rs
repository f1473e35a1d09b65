//! What is different on Windows: names of files, their attributes, files that are open, and Ctrl-C.

use std::{
    env,
    ffi::OsString,
    fs::{self, OpenOptions},
    io::Write as _,
    os::windows::{ffi::OsStringExt as _, fs::OpenOptionsExt as _},
    path::Path,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use crate::{
    common::{Dir, RunResult, pipe},
    twice::{assert_all_converted, pages},
};

#[track_caller]
fn assert_no_temporary_files(directory: &Path) {
    for entry in fs::read_dir(directory).unwrap() {
        let name = entry.unwrap().file_name();
        assert!(!name.as_encoded_bytes().starts_with(b".textcodec-"), "{}", name.display());
    }
}

/// Converts a file to a new file, over an existing file, to a directory, and in place with a backup.
#[track_caller]
fn assert_converted_in_every_way(dir: &Dir, file: &Path) {
    let with_suffix = |suffix: &str| {
        let mut path = file.as_os_str().to_owned();
        path.push(suffix);
        path
    };
    let new = with_suffix(".new");
    fs::write(file, b"\xE9").unwrap();
    for _ in 0..2 {
        RunResult::of(dir.convert_command("-f windows-1252 -o").arg(&new).arg(file)).assert_clean("");
        assert_eq!(fs::read(&new).unwrap(), "é".as_bytes());
        RunResult::of(dir.convert_command("-f windows-1252 --output-dir out").arg(file)).assert_clean("");
        assert_eq!(fs::read(dir.path("out").join(file.file_name().unwrap())).unwrap(), "é".as_bytes());
    }
    RunResult::of(dir.convert_command("-f windows-1252 --in-place=.bak").arg(file)).assert_clean("");
    assert_eq!(fs::read(file).unwrap(), "é".as_bytes());
    assert_eq!(fs::read(with_suffix(".bak")).unwrap(), b"\xE9");
    assert_no_temporary_files(file.parent().unwrap());
}

#[test]
fn names_may_have_any_characters() {
    let dir = Dir::new();
    for name in ["é", "日本語 한글.txt", "\u{1F600}.txt"] {
        assert_converted_in_every_way(&dir, &dir.path(name));
    }
    fs::write(dir.path("\u{1F600}"), b"\xFF").unwrap();
    let result = RunResult::of(&mut dir.textcodec("check \u{1F600}"));
    assert!(result.stdout.starts_with("\u{1F600}:1:1: malformed".as_bytes()), "{}", result.stdout.escape_ascii());
}

#[test]
fn names_may_have_unpaired_surrogates() {
    let dir = Dir::new();
    let name = OsString::from_wide(&[u16::from(b'a'), 0xD83D, u16::from(b'b')]);
    let path = dir.path("").join(&name);
    if let Err(error) = fs::write(&path, b"\xFF") {
        // Wine cannot create such files.
        println!("SKIPPED: {error}");
        return;
    }
    let result = RunResult::of(dir.textcodec("check --json").arg(&name));
    let object: serde_json::Value = serde_json::from_slice(&result.stdout).unwrap();
    assert_eq!((&object["file"], &object["file_hex"]), (&"a\u{FFFD}b".into(), &"61EDA0BD62".into()), "{object}");
    assert_converted_in_every_way(&dir, &path);
}

#[test]
fn a_missing_file_with_an_unpaired_surrogate_is_an_error() {
    let name = OsString::from_wide(&[u16::from(b'a'), 0xD83D, u16::from(b'b')]);
    let result = RunResult::of(Dir::new().convert_command("--strict").arg(&name));
    assert_eq!((result.status, result.stdout.as_slice()), (3, &b""[..]), "{result:?}");
}

#[test]
fn paths_may_be_long() {
    let dir = Dir::new();
    let mut long = dir.path("");
    for _ in 0..6 {
        long.push("directory-".repeat(6));
    }
    fs::create_dir_all(&long).unwrap();
    assert_converted_in_every_way(&dir, &long.join("file"));
    let relative = long.strip_prefix(dir.path("")).unwrap();
    let result = RunResult::of(dir.convert_command("-f windows-1252 -r --force --in-place").arg(relative));
    assert_eq!(result.status, 0, "{result:?}");
    assert_eq!(fs::read(long.join("file")).unwrap(), "Ã©".as_bytes());
}

#[test]
fn paths_may_have_backslashes() {
    let dir = Dir::with([("a", b"\xE9")]);
    fs::create_dir_all(dir.path("in/sub")).unwrap();
    fs::write(dir.path("in/sub/b"), b"\xE9").unwrap();
    fs::write(dir.path("in/sub/c"), b"\xE9").unwrap();
    fs::write(dir.path("in/sub/d"), "é").unwrap();
    dir.convert(r"-f windows-1252 .\in\sub\b -o in\sub\out").assert_clean("");
    dir.convert(r"-f windows-1252 -r in --include sub/c --output-dir new\").assert_clean("");
    assert_eq!((dir.read("in/sub/out"), dir.read("new/sub/c")), ("é".into(), "é".into()));
    for target in [r"nothing\", "nothing/", r"in\sub\", r"in\sub"] {
        dir.convert(&format!("a -o {target}"))
            .assert_message(3, &format!("{}: is a directory", target.replace('\\', "/")));
    }
    assert_eq!(dir.convert(r"a --in-place=\bak").status, 2);
    // Output has the separators of the system, whatever was typed, in the part that was not typed.
    let result = RunResult::of(&mut dir.textcodec("detect -r -l in/sub --exclude out"));
    assert_eq!(String::from_utf8(result.stdout).unwrap(), "in/sub\\d\n");
}

#[test]
fn names_that_differ_in_case_are_one_file() {
    let dir = Dir::with([("a.txt", b"\xE9")]);
    let message = "2 files: 1 converted, 1 named twice";
    dir.convert("-f windows-1252 --force --in-place a.txt A.TXT").assert_message(0, message);
    assert_eq!((dir.read("a.txt"), dir.names()), ("é".into(), vec!["a.txt".to_owned()]));
    assert_eq!(dir.convert("a.txt -o A.txt").status, 2);
}

#[test]
fn read_only_files_are_unchanged() {
    let dir = Dir::with([("fixed", b"\xE9"), ("good", b"\xE9"), ("in", b"new")]);
    fs::create_dir(dir.path("out")).unwrap();
    fs::write(dir.path("out/in"), "old").unwrap();
    let set_read_only = |name, value| {
        let mut permissions = fs::metadata(dir.path(name)).unwrap().permissions();
        permissions.set_readonly(value);
        fs::set_permissions(dir.path(name), permissions).unwrap();
    };
    let files = ["fixed", "out/in"];
    for name in files {
        set_read_only(name, true);
    }
    for arguments in ["-f windows-1252 --in-place fixed good", "in -o fixed", "in --output-dir out"] {
        assert_eq!(dir.convert(arguments).status, 3, "{arguments}");
    }
    assert_eq!((dir.read("fixed"), dir.read("out/in"), dir.read("good")), (b"\xE9".into(), "old".into(), "é".into()));
    assert!(files.iter().all(|name| fs::metadata(dir.path(name)).unwrap().permissions().readonly()));
    // A file that is only read may be one of them.
    dir.convert("-f windows-1252 fixed -o new").assert_clean("");
    assert_eq!(dir.names(), ["fixed", "good", "in", "new", "out"]);
    for name in files {
        set_read_only(name, false);
    }
}

#[test]
fn a_file_that_another_program_has_open_is_replaced_or_unchanged() {
    let dir = Dir::with([("file", b"\xE9"), ("in", b"\xE9")]);
    for arguments in ["--in-place file", "in -o file"] {
        for share in [0, 1, 1 | 2, 1 | 2 | 4] {
            fs::write(dir.path("file"), b"\xE9").unwrap();
            let open = OpenOptions::new().read(true).share_mode(share).open(dir.path("file")).unwrap();
            let result = dir.convert(&format!("-f windows-1252 {arguments}"));
            drop(open);
            // Whether it can be replaced while it is open depends on the version of Windows and the file system.
            let expected = if result.status == 0 { "é".as_bytes() } else { b"\xE9" };
            assert_eq!(dir.read("file"), expected, "{arguments}, {share}: {result:?}");
            assert!(matches!(result.status, 0 | 3), "{arguments}, {share}: {result:?}");
            // Without the right to delete it, never.
            assert!(result.status == 3 || share == 1 | 2 | 4, "{arguments}, {share}");
            assert_eq!(dir.names(), ["file", "in"], "{arguments}, {share}");
        }
    }
}

#[test]
fn bytes_are_not_changed_as_in_text_mode() {
    let text = b"a\r\nb\nc\r\x1A\0d\r\r\n";
    pipe("", text).assert_clean(text);
    let dir = Dir::with([("in", text)]);
    dir.convert("in").assert_clean(text);
    dir.convert("in -o out").assert_clean("");
    assert_eq!(dir.read("out"), text);
}

#[test]
fn the_null_device_is_read_and_written() {
    let dir = Dir::with([("in", b"text")]);
    dir.convert("in -o NUL").assert_clean("");
    dir.convert("in NUL").assert_clean("text");
    assert_eq!(dir.convert("--in-place NUL").status, 3);
    assert_eq!(dir.names(), ["in"]);
}

#[test]
fn after_a_kill_files_are_unchanged_or_complete() {
    let before = b"\xCC\xE8\xF0\n".repeat(600_000);
    let after = "Мир\n".repeat(600_000).into_bytes();
    for run in 0..8 {
        let dir = Dir::new();
        for name in ["a", "b"] {
            fs::write(dir.path(name), &before).unwrap();
        }
        let mut command = dir.convert_command("-f windows-1251 --in-place=.bak a b");
        let mut child = command.stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_millis(60 * run));
        let _ = child.kill();
        child.wait().unwrap();
        // Wine closes the files of the process a little later.
        thread::sleep(Duration::from_millis(200));
        for name in ["a", "b"] {
            let text = dir.read(name);
            assert!(text == before || text == after, "run {run}: {} bytes", text.len());
            assert!(text == before || dir.read(&format!("{name}.bak")) == before, "run {run}");
        }
        // The next run converts the rest and removes temporary files.
        let again = dir.convert("-f windows-1251 --in-place=.bak -q a b");
        assert_eq!((again.status, &*again.stderr), (0, ""), "run {run}");
        assert_eq!(dir.names(), ["a", "a.bak", "b", "b.bak"]);
        assert!(dir.read("a") == after && dir.read("b") == after);
    }
}

/// Ctrl-C goes to all processes of a console, so this test runs itself with a console of its own.
#[test]
fn an_interrupted_conversion_removes_its_temporary_files_and_can_be_started_again() {
    const NAME: &str = "windows::an_interrupted_conversion_removes_its_temporary_files_and_can_be_started_again";
    const VARIABLE: &str = "TEXTCODEC_OWN_CONSOLE";
    if env::var_os(VARIABLE).is_none() {
        let mut child = Command::new(env::current_exe().unwrap());
        let output = child.args([NAME, "--exact", "--nocapture"]).env(VARIABLE, "1").output().unwrap();
        assert!(output.status.success(), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"), "{output:?}");
        return;
    }
    console::renew();
    // It waits for input.
    for arguments in ["convert -f windows-1252 -o out", "iconv -f latin1 -o out"] {
        let dir = Dir::with([("out", b"original")]);
        let mut child = dir.textcodec(arguments).stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(b"\xE9").unwrap();
        // The temporary file exists shortly before the program handles Ctrl-C.
        while dir.names().len() < 2 {
            thread::sleep(Duration::from_millis(10));
        }
        thread::sleep(Duration::from_millis(500));
        console::interrupt();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code().map(i32::cast_unsigned), Some(console::STATUS_CONTROL_C_EXIT), "{output:?}");
        assert_eq!(output.stderr, b"textcodec: interrupted; nothing was written to out\n", "{output:?}");
        assert_eq!((dir.read("out"), dir.names()), (b"original".to_vec(), vec!["out".to_owned()]));
    }
    // It converts many files. A busy machine would change a time to wait, so this waits for a number of new files.
    let mut interrupted = 0;
    for new_files in [1, 20, 50, 100, 190] {
        let (dir, pages) = pages();
        let mut command = dir.convert_command("-f windows-1252 -r --in-place -j 1 pages");
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let names = || fs::read_dir(dir.path("pages")).unwrap().count();
        while names() < pages.len() + new_files && child.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        console::interrupt();
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        if stderr.contains(" of 200 files; to continue, run the same command again") {
            assert_eq!(output.status.code().map(i32::cast_unsigned), Some(console::STATUS_CONTROL_C_EXIT), "{stderr}");
            interrupted += 1;
        }
        assert_no_temporary_files(&dir.path("pages"));
        assert_eq!(dir.convert("-f windows-1252 -r --in-place -q pages").status, 0);
        assert_all_converted(&dir, &pages);
    }
    assert!(interrupted >= 1, "{interrupted} of 5");
}

/// The console, through which Ctrl-C goes to processes.
#[expect(unsafe_code, reason = "the standard library cannot send Ctrl-C")]
mod console {
    use std::ffi::c_void;

    /// The status of a process that Ctrl-C ended.
    pub(super) const STATUS_CONTROL_C_EXIT: u32 = 0xC000_013A;

    const CTRL_C_EVENT: u32 = 0;

    #[link(name = "kernel32")]
    unsafe extern "system" {
        safe fn FreeConsole() -> i32;
        safe fn AllocConsole() -> i32;
        safe fn GenerateConsoleCtrlEvent(event: u32, group: u32) -> i32;
        fn SetConsoleCtrlHandler(handler: *const c_void, add: i32) -> i32;
    }

    /// Gives this process and those that it starts a console of their own.
    pub(super) fn renew() {
        FreeConsole();
        assert_ne!(AllocConsole(), 0);
        ignore(false);
    }

    /// Sends Ctrl-C to all other processes of the console.
    pub(super) fn interrupt() {
        ignore(true);
        let sent = GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0);
        assert_ne!(sent, 0, "{}", std::io::Error::last_os_error());
        std::thread::sleep(std::time::Duration::from_millis(100));
        ignore(false);
    }

    /// Sets whether this process and those that it starts ignore Ctrl-C.
    fn ignore(ignores: bool) {
        // SAFETY: without a function, this only sets a flag.
        assert_ne!(unsafe { SetConsoleCtrlHandler(std::ptr::null(), i32::from(ignores)) }, 0);
    }
}
