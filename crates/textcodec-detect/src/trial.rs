//! Decodes text in all encodings at once and counts errors and unlikely characters.
//!
//! This takes one pass and constant memory. Each multi-byte encoding has a decoder. For single-byte encodings, a histogram of
//! bytes is sufficient.

use alloc::{alloc::handle_alloc_error, boxed::Box, vec, vec::Vec};
use core::alloc::Layout;

use once_cell::race::OnceBox;
use textcodec::{
    Alias, BIG5, Bom, DecodeError, DecodeOptions, Decoder, EUC_JP, EUC_KR, Encoder, Encoding, GBK, ISO_2022_JP,
    Progress, REPLACEMENT, SHIFT_JIS, Status, UTF_8, UTF_16BE, UTF_16LE, Unmappable,
};

use crate::verdict::decoder_of;

/// The counts for text in one encoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// The number of malformed sequences.
    pub(crate) malformed: u64,
    /// The offset of the first malformed sequence.
    pub(crate) first_malformed: Option<u64>,
    /// Whether decoding stopped before the end, so that all counts are lower bounds.
    pub(crate) abandoned: bool,
    /// The number of code units of each [`Class`].
    counts: [u64; Class::COUNT],
}

impl Tally {
    /// Returns the number of non-ASCII characters.
    pub(crate) fn beyond_ascii(&self) -> u64 {
        self.sum(&[Class::CjkPunctuation, Class::Ordinary, Class::Rare, Class::Unlikely])
            + self.sum(&[Class::Surrogate]) / 2
    }

    /// Returns the number of characters that rarely occur in text: control characters other than white space, private
    /// use, and unassigned code points.
    pub(crate) fn unlikely(&self) -> u64 {
        self.sum(&[Class::Control, Class::Unlikely])
    }

    /// Like [`unlikely`](Self::unlikely), but for non-ASCII characters only, in which the encodings differ.
    pub(crate) fn unlikely_beyond_ascii(&self) -> u64 {
        self.sum(&[Class::Unlikely])
    }

    /// Returns the number of ASCII control characters that text does not have.
    pub(crate) fn controls(&self) -> u64 {
        self.sum(&[Class::Control])
    }

    /// Returns the number of characters from blocks that are rarely used.
    pub(crate) fn rare(&self) -> u64 {
        self.sum(&[Class::Rare])
    }

    /// Returns the number of white space and CJK punctuation characters, which occur in every longer text.
    pub(crate) fn spaces_and_punctuation(&self) -> u64 {
        self.sum(&[Class::Space, Class::CjkPunctuation])
    }

    /// Returns the number of visible ASCII characters.
    pub(crate) fn ascii(&self) -> u64 {
        self.sum(&[Class::Ascii])
    }

    /// Returns the number of UTF-16 code units.
    pub(crate) fn units(&self) -> u64 {
        self.counts.iter().sum()
    }

    fn sum(&self, classes: &[Class]) -> u64 {
        classes.iter().map(|&class| self.counts[class as usize]).sum()
    }
}

/// Trial decoding of text in all encodings.
pub(crate) struct Trials {
    /// The number of bytes read.
    pub(crate) bytes: u64,
    /// The number of bytes decoded: all blocks from the one that set `started`.
    pub(crate) decoded: u64,
    /// The number of occurrences of each byte.
    histogram: Box<[u64; 256]>,
    /// The number of byte pairs in the first [`SAMPLE`] bytes.
    pairs: u64,
    /// The number of these pairs that consist of ASCII letters and spaces.
    letter_pairs: u64,
    /// Empty until `started`.
    decoders: Vec<Trial>,
    /// Whether a byte has occurred that is not plain ASCII text.
    started: bool,
    units: Box<[u16]>,
    /// The last bytes of the last block.
    end: Vec<u8>,
}

/// The maximum number of bytes of an incomplete sequence of UTF-8.
const MAX_INCOMPLETE: usize = 3;

/// CESU-8, if this build has it: UTF-8 with surrogates.
pub(crate) fn cesu_8() -> Option<Encoding> {
    Alias::for_name("CESU-8").map(|alias| alias.encoding)
}

/// Returns whether there is a surrogate in the form of UTF-8, which only CESU-8 has.
pub(crate) fn has_surrogates(bytes: &[u8]) -> bool {
    bytes.contains(&0xED) && bytes.windows(2).any(|pair| pair[0] == 0xED && (0xA0..=0xBF).contains(&pair[1]))
}

