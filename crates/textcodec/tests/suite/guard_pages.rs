//! The public API with buffers next to inaccessible pages: an access outside a source or a destination ends the process.
//! `src/kernel/tests/guard_pages.rs` tests single kernels in the same way.

use std::fmt::Debug;

use testkit::{
    drive::{self, Source, Unit},
    guard::{self, Edge, Guarded},
    levels, rounds, texts,
};
use textcodec::{DecodeOptions, Encoding, Status, Unmappable, testing::Level, utf};

/// The memory for sources and destinations.
struct Memory {
    src: Guarded,
    dst: Guarded,
    random: fastrand::Rng,
}

impl Memory {
    /// Returns `None` on platforms without memory protection.
    fn new(seed: u64) -> Option<Self> {
        let [src, dst] = [(); 2].map(|()| Guarded::new(1 << 16));
        Some(Self { src: src?, dst: dst?, random: fastrand::Rng::with_seed(seed) })
    }

    fn edge(&mut self) -> Edge {
        Edge::BOTH[self.random.usize(..2)]
    }

    /// Returns a random length for a chunk or a destination: up to a few units, up to a vector, or up to more than `len`.
    fn length(&mut self, len: usize) -> usize {
        let max = [8, 40, len + 80][self.random.usize(..3)];
        self.random.usize(..=max)
    }

    /// Decodes with chunks and destinations of random lengths and compares the text with that of one call in ordinary memory.
    fn decode<U: Unit + guard::Unit>(&mut self, level: Level, encoding: Encoding, bytes: &[u8]) {
        let mut expected = Vec::new();
        let mut decoder = level.decoder(encoding.decoder());
        drive::decode::<U>(&mut decoder, &[bytes], || 4 * bytes.len() + 8, &mut expected, |_, _| true);

        decoder.reset();
        let (mut text, mut at, mut last) = (Vec::<U>::new(), 0, false);
        while !last {
            let end = bytes.len().min(at + self.length(bytes.len()));
            last = end == bytes.len();
            loop {
                let (capacity, edge) = (self.length(3 * (end - at)), self.edge());
                let dst = self.dst.buffer(capacity, edge);
                let progress = U::decode(&mut decoder, self.src.copy(&bytes[at..end], edge), dst, last);
                text.extend(&dst[..progress.written]);
                at += progress.read;
                if progress.status == Status::InputEmpty {
                    break;
                }
            }
        }
        assert_eq!(text, expected, "{encoding}, {}: {bytes:02X?}", level.name());
    }

    /// Encodes with chunks and destinations of random lengths and compares the bytes with those of one call in ordinary memory.
    fn encode(&mut self, level: Level, encoding: Encoding, text: Source<'_>) {
        let mut expected = Vec::new();
        let mut encoder = level.encoder(encoding.encoder_with(Unmappable::Html));
        drive::encode(&mut encoder, &[text], || 10 * text.len() + 8, &mut expected, |_| unreachable!());

        encoder.reset();
        let (mut bytes, mut at, mut last) = (Vec::new(), 0, false);
        while !last {
            let mut end = text.len().min(at + self.length(text.len()));
            while !text.may_cut(end) {
                end += 1;
            }
            last = end == text.len();
            loop {
                let (capacity, edge) = (self.length(4 * (end - at)), self.edge());
                let dst = self.dst.buffer(capacity, edge);
                let src = match text.slice(at..end) {
                    Source::Utf8(text) => Source::Utf8(str::from_utf8(self.src.copy(text.as_bytes(), edge)).unwrap()),
                    Source::Utf16(text) => Source::Utf16(self.src.copy(text, edge)),
                };
                let progress = src.encode(&mut encoder, dst, last);
                bytes.extend_from_slice(&dst[..progress.written]);
                at += progress.read;
                if progress.status == Status::InputEmpty {
                    break;
                }
            }
        }
        assert_eq!(bytes, expected, "{encoding}, {}: {text:?}", level.name());
    }

    /// Calls a function of [`utf`] and compares its result with that in ordinary memory.
    fn convert<S: guard::Unit, T: guard::Unit + Default + PartialEq + Debug>(
        &mut self,
        src: &[S],
        run: impl Fn(&[S], &mut [T]) -> utf::Converted,
    ) {
        let capacity = self.length(3 * src.len());
        let mut expected = vec![T::default(); capacity];
        let progress = run(src, &mut expected);
        for edge in Edge::BOTH {
            let dst = self.dst.buffer::<T>(capacity, edge);
            assert_eq!(run(self.src.copy(src, edge), dst), progress, "{edge:?}");
            assert_eq!(dst[..progress.written], expected[..progress.written], "{edge:?}");
        }
    }
}

/// Random text for an encoding: ASCII, characters that it can encode, and sentences that it may be unable to encode.
struct Texts(Vec<char>);

impl Texts {
    fn new(encoding: Encoding, random: &mut fastrand::Rng) -> Self {
        Self(texts::repertoire(encoding, 2000, random).chars().collect())
    }

    fn next(&self, random: &mut fastrand::Rng) -> String {
        let mut text = texts::SENTENCES[0].repeat(3)[..random.usize(..200)].to_owned();
        let from = random.usize(..self.0.len() - 200);
        text.extend(&self.0[from..from + random.usize(..200)]);
        if random.bool() {
            text.push_str(texts::SENTENCES[random.usize(..texts::SENTENCES.len())]);
        }
        text
    }
}

