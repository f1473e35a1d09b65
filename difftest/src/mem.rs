//! Compares the drop-in's `mem` with that of encoding_rs, which is always right.

mod inputs;

use std::{borrow::Cow, cell::Cell, fmt::Debug, iter, panic, str};

use drop_in::mem as library;
use encoding_rs::mem as witness;
use fastrand::Rng;

use crate::{Job, report::Report, trio::hex};
use inputs::{BYTES, SCRIPTS, SPECIAL, SPECIAL_UNITS, UNITS, sequences};

thread_local! {
    /// Whether a panic of this thread is expected.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Returns all comparisons of `mem`.
pub(crate) fn jobs(seed: u64) -> Vec<Job> {
    let shown = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if !QUIET.get() {
            shown(info);
        }
    }));
    vec![
        Box::new(short),
        Box::new(short_units),
        Box::new(|report| one_special(report, 0)),
        Box::new(|report| one_special(report, 1)),
        Box::new(one_special_unit),
        Box::new(move |report| random(report, seed)),
        Box::new(every_character),
        Box::new(panics),
    ]
}

/// Calls a closure with a function of each crate, and compares the results.
macro_rules! same {
    ($report:expr, $input:expr, $function:ident, $call:expr) => {
        compare(
            $report,
            concat!("mem::", stringify!($function)),
            $input,
            &$call(library::$function),
            &$call(witness::$function),
        )
    };
}

/// Reports a case. The witness is right.
fn compare<T: PartialEq + Debug + Clone>(
    report: &mut Report,
    name: &'static str,
    input: impl FnOnce() -> String,
    library: &T,
    witness: &T,
) {
    report.comparison(name).case("mem", input, library, witness, || witness.clone());
}

/// Returns the output of a function that writes into a destination of `len` units.
fn into<T: Copy>(len: usize, fill: T, write: impl FnOnce(&mut [T]) -> usize) -> Vec<T> {
    let mut dst = vec![fill; len];
    let written = write(&mut dst);
    dst.truncate(written);
    dst
}

/// Returns how much a partial conversion reads, and its output in a destination of `len` bytes.
fn partly(len: usize, write: impl FnOnce(&mut [u8]) -> (usize, usize)) -> (usize, Vec<u8>) {
    let mut read = 0;
    let dst = into(len, 0xAA, |dst| {
        let progress = write(dst);
        read = progress.0;
        progress.1
    });
    (read, dst)
}

/// Like [`partly`], for a `str`. Checks that it remains well-formed UTF-8.
fn partly_str(len: usize, write: impl FnOnce(&mut str) -> (usize, usize)) -> (usize, String) {
    let mut dst: String = "é字x😀".chars().cycle().take(len).collect();
    let whole = (0..=len).rev().find(|&len| dst.is_char_boundary(len)).expect("0 is a boundary");
    dst.truncate(whole);
    dst.extend(iter::repeat_n('x', len - whole));
    let (read, written) = write(&mut dst);
    assert!(str::from_utf8(dst.as_bytes()).is_ok(), "the destination is no longer UTF-8: {}", hex(dst.as_bytes()));
    dst.truncate(written);
    (read, dst)
}

