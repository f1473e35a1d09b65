//! Sequences of calls of an [`Encoder`].

use std::borrow::Cow;

use fastrand::Rng;
use textcodec::{EncodeError, EncodeReason, Encoder, Encoding, Status, Unmappable};

use super::level;
use crate::{
    Check, Texts, hex, model, shorter,
    stream::{self, Source},
};

/// An encoder and the calls to make.
#[derive(Clone, Debug, arbitrary::Arbitrary)]
pub(super) struct EncoderCalls {
    encoding: u8,
    unmappable: u8,
    /// The policies to set before each call, repeated. If there are none, the policy does not change.
    policies: Vec<u8>,
    level: u8,
    calls: Vec<Call>,
}

/// A call with its text, and the destination's capacity if it has one. Calls with UTF-8 convert the code units, with U+FFFD for
/// unpaired surrogates.
#[derive(Clone, Debug, arbitrary::Arbitrary)]
enum Call {
    /// `push`.
    Push(Vec<u16>),
    /// `push_utf16`.
    PushUtf16(Vec<u16>),
    /// `push_with`.
    PushWith(Vec<u16>),
    /// `encode_from_utf8`, until all is read.
    FromUtf8(Vec<u16>, u8),
    /// `encode_from_utf16`, until all is read.
    FromUtf16(Vec<u16>, u8),
    /// `encode_from_utf8` with `last`.
    LastFromUtf8(Vec<u16>, u8),
    /// `encode_from_utf16` with `last`.
    LastFromUtf16(Vec<u16>, u8),
    /// `finish`, and a new encoder.
    Finish,
    /// `reset`.
    Reset,
    /// Continues with a clone.
    Clone,
}

impl Call {
    fn units(&mut self) -> Option<&mut Vec<u16>> {
        match self {
            Self::Push(units) | Self::PushUtf16(units) | Self::PushWith(units) => Some(units),
            Self::FromUtf8(units, _) | Self::FromUtf16(units, _) => Some(units),
            Self::LastFromUtf8(units, _) | Self::LastFromUtf16(units, _) => Some(units),
            Self::Finish | Self::Reset | Self::Clone => None,
        }
    }
}

impl EncoderCalls {
    pub(super) fn random(texts: &mut Texts, rng: &mut Rng) -> Self {
        let encoding = rng.u8(..42);
        let mut calls = Vec::new();
        for _ in 0..rng.usize(1..4) {
            let units = texts.units(model::encoding(encoding), rng);
            let (max_len, max_capacity) = ([1, 2, 3, 9, 100][rng.usize(..5)], [4, 12, 255][rng.usize(..3)]);
            let mut rest = &*units;
            while !rest.is_empty() && calls.len() < 60 {
                let (chunk, after) = rest.split_at(rng.usize(..=max_len).min(rest.len()));
                rest = after;
                let (chunk, capacity) = (chunk.to_vec(), rng.u8(..max_capacity));
                calls.push(match rng.u8(..32) {
                    0..=5 => Call::Push(chunk),
                    6..=11 => Call::PushUtf16(chunk),
                    12..=15 => Call::PushWith(chunk),
                    16..=22 => Call::FromUtf8(chunk, capacity),
                    23..=29 => Call::FromUtf16(chunk, capacity),
                    30 => Call::Clone,
                    _ => [Call::Reset, Call::Finish][rng.usize(..2)].clone(),
                });
            }
            calls.push(match rng.u8(..3) {
                0 => Call::LastFromUtf8(rest.to_vec(), rng.u8(..12)),
                1 => Call::LastFromUtf16(rest.to_vec(), rng.u8(..12)),
                _ => Call::Finish,
            });
        }
        let policies = (0..[0, 0, 2, 5][rng.usize(..4)]).map(|_| rng.u8(..6)).collect();
        Self { encoding, unmappable: rng.u8(..6), policies, level: rng.u8(..8), calls }
    }

    pub(super) fn simpler(&self) -> Vec<Self> {
        let mut all: Vec<_> = shorter(&self.calls).into_iter().map(|calls| Self { calls, ..self.clone() }).collect();
        all.extend(shorter(&self.policies).into_iter().map(|policies| Self { policies, ..self.clone() }));
        for (n, call) in self.calls.iter().enumerate() {
            let Some(units) = call.clone().units().cloned() else { continue };
            for fewer in shorter(&units) {
                let mut simpler = self.clone();
                if let Some(units) = simpler.calls[n].units() {
                    *units = fewer;
                }
                all.push(simpler);
            }
        }
        all
    }

