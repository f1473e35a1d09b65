//! Help texts, manual pages and completions.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

use crate::common::{Dir, RunResult};

/// The commands whose examples are run here. Those of `convert` are tested in `usage.rs`.
const COMMANDS: [&str; 5] = ["check", "list", "inspect", "completions", "man"];

fn has(program: &str) -> bool {
    let found = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    if !found {
        eprintln!("SKIPPED: no {program}");
        let is_strict = cfg!(unix) && std::env::var("CI_STRICT").as_deref() == Ok("1");
        assert!(!is_strict, "no {program}");
    }
    found
}

fn help(command: &str) -> String {
    let result = RunResult::of(&mut Dir::new().textcodec(&format!("{command} --help")));
    assert_eq!((result.status, result.stderr.as_str()), (0, ""));
    String::from_utf8(result.stdout).unwrap()
}

/// Creates a directory with the files that the examples use.
#[cfg(unix)]
fn files() -> Dir {
    let log = [&[b'a'; 159][..], b"\xE9t\xE9 caf\xC3\xA9\n\xFF"].concat();
    Dir::with([
        ("data.csv", b"1,2\n"),
        ("old.txt", b"\x93\xFA \x82"),
        ("page.html", "a 字".as_bytes()),
        ("broken.log", &log),
        ("names.txt", b"Ann\nRobert\nR\xE9mi\n"),
    ])
}

// The examples are for the shells of Unix.
#[cfg(unix)]
#[test]
fn the_examples_in_help_work() {
    let binary = assert_cmd::cargo::cargo_bin!("textcodec");
    let mut path = binary.parent().unwrap().as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap());
    let mut count = 0;
    for command in COMMANDS {
        let help = help(command);
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{command}");
        // In order, because an example may use the output of an earlier one.
        let dir = files();
        fs::create_dir(dir.path("notes")).unwrap();
        let (_, examples) = help.split_once("\nExamples:\n").unwrap();
        for line in examples.lines().filter_map(|line| line.strip_prefix("      ")) {
            if line.contains("man -l") && !has("man") {
                continue;
            }
            let script = Command::new("sh")
                .args(["-c", line])
                .current_dir(dir.path(""))
                .env("HOME", dir.path(""))
                .env("PATH", &path)
                .stdin(Stdio::null())
                .output()
                .unwrap();
            let result = RunResult::from(script);
            let finds = line.starts_with("textcodec check -f") || line.contains("--to windows-1252");
            assert_eq!(result.status, i32::from(finds), "{line}: {}", result.stderr);
            assert!(finds || result.stderr.is_empty() || line.contains("broken.log"), "{line}: {}", result.stderr);
            count += 1;
        }
        if command == "man" {
            assert!(dir.path(".local/share/man/man1/textcodec-inspect.1").is_file());
        }
    }
    assert!(count >= 20, "{count}");
}

/// Longer lines are wrapped without indenting them. Only an example of `completions` cannot be shorter.
#[test]
fn lists_and_examples_fit_80_columns() {
    for command in ["convert", "detect", "check", "inspect", "list", "index", "iconv", "man"] {
        let help = help(command);
        let (_, after) = help.split_once("Print help").unwrap();
        let long = after.lines().find(|line| line.starts_with(' ') && line.chars().count() > 80);
        assert_eq!(long, None, "{command}");
    }
}

#[test]
fn the_output_shown_in_the_help_of_check_is_real() {
    let dir = Dir::with([
        ("a.csv", b"ok\r\nna\xFFve"),
        ("page.html", "a ✓".as_bytes()),
        ("names.txt", b"Ann\nRobert\nW\xDF\n"),
        ("b.csv", b"\xEF\xBB\xBFok\n"),
    ]);
    let help = help("check");
    for arguments in ["a.csv", "--to windows-1252 page.html", "-f ascii names.txt", "-f ascii b.csv"] {
        let result = RunResult::of(&mut dir.textcodec(&format!("check {arguments}")));
        assert!(help.contains(&format!("\n  {}", String::from_utf8(result.stdout).unwrap())), "{arguments}");
    }
}

#[test]
fn errors_of_the_system_are_printed_without_their_numbers() {
    let dir = Dir::with([("file", b"")]);
    for (arguments, message) in [
        ("man --output-dir file", "file: cannot create this directory: File exists"),
        ("index --visualize file", "file: cannot create this directory: File exists"),
        ("check missing", "missing: No such file or directory"),
        ("detect file/missing", "file/missing: Not a directory"),
    ] {
        RunResult::of(&mut dir.textcodec(arguments)).assert_message(3, message);
    }
}