/// Compares every function for bytes, and for text if the bytes are UTF-8. Partial conversions use destinations of each
/// capacity.
fn bytes(report: &mut Report, src: &[u8], capacities: impl Iterator<Item = usize>) {
    let input = || hex(src);
    same!(report, input, is_ascii, |f: fn(&[u8]) -> bool| f(src));
    same!(report, input, is_utf8_latin1, |f: fn(&[u8]) -> bool| f(src));
    same!(report, input, is_utf8_bidi, |f: fn(&[u8]) -> bool| f(src));
    same!(report, input, utf8_latin1_up_to, |f: fn(&[u8]) -> usize| f(src));
    compare(
        report,
        "mem::check_utf8_for_latin1_and_bidi",
        input,
        &(library::check_utf8_for_latin1_and_bidi(src) as u8),
        &(witness::check_utf8_for_latin1_and_bidi(src) as u8),
    );
    for more in [0, 1, 70] {
        let len = src.len() + more;
        same!(report, input, convert_utf8_to_utf16, |f: fn(&[u8], &mut [u16]) -> usize| {
            into(len + 1, 0xAAAA, |dst| f(src, dst))
        });
        same!(report, input, convert_utf8_to_utf16_without_replacement, |f: fn(&[u8], &mut [u16]) -> Option<usize>| {
            let mut malformed = false;
            let units = into(len, 0xAAAA, |dst| {
                f(src, dst).unwrap_or_else(|| {
                    malformed = true;
                    0
                })
            });
            (!malformed).then_some(units)
        });
        same!(report, input, copy_ascii_to_ascii, |f: fn(&[u8], &mut [u8]) -> usize| into(len, 0xAA, |dst| f(
            src, dst
        )));
        same!(report, input, copy_ascii_to_basic_latin, |f: fn(&[u8], &mut [u16]) -> usize| {
            into(len, 0xAAAA, |dst| f(src, dst))
        });
        same!(report, input, convert_latin1_to_utf16, |f: fn(&[u8], &mut [u16])| {
            into(len, 0xAAAA, |dst| {
                f(src, dst);
                src.len()
            })
        });
        same!(report, input, convert_latin1_to_utf8, |f: fn(&[u8], &mut [u8]) -> usize| {
            into(src.len() + len, 0xAA, |dst| f(src, dst))
        });
        same!(report, input, convert_latin1_to_str, |f: fn(&[u8], &mut str) -> usize| {
            partly_str(src.len() + len, |dst| (src.len(), f(src, dst)))
        });
        if witness::is_utf8_latin1(src) {
            same!(report, input, convert_utf8_to_latin1_lossy, |f: fn(&[u8], &mut [u8]) -> usize| {
                into(len, 0xAA, |dst| f(src, dst))
            });
        }
    }
    for capacity in capacities {
        let input = || format!("{} into {capacity}", hex(src));
        same!(report, input, convert_latin1_to_utf8_partial, |f: fn(&[u8], &mut [u8]) -> (usize, usize)| {
            partly(capacity, |dst| f(src, dst))
        });
        same!(report, input, convert_latin1_to_str_partial, |f: fn(&[u8], &mut str) -> (usize, usize)| {
            partly_str(capacity, |dst| f(src, dst))
        });
    }
    same!(report, input, decode_latin1, |f: fn(&[u8]) -> Cow<'_, str>| {
        let text = f(src);
        (matches!(text, Cow::Borrowed(_)), text)
    });
    if let Ok(text) = str::from_utf8(src) {
        of_text(report, text);
    }
}

/// Compares every function for text.
fn of_text(report: &mut Report, src: &str) {
    let input = || format!("{src:?}");
    same!(report, input, is_str_latin1, |f: fn(&str) -> bool| f(src));
    same!(report, input, is_str_bidi, |f: fn(&str) -> bool| f(src));
    same!(report, input, str_latin1_up_to, |f: fn(&str) -> usize| f(src));
    compare(
        report,
        "mem::check_str_for_latin1_and_bidi",
        input,
        &(library::check_str_for_latin1_and_bidi(src) as u8),
        &(witness::check_str_for_latin1_and_bidi(src) as u8),
    );
    for more in [0, 70] {
        same!(report, input, convert_str_to_utf16, |f: fn(&str, &mut [u16]) -> usize| {
            into(src.len() + more, 0xAAAA, |dst| f(src, dst))
        });
    }
    if witness::is_str_latin1(src) {
        same!(report, input, encode_latin1_lossy, |f: fn(&str) -> Cow<'_, [u8]>| {
            let bytes = f(src);
            (matches!(bytes, Cow::Borrowed(_)), bytes)
        });
    }
}

/// Compares every function for code units. Partial conversions use destinations of each capacity.
fn units(report: &mut Report, src: &[u16], capacities: impl Iterator<Item = usize>) {
    let input = || format!("{src:04X?}");
    same!(report, input, is_basic_latin, |f: fn(&[u16]) -> bool| f(src));
    same!(report, input, is_utf16_latin1, |f: fn(&[u16]) -> bool| f(src));
    same!(report, input, is_utf16_bidi, |f: fn(&[u16]) -> bool| f(src));
    same!(report, input, utf16_valid_up_to, |f: fn(&[u16]) -> usize| f(src));
    compare(
        report,
        "mem::check_utf16_for_latin1_and_bidi",
        input,
        &(library::check_utf16_for_latin1_and_bidi(src) as u8),
        &(witness::check_utf16_for_latin1_and_bidi(src) as u8),
    );
    same!(report, input, ensure_utf16_validity, |f: fn(&mut [u16])| {
        let mut units = src.to_vec();
        f(&mut units);
        units
    });
    let latin1 = witness::is_utf16_latin1(src);
    for more in [0, 1, 70] {
        let len = src.len() + more;
        same!(report, input, copy_basic_latin_to_ascii, |f: fn(&[u16], &mut [u8]) -> usize| {
            into(len, 0xAA, |dst| f(src, dst))
        });
        same!(report, input, convert_utf16_to_latin1_lossy, |f: fn(&[u16], &mut [u8])| {
            // The result for other code units is unspecified.
            into(len, 0xAA, |dst| {
                f(src, dst);
                if latin1 { src.len() } else { 0 }
            })
        });
        let len = 2 * src.len() + len;
        same!(report, input, convert_utf16_to_utf8, |f: fn(&[u16], &mut [u8]) -> usize| {
            into(len, 0xAA, |dst| f(src, dst))
        });
        same!(report, input, convert_utf16_to_str, |f: fn(&[u16], &mut str) -> usize| {
            partly_str(len, |dst| (src.len(), f(src, dst)))
        });
    }
    for capacity in capacities {
        let input = || format!("{src:04X?} into {capacity}");
        same!(report, input, convert_utf16_to_utf8_partial, |f: fn(&[u16], &mut [u8]) -> (usize, usize)| {
            // The destination after the written part must not change.
            let mut progress = (0, 0);
            let dst = into(capacity, 0xAA, |dst| {
                progress = f(src, dst);
                capacity
            });
            (progress, dst)
        });
        same!(report, input, convert_utf16_to_str_partial, |f: fn(&[u16], &mut str) -> (usize, usize)| {
            partly_str(capacity, |dst| f(src, dst))
        });
    }
}

