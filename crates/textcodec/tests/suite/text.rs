//! Sentences in every encoding that can represent them, intact and damaged; random input; and the state machine of ISO-2022-JP.

use testkit::{Quick, Runner, drive::Source, in_parallel, texts};
use textcodec::{Bom, Encoding, ISO_2022_JP, Unmappable};

/// Calls `work` for each encoding of the standard, on all cores.
fn each_encoding(what: &str, work: impl Fn(&mut Runner, Encoding, &mut fastrand::Rng) + Sync) {
    let done = in_parallel(40, Runner::default, |runner, index| {
        work(runner, Encoding::ALL[index], &mut fastrand::Rng::with_seed(index as u64));
    });
    println!("{what}: {} comparisons", done.iter().map(|runner| runner.compared).sum::<u64>());
}

#[test]
fn sentences_encode_and_decode_in_any_chunks() {
    each_encoding("sentences", |runner, encoding, _| {
        for sentence in texts::SENTENCES {
            runner.encode(encoding, sentence);
            let text = texts::representable(encoding, sentence);
            let Ok(bytes) = encoding.encode(&text) else { continue };
            runner.decode(encoding, &bytes);
            // ISO-2022-JP encodes half-width katakana as full-width.
            if encoding != ISO_2022_JP {
                assert_eq!(encoding.decode(&bytes).text, text, "{encoding}");
            }
        }
    });
}

#[test]
fn damaged_sentences() {
    each_encoding("damaged sentences", |runner, encoding, random| {
        for sentence in texts::SENTENCES {
            let text = texts::representable(encoding, sentence);
            let bytes = encoding.encode(&text).unwrap_or_default();
            for _ in 0..4 {
                let damaged = texts::damage(&bytes, random);
                runner.decode(encoding, &damaged);
                // Short enough for the Runner to cut it at every position.
                let from = random.usize(..=damaged.len());
                runner.decode(encoding, &damaged[from..damaged.len().min(from + 24)]);
            }
        }
    });
}

#[test]
fn malformed_bytes_between_characters() {
    // As far apart as text that kernels convert, which then replace them without a return to the loop.
    const BYTES: [u8; 10] = [0x80, 0x81, 0x8D, 0x8E, 0x8F, 0xA0, 0xA1, 0xFC, 0xFD, 0xFF];
    each_encoding("malformed bytes", |runner, encoding, random| {
        let text = texts::representable(encoding, &texts::SENTENCES.concat());
        let encoded = |c: char| encoding.encode(&c.to_string()).ok().map(|bytes| bytes.to_vec());
        let characters: Vec<Vec<u8>> = text.chars().filter_map(encoded).collect();
        for byte in BYTES {
            let (mut bytes, mut apart) = (Vec::new(), 0);
            for character in &characters {
                bytes.extend_from_slice(character);
                if apart < character.len() {
                    bytes.extend(vec![byte; random.usize(1..=2)]);
                    apart = random.usize(50..150);
                }
                apart -= character.len();
            }
            runner.decode(encoding, &bytes);
        }
    });
}

#[test]
fn random_bytes() {
    each_encoding("random bytes", |runner, encoding, random| {
        for len in 0..=24 {
            let bytes: Vec<u8> = (0..len).map(|_| random.u8(..)).collect();
            runner.decode(encoding, &bytes);
            runner.decode_padded(encoding, &bytes);
        }
    });
}

#[test]
fn ill_formed_utf_16_and_unmappable_characters() {
    each_encoding("ill-formed UTF-16", |runner, encoding, random| {
        let everything: Vec<u16> = texts::SENTENCES.concat().encode_utf16().collect();
        for len in 0..=24 {
            let units: Vec<u16> = (0..len)
                .map(|_| match random.u8(..5) {
                    0 => random.u16(0xD800..=0xDBFF),
                    1 => random.u16(0xDC00..=0xDFFF),
                    2 => random.u16(..0x80),
                    _ => everything[random.usize(..everything.len())],
                })
                .collect();
            runner.encode_from(encoding, Source::Utf16(&units));
            runner.encode(encoding, &String::from_utf16_lossy(&units));
        }
    });
}

