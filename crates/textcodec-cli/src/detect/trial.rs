//! Decoding a text in several encodings at once, to see in which of them it is one.
//!
//! In constant memory and in one pass: the encodings of more than one byte each have a decoder; for those of one byte it
//! is enough to count how often each byte occurs.

use std::sync::LazyLock;

use textcodec::{
    BIG5, Bom, DecodeOptions, DecodeStatus, Decoder, EUC_JP, EUC_KR, Encoder, Encoding, GB18030, GBK, ISO_2022_JP,
    REPLACEMENT, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, Unmappable,
};

/// What a text is in one encoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// Malformed sequences.
    pub(super) malformed: u64,
    /// Where the first of them is.
    pub(super) first_malformed: Option<u64>,
    /// Whether the decoder was stopped before the end, so that there may be more of everything.
    pub(super) abandoned: bool,
    /// Of each [`Class`].
    counts: [u64; Class::COUNT],
}

impl Tally {
    /// Well-formed characters beyond ASCII.
    pub(super) fn beyond_ascii(&self) -> u64 {
        self.sum(&[Class::CjkPunctuation, Class::Ordinary, Class::Rare, Class::Unlikely])
            + self.sum(&[Class::Surrogate]) / 2
    }

    /// Characters that text has hardly ever: control characters other than white space, private use, and code points that
    /// stand for nothing.
    pub(super) fn unlikely(&self) -> u64 {
        self.sum(&[Class::Control, Class::Unlikely])
    }

    /// The same, beyond ASCII: only there the encodings differ.
    pub(super) fn unlikely_beyond_ascii(&self) -> u64 {
        self.sum(&[Class::Unlikely])
    }

    /// Characters from the parts of Unicode that old and rare texts use.
    pub(super) fn rare(&self) -> u64 {
        self.sum(&[Class::Rare])
    }

    /// White space, and punctuation of Chinese and Japanese: no text of some length is without.
    pub(super) fn spaces_and_punctuation(&self) -> u64 {
        self.sum(&[Class::Space, Class::CjkPunctuation])
    }

    /// Visible ASCII characters.
    pub(super) fn ascii(&self) -> u64 {
        self.sum(&[Class::Ascii])
    }

    /// All characters, a surrogate pair counted twice.
    pub(super) fn units(&self) -> u64 {
        self.counts.iter().sum()
    }

    fn sum(&self, classes: &[Class]) -> u64 {
        classes.iter().map(|&class| self.counts[class as usize]).sum()
    }
}

/// All encodings that a text is tried in.
pub(super) struct Trials {
    /// How much was read.
    pub(super) bytes: u64,
    /// How much of it was decoded: all from the first block on that `started`.
    pub(super) decoded: u64,
    /// How often each byte occurs.
    histogram: Box<[u64; 256]>,
    /// How often each byte stands within a word: between two letters, which are ASCII, or Cyrillic in the bytes that
    /// Windows and the Macintosh share. Of the beginning.
    within_words: Box<[u64; 256]>,
    /// Pairs of bytes, and how many are of ASCII letters and spaces alone. Of the beginning.
    pairs: u64,
    letter_pairs: u64,
    /// None before `started`.
    decoders: Vec<Trial>,
    /// Whether something has come that is not the same in all encodings.
    started: bool,
    units: Box<[u16]>,
}

/// How much is looked at where more would not tell more.
pub(super) const SAMPLE: u64 = 1 << 20;

/// Those of more than one byte, but for gb18030, whose decoder GBK has.
pub(super) const MULTI_BYTE: [Encoding; 9] =
    [UTF_8, UTF_16LE, UTF_16BE, ISO_2022_JP, SHIFT_JIS, EUC_JP, EUC_KR, BIG5, GBK];

impl Trials {
    pub(super) fn new() -> Self {
        Self {
            bytes: 0,
            decoded: 0,
            histogram: Box::new([0; 256]),
            within_words: Box::new([0; 256]),
            pairs: 0,
            letter_pairs: 0,
            decoders: Vec::new(),
            started: false,
            units: vec![0; 16 * 1024].into(),
        }
    }

    /// Goes on with more of the text.
    pub(super) fn feed(&mut self, block: &[u8]) {
        let started = self.started;
        self.count(block);
        if !started && self.started {
            let at = self.bytes;
            self.decoders = MULTI_BYTE.iter().map(|&encoding| Trial::new(encoding, at)).collect();
        }
        if self.started && self.decoded < SAMPLE {
            self.count_neighbours(block);
        }
        for trial in &mut self.decoders {
            trial.feed(block, &mut self.units, false);
        }
        self.bytes += block.len() as u64;
        if self.started {
            self.decoded += block.len() as u64;
        }
    }

