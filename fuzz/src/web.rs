//! Compares sequences of calls of section 7 with the model.

use fastrand::Rng;
use textcodec::Encoding;
use textcodec_web as web;

use crate::{Case, Check, Texts, hex, model, shorter};

/// Calls of the classes of section 7.
#[derive(Clone, Debug, arbitrary::Arbitrary)]
pub struct Web {
    label: u8,
    fatal: bool,
    ignore_bom: bool,
    calls: Vec<Call>,
    strings: Vec<Vec<u16>>,
    capacity: u8,
}

/// A call of `decode`, also used as a chunk of a stream.
#[derive(Clone, Debug, arbitrary::Arbitrary)]
struct Call {
    bytes: Vec<u8>,
    stream: bool,
    /// Whether the result is UTF-16.
    units: bool,
}

/// Returns the label for a number. A few are not labels.
fn label(number: u8) -> &'static str {
    let mut labels = Encoding::ALL.iter().flat_map(|encoding| encoding.labels());
    labels.nth(number.into()).copied().unwrap_or("no-label")
}

impl Case for Web {
    const NAME: &'static str = "web_oracle";

    fn random(texts: &mut Texts, rng: &mut Rng) -> Self {
        // Every encoding is equally likely.
        let encoding = model::encoding(rng.u8(..41));
        let own = encoding.labels().first().copied().unwrap_or("no-label");
        let label = (0..=u8::MAX).find(|&number| label(number) == own).unwrap_or(u8::MAX);
        let bytes = texts.bytes(encoding, rng);
        let mut calls = Vec::new();
        let (mut from, longest) = (0, [1, 2, 3, 9, 200][rng.usize(..5)]);
        while from < bytes.len() && calls.len() < 40 {
            let to = (from + rng.usize(..=longest)).min(bytes.len());
            calls.push(Call { bytes: bytes[from..to].into(), stream: rng.u8(..8) > 0, units: rng.bool() });
            from = to;
        }
        calls.push(Call { bytes: bytes[from..].into(), stream: rng.u8(..4) == 0, units: rng.bool() });
        let longest = [1, 2, 3, 9, 200][rng.usize(..5)];
        let mut strings = Vec::new();
        let mut rest = &*texts.units(encoding, rng);
        while !rest.is_empty() && strings.len() < 40 {
            let (first, after) = rest.split_at(rng.usize(..=longest).min(rest.len()));
            strings.push(first.into());
            rest = after;
        }
        Self { label, fatal: rng.bool(), ignore_bom: rng.bool(), calls, strings, capacity: rng.u8(..) }
    }

    fn check(&self) -> Check {
        self.decoder()?;
        self.decoder_stream()?;
        self.encoder()?;
        self.encoder_stream()
    }

    fn simpler(&self) -> Vec<Self> {
        let mut all = Vec::new();
        all.extend(shorter(&self.calls).into_iter().map(|calls| Self { calls, ..self.clone() }));
        all.extend(shorter(&self.strings).into_iter().map(|strings| Self { strings, ..self.clone() }));
        for (n, call) in self.calls.iter().enumerate() {
            let with = |call: Call| {
                let mut simpler = self.clone();
                simpler.calls[n] = call;
                simpler
            };
            all.extend(shorter(&call.bytes).into_iter().map(|bytes| with(Call { bytes, ..call.clone() })));
            if call.units {
                all.push(with(Call { units: false, ..call.clone() }));
            }
        }
        for (n, string) in self.strings.iter().enumerate() {
            all.extend(shorter(string).into_iter().map(|string| {
                let mut simpler = self.clone();
                simpler.strings[n] = string;
                simpler
            }));
        }
        all
    }

    fn describe(&self) -> String {
        let calls: Vec<_> = self.calls.iter().map(|call| (hex(&call.bytes), call.stream, call.units)).collect();
        let Self { fatal, ignore_bom, strings, capacity, .. } = self;
        format!(
            "{:?} fatal {fatal} ignore_bom {ignore_bom} (bytes, stream, as UTF-16) {calls:?}; {strings:04X?} capacity {capacity}",
            label(self.label)
        )
    }
}

