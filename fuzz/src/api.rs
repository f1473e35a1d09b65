//! Any sequence of calls: nothing panics, positions and errors are consistent, and the text is that of a single call.

mod decoder;
mod encoder;

use decoder::DecoderCalls;
use encoder::EncoderCalls;
use fastrand::Rng;

use crate::{Case, Check, Texts};

/// Calls on a decoder or an encoder.
#[derive(Clone, Debug, arbitrary::Arbitrary)]
pub struct Api(Kind);

#[derive(Clone, Debug, arbitrary::Arbitrary)]
enum Kind {
    Decoder(DecoderCalls),
    Encoder(EncoderCalls),
}

impl Case for Api {
    const NAME: &'static str = "api_sequences";

    fn random(texts: &mut Texts, rng: &mut Rng) -> Self {
        Self(if rng.u8(..3) > 0 {
            Kind::Decoder(DecoderCalls::random(texts, rng))
        } else {
            Kind::Encoder(EncoderCalls::random(texts, rng))
        })
    }

    fn check(&self) -> Check {
        match &self.0 {
            Kind::Decoder(calls) => calls.check().map_err(|error| format!("Decoder: {error}")),
            Kind::Encoder(calls) => calls.check().map_err(|error| format!("Encoder: {error}")),
        }
    }

    fn simpler(&self) -> Vec<Self> {
        match &self.0 {
            Kind::Decoder(calls) => calls.simpler().into_iter().map(|calls| Self(Kind::Decoder(calls))).collect(),
            Kind::Encoder(calls) => calls.simpler().into_iter().map(|calls| Self(Kind::Encoder(calls))).collect(),
        }
    }

    fn describe(&self) -> String {
        match &self.0 {
            Kind::Decoder(calls) => calls.describe(),
            Kind::Encoder(calls) => calls.describe(),
        }
    }
}

/// Returns the kernel level for a number.
fn level(number: u8) -> textcodec::testing::Level {
    let all = textcodec::testing::Level::all();
    all[usize::from(number) % all.len()]
}
