//! Sequences of calls of a [`Decoder`].

use std::borrow::Cow;

use fastrand::Rng;
use textcodec::{DecodeError, DecodeOptions, Decoded, Decoder, Encoding, ErrorTally, Malformed, Status};

use super::level;
use crate::{
    Check, Texts, hex, model, shorter,
    stream::{self, Unit},
};

/// The replacement for an error, written by the decoder or by the check.
const REPLACEMENT: &str = "\u{FFFD}";

/// Returns the policy for a number, one of three.
fn malformed(number: u8) -> Malformed {
    [Malformed::Replace, Malformed::Fail, Malformed::Pause][usize::from(number) % 3]
}

/// A decoder and the calls to make.
#[derive(Clone, Debug, arbitrary::Arbitrary)]
pub(super) struct DecoderCalls {
    encoding: u8,
    bom: u8,
    malformed: u8,
    /// The policies to set before each call, repeated. If there are none, the policy does not change.
    policies: Vec<u8>,
    level: u8,
    calls: Vec<Call>,
}

/// A call with its bytes, and the destination's capacity if it has one.
#[derive(Clone, Debug, arbitrary::Arbitrary)]
enum Call {
    /// `push` to a `String`.
    Push(Vec<u8>),
    /// `push` to a `Vec<u16>`.
    PushUtf16(Vec<u8>),
    /// `push_with`.
    PushWith(Vec<u8>),
    /// One call of `decode_to_utf8`, then `push` with the unread bytes.
    ToUtf8(Vec<u8>, u8),
    /// One call of `decode_to_utf16`, then `push` with the unread bytes.
    ToUtf16(Vec<u8>, u8),
    /// `decode_to_utf8` with `last`, until the input has ended.
    LastToUtf8(Vec<u8>, u8),
    /// `decode_to_utf16` with `last`, until the input has ended.
    LastToUtf16(Vec<u8>, u8),
    /// `finish`, and a new decoder.
    Finish,
    /// `finish_with`, and a new decoder.
    FinishWith,
    /// `reset`.
    Reset,
    /// Continues with a clone.
    Clone,
}

impl Call {
    fn bytes(&mut self) -> Option<&mut Vec<u8>> {
        match self {
            Self::Push(bytes) | Self::PushUtf16(bytes) | Self::PushWith(bytes) => Some(bytes),
            Self::ToUtf8(bytes, _) | Self::ToUtf16(bytes, _) => Some(bytes),
            Self::LastToUtf8(bytes, _) | Self::LastToUtf16(bytes, _) => Some(bytes),
            Self::Finish | Self::FinishWith | Self::Reset | Self::Clone => None,
        }
    }
}

impl DecoderCalls {
    pub(super) fn random(texts: &mut Texts, rng: &mut Rng) -> Self {
        let encoding = rng.u8(..42);
        let mut calls = Vec::new();
        for _ in 0..rng.usize(1..4) {
            let bytes = texts.bytes(model::encoding(encoding), rng);
            let (max_len, max_capacity) = ([1, 2, 3, 9, 100][rng.usize(..5)], [4, 12, 255][rng.usize(..3)]);
            let mut rest = &*bytes;
            while !rest.is_empty() && calls.len() < 60 {
                let (chunk, after) = rest.split_at(rng.usize(..=max_len).min(rest.len()));
                rest = after;
                let (chunk, capacity) = (chunk.to_vec(), rng.u8(..max_capacity));
                calls.push(match rng.u8(..32) {
                    0..=6 => Call::Push(chunk),
                    7..=10 => Call::PushUtf16(chunk),
                    11..=15 => Call::PushWith(chunk),
                    16..=22 => Call::ToUtf8(chunk, capacity),
                    23..=29 => Call::ToUtf16(chunk, capacity),
                    30 => Call::Clone,
                    _ => [Call::Reset, Call::Finish, Call::FinishWith][rng.usize(..3)].clone(),
                });
            }
            calls.push(match rng.u8(..4) {
                0 => Call::LastToUtf8(rest.to_vec(), rng.u8(..12)),
                1 => Call::LastToUtf16(rest.to_vec(), rng.u8(..12)),
                2 => Call::Finish,
                _ => Call::FinishWith,
            });
        }
        let policies = (0..[0, 0, 2, 5][rng.usize(..4)]).map(|_| rng.u8(..3)).collect();
        Self { encoding, bom: rng.u8(..3), malformed: rng.u8(..3), policies, level: rng.u8(..8), calls }
    }