/// The number of bytes used for statistics. More text would not change the result.
pub(crate) const SAMPLE: u64 = 1 << 20;

/// The multi-byte encodings, except gb18030, which has the decoder of GBK.
pub(crate) const MULTI_BYTE: [Encoding; 9] =
    [UTF_8, UTF_16LE, UTF_16BE, ISO_2022_JP, SHIFT_JIS, EUC_JP, EUC_KR, BIG5, GBK];

impl Trials {
    pub(crate) fn new() -> Self {
        Self {
            bytes: 0,
            decoded: 0,
            histogram: Box::new([0; 256]),
            pairs: 0,
            letter_pairs: 0,
            decoders: Vec::new(),
            started: false,
            units: vec![0; 16 * 1024].into(),
            end: Vec::new(),
        }
    }

    /// Adds a block of the text.
    pub(crate) fn feed(&mut self, block: &[u8]) {
        let started = self.started;
        self.count(block);
        if !started && self.started {
            let at = self.bytes;
            self.decoders = MULTI_BYTE.iter().map(|&encoding| Trial::new(encoding, at)).collect();
        }
        if self.started && self.decoded < SAMPLE {
            self.count_pairs(block);
        }
        if self.started && has_surrogates(block) {
            self.start_cesu_8();
        }
        for trial in &mut self.decoders {
            trial.feed(block, &mut self.units, false);
        }
        self.end = block[block.len().saturating_sub(MAX_INCOMPLETE)..].to_vec();
        self.bytes += block.len() as u64;
        if self.started {
            self.decoded += block.len() as u64;
        }
    }

    /// Starts to decode CESU-8, if this build has it and the text was UTF-8 until now, which is the same without surrogates.
    fn start_cesu_8(&mut self) {
        let Some(encoding) = cesu_8().filter(|cesu_8| self.decoders.iter().all(|trial| trial.encoding != *cesu_8))
        else {
            return;
        };
        let is_lead = |byte: &u8| *byte >= 0xC2;
        let incomplete = self.end.iter().rposition(is_lead).map_or(&[][..], |at| &self.end[at..]);
        let incomplete = if str::from_utf8(incomplete).is_ok() { &[][..] } else { incomplete };
        let mut trial = Trial::new(encoding, self.bytes - incomplete.len() as u64);
        if let Some(utf_8) = self.decoders.iter().find(|trial| trial.encoding == UTF_8) {
            trial.counts = utf_8.counts;
            trial.abandoned = utf_8.abandoned || utf_8.decoder.errors().count() > 0;
        }
        trial.feed(incomplete, &mut self.units, false);
        self.decoders.push(trial);
    }

    /// Ends the text. An incomplete sequence is malformed.
    pub(crate) fn finish(&mut self) {
        for trial in &mut self.decoders {
            trial.feed(&[], &mut self.units, true);
        }
    }

    /// Stops decoding the multi-byte encodings that are not wanted.
    pub(crate) fn retain(&mut self, is_wanted: impl Fn(Encoding) -> bool) {
        for trial in &mut self.decoders {
            trial.abandoned |= !is_wanted(trial.encoding);
        }
    }

    /// Returns the number of occurrences of these bytes.
    pub(crate) fn byte_count(&self, bytes: impl IntoIterator<Item = u8>) -> u64 {
        bytes.into_iter().map(|byte| self.histogram[usize::from(byte)]).sum()
    }

    /// Returns the number of control characters that text files do not have: all except backspace, white space, and the
    /// escape character of terminals and ISO-2022-JP.
    pub(crate) fn controls(&self) -> u64 {
        self.byte_count((0..=0x7F).filter(|&byte| is_odd_control(byte)))
    }

    pub(crate) fn is_ascii(&self) -> bool {
        self.byte_count(0x80..=0xFF) == 0
    }

    /// Returns whether all bytes so far are visible ASCII and white space, which reveal no encoding.
    pub(crate) fn is_plain(&self) -> bool {
        !self.started
    }

    /// Returns the counts for an encoding.
    pub(crate) fn tally(&self, encoding: Encoding) -> Tally {
        let decoder = decoder_of(encoding);
        if let Some(trial) = self.decoders.iter().find(|trial| trial.encoding == decoder) {
            return trial.tally();
        }
        match encoding {
            REPLACEMENT => Tally { malformed: 1, ..Tally::default() },
            _ if encoding.is_single_byte() => self.tally_of_bytes(encoding),
            // Not started: the text is plain ASCII.
            _ => self.tally_of_bytes(UTF_8),
        }
    }

