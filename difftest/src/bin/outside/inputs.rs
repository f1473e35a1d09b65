//! The inputs of each comparison.

use spec_model::Encoding;

/// A text in UTF-32, big-endian.
pub(crate) fn utf32(text: &str) -> Vec<u8> {
    text.chars().flat_map(|character| u32::from(character).to_be_bytes()).collect()
}

/// All pairs, and random sequences of an encoding's own bytes.
pub(crate) fn bytes(encoding: &str) -> Vec<Vec<u8>> {
    let mut inputs: Vec<Vec<u8>> = Vec::new();
    let square = || (0x21..=0x7E).flat_map(|first| (0x21..=0x7E).map(move |second| [first, second]));
    let all_pairs = || (0..=0xFF).flat_map(|first| (0..=0xFF).map(move |second| [first, second]));
    match encoding {
        "true-hz" => inputs.extend(square().map(|pair| [&b"~{"[..], &pair, b"~}"].concat())),
        "true-iso-2022-kr" => inputs.extend(square().map(|pair| [&b"\x1B$)C\x0E"[..], &pair, b"\x0F"].concat())),
        "JOHAB" | "GSM-03.38" | "UTF-7" | "UTF-7-IMAP" | "true-ucs-2be" | "true-ucs-2le" | "CESU-8" => {
            inputs.extend((0..=0xFF).map(|byte| vec![byte]));
            inputs.extend(all_pairs().map(Vec::from));
        }
        _ => {}
    }
    if encoding == "CESU-8" {
        inputs.extend(all_pairs().map(|[first, second]| vec![0xE0 | first & 15, second, 0x80 | first >> 4]));
        let half = |first: u8| (0x80..=0xBF).map(move |last| [0xED, first, last]);
        let halves = (0xA0..=0xBF).flat_map(half);
        inputs.extend(
            halves.flat_map(|high| [[0xED, 0xB0, 0x80], [0xED, 0xA0, 0x80], high].map(|low| [high, low].concat())),
        );
    }
    if encoding.starts_with("UTF-32") {
        let units = (0..0x11_0100_u32).step_by(7).chain(0xD700..0xE100).chain([0x7FFF_FFFF, u32::MAX]);
        let is_little = encoding == "UTF-32LE";
        let unit = |unit: u32| if is_little { unit.to_le_bytes() } else { unit.to_be_bytes() };
        inputs.extend(units.map(|code_point| [unit(0x61), unit(code_point)].concat()));
    }
    let pieces: &[&[u8]] = match encoding {
        "UTF-7" => &[b"+", b"-", b"A", b"AOk", b"2D3eAA", b"2D0", b"3gA", b"/", b".", b" ", b"&", b"\\", b"AGE", b"a"],
        "UTF-7-IMAP" => &[b"&", b"-", b"A", b"AOk", b"2D3eAA", b"2D0", b"3gA", b",", b".", b" ", b"+", b"AGE", b"\n"],
        "UTF-32" => &[b"\0\0\xFE\xFF", b"\xFF\xFE\0\0", b"\0\0\0a", b"a\0\0\0", b"\0\x01\xF6\0", b"\0"],
        "UTF-32BE" | "UTF-32LE" => &[b"\0\0\xFE\xFF", b"\xFF\xFE\0\0", b"\0\0\0a", b"a\0\0\0", b"\0"],
        "true-ucs-2be" | "true-ucs-2le" => {
            &[b"\xD8\0", b"\0\xDC", b"\xDC\0", b"\0\xD8", b"a\0", b"\0a", b"\xFE\xFF", b"\xFF\xFE"]
        }
        "CESU-8" => &[b"a", b"\xC3\xA9", b"\xED\xA0\xBD", b"\xED\xB8\x80", b"\xED", b"\xF0\x9F\x98\x80", b"\xE2\x82"],
        "true-hz" => &[b"~", b"{", b"}", b"\n", b"VP", b"~{", b"~}", b"~~", b"a", b" ", b"!!", b"\r", b"\t"],
        "true-iso-2022-kr" => &[b"\x1B$)C", b"\x0E", b"\x0F", b"\n", b"0!", b"a", b" ", b"!!", b"\r", b"\t", b"~"],
        "JOHAB" => &[b"a", b"\x88a", b"\x84A", b"\xD91", b"\xDA\xD4", b"\\", b"\xD3", b"\x80"],
        _ => &[b"a", b"\x1B", b"e", b"(", b"\0", b"\x80", b"<", b"\n", b"\r"],
    };
    let mut random = fastrand::Rng::with_seed(0x0E6);
    for _ in 0..20_000 {
        let mut input = if encoding == "true-iso-2022-kr" { b"\x1B$)C".to_vec() } else { Vec::new() };
        for _ in 0..random.usize(1..8) {
            input.extend(pieces[random.usize(..pieces.len())]);
        }
        inputs.push(input);
    }
    inputs
}

/// Each character, and random texts, in UTF-32.
pub(crate) fn texts(encoding: &str) -> Vec<Vec<u8>> {
    let mut texts: Vec<Vec<u8>> = ('\0'..='\u{FFFF}').map(|character| utf32(&character.to_string())).collect();
    texts.extend(('\u{10000}'..=char::MAX).step_by(97).map(|character| utf32(&character.to_string())));
    texts.push(Vec::new());
    assert!(Encoding::outside().any(|other| other.name() == encoding));
    let pool: Vec<char> = "aB9+-&/~\\{\n é中가ㄱ漢😀".chars().collect();
    let mut random = fastrand::Rng::with_seed(0x0E7);
    for _ in 0..20_000 {
        let text: String = (0..random.usize(1..8)).map(|_| pool[random.usize(..pool.len())]).collect();
        texts.push(utf32(&text));
    }
    texts
}
