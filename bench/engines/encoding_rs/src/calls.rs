//! The calls of an engine with the API of encoding_rs.

use std::hint::black_box;

use bench_abi::{Call, Errors, Job, Operation, Step, Stop, copy_if_fits, cut};
use encoding_rs::{CoderResult, Decoder, DecoderResult, Encoder, EncoderResult, Encoding, mem};

/// Opens a call for an ordinary job.
pub(crate) fn open(job: Job<'_>) -> Option<Call> {
    let named = || Encoding::for_label_no_replacement(job.encoding.as_bytes()).filter(|has| has.name() == job.encoding);
    // An encoder for UTF-16 would encode to UTF-8.
    let encoder = || named().filter(|has| has.output_encoding() == *has);
    let whole = job.chunk == 0;
    match job.operation {
        Operation::DecodeToUtf8 => Some(decode_to_utf8(named()?, job.chunk)),
        Operation::DecodeToUtf16 => Some(decode_to_utf16(named()?, job.chunk)),
        Operation::EncodeFromUtf8 => Some(encode_from_utf8(encoder()?, job.chunk)),
        Operation::EncodeFromUtf16 => Some(encode_from_utf16(encoder()?, job.chunk)),
        Operation::ValidateUtf8 => Some(Call::new(|src: &[u8], _: &mut [u8]| {
            let valid = Encoding::utf8_valid_up_to(src);
            (valid == src.len()).then_some(valid)
        })),
        Operation::ValidateUtf16 => Some(Call::new(|src: &[u16], _: &mut [u8]| {
            let valid = mem::utf16_valid_up_to(src);
            (valid == src.len()).then_some(valid)
        })),
        Operation::Utf8ToUtf16 if whole => {
            Some(Call::new(|src: &[u8], dst: &mut [u16]| mem::convert_utf8_to_utf16_without_replacement(src, dst)))
        }
        Operation::Utf8ToUtf16 => Some(decode_to_utf16(encoding_rs::UTF_8, job.chunk)),
        Operation::Utf16ToUtf8 if whole => {
            Some(Call::new(|src: &[u16], dst: &mut [u8]| Some(mem::convert_utf16_to_utf8(src, dst))))
        }
        Operation::Utf16ToUtf8 => Some(encode_from_utf16(encoding_rs::UTF_8, job.chunk)),
        Operation::Latin1ToUtf8 => Some(Call::chunked(job.chunk, cut::anywhere, |src, dst, _| {
            Some((src.len(), mem::convert_latin1_to_utf8(src, dst)))
        })),
        Operation::Latin1ToUtf16 => Some(Call::chunked(job.chunk, cut::anywhere, |src, dst, _| {
            mem::convert_latin1_to_utf16(src, dst);
            Some((src.len(), src.len()))
        })),
        Operation::Utf8ToLatin1 => Some(Call::chunked(job.chunk, cut::utf8, |src, dst, _| {
            Some((src.len(), mem::convert_utf8_to_latin1_lossy(src, dst)))
        })),
        Operation::DecodeWhole => {
            let encoding = named()?;
            Some(Call::new(move |src: &[u8], dst: &mut [u8]| {
                Some(copy_if_fits(black_box(encoding.decode(src)).0.as_bytes(), dst))
            }))
        }
        Operation::EncodeWhole => {
            let encoding = encoder()?;
            Some(Call::new(move |src: &[u8], dst: &mut [u8]| {
                // SAFETY: the input of this operation is well-formed UTF-8.
                let text = unsafe { str::from_utf8_unchecked(src) };
                Some(copy_if_fits(&black_box(encoding.encode(text)).0, dst))
            }))
        }
        Operation::Utf16ToLatin1 => Some(Call::chunked(job.chunk, cut::utf16, |src, dst, _| {
            mem::convert_utf16_to_latin1_lossy(src, dst);
            Some((src.len(), src.len()))
        })),
    }
}

/// Opens a call for hostile input.
pub(crate) fn open_hostile(job: Job<'_>) -> Option<Call> {
    let encoding = Encoding::for_label(job.encoding.as_bytes()).filter(|encoding| encoding.name() == job.encoding)?;
    let encodes = encoding.output_encoding() == encoding;
    match job.operation {
        Operation::DecodeToUtf8 => Some(hostile::decode_to_utf8(encoding, &job)),
        Operation::DecodeToUtf16 => Some(hostile::decode_to_utf16(encoding, &job)),
        Operation::EncodeFromUtf8 if encodes => Some(hostile::encode_from_utf8(encoding, &job)),
        Operation::EncodeFromUtf16 if encodes => Some(hostile::encode_from_utf16(encoding, &job)),
        _ => None,
    }
}

/// Calls for hostile input.
mod hostile {
    use super::{Call, CoderResult, DecoderResult, EncoderResult, Encoding, Errors, Job, Step, Stop, cut};

    pub(super) fn decode_to_utf8(encoding: &'static Encoding, job: &Job<'_>) -> Call {
        let mut decoder = encoding.new_decoder_without_bom_handling();
        let reports = job.errors == Errors::Report;
        Call::stepwise(job, cut::anywhere, "\u{FFFD}".as_bytes(), move |src, dst, last| {
            let step = if reports {
                let (result, read, written) = decoder.decode_to_utf8_without_replacement(src, dst, last);
                Step { read, written, stop: decoder_stop(result) }
            } else {
                let (result, read, written, _) = decoder.decode_to_utf8(src, dst, last);
                Step { read, written, stop: coder_stop(result) }
            };
            if last && step.stop == Stop::InputEmpty {
                decoder = encoding.new_decoder_without_bom_handling();
            }
            step
        })
    }