    /// Returns whether many byte pairs are ASCII letters, which would be ideographs in UTF-16.
    pub(crate) fn is_ascii_in_pairs(&self) -> bool {
        self.letter_pairs * 5 > self.pairs * 2
    }

    /// Returns whether the text is certainly the same in both encodings.
    pub(crate) fn is_same_text(&self, one: Encoding, other: Encoding) -> bool {
        let is_same = |byte: u8| characters_of(one)[usize::from(byte)] == characters_of(other)[usize::from(byte)];
        decoder_of(one) == decoder_of(other)
            || one.is_single_byte()
                && other.is_single_byte()
                && (0x80..=0xFF).all(|byte| self.histogram[usize::from(byte)] == 0 || is_same(byte))
    }

    /// Returns whether every byte that occurs is a character of a single-byte encoding.
    pub(crate) fn has_all_bytes(&self, encoding: Encoding) -> bool {
        let characters = characters_of(encoding);
        characters.iter().zip(self.histogram.iter()).all(|(&unit, &count)| count == 0 || unit != 0xFFFD)
    }

    /// Returns the non-ASCII bytes that occur.
    pub(crate) fn non_ascii_bytes(&self) -> Vec<u8> {
        (0x80..=0xFF).filter(|&byte| self.histogram[usize::from(byte)] > 0).collect()
    }

    /// Returns whether the text has characters that gb18030 can represent, but not GBK.
    pub(crate) fn is_beyond_gbk(&self) -> bool {
        self.decoders.iter().filter_map(|trial| trial.gbk.as_ref()).any(|encoder| !encoder.errors().is_empty())
    }

    fn count(&mut self, block: &[u8]) {
        // Two histograms, because a run of equal bytes would wait for the previous increment.
        let mut even = [0_u64; 256];
        let (pairs, rest) = block.as_chunks::<2>();
        for &[one, other] in pairs {
            even[usize::from(one)] += 1;
            self.histogram[usize::from(other)] += 1;
        }
        for &byte in rest {
            even[usize::from(byte)] += 1;
        }
        for (sum, count) in self.histogram.iter_mut().zip(even) {
            *sum += count;
        }
        if !self.started {
            self.started = !self.is_ascii() || self.controls() > 0 || self.histogram[0x1B] > 0;
        }
    }

    fn count_pairs(&mut self, block: &[u8]) {
        let (pairs, _) = block.as_chunks::<2>();
        self.pairs += pairs.len() as u64;
        let is_letters = |pair: &&[u8; 2]| pair.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b' ');
        self.letter_pairs += pairs.iter().filter(is_letters).count() as u64;
    }

    fn tally_of_bytes(&self, encoding: Encoding) -> Tally {
        let characters = characters_of(encoding);
        let mut tally = Tally::default();
        for (&unit, &count) in characters.iter().zip(self.histogram.iter()).filter(|(_, count)| **count > 0) {
            match class_of(unit) {
                Class::Replacement => tally.malformed += count,
                class => tally.counts[class as usize] += count,
            }
        }
        tally
    }
}

/// Ends the process if a decoder that replaces malformed sequences has failed: there is no memory for the table of a code page.
pub(crate) fn has_table(progress: &Progress<DecodeError>) {
    if let Status::Error(_) = progress.status {
        handle_alloc_error(Layout::new::<[u16; 256]>());
    }
}

/// Returns the character of each byte, alone, in an encoding.
pub(crate) fn characters_of(encoding: Encoding) -> &'static [u16; 256] {
    static FIRST: OnceBox<Table> = OnceBox::new();
    let decode = |byte: usize| {
        let mut unit = [0xFFFD];
        has_table(&encoding.decoder().decode_to_utf16(&[byte as u8], &mut unit, true));
        unit[0]
    };
    let mut place = &FIRST;
    loop {
        // The next table is of this encoding, unless there is one, or another thread was faster.
        let new = || Box::new(Table { encoding, characters: core::array::from_fn(decode), next: OnceBox::new() });
        let table = place.get_or_init(new);
        if table.encoding == encoding {
            return &table.characters;
        }
        place = &table.next;
    }
}

/// The characters of an encoding, in a list of all encodings that were ever asked for.
struct Table {
    encoding: Encoding,
    characters: [u16; 256],
    next: OnceBox<Table>,
}

