//! Every public conversion of short inputs, at every level and for all lengths up to 200.
//!
//! Inputs and outputs have odd addresses and end where their memory ends. The test compares each level with the scalar one;
//! `cargo xtask miri` also finds undefined behaviour.
//!
//! The test sets the level of the whole process, so it is the only one in its program.

use std::fmt::Debug;

use testkit::{levels, rounds, texts};
use textcodec::{
    Bom, DecodeOptions, DecodeTarget, Encoding, ISO_8859_2, LATIN1, MACINTOSH, US_ASCII, Unmappable, WINDOWS_1253,
    X_MAC_CYRILLIC,
    testing::Level,
    utf::{self, Converted},
};

/// Three steps of 64 bytes and a remainder. In Miri, two steps of 32 bytes and a remainder.
const LONGEST: usize = if cfg!(miri) { 70 } else { 200 };

/// Characters from each encoding, few enough for Miri.
const CHARACTERS: &str = "\0aZ~ é½ß€“šłőıŞąķ жЯщґЄ Ωάσ שם سن ไท かナ漢字 ｶﾅ 한뷁 简國 ắ\u{FFFD}😀𠀋 \u{F7A5}";

#[test]
fn short_inputs_at_every_level() {
    let mut random = fastrand::Rng::with_seed(11);
    let everything: Vec<char> = CHARACTERS.chars().collect();
    let latin1: Vec<char> = ('\u{70}'..='\u{8F}').chain('\u{E0}'..='\u{FF}').collect();
    for characters in [&everything, &latin1, &everything, &latin1] {
        each_length(&mut random, |case| at_every_level(|| forms(characters, case)));
    }
    for &encoding in Encoding::ALL.iter().chain(&[LATIN1, US_ASCII]) {
        // Miri is slow, and these encodings use the same kernels as the other single-byte encodings.
        let shares_its_kernels =
            (ISO_8859_2..=MACINTOSH).contains(&encoding) || (WINDOWS_1253..=X_MAC_CYRILLIC).contains(&encoding);
        if cfg!(miri) && shares_its_kernels {
            continue;
        }
        let mut characters: Vec<char> = everything.iter().copied().filter(|&c| encoding.can_encode(c)).collect();
        if characters.is_empty() {
            // `replacement` has no encoder.
            characters.push('?');
        }
        each_length(&mut random, |case| {
            at_every_level(|| decoders(encoding, &characters, case));
            let characters = if case.seed.is_multiple_of(2) { &characters } else { &everything };
            at_every_level(|| encoders(encoding, characters, case));
        });
    }
}

/// An input's length and its position in memory.
#[derive(Debug)]
struct Case {
    len: usize,
    /// The number of units before the input and the output in memory.
    before: usize,
    /// The capacity of the output, in quarters of the maximum length.
    quarters: usize,
    seed: u64,
}

/// Calls `check` for all lengths, or for some as [`rounds`] says, at several addresses and with several capacities.
fn each_length(random: &mut fastrand::Rng, mut check: impl FnMut(&Case)) {
    let mut lengths: Vec<usize> = (0..=LONGEST).collect();
    random.shuffle(&mut lengths);
    for (n, &len) in lengths[..rounds(lengths.len())].iter().enumerate() {
        check(&Case { len, before: [1, 3, 0, 6][n % 4], quarters: random.usize(1..=4), seed: random.u64(..) });
    }
}

/// Compares the results of each level with those of the scalar one.
fn at_every_level<T: PartialEq + Debug>(convert: impl Fn() -> T) {
    let [faster @ .., scalar] = levels() else { unreachable!("there is always a scalar level") };
    let run = |level: &Level| {
        level.make_best();
        convert()
    };
    let expected = run(scalar);
    for level in faster {
        assert_eq!(run(level), expected, "{level:?}");
    }
}

