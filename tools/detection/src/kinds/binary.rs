//! Bytes that are no text.

use super::{Maker, Truth};
use crate::source::{Random, Source};

/// Makes bytes of a form.
type Form = fn(&mut Random, &Source<'_>) -> Vec<u8>;

pub(super) fn binary(maker: &mut Maker<'_>) {
    let forms: [(&str, Form); 10] = [
        ("random", |random, _| noise(random)),
        ("compressed", compressed),
        ("image", |random, _| image(random)),
        ("sound", |random, _| sound(random)),
        ("code", |random, _| code(random)),
        ("records", records),
        ("floats", |random, _| floats(random)),
        ("high bytes", |random, _| high_bytes(random)),
        ("keys", |random, _| keys(random)),
        ("text in binary", text_in_binary),
    ];
    for (label, form) in forms {
        maker.make("en", label, maker.count.div_ceil(forms.len()), |random, source| {
            Some((form(random, source), Truth::Unavailable(None)))
        });
    }
}

fn noise(random: &mut Random) -> Vec<u8> {
    (0..random.size(40, 20_000)).map(|_| random.number() as u8).collect()
}

/// A header, and bytes as a compressor writes them: all values are equally frequent.
fn compressed(random: &mut Random, source: &Source<'_>) -> Vec<u8> {
    let name = source.ascii_word(random);
    let mut bytes = match random.below(5) {
        0 => b"\x1F\x8B\x08\x08\x12\x34\x56\x40\0\x03".to_vec(),
        1 => b"PK\x03\x04\x14\0\0\0\x08\0\x21\x30\x54\x2F".to_vec(),
        2 => b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\x01\0\0\0\x01\0\x08\x06\0\0\0".to_vec(),
        3 => b"\xFF\xD8\xFF\xE0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0".to_vec(),
        _ => b"BZh91AY&SY".to_vec(),
    };
    bytes.extend(name.bytes());
    bytes.extend(noise(random));
    bytes
}

/// Smooth gradients in three colours.
fn image(random: &mut Random) -> Vec<u8> {
    let (width, height) = (random.between(8, 80), random.between(8, 60));
    let mut bytes =
        if random.chance(50) { b"BM\x36\x84\x03\0\0\0\0\0\x36\0\0\0\x28\0\0\0".to_vec() } else { Vec::new() };
    let [a, b, c, d] = [0; 4].map(|_: u8| random.between(1, 9));
    let base = random.below(256);
    for y in 0..height {
        for x in 0..width {
            let noise = random.below(3);
            bytes.extend(
                [base + x * a / 2 + noise, base + y * b / 2, 255 - (x * c + y * d) / 3 % 256].map(|value| value as u8),
            );
        }
    }
    bytes
}

fn float(random: &mut Random, least: usize, most: usize) -> f64 {
    f64::from(random.between(least, most) as u32)
}

/// Samples of 8 or 16 bits.
fn sound(random: &mut Random) -> Vec<u8> {
    let mut bytes =
        if random.chance(50) { b"RIFF\x24\x80\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0".to_vec() } else { Vec::new() };
    let (step, volume, is_wide) = (float(random, 1, 60) / 200.0, float(random, 500, 30_000), random.chance(60));
    for n in 0..random.size(50, 8000) {
        let sample = (f64::from(n as u32) * step).sin() * volume + float(random, 0, 400) - 200.0;
        let sample = sample.clamp(-32_768.0, 32_767.0) as i16;
        if is_wide {
            bytes.extend(sample.to_le_bytes());
        } else {
            bytes.push(sample.to_be_bytes()[0] ^ 0x80);
        }
    }
    bytes
}

/// Instructions of x86-64.
fn code(random: &mut Random) -> Vec<u8> {
    let instructions: [&[u8]; 16] = [
        b"\x55\x48\x89\xE5",
        b"\x48\x83\xEC",
        b"\xE8",
        b"\x48\x8B\x45",
        b"\x89\x45",
        b"\xC3",
        b"\x0F\x84",
        b"\x74",
        b"\xEB",
        b"\x48\x8D\x3D",
        b"\x31\xC0",
        b"\x5D\xC3\x90",
        b"\x41\x57\x41\x56",
        b"\x85\xC0",
        b"\x48\x89\xC7",
        b"\xFF\x15",
    ];
    let mut bytes = Vec::new();
    for _ in 0..random.size(20, 3000) {
        let instruction = random.pick(&instructions);
        bytes.extend(instruction);
        match instruction {
            b"\xE8" | b"\x0F\x84" | b"\x48\x8D\x3D" | b"\xFF\x15" => {
                let offset = i32::from(random.size(1, 30_000) as u16);
                bytes.extend((if random.chance(50) { offset } else { -offset }).to_le_bytes());
            }
            b"\x48\x83\xEC" | b"\x48\x8B\x45" | b"\x89\x45" | b"\x74" | b"\xEB" => {
                bytes.push(random.number() as u8 & 0xF8);
            }
            _ => {}
        }
    }
    bytes
}

/// Records of a database: numbers, and names that are padded.
fn records(random: &mut Random, source: &Source<'_>) -> Vec<u8> {
    let (pad, mut bytes) = (if random.chance(50) { 0 } else { b' ' }, Vec::new());
    for n in 0..random.size(2, 300) {
        bytes.extend((n as u32).to_le_bytes());
        bytes.extend((random.size(1, 1_000_000) as u32).to_be_bytes());
        let mut name = source.ascii_word(random).into_bytes();
        name.resize(16, pad);
        bytes.extend(name);
    }
    bytes
}

fn floats(random: &mut Random) -> Vec<u8> {
    let is_wide = random.chance(50);
    let mut bytes = Vec::new();
    for _ in 0..random.size(10, 3000) {
        let value = float(random, 0, 2_000_000) / 1000.0 - 1000.0;
        if is_wide { bytes.extend(value.to_le_bytes()) } else { bytes.extend((value as f32).to_le_bytes()) }
    }
    bytes
}

/// No zero byte and no control character, but not text either.
fn high_bytes(random: &mut Random) -> Vec<u8> {
    (0..random.size(40, 4000)).map(|_| random.between(0x80, 0xFF) as u8).collect()
}

/// Short keys and sums, of 16 to 64 bytes.
fn keys(random: &mut Random) -> Vec<u8> {
    (0..random.between(16, 64)).map(|_| random.number() as u8).collect()
}

/// Text in the middle of binary data, as in a document of an old word processor.
fn text_in_binary(random: &mut Random, source: &Source<'_>) -> Vec<u8> {
    let mut bytes = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1".to_vec();
    bytes.resize(random.between(60, 500), 0);
    let len = random.size(100, 4000);
    bytes.extend(source.line(random, len).bytes());
    bytes.extend(noise(random));
    bytes
}
