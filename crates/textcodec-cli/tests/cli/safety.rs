//! A file is unchanged or complete after any failure.

use std::{
    ffi::OsStr,
    fs::{self, File, Permissions},
    os::unix::{
        ffi::OsStrExt as _,
        fs::{MetadataExt as _, PermissionsExt as _, chown, symlink},
        process::{CommandExt as _, ExitStatusExt as _},
    },
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, SystemTime},
};

use assert_cmd::cargo::cargo_bin;
use textcodec::DecodeReason::InvalidByte;

use crate::common::{Dir, RunResult, strace};

/// A pseudo-random number generator with a fixed seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

pub(crate) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Returns the command for a user other than root, because root ignores permissions.
pub(crate) fn unprivileged(dir: &Dir, arguments: &str) -> Command {
    let program = dir.path("textcodec-program");
    if !program.exists() {
        fs::copy(cargo_bin!("textcodec"), &program).unwrap();
    }
    let mut command = Command::new(program);
    command.current_dir(dir.path("")).arg("convert").args(arguments.split_whitespace()).stdin(Stdio::null());
    if is_root() {
        fs::set_permissions(dir.path(""), Permissions::from_mode(0o755)).unwrap();
        command.uid(65534).gid(65534);
    }
    command
}

/// Kills processes at random times. The longest wait follows the outcomes, so that on a machine of any speed and load about two
/// of three processes are killed and the others end first.
struct RandomKills {
    random: Random,
    longest_wait: Duration,
    killed: u32,
    ended: u32,
}

impl RandomKills {
    fn new(seed: u64) -> Self {
        Self { random: Random(seed), longest_wait: Duration::from_millis(20), killed: 0, ended: 0 }
    }

    fn kill(&mut self, mut child: Child) {
        thread::sleep(Duration::from_micros(self.random.below(self.longest_wait.as_micros() as u64)));
        let _ = child.kill();
        if child.wait().unwrap().signal().is_some() {
            self.killed += 1;
            self.longest_wait = self.longest_wait * 11 / 10;
        } else {
            self.ended += 1;
            self.longest_wait = self.longest_wait * 8 / 10;
        }
    }

    fn assert_both_happened(&self) {
        assert!(self.killed > 30 && self.ended > 5, "{} killed, {} ended first", self.killed, self.ended);
        println!("{} killed, {} ended first", self.killed, self.ended);
    }
}

/// Counts the temporary files of killed processes: complete files that were about to be renamed.
fn leftovers(dir: &Dir) -> usize {
    dir.names().iter().filter(|name| name.starts_with(".textcodec-")).count()
}

#[test]
fn after_a_kill_a_file_converted_in_place_is_unchanged_or_complete() {
    let before = b"\xCC\xE8\xF0\n".repeat(600_000);
    let after = "Мир\n".repeat(600_000).into_bytes();
    let small = b"\xCC\xE8\xF0".to_vec();
    let mut kills = RandomKills::new(1);
    let mut left = 0;
    for run in 0..300 {
        let dir = Dir::new();
        fs::write(dir.path("large"), &before).unwrap();
        for n in 0..20 {
            fs::write(dir.path(&format!("small{n}")), &small).unwrap();
        }
        let backup = if run % 2 == 0 { "" } else { "=.bak" };
        let names = "large small0 small1 small2 small3 small4 small5 small6 small7 small8 small9 small10 small11";
        let child = dir
            .convert_command(&format!("-f windows-1251 --in-place{backup} {names}"))
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        kills.kill(child);
        let large = dir.read("large");
        assert!(large == before || large == after, "run {run}: {} bytes", large.len());
        for n in 0..20 {
            let text = dir.read(&format!("small{n}"));
            assert!(text == small || (n < 12 && text == "Мир".as_bytes()), "run {run}");
        }
        // If the file is converted, the backup exists.
        if run % 2 == 1 && large == after {
            assert!(dir.read("large.bak") == before, "run {run}");
        }
        left += leftovers(&dir);
    }
    kills.assert_both_happened();
    println!("{left} hidden files left");
}

