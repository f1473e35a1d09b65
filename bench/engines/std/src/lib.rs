//! The standard library.

use std::hint::black_box;

use bench_abi::{Call, Job, Library, Operation, copy_if_fits, cut};

struct Std;

bench_abi::export!(Std);

impl Library for Std {
    fn start(_: &str) -> Option<String> {
        Some(env!("RUSTC_VERSION").to_owned())
    }

    fn open(job: Job<'_>) -> Option<Call> {
        match job.operation {
            Operation::ValidateUtf8 => {
                Some(Call::new(|src: &[u8], _: &mut [u8]| str::from_utf8(src).ok().map(str::len)))
            }
            Operation::ValidateUtf16 => Some(Call::new(|src: &[u16], _: &mut [u8]| {
                char::decode_utf16(src.iter().copied()).all(|c| c.is_ok()).then_some(src.len())
            })),
            Operation::Utf8ToUtf16 if job.chunk == 0 => Some(Call::new(|src: &[u8], dst: &mut [u16]| {
                let mut written = 0;
                for (slot, unit) in dst.iter_mut().zip(str::from_utf8(src).ok()?.encode_utf16()) {
                    *slot = unit;
                    written += 1;
                }
                Some(written)
            })),
            Operation::Utf16ToUtf8 => Some(Call::chunked(job.chunk, cut::utf16, |src, dst, _| {
                let mut written = 0;
                for c in char::decode_utf16(src.iter().copied()) {
                    written += c.ok()?.encode_utf8(&mut dst[written..]).len();
                }
                Some((src.len(), written))
            })),
            Operation::DecodeWhole if job.encoding == "UTF-8" => Some(Call::new(|src: &[u8], dst: &mut [u8]| {
                Some(copy_if_fits(black_box(String::from_utf8_lossy(src)).as_bytes(), dst))
            })),
            _ => None,
        }
    }
}
