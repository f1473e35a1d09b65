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
        // SAFETY: it returns a static string.
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

/// What glibc calls the encoding that comes closest.
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
        // SAFETY: it is open.
        unsafe { libc::iconv_close(self.0) };
    }
}

fn convert<S: Unit, D: Unit>(job: Job<'_>, from: &str, to: &str, cut: fn(&[S], usize) -> usize) -> Option<Call> {
    let (from, to) = (CString::new(from).ok()?, CString::new(to).ok()?);
    // SAFETY: two strings.
    let opened = unsafe { libc::iconv_open(to.as_ptr(), from.as_ptr()) };
    if opened as isize == -1 {
        return None;
    }
    let descriptor = Descriptor(opened);
    Some(Call::chunked(job.chunk, cut, move |src: &[S], dst: &mut [D], last| {
        let Descriptor(descriptor) = &descriptor;
        let (mut from, mut from_left) = (src.as_ptr().cast_mut().cast(), size_of_val(src));
        let (mut to, mut to_left) = (dst.as_mut_ptr().cast(), size_of_val(dst));
        // SAFETY: both slices with their lengths in bytes; iconv does not write to its input.
        let result =
            unsafe { libc::iconv(*descriptor, &raw mut from, &raw mut from_left, &raw mut to, &raw mut to_left) };
        // What is cut off at the end of a chunk comes again.
        if result == usize::MAX && (last || std::io::Error::last_os_error().raw_os_error() != Some(libc::EINVAL)) {
            // SAFETY: it is open; this begins anew.
            unsafe { libc::iconv(*descriptor, ptr::null_mut(), ptr::null_mut(), ptr::null_mut(), ptr::null_mut()) };
            return None;
        }
        if last {
            // SAFETY: as above; the end of the input writes what ends a shift state.
            let end =
                unsafe { libc::iconv(*descriptor, ptr::null_mut(), ptr::null_mut(), &raw mut to, &raw mut to_left) };
            if end == usize::MAX {
                return None;
            }
        }
        Some((src.len() - from_left / size_of::<S>(), dst.len() - to_left / size_of::<D>()))
    }))
}