    pub(super) fn decode_to_utf16(encoding: &'static Encoding, job: &Job<'_>) -> Call {
        let mut decoder = encoding.new_decoder_without_bom_handling();
        let reports = job.errors == Errors::Report;
        Call::stepwise(job, cut::anywhere, &[0xFFFD], move |src, dst, last| {
            let step = if reports {
                let (result, read, written) = decoder.decode_to_utf16_without_replacement(src, dst, last);
                Step { read, written, stop: decoder_stop(result) }
            } else {
                let (result, read, written, _) = decoder.decode_to_utf16(src, dst, last);
                Step { read, written, stop: coder_stop(result) }
            };
            if last && step.stop == Stop::InputEmpty {
                decoder = encoding.new_decoder_without_bom_handling();
            }
            step
        })
    }

    pub(super) fn encode_from_utf8(encoding: &'static Encoding, job: &Job<'_>) -> Call {
        let mut encoder = encoding.new_encoder();
        let html = job.errors == Errors::Html;
        Call::stepwise(job, cut::after_utf8, instead(job), move |src, dst, last| {
            // SAFETY: the input of this operation is well-formed UTF-8. `cut::after_utf8` cuts between characters, and each
            // step reads whole characters.
            let src = unsafe { str::from_utf8_unchecked(src) };
            let step = if html {
                let (result, read, written, _) = encoder.encode_from_utf8(src, dst, last);
                Step { read, written, stop: coder_stop(result) }
            } else {
                let (result, read, written) = encoder.encode_from_utf8_without_replacement(src, dst, last);
                Step { read, written, stop: encoder_stop(result) }
            };
            if last && step.stop == Stop::InputEmpty {
                encoder = encoding.new_encoder();
            }
            step
        })
    }

    pub(super) fn encode_from_utf16(encoding: &'static Encoding, job: &Job<'_>) -> Call {
        let mut encoder = encoding.new_encoder();
        let html = job.errors == Errors::Html;
        Call::stepwise(job, cut::after_utf16, instead(job), move |src, dst, last| {
            let step = if html {
                let (result, read, written, _) = encoder.encode_from_utf16(src, dst, last);
                Step { read, written, stop: coder_stop(result) }
            } else {
                let (result, read, written) = encoder.encode_from_utf16_without_replacement(src, dst, last);
                Step { read, written, stop: encoder_stop(result) }
            };
            if last && step.stop == Stop::InputEmpty {
                encoder = encoding.new_encoder();
            }
            step
        })
    }

    /// Returns the replacement that the caller writes, because encoding_rs can only write numeric character references.
    fn instead(job: &Job<'_>) -> &'static [u8] {
        if job.errors == Errors::Skip { b"" } else { b"?" }
    }

    fn coder_stop(result: CoderResult) -> Stop {
        match result {
            CoderResult::InputEmpty => Stop::InputEmpty,
            CoderResult::OutputFull => Stop::OutputFull,
        }
    }

    fn decoder_stop(result: DecoderResult) -> Stop {
        match result {
            DecoderResult::InputEmpty => Stop::InputEmpty,
            DecoderResult::OutputFull => Stop::OutputFull,
            DecoderResult::Malformed(..) => Stop::Error,
        }
    }

    fn encoder_stop(result: EncoderResult) -> Stop {
        match result {
            EncoderResult::InputEmpty => Stop::InputEmpty,
            EncoderResult::OutputFull => Stop::OutputFull,
            EncoderResult::Unmappable(_) => Stop::Error,
        }
    }
}

fn decode_to_utf8(encoding: &'static Encoding, chunk: usize) -> Call {
    let new = || encoding.new_decoder_without_bom_handling();
    let decode = |decoder: &mut Decoder, src: &[u8], dst: &mut [u8], last| {
        let (result, read, written, _) = decoder.decode_to_utf8(src, dst, last);
        (result == CoderResult::InputEmpty).then_some((read, written))
    };
    Call::with_coder(chunk, cut::anywhere, new, decode)
}

fn decode_to_utf16(encoding: &'static Encoding, chunk: usize) -> Call {
    let new = || encoding.new_decoder_without_bom_handling();
    let decode = |decoder: &mut Decoder, src: &[u8], dst: &mut [u16], last| {
        let (result, read, written, _) = decoder.decode_to_utf16(src, dst, last);
        (result == CoderResult::InputEmpty).then_some((read, written))
    };
    Call::with_coder(chunk, cut::anywhere, new, decode)
}

fn encode_from_utf8(encoding: &'static Encoding, chunk: usize) -> Call {
    let encode = |encoder: &mut Encoder, src: &[u8], dst: &mut [u8], last| {
        // SAFETY: the input of this operation is well-formed UTF-8, and `cut::utf8` cuts between characters.
        let src = unsafe { str::from_utf8_unchecked(src) };
        let (result, read, written) = encoder.encode_from_utf8_without_replacement(src, dst, last);
        (result == EncoderResult::InputEmpty).then_some((read, written))
    };
    Call::with_coder(chunk, cut::utf8, || encoding.new_encoder(), encode)
}

fn encode_from_utf16(encoding: &'static Encoding, chunk: usize) -> Call {
    let encode = |encoder: &mut Encoder, src: &[u16], dst: &mut [u8], last| {
        let (result, read, written) = encoder.encode_from_utf16_without_replacement(src, dst, last);
        (result == EncoderResult::InputEmpty).then_some((read, written))
    };
    Call::with_coder(chunk, cut::utf16, || encoding.new_encoder(), encode)
}
