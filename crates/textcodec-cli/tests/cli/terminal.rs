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