    pub(super) fn describe(&self) -> String {
        let policies: Vec<_> = self.policies.iter().map(|&number| self.policy(number)).collect();
        let (encoding, level) = (self.encoding(), level(self.level).name());
        format!("{encoding} {:?} then {policies:?} {level} {:X?}", self.unmappable(), self.calls)
    }

    fn encoding(&self) -> Encoding {
        model::encoding(self.encoding)
    }

    fn unmappable(&self) -> Unmappable {
        self.policy(self.unmappable)
    }

    /// Returns the policy for a number, one of six. Replacements are characters that the encoding can represent.
    fn policy(&self, number: u8) -> Unmappable {
        let wide = if self.encoding().can_encode('〓') { '〓' } else { '!' };
        let all = [
            Unmappable::Html,
            Unmappable::Fail,
            Unmappable::Pause,
            Unmappable::Skip,
            Unmappable::Replace('?'),
            Unmappable::Replace(wide),
        ];
        all[usize::from(number) % all.len()]
    }

    pub(super) fn check(&self) -> Check {
        if !self.encoding().has_encoder() {
            return Ok(());
        }
        let encoder = self.encoding().encoder_with(self.unmappable());
        let fresh = level(self.level).encoder(encoder);
        let mut state = State {
            case: self,
            encoder: fresh.clone(),
            fresh,
            input: Vec::new(),
            position: 0,
            bytes: Vec::new(),
            failed: None,
            ended: false,
            clone_mismatch: Ok(()),
            policy: self.unmappable(),
            turn: 0,
            handled: Vec::new(),
            counted: 0,
        };
        for call in &self.calls {
            state.call(call)?;
            state.check_position()?;
        }
        state.finish()?;
        state.clone_mismatch
    }
}

/// An encoder, the text that it has read, and its bytes.
struct State<'a> {
    case: &'a EncoderCalls,
    fresh: Encoder,
    encoder: Encoder,
    input: Vec<u16>,
    /// The number of units read: bytes of UTF-8 and code units of UTF-16.
    position: u64,
    bytes: Vec<u8>,
    failed: Option<EncodeError>,
    ended: bool,
    /// A mismatch with a clone of the encoder. Other mismatches are reported first.
    clone_mismatch: Check,
    /// The policy of the current call.
    policy: Unmappable,
    /// The number of times a policy was set.
    turn: usize,
    /// The policy that handled each unmappable character, which is that of the call that read it.
    handled: Vec<Unmappable>,
    /// The number of units whose unmappable characters are in `handled`.
    counted: usize,
}

