//! The library itself, at a level of its own for each copy of this engine.

use bench_abi::{Call, Job, Library, Operation, cut};
use textcodec::{
    Bom, DecodeOptions, DecodeStatus, EncodeProgress, EncodeStatus, Encoder, Encoding, ISOMORPHIC, UTF_8, UTF_16LE,
    testing::Level,
};

struct Textcodec;

bench_abi::export!(Textcodec);

impl Library for Textcodec {
    fn start(level: &str) -> Option<String> {
        Level::all().into_iter().find(|has| has.name() == level)?.make_best();
        Some("this tree".to_owned())
    }

    fn open(job: Job<'_>) -> Option<Call> {
        let named = || if job.encoding == "ISO-8859-1" { Some(ISOMORPHIC) } else { Encoding::for_label(job.encoding) };
        match job.operation {
            Operation::DecodeToUtf8 => Some(decode_to_utf8(named()?, job.chunk)),
            Operation::DecodeToUtf16 => Some(decode_to_utf16(named()?, job.chunk)),
            Operation::EncodeFromUtf8 => encode_from_utf8(named()?, job.chunk),
            Operation::EncodeFromUtf16 => encode_from_utf16(named()?, job.chunk),
            Operation::ValidateUtf8 => Some(validate_utf8()),
            Operation::ValidateUtf16 => Some(validate_utf16()),
            Operation::Utf8ToUtf16 => Some(decode_to_utf16(UTF_8, job.chunk)),
            Operation::Utf16ToUtf8 => encode_from_utf16(UTF_8, job.chunk),
            Operation::Latin1ToUtf8 => Some(decode_to_utf8(ISOMORPHIC, job.chunk)),
            Operation::Latin1ToUtf16 => Some(decode_to_utf16(ISOMORPHIC, job.chunk)),
            Operation::Utf8ToLatin1 => encode_from_utf8(ISOMORPHIC, job.chunk),
            Operation::Utf16ToLatin1 => encode_from_utf16(ISOMORPHIC, job.chunk),
        }
    }
}

fn options() -> DecodeOptions {
    DecodeOptions::new().bom(Bom::Keep)
}

fn decode_to_utf8(encoding: Encoding, chunk: usize) -> Call {
    let mut decoder = encoding.decoder_with(options());
    Call::chunked(chunk, cut::anywhere, move |src, dst, last| {
        let progress = decoder.decode_to_utf8(src, dst, last);
        matches!(progress.status, DecodeStatus::InputEmpty).then_some((progress.read, progress.written))
    })
}

fn decode_to_utf16(encoding: Encoding, chunk: usize) -> Call {
    let mut decoder = encoding.decoder_with(options());
    Call::chunked(chunk, cut::anywhere, move |src, dst, last| {
        let progress = decoder.decode_to_utf16(src, dst, last);
        matches!(progress.status, DecodeStatus::InputEmpty).then_some((progress.read, progress.written))
    })
}

fn encode_from_utf8(encoding: Encoding, chunk: usize) -> Option<Call> {
    let mut encoder = encoding.encoder().ok()?;
    Some(Call::chunked(chunk, cut::utf8, move |src, dst, last| {
        // SAFETY: the operation's input is valid UTF-8, cut between two characters.
        let src = unsafe { str::from_utf8_unchecked(src) };
        let progress = encoder.encode_from_utf8(src, dst, last);
        encoded(&mut encoder, &progress)
    }))
}

fn encode_from_utf16(encoding: Encoding, chunk: usize) -> Option<Call> {
    let mut encoder = encoding.encoder().ok()?;
    Some(Call::chunked(chunk, cut::utf16, move |src, dst, last| {
        let progress = encoder.encode_from_utf16(src, dst, last);
        encoded(&mut encoder, &progress)
    }))
}

fn encoded(encoder: &mut Encoder, progress: &EncodeProgress) -> Option<(usize, usize)> {
    if !matches!(progress.status, EncodeStatus::InputEmpty) {
        encoder.reset();
        return None;
    }
    Some((progress.read, progress.written))
}

/// Validates and copies, for want of a call that only validates.
fn validate_utf8() -> Call {
    let mut decoder = UTF_8.decoder_with(options());
    let mut copy = Vec::new();
    Call::new(move |src: &[u8], _: &mut [u8]| {
        copy.resize(3 * src.len() + 16, 0);
        let progress = decoder.decode_to_utf8(src, &mut copy, true);
        (progress.written == src.len()).then_some(src.len())
    })
}

/// Validates and copies, for want of a call that only validates.
fn validate_utf16() -> Call {
    let mut decoder = UTF_16LE.decoder_with(options());
    let mut copy = Vec::new();
    Call::new(move |src: &[u16], _: &mut [u8]| {
        copy.resize(src.len() + 16, 0);
        // SAFETY: two bytes a unit.
        let bytes = unsafe { std::slice::from_raw_parts(src.as_ptr().cast(), 2 * src.len()) };
        let progress = decoder.decode_to_utf16(bytes, &mut copy, true);
        (progress.written == src.len()).then_some(src.len())
    })
}
