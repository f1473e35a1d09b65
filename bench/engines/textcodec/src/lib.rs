//! textcodec. Each copy of this engine uses a different level.

use std::hint::black_box;

use bench_abi::{Call, Errors, Job, Library, Operation, Step, Stop, Unit, copy_if_fits, cut};
use textcodec::{
    Bom, DecodeError, DecodeOptions, Decoder, EncodeError, Encoder, Encoding, ISO_2022_JP, LATIN1, Malformed, Progress,
    Status, Unmappable,
    testing::Level,
    utf::{self, Converted},
};

struct Textcodec;

bench_abi::export!(Textcodec);

impl Library for Textcodec {
    fn start(level: &str) -> Option<String> {
        Level::all().into_iter().find(|has| has.name() == level)?.make_best();
        Some("this tree".to_owned())
    }

    fn open(job: Job<'_>) -> Option<Call> {
        let named = || if job.encoding == "ISO-8859-1" { Some(LATIN1) } else { encoding_of(job.encoding) };
        match job.operation {
            Operation::DecodeToUtf8 => Some(decode_to_utf8(named()?, job.chunk)),
            Operation::DecodeToUtf16 => Some(decode_to_utf16(named()?, job.chunk)),
            Operation::EncodeFromUtf8 => encode_from_utf8(named()?, job.chunk),
            Operation::EncodeFromUtf16 => encode_from_utf16(named()?, job.chunk),
            Operation::ValidateUtf8 => Some(Call::new(|src: &[u8], _: &mut [u8]| {
                (utf::utf8_valid_up_to(src) == src.len()).then_some(src.len())
            })),
            Operation::ValidateUtf16 => Some(Call::new(|src: &[u16], _: &mut [u8]| {
                (utf::utf16_valid_up_to(src) == src.len()).then_some(src.len())
            })),
            Operation::Utf8ToUtf16 => Some(convert(job.chunk, cut::utf8, utf::utf8_to_utf16)),
            Operation::Utf16ToUtf8 => Some(convert(job.chunk, cut::utf16, utf::utf16_to_utf8)),
            Operation::Latin1ToUtf8 => Some(convert(job.chunk, cut::anywhere, utf::latin1_to_utf8)),
            Operation::Latin1ToUtf16 => Some(convert(job.chunk, cut::anywhere, utf::latin1_to_utf16)),
            Operation::Utf8ToLatin1 => Some(convert(job.chunk, cut::utf8, |src: &[u8], dst: &mut [u8]| {
                // SAFETY: the input of this operation is well-formed UTF-8, and `cut::utf8` cuts between characters.
                utf::utf8_to_latin1(unsafe { str::from_utf8_unchecked(src) }, dst)
            })),
            Operation::DecodeWhole => {
                let encoding = named()?;
                Some(Call::new(move |src: &[u8], dst: &mut [u8]| {
                    Some(copy_if_fits(black_box(encoding.decode(src)).text.as_bytes(), dst))
                }))
            }
            Operation::EncodeWhole => {
                let encoding = named()?;
                Some(Call::new(move |src: &[u8], dst: &mut [u8]| {
                    // SAFETY: the input of this operation is well-formed UTF-8.
                    let text = unsafe { str::from_utf8_unchecked(src) };
                    Some(copy_if_fits(&black_box(encoding.encode(text).ok()?), dst))
                }))
            }
            Operation::Utf16ToLatin1 => Some(convert(job.chunk, cut::anywhere, utf::utf16_to_latin1)),
        }
    }

    fn open_hostile(job: Job<'_>) -> Option<Call> {
        let encoding = encoding_of(job.encoding)?;
        let malformed = if job.errors == Errors::Report { Malformed::Pause } else { Malformed::Replace };
        let mut decoder = encoding.decoder_with(options().malformed(malformed));
        let encoder = encoding.encoder_with(match job.errors {
            Errors::Plain => Unmappable::Fail,
            Errors::Replace => Unmappable::Replace('?'),
            Errors::Skip => Unmappable::Skip,
            Errors::Html => Unmappable::Html,
            Errors::Report => Unmappable::Pause,
        });
        // With `Report`, ISO-2022-JP may be in its double-byte state, so the encoder must encode the question mark.
        let is_stateful = encoding == ISO_2022_JP;
        let instead: &[u8] = if is_stateful { b"" } else { b"?" };
        Some(match job.operation {
            Operation::DecodeToUtf8 => {
                Call::stepwise(&job, cut::anywhere, "\u{FFFD}".as_bytes(), move |src, dst, last| {
                    decode_step(&decoder.decode_to_utf8(src, dst, last))
                })
            }
            Operation::DecodeToUtf16 => Call::stepwise(&job, cut::anywhere, &[0xFFFD], move |src, dst, last| {
                decode_step(&decoder.decode_to_utf16(src, dst, last))
            }),
            Operation::EncodeFromUtf8 => {
                let mut encoder = encoding.has_encoder().then_some(encoder)?;
                Call::stepwise(&job, cut::after_utf8, instead, move |src, dst, last| {
                    // SAFETY: the input of this operation is well-formed UTF-8. `cut::after_utf8` cuts between characters, and
                    // each step reads whole characters.
                    let src = unsafe { str::from_utf8_unchecked(src) };
                    let step = encode_step(&encoder.encode_from_utf8(src, dst, last));
                    if is_stateful { with_question_mark(step, &mut encoder, dst) } else { step }
                })
            }
            Operation::EncodeFromUtf16 => {
                let mut encoder = encoding.has_encoder().then_some(encoder)?;
                Call::stepwise(&job, cut::after_utf16, instead, move |src, dst, last| {
                    let step = encode_step(&encoder.encode_from_utf16(src, dst, last));
                    if is_stateful { with_question_mark(step, &mut encoder, dst) } else { step }
                })
            }
            _ => return None,
        })
    }
}