impl State<'_> {
    fn start(&mut self) {
        if self.ended {
            (self.input, self.position, self.bytes) = (Vec::new(), 0, Vec::new());
            (self.failed, self.ended) = (None, false);
            (self.handled, self.counted) = (Vec::new(), 0);
        }
    }

    /// Sets the policy of the next call, if the case has policies.
    fn set_policy(&mut self) {
        let policies = &self.case.policies;
        if !policies.is_empty() {
            self.policy = self.case.policy(policies[self.turn % policies.len()]);
            self.encoder.set_unmappable(self.policy);
            self.turn += 1;
        }
    }

    /// Records the unmappable characters that a call has read. If `more` chunks may follow, a high surrogate at the end is
    /// pending.
    fn record_handled(&mut self, policy: Unmappable, more: bool) {
        let high = self.input.last().is_some_and(|unit| (0xD800..0xDC00).contains(unit));
        let end = self.input.len() - usize::from(more && high);
        let scalars = spec_model::scalar_values(&self.input[self.counted..end]);
        let unmappable = scalars.iter().filter(|&&character| !self.case.encoding().can_encode(character)).count();
        self.handled.resize(self.handled.len() + unmappable, policy);
        self.counted = end;
    }

    fn call(&mut self, call: &Call) -> Check {
        if matches!(call, Call::Clone) {
            self.encoder = self.encoder.clone();
            return Ok(());
        }
        self.start();
        if let Call::Push(units) | Call::PushWith(units) | Call::FromUtf8(units, _) = call
            && units.is_empty()
            && self.has_pending_surrogate()
        {
            self.clone_mismatch = self.clone_mismatch.clone().and_then(|()| self.check_empty_chunk_after_surrogate());
            return Ok(());
        }
        let utf8 = |units: &[u16]| String::from_utf16_lossy(units);
        match call {
            Call::Push(units) => self.push(Source::Utf8(&utf8(units))),
            Call::PushUtf16(units) => self.push(Source::Utf16(units)),
            Call::PushWith(units) => self.push_with(&utf8(units)),
            Call::FromUtf8(units, capacity) => self.slices(Source::Utf8(&utf8(units)), *capacity, false),
            Call::FromUtf16(units, capacity) => self.slices(Source::Utf16(units), *capacity, false),
            Call::LastFromUtf8(units, capacity) => self.slices(Source::Utf8(&utf8(units)), *capacity, true),
            Call::LastFromUtf16(units, capacity) => self.slices(Source::Utf16(units), *capacity, true),
            Call::Finish => self.finish(),
            Call::Reset => {
                self.encoder.reset();
                self.ended = true;
                Ok(())
            }
            Call::Clone => Ok(()),
        }
    }

    /// Returns whether a high surrogate is pending in the encoder.
    fn has_pending_surrogate(&self) -> bool {
        self.failed.is_none() && self.input.last().is_some_and(|unit| (0xD800..0xDC00).contains(unit))
    }

    /// Checks that an empty chunk of UTF-8 does not change a pending surrogate.
    fn check_empty_chunk_after_surrogate(&self) -> Check {
        let mut with = self.encoder.clone();
        let (mut expected, mut actual) = (Vec::new(), Vec::new());
        let _ = self.encoder.clone().push_utf16(&[0xDC00], &mut expected);
        let _ = with.push("", &mut actual);
        let _ = with.push_utf16(&[0xDC00], &mut actual);
        same!("an empty chunk of UTF-8 after a high surrogate", hex(&expected), hex(&actual));
        Ok(())
    }

    fn check_position(&self) -> Check {
        if !self.ended {
            same!("position", self.position, self.encoder.position());
        }
        Ok(())
    }

    /// Records text that was read.
    fn read(&mut self, text: Source<'_>) {
        self.position += text.len() as u64;
        match text {
            Source::Utf8(text) => self.input.extend(text.encode_utf16()),
            Source::Utf16(units) => self.input.extend(units),
        }
    }

    /// Checks and records an error that a call returned.
    fn error(&mut self, error: EncodeError) -> Check {
        // An error that ends the text may be pending since an earlier call.
        match (self.handled.last().copied().unwrap_or(self.policy), &error) {
            (Unmappable::Fail, _) => self.failed = Some(error),
            (Unmappable::Pause, error) if error.reason() == EncodeReason::Unmappable => {
                let range = error.range();
                ensure!(range.end <= self.position, "an error at {range:?} with {} units read", self.position);
            }
            _ => return Err(format!("an unexpected error: {error:?}")),
        }
        Ok(())
    }

    /// Calls `push` or `push_utf16`. After each reported error, calls it again from `position` on.
    fn push(&mut self, text: Source<'_>) -> Check {
        let mut rest = text;
        for _ in 0..=text.len() + 1 {
            self.set_policy();
            let pushed = match rest {
                Source::Utf8(text) => self.encoder.push(text, &mut self.bytes),
                Source::Utf16(units) => self.encoder.push_utf16(units, &mut self.bytes),
            };
            let Err(error) = pushed else {
                ensure!(self.failed.is_none(), "push succeeds after a fatal error");
                self.read(rest);
                self.record_handled(self.policy, true);
                return Ok(());
            };
            if let Some(failed) = &self.failed {
                same!("error after a fatal error", *failed, error);
                return Ok(());
            }
            let position = self.encoder.position();
            let Some(read) = position.checked_sub(self.position) else {
                return Err(format!(
                    "`position` is {position} after an error of push, but {} were read",
                    self.position
                ));
            };
            ensure!(read as usize <= rest.len(), "position {position} is past the end of the chunk");
            ensure!(rest.may_cut(read as usize), "position {position} is within a character");
            self.read(rest.slice(0..read as usize));
            rest = rest.slice(read as usize..rest.len());
            self.record_handled(self.policy, false);
            self.error(error)?;
            if self.failed.is_some() {
                return Ok(());
            }
        }
        Err("push reports more errors than there are characters".into())
    }

    fn push_with(&mut self, text: &str) -> Check {
        self.set_policy();
        let unmappable = self.policy;
        let pushed = self.encoder.push_with(text, &mut self.bytes, |error| match unmappable {
            Unmappable::Skip | Unmappable::Pause => Some(Cow::Borrowed("")),
            Unmappable::Replace(instead) => Some(instead.to_string().into()),
            _ => Some(format!("&#{};", u32::from(error.code_point()?)).into()),
        });
        match (pushed, &self.failed) {
            (Ok(()), None) => {
                self.read(Source::Utf8(text));
                let fatal = unmappable == Unmappable::Fail;
                self.record_handled(if fatal { Unmappable::Html } else { unmappable }, true);
            }
            (Err(error), Some(failed)) => same!("error of push_with after a fatal error", *failed, error),
            (result, failed) => return Err(format!("push_with: {result:?} after {failed:?}")),
        }
        Ok(())
    }

    /// Makes one call with a fixed buffer. Returns how much was read, and whether that was all.
    fn slice(&mut self, text: Source<'_>, capacity: usize, last: bool) -> Result<(usize, bool), String> {
        self.set_policy();
        let mut progress = None;
        let encode = |dst: &mut [u8]| {
            let made = progress.insert(text.encode(&mut self.encoder, dst, last));
            (made.read, made.written)
        };
        stream::call(&mut self.bytes, capacity, encode, text.len())?;
        let Some(progress) = progress else { return Err("the call was not made".into()) };
        ensure!(text.may_cut(progress.read), "{} bytes read end within a character", progress.read);
        self.read(text.slice(0..progress.read));
        if self.failed.is_none() {
            self.record_handled(self.policy, progress.status == Status::InputEmpty && !last);
        }
        match progress.status {
            Status::InputEmpty => {
                same!("units read with InputEmpty", text.len(), progress.read);
                return Ok((progress.read, true));
            }
            Status::Error(error) => match &self.failed {
                Some(failed) => {
                    same!("error after a fatal error", (failed, 0, 0), (&error, progress.read, progress.written));
                }
                None => self.error(error)?,
            },
            _ => {}
        }
        Ok((progress.read, false))
    }

    /// Encodes a chunk into fixed buffers.
    fn slices(&mut self, text: Source<'_>, capacity: u8, last: bool) -> Check {
        let mut rest = text;
        for turn in 0..100 * text.len() + 1000 {
            let (read, done) = self.slice(rest, if turn == 0 { capacity } else { capacity.max(1) }.into(), last)?;
            rest = rest.slice(read..rest.len());
            if done && last {
                self.ended = true;
                same!("position at the end", self.position, self.encoder.position());
                return self.whole();
            }
            if done || self.failed.is_some() {
                return Ok(());
            }
        }
        Err("the end of the text is never reached".into())
    }

    fn finish(&mut self) -> Check {
        self.start();
        self.set_policy();
        let encoder = std::mem::replace(&mut self.encoder, self.fresh.clone());
        if self.failed.is_none() {
            self.record_handled(self.policy, false);
        }
        self.policy = self.case.unmappable();
        self.ended = true;
        match (encoder.finish(&mut self.bytes), &self.failed) {
            (Ok(summary), None) => {
                let unpaired = char::decode_utf16(self.input.iter().copied()).filter(Result::is_err).count();
                same!("unpaired surrogates", unpaired as u64, summary.unpaired_surrogates);
                self.whole()
            }
            (Err(error), Some(failed)) => {
                same!("error of finish after a fatal error", *failed, error);
                Ok(())
            }
            (Err(error), None) => {
                self.error(error)?;
                let scalars = spec_model::scalar_values(&self.input);
                let whole = model::encode_by(self.case.encoding(), &scalars, &self.handled).unwrap_or_default();
                ensure!(whole.starts_with(&self.bytes), "bytes before an error of finish: got {}", hex(&self.bytes));
                Ok(())
            }
            (Ok(_), Some(failed)) => Err(format!("finish succeeds after {failed:?}")),
        }
    }

    fn one_shot(&self) -> Result<Vec<u8>, String> {
        let unmappable = match self.case.unmappable() {
            Unmappable::Fail => Unmappable::Html,
            Unmappable::Pause => Unmappable::Skip,
            other => other,
        };
        let encoded = self.case.encoding().encode_from_utf16_with(&self.input, unmappable);
        Ok(encoded.map_err(|error| format!("encode_utf16: {error:?}"))?.bytes)
    }

    /// Compares the bytes of the whole text with the model, and with a single call unless policies have changed.
    fn whole(&self) -> Check {
        let scalars = spec_model::scalar_values(&self.input);
        let expected = model::encode_by(self.case.encoding(), &scalars, &self.handled).unwrap_or_default();
        ensure!(
            expected == self.bytes,
            "bytes handled by {:?}: expected {}, got {} of {:04X?}",
            self.handled,
            hex(&expected),
            hex(&self.bytes),
            self.input
        );
        if !self.case.policies.is_empty() {
            return Ok(());
        }
        let (expected, actual, input) = (hex(&self.one_shot()?), hex(&self.bytes), &self.input);
        ensure!(expected == actual, "bytes of the whole: expected {expected}, got {actual} of {input:04X?}");
        Ok(())
    }
}
