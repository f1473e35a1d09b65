//! Output on a terminal, which `script` provides.

use crate::common::{self, Dir, has_terminal};

/// Runs a shell command on a terminal and returns what was written to the terminal.
fn on_terminal(dir: &Dir, shell: &str) -> String {
    let (status, seen) = common::on_terminal(dir, shell);
    assert_eq!(status, 0, "{seen:?}");
    seen
}

#[test]
fn a_progress_bar_appears_after_one_second() {
    if !has_terminal() {
        return;
    }
    let dir = Dir::with([("in", b"text")]);
    let slow = "(echo a; sleep 2; echo b) | textcodec convert - -o out";
    assert!(on_terminal(&dir, slow).contains("B/s"));
    assert_eq!(dir.read("out"), b"a\nb\n");
    // No bar for short work, with the text on the terminal, with standard error redirected, or with -q. The short work
    // redirects its output because `-o` syncs, which may take over a second on a busy disk.
    assert_eq!(on_terminal(&dir, "textcodec convert in > out"), "");
    assert_eq!(on_terminal(&dir, "(echo a; sleep 2; echo b) | textcodec convert").replace('\r', ""), "a\nb\n");
    assert_eq!(on_terminal(&dir, &format!("{slow} 2>errors")), "");
    assert_eq!(on_terminal(&dir, &format!("{slow} -q")), "");
    assert_eq!(dir.read("errors"), b"");
}

#[test]
fn messages_do_not_mix_with_the_bar() {
    if !has_terminal() {
        return;
    }
    let dir = Dir::new();
    let seen = on_terminal(&dir, "(sleep 2; printf '\\377') | textcodec convert -f utf-8 - -o out || true");
    let message = "textcodec: standard input: 1 malformed sequence replaced by U+FFFD";
    // The message follows the sequence that clears the line.
    let before = seen.split_once(message).unwrap_or_else(|| panic!("{seen:?}")).0;
    assert!(before.contains("B/s") && before.ends_with("\u{1b}[2K"), "{seen:?}");
}

#[test]
fn a_progress_bar_appears_only_if_the_output_goes_to_a_file() {
    if !has_terminal() {
        return;
    }
    for command in ["iconv", "convert"] {
        let dir = Dir::new();
        let slow = &format!("(echo a; sleep 2; echo b) | textcodec {command}");
        assert!(on_terminal(&dir, &format!("{slow} -o out")).contains("B/s"));
        assert_eq!(dir.read("out"), b"a\nb\n");
        assert_eq!(on_terminal(&dir, &format!("{slow} | cat")).replace('\r', ""), "a\nb\n");
        assert_eq!(on_terminal(&dir, slow).replace('\r', ""), "a\nb\n");
    }
}

#[test]
fn messages_begin_at_the_start_of_a_line() {
    let message = "textcodec: standard input: ";
    let text_and_message = |seen: &str, text: &str, context: &str| {
        let (before, _) = seen.split_once(message).unwrap_or_else(|| panic!("{context}: {seen:?}"));
        assert_eq!(before.replace('\r', ""), text, "{context}");
    };
    for command in ["convert", "convert --strict", "convert -t windows-1252", "iconv", "iconv -c"] {
        for (text, expected) in [("abc", "abc\n"), ("abc\\n", "abc\n"), ("", "")] {
            let shell = format!("printf '{text}\\377' | textcodec {command}");
            // With U+FFFD, there is more text.
            let expected =
                if command == "convert" { &*format!("{}\u{FFFD}\n", text.replace("\\n", "\n")) } else { expected };
            let dir = Dir::new();
            if has_terminal() {
                let (_, seen) = common::on_terminal(&dir, &shell);
                text_and_message(&seen, expected, &shell);
            }
            let program = assert_cmd::cargo::cargo_bin!("textcodec").display().to_string();
            let shell = shell.replace("textcodec", &program);
            let run = |shell: &str| std::process::Command::new("sh").args(["-c", shell]).output().unwrap();
            let both = run(&format!("({shell}) 2>&1"));
            text_and_message(&String::from_utf8_lossy(&both.stdout), expected, &shell);
            // The output itself has no line feed more.
            let apart = run(&shell);
            assert!(apart.stderr.starts_with(message.as_bytes()), "{shell}");
            assert_eq!(
                apart.stdout.ends_with(b"\n"),
                expected == "abc\n" && text.ends_with('n') && command != "convert",
                "{shell}"
            );
        }
    }
}
