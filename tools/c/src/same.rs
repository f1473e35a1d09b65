//! Real programs that must print the same with the library for `iconv` preloaded as without it, in each mode of
//! `TEXTCODEC_ICONV`.
//!
//! These programs call iconv(1) or are iconv(1), which uses descriptors of the C library with this library's `iconv()`.

use std::{fs, path::Path, process::Command};

use anyhow::{Context as _, Result, ensure};
use project::{root, skip};

use super::{
    Arguments, WORK,
    build::{self, ICONV, Profile},
    programs::exists,
};

/// A script for `sh`. `$TOOLS` is a folder that all runs share.
struct Script {
    what: &'static str,
    /// The programs and files that it needs.
    needs: &'static [&'static str],
    text: &'static str,
    /// Variables of the environment.
    variables: &'static [(&'static str, &'static str)],
    /// Whether it runs with `--quick`.
    quick: bool,
}

/// The modes of the library: values of `TEXTCODEC_ICONV`.
const MODES: [&str; 3] = ["standard", "identical", "nofallback"];

/// Converts all bytes, and a text in UTF-8, between all pairs of `$SETS`.
const PAIRS: &str = r#"
for i in 0 1 2 3; do for j in 0 1 2 3 4 5 6 7; do for k in 0 1 2 3 4 5 6 7; do printf "\\$i$j$k"; done; done; done > bytes
printf 'Un caf\303\251, \346\227\245\346\234\254 \320\266 \342\202\254 \342\200\234x\342\200\235 end\n' > text
for from in $SETS; do for to in $SETS; do
    for options in '' -c; do iconv $options -f "$from" -t "$to" bytes 2>&1 || echo "status $?"; echo " $options $from $to"; done
    iconv -f "$from" -t "$to//TRANSLIT" < text 2>&1 || echo "status $?"; echo " $from $to//TRANSLIT"
done; done"#;

/// Makes a manual page in UTF-8 and one in the encoding of the locale `$LOCALE`, and shows both.
const MAN: &str = r#"
language=${LOCALE%%.*}
if [ "$LOCALE" != C ] && ! [ -d "$TOOLS/locales/$LOCALE" ]; then
    mkdir -p "$TOOLS/locales"
    env -u LD_PRELOAD localedef --no-archive -i "$language" -f "$CHARMAP" "$TOOLS/locales/$LOCALE"
fi
page() { printf '%s\n' ".TH A 1" ".SH NAME" "a \\- \\(lqb\\(rq \\(em c\\(co" ".SH OPTIONS" ".B \\-x" "$TEXT"; }
{ echo "'\\\" -*- coding: utf-8 -*-"; page; } > a.1
{ echo "'\\\" -*- coding: $CHARMAP -*-"; page | env -u LD_PRELOAD iconv -f UTF-8 -t "$CHARMAP"; } > b.1
for page in a.1 b.1; do
    LOCPATH="$TOOLS/locales" LC_ALL="$LOCALE" MANWIDTH=80 man -P cat -l "$page" 2>&1 || echo "status $?"
done"#;