#[test]
fn long_random_text_from_the_repertoire() {
    each_encoding("repertoire", |runner, encoding, random| {
        if !encoding.has_encoder() {
            return;
        }
        let text = texts::repertoire(encoding, 600, random);
        runner.encode(encoding, &text);
        let bytes = encoding.encode(&text).unwrap();
        runner.decode(encoding, &bytes);
        for _ in 0..3 {
            runner.decode(encoding, &texts::damage(&bytes, random));
        }
    });
}

#[test]
fn long_chunks_of_ascii_and_other_text() {
    // A stream takes another way than a whole text as long as its chunks are all ASCII.
    let ascii = "All of this is ASCII. ".repeat(40);
    for &encoding in Encoding::ALL {
        for sentence in texts::SENTENCES {
            let text = texts::representable(encoding, sentence);
            let Ok(bytes) = encoding.encode(&text) else { continue };
            let whole =
                [ascii.as_bytes(), ascii.as_bytes(), &bytes, ascii.as_bytes(), b"\xFF", ascii.as_bytes()].concat();
            let expected = encoding.decode(&whole);
            let units: Vec<u16> = expected.text.encode_utf16().collect();
            let encoded = encoding.encode_with(&expected.text, Unmappable::Html);
            for chunk in [512, 600, ascii.len(), 1000] {
                let (mut decoder, mut text) = (encoding.decoder(), String::new());
                let (mut to_utf16, mut decoded) = (encoding.decoder(), Vec::<u16>::new());
                for part in whole.chunks(chunk) {
                    decoder.push(part, &mut text).unwrap();
                    to_utf16.push(part, &mut decoded).unwrap();
                }
                assert_eq!(decoder.position(), whole.len() as u64, "{encoding}");
                assert_eq!(decoder.finish(&mut text).unwrap().errors, expected.errors, "{encoding}");
                to_utf16.finish(&mut decoded).unwrap();
                assert!(text == expected.text && decoded == units, "{encoding}, chunks of {chunk} bytes");
                let Ok(encoded) = &encoded else { continue };
                let (mut encoder, mut bytes) = (encoding.encoder_with(Unmappable::Html), Vec::new());
                for part in units.chunks(chunk) {
                    encoder.push_utf16(part, &mut bytes).unwrap();
                }
                assert_eq!(encoder.position(), units.len() as u64, "{encoding}");
                assert_eq!(encoder.finish(&mut bytes).unwrap().errors.count(), encoded.errors.count(), "{encoding}");
                assert!(bytes == *encoded.bytes, "{encoding}, chunks of {chunk} code units");
            }
        }
    }
}

#[test]
fn every_string_of_up_to_six_boundary_bytes_in_iso_2022_jp() {
    const BYTES: &[u8; 12] = b"\x1B$(@BIJ!\x5C\x7E\x0E\x80";
    let work = |quick: &mut Quick, first: usize| {
        let mut string = vec![BYTES[first]];
        every_string(quick, &mut string, BYTES);
    };
    let done = in_parallel(12, || Quick::new(ISO_2022_JP), work);
    let inputs: u64 = done.iter().map(|quick| quick.inputs).sum();
    assert_eq!(inputs, (1..=6).map(|len| 12_u64.pow(len)).sum::<u64>());
    println!("ISO-2022-JP: {inputs} strings over {} bytes", BYTES.len());
}

fn every_string(quick: &mut Quick, string: &mut Vec<u8>, bytes: &[u8]) {
    quick.decode(string, Bom::Keep);
    if string.len() < 6 {
        for &byte in bytes {
            string.push(byte);
            every_string(quick, string, bytes);
            string.pop();
        }
    }
}