/// Returns whether a byte is a control character that text does not have.
pub(crate) fn is_odd_control(byte: u8) -> bool {
    byte.is_ascii_control() && !matches!(byte, 0x08..=0x0D | 0x1B)
}

/// Returns the number of code units that rarely occur in text.
pub(crate) fn unlikely(text: &str) -> usize {
    let is_unlikely = |&unit: &u16| matches!(class_of(unit), Class::Control | Class::Rare | Class::Unlikely);
    text.encode_utf16().filter(is_unlikely).count()
}

/// A decoder and its counts.
struct Trial {
    encoding: Encoding,
    decoder: Decoder,
    /// The offset of the first byte that the decoder got.
    offset: u64,
    abandoned: bool,
    counts: [u64; Class::COUNT],
    /// Encodes the text to find characters that GBK cannot represent.
    gbk: Option<Encoder>,
}

impl Trial {
    fn new(encoding: Encoding, offset: u64) -> Self {
        let gbk = (encoding == GBK && GBK.has_encoder()).then(|| GBK.encoder_with(Unmappable::Skip));
        let decoder = encoding.decoder_with(DecodeOptions::new().bom(Bom::Keep));
        Self { encoding, decoder, offset, abandoned: false, counts: [0; Class::COUNT], gbk }
    }

    fn feed(&mut self, mut src: &[u8], units: &mut [u16], last: bool) {
        if self.abandoned {
            return;
        }
        loop {
            let progress = self.decoder.decode_to_utf16(src, units, last);
            has_table(&progress);
            src = &src[progress.read..];
            self.count(&units[..progress.written]);
            if let Some(gbk) = self.gbk.as_mut().filter(|gbk| gbk.errors().is_empty()) {
                count_unmappable(gbk, &units[..progress.written]);
            }
            if progress.status != Status::OutputFull {
                break; // Malformed sequences are replaced.
            }
        }
        self.abandoned = !last && self.is_hopeless();
    }

    fn count(&mut self, units: &[u16]) {
        let (groups, rest) = units.as_chunks::<32>();
        for group in groups {
            if !self.count_ordinary(group) {
                self.count_by_table(group);
            }
        }
        self.count_by_table(rest);
    }

    /// Counts code units if all are of the kinds that most text consists of. Returns whether they are.
    fn count_ordinary(&mut self, units: &[u16; 32]) -> bool {
        // Without branches, so that the compiler makes vectors of it.
        let between = |low: u16, high: u16| -> u16 {
            units.iter().map(|&unit| u16::from(unit.wrapping_sub(low) <= high - low)).sum()
        };
        let ascii = between(0x21, 0x7E);
        let spaces = between(0x20, 0x20) + between(0x08, 0x0D);
        let letters = between(0xA0, 0x017F)
            + between(0x0400, 0x045F)
            + between(0x3041, 0x3096)
            + between(0x3099, 0x30FF)
            + between(0xFF61, 0xFF9F);
        let wide = between(0x4E00, 0x9FFF) + between(0xAC00, 0xD7A3);
        let punctuation = between(0x3000, 0x3002);
        let is_all = ascii + spaces + letters + wide + punctuation == 32;
        if is_all {
            let counts = [
                (Class::Ascii, ascii),
                (Class::Space, spaces),
                (Class::Ordinary, letters + wide),
                (Class::CjkPunctuation, punctuation),
            ];
            for (class, count) in counts {
                self.counts[class as usize] += u64::from(count);
            }
        }
        is_all
    }

    fn count_by_table(&mut self, units: &[u16]) {
        // Four counters for each class, because a run of equal classes would wait for the previous increment.
        let mut counts = [[0_u32; Class::COUNT]; 4];
        for units in units.chunks(4) {
            for (&unit, counts) in units.iter().zip(&mut counts) {
                // Most characters of East Asia, without a table.
                let is_wide = matches!(unit, 0x4E00..=0x9FFF | 0xAC00..=0xD7A3);
                let class = if is_wide { Class::Ordinary } else { class_of(unit) };
                counts[class as usize] += 1;
            }
        }
        for (class, sum) in self.counts.iter_mut().enumerate() {
            *sum += counts.iter().map(|counts| u64::from(counts[class])).sum::<u64>();
        }
    }

    /// Returns whether there are too many malformed sequences, whatever follows. The rest is then not decoded, so that most
    /// of a large file is decoded once or twice, not nine times.
    fn is_hopeless(&self) -> bool {
        let tally = self.tally();
        tally.malformed > 1000 && tally.malformed > tally.beyond_ascii() / 8
    }