#[test]
fn every_command_has_a_manual_page_without_errors() {
    let dir = Dir::new();
    RunResult::of(&mut dir.textcodec("man --output-dir new/man1")).assert_clean("");
    let directory = dir.path("new/man1");
    let mut pages: Vec<_> = fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    pages.sort();
    for name in ["", "-convert", "-check", "-list", "-inspect", "-completions", "-man"] {
        let path = directory.join(format!("textcodec{name}.1"));
        assert!(pages.contains(&path), "{name}");
        // The command prints the same page.
        let result = RunResult::of(&mut dir.textcodec(&format!("man {}", name.trim_start_matches('-'))));
        result.assert_clean(fs::read(&path).unwrap());
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
    RunResult::of(&mut dir.textcodec("man nothing")).assert_usage_of("man");
}

#[test]
fn the_synopsis_of_a_page_is_the_usage_in_the_help() {
    let dir = Dir::new();
    for command in ["", "convert", "detect", "check", "inspect", "list", "index", "iconv", "completions", "man"] {
        let help = help(command);
        let (_, usage) = help.split_once("Usage: ").unwrap();
        let usage: Vec<_> = usage.lines().take_while(|line| !line.is_empty()).map(str::trim).collect();
        let page = String::from_utf8(RunResult::of(&mut dir.textcodec(&format!("man {command}"))).stdout).unwrap();
        let (_, synopsis) = page.split_once(".SH SYNOPSIS\n").unwrap();
        let synopsis = synopsis.split_once("\n.SH").unwrap().0.replace("\n.br\n", "\n");
        let synopsis = ["\\fB", "\\fR", "\\"].iter().fold(synopsis, |text, roff| text.replace(roff, ""));
        assert_eq!(synopsis.lines().collect::<Vec<_>>(), usage, "{command}");
    }
}

/// Formats a page for a terminal. Fails on warnings.
fn format_page(path: &Path) -> String {
    let mut command = Command::new("groff");
    let result = RunResult::of(command.args(["-man", "-Tutf8", "-ww", "-P-c"]).arg(path));
    assert_eq!((result.status, result.stderr.as_str()), (0, ""), "{}", path.display());
    String::from_utf8(result.stdout).unwrap()
}

#[test]
fn completions_contain_commands_options_and_encodings() {
    let dir = Dir::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let result = RunResult::of(&mut dir.textcodec(&format!("completions {shell}")));
        assert_eq!((result.status, result.stderr.as_str()), (0, ""));
        let script = String::from_utf8(result.stdout.clone()).unwrap();
        for word in COMMANDS.into_iter().chain(["convert", "max-count", "unmappable", "min-confidence", "candidates"]) {
            assert!(script.contains(word), "{shell} {word}");
        }
        // Completions for Elvish and PowerShell contain no values of options.
        if ["bash", "zsh", "fish"].contains(&shell) {
            assert!(script.contains("windows-1252") && script.contains("shift_jis"), "{shell}");
            fs::write(dir.path(shell), &result.stdout).unwrap();
            if has(shell) {
                let checked = RunResult::of(Command::new(shell).args(["-n"]).arg(dir.path(shell)));
                assert_eq!((checked.status, checked.stderr.as_str()), (0, ""), "{shell}");
            }
            // Also where a file has a name of one letter, which a pattern would match.
            if ["bash", "fish"].contains(&shell) && has(shell) {
                fs::write(dir.path("x"), "").unwrap();
                let load = format!("source {}", dir.path(shell).display());
                let loaded = RunResult::of(Command::new(shell).args(["-c", &load]).current_dir(dir.path("")));
                assert_eq!((loaded.status, &*loaded.stdout, loaded.stderr.as_str()), (0, &b""[..], ""), "{shell}");
            }
        }
        let words = script.split_whitespace().map(|word| word.trim_matches(['"', '\'']));
        assert_eq!(words.filter(|word| ["?", "-?"].contains(word)).count(), 0, "{shell}");
    }
    assert_eq!(RunResult::of(&mut dir.textcodec("completions tcsh")).status, 2);
}

#[test]
fn bash_completes_an_encoding() {
    if !has("bash") {
        return;
    }
    let dir = Dir::new();
    let script = RunResult::of(&mut dir.textcodec("completions bash")).stdout;
    fs::write(dir.path("textcodec.bash"), script).unwrap();
    let complete = "source ./textcodec.bash; COMP_WORDS=(textcodec check -f koi); COMP_CWORD=3; \
                    _textcodec textcodec koi -f; echo ${COMPREPLY[@]}";
    RunResult::of(Command::new("bash").args(["-c", complete]).current_dir(dir.path("")))
        .assert_clean("koi8-r koi8-u\n");
}
