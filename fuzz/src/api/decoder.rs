//! Sequences of calls on a [`Decoder`].

use fastrand::Rng;
use textcodec::{DecodeError, DecodeOptions, DecodeStatus, DecodeSummary, Decoder, Encoding, Malformed};

use super::level;
use crate::{
    Check, Texts, hex, model, shorter,
    stream::{self, Unit},
};

/// What stands for an error, whoever writes it.
const REPLACEMENT: &str = "\u{FFFD}";

/// Of the three, the one that a number stands for.
fn malformed(number: u8) -> Malformed {
    [Malformed::Replace, Malformed::Fail, Malformed::Report][usize::from(number) % 3]
}

/// A decoder and what is called on it.
#[derive(Clone, Debug, arbitrary::Arbitrary)]
pub(super) struct DecoderCalls {
    encoding: u8,
    bom: u8,
    malformed: u8,
    /// What each call of the library sets first, over and over: a policy. None where there are none.
    policies: Vec<u8>,
    level: u8,
    calls: Vec<Call>,
}

/// A call with its bytes, and room where that matters.
#[derive(Clone, Debug, arbitrary::Arbitrary)]
enum Call {
    /// `push` to a `String`.
    Push(Vec<u8>),
    /// `push` to a `Vec<u16>`.
    PushUtf16(Vec<u8>),
    /// `push_with`.
    PushWith(Vec<u8>),
    /// One call of `decode_to_utf8`; what is not read is pushed.
    ToUtf8(Vec<u8>, u8),
    /// One call of `decode_to_utf16`.
    ToUtf16(Vec<u8>, u8),
    /// `decode_to_utf8` with `last`, until the input is done.
    LastToUtf8(Vec<u8>, u8),
    /// `decode_to_utf16` with `last`, until the input is done.
    LastToUtf16(Vec<u8>, u8),
    /// `finish`, and a new decoder.
    Finish,
    /// `finish_with`, and a new decoder.
    FinishWith,
    /// `reset`.
    Reset,
    /// Going on with a copy.
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
            let (longest, most) = ([1, 2, 3, 9, 100][rng.usize(..5)], [4, 12, 255][rng.usize(..3)]);
            let mut rest = &*bytes;
            while !rest.is_empty() && calls.len() < 60 {
                let (chunk, behind) = rest.split_at(rng.usize(..=longest).min(rest.len()));
                rest = behind;
                let (chunk, room) = (chunk.to_vec(), rng.u8(..most));
                calls.push(match rng.u8(..32) {
                    0..=6 => Call::Push(chunk),
                    7..=10 => Call::PushUtf16(chunk),
                    11..=15 => Call::PushWith(chunk),
                    16..=22 => Call::ToUtf8(chunk, room),
                    23..=29 => Call::ToUtf16(chunk, room),
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
            // Two neighbours of a kind as one.
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
                Call::ToUtf8(_, room) | Call::ToUtf16(_, room) => format!("{name}({bytes}; {room})"),
                Call::LastToUtf8(_, room) | Call::LastToUtf16(_, room) => format!("{name}({bytes}; {room})"),
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
            state.coherent()?;
        }
        state.end_with(Malformed::Report)
    }
}

/// A decoder, what it has read of its input, and what it gave, with U+FFFD for each error.
struct State<'a> {
    case: &'a DecoderCalls,
    decoder: Decoder,
    input: Vec<u8>,
    text: String,
    /// The error that ended the input.
    failed: Option<DecodeError>,
    /// The next call begins a new input.
    ended: bool,
    /// The policy of the call that comes or has just been made.
    policy: Malformed,
    /// How many times a policy was set.
    turn: usize,
    /// How many errors stopped a call, instead of being counted by the decoder.
    reported: u64,
}

