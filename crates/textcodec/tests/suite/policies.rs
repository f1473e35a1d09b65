//! Policies that change between calls.
//!
//! Each unmappable character must be handled by the policy of the call that reads it, and each malformed sequence by the policy
//! of the call that finds it. It must not matter why the previous call stopped. Expected output comes from the oracle.

use std::ops::Range;

use spec_model::{hooks::encode_or_fail, io_queue::IoQueue};
use testkit::{
    drive::{Source, Unit},
    oracle, rounds,
};
use textcodec::{
    Bom, DecodeError, DecodeOptions, EncodeError, Encoder, Encoding, ISO_2022_JP, Malformed, Status, Unmappable,
};

/// How an input is passed to the library: its chunks, and the destination's capacity and the policy of the n-th call.
struct Schedule<'a, P> {
    chunks: &'a [Range<usize>],
    capacity: &'a dyn Fn(usize) -> usize,
    policy: &'a dyn Fn(usize) -> P,
}

/// Text to encode, and the oracle's results for its characters.
struct Text<'a> {
    encoding: Encoding,
    source: Source<'a>,
    characters: Vec<char>,
    /// The end of each character, in units of the source.
    ends: Vec<usize>,
    /// The indices of the unmappable characters.
    unmappable: Vec<usize>,
}

impl<'a> Text<'a> {
    /// Returns `None` if the standard has no encoder.
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

    /// Returns how many unmappable characters end within the first `units` units.
    fn unmappable_within(&self, units: usize) -> usize {
        self.unmappable.iter().filter(|&&at| self.ends[at] <= units).count()
    }

    /// Returns whether a policy ends the text at an unmappable character.
    fn is_fatal(policy: Unmappable) -> bool {
        policy == Unmappable::Fail
    }

