//! iconv(3) of the C library.

use std::{
    ffi::{CStr, CString},
    ptr,
};

use bench_abi::{Call, Job, Library, Operation, Unit, cut};

struct Iconv;

bench_abi::export!(Iconv);

impl Library for Iconv {
    fn start(_: &str) -> Option<String> {
        // SAFETY: `gnu_get_libc_version` returns a static string with a NUL at its end.
        Some(format!("glibc {}", unsafe { CStr::from_ptr(libc::gnu_get_libc_version()) }.to_str().ok()?))
    }

    fn open(job: Job<'_>) -> Option<Call> {
        let named = name(job.encoding);
        match job.operation {
            Operation::DecodeToUtf8 => convert::<u8, u8>(job, named, "UTF-8", cut::anywhere),
            Operation::DecodeToUtf16 => convert::<u8, u16>(job, named, "UTF-16LE", cut::anywhere),
            Operation::EncodeFromUtf8 => convert::<u8, u8>(job, "UTF-8", named, cut::anywhere),
            Operation::EncodeFromUtf16 => convert::<u16, u8>(job, "UTF-16LE", named, cut::anywhere),
            Operation::Utf8ToUtf16 => convert::<u8, u16>(job, "UTF-8", "UTF-16LE", cut::anywhere),
            Operation::Utf16ToUtf8 => convert::<u16, u8>(job, "UTF-16LE", "UTF-8", cut::anywhere),
            Operation::Latin1ToUtf8 => convert::<u8, u8>(job, "ISO-8859-1", "UTF-8", cut::anywhere),
            Operation::Latin1ToUtf16 => convert::<u8, u16>(job, "ISO-8859-1", "UTF-16LE", cut::anywhere),
            Operation::Utf8ToLatin1 => convert::<u8, u8>(job, "UTF-8", "ISO-8859-1", cut::anywhere),
            Operation::Utf16ToLatin1 => convert::<u16, u8>(job, "UTF-16LE", "ISO-8859-1", cut::anywhere),
            _ => None,
        }
    }
}

/// Returns glibc's name of the most similar encoding.
fn name(encoding: &str) -> &str {
    match encoding {
        "Shift_JIS" => "CP932",
        "EUC-KR" => "CP949",
        "windows-874" => "CP874",
        "Big5" => "BIG5-HKSCS",
        other => other,
    }
}

struct Descriptor(libc::iconv_t);

impl Drop for Descriptor {
    fn drop(&mut self) {
        // SAFETY: the descriptor is open, and is closed only here.
        unsafe { libc::iconv_close(self.0) };
    }
}

fn convert<S: Unit, D: Unit>(job: Job<'_>, from: &str, to: &str, cut: fn(&[S], usize) -> usize) -> Option<Call> {
    let (from, to) = (CString::new(from).ok()?, CString::new(to).ok()?);
    // SAFETY: both arguments are strings with a NUL at their ends.
    let opened = unsafe { libc::iconv_open(to.as_ptr(), from.as_ptr()) };
    if opened as isize == -1 {
        return None;
    }
    let descriptor = Descriptor(opened);
    Some(Call::chunked(job.chunk, cut, move |src: &[S], dst: &mut [D], last| {
        let Descriptor(descriptor) = &descriptor;
        let (mut from, mut from_left) = (src.as_ptr().cast_mut().cast(), size_of_val(src));
        let (mut to, mut to_left) = (dst.as_mut_ptr().cast(), size_of_val(dst));
        // SAFETY: the descriptor is open. The pointers are those of the slices, with the lengths in bytes. iconv does not write
        // to its input.
        let result =
            unsafe { libc::iconv(*descriptor, &raw mut from, &raw mut from_left, &raw mut to, &raw mut to_left) };
        // An incomplete character at the end of a chunk is passed again with the next chunk.
        if result == usize::MAX && (last || std::io::Error::last_os_error().raw_os_error() != Some(libc::EINVAL)) {
            // SAFETY: the descriptor is open. Null pointers reset it.
            unsafe { libc::iconv(*descriptor, ptr::null_mut(), ptr::null_mut(), ptr::null_mut(), ptr::null_mut()) };
            return None;
        }
        if last {
            // SAFETY: the descriptor is open, and `to_left` bytes remain at `to`. A null input writes the sequence that returns
            // to the initial state.
            let end =
                unsafe { libc::iconv(*descriptor, ptr::null_mut(), ptr::null_mut(), &raw mut to, &raw mut to_left) };
            if end == usize::MAX {
                return None;
            }
        }
        Some((src.len() - from_left / size_of::<S>(), dst.len() - to_left / size_of::<D>()))
    }))
}
