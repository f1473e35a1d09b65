//! `iconv`.

use core::{
    ffi::{c_char, c_int, c_void},
    ptr, slice,
};

use iconv::{Conversion, Stop};

use crate::{
    descriptor::{Descriptor, Flavour},
    next::{Iconv, Next},
    set_errno,
};

/// The result of a call that fails.
const FAILED: usize = usize::MAX;

/// Room for what [`Conversion::finish`] writes.
const END: usize = 8;

/// Converts text, or resets the descriptor.
///
/// # Safety
/// Each of the pointers is null, or points to a value as POSIX describes it.
#[inline(never)]
pub(crate) unsafe fn iconv(
    descriptor: &mut Descriptor,
    inbuf: *mut *mut c_char,
    inbytesleft: *mut usize,
    outbuf: *mut *mut c_char,
    outbytesleft: *mut usize,
) -> usize {
    let (conversion, flavour) = (&mut descriptor.conversion, descriptor.flavour);
    // SAFETY: the caller promises that both are null or point to values.
    let (input, output) = unsafe { (buffer(inbuf, inbytesleft), buffer(outbuf, outbytesleft)) };
    let Some((src, src_len)) = input else {
        // SAFETY: the buffer is the caller's.
        return unsafe { reset(conversion, output, outbuf, outbytesleft) };
    };
    let Some((dst, dst_len)) = output else {
        if src_len == 0 {
            return 0;
        }
        return failed(libc::E2BIG);
    };
    // No memory is larger, so that only a part of a length that is too great is read.
    let len = src_len.min(isize::MAX as usize).min(usize::MAX - src.addr());
    // Some programs say that there is room without end. Few characters take more bytes.
    let most = dst_len.min(len.saturating_mul(8));
    if cfg!(debug_assertions) && overlap(src.addr(), len, dst.addr(), most) {
        return failed(libc::EFAULT);
    }
    // SAFETY: the caller promises that the input has `src_len` bytes.
    let bytes = unsafe { slice::from_raw_parts(src.cast::<u8>(), len) };
    let mut written = 0;
    let progress = conversion.convert_with(bytes, dst_len, |part| {
        // SAFETY: all parts together have at most `dst_len` bytes, by the contract of `convert_with`, which the caller promises to
        // be there. A short part may be the input itself, and some programs convert in place.
        unsafe { ptr::copy(part.as_ptr(), dst.cast::<u8>().wrapping_add(written), part.len()) };
        written += part.len();
    });
    // SAFETY: the pointers are not null, because `buffer` has read them.
    unsafe {
        *inbuf = src.wrapping_add(progress.read);
        *inbytesleft = src_len - progress.read;
        *outbuf = dst.wrapping_add(progress.written);
        *outbytesleft = dst_len - progress.written;
    }
    match progress.stop {
        Stop::InputEmpty if len < src_len => failed(libc::EINVAL),
        Stop::InputEmpty if progress.skipped != 0 && flavour == Flavour::Glibc => failed(libc::EILSEQ),
        Stop::InputEmpty => progress.transliterated + progress.discarded,
        Stop::OutputFull => failed(libc::E2BIG),
        Stop::Incomplete => failed(libc::EINVAL),
        _ => failed(libc::EILSEQ),
    }
}

/// Converts text with a descriptor of another library, or fails with `EBADF`.
///
/// # Safety
/// `cd` is valid for [`Next::get_for`]. The pointers are valid for the other library's function.
#[cold]
#[inline(never)]
pub(crate) unsafe fn foreign(
    cd: *mut c_void,
    inbuf: *mut *mut c_char,
    inbytesleft: *mut usize,
    outbuf: *mut *mut c_char,
    outbytesleft: *mut usize,
    next: &Next<Iconv>,
) -> usize {
    // SAFETY: as the caller promises.
    let next = unsafe { next.get_for(cd) };
    // SAFETY: as the caller promises.
    next.map_or(FAILED, |iconv| unsafe { iconv(cd, inbuf, inbytesleft, outbuf, outbytesleft) })
}

/// Returns whether two ranges of memory overlap. The checked build refuses such buffers. Otherwise nobody looks, because some
/// programs convert short strings in place, which works.
fn overlap(src: usize, src_len: usize, dst: usize, dst_len: usize) -> bool {
    src < dst.saturating_add(dst_len) && dst < src.saturating_add(src_len)
}

/// Ends the text, or discards its state if there is no output.
///
/// # Safety
/// `output` is what `outbuf` and `outbytesleft` point to.
unsafe fn reset(
    conversion: &mut Conversion,
    output: Option<(*mut c_char, usize)>,
    outbuf: *mut *mut c_char,
    outbytesleft: *mut usize,
) -> usize {
    let Some((dst, room)) = output else {
        conversion.reset();
        return 0;
    };
    let mut bytes = [0; END];
    let Some(len) = conversion.finish(&mut bytes[..room.min(END)]) else { return failed(libc::E2BIG) };
    // SAFETY: there is room for `len` bytes, at most `room`.
    unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), dst.cast(), len) };
    // SAFETY: the pointers are not null, because `buffer` has read them.
    unsafe {
        *outbuf = dst.wrapping_add(len);
        *outbytesleft = room - len;
    }
    0
}

/// Returns a buffer and its length, or `None` if there is none.
///
/// # Safety
/// Both are null, or point to values.
unsafe fn buffer(start: *mut *mut c_char, len: *mut usize) -> Option<(*mut c_char, usize)> {
    if start.is_null() || len.is_null() {
        return None;
    }
    // SAFETY: it is not null.
    let start = unsafe { *start };
    // SAFETY: it is not null.
    (!start.is_null()).then(|| (start, unsafe { *len }))
}

fn failed(error: c_int) -> usize {
    set_errno(error);
    FAILED
}
