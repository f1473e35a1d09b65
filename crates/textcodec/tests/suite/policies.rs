//! Policies that change between calls. Each unmappable character must be handled by the policy of the call that reads it, and each
//! malformed sequence by the policy of the call that finds it, whatever stopped the call before. The oracle says what the output is.

use std::ops::Range;

use spec_model::{hooks::encode_or_fail, io_queue::IoQueue};
use testkit::{
    drive::{Source, Unit},
    oracle, rounds,
};
use textcodec::{
    Bom, DecodeError, DecodeOptions, DecodeStatus, EncodeError, EncodeStatus, Encoder, Encoding, ISO_2022_JP,
    Malformed, Unmappable,
};

/// How an input reaches the library: in which chunks, with how much room in the n-th call, and under which policy.
struct Schedule<'a, P> {
    chunks: &'a [Range<usize>],
    room: &'a dyn Fn(usize) -> usize,
    policy: &'a dyn Fn(usize) -> P,
}

/// A text to encode, and what the oracle says of its characters.
struct Text<'a> {
    encoding: Encoding,
    source: Source<'a>,
    characters: Vec<char>,
    /// Where the characters end, in units of the source.
    ends: Vec<usize>,
    /// The characters that are unmappable, as indices.
    unmappable: Vec<usize>,
}

impl<'a> Text<'a> {
    /// None if the standard has no encoder.
    fn new(encoding: Encoding, source: Source<'a>) -> Option<Self> {
        let pieces: Vec<(char, usize)> = match source {
            Source::Utf8(text) => text.chars().map(|c| (c, c.len_utf8())).collect(),
            Source::Utf16(units) => char::decode_utf16(units.iter().copied())
                .map(|c| c.map_or(('\u{FFFD}', 1), |c| (c, c.len_utf16())))
                .collect(),
        };
        let characters: Vec<char> = pieces.iter().map(|piece| piece.0).collect();
        let ends = pieces.iter().scan(0, |end, piece| Some(std::mem::replace(end, *end + piece.1) + piece.1)).collect();
        let unmappable = oracle::encode(oracle::encoding(encoding), &characters)?.errors;
        let unmappable = unmappable.into_iter().map(|(at, _)| at).collect();
        Some(Self { encoding, source, characters, ends, unmappable })
    }

    /// How many unmappable characters end within the first `units` units.
    fn unmappable_within(&self, units: usize) -> usize {
        self.unmappable.iter().filter(|&&at| self.ends[at] <= units).count()
    }

    /// Whether a policy ends the text at an unmappable character.
    fn is_fatal(&self, policy: Unmappable) -> bool {
        match policy {
            Unmappable::Fail => true,
            Unmappable::Replace(character) => !self.encoding.can_encode(character),
            _ => false,
        }
    }

    /// The oracle's bytes where the n-th unmappable character is handled by `policies[n]`.
    fn expected(&self, policies: &[Unmappable]) -> Vec<u8> {
        let mut kept = Vec::new();
        let mut fatal = None;
        let mut policies = policies.iter();
        for (at, &character) in self.characters.iter().enumerate() {
            if !self.unmappable.contains(&at) {
                kept.push(character);
                continue;
            }
            // Those that no call has read come after the error that ended the text.
            let Some(&policy) = policies.next() else { break };
            match policy {
                policy if self.is_fatal(policy) => {
                    kept.push(character);
                    fatal = Some(policy);
                    break;
                }
                Unmappable::Replace(instead) => kept.push(instead),
                Unmappable::Html => kept.push(character),
                _ => {}
            }
        }
        assert_eq!(policies.len(), 0, "a policy for a character after the end");
        let mut queue = IoQueue::from_list(kept);
        let mut encoder = spec_model::hooks::get_an_encoder(oracle::encoding(self.encoding));
        let mut bytes = Vec::new();
        loop {
            let mut output = IoQueue::new();
            let error = encode_or_fail(&mut queue, &mut encoder, &mut output);
            bytes.extend(output.to_list());
            let Some(code_point) = error else { return bytes };
            let is_last = queue.peek(1).is_empty();
            match fatal {
                Some(Unmappable::Fail) if is_last => return bytes,
                // Without an escape sequence to ASCII before the error: a replacement need not be ASCII.
                Some(_) if is_last => return bytes.strip_suffix(b"\x1B(B").unwrap_or(&bytes).to_vec(),
                _ => bytes.extend(format!("&#{code_point};").bytes()),
            }
        }
    }

