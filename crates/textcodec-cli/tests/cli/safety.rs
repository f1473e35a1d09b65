//! Whatever happens, a file is as it was or complete.

use std::{
    ffi::OsStr,
    fs::{self, File, Permissions},
    os::unix::{
        ffi::OsStrExt as _,
        fs::{MetadataExt as _, PermissionsExt as _, chown, symlink},
        process::{CommandExt as _, ExitStatusExt as _},
    },
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant, SystemTime},
};

use assert_cmd::cargo::cargo_bin;

use crate::common::{Place, Ran};

/// Numbers that look random, the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// As somebody whom permissions hold back, which is not true of root.
fn unprivileged(place: &Place, arguments: &str) -> Command {
    let program = place.path("textcodec-program");
    if !program.exists() {
        fs::copy(cargo_bin!("textcodec"), &program).unwrap();
    }
    let mut command = Command::new(program);
    command.current_dir(place.path("")).arg("convert").args(arguments.split_whitespace()).stdin(Stdio::null());
    if is_root() {
        fs::set_permissions(place.path(""), Permissions::from_mode(0o755)).unwrap();
        command.uid(65534).gid(65534);
    }
    command
}

/// What a killed process may leave: a complete file that was about to be renamed.
fn leftovers(place: &Place) -> usize {
    place.names().iter().filter(|name| name.starts_with(".textcodec-")).count()
}

#[test]
fn killed_at_any_moment_a_file_is_as_it_was_or_complete() {
    let before = b"\xCC\xE8\xF0\n".repeat(600_000);
    let after = "Мир\n".repeat(600_000).into_bytes();
    let small = b"\xCC\xE8\xF0".to_vec();
    // As long as it takes here, and half as long again.
    let range = {
        let place = Place::new();
        fs::write(place.path("large"), &before).unwrap();
        let start = Instant::now();
        place.run("-f windows-1251 --in-place large").is_clean("");
        start.elapsed().as_micros() as u64 * 3 / 2
    };
    let mut random = Random(1);
    let (mut done, mut killed, mut left) = (0, 0, 0);
    for run in 0..300 {
        let place = Place::new();
        fs::write(place.path("large"), &before).unwrap();
        for n in 0..20 {
            fs::write(place.path(&format!("small{n}")), &small).unwrap();
        }
        let backup = if run % 2 == 0 { "" } else { "=.bak" };
        let names = "large small0 small1 small2 small3 small4 small5 small6 small7 small8 small9 small10 small11";
        let mut child = place
            .command(&format!("-f windows-1251 --in-place{backup} {names}"))
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        thread::sleep(Duration::from_micros(random.below(range)));
        let _ = child.kill();
        if child.wait().unwrap().signal().is_some() {
            killed += 1;
        } else {
            done += 1;
        }
        let large = place.read("large");
        assert!(large == before || large == after, "run {run}: {} bytes", large.len());
        for n in 0..20 {
            let text = place.read(&format!("small{n}"));
            assert!(text == small || (n < 12 && text == "Мир".as_bytes()), "run {run}");
        }
        // The original is there, by one name or the other.
        if run % 2 == 1 && large == after {
            assert!(place.read("large.bak") == before, "run {run}");
        }
        left += leftovers(&place);
    }
    assert!(killed > 30 && done > 5, "{killed} killed, {done} done");
    println!("{killed} killed, {done} done, {left} hidden files left");
}

#[test]
fn killed_at_any_moment_an_output_is_as_it_was_or_complete() {
    let input = b"\x93\xFA\x96\x7B\n".repeat(400_000);
    let after = "日本\n".repeat(400_000).into_bytes();
    let place = Place::new();
    fs::write(place.path("in"), &input).unwrap();
    let start = Instant::now();
    place.run("-f shift_jis in -o out").is_clean("");
    let range = start.elapsed().as_micros() as u64;
    let mut random = Random(2);
    let mut killed = 0;
    for run in 0..200 {
        fs::write(place.path("out"), "as it was").unwrap();
        let mut child = place.command("-f shift_jis in -o out").stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_micros(random.below(range)));
        let _ = child.kill();
        killed += usize::from(child.wait().unwrap().signal().is_some());
        let out = place.read("out");
        assert!(out == b"as it was" || out == after, "run {run}: {} bytes", out.len());
    }
    assert!(killed > 20, "{killed} killed");
}