    pub(super) fn simpler(&self) -> Vec<Self> {
        let mut all: Vec<_> = shorter(&self.calls).into_iter().map(|calls| Self { calls, ..self.clone() }).collect();
        all.extend(shorter(&self.policies).into_iter().map(|policies| Self { policies, ..self.clone() }));
        for (n, call) in self.calls.iter().enumerate() {
            let Some(bytes) = call.clone().bytes().cloned() else { continue };
            for fewer in shorter(&bytes) {
                let mut simpler = self.clone();
                if let Some(bytes) = simpler.calls[n].bytes() {
                    *bytes = fewer;
                }
                all.push(simpler);
            }
            // Two adjacent calls of the same kind as one.
            if let (Call::Push(first), Some(Call::Push(second))) = (call, self.calls.get(n + 1)) {
                let mut simpler = self.clone();
                simpler.calls.splice(n..n + 2, [Call::Push([&first[..], second].concat())]);
                all.push(simpler);
            }
        }
        all
    }

    pub(super) fn describe(&self) -> String {
        let show = |call: &Call| {
            let bytes = call.clone().bytes().map(|bytes| hex(bytes)).unwrap_or_default();
            let debug = format!("{call:?}");
            let name = debug.split('(').next().unwrap_or_default();
            match call {
                Call::ToUtf8(_, capacity) | Call::ToUtf16(_, capacity) => format!("{name}({bytes}; {capacity})"),
                Call::LastToUtf8(_, capacity) | Call::LastToUtf16(_, capacity) => {
                    format!("{name}({bytes}; {capacity})")
                }
                _ => format!("{name}({bytes})"),
            }
        };
        let calls: Vec<_> = self.calls.iter().map(show).collect();
        let policies: Vec<_> = self.policies.iter().map(|&number| malformed(number)).collect();
        format!(
            "{} {:?} {:?} then {policies:?} {} {}",
            self.encoding(),
            model::bom(self.bom),
            self.malformed(),
            level(self.level).name(),
            calls.join(" ")
        )
    }

    fn encoding(&self) -> Encoding {
        model::encoding(self.encoding)
    }

    fn malformed(&self) -> Malformed {
        malformed(self.malformed)
    }

    fn options(&self) -> DecodeOptions {
        DecodeOptions::new().bom(model::bom(self.bom)).malformed(self.malformed())
    }

    fn decoder(&self) -> Decoder {
        level(self.level).decoder(self.encoding().decoder_with(self.options()))
    }

    pub(super) fn check(&self) -> Check {
        let mut state = State {
            case: self,
            decoder: self.decoder(),
            input: Vec::new(),
            text: String::new(),
            failed: None,
            ended: false,
            policy: self.malformed(),
            turn: 0,
            reported: 0,
        };
        for call in &self.calls {
            state.call(call)?;
            state.check_position()?;
        }
        state.end_with(Malformed::Pause)
    }
}

/// A decoder, the input that it has read, and its text with U+FFFD for each error.
struct State<'a> {
    case: &'a DecoderCalls,
    decoder: Decoder,
    input: Vec<u8>,
    text: String,
    /// The error that ended the input.
    failed: Option<DecodeError>,
    /// Whether the next call starts a new input.
    ended: bool,
    /// The policy of the current call.
    policy: Malformed,
    /// The number of times a policy was set.
    turn: usize,
    /// The number of errors that stopped a call, which the decoder does not count.
    reported: u64,
}