    /// Returns the oracle's bytes if the n-th unmappable character is handled by `policies[n]`.
    fn expected(&self, policies: &[Unmappable]) -> Vec<u8> {
        let mut kept = Vec::new();
        let mut fatal = None;
        let mut policies = policies.iter();
        for (at, &character) in self.characters.iter().enumerate() {
            if !self.unmappable.contains(&at) {
                kept.push(character);
                continue;
            }
            // No call has read the remaining characters, because an error ended the text.
            let Some(&policy) = policies.next() else { break };
            match policy {
                policy if Self::is_fatal(policy) => {
                    kept.push(character);
                    fatal = Some(policy);
                    break;
                }
                Unmappable::Replace(instead) => kept.push(instead),
                Unmappable::Html => kept.push(character),
                _ => {}
            }
        }
        assert_eq!(policies.len(), 0, "a policy for a character after the end of the text");
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
                // The encoder does not return to ASCII before the error, because a replacement need not be ASCII.
                Some(_) if is_last => return bytes.strip_suffix(b"\x1B(B").unwrap_or(&bytes).to_vec(),
                _ => bytes.extend(format!("&#{code_point};").bytes()),
            }
        }
    }

    /// Encodes by a schedule and compares with the oracle. Returns the number of calls.
    fn check(&self, schedule: &Schedule<'_, Unmappable>) -> usize {
        let mut log = Vec::new();
        let mut bytes = Vec::new();
        // The policy that handled each unmappable character.
        let mut handled: Vec<Unmappable> = Vec::new();
        let mut reported = 0;
        let mut encoder = self.encoding.encoder_with((schedule.policy)(0));
        let mut calls = 0;
        'text: for (n, chunk) in schedule.chunks.iter().enumerate() {
            let last = n + 1 == schedule.chunks.len();
            let mut read = chunk.start;
            loop {
                let (capacity, policy) = ((schedule.capacity)(calls), (schedule.policy)(calls));
                calls += 1;
                assert!(calls < 1000, "no progress: {log:?}");
                encoder.set_unmappable(policy);
                let status = self.call(&mut encoder, &mut read, chunk.end, last, capacity, &mut bytes);
                log.push((chunk.clone(), capacity, policy, read));
                let surrogate_is_pending =
                    status == Status::InputEmpty && !last && read > 0 && self.is_high_surrogate(read - 1);
                handled.resize(self.unmappable_within(read - usize::from(surrogate_is_pending)), policy);
                match status {
                    Status::InputEmpty => break,
                    Status::Error(error) => {
                        let at = self.unmappable[handled.len() - 1];
                        let end = error.range().end as usize;
                        assert_eq!((error.character(), end), (Some(self.characters[at]), self.ends[at]));
                        let by = handled[handled.len() - 1];
                        if Self::is_fatal(by) {
                            self.assert_ended(&mut encoder, &error);
                            break 'text;
                        }
                        // Only an error that ends the text may be pending under another policy.
                        assert_eq!((by, policy), (Unmappable::Pause, Unmappable::Pause), "{log:?}");
                        reported += 1;
                    }
                    status => assert_eq!(status, Status::OutputFull),
                }
            }
        }
        let what = || format!("{} {:?} {log:?}, handled by {handled:?}", self.encoding, self.source);
        assert_eq!(handled.iter().filter(|&&policy| policy == Unmappable::Pause).count(), reported, "{}", what());
        let counted = handled.iter().filter(|&&policy| policy != Unmappable::Pause && !Self::is_fatal(policy));
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
        capacity: usize,
        bytes: &mut Vec<u8>,
    ) -> Status<EncodeError> {
        let mut buffer = [0xA5; 64];
        let progress = match self.source.slice(*read..end) {
            Source::Utf8(text) => encoder.encode_from_utf8(text, &mut buffer[..capacity], last),
            Source::Utf16(units) => encoder.encode_from_utf16(units, &mut buffer[..capacity], last),
        };
        bytes.extend(&buffer[..progress.written]);
        *read += progress.read;
        assert_eq!(encoder.position(), *read as u64);
        progress.status
    }

    fn is_high_surrogate(&self, at: usize) -> bool {
        matches!(self.source, Source::Utf16(units) if matches!(units[at], 0xD800..=0xDBFF))
    }

    /// Checks that the encoder refuses further input under every policy after a fatal error.
    fn assert_ended(&self, encoder: &mut Encoder, error: &EncodeError) {
        for policy in self.policies() {
            encoder.set_unmappable(policy);
            let progress = encoder.encode_from_utf8("a", &mut [0; 32], true);
            assert_eq!((progress.read, progress.written), (0, 0), "{} {:?}", self.encoding, self.source);
            assert_eq!(progress.status, Status::Error(error.clone()));
        }
    }

    /// Returns all policies. The replacement is U+3013 if possible, because ISO-2022-JP encodes it in another state than ASCII.
    fn policies(&self) -> [Unmappable; 5] {
        let instead = if self.encoding.can_encode('〓') { '〓' } else { '?' };
        [Unmappable::Fail, Unmappable::Pause, Unmappable::Html, Unmappable::Skip, Unmappable::Replace(instead)]
    }

    /// Returns the chunkings of the text: see [`chunkings`].
    fn chunkings(&self) -> Vec<Vec<Range<usize>>> {
        chunkings(self.source.len(), |at| self.source.may_cut(at))
    }
}

/// Returns ways to cut an input: not at all, at every position, and once at each position with and without an empty chunk after
/// the first.
fn chunkings(len: usize, may_cut: impl Fn(usize) -> bool) -> Vec<Vec<Range<usize>>> {
    let cuts: Vec<usize> = (0..=len).filter(|&at| may_cut(at)).collect();
    let mut all = vec![vec![0..len], cuts.windows(2).map(|cut| cut[0]..cut[1]).collect()];
    all.extend(cuts.iter().map(|&cut| vec![0..cut, cut..len]));
    all.extend(cuts.iter().map(|&cut| vec![0..cut, cut..cut, cut..len]));
    all
}

