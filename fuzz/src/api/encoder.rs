//! Sequences of calls on an [`Encoder`].

use std::borrow::Cow;

use fastrand::Rng;
use textcodec::{EncodeError, EncodeStatus, Encoder, Encoding, Unmappable};

use super::level;
use crate::{
    Check, Texts, hex, model, shorter,
    stream::{self, Source},
};

/// An encoder and what is called on it.
#[derive(Clone, Debug, arbitrary::Arbitrary)]
pub(super) struct EncoderCalls {
    encoding: u8,
    unmappable: u8,
    /// What each call of the library sets first, over and over: a policy. None where there are none.
    policies: Vec<u8>,
    level: u8,
    calls: Vec<Call>,
}

/// A call with its text, and room where that matters. UTF-8 comes from the same code units, U+FFFD for unpaired ones.
#[derive(Clone, Debug, arbitrary::Arbitrary)]
enum Call {
    /// `push`.
    Push(Vec<u16>),
    /// `push_utf16`.
    PushUtf16(Vec<u16>),
    /// `push_with`.
    PushWith(Vec<u16>),
    /// `encode_from_utf8`, until all is read: the unit behind a surrogate decides what that is.
    FromUtf8(Vec<u16>, u8),
    /// One call of `encode_from_utf16`.
    FromUtf16(Vec<u16>, u8),
    /// `encode_from_utf8` with `last`.
    LastFromUtf8(Vec<u16>, u8),
    /// `encode_from_utf16` with `last`.
    LastFromUtf16(Vec<u16>, u8),
    /// `finish`, and a new encoder.
    Finish,
    /// `reset`.
    Reset,
    /// Going on with a copy.
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
            let (longest, most) = ([1, 2, 3, 9, 100][rng.usize(..5)], [4, 12, 255][rng.usize(..3)]);
            let mut rest = &*units;
            while !rest.is_empty() && calls.len() < 60 {
                let (chunk, behind) = rest.split_at(rng.usize(..=longest).min(rest.len()));
                rest = behind;
                let (chunk, room) = (chunk.to_vec(), rng.u8(..most));
                calls.push(match rng.u8(..32) {
                    0..=5 => Call::Push(chunk),
                    6..=11 => Call::PushUtf16(chunk),
                    12..=15 => Call::PushWith(chunk),
                    16..=22 => Call::FromUtf8(chunk, room),
                    23..=29 => Call::FromUtf16(chunk, room),
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

    /// Of the six, the one that a number stands for. Replacements are characters that the encoding has.
    fn policy(&self, number: u8) -> Unmappable {
        let wide = if self.encoding().can_encode('〓') { '〓' } else { '!' };
        let all = [
            Unmappable::Html,
            Unmappable::Fail,
            Unmappable::Report,
            Unmappable::Skip,
            Unmappable::Replace('?'),
            Unmappable::Replace(wide),
        ];
        all[usize::from(number) % all.len()]
    }

    pub(super) fn check(&self) -> Check {
        let Ok(encoder) = self.encoding().encoder_with(self.unmappable()) else { return Ok(()) };
        let fresh = level(self.level).encoder(encoder);
        let mut state = State {
            case: self,
            encoder: fresh.clone(),
            fresh,
            input: Vec::new(),
            taken: 0,
            bytes: Vec::new(),
            failed: None,
            ended: false,
            broken: Ok(()),
            policy: self.unmappable(),
            turn: 0,
            handled: Vec::new(),
            counted: 0,
        };
        for call in &self.calls {
            state.call(call)?;
            state.coherent()?;
        }
        state.finish()?;
        state.broken
    }
}

/// An encoder, what it has read of its text, and what it gave.
struct State<'a> {
    case: &'a EncoderCalls,
    fresh: Encoder,
    encoder: Encoder,
    input: Vec<u16>,
    /// Bytes of UTF-8 and code units of UTF-16.
    taken: u64,
    bytes: Vec<u8>,
    failed: Option<EncodeError>,
    ended: bool,
    /// A promise that was broken to a copy of the encoder; other mismatches come first.
    broken: Check,
    /// The policy of the call that comes or has just been made.
    policy: Unmappable,
    /// How many times a policy was set.
    turn: usize,
    /// By which policy each unmappable character was handled, that of the call that read it, and how many units these are of.
    handled: Vec<Unmappable>,
    counted: usize,
}

impl State<'_> {
    fn begin(&mut self) {
        if self.ended {
            (self.input, self.taken, self.bytes) = (Vec::new(), 0, Vec::new());
            (self.failed, self.ended) = (None, false);
            (self.handled, self.counted) = (Vec::new(), 0);
        }
    }

    /// Sets the policy of the next call of the library, if the case has any.
    fn set_policy(&mut self) {
        let policies = &self.case.policies;
        if !policies.is_empty() {
            self.policy = self.case.policy(policies[self.turn % policies.len()]);
            self.encoder.set_unmappable(self.policy);
            self.turn += 1;
        }
    }

    /// Notes which unmappable characters a call has read. Where all of a chunk is read but not the last one, half a surrogate pair
    /// at its end waits for the next.
    fn note(&mut self, policy: Unmappable, waits: bool) {
        let high = self.input.last().is_some_and(|unit| (0xD800..0xDC00).contains(unit));
        let end = self.input.len() - usize::from(waits && high);
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
        self.begin();
        if let Call::Push(units) | Call::PushWith(units) | Call::FromUtf8(units, _) = call
            && units.is_empty()
            && self.half_a_pair()
        {
            self.broken = self.broken.clone().and_then(|()| self.nothing_behind_half_a_pair());
            return Ok(());
        }
        let utf8 = |units: &[u16]| String::from_utf16_lossy(units);
        match call {
            Call::Push(units) => self.push(Source::Utf8(&utf8(units))),
            Call::PushUtf16(units) => self.push(Source::Utf16(units)),
            Call::PushWith(units) => self.push_with(&utf8(units)),
            Call::FromUtf8(units, room) => self.slices(Source::Utf8(&utf8(units)), *room, false),
            Call::FromUtf16(units, room) => self.slices(Source::Utf16(units), *room, false),
            Call::LastFromUtf8(units, room) => self.slices(Source::Utf8(&utf8(units)), *room, true),
            Call::LastFromUtf16(units, room) => self.slices(Source::Utf16(units), *room, true),
            Call::Finish => self.finish(),
            Call::Reset => {
                self.encoder.reset();
                self.ended = true;
                Ok(())
            }
            Call::Clone => Ok(()),
        }
    }

    /// Whether the encoder keeps half a surrogate pair.
    fn half_a_pair(&self) -> bool {
        self.failed.is_none() && self.input.last().is_some_and(|unit| (0xD800..0xDC00).contains(unit))
    }

    /// However a text is cut, the bytes are the same: an empty chunk changes nothing.
    fn nothing_behind_half_a_pair(&self) -> Check {
        let mut with = self.encoder.clone();
        let (mut expected, mut actual) = (Vec::new(), Vec::new());
        let _ = self.encoder.clone().push_utf16(&[0xDC00], &mut expected);
        let _ = with.push("", &mut actual);
        let _ = with.push_utf16(&[0xDC00], &mut actual);
        same!("an empty chunk of UTF-8 behind half a surrogate pair", hex(&expected), hex(&actual));
        Ok(())
    }

    fn coherent(&self) -> Check {
        if !self.ended {
            same!("position", self.taken, self.encoder.position());
        }
        Ok(())
    }

    /// Notes what is read.
    fn read(&mut self, text: Source<'_>) {
        self.taken += text.len() as u64;
        match text {
            Source::Utf8(text) => self.input.extend(text.encode_utf16()),
            Source::Utf16(units) => self.input.extend(units),
        }
    }

    /// An error that a call gave.
    fn error(&mut self, error: EncodeError) -> Check {
        // An error may wait, if it ends the text.
        match (self.handled.last().copied().unwrap_or(self.policy), &error) {
            (Unmappable::Fail, _) => self.failed = Some(error),
            (Unmappable::Report, EncodeError::Unmappable { range, .. }) => {
                ensure!(range.end <= self.taken, "an error at {range:?} with {} units read", self.taken);
            }
            _ => return Err(format!("an error: {error:?}")),
        }
        Ok(())
    }

    /// `push` or `push_utf16`; where it reports an error, again from `position` on.
    fn push(&mut self, text: Source<'_>) -> Check {
        let mut rest = text;
        for _ in 0..=text.len() + 1 {
            self.set_policy();
            let pushed = match rest {
                Source::Utf8(text) => self.encoder.push(text, &mut self.bytes),
                Source::Utf16(units) => self.encoder.push_utf16(units, &mut self.bytes),
            };
            let Err(error) = pushed else {
                ensure!(self.failed.is_none(), "push succeeds behind a failure");
                self.read(rest);
                self.note(self.policy, true);
                return Ok(());
            };
            if let Some(failed) = &self.failed {
                same!("error behind a failure", *failed, error);
                return Ok(());
            }
            let position = self.encoder.position();
            let Some(read) = position.checked_sub(self.taken) else {
                return Err(format!("going on at `position` {position} behind an error of push, {} read", self.taken));
            };
            ensure!(read as usize <= rest.len(), "position {position} is behind the chunk");
            ensure!(rest.may_cut(read as usize), "position {position} is within a character");
            self.read(rest.slice(0..read as usize));
            rest = rest.slice(read as usize..rest.len());
            self.note(self.policy, false);
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
        let pushed = self.encoder.push_with(text, &mut self.bytes, |error| match (unmappable, error) {
            (Unmappable::Skip | Unmappable::Report, _) => Some(Cow::Borrowed("")),
            (Unmappable::Replace(instead), _) => Some(instead.to_string().into()),
            (_, EncodeError::Unmappable { code_point, .. }) => Some(format!("&#{};", u32::from(*code_point)).into()),
            _ => None,
        });
        match (pushed, &self.failed) {
            (Ok(()), None) => {
                self.read(Source::Utf8(text));
                let fatal = unmappable == Unmappable::Fail;
                self.note(if fatal { Unmappable::Html } else { unmappable }, true);
            }
            (Err(error), Some(failed)) => same!("error of push_with behind a failure", *failed, error),
            (result, failed) => return Err(format!("push_with: {result:?} behind {failed:?}")),
        }
        Ok(())
    }

    /// One call of the fixed-buffer level; how much is read, and whether the text is done.
    fn slice(&mut self, text: Source<'_>, room: usize, last: bool) -> Result<(usize, bool), String> {
        self.set_policy();
        let mut progress = None;
        let encode = |dst: &mut [u8]| {
            let made = progress.insert(text.encode(&mut self.encoder, dst, last));
            (made.read, made.written)
        };
        stream::call(&mut self.bytes, room, encode, text.len())?;
        let Some(progress) = progress else { return Err("the call was not made".into()) };
        ensure!(text.may_cut(progress.read), "{} bytes read end within a character", progress.read);
        self.read(text.slice(0..progress.read));
        if self.failed.is_none() {
            self.note(self.policy, progress.status == EncodeStatus::InputEmpty && !last);
        }
        match progress.status {
            EncodeStatus::InputEmpty => {
                same!("units read with InputEmpty", text.len(), progress.read);
                return Ok((progress.read, true));
            }
            EncodeStatus::OutputFull => {}
            EncodeStatus::Unmappable(error) => match &self.failed {
                Some(failed) => {
                    same!("error behind a failure", (failed, 0, 0), (&error, progress.read, progress.written));
                }
                None => self.error(error)?,
            },
        }
        Ok((progress.read, false))
    }

    /// A chunk through the fixed-buffer level.
    fn slices(&mut self, text: Source<'_>, room: u8, last: bool) -> Check {
        let mut rest = text;
        for turn in 0..100 * text.len() + 1000 {
            let (read, done) = self.slice(rest, if turn == 0 { room } else { room.max(1) }.into(), last)?;
            rest = rest.slice(read..rest.len());
            if done && last {
                self.ended = true;
                same!("position at the end", self.taken, self.encoder.position());
                return self.whole();
            }
            if done || self.failed.is_some() {
                return Ok(());
            }
        }
        Err("the end of the text is never reached".into())
    }

    fn finish(&mut self) -> Check {
        self.begin();
        self.set_policy();
        let encoder = std::mem::replace(&mut self.encoder, self.fresh.clone());
        if self.failed.is_none() {
            self.note(self.policy, false);
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
                same!("error of finish behind a failure", *failed, error);
                Ok(())
            }
            (Err(error), None) => {
                self.error(error)?;
                let scalars = spec_model::scalar_values(&self.input);
                let whole = model::encode_by(self.case.encoding(), &scalars, &self.handled).unwrap_or_default();
                ensure!(whole.starts_with(&self.bytes), "bytes before an error of finish: got {}", hex(&self.bytes));
                Ok(())
            }
            (Ok(_), Some(failed)) => Err(format!("finish succeeds behind {failed:?}")),
        }
    }

    fn one_shot(&self) -> Result<Vec<u8>, String> {
        let unmappable = match self.case.unmappable() {
            Unmappable::Fail => Unmappable::Html,
            Unmappable::Report => Unmappable::Skip,
            other => other,
        };
        let encoded = self.case.encoding().encode_utf16(&self.input, unmappable);
        Ok(encoded.map_err(|error| format!("encode_utf16: {error:?}"))?.bytes.into())
    }

    /// All of a text against the model, and against one call unless policies have changed.
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
