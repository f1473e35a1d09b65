//! What is printed at a terminal, and what in a pipe: width, colours and names.

use std::{fs, os::unix::ffi::OsStrExt as _, path::Path};

use unicode_width::UnicodeWidthStr;

use crate::common::{Dir, has_terminal, on_terminal, samples};

/// Runs `textcodec` at a terminal with this number of columns, and returns the lines.
fn lines(dir: &Dir, columns: u32, arguments: &str) -> Vec<String> {
    let (_, seen) = on_terminal(dir, &format!("stty cols {columns} rows 24; textcodec {arguments}"));
    seen.replace('\r', "").lines().map(str::to_owned).collect()
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

#[test]
fn lines_fit_the_terminal_and_are_not_wrapped_in_a_pipe() {
    if !has_terminal() {
        return;
    }
    let dir = Dir::new();
    fs::copy(samples().join("broken-utf-8.log"), dir.path("broken.log")).unwrap();
    for (arguments, columns) in [
        ("detect broken.log", 70),
        ("detect broken.log", 40),
        ("check --to latin1 broken.log", 60),
        ("detect -a broken.log", 60),
        ("list", 60),
        ("list --labels shift_jis", 60),
        ("list shift_jis windows-1252", 50),
        ("inspect €", 50),
        ("inspect -f utf-8 --bytes F09F8E C3", 50),
        ("inspect --bytes A4", 50),
    ] {
        let seen = lines(&dir, columns, &format!("{arguments} 2>errors"));
        let arguments: Vec<_> = arguments.split(' ').collect();
        let piped = dir.textcodec("").args(&arguments).env("CLICOLOR_FORCE", "1").output().unwrap();
        let piped = String::from_utf8(piped.stdout).unwrap();
        assert!(seen.iter().any(|line| line.starts_with(' ')), "{arguments:?} {seen:#?}");
        let too_wide = |line: &&String| without_colors(line).width() > columns as usize;
        assert_eq!(seen.iter().find(too_wide), None, "{arguments:?}");
        assert!(seen.len() > piped.lines().count(), "{arguments:?} {seen:#?}");
        // A table has the words in another order.
        let (seen, piped) = (without_colors(&seen.join("\n")), without_colors(&piped));
        let (mut seen, mut piped) = (words(&seen), words(&piped));
        seen.sort_unstable();
        piped.sort_unstable();
        assert_eq!(seen, piped, "{arguments:?}");
    }
}

#[test]
fn help_fits_a_terminal_even_if_it_does_not_know_the_number_of_its_lines() {
    if !has_terminal() {
        return;
    }
    let dir = Dir::new();
    let commands = ["convert", "detect", "check", "inspect", "list", "index", "iconv", "completions", "man"];
    for arguments in commands.iter().flat_map(|command| [format!("{command} -h"), format!("{command} --help")]) {
        for (columns, rows) in [(60, 0), (90, 24)] {
            let (_, seen) = on_terminal(&dir, &format!("stty cols {columns} rows {rows}; textcodec {arguments}"));
            // Usage is not wrapped. Lists of values are wrapped as if their colours had a width.
            let is_usage = |line: &str| line.contains("Usage: ") || line.starts_with("       textcodec ");
            let seen = without_colors(&seen.replace('\r', ""));
            let widest = seen.lines().filter(|line| !is_usage(line)).map(UnicodeWidthStr::width).max().unwrap();
            assert!(widest <= columns && widest > columns / 2, "{arguments} at {columns}: {widest}");
        }
    }
    // Other output, too.
    for arguments in ["list", "detect nothing"] {
        let (_, seen) = on_terminal(&dir, &format!("stty cols 50 rows 0; textcodec {arguments}"));
        let widest = seen.replace('\r', "").lines().map(|line| without_colors(line).width()).max().unwrap();
        assert!(widest <= 50, "{arguments}: {widest}");
    }
}

#[test]
fn tables_break_no_names_and_numbers_at_any_width() {
    if !has_terminal() {
        return;
    }
    let dir = Dir::new();
    for (arguments, widths) in [
        ("list", &[40, 50, 60, 80][..]),
        ("list shift_jis windows-1252", &[30, 40, 60]),
        ("inspect €", &[24, 40]),
        ("inspect -f utf-8 --bytes F09F8E C3", &[20, 40]),
    ] {
        let piped = dir.textcodec(arguments).output().unwrap();
        let piped = String::from_utf8(piped.stdout).unwrap();
        let mut expected = words(&piped);
        expected.sort_unstable();
        for &columns in widths {
            let seen = lines(&dir, columns, arguments);
            assert_eq!(seen.iter().find(|line| line.width() > columns as usize), None, "{arguments} {columns}");
            let seen = seen.join("\n");
            let mut seen = words(&seen);
            seen.sort_unstable();
            assert_eq!(seen, expected, "{arguments} {columns}");
        }
    }
    let seen = lines(&dir, 40, "list");
    assert_eq!(seen[0], "NAME            CHARACTERS  BYTES");
    let at = seen.iter().position(|line| line.starts_with("ISO-8859-2")).unwrap();
    let expected =
        ["ISO-8859-2             256  1", "    Central European, such as Polish,", "    Czech and Hungarian"];
    assert_eq!(seen[at..at + 3], expected);
    // In fewer columns, words are still whole.
    let seen = lines(&dir, 20, "list").join(" ");
    assert!(words(&seen).contains(&"1,112,064") && words(&seen).contains(&"ISO-8859-8-I"), "{seen}");
}

#[test]
fn the_progress_bar_fits_the_terminal() {
    if !has_terminal() {
        return;
    }
    std::thread::scope(|scope| {
        for columns in [20, 30, 40, 60, 80, 120] {
            scope.spawn(move || {
                let dir = Dir::with([("in", &b"a".repeat(1 << 20))]);
                // The output is slow. Of the input, the size is known.
                let slow = "mkfifo out; (sleep 2; cat) < out > /dev/null & textcodec convert in -o out; \
                            sleep 2 | textcodec convert - > typed";
                let (_, seen) = on_terminal(&dir, &format!("stty cols {columns} rows 24; {slow}"));
                let frames: Vec<_> =
                    seen.split(['\r', '\u{1B}']).filter(|frame| frame.contains('B') || frame.contains('%')).collect();
                assert!(frames.iter().any(|frame| frame.contains('%')), "{columns} {seen:?}");
                assert!(frames.iter().any(|frame| !frame.contains('%')), "{columns} {seen:?}");
                // A control sequence such as [2K may come first.
                let text = |frame: &str| frame.trim_start_matches("[2K").trim_end().width();
                assert!(frames.iter().all(|frame| text(frame) <= columns), "{columns} {seen:?}");
            });
        }
    });
}

#[test]
fn counts_stay_aligned_at_a_narrow_terminal() {
    let piped = Dir::new().textcodec("list shift_jis").output().unwrap().stdout;
    assert!(String::from_utf8(piped).unwrap().contains("\n                   1 control character (C1)\n"));
    if !has_terminal() {
        return;
    }
    for columns in [30, 40] {
        let seen = lines(&Dir::new(), columns, "list shift_jis");
        let ends: Vec<_> = ["128 ASCII", "6,716 Han", "32 box drawing", "1 control character", "243 symbols,"]
            .map(|count| {
                let line = seen.iter().find(|line| line.trim().starts_with(count));
                let line = line.unwrap_or_else(|| panic!("{count} {seen:#?}"));
                line.len() - line.trim_start().len() + count.find(' ').unwrap()
            })
            .into();
        assert!(ends.iter().all(|end| *end == ends[0]), "{columns} {ends:?}");
    }
}

/// Removes the sequences that set colours.
fn without_colors(text: &str) -> String {
    let (first, rest) = text.split_once('\u{1B}').map_or((text, None), |(first, rest)| (first, Some(rest)));
    let Some(rest) = rest else { return first.to_owned() };
    let (_, rest) = rest.split_once('m').unwrap();
    first.to_owned() + &without_colors(rest)
}

#[test]
fn colors_follow_the_terminal_and_the_environment() {
    let dir = Dir::with([("bad", b"\xFF"), ("text", b"abc")]);
    let location = "\u{1B}[1mbad:1:1:\u{1B}[0m malformed";
    let confidence = "\u{1B}[32mhigh    \u{1B}[0m";
    for (arguments, expected) in [("check bad", location), ("detect text", confidence)] {
        let output = |variable, value| {
            let output = dir.textcodec(arguments).env_remove("NO_COLOR").env(variable, value).output().unwrap();
            String::from_utf8(output.stdout).unwrap()
        };
        assert!(!output("NO_COLOR", "").contains('\u{1B}'));
        assert!(output("CLICOLOR_FORCE", "1").contains(expected), "{:?}", output("CLICOLOR_FORCE", "1"));
        if has_terminal() {
            assert!(lines(&dir, 100, arguments)[0].contains(expected));
            let (_, seen) = on_terminal(&dir, &format!("NO_COLOR=1 textcodec {arguments}"));
            assert!(!seen.contains('\u{1B}'), "{seen:?}");
        }
    }
}

#[test]
fn names_are_printed_unchanged_in_a_pipe_and_escaped_at_a_terminal() {
    let dir = Dir::new();
    let name = std::ffi::OsStr::from_bytes(b"a\n\x1B[31m\xE9");
    if fs::write(dir.path("").join(name), b"\xFF").is_err() {
        eprintln!("SKIPPED: the file system does not allow such names");
        return;
    }
    for command in ["check", "detect", "check -l", "detect -L -e utf-16"] {
        let output = dir.textcodec(command).arg(name).output().unwrap();
        assert!(output.stdout.starts_with(name.as_bytes()), "{command} {}", output.stdout.escape_ascii());
        let missing = Path::new(std::ffi::OsStr::from_bytes(b"no\xE9"));
        let output = dir.textcodec(command).arg(missing).output().unwrap();
        assert_eq!(output.stderr.escape_ascii().to_string(), r"textcodec: no\xe9: No such file or directory\n");
        if has_terminal() {
            let (_, seen) = on_terminal(&dir, &format!("NO_COLOR=1 textcodec {command} a*"));
            assert!(seen.starts_with(r"a\n\u{1b}[31m\xE9"), "{command} {seen:?}");
            assert!(!seen.contains('\u{1B}'), "{seen:?}");
            let (_, seen) = on_terminal(&dir, &format!("textcodec {command} $(printf 'no\\033[31m')"));
            assert!(seen.contains(r"textcodec: no\u{1b}[31m: No such file"), "{command} {seen:?}");
        }
    }
}

#[test]
fn names_in_the_messages_of_convert_are_escaped() {
    let dir = Dir::with([("a\u{1B}[31mX", b"\xFF"), ("b\nb", b"\xFF")]);
    let names = ["a\u{1B}[31mX", "b\nb"];
    let output = dir.convert_command("--in-place --report=json").args(names).output().unwrap();
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["files"][1]["input"], "b\nb");
    // In a pipe, names in front of a message and in lists are unchanged.
    let output = dir.convert_command("--in-place").args(names).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    let (_, lists) = stderr.split_once("\n  failed: a\u{1B}[31mX: malformed ").unwrap_or_else(|| panic!("{stderr:?}"));
    assert!(lists.contains("\n  failed: b\nb: malformed "), "{stderr:?}");
    if has_terminal() {
        let (_, seen) = on_terminal(&dir, "NO_COLOR=1 textcodec convert --in-place a* b*");
        assert!(!seen.contains('\u{1B}') && seen.contains("failed: b\\nb: "), "{seen:?}");
    }
}