    /// Ends the text: what is cut off now is malformed.
    pub(super) fn finish(&mut self) {
        for trial in &mut self.decoders {
            trial.feed(&[], &mut self.units, true);
        }
    }

    /// Goes on with these encodings of more than one byte alone.
    pub(super) fn retain(&mut self, is_wanted: impl Fn(Encoding) -> bool) {
        for trial in &mut self.decoders {
            trial.abandoned |= !is_wanted(trial.encoding);
        }
    }

    /// How often some bytes occur.
    pub(super) fn byte_count(&self, bytes: impl IntoIterator<Item = u8>) -> u64 {
        bytes.into_iter().map(|byte| self.histogram[usize::from(byte)]).sum()
    }

    /// Control characters that text files do not have: all but backspace, white space, and the escape of terminals and
    /// ISO-2022-JP.
    pub(super) fn controls(&self) -> u64 {
        self.byte_count((0..=0x7F).filter(|&byte| is_odd_control(byte)))
    }

    pub(super) fn is_ascii(&self) -> bool {
        self.byte_count(0x80..=0xFF) == 0
    }

    /// Whether all the bytes so far are visible ASCII and white space: nothing that any encoding could be told from.
    pub(super) fn is_plain(&self) -> bool {
        !self.started
    }

    /// What the text is in an encoding.
    pub(super) fn tally(&self, encoding: Encoding) -> Tally {
        let decoder = if encoding == GB18030 { GBK } else { encoding };
        if let Some(trial) = self.decoders.iter().find(|trial| trial.encoding == decoder) {
            return trial.tally();
        }
        match encoding {
            REPLACEMENT => Tally { malformed: 1, ..Tally::default() },
            _ if encoding.is_single_byte() => self.tally_of_bytes(encoding),
            // Not started: it is plain ASCII.
            _ => self.tally_of_bytes(UTF_8),
        }
    }

    /// Whether the text is made of ASCII letters, two and two: as UTF-16 they would be many different Chinese characters.
    pub(super) fn is_ascii_in_pairs(&self) -> bool {
        self.letter_pairs * 5 > self.pairs * 2
    }

    /// How many characters of an encoding of one byte stand within words, and do not belong there: all but small letters
    /// and apostrophes. None where there is less than one in 300
    /// within words.
    pub(super) fn odd_within_words(&self, encoding: Encoding) -> u64 {
        let is_odd = |byte: u8| {
            let bytes = [byte];
            !encoding.decode(&bytes).text.chars().all(|c| c.is_lowercase() || matches!(c, '’' | '\u{AD}' | '·'))
        };
        let odd = (0x80..=0xFF).filter(|&byte| is_odd(byte)).map(|byte| self.within_words[usize::from(byte)]).sum();
        if odd * 300 < self.within_words.iter().sum() { 0 } else { odd }
    }

    /// Whether the text has characters of gb18030 that GBK does not have.
    pub(super) fn is_beyond_gbk(&self) -> bool {
        self.decoders.iter().filter_map(|trial| trial.gbk.as_ref()).any(|encoder| !encoder.errors().is_empty())
    }

    fn count(&mut self, block: &[u8]) {
        // Two at a time: a run of one byte would wait for its own count.
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

    fn count_neighbours(&mut self, block: &[u8]) {
        for window in block.windows(3) {
            if let [b'A'..=b'Z' | b'a'..=b'z', byte @ 0x80..=0xFF, b'a'..=b'z']
            | [0xE0..=0xFE, byte @ 0x80..=0xFF, 0xE0..=0xFE] = window
            {
                self.within_words[usize::from(*byte)] += 1;
            }
        }
        let (pairs, _) = block.as_chunks::<2>();
        self.pairs += pairs.len() as u64;
        let is_letters = |pair: &&[u8; 2]| pair.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b' ');
        self.letter_pairs += pairs.iter().filter(is_letters).count() as u64;
    }