const TEXTS: [&str; 8] =
    ["日😀日", "日😀", "😀日😀🂡a", "¥😀¥日\u{1B}¥", "a😀b日🂡ｱc", "日\u{E}日\u{F}", "é😀ж€", "日😀¥😀日😀"];

/// UTF-16 with unpaired surrogates in the middle, next to a pair, and at the end.
const UNITS: [&[u16]; 3] =
    [&[0x65E5, 0xD83D, 0x65E5], &[0x65E5, 0xD83D, 0xD83D, 0xDE00, 0xDE00, 0x65E5], &[0x65E5, 0xDE00, 0xA5, 0xD83D]];

/// Calls `check` for each text in both forms.
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
fn changing_the_unmappable_policy_at_every_stop() {
    let mut runs = 0;
    // ISO-2022-JP has states, so it is tested with all chunkings.
    for encoding in [ISO_2022_JP, textcodec::SHIFT_JIS] {
        each_text(encoding, |text| {
            let policies = text.policies();
            let pairs = policies.iter().flat_map(|&first| policies.map(|second| (first, second)));
            for (first, second) in pairs.filter(|(first, second)| first != second) {
                let ways = if encoding == ISO_2022_JP { usize::MAX } else { 2 };
                for chunks in text.chunkings().into_iter().take(ways) {
                    for capacity in (1..=14).take(rounds(14)) {
                        // After the stop, the same capacity or enough for everything.
                        for next_capacity in [capacity, 64] {
                            let mut stop = 1;
                            loop {
                                let capacity = |call| if call < stop { capacity } else { next_capacity };
                                let policy = |call| if call < stop { first } else { second };
                                let schedule = Schedule { chunks: &chunks, capacity: &capacity, policy: &policy };
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
fn random_unmappable_policies_in_every_call() {
    let mut seed = 0;
    for &encoding in Encoding::ALL.iter().filter(|encoding| **encoding != textcodec::REPLACEMENT) {
        each_text(encoding, |text| {
            let policies = text.policies();
            for chunks in text.chunkings() {
                for max in (0..=14).take(rounds(15)) {
                    seed += 1;
                    let random = |call: usize| fastrand::Rng::with_seed(seed << 16 | call as u64);
                    // The capacity may be 0. Every third call has enough for everything.
                    let capacity = |call: usize| if call % 3 == 2 { 64 } else { random(call).usize(0..=max) };
                    let policy = |call: usize| policies[random(call + 500).usize(..policies.len())];
                    text.check(&Schedule { chunks: &chunks, capacity: &capacity, policy: &policy });
                }
            }
        });
    }
}

#[test]
fn setting_a_policy_on_an_encoder_for_hooks() {
    // A caller that sets a policy does not write an ASCII replacement, so the encoder need not return to ASCII.
    let mut encoder = textcodec::hooks::get_an_encoder(ISO_2022_JP).unwrap();
    encoder.set_unmappable(Unmappable::Skip);
    let mut bytes = Vec::new();
    encoder.push("日😀日", &mut bytes).unwrap();
    encoder.finish(&mut bytes).unwrap();
    assert_eq!(ISO_2022_JP.decode_strict(&bytes).unwrap(), "日日");
}

/// Decodes by a schedule and compares with the oracle. Returns the number of calls.
fn decode<U: Unit>(encoding: Encoding, bytes: &[u8], schedule: &Schedule<'_, Malformed>) -> usize {
    let mut expected = oracle::Decoded::default();
    oracle::decode(&mut expected, oracle::encoding(encoding), bytes, Bom::Sniff, false);
    let ranges = oracle::ranges(&expected.errors);
    let mut log = Vec::new();
    let mut out: Vec<U> = Vec::new();
    let mut decoder = encoding.decoder_with(DecodeOptions::new().malformed((schedule.policy)(0)));
    // The number of errors so far, replaced or reported.
    let mut errors = 0;
    let mut calls = 0;
    for (n, chunk) in schedule.chunks.iter().enumerate() {
        let last = n + 1 == schedule.chunks.len();
        let mut read = chunk.start;
        loop {
            let (capacity, policy) = ((schedule.capacity)(calls).max(U::MIN_CAPACITY), (schedule.policy)(calls));
            calls += 1;
            decoder.set_malformed(policy);
            let (mut buffer, replaced) = ([U::UNWRITTEN; 64], decoder.errors().count());
            let progress = U::decode(&mut decoder, &bytes[read..chunk.end], &mut buffer[..capacity], last);
            read += progress.read;
            out.extend(&buffer[..progress.written]);
            log.push((chunk.clone(), capacity, policy, read));
            let what = || format!("{encoding} {bytes:02X?} {log:?}");
            let replaced = decoder.errors().count() - replaced;
            assert!(replaced == 0 || policy == Malformed::Replace, "replaced under another policy: {}", what());
            errors += replaced as usize;
            match progress.status {
                Status::InputEmpty => break,
                Status::Error(error) => {
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
                            assert_eq!(progress.status, Status::Error(error.clone()), "{}", what());
                        }
                        assert_eq!(decoder.errors().count(), count, "{}", what());
                        return calls;
                    }
                    out.extend(U::REPLACEMENT);
                }
                status => assert_eq!(status, Status::OutputFull),
            }
        }
    }
    assert!(U::is_text(&out, &expected.text), "{encoding} {bytes:02X?} {log:?}: {out:02X?}");
    assert_eq!(errors, ranges.len(), "{encoding} {bytes:02X?} {log:?}");
    calls
}

const MALFORMED: [Malformed; 3] = [Malformed::Replace, Malformed::Pause, Malformed::Fail];

/// Inputs that are malformed in most encodings, alone and next to well-formed sequences. No well-formed part decodes to U+FFFD.
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
fn changing_the_malformed_policy_at_every_stop() {
    let mut runs = 0;
    for &encoding in Encoding::ALL {
        // The single-byte encodings share their code, so one of them gets all chunkings.
        let all_cuts = !encoding.is_single_byte() || encoding == textcodec::WINDOWS_874;
        for bytes in INPUTS {
            for chunks in chunkings(bytes.len(), |_| all_cuts).into_iter().filter(|chunks| !chunks.is_empty()) {
                for (first, second) in MALFORMED.iter().flat_map(|&first| MALFORMED.map(|second| (first, second))) {
                    for capacity in [2, 3, 4, 5, 7, 9, 64].into_iter().take(rounds(7)) {
                        let mut stop = 1;
                        loop {
                            let capacity = |_| capacity;
                            let policy = |call| if call < stop { first } else { second };
                            let schedule = Schedule { chunks: &chunks, capacity: &capacity, policy: &policy };
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
fn changing_the_malformed_policy_between_pushes() {
    for &encoding in Encoding::ALL {
        for bytes in INPUTS {
            let whole = encoding.decode(bytes);
            for number in 0..3_usize.pow(bytes.len().min(6) as u32) {
                let mut decoder = encoding.decoder();
                let (mut text, mut reported) = (String::new(), Vec::new());
                let mut digits = number;
                for byte in bytes.chunks(bytes.len().div_ceil(6)) {
                    // `push_with` is used instead of `Fail`, which would only end the input.
                    let mut rest = byte;
                    let policy = digits % 3;
                    digits /= 3;
                    let replacement = |error: &DecodeError| {
                        assert!(error.range().end <= bytes.len() as u64);
                        Some("\u{FFFD}".into())
                    };
                    if policy == 2 {
                        decoder.push_with(rest, &mut text, replacement).unwrap();
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
                let summary = decoder.finish_with(&mut text, |_| Some("\u{FFFD}".into())).unwrap();
                assert_eq!(text, whole.text, "{encoding} {bytes:02X?} {number}");
                let errors = summary.errors.count() + reported.len() as u64;
                assert_eq!(errors, whole.errors.count(), "{encoding} {bytes:02X?} {number}");
            }
        }
    }
}
