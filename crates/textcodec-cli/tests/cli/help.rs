//! Help texts, manual pages and completions of the commands.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

use assert_cmd::cargo::cargo_bin;

use crate::common::{Place, Ran};

/// The commands whose examples are run here. Those of `convert` have a test of their own.
const COMMANDS: [&str; 5] = ["check", "list", "inspect", "completions", "man"];

fn has(program: &str) -> bool {
    let found = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    if !found {
        eprintln!("SKIPPED: no {program}");
        assert_ne!(std::env::var("CI_STRICT").as_deref(), Ok("1"), "no {program}");
    }
    found
}

fn help(command: &str) -> String {
    let ran = Ran::of(&mut Place::new().textcodec(&format!("{command} --help")));
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    String::from_utf8(ran.stdout).unwrap()
}

/// A folder with the files that the examples name.
fn files() -> Place {
    let log = [&[b'a'; 159][..], b"\xE9t\xE9 caf\xC3\xA9\n\xFF"].concat();
    Place::with([
        ("data.csv", b"1,2\n"),
        ("old.txt", b"\x93\xFA \x82"),
        ("page.html", "a 字".as_bytes()),
        ("broken.log", &log),
    ])
}

#[test]
fn the_examples_in_help_work() {
    let binary = cargo_bin!("textcodec");
    let mut path = binary.parent().unwrap().as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap());
    let mut count = 0;
    for command in COMMANDS {
        let help = help(command);
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{command}");
        // In the order of the text: a later one may need what an earlier one has made.
        let place = files();
        let (_, examples) = help.split_once("\nExamples:\n").unwrap();
        for line in examples.lines().filter_map(|line| line.strip_prefix("      ")) {
            if line.contains("man -l") && !has("man") {
                continue;
            }
            let script = Command::new("sh")
                .args(["-c", line])
                .current_dir(place.path(""))
                .env("HOME", place.path(""))
                .env("PATH", &path)
                .stdin(Stdio::null())
                .output()
                .unwrap();
            let ran = Ran::from(script);
            let finds = line.starts_with("textcodec check -f") || line.contains("--to windows-1252");
            assert_eq!(ran.status, i32::from(finds), "{line}: {}", ran.stderr);
            assert!(finds || ran.stderr.is_empty() || line.contains("broken.log"), "{line}: {}", ran.stderr);
            count += 1;
        }
        if command == "man" {
            assert!(place.path(".local/share/man/man1/textcodec-inspect.1").is_file());
        }
    }
    assert!(count >= 20, "{count}");
}

#[test]
fn every_command_has_a_page_that_formats() {
    let place = Place::new();
    Ran::of(&mut place.textcodec("man --output-dir new/man1")).is_clean("");
    let directory = place.path("new/man1");
    let mut pages: Vec<_> = fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    pages.sort();
    for name in ["", "-convert", "-check", "-list", "-inspect", "-completions", "-man"] {
        let path = directory.join(format!("textcodec{name}.1"));
        assert!(pages.contains(&path), "{name}");
        // Printed one by one, they are the same.
        let ran = Ran::of(&mut place.textcodec(&format!("man {}", name.trim_start_matches('-'))));
        ran.is_clean(fs::read(&path).unwrap());
        let page = fs::read_to_string(&path).unwrap();
        assert!(page.contains(".SH NAME") && page.contains(".SH \"SEE ALSO\""), "{name}");
        if has("groff") {
            let formatted = format_page(&path);
            assert!(formatted.contains(&format!("textcodec{name}")), "{formatted}");
            assert!(!formatted.contains("EXTRA"), "{formatted}");
        }
    }
    let check = fs::read_to_string(directory.join("textcodec-check.1")).unwrap();
    assert!(check.contains(".SH EXAMPLES\n.nf\n") && check.contains("\n    textcodec check data.csv\n"), "{check}");
    Ran::of(&mut place.textcodec("man nothing")).is_usage_of("man");
}

/// What a terminal would show. A warning is a failure.
fn format_page(path: &Path) -> String {
    let mut command = Command::new("groff");
    let ran = Ran::of(command.args(["-man", "-Tutf8", "-ww", "-P-c"]).arg(path));
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", path.display());
    String::from_utf8(ran.stdout).unwrap()
}

#[test]
fn completions_are_scripts_with_commands_options_and_encodings() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = Ran::of(&mut place.textcodec(&format!("completions {shell}")));
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
        let script = String::from_utf8(ran.stdout.clone()).unwrap();
        for word in COMMANDS.into_iter().chain(["convert", "max-count", "unmappable"]) {
            assert!(script.contains(word), "{shell} {word}");
        }
        // Elvish and PowerShell complete no values.
        if ["bash", "zsh", "fish"].contains(&shell) {
            assert!(script.contains("windows-1252") && script.contains("shift_jis"), "{shell}");
            fs::write(place.path(shell), &ran.stdout).unwrap();
            if has(shell) {
                let checked = Ran::of(Command::new(shell).args(["-n"]).arg(place.path(shell)));
                assert_eq!((checked.status, checked.stderr.as_str()), (0, ""), "{shell}");
            }
        }
    }
    assert_eq!(Ran::of(&mut place.textcodec("completions tcsh")).status, 2);
}

#[test]
fn bash_completes_an_encoding() {
    if !has("bash") {
        return;
    }
    let place = Place::new();
    let script = Ran::of(&mut place.textcodec("completions bash")).stdout;
    fs::write(place.path("textcodec.bash"), script).unwrap();
    let complete = "source ./textcodec.bash; COMP_WORDS=(textcodec check -f koi); COMP_CWORD=3; \
                    _textcodec textcodec koi -f; echo ${COMPREPLY[@]}";
    Ran::of(Command::new("bash").args(["-c", complete]).current_dir(place.path(""))).is_clean("koi8-r koi8-u\n");
}
