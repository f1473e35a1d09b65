//! `-o`: the target is complete or untouched, and never an input.

use std::{
    fs::{self, File, OpenOptions, Permissions},
    io::Read as _,
    os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _, symlink},
    process::{Command, Stdio},
    thread,
};

use crate::common::{Place, Ran};

fn mode(place: &Place, name: &str) -> u32 {
    fs::metadata(place.path(name)).unwrap().mode() & 0o7777
}

#[test]
fn a_file_is_written_and_nothing_is_left_beside_it() {
    let place = Place::with([("in", b"\x93\xFA"), ("old", b"much longer than what is written")]);
    fs::create_dir(place.path("folder")).unwrap();
    for target in ["new", "old", "folder/new", "./folder/../dots"] {
        place.run(&format!("-f shift_jis in -o {target}")).is_clean("");
        assert_eq!(place.read(target), "日".as_bytes());
    }
    assert_eq!(place.names(), ["dots", "folder", "in", "new", "old"]);
    place.run("in -f shift_jis -o -").is_clean("日");
    assert!(!place.path("-").exists());
}

#[test]
fn an_existing_target_keeps_its_mode_and_a_new_one_follows_the_umask() {
    let place = Place::with([("in", b"a"), ("out", b"b")]);
    for kept in [0o600, 0o640, 0o755, 0o666] {
        fs::set_permissions(place.path("out"), Permissions::from_mode(kept)).unwrap();
        place.run("in -o out").is_clean("");
        assert_eq!(mode(&place, "out"), kept);
    }
    let shell = format!("umask 027; exec {} convert in -o new", assert_cmd::cargo::cargo_bin!("textcodec").display());
    Ran::of(Command::new("sh").args(["-c", &shell]).current_dir(place.path(""))).is_clean("");
    assert_eq!(mode(&place, "new"), 0o640);
}

#[test]
fn an_output_that_is_an_input_is_refused_by_whatever_name() {
    let place = Place::with([("file", b"text"), ("other", b"text")]);
    symlink("file", place.path("soft")).unwrap();
    symlink(place.path("soft"), place.path("softer")).unwrap();
    fs::hard_link(place.path("file"), place.path("hard")).unwrap();
    let names = ["file", "soft", "softer", "hard", "./file", "/proc/self/cwd/file"];
    let inode = fs::metadata(place.path("file")).unwrap().ino();
    for input in names {
        for output in names {
            let message = format!(
                "{output} is also an input ({input}): it would be overwritten; choose another file for the output, or --in-place"
            );
            place.run(&format!("{input} -o {output}")).is_usage(&message);
            place.run(&format!("other {input} -o {output}")).is_usage(&message);
        }
        let message = format!(
            "{input} is also an input (standard input): it would be overwritten; choose another file for the output, or --in-place"
        );
        place.run_from("hard", &format!("-o {input}")).is_usage(&message);
        place.run_from("hard", &format!("other - -o {input}")).is_usage(&message);
    }
    assert_eq!((place.read("file"), fs::metadata(place.path("hard")).unwrap().ino()), (b"text".to_vec(), inode));
    // A copy is another file, and standard input that is not read does not matter.
    place.run("file -o other").is_clean("");
    place.run_from("other", "file -o other").is_clean("");
}

#[test]
fn standard_output_that_goes_to_an_input_is_refused() {
    // With `>>` it would never come to an end.
    let place = Place::with([("file", b"text")]);
    let append = OpenOptions::new().append(true).open(place.path("file")).unwrap();
    let output = place.command("file").stdout(append).output().unwrap();
    Ran::from(output).is_usage(
        "standard output is also an input (file): it would be overwritten; choose another file for the output, or --in-place",
    );
    assert_eq!(place.read("file"), b"text");
}

#[test]
fn symbolic_links_are_followed_and_stay() {
    let place = Place::with([("in", b"text"), ("target", b"old")]);
    fs::create_dir(place.path("folder")).unwrap();
    symlink("../target", place.path("folder/link")).unwrap();
    symlink("folder/link", place.path("link")).unwrap();
    symlink("folder/not-there-yet", place.path("dangling")).unwrap();
    place.run("in -o link").is_clean("");
    assert_eq!(place.read("target"), b"text");
    place.run("in -o dangling").is_clean("");
    assert_eq!(place.read("folder/not-there-yet"), b"text");
    assert!(place.path("link").is_symlink() && place.path("folder/link").is_symlink());
    assert!(place.path("dangling").is_symlink());
    assert_eq!(place.names(), ["dangling", "folder", "in", "link", "target"]);

    symlink("loop", place.path("loop")).unwrap();
    assert_eq!(place.run("in -o loop").status, 3);
}