    /// Encodes by a schedule and compares with the oracle. Returns how many calls it took.
    fn check(&self, schedule: &Schedule<'_, Unmappable>) -> usize {
        let mut log = Vec::new();
        let mut bytes = Vec::new();
        // The policy by which each unmappable character was handled.
        let mut handled: Vec<Unmappable> = Vec::new();
        let mut reported = 0;
        let mut encoder = self.encoding.encoder_with((schedule.policy)(0)).expect("the standard has an encoder");
        let mut calls = 0;
        'text: for (n, chunk) in schedule.chunks.iter().enumerate() {
            let last = n + 1 == schedule.chunks.len();
            let mut read = chunk.start;
            loop {
                let (room, policy) = ((schedule.room)(calls), (schedule.policy)(calls));
                calls += 1;
                assert!(calls < 1000, "no progress: {log:?}");
                encoder.set_unmappable(policy);
                let status = self.call(&mut encoder, &mut read, chunk.end, last, room, &mut bytes);
                log.push((chunk.clone(), room, policy, read));
                let waits_for_its_half =
                    status == EncodeStatus::InputEmpty && !last && read > 0 && self.is_high_surrogate(read - 1);
                handled.resize(self.unmappable_within(read - usize::from(waits_for_its_half)), policy);
                match status {
                    EncodeStatus::InputEmpty => break,
                    EncodeStatus::OutputFull => {}
                    EncodeStatus::Unmappable(error) => {
                        let at = self.unmappable[handled.len() - 1];
                        let range = error.range().map(|range| range.end as usize);
                        assert_eq!((error.character(), range), (Some(self.characters[at]), Some(self.ends[at])));
                        let by = handled[handled.len() - 1];
                        if self.is_fatal(by) {
                            self.check_that_it_has_ended(&mut encoder, &error);
                            break 'text;
                        }
                        // An error may wait only if it ends the text.
                        assert_eq!((by, policy), (Unmappable::Report, Unmappable::Report), "{log:?}");
                        reported += 1;
                    }
                }
            }
        }
        let what = || format!("{} {:?} {log:?}, handled by {handled:?}", self.encoding, self.source);
        assert_eq!(handled.iter().filter(|&&policy| policy == Unmappable::Report).count(), reported, "{}", what());
        let counted = handled.iter().filter(|&&policy| policy != Unmappable::Report && !self.is_fatal(policy));
        assert_eq!(encoder.errors().count(), counted.count() as u64, "{}", what());
        let expected = self.expected(&handled);
        assert!(bytes == expected, "{}: {bytes:02X?}, not {expected:02X?}", what());
        let mut decoded = oracle::Decoded::default();
        oracle::decode(&mut decoded, oracle::encoding(self.encoding), &bytes, Bom::Keep, false);
        assert!(decoded.errors.is_empty(), "{}: {bytes:02X?} does not decode", what());
        calls
    }

    fn call(
        &self,
        encoder: &mut Encoder,
        read: &mut usize,
        end: usize,
        last: bool,
        room: usize,
        bytes: &mut Vec<u8>,
    ) -> EncodeStatus {
        let mut buffer = [0xA5; 64];
        let progress = match self.source.slice(*read..end) {
            Source::Utf8(text) => encoder.encode_from_utf8(text, &mut buffer[..room], last),
            Source::Utf16(units) => encoder.encode_from_utf16(units, &mut buffer[..room], last),
        };
        bytes.extend(&buffer[..progress.written]);
        *read += progress.read;
        assert_eq!(encoder.position(), *read as u64);
        progress.status
    }

    fn is_high_surrogate(&self, at: usize) -> bool {
        matches!(self.source, Source::Utf16(units) if matches!(units[at], 0xD800..=0xDBFF))
    }

    /// No other policy revives a text that an error has ended.
    fn check_that_it_has_ended(&self, encoder: &mut Encoder, error: &EncodeError) {
        for policy in self.policies() {
            encoder.set_unmappable(policy);
            let progress = encoder.encode_from_utf8("a", &mut [0; 32], true);
            assert_eq!((progress.read, progress.written), (0, 0), "{} {:?}", self.encoding, self.source);
            assert_eq!(progress.status, EncodeStatus::Unmappable(error.clone()));
        }
    }

    /// All of them, with a replacement that the encoding has, in another state of ISO-2022-JP than ASCII if it has one, and with
    /// one that it lacks.
    fn policies(&self) -> [Unmappable; 6] {
        let instead = if self.encoding.can_encode('〓') { '〓' } else { '?' };
        [
            Unmappable::Fail,
            Unmappable::Report,
            Unmappable::Html,
            Unmappable::Skip,
            Unmappable::Replace(instead),
            Unmappable::Replace('\u{10FFFF}'),
        ]
    }

    /// The whole input, and all ways to cut it once, with and without an empty chunk between, and everywhere.
    fn chunkings(&self) -> Vec<Vec<Range<usize>>> {
        chunkings(self.source.len(), |at| self.source.may_cut(at))
    }
}