impl State<'_> {
    fn begin(&mut self) {
        (self.input, self.text, self.failed, self.ended) = (Vec::new(), String::new(), None, false);
        self.reported = 0;
    }

    /// Sets the policy of the next call of the library, if the case has any.
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
            self.begin();
        }
        match call {
            Call::Push(bytes) => self.push::<String>(bytes, Clone::clone),
            Call::PushUtf16(bytes) => self.push::<Vec<u16>>(bytes, |units| String::from_utf16_lossy(units)),
            Call::PushWith(bytes) => {
                self.failed = None;
                self.set_policy();
                self.decoder.push_with(bytes, &mut self.text, |_, text| text.push_str(REPLACEMENT));
                self.input.extend(bytes);
                Ok(())
            }
            Call::ToUtf8(bytes, room) => {
                let (read, _) = self.slice::<u8>(bytes, (*room).into(), false)?;
                self.go_on(&bytes[read..])
            }
            Call::ToUtf16(bytes, room) => {
                let (read, _) = self.slice::<u16>(bytes, (*room).into(), false)?;
                self.go_on(&bytes[read..])
            }
            Call::LastToUtf8(bytes, room) => self.last::<u8>(bytes, *room),
            Call::LastToUtf16(bytes, room) => self.last::<u16>(bytes, *room),
            Call::Finish => {
                self.set_policy();
                self.end_with(self.policy)
            }
            Call::FinishWith => self.end_with(Malformed::Report),
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

    /// Gives the bytes that a call has left unread, which the decoder may have seen: no others may follow. Behind a failure
    /// they are forgotten, and a new input begins.
    fn go_on(&mut self, rest: &[u8]) -> Check {
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

    /// What holds between two calls.
    fn coherent(&self) -> Check {
        if !self.ended {
            same!("position", self.input.len() as u64, self.decoder.position());
        }
        Ok(())
    }

    /// An error that a call gave.
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

    /// `push`; where it reports an error, again from `position` on.
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
                    ensure!(self.failed.is_none(), "push succeeds behind a failure");
                    self.input.extend(rest);
                    return Ok(());
                }
                Err(error) => {
                    if let Some(failed) = &self.failed {
                        same!("error behind a failure", *failed, error);
                        same!("text behind a failure", "", text(&out));
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
                        return self.go_on(rest);
                    }
                }
            }
        }
    }

    /// Only calls that are to replace malformed bytes do.
    fn replaced_by_policy(&self, before: u64) -> Check {
        let replaced = self.decoder.errors().count().saturating_sub(before);
        ensure!(replaced == 0 || self.policy == Malformed::Replace, "{replaced} replaced with {:?}", self.policy);
        Ok(())
    }

    /// One call of the fixed-buffer level; how much is read, and whether the input is done.
    fn slice<U: Unit>(&mut self, bytes: &[u8], room: usize, last: bool) -> Result<(usize, bool), String> {
        let mut out: Vec<U> = Vec::new();
        let mut progress = None;
        self.set_policy();
        // Nothing is left of the errors of an input that has ended.
        let replaced = if self.input.is_empty() { 0 } else { self.decoder.errors().count() };
        let decode = |dst: &mut [U]| {
            let made = progress.insert(U::decode(&mut self.decoder, bytes, dst, last));
            (made.read, made.written)
        };
        stream::call(&mut out, room, decode, bytes.len())?;
        self.replaced_by_policy(replaced)?;
        let Some(progress) = progress else { return Err("the call was not made".into()) };
        let Some(text) = U::text(&out) else { return Err(format!("ill-formed output {out:X?}")) };
        self.text.push_str(&text);
        self.input.extend(&bytes[..progress.read]);
        match progress.status {
            DecodeStatus::InputEmpty => {
                same!("bytes read with InputEmpty", bytes.len(), progress.read);
                Ok((progress.read, true))
            }
            DecodeStatus::OutputFull => Ok((progress.read, false)),
            DecodeStatus::Malformed(error) => {
                match &self.failed {
                    Some(failed) => same!("error behind a failure", (failed, 0, ""), (&error, progress.read, &*text)),
                    None => {
                        ensure!(self.policy != Malformed::Replace, "an error: {error:?}");
                        self.error(error)?;
                    }
                }
                Ok((progress.read, false))
            }
        }
    }

    /// The end of the input through the fixed-buffer level.
    fn last<U: Unit>(&mut self, bytes: &[u8], room: u8) -> Check {
        let (mut rest, mut room) = (bytes, usize::from(room));
        for _ in 0..20 * bytes.len() + 100 {
            let (read, done) = self.slice::<U>(rest, room, true)?;
            rest = &rest[read..];
            if done {
                self.ended = true;
                same!("position at the end", self.input.len() as u64, self.decoder.position());
                let (encoding, bom_removed) = (self.decoder.encoding(), self.decoder.bom_removed());
                let errors = self.decoder.errors().clone();
                return self.whole(&DecodeSummary { encoding, bom_removed, errors });
            }
            if self.failed.is_some() {
                // The decoder has seen the end, so more input would not go on behind the error.
                // The byte that shows the error is unread. Without it, errors before this one may be others.
                let whole = one_shot(self.case, &[&self.input, rest].concat())?.text;
                ensure!(whole.starts_with(&self.text), "text before an error at the end: {whole:?}, {:?}", self.text);
                self.decoder.reset();
                self.ended = true;
                return Ok(());
            }
            room = room.max(U::MIN_ROOM);
        }
        Err("the end of the input is never reached".into())
    }

    /// `finish`, or `finish_with` where errors are reported.
    fn end_with(&mut self, malformed: Malformed) -> Check {
        if self.ended {
            self.begin();
        }
        let decoder = std::mem::replace(&mut self.decoder, self.case.decoder());
        self.policy = self.case.malformed();
        self.ended = true;
        let summary = if malformed == Malformed::Report {
            decoder.finish_with(&mut self.text, |_, text| text.push_str(REPLACEMENT))
        } else {
            let length = self.text.len();
            match (decoder.finish(&mut self.text), &self.failed) {
                (Ok(summary), None) => summary,
                (Ok(_), Some(error)) => return Err(format!("finish succeeds behind {error:?}")),
                (Err(error), Some(failed)) => {
                    same!("error of finish", *failed, error);
                    same!("text of finish behind a failure", length, self.text.len());
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
        self.whole(&summary)
    }

    /// All of an input against one call.
    fn whole(&self, summary: &DecodeSummary) -> Check {
        let expected = one_shot(self.case, &self.input)?;
        ensure!(
            expected.text == self.text,
            "text of the whole: expected {:?}, got {:?} of {}",
            expected.text,
            self.text,
            hex(&self.input)
        );
        same!("encoding", expected.encoding, summary.encoding);
        same!("bom_removed", expected.bom_removed, summary.bom_removed);
        same!("count of errors", expected.errors.count(), summary.errors.count() + self.reported);
        if self.reported == 0 {
            same!("errors", expected.errors, summary.errors);
        }
        Ok(())
    }
}

/// The whole input in one call, errors replaced.
fn one_shot(case: &DecoderCalls, bytes: &[u8]) -> Result<textcodec::Decoded<String>, String> {
    let options = case.options().malformed(Malformed::Replace);
    let decoded = case.encoding().decode_with(bytes, options).map_err(|error| format!("decode_with: {error:?}"))?;
    let textcodec::Decoded { text, encoding, bom_removed, errors } = decoded;
    Ok(textcodec::Decoded { text: text.into_owned(), encoding, bom_removed, errors })
}