impl State<'_> {
    fn start(&mut self) {
        (self.input, self.text, self.failed, self.ended) = (Vec::new(), String::new(), None, false);
        self.reported = 0;
    }

    /// Sets the policy of the next call, if the case has policies.
    fn set_policy(&mut self) {
        let policies = &self.case.policies;
        if !policies.is_empty() {
            self.policy = malformed(policies[self.turn % policies.len()]);
            self.decoder.set_malformed(self.policy);
            self.turn += 1;
        }
    }

    fn call(&mut self, call: &Call) -> Check {
        if self.ended && !matches!(call, Call::Clone) {
            self.start();
        }
        match call {
            Call::Push(bytes) => self.push::<String>(bytes, Clone::clone),
            Call::PushUtf16(bytes) => self.push::<Vec<u16>>(bytes, |units| String::from_utf16_lossy(units)),
            Call::PushWith(bytes) => {
                self.set_policy();
                match (self.decoder.push_with(bytes, &mut self.text, |_| Some(REPLACEMENT.into())), &self.failed) {
                    (Ok(()), None) => self.input.extend(bytes),
                    (Err(error), Some(failed)) => same!("error of push_with after a fatal error", *failed, error),
                    (result, failed) => return Err(format!("push_with: {result:?} after {failed:?}")),
                }
                Ok(())
            }
            Call::ToUtf8(bytes, capacity) => {
                let (read, _) = self.slice::<u8>(bytes, (*capacity).into(), false)?;
                self.push_rest(&bytes[read..])
            }
            Call::ToUtf16(bytes, capacity) => {
                let (read, _) = self.slice::<u16>(bytes, (*capacity).into(), false)?;
                self.push_rest(&bytes[read..])
            }
            Call::LastToUtf8(bytes, capacity) => self.last::<u8>(bytes, *capacity),
            Call::LastToUtf16(bytes, capacity) => self.last::<u16>(bytes, *capacity),
            Call::Finish => {
                self.set_policy();
                self.end_with(self.policy)
            }
            Call::FinishWith => self.end_with(Malformed::Pause),
            Call::Reset => {
                self.decoder.reset();
                self.ended = true;
                Ok(())
            }
            Call::Clone => {
                self.decoder = self.decoder.clone();
                Ok(())
            }
        }
    }

    /// Pushes the bytes that a call has left unread. The decoder may have seen them, so no other bytes may follow. After a
    /// fatal error, discards them and starts a new input.
    fn push_rest(&mut self, rest: &[u8]) -> Check {
        if rest.is_empty() {
            return Ok(());
        }
        if self.failed.is_none() {
            return self.push::<String>(rest, Clone::clone);
        }
        self.decoder.reset();
        self.ended = true;
        Ok(())
    }

    /// Checks the position between two calls.
    fn check_position(&self) -> Check {
        if !self.ended {
            same!("position", self.input.len() as u64, self.decoder.position());
        }
        Ok(())
    }

    /// Checks and records an error that a call returned.
    fn error(&mut self, error: DecodeError) -> Check {
        let range = error.range();
        let bytes = self.input.get(range.start as usize..range.end as usize);
        same!("bytes of an error", bytes, Some(error.bytes()));
        self.text.push_str(REPLACEMENT);
        self.reported += 1;
        if self.policy == Malformed::Fail {
            self.failed = Some(error);
        }
        Ok(())
    }

    /// Calls `push`. After each reported error, calls it again from `position` on.
    fn push<T: textcodec::DecodeTarget + Default>(&mut self, bytes: &[u8], text: impl Fn(&T) -> String) -> Check {
        let mut rest = bytes;
        loop {
            let mut out = T::default();
            self.set_policy();
            let replaced = self.decoder.errors().count();
            let result = self.decoder.push(rest, &mut out);
            self.replaced_by_policy(replaced)?;
            self.text.push_str(&text(&out));
            match result {
                Ok(()) => {
                    ensure!(self.failed.is_none(), "push succeeds after a fatal error");
                    self.input.extend(rest);
                    return Ok(());
                }
                Err(error) => {
                    if let Some(failed) = &self.failed {
                        same!("error after a fatal error", *failed, error);
                        same!("text after a fatal error", "", text(&out));
                        return Ok(());
                    }
                    ensure!(self.policy != Malformed::Replace, "push fails: {error:?}");
                    let read = (self.decoder.position() as usize).checked_sub(self.input.len());
                    let Some(read) = read.filter(|&read| read <= rest.len()) else {
                        return Err(format!("position {} is not in the chunk", self.decoder.position()));
                    };
                    self.input.extend(&rest[..read]);
                    self.error(error)?;
                    rest = &rest[read..];
                    if self.failed.is_some() {
                        return self.push_rest(rest);
                    }
                }
            }
        }
    }

    /// Checks that malformed bytes are only replaced under the policy `Replace`.
    fn replaced_by_policy(&self, before: u64) -> Check {
        let replaced = self.decoder.errors().count().saturating_sub(before);
        ensure!(replaced == 0 || self.policy == Malformed::Replace, "{replaced} replaced with {:?}", self.policy);
        Ok(())
    }

    /// Makes one call with a fixed buffer. Returns how much was read, and whether that was all.
    fn slice<U: Unit>(&mut self, bytes: &[u8], capacity: usize, last: bool) -> Result<(usize, bool), String> {
        let mut out: Vec<U> = Vec::new();
        let mut progress = None;
        self.set_policy();
        // A new input resets the errors.
        let replaced = if self.input.is_empty() { 0 } else { self.decoder.errors().count() };
        let decode = |dst: &mut [U]| {
            let made = progress.insert(U::decode(&mut self.decoder, bytes, dst, last));
            (made.read, made.written)
        };
        stream::call(&mut out, capacity, decode, bytes.len())?;
        self.replaced_by_policy(replaced)?;
        let Some(progress) = progress else { return Err("the call was not made".into()) };
        let Some(text) = U::text(&out) else { return Err(format!("ill-formed output {out:X?}")) };
        self.text.push_str(&text);
        self.input.extend(&bytes[..progress.read]);
        match progress.status {
            Status::InputEmpty => {
                same!("bytes read with InputEmpty", bytes.len(), progress.read);
                Ok((progress.read, true))
            }
            Status::Error(error) => {
                match &self.failed {
                    Some(failed) => {
                        same!("error after a fatal error", (failed, 0, ""), (&error, progress.read, &*text));
                    }
                    None => {
                        ensure!(self.policy != Malformed::Replace, "an error with Replace: {error:?}");
                        self.error(error)?;
                    }
                }
                Ok((progress.read, false))
            }
            status => {
                same!("status", Status::OutputFull, status);
                Ok((progress.read, false))
            }
        }
    }

    /// Decodes the end of the input into fixed buffers.
    fn last<U: Unit>(&mut self, bytes: &[u8], capacity: u8) -> Check {
        let (mut rest, mut capacity) = (bytes, usize::from(capacity));
        for _ in 0..20 * bytes.len() + 100 {
            let (read, done) = self.slice::<U>(rest, capacity, true)?;
            rest = &rest[read..];
            if done {
                self.ended = true;
                same!("position at the end", self.input.len() as u64, self.decoder.position());
                return self.whole(self.decoder.encoding(), self.decoder.bom_removed(), self.decoder.errors());
            }
            if self.failed.is_some() {
                // The decoder has seen the end, so no input can follow the error. The byte that reveals the error is unread.
                // Without it, earlier errors might differ.
                let bytes = [&self.input, rest].concat();
                let whole = one_shot(self.case, &bytes)?.text;
                ensure!(whole.starts_with(&*self.text), "text before an error at the end: {whole:?}, {:?}", self.text);
                self.decoder.reset();
                self.ended = true;
                return Ok(());
            }
            capacity = capacity.max(U::MIN_CAPACITY);
        }
        Err("the end of the input is never reached".into())
    }

    /// Calls `finish`, or `finish_with` under the policy `Report`.
    fn end_with(&mut self, malformed: Malformed) -> Check {
        if self.ended {
            self.start();
        }
        let decoder = std::mem::replace(&mut self.decoder, self.case.decoder());
        self.policy = self.case.malformed();
        self.ended = true;
        let length = self.text.len();
        let summary = {
            let finished = if malformed == Malformed::Pause {
                decoder.finish_with(&mut self.text, |_| Some(REPLACEMENT.into()))
            } else {
                decoder.finish(&mut self.text)
            };
            match (finished, &self.failed) {
                (Ok(summary), None) => summary,
                (Ok(_), Some(error)) => return Err(format!("finish succeeds after {error:?}")),
                (Err(error), Some(failed)) => {
                    same!("error of finish", *failed, error);
                    same!("text of finish after a fatal error", length, self.text.len());
                    return Ok(());
                }
                (Err(error), None) => {
                    ensure!(malformed == Malformed::Fail, "finish fails: {error:?}");
                    self.text.push_str(REPLACEMENT);
                    let whole = one_shot(self.case, &self.input)?.text;
                    ensure!(
                        whole.starts_with(&self.text),
                        "text before an error of finish: {whole:?}, {:?}",
                        self.text
                    );
                    return Ok(());
                }
            }
        };
        self.whole(summary.encoding, summary.bom_removed, &summary.errors)
    }

    /// Compares the results for the whole input with those of a single call.
    fn whole(&self, encoding: Encoding, bom_removed: bool, errors: &ErrorTally<DecodeError>) -> Check {
        let expected = one_shot(self.case, &self.input)?;
        ensure!(
            expected.text == self.text,
            "text of the whole: expected {:?}, got {:?} of {}",
            expected.text,
            self.text,
            hex(&self.input)
        );
        same!("encoding", expected.encoding, encoding);
        same!("bom_removed", expected.bom_removed, bom_removed);
        same!("count of errors", expected.errors.count(), errors.count() + self.reported);
        if self.reported == 0 {
            same!("errors", &expected.errors, errors);
        }
        Ok(())
    }
}

/// Decodes the whole input in a single call, with replacement.
fn one_shot<'a>(case: &DecoderCalls, bytes: &'a [u8]) -> Result<Decoded<Cow<'a, str>>, String> {
    let options = case.options().malformed(Malformed::Replace);
    case.encoding().decode_with(bytes, options).map_err(|error| format!("decode_with: {error:?}"))
}
