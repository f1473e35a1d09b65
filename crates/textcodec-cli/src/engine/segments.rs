//! Normalizes decoded text in chunks of any length, and keeps the location of each character in the input.

use crate::normalize::{MAX_SEGMENT, Mode, ends_segment, starts_segment};

/// Normalizes the text of an input.
///
/// Decoded text is appended to `source`. [`run`](Self::run) normalizes its complete segments. The last segment stays in `source`
/// until the next chunk shows where it ends.
#[derive(Debug)]
pub(super) struct Normalizer {
    mode: Mode,
    /// Decoded text, in which the first `done` units have been normalized.
    pub(super) source: Vec<u16>,
    done: usize,
    /// The result for these units.
    text: Vec<u16>,
    /// The segments that differ.
    changes: Vec<Change>,
}

/// A segment that normalization has changed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
    source: (usize, usize),
    text: (usize, usize),
}

/// Text to encode, and where it comes from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text<'a> {
    pub(super) units: &'a [u16],
    /// The text as decoded.
    pub(super) source: &'a [u16],
    changes: &'a [Change],
}

impl Normalizer {
    pub(super) fn new(mode: Mode) -> Self {
        Self { mode, source: Vec::new(), done: 0, text: Vec::new(), changes: Vec::new() }
    }

    /// Discards what has been normalized, and returns the number of units that remain.
    pub(super) fn start_chunk(&mut self) -> usize {
        self.source.drain(..self.done);
        self.done = 0;
        self.source.len()
    }

    /// Normalizes all complete segments. `last` completes the last one.
    pub(super) fn run(&mut self, last: bool) -> Text<'_> {
        self.text.clear();
        self.changes.clear();
        let mut segment = String::new();
        while self.done < self.source.len() {
            let kept = self.kept();
            self.text.extend_from_slice(&self.source[self.done..self.done + kept]);
            self.done += kept;
            let Some(len) = next_segment(&self.source[self.done..], last, &mut segment) else { break };
            let end = self.done + len;
            match self.mode.normalize(&segment) {
                None => self.text.extend_from_slice(&self.source[self.done..end]),
                Some(normalized) => {
                    let start = self.text.len();
                    self.text.extend(normalized.encode_utf16());
                    self.changes.push(Change { source: (self.done, end), text: (start, self.text.len()) });
                }
            }
            self.done = end;
        }
        Text { units: &self.text, source: &self.source[..self.done], changes: &self.changes }
    }

    /// Returns the length of the run of common characters from here that are segments and stay the same.
    fn kept(&self) -> usize {
        let source = &self.source[self.done..];
        let len = source.iter().take_while(|&&unit| self.mode.keeps(unit)).count();
        match source[..len].last() {
            // The next character may combine with the last one.
            Some(&unit) if !char::from_u32(u32::from(unit)).is_some_and(ends_segment) => len - 1,
            _ => len,
        }
    }
}

/// Copies the first segment to `segment` and returns its length in code units, or `None` if it may continue.
fn next_segment(source: &[u16], last: bool, segment: &mut String) -> Option<usize> {
    segment.clear();
    let mut len = 0;
    for (n, character) in char::decode_utf16(source.iter().copied()).enumerate() {
        // Decoders write no lone surrogates.
        let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
        let is_new = n > 0 && starts_segment(character);
        if is_new || n == MAX_SEGMENT {
            return Some(len);
        }
        segment.push(character);
        len += character.len_utf16();
        if n == 0 && ends_segment(character) {
            return Some(len);
        }
    }
    (last && len > 0).then_some(len)
}

impl<'a> Text<'a> {
    /// Text that is encoded as it was decoded.
    pub(super) fn unchanged(text: &'a [u16]) -> Self {
        Self { units: text, source: text, changes: &[] }
    }

    /// Returns the position in `source` of a position in `units`. For a changed segment, it is the start of the segment.
    pub(super) fn source_position(&self, position: usize) -> usize {
        let before = self.changes.partition_point(|change| change.text.0 <= position);
        match before.checked_sub(1).map(|last| self.changes[last]) {
            None => position,
            Some(Change { source, text }) if position < text.1 => source.0,
            Some(Change { source, text }) => source.1 + (position - text.1),
        }
    }

    /// Returns the part before a position in `units`.
    pub(super) fn until(&self, position: usize) -> Self {
        let source = &self.source[..self.source_position(position)];
        Self { units: &self.units[..position], source, changes: self.changes }
    }
}

#[cfg(test)]
mod tests {
    use textcodec::WINDOWS_1258;
    use unicode_normalization::UnicodeNormalization as _;

    use super::*;

    fn units(text: &str) -> Vec<u16> {
        text.encode_utf16().collect()
    }

