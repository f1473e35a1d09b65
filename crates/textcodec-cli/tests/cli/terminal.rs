//! What is seen on a terminal, which `script` makes.

use std::process::{Command, Stdio};

use assert_cmd::cargo::cargo_bin;

use crate::common::Place;

/// Runs a shell command on a terminal and gives what the terminal has got.
fn on_terminal(place: &Place, shell: &str) -> String {
    let shell = shell.replace("textcodec", &cargo_bin!("textcodec").display().to_string());
    let output = Command::new("script")
        .args(["-qec", &shell, "/dev/null"])
        .env("TERM", "xterm")
        .current_dir(place.path(""))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn there_is_a_bar_for_work_that_takes_longer_than_a_second() {
    let place = Place::with([("in", b"text")]);
    let slow = "(echo a; sleep 2; echo b) | textcodec convert - -o out";
    assert!(on_terminal(&place, slow).contains("B/s"));
    assert_eq!(place.read("out"), b"a\nb\n");
    // Not for short work, not where text goes to the terminal, not where nobody sees it, and not if nobody wants it.
    assert_eq!(on_terminal(&place, "textcodec convert in -o out"), "");
    assert_eq!(on_terminal(&place, "(echo a; sleep 2; echo b) | textcodec convert").replace('\r', ""), "a\nb\n");
    assert_eq!(on_terminal(&place, &format!("{slow} 2>errors")), "");
    assert_eq!(on_terminal(&place, &format!("{slow} -q")), "");
    assert_eq!(place.read("errors"), b"");
}

#[test]
fn messages_do_not_end_up_within_the_bar() {
    let place = Place::new();
    let seen = on_terminal(&place, "(sleep 2; printf '\\377') | textcodec convert -f utf-8 - -o out || true");
    let message = "textcodec: standard input: 1 malformed sequence replaced by U+FFFD";
    // Behind what clears the line.
    let before = seen.split_once(message).unwrap_or_else(|| panic!("{seen:?}")).0;
    assert!(before.contains("B/s") && before.ends_with("\u{1b}[2K"), "{seen:?}");
}

#[test]
fn there_is_a_bar_only_where_nobody_reads_the_output() {
    for command in ["iconv", "convert"] {
        let place = Place::new();
        let slow = &format!("(echo a; sleep 2; echo b) | textcodec {command}");
        assert!(on_terminal(&place, &format!("{slow} -o out")).contains("B/s"));
        assert_eq!(place.read("out"), b"a\nb\n");
        assert_eq!(on_terminal(&place, &format!("{slow} | cat")).replace('\r', ""), "a\nb\n");
        assert_eq!(on_terminal(&place, slow).replace('\r', ""), "a\nb\n");
    }
}
