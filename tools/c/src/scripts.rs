//! Scripts for real programs.
//!
//! Shift_JIS 5C and 7E are U+00A5 and U+203E in glibc, and 81 60 is U+301C; in the standard they are U+005C, U+007E
//! and U+FF5E. In EUC-JP, the same is true of A1 C1. 8F A2 AF is in JIS X 0212, which the standard reads but does not
//! write. In GB2312, A1 A4 is U+30FB in glibc and U+00B7 in the standard. 81 in windows-1252 is U+0081 in the
//! standard, and an error in glibc.

/// A script for `sh`.
pub(super) struct Script {
    /// What is tested.
    pub(super) program: &'static str,
    /// The programs and files that it needs.
    pub(super) needs: &'static [&'static str],
    pub(super) what: &'static str,
    pub(super) text: &'static str,
    /// What it prints with glibc's `iconv`.
    pub(super) libc: &'static [u8],
    /// What it prints with this library.
    pub(super) ours: &'static [u8],
    /// Whether it runs with `--quick`.
    pub(super) quick: bool,
}

const GIT: &[&str] = &["git"];
const VIM: &[&str] = &["vim"];
const XMLLINT: &[&str] = &["xmllint"];
const MSGCONV: &[&str] = &["msgconv"];
const GLIB: &[&str] = &["pkg-config", "cc"];
const MAN: &[&str] = &["man", "groff"];
const PHP: &[&str] = &["php", "patchelf"];
const LYNX: &[&str] = &["lynx"];
const ELINKS: &[&str] = &["elinks"];
const RSYNC: &[&str] = &["rsync"];
const BSDTAR: &[&str] = &["bsdtar"];
const BASH: &[&str] = &["bash", "localedef", "/usr/share/i18n/locales/ja_JP"];