fn chunkings(len: usize, may_cut: impl Fn(usize) -> bool) -> Vec<Vec<Range<usize>>> {
    let cuts: Vec<usize> = (0..=len).filter(|&at| may_cut(at)).collect();
    let mut all = vec![vec![0..len], cuts.windows(2).map(|cut| cut[0]..cut[1]).collect()];
    all.extend(cuts.iter().map(|&cut| vec![0..cut, cut..len]));
    all.extend(cuts.iter().map(|&cut| vec![0..cut, cut..cut, cut..len]));
    all
}

const TEXTS: [&str; 8] =
    ["日😀日", "日😀", "😀日😀🂡a", "¥😀¥日\u{1B}¥", "a😀b日🂡ｱc", "日\u{E}日\u{F}", "é😀ж€", "日😀¥😀日😀"];

/// With half a surrogate pair in the middle, twice, and at the end.
const UNITS: [&[u16]; 3] =
    [&[0x65E5, 0xD83D, 0x65E5], &[0x65E5, 0xD83D, 0xD83D, 0xDE00, 0xDE00, 0x65E5], &[0x65E5, 0xDE00, 0xA5, 0xD83D]];

/// The texts in both forms.
fn each_text(encoding: Encoding, mut check: impl FnMut(&Text<'_>)) {
    for text in TEXTS {
        let units: Vec<u16> = text.encode_utf16().collect();
        for source in [Source::Utf8(text), Source::Utf16(&units)] {
            Text::new(encoding, source).iter().for_each(&mut check);
        }
    }
    for units in UNITS {
        Text::new(encoding, Source::Utf16(units)).iter().for_each(&mut check);
    }
}

#[test]
fn a_new_policy_for_unmappable_characters_at_every_stop() {
    let mut runs = 0;
    // In the encoding with states, however the text is cut.
    for encoding in [ISO_2022_JP, textcodec::SHIFT_JIS] {
        each_text(encoding, |text| {
            let policies = text.policies();
            let pairs = policies.iter().flat_map(|&first| policies.map(|second| (first, second)));
            for (first, second) in pairs.filter(|(first, second)| first != second) {
                let ways = if encoding == ISO_2022_JP { usize::MAX } else { 2 };
                for chunks in text.chunkings().into_iter().take(ways) {
                    for room in (1..=14).take(rounds(14)) {
                        // The same room again, or as much as is needed after the stop.
                        for next_room in [room, 64] {
                            let mut stop = 1;
                            loop {
                                let room = |call| if call < stop { room } else { next_room };
                                let policy = |call| if call < stop { first } else { second };
                                let schedule = Schedule { chunks: &chunks, room: &room, policy: &policy };
                                runs += 1;
                                if text.check(&schedule) <= stop {
                                    break;
                                }
                                stop += 1;
                            }
                        }
                    }
                }
            }
        });
    }
    println!("{runs} runs");
}

#[test]
fn any_policy_for_unmappable_characters_in_every_call() {
    let mut seed = 0;
    for &encoding in Encoding::ALL.iter().filter(|encoding| **encoding != textcodec::REPLACEMENT) {
        each_text(encoding, |text| {
            let policies = text.policies();
            for chunks in text.chunkings() {
                for most in (0..=14).take(rounds(15)) {
                    seed += 1;
                    let random = |call: usize| fastrand::Rng::with_seed(seed << 16 | call as u64);
                    // A room of 0 now and then; the third is always enough.
                    let room = |call: usize| if call % 3 == 2 { 64 } else { random(call).usize(0..=most) };
                    let policy = |call: usize| policies[random(call + 500).usize(..policies.len())];
                    text.check(&Schedule { chunks: &chunks, room: &room, policy: &policy });
                }
            }
        });
    }
}

#[test]
fn an_encoder_for_hooks_may_get_another_policy() {
    // Whoever sets a policy does not write ASCII for the character.
    let mut encoder = textcodec::hooks::get_an_encoder(ISO_2022_JP).unwrap();
    encoder.set_unmappable(Unmappable::Skip);
    let mut bytes = Vec::new();
    encoder.push("日😀日", &mut bytes).unwrap();
    encoder.finish(&mut bytes).unwrap();
    assert_eq!(ISO_2022_JP.decode_strict(&bytes).unwrap(), "日日");
}

/// Decodes by a schedule and compares with the oracle. Returns how many calls it took.
fn decode<U: Unit>(encoding: Encoding, bytes: &[u8], schedule: &Schedule<'_, Malformed>) -> usize {
    let mut expected = oracle::Decoded::default();
    oracle::decode(&mut expected, oracle::encoding(encoding), bytes, Bom::Sniff, false);
    let ranges = oracle::ranges(&expected.errors);
    let mut log = Vec::new();
    let mut out: Vec<U> = Vec::new();
    let mut decoder = encoding.decoder_with(DecodeOptions::new().malformed((schedule.policy)(0)));
    // All errors so far: replaced by the decoder, or reported.
    let mut errors = 0;
    let mut calls = 0;
    for (n, chunk) in schedule.chunks.iter().enumerate() {
        let last = n + 1 == schedule.chunks.len();
        let mut read = chunk.start;
        loop {
            let (room, policy) = ((schedule.room)(calls).max(U::MIN_ROOM), (schedule.policy)(calls));
            calls += 1;
            decoder.set_malformed(policy);
            let (mut buffer, replaced) = ([U::UNWRITTEN; 64], decoder.errors().count());
            let progress = U::decode(&mut decoder, &bytes[read..chunk.end], &mut buffer[..room], last);
            read += progress.read;
            out.extend(&buffer[..progress.written]);
            log.push((chunk.clone(), room, policy, read));
            let what = || format!("{encoding} {bytes:02X?} {log:?}");
            let replaced = decoder.errors().count() - replaced;
            assert!(replaced == 0 || policy == Malformed::Replace, "replaced by another policy: {}", what());
            errors += replaced as usize;
            match progress.status {
                DecodeStatus::InputEmpty => break,
                DecodeStatus::OutputFull => {}
                DecodeStatus::Malformed(error) => {
                    assert_ne!(policy, Malformed::Replace, "{}", what());
                    assert_eq!(Some(&error.range()), ranges.get(errors), "{}", what());
                    errors += 1;
                    if policy == Malformed::Fail {
                        let before = expected.text.split('\u{FFFD}').take(errors).collect::<Vec<_>>().join("\u{FFFD}");
                        assert!(U::is_text(&out, &before), "text before the error of {}: {out:02X?}", what());
                        let count = decoder.errors().count();
                        for policy in MALFORMED {
                            decoder.set_malformed(policy);
                            let progress = U::decode(&mut decoder, b"a", &mut buffer, true);
                            assert_eq!((progress.read, progress.written), (0, 0), "{}", what());
                            assert_eq!(progress.status, DecodeStatus::Malformed(error.clone()), "{}", what());
                        }
                        assert_eq!(decoder.errors().count(), count, "{}", what());
                        return calls;
                    }
                    out.extend(U::REPLACEMENT);
                }
            }
        }
    }
    assert!(U::is_text(&out, &expected.text), "{encoding} {bytes:02X?} {log:?}: {out:02X?}");
    assert_eq!(errors, ranges.len(), "{encoding} {bytes:02X?} {log:?}");
    calls
}

const MALFORMED: [Malformed; 3] = [Malformed::Replace, Malformed::Report, Malformed::Fail];

/// Bytes that are malformed in most encodings, alone and within sequences that are not. None decodes to U+FFFD itself.
const INPUTS: [&[u8]; 8] = [
    b"a\xFFb\x80",
    b"\xE3\x81a\xE3\x81\x82\xF0\x9F\x98",
    b"\xEF\xBBa\xFF",
    b"\x1B$B$\"\x1B(B\x1B(B$\"\x1B$",
    b"\x1B(J\\\x1B$B\x80!\x1B(Z",
    b"\x84\x31\xA4\x30\x81\x20\x84",
    b"\x8F\xA2\x41\x8E\xE0\x8F",
    b"\xD8\x00\x41\x00\xDC\x00\xD8",
];

#[test]
fn a_new_policy_for_malformed_bytes_at_every_stop() {
    let mut runs = 0;
    for &encoding in Encoding::ALL {
        // The single-byte encodings are the same code.
        let many = !encoding.is_single_byte() || encoding == textcodec::WINDOWS_874;
        for bytes in INPUTS {
            for chunks in chunkings(bytes.len(), |_| many).into_iter().filter(|chunks| !chunks.is_empty()) {
                for (first, second) in MALFORMED.iter().flat_map(|&first| MALFORMED.map(|second| (first, second))) {
                    for most in [2, 3, 4, 5, 7, 9, 64].into_iter().take(rounds(7)) {
                        let mut stop = 1;
                        loop {
                            let room = |_| most;
                            let policy = |call| if call < stop { first } else { second };
                            let schedule = Schedule { chunks: &chunks, room: &room, policy: &policy };
                            runs += 1;
                            let calls =
                                decode::<u8>(encoding, bytes, &schedule).max(decode::<u16>(encoding, bytes, &schedule));
                            if calls <= stop {
                                break;
                            }
                            stop += 1;
                        }
                    }
                }
            }
        }
    }
    println!("{runs} runs");
}

#[test]
fn pushed_bytes_may_get_another_policy_for_each_chunk() {
    for &encoding in Encoding::ALL {
        for bytes in INPUTS {
            let whole = encoding.decode(bytes);
            for number in 0..3_usize.pow(bytes.len().min(6) as u32) {
                let mut decoder = encoding.decoder();
                let (mut text, mut reported) = (String::new(), Vec::new());
                let mut digits = number;
                for byte in bytes.chunks(bytes.len().div_ceil(6)) {
                    // Here `Fail` would only end the input; `push_with` takes its place.
                    let mut rest = byte;
                    let policy = digits % 3;
                    digits /= 3;
                    let replacement = |error: &DecodeError, text: &mut String| {
                        text.push('\u{FFFD}');
                        assert!(error.range().end <= bytes.len() as u64);
                    };
                    if policy == 2 {
                        decoder.push_with(rest, &mut text, replacement);
                        continue;
                    }
                    decoder.set_malformed(MALFORMED[policy]);
                    let mut start = decoder.position();
                    while let Err(error) = decoder.push(rest, &mut text) {
                        assert_eq!(policy, 1, "{encoding} {bytes:02X?}");
                        text.push('\u{FFFD}');
                        reported.push(error.range());
                        rest = &rest[(decoder.position() - start) as usize..];
                        start = decoder.position();
                    }
                }
                let summary = decoder.finish_with(&mut text, |_, text| text.push('\u{FFFD}'));
                assert_eq!(text, whole.text, "{encoding} {bytes:02X?} {number}");
                let errors = summary.errors.count() + reported.len() as u64;
                assert_eq!(errors, whole.errors.count(), "{encoding} {bytes:02X?} {number}");
            }
        }
    }
}