    /// Normalizes chunks. Returns the text, and the position in the whole source of each unit.
    fn normalize(mode: Mode, chunks: &[&[u16]]) -> (String, Vec<usize>) {
        let mut normalizer = Normalizer::new(mode);
        let (mut all, mut positions, mut start) = (Vec::new(), Vec::new(), 0);
        for (n, chunk) in chunks.iter().enumerate() {
            normalizer.start_chunk();
            normalizer.source.extend_from_slice(chunk);
            let text = normalizer.run(n + 1 == chunks.len());
            all.extend_from_slice(text.units);
            positions.extend((0..text.units.len()).map(|unit| start + text.source_position(unit)));
            start += text.source.len();
        }
        (String::from_utf16(&all).unwrap(), positions)
    }

    #[test]
    fn chunks_change_neither_the_text_nor_the_positions() {
        let text = units(
            "Tiê\u{301}ng Việt \u{301}a\u{323}\u{302}\u{301}b\n\u{1112}\u{1161}\u{11AB}글 か\u{3099}é e\u{301}😀\u{301} x\u{323}\u{307}",
        );
        for mode in [
            Mode::Nfc,
            Mode::Nfd,
            Mode::Compose,
            Mode::Fit(WINDOWS_1258.into()),
            Mode::FitUnmappable(WINDOWS_1258.into()),
        ] {
            let whole = normalize(mode, &[&text]);
            for at in (0..=text.len()).filter(|&at| text.get(at).is_none_or(|unit| !(0xDC00..0xE000).contains(unit))) {
                assert_eq!(normalize(mode, &[&text[..at], &text[at..]]), whole, "{mode:?} {at}");
            }
            let chunks: Vec<String> =
                char::decode_utf16(text.iter().copied()).map(|c| c.unwrap().to_string()).collect();
            let chunks: Vec<_> = chunks.iter().map(|c| units(c)).collect();
            let chunks: Vec<_> = chunks.iter().map(Vec::as_slice).collect();
            assert_eq!(normalize(mode, &chunks), whole, "{mode:?}");
        }
    }

    #[test]
    fn segments_normalize_to_the_same_text_as_the_whole() {
        // Letters with marks of several classes, marks that decompose, jamo, vowel signs that compose, exclusions, singletons.
        let alphabet: Vec<char> = "ae +\n<=ạêệéÅ\u{212B}\u{301}\u{302}\u{323}\u{327}\u{338}\u{340}\u{344}\u{345}\u{34F}\u{F73}\u{F71}\u{F72}\
            \u{1100}\u{1161}\u{11A8}가각\u{9C7}\u{9BE}\u{9D7}\u{915}\u{93C}\u{958}\u{B47}\u{B3E}\u{DD9}\u{DCF}\u{DCA}か\u{3099}が豈\u{F900}\
            \u{FB2A}ש\u{5C1}\u{1D15E}\u{1D165}\u{11099}\u{110BA}\u{1F600}ἄ\u{1F80}\u{1100}\u{1175}\u{11C2}"
            .chars()
            .collect();
        let mut seed = 1_u64;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % below
        };
        for _ in 0..20_000 {
            let text: Vec<char> = (0..random(20)).map(|_| alphabet[random(alphabet.len())]).collect();
            let (before, after) = text.split_at(random(text.len() + 1));
            let chunks = [units(&String::from_iter(before)), units(&String::from_iter(after))];
            let normalize = |mode| normalize(mode, &[&chunks[0], &chunks[1]]).0;
            assert_eq!(normalize(Mode::Nfc), text.iter().copied().nfc().collect::<String>(), "{text:?}");
            let decomposed: String = text.iter().copied().nfd().collect();
            assert_eq!(normalize(Mode::Nfd), decomposed, "{text:?}");
            for mode in [Mode::Compose, Mode::Fit(WINDOWS_1258.into()), Mode::FitUnmappable(WINDOWS_1258.into())] {
                assert_eq!(normalize(mode).nfd().collect::<String>(), decomposed, "{mode:?} {text:?}");
            }
        }
    }

    #[test]
    fn positions_are_those_of_the_source() {
        let (text, positions) = normalize(Mode::Nfc, &[&units("ae\u{301}b")]);
        assert_eq!((text.as_str(), positions.as_slice()), ("aéb", &[0, 1, 3][..]));
        let (text, positions) = normalize(Mode::Nfd, &[&units("aéb")]);
        assert_eq!((text.as_str(), positions.as_slice()), ("ae\u{301}b", &[0, 1, 1, 2][..]));
    }

    #[test]
    fn an_endless_run_of_marks_takes_little_memory_and_loses_nothing() {
        let mut normalizer = Normalizer::new(Mode::Nfc);
        let mut written = 0;
        for _ in 0..100 {
            normalizer.start_chunk();
            normalizer.source.extend(std::iter::repeat_n(0x301, 1000));
            written += normalizer.run(false).units.len();
            assert!(normalizer.source.len() - normalizer.done <= MAX_SEGMENT);
        }
        normalizer.start_chunk();
        assert_eq!(written + normalizer.run(true).units.len(), 100_000);
    }
}
