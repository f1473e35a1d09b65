//! Streams in encodings with an algorithm, compared with iconv of glibc: all characters, and bytes of all kinds.

#![cfg(target_os = "linux")]

use std::{
    env, fs,
    process::Command,
    sync::atomic::{AtomicUsize, Ordering},
};

use textcodec::UTF_8;
use textcodec_iconv::{Conversion, Form, Options, Stop};

use common::whole;

mod common;

const UTF: Form = Form::Encoding(UTF_8);

/// A name of glibc, and parts of bytes that are malformed or not, depending on those before them.
struct Stream {
    name: &'static str,
    parts: &'static [&'static [u8]],
    /// Characters that glibc has, and this library has not: shifts, and U+327E, which is not in the index of EUC-KR.
    without: &'static [char],
}

const STREAMS: [Stream; 3] = [
    Stream {
        name: "ISO-2022-KR",
        parts: &[b"\x0E", b"\x0F", b"\x1B$)C", b"0!", b"aa", b"a", b" a", b"\xFF", b"Ha"],
        without: &['\x0E', '\x0F', '\x1B', '\u{327E}'],
    },
    Stream {
        name: "UTF-7",
        parts: &[b"+-", b"-", b"AOk", b"+AGE", b"2D3eAA", b"+2D0", b"3gA", b"+AOk-", b"A", b" ", b"~", b"\xFF", b"/"],
        without: &[],
    },
    Stream {
        name: "UTF-7-IMAP",
        parts: &[b"&-", b"-", b"AOk", b"&AGE", b"2D3eAA", b"&2D0", b"3gA", b"&AOk-", b"A", b" ", b"\n", b"\xFF", b","],
        without: &[],
    },
];

impl Stream {
    /// The streams of which glibc has the name.
    fn all() -> impl Iterator<Item = Self> {
        let list = Command::new("iconv").arg("-l").output().map(|output| output.stdout).unwrap_or_default();
        let list = String::from_utf8_lossy(&list).into_owned();
        STREAMS.into_iter().filter(move |stream| {
            let has = list.lines().any(|line| line == format!("{}//", stream.name));
            if !has {
                println!("SKIPPED: iconv is not that of glibc, or lacks {}", stream.name);
            }
            has
        })
    }

    fn form(&self) -> Form {
        Form::for_name(self.name).unwrap()
    }
}

/// Runs glibc's iconv. Returns its output, and whether the whole input was converted.
fn glibc(options: &[&str], from: &str, to: &str, input: &[u8]) -> (Vec<u8>, bool) {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);

    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let file = env::temp_dir().join(format!("textcodec-iconv-streams-{}-{number}", std::process::id()));
    fs::write(&file, input).unwrap();
    let output = Command::new("iconv").args(options).args(["-f", from, "-t", to]).arg(&file).output().unwrap();
    fs::remove_file(&file).unwrap();
    (output.stdout, output.status.success())
}

fn skipping() -> Options {
    let mut options = Options::default();
    (options.skip_malformed, options.skip_unmappable, options.skip_tags) = (true, true, true);
    options
}

#[test]
fn all_characters_are_written_and_read_as_by_glibc() {
    for stream in Stream::all() {
        let (name, form) = (stream.name, stream.form());
        assert!(stream.without.iter().all(|&c| !form.has(c)), "{name}");
        for separator in ["", "a", "\u{AC00}", "\n"] {
            let characters = ('\0'..=char::MAX).filter(|c| !stream.without.contains(c));
            let text: String = characters.flat_map(|c| [c.to_string(), separator.to_owned()]).collect();
            let (theirs, _) = glibc(&["-c"], "UTF-8", name, text.as_bytes());
            let ours = whole(Conversion::new(UTF, form, skipping()), text.as_bytes());
            assert!(ours.bytes == theirs, "{name}, {separator:?}: {} bytes, not {}", ours.bytes.len(), theirs.len());
            let (text, _) = glibc(&[], name, "UTF-8", &theirs);
            let back = whole(Conversion::new(form, UTF, Options::default()), &theirs);
            assert_eq!((back.read, back.stop), (theirs.len(), Stop::InputEmpty), "{name}");
            assert!(back.bytes == text, "{name}, {separator:?}");
        }
    }
}

/// What is malformed, the text before it, and the rest if it is skipped.
#[test]
fn malformed_bytes_are_those_of_glibc() {
    let mut random = fastrand::Rng::with_seed(3);
    for stream in Stream::all() {
        let (name, form) = (stream.name, stream.form());
        let mut malformed = 0;
        for _ in 0..600 {
            let parts = (0..random.usize(1..8)).map(|_| *random.choice(stream.parts).unwrap());
            let bytes = parts.collect::<Vec<_>>().concat();
            let what = format!("{name}: {:?}", bytes.escape_ascii().to_string());
            let ours = whole(Conversion::new(form, UTF, Options::default()), &bytes);
            // glibc keeps the bits of UTF-7 in the descriptor, and ignores them at the end.
            let is_incomplete = ours.stop == Stop::Incomplete && name != "ISO-2022-KR";
            let is_whole = ours.stop == Stop::InputEmpty;
            assert_eq!((ours.bytes, is_whole || is_incomplete), glibc(&[], name, "UTF-8", &bytes), "{what}");
            let ours = whole(Conversion::new(form, UTF, skipping()), &bytes);
            let theirs = glibc(&["-c"], name, "UTF-8", &bytes).0;
            assert_eq!(String::from_utf8_lossy(&ours.bytes), String::from_utf8_lossy(&theirs), "{what}");
            malformed += usize::from(!is_whole);
        }
        println!("{name}: {malformed} of 600 texts are malformed");
        assert!((60..540).contains(&malformed), "{name}: {malformed}");
    }
}