#[test]
fn a_progress_bar_appears_while_files_are_read() {
    if !has_terminal() {
        return;
    }
    // Each takes two seconds, so all run at the same time.
    std::thread::scope(|scope| {
        for command in ["check", "detect"] {
            for rest in [" > out", "", " | cat"] {
                scope.spawn(move || assert_progress(command, rest));
            }
        }
        scope.spawn(|| {
            let (status, seen) = on_terminal(&Dir::new(), "(echo a; sleep 2) | textcodec check -q");
            assert_eq!((status, &*seen), (0, ""));
        });
    });
}

/// Runs a command on slow input, with the output to `rest`.
fn assert_progress(command: &str, rest: &str) {
    let line = format!("(echo a; sleep 2; printf '\\377') | textcodec {command}{rest}");
    let (_, seen) = on_terminal(&Dir::new(), &line);
    // There is none in front of a pager.
    assert_eq!(seen.contains("B/s"), rest != " | cat", "{line} {seen:?}");
    if rest.is_empty() {
        // The line about the file follows the sequence that clears the bar.
        let about = if command == "check" { "\u{1B}[1m-:2:1:" } else { "standard input: " };
        let before = seen.split_once(about).unwrap_or_else(|| panic!("{seen:?}")).0;
        assert!(before.ends_with("\u{1b}[2K"), "{seen:?}");
    }
}