/// Encodes a question mark for an unmappable character.
fn with_question_mark(step: Step, encoder: &mut Encoder, dst: &mut [u8]) -> Step {
    if step.stop != Stop::Error {
        return step;
    }
    let progress = encoder.encode_from_utf8("?", &mut dst[step.written..], false);
    Step { written: step.written + progress.written, ..step }
}

fn decode_step(progress: &Progress<DecodeError>) -> Step {
    let stop = match progress.status {
        Status::InputEmpty => Stop::InputEmpty,
        Status::OutputFull => Stop::OutputFull,
        _ => Stop::Error,
    };
    Step { read: progress.read, written: progress.written, stop }
}

fn encode_step(progress: &Progress<EncodeError>) -> Step {
    let stop = match progress.status {
        Status::InputEmpty => Stop::InputEmpty,
        Status::OutputFull => Stop::OutputFull,
        _ => Stop::Error,
    };
    Step { read: progress.read, written: progress.written, stop }
}

fn convert<S: Unit, D: Unit>(
    chunk: usize,
    cut: fn(&[S], usize) -> usize,
    convert: impl Fn(&[S], &mut [D]) -> Converted + 'static,
) -> Call {
    Call::chunked(chunk, cut, move |src, dst, _| {
        let Converted { read, written, .. } = convert(src, dst);
        Some((read, written))
    })
}

fn options() -> DecodeOptions {
    DecodeOptions::new().bom(Bom::Keep)
}

/// The encoding of a label, or of a name outside of the standard.
fn encoding_of(name: &str) -> Option<Encoding> {
    Encoding::for_label(name).or_else(|| name.parse().ok())
}

fn decode_to_utf8(encoding: Encoding, chunk: usize) -> Call {
    let decode = |decoder: &mut Decoder, src: &[u8], dst: &mut [u8], last| {
        let progress = decoder.decode_to_utf8(src, dst, last);
        matches!(progress.status, Status::InputEmpty).then_some((progress.read, progress.written))
    };
    Call::with_coder(chunk, cut::anywhere, move || encoding.decoder_with(options()), decode)
}

fn decode_to_utf16(encoding: Encoding, chunk: usize) -> Call {
    let decode = |decoder: &mut Decoder, src: &[u8], dst: &mut [u16], last| {
        let progress = decoder.decode_to_utf16(src, dst, last);
        matches!(progress.status, Status::InputEmpty).then_some((progress.read, progress.written))
    };
    Call::with_coder(chunk, cut::anywhere, move || encoding.decoder_with(options()), decode)
}

fn encode_from_utf8(encoding: Encoding, chunk: usize) -> Option<Call> {
    let new = encoder(encoding)?;
    let encode = |encoder: &mut Encoder, src: &[u8], dst: &mut [u8], last| {
        // SAFETY: the input of this operation is well-formed UTF-8, and `cut::utf8` cuts between characters.
        let src = unsafe { str::from_utf8_unchecked(src) };
        let progress = encoder.encode_from_utf8(src, dst, last);
        matches!(progress.status, Status::InputEmpty).then_some((progress.read, progress.written))
    };
    Some(Call::with_coder(chunk, cut::utf8, new, encode))
}

fn encode_from_utf16(encoding: Encoding, chunk: usize) -> Option<Call> {
    let new = encoder(encoding)?;
    let encode = |encoder: &mut Encoder, src: &[u16], dst: &mut [u8], last| {
        let progress = encoder.encode_from_utf16(src, dst, last);
        matches!(progress.status, Status::InputEmpty).then_some((progress.read, progress.written))
    };
    Some(Call::with_coder(chunk, cut::utf16, new, encode))
}

/// Returns a function that creates encoders, or `None` if the encoding has no encoder.
fn encoder(encoding: Encoding) -> Option<impl Fn() -> Encoder> {
    encoding.has_encoder().then_some(move || encoding.encoder())
}
