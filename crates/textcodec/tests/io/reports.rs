//! Encoders with `Unmappable::Pause`: the bytes, the errors and their offsets are those of `Encoder::encode_from_utf8`.

use std::{
    io::{self, Read, Write},
    ops::Range,
};

use textcodec::{
    EUC_JP, EncodeError, Encoder, GB18030, ISO_2022_JP, Status, Unmappable, WINDOWS_1252,
    io::{EncodeReader, EncodeWriter},
};

/// Each error's range, and the number of bytes before it.
type Errors = Vec<(usize, Range<u64>)>;

fn reference(mut encoder: Encoder, mut text: &str) -> (Vec<u8>, Errors) {
    let (mut bytes, mut errors, mut buffer) = (Vec::new(), Vec::new(), [0; 4096]);
    loop {
        let progress = encoder.encode_from_utf8(text, &mut buffer, true);
        bytes.extend_from_slice(&buffer[..progress.written]);
        text = &text[progress.read..];
        match progress.status {
            Status::InputEmpty => return (bytes, errors),
            Status::Error(error) => errors.push((bytes.len(), error.range())),
            status => assert_eq!(status, Status::OutputFull),
        }
    }
}

fn range(error: io::Error) -> Range<u64> {
    error.downcast::<EncodeError>().unwrap().range()
}

fn read(encoder: Encoder, text: &str, size: usize) -> (Vec<u8>, Errors) {
    let mut reader = EncodeReader::new(text.as_bytes(), encoder);
    let (mut bytes, mut errors, mut buffer) = (Vec::new(), Vec::new(), vec![0; size]);
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return (bytes, errors),
            Ok(len) => bytes.extend_from_slice(&buffer[..len]),
            Err(error) => errors.push((bytes.len(), range(error))),
        }
    }
}

fn write(encoder: Encoder, text: &str, random: &mut fastrand::Rng) -> (Vec<u8>, Vec<Range<u64>>) {
    let mut writer = EncodeWriter::new(Vec::new(), encoder);
    let (mut rest, mut errors) = (text.as_bytes(), Vec::new());
    while !rest.is_empty() {
        match writer.write(&rest[..random.usize(1..=rest.len())]) {
            Ok(len) => rest = &rest[len..],
            Err(error) => errors.push(range(error)),
        }
        if random.u8(..4) == 0 {
            errors.extend(writer.flush().err().map(range));
        }
    }
    while let Err(error) = writer.try_finish() {
        errors.push(range(error));
    }
    (writer.into_inner(), errors)
}

#[test]
fn readers_and_writers_report_each_character() {
    let mut random = fastrand::Rng::with_seed(7);
    for to in [ISO_2022_JP, WINDOWS_1252, EUC_JP, GB18030] {
        let encoder = to.encoder_with(Unmappable::Pause);
        let mut reported = 0;
        for _ in 0..400 {
            let text: String = (0..random.usize(..30))
                .map(|_| *random.choice(&['a', '字', 'é', '日', '😀', '\u{A5}', '\u{203E}', '\u{E5E5}', '\n']).unwrap())
                .collect();
            let (bytes, errors) = reference(encoder.clone(), &text);
            for size in [1, 3, 5000] {
                assert_eq!(read(encoder.clone(), &text, size), (bytes.clone(), errors.clone()), "{to} {text:?}");
            }
            let ranges: Vec<_> = errors.into_iter().map(|(_, range)| range).collect();
            reported += ranges.len();
            assert_eq!(write(encoder.clone(), &text, &mut random), (bytes, ranges), "{to} {text:?}");
        }
        assert!(reported > 0, "{to}");
    }
}