pub(super) const SCRIPTS: &[Script] = &[
    Script {
        program: "git",
        needs: GIT,
        what: "a message in KOI8-R",
        text: r#"git init -q .; git config user.email a@example.org; git config user.name a
git -c i18n.commitEncoding=KOI8-R commit -q --allow-empty -m "$(printf '\320\322\311\327\305\324')"
git -c i18n.logOutputEncoding=UTF-8 log -1 --format=%s"#,
        libc: b"\xD0\xBF\xD1\x80\xD0\xB8\xD0\xB2\xD0\xB5\xD1\x82\n",
        ours: b"\xD0\xBF\xD1\x80\xD0\xB8\xD0\xB2\xD0\xB5\xD1\x82\n",
        quick: true,
    },
    Script {
        program: "git",
        needs: GIT,
        what: "a message in Shift_JIS",
        text: r#"git init -q .; git config user.email a@example.org; git config user.name a
git -c i18n.commitEncoding=SHIFT_JIS commit -q --allow-empty -m "$(printf 'a\134\176\202\240')"
git -c i18n.logOutputEncoding=UTF-8 log -1 --format=%s"#,
        libc: b"a\xC2\xA5\xE2\x80\xBE\xE3\x81\x82\n",
        ours: b"a\\~\xE3\x81\x82\n",
        quick: true,
    },
    Script {
        program: "git",
        needs: GIT,
        what: "a file in Shift_JIS, and back",
        text: r"git init -q .; git config user.email a@example.org; git config user.name a
echo '*.txt working-tree-encoding=SHIFT_JIS' > .gitattributes
printf '\134\176\201\140\202\240' > a.txt; git add a.txt; git cat-file blob :a.txt
rm a.txt; git checkout -q -- a.txt; cat a.txt",
        libc: b"\xC2\xA5\xE2\x80\xBE\xE3\x80\x9C\xE3\x81\x82\\~\x81`\x82\xA0",
        ours: b"\\~\xEF\xBD\x9E\xE3\x81\x82\\~\x81`\x82\xA0",
        quick: true,
    },
    Script {
        program: "vim",
        needs: VIM,
        what: "a file in KOI8-R",
        text: r"printf '\320\322\311\n' > a.txt
vim -es -u NONE -N --cmd 'set encoding=utf-8 fileencodings=koi8-r' a.txt -c 'w ++enc=utf-8 b.txt' -c 'w!' -c 'qa!' || true
cat b.txt a.txt",
        libc: b"\xD0\xBF\xD1\x80\xD0\xB8\n\xD0\xD2\xC9\n",
        ours: b"\xD0\xBF\xD1\x80\xD0\xB8\n\xD0\xD2\xC9\n",
        quick: true,
    },
    Script {
        program: "vim",
        needs: VIM,
        what: "a file in EUC-JP with JIS X 0212, written back",
        text: r"printf '\241\301\217\242\257\244\242\n' > a.txt
vim -es -u NONE -N --cmd 'set encoding=utf-8 fileencodings=euc-jp' a.txt -c 'w ++enc=utf-8 b.txt' -c 'w!' -c 'qa!' || true
cat b.txt a.txt",
        libc: b"\xE3\x80\x9C\xCB\x98\xE3\x81\x82\n\xA1\xC1\x8F\xA2\xAF\xA4\xA2\n",
        ours: b"\xEF\xBD\x9E\xCB\x98\xE3\x81\x82\n\xA1\xC1\x8F\xA2\xAF\xA4\xA2\n",
        quick: true,
    },
    Script {
        program: "vim",
        needs: VIM,
        what: "a file in Big5 with a character of HKSCS, written back",
        text: r"printf '\244\100\207\100\n' > a.txt
vim -es -u NONE -N --cmd 'set encoding=utf-8 fileencodings=big5' a.txt -c 'w ++enc=utf-8 b.txt' -c 'w!' -c 'qa!' || true
cat b.txt a.txt",
        libc: b"?@?@\n?@?@\n",
        ours: b"\xE4\xB8\x80\xE4\x8F\xB0\n\xA4@\x87@\n",
        quick: true,
    },
    Script {
        program: "vim",
        needs: VIM,
        what: "a file in CP932",
        text: r"printf '\134\176\201\140\202\240\372\100\n' > a.txt
vim -es -u NONE -N --cmd 'set encoding=utf-8 fileencodings=cp932' a.txt -c 'w ++enc=utf-8 b.txt' -c 'w!' -c 'qa!' || true
cat b.txt a.txt",
        libc: b"\\~\xEF\xBD\x9E\xE3\x81\x82\xE2\x85\xB0\n\\~\x81`\x82\xA0\xFA@\n",
        ours: b"\\~\xEF\xBD\x9E\xE3\x81\x82\xE2\x85\xB0\n\\~\x81`\x82\xA0\xFA@\n",
        quick: true,
    },
    Script {
        program: "xmllint",
        needs: XMLLINT,
        what: "a document in KOI8-R",
        text: r#"printf '<?xml version="1.0" encoding="KOI8-R"?><a>\320\322\311</a>' > a.xml; xmllint --encode UTF-8 a.xml | tail -n 1"#,
        libc: b"<a>\xD0\xBF\xD1\x80\xD0\xB8</a>\n",
        ours: b"<a>\xD0\xBF\xD1\x80\xD0\xB8</a>\n",
        quick: true,
    },
    Script {
        program: "xmllint",
        needs: XMLLINT,
        what: "a document in Shift_JIS",
        text: r#"printf '<?xml version="1.0" encoding="Shift_JIS"?><a>\134\176\201\140</a>' > a.xml; xmllint --encode UTF-8 a.xml | tail -n 1"#,
        libc: b"<a>\xC2\xA5\xE2\x80\xBE\xE3\x80\x9C</a>\n",
        ours: b"<a>\\~\xEF\xBD\x9E</a>\n",
        quick: true,
    },
    Script {
        program: "xmllint",
        needs: XMLLINT,
        what: "output in Shift_JIS",
        text: r"printf '<a>\357\275\236\302\245</a>' > a.xml; xmllint --encode Shift_JIS a.xml | tail -n 1",
        libc: b"<a>&#65374;\\</a>\n",
        ours: b"<a>\x81`\\</a>\n",
        quick: true,
    },
    Script {
        program: "msgconv",
        needs: MSGCONV,
        what: "a catalogue in KOI8-R",
        text: r#"cat > a.po << 'END'
msgid ""
msgstr "Content-Type: text/plain; charset=KOI8-R\n"
msgid "a"
END
printf 'msgstr "\320\322\311"\n' >> a.po; msgconv -t UTF-8 a.po | tail -n 1"#,
        libc: b"msgstr \"\xD0\xBF\xD1\x80\xD0\xB8\"\n",
        ours: b"msgstr \"\xD0\xBF\xD1\x80\xD0\xB8\"\n",
        quick: true,
    },
    Script {
        program: "msgconv",
        needs: MSGCONV,
        what: "a catalogue in EUC-JP",
        text: r#"cat > a.po << 'END'
msgid ""
msgstr "Content-Type: text/plain; charset=EUC-JP\n"
msgid "a"
END
printf 'msgstr "\241\301\244\242"\n' >> a.po; msgconv -t UTF-8 a.po | tail -n 1"#,
        libc: b"msgstr \"\xE3\x80\x9C\xE3\x81\x82\"\n",
        ours: b"msgstr \"\xEF\xBD\x9E\xE3\x81\x82\"\n",
        quick: true,
    },
    Script {
        program: "msgconv",
        needs: MSGCONV,
        what: "a catalogue in GB2312",
        text: r#"cat > a.po << 'END'
msgid ""
msgstr "Content-Type: text/plain; charset=GB2312\n"
msgid "a"
END
printf 'msgstr "\241\244\260\241"\n' >> a.po; msgconv -t UTF-8 a.po | tail -n 1"#,
        libc: b"msgstr \"\xE3\x83\xBB\xE5\x95\x8A\"\n",
        ours: b"msgstr \"\xC2\xB7\xE5\x95\x8A\"\n",
        quick: true,
    },
    Script {
        program: "GLib",
        needs: GLIB,
        what: "g_convert() from KOI8-R",
        text: r#""$TOOLS/convert" UTF-8 KOI8-R "$(printf '\320\322\311')""#,
        libc: b"\xD0\xBF\xD1\x80\xD0\xB8",
        ours: b"\xD0\xBF\xD1\x80\xD0\xB8",
        quick: true,
    },
    Script {
        program: "GLib",
        needs: GLIB,
        what: "g_convert() from windows-1252",
        text: r#""$TOOLS/convert" UTF-8 WINDOWS-1252 "$(printf '\201')""#,
        libc: b"error 1",
        ours: b"\xC2\x81",
        quick: true,
    },
    Script {
        program: "man",
        needs: MAN,
        what: "a page in KOI8-R",
        text: r#"cat > a.1 << 'END'
'\" -*- coding: koi8-r -*-
.TH A 1
.SH NAME
END
printf 'a \\- \320\322\311\n' >> a.1
man -E UTF-8 -P cat -l a.1 2>/dev/null | grep ' a - ' | tr -d ' '"#,
        libc: b"a-\xD0\xBF\xD1\x80\xD0\xB8\n",
        ours: b"a-\xD0\xBF\xD1\x80\xD0\xB8\n",
        quick: false,
    },
    Script {
        program: "man",
        needs: MAN,
        what: "a page in EUC-JP",
        text: r#"cat > a.1 << 'END'
'\" -*- coding: euc-jp -*-
.TH A 1
.SH NAME
END
printf 'a \\- \241\301\244\242\n' >> a.1
man -E UTF-8 -P cat -l a.1 2>/dev/null | grep ' a - ' | tr -d ' '"#,
        libc: b"a-\xE3\x80\x9C\xE3\x81\x82\n",
        ours: b"a-\xEF\xBD\x9E\xE3\x81\x82\n",
        quick: false,
    },
    Script {
        program: "php",
        needs: PHP,
        what: "iconv() from KOI8-R",
        text: r#"cp "$(php -r 'echo ini_get("extension_dir");')/iconv.so" iconv.so
test -z "${LIBRARY:-}" || patchelf --add-needed "$LIBRARY" iconv.so
unset LD_PRELOAD; printf '\320\322\311' > a.txt
php -n -d extension="$PWD/iconv.so" -r 'echo iconv("KOI8-R", "UTF-8", file_get_contents("a.txt"));'"#,
        libc: b"\xD0\xBF\xD1\x80\xD0\xB8",
        ours: b"\xD0\xBF\xD1\x80\xD0\xB8",
        quick: false,
    },
    Script {
        program: "php",
        needs: PHP,
        what: "iconv() from Shift_JIS",
        text: r#"cp "$(php -r 'echo ini_get("extension_dir");')/iconv.so" iconv.so
test -z "${LIBRARY:-}" || patchelf --add-needed "$LIBRARY" iconv.so
unset LD_PRELOAD; printf '\134\176\201\140' > a.txt
php -n -d extension="$PWD/iconv.so" -r 'echo iconv("SHIFT_JIS", "UTF-8", file_get_contents("a.txt"));'"#,
        libc: b"\xC2\xA5\xE2\x80\xBE\xE3\x80\x9C",
        ours: b"\\~\xEF\xBD\x9E",
        quick: false,
    },
    Script {
        program: "lynx",
        needs: LYNX,
        what: "a page in EUC-JP",
        text: r"printf '<meta charset=euc-jp><body>\241\301\244\242' > a.html; lynx -dump -display_charset=utf-8 a.html | tr -d ' \n'",
        libc: b"\xE3\x80\x9C\xE3\x81\x82",
        ours: b"\xEF\xBD\x9E\xE3\x81\x82",
        quick: false,
    },
    Script {
        program: "elinks",
        needs: ELINKS,
        what: "a page in EUC-JP",
        text: r#"printf '<body>\241\301\244\242' > a.html
elinks -no-home -dump -dump-charset utf-8 -eval 'set document.codepage.assume="euc-jp"' \
    -eval 'set document.codepage.force_assumed=1' a.html | tr -d ' \n'"#,
        libc: b"\xE3\x80\x9C\xE3\x81\x82",
        ours: b"\xEF\xBD\x9E\xE3\x81\x82",
        quick: false,
    },
    Script {
        program: "rsync",
        needs: RSYNC,
        what: "names in KOI8-R",
        text: r#"mkdir a; touch "a/$(printf '\320\277\321\200\320\270')"; rsync -a --iconv=UTF-8,KOI8-R a/ b/ 2>/dev/null || true; ls b"#,
        libc: b"\xD0\xD2\xC9\n",
        ours: b"\xD0\xD2\xC9\n",
        quick: false,
    },
    Script {
        program: "rsync",
        needs: RSYNC,
        what: "names in windows-1252",
        text: r#"mkdir a; touch "a/$(printf 'a\302\201')"; rsync -a --iconv=UTF-8,WINDOWS-1252 a/ b/ 2>/dev/null || true; ls b"#,
        libc: b"",
        ours: b"a\x81\n",
        quick: false,
    },
    Script {
        program: "bsdtar",
        needs: BSDTAR,
        what: "names in KOI8-R",
        text: r#"mkdir a; cd a; touch "$(printf '\320\277\321\200\320\270')"
bsdtar -cf ../a.tar --format=ustar --options hdrcharset=KOI8-R * 2>/dev/null || true
head -c 6 ../a.tar | tr -d '\000'"#,
        libc: b"\xD0\xD2\xC9",
        ours: b"\xD0\xD2\xC9",
        quick: false,
    },
    Script {
        program: "bsdtar",
        needs: BSDTAR,
        what: "names in Shift_JIS",
        text: r#"mkdir a; cd a; touch "$(printf '\357\275\236')"
bsdtar -cf ../a.tar --format=ustar --options hdrcharset=SHIFT_JIS * 2>/dev/null || true
head -c 6 ../a.tar | tr -d '\000'"#,
        libc: b"???",
        ours: b"\x81`",
        quick: false,
    },
    Script {
        program: "bash",
        needs: BASH,
        what: "an escape in a locale with EUC-JP",
        text: r#"mkdir l; localedef -i ja_JP -f EUC-JP "$PWD/l/ja_JP.EUC-JP" 2>/dev/null || true
LOCPATH="$PWD/l" LC_ALL=ja_JP.EUC-JP bash -c "printf '\\uff0d\\u3042'""#,
        libc: b"\\uFF0D\xA4\xA2",
        ours: b"\xA1\xDD\xA4\xA2",
        quick: false,
    },
];