#[test]
fn after_a_kill_an_output_is_unchanged_or_complete() {
    let input = b"\x93\xFA\x96\x7B\n".repeat(400_000);
    let after = "日本\n".repeat(400_000).into_bytes();
    let dir = Dir::new();
    fs::write(dir.path("in"), &input).unwrap();
    let mut kills = RandomKills::new(2);
    for run in 0..200 {
        fs::write(dir.path("out"), "original").unwrap();
        kills.kill(dir.convert_command("-f shift_jis in -o out").stderr(Stdio::null()).spawn().unwrap());
        let out = dir.read("out");
        assert!(out == b"original" || out == after, "run {run}: {} bytes", out.len());
    }
    kills.assert_both_happened();
}

#[test]
fn the_original_is_unchanged_if_the_new_file_is_too_large() {
    // `ulimit -f` counts blocks of 512 or 1024 bytes. If its signal is ignored, writing fails with an error.
    let input = b"\xE9".repeat(1 << 20);
    for (trap, status) in [("trap '' XFSZ;", Some(3)), ("", None)] {
        for arguments in ["--in-place a b", "--in-place=.bak a b", "a -o b", "a b --output-dir out", "a -o new"] {
            let dir = Dir::with([("b", b"small")]);
            fs::write(dir.path("a"), &input).unwrap();
            let shell = format!(
                "{trap} ulimit -f 64; exec {} convert -f windows-1252 {arguments}",
                cargo_bin!("textcodec").display()
            );
            let output = Command::new("sh").args(["-c", &shell]).current_dir(dir.path("")).output().unwrap();
            let stderr = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), status, "{arguments}: {stderr}");
            assert!(status.is_none() || stderr.contains("File too large"), "{stderr}");
            assert!(dir.read("a") == input, "{arguments}");
            assert_eq!(dir.read("b"), b"small", "{arguments}");
            assert!(!dir.path("new").exists() && !dir.path("out/a").exists() && !dir.path("a.bak").exists());
            assert_eq!(leftovers(&dir), 0, "{arguments}");
        }
    }
}

/// Runs the program under strace, which makes a system call fail. Returns `None` where strace does not work.
fn with_failing_call(dir: &Dir, call: &str, arguments: &str) -> Option<RunResult> {
    let mut command = strace(dir, &["-o", "/dev/null", "-e", &format!("inject={call}")])?;
    Some(RunResult::of(command.arg(cargo_bin!("textcodec")).args(arguments.split_whitespace())))
}

#[test]
fn no_backup_remains_of_a_name_that_was_not_replaced() {
    for (failing, replaced) in [("", ""), (":when=2", "a")] {
        let dir = Dir::with([("a", b"\xE9")]);
        fs::hard_link(dir.path("a"), dir.path("b")).unwrap();
        let call = format!("/^rename:error=EPERM{failing}");
        let Some(result) = with_failing_call(&dir, &call, "convert -f windows-1252 -j 1 --in-place=.bak a b") else {
            return;
        };
        assert_eq!(result.status, 3, "{}", result.stderr);
        for name in ["a", "b"] {
            let is_replaced = name == replaced;
            assert_eq!(dir.read(name), if is_replaced { "é".as_bytes() } else { b"\xE9" }, "{}", result.stderr);
            assert_eq!(dir.path(&format!("{name}.bak")).exists(), is_replaced, "{name}: {}", result.stderr);
        }
    }
    // A backup that cannot be removed is named.
    let dir = Dir::with([("a", b"\xE9")]);
    let both = "/^(rename|unlink):error=EPERM";
    let Some(result) = with_failing_call(&dir, both, "convert -f windows-1252 --in-place=.bak a") else { return };
    assert!(result.status == 3 && result.stderr.contains("a.bak is left over"), "{}", result.stderr);
}

