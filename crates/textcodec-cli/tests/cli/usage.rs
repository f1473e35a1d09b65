//! Wrong command lines, and help.

use crate::common::{Dir, RunResult, has_terminal, on_terminal, pipe};

#[test]
fn an_unknown_label_is_wrong_usage_with_a_suggestion() {
    pipe("-t utf_16", b"").assert_usage(
        "--to: 'utf_16' is not a label of the Encoding Standard; use 'utf-16', or --aliases, with which 'utf_16' means \
         UTF-16LE with a byte order mark",
    );
    pipe("-f ucs-4", b"")
        .assert_usage("--from: 'ucs-4' is not a label of the Encoding Standard; textcodec iconv converts it");
    pipe("-t shift_jisx", b"").assert_usage(
        "--to: 'shift_jisx' is not a label of the Encoding Standard; similar names: shift_jis, shift-jis, shiftjis",
    );
    let advice = ", and textcodec has no encoding of this name; 'textcodec list' shows all";
    pipe("--aliases -f klingon", b"")
        .assert_usage(&format!("--from: 'klingon' is not a label of the Encoding Standard{advice}"));
    // A name that differs in a digit is another encoding.
    pipe("--aliases -f cp849", b"")
        .assert_usage(&format!("--from: 'cp849' is not a label of the Encoding Standard{advice}"));
    pipe("-t euc-jp//IGNORE", b"").assert_usage(
        "--to: 'euc-jp//IGNORE' is not a label of the Encoding Standard; use 'euc-jp' and --unmappable, \
         or textcodec iconv",
    );
    pipe("-t latin1//TRANSLIT", b"").assert_usage(
        "--to: 'latin1//TRANSLIT' is not a label of the Encoding Standard; \
         use 'latin1' (here windows-1252, as on the web) and --unmappable, or textcodec iconv",
    );
}

#[test]
fn a_name_that_is_not_accepted_comes_with_advice() {
    let advice = ", and textcodec has no encoding of this name; 'textcodec list' shows all";
    let auto = "; it detects the encoding of an input, and only --from of convert and check accepts it";
    for (arguments, option, label, advice) in [
        ("list latin11", "", "latin11", advice),
        ("list nosuch", "", "nosuch", advice),
        ("list cp849", "", "cp849", advice),
        ("convert -f ibm436", "--from: ", "ibm436", advice),
        ("check -t UCS-4LE", "--to: ", "UCS-4LE", "; textcodec iconv converts it"),
        ("list ucs-4", "", "ucs-4", "; textcodec iconv converts it"),
        ("list shift_jisx", "", "shift_jisx", "; similar names: shift_jis, shift-jis, shiftjis"),
        ("list auto", "", "auto", auto),
        ("convert -t auto", "--to: ", "auto", auto),
        ("check -t AUTO", "--to: ", "AUTO", auto),
        ("detect -e auto", "--encoding: ", "auto", auto),
        ("inspect -f auto -b 41", "--from: ", "auto", auto),
    ] {
        let result = RunResult::of(&mut Dir::new().textcodec(arguments));
        let expected = format!("error: {option}'{label}' is not a label of the Encoding Standard{advice}\n");
        assert!(result.status == 2 && result.stderr.starts_with(&expected), "{arguments}: {}", result.stderr);
    }
}

#[test]
fn a_count_is_at_least_one() {
    for number in ["0", "x", "-1", " -1", "99999999999"] {
        for (arguments, option) in
            [("convert -j", "--jobs <N>"), ("check -m", "--max-count <N>"), ("detect -j", "--jobs <N>")]
        {
            let result = RunResult::of(&mut Dir::new().textcodec(&format!("{arguments}{number}")));
            let number = number.trim();
            let message = format!("error: invalid value '{number}' for '{option}': expected a number, at least 1\n");
            assert!(result.status == 2 && result.stderr.starts_with(&message), "{}", result.stderr);
        }
    }
}