const SCRIPTS: &[Script] = &[
    Script {
        what: "iconv(1) between some encodings",
        needs: &["iconv"],
        text: PAIRS,
        variables: &[("SETS", "UTF-8 ISO-8859-1 EUC-JP BIG5 UTF-16 EBCDIC-US")],
        quick: true,
    },
    Script {
        what: "iconv(1) between many encodings",
        needs: &["iconv"],
        text: PAIRS,
        variables: &[(
            "SETS",
            "UTF-8 UTF-16 UCS-4 UTF-7 ASCII ISO-8859-1 CP1252 CP1255 CP1258 KOI8-R TCVN GBK GB18030 BIG5 BIG5-HKSCS EUC-JP \
             SHIFT_JIS ISO-2022-JP EUC-KR ISO-2022-KR IBM037 T.61",
        )],
        quick: false,
    },
    Script {
        what: "iconv(1): the list, options, several files, errors",
        needs: &["iconv"],
        text: r#"
iconv -l; iconv -l | wc -l
printf 'caf\351\n' > a; printf 'th\351\n' > b; head -c 300000 /dev/zero | tr '\0' '\351' > c; : > d
iconv -f L1 -t UTF-8 a b - d < b
iconv -f L1 -t UTF-16 d | od -c
iconv -f L1 -t UTF-8 -o e c a; cksum e
iconv -f L1 -t UTF-8 c | iconv -f UTF-8 -t L1 | cmp - c
iconv -f UTF-8 -t L1 a 2>&1 || echo "status $?"
iconv -c -f UTF-8 -t L1 a b 2>&1 || echo "status $?"
iconv -s -f UTF-8 -t L1//IGNORE a b 2>&1 || echo "status $?"
iconv -f L1 -t ASCII//TRANSLIT a b 2>&1 || echo "status $?"
iconv -f L1 -t UTF-8 missing a 2>&1 || echo "status $?"
iconv -f no-such-name -t UTF-8 a 2>&1 || echo "status $?"
iconv -f L1 -t L1 a; iconv -t UTF-8 d; iconv -f EUC-JP a 2>&1 || echo "status $?""#,
        variables: &[("LC_ALL", "C")],
        quick: true,
    },
    Script {
        what: "man in the locale C",
        needs: &["man", "groff", "iconv"],
        text: MAN,
        variables: &[("LOCALE", "C"), ("CHARMAP", "ISO-8859-1"), ("TEXT", "Äpfel, café")],
        quick: true,
    },
    Script {
        what: "man in the locale ja_JP.eucjp",
        needs: &["man", "groff", "iconv", "localedef", "/usr/share/i18n/locales/ja_JP"],
        text: MAN,
        variables: &[("LOCALE", "ja_JP.eucjp"), ("CHARMAP", "EUC-JP"), ("TEXT", "日本語の文字、かな。")],
        quick: false,
    },
    Script {
        what: "man in the locale ru_RU.koi8r",
        needs: &["man", "groff", "iconv", "localedef", "/usr/share/i18n/locales/ru_RU"],
        text: MAN,
        variables: &[("LOCALE", "ru_RU.koi8r"), ("CHARMAP", "KOI8-R"), ("TEXT", "Привет, мир")],
        quick: false,
    },
    Script {
        what: "man in the locale de_DE.iso88591",
        needs: &["man", "groff", "iconv", "localedef", "/usr/share/i18n/locales/de_DE"],
        text: MAN,
        variables: &[("LOCALE", "de_DE.iso88591"), ("CHARMAP", "ISO-8859-1"), ("TEXT", "Äpfel, Straße")],
        quick: false,
    },
    Script {
        what: "gdb, which asks iconv(1) for the names",
        needs: &["gdb", "iconv"],
        text: r#"
show() { gdb -batch -nx -ex 'set host-charset UTF-8' -ex "set target-charset $1" -ex "print $2" -ex 'show target-charset' 2>&1; }
show ISO-8859-1 '"caf\351"'; show EUC-JP '"\244\242"'; show KOI8-R "'\\322'"; show UTF-8 '"\303\251"'
gdb -batch -nx -ex 'complete set target-charset ' 2>&1 | wc -l"#,
        variables: &[],
        quick: false,
    },
    Script {
        what: "git diff, whose textconv is iconv(1)",
        needs: &["git", "iconv"],
        text: r"
git init -q .; git config user.email a@example.org; git config user.name a
git config diff.koi8.textconv 'iconv -f KOI8-R -t UTF-8'; echo '*.txt diff=koi8' > .gitattributes
printf '\320\322\311\327\305\324\n' > a.txt; git add .; git commit -qm a; printf '\315\311\322\n' >> a.txt
git diff | cat; git log -p --format=%s | cat",
        variables: &[("GIT_CONFIG_NOSYSTEM", "1")],
        quick: true,
    },
];

/// Runs the scripts without the library, and with it in each mode.
pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let library = build::build(Profile::Release, &[&ICONV])?.join(ICONV.soname());
    let work = root().join(WORK).join("same");
    if work.exists() {
        fs::remove_dir_all(&work)?;
    }
    for (index, script) in SCRIPTS.iter().enumerate() {
        if arguments.quick && !script.quick {
            continue;
        }
        if let Some(absent) = script.needs.iter().find(|program| !exists(program)) {
            skip(script.what, &format!("{absent} is not installed"))?;
            continue;
        }
        let folder = work.join(index.to_string());
        let expected = script.output(&folder, None)?;
        ensure!(!expected.is_empty(), "{}: nothing is printed", script.what);
        for mode in MODES {
            let printed = script.output(&folder, Some((&library, mode)))?;
            same(&expected, &printed).with_context(|| format!("{}, TEXTCODEC_ICONV={mode}", script.what))?;
        }
        println!("{}: {} bytes, the same in {} modes", script.what, expected.len(), MODES.len());
    }
    Ok(())
}

impl Script {
    /// Runs the script in a new folder, with the library in one of its modes, or without it. Returns what it prints.
    fn output(&self, folder: &Path, library: Option<(&Path, &str)>) -> Result<Vec<u8>> {
        let here = folder.join(library.map_or("plain", |(_, mode)| mode));
        fs::create_dir_all(&here)?;
        let mut sh = Command::new("sh");
        let mut text = self.text.to_owned();
        if let Some((library, mode)) = library {
            text = format!("grep -q '{}' /proc/self/maps\n{text}", ICONV.soname());
            sh.env("LD_PRELOAD", library).env("TEXTCODEC_ICONV", mode);
        }
        sh.args(["-euc", &text]).current_dir(&here).env("HOME", &here).env("TOOLS", folder);
        let output = sh.envs(self.variables.iter().copied()).output().context("sh")?;
        ensure!(output.status.success(), "{}: {}", output.status, output.stderr.escape_ascii());
        Ok(output.stdout)
    }
}

/// Fails with the first lines that differ.
fn same(expected: &[u8], printed: &[u8]) -> Result<()> {
    let lines = |text: &[u8]| text.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
    let (expected_lines, printed_lines) = (lines(expected), lines(printed));
    let at = expected_lines.iter().zip(&printed_lines).take_while(|(a, b)| a == b).count();
    let line = |lines: &[Vec<u8>]| lines.get(at).map_or("the end".to_owned(), |line| line.escape_ascii().to_string());
    ensure!(
        expected == printed,
        "line {}: \"{}\" without the library, \"{}\" with it",
        at + 1,
        line(&expected_lines),
        line(&printed_lines)
    );
    Ok(())
}