    fn tally_of_bytes(&self, encoding: Encoding) -> Tally {
        let mut tally = Tally::default();
        for (byte, &count) in (0..=u8::MAX).zip(self.histogram.iter()) {
            let mut unit = [0xFFFD];
            let _ = encoding.decoder().decode_to_utf16(&[byte], &mut unit, true);
            match CLASSES[usize::from(unit[0])] {
                Class::Replacement => tally.malformed += count,
                class => tally.counts[class as usize] += count,
            }
        }
        tally
    }
}

fn is_odd_control(byte: u8) -> bool {
    byte.is_ascii_control() && !matches!(byte, 0x08..=0x0D | 0x1B)
}

/// One decoder, and what it has found.
struct Trial {
    encoding: Encoding,
    decoder: Decoder,
    /// Of the first byte that the decoder has seen.
    offset: u64,
    abandoned: bool,
    counts: [u64; Class::COUNT],
    /// To see whether GBK has all of the text.
    gbk: Option<Encoder>,
}

impl Trial {
    fn new(encoding: Encoding, offset: u64) -> Self {
        let gbk = (encoding == GBK).then(|| GBK.encoder_with(Unmappable::Skip).ok()).flatten();
        let decoder = encoding.decoder_with(DecodeOptions::new().bom(Bom::Keep));
        Self { encoding, decoder, offset, abandoned: false, counts: [0; Class::COUNT], gbk }
    }

    fn feed(&mut self, mut src: &[u8], units: &mut [u16], last: bool) {
        if self.abandoned {
            return;
        }
        loop {
            let progress = self.decoder.decode_to_utf16(src, units, last);
            src = &src[progress.read..];
            for &unit in &units[..progress.written] {
                self.counts[CLASSES[usize::from(unit)] as usize] += 1;
            }
            if let Some(gbk) = self.gbk.as_mut().filter(|gbk| gbk.errors().is_empty()) {
                count_unmappable(gbk, &units[..progress.written]);
            }
            match progress.status {
                DecodeStatus::OutputFull => {}
                // Malformed sequences are replaced.
                DecodeStatus::InputEmpty | DecodeStatus::Malformed(_) => break,
            }
        }
        self.abandoned = !last && self.is_hopeless();
    }

    /// Whether nobody would call it this encoding, whatever follows: then there is no need to look at the rest, and most
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

/// Encodes a text to nowhere: the encoder counts what it does not have.
fn count_unmappable(encoder: &mut Encoder, mut text: &[u16]) {
    let mut nowhere = [0; 4096];
    while !text.is_empty() {
        text = &text[encoder.encode_from_utf16(text, &mut nowhere, false).read..];
    }
}

/// What a code unit of UTF-16 says about whether it stands in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Class {
    /// Visible ASCII.
    Ascii,
    /// ASCII white space, and the few controls that text has.
    Space,
    /// Punctuation and the space of Chinese and Japanese.
    CjkPunctuation,
    /// Other characters.
    Ordinary,
    /// From blocks that hardly anybody uses, but many bytes lead to when they are read as what they are not.
    Rare,
    /// The other controls in ASCII.
    Control,
    /// C1 controls, private use, noncharacters, and what stands for nothing.
    Unlikely,
    /// Of a surrogate pair, of which decoders give whole ones only.
    Surrogate,
    /// U+FFFD. Malformed sequences become it, too, so it says nothing.
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
            // What does not show, but belongs to text.
            '\u{A0}' | '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202F}' | '\u{2060}'..='\u{2069}' => {
                Self::Ordinary
            }
            '\u{2000}'..='\u{200A}' | '\u{3400}'..='\u{4DBF}' | '\u{A000}'..='\u{ABFF}' | '\u{FEFF}' => Self::Rare,
            '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' => Self::Ordinary,
            '\u{E000}'..='\u{F8FF}' => Self::Unlikely,
            // What prints goes through `escape_debug` as it is; combining characters do so behind a base.
            _ => {
                let mut text = [b'a', 0, 0, 0];
                let len = 1 + c.encode_utf8(&mut text[1..]).len();
                let shows = str::from_utf8(&text[..len]).is_ok_and(|text| text.escape_debug().nth(2).is_none());
                if shows { Self::Ordinary } else { Self::Unlikely }
            }
        }
    }
}

static CLASSES: LazyLock<Box<[Class; 0x1_0000]>> = LazyLock::new(|| {
    let mut classes = Box::new([Class::Ascii; 0x1_0000]);
    for (unit, class) in (0..=u16::MAX).zip(classes.iter_mut()) {
        *class = Class::of(unit);
    }
    classes
});