#[test]
fn control_characters_of_the_command_line_are_escaped() {
    let dir = Dir::new();
    let word = "a\u{1B}[31mb\nc\u{202E}";
    let escaped = r"a\u{1b}[31mb\nc\u{202e}";
    for arguments in [
        "convert -f {} x",
        "convert -j {} x",
        "convert --unmappable {} x",
        "list {}",
        "man {}",
        "index {}",
        "completions {}",
        "inspect -b {}",
        "check -r --include [{} x",
        "check -m {} x",
        "iconv -t ascii//{}",
        "{}",
        "--{}",
        "detect --{}",
    ] {
        let words: Vec<_> = arguments.split(' ').map(|argument| argument.replace("{}", word)).collect();
        let output = dir.textcodec("").args(&words).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        // As in iconv, an unknown name is no wrong usage.
        let status = if arguments.starts_with("iconv") { 1 } else { 2 };
        assert!(output.status.code() == Some(status) && stderr.contains(escaped), "{arguments}: {stderr:?}");
        assert!(!stderr.contains("-- --"), "{arguments}: {stderr:?}");
        if has_terminal() {
            let quoted = format!("\"$(printf '{}')\"", "a\\033[31mb\\nc\\342\\200\\256");
            let (_, seen) = on_terminal(&dir, &format!("textcodec {}", arguments.replace("{}", &quoted)));
            assert!(seen.contains(escaped) && !seen.contains("\u{1B}[31mb") && !seen.contains('\u{202E}'), "{seen:?}");
        }
    }
    let output = dir.textcodec("check -r --include").arg("[b-\u{1B}]").output().unwrap();
    let message = r"error: invalid value '[b-\u{1b}]' for '--include <GLOB>': invalid range; 'b' > '\u{1b}'";
    assert!(output.stderr.starts_with(message.as_bytes()), "{}", output.stderr.escape_ascii());
}

#[test]
fn advice_about_unknown_options_is_right() {
    let tip = |arguments: &str| {
        let stderr = RunResult::of(&mut Dir::new().textcodec(arguments)).stderr;
        stderr.lines().find_map(|line| line.trim().strip_prefix("tip: ")).map(str::to_owned)
    };
    for (arguments, option, value) in [
        ("convert s -o -x", "-o", "-x"),
        ("convert -qo -x=y", "-qo", "-x=y"),
        ("convert --output -x s", "--output", "-x"),
        ("check -f -z s", "-f", "-z"),
        ("list -l", "", "-l"),
        ("convert -- -o -x --in-place", "", ""),
        ("convert --in-place -x", "", "-x"),
        ("convert -ofile -x", "", "-x"),
        ("convert -of -x", "", "-x"),
    ] {
        let expected = match (option, value) {
            (_, "") => None,
            ("", _) => Some(format!("to pass '{value}' as a value, use '-- {value}'")),
            _ => Some(format!("to pass '{value}' as the value of '{option}', use '{option}={value}'")),
        };
        assert_eq!(tip(arguments), expected, "{arguments}");
    }
    let dir = Dir::with([("s", b"a")]);
    dir.convert("s -o=-x").assert_clean("");
    assert_eq!(dir.read("-x"), b"a");
    // No word that is hardly similar is suggested.
    assert_eq!(tip("completions tcsh"), None);
    assert_eq!(tip("completions fsh").as_deref(), Some("a similar value exists: 'fish'"));
}

#[test]
fn usage_lines_show_only_combinations_that_are_accepted() {
    let usage = |arguments: &str| {
        let stderr = RunResult::of(&mut Dir::new().textcodec(arguments)).stderr;
        let (_, usage) = stderr.split_once("Usage: ").unwrap();
        usage.lines().take_while(|line| !line.is_empty()).map(|line| line.trim().to_owned()).collect::<Vec<_>>()
    };
    let inspect = ["textcodec inspect [OPTIONS] <TEXT>...", "textcodec inspect [OPTIONS] --bytes <HEX>..."];
    for wrong in ["inspect", "inspect -f utf-8 a", "inspect a --bytes 41", "inspect --bytes 41 -t utf-8"] {
        assert_eq!(usage(wrong), inspect, "{wrong}");
    }
    let convert = [
        "textcodec convert [OPTIONS] [FILE]...",
        "textcodec convert [OPTIONS] --in-place[=<SUFFIX>] [-r] <FILE>...",
        "textcodec convert [OPTIONS] --output-dir <DIR> [-r] <FILE>...",
    ];
    for wrong in ["convert -r d", "convert --include x d", "convert -o o --in-place a", "convert --in-place"] {
        assert_eq!(usage(wrong), convert, "{wrong}");
    }
    let index = ["textcodec index [--format <FORMAT>] [NAME]", "textcodec index --visualize <DIR>"];
    for wrong in ["index --visualize x --format json", "index big5 --visualize x", "index nothing", "index --nothing"] {
        assert_eq!(usage(wrong), index, "{wrong}");
    }
    let man = ["textcodec man [COMMAND]", "textcodec man --output-dir <DIR>"];
    assert_eq!(usage("man check -o x"), man);
    assert_eq!(usage("check -0 d"), ["textcodec check [OPTIONS] [FILE]..."]);
    assert_eq!(usage("detect -l --json d"), ["textcodec detect [OPTIONS] [FILE]..."]);
    assert_eq!(usage("list --json --labels"), ["textcodec list [OPTIONS] [LABEL]..."]);
    assert_eq!(usage("completions"), ["textcodec completions <SHELL>"]);
    assert_eq!(usage("iconv --nothing"), ["textcodec iconv [OPTIONS] [FILE]...", "textcodec iconv --list"]);
}