impl Web {
    fn options(&self) -> (web::TextDecoderOptions, spec_model::web::TextDecoderOptions) {
        let Self { fatal, ignore_bom, .. } = *self;
        let expected = spec_model::web::TextDecoderOptions { fatal, ignore_bom };
        (web::TextDecoderOptions { fatal, ignore_bom }, expected)
    }

    fn decoder(&self) -> Check {
        let (options, model_options) = self.options();
        let label = label(self.label);
        let actual = web::TextDecoder::new(label, options);
        let expected = spec_model::web::TextDecoder::new(label, model_options);
        same!("whether TextDecoder has the label", expected.is_ok(), actual.is_ok());
        let (Ok(mut expected), Ok(mut actual)) = (expected, actual) else { return Ok(()) };
        same!("encoding", expected.encoding(), actual.encoding());
        same!("fatal", expected.fatal(), actual.fatal());
        same!("ignoreBOM", expected.ignore_bom(), actual.ignore_bom());
        for (n, Call { bytes, stream, units }) in self.calls.iter().enumerate() {
            let options = spec_model::web::TextDecodeOptions { stream: *stream };
            let text = expected.decode(Some(bytes), options).ok();
            if *units {
                let units = text.map(|text| text.encode_utf16().collect::<Vec<_>>());
                same!(format!("TextDecoder call {n}"), units, actual.decode_to_utf16(bytes, *stream).ok());
            } else {
                same!(format!("TextDecoder call {n}"), text, actual.decode(bytes, *stream).ok());
            }
        }
        Ok(())
    }

    fn decoder_stream(&self) -> Check {
        let (options, model_options) = self.options();
        let label = label(self.label);
        let actual = web::TextDecoderStream::new(label, options);
        let expected = spec_model::web::TextDecoderStream::new(label, model_options);
        same!("whether TextDecoderStream has the label", expected.is_ok(), actual.is_ok());
        let (Ok(mut expected), Ok(mut actual)) = (expected, actual) else { return Ok(()) };
        same!("encoding of the stream", expected.encoding(), actual.common().encoding());
        for (n, Call { bytes, units, .. }) in self.calls.iter().enumerate() {
            let text = expected.decode_and_enqueue_a_chunk(bytes).ok();
            if *units {
                let units = text.map(|text| text.map(|text| text.encode_utf16().collect::<Vec<_>>()));
                let actual = actual.decode_and_enqueue_a_chunk_to_utf16(bytes).ok();
                same!(format!("TextDecoderStream chunk {n}"), units, actual);
            } else {
                let actual = actual.decode_and_enqueue_a_chunk(bytes).ok();
                same!(format!("TextDecoderStream chunk {n}"), text, actual);
            }
        }
        same!("TextDecoderStream flush", expected.flush_and_enqueue().ok(), actual.flush_and_enqueue().ok());
        Ok(())
    }

    fn encoder(&self) -> Check {
        let units = self.strings.concat();
        same!("TextEncoder encode", spec_model::web::TextEncoder.encode(&units), web::TextEncoder.encode(&units));
        for capacity in [self.capacity.into(), units.len(), 3 * units.len()] {
            let (mut first, mut second) = (vec![0xA5; capacity], vec![0xA5; capacity]);
            let expected = spec_model::web::TextEncoder.encode_into(&units, &mut first);
            let actual = web::TextEncoder.encode_into(&units, &mut second);
            let counts = ((expected.read, expected.written), (actual.read, actual.written));
            same!(format!("TextEncoder encodeInto {capacity} bytes"), counts.0, counts.1);
            same!(format!("bytes of encodeInto {capacity} bytes"), first, second);
        }
        Ok(())
    }

    fn encoder_stream(&self) -> Check {
        let mut expected = spec_model::web::TextEncoderStream::new();
        let mut actual = web::TextEncoderStream::default();
        for (n, string) in self.strings.iter().enumerate() {
            let (expected, actual) =
                (expected.encode_and_enqueue_a_chunk(string), actual.encode_and_enqueue_a_chunk(string));
            same!(format!("TextEncoderStream chunk {n}"), expected, actual);
        }
        same!("TextEncoderStream flush", expected.encode_and_flush(), actual.encode_and_flush());
        Ok(())
    }
}
