//! Every command with too little memory, and conversions with too few file descriptors: they do all of their work, or say what
//! is lacking and end with status 3.
//!
//! The limit of memory is that of the address space (`ulimit -v`), in steps from the least with which `--version` runs to one with which
//! the command does its work.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::OnceLock,
};

use assert_cmd::cargo::cargo_bin;

use crate::common::Dir;

/// The commands, each with its arguments. `in.txt` and `tree` are in the directory; standard input is `in.txt`.
const CONVERSIONS: &[&str] = &[
    "convert -f windows-1252 in.txt",
    "convert -f windows-1252",
    "convert -f windows-1252 in.txt tree/0.txt -o out.txt",
    "convert -f windows-1252 in.txt -o tree/0.txt",
    "convert -f windows-1252 --in-place in.txt",
    "convert -f auto -t utf-16le --in-place=.bak in.txt tree/1.txt tree/2.txt",
    "convert -f windows-1252 -r --in-place tree",
    "convert -f windows-1252 -r --in-place --no-sync -j 8 tree",
    "convert -f auto -r --output-dir out tree",
    "convert -f windows-1252 -t iso-2022-jp --unmappable=translit --normalize=nfc --report=json in.txt -o out.txt",
    "iconv -f CP1252 -t UTF-8 in.txt",
    "iconv -f CP1252 -t ASCII//TRANSLIT -o out.txt",
];

const EXAMINATIONS: &[&str] = &[
    "check in.txt",
    "check -r tree --to koi8-r -j 8",
    "check --json in.txt",
    "detect -r tree",
    "detect",
    "inspect €",
    "inspect --bytes E9",
    "list",
    "list --json",
];

const DOCUMENTS: &[&str] = &[
    "index jis0208",
    "index --format json big5",
    "index --visualize out",
    "iconv -l",
    "man convert",
    "man --output-dir out",
    "completions bash",
    "completions fish",
    "convert --help",
    "help",
];

#[test]
fn a_third_of_the_commands_end_properly_without_memory() {
    all_in_steps(commands().step_by(3), 6);
}

#[test]
#[ignore = "minutes; `cargo xtask limits` runs it"]
fn all_commands_end_properly_with_any_memory() {
    all_in_steps(commands(), 150);
}

#[test]
fn conversions_end_properly_without_file_descriptors() {
    // `iconv` ends with status 1, like the program of that name.
    for arguments in CONVERSIONS.iter().filter(|arguments| arguments.starts_with("convert")) {
        let expected = Expected::of(arguments);
        // With three, the C library cannot be loaded.
        for files in [4, 5, 6, 8] {
            let _ = expected.check(&format!("-n {files}"), &["Too many open files"]);
        }
    }
}

fn commands() -> impl Iterator<Item = &'static str> {
    [CONVERSIONS, EXAMINATIONS, DOCUMENTS].into_iter().flatten().copied()
}

fn all_in_steps(commands: impl Iterator<Item = &'static str>, steps: u64) {
    for arguments in commands {
        in_steps(arguments, steps);
    }
}

/// Runs a command with limits in this number of steps, the last of which suffices.
fn in_steps(arguments: &str, steps: u64) {
    let (expected, least) = (Expected::of(arguments), least());
    let is_enough = |kib: u64| run(arguments, &memory(kib)).1.status == expected.output.status;
    let most = (10..22).map(|bits| least + (1 << bits)).find(|&kib| is_enough(kib)).expect("works with 4 GiB");
    let limits = (0..=steps).map(|step| memory(least + (most - least) * step / steps));
    let ended = limits.filter(|limit| !expected.check(limit, &["out of memory", "allocate memory"])).count();
    eprintln!("{arguments}: {ended} of {} runs ended early; from {least} to {most} KiB", steps + 1);
}

/// The result of a command without limits.
struct Expected<'a> {
    arguments: &'a str,
    before: BTreeMap<PathBuf, Vec<u8>>,
    after: BTreeMap<PathBuf, Vec<u8>>,
    output: Output,
}

impl<'a> Expected<'a> {
    fn of(arguments: &'a str) -> Self {
        let before = snapshot(&prepared());
        let (dir, output) = run(arguments, "-v unlimited");
        assert!(output.status.code().is_some_and(|status| status < 2), "{arguments}: {output:?}");
        Self { arguments, before, after: snapshot(&dir), output }
    }

    /// Runs the command with a limit. It must do the same, and then this returns true, or end with status 3 and one of these
    /// messages. Then each file must be complete or unchanged.
    fn check(&self, limit: &str, messages: &[&str]) -> bool {
        let (dir, output) = run(self.arguments, limit);
        let found = snapshot(&dir);
        let stderr = String::from_utf8_lossy(&output.stderr);
        let what = format!("{}, with ulimit {limit}: {}: {stderr}", self.arguments, output.status);
        if output.status == self.output.status {
            assert_eq!((&*stderr, &found), (&*String::from_utf8_lossy(&self.output.stderr), &self.after), "{what}");
            assert!(output.stdout == self.output.stdout, "{what}");
            return true;
        }
        assert_eq!(output.status.code(), Some(3), "{what}");
        assert!(messages.iter().any(|message| stderr.contains(message)), "{what}");
        assert!(!stderr.contains("panic"), "{what}");
        for name in self.before.keys() {
            assert!(found.contains_key(name), "{what}: {} is missing", name.display());
        }
        for (name, text) in &found {
            let is_complete = Some(text) == self.after.get(name) || Some(text) == self.before.get(name);
            assert!(is_complete, "{what}: {} has {} bytes", name.display(), text.len());
        }
        false
    }
}

/// The least memory with which `--version` runs, in KiB.
fn least() -> u64 {
    static LEAST: OnceLock<u64> = OnceLock::new();

    *LEAST.get_or_init(|| {
        let (mut too_few, mut enough) = (0, 1 << 20);
        while enough - too_few > 32 {
            let kib = u64::midpoint(too_few, enough);
            if run("--version", &memory(kib)).1.status.success() { enough = kib } else { too_few = kib }
        }
        enough
    })
}

fn memory(kib: u64) -> String {
    format!("-v {kib}")
}

/// Creates a directory with files for the commands.
fn prepared() -> Dir {
    let text = "Voilà l’été, « où » naître, élève ; the quick brown fox.\r\n";
    let text = textcodec::WINDOWS_1252.encode(text).unwrap().into_owned();
    let dir = Dir::with([("in.txt", &text.repeat(20_000))]);
    let tree = dir.path("tree");
    fs::create_dir(&tree).unwrap();
    for n in 0..20 {
        fs::write(tree.join(format!("{n}.txt")), text.repeat(n + 1)).unwrap();
    }
    dir
}

/// Runs the program in a prepared directory, with a limit of the shell's command `ulimit`.
fn run(arguments: &str, limit: &str) -> (Dir, Output) {
    let dir = prepared();
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit {limit} && exec \"$@\""), "sh"]);
    command.arg(cargo_bin!("textcodec")).args(arguments.split_whitespace());
    let stdin = fs::File::open(dir.path("in.txt")).unwrap();
    let output = command.current_dir(dir.path("")).stdin(Stdio::from(stdin)).output().unwrap();
    (dir, output)
}

/// Returns the content of all files in a directory, by their paths.
fn snapshot(dir: &Dir) -> BTreeMap<PathBuf, Vec<u8>> {
    fn add(path: &Path, root: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
        for entry in fs::read_dir(path).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                add(&path, root, files);
            } else {
                files.insert(path.strip_prefix(root).unwrap().to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    let (mut files, root) = (BTreeMap::new(), dir.path(""));
    add(&root, &root, &mut files);
    files
}