#[test]
fn options_for_files_with_their_own_output_are_named() {
    let dir = Dir::with([("in", b"a")]);
    let detect = "; to test an input with another output, use textcodec detect, whose exit status is 1 if it does not look \
                  like text";
    for (arguments, option, advice) in [
        ("-r .", "-r", ""),
        ("-r . -o out", "-r", ""),
        ("--force in", "--force", ""),
        ("--binary=fail in -o out", "--binary", detect),
        ("--binary=skip in", "--binary", detect),
    ] {
        dir.convert(arguments).assert_usage(&format!("{option} requires --in-place or --output-dir{advice}"));
    }
    assert_eq!(dir.names(), ["in"]);
    let binary = Dir::with([("binary", &[0, 1, 2, 3, 0xFF])]);
    assert_eq!(RunResult::of(&mut binary.textcodec("detect binary")).status, 1);
}

#[test]
fn the_help_says_what_binary_and_quiet_do() {
    let help = |command: &str| {
        let help = RunResult::of(&mut Dir::new().textcodec(&format!("{command} --help"))).stdout;
        String::from_utf8(help).unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let convert = help("convert");
    assert!(convert.contains("do not look like text; requires --in-place or --output-dir"), "{convert}");
    assert!(convert.contains("With --dry-run, only errors and the exit status remain"), "{convert}");
    for command in ["check", "detect"] {
        let help = help(command);
        assert!(help.contains("do not look like text; files that are named are always read"), "{help}");
        assert!(help.contains("detect only if it found no other files"), "{help}");
    }
    let dir = Dir::with([("in", b"a\xFF")]);
    for arguments in ["-q --dry-run -f utf-8 in", "-q --dry-run -f utf-8 --in-place=.bak in"] {
        let result = dir.convert(arguments);
        assert_eq!((result.status, &*result.stdout, &*result.stderr), (1, &b""[..], ""), "{arguments}");
    }
    let result = dir.convert("-q --dry-run -f utf-8 --report=json --in-place=.bak in");
    assert!(result.status == 1 && result.stdout.starts_with(b"{"), "{result:?}");
}

#[test]
fn an_output_encoding_needs_an_encoder() {
    let message = "--to: replacement has no encoder; use UTF-8, which can represent all characters";
    for label in ["replacement", "iso-2022-cn", "iso-2022-cn-ext"] {
        pipe(&format!("-t {label}"), b"a").assert_usage(message);
    }
}

#[test]
fn wrong_usage_touches_nothing() {
    let dir = Dir::with([("in", b"a"), ("out", b"original")]);
    for wrong in
        ["-f nothing in -o out", "-t nothing in -o out", "-t replacement in -o out", "--unmappable=maybe in -o out"]
    {
        let result = dir.convert(wrong);
        assert_eq!((result.status, dir.read("out").as_slice()), (2, &b"original"[..]), "{wrong}");
    }
    assert_eq!(dir.names(), ["in", "out"]);
}

#[test]
fn an_unknown_option_or_command_is_wrong_usage() {
    assert_eq!(pipe("--no-such-option", b"").status, 2);
    assert_eq!(pipe("-f utf-8 -f utf-8", b"").status, 2);
    for arguments in [&[][..], &["transmogrify"]] {
        let result =
            RunResult::of(std::process::Command::new(assert_cmd::cargo::cargo_bin!("textcodec")).args(arguments));
        assert_eq!((result.status, result.stdout.as_slice()), (2, &b""[..]));
        assert!(result.stderr.contains("Usage: textcodec <COMMAND>"));
    }
}

#[test]
fn help_has_the_exit_status_and_examples_that_work() {
    let help = String::from_utf8(pipe("--help", b"").stdout).unwrap();
    assert!(help.contains("Exit status:") && help.contains("Examples:") && help.contains("overrides this"));
    assert!(help.lines().all(|line| line.chars().count() <= 100));

    let dir = Dir::with([
        ("old.txt", b"\x93\xFA"),
        ("access.log", b"\xE9 \xC3\xA9"),
        ("main.c", b"// \xC4\xE3\n"),
        ("page.html", "a 字".as_bytes()),
        ("table.csv", b"1,2\n"),
        ("name.txt", "Việt".as_bytes()),
        ("broken.log", b"\xEF\xBB\xBF\xFF"),
        ("zos.txt", b"\x81\x15"),
        ("deck.txt", b"ab\n"),
        ("inbox.mbox", b"From a\nContent-Type: text/plain; charset=koi8-r\n\n\xDE\n"),
    ]);
    std::fs::create_dir(dir.path("mail")).unwrap();
    std::fs::write(dir.path("mail/a.txt"), b"\xE9").unwrap();
    let mut statuses = Vec::new();
    let (_, examples) = help.split_once("\nExamples:\n").unwrap();
    for line in examples.lines().filter_map(|line| line.trim_start().strip_prefix("textcodec convert ")) {
        let line = line.replace('\'', "");
        statuses.push((dir.convert(&line).status, line.split_whitespace().last().unwrap().to_owned()));
    }
    let expected = [
        (0, "new.txt"),
        (0, "new.log"),
        (0, "main.c"),
        (0, "mail"),
        // The backup in `mail` has one letter, so its encoding is uncertain.
        (1, "converted"),
        (0, "mail"),
        (0, "inbox.mbox"),
        (1, "old.html"),
        (0, "old.txt"),
        (0, "unix.txt"),
        (0, "deck.bin"),
        (0, "excel.csv"),
        (1, "repaired.log"),
    ];
    assert_eq!(statuses, expected.map(|(status, last)| (status, last.to_owned())));
    assert_eq!(dir.read("mail/a.txt"), "é".as_bytes());
    assert_eq!(dir.read("mail/a.txt.bak"), b"\xE9");
    assert_eq!(dir.read("converted/a.txt"), "é".as_bytes());
    assert_eq!(dir.read("inbox.mbox"), "From a\nContent-Type: text/plain; charset=utf-8\n\nч\n".as_bytes());
    assert_eq!(dir.read("unix.txt"), b"a\n");
    assert_eq!(dir.read("deck.bin"), [&b"\x81\x82"[..], &[0x40; 78]].concat());
    assert_eq!(dir.read("excel.csv"), b"\xEF\xBB\xBF1,2\n");
    assert_eq!(dir.read("new.txt"), "日".as_bytes());
    assert_eq!((dir.read("new.log"), dir.read("main.c")), ("é é".into(), "// 你\n".into()));
    assert_eq!(dir.read("old.html"), b"a &#23383;");
    assert_eq!(dir.read("old.txt"), b"Vi\xEA\xF2t");
    assert_eq!(dir.read("repaired.log"), "\u{FFFD}".as_bytes());
}

#[test]
fn version() {
    let result = RunResult::of(std::process::Command::new(assert_cmd::cargo::cargo_bin!("textcodec")).arg("--version"));
    result.assert_clean(format!("textcodec {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn every_alias_is_accepted_by_every_command() {
    use textcodec::{Alias, Encoding, oem};

    let is_detected = |encoding| {
        let is_possible = |encoding: Encoding| encoding.is_ascii_compatible() || encoding == oem::UTF_7;
        !Encoding::EXTRA.contains(&encoding) && (!oem::ALL.contains(&encoding) || is_possible(encoding))
    };
    let names: Vec<_> = Alias::ALL.iter().filter(|alias| !["utf_16", "utf16"].contains(&alias.name)).collect();
    let dir = Dir::with([("a", b"a")]);
    let each = |option: &str, is_wanted: &dyn Fn(&Alias) -> bool| {
        let wanted = names.iter().filter(|alias| is_wanted(alias));
        wanted.map(|alias| format!("{option} {}", alias.name)).collect::<Vec<_>>().join(" ")
    };
    let mut commands = vec![
        format!("list {}", each("", &|_| true)),
        format!("inspect {} a", each("-t", &|_| true)),
        format!("detect {} a", each("-e", &|alias| is_detected(alias.encoding))),
    ];
    for name in names.iter().step_by(7).map(|alias| alias.name) {
        commands.extend([format!("convert -f {name} -t {name}"), format!("check -f {name} -t {name}")]);
    }
    for command in commands {
        let result = RunResult::of(&mut dir.textcodec(&command));
        assert!(result.status <= 1, "{command}: {}", result.stderr);
    }
    // A list that a message names has what the message is about.
    let all = String::from_utf8(RunResult::of(&mut Dir::new().textcodec("list --labels --aliases")).stdout).unwrap();
    assert!(all.contains(" cp932 ") && all.contains(" cp850 ") && !all.contains("cp849"));
}

#[test]
fn what_an_alias_names_less_than_it_means_is_reported() {
    for (alias, bytes) in
        [("latin-1", &b"\x80"[..]), ("latin_1", b"\x80"), ("us", b"\xE9"), ("gb2312-80", b"\x80"), ("thai", b"\x80")]
    {
        let result = pipe(&format!("-f {alias}"), bytes);
        assert!(result.status == 0 && result.stderr.contains("1 character is not in "), "{alias}: {}", result.stderr);
    }
}