/// Compares short inputs of bytes.
fn short(report: &mut Report) {
    let all: Vec<u8> = (0..=0xFF).collect();
    sequences(&all, 2, |src| bytes(report, src, 0..=5));
    sequences(BYTES, 4, |src| bytes(report, src, 0..=9));
}

/// Compares short inputs of code units, and every code unit alone.
fn short_units(report: &mut Report) {
    sequences(UNITS, 3, |src| units(report, src, 0..=10));
    for unit in 0..=u16::MAX {
        units(report, &[unit], 0..=4);
        let input = || format!("{unit:04X}");
        same!(report, input, is_utf16_code_unit_bidi, |f: fn(u16) -> bool| f(unit));
    }
}

/// Compares every character, alone and after other text.
fn every_character(report: &mut Report) {
    for character in '\0'..=char::MAX {
        let input = || format!("{character:?}");
        same!(report, input, is_char_bidi, |f: fn(char) -> bool| f(character));
        for before in
            ["", "a text that is longer than a block of whatever the functions take at once: sixty-four bytes"]
        {
            let text = format!("{before}{character}");
            of_text(report, &text);
            same!(report, input, is_utf8_bidi, |f: fn(&[u8]) -> bool| f(text.as_bytes()));
            let units: Vec<u16> = text.encode_utf16().collect();
            same!(report, input, is_utf16_bidi, |f: fn(&[u16]) -> bool| f(&units));
        }
    }
}

/// Compares text of about a block's length with a special sequence at every position.
fn one_special(report: &mut Report, part: usize) {
    let lengths = (1..=20).chain(30..=34).chain(60..=70).chain(126..=132);
    for (filler, len) in
        ["a", "é", "я", "字", "😀"].into_iter().flat_map(|filler| lengths.clone().map(move |len| (filler, len)))
    {
        let text = filler.repeat(len / filler.len());
        for special in SPECIAL.iter().skip(part).step_by(2) {
            for at in (0..=text.len()).step_by(filler.len()) {
                let src = [&text.as_bytes()[..at], special, &text.as_bytes()[at..]].concat();
                bytes(report, &src, [at, at + special.len(), src.len(), src.len() + 1].into_iter());
            }
        }
    }
}

/// Like [`one_special`], for code units.
fn one_special_unit(report: &mut Report) {
    let lengths = (1..=10).chain(14..=18).chain(30..=35).chain(47..=52).chain(62..=67).chain(127..=130);
    for (filler, len) in
        ["a", "é", "字", "😀"].into_iter().flat_map(|filler| lengths.clone().map(move |len| (filler, len)))
    {
        let width = filler.encode_utf16().count();
        let text: Vec<u16> = filler.repeat(len / width).encode_utf16().collect();
        for special in SPECIAL_UNITS {
            for at in (0..=text.len()).step_by(width) {
                let src = [&text[..at], special, &text[at..]].concat();
                let bytes = filler.len() * at / width;
                units(report, &src, (bytes..bytes + 7).chain([3 * src.len() + 1]));
            }
        }
    }
}