/// Converts with the functions of [`utf`].
fn forms(characters: &[char], case: &Case) -> Vec<(usize, Vec<u16>)> {
    let random = &mut fastrand::Rng::with_seed(case.seed);
    let mut results = Vec::new();
    let text = text(characters, case.len, random);
    let units: Vec<u16> = text.encode_utf16().collect();
    let malformed = texts::damage(text.as_bytes(), random);
    let bytes: Vec<u8> = (0..case.len).map(|_| random.u8(..)).collect();
    at(text.as_bytes(), case, |text| {
        let text = str::from_utf8(text).expect("well-formed UTF-8");
        results.push(write(case, text.len(), |dst| utf::utf8_to_latin1(text, dst)));
    });
    for bytes in [text.as_bytes(), &malformed, &bytes] {
        at(bytes, case, |bytes| {
            // The result is unspecified, and may differ between levels.
            let _ = write(case, bytes.len(), |dst| utf::trusted_utf8_to_latin1(bytes, dst));
            results.push((utf::utf8_valid_up_to(bytes), Vec::new()));
            results.push((utf::ascii_valid_up_to(bytes), Vec::new()));
            results.push(write(case, bytes.len(), |dst| utf::utf8_to_utf16(bytes, dst)));
            results.push(write(case, 2 * bytes.len(), |dst| utf::latin1_to_utf8(bytes, dst)));
            results.push(write(case, 2 * bytes.len(), |dst| to_str(dst, |dst| utf::latin1_to_str(bytes, dst))));
            results.push(write(case, bytes.len(), |dst| utf::latin1_to_utf16(bytes, dst)));
        });
    }
    at(&units, case, |units| {
        results.push((utf::utf16_valid_up_to(units), Vec::new()));
        results.push(write(case, 3 * units.len(), |dst| utf::utf16_to_utf8(units, dst)));
        results.push(write(case, 3 * units.len(), |dst| to_str(dst, |dst| utf::utf16_to_str(units, dst))));
        results.push(write(case, units.len(), |dst| utf::utf16_to_latin1(units, dst)));
        results.push((utf::surrogate_free_up_to(units), Vec::new()));
        results.push((utf::max_unit(units).into(), Vec::new()));
    });
    results
}

/// Decodes inputs in one call and into small buffers.
fn decoders(encoding: Encoding, characters: &[char], case: &Case) -> impl PartialEq + Debug {
    let random = &mut fastrand::Rng::with_seed(case.seed);
    let encoded = encode_as(encoding, &text(characters, case.len, random));
    let malformed = texts::damage(&encoded, random);
    let mut results = Vec::new();
    for bytes in [encoded, malformed] {
        at(&bytes, case, |bytes| {
            let decoded =
                encoding.decode_with(bytes, DecodeOptions::new().bom(Bom::Keep)).expect("malformed bytes are replaced");
            let units = encoding.decode_to_utf16(bytes);
            let decoder = encoding.decoder();
            let max_len = decoder.max_utf8_len(bytes.len()).expect("no overflow");
            let (mut utf8, mut utf16, mut string) =
                (destination::<u8>(case, max_len), destination::<u16>(case, max_len), String::with_capacity(max_len));
            results.push((
                decoded.text.into_owned(),
                units.text,
                decode(encoding, bytes, &mut utf8),
                decode(encoding, bytes, &mut utf16),
                decode(encoding, bytes, &mut string),
                (utf8, utf16, string),
            ));
        });
    }
    results
}

/// Decodes two chunks into uninitialised memory. Returns how much was read and written for each.
fn decode(encoding: Encoding, bytes: &[u8], to: &mut impl DecodeTarget) -> [(usize, usize); 2] {
    let mut decoder = encoding.decoder();
    let (front, back) = bytes.split_at(bytes.len() / 3);
    [(front, false), (back, true)].map(|(chunk, last)| {
        let progress = decoder.decode_within_capacity(chunk, to, last);
        (progress.read, progress.written)
    })
}