    fn tally(&self) -> Tally {
        let errors = self.decoder.errors();
        let mut counts = self.counts;
        counts[Class::Replacement as usize] = 0;
        Tally {
            malformed: errors.count(),
            first_malformed: errors.first().map(|error| self.offset + error.range().start),
            abandoned: self.abandoned,
            counts,
        }
    }
}

/// Encodes text and discards the output. The encoder counts the unmappable characters.
fn count_unmappable(encoder: &mut Encoder, mut text: &[u16]) {
    let mut nowhere = [0; 4096];
    while !text.is_empty() {
        text = &text[encoder.encode_from_utf16(text, &mut nowhere, false).read..];
    }
}

/// How likely a UTF-16 code unit is in text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Class {
    /// Visible ASCII.
    Ascii,
    /// ASCII white space, and the few control characters that occur in text.
    Space,
    /// Chinese and Japanese punctuation and the ideographic space.
    CjkPunctuation,
    /// Other characters.
    Ordinary,
    /// Characters from rarely used blocks, which are frequent in text decoded with a wrong encoding.
    Rare,
    /// The other ASCII control characters.
    Control,
    /// C1 controls, private use, noncharacters and unassigned code points.
    Unlikely,
    /// Half of a surrogate pair. Decoders write only complete pairs.
    Surrogate,
    /// U+FFFD. It is ignored, because malformed sequences are counted separately.
    Replacement,
}

impl Class {
    const COUNT: usize = Self::Replacement as usize + 1;

    fn of(unit: u16) -> Self {
        let Some(c) = char::from_u32(unit.into()) else { return Self::Surrogate };
        match c {
            '!'..='~' => Self::Ascii,
            ' ' | '\x08'..='\r' | '\x1B' => Self::Space,
            '\0'..='\x7F' => Self::Control,
            '\u{3000}'..='\u{3002}' | '「' | '」' | '！' | '（' | '）' | '，' | '．' | '：' | '；' | '？' => {
                Self::CjkPunctuation
            }
            '\u{FFFD}' => Self::Replacement,
            // Invisible characters that occur in text.
            '\u{A0}' | '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202F}' | '\u{2060}'..='\u{2069}' => {
                Self::Ordinary
            }
            '\u{2000}'..='\u{200A}' | '\u{3400}'..='\u{4DBF}' | '\u{A000}'..='\u{ABFF}' | '\u{FEFF}' => Self::Rare,
            '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' => Self::Ordinary,
            '\u{E000}'..='\u{F8FF}' => Self::Unlikely,
            // `escape_debug` does not change printable characters. Combining characters need a base before them.
            _ => {
                let mut text = [b'a', 0, 0, 0];
                let len = 1 + c.encode_utf8(&mut text[1..]).len();
                let is_printable = str::from_utf8(&text[..len]).is_ok_and(|text| text.escape_debug().nth(2).is_none());
                if is_printable { Self::Ordinary } else { Self::Unlikely }
            }
        }
    }
}

/// Returns the class of a code unit from a table. A page of 256 classes is computed when it is first used, because text uses
/// few pages, and all of them would take longer than the rest of the detection of a short text.
fn class_of(unit: u16) -> Class {
    static PAGES: [OnceBox<[Class; 256]>; 256] = [const { OnceBox::new() }; 256];
    let [page, low] = unit.to_be_bytes();
    let classes = PAGES[usize::from(page)]
        .get_or_init(|| Box::new(core::array::from_fn(|low| Class::of(u16::from_be_bytes([page, low as u8])))));
    classes[usize::from(low)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_classes_has_the_class_of_every_code_unit() {
        for unit in 0..=u16::MAX {
            assert_eq!(class_of(unit), Class::of(unit), "{unit:04X}");
        }
    }

    #[test]
    fn the_vectors_of_ordinary_characters_count_as_the_table_does() {
        let mut ordinary = 0;
        for unit in 0..=u16::MAX {
            let new = || Trial::new(UTF_8, 0);
            let (mut one, mut other) = (new(), new());
            if one.count_ordinary(&[unit; 32]) {
                other.count_by_table(&[unit; 32]);
                assert_eq!(one.counts, other.counts, "{unit:04X}");
                ordinary += 1;
            }
        }
        assert!(ordinary > 32_000, "only {ordinary} are counted in vectors");
    }
}