/// Compares random text, some of it malformed.
fn random(report: &mut Report, seed: u64) {
    let mut rng = Rng::with_seed(seed);
    for round in 0..12_000 {
        let len = if round % 100 == 0 { rng.usize(..9_000) } else { rng.usize(..600) };
        let mut text = String::new();
        let mut script = "";
        while text.len() < len {
            if rng.u8(..4) == 0 {
                script = rng.choice(SCRIPTS).expect("there are some");
            }
            let run = rng.usize(..=script.chars().count());
            text.extend(script.chars().skip(rng.usize(..3)).take(run));
            if rng.u8(..8) == 0 {
                text.push(rng.char(..));
            }
        }
        let (mut src, mut src_units) = (text.clone().into_bytes(), text.encode_utf16().collect::<Vec<_>>());
        for _ in 0..[0, 0, 1, 3, len / 10][rng.usize(..5)] {
            let at = rng.usize(..=src.len());
            src.splice(at..(at + rng.usize(..2)).min(src.len()), rng.choice(SPECIAL).expect("some").iter().copied());
            let at = rng.usize(..=src_units.len());
            let end = (at + rng.usize(..2)).min(src_units.len());
            src_units.splice(at..end, rng.choice(SPECIAL_UNITS).expect("some").iter().copied());
        }
        let mut capacities =
            |len: usize| [rng.usize(..=2 * len), rng.usize(..=3 * len), rng.usize(..200), 3 * len + 9].into_iter();
        bytes(report, &src, capacities(src.len()));
        units(report, &src_units, capacities(src_units.len()));
        let latin1: String = text.chars().filter(|&character| character <= 'ÿ').collect();
        bytes(report, latin1.as_bytes(), capacities(latin1.len()));
        of_text(report, &latin1);
    }
}

/// Returns the result of `act`, or `None` if it panics.
fn quietly<R>(act: impl FnOnce() -> R) -> Option<R> {
    QUIET.set(true);
    let result = panic::catch_unwind(panic::AssertUnwindSafe(act)).ok();
    QUIET.set(false);
    result
}

/// Compares panics with destinations around the documented minimum.
fn panics(report: &mut Report) {
    for src in ["", "a", "é", "ab", "é字", "a text of more than sixteen bytes", "é".repeat(40).as_str()] {
        let (src, units) = (src.as_bytes(), src.encode_utf16().collect::<Vec<_>>());
        let (len, width) = (src.len(), units.len());
        for capacity in 0..=3 * len + 2 {
            let input = || format!("{} into {capacity}", hex(src));
            macro_rules! panics {
                ($function:ident, $signature:ty, $src:expr, $fill:expr) => {
                    same!(report, input, $function, |f: $signature| quietly(|| f($src, &mut vec![$fill; capacity])))
                };
            }
            panics!(convert_utf8_to_utf16, fn(&[u8], &mut [u16]) -> usize, src, 0);
            panics!(convert_utf8_to_utf16_without_replacement, fn(&[u8], &mut [u16]) -> Option<usize>, src, 0);
            panics!(convert_str_to_utf16, fn(&str, &mut [u16]) -> usize, str::from_utf8(src).expect("valid UTF-8"), 0);
            panics!(convert_utf16_to_utf8, fn(&[u16], &mut [u8]) -> usize, &units, 0);
            panics!(convert_utf16_to_utf8_partial, fn(&[u16], &mut [u8]) -> (usize, usize), &units, 0);
            panics!(convert_latin1_to_utf16, fn(&[u8], &mut [u16]), src, 0);
            panics!(convert_latin1_to_utf8, fn(&[u8], &mut [u8]) -> usize, src, 0);
            panics!(convert_latin1_to_utf8_partial, fn(&[u8], &mut [u8]) -> (usize, usize), src, 0);
            // This program has debug assertions, so this also panics if the source is not Latin-1.
            panics!(convert_utf8_to_latin1_lossy, fn(&[u8], &mut [u8]) -> usize, src, 0);
            panics!(convert_utf16_to_latin1_lossy, fn(&[u16], &mut [u8]), &units, 0);
            panics!(copy_ascii_to_ascii, fn(&[u8], &mut [u8]) -> usize, src, 0);
            panics!(copy_ascii_to_basic_latin, fn(&[u8], &mut [u16]) -> usize, src, 0);
            panics!(copy_basic_latin_to_ascii, fn(&[u16], &mut [u8]) -> usize, &units, 0);
            same!(report, input, convert_utf16_to_str, |f: fn(&[u16], &mut str) -> usize| {
                quietly(|| f(&units, &mut "x".repeat(capacity)))
            });
            same!(report, input, convert_latin1_to_str, |f: fn(&[u8], &mut str) -> usize| {
                quietly(|| f(src, &mut "x".repeat(capacity)))
            });
        }
        assert!(width <= len, "the capacities go up to three bytes for each code unit");
    }
    for text in ["a", "é", "Ā", "aé字", "a text of more than sixteen bytes, and one above U+00FF: —"] {
        let input = || format!("{text:?}");
        same!(report, input, encode_latin1_lossy, |f: fn(&str) -> Cow<'_, [u8]>| quietly(|| f(text).into_owned()));
    }
    for src in [&b"a"[..], b"\xC3", b"\xFF", b"\xC4\x80", b"a\xC3\xA9\xA9"] {
        same!(report, || hex(src), convert_utf8_to_latin1_lossy, |f: fn(&[u8], &mut [u8]) -> usize| {
            quietly(|| f(src, &mut [0; 9]))
        });
    }
}