/// Encodes text, also to UTF-16. For `replacement`, returns the text's UTF-8.
fn encode_as(encoding: Encoding, text: &str) -> Vec<u8> {
    match encoding.name() {
        "UTF-16LE" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "UTF-16BE" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        "replacement" => text.into(),
        _ => encoding.encode(text).expect("characters of the encoding").into_owned(),
    }
}

/// Encodes text from UTF-8 and UTF-16, in one call and into small buffers.
fn encoders(encoding: Encoding, characters: &[char], case: &Case) -> impl PartialEq + Debug {
    let random = &mut fastrand::Rng::with_seed(case.seed);
    let text = text(characters, case.len, random);
    let mut units: Vec<u16> = text.encode_utf16().collect();
    let mut results = Vec::new();
    at(text.as_bytes(), case, |text| {
        let text = str::from_utf8(text).expect("well-formed UTF-8");
        let encoded = encoding.encode_with(text, Unmappable::Html).map(|encoded| encoded.bytes.into_owned());
        let mut encoder = encoding.encoder();
        let mut bytes = destination::<u8>(case, 4 * text.len());
        let progress = encoder.encode_within_capacity(text, &mut bytes, true);
        results.push((encoded.ok(), bytes, (progress.read, progress.written)));
    });
    if random.bool()
        && let Some(unit) = units.last_mut()
    {
        *unit = 0xD800;
    }
    at(&units, case, |units| {
        let encoded = encoding.encode_from_utf16_with(units, Unmappable::Html).map(|encoded| encoded.bytes);
        let mut encoder = encoding.encoder();
        let mut memory = vec![0; case.before + units.len() * case.quarters];
        let progress = encoder.encode_from_utf16(units, &mut memory[case.before..], true);
        memory.truncate(case.before + progress.written);
        results.push((encoded.ok(), memory, (progress.read, progress.written)));
    });
    results
}

/// Returns `len` consecutive characters from a random position. Half of the results are without ASCII, for which kernels have
/// faster paths.
fn text(characters: &[char], len: usize, random: &mut fastrand::Rng) -> String {
    let from = random.usize(..characters.len());
    let dense = random.bool() && characters.iter().any(|c| !c.is_ascii());
    characters.iter().cycle().skip(from).filter(|c| !dense || !c.is_ascii()).take(len).collect()
}

/// Calls `act` with a copy of `src` that starts after `case.before` units and ends where its memory ends.
fn at<T: Copy + Default>(src: &[T], case: &Case, act: impl FnOnce(&[T])) {
    let mut memory = vec![T::default(); case.before];
    memory.extend_from_slice(src);
    memory.shrink_to_fit();
    act(&memory[case.before..]);
}

/// Returns a vector of `case.before` units with uninitialised capacity for `case.quarters` quarters of `max_len`.
fn destination<T: Copy + Default>(case: &Case, max_len: usize) -> Vec<T> {
    let mut destination = Vec::with_capacity(case.before + max_len * case.quarters / 4);
    destination.resize(case.before, T::default());
    destination
}

/// Converts into the end of a buffer with capacity for `case.quarters` quarters of `max_len`. Returns how much was read and the
/// output.
fn write<T: Copy + Default + Into<u16>>(
    case: &Case,
    max_len: usize,
    convert: impl FnOnce(&mut [T]) -> Converted,
) -> (usize, Vec<u16>) {
    let mut memory = vec![T::default(); case.before + max_len * case.quarters / 4];
    let progress = convert(&mut memory[case.before..]);
    let written = &memory[case.before..][..progress.written];
    (progress.read, written.iter().map(|&unit| unit.into()).collect())
}

/// Converts into a destination of type `str`.
fn to_str(dst: &mut [u8], convert: impl FnOnce(&mut str) -> Converted) -> Converted {
    convert(str::from_utf8_mut(dst).expect("zeros"))
}