#[test]
fn a_device_is_written_to_directly() {
    let place = Place::with([("in", b"text")]);
    place.run("in -o /dev/null").is_clean("");
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    place.run("in -o /dev/stdout").is_clean("text");
    place.run("in /dev/null").is_clean("text");
    for arguments in ["in -o /dev/full", "in -t utf-16le -o /dev/full"] {
        place.run(arguments).says(3, "/dev/full: No space left on device (os error 28)");
    }
    let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    Ran::from(place.command("in").stdout(full).output().unwrap())
        .says(3, "standard output: No space left on device (os error 28)");
}

#[test]
fn standard_output_by_its_name_goes_behind_what_is_there() {
    let place = Place::with([("in", b"text"), ("out", b"before ")]);
    let append = OpenOptions::new().append(true).open(place.path("out")).unwrap();
    assert!(place.command("in -o /dev/stdout").stdout(append).status().unwrap().success());
    assert_eq!(place.read("out"), b"before text");
}

#[test]
fn fifos_are_read_and_written_directly() {
    let place = Place::with([("in", b"\x93\xFA\n")]);
    assert!(Command::new("mkfifo").args([place.path("one"), place.path("two")]).status().unwrap().success());
    let (one, two) = (place.path("one"), place.path("two"));
    let writer = thread::spawn(move || fs::write(one, b"\x96\x7B").unwrap());
    let reader = thread::spawn(move || fs::read(two).unwrap());
    place.run("-f shift_jis in one -o two").is_clean("");
    writer.join().unwrap();
    assert_eq!(reader.join().unwrap(), "日\n本".as_bytes());
    assert!(fs::metadata(place.path("two")).unwrap().file_type().is_fifo());
}

#[test]
fn a_missing_input_is_told_before_anything_is_written() {
    let place = Place::with([("in", b"text"), ("out", b"as it was")]);
    fs::create_dir(place.path("folder")).unwrap();
    place.run("in nothing -o out").says(3, "nothing: No such file or directory (os error 2)");
    place.run("in folder").says(3, "folder: is a directory");
    let ran = place.run("in nothing in neither -o new");
    assert_eq!((ran.status, ran.stdout.as_slice(), ran.stderr.lines().count()), (3, &b""[..], 2));
    assert!(ran.stderr.contains("textcodec: nothing: ") && ran.stderr.contains("textcodec: neither: "));
    assert_eq!(place.read("out"), b"as it was");
    assert_eq!(place.names(), ["folder", "in", "out"]);
    // Nothing of an input that is there, either.
    assert_eq!(place.run("in nothing").stdout, b"");
}

#[test]
fn a_target_that_cannot_be_is_told_before_anything_is_read() {
    let place = Place::with([("in", b"text")]);
    fs::create_dir(place.path("folder")).unwrap();
    place.run("in -o folder").says(3, "folder: is a directory");
    place.run("in -o no/such").says(3, "no/such: No such file or directory (os error 2)");
    place.run("in -o in/such").says(3, "in/such: Not a directory (os error 20)");
}

#[test]
fn a_reading_error_leaves_the_target() {
    let place = Place::with([("in", b"text"), ("out", b"as it was")]);
    // A directory as standard input can be opened, but not read.
    let ran = Ran::of(place.command("in - -o out").stdin(File::open(place.path("")).unwrap()));
    ran.says(3, "standard input: is a directory; nothing was written to out");
    assert_eq!((place.read("out"), place.names()), (b"as it was".to_vec(), vec!["in".to_owned(), "out".to_owned()]));
}

#[test]
fn the_target_is_as_it_was_until_all_is_converted() {
    let place = Place::with([("out", b"as it was")]);
    let mut child = place.command("-o out").stdin(Stdio::piped()).spawn().unwrap();
    let stdin = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut &stdin, &vec![b'a'; 100_000]).unwrap();
    assert_eq!(place.read("out"), b"as it was");
    let mut before = OpenOptions::new().read(true).open(place.path("out")).unwrap();
    drop(stdin);
    assert!(child.wait().unwrap().success());
    assert_eq!(place.read("out"), vec![b'a'; 100_000]);
    // Who has it open reads on in the old one.
    let mut text = String::new();
    before.read_to_string(&mut text).unwrap();
    assert_eq!(text, "as it was");
}