#[test]
fn where_there_is_no_room_the_original_stays() {
    // 64 KiB a file, as `ulimit` has it in blocks of 512 or 1024 bytes; without its signal it is an error as any other.
    let input = b"\xE9".repeat(1 << 20);
    for (trap, status) in [("trap '' XFSZ;", Some(3)), ("", None)] {
        for arguments in ["--in-place a b", "--in-place=.bak a b", "a -o b", "a b --output-dir out", "a -o new"] {
            let place = Place::with([("b", b"small")]);
            fs::write(place.path("a"), &input).unwrap();
            let shell = format!(
                "{trap} ulimit -f 64; exec {} convert -f windows-1252 {arguments}",
                cargo_bin!("textcodec").display()
            );
            let output = Command::new("sh").args(["-c", &shell]).current_dir(place.path("")).output().unwrap();
            let stderr = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), status, "{arguments}: {stderr}");
            assert!(status.is_none() || stderr.contains("File too large"), "{stderr}");
            assert!(place.read("a") == input, "{arguments}");
            assert_eq!(place.read("b"), b"small", "{arguments}");
            assert!(!place.path("new").exists() && !place.path("out/a").exists() && !place.path("a.bak").exists());
            assert_eq!(leftovers(&place), 0, "{arguments}");
        }
    }
}