#[test]
fn errors_of_the_disk_are_reported() {
    let dir = Dir::with([("in", b"\xE9"), ("out", b"original")]);
    fs::create_dir(dir.path("d")).unwrap();
    let fill = || ["d/a", "d/b"].map(|name| fs::write(dir.path(name), b"\xE9").unwrap());
    fill();
    let many = "convert -f windows-1252 -r --in-place -j 1 d";
    let directory = |name| {
        format!(
            "the new files are complete, but the directory {name} cannot be forced to the disk: Input/output error; if the \
             power fails now, the old files may be there again\n"
        )
    };

    let Some(result) = with_failing_call(&dir, "syncfs:error=EIO", many) else { return };
    let failed = |name| format!("textcodec: d/{name}: cannot be forced to the disk: Input/output error\n");
    let summary = "textcodec: 2 files: 0 converted, 2 failed\n  failed: d/a: cannot be forced to the disk: Input/output \
                   error\n  failed: d/b: cannot be forced to the disk: Input/output error\n";
    assert_eq!((result.status, result.stderr), (3, format!("{}{}{summary}", failed("a"), failed("b"))));
    assert_eq!((dir.read("d/a"), dir.read("d/b")), (b"\xE9".to_vec(), b"\xE9".to_vec()));

    let Some(result) = with_failing_call(&dir, "fsync:error=EIO", many) else { return };
    assert_eq!(
        (result.status, result.stderr),
        (3, format!("textcodec: {}textcodec: 2 files: 2 converted\n", directory("d")))
    );
    fill();
    let Some(result) = with_failing_call(&dir, "fsync:error=EIO", &format!("{many} --report=json")) else { return };
    let json: serde_json::Value = serde_json::from_slice(&result.stdout).unwrap();
    assert_eq!((&json["errors"][0], &json["exit_status"]), (&directory("d").trim_end().into(), &3.into()));

    let one = "convert -f windows-1252 in -o out";
    let Some(result) = with_failing_call(&dir, "fsync:error=EIO:when=1", one) else { return };
    result.assert_message(3, "out: cannot be forced to the disk: Input/output error");
    assert_eq!(dir.read("out"), b"original");
    let Some(result) = with_failing_call(&dir, "fsync:error=EIO:when=2", one) else { return };
    assert_eq!((result.status, result.stderr), (3, format!("textcodec: out: {}", directory("."))));
    assert_eq!(dir.read("out"), "é".as_bytes());
    // The file system may not be able to do this.
    let Some(result) = with_failing_call(&dir, "fsync:error=EINVAL:when=2", one) else { return };
    result.assert_clean("");
}