#[test]
fn decoders_stay_within_their_buffers() {
    let Some(mut memory) = Memory::new(41) else { return };
    for &encoding in Encoding::ALL {
        let texts = Texts::new(encoding.output_encoding(), &mut memory.random);
        for _ in 0..rounds(8) {
            let text = texts.next(&mut memory.random);
            let mut bytes = encoding.output_encoding().encode_with(&text, Unmappable::Skip).unwrap().bytes.into_owned();
            if memory.random.bool() {
                bytes = texts::damage(&bytes, &mut memory.random);
            }
            for &level in levels() {
                memory.decode::<u8>(level, encoding, &bytes);
                memory.decode::<u16>(level, encoding, &bytes);
            }
            let edge = memory.edge();
            let (src, options) = (memory.src.copy(&bytes, edge), DecodeOptions::new());
            assert_eq!(encoding.decode(src), encoding.decode(&bytes));
            assert_eq!(encoding.decode_to_utf16_with(src, options), encoding.decode_to_utf16_with(&bytes, options));
        }
    }
}

#[test]
fn encoders_stay_within_their_buffers() {
    let Some(mut memory) = Memory::new(42) else { return };
    for &encoding in Encoding::ALL.iter().filter(|encoding| encoding.output_encoding() == **encoding) {
        let texts = Texts::new(encoding, &mut memory.random);
        for _ in 0..rounds(8) {
            let text = texts.next(&mut memory.random);
            let mut units: Vec<u16> = text.encode_utf16().collect();
            if memory.random.bool() {
                units.insert(memory.random.usize(..=units.len()), memory.random.u16(0xD800..0xE000));
            }
            for &level in levels() {
                memory.encode(level, encoding, Source::Utf8(&text));
                memory.encode(level, encoding, Source::Utf16(&units));
            }
            let edge = memory.edge();
            let src = str::from_utf8(memory.src.copy(text.as_bytes(), edge)).unwrap();
            assert_eq!(encoding.encode_with(src, Unmappable::Html), encoding.encode_with(&text, Unmappable::Html));
            let src = memory.src.copy(&units, edge);
            assert_eq!(
                encoding.encode_from_utf16_with(src, Unmappable::Html),
                encoding.encode_from_utf16_with(&units, Unmappable::Html)
            );
        }
    }
}

#[test]
fn utf_functions_stay_within_their_buffers() {
    let Some(mut memory) = Memory::new(43) else { return };
    let everything = texts::SENTENCES.concat();
    for round in 0..rounds(2000) {
        // ASCII, Latin-1 or all characters. Half of the inputs are short.
        let last = ['\x7F', '\u{FF}', char::MAX][round % 3];
        let len = memory.random.usize(..if round % 2 == 0 { 80 } else { 800 });
        let from = memory.random.usize(..everything.len() / 2);
        let text: String = everything.chars().skip(from).filter(|&c| c <= last).take(len).collect();
        let mut bytes = text.clone().into_bytes();
        let mut units: Vec<u16> = text.encode_utf16().collect();
        let mut code_points: Vec<u32> = text.chars().map(u32::from).collect();
        if memory.random.u8(..4) == 0 {
            bytes = texts::damage(&bytes, &mut memory.random);
            units.insert(memory.random.usize(..=units.len()), memory.random.u16(0xD800..0xE000));
            code_points.insert(memory.random.usize(..=code_points.len()), memory.random.u32(0xD800..0xE000));
        }
        for edge in Edge::BOTH {
            let src: &[u8] = memory.src.copy(&bytes, edge);
            assert_eq!(utf::ascii_valid_up_to(src), utf::ascii_valid_up_to(&bytes));
            assert_eq!(utf::utf8_valid_up_to(src), utf::utf8_valid_up_to(&bytes));
            let src: &[u16] = memory.src.copy(&units, edge);
            assert_eq!(utf::utf16_valid_up_to(src), utf::utf16_valid_up_to(&units));
            assert_eq!(utf::surrogate_free_up_to(src), utf::surrogate_free_up_to(&units));
            assert_eq!(utf::max_unit(src), utf::max_unit(&units));
            let src: &[u32] = memory.src.copy(&code_points, edge);
            assert_eq!(utf::utf32_valid_up_to(src), utf::utf32_valid_up_to(&code_points));
        }
        memory.convert(&bytes, utf::utf8_to_utf16);
        memory.convert(&units, utf::utf16_to_utf8);
        memory.convert(&bytes, utf::latin1_to_utf8);
        memory.convert(&bytes, utf::latin1_to_utf16);
        memory.convert(&units, utf::utf16_to_latin1);
        memory.convert(&units, utf::utf16_to_utf32);
        memory.convert(&code_points, utf::utf32_to_utf16);
        memory.convert(text.as_bytes(), |src, dst| utf::utf8_to_latin1(str::from_utf8(src).unwrap(), dst));
        let as_str = |dst: &mut [u8], run: &dyn Fn(&mut str) -> utf::Converted| {
            dst.fill(b'.');
            run(str::from_utf8_mut(dst).expect("ASCII"))
        };
        memory.convert(&units, |src, dst| as_str(dst, &|dst| utf::utf16_to_str(src, dst)));
        memory.convert(&bytes, |src, dst| as_str(dst, &|dst| utf::latin1_to_str(src, dst)));
    }
}