#[test]
fn a_folder_that_cannot_be_written_to_is_an_error_and_nothing_more() {
    let place = Place::with([("in", b"\xE9")]);
    fs::create_dir(place.path("folder")).unwrap();
    fs::write(place.path("folder/a"), b"\xE9").unwrap();
    fs::set_permissions(place.path("folder/a"), Permissions::from_mode(0o666)).unwrap();
    fs::set_permissions(place.path("folder"), Permissions::from_mode(0o555)).unwrap();
    for arguments in ["--in-place folder/a", "in -o folder/a", "in -o folder/new", "in --output-dir folder"] {
        let ran = Ran::of(&mut unprivileged(&place, &format!("-f windows-1252 {arguments}")));
        assert_eq!(ran.status, 3, "{arguments}: {}", ran.stderr);
        assert!(ran.stderr.contains("Permission denied"), "{}", ran.stderr);
        assert_eq!(place.read("folder/a"), b"\xE9");
    }
    assert_eq!(fs::read_dir(place.path("folder")).unwrap().count(), 1);
    fs::set_permissions(place.path("folder"), Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn files_that_may_not_be_read_or_written_are_left_alone() {
    let place = Place::with([("secret", b"\xE9"), ("fixed", b"\xE9"), ("good", b"\xE9")]);
    fs::set_permissions(place.path("secret"), Permissions::from_mode(0o000)).unwrap();
    fs::set_permissions(place.path("fixed"), Permissions::from_mode(0o444)).unwrap();
    let mut command = unprivileged(&place, "-f windows-1252 --in-place secret fixed good");
    if is_root() {
        fs::set_permissions(place.path(""), Permissions::from_mode(0o777)).unwrap();
        fs::set_permissions(place.path("good"), Permissions::from_mode(0o666)).unwrap();
    }
    let ran = Ran::of(&mut command);
    assert_eq!(ran.status, 3);
    assert!(ran.stderr.contains("textcodec: secret: Permission denied"), "{}", ran.stderr);
    assert!(ran.stderr.contains("textcodec: fixed: Permission denied"), "{}", ran.stderr);
    assert_eq!((place.read("fixed"), place.read("good")), (b"\xE9".to_vec(), "é".as_bytes().to_vec()));
}

#[test]
fn mode_owner_times_and_links_stay() {
    let place = Place::with([("file", b"\xE9")]);
    symlink("file", place.path("link")).unwrap();
    if is_root() {
        chown(place.path("file"), Some(65534), Some(65533)).unwrap();
    }
    let then = SystemTime::UNIX_EPOCH + Duration::new(1_000_000_000, 123_000_000);
    let times = fs::FileTimes::new().set_modified(then).set_accessed(then);
    File::options().write(true).open(place.path("file")).unwrap().set_times(times).unwrap();
    fs::set_permissions(place.path("file"), Permissions::from_mode(0o4751)).unwrap();
    let attribute = rustix::fs::setxattr(place.path("file"), "user.note", b"kept", rustix::fs::XattrFlags::empty());
    let before = fs::metadata(place.path("file")).unwrap();

    place.run("-f windows-1252 --in-place link").is_clean("");
    let after = fs::metadata(place.path("file")).unwrap();
    assert!(place.path("link").is_symlink());
    assert_ne!(before.ino(), after.ino());
    assert_eq!(place.read("file"), "é".as_bytes());
    assert_eq!((before.mode(), before.uid(), before.gid()), (after.mode(), after.uid(), after.gid()));
    assert_eq!(after.modified().unwrap(), then);
    if attribute.is_ok() {
        let mut value = [0; 8];
        let len = rustix::fs::getxattr(place.path("file"), "user.note", &mut value).unwrap();
        assert_eq!(&value[..len], b"kept");
    }

    // A private file stays private elsewhere.
    fs::set_permissions(place.path("file"), Permissions::from_mode(0o600)).unwrap();
    place.run("file --output-dir out").is_clean("");
    assert_eq!(fs::metadata(place.path("out/file")).unwrap().mode() & 0o777, 0o600);
}

#[test]
fn names_that_are_not_utf_8_are_names() {
    let place = Place::new();
    let name = OsStr::from_bytes(b"caf\xE9.txt");
    fs::write(place.path("").join(name), b"\xE9").unwrap();
    let ran = Ran::of(place.command("-f windows-1252 --in-place=.bak -v").arg(name));
    ran.says(0, "caf\u{FFFD}.txt: windows-1252 to UTF-8, 1 to 2 bytes");
    assert_eq!(fs::read(place.path("").join(name)).unwrap(), "é".as_bytes());
    assert_eq!(fs::read(place.path("").join(OsStr::from_bytes(b"caf\xE9.txt.bak"))).unwrap(), b"\xE9");
    assert_eq!(Ran::of(place.command("-f shift_jis --strict").arg(OsStr::from_bytes(b"no\xFFthing"))).status, 3);
}

#[test]
fn special_files_and_empty_ones() {
    let place = Place::with([("empty", b"")]);
    assert!(Command::new("mkfifo").arg(place.path("fifo")).status().unwrap().success());
    symlink("nowhere", place.path("dangling")).unwrap();
    let ran = place.run("-f windows-1252 --in-place fifo /dev/null empty dangling");
    assert_eq!(ran.status, 3);
    for name in ["fifo", "/dev/null"] {
        let message = format!("textcodec: {name}: is no regular file, so there is nothing to put in its place\n");
        assert!(ran.stderr.contains(&message), "{}", ran.stderr);
    }
    assert!(ran.stderr.contains("textcodec: dangling: No such file"));
    assert_eq!(place.read("empty"), b"");
    // In folders, what is no file is passed over.
    place.run("-f windows-1252 -r --in-place .").is_clean("");
}

#[test]
fn a_file_over_4_gib_has_right_offsets() {
    let place = Place::new();
    let file = File::create(place.path("large")).unwrap();
    let size = (4 << 30) + 12_345;
    file.set_len(size).unwrap();
    std::os::unix::fs::FileExt::write_all_at(&file, b"\xFF", size - 1).unwrap();
    let ran = place.run("-f utf-8 large -o /dev/null");
    ran.says(
        1,
        &format!(
            "large: 1 malformed sequence replaced by U+FFFD, at byte {} (FF): this byte cannot start a character",
            size - 1
        ),
    );
}

#[test]
fn nobody_gets_more_rights_than_before() {
    if !is_root() {
        return;
    }
    let place = Place::with([("team", b"\xE9"), ("others", b"\xE9")]);
    for name in ["team", "others"] {
        chown(place.path(name), Some(1001), Some(2000)).unwrap();
        fs::set_permissions(place.path(name), Permissions::from_mode(0o666)).unwrap();
    }
    let run = |name: &str, group: u32| {
        let mut command = unprivileged(&place, &format!("-f windows-1252 --in-place {name}"));
        fs::set_permissions(place.path(""), Permissions::from_mode(0o777)).unwrap();
        let ran = Ran::of(command.gid(group));
        ran.says(0, &format!("{name}: its owner could not be kept: it is yours now"));
        fs::metadata(place.path(name)).unwrap()
    };
    // The group may be kept by who is in it; the owner may not.
    assert_eq!((run("team", 2000).gid(), fs::metadata(place.path("team")).unwrap().mode() & 0o777), (2000, 0o666));
    fs::set_permissions(place.path("others"), Permissions::from_mode(0o676)).unwrap();
    let others = run("others", 100);
    assert_eq!((others.gid(), others.mode() & 0o777), (100, 0o666));
}

#[test]
fn a_loop_of_links_and_what_is_open_are_no_outputs() {
    let place = Place::with([("a.txt", b"AAA"), ("log", b"earlier\n")]);
    fs::create_dir(place.path("out")).unwrap();
    symlink("a.txt", place.path("out/a.txt")).unwrap();
    let ran = place.run("a.txt --output-dir out");
    assert_eq!(ran.status, 3);
    assert!(ran.stderr.contains("out/a.txt: "), "{}", ran.stderr);

    let program = cargo_bin!("textcodec").display();
    for (redirection, output) in [("3>>log", "/dev/fd/3"), ("3>>log", "/proc/self/fd/3"), ("2>>log", "/dev/stderr")] {
        let shell = format!("exec {redirection}; {program} convert a.txt -o {output}");
        let ran = Command::new("sh").args(["-c", &shell]).current_dir(place.path("")).output().unwrap();
        assert_eq!(ran.status.code(), Some(3));
        assert!(place.read("log").starts_with(b"earlier\n"));
    }
}

#[test]
fn what_may_not_be_written_is_not_replaced_in_a_folder_either() {
    let place = Place::with([("a", b"new")]);
    fs::create_dir(place.path("out")).unwrap();
    fs::write(place.path("out/a"), "old").unwrap();
    fs::set_permissions(place.path("out/a"), Permissions::from_mode(0o444)).unwrap();
    fs::set_permissions(place.path("out"), Permissions::from_mode(0o777)).unwrap();
    let ran = Ran::of(&mut unprivileged(&place, "a --output-dir out"));
    assert_eq!((ran.status, fs::read(place.path("out/a")).unwrap()), (3, b"old".to_vec()), "{}", ran.stderr);
}

#[test]
fn an_access_list_for_new_files_does_not_open_an_old_one() {
    // Version 2; for each entry its kind, its rights, and whose they are.
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
    let place = Place::with([("secret", b"\xE9")]);
    fs::set_permissions(place.path("secret"), Permissions::from_mode(0o640)).unwrap();
    let flags = rustix::fs::XattrFlags::empty();
    if rustix::fs::setxattr(place.path(""), "system.posix_acl_default", &list, flags).is_err() {
        return;
    }
    place.run("-f windows-1252 --in-place secret").is_clean("");
    let mut value = [0; 256];
    assert!(rustix::fs::getxattr(place.path("secret"), "system.posix_acl_access", &mut value[..]).is_err());
    assert_eq!(fs::metadata(place.path("secret")).unwrap().mode() & 0o777, 0o640);
}