#[test]
fn a_read_only_directory_is_an_error_and_nothing_changes() {
    let dir = Dir::with([("in", b"\xE9")]);
    fs::create_dir(dir.path("folder")).unwrap();
    fs::write(dir.path("folder/a"), b"\xE9").unwrap();
    fs::set_permissions(dir.path("folder/a"), Permissions::from_mode(0o666)).unwrap();
    fs::set_permissions(dir.path("folder"), Permissions::from_mode(0o555)).unwrap();
    for arguments in ["--in-place folder/a", "in -o folder/a", "in -o folder/new", "in --output-dir folder"] {
        let result = RunResult::of(&mut unprivileged(&dir, &format!("-f windows-1252 {arguments}")));
        assert_eq!(result.status, 3, "{arguments}: {}", result.stderr);
        let expected = "folder/a: cannot create a file in folder: Permission denied";
        assert!(result.stderr.contains("Permission denied\n") || result.stderr.contains(expected), "{}", result.stderr);
        assert!(!result.stderr.contains("os error") && !result.stderr.contains(".tmp"), "{}", result.stderr);
        assert_eq!(dir.read("folder/a"), b"\xE9");
    }
    // A dry run predicts it.
    let result = RunResult::of(&mut unprivileged(&dir, "-f windows-1252 --dry-run --in-place folder/a"));
    assert_eq!(result.status, 3, "{}", result.stderr);
    assert_eq!(fs::read_dir(dir.path("folder")).unwrap().count(), 1);
    fs::set_permissions(dir.path("folder"), Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn unreadable_and_read_only_files_are_unchanged() {
    let dir = Dir::with([("secret", b"\xE9"), ("fixed", b"\xE9"), ("good", b"\xE9")]);
    fs::set_permissions(dir.path("secret"), Permissions::from_mode(0o000)).unwrap();
    fs::set_permissions(dir.path("fixed"), Permissions::from_mode(0o444)).unwrap();
    let mut command = unprivileged(&dir, "-f windows-1252 --in-place secret fixed good");
    if is_root() {
        fs::set_permissions(dir.path(""), Permissions::from_mode(0o777)).unwrap();
        fs::set_permissions(dir.path("good"), Permissions::from_mode(0o666)).unwrap();
    }
    let result = RunResult::of(&mut command);
    assert_eq!(result.status, 3);
    assert!(result.stderr.contains("textcodec: secret: Permission denied"), "{}", result.stderr);
    assert!(result.stderr.contains("textcodec: fixed: Permission denied"), "{}", result.stderr);
    assert_eq!((dir.read("fixed"), dir.read("good")), (b"\xE9".to_vec(), "é".as_bytes().to_vec()));
}

#[test]
fn mode_owner_times_and_links_are_kept() {
    let dir = Dir::with([("file", b"\xE9")]);
    symlink("file", dir.path("link")).unwrap();
    if is_root() {
        chown(dir.path("file"), Some(65534), Some(65533)).unwrap();
    }
    let then = SystemTime::UNIX_EPOCH + Duration::new(1_000_000_000, 123_000_000);
    let times = fs::FileTimes::new().set_modified(then).set_accessed(then);
    File::options().write(true).open(dir.path("file")).unwrap().set_times(times).unwrap();
    fs::set_permissions(dir.path("file"), Permissions::from_mode(0o4751)).unwrap();
    let attribute = rustix::fs::setxattr(dir.path("file"), "user.note", b"kept", rustix::fs::XattrFlags::empty());
    let before = fs::metadata(dir.path("file")).unwrap();

    dir.convert("-f windows-1252 --in-place link").assert_clean("");
    let after = fs::metadata(dir.path("file")).unwrap();
    assert!(dir.path("link").is_symlink());
    assert_ne!(before.ino(), after.ino());
    assert_eq!(dir.read("file"), "é".as_bytes());
    assert_eq!((before.mode(), before.uid(), before.gid()), (after.mode(), after.uid(), after.gid()));
    assert_eq!(after.modified().unwrap(), then);
    if attribute.is_ok() {
        let mut value = [0; 8];
        let len = rustix::fs::getxattr(dir.path("file"), "user.note", &mut value).unwrap();
        assert_eq!(&value[..len], b"kept");
    }

    // A private file is private in the output directory, too.
    fs::set_permissions(dir.path("file"), Permissions::from_mode(0o600)).unwrap();
    dir.convert("file --output-dir out").assert_clean("");
    assert_eq!(fs::metadata(dir.path("out/file")).unwrap().mode() & 0o777, 0o600);
}

#[test]
fn file_names_need_not_be_utf_8() {
    let dir = Dir::new();
    let name = OsStr::from_bytes(b"caf\xE9.txt");
    fs::write(dir.path("").join(name), b"\xE9").unwrap();
    let result = RunResult::of(dir.convert_command("-f windows-1252 --in-place=.bak -v").arg(name));
    result.assert_message(0, "caf\u{FFFD}.txt: windows-1252 to UTF-8, 1 to 2 bytes");
    assert_eq!(fs::read(dir.path("").join(name)).unwrap(), "é".as_bytes());
    assert_eq!(fs::read(dir.path("").join(OsStr::from_bytes(b"caf\xE9.txt.bak"))).unwrap(), b"\xE9");
    assert_eq!(
        RunResult::of(dir.convert_command("-f shift_jis --strict").arg(OsStr::from_bytes(b"no\xFFthing"))).status,
        3
    );
}

#[test]
fn special_files_are_refused_and_empty_files_converted() {
    let dir = Dir::with([("empty", b"")]);
    assert!(Command::new("mkfifo").arg(dir.path("fifo")).status().unwrap().success());
    symlink("nowhere", dir.path("dangling")).unwrap();
    let result = dir.convert("-f windows-1252 --in-place fifo /dev/null empty dangling");
    assert_eq!(result.status, 3);
    for name in ["fifo", "/dev/null"] {
        let message = format!("textcodec: {name}: is not a regular file and cannot be replaced\n");
        assert!(result.stderr.contains(&message), "{}", result.stderr);
    }
    assert!(result.stderr.contains("textcodec: dangling: No such file"));
    assert_eq!(dir.read("empty"), b"");
    // In directories, special files are skipped.
    dir.convert("-f windows-1252 -r --in-place .").assert_clean("");
}

#[test]
fn offsets_beyond_4_gib_are_right() {
    let dir = Dir::new();
    let file = File::create(dir.path("large")).unwrap();
    let size = (4 << 30) + 12_345;
    file.set_len(size).unwrap();
    std::os::unix::fs::FileExt::write_all_at(&file, b"\xFF", size - 1).unwrap();
    let result = dir.convert("-f utf-8 large -o /dev/null");
    result.assert_message(
        1,
        &format!("large: 1 malformed sequence replaced by U+FFFD, at byte {} (FF): {InvalidByte}", size - 1),
    );
}

#[test]
fn nobody_gets_more_permissions_than_before() {
    if !is_root() {
        return;
    }
    let dir = Dir::with([("team", b"\xE9"), ("others", b"\xE9")]);
    for name in ["team", "others"] {
        chown(dir.path(name), Some(1001), Some(2000)).unwrap();
        fs::set_permissions(dir.path(name), Permissions::from_mode(0o666)).unwrap();
    }
    let run = |name: &str, group: u32| {
        let mut command = unprivileged(&dir, &format!("-f windows-1252 --in-place {name}"));
        fs::set_permissions(dir.path(""), Permissions::from_mode(0o777)).unwrap();
        let result = RunResult::of(command.gid(group));
        let mut message = format!("{name}: the owner could not be kept; the file now belongs to you");
        if group != 2000 {
            let group = "the group could not be kept; the file now has yours, with the rights of all others";
            message = format!("{message}\ntextcodec: {name}: {group}");
        }
        result.assert_message(0, &message);
        fs::metadata(dir.path(name)).unwrap()
    };
    // A member of the group can keep the group, but not the owner.
    assert_eq!((run("team", 2000).gid(), fs::metadata(dir.path("team")).unwrap().mode() & 0o777), (2000, 0o666));
    fs::set_permissions(dir.path("others"), Permissions::from_mode(0o676)).unwrap();
    let others = run("others", 100);
    assert_eq!((others.gid(), others.mode() & 0o777), (100, 0o666));
}

#[test]
fn link_loops_and_open_descriptors_are_refused_as_outputs() {
    let dir = Dir::with([("a.txt", b"AAA"), ("log", b"earlier\n")]);
    fs::create_dir(dir.path("out")).unwrap();
    symlink("a.txt", dir.path("out/a.txt")).unwrap();
    let result = dir.convert("a.txt --output-dir out");
    assert_eq!(result.status, 3);
    assert!(result.stderr.contains("out/a.txt: "), "{}", result.stderr);

    let program = cargo_bin!("textcodec").display();
    for (redirection, output) in [("3>>log", "/dev/fd/3"), ("3>>log", "/proc/self/fd/3"), ("2>>log", "/dev/stderr")] {
        let shell = format!("exec {redirection}; {program} convert a.txt -o {output}");
        let result = Command::new("sh").args(["-c", &shell]).current_dir(dir.path("")).output().unwrap();
        assert_eq!(result.status.code(), Some(3));
        assert!(dir.read("log").starts_with(b"earlier\n"));
    }
}

#[test]
fn a_read_only_file_in_an_output_directory_is_not_replaced() {
    let dir = Dir::with([("a", b"new")]);
    fs::create_dir(dir.path("out")).unwrap();
    fs::write(dir.path("out/a"), "old").unwrap();
    fs::set_permissions(dir.path("out/a"), Permissions::from_mode(0o444)).unwrap();
    fs::set_permissions(dir.path("out"), Permissions::from_mode(0o777)).unwrap();
    let result = RunResult::of(&mut unprivileged(&dir, "a --output-dir out"));
    assert_eq!((result.status, fs::read(dir.path("out/a")).unwrap()), (3, b"old".to_vec()), "{}", result.stderr);
}

#[test]
fn a_default_access_list_does_not_apply_to_a_replaced_file() {
    // Version 2, then the kind, the rights and the user or group of each entry.
    let entry = |kind: u16, rights: u16, who: u32| {
        [&kind.to_le_bytes()[..], &rights.to_le_bytes(), &who.to_le_bytes()].concat()
    };
    let everybody = u32::MAX;
    let list = [
        2_u32.to_le_bytes().to_vec(),
        entry(0x01, 7, everybody),
        entry(0x02, 7, 65534),
        entry(0x04, 5, everybody),
        entry(0x10, 7, everybody),
        entry(0x20, 5, everybody),
    ]
    .concat();
    let dir = Dir::with([("secret", b"\xE9")]);
    fs::set_permissions(dir.path("secret"), Permissions::from_mode(0o640)).unwrap();
    let flags = rustix::fs::XattrFlags::empty();
    if rustix::fs::setxattr(dir.path(""), "system.posix_acl_default", &list, flags).is_err() {
        return;
    }
    dir.convert("-f windows-1252 --in-place secret").assert_clean("");
    let mut value = [0; 256];
    assert!(rustix::fs::getxattr(dir.path("secret"), "system.posix_acl_access", &mut value[..]).is_err());
    assert_eq!(fs::metadata(dir.path("secret")).unwrap().mode() & 0o777, 0o640);
}
